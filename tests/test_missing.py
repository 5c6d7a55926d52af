"""Why cards do not hold a natural: the words, and that they come just when it is not held."""

from typing import Any

import pytest
from hypothesis import given

from cp_cli.arrangement import Natural
from cp_cli.cards import parse_cards
from cp_cli.evaluator import explain_missing, find_naturals
from cp_cli.ruleset import NaturalPay, Naturals, NoPictures, Ruleset, load_ruleset, to_dict
from tests import naive
from tests.natural_deals import KINDS, Deal, likely, rulesets
from tests.strategies import deals

NAMED = [
    load_ruleset(name)
    for name in ("malay", "wikipedia-two-four", "vietnamese", "hawaiian-gardens", "basic")
]
FLUSHES = "; three flushes need 3, 5 and 5 (8, 10 or 13 count as several)"


def explain(kind: str, text: str, **switches: Any) -> str | None:
    """Explain under a ruleset with this natural alone."""
    listed = () if kind == "no_pictures" else (NaturalPay(Natural(kind), 1),)
    ruleset = Ruleset(id="test", naturals=Naturals(list=listed, **switches))
    return explain_missing(parse_cards(text, count=13), Natural(kind), ruleset)


@pytest.mark.parametrize(
    ("kind", "cards", "switches", "reason"),
    [
        (
            "six_pairs",
            "As Ah Qd Qc Ts Th 8d 8c 6s 6h Ks 9d 4c",
            {},
            "five pairs only; Ks 9d 4c are single",
        ),
        (
            "six_pairs",
            "As Ah Ad Ac 8d 8c 6s 6h 6d Ks 9d 4c 3c",
            {},
            "four pairs only; Ks 9d 4c 3c are single; three sixes make one pair",
        ),
        (
            "six_pairs",
            "As Ah Ad Ac 8d 8c 6s 6h 5d 5c 4d 4h 2s",
            {"quads_as_two_pairs": False},
            "four pairs only; four aces do not count as two pairs here",
        ),
        (
            "six_pairs",
            "As Ah Kd Kc 8d 8c 6s 6h 5d 5c 4d 4h 4s",
            {"trips_as_pair": False},
            "five pairs only; three fours do not count as a pair here",
        ),
        (
            "six_pairs",
            "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s",
            {},
            "no pairs; 13 cards are single",
        ),
        (
            "six_pairs",
            "As Ah Kd Qh Js Tc 9s 8h 7d 5c 4c 3d 2c",
            {},
            "one pair only; 11 cards are single",
        ),
        (
            "five_pairs_trips",
            "As Ah Kd Kc 8d 8c 6s 6h 5d 5c 4d 4h 2s",
            {},
            "six pairs and no three of a kind; 2s is single",
        ),
        (
            "five_pairs_trips",
            "As Ah Ad Kd Kc Kh 8d 8c 6s 6h 5d 5c 2s",
            {},
            "three pairs, three aces and three kings; 2s is single",
        ),
        (
            "five_pairs_trips",
            "As Ah Ad Kd Kc Kh 8d 8c 8h 6s 6h 5d 5c",
            {},
            "two pairs, three aces, three kings and three eights",
        ),
        (
            "five_pairs_trips",
            "As Ah Ad Ac Kd Kc Kh 8d 8c 6s 6h 5d 5c",
            {"quads_as_two_pairs": False},
            "three pairs and three kings; four aces do not count as two pairs here",
        ),
        ("four_trips", "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s", {}, "no three of a kind"),
        (
            "four_trips",
            "As Ah Ad Ac Kd Kc Kh 6d 6c 6s 5h 5d 4c",
            {},
            "three of a kind only three times: aces, kings and sixes",
        ),
        ("three_quads", "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s", {}, "no four of a kind"),
        (
            "three_quads",
            "As Ah Ad Ac 6d 6c 6s 6h Kd Kc Kh 5d 4c",
            {},
            "four of a kind only twice: aces and sixes",
        ),
        (
            "dragon",
            "As Kh Kd Qd Jc Ts 9h 8d 8c 6s 5h 3c 2s",
            {},
            "no seven and no four; two kings and two eights",
        ),
        ("dragon", "As Ah Ad Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d", {}, "no three and no two; three aces"),
        ("dragon", "As Ah Ad Ac Kd Kc Kh Ks 5h 5d 5c 2s 2c", {}, "four ranks only"),
        ("one_colour", "Ah Kh Qd Jd Td 9h 8d 7h 6s 5s 4c 3c 2c", {}, "8 red and 5 black cards"),
        ("one_colour", "As Ks Qs Js Tc 9c 8c 7c 6s 5s 4c 3c 2h", {}, "1 red and 12 black cards"),
        (
            "twelve_one_colour",
            "As Ks Qs Js Tc 9c 8c 7c 6s 5s 4c 3c 2c",
            {},
            "no red and 13 black cards, expected 12 and 1",
        ),
        (
            "twelve_one_colour",
            "Ah Kh Qd Jd Td 9h 8d 7h 6h 5d 4d 3c 2c",
            {},
            "11 red and 2 black cards, expected 12 and 1",
        ),
        ("small", "Kd 9c 8h 8d 7c 6s 6h 5d 4c 4h 3s 2d 2c", {}, "Kd 9c are above eight"),
        ("all_low", "As 9c 8h 8d 7c 6s 6h 5d 4c 4h 3s 2d 2c", {}, "As 9c are above eight"),
        (
            "all_low",
            "As 9c 8h 8d 7c 6s 6h 5d 4c 4h 3s 2d 2c",
            {"ace_low_in_small": True},
            "9c is above eight",
        ),
        (
            "small",
            "As Ac 8h 8d 7c 6s 6h 5d 4c 4h 3s 2d 2c",
            {},
            "As Ac are above eight, an ace is not low here",
        ),
        ("small", "As Ac Kh Kd Qc Qs Jh 5d 4c 4h 3s 2d 2c", {}, "7 cards are above eight"),
        ("big", "As Ac Kh Kd Qc Qs Jh Jd Tc Ts 9s 8d 7c", {}, "7c is below eight"),
        ("all_high", "As Ac Kh Kd Qc Qs Jh Jd Tc Ts 9s 7d 2c", {}, "7d 2c are below eight"),
        (
            "no_pictures",
            "As Kd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s 2d",
            {"no_pictures": NoPictures(units=1, ace_is_picture=True)},
            "As Kd Jc are pictures",
        ),
        (
            "no_pictures",
            "As Kd Tc Ts 9h 8d 7c 6s 5h 4d 3c 2s 2d",
            {"no_pictures": NoPictures(units=1, ace_is_picture=False)},
            "Kd is a picture",
        ),
        (
            "no_pictures",
            "As Td Tc Ts 9h 8d 7c 6s 5h 4d 3c 2s 2d",
            {"no_pictures": NoPictures(units=1, ace_is_picture=True)},
            "As is a picture, an ace counts as one here",
        ),
        (
            "twelve_pictures",
            "Ks Kh Kd Qs Qh Qd Qc Js Jh Jd Jc As 2c",
            {},
            "Kc is missing",
        ),
        (
            "twelve_pictures",
            "Ks Kh Kd Qs Qh Qd Qc Js Jh Jd As Ah Ad",
            {},
            "Kc Jc are missing",
        ),
        (
            "twelve_pictures",
            "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s",
            {},
            "9 pictures are missing",
        ),
        (
            "twelve_royalties",
            "As Ah Ad Ac Ks Kh Kd Kc Qs Qh Qd Td 4c",
            {},
            "Td 4c are below jack",
        ),
        (
            "one_suit",
            "As Ks Qs Js Ts 9s 8s 7s 6s 5c 4h 3h 2h",
            {},
            "9 spades, 3 hearts and 1 club",
        ),
        ("clean_dragon", "As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2h", {}, "12 spades and 1 heart"),
        (
            "three_flushes",
            "Ac Kc Qc 9c 8c 6c Jd Td 7d 5d 4h 3h 2s",
            {},
            f"suits are 6 clubs, 4 diamonds, 2 hearts and 1 spade{FLUSHES}",
        ),
        (
            "three_straights",
            "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 4c 2s",
            {},
            "the ranks A K Q J T 9 8 7 6 5 4 4 2 do not part into runs of 3, 5 and 5",
        ),
        (
            "three_straights",
            "As Kh Qd 8d 8c 7c 7s 6h 6d 5d 5c 4c 4s",
            {"front_qka": False},
            "the ranks A K Q 8 8 7 7 6 6 5 5 4 4 do not part into runs of 3, 5 and 5, "
            "Q-K-A does not count here",
        ),
        (
            "three_straight_flushes",
            "Ac Kc Qc 9c 8c 6c Jd Td 7d 5d 4h 3h 2s",
            {},
            f"suits are 6 clubs, 4 diamonds, 2 hearts and 1 spade{FLUSHES}",
        ),
        (
            "three_straight_flushes",
            "Ac Kc Qc Td 9d 8d 7d 6d 6h 5h 4h 3h 2h",
            {"front_qka": False},
            "the clubs A K Q are no straight, Q-K-A does not count here",
        ),
        (
            "three_straight_flushes",
            "Kc Qc Jc Td 9d 8d 7d 5d 7h 5h 4h 3h 2h",
            {},
            "the hearts 7 5 4 3 2 are no straight; the diamonds T 9 8 7 5 are no straight",
        ),
        (
            "three_straight_flushes",
            "Ac 2c 4c Kd Qd Jd Td 9d 8d 7d 6d 5d 3d",
            {},
            "the diamonds K Q J T 9 8 7 6 5 3 do not part into runs of 5 and 5; "
            "the clubs A 4 2 are no straight",
        ),
    ],
)
def test_reasons(kind: str, cards: str, switches: dict[str, Any], reason: str) -> None:
    assert explain(kind, cards, **switches) == reason


