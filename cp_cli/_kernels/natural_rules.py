"""Naturals: thirteen cards that win as they are.

A deal is packed once: a counter of four bits for each rank, and for each suit the mask of its
ranks (a *lane*). Most kinds are then a few operations on masks. Three straights are looked up
among the packed sums of one run of three and two runs of five; three flushes follow from the
numbers of cards in the suits.

A *place* is the position of a natural in the ruleset's order, 0 is the weakest. A *tie* is its
tie-break: of two holders of the same place the larger tie is the stronger, equal ties are equal.

Everything here is plain Python that Numba can compile, too (see `naturals`): one table is settled
without loading Numba, millions of deals by the same lines compiled. `cards` may be any sequence
of ints, of an array, too.
"""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from cp_cli._kernels.tables import FLUSH_OFFSET, RANK_KEYS
from cp_cli.arrangement import Natural

(
    SIX_PAIRS, FIVE_PAIRS_TRIPS, THREE_STRAIGHTS, THREE_FLUSHES, THREE_STRAIGHT_FLUSHES,
    FOUR_TRIPS, THREE_QUADS, ONE_COLOUR, TWELVE_ONE_COLOUR, SMALL, BIG, ALL_LOW, ALL_HIGH,
    NO_PICTURES, TWELVE_PICTURES, TWELVE_ROYALTIES, DRAGON, ONE_SUIT, CLEAN_DRAGON,
) = range(len(Natural))  # fmt: skip


Cards = Sequence[int] | np.ndarray


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

_BITS = np.arange(1 << 13)[:, None] >> np.arange(13) & 1
POPCOUNT = _BITS.sum(axis=1).astype(np.uint8)

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
_SLOTS = 2039  # a prime about four times the number of different sums


def _hash_sums() -> np.ndarray:
    """Return (2039,) the first part of each different sum, at its remainder or the next free."""
    table = np.full(_SLOTS, -1, dtype=np.int16)
    for i, total in enumerate(RUN_SUMS.tolist()):
        if i and total == RUN_SUMS[i - 1]:
            continue
        slot = total % _SLOTS
        while table[slot] >= 0:
            slot = (slot + 1) % _SLOTS
        table[slot] = i
    return table


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
LANE_KEYS = _BITS @ RANK_KEYS.astype(np.int64)
"""Sum of the table keys of a lane's cards."""
# Numbers of cards of a suit that part into flushes, as bits.
_FLUSH_SIZES = np.int64(sum(1 << n for n in (0, 3, 5, 8, 10, 13)))
_ROYAL = 0b11111 << 8
_NINE_HIGH = 0b11111 << 3
_FOUR_HIGH = 0b111


# --- functions -----------------------------------------------------------------------------------


def count_ranks(cards: Cards) -> np.int64:
    """Return the number of cards of each rank, four bits each, the deuces lowest."""
    counts = np.int64(0)
    for i in range(13):
        counts += np.int64(1) << (4 * np.int64(cards[i] >> 2))
    return counts


def pack_lanes(cards: Cards) -> np.int64:
    """Return the four lanes, 13 bits each, clubs lowest."""
    lanes = np.int64(0)
    for i in range(13):
        lanes |= np.int64(1) << (13 * np.int64(cards[i] & 3) + np.int64(cards[i] >> 2))
    return lanes


def find_runs(counts):
    """Return the first of the parts in RUN_PARTS that make these rank counts, -1 if none do."""
    slot = counts % _SLOTS
    start = np.int64(RUN_STARTS[slot])
    while start >= 0 and RUN_SUMS[start] != counts:
        slot = (slot + 1) % _SLOTS
        start = np.int64(RUN_STARTS[slot])
    return start


