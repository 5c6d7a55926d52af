"""Answers for people: the ranked splits of one deal, one line for each of many."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cp_cli.arrangement import ROW_NAMES
from cp_cli.errors import quote_text
from cp_cli.evaluator import describe_natural
from cp_cli.render.lines import clean_text
from cp_cli.render.paint import Paint
from cp_cli.render.words import (
    WITHIN,
    count_nouns,
    count_samples,
    describe_choices,
    describe_decision,
    format_estimate,
    format_ranks,
    format_units,
    is_preferred,
    is_within_error,
    list_notes,
    name_rows,
)

if TYPE_CHECKING:
    from cp_cli.equity import Analysis, SplitFigures
    from cp_cli.ruleset import Ruleset

# --- the table of splits -------------------------------------------------------------------------
# Lines are put together as plain strings: a list of all legal splits has twenty thousand of them,
# and Rich's own tables take a millisecond for each.


@dataclass(frozen=True, slots=True)
class Layout:
    """Gaps between columns and between rows of cards; decimals of expected units and losses."""

    gap: int
    rows: int
    ev: int
    loss: int


# The first that is narrow enough is used.
LAYOUTS = (
    *(Layout(2, 3, 3, 3), Layout(2, 3, 2, 3), Layout(1, 2, 2, 3), Layout(1, 2, 2, 2)),
    *(Layout(1, 2, 1, 2), Layout(1, 1, 1, 1), Layout(1, 1, 0, 0)),
)
CHANCE_LAYOUTS = (Layout(2, 3, 3, 3), Layout(1, 2, 3, 3), Layout(1, 1, 3, 3))
UNIT_HEADS = {"points": ("EV", "points"), "win chance": ("chance", "to win")}
CARD_COLUMNS = (8, 14, 14)  # widths of three and five cards


def _join_error(figure: str, se: float, decimals: int) -> str:
    """Write a figure and its error as `0.81±.05`."""
    return f"{figure}±{f'{se:.{decimals}f}'.removeprefix('0') or '0'}"


def _format_percent(share: float) -> str:
    return f"{share * 100:.0f}"


def _fill_cells(figures: "SplitFigures", layout: Layout, *, sign: bool) -> list[str]:
    """Return the columns of a split but for its cards: rank, EV, loss, chances."""
    ev = format_units(figures.ev, layout.ev, sign=sign)
    loss = format_units(figures.loss, layout.loss, sign=False)
    return [
        str(figures.rank),
        _join_error(ev, figures.se, layout.ev),
        _join_error(loss, figures.loss_se, layout.loss),
        " ".join(_format_percent(share).rjust(2) for share in figures.win),
        f"{_format_percent(figures.scoop)}/{_format_percent(figures.scooped)}",
    ]


def _choose_layout(
    splits: "Sequence[SplitFigures]", heads: Sequence[list[str]], width: int, *, chance: bool
) -> tuple[Layout, list[list[str]], list[int]]:
    """Return the widest layout that fits, the cells of each split, and the widths of columns."""
    for layout in CHANCE_LAYOUTS if chance else LAYOUTS:
        cells = [_fill_cells(figures, layout, sign=not chance) for figures in splits]
        widths = [max(map(len, column)) for column in zip(*cells, *heads, strict=True)]
        if sum(widths) + sum(CARD_COLUMNS) + layout.gap * 5 + layout.rows * 2 <= width:
            break
    return layout, cells, widths


def draw_splits(
    splits: "Sequence[SplitFigures]", opponents: int, paint: Paint, unit: str = "units"
) -> Iterator[str]:
    """Yield the lines of a table of splits, two of them its header.

    `unit` is what expected units are. Chances are in percent: to win front, middle and back, to
    scoop and to be scooped.
    """
    ev, of = UNIT_HEADS.get(unit, ("EV", ""))
    if unit == "units" and opponents > 1:
        ev, of = "EV total", f"of {opponents}"
    heads = [
        ["", ev, "loss", "win %", "scoop"],
        ["#", f"{of} ±se".lstrip(), "±se", "F  M  B", "+/-"],
    ]
    chance = unit == "win chance"
    layout, cells, widths = _choose_layout(splits, heads, paint.width, chance=chance)
    gap, between = " " * layout.gap, " " * layout.rows

    def join(line: list[str], rows: Sequence[str]) -> str:
        first, *rest = (text.rjust(width) for text, width in zip(line, widths, strict=True))
        return gap.join([first, between.join(rows), *rest])

    blank = [" " * width for width in CARD_COLUMNS]
    names = [name.ljust(width) for name, width in zip(ROW_NAMES, CARD_COLUMNS, strict=True)]
    yield paint.style(join(heads[0], blank), "bold")
    yield paint.style(join(heads[1], names), "bold")
    for figures, line in zip(splits, cells, strict=True):
        yield join(line, [paint.cards(row) for row in figures.arrangement.rows])


# --- one deal ------------------------------------------------------------------------------------


def draw_analysis(
    analysis: "Analysis", ruleset: "Ruleset", strategy: str, paint: Paint
) -> Iterator[str]:
    """Yield the lines that answer one deal: what to do, the ranking, the user's own splits."""
    best = analysis.arrangements[0]
    yield describe_decision(analysis, ruleset, paint)
    yield describe_choices(analysis)
    twins = f" ({best.equal} such splits)" if best.equal > 1 else ""
    yield " / ".join(name_rows(best.arrangement, ruleset)) + twins
    yield ""
    listed = [*analysis.arrangements, *analysis.compared]
    lines = draw_splits(listed, analysis.opponents, paint, analysis.ev_unit)
    for _ in range(2 + len(analysis.arrangements)):
        yield next(lines)
    yield from _describe_ties(analysis.arrangements, paint)
    for figures, line in zip(analysis.compared, lines, strict=True):
        yield ""
        yield f"yours: {' / '.join(name_rows(figures.arrangement, ruleset))}"
        yield line
        yield describe_price(figures, len(analysis.splits.codes), analysis.ev_unit)
    yield ""
    for text in _list_footers(analysis, ruleset, strategy):
        for line in textwrap.wrap(text, paint.width):
            yield paint.style(line, "dim")


