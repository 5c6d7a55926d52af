"""Kinds of rows in words: the class of a row with its ranks, and the coarser group it is in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cp_cli.arrangement import Category, Row
from cp_cli.cards import RANK_NAMES, RANK_PLURALS, RANKS
from cp_cli.evaluator import CATEGORY_NAMES, categorize, describe_row

if TYPE_CHECKING:
    from cp_cli.ruleset import Order

SIX, TEN, JACK, QUEEN, KING, ACE = (RANKS.index(rank) for rank in "6TJQKA")
WHOLE_NAME = (Category.STRAIGHT, Category.STRAIGHT_FLUSH)
"""Categories whose rows have no other ranks than those their name tells."""


def name_class(cards: Sequence[int], row: Row, order: "Order") -> str:
    """Name a row so that only rows of the same strength share the name.

    >>> from cp_cli.cards import parse_cards
    >>> from cp_cli.ruleset import Order
    >>> name_class(parse_cards("Ks 7d Kh"), Row.FRONT, Order())
    'pair of kings: K-K-7'
    >>> name_class(parse_cards("7s 2d 7h 2h 2s"), Row.BACK, Order())
    'twos full of sevens: 2-2-2-7-7'
    >>> name_class(parse_cards("6s 5d 4h 3h 2h"), Row.BACK, Order())
    'straight, six high'
    """
    low = row == Row.MIDDLE and order.middle == "low27"
    name = describe_row(cards, wheel=order.wheel, low=low)
    category = categorize(cards)
    if ":" in name or (category in WHOLE_NAME and "low" not in name):
        return name
    ranks = [card >> 2 for card in cards]
    ordered = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    return f"{name}: {'-'.join(RANKS[rank] for rank in ordered)}"


def group_row(cards: Sequence[int], row: Row, order: "Order") -> str:
    """Name the group of a row: its category, and parts of the categories that come most often.

    >>> from cp_cli.cards import parse_cards
    >>> from cp_cli.ruleset import Order
    >>> group_row(parse_cards("5s 7d 5h"), Row.FRONT, Order())
    'pair of twos to sixes'
    """
    if row == Row.MIDDLE and order.middle == "low27":
        name = describe_row(cards, low=True)
        if ":" in name:
            return name.partition(":")[0]
    category = categorize(cards)
    ranks = sorted((card >> 2 for card in cards), reverse=True)
    top = max(ranks, key=lambda rank: (ranks.count(rank), rank))
    if category == Category.PAIR:
        return _group_pair(top, row)
    if category == Category.TWO_PAIR:
        return f"two pair, {_group_two_pair(top)}"
    if category == Category.HIGH_CARD and row == Row.FRONT:
        if ranks[:2] == [ACE, KING]:
            return "ace-king high"
        return f"{RANK_NAMES[top]} high" if top > QUEEN else "queen high or less"
    return CATEGORY_NAMES[category]


def _group_pair(rank: int, row: Row) -> str:
    """Name the group of a pair; in front most ranks stand alone."""
    bounds = ((0, SIX), (SIX + 1, TEN)) if row == Row.FRONT else ((0, TEN), (JACK, KING))
    for low, high in bounds:
        if low <= rank <= high:
            return f"pair of {RANK_PLURALS[low]} to {RANK_PLURALS[high]}"
    return f"pair of {RANK_PLURALS[rank]}"


def _group_two_pair(rank: int) -> str:
    """Name the group of two pair by the higher of them."""
    if rank == ACE:
        return "aces up"
    return "jacks to kings up" if rank > TEN else "tens up or less"
