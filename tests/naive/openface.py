"""Fantasyland (R26 to R28, A32)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from .pairs import fill_rules, hand_royalties, royalty
from .rows import (
    FULL_HOUSE,
    PAIR,
    QUADS,
    QUEEN,
    TRIPS,
    Rows,
    category,
    foul_reason,
    grouped_ranks,
    key_in_row,
)


def fantasyland_entry(rows: Rows, rules: Mapping[str, Any]) -> int:
    """Number of cards of the next deal after this one, 0 for an ordinary deal.

    ``rules["fantasyland"]`` is ``{"QQ": n, "KK": n, "AA": n, "trips": n, "stay": n,
    "full_house_stays": bool}``.
    """
    filled = fill_rules(rules)
    if foul_reason(*rows, filled["order"]) is not None:  # R26: a legal hand
        return 0
    kind, top = category(rows[0]), grouped_ranks(rows[0])[0]
    if kind == TRIPS:
        return int(filled["fantasyland"]["trips"])
    if kind == PAIR and top >= QUEEN:
        return int(filled["fantasyland"][{QUEEN: "QQ", 11: "KK", 12: "AA"}[top]])
    return 0


def fantasyland_stay(rows: Rows, rules: Mapping[str, Any]) -> int:
    """Number of cards of the next deal for a hand that is in fantasyland already, else 0."""
    filled = fill_rules(rules)
    if foul_reason(*rows, filled["order"]) is not None:
        return 0
    front, middle, back = (category(row) for row in rows)
    # R26: trips in front, a full house in the middle, quads or better in the back; R27: no house.
    house = filled["fantasyland"]["full_house_stays"] and middle >= FULL_HOUSE
    stays = front == TRIPS or back >= QUADS or house
    return int(filled["fantasyland"]["stay"]) if stays else 0


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
