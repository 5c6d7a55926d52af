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
        block = masks[first : first + BLOCK]
        n = block.shape[0]
        _count_ranks(block, ranks)
        for r in range(12):
            for i in range(n):
                out[r, first + i] = ranks[r + 1, i]
        pairs, triples = out[12, first : first + n], out[13, first : first + n]
        runs, flushes = out[14, first : first + n], out[15, first : first + n]
        for i in range(n):
            pairs[i] = triples[i] = runs[i] = flushes[i] = np.float32(0)
        for r in range(13):
            rank = ranks[r + 1]
            for i in range(n):
                c = rank[i]
                sets = c * (c - np.float32(1)) * np.float32(0.5)
                pairs[i] += sets
                triples[i] += sets * (c - np.float32(2)) / np.float32(3)
        for r in range(10):
            a, b, c, d, e = ranks[r], ranks[r + 1], ranks[r + 2], ranks[r + 3], ranks[r + 4]
            for i in range(n):
                runs[i] += a[i] * b[i] * c[i] * d[i] * e[i]
        for suit in range(4):
            _add_flushes(block, np.uint64(13 * suit), flushes)


@kernel()
def _count_ranks(block, ranks):
    """Fill `ranks` (14, BLOCK) with the number of aces, deuces, ... kings and aces again."""
    one = np.uint64(1)
    for r in range(13):
        shift = np.uint64(r)
        rank = ranks[r + 1]
        for i in range(block.shape[0]):
            lanes = block[i] >> shift
            count = (lanes & one) + ((lanes >> np.uint64(13)) & one)
            count += ((lanes >> np.uint64(26)) & one) + ((lanes >> np.uint64(39)) & one)
            rank[i] = np.float32(np.int32(count))
    for i in range(block.shape[0]):
        ranks[0, i] = ranks[13, i]


@kernel()
def _add_flushes(block, shift, flushes):
    """Add the number of fives of one suit to `flushes` (n,)."""
    for i in range(block.shape[0]):
        # Count the bits of the lane in pairs, fours, eights, sixteen.
        x = np.uint32((block[i] >> shift) & LANE)
        x = x - ((x >> np.uint32(1)) & np.uint32(0x5555))
        x = (x & np.uint32(0x3333)) + ((x >> np.uint32(2)) & np.uint32(0x3333))
        x = (x + (x >> np.uint32(4))) & np.uint32(0x0F0F)
        c = np.float32(np.int32((x + (x >> np.uint32(8))) & np.uint32(31)))
        sets = c * (c - np.float32(1)) * (c - np.float32(2))
        flushes[i] += sets * (c - np.float32(3)) * (c - np.float32(4)) / np.float32(120)
