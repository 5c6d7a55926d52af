"""`cpoker score`: one deal, from arguments or a file."""

import csv
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.score_deals import (
    AMY,
    BOB,
    LINE,
    MONEY,
    NORTH,
    ROOT,
    VECTORS,
    RunCli,
    find_result,
    list_arguments,
    list_hands,
    list_pairs,
    list_units,
    read_json,
    write_file,
    write_forms,
    write_line,
    write_yaml,
)

DRAGON = " ".join(next(e["cards"] for e in VECTORS["naturals"] if e["id"] == "N01"))


# --- one deal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vector", "ruleset"),
    [
        *(("V03", name) for name in ("two-four", "one-six", "one-four", "basic")),
        *(("V06", name) for name in ("basic", "pagat-standard", "pagat-extras", "two-four")),
        *(("V06", name) for name in ("one-six", "hawaiian-gardens", "taiwanese")),
    ],
)
def test_worked_examples(score: RunCli, vector: str, ruleset: str) -> None:
    document = read_json(score(*list_arguments(vector), "--ruleset", ruleset, "--json"))
    expected = find_result(vector, ruleset)
    assert list_pairs(document) == expected["pairs"]
    assert list_units(document) == expected["totals"]
    assert document["ruleset"] == ruleset


DOCUMENT_KEYS = {
    *("ruleset", "players", "pairs", "transfers", "banker", "house", "pot", "winner"),
    *("jackpot", "notes"),
}
PLAYER_KEYS = {
    *("name", "units", "foul", "natural", "surrendered", "front", "middle", "back", "names"),
    *("royalties", "fantasyland", "chips", "chips_before", "items"),
}


def test_json_has_the_keys_of_the_interface(score: RunCli) -> None:
    document = read_json(score(AMY, BOB, "--json"))
    assert set(document) == DOCUMENT_KEYS
    amy = document["players"][0]
    assert set(amy) == PLAYER_KEYS
    assert amy["front"] == ["Qs", "Qd", "4c"]
    assert (amy["foul"], amy["natural"], amy["surrendered"], amy["chips"]) == (
        *(None, None, False, None),
    )
    # By hand: Amy wins front and back, Bob the middle; most rows are worth one more.
    assert document["pairs"] == [
        {
            "a": "Amy",
            "b": "Bob",
            "units": 2,
            "items": [
                {"reason": "row", "row": "front", "units": 1},
                {"reason": "row", "row": "middle", "units": -1},
                {"reason": "row", "row": "back", "units": 1},
                {"reason": "overall", "row": None, "units": 1},
            ],
        }
    ]
    assert document["transfers"] == [{"from": "Bob", "to": "Amy", "units": 2}]


def test_tables_say_who_pays(score: RunCli) -> None:
    result = score(AMY, BOB)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Bob pays Amy 2" in result.stdout
    assert "settled by two-four" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    explained = score(AMY, BOB, "--explain").stdout
    assert "pair of queens beats pair of jacks" in explained
    assert "pair of queens beats pair of jacks" not in result.stdout


def test_csv_has_every_item_for_both_players(score: RunCli) -> None:
    result = score(AMY, BOB, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(result.stdout)))
    assert list(records[0]) == ["deal", "player", "opponent", "reason", "row", "units"]
    sums = {
        name: sum(int(record["units"]) for record in records if record["player"] == name)
        for name in ("Amy", "Bob")
    }
    assert sums == find_result("V03", "two-four")["totals"]
    assert len(records) == 8


def test_money(score: RunCli) -> None:
    result = score(AMY, BOB, "--unit", "0.25", "--currency", "EUR")
    assert "0.50 EUR" in result.stdout
    document = read_json(score(AMY, BOB, "--unit", ".25", "--currency", "EUR", "--json"))
    assert (document["unit"], document["currency"]) == (0.25, "EUR")
    assert document["transfers"][0]["money"] == 0.5


