"""Whole tables of opponents: who sits there, what they bring, and how sure that is."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.answers import set_at_random
from cp_cli._kernels.settling import find_home_runs, value_home_runs
from cp_cli._kernels.table_rules import HAND, STATE
from cp_cli._kernels.whole import PAIRWISE
from cp_cli.arrangement import Arrangement
from cp_cli.candidates import find_code, rank_splits, read_split, sort_deal
from cp_cli.cards import parse_cards
from cp_cli.equity.company import Company, Sizes
from cp_cli.equity.referee import Referee
from cp_cli.field import DECLARE, SURRENDER, deal_random
from cp_cli.ruleset import Ruleset, load_ruleset, to_dict
from cp_cli.settlement.game import build_game
from tests.sizes import COMPILED, pick_size
from tests.wild_tables import (
    WildSeat,
    add_third,
    build_wild_field,
    deal_others,
    list_pairs,
    list_seats,
    name_rows,
    open_host,
    win_at_table,
)

ALICE = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")
STRONG = parse_cards("Ac Ad Ah Kc Kd Kh Ks Qc Qd 4h 4s 2c 3d")
EVERYTHING = Sizes(tables=1 << 20, pairs=1 << 20, fewest=0)
SPLITS = pick_size(4, 2)

RULES: dict[str, tuple[str, list[str]]] = {
    "home run": ("hawaiian-gardens", []),
    "doubled twice": ("taiwanese", ["surrender=2", "all_sweep.units=5", "sweep.tie_counts=true"]),
    "home run of two": ("pagat-extras", ["all_sweep={units: 4, times: 3, opponents: 2}"]),
    "sole winner": ("sole-winner", ["ante=2"]),
    "row pots": ("ante", ["ante=6"]),
    "race": ("first-to-11", []),
    "race without the fourth": ("first-to-11", ["race.fourth_point=false"]),
    "low middle": ("ante", ["order={middle: low27, middle_max: 10}"]),
    "bank": ("malay", ["all_sweep={units: 4, times: 2, opponents: 2}", "surrender=1"]),
    "bank without ties": ("malay", ["all_sweep.units=4", "bank.wins_ties=false"]),
}


def open_referee(ruleset: Ruleset, others: int) -> Referee:
    bank = ruleset.mode == "bank"
    game = build_game(ruleset, others, "bank" if bank else "player")
    return Referee(ruleset, game, open_host(ruleset), bank=bank)


def pick_splits(cards: tuple[int, ...], ruleset: Ruleset) -> NDArray[np.int32]:
    """Return the codes of some legal splits, good and bad ones."""
    field = build_wild_field(deal_others(cards, 7, 3), ruleset)
    splits = rank_splits(cards, field.arranged, field.game)
    return splits.codes[splits.order[:: max(1, len(splits.order) // SPLITS)][:SPLITS]]


def seat_by_hand(
    cards: tuple[int, ...], ruleset: Ruleset, others: int, seed: int = 1
) -> list[tuple[WildSeat, ...]]:
    """Return some tables: two of a field, and whoever holds the rest."""
    field = build_wild_field(deal_others(cards, seed, pick_size(4, 2)), ruleset)
    known = set(cards)
    tables = list_pairs(list(list_seats(field, known, ruleset)))
    if others == 3:
        tables = [(*pair, add_third(pair, known, ruleset)) for pair in tables]
    return tables


def describe_tables(
    tables: list[tuple[WildSeat, ...]], referee: Referee, ruleset: Ruleset
) -> NDArray[np.int64]:
    """Return the hands of tables, int64 (d, others, HAND), from the cards that lie there."""
    hands = np.empty((len(tables), len(tables[0]), HAND), dtype=np.int64)
    for table, seats in zip(hands, tables, strict=True):
        for hand, seat in zip(table, seats, strict=True):
            cards = sort_deal(seat.cards)[None]
            hand[:] = referee.host.describe(cards, np.array([find_play(seat)], dtype=np.int32))
    return hands


def find_play(seat: WildSeat) -> int:
    """Return the code of what an opponent does, a foul as the rows that he shows."""
    if "natural" in seat.player:
        return DECLARE
    if "surrender" in seat.player:
        return SURRENDER
    rows = Arrangement(*(seat.player[name] for name in ("front", "middle", "back")))
    return find_code(sort_deal(seat.cards), rows)


def seat_complete(hands: NDArray[np.int64], referee: Referee) -> Company:
    """Return a company of tables whose hands are all known."""
    count = len(hands)
    nodes = np.arange(2 * count).reshape(count, 2)
    thirds = np.zeros(count, dtype=np.uint64)
    return Company(hands, nodes, thirds, np.full(count, True), referee.host)


# --- who sits at the tables ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hawaiian-gardens", "sole-winner"])
@pytest.mark.parametrize("others", [1, 2, 3])
def test_all_that_fit_sit_down_once(name: str, others: int) -> None:
    """Every two relabelled deals of the field that share no card, and whoever holds the rest."""
    ruleset = load_ruleset(name)
    field = build_wild_field(deal_others(ALICE, 3, pick_size(3, 2)), ruleset)
    referee = open_referee(ruleset, 3)
    company = referee.host.seat(field, ALICE, others, 9, EVERYTHING)
    hands = company.call_thirds(np.arange(len(company)))
    seats = list(list_seats(field, set(ALICE), ruleset))
    tables: list[tuple[WildSeat, ...]] = [(seat,) for seat in seats]
    if others > 1:
        tables = list_pairs(seats)
    assert len(hands) == len(tables) > pick_size(8, 2)
    nodes = [tuple(sorted(seat.deal for seat in table)) for table in tables]
    assert Counter(nodes) == Counter(tuple(sorted(each)) for each in company.nodes.tolist())
    if others == 3:
        tables = [(*pair, add_third(pair, set(ALICE), ruleset)) for pair in tables]
    expected = describe_tables(tables, referee, ruleset)
    # A field that fouls shows no rows, by hand it shows some; nothing else may differ.
    for part in (hands, expected):
        part[part[..., STATE] == 1, :3] = 0
    first, second = (Counter(map(freeze_table, part.tolist())) for part in (hands, expected))
    assert first == second


def freeze_table(hands: list[list[int]]) -> tuple[Any, ...]:
    """Return hands in one order, whichever of the first two sits first."""
    return (*sorted(map(tuple, hands[:2])), *map(tuple, hands[2:]))


def test_tables_of_the_field_come_first_and_others_are_dealt() -> None:
    """Ten cards are dead, so hardly two of a field are left that fit."""
    ruleset = load_ruleset("sole-winner")
    field = build_wild_field(deal_random(3, 0, pick_size(4_000, 100)), ruleset)
    dead = [card for card in range(52) if card not in ALICE][::3][:10]
    referee = open_referee(ruleset, 2)
    known = (*ALICE, *dead)
    fewest = pick_size(300, 12)
    found = referee.host.seat(field, known, 2, 4, EVERYTHING)
    company = referee.host.seat(field, known, 2, 4, Sizes(tables=1, pairs=1 << 20, fewest=fewest))
    assert len(company) == fewest > len(found)
    np.testing.assert_array_equal(company.hands[: len(found)], found.hands)
    assert (company.nodes[: len(found)] >= 0).all()
    dealt = company.nodes[len(found) :]
    assert len(np.unique(dealt)) == dealt.size
    assert (dealt < 0).all()


@pytest.mark.parametrize("others", [1, 2])
def test_the_last_cards_are_dealt_to_the_last_opponents(others: int) -> None:
    """With no card left over, every table holds all cards that nobody knows."""
    ruleset = load_ruleset("ante")
    field = build_wild_field(deal_random(3, 0, 50), ruleset)
    dead = [card for card in range(52) if card not in ALICE][: 39 - 13 * others]
    held: list[NDArray[np.uint8]] = []
    referee = open_referee(ruleset, others)
    play = referee.host.set_spot

    def set_spot(deals: Any) -> Any:
        held.append(deals.cards)
        return play(deals)

    host = replace(referee.host, set_spot=set_spot)
    company = host.seat(field, (*ALICE, *dead), others, 4, Sizes(1, 1, fewest=40))
    assert len(company) == (1 if others == 1 else 40)
    for table in held[0].reshape(-1, 13 * others):
        assert sorted([*table.tolist(), *ALICE, *dead]) == list(range(52))


# --- what tables bring ---------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("others", [2, 3])
def test_tables_bring_what_the_rules_say(rules: str, others: int) -> None:
    """For good and bad splits of the hero, at every table of some, as the oracle settles it."""
    ruleset = load_ruleset(*RULES[rules])
    plain = to_dict(ruleset)
    referee = open_referee(ruleset, others)
    cards = ALICE if ruleset.mode != "pairs" else STRONG
    codes = pick_splits(cards, ruleset)
    tables = seat_by_hand(cards, ruleset, others)[: pick_size(24, 4)]
    hands = describe_tables(tables, referee, ruleset)
    deal = sort_deal(cards)
    heroes = referee.host.describe(np.repeat(deal[None], len(codes), axis=0), codes)
    in_pairs = plain["mode"] in ("pairs", "bank")
    if in_pairs:
        units = settle_all_sweeps(heroes, hands, referee)
    else:
        weights, constant = referee.weigh_parts(others)
        units = referee.tell_parts(heroes, hands) @ weights + constant
    for i, code in enumerate(codes.tolist()):
        hero = name_rows(read_split(deal, code).rows)
        for j, seats in enumerate(tables):
            expected = win_at_table(hero, seats, plain, bank=referee.bank)
            if in_pairs:  # only what is beyond the pairs
                without = {**plain, "all_sweep": None}
                expected -= win_at_table(hero, seats, without, bank=referee.bank)
            assert units[i, j] == pytest.approx(expected, abs=1e-9)
    enough = not ruleset.all_sweep or others >= ruleset.all_sweep.opponents
    assert units.any() == enough or not COMPILED


def settle_all_sweeps(
    heroes: NDArray[np.int64], hands: NDArray[np.int64], referee: Referee
) -> NDArray[np.float64]:
    """Return what sweeps of everybody bring, everybody asked."""
    units = np.empty((len(heroes), len(hands)))
    banker = 0 if referee.bank else -1
    value_home_runs(heroes, hands, hands.shape[1], banker, referee.terms, units)
    return units


@pytest.mark.parametrize("rules", ["home run", "doubled twice", "bank"])
def test_a_third_is_asked_for_where_he_matters(rules: str) -> None:
    """Two of three are asked whether they sweep all, and count for all three."""
    ruleset = load_ruleset(*RULES[rules])
    referee = open_referee(ruleset, 3)
    codes = pick_splits(STRONG, ruleset)
    tables = seat_by_hand(STRONG, ruleset, 3)[: pick_size(60, 4)]
    hands = describe_tables(tables, referee, ruleset)
    heroes = referee.host.describe(np.repeat(sort_deal(STRONG)[None], len(codes), axis=0), codes)
    # At every table the three sit in every order: then two of them tell all.
    turned = np.concatenate([hands[:, order] for order in permutations(range(3))])
    company = seat_complete(turned, referee)
    found = referee.settle_sweeps(heroes, company)
    everybody = settle_all_sweeps(heroes, turned, referee)
    np.testing.assert_allclose(found.mean(axis=1), everybody.mean(axis=1), atol=1e-9)
    assert np.count_nonzero(everybody) or not COMPILED
    if not referee.bank:
        needed = np.zeros(len(company), dtype=np.bool_)
        find_home_runs(heroes, np.ascontiguousarray(turned[:, :2]), -1, referee.terms, needed)
        assert 0 < needed.sum() < len(needed) or not COMPILED
        assert not found[:, ~needed].any()


def test_nobody_sweeps_everybody_where_there_are_too_few() -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    referee = open_referee(ruleset, 2)
    assert build_game(ruleset, 2).whole.kind == PAIRWISE
    tables = seat_by_hand(STRONG, ruleset, 2)[: pick_size(24, 4)]
    codes = pick_splits(STRONG, ruleset)
    heroes = referee.host.describe(np.repeat(sort_deal(STRONG)[None], len(codes), axis=0), codes)
    assert not settle_all_sweeps(heroes, describe_tables(tables, referee, ruleset), referee).any()


@pytest.mark.parametrize("rules", ["home run", "sole winner", "row pots", "race"])
@pytest.mark.parametrize("others", [2, 3])
def test_all_seats_of_a_table_together_win_nothing(rules: str, others: int) -> None:
    ruleset = load_ruleset(*RULES[rules])
    referee = open_referee(ruleset, others)
    code = pick_splits(ALICE, ruleset)[:1]
    rng = np.random.default_rng(4)
    unseen = np.array([card for card in range(52) if card not in ALICE], dtype=np.uint8)
    packs = np.stack([rng.permutation(unseen) for _ in range(pick_size(40, 4))])
    deals = np.sort(packs.reshape(-1, 13), axis=1)[:, ::-1].copy()
    codes = np.empty(len(deals), dtype=np.int32)
    set_at_random(deals, referee.game, 3, codes)
    hands = referee.host.describe(deals, codes).reshape(-1, 3, HAND)[:, :others]
    hero = np.repeat(referee.host.describe(sort_deal(ALICE)[None], code), len(hands), axis=0)
    table = np.concatenate([hero[:, None], hands], axis=1)
    total = np.zeros(len(table))
    for seat in range(others + 1):
        for t, one in enumerate(np.roll(table, -seat, axis=1)):
            if rules == "home run":
                total[t] += settle_all_sweeps(one[:1], one[None, 1:], referee)[0, 0]
            else:
                weights, constant = referee.weigh_parts(others)
                total[t] += (referee.tell_parts(one[:1], one[None, 1:]) @ weights)[0, 0] + constant
    np.testing.assert_allclose(total, 0, atol=1e-9)
