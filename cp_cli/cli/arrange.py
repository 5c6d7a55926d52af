"""`cpoker arrange`: rank the splits of thirteen cards by what they earn."""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cp_cli.arrangement import Arrangement, parse_arrangement
from cp_cli.cards import check_distinct, describe_count, format_cards, parse_cards
from cp_cli.cli.inputs import BadLine, Deal, read_deals
from cp_cli.cli.options import (
    format_options,
    jobs_option,
    report,
    ruleset_options,
    seed_option,
    strategy_option,
)
from cp_cli.errors import ArrangementError, CardError, CpokerError, InputError, quote_text

if TYPE_CHECKING:
    from cp_cli.equity import Analysis, Analyst
    from cp_cli.render import Paint
    from cp_cli.ruleset import Ruleset

TOP = 8  # fits 24 lines, with a split to compare
SPLITS = 72_072  # no deal has more
MAX_SAMPLES = 1_000_000

EXAMPLES = """\b
Examples:
  cpoker arrange As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c
  cpoker arrange 'S:AKQJ653 H:Q92 D:J C:83' --opponents 1 --diverse
  cpoker arrange AsKsQsJs6s5s3sQh9h2hJd8c3c \\
      --compare '3s 3c 9h / Js Jd Qh 8c 2h / As Ks Qs 6s 5s'
  cpoker arrange --input deals.txt --ruleset one-six --json
  generate-deals | cpoker arrange --input - --format csv --top 3
"""


