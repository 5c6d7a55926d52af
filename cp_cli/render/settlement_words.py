"""Why units change hands between two players, in the words of the game."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cp_cli.arrangement import ROW_NAMES, Row
from cp_cli.cards import RANKS
from cp_cli.evaluator import (
    describe_natural,
    describe_row,
    rank_low,
    rank_row,
    tell_deciding_card,
)
from cp_cli.render.amounts import format_amount
from cp_cli.render.splits import clean_text
from cp_cli.render.words import count_nouns, name_rows

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Hand, Item, Pair, Settlement, Units

Reason = tuple[str, "int | None", str]
"""A line of an explanation: what is told, its units if it has any, and the words."""

_LABELS = {"all_sweep": "home run", "cap": "chips"}
_NUMBERS = ("no rows", "one row", "two rows", "all three rows")
ACE = RANKS.index("A")


# --- hands ---------------------------------------------------------------------------------------


def tell_hand(hand: "Hand", ruleset: "Ruleset") -> list[str]:
    """Say what a hand is: its rows, or what became of it; then what its rows may be paid."""
    if hand.natural:
        natural, units = hand.natural
        return [f"declares {describe_natural(natural)} ({units})"]
    if hand.surrendered:
        return ["surrenders"]
    if hand.arrangement is None:
        return []
    words = [" / ".join(name_rows(hand.arrangement, ruleset))]
    if hand.foul:
        words.append(f"foul: {hand.foul}")
    paid = [
        f"{name} {units}" for name, units in zip(ROW_NAMES, hand.royalties, strict=True) if units
    ]
    if paid:
        words.append(f"{_name_royalties(ruleset)}: {', '.join(paid)}")
    return words


def _name_royalties(ruleset: "Ruleset") -> str:
    if is_instead(ruleset):
        return "pays if it wins"
    paid = ruleset.royalties.paid if ruleset.royalties else "winner"
    return "royalties, won or lost" if paid == "always" else "royalties for winning"


def is_instead(ruleset: "Ruleset") -> bool:
    """Tell whether strong rows pay in place of the row's value."""
    return ruleset.royalties is None or ruleset.royalties.style == "instead"


def describe_row_of(cards: Sequence[int], row: Row, ruleset: "Ruleset") -> str:
    """Say what the cards of a row are under the ruleset."""
    low = row == Row.MIDDLE and ruleset.order.middle == "low27"
    return describe_row(cards, wheel=ruleset.order.wheel, low=low)


def rank_row_of(cards: Sequence[int], row: Row, ruleset: "Ruleset") -> int:
    """Return the strength of a row under the ruleset, larger is better."""
    if row == Row.MIDDLE and ruleset.order.middle == "low27":
        return rank_low(cards)
    return rank_row(cards, ruleset.order.wheel)


# --- rows ----------------------------------------------------------------------------------------


def tell_comparison(
    first: Sequence[int], second: Sequence[int], row: Row, ruleset: "Ruleset"
) -> str:
    """Say how two rows compare, the better one first; the deciding card where names do not tell."""
    one, two = (rank_row_of(cards, row, ruleset) for cards in (first, second))
    best, other = (first, second) if one >= two else (second, first)
    words = [describe_row_of(cards, row, ruleset) for cards in (best, other)]
    if one == two:
        return f"{words[0]} equals {words[1]}"
    told = f"{words[0]} beats {words[1]}"
    if words[0] != words[1]:
        return told
    low = row == Row.MIDDLE and ruleset.order.middle == "low27"
    deciding = _tell_lower_card(other, best) if low else tell_deciding_card(best, other)
    return told + (deciding or f" ({_name_ranks(best)} against {_name_ranks(other)})")


def _tell_lower_card(higher: Sequence[int], lower: Sequence[int]) -> str:
    """Say which card decides where the lower one wins."""
    place, colon, ranks = tell_deciding_card(higher, lower).rpartition(": ")
    return f"{place}{colon}{' under '.join(reversed(ranks.split(' over ')))}"


def _name_ranks(cards: Sequence[int]) -> str:
    return "-".join(RANKS[rank] for rank in sorted((card >> 2 for card in cards), reverse=True))


def explain_row(pair: "Pair", row: Row, ruleset: "Ruleset") -> str:
    """Say who wins a row of two legal hands, and why."""
    a, b = pair.a, pair.b
    assert a.arrangement is not None
    assert b.arrangement is not None
    told = tell_comparison(a.arrangement.rows[row], b.arrangement.rows[row], row, ruleset)
    outcome = pair.outcomes[row]
    if " equals " in told:
        return f"{told}, {'the bank wins' if outcome else 'nobody wins'}"
    return f"{name_side(pair, outcome)} wins: {told}{_tell_value(pair, row, ruleset)}"


def _tell_value(pair: "Pair", row: Row, ruleset: "Ruleset") -> str:
    """Say what a row pays where that is not the usual."""
    royalties = ruleset.royalties
    if royalties and royalties.cancel and pair.a.royalties[row] and pair.b.royalties[row]:
        return "; the royalties cancel"
    rows = {item.row: int(item.units) for item in pair.items if item.reason == "row"}
    paid = abs(rows.get(row, 0))
    if is_instead(ruleset) and not ruleset.rows.outcome and paid != ruleset.rows.win:
        return f"; pays {paid} instead of {ruleset.rows.win}"
    return ""


def name_side(pair: "Pair", side: "Units") -> str:
    """Return whose side it is: `a` for more than 0, `b` for less."""
    return clean_text((pair.a if side > 0 else pair.b).name)


