"""`cpoker simulate`: what is wrong is told in one line, before any strategy is opened."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from cp_cli.arrangement import parse_arrangement
from cp_cli.candidates import sort_deal
from cp_cli.cli.simulate_files import DealFile
from cp_cli.errors import InputError
from cp_cli.field import DECLARE, FOUL
from cp_cli.ruleset import load_ruleset
from cp_cli.simulation.plan import Request, build_plan
from cp_cli.simulation.play import Played
from tests.sizes import pick_size

RunCli = Callable[..., Result]
SPLIT = "Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s"
DEALS = pick_size(8, 4)
PAIR = ["--strategy", "back-first", "--versus", "front-heavy", "--opponents", "1"]


@pytest.fixture
def refuse(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> RunCli:
    """Run `cpoker simulate`, which must fail before it opens a strategy."""

    def open_nothing(*_: object, **__: object) -> None:
        raise AssertionError("a strategy was opened")

    monkeypatch.setattr("cp_cli.simulation.run.Simulator", open_nothing)
    return partial(run_cli, "simulate")


def tell(result: Result, code: int) -> str:
    """Return the message of a command that failed so, without the lines on usage."""
    assert (result.exit_code, result.stdout) == (code, "")
    return result.stderr.splitlines()[-1].partition(": ")[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--time", "0"], '"0"; expected a time above 0, as 30s, 500ms, 2m, 1h or 90 (seconds)'),
        (["--time", "5d"], '"5d"; expected a time above 0'),
        (["--time", "nan"], '"nan"; expected a time above 0'),
        (["--time", "9" * 400], "expected a time above 0"),
        (["--deals", "0"], "0 is not in the range x>=1"),
        (["--target-se", "nan"], "nan; expected a number of units above 0"),
        (["--target-se", "0"], "0; expected a number of units above 0"),
        (["--bankroll", "0"], "0 is not in the range 1<=x"),
        (["--within", "10"], "--within has a meaning only with --bankroll"),
        (["--output", "deals.txt"], '"deals.txt"; expected a file that ends in .csv or .jsonl'),
        (["--save", "page.png"], '"page.png"; expected a file that ends in .html or .svg'),
        (["--output", "a.csv", "--resume", "a.csv"], "--output and --resume are both a.csv"),
        (["--strategy", "best"], 'unknown strategy "best"'),
        (["--versus", "set.csv"], '"set.csv" sets only the deals that are in it; expected'),
        (["--stored", "--resume", "a"], "--stored plays at once; expected no --resume with it"),
        (["--stored", "--time", "1s"], "--stored plays at once; expected no --time with it"),
        (["--exact", "naturals", "As"], 'expected no CARDS or ARRANGEMENT, not "As"'),
        (["--exact", "naturals", "--deals", "5"], "it plays nothing; expected no --deals"),
        (["--exact", "straights"], "naturals"),
        (["--json", "--format", "csv"], "--json contradicts --format csv"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_wrong_usage(refuse: RunCli, arguments: list[str], message: str) -> None:
    assert message in tell(refuse(*arguments), 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AsXd"], 'cards: unknown rank "X" in "Xd" at column 3; expected a rank'),
        (["As", "KdAs"], "cards: As used more than once (again at column 6)"),
        ([""], "cards: no cards, expected 1 to 13"),
        (["S:AKQJT98765432 H:A"], "cards: 14 cards, expected 1 to 13"),
        (["As Ks / Qs"], "arrangement: 2 rows, expected 3: front / middle / back"),
        ([SPLIT, "As Ks / Qs"], "argument 2: 2 rows, expected 3: front / middle / back"),
        ([SPLIT, SPLIT.replace("2h", "2c")], "2c instead of 2h"),
        ([SPLIT, "--dead", "9h 4c"], "card used more than once: 9h (cards, --dead)"),
        (["As", "--opponent", "KdXs"], '--opponent 1: unknown rank "X"'),
        (["As", "--opponent", "Kd", "--opponent", "Kd"], "Kd (opponent 1, opponent 2)"),
        (["--opponent", "Kd"], "--opponent: nobody's opponent; expected CARDS"),
        (["--opponents", "3", "--dead", "2c"], "--dead: 1 card; 3 opponents leave room for none"),
        (["--opponents", "3", "--ruleset", "criss-cross"], "--opponents 3: ruleset criss-cross"),
        (["--versus", "level-1", "--versus", "level-2"], "--versus: 2 strategies for 3 opponents"),
        (["--role", "bank"], "--role bank: ruleset two-four has no bank, expected mode bank"),
        (["--role", "bank", "--ruleset", "malay"], "--role bank: nobody's role; expected CARDS"),
        (
            [SPLIT, "--strategy", "level-1", "--versus", "level-2"],
            "--strategy level-1: the hero's cards are set already",
        ),
        (["As", "--ruleset", "malay", "--opponents", "2"], "a player settles with the bank alone"),
        (["--chips", "5"], "--chips 5: ruleset two-four does not limit payments by chips"),
        (["As", "--stored", "--opponents", "1"], "--stored: stored deals are single opponents"),
        (["--strategy", "no/such.strategy"], "no/such.strategy: cannot be read: No such file"),
        (["--ruleset", "malaya"], 'unknown ruleset "malaya"; did you mean "malay"?'),
        (["--resume", "no/such/run"], "--resume no/such/run: cannot be written: No such file"),
        (["--resume", "."], "--resume .: cannot be written: Is a directory"),
        (["--save", "no/such.svg"], "--save no/such.svg: cannot be written: No such file"),
        (["--exact", "naturals", "--ruleset", "basic"], "ruleset basic has none"),
        (["--exact", "naturals", "--save", "no/such.svg", "--ruleset", "malay"], "cannot be"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_what_cannot_be_played(refuse: RunCli, arguments: list[str], message: str) -> None:
    assert message in tell(refuse(*arguments), 1)


def test_nothing_is_left_of_files_that_were_only_tried(refuse: RunCli, tmp_path: Path) -> None:
    files = ("--output", tmp_path / "a.csv", "--save", tmp_path / "a.svg")
    refuse(*map(str, files), "--resume", str(tmp_path / "no" / "such"))
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_no_file(refuse: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    os.mkfifo(path)
    message = tell(refuse("--output", str(path)), 1)
    assert message.endswith("deals.csv: is a pipe; expected a file")


# --- runs that cannot go on ----------------------------------------------------------------------


@pytest.fixture
def go_on(run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunCli:
    """Play a few deals with files `run` and `deals.csv`, and return what plays on with them."""
    monkeypatch.chdir(tmp_path)
    play = partial(run_cli, "simulate", *PAIR, "--resume", "run")
    began = play("--deals", str(DEALS), "--output", "deals.csv")
    assert began.exit_code == 0, began.stderr
    return partial(play, "--deals", str(2 * DEALS))


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\xfe", b"[" * 9999, b'{"simulation": 1}'])
def test_a_damaged_run(go_on: RunCli, damage: bytes) -> None:
    Path("run").write_bytes(damage)
    assert tell(go_on(), 1).startswith("run: ")


def test_another_simulation(go_on: RunCli) -> None:
    kept = Path("run").read_bytes()
    for change in (["--seed", "1"], ["--dead", "2c"], ["--set", "rows.win=2"]):
        assert "run: another simulation" in tell(go_on(*change), 1)
    assert Path("run").read_bytes() == kept


def test_a_file_with_fewer_deals(go_on: RunCli) -> None:
    lines = Path("deals.csv").read_text().splitlines(keepends=True)
    Path("deals.csv").write_text("".join(lines[:3]) + lines[3][:-1])
    message = tell(go_on("--output", "deals.csv"), 1)
    assert message.startswith(f"--output deals.csv: holds 2 deals of the {DEALS} that were played;")
    assert "cannot be written: No such file" in tell(go_on("--output", "other.csv"), 1)


def test_a_file_of_other_deals(go_on: RunCli) -> None:
    text = Path("deals.csv").read_text()
    Path("deals.csv").write_text(text.replace("deal,pack", "deal,package"))
    assert "deals.csv:1: not the columns of this simulation" in tell(
        go_on("--output", "deals.csv"), 1
    )
    Path("deals.jsonl").write_text('{"deal": 1}\n' * DEALS)
    message = tell(go_on("--output", "deals.jsonl"), 1)
    assert message.startswith(f"--output deals.jsonl:{DEALS}: not deal {DEALS} of this simulation")


# --- disks ---------------------------------------------------------------------------------------


def test_a_full_disk(run_cli: RunCli, tmp_path: Path) -> None:
    full = tmp_path / "full"
    for suffix in (".csv", ".svg"):
        full.with_suffix(suffix).symlink_to("/dev/full")
    play = partial(run_cli, "simulate", *PAIR, "--deals", str(DEALS))
    deals = play("--output", str(full.with_suffix(".csv")))
    assert deals.exit_code == 1
    assert deals.stdout.startswith("back-first against front-heavy under two-four, 2 seats\n")
    assert deals.stderr.endswith("full.csv: cannot be written: No space left on device\n")
    page = play("--save", str(full.with_suffix(".svg")))
    assert page.exit_code == 1
    assert page.stdout.startswith("back-first against front-heavy under two-four, 2 seats\n")
    assert "full.svg: cannot be written: No space left on device" in page.stderr


def test_deals_that_were_not_counted_are_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    plan = build_plan(Request(load_ruleset("two-four"), 1, (parse_arrangement(SPLIT),)))
    cards = np.array([[sort_deal(parse_arrangement(SPLIT).cards)] * 2] * 3, dtype=np.uint8)
    played = Played(
        first=0,
        packs=np.array([0, 0, 1]),
        cards=cards,
        codes=(np.array([[0], [DECLARE], [FOUL]], dtype=np.int32),) * 2,
        units=np.zeros((3, 1, 2), dtype=np.int64),
    )
    with DealFile(path, plan) as deals:
        deals.open(0)
        deals.write(played)
        deals.keep(2)
        deals.write(played._replace(first=2))
        deals.keep(5)
    lines = path.read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["deal", "1", "2", "3", "4", "5"]
    assert [line.split(",")[3] for line in lines[2:]] == [
        *("declare", "As Ks Qs / Qh Js Jd 9h 8c / 6s 5s 3s 3c 2h", "declare", "foul"),
    ]


def test_a_file_that_vanished(tmp_path: Path) -> None:
    plan = build_plan(Request(load_ruleset("two-four"), 1, strategy="back-first"))
    with pytest.raises(InputError, match="cannot be written: No such file"):
        DealFile(tmp_path / "no" / "deals.csv", plan).open(0)
