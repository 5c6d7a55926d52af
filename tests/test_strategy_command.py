"""`cpoker strategy`: how strategies set deals."""

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cp_cli.arrangement import Arrangement
from cp_cli.cards import format_cards, parse_cards
from cp_cli.cli.options import STRATEGIES
from cp_cli.cli.strategy import COMMANDS
from cp_cli.cli.strategy_set import AT_ONCE
from cp_cli.evaluator import explain_foul, rank_row
from cp_cli.field import deal_random
from cp_cli.ruleset import Order, load_ruleset
from cp_cli.settlement.game import build_game, digest_play
from cp_cli.strategy import OPPONENT_STRATEGIES, Strategy, matches, named, write_strategy
from cp_cli.strategy import set_deals as set_by_rule
from cp_cli.strategy.files import SHIPPED
from cp_cli.strategy.matches import play_batches
from tests.sizes import COMPILED, pick_size
from tests.small_fields import open_small_analyst

RunCli = Callable[..., Result]
ALICE = "As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c"
SIX_PAIRS = "2h 2d 3c 3s 5h 5d 7c 7s 9d 9c Jh Jd As"
DEALS = [format_cards(int(card) for card in deal) for deal in deal_random(9, 0, 30)]
NO_RULE = ["--set", "naturals={list: [[six_pairs, 50]]}", "--set", "surrender=0"]


