"""`cpoker simulate`: what splits, cards and strategies earn, by playing deals out."""

import functools
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cp_cli.cli import EXIT_INTERRUPTED
from cp_cli.cli.options import (
    EQUILIBRIUM,
    Command,
    StrategyType,
    format_options,
    jobs_option,
    join_csv,
    opponents_option,
    report,
    ruleset_options,
    seed_option,
    target_se_option,
)
from cp_cli.cli.simulate_files import DealFile, check_writable, write_text
from cp_cli.cli.simulate_request import (
    DEALS,
    HORIZON,
    Task,
    check_exact,
    read_path,
    read_task,
    read_time,
)
from cp_cli.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cp_cli.render import Paint
    from cp_cli.simulation.results import Simulation
    from cp_cli.simulation.run import Simulator, State

    Draw = Callable[[Paint], Iterator[str]]

KEEP_SECONDS = 30  # from one writing of a --resume file to the next
WITH_EXACT = {
    *("exact", "ruleset", "settings", "output_format", "as_json", "save", "seed", "jobs", "help"),
}
STRATEGY = "A name of 'cpoker strategy list' or a .strategy file."

EXAMPLES = """\b
Examples:
  cpoker simulate --deals 5000
  cpoker simulate --strategy back-first --opponents 1 --target-se 0.02
  cpoker simulate As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c --ruleset malay
  cpoker simulate 'Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s' \\
      '9h 3c 2h / Qh Qs Js Jd 8c / As Ks 6s 5s 3s' --time 10s
  cpoker simulate AsAd --opponent KsKd --opponents 1 --dead 2c
  cpoker simulate --time 8h --resume night.json --output night.csv
  cpoker simulate --bankroll 500 --within 2000 --save report.html
  cpoker simulate --exact naturals --ruleset malay

\b
JSON: {"ruleset", "seed", "deals", "elapsed_s", "entries": [{"label", "ev",
  "se", "ci95": [low, high], "sd", "win": {"front", "middle", "back"}, "tie",
  "lose", "scoop", "scooped", "home_run", "home_run_against", "royalties",
  "declared", "fouls", "surrendered", "reasons": {reason: units},
  "quantiles": {"5", "50", "95"}, "difference": null or {"ev", "se"},
  "ruin": null or {"bankroll", "deals", "chance", "se"}, "role", "action",
  "arrangement", "deals", "histogram": [[units, count], ...]}], "seats",
  "packs", "ending", "unit", "opponents", "role", "strategy", "versus",
  "known", "dead", "chips", "stored", "precise", "notes"}
Units are those of a deal, shares are from 0 to 1; `difference` is that to the
first entry on the same deals. Of strategies a histogram counts a deal for each
seat. --format csv has a line for each entry. --exact naturals: {"ruleset",
"total", "none", "none_chance", "mean_units", "naturals": [{"name", "units",
"held", "held_chance", "one_in", "best", "best_chance"}]}.

\b
--output, CSV: deal, pack, and for each hand N `cardsN`, `setN` (front / middle
/ back, or declare, surrender, foul) and `unitsN`. Deals played in several ways
have `setN_game1`, `unitsN_game1` and so on: a game for each of the splits, or
for each seating; in the first hand 1 is --strategy's, in every next all
players move on by a hand. JSON Lines: {"deal", "pack", "cards": [...],
"games": [{"sets": [...], "units": [...]}]}.
"""


def _path_option(flag: str, suffixes: str, help_text: str) -> Callable[[Command], Command]:
    """Add an option that is a file to write, with one of the suffixes; any if there are none."""
    callback = functools.partial(read_path, suffixes=suffixes)
    return click.option(flag, metavar="FILE", callback=callback, help=help_text)


