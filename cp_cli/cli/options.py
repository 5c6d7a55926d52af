"""Options that several commands share."""

import functools
import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from cp_cli.errors import InputError, quote_text, suggest_name

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cp_cli.ruleset import Ruleset

    _TextType = click.ParamType[str]
else:
    _TextType = click.ParamType  # older versions of click know no kinds of it

Command = Callable[..., Any]
Role = Literal["player", "bank"]

DEFAULT_RULESET = "two-four"
FORMATS = ("table", "json", "csv")
EQUILIBRIUM = "equilibrium"
STRATEGIES = (
    *(EQUILIBRIUM, "rank-product", "scoop-chaser"),
    *("back-first", "front-heavy", "random-legal"),
)
LEVEL = re.compile(r"level-(0|[1-9][0-9]?|100)")
TRAINED_SUFFIX = ".strategy"
STRATEGY_FILES = (TRAINED_SUFFIX, ".csv")


def ruleset_options(function: Command) -> Command:
    """Add `--ruleset` (passed as `ruleset`) and `--set` (`settings`: `key.path=value` texts)."""
    function = settings_option("Change one value of the ruleset for this run; may be repeated.")(
        function
    )
    return click.option(
        "--ruleset",
        metavar="NAME|FILE",
        default=DEFAULT_RULESET,
        envvar="CPOKER_RULESET",
        show_default=True,
        show_envvar=True,
        shell_complete=complete_ruleset,
        help="Rules to play by: a name of 'cpoker rules list' or a YAML file.",
    )(function)


def settings_option(help_text: str) -> Callable[[Command], Command]:
    """Add `--set` (passed as `settings`: `key.path=value` texts)."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY.PATH=VALUE",
        callback=_check_settings,
        help=help_text,
    )


def complete_ruleset(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """Offer the names of rulesets, and files where no name fits."""
    from click.shell_completion import CompletionItem

    from cp_cli.ruleset import ruleset_names

    names = [CompletionItem(name) for name in ruleset_names() if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def _check_settings(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    for text in values:
        key, equals, _ = text.partition("=")
        if not equals or not key.strip():
            raise click.BadParameter(f"{quote_text(text)}; expected KEY.PATH=VALUE")
    return values


class StrategyType(_TextType):
    """The name of a strategy, or with `files` also a trained file or a CSV of set deals.

    With `trained` no CSV is taken: it knows its own deals alone.
    """

    name = "strategy"

    def __init__(self, *, files: bool = False, trained: bool = False) -> None:
        """Take names alone, or with `files` also files, with `trained` trained ones."""
        self.suffixes = STRATEGY_FILES if files else (TRAINED_SUFFIX,) if trained else ()
        self.files = files

    def convert(
        self, value: str, parameter: click.Parameter | None, context: click.Context | None
    ) -> str:
        """Return a name or path that can be a strategy; whether a file is there is seen later."""
        if value in STRATEGIES or LEVEL.fullmatch(value):
            return value
        if value.lower().endswith(self.suffixes) or (self.files and _is_file(value)):
            return value
        expected = f"{', '.join(STRATEGIES)}, level-0 to level-100"
        if self.suffixes:
            expected += f" or a file ({', '.join(self.suffixes)})"
        problem = f"unknown strategy {quote_text(value)}{suggest_name(value, STRATEGIES)}"
        if self.suffixes and value.lower().endswith(STRATEGY_FILES):
            problem = f"{quote_text(value, 60)} sets only the deals that are in it"
        fault = f"{problem}; expected {expected}"
        raise click.BadParameter(fault, context, parameter)

    def shell_complete(
        self, context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Offer the names, some of the levels, and files where no name fits."""
        from click.shell_completion import CompletionItem

        names = [*STRATEGIES, *(f"level-{level}" for level in range(0, 101, 25))]
        found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return found or ([CompletionItem(incomplete, type="file")] if self.suffixes else [])


