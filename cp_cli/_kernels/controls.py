"""Control variates: small sets of cards in an opponent's deal, whose expected number is exact.

If an opponent holds 13 of u unseen cards, any k of these are all his with probability
13 (13-1) ... (13-k+1) / u (u-1) ... (u-k+1). So the expected number of pairs of queens, of five
cards of one suit and so on in his deal follows from counting them among the unseen cards. Where a
sample has more of them than that, its mean can be corrected.
"""

import numpy as np

from cp_cli._kernels.deals import LANE
from cp_cli._kernels.jit import kernel

SIZES = np.array([1] * 12 + [2] * 13 + [3, 5, 5], dtype=np.int64)
"""Number of cards in a set of each kind: each rank but the ace, pairs of each rank, three of a
kind, five in sequence, five of a suit."""


@kernel()
def count_sets(masks, out):
    """Fill `out` (28, n) with how many sets of each kind the cards of `masks` (n,) hold."""
    ranks = np.empty(14, np.int64)
    suits = np.empty(4, np.int64)
    for i in range(masks.shape[0]):
        ranks[:] = 0
        for suit in range(4):
            lane = np.int64((masks[i] >> np.uint64(13 * suit)) & LANE)
            size = 0
            for r in range(13):
                bit = (lane >> r) & 1
                ranks[r + 1] += bit
                size += bit
            suits[suit] = size
        ranks[0] = ranks[13]
        triples = 0
        for r in range(13):
            c = ranks[r + 1]
            if r < 12:
                out[r, i] = c
            out[12 + r, i] = c * (c - 1) // 2
            triples += c * (c - 1) * (c - 2) // 6
        runs = 0
        for r in range(10):
            runs += ranks[r] * ranks[r + 1] * ranks[r + 2] * ranks[r + 3] * ranks[r + 4]
        flushes = 0
        for suit in range(4):
            c = suits[suit]
            flushes += c * (c - 1) * (c - 2) * (c - 3) * (c - 4) // 120
        out[25, i] = triples
        out[26, i] = runs
        out[27, i] = flushes
