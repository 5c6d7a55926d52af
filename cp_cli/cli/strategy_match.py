"""`cpoker strategy match`: two strategies against each other on the same deals."""

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import click

from cp_cli.cli import EXIT_INTERRUPTED
from cp_cli.cli.options import (
    StrategyType,
    format_options,
    jobs_option,
    join_csv,
    report,
    ruleset_options,
    seed_option,
    target_se_option,
)

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from cp_cli.ruleset import Ruleset
    from cp_cli.strategy.matches import Match
    from cp_cli.strategy.sources import Player

DEALS = 20_000
MOST_DEALS = 2_000_000
STEPS = 1000  # of the progress bar

EXAMPLES = """\b
Examples:
  cpoker strategy match equilibrium rank-product
  cpoker strategy match level-50 back-first --ruleset one-six --target-se 0.02
  cpoker strategy match theirs.csv equilibrium --json

\b
JSON: {"ruleset", "a", "b", "seed", "deals", "games",
  "method": {"duplicate", "pairs", "fresh", "left_out"}, "ev", "se",
  "ci95": [low, high], "alike", "rows": {"front": {"win", "tie", "lose"},
  "middle", "back"}, "scoop", "scooped", "fouls": {"a", "b"},
  "declared": {"a", "b"}, "surrendered": {"a", "b"}}
EV, rows and scoops are those of A, EV in units a deal; `rows`, `scoop` and
`scooped` are shares of the games, `alike` of the hands that both set.
`method` counts deals: played in both seats, pairs of deals of a CSV, deals of
a CSV against random hands, and those that nobody could play against.
"""


@click.command(epilog=EXAMPLES)
@click.argument("a", type=StrategyType(files=True))
@click.argument("b", type=StrategyType(files=True))
@click.option(
    "--deals",
    type=click.IntRange(1, MOST_DEALS),
    metavar="N",
    help=f"Deals to play.  [default: {DEALS}, with --target-se up to {MOST_DEALS}]",
)
@target_se_option("Play until the standard error of the EV is X or less.")
@ruleset_options
@seed_option
@jobs_option
@format_options()
@click.pass_context
def match(
    context: click.Context,
    /,
    a: str,
    b: str,
    deals: int | None,
    target_se: float | None,
    ruleset: str,
    settings: tuple[str, ...],
    seed: int,
    jobs: int,
    output_format: str,
) -> None:
    """Play strategy A against B, heads-up and by all rules, every deal in both seats.

    A and B are names ('cpoker strategy list'), trained .strategy files or CSV files of set deals
    (header cards,front,middle,back, as 'cpoker strategy set' prints). With a bank each is the
    bank once. A CSV plays only the deals it holds: two of them that share no card make a deal,
    and those without such a partner meet random hands.
    """
    from cp_cli.ruleset import load_ruleset

    rules = load_ruleset(ruleset, settings)
    first, second = _open_players(rules, (a, b), seed, jobs)
    most = deals or (MOST_DEALS if target_se else DEALS)
    found, interrupted = _play(rules, first, second, most, target_se, seed)
    if found is None:
        context.exit(EXIT_INTERRUPTED)
    if target_se is not None and found.se > target_se and not interrupted:
        report(f"note: standard error {found.se:.3g} after all {found.tally.deals:,} deals")
    _print_match(found, output_format)
    context.exit(EXIT_INTERRUPTED if interrupted else 0)


def _open_players(
    ruleset: "Ruleset", sources: tuple[str, str], seed: int, jobs: int
) -> "list[Player]":
    from cp_cli.render import TrainingProgress
    from cp_cli.strategy.sources import open_player

    with TrainingProgress(ruleset.id) as progress:
        return [
            open_player(ruleset, source, seed=seed, jobs=jobs, progress=progress)
            for source in sources
        ]


def _play(
    ruleset: "Ruleset",
    a: "Player",
    b: "Player",
    deals: int,
    target_se: float | None,
    seed: int,
) -> "tuple[Match | None, bool]":
    """Return how the match stands at its end, or when the user has seen enough."""
    from cp_cli.strategy.matches import play_batches

    found = None
    batches = play_batches(ruleset, a, b, deals=deals, target_se=target_se, seed=seed)
    try:
        with _open_bar() as progress:
            for found in batches:
                done = found.tally.deals / deals
                if target_se is not None:
                    done = max(done, (target_se / found.se) ** 2 if found.se else 1.0)
                if progress:
                    progress.update(min(STEPS, int(done * STEPS)) - progress.pos)
    except KeyboardInterrupt:
        return found, True
    return found, False


def _open_bar() -> "AbstractContextManager[ProgressBar[int] | None]":
    """Return a bar that tells how far the match is, if there is a terminal to show it."""
    if sys.stderr is None or not sys.stderr.isatty():
        return nullcontext()
    return click.progressbar(length=STEPS, label="playing", file=sys.stderr)


def _print_match(found: "Match", output_format: str) -> None:
    from cp_cli import render

    if output_format == "json":
        click.echo(render.write_document(render.build_match_document(found)))
    elif output_format == "csv":
        click.echo(join_csv([render.MATCH_COLUMNS, render.list_match_record(found)]))
    else:
        for line in render.draw_match(found, render.open_paint(sys.stdout)):
            click.echo(line, color=True)
