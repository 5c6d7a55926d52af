"""`cpoker strategy train`: what it writes, what uses it, how it goes on after Ctrl-C."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cp_cli._kernels.opponents import ALL_BEATEN, BEATEN_ALIKE
from cp_cli.ruleset import load_ruleset
from cp_cli.settlement.game import BANK, PLAYER, digest_play
from cp_cli.strategy import load_strategy, named, read_strategy, training
from cp_cli.strategy.answers import Progress
from tests.sizes import pick_size
from tests.tiny_trainings import TINY, train_tiny, use_empty_cache

RunCli = Callable[..., Result]
HOUSE = ["--set", "overall.units=7"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and plans of a second."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))
    for name in training.PLANS:
        monkeypatch.setitem(training.PLANS, name, dict.fromkeys(range(3), TINY))
    return use_empty_cache(tmp_path, monkeypatch)


@pytest.fixture
def train(run_cli: RunCli, cache: Path) -> RunCli:
    """Run `cpoker strategy train`."""

    def run(*arguments: str) -> Result:
        return run_cli("strategy", "train", *arguments)

    return run


def interrupt_at(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Press Ctrl-C in a step of the next training."""
    advance = training.Training.advance

    def stop(self: training.Training, progress: Progress) -> None:
        if self.step == step:
            raise KeyboardInterrupt
        advance(self, progress)

    monkeypatch.setattr(training.Training, "advance", stop)


def test_what_is_trained_is_used(train: RunCli, cache: Path) -> None:
    ruleset = load_ruleset("two-four")
    result = train("two-four", "--seed", "4", "--rounds", "2")
    assert result.exit_code == 0
    assert result.stderr == (
        f"training a strategy for two-four, {TINY.choosing:,} deals, 2 rounds ...\n"
        "used from now on for two-four; remove the file to undo that\n"
    )
    path = Path(result.stdout.rstrip("\n"))
    assert path == cache / f"trained-{digest_play(ruleset)}.strategy"
    strategy = read_strategy(path)
    assert (strategy.seed, len(strategy.codes)) == (4, TINY.choosing + TINY.judging)
    assert load_strategy(ruleset).codes.tolist() == strategy.codes.tolist()
    assert [each.name for each in cache.iterdir()] == [path.name]


def test_every_ruleset_that_plays_alike_is_named(train: RunCli, cache: Path) -> None:
    result = train("criss-cross", "--rounds", "1")
    assert "used from now on for ante, basic, criss-cross, first-to-11; remove" in result.stderr
    assert "used from now on" not in train("criss-cross", "--set", "rows.win=9").stderr


