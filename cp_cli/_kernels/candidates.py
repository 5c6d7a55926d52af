"""The splits of a deal worth considering, as arranged deals."""

import numpy as np

from cp_cli._kernels.jit import kernel
from cp_cli._kernels.opponents import ALL_BEATEN, BEATEN_ALIKE, FOUL, write_arranged
from cp_cli._kernels.rows import rank_rows_of_deal
from cp_cli._kernels.splits import (
    STRENGTHS,
    list_legal,
    list_undominated,
    split_rows,
)

HASH_SIZE = 1 << 16


@kernel()
def list_distinct(front, back, middle, codes, n, groups):
    """Keep one of all splits with the same three strengths; return how many there are.

    `codes` (>= n,) is compacted in place and `groups` (>= n,) says for each of the n splits, in
    their old order, where its like now stands.
    """
    # All 72,072 splits of thirteen cards of one suit differ where the middle is a low.
    size = HASH_SIZE if n < HASH_SIZE // 2 else 2 * HASH_SIZE
    keys = np.empty(size, np.int64)
    for slot in range(size):
        keys[slot] = -1
    places = np.empty(size, np.int32)
    split = np.empty(3, np.int64)
    kept = 0
    for i in range(n):
        split_rows(codes[i], split)
        key = (np.int64(front[split[0]]) << 26) + (np.int64(middle[split[1]]) << 13)
        key += back[split[2]]
        slot = ((key * 0x9E3779B97F4A7C1) >> 20) & (size - 1)
        while keys[slot] != key and keys[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        if keys[slot] < 0:
            keys[slot] = key
            places[slot] = kept
            codes[kept] = codes[i]
            kept += 1
        groups[i] = places[slot]
    return kept


@kernel()
def rank_deal(cards, game, front, back, middle):
    """Fill the strengths of all rows of a deal: front (286,), back and middle (1287,)."""
    rank_rows_of_deal(cards, game.five, game.three, front, back)
    if game.low:
        rank_rows_of_deal(cards, game.middle, game.three, front, middle)
    else:
        for i in range(1287):
            middle[i] = back[i]


@kernel()
def list_candidates(front, back, middle, game, codes, groups):
    """Write the splits worth considering into `codes` (72072,); return how many there are.

    There is always one: a deal without a legal split has the code FOUL.
    """
    order = (game.low, game.strict, game.floor)
    if game.pruning == ALL_BEATEN:
        n = list_undominated(front, back, middle, order, codes)
    else:
        n = list_legal(front, back, middle, order, codes)
        n = list_distinct(front, back, middle, codes, n, groups)
        if game.pruning == BEATEN_ALIKE:
            n = drop_beaten_alike(front, back, middle, game, codes, n)
    if n == 0:
        codes[0] = FOUL
        n = 1
    return n


@kernel()
def drop_beaten_alike(front, back, middle, game, codes, n):
    """Keep the first n splits that none of the same royalties equals or beats in every row.

    The splits are taken from the strongest front down, and among equal fronts from the strongest
    middle down: `ceiling[p, s]` is the best middle so far of profile p with a back of at least s.
    """
    fronts, middles, backs = game.profiles
    ceiling = np.empty((fronts * middles * backs, STRENGTHS), np.int16)
    for profile in range(ceiling.shape[0]):
        for s in range(STRENGTHS):
            ceiling[profile, s] = -1
    order = np.empty(n, np.int64)
    split = np.empty(3, np.int64)
    for i in range(n):
        split_rows(codes[i], split)
        strengths = (np.int64(front[split[0]]) << 26) + (np.int64(middle[split[1]]) << 13)
        order[i] = ((strengths + back[split[2]]) << 24) + codes[i]
    order.sort()
    kept = 0
    for i in range(n - 1, -1, -1):
        code = order[i] & ((1 << 24) - 1)
        split_rows(code, split)
        m, b = middle[split[1]], back[split[2]]
        profile = game.classes[0, front[split[0]]] * middles + game.classes[1, back[split[1]]]
        profile = profile * backs + game.classes[2, b]
        if m > ceiling[profile, b]:
            codes[kept] = code
            kept += 1
            # Weaker backs of the profile have the same ceiling at least.
            while b >= 0 and ceiling[profile, b] < m:
                ceiling[profile, b] = m
                b -= 1
    return kept


@kernel()
def write_heroes(codes, n, front, back, middle, game, heroes):
    """Write the arranged deals of the first n `codes` into the rows of `heroes` (>= n, 8)."""
    split = np.empty(3, np.int64)
    columns = heroes.T
    for i in range(n):
        if codes[i] == FOUL:
            for c in range(heroes.shape[1]):
                heroes[i, c] = 0
            continue
        split_rows(codes[i], split)
        b = split[2]
        m = split[1]
        write_arranged(i, front[split[0]], middle[m], back[m], back[b], game, columns)
