"""A race of two: what the points of a deal are worth at a score, which is the chance to win.

How many points two players at equilibrium win in a deal is counted in the field, against itself;
from there the chance to win the game follows for every score, from the end of the game back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.joint import seat_pairs
from cp_cli._kernels.whole import sum_patterns
from cp_cli.candidates import SCREEN, Splits
from cp_cli.equity.company import JUDGING, Sizes
from cp_cli.equity.outcomes import LOST, WON
from cp_cli.equity.referee import Seated
from cp_cli.field import Field

if TYPE_CHECKING:
    from numpy.typing import NDArray

POINTS = 4
"""Two players win 0 to 3 points in a deal each: rows that are best alone."""
FIRSTS = 8_192
PER_FIRST = 16
SCALE = 1 << 20  # chances as whole numbers, to rank splits by


def count_points(field: Field) -> "NDArray[np.float64]":
    """Return how likely two players of a field win so many points of a deal: float64 (4, 4)."""
    masks = field.deals.masks
    firsts = np.arange(min(FIRSTS, len(masks)), dtype=np.int64)
    pairs = np.empty((len(firsts) * PER_FIRST, 2), dtype=np.int32)
    pairs = pairs[: seat_pairs(masks, len(masks), firsts, PER_FIRST, pairs)]
    one, other = (field.arranged[:3, seat] for seat in pairs.T)
    won, lost = (one > other).sum(axis=0), (one < other).sum(axis=0)
    counts = np.zeros((POINTS, POINTS))
    np.add.at(counts, (won, lost), 1)
    chances: NDArray[np.float64] = (counts + counts.T) / max(1.0, 2 * counts.sum())
    return chances


def value_scores(chances: "NDArray[np.float64]", target: int) -> "NDArray[np.float64]":
    """Return the chance to win a race from every score, own by the other's, (t + 4, t + 4).

    Of two who reach the target together the higher wins; while they are equal they play on.

    >>> chances = np.zeros((4, 4))
    >>> chances[2, 1] = chances[1, 2] = 0.5
    >>> value_scores(chances, 3)[:4, 0].tolist()
    [0.5, 0.75, 1.0, 1.0]
    """
    size = target + POINTS
    own, others = np.indices((size, size))
    values = np.where(own > others, 1.0, np.where(own < others, 0.0, find_lead(chances)))
    go_on = 1.0 - chances[0, 0]
    for total in range(2 * target - 2, -1, -1):
        i = np.arange(max(0, total - target + 1), min(total, target - 1) + 1)
        found = np.zeros(len(i))
        for (a, b), chance in np.ndenumerate(chances):
            if a + b:
                found += chance * values[i + a, total - i + b]
        values[i, total - i] = found / go_on if go_on else 0.5
    return values


def find_lead(chances: "NDArray[np.float64]") -> float:
    """Return the chance to be the first to win a deal by more points than the other."""
    ahead, behind = np.tril(chances, -1).sum(), np.triu(chances, 1).sum()
    return float(ahead / (ahead + behind)) if ahead + behind else 0.5


def value_points(
    chances: "NDArray[np.float64]", target: int, score: tuple[int, int]
) -> "NDArray[np.float64]":
    """Return the chance to win after so many points of a deal, own by the other's: (4, 4)."""
    own, other = score
    if own >= target:  # equal, and playing on
        won, lost = np.indices((POINTS, POINTS))
        return np.where(won > lost, 1.0, np.where(won < lost, 0.0, find_lead(chances)))
    values = value_scores(chances, target)
    return values[own : own + POINTS, other : other + POINTS].copy()


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Prices deals of a race of two by the chance to win it.

    `worth` is float64 (4, 4), the chance after so many points, own by the other's. It depends on
    the other's rows alone, so no tables are needed.
    """

    score: tuple[int, int]
    worth: "NDArray[np.float64]"
    adds = False
    limits = (0.0, 1.0)

    def __len__(self) -> int:
        """Return how many tables give the figures: none."""
        return 0

    def open_bench(
        self,
        field: Field,
        known: Sequence[int],
        others: int,
        seed: int,
        sizes: Sizes = JUDGING,
    ) -> "Scoreboard":
        """Return what prices the splits of a deal."""
        return self

    def count_settled(self) -> int:
        """Return how many tables are settled for each split: none."""
        return 0

    def shorten(self) -> "Scoreboard":
        """Return what prices splits of no great interest."""
        return self

    def measure(self, cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]") -> Seated:
        """Return the worth of each pattern of rows, the same for all splits."""
        return Seated(np.repeat(self.list_values()[None], len(codes), axis=0), ())

    def list_values(self) -> "NDArray[np.float64]":
        """Return the worth of rows won and lost by their pattern, float64 (28,)."""
        return np.append(self.worth[WON, LOST], 0.0)

    def rank(self, splits: Splits, players: "NDArray[np.int16]", keep: int) -> Splits:
        """Rank splits by the chance to win; see `candidates.rank_splits`."""
        values = np.round(self.list_values() * SCALE).astype(np.int64)
        sums = np.empty(len(splits.codes), dtype=np.int64)
        sum_patterns(splits.heroes, players[:, :SCREEN], values, sums)
        order = np.argsort(-sums, kind="stable")
        full = np.empty(min(keep, len(order)), dtype=np.int64)
        sum_patterns(splits.heroes[order[:keep]], players, values, full)
        sums[order[:keep]] = full
        order[:keep] = order[:keep][np.argsort(-full, kind="stable")]
        return replace(splits, sums=sums, order=order)
