"""`cpoker rules`: list, show, check and compare rulesets."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cp_cli.cli.options import complete_ruleset, format_options, settings_option
from cp_cli.errors import RulesetError

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

Command = Callable[..., Any]
ABSENT = "-"
GAP = "  "
MIN_COLUMN = 8
NATURAL_KEY = "naturals.list."


def format_examples(title: str, *lines: str) -> str:
    """Write the lines that end a help page, kept as they are."""
    return "\n  ".join([f"\b\n{title}:", *lines])


def ruleset_argument(name: str) -> Callable[[Command], Command]:
    """Add an argument that is a ruleset name or file."""
    return click.argument(name, metavar=name.upper(), shell_complete=complete_ruleset)


@click.group(epilog=format_examples("House rules", "extends: two-four", "surrender: 3"))
def rules() -> None:
    """List, show, check and compare rulesets.

    A house rule needs a file of the keys that differ, and no more. Its name can be given wherever
    a command takes --ruleset.
    """


@rules.command("list", epilog=format_examples("Examples", "cpoker rules list --json"))
@format_options()
def list_rulesets(output_format: str) -> None:
    """List the rulesets that come with cpoker."""
    from cp_cli.ruleset import load_ruleset, ruleset_names

    rows = [summarise_ruleset(load_ruleset(name)) for name in ruleset_names()]
    shown = ("name", "players", "description")  # aliases would leave the table no room
    print_records(rows, output_format, shown if output_format == "table" else tuple(rows[0]))


@rules.command(
    "show",
    epilog=format_examples(
        "Examples",
        "cpoker rules show two-four",
        "cpoker rules show two-four --set sweep.units=3 > house.yaml",
    ),
)
@ruleset_argument("name")
@settings_option("Show it with one value changed; may be repeated.")
@format_options("yaml", "json")
def show_ruleset(name: str, settings: tuple[str, ...], output_format: str) -> None:
    """Print every key of a ruleset, its sources, and how it reads what they leave open.

    NAME is a ruleset or a file. The YAML is a complete ruleset file to start from.
    """
    from cp_cli.ruleset import digest, load_ruleset, to_dict

    ruleset = load_ruleset(name, settings)
    if output_format == "json":
        print_json({**to_dict(ruleset), "digest": digest(ruleset)})
        return
    click.echo(write_yaml(to_dict(ruleset)), nl=False)


@rules.command("check", epilog=format_examples("Examples", "cpoker rules check house.yaml"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.pass_context
def check_files(context: click.Context, files: tuple[str, ...]) -> None:
    """Check ruleset files; the exit code is 1 if one has an error."""
    from cp_cli.ruleset import load_ruleset

    faults = 0
    for file in files:
        try:
            load_ruleset(file)
        except RulesetError as error:
            faults += 1
            click.echo(f"error: {error}", err=True)
        else:
            click.echo(f"{file}: ok")
    if faults:
        context.exit(1)


@rules.command(
    "schema",
    epilog=format_examples(
        "Example, with the last line at the top of house.yaml",
        "cpoker rules schema > ruleset.schema.json",
        "# yaml-language-server: $schema=ruleset.schema.json",
    ),
)
def print_schema() -> None:
    """Print the JSON Schema of ruleset files, for completion and checks in an editor."""
    from cp_cli.ruleset import json_schema

    print_json(json_schema())


@rules.command(
    "diff",
    epilog=format_examples(
        "Examples",
        "cpoker rules diff two-four one-six",
        "cpoker rules diff two-four two-four --set overall.when=net",
    ),
)
@ruleset_argument("a")
@ruleset_argument("b")
@settings_option("Change one value of B before comparing; may be repeated.")
@format_options()
def diff_rulesets(a: str, b: str, settings: tuple[str, ...], output_format: str) -> None:
    """Print the keys in which two rulesets A and B differ."""
    from cp_cli.ruleset import load_ruleset

    rows = compare_rulesets(load_ruleset(a), load_ruleset(b, settings))
    if output_format == "table" and not rows:
        click.echo("no difference in play or settlement")
        return
    print_records(rows, output_format, ("key", "a", "b"), {"a": a, "b": b})


def write_yaml(plain: dict[str, Any]) -> str:
    """Write a complete ruleset file: what is to be read in lines, small mappings in braces."""
    import yaml

    from cp_cli.ruleset.schema import METADATA

    head = {key: plain[key] for key in METADATA if key != "notes"}
    notes = dict(sorted(plain["notes"].items()))
    rest = {key: value for key, value in plain.items() if key not in METADATA}
    # Style None writes small mappings in braces, which would be hard to read for notes.
    parts = ((head, None), ({"notes": notes}, False), (rest, None))
    return "".join(
        yaml.safe_dump(
            part, default_flow_style=style, sort_keys=False, width=78, allow_unicode=True
        )
        for part, style in parts
    )


def summarise_ruleset(ruleset: "Ruleset") -> dict[str, Any]:
    """Return what `rules list` shows of a ruleset."""
    low, high = ruleset.players.min, ruleset.players.max
    return {
        "name": ruleset.id,
        "aliases": list(ruleset.aliases),
        "players": f"{low}" if low == high else f"{low}-{high}",
        "description": ruleset.description,
    }


def compare_rulesets(a: "Ruleset", b: "Ruleset") -> list[dict[str, Any]]:
    """Return key and both values wherever two rulesets differ in play or settlement."""
    first, second = flatten_ruleset(a), flatten_ruleset(b)
    # A key that one side lacks (its section is null) is the same there as nothing paid or set.
    rows = [
        {"key": key, "a": first.get(key), "b": second.get(key)}
        for key in sorted({*first, *second})
        if (first.get(key) or None) != (second.get(key) or None)
    ]
    orders = [
        [entry.name.value for entry in each.naturals.list if f"{NATURAL_KEY}{entry.name}" in other]
        for each, other in ((a, second), (b, first))
        if each.naturals
    ]
    if len(orders) == 2 and orders[0] != orders[1]:
        rows.append({"key": "naturals.list (order)", "a": orders[0], "b": orders[1]})
    return rows


def flatten_ruleset(ruleset: "Ruleset") -> dict[str, Any]:
    """Return the values that matter in play by their key paths; each natural is a key."""
    from cp_cli.ruleset import to_dict
    from cp_cli.ruleset.schema import METADATA

    plain = {key: value for key, value in to_dict(ruleset).items() if key not in METADATA}
    if plain["naturals"]:
        plain["naturals"]["list"] = dict(plain["naturals"]["list"])
    return flatten_keys(plain, "")


def flatten_keys(value: Any, path: str) -> dict[str, Any]:
    """Return the leaves of nested mappings by dotted path."""
    if not isinstance(value, dict):
        return {path: value}
    leaves: dict[str, Any] = {}
    for key, inner in value.items():
        leaves.update(flatten_keys(inner, f"{path}.{key}" if path else key))
    return leaves


def print_json(value: object) -> None:
    """Print one JSON document."""
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_records(
    rows: list[dict[str, Any]],
    output_format: str,
    columns: tuple[str, ...],
    titles: dict[str, str] | None = None,
) -> None:
    """Print records as a table, a JSON list or CSV."""
    if output_format == "json":
        print_json(rows)
    elif output_format == "csv":
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([format_cell(row[column]) for column in columns] for row in rows)
        click.echo(text.getvalue(), nl=False)
    else:
        print_table(rows, columns, titles or {})


def print_table(
    rows: list[dict[str, Any]], columns: tuple[str, ...], titles: dict[str, str]
) -> None:
    """Print records as a table no wider than the terminal; the first column is never wrapped."""
    import shutil
    import textwrap
    from itertools import zip_longest

    header = [titles.get(column, column) for column in columns]
    table = [header, *([format_cell(row[column]) for column in columns] for row in rows)]
    widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
    room = shutil.get_terminal_size().columns - widths[0]
    # Narrow columns take what they need, the wider ones share what is left.
    places = sorted(range(1, len(widths)), key=lambda place: widths[place])
    for left, place in zip(range(len(places), 0, -1), places, strict=True):
        share = room // left - len(GAP)
        widths[place] = min(widths[place], max(share, MIN_COLUMN))
        room -= widths[place] + len(GAP)
    for cells in table:
        wrapped = [textwrap.wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
        wrapped[0] = cells[:1]
        for line in zip_longest(*wrapped, fillvalue=""):
            padded = (text.ljust(width) for text, width in zip(line, widths, strict=True))
            click.echo(GAP.join(padded).rstrip())


def format_cell(value: Any) -> str:
    """Write a value as it stands in a ruleset file, a list with spaces, nothing as a dash."""
    if value is None:
        return ABSENT
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
