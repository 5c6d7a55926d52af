"""Naturals: thirteen cards that win as they are.

A deal is packed once: a counter of four bits for each rank, and for each suit the mask of its
ranks (a *lane*). Most kinds are then a few operations on masks. Three straights are looked up
among the packed sums of one run of three and two runs of five; three flushes follow from the
numbers of cards in the suits.

A *place* is the position of a natural in the ruleset's order, 0 is the weakest. A *tie* is its
tie-break: of two holders of the same place the larger tie is the stronger, equal ties are equal.
"""

from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from cp_cli._kernels.jit import kernel
from cp_cli._kernels.tables import FLUSH_OFFSET, RANK_KEYS
from cp_cli.arrangement import Natural

(
    SIX_PAIRS, FIVE_PAIRS_TRIPS, THREE_STRAIGHTS, THREE_FLUSHES, THREE_STRAIGHT_FLUSHES,
    FOUR_TRIPS, THREE_QUADS, ONE_COLOUR, TWELVE_ONE_COLOUR, SMALL, BIG, ALL_LOW, ALL_HIGH,
    NO_PICTURES, TWELVE_PICTURES, TWELVE_ROYALTIES, DRAGON, ONE_SUIT, CLEAN_DRAGON,
) = range(len(Natural))  # fmt: skip


class NaturalSpec(NamedTuple):
    """The naturals of a ruleset as the kernels read them, weakest first.

    Attributes:
        kinds: int64 (n,), each natural's position in the Natural enum.
        units: int64 (n,), what each is paid.
        equal_by_units: are different naturals of the same units equal?
        difference: of two naturals, is the difference paid instead of the higher?
        quads_as_two_pairs, trips_as_pair: in six pairs, and quads in five pairs and trips too.
        odd_card_breaks_tie: is the odd card of six pairs compared?
        front_qka: is Q-K-A a straight of three cards?
        ace_low_in_small: does an ace count as low, too?
        ace_is_picture: does an ace count as a picture?
        wheel_second: is A-2-3 the second highest straight of three, A-2-3-4-5 of five?

    """

    kinds: np.ndarray
    units: np.ndarray
    equal_by_units: bool
    difference: bool
    quads_as_two_pairs: bool
    trips_as_pair: bool
    odd_card_breaks_tie: bool
    front_qka: bool
    ace_low_in_small: bool
    ace_is_picture: bool
    wheel_second: bool


# --- tables --------------------------------------------------------------------------------------

_ALL = (1 << 13) - 1
_JQKA = 0b1111 << 9
_JQK = 0b0111 << 9
_ACE = 1 << 12
_LOW = 0b0000_0111_1111  # 2 to 8
_HIGH = _ALL & ~0b11_1111  # 8 to A
_QKA_RUN = 11  # its number among the runs of three

POPCOUNT = np.array([bin(mask).count("1") for mask in range(1 << 13)], dtype=np.uint8)

# A run's number is the position of its top card among those that can be one: A-2-3 is 0,
# 2-3-4 is 1; A-2-3-4-5 is 0, 2-3-4-5-6 is 1.
_RUNS3 = [(12, 0, 1), *((r, r + 1, r + 2) for r in range(11))]
_RUNS5 = [(12, 0, 1, 2, 3), *(tuple(range(r, r + 5)) for r in range(9))]
_MASKS3 = [sum(1 << r for r in run) for run in _RUNS3]
_MASKS5 = [sum(1 << r for r in run) for run in _RUNS5]
RUN_MASKS = np.array(_MASKS5, dtype=np.int64)
RUN_KEYS = np.array([sum(int(RANK_KEYS[r]) for r in run) for run in _RUNS5], dtype=np.int64)


def _sum_runs() -> tuple[np.ndarray, np.ndarray]:
    """Return the packed rank counts of a run of three and two of five, and which runs they are.

    A part is written `front + 12 * low run + 120 * high run`. Sums are sorted.
    """
    parts = sorted(
        (sum(1 << (4 * r) for run in (_RUNS3[a], _RUNS5[b], _RUNS5[c]) for r in run),
         a + 12 * b + 120 * c)
        for a in range(12) for b, c in combinations_with_replacement(range(10), 2)
    )  # fmt: skip
    sums, codes = zip(*parts, strict=True)
    return np.array(sums, dtype=np.int64), np.array(codes, dtype=np.int64)


RUN_SUMS, RUN_PARTS = _sum_runs()
# Where the parts of a packed sum start, found by hashing; -1 ends a chain.
_HASH_BITS = 11
_HASH_FACTOR = 0x2545F4914F6CDD1D


def _hash_sums() -> np.ndarray:
    """Return (2048,) the first part of each different sum at or after its hash value."""
    table = np.full((1 << _HASH_BITS) + 1, -1, dtype=np.int16)
    for i, total in enumerate(RUN_SUMS.tolist()):
        if i and total == RUN_SUMS[i - 1]:
            continue
        slot = _hash_sum(total)
        while table[slot] >= 0:
            slot = (slot + 1) & ((1 << _HASH_BITS) - 1)
        table[slot] = i
    return table


def _hash_sum(total: int) -> int:
    return ((total * _HASH_FACTOR) & ((1 << 64) - 1)) >> (64 - _HASH_BITS)


RUN_STARTS = _hash_sums()


def _cut_lanes() -> np.ndarray:
    """Tell for each lane whether it parts into straights: 2 yes, 1 only with Q-K-A, 0 no.

    Its number of cards says how many straights of three and of five it must give.
    """
    cut = np.zeros(1 << 13, dtype=np.uint8)
    cut[0] = 2
    fives = [0, *_MASKS5, *(a | b for a, b in combinations(_MASKS5, 2) if not a & b)]
    for five in fives:
        cut[five] = 2
        for number, three in enumerate(_MASKS3):
            if not five & three:
                rank = 1 if number == _QKA_RUN else 2
                cut[five | three] = max(cut[five | three], rank)
    return cut


LANE_CUTS = _cut_lanes()


# --- kernels -------------------------------------------------------------------------------------


@kernel()
def pack_deal(cards, lanes):
    """Write the four suits' masks of ranks into `lanes` (4,); return the packed rank counts."""
    counts = np.int64(0)
    for suit in range(4):
        lanes[suit] = 0
    for i in range(13):
        rank = np.int64(cards[i] >> 2)
        lanes[cards[i] & 3] |= np.int64(1) << rank
        counts += np.int64(1) << (4 * rank)
    return counts


@kernel()
def find_runs(counts):
    """Return the first part of the packed rank counts in RUN_PARTS, -1 if there is none."""
    slot = np.int64((np.uint64(counts) * np.uint64(_HASH_FACTOR)) >> np.uint64(64 - _HASH_BITS))
    start = np.int64(RUN_STARTS[slot])
    while start >= 0 and RUN_SUMS[start] != counts:
        slot = (slot + 1) & ((1 << _HASH_BITS) - 1)
        start = np.int64(RUN_STARTS[slot])
    return start
