"""Simulations on the page: bars, tables, documents, exact naturals."""

import csv
import io
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.arrangement import Natural, parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.render import (
    NATURAL_COLUMNS,
    SIMULATION_COLUMNS,
    Paint,
    build_natural_document,
    build_simulation_document,
    draw_naturals,
    draw_simulation,
    list_natural_records,
    list_simulation_records,
    open_page_paint,
    write_page,
)
from cp_cli.render.distribution import Histogram, draw_distribution, list_bars
from cp_cli.render.lines import measure_text
from cp_cli.render.progress import RunProgress, describe_standing
from cp_cli.ruleset import load_ruleset
from cp_cli.simulation.natural_chances import NaturalCount, NaturalCounts
from cp_cli.simulation.plan import Request
from cp_cli.simulation.results import Entry, Estimate, Simulation
from cp_cli.simulation.ruin import Ruin
from cp_cli.simulation.run import Standing

TWO_FOUR = load_ruleset("two-four")
SPLIT = parse_arrangement("Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s")
OTHER = parse_arrangement("9h 3c 2h / Qs Qh Js Jd 8c / As Ks 6s 5s 3s")
FOUL = parse_arrangement("Qs Qh 9h / Js Jd 8c 3c 2h / As Ks 6s 5s 3s")
ENTRY = Entry(
    label=str(SPLIT),
    exact=False,
    role=None,
    action="play",
    arrangement=SPLIT,
    deals=200,
    units=Estimate(0.25, 0.05),
    sd=2.5,
    quantiles=(-4.0, 2.0, 4.0),
    win=(0.75, 0.5, 0.25),
    tie=(0.05, 0.0, 0.0004),
    lose=(0.2, 0.5, 0.7496),
    scoop=0.125,
    scooped=0.0625,
    home_run=0.0,
    home_run_against=0.03,
    royalties=0.0,
    declared=0.0,
    fouled=0.0,
    surrendered=0.0,
    reasons=(("row", 0.15), ("overall", 0.1)),
    histogram=((-4.0, 50), (-2.0, 25), (2.0, 100), (4.0, 25)),
)
REQUEST = Request(TWO_FOUR, 3, (SPLIT,))
SIMULATION = Simulation(TWO_FOUR, 7, 4, 200, 100, 1.5, (ENTRY,), "deals")
CAST = Request(TWO_FOUR, 3)


def draw(simulation: Simulation, request: Request, width: int = 80) -> str:
    """Return what is printed, without colours."""
    return "\n".join(draw_simulation(simulation, request, Paint(width)))


# --- bars ----------------------------------------------------------------------------------------

histograms = st.dictionaries(
    st.integers(-400, 400).map(float) | st.integers(-60, 60).map(lambda third: third / 3),
    st.integers(1, 1000),
    min_size=1,
    max_size=120,
).map(lambda units: sorted(units.items()))


@given(histograms, st.integers(5, 20))
def test_every_deal_is_in_one_bar(histogram: Histogram, most: int) -> None:
    bars = list_bars(histogram, most)
    assert len(bars) <= most
    assert sum(bar.count for bar in bars) == sum(count for _, count in histogram)
    for side in (-1, 0, 1):
        expected = sum(count for units, count in histogram if (units > 0) - (units < 0) == side)
        assert sum(bar.count for bar in bars if bar.side == side) == expected
    assert [bar.side for bar in bars] == sorted(bar.side for bar in bars)


@given(st.lists(st.integers(1, 50), min_size=40, max_size=90), st.integers(-60, 20))
def test_bars_say_which_units_they_hold(counts: list[int], lowest: int) -> None:
    histogram = [(float(lowest + at), count) for at, count in enumerate(counts)]
    bars = list_bars(histogram)
    for bar in bars:
        low, high = read_label(bar.label)
        held = sum(count for units, count in histogram if low <= units <= high)
        assert bar.count == held


