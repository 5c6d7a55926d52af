"""Deals that hold each natural: by formulas, by going through all deals, by chance."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from math import comb, factorial, prod, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.arrangement import Natural
from cp_cli.evaluator import natural_spec, rank_naturals
from cp_cli.field import deal_random, describe_deals
from cp_cli.ruleset import NaturalPay, Naturals, NoPictures, Ruleset, load_ruleset, ruleset_names
from cp_cli.simulation.natural_chances import (
    NaturalCounts,
    count_held,
    count_naturals,
    sum_naturals,
)
from tests.natural_deals import KINDS, RUNS, rulesets
from tests.sizes import pick_size, try_examples

ALL_DEALS = 635_013_559_600


def test_all_deals() -> None:
    assert comb(52, 13) == ALL_DEALS


# --- by formulas ---------------------------------------------------------------------------------


def count_shape(ones: int, twos: int, threes: int, fours: int) -> int:
    """Return the deals with so many ranks of one card, of two, three and four."""
    if min(ones, twos, threes, fours) < 0 or ones + twos + threes + fours > 13:
        return 0
    rest = 13 - ones - twos - threes - fours
    ranks = factorial(13) // prod(map(factorial, (ones, twos, threes, fours, rest)))
    suits: int = 4 ** (ones + threes) * 6**twos
    return ranks * suits


def count_six_pairs(most_quads: int, *, trips: bool) -> int:
    return sum(
        count_shape(1, 6 - 2 * quads, 0, quads) + trips * count_shape(0, 5 - 2 * quads, 1, quads)
        for quads in range(most_quads + 1)
    )


def count_five_pairs_trips(most_quads: int) -> int:
    return sum(count_shape(0, 5 - 2 * quads, 1, quads) for quads in range(most_quads + 1))


def count_flushes() -> int:
    """Three suits of 3, 5 and 5 cards, two of 8 and 5 or 10 and 3, or one suit."""
    threes, fives, eights = (comb(13, size) for size in (3, 5, 8))
    return 12 * threes * fives**2 + 12 * eights * fives + 12 * threes * threes + 4


def list_parts(*, qka: bool) -> list[tuple[tuple[int, ...], ...]]:
    """Return three runs of ranks, in front any of three, then two of five in any order."""
    fronts = [run for run in RUNS[3] if qka or run != (10, 11, 12)]
    return list(product(fronts, RUNS[5], RUNS[5]))


def count_straights(*, qka: bool) -> int:
    ranks = {tuple(sorted(sum(parts, ()))) for parts in list_parts(qka=qka)}
    return sum(
        prod(comb(4, cards) for cards in Counter(deal).values())
        for deal in ranks
        if max(Counter(deal).values()) <= 4
    )


def count_straight_flushes(*, qka: bool) -> int:
    deals = {
        frozenset(
            rank * 4 + suit
            for run, suit in zip(parts, suits, strict=True)
            for rank in run
        )
        for parts in list_parts(qka=qka)
        for suits in product(range(4), repeat=3)
    }  # fmt: skip
    return sum(len(deal) == 13 for deal in deals)


LOOSE = Naturals(front_qka=True, ace_low_in_small=False, no_pictures=NoPictures())
STRICT = Naturals(
    quads_as_two_pairs=False,
    trips_as_pair=False,
    front_qka=False,
    ace_low_in_small=True,
    no_pictures=NoPictures(ace_is_picture=False),
)
# With each of the two; most naturals have no switch.
EXPECTED: dict[str, tuple[Callable[[], int], Callable[[], int]]] = {
    "six_pairs": (
        lambda: count_six_pairs(3, trips=True),
        lambda: count_six_pairs(0, trips=False),
    ),
    "five_pairs_trips": (lambda: count_five_pairs_trips(3), lambda: count_five_pairs_trips(0)),
    "three_straights": (lambda: count_straights(qka=True), lambda: count_straights(qka=False)),
    "three_flushes": (count_flushes, count_flushes),
    "three_straight_flushes": (
        lambda: count_straight_flushes(qka=True),
        lambda: count_straight_flushes(qka=False),
    ),
    "four_trips": 2 * (lambda: count_shape(1, 0, 4, 0) + count_shape(0, 0, 3, 1),),
    "three_quads": 2 * (lambda: count_shape(1, 0, 0, 3),),
    "one_colour": 2 * (lambda: 2 * comb(26, 13),),
    "twelve_one_colour": 2 * (lambda: 2 * 26 * comb(26, 12),),
    "small": (lambda: comb(28, 13), lambda: comb(32, 13)),
    "all_low": (lambda: comb(28, 13), lambda: comb(32, 13)),
    "big": 2 * (lambda: comb(28, 13),),
    "all_high": 2 * (lambda: comb(28, 13),),
    "no_pictures": (lambda: comb(36, 13), lambda: comb(40, 13)),
    "twelve_pictures": 2 * (lambda: 40,),
    "twelve_royalties": 2 * (lambda: comb(16, 13),),
    "dragon": 2 * (lambda: 4**13,),
    "one_suit": 2 * (lambda: 4,),
    "clean_dragon": 2 * (lambda: 4,),
}


@cache
def count_listed(naturals: Naturals) -> NaturalCounts:
    """Count with all kinds in the list, in any order."""
    listed = tuple(NaturalPay(kind, 1) for kind in KINDS)
    switches = {key: getattr(naturals, key) for key in naturals.__struct_fields__ if key != "list"}
    return count_naturals(Ruleset(id="test", naturals=Naturals(list=listed, **switches)))


@pytest.mark.parametrize("name", Natural)
def test_holders_by_formula(name: str) -> None:
    for naturals, expect in zip((LOOSE, STRICT), EXPECTED[name], strict=True):
        found = {count.natural: count.held for count in count_listed(naturals).naturals}
        assert found[Natural(name)] == expect()


@pytest.mark.parametrize("naturals", [LOOSE, STRICT])
def test_every_deal_is_counted_once(naturals: Naturals) -> None:
    counts = count_listed(naturals)
    assert counts.total == ALL_DEALS
    assert counts.none + sum(count.best for count in counts.naturals) == ALL_DEALS


def test_a_natural_below_its_special_case() -> None:
    """All of one suit is a dragon, three flushes and one colour, and paid as what ranks highest."""
    pays = [("three_flushes", 1), ("dragon", 2), ("one_colour", 3), ("one_suit", 4)]
    listed = tuple(NaturalPay(Natural(name), units) for name, units in pays)
    best = {}
    for order in (listed, listed[::-1]):
        counts = count_naturals(Ruleset(id="test", naturals=Naturals(list=order)))
        best[order[0].units] = {count.natural.value: count.best for count in counts.naturals}
    # Dragons of one colour: 2**13 of each colour, two of which are of one suit.
    assert best[1]["one_suit"] == 4
    assert best[1]["one_colour"] == 2 * comb(26, 13) - 4
    assert best[1]["dragon"] == 4**13 - 2 * 2**13
    assert best[4]["three_flushes"] == count_flushes()
    assert best[4]["one_suit"] == 0
    # A dragon with three flushes: the ranks parted into suits of 3, 5 and 5, of 8 and 5, ...
    parted = 12 * comb(13, 3) * comb(10, 5) + 12 * comb(13, 5) + 12 * comb(13, 3) + 4
    assert best[4]["dragon"] == 4**13 - parted


# --- by going through all deals ------------------------------------------------------------------

# Packs of few ranks; a straight needs five.
PACK = pick_size(5, 4)
WINDOWS = [(12, 0, 1, 2, 3), *(tuple(range(low, low + 5)) for low in range(9))]
packs = st.sampled_from(WINDOWS).map(lambda ranks: ranks[:PACK]) | st.sets(
    st.integers(0, 12), min_size=PACK, max_size=PACK
).map(lambda ranks: tuple(sorted(ranks)))


@cache
def list_deals() -> np.ndarray:
    """Return the deals of a pack of few ranks, by the cards' numbers in the pack."""
    return np.array(list(combinations(range(4 * PACK), 13)), dtype=np.uint8)


