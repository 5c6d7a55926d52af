"""Loops over many deals, and the plain forms that our kernels are compared with, in Numba.

Not cached: Numba's cache would keep a loop whose kernels have changed.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from cp_cli._kernels.candidates import rank_deal
from cp_cli._kernels.rows import rank_rows_of_deal
from cp_cli._kernels.splits import PAIRS, SPLITS, list_undominated, split_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli._kernels.opponents import Game

MOST = 8192  # room for the undominated splits of a deal; nearly 5,000 at worst


def compile_loop(function: Callable[..., Any]) -> Any:
    """Compile a function with Numba."""
    return numba.njit(nogil=True)(function)


@compile_loop
def rank_rows(
    cards: "NDArray[np.uint8]",
    five: "NDArray[np.int16]",
    three: "NDArray[np.int16]",
    fronts: "NDArray[np.int16]",
    backs: "NDArray[np.int16]",
) -> None:
    """Fill `fronts` (deals, 286) and `backs` (deals, 1287)."""
    for d in range(cards.shape[0]):
        rank_rows_of_deal(cards[d], five, three, fronts[d], backs[d])


@compile_loop
def list_ours(
    cards: "NDArray[np.uint8]", game: "Game", keys: "NDArray[np.int64]", counts: "NDArray[np.int64]"
) -> None:
    """Write the strengths of the undominated splits of each deal into `keys` (deals, MOST)."""
    front, back = np.empty(286, np.int16), np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    codes = np.empty(SPLITS, np.int32)
    split = np.empty(3, np.int64)
    order = (game.low, game.strict, game.floor)
    for d in range(cards.shape[0]):
        rank_deal(cards[d], game, front, back, middle)
        n = list_undominated(front, back, middle, order, codes)
        for i in range(n):
            split_rows(codes[i], split)
            key = (np.int64(front[split[0]]) << 26) + (np.int64(middle[split[1]]) << 13)
            keys[d, i] = key + back[split[2]]
        counts[d] = n


@compile_loop
def list_plainly(
    cards: "NDArray[np.uint8]", game: "Game", keys: "NDArray[np.int64]", counts: "NDArray[np.int64]"
) -> None:
    """Do the same by comparing every legal split with a running list of those not yet beaten."""
    front, back = np.empty(286, np.int16), np.empty(1287, np.int16)
    best = np.empty((MOST, 3), np.int16)
    for d in range(cards.shape[0]):
        rank_rows_of_deal(cards[d], game.five, game.three, front, back)
        n = 0
        for f in range(286):
            a = front[f]
            for option in range(252):
                m = back[PAIRS[f, option >> 1, option & 1]]
                b = back[PAIRS[f, option >> 1, 1 - (option & 1)]]
                if a > m or m > b:
                    continue
                beaten = False
                for i in range(n):
                    if best[i, 0] >= a and best[i, 1] >= m and best[i, 2] >= b:
                        beaten = True
                        break
                if beaten:
                    continue
                kept = 0
                for i in range(n):
                    if best[i, 0] > a or best[i, 1] > m or best[i, 2] > b:
                        for row in range(3):
                            best[kept, row] = best[i, row]
                        kept += 1
                best[kept, 0], best[kept, 1], best[kept, 2] = a, m, b
                n = kept + 1
        for i in range(n):
            key = (np.int64(best[i, 0]) << 26) + (np.int64(best[i, 1]) << 13)
            keys[d, i] = key + best[i, 2]
        counts[d] = n


@compile_loop
def set_plainly(
    cards: "NDArray[np.uint8]",
    game: "Game",
    values: "NDArray[np.float32]",
    best: "NDArray[np.int32]",
) -> None:
    """Write the legal split with the largest sum of three row values of each deal into `best`."""
    front, back = np.empty(286, np.int16), np.empty(1287, np.int16)
    for d in range(cards.shape[0]):
        rank_rows_of_deal(cards[d], game.five, game.three, front, back)
        top = np.float32(-np.inf)
        for f in range(286):
            a = front[f]
            for option in range(252):
                m = back[PAIRS[f, option >> 1, option & 1]]
                b = back[PAIRS[f, option >> 1, 1 - (option & 1)]]
                if a <= m and m <= b:
                    value = values[0, a] + values[1, m] + values[2, b]
                    if value > top:
                        top = value
                        best[d] = f * 252 + option
