"""Results as text: colours, columns, words and JSON, from figures made up for the purpose."""

import io
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cp_cli.arrangement import Arrangement, Natural, parse_arrangement
from cp_cli.candidates import Splits
from cp_cli.cards import DECK, format_cards, parse_cards
from cp_cli.equity import Analysis, Choice, SplitFigures
from cp_cli.render import (
    SPLIT_COLUMNS,
    Paint,
    TrainingProgress,
    build_document,
    describe_price,
    draw_analysis,
    draw_short,
    draw_splits,
    format_ranks,
    is_within_error,
    list_notes,
    list_split_records,
    open_paint,
    write_document,
)
from cp_cli.ruleset import load_ruleset

BEST = parse_arrangement("Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s")
OTHER = parse_arrangement("3s 3c 9h / Js Jd Qh 8c 2h / As Ks Qs 6s 5s")
PLAIN = Paint(80)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def make_figures(rank: int, arrangement: Arrangement = BEST, **changes: Any) -> SplitFigures:
    """Return figures of a split that loses a tenth of a unit a rank."""
    figures = SplitFigures(
        rank=rank,
        arrangement=arrangement,
        equal=1,
        ev=0.8123456789 - rank / 10,
        se=0.0473,
        loss=(rank - 1) / 10,
        loss_se=0.012,
        win=(0.8049, 0.1594, 0.618),
        tie=(0.01, 0.02, 0.03),
        scoop=0.084,
        scooped=0.0519,
        royalties=0.25,
    )
    return replace(figures, **changes)


def make_analysis(**changes: Any) -> Analysis:
    """Return the answer for one deal."""
    none = np.zeros(0, dtype=np.int32)
    splits = Splits(
        cards=np.array(sorted(BEST.cards, reverse=True), dtype=np.uint8),
        legal=np.zeros(21_109, dtype=np.int32),
        groups=none,
        codes=np.zeros(6_569, dtype=np.int32),
        heroes=np.zeros((0, 7), dtype=np.int16),
        sums=none.astype(np.int64),
        order=none.astype(np.int64),
        undominated=124,
    )
    analysis = Analysis(
        cards=BEST.cards,
        dead=(),
        opponents=3,
        samples=44_905,
        splits=splits,
        naturals=(),
        choices=(Choice("play", 0.7123, 0.0473),),
        arrangements=(make_figures(1), make_figures(2, OTHER)),
        compared=(),
    )
    return replace(analysis, **changes)


def draw(analysis: Analysis, ruleset: str = "two-four", paint: Paint = PLAIN) -> list[str]:
    """Return the lines of an answer."""
    return list(draw_analysis(analysis, load_ruleset(ruleset), "equilibrium", paint))


def test_the_answer_begins_with_what_to_do() -> None:
    assert draw(make_analysis())[:3] == [
        "play: Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s",
        "EV +0.712 ± 0.047 units a deal, total over 3 opponents",
        "pair of jacks / pair of queens / flush, ace high",
    ]
    alone = draw(make_analysis(opponents=1))
    assert alone[1] == "EV +0.712 ± 0.047 units a deal"
    assert not any("total" in line for line in alone)


def test_a_natural_is_declared_with_its_price() -> None:
    choices = (Choice("declare", 9.0, 0.0), Choice("play", -1.5, 0.05))
    naturals = ((Natural.SIX_PAIRS, 3), (Natural.NO_PICTURES, 1))
    lines = draw(make_analysis(choices=choices, naturals=naturals))
    assert lines[0].startswith("declare six pairs for 3; if played: Js Jd 9h / ")
    declared = "EV declare +9.000 ± 0.000, play -1.500 ± 0.050, total over 3 opponents"
    assert lines[1] == declared
    assert [*draw_short(make_analysis(choices=choices, naturals=naturals), "x", PLAIN)] == [
        'Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s  +9.000 ± 0.000  declare six pairs  "x"',
        *draw_splits(make_analysis().arrangements, 3, PLAIN),
        "",
    ]


