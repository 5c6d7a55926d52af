"""The options that commands share."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from cp_cli.cli.options import (
    STRATEGIES,
    StrategyType,
    format_options,
    jobs_option,
    report,
    ruleset_options,
    seed_option,
    strategy_option,
)
from cp_cli.errors import StrategyError
from cp_cli.strategy.named import check_name


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


# --- strategies ----------------------------------------------------------------------------------


@click.command()
@strategy_option("--strategy", "How to play.")
def play(strategy: str) -> None:
    """Print the strategy."""
    click.echo(strategy)


@click.command()
@strategy_option("--strategy", "How to play.", files=True)
def replay(strategy: str) -> None:
    """Print the strategy, which may be a file."""
    click.echo(strategy)


def test_the_same_strategies_are_known_to_the_library() -> None:
    names = [*STRATEGIES, *(f"level-{level}" for level in (0, 9, 10, 99, 100))]
    for name in names:
        check_name(name)
        assert CliRunner().invoke(play, ["--strategy", name]).stdout == f"{name}\n"
    for name in ("level-101", "level-00", "level-", "levels", "Equilibrium", "level-5\n", ""):
        with pytest.raises(StrategyError, match="unknown strategy"):
            check_name(name)
        result = CliRunner().invoke(play, ["--strategy", name])
        assert result.exit_code == 2
        assert "unknown strategy" in result.stderr


def test_unknown_strategies_suggest_the_nearest() -> None:
    result = CliRunner().invoke(play, ["--strategy", "back-fist"])
    assert 'unknown strategy "back-fist"; did you mean "back-first"?; expected' in result.stderr
    assert "level-0 to level-100" in result.stderr
    assert ".csv" not in result.stderr
    assert "(.strategy, .csv)" in CliRunner().invoke(replay, ["--strategy", "back-fist"]).stderr


def test_files_are_strategies_only_where_they_can_be(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    for name in ("none.csv", "none.strategy", "None.CSV"):
        assert CliRunner().invoke(replay, ["--strategy", name]).stdout == f"{name}\n"
        assert CliRunner().invoke(play, ["--strategy", name]).exit_code == 2
    assert CliRunner().invoke(replay, ["--strategy", str(path)]).exit_code == 2
    path.write_text("cards")
    assert CliRunner().invoke(replay, ["--strategy", str(path)]).stdout == f"{path}\n"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("back", ["back-first"]),
        ("level-", ["level-0", "level-25", "level-50", "level-75", "level-100"]),
        ("mine", []),
    ],
)
def test_strategies_are_completed(typed: str, offered: list[str]) -> None:
    context = click.Context(play)
    for files, extra in ((False, []), (True, ["file"])):
        found = StrategyType(files=files).shell_complete(context, play.params[0], typed)
        if offered:
            assert [item.value for item in found] == offered
        else:
            assert [item.type for item in found] == extra
