"""How much a best answer wins from the strategy, on new deals, judged on other opponents.

Slow (up to a minute a ruleset, all cores); run by name. See `cp_cli.strategy.measure`.
"""

import os

from benchmarks.timing import SEED, Figure, Result, open_ruleset
from cp_cli.strategy.measure import EXACT, FAST, Gain, measure_strategy

RULESETS = ("two-four", "one-six", "pagat-standard")
CLOSE = ("two-four", "one-six")  # what is asked of these is more
DEALS = 8192


def _measure(name: str, deals: int, jobs: int) -> list[Figure]:
    """Return what a best answer gains over each form and role of a strategy."""
    ruleset = open_ruleset(name)
    opponents = ruleset.players.max - 1
    gains = measure_strategy(
        ruleset, forms=(EXACT, FAST), opponents=opponents, deals=deals, seed=SEED, jobs=jobs
    )
    return [_describe(name, gain) for gain in gains]


def _describe(name: str, gain: Gain) -> Figure:
    low, high = gain.interval
    target = "" if gain.form != EXACT else "<= 0.0015" if name in CLOSE else "<= 0.003"
    return Figure(
        f"{name}: best answer of a {gain.role} gains on {gain.form} form",
        gain.mean,
        "units",
        target,
        f"+- {gain.se:.4f}, 95% {low:.4f} to {high:.4f}; {gain.differ:.1%} of deals differ",
    )


def run(quick: bool, rulesets: tuple[str, ...] = ()) -> Result:
    """Measure each ruleset; no checksum, since strategies are trained anew now and then."""
    jobs = os.cpu_count() or 1
    deals = DEALS // 8 if quick else DEALS
    names = rulesets or RULESETS
    return Result("", [figure for name in names for figure in _measure(name, deals, jobs)])
