"""Why units change hands, in words: who wins which row by what, and every other reason."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from cp_cli.arrangement import ROW_NAMES, Natural, parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.evaluator import describe_natural
from cp_cli.render.settlement_rows import add_verb
from cp_cli.settlement import BEST, Seat, Table, settle
from tests import naive
from tests.settled_deals import CASES, EURO, draw, explain_pair, read_pair
from tests.test_settle_vectors import DEALS, lay_table, load

PLAIN = {
    "basic": {},
    "low": {"order": {"middle": "low27"}},
    "second": {"order": {"wheel": "second"}},
}
ORDER = {"basic": (), "low": ("order.middle=low27",), "second": ("order.wheel=second",)}


@pytest.mark.parametrize("order", PLAIN)
@pytest.mark.parametrize("deal_id", DEALS)
def test_explanations_name_the_winner_of_each_row(deal_id: str, order: str) -> None:
    """Against the oracle, which compares rows in its own way."""
    ruleset = load("basic", *ORDER[order])
    done = settle(replace(lay_table(deal_id), seats=tuple(
        replace(seat, natural=None) for seat in lay_table(deal_id).seats)), ruleset)  # fmt: skip
    for a, b in combinations(done.hands, 2):
        told = explain_pair(done, ruleset, a.name, b.name)
        assert a.arrangement is not None
        assert b.arrangement is not None
        outcomes = naive.row_outcomes(a.arrangement.rows, b.arrangement.rows, PLAIN[order])
        for row, outcome in zip(ROW_NAMES, outcomes, strict=True):
            if a.foul and b.foul:
                assert row not in told
            elif a.foul or b.foul:
                assert told[row] == f"{(a if a.foul else b).name}'s hand is foul"
            elif outcome:
                assert told[row].startswith(f"{(a if outcome > 0 else b).name} wins: ")
            else:
                assert re.fullmatch(r"(.+?),? equals \1, nobody wins", told[row])


def check_row(deal_id: str, a: str, b: str, row: str, *rules: str, **table: Any) -> str:
    name, *overrides = rules
    ruleset = load(name, *overrides)
    done = settle(replace(lay_table(deal_id), **table), ruleset)
    return explain_pair(done, ruleset, a, b)[row]


EXPLAINED: dict[str, tuple[Callable[[], str], str]] = {
    "names tell": (
        lambda: check_row("V06", "S", "W", "middle", "basic"),
        "S wins: eights full of sevens beats pair of tens",
    ),
    "instead": (
        lambda: check_row("V15", "A", "B", "back", "singapore"),
        "A wins: royal flush beats straight flush, ten high; pays 7 instead of 1",
    ),
    "plain row of a table of strong ones": (
        lambda: check_row("V15", "A", "B", "middle", "singapore"),
        "B wins: two pair, kings and sixes, beats two pair, nines and eights",
    ),
    "a card of a flush decides": (  # K-Q against K-J
        lambda: compare_flushes(),
        "A wins: flush, king high, beats flush, king high, by the second card: queen over jack",
    ),
    "a card decides": (  # A-K-5 against A-J-4 in front
        lambda: check_row("V04", "P3", "P4", "front", "basic"),
        "P4 wins: ace high beats ace high by the second card: king over jack",
    ),
    "equal": (
        lambda: check_row("V12", "A", "B", "back", "pagat-standard"),
        "straight flush, nine high, equals straight flush, nine high, nobody wins",
    ),
    "equal to the bank": (
        lambda: check_row("V30", "A", "B", "front", "basic", "mode=bank", banker="B"),
        "ace high equals ace high, the bank wins",
    ),
    "low": (
        lambda: check_row("V34", "B", "C", "middle", "basic", "order.middle=low27"),
        "B wins: eight low: 8-6-4-3-2 beats ace low: A-5-4-3-2",
    ),
    "royalties that cancel": (
        lambda: check_row("V02", "A", "B", "front", "pagat-standard", "royalties.cancel=true"),
        "B wins: three sevens beat three sixes; the royalties cancel",
    ),
    "royalty": (
        lambda: check_row("V06", "S", "W", "royalty", "hawaiian-gardens"),
        "S's middle: eights full of sevens",
    ),
    "rows together": (
        lambda: check_row("V04", "P3", "P4", "rows", "open-face-2013"),
        "P4 won 2 rows and lost 1",
    ),
    "sweep": (
        lambda: check_row("V21", "A", "D", "sweep", "one-six"),
        "A won all three rows",
    ),
    "sweep that multiplies": (
        lambda: check_row("V21", "B", "D", "sweep", "taiwanese"),
        "B won all three rows: rows and royalties count double",
    ),
    "two rows and a tie": (
        lambda: check_row("V09", "A", "B", "sweep", "one-six", "sweep.tie_counts=true"),
        "A won two rows and lost none",
    ),
    "home run": (
        lambda: check_row("V21", "A", "D", "home run", "hawaiian-gardens"),
        "A swept everybody",
    ),
    "overall": (
        lambda: check_row("V03", "Amy", "Bob", "overall", "two-four"),
        "Amy won two rows",
    ),
    "overall by units": (
        lambda: check_row("V17", "A", "B", "overall", "pagat-extras", "overall={when: net}"),
        "A is ahead",
    ),
    "natural": (
        lambda: check_row("V22", "A", "D", "natural", "taiwanese"),
        "D declares six pairs",
    ),
    "two naturals": (
        lambda: check_row("V23", "A", "B", "natural", "pagat-standard"),
        "A's dragon beats six pairs",
    ),
    "difference of two naturals": (  # six pairs 4, three flushes 3 by the Malay list
        lambda: tell_clash("malay", "mode=pairs"),
        "A's six pairs beat three flushes; the difference is paid, 4 less 3",
    ),
    "stakes": (
        lambda: check_row("V03", "Amy", "Bob", "stake", "two-four",
                          stakes={frozenset(("Amy", "Bob")): 25}),
        "25 a unit",
    ),
    "aces": (  # Amy holds two aces, Bob none; worth by the casino's table
        lambda: check_row("V03", "Amy", "Bob", "aces", "basic", "aces=[0, 1, 2, 6, 8]"),
        "Amy 2 aces, worth 2; Bob 0 aces, worth 0",
    ),
}  # fmt: skip


def compare_flushes() -> str:
    one = parse_arrangement("4c 3d 2h / 8d 8h 7s 6s 2s / Kc Qc 9c 7c 5c")
    two = parse_arrangement("4d 3h 2c / 9d 9h 7h 6h 2d / Ks Js 9s 8s 5s")
    ruleset = load("basic")
    done = settle(Table((Seat("A", one), Seat("B", two))), ruleset)
    return explain_pair(done, ruleset, "A", "B")["back"]


def tell_clash(*rules: str) -> str:
    name, *overrides = rules
    pairs = parse_cards("2d 2c 3h 3c 4h 4d 5h 5c 6d 6c 7h 7c As")
    flushes = parse_cards("2s 3s 9s 8d Td Qd Kd Ad 8h Th Jh Qh Ah")
    ruleset = load(name, *overrides)
    seats = (Seat("A", cards=pairs, natural=BEST), Seat("B", cards=flushes, natural=BEST))
    done = settle(Table(seats), ruleset)
    return explain_pair(done, ruleset, "A", "B")["natural"]


SIX_PAIRS = "As Ad Ks Kd Qs Qd Js Jd Ts Td 9s 9d 2c", "Ac Ah Kc Kh Qc Qh Jc Jh Tc Th 8c 8h 2s"
STRAIGHTS = "Kh Qh Js Ts 9d 9c 8c 7h 6h 5s Ah 2s 3d", "Ks Qs Jd Th 9h 9s 8d 7c 6c 5d 2h 3s 4s"
OTHERS = "Kc Qc Jc Th 9h 9c 8d 7c 6c 5d 2h 3s 4s"  # three straights beside the first six pairs


def clash(one: str, two: str, *rules: str, **claims: Natural) -> list[str]:
    """Return the lines of a pair that both declare what they hold, or say what they claim."""
    name, *overrides = rules
    ruleset = load(name, *overrides)
    seats = tuple(
        Seat(player, cards=parse_cards(cards), natural=claims.get(player, BEST))
        for player, cards in zip("AB", (one, two), strict=True)
    )
    return read_pair(draw(settle(Table(seats), ruleset), ruleset, 200, explain=True), "A", "B")


@pytest.mark.parametrize(
    ("hands", "rules", "told"),
    [
        (SIX_PAIRS, (), "natural  +3  A's six pairs beat six pairs by the sixth pair: "
                        "nines over eights"),
        (SIX_PAIRS[::-1], (), "natural  -3  B's six pairs beat six pairs by the sixth pair: "
                              "nines over eights"),
        (STRAIGHTS, (), "natural  -3  B's three straights beat three straights by the front: "
                        "2-3-4 over A-2-3"),
        ((SIX_PAIRS[0], SIX_PAIRS[1].replace("8", "9")), (),
         "both declare six pairs: equal, nobody pays"),
        ((SIX_PAIRS[0], OTHERS), (),
         "natural  -3  B's three straights beat six pairs, ranked higher by pagat-standard"),
        ((SIX_PAIRS[0], OTHERS),
         ("naturals.rank=value",), "six pairs and three straights: equal, nobody pays"),
    ],
)  # fmt: skip
def test_why_one_natural_beats_the_other(
    hands: tuple[str, str], rules: tuple[str, ...], told: str
) -> None:
    assert clash(*hands, "pagat-standard", *rules) == [f"  {told}"]


def test_equal_naturals_beside_a_bet() -> None:
    rules = ("naturals.rank=value", "aces=[0, 1, 2, 6, 8]")
    assert clash(SIX_PAIRS[0], OTHERS, "pagat-standard", *rules) == [
        "  six pairs and three straights: equal, nobody pays",
        "  aces  +2  A 2 aces, worth 2; B 0 aces, worth 0",
    ]


def test_a_natural_that_is_more_than_it_was_called() -> None:
    dragon = "As Kd Qs Jd Th 9c 8s 7d 6c 5h 4s 3d 2c"
    pairs = "Ah Ad Kh Kc Qh Qc Jh Jc 9h 9d 3h 3c 2s"
    claims = {"A": Natural.THREE_STRAIGHTS}
    straights = (Seat("A", cards=parse_cards(dragon), natural=claims["A"]),)
    rest = (Seat("B", parse_arrangement("Kh Kc 2h / Ah Ad 5c 6h 8h / 3h 3c 3s Jh Jc")),)
    ruleset = load("pagat-standard")
    lines = draw(settle(Table(straights + rest), ruleset), ruleset, 200, explain=True)
    assert "   declares three straights, holds dragon (13)" in lines
    assert "  natural  +13  A holds dragon" in lines
    told = clash(dragon, pairs, "pagat-standard", **claims)
    assert told == ["  natural  +13  A's dragon beats six pairs"]


def test_surcharge() -> None:
    ruleset = load("basic", "middle_extra=2")
    done = settle(lay_table("V13"), ruleset)
    told = explain_pair(done, ruleset, "A", "B")["surcharge"]
    assert told == "A won the middle with straight flush, eight high"
    assert "A's middle surcharge +2" in " ".join(draw(done, ruleset))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("three eights", "three eights beat"),
        ("four kings", "four kings beat"),
        ("kings full of twos", "kings full of twos beats"),
        ("pair of jacks", "pair of jacks beats"),
        ("two pair, kings and sixes", "two pair, kings and sixes, beats"),
        ("flush, ace high", "flush, ace high, beats"),
        ("straight, ace to five", "straight, ace to five, beats"),
        ("royal flush", "royal flush beats"),
        ("six high", "six high beats"),
        ("five high", "five high beats"),
        ("twelve low: Q-J-9-3-2", "twelve low: Q-J-9-3-2 beats"),
    ],
)
def test_rows_and_their_verbs(words: str, sentence: str) -> None:
    assert add_verb(words, "beat") == sentence


SINGULAR = {"one_colour", "small", "big", "all_low", "all_high", "dragon", "one_suit",
            "clean_dragon"}  # fmt: skip


@pytest.mark.parametrize("natural", Natural)
def test_naturals_and_their_verbs(natural: Natural) -> None:
    name = describe_natural(natural)
    verb = "beats" if natural.value in SINGULAR else "beat"
    assert add_verb(name, "beat") == f"{name} {verb}"


@pytest.mark.parametrize("case", EXPLAINED)
def test_explanation(case: str) -> None:
    tell, words = EXPLAINED[case]
    assert tell() == words


def test_low_rows_are_decided_by_the_lower_card() -> None:
    """Two pairs of twos in a low middle: the lower kicker wins."""
    one = parse_arrangement("Kc Kd 4h / 2c 2d 9h 7c 3d / As Ad Ks Qh Jc")
    two = parse_arrangement("Qc Qd 4s / 2h 2s 9c 6c 3h / Ac Ah Kh Qs Tc")
    ruleset = load("basic", "order.middle=low27")
    done = settle(Table((Seat("A", one), Seat("B", two))), ruleset)
    told = explain_pair(done, ruleset, "A", "B")["middle"]
    assert told == ("B wins: pair of twos beats pair of twos by the second kicker: six under seven")


def test_chips_that_do_not_cover() -> None:
    """The example of the rules: A has 8 chips; 6 go into the pair with B, 2 into that with C."""
    done, ruleset = CASES["chips"]
    told = {pair: explain_pair(done, ruleset, *pair)["chips"] for pair in (("A", "C"), ("A", "D"))}
    assert told == {
        ("A", "C"): "4 not covered; A had 2 chips left to play for",
        ("A", "D"): "1 not covered; A had 0 chips left to play for",
    }


def test_strong_rows_against_a_foul() -> None:
    sevens = parse_arrangement("7c 7d 7h / 8c 8d 8h 2c 3d / Ac Ad Ah 4c 5d")
    foul = parse_arrangement("Ks Kh 2d / 3c 4d 6h 9s Js / 5c 6c Qd Ts 8s")
    ruleset = load("pagat-standard")
    done = settle(Table((Seat("A", sevens), Seat("B", foul))), ruleset)
    told = explain_pair(done, ruleset, "A", "B")
    assert told["front"] == "B's hand is foul; three sevens pay 3 instead of 1"
    assert told["middle"] == "B's hand is foul"


def test_fouls_and_surrenders_that_pay_nothing() -> None:
    done, ruleset = CASES["V26-two-four"]
    assert read_pair(draw(done, ruleset), "A", "B") == ["  both hands are foul"]
    name = "hawaiian-gardens, A surrenders before the showdown"
    done, ruleset = CASES[f"V26-{name}"]
    assert read_pair(draw(done, ruleset), "A", "B") == ["  A surrendered, B's hand is foul"]
    done, ruleset = CASES["V29-hawaiian-gardens, E and W surrender"]
    assert read_pair(draw(done, ruleset, explain=True), "E", "W") == ["  both surrendered"]


NOT_FOR_ONE = "rows={outcome: {3-0: 3, 2-1: 1, 2-0: 1, 1-0: 0}}"


def test_equal_rows_that_pay_nothing() -> None:
    one = parse_arrangement("As Kd Th / 8s 8d Qc 5h 3s / 9s 9d 6c 6d 2s")
    two = parse_arrangement("Ah Kc Tc / 8h 8c Qd 5s 3h / Js Jd 4c 4d 7s")
    table = Table((Seat("A", one), Seat("B", two)))
    for overrides, words in (((), "A: back -1"), ((NOT_FOR_ONE,), "the rows pay nothing")):
        ruleset = load("basic", *overrides)
        told = read_pair(draw(settle(table, ruleset), ruleset), "A", "B")
        assert told == [f"  {words}"]
    twin = parse_arrangement("Ah Kc Tc / 8h 8c Qd 5s 3h / 9h 9c 6s 6h 2h")
    ruleset = load("basic")
    done = settle(Table((Seat("A", one), Seat("B", twin))), ruleset)
    assert read_pair(draw(done, ruleset), "A", "B") == ["  all three rows are equal"]


def test_whose_sign_it_is() -> None:
    lines = draw(*CASES["V03-two-four"], explain=True, money=EURO)
    assert "Bob pays Amy 2 (0.50 EUR) (+ is for Amy)" in lines


def test_royalties_of_a_hand() -> None:
    """Open-face, usual table: queens in front 7, a straight in the back 2."""
    done, ruleset = CASES["V04-open-face"]
    assert "    royalties, won or lost: front 7, back 2" in draw(done, ruleset)
    done, ruleset = CASES["V15-singapore"]
    assert "   pays if it wins: back 7" in draw(done, ruleset)