def test_unnamed_players_and_one_argument(score: RunCli) -> None:
    hands = list(list_hands("V03").values())
    assert list_units(read_json(score(*hands, "--json"))) == {"P1": 2, "P2": -2}
    named = [hands[0], f"P1: {hands[1]}", "--json"]
    assert list_units(read_json(score(*named))) == {"P2": 2, "P1": -2}
    line = write_line(list_hands("V03"))
    assert list_units(read_json(score(line, "--json"))) == {"Amy": 2, "Bob": -2}


def test_chips_as_in_the_source(score: RunCli) -> None:
    """The table of the seeds, M01, where chips cover only some of the losses; M02: C deals."""
    for vector in ("M01", "M02"):
        entry = MONEY[vector]
        chips = [f"--chips={name}={n}" for name, n in entry["chips"].items()]
        document = read_json(
            score(
                *list_arguments("M01"), *chips, "--dealer", entry["dealer"], "--json",
                "--ruleset", entry["ruleset"],
            )
        )  # fmt: skip
        assert {player["name"]: player["chips"] for player in document["players"]} == entry["final"]
        before = {player["name"]: player["chips_before"] for player in document["players"]}
        assert before == entry["chips"]


def test_stakes(score: RunCli) -> None:
    basic = find_result("V06", "basic")["pairs"]
    arguments = [*list_arguments("V06"), "--ruleset", "basic", "--json"]
    stakes = ["--stake", "W-N=5", "--stake", "N-S=2"]
    pairs = list_pairs(read_json(score(*arguments, *stakes)))
    assert pairs == {**basic, "N-W": 5 * basic["N-W"], "N-S": 2 * basic["N-S"]}


def test_stakes_of_names_with_hyphens(score: RunCli) -> None:
    hands = list(list_hands("V03").values())
    named = [f"Anna-Lena: {hands[0]}", f"Bob-Jo: {hands[1]}", "--stake", "Anna-Lena-Bob-Jo=5"]
    document = read_json(score(*named, "--json"))
    assert list_units(document) == {"Anna-Lena": 10, "Bob-Jo": -10}


def test_a_banker_makes_a_bank(score: RunCli) -> None:
    """V30: A and B tie in front; the bank wins it."""
    for banker in ("A", "B"):
        document = read_json(
            score(*list_arguments("V30"), "--ruleset", "basic", "--banker", banker, "--json")
        )
        expected = find_result("V30", f"basic, {banker} is bank")
        assert list_pairs(document) == expected["pairs"]
        assert document["banker"] == banker


def test_criss_cross(score: RunCli) -> None:
    entry = MONEY["M06"]
    owner = {hand: player for player, hands in entry["hands_of"].items() for hand in hands}
    arguments = [f"{owner[name]}: {hand}" for name, hand in NORTH.items()]
    document = read_json(score(*arguments, "--set", "mode=criss_cross",
                               "--ruleset", "one-six", "--json"))  # fmt: skip
    assert list_units(document) == {
        "X": entry["result"]["one-six"],
        "Y": -entry["result"]["one-six"],
    }
    names = [hand["name"] for player in document["players"] for hand in player["hands"]]
    assert names == ["X 1", "X 2", "Y 1", "Y 2"]


def test_surrender(score: RunCli) -> None:
    hands = [f"{name}: {hand}" for name, hand in NORTH.items() if name != "W"]
    document = read_json(
        score(*hands, "W: surrender", "--ruleset", "basic", "--set", "surrender=1", "--json")
    )
    expected = find_result("V29", "basic + surrender 1, W surrenders")
    assert list_units(document) == expected["totals"]
    assert document["players"][3]["surrendered"] is True


@pytest.mark.parametrize("claim", ["natural", "natural=dragon"])
def test_a_natural_needs_no_rows(score: RunCli, claim: str) -> None:
    """A dragon is worth 13 at pagat's table (N01)."""
    cards = set(DRAGON.split())
    other = "Ah Ac Kc / Qs Qh 9d 9s 8h / Jh Jd Js 6h 6d"
    assert not cards & set(other.split())
    document = read_json(
        score(f"Amy: {claim} {DRAGON}", f"Bob: {other}", "--ruleset", "pagat-standard", "--json")
    )
    assert list_units(document) == {"Amy": 13, "Bob": -13}
    assert document["players"][0]["natural"] == "dragon"


