"""Settled deals in every mode and hands in every state, and what is told about them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from cp_cli.render import Paint, draw_settlement
from cp_cli.ruleset import Ruleset
from cp_cli.settlement import Money, Settlement, Table, settle
from tests.seating import seat_hands
from tests.test_settle_vectors import DEALS, SETTINGS, VECTORS, lay_table, load

EURO = Money(Decimal("0.25"), "EUR")
LONG_NAMES = {
    "A": "Bartholomew the Elder of Winterbourne",
    "B": "Bartholomew the Younger of Winterbourne",
    "C": "欧阳王小明司马诸葛上官皇甫令狐公孙慕容",
    "D": "a" * 90,
}


def draw(done: Settlement, ruleset: Ruleset, width: int = 80, **options: Any) -> list[str]:
    return list(draw_settlement(done, ruleset, Paint(width), **options))


def rename(table: Table, names: dict[str, str]) -> Table:
    seats = tuple(replace(seat, name=names.get(seat.name, seat.name)) for seat in table.seats)
    return replace(table, seats=seats)


# --- deals ---------------------------------------------------------------------------------------

CHIPS = dict.fromkeys("NESWABCD", 45)
OWNERS = {"N": "X", "E": "X", "S": "Y", "W": "Y"}
EVERYTHING = (
    "aces=[0, 1, 2, 6, 8]", "rake=2", "stakes={default: 10, cap: chips}", "overall.units=1",
    "royalties.paid=always",
)  # fmt: skip
THREE = {
    **DEALS["V12"]["hands"],
    "C": [row.split() for row in ("Js 9d 4c", "2s 2d 8c 7c 6c", "3s 3h Tc 9c 8d")],
}

THREE_ALIKE = {  # in front
    **DEALS["V09"]["hands"],
    "C": [row.split() for row in ("Ad Ks 5s", "2h 2c Qs Jd Tc", "3d 3c Qd Jc Th")],
}


def list_worked() -> Iterator[tuple[str, Table, Ruleset]]:
    """Yield the worked examples: what each is called, its table, its rules."""
    for deal in VECTORS["deals"]:
        for result in deal["results"]:
            if setting := SETTINGS.get(result["ruleset"]):
                gone = dict.fromkeys(setting.surrendered, True)
                table = replace(lay_table(deal["id"], surrendered=gone), banker=setting.banker)
                ruleset = load(setting.ruleset, *setting.overrides)
                yield f"{deal['id']}-{result['ruleset']}", table, ruleset


def list_others() -> Iterator[tuple[str, Table, Ruleset]]:
    """Yield deals of every mode, of names that are long, of chips that run out."""
    casino, ante = load("hawaiian-gardens"), load("ante")
    yield "chips", lay_table("M01", chips={"A": 8, "B": 20, "C": 20, "D": 20}), casino
    yield "jackpot", lay_table("M10"), casino
    yield "everything", lay_table("V06", chips=CHIPS), load("hawaiian-gardens", *EVERYTHING)
    yield "criss-cross", lay_table("V06", owner=OWNERS), load("one-six", "mode=criss_cross")
    yield "row pots", Table(seat_hands(THREE, chips=CHIPS)), ante
    yield "shared row pots", lay_table("V09"), ante
    yield "row pot for three", Table(seat_hands(THREE_ALIKE)), ante
    yield "foul row pots", lay_table("V26"), ante
    yield "all foul row pots", replace(lay_table("V26"), seats=lay_table("V26").seats[:2]), ante
    yield "sole winner", lay_table("V21"), load("sole-winner")
    carried = replace(lay_table("V35"), pot={"A": 2, "Zoe": 3})
    yield "carried", carried, load("sole-winner")
    race = load("first-to-11")
    yield "race", replace(lay_table("V21"), scores={"A": 7, "B": 9}), race
    yield "race goes on", lay_table("V06"), race
    inside = lay_table("V01", in_fantasyland={"A": True})
    yield "fantasyland", inside, load("progressive-pineapple")
    yield "long names", rename(lay_table("V21", chips=CHIPS), LONG_NAMES), load("taiwanese")
    yield "long names foul", rename(lay_table("V26"), LONG_NAMES), casino
    yield "long names pots", rename(lay_table("V21"), LONG_NAMES), ante


CASES: dict[str, tuple[Settlement, Ruleset]] = {
    name: (settle(table, ruleset), ruleset)
    for name, table, ruleset in (*list_worked(), *list_others())
}
every_case = pytest.mark.parametrize("name", CASES)
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


# --- what is told --------------------------------------------------------------------------------

AMOUNT = r"[+-]?\d+(?: \d+/\d+)?|[+-]?\d+/\d+"


def read_amount(text: str) -> Fraction:
    size = sum(map(Fraction, text.strip("+-").split()), Fraction(0))
    return -size if text.startswith("-") else size


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


def explain_pair(done: Settlement, ruleset: Ruleset, a: str, b: str) -> dict[str, str]:
    """Return the words of each line of a pair by its label."""
    told = read_pair(draw(done, ruleset, 1000, explain=True), a, b)
    found = [re.fullmatch(r"  ([a-z ]+?) {2,}([+-]?\d+ )? *(.+)", line) for line in told]
    return {match[1]: match[3] for match in found if match}