def count_rows(pair: "Pair") -> tuple[int, int]:
    """Return the rows that `a` won and those that `b` won."""
    return pair.outcomes.count(1), pair.outcomes.count(-1)


# --- items ---------------------------------------------------------------------------------------


def explain_item(item: "Item", pair: "Pair", done: "Settlement", ruleset: "Ruleset") -> str:
    """Say why the units of an item of a pair are paid."""
    match item.reason:
        case "row":
            assert item.row is not None
            return explain_row(pair, item.row, ruleset)
        case "rows":
            return _tell_rows(pair)
        case "royalty":
            return _tell_royalty(item, pair, ruleset)
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
    return _tell_cap(item, pair, done)


def _sum_before(item: "Item", pair: "Pair") -> int:
    """Return what the items before one add up to."""
    return int(sum(each.units for each in pair.items[: pair.items.index(item)]))


def _tell_rows(pair: "Pair") -> str:
    won, lost = count_rows(pair)
    winner = name_side(pair, won - lost)
    return f"{winner} won {max(won, lost)} and lost {min(won, lost)}"


def _tell_foul(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    fouled, other = (pair.b, pair.a) if item.units > 0 else (pair.a, pair.b)
    told = f"{clean_text(fouled.name)}'s hand is foul"
    if item.row is None or abs(item.units) == ruleset.rows.win or other.arrangement is None:
        return told
    words = describe_row_of(other.arrangement.rows[item.row], item.row, ruleset)
    return f"{told}; {words} pays {abs(item.units)} instead of {ruleset.rows.win}"


def _tell_royalty(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    hand = pair.a if item.units > 0 else pair.b
    assert hand.arrangement is not None
    assert item.row is not None
    words = describe_row_of(hand.arrangement.rows[item.row], item.row, ruleset)
    return f"{clean_text(hand.name)}'s {ROW_NAMES[item.row]}: {words}"


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
    name = f"{clean_text(winner.name)}'s {describe_natural(winner.natural[0])}"
    if loser.natural is None:
        return name
    told = f"{name} beats {describe_natural(loser.natural[0])}"
    if ruleset.naturals and ruleset.naturals.clash == "difference":
        told += f"; the difference is paid, {winner.natural[1]} less {loser.natural[1]}"
    return told


def _tell_home_run(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    won, lost = count_rows(pair)
    told = f"{name_side(pair, won - lost)} swept everybody"
    rules = ruleset.all_sweep
    if rules is None or rules.times == 1:
        return told
    return f"{told}: all of the pair counts {_tell_times(rules.times)}"


def _tell_aces(pair: "Pair", ruleset: "Ruleset") -> str:
    worth = ruleset.aces or ()
    told = []
    for hand in (pair.a, pair.b):
        aces = sum(card >> 2 == ACE for card in hand.cards)
        told.append(f"{clean_text(hand.name)} {count_nouns(aces, 'ace')}, worth {worth[aces]}")
    return "; ".join(told)


def _tell_cap(item: "Item", pair: "Pair", done: "Settlement") -> str:
    """Say what was not covered, and who had no more chips to play for.

    A chip counts once, won or lost, in the order of the pairs.
    """
    left = {
        name: before
        for name in (pair.a.player, pair.b.player)
        if (before := done.find_player(name).chips_before) is not None
    }
    for earlier in done.pairs[: done.pairs.index(pair)]:
        for hand in (earlier.a, earlier.b):
            if hand.player in left:
                left[hand.player] -= abs(earlier.units)
    least = min(left, key=lambda name: left[name])
    rest = count_nouns(int(left[least]), "chip")
    return f"{abs(item.units)} not covered; {clean_text(least)} had {rest} left to play for"


# --- pairs ---------------------------------------------------------------------------------------


def label_item(item: "Item") -> str:
    """Return the short name of an item of a pair."""
    if item.row is not None and item.reason != "royalty":
        return ROW_NAMES[item.row]
    return _LABELS.get(item.reason, item.reason)


def list_reasons(pair: "Pair", done: "Settlement", ruleset: "Ruleset") -> Iterator[Reason]:
    """Yield what a pair is settled by: every row that was compared, then every other item."""
    compared = bool(pair.outcomes) and not (pair.a.foul or pair.b.foul)
    if compared:
        paid = {item.row: int(item.units) for item in pair.items if item.reason == "row"}
        for row in Row:
            units = None if ruleset.rows.outcome else paid.get(row, 0)
            yield ROW_NAMES[row], units, explain_row(pair, row, ruleset)
    for item in pair.items:
        if item.reason != "row":
            yield label_item(item), int(item.units), explain_item(item, pair, done, ruleset)
    if not compared and not pair.items:
        yield "", None, tell_nothing(pair)


def tell_nothing(pair: "Pair") -> str:
    """Say why nothing changes hands between hands whose rows were not compared."""
    hands = (pair.a, pair.b)
    if all(hand.natural for hand in hands):
        return "their naturals are equal"
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
    return ", ".join(told)


def join_items(pair: "Pair", done: "Settlement", ruleset: "Ruleset") -> list[str]:
    """Return the items of a pair in short, signed from the view of `a`."""
    parts = []
    for number, item in enumerate(pair.items, start=1):
        amount = format_amount(item.units)
        later = [each.reason for each in pair.items[number:]]  # one word about a foul is enough
        part = f"{label_item(item)} {amount}"
        if item.reason == "royalty" and item.row is not None:
            part = f"{name_side(pair, item.units)}'s {ROW_NAMES[item.row]} royalty {amount}"
        elif item.reason not in ("row", "overall") and item.reason not in later:
            part += f" ({explain_item(item, pair, done, ruleset)})"
        parts.append(part)
    return parts
