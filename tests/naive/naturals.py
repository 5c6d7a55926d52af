"""Thirteen-card naturals: finding, ranking and settling them against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from .rows import (
    ACE,
    HIGH_CARD,
    JACK,
    KING,
    QUEEN,
    Cards,
    RowKey,
    ranks_of,
    row_key,
    straight_place,
    suits_of,
)

EIGHT = 6

DEFAULT_NATURALS: dict[str, Any] = {
    "clash": "higher",
    "rank": "listed",
    "list": [],
    "quads_as_two_pairs": True,  # A09
    "trips_as_pair": True,  # A09
    "odd_card_breaks_tie": False,  # A06
    "front_qka": True,  # A08
    "ace_low_in_small": False,  # A18
    "ace_is_picture": False,  # A17
    "no_pictures": None,  # R11: {units, ace_is_picture}, the lowest of all
}


class Natural(NamedTuple):
    """A natural that a deal holds: what it pays, its place in the table and its tie-break."""

    name: str
    units: int
    place: int
    key: tuple[Any, ...]


def fill_table(table: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """The naturals of a ruleset with every switch spelled out; ``none`` is an empty list."""
    if table is None or table == "none":
        return dict(DEFAULT_NATURALS)
    assert not isinstance(table, str), f"spell out the naturals {table!r}"
    filled = {**DEFAULT_NATURALS, **table}
    extra = filled["no_pictures"]
    if extra:  # R11: lowest of all naturals
        filled["list"] = [["no_pictures", extra["units"]], *filled["list"]]
        filled["ace_is_picture"] = extra.get("ace_is_picture", filled["ace_is_picture"])
    return filled


def find_naturals(
    cards: Cards, table: Mapping[str, Any] | str | None, wheel: str = "low"
) -> list[Natural]:
    """All naturals of the table that the 13 cards hold, weakest first."""
    filled = fill_table(table)
    found = []
    for place, (name, units) in enumerate(filled["list"]):
        key = FINDERS[name](tuple(sorted(cards)), filled, wheel)
        if key is not None:
            found.append(Natural(name, units, place, key))
    return sorted(found, key=lambda natural: (strength(natural, filled), natural.place))


def best_natural(
    cards: Cards, table: Mapping[str, Any] | str | None, wheel: str = "low"
) -> Natural | None:
    """The highest natural (item 12: one a player, the highest he has)."""
    found = find_naturals(cards, table, wheel)
    return found[-1] if found else None


def strength(natural: Natural, table: Mapping[str, Any]) -> tuple[int, ...]:
    """Place of a natural among the kinds of its table (A19)."""
    if table["rank"] == "value":
        return (natural.units,)
    if table["rank"] == "value_then_listed":
        return natural.units, natural.place
    return (natural.place,)


def clash(a: Cards, b: Cards, table: Mapping[str, Any] | str | None, wheel: str = "low") -> int:
    """Units that B pays A when both (or one of them) declare their best natural."""
    return clash_naturals(best_natural(a, table, wheel), best_natural(b, table, wheel), table)


def clash_naturals(
    a: Natural | None, b: Natural | None, table: Mapping[str, Any] | str | None
) -> int:
    """Units that the holder of b pays the holder of a."""
    filled = fill_table(table)
    if a is None or b is None:  # item 12: paid its value by everybody without one
        return (a.units if a else 0) - (b.units if b else 0)
    if filled["clash"] == "difference":  # R12: the difference, equal values nothing
        return a.units - b.units
    # Item 13: the higher is paid its own full value. Item 14: tie-breaks only between equals.
    one, two = strength(a, filled), strength(b, filled)
    if one == two and a.name == b.name:
        one, two = a.key, b.key
    if one > two:
        return a.units
    return -b.units if one < two else 0


# --- the kinds: each answers with its tie-break key, or None when the cards do not hold it -------

Key = tuple[Any, ...] | None
Table = Mapping[str, Any]
TIE: tuple[Any, ...] = ()  # A07: equal naturals of this kind tie


def counts_of(cards: Cards) -> Counter[int]:
    return Counter(card // 4 for card in cards)


def pairs_in(cards: Cards) -> list[int]:
    """Ranks of the pairs, highest first; a quad is listed twice, trips once (item 16)."""
    counts = counts_of(cards)
    return sorted((rank for rank in counts for _ in range(counts[rank] // 2)), reverse=True)


def find_six_pairs(cards: Cards, table: Table, wheel: str) -> Key:
    counts = counts_of(cards)
    if 4 in counts.values() and not table["quads_as_two_pairs"]:
        return None
    if 3 in counts.values() and not table["trips_as_pair"]:
        return None
    pairs = pairs_in(cards)
    if len(pairs) != 6:
        return None
    odd = [rank for rank in counts if counts[rank] % 2 == 1]
    # Item 14, A06: pairs from the top, the odd card not counted.
    return (*pairs, *odd) if table["odd_card_breaks_tie"] else tuple(pairs)


def find_five_pairs_trips(cards: Cards, table: Table, wheel: str) -> Key:
    groups = list(counts_of(cards).values())
    if 4 in groups and not table["quads_as_two_pairs"]:
        return None
    return TIE if groups.count(3) == 1 and 1 not in groups else None


def find_four_trips(cards: Cards, table: Table, wheel: str) -> Key:
    # R12, R19: four triples and an odd card; a quad is a triple and a card.
    return find_groups(cards, size=3, number=4)


def find_three_quads(cards: Cards, table: Table, wheel: str) -> Key:
    return find_groups(cards, size=4, number=3)


def find_groups(cards: Cards, size: int, number: int) -> Key:
    counts = counts_of(cards)
    ranks = sorted((rank for rank in counts if counts[rank] >= size), reverse=True)
    # Item 14: by the highest group, then the next.
    return tuple(ranks) if len(ranks) == number else None


def find_three_straights(cards: Cards, table: Table, wheel: str) -> Key:
    return best_rows(cards, is_straight_row(table), is_straight_row(table), wheel, straights=True)


def find_three_flushes(cards: Cards, table: Table, wheel: str) -> Key:
    return best_rows(cards, is_flush_row, is_flush_row, wheel, straights=False)


def find_three_straight_flushes(cards: Cards, table: Table, wheel: str) -> Key:
    is_straight = is_straight_row(table)

    def is_both(row: Cards) -> bool:
        return is_flush_row(row) and is_straight(row)

    return TIE if best_rows(cards, is_both, is_both, wheel, straights=True) is not None else None


def is_flush_row(row: Cards) -> bool:
    # Item 15: a straight flush is a flush as well.
    return len(suits_of(row)) == 1


def is_straight_row(table: Table) -> Callable[[Cards], bool]:
    def is_straight(row: Cards) -> bool:
        # Item 15: A-2-3 is a straight, K-A-2 never is; A08: Q-K-A depends on the house.
        if ranks_of(row) == [ACE, KING, QUEEN] and not table["front_qka"]:
            return False
        return straight_place(row) is not None

    return is_straight


Row = tuple[int, ...]


def best_rows(
    cards: Cards,
    five_fits: Callable[[Cards], bool],
    three_fits: Callable[[Cards], bool],
    wheel: str,
    straights: bool,
) -> Key:
    """Best (back, middle, front) over all splits whose rows fit (items 14, 15); None if none.

    Item 15: such a split need not satisfy the order of the rows.
    """
    best: Key = None
    keys: dict[Row, RowKey] = {
        row: row_key(row, wheel) for row in combinations(cards, 5) if five_fits(row)
    }
    for front, middle, back in splits_that_fit(cards, keys.keys(), three_fits):
        one, two = keys[back], keys[middle]
        if one < two:  # item 14: the better five-card row is the back
            continue
        # Item 4: straights by the top card, and a front of three straights is a straight.
        last = (HIGH_CARD, (straight_place(front, wheel),)) if straights else row_key(front)
        if best is None or (one, two, last) > best:
            best = (one, two, last)
    return best


def splits_that_fit(
    cards: Cards, fives: Collection[Row], three_fits: Callable[[Cards], bool]
) -> Iterator[tuple[Cards, Row, Row]]:
    for back in fives:
        rest = [card for card in cards if card not in back]
        for middle in combinations(rest, 5):
            if middle in fives:
                front = [card for card in rest if card not in middle]
                if three_fits(front):
                    yield front, middle, back


def find_dragon(cards: Cards, table: Table, wheel: str) -> Key:
    # R02: one card of each rank, any suits. Item 14: dragons are always equal.
    return TIE if len(counts_of(cards)) == 13 else None


def find_one_suit(cards: Cards, table: Table, wheel: str) -> Key:
    return TIE if len(suits_of(cards)) == 1 else None


def red_cards(cards: Cards) -> int:
    return sum(1 for card in cards if card % 4 in (1, 2))


def find_one_colour(cards: Cards, table: Table, wheel: str) -> Key:
    return TIE if red_cards(cards) in (0, 13) else None


def find_twelve_one_colour(cards: Cards, table: Table, wheel: str) -> Key:
    # R15: 12 cards of one colour and 1 of the other.
    return TIE if red_cards(cards) in (1, 12) else None


def all_ranks(cards: Cards, allowed: Sequence[int]) -> bool:
    return all(rank in allowed for rank in ranks_of(cards))


def find_small(cards: Cards, table: Table, wheel: str) -> Key:
    # R12, R19, A18: 2 to 8; an ace is not small unless the house says so.
    low = [*range(EIGHT + 1), ACE] if table["ace_low_in_small"] else [*range(EIGHT + 1)]
    return TIE if all_ranks(cards, low) else None


def find_big(cards: Cards, table: Table, wheel: str) -> Key:
    return TIE if all_ranks(cards, range(EIGHT, ACE + 1)) else None


def find_twelve_pictures(cards: Cards, table: Table, wheel: str) -> Key:
    # R12: all the J, Q, K of the pack and any card.
    pictures = [rank for rank in ranks_of(cards) if rank in (JACK, QUEEN, KING)]
    return TIE if len(pictures) == 12 else None


def find_twelve_royalties(cards: Cards, table: Table, wheel: str) -> Key:
    # R19: all 13 cards J, Q, K or A, whatever the name says.
    return TIE if all_ranks(cards, (JACK, QUEEN, KING, ACE)) else None


def find_no_pictures(cards: Cards, table: Table, wheel: str) -> Key:
    # R11, R19, A17.
    pictures = {JACK, QUEEN, KING} | ({ACE} if table["ace_is_picture"] else set())
    return TIE if not pictures & set(ranks_of(cards)) else None


FINDERS: dict[str, Callable[[Cards, Table, str], Key]] = {
    "six_pairs": find_six_pairs,
    "five_pairs_trips": find_five_pairs_trips,
    "four_trips": find_four_trips,
    "three_quads": find_three_quads,
    "three_straights": find_three_straights,
    "three_flushes": find_three_flushes,
    "three_straight_flushes": find_three_straight_flushes,
    "dragon": find_dragon,
    "one_suit": find_one_suit,
    "clean_dragon": find_one_suit,
    "one_colour": find_one_colour,
    "twelve_one_colour": find_twelve_one_colour,
    "small": find_small,
    "all_low": find_small,
    "big": find_big,
    "all_high": find_big,
    "twelve_pictures": find_twelve_pictures,
    "twelve_royalties": find_twelve_royalties,
    "no_pictures": find_no_pictures,
}
