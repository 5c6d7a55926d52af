"""Random deals from a seed, card masks, and the 24 relabellings of the suits.

A mask is 52 bits in four lanes of 13, one a suit: bit `suit * 13 + rank`. The deals come from
SplitMix64 (Steele, Lea and Flood 2014), so that deal number i of a seed is the same with every
version of NumPy, on every machine, and for any number of threads.
"""

from itertools import permutations

import numpy as np

from cp_cli._kernels.jit import kernel

_RED = {1, 2}  # diamonds and hearts


def _keeps_colours(order: tuple[int, ...]) -> bool:
    return {order[1], order[2]} in (_RED, {0, 3})


SUIT_ORDERS = np.array(
    sorted(permutations(range(4)), key=lambda order: not _keeps_colours(order)), dtype=np.uint64
)
"""The 24 relabellings of the suits; the first eight keep suits of one colour together."""
LANE = np.uint64((1 << 13) - 1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_STREAM = np.uint64(0xD1342543DE82EF95)


@kernel()
def next_random(state):
    """Advance `state` (uint64, shape (1,)) and return 64 random bits."""
    state[0] += _GOLDEN
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * _MIX1
    z = (z ^ (z >> np.uint64(27))) * _MIX2
    return z ^ (z >> np.uint64(31))


@kernel()
def deal_cards(seed, first, out):
    """Fill `out` (n, 13) with deals number first, first + 1, ... of a seed, highest card first.

    Six random bits name a card; numbers above 51 and cards already dealt are thrown away.
    """
    state = np.empty(1, np.uint64)
    for i in range(out.shape[0]):
        state[0] = np.uint64(seed) * _GOLDEN + np.uint64(first + i) * _STREAM
        state[0] = next_random(state)
        dealt = np.uint64(0)
        count = 0
        while count < 13:
            bits = next_random(state)
            for _ in range(10):
                card = bits & np.uint64(63)
                bits >>= np.uint64(6)
                fresh = (card < 52) & (((dealt >> card) & np.uint64(1)) == 0) & (count < 13)
                dealt |= np.uint64(fresh) << card
                count += fresh
        k = 0
        for card in range(51, -1, -1):
            if (dealt >> np.uint64(card)) & np.uint64(1):
                out[i, k] = card
                k += 1


@kernel()
def list_cards(masks, out):
    """Fill `out` (n, 13) with the cards of masks, highest card first."""
    for i in range(masks.shape[0]):
        k = 0
        for card in range(51, -1, -1):
            if (masks[i] >> np.uint64((card & 3) * 13 + (card >> 2))) & np.uint64(1):
                out[i, k] = card
                k += 1


@kernel()
def relabel_suits(mask, out):
    """Write the 24 masks that a relabelling of the suits makes of `mask` into `out` (24,)."""
    for k in range(24):
        relabelled = np.uint64(0)
        for suit in range(4):
            lane = (mask >> np.uint64(13 * suit)) & LANE
            relabelled |= lane << (np.uint64(13) * SUIT_ORDERS[k, suit])
        out[k] = relabelled
