"""Expected units of splits: against the oracle, against samples, and how far they can be off."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.payoff import WEIGHT
from cp_cli.arrangement import Arrangement, Natural, parse_arrangement
from cp_cli.candidates import SCREEN, name_plan, pick_diverse, rank_splits, read_split, sort_deal
from cp_cli.cards import parse_cards
from cp_cli.equity import Analysis, Analyst, Judges, SplitFigures, open_analyst
from cp_cli.errors import ArrangementError, CpokerError
from cp_cli.field import (
    DECLARE,
    Field,
    Opponents,
    build_field,
    deal_random,
    deal_unseen,
    describe_deals,
    fit_all,
    mask_cards,
)
from cp_cli.ruleset import Ruleset, load_ruleset, to_dict
from cp_cli.settlement.game import build_game
from cp_cli.strategy import Plan, files, named, set_deals
from tests import naive
from tests.sizes import COMPILED, pick_size

ALICE = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")
BEST = parse_arrangement("Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s")
WORSE = parse_arrangement("Jd 9h 8c / Qs Qh Js 3c 2h / As Ks 6s 5s 3s")
STRONG = parse_cards("Ac Ad Ah Kc Kd Kh Ks Qc Qd 4h 4s 2c 3d")
DRAGON = parse_cards("As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s")
QUADS = parse_cards("Ac Ad Ah As Kc Kd Kh Ks Qc Qd Qh Qs 2c")
DEAD = parse_cards("Ad Kc Kd 7h 2c")

SMALL = pick_size(2_000, 60)  # too few opponents for control variates
LARGE = pick_size(8_000, 200)


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rank-product learn from fewer deals, and small fields do without fresh opponents."""
    monkeypatch.setattr(named, "LESSONS", pick_size(512, 12))
    monkeypatch.setattr("cp_cli.equity.analysis.FEWEST", 1)


def build_opponents(cards: NDArray[np.uint8], codes: NDArray[np.int32], ruleset: Ruleset) -> Field:
    """Return deals set by `codes`, with every natural declared."""
    deals = describe_deals(cards, ruleset)
    codes = np.where(deals.places >= 0, DECLARE, codes).astype(np.int32)
    return build_field(deals, codes, build_game(ruleset))


def set_opponents(cards: NDArray[np.uint8], ruleset: Ruleset) -> Field:
    codes = set_deals("rank-product", cards, build_game(ruleset))
    return build_opponents(cards, codes, ruleset)


