"""Many deals in a table: a line each, units under the names, what happened beside them."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.render import DealTable, Paint
from cp_cli.render.lines import measure_text
from cp_cli.render.settlement_table import list_events
from cp_cli.settlement import BEST, Player, Settlement, Units, settle
from tests.settled_deals import CASES, LONG_NAMES, every_case
from tests.test_settle_vectors import lay_table, load


def make_deal(**units: Units) -> Settlement:
    return Settlement((), (), tuple(Player(name, won) for name, won in units.items()))


def draw_all(*deals: Settlement, width: int = 80) -> list[str]:
    table = DealTable(Paint(width))
    return [
        line for at, deal in enumerate(deals, start=1) for line in table.draw(deal, f"deal {at}")
    ]


def read_cells(header: str, line: str) -> dict[str, str]:
    """Return what stands under each name: a column ends where its name does."""
    cells, start = {}, len("deal 1000")
    for name in header.split():
        end = header.index(f" {name}", start - 1) + 1 + len(name)
        cells[name] = line[start:end].strip()
        start = end
    return cells


# --- columns -------------------------------------------------------------------------------------


def test_a_header_and_a_line_for_each_deal() -> None:
    assert draw_all(make_deal(Amy=2, Bob=-2), make_deal(Amy=-12, Bob=12)) == [
        "             Amy    Bob",
        "deal 1        +2     -2",
        "deal 2       -12    +12",
    ]


def test_columns_keep_their_order() -> None:
    """The same players in other seats stay where they were."""
    lines = draw_all(make_deal(Amy=2, Bob=-2), make_deal(Bob=7, Amy=-7))
    assert lines[2:] == ["deal 2        -7     +7"]


def test_others_sit_down() -> None:
    lines = draw_all(
        make_deal(Amy=2, Bob=-2), make_deal(Amy=1, Cat=-1), make_deal(Amy=3, Cat=-3),
        make_deal(Amy=1, Cat=1, Bob=-2),
    )  # fmt: skip
    heads = [line.split() for line in lines if not line.startswith("deal")]
    assert heads == [["Amy", "Bob"], ["Amy", "Cat"], ["Amy", "Cat", "Bob"]]
    assert [line[:6] for line in lines] == [
        *("      ", "deal 1", "      ", "deal 2", "deal 3", "      ", "deal 4")
    ]


def test_a_column_becomes_wider() -> None:
    lines = draw_all(
        make_deal(A=1, B=-1), make_deal(A=1_000_000, B=-1_000_000), make_deal(A=1, B=-1)
    )
    assert [line.split() for line in lines[:4:2]] == [["A", "B"]] * 2
    assert read_cells(lines[2], lines[3]) == {"A": "+1000000", "B": "-1000000"}
    assert read_cells(lines[2], lines[4]) == {"A": "+1", "B": "-1"}


AMOUNTS = st.integers(-(10**7), 10**7) | st.fractions(-50, 50, max_denominator=12)
DEALS = st.lists(
    st.dictionaries(st.sampled_from(["Amy", "Bob", "Cat", "Dan", "Eva"]), AMOUNTS, min_size=2,
                    max_size=4), min_size=1, max_size=6)  # fmt: skip


@given(DEALS)
def test_every_amount_stands_under_its_name(deals: list[dict[str, Units]]) -> None:
    table = DealTable(Paint(80))
    header = ""
    for number, units in enumerate(deals, start=1):
        *first, line = table.draw(make_deal(**units), f"deal {number}")
        header = first[0] if first else header
        assert header
        assert line.startswith(f"deal {number} ")
        assert max(map(measure_text, [*first, line])) <= 80
        told = {
            name: sum(map(Fraction, cell.lstrip("+-").split())) * (-1 if cell[0] == "-" else 1)
            for name, cell in read_cells(header, line).items()
        }
        assert told == units


def test_names_are_shortened_to_leave_room_for_words() -> None:
    names = list(LONG_NAMES.values())
    done = CASES["long names"][0]
    for label in (None, "deal 17", "a label that is longer than any column should be"):
        header, line = DealTable(Paint(80)).draw(done, label)
        assert max(measure_text(header), measure_text(line)) <= 80
        short = header.split()
        assert len(set(short)) == 4
        assert all(name[:3] == head[:3] for name, head in zip(names[:2], short, strict=False))
    assert line.startswith("a label th…")


@every_case
@pytest.mark.parametrize("width", [80, 60])
def test_lines_fit(name: str, width: int) -> None:
    lines = DealTable(Paint(width)).draw(CASES[name][0], "deal 1000")
    assert max(map(measure_text, lines)) <= width


def test_many_who_have_a_stake_in_the_pot() -> None:
    lines = draw_all(make_deal(**{f"Player{at}": 0 for at in range(11)}))
    assert len(set(lines[0].split())) == 11
    assert lines[1].split()[2:] == ["0"] * 11
    assert max(map(measure_text, lines)) <= 80


def test_the_header_is_bold() -> None:
    paint = Paint(80, lambda text, style: f"<{style}>{text}</>")
    header, line = DealTable(paint).draw(make_deal(A=1, B=-1), "deal 1")
    assert header.startswith("<bold>")
    assert "<" not in line


# --- what happened -------------------------------------------------------------------------------

EVENTS = {
    "V03-two-four": [],
    "V25-two-four": ["A foul"],
    "V22-taiwanese": ["D six pairs"],
    "V26-hawaiian-gardens, A surrenders before the showdown": ["A surrenders", "B foul"],
    "V04-open-face": ["P1 enters fantasyland"],
    "fantasyland": ["A stays in fantasyland", "B enters fantasyland"],
    "jackpot": ["jackpot: A"],
    "chips": ["chips used up: A"],
    "race": ["A wins the game"],
    "race goes on": [],
    "sole winner": ["A wins the pot"],
    "carried": ["pot 9"],
}


@pytest.mark.parametrize("name", EVENTS)
def test_what_happened_in_a_deal(name: str) -> None:
    done = CASES[name][0]
    assert list(list_events(done)) == EVENTS[name]
    _, line = DealTable(Paint(120)).draw(done, "deal 1")
    assert line.endswith(f"  {'; '.join(EVENTS[name])}" if EVENTS[name] else line.split()[-1])


def test_points_of_a_race() -> None:
    """V21: A has four points and 7 before; B none and 9 before."""
    header, line = DealTable(Paint(80)).draw(CASES["race"][0], "deal 1")
    cells = read_cells(header, line.removesuffix("  A wins the game"))
    assert cells == {"A": "4 (11)", "B": "0 (9)", "C": "0 (0)", "D": "0 (0)"}


def test_chips_that_are_gone_and_chips_that_did_not_cover() -> None:
    """E has but one, and loses it."""
    table = lay_table("V06", chips={"N": 100, "E": 1, "S": 100, "W": 100})
    ruleset = load("one-six", "stakes={cap: chips}")
    done = settle(table, ruleset)
    broke = [player.name for player in done.players if player.chips == 0]
    assert broke == ["E"]
    assert "chips used up: E" in list(list_events(done))
    free = settle(replace(table, seats=lay_table("V06").seats), ruleset)
    assert list(list_events(free)) == []


def test_a_long_list_of_events_goes_on_below() -> None:
    table = lay_table("V23")
    seats = [replace(seat, natural=BEST if seat.name in "AB" else None) for seat in table.seats]
    done = settle(replace(table, seats=tuple(seats)), load("pagat-standard"))
    assert list(list_events(done)) == ["A dragon", "B six pairs"]
    _, *lines = DealTable(Paint(50)).draw(replace(done, jackpot=("C", "D")), "deal 1")
    assert lines[1:] == ["    B six pairs; jackpot: C, D"]
    assert lines[0].endswith("  A dragon;")
