"""`cpoker arrange`: what it answers, and how it fails."""

import csv
import io
import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cp_cli.cards import DECK, format_cards, parse_cards
from cp_cli.equity import open_analyst
from tests.small_fields import open_small_analyst

RunCli = Callable[..., Result]
ROOT = Path(__file__).parents[1]
ALICE = "As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c"
ALICE_BEST = ("Js Jd 9h", "Qs Qh 8c 3c 2h", "As Ks 6s 5s 3s")
ALICE_OTHER = "3s 3c 9h / Js Jd Qh 8c 2h / As Ks Qs 6s 5s"
SIX_PAIRS = "2h 2d 3c 3s 5h 5d 7c 7s 9d 9c Jh Jd As"
WEAK = "2h 3d 4c 6s 7h 8d 9c Js Qh Kd 2c 4s 7c"


@pytest.fixture(autouse=True)
def _small_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few thousand opponents stand for the trained ones."""
    monkeypatch.setattr("cp_cli.equity.open_analyst", open_small_analyst)
    monkeypatch.setenv("CPOKER_QUIET", "1")  # the first run ever tells that it compiles


@pytest.fixture
def arrange(run_cli: RunCli) -> RunCli:
    """Run `cpoker arrange`."""

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return run_cli("arrange", *arguments, stdin=stdin)

    return run


def read_json(result: Result) -> dict[str, Any]:
    """Return the document that a command printed."""
    assert result.exit_code == 0, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def list_rows(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return the splits of a document as texts."""
    return [
        (" ".join(split["front"]), " ".join(split["middle"]), " ".join(split["back"]))
        for split in document["arrangements"]
    ]


# --- one deal ------------------------------------------------------------------------------------


def test_a_deal_is_answered_in_a_page(arrange: RunCli) -> None:
    result = arrange(*ALICE.split(), "--compare", ALICE_OTHER)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("play: Js Jd ")
    assert lines[0].endswith(" / As Ks 6s 5s 3s")
    assert lines[2] == "pair of jacks / pair of queens / flush, ace high"
    assert sum(line.endswith(tuple("0123456789")) and line[0].isdigit() for line in lines) == 9
    assert "21,109 legal splits, 124 undominated" in result.stdout
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 22
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    "words",
    [(ALICE,), tuple(ALICE.lower().split()), ("S:AKQJ653", "H:Q92", "D:J", "C:83")],
)
def test_cards_in_any_form(arrange: RunCli, words: tuple[str, ...]) -> None:
    document = read_json(arrange(*words, "--json", "--top", "5"))
    assert [*parse_cards(" ".join(document["cards"]))] == [*parse_cards(ALICE)]
    assert document["splits"] == {"total": 72072, "legal": 21109, "undominated": 124}
    assert ALICE_BEST in list_rows(document)
    assert document["opponents"] == 3
    assert document["ruleset"] == "two-four"


