"""Control variates: small sets of cards in an opponent's deal, whose expected number is exact.

If an opponent holds 13 of u unseen cards, any k of these are all his with probability
13 (13-1) ... (13-k+1) / u (u-1) ... (u-k+1). So the expected number of pairs, of five cards of
one suit and so on in his deal follows from counting them among the unseen cards. Where a sample
has more of them than that, its mean can be corrected.
"""

import numpy as np

from cp_cli._kernels.deals import LANE
from cp_cli._kernels.jit import kernel

SIZES = np.array([1] * 12 + [2, 3, 5, 5], dtype=np.int64)
"""Number of cards in a set of each kind: each rank but the ace, pairs, three of a kind, five in
sequence, five of a suit."""

BLOCK = 512


@kernel()
def count_sets(masks, out):
    """Fill `out` (16, n) with how many sets of each kind the cards of `masks` (n,) hold.

    Rank by rank for many masks at a time, which vectorises.
    """
    if out.shape[0] == 0:
        return
    ranks = np.empty((14, BLOCK), np.float32)
    for first in range(0, masks.shape[0], BLOCK):
        n = min(BLOCK, masks.shape[0] - first)
        for r in range(13):
            for i in range(n):
                lanes = masks[first + i] >> np.uint64(r)
                count = (lanes & np.uint64(1)) + ((lanes >> np.uint64(13)) & np.uint64(1))
                count += (lanes >> np.uint64(26)) & np.uint64(1)
                count += (lanes >> np.uint64(39)) & np.uint64(1)
                ranks[r + 1, i] = np.float32(count)
        ranks[0, :n] = ranks[13, :n]
        for r in range(12):
            out[r, first : first + n] = ranks[r + 1, :n]
        for row in range(12, 16):
            out[row, first : first + n] = 0
        for r in range(13):
            for i in range(n):
                c = ranks[r + 1, i]
                pairs = c * (c - np.float32(1)) * np.float32(0.5)
                out[12, first + i] += pairs
                out[13, first + i] += pairs * (c - np.float32(2)) / np.float32(3)
        for r in range(10):
            for i in range(n):
                run = ranks[r, i] * ranks[r + 1, i] * ranks[r + 2, i]
                out[14, first + i] += run * ranks[r + 3, i] * ranks[r + 4, i]
        _count_flushes(masks, first, n, out)


@kernel()
def _count_flushes(masks, first, n, out):
    """Add the number of five cards of one suit to row 15 of `out`."""
    for suit in range(4):
        for i in range(first, first + n):
            # Count the bits of the lane in pairs, fours, eights, sixteen.
            x = (masks[i] >> np.uint64(13 * suit)) & LANE
            x = x - ((x >> np.uint64(1)) & np.uint64(0x5555))
            x = (x & np.uint64(0x3333)) + ((x >> np.uint64(2)) & np.uint64(0x3333))
            x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F)
            c = np.float32((x + (x >> np.uint64(8))) & np.uint64(31))
            sets = c * (c - np.float32(1)) * (c - np.float32(2))
            out[15, i] += sets * (c - np.float32(3)) * (c - np.float32(4)) / np.float32(120)
