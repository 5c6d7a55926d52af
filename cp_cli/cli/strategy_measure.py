"""`cpoker strategy measure`: what a best answer gains on a strategy."""

import sys
from typing import TYPE_CHECKING

import click

from cp_cli.cli.options import (
    count_opponents,
    format_options,
    jobs_option,
    join_csv,
    opponents_option,
    ruleset_options,
    seed_option,
    strategy_option,
)

if TYPE_CHECKING:
    from cp_cli.strategy.measure import Form

FEWEST_DEALS, MOST_DEALS = 64, 1 << 20  # fewer would have no spread to tell an error from

EXAMPLES = """\b
Examples:
  cpoker strategy measure
  cpoker strategy measure --ruleset one-six --deals 8192 --json
  cpoker strategy measure --strategy rank-product --deals 500

\b
JSON: {"ruleset", "strategy", "opponents", "seed", "deals", "judges",
  "whole_table", "gains": [{"role", "form", "gain", "se", "ci95": [low, high],
  "ceiling", "differ"}]}
"""


@click.command(epilog=EXAMPLES)
@strategy_option("--strategy", "Whose play is answered.", files=True)
@opponents_option("Opponents, where the whole table is paid for.")
@click.option(
    "--deals",
    type=click.IntRange(FEWEST_DEALS, MOST_DEALS),
    metavar="N",
    default=2048,
    show_default=True,
    help="Deals to answer with, none of which a strategy has seen.",
)
@click.option(
    "--form",
    "form",
    type=click.Choice(("exact", "fast", "both")),
    help="How the equilibrium sets deals: the best answer to a sample of opponents given its own "
    "cards, or from tables.  [default: both]",
)
@ruleset_options
@seed_option
@jobs_option
@format_options()
def measure(
    strategy: str,
    opponents: int | None,
    deals: int,
    form: str | None,
    ruleset: str,
    settings: tuple[str, ...],
    seed: int,
    jobs: int,
    output_format: str,
) -> None:
    """Tell what a best answer gains on a strategy, in units a deal and opponent.

    The answer knows its own cards and how opponents set every deal. It is picked on some
    opponents and valued on others, so the figure is not the luck of the pick; its interval covers
    both samples, of deals and of opponents. "At most" is what the answer seems to gain on those
    it was picked on: a perfect answer gains something between the two.
    """
    from cp_cli import render
    from cp_cli.ruleset import load_ruleset
    from cp_cli.strategy.measure import has_forms, measure_strategy

    rules = load_ruleset(ruleset, settings)
    if form is not None and not has_forms(strategy):
        raise click.UsageError(f"--form {form}: {strategy} has one form only")
    others = count_opponents(rules, opponents)
    forms = _list_forms(form)
    with render.WorkProgress(f"measuring {strategy} under {rules.id}") as progress:
        gains = measure_strategy(
            rules,
            strategy,
            forms=forms,
            opponents=others,
            deals=deals,
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
    if output_format == "json":
        document = render.build_gain_document(gains, rules, strategy, others, seed)
        click.echo(render.write_document(document))
    elif output_format == "csv":
        records = render.list_gain_records(gains, rules, strategy, others, seed)
        click.echo(join_csv([render.GAIN_COLUMNS, *records]))
    else:
        for line in render.draw_gains(gains, rules, strategy, render.open_paint(sys.stdout)):
            click.echo(line, color=True)


def _list_forms(form: str | None) -> "tuple[Form, ...]":
    """Return the forms asked for, by default both."""
    if form == "exact":
        return ("exact",)
    return ("fast",) if form == "fast" else ("exact", "fast")