def read_label(label: str) -> tuple[float, float]:
    """Return the lowest and the highest units that a label names."""
    numbers = [float(number) for number in re.findall(r"[+-]?\d+", label)]
    if label.endswith("or more"):
        return numbers[0], math.inf
    if label.endswith("or less"):
        return -math.inf, numbers[0]
    return numbers[0], numbers[-1]


@given(histograms, st.integers(30, 160))
def test_a_chart_fits_the_terminal(histogram: Histogram, width: int) -> None:
    lines = list(draw_distribution(histogram, "units", Paint(width)))
    assert lines[0].startswith("units a deal")
    assert max(map(measure_text, lines)) <= max(width, 45)
    longest = max(line.count("█") for line in lines)
    assert longest >= 8


def test_the_length_of_a_bar_is_its_share() -> None:
    lines = list(draw_distribution([(-1.0, 1), (0.0, 400), (3.0, 200)], "units", Paint(80)))
    assert [line.split()[0] for line in lines[1:]] == ["-1", "0", "+3"]
    assert [line.split()[1] for line in lines[1:]] == ["0.2%", "66.6%", "33.3%"]
    bars = [line.split()[2] for line in lines[1:]]
    assert bars[0] == "▏"
    assert len(bars[1]) in (2 * len(bars[2]), 2 * len(bars[2]) - 1)


# --- tables --------------------------------------------------------------------------------------


def test_one_split_is_told_in_full() -> None:
    text = draw(SIMULATION, REQUEST)
    lines = text.splitlines()
    assert lines[:3] == [
        str(SPLIT),
        "against 3 opponents (equilibrium) under two-four",
        "200 deals from 100 packs of cards; seed 7",
    ]
    assert "EV +0.250 units a deal ± 0.050, 95% +0.152 to +0.348" in lines
    assert "front        75.0%    5.0%   20.0%      rows             +0.150" in lines
    assert "back         25.0%   <0.1%   75.0%      together         +0.250" in lines
    assert "home run      0.0%            3.0%" in lines
    assert "royalties change" not in text
    assert "quantiles of the units of a deal: 5% -4," in text
    assert "risk of ruin" not in text


@pytest.mark.parametrize("width", [50, 64, 80, 132])
def test_tables_fit_the_terminal(width: int) -> None:
    second = replace(ENTRY, label=str(OTHER), arrangement=OTHER, difference=Estimate(-0.1, 0.02))
    several = replace(SIMULATION, entries=(ENTRY, *[second] * 7))
    requests = (REQUEST, replace(REQUEST, subjects=(SPLIT, *[OTHER] * 7)))
    for simulation, request in zip((SIMULATION, several), requests, strict=True):
        lines = draw(simulation, request, width).splitlines()
        assert max(map(measure_text, lines)) <= width
    assert ("columns for the first" in draw(several, requests[1], width)) == (width < 120)


def test_several_splits_are_compared() -> None:
    second = replace(
        *(ENTRY,),
        label=str(OTHER),
        arrangement=OTHER,
        units=Estimate(-1.0, 0.25),
        difference=Estimate(-1.25, 0.125),
        reasons=(("row", -1.25), ("natural", 0.25)),
        declared=0.5,
    )
    text = draw(
        replace(SIMULATION, entries=(ENTRY, second)), replace(REQUEST, subjects=(SPLIT, OTHER))
    )
    lines = text.splitlines()
    assert lines[0] == "2 ways to set As Ks Qs Qh Js Jd 9h 8c 6s 5s 3s 3c 2h"
    assert f"1  {SPLIT}  +0.250 ± 0.050" in lines
    assert f"2  {OTHER}  -1.000 ± 0.250    -1.250 ± 0.125" in lines
    assert "front % won/lost       75.0/20.0   75.0/20.0" in lines
    assert "declared % of hands          0.0        50.0" in lines
    assert "from overall              +0.100      +0.000" in lines
    assert "from natural              +0.000      +0.250" in lines
    assert "5% / 95% quantile          -4/+4       -4/+4" in lines
    assert "tied % F/M/B         5.0/0.0/0.0 5.0/0.0/0.0" in lines
    assert len(lines) <= 40


