"""Finding strategies by fictitious play: the same on any number of cores, however interrupted."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli.candidates import read_split
from cp_cli.evaluator import explain_foul
from cp_cli.field import DECLARE, SURRENDER, build_field, deal_random, describe_deals
from cp_cli.ruleset import Order, Ruleset, load_ruleset
from cp_cli.settlement.game import BANK, PLAYER, build_game
from cp_cli.strategy import (
    Plan,
    answer_exactly,
    named,
    set_deals,
    train_sides,
    training,
    value_choices,
)
from cp_cli.strategy.answers import Progress, be_silent
from cp_cli.strategy.checkpoints import Checkpoint
from cp_cli.strategy.chunks import CHUNK, run_chunks
from tests.sizes import COMPILED, pick_size
from tests.tiny_trainings import TINY, measure_gain, open_deals, train_tiny


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rank-product learn from fewer deals, and judging deals come in several parts."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))
    monkeypatch.setattr(training, "JUDGED_AT_ONCE", pick_size(400, 8))


@pytest.fixture(scope="module")
def trained() -> NDArray[np.int32]:
    """A tiny training of two-four."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(named, "LESSONS", pick_size(1024, 12))
        return train_tiny(load_ruleset("two-four"))


# --- what comes out ------------------------------------------------------------------------------


def test_training_says_what_every_deal_does(trained: NDArray[np.int32]) -> None:
    assert trained.shape == (TINY.choosing + TINY.judging,)
    cards = deal_random(TINY.seed, 0, len(trained))
    for i in range(0, len(trained), pick_size(20, 5)):
        assert explain_foul(read_split(cards[i], int(trained[i])), Order()) is None


@pytest.mark.parametrize("jobs", [2, 3])
def test_training_does_not_depend_on_the_number_of_jobs(
    trained: NDArray[np.int32], jobs: int
) -> None:
    assert np.array_equal(train_tiny(load_ruleset("two-four"), jobs), trained)


def test_training_depends_on_its_seed(trained: NDArray[np.int32]) -> None:
    other = train_tiny(load_ruleset("two-four"), plan=replace(TINY, seed=9))
    assert not np.array_equal(other, trained)


def test_even_a_tiny_training_is_far_better_than_chance(trained: NDArray[np.int32]) -> None:
    ruleset = load_ruleset("two-four")
    game = build_game(ruleset)
    cards = deal_random(TINY.seed, 0, len(trained))
    whole = build_field(describe_deals(cards, ruleset), trained, game)
    choosing, judging = whole.take(slice(0, TINY.choosing)), whole.take(slice(TINY.choosing, None))
    deals = open_deals(ruleset, 51)
    answers = answer_exactly(deals, choosing)
    chance = set_deals("random-legal", deals.cards, game)
    gain, error = measure_gain(deals, answers, chance, judging)
    assert gain > 5 * error
    if COMPILED:
        assert gain > 1.0
        simple = set_deals("back-first", deals.cards, game)
        gain, error = measure_gain(deals, answers, simple, judging)
        assert gain > 3 * error


def test_training_declares_and_gives_up() -> None:
    ruleset = load_ruleset(
        "two-four", ["naturals={list: [[three_straights, 9], [six_pairs, 9]]}", "surrender=0"]
    )
    codes = train_tiny(ruleset)
    deals = describe_deals(deal_random(TINY.seed, 0, len(codes)), ruleset)
    assert (codes[deals.places >= 0] == DECLARE).all()
    assert (codes[deals.places < 0] != DECLARE).all()
    assert 0.2 < np.mean(codes == SURRENDER) < 0.95
    if COMPILED:
        assert (deals.places >= 0).sum() > 10


def test_players_and_a_bank_learn_to_meet_each_other() -> None:
    """Each judging deal is the best answer of its role to what the other role does."""
    ruleset = load_ruleset("malay")
    sides = train_sides(ruleset, TINY, 1, be_silent, 3)
    assert list(sides) == [PLAYER, BANK]
    assert not np.array_equal(sides[PLAYER], sides[BANK])
    deals = describe_deals(deal_random(TINY.seed, 0, len(sides[BANK])), ruleset)
    choosing, judging = deals.take(slice(0, TINY.choosing)), deals.take(slice(TINY.choosing, None))
    for role, rival in ((PLAYER, BANK), (BANK, PLAYER)):
        rules = build_game(ruleset, 3, rival)
        field = build_field(choosing, sides[rival][: TINY.choosing], rules)
        game = build_game(ruleset, 3, role)
        mine = sides[role][TINY.choosing :]
        others = {name: set_deals(name, judging.cards, game) for name in ("rank-product",)}
        others["the other role"] = sides[rival][TINY.choosing :]
        for name, codes in others.items():
            means = value_choices(judging, np.stack([mine, codes], axis=1), field, game=game)
            assert (means[:, 0] >= means[:, 1] - 1e-9).all(), name


def test_who_wins_equal_rows_changes_what_the_players_do() -> None:
    wins, ties = (
        train_sides(load_ruleset("malay", [f"bank.wins_ties={word}"]), TINY, 1, be_silent, 1)
        for word in ("true", "false")
    )
    for role in (PLAYER, BANK):
        assert not np.array_equal(wins[role], ties[role])


