"""Figures of whole tables: right on average, as sure as they say, and chosen by."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.payoff import COLUMN, WEIGHT, fill_units
from cp_cli._kernels.settling import value_home_runs
from cp_cli.arrangement import parse_arrangement
from cp_cli.candidates import sort_deal
from cp_cli.cards import parse_cards
from cp_cli.equity import Analyst, Judges, open_analyst
from cp_cli.equity.company import Host, Sizes
from cp_cli.equity.judges import add_measures
from cp_cli.equity.referee import Level, Referee, add_levels, estimate_means
from cp_cli.field import (
    DECLARE,
    SURRENDER,
    Deals,
    Field,
    Opponents,
    build_field,
    deal_random,
    describe_deals,
    fit_all,
    mask_cards,
)
from cp_cli.ruleset import Ruleset, load_ruleset, to_dict
from cp_cli.settlement.arrays import build_hand_terms
from cp_cli.settlement.game import Role, build_game, digest_play
from cp_cli.strategy import Strategy, files, set_deals, write_strategy
from tests.sizes import COMPILED, pick_size
from tests.toy_tables import build_toy_field, deal_toy_tables, open_toy_referee
from tests.wild_tables import (
    WildSeat,
    build_wild_field,
    describe_player,
    name_rows,
    open_host,
    play_wildly,
    win_at_table,
)

ALICE = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")
BEST = parse_arrangement("Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s")
WORSE = parse_arrangement("3s 3c 9h / Js Jd Qh 8c 2h / As Ks Qs 6s 5s")
DEAD = parse_cards("Ad Kc Kd 7h 2c")
FIELD = pick_size(4_000, 60)
SIZES = Sizes(tables=pick_size(300, 6), pairs=pick_size(1_500, 12), fewest=pick_size(300, 6))


@pytest.fixture(autouse=True)
def _few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few tables do, and small fields without fresh opponents."""
    monkeypatch.setattr("cp_cli.equity.analysis.FEWEST", 1)
    for name in ("JUDGING", "RANKING"):
        monkeypatch.setattr(f"cp_cli.equity.analysis.{name}", SIZES)


# --- against tables that are dealt ---------------------------------------------------------------


@cache
def open_sober(name: str, others: int) -> Analyst:
    """Return an analyst whose opponents make their strongest back, then middle."""
    ruleset = load_ruleset(name)
    game = build_game(ruleset, others)

    def play(deals: Deals) -> NDArray[np.int32]:
        return set_deals("back-first", deals.cards, game)

    def build(cards: NDArray[np.uint8]) -> Field:
        deals = describe_deals(cards, ruleset)
        return build_field(deals, play(deals), game)

    choosing, judging = (build(deal_random(seed, 0, FIELD)) for seed in (1, 2))
    referee = Referee(ruleset, game, Host(ruleset, build_hand_terms(ruleset), play))

    def more(cards: NDArray[np.uint8]) -> Opponents:
        return fit_all(build(cards))

    return Analyst(ruleset, choosing, judging, more, game=game, referee=referee)


@cache
def open_wild(name: str, others: int, role: Role = "player", *overrides: str) -> Analyst:
    """Return an analyst whose opponents play wildly."""
    ruleset = load_ruleset(name, overrides)
    banked = ruleset.mode == "bank"
    theirs: Role = "bank" if banked and role == "player" else "player"
    game = build_game(ruleset, others, role)

    def build(seed: int) -> Field:
        return build_wild_field(deal_random(seed, 0, FIELD), ruleset, others, theirs)

    def more(cards: NDArray[np.uint8]) -> Opponents:
        deals = describe_deals(cards, ruleset)
        their_game = build_game(ruleset, others, theirs)
        return fit_all(build_field(deals, play_wildly(deals, ruleset), their_game))

    bank = banked and role == "bank"
    referee = Referee(ruleset, game, open_host(ruleset), bank=bank) if game.whole.kind else None
    return Analyst(ruleset, build(1), build(2), more, game=game, referee=referee, role=role)


def deal_wild_tables(
    ruleset: Ruleset, known: list[int], others: int, count: int
) -> list[list[WildSeat]]:
    """Deal tables of wild opponents from the cards that nobody knows."""
    rng = np.random.default_rng(8)
    unseen = np.array([card for card in range(52) if card not in known], dtype=np.uint8)
    packs = np.stack([rng.permutation(unseen)[: 13 * others] for _ in range(count)])
    cards = np.sort(packs.reshape(-1, 13), axis=1)[:, ::-1].copy()
    codes = play_wildly(describe_deals(cards, ruleset), ruleset).tolist()
    seats = [
        WildSeat(-1, tuple(deal.tolist()), describe_player(deal, code, ruleset))
        for deal, code in zip(cards, codes, strict=True)
    ]
    return [seats[i : i + others] for i in range(0, len(seats), others)]


