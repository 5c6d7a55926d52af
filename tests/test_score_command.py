"""`cpoker score`: what it settles and prints, and how it fails."""

import csv
import io
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.score_deals import (
    MONEY,
    VECTORS,
    build_players,
    find_result,
    list_arguments,
    list_hands,
    write_forms,
    write_line,
    write_yaml,
)

RunCli = Callable[..., Result]
ROOT = Path(__file__).parents[1]
AMY, BOB = list_arguments("V03")
NORTH = list_hands("V06")  # and East, South, West
LINE = write_line(NORTH)
DRAGON = " ".join(next(e["cards"] for e in VECTORS["naturals"] if e["id"] == "N01"))


@pytest.fixture
def score(run_cli: RunCli) -> RunCli:
    """Run `cpoker score`."""

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return run_cli("score", *arguments, stdin=stdin)

    return run


def read_json(result: Result) -> dict[str, Any]:
    """Return the document that a command printed."""
    assert (result.exit_code, result.stderr) == (0, "")
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def list_units(document: dict[str, Any]) -> dict[str, Any]:
    return {player["name"]: player["units"] for player in document["players"]}


def list_pairs(document: dict[str, Any]) -> dict[str, int]:
    return {f"{pair['a']}-{pair['b']}": pair["units"] for pair in document["pairs"]}


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


def test_ledger_of_one_deal(score: RunCli) -> None:
    assert "after 1 deal" in score(AMY, BOB, "--ledger").stdout
    assert "after 1 deal" not in score(AMY, BOB).stdout
    document = read_json(score(AMY, BOB, "--ledger", "--json"))
    assert set(document) == {*DOCUMENT_KEYS, "ledger"}
    assert document["ledger"]["deals"] == 1


# --- files ---------------------------------------------------------------------------------------


def write_file(folder: Path, content: str | bytes, name: str = "d.yaml") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


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


# --- many deals ----------------------------------------------------------------------------------


def read_lines(result: Result, code: int = 0) -> list[dict[str, Any]]:
    assert result.exit_code == code, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


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
    totals = ", ".join(f"{n} {u:+}" for n, u in find_result("V06", "one-six")["totals"].items())
    assert lines[:4] == [f"first  {totals}", f"second  {totals}", "", "after 2 deals"]
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


def test_strict_stops_at_the_first(score: RunCli) -> None:
    result = score("-", "--strict", "--json", stdin=f"{LINE}\nAmy: As\n{LINE}\n")
    assert len(read_lines(result, code=1)) == 1
    assert result.stderr == "error: deal 2 (stdin:2): Amy: cards: 1 card, expected 13\n"


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


# --- bad input -----------------------------------------------------------------------------------

