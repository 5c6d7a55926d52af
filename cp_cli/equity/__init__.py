"""Expected units of the arrangements of a deal, with standard errors."""

from cp_cli.equity.analysis import Analysis, Analyst
from cp_cli.equity.judges import Judges, Measures
from cp_cli.equity.opening import open_analyst
from cp_cli.equity.pricing import Choice, SplitFigures

__all__ = [
    "Analysis",
    "Analyst",
    "Choice",
    "Judges",
    "Measures",
    "SplitFigures",
    "open_analyst",
]