def test_a_natural_that_is_not_played() -> None:
    cards = parse_cards("As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s")
    assert explain_missing(cards, Natural.BIG, load_ruleset("pagat-standard")) == (
        "not a natural of ruleset pagat-standard; it has: six pairs, three straights, "
        "three flushes, dragon"
    )
    assert (
        explain_missing(cards, Natural.DRAGON, load_ruleset("basic"))
        == "ruleset basic has no naturals"
    )


@given(likely, rulesets())
def test_a_reason_just_where_the_oracle_finds_no_natural(deal: Deal, ruleset: Ruleset) -> None:
    held = {Natural(one.name) for one in find_naively(deal, ruleset)}
    for natural in [*KINDS, Natural.NO_PICTURES]:
        reason = explain_missing(deal, natural, ruleset)
        assert (reason is None) == (natural in held)
        assert reason is None or (reason.isprintable() and "_" not in reason)


def find_naively(deal: Deal, ruleset: Ruleset) -> list[Any]:
    return list(naive.find_naturals(deal, to_dict(ruleset)["naturals"], ruleset.order.wheel))


@given(likely | deals)
def test_a_reason_just_where_no_natural_is_found(deal: Deal) -> None:
    for ruleset in NAMED:
        held = {natural for natural, _ in find_naturals(deal, ruleset)}
        assert held == {n for n in Natural if explain_missing(deal, n, ruleset) is None}
