"""What is counted while deals are played: whole numbers only, so that no order of adding matters.

Amounts are in parts of a unit (`Plan.scale`). A *cluster* is what is not independent: all games of
all deals of one pack.
"""

import math
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cp_cli.simulation.results import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Amounts = NDArray[np.int64]


FEWEST = 10
"""Clusters that must be equal before their error counts as nothing."""


@dataclass
class Clusters:
    """Totals of clusters of unequal size, for a ratio and its standard error.

    Attributes:
        count: clusters.
        size, squared_size: sums of their sizes, and of the squares.
        total, squared: sums of their amounts, and of the squares.
        cross: sum of amount times size.

    """

    count: int = 0
    size: int = 0
    squared_size: int = 0
    total: int = 0
    squared: int = 0
    cross: int = 0

    def add(self, totals: "Amounts", sizes: "Amounts") -> None:
        """Count clusters with totals and sizes (c,)."""
        # Python's whole numbers: high stakes squared are more than 64 bits hold.
        pairs = list(zip(totals.tolist(), sizes.tolist(), strict=True))
        self.count += len(pairs)
        self.size += sum(size for _, size in pairs)
        self.squared_size += sum(size * size for _, size in pairs)
        self.total += sum(total for total, _ in pairs)
        self.squared += sum(total * total for total, _ in pairs)
        self.cross += sum(total * size for total, size in pairs)

    def estimate(self, scale: int) -> Estimate:
        """Return the mean in units and its standard error, infinite for a single cluster."""
        mean = self.total / self.size
        if self.count < 2:
            return Estimate(mean / scale, math.inf)
        # Whole numbers first: the three terms are large and their difference may be small.
        spread = (
            self.squared * self.size**2
            - 2 * self.total * self.cross * self.size
            + self.squared_size * self.total**2
        ) / self.size**2
        if not spread and self.count < FEWEST:
            return Estimate(mean / scale, math.inf, self.count)  # a few alike tell nothing
        variance = spread * self.count / (self.count - 1)
        return Estimate(mean / scale, math.sqrt(variance) / self.size / scale, self.count)

    def merge(self, other: "Clusters") -> None:
        """Add what another has counted."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass
class Tally:
    """What is counted for one entry.

    Attributes:
        units, ahead: clusters of its units, and of what it has more than the first entry.
        histogram: how often it got each amount.
        outcomes: games won, tied and lost in each row, nine numbers.
        games: meetings of two hands.
        scoops, scooped: games.
        seats: deals, counted once for each seat it took.
        home, away: of these, those in which it, or somebody else, scooped everybody.
        hands, declared, fouled, surrendered: its hands, and what became of them.
        royalties: what royalties changed.
        reasons: amounts by reason, in the order of `Payer.reasons`.

    """

    units: Clusters = field(default_factory=Clusters)
    ahead: Clusters = field(default_factory=Clusters)
    histogram: Counter[int] = field(default_factory=Counter)
    outcomes: list[int] = field(default_factory=lambda: [0] * 9)
    games: int = 0
    scoops: int = 0
    scooped: int = 0
    seats: int = 0
    home: int = 0
    away: int = 0
    hands: int = 0
    declared: int = 0
    fouled: int = 0
    surrendered: int = 0
    royalties: int = 0
    reasons: list[int] = field(default_factory=list)

    def count_units(self, units: "Amounts", times: "Amounts | None" = None) -> None:
        """Count amounts (k,) in the histogram, each so many times."""
        values, places = np.unique(units, return_inverse=True)
        counts = np.bincount(places, weights=times, minlength=len(values))
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            self.histogram[value] += int(count)

    def merge(self, other: "Tally") -> None:
        """Add what another has counted."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, Clusters):
                mine.merge(theirs)
            elif isinstance(mine, Counter):
                mine.update(theirs)
            elif isinstance(mine, list):
                longer = mine or [0] * len(theirs)
                setattr(self, each.name, [a + b for a, b in zip(longer, theirs, strict=True)])
            else:
                setattr(self, each.name, mine + theirs)

    def to_plain(self) -> dict[str, Any]:
        """Return everything as lists and numbers, for a file."""
        plain: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Clusters):
                value = [getattr(value, part.name) for part in fields(value)]
            elif isinstance(value, Counter):
                value = sorted(value.items())
            plain[each.name] = value
        return plain

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "Tally":
        """Return what `to_plain` gave; KeyError, TypeError or ValueError if it did not."""
        tally = cls()
        for each in fields(cls):
            value, now = plain[each.name], getattr(tally, each.name)
            if isinstance(now, Clusters):
                names = [part.name for part in fields(now)]
                now = Clusters(**dict(zip(names, map(_read_whole, value), strict=True)))
            elif isinstance(now, Counter):
                now = Counter({_read_whole(units): _read_whole(count) for units, count in value})
            elif isinstance(now, list):
                now = [_read_whole(number) for number in value]
            else:
                now = _read_whole(value)
            setattr(tally, each.name, now)
        return tally


def _read_whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number")
    return value
