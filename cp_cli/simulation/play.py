"""Playing deals out: the cards are dealt, every hand is set by its strategy, the table settled."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cp_cli._kernels.players import deal_packs
from cp_cli._kernels.settling import describe_hands
from cp_cli._kernels.table_rules import HAND
from cp_cli.candidates import find_code, sort_deal
from cp_cli.settlement.arrays import build_hand_terms
from cp_cli.simulation.counting import Deals, Scorer
from cp_cli.simulation.plan import Plan, Way
from cp_cli.simulation.setters import Setters
from cp_cli.simulation.tallies import Tally
from cp_cli.strategy.named import UNSEEN_SEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cards = NDArray[np.uint8]
    Codes = NDArray[np.int32]
    Amounts = NDArray[np.int64]

MOST_SEEDS = 1 << 62  # larger ones begin again
Sink = Callable[["Played"], None]


class Played(NamedTuple):
    """Deals that were played, in order.

    Attributes:
        first: number of the first, from 0.
        packs: int64 (d,), the pack that each deal is from.
        cards: uint8 (d, n, 13), the hands, highest card first.
        codes: for each hand, int32 (d, ways): how each way sets it.
        units: int64 (d, games, n), what each hand gets in each game, in parts of a unit.

    """

    first: int
    packs: "Amounts"
    cards: "Cards"
    codes: "tuple[Codes, ...]"
    units: "Amounts"


class Batch(NamedTuple):
    """What became of deals that were played together: a tally for each entry of the plan.

    `cut` tells that the batch is a single pack of which not all deals were wanted.
    """

    played: Played
    tallies: list[Tally]
    packs: int
    deals: int
    cut: bool = False


class Setting(NamedTuple):
    """A hand of every pack of a batch as one way sets it: codes (p,) and hands (p, HAND)."""

    codes: "Codes"
    hands: "Amounts"


def deal_hands(plan: Plan, seed: int, first: int, packs: int) -> "Cards":
    """Return the hands of packs number `first` and on: uint8 (packs, hands of a pack, 13)."""
    held = np.zeros(plan.hands_of_pack, dtype=np.uint64)
    counts = np.zeros(plan.hands_of_pack, dtype=np.int64)
    for slot, known in enumerate(plan.known):
        held[slot], counts[slot] = _list_bits(known), len(known)
    cards = np.empty((packs, plan.hands_of_pack, 13), dtype=np.uint8)
    dead = np.uint64(_list_bits(plan.request.dead))
    deal_packs(UNSEEN_SEED + seed % MOST_SEEDS, first, held, counts, dead, cards)
    return cards


def deal_one(plan: Plan, seed: int, deal: int) -> "Cards":
    """Return the hands of deal number `deal`, from 0: uint8 (n, 13)."""
    pack, table = divmod(deal, len(plan.tables))
    hands: Cards = deal_hands(plan, seed, pack, 1)[0, list(plan.tables[table])]
    return hands


class Dealer:
    """Deals and plays the packs of a plan."""

    def __init__(self, plan: Plan, setters: Setters, seed: int) -> None:
        self.plan = plan
        self.setters = setters
        self.seed = seed
        self.scorer = Scorer(plan)
        self.terms = build_hand_terms(plan.ruleset)
        self.fixed = {
            (slot, way): self._fix(cards, way)
            for slot, cards in enumerate(plan.known)
            if len(cards) == 13
            for way in plan.ways[slot]
        }

    def play(self, first: int, count: int) -> Batch:
        """Play `count` deals of packs number `first` and on."""
        plan = self.plan
        each = len(plan.tables)
        packs = -(-count // each)
        cards = deal_hands(plan, self.seed, first, packs)
        settings = self._set_all(cards)
        deals = Deals(
            first=first * each,
            packs=np.repeat(np.arange(first, first + packs), each)[:count],
            times=np.ones(count, dtype=np.int64),
        )
        games = [
            self.scorer.settle(self._seat(settings, game)[:count], deals) for game in plan.games
        ]
        played = Played(
            first=deals.first,
            packs=deals.packs,
            cards=cards[:, np.array(plan.tables)].reshape(-1, plan.hands, 13)[:count],
            codes=tuple(self._list_codes(settings, hand, count) for hand in range(plan.hands)),
            units=np.stack([game.units for game in games], axis=1),
        )
        tallies = self.scorer.count(games, deals)
        return Batch(played, tallies, packs, count, cut=count < packs * each)

    def _seat(self, settings: dict[tuple[int, Way], Setting], game: tuple[int, ...]) -> "Amounts":
        """Return the tables of a game: hands int64 (d, n, HAND), those of a pack together."""
        plan = self.plan
        ways = [each[number] for each, number in zip(plan.ways, game, strict=True)]
        tables = [
            np.stack([settings[slot, way].hands for slot, way in zip(table, ways, strict=True)], 1)
            for table in plan.tables
        ]
        return np.stack(tables, axis=1).reshape(-1, plan.hands, HAND)

    def _set_all(self, cards: "Cards") -> dict[tuple[int, Way], Setting]:
        """Set every hand of every pack in all ways that some table needs."""
        plan, packs = self.plan, len(cards)
        wanted: dict[Way, list[int]] = {}
        settings = {}
        for table in plan.tables:
            for slot, ways in zip(table, plan.ways, strict=True):
                for way in ways:
                    fixed = self.fixed.get((slot, way))
                    if fixed is not None:
                        settings[slot, way] = Setting(
                            np.broadcast_to(fixed.codes, packs),
                            np.broadcast_to(fixed.hands, (packs, HAND)),
                        )
                    elif slot not in wanted.setdefault(way, []):
                        wanted[way].append(slot)
        for way, slots in wanted.items():
            if not slots:
                continue
            held = np.ascontiguousarray(cards[:, slots].reshape(-1, 13))
            codes = self.setters.set_cards(way, held)
            hands = self._describe(held, codes).reshape(packs, -1, HAND)
            for place, slot in enumerate(slots):
                settings[slot, way] = Setting(codes.reshape(packs, -1)[:, place], hands[:, place])
        return settings

    def _fix(self, cards: tuple[int, ...], way: Way) -> Setting:
        """Return how a way sets thirteen known cards."""
        held = sort_deal(cards)
        if way.split is not None:
            codes = np.array([find_code(held, way.split)], dtype=np.int32)
        else:
            codes = self.setters.set_known(way, held[None])
        return Setting(codes, self._describe(held[None], codes))

    def _describe(self, cards: "Cards", codes: "Codes") -> "Amounts":
        hands = np.empty((len(cards), HAND), dtype=np.int64)
        describe_hands(cards, codes, self.terms, hands)
        return hands

    def _list_codes(
        self, settings: dict[tuple[int, Way], Setting], hand: int, count: int
    ) -> "Codes":
        """Return how each way sets a hand of every deal, int32 (d, ways)."""
        plan = self.plan
        columns = [
            np.stack([settings[table[hand], way].codes for table in plan.tables], axis=1).ravel()
            for way in plan.ways[hand]
        ]
        codes: Codes = np.stack(columns, axis=1)[:count]
        return codes


def _list_bits(cards: tuple[int, ...]) -> int:
    """Return a mask with the bit of each card."""
    return sum(1 << card for card in cards)
