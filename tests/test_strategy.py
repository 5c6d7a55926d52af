"""Strategies: finding them, setting deals by them, keeping them in files."""

import json
import threading
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.splits import SPLITS
from cp_cli.candidates import read_split, sort_deal
from cp_cli.cards import parse_cards
from cp_cli.errors import StrategyError
from cp_cli.evaluator import explain_foul, rank_low, rank_row
from cp_cli.field import (
    DECLARE,
    SURRENDER,
    Deals,
    Field,
    build_field,
    deal_random,
    describe_deals,
)
from cp_cli.ruleset import Order, Ruleset, load_ruleset, ruleset_names
from cp_cli.settlement.game import build_game, digest_play
from cp_cli.strategy import (
    OPPONENT_STRATEGIES,
    Plan,
    Strategy,
    answer_exactly,
    files,
    load_strategy,
    named,
    open_fields,
    read_strategy,
    set_deals,
    train_codes,
    value_choices,
    write_strategy,
)
from cp_cli.strategy.chunks import CHUNK, run_chunks
from tests import naive
from tests.sizes import COMPILED, pick_size

RULES = ("equilibrium", "rank-product", "back-first", "random-legal")
TINY = Plan(
    choosing=pick_size(1024, 24),
    judging=pick_size(1024, 12),
    sample=pick_size(512, 12),
    warm_rounds=3,
    rounds=pick_size(6, 2),
    blocks=2,
    keep=pick_size(6, 3),
    crowd=pick_size(256, 12),
)
DEALS = pick_size(600, 12)  # on which strategies are compared
CROWD = pick_size(1000, 40)  # and in the fields they meet; fewer than any is screened by

ALICE = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")
DRAGON = parse_cards("As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s")
HOPELESS = parse_cards("2c 3d 4h 5s 7c 8d 9h Ts 2d 3h Jc 7d 5h")
MONSTER = parse_cards("Ac Ad Ah Kc Kd Kh Ks Qc Qd Qh Qs 2c 3d")


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rank-product learn from fewer deals."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


def be_quiet(done: float, what: str) -> None:
    """Report no progress."""


def train_tiny(ruleset: Ruleset, jobs: int = 1, plan: Plan = TINY) -> NDArray[np.int32]:
    return train_codes(ruleset, plan, jobs, be_quiet)


def open_field(ruleset: Ruleset, name: str, seed: int, count: int = CROWD) -> Field:
    """Return a field set by a rule of arrangement."""
    game = build_game(ruleset)
    deals = describe_deals(deal_random(seed, 0, count), ruleset)
    return build_field(deals, set_deals(name, deals.cards, game), game)


def open_deals(ruleset: Ruleset, seed: int, count: int = DEALS) -> Deals:
    return describe_deals(deal_random(seed, 0, count), ruleset)


def measure_gain(
    deals: Deals, first: NDArray[np.int32], second: NDArray[np.int32], field: Field
) -> tuple[float, float]:
    """Return how much more `first` earns than `second` per deal and opponent, and its error."""
    means = value_choices(deals, np.stack([first, second], axis=1), field)
    gains = means[:, 0] - means[:, 1]
    return float(gains.mean()), float(gains.std() / np.sqrt(len(gains)))


# --- rules of arrangement ------------------------------------------------------------------------

