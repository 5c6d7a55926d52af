"""The command line: one module a command, imported only when that command runs."""

import gc
import importlib
import io
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from cp_cli import __version__
from cp_cli.errors import CpokerError, quote_text, suggest_name

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Table = dict[str, tuple[str, str]]

# The one-line help stands here, so that `cpoker --help` need not import the commands.
COMMANDS: Table = {
    "arrange": ("cp_cli.cli.arrange:arrange", "Rank the ways to set 13 cards by expected units."),
    "simulate": (
        "cp_cli.cli.simulate:simulate",
        "Play deals out: what splits, cards and strategies earn.",
    ),
    "score": (
        "cp_cli.cli.score:score",
        "Settle a table to the last unit, with the reason for each.",
    ),
    "rules": ("cp_cli.cli.rules:rules", "List, show, check and compare rulesets."),
    "strategy": ("cp_cli.cli.strategy:strategy", "List, train, measure and play strategies."),
}

EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141  # what the shell reports for a program that `| head` cut off


class InputFailure(click.ClickException):
    """A domain error on its way to the user: one line on stderr, exit code 1."""

    def show(self, file: Any = None) -> None:
        """Print the message to stderr."""
        click.echo(f"error: {self.format_message()}", file=file, err=file is None)


class LazyGroup(click.Group):
    """A group that knows its commands by a table of targets and lines of help."""

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        """Take the table: for each name, `module:attribute` and one line of help."""
        super().__init__(*args, **kwargs)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.table:
            return None
        target, help_line = self.table[cmd_name]
        module, _, attribute = target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        command.short_help = help_line
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, or suggest the nearest one."""
        name = args[0]
        if name not in self.table and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"no such command {quote_text(name)}{suggest_name(name, self.table)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.table.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Offer the names of commands without importing them, then the options."""
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(name, help=line)
            for name, (_, line) in self.table.items()
            if name.startswith(incomplete)
        ] + click.Command.shell_complete(self, ctx, incomplete)


class MainGroup(LazyGroup):
    """The outermost group, which turns errors into exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; whatever bad input can cause ends as one line and an exit code."""
        try:
            return super().invoke(ctx)
        except CpokerError as error:
            raise InputFailure(str(error)) from error
        except BrokenPipeError:
            _discard_output()
            ctx.exit(EXIT_BROKEN_PIPE)
        except OSError as error:
            raise InputFailure(_describe_os_error(error)) from error
        except (KeyboardInterrupt, click.Abort):
            ctx.exit(EXIT_INTERRUPTED)


@click.group(
    cls=MainGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Run 'cpoker COMMAND --help' for the options of a command and examples.",
)
@click.version_option(__version__, "-V", "--version", message="cpoker %(version)s")
def cli() -> None:
    """Chinese poker: arrange 13 cards, settle deals, study strategies."""


def main() -> None:
    """Run the command line and exit."""
    # NumPy's BLAS starts a thread a core, which costs more than it wins on small arrays.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imports make many objects and little garbage; looking for it often takes a twentieth of a run.
    gc.set_threshold(250_000)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows `?`
    try:
        cli.main(prog_name="cpoker")
    except SystemExit as leaving:
        _flush_output()
        _leave_quickly(leaving.code)
        raise
    finally:
        _flush_output()


def _leave_quickly(code: object) -> None:
    """End the process without taking Numba apart, which takes a tenth of a second."""
    kernels = sys.modules.get("cp_cli._kernels.jit")
    if kernels is None or kernels.TEMPORARY is not None:  # the folder must be removed
        return
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _flush_output() -> None:
    """Write out what is left, now, while a failure can still be reported."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        sys.exit(EXIT_BROKEN_PIPE)
    except OSError as error:
        _discard_output()
        click.echo(f"error: standard output: {_describe_os_error(error)}", err=True)
        sys.exit(1)


def _discard_output() -> None:
    """Send the rest of stdout nowhere, so that the interpreter's own last flush stays quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _describe_os_error(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason
