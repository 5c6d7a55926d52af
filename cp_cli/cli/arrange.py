"""`cpoker arrange`: rank the splits of thirteen cards by what they earn."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from cp_cli.cards import parse_cards
from cp_cli.cli.arrange_request import (
    Request,
    check_deal,
    read_request,
    read_score,
    read_top,
)
from cp_cli.cli.inputs import BadLine, Deal, read_deals
from cp_cli.cli.options import (
    format_options,
    jobs_option,
    join_csv,
    report,
    ruleset_options,
    seed_option,
    strategy_option,
    target_se_option,
)
from cp_cli.errors import CpokerError, InputError

if TYPE_CHECKING:
    from cp_cli.equity import Analysis, Analyst
    from cp_cli.render import Paint

TOP = 8  # fits 24 lines, with a split to compare
MAX_SAMPLES = 1_000_000

EXAMPLES = """\b
Examples:
  cpoker arrange As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c
  cpoker arrange 'S:AKQJ653 H:Q92 D:J C:83' --opponents 1 --diverse
  cpoker arrange AsKsQsJs6s5s3sQh9h2hJd8c3c \\
      --compare '3s 3c 9h / Js Jd Qh 8c 2h / As Ks Qs 6s 5s'
  cpoker arrange --input deals.txt --ruleset one-six --json
  cpoker arrange AsKsQsJs6s5s3sQh9h2hJd8c3c --ruleset malay --role bank
  cpoker arrange AsKsQsJs6s5s3sQh9h2hJd8c3c --ruleset first-to-11 --score 9-10
  generate-deals | cpoker arrange --input - --format csv --top 3
