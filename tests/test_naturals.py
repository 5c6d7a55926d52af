"""Naturals: which a deal holds, which is the higher, what they pay each other."""

import json
import re
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cp_cli._kernels.natural_rules import find_best_natural
from cp_cli._kernels.naturals import find_naturals_of_deals
from cp_cli.arrangement import Natural
from cp_cli.cards import RANK_NAMES, RANK_PLURALS, parse_cards
from cp_cli.errors import InputError
from cp_cli.evaluator import (
    best_natural,
    describe_natural,
    find_naturals,
    natural_spec,
    parse_natural,
    rate_natural,
    row_tables,
    tell_deciding_tie,
)
from cp_cli.ruleset import NaturalPay, Naturals, Order, Ruleset, load_ruleset, to_dict
from tests import naive
from tests.natural_deals import (
    TEMPLATES,
    Deal,
    compare_naturals,
    grouped,
    likely,
    rulesets,
    runs,
    suited,
)

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text("utf-8"))
TABLES = {
    "pagat-standard": "pagat-standard",
    "vietnamese": "vietnamese",
    "hawaiian-gardens": "hawaiian-gardens",
    "malay": "malay",
    "wikipedia": "wikipedia-two-four",
}
Rank = Literal["listed", "value_then_listed", "value"]
WORDS = {  # of the worked examples
    "complete straight": "dragon",
    "12 + 1 colours": "twelve_one_colour",
    "five pairs + trips": "five_pairs_trips",
    "four triples": "four_trips",
    "no Broadway (optional)": "no_pictures",
    "six and a half pairs": "six_pairs",
}


# --- worked examples -----------------------------------------------------------------------------


def read_deal(texts: list[str]) -> Deal:
    return parse_cards(" ".join(texts), count=13)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("case", VECTORS["naturals"], ids=lambda case: case["id"])
def test_vectors_of_naturals(case: dict[str, Any], table: str) -> None:
    words, _, units = case[table].rpartition(" ")
    name = WORDS.get(words, words.replace(" ", "_"))
    expected = None if case[table] == "-" else (Natural(name), int(units))
    assert best_natural(read_deal(case["cards"]), load_ruleset(TABLES[table])) == expected


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("case", VECTORS["clashes"], ids=lambda case: case["id"])
def test_vectors_of_clashes(case: dict[str, Any], table: str) -> None:
    ruleset = load_ruleset(TABLES[table])
    first, second = read_deal(case["A"]), read_deal(case["B"])
    assert compare_naturals(first, second, ruleset) == case[table]
    assert compare_naturals(second, first, ruleset) == -case[table]


MIXED = "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s"
DRAGON = parse_cards(MIXED)
PAIRS = parse_cards("2d 2c 3h 3d 4h 4c 5d 5c 6d 6c 7h 7d Ah")
NOTHING = parse_cards("Ah Jh 9h 8h 2h Qs Ts 7s 5s Kd Jd 6d 4d")


def test_naturals_come_strongest_first() -> None:
    ruleset = load_ruleset("wikipedia-two-four")
    assert find_naturals(DRAGON, ruleset) == [(Natural.DRAGON, 36), (Natural.THREE_STRAIGHTS, 4)]
    assert find_naturals(PAIRS, ruleset) == [(Natural.SIX_PAIRS, 6), (Natural.NO_PICTURES, 3)]
    assert find_naturals(NOTHING, ruleset) == []


def test_a_ruleset_without_naturals_has_none() -> None:
    ruleset = load_ruleset("basic")
    assert best_natural(DRAGON, ruleset) is None
    assert compare_naturals(DRAGON, NOTHING, ruleset) == 0


