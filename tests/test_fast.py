"""The fast form: what it counts, what it loses to the exact form, and when it does not play."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.holdings import KINDS, count_holdings, expect_holdings
from cp_cli._kernels.payoff import WEIGHT
from cp_cli._kernels.splits import SPLITS
from cp_cli._kernels.whole import fill_effects, score_heroes
from cp_cli.candidates import sort_deal
from cp_cli.cards import parse_cards
from cp_cli.field import (
    DECLARE,
    FOUL,
    SURRENDER,
    Field,
    build_field,
    deal_random,
    deal_unseen,
    describe_deals,
)
from cp_cli.ruleset import Order, Ruleset, load_ruleset
from cp_cli.settlement.game import PLAYER, Role, build_game
from cp_cli.strategy import answer_exactly, named, set_deals, value_choices
from cp_cli.strategy.answers import with_rest
from cp_cli.strategy.fast import answer_fast, build_fast
from cp_cli.strategy.files import find_rival
from tests.sizes import COMPILED, pick_size
from tests.test_strategy import ALICE, DRAGON, HOPELESS, MONSTER, TABLES
from tests.tiny_trainings import open_deals, open_field

FIELD = pick_size(1500, 30)
JUDGES = pick_size(6000, 30)
DEALS = pick_size(400, 2)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rank-product learn from fewer deals, and plain Python fill smaller tables."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))
    if not COMPILED:
        monkeypatch.setattr("cp_cli.strategy.fast.STEPS", (3, 3, 3))


# --- what opponents hold -------------------------------------------------------------------------


def count_by_hand(cards: tuple[int, ...]) -> list[float]:
    """Return the number of sets of each kind by looking at every set of cards."""
    ranks = [card >> 2 for card in cards]
    alike = [[], [0] * 13, [0] * 13, [0] * 13, [0] * 13]  # type: list[list[int]]
    for size in range(1, 5):
        for chosen in combinations(ranks, size):
            if len(set(chosen)) == 1:
                alike[size][chosen[0]] += 1
    suited = [
        sum(len({card & 3 for card in chosen}) == 1 for chosen in combinations(cards, size))
        for size in range(2, 7)
    ]
    runs = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
    straights = sum(set(chosen) in runs for chosen in combinations(ranks, 5))
    return [*alike[1][:12], *alike[2], *alike[3], sum(alike[4]), *suited, straights]


def test_sets_are_counted_as_by_hand() -> None:
    deals = np.array([sort_deal(ALICE), sort_deal(DRAGON), sort_deal(MONSTER)])
    counts = np.empty((3, KINDS))
    count_holdings(deals, counts)
    assert counts.tolist() == [count_by_hand(tuple(map(int, deal))) for deal in deals]


def test_expected_sets_are_the_average_of_unseen_deals() -> None:
    known = sort_deal(MONSTER)
    expected = np.empty((1, KINDS))
    expect_holdings(known[None], expected)
    unseen = sorted(set(range(52)) - {int(card) for card in known})
    counts = np.empty((pick_size(100_000, 1_000), KINDS))
    count_holdings(deal_unseen(unseen, len(counts), seed=3), counts)
    errors = counts.std(axis=0) / np.sqrt(len(counts))
    assert (np.abs(counts.mean(axis=0) - expected[0]) <= 4.5 * errors + 1e-9).all()


# --- what an opponent's weight changes -----------------------------------------------------------


@pytest.mark.parametrize(("name", "opponents", "role"), TABLES)
def test_effects_are_what_a_shift_of_weight_changes(name: str, opponents: int, role: Role) -> None:
    ruleset = load_ruleset(name)
    theirs = find_rival(ruleset, role)
    field = open_opponents(ruleset, 1, pick_size(500, 60), opponents, theirs)
    game = build_game(ruleset, opponents, role)._replace(whole=field.game.whole)
    players = field.arranged.copy()
    players[WEIGHT] = 40
    n = players.shape[1]
    deals = open_deals(ruleset, 2, pick_size(6, 2))
    codes = set_deals("rank-product", deals.cards, game)
    heroes = np.ascontiguousarray(build_field(deals, codes, game).arranged.T)
    before, after = (np.empty(len(heroes), dtype=np.int64) for _ in range(2))
    effects = np.empty((len(heroes), n), dtype=np.float32)
    for hero, row in zip(heroes, effects, strict=True):
        fill_effects(hero, players, n, 0, game, row)
    score_heroes(heroes, len(heroes), players, n, 0, game, before)
    shift = 20
    for one, other in ((0, 1), (2, 3), (4, 5), (6, 7)):
        moved = players.copy()
        moved[WEIGHT, one] += shift
        moved[WEIGHT, other] -= shift
        score_heroes(heroes, len(heroes), moved, n, 0, game, after)
        expected = shift * (effects[:, one] - effects[:, other])
        # Scores are rounded, and where the table is paid they are no straight lines.
        bend = pick_size(3, 30) / 100
        assert (np.abs(after - before - expected) <= 1 + bend * np.abs(expected)).all()


# --- what it loses -------------------------------------------------------------------------------

HOUSE_RULES: tuple[tuple[str, list[str]], ...] = (
    ("two-four", ["order.middle=low27"]),
    ("two-four", ["order.equal_rows=foul", "surrender=1"]),
    ("pagat-extras", ["royalties.cancel=true"]),
    ("pagat-extras", ["overall={units: 3, when: net}"]),
    ("open-face", []),
)


@cache
def set_once(order: Order, seed: int, count: int) -> NDArray[np.int32]:
    """Return what rank-product does, which depends on the order of rows alone."""
    game = build_game(Ruleset(id="test", order=order))
    return set_deals("rank-product", deal_random(seed, 0, count), game)


def open_opponents(ruleset: Ruleset, seed: int, count: int, opponents: int, role: Role) -> Field:
    """Return opponents who declare every natural and surrender their weakest deals."""
    game = build_game(ruleset, opponents, role)
    deals = describe_deals(deal_random(seed, 0, count), ruleset)
    codes = set_once(ruleset.order, seed, count).copy()
    field = build_field(deals, codes, game)
    if game.surrender >= 0:
        backs = field.arranged[2]
        codes[backs < np.quantile(backs, 0.04)] = SURRENDER
    if ruleset.mode in ("pairs", "bank"):
        codes[deals.places >= 0] = DECLARE
    field = build_field(deals, codes, game)
    return replace(field, game=with_rest(game, field.arranged, field.arranged))


def measure_loss(
    ruleset: Ruleset, opponents: int = 1, role: Role = PLAYER
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the units of the exact form, the fast form and back-first, and their choices."""
    theirs = find_rival(ruleset, role)
    field = open_opponents(ruleset, 51, FIELD, opponents, theirs)
    judges = open_opponents(ruleset, 53, JUDGES, opponents, theirs)
    game = build_game(ruleset, opponents, role)._replace(whole=field.game.whole)
    deals = open_deals(ruleset, 55, DEALS)
    exact = answer_exactly(deals, field, game=game)
    fast = answer_fast(deals, build_fast(field, game=game))
    codes = np.stack([exact, fast, set_deals("back-first", deals.cards, game)], axis=1)
    return value_choices(deals, codes, judges, game=game), codes


