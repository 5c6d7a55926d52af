"""Setting deals from tables: the value of a split by interpolation."""

from typing import NamedTuple

import numpy as np

from cp_cli._kernels.candidates import list_candidates, rank_deal
from cp_cli._kernels.jit import kernel
from cp_cli._kernels.opponents import Game
from cp_cli._kernels.splits import SPLITS, split_rows


class FastTables(NamedTuple):
    """What the fast form reads.

    Attributes:
        game: the rules.
        grid: float32 (a, b, c), units by grid point of front, middle and back.
        places: float32 (3, 7918), where a strength lies on its axis of the grid.
        rows: float32 (3, 7918), units to add for each row by its strength.

    """

    game: Game
    grid: np.ndarray
    places: np.ndarray
    rows: np.ndarray


@kernel()
def value_rows(front, middle, back, tables):
    """Return the value of three strengths: interpolated on the grid, plus what each row adds."""
    x, y, z = tables.places[0, front], tables.places[1, middle], tables.places[2, back]
    i, j, k = np.int64(x), np.int64(y), np.int64(z)
    x -= np.float32(i)
    y -= np.float32(j)
    z -= np.float32(k)
    grid = tables.grid
    near = grid[i, j, k] + z * (grid[i, j, k + 1] - grid[i, j, k])
    side = grid[i, j + 1, k] + z * (grid[i, j + 1, k + 1] - grid[i, j + 1, k])
    near += y * (side - near)
    far = grid[i + 1, j, k] + z * (grid[i + 1, j, k + 1] - grid[i + 1, j, k])
    side = grid[i + 1, j + 1, k] + z * (grid[i + 1, j + 1, k + 1] - grid[i + 1, j + 1, k])
    far += y * (side - far)
    value = near + x * (far - near)
    return value + tables.rows[0, front] + tables.rows[1, middle] + tables.rows[2, back]


@kernel()
def value_fast(cards, codes, tables, strengths, values):
    """Write the strengths (deals, k, 3) and the values (deals, k) of some splits of each deal."""
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    split = np.empty(3, np.int64)
    for d in range(cards.shape[0]):
        rank_deal(cards[d], tables.game, front, back, middle)
        for i in range(codes.shape[1]):
            if codes[d, i] < 0 or codes[d, i] >= SPLITS:
                continue
            split_rows(codes[d, i], split)
            f, m, b = front[split[0]], middle[split[1]], back[split[2]]
            strengths[d, i, 0] = f
            strengths[d, i, 1] = m
            strengths[d, i, 2] = b
            values[d, i] = value_rows(f, m, b, tables)


@kernel()
def set_fast(cards, tables, best):
    """Write the split of the largest value of each deal into `best` (deals,)."""
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    codes = np.empty(SPLITS, np.int32)
    groups = np.empty(SPLITS, np.int32)
    split = np.empty(3, np.int64)
    for d in range(cards.shape[0]):
        rank_deal(cards[d], tables.game, front, back, middle)
        n = list_candidates(front, back, middle, tables.game, codes, groups)
        top = np.float32(-np.inf)
        best[d] = codes[0]
        for i in range(n):
            if codes[i] >= SPLITS:
                continue
            split_rows(codes[i], split)
            value = value_rows(front[split[0]], middle[split[1]], back[split[2]], tables)
            if value > top:
                top = value
                best[d] = codes[i]