@pytest.fixture(autouse=True)
def _small_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few thousand opponents stand for the trained ones."""
    monkeypatch.setattr("cp_cli.equity.open_analyst", open_small_analyst)
    if not COMPILED:
        monkeypatch.setattr("cp_cli.strategy.fast.STEPS", (3, 3, 3))
    monkeypatch.setenv("CPOKER_QUIET", "1")  # the first run ever tells that it compiles


@pytest.fixture
def set_deals(run_cli: RunCli) -> RunCli:
    """Run `cpoker strategy set` on deals given as text."""

    def run(*arguments: str, stdin: str = "\n".join(DEALS)) -> Result:
        return run_cli("strategy", "set", "--input", "-", *arguments, stdin=stdin)

    return run


def read_rows(result: Result) -> list[tuple[str, Arrangement]]:
    """Return the deals and arrangements of the CSV that a command printed."""
    assert result.exit_code == 0, result.stderr
    rows = csv.DictReader(io.StringIO(result.stdout))
    assert rows.fieldnames == ["cards", "front", "middle", "back"]
    return [
        (
            row["cards"],
            Arrangement(*(parse_cards(row[name]) for name in ("front", "middle", "back"))),
        )
        for row in rows
    ]


def test_the_names_are_those_of_the_opponents() -> None:
    assert STRATEGIES == OPPONENT_STRATEGIES


@pytest.mark.parametrize(
    "arguments", [["--fast"], *(["--strategy", name] for name in STRATEGIES)], ids=" ".join
)
def test_every_strategy_sets_every_deal(set_deals: RunCli, arguments: list[str]) -> None:
    rows = read_rows(set_deals(*arguments))
    assert [cards for cards, _ in rows] == DEALS
    for cards, arrangement in rows:
        assert sorted(arrangement.cards) == sorted(parse_cards(cards))
        assert explain_foul(arrangement, Order()) is None


def test_the_equilibrium_is_what_arrange_advises(set_deals: RunCli, run_cli: RunCli) -> None:
    rows = read_rows(set_deals(stdin="\n".join(DEALS[:8])))
    advice = run_cli("arrange", "--input", "-", "--json", stdin="\n".join(DEALS[:8]))
    for (_, arrangement), line in zip(rows, advice.stdout.splitlines(), strict=True):
        best = json.loads(line)["arrangements"][0]
        advised = Arrangement(
            *(parse_cards(" ".join(best[name])) for name in ("front", "middle", "back"))
        )
        for row, other in zip(arrangement.rows, advised.rows, strict=True):
            assert rank_row(row) == rank_row(other)


def test_back_first_makes_the_strongest_back(set_deals: RunCli) -> None:
    ((_, back_first),) = read_rows(set_deals("--strategy", "back-first", stdin=ALICE))
    assert format_cards(back_first.back) == "As Ks Qs Js 6s"


def test_a_deal_that_would_not_be_played_has_rows_too(set_deals: RunCli) -> None:
    deals = f"{SIX_PAIRS}\n2h 3d 4c 6s 7h 8d 9c Js Qh Kd 2c 4s 7c\n"
    played = read_rows(set_deals(stdin=deals))
    assert read_rows(set_deals(*NO_RULE, stdin=deals)) == played
    quickly = read_rows(set_deals("--fast", stdin=deals))
    assert read_rows(set_deals("--fast", *NO_RULE, stdin=deals)) == quickly
    assert len(quickly) == len(played)
    assert all(explain_foul(arrangement, Order()) is None for _, arrangement in played)


def test_rows_keep_the_cards_as_they_were_given(set_deals: RunCli) -> None:
    shuffled = " ".join(reversed(ALICE.split()))
    (first, one), (second, two) = read_rows(set_deals(stdin=f"{ALICE}\n{shuffled}\n"))
    assert (first, second) == (ALICE, shuffled)
    assert one == two


def test_a_bad_line_does_not_stop_the_others(set_deals: RunCli) -> None:
    result = set_deals(stdin=f"{DEALS[0]}\nAs As\n\n{DEALS[1]}\n")
    assert result.exit_code == 1
    assert result.stderr == (
        "error: stdin:2: cards: As used more than once (again at column 4); 2 cards, expected 13\n"
    )
    assert [line.partition(",")[0] for line in result.stdout.splitlines()[1:]] == DEALS[:2]


def test_strict_stops_at_a_bad_line(run_cli: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{DEALS[0]}\nAs\n{DEALS[1]}\n")
    result = run_cli("strategy", "set", "--input", str(path), "--strict")
    assert result.exit_code == 1
    assert result.stderr == f"error: {path}:2: cards: 1 card, expected 13\n"
    assert [line.partition(",")[0] for line in result.stdout.splitlines()[1:]] == DEALS[:1]


def test_files_are_set_in_parts_and_in_order(run_cli: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    deals = [format_cards(int(card) for card in deal) for deal in deal_random(9, 0, AT_ONCE + 3)]
    path.write_text("\n".join(deals))
    result = run_cli("strategy", "set", "--input", str(path), "--strategy", "back-first")
    assert [line.partition(",")[0] for line in result.stdout.splitlines()[1:]] == deals


def test_the_answer_does_not_depend_on_jobs(set_deals: RunCli) -> None:
    for name in ("equilibrium", "random-legal"):
        one, two = (read_rows(set_deals("--strategy", name, "--jobs", jobs)) for jobs in "12")
        assert one == two


def test_another_seed_is_another_draw(set_deals: RunCli) -> None:
    answers = [read_rows(set_deals("--strategy", "random-legal", "--seed", seed)) for seed in "011"]
    assert answers[0] != answers[1]
    assert answers[1] == answers[2]


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_pipe_and_a_file_have_the_same_answer(
    set_deals: RunCli, run_cli: RunCli, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "deals.txt"
    path.write_text("\n".join(DEALS))
    filed = run_cli("strategy", "set", "--input", str(path), "--strategy", name)
    rows = read_rows(filed)
    assert rows == read_rows(set_deals("--strategy", name))
    if name != "equilibrium":
        assert rows != read_rows(set_deals())


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "random-legal"])
def test_a_deal_is_set_alike_in_any_company(set_deals: RunCli, name: str) -> None:
    alone = read_rows(set_deals("--strategy", name, stdin=DEALS[7]))
    assert alone == read_rows(set_deals("--strategy", name))[7:8]


# --- players from outside ------------------------------------------------------------------------


def test_a_csv_sets_the_deals_it_holds(set_deals: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text(set_deals("--strategy", "front-heavy", stdin="\n".join(DEALS[:5])).stdout)
    result = set_deals("--strategy", str(path), stdin=f"{DEALS[7]}\n{DEALS[2]}\n")
    assert result.exit_code == 1
    assert result.stderr == "error: stdin:1: the strategy's file does not hold this deal\n"
    assert result.stdout.splitlines() == [
        path.read_text().splitlines()[0],
        path.read_text().splitlines()[3],
    ]


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """A strategy file whose deals are set from the front."""
    ruleset = load_ruleset("two-four")
    game = build_game(ruleset)
    count = pick_size(1500, 40)
    codes = set_by_rule("front-heavy", deal_random(5, 0, count), game)
    path = tmp_path / "mine.strategy"
    write_strategy(path, Strategy(digest_play(ruleset), 5, count - 1, codes), ruleset.id)
    return path


def test_a_trained_file_sets_deals(set_deals: RunCli, trained: Path) -> None:
    for arguments in ([], ["--fast"]):
        rows = read_rows(set_deals("--strategy", str(trained), *arguments))
        assert [cards for cards, _ in rows] == DEALS
        # Against strong fronts it is the back that is worth something.
        assert rows != read_rows(set_deals(*arguments))


def test_levels_up_to_the_equilibrium(set_deals: RunCli) -> None:
    played = [read_rows(set_deals("--strategy", f"level-{level}")) for level in (0, 60, 100)]
    best = read_rows(set_deals())
    assert played[2] == best
    alike = [sum(a == b for a, b in zip(rows, best, strict=True)) for rows in played]
    assert alike[0] < alike[1] < alike[2]


# --- match ---------------------------------------------------------------------------------------

Match = dict[str, Any]
BATCH = pick_size(matches.BATCH, 16)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts of a match and lessons be small where kernels run as plain Python."""
    monkeypatch.setattr(matches, "BATCH", BATCH)
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


