"""Naturals: which of a ruleset's thirteen cards hold, which is higher, what they are called."""

import re
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.natural_rules import (
    NaturalSpec,
    break_tie,
    count_ranks,
    find_kinds,
    pack_lanes,
)
from cp_cli.arrangement import Category, Natural
from cp_cli.cards import RANK_NAMES, RANK_PLURALS, RANKS
from cp_cli.errors import InputError, quote_text, suggest_name
from cp_cli.evaluator.fouls import tell_deciding_card
from cp_cli.evaluator.rows import Cards, describe_row, rank_row, row_tables

if TYPE_CHECKING:
    from cp_cli.ruleset import Naturals, Ruleset

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


def parse_natural(text: str) -> Natural:
    """Read a natural as its ruleset key or as players write it.

    Raises InputError for any other name, with the nearest if there is one.

    >>> parse_natural("Six-Pairs")
    <Natural.SIX_PAIRS: 'six_pairs'>
    """
    known = {natural.value.replace("_", " "): natural for natural in Natural}
    known |= {describe_natural(natural): natural for natural in Natural}
    name = re.sub(r"[\s_-]+", " ", text).strip().lower()
    if name not in known:
        hint = suggest_name(name, known) or "; see cpoker rules show NAME"
        raise InputError(f"unknown natural {quote_text(text)}{hint}")
    return known[name]


def natural_spec(ruleset: "Ruleset") -> NaturalSpec:
    """Return the naturals of a ruleset as the kernels read them; empty if it has none."""
    return _build_spec(ruleset.naturals, ruleset.order.wheel)


def rank_naturals(naturals: "Naturals | None") -> list[tuple[Natural, int]]:
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
    ranked = rank_naturals(naturals)
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
    ranked = zip(spec.kinds.tolist(), rank_naturals(ruleset.naturals), strict=True)
    return [entry for kind, entry in ranked if held >> kind & 1][::-1]


def best_natural(cards: Cards, ruleset: "Ruleset") -> tuple[Natural, int] | None:
    """Return the strongest natural that 13 cards hold and its units, None if there is none."""
    return next(iter(find_naturals(cards, ruleset)), None)


def rate_natural(cards: Cards, natural: Natural, ruleset: "Ruleset") -> tuple[int, int, int]:
    """Return place, tie and units of a natural of the ruleset that 13 cards hold.

    Its place is its position in the ruleset's order, the weakest at 0. Of two holders of one
    place the larger tie is the higher.

    >>> from cp_cli.cards import parse_cards
    >>> from cp_cli.ruleset import load_ruleset
    >>> cards = parse_cards("As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s")
    >>> rate_natural(cards, Natural.DRAGON, load_ruleset("pagat-standard"))
    (3, 0, 13)
    """
    tables, spec = row_tables(ruleset.order.wheel), natural_spec(ruleset)
    kind = list(Natural).index(natural)
    place = spec.kinds.tolist().index(kind)
    tie = break_tie(kind, pack_lanes(cards), count_ranks(cards), spec, tables.five, tables.three)
    return place, int(tie), int(spec.units[place])


# --- what decides between two of a kind ----------------------------------------------------------

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
# How many groups a tie holds, and what each is called; one rank more is the odd card's.
_GROUPS = {
    Natural.SIX_PAIRS: (6, "pair"),
    Natural.FOUR_TRIPS: (4, "three of a kind"),
    Natural.THREE_QUADS: (3, "four of a kind"),
}
_TIE_ROWS = (("back", 26), ("middle", 13), ("front", 0))  # and where each stands in a tie
_ROW_MASK = (1 << 13) - 1
_WHEEL_PLACE = 21  # of A-2-3 in front where it is the second highest


def tell_deciding_tie(one: Cards, two: Cards, natural: Natural, ruleset: "Ruleset") -> str:
    """Say what makes one of two holders of the same natural the higher; nothing if they tie.

    The words follow those for the natural: six pairs beat six pairs `by the sixth pair: ...`.

    >>> from cp_cli.cards import parse_cards
    >>> from cp_cli.ruleset import load_ruleset
    >>> nines = parse_cards("As Ad Ks Kd Qs Qd Js Jd Ts Td 9s 9d 2c")
    >>> eights = parse_cards("Ac Ah Kc Kh Qc Qh Jc Jh Tc Th 8c 8h 7s")
    >>> tell_deciding_tie(nines, eights, Natural.SIX_PAIRS, load_ruleset("pagat-standard"))
    ' by the sixth pair: nines over eights'
    """
    low, high = sorted(rate_natural(cards, natural, ruleset)[1] for cards in (one, two))
    if low == high:
        return ""
    if natural in _GROUPS:
        return _tell_deciding_group(high, low, natural, ruleset)
    row, shift = next(each for each in _TIE_ROWS if high >> each[1] != low >> each[1])
    places = [tie >> shift & _ROW_MASK for tie in (high, low)]
    if natural == Natural.THREE_STRAIGHTS and row == "front":
        return f" by the front: {' over '.join(map(_name_run, places))}"
    wheel = ruleset.order.wheel
    better, worse = (_find_row(place, wheel) for place in places)
    words, others = (describe_row(cards, wheel=wheel) for cards in (better, worse))
    if words == others:
        card = tell_deciding_card(better, worse)
        return f" by the {row}'s {card.removeprefix(' by the ')}"
    return f" by the {row}: {words}{',' if ',' in words else ''} over {others}"


def _tell_deciding_group(high: int, low: int, natural: Natural, ruleset: "Ruleset") -> str:
    """Say which group decides between two ties, which hold four bits a group, the first on top."""
    groups, noun = _GROUPS[natural]
    odd = natural == Natural.SIX_PAIRS and natural_spec(ruleset).odd_card_breaks_tie
    for number in range(groups + odd):
        shift = 4 * (groups + odd - number - 1)
        better, worse = (tie >> shift & 15 for tie in (high, low))
        if better != worse and number == groups:
            return f" by the odd card: {RANK_NAMES[better]} over {RANK_NAMES[worse]}"
        if better != worse:
            ranks = f"{RANK_PLURALS[better]} over {RANK_PLURALS[worse]}"
            return f" by the {_ORDINALS[number]} {noun}: {ranks}"
    raise ValueError(f"equal ties {high} and {low}")


def _name_run(place: int) -> str:
    """Return the cards of three in a row as a tie numbers them: `A-2-3`, `J-Q-K`."""
    top = 1 if place == _WHEEL_PLACE else 1 + place // 2
    return "-".join(RANKS[rank] for rank in (top - 2, top - 1, top))


@lru_cache(maxsize=64)
def _find_row(strength: int, wheel: str) -> tuple[int, ...]:
    """Return cards of a strength that belongs to straights, flushes or cards without a pair."""
    tables = row_tables(wheel)
    suited = tables.category[strength] >= Category.FLUSH
    for ranks in combinations(range(13), int(tables.size[strength])):
        cards = tuple(rank * 4 + (rank == ranks[0] and not suited) for rank in ranks)
        if rank_row(cards, wheel) == strength:
            return cards
    raise ValueError(f"no row of different ranks has the strength {strength}")
