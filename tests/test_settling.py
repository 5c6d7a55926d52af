"""The compiled settlement of many tables pays what the settlement of one table does."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.answers import set_at_random
from cp_cli._kernels.opponents import DECLARE, FOUL, SURRENDER
from cp_cli._kernels.settling import find_sole_winners, score_races, settle_pots_of_deals
from cp_cli._kernels.splits import SPLITS
from cp_cli._kernels.table_rules import FOULED, STATE
from cp_cli.arrangement import Arrangement
from cp_cli.candidates import read_split
from cp_cli.evaluator import best_natural, explain_foul
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement import BEST, Seat, Settler, Table
from cp_cli.settlement.arrays import TableSettler
from cp_cli.settlement.game import build_game
from tests.rule_strategies import deal_strong
from tests.sizes import pick_size

TABLES = pick_size(200, 12)
NAMES = "ABCD"

Cards = NDArray[np.uint8]
Codes = NDArray[np.int32]


def deal_tables(seed: int, count: int, seats: int) -> Cards:
    """Deal tables from one pack each; in every second one the first hand is a strong one."""
    rng = np.random.default_rng(seed)
    tables = np.empty((count, seats, 13), dtype=np.uint8)
    for number, table in enumerate(tables):
        hand = deal_strong(rng, 1)[0] if number % 2 else rng.permutation(52)[:13]
        rest = np.setdiff1d(np.arange(52), hand)
        pack = np.concatenate([hand, rng.permutation(rest)])[: 13 * seats]
        table[:] = np.sort(pack.reshape(seats, 13), axis=1)[:, ::-1]
    return tables


def set_tables(seed: int, cards: Cards, ruleset: Ruleset) -> Codes:
    """Set hands at random; some foul, some surrender, and some declare a natural."""
    rng = np.random.default_rng(seed)
    deals = cards.reshape(-1, 13)
    codes = np.empty(len(deals), dtype=np.int32)
    set_at_random(deals, build_game(ruleset), seed, codes)
    for i, deal in enumerate(deals.tolist()):
        chance = rng.random()
        if chance < 0.1:
            codes[i] = rng.integers(SPLITS)  # as likely as not a foul
        elif chance < 0.2 and ruleset.surrender is not None:
            codes[i] = SURRENDER
        elif chance < 0.7 and best_natural(deal, ruleset):
            codes[i] = DECLARE
    return codes.reshape(cards.shape[:2])


def seat_hand(name: str, deal: NDArray[np.uint8], code: int, chips: int) -> Seat:
    """Return a seat as the library takes it."""
    kept = None if chips < 0 else chips
    if code == DECLARE:
        return Seat(name, cards=tuple(deal.tolist()), natural=BEST, chips=kept)
    split = read_split(deal, code if code < SPLITS else 0)
    return Seat(name, split, surrendered=code == SURRENDER, chips=kept)


def settle_one(
    cards: Cards, codes: Sequence[int], settler: Settler, chips: Sequence[int], **table: Any
) -> NDArray[np.int64]:
    """Return what the second seat pays the first, (seats, seats)."""
    hands = zip(NAMES, cards, codes, chips, strict=False)
    done = settler.settle(Table(tuple(seat_hand(*hand) for hand in hands), **table))
    paid = np.zeros((len(cards), len(cards)), dtype=np.int64)
    for pair in done.pairs:
        a, b = NAMES.index(pair.a.name), NAMES.index(pair.b.name)
        paid[a, b], paid[b, a] = pair.units, -pair.units
    return paid


RULES: dict[str, tuple[str, list[str]]] = {
    "plain": ("two-four", []),
    "home run": ("hawaiian-gardens", ["aces=[0, 1, 2, 6, 8]"]),
    "doubled": ("taiwanese", ["surrender=2"]),
    "win or lose": ("pagat-extras", ["overall.units=1", "overall.when=net", "foul.pays=rows"]),
    "difference": ("malay", ["mode=pairs", "royalties.cancel=true"]),
    "one royalty": ("pagat-standard", ["royalties.max_per_hand=1", "middle_extra=2"]),
    "two royalties": ("open-face", ["royalties.max_per_hand=2", "foul.royalties=false"]),
    "outcome": ("open-face-2013", ["foul.pays=9", "sweep.times=3", "sweep.tie_counts=true"]),
    "low middle": ("wikipedia-one-six", ["order.middle=low27", "order.middle_max=10"]),
    "strict": ("vietnamese", ["order.equal_rows=foul", "order.wheel=second"]),
    "rows only": ("singapore", ["sweep.times=2", "sweep.units=1", "sweep.scope=rows"]),
}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_tables_in_arrays_settle_as_one_by_one(rules: str, seats: int) -> None:
    ruleset = load_ruleset(*RULES[rules])
    cards = deal_tables(seats, TABLES, seats)
    codes = set_tables(seats, cards, ruleset)
    arrays = TableSettler(ruleset, seats)
    settler = Settler(ruleset)
    paid = arrays.settle(arrays.describe(cards, codes))
    for deal, code, units in zip(cards, codes.tolist(), paid, strict=True):
        np.testing.assert_array_equal(units, settle_one(deal, code, settler, [-1] * seats))
    assert np.count_nonzero(paid) > TABLES / 2


def test_bank_stakes_chips_and_dealer_count() -> None:
    ruleset = load_ruleset("malay", ["stakes.cap=chips"])
    cards = deal_tables(5, TABLES, 4)
    codes = set_tables(5, cards, ruleset)
    stakes = np.ones((4, 4), dtype=np.int64)
    stakes[1, 2] = stakes[2, 1] = 7
    stakes[0, 2] = stakes[2, 0] = 3
    chips = np.array([9, 4, -1, 2], dtype=np.int64)
    dealers = np.arange(TABLES, dtype=np.int64) % 4
    arrays = TableSettler(ruleset, 4, banker=2)
    paid = arrays.settle(arrays.describe(cards, codes), dealers, stakes, chips)
    agreed = {frozenset("BC"): 7, frozenset("AC"): 3}
    settler = Settler(ruleset)
    for i, deal in enumerate(cards):
        alone = settle_one(
            *(deal, codes[i].tolist(), settler, chips.tolist()),
            stakes=agreed, banker="C", dealer=NAMES[i % 4],
        )  # fmt: skip
        np.testing.assert_array_equal(paid[i], alone)
    assert np.abs(paid[:, 0]).sum(axis=1).max() == 9
    assert not paid[:, 0, 1].any()  # two players do not settle where there is a bank


def test_two_hands_of_one_owner_do_not_settle() -> None:
    ruleset = load_ruleset("two-four")
    cards = deal_tables(6, TABLES, 4)
    codes = set_tables(6, cards, ruleset)
    crossed = TableSettler(ruleset, 4, owners=(0, 1, 0, 1))
    hands = crossed.describe(cards, codes)
    paid = crossed.settle(hands)
    everybody = TableSettler(ruleset, 4).settle(hands)
    assert not paid[:, 0, 2].any()
    assert not paid[:, 1, 3].any()
    assert everybody[:, 0, 2].any()
    np.testing.assert_array_equal(paid[:, [0, 0, 2, 2], [1, 3, 1, 3]],
                                  everybody[:, [0, 0, 2, 2], [1, 3, 1, 3]])  # fmt: skip


def test_a_code_says_what_became_of_a_hand() -> None:
    ruleset = load_ruleset("hawaiian-gardens")
    cards = deal_tables(7, 3, 3)
    codes = np.full((3, 3), FOUL, dtype=np.int32)
    codes[:, 0] = SURRENDER
    set_at_random(cards[:, 2].copy(), build_game(ruleset), 1, legal := np.empty(3, np.int32))
    codes[:, 2] = legal
    arrays = TableSettler(ruleset, 3)
    paid = arrays.settle(arrays.describe(cards, codes))
    assert (paid[:, 0, 1] == 0).all()  # one who surrenders and a foul
    assert (paid[:, 2, 0] == 3).all()
    assert (paid[:, 2, 1] >= 6).all()


@pytest.mark.parametrize("order", [[], ["order.equal_rows=foul"], ["order.middle=low27"]])
def test_an_illegal_split_is_a_foul(order: list[str]) -> None:
    ruleset = load_ruleset("basic", order)
    cards = deal_tables(8, TABLES, 2)
    codes = np.random.default_rng(3).integers(0, SPLITS, (TABLES, 2)).astype(np.int32)
    arrays = TableSettler(ruleset, 2)
    hands = arrays.describe(cards, codes)
    fouled = [
        explain_foul(read_split(deal, int(code)), ruleset.order) is not None
        for deal, code in zip(cards.reshape(-1, 13), codes.ravel(), strict=True)
    ]
    np.testing.assert_array_equal(hands[..., STATE].ravel() == FOULED, fouled)
    assert 0 < sum(fouled) < len(fouled)


def read_arrangement(deal: NDArray[np.uint8], code: int) -> Arrangement:
    return read_split(deal, code)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pots_races_and_sole_winners_in_arrays(seats: int) -> None:
    pots, race, sole = map(load_ruleset, ("ante", "first-to-11", "sole-winner"))
    cards = deal_tables(9, TABLES, seats)
    codes = set_tables(9, cards, pots)
    hands = TableSettler(pots, seats).describe(cards, codes)
    units = np.empty((TABLES, seats))
    settle_pots_of_deals(hands, pots.ante, units)
    points = np.empty((TABLES, seats), dtype=np.int64)
    score_races(hands, race.race.fourth_point, points)
    winners = np.empty(TABLES, dtype=np.int64)
    find_sole_winners(hands, winners)
    settlers = {ruleset.id: Settler(ruleset) for ruleset in (pots, race, sole)}
    for i in range(TABLES):
        rows = [
            Seat(name, read_arrangement(deal, code))
            for name, deal, code in zip(NAMES, cards[i], codes[i].tolist(), strict=False)
        ]
        table = Table(tuple(rows))
        shares = [float(player.units) for player in settlers[pots.id].settle(table).players]
        assert shares == pytest.approx(units[i])
        won = [player.points for player in settlers[race.id].settle(table).players]
        assert won == points[i].tolist()
        winner = settlers[sole.id].settle(table).winner
        assert winners[i] == (-1 if winner is None else NAMES.index(winner))
    assert (winners >= 0).any()
    assert (winners < 0).any()
