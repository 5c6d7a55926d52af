"""`cpoker score`: settle a table to the last unit, or a file of tables."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cp_cli.cli.inputs import Fault, FaultError
from cp_cli.cli.options import format_options, report, ruleset_options
from cp_cli.cli.score_answers import Answer, Wish
from cp_cli.cli.score_hands import (
    check_name,
    looks_like_file,
    looks_like_hand,
    read_hands,
    split_line,
)
from cp_cli.cli.score_tables import (
    MAX_CHIPS,
    Agreement,
    Desk,
    Session,
    Stake,
    TableDeal,
    read_count,
    split_pair,
)
from cp_cli.errors import CpokerError, InputError, quote_text, suggest_name

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cp_cli.settlement import Money

T = TypeVar("T")

LONGEST_CURRENCY = 12
_PRICE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?|\.[0-9]{1,6}")

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


# --- options -------------------------------------------------------------------------------------


def _read_name(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Any:
    """Return the one name that an option gives, None if it is not used."""
    if len(values) > 1:
        raise click.BadParameter(f"given {len(values)} times: {', '.join(values)}; expected one")
    return _read_all(check_name, values)[0] if values else None


def _read_chips(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, int]:
    """Return chips by player from `NAME=N` texts."""
    chips: dict[str, int] = {}

    def read(text: str) -> None:
        name, equals, number = text.rpartition("=")
        if not equals:
            raise InputError(f"{quote_text(text, 60)}; expected NAME=N")
        name = check_name(name)
        count = _read_number(name, number, 0, MAX_CHIPS)
        if name in chips:
            raise InputError(f"{name}: given twice, {chips[name]} and {count}")
        chips[name] = count

    _read_all(read, values)
    return chips


def _read_stakes(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[Stake, ...]:
    """Return stakes from `A-B=N` texts; who A and B are is seen at the table."""
    from cp_cli.ruleset.schema import MAX_STAKE

    def read(text: str) -> Stake:
        pair, equals, number = text.rpartition("=")
        pair = pair.strip()
        if not equals or not split_pair(pair):
            raise InputError(f"{quote_text(text, 90)}; expected A-B=N")
        count = _read_number(pair, number, 1, MAX_STAKE)
        return Stake(pair, count, f"--stake {pair}={count}")

    return tuple(_read_all(read, values))


def _read_number(what: str, text: str, least: int, most: int) -> int:
    try:
        return read_count(text.strip(), least, most)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _read_all(read: Callable[[str], T], values: Sequence[str]) -> list[T]:
    """Return what `read` makes of every value; raises BadParameter with the faults of all."""
    found, faults = [], []
    for value in values:
        try:
            found.append(read(value))
        except InputError as error:
            faults.append(str(error))
    if faults:
        raise click.BadParameter("; ".join(faults))
    return found


def _read_unit(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return what a unit is worth, as it is written."""
    if value is None:
        return None
    text = value.strip()
    if not (text.isascii() and _PRICE.fullmatch(text) and text.strip("0.")):
        raise click.BadParameter(
            f"{quote_text(value)}; expected a number above 0 such as 0.25, with at most 6 decimals"
        )
    return text