def find_kinds(lanes: np.int64, counts: np.int64, spec: NaturalSpec) -> np.int64:
    """Return the naturals held as bits, at the positions of the Natural enum."""
    c = lanes & _ALL
    d = lanes >> 13 & _ALL
    h = lanes >> 26 & _ALL
    s = lanes >> 39
    some = c | d | h | s
    odd = c ^ d ^ h ^ s
    trips = (c & d & (h | s)) | (h & s & (c | d))  # three or four
    quads = c & d & h & s
    just_trips = trips & ~quads
    one_odd = odd & (odd - 1) == 0
    quads_fit = spec.quads_as_two_pairs or quads == 0
    red = POPCOUNT[d] + POPCOUNT[h]
    small = _LOW | _ACE if spec.ace_low_in_small else _LOW
    pictures = _JQKA if spec.ace_is_picture else _JQK

    trips_fit = spec.trips_as_pair or just_trips == 0
    held = np.int64(one_odd and quads_fit and trips_fit) << SIX_PAIRS
    held |= np.int64(one_odd and quads_fit and odd == just_trips) << FIVE_PAIRS_TRIPS
    held |= np.int64(POPCOUNT[trips] == 4) << FOUR_TRIPS
    held |= np.int64(POPCOUNT[quads] == 3) << THREE_QUADS
    held |= np.int64(red == 0 or red == 13) << ONE_COLOUR
    held |= np.int64(red == 1 or red == 12) << TWELVE_ONE_COLOUR
    held |= np.int64(some & ~small == 0) * (1 << SMALL | 1 << ALL_LOW)
    held |= np.int64(some & ~_HIGH == 0) * (1 << BIG | 1 << ALL_HIGH)
    held |= np.int64(some & pictures == 0) << NO_PICTURES
    held |= np.int64(quads & _JQK == _JQK) << TWELVE_PICTURES
    held |= np.int64(some & ~_JQKA == 0) << TWELVE_ROYALTIES
    held |= np.int64(some == _ALL) << DRAGON
    one_suit = c == _ALL or d == _ALL or h == _ALL or s == _ALL
    held |= np.int64(one_suit) * (1 << ONE_SUIT | 1 << CLEAN_DRAGON)
    least = min(LANE_CUTS[c], LANE_CUTS[d], LANE_CUTS[h], LANE_CUTS[s])
    held |= np.int64(least >= 2 - spec.front_qka) << THREE_STRAIGHT_FLUSHES
    flushes = (
        (_FLUSH_SIZES >> POPCOUNT[c]) & (_FLUSH_SIZES >> POPCOUNT[d])
        & (_FLUSH_SIZES >> POPCOUNT[h]) & (_FLUSH_SIZES >> POPCOUNT[s]) & 1
    )  # fmt: skip
    held |= np.int64(flushes) << THREE_FLUSHES
    held |= np.int64(holds_straights(counts, spec.front_qka)) << THREE_STRAIGHTS
    return held


def holds_straights(counts: np.int64, front_qka: bool) -> bool:
    """Tell whether the ranks part into three straights."""
    part = find_runs(counts)
    while 0 <= part < RUN_SUMS.size and RUN_SUMS[part] == counts:
        if front_qka or RUN_PARTS[part] % 12 != _QKA_RUN:
            return True
        part += 1
    return False


def find_suits(run, lanes):
    """Return the suits, as bits, that hold a whole run of five."""
    mask = RUN_MASKS[run]
    suits = 0
    for suit in range(4):
        suits |= np.int64(lanes >> (13 * suit) & mask == mask) << suit
    return suits


def pack_tie(one, two, front):
    """Return the tie of three rows; the better of the first two is the back."""
    return np.int64(max(one, two)) << 26 | np.int64(min(one, two)) << 13 | np.int64(front)


def tie_straights(lanes, counts, spec, five):
    """Return the tie of three straights, over all ways to part the cards.

    Suits matter only where a whole row can be taken in one suit: it is a straight flush then.
    """
    best = np.int64(-1)
    part = find_runs(counts)
    while 0 <= part < RUN_SUMS.size and RUN_SUMS[part] == counts:
        front = RUN_PARTS[part] % 12
        low = RUN_PARTS[part] // 12 % 10
        high = RUN_PARTS[part] // 120
        part += 1
        if front == _QKA_RUN and not spec.front_qka:
            continue
        # A-2-3 moves up between J-Q-K and Q-K-A where the wheel does.
        place = 2 * _QKA_RUN - 1 if front == 0 and spec.wheel_second else 2 * front
        in_low = find_suits(low, lanes)
        in_high = find_suits(high, lanes)
        plain_low = five[RUN_KEYS[low]]
        plain_high = five[RUN_KEYS[high]]
        suited_low = five[RUN_KEYS[low] + FLUSH_OFFSET]
        suited_high = five[RUN_KEYS[high] + FLUSH_OFFSET]
        apart = RUN_MASKS[low] & RUN_MASKS[high] == 0
        best = max(best, pack_tie(plain_low, plain_high, place))
        if in_low:
            best = max(best, pack_tie(suited_low, plain_high, place))
        if in_high:
            best = max(best, pack_tie(plain_low, suited_high, place))
        # Both in one suit only where they share no rank; else there must be two suits.
        if in_low and in_high and (apart or in_low != in_high or in_low & (in_low - 1)):
            best = max(best, pack_tie(suited_low, suited_high, place))
    return best