def test_colours_where_they_are_forced(arrange: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = arrange(ALICE).stdout
    monkeypatch.delenv("NO_COLOR")
    assert arrange(ALICE).stdout == plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = arrange(ALICE).stdout
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain != coloured
    assert "\x1b" not in arrange(ALICE, "--json").stdout


def test_splits_come_best_first_and_all_on_request(arrange: RunCli) -> None:
    document = read_json(arrange(WEAK, "--json", "--top", "all"))
    ranks = [split["rank"] for split in document["arrangements"]]
    assert len(ranks) == document["splits"]["legal"]
    assert ranks == sorted(ranks)
    assert len(set(list_rows(document))) == len(ranks)
    assert sum(rank == 1 for rank in ranks) == document["arrangements"][0]["equal"]
    losses = [split["loss"] for split in document["arrangements"]]
    assert losses[0] == 0
    assert losses[-1] == max(losses)


def test_diverse_splits_differ_in_plan(arrange: RunCli) -> None:
    plain = read_json(arrange(ALICE, "--json", "--top", "6"))
    diverse = read_json(arrange(ALICE, "--json", "--top", "6", "--diverse"))
    every = read_json(arrange(ALICE, "--json", "--top", "all", "--diverse"))
    names = [tuple(split["names"].values()) for split in diverse["arrangements"]]
    assert len(set(names)) == len(names) == 6
    assert list_rows(diverse)[0] == list_rows(plain)[0]
    assert diverse["arrangements"][-1]["rank"] > 6
    assert list_rows(every)[:6] == list_rows(diverse)
    assert 6 < len(every["arrangements"]) < 2000


def test_units_are_the_total_over_the_opponents(arrange: RunCli) -> None:
    one, three = (
        read_json(arrange(ALICE, "--json", "--top", "1", "--opponents", number))
        for number in ("1", "3")
    )
    assert three["arrangements"][0]["ev"] == pytest.approx(3 * one["arrangements"][0]["ev"])
    assert three["arrangements"][0]["win"] == one["arrangements"][0]["win"]


def test_compared_splits_are_ranked(arrange: RunCli) -> None:
    arguments = ["--compare", ALICE_OTHER, "--compare", " / ".join(ALICE_BEST)]
    document = read_json(arrange(ALICE, "--json", "--top", "40", *arguments))
    ranked = {split["rank"]: split for split in document["arrangements"]}
    assert len(document["compared"]) == 2
    for split in document["compared"]:
        assert split == ranked[split["rank"]]
    assert document["compared"][0]["loss"] > document["compared"][1]["loss"]


def test_a_natural_is_declared_or_played(arrange: RunCli) -> None:
    settings = ["--set", "naturals={list: [[six_pairs, 50]]}"]
    document = read_json(arrange(SIX_PAIRS, "--json", *settings))
    assert document["naturals"] == [{"name": "six_pairs", "units": 50}]
    assert document["decision"]["action"] == "declare"
    assert document["decision"]["ev"] == pytest.approx(150)
    assert [each["action"] for each in document["decision"]["alternatives"]] == ["play"]
    assert "declare six pairs for 50; if played: " in arrange(SIX_PAIRS, *settings).stdout


def test_a_weak_deal_is_surrendered_where_that_is_cheap(arrange: RunCli) -> None:
    document = read_json(arrange(WEAK, "--json", "--set", "surrender=0", "--top", "1"))
    assert document["decision"]["action"] == "surrender"
    assert document["decision"]["ev"] == 0.0
    assert "surrender for 0; if played: " in arrange(WEAK, "--set", "surrender=0").stdout


def test_figures_say_what_they_are(arrange: RunCli) -> None:
    document = read_json(arrange(ALICE, "--json", "--ruleset", "malay", "--top", "1"))
    assert len(document["notes"]) == 1
    assert document["notes"][0].startswith("mode bank: a player settles with the bank alone")
    assert document["notes"][0] in arrange(ALICE, "--ruleset", "malay").stdout
    assert (document["role"], document["opponents"]) == ("player", 1)
    assert (document["ev_unit"], document["score"], document["tables"]) == ("units", None, 0)


def test_the_bank_meets_all_players(arrange: RunCli) -> None:
    arguments = [ALICE, "--json", "--ruleset", "malay", "--top", "1"]
    player, bank, two = (
        read_json(arrange(*arguments, *more))
        for more in ([], ["--role", "bank"], ["--role", "bank", "--opponents", "2"])
    )
    assert (bank["role"], bank["opponents"], two["opponents"]) == ("bank", 3, 2)
    assert bank["decision"]["ev"] == pytest.approx(1.5 * two["decision"]["ev"], abs=1e-5)
    # Against the same deals the bank wins equal rows, a player loses them.
    assert bank["decision"]["ev"] / 3 > player["decision"]["ev"]


def test_a_race_is_priced_by_points_or_by_the_chance_to_win(arrange: RunCli) -> None:
    arguments = [ALICE, "--json", "--ruleset", "first-to-11", "--top", "1"]
    points = read_json(arrange(*arguments, "--opponents", "1"))
    assert (points["ev_unit"], points["score"]) == ("points", None)
    chances = [read_json(arrange(*arguments, "--score", score)) for score in ("10-8", "8-10")]
    for document, score in zip(chances, ([10, 8], [8, 10]), strict=True):
        assert (document["opponents"], document["ev_unit"]) == (1, "win chance")
        assert document["score"] == score
    ahead, behind = (document["decision"]["ev"] for document in chances)
    assert 1 > ahead > 0.6 > 0.4 > behind > 0
    table = arrange(ALICE, "--ruleset", "first-to-11", "--score", "9-10", "--top", "3").stdout
    assert "chance to win" in table
    assert "mode race: ev is the chance to win the game to 11 from 9-10" in table


def test_every_number_of_opponents_has_its_analyst_opened_once(
    arrange: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dead cards leave room for fewer; where players settle in pairs all are the same."""
    opened: list[dict[str, Any]] = []

    def open_and_tell(ruleset: Any, strategy: str, **options: Any) -> Any:
        opened.append({key: options[key] for key in ("opponents", "role", "score")})
        return open_small_analyst(ruleset, strategy, **options)

    monkeypatch.setattr("cp_cli.equity.open_analyst", open_and_tell)
    lines = [json.dumps({"cards": ALICE, "dead": dead}) for dead in ("", "2c", "2c 2d", "")]
    result = arrange("--input", "-", "--json", "--ruleset", "ante", stdin="\n".join(lines))
    assert [json.loads(line)["opponents"] for line in result.stdout.splitlines()] == [3, 2, 2, 3]
    assert [each["opponents"] for each in opened] == [3, 2]
    opened.clear()
    assert arrange("--input", "-", "--json", stdin="\n".join(lines)).exit_code == 0
    assert opened == [{"opponents": 3, "role": "player", "score": None}]
    opened.clear()
    arrange(ALICE, "--ruleset", "malay", "--role", "bank", "--opponents", "2")
    arrange(ALICE, "--ruleset", "first-to-11", "--score", "3-10")
    assert opened == [
        {"opponents": 2, "role": "bank", "score": None},
        {"opponents": 1, "role": "player", "score": (3, 10)},
    ]


def test_csv_has_a_row_for_every_split(arrange: RunCli) -> None:
    arguments = ["--top", "3", "--compare", ALICE_OTHER]
    result = arrange(ALICE, "--format", "csv", *arguments)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    document = read_json(arrange(ALICE, "--json", *arguments))
    splits = document["arrangements"] + document["compared"]
    assert [int(row["rank"]) for row in rows] == [split["rank"] for split in splits]
    for row, split in zip(rows, splits, strict=True):
        assert row["middle"].split() == split["middle"]
        assert float(row["ev"]) == split["ev"]
        assert float(row["win_back"]) == split["win"]["back"]
    assert [row["compared"] for row in rows] == ["0", "0", "0", "1"]


def test_the_same_question_has_the_same_answer(arrange: RunCli) -> None:
    one, two = (read_json(arrange(ALICE, "--json", "--seed", "5", "--jobs", n)) for n in "12")
    assert one == two


def test_dead_cards_leave_room_for_fewer_opponents(arrange: RunCli) -> None:
    document = read_json(arrange(ALICE, "--json", "--dead", "2c 2d", "--top", "1"))
    assert document["opponents"] == 2
    assert document["dead"] == ["2c", "2d"]
    assert read_json(arrange(ALICE, "--json", "--ruleset", "criss-cross"))["opponents"] == 1


def test_a_wish_that_cannot_be_met_is_noted(arrange: RunCli) -> None:
    result = arrange(ALICE, "--target-se", "0.0001", "--top", "1")
    assert result.exit_code == 0
    assert result.stderr.startswith("note: standard error 0.")
    assert result.stderr.count("\n") == 1
    assert arrange(ALICE, "--target-se", "5", "--top", "1").stderr == ""


# Best splits and expected units against one opponent, found by another program for opponents of
# its own; values may differ by a tenth or two, clear orders not.
REFERENCE = [
    (0.276, "Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s"),
    (-0.193, "Jd 9d 3h / Ts 9c 8d 7h 6h / Ks Qs 8s 7s 6s"),
    (-0.966, "Qs Qh 9s / Ad Ac Jh 8s 6h / 4h 4c 3d 3c 5s"),
    (3.964, "5s 5d 5c / 3s 3h 3d 3c 9d / 8h 7h 6h 5h 4h"),
    (2.936, "5s 5d 4h / Ad Kd 4d 3d 2d / Th 9h 8h 7h 6h"),
    (1.914, "As Ad Kh / 2h 2d 2c Jh Ts / 3s 3d 3c 7d 7c"),
]


@pytest.mark.parametrize(("ev", "split"), REFERENCE)
def test_known_deals_earn_what_they_should(
    arrange: RunCli, monkeypatch: pytest.MonkeyPatch, ev: float, split: str
) -> None:
    monkeypatch.setattr("cp_cli.equity.open_analyst", open_analyst)
    options = ["--json", "--opponents", "1", "--top", "1", "--compare", split]
    document = read_json(arrange(split.replace("/", " "), *options))
    assert document["compared"][0]["loss"] < 0.03
    assert document["decision"]["ev"] == pytest.approx(ev, abs=0.2)


# --- bad input -----------------------------------------------------------------------------------

FRONT_FOUL = "Js Jd Qh / Qs 9h 2h 8c 3c / As Ks 6s 5s 3s"
DEAD_27 = "2c 2d 2s 3d 3h 4c 4d 4h 4s 5c 5d 5h 6c 6d 6h 7c 7d 7h 7s 8d 8h 8s 9c 9d 9s Tc Td"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([ALICE[:-3]], "cards: 12 cards, expected 13"),
        ([f"{ALICE} 4c"], "cards: 14 cards, expected 13"),
        ([f"{ALICE[:-2]}As"], "cards: As used more than once (again at column 37)"),
        ([f"{ALICE[:-2]}1s"], 'cards: unknown rank "1" in "1s" at column 37; expected a rank'),
        ([f"{ALICE[:-2]}3x"], 'cards: unknown suit "x" in "3x" at column 38; expected a suit'),
        ([""], "cards: no cards, expected 13"),
        (["As\x00"], "cards: unknown rank"),
        ([ALICE, "--ruleset", "two-for"], 'unknown ruleset "two-for"; did you mean "two-four"?'),
        ([ALICE, "--set", "surender=1"], 'did you mean "surrender"?'),
        (
            [ALICE, "--compare", FRONT_FOUL],
            "--compare Js Jd Qh / Qs 9h 8c 3c 2h / As Ks 6s 5s 3s: foul: "
            "front (pair of jacks) beats middle (queen high)",
        ),
        (
            [ALICE, "--compare", "Qh 9h 8c / Qs Js Jd 3c 2h / As Ks 6s 5s 3s".replace("Jd", "6d")],
            "not in the deal: 6d; instead of Jd",
        ),
        (
            ["As Kd 9c Ah Kh 8c 7s 5d Qs Qd 4c 4s 2h", "--compare",
             "As Kd 9c / Ah Kh 8c 7s 5d / Qs Qd 4c 4s 2h"],
            "foul: front (ace high) beats middle (ace high) by the third card: nine over eight",
        ),
        ([ALICE, "--compare", "Js Jd / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s"], "--compare: front: 2"),
        ([ALICE, "--compare", ""], "--compare: arrangement: no rows, expected 3"),
        ([ALICE, "--dead", "2c As"], "card used more than once: As (cards, dead)"),
        ([ALICE, "--dead", "2c 2c"], "--dead: 2c used more than once"),
        ([ALICE, "--dead", "2x"], '--dead: unknown suit "x"'),
        ([ALICE, "--dead", "2c", "--opponents", "3"], "dead: 1 card; 3 opponents leave room for"),
        ([ALICE, "--dead", DEAD_27], "dead: 27 cards; 1 opponent leaves room for 26"),
        (
            [ALICE, "--opponents", "3", "--ruleset", "pineapple"],
            "--opponents 3: ruleset pineapple is for up to 3 players, expected 2 or less",
        ),
        (["--input", "/no/such/file"], '"/no/such/file": cannot be read: No such file'),
        ([ALICE, "--role", "bank"], "--role bank: ruleset two-four has no bank, expected"),
        ([ALICE, "--role", "player"], "--role player: ruleset two-four has no bank"),
        (
            [ALICE, "--ruleset", "malay", "--opponents", "3"],
            "--opponents 3: a player settles with the bank alone, expected 1, or --role bank",
        ),
        ([ALICE, "--score", "9-10"], "--score 9-10: ruleset two-four keeps no score"),
        (
            [ALICE, "--ruleset", "first-to-11", "--score", "11-9"],
            "--score 11-9: the game to 11 is over, expected scores below 11",
        ),
        (
            [ALICE, "--ruleset", "first-to-11", "--score", "9-10", "--opponents", "3"],
            "--opponents 3: --score is that of two, expected 1",
        ),
    ],
)  # fmt: skip
def test_a_domain_error_is_one_line(
    arrange: RunCli, arguments: Sequence[str], message: str
) -> None:
    result = arrange(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no CARDS and no --input"),
        ([ALICE, "--input", "-"], "CARDS and --input are both given"),
        (["--input", "-", "--compare", ALICE_OTHER], "--compare goes with CARDS"),
        ([ALICE, "--strict"], "--strict has a meaning only with --input"),
        ([ALICE, "--top", "0"], '"0"; expected a number of 1 or more, or all'),
        ([ALICE, "--top", "many"], '"many"; expected a number of 1 or more, or all'),
        ([ALICE, "--target-se", "0"], "0; expected a number of units above 0"),
        ([ALICE, "--target-se", "-1"], "-1; expected a number of units above 0"),
        ([ALICE, "--target-se", "nan"], "nan; expected a number of units above 0"),
        ([ALICE, "--target-se", "x"], "'x' is not a valid float"),
        ([ALICE, "--samples", "0"], "0 is not in the range"),
        ([ALICE, "--samples", "1e3"], "'1e3' is not a valid integer"),
        ([ALICE, "--opponents", "4"], "4 is not in the range"),
        ([ALICE, "--role", "dealer"], "'dealer' is not one of 'player', 'bank'"),
        ([ALICE, "--score", "9:10"], '"9:10"; expected two scores, yours first, as 9-10'),
        ([ALICE, "--score", "-1-3"], '"-1-3"; expected two scores, yours first, as 9-10'),
        (
            [ALICE, "--opponent-strategy", "perfect"],
            'unknown strategy "perfect"; expected equilibrium, ',
        ),
    ],
)
def test_wrong_usage(arrange: RunCli, arguments: Sequence[str], message: str) -> None:
    result = arrange(*arguments, stdin="")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


LAUGHS = "\n".join(
    ["a: &a [x, x, x, x, x, x, x, x, x]"]
    + [
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"extends: two-four\nsurrender: many\n", "house.yaml:2: surrender: "),
        (b"extends: two-four\nsurender: 3\n", "house.yaml:2: "),
        (b"extends: two-four\nrows:\n\twin: 2\n", "house.yaml:3: tab in the indentation"),
        (b"extends: two-four\ndescription: caf\xe9\n", "house.yaml:2: not UTF-8 text"),
        (LAUGHS.encode(), "more than 20000 values"),
        (b"", "house.yaml: empty"),
    ],
)
def test_a_bad_ruleset_file_is_one_line(
    arrange: RunCli, tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "house.yaml"
    path.write_bytes(content)
    result = arrange(ALICE, "--ruleset", str(path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


# --- many deals ----------------------------------------------------------------------------------

MIXED = f"""\
# deals of one evening
{ALICE}
{ALICE[:-3]}

{{"cards": "{SIX_PAIRS}", "id": "pairs", "dead": "Ks"}}
{{"cards": "{SIX_PAIRS}", "dead": "{DEAD_27}"}}
{WEAK}  # the last
"""
FAULTS = [
    "error: stdin:3: cards: 12 cards, expected 13",
    "error: stdin:6: card used more than once: 2d (cards, dead), 5d (cards, dead), ",
]


@pytest.mark.parametrize("output_format", ["table", "json", "csv"])
def test_a_bad_line_does_not_stop_the_others(arrange: RunCli, output_format: str) -> None:
    result = arrange("--input", "-", "--format", output_format, stdin=MIXED)
    assert result.exit_code == 1
    told = result.stderr.splitlines()
    assert len(told) == 2
    assert told[0] == FAULTS[0]
    assert told[1].startswith("error: stdin:6: card")
    header = 0 if output_format == "json" else 1
    assert len(result.stdout.splitlines()) == 3 + header


def test_every_deal_is_a_document(arrange: RunCli) -> None:
    result = arrange("--input", "-", "--json", stdin=MIXED)
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [document.get("id") for document in documents] == [None, "pairs", None]
    assert [document["opponents"] for document in documents] == [3, 2, 3]
    assert [document["dead"] for document in documents] == [[], ["Ks"], []]
    assert [len(document["arrangements"]) for document in documents] == [1, 1, 1]
    alone = read_json(arrange(ALICE, "--json", "--top", "1"))
    assert documents[0] == alone


def test_a_table_of_deals_has_a_line_for_each(arrange: RunCli) -> None:
    lines = arrange("--input", "-", stdin=MIXED).stdout.splitlines()
    assert lines[0].split() == ["front", "/", "middle", "/", "back", "EV", "±se", "action"]
    assert lines[2].endswith('  "pairs"')
    assert all(line.count(" / ") == 2 for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_ranking_of_each_deal_on_request(arrange: RunCli) -> None:
    result = arrange("--input", "-", "--top", "2", stdin=f"{ALICE}\n{WEAK}\n")
    blocks = result.stdout.strip("\n").split("\n\n")
    assert [len(block.splitlines()) for block in blocks] == [5, 5]


def test_strict_stops_at_the_first_bad_line(arrange: RunCli) -> None:
    result = arrange("--input", "-", "--format", "csv", "--strict", stdin=MIXED)
    assert result.exit_code == 1
    assert result.stderr == FAULTS[0] + "\n"
    assert len(result.stdout.splitlines()) == 2


def test_good_deals_end_with_zero(arrange: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "deals.yaml"
    path.write_text(f"- {ALICE}\n- cards: {WEAK}\n  id: weak\n")
    result = arrange("--input", str(path), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 2


def test_an_empty_input_is_an_error(arrange: RunCli) -> None:
    result = arrange("--input", "-", stdin="# nothing\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: stdin: no deals in it")


# --- in a process of its own ---------------------------------------------------------------------

RUN_SMALL = """
import sys
import cp_cli.equity
from tests.small_fields import open_small_analyst
cp_cli.equity.open_analyst = open_small_analyst
from cp_cli.cli import main
main()
"""


def start_arrange(*arguments: str) -> subprocess.Popen[str]:
    """Start `cpoker arrange` with few opponents."""
    return subprocess.Popen(
        [sys.executable, "-c", RUN_SMALL, "arrange", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_ctrl_c_keeps_the_finished_lines() -> None:
    with start_arrange("--input", "-", "--json") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{ALICE}\n{WEAK}\n")
        process.stdin.flush()
        # Both answers come while the input is still open.
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ""
        assert process.stderr.read() == ""
    assert process.returncode == 130
    assert [len(answer["arrangements"]) for answer in answers] == [1, 1]


def test_a_closed_pipe_is_no_error() -> None:
    with start_arrange("--input", "-", "--format", "csv") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{ALICE}\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("cards,rank,")
        process.stdout.close()
        try:
            process.stdin.write(f"{WEAK}\n" * 20)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == ""
    assert process.returncode == 141


# --- the folder of compiled kernels --------------------------------------------------------------

KERNEL = """
from cp_cli._kernels.jit import kernel

@kernel()
def double(x):
    return 2 * x

print(double(21))
"""


def run_kernel(tmp_path: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    """Compile and call a small kernel with a cache folder of its own."""
    script = tmp_path / "small_kernel.py"
    script.write_text(KERNEL)
    return subprocess.run(
        [sys.executable, str(script)],
        env=os.environ
        | {"CPOKER_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


def list_cached(cache: Path) -> list[Path]:
    """Return the files in which Numba keeps machine code."""
    return sorted(path for path in cache.rglob("small_kernel*") if path.suffix in (".nbi", ".nbc"))


def test_a_damaged_kernel_is_compiled_again(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run_kernel(tmp_path, cache).stdout == "42\n"
    files = list_cached(cache)
    assert {path.suffix for path in files} == {".nbi", ".nbc"}
    assert run_kernel(tmp_path, cache).stderr == ""
    for content in (b"", b"garbage", files[0].read_bytes()[:40]):
        for path in files:
            path.write_bytes(content)
        ended = run_kernel(tmp_path, cache)
        assert (ended.returncode, ended.stdout) == (0, "42\n")
        assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("kind", ["file", "read-only"])
def test_a_cache_that_cannot_be_written_is_replaced(tmp_path: Path, kind: str) -> None:
    cache = tmp_path / "cache"
    if kind == "file":
        cache.write_text("in the way")
    else:
        cache.mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    ended = run_kernel(tmp_path, cache)
    assert (ended.returncode, ended.stdout) == (0, "42\n")
    assert "Traceback" not in ended.stderr


def test_closed_streams_are_no_traceback() -> None:
    for redirect, expected in ((">&-", 0), ("<&-", 1)):
        source = ALICE if redirect == ">&-" else "--input -"
        words = f'"{source}"' if redirect == ">&-" else source
        command = f"{shlex.quote(sys.executable)} -m cp_cli arrange {words} {redirect}"
        done = subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, timeout=120, check=False
        )
        assert "Traceback" not in done.stderr
        assert done.returncode == expected, done.stderr


def test_many_dead_cards(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cp_cli.equity.open_analyst", open_analyst)
    held = set(parse_cards(ALICE))
    dead = [card for card in DECK if card not in held][:24]
    result = run_cli(
        "arrange", ALICE, "--dead", format_cards(dead), "--opponents", "1", "--json", "--top", "1"
    )
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["samples"] >= 4_000
    assert answer["arrangements"][0]["se"] < 0.1