@pytest.mark.parametrize(
    ("clash", "units"), [("higher", (13, 13, 3, 0)), ("difference", (10, 13, 3, 0))]
)
def test_what_two_naturals_pay(clash: str, units: tuple[int, ...]) -> None:
    ruleset = load_ruleset("pagat-standard", [f"naturals.clash={clash}"])
    pairs = ((DRAGON, PAIRS), (DRAGON, NOTHING), (PAIRS, NOTHING), (NOTHING, NOTHING))
    assert tuple(compare_naturals(*pair, ruleset) for pair in pairs) == units
    assert tuple(compare_naturals(*pair[::-1], ruleset) for pair in pairs) == tuple(
        -amount for amount in units
    )


@pytest.mark.parametrize(
    ("rank", "units"), [("listed", -2), ("value_then_listed", 7), ("value", 7)]
)
def test_rank_by_place_or_by_value(rank: Rank, units: int) -> None:
    listed = (NaturalPay(Natural.DRAGON, 7), NaturalPay(Natural.SIX_PAIRS, 2))
    ruleset = Ruleset(id="test", naturals=Naturals(list=listed, rank=rank))
    assert compare_naturals(DRAGON, PAIRS, ruleset) == units


@pytest.mark.parametrize(
    ("rank", "units"), [("listed", -3), ("value_then_listed", -3), ("value", 0)]
)
def test_naturals_of_one_value(rank: Rank, units: int) -> None:
    listed = (NaturalPay(Natural.DRAGON, 3), NaturalPay(Natural.SIX_PAIRS, 3))
    ruleset = Ruleset(id="test", naturals=Naturals(list=listed, rank=rank))
    assert compare_naturals(DRAGON, PAIRS, ruleset) == units


# --- tie-breaks ----------------------------------------------------------------------------------


def compare_of(kind: str, first: str, second: str, **switches: Any) -> int:
    """Which of two deals (which may share cards) holds the higher natural of one kind."""
    order = Order(wheel=switches.pop("wheel", "low"))
    naturals = Naturals(list=(NaturalPay(Natural(kind), 1),), **switches)
    ruleset = Ruleset(id="test", order=order, naturals=naturals)
    one, two = read_deal(first.split()), read_deal(second.split())
    assert best_natural(one, ruleset)
    assert best_natural(two, ruleset)
    return compare_naturals(one, two, ruleset)


ONE_SUIT = "As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s"
RED = "Ah Kh Qh Jd 9d 7h 2d 3h 4d 6h 8d 9h Td"
ODD_EIGHT = "As Ad Ks Kd Qs Qd Js Jd Ts Td 9s 9d 8s"
ODD_SEVEN = "As Ad Ks Kd Qs Qd Js Jd Ts Td 9s 9d 7s"


