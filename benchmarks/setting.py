"""Setting a random deal: from tables, by a plain scan, and by the exact best answer."""

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.loops import set_plainly
from benchmarks.timing import (
    Figure,
    Result,
    Times,
    alternate,
    build_plain_field,
    deal_heroes,
    digest_integers,
    open_ruleset,
)
from cp_cli._kernels.splits import STRENGTHS
from cp_cli.field import Field
from cp_cli.strategy import answer_exactly, load_strategy, open_fields, value_choices
from cp_cli.strategy.fast import answer_fast, build_fast

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAMES = (("two-four", 1, "<= 60", "<= 0.0015"), ("hawaiian-gardens", 3, "", "<= 0.002"))
"""Ruleset, opponents, and what is asked of the fast form: microseconds, and units lost."""
JUDGES = 65_536


def _value_chances(field: Field) -> "NDArray[np.float32]":
    """Return the share of opponents that each row beats: float32 (3, 7918)."""
    counts = [np.bincount(row, minlength=STRENGTHS) for row in field.arranged[:3]]
    return np.array([(np.cumsum(c) - c / 2) / c.sum() for c in counts], dtype=np.float32)


def _time_forms(choosing: Field, name: str, deals: int, rounds: int) -> Times:
    """Return times of one thread: to build tables, and to set deals in three ways."""
    ruleset = open_ruleset(name)
    heroes = deal_heroes(ruleset, deals)
    few = heroes.take(slice(0, deals // 8))
    tables = build_fast(choosing)
    values = _value_chances(choosing)
    best = np.empty(deals, dtype=np.int32)
    return alternate(
        {
            "build": lambda: build_fast(choosing),
            "fast": lambda: answer_fast(heroes, tables),
            "plain": lambda: set_plainly(heroes.cards, choosing.game, values, best),
            "exact": lambda: answer_exactly(few, choosing),
        },
        rounds,
    )


def _measure_loss(choosing: Field, judging: Field, name: str, deals: int) -> tuple[float, float]:
    """Return what the fast form loses to the exact one, and its standard error."""
    ruleset = open_ruleset(name)
    heroes = deal_heroes(ruleset, deals)
    tables = build_fast(choosing)
    codes = np.stack([answer_exactly(heroes, choosing), answer_fast(heroes, tables)], axis=1)
    values = value_choices(heroes, codes, judging.take(slice(0, JUDGES)))
    losses = values[:, 0] - values[:, 1]
    return float(losses.mean()), float(losses.std() / np.sqrt(deals))


def _measure(
    name: str, opponents: int, microseconds: str, units: str, deals: int, rounds: int
) -> list[Figure]:
    ruleset = open_ruleset(name)
    strategy = load_strategy(ruleset, opponents=opponents)
    choosing, judging = open_fields(ruleset, strategy, opponents=opponents)
    times = _time_forms(choosing, name, deals, rounds)
    loss, error = _measure_loss(choosing, judging, name, 4 * deals)
    exact = times.take("exact") / (deals // 8) * 1e3
    return [
        Figure(f"{name}: setting a deal, fast form", times.take("fast") / deals * 1e6, "us",
               microseconds),
        Figure(f"{name}: what it loses to the exact form", loss, "units", units,
               f"+- {error:.4f}"),
        Figure(f"{name}: building its tables", times.take("build"), "s", "<= 1"),
        Figure(f"{name}: plain scan of all splits / fast form", times.compare("plain", "fast"),
               "times"),
        Figure(f"{name}: setting a deal, exact form", exact, "ms", "<= 1.5",
               f"field of {len(choosing):,} deals"),
    ]  # fmt: skip


def run(quick: bool) -> Result:
    """Set deals in the three ways, one thread; the checksum is over exact answers."""
    deals, rounds = (256, 5) if quick else (1024, 15)
    heroes = deal_heroes(open_ruleset(), 64)
    exact = answer_exactly(heroes, build_plain_field(open_ruleset(), 4096))
    figures = [figure for game in GAMES for figure in _measure(*game, deals, rounds)]
    return Result(digest_integers(exact), figures)
