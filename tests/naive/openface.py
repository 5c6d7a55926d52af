"""Fantasyland (R26 to R28, A32)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from .pairs import fill_rules, hand_royalties, royalty
from .rows import (
    ACE,
    FULL_HOUSE,
    JACK,
    KING,
    PAIR,
    QUADS,
    QUEEN,
    STRAIGHT_FLUSH,
    TEN,
    TRIPS,
    Rows,
    category,
    foul_reason,
    grouped_ranks,
    key_in_row,
)

ENTRY_NAMES = {TEN: "tens", JACK: "jacks", QUEEN: "queens", KING: "kings", ACE: "aces"}
LOWEST = {"full_house": FULL_HOUSE, "quads": QUADS, "straight_flush": STRAIGHT_FLUSH}


def fantasyland_entry(rows: Rows, rules: Mapping[str, Any]) -> int:
    """Number of cards of the next deal after this one, 0 for an ordinary deal.

    ``rules["fantasyland"]`` holds ``enter`` (cards by the front), ``stay`` (weakest row that
    stays, by row) and ``stay_cards`` (a number, or "by_front").
    """
    filled = fill_rules(rules)
    if foul_reason(*rows, filled["order"]) is not None:  # R26: a legal hand
        return 0
    kind, top = category(rows[0]), grouped_ranks(rows[0])[0]
    enter = filled["fantasyland"]["enter"]
    if kind == TRIPS:
        return int(enter["trips"])
    return int(enter.get(ENTRY_NAMES.get(top, ""), 0)) if kind == PAIR else 0


def fantasyland_stay(rows: Rows, rules: Mapping[str, Any]) -> int:
    """Number of cards of the next deal for a hand that is in fantasyland already, else 0."""
    filled = fill_rules(rules)
    if foul_reason(*rows, filled["order"]) is not None:
        return 0
    # R26: trips in front, a full house in the middle, quads or better in the back; R27: no house.
    stay = filled["fantasyland"]["stay"]
    front, middle, back = (category(row) for row in rows)
    reasons = [
        stay["front"] is not None and front == TRIPS,
        stay["middle"] is not None and middle >= LOWEST[stay["middle"]],
        stay["back"] is not None and back >= LOWEST[stay["back"]],
    ]
    if not any(reasons):
        return 0
    cards = filled["fantasyland"]["stay_cards"]
    if cards == "by_front":  # case 37: by the front again; the least where it would not enter
        least = min(number for number in filled["fantasyland"]["enter"].values() if number)
        return fantasyland_entry(rows, filled) or int(least)
    return int(cards)


def best_fantasyland(
    cards: tuple[int, ...], rules: Mapping[str, Any], stay_value: int
) -> tuple[int, Rows]:
    """Most royalties plus ``stay_value`` for staying, over all boards of 13 to 17 cards.

    Returns the value and the first board found. Plain enumeration; a pair of rows that could not
    reach the best value so far, even with the best front of all, is left out.
    """
    filled = fill_rules(rules)
    cards = tuple(sorted(cards))
    backs = sorted(((royalty(2, row, filled), row) for row in combinations(cards, 5)), reverse=True)
    middles = sorted(
        ((royalty(1, row, filled), row) for row in combinations(cards, 5)), reverse=True
    )
    top_front = max(royalty(0, row, filled) for row in combinations(cards, 3))
    keys = {row: key_in_row(2, row, filled["order"]) for _, row in backs}
    best_value, best_rows = -1, None
    for back_value, back in backs:
        for middle_value, middle in middles:
            if back_value + middle_value + top_front + stay_value <= best_value:
                break
            if set(back) & set(middle) or keys[middle] > keys[back]:
                continue
            rest = [card for card in cards if card not in back and card not in middle]
            for front in combinations(rest, 3):
                rows = (front, middle, back)
                if foul_reason(*rows, filled["order"]) is not None:
                    continue
                value = sum(hand_royalties(rows, filled))
                value += stay_value if fantasyland_stay(rows, filled) else 0
                if value > best_value:
                    best_value, best_rows = value, rows
    assert best_rows is not None
    return best_value, best_rows
