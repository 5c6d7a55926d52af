"""Deals that are not settled in pairs: one pot, a pot for each row, a race."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from cp_cli.arrangement import ROW_NAMES, Row
from cp_cli.render.amounts import format_amount, tell_amount
from cp_cli.render.lines import clean_text, wrap_text
from cp_cli.render.paint import Paint
from cp_cli.render.settlement_rows import (
    describe_row_of,
    find_better,
    is_legal,
    tell_comparison,
    tell_winner,
)
from cp_cli.render.settlement_words import label_item

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Hand, Money, Settlement


def draw_pots(
    done: "Settlement",
    ruleset: "Ruleset",
    paint: Paint,
    *,
    explain: bool,
    money: "Money | None",
) -> Iterator[str]:
    """Yield who takes the pot, each row or the points of a deal."""
    if ruleset.mode == "sole_winner":
        texts = list(_tell_sole_winner(done, money))
    elif ruleset.mode == "row_pots":
        texts = list(_tell_row_pots(done, ruleset, money, explain=explain))
    else:
        texts = list(_tell_race(done, ruleset, explain=explain))
    for text in texts:
        yield from wrap_text(text, paint.width, later="  ")
    if explain and ruleset.mode == "sole_winner":
        yield from _draw_rows_won(done, ruleset, paint)


def _tell_sole_winner(done: "Settlement", money: "Money | None") -> Iterator[str]:
    if done.winner is not None:
        items = done.find_player(done.winner).items
        pot = next(item.units for item in items if item.reason == "pot")
        name = clean_text(done.winner)
        taken = tell_amount(pot, money)
        yield f"{name} wins the pot of {taken}: beats everybody in two rows or more"
    elif done.pot is not None:
        stakes = ", ".join(f"{clean_text(name)} {stake}" for name, stake in done.pot.items())
        pot = sum(done.pot.values())
        yield "nobody beats everybody in two rows"
        yield f"the pot of {tell_amount(pot, money)} is carried: {stakes}"


def _draw_rows_won(done: "Settlement", ruleset: "Ruleset", paint: Paint) -> Iterator[str]:
    """Yield the rows of every two legal hands, and who won more of them."""
    legal = [hand for hand in done.hands if is_legal(hand)]
    for a, b in combinations(legal, 2):
        outcomes = [find_better(a, b, row) for row in Row]
        first, second = (clean_text(hand.name) for hand in (a, b))
        text = f"rows: {first} {outcomes.count(1)}, {second} {outcomes.count(-1)}"
        yield from (paint.style(line, "bold") for line in wrap_text(text, paint.width))
        for row in Row:
            start = f"  {ROW_NAMES[row]:6}  "
            told = tell_winner(a, b, row, ruleset)
            yield from wrap_text(told, paint.width, start, " " * len(start))


def find_best(done: "Settlement", row: Row) -> "list[list[Hand]]":
    """Return the legal hands by their strength in a row, the best first, equal ones together."""
    ranked: dict[int, list[Hand]] = {}
    for hand in done.hands:
        if is_legal(hand):
            ranked.setdefault(hand.strengths[row], []).append(hand)
    return [ranked[strength] for strength in sorted(ranked, reverse=True)]


def _tell_best(ranked: "list[list[Hand]]", row: Row, ruleset: "Ruleset", *, explain: bool) -> str:
    """Say what the best of a row is and, with `explain`, what the next best is."""
    best = ranked[0][0]
    if not explain or len(ranked) < 2:
        return describe_row_of(best, row, ruleset)
    second = ranked[1][0]
    return f"{tell_comparison(best, second, row, ruleset)} ({clean_text(second.name)})"


def _join_names(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: `Amy, Bob and Cat`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _tell_row_pots(
    done: "Settlement", ruleset: "Ruleset", money: "Money | None", *, explain: bool
) -> Iterator[str]:
    for row in Row:
        shares = [
            (clean_text(player.name), item.units)
            for player in done.players
            for item in player.items
            if (item.reason, item.row) == ("pot", row)
        ]
        ranked = find_best(done, row)
        if not shares:
            continue
        amount = tell_amount(shares[0][1], money)
        if not ranked:
            yield f"{ROW_NAMES[row]}: no legal hand; {amount} back to each"
            continue
        words = _tell_best(ranked, row, ruleset, explain=explain)
        names = _join_names([name for name, _ in shares])
        if len(shares) > 1:
            yield f"{ROW_NAMES[row]}: {names} share it, {amount} each: {words}"
        else:
            yield f"{ROW_NAMES[row]}: {names} takes {amount}: {words}"
    for player in done.players:
        parts = [f"{label_item(item)} {format_amount(item.units)}" for item in player.items]
        yield f"{clean_text(player.name)}: {', '.join(parts)}"


def _tell_race(done: "Settlement", ruleset: "Ruleset", *, explain: bool) -> Iterator[str]:
    for row in Row:
        ranked = find_best(done, row)
        if not ranked:
            yield f"{ROW_NAMES[row]}: no legal hand, no point"
            continue
        words = _tell_best(ranked, row, ruleset, explain=explain)
        names = _join_names([clean_text(hand.name) for hand in ranked[0]])
        if len(ranked[0]) > 1:
            yield f"{ROW_NAMES[row]}: {names} are equal, no point: {words}"
        else:
            yield f"{ROW_NAMES[row]}: a point for {names}: {words}"
    for player in done.players:
        if player.points == 4:
            yield f"{clean_text(player.name)} has all three rows: a fourth point"
    target = ruleset.race.target
    if done.winner is not None:
        score = done.find_player(done.winner).score
        yield f"{clean_text(done.winner)} wins the game with {score} points"
    else:
        yield f"the game goes to {target} points"
