"""Rows so strong, and all lost to one player, that a house may pay a jackpot for them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cp_cli._kernels.table_rules import compare_hands
from cp_cli.arrangement import Category
from cp_cli.evaluator import categorize

if TYPE_CHECKING:
    from cp_cli.ruleset import Jackpot
    from cp_cli.settlement.results import Hand


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
    hands: "Sequence[Hand]", numbers: Sequence[Sequence[int]], rows: "Jackpot | None"
) -> tuple[str, ...]:
    """Return whose rows are those of the jackpot and all lost to one other hand.

    `numbers` are the hands as `table_rules` reads them.
    """
    if rows is None:
        return ()
    return tuple(
        hand.name
        for hand, own in zip(hands, numbers, strict=True)
        if holds_jackpot(hand, rows)
        and any(
            other.plays and compare_hands(own, theirs, 0) == (-1, -1, -1)
            for other, theirs in zip(hands, numbers, strict=True)
        )
    )
