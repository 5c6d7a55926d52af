"""`cpoker score`: many deals one after the other."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.score_deals import (
    LINE,
    MONEY,
    NORTH,
    ROOT,
    RunCli,
    build_players,
    find_result,
    list_hands,
    list_pairs,
    list_units,
    read_lines,
    write_file,
    write_line,
    write_yaml,
)

TOTALS = [f"{units:+}" for units in find_result("V06", "one-six")["totals"].values()]


def test_deals_one_after_the_other(score: RunCli) -> None:
    one_six = find_result("V06", "one-six")["totals"]
    result = score("-", "--ruleset", "one-six", "--json", "--ledger", stdin=f"{LINE}\n" * 3)
    *deals, last = read_lines(result)
    assert [deal["deal"] for deal in deals] == [1, 2, 3]
    for number, deal in enumerate(deals, start=1):
        assert list_units(deal) == one_six
        assert deal["balances"] == {name: number * units for name, units in one_six.items()}
    assert last["ledger"]["deals"] == 3
    assert list_units(last["ledger"]) == deals[-1]["balances"]
    assert len(read_lines(score("-", "--json", stdin=f"{LINE}\n" * 3))) == 3


def test_tables_of_many_deals(score: RunCli, tmp_path: Path) -> None:
    deals = [{"players": build_players(NORTH), "id": name} for name in ("first", "second")]
    source = write_file(tmp_path, json.dumps({"deals": deals}), "d.json")
    lines = score(source, "--ruleset", "one-six").stdout.splitlines()
    assert [line.split() for line in lines[:5]] == [
        list("NESW"),
        ["first", *TOTALS],
        ["second", *TOTALS],
        [],
        ["after", "2", "deals"],
    ]
    explained = score(source, "--ruleset", "one-six", "--explain").stdout
    assert explained.count("settled by one-six") == 2
    assert "deal 2, second\n" in explained
    assert "after 2 deals" in explained


def test_csv_of_many_deals(score: RunCli) -> None:
    result = score("-", "--format", "csv", stdin=f"{write_line(list_hands('V03'))}\n" * 3)
    records = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [record["deal"] for record in records] == [n for n in "123" for _ in range(8)]
    assert sum(int(each["units"]) for each in records if each["player"] == "Amy") == 3 * 2


def test_a_thousand_deals_with_three_bad_ones(score: RunCli, tmp_path: Path) -> None:
    good = write_yaml(NORTH)
    bad = {
        17: good.replace("Ts Th Ks", "Ts Th Kh", 1),
        500: good.replace("front", "frnt", 1),
        1000: good.replace("Qc 9c 2c", "Qc 9c", 1),
    }
    deals = [bad.get(number, good) for number in range(1, 1001)]
    content = "".join("-" + deal.replace("\n", "\n  ").rstrip(" ").replace("p", " p", 1)
                      for deal in deals)  # fmt: skip
    source = write_file(tmp_path, content)
    result = score(source, "--ruleset", "one-six", "--json", "--ledger")
    *settled, last = read_lines(result, code=1)
    lines = len(good.splitlines())
    starts = {number: (number - 1) * lines + 1 for number in bad}
    assert result.stderr.splitlines() == [
        f"error: deal 17 ({source}:{starts[17]}): card used more than once: Kh (N, S)",
        f'error: deal 500 ({source}:{starts[500] + 1}): players[0]: missing key "front", 3 cards; '
        f'line {starts[500] + 2}: players[0]: unknown key "frnt"; did you mean "front"?',
        f"error: deal 1000 ({source}:{starts[1000] + 14}): players[3].front: 2 cards, expected 3",
        "3 of 1000 deals not settled",
    ]
    assert [deal["deal"] for deal in settled] == [n for n in range(1, 1001) if n not in bad]
    one_six = find_result("V06", "one-six")["totals"]
    assert list_units(last["ledger"]) == {name: 997 * units for name, units in one_six.items()}


@pytest.mark.parametrize("output_format", ["table", "json"])
def test_strict_shows_what_is_settled_so_far(score: RunCli, output_format: str) -> None:
    lines = f"{LINE}\n" * 99 + f"Amy: As\n{LINE}\n"
    arguments = ["--strict", "--ledger", "--ruleset", "one-six", "--format", output_format]
    result = score("-", *arguments, stdin=lines)
    assert result.exit_code == 1
    assert result.stderr == "error: deal 100 (stdin:100): Amy: cards: 1 card, expected 13\n"
    if output_format == "table":
        assert "\nafter 99 deals\n" in result.stdout
    else:
        *deals, last = read_lines(result, code=1)
        assert [deal["deal"] for deal in deals] == list(range(1, 100))
        assert last["ledger"]["deals"] == 99
        units = find_result("V06", "one-six")["totals"]
        assert list_units(last["ledger"]) == {name: 99 * n for name, n in units.items()}


def test_strict_stops_at_the_first(score: RunCli) -> None:
    result = score("-", "--strict", "--json", stdin=f"{LINE}\nAmy: As\n{LINE}\n")
    assert len(read_lines(result, code=1)) == 1
    assert result.stderr == "error: deal 2 (stdin:2): Amy: cards: 1 card, expected 13\n"
    result = score("-", "--strict", stdin=f"Amy: As\n{LINE}\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: deal 1 (stdin:1): Amy: cards: 1 card, expected 13\n"


def test_shares_of_a_pot_are_numbers(score: RunCli) -> None:
    """Each row is worth 3: A and B share the front, A has the middle, C the back."""
    hands = {
        "A": "As Kd Qh / Th Td 9h 8h 7s / 2c 2d 2h 3c 3d",
        "B": "Ac Ks Qd / 9d 9c 8d 7d 5s / 4c 4d 4h 6c 6d",
        "C": "Jc 9s 6s / 5c 5d Ts 8s 7c / Jd Jh Js Qc Qs",
    }
    line = write_line(hands)
    deals = read_lines(score("-", "--ruleset", "ante", "--json", stdin=f"{line}\n{line}\n"))
    assert [deal["balances"] for deal in deals] == [
        {"A": 1.5, "B": -1.5, "C": 0},
        {"A": 3, "B": -3, "C": 0},
    ]


def test_fantasyland_goes_from_deal_to_deal(score: RunCli, tmp_path: Path) -> None:
    """Queens in front enter; then a full house in the middle stays, as long as one is there."""
    other = "2d 3d 5c / 4d 4h 8c 9d Th / 6c 6d Ts Td Jc"
    enters = "Qs Qd 4c / As Ad 9c 7h 3s / Kh Jh 8h 6h 2h"
    stays = "Ac 4c 2c / 8s 8h 8d 7s 7h / 9s 9h 9c 5h 5d"
    told: list[Any] = [stays, enters, stays, {"arrangement": stays, "fantasyland": False}, stays]
    deals = [{"players": {"S": hand, "N": other}} for hand in told]
    source = write_file(tmp_path, json.dumps(deals), "d.json")
    found = read_lines(score(source, "--ruleset", "open-face", "--json"))
    assert [each["players"][0]["fantasyland"] for each in found] == [
        None,
        {"cards": 13, "stays": False},
        {"cards": 13, "stays": True},
        None,
        None,
    ]


def test_deals_by_different_rules(score: RunCli, tmp_path: Path) -> None:
    deal = {"players": build_players(NORTH)}
    deals = [
        deal,
        {**deal, "ruleset": "one-six"},
        {**deal, "ruleset": "one-sxi"},
        {**deal, "set": ["rows.win=0.5"]},
        {**deal, "set": ["surrender=2"], "dealer": "Zoe"},
    ]
    content = json.dumps({"deals": deals, "ruleset": "basic"}, indent=0)
    source = write_file(tmp_path, content, "d.json")
    lines = content.splitlines()
    result = score(source, "--json")
    first, second = read_lines(result, code=1)
    assert (first["ruleset"], second["ruleset"]) == ("basic", "one-six")
    wrong, half, zoe, _ = result.stderr.splitlines()
    places = [
        lines.index('"ruleset": "one-sxi"') + 1,
        lines.index('"rows.win=0.5"'),
        lines.index('"dealer": "Zoe"') + 1,
    ]
    assert wrong == (
        f'error: deal 3 ({source}:{places[0]}): ruleset: unknown ruleset "one-sxi"; did you mean '
        '"one-six"?'
    )
    assert half.startswith(f'error: deal 4 ({source}:{places[1]}): set "rows.win=0.5": rows.win: ')
    assert zoe == (
        f'error: deal 5 ({source}:{places[2]}): dealer: "Zoe" is not seated; expected one of N, E, '
        "S, W"
    )
    both = read_lines(score(source, "--ruleset", "taiwanese", "--json"), code=1)
    assert {deal["ruleset"] for deal in both} == {"taiwanese"}


def test_chips_go_from_deal_to_deal(score: RunCli, tmp_path: Path) -> None:
    """M11: with a rake of 1 and 100 chips; then once more with what is left."""
    entry = MONEY["M11"]
    arguments = ["--ruleset", entry["ruleset"], "--set", "rake=1", "--json"]
    chips = [f"--chips={name}=100" for name in NORTH]
    first, second = read_lines(score("-", *arguments, *chips, stdin=f"{LINE}\n{LINE}\n"))
    after = {player["name"]: player["chips"] for player in first["players"]}
    assert after == entry["final"]
    again = {player["name"]: player["chips"] for player in second["players"]}
    assert again == {name: 2 * n - 100 for name, n in entry["final"].items()}
    assert second["players"][0]["chips_before"] == entry["final"]["N"]
    # In a file the chips at the top are those at the start; a deal may bring new ones.
    deal = {"players": build_players(NORTH)}
    deals = {"deals": [deal, {**deal, "chips": {"N": 50}}], "chips": dict.fromkeys(NORTH, 100)}
    source = write_file(tmp_path, json.dumps(deals), "d.json")
    first, second = read_lines(score(source, *arguments))
    assert {player["name"]: player["chips"] for player in first["players"]} == entry["final"]
    before = [player["chips_before"] for player in second["players"]]
    assert before == [50, *(entry["final"][name] for name in "ESW")]


def test_the_pot_goes_from_deal_to_deal(score: RunCli) -> None:
    """V35: nobody beats all the others, then A does, and takes both pots."""
    second = find_result("V35", "sole-winner (R07), 1 each")
    lines = f"{write_line(list_hands('V35'))}\n{write_line(list_hands('V21'))}\n"
    first, last = read_lines(score("-", "--ruleset", "sole-winner", "--json", stdin=lines))
    assert list_units(first) == second["totals"]
    carried = find_result("V35", "sole-winner, this deal then the sweep deal (V with A sweeping)")
    assert list_units(last) == carried["totals"]
    assert last["winner"] == "A"


def test_points_go_from_deal_to_deal(score: RunCli, tmp_path: Path) -> None:
    """M09: V06 gives South two points and East one."""
    points = next(case["points"] for case in MONEY["M09"]["cases"] if case["deal"] == "V06")
    arguments = ["--ruleset", "first-to-11", "--json"]
    deals = read_lines(score("-", *arguments, stdin=f"{LINE}\n" * 6))
    scores = [{each["name"]: each["score"] for each in deal["players"]} for deal in deals]
    for number, found in enumerate(scores, start=1):
        assert found == {name: number * points.get(name, 0) for name in NORTH}
    assert [deal["winner"] for deal in deals] == [None] * 5 + ["S"]  # 12 points
    deal = {"players": build_players(NORTH)}
    content = json.dumps({"deals": [deal, deal], "scores": {"E": 10}})
    first, second = read_lines(score(write_file(tmp_path, content, "d.json"), *arguments))
    assert first["winner"] == "E"
    assert {each["name"]: each["score"] for each in second["players"]} == {
        name: points.get(name, 0) for name in NORTH
    }


def test_terms_for_players_who_are_not_always_there(score: RunCli) -> None:
    some = write_line({name: hand for name, hand in NORTH.items() if name != "W"})
    arguments = ["--chips", "W=100", "--stake", "N-W=2", "--ruleset", "basic", "--json"]
    first, second = read_lines(score("-", *arguments, stdin=f"{some}\n{LINE}\n"))
    assert len(first["players"]) == 3
    assert second["players"][3]["chips_before"] == 100
    assert list_pairs(second)["N-W"] == 2 * find_result("V06", "basic")["pairs"]["N-W"]
    result = score("-", *arguments, stdin=f"{some}\n{some}\n")
    assert len(read_lines(result, code=1)) == 2
    assert result.stderr.splitlines() == [
        'error: --chips: "W" is not seated in any deal',
        "error: --stake N-W=2: no deal seats this pair",
    ]


# --- the process ---------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "cp_cli", "score"]


@pytest.mark.parametrize("output_format", ["table", "json"])
def test_ctrl_c_keeps_what_is_settled(output_format: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "-", "--ruleset", "one-six", "--ledger", "--format", output_format],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(f"{LINE}\n" * 2)
        process.stdin.flush()
        header = output_format == "table"
        lines = [process.stdout.readline() for _ in range(2 + header)]
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.stderr.read() == ""
    assert process.returncode == 130
    if output_format == "table":
        assert lines[2].split() == ["deal", "2", *TOTALS]
        assert "after 2 deals" in rest
    else:
        assert json.loads(rest)["ledger"]["deals"] == 2


def test_deals_that_are_typed_are_answered_at_once() -> None:
    """A pipe may hold only one deal, which is then told in full; a terminal need not."""
    leader, follower = os.openpty()
    with subprocess.Popen(
        [*COMMAND, "-", "--ruleset", "one-six"],
        stdin=follower,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        os.close(follower)
        assert process.stdout
        os.write(leader, f"{LINE}\n".encode())
        lines = [process.stdout.readline() for _ in range(2)]
        assert [line.split() for line in lines] == [list("NESW"), ["deal", "1", *TOTALS]]
        os.write(leader, b"\x04")
        assert "after 1 deal" in process.stdout.read()
    os.close(leader)
    assert process.returncode == 0
