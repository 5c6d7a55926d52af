"""Setting deals from tables: the value of a choice by interpolation."""

from typing import NamedTuple

import numpy as np

from cp_cli._kernels.answers import keep_best
from cp_cli._kernels.candidates import list_candidates, rank_deal, write_heroes
from cp_cli._kernels.holdings import KINDS, expect_holdings
from cp_cli._kernels.jit import kernel
from cp_cli._kernels.naturals import pay_naturals
from cp_cli._kernels.opponents import DECLARE, SURRENDER, Game
from cp_cli._kernels.payoff import COLUMN, WEIGHT, WON_FRONT
from cp_cli._kernels.splits import SPLITS, split_rows
from cp_cli._kernels.whole import fill_effects, score_heroes

KEEP = 8  # splits compared again where royalties are not simply added


class FastTables(NamedTuple):
    """What the fast form reads. All units are means over all opponents.

    Attributes:
        game: the rules.
        places: float32 (3, 7918), where a strength lies on its axis of the grid.
        grid: float32 (a, b, c), units by grid point of front, middle and back, without royalties
            of one's own.
        slopes: float32 (r, a, b, c), how units change with what opponents may hold.
        directions: float64 (r, 45), the weighted sums of expected holdings that slopes go by.
        means: float64 (45,), the holdings of opponents on average.
        rows: float32 (3, 7918), what is paid for a row in royalties, by its strength.
        sample: int16 (8, s), opponents for royalties that are not simply added to the rest; of
            `sampled` opponents those who play. Empty where they are added.
        shares: float64 (2, 46), the chance that an opponent plays, and that he surrenders: on
            average, and its change with each holding.
        natural_places, natural_ties: int16 and int64 (n,), the naturals that opponents declare.
        opponents: how many there are, with those who declare none.

    """

    game: Game
    places: np.ndarray
    grid: np.ndarray
    slopes: np.ndarray
    directions: np.ndarray
    means: np.ndarray
    rows: np.ndarray
    sample: np.ndarray
    sampled: int
    shares: np.ndarray
    natural_places: np.ndarray
    natural_ties: np.ndarray
    opponents: int


@kernel()
def value_points(heroes, players, extra, game, values):
    """Fill float32 `values` (k,) with the mean units of arranged deals `heroes` (k, 8).

    `players` (8, n) are opponents, `extra` the number of those who do not play.
    """
    n = players.shape[1]
    sums = np.empty(heroes.shape[0], np.int64)
    score_heroes(heroes, heroes.shape[0], players, n, extra, game, sums)
    for i in range(heroes.shape[0]):
        values[i] = sums[i] / (n + extra)


@kernel()
def weigh_points(heroes, players, extra, game, effects):
    """Fill float32 `effects` (k, n) for arranged deals `heroes` (k, 8); see `fill_effects`."""
    for i in range(heroes.shape[0]):
        fill_effects(heroes[i], players, players.shape[1], extra, game, effects[i])


@kernel()
def interpolate(grid, x, y, z):
    """Return the value at (x, y, z) between the points of a grid (a, b, c)."""
    i, j, k = np.int64(x), np.int64(y), np.int64(z)
    x -= np.float32(i)
    y -= np.float32(j)
    z -= np.float32(k)
    near = grid[i, j, k] + z * (grid[i, j, k + 1] - grid[i, j, k])
    side = grid[i, j + 1, k] + z * (grid[i, j + 1, k + 1] - grid[i, j + 1, k])
    near += y * (side - near)
    far = grid[i + 1, j, k] + z * (grid[i + 1, j, k + 1] - grid[i + 1, j, k])
    side = grid[i + 1, j + 1, k] + z * (grid[i + 1, j + 1, k + 1] - grid[i + 1, j + 1, k])
    far += y * (side - far)
    return near + x * (far - near)


@kernel()
def tilt_grid(tables, holdings, tilted):
    """Fill `tilted` (a, b, c) with the units of grid points against opponents of these holdings.

    `holdings` (45,) is how many more sets of each kind they hold than on average.
    """
    tilted[:] = tables.grid
    flat = tilted.reshape(tilted.size)
    for r in range(tables.slopes.shape[0]):
        step = 0.0
        for kind in range(KINDS):
            step += tables.directions[r, kind] * holdings[kind]
        once = np.float32(step)
        slope = tables.slopes[r].reshape(tilted.size)
        for i in range(tilted.size):
            flat[i] += once * slope[i]