def test_announced_royalties(score: RunCli) -> None:
    """V01 under R19: only the announced row is paid for."""
    arguments = [*list_arguments("V01"), "--ruleset", "wikipedia-one-six", "--json"]
    rules = ["--set", "royalties.declare=required"]
    every = read_json(score(*arguments))
    assert list_pairs(every) == find_result("V01", "one-six + R19 royalties")["pairs"]
    silent = read_json(score(*arguments, *rules))
    assert list_pairs(silent) == find_result("V01", "one-six")["pairs"]
    arguments[0] += " royalties=front"
    # By hand: the row units of one-six, -1, and 3 for trips in front.
    assert list_pairs(read_json(score(*arguments, *rules))) == {"A-B": 2}


def test_fantasyland(score: RunCli) -> None:
    """F08: the full house in the middle of South keeps him there."""
    hands = [f"{name}: {hand}" for name, hand in NORTH.items() if name in "NS"]
    hands[1] += " fantasyland"
    document = read_json(score(*hands, "--ruleset", "open-face", "--json"))
    assert document["players"][1]["fantasyland"] == {"cards": 13, "stays": True}


def test_help_says_what_ledger_adds(score: RunCli) -> None:
    words = " ".join(score("--help").stdout.split())
    assert "Add the balances to one deal, or to JSON; a table of many deals always ends" in words


def test_ledger_of_one_deal(score: RunCli) -> None:
    assert "after 1 deal" in score(AMY, BOB, "--ledger").stdout
    assert "after 1 deal" not in score(AMY, BOB).stdout
    document = read_json(score(AMY, BOB, "--ledger", "--json"))
    assert set(document) == {*DOCUMENT_KEYS, "ledger"}
    assert document["ledger"]["deals"] == 1


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", write_forms(NORTH))
def test_every_form_settles_alike(score: RunCli, tmp_path: Path, form: str) -> None:
    ending, content = write_forms(NORTH)[form]
    source = write_file(tmp_path, content, f"d.{ending}" if ending else "d")
    document = read_json(score(source, "--ruleset", "one-six", "--json"))
    many = {"deal", "balances"} if "deals" in form or "line" in form else set()
    assert set(document) - DOCUMENT_KEYS == many
    expected = find_result("V06", "one-six")
    assert list_pairs(document) == expected["pairs"]
    assert document.get("balances", expected["totals"]) == expected["totals"]
    # In a table a deal is told in full, however the file is made.
    assert score(source, "--ruleset", "one-six").stdout == score(
        *list_arguments("V06"), "--ruleset", "one-six"
    ).stdout  # fmt: skip


def test_stdin(score: RunCli) -> None:
    for ending, content in (write_forms(NORTH)[form] for form in ("yaml", "json", "lines")):
        if ending == "json":
            content = json.dumps(json.loads(content), indent=1)
        result = score("-", "--ruleset", "basic", "--json", stdin=content)
        assert list_units(read_json(result)) == find_result("V06", "basic")["totals"]


def test_terms_in_a_file(score: RunCli, tmp_path: Path) -> None:
    entry = MONEY["M01"]
    terms = f"ruleset: {entry['ruleset']}\ndealer: {entry['dealer']}\n"
    terms += f"chips: {json.dumps(entry['chips'])}\nid: Friday\n"
    source = write_file(tmp_path, write_yaml(list_hands("M01")) + terms)
    document = read_json(score(source, "--json"))
    assert {player["name"]: player["chips"] for player in document["players"]} == entry["final"]
    assert document["id"] == "Friday"
    # Options go before the file: M02 is the same deal with another dealer.
    other = read_json(score(source, "--dealer", MONEY["M02"]["dealer"], "--json"))
    final = {player["name"]: player["chips"] for player in other["players"]}
    assert final == MONEY["M02"]["final"]


