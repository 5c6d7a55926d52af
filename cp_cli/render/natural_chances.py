"""How often naturals are dealt, counted exactly: for people, and for programs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cp_cli.evaluator import describe_natural
from cp_cli.render.lines import clean_text, wrap_text
from cp_cli.render.paint import Paint
from cp_cli.render.words import format_units

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.simulation.natural_chances import NaturalCounts

NATURAL_COLUMNS = (
    *("ruleset", "name", "units", "held", "held_chance", "one_in", "best", "best_chance"),
)


def build_natural_document(counts: "NaturalCounts", ruleset: "Ruleset") -> dict[str, Any]:
    """Return how often naturals are dealt as a JSON document."""
    return {
        "ruleset": ruleset.id,
        "total": counts.total,
        "none": counts.none,
        "none_chance": counts.none_chance,
        "mean_units": counts.mean_units,
        "naturals": [
            {
                "name": str(count.natural),
                "units": count.units,
                "held": count.held,
                "held_chance": count.held_chance,
                "one_in": count.one_in,
                "best": count.best,
                "best_chance": count.best_chance,
            }
            for count in counts.naturals
        ],
    }


def list_natural_records(counts: "NaturalCounts", ruleset: "Ruleset") -> Iterator[list[Any]]:
    """Yield a CSV record of NATURAL_COLUMNS for each natural, weakest first."""
    for built in build_natural_document(counts, ruleset)["naturals"]:
        cells = [ruleset.id, *(built[key] for key in NATURAL_COLUMNS[1:])]
        yield ["" if cell is None else cell for cell in cells]


def draw_naturals(counts: "NaturalCounts", ruleset: "Ruleset", paint: Paint) -> Iterator[str]:
    """Yield the lines that tell how often naturals are dealt, the strongest first."""
    title = f"How often 13 cards hold a natural of {clean_text(ruleset.id)}, counted exactly"
    for line in wrap_text(title, paint.width):
        yield paint.style(line, "bold")
    total = counts.total
    yield from wrap_text(
        f"of {total:,} deals; best: where it is the strongest natural of the deal", paint.width
    )
    yield ""
    name = max(len(describe_natural(count.natural)) for count in counts.naturals)
    held = max(len("deals"), *(len(f"{count.held:,}") for count in counts.naturals))
    head = f"{'':{name}}{'units':>6}{'deals':>{held + 2}}{'one in':>16}{'best, one in':>16}"
    yield paint.style(head, "bold")
    for count in reversed(counts.naturals):
        yield (
            f"{describe_natural(count.natural):<{name}}{count.units:>6,}{count.held:>{held + 2},}"
            f"{_format_one_in(count.held, total):>16}{_format_one_in(count.best, total):>16}"
        )
    yield ""
    yield from wrap_text(
        f"none of them: {100 * counts.none_chance:.4f}% of the deals; naturals bring "
        f"{format_units(counts.mean_units, 4)} units a deal from an opponent who never has one",
        paint.width,
    )


def _format_one_in(deals: int, total: int) -> str:
    """Write of how many deals one is such a one."""
    if not deals:
        return "never"
    return f"{total / deals:,.0f}" if total >= 1000 * deals else f"{total / deals:,.1f}"