def _describe_ties(splits: "Sequence[SplitFigures]", paint: Paint) -> Iterator[str]:
    """Say which of the listed splits are as good as the best."""
    ranks = sorted({figures.rank for figures in splits if is_within_error(figures)})
    if len(ranks) > 1:
        text = f"as good as the best within {WITHIN} standard errors: ranks {format_ranks(ranks)}"
        yield from textwrap.wrap(text, paint.width)
    if preferred := sorted({figures.rank for figures in splits if is_preferred(figures)}):
        text = f"rank 1 was picked on other opponents; these pay more for {format_ranks(preferred)}"
        yield from textwrap.wrap(text, paint.width)


def describe_price(figures: "SplitFigures", count: int, unit: str = "units") -> str:
    """Say where a split stands among `count` different ones, and what it costs in `unit`."""
    place = f"rank {figures.rank:,} of {count:,}"
    if figures.rank == 1:
        return f"{place}: the best"
    price = format_estimate(figures.loss, figures.loss_se, sign=False)
    if is_preferred(figures):
        return f"{place}: these opponents pay more for it than for rank 1, loss {price}"
    if is_within_error(figures):
        return f"{place}: as good as the best within the error, loss {price}"
    what = "of the chance to win" if unit == "win chance" else f"{unit} a deal"
    return f"{place}: costs {price} {what}"


def _list_footers(analysis: "Analysis", ruleset: "Ruleset", strategy: str) -> Iterator[str]:
    splits = analysis.splits
    yield (
        f"{clean_text(ruleset.id)}, {count_nouns(analysis.opponents, 'opponent')}; "
        f"{count_nouns(len(splits.legal), 'legal split')}, {splits.undominated:,} undominated"
    )
    yield (f"estimates from {count_samples(analysis)} ({strategy}) that did not choose the split")
    yield from list_notes(analysis, ruleset)


# --- many deals ----------------------------------------------------------------------------------

SHORT_HEADER = f"{'front':8} / {'middle':14} / {'back':14}  {'EV ±se':>14}  action"


def draw_short(analysis: "Analysis", label: str | None, paint: Paint) -> Iterator[str]:
    """Yield the one line that answers a deal of many, and its ranking if it has one."""
    first = analysis.choices[0]
    action = first.action
    if action == "declare":
        action += f" {describe_natural(analysis.naturals[0][0])}"
    sign = analysis.ev_unit != "win chance"
    estimate = f"{format_estimate(first.ev, first.se, sign=sign):>14}"
    best = paint.arrangement(analysis.arrangements[0].arrangement)
    yield f"{best}  {estimate}  {action}{f'  {quote_text(label)}' if label else ''}"
    if len(analysis.arrangements) > 1:
        yield from draw_splits(analysis.arrangements, analysis.opponents, paint, analysis.ev_unit)
        yield ""