def test_surrendering_names_its_price() -> None:
    choices = (Choice("surrender", -6.0, 0.0), Choice("play", -6.5, 0.05))
    ruleset = load_ruleset("two-four", ["surrender=2"])
    lines = [*draw_analysis(make_analysis(choices=choices), ruleset, "equilibrium", PLAIN)]
    assert lines[0].startswith("surrender for 2; if played: Js Jd 9h / ")


def test_the_table_fits_80_columns_and_24_lines() -> None:
    arrangements = tuple(make_figures(rank) for rank in range(1, 9))
    compared = (make_figures(6_569, OTHER, ev=-12.0, loss=14.4),)
    lines = draw(make_analysis(arrangements=arrangements, compared=compared))
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 22  # the command itself takes two
    assert "6,569" in lines[-4]


@pytest.mark.parametrize(
    ("width", "ev"),
    [(80, "-123±0"), (98, "-123.46±.05"), (140, "-123.456±.047")],
)
def test_columns_use_the_width_there_is(width: int, ev: str) -> None:
    whole: dict[str, Any] = {"win": (1.0, 1.0, 1.0), "scoop": 1.0, "scooped": 1.0}
    splits = [make_figures(1), make_figures(72_072, ev=-123.456, loss=110.4, **whole)]
    lines = list(draw_splits(splits, 3, Paint(width)))
    assert max(map(len, lines)) <= width
    assert ev in lines[-1].split()
    assert lines[-1].split()[-4:] == ["100", "100", "100", "100/100"]


def test_the_header_says_what_the_columns_are() -> None:
    first, second, row = draw_splits([make_figures(1)], 3, PLAIN)
    assert first.split() == ["EV", "total", "loss", "win", "%", "scoop"]
    assert second.split()[:4] == ["#", "front", "middle", "back"]
    assert "of 3 ±se" in second
    assert row.split()[14:] == ["+0.71±.05", "0.000±.012", "80", "16", "62", "8/5"]
    for name in ("front", "middle", "back"):
        start = second.index(name)
        assert row[start - 1] == " "
        assert row[start] != " "


def test_ties_with_the_best_are_named() -> None:
    near = make_figures(2, OTHER, loss=0.02)
    lines = draw(make_analysis(arrangements=(make_figures(1), near, make_figures(3))))
    assert "as good as the best within 2 standard errors: ranks 1-2" in lines
    assert not any("as good" in line for line in draw(make_analysis()))


def test_a_split_that_the_judges_prefer_is_named() -> None:
    better = make_figures(2, OTHER, loss=-0.025)  # with an error of 0.012
    lines = draw(make_analysis(arrangements=(make_figures(1), better)))
    assert "rank 1 was picked on other opponents; these pay more for 2" in lines
    near = make_figures(2, OTHER, loss=-0.023)
    lines = draw(make_analysis(arrangements=(make_figures(1), near)))
    assert not any("pay more" in line for line in lines)


@pytest.mark.parametrize(
    ("loss", "loss_se", "same"),
    [(0.0, 0.0, True), (-0.01, 0.001, True), (0.02, 0.01, True), (0.021, 0.01, False)],
)
def test_two_standard_errors_are_the_limit(loss: float, loss_se: float, same: bool) -> None:
    assert is_within_error(make_figures(2, loss=loss, loss_se=loss_se)) is same


def test_a_compared_split_is_ranked_and_priced() -> None:
    lines = draw(make_analysis(compared=(make_figures(27, OTHER),)))
    at = lines.index("yours: pair of threes / pair of jacks / flush, ace high")
    assert lines[at + 1].split()[:4] == ["27", "3s", "3c", "9h"]
    assert lines[at + 2] == "rank 27 of 6,569: costs 2.600 ± 0.012 units a deal"


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        (make_figures(1), "rank 1 of 10: the best"),
        (
            make_figures(2, loss=0.01),
            "rank 2 of 10: as good as the best within the error, loss 0.010 ± 0.012",
        ),
        (
            make_figures(2, loss=-0.1),
            "rank 2 of 10: these opponents pay more for it than for rank 1, loss -0.100 ± 0.012",
        ),
    ],
)
def test_a_good_split_costs_nothing(figures: SplitFigures, said: str) -> None:
    assert describe_price(figures, 10) == said


