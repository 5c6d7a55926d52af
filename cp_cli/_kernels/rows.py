"""Strengths of rows: the tables, and the kernels that read them.

A *strength* is an int16 from 1 to 7,917, larger is stronger. One scale holds the 7,462 classes of
five-card rows and the 455 classes of three-card rows, because the foul test compares a front with
a middle: classes are ordered by category, then by the shared cards, then the five-card row wins.

Five cards are looked up by a sum. Each rank has a key such that no two multisets of five ranks
have the same sum of keys (found by a greedy search from the lowest rank up); above these 19 bits
each suit has a counter of three bits. A counter that reads five (0b101) moves the look-up into
the second half of the table, the flushes.
"""

from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from cp_cli._kernels.jit import kernel

RANK_KEYS = np.array(
    [0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415], dtype=np.int32
)
"""Additive keys of the ranks 2 to A; the sums of three are distinct as well."""

KEY_BITS = 19
KEY_MASK = (1 << KEY_BITS) - 1
FIVES = 0b001_001_001_001 << KEY_BITS
FLUSH_OFFSET = 4 * 79415 + 43258 + 1
TABLE_SIZE = FLUSH_OFFSET + 79415 + 43258 + 19998 + 12522 + 5624 + 1
THREE_SIZE = 3 * 79415 + 1

_HIGH_CARD, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _SF = range(9)
_WHEEL = 0b1_0000_0000_1111
_CATEGORY_OF_COUNTS = {(1,): _HIGH_CARD, (2, 1): _PAIR, (2, 2): _TWO_PAIR, (3, 1): _TRIPS,
                       (3, 2): _FULL_HOUSE, (4, 1): _QUADS, (3,): _TRIPS}  # fmt: skip


class RowTables(NamedTuple):
    """What the kernels read to rank rows under one ordering.

    Attributes:
        five: int16 (TABLE_SIZE,), strength of a five-card row by the sum of its cards' keys.
        three: int16 (THREE_SIZE,), strength of a three-card row by the sum of its rank keys.
        low: int16 (TABLE_SIZE,), deuce-to-seven strength, 7,462 is the best low (7-5-4-3-2).
        category: int8 (7918,), category of a strength (0 high card ... 8 straight flush).
        top: int8 (7918,), rank 0-12 of the group that names a strength (pair of kings: 11).
        size: int8 (7918,), number of cards of a strength's row: 3 or 5.
    """

    five: np.ndarray
    three: np.ndarray
    low: np.ndarray
    category: np.ndarray
    top: np.ndarray
    size: np.ndarray


def _list_classes() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return ranks (n, 5, -1 where absent), flush flags, table sums and sizes of all classes."""
    fives = [c for c in combinations_with_replacement(range(13), 5) if c[0] != c[4]]
    flushes = list(combinations(range(13), 5))
    threes = [(*c, -1, -1) for c in combinations_with_replacement(range(13), 3)]
    ranks = np.array(fives + flushes + threes, dtype=np.int8)
    flush = np.zeros(len(ranks), dtype=bool)
    flush[len(fives) : len(fives) + len(flushes)] = True
    size = np.full(len(ranks), 5, dtype=np.int8)
    size[len(fives) + len(flushes) :] = 3
    sums = np.where(ranks >= 0, RANK_KEYS[ranks], 0).sum(axis=1) + FLUSH_OFFSET * flush
    return ranks, flush, sums, size


def _order_classes(
    ranks: np.ndarray, flush: np.ndarray, size: np.ndarray, wheel: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sort keys, categories and naming ranks; wheel is low, second or none."""
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    # Groups from the largest count down, inside a count from the highest rank down; absent last.
    weight = np.where(counts > 0, counts * 16 + np.arange(13) + 1, 0)
    ordered = -np.sort(-weight, axis=1)[:, :5]
    shape = ordered // 16
    packed = ((ordered % 16) << np.array([16, 12, 8, 4, 0])).sum(axis=1)
    category = np.zeros(len(ranks), dtype=np.int64)
    for (first, *rest), value in _CATEGORY_OF_COUNTS.items():
        second = rest[0] if rest else 0
        category[(shape[:, 0] == first) & ((shape[:, 1] == second) | (first == 1))] = value
    mask = ((counts > 0) << np.arange(13)).sum(axis=1)
    run = (size == 5) & (shape[:, 0] == 1) & (ordered[:, 0] - ordered[:, 4] == 4)
    is_wheel = (size == 5) & (mask == _WHEEL) & (wheel != "none")
    # A straight is named by its top card; the wheel's is the five, or just below the ace.
    top = np.where(run, (ordered[:, 0] % 16) * 2, 0)
    top = np.where(is_wheel, 8 if wheel == "low" else 25, top)
    straight = run | is_wheel
    category = np.where(straight, _STRAIGHT, category)
    category = np.where(flush, np.where(straight, _SF, _FLUSH), category)
    detail = np.where(straight, top, packed)
    naming = np.where(is_wheel, 3, (ordered[:, 0] % 16) - 1)
    return (category << 24) + (detail << 1), category, naming


