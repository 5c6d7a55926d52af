"""Arrangements of one deal: all legal ones, and those that no other beats in every row.

A split is written as three indices: of the front among the 286 three-card rows of the deal, of
the middle and of the back among its 1,287 five-card rows, in lexicographic order of positions.
Its *code* is `front * 252 + pair * 2 + swapped`, 0 to 72,071, where `pair` counts the 126 ways to
part the other ten cards and `swapped` says that the first part goes to the back.
"""

from itertools import combinations

import numpy as np

from cp_cli._kernels.jit import kernel
from cp_cli._kernels.rows import FIVES_OF_13, THREES_OF_13

SPLITS = 72_072
STRENGTHS = 7_918


def _pair_fives() -> np.ndarray:
    """Return (286, 126, 2) indices of the two five-card rows left by each front."""
    index = {c: i for i, c in enumerate(combinations(range(13), 5))}
    pairs = np.empty((286, 126, 2), dtype=np.uint16)
    halves = [(0, *rest) for rest in combinations(range(1, 10), 4)]
    others = [tuple(i for i in range(10) if i not in half) for half in halves]
    weights = 1 << np.arange(13)
    by_mask = np.zeros(1 << 13, dtype=np.uint16)
    for cards, i in index.items():
        by_mask[sum(1 << c for c in cards)] = i
    left = np.array([[c for c in range(13) if c not in front] for front in THREES_OF_13.tolist()])
    for side, choice in enumerate((np.array(halves), np.array(others))):
        pairs[:, :, side] = by_mask[weights[left[:, choice]].sum(axis=2)]
    return pairs


PAIRS = _pair_fives()


@kernel()
def split_rows(code, split):
    """Write the row indices (front, middle, back) of a split code into `split` (3,)."""
    pair = (code % 252) >> 1
    swapped = code & 1
    split[0] = code // 252
    split[1] = PAIRS[split[0], pair, swapped]
    split[2] = PAIRS[split[0], pair, 1 - swapped]


@kernel()
def split_cards(cards, code, out):
    """Write the 13 cards of a split, front first, then middle, then back, into `out` (13,)."""
    split = np.empty(3, np.int64)
    split_rows(code, split)
    for i in range(3):
        out[i] = cards[THREES_OF_13[split[0], i]]
    for i in range(5):
        out[3 + i] = cards[FIVES_OF_13[split[1], i]]
        out[8 + i] = cards[FIVES_OF_13[split[2], i]]


@kernel()
def list_legal(front, back, middle, order, codes):
    """Write the codes of all legal splits into `codes` (72072,) and return how many there are.

    `front` (286,) and `back` (1287,) are strengths on the common scale, `middle` (1287,) those
    that the middle is compared by; order = (low middle?, strict?, weakest middle allowed).
    """
    low, strict, floor = order
    n = 0
    for f in range(286):
        third = front[f]
        for pair in range(126):
            for swapped in range(2):
                m = PAIRS[f, pair, swapped]
                b = PAIRS[f, pair, 1 - swapped]
                if low:
                    legal = third <= back[b] and middle[m] >= floor
                elif strict:
                    legal = third < back[m] and back[m] < back[b]
                else:
                    legal = third <= back[m] and back[m] <= back[b]
                codes[n] = f * 252 + pair * 2 + swapped
                n += legal
    return n


@kernel()
def _order_fronts(front):
    """Return the indices of the fronts, strongest first."""
    # By insertion: the fronts of a sorted deal are nearly in order, and Numba's own sort takes
    # a second to compile.
    keys = np.empty(286, np.int32)
    for i in range(286):
        key = (8191 - np.int32(front[i])) * 512 + i
        place = i
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            place -= 1
        keys[place] = key
    for i in range(286):
        keys[i] &= 511
    return keys


@kernel()
def raise_ceiling(ceiling, strength, middle, last):
    """Record that a back of `strength` comes with `middle`: for it and weaker ones above `last`."""
    s = np.int64(strength)
    while s > last and ceiling[s] < middle:
        ceiling[s] = middle
        s -= 1


@kernel()
def list_undominated(front, back, middle, order, codes):
    """Write the codes of the splits that no other legal split equals or beats in all rows.

    Arguments as in `list_legal`; of splits equal in all three rows one is kept. Fronts are taken
    from the strongest down, so a split can be beaten only by what was kept before or by one with
    the same front: `ceiling[s]` is the best middle so far with a back of at least `s`.
    """
    low, strict, limit = order
    ceiling = np.empty(STRENGTHS, np.int32)
    for s in range(STRENGTHS):
        ceiling[s] = -1
    strengths = np.empty(1287, np.int32)
    strongest = 0
    for i in range(1287):
        strengths[i] = back[i]
        strongest = max(strongest, strengths[i])
    fronts = _order_fronts(front)
    highest_middle = -1
    n = 0
    first = 0
    for i in range(286):
        f = fronts[i]
        third = np.int32(front[f])
        if i > 0 and front[fronts[i - 1]] != third:
            n = _drop_dominated(codes, first, n, back, middle)
            first = n
        if low:
            n = _add_low_splits(f, third, limit, back, middle, ceiling, codes, n)
            continue
        # Nine of ten pairs end at these two tests, so they come before any other.
        floor = max(third - 1 + strict, ceiling[strongest])
        pairs = PAIRS[f]
        for pair in range(126):
            x = strengths[pairs[pair, 0]]
            if x > floor:
                y = strengths[pairs[pair, 1]]
                if y > floor:
                    m = min(x, y)
                    b = max(x, y)
                    if m > ceiling[b] and b > highest_middle and not (strict and m == b):
                        codes[n] = f * 252 + pair * 2 + (x > y)
                        n += 1
                        highest_middle = max(highest_middle, m)
                        # Backs no stronger than a middle end at `highest_middle`.
                        raise_ceiling(ceiling, b, m, m)
    return _drop_dominated(codes, first, n, back, middle)


@kernel()
def _add_low_splits(f, third, limit, back, middle, ceiling, codes, n):
    """Add the splits with front `f` where the middle is a low; return their number so far."""
    for option in range(252):
        m = PAIRS[f, option >> 1, option & 1]
        b = PAIRS[f, option >> 1, 1 - (option & 1)]
        if middle[m] > ceiling[back[b]] and third <= back[b] and middle[m] >= limit:
            codes[n] = f * 252 + option
            n += 1
            raise_ceiling(ceiling, back[b], middle[m], -1)
    return n


@kernel()
def _drop_dominated(codes, first, n, back, middle):
    """Drop codes[first:n] beaten by a later one (all have equally strong fronts)."""
    if n - first < 2:
        return n
    best = np.empty((n - first, 2), np.int16)
    split = np.empty(3, np.int64)
    for i in range(first, n):
        split_rows(codes[i], split)
        best[i - first, 0] = middle[split[1]]
        best[i - first, 1] = back[split[2]]
    kept = first
    for i in range(n - first):
        beaten = False
        for j in range(i + 1, n - first):
            if best[j, 0] >= best[i, 0] and best[j, 1] >= best[i, 1]:
                beaten = True
                break
        if not beaten:
            codes[kept] = codes[first + i]
            kept += 1
    return kept
