"""Rows at equilibrium beside published win rates; run by name.

The published rates are for two-four, heads-up, near equilibrium, in percent: for each kind of row
from its weakest to its strongest. They agree with the share of all rows that are weaker, which is
the chance to win if the own cards told nothing about those of the opponent; for single rows, with
half of those that are equal. They do tell: who has two aces in front meets aces less often. So the
chances with card removal stand beside them in the note.
"""

import os
import re
from dataclasses import dataclass

from benchmarks.timing import Figure, Result, open_ruleset
from cp_cli.arrangement import Row
from cp_cli.strategy.chances import Chances, Line

DEALS = 131_072
ROOM = 3.0
"""Points that a bound may lie from the published one; more is a fault."""


@dataclass(frozen=True, slots=True)
class Published:
    """A kind of row - classes whose names match `pattern` - and its percents."""

    row: Row
    name: str
    pattern: str
    low: float
    high: float


PUBLISHED = (
    Published(Row.FRONT, "A-K-x", "ace high: A-K", 36, 47),
    Published(Row.FRONT, "22 to 66", "pair of (twos|threes|fours|fives|sixes)", 47, 57),
    Published(Row.FRONT, "KK", "pair of kings", 84, 92),
    Published(Row.FRONT, "AA", "pair of aces", 92, 99),
    Published(Row.MIDDLE, "AA", "pair of aces", 27, 36),
    Published(Row.MIDDLE, "straight", "straight,", 75, 91),
    Published(Row.MIDDLE, "flush", "flush,", 91, 99),
    Published(Row.BACK, "straight", "straight,", 17, 36),
    Published(Row.BACK, "flush", "flush,", 36, 65),
    Published(Row.BACK, "full house", ".* full of ", 67, 96),
    Published(Row.BACK, "flush A-Q-T-8-2", "flush, ace high: A-Q-T-8-2", 59.6, 59.6),
)


def _compare(kind: Published, classes: list[Line]) -> tuple[list[Figure], list[str]]:
    """Return where the rows of a kind begin and end, and what lies too far off."""
    lines = [line for line in classes if re.match(kind.pattern, line.name)]
    first, last = lines[0], lines[-1]
    # A single row beats those below and half of its equals, a range goes from end to end.
    if kind.low == kind.high:
        bounds = {"": (first.below + first.share / 2, kind.low, first)}
    else:
        bounds = {
            " from": (first.below, kind.low, first),
            " to": (last.below + last.share, kind.high, last),
        }
    figures, faults = [], []
    for end, (share, published, line) in bounds.items():
        name = f"{kind.row.name.lower()} {kind.name}{end}"
        note = f"{line.name} wins {100 * line.win:.1f} and ties {100 * line.tie:.1f} with removal"
        figures.append(Figure(name, 100 * share, "%", f"{published:g}", note))
        if abs(100 * share - published) > ROOM:
            faults.append(f"{name}: {100 * share:.1f}, published {published:g}")
    return figures, faults


def run(quick: bool) -> Result:
    """Compare every kind of row."""
    jobs = os.cpu_count() or 1
    found = Chances(open_ruleset(), deals=DEALS // 4 if quick else DEALS, jobs=jobs)
    result = Result("", [])
    for row in Row:
        classes = found.list_lines(row, "class")
        for kind in (kind for kind in PUBLISHED if kind.row == row):
            figures, faults = _compare(kind, classes)
            result.figures += figures
            result.faults += faults
    return result
