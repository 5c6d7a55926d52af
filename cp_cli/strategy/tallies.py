"""What is counted while two players meet."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.table_rules import DECLARED, FOULED, PLAYS, STATE, SURRENDERED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Hands = NDArray[np.int64]
    Counts = NDArray[np.int64]


def count_none(size: int) -> "Counts":
    """Return so many counts of nothing."""
    return np.zeros(size, dtype=np.int64)


@dataclass
class Tally:
    """What is counted in a match, always as the first player sees it.

    Attributes:
        totals, sizes: the units of each cluster of hands that are not independent, and how many
            deals it stands for.
        duplicates, pairs, against_fresh: deals played in each of the three ways.
        games: pairs of hands that were settled.
        won, tied, lost: int64 (3,), rows.
        scoops, scooped: all three rows won, or lost.
        hands, alike: hands that both set, and those that they set alike.
        fouls, declared, surrendered: int64 (2,), of the games each player has played.

    """

    totals: "list[NDArray[np.float64]]" = field(default_factory=list)
    sizes: "list[NDArray[np.float64]]" = field(default_factory=list)
    duplicates: int = 0
    pairs: int = 0
    against_fresh: int = 0
    games: int = 0
    won: "Counts" = field(default_factory=lambda: count_none(3))
    tied: "Counts" = field(default_factory=lambda: count_none(3))
    lost: "Counts" = field(default_factory=lambda: count_none(3))
    scoops: int = 0
    scooped: int = 0
    hands: int = 0
    alike: int = 0
    fouls: "Counts" = field(default_factory=lambda: count_none(2))
    declared: "Counts" = field(default_factory=lambda: count_none(2))
    surrendered: "Counts" = field(default_factory=lambda: count_none(2))

    @property
    def deals(self) -> int:
        """The deals played so far."""
        return self.duplicates + self.pairs + self.against_fresh

    def estimate(self) -> tuple[float, float]:
        """Return the units a deal and their standard error, infinite for a single cluster."""
        totals, sizes = np.concatenate(self.totals), np.concatenate(self.sizes)
        ev = totals.sum() / sizes.sum()
        count = len(totals)
        if count < 2:
            return float(ev), float("inf")
        spread = np.square(totals - sizes * ev).sum() * count / (count - 1)
        return float(ev), float(np.sqrt(spread) / sizes.sum())

    def copy(self) -> "Tally":
        """Return the tally as it is now; counting on changes no array that it holds."""
        return replace(self, totals=list(self.totals), sizes=list(self.sizes))

    def swap(self) -> "Tally":
        """Return the tally as the other player sees it."""
        return replace(
            self,
            totals=[-totals for totals in self.totals],
            sizes=list(self.sizes),
            won=self.lost,
            lost=self.won,
            scoops=self.scooped,
            scooped=self.scoops,
            fouls=self.fouls[::-1],
            declared=self.declared[::-1],
            surrendered=self.surrendered[::-1],
        )

    def count_games(self, mine: "Hands", theirs: "Hands", ties: int) -> None:
        """Count the rows of games (n, HAND); `ties` is 1 where the first wins equal rows."""
        self.games += len(mine)
        self.fouls = self.fouls + _count_state(FOULED, mine, theirs)
        self.declared = self.declared + _count_state(DECLARED, mine, theirs)
        self.surrendered = self.surrendered + _count_state(SURRENDERED, mine, theirs)
        outcome = compare_rows(mine, theirs, ties)
        self.won = self.won + np.count_nonzero(outcome > 0, axis=0)
        self.tied = self.tied + np.count_nonzero(outcome == 0, axis=0)
        self.lost = self.lost + np.count_nonzero(outcome < 0, axis=0)
        self.scoops += int(np.count_nonzero((outcome > 0).all(axis=1)))
        self.scooped += int(np.count_nonzero((outcome < 0).all(axis=1)))


def _count_state(state: int, mine: "Hands", theirs: "Hands") -> "Counts":
    return np.array([np.count_nonzero(hands[:, STATE] == state) for hands in (mine, theirs)])


def compare_rows(mine: "Hands", theirs: "Hands", ties: int) -> "NDArray[np.int64]":
    """Return 1, 0 or -1 for each row of the games in which both hands are shown: (k, 3)."""
    shown = np.isin(mine[:, STATE], (PLAYS, FOULED)) & np.isin(theirs[:, STATE], (PLAYS, FOULED))
    mine, theirs = mine[shown], theirs[shown]
    outcome: Counts = np.sign(mine[:, :3] - theirs[:, :3])
    outcome[outcome == 0] = ties
    lost, won = mine[:, STATE] == FOULED, theirs[:, STATE] == FOULED
    outcome[lost | won] = (won.astype(np.int64) - lost)[lost | won, None]
    return outcome
