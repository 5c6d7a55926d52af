"""`cpoker strategy list`: what strategies there are."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from cp_cli.cli.options import complete_ruleset, format_options

if TYPE_CHECKING:
    from cp_cli.render import Paint
    from cp_cli.strategy.catalogue import StrategyFile, Use

EXAMPLES = """\b
Examples:
  cpoker strategy list
  cpoker strategy list --ruleset house.yaml
  cpoker strategy list --json

\b
JSON: {"strategies": [{"name", "description"}],
  "files": [{"path", "origin": "package"|"cache", "strategy",
    "uses": [{"ruleset", "opponents": [n], "role"}], "choosing", "deals",
    "bytes", "fault": null|text}]}
"""
HEADINGS = {"package": "Trained files in the package", "cache": "Trained files on this machine"}


@click.command("list", epilog=EXAMPLES)
@click.option(
    "--ruleset",
    metavar="NAME|FILE",
    shell_complete=complete_ruleset,
    help="List only the files that this ruleset is played by.",
)
@format_options("table", "json")
def list_strategies(ruleset: str | None, output_format: str) -> None:
    """List the strategies by name, and the trained files that stand behind them."""
    from cp_cli.ruleset import load_ruleset
    from cp_cli.strategy.catalogue import list_strategy_files
    from cp_cli.strategy.levels import LEVEL_LINE
    from cp_cli.strategy.named import STRATEGY_LINES

    files = list_strategy_files(None if ruleset is None else load_ruleset(ruleset))
    lines = {**STRATEGY_LINES, "level-0 ... level-100": LEVEL_LINE}
    if output_format == "json":
        from cp_cli.render import write_document

        document = {
            "strategies": [{"name": name, "description": line} for name, line in lines.items()],
            "files": [_build_file(each) for each in files],
        }
        click.echo(write_document(document))
        return
    from cp_cli.render import open_paint

    paint = open_paint(sys.stdout)
    for line in _draw(lines, files, paint):
        click.echo(line, color=True)


def _build_file(file: "StrategyFile") -> dict[str, Any]:
    return {
        "path": str(file.path),
        "origin": file.origin,
        "strategy": file.strategy,
        "uses": [
            {"ruleset": use.ruleset, "opponents": list(use.opponents), "role": use.role}
            for use in file.uses
        ],
        "choosing": file.choosing,
        "deals": file.deals,
        "bytes": file.size,
        "fault": file.fault or None,
    }


def _draw(lines: dict[str, str], files: "list[StrategyFile]", paint: "Paint") -> Iterator[str]:
    width = max(map(len, lines))
    yield paint.style("Strategies", "bold")
    for name, line in lines.items():
        yield f"{name:<{width}}  {line}"
    for origin, heading in HEADINGS.items():
        listed = [file for file in files if file.origin == origin]
        if listed:
            yield ""
            yield paint.style(f"{heading} ({listed[0].path.parent})", "bold")
            yield from _draw_files(listed, paint)


def _draw_files(files: "list[StrategyFile]", paint: "Paint") -> Iterator[str]:
    """Yield a line for each file: how many deals it holds, and what it is for."""
    from cp_cli.render.lines import wrap_text

    named = any(file.strategy != "equilibrium" for file in files)
    for file in files:
        about = "; ".join(map(_describe_use, file.uses)) or f"other rules: {file.path.name}"
        if named:
            about = f"{file.strategy}: {about}"
        if file.fault:
            about = f"{about}; {file.fault}"
        yield from wrap_text(about, paint.width, f"{file.deals:>9,} deals  ", " " * 17)


def _describe_use(use: "Use") -> str:
    low, high = min(use.opponents), max(use.opponents)
    count = f"{low}" if low == high else f"{low}-{high}"
    role = "" if use.role == "player" else f"{use.role}, "
    return f"{use.ruleset} ({role}{count} opponent{'' if high == 1 else 's'})"
