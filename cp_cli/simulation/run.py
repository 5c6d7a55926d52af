"""A simulation from its start to the stop that the user wants, on any number of cores.

Packs are played in batches, each by itself; batches are counted in order, and only whole numbers
are added, so that neither the number of cores nor their speed changes a figure.
"""

import time
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from typing import NamedTuple

from cp_cli.errors import StrategyError
from cp_cli.simulation.plan import Plan
from cp_cli.simulation.play import MOST_SEEDS, Batch, Dealer, Sink
from cp_cli.simulation.results import Ending, Estimate, Simulation
from cp_cli.simulation.setters import Setters
from cp_cli.simulation.stored import play_stored
from cp_cli.simulation.summary import sum_up_entries
from cp_cli.simulation.tallies import Tally
from cp_cli.strategy.answers import Progress

PACKS = 256  # in a batch
FEWEST_PACKS = 1_000
"""Packs before a standard error is believed."""
MOST_DEALS = 10**12
DEALS = 20_000
HORIZON = 1_000
"""Deals within which a bankroll is at risk."""


class Stop(NamedTuple):
    """When a simulation ends: at the first that is reached; None sets no limit."""

    deals: int | None = DEALS
    target_se: float | None = None
    seconds: float | None = None


class Standing(NamedTuple):
    """How a simulation stands; `done` is the share of the way to the nearest stop."""

    deals: int
    units: Estimate
    elapsed: float
    done: float


@dataclass
class State:
    """What has been played: the tallies of whole packs, and of the last one if it was cut short.

    `whole` and `cut` have a tally for each entry; a run that goes on plays the cut pack again.
    """

    packs: int = 0
    whole: list[Tally] = field(default_factory=list)
    cut: list[Tally] = field(default_factory=list)
    cut_deals: int = 0
    deals: int = 0
    elapsed: float = 0.0
    ending: Ending = "interrupted"

    def add(self, batch: Batch) -> None:
        """Count a batch."""
        after: dict[str, object] = {"deals": self.deals + batch.deals}
        if batch.cut:
            after |= {"cut": batch.tallies, "cut_deals": batch.deals}
        else:
            after |= {
                "whole": _add_up(self.whole, batch.tallies),
                "packs": self.packs + batch.packs,
            }
        # In one step, which Ctrl-C cannot part.
        vars(self).update(after)

    def drop_cut(self) -> None:
        """Forget the pack that was cut short, to play it again."""
        self.deals -= self.cut_deals
        self.cut, self.cut_deals = [], 0

    def total(self) -> list[Tally]:
        """Return the tallies of everything."""
        return _add_up(self.whole, self.cut)


def _add_up(one: list[Tally], two: list[Tally]) -> list[Tally]:
    """Return the sums of two lists of tallies, either of which may be empty."""
    total = [Tally() for _ in one or two]
    for tallies in (one, two):
        for mine, theirs in zip(total, tallies, strict=False):
            mine.merge(theirs)
    return total