def strategy_option(
    flag: str, help_text: str, *, files: bool = False
) -> Callable[[Command], Command]:
    """Add an option that names a strategy (passed as `strategy`), or with `files` a file."""
    return click.option(
        flag,
        "strategy",
        type=StrategyType(files=files),
        default=EQUILIBRIUM,
        show_default=True,
        metavar="STRATEGY",
        help=f"{help_text} {describe_strategies(files=files)}",
    )


def describe_strategies(*, files: bool = False) -> str:
    """Return a sentence on what a strategy may be, for a help page."""
    others = " a .strategy file or a CSV of set deals" if files else ""
    return f"One of {', '.join(STRATEGIES)}, level-0 to level-100{others and ',' + others}."


def _is_file(name: str) -> bool:
    from pathlib import Path

    return Path(name).is_file()


def opponents_option(help_text: str) -> Callable[[Command], Command]:
    """Add `--opponents` (passed as `opponents`; None is a full table, see `count_opponents`)."""
    return click.option(
        "--opponents",
        type=click.IntRange(1, 3),
        metavar="1|2|3",
        help=f"{help_text}  [default: a full table]",
    )


def count_opponents(ruleset: "Ruleset", wanted: int | None) -> int:
    """Return the number of opponents wanted, by default a full table.

    Raises InputError where the ruleset is for fewer.
    """
    most = ruleset.players.max - 1
    if wanted is not None and wanted > most:
        raise InputError(
            f"--opponents {wanted}: ruleset {ruleset.id} is for up to {ruleset.players.max} "
            f"players, expected {most} or less"
        )
    return wanted or most


def target_se_option(help_text: str) -> Callable[[Command], Command]:
    """Add `--target-se` (passed as `target_se`, None where it is not given)."""
    return click.option(
        "--target-se", type=float, metavar="X", callback=_read_error, help=help_text
    )


def _read_error(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    """Return a standard error to reach, which is above 0."""
    if value is not None and not (math.isfinite(value) and value > 0):
        raise click.BadParameter(f"{value:g}; expected a number of units above 0")
    return value


def read_role(ruleset: "Ruleset", role: Role | None) -> Role:
    """Return the role that is asked for; raises InputError where there is no bank."""
    if role is not None and ruleset.mode != "bank":
        raise InputError(f"--role {role}: ruleset {ruleset.id} has no bank, expected mode bank")
    return role or "player"


def check_alone(opponents: int | None) -> None:
    """Raise InputError for a bank's player with other opponents than the bank."""
    if opponents not in (None, 1):
        reason = "a player settles with the bank alone, expected 1, or --role bank"
        raise InputError(f"--opponents {opponents}: {reason}")


def format_options(*formats: str) -> Callable[[Command], Command]:
    """Add `--format` and `--json`; the command gets one of `formats` as `output_format`.

    The first of `formats` (by default table, json, csv) is what no option means.
    """
    choices = formats or FORMATS

    def decorate(function: Command) -> Command:
        @click.option(
            "--format",
            "output_format",
            type=click.Choice(choices),
            help=f"How to print the result.  [default: {choices[0]}]",
        )
        @click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
        @functools.wraps(function)
        def run(*args: Any, output_format: str | None, as_json: bool, **kwargs: Any) -> Any:
            if as_json and output_format not in (None, "json"):
                raise click.UsageError(f"--json contradicts --format {output_format}")
            chosen = "json" if as_json else output_format or choices[0]
            return function(*args, output_format=chosen, **kwargs)

        return run

    return decorate


def seed_option(function: Command) -> Command:
    """Add `--seed` (passed as `seed`)."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        metavar="N",
        help="Start of the random numbers; the same seed gives the same answer.",
    )(function)


def jobs_option(function: Command) -> Command:
    """Add `--jobs` (passed as `jobs`, by default the number of usable cores)."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=count_cores,
        show_default="all cores",
        metavar="N",
        help="Cores to use; the answer does not depend on it.",
    )(function)


def count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def join_csv(records: Iterable[Sequence[object]]) -> str:
    """Return CSV records, without the end of the last line."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(records)
    return text.getvalue().removesuffix("\n")


def report(message: object) -> None:
    """Print a message for the user to stderr; stdout is for results."""
    click.echo(str(message), err=True)
