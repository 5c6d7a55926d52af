"""How many of the C(52,13) deals hold each natural, counted without an error.

What a deal holds is asked of `find_kinds`, the definition that settles tables, too; here deals are
only put together that it must answer alike. Most naturals look at the ranks alone or at the
numbers of cards in the suits alone. So the ranks are counted first: there are 3,598,180 ways to
take so many cards of each rank, and no natural but straights tells ranks of one group of `_ALIKE`
from each other. How the suits can fall depends on how many ranks give one card, two, three and
four. Three straights, and three straight flushes, are few and are put right one by one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.natural_rules import (
    CLEAN_DRAGON,
    LANE_CUTS,
    ONE_COLOUR,
    ONE_SUIT,
    RUN_SUMS,
    THREE_FLUSHES,
    THREE_STRAIGHT_FLUSHES,
    THREE_STRAIGHTS,
    TWELVE_ONE_COLOUR,
    NaturalSpec,
    find_kinds,
)
from cp_cli.arrangement import Natural
from cp_cli.evaluator import natural_spec, rank_naturals

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

_DEAL = 13
_STRAIGHTS = 1 << THREE_STRAIGHTS
_STRAIGHT_FLUSHES = 1 << THREE_STRAIGHT_FLUSHES
_OF_SUITS = sum(
    1 << kind for kind in (THREE_FLUSHES, ONE_COLOUR, TWELVE_ONE_COLOUR, ONE_SUIT, CLEAN_DRAGON)
)
_OF_RANKS = (1 << len(Natural)) - 1 & ~_OF_SUITS & ~_STRAIGHT_FLUSHES
# 2 to 7, 8 (both low and high), 9 and 10, J to K, A.
_ALIKE = (range(6), range(6, 7), range(7, 9), range(9, 12), range(12, 13))
_FLUSH_SIZES = (0, 3, 5, 8, 10, 13)
_NONE = np.zeros(0, np.int64)
_NO_SWITCHES = NaturalSpec(_NONE, _NONE, *[False] * (len(NaturalSpec._fields) - 2))

Shape = tuple[int, int, int, int]  # how many ranks give one card, two, three, four


@dataclass(frozen=True, slots=True)
class NaturalCount:
    """In how many of all deals one natural is held, and is the best, which is declared.

    Attributes:
        natural: which it is.
        units: what each opponent without one pays for it.
        held: deals that hold it.
        best: deals of which it is the strongest natural.
        total: all deals.

    """

    natural: Natural
    units: int
    held: int
    best: int
    total: int

    @property
    def held_chance(self) -> float:
        """The chance that a deal holds it."""
        return self.held / self.total

    @property
    def best_chance(self) -> float:
        """The chance that it is the strongest natural of a deal."""
        return self.best / self.total

    @property
    def one_in(self) -> float:
        """It is held in one of so many deals."""
        return self.total / self.held


@dataclass(frozen=True, slots=True)
class NaturalCounts:
    """The naturals of a ruleset, weakest first, and the number of deals that hold none."""

    naturals: tuple[NaturalCount, ...]
    none: int
    total: int

    @property
    def none_chance(self) -> float:
        """The chance that a deal holds no natural."""
        return self.none / self.total

    @property
    def mean_units(self) -> float:
        """Units a deal that naturals earn from an opponent who never holds one."""
        return sum(count.units * count.best for count in self.naturals) / self.total


def count_naturals(ruleset: "Ruleset") -> NaturalCounts:
    """Count the deals that hold each natural of a ruleset; takes less than a second.

    >>> from cp_cli.ruleset import load_ruleset
    >>> counts = count_naturals(load_ruleset("hawaiian-gardens"))
    >>> strongest = counts.naturals[-1]
    >>> strongest.natural.value, strongest.held, counts.total
    ('one_suit', 4, 635013559600)
    """
    # The rest of a ruleset has no say in what is held.
    spec = natural_spec(ruleset)._replace(
        equal_by_units=False, difference=False, odd_card_breaks_tie=False, wheel_second=False
    )
    return sum_naturals(ruleset, _count_all(spec[2:]))


@lru_cache(maxsize=32)
def _count_all(switches: tuple[bool, ...]) -> Counter[int]:
    return count_held(NaturalSpec(_NONE, _NONE, *switches))


def sum_naturals(ruleset: "Ruleset", held: Counter[int]) -> NaturalCounts:
    """Return the counts of a ruleset's naturals from the deals that hold each set of them."""
    kinds = natural_spec(ruleset).kinds.tolist()
    holders, best = [0] * len(kinds), [0] * len(kinds)
    none = 0
    for bits, deals in held.items():
        places = [place for place, kind in enumerate(kinds) if bits >> kind & 1]
        for place in places:
            holders[place] += deals
        if places:
            best[places[-1]] += deals
        else:
            none += deals
    total = held.total()
    ranked = enumerate(rank_naturals(ruleset.naturals))
    return NaturalCounts(
        naturals=tuple(
            NaturalCount(natural, units, holders[place], best[place], total)
            for place, (natural, units) in ranked
        ),
        none=none,
        total=total,
    )


