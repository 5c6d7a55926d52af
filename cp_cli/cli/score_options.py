"""Options of `cpoker score` that name players or money."""

import re
from typing import TYPE_CHECKING, Any

import click

from cp_cli.cli.score_hands import check_name
from cp_cli.cli.score_terms import Agreement, Stake, read_count, split_pair
from cp_cli.errors import InputError, quote_text

if TYPE_CHECKING:
    from cp_cli.settlement import Money

_PRICE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?|\.[0-9]{1,6}")
LONGEST_CURRENCY = 12


def read_name(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Any:
    """Return the one name that an option gives, None if it is not used."""
    if len(values) > 1:
        raise click.BadParameter(f"given {len(values)} times: {', '.join(values)}; expected one")
    return _check_name(values[0]) if values else None


def read_chips(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, int]:
    """Return chips by player from `NAME=N` texts."""
    chips: dict[str, int] = {}
    for text in values:
        name, equals, number = text.rpartition("=")
        if not equals:
            raise click.BadParameter(f"{quote_text(text, 60)}; expected NAME=N")
        name = _check_name(name)
        count = read_count(number.strip())
        if count is None:
            raise click.BadParameter(
                f"{name}: {quote_text(number)}; expected a whole number of 0 or more"
            )
        if name in chips:
            raise click.BadParameter(f"{name}: given twice, {chips[name]} and {count}")
        chips[name] = count
    return chips


def read_stakes(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[Stake, ...]:
    """Return stakes from `A-B=N` texts; who A and B are is seen at the table."""
    stakes = []
    for text in values:
        pair, equals, number = text.rpartition("=")
        if not equals or not split_pair(pair):
            raise click.BadParameter(f"{quote_text(text, 90)}; expected A-B=N")
        count = read_count(number.strip())
        if not count:
            raise click.BadParameter(
                f"{pair.strip()}: {quote_text(number)}; expected a whole number of 1 or more"
            )
        stakes.append(Stake(pair.strip(), count, f"--stake {pair.strip()}={count}"))
    return tuple(stakes)


def read_unit(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return what a unit is worth, as it is written."""
    if value is None:
        return None
    text = value.strip()
    if not (text.isascii() and _PRICE.fullmatch(text) and text.strip("0.")):
        raise click.BadParameter(
            f"{quote_text(value)}; expected a number above 0 such as 0.25, with at most 6 decimals"
        )
    return text


def read_currency(
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


def build_money(unit: str | None, currency: str | None) -> "Money | None":
    """Return what a unit is worth. Raises UsageError for a currency alone."""
    if unit is None:
        if currency is not None:
            raise click.UsageError("--currency needs --unit, what one unit is worth")
        return None
    from decimal import Decimal

    from cp_cli.settlement import Money

    return Money(Decimal(unit), currency or "")


def build_agreement(context: click.Context, options: dict[str, Any]) -> Agreement:
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


def _check_name(text: str) -> str:
    try:
        return check_name(text)
    except InputError as error:
        raise click.BadParameter(str(error)) from None
