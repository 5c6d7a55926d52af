"""Deals that are played out: the cards are dealt fairly, and every table is settled in full."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.opponents import DECLARE, FOUL, SURRENDER
from cp_cli.arrangement import Arrangement, parse_arrangement
from cp_cli.candidates import read_split
from cp_cli.cards import parse_cards
from cp_cli.ruleset import load_ruleset
from cp_cli.settlement import Seat, Settler, Table
from cp_cli.settlement.game import build_game
from cp_cli.simulation import Plan, Played, Simulator, State, Stop
from cp_cli.simulation.plan import Way
from cp_cli.strategy import set_deals
from tests.played_tables import (
    CARDS,
    HERO,
    OTHER,
    collect,
    list_units,
    plan_rules,
    play,
    seat_played,
    settle_played,
)
from tests.sizes import pick_size
from tests.small_fields import build_small_field

DEALS = pick_size(60, 6)

RULES: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "three opponents": ("two-four", [], {}),
    "home runs, naturals": ("hawaiian-gardens", ["aces=[0, 1, 2, 6, 8]"], {}),
    "chips": ("hawaiian-gardens", [], {"chips": 4}),
    "doubled, raked": ("taiwanese", ["rake=1", "stakes.default=3"], {}),
    "instead": ("pagat-standard", ["middle_extra=1"], {"opponents": 2}),
    "outcome": ("open-face-2013", [], {}),
    "low middle": ("wikipedia-one-six", ["order.middle=low27"], {"opponents": 1}),
    "bank": ("malay", [], {}),
    "bank and one": ("malay", ["rake=2"], {"opponents": 1}),
    "one pot": ("sole-winner", [], {}),
    "three pots": ("ante", [], {}),
    "race": ("first-to-11", [], {}),
    "race of three": ("first-to-11", [], {"opponents": 2}),
    "two hands each": ("criss-cross", [], {}),
}


def check_settled(plan: Plan, seed: int) -> None:
    """Compare what every hand got with what the settlement of one table gives."""
    played = collect(plan, DEALS, seed=seed)
    settler = Settler(plan.ruleset)
    players = sorted(set(plan.owners))
    for deal in range(len(played.packs)):
        for game in range(len(plan.games)):
            done = settle_played(plan, played, deal, game, settler)
            units = played.units[deal, game]
            mine = [
                Fraction(int(sum(units[np.array(plan.owners) == player])), plan.scale)
                for player in players
            ]
            assert mine == list_units(plan, done)
    assert np.count_nonzero(played.units) > 0


@pytest.mark.parametrize("rules", RULES)
def test_players_in_all_seats_get_what_one_table_pays(rules: str) -> None:
    name, settings, wishes = RULES[rules]
    check_settled(plan_rules(load_ruleset(name, settings), **wishes), seed=3)


@pytest.mark.parametrize("rules", [rules for rules in RULES if rules != "two hands each"])
def test_a_hero_gets_what_one_table_pays(rules: str) -> None:
    name, settings, wishes = RULES[rules]
    ruleset = load_ruleset(name, settings)
    wishes = wishes | {"subjects": (HERO, CARDS, OTHER)}
    if ruleset.mode == "bank":
        wishes |= {"role": "bank"}
    check_settled(plan_rules(ruleset, **wishes), seed=4)


def test_a_player_meets_the_bank_alone() -> None:
    plan = plan_rules(load_ruleset("malay"), 1, subjects=(HERO,))
    assert plan.hands == 2
    assert plan.banker == 1
    check_settled(plan, seed=5)


def test_a_hero_with_two_hands_meets_both_of_the_other() -> None:
    plan = plan_rules(load_ruleset("criss-cross"), subjects=(HERO,))
    played = collect(plan, DEALS)
    settler = Settler(load_ruleset("criss-cross", ["mode=pairs", "players.max=4"]))
    apart = replace(plan, owners=(0, 1, 2))
    for deal in range(len(played.packs)):
        done = settle_played(apart, played, deal, 0, settler)
        against = [pair.units for pair in done.pairs if pair.a.name == "A"]
        assert played.units[deal, 0, 0] == sum(against)


# --- what is counted -----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["three opponents", "home runs, naturals", "bank", "instead"])
def test_rows_scoops_and_reasons_are_those_of_the_tables(rules: str) -> None:
    name, settings, wishes = RULES[rules]
    ruleset = load_ruleset(name, settings)
    role = "bank" if ruleset.mode == "bank" else "player"
    plan = plan_rules(ruleset, subjects=(HERO,), role=role, **wishes)
    played = collect(plan, DEALS)
    simulator, state = play(plan, DEALS)
    (entry,) = simulator.sum_up(state).entries
    rows: Counter[tuple[int, int]] = Counter()
    reasons: Counter[str] = Counter()
    scoops = scooped = home = 0
    for deal in range(DEALS):
        done = settle_played(plan, played, deal, 0, Settler(ruleset))
        mine = [pair for pair in done.pairs if pair.a.name == "A"]
        for pair in mine:
            rows.update(enumerate(pair.outcomes))
            for item in pair.items:
                reasons[item.reason] += int(item.units)
        scoops += sum(pair.outcomes == (1, 1, 1) for pair in mine)
        scooped += sum(pair.outcomes == (-1, -1, -1) for pair in mine)
        home += all(pair.outcomes == (1, 1, 1) for pair in mine)
    games = DEALS * (plan.hands - 1)
    for row in range(3):
        shares = (entry.win[row], entry.tie[row], entry.lose[row])
        assert shares == tuple(rows[row, side] / games for side in (1, 0, -1))
    assert (entry.scoop, entry.scooped) == (scoops / games, scooped / games)
    assert entry.home_run == home / DEALS
    found = {reason: units / DEALS for reason, units in reasons.items() if units}
    assert dict(entry.reasons) == pytest.approx(found)
    assert sum(dict(entry.reasons).values()) == pytest.approx(entry.units.mean)


def test_hands_are_counted_for_who_set_them(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    plan = plan_rules(ruleset, strategy="random-legal")
    dealer = Simulator(plan).dealer
    kinds = np.array([0, DECLARE, SURRENDER, FOUL])
    drawn = kinds[np.random.default_rng(4).integers(4, size=(2, DEALS * 4))]

    def set_cards(way: Way, cards: NDArray[np.uint8]) -> NDArray[np.int32]:
        codes = drawn[int(way.label == "front-heavy")]
        legal = set_deals("back-first", cards, build_game(ruleset))
        return np.where(codes == 0, legal, codes).astype(np.int32)

    monkeypatch.setattr(dealer.setters, "set_cards", set_cards)
    tallies = dealer.play(0, DEALS).tallies
    for way, tally in enumerate(tallies):
        hands = [hand for game in plan.games for hand in range(4) if game[hand] == way]
        codes = drawn[way].reshape(DEALS, 4)[:, hands]
        told = [int(np.count_nonzero(codes == kind)) for kind in kinds]
        assert [tally.declared, tally.surrendered, tally.fouled] == told[1:]
        assert tally.hands == sum(told)
        assert min(told) > 0


def test_home_runs_are_counted_on_both_sides() -> None:
    plan = plan_rules(load_ruleset("two-four"), 2, strategy="front-heavy", versus=("back-first",))
    deals = pick_size(250, 24)
    played = collect(plan, deals)
    simulator, state = play(plan, deals)
    mine, theirs = simulator.sum_up(state).entries
    settler = Settler(plan.ruleset)
    home = away = 0
    for deal in range(deals):
        for game, ways in enumerate(plan.games):
            done = settle_played(plan, played, deal, game, settler)
            swept: dict[str, int] = Counter()
            for pair in done.pairs:
                swept[pair.a.name] += pair.outcomes == (1, 1, 1)
                swept[pair.b.name] += pair.outcomes == (-1, -1, -1)
            me = "ABC"[ways.index(0)]
            home += swept[me] == 2
            away += any(swept[name] == 2 for name in "ABC" if name != me)
    assert mine.home_run == home / (3 * deals)
    assert mine.home_run_against == away / (3 * deals) > 0
    assert theirs.home_run * 2 == pytest.approx(away / (3 * deals))


def test_royalties_are_what_the_same_deals_pay_less_without_them() -> None:
    ruleset = load_ruleset("taiwanese")
    bare = Settler(load_ruleset("taiwanese", ["royalties=null"]))
    full = parse_arrangement("Qc 9h 2h / 8c 8d 8h Jd Js / Ac Ad Ah Kd Kh")
    plan = plan_rules(ruleset, subjects=(full,), opponents=2)
    played = collect(plan, DEALS)
    simulator, state = play(plan, DEALS)
    (entry,) = simulator.sum_up(state).entries
    without = [
        settle_played(plan, played, deal, 0, bare).find_player("A").units for deal in range(DEALS)
    ]
    assert entry.royalties == pytest.approx(entry.units.mean - sum(without) / DEALS)
    assert entry.royalties > 0


def test_the_distribution_is_that_of_the_deals() -> None:
    plan = plan_rules(load_ruleset("ante"), subjects=(HERO, OTHER))
    played = collect(plan, DEALS)
    simulator, state = play(plan, DEALS)
    for game, entry in enumerate(simulator.sum_up(state).entries):
        units = played.units[:, game, 0] / plan.scale
        values, counts = np.unique(units, return_counts=True)
        assert entry.histogram == tuple(zip(values.tolist(), counts.tolist(), strict=True))
        assert entry.units.mean == pytest.approx(units.mean())
        assert entry.units.se == pytest.approx(units.std(ddof=1) / np.sqrt(DEALS))
        assert entry.sd == pytest.approx(units.std(ddof=1))
        inverted = np.quantile(units, (0.05, 0.5, 0.95), method="inverted_cdf")
        assert entry.quantiles == tuple(inverted)


def test_splits_side_by_side_differ_on_the_same_deals() -> None:
    plan = plan_rules(load_ruleset("two-four"), subjects=(HERO, OTHER))
    played = collect(plan, DEALS)
    simulator, state = play(plan, DEALS)
    first, second = simulator.sum_up(state).entries
    ahead = (played.units[:, 1, 0] - played.units[:, 0, 0]).astype(float)
    assert first.difference is None
    assert second.difference is not None
    assert second.difference.mean == pytest.approx(ahead.mean())
    assert second.difference.se == pytest.approx(ahead.std(ddof=1) / np.sqrt(DEALS))


# --- the cards -----------------------------------------------------------------------------------


def test_known_and_dead_cards_stay_where_they_are() -> None:
    aces, kings = parse_cards("As Ah Ad"), parse_cards("Kd Kh")
    dead = parse_cards("Kc 2d 2s 2c 5s")
    split = parse_arrangement("Js Jd 9h / Qh Qs 8c 3c 2h / Ac Ks 6s 7s 3s")
    plan = plan_rules(
        load_ruleset("two-four"), 2, subjects=(aces,), known=(split, kings), dead=dead
    )
    assert plan.tables == ((0, 1, 2),)
    played = collect(plan, DEALS)
    for deal, hands in enumerate(played.cards.tolist()):
        assert set(aces) <= set(hands[0])
        assert set(split.cards) == set(hands[1])
        assert read_split(played.cards[deal, 1], int(played.codes[1][deal, 0])) == split
        assert set(kings) <= set(hands[2])
        everything = {card for hand in hands for card in hand}
        assert len(everything) == 39
        assert not everything & set(dead)


def test_a_pack_makes_all_the_hands_it_can() -> None:
    ruleset = load_ruleset("two-four")
    hero = {"subjects": (HERO,)}
    assert plan_rules(ruleset, 1, **hero).tables == ((0, 1), (0, 2), (0, 3))
    assert plan_rules(ruleset, 2, **hero).tables == ((0, 1, 2), (0, 1, 3), (0, 2, 3))
    assert plan_rules(ruleset, 3, **hero).tables == ((0, 1, 2, 3),)
    assert plan_rules(ruleset, 1).tables == ((0, 1), (2, 3))
    dead = parse_cards("Ac 2c")
    assert plan_rules(ruleset, 1, dead=dead, **hero).tables == ((0, 1), (0, 2))
    assert plan_rules(ruleset, 2, dead=dead, **hero).tables == ((0, 1, 2),)


def test_every_card_is_dealt_as_often_as_any_other() -> None:
    packs = pick_size(4_000, 60)
    plan = plan_rules(load_ruleset("two-four"), 1, subjects=(HERO,), versus=("random-legal",))
    parts: list[Played] = []
    for _ in Simulator(plan).run(State(), Stop(3 * packs), parts.append):
        pass
    theirs = np.concatenate([part.cards[:, 1] for part in parts]).reshape(packs, 3, 13)
    unseen = np.setdiff1d(np.arange(52), HERO.cards)
    spread = np.sqrt(packs / 3 * 2 / 3)
    for seat in range(3):
        counts = np.bincount(theirs[:, seat].ravel(), minlength=52)
        assert counts[list(HERO.cards)].sum() == 0
        assert np.abs(counts[unseen] - packs / 3).max() < 4.5 * spread
        pairs = np.count_nonzero(np.isin(theirs[:, seat], unseen[:2]).sum(axis=1) == 2)
        chance = 13 * 12 / (39 * 38)
        assert abs(pairs - packs * chance) < 4.5 * np.sqrt(packs * chance)


# --- the run -------------------------------------------------------------------------------------


def test_cores_and_repetition_change_nothing() -> None:
    deals = pick_size(1_500, 30)
    plan = plan_rules(load_ruleset("hawaiian-gardens"), subjects=(HERO, OTHER))
    runs = [play(plan, deals, seed=7, jobs=jobs)[1].total() for jobs in (1, 2, 3, 1)]
    assert runs[0] == runs[1] == runs[2] == runs[3]
    assert runs[0] != play(plan, deals, seed=8)[1].total()


def test_a_run_that_goes_on_ends_as_one_in_a_piece() -> None:
    plan = plan_rules(load_ruleset("two-four"), 1, subjects=(HERO,))
    simulator, state = play(plan, 50)
    assert (state.deals, state.cut_deals, state.packs) == (50, 2, 16)
    whole: list[Played] = []
    for _ in Simulator(plan).run(State(), Stop(50), whole.append):
        pass
    assert [part.first for part in whole] == [0, 48]
    assert np.concatenate([part.packs for part in whole]).tolist() == [
        deal // 3 for deal in range(50)
    ]
    parts: list[Played] = []
    for _ in simulator.run(state, Stop(100), parts.append):
        pass
    assert parts[0].first == 48
    assert state.total() == play(plan, 100)[1].total()
    assert state.deals == 100


def test_a_run_stops_at_the_error_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cp_cli.simulation.run.FEWEST_PACKS", pick_size(1_000, 20))
    aim = pick_size(6, 60) / 100
    plan = plan_rules(load_ruleset("two-four"), 1, subjects=(HERO, OTHER))
    simulator, state = Simulator(plan), State()
    standings = list(simulator.run(state, Stop(None, aim)))
    found = simulator.sum_up(state)
    assert max(entry.units.se for entry in found.entries) <= aim
    assert found.ending == "target_se"
    assert standings[-1].done == 1.0
    before = standings[-2].units.se if len(standings) > 1 else np.inf
    assert before > aim or standings[-2].deals < 3 * pick_size(1_000, 20)


def test_a_run_stops_when_the_time_is_over() -> None:
    plan = plan_rules(load_ruleset("two-four"), 1, subjects=(HERO,))
    simulator, state = Simulator(plan), State()
    standings = list(simulator.run(state, Stop(None, None, 1e-6)))
    assert len(standings) == 1
    assert simulator.sum_up(state).ending == "time"


# --- stored opponents ----------------------------------------------------------------------------


def test_stored_opponents_are_met_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    field = build_small_field(ruleset, 5, "back-first", pick_size(2_048, 96))
    monkeypatch.setattr("cp_cli.simulation.stored.open_stored", lambda dealer: field)
    plan = plan_rules(ruleset, 1, subjects=(HERO, OTHER), stored=True)
    simulator, state = play(plan, 10**6)
    found = simulator.sum_up(state)
    settler = Settler(ruleset)
    totals = [0, 0]
    met = 0
    for cards, code in zip(field.deals.cards.tolist(), field.codes.tolist(), strict=True):
        for suits in permutations(range(4)):
            theirs = [card & ~3 | suits[card & 3] for card in cards]
            if set(theirs) & set(HERO.cards):
                continue
            met += 1
            rows = seat_played("B", cards, code)
            for k, split in enumerate((HERO, OTHER)):
                mine = Seat("A", split)
                totals[k] += _settle_relabelled(settler, mine, rows, suits)
    assert found.ending == "stored"
    assert found.deals == met > pick_size(50, 4)
    for entry, total in zip(found.entries, totals, strict=True):
        assert entry.units.mean == pytest.approx(total / met)
    simulator, state = play(plan, met // 2)
    assert (state.deals, state.ending) == (met // 2, "deals")


def _settle_relabelled(settler: Settler, mine: Seat, theirs: Seat, suits: tuple[int, ...]) -> int:
    """Return what a stored opponent pays whose suits have other names."""

    def rename(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card & ~3 | suits[card & 3] for card in cards)

    split = theirs.arrangement
    renamed = replace(
        theirs,
        cards=rename(theirs.cards),
        arrangement=split and Arrangement(*map(rename, split.rows)),
    )
    return int(settler.settle(Table((mine, renamed))).find_player("A").units)
