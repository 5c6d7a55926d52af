"""A line chart in plain text: the balance of every player over the deals of a session."""

from collections.abc import Iterator, Mapping, Sequence
from math import floor
from typing import TYPE_CHECKING

from cp_cli.render.amounts import format_amount
from cp_cli.render.lines import clean_text, glue_text, measure_text, shorten_names, wrap_text
from cp_cli.render.paint import Paint

if TYPE_CHECKING:
    from cp_cli.settlement import Units

STYLES = (
    *("cyan", "yellow", "magenta", "green", "red", "bright_blue"),
    *("bright_cyan", "bright_yellow", "bright_magenta", "bright_green"),
)
WIDEST, HEIGHT = 100, 11  # columns of the whole chart, lines of its field
SEVERAL = "*"  # players who have the same balance
_LONGEST_STEP = 6  # columns from one deal to the next
_LONGEST_NAME = 16  # columns of a name in the legend
_PATH, _ZERO, _DEALS = ".", "-", "  deals"


def draw_chart(history: "Sequence[Mapping[str, Units]]", paint: Paint) -> Iterator[str]:
    """Yield a chart of balances after each deal, with its axes and a legend.

    All start at nothing, or where they first sat down; each balance goes on to the last deal.
    If there are more deals than columns, some are left out, never the last.
    """
    names = _pick_players(history[-1])
    marks = _choose_marks(names)
    lines = {name: _list_balances(name, history) for name in names}
    known = [units for line in lines.values() for units in line if units is not None]
    step = _choose_step(known)
    high, low = (_find_level(edge(known), step) for edge in (max, min))
    labels = {level: format_amount(level * step) for level in range(low, high + 1)}
    margin = max(map(len, labels.values())) + 2
    beside = max(len(names) + 1, len(_DEALS))
    columns = _spread(len(history), min(paint.width, WIDEST) - margin - beside)
    field = _plot({marks[name]: line for name, line in lines.items()}, columns, step)
    styles = {mark: STYLES[at] for at, mark in enumerate(marks.values())}
    rest = len(history[-1]) - len(names)
    others = f"; {rest} with smaller balances left out" if rest else ""
    yield paint.style(f"balance in units, deal by deal{others}", "bold")
    for level in range(high, low - 1, -1):
        label = labels[level] if (high - low < 6 or level % 2 == 0) else ""
        ends = "".join(
            marks[name] for name in names if _find_level(lines[name][-1] or 0, step) == level
        )
        cells = [field.get((column, level), "") for column in range(len(columns))]
        text = "".join(_draw_cell(cell, level, styles, paint) for cell in cells)
        tail = f" {''.join(paint.style(mark, styles[mark]) for mark in ends)}" if ends else ""
        yield f"{label:>{margin - 2}} |{text}{tail}".rstrip()
    yield _draw_deals(len(history), len(columns), margin)
    short = shorten_names(list(map(clean_text, names)), _LONGEST_NAME)
    legend = ", ".join(
        glue_text(f"{marks[name]} {told}") for name, told in zip(names, short, strict=True)
    )
    yield from wrap_text(f"{legend}, {SEVERAL} several", paint.width)


def _pick_players(balances: "Mapping[str, Units]") -> list[str]:
    """Return the players to show: all, or those who have won or lost most."""
    most = sorted(balances, key=lambda name: -abs(float(balances[name])))[: len(STYLES)]
    return [name for name in balances if name in most]


def _list_balances(name: str, history: "Sequence[Mapping[str, Units]]") -> "list[Units | None]":
    """Return the balances of a player from before the first deal; None before he sat down."""
    joined = next(at for at, balances in enumerate(history) if name in balances)
    missing: list[Units | None] = [None] * joined
    return [*missing, 0, *(balances[name] for balances in history[joined:])]


def _choose_marks(names: Sequence[str]) -> dict[str, str]:
    """Return a letter for each name: its first if all are different, else a digit."""
    firsts = [clean_text(name)[:1].upper() for name in names]
    plain = all(first.isalnum() and measure_text(first) == 1 for first in firsts)
    if not plain or len(set(firsts)) < len(names):
        firsts = list("1234567890"[: len(names)])
    return dict(zip(names, firsts, strict=True))


# --- scales --------------------------------------------------------------------------------------


def _choose_step(balances: "Sequence[Units]") -> int:
    """Return the units of a line: the least round number with which all balances fit."""
    power = 1
    while True:
        for digit in (1, 2, 3, 4, 5):
            step = digit * power
            span = _find_level(max(balances), step) - _find_level(min(balances), step)
            if span < HEIGHT:
                return step
        power *= 10


def _find_level(units: "Units | float", step: int) -> int:
    """Return the line of a balance, the line of nothing being 0."""
    return floor(units / step + 0.5)


def _spread(deals: int, width: int) -> list[float]:
    """Return for each column of the field how many deals were played, with parts of a deal."""
    width = max(width, 2)
    if deals >= width:
        return [float(round(at * deals / (width - 1))) for at in range(width)]
    apart = min(_LONGEST_STEP, (width - 1) // deals)
    return [at / apart for at in range(deals * apart + 1)]


# --- the field -----------------------------------------------------------------------------------


def _plot(
    lines: "Mapping[str, Sequence[Units | None]]", columns: Sequence[float], step: int
) -> dict[tuple[int, int], str]:
    """Return the character at each (column, level): marks at deals, dots on the way there."""
    field: dict[tuple[int, int], str] = {}
    paths: dict[tuple[int, int], str] = {}
    for mark, line in lines.items():
        before: int | None = None
        for column, played in enumerate(columns):
            balance = _read_balance(line, played)
            if balance is None:
                continue
            level = _find_level(balance, step)
            if played == int(played):
                field[column, level] = SEVERAL if (column, level) in field else mark
            else:
                paths[column, level] = mark + _PATH
            if before is not None:
                way = range(min(before, level) + 1, max(before, level))
                paths |= {(column, between): mark + _PATH for between in way}
            before = level
    return paths | field


def _read_balance(line: "Sequence[Units | None]", played: float) -> "Units | float | None":
    """Return a balance, between two deals on the straight line."""
    at = int(played)
    balance = line[at]
    if balance is None or played == at:
        return balance
    following = line[at + 1]
    return None if following is None else balance + (following - balance) * (played - at)


def _draw_cell(cell: str, level: int, styles: Mapping[str, str], paint: Paint) -> str:
    if not cell:
        return paint.style(_ZERO, "dim") if level == 0 else " "
    style = styles.get(cell[0])
    return paint.style(cell[-1], style) if style else cell


def _draw_deals(deals: int, width: int, margin: int) -> str:
    """Return the labels under the field: nothing played, half of the deals, all of them."""
    last = str(deals)
    line = "0".ljust(max(width, 2))
    if deals % 2 == 0 and width > 20:
        half = str(deals // 2)
        at = (width - 1) // 2
        line = line[:at] + half + line[at + len(half) :]
    line = line[: max(width - len(last), 2)].ljust(2) + last
    return " " * margin + line + _DEALS