class Simulator:
    """Plays a plan out; opens its strategies at once, and trains them where that is needed."""

    def __init__(
        self, plan: Plan, *, seed: int = 0, jobs: int = 1, progress: Progress | None = None
    ) -> None:
        self.plan = plan
        self.seed = seed
        self.jobs = jobs
        start = seed % MOST_SEEDS
        self.dealer = Dealer(plan, Setters(plan, start, jobs, progress), start)

    def run(
        self, state: State, stop: Stop, sink: Sink | None = None
    ) -> Generator[Standing, None, None]:
        """Play until a stop is reached and tell after each batch how it stands.

        `state` is added to; what it holds already is not played again. `sink` is given the deals
        in order. The state is good between any two steps, and after KeyboardInterrupt.
        """
        state.drop_cut()
        state.ending = "interrupted"
        clock = _Clock(state.elapsed)
        most = MOST_DEALS if stop.deals is None else stop.deals
        known = _find_ending(state, stop._replace(seconds=None), clock, self.plan.scale)
        if known is not None:  # a run that goes on may have come to its end before
            state.ending = known
            return
        with closing(self._play(state, most)) as batches:
            for batch in batches:
                if sink is not None:
                    sink(batch.played)
                state.add(batch)
                state.elapsed = clock.total()
                standing = _stand(state, stop, clock, self.plan.scale)
                ending = _find_ending(state, stop, clock, self.plan.scale)
                yield standing if ending is None else standing._replace(done=1.0)
                if ending is not None:
                    state.ending = ending
                    return
        state.ending = "stored" if state.deals < most else "deals"

    def sum_up(
        self, state: State, *, bankroll: int | None = None, horizon: int = HORIZON
    ) -> Simulation:
        """Return what a simulation found so far.

        With `bankroll` comes the risk to lose it within `horizon` deals. Raises StrategyError if
        nothing was played.
        """
        if not state.deals:
            raise StrategyError("nothing was played: stopped before the first deals")
        return Simulation(
            ruleset=self.plan.ruleset,
            seed=self.seed,
            seats=1 + self.plan.request.opponents,
            deals=state.deals,
            packs=state.packs + bool(state.cut),
            elapsed=state.elapsed,
            entries=sum_up_entries(self.dealer, state.total(), bankroll, horizon),
            ending=state.ending,
            stored=self.plan.request.stored,
            unit="points" if self.plan.ruleset.mode == "race" else "units",
        )

    def _play(self, state: State, most: int) -> Generator[Batch, None, None]:
        """Yield batches in order, until there are `most` deals in all."""
        if self.plan.request.stored:
            if not state.deals:
                yield play_stored(self.dealer, most)
            return
        limits = self._list_limits(most - state.deals)
        pack = state.packs
        pool = ThreadPoolExecutor(self.jobs)
        waiting: deque[Future[Batch]] = deque()
        try:
            while True:
                while len(waiting) <= self.jobs and (limit := next(limits, 0)):
                    waiting.append(pool.submit(self.dealer.play, pack, limit))
                    pack += -(-limit // len(self.plan.tables))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _list_limits(self, deals: int) -> Iterator[int]:
        """Yield how many deals each batch plays; a pack that is cut short is one by itself."""
        per_pack = len(self.plan.tables)
        while deals >= per_pack:
            limit = min(PACKS, deals // per_pack) * per_pack
            yield limit
            deals -= limit
        if deals:
            yield deals


class _Clock:
    """Tells the time of this run and of all runs of a simulation."""

    def __init__(self, before: float) -> None:
        self.before = before
        self.start = time.monotonic()

    def passed(self) -> float:
        """Return the seconds since this run began."""
        return time.monotonic() - self.start

    def total(self) -> float:
        """Return the seconds of all runs."""
        return self.before + self.passed()


def _find_largest_error(state: State, scale: int) -> Estimate:
    """Return the estimate of the entry that is known least well."""
    tallies = state.whole or state.cut
    return max((tally.units.estimate(scale) for tally in tallies), key=lambda each: each.se)


def _find_ending(state: State, stop: Stop, clock: _Clock, scale: int) -> Ending | None:
    """Return what ends a simulation now, if anything does."""
    if stop.deals is not None and state.deals >= stop.deals:
        return "deals"
    if (
        stop.target_se is not None
        and state.packs >= FEWEST_PACKS
        and _find_largest_error(state, scale).se <= stop.target_se
    ):
        return "target_se"
    if stop.seconds is not None and clock.passed() >= stop.seconds:
        return "time"
    return None


def _stand(state: State, stop: Stop, clock: _Clock, scale: int) -> Standing:
    """Return how a simulation stands after a batch."""
    shares = [0.0]
    if stop.deals:
        shares.append(state.deals / stop.deals)
    if stop.seconds:
        shares.append(clock.passed() / stop.seconds)
    if stop.target_se:
        se = _find_largest_error(state, scale).se
        shares.append((stop.target_se / se) ** 2 if se else 1.0)
    first = (state.whole or state.cut)[0].units.estimate(scale)
    return Standing(state.deals, first, state.elapsed, min(1.0, max(shares)))