def tie_flushes(lanes, five, three):
    """Return the tie of three flushes; a suit of 8, 10 or 13 cards parts in the best way."""
    one = two = front = np.int16(0)
    large = np.int64(0)
    for suit in range(4):
        lane = lanes >> (13 * suit) & _ALL
        if POPCOUNT[lane] == 3:
            front = three[LANE_KEYS[lane]]
        elif POPCOUNT[lane] == 5:
            two = one
            one = five[LANE_KEYS[lane] + FLUSH_OFFSET]
        elif lane:
            large = lane
    if large == _ALL:
        one = five[LANE_KEYS[_ROYAL] + FLUSH_OFFSET]
        two = five[LANE_KEYS[_NINE_HIGH] + FLUSH_OFFSET]
        front = three[LANE_KEYS[_FOUR_HIGH]]
    best = pack_tie(one, two, front)
    if large == 0 or large == _ALL:
        return best
    row = large
    while row:
        if POPCOUNT[row] == 5:
            rest = large ^ row
            strength = five[LANE_KEYS[row] + FLUSH_OFFSET]
            if POPCOUNT[rest] == 3:
                tie = pack_tie(one, strength, three[LANE_KEYS[rest]])
            else:
                tie = pack_tie(five[LANE_KEYS[rest] + FLUSH_OFFSET], strength, front)
            best = max(best, tie)
        row = (row - 1) & large
    return best


def tie_groups(counts, size, odd_card):
    """Return the tie of groups of `size` cards: their ranks from the top.

    A rank that holds two groups counts twice; with `odd_card` the odd rank comes last.
    """
    tie = np.int64(0)
    odd = np.int64(0)
    for rank in range(12, -1, -1):
        count = counts >> (4 * rank) & 15
        for _ in range(count // size):
            tie = tie << 4 | rank
        if count % size:
            odd = rank
    return tie << 4 | odd if odd_card else tie


def break_tie(
    kind: int,
    lanes: np.int64,
    counts: np.int64,
    spec: NaturalSpec,
    five: np.ndarray,
    three: np.ndarray,
) -> np.int64:
    """Return the tie of a natural that is held; 0 for kinds that always tie."""
    tie = np.int64(0)
    if kind == SIX_PAIRS:
        tie = tie_groups(counts, 2, spec.odd_card_breaks_tie)
    elif kind == FOUR_TRIPS:
        tie = tie_groups(counts, 3, False)
    elif kind == THREE_QUADS:
        tie = tie_groups(counts, 4, False)
    elif kind == THREE_STRAIGHTS:
        tie = tie_straights(lanes, counts, spec, five)
    elif kind == THREE_FLUSHES:
        tie = tie_flushes(lanes, five, three)
    return tie


def find_best_natural(
    cards: Cards, spec: NaturalSpec, five: np.ndarray, three: np.ndarray
) -> tuple[int, np.int64]:
    """Return (place, tie) of the strongest natural in 13 cards, place -1 if there is none.

    `five` and `three` are the tables of `tables.RowTables`.
    """
    lanes = pack_lanes(cards)
    counts = count_ranks(cards)
    held = find_kinds(lanes, counts, spec)
    place = spec.kinds.size - 1
    while place >= 0 and not held >> spec.kinds[place] & 1:
        place -= 1
    tie = np.int64(0)
    if place >= 0:
        tie = break_tie(spec.kinds[place], lanes, counts, spec, five, three)
    return place, tie


def pay_naturals(
    place: int,
    tie: int,
    units: int,
    other_place: int,
    other_tie: int,
    other_units: int,
    equal_by_units: bool,
    difference: bool,
) -> int:
    """Return the units that the other player pays for naturals; place -1, units 0 is none.

    The last two are those of `NaturalSpec`.
    """
    if place < 0 or other_place < 0 or difference:
        due = units - other_units
    elif place == other_place:
        due = units * (int(tie > other_tie) - int(tie < other_tie))
    elif equal_by_units and units == other_units:
        due = units * 0
    else:
        due = units if place > other_place else -other_units
    return due