def build_tables(wheel: str = "low") -> RowTables:
    """Build the tables for one place of A-2-3-4-5: `low` (below 6-high) or `second`.

    >>> tables = build_tables()
    >>> int(tables.five.max()), int(np.count_nonzero(tables.five)), int(tables.low.max())
    (7917, 7462, 7462)
    """
    ranks, flush, sums, size = _list_classes()
    key, category, naming = _order_classes(ranks, flush, size, wheel)
    strength = np.argsort(np.argsort(key, kind="stable"), kind="stable") + 1
    by_five = size == 5
    five = np.zeros(TABLE_SIZE, dtype=np.int16)
    five[sums[by_five]] = strength[by_five]
    three = np.zeros(THREE_SIZE, dtype=np.int16)
    three[sums[~by_five]] = strength[~by_five]
    low_key, _, _ = _order_classes(ranks[by_five], flush[by_five], size[by_five], "none")
    low = np.zeros(TABLE_SIZE, dtype=np.int16)
    low[sums[by_five]] = len(low_key) - np.argsort(np.argsort(low_key))
    by_strength = [np.zeros(len(key) + 1, dtype=np.int8) for _ in range(3)]
    for values, target in zip((category, naming, size), by_strength, strict=True):
        target[strength] = values
    return RowTables(five, three, low, *by_strength)


FIVES_OF_13 = np.array(list(combinations(range(13), 5)), dtype=np.uint8)
"""The 1,287 five-card rows of a deal as positions, in lexicographic order."""
THREES_OF_13 = np.array(list(combinations(range(13), 3)), dtype=np.uint8)
"""The 286 three-card rows of a deal as positions, in lexicographic order."""
_TWOS = list(combinations(range(13), 2))
_TWOS_OF_13 = np.array(_TWOS, dtype=np.uint8)
_THREE_INDEX = {c: i for i, c in enumerate(combinations(range(13), 3))}
_TWO_INDEX = {c: i for i, c in enumerate(_TWOS)}
_HEAD = np.array([_THREE_INDEX[c[:3]] for c in combinations(range(13), 5)], dtype=np.uint16)
_TAIL = np.array([_TWO_INDEX[c[3:]] for c in combinations(range(13), 5)], dtype=np.uint16)


@kernel()
def rank_row5(cards, table):
    """Return the strength of five cards in `table` (five or low)."""
    total = np.int32(0)
    for i in range(5):
        total += RANK_KEYS[cards[i] >> 2] + (1 << (KEY_BITS + 3 * (cards[i] & 3)))
    flush = (total & (total >> 2) & FIVES) != 0
    return table[(total & KEY_MASK) + (FLUSH_OFFSET if flush else 0)]


@kernel()
def rank_row3(cards, table):
    """Return the strength of three cards in `table` (three)."""
    return table[RANK_KEYS[cards[0] >> 2] + RANK_KEYS[cards[1] >> 2] + RANK_KEYS[cards[2] >> 2]]


@kernel()
def rank_rows_of_deal(cards, five, three, front, back):
    """Fill `front` (286,) and `back` (1287,) with the strengths of all rows of a deal.

    Sums of three cards are shared by all five-card rows that begin with them.
    """
    keys = np.empty(13, np.int32)
    for i in range(13):
        keys[i] = RANK_KEYS[cards[i] >> 2] + (1 << (KEY_BITS + 3 * (cards[i] & 3)))
    heads = np.empty(286, np.int32)
    for i in range(286):
        a, b, c = THREES_OF_13[i, 0], THREES_OF_13[i, 1], THREES_OF_13[i, 2]
        heads[i] = keys[a] + keys[b] + keys[c]
        front[i] = three[heads[i] & KEY_MASK]
    tails = np.empty(78, np.int32)
    for i in range(78):
        tails[i] = keys[_TWOS_OF_13[i, 0]] + keys[_TWOS_OF_13[i, 1]]
    for i in range(1287):
        total = heads[_HEAD[i]] + tails[_TAIL[i]]
        flush = (total & (total >> 2) & FIVES) != 0
        back[i] = five[(total & KEY_MASK) + (FLUSH_OFFSET if flush else 0)]


@kernel()
def rank_all_rows5(table, out):
    """Fill `out` (2598960,) with the strengths of all five-card rows in lexicographic order."""
    n = 0
    row = np.empty(5, np.int64)
    for a in range(48):
        row[0] = a
        for b in range(a + 1, 49):
            row[1] = b
            for c in range(b + 1, 50):
                row[2] = c
                for d in range(c + 1, 51):
                    row[3] = d
                    for e in range(d + 1, 52):
                        row[4] = e
                        out[n] = rank_row5(row, table)
                        n += 1
