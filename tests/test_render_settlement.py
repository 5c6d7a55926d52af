"""Settled deals as people read them: hands, the matrix, pairs, pots, events."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from cp_cli.render import DealTable, Paint, draw_settlement
from cp_cli.render.lines import measure_text
from cp_cli.settlement import Money, settle
from tests.rule_strategies import load_rules
from tests.settled_deals import (
    AMOUNT,
    CASES,
    CHIPS,
    EURO,
    LONG_NAMES,
    draw,
    every_case,
    every_pair,
    read_amount,
    read_pair,
    rename,
)
from tests.sizes import try_examples
from tests.table_strategies import Spec, build_table, draw_tables
from tests.test_settle_vectors import DEALS, lay_table, load

STYLED = re.compile(r"<[^<>]*>|</>")


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


@try_examples(200, 40)
@given(draw_tables())
def test_any_table_can_be_told(spec: Spec) -> None:
    """Random hands under random rules: lines fit, and say nothing that is for programs only."""
    ruleset = load_rules(spec["rules"])
    done = settle(build_table(spec), ruleset)
    short = DealTable(Paint(80)).draw(done, "1")
    for lines in (draw(done, ruleset), draw(done, ruleset, explain=True, money=EURO), short):
        assert [line for line in lines if measure_text(line) > 80] == []
        assert not re.search(r"None|\(\)|_|Fraction", "\n".join(lines))


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


def test_money_of_a_share_that_is_rounded() -> None:
    done, ruleset = CASES["row pots"]
    lines = draw(done, ruleset, money=EURO)
    assert any(line.startswith("back: A and B share it, 1 1/2 (about 0.38 EUR)") for line in lines)
    assert "middle: A takes 3 (0.75 EUR): two pair, aces and kings" in lines


def test_a_shared_row_pot() -> None:
    done, ruleset = CASES["shared row pots"]
    assert "front: A and B share it, 1 each: ace high" in draw(done, ruleset)
    done, ruleset = CASES["row pot for three"]
    lines = draw(done, ruleset, 200, money=EURO)
    assert "front: A, B and C share it, 1 (0.25 EUR) each: ace high" in lines
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
        *DealTable(Paint(80)).draw(done, "x\x1by"),
    ]
    assert [line for line in lines if not line.isprintable()] == []
    assert any("A?[31m?x" in line for line in lines)


def test_rendering_loads_no_compiler() -> None:
    heavy = ("numba", "rich", "click")
    code = f"import sys, cp_cli.render; print([n for n in {heavy} if n in sys.modules])"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("[]\n", "")