ORDERS = {
    "default": Order(),
    "strict": Order(equal_rows="foul"),
    "wheel-second": Order(wheel="second"),
    "low27": Order(middle="low27"),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", RULES[1:])
def test_rules_of_arrangement_set_legal_splits(name: str, order: str) -> None:
    game = build_game(Ruleset(id="test", order=ORDERS[order]))
    cards = deal_random(11, 0, pick_size(150, 4))
    for deal, code in zip(cards, set_deals(name, cards, game), strict=True):
        assert explain_foul(read_split(deal, int(code)), ORDERS[order]) is None


@pytest.mark.parametrize("order", ["default", "low27"])
def test_back_first_makes_the_strongest_back_then_middle_then_front(order: str) -> None:
    game = build_game(Ruleset(id="test", order=ORDERS[order]))
    keys = {
        "equal_rows": "legal",
        "wheel": "low",
        "middle": "low27" if order == "low27" else "high",
    }
    for deal in deal_random(12, 0, 1 if order == "low27" else pick_size(3, 1)):
        cards = deal[None]
        ours = read_split(deal, int(set_deals("back-first", cards, game)[0]))
        rank_middle: Callable[..., int] = rank_low if order == "low27" else rank_row
        best = max(
            (rank_row(back), rank_middle(middle), rank_row(front))
            for front, middle, back in naive.legal_splits(tuple(int(c) for c in deal), keys)
        )
        assert (rank_row(ours.back), rank_middle(ours.middle), rank_row(ours.front)) == best


def test_rank_product_is_a_sensible_rule() -> None:
    ruleset = load_ruleset("two-four")
    deals, game = open_deals(ruleset, 21), build_game(ruleset)
    codes = {name: set_deals(name, deals.cards, game) for name in RULES[1:]}
    field = open_field(ruleset, "rank-product", 22)
    for other, least in (("random-legal", 0.8), ("back-first", 0.05)):
        gain, error = measure_gain(deals, codes["rank-product"], codes[other], field)
        assert gain - 3 * error > (least if COMPILED else -1.0)


def test_a_rule_sets_a_deal_the_same_in_any_company() -> None:
    game = build_game(load_ruleset("two-four"))
    cards = deal_random(13, 0, pick_size(700, 6))
    for name in RULES[1:]:
        codes = set_deals(name, cards, game)
        for i in (0, 3, len(cards) - 1):
            assert set_deals(name, cards[i : i + 1], game)[0] == codes[i]
        assert np.array_equal(set_deals(name, cards, game, jobs=3), codes)


def test_random_legal_takes_any_legal_split() -> None:
    game = build_game(load_ruleset("two-four"))
    deal = sort_deal(ALICE)[None]
    tries = pick_size(1500, 25)
    picked = np.array(
        [int(set_deals("random-legal", deal, game, seed=seed)[0]) for seed in range(tries)]
    )
    assert len(np.unique(picked)) > 0.9 * tries
    cards = tuple(int(card) for card in deal[0])
    legal = list(naive.legal_splits(cards, {}))
    for place, row in ((0, "front"), (2, "back")):
        split = [read_split(deal[0], int(code)).rows[place] for code in picked]
        chance = np.mean([cards[0] in rows[place] for rows in legal])  # the ace of spades
        share = np.mean([cards[0] in cards_of for cards_of in split])
        assert abs(share - chance) < 4 * np.sqrt(chance * (1 - chance) / tries), row


def test_unknown_strategies_are_refused() -> None:
    assert OPPONENT_STRATEGIES == RULES
    game = build_game(load_ruleset("basic"))
    with pytest.raises(
        StrategyError, match='unknown strategy "rank-prodct"; did you mean "rank-product"'
    ):
        set_deals("rank-prodct", deal_random(0, 0, 1), game)
    with pytest.raises(StrategyError, match="equilibrium is no rule of arrangement"):
        set_deals("equilibrium", deal_random(0, 0, 1), game)
    with pytest.raises(StrategyError, match='unknown strategy "gto"'):
        load_strategy(load_ruleset("basic"), "gto")


# --- best answers --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["two-four", "wikipedia-two-four", "taiwanese", "malay"])
def test_a_best_answer_is_the_best_against_the_opponents_it_answers(name: str) -> None:
    ruleset = load_ruleset(name)
    field = open_field(ruleset, "back-first", 31)
    deals = open_deals(ruleset, 32, DEALS // 2)
    best = answer_exactly(deals, field)
    for other in RULES[1:]:
        codes = set_deals(other, deals.cards, field.game)
        means = value_choices(deals, np.stack([best, codes], axis=1), field)
        assert (means[:, 0] >= means[:, 1] - 1e-9).all()
        assert means[:, 0].mean() > means[:, 1].mean()


def test_the_gain_of_a_best_answer_is_real() -> None:
    """On opponents that did not choose it, too."""
    ruleset = load_ruleset("two-four")
    deals = open_deals(ruleset, 33)
    field, fresh = (open_field(ruleset, "back-first", seed) for seed in (34, 35))
    best = answer_exactly(deals, field)
    codes = set_deals("back-first", deals.cards, field.game)
    gain, error = measure_gain(deals, best, codes, fresh)
    assert gain > -3 * error
    if COMPILED:
        assert gain > 3 * error


def value_by_hand(
    deals: Deals, codes: NDArray[np.int32], ruleset: Ruleset, field: Field, rules: dict[str, object]
) -> list[float]:
    """Return mean units of splits against every relabelled opponent that fits, by the oracle."""
    from tests.test_field import SUITS, list_deal, relabel

    means = []
    for deal, code in zip(deals.cards, codes, strict=True):
        hero, total, n = read_split(deal, int(code)).rows, 0, 0
        for other, theirs in zip(field.deals.cards, field.codes, strict=True):
            fits = sum(
                not relabel(list_deal(other), suits) & set(list_deal(deal)) for suits in SUITS
            )
            if fits:
                villain = read_split(other, int(theirs)).rows
                total += fits * naive.pair_units(hero, villain, rules)
                n += fits
        means.append(total / n)
    return means


def test_units_of_choices_are_those_of_the_oracle() -> None:
    ruleset = load_ruleset("one-six")
    field = open_field(ruleset, "random-legal", 36, pick_size(120, 40))
    deals = open_deals(ruleset, 37, 6)
    codes = set_deals("back-first", deals.cards, field.game)
    expected = value_by_hand(deals, codes, ruleset, field, {"sweep": {"units": 3}})
    assert value_choices(deals, codes[:, None], field)[:, 0] == pytest.approx(expected)


def answer_one(cards: tuple[int, ...], ruleset: Ruleset, field: Field) -> int:
    return int(answer_exactly(describe_deals(sort_deal(cards)[None], ruleset), field)[0])


def test_a_dragon_is_declared_where_that_pays() -> None:
    ruleset = load_ruleset("pagat-standard")
    field = open_field(ruleset, "rank-product", 41)
    assert answer_one(DRAGON, ruleset, field) == DECLARE
    assert answer_one(ALICE, ruleset, field) < SPLITS
    # Three quads are six pairs, worth 3; quads and a full house in the right rows earn more.
    assert answer_one(MONSTER, ruleset, field) < SPLITS


def test_a_natural_that_pays_too_little_is_played() -> None:
    ruleset = load_ruleset("two-four", ["naturals={list: [[three_flushes, 1]]}"])
    field = open_field(ruleset, "rank-product", 42)
    flushes = parse_cards("As Ks Qs Ah Kh Qh Jh 9h Ac Kc Qc Jc 9c")
    assert answer_one(flushes, ruleset, field) < SPLITS
    dear = load_ruleset("two-four", ["naturals={list: [[three_flushes, 5]]}"])
    assert answer_one(flushes, dear, open_field(dear, "rank-product", 42)) == DECLARE


def test_a_hopeless_deal_is_given_up_where_that_costs_little() -> None:
    ruleset = load_ruleset("two-four", ["surrender=0"])
    field = open_field(ruleset, "rank-product", 43)
    assert answer_one(HOPELESS, ruleset, field) == SURRENDER
    assert answer_one(MONSTER, ruleset, field) < SPLITS
    dear = load_ruleset("two-four", ["surrender=4"])
    assert answer_one(HOPELESS, dear, open_field(dear, "rank-product", 43)) < SPLITS


def test_units_against_those_who_declare_or_give_up() -> None:
    """Everybody else has a dragon and declares it, or gives up."""
    ruleset = load_ruleset("pagat-standard", ["surrender=2"])
    dragons = np.array([sort_deal(DRAGON)] * 8)
    deals = describe_deals(dragons, ruleset)
    mine = parse_cards("Ac Ad Ah Kc Kd Ks 9c 9d 9s 2c 2d 2h 5c")
    assert not set(mine) & set(DRAGON)
    hero = describe_deals(sort_deal(mine)[None], ruleset)
    game = build_game(ruleset)
    codes = set_deals("back-first", hero.cards, game)
    options = np.array([[codes[0], DECLARE, SURRENDER]], dtype=np.int32)
    declared = build_field(deals, np.full(8, DECLARE, dtype=np.int32), game)
    units = value_choices(hero, options, declared)[0]
    assert units[[0, 2]].tolist() == [-13, -13]
    surrendered = build_field(deals, np.full(8, SURRENDER, dtype=np.int32), game)
    assert value_choices(hero, options, surrendered)[0, [0, 2]].tolist() == [2, 0]


# --- training ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained() -> NDArray[np.int32]:
    """A tiny training of two-four."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(named, "LESSONS", pick_size(1024, 12))
        return train_tiny(load_ruleset("two-four"))


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
    monkeypatch.setenv("CPOKER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(files, "CACHE_DIR", tmp_path)
    monkeypatch.setattr(files, "QUICK", dict.fromkeys(range(3), TINY))
    monkeypatch.setattr(files, "NAMED", replace(TINY, seed=3))
    return tmp_path / "cache" / "strategies"


def count_trainings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace training by something quick that leaves a mark."""
    trainings: list[str] = []

    def train(ruleset: Ruleset, plan: Plan, *_: object) -> NDArray[np.int32]:
        trainings.append(ruleset.id)
        game = build_game(ruleset)
        return set_deals(
            "random-legal", deal_random(plan.seed, 0, plan.choosing + plan.judging), game
        )

    monkeypatch.setattr(files, "train_codes", train)
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
    cache: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    trainings = count_trainings(monkeypatch)
    ruleset = load_ruleset("basic", HOUSE)
    expected = load_strategy(ruleset).codes.tolist()
    (path,) = cache.iterdir()
    path.write_bytes(DAMAGES[name](path.read_bytes()))
    assert load_strategy(ruleset).codes.tolist() == expected
    assert load_strategy(ruleset).codes.tolist() == expected
    assert len(trainings) == 2


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


def test_a_damaged_shipped_strategy_is_trained_anew(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainings = count_trainings(monkeypatch)
    ruleset = load_ruleset("two-four")
    monkeypatch.setattr(files, "SHIPPED", tmp_path)
    (tmp_path / f"two-four-{digest_play(ruleset)}.strategy").write_bytes(b"{}\n")
    assert len(load_strategy(ruleset).codes) == TINY.choosing + TINY.judging
    assert trainings == ["two-four"]


@pytest.mark.parametrize(
    "path", sorted(files.SHIPPED.glob("*.strategy")), ids=lambda path: path.stem
)
def test_shipped_strategies_belong_to_shipped_rulesets(path: Path) -> None:
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    assert header["ruleset"] in ruleset_names()
    ruleset = load_ruleset(header["ruleset"])
    strategy = read_strategy(path)
    assert strategy.digest == digest_play(ruleset)
    assert path.stem == f"{header['ruleset']}-{strategy.digest}"
    cards = deal_random(strategy.seed, 0, 40)
    for deal, code in zip(cards, strategy.codes, strict=False):
        assert code >= SPLITS or explain_foul(read_split(deal, int(code)), ruleset.order) is None
    if ruleset.surrender is None:
        assert (strategy.codes != SURRENDER).all()
    if ruleset.naturals is None:
        assert (strategy.codes != DECLARE).all()


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
