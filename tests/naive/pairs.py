"""What two normal hands pay each other: the order of arithmetic in one pair, step by step."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .rows import (
    DEFAULT_ORDER,
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    Cards,
    Rows,
    category,
    compare_rows,
    foul_reason,
    is_royal,
)

Rules = Mapping[str, Any]
Item = dict[str, Any]  # {"reason": str, "row": "front" | "middle" | "back" | None, "units": int}

ROW_NAMES = ("front", "middle", "back")
CATEGORY_NAMES = {
    PAIR: "pair",
    TWO_PAIR: "two_pair",
    TRIPS: "trips",
    STRAIGHT: "straight",
    FLUSH: "flush",
    FULL_HOUSE: "full_house",
    QUADS: "quads",
    STRAIGHT_FLUSH: "straight_flush",
}

# Section 4: what a key means when a ruleset does not mention it.
DEFAULT_RULES: dict[str, Any] = {
    "id": None,
    "mode": "pairs",
    "order": DEFAULT_ORDER,
    "rows": {"win": 1},
    "overall": None,
    "sweep": None,
    "all_sweep": None,
    "middle_extra": 0,
    "royalties": None,
    "naturals": "none",
    "foul": {"pays": "scoop", "royalties": True},
    "surrender": None,
    "bank": {"player": None, "wins_ties": True},
    "ante": 0,
    "race": {"target": 11, "fourth_point": True},
    "aces": None,
    "stakes": None,
    "rake": 0,
    "fantasyland": None,
    "jackpot": None,
}
# The same for the keys inside a key, where it is present at all.
DEFAULT_PARTS: dict[str, dict[str, Any]] = {
    "order": DEFAULT_ORDER,
    "overall": {"units": 1, "when": "majority"},
    "sweep": {"units": 0, "times": 1, "scope": "all", "tie_counts": False},
    "all_sweep": {"units": 0, "times": 1, "opponents": 3},
    "royalties": {
        "style": "extra",
        "paid": "winner",
        "front": None,
        "middle": None,
        "back": None,
        "cancel": False,
        "declare": "auto",
        "max_per_hand": None,
    },
    "foul": {"pays": "scoop", "royalties": True},
    "bank": {"player": None, "wins_ties": True},
    "race": {"target": 11, "fourth_point": True},
    "stakes": {"default": 1, "pairs": None, "cap": None},
}


def fill_rules(rules: Rules) -> dict[str, Any]:
    """The ruleset with every key of section 4 spelled out; keys that nobody knows stay as is."""
    filled = {**DEFAULT_RULES, **rules}
    for key, part in DEFAULT_PARTS.items():
        if filled[key] is not None:
            filled[key] = {**part, **filled[key]}
    return filled


def make_item(reason: str, units: int, row: int | None = None) -> Item:
    return {"reason": reason, "row": None if row is None else ROW_NAMES[row], "units": units}


def sum_items(items: list[Item]) -> int:
    return sum(item["units"] for item in items)


# --- royalties -----------------------------------------------------------------------------------


def pays_instead(rules: Rules) -> bool:
    """Whether a royalty replaces the row value. Without a table R05 alone can raise it."""
    return rules["royalties"] is None or rules["royalties"]["style"] == "instead"


def table_value(row: int, cards: Cards, rules: Rules) -> int:
    """What the royalty table says for the row, 0 when it says nothing (item 10)."""
    table = (rules["royalties"] or {}).get(ROW_NAMES[row]) or {}
    kind, rank = category(cards), max(cards) // 4 + 2
    if row == 0 and kind in (PAIR, TRIPS):
        # R25: 66 1, 77 2, ... AA 9; 222 10, 333 11, ... AAA 22.
        rank = next(card // 4 + 2 for card in cards if same_rank(card, cards) > 1)
        if kind == PAIR and table.get("pair_from"):
            start = int(table["pair_from"])
            return int(table["pair_base"]) + rank - start if rank >= start else 0
        if kind == TRIPS and table.get("trips_base"):
            return int(table["trips_base"]) + rank - 2
    # Section 4: royal_flush falls back to straight_flush when it has no value of its own.
    if is_royal(cards) and table.get("royal_flush"):
        return int(table["royal_flush"])
    return int(table.get(CATEGORY_NAMES.get(kind, ""), 0) or 0)


def same_rank(card: int, cards: Cards) -> int:
    return sum(1 for other in cards if other // 4 == card // 4)


def royalty(row: int, cards: Cards, rules: Rules) -> int:
    """Units of a row's royalty; for the style "instead" the whole row value."""
    if row == 1 and rules["order"]["middle"] == "low27":  # R21: no middle royalties
        return 0
    return table_value(row, cards, rules)


