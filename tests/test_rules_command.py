"""`cpoker rules`: what it prints, and what a script can rely on."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.shell_completion import ShellComplete
from click.testing import Result

from cp_cli.cli import cli
from cp_cli.ruleset import Ruleset, digest, load_ruleset, ruleset_names

RunCli = Callable[..., Result]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write a house rule into a working directory of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text("extends: two-four\nsurrender: 3\n")
    return "house.yaml"


def test_list_shows_every_ruleset_within_80_columns(run_cli: RunCli) -> None:
    result = run_cli("rules", "list")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:] if not line.startswith(" ")] == ruleset_names()
    assert max(map(len, lines)) <= 80
    words = " ".join(result.stdout.split())
    assert "one unit a row and one overall for winning at least two rows" in words


def test_list_as_json_and_csv_say_the_same(run_cli: RunCli) -> None:
    records = json.loads(run_cli("rules", "list", "--json").stdout)
    assert [record["name"] for record in records] == ruleset_names()
    cross = next(record for record in records if record["name"] == "criss-cross")
    assert (cross["players"], cross["aliases"]) == ("2", ["cross"])
    rows = list(csv.DictReader(io.StringIO(run_cli("rules", "list", "--format", "csv").stdout)))
    assert [row | {"aliases": row["aliases"].split()} for row in rows] == records


@pytest.mark.parametrize("name", ruleset_names())
def test_show_prints_a_file_that_loads_again(run_cli: RunCli, name: str, house: str) -> None:
    result = run_cli("rules", "show", name)
    assert result.exit_code == 0
    Path("copy.yaml").write_text(result.stdout, encoding="utf-8")
    assert load_ruleset("copy.yaml") == load_ruleset(name)
    assert set(yaml.safe_load(result.stdout)) == set(Ruleset.__struct_fields__)


def test_show_names_source_and_notes(run_cli: RunCli) -> None:
    lines = run_cli("rules", "show", "open-face-2013").stdout.splitlines()
    assert "source: Russian poker blog of early 2013" in lines
    assert "  A31: two boxes and an equal one pay 2, one box pays nothing" in lines
    assert "players: {min: 2, max: 4}" in lines


def test_show_takes_overrides(run_cli: RunCli) -> None:
    result = run_cli("rules", "show", "2-4", "--set", "sweep.units=3", "--set", "rake=1", "--json")
    shown = json.loads(result.stdout)
    assert (shown["id"], shown["sweep"]["units"], shown["rake"]) == ("two-four", 3, 1)
    assert shown["digest"] == digest(load_ruleset("two-four", ["sweep.units=3", "rake=1"]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "two-for"], 'unknown ruleset "two-for"; did you mean "two-four"?'),
        (["show", "nope.yaml"], "nope.yaml: no such file"),
        (["diff", "two-four", "one-sx"], 'unknown ruleset "one-sx"; did you mean "one-six"?'),
        (
            ["show", "two-four", "--set", "surender=3"],
            '--set "surender=3": surender: unknown key "surender"; did you mean "surrender"?',
        ),
    ],
)
def test_an_error_is_one_line_on_stderr(
    run_cli: RunCli, arguments: list[str], message: str
) -> None:
    result = run_cli("rules", *arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {message}\n")


def test_check_says_ok(run_cli: RunCli, house: str) -> None:
    result = run_cli("rules", "check", house)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "house.yaml: ok\n", "")


def test_check_reports_every_file(run_cli: RunCli, house: str) -> None:
    Path("bad.yaml").write_text("ante: 0\nsweep:\n  unitz: 3\n")
    result = run_cli("rules", "check", "bad.yaml", house, "gone.yaml")
    assert (result.exit_code, result.stdout) == (1, "house.yaml: ok\n")
    assert result.stderr.splitlines() == [
        'error: bad.yaml:3: sweep.unitz: unknown key "unitz"; did you mean "units"?',
        "error: gone.yaml: no such file",
    ]


def test_check_without_a_file_is_wrong_usage(run_cli: RunCli) -> None:
    assert run_cli("rules", "check").exit_code == 2


def test_schema_is_json(run_cli: RunCli) -> None:
    schema = json.loads(run_cli("rules", "schema").stdout)
    assert schema["$defs"]["Order"]["properties"]["wheel"]["enum"] == ["low", "second"]


def test_diff_prints_only_what_differs(run_cli: RunCli, house: str) -> None:
    result = run_cli("rules", "diff", "two-four", house)
    assert result.stdout.splitlines() == [
        "key        two-four  house.yaml",
        "surrender  -         3",
    ]
    same = run_cli("rules", "diff", "two-four", "2-4")
    assert (same.exit_code, same.stdout) == (0, "no difference in play or settlement\n")


def test_diff_changes_the_second_ruleset(run_cli: RunCli) -> None:
    change = ["--set", "overall.when=net", "--set", "surrender=2"]
    result = run_cli("rules", "diff", "two-four", "two-four", *change, "--json")
    assert json.loads(result.stdout) == [
        {"key": "overall.when", "a": "majority", "b": "net"},
        {"key": "surrender", "a": None, "b": 2},
    ]
    assert json.loads(run_cli("rules", "diff", "basic", "basic", "--json").stdout) == []


def test_diff_names_royalties_and_the_order_of_naturals(run_cli: RunCli) -> None:
    result = run_cli("rules", "diff", "pagat-standard", "vietnamese", "--format", "csv")
    assert result.stdout.splitlines() == [
        "key,a,b",
        "naturals.list.five_pairs_trips,-,6",
        "naturals.list.one_suit,-,26",
        "royalties.middle.quads,4,8",
        "royalties.middle.royal_flush,5,10",
        "royalties.middle.straight_flush,5,10",
        "naturals.list (order),six_pairs three_straights three_flushes dragon,"
        "three_straights three_flushes six_pairs dragon",
    ]


def test_diff_fits_a_narrow_terminal(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run_cli("rules", "diff", "pagat-standard", "vietnamese").stdout.splitlines()
    assert max(map(len, lines)) <= 60
    assert lines[-1].startswith(" " * 33)


def test_names_are_completed() -> None:
    complete = ShellComplete(cli, {}, "cpoker", "_CPOKER_COMPLETE")
    found = complete.get_completions(["rules", "show"], "one-")
    assert [item.value for item in found] == ["one-four", "one-six"]
    assert [item.type for item in complete.get_completions(["rules", "show"], "./h")] == ["file"]