def test_which_ruleset_counts(
    score: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = write_file(tmp_path, write_yaml(NORTH), "plain.yaml")
    named = write_file(tmp_path, write_yaml(NORTH) + "ruleset: basic\n", "named.yaml")

    def find_ruleset(*arguments: str) -> str:
        return str(read_json(score(*arguments, "--json"))["ruleset"])

    assert find_ruleset(plain) == "two-four"
    assert find_ruleset(named) == "basic"
    monkeypatch.setenv("CPOKER_RULESET", "one-six")
    assert find_ruleset(plain) == "one-six"
    assert find_ruleset(named) == "basic"
    assert find_ruleset(named, "--ruleset", "taiwanese") == "taiwanese"
    assert find_ruleset(named, "--ruleset", "two-four") == "two-four"


def test_a_ruleset_beside_the_file(score: RunCli, tmp_path: Path) -> None:
    (tmp_path / "home.yaml").write_text("id: home\nextends: basic\nrows: {win: 5}\n")
    content = write_yaml(NORTH) + "ruleset: home.yaml\nset: [rows.win=7]\n"
    source = write_file(tmp_path, content)
    basic = find_result("V06", "basic")["totals"]
    document = read_json(score(source, "--json"))
    assert document["ruleset"] == "home"
    assert list_units(document) == {name: 7 * units for name, units in basic.items()}
    changed = read_json(score(source, "--set", "rows.win=2", "--json"))
    assert list_units(changed) == {name: 2 * units for name, units in basic.items()}


# --- the process ---------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "cp_cli", "score"]


def test_score_loads_no_numba() -> None:
    code = (
        "import sys\nfrom cp_cli.cli import main\ntry:\n    main()\nfinally:\n"
        "    print([n for n in ('numba', 'msgspec') if n in sys.modules], file=sys.stderr)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, "score", AMY, BOB, "--explain", "--ledger"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert ended.stderr == "['msgspec']\n"  # which shows that the list is looked at
    assert "Bob pays Amy 2" in ended.stdout


def test_hands_as_arguments_need_no_reader_of_files(tmp_path: Path) -> None:
    assert list_parts(AMY, BOB) == ["answers", "hands", "tables"]
    parts = list_parts(write_file(tmp_path, LINE, "d.txt"))
    assert set(parts) > {"files", "nodes", "players", "values"}


def list_parts(*arguments: str) -> list[str]:
    """Return the parts of the command that a run loads."""
    code = (
        "import sys\nfrom cp_cli.cli import main\ntry:\n    main()\nfinally:\n"
        "    print(*sorted(n for n in sys.modules if 'score_' in n), file=sys.stderr)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, "score", *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return [name.partition("score_")[2] for name in ended.stderr.split()]


def test_a_closed_stdin() -> None:
    line = f"exec {shlex.join([*COMMAND, '-'])} <&-"
    ended = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "error: stdin: closed; expected deals\n"


def test_help_shows_examples(score: RunCli) -> None:
    result = score("--help")
    assert result.exit_code == 0
    assert "cpoker score friday.yaml --unit 0.25 --currency EUR --ledger" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_examples_of_the_help_work(score: RunCli) -> None:
    text = score("--help").stdout.replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("cpoker score")]
    assert len(lines) == 3
    for line in lines[:2]:
        result = score(*shlex.split(line)[2:])
        assert (result.exit_code, result.stderr) == (0, ""), line


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("fri", ["file,fri"]), ("--ruleset taiw", ["plain,taiwanese"]), ("--un", ["plain,--unit"])],
)
def test_shell_completion(typed: str, offered: list[str]) -> None:
    words = f"cpoker score {typed}"
    environment = {
        "_CPOKER_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    ended = subprocess.run(
        [sys.executable, "-m", "cp_cli"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert ended.stdout.split() == offered