@pytest.mark.parametrize(
    ("kind", "first", "second", "switches", "expected"),
    [
        ("six_pairs", ODD_EIGHT, ODD_SEVEN, {}, 0),
        ("six_pairs", ODD_EIGHT, ODD_SEVEN, {"odd_card_breaks_tie": True}, 1),
        # Four aces are two pairs of aces, above aces and kings.
        ("six_pairs", "As Ad Ah Ac 3s 3d 4s 4d 5s 5d 6s 6d 2s", ODD_EIGHT, {}, 1),
        # The trips count as a pair, their third card as the odd one.
        ("six_pairs", ODD_EIGHT, "As Ad Ks Kd Qs Qd Js Jd Ts Td Th 9s 9d", {}, 0),
        (
            "six_pairs",
            ODD_EIGHT,
            "As Ad Ks Kd Qs Qd Js Jd Ts Td Th 9s 9d",
            {"odd_card_breaks_tie": True},
            -1,
        ),
        # Ranks of one group decide before those of the next.
        (
            "four_trips",
            "As Ad Ac 2s 2d 2c 3s 3d 3c 4s 4d 4c 5h",
            "Ks Kd Kc Qs Qd Qc Js Jd Jc Ts Td Tc Th",
            {},
            1,
        ),
        (
            "three_quads",
            "As Ad Ac Ah 4s 4d 4c 4h 2s 2d 2c 2h Ks",
            "As Ad Ac Ah 3s 3d 3c 3h 2s 2d 2c 2h Kh",
            {},
            1,
        ),
        # A straight whose cards can be of one suit is a straight flush, however they are dealt.
        (
            "three_straights",
            "6s 5s 4s 3s 2s 6h 5d 4d 3d 2d 4h 3h 2h",
            "As Kh Qs Jd Ts 9s 8h 7s 6d 5s 4h 3h 2h",
            {},
            1,
        ),
        # Rows that share ranks cannot both be straight flushes of one suit.
        (
            "three_straights",
            "7s 6s 5s 4s 3s 2s 6h 5d 4h 3d Ts 9h 8d",
            "7s 6s 5s 4s 3s 6h 5h 4h 3h 2h Ts 9h 8d",
            {},
            -1,
        ),
        # Equal backs and middles: the front decides; A-2-3 moves up where the wheel does.
        (
            "three_straights",
            "Ks Qh Js Th 9s Kd Qc Jd Tc 9d As 2h 3s",
            "Ks Qh Js Th 9s Kd Qc Jd Tc 9d 4s 3h 2s",
            {},
            -1,
        ),
        (
            "three_straights",
            "Ks Qh Js Th 9s Kd Qc Jd Tc 9d As 2h 3s",
            "Ks Qh Js Th 9s Kd Qc Jd Tc 9d 4s 3h 2s",
            {"wheel": "second"},
            1,
        ),
        (
            "three_straights",
            "9s 8h 7s 6h 5s 9h 8s 7h 6s 5h 3s 2d Ad",
            "9s 8h 7s 6h 5s 9h 8s 7h 6s 5h Ks Qd Jd",
            {"wheel": "second"},
            1,
        ),
        (
            "three_straights",
            "9s 8h 7s 6h 5s 9h 8s 7h 6s 5h 3s 2d Ad",
            "9s 8h 7s 6h 5s 9h 8s 7h 6s 5h As Kd Qd",
            {"wheel": "second"},
            -1,
        ),
        # Eight of a suit part so that the best row comes out, here a straight flush.
        (
            "three_flushes",
            "Ah Kh 9h 6h 5h 4h 3h 2h Qs Ts 7s 5s 2s",
            "Ah Kh Qh 9h 8h 6h 3h 2h Qs Ts 7s 5s 2s",
            {},
            1,
        ),
        # Equal backs: the middle of the ten decides.
        (
            "three_flushes",
            "Ad Kd Jd Td 8d 7d 6d 4d 3d 2d Kc 9c 5c",
            "Ad Kd Jd Td 8d 7d 6d 5d 3d 2d Kc 9c 4c",
            {},
            -1,
        ),
        # The other kinds always tie.
        ("dragon", MIXED, ONE_SUIT, {}, 0),
        ("one_colour", RED, RED.replace("A", "5"), {}, 0),
        ("big", ODD_EIGHT, "As Ad Ah Ac Ks Kd Kh Kc Qs Qd Qh Qc Js", {}, 0),
    ],
)
def test_tie_breaks(
    kind: str, first: str, second: str, switches: dict[str, Any], expected: int
) -> None:
    assert compare_of(kind, first, second, **switches) == expected
    assert compare_of(kind, second, first, **switches) == -expected


# --- against the oracle --------------------------------------------------------------------------


def ask_oracle(cards: Deal, ruleset: Ruleset) -> list[tuple[Natural, int]]:
    found = naive.find_naturals(cards, to_dict(ruleset)["naturals"], ruleset.order.wheel)
    return [(Natural(one.name), one.units) for one in reversed(found)]


@given(likely, rulesets())
def test_naturals_as_by_the_oracle(deal: Deal, ruleset: Ruleset) -> None:
    assert find_naturals(deal, ruleset) == ask_oracle(deal, ruleset)