@cache
def set_once(seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return deals of a seed and their splits: rank-product asks for no amounts."""
    cards = deal_random(seed, 0, LARGE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(named, "LESSONS", pick_size(512, 12))
        return cards, set_deals("rank-product", cards, build_game(load_ruleset("basic")))


@cache
def open_small(name: str, count: int = SMALL, *overrides: str) -> Analyst:
    """Return an analyst with two fields of `count` deals, and more on demand."""
    ruleset = load_ruleset(name, overrides)

    def build(seed: int) -> Field:
        cards, codes = set_once(seed)
        return build_opponents(cards[:count], codes[:count], ruleset)

    def more(cards: NDArray[np.uint8]) -> Opponents:
        return fit_all(set_opponents(cards, ruleset))

    return Analyst(ruleset, build(1), build(2), more)


def find_unseen(*known: Iterable[int]) -> list[int]:
    seen = {card for cards in known for card in cards}
    return [card for card in range(52) if card not in seen]


def make_judges(opponents: Opponents, *known: Iterable[int]) -> Judges:
    return Judges([opponents], find_unseen(*known), -1, 0)


def set_hero(cards: tuple[int, ...], analyst: Analyst, rank: int = 0) -> NDArray[np.int16]:
    """Return some split of the ranking as an arranged deal, (1, 8)."""
    opponents = analyst.choosing.condition(mask_cards(cards))
    splits = rank_splits(cards, opponents.players, analyst.choosing.game)
    return splits.heroes[splits.order[rank : rank + 1]]


# --- figures against the oracle ------------------------------------------------------------------


def average_naively(hero: Arrangement, opponents: Opponents, ruleset: Ruleset) -> dict[str, float]:
    """Return every figure of a split against one opponent, taken from the rules alone."""
    rules = to_dict(ruleset)
    bare = {**rules, "royalties": None}
    found = dict.fromkeys(
        ["ev", "royalties", "scoop", "scooped", "win0", "win1", "win2", "tie0", "tie1", "tie2"], 0.0
    )
    field = opponents.field
    for i, weight in zip(opponents.deals, opponents.players[WEIGHT], strict=True):
        villain = read_split(field.deals.cards[i], int(field.codes[i])).rows
        outcomes = naive.row_outcomes(hero.rows, villain, rules)
        pay = naive.pair_units(hero.rows, villain, rules)
        found["ev"] += float(weight) * pay
        found["royalties"] += float(weight) * (pay - naive.pair_units(hero.rows, villain, bare))
        found["scoop"] += float(weight) * (outcomes == [1, 1, 1])
        found["scooped"] += float(weight) * (outcomes == [-1, -1, -1])
        for row, side in enumerate(outcomes):
            found[f"win{row}"] += float(weight) * (side == 1)
            found[f"tie{row}"] += float(weight) * (side == 0)
    for i, weight in zip(opponents.special, opponents.special_weights, strict=True):
        cards = tuple(int(card) for card in field.deals.cards[i])
        natural = naive.best_natural(cards, rules["naturals"], "low")
        assert natural is not None
        found["ev"] -= float(weight) * natural.units
    total = float(opponents.players[WEIGHT].sum()) + float(opponents.special_weights.sum())
    return {name: value / total for name, value in found.items()}


def list_figures(figures: SplitFigures) -> dict[str, float]:
    named_rows = {f"win{row}": value for row, value in enumerate(figures.win)}
    named_rows |= {f"tie{row}": value for row, value in enumerate(figures.tie)}
    names = ("ev", "royalties", "scoop", "scooped")
    return {**{name: getattr(figures, name) for name in names}, **named_rows}


@pytest.mark.parametrize("cards", [ALICE, STRONG], ids=["alice", "strong"])
@pytest.mark.parametrize("dead", [(), DEAD[3:]], ids=["no-dead", "dead"])
def test_figures_are_averages_over_the_judges(
    cards: tuple[int, ...], dead: tuple[int, ...]
) -> None:
    cards = tuple(cards)
    dead = tuple(card for card in dead if card not in cards)
    analyst = open_small("wikipedia-two-four", SMALL, "royalties.paid=always", "surrender=null")
    answer = analyst.analyze(cards, dead=dead, opponents=1, top=3)
    opponents = analyst.judging.condition(mask_cards([*cards, *dead]))
    for figures in answer.arrangements:
        expected = average_naively(figures.arrangement, opponents, analyst.ruleset)
        assert list_figures(figures) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_the_samples_are_the_different_deals_of_the_judges() -> None:
    analyst = open_small("two-four")
    opponents = analyst.judging.condition(mask_cards(ALICE))
    assert analyst.analyze(ALICE).samples == len(set(opponents.deals.tolist()))


def test_fresh_opponents_come_where_few_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    fewest = pick_size(1_000, 30)
    monkeypatch.setattr("cp_cli.equity.analysis.FEWEST", fewest)
    analyst = open_small("two-four")
    dead = find_unseen(ALICE)[:20]
    assert len(analyst.judging.condition(mask_cards([*ALICE, *dead]))) < fewest
    answer = analyst.analyze(ALICE, dead=dead, opponents=1, top=1)
    assert answer.samples == fewest
    # With 26 dead cards there is one opponent, and nothing is left to chance.
    last = analyst.analyze(ALICE, dead=find_unseen(ALICE)[:26], opponents=1, top=1)
    assert last.samples == 1
    assert last.arrangements[0].se == 0
    assert last.arrangements[0].ev == round(last.arrangements[0].ev)


@pytest.mark.parametrize(
    ("name", "overrides"),
    [("two-four", ()), ("hawaiian-gardens", ("surrender=null",)), ("pagat-extras", ())],
)
@pytest.mark.parametrize("dead", [(), DEAD], ids=["no-dead", "dead"])
def test_units_agree_with_dealing_opponents(
    name: str, overrides: tuple[str, ...], dead: tuple[int, ...]
) -> None:
    """Opponents dealt from the unseen cards, without fields, weights and control variates."""
    analyst = open_small(name, LARGE, *overrides)
    answer = analyst.analyze(ALICE, dead=dead, opponents=1, top=1, compare=[BEST, WORSE])
    count = pick_size(1_200, 60)
    field = set_opponents(deal_unseen(find_unseen(ALICE, dead), count, 99), analyst.ruleset)
    rules = to_dict(analyst.ruleset)
    for figures in answer.compared:
        units = np.empty(count)
        for i, (deal, code) in enumerate(zip(field.deals.cards, field.codes, strict=True)):
            if code == DECLARE:
                units[i] = -int(field.deals.spec.units[field.deals.places[i]])
            else:
                villain = read_split(deal, int(code)).rows
                units[i] = naive.pair_units(figures.arrangement.rows, villain, rules)
        error = np.hypot(units.std() / np.sqrt(count), figures.se)
        assert abs(units.mean() - figures.ev) < 4 * error


def test_three_opponents_pay_three_times_as_much() -> None:
    analyst = open_small("pagat-extras", LARGE)
    one, three = (analyst.analyze(ALICE, opponents=n, top=5) for n in (1, 3))
    for single, triple in zip(one.arrangements, three.arrangements, strict=True):
        assert triple.arrangement == single.arrangement
        for name in ("ev", "se", "loss", "loss_se", "royalties"):
            assert getattr(triple, name) == pytest.approx(3 * getattr(single, name), rel=1e-12)
        for name in ("win", "tie", "scoop", "scooped"):
            assert getattr(triple, name) == getattr(single, name)
    assert three.choices[0].ev == pytest.approx(3 * one.choices[0].ev, rel=1e-12)


# --- errors --------------------------------------------------------------------------------------


def find_chance(aces: int, kings: int, known: tuple[int, ...]) -> float:
    """Return the chance that an opponent holds so many aces and kings, exactly."""
    unseen = find_unseen(known)
    left = [sum(card // 4 == rank for card in unseen) for rank in (12, 11)]
    others = len(unseen) - sum(left)
    ways = comb(left[0], aces) * comb(left[1], kings) * comb(others, 13 - aces - kings)
    return ways / comb(len(unseen), 13)


def pay_for_aces(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return what deals pay in a toy game: 3 for one ace and no king, less 1 for two of each."""
    aces, kings = ((cards >> 2 == rank).sum(axis=1) for rank in (12, 11))
    paid: NDArray[np.int64] = 3 * ((aces == 1) & (kings == 0)) - 1 * ((aces == 2) & (kings == 2))
    return paid


@pytest.mark.parametrize("count", [pick_size(600, 300), pick_size(6_000, 700)])
def test_intervals_hold_the_truth_as_often_as_they_say(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without control variates, of which the larger fields have enough opponents, and with them."""
    monkeypatch.setattr("cp_cli.equity.judges.LESSONS", pick_size(50, 5))
    runs = pick_size(200, 30)
    truth = 3 * find_chance(1, 0, ALICE) - find_chance(2, 2, ALICE)
    cards = deal_random(71, 0, runs * count)
    ruleset = load_ruleset("basic")
    zeros = np.zeros(count, dtype=np.int32)
    scores = np.empty(runs)
    for run in range(runs):
        deals = describe_deals(cards[run * count : (run + 1) * count], ruleset)
        opponents = build_field(deals, zeros, build_game(ruleset)).condition(mask_cards(ALICE))
        units = pay_for_aces(deals.cards[opponents.deals])
        means, errors = make_judges(opponents, ALICE).estimate_units(units[None])
        scores[run] = (means[0] - truth) / errors[0]
    slack = 4 / np.sqrt(runs)  # standard errors of the mean of the scores
    low, high = (0.90, 0.99) if COMPILED else (0.80, 1.0)
    assert low <= np.mean(np.abs(scores) < 1.96) <= high
    assert abs(scores.mean()) < slack
    assert abs(scores.std() - 1) < slack / np.sqrt(2)


def test_control_variates_take_out_what_they_explain() -> None:
    """The number of kings is one of them, so nothing is left of its error."""
    opponents = open_small("two-four", LARGE).judging.condition(mask_cards(ALICE))
    kings = (opponents.field.deals.cards[opponents.deals] >> 2 == 11).sum(axis=1)
    judges = make_judges(opponents, ALICE)
    means, errors = judges.estimate_units(kings[None])
    expected = 13 * 3 / 39
    if COMPILED:
        assert means[0] == pytest.approx(expected, abs=1e-4)
        assert errors[0] < 1e-3
        assert kings.std() / np.sqrt(len(kings)) > 10 * errors[0]


@pytest.mark.parametrize("name", ["two-four", "pagat-extras", "taiwanese"])
def test_control_variates_correct_within_the_error_and_lower_it(name: str) -> None:
    analyst = open_small(name, LARGE)
    others = [tuple(int(card) for card in deal) for deal in deal_random(77, 0, pick_size(3, 1))]
    for cards in (ALICE, *others):
        opponents = analyst.judging.condition(mask_cards(cards))
        judges = make_judges(opponents, cards)
        for rank in (0, 50):
            found = judges.measure(set_hero(cards, analyst, rank))
            means, errors = judges.estimate(found)
            plain = float(np.sqrt((found.off.astype(float) ** 2).sum()))
            assert abs(means[0] - found.means[0]) < 4 * plain
            assert errors[0] < 1.02 * plain
            assert (means[0] != found.means[0]) == COMPILED
            if COMPILED:
                assert errors[0] < 0.99 * plain


def test_a_flat_payment_has_no_error() -> None:
    opponents = open_small("two-four", LARGE).judging.condition(mask_cards(ALICE))
    judges = make_judges(opponents, ALICE)
    means, errors = judges.estimate_units(np.full((1, len(opponents.deals)), 7))
    assert means[0] == pytest.approx(7, abs=1e-5)
    assert errors[0] < 1e-5


@pytest.mark.parametrize("opponents", [1, 3])
def test_a_wanted_error_is_reached(opponents: int) -> None:
    analyst = open_small("two-four")
    rough = analyst.analyze(ALICE, opponents=opponents, top=1)
    wanted = rough.arrangements[0].se / 3
    fine = analyst.analyze(ALICE, opponents=opponents, top=1, target_se=wanted)
    assert fine.samples > 3 * rough.samples
    assert fine.arrangements[0].se < 1.1 * wanted
    assert fine.arrangements[0].arrangement == rough.arrangements[0].arrangement
    easy = analyst.analyze(ALICE, opponents=opponents, top=1, target_se=100)
    assert easy.samples == rough.samples


def test_wanted_samples_are_dealt_from_the_unseen_cards() -> None:
    asked: list[NDArray[np.uint8]] = []
    small = open_small("two-four")

    def more(cards: NDArray[np.uint8]) -> Opponents:
        asked.append(cards)
        assert small.more is not None
        return small.more(cards)

    analyst = Analyst(small.ruleset, small.choosing, small.judging, more)
    before = analyst.analyze(ALICE, dead=DEAD, top=1).samples
    assert not asked
    answer = analyst.analyze(ALICE, dead=DEAD, top=1, samples=before + 100, seed=5)
    assert answer.samples == before + 100
    assert [len(cards) for cards in asked] == [100]
    assert not set(asked[0].ravel().tolist()) & {*ALICE, *DEAD}
    analyst.analyze(ALICE, dead=DEAD, top=1, samples=before + 100, seed=6)
    assert not np.array_equal(asked[0], asked[1])
    assert analyst.analyze(ALICE, dead=DEAD, top=1, samples=before - 1).samples == before


# --- the ranking ---------------------------------------------------------------------------------


def test_ranks_and_losses() -> None:
    answer = open_small("two-four", LARGE).analyze(ALICE, top=40)
    shown = answer.arrangements
    assert [figures.rank for figures in shown] == list(range(1, 41))
    assert (shown[0].loss, shown[0].loss_se) == (0, 0)
    for figures in shown[1:]:
        assert figures.loss == pytest.approx(shown[0].ev - figures.ev, abs=2e-3)
        assert figures.loss >= -4 * figures.loss_se
        # On the same opponents: less than if each had been dealt its own.
        assert figures.loss_se < np.hypot(shown[0].se, figures.se)
    sums = answer.splits.sums[answer.splits.order]
    assert all(one >= two for one, two in pairwise(sums[:40].tolist()))


def test_ranking_fewer_splits_in_full_changes_nothing_at_the_top() -> None:
    analyst = open_small("two-four", LARGE)
    players = analyst.choosing.condition(mask_cards(ALICE)).players
    assert players.shape[1] > SCREEN or not COMPILED
    game = analyst.choosing.game
    full = rank_splits(ALICE, players, game)
    assert np.array_equal(np.sort(full.order), np.arange(len(full.codes)))
    # What the players pay, one split after the other, without a screen.
    best = full.heroes[full.order[:20]]
    means = make_judges(analyst.choosing.condition(mask_cards(ALICE)), ALICE).measure(best).means
    assert full.sums[full.order[:20]] == pytest.approx(means * players[WEIGHT].sum(), rel=1e-4)
    quick = rank_splits(ALICE, players, game, 320)
    assert quick.codes[quick.order[:10]].tolist() == full.codes[full.order[:10]].tolist()
    assert len(quick.legal) == len(full.legal)
    assert np.array_equal(np.sort(quick.order), np.arange(len(quick.codes)))
    only = rank_splits(ALICE, players, game, 32, best_only=True)
    assert only.heroes[only.order[0]].tolist() == full.heroes[full.order[0]].tolist()
    assert only.undominated == full.undominated


@pytest.mark.parametrize("name", ["two-four", "pagat-extras"])
def test_every_legal_split_is_found_and_no_other(name: str) -> None:
    analyst = open_small(name)
    players = analyst.choosing.condition(mask_cards(QUADS)).players
    splits = rank_splits(QUADS, players, analyst.choosing.game)
    legal = {Arrangement(*rows) for rows in naive.legal_splits(QUADS, {})}
    assert len(legal) == len(splits.legal)
    some = [Arrangement(*rows) for rows in list(naive.rows.all_splits(QUADS))[::101]]
    assert any(split in legal for split in some)
    assert any(split not in legal for split in some)
    for split in some:
        group = splits.find_group(split)
        assert (group is not None) == (split in legal)
    for group in (0, len(splits.codes) - 1):
        for split in splits.list_members(group):
            assert splits.find_group(split) == group


def test_top_all_lists_every_legal_split_once() -> None:
    answer = open_small("two-four").analyze(QUADS, top=None)
    legal = {Arrangement(*rows) for rows in naive.legal_splits(QUADS, {})}
    shown = answer.arrangements
    assert len(shown) == len(legal)
    assert {figures.arrangement for figures in shown} == legal
    ranks = [figures.rank for figures in shown]
    assert ranks == sorted(ranks)
    assert set(ranks) == set(range(1, len(answer.splits.order) + 1))
    for rank in (1, 2, ranks[-1]):
        alike = [figures for figures in shown if figures.rank == rank]
        assert len(alike) == alike[0].equal
        assert len({replace(figures, arrangement=BEST) for figures in alike}) == 1


def test_diverse_splits_differ_in_plan() -> None:
    analyst = open_small("two-four")
    shown = analyst.analyze(ALICE, top=8, diverse=True).arrangements
    plans = [name_plan(figures.arrangement) for figures in shown]
    assert len(set(plans)) == 8
    assert shown[0].rank == 1
    full = analyst.analyze(ALICE, top=shown[-1].rank).arrangements
    seen: set[Any] = set()
    for figures in full:  # what was passed over has the plan of a better one
        plan = name_plan(figures.arrangement)
        assert (plan not in seen) == (figures.rank in [each.rank for each in shown])
        seen.add(plan)
    opponents = analyst.choosing.condition(mask_cards(QUADS))
    splits = rank_splits(QUADS, opponents.players, analyst.choosing.game)
    every = pick_diverse(splits, 10_000)
    assert len(every) < 10_000
    assert every[0] == 0


def test_given_splits_are_priced() -> None:
    analyst = open_small("two-four")
    answer = analyst.analyze(ALICE, top=3, compare=[WORSE, BEST])
    assert [figures.arrangement for figures in answer.compared] == [WORSE, BEST]
    by_split = {figures.arrangement: figures for figures in answer.arrangements}
    worse, best = answer.compared
    assert best == by_split.get(BEST, best)
    assert worse.rank > best.rank
    assert worse.loss > best.loss
    with pytest.raises(ArrangementError, match="foul"):
        analyst.analyze(ALICE, compare=[Arrangement(BEST.front, BEST.back, BEST.middle)])


def test_dead_cards_change_the_answer() -> None:
    """Two dead queens leave fewer pairs that beat jacks."""
    analyst = open_small("two-four", LARGE)
    dead = parse_cards("Qc Qd Kc Kd Ad Ah")
    plain, known = (
        analyst.analyze(ALICE, dead=cards, top=1, compare=[BEST]).compared[0]
        for cards in ((), dead)
    )
    assert known.ev > plain.ev + (2 * plain.se if COMPILED else -9)
    assert known.win[0] > plain.win[0] - (0 if COMPILED else 1)


# --- play, declare or surrender ------------------------------------------------------------------


def list_actions(answer: Analysis) -> dict[str, tuple[float, float]]:
    return {choice.action: (choice.ev, choice.se) for choice in answer.choices}


@pytest.mark.parametrize("opponents", [1, 2, 3])
def test_a_dragon_is_declared(opponents: int) -> None:
    analyst = open_small("pagat-standard")
    answer = analyst.analyze(DRAGON, opponents=opponents, top=1)
    assert [choice.action for choice in answer.choices] == ["declare", "play"]
    assert answer.naturals[0] == (Natural.DRAGON, 13)
    # Everybody pays 13 but for another dragon, one in a million deals.
    assert answer.choices[0].ev == pytest.approx(13 * opponents, abs=1e-3)
    assert answer.choices[1].ev == pytest.approx(answer.arrangements[0].ev, rel=1e-6)
    assert answer.choices[1].ev < 3 * opponents


def test_a_dragon_ties_with_dragons() -> None:
    """Half of the opponents hold one."""
    analyst = open_small("pagat-standard", SMALL)
    count = 20
    others = [card for card in range(52) if card not in DRAGON]
    dragons = np.array(
        [sort_deal([others[3 * r + (r + i) % 3] for r in range(13)]) for i in range(3)]
    )
    assert all(len({card // 4 for card in deal}) == 13 for deal in dragons.tolist())
    cards = deal_unseen(others, count, 1)
    cards[: len(dragons)] = dragons
    opponents = fit_all(set_opponents(cards, analyst.ruleset))
    assert len(opponents.special) >= 3
    deal = describe_deals(sort_deal(DRAGON)[None], analyst.ruleset)
    judges = Judges([opponents], others, int(deal.places[0]), int(deal.ties[0]))
    means, _ = judges.estimate_flat("declare", 13)
    rules = to_dict(analyst.ruleset)["naturals"]
    expected = 0.0
    for i in range(count):
        theirs = naive.best_natural(tuple(int(c) for c in cards[i]), rules, "low")
        expected += 0 if theirs and theirs.name == "dragon" else 13
    assert means[0] == pytest.approx(expected / count, rel=1e-5)


def test_a_deal_without_a_natural_can_only_be_played() -> None:
    answer = open_small("pagat-standard").analyze(ALICE)
    assert answer.naturals == ()
    (choice,) = answer.choices
    assert choice.action == "play"
    assert choice.ev == pytest.approx(answer.arrangements[0].ev, rel=1e-6)
    assert choice.se == pytest.approx(answer.arrangements[0].se, rel=1e-6)


@pytest.mark.parametrize("cards", [ALICE, DRAGON], ids=["alice", "dragon"])
def test_surrender_is_a_choice_where_it_is_played(cards: tuple[int, ...]) -> None:
    analyst = open_small("hawaiian-gardens")
    answer = analyst.analyze(cards, opponents=3)
    actions = list_actions(answer)
    assert set(actions) == {"play", "surrender"} | ({"declare"} if cards is DRAGON else set())
    assert next(iter(actions)) == ("declare" if cards is DRAGON else "play")
    evs = [ev for ev, _ in actions.values()]
    assert evs == sorted(evs, reverse=True)
    # 3 to each of three, and a natural is paid all the same.
    opponents = analyst.judging.condition(mask_cards(cards))
    paid = 3 * float(opponents.players[WEIGHT].sum())
    for i, weight in zip(opponents.special, opponents.special_weights, strict=True):
        paid += float(weight) * int(
            analyst.judging.deals.spec.units[analyst.judging.deals.places[i]]
        )
    weight = float(opponents.players[WEIGHT].sum()) + float(opponents.special_weights.sum())
    assert actions["surrender"][0] == pytest.approx(-3 * paid / weight, rel=1e-5)


def test_a_deal_without_a_legal_split_is_an_error() -> None:
    """No five of these are a ten-low."""
    analyst = open_small("two-four", SMALL, "order={middle: low27, middle_max: 10}")
    with pytest.raises(CpokerError, match="legal"):
        analyst.analyze(parse_cards("Kc Kd Kh Ks Qc Qd Qh Qs Jc Jd Jh Js Ac"))


# --- the same answer every time ------------------------------------------------------------------

TINY = Plan(
    choosing=pick_size(768, 16), judging=pick_size(768, 12), sample=pick_size(300, 8),
    warm_rounds=2, rounds=2, blocks=2, keep=4, crowd=pick_size(128, 8),
)  # fmt: skip


def test_the_number_of_jobs_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "CACHE_DIR", tmp_path)
    monkeypatch.setattr(files, "QUICK", dict.fromkeys(range(3), TINY))
    ruleset = load_ruleset("basic", ["overall={units: 5}"])
    answers = []
    for jobs in (1, 2):
        monkeypatch.setenv("CPOKER_CACHE_DIR", str(tmp_path / str(jobs)))
        analyst = open_analyst(ruleset, jobs=jobs)
        wanted = pick_size(1500, 40)
        answers += [analyst.analyze(ALICE, top=5, samples=wanted, seed=seed) for seed in (4, 4, 5)]
    one, again, other, two = answers[:4]
    assert one.samples >= pick_size(1500, 40)
    assert one.arrangements == again.arrangements == two.arrangements
    assert one.choices == again.choices == two.choices
    assert one.arrangements != other.arrangements


def test_the_order_of_the_cards_changes_nothing() -> None:
    analyst = open_small("two-four")
    assert (
        analyst.analyze(ALICE, top=5).arrangements
        == analyst.analyze(ALICE[::-1], top=5).arrangements
    )