def test_cards_tell_how_they_are_set() -> None:
    entry = replace(ENTRY, label="equilibrium")
    request = replace(REQUEST, subjects=(SPLIT.cards,))
    lines = draw(replace(SIMULATION, entries=(entry,)), request).splitlines()
    assert lines[0].endswith(", set by equilibrium")
    assert f"set as {SPLIT}" in lines
    entry = replace(entry, action="declare", arrangement=None)
    assert "always: declare" in draw(replace(SIMULATION, entries=(entry,)), request)


def test_meetings_without_rows_are_told() -> None:
    entry = replace(ENTRY, win=(0.5, 0.5, 0.25), tie=(0.25, 0.0, 0.0), lose=(0.125, 0.375, 0.625))
    text = draw(replace(SIMULATION, entries=(entry,)), REQUEST)
    assert "no rows were compared in 12.5% of the meetings of two hands\n" in text
    assert "no rows" not in draw(SIMULATION, REQUEST)


def test_known_cards_are_named() -> None:
    request = Request(
        TWO_FOUR,
        2,
        (parse_cards("As Ad"),),
        "back-first",
        ("level-5", "equilibrium"),
        (SPLIT, parse_cards("Kd 2c")),
        parse_cards("4c 4d"),
    )
    entry = replace(ENTRY, label="back-first", arrangement=None, action=None)
    lines = draw(replace(SIMULATION, entries=(entry,)), request).splitlines()
    assert lines[0] == "As Ad and 11 more cards dealt, set by back-first"
    assert lines[1] == "against 2 opponents (level-5, equilibrium) under two-four"
    assert f"opponent 1 holds {SPLIT}" in lines
    assert "opponent 2 holds Kd 2c" in lines
    assert "dead: 4c 4d" in lines


def test_nothing_by_symmetry_is_said_to_be_exact() -> None:
    entry = replace(
        *(ENTRY,),
        label="equilibrium",
        exact=True,
        arrangement=None,
        units=Estimate(0.0, 0.0),
        reasons=(),
    )
    simulation = replace(SIMULATION, entries=(entry,))
    text = draw(simulation, CAST)
    assert text.startswith("equilibrium in every seat under two-four, 4 seats\n")
    assert "EV +0.000 units a deal, exact by symmetry\n" in text
    assert "units from" not in text
    note, form = build_simulation_document(simulation, CAST)["notes"]
    assert form.startswith("equilibrium in its fast form, a little weaker than the exact one")
    assert note == (
        "ev is exact by symmetry: all seats play equilibrium, and the units of a table add up to "
        "zero"
    )


def test_roles_are_entries_of_their_own() -> None:
    malay = load_ruleset("malay")
    bank = replace(ENTRY, label="equilibrium", arrangement=None, role="bank")
    simulation = replace(SIMULATION, ruleset=malay, entries=(bank, replace(bank, role="player")))
    text = draw(simulation, Request(malay, 3))
    assert "1  equilibrium as bank    +0.250 ± 0.050  +0.152 to +0.348\n" in text
    assert "2  equilibrium as player  +0.250 ± 0.050  +0.152 to +0.348\n" in text
    assert "mode bank: players settle with the bank alone, which wins equal rows" in text
    assert "the bank's edge: +0.250 ± 0.050 units a deal" in text


def test_of_two_players_alone_one_is_told() -> None:
    entries = [
        replace(ENTRY, label=name, arrangement=None, action=None)
        for name in ("back-first", "level-3")
    ]
    simulation = replace(SIMULATION, seats=2, entries=tuple(entries))
    text = draw(simulation, Request(TWO_FOUR, 1, (), "back-first", ("level-3",)))
    assert text.startswith("back-first against level-3 under two-four, 2 seats\n")
    assert ", each in every seat; seed 7\n" in text
    assert text.count("EV +0.250 units a deal ± 0.050") == 1
    assert len(build_simulation_document(simulation, CAST)["entries"]) == 2