@settings(max_examples=40)
@given(st.sampled_from(TEMPLATES).flatmap(lambda deal: st.tuples(deal, deal)), rulesets())
def test_clashes_as_by_the_oracle(both: tuple[Deal, Deal], ruleset: Ruleset) -> None:
    units = naive.clash(*both, to_dict(ruleset)["naturals"], ruleset.order.wheel)
    assert compare_naturals(*both, ruleset) == units
    assert compare_naturals(*both[::-1], ruleset) == -units


KINDS_THAT_BREAK_TIES = st.one_of(
    st.tuples(st.just("three_straights"), runs(), runs()),
    st.tuples(st.just("three_flushes"), suited(), suited()),
    st.tuples(st.sampled_from(["six_pairs", "four_trips", "three_quads"]), grouped(), grouped()),
)


@settings(max_examples=60)
@given(KINDS_THAT_BREAK_TIES, rulesets())
def test_tie_breaks_as_by_the_oracle(case: tuple[str, Deal, Deal], ruleset: Ruleset) -> None:
    kind, first, second = case
    assert ruleset.naturals is not None
    alone = replace(ruleset.naturals, list=(NaturalPay(Natural(kind), 1),), clash="higher")
    ruleset = replace(ruleset, naturals=alone)
    units = naive.clash(first, second, to_dict(ruleset)["naturals"], ruleset.order.wheel)
    assert compare_naturals(first, second, ruleset) == units


# --- what decides, in words ----------------------------------------------------------------------

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
PLACES = {
    "six_pairs": [*(f"{number} pair" for number in ORDINALS), "odd card"],
    "four_trips": [f"{number} three of a kind" for number in ORDINALS],
    "three_quads": [f"{number} four of a kind" for number in ORDINALS],
}


@settings(max_examples=40)
@given(KINDS_THAT_BREAK_TIES, rulesets())
def test_words_name_what_decides(case: tuple[str, Deal, Deal], ruleset: Ruleset) -> None:
    """Against the keys of the oracle: the first group or row that differs, the higher one first."""
    kind, one, two = case
    assert ruleset.naturals is not None
    alone = replace(ruleset.naturals, list=(NaturalPay(Natural(kind), 1),), no_pictures=None)
    ruleset = replace(ruleset, naturals=alone)
    rules = to_dict(ruleset)["naturals"]
    found = [naive.find_naturals(deal, rules, ruleset.order.wheel) for deal in (one, two)]
    assume(all(found))
    keys = [held[0].key for held in found]
    told = tell_deciding_tie(one, two, Natural(kind), ruleset)
    assert told == tell_deciding_tie(two, one, Natural(kind), ruleset)
    if keys[0] == keys[1]:
        assert told == ""
        return
    at, ranks = next(
        (i, pair) for i, pair in enumerate(zip(*keys, strict=True)) if len({*pair}) > 1
    )
    if kind in PLACES:
        names = RANK_NAMES if PLACES[kind][at] == "odd card" else RANK_PLURALS
        high, low = (names[rank] for rank in sorted(ranks, reverse=True))
        assert told == f" by the {PLACES[kind][at]}: {high} over {low}"
    else:
        assert re.match(rf" by the {('back', 'middle', 'front')[at]}(: |'s .+: ).+ over .+", told)