def test_a_place_that_cannot_be_written_is_told_before_the_work(
    train: RunCli, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CPOKER_CACHE_DIR", str(tmp_path / "file" / "cache"))
    result = train("two-four")
    assert result.exit_code == 1
    assert "cannot be written: not a directory; name another place with --output" in result.stderr
    assert "training" not in result.stderr.replace("strategies", "")


@pytest.mark.parametrize("command", ["train", "measure", "table"])
def test_more_opponents_than_the_rules_allow(run_cli: RunCli, command: str) -> None:
    ruleset = ["criss-cross"] if command == "train" else ["--ruleset", "criss-cross"]
    result = run_cli("strategy", command, *ruleset, "--opponents", "3")
    assert result.exit_code == 1
    assert "--opponents 3: ruleset criss-cross is for up to 2 players, expected 1 or less" in (
        result.stderr
    )


def test_the_same_seed_trains_the_same_file(train: RunCli, cache: Path) -> None:
    ruleset = load_ruleset("two-four", ["overall.units=7"])
    files_of = [
        Path(train("two-four", *HOUSE, "--jobs", jobs).stdout.strip()).read_bytes()
        for jobs in ("1", "2", "3")
    ]
    assert files_of[0] == files_of[1] == files_of[2]
    assert load_strategy(ruleset).codes.tolist() == train_tiny(ruleset).tolist()
    other = Path(train("two-four", *HOUSE, "--seed", "2").stdout.strip()).read_bytes()
    assert other != files_of[0]


def test_an_interrupted_training_goes_on(train: RunCli, cache: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.strategy"
    assert train("two-four", *HOUSE, "--output", str(whole)).stdout == f"{whole}\n"
    with pytest.MonkeyPatch.context() as patch:
        interrupt_at(patch, TINY.warm_rounds + 2)
        result = train("two-four", *HOUSE)
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.splitlines()[-1] == "interrupted; the same command goes on from here"
    (state,) = cache.iterdir()
    again = train("two-four", *HOUSE, "--jobs", "2")
    assert again.stderr.startswith(f"going on after step {TINY.warm_rounds + 2} of ")
    assert Path(again.stdout.strip()).read_bytes() == whole.read_bytes()
    assert not state.exists()


def test_an_early_interrupt_starts_anew(train: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at(monkeypatch, 0)
    result = train("two-four", *HOUSE)
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "interrupted; the same command starts anew\n"


def test_a_damaged_state_is_trained_over(train: RunCli, cache: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        interrupt_at(patch, 3)
        train("two-four", *HOUSE)
    (state,) = cache.iterdir()
    state.write_bytes(state.read_bytes()[:-20])
    result = train("two-four", *HOUSE)
    assert result.exit_code == 0
    assert "going on" not in result.stderr
    ruleset = load_ruleset("two-four", ["overall.units=7"])
    assert read_strategy(Path(result.stdout.strip())).codes.tolist() == (
        train_tiny(ruleset).tolist()
    )


def test_another_plan_does_not_go_on(train: RunCli, cache: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        interrupt_at(patch, 3)
        train("two-four", *HOUSE)
    result = train("two-four", *HOUSE, "--rounds", "3")
    assert "going on" not in result.stderr


def test_a_bank_and_its_players_get_two_files(train: RunCli, cache: Path, tmp_path: Path) -> None:
    ruleset = load_ruleset("malay")
    digests = [digest_play(ruleset, 3, role) for role in (PLAYER, BANK)]
    result = train("malay")
    assert result.stdout.splitlines() == [
        str(cache / f"trained-{digest}.strategy") for digest in digests
    ]
    result = train("malay", "--output", str(tmp_path / "x.strategy"))
    paths = [tmp_path / f"x-{digest}.strategy" for digest in digests]
    assert result.stdout.splitlines() == [str(path) for path in paths]
    assert [read_strategy(path).digest for path in paths] == digests


def test_opponents_count_where_the_table_is_paid_for(train: RunCli, cache: Path) -> None:
    ruleset = load_ruleset("ante")
    for arguments, opponents in (([], 3), (["--opponents", "2"], 2)):
        path = Path(train("ante", *arguments).stdout.strip())
        assert path.stem == f"trained-{digest_play(ruleset, opponents)}"


def test_what_is_written_elsewhere_is_used_only_there(
    train: RunCli, cache: Path, tmp_path: Path
) -> None:
    before = load_strategy(load_ruleset("two-four")).codes.tolist()
    path = tmp_path / "mine.strategy"
    assert train("two-four", "--output", str(path)).exit_code == 0
    assert json.loads(path.read_bytes().partition(b"\n")[0])["ruleset"] == "two-four"
    assert load_strategy(load_ruleset("two-four")).codes.tolist() == before


def test_deals_set_the_size_of_a_training(train: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    assert (
        train("two-four", "--deals", "256", "--rounds", "1", "--output", str(path)).exit_code == 0
    )
    strategy = read_strategy(path)
    assert strategy.choosing == 256
    assert len(strategy.codes) == 256 + 256 * TINY.judging // TINY.choosing


def test_plans_differ_in_work() -> None:
    for pruning in (0, BEATEN_ALIKE, ALL_BEATEN):
        full, quick = (training.PLANS[name][pruning] for name in ("full", "quick"))
        assert full.choosing > quick.choosing
        assert full.judging > quick.judging
        assert full.choosing % full.blocks == quick.choosing % quick.blocks == 0
    assert training.PLANS["full"][ALL_BEATEN] == training.FULL
    assert training.PLANS["quick"] is training.QUICK


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "Missing argument 'RULESET'"),
        (["two-for"], 1, 'did you mean "two-four"?'),
        (["two-four", "--output", "x.txt"], 2, "expected a name that ends in .strategy"),
        (["two-four", "--output", "/no/such/x.strategy"], 2, "/no/such: no such folder"),
        (["two-four", "--deals", "255"], 2, "--deals"),
        (["two-four", "--plan", "long"], 2, "--plan"),
    ],
)
def test_bad_usage(train: RunCli, arguments: list[str], code: int, message: str) -> None:
    result = train(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr
