"""Prices of splits and of actions: what judges, and whole tables where they count, pay for them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from cp_cli.arrangement import Arrangement
from cp_cli.candidates import Splits, read_split
from cp_cli.equity.judges import Judges, Measures, add_measures
from cp_cli.equity.referee import NOT_SEATED, Level, Seated, add_levels
from cp_cli.errors import ArrangementError
from cp_cli.evaluator import explain_foul

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.equity.judges import Estimates
    from cp_cli.ruleset import Order


@dataclass(frozen=True, slots=True)
class SplitFigures:
    """What one split earns: units over all opponents, chances against each of them.

    `loss` is what it earns less than the best split, on the same opponents; it can come out
    slightly negative for splits that are as good as the best. `equal` counts the legal splits
    with the same three row strengths, this one included.
    """

    rank: int
    arrangement: Arrangement
    equal: int
    ev: float
    se: float
    loss: float
    loss_se: float
    win: tuple[float, float, float]
    tie: tuple[float, float, float]
    scoop: float
    scooped: float
    royalties: float


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to treat a deal - play, declare or surrender - and its expected units."""

    action: str
    ev: float
    se: float


NEAR = 64  # ranks priced at all tables; the others, thousands of them, at a few
PRICED_AT_ONCE = 64  # splits; bounds the memory of --top all
TABLES_AT_ONCE = 1 << 18  # the same for splits at tables


class Bench(Protocol):
    """What settles by the whole table, and prices that; see `referee` and `race`."""

    adds: bool
    """Does that come on top of what players settle in pairs?"""
    limits: tuple[float, float]
    """The least and the most that a deal can bring."""

    def __len__(self) -> int:
        """Return how many tables give the figures."""

    def count_settled(self) -> int:
        """Return how many tables are settled for each split, pairs of opponents included."""

    def measure(self, cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]") -> Seated:
        """Return what one deal, highest card first, brings when set by each of `codes` (k,)."""

    def shorten(self) -> "Bench":
        """Return a bench of fewer tables, for splits of no great interest."""


class Measured(NamedTuple):
    """What k splits do to one opponent, what they earn from the whole table, and its tables."""

    found: Measures
    total: Measures
    seated: Seated


class Pricing:
    """Prices the splits of one deal against its judges, and at the tables of a bench.

    Units are those of the whole table.
    """

    def __init__(
        self, splits: Splits, judges: Judges, opponents: int, bench: Bench | None = None
    ) -> None:
        self.splits = splits
        self.judges = judges
        self.opponents = opponents
        self.bench = bench
        self.best = self._measure([0], bench)
        settled = bench.count_settled() if bench else 0
        self.at_once = min(PRICED_AT_ONCE, max(1, TABLES_AT_ONCE // max(1, settled)))

    @cached_property
    def _few(self) -> Bench | None:
        return self.bench.shorten() if self.bench else None

    @cached_property
    def _best_at_few(self) -> Measured:
        return self._measure([0], self._few)

    def _measure(self, ranks: Sequence[int], bench: Bench | None) -> Measured:
        groups = self.splits.order[list(ranks)]
        heroes = self.splits.heroes[groups]
        found = self.judges.measure(heroes)
        if bench is None:
            return Measured(found, found, NOT_SEATED)
        seated = bench.measure(self.splits.cards, self.splits.codes[groups])
        total = self.judges.measure_patterns(heroes, seated.values)
        if bench.adds:
            total = add_measures(found, total, self.opponents)
        return Measured(found, total, seated)

    def _finish(self, estimates: "Estimates", levels: Sequence[Level]) -> "Estimates":
        """Make totals of estimates from the judges; the tables bring theirs."""
        means, errors = estimates
        if self.bench is None:
            return means * self.opponents, errors * self.opponents
        return add_levels(means, errors, levels)

    def _limit(self, means: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Bring estimates back to what is possible."""
        return means if self.bench is None else np.clip(means, *self.bench.limits)

    def estimate_best(self) -> tuple[float, float, float]:
        """Return what the best split earns, its error from the judges, and that from tables."""
        means, errors = self.judges.estimate(self.best.total)
        _, among = self._finish((means, np.zeros(1)), self.best.seated.levels)
        factor = self.opponents if self.bench is None else 1
        return float(means[0]), float(errors[0]) * factor, float(among[0])

    def value(self, ranks: Sequence[int]) -> "NDArray[np.float64]":
        """Return what the splits of some ranks earn."""
        evs = []
        for first in range(0, len(ranks), self.at_once):
            some = self._measure(ranks[first : first + self.at_once], self.bench)
            evs.append(self._finish(self.judges.estimate(some.total), some.seated.levels)[0])
        return np.concatenate(evs)

    def price(self, ranks: Sequence[int]) -> list[SplitFigures]:
        """Return the figures of the splits of some ranks (0 is the best)."""
        return [
            figures
            for first in range(0, len(ranks), self.at_once)
            for figures in self._price_some(ranks[first : first + self.at_once])
        ]

    def _price_some(self, ranks: Sequence[int]) -> list[SplitFigures]:
        near = self.bench is None or max(ranks) < NEAR
        if not near and len(ranks) > 1 and min(ranks) < NEAR:
            return [figures for rank in ranks for figures in self._price_some([rank])]
        best = self.best if near else self._best_at_few
        some = self._measure(ranks, self.bench if near else self._few)
        evs, errors = self._finish(self.judges.estimate(some.total), some.seated.levels)
        evs = self._limit(evs)
        losses, loss_errors = self._finish(
            self.judges.estimate_losses(some.total, best.total),
            best.seated.minus(some.seated).levels,
        )
        royalties = some.found.royalties * self.opponents
        estimates = np.stack([evs, errors, losses, loss_errors, royalties], axis=1)
        shares = some.found.counts / self.judges.weight
        return [
            self._describe(rank, share.tolist(), estimate.tolist())
            for rank, share, estimate in zip(ranks, shares, estimates, strict=True)
        ]

    def _describe(self, rank: int, share: list[float], estimate: list[float]) -> SplitFigures:
        splits = self.splits
        group = int(splits.order[rank])
        ev, se, loss, loss_se, royalties = estimate
        return SplitFigures(
            rank=rank + 1,
            arrangement=read_split(splits.cards, int(splits.codes[group])),
            equal=int(np.count_nonzero(splits.groups == group)),
            ev=ev,
            se=se,
            loss=loss if rank else 0.0,
            loss_se=loss_se if rank else 0.0,
            win=(share[0], share[1], share[2]),
            tie=(share[3], share[4], share[5]),
            scoop=share[6],
            scooped=share[7],
            royalties=royalties,
        )

    def price_all(self) -> list[SplitFigures]:
        """Return every legal split; those equal in all rows share a rank and its figures."""
        shown: list[SplitFigures] = []
        for figures in self.price(range(len(self.splits.order))):
            group = int(self.splits.order[figures.rank - 1])
            members = self.splits.list_members(group)
            shown.extend(replace(figures, arrangement=member) for member in members)
        return shown

    def price_actions(self, actions: Sequence[str], natural: int | None) -> tuple[Choice, ...]:
        """Return what playing the best split, declaring and surrendering earn.

        Who does not play sweeps nobody and is swept by nobody.
        """
        choices = []
        for action in actions:
            if action == "play":
                estimates = self.judges.estimate(self.best.total)
                means, errors = self._finish(estimates, self.best.seated.levels)
                means = self._limit(means)
            else:
                means, errors = self.judges.estimate_flat(action, natural)
                means, errors = means * self.opponents, errors * self.opponents
            choices.append(Choice(action, float(means[0]), float(errors[0])))
        return tuple(choices)

    def price_given(
        self, arrangements: Sequence[Arrangement], order: "Order"
    ) -> list[SplitFigures]:
        """Return the figures of given splits; raises ArrangementError if one is a foul."""
        ranks = []
        for arrangement in arrangements:
            group = self.splits.find_group(arrangement)
            if group is None:
                fault = explain_foul(arrangement, order)
                raise ArrangementError(f"{arrangement}: foul: {fault}")
            ranks.append(int(np.flatnonzero(self.splits.order == group)[0]))
        return [
            replace(figures, arrangement=arrangement)
            for figures, arrangement in zip(self.price(ranks), arrangements, strict=True)
        ]