def count_held(spec: NaturalSpec, ranks: Sequence[int] = range(13)) -> Counter[int]:
    """Return how many deals hold each set of naturals, given as the bits of `find_kinds`.

    With fewer `ranks` the pack holds no other cards.
    """
    held: Counter[int] = Counter()
    for (shape, bits), patterns in count_rank_patterns(spec, ranks).items():
        for more, ways in count_suit_kinds(shape).items():
            held[bits | more] += patterns * ways
    for lanes in list_straight_flushes(spec, ranks):
        bits = _ask(lanes, sum(_spread(lane) for lane in lanes), spec)
        held[bits & ~_STRAIGHT_FLUSHES] -= 1
        held[bits] += 1
    return held


def _ask(lanes: Sequence[int], counts: int, spec: NaturalSpec) -> int:
    packed = sum(lane << 13 * suit for suit, lane in enumerate(lanes))
    return int(find_kinds(np.int64(packed), np.int64(counts), spec))


@lru_cache(maxsize=1 << 13)
def _spread(lane: int) -> int:
    """Return the cards of one suit as packed rank counts, four bits a rank."""
    return sum((lane >> rank & 1) << 4 * rank for rank in range(13))


# --- ranks ---------------------------------------------------------------------------------------


def count_rank_patterns(spec: NaturalSpec, ranks: Sequence[int]) -> Counter[tuple[Shape, int]]:
    """Return how many rank patterns there are of each shape that hold each set of naturals.

    A pattern says how many cards of each rank a deal takes. Only naturals that the ranks decide
    are asked for.
    """
    patterns: Counter[tuple[Shape, int]] = Counter()
    groups = [[rank for rank in group if rank in ranks] for group in _ALIKE]
    for pattern, ways in _list_patterns(groups, _DEAL):
        patterns[_find_shape(pattern), _ask_ranks(pattern, spec) & ~_STRAIGHTS] += ways
    for total in np.unique(RUN_SUMS).tolist():
        pattern = tuple((rank, total >> 4 * rank & 15) for rank in range(13))
        bits = _ask_ranks(pattern, spec)
        if bits & _STRAIGHTS and all(rank in ranks for rank, cards in pattern if cards):
            shape = _find_shape(pattern)
            patterns[shape, bits & ~_STRAIGHTS] -= 1
            patterns[shape, bits] += 1
    return patterns


Pattern = tuple[tuple[int, int], ...]  # ranks and their numbers of cards


def _list_patterns(groups: list[list[int]], cards: int) -> Iterator[tuple[Pattern, int]]:
    """Yield one of the patterns that are alike, and how many those are."""
    if not groups:
        if cards == 0:
            yield (), 1
        return
    group, *others = groups
    for taken in combinations_with_replacement(range(5), len(group)):
        if sum(taken) <= cards:
            alike = prod(map(factorial, Counter(taken).values()))
            ways = factorial(len(group)) // alike
            for pattern, more in _list_patterns(others, cards - sum(taken)):
                yield (*zip(group, taken, strict=True), *pattern), ways * more


def _find_shape(pattern: Pattern) -> Shape:
    sizes = [cards for _, cards in pattern]
    return sizes.count(1), sizes.count(2), sizes.count(3), sizes.count(4)


def _ask_ranks(pattern: Pattern, spec: NaturalSpec) -> int:
    """Return the naturals that the ranks of a pattern decide."""
    lanes = [sum(1 << rank for rank, cards in pattern if cards > suit) for suit in range(4)]
    counts = sum(cards << 4 * rank for rank, cards in pattern)
    return _ask(lanes, counts, spec) & _OF_RANKS


# --- suits ---------------------------------------------------------------------------------------


def count_suit_kinds(shape: Shape) -> Counter[int]:
    """Return in how many ways the suits of a rank pattern fall, by what naturals they make."""
    kinds: Counter[int] = Counter()
    for lengths, ways in _count_suit_lengths(shape).items():
        kinds[_ask_suits(lengths)] += ways
    return kinds


Lengths = tuple[int, ...]  # the number of cards of each suit


@lru_cache(maxsize=256)
def _count_suit_lengths(shape: Shape) -> Counter[Lengths]:
    """Return in how many ways the suits of a rank pattern have each numbers of cards."""
    if not any(shape):
        return Counter([(0, 0, 0, 0)])
    ways: Counter[Lengths] = Counter()
    cards = next(cards for cards in range(4) if shape[cards])
    fewer = list(shape)
    fewer[cards] -= 1
    for lengths, before in _count_suit_lengths((fewer[0], fewer[1], fewer[2], fewer[3])).items():
        for suits in combinations(range(4), cards + 1):
            longer = tuple(length + (suit in suits) for suit, length in enumerate(lengths))
            ways[longer] += before
    return ways


@lru_cache(maxsize=1024)
def _ask_suits(lengths: Lengths) -> int:
    """Return the naturals that the numbers of cards of the suits decide, with any switches."""
    lanes = [(1 << length) - 1 for length in lengths]
    return _ask(lanes, 0, _NO_SWITCHES) & _OF_SUITS


def list_straight_flushes(spec: NaturalSpec, ranks: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the four lanes of each deal that parts into three straight flushes."""
    pack = sum(1 << rank for rank in ranks)
    lanes: dict[int, list[int]] = {size: [] for size in _FLUSH_SIZES}
    for lane, cut in enumerate(LANE_CUTS.tolist()):
        if cut >= 2 - spec.front_qka and not lane & ~pack:
            lanes[lane.bit_count()].append(lane)
    for sizes in product(_FLUSH_SIZES, repeat=4):
        if sum(sizes) == _DEAL:
            yield from product(*(lanes[size] for size in sizes))
