"""Strengths of rows: the kernels that read the tables of `tables`."""

from itertools import combinations

import numpy as np

from cp_cli._kernels.jit import kernel
from cp_cli._kernels.tables import (
    CARD_KEYS,
    FIVES,
    FIVES_OF_13,
    FLUSH_OFFSET,
    KEY_BITS,
    KEY_MASK,
    RANK_KEYS,
    TABLE_SIZE,
    THREE_SIZE,
    THREES_OF_13,
    RowTables,
    build_tables,
)

__all__ = [
    "CARD_KEYS",
    "FIVES",
    "FIVES_OF_13",
    "FLUSH_OFFSET",
    "KEY_BITS",
    "KEY_MASK",
    "RANK_KEYS",
    "TABLE_SIZE",
    "THREES_OF_13",
    "THREE_SIZE",
    "RowTables",
    "build_tables",
    "rank_all_rows5",
    "rank_row3",
    "rank_row5",
    "rank_rows_of_deal",
]

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
        total += CARD_KEYS[cards[i]]
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
        keys[i] = CARD_KEYS[cards[i]]
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
