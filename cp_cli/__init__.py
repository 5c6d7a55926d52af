"""Chinese poker: arrange thirteen cards, settle deals, study strategies."""

__version__ = "0.1.0"
