"""The options that commands share."""

import json

import click
import pytest
from click.testing import CliRunner, Result

from cp_cli.cli.options import (
    format_options,
    jobs_option,
    report,
    ruleset_options,
    seed_option,
)


@click.command()
@ruleset_options
@format_options()
@seed_option
@jobs_option
def show(**values: object) -> None:
    """Print what the options give."""
    click.echo(json.dumps(values))
    report("done")


@click.command()
@format_options("csv", "json")
def export(output_format: str) -> None:
    """Print the chosen format."""
    click.echo(output_format)


def run(*arguments: str, **environment: str) -> Result:
    """Run the command above."""
    return CliRunner().invoke(show, arguments, env=environment)


def read(*arguments: str, **environment: str) -> dict[str, object]:
    """Run the command above and return the values it got."""
    result = run(*arguments, **environment)
    assert result.exit_code == 0, result.output
    values: dict[str, object] = json.loads(result.stdout)
    return values


def test_defaults() -> None:
    values = read()
    jobs = values.pop("jobs")
    assert isinstance(jobs, int)
    assert jobs >= 1
    assert values == {"ruleset": "two-four", "settings": [], "output_format": "table", "seed": 0}


def test_ruleset_from_the_environment() -> None:
    assert read(CPOKER_RULESET="malay")["ruleset"] == "malay"
    assert read("--ruleset", "basic", CPOKER_RULESET="malay")["ruleset"] == "basic"
    assert read(CPOKER_RULESET="")["ruleset"] == "two-four"


def test_ruleset_names_can_be_completed() -> None:
    parameter = next(each for each in show.params if each.name == "ruleset")
    context = click.Context(show)
    offered = [(item.value, item.type) for item in parameter.shell_complete(context, "two")]
    assert offered == [("two-four", "plain")]
    assert len(parameter.shell_complete(context, "")) > 10
    assert [item.type for item in parameter.shell_complete(context, "./")] == ["file"]


def test_settings_keep_their_order() -> None:
    values = read("--set", "surrender=3", "--set", "order.wheel=second", "--set", "a=b=c")
    assert values["settings"] == ["surrender=3", "order.wheel=second", "a=b=c"]


@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [
        ([], "table"),
        (["--json"], "json"),
        (["--format", "json"], "json"),
        (["--json", "--format", "json"], "json"),
        (["--format", "csv"], "csv"),
        (["--format", "table"], "table"),
    ],
)
def test_formats(arguments: list[str], chosen: str) -> None:
    assert read(*arguments)["output_format"] == chosen


def test_a_command_may_have_other_formats() -> None:
    assert CliRunner().invoke(export, []).stdout == "csv\n"
    assert CliRunner().invoke(export, ["--json"]).stdout == "json\n"
    assert CliRunner().invoke(export, ["--format", "table"]).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--json", "--format", "csv"], "--json contradicts --format csv"),
        (["--format", "xml"], "'xml' is not one of 'table', 'json', 'csv'"),
        (["--set", "surrender"], '"surrender"; expected KEY.PATH=VALUE'),
        (["--set", "=3"], '"=3"; expected KEY.PATH=VALUE'),
        (["--seed", "-1"], "-1 is not in the range x>=0"),
        (["--seed", "x"], "'x' is not a valid integer"),
        (["--jobs", "0"], "0 is not in the range x>=1"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_messages_go_to_stderr() -> None:
    assert run().stderr == "done\n"


def test_help_tells_the_defaults() -> None:
    text = " ".join(run("--help").stdout.split())
    assert "env var: CPOKER_RULESET" in text
    for default in ("two-four]", "table]", "(all cores);", "0;"):
        assert f"default: {default}" in text