WILD: list[tuple[str, int, Role, bool, tuple[str, ...]]] = [
    ("hawaiian-gardens", 3, "player", False, ()),
    ("taiwanese", 2, "player", True, ("surrender=2", "all_sweep.opponents=2")),
    ("sole-winner", 3, "player", False, ()),
    ("ante", 3, "player", False, ()),
    ("ante", 2, "player", True, ()),
    ("first-to-11", 3, "player", False, ()),
    ("first-to-11", 2, "player", False, ()),
    ("malay", 1, "player", False, ("surrender=1",)),
    ("malay", 3, "bank", False, ("all_sweep={units: 9, opponents: 3}",)),
]


@pytest.mark.parametrize(("name", "others", "role", "dead", "overrides"), WILD)
def test_figures_agree_with_tables_that_are_dealt(
    name: str, others: int, role: Role, dead: bool, overrides: tuple[str, ...]
) -> None:
    """With naturals, fouls and surrender, as the oracle settles each table in full."""
    analyst = open_wild(name, others, role, *overrides)
    gone = DEAD if dead else ()
    answer = analyst.analyze(ALICE, dead=gone, opponents=others, top=1, compare=[BEST, WORSE])
    plain = to_dict(analyst.ruleset)
    tables = deal_wild_tables(analyst.ruleset, [*ALICE, *gone], others, pick_size(400, 6))
    for figures in answer.compared:
        hero = name_rows(figures.arrangement.rows)
        bank = role == "bank"
        units = np.array([win_at_table(hero, seats, plain, bank=bank) for seats in tables])
        error = np.hypot(units.std() / np.sqrt(len(units)), figures.se)
        assert abs(units.mean() - figures.ev) <= 4 * error + 1e-9


ROLES: dict[Role, int] = {"bank": 5, "player": 6}


def test_bank_and_players_win_from_each_other() -> None:
    """Over all deals of both, weighed by how often they meet, they together win nothing."""
    ruleset = load_ruleset("malay", ["surrender=1"])
    fields = {
        role: build_wild_field(deal_random(seed, 0, pick_size(60, 8)), ruleset, 1, role)
        for role, seed in ROLES.items()
    }
    totals = []
    for own, others in zip(ROLES, reversed(ROLES), strict=True):
        mine, total = fields[own], 0.0
        for i, cards in enumerate(mine.deals.cards.tolist()):
            theirs = fields[others].condition(mask_cards(cards))
            if len(theirs):
                unseen = [card for card in range(52) if card not in cards]
                place, tie = int(mine.deals.places[i]), int(mine.deals.ties[i])
                judges = Judges([theirs], unseen, place, tie)
                total += judges.weight * value_wild(judges, mine, i)
        totals.append(total)
    assert totals[0] == pytest.approx(-totals[1], rel=1e-5)
    assert abs(totals[0]) > 0.1


def value_wild(judges: Judges, field: Field, i: int) -> float:
    """Return what a deal of a field wins from the judges, as it is played there."""
    code = int(field.codes[i])
    if code == DECLARE:
        units = int(field.deals.spec.units[field.deals.places[i]])
        return float(judges.estimate_flat("declare", units)[0][0])
    if code == SURRENDER:
        return float(judges.estimate_flat("surrender", None)[0][0])
    return float(judges.measure(np.ascontiguousarray(field.arranged[:, i : i + 1].T)).means[0])


# --- errors --------------------------------------------------------------------------------------


def settle_toys(referee: Referee, hero: NDArray[np.int64], others: int) -> NDArray[np.float64]:
    """Return what the hero wins at many tables of the toy game that are dealt at random."""
    hands = deal_toy_tables(list(ALICE), others, pick_size(150_000, 1_000), 99)
    if referee.ruleset.mode != "pairs":
        weights, constant = referee.weigh_parts(others)
        won: NDArray[np.float64] = (referee.tell_parts(hero, hands) @ weights + constant)[0]
        return won
    units = np.empty((1, len(hands)))
    value_home_runs(hero, hands, others, -1, referee.terms, units)
    arranged = np.zeros((COLUMN, len(hands) * others), dtype=np.int16)
    arranged[:3] = hands[..., :3].reshape(-1, 3).T
    pairs = np.empty(arranged.shape[1], dtype=np.int32)
    fill_units(arrange_toy(hero), arranged, len(pairs), referee.game.pay, pairs)
    in_pairs: NDArray[np.float64] = pairs.reshape(-1, others).sum(axis=1) + units[0]
    return in_pairs


