"""What a settlement assumed or left open, in sentences."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cp_cli.evaluator import describe_natural
from cp_cli.settlement.results import Settlement
from cp_cli.settlement.table import Table

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset, Stakes


def list_notes(done: Settlement, table: Table, ruleset: "Ruleset") -> Iterator[str]:
    """Yield the notes of a settled deal."""
    for hand in done.hands:
        if hand.undeclared:
            natural, units = hand.undeclared
            yield f"{hand.name} holds {describe_natural(natural)} ({units}), not declared"
        elif hand.natural and hand.claimed and hand.claimed != hand.natural[0]:
            natural, units = hand.natural
            yield (
                f"{hand.name} declares {describe_natural(hand.claimed)}; the highest held counts, "
                f"{describe_natural(natural)} ({units})"
            )
    stakes = ruleset.stakes
    named = any(player.chips_before is not None for player in done.players)
    if stakes and stakes.cap == "chips" and named and table.dealer is None:
        yield f"no dealer named: {table.players[0]} counts as dealer for the order of payment"
    if stakes:
        yield from _list_idle_stakes(table, stakes)
    for player in done.players:
        if player.chips is not None and player.chips < 0:
            yield f"{player.name} lost {-player.chips} more than the chips in front"
    if ruleset.rake:
        yield f"rake: {ruleset.rake} from each player"


def _list_idle_stakes(table: Table, stakes: "Stakes") -> Iterator[str]:
    """Name the ruleset's stakes of pairs that are not at the table."""
    idle = [pair for pair in stakes.pairs if not stakes.name_pair(pair) <= set(table.players)]
    if idle:
        yield f"stakes of the ruleset for {', '.join(idle)}: not at this table"