TWICE = "Bob: Qs Jd 5c / Kc Kd 6s 6d As / Td 9d 8s 7c 6c"
FIVE = [AMY, BOB, *(f"{name}: surrender" for name in ("Cat", "Dan", "Eve"))]
BAD_ARGUMENTS: dict[str, tuple[Sequence[str], int, str]] = {
    "no hands": ((), 2, "no HAND and no FILE; expected 2 to 4 hands, a file, or - for stdin"),
    "one hand": ((AMY,), 1, "players: 1 player (Amy); ruleset two-four expects 2 to 4"),
    "five": (
        FIVE,
        1,
        "players: 5 players (Amy, Bob, Cat, Dan, Eve); ruleset two-four expects 2 to 4",
    ),
    "cards twice": ((AMY, TWICE), 1, "cards used more than once: Qs (Amy, Bob), As (Amy, Bob)"),
    "rows": (
        (AMY, "Bob: Js Jd / Kc Kd 6s 6d 2c 5c / Td 9d 8s 7c 6c"),
        1,
        "Bob: front: 2 cards, expected 3; middle: 6 cards, expected 5",
    ),
    "no rows": (
        (AMY, BOB.replace("/", "")),
        1,
        "Bob: thirteen cards without rows; expected front / middle / back, a natural or surrender",
    ),
    "several": (
        ("Amy: As", BOB, "Cat: Xs"),
        1,
        'Amy: cards: 1 card, expected 13; Cat: cards: unknown rank "X" in "Xs" at column 6; '
        "expected a rank 2-9 T J Q K A or 10",
    ),
    "a name twice": (
        (AMY, "Amy: surrender"),
        1,
        "hands, but that is played in mode criss_cross only",
    ),
    "surrender": (
        (AMY, "Bob: surrender"),
        1,
        "Bob: surrenders, but ruleset two-four has no surrender; --set surrender=N allows it",
    ),
    "announced": (
        (AMY, f"{BOB} royalties=front"),
        1,
        "Bob: announces royalties, but ruleset two-four has no royalties",
    ),
    "announced needlessly": (
        (f"{AMY} royalties=back", f"{BOB} royalties=front", "--ruleset", "taiwanese"),
        1,
        "Amy, Bob: announce royalties, but ruleset taiwanese pays them unannounced; --set "
        "royalties.declare=required changes that",
    ),
    "dealers": (
        (AMY, BOB, "--dealer", "Amy", "--dealer", "Bob"),
        2,
        "'--dealer': given 2 times: Amy, Bob; expected one",
    ),
    "bankers": (
        (AMY, BOB, "--banker", "Amy", "--banker", "Bob"),
        2,
        "'--banker': given 2 times: Amy, Bob; expected one",
    ),
    "dealer": (
        (AMY, BOB, "--dealer", "Zoe"),
        1,
        '--dealer: "Zoe" is not seated; expected one of Amy, Bob',
    ),
    "banker": (
        (AMY, BOB, "--banker", "BOB"),
        1,
        '--banker: "BOB" is not seated; did you mean "Bob"?',
    ),
    "no bank": (
        (AMY, BOB, "--banker", "Amy", "--ruleset", "sole-winner"),
        1,
        'banker: "Amy", but there is no bank in mode sole_winner',
    ),
    "a name with a colon": (
        (AMY, BOB, "--dealer", "A:my"),
        2,
        "'--dealer': name \"A:my\"; expected 1 to 40 printable characters and no colon",
    ),
    "chips in words": (
        (AMY, BOB, "--chips", "Amy=ten"),
        2,
        "'--chips': Amy: \"ten\"; expected a whole number of 0 or more",
    ),
    "negative chips": (
        (AMY, BOB, "--chips", "Amy=-5"),
        2,
        "'--chips': Amy: \"-5\"; expected a whole number of 0 or more",
    ),
    "broken chips": (
        (AMY, BOB, "--chips", "Amy=1.5"),
        2,
        "'--chips': Amy: \"1.5\"; expected a whole number of 0 or more",
    ),
    "chips of nobody": ((AMY, BOB, "--chips", "5"), 2, "'--chips': \"5\"; expected NAME=N"),
    "chips twice": (
        (AMY, BOB, "--chips", "Amy=5", "--chips", "Amy=6"),
        2,
        "'--chips': Amy: given twice, 5 and 6",
    ),
    "chips of a stranger": (
        (AMY, BOB, "--chips", "Zoe=5"),
        1,
        '--chips: "Zoe" is not seated; expected one of Amy, Bob',
    ),
    "stake with a stranger": (
        (AMY, BOB, "--stake", "Amy-Zoe=5"),
        1,
        '--stake Amy-Zoe=5: "Zoe" is not seated; expected one of Amy, Bob',
    ),
    "stake with oneself": (
        (AMY, BOB, "--stake", "Amy-Amy=5"),
        1,
        "--stake Amy-Amy=5: expected two different players",
    ),
    "stake of one": ((AMY, BOB, "--stake", "Amy=5"), 2, "'--stake': \"Amy=5\"; expected A-B=N"),
    "no stake": ((AMY, BOB, "--stake", "Amy-Bob"), 2, "'--stake': \"Amy-Bob\"; expected A-B=N"),
    "stake of nothing": (
        (AMY, BOB, "--stake", "Amy-Bob=0"),
        2,
        "'--stake': Amy-Bob: \"0\"; expected a whole number of 1 or more",
    ),
    "stake twice": (
        (AMY, BOB, "--stake", "Amy-Bob=5", "--stake", "Bob-Amy=6"),
        1,
        "--stake Bob-Amy=6: the stake of Amy and Bob is given twice",
    ),
    **{
        f"unit {value}": (
            (AMY, BOB, "--unit", value),
            2,
            f"'--unit': \"{value}\"; expected a number above 0 such as 0.25, with at most 6 "
            "decimals",
        )
        for value in ("0", "-1", "nan", "1,5", "", "1e3", "0.0")
    },
    "currency": (
        (AMY, BOB, "--currency", "EUR"),
        2,
        "--currency needs --unit, what one unit is worth",
    ),
    "currency in control": (
        (AMY, BOB, "--unit", "1", "--currency", "\x1b[31m"),
        2,
        "'--currency': \"\\x1b[31m\"; expected 1 to 12 printable characters",
    ),
    "ruleset": (
        (AMY, BOB, "--ruleset", "two-fuor"),
        1,
        'unknown ruleset "two-fuor"; did you mean "two-four"?',
    ),
    "contradiction": (
        (AMY, BOB, "--set", "royalties.max_per_hand=0"),
        1,
        '--set "royalties.max_per_hand=0"',
    ),
    "ledger as csv": (
        (AMY, BOB, "--ledger", "--format", "csv"),
        2,
        "--ledger goes with --format table or json, not with csv",
    ),
    "strict": ((AMY, BOB, "--strict"), 2, "--strict goes with a FILE of many deals"),
    "no file": (
        ("nothing-of-the-kind.yaml",),
        1,
        '"nothing-of-the-kind.yaml": no such file; expected a file, - for stdin, or hands NAME: '
        "front / middle / back",
    ),
    "stdin and a hand": ((AMY, "-"), 2, '"-": beside another argument; expected hands or one file'),
    "a NUL": (("deals\0.yaml",), 1, '"deals\\x00.yaml": no such file; expected a file'),
    "too long": (("x" * 5000,), 1, "no such file; expected a file, - for stdin"),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_bad_arguments(score: RunCli, case: str) -> None:
    arguments, code, message = BAD_ARGUMENTS[case]
    result = score(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    last = result.stderr.splitlines()[-1]
    start = "Error: " if code == 2 else "error: "
    assert last.startswith(start)
    assert message in last
    if code == 1:
        assert result.stderr.count("\n") == 1


def test_files_that_are_not_settled(score: RunCli, tmp_path: Path) -> None:
    source = write_file(tmp_path, write_yaml(NORTH) + "dealer: [N, S]\n")
    result = score(source)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"error: {source}:18: dealer: a list of 2; expected one name\n"
    other = write_file(tmp_path, write_yaml(NORTH) + "banker: Zoe\n", "other.yaml")
    result = score(other)
    assert (result.exit_code, result.stderr) == (
        1,
        f'error: {other}:18: banker: "Zoe" is not seated; expected one of N, E, S, W\n',
    )
    both = score(source, other)
    assert both.exit_code == 2
    assert f'"{source[:60]}' in both.stderr
    assert "2 files; expected hands or one file" in both.stderr
    near = score(str(tmp_path / "othr.yaml"))
    assert near.stderr == (
        f'error: "{tmp_path}/othr.yaml": no such file; did you mean "other.yaml"?\n'
    )
    folder = score(str(tmp_path))
    assert (folder.exit_code, folder.stderr) == (
        1,
        f'error: "{tmp_path}": cannot be read: Is a directory\n',
    )


def test_a_natural_that_is_not_there(score: RunCli, tmp_path: Path) -> None:
    content = f"players:\n- {AMY}\n- 'Bob: natural=dragon {' '.join(BOB[5:].split(' / '))}'\n"
    result = score(write_file(tmp_path, content), "--ruleset", "pagat-standard")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {tmp_path}/d.yaml:1: Bob: declares dragon: ")


def test_a_ruleset_for_all_deals_that_is_not_there(score: RunCli, tmp_path: Path) -> None:
    deals = json.dumps([{"players": build_players(NORTH)}] * 2)
    source = write_file(tmp_path, f"ruleset: two-fuor\ndeals: {deals}\n")
    result = score(source)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f'error: {source}:1: ruleset: unknown ruleset "two-fuor"; did you mean "two-four"?\n'
    )


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


def test_a_closed_stdin() -> None:
    line = f"exec {shlex.join([*COMMAND, '-'])} <&-"
    ended = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "error: stdin: closed; expected deals\n"


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
        first = process.stdout.readline() + process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.stderr.read() == ""
    assert process.returncode == 130
    if output_format == "table":
        assert first.startswith("deal 1  N +6")
        assert "after 2 deals" in rest
    else:
        assert json.loads(rest)["ledger"]["deals"] == 2


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
        assert process.stdout.readline() == "deal 1  N +6, E +4, S +3, W -13\n"
        os.write(leader, b"\x04")
        assert "after 1 deal" in process.stdout.read()
    os.close(leader)
    assert process.returncode == 0


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
