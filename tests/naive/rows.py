"""Rows, their order, legality and the splits of a deal, straight from the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

Cards = Sequence[int]
Rows = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
RowKey = tuple[int, tuple[int, ...]]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
TEN, JACK, QUEEN, KING, ACE = 8, 9, 10, 11, 12

# Item 3, from the lowest category to the highest. A royal is a straight flush.
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)

DEFAULT_ORDER = {"equal_rows": "legal", "wheel": "low", "middle": "high", "middle_max": None}


def parse_card(text: str) -> int:
    """Turn ``As`` into 51."""
    return RANKS.index(text[0]) * 4 + SUITS.index(text[1])


def parse_cards(text: str | Iterable[str]) -> tuple[int, ...]:
    """Turn ``"As Kd"`` or ``["As", "Kd"]`` into a tuple of cards."""
    words = text.split() if isinstance(text, str) else text
    return tuple(parse_card(word) for word in words)


def ranks_of(cards: Cards) -> list[int]:
    """Ranks of the cards, highest first."""
    return sorted((card // 4 for card in cards), reverse=True)


def suits_of(cards: Cards) -> set[int]:
    """The suits that occur in the cards."""
    return {card % 4 for card in cards}


def find_repeats(cards: Cards) -> list[int]:
    """Cards that occur more than once."""
    return sorted(card for card, times in Counter(cards).items() if times > 1)


def straight_place(cards: Cards, wheel: str = "low") -> int | None:
    """Place of a three- or five-card straight among its like, None when it is none.

    The place is twice the top card, so that the wheel fits in between when it ranks second.
    """
    ranks = ranks_of(cards)
    if ranks == [ACE, *range(len(ranks) - 2, -1, -1)]:
        # Item 5, A01, R23: A-2-3-4-5 is the lowest, or just below A-K-Q-J-T. Item 15: so is A-2-3.
        return 2 * KING + 1 if wheel == "second" else 2 * ranks[1]
    # Item 5: no wrap-around.
    if ranks == list(range(ranks[0], ranks[0] - len(ranks), -1)):
        return 2 * ranks[0]
    return None


def grouped_ranks(cards: Cards) -> tuple[int, ...]:
    """Each rank once: larger groups first, then higher ranks (item 4)."""
    counts = Counter(card // 4 for card in cards)
    return tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))


def category(cards: Cards) -> int:
    """Category of a row of three or five cards (item 3)."""
    groups = sorted(Counter(card // 4 for card in cards).values(), reverse=True)
    if groups[0] == 4:
        return QUADS
    if groups[0] == 3:
        return FULL_HOUSE if groups[1:] == [2] else TRIPS
    if groups[0] == 2:
        return TWO_PAIR if groups[1] == 2 else PAIR
    if len(cards) == 3:  # item 3: no straights and flushes in front
        return HIGH_CARD
    flush = len(suits_of(cards)) == 1
    if straight_place(cards) is not None:
        return STRAIGHT_FLUSH if flush else STRAIGHT
    return FLUSH if flush else HIGH_CARD


def is_royal(cards: Cards) -> bool:
    """Whether the row is the ace-high straight flush, wherever the wheel ranks."""
    return category(cards) == STRAIGHT_FLUSH and ranks_of(cards)[-1] == TEN


def row_key(cards: Cards, wheel: str = "low") -> RowKey:
    """Strength of a row; keys of three- and five-card rows may be compared.

    Item 7, A03: category first, then the shared cards. When all cards of the front are matched
    the tuple of the five-card row is the longer one, and Python ranks a longer tuple higher.
    """
    kind = category(cards)
    if kind in (STRAIGHT, STRAIGHT_FLUSH):
        place = straight_place(cards, wheel)
        assert place is not None
        return kind, (place,)
    return kind, grouped_ranks(cards)


def low27_key(cards: Cards) -> RowKey:
    """Strength of a deuce-to-seven low row, larger is the better low (R21)."""
    kind, order = category(cards), grouped_ranks(cards)
    ranks = ranks_of(cards)
    if ranks == [ACE, 3, 2, 1, 0]:  # R21: ace always high, so A-5-4-3-2 is no straight
        kind = FLUSH if len(suits_of(cards)) == 1 else HIGH_CARD
    return -kind, tuple(-rank for rank in order)


def key_in_row(row: int, cards: Cards, order: Mapping[str, Any]) -> RowKey:
    """Strength of cards in row 0, 1 or 2 against the same row of an opponent."""
    order = {**DEFAULT_ORDER, **order}
    if row == 1 and order["middle"] == "low27":
        return low27_key(cards)
    return row_key(cards, order["wheel"])


def compare_rows(row: int, first: Cards, second: Cards, order: Mapping[str, Any]) -> int:
    """1 when the first row wins, -1 when the second does, 0 when they are equal (item 8)."""
    one, two = key_in_row(row, first, order), key_in_row(row, second, order)
    return (one > two) - (one < two)


def foul_reason(front: Cards, middle: Cards, back: Cards, order: Mapping[str, Any]) -> str | None:
    """Why the split is mis-set, or None when it is legal (item 6, A02, R21, A29)."""
    order = {**DEFAULT_ORDER, **order}
    front_key = row_key(front, order["wheel"])
    back_key = row_key(back, order["wheel"])
    if order["middle"] == "low27":
        # R21: only back and front must be in order, the middle may be anything ...
        if front_key > back_key:
            return "front beats back"
        # ... unless the house asks for, say, ten-high or better (A29).
        limit = order["middle_max"]
        if limit is not None and not is_low_enough(middle, limit):
            return "middle is not low enough"
        return None
    middle_key = row_key(middle, order["wheel"])
    if middle_key > back_key:
        return "middle beats back"
    if middle_key == back_key and order["equal_rows"] == "foul":
        return "middle equals back"
    if front_key > middle_key:
        return "front beats middle"
    return None


def is_low_enough(cards: Cards, limit: int) -> bool:
    """Whether a low middle holds no pair, straight or flush and no card above the limit (A29).

    The limit is a rank as people count it: 10 is ten-high, 14 any ace-high low.
    """
    return low27_key(cards)[0] == -HIGH_CARD and ranks_of(cards)[0] + 2 <= limit


def all_splits(deal: Cards) -> Iterator[Rows]:
    """All 72,072 ways to set 13 cards (item 2)."""
    cards = tuple(sorted(deal))
    for back in combinations(cards, 5):
        rest = tuple(card for card in cards if card not in back)
        for middle in combinations(rest, 5):
            front = tuple(card for card in rest if card not in middle)
            yield front, middle, back


def legal_splits(deal: Cards, order: Mapping[str, Any]) -> Iterator[Rows]:
    """The splits that are not mis-set."""
    order = {**DEFAULT_ORDER, **order}
    if order["middle"] == "low27":
        for rows in all_splits(deal):
            if foul_reason(*rows, order) is None:
                yield rows
        return
    # The same test as foul_reason; each row is ranked once only, since this is called a lot.
    cards = tuple(sorted(deal))
    keys = {
        row: row_key(row, order["wheel"]) for size in (3, 5) for row in combinations(cards, size)
    }
    for front, middle, back in all_splits(deal):
        if keys[front] > keys[middle] or keys[middle] > keys[back]:
            continue
        if keys[middle] == keys[back] and order["equal_rows"] == "foul":
            continue
        yield front, middle, back


def count_splits(deal: Cards, order: Mapping[str, Any]) -> int:
    """Number of legal splits."""
    return sum(1 for _ in legal_splits(deal, order))


def undominated_splits(deal: Cards, order: Mapping[str, Any]) -> list[Rows]:
    """Legal splits that no other legal split equals or beats in every row and beats in one.

    Splits that are equal in all three rows are all kept.
    """
    by_keys: dict[tuple[RowKey, RowKey, RowKey], list[Rows]] = {}
    for rows in legal_splits(deal, order):
        front, middle, back = (key_in_row(i, rows[i], order) for i in range(3))
        by_keys.setdefault((back, middle, front), []).append(rows)
    kept: list[tuple[RowKey, RowKey, RowKey]] = []
    # From the best back down: whatever dominates a split comes before it.
    for keys in sorted(by_keys, reverse=True):
        if not any(all(a >= b for a, b in zip(better, keys, strict=True)) for better in kept):
            kept.append(keys)
    return [rows for keys in kept for rows in by_keys[keys]]
