"""Expected units of the arrangements of a deal, with standard errors."""

from cp_cli.equity.analysis import Analysis, Analyst, Choice, SplitFigures, open_analyst
from cp_cli.equity.judges import Judges, Measures

__all__ = [
    "Analysis",
    "Analyst",
    "Choice",
    "Judges",
    "Measures",
    "SplitFigures",
    "open_analyst",
]