@kernel()
def value_splits(codes, n, front, middle, back, grid, places, rows, values):
    """Fill `values` (>= n,) with the units of the first n splits in `codes`."""
    # Plain arrays, no tables: taking them out of a tuple here is twenty times slower.
    split = np.empty(3, np.int64)
    for i in range(n):
        split_rows(codes[i], split)
        f, m, b = front[split[0]], middle[split[1]], back[split[2]]
        value = interpolate(grid, places[0, f], places[1, m], places[2, b])
        values[i] = value + rows[0, f] + rows[1, m] + rows[2, b]


@kernel()
def add_royalties(codes, n, front, middle, back, tables, values):
    """Put what `sample` pays for royalties into the first n `values`, in place of `rows`."""
    game = tables.game
    heroes = np.empty((n, COLUMN), np.int16)
    write_heroes(codes, n, front, back, middle, game, heroes)
    split = np.empty(3, np.int64)
    paid = np.empty(2, np.float64)
    both = np.zeros((2, COLUMN), np.int16)
    for i in range(n):
        if not heroes[i, WON_FRONT:WEIGHT].any():
            continue
        both[0] = heroes[i]
        both[1, :WON_FRONT] = heroes[i, :WON_FRONT]
        value_points(both, tables.sample, tables.sampled - tables.sample.shape[1], game, paid)
        split_rows(codes[i], split)
        rows = tables.rows
        added = rows[0, front[split[0]]] + rows[1, middle[split[1]]] + rows[2, back[split[2]]]
        values[i] += np.float32(paid[0] - paid[1]) - added


@kernel()
def set_fast(cards, places, ties, spec, tables, best):
    """Write the choice of the largest value of each deal into `best` (deals,).

    `places` and `ties` (deals,) are the naturals of the deals.
    """
    game = tables.game
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    codes = np.empty(SPLITS, np.int32)
    groups = np.empty(SPLITS, np.int32)
    values = np.empty(SPLITS, np.float32)
    holdings = np.empty((1, KINDS), np.float64)
    tilted = np.empty(tables.grid.shape, np.float32)
    for d in range(cards.shape[0]):
        rank_deal(cards[d], game, front, back, middle)
        n = list_candidates(front, back, middle, game, codes, groups)
        expect_holdings(cards[d : d + 1], holdings)
        holdings[0] -= tables.means
        tilt_grid(tables, holdings[0], tilted)
        if codes[0] < SPLITS:
            value_splits(codes, n, front, middle, back, tilted, tables.places, tables.rows, values)
            if tables.sample.shape[1]:
                n = keep_best(values, codes, n, KEEP)
                add_royalties(codes, n, front, middle, back, tables, values)
            keep_best(values, codes, n, 1)
        else:
            values[0] = tilted[0, 0, 0]  # a foul, which loses every row
        best[d] = codes[0]
        if places[d] >= 0 or game.surrender >= 0:
            best[d] = choose_special(
                codes[0], values[0], places[d], ties[d], spec, tables, holdings[0]
            )


@kernel()
def choose_special(code, value, place, tie, spec, tables, holdings):
    """Return whether to play `code`, which is worth `value`, or to declare, or to surrender.

    `holdings` as in `tilt_grid`. What opponents win by their naturals from those who have none is
    lost in any case, and left out.
    """
    plays, surrenders = tables.shares[0, 0], tables.shares[1, 0]
    for kind in range(KINDS):
        plays += tables.shares[0, 1 + kind] * holdings[kind]
        surrenders += tables.shares[1, 1 + kind] * holdings[kind]
    surrender = tables.game.surrender
    best = code
    gain = np.float64(value)
    if surrender >= 0:
        gain += surrenders * surrender
        if -plays * surrender > gain:
            gain = -plays * surrender
            best = SURRENDER
    if place >= 0:
        declared = (plays + surrenders) * spec.units[place]
        declared += value_natural(place, tie, spec, tables)
        if declared > gain:
            best = DECLARE
    return best


@kernel()
def value_natural(place, tie, spec, tables):
    """Return what a natural is worth against those who declare one, to what having none is."""
    mine = spec.units[place]
    total = np.int64(0)
    for j in range(tables.natural_places.shape[0]):
        other = tables.natural_places[j]
        theirs = spec.units[other]
        total += theirs + pay_naturals(
            place, tie, mine, other, tables.natural_ties[j], theirs, spec.equal_by_units,
            spec.difference,
        )  # fmt: skip
    return total / max(1, tables.opponents)