def run_match(run_cli: RunCli, *arguments: str) -> Match:
    result = run_cli("strategy", "match", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    found: Match = json.loads(result.stdout)
    return found


def test_match_prints_what_its_help_says(run_cli: RunCli) -> None:
    found = run_match(run_cli, "rank-product", "random-legal", "--deals", "50", "--seed", "3")
    told = run_cli("strategy", "match", "--help").stdout.partition("JSON: ")[2]
    told = told.partition("EV, rows")[0]

    def list_keys(value: Match) -> set[str]:
        below = [list_keys(each) for each in value.values() if isinstance(each, dict)]
        return set(value).union(*below)

    assert set(re.findall(r'"(\w+)"', told)) == list_keys(found)
    assert {key: found[key] for key in ("ruleset", "a", "b", "seed", "deals", "games")} == {
        "ruleset": "two-four",
        "a": "rank-product",
        "b": "random-legal",
        "seed": 3,
        "deals": 50,
        "games": 100,
    }
    assert found["method"] == {"duplicate": 50, "pairs": 0, "fresh": 0, "left_out": 0}
    low, high = found["ci95"]
    assert low < found["ev"] < high
    assert high - low == pytest.approx(2 * 1.96 * found["se"], rel=1e-3)
    for row in found["rows"].values():
        assert sum(row.values()) == pytest.approx(1, abs=1e-5)
    assert found["ev"] > 2
    assert 0 <= found["scooped"] < found["scoop"] < 1


def test_match_as_csv_and_as_a_table(run_cli: RunCli) -> None:
    arguments = ("back-first", "front-heavy", "--deals", "40")
    found = run_match(run_cli, *arguments)
    printed = run_cli("strategy", "match", *arguments, "--format", "csv").stdout
    (record,) = csv.DictReader(io.StringIO(printed))
    assert float(record["ev"]) == found["ev"]
    assert [float(record["low95"]), float(record["high95"])] == found["ci95"]
    assert float(record["middle_tie"]) == found["rows"]["middle"]["tie"]
    assert float(record["scooped"]) == found["scooped"]
    lines = run_cli("strategy", "match", *arguments).stdout.splitlines()
    assert lines[:2] == [
        "back-first against front-heavy under two-four, heads-up",
        "40 deals, each in both seats",
    ]
    assert f"EV {found['ev']:+.3f} units a deal ± {found['se']:.3f}, 95% " in lines[3]
    (back,) = [line.split() for line in lines if line.startswith("back ")]
    assert back[1] == f"{100 * found['rows']['back']['win']:.1f}%"
    assert max(map(len, lines)) <= 80


def test_a_match_is_the_same_on_any_cores(run_cli: RunCli) -> None:
    arguments = (
        "random-legal",
        "scoop-chaser",
        "--deals",
        str(pick_size(300, 10)),
        "--ruleset",
        "malay",
    )
    one, two = (run_match(run_cli, *arguments, "--jobs", jobs) for jobs in "12")
    assert one == two


def test_match_until_the_error_is_small(run_cli: RunCli) -> None:
    found = run_match(run_cli, "rank-product", "back-first", "--target-se", "0.1")
    assert found["se"] <= 0.1
    assert found["deals"] < 20_000
    result = run_cli(
        *("strategy", "match", "rank-product", "back-first", "--target-se", "0.001"),
        *("--deals", "60"),
    )
    assert result.exit_code == 0
    assert re.fullmatch(r"note: standard error 0\.\d+ after all 60 deals\n", result.stderr)


def test_a_csv_plays_a_match(set_deals: RunCli, run_cli: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text(set_deals("--strategy", "front-heavy").stdout)
    found = run_match(run_cli, str(path), "rank-product")
    method = found["method"]
    assert 2 * method["pairs"] + method["fresh"] == len(DEALS)
    assert method["duplicate"] == method["left_out"] == 0
    mirrored = run_match(run_cli, "rank-product", str(path))
    assert mirrored["ev"] == -found["ev"]
    lines = run_cli("strategy", "match", str(path), "rank-product").stdout.splitlines()
    told = " ".join(lines[1:6])
    assert f"{method['fresh']} deals that met random hands" in told


def test_a_trained_file_plays_a_match(run_cli: RunCli, trained: Path) -> None:
    found = run_match(run_cli, str(trained), "front-heavy", "--deals", "100")
    assert found["ev"] > 0.5  # it answers just such a player
    other = run_cli("strategy", "match", str(trained), "back-first", "--ruleset", "one-six")
    assert other.exit_code == 1
    assert f"error: {trained}: trained for other rules; expected one-six" in other.stderr


def test_an_interrupted_match_prints_how_it_stands(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*given: Any, **options: Any) -> Iterator[object]:
        yield from islice(play_batches(*given, **options), 1)
        raise KeyboardInterrupt

    monkeypatch.setattr("cp_cli.strategy.matches.play_batches", stop)
    result = run_cli("strategy", "match", "back-first", "front-heavy", "--deals", "9000", "--json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["deals"] == BATCH

    def stop_at_once(*_: Any, **__: Any) -> Iterator[object]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("cp_cli.strategy.matches.play_batches", stop_at_once)
    result = run_cli("strategy", "match", "back-first", "front-heavy")
    assert (result.exit_code, result.stdout) == (130, "")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["equilibrium"], 2, "Missing argument 'B'"),
        (["equilibrium", "frnt-heavy"], 2, 'did you mean "front-heavy"?'),
        (["back-first", "/no/such.csv"], 1, "/no/such.csv: cannot be read: No such file"),
        (
            ["back-first", "/no/such.strategy"],
            1,
            "no/such.strategy: cannot be read: no such file",
        ),
        (["back-first", "level-3", "--target-se", "0"], 2, "expected a number of units above 0"),
        (["back-first", "level-3", "--target-se", "nan"], 2, "expected a number of units above"),
        (["back-first", "level-3", "--deals", "0"], 2, "--deals"),
        (["back-first", "back-first", "--ruleset", "two-for"], 1, 'did you mean "two-four"?'),
    ],
)
def test_bad_matches(run_cli: RunCli, arguments: list[str], code: int, message: str) -> None:
    result = run_cli("strategy", "match", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


# --- list ----------------------------------------------------------------------------------------


def test_list_names_every_strategy_and_file(run_cli: RunCli) -> None:
    found = json.loads(run_cli("strategy", "list", "--json").stdout)
    names = [each["name"] for each in found["strategies"]]
    assert names == [*STRATEGIES, "level-0 ... level-100"]
    shipped = [each for each in found["files"] if each["origin"] == "package"]
    assert {Path(each["path"]).name for each in shipped} == {
        path.name for path in SHIPPED.glob("*.strategy")
    }
    assert all(each["fault"] is None and each["deals"] > each["choosing"] > 0 for each in shipped)
    lines = run_cli("strategy", "list").stdout.splitlines()
    assert max(map(len, lines[1 : 2 + len(STRATEGIES)])) <= 80
    for name in STRATEGIES:
        assert any(line.startswith(f"{name} ") for line in lines)
    assert any("two-four (1-3 opponents)" in line for line in lines)


def test_list_the_files_of_one_ruleset(run_cli: RunCli, tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("extends: malay\nstakes: {default: 10}\n")
    for name in ("malay", str(house)):
        found = json.loads(run_cli("strategy", "list", "--ruleset", name, "--json").stdout)
        shipped = [each for each in found["files"] if each["origin"] == "package"]
        assert sorted(use["role"] for each in shipped for use in each["uses"]) == ["bank", "player"]
    result = run_cli("strategy", "list", "--ruleset", "malai")
    assert result.exit_code == 1
    assert 'did you mean "malay"?' in result.stderr


# --- the group -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_every_subcommand_exists(run_cli: RunCli, name: str) -> None:
    result = run_cli("strategy", name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: cpoker strategy {name} ")
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_group_lists_its_commands_without_importing_them() -> None:
    code = (
        "import sys; from cp_cli.cli import cli\n"
        "try: cli(['strategy', '--help'], prog_name='cpoker')\n"
        "except SystemExit: pass\n"
        "print([n for n in sys.modules if 'cli.strategy_' in n or n in ('numpy', 'numba', 'rich')])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "[]"
    for name, (_, line) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", ended.stdout, re.MULTILINE)


def test_an_unknown_subcommand_suggests_the_nearest(run_cli: RunCli) -> None:
    result = run_cli("strategy", "mach")
    assert result.exit_code == 2
    assert 'no such command "mach"; did you mean "match"?' in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "Missing option '--input'"),
        (["--input", "/no/such/file"], 1, '"/no/such/file": cannot be read'),
        (["--input", "-"], 1, "stdin: no deals in it"),
        (["--input", "-", "--strategy", "rank-prodct"], 2, 'did you mean "rank-product"?'),
        (["--input", "-", "--strategy", "level-101"], 2, 'unknown strategy "level-101"; expected'),
        (["--input", "-", "--fast", "--strategy", "level-9"], 2, "--fast goes with equilibrium"),
        (["--input", "-", "--ruleset", "two-for"], 1, 'did you mean "two-four"?'),
    ],
)
def test_bad_usage(run_cli: RunCli, arguments: list[str], code: int, message: str) -> None:
    result = run_cli("strategy", "set", *arguments, stdin="")
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr
