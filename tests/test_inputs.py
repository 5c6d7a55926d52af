"""Reading deals from files and stdin."""

import json
import os
import sys
from pathlib import Path

import pytest

from cp_cli.cards import parse_cards
from cp_cli.cli.inputs import MAX_LINE_BYTES, BadLine, Deal, read_deals
from cp_cli.errors import InputError

ALICE = "As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c"
BOB = "Kd 6d 5d 4d 3d Kc Qc 6c 5c 4c Th 9s 7s"
ALICE_CARDS = parse_cards(ALICE)
BOB_CARDS = parse_cards(BOB)
ALICE_LIST = json.dumps(ALICE.split())


def read(folder: Path, content: str | bytes, name: str = "deals.txt") -> list[Deal | BadLine]:
    """Read `content` from a file; places come out without the folder."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    found: list[Deal | BadLine] = []
    for item in read_deals(str(path)):
        place = item.place.removeprefix(f"{folder}/")
        if isinstance(item, Deal):
            found.append(Deal(item.cards, place, item.dead, item.id))
        else:
            found.append(BadLine(place, item.reason))
    return found


def test_one_deal_a_line(tmp_path: Path) -> None:
    text = f"# two deals\n\n{ALICE}\n  \n{BOB}  # the second\n"
    assert read(tmp_path, text) == [
        Deal(ALICE_CARDS, "deals.txt:3"),
        Deal(BOB_CARDS, "deals.txt:5"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + ALICE.encode() + b"\r\n" + BOB.encode(),
        f"{ALICE}\r\n{BOB}\r\n",
        f"{ALICE_LIST.replace('[', '- [')}\n- {BOB}",
        f'[{{"cards": {ALICE_LIST}}},\n {{"cards": "{BOB}"}}]',
        f"- cards: {ALICE}\n- cards: {BOB}\n",
        f'{{"cards": "{ALICE}"}}\n{{"cards": "{BOB}"}}',
    ],
)
def test_every_form_gives_the_same_deals(tmp_path: Path, content: str | bytes) -> None:
    assert read(tmp_path, content) == [
        Deal(ALICE_CARDS, "deals.txt:1"),
        Deal(BOB_CARDS, "deals.txt:2"),
    ]


def test_dead_cards_and_ids(tmp_path: Path) -> None:
    lines = f'{{"cards": "{ALICE}", "dead": ["Ac", "Kc"], "id": "a"}}\n'
    lines += f'{{"cards": {ALICE_LIST}, "dead": "Ad", "id": 7}}\n'
    lines += f'{{"cards": {ALICE_LIST}, "dead": [], "id": null}}\n'
    assert read(tmp_path, lines) == [
        Deal(ALICE_CARDS, "deals.txt:1", parse_cards("Ac Kc"), "a"),
        Deal(ALICE_CARDS, "deals.txt:2", parse_cards("Ad"), "7"),
        Deal(ALICE_CARDS, "deals.txt:3"),
    ]


def test_yaml_file_starts_with_anything(tmp_path: Path) -> None:
    text = f"# comment\n---\n# comment\n- cards: {ALICE}\n  dead: Ac\n\n- id: b\n  cards: {BOB}\n"
    assert read(tmp_path, text, "deals.yaml") == [
        Deal(ALICE_CARDS, "deals.yaml:4", parse_cards("Ac")),
        Deal(BOB_CARDS, "deals.yaml:7", (), "b"),
    ]


BAD_LINES = {
    "As Kd": "cards: 2 cards, expected 13",
    f"{ALICE} 2c": "cards: 14 cards, expected 13",
    f"{ALICE[:-2]}As": "cards: As used more than once (again at column 37)",
    "A\0": 'cards: unknown suit "\\x00" in "A\\x00" at column 2; expected a suit c d h s',
    "cards,front,middle,back": 'cards: suit "c" without a rank in "cards" at column 1; '
    "expected a rank 2-9 T J Q K A or 10",
    '{"cards"': "not valid JSON: expecting ':' delimiter at column 9",
    '{"cards": ' + "[" * 100_000: "not valid JSON",
    '{"cards": ' + "9" * 10_000 + "}": "not valid JSON",
    "{}": 'missing key "cards"',
    '{"card": "As"}': 'unknown key "card"; did you mean "cards"?',
    '{"xyz": "As"}': 'unknown key "xyz"; expected cards, dead, id',
    '{"cards": 5}': 'cards: "5"; expected a text or a list of texts',
    '{"cards": null}': "cards: nothing; expected a text or a list of texts",
    '{"cards": [["As"]]}': "cards: a list; expected a text or a list of texts",
    '{"cards": {"a": 1}}': "cards: a mapping; expected a text or a list of texts",
    '{"cards": ["As", "KdQd"]}': "cards[2]: 2 cards, expected 1",
    f'{{"cards": "{ALICE}", "dead": "As"}}': "card used more than once: As (cards, dead)",
    f'{{"cards": "{ALICE}", "dead": "Ax"}}': 'dead: unknown suit "x" in "Ax" at column 2; '
    "expected a suit c d h s",
    f'{{"cards": "{ALICE}", "id": [1]}}': "id: a list; expected a text or a whole number",
    f'{{"cards": "{ALICE}", "id": true}}': 'id: "True"; expected a text or a whole number',
}


@pytest.mark.parametrize(("line", "reason"), BAD_LINES.items(), ids=range(len(BAD_LINES)))
def test_a_bad_line_does_not_stop_the_others(tmp_path: Path, line: str, reason: str) -> None:
    assert read(tmp_path, f"{ALICE}\n{line}\n{BOB}") == [
        Deal(ALICE_CARDS, "deals.txt:1"),
        BadLine("deals.txt:2", reason),
        Deal(BOB_CARDS, "deals.txt:3"),
    ]


def test_a_bad_first_line_does_not_stop_the_others(tmp_path: Path) -> None:
    content = b"\x80\n" + b"A" * (2 * MAX_LINE_BYTES) + b"\n" + ALICE.encode()
    assert read(tmp_path, content) == [
        BadLine("deals.txt:1", "not UTF-8 text (0x80 at byte 1)"),
        BadLine("deals.txt:2", "line is longer than 1048576 bytes"),
        Deal(ALICE_CARDS, "deals.txt:3"),
    ]
    assert str(BadLine("deals.txt:1", "no deal")) == "deals.txt:1: no deal"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("As", "cards: 1 card, expected 13"),
        ("5", 'cards: "5"; expected a text or a list of texts'),
        ("", "cards: nothing; expected a text or a list of texts"),
        ("{card: As}", 'unknown key "card"; did you mean "cards"?'),
        ("!unknown x", "not valid YAML"),
        ("2001-99-99", "not valid YAML"),
    ],
)
def test_a_bad_yaml_entry_does_not_stop_the_others(tmp_path: Path, entry: str, reason: str) -> None:
    assert read(tmp_path, f"- {ALICE}\n- {entry}\n- {BOB}\n") == [
        Deal(ALICE_CARDS, "deals.txt:1"),
        BadLine("deals.txt:2", reason),
        Deal(BOB_CARDS, "deals.txt:3"),
    ]


NO_DEALS = "no deals in it; expected one deal a line, JSON or YAML"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", f"a.txt: {NO_DEALS}"),
        ("a.txt", b"# nothing\n\n", f"a.txt: {NO_DEALS}"),
        ("a.yaml", b"", f"a.yaml: {NO_DEALS}"),
        ("a.txt", ALICE.encode("utf-16"), "a.txt: is UTF-16; expected UTF-8 text"),
        ("a.yaml", b"a: 1", "a.yaml:1: expected a YAML list of deals"),
        ("a.yaml", b"---", "a.yaml:1: expected a YAML list of deals"),
        ("a.txt", b"\n[]", "a.txt:2: no deals in it; expected a YAML list of deals"),
        ("a.yaml", b"- As\n- \xff", "a.yaml:2: not UTF-8 text (0xff at byte 3)"),
    ],
)
def test_a_source_without_deals(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, content, name)
    assert str(caught.value) == f"{tmp_path}/{message}"


@pytest.mark.parametrize(
    "content", [b"- a: [\n- b\n", b"- As\n- A\0\n", b"[" * 100_000, b"--- [a]\n--- [b]", b"- *a"]
)
def test_bad_yaml_is_one_line(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match=r"^[^\n]*a\.yaml[:0-9]*: not valid YAML[^\n]*$"):
        read(tmp_path, content, "a.yaml")


def test_sources_that_cannot_be_opened(tmp_path: Path) -> None:
    for source, reason in (
        (str(tmp_path / "none.txt"), "No such file or directory"),
        (str(tmp_path), "Is a directory"),
        ("a\0b", "embedded null byte"),
    ):
        with pytest.raises(InputError, match=f"cannot be read: {reason}$"):
            next(read_deals(source))


def test_other_numbers_of_cards(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{ALICE} 2c\n{ALICE}\n")
    first, second = read_deals(str(path), count=14)
    assert isinstance(first, Deal)
    assert len(first.cards) == 14
    assert second == BadLine(f"{path}:2", "cards: 13 cards, expected 14")


def test_stdin_is_read_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sender waits for an answer to every deal, so the end of the input never comes."""
    reader, writer = os.pipe()
    with os.fdopen(reader) as stdin, os.fdopen(writer, "w") as sender:
        monkeypatch.setattr(sys, "stdin", stdin)
        deals = read_deals("-")
        for number in (1, 2, 3):
            print(ALICE, file=sender, flush=True)
            assert next(deals) == Deal(ALICE_CARDS, f"stdin:{number}")
