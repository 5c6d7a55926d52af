"""`cpoker strategy train`: find the equilibrium of a ruleset."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cp_cli.cli.options import (
    TRAINED_SUFFIX,
    complete_ruleset,
    count_opponents,
    jobs_option,
    opponents_option,
    report,
    settings_option,
)
from cp_cli.errors import InputError

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.strategy import Plan

FEWEST, MOST = 256, 1 << 19

EXAMPLES = """\b
Examples:
  cpoker strategy train two-four --set overall.units=2 --plan quick
  cpoker strategy train house.yaml --deals 100000 --rounds 32
  cpoker strategy train house.yaml --seed 7 --output other.strategy
"""


def _check_output(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Path | None:
    """Return where to write, before minutes of work are lost on it."""
    if value is None:
        return None
    path = Path(value)
    if path.suffix != TRAINED_SUFFIX:
        raise click.BadParameter(f"{value}: expected a name that ends in {TRAINED_SUFFIX}")
    if not path.absolute().parent.is_dir():
        raise click.BadParameter(f"{path.parent}: no such folder")
    _check_folder(path.absolute().parent, "expected a folder that can be written")
    return path


def _check_folder(folder: Path, expected: str) -> None:
    """Raise InputError unless files can be written into a folder, which is made if need be."""
    import tempfile

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as error:
        reason = (error.strerror or "?").lower()
        raise InputError(f"{folder}: cannot be written: {reason}; {expected}") from None


@click.command(epilog=EXAMPLES)
@click.argument("name", metavar="RULESET", shell_complete=complete_ruleset)
@settings_option("Change one value of the ruleset; may be repeated.")
@opponents_option("Opponents, where the whole table is paid for.")
@click.option(
    "--plan",
    type=click.Choice(("full", "quick")),
    default="full",
    show_default=True,
    help="Work of some minutes, or of at most one, on two cores.",
)
@click.option(
    "--deals",
    type=click.IntRange(FEWEST, MOST),
    metavar="N",
    help="Deals that answer each other.  [default: by the plan]",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="How often they do, card removal counted.  [default: by the plan]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, (1 << 32) - 1),
    metavar="N",
    default=1,
    show_default=True,
    help="Start of the random numbers; 1 trains on the deals of the files that come along.",
)
@click.option(
    "--output",
    metavar="FILE",
    callback=_check_output,
    help=f"Write it there, a name that ends in {TRAINED_SUFFIX}, and use it only where it is "
    "named; with a bank there are two files, NAME-DIGEST.",
)
@jobs_option
def train(
    name: str,
    settings: tuple[str, ...],
    opponents: int | None,
    plan: str,
    deals: int | None,
    rounds: int | None,
    seed: int,
    output: Path | None,
    jobs: int,
) -> None:
    """Find the equilibrium of a RULESET, a name or a file, and use it from then on.

    Prints where the strategy is kept: arrange, simulate and the computer players read it there;
    remove the file to undo that. After Ctrl-C the same command goes on where it stopped.
    """
    from cp_cli.render import TrainingProgress
    from cp_cli.ruleset import load_ruleset
    from cp_cli.strategy.files import (
        find_cached,
        open_checkpoint,
        store_strategies,
        train_strategies,
    )

    ruleset = load_ruleset(name, settings)
    others = count_opponents(ruleset, opponents)
    if output is None:
        _check_folder(find_cached("").parent, "name another place with --output")
    work = _choose_plan(ruleset, others, plan, deals, rounds, seed)
    checkpoint = open_checkpoint(ruleset, work, others)
    rounds_done = f"{work.rounds} round{'' if work.rounds == 1 else 's'}"
    size = f"{work.choosing:,} deals, {rounds_done}"
    try:
        with TrainingProgress(ruleset.id, size=size) as progress:
            sides = train_strategies(ruleset, work, jobs, progress, others, checkpoint, report)
    except KeyboardInterrupt:
        kept = checkpoint.path.is_file()
        report(f"interrupted; the same command {'goes on from here' if kept else 'starts anew'}")
        raise
    for path in store_strategies(sides.values(), ruleset.id, output):
        click.echo(path)
    checkpoint.remove()
    if output is None:
        _tell_uses([side.digest for side in sides.values()])


def _tell_uses(digests: list[str]) -> None:
    """Name all rulesets that come along and are played by what was trained."""
    from cp_cli.ruleset import load_ruleset, ruleset_names
    from cp_cli.strategy.catalogue import list_uses

    uses = list_uses([load_ruleset(name) for name in ruleset_names()])
    names = sorted({use.ruleset for digest in digests for use in uses.get(digest, ())})
    if names:
        report(f"used from now on for {', '.join(names)}; remove the file to undo that")


def _choose_plan(
    ruleset: "Ruleset",
    opponents: int,
    name: str,
    deals: int | None,
    rounds: int | None,
    seed: int,
) -> "Plan":
    """Return the plan of a name with what the user wants otherwise."""
    from cp_cli.settlement.game import build_game
    from cp_cli.strategy.training import PLANS

    plan = replace(PLANS[name][build_game(ruleset, opponents).pruning], seed=seed)
    if deals is not None:
        judging = deals * plan.judging // plan.choosing
        plan = replace(plan, choosing=deals, judging=judging, sample=min(plan.sample, deals))
    return plan if rounds is None else replace(plan, rounds=rounds)
