"""What a simulation found. Units are those of a deal; shares are from 0 to 1."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from cp_cli.strategy.spread import CONFIDENCE

if TYPE_CHECKING:
    from cp_cli.arrangement import Arrangement
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement.game import Role
    from cp_cli.simulation.ruin import Ruin

Ending = Literal["deals", "target_se", "time", "interrupted", "stored"]
"""What ended a simulation; `stored` when no stored opponent was left."""


_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Standard errors to either side that make an interval of 95%, by clusters less one."""


class Estimate(NamedTuple):
    """A mean and its standard error, infinite where one cluster of deals cannot tell it.

    `clusters` is how many tell the error; 0 stands for very many.
    """

    mean: float
    se: float
    clusters: int = 0

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95% interval, wider where few clusters tell the error (Student's t).

        >>> Estimate(0.0, 1.0, 3).ci95, Estimate(0.0, 1.0).ci95
        ((-4.303, 4.303), (-1.959964, 1.959964))
        """
        reach = _find_reach(self.clusters) * self.se
        return self.mean - reach, self.mean + reach


def _find_reach(clusters: int) -> float:
    """Return how many standard errors an interval reaches to either side.

    >>> round(_find_reach(31), 2), round(_find_reach(12), 2)
    (2.04, 2.2)
    """
    free = clusters - 1
    if free < 1:
        return CONFIDENCE
    if free <= len(_STUDENT):
        return _STUDENT[free - 1]
    z = CONFIDENCE  # from here on the beginning of a series in 1 / free is exact to three digits
    return z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)


@dataclass(frozen=True, slots=True)
class Entry:
    """One subject of a simulation and what it earned.

    Attributes:
        label: the strategy, or the split.
        role: player or bank, None where the entry is both or there is no bank.
        action: play, declare or surrender where it is always the same, else None.
        arrangement: the split where it is always the same, else None.
        units: mean units a deal and their standard error.
        exact: whether the mean is exact, as one strategy holds all seats.
        sd: standard deviation of the units of a deal.
        quantiles: units at 5, 50 and 95%: so many deals brought that or less.
        win, tie, lose: of each row, shares of the games (meetings of two hands).
        scoop, scooped: shares of the games.
        home_run, home_run_against: shares of the deals in which all opponents, two or more, were
            scooped by the entry, or the entry and all others by one of them.
        royalties: mean units a deal that royalties, ours less theirs, change.
        declared, fouled, surrendered: shares of the entry's hands.
        reasons: mean units a deal by reason; they add up to the mean of `units`.
        histogram: units and how often they came, lowest first; once a deal for each seat.
        difference: mean units more than the first entry on the same deals, None for the first.
        ruin: the risk of a bankroll, None where it was not asked for.

    """

    label: str
    exact: bool
    role: "Role | None"
    action: str | None
    arrangement: "Arrangement | None"
    deals: int
    units: Estimate
    sd: float
    quantiles: tuple[float, float, float]
    win: tuple[float, float, float]
    tie: tuple[float, float, float]
    lose: tuple[float, float, float]
    scoop: float
    scooped: float
    home_run: float
    home_run_against: float
    royalties: float
    declared: float
    fouled: float
    surrendered: float
    reasons: tuple[tuple[str, float], ...]
    histogram: tuple[tuple[float, int], ...]
    difference: Estimate | None = None
    ruin: "Ruin | None" = None


@dataclass(frozen=True, slots=True)
class Simulation:
    """How a simulation stands or ended.

    `packs` counts packs of cards: deals from the same pack are not independent, and the standard
    errors know it. `stored` tells whether opponents came from the strategy's stored deals.
    """

    ruleset: "Ruleset"
    seed: int
    seats: int
    deals: int
    packs: int
    elapsed: float
    entries: tuple[Entry, ...]
    ending: Ending
    stored: bool = False
    unit: Literal["units", "points"] = "units"