@try_examples(20, 3)
@given(rulesets(), packs)
def test_all_deals_of_a_short_pack(ruleset: Ruleset, ranks: tuple[int, ...]) -> None:
    cards = np.array([rank * 4 + suit for rank in ranks for suit in range(4)], dtype=np.uint8)
    places = describe_deals(cards[list_deals()], ruleset).places
    counts = sum_naturals(ruleset, count_held(natural_spec(ruleset), ranks))
    best = [counts.none, *(count.best for count in counts.naturals)]
    assert np.bincount(places + 1, minlength=len(best)).tolist() == best
    assert counts.total == comb(4 * PACK, 13)


# --- by chance -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["wikipedia-two-four", "hawaiian-gardens"])
def test_random_deals(name: str) -> None:
    ruleset, size = load_ruleset(name), pick_size(200_000, 2_000)
    counts = count_naturals(ruleset)
    places = describe_deals(deal_random(11, 0, size), ruleset).places
    found = np.bincount(places + 1, minlength=len(counts.naturals) + 1)
    expected = [counts.none_chance, *(count.best_chance for count in counts.naturals)]
    frequent = [place for place, chance in enumerate(expected) if chance * size > 10]
    assert len(frequent) >= 2
    for place in frequent:
        chance = expected[place]
        assert abs(found[place] - chance * size) < 4.5 * sqrt(chance * (1 - chance) * size)


# --- rulesets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ruleset_names())
def test_every_ruleset(name: str) -> None:
    ruleset = load_ruleset(name)
    counts = count_naturals(ruleset)
    listed = [(count.natural, count.units) for count in counts.naturals]
    assert listed == rank_naturals(ruleset.naturals)
    assert all(0 < count.best <= count.held for count in counts.naturals)
    assert counts.none + sum(count.best for count in counts.naturals) == counts.total == ALL_DEALS


def test_chances() -> None:
    listed = (NaturalPay(Natural.TWELVE_PICTURES, 2), NaturalPay(Natural.DRAGON, 13))
    counts = count_naturals(Ruleset(id="test", naturals=Naturals(list=listed)))
    pictures, dragon = counts.naturals
    assert dragon.held_chance == dragon.best_chance == 4**13 / ALL_DEALS
    assert dragon.one_in == ALL_DEALS / 4**13
    assert counts.none_chance == (ALL_DEALS - 4**13 - 40) / ALL_DEALS
    assert counts.mean_units == (13 * 4**13 + 2 * 40) / ALL_DEALS
    assert (pictures.units, pictures.held) == (2, 40)
