"""Hands and rows at the showdown, in words: what is held, and what beats what by which card."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cp_cli.arrangement import ROW_NAMES, Row
from cp_cli.cards import RANKS
from cp_cli.evaluator import describe_natural, describe_row, tell_deciding_card
from cp_cli.render.lines import clean_text
from cp_cli.render.words import name_rows
from cp_cli.settlement.royalties import pays_instead

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Hand

_NUMBERS = ("no", "three", "four", "five", "six", "twelve")


# --- hands ---------------------------------------------------------------------------------------


def tell_hand(hand: "Hand", ruleset: "Ruleset") -> list[str]:
    """Say what a hand is: its rows, or what became of it; then what its rows may be paid."""
    owner = [] if hand.name.startswith(hand.player) else [f"a hand of {clean_text(hand.player)}"]
    if hand.natural:
        return [_tell_declared(hand), *owner]
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


def _tell_declared(hand: "Hand") -> str:
    """Say what is declared; the highest natural counts, whatever the player called it."""
    assert hand.natural is not None
    natural, units = hand.natural
    told = f"{describe_natural(natural)} ({units})"
    if hand.claimed in (None, natural):
        return f"declares {told}"
    assert hand.claimed is not None
    return f"declares {describe_natural(hand.claimed)}, holds {told}"


def _name_royalties(ruleset: "Ruleset") -> str:
    if pays_instead(ruleset):
        return "pays if it wins"
    paid = ruleset.royalties.paid if ruleset.royalties else "winner"
    return "royalties, won or lost" if paid == "always" else "royalties for winning"


def is_legal(hand: "Hand") -> bool:
    """Tell whether the rows of a hand are shown and not mis-set."""
    return hand.arrangement is not None and hand.plays and not hand.foul


# --- sentences -----------------------------------------------------------------------------------


def add_verb(words: str, verb: str) -> str:
    """Let the words for a row or for a natural do something, `verb` being without its s.

    >>> add_verb("three eights", "beat"), add_verb("kings full of twos", "beat")
    ('three eights beat', 'kings full of twos beats')
    >>> add_verb("two pair, kings and sixes", "beat"), add_verb("six high", "pay")
    ('two pair, kings and sixes, beats', 'six high pays')
    """
    first, second = [*words.split(), "", ""][:2]
    plural = first in _NUMBERS and second.rstrip(":") not in ("high", "low")
    return f"{words}{',' if ', ' in words else ''} {verb}{'' if plural else 's'}"


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


def find_better(a: "Hand", b: "Hand", row: Row) -> int:
    """Return 1 when `a` is better in a row of two legal hands, -1 when `b` is, 0 if equal."""
    one, two = a.strengths[row], b.strengths[row]
    return (one > two) - (one < two)


def tell_comparison(a: "Hand", b: "Hand", row: Row, ruleset: "Ruleset") -> str:
    """Say how two rows compare, the better one first; the deciding card where names do not tell."""
    better = find_better(a, b, row)
    hands = (b, a) if better < 0 else (a, b)
    words, others = (describe_row_of(hand, row, ruleset) for hand in hands)
    if not better:
        return f"{add_verb(words, 'equal')} {others}"
    told = f"{add_verb(words, 'beat')} {others}"
    if words != others:
        return told
    best, other = (_read_row(hand, row) for hand in hands)
    if _is_low(row, ruleset):
        deciding = _tell_lower_card(other, best)
    else:
        deciding = tell_deciding_card(best, other)
    if not deciding:
        return f"{told} ({_name_ranks(best)} against {_name_ranks(other)})"
    return f"{told}{',' if ', ' in others else ''}{deciding}"


def tell_winner(
    a: "Hand", b: "Hand", row: Row, ruleset: "Ruleset", tie: str = "nobody wins"
) -> str:
    """Say who of two legal hands wins a row and why, or that they are equal and what then."""
    told = tell_comparison(a, b, row, ruleset)
    better = find_better(a, b, row)
    if not better:
        return f"{told}, {tie}"
    return f"{clean_text((a if better > 0 else b).name)} wins: {told}"


def _tell_lower_card(higher: Sequence[int], lower: Sequence[int]) -> str:
    """Say which card decides where the lower one wins."""
    place, colon, ranks = tell_deciding_card(higher, lower).rpartition(": ")
    return f"{place}{colon}{' under '.join(reversed(ranks.split(' over ')))}"


def _name_ranks(cards: Sequence[int]) -> str:
    return "-".join(RANKS[rank] for rank in sorted((card >> 2 for card in cards), reverse=True))
