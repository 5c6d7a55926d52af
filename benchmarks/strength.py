"""How much a best answer wins from the strategy, on new deals, judged on other opponents.

Slow (about a minute a ruleset, all cores); run by name. The answer knows its opponents only by a
sample, too, so a perfect one would gain a little more.
"""

import os

import numpy as np

from benchmarks.timing import Figure, Result, deal_heroes, open_ruleset
from cp_cli.field import DECLARE, Field
from cp_cli.strategy import answer_exactly, load_strategy, open_fields, value_choices
from cp_cli.strategy.fast import answer_fast, build_fast

RULESETS = ("two-four", "one-six", "pagat-standard")
DEALS = 8192


def _halve(field: Field) -> tuple[Field, Field]:
    half = len(field) // 2
    return field.take(slice(0, half)), field.take(slice(half, None))


def _measure(name: str, deals: int, jobs: int) -> list[Figure]:
    """Return what a best answer gains over the exact and over the fast form, in units a deal.

    The answer is picked on one half of the judging deals out of all undominated splits and
    valued on the other. The fast form only sets deals, so whether to declare or to surrender it
    takes from the exact form.
    """
    ruleset = open_ruleset(name)
    strategy = load_strategy(ruleset, jobs=jobs)
    choosing, judging = open_fields(ruleset, strategy)
    picking, valuing = _halve(judging)
    heroes = deal_heroes(ruleset, deals)
    exact = answer_exactly(heroes, choosing, jobs)
    fast = answer_fast(heroes, build_fast(ruleset, choosing, jobs), jobs)
    fast = np.where(exact < DECLARE, fast, exact)
    best = answer_exactly(heroes, picking, jobs, screen=2048, keep=32)
    units = value_choices(heroes, np.stack([exact, fast, best], axis=1), valuing, jobs)
    figures = []
    for column, (form, target) in enumerate((("exact", "<= 0.004"), ("fast", ""))):
        gains = units[:, 2] - units[:, column]
        mean, se = float(gains.mean()), float(gains.std() / np.sqrt(deals))
        differ = float(np.mean(best != (exact, fast)[column]))
        note = f"+- {se:.4f}, 95% {mean - 1.96 * se:.4f} to {mean + 1.96 * se:.4f}"
        figures.append(
            Figure(f"{name}: best answer gains on {form} form", mean, "units", target,
                   f"{note}; {differ:.1%} of deals differ")
        )  # fmt: skip
    return figures


def run(quick: bool, rulesets: tuple[str, ...] = ()) -> Result:
    """Measure each ruleset; no checksum, since strategies are trained anew now and then."""
    jobs = os.cpu_count() or 1
    deals = DEALS // 8 if quick else DEALS
    names = rulesets or RULESETS
    return Result("", [figure for name in names for figure in _measure(name, deals, jobs)])
