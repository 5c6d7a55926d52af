"""A slow, obvious oracle of the rules of Chinese poker, for tests only.

It is written from the rules alone, uses nothing but the standard library and shares no code with
the program. A card is an int ``rank * 4 + suit``: ranks 0..12 are 2..A, suits 0..3 are c d h s.
Numbers such as "item 7" and marks such as "A03" are those of the rules text.
"""

from .naturals import Natural, best_natural, clash, find_naturals
from .openface import best_fantasyland, fantasyland_entry, fantasyland_stay
from .pairs import (
    fill_rules,
    hand_royalties,
    pair_items,
    pair_units,
    row_outcomes,
)
from .rows import (
    Rows,
    category,
    compare_rows,
    count_splits,
    find_repeats,
    foul_reason,
    is_royal,
    legal_splits,
    low27_key,
    parse_card,
    parse_cards,
    row_key,
    undominated_splits,
)
from .tables import race_winner, settle

__all__ = [
    "Natural",
    "Rows",
    "best_fantasyland",
    "best_natural",
    "category",
    "clash",
    "compare_rows",
    "count_splits",
    "fantasyland_entry",
    "fantasyland_stay",
    "fill_rules",
    "find_naturals",
    "find_repeats",
    "foul_reason",
    "hand_royalties",
    "is_royal",
    "legal_splits",
    "low27_key",
    "pair_items",
    "pair_units",
    "parse_card",
    "parse_cards",
    "race_winner",
    "row_key",
    "row_outcomes",
    "settle",
    "undominated_splits",
]
