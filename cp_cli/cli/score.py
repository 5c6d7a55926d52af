"""`cpoker score`: settle a table to the last unit, or a file of tables."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cp_cli.cli.inputs import BadLine
from cp_cli.cli.options import format_options, report, ruleset_options
from cp_cli.cli.score_answers import Answer, Wish
from cp_cli.cli.score_desk import Desk, Session
from cp_cli.cli.score_files import TableDeal, open_sheet
from cp_cli.cli.score_hands import looks_like_hand, read_hands, split_line
from cp_cli.cli.score_options import (
    build_agreement,
    build_money,
    read_chips,
    read_currency,
    read_name,
    read_stakes,
    read_unit,
)
from cp_cli.cli.score_terms import Agreement, PlacedError
from cp_cli.errors import CpokerError, InputError, quote_text, suggest_name

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

EXIT_INTERRUPTED = 130

EXAMPLES = """\b
Examples:
  cpoker score 'Amy: Qs Qd 4c / As Ad 9c 7h 3s / Kh Jh 8h 6h 2h' \\
      'Bob: Js Jd 5c / Kc Kd 6s 6d 2c / Td 9d 8s 7c 6c' --explain
  cpoker score --ruleset hawaiian-gardens 'N: surrender' \\
      'S: natural As Kd Qh Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s'
  cpoker score friday.yaml --unit 0.25 --currency EUR --ledger
  cat deals.jsonl | cpoker score - --ruleset taiwanese --json
