"""What a settlement assumed or left open, in sentences."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cp_cli.evaluator import best_natural, describe_natural
from cp_cli.settlement.results import Settlement
from cp_cli.settlement.table import Table

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset


def list_notes(done: Settlement, table: Table, ruleset: "Ruleset") -> Iterator[str]:
    """Yield the notes of a settled deal."""
    for hand in done.hands:
        if hand.undeclared:
            natural, units = hand.undeclared
            yield f"{hand.name} holds {describe_natural(natural)} ({units}), not declared"
        elif hand.natural and (best := best_natural(hand.cards, ruleset)) != hand.natural:
            assert best is not None
            yield (
                f"{hand.name} declares {describe_natural(hand.natural[0])} and holds "
                f"{describe_natural(best[0])} ({best[1]}) as well; what is declared is paid"
            )
    stakes = ruleset.stakes
    if stakes and stakes.cap == "chips":
        if not any(player.chips_before is not None for player in done.players):
            yield "no chips named: nothing limits payments"
        elif table.dealer is None:
            yield f"no dealer named: {table.players[0]} counts as dealer for the order of payment"
    if stakes:
        yield from _list_idle_stakes(table, list(stakes.pairs))
    for player in done.players:
        if player.chips is not None and player.chips < 0:
            yield f"{player.name} lost {-player.chips} more than the chips in front"
    if ruleset.rake:
        yield f"rake: {ruleset.rake} from each player"


def _list_idle_stakes(table: Table, pairs: list[str]) -> Iterator[str]:
    """Name the ruleset's stakes of pairs that are not at the table."""
    players = table.players
    seated = {f"{p}-{q}" for p in players for q in players if p != q}
    idle = [pair for pair in pairs if pair not in seated]
    if idle:
        yield f"stakes of the ruleset for {', '.join(idle)}: not at this table"
