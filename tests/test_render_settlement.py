"""Settled deals as people and programs read them: the words, the matrix, JSON and CSV."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.arrangement import ROW_NAMES, parse_arrangement
from cp_cli.cards import format_card, parse_cards
from cp_cli.render import (
    SETTLEMENT_COLUMNS,
    Paint,
    build_settlement_document,
    draw_settlement,
    draw_short_settlement,
    list_settlement_records,
)
from cp_cli.render.amounts import format_amount, format_money
from cp_cli.render.lines import glue_text, measure_text, shorten_names, wrap_text
from cp_cli.ruleset import Ruleset
from cp_cli.settlement import BEST, Money, Seat, Settlement, Table, Units, settle
from tests import naive
from tests.seating import seat_hands
from tests.test_settle_vectors import DEALS, SETTINGS, VECTORS, lay_table, load

EURO = Money(Decimal("0.25"), "EUR")
LONG_NAMES = {
    "A": "Bartholomew the Elder of Winterbourne",
    "B": "Bartholomew the Younger of Winterbourne",
    "C": "欧阳王小明司马诸葛上官皇甫令狐公孙慕容",
    "D": "a" * 90,
}
STYLED = re.compile(r"<[^<>]*>|</>")


def draw(done: Settlement, ruleset: Ruleset, width: int = 80, **options: Any) -> list[str]:
    return list(draw_settlement(done, ruleset, Paint(width), **options))


def settle_deal(deal_id: str, name: str, *overrides: str, **changes: Any) -> Settlement:
    """Settle a deal of the vectors; `changes` are fields of its seats by player."""
    return settle(lay_table(deal_id, **changes), load(name, *overrides))


def rename(table: Table, names: dict[str, str]) -> Table:
    seats = tuple(replace(seat, name=names.get(seat.name, seat.name)) for seat in table.seats)
    return replace(table, seats=seats)


# A deal in every mode, and hands in every state.
CASES: dict[str, tuple[Settlement, Ruleset]] = {}


def add_case(name: str, table: Table, ruleset: Ruleset) -> None:
    CASES[name] = settle(table, ruleset), ruleset


for deal in VECTORS["deals"]:
    for result in deal["results"]:
        if setting := SETTINGS.get(result["ruleset"]):
            gone = dict.fromkeys(setting.surrendered, True)
            table = replace(lay_table(deal["id"], surrendered=gone), banker=setting.banker)
            add_case(
                f"{deal['id']}-{result['ruleset']}",
                table,
                load(setting.ruleset, *setting.overrides),
            )
EVERYTHING = (
    "aces=[0, 1, 2, 6, 8]", "rake=2", "stakes={default: 10, cap: chips}", "overall.units=1",
    "royalties.paid=always",
)  # fmt: skip
CHIPS = dict.fromkeys("NESWABCD", 45)
OWNERS = {"N": "X", "E": "X", "S": "Y", "W": "Y"}
add_case("everything", lay_table("V06", chips=CHIPS), load("hawaiian-gardens", *EVERYTHING))
add_case("chips", lay_table("M01", chips={"A": 8, "B": 20, "C": 20, "D": 20}),
         load("hawaiian-gardens"))  # fmt: skip
add_case("criss-cross", lay_table("V06", owner=OWNERS), load("one-six", "mode=criss_cross"))
THREE = {
    **DEALS["V12"]["hands"],
    "C": [row.split() for row in ("Js 9d 4c", "2s 2d 8c 7c 6c", "3s 3h Tc 9c 8d")],
}
add_case("row pots", Table(seat_hands(THREE, chips=CHIPS)), load("ante"))
add_case("shared row pots", lay_table("V09"), load("ante"))
add_case("foul row pots", lay_table("V26"), load("ante"))
add_case("all foul row pots", replace(lay_table("V26"), seats=lay_table("V26").seats[:2]),
         load("ante"))  # fmt: skip
add_case("sole winner", lay_table("V21"), load("sole-winner"))
add_case("carried", replace(lay_table("V35"), pot={"A": 2, "Zoe": 3}), load("sole-winner"))
add_case("race", replace(lay_table("V21"), scores={"A": 7, "B": 9}), load("first-to-11"))
add_case("race goes on", lay_table("V06"), load("first-to-11"))
add_case("jackpot", lay_table("M10"), load("hawaiian-gardens"))
INSIDE = {"A": True}
add_case("fantasyland", lay_table("V01", in_fantasyland=INSIDE), load("progressive-pineapple"))
add_case("long names", rename(lay_table("V21", chips=CHIPS), LONG_NAMES), load("taiwanese"))
add_case("long names foul", rename(lay_table("V26"), LONG_NAMES), load("hawaiian-gardens"))
add_case("long names pots", rename(lay_table("V21"), LONG_NAMES), load("ante"))
every_case = pytest.mark.parametrize("name", CASES)


# --- amounts and lines ---------------------------------------------------------------------------


@given(st.integers(-999, 999), st.integers(1, 12), st.booleans())
def test_amounts_can_be_read_back(numerator: int, denominator: int, sign: bool) -> None:
    units = Fraction(numerator, denominator)
    text = format_amount(units, sign=sign)
    assert text.startswith("-" if units < 0 else "+" if sign and units else tuple("0123456789"))
    assert sum(map(Fraction, text.strip("+-").split())) == abs(units)


@pytest.mark.parametrize(
    ("units", "text"), [(3, "+0.75"), (-1, "-0.25"), (0, "0.00"), (Fraction(4, 3), "+0.33")]
)
def test_money_is_exact_to_the_cent(units: Units, text: str) -> None:
    assert format_money(units, EURO, sign=True) == text


TEXTS = st.text(st.sampled_from("ab W王é,\u0301"), max_size=120)


@given(TEXTS, st.integers(8, 30), st.sampled_from(["", "  "]))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int, indent: str) -> None:
    for whole in (text, glue_text(text)):
        lines = list(wrap_text(whole, width, indent, indent + "  "))
        assert all(measure_text(line) <= width for line in lines)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(line.startswith(indent) for line in lines)


def test_words_stay_together_where_they_can() -> None:
    text = f"{glue_text('front +1')}, {glue_text('middle -1')}"
    assert list(wrap_text(text, 14)) == ["front +1,", "middle -1"]
    assert list(wrap_text("王王王 王王", 8)) == ["王王王", "王王"]


NAMES = st.lists(
    st.text(st.sampled_from("ab王"), min_size=1, max_size=12), max_size=10, unique=True
)


@given(NAMES, st.integers(4, 12))
def test_short_names_can_be_told_apart(names: list[str], width: int) -> None:
    short = shorten_names(names, width)
    assert len(set(short)) == len(names)
    assert all(measure_text(name) <= width for name in short)
    assert all(s == n for s, n in zip(short, names, strict=True) if "…" not in s)


# --- every table ---------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("width", [80, 100])
def test_lines_fit(name: str, width: int) -> None:
    done, ruleset = CASES[name]
    for explain in (False, True):
        for money in (None, EURO):
            lines = draw(done, ruleset, width, explain=explain, money=money)
            assert [line for line in lines if measure_text(line) > width] == []


@every_case
def test_colours_change_no_text(name: str) -> None:
    done, ruleset = CASES[name]
    paint = Paint(80, lambda text, style: f"<{style}>{text}</>")
    styled = list(draw_settlement(done, ruleset, paint, explain=True, money=EURO))
    plain = draw(done, ruleset, explain=True, money=EURO)
    assert [STYLED.sub("", line) for line in styled] == plain
    assert styled != plain


@every_case
def test_hands_are_told(name: str) -> None:
    done, ruleset = CASES[name]
    lines = draw(done, ruleset)
    hands = "\n".join(lines[: lines.index("")])
    for hand in done.hands:
        if hand.arrangement:
            assert str(hand.arrangement) in hands
    told = Counter(re.findall(r"foul: |declares |surrenders", hands))
    assert told == Counter(
        {
            "foul: ": sum(hand.foul is not None for hand in done.hands),
            "declares ": sum(hand.natural is not None for hand in done.hands),
            "surrenders": sum(hand.surrendered for hand in done.hands),
        }
    ) - Counter({"": 1})


AMOUNT = r"[+-]?\d+(?: \d+/\d+)?|[+-]?\d+/\d+"


def read_amount(text: str) -> Fraction:
    size = sum(map(Fraction, text.strip("+-").split()), Fraction(0))
    return -size if text.startswith("-") else size


def read_transfers(lines: list[str]) -> Iterator[tuple[str, str, Fraction]]:
    """Yield payer, payee and units of the lines that settle a table."""
    if "nobody owes anything" in lines:
        return
    start = lines.index("to settle up") + 1
    for line in lines[start : lines.index("", start)]:
        found = re.fullmatch(rf"  (.+) pays (.+?) ({AMOUNT})", line)
        assert found, line
        yield found[1], found[2], read_amount(found[3])


@every_case
def test_transfers_settle_the_table(name: str) -> None:
    done, ruleset = CASES[name]
    rest = {player.name: Fraction(player.units) for player in done.players}
    rest["the house"] = Fraction(done.house)
    for payer, payee, units in read_transfers(draw(done, ruleset, 500)):
        assert units > 0
        rest[payer] += units
        rest[payee] -= units
    assert set(rest.values()) == {0}


# --- the matrix and the pairs, against the worked examples ---------------------------------------

PAIRED = [
    (deal["id"], result)
    for deal in VECTORS["deals"]
    for result in deal["results"]
    if result["ruleset"] in SETTINGS and result["pairs"]
]
every_pair = pytest.mark.parametrize(
    ("deal_id", "expected"),
    [pytest.param(each, result, id=f"{each}-{result['ruleset']}") for each, result in PAIRED],
)


@every_pair
def test_matrix_shows_the_units_of_pairs(deal_id: str, expected: dict[str, Any]) -> None:
    done, ruleset = CASES[f"{deal_id}-{expected['ruleset']}"]
    names = list(DEALS[deal_id]["hands"])
    lines = draw(done, ruleset)
    (head,) = [at for at, line in enumerate(lines) if line.split() == [*names, "units"]]
    ends = [lines[head].index(f" {name}") + 1 + len(name) for name in (*names, "units")]
    for row, line in zip(names, lines[head + 1 :], strict=False):
        assert line.startswith(f"{row} ")
        starts = [len(row), *ends]
        cells = [line[a:b].strip() for a, b in zip(starts, ends, strict=False)]
        for column, cell in zip(names, cells, strict=False):
            if row == column:
                assert cell == "."
            elif f"{row}-{column}" in expected["pairs"]:
                assert int(cell) == expected["pairs"][f"{row}-{column}"]
            elif f"{column}-{row}" in expected["pairs"]:
                assert int(cell) == -expected["pairs"][f"{column}-{row}"]
            else:
                assert cell == ""
        assert int(cells[-1]) == expected["totals"][row]


@every_pair
def test_pairs_say_who_pays(deal_id: str, expected: dict[str, Any]) -> None:
    done, ruleset = CASES[f"{deal_id}-{expected['ruleset']}"]
    lines = draw(done, ruleset, money=EURO)
    for pair, units in expected["pairs"].items():
        a, b = pair.split("-")
        payer, payee = (b, a) if units > 0 else (a, b)
        told = f"{payer} pays {payee} {abs(units)} ({abs(units) / 4:.2f} EUR)"
        assert (told if units else f"{a} and {b}: nothing") in lines


def test_names_in_a_wide_matrix() -> None:
    """Chips are told below it before names become too short to be known."""
    table = rename(lay_table("V21", chips=CHIPS), LONG_NAMES)
    stakes = {frozenset((LONG_NAMES["A"], LONG_NAMES["B"])): 1_000_000}
    ruleset = load("taiwanese")
    lines = draw(settle(replace(table, stakes=stakes), ruleset), ruleset, money=EURO)
    (head,) = [line.split() for line in lines if line.endswith("EUR")]
    assert len(head) == 6
    assert head[0].startswith("Bart")
    assert len(set(head)) == 6
    told = " ".join(" ".join(lines).split())
    assert f"chips: {LONG_NAMES['A']} 45 -> 12000069, " in told


def read_pair(lines: list[str], a: str, b: str) -> list[str]:
    """Return the lines below the headline of a pair, unwrapped where an explanation goes on."""
    heads = (f"{a} pays {b} ", f"{b} pays {a} ", f"{a} and {b}: nothing")
    start = next(at for at, line in enumerate(lines) if line.startswith(heads))
    told: list[str] = []
    for line in lines[start + 1 :]:
        if not line.startswith("  "):
            break
        told.append(line)
    return told


@every_case
@pytest.mark.parametrize("explain", [False, True])
def test_items_of_a_pair_add_up(name: str, explain: bool) -> None:
    done, ruleset = CASES[name]
    lines = draw(done, ruleset, 1000, explain=explain)
    for pair in done.pairs:
        told = read_pair(lines, pair.a.name, pair.b.name)
        if explain:
            found = [re.match(r"  [a-z ]+? +([+-]?\d+)  ", line) for line in told]
            amounts = [match[1] for match in found if match]
        else:
            amounts = re.findall(r"(?:[a-z]) ([+-]\d+)(?=,| \(|$)", " ".join(told))
        assert sum(map(int, amounts)) == pair.units


# --- explanations --------------------------------------------------------------------------------


def explain_pair(done: Settlement, ruleset: Ruleset, a: str, b: str) -> dict[str, str]:
    """Return the words of each line of a pair by its label."""
    told = read_pair(draw(done, ruleset, 1000, explain=True), a, b)
    found = [re.fullmatch(r"  ([a-z ]+?) {2,}([+-]?\d+ )? *(.+)", line) for line in told]
    return {match[1]: match[3] for match in found if match}


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
                assert re.fullmatch(r"(.+) equals \1, nobody wins", told[row])


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
        "B wins: two pair, kings and sixes beats two pair, nines and eights",
    ),
    "a card decides": (  # A-K-5 against A-J-4 in front
        lambda: check_row("V04", "P3", "P4", "front", "basic"),
        "P4 wins: ace high beats ace high by the second card: king over jack",
    ),
    "equal": (
        lambda: check_row("V12", "A", "B", "back", "pagat-standard"),
        "straight flush, nine high equals straight flush, nine high, nobody wins",
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
        "B wins: three sevens beats three sixes; the royalties cancel",
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
        "A's six pairs beats three flushes; the difference is paid, 4 less 3",
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


def tell_clash(*rules: str) -> str:
    name, *overrides = rules
    pairs = parse_cards("2d 2c 3h 3c 4h 4d 5h 5c 6d 6c 7h 7c As")
    flushes = parse_cards("2s 3s 9s 8d Td Qd Kd Ad 8h Th Jh Qh Ah")
    ruleset = load(name, *overrides)
    seats = (Seat("A", cards=pairs, natural=BEST), Seat("B", cards=flushes, natural=BEST))
    done = settle(Table(seats), ruleset)
    return explain_pair(done, ruleset, "A", "B")["natural"]


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


def test_fouls_and_surrenders_that_pay_nothing() -> None:
    done, ruleset = CASES["V26-two-four"]
    assert read_pair(draw(done, ruleset), "A", "B") == ["  both hands are foul"]
    name = "hawaiian-gardens, A surrenders before the showdown"
    done, ruleset = CASES[f"V26-{name}"]
    assert read_pair(draw(done, ruleset), "A", "B") == ["  A surrendered, B's hand is foul"]
    done, ruleset = CASES["V29-hawaiian-gardens, E and W surrender"]
    assert read_pair(draw(done, ruleset, explain=True), "E", "W") == ["  both surrendered"]


def test_royalties_of_a_hand() -> None:
    """Open-face, usual table: queens in front 7, a straight in the back 2."""
    done, ruleset = CASES["V04-open-face"]
    assert "    royalties, won or lost: front 7, back 2" in draw(done, ruleset)
    done, ruleset = CASES["V15-singapore"]
    assert "   pays if it wins: back 7" in draw(done, ruleset)


# --- deals without pairs -------------------------------------------------------------------------


def test_row_pots_are_told_with_their_shares() -> None:
    """Three antes of 3: each row is worth 3; A takes two and shares the third with B."""
    done, ruleset = CASES["row pots"]
    lines = draw(done, ruleset)
    assert "front: A takes 3: pair of queens" in lines
    assert "back: A and B share it, 1 1/2 each: straight flush, nine high" in lines
    assert "A: ante -3, front +3, middle +3, back +1 1/2" in lines
    told = [line.split(maxsplit=1) for line in lines]
    assert ["A", "+4 1/2  45 -> 49 1/2"] in told
    assert ["B", "-1 1/2  45 -> 43 1/2"] in told
    assert "  B pays A 1 1/2" in lines
    explained = draw(done, ruleset, explain=True)
    assert "front: A takes 3: pair of queens beats pair of jacks (B)" in explained


def test_a_shared_row_pot() -> None:
    done, ruleset = CASES["shared row pots"]
    assert "front: A and B share it, 1 each: ace high" in draw(done, ruleset)
    done, ruleset = CASES["all foul row pots"]
    assert "front: no legal hand; 1 back to each" in draw(done, ruleset)


def test_the_pot_of_a_sole_winner() -> None:
    done, ruleset = CASES["sole winner"]
    lines = draw(done, ruleset, explain=True)
    assert "A wins the pot of 4: beats everybody in two rows or more" in lines
    assert "rows: A 3, B 0" in lines
    assert "rows: B 2, C 1" in lines
    done, ruleset = CASES["carried"]
    lines = draw(done, ruleset, 200)
    assert "the pot of 9 is carried: A 3, B 1, C 1, D 1, Zoe 3" in lines
    assert "nobody owes anything" in lines


def test_points_of_a_race() -> None:
    """V21: A takes all three rows of four players, so four points, and 7 + 4 = 11."""
    done, ruleset = CASES["race"]
    lines = draw(done, ruleset)
    assert "front: a point for A: pair of queens" in lines
    assert "A has all three rows: a fourth point" in lines
    assert "A wins the game with 11 points" in lines
    assert ["A", "4", "11"] in [line.split() for line in lines]
    assert ["B", "0", "9"] in [line.split() for line in lines]
    done, ruleset = CASES["race goes on"]
    assert "the game goes to 11 points" in draw(done, ruleset)


def test_criss_cross_is_told_by_hand_and_by_player() -> None:
    """One-six: N and E each lose 1 to S and win 6 of W, so X has 10."""
    done, ruleset = CASES["criss-cross"]
    lines = draw(done, ruleset)
    assert ["N", ".", "-1", "+6", "+5"] in [line.split() for line in lines]
    assert ["X", "+10"] in [line.split() for line in lines]
    assert "W pays E 6" in lines
    assert "  Y pays X 10" in lines


def test_events() -> None:
    lines = draw(*CASES["V04-open-face"])
    assert "P1 enters fantasyland: 13 cards" in lines
    assert not any("stays" in line for line in lines)
    assert "A stays in fantasyland: 14 cards" in draw(*CASES["fantasyland"])
    lines = draw(*CASES["jackpot"])
    assert "jackpot: A's three strong rows all lost to one player" in lines
    lines = draw(*CASES["everything"], money=EURO)
    assert "the house takes 8 (2.00 EUR)" in lines
    assert "rake: 2 from each player" in lines
    lines = draw(*CASES["V30-basic, A is bank"], 200)
    assert (
        "read a line: what its player gets from each player above; all settle with the bank, A"
        in lines
    )


def test_short_lines() -> None:
    def draw_short(name: str, label: str | None = None, money: Money | None = None) -> list[str]:
        return list(draw_short_settlement(CASES[name][0], label, Paint(80), money))

    assert draw_short("V03-two-four", "17") == ["17  Amy +2, Bob -2"]
    assert draw_short("V03-two-four", None, EURO) == ["Amy +2 (+0.50 EUR), Bob -2 (-0.50 EUR)"]
    assert draw_short("V25-two-four") == ["A -8 foul, B 0, C +8"]
    assert draw_short("race") == ["A 4 (11), B 0 (9), C 0 (0), D 0 (0), A wins"]
    assert draw_short("carried") == ["A 0, B 0, C 0, D 0, Zoe 0, pot 9"]
    assert max(map(measure_text, draw_short("long names", "a\tb"))) <= 80


def test_names_cannot_command_a_terminal() -> None:
    names = {"A": "A\x1b[31m\nx", "B": "B\u202eb\x07", "C": "C\rc"}
    table = rename(lay_table("V26"), names)
    ruleset = load("hawaiian-gardens", "rake=1")
    done = settle(replace(table, dealer=names["A"]), ruleset)
    done = replace(done, notes=(*done.notes, "note\x1b of C\rc"))
    money = Money(Decimal(1), "E\x1bUR")
    lines = [
        *draw(done, ruleset, money=money),
        *draw(done, ruleset, explain=True),
        *draw_short_settlement(done, "x\x1by", Paint(80), money),
    ]
    assert [line for line in lines if not line.isprintable()] == []
    assert any("A?[31m?x" in line for line in lines)


# --- documents -----------------------------------------------------------------------------------

HAND_KEYS = {
    *("foul", "natural", "surrendered", "front", "middle", "back", "names", "royalties"),
    "fantasyland",
}
PLAYER_KEYS = {"name", "units", "chips", "chips_before", "items"}
TOP_KEYS = {
    *("ruleset", "players", "pairs", "transfers", "banker", "house", "pot", "winner", "jackpot"),
    "notes",
}


@every_case
def test_document_adds_up(name: str) -> None:
    done, ruleset = CASES[name]
    document = build_settlement_document(done, ruleset)
    assert document.keys() == TOP_KEYS
    units = {player["name"]: player["units"] for player in document["players"]}
    sums = dict.fromkeys(units, 0.0)
    for player in document["players"]:
        sums[player["name"]] += sum(item["units"] for item in player["items"])
    for pair in document["pairs"]:
        assert sum(item["units"] for item in pair["items"]) == pair["units"]
        sums[pair["a"]] += pair["units"]
        sums[pair["b"]] -= pair["units"]
        for item in pair["items"]:
            assert item.keys() == {"reason", "row", "units"}
            assert item["row"] in (None, *ROW_NAMES)
    assert sums == pytest.approx(units)
    assert sum(units.values()) == pytest.approx(-document["house"])
    for transfer in document["transfers"]:
        sums[transfer["from"]] += transfer["units"]
        if transfer["to"] != "house":
            sums[transfer["to"]] -= transfer["units"]
    assert sums == pytest.approx(dict.fromkeys(units, 0), abs=1e-9)


@every_pair
def test_document_has_the_worked_units(deal_id: str, expected: dict[str, Any]) -> None:
    done, ruleset = CASES[f"{deal_id}-{expected['ruleset']}"]
    document = build_settlement_document(done, ruleset)
    pairs = {f"{pair['a']}-{pair['b']}": pair["units"] for pair in document["pairs"]}
    assert pairs == expected["pairs"]
    assert {each["name"]: each["units"] for each in document["players"]} == expected["totals"]


@every_case
def test_document_tells_the_hands(name: str) -> None:
    done, ruleset = CASES[name]
    document = build_settlement_document(done, ruleset, explain=True, label="deal 7")
    assert document["id"] == "deal 7"
    crossed = ruleset.mode == "criss_cross"
    extra = {"hands"} if crossed else HAND_KEYS
    extra = extra | ({"points", "score"} if ruleset.mode == "race" else set())
    told: dict[str, Any] = {}
    for player in document["players"]:
        own = {"foul", "natural", "surrendered"} if crossed else set()
        assert player.keys() == PLAYER_KEYS | extra | own
        told |= {hand["name"]: hand for hand in player.get("hands", [player])}
    for hand in done.hands:
        words = told[hand.name]
        assert words["foul"] == hand.foul
        assert words["surrendered"] is hand.surrendered
        assert words["natural"] == (hand.natural[0].value if hand.natural else None)
        if hand.arrangement:
            cards = [[format_card(card) for card in row] for row in hand.arrangement.rows]
            assert [words[row] for row in ROW_NAMES] == cards
            assert words["names"].keys() == set(ROW_NAMES)
        assert tuple(words["royalties"].values()) == hand.royalties
    items = [item for pair in document["pairs"] for item in pair["items"]]
    assert all(item["text"] for item in items)
    plain = {key: value for key, value in document.items() if key not in ("id", "pairs")}
    assert {**plain, "pairs": 0} == {**build_settlement_document(done, ruleset), "pairs": 0}


def test_document_of_hands_without_rows() -> None:
    table = lay_table("V22")
    cards = table.seats[3].held
    seats = (*table.seats[:3], replace(table.seats[3], arrangement=None, cards=cards))
    ruleset = load("taiwanese")
    document = build_settlement_document(settle(replace(table, seats=seats), ruleset), ruleset)
    player = document["players"][3]
    assert player["natural"] == "six_pairs"
    assert [player[key] for key in ("front", "middle", "back", "names")] == [None] * 4


def test_document_of_a_crossed_deal() -> None:
    settled, ruleset = CASES["criss-cross"]
    document = build_settlement_document(settled, ruleset)
    assert [player["name"] for player in document["players"]] == ["X", "Y"]
    assert [hand["name"] for hand in document["players"][0]["hands"]] == ["N", "E"]
    pairs = {(pair["a_hand"], pair["b_hand"]): pair for pair in document["pairs"]}
    assert pairs["N", "W"]["units"] == 6
    assert {(pair["a"], pair["b"]) for pair in pairs.values()} == {("X", "Y")}


def test_money_in_documents() -> None:
    done, ruleset = CASES["everything"]
    document = build_settlement_document(done, ruleset, money=EURO)
    assert (document["unit"], document["currency"]) == (0.25, "EUR")
    for each in (*document["players"], *document["pairs"], *document["transfers"]):
        assert each["money"] == each["units"] / 4


def test_document_of_pots_and_races() -> None:
    document = build_settlement_document(*CASES["carried"])
    assert document["pot"] == {"A": 3, "B": 1, "C": 1, "D": 1, "Zoe": 3}
    assert (document["winner"], document["pairs"], document["transfers"]) == (None, [], [])
    assert document["players"][4]["front"] is None
    document = build_settlement_document(*CASES["race"])
    assert document["winner"] == "A"
    assert [(each["points"], each["score"]) for each in document["players"]][:2] == [
        (4, 11),
        (0, 9),
    ]
    document = build_settlement_document(*CASES["row pots"])
    assert [each["units"] for each in document["players"]] == [4.5, -1.5, -3]
    document = build_settlement_document(*CASES["jackpot"])
    assert document["jackpot"] == ["A"]
    document = build_settlement_document(*CASES["chips"])
    chips = [(each["chips_before"], each["chips"]) for each in document["players"]]
    assert chips == [(8, 12), (20, 2), (20, 29), (20, 25)]
    document = build_settlement_document(*CASES["V04-open-face"])
    assert document["players"][0]["fantasyland"] == {"cards": 13, "stays": False}
    assert document["players"][1]["fantasyland"] is None


@every_case
def test_records_add_up(name: str) -> None:
    done, _ = CASES[name]
    sums: dict[str, float] = {player.name: 0.0 for player in done.players}
    between: Counter[tuple[str, str]] = Counter()
    for record in list_settlement_records(done, "7"):
        fields: dict[str, Any] = dict(zip(SETTLEMENT_COLUMNS, record, strict=True))
        assert fields["deal"] == "7"
        sums[fields["player"]] += fields["units"]
        if fields["opponent"]:
            between[fields["player"], fields["opponent"]] += fields["units"]
        else:
            assert fields["reason"] in ("ante", "pot", "rake")
    assert sums == pytest.approx({player.name: float(player.units) for player in done.players})
    assert all(between[b, a] == -units for (a, b), units in list(between.items()))
    if done.pairs:
        assert any(between.values())


def test_rendering_loads_no_compiler() -> None:
    heavy = ("numba", "rich", "click")
    code = f"import sys, cp_cli.render; print([n for n in {heavy} if n in sys.modules])"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("[]\n", "")