"""


def _complete_file(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


@click.command(epilog=EXAMPLES)
@click.argument("hands", nargs=-1, metavar="HAND... | FILE | -", shell_complete=_complete_file)
@click.option(
    "--banker",
    multiple=True,
    metavar="NAME",
    callback=read_name,
    help="The player with whom all others settle.",
)
@click.option(
    "--dealer",
    multiple=True,
    metavar="NAME",
    callback=read_name,
    help="Who dealt; matters for the order of payment.  [default: the first player]",
)
@click.option(
    "--chips",
    multiple=True,
    metavar="NAME=N",
    callback=read_chips,
    help="Chips in front of a player before the deal; may be repeated.",
)
@click.option(
    "--stake",
    "stakes",
    multiple=True,
    metavar="A-B=N",
    callback=read_stakes,
    help="What a unit is worth between two players; may be repeated.",
)
@click.option("--unit", metavar="X", callback=read_unit, help="Show money, too: X for a unit.")
@click.option("--currency", metavar="TEXT", callback=read_currency, help="What X is in.")
@click.option("--explain", is_flag=True, help="Tell every comparison in words.")
@click.option("--ledger", is_flag=True, help="Show the balances over all deals.")
@click.option("--strict", is_flag=True, help="Stop at the first bad deal of a file.")
@ruleset_options
@format_options()
@click.pass_context
def score(
    context: click.Context,
    /,
    hands: tuple[str, ...],
    output_format: str,
    unit: str | None,
    currency: str | None,
    strict: bool,
    **options: Any,
) -> None:
    """Settle a table to the last unit, with the reason for each.

    A HAND is 'NAME: front / middle / back'; the name may be left out. Instead of the rows, or
    beside them: surrender, natural or natural=NAME with 13 cards, royalties=front,back for those
    announced, fantasyland. A FILE holds one deal or many, as YAML, JSON, JSON Lines or a deal a
    line with semicolons between the hands; - is stdin.
    """
    if options["ledger"] and output_format == "csv":
        raise click.UsageError("--ledger goes with --format table or json, not with csv")
    money = build_money(unit, currency)
    desk = Desk(options["ruleset"], build_agreement(context, options))
    wish = Wish(output_format, options["explain"], options["ledger"], money)
    source = _find_source(hands)
    if source is not None:
        context.exit(_settle_file(desk, source, wish, strict=strict))
    if strict:
        raise click.UsageError("--strict goes with a FILE of many deals")
    texts = split_line(hands[0]) if len(hands) == 1 else hands
    deal = TableDeal(read_hands(texts), Agreement(), "")
    settled = desk.settle_one(deal, Agreement())
    Answer(wish).tell_one(*settled)


def _find_source(hands: tuple[str, ...]) -> str | None:
    """Return the file that the arguments name, None if they are hands."""
    if not hands:
        raise click.UsageError("no HAND and no FILE; expected 2 to 4 hands, a file, or - for stdin")
    files = [text for text in hands if text == "-" or _exists(text)]
    if len(hands) == 1 and (files or not looks_like_hand(hands[0])):
        if not files:
            raise InputError(_explain_no_file(hands[0]))
        return files[0]
    if files:
        found = ", ".join(quote_text(text, 60) for text in files)
        rest = len(hands) - len(files)
        what = f"{rest} more arguments" if rest > 1 else "another argument"
        mixed = f"beside {what}" if rest else f"{len(files)} files"
        raise click.UsageError(f"{found}: {mixed}; expected hands or one file")
    return None


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long, a NUL
        return False


def _explain_no_file(text: str) -> str:
    """Say that a text is neither hand nor file, and which file may be meant."""
    path = Path(text)
    hint = ""
    if _exists(str(path.parent)):
        hint = suggest_name(path.name, [each.name for each in path.parent.glob("*")])
    hint = hint or "; expected a file, - for stdin, or hands NAME: front / middle / back"
    return f"{quote_text(text, 200)}: no such file{hint}"


# --- files ---------------------------------------------------------------------------------------


def _settle_file(desk: Desk, source: str, wish: Wish, *, strict: bool) -> int:
    """Settle the deals of a file or of stdin; return the exit code."""
    with open_sheet(source) as sheet:
        deals, alone = sheet.deals, not sheet.many
        # Whoever types the deals wants to see each at once.
        typed = source == "-" and sys.stdin is not None and sys.stdin.isatty()
        if sheet.many and wish.output_format == "table" and not typed:
            deals, alone = _look_ahead(deals)
        if not alone:
            return _settle_many(Session(desk, sheet.agreement), deals, wish, strict=strict)
        deal = next(deals)
        if isinstance(deal, BadLine):
            raise InputError(str(deal))
        try:
            settled = desk.settle_one(deal, sheet.agreement)
        except CpokerError as error:
            raise InputError(f"{_find_place(error, deal)}: {error}") from None
        Answer(wish).tell_one(*settled, deal.id)
    return 0


Deals = Iterator[TableDeal | BadLine]


def _look_ahead(deals: Deals) -> tuple[Deals, bool]:
    """Return the deals again, and whether there is only one."""
    begin = [next(deals), *([] if (second := next(deals, None)) is None else [second])]
    return chain(begin, deals), len(begin) == 1


def _settle_many(session: Session, deals: Deals, wish: Wish, *, strict: bool) -> int:
    """Settle deals as they are read, each at once; return the exit code."""
    session.check_rules()
    answer = Answer(wish)
    number = faults = 0
    try:
        for number, deal in enumerate(deals, start=1):
            try:
                if isinstance(deal, BadLine):
                    raise PlacedError(deal.place, deal.reason)
                settled = session.settle(deal)
            except CpokerError as error:
                fault = f"deal {number} ({_find_place(error, deal)}): {error}"
                if strict:
                    raise InputError(fault) from None
                faults += 1
                report(f"error: {fault}")
            else:
                answer.tell_next(number, deal.id, *settled, session.ledger)
    except KeyboardInterrupt:
        answer.tell_end(session.ledger)
        return EXIT_INTERRUPTED
    answer.tell_end(session.ledger)
    unused = [] if faults else session.list_unused()
    for text in unused:
        report(f"error: {text}")
    if faults:
        report(f"{faults} of {number} deals not settled")
    return 1 if faults or unused else 0


def _find_place(error: CpokerError, deal: TableDeal | BadLine) -> str:
    return (isinstance(error, PlacedError) and error.place) or deal.place