def test_the_foot_tells_what_the_figures_rest_on() -> None:
    assert draw(make_analysis())[-2:] == [
        "two-four, 3 opponents; 21,109 legal splits, 124 undominated",
        "estimates from 44,905 opponents (equilibrium) that did not choose the split",
    ]


BANK: dict[str, Any] = {"opponents": 3, "role": "bank"}
NOTES: list[tuple[str, list[str], dict[str, Any], list[str]]] = [
    ("two-four", [], {}, []),
    ("two-four", ["all_sweep.units=3"], {}, ["all_sweep: counted, for us and for the others"]),
    (
        "two-four",
        ["all_sweep.units=3"],
        {"opponents": 2},
        ["all_sweep: for sweeping 3 opponents, here 2"],
    ),
    (
        "malay",
        [],
        {"opponents": 1},
        ["mode bank: a player settles with the bank alone, which wins equal rows"],
    ),
    (
        "malay",
        ["bank.wins_ties=false"],
        BANK,
        ["mode bank: you are the bank; ev is over all players"],
    ),
    ("malay", [], BANK, ["mode bank: you are the bank and win equal rows; ev is over all players"]),
    (
        "malay",
        ["all_sweep.units=3"],
        {"opponents": 1},
        [
            "mode bank: a player settles with the bank alone, which wins equal rows",
            "all_sweep: what the bank wins for sweeping all players is not counted",
        ],
    ),
    (
        "sole-winner",
        [],
        {},
        ["mode sole_winner: ev is net of the ante; a carried pot is worth its share"],
    ),
    ("ante", [], {}, ["mode row_pots: ev is net of the ante"]),
    ("first-to-11", [], {}, ["mode race: ev is points over the average of the others"]),
    (
        "first-to-11",
        ["race.target=21"],
        {"score": (9, 10)},
        ["mode race: ev is the chance to win the game to 21 from 9-10"],
    ),
    (
        "criss-cross",
        [],
        {},
        ["mode criss_cross: ev is against one of the two hands of the other player"],
    ),
    (
        "two-four",
        ["stakes={cap: chips}"],
        {},
        ["stakes.cap chips: not known here, so nothing is cut"],
    ),
    ("open-face", [], {}, ["deal open: here all thirteen cards are known at once"]),
    (
        "two-four",
        ["aces=[0,1,2,6,8]", "rake=1", "stakes.default=5"],
        {},
        ["aces, rake, stakes: not counted in units here; no split changes them"],
    ),
    ("ante", [], {"near": 1}, ["mode row_pots: ev is net of the ante"]),
    (
        "ante",
        [],
        {"tables": 9, "near": 1},
        ["mode row_pots: ev is net of the ante", "ranks from 2: ev and loss from fewer tables"],
    ),
]


@pytest.mark.parametrize(("name", "settings", "changes", "notes"), NOTES)
def test_notes_say_what_figures_are_and_what_they_leave_out(
    name: str, settings: list[str], changes: dict[str, Any], notes: list[str]
) -> None:
    found = list_notes(make_analysis(**changes), load_ruleset(name, settings))
    assert found == notes
    assert all(len(note) <= 80 for note in found)


def test_notes_stand_under_the_table() -> None:
    lines = draw(make_analysis(opponents=1), "malay")
    assert lines[-1] == "mode bank: a player settles with the bank alone, which wins equal rows"


def test_tables_that_gave_the_figures_are_counted() -> None:
    lines = draw(make_analysis(tables=2_048), "sole-winner")
    assert " ".join(lines[-4:-1]).startswith("sole-winner, 3 opponents; ")
    assert "estimates from 44,905 opponents and 2,048 tables of them (equilibrium)" in lines[-3]
    document = build_document(make_analysis(tables=2_048), load_ruleset("ante"), "equilibrium", 0)
    assert document["tables"] == 2_048


