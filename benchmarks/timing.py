"""What the benchmarks share: times taken in turn, figures, exact checksums, fixed deals."""

import hashlib
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cp_cli.field import Deals, Field
    from cp_cli.ruleset import Ruleset

SEED = 2024
"""Seed of all deals here; strategies are trained on those of another seed."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number, and what it should be; no target means that it only informs."""

    name: str
    value: float
    unit: str
    target: str = ""
    note: str = ""


@dataclass(slots=True)
class Result:
    """What one benchmark found.

    `checksum` covers exact integer results only: the same on every machine, for any number of
    threads, and for --quick. `faults` are wrong results, never slow ones.
    """

    checksum: str
    figures: list[Figure]
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of each side, round by round."""

    seconds: Mapping[str, Sequence[float]]

    def take(self, side: str) -> float:
        """Return the median time of a side."""
        return statistics.median(self.seconds[side])

    def compare(self, slow: str, fast: str) -> float:
        """Return the median over the rounds of slow / fast."""
        pairs = zip(self.seconds[slow], self.seconds[fast], strict=True)
        return statistics.median(one / other for one, other in pairs)


def alternate(sides: Mapping[str, Callable[[], object]], rounds: int) -> Times:
    """Time all sides in turn, `rounds` times, so that a busy moment hits all of them alike."""
    for work in sides.values():
        work()  # compiles, loads and warms up
    seconds: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(rounds):
        for side, work in sides.items():
            start = time.perf_counter()
            work()
            seconds[side].append(time.perf_counter() - start)
    return Times(seconds)


def digest_integers(*arrays: "NDArray[np.integer[Any]]") -> str:
    """Return twelve hex digits over the shapes and values of integer arrays."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(repr(array.shape).encode() + array.astype("<i8").tobytes())
    return digest.hexdigest()[:12]


def open_ruleset(name: str = "two-four") -> "Ruleset":
    """Return a ruleset that comes with the package."""
    from cp_cli.ruleset import load_ruleset

    return load_ruleset(name)


def deal_heroes(ruleset: "Ruleset", count: int, first: int = 0) -> "Deals":
    """Return deals that no strategy was trained on."""
    from cp_cli.field import deal_random, describe_deals

    return describe_deals(deal_random(SEED, first, count), ruleset)


def build_plain_field(ruleset: "Ruleset", count: int) -> "Field":
    """Return opponents that make their strongest back, then middle: for checksums.

    They need no strategy file and no rounding, so what follows from them is exact.
    """
    from cp_cli.field import build_field
    from cp_cli.settlement.game import build_game
    from cp_cli.strategy import set_deals

    game = build_game(ruleset)
    deals = deal_heroes(ruleset, count, first=1 << 20)
    return build_field(deals, set_deals("back-first", deals.cards, game), game)