@click.command(epilog=EXAMPLES)
@click.argument("subjects", nargs=-1, metavar="[CARDS | ARRANGEMENT]...")
@opponents_option("Players to settle with; 1 for a player against a bank.")
@click.option(
    "--strategy",
    type=StrategyType(trained=True),
    metavar="S",
    help=f"How the hero sets cards, or all others if his are set; without a hero the first "
    f"player's. {STRATEGY}  "
    f"[default: {EQUILIBRIUM}]",
)
@click.option(
    "--versus",
    multiple=True,
    type=StrategyType(trained=True),
    metavar="S",
    help=f"How opponents set theirs; once for all, or once for each.  [default: {EQUILIBRIUM}]",
)
@click.option(
    "--opponent",
    multiple=True,
    metavar="CARDS|ARRANGEMENT",
    help="What is known of an opponent's hand, 1 to 13 cards; may be repeated, in seat order.",
)
@click.option("--dead", default="", metavar="CARDS", help="Cards known to be out of play.")
@click.option(
    "--role",
    type=click.Choice(["player", "bank"]),
    help="Whose cards these are where there is a bank.  [default: player]",
)
@click.option(
    "--chips",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="Chips in front of everybody at the start of each deal, with stakes.cap chips.",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Deals to play.  [default: {DEALS:,}; no limit with --target-se, --time or --stored]",
)
@target_se_option("Play until the standard error of every EV is X or less.")
@click.option(
    "--time",
    "seconds",
    metavar="TIME",
    callback=read_time,
    help="Play so long: 30s, 500ms, 2m, 1h or 90 (seconds).",
)
@_path_option("--resume", "", "Keep the run in this file, and go on with it if it is there.")
@_path_option("--output", ".csv .jsonl", "Write a line for each deal to a .csv or .jsonl file.")
@_path_option("--save", ".html .svg", "Write what is shown to an .html or .svg file as well.")
@click.option(
    "--bankroll",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="Tell the risk to lose so many units.",
)
@click.option(
    "--within",
    type=click.IntRange(1, 10**5),
    metavar="D",
    help=f"With --bankroll: in so many deals.  [default: {HORIZON:,}]",
)
@click.option(
    "--stored",
    is_flag=True,
    help="Take a single opponent from the stored deals of the strategy, each once.",
)
@click.option(
    "--precise", is_flag=True, help="Set every hand by the exact form of its strategy; slower."
)
@click.option(
    "--exact",
    type=click.Choice(["naturals"]),
    help="Play nothing; count how many of all deals hold each natural.",
)
@ruleset_options
@seed_option
@jobs_option
@format_options()
@click.pass_context
def simulate(
    context: click.Context,
    /,
    subjects: tuple[str, ...],
    exact: str | None,
    jobs: int,
    output_format: str,
    **options: Any,
) -> None:
    """Play deals out to the end and tell what they earn.

    An argument with / or | in it is an ARRANGEMENT, anything else is CARDS: 13 of them, or fewer,
    then the rest is dealt. Several are played side by side on the same deals; without any,
    strategies play each other and take every seat.
    """
    if exact:
        check_exact(context, subjects, WITH_EXACT)
        _show_naturals(options, output_format)
        return
    task = read_task(subjects, options)
    interrupted = _run(task, jobs, output_format)
    context.exit(EXIT_INTERRUPTED if interrupted else 0)


# --- the run -------------------------------------------------------------------------------------


def _run(task: Task, jobs: int, output_format: str) -> bool:
    """Play and print what was found; return whether the user had seen enough before the end."""
    from cp_cli.simulation.resume import read_state
    from cp_cli.simulation.run import State

    state = State() if task.resume is None else read_state(task.resume, task.plan, task.seed)
    state.drop_cut()
    with DealFile(task.output, task.plan) if task.output else nullcontext() as deals:
        if deals is not None and state.deals:
            # What is wrong with it is known before anything is trained.
            deals.open(state.deals, _deal_last(task, state))
        elif deals is not None and task.resume is not None and not task.resume.exists():
            deals.check_new(task.resume)
        simulator = _open_simulator(task, jobs)
        if deals is not None and not state.deals:
            _keep_state(task, state)  # from now on the two files belong together
            deals.open(0)
        try:
            interrupted = _play(task, simulator, state, deals)
            if deals is not None:
                deals.keep(state.deals)
            _keep_state(task, state)
        except InputError:  # a full disk, after hours perhaps: what is known is printed
            _tell_found(task, simulator, state, output_format)
            raise
    _tell_found(task, simulator, state, output_format)
    return interrupted


def _deal_last(task: Task, state: "State") -> "NDArray[np.uint8]":
    """Return the hands of the last deal that was played."""
    from cp_cli.simulation.play import deal_one

    return deal_one(task.plan, task.seed, state.deals - 1)


def _open_simulator(task: Task, jobs: int) -> "Simulator":
    from cp_cli.render import TrainingProgress
    from cp_cli.simulation.run import Simulator

    with TrainingProgress(task.plan.ruleset.id) as progress:
        return Simulator(task.plan, seed=task.seed, jobs=jobs, progress=progress)


