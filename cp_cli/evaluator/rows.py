"""Rows: their strength, how two compare, what they are called."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from cp_cli._kernels.tables import (
    FLUSH_OFFSET,
    RANK_KEYS,
    RowTables,
    build_low_table,
    build_tables,
)
from cp_cli.arrangement import Category
from cp_cli.cards import RANK_NAMES, RANK_PLURALS, RANKS, describe_count
from cp_cli.errors import CardError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cards = Sequence[int]

CATEGORY_NAMES = {
    Category.HIGH_CARD: "high card",
    Category.PAIR: "pair",
    Category.TWO_PAIR: "two pair",
    Category.TRIPS: "three of a kind",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.FULL_HOUSE: "full house",
    Category.QUADS: "four of a kind",
    Category.STRAIGHT_FLUSH: "straight flush",
}
_WHEEL = [12, 3, 2, 1, 0]


@lru_cache(maxsize=2)
def row_tables(wheel: str) -> RowTables:
    """Return the tables that rank rows with the wheel `low` or `second`."""
    return build_tables(wheel)


@lru_cache(maxsize=1)
def low_table() -> "NDArray[np.int16]":
    """Return the table that ranks five cards as a deuce-to-seven low."""
    return build_low_table()


def _check_size(cards: Cards, *sizes: int) -> None:
    if len(cards) not in sizes:
        expected = " or ".join(map(str, sizes))
        raise CardError(f"row: {describe_count(len(cards))}, expected {expected}")


def _find_place(cards: Cards) -> int:
    """Return where a row stands in the tables of its size."""
    total = sum(int(RANK_KEYS[card >> 2]) for card in cards)
    suited = len(cards) == 5 and len({card & 3 for card in cards}) == 1
    return total + FLUSH_OFFSET if suited else total


def rank_row(cards: Cards, wheel: str = "low") -> int:
    """Return the strength of three or five cards, larger is stronger, on one scale for both.

    Raises CardError for any other number of cards.

    >>> from cp_cli.cards import parse_cards
    >>> rank_row(parse_cards("As Ks Qs Js Ts")), rank_row(parse_cards("4c 3h 2d"))
    (7917, 1)
    """
    _check_size(cards, 3, 5)
    tables = row_tables(wheel)
    return int((tables.three if len(cards) == 3 else tables.five)[_find_place(cards)])


def rank_low(cards: Cards) -> int:
    """Return the deuce-to-seven strength of five cards: 7,462 is the best low, 1 a royal flush.

    Raises CardError for any other number of cards.

    >>> from cp_cli.cards import parse_cards
    >>> rank_low(parse_cards("7s 5d 4c 3h 2s"))
    7462
    """
    _check_size(cards, 5)
    return int(low_table()[_find_place(cards)])


def compare_rows(first: Cards, second: Cards, wheel: str = "low") -> int:
    """Return 1 when the first row is stronger, -1 when the second is, 0 when they are equal."""
    one, two = rank_row(first, wheel), rank_row(second, wheel)
    return (one > two) - (one < two)


def categorize(cards: Cards) -> Category:
    """Return the category of three or five cards; the place of the wheel does not matter.

    >>> from cp_cli.cards import parse_cards
    >>> categorize(parse_cards("As Ks Qs"))
    <Category.HIGH_CARD: 0>
    """
    return Category(int(row_tables("low").category[rank_row(cards)]))


# --- rows in words -------------------------------------------------------------------------------


def order_ranks(cards: Cards) -> list[int]:
    """Return each rank once: larger groups first, then higher ranks."""
    counts = Counter(card >> 2 for card in cards)
    return sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)


def describe_row(cards: Cards, *, wheel: str = "low", low: bool = False) -> str:
    """Say what a row is in players' words; with `low` as a deuce-to-seven low.

    Raises CardError for any number of cards but three and five.

    >>> from cp_cli.cards import parse_cards
    >>> describe_row(parse_cards("Kc Kd 4h 4s 9d"))
    'two pair, kings and fours'
    >>> describe_row(parse_cards("5h 4h 3h 2h Ah"))
    'straight flush, five high'
    >>> describe_row(parse_cards("7h 5h 4h 3h 2c"), low=True)
    'seven low: 7-5-4-3-2'
    """
    category = categorize(cards)
    ranks = order_ranks(cards)
    if low and ranks == _WHEEL:  # the ace is always high there
        suited = category == Category.STRAIGHT_FLUSH
        category = Category.FLUSH if suited else Category.HIGH_CARD
    if low and category == Category.HIGH_CARD:
        return f"{RANK_NAMES[ranks[0]]} low: " + "-".join(RANKS[rank] for rank in ranks)
    return _describe_category(category, ranks, wheel)


def _describe_category(category: Category, ranks: list[int], wheel: str) -> str:
    top = ranks[0]
    match category:
        case Category.HIGH_CARD:
            return f"{RANK_NAMES[top]} high"
        case Category.PAIR:
            return f"pair of {RANK_PLURALS[top]}"
        case Category.TWO_PAIR:
            return f"two pair, {RANK_PLURALS[top]} and {RANK_PLURALS[ranks[1]]}"
        case Category.TRIPS:
            return f"three {RANK_PLURALS[top]}"
        case Category.FULL_HOUSE:
            return f"{RANK_PLURALS[top]} full of {RANK_PLURALS[ranks[1]]}"
        case Category.QUADS:
            return f"four {RANK_PLURALS[top]}"
        case Category.FLUSH:
            return f"flush, {RANK_NAMES[top]} high"
    return _describe_straight(category, ranks, wheel)


def _describe_straight(category: Category, ranks: list[int], wheel: str) -> str:
    name = CATEGORY_NAMES[category]
    if ranks == _WHEEL:
        # "Five high" would hide why it beats a king-high straight where it ranks second.
        return f"{name}, ace to five" if wheel == "second" else f"{name}, five high"
    if category == Category.STRAIGHT_FLUSH and ranks[-1] == RANKS.index("T"):
        return "royal flush"
    return f"{name}, {RANK_NAMES[ranks[0]]} high"