# --- interrupted ---------------------------------------------------------------------------------


class InterruptionError(Exception):
    """What Ctrl-C is here."""


def stop_at(kind: str, times: int) -> Callable[[float, str], None]:
    """Return a progress that breaks off when it hears of steps of a kind for the nth time."""
    left = times

    def report(done: float, what: str) -> None:
        nonlocal left
        left -= what.startswith(kind)
        if left == 0:
            raise InterruptionError(what)

    return report


STOPS = (
    *(("first", 2), ("shortlists", 1), ("rounds", 1), ("rounds", 2)),
    *(("deals", 2), ("deals", pick_size(3, 1))),
)


@pytest.mark.parametrize("name", ["malay", "hawaiian-gardens"])
def test_a_training_goes_on_where_it_was_stopped(name: str, tmp_path: Path) -> None:
    ruleset = load_ruleset(name)
    whole = train_sides(ruleset, TINY, 1, be_silent, 3)
    checkpoint = Checkpoint(tmp_path / "state.npz", "key")
    for kind, times in STOPS:
        with pytest.raises(InterruptionError, match=kind):
            train_sides(ruleset, TINY, 1, stop_at(kind, times), 3, checkpoint)
        assert [path.name for path in tmp_path.iterdir()] == ["state.npz"]
    parts = train_sides(ruleset, TINY, 2, be_silent, 3, checkpoint)
    for role, codes in whole.items():
        assert np.array_equal(parts[role], codes)


def count_steps(ruleset: Ruleset, checkpoint: Checkpoint, plan: Plan = TINY) -> int:
    """Return how many steps a training takes with this checkpoint."""
    taken = 0
    advance = training.Training.advance

    def count(self: training.Training, progress: Progress) -> None:
        nonlocal taken
        taken += 1
        advance(self, progress)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training.Training, "advance", count)
        train_sides(ruleset, plan, 1, be_silent, 1, checkpoint)
    return taken


STEPS = TINY.warm_rounds + 1 + TINY.rounds + -(-TINY.judging // pick_size(400, 8))


def test_steps_that_were_taken_are_not_taken_again(tmp_path: Path) -> None:
    ruleset = load_ruleset("two-four")
    checkpoint = Checkpoint(tmp_path / "state.npz", "key")
    with pytest.raises(InterruptionError):
        train_sides(ruleset, TINY, 1, stop_at("rounds", 2), 1, checkpoint)
    assert count_steps(ruleset, checkpoint) == STEPS - TINY.warm_rounds - 2
    assert count_steps(ruleset, checkpoint) == 0
    checkpoint.remove()
    assert count_steps(ruleset, checkpoint) == STEPS
    checkpoint.remove()
    checkpoint.remove()  # nothing is left to forget


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda raw: b"",
    "cut": lambda raw: raw[: len(raw) // 2],
    "a byte": lambda raw: raw[:300] + bytes([raw[300] ^ 1]) + raw[301:],
    "text": lambda raw: b"hello",
    "zeros": lambda raw: bytes(len(raw)),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_state_counts_for_nothing(name: str, tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "state.npz", "key")
    checkpoint.write({"numbers": np.arange(1000)})
    found = checkpoint.read()
    assert found is not None
    assert found["numbers"].tolist() == list(range(1000))
    checkpoint.path.write_bytes(DAMAGES[name](checkpoint.path.read_bytes()))
    assert checkpoint.read() is None


def test_a_state_of_another_training_counts_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state.npz"
    Checkpoint(path, "one").write({"step": np.array(3)})
    assert Checkpoint(path, "other").read() is None
    assert Checkpoint(path, "one").read() == {"step": np.array(3)}
    np.savez(path, step=np.array(3))
    assert Checkpoint(path, "one").read() is None
    assert Checkpoint(tmp_path / "none.npz", "one").read() is None
    np.savez(path, key=np.array("one"), step=np.array([object()]))
    assert Checkpoint(path, "one").read() is None  # no code of a file is ever run


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    checkpoint = Checkpoint(tmp_path / "file" / "state.npz", "key")
    checkpoint.write({"step": np.array(3)})
    assert checkpoint.read() is None
    checkpoint.remove()
    assert (tmp_path / "file").read_text() == "in the way"


# --- work in parts -------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, CHUNK, CHUNK + 1, 5 * CHUNK - 1])
def test_parts_cover_the_work_once(count: int, jobs: int) -> None:
    done = np.zeros(count, dtype=np.int64)
    lock = threading.Lock()

    def work(part: slice) -> None:
        with lock:
            done[part] += 1
            assert part.stop - part.start <= CHUNK

    run_chunks(count, work, jobs)
    assert (done == 1).all()


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_part_is_not_lost(jobs: int) -> None:
    def work(part: slice) -> None:
        if part.start == CHUNK:
            raise KeyError("here")

    with pytest.raises(KeyError, match="here"):
        run_chunks(4 * CHUNK, work, jobs)
