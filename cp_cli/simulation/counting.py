"""From settled tables to tallies: who won which rows, scooped whom, and got what."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cp_cli._kernels.table_rules import DECLARED, FOULED, PLAYS, STATE, SURRENDERED
from cp_cli.simulation.payer import Payer
from cp_cli.simulation.plan import Counted, Place, Plan
from cp_cli.simulation.tallies import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Amounts = NDArray[np.int64]

FEWEST_SCOOPED = 2
"""How many opponents a home run needs."""


class Deals(NamedTuple):
    """Deals that were played together.

    Attributes:
        first: number of the first, from 0.
        packs: int64 (d,), the pack of each, in rising order.
        times: int64 (d,), how often each counts.

    """

    first: int
    packs: "Amounts"
    times: "Amounts"


@dataclass(frozen=True)
class Game:
    """The settled tables of one game, hands (d, n, HAND)."""

    hands: "Amounts"
    shares: "Amounts"
    bare: "Amounts | None"
    banker_wins: int  # the hand that wins equal rows, -1 for none
    meets: "NDArray[np.bool_]"  # (n, n): do two hands settle?
    crowded: "NDArray[np.bool_]"  # (n,): does a hand meet several players?

    @cached_property
    def units(self) -> "Amounts":
        """What each hand gets, int64 (d, n)."""
        total: Amounts = self.shares.sum(axis=2)
        return total

    @cached_property
    def shown(self) -> "NDArray[np.bool_]":
        """Do two hands compare rows? (d, n, n)."""
        state = self.hands[..., STATE]
        open_hand = (state == PLAYS) | (state == FOULED)
        both: NDArray[np.bool_] = open_hand[:, :, None] & open_hand[:, None] & self.meets
        return both

    @cached_property
    def sides(self) -> "NDArray[np.int8]":
        """Who wins each row of each two hands: 1 the first, -1 the second; (d, n, n, 3)."""
        fouled = self.hands[..., STATE] == FOULED
        rows = np.where(fouled[..., None], -1, self.hands[..., :3])
        sides: NDArray[np.int8] = np.sign(rows[:, :, None] - rows[:, None]).astype(np.int8)
        if self.banker_wins >= 0:
            bank = self.banker_wins
            level = (sides == 0) & ~fouled[:, :, None, None] & ~fouled[:, None, :, None]
            sides[:, bank] += level[:, bank]
            sides[:, :, bank] -= level[:, :, bank]
        return sides

    @cached_property
    def scoops(self) -> "NDArray[np.bool_]":
        """Does the first hand win all three rows of the second? (d, n, n)."""
        swept: NDArray[np.bool_] = (self.sides > 0).all(axis=3) & self.shown
        return swept

    @cached_property
    def home_runs(self) -> "NDArray[np.bool_]":
        """Does a hand scoop all that it meets? (d, n)."""
        everybody: NDArray[np.bool_] = (self.scoops | ~self.meets).all(axis=2) & self.crowded
        return everybody


class Scorer:
    """Settles the hands of a plan's deals and counts them for each entry."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.payer = Payer(plan)
        owners, banker = np.array(plan.owners), plan.banker
        meets = owners[:, None] != owners
        if banker >= 0:
            seats = np.arange(plan.hands)
            meets &= (seats == banker) | (seats[:, None] == banker)
        self.meets = meets
        players = [len(set(owners[met].tolist())) for met in meets]
        self.crowded = np.array(players) >= FEWEST_SCOOPED
        self.banker_wins = banker if plan.ruleset.bank.wins_ties else -1
        royalties, surcharge = plan.ruleset.royalties, plan.ruleset.middle_extra
        self.has_royalties = royalties is not None or surcharge > 0

    def settle(self, hands: "Amounts", deals: Deals) -> Game:
        """Settle the tables of one game."""
        shares = self.payer.share(hands, deals.first)
        bare = self.payer.share_bare(hands, deals.first) if self.has_royalties else None
        return Game(hands, shares, bare, self.banker_wins, self.meets, self.crowded)

    def count(self, games: list[Game], deals: Deals) -> list[Tally]:
        """Return what the entries of the plan got in these deals."""
        tallies = []
        first = None
        for counted in self.plan.counted:
            tally = Tally(reasons=[0] * len(self.payer.reasons))
            totals, sizes = self._count_units(counted, games, deals, tally)
            if self.plan.hero:
                first = totals if first is None else first
                tally.ahead.add(totals - first, sizes)
            for place in counted.places:
                _count_place(games[place.game], place, deals.times, tally)
            tallies.append(tally)
        return tallies

    def _count_units(
        self, counted: Counted, games: list[Game], deals: Deals, tally: Tally
    ) -> "tuple[Amounts, Amounts]":
        """Count the units of an entry; return its totals and sizes by cluster."""
        units = np.stack(
            [games[game].units[:, hands].sum(axis=1) for game, hands in counted.places], axis=1
        )
        places = len(counted.places)
        tally.seats += int(deals.times.sum()) * places
        tally.count_units(units.ravel(), np.repeat(deals.times, places))
        starts = np.flatnonzero(np.diff(deals.packs, prepend=-1))
        totals = np.add.reduceat(units.sum(axis=1) * deals.times, starts)
        sizes = np.add.reduceat(deals.times * places, starts)
        tally.units.add(totals, sizes)
        return totals, sizes


def _count_place(game: Game, place: Place, times: "Amounts", tally: Tally) -> None:
    """Count what became of a player's hands in one game."""
    states = game.hands[..., STATE]
    for hand in place.hands:
        tally.hands += int(times.sum())
        tally.declared += int(times @ (states[:, hand] == DECLARED))
        tally.fouled += int(times @ (states[:, hand] == FOULED))
        tally.surrendered += int(times @ (states[:, hand] == SURRENDERED))
        for reason, amount in enumerate((times @ game.shares[:, hand]).tolist()):
            tally.reasons[reason] += amount
        if game.bare is not None:
            tally.royalties += int(times @ (game.units[:, hand] - game.bare[:, hand]))
        met = np.flatnonzero(game.meets[hand])
        tally.games += int(times.sum()) * len(met)
        tally.scoops += int(times @ game.scoops[:, hand, met].sum(axis=1))
        tally.scooped += int(times @ game.scoops[:, met, hand].sum(axis=1))
        sides, shown = game.sides[:, hand, met], game.shown[:, hand, met, None]
        for k, side in enumerate((1, 0, -1)):
            counts = times @ ((sides == side) & shown).sum(axis=1)
            for row in range(3):
                tally.outcomes[3 * k + row] += int(counts[row])
    # A player's hands are at home together.
    hands = list(place.hands)
    met = np.flatnonzero(game.meets[hands].any(axis=0))
    tally.home += int(times @ game.home_runs[:, hands].all(axis=1))
    tally.away += int(times @ game.home_runs[:, met].any(axis=1))