"""


@click.command(epilog=EXAMPLES)
@click.argument("cards", nargs=-1, metavar="[CARDS]")
@click.option(
    "--opponents",
    type=click.IntRange(1, 3),
    metavar="1|2|3",
    help="Players to settle with; EV is the total over them.  [default: 3, or all that the rules "
    "and dead cards allow; 1 for a player against a bank]",
)
@click.option(
    "--role",
    type=click.Choice(["player", "bank"]),
    help="Whose cards these are where there is a bank.  [default: player]",
)
@click.option(
    "--score",
    metavar="YOU-THEM",
    callback=read_score,
    help="In a race of two: rank by the chance to win the game from here, as 9-10.",
)
@click.option(
    "--top",
    metavar="N|all",
    callback=read_top,
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
    help="Sample at least this many opponents, and tables (to 250,000) where the whole table "
    "counts.",
)
@target_se_option("Sample opponents until the standard error of the best split is below X.")
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
        request = read_request(options, deal, options["top"] or TOP)
        answer = _answer_one(request, deal, jobs, output_format)
    else:
        request = read_request(options, None, options["top"] or 1)
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


# --- analysts ------------------------------------------------------------------------------------


class Analysts:
    """Analysts for each number of opponents that is asked for, opened when first needed.

    Where a ruleset settles in pairs they are one and the same.
    """

    def __init__(self, request: Request, jobs: int) -> None:
        self._request = request
        self._jobs = jobs
        self._by_number: dict[int, Analyst] = {}
        self._by_play: dict[str, Analyst] = {}

    def open(self, opponents: int) -> "Analyst":
        """Return the analyst for so many opponents."""
        from cp_cli.settlement.game import digest_play

        if opponents not in self._by_number:
            play = digest_play(self._request.ruleset, opponents, self._request.role)
            if play not in self._by_play:
                self._by_play[play] = self._open_new(opponents)
            self._by_number[opponents] = self._by_play[play]
        return self._by_number[opponents]

    def _open_new(self, opponents: int) -> "Analyst":
        from cp_cli.equity import open_analyst
        from cp_cli.render import TrainingProgress

        request = self._request
        with TrainingProgress(request.ruleset.id) as progress:
            return open_analyst(
                request.ruleset,
                request.strategy,
                opponents=opponents,
                role=request.role,
                score=request.score,
                jobs=self._jobs,
                progress=progress,
            )


def _analyze(
    request: Request,
    analyst: "Analyst",
    deal: tuple[int, ...],
    dead: tuple[int, ...],
    opponents: int,
) -> "Analysis":
    analysis = analyst.analyze(
        deal,
        dead=dead,
        opponents=opponents,
        top=request.top,
        compare=request.compare,
        diverse=request.diverse,
        samples=request.samples,
        target_se=request.target_se,
        seed=request.seed,
    )
    reached = analysis.arrangements[0].se
    if request.target_se is not None and reached > request.target_se:
        from cp_cli import render

        report(
            f"note: standard error {reached:.3g} with {render.count_samples(analysis)}; "
            f"{request.target_se:g} would take too many"
        )
    return analysis


# --- answers -------------------------------------------------------------------------------------


def _answer_one(
    request: Request, deal: tuple[int, ...], jobs: int, output_format: str
) -> Iterator[str]:
    """Yield the lines that answer one deal."""
    from cp_cli import render

    opponents = check_deal(request, deal, request.dead)
    analyst = Analysts(request, jobs).open(opponents)
    analysis = _analyze(request, analyst, deal, request.dead, opponents)
    ruleset, strategy = request.ruleset, request.strategy
    if output_format == "json":
        yield render.write_document(
            render.build_document(analysis, ruleset, strategy, request.seed)
        )
    elif output_format == "csv":
        yield join_csv([render.SPLIT_COLUMNS, *render.list_split_records(analysis)])
    else:
        paint = render.open_paint(sys.stdout)
        yield from render.draw_analysis(analysis, ruleset, strategy, paint)


def _answer_many(request: Request, source: str, strict: bool, jobs: int, output_format: str) -> int:
    """Answer deals as they are read, each at once; return the exit code."""
    from cp_cli import render

    analysts = Analysts(request, jobs)
    header = _write_header(output_format, request.top)
    faults = 0
    paint = render.open_paint(sys.stdout)
    for entry in read_deals(source):
        if header:
            _print(header)
            header = ""
        try:
            deal, dead, opponents = _check_entry(request, entry)
        except CpokerError as error:
            _tell_fault(entry, error, strict)
            faults += 1
            continue
        analyst = analysts.open(opponents)  # what fails here is no fault of the deal
        try:
            analysis = _analyze(request, analyst, deal.cards, dead, opponents)
        except CpokerError as error:
            _tell_fault(entry, error, strict)
            faults += 1
        else:
            _print(_write_answer(request, analysis, deal.id, output_format, paint))
    return 1 if faults else 0


def _write_header(output_format: str, top: int | None) -> str:
    from cp_cli import render

    if output_format == "csv":
        return ",".join(render.SPLIT_COLUMNS)
    return render.SHORT_HEADER if output_format == "table" and top == 1 else ""


def _check_entry(request: Request, entry: Deal | BadLine) -> tuple[Deal, tuple[int, ...], int]:
    """Return a deal, all dead cards and the number of opponents; raises CpokerError at a fault."""
    if isinstance(entry, BadLine):
        raise InputError(str(entry))
    dead = (*entry.dead, *(card for card in request.dead if card not in entry.dead))
    return entry, dead, check_deal(request, entry.cards, dead)


def _tell_fault(entry: Deal | BadLine, error: CpokerError, strict: bool) -> None:
    """Report a line that has no answer, or stop at it."""
    fault = str(error) if isinstance(entry, BadLine) else f"{entry.place}: {error}"
    if strict:
        raise InputError(fault) from None
    report(f"error: {fault}")


def _write_answer(
    request: Request, analysis: "Analysis", label: str | None, output_format: str, paint: "Paint"
) -> str:
    """Return the answer to one line of the input."""
    from json import dumps

    from cp_cli import render

    if output_format == "json":
        document = render.build_document(
            analysis, request.ruleset, request.strategy, request.seed, label
        )
        return dumps(document)
    if output_format == "csv":
        return join_csv(render.list_split_records(analysis, label))
    return "\n".join(render.draw_short(analysis, label, paint))
