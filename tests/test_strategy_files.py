"""Strategy files: written, read, damaged; shipped, trained on demand or on first use."""

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.splits import SPLITS
from cp_cli.candidates import read_split
from cp_cli.errors import StrategyError
from cp_cli.evaluator import explain_foul
from cp_cli.field import DECLARE, SURRENDER, build_field, deal_random, describe_deals
from cp_cli.ruleset import Ruleset, load_ruleset, ruleset_names
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game, digest_play
from cp_cli.strategy import (
    Plan,
    Strategy,
    files,
    load_strategy,
    named,
    open_fields,
    read_strategy,
    set_deals,
    write_strategy,
)
from cp_cli.strategy.training import list_roles
from tests.sizes import pick_size
from tests.tiny_trainings import TINY, train_tiny, use_empty_cache


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rank-product learn from fewer deals."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


# --- files ---------------------------------------------------------------------------------------

SAMPLE = Strategy(
    digest="0123456789abcdef",
    seed=7,
    choosing=3,
    codes=np.array([0, 251, 252, 65_535, SPLITS - 1, DECLARE, SURRENDER, 1], dtype=np.int32),
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sample.strategy"
    write_strategy(path, SAMPLE, "two-four")
    found = read_strategy(path)
    assert (found.digest, found.seed, found.choosing) == (SAMPLE.digest, 7, 3)
    assert found.codes.tolist() == SAMPLE.codes.tolist()
    assert found.codes.dtype == np.int32
    assert [each.name for each in tmp_path.iterdir()] == ["sample.strategy"]


def damage(raw: bytes, **header: object) -> bytes:
    """Return a strategy file with other values in its first line."""
    line, _, packed = raw.partition(b"\n")
    return json.dumps({**json.loads(line), **header}).encode() + b"\n" + packed


def repack(raw: bytes, codes: bytes, deals: int) -> bytes:
    """Return a strategy file with other contents and the checksum that goes with them."""
    packed = zlib.compress(codes)
    return damage(raw.partition(b"\n")[0] + b"\n" + packed, crc=zlib.crc32(packed), deals=deals)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda raw: b"",
    "line only": lambda raw: raw.partition(b"\n")[0] + b"\n",
    "no line": lambda raw: raw.replace(b"\n", b" ", 1),
    "cut": lambda raw: raw[:-1],
    "longer": lambda raw: raw + b"x",
    "a byte at the end": lambda raw: raw[:-1] + bytes([raw[-1] ^ 1]),
    "a byte in the middle": lambda raw: raw[:-9] + bytes([raw[-9] ^ 64]) + raw[-8:],
    "text": lambda raw: b"hello\nworld",
    "zeros": lambda raw: bytes(300),
    "not utf-8": lambda raw: b"\xff\xfe" + raw,
    "a list": lambda raw: b"[1]\n" + raw,
    "a number": lambda raw: b"7\n" + raw,
    "null": lambda raw: b"null\n" + raw,
    "no keys": lambda raw: b"{}\n" + raw,
    "deep": lambda raw: b"[" * 100_000 + b"\n" + raw,
    "other format": lambda raw: damage(raw, format=2),
    "no deals": lambda raw: damage(raw, deals=0),
    "fewer deals": lambda raw: damage(raw, deals=7),
    "more deals": lambda raw: damage(raw, deals=9),
    "very many deals": lambda raw: damage(raw, deals=10**18),
    "endless deals": lambda raw: damage(raw, deals=1e400),
    "no number": lambda raw: damage(raw, deals=float("nan")),
    "deals in words": lambda raw: damage(raw, deals="eight"),
    "deals null": lambda raw: damage(raw, deals=None),
    "choosing none": lambda raw: damage(raw, choosing=0),
    "choosing less": lambda raw: damage(raw, choosing=-1),
    "choosing all": lambda raw: damage(raw, choosing=8),
    "seed in words": lambda raw: damage(raw, seed="x"),
    "seed negative": lambda raw: damage(raw, seed=-1),
    "seed too large": lambda raw: damage(raw, seed=2**70),
    "seed endless": lambda raw: damage(raw, seed=1e400),
    "wrong checksum": lambda raw: damage(raw, crc=1),
    "no code": lambda raw: repack(raw, bytes([1] * 8 + [255] * 16), 8),
    "option beyond": lambda raw: repack(raw, bytes([0] * 16 + [253] * 8), 8),
    "half the codes": lambda raw: repack(raw, bytes(12), 8),
    "a bomb": lambda raw: repack(raw, bytes(50_000_000), 8),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_files_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "sample.strategy"
    write_strategy(path, SAMPLE, "two-four")
    path.write_bytes(DAMAGES[name](path.read_bytes()))
    with pytest.raises(StrategyError, match=r"sample\.strategy"):
        read_strategy(path)


def test_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.strategy", tmp_path):
        with pytest.raises(StrategyError):
            read_strategy(path)


# --- shipped, cached, trained --------------------------------------------------------------------

HOUSE = ["overall={units: 7}"]  # rules that no file comes with


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and trainings of a second."""
    return use_empty_cache(tmp_path, monkeypatch)


def count_trainings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace training by something quick that leaves a mark."""
    trainings: list[str] = []

    def train(ruleset: Ruleset, plan: Plan, *_: object) -> dict[Role, NDArray[np.int32]]:
        trainings.append(ruleset.id)
        game = build_game(ruleset)
        cards = deal_random(plan.seed, 0, plan.choosing + plan.judging)
        return {PLAYER: set_deals("random-legal", cards, game)}

    monkeypatch.setattr(files, "train_sides", train)
    return trainings


def test_an_unknown_ruleset_is_trained_once(cache: Path) -> None:
    ruleset = load_ruleset("basic", HOUSE)
    heard: list[float] = []
    first = load_strategy(ruleset, progress=lambda done, what: heard.append(done))
    assert heard
    assert all(0 <= done <= 1 for done in heard)
    assert first.digest == digest_play(ruleset)
    assert first.codes.tolist() == train_tiny(ruleset).tolist()
    assert len(list(cache.iterdir())) == 1
    heard.clear()
    again = load_strategy(ruleset, progress=lambda done, what: heard.append(done))
    assert not heard
    assert again.codes.tolist() == first.codes.tolist()


@pytest.mark.parametrize("name", ["empty", "cut", "a byte in the middle", "text", "other format"])
def test_a_damaged_cache_is_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    trainings = count_trainings(monkeypatch)
    ruleset = load_ruleset("basic", HOUSE)
    expected = load_strategy(ruleset).codes.tolist()
    (path,) = cache.iterdir()
    path.write_bytes(DAMAGES[name](path.read_bytes()))
    with pytest.raises(StrategyError) as told:
        read_strategy(path)
    assert load_strategy(ruleset).codes.tolist() == expected
    assert load_strategy(ruleset).codes.tolist() == expected
    assert len(trainings) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"warning: {told.value}; another takes its place"
    ]


