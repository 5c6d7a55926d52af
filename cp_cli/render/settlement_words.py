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
from cp_cli.render.lines import glue_text
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
    owner = [] if hand.name.startswith(hand.player) else [f"a hand of {clean_text(hand.player)}"]
    if hand.natural:
        natural, units = hand.natural
        return [f"declares {describe_natural(natural)} ({units})", *owner]
    if hand.surrendered:
        return ["surrenders", *owner]
    if hand.arrangement is None:
        return owner
    words = [" / ".join(name_rows(hand.arrangement, ruleset)), *owner]
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
    extra = ruleset.royalties is not None and ruleset.royalties.style == "extra"
    return not extra and ruleset.rows.outcome is None


def is_legal(hand: "Hand") -> bool:
    """Tell whether the rows of a hand are shown and not mis-set."""
    return hand.arrangement is not None and hand.plays and not hand.foul


# --- rows ----------------------------------------------------------------------------------------


def _read_row(hand: "Hand", row: Row) -> tuple[int, ...]:
    assert hand.arrangement is not None
    return hand.arrangement.rows[row]


def _is_low(row: Row, ruleset: "Ruleset") -> bool:
    return row == Row.MIDDLE and ruleset.order.middle == "low27"


def describe_row_of(hand: "Hand", row: Row, ruleset: "Ruleset") -> str:
    """Say what a row of a hand is under the ruleset."""
    low = _is_low(row, ruleset)
    return describe_row(_read_row(hand, row), wheel=ruleset.order.wheel, low=low)


def rank_row_of(hand: "Hand", row: Row, ruleset: "Ruleset") -> int:
    """Return the strength of a row of a hand under the ruleset, larger is better."""
    cards = _read_row(hand, row)
    return rank_low(cards) if _is_low(row, ruleset) else rank_row(cards, ruleset.order.wheel)


def compare_row_of(a: "Hand", b: "Hand", row: Row, ruleset: "Ruleset") -> int:
    """Return 1 when `a` is better in a row, -1 when `b` is, 0 when they are equal."""
    one, two = (rank_row_of(hand, row, ruleset) for hand in (a, b))
    return (one > two) - (one < two)


def tell_comparison(a: "Hand", b: "Hand", row: Row, ruleset: "Ruleset") -> str:
    """Say how two rows compare, the better one first; the deciding card where names do not tell."""
    better = compare_row_of(a, b, row, ruleset)
    hands = (b, a) if better < 0 else (a, b)
    words = [describe_row_of(hand, row, ruleset) for hand in hands]
    if not better:
        return f"{words[0]} equals {words[1]}"
    told = f"{words[0]} beats {words[1]}"
    if words[0] != words[1]:
        return told
    best, other = (_read_row(hand, row) for hand in hands)
    if _is_low(row, ruleset):
        deciding = _tell_lower_card(other, best)
    else:
        deciding = tell_deciding_card(best, other)
    return told + (deciding or f" ({_name_ranks(best)} against {_name_ranks(other)})")


def tell_winner(
    a: "Hand", b: "Hand", row: Row, ruleset: "Ruleset", tie: str = "nobody wins"
) -> str:
    """Say who of two legal hands wins a row and why, or that they are equal and what then."""
    told = tell_comparison(a, b, row, ruleset)
    better = compare_row_of(a, b, row, ruleset)
    if not better:
        return f"{told}, {tie}"
    return f"{clean_text((a if better > 0 else b).name)} wins: {told}"


def _tell_lower_card(higher: Sequence[int], lower: Sequence[int]) -> str:
    """Say which card decides where the lower one wins."""
    place, colon, ranks = tell_deciding_card(higher, lower).rpartition(": ")
    return f"{place}{colon}{' under '.join(reversed(ranks.split(' over ')))}"


def _name_ranks(cards: Sequence[int]) -> str:
    return "-".join(RANKS[rank] for rank in sorted((card >> 2 for card in cards), reverse=True))


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
    if is_instead(ruleset) and paid != ruleset.rows.win:
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
    return f"{winner} won {count_nouns(max(won, lost), 'row')} and lost {min(won, lost)}"


def _tell_foul(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    fouled, other = (pair.b, pair.a) if item.units > 0 else (pair.a, pair.b)
    told = f"{clean_text(fouled.name)}'s hand is foul"
    if item.row is None or abs(item.units) == ruleset.rows.win:
        return told
    words = describe_row_of(other, item.row, ruleset)
    return f"{told}; {words} pays {abs(item.units)} instead of {ruleset.rows.win}"


def _tell_royalty(item: "Item", pair: "Pair", ruleset: "Ruleset") -> str:
    hand = pair.a if item.units > 0 else pair.b
    assert item.row is not None
    words = describe_row_of(hand, item.row, ruleset)
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
    name, natural = clean_text(winner.name), describe_natural(winner.natural[0])
    if loser.natural is None:
        return f"{name} declares {natural}"
    told = f"{name}'s {natural} beats {describe_natural(loser.natural[0])}"
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
    """Say why nothing changes hands between hands that have no item."""
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
    if told:
        return ", ".join(told)
    return "the rows pay nothing" if any(pair.outcomes) else "all three rows are equal"


def join_items(pair: "Pair", done: "Settlement", ruleset: "Ruleset") -> list[str]:
    """Return the items of a pair in short, signed from the view of `a`."""
    parts = []
    for number, item in enumerate(pair.items, start=1):
        amount = format_amount(item.units)
        later = [each.reason for each in pair.items[number:]]  # one word about a foul is enough
        part = glue_text(f"{label_item(item)} {amount}")
        if item.reason == "royalty" and item.row is not None:
            royalty = glue_text(f"{ROW_NAMES[item.row]} royalty {amount}")
            part = f"{name_side(pair, item.units)}'s {royalty}"
        elif item.reason not in ("row", "overall") and item.reason not in later:
            part += f" ({explain_item(item, pair, done, ruleset)})"
        parts.append(part)
    return parts
