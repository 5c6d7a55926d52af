"""The chance to lose a bankroll, by long runs of deals drawn from those that were played."""

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.ruin import DRAW_BITS, START_BITS, play_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

RUNS = 10_000
_MOST_DRAWS = 100_000_000  # fewer runs where they are long, but no fewer than a tenth


@dataclass(frozen=True, slots=True)
class Ruin:
    """The chance that a bankroll is lost within a number of deals.

    Attributes:
        bankroll: units at the start.
        deals: how many deals are played, unless the bankroll is lost before.
        chance: of losing it.
        se: standard error of the chance, from the runs and from the histogram.

    """

    bankroll: int
    deals: int
    chance: float
    se: float


def estimate_ruin(
    units: "NDArray[np.int64]",
    counts: "NDArray[np.int64]",
    bankroll: int,
    deals: int,
    *,
    scale: int = 1,
    effective: float,
    seed: int,
    runs: int = RUNS,
    mean_se: float | None = None,
) -> Ruin:
    """Return the chance that a running total falls to -bankroll or lower within `deals` deals.

    The units of a deal are units[j] / scale as often as counts[j] says, int64 (k,) both; counts
    are not below 0 and not all 0. The histogram is known as well as from `effective` independent
    deals; infinity takes it as exact. Its mean may be known better: `mean_se` is the standard error
    of that, in units, or None where it follows from `effective`. With fewer than a thousand the
    chance is too uncertain for se to say all: chance plus or minus twice se is right in nine of
    ten cases then, not in 19 of 20. The answer depends on the arguments alone.

    >>> coin = np.array([-1, 1]), np.array([1, 1])
    >>> ruin = estimate_ruin(*coin, 2, 10, effective=float("inf"), seed=1)
    >>> abs(ruin.chance - 561 / 1024) < 3 * ruin.se
    True
    """
    units, counts = units[counts > 0], counts[counts > 0]
    runs = max(min(runs, _MOST_DRAWS // deals), runs // 10, 1)
    chances = counts / counts.sum()
    bounds = np.rint(np.cumsum(counts) / counts.sum() * (1 << DRAW_BITS)).astype(np.int64)
    firsts = np.arange(1 << START_BITS) << DRAW_BITS - START_BITS
    starts = np.searchsorted(bounds, firsts, side="right")
    excess = np.zeros((2, 2, len(units)))
    floor = -bankroll * scale
    lost = int(play_runs(seed, runs, deals, floor, units, chances, bounds, starts, excess))
    # One run of each kind is added: none lost in 10,000 does not mean that none can be.
    smoothed = (lost + 1) / (runs + 2)
    variance = smoothed * (1 - smoothed) / runs
    amounts = units / scale
    along, rest = measure_influence(excess, chances, lost / runs, runs, amounts)
    spread = float(chances @ np.square(amounts - chances @ amounts))
    variance += along * (spread / effective if mean_se is None else mean_se**2)
    variance += rest / effective
    return Ruin(bankroll, deals, lost / runs, sqrt(variance))


def measure_influence(
    excess: "NDArray[np.float64]",
    chances: "NDArray[np.float64]",
    lost: float,
    runs: int,
    units: "NDArray[np.float64]",
) -> tuple[float, float]:
    """Return what the histogram's own error does to the chance, by `play_runs`' excess.

    Units that came too often in the runs that lost, and too seldom in the others, raise the chance
    to lose where the histogram holds too many of them: by the covariance of the two, for a
    histogram that differs little. The covariances' own noise is taken off their squares. Two
    numbers: the squared slope by the mean of `units`, float64 (k,), and the variance that one
    deal of the histogram gives the chance beyond that.
    """
    weights = np.array([-lost, 1 - lost])
    raises = weights @ excess[:, 0] / runs / chances
    squares = weights**2 @ excess[:, 1] / runs / chances**2
    noise = (squares - raises**2) / runs
    off = units - chances @ units
    spread = float(chances @ off**2)
    if not spread:
        return 0.0, 0.0
    slope = float(chances @ (raises * off)) / spread
    slope_noise = float((chances * off) ** 2 @ noise) / spread**2
    along = max(0.0, slope**2 - slope_noise)
    return along, max(0.0, float(chances @ (raises**2 - noise)) - along * spread)