def _play(task: Task, simulator: "Simulator", state: "State", deals: DealFile | None) -> bool:
    """Play to the end; return whether the user ended it sooner."""
    from cp_cli.render import RunProgress

    kept = time.monotonic()
    standings = simulator.run(state, task.stop, deals.write if deals else None)
    with _catch_interrupt() as pressed, RunProgress() as progress, closing(standings):
        try:
            for standing in standings:
                progress(standing)
                if pressed:
                    break
                if task.resume is not None and time.monotonic() - kept > KEEP_SECONDS:
                    if deals is not None:
                        deals.flush()
                    _keep_state(task, state)
                    kept = time.monotonic()
        except KeyboardInterrupt:  # pressed again: what is known is told all the same
            return True
    return bool(pressed)


@contextmanager
def _catch_interrupt() -> Iterator[list[int]]:
    """Collect Ctrl-C, so that files and figures stay together; a second one stops at once."""
    pressed: list[int] = []

    def note(number: int, frame: object) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)
        _tell("stopping after the deals that are being played ...")

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _keep_state(task: Task, state: "State") -> None:
    from cp_cli.simulation.resume import write_state

    if task.resume is not None:
        write_state(task.resume, state, task.plan, task.seed)


# --- answers -------------------------------------------------------------------------------------


def _tell_found(task: Task, simulator: "Simulator", state: "State", output_format: str) -> None:
    """Print what was found, if anything; report where that is less than was wanted."""
    if not state.deals:
        return
    found = simulator.sum_up(state, bankroll=task.bankroll, horizon=task.horizon)
    _show(task, found, output_format)
    wanted = task.stop.target_se
    reached = max(entry.units.se for entry in found.entries)
    if wanted is not None and reached > wanted and found.ending != "interrupted":
        _tell(f"note: standard error {reached:.3g} after all {found.deals:,} deals")


def _tell(line: str) -> None:
    """Report a line, if there is anybody to read it: results do not depend on that."""
    with suppress(OSError):
        report(line)


def _show(task: Task, found: "Simulation", output_format: str) -> None:
    """Print what was found, and save it even if nobody reads that to its end."""
    from cp_cli import render

    request = task.plan.request
    try:
        if output_format == "json":
            click.echo(render.write_document(render.build_simulation_document(found, request)))
        elif output_format == "csv":
            records = render.list_simulation_records(found, request)
            click.echo(join_csv([render.SIMULATION_COLUMNS, *records]))
        else:
            _print_lines(lambda paint: render.draw_simulation(found, request, paint))
    finally:
        if task.save is not None:
            _save(task.save, lambda paint: render.draw_simulation(found, request, paint))


def _show_naturals(options: dict[str, Any], output_format: str) -> None:
    """Count the naturals of a ruleset in all deals, and print and save that."""
    from cp_cli import render
    from cp_cli.evaluator import rank_naturals
    from cp_cli.ruleset import load_ruleset
    from cp_cli.simulation.natural_chances import count_naturals

    ruleset = load_ruleset(options["ruleset"], options["settings"])
    if not rank_naturals(ruleset.naturals):
        raise InputError(
            f"--exact naturals: ruleset {ruleset.id} has none; expected one with naturals"
        )
    if options["save"] is not None:
        check_writable(options["save"], "--save")
    counts = count_naturals(ruleset)
    if output_format == "json":
        click.echo(render.write_document(render.build_natural_document(counts, ruleset)))
    elif output_format == "csv":
        records = render.list_natural_records(counts, ruleset)
        click.echo(join_csv([render.NATURAL_COLUMNS, *records]))
    else:
        _print_lines(lambda paint: render.draw_naturals(counts, ruleset, paint))
    if options["save"] is not None:
        _save(options["save"], lambda paint: render.draw_naturals(counts, ruleset, paint))


def _print_lines(draw: "Draw") -> None:
    """Print lines, in the colours that the terminal has."""
    from cp_cli import render

    for line in draw(render.open_paint(sys.stdout)):
        click.echo(line, color=True)


def _save(path: Path, draw: "Draw") -> None:
    """Write what is shown as a page or a picture, in colours whatever the terminal has."""
    from cp_cli import render

    paint = render.open_page_paint(render.open_paint(None).width)
    page = render.write_page(draw(paint), paint.width, path.suffix.lower(), "cpoker simulate")
    write_text(path, page, "--save")
