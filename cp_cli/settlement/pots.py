"""Modes in which players do not settle in pairs: one pot, a pot for each row, a race."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cp_cli._kernels.table_rules import find_best_row, find_sole_winner, score_race
from cp_cli.arrangement import Row
from cp_cli.settlement.results import Hand, Item, Player, Settlement, add_up
from cp_cli.settlement.table import Table, simplify

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset


def settle_sole_winner(
    table: Table, ruleset: "Ruleset", hands: tuple[Hand, ...], numbers: list[list[int]]
) -> Settlement:
    """Give the pot to whoever beats every other player in two rows, else carry it.

    Until somebody wins it nobody has won or lost anything.
    """
    pot = {name: table.pot.get(name, 0) + ruleset.ante for name in table.players}
    pot |= {name: stake for name, stake in table.pot.items() if name not in pot and stake}
    seat = find_sole_winner(numbers, len(hands))
    if seat < 0:
        return Settlement(hands, (), tuple(Player(name, 0) for name in pot), pot=pot)
    winner = hands[seat].player
    players = []
    for name, stake in pot.items():
        items = [Item("ante", None, -stake)]
        if name == winner:
            items.append(Item("pot", None, sum(pot.values())))
        players.append(Player(name, add_up(items), tuple(items)))
    empty = dict.fromkeys(table.players, 0)
    return Settlement(hands, (), tuple(players), pot=empty, winner=winner)


def settle_pots(
    ruleset: "Ruleset", hands: tuple[Hand, ...], numbers: list[list[int]]
) -> Settlement:
    """Give a third of the pot to each best row; equal ones share it.

    Where every hand is fouled the stakes go back.
    """
    n = len(hands)
    third = Fraction(ruleset.ante * n, 3)
    items = [[Item("ante", None, -ruleset.ante)] for _ in hands]
    for row in Row:
        best = [0] * n
        if not find_best_row(numbers, n, row, best):
            best = [1] * n
        share = simplify(third / sum(best))
        for seat in range(n):
            if best[seat]:
                items[seat].append(Item("pot", row, share))
    players = tuple(
        Player(hand.player, simplify(add_up(own)), tuple(own))
        for hand, own in zip(hands, items, strict=True)
    )
    return Settlement(hands, (), players)


def settle_race(
    table: Table, ruleset: "Ruleset", hands: tuple[Hand, ...], numbers: list[list[int]]
) -> Settlement:
    """Give a point for each row that is best alone; no units change hands."""
    n = len(hands)
    best, points = [0] * n, [0] * n
    score_race(numbers, n, ruleset.race.fourth_point, best, points)
    players = []
    for hand, won in zip(hands, points, strict=True):
        score = table.scores.get(hand.player, 0) + won
        players.append(Player(hand.player, 0, points=won, score=score))
    winner = find_race_winner(players, ruleset.race.target)
    return Settlement(hands, (), tuple(players), winner=winner)


def find_race_winner(players: Sequence[Player], target: int) -> str | None:
    """Return who has won: of those at the target the highest; None while two share the lead."""
    scores = [player.score or 0 for player in players]
    leaders = [player.name for player in players if player.score == max(scores)]
    return leaders[0] if max(scores) >= target and len(leaders) == 1 else None