def hand_royalties(
    rows: Rows, rules: Rules, declared: Collection[str] | None = None
) -> tuple[int, int, int]:
    """Royalties of the three rows of a legal hand.

    ``declared`` names the rows announced, which counts unless ``declare`` is ``auto``.
    """
    rules = fill_rules(rules)
    values = [royalty(row, rows[row], rules) for row in range(3)]
    table = rules["royalties"] or {}
    if table.get("declare", "auto") != "auto":  # R19: announced before the showdown
        values = [
            value if ROW_NAMES[row] in (declared or ()) else 0 for row, value in enumerate(values)
        ]
    limit = table.get("max_per_hand")
    if limit is not None:  # R19: one royalty a player, the highest he has
        best = sorted(range(3), key=lambda row: -values[row])[: int(limit)]
        values = [value if row in best else 0 for row, value in enumerate(values)]
    return values[0], values[1], values[2]


# --- one pair ------------------------------------------------------------------------------------


def row_outcomes(hero: Rows, villain: Rows, rules: Rules, tie_winner: int = 0) -> list[int]:
    """1, 0 or -1 for each row (item 8); a fouled hand loses all three (item 11).

    ``tie_winner`` is 1 or -1 where hero or villain is the bank that wins equal rows (R03).
    """
    rules = fill_rules(rules)
    hero_fouled = foul_reason(*hero, rules["order"]) is not None
    villain_fouled = foul_reason(*villain, rules["order"]) is not None
    if hero_fouled or villain_fouled:
        return [villain_fouled - hero_fouled] * 3
    results = [compare_rows(row, hero[row], villain[row], rules["order"]) for row in range(3)]
    return [result or tie_winner for result in results]


def sweep_side(outcomes: list[int], rules: Rules) -> int:
    """1 when hero sweeps, -1 when he is swept, else 0 (item 9)."""
    tie_counts = bool(rules["sweep"] and rules["sweep"]["tie_counts"])
    for side in (1, -1):
        won, lost = outcomes.count(side), outcomes.count(-side)
        if won == 3 or (tie_counts and won == 2 and lost == 0):  # A04
            return side
    return 0


def row_items(outcomes: list[int], royalties: list[tuple[int, int]], rules: Rules) -> list[Item]:
    """Step 1: the row values, with "instead" royalties."""
    if rules["rows"].get("outcome"):
        won, lost = outcomes.count(1), outcomes.count(-1)
        table = rules["rows"]["outcome"]
        value = table.get(f"{max(won, lost)}-{min(won, lost)}", 0)
        if pays_instead(rules) and any(map(any, royalties)):
            raise ValueError("rows.outcome and instead royalties have no meaning together")
        return [make_item("rows", value if won > lost else -value)] if won != lost else []
    items = []
    for row, side in enumerate(outcomes):
        value = int(rules["rows"]["win"])
        winner_royalty = royalties[row][0 if side > 0 else 1]
        if side and pays_instead(rules) and winner_royalty:
            value = winner_royalty  # R02: paid by the loser of the row only
        items.append(make_item("row", side * value, row))
    return items


def royalty_items(
    outcomes: list[int], royalties: list[tuple[int, int]], rules: Rules
) -> list[Item]:
    """Step 2: the "extra" royalties."""
    if pays_instead(rules):
        return []
    items = []
    for row, (hero, villain) in enumerate(royalties):
        always = rules["royalties"]["paid"] == "always"
        if hero and (always or outcomes[row] == 1):
            items.append(make_item("royalty", hero, row))
        if villain and (always or outcomes[row] == -1):
            items.append(make_item("royalty", -villain, row))
    return items