def test_points_of_a_race_are_named() -> None:
    race = make_analysis(ev_unit="points")
    lines = draw(race, "first-to-11")
    assert lines[1] == "EV +0.712 ± 0.047 points a deal over the average of 3 opponents"
    assert "EV" in lines[4].split()
    assert "points ±se" in lines[5]
    assert "total" not in lines[4]
    alone = draw(make_analysis(ev_unit="points", opponents=1), "first-to-11")
    assert alone[1] == "EV +0.712 ± 0.047 points a deal over the opponent"
    document = build_document(race, load_ruleset("first-to-11"), "equilibrium", 0)
    assert (document["ev_unit"], document["score"]) == ("points", None)


def test_the_chance_to_win_has_no_sign() -> None:
    figures = [make_figures(1, ev=0.6123, se=0.0012, loss_se=0.0004)]
    figures.append(make_figures(9, OTHER, ev=0.55, se=0.0012, loss=0.0623, loss_se=0.0004))
    analysis = make_analysis(
        opponents=1,
        ev_unit="win chance",
        score=(9, 10),
        choices=(Choice("play", 0.6123, 0.0012),),
        arrangements=(figures[0],),
        compared=(figures[1],),
    )
    lines = draw(analysis, "first-to-11")
    assert lines[1] == "EV 0.612 ± 0.001 chance to win"
    assert lines[4].split()[0] == "chance"
    assert "to win ±se" in lines[5]
    assert "0.612±.001" in lines[6].split()
    assert max(map(len, lines)) <= 80
    assert "rank 9 of 6,569: costs 0.062 ± 0.000 of the chance to win" in lines
    short = [*draw_short(analysis, None, PLAIN)]
    assert short[0].split()[-4:] == ["0.612", "±", "0.001", "play"]
    document = build_document(analysis, load_ruleset("first-to-11"), "equilibrium", 0)
    assert (document["ev_unit"], document["score"]) == ("win chance", [9, 10])


def test_a_low_middle_is_named_as_a_low() -> None:
    low = parse_arrangement("Js Jd 9h / 7d 5h 4c 3d 2h / As Ks 6s 5s 3s")
    ruleset = load_ruleset("two-four", ["order.middle=low27"])
    analysis = make_analysis(arrangements=(make_figures(1, low),))
    lines = [*draw_analysis(analysis, ruleset, "equilibrium", PLAIN)]
    assert lines[2] == "pair of jacks / seven low: 7-5-4-3-2 / flush, ace high"
    document = build_document(analysis, ruleset, "equilibrium", 0)
    assert document["arrangements"][0]["names"]["middle"] == "seven low: 7-5-4-3-2"


def test_ranks_are_taken_together() -> None:
    assert format_ranks([]) == ""
    assert format_ranks([1, 1, 2, 3, 5, 7, 8]) == "1-3, 5, 7-8"


# --- colours -------------------------------------------------------------------------------------


@pytest.fixture
def _colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.usefixtures("_colours")
def test_a_terminal_shows_four_colours() -> None:
    paint = open_paint(Terminal())
    starts = {paint.cards([card]).partition("A")[0] for card in parse_cards("Ac Ad Ah As")}
    assert len(starts) == 4
    assert all(start.startswith("\x1b[") for start in starts)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", paint.cards(DECK))
    assert plain == format_cards(DECK)


@pytest.mark.usefixtures("_colours")
def test_colours_do_not_move_columns() -> None:
    analysis = make_analysis(compared=(make_figures(27, OTHER),))
    coloured = draw(analysis, paint=open_paint(Terminal()))
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured] == draw(analysis)
    assert "\x1b[" in coloured[0]


@pytest.mark.usefixtures("_colours")
def test_colours_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_paint(io.StringIO()).cards([51]) == "As"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert open_paint(io.StringIO()).cards([51]) != "As"
    monkeypatch.setenv("NO_COLOR", "1")
    assert open_paint(Terminal()).cards([51]) == "As"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert open_paint(io.StringIO()).cards([51]) != "As"
    monkeypatch.delenv("FORCE_COLOR")
    assert open_paint(Terminal()).cards([51]) == "As"


# --- for programs --------------------------------------------------------------------------------