@pytest.mark.parametrize(
    ("kind", "first", "second", "switches", "words"),
    [
        ("six_pairs", ODD_EIGHT, ODD_EIGHT.replace("9", "7"), {}, "sixth pair: nines over sevens"),
        (
            "six_pairs",
            ODD_SEVEN,
            ODD_EIGHT,
            {"odd_card_breaks_tie": True},
            "odd card: eight over seven",
        ),
        (
            "four_trips",
            "As Ad Ac 2s 2d 2c 3s 3d 3c 4s 4d 4c 5h",
            "As Ad Ac 6s 6d 6c 3s 3d 3c 4s 4d 4c 5h",
            {},
            "second three of a kind: sixes over fours",
        ),
        (
            "three_straights",
            "6s 5s 4s 3s 2s 6h 5d 4d 3d 2d 4h 3h 2h",
            "As Kh Qs Jd Ts 9s 8h 7s 6d 5s 4h 3h 2h",
            {},
            "back: straight flush, six high, over straight, ace high",
        ),
        (
            "three_straights",
            "Ks Qh Js Th 9s Kd Qc Jd Tc 9d As 2h 3s",
            "Ks Qh Js Th 9s Kd Qc Jd Tc 9d 4s 3h 2s",
            {},
            "front: 2-3-4 over A-2-3",
        ),
        (
            "three_straights",
            "9s 8h 7s 6h 5s 9h 8s 7h 6s 5h 3s 2d Ad",
            "9s 8h 7s 6h 5s 9h 8s 7h 6s 5h Ks Qd Jd",
            {"wheel": "second"},
            "front: A-2-3 over J-Q-K",
        ),
        (
            "three_straights",
            "As 2h 3s 4d 5c 9h 8s 7h 6s 5h 4s 3d 2d",
            "Ts 6h 7s 8d 9c 9h 8s 7h 6s 5h 4s 3d 2d",
            {"wheel": "second"},
            "back: straight, ace to five, over straight, ten high",
        ),
        (
            "three_flushes",
            "Ah Kh 9h 6h 5h 4h 3h 2h Qs Ts 7s 5s 2s",
            "Ah Kh Qh 9h 8h 6h 3h 2h Qs Ts 7s 5s 2s",
            {},
            "back: straight flush, six high, over flush, ace high",
        ),
        (  # of the ten diamonds both part the back A-K-J-T-8
            "three_flushes",
            "Ad Kd Jd Td 8d 7d 6d 4d 3d 2d Kc 9c 5c",
            "Ad Kd Jd Td 8d 7d 6d 5d 3d 2d Kc 9c 4c",
            {},
            "middle's third card: five over four",
        ),
        (
            "three_flushes",
            "Ad Kd Jd Td 8d 7s 6s 4s 3s 2s Kc 9c 5c",
            "Ad Kd Jd Td 8d 7s 6s 4s 3s 2s Ac 9c 4c",
            {},
            "front: ace high over king high",
        ),
    ],
)
def test_what_decides_in_words(
    kind: str, first: str, second: str, switches: dict[str, Any], words: str
) -> None:
    order = Order(wheel=switches.pop("wheel", "low"))
    naturals = Naturals(list=(NaturalPay(Natural(kind), 1),), **switches)
    ruleset = Ruleset(id="test", order=order, naturals=naturals)
    one, two = read_deal(first.split()), read_deal(second.split())
    assert tell_deciding_tie(one, two, Natural(kind), ruleset) == f" by the {words}"


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [("six_pairs", ODD_EIGHT, ODD_SEVEN), ("dragon", MIXED, ONE_SUIT), ("one_colour", RED, RED)],
)
def test_naturals_that_tie_have_nothing_that_decides(kind: str, first: str, second: str) -> None:
    ruleset = Ruleset(id="test", naturals=Naturals(list=(NaturalPay(Natural(kind), 1),)))
    one, two = read_deal(first.split()), read_deal(second.split())
    assert tell_deciding_tie(one, two, Natural(kind), ruleset) == ""


@given(likely, likely, rulesets())
def test_ratings_are_the_order_of_naturals(one: Deal, two: Deal, ruleset: Ruleset) -> None:
    assert ruleset.naturals is not None
    naturals = replace(ruleset.naturals, clash="higher")
    rated = [
        rate_natural(cards, best[0], ruleset)
        for cards in (one, two)
        if (best := best_natural(cards, ruleset))
    ]
    for cards in (one, two):
        places = [
            rate_natural(cards, held, ruleset)[0] for held, _ in find_naturals(cards, ruleset)
        ]
        assert places == sorted(places, reverse=True)
    if len(rated) == 2 and naturals.rank != "value":
        (place, tie, units), (other_place, other_tie, other_units) = rated
        higher, lower = (place, tie), (other_place, other_tie)
        expected = units * (higher > lower) - other_units * (lower > higher)
        assert compare_naturals(one, two, replace(ruleset, naturals=naturals)) == expected


