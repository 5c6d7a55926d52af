"""The chance to lose a bankroll, against chances that are known exactly."""

from collections.abc import Callable
from math import comb, inf, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli.simulation.ruin import Ruin, estimate_ruin
from tests.sizes import pick_size

RUNS = pick_size(10_000, 400)
Ints = NDArray[np.int64]


def ruin(
    units: list[int], counts: list[int] | Ints, bankroll: int, deals: int, **more: int
) -> Ruin:
    """Estimate from a histogram taken as exact."""
    options = {"seed": 5, "runs": RUNS, **more}
    return estimate_ruin(
        np.array(units), np.array(counts), bankroll, deals, effective=inf, **options
    )


def find_coin_ruin(bankroll: int, deals: int) -> float:
    """Return the chance that tossing a coin loses a bankroll, by the reflection principle.

    A run that comes to -bankroll and ends above it ends, mirrored from there on, below it.
    """
    ends = [comb(deals, heads) * (2 * heads - deals <= -bankroll) for heads in range(deals + 1)]
    below = [comb(deals, heads) * (2 * heads - deals < -bankroll) for heads in range(deals + 1)]
    return float((sum(ends) + sum(below)) / 2**deals)


def find_ruin(units: list[int], chances: list[float], bankroll: int, deals: int) -> float:
    """Return the chance to lose a bankroll, from the chance of each total after each deal."""
    totals = {0: 1.0}
    lost = 0.0
    for _ in range(deals):
        after: dict[int, float] = {}
        for total, chance in totals.items():
            for unit, share in zip(units, chances, strict=True):
                after[total + unit] = after.get(total + unit, 0.0) + chance * share
        lost += sum(chance for total, chance in after.items() if total <= -bankroll)
        totals = {total: chance for total, chance in after.items() if total > -bankroll}
    return lost


def test_both_exact_ways_agree() -> None:
    assert find_ruin([-1, 1], [0.5, 0.5], 4, 11) == pytest.approx(find_coin_ruin(4, 11))


@pytest.mark.parametrize(("bankroll", "deals"), [(1, 1), (1, 20), (5, 30), (12, 100)])
def test_a_fair_coin(bankroll: int, deals: int) -> None:
    found, exact = ruin([-1, 1], [7, 7], bankroll, deals), find_coin_ruin(bankroll, deals)
    assert abs(found.chance - exact) < 4 * found.se
    assert found.se == pytest.approx(sqrt(exact * (1 - exact) / RUNS), rel=0.2)


@pytest.mark.parametrize(
    ("units", "counts"),
    [([-3, 0, 1, 4], [40, 30, 20, 10]), ([4, -3, 1, 0], [10, 40, 20, 30]), ([-9, 1], [1, 9])],
)
def test_any_histogram(units: list[int], counts: list[int]) -> None:
    found = ruin(units, counts, 10, 25)
    exact = find_ruin(units, [count / sum(counts) for count in counts], 10, 25)
    assert abs(found.chance - exact) < 4 * found.se


def test_rare_units_keep_their_chance() -> None:
    found = ruin([-1000, 0], [1, 9_999], 1000, 200)
    assert abs(found.chance - (1 - 0.9999**200)) < 4 * found.se


def test_a_certain_loser_and_a_certain_winner() -> None:
    assert ruin([-1], [1], 10, 10).chance == 1
    assert ruin([-1], [1], 10, 9).chance == 0
    assert ruin([1, 2], [3, 1], 1, 50).chance == 0
    # That no run was lost does not prove that none can be.
    assert 0 < ruin([1, 2], [3, 1], 1, 50).se < 1.5 / RUNS


def test_scaled_units() -> None:
    whole = ruin([-3, 2, 4], [2, 1, 1], 20, 40)
    assert ruin([-9, 6, 12], [2, 1, 1], 20, 40, scale=3) == whole
    # Two and a half units lost are not three.
    assert ruin([-5], [1], 3, 1, scale=2).chance == 0
    assert ruin([-5], [1], 5, 2, scale=2).chance == 1


def test_more_money_or_fewer_deals_never_lose_more() -> None:
    for change in ("bankroll", "deals"):
        sizes = [(size, 30) if change == "bankroll" else (6, 40 - size) for size in range(1, 12)]
        chances = [ruin([-2, -1, 3], [1, 3, 2], *size).chance for size in sizes]
        assert chances == sorted(chances, reverse=True)
        assert chances[0] > chances[-1]


