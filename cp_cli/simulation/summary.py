"""From tallies to the figures of a simulation."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.opponents import DECLARE, SURRENDER
from cp_cli.candidates import read_split, sort_deal
from cp_cli.simulation.plan import Counted
from cp_cli.simulation.play import Dealer
from cp_cli.simulation.results import Entry, Estimate
from cp_cli.simulation.ruin import Ruin, estimate_ruin
from cp_cli.simulation.tallies import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.arrangement import Arrangement

    Amounts = NDArray[np.int64]

QUANTILES = (0.05, 0.5, 0.95)
FEWEST_CLUSTERS = 30
"""Clusters below which the error of a risk is not known."""


def sum_up_entries(
    dealer: Dealer, tallies: list[Tally], bankroll: int | None, horizon: int
) -> tuple[Entry, ...]:
    """Return the figures of every entry; see `Simulator.sum_up`."""
    return tuple(
        _sum_up(dealer, number, tally, bankroll, horizon) for number, tally in enumerate(tallies)
    )


def _sum_up(dealer: Dealer, number: int, tally: Tally, bankroll: int | None, horizon: int) -> Entry:
    plan, scale = dealer.plan, dealer.plan.scale
    counted = plan.counted[number]
    action, arrangement = _find_fixed(dealer, counted)
    values, counts = _list_histogram(tally)
    exact = len(plan.counted) == 1 and not plan.hero
    units = tally.units.estimate(scale)
    units = units._replace(se=0.0) if exact else units
    sd = _find_deviation(values, counts) / scale
    games, hands, seats = tally.games, tally.hands, tally.seats
    rows = [count / games for count in tally.outcomes]
    return Entry(
        label=counted.label,
        exact=exact,
        role=counted.role,
        action=action,
        arrangement=arrangement,
        deals=seats // len(counted.places),
        units=units,
        sd=sd,
        quantiles=_find_quantiles(values, counts, scale),
        win=(rows[0], rows[1], rows[2]),
        tie=(rows[3], rows[4], rows[5]),
        lose=(rows[6], rows[7], rows[8]),
        scoop=tally.scoops / games,
        scooped=tally.scooped / games,
        home_run=tally.home / seats,
        home_run_against=tally.away / seats,
        royalties=tally.royalties / seats / scale,
        declared=tally.declared / hands,
        fouled=tally.fouled / hands,
        surrendered=tally.surrendered / hands,
        reasons=tuple(
            (reason, amount / seats / scale)
            for reason, amount in zip(dealer.scorer.payer.reasons, tally.reasons, strict=True)
            if amount
        ),
        histogram=tuple(zip((values / scale).tolist(), counts.tolist(), strict=True)),
        difference=tally.ahead.estimate(scale) if plan.hero and number else None,
        ruin=None if bankroll is None else _estimate_ruin(dealer, tally, units, bankroll, horizon),
    )


def _list_histogram(tally: Tally) -> "tuple[Amounts, Amounts]":
    """Return the amounts that came, lowest first, and how often each did."""
    values = np.array(sorted(tally.histogram), dtype=np.int64)
    return values, np.array([tally.histogram[value] for value in values.tolist()], dtype=np.int64)


def _estimate_ruin(
    dealer: Dealer, tally: Tally, units: Estimate, bankroll: int, horizon: int
) -> Ruin:
    """Return the risk of a bankroll if every deal were like those that were played."""
    values, counts = _list_histogram(tally)
    scale = dealer.plan.scale
    clusters = tally.units.count
    # Where seats are swapped the mean is known far better than the rest of the distribution.
    found = estimate_ruin(
        values,
        counts,
        bankroll,
        horizon,
        scale=scale,
        effective=float(clusters),
        seed=dealer.seed,
        mean_se=units.se if math.isfinite(units.se) else None,
    )
    # A handful of deals may lack what ruins a player, and then nothing tells the error.
    return found if clusters >= FEWEST_CLUSTERS else replace(found, se=math.inf)


def _find_fixed(dealer: Dealer, counted: Counted) -> "tuple[str | None, Arrangement | None]":
    """Return the action and the split of an entry whose hand is always set alike."""
    plan = dealer.plan
    game, hands = counted.places[0]
    way = plan.ways[hands[0]][plan.games[game][hands[0]]]
    fixed = dealer.fixed.get((hands[0], way))
    if fixed is None:
        return None, None
    code = int(fixed.codes[0])
    if code in (DECLARE, SURRENDER):
        return "declare" if code == DECLARE else "surrender", None
    return "play", way.split or read_split(sort_deal(plan.known[hands[0]]), code)


def _find_deviation(values: "Amounts", counts: "Amounts") -> float:
    """Return the standard deviation of a histogram."""
    times = counts.astype(np.float64)  # whole numbers could overflow in a very long run
    deals = times.sum()
    mean = values @ times / deals
    return math.sqrt(float(np.square(values - mean) @ times) / max(1.0, deals - 1))


def _find_quantiles(values: "Amounts", counts: "Amounts", scale: int) -> tuple[float, float, float]:
    """Return the smallest amounts that so many deals do not exceed."""
    reached = np.cumsum(counts)
    places = [np.searchsorted(reached, share * reached[-1]) for share in QUANTILES]
    low, middle, high = (float(values[place]) / scale for place in places)
    return low, middle, high
