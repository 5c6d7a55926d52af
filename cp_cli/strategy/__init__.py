"""Strategies: how opponents set their deals, found by fictitious play, stored, measured."""

from cp_cli.strategy.answers import Progress, answer_exactly, value_choices
from cp_cli.strategy.files import (
    Strategy,
    find_shipped,
    load_strategy,
    open_field,
    open_fields,
    read_strategy,
    write_strategy,
)
from cp_cli.strategy.named import OPPONENT_STRATEGIES, open_setter, set_deals
from cp_cli.strategy.training import FULL, QUICK, Plan, train_sides

__all__ = [
    "FULL",
    "OPPONENT_STRATEGIES",
    "QUICK",
    "Plan",
    "Progress",
    "Strategy",
    "answer_exactly",
    "find_shipped",
    "load_strategy",
    "open_field",
    "open_fields",
    "open_setter",
    "read_strategy",
    "set_deals",
    "train_sides",
    "value_choices",
    "write_strategy",
]