def check_loss(means: NDArray[np.float64], codes: NDArray[np.int32]) -> None:
    assert ((codes[:, 0] == FOUL) == (codes[:, 1] == FOUL)).all()
    if COMPILED:
        loss = means[:, 0] - means[:, 1]
        error = loss.std() / np.sqrt(len(loss))
        assert loss.mean() - 3 * error < 0.002
        assert loss.mean() < 0.01
        assert (means[:, 1] - means[:, 2]).mean() > 0.1


@pytest.mark.parametrize(("name", "opponents", "role"), TABLES)
def test_the_fast_form_loses_little(name: str, opponents: int, role: Role) -> None:
    check_loss(*measure_loss(load_ruleset(name), opponents, role))


@pytest.mark.parametrize(("name", "settings"), HOUSE_RULES)
def test_the_fast_form_knows_house_rules(name: str, settings: list[str]) -> None:
    check_loss(*measure_loss(load_ruleset(name, settings)))


def test_a_deal_without_a_legal_split_is_a_foul() -> None:
    ruleset = load_ruleset("two-four", ["order.middle=low27", "order.middle_max=8"])
    field = open_field(ruleset, "back-first", 61, FIELD)
    deals = describe_deals(np.array([sort_deal(MONSTER), sort_deal(DRAGON)]), ruleset)
    codes = answer_fast(deals, build_fast(field))
    assert codes[0] == FOUL
    assert codes[1] < SPLITS


# --- naturals and surrender ----------------------------------------------------------------------


def answer_one(cards: tuple[int, ...], ruleset: Ruleset, field: Field) -> int:
    deals = describe_deals(sort_deal(cards)[None], ruleset)
    return int(answer_fast(deals, build_fast(field))[0])


