"""The tables that rank rows, in plain NumPy: whoever looks up a few rows need not load Numba.

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

RANK_KEYS = np.array(
    [0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415], dtype=np.int32
)
"""Additive keys of the ranks 2 to A; the sums of three are distinct as well."""

KEY_BITS = 19
KEY_MASK = (1 << KEY_BITS) - 1
FIVES = 0b001_001_001_001 << KEY_BITS
CARD_KEYS = np.array(
    [int(RANK_KEYS[card >> 2]) + (1 << (KEY_BITS + 3 * (card & 3))) for card in range(52)],
    dtype=np.int32,
)
"""The key of a card's rank and one in the counter of its suit."""
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
        category: int8 (7918,), category of a strength (0 high card ... 8 straight flush).
        top: int8 (7918,), rank 0-12 of the group that names a strength (pair of kings: 11).
        size: int8 (7918,), number of cards of a strength's row: 3 or 5.

    """

    five: np.ndarray
    three: np.ndarray
    category: np.ndarray
    top: np.ndarray
    size: np.ndarray


def _list_classes() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return ranks (n, 5, -1 where absent), flush flags, table sums and sizes of all classes."""
    fives = [c for c in combinations_with_replacement(range(13), 5) if c[0] != c[4]]
    flushes = list(combinations(range(13), 5))
    threes = [(*c, -1, -1) for c in combinations_with_replacement(range(13), 3)]
    ranks = np.array(fives + flushes + threes, dtype=np.int64)
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
    cells = np.arange(len(ranks))[:, None] * 14 + ranks + 1  # absent cards count in the first
    counts = np.bincount(cells.ravel(), minlength=len(ranks) * 14).reshape(-1, 14)[:, 1:]
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


def _number_keys(keys: np.ndarray) -> np.ndarray:
    """Return the place of each key in their order, from 1."""
    places = np.empty(len(keys), dtype=np.int16)
    places[np.argsort(keys, kind="stable")] = np.arange(1, len(keys) + 1)
    return places


def build_tables(wheel: str = "low") -> RowTables:
    """Build the tables for one place of A-2-3-4-5: `low` (below 6-high) or `second`.

    >>> tables = build_tables()
    >>> int(tables.five.max()), int(np.count_nonzero(tables.five))
    (7917, 7462)
    """
    ranks, flush, sums, size = _list_classes()
    key, category, naming = _order_classes(ranks, flush, size, wheel)
    strength = _number_keys(key)
    by_five = size == 5
    five = np.zeros(TABLE_SIZE, dtype=np.int16)
    five[sums[by_five]] = strength[by_five]
    three = np.zeros(THREE_SIZE, dtype=np.int16)
    three[sums[~by_five]] = strength[~by_five]
    by_strength = [np.zeros(len(key) + 1, dtype=np.int8) for _ in range(3)]
    for values, target in zip((category, naming, size), by_strength, strict=True):
        target[strength] = values
    return RowTables(five, three, *by_strength)


def build_low_table() -> np.ndarray:
    """Build the deuce-to-seven strengths, int16 (TABLE_SIZE,), by the sum of five cards' keys.

    The ace is high only; 7-5-4-3-2 of mixed suits is the best.

    >>> int(build_low_table().max())
    7462
    """
    classes = _list_classes()
    fives = classes[3] == 5
    ranks, flush, sums, size = (values[fives] for values in classes)
    key, _, _ = _order_classes(ranks, flush, size, "none")
    low = np.zeros(TABLE_SIZE, dtype=np.int16)
    low[sums] = _number_keys(-key)
    return low


FIVES_OF_13 = np.array(list(combinations(range(13), 5)), dtype=np.uint8)
"""The 1,287 five-card rows of a deal as positions, in lexicographic order."""
THREES_OF_13 = np.array(list(combinations(range(13), 3)), dtype=np.uint8)
"""The 286 three-card rows of a deal as positions, in lexicographic order."""