def test_the_rating_of_a_natural_that_is_not_the_best() -> None:
    ruleset = load_ruleset("wikipedia-two-four")
    assert rate_natural(DRAGON, Natural.DRAGON, ruleset)[::2] == (11, 36)
    assert rate_natural(DRAGON, Natural.THREE_STRAIGHTS, ruleset)[::2] == (2, 4)
    assert rate_natural(PAIRS, Natural.NO_PICTURES, ruleset) == (0, 0, 3)
    # Pairs of seven down to two, four bits each.
    assert rate_natural(PAIRS, Natural.SIX_PAIRS, ruleset) == (3, 0x543210, 6)


@given(st.lists(likely, min_size=1, max_size=5), rulesets())
def test_many_deals_at_once(deals: list[Deal], ruleset: Ruleset) -> None:
    spec, tables = natural_spec(ruleset), row_tables(ruleset.order.wheel)
    places = np.empty(len(deals), dtype=np.int16)
    ties = np.empty(len(deals), dtype=np.int64)
    cards = np.array(deals, dtype=np.uint8)
    find_naturals_of_deals(cards, spec, tables.five, tables.three, places, ties)
    for deal, place, tie in zip(cards, places, ties, strict=True):
        best = best_natural(tuple(deal.tolist()), ruleset)
        assert [place, tie] == [*find_best_natural(deal, spec, tables.five, tables.three)]
        assert (None if place < 0 else list(Natural)[spec.kinds[place]]) == (best and best[0])
        assert (0 if place < 0 else spec.units[place]) == (best[1] if best else 0)


@given(likely, st.sampled_from(list(permutations(range(4)))), rulesets(), st.randoms())
def test_suits_matter_to_colours_only(
    deal: Deal, suits: tuple[int, ...], ruleset: Ruleset, random: Any
) -> None:
    other = [card & ~3 | suits[card & 3] for card in deal]
    random.shuffle(other)
    found, renamed = (find_naturals(cards, ruleset) for cards in (deal, tuple(other)))
    if {suits[1], suits[2]} not in ({1, 2}, {0, 3}):  # red cards did not stay of one colour
        colours = (Natural.ONE_COLOUR, Natural.TWELVE_ONE_COLOUR)
        found, renamed = ([n for n in each if n[0] not in colours] for each in (found, renamed))
    assert found == renamed


def test_naturals_in_words() -> None:
    words = {natural: describe_natural(natural) for natural in Natural}
    assert words[Natural.THREE_STRAIGHT_FLUSHES] == "three straight flushes"
    assert words[Natural.FIVE_PAIRS_TRIPS] == "five pairs and trips"
    assert len(set(words.values())) == len(Natural)
    assert not any("_" in text for text in words.values())


@pytest.mark.parametrize("natural", Natural)
def test_names_are_read_as_players_write_them(natural: Natural) -> None:
    words = describe_natural(natural)
    for text in (
        natural.value,
        natural.name,
        words,
        words.title().replace(" ", "-"),
        f" {words}\t",
    ):
        assert parse_natural(text) is natural


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("six pears", 'unknown natural "six pears"; did you mean "six pairs"?'),
        ("THREE_FLUSH", 'unknown natural "THREE_FLUSH"; did you mean "three flushes"?'),
        ("sixpairs", 'unknown natural "sixpairs"; did you mean "six pairs"?'),
        ("xx", 'unknown natural "xx"; see cpoker rules show NAME'),
        ("", 'unknown natural ""; see cpoker rules show NAME'),
    ],
)
def test_a_wrong_name_suggests_the_nearest(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_natural(text)
    assert str(caught.value) == message