def test_a_cached_file_of_other_rules_is_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainings = count_trainings(monkeypatch)
    ruleset = load_ruleset("basic", HOUSE)
    load_strategy(ruleset)
    (path,) = cache.iterdir()
    write_strategy(path, replace(read_strategy(path), digest="0" * 16), "other")
    assert load_strategy(ruleset).digest == digest_play(ruleset)
    assert len(trainings) == 2


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainings = count_trainings(monkeypatch)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CPOKER_CACHE_DIR", str(tmp_path / "file"))
    ruleset = load_ruleset("basic", HOUSE)
    codes = [load_strategy(ruleset).codes.tolist() for _ in range(2)]
    assert codes[0] == codes[1]
    assert len(trainings) == 2


def test_simple_rules_need_no_training(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainings = count_trainings(monkeypatch)
    ruleset = load_ruleset("two-four")
    strategy = load_strategy(ruleset, "back-first")
    cards = deal_random(3, 0, TINY.choosing + TINY.judging)
    assert strategy.seed == 3
    expected = set_deals("back-first", cards, build_game(ruleset))
    assert strategy.codes.tolist() == expected.tolist()
    assert not trainings


def test_shipped_strategies_come_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainings = count_trainings(monkeypatch)
    ruleset = load_ruleset("two-four", ["stakes={default: 5}"])
    path = files.find_shipped(digest_play(ruleset))
    assert path is not None
    assert load_strategy(ruleset).codes.tolist() == read_strategy(path).codes.tolist()
    assert not trainings
    assert not cache.exists()


def test_what_the_user_trained_goes_before_the_shipped_one(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ruleset = load_ruleset("two-four")
    shipped = load_strategy(ruleset).codes.tolist()
    (strategy,) = files.train_strategies(ruleset, replace(TINY, seed=5)).values()
    (path,) = files.store_strategies([strategy], ruleset.id)
    assert path.parent == cache
    assert load_strategy(ruleset).codes.tolist() == strategy.codes.tolist() != shipped
    path.write_bytes(path.read_bytes()[:-1])
    assert load_strategy(ruleset).codes.tolist() == shipped
    assert capsys.readouterr().err == (
        f"warning: {path}: damaged strategy file; another takes its place\n"
    )
    path.unlink()
    assert load_strategy(ruleset).codes.tolist() == shipped
    assert capsys.readouterr().err == ""


def test_a_damaged_shipped_strategy_is_trained_anew(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainings = count_trainings(monkeypatch)
    ruleset = load_ruleset("two-four")
    monkeypatch.setattr(files, "SHIPPED", tmp_path)
    path = tmp_path / f"two-four-{digest_play(ruleset)}.strategy"
    path.write_bytes(b"{}\n")
    told: list[str] = []
    assert len(load_strategy(ruleset, notice=told.append).codes) == TINY.choosing + TINY.judging
    assert trainings == ["two-four"]
    assert [line.partition(": damaged")[0] for line in told] == [f"warning: {path}"]


def test_players_and_bank_are_trained_together(cache: Path) -> None:
    ruleset = load_ruleset("malay", HOUSE)
    bank = load_strategy(ruleset, opponents=3, role=BANK)
    heard: list[float] = []
    player = load_strategy(
        ruleset, progress=lambda done, what: heard.append(done), opponents=3, role=PLAYER
    )
    assert not heard
    assert [bank.digest, player.digest] == [
        digest_play(ruleset, 3, role) for role in (BANK, PLAYER)
    ]
    assert bank.codes.tolist() != player.codes.tolist()
    assert len(list(cache.iterdir())) == 2


def test_a_training_on_first_use_goes_on_too(cache: Path) -> None:
    ruleset = load_ruleset("basic", HOUSE)
    expected = train_tiny(ruleset).tolist()

    def stop(done: float, what: str) -> None:
        if what.startswith("rounds"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_strategy(ruleset, progress=stop)
    (state,) = cache.iterdir()
    assert state.suffix == ".npz"
    told: list[str] = []
    assert load_strategy(ruleset, notice=told.append).codes.tolist() == expected
    assert told == [f"going on after step {TINY.warm_rounds + 1} of {count_steps()}"]
    assert [path.suffix for path in cache.iterdir()] == [".strategy"]


def count_steps() -> int:
    """Return the steps of a tiny training; one is enough for its judging deals."""
    return TINY.warm_rounds + 1 + TINY.rounds + 1


def test_every_training_has_a_state_of_its_own(cache: Path) -> None:
    basic, house = load_ruleset("basic"), load_ruleset("basic", HOUSE)
    run = load_ruleset("hawaiian-gardens")
    points = [
        files.open_checkpoint(basic, TINY),
        files.open_checkpoint(house, TINY),
        files.open_checkpoint(basic, replace(TINY, seed=2)),
        files.open_checkpoint(basic, replace(TINY, rounds=TINY.rounds + 1)),
        files.open_checkpoint(run, TINY, 1),
        files.open_checkpoint(run, TINY, 3),
    ]
    assert len({point.path for point in points}) == len({point.key for point in points}) == 6
    assert {point.path.parent for point in points} == {cache}
    # Stakes change no play, and where pairs settle the number of opponents does not.
    assert files.open_checkpoint(load_ruleset("basic", ["rake=1"]), TINY) == points[0]
    assert files.open_checkpoint(basic, TINY, 3) == points[0]


def list_games(ruleset: Ruleset) -> dict[str, tuple[int, Role]]:
    """Return who plays a ruleset in a way of his own, and against how many, by digest."""
    return {
        digest_play(ruleset, opponents, role): (opponents, role)
        for opponents in range(1, ruleset.players.max)
        for role in list_roles(ruleset)
    }


@pytest.mark.parametrize(
    "path", sorted(files.SHIPPED.glob("*.strategy")), ids=lambda path: path.stem
)
def test_shipped_strategies_belong_to_shipped_rulesets(path: Path) -> None:
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    assert header["ruleset"] in ruleset_names()
    ruleset = load_ruleset(header["ruleset"])
    strategy = read_strategy(path)
    assert strategy.digest in list_games(ruleset)
    assert path.stem == f"{header['ruleset']}-{strategy.digest}"
    cards = deal_random(strategy.seed, 0, 40)
    for deal, code in zip(cards, strategy.codes, strict=False):
        assert code >= SPLITS or explain_foul(read_split(deal, int(code)), ruleset.order) is None
    if ruleset.surrender is None:
        assert (strategy.codes != SURRENDER).all()
    if ruleset.naturals is None:
        assert (strategy.codes != DECLARE).all()


@pytest.mark.parametrize("name", ruleset_names())
def test_no_shipped_ruleset_needs_training(name: str) -> None:
    """At a full table and against one opponent, for players and for the bank."""
    ruleset = load_ruleset(name)
    for opponents in {1, ruleset.players.max - 1}:
        for role in list_roles(ruleset):
            digest = digest_play(ruleset, opponents, role)
            assert files.find_shipped(digest) is not None, (opponents, role)


# --- fields of a strategy ------------------------------------------------------------------------


def read_fields(ruleset: Ruleset, strategy: Strategy) -> list[list[object]]:
    return [
        [
            field.codes.tolist(), field.arranged.tolist(), field.tinted.tolist(),
            field.deals.cards.tolist(), field.deals.places.tolist(), field.deals.ties.tolist(),
        ]
        for field in open_fields(ruleset, strategy)
    ]  # fmt: skip


def test_fields_of_a_strategy_are_kept(tmp_path: Path, cache: Path) -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    strategy = load_strategy(ruleset, "back-first")
    fresh = read_fields(ruleset, strategy)
    game = build_game(ruleset)
    cards = deal_random(strategy.seed, 0, len(strategy.codes))
    assert [fresh[0][3], fresh[1][3]] == [
        cards[: strategy.choosing].tolist(), cards[strategy.choosing :].tolist()
    ]  # fmt: skip
    expected = build_field(describe_deals(cards, ruleset), strategy.codes, game)
    assert fresh[0][1] == expected.arranged[:, : strategy.choosing].tolist()
    assert fresh[1][4] == expected.deals.places[strategy.choosing :].tolist()
    (kept,) = tmp_path.glob("field-*")
    raw = kept.read_bytes()
    assert read_fields(ruleset, strategy) == fresh
    for damaged in (b"", raw[:-1], raw[:-8], raw[:40] + b"x" + raw[41:], raw + bytes(8)):
        kept.write_bytes(damaged)
        assert read_fields(ruleset, strategy) == fresh
        assert kept.read_bytes() == raw