def arrange_toy(hero: NDArray[np.int64]) -> NDArray[np.int16]:
    """Return the hero of the toy game as an arranged deal, (8,)."""
    arranged = np.zeros(COLUMN, dtype=np.int16)
    arranged[:3], arranged[WEIGHT] = hero[0, :3], 1
    return arranged


@pytest.mark.parametrize(
    ("name", "others"), [("sole-winner", 3), ("first-to-11", 3), ("ante", 2), ("taiwanese", 3)]
)
def test_intervals_hold_the_truth_as_often_as_they_say(name: str, others: int) -> None:
    """In a toy game, where every run has a field of its own."""
    runs, count = pick_size(100, 6), pick_size(3_000, 900)
    referee = open_toy_referee(load_ruleset(name), others)
    deal, code = sort_deal(ALICE), np.zeros(1, dtype=np.int32)
    hero = referee.host.describe(deal[None], code)
    heroes = arrange_toy(hero)[None]
    units = settle_toys(referee, hero, others)
    unsure = units.std() / np.sqrt(len(units))
    scores = np.empty(runs)
    unseen = [card for card in range(52) if card not in ALICE]
    sizes = Sizes(tables=100, pairs=400, fewest=50)
    for run in range(runs):
        field = build_toy_field(deal_random(1_000 + run, 0, count), referee.ruleset, others)
        judges = Judges([field.condition(mask_cards(ALICE))], unseen, -1, 0)
        bench = referee.open_bench(field, ALICE, others, run, sizes)
        seated = bench.measure(deal, code)
        total = judges.measure_patterns(heroes, seated.values)
        if bench.adds:
            total = add_measures(judges.measure(heroes), total, others)
        mean, error = add_levels(*judges.estimate(total), seated.levels)
        scores[run] = (mean[0] - units.mean()) / np.hypot(error[0], unsure)
    slack = 4 / np.sqrt(runs)  # standard errors of the mean of the scores
    low, high = (0.88, 1.0) if COMPILED else (0.5, 1.0)
    assert low <= np.mean(np.abs(scores) < 1.96) <= high
    assert abs(scores.mean()) < slack
    assert abs(scores.std() - 1) < slack / np.sqrt(2) + (0 if COMPILED else 1)


def test_tables_that_share_an_opponent_are_not_independent() -> None:
    """Ten opponents, each at nine tables, bring one amount to all of theirs."""
    rng = np.random.default_rng(1)
    nodes = np.array([(i, j) for i in range(10) for j in range(i)])
    scores = []
    for _ in range(400):
        brings = rng.normal(size=10)
        units = brings[nodes].sum(axis=1)
        means, errors = estimate_means(Level(units[None], nodes))
        scores.append(float(means[0] / errors[0]))
    # Ten are few, but errors that take 45 tables for independent would be half as large.
    assert 0.8 < np.std(scores) < 1.35
    alone = units.std() / np.sqrt(len(units))
    assert errors[0] > 1.5 * alone
    apart = np.arange(2 * len(units)).reshape(-1, 2)
    assert estimate_means(Level(units[None], apart))[1][0] == pytest.approx(alone, rel=0.02)


@pytest.mark.parametrize("name", ["sole-winner", "ante", "first-to-11"])
def test_judges_and_pairs_make_figures_surer(name: str) -> None:
    """Than the tables alone, which is what figures rest on where they are not taken apart."""
    referee = open_toy_referee(load_ruleset(name), 3)
    deal, code = sort_deal(ALICE), np.zeros(1, dtype=np.int32)
    hero = referee.host.describe(deal[None], code)
    field = build_toy_field(deal_random(4, 0, pick_size(20_000, 900)), referee.ruleset, 3)
    unseen = [card for card in range(52) if card not in ALICE]
    judges = Judges([field.condition(mask_cards(ALICE))], unseen, -1, 0)
    bench = referee.open_bench(field, ALICE, 3, 0, Sizes(tables=400, pairs=4_000, fewest=100))
    seated = bench.measure(deal, code)
    total = judges.measure_patterns(arrange_toy(hero)[None], seated.values)
    mean, error = add_levels(*judges.estimate(total), seated.levels)
    weights, constant = referee.weigh_parts(3)
    units = referee.tell_parts(hero, bench.company.call_thirds(bench.at)) @ weights + constant
    means, errors = estimate_means(Level(units, bench.company.nodes[bench.at]))
    assert abs(mean[0] - means[0]) < 4 * errors[0]
    assert error[0] < errors[0] * (0.75 if COMPILED else 9)


