"""Matches: every deal in both seats, settled by all rules, and honest about the error."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.players import deal_tables, pair_disjoint
from cp_cli._kernels.splits import SPLITS
from cp_cli._kernels.table_rules import DECLARED, FOULED, HAND, PLAYS, STATE, SURRENDERED
from cp_cli.candidates import find_code, read_split, sort_deal
from cp_cli.cards import parse_cards
from cp_cli.errors import StrategyError
from cp_cli.evaluator import find_naturals
from cp_cli.field import DECLARE, SURRENDER, deal_random, mask_cards
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement import Seat, Table, settle
from cp_cli.settlement.game import BANK, PLAYER, build_game
from cp_cli.settlement.table import BEST
from cp_cli.strategy import matches, named, open_setter
from cp_cli.strategy.matches import Match, play_batches, play_match
from cp_cli.strategy.sources import Player, Splits, open_player
from cp_cli.strategy.tallies import Tally, compare_rows
from tests.sizes import pick_size

Cards = NDArray[np.uint8]
Codes = NDArray[np.int32]
DEALS = pick_size(60, 6)
RULES = load_ruleset("two-four")


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rules learn from fewer deals."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


def open_rule(name: str, ruleset: Ruleset = RULES, seed: int = 0) -> Player:
    """Return the player of a rule of arrangement."""
    return open_player(ruleset, name, seed=seed)


def open_wild(ruleset: Ruleset, seed: int) -> Player:
    """Return one who sets at random, fouls now and then, surrenders, and declares what he can.

    As the bank he sets otherwise than as a player.
    """

    def open_role(seed: int) -> Callable[[Cards], Codes]:
        set_cards = open_setter("random-legal", build_game(ruleset), seed=seed)

        def set_wildly(cards: Cards) -> Codes:
            codes = set_cards(cards)
            for i, deal in enumerate(cards.tolist()):
                number = sum(deal) + seed
                if find_naturals(tuple(deal), ruleset):
                    codes[i] = DECLARE
                elif number % 5 == 0:
                    codes[i] = number * 7919 % SPLITS  # as likely as not a foul
                elif number % 7 == 0 and ruleset.surrender is not None:
                    codes[i] = SURRENDER
            return codes

        return set_wildly

    roles = (PLAYER, BANK) if ruleset.mode == "bank" else (PLAYER,)
    return Player("wild", {role: open_role(seed + i) for i, role in enumerate(roles)})


def hold(player: Player, cards: Cards, name: str = "theirs.csv") -> Player:
    """Return one who knows only how a player sets these deals."""
    codes = player.setters[PLAYER](cards)
    masks = (mask_cards(deal) for deal in cards.tolist())
    splits = Splits(dict(zip(masks, codes.tolist(), strict=True)))
    return Player(name, dict.fromkeys((PLAYER, BANK), splits.set_cards), splits)


def deal_pairs(count: int, seed: int = 0) -> Cards:
    """Return what a match of this seed deals: (count, 2, 13)."""
    cards = np.empty((count, 2, 13), dtype=np.uint8)
    deal_tables(named.UNSEEN_SEED + seed, 0, np.zeros(count, dtype=np.uint64), cards)
    return cards


# --- tables --------------------------------------------------------------------------------------


def test_tables_are_dealt_from_one_pack() -> None:
    taken = np.array([0, 0b111, (1 << 52) - (1 << 39)], dtype=np.uint64)
    count = pick_size(2000, 30)
    cards = np.empty((3 * count, 3, 13), dtype=np.uint8)
    deal_tables(4, 10, np.tile(taken, count), cards)
    assert cards.max() < 52
    assert (np.diff(cards.astype(int), axis=2) < 0).all()
    for i, table in enumerate(cards[: pick_size(600, 30)]):
        dealt = set(table.ravel().tolist())
        assert len(dealt) == 39
        assert not any(int(taken[i % 3]) >> card & 1 for card in dealt)
    free = cards[::3, 2].ravel()
    shares = np.bincount(free, minlength=52) / count
    assert np.abs(shares - 0.25).max() < 4.5 * math.sqrt(0.25 * 0.75 / count)


def test_a_table_is_the_same_wherever_the_dealing_starts() -> None:
    cards, later, other = (np.empty((4, 2, 13), dtype=np.uint8) for _ in range(3))
    none = np.zeros(4, dtype=np.uint64)
    deal_tables(9, 0, none, cards)
    deal_tables(9, 2, none, later)
    deal_tables(8, 0, none, other)
    assert np.array_equal(cards[2:], later[:2])
    assert not np.array_equal(cards, other)


def test_deals_are_paired_with_the_next_free_one_that_shares_no_card() -> None:
    masks = np.array([0b1100, 0b0110, 0b0011, 0b0001, 0b1000, 0b1111], dtype=np.uint64)
    partners = np.empty(6, dtype=np.int64)
    pair_disjoint(masks, partners)
    assert partners.tolist() == [2, 3, 0, 1, -1, -1]


# --- units ---------------------------------------------------------------------------------------

# As far as it makes a difference who sits where, or what a hand may do.
SETTLED: dict[str, tuple[str, list[str]]] = {
    "plain": ("two-four", []),
    "everything": ("hawaiian-gardens", ["aces=[0, 1, 2, 6, 8]", "royalties.max_per_hand=2"]),
    "doubled": ("taiwanese", ["surrender=2"]),
    "bank": ("malay", ["surrender=2"]),
    "pots": ("ante", []),
    "alone": ("sole-winner", []),
    "race": ("first-to-11", []),
    "low middle": ("wikipedia-one-six", ["order.middle=low27"]),
}


def seat(name: str, deal: NDArray[np.uint8], code: int) -> Seat:
    """Return a seat as the settlement of one table takes it."""
    if code == DECLARE:
        return Seat(name, cards=tuple(deal.tolist()), natural=BEST)
    split = read_split(deal, code if code < SPLITS else 0)
    return Seat(name, split, surrendered=code == SURRENDER)


def settle_one(ruleset: Ruleset, cards: Cards, codes: tuple[int, int]) -> float:
    """Return what the first of two seats wins; the bank, if there is one, sits first."""
    seats = tuple(
        seat(name, deal, code) for name, deal, code in zip("AB", cards, codes, strict=True)
    )
    banker = "A" if ruleset.mode == "bank" else None
    done = settle(Table(seats, banker=banker), ruleset)
    if ruleset.mode == "race":
        points = {player.name: player.points or 0 for player in done.players}
        return float(points["A"] - points["B"])
    return float(next(player.units for player in done.players if player.name == "A"))


@pytest.mark.parametrize("rules", SETTLED)
def test_a_match_is_settled_as_its_tables_one_by_one(rules: str) -> None:
    ruleset = load_ruleset(*SETTLED[rules])
    first: Any = BANK if ruleset.mode == "bank" else PLAYER
    a, b = open_wild(ruleset, 1), open_wild(ruleset, 4)
    cards = deal_pairs(DEALS, 3)
    totals = []
    for deal in cards:
        won = 0.0
        for mine, sign in ((0, 1), (1, -1)):
            codes = tuple(
                int((a if place == mine else b).setters[role](deal[place : place + 1])[0])
                for place, role in enumerate((first, PLAYER))
            )
            won += sign * settle_one(ruleset, deal, (codes[0], codes[1]))
        totals.append(won)
    match = play_match(ruleset, a, b, deals=DEALS, seed=3)
    assert match.ev == pytest.approx(np.mean(totals) / 2)
    assert match.se == pytest.approx(np.std(totals, ddof=1) / 2 / math.sqrt(DEALS))
    assert match.tally.games == 2 * DEALS
    assert np.count_nonzero(totals) > DEALS / 4


def test_with_two_hands_a_player_a_deal_is_four_games() -> None:
    crossed = load_ruleset("criss-cross")
    alone = load_ruleset("criss-cross", ["mode=pairs"])
    a, b = (open_rule(name, crossed) for name in ("rank-product", "front-heavy"))
    four, one = (play_match(rules, a, b, deals=DEALS) for rules in (crossed, alone))
    assert four.ev == pytest.approx(4 * one.ev)
    assert four.se == pytest.approx(4 * one.se)


# --- what a match does not depend on -------------------------------------------------------------


def list_figures(match: Match) -> list[Any]:
    """Return all that a match found."""
    tally = match.tally
    return [
        match.ev, match.se, tally.games, tally.won.tolist(), tally.tied.tolist(),
        tally.lost.tolist(), tally.scoops, tally.scooped, tally.hands, tally.alike,
        tally.fouls.tolist(), tally.declared.tolist(), tally.surrendered.tolist(),
    ]  # fmt: skip


@pytest.mark.parametrize("rules", ["everything", "bank"])
def test_the_other_player_wins_what_the_first_loses(rules: str) -> None:
    ruleset = load_ruleset(*SETTLED[rules])
    a, b = open_wild(ruleset, 1), open_wild(ruleset, 4)
    ours, theirs = (play_match(ruleset, *pair, deals=DEALS) for pair in ((a, b), (b, a)))
    assert ours.ev == pytest.approx(-theirs.ev)
    assert ours.tally.won.tolist() == theirs.tally.lost.tolist()
    assert ours.tally.fouls.tolist() == theirs.tally.fouls[::-1].tolist()
    swapped = replace(theirs, ev=-theirs.ev, tally=theirs.tally.swap())
    assert list_figures(swapped) == list_figures(ours)


@pytest.mark.parametrize("rules", SETTLED)
def test_nobody_beats_himself(rules: str) -> None:
    ruleset = load_ruleset(*SETTLED[rules])
    a = open_wild(ruleset, 1)
    match = play_match(ruleset, a, a, deals=DEALS)
    assert (match.ev, match.se) == (0, 0)
    assert match.tally.alike == match.tally.hands == 2 * DEALS


def test_parts_and_cores_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = list_figures(
        play_match(RULES, open_rule("rank-product"), open_rule("random-legal"), deals=DEALS)
    )
    monkeypatch.setattr(matches, "BATCH", 7)
    players = [open_player(RULES, name, jobs=3) for name in ("rank-product", "random-legal")]
    found = list_figures(play_match(RULES, players[0], players[1], deals=DEALS))
    assert found[2:] == expected[2:]
    assert found[:2] == pytest.approx(expected[:2])


def test_another_seed_deals_other_cards() -> None:
    a, b = open_rule("rank-product"), open_rule("back-first")
    first, again, other = (play_match(RULES, a, b, deals=DEALS, seed=seed) for seed in (1, 1, 2))
    assert list_figures(first) == list_figures(again)
    assert list_figures(first) != list_figures(other)


# --- how long, and how sure ----------------------------------------------------------------------


def test_a_match_ends_when_it_is_sure_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "BATCH", 10)
    a, b = open_rule("rank-product"), open_rule("back-first")
    stands = list(play_batches(RULES, a, b, deals=5000, target_se=0.25))
    assert len(stands) > 2
    assert [stand.tally.duplicates for stand in stands] == [
        10 * (1 + i) for i in range(len(stands))
    ]
    assert all(stand.se > 0.25 for stand in stands[:-1])
    assert stands[-1].se <= 0.25
    last = play_match(RULES, a, b, deals=25, target_se=1e-9)
    assert last.tally.deals == 25


def test_one_deal_tells_nothing_of_the_error() -> None:
    match = play_match(RULES, open_rule("rank-product"), open_rule("back-first"), deals=1)
    assert match.se == math.inf


def test_the_error_is_that_of_clusters() -> None:
    tally = Tally(
        totals=[np.array([2.0, 0.0]), np.array([-2.0, 4.0])],
        sizes=[np.array([2.0, 2.0]), np.array([2.0, 2.0])],
    )
    # One half a deal; 0.5, -0.5, -1.5 and 1.5 from it: a variance of 5/3 over four clusters.
    assert tally.estimate() == pytest.approx((0.5, math.sqrt(5 / 3 / 4)))
    tally.totals.append(np.array([1.0]))
    tally.sizes.append(np.array([1.0]))
    # Five clusters of nine deals, 5/9 a deal; what each is off: 8/9, -10/9, -28/9, 26/9, 4/9.
    spread = (8**2 + 10**2 + 28**2 + 26**2 + 4**2) / 81
    assert tally.estimate() == pytest.approx((5 / 9, math.sqrt(spread * 5 / 4) / 9))


def test_the_interval_holds_what_many_deals_find() -> None:
    a, b = open_rule("back-first"), open_rule("front-heavy")
    long = play_match(RULES, a, b, deals=pick_size(20_000, 40))
    inside = 0
    for each in range(1, 21):
        low, high = play_match(RULES, a, b, deals=pick_size(200, 6), seed=each).interval
        inside += low <= long.ev <= high
    assert inside >= 15  # 19 of 20 on average; 14 or less once in ten thousand


# --- rows ----------------------------------------------------------------------------------------


def build_hands(*rows: tuple[int, int, int, int]) -> NDArray[np.int64]:
    """Return hands of three strengths and a state."""
    hands = np.zeros((len(rows), HAND), dtype=np.int64)
    for hand, (front, middle, back, state) in zip(hands, rows, strict=True):
        hand[:3] = front, middle, back
        hand[STATE] = state
    return hands


def test_rows_are_compared_where_both_hands_are_shown() -> None:
    mine = build_hands(
        (5, 6, 7, PLAYS), (5, 6, 7, FOULED), (5, 6, 7, PLAYS), (5, 6, 7, SURRENDERED),
        (5, 6, 7, PLAYS), (1, 1, 1, FOULED),
    )  # fmt: skip
    theirs = build_hands(
        (4, 6, 9, PLAYS), (1, 1, 1, PLAYS), (9, 9, 9, FOULED), (1, 1, 1, PLAYS),
        (1, 1, 1, DECLARED), (1, 1, 1, FOULED),
    )  # fmt: skip
    expected = [[1, 0, -1], [-1, -1, -1], [1, 1, 1]]
    assert compare_rows(mine, theirs, 0).tolist() == [*expected, [0, 0, 0]]
    assert compare_rows(mine, theirs, -1).tolist()[0] == [1, -1, -1]
    tally = Tally()
    tally.count_games(mine, theirs, 1)
    assert tally.won.tolist() == [2, 2, 1]
    assert tally.tied.tolist() == [1, 1, 1]
    assert tally.lost.tolist() == [1, 1, 2]
    assert (tally.scoops, tally.scooped, tally.games) == (1, 1, 6)
    assert tally.fouls.tolist() == [2, 2]
    assert tally.declared.tolist() == [0, 1]
    assert tally.surrendered.tolist() == [1, 0]


# --- players who know some deals only ------------------------------------------------------------


def test_a_csv_is_paired_with_itself() -> None:
    cards = deal_pairs(DEALS, 5)
    a, b = open_rule("rank-product"), open_rule("front-heavy")
    both = play_match(RULES, hold(a, cards.reshape(-1, 13)), hold(b, cards.reshape(-1, 13), "b"))
    assert both.tally.pairs >= DEALS * 0.9
    assert both.tally.deals == both.tally.pairs
    assert both.left_out == 2 * (DEALS - both.tally.pairs)
    one = play_match(RULES, hold(a, cards.reshape(-1, 13)), b)
    assert one.tally.pairs == both.tally.pairs
    assert one.tally.against_fresh == both.left_out
    assert one.left_out == 0


def test_a_pair_of_deals_is_played_as_any_other() -> None:
    cards = deal_pairs(1, 6)[0]
    a, b = open_rule("rank-product"), open_rule("random-legal")
    match = play_match(RULES, hold(a, cards), hold(b, cards, "b"))
    expected = play_match(RULES, a, b, deals=1, seed=6)
    assert list_figures(match) == list_figures(expected)


def hold_alone(player: Player, count: int) -> Player:
    """Return one who knows deals that all hold the ace of spades, so that no two can meet."""
    cards = deal_random(91, 0, 8 * count)
    alone = cards[cards[:, 0] == 51]
    assert len(alone) > count
    return hold(player, alone[:count])


@pytest.mark.parametrize("rules", ["plain", "bank"])
def test_random_hands_stand_in_for_a_partner(rules: str) -> None:
    ruleset = load_ruleset(*SETTLED[rules])
    a, b = (open_rule(name, ruleset) for name in ("random-legal", "rank-product"))
    match = play_match(ruleset, hold_alone(a, DEALS), b)
    roles = 2 if rules == "bank" else 1
    assert (match.tally.pairs, match.tally.against_fresh) == (0, DEALS)
    assert match.tally.games == 3 * roles * DEALS
    # Aces of spades help who sets them well; otherwise it is a match like any other.
    expected = play_match(ruleset, a, b, deals=pick_size(2000, 30))
    assert abs(match.ev - expected.ev) < 5 * math.hypot(match.se, expected.se)
    assert match.ev < -1
    other = play_match(ruleset, b, hold_alone(a, DEALS))
    assert other.ev == pytest.approx(-match.ev)
    assert other.tally.lost.tolist() == match.tally.won.tolist()
    assert (match.a, match.b) == (other.b, other.a)


@pytest.mark.parametrize("rules", ["plain", "bank"])
def test_who_sets_as_his_opponent_wins_nothing_from_random_hands(rules: str) -> None:
    ruleset = load_ruleset(*SETTLED[rules])
    b = open_rule("rank-product", ruleset)
    match = play_match(ruleset, hold_alone(b, DEALS), b)
    assert (match.ev, match.se) == (0, 0)
    assert match.tally.alike == match.tally.hands


def test_a_mis_set_split_plays_as_a_foul() -> None:
    cards = deal_pairs(1, 6)[0]
    b = open_rule("rank-product")
    rows = read_split(cards[0], int(b.setters[PLAYER](cards[:1])[0]))
    upside_down = replace(rows, middle=rows.back, back=rows.middle)
    fouled = hold(b, cards)
    assert fouled.splits is not None
    codes = dict(fouled.splits.codes)
    codes[mask_cards(cards[0].tolist())] = find_code(sort_deal(cards[0].tolist()), upside_down)
    splits = Splits(codes)
    a = Player("a.csv", {PLAYER: splits.set_cards}, splits)
    match = play_match(RULES, a, b)
    assert match.tally.fouls.tolist() == [1, 0]
    assert match.tally.scooped >= 1
    won = settle_one(RULES, cards[[1, 0]], tuple(b.setters[PLAYER](cards[[1, 0]]).tolist()))
    assert match.ev == pytest.approx((-4 + won) / 2)  # a foul pays all three rows and the overall


def test_deals_of_two_files_that_cannot_meet() -> None:
    a, b = open_rule("rank-product"), open_rule("back-first")
    alone = hold_alone(a, 5)
    with pytest.raises(StrategyError, match=r"theirs\.csv, b\.csv: no two deals in both files"):
        play_match(RULES, alone, replace(hold_alone(b, 5), name="b.csv"))
    apart = hold(b, deal_random(92, 0, 5), "b.csv")
    with pytest.raises(StrategyError, match="expected deals that can meet, as from one pack"):
        play_match(RULES, alone, apart)


def test_a_csv_may_be_played_in_part() -> None:
    cards = deal_pairs(DEALS, 5).reshape(-1, 13)
    a, b = open_rule("rank-product"), open_rule("front-heavy")
    match = play_match(RULES, hold(a, cards), b, deals=3)
    assert (match.tally.deals, match.tally.pairs) == (3, 3)
    assert match.left_out == len(cards) - 6


ALICE = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")


def test_a_file_of_one_deal() -> None:
    b = open_rule("rank-product")
    one = hold(open_rule("back-first"), sort_deal(ALICE)[None])
    match = play_match(RULES, one, b)
    assert (match.tally.deals, match.se) == (1, math.inf)
