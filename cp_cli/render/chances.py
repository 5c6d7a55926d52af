"""How often rows win: for people, and for programs."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cp_cli.arrangement import Row
from cp_cli.render.lines import wrap_text
from cp_cli.render.paint import Paint
from cp_cli.render.words import count_nouns

if TYPE_CHECKING:
    from cp_cli.strategy.chances import Chances, Line

    Lines = Mapping[Row, Sequence[Line]]

CHANCE_COLUMNS = (
    *("row", "name", "percent", "deals", "share", "below", "win", "win_se", "tie"),
    *("win_all", "win_all_se", "tie_all"),
)
NAME = 38  # columns of the longest name


def _round(value: float) -> float | None:
    """Drop the digits that mean nothing; a single deal has no standard error."""
    return round(value, 6) + 0.0 if math.isfinite(value) else None


def _build_line(row: Row, line: "Line") -> dict[str, Any]:
    """Return a line as a JSON object, its keys those of CHANCE_COLUMNS."""
    figures = ("share", "below", "win", "win_se", "tie", "win_all", "win_all_se", "tie_all")
    return {
        "row": row.name.lower(),
        "name": line.name,
        "percent": line.percent,
        "deals": line.deals,
        **{key: _round(getattr(line, key)) for key in figures},
    }


def build_chance_document(found: "Chances", lines: "Lines", by: str) -> dict[str, Any]:
    """Return how often rows win as a JSON document."""
    return {
        "ruleset": found.ruleset.id,
        "role": found.role,
        "opponents": found.opponents,
        "by": by,
        "deals": len(found.shown),
        "judges": found.judges,
        "lines": [_build_line(row, line) for row, listed in lines.items() for line in listed],
    }


def list_chance_records(lines: "Lines") -> Iterator[tuple[Any, ...]]:
    """Yield a CSV record of CHANCE_COLUMNS for each line; what is not known is empty."""
    for row, listed in lines.items():
        for line in listed:
            built = _build_line(row, line)
            yield tuple("" if built[key] is None else built[key] for key in CHANCE_COLUMNS)


def draw_chances(found: "Chances", lines: "Lines", paint: Paint) -> Iterator[str]:
    """Yield the lines that tell how often rows win."""
    who = "the bank" if found.role == "bank" else "a player"
    yield paint.style(f"How often the rows of {who} win under {found.ruleset.id}", "bold")
    several = f", and of the chance against all of {found.opponents}"
    sample = (
        f"equilibrium; {count_nouns(len(found.shown), 'deal')}, "
        f"{count_nouns(found.judges, 'opponent')}; percent of the rows shown, held and weaker, "
        f"and of the chance against one opponent{several if found.opponents > 1 else ''}, ± "
        f"standard errors"
    )
    yield from wrap_text(sample, paint.width)
    for row, listed in lines.items():
        yield ""
        yield paint.style(_draw_head(row, listed, found.opponents), "bold")
        for line in listed:
            yield _draw_line(line, found.opponents)


def _draw_head(row: Row, listed: "Sequence[Line]", opponents: int) -> str:
    ranked = bool(listed) and listed[0].percent is not None
    name = f"{'  % ' if ranked else ''}{row.name.lower():<{NAME}}"
    shares = "" if ranked else f"{'held':>6}{'below':>6}"
    all_of = f"{f'beat {opponents}':>10}{'tie':>5}" if opponents > 1 else ""
    return f"{name}{shares}{'win':>10}{'tie':>5}{all_of}"


def _draw_line(line: "Line", opponents: int) -> str:
    if line.percent is None:
        text = f"{line.name:<{NAME}}{100 * line.share:6.2f}{100 * line.below:6.1f}"
    else:
        text = f"{line.percent:>3} {line.name:<{NAME}}"
    text += f"{_draw_chance(line.win, line.win_se)}{100 * line.tie:5.1f}"
    if opponents > 1:
        text += f"{_draw_chance(line.win_all, line.win_all_se)}{100 * line.tie_all:5.1f}"
    return text


def _draw_chance(chance: float, se: float) -> str:
    """Write a chance and its error in ten columns."""
    error = ""
    if math.isfinite(se):
        error = f"±{100 * se:.{0 if se >= 0.0995 else 1}f}"
    return f"{100 * chance:6.1f}{error:<4}"
