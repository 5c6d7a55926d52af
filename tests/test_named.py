"""Strategies by name: rules that chase one thing, and players of levels."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec import convert
from numpy.typing import NDArray

from cp_cli._kernels.opponents import arrange_deals
from cp_cli._kernels.payoff import COLUMN
from cp_cli._kernels.players import draw_for_deals
from cp_cli._kernels.splits import SPLITS
from cp_cli.candidates import read_split
from cp_cli.cards import parse_cards
from cp_cli.equity import open_analyst
from cp_cli.errors import StrategyError
from cp_cli.evaluator import explain_foul, rank_low, rank_row
from cp_cli.field import DECLARE, SURRENDER, Field, deal_random, describe_deals
from cp_cli.ruleset import Order, Ruleset, load_ruleset
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game
from cp_cli.strategy import (
    answer_exactly,
    files,
    load_strategy,
    named,
    open_fields,
    open_setter,
    set_deals,
    value_choices,
)
from cp_cli.strategy.files import open_rivals
from cp_cli.strategy.levels import find_slips, parse_level, rank_choices, set_at_level
from tests import naive
from tests.sizes import COMPILED, pick_size
from tests.tiny_trainings import TINY, open_deals, open_field, use_empty_cache

LEVELS = (0, 25, 50, 75, 100)
DRAGON = parse_cards("As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s")
WEAK = parse_cards("Qd Js 9h 8c 7d 6s 5h 4h 3c 3s 2d 2h Kc")


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rules learn from fewer deals."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


# --- rules that chase one thing ------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys",
    [{}, {"equal_rows": "foul"}, {"middle": "low27"}],
    ids=["legal", "strict", "low27"],
)
def test_front_heavy_makes_the_strongest_legal_front_then_middle_then_back(
    keys: dict[str, str],
) -> None:
    low = "middle" in keys
    game = build_game(Ruleset(id="test", order=convert(keys, Order)))
    rank_middle: Callable[..., int] = rank_low if low else rank_row
    for deal in deal_random(61, 0, 1 if low else pick_size(4, 1)):
        ours = read_split(deal, int(set_deals("front-heavy", deal[None], game)[0]))
        best = max(
            (rank_row(front), rank_middle(middle), rank_row(back))
            for front, middle, back in naive.legal_splits(tuple(map(int, deal)), keys)
        )
        assert (rank_row(ours.front), rank_middle(ours.middle), rank_row(ours.back)) == best


def test_scoop_chaser_wins_all_three_rows_of_more_others_than_any_legal_split() -> None:
    game = build_game(load_ruleset("two-four"))
    sample = deal_random(named.LESSON_SEED, 0, named.LESSONS)
    # Those it learns from: the third round of deals set by the chances of the second.
    _, others = named._learn_chances(game, 1)
    assert others.shape == (3, len(sample))
    for deal in deal_random(62, 0, pick_size(4, 1)):
        legal = {
            tuple(map(rank_row, rows)) for rows in naive.legal_splits(tuple(map(int, deal)), {})
        }
        beaten = {
            rows: int(np.count_nonzero((np.array(rows)[:, None] > others).all(axis=0)))
            for rows in legal
        }
        code = int(set_deals("scoop-chaser", deal[None], game)[0])
        ours = read_split(deal, code)
        assert beaten[rank_row(ours.front), rank_row(ours.middle), rank_row(ours.back)] == max(
            beaten.values()
        )


def arrange(codes: NDArray[np.int32], cards: NDArray[np.uint8]) -> NDArray[np.int16]:
    arranged = np.empty((COLUMN, len(cards)), dtype=np.int16)
    arrange_deals(cards, codes, build_game(load_ruleset("two-four")), arranged)
    return arranged[:3]


def test_scoop_chaser_differs_from_rank_product_where_that_brings_scoops() -> None:
    game = build_game(load_ruleset("two-four"))
    cards, fresh = (deal_random(seed, 0, pick_size(1500, 20)) for seed in (63, 64))
    others = arrange(set_deals("rank-product", fresh, game), fresh)
    scoops = []
    for name in ("scoop-chaser", "rank-product"):
        rows = arrange(set_deals(name, cards, game), cards)
        scoops.append((rows[:, :, None] > others[:, None]).all(axis=0).mean(axis=1))
    gains = scoops[0] - scoops[1]
    assert (gains != 0).any()
    assert gains.mean() > (0 if COMPILED else -0.05)


# --- levels --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "level"),
    [
        *(("level-0", 0), ("level-7", 7), ("level-99", 99), ("level-100", 100)),
        *(("level-101", None), ("level-1000", None), ("level-07", None), ("level--1", None)),
        *(("level-", None), ("level", None), ("Level-5", None), ("level-5 ", None)),
        *(("level-4.5", None), ("level-٣", None), ("level-5\n", None)),
    ],
)
def test_names_of_levels(name: str, level: int | None) -> None:
    assert parse_level(name) == level
    if level is None:
        with pytest.raises(StrategyError, match="level-0 to level-100"):
            named.check_name(name)
    else:
        named.check_name(name)


def test_slips_are_those_of_the_formula() -> None:
    units = np.array([[3.0, 3.0, 1.0, -0.5, -np.inf, -np.inf]])
    gaps = [0.0, 2.0, 1.5]
    for level, slip in ((0, 1.0), (36, 0.64), (99, 0.01)):
        expected = [math.sqrt(slip) * math.exp(-gap / (2 * slip)) for gap in gaps]
        assert find_slips(units, level)[0] == pytest.approx([*expected, 0.0, 0.0])


@pytest.fixture(scope="module")
def field() -> Field:
    """Opponents to answer under rules with naturals and surrender."""
    return open_field(load_ruleset("hawaiian-gardens"), "back-first", 71)


def test_a_higher_level_never_does_worse(field: Field) -> None:
    deals = open_deals(load_ruleset("hawaiian-gardens"), 72, pick_size(500, 6))
    codes = [set_at_level(level, deals, field) for level in LEVELS]
    units = value_choices(deals, np.stack(codes, axis=1), field)
    gains = np.diff(units, axis=1)
    # The equilibrium's own form looks for the best among other candidates than the levels do.
    assert (gains[:, :-1] >= -1e-9).all()
    assert gains[:, -1].mean() >= 0
    if COMPILED:
        losses = (units[:, -1:] - units).mean(axis=0)
        assert losses[0] > 0.4
        assert (np.diff(losses[:4]) < -0.01).all()


def test_the_highest_level_is_the_answer_itself(field: Field) -> None:
    deals = open_deals(load_ruleset("hawaiian-gardens"), 73, pick_size(200, 4))
    best = answer_exactly(deals, field)
    assert np.array_equal(set_at_level(100, deals, field), best)
    # Level 99 overlooks one in ten of splits that are as good, and next to none of the others.
    near = value_choices(deals, np.stack([set_at_level(99, deals, field), best], axis=1), field)
    assert (near[:, 1] - near[:, 0]).mean() < 0.02


def test_choices_are_ranked_by_what_they_earn(field: Field) -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    cards = np.array([sorted(each, reverse=True) for each in (DRAGON, WEAK)], dtype=np.uint8)
    deals = describe_deals(cards, ruleset)
    options, values = rank_choices(deals, field, field.game, 1, lambda done, what: None)
    counts = np.isfinite(values).sum(axis=1)
    assert options[0, 0] == DECLARE
    assert values[0, 0] > 10  # a dragon is worth 13
    assert DECLARE not in options[1, : counts[1]]
    for row, count in enumerate(counts):
        seen = options[row, :count]
        assert SURRENDER in seen
        assert len(set(seen.tolist())) == count
        assert (np.diff(values[row, :count]) <= 0).all()
        splits = seen[seen < SPLITS]
        assert all(
            explain_foul(read_split(deals.cards[row], int(code)), Order()) is None
            for code in splits
        )
        means = value_choices(deals.take(slice(row, row + 1)), seen[None], field)
        assert values[row, :count] == pytest.approx(means[0])


def test_a_natural_is_hardly_ever_overlooked(field: Field) -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    deals = describe_deals(np.array([sorted(DRAGON, reverse=True)], dtype=np.uint8), ruleset)
    codes = [int(set_at_level(80, deals, field, seed=seed)[0]) for seed in range(pick_size(60, 3))]
    assert codes == [DECLARE] * len(codes)


def test_how_often_the_best_choice_is_overlooked() -> None:
    ruleset = load_ruleset("two-four")
    crowd = open_field(ruleset, "rank-product", 74)
    deals = open_deals(ruleset, 75, pick_size(1500, 12))
    options, values = rank_choices(deals, crowd, crowd.game, 1, lambda done, what: None)
    for level in (0, 60):
        slips = find_slips(values, level)[:, 0]
        missed = set_at_level(level, deals, crowd, seed=5) != options[:, 0]
        spread = math.sqrt(float((slips * (1 - slips)).sum()))
        assert abs(missed.sum() - slips.sum()) < 4 * spread


def test_a_level_sets_a_deal_by_the_seed_and_the_cards_alone(field: Field) -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    cards = deal_random(76, 0, pick_size(600, 6))
    setters = [
        open_setter("level-20", field.game, seed=seed, jobs=jobs, ruleset=ruleset, field=field)
        for seed, jobs in ((0, 1), (0, 3), (1, 1))
    ]
    codes, threaded, other = (set_cards(cards) for set_cards in setters)
    assert np.array_equal(codes, threaded)
    for i in (0, len(cards) - 1):
        assert setters[0](cards[i : i + 1])[0] == codes[i]
    assert not np.array_equal(codes, other)


def test_random_numbers_of_deals_are_even_and_their_own() -> None:
    masks = describe_deals(deal_random(77, 0, pick_size(2000, 300)), load_ruleset("basic")).masks
    first, second, longer = (np.empty((len(masks), k)) for k in (3, 3, 5))
    draw_for_deals(masks, 0, first)
    draw_for_deals(masks, 1, second)
    draw_for_deals(masks, 0, longer)
    assert np.array_equal(first, longer[:, :3])
    assert not (first == second).any()
    assert first.min() >= 0
    assert first.max() < 1
    draws = longer.ravel()
    error = math.sqrt(1 / 12 / len(draws))
    assert abs(draws.mean() - 0.5) < 4 * error
    assert len(np.unique(draws)) == len(draws)
    together = np.asarray(np.corrcoef(longer.T))[np.triu_indices(5, 1)]
    assert np.abs(together).max() < 4 / math.sqrt(len(masks))


def test_levels_need_somebody_to_answer() -> None:
    game = build_game(load_ruleset("basic"))
    for name in ("level-3", "equilibrium"):
        with pytest.raises(StrategyError, match=f"{name} is no rule of arrangement; expected a"):
            open_setter(name, game)


# --- fields of opponents of a level --------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and little work to fill it."""
    monkeypatch.setattr(files, "LEVELS", replace(TINY, seed=4))
    return use_empty_cache(tmp_path, monkeypatch)


