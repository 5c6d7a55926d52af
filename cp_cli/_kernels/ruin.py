"""Which long runs of deals, drawn from a histogram of units, lose a bankroll on the way."""

import numpy as np

from cp_cli._kernels.deals import _GOLDEN, _STREAM, next_random
from cp_cli._kernels.jit import kernel

DRAW_BITS = 32
"""A deal is drawn by a number of so many bits."""
START_BITS = 10
"""So many of its first bits tell where the search begins."""

# Runs must not follow the deals of the same seed.
_APART = np.uint64(0x5851F42D4C957F2D)


@kernel()
def play_runs(seed, runs, deals, floor, units, chances, bounds, starts, excess):
    """Play runs number 0 to runs - 1 of a seed and return how many fall to `floor`.

    A run ends there, or after so many deals. A deal brings units[j] of int64 `units` (k,), with
    chances[j], if bounds[j] of int64 `bounds` (k,) is the first above a random number below
    2**DRAW_BITS. Int64 `starts` (2**START_BITS,) holds for each beginning of that number the first
    j it can lead to. Adds to float64 `excess` (2, 2, k), for runs that do not fall and those that
    do, how much more often each j came than its chance says, and the square of that.
    """
    state = np.empty(1, np.uint64)
    drawn = np.zeros(units.size, np.int64)
    lost = 0
    for i in range(runs):
        state[0] = np.uint64(seed) * _GOLDEN + np.uint64(i) * _STREAM + _APART
        state[0] = next_random(state)
        total = np.int64(0)
        played = 0
        while played < deals and total > floor:
            number = np.int64(next_random(state) >> np.uint64(64 - DRAW_BITS))
            j = starts[number >> (DRAW_BITS - START_BITS)]
            while number >= bounds[j]:
                j += 1
            total += units[j]
            drawn[j] += 1
            played += 1
        fallen = np.int64(total <= floor)
        lost += fallen
        for j in range(units.size):
            more = drawn[j] - played * chances[j]
            excess[fallen, 0, j] += more
            excess[fallen, 1, j] += more * more
            drawn[j] = 0
    return lost