@pytest.mark.parametrize(
    ("ruleset", "note"),
    [
        ("sole-winner", "a pot that is carried counts as 0"),
        ("ante", "mode row_pots: units are net of the ante"),
        ("first-to-11", "points of a deal over the average of the others"),
        ("criss-cross", "this hand alone, against both hands of the other player"),
        ("hawaiian-gardens", "stakes.cap chips: no --chips, so nothing is cut"),
        ("open-face", "deal open: here all thirteen cards are known at once"),
        ("malay", "a player settles with the bank alone, which wins equal rows"),
    ],
)
def test_notes_tell_what_figures_are(ruleset: str, note: str) -> None:
    rules = load_ruleset(ruleset)
    request = Request(rules, 1, (SPLIT,))
    assert note in " ".join(
        build_simulation_document(replace(SIMULATION, ruleset=rules), request)["notes"]
    )


def test_a_foul_is_named() -> None:
    text = draw(SIMULATION, replace(REQUEST, subjects=(FOUL,)))
    assert f"{FOUL}: foul: " in text


def test_chips_and_endings_are_named() -> None:
    rules = load_ruleset("hawaiian-gardens", ("rake=2",))
    simulation = replace(SIMULATION, ruleset=rules, ending="interrupted")
    text = draw(simulation, replace(REQUEST, ruleset=rules, chips=50))
    assert "; seed 7; stopped early\n" in text
    assert "everybody begins each deal with 50 chips in front" in text
    assert "rake: 2 from each player" in text


def test_a_bankroll_is_told() -> None:
    entry = replace(ENTRY, ruin=Ruin(1500, 1000, 0.031, 0.0021))
    text = draw(replace(SIMULATION, entries=(entry,)), REQUEST)
    assert "risk of ruin: 3.1 ± 0.2% to lose 1,500 units within 1,000 deals" in text
    document = build_simulation_document(replace(SIMULATION, entries=(entry,)), REQUEST)
    assert document["entries"][0]["ruin"] == {
        "bankroll": 1500,
        "deals": 1000,
        "chance": 0.031,
        "se": 0.0021,
    }


# --- documents -----------------------------------------------------------------------------------


def test_a_document_has_the_keys_of_the_interface() -> None:
    document = build_simulation_document(SIMULATION, REQUEST)
    assert list(document)[:5] == ["ruleset", "seed", "deals", "elapsed_s", "entries"]
    (entry,) = document["entries"]
    keys = ("label", "ev", "se", "ci95", "sd", "win", "tie", "scoop", "scooped", "royalties")
    assert {*keys, "histogram"} <= set(entry)
    assert entry["ci95"] == [0.152002, 0.347998]
    assert entry["tie"] == {"front": 0.05, "middle": 0.0, "back": 0.0004}
    assert entry["histogram"] == [[-4, 50], [-2, 25], [2, 100], [4, 25]]
    assert entry["quantiles"] == {"5": -4, "50": 2, "95": 4}
    assert entry["arrangement"]["front"] == ["Js", "Jd", "9h"]


def test_a_single_pack_has_no_error() -> None:
    entry = replace(ENTRY, units=Estimate(1 / 3, math.inf), histogram=((1 / 3, 1),))
    simulation = replace(SIMULATION, entries=(entry,))
    built = build_simulation_document(simulation, REQUEST)["entries"][0]
    assert (built["se"], built["ci95"]) == (None, [None, None])
    assert built["histogram"] == [[0.333333, 1]]
    assert "one pack of cards: nobody knows how near" in draw(simulation, REQUEST)