def test_the_document_has_the_keys_of_the_interface() -> None:
    choices = (Choice("declare", 9.0, 0.0), Choice("play", -1.5, 0.05))
    analysis = make_analysis(
        choices=choices,
        naturals=((Natural.SIX_PAIRS, 3),),
        dead=(0,),
        compared=(make_figures(27, OTHER),),
    )
    document = build_document(analysis, load_ruleset("two-four"), "equilibrium", 7, "x")
    assert list(document) == [
        *("ruleset", "opponents", "seed", "samples", "cards", "dead", "splits", "naturals"),
        *("decision", "arrangements", "compared", "opponent_strategy", "tables", "ev_unit"),
        *("role", "score", "notes", "id"),
    ]
    assert document["cards"] == format_cards(BEST.cards).split()
    assert document["dead"] == ["2c"]
    assert document["splits"] == {"total": 72072, "legal": 21109, "undominated": 124}
    assert document["naturals"] == [{"name": "six_pairs", "units": 3}]
    assert document["decision"] == {
        "action": "declare",
        "ev": 9.0,
        "se": 0.0,
        "alternatives": [{"action": "play", "ev": -1.5, "se": 0.05}],
    }
    assert (document["seed"], document["samples"], document["id"]) == (7, 44_905, "x")
    assert [entry["rank"] for entry in document["compared"]] == [27]


def test_a_split_as_json() -> None:
    analysis = make_analysis(arrangements=(make_figures(1, loss=-0.0),))
    document = build_document(analysis, load_ruleset("two-four"), "equilibrium", 0)
    assert "id" not in document
    (split,) = document["arrangements"]
    assert split == {
        "rank": 1,
        "front": ["Js", "Jd", "9h"],
        "middle": ["Qs", "Qh", "8c", "3c", "2h"],
        "back": ["As", "Ks", "6s", "5s", "3s"],
        "names": {"front": "pair of jacks", "middle": "pair of queens", "back": "flush, ace high"},
        "ev": 0.712346,
        "se": 0.0473,
        "loss": 0.0,
        "loss_se": 0.012,
        "win": {"front": 0.8049, "middle": 0.1594, "back": 0.618},
        "tie": {"front": 0.01, "middle": 0.02, "back": 0.03},
        "scoop": 0.084,
        "scooped": 0.0519,
        "royalties": 0.25,
        "equal": 1,
    }
    assert str(split["loss"]) == "0.0"


def test_a_document_is_written_with_one_split_a_line() -> None:
    from json import loads

    document = build_document(make_analysis(), load_ruleset("malay"), "equilibrium", 0)
    text = write_document(document)
    assert loads(text) == document
    lines = text.splitlines()
    assert sum(line.startswith('    {"rank": ') for line in lines) == 2
    assert sum(line.startswith('  "') for line in lines) == len(document)


def test_records_have_a_cell_for_every_column() -> None:
    analysis = make_analysis(compared=(make_figures(27, OTHER),))
    records = [dict(zip(SPLIT_COLUMNS, row, strict=True)) for row in list_split_records(analysis)]
    assert [(record["rank"], record["compared"]) for record in records] == [(1, 0), (2, 0), (27, 1)]
    assert records[0]["cards"] == format_cards(BEST.cards)
    assert (records[0]["front"], records[2]["front"]) == ("Js Jd 9h", "3s 3c 9h")
    assert (records[0]["win_middle"], records[0]["tie_back"]) == (0.1594, 0.03)
    assert (records[0]["action"], records[0]["id"]) == ("play", "")


# --- progress ------------------------------------------------------------------------------------


def test_progress_is_one_line_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    with TrainingProgress("house", stream) as progress:
        assert stream.getvalue() == ""
        progress(0.2, "first rounds")
        progress(0.9, "last rounds")
    assert stream.getvalue().count("\n") == 1
    assert "training a strategy for house" in stream.getvalue()


def test_progress_is_a_bar_on_a_terminal() -> None:
    stream = Terminal()
    with TrainingProgress("house", stream) as progress:
        progress(0.25, "first rounds")
    assert "first rounds" in stream.getvalue()
    assert "25%" in stream.getvalue()


def test_progress_that_never_began_shows_nothing() -> None:
    stream = Terminal()
    with TrainingProgress("house", stream):
        pass
    assert stream.getvalue() == ""