def test_naturals_are_declared_where_that_pays() -> None:
    ruleset = load_ruleset("pagat-standard")
    field = open_field(ruleset, "rank-product", 41, FIELD)
    assert answer_one(DRAGON, ruleset, field) == DECLARE
    assert answer_one(ALICE, ruleset, field) < SPLITS
    # Three quads are six pairs, worth 3; quads and a full house in the right rows earn more.
    assert answer_one(MONSTER, ruleset, field) < SPLITS


def test_a_hopeless_deal_is_given_up_where_that_costs_little() -> None:
    for units, given_up in ((0, True), (4, False)):
        ruleset = load_ruleset("two-four", [f"surrender={units}"])
        field = open_field(ruleset, "rank-product", 43, FIELD)
        assert (answer_one(HOPELESS, ruleset, field) == SURRENDER) == given_up
        assert answer_one(MONSTER, ruleset, field) < SPLITS


FLUSHES = parse_cards("As Ks Qs Ah Kh Qh Jh 9h Ac Kc Qc Jc 9c")
SIX_PAIRS = parse_cards("Qs Qh Jd Jc 9s 9h 7d 7c 5s 5h 3d 3c 2s")
NATURALS = "list: [[three_flushes, {}], [six_pairs, 4]]"


def mix_field(ruleset: Ruleset) -> Field:
    """Return opponents of whom a third each play, surrender and declare a natural."""
    many = describe_deals(deal_random(46, 0, pick_size(20_000, 400)), ruleset)
    naturals = many.cards[many.places >= 0]
    n = len(naturals)
    field = open_field(ruleset, "rank-product", 45, 2 * n)
    surrenders = np.full(n, SURRENDER, dtype=np.int32)
    declares = np.full(n, DECLARE, dtype=np.int32)
    # In turn, as fields are in no order.
    order = np.arange(3 * n).reshape(3, n).T.ravel()
    cards = np.concatenate([field.deals.cards, naturals])[order]
    codes = np.concatenate([field.codes[:n], surrenders, declares])[order]
    return build_field(describe_deals(cards, ruleset), codes, field.game)


@pytest.mark.parametrize("clash", ["higher", "difference"])
@pytest.mark.parametrize("surrender", [0, 4])
@pytest.mark.parametrize("units", [1, 9])
def test_naturals_and_surrender_are_weighed_as_by_the_exact_form(
    units: int, surrender: int, clash: str
) -> None:
    naturals = f"naturals={{{NATURALS.format(units)}, clash: {clash}}}"
    ruleset = load_ruleset("two-four", [naturals, f"surrender={surrender}"])
    field = mix_field(ruleset)
    hands = [FLUSHES, SIX_PAIRS, MONSTER, HOPELESS]
    deals = describe_deals(np.array([sort_deal(hand) for hand in hands]), ruleset)
    exact = answer_exactly(deals, field)
    fast = answer_fast(deals, build_fast(field))
    values = value_choices(deals, np.stack([exact, fast], axis=1), field)
    close = values[:, 0] - values[:, 1] < 0.25
    if COMPILED:
        assert (close | ((exact < SPLITS) == (fast < SPLITS))).all()
    assert (fast[3] == SURRENDER) == (surrender == 0)


def test_clear_cases_are_decided_as_by_the_exact_form() -> None:
    means, codes = measure_loss(load_ruleset("hawaiian-gardens"), 3)
    differ = (codes[:, 0] < SPLITS) != (codes[:, 1] < SPLITS)
    assert (means[differ, 0] - means[differ, 1] < 0.5).all()
    if COMPILED:
        assert {DECLARE, SURRENDER} <= set(codes[:, 1].tolist())


# --- independence --------------------------------------------------------------------------------


def test_neither_company_nor_jobs_change_an_answer() -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    field = open_opponents(ruleset, 71, pick_size(1000, 30), 3, PLAYER)
    tables, same = (build_fast(field, jobs) for jobs in (1, 3))
    for one, other in ((tables.grid, same.grid), (tables.slopes, same.slopes)):
        assert np.array_equal(one, other)
    deals = open_deals(ruleset, 72, pick_size(700, 5))
    codes = answer_fast(deals, tables)
    assert np.array_equal(answer_fast(deals, tables, jobs=3), codes)
    for i in (0, 3, len(deals) - 1):
        assert answer_fast(deals.take(slice(i, i + 1)), tables)[0] == codes[i]
    backwards = describe_deals(deals.cards[::-1], ruleset)
    assert np.array_equal(answer_fast(backwards, tables)[::-1], codes)