HOUSE = ["overall={units: 7}"]  # rules that no file comes with


def test_a_level_is_computed_once_and_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load_ruleset("two-four", HOUSE)
    told: list[str] = []
    first = load_strategy(ruleset, "level-30", progress=lambda done, what: told.append(what))
    assert "deals of level 30" in told
    assert len(list(cache.glob("level-30-*.strategy"))) == 1
    monkeypatch.setattr(files, "set_at_level", None)  # it is not set again
    assert np.array_equal(load_strategy(ruleset, "level-30").codes, first.codes)
    choosing, _ = open_fields(ruleset, load_strategy(ruleset))
    deals = describe_deals(deal_random(4, 0, len(first.codes)), ruleset)
    assert np.array_equal(first.codes, set_at_level(30, deals, choosing))


def test_another_equilibrium_makes_other_players(cache: Path) -> None:
    ruleset = load_ruleset("two-four", HOUSE)
    before = load_strategy(ruleset, "level-30").codes
    equilibrium = load_strategy(ruleset)
    (path,) = cache.glob("equilibrium-*.strategy")
    deals = describe_deals(deal_random(equilibrium.seed, 0, len(equilibrium.codes)), ruleset)
    codes = set_deals("back-first", deals.cards, build_game(ruleset))
    files.write_strategy(path, replace(equilibrium, codes=codes), ruleset.id)
    assert not np.array_equal(load_strategy(ruleset, "level-30").codes, before)


def test_the_highest_level_is_the_equilibrium(cache: Path) -> None:
    ruleset = load_ruleset("two-four", HOUSE)
    equilibrium = load_strategy(ruleset)
    assert np.array_equal(load_strategy(ruleset, "level-100").codes, equilibrium.codes)
    assert [path.name.partition("-")[0] for path in cache.iterdir()] == ["equilibrium"]


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("name", "role"), [("two-four", PLAYER), ("malay", BANK)], ids=["players", "bank"]
)
def test_arrange_meets_players_of_a_level_set_on_the_spot(name: str, role: Role) -> None:
    ruleset = load_ruleset(name, HOUSE if role == PLAYER else ["surrender=2"])
    analyst = open_analyst(ruleset, "level-10")
    assert analyst.more is not None
    cards = deal_random(78, 0, pick_size(60, 3))
    met = analyst.more(cards)
    field, game = open_rivals(ruleset, role=role)
    expected = set_at_level(10, describe_deals(cards, ruleset), field, game=game)
    assert met.field.codes.tolist() == expected.tolist()
