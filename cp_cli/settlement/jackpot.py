"""Rows so strong, and all lost to one player, that a house may pay a jackpot for them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cp_cli._kernels.table_rules import compare_hands
from cp_cli.arrangement import Category
from cp_cli.evaluator import categorize

if TYPE_CHECKING:
    from cp_cli.ruleset import Jackpot
    from cp_cli.settlement.results import Hand, Settlement


def holds_jackpot(hand: "Hand", rows: "Jackpot") -> bool:
    """Tell whether the rows of a legal hand are those of the jackpot, each of its very category."""
    if hand.arrangement is None or hand.foul or not hand.plays:
        return False
    wanted = (rows.front, rows.middle, rows.back)
    return all(
        categorize(cards) == Category[name.upper()]
        for cards, name in zip(hand.arrangement.rows, wanted, strict=True)
    )


def find_jackpots(
    done: "Settlement", numbers: Sequence[Sequence[int]], rows: "Jackpot | None"
) -> tuple[str, ...]:
    """Return whose rows are those of the jackpot and all lost to one other hand.

    Where players settle in pairs, hands that never meet do not lose to each other: two players
    beside the bank, or the two hands of one player. `numbers` are the hands as `table_rules`
    reads them.
    """
    if rows is None:
        return ()
    return tuple(
        hand.name
        for hand, own in zip(done.hands, numbers, strict=True)
        if holds_jackpot(hand, rows) and (-1, -1, -1) in _list_outcomes(hand, own, done, numbers)
    )


def _list_outcomes(
    hand: "Hand", own: Sequence[int], done: "Settlement", numbers: Sequence[Sequence[int]]
) -> list[tuple[int, ...]]:
    """Return who won front, middle and back of a hand, 1 if it did, against each that it met."""
    if not done.pairs:
        return [
            compare_hands(own, theirs, 0)
            for other, theirs in zip(done.hands, numbers, strict=True)
            if other.plays
        ]
    met = []
    for pair in done.pairs:
        if hand is pair.a or hand is pair.b:
            sign = 1 if hand is pair.a else -1
            met.append(tuple(sign * outcome for outcome in pair.outcomes))
    return met
