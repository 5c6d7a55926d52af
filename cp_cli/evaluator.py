"""What cards are: the strength of a row, why a split is mis-set, naturals in a deal.

Knows no money but the units of a natural, which its ruleset says. Nothing here loads Numba.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.natural_rules import (
    NaturalSpec,
    count_ranks,
    find_best_natural,
    find_kinds,
    pack_lanes,
    pay_naturals,
)
from cp_cli._kernels.tables import FLUSH_OFFSET, RANK_KEYS, RowTables, build_tables
from cp_cli.arrangement import ROW_NAMES, Arrangement, Category, Natural, Row
from cp_cli.cards import RANK_NAMES, RANK_PLURALS, RANKS, describe_count
from cp_cli.errors import CardError

if TYPE_CHECKING:
    from cp_cli.ruleset import Naturals, Order, Ruleset

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
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
# Groups that the words for a row name, from the largest; the other cards are kickers.
_NAMED_GROUPS = {
    Category.PAIR: 1,
    Category.TWO_PAIR: 2,
    Category.TRIPS: 1,
    Category.FULL_HOUSE: 2,
    Category.QUADS: 1,
}


# --- rows ----------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def row_tables(wheel: str) -> RowTables:
    """Return the tables that rank rows with the wheel `low` or `second`."""
    return build_tables(wheel)


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
    return int(row_tables("low").low[_find_place(cards)])


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


def _order_ranks(cards: Cards) -> list[int]:
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
    ranks = _order_ranks(cards)
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


# --- mis-set splits ------------------------------------------------------------------------------


def find_low_floor(order: "Order") -> int:
    """Return the weakest deuce-to-seven strength of a legal middle, 0 where there is no limit.

    With a limit the middle must hold no pair, straight or flush and no card above the limit.
    """
    if order.middle != "low27" or order.middle_max is None:
        return 0
    top = order.middle_max - 2
    if top < RANKS.index("7"):  # there is no such low
        return int(row_tables("low").low.max()) + 1
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
    return (
        f"{ROW_NAMES[below]} ({words}) beats {ROW_NAMES[above]} ({others})"
        + _tell_deciding_card(first, second)
    )


def _tell_deciding_card(stronger: Cards, weaker: Cards) -> str:
    """Say which card decides between rows of one category, nothing where their names do."""
    category = categorize(stronger)
    straights = (Category.STRAIGHT, Category.STRAIGHT_FLUSH)
    if category in straights or category != categorize(weaker):
        return ""
    pairs = zip(_order_ranks(stronger), _order_ranks(weaker), strict=False)
    number, high, low = next((i, a, b) for i, (a, b) in enumerate(pairs) if a != b)
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


# --- naturals ------------------------------------------------------------------------------------

_NATURAL_NAMES = {
    Natural.FIVE_PAIRS_TRIPS: "five pairs and trips",
    Natural.TWELVE_ONE_COLOUR: "twelve cards of one colour",
}


def describe_natural(natural: Natural) -> str:
    """Say what a natural is called.

    >>> describe_natural(Natural.SIX_PAIRS)
    'six pairs'
    """
    return _NATURAL_NAMES.get(natural, natural.value.replace("_", " "))


def natural_spec(ruleset: "Ruleset") -> "NaturalSpec":
    """Return the naturals of a ruleset as the kernels read them; empty if it has none."""
    return _build_spec(ruleset.naturals, ruleset.order.wheel)


def _rank_naturals(naturals: "Naturals | None") -> list[tuple[Natural, int]]:
    """Return the naturals of a ruleset and their units, weakest first."""
    if naturals is None:
        return []
    listed = [(pay.name, pay.units) for pay in naturals.list]
    if naturals.no_pictures is not None:
        listed.insert(0, (Natural.NO_PICTURES, naturals.no_pictures.units))
    if naturals.rank != "listed":
        listed.sort(key=lambda entry: entry[1])
    return listed


@lru_cache(maxsize=32)
def _build_spec(naturals: "Naturals | None", wheel: str) -> "NaturalSpec":
    ranked = _rank_naturals(naturals)
    kinds = list(Natural)
    pictures = naturals.no_pictures if naturals else None
    return NaturalSpec(
        kinds=np.array([kinds.index(natural) for natural, _ in ranked], dtype=np.int64),
        units=np.array([units for _, units in ranked], dtype=np.int64),
        equal_by_units=naturals is not None and naturals.rank == "value",
        difference=naturals is not None and naturals.clash == "difference",
        quads_as_two_pairs=naturals is not None and naturals.quads_as_two_pairs,
        trips_as_pair=naturals is not None and naturals.trips_as_pair,
        odd_card_breaks_tie=naturals is not None and naturals.odd_card_breaks_tie,
        front_qka=naturals is not None and naturals.front_qka,
        ace_low_in_small=naturals is not None and naturals.ace_low_in_small,
        ace_is_picture=pictures is not None and pictures.ace_is_picture,
        wheel_second=wheel == "second",
    )


def find_naturals(cards: Cards, ruleset: "Ruleset") -> list[tuple[Natural, int]]:
    """Return the naturals that 13 cards hold and the units of each, the strongest first.

    >>> from cp_cli.cards import parse_cards
    >>> from cp_cli.ruleset import load_ruleset
    >>> dragon = parse_cards("As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s")
    >>> [(str(natural), units) for natural, units in find_naturals(dragon, load_ruleset("malay"))]
    [('three_straights', 4)]
    """
    spec = natural_spec(ruleset)
    held = int(find_kinds(pack_lanes(cards), count_ranks(cards), spec))
    ranked = zip(spec.kinds.tolist(), _rank_naturals(ruleset.naturals), strict=True)
    return [entry for kind, entry in ranked if held >> kind & 1][::-1]


def best_natural(cards: Cards, ruleset: "Ruleset") -> tuple[Natural, int] | None:
    """Return the strongest natural that 13 cards hold and its units, None if there is none."""
    return next(iter(find_naturals(cards, ruleset)), None)


def compare_naturals(first: Cards, second: Cards, ruleset: "Ruleset") -> int:
    """Return the units that the second player pays the first when both declare what they hold.

    A player without a natural pays for the other's.
    """
    tables, spec = row_tables(ruleset.order.wheel), natural_spec(ruleset)
    declared: list[int] = []
    for cards in (first, second):
        place, tie = find_best_natural(cards, spec, tables.five, tables.three)
        declared += (place, int(tie), int(spec.units[place]) if place >= 0 else 0)
    return int(pay_naturals(*declared, spec.equal_by_units, spec.difference))
