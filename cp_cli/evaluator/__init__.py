"""What cards are: the strength of a row, why a split is mis-set, naturals in a deal.

Knows no money but the units of a natural, which its ruleset says. Nothing here loads Numba.
"""

from cp_cli.evaluator.fouls import explain_foul, find_low_floor, tell_deciding_card
from cp_cli.evaluator.missing import explain_missing
from cp_cli.evaluator.naturals import (
    best_natural,
    describe_natural,
    find_naturals,
    natural_spec,
    parse_natural,
    rank_naturals,
    rate_natural,
    tell_deciding_tie,
)
from cp_cli.evaluator.rows import (
    CATEGORY_NAMES,
    Cards,
    categorize,
    compare_rows,
    describe_row,
    low_table,
    rank_low,
    rank_row,
    row_tables,
)

__all__ = [
    "CATEGORY_NAMES",
    "Cards",
    "best_natural",
    "categorize",
    "compare_rows",
    "describe_natural",
    "describe_row",
    "explain_foul",
    "explain_missing",
    "find_low_floor",
    "find_naturals",
    "low_table",
    "natural_spec",
    "parse_natural",
    "rank_low",
    "rank_naturals",
    "rank_row",
    "rate_natural",
    "row_tables",
    "tell_deciding_card",
    "tell_deciding_tie",
]