def surcharge_items(hands: tuple[Rows, Rows], outcomes: list[int], rules: Rules) -> list[Item]:
    """R05: winning the middle with quads or a straight flush is worth a point more."""
    side = outcomes[1]
    if not side or not rules["middle_extra"] or rules["order"]["middle"] == "low27":
        return []
    if category(hands[0 if side > 0 else 1][1]) < QUADS:
        return []
    return [make_item("surcharge", side * int(rules["middle_extra"]), 1)]


def paired_royalties(
    hero: tuple[int, int, int], villain: tuple[int, int, int], rules: Rules
) -> list[tuple[int, int]]:
    """Royalties row by row; with ``cancel`` two in the same row are both dropped (R19)."""
    cancel = bool(rules["royalties"] and rules["royalties"]["cancel"])
    return [(0, 0) if cancel and a and b else (a, b) for a, b in zip(hero, villain, strict=True)]


def pair_items(
    hero: Rows,
    villain: Rows,
    rules: Rules,
    tie_winner: int = 0,
    hero_declared: Collection[str] | None = None,
    villain_declared: Collection[str] | None = None,
) -> list[Item]:
    """Items of what villain pays hero, up to and without the table-wide steps."""
    rules = fill_rules(rules)
    fouls = [foul_reason(*rows, rules["order"]) is not None for rows in (hero, villain)]
    if all(fouls):  # item 11
        return []
    # Item 11, A05: a fouled hand has no royalties and pays the opponent's, if the house says so.
    nothing = (0, 0, 0)
    owed = not any(fouls) or bool(rules["foul"]["royalties"])
    ours = hand_royalties(hero, rules, hero_declared) if owed and not fouls[0] else nothing
    theirs = hand_royalties(villain, rules, villain_declared) if owed and not fouls[1] else nothing
    outcomes = row_outcomes(hero, villain, rules, tie_winner)
    royalties = paired_royalties(ours, theirs, rules)
    extras = royalty_items(outcomes, royalties, rules)
    surcharge = surcharge_items((hero, villain), outcomes, rules) if owed else []
    beside_rows = pays_instead(rules) and not rules["rows"].get("outcome")
    extras += [] if beside_rows else surcharge
    pays = rules["foul"]["pays"] if any(fouls) else "scoop"
    if pays not in ("scoop", "rows"):  # a flat number
        return [make_item("foul", outcomes[0] * int(pays)), *extras]
    rows = row_items(outcomes, royalties, rules) + (surcharge if beside_rows else [])
    if pays == "rows":
        return rows + extras
    return add_sweep_and_overall(rows, extras, outcomes, rules)


def add_sweep_and_overall(
    rows: list[Item], extras: list[Item], outcomes: list[int], rules: Rules
) -> list[Item]:
    """Steps 3 to 5: sweep.times, sweep.units, overall."""
    items = rows + extras
    side = sweep_side(outcomes, rules)
    if side and rules["sweep"]:
        sweep = rules["sweep"]
        # A28: the whole row total, royalties included, or the row values alone.
        base = sum_items(rows if sweep["scope"] == "rows" else items)
        items.append(make_item("sweep", base * (sweep["times"] - 1) + side * sweep["units"]))
    if rules["overall"]:
        units = rules["overall"]["units"]
        items.append(make_item("overall", overall_side(outcomes, sum_items(items), rules) * units))
    return [item for item in items if item["units"]]


def overall_side(outcomes: list[int], so_far: int, rules: Rules) -> int:
    """Who takes the overall unit: 1 hero, -1 villain, 0 nobody (R06, A13)."""
    won, lost = outcomes.count(1), outcomes.count(-1)
    when = rules["overall"]["when"]
    if when == "majority":  # at least two rows
        return (won >= 2) - (lost >= 2)
    if when == "more_rows":
        return (won > lost) - (won < lost)
    assert when == "net", when  # whoever is ahead at this point
    return (so_far > 0) - (so_far < 0)


def pair_units(hero: Rows, villain: Rows, rules: Rules, tie_winner: int = 0) -> int:
    """Units that villain pays hero for their rows alone.

    Fouls are found and settled; naturals, surrender, ``all_sweep``, aces, stakes, cap are not.
    """
    return sum_items(pair_items(hero, villain, rules, tie_winner))
