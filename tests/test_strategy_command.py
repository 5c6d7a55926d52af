"""`cpoker strategy`: how strategies set deals."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cp_cli.arrangement import Arrangement
from cp_cli.cards import format_cards, parse_cards
from cp_cli.cli.options import STRATEGIES
from cp_cli.cli.strategy_set import AT_ONCE
from cp_cli.evaluator import explain_foul, rank_row
from cp_cli.field import deal_random
from cp_cli.ruleset import Order
from cp_cli.strategy import OPPONENT_STRATEGIES
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