def _read_top(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> int | str | None:
    """Return a number of splits, or `all`."""
    if value is None or value.lower() == "all":
        return value and "all"
    try:
        number = int(value)
    except ValueError:
        number = 0
    if number < 1:
        raise click.BadParameter(f"{quote_text(value)}; expected a number of 1 or more, or all")
    return min(number, SPLITS)


def _read_error(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    if value is not None and not (math.isfinite(value) and value > 0):
        raise click.BadParameter(f"{value:g}; expected a number of units above 0")
    return value


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asks about every deal."""

    ruleset: "Ruleset"
    strategy: str
    opponents: int | None
    top: int | None  # None lists every split
    dead: tuple[int, ...]
    compare: tuple[Arrangement, ...]
    diverse: bool
    samples: int | None
    target_se: float | None
    seed: int


@click.command(epilog=EXAMPLES)
@click.argument("cards", nargs=-1, metavar="[CARDS]")
@click.option(
    "--opponents",
    type=click.IntRange(1, 3),
    metavar="1|2|3",
    help="Players to settle with; EV is the total over them.  [default: 3, or all that the rules "
    "and dead cards allow]",
)
@click.option(
    "--top",
    metavar="N|all",
    callback=_read_top,
    help=f"How many splits to list.  [default: {TOP}, with --input 1]",
)
@click.option(
    "--compare",
    multiple=True,
    metavar="ARRANGEMENT",
    help="Rank and price this split of yours, too; may be repeated.",
)
@click.option("--dead", default="", metavar="CARDS", help="Cards known to be out of play.")
@strategy_option("--opponent-strategy", "How opponents set their cards.")
@click.option("--diverse", is_flag=True, help="List only splits that differ in plan.")
@click.option(
    "--samples",
    type=click.IntRange(1, MAX_SAMPLES),
    metavar="N",
    help="Sample at least this many opponents.",
)
@click.option(
    "--target-se",
    type=float,
    metavar="X",
    callback=_read_error,
    help="Sample opponents until the standard error of the best split is below X.",
)
@click.option(
    "--input",
    "source",
    metavar="FILE",
    help="Read deals from a file, one a line, JSON Lines or YAML; - is stdin.",
)
@click.option("--strict", is_flag=True, help="With --input: stop at the first bad line.")
@ruleset_options
@seed_option
@jobs_option
@format_options()
@click.pass_context
def arrange(
    context: click.Context,
    /,
    cards: tuple[str, ...],
    source: str | None,
    strict: bool,
    jobs: int,
    output_format: str,
    **options: Any,
) -> None:
    """Rank the ways to set 13 CARDS in three rows by expected units.

    Says what to do with the deal - play, declare a natural or surrender - and lists the best
    legal splits: expected units (EV) with their standard error, the loss against the best split,
    the chance to win each row, to scoop an opponent and to be scooped.
    """
    _check_usage(cards, source, strict, options["compare"])
    if source is None:
        deal = parse_cards(" ".join(cards), "cards", 13)
        request = _read_request(options, deal, options["top"] or TOP)
        _check_deal(request, deal, request.dead)
        answer = _answer_one(request, _open_analyst(request, jobs), deal, output_format)
    else:
        request = _read_request(options, None, options["top"] or 1)
        context.exit(_answer_many(request, source, strict, jobs, output_format))
    for line in answer:
        _print(line)


def _print(text: str) -> None:
    """Print and flush; colours are there only where they are wanted, so none are taken out."""
    click.echo(text, color=True)


def _check_usage(
    cards: tuple[str, ...], source: str | None, strict: bool, compare: tuple[str, ...]
) -> None:
    if source is None:
        if not cards:
            raise click.UsageError("no CARDS and no --input; expected 13 cards or a file of deals")
        if strict:
            raise click.UsageError("--strict has a meaning only with --input")
        return
    if cards:
        raise click.UsageError("CARDS and --input are both given; expected one of them")
    if compare:
        raise click.UsageError("--compare goes with CARDS, not with --input")


# --- what is asked -------------------------------------------------------------------------------


def _read_request(options: dict[str, Any], deal: tuple[int, ...] | None, top: int | str) -> Request:
    """Check the options, everything that needs no opponents before they are trained."""
    from cp_cli.ruleset import load_ruleset

    ruleset = load_ruleset(options["ruleset"], options["settings"])
    most = ruleset.players.max - 1
    opponents: int | None = options["opponents"]
    if opponents is not None and opponents > most:
        raise InputError(
            f"--opponents {opponents}: ruleset {ruleset.id} is for up to "
            f"{ruleset.players.max} players, expected {most} or less"
        )
    compare = tuple(
        _read_compared(text, deal, ruleset) for text in options["compare"] if deal is not None
    )
    everything = SPLITS if options["diverse"] else None
    return Request(
        ruleset,
        options["strategy"],
        opponents,
        everything if top == "all" else int(top),
        parse_cards(options["dead"], "--dead"),
        compare,
        options["diverse"],
        options["samples"],
        options["target_se"],
        options["seed"],
    )


def _read_compared(text: str, deal: tuple[int, ...], ruleset: "Ruleset") -> Arrangement:
    """Read one split to compare: the cards of the deal, and no foul."""
    from cp_cli.evaluator import explain_foul

    try:
        arrangement = parse_arrangement(text)
    except CpokerError as error:
        raise ArrangementError(f"--compare: {error}") from None
    foreign = format_cards(card for card in arrangement.cards if card not in deal)
    if foreign:
        left = format_cards(card for card in deal if card not in arrangement.cards)
        raise ArrangementError(
            f"--compare {arrangement}: not in the deal: {foreign}; instead of {left}"
        )
    fault = explain_foul(arrangement, ruleset.order)
    if fault:
        raise ArrangementError(f"--compare {arrangement}: foul: {fault}")
    return arrangement


def _check_deal(request: Request, deal: tuple[int, ...], dead: tuple[int, ...]) -> int:
    """Return the number of opponents; raises CardError if they cannot hold thirteen cards each."""
    check_distinct([("cards", deal), ("dead", dead)])
    left = 52 - len(deal) - len(dead)
    if request.opponents is None:
        most = request.ruleset.players.max - 1
        opponents = max(1, min(most, left // 13))
    else:
        opponents = request.opponents
    if left < 13 * opponents:
        room = 39 - 13 * opponents
        seats = "1 opponent leaves" if opponents == 1 else f"{opponents} opponents leave"
        raise CardError(f"dead: {describe_count(len(dead))}; {seats} room for {room or 'none'}")
    return opponents


def _open_analyst(request: Request, jobs: int) -> "Analyst":
    from cp_cli.equity import open_analyst
    from cp_cli.render import TrainingProgress

    with TrainingProgress(request.ruleset.id) as progress:
        return open_analyst(request.ruleset, request.strategy, jobs=jobs, progress=progress)


def _analyze(
    request: Request, analyst: "Analyst", deal: tuple[int, ...], dead: tuple[int, ...]
) -> "Analysis":
    analysis = analyst.analyze(
        deal,
        dead=dead,
        opponents=_check_deal(request, deal, dead),
        top=request.top,
        compare=request.compare,
        diverse=request.diverse,
        samples=request.samples,
        target_se=request.target_se,
        seed=request.seed,
    )
    reached = analysis.arrangements[0].se
    if request.target_se is not None and reached > request.target_se:
        report(
            f"note: standard error {reached:.3g} with {analysis.samples:,} opponents; "
            f"{request.target_se:g} would take too many"
        )
    return analysis


# --- answers -------------------------------------------------------------------------------------


def _answer_one(
    request: Request, analyst: "Analyst", deal: tuple[int, ...], output_format: str
) -> Iterator[str]:
    """Yield the lines that answer one deal."""
    from cp_cli import render

    analysis = _analyze(request, analyst, deal, request.dead)
    ruleset, strategy = request.ruleset, request.strategy
    if output_format == "json":
        yield render.write_document(
            render.build_document(analysis, ruleset, strategy, request.seed)
        )
    elif output_format == "csv":
        yield _join_csv([render.SPLIT_COLUMNS, *render.list_split_records(analysis)])
    else:
        paint = render.open_paint(sys.stdout)
        yield from render.draw_analysis(analysis, ruleset, strategy, paint)


def _answer_many(request: Request, source: str, strict: bool, jobs: int, output_format: str) -> int:
    """Answer deals as they are read, each at once; return the exit code."""
    from cp_cli import render

    analyst = None
    faults = 0
    paint = render.open_paint(sys.stdout)
    for entry in read_deals(source):
        if analyst is None:  # a file that cannot be read needs no training
            analyst = _open_analyst(request, jobs)
            header = _write_header(output_format, request.top)
            if header:
                _print(header)
        try:
            text = _answer_line(request, analyst, entry, output_format, paint)
        except CpokerError as error:
            fault = str(error) if isinstance(entry, BadLine) else f"{entry.place}: {error}"
            if strict:
                raise InputError(fault) from None
            faults += 1
            report(f"error: {fault}")
        else:
            _print(text)
    return 1 if faults else 0


def _write_header(output_format: str, top: int | None) -> str:
    from cp_cli import render

    if output_format == "csv":
        return ",".join(render.SPLIT_COLUMNS)
    return render.SHORT_HEADER if output_format == "table" and top == 1 else ""


def _answer_line(
    request: Request, analyst: "Analyst", entry: Deal | BadLine, output_format: str, paint: "Paint"
) -> str:
    """Return the answer to one line of the input; raises CpokerError if it is no deal."""
    from json import dumps

    from cp_cli import render

    if isinstance(entry, BadLine):
        raise InputError(str(entry))
    dead = (*entry.dead, *(card for card in request.dead if card not in entry.dead))
    analysis = _analyze(request, analyst, entry.cards, dead)
    if output_format == "json":
        document = render.build_document(
            analysis, request.ruleset, request.strategy, request.seed, entry.id
        )
        return dumps(document)
    if output_format == "csv":
        return _join_csv(render.list_split_records(analysis, entry.id))
    return "\n".join(render.draw_short(analysis, entry.id, paint))


def _join_csv(records: Any) -> str:
    """Write CSV records, without the end of the last line."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(records)
    return text.getvalue().removesuffix("\n")
