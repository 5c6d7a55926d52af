"""Why units change hands between two players, in the words of the game."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cp_cli.arrangement import ROW_NAMES, Row
from cp_cli.evaluator import describe_natural, tell_deciding_tie
from cp_cli.render.amounts import format_amount
from cp_cli.render.lines import clean_text, glue_text
from cp_cli.render.settlement_rows import add_verb, describe_row_of, tell_winner
from cp_cli.render.words import count_nouns
from cp_cli.settlement.royalties import pays_instead

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Hand, Item, Pair, Units

Reason = tuple[str, "int | None", str]
"""A line of an explanation: what is told, its units if it has any, and the words."""

_LABELS = {"all_sweep": "home run", "cap": "chips"}
_NUMBERS = ("no rows", "one row", "two rows", "all three rows")
_ROW_EXTRAS = ("royalty", "surcharge")  # what a row is paid beside its value
_BESIDE = ("aces", "stake", "cap")  # items that do not say how the hands compare


# --- rows ----------------------------------------------------------------------------------------


def explain_row(pair: "Pair", row: Row, ruleset: "Ruleset") -> str:
    """Say who wins a row of two legal hands, why, and what it pays where that is unusual."""
    tie = "the bank wins" if pair.outcomes[row] else "nobody wins"
    told = tell_winner(pair.a, pair.b, row, ruleset, tie)
    return told + _tell_value(pair, row, ruleset) if pair.outcomes[row] else told


def _tell_value(pair: "Pair", row: Row, ruleset: "Ruleset") -> str:
    """Say what a row pays where that is not the usual."""
    royalties = ruleset.royalties
    if royalties and royalties.cancel and pair.a.royalties[row] and pair.b.royalties[row]:
        return "; the royalties cancel"
    rows = {item.row: int(item.units) for item in pair.items if item.reason == "row"}
    paid = abs(rows.get(row, 0))
    if pays_instead(ruleset) and paid != ruleset.rows.win:
        return f"; pays {paid} instead of {ruleset.rows.win}"
    return ""


def name_side(pair: "Pair", side: "Units") -> str:
    """Return whose side it is: `a` for more than 0, `b` for less."""
    return clean_text((pair.a if side > 0 else pair.b).name)


def count_rows(pair: "Pair") -> tuple[int, int]:
    """Return the rows that `a` won and those that `b` won."""
    return pair.outcomes.count(1), pair.outcomes.count(-1)


# --- items ---------------------------------------------------------------------------------------


def explain_item(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    """Say why the units of an item of a pair are paid."""
    match item.reason:
        case "row":
            assert item.row is not None
            return explain_row(pair, item.row, ruleset)
        case "rows":
            return _tell_rows(pair)
        case "royalty":
            return _tell_royalty(item, pair, ruleset)
        case "surcharge":
            return _tell_surcharge(item, pair, ruleset)
        case "sweep":
            return _tell_sweep(pair, ruleset)
        case "overall":
            return _tell_overall(item, pair, ruleset)
        case "foul":
            return _tell_foul(item, pair, ruleset)
        case "natural":
            return _tell_natural(item, pair, ruleset)
        case "surrender":
            return f"{name_side(pair, -item.units)} surrendered"
        case "all_sweep":
            return _tell_home_run(item, pair, ruleset)
        case "aces":
            return _tell_aces(pair, ruleset)
        case "stake":
            due = _sum_before(item, pair)
            return f"{1 + item.units // due} a unit"
    return _tell_cap(item, pair)


def _sum_before(item: "Item", pair: "Pair") -> int:
    """Return what the items before one add up to."""
    return int(sum(each.units for each in pair.items[: pair.items.index(item)]))


def _tell_rows(pair: "Pair") -> str:
    won, lost = count_rows(pair)
    winner = name_side(pair, won - lost)
    return f"{winner} won {count_nouns(max(won, lost), 'row')} and lost {min(won, lost)}"


def _tell_foul(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    fouled, other = (pair.b, pair.a) if item.units > 0 else (pair.a, pair.b)
    told = f"{clean_text(fouled.name)}'s hand is foul"
    if item.row is None or abs(item.units) == ruleset.rows.win:
        return told
    pays = add_verb(describe_row_of(other, item.row, ruleset), "pay")
    return f"{told}; {pays} {abs(item.units)} instead of {ruleset.rows.win}"


def _tell_royalty(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    hand = pair.a if item.units > 0 else pair.b
    assert item.row is not None
    words = describe_row_of(hand, item.row, ruleset)
    return f"{clean_text(hand.name)}'s {ROW_NAMES[item.row]}: {words}"


def _tell_surcharge(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    hand = pair.a if item.units > 0 else pair.b
    words = describe_row_of(hand, Row.MIDDLE, ruleset)
    return f"{clean_text(hand.name)} won the middle with {words}"


def _tell_sweep(pair: "Pair", ruleset: "Ruleset") -> str:
    won, lost = count_rows(pair)
    rows = "all three rows" if abs(won - lost) == 3 else "two rows and lost none"
    told = f"{name_side(pair, won - lost)} won {rows}"
    sweep = ruleset.sweep
    if sweep is None or sweep.times == 1:
        return told
    what = "rows" if sweep.scope == "rows" else "rows and royalties"
    return f"{told}: {what} count {_tell_times(sweep.times)}"


def _tell_times(times: int) -> str:
    return {2: "double", 3: "three times", 4: "four times"}.get(times, f"{times} times")


def _tell_overall(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    winner = name_side(pair, item.units)
    when = ruleset.overall.when if ruleset.overall else "majority"
    if when == "net":
        return f"{winner} is ahead"
    won, lost = count_rows(pair)
    if when == "more_rows" and max(won, lost) < 2:
        return f"{winner} won more rows"
    return f"{winner} won {_NUMBERS[max(won, lost)]}"


def _tell_natural(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    winner, loser = (pair.a, pair.b) if item.units > 0 else (pair.b, pair.a)
    assert winner.natural is not None
    (natural, units), name = winner.natural, clean_text(winner.name)
    if loser.natural is None:
        declared = winner.claimed in (None, natural)
        return f"{name} {'declares' if declared else 'holds'} {describe_natural(natural)}"
    other, less = loser.natural
    told = f"{name}'s {add_verb(describe_natural(natural), 'beat')} {describe_natural(other)}"
    if natural == other:
        return told + tell_deciding_tie(winner.cards, loser.cards, natural, ruleset)
    if ruleset.naturals and ruleset.naturals.clash == "difference":
        return f"{told}; the difference is paid, {units} less {less}"
    return told if units > less else f"{told}, ranked higher by {clean_text(ruleset.id)}"


def _tell_home_run(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    won, lost = count_rows(pair)
    told = f"{name_side(pair, won - lost)} swept everybody"
    rules = ruleset.all_sweep
    if rules is None or rules.times == 1:
        return told
    return f"{told}: all of the pair counts {_tell_times(rules.times)}"


def _tell_aces(pair: "Pair", ruleset: "Ruleset") -> str:
    worth = ruleset.aces or ()
    return "; ".join(
        f"{clean_text(hand.name)} {count_nouns(hand.aces, 'ace')}, worth {worth[hand.aces]}"
        for hand in (pair.a, pair.b)
    )


def find_limited(pair: "Pair") -> "tuple[Hand, int]":
    """Return the hand whose chips limit a pair with an item `cap`, and what was left of them."""
    limits = zip((pair.a, pair.b), pair.chips_left, strict=True)
    return min(
        ((hand, left) for hand, left in limits if left is not None), key=lambda limit: limit[1]
    )


def _tell_cap(item: "Item", pair: "Pair") -> str:
    """Say what was not covered, and who had no more chips to play for."""
    hand, left = find_limited(pair)
    rest = count_nouns(left, "chip")
    return f"{abs(item.units)} not covered; {clean_text(hand.player)} had {rest} left to play for"


# --- pairs ---------------------------------------------------------------------------------------


def label_item(item: "Item") -> str:
    """Return the short name of an item of a pair."""
    if item.row is not None and item.reason not in _ROW_EXTRAS:
        return ROW_NAMES[item.row]
    return _LABELS.get(item.reason, item.reason)


def list_reasons(pair: "Pair", ruleset: "Ruleset") -> Iterator[Reason]:
    """Yield what a pair is settled by: every row that was compared, then every other item."""
    compared = bool(pair.outcomes) and not (pair.a.foul or pair.b.foul)
    if compared:
        paid = {item.row: int(item.units) for item in pair.items if item.reason == "row"}
        for row in Row:
            units = None if ruleset.rows.outcome else paid.get(row, 0)
            yield ROW_NAMES[row], units, explain_row(pair, row, ruleset)
    elif all(item.reason in _BESIDE for item in pair.items):
        yield "", None, tell_nothing(pair)
    for item in pair.items:
        if item.reason != "row":
            yield label_item(item), int(item.units), explain_item(item, pair, ruleset)


def tell_nothing(pair: "Pair") -> str:
    """Say why the hands themselves make nothing change hands."""
    hands = (pair.a, pair.b)
    naturals = [describe_natural(hand.natural[0]) for hand in hands if hand.natural]
    if len(naturals) == 2:
        words = " and ".join(dict.fromkeys(naturals))
        return f"{'both declare ' if len({*naturals}) == 1 else ''}{words}: equal, nobody pays"
    if all(hand.foul for hand in hands):
        return "both hands are foul"
    if all(hand.surrendered for hand in hands):
        return "both surrendered"
    told = []
    for hand in hands:
        name = clean_text(hand.name)
        if hand.surrendered:
            told.append(f"{name} surrendered")
        elif hand.foul:
            told.append(f"{name}'s hand is foul")
    if told:
        return ", ".join(told)
    return "the rows pay nothing" if any(pair.outcomes) else "all three rows are equal"


def join_items(pair: "Pair", ruleset: "Ruleset") -> list[str]:
    """Return the items of a pair in short, signed from the view of `a`."""
    parts = []
    for number, item in enumerate(pair.items, start=1):
        amount = format_amount(item.units)
        later = [each.reason for each in pair.items[number:]]  # one word about a foul is enough
        part = glue_text(f"{label_item(item)} {amount}")
        if item.reason in _ROW_EXTRAS and item.row is not None:
            extra = glue_text(f"{ROW_NAMES[item.row]} {item.reason} {amount}")
            part = f"{name_side(pair, item.units)}'s {extra}"
        elif item.reason not in ("row", "overall") and item.reason not in later:
            part += f" ({explain_item(item, pair, ruleset)})"
        parts.append(part)
    return parts
