"""Tables of names and amounts, and who pays whom as a matrix."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cp_cli.render.amounts import format_amount, format_money, name_currency
from cp_cli.render.lines import clean_text, cut_text, measure_text, pad_text, shorten_names
from cp_cli.render.paint import Paint
from cp_cli.render.settlement_accounts import Account

if TYPE_CHECKING:
    from cp_cli.settlement import Money, Units

Column = tuple[str, list[str]]
"""Heading and cells, all set to the right."""

_LONGEST, _SHORTEST = 16, 4  # columns for a name
GAP = "  "


def fill_matrix(
    names: Sequence[str], paid: "Mapping[tuple[str, str], Units]"
) -> list[tuple[str, list[str]]]:
    """Return the columns of a matrix: what each name gets from every other.

    `paid` holds what the second name of a pair pays the first. Names that do not settle with
    each other have a blank.
    """
    columns = []
    for payer in names:
        cells = []
        for name in names:
            cell = "." if name == payer else ""
            if (name, payer) in paid:
                cell = format_amount(paid[name, payer])
            elif (payer, name) in paid:
                cell = format_amount(-paid[payer, name])
            cells.append(cell)
        columns.append((payer, cells))
    return columns


def fill_balances(account: Account, money: "Money | None") -> list[Column]:
    """Return the columns of units and, where a unit is worth money, of money."""
    columns = [("units", [format_amount(units) for units in account.balances.values()])]
    if money:
        heading = cut_text(name_currency(money), 8) or "money"
        amounts = account.count(money).values()
        columns.append((heading, [format_money(amount, sign=True) for amount in amounts]))
    return columns


def draw_table(
    names: Sequence[str], matrix: Sequence[Column], columns: Sequence[Column], paint: Paint
) -> Iterator[str]:
    """Yield a table with a line for each name, its header first.

    `matrix` columns are headed by names. Names are shortened until the table fits.
    """
    clean = [clean_text(name) for name in names]
    longest = _LONGEST
    while longest > _SHORTEST and measure_table(clean, matrix, columns, longest) > paint.width:
        longest -= 1
    short, table, widths = _lay_out(clean, matrix, columns, longest)
    first = max(map(measure_text, short))
    for name, *cells in [("", *(head for head, _ in table)), *_list_lines(short, table)]:
        padded = [
            pad_text(cell, width, right=True) for cell, width in zip(cells, widths, strict=True)
        ]
        line = GAP.join([pad_text(name, first), *padded]).rstrip()
        yield line if name else paint.style(line, "bold")


def _list_lines(names: Sequence[str], table: Sequence[Column]) -> list[tuple[str, ...]]:
    return [
        (name, *line)
        for name, line in zip(names, zip(*(cells for _, cells in table), strict=True), strict=True)
    ]


def _lay_out(
    names: Sequence[str], matrix: Sequence[Column], columns: Sequence[Column], longest: int
) -> tuple[list[str], list[Column], list[int]]:
    """Return the names and the table with names of at most `longest`, and its widths."""
    heads = [clean_text(head) for head, _ in matrix]
    everyone = [*names, *(head for head in heads if head not in names)]
    short = dict(zip(everyone, shorten_names(everyone, longest), strict=True))
    table = [(short[head], cells) for head, (_, cells) in zip(heads, matrix, strict=True)]
    table += columns
    widths = [max(map(measure_text, [head, *cells])) for head, cells in table]
    return [short[name] for name in names], table, widths


def measure_table(
    names: Sequence[str],
    matrix: Sequence[Column],
    columns: Sequence[Column],
    longest: int = _SHORTEST,
) -> int:
    """Return how wide a table is with names of at most `longest` columns, by default the least."""
    short, _, widths = _lay_out([clean_text(name) for name in names], matrix, columns, longest)
    return max(map(measure_text, short)) + sum(widths) + len(GAP) * len(widths)
