"""Setting a random deal: from tables, by a plain scan, and by the exact best answer."""

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.loops import set_plainly
from benchmarks.timing import (
    Figure,
    Result,
    alternate,
    build_plain_field,
    deal_heroes,
    digest_integers,
    open_ruleset,
)
from cp_cli._kernels.splits import STRENGTHS
from cp_cli.field import Field
from cp_cli.strategy import answer_exactly, load_strategy, open_fields
from cp_cli.strategy.fast import answer_fast, build_fast

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _value_chances(field: Field) -> "NDArray[np.float32]":
    """Return the share of opponents that each row beats: float32 (3, 7918)."""
    counts = [np.bincount(row, minlength=STRENGTHS) for row in field.arranged[:3]]
    return np.array([(np.cumsum(c) - c / 2) / c.sum() for c in counts], dtype=np.float32)


def run(quick: bool) -> Result:
    """Set deals in the three ways, one thread; the checksum is over exact answers."""
    deals, rounds = (256, 5) if quick else (1024, 15)
    ruleset = open_ruleset()
    strategy = load_strategy(ruleset)
    choosing, _ = open_fields(ruleset, strategy)
    tables = build_fast(ruleset, choosing)
    heroes = deal_heroes(ruleset, deals)
    few = heroes.take(slice(0, deals // 8))
    values = _value_chances(choosing)
    best = np.empty(deals, dtype=np.int32)
    times = alternate(
        {
            "fast": lambda: answer_fast(heroes, tables),
            "plain": lambda: set_plainly(heroes.cards, choosing.game, values, best),
            "exact": lambda: answer_exactly(few, choosing),
        },
        rounds,
    )
    exact = answer_exactly(heroes.take(slice(0, 64)), build_plain_field(ruleset, 4096))
    scan = times.compare("plain", "fast")
    return Result(
        digest_integers(exact),
        [
            Figure("setting a deal, fast form", times.take("fast") / deals * 1e6, "us", "<= 60"),
            Figure("plain scan of all splits / fast form", scan, "times"),
            Figure("setting a deal, exact form", times.take("exact") / len(few) * 1e3, "ms",
                   "<= 1.5", f"field of {len(choosing):,} deals"),
        ],
    )  # fmt: skip
