"""`cpoker strategy table`: how often each kind of row wins."""

import sys
from typing import TYPE_CHECKING

import click

from cp_cli.arrangement import Row
from cp_cli.cli.options import (
    count_opponents,
    format_options,
    jobs_option,
    join_csv,
    opponents_option,
    ruleset_options,
)

if TYPE_CHECKING:
    from cp_cli.settlement.game import Role
    from cp_cli.strategy.chances import By

MOST_DEALS = 1 << 18
DEALS = {"category": 1 << 14, "percent": 1 << 14, "class": 1 << 16}

EXAMPLES = """\b
Examples:
  cpoker strategy table
  cpoker strategy table --row front --by class --opponents 1
  cpoker strategy table --ruleset one-six --by percent --format csv

\b
JSON: {"ruleset", "role", "opponents", "by", "deals", "judges", "lines":
  [{"row", "name", "percent", "deals", "share", "below", "win", "win_se",
  "tie", "win_all", "win_all_se", "tie_all"}]}; shares and chances: 0 to 1.
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--row",
    type=click.Choice([row.name.lower() for row in Row]),
    help="Only this row.  [default: all three]",
)
@click.option(
    "--by",
    type=click.Choice(tuple(DEALS)),
    default="category",
    show_default=True,
    help="A line for each category, for the row at each percent, or for each class of row seen.",
)
@opponents_option("Opponents to beat.")
@click.option(
    "--role",
    type=click.Choice(("player", "bank")),
    default="player",
    show_default=True,
    help="Whose rows, where there is a bank.",
)
@click.option(
    "--deals",
    type=click.IntRange(2, MOST_DEALS),
    metavar="N",
    help="Deals whose rows are shown.  [default: 16384, by class 65536; no more than are known]",
)
@ruleset_options
@jobs_option
@format_options()
def table(
    row: str | None,
    by: "By",
    opponents: int | None,
    role: "Role",
    deals: int | None,
    ruleset: str,
    settings: tuple[str, ...],
    jobs: int,
    output_format: str,
) -> None:
    """Print how often each kind of row wins where everybody plays at equilibrium.

    Chances are averages over deals that hold such a row, against opponents that share no card
    with them; equal rows are counted apart. "Held" and "below" are the parts of all rows shown
    that are of this kind and weaker. With several opponents there is the chance to beat
    all of them as well, and to be equal to some and beaten by none.
    """
    from cp_cli import render
    from cp_cli.ruleset import load_ruleset
    from cp_cli.strategy.chances import Chances

    rules = load_ruleset(ruleset, settings)
    if role == "bank" and rules.mode != "bank":
        raise click.UsageError(f"--role bank: ruleset {rules.id} has no bank")
    banked = rules.mode == "bank" and role == "player"
    others = 1 if banked else count_opponents(rules, opponents)
    if banked and opponents not in (None, 1):
        raise click.UsageError(f"--opponents {opponents}: a player meets nobody but the bank")
    with render.WorkProgress(f"rows of {rules.id}") as progress:
        found = Chances(rules, others, role, deals=deals or DEALS[by], jobs=jobs, progress=progress)
    rows = [Row[row.upper()]] if row else list(Row)
    lines = {each: found.list_lines(each, by) for each in rows}
    if output_format == "json":
        document = render.build_chance_document(found, lines, by)
        click.echo(render.write_document(document))
    elif output_format == "csv":
        click.echo(join_csv([render.CHANCE_COLUMNS, *render.list_chance_records(lines)]))
    else:
        for text in render.draw_chances(found, lines, render.open_paint(sys.stdout)):
            click.echo(text, color=True)
