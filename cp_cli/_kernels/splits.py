"""Arrangements of one deal: all legal ones, and those that no other beats in every row.

A split is written as three indices: of the front among the 286 three-card rows of the deal, of
the middle and of the back among its 1,287 five-card rows, in lexicographic order of positions.
Its *code* is `front * 252 + pair * 2 + swapped`, 0 to 72,071, where `pair` counts the 126 ways to
part the other ten cards and `swapped` says that the first part goes to the back.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from cp_cli._kernels.jit import kernel
from cp_cli._kernels.rows import FIVES_OF_13, THREES_OF_13

SPLITS = 72_072
STRENGTHS = 7_918
ALL_CARDS = (1 << 13) - 1
THREE_MASKS, FIVE_MASKS = (
    (1 << rows.astype(np.int64)).sum(axis=1).astype(np.uint16)
    for rows in (THREES_OF_13, FIVES_OF_13)
)
"""The rows of a deal as masks: bit i is the card at position i."""


def _pair_fives() -> np.ndarray:
    """Return (286, 126, 2) indices of the two five-card rows left by each front."""
    pairs = np.empty((286, 126, 2), dtype=np.uint16)
    halves = [(0, *rest) for rest in combinations(range(1, 10), 4)]
    others = [tuple(i for i in range(10) if i not in half) for half in halves]
    weights = 1 << np.arange(13)
    by_mask = np.zeros(ALL_CARDS + 1, dtype=np.uint16)
    by_mask[FIVE_MASKS] = np.arange(1287)
    left = np.array([[c for c in range(13) if c not in front] for front in THREES_OF_13.tolist()])
    for side, choice in enumerate((np.array(halves), np.array(others))):
        pairs[:, :, side] = by_mask[weights[left[:, choice]].sum(axis=2)]
    return pairs


PAIRS = _pair_fives()


def _number_choices() -> np.ndarray:
    """Return uint8 (1024,): `pair * 2 + swapped` by the mask of the back among ten cards."""
    choices = np.zeros(1 << 10, dtype=np.uint8)
    for pair, rest in enumerate(combinations(range(1, 10), 4)):
        half = sum(1 << card for card in (0, *rest))
        choices[half] = pair * 2 + 1
        choices[1023 - half] = pair * 2
    return choices


CHOICES = _number_choices()


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


class Backs(NamedTuple):
    """The five-card rows of a deal as backs, from the strongest down, each array (1287,).

    Attributes:
        masks: uint16, the cards.
        strengths: int16.
        allowed: int16, no stronger middle is legal, or to be had.
        ceiling: int16, the strongest middle kept so far with this back or a stronger one.

    """

    masks: np.ndarray
    strengths: np.ndarray
    allowed: np.ndarray
    ceiling: np.ndarray


@kernel()
def _sort_rows(strengths):
    """Return the indices of rows from the strongest down, equal ones in their old order."""
    # By counting, first the low seven bits and then the high ones: it looks at each row twice
    # however mixed they are, and Numba's own sort takes a second to compile.
    size = len(strengths)
    order = np.arange(size).astype(np.uint16)
    placed = np.empty(size, np.uint16)
    for shift in range(0, 14, 7):
        places = np.zeros(128, np.int32)
        for i in range(size):
            places[(strengths[i] >> shift) & 127] += 1
        before = 0
        for digit in range(127, -1, -1):
            count = places[digit]
            places[digit] = before
            before += count
        for i in range(size):
            digit = (strengths[order[i]] >> shift) & 127
            placed[places[digit]] = order[i]
            places[digit] += 1
        order, placed = placed, order
    return order


@kernel()
def _find_code(f, back):
    """Return the code of the split with front `f` whose back has the mask `back`."""
    # Close the gaps that the front leaves, from the last: ten bits remain for ten cards.
    mask = np.int64(back)
    for i in range(2, -1, -1):
        below = (1 << np.int64(THREES_OF_13[f, i])) - 1
        mask = (mask & below) | ((mask >> 1) & ~below)
    return f * 252 + CHOICES[mask]


@kernel()
def list_undominated(front, back, middle, order, codes):
    """Write the codes of the splits that no other legal split equals or beats in all rows.

    Arguments as in `list_legal`; of splits equal in all three rows that of the smallest code is
    kept. Fronts are taken from the strongest down and, with each, backs from the strongest down.
    So a split can be beaten only by what was kept before, unless fronts are equally strong, and
    what was kept comes to one number for each back: the best middle with it or a stronger one,
    its ceiling. Only a middle above the ceiling is news, and soon most backs can have none.
    The codes are in the order of the fronts, those with equally strong fronts ascending.
    """
    low, strict, weakest = order
    fronts = _sort_rows(front)
    backs = _line_up_backs(back, middle, low, strict)
    by_mask = np.zeros(ALL_CARDS + 1, np.int16)
    for i in range(1287):
        by_mask[FIVE_MASKS[i]] = middle[i]
    n = 0
    first = 0
    end = 0
    for i in range(286):
        f = np.int64(fronts[i])
        third = front[f]
        if i > 0 and third != front[fronts[i - 1]]:
            first = n
        floor = np.int16(weakest - 1 if low else third - 1 + strict)
        end = _count_open(backs, third, floor, end)
        start = n
        n = _add_splits(f, floor, by_mask, backs, end, codes, n)
        if first < start < n:
            n = _drop_beaten(codes, first, start, n, back, middle)
    return n


@kernel()
def _line_up_backs(back, middle, low, strict):
    """Return all five-card rows as backs, from the strongest down, with nothing kept yet."""
    order = _sort_rows(back)
    masks = np.empty(1287, np.uint16)
    strengths = np.empty(1287, np.int16)
    allowed = np.empty(1287, np.int16)
    best = max(middle)
    for k in range(1287):
        masks[k] = FIVE_MASKS[order[k]]
        strengths[k] = back[order[k]]
        allowed[k] = best if low else strengths[k] - strict
    return Backs(masks, strengths, allowed, np.zeros(1287, np.int16))


@kernel()
def _count_open(backs, third, floor, end):
    """Return how many backs may yet have a new middle with a front of strength `third`.

    They are the first ones: further down, less is allowed and the ceiling is higher. `end` is
    their number with the front before, beyond which ceilings are out of date.
    """
    # Both loops end by their own conditions: with a `break` in one, Numba counts references to
    # the arrays in each call, which takes longer than the loops.
    while end > 0 and backs.allowed[end - 1] <= max(backs.ceiling[end - 1], floor):
        end -= 1
    while (
        end < 1287
        and backs.strengths[end] >= third
        and backs.allowed[end] > max(backs.ceiling[end], backs.ceiling[max(end - 1, 0)], floor)
    ):
        backs.ceiling[end] = max(backs.ceiling[end], backs.ceiling[max(end - 1, 0)])
        end += 1
    return end


@kernel()
def _add_splits(f, floor, by_mask, backs, end, codes, n):
    """Add the splits with front `f`, one of `end` backs and a new middle to the first n codes.

    Returns the number of codes. Those added are ascending, and none of them beats another.
    """
    start = n
    rest = np.uint16(ALL_CARDS ^ THREE_MASKS[f])
    for k in range(end):
        # What a back that shares cards with the front leaves is no row of five: strength 0.
        m = by_mask[rest ^ backs.masks[k]]
        if m <= max(backs.ceiling[k], floor) or m > backs.allowed[k]:
            continue
        code = _find_code(f, backs.masks[k])
        alike = k + 1
        while alike < end and backs.strengths[alike] == backs.strengths[k]:
            other = by_mask[rest ^ backs.masks[alike]]
            if m <= other <= backs.allowed[k]:
                found = _find_code(f, backs.masks[alike])
                code = found if other > m else min(code, found)
                m = other
            alike += 1
        place = n
        while place > start and codes[place - 1] > code:
            codes[place] = codes[place - 1]
            place -= 1
        codes[place] = code
        n += 1
        j = k
        while j > 0 and backs.strengths[j - 1] == backs.strengths[k]:
            j -= 1
        while j < end and backs.ceiling[j] < m:
            backs.ceiling[j] = m
            j += 1
    return n


@kernel()
def _drop_beaten(codes, first, start, n, back, middle):
    """Drop codes[first:start] that one of codes[start:n] beats; return how many codes remain.

    The fronts of all of them are equally strong.
    """
    split = np.empty(3, np.int64)
    other = np.empty(3, np.int64)
    kept = first
    for i in range(first, n):
        split_rows(codes[i], split)
        beaten = False
        for j in range(start, n if i < start else start):
            split_rows(codes[j], other)
            beaten |= middle[other[1]] >= middle[split[1]] and back[other[2]] >= back[split[2]]
        codes[kept] = codes[i]
        kept += not beaten
    return kept