def _read_currency(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    """Return the name or sign of a currency."""
    if value is None:
        return None
    text = value.strip()
    if not (0 < len(text) <= LONGEST_CURRENCY and text.isprintable()):
        raise click.BadParameter(
            f"{quote_text(value)}; expected 1 to {LONGEST_CURRENCY} printable characters"
        )
    return text


def _build_money(unit: str | None, currency: str | None) -> "Money | None":
    """Return what a unit is worth. Raises UsageError for a currency alone."""
    if unit is None:
        if currency is not None:
            raise click.UsageError("--currency needs --unit, what one unit is worth")
        return None
    from decimal import Decimal

    from cp_cli.settlement import Money

    return Money(Decimal(unit), currency or "")


def _build_agreement(context: click.Context, options: dict[str, Any]) -> Agreement:
    """Return what the options say; `--ruleset` only if it is on the command line."""
    source = context.get_parameter_source("ruleset")
    explicit = source is click.core.ParameterSource.COMMANDLINE
    return Agreement(
        ruleset=options["ruleset"] if explicit else None,
        settings=options["settings"],
        dealer=options["dealer"],
        banker=options["banker"],
        stakes=options["stakes"],
        chips=options["chips"],
        origin="--",
    )


@click.command(epilog=EXAMPLES)
@click.argument("hands", nargs=-1, metavar="HAND... | FILE | -", shell_complete=_complete_file)
@click.option(
    "--banker",
    multiple=True,
    metavar="NAME",
    callback=_read_name,
    help="The player with whom all others settle.",
)
@click.option(
    "--dealer",
    multiple=True,
    metavar="NAME",
    callback=_read_name,
    help="Who dealt; matters for the order of payment.  [default: the first player]",
)
@click.option(
    "--chips",
    multiple=True,
    metavar="NAME=N",
    callback=_read_chips,
    help="Chips in front of a player before the deal; may be repeated.",
)
@click.option(
    "--stake",
    "stakes",
    multiple=True,
    metavar="A-B=N",
    callback=_read_stakes,
    help="What a unit is worth between two players; may be repeated.",
)
@click.option("--unit", metavar="X", callback=_read_unit, help="Show money, too: X for a unit.")
@click.option("--currency", metavar="TEXT", callback=_read_currency, help="What X is in.")
@click.option("--explain", is_flag=True, help="Tell every comparison in words.")
@click.option(
    "--ledger",
    is_flag=True,
    help="Add the balances to one deal, or to JSON; a table of many deals always ends with them.",
)
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
    money = _build_money(unit, currency)
    desk = Desk(options["ruleset"], _build_agreement(context, options))
    wish = Wish(output_format, options["explain"], options["ledger"], money)
    source = _find_source(hands)
    if source is not None:
        context.exit(_settle_file(desk, source, wish, strict=strict))
    if strict:
        raise click.UsageError("--strict goes with a FILE of many deals")
    texts = split_line(hands[0]) if len(hands) == 1 else hands
    seats = read_hands(texts, lambda: desk.find_ruleset([]))
    Answer(wish).tell_one(*desk.settle_one(TableDeal(seats), Agreement()))


# --- hands or a file -----------------------------------------------------------------------------


def _find_source(hands: tuple[str, ...]) -> str | None:
    """Return the file that the arguments name, None if they are hands."""
    if not hands:
        raise click.UsageError("no HAND and no FILE; expected 2 to 4 hands, a file, or - for stdin")
    if not all(text.strip() for text in hands):
        raise click.UsageError("empty argument; expected hands, a file, or - for stdin")
    files = [text for text in hands if text == "-" or _exists(text) or looks_like_file(text)]
    if len(hands) == 1 and (files or not looks_like_hand(hands[0])):
        _check_file(hands[0])
        return hands[0]
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


def _check_file(text: str) -> None:
    """Raise InputError for a text that names no file, with the file that may be meant."""
    if text == "-":
        return
    if not _exists(text):
        path = Path(text)
        hint = ""
        if _exists(str(path.parent)):
            hint = suggest_name(path.name, [each.name for each in path.parent.glob("*")])
        hint = hint or "; expected a file, - for stdin, or hands NAME: front / middle / back"
        raise InputError(f"{quote_text(text, 200)}: no such file{hint}")
    if Path(text).is_dir():
        raise InputError(f"{quote_text(text, 200)}: is a directory; expected a file of deals")


# --- files ---------------------------------------------------------------------------------------


def _settle_file(desk: Desk, source: str, wish: Wish, *, strict: bool) -> int:
    """Settle the deals of a file or of stdin; return the exit code."""
    from cp_cli.cli.score_files import open_sheet  # hands as arguments need no YAML

    with open_sheet(source, desk.find_ruleset) as sheet:
        deals, alone = sheet.deals, not sheet.many
        # Whoever types the deals wants to see each at once.
        typed = source == "-" and sys.stdin is not None and sys.stdin.isatty()
        if sheet.many and wish.output_format == "table" and not typed:
            deals, alone = _look_ahead(deals)
        if not alone:
            return _settle_many(Session(desk, sheet.agreement), deals, wish, strict=strict)
        deal = next(deals)
        if isinstance(deal, Fault):
            raise InputError(str(deal))
        try:
            settled = desk.settle_one(deal, sheet.agreement)
        except CpokerError as error:
            raise InputError(str(_place_fault(error, deal))) from None
        Answer(wish).tell_one(*settled, deal.id)
    return 0


Deals = Iterator[TableDeal | Fault]


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
            fault = _settle_next(session, number, deal, answer)
            if fault and strict:
                raise InputError(fault)
            if fault:
                faults += 1
                report(f"error: {fault}")
    finally:  # Ctrl-C and --strict keep what is settled
        answer.tell_end(session.ledger)
    unused = [] if faults else session.list_unused()
    for text in unused:
        report(f"error: {text}")
    if faults:
        report(f"{faults} of {number} deals not settled")
    return 1 if faults or unused else 0


def _settle_next(
    session: Session, number: int, deal: TableDeal | Fault, answer: Answer
) -> str | None:
    """Settle and print a deal; return what keeps it from being settled, None if nothing does."""
    fault = deal if isinstance(deal, Fault) else None
    if not isinstance(deal, Fault):
        try:
            settled = session.settle(deal)
        except CpokerError as error:
            fault = _place_fault(error, deal)
        else:
            answer.tell_next(number, deal.id, *settled, session.ledger)
    return f"deal {number} ({fault.place}): {fault.reason}" if fault else None


def _place_fault(error: CpokerError, deal: TableDeal) -> Fault:
    """Return what is wrong with its place, that of the deal where it knows none."""
    faults = error.faults if isinstance(error, FaultError) else [Fault("", str(error))]
    return FaultError(*(replace(each, place=each.place or deal.place) for each in faults)).join()