# --- what the caller wishes ----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "others"), [("sole-winner", 3), ("ante", 2), ("taiwanese", 3)])
def test_more_tables_on_request(name: str, others: int) -> None:
    analyst = open_sober(name, others)
    rough = analyst.analyze(ALICE, opponents=others, top=1)
    wanted = 4 * max(rough.tables, rough.samples)
    fine = analyst.analyze(ALICE, opponents=others, top=1, samples=wanted)
    assert fine.tables >= wanted
    assert fine.samples >= wanted
    assert fine.arrangements[0].se < rough.arrangements[0].se


@pytest.mark.parametrize(("name", "others"), [("sole-winner", 3), ("ante", 2), ("taiwanese", 3)])
def test_a_wanted_error_is_reached(name: str, others: int) -> None:
    analyst = open_sober(name, others)
    rough = analyst.analyze(ALICE, opponents=others, top=1)
    wanted = rough.arrangements[0].se / 1.5
    fine = analyst.analyze(ALICE, opponents=others, top=1, target_se=wanted)
    assert fine.arrangements[0].se < (1.05 if COMPILED else 2) * wanted
    easy = analyst.analyze(ALICE, opponents=others, top=1, target_se=100)
    assert easy.arrangements == rough.arrangements


# --- the choice ----------------------------------------------------------------------------------


def test_the_choice_is_no_worse_than_that_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who thinks of the whole table at least keeps up with who sees one opponent at a time."""
    monkeypatch.setattr("cp_cli.equity.analysis.FEWEST", 4_096 if COMPILED else 1)
    ruleset = load_ruleset("hawaiian-gardens")
    if COMPILED:
        whole, pairs = (open_analyst(ruleset, opponents=number) for number in (3, 1))
    else:
        whole = open_sober("hawaiian-gardens", 3)
        pairs = Analyst(ruleset, whole.choosing, whole.judging, game=build_game(ruleset))
    differ = 0
    for cards in deal_random(2_024, 0, pick_size(12, 1)).tolist():
        wanted = pairs.analyze(cards, opponents=1, top=1).arrangements[0].arrangement
        answer = whole.analyze(cards, opponents=3, top=1, compare=[wanted])
        figures = answer.compared[0]
        assert figures.loss >= -3 * figures.loss_se
        differ += figures.rank > 1
    assert differ > 0 or not COMPILED


# --- the same answer every time ------------------------------------------------------------------


def test_seeds_and_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a strategy file that was quickly made, not trained."""
    sizes = SIZES if COMPILED else Sizes(tables=1, pairs=1, fewest=1)
    for name in ("JUDGING", "RANKING"):
        monkeypatch.setattr(f"cp_cli.equity.analysis.{name}", sizes)
    monkeypatch.setattr(files, "CACHE_DIR", tmp_path)
    monkeypatch.setenv("CPOKER_CACHE_DIR", str(tmp_path))
    ruleset = load_ruleset("ante", ["ante=6"])
    cards = deal_random(1, 0, pick_size(4_000, 60))
    codes = set_deals("back-first", cards, build_game(ruleset, 2))
    digest = digest_play(ruleset, 2)
    path = files.find_cached(digest)
    path.parent.mkdir()
    write_strategy(path, Strategy(digest, 1, len(codes) // 2, codes), ruleset.id)
    answers = []
    for jobs, seeds in ((1, (4, 4, 5)), (2, (4,))):
        analyst = open_analyst(ruleset, opponents=2, jobs=jobs)
        answers += [analyst.analyze(ALICE, opponents=2, top=5, seed=seed) for seed in seeds]
    one, again, other, two = answers
    assert one.arrangements == again.arrangements == two.arrangements
    assert one.choices == two.choices
    assert one.tables == two.tables == sizes.fewest
    assert one.arrangements != other.arrangements or not COMPILED