def test_a_record_is_the_document_in_one_line() -> None:
    second = replace(ENTRY, label="a,b", arrangement=None, action=None, difference=Estimate(1, 0.5))
    simulation = replace(SIMULATION, entries=(ENTRY, second))
    text = io.StringIO()
    csv.writer(text).writerows([SIMULATION_COLUMNS, *list_simulation_records(simulation, REQUEST)])
    rows = list(csv.DictReader(io.StringIO(text.getvalue())))
    assert [row["label"] for row in rows] == [str(SPLIT), "a,b"]
    assert [row["difference"] for row in rows] == ["", "1.0"]
    first = rows[0]
    assert (first["deals"], first["seed"], first["low95"], first["q5"]) == (
        *("200", "7"),
        *("0.152002", "-4"),
    )
    assert (first["win_back"], first["lose_front"], first["scooped"]) == ("0.25", "0.2", "0.0625")
    assert first["ruin_se"] == ""


# --- exact naturals ------------------------------------------------------------------------------

COUNTS = NaturalCounts(
    naturals=(
        NaturalCount(Natural.SIX_PAIRS, 3, 250, 240, 1000),
        NaturalCount(Natural.DRAGON, 13, 1, 0, 1000),
    ),
    none=749,
    total=1000,
)


def test_exact_naturals_are_told_strongest_first() -> None:
    lines = list(draw_naturals(COUNTS, TWO_FOUR, Paint(80)))
    assert lines[1] == "of 1,000 deals; best: where it is the strongest natural of the deal"
    assert [line.split() for line in lines[4:6]] == [
        ["dragon", "13", "1", "1,000", "never"],
        ["six", "pairs", "3", "250", "4.0", "4.2"],
    ]
    assert "none of them: 74.9000% of the deals; naturals bring +0.7200 units" in lines[-2]


def test_exact_naturals_for_programs() -> None:
    document = build_natural_document(COUNTS, TWO_FOUR)
    assert (document["total"], document["none"], document["none_chance"]) == (1000, 749, 0.749)
    assert [each["name"] for each in document["naturals"]] == ["six_pairs", "dragon"]
    records = list(list_natural_records(COUNTS, TWO_FOUR))
    assert dict(zip(NATURAL_COLUMNS, records[0], strict=True)) == {
        "ruleset": "two-four",
        **document["naturals"][0],
    }


# --- pages and progress --------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "start"), [(".html", "<!DOCTYPE html>"), (".svg", "<svg ")])
def test_a_page_shows_the_same(suffix: str, start: str) -> None:
    paint = open_page_paint(80)
    page = write_page(draw_simulation(SIMULATION, REQUEST, paint), 80, suffix, "title")
    assert page.startswith(start)
    text = re.sub(r"<[^>]*>", "", page).replace("&#160;", " ")
    for part in ("200 deals from 100 packs of cards; seed 7", "50.0%", "███"):
        assert part in text


def test_progress_tells_rate_time_and_estimate() -> None:
    first = Standing(1000, Estimate(0.5, math.inf), 10.0, 0.1)
    later = Standing(3000, Estimate(-0.25, 0.0125), 12.0, 0.3)
    assert describe_standing(first, first) == " 1,000 deals, EV +0.500"
    assert describe_standing(later, first) == (
        " 3,000 deals, 1,000/s, 0:07 left, EV -0.250 ± 0.013"
    )
    slow = Standing(1001, Estimate(-0.25, 0.0125), 11.0, 0.1001)
    assert ", 2:30:00 left, " in describe_standing(slow, first)


def test_no_progress_without_a_terminal() -> None:
    stream = io.StringIO()
    with RunProgress(stream) as progress:
        progress(Standing(1000, Estimate(0.5, 0.1), 10.0, 0.1))
    assert stream.getvalue() == ""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_progress_on_a_terminal() -> None:
    stream = Terminal()
    with RunProgress(stream) as progress:
        progress(Standing(1000, Estimate(0.5, 0.1), 10.0, 0.1))
    assert "1,000 deals, EV +0.500 ± 0.100" in stream.getvalue()
