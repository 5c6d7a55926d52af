"""Mis-set splits: which row beats which, and by which card."""

from typing import TYPE_CHECKING

from cp_cli.arrangement import ROW_NAMES, Arrangement, Category, Row
from cp_cli.cards import RANK_NAMES, RANKS
from cp_cli.evaluator.rows import (
    Cards,
    categorize,
    compare_rows,
    describe_row,
    low_table,
    order_ranks,
    rank_low,
)

if TYPE_CHECKING:
    from cp_cli.ruleset import Order

_ORDINALS = ("first", "second", "third", "fourth", "fifth")
# Groups that the words for a row name, from the largest; the other cards are kickers.
_NAMED_GROUPS = {
    Category.PAIR: 1,
    Category.TWO_PAIR: 2,
    Category.TRIPS: 1,
    Category.FULL_HOUSE: 2,
    Category.QUADS: 1,
}


def find_low_floor(order: "Order") -> int:
    """Return the weakest deuce-to-seven strength of a legal middle, 0 where there is no limit.

    With a limit the middle must hold no pair, straight or flush and no card above the limit.
    """
    if order.middle != "low27" or order.middle_max is None:
        return 0
    top = order.middle_max - 2
    if top < RANKS.index("7"):  # there is no such low
        return int(low_table().max()) + 1
    worst = (top, top - 1, top - 2, top - 3, top - 5)
    return rank_low([rank * 4 + (rank == top) for rank in worst])


def explain_foul(arrangement: Arrangement, order: "Order") -> str | None:
    """Say why a split is mis-set: which row beats which, and by which card; None if it is legal.

    Every fault is named, separated by semicolons.

    >>> from cp_cli.arrangement import parse_arrangement
    >>> from cp_cli.ruleset import Order
    >>> explain_foul(parse_arrangement("Ah Ad 7c / 2h 2d 9s 8c 4h / Kc Kd 5s 5h 3d"), Order())
    'front (pair of aces) beats middle (pair of twos)'
    """
    if order.middle == "low27":
        faults = [
            _explain_low_middle(arrangement.middle, order),
            _explain_order(arrangement, Row.FRONT, Row.BACK, order),
        ]
    else:
        faults = [
            _explain_order(arrangement, Row.MIDDLE, Row.BACK, order),
            _explain_order(arrangement, Row.FRONT, Row.MIDDLE, order),
        ]
    return "; ".join(fault for fault in faults if fault) or None


def _explain_order(arrangement: Arrangement, below: Row, above: Row, order: "Order") -> str | None:
    """Say why the row `below` must not stand below the other, None if it may."""
    wheel = order.wheel
    first, second = arrangement.rows[below], arrangement.rows[above]
    outcome = compare_rows(first, second, wheel)
    words = describe_row(first, wheel=wheel)
    if outcome == 0 and order.equal_rows == "foul":
        return f"{ROW_NAMES[below]} equals {ROW_NAMES[above]} ({words})"
    if outcome <= 0:
        return None
    others = describe_row(second, wheel=wheel)
    return f"{ROW_NAMES[below]} ({words}) beats {ROW_NAMES[above]} ({others})" + tell_deciding_card(
        first, second
    )


def tell_deciding_card(stronger: Cards, weaker: Cards) -> str:
    """Say which card decides between rows of one category, nothing where their names do.

    The words follow those for the rows: the stronger beats the weaker `by the kicker: ...`.

    >>> from cp_cli.cards import parse_cards
    >>> tell_deciding_card(parse_cards("As Kd 9h 7h 2c"), parse_cards("Ad Qd Jd 9c 8c"))
    ' by the second card: king over queen'
    >>> tell_deciding_card(parse_cards("Ks 9d 7h"), parse_cards("Qs Jd 9c"))
    ': king over queen'
    """
    category = categorize(stronger)
    straights = (Category.STRAIGHT, Category.STRAIGHT_FLUSH)
    if category in straights or category != categorize(weaker):
        return ""
    pairs = zip(order_ranks(stronger), order_ranks(weaker), strict=False)
    unlike = ((i, a, b) for i, (a, b) in enumerate(pairs) if a != b)
    number, high, low = next(unlike, (-1, 0, 0))
    if number < 0:  # equal, or a front with a longer row that shares its cards
        return ""
    over = f": {RANK_NAMES[high]} over {RANK_NAMES[low]}"
    if category in (Category.HIGH_CARD, Category.FLUSH):
        return over if number == 0 else f" by the {_ORDINALS[number]} card{over}"
    kicker = number - _NAMED_GROUPS[category]
    if kicker < 0:
        return ""
    return f" by the {_ORDINALS[kicker] + ' ' if kicker else ''}kicker{over}"


def _explain_low_middle(middle: Cards, order: "Order") -> str | None:
    if order.middle_max is None or rank_low(middle) >= find_low_floor(order):
        return None
    limit = RANK_NAMES[order.middle_max - 2]
    return f"middle ({describe_row(middle, low=True)}) is not {limit} low or better"
