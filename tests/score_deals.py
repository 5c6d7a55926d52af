"""Deals of the worked examples as texts for `cpoker score`, in every form that it reads."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from click.testing import Result

from cp_cli.cli.inputs import Fault
from cp_cli.cli.score_files import open_sheet
from cp_cli.cli.score_tables import TableDeal

RunCli = Callable[..., Result]

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text("utf-8"))
DEALS = {deal["id"]: deal for deal in VECTORS["deals"]}
MONEY = {entry["id"]: entry for entry in VECTORS["money"]}
ROWS = ("front", "middle", "back")


def list_hands(vector: str) -> dict[str, str]:
    """Return the arrangements of a worked example by player."""
    hands = (DEALS | MONEY)[vector]["hands"]
    return {name: " / ".join(map(" ".join, rows)) for name, rows in hands.items()}


def list_arguments(vector: str) -> list[str]:
    """Return the hands of a worked example as arguments."""
    return [f"{name}: {hand}" for name, hand in list_hands(vector).items()]


def find_result(vector: str, ruleset: str) -> dict[str, Any]:
    """Return what a worked example comes to under a ruleset."""
    results = {entry["ruleset"]: entry for entry in DEALS[vector]["results"]}
    found: dict[str, Any] = results[ruleset]
    return found


def _split_rows(hand: str) -> dict[str, str]:
    return dict(zip(ROWS, hand.split(" / "), strict=True))


def build_players(hands: Mapping[str, str]) -> list[dict[str, str]]:
    """Return players as a JSON file has them."""
    return [{"name": name, **_split_rows(hand)} for name, hand in hands.items()]


def write_yaml(hands: Mapping[str, str]) -> str:
    """Return a deal as the keys of a YAML document, one a line."""
    lines = ["players:"]
    for name, hand in hands.items():
        lines.append(f"- name: {name}")
        lines += [f"  {row}: {cards}" for row, cards in _split_rows(hand).items()]
    return "\n".join(lines) + "\n"


def write_line(hands: Mapping[str, str]) -> str:
    """Return a deal as one line."""
    return "; ".join(f"{name}: {hand}" for name, hand in hands.items())


def write_forms(hands: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return the ending and the text of a file in every form that means the same deal."""
    players = build_players(hands)
    lists = [{"name": each["name"], **{row: each[row].split() for row in ROWS}} for each in players]
    objects = {name: _split_rows(hand) for name, hand in hands.items()}
    texts = [f"{name}: {hand}" for name, hand in hands.items()]
    rows = write_yaml(hands)
    indented = "".join(f"  {line}\n" for line in rows.splitlines())
    mapped = "players:\n" + "".join(f"  {text}\n" for text in texts)
    dumped = json.dumps({"players": players})
    return {
        "yaml": ("yaml", rows),
        "yaml without an ending": ("txt", rows),
        "yaml from windows": ("yaml", rows.replace("\n", "\r\n")),
        "yaml with a start mark": ("", f"# a deal\n---\n{rows}"),
        "yaml flow": ("yaml", f"{{players: {dumped[12:-1]}}}"),
        "yaml list of deals": ("yaml", f"-{indented[1:]}"),
        "yaml deals": ("yaml", f"deals:\n-{indented[1:]}"),
        "yaml lists of cards": ("yaml", "players:\n" + "".join(f"- {each}\n" for each in lists)),
        "yaml players by name": ("yaml", mapped),
        "yaml hands": ("yaml", "players:\n" + "".join(f"- {text}\n" for text in texts)),
        "yaml quoted hands": ("yaml", "players:\n" + "".join(f"- '{text}'\n" for text in texts)),
        "yaml deals as lines": ("yaml", f"deals:\n- '{write_line(hands)}'\n"),
        "yaml deals as hands": ("yaml", f"deals:\n- {json.dumps(texts)}\n"),
        "json": ("json", dumped),
        "json indented": ("json", json.dumps({"players": players}, indent=2)),
        "json with tabs": ("json", json.dumps({"players": players}, indent="\t")),
        "json without an ending": ("", json.dumps({"players": players}, indent=1)),
        "json lists of cards": ("json", json.dumps({"players": lists})),
        "json players by name": ("json", json.dumps({"players": objects}, indent=1)),
        "json deals": ("json", json.dumps({"deals": [{"players": players}]})),
        "json list of deals": ("json", json.dumps([{"players": players}])),
        "json deals without an ending": ("", json.dumps({"deals": [{"players": players}]})),
        "json lines": ("jsonl", f"\n{dumped}\n\n"),
        "json lines without an ending": ("", f"{dumped}\n"),
        "lines": ("txt", f"\ufeff# Friday\n\n{write_line(hands)}  # the first\n"),
    }


# --- files and answers ---------------------------------------------------------------------------


def write_file(folder: Path, content: str | bytes, name: str = "d.yaml") -> str:
    """Write a file; return its path."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def read_json(result: Result) -> dict[str, Any]:
    """Return the document that a command printed."""
    assert (result.exit_code, result.stderr) == (0, "")
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def read_lines(result: Result, code: int = 0) -> list[dict[str, Any]]:
    """Return the documents that a command printed, one a line."""
    assert result.exit_code == code, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def list_units(document: dict[str, Any]) -> dict[str, Any]:
    """Return the units of each player of a document."""
    return {player["name"]: player["units"] for player in document["players"]}


def list_pairs(document: dict[str, Any]) -> dict[str, int]:
    """Return the units of each pair of a document."""
    return {f"{pair['a']}-{pair['b']}": pair["units"] for pair in document["pairs"]}


def read_entries(
    folder: Path, content: str | bytes, name: str = "d.yaml"
) -> list[TableDeal | Fault]:
    """Read all deals of a file; places come out without the folder."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with open_sheet(str(path)) as sheet:
        return [
            entry._replace(place=entry.place.removeprefix(f"{folder}/"))
            if isinstance(entry, TableDeal)
            else Fault(entry.place.removeprefix(f"{folder}/"), entry.reason)
            for entry in sheet.deals
        ]


ROOT = Path(__file__).parents[1]
AMY, BOB = list_arguments("V03")
NORTH = list_hands("V06")  # and East, South, West
LINE = write_line(NORTH)
