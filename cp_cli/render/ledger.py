"""The account of a session: balances, pairs, what settles it, and how it went."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cp_cli.render.amounts import format_amount, tell_amount
from cp_cli.render.chart import draw_chart
from cp_cli.render.lines import clean_text, wrap_text
from cp_cli.render.matrix import Column, draw_table, fill_balances, fill_matrix, measure_table
from cp_cli.render.paint import Paint
from cp_cli.render.settlement_accounts import open_account
from cp_cli.render.settlements import draw_caption, draw_transfers
from cp_cli.render.words import count_nouns

if TYPE_CHECKING:
    from cp_cli.settlement import Ledger, Money, Units


def draw_ledger(ledger: "Ledger", paint: Paint, money: "Money | None" = None) -> Iterator[str]:
    """Yield the lines that tell a session: balances, pairs, payments, and a chart."""
    if not ledger.deals:
        yield "no deals"
        return
    yield paint.style(f"after {count_nouns(ledger.deals, 'deal')}", "bold")
    yield from _draw_balances(ledger, paint, money)
    yield from _draw_open(ledger, paint, money)
    yield ""
    yield from draw_transfers(open_account(ledger), paint, money)
    if any(ledger.balances.values()) or not _counts_points(ledger):
        yield ""
        yield from draw_chart(ledger.history, paint)


def _counts_points(ledger: "Ledger") -> bool:
    return bool(ledger.games or ledger.scores)


def _draw_balances(ledger: "Ledger", paint: Paint, money: "Money | None") -> Iterator[str]:
    names = list(ledger.balances)
    columns = [*_fill_joined(ledger), *fill_balances(open_account(ledger), money)]
    if _counts_points(ledger):
        columns.append(("games won", [str(ledger.games.get(name, 0)) for name in names]))
        columns.append(("score", [str(ledger.scores.get(name, 0)) for name in names]))
    if ledger.chips:
        chips = [ledger.chips.get(name) for name in names]
        cells = ["" if n is None else format_amount(n, sign=False) for n in chips]
        columns.append(("chips", cells))
    matrix = fill_matrix(names, ledger.pairs) if ledger.pairs else []
    if measure_table(names, matrix, columns) <= paint.width:
        yield from draw_table(names, matrix, columns, paint)
        if matrix:
            yield from draw_caption(None, paint)
        return
    yield from draw_table(names, [], columns, paint)
    yield ""
    for (a, b), units in ledger.pairs.items():
        yield from wrap_text(_tell_pair(a, b, units, money), paint.width, later="  ")


def _fill_joined(ledger: "Ledger") -> list[Column]:
    """Return a column of the deals since each player sat down, if somebody came later."""
    deals = [sum(name in balances for balances in ledger.history) for name in ledger.balances]
    return [("deals", list(map(str, deals)))] if len(set(deals)) > 1 else []


def _tell_pair(a: str, b: str, units: "Units", money: "Money | None") -> str:
    a, b = clean_text(a), clean_text(b)
    if units < 0:
        return f"{a} paid {b} {tell_amount(-units, money)}"
    return f"{b} paid {a} {tell_amount(units, money)}" if units else f"{a} and {b}: nothing"


def _draw_open(ledger: "Ledger", paint: Paint, money: "Money | None") -> Iterator[str]:
    """Yield the house's share, the pot that nobody has won yet, who is in fantasyland."""
    if ledger.house:
        yield from wrap_text(f"the house took {tell_amount(ledger.house, money)}", paint.width)
    if ledger.pot:
        stakes = ", ".join(f"{clean_text(name)} {stake}" for name, stake in ledger.pot.items())
        pot = tell_amount(sum(ledger.pot.values()), money)
        yield from wrap_text(f"in the pot: {pot} ({stakes})", paint.width, later="  ")
    if ledger.fantasyland:
        names = ", ".join(clean_text(name) for name in sorted(ledger.fantasyland))
        yield from wrap_text(f"next deal in fantasyland: {names}", paint.width, later="  ")
