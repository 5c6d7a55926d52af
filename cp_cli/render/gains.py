"""The strength of a strategy: for people, and for programs."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cp_cli.render.lines import wrap_text
from cp_cli.render.paint import Paint
from cp_cli.render.words import count_nouns

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.strategy.measure import Gain

GAIN_COLUMNS = (
    *("ruleset", "strategy", "opponents", "seed", "role", "form", "deals", "judges"),
    *("gain", "se", "low95", "high95", "ceiling", "differ"),
)
WHOLE = (
    "the whole table is paid for: opponents are independent draws from those judges, and the "
    "units of the table are parted among them"
)


def _round(value: float) -> float | None:
    """Drop the digits that mean nothing; one deal has no standard error."""
    return round(value, 6) + 0.0 if math.isfinite(value) else None


def build_gain_document(
    gains: "Sequence[Gain]", ruleset: "Ruleset", strategy: str, opponents: int, seed: int
) -> dict[str, Any]:
    """Return what a best answer gains as a JSON document."""
    return {
        "ruleset": ruleset.id,
        "strategy": strategy,
        "opponents": opponents,
        "seed": seed,
        "deals": gains[0].deals,
        "judges": gains[0].opponents,
        "whole_table": "independent draws" if gains[-1].whole else None,
        "gains": [
            {
                "role": gain.role,
                "form": gain.form,
                "gain": _round(gain.mean),
                "se": _round(gain.se),
                "ci95": [_round(bound) for bound in gain.interval],
                "ceiling": _round(gain.ceiling),
                "differ": _round(gain.differ),
            }
            for gain in gains
        ],
    }


def list_gain_records(
    gains: "Sequence[Gain]", ruleset: "Ruleset", strategy: str, opponents: int, seed: int
) -> Iterator[tuple[Any, ...]]:
    """Yield a CSV record of GAIN_COLUMNS for each gain; what is not known is empty."""
    for gain in gains:
        figures = (gain.mean, gain.se, *gain.interval, gain.ceiling, gain.differ)
        yield (
            *(ruleset.id, strategy, opponents, seed, gain.role, gain.form),
            *(gain.deals, gain.opponents),
            *("" if _round(figure) is None else _round(figure) for figure in figures),
        )


def draw_gains(
    gains: "Sequence[Gain]", ruleset: "Ruleset", strategy: str, paint: Paint
) -> Iterator[str]:
    """Yield the lines that tell what a best answer gains."""
    title = f"What a best answer gains on {strategy} under {ruleset.id}, units a deal and opponent"
    for line in wrap_text(title, paint.width):
        yield paint.style(line, "bold")
    first = gains[0]
    sample = (
        f"{count_nouns(first.deals, 'new deal')}; {count_nouns(first.opponents, 'judge')}, "
        f"opponents that did not pick the answer"
    )
    yield from wrap_text(sample, paint.width)
    if any(gain.whole for gain in gains):
        yield from wrap_text(WHOLE, paint.width)
    yield ""
    head = f"{'role':<8}{'form':<7}{'gain':>16}{'95%':>20}{'at most':>10}{'differs':>10}"
    yield paint.style(head, "bold")
    for gain in gains:
        low, high = (_format(bound) for bound in gain.interval)
        yield (
            f"{gain.role:<8}{gain.form:<7}{_format(gain.mean)} ± {_format(gain.se).strip():<6}"
            f"{low:>9} to {high.strip():<8}{_format(gain.ceiling):>8}{gain.differ:>9.1%}"
        )


def _format(value: float) -> str:
    """Write units in seven columns; a single deal has no standard error."""
    return f"{value + 0.0:7.4f}" if math.isfinite(value) else f"{'-':>7}"