def test_the_seed_alone_decides() -> None:
    one, again, other = (ruin([-1, 1], [1, 1], 5, 30, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.chance != other.chance


def test_runs_that_are_very_long_are_fewer() -> None:
    short, long = (ruin([-1], [1], 1, deals, runs=10_000) for deals in (1_000, 1_000_000))
    assert short.chance == long.chance == 1
    assert long.se == pytest.approx(10 * short.se, rel=0.01)


# --- histograms that are estimates ---------------------------------------------------------------


def test_a_histogram_of_few_deals_is_less_certain() -> None:
    units, counts = np.array([-1, 0, 1]), np.array([35, 30, 35])
    errors = [
        estimate_ruin(units, counts, 8, 80, effective=effective, seed=3, runs=RUNS).se
        for effective in (50, 1_000, inf)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > 2 * errors[-1]


def test_a_mean_that_is_known_leaves_the_rest() -> None:
    coin = np.array([-1, 1]), np.array([50, 50])
    known, unknown, exact = (
        estimate_ruin(*coin, 8, 80, effective=effective, mean_se=mean_se, seed=3, runs=RUNS).se
        for effective, mean_se in ((100, 0.0), (100, None), (inf, None))
    )
    # All that a coin's histogram can be wrong about is its mean.
    assert known == pytest.approx(exact, rel=0.05)
    assert unknown > 2 * known
    told = estimate_ruin(*coin, 8, 80, effective=100, mean_se=0.1, seed=3, runs=RUNS).se
    assert told == pytest.approx(unknown)
    rest = [
        estimate_ruin(
            np.array([-4, 0, 1]), np.array([10, 50, 40]), 8, 80,
            effective=effective, mean_se=0.0, seed=3, runs=RUNS,
        ).se
        for effective in (20, inf)
    ]  # fmt: skip
    assert rest[0] > rest[1]


def draw_coins(rng: np.random.Generator, tosses: int) -> Ints:
    heads = rng.binomial(tosses, 0.5)
    return np.array([tosses - heads, heads])


def draw_pairs(rng: np.random.Generator, tosses: int) -> Ints:
    """Each toss is counted twice: half of them are independent."""
    return 2 * draw_coins(rng, tosses // 2)


@pytest.mark.parametrize(("draw", "share"), [(draw_coins, 1.0), (draw_pairs, 0.5)])
@pytest.mark.parametrize("tosses", [4_000, 40_000])
def test_the_interval_holds_the_true_chance(
    draw: Callable[[np.random.Generator, int], Ints], share: float, tosses: int
) -> None:
    rng = np.random.default_rng(tosses)
    repeats, deals = pick_size(100, 50), pick_size(60, 12)
    runs, exact = pick_size(4_000, 160), find_coin_ruin(4, deals)
    held = 0
    for seed in range(repeats):
        found = estimate_ruin(
            np.array([-1, 1]),
            draw(rng, tosses),
            4,
            deals,
            effective=share * tosses,
            seed=seed,
            runs=runs,
        )
        held += abs(found.chance - exact) < 1.96 * found.se
    assert 0.9 * repeats <= held <= pick_size(99, repeats)


def find_influence(units: list[int], chances: list[float], bankroll: int, deals: int) -> float:
    """Return the variance that one deal gives the chance: a little of each unit mixed in."""
    mixed, chance = 1e-6, find_ruin(units, chances, bankroll, deals)
    influence = 0.0
    for j, share in enumerate(chances):
        more = [(1 - mixed) * other + mixed * (k == j) for k, other in enumerate(chances)]
        influence += share * ((find_ruin(units, more, bankroll, deals) - chance) / mixed) ** 2
    return influence


def estimate_influence(
    units: list[int], counts: list[int], bankroll: int, deals: int, runs: int
) -> float:
    """Return the same from the standard errors with one deal in the histogram and with many."""
    arguments = np.array(units), np.array(counts), bankroll, deals
    one, many = (
        estimate_ruin(*arguments, effective=effective, seed=7, runs=runs).se
        for effective in (1, inf)
    )
    return one**2 - many**2


@pytest.mark.parametrize(
    ("units", "counts"), [([-1, 1], [5, 5]), ([-3, 0, 1, 4], [4, 3, 2, 1]), ([-5, 1], [1, 4])]
)
def test_what_the_histogram_adds(units: list[int], counts: list[int]) -> None:
    deals = pick_size(30, 8)
    exact = find_influence(units, [count / sum(counts) for count in counts], 6, deals)
    found = estimate_influence(units, counts, 6, deals, 10 * RUNS)
    assert found == pytest.approx(exact, rel=0.1)


def test_many_kinds_of_units_add_no_noise() -> None:
    """A coin with many heads and tails is a coin, though few runs tell one head from another."""
    bins, deals, runs = pick_size(500, 100), pick_size(30, 8), pick_size(5_000, 1_000)
    found = estimate_influence([-1, 1] * bins, [1] * (2 * bins), 3, deals, runs)
    assert found == pytest.approx(find_influence([-1, 1], [0.5, 0.5], 3, deals), rel=0.25)
