"""What named players need: chasing sweeps, random numbers of their own, tables to play at."""

import numpy as np

from cp_cli._kernels.candidates import rank_deal
from cp_cli._kernels.deals import next_random
from cp_cli._kernels.jit import kernel
from cp_cli._kernels.opponents import FOUL
from cp_cli._kernels.splits import SPLITS, list_undominated, split_rows

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_STREAM = np.uint64(0xD1342543DE82EF95)
ONE = np.uint64(1)


@kernel()
def count_sweeps(front, middle, back, crowd):
    """Count the columns of `crowd` (3, n) that are beaten in all three rows."""
    f, m, b = crowd[0], crowd[1], crowd[2]
    count = np.int32(0)
    for j in range(f.shape[0]):
        count += np.int32((front > f[j]) & (middle > m[j]) & (back > b[j]))
    return count


@kernel()
def set_by_sweeps(cards, game, crowd, values, best):
    """Write, for each deal, the split that sweeps most of `crowd` (3, n) into `best` (deals,).

    Of splits that sweep as many, the one with the largest sum of `values` (3, 7918) is taken.
    """
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    codes = np.empty(SPLITS, np.int32)
    split = np.empty(3, np.int64)
    for d in range(cards.shape[0]):
        rank_deal(cards[d], game, front, back, middle)
        n = list_undominated(front, back, middle, (game.low, game.strict, game.floor), codes)
        best[d] = codes[0] if n else FOUL
        most = np.int32(-1)
        top = -np.inf
        for i in range(n):
            split_rows(codes[i], split)
            f, m, b = front[split[0]], middle[split[1]], back[split[2]]
            count = count_sweeps(f, m, b, crowd)
            value = values[0, f] + values[1, m] + values[2, b]
            if count > most or (count == most and value > top):
                most = count
                top = value
                best[d] = codes[i]


@kernel()
def draw_for_deals(masks, seed, out):
    """Fill `out` (n, k) float64 with numbers from 0 to 1 that the seed and each mask decide."""
    state = np.empty(1, np.uint64)
    for i in range(masks.shape[0]):
        state[0] = masks[i]
        state[0] = next_random(state) ^ np.uint64(seed)
        for k in range(out.shape[1]):
            out[i, k] = np.float64(next_random(state) >> np.uint64(11)) / 9007199254740992.0


@kernel()
def complete_hand(state, hand, gone, count):
    """Draw cards that are not `gone` until a hand of `count` cards has thirteen.

    Hands are masks; returns the hand and what is gone then.
    """
    while count < 13:
        bits = next_random(state)
        for _ in range(10):
            card = bits & np.uint64(63)
            bits >>= np.uint64(6)
            fresh = (card < 52) & (((gone >> card) & ONE) == 0) & (count < 13)
            hand |= np.uint64(fresh) << card
            gone |= np.uint64(fresh) << card
            count += fresh
    return hand, gone


@kernel()
def write_hand(hand, out):
    """Write the cards of a mask into `out` (13,), highest first."""
    k = 0
    for card in range(51, -1, -1):
        if (hand >> np.uint64(card)) & ONE:
            out[k] = card
            k += 1


@kernel()
def deal_tables(seed, first, taken, out):
    """Fill `out` (n, hands, 13) with tables number first, first + 1, ... of a seed.

    No table holds a card of `taken` (n,), masks with bit `card`. Hands have their highest card
    first.
    """
    state = np.empty(1, np.uint64)
    for i in range(out.shape[0]):
        state[0] = np.uint64(seed) * _GOLDEN + np.uint64(first + i) * _STREAM
        state[0] = next_random(state)
        gone = taken[i]
        for h in range(out.shape[1]):
            hand, gone = complete_hand(state, np.uint64(0), gone, 0)
            write_hand(hand, out[i, h])


@kernel()
def deal_packs(seed, first, held, counts, dead, out):
    """Fill `out` (n, hands, 13) with what packs number first, first + 1, ... of a seed make.

    Each hand holds the cards of its mask in `held` (hands,), which are `counts` (hands,); no hand
    holds another card of `held` or one of the mask `dead`. Hands have their highest card first.
    """
    state = np.empty(1, np.uint64)
    known = np.uint64(dead)
    for h in range(held.shape[0]):
        known |= held[h]
    for i in range(out.shape[0]):
        state[0] = np.uint64(seed) * _GOLDEN + np.uint64(first + i) * _STREAM
        state[0] = next_random(state)
        gone = known
        for h in range(out.shape[1]):
            hand, gone = complete_hand(state, held[h], gone, counts[h])
            write_hand(hand, out[i, h])


@kernel()
def pair_disjoint(masks, partners):
    """Give each of `masks` (n,) the next one that shares no card and has none: `partners` (n,).

    Who finds none gets -1.
    """
    n = masks.shape[0]
    for i in range(n):
        partners[i] = -1
    for i in range(n):
        if partners[i] >= 0:
            continue
        for j in range(i + 1, n):
            if partners[j] < 0 and (masks[i] & masks[j]) == 0:
                partners[i] = j
                partners[j] = i
                break
