"""Files of deals that cannot be read: every fault, with its place."""

import sys
from pathlib import Path

import pytest

from cp_cli.arrangement import parse_arrangement
from cp_cli.cli.inputs import Fault
from cp_cli.cli.score_files import open_sheet
from cp_cli.cli.score_nodes import MAX_DEPTH, MAX_ITEMS, MAX_TEXT
from cp_cli.cli.score_tables import TableDeal
from cp_cli.errors import InputError
from cp_cli.settlement import Seat
from tests.score_deals import list_hands, read_entries, write_yaml

AMY_BOB = list_hands("V03")
AMY, BOB = (parse_arrangement(hand) for hand in AMY_BOB.values())
SEATS = (Seat("Amy", AMY), Seat("Bob", BOB))
DEAL = write_yaml(AMY_BOB)
AMY_TEXT, BOB_TEXT = (f"{name}: {hand}" for name, hand in AMY_BOB.items())
THIRTEEN = "As Kd Qh Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s"


def read_fault(folder: Path, content: str | bytes, name: str = "d.yaml") -> str:
    """Return what is wrong with the only deal of a file, or with the whole file."""
    try:
        (entry,) = read_entries(folder, content, name)
    except InputError as error:
        return str(error).replace(f"{folder}/", "")
    assert isinstance(entry, Fault), entry
    return str(entry)


PLAYERS = "players, id, ruleset, set, dealer, banker, stakes, pot, scores, chips, deals"
CHIPS = "expected a whole number from 0 to 1,000,000,000"
STAKES = "expected a whole number from 1 to 1,000,000"
BAD_DEALS = {
    # the shape
    "just text": 'd.yaml:1: "just text"; expected a mapping with players, or with deals',
    "~": "d.yaml:1: nothing; expected a mapping with players, or with deals",
    "xyz: 1": f'd.yaml:1: unknown key "xyz"; expected {PLAYERS}; missing key "players"; expected '
    "a list of players",
    "player:\n- A": 'd.yaml:1: unknown key "player"; did you mean "players"?; missing key '
    '"players"; expected a list of players',
    "players:": "d.yaml:1: players: nothing; expected a list of players",
    "id: 1\nplayers: 5": 'd.yaml:2: players: "5"; expected a list of players',
    "players: []": "d.yaml:1: players: none; expected 2 to 4",
    "players:\n- 5\n- [Bob]": 'd.yaml:2: players[0]: cards: missing suit after "5" at '
    "column 2; expected a suit c d h s; line 3: players[1]: a list of 1; expected a mapping",
    "deals: 5": 'd.yaml:1: deals: "5"; expected a list of deals',
    "ruleset: basic\ndeals:": "d.yaml:2: deals: nothing; expected a list of deals",
    "deals: {a: 1}": "d.yaml:1: deals: a mapping; expected a list of deals",
    "deals: []": "d.yaml:1: deals: an empty list; expected deals",
    "[]": "d.yaml:1: deals: an empty list; expected deals",
    "deals: [~]\nplayers: []\nid: x": "d.yaml:2: players: beside deals; expected in each deal; "
    "line 3: id: beside deals; expected in each deal",
    "deals: [~]\ndealr: Amy": 'd.yaml:2: unknown key "dealr"; did you mean "dealer"?',
    "deals: [~]\nchips: many": 'd.yaml:2: chips: "many"; expected a mapping NAME: N',
    # YAML
    "players: [": "d.yaml:1: not valid YAML: did not find expected node content while parsing a "
    "flow node",
    "players:\n\t- Amy": "d.yaml:2: not valid YAML: tab in the indentation; expected spaces",
    "players: \x01": "d.yaml:1: not valid YAML: control character in the text",
    f"{DEAL}---\n{DEAL}": "d.yaml:10: a second document; expected one, with deals: [...]",
    f"{DEAL}dealer: Amy\ndealer: Bob": 'd.yaml:11: key "dealer" given twice (first in line 10)',
    "{id: 1, id: 2}": 'd.yaml:1: key "id" given twice',
    "[a]: 1": "d.yaml:1: a key that is no text; expected a name",
    "<<: 1": "d.yaml:1: merge key <<; expected a name",
    f"players: {'[' * 20_000}": "d.yaml:1: not valid YAML: nested too deeply",
    "players: &x [1, 2]\n*x : 1": "d.yaml:2: a key that is no text; expected a name",
    "players:\n- *x": 'd.yaml:2: anchor "x" is not defined before',
    "players: &x\n- *x": 'd.yaml:2: anchor "x" holds itself',
    "players:\n- !!python/name:os.system {a: [b]}": 'd.yaml:2: tag "tag:yaml.org,2002:python..." '
    "is not allowed",
    "id: !secret 5": 'd.yaml:1: tag "!secret" is not allowed',
    f"id: {'[' * (MAX_DEPTH + 1)}{']' * (MAX_DEPTH + 1)}": "d.yaml:1: nested too deeply",
    f"players: [{'a,' * (MAX_ITEMS + 9)}]": f"d.yaml:1: a list of more than {MAX_ITEMS}",
    f"chips: {{{','.join(f'a{n}: 1' for n in range(MAX_ITEMS + 9))}}}": "d.yaml:1: a mapping of "
    f"more than {MAX_ITEMS}",
    f"id: {'a' * (MAX_TEXT + 1)}": f"d.yaml:1: a text of {MAX_TEXT + 1} characters; expected "
    f"{MAX_TEXT} at most",
    # players
    "players:\n- {name: [A, B], surrender: 7, natural: maybe}\n- {name: 'B:b', fantasyland: x,\n"
    "   royalties: frnt, chips: -5}": "d.yaml:2: players[0].name: a list of 2; expected one name; "
    'players[0].natural: unknown natural "maybe"; see cpoker rules show NAME; '
    'players[0].surrender: "7"; expected true or false; line 3: players[1].name: name "B:b"; '
    "expected 1 to 40 printable characters and no colon; line 3: players[1].fantasyland: "
    '"x"; expected true or false; line 4: players[1].royalties: unknown row "frnt"; did you mean '
    '"front"?; line 4: players[1].chips: "-5"; '
    f"{CHIPS}",
    DEAL.replace("front", "frnt", 1): 'd.yaml:2: players[0]: missing key "front", 3 cards; '
    'line 3: players[0]: unknown key "frnt"; did you mean "front"?',
    DEAL.replace("front: Js", "front: Jx", 1): 'd.yaml:7: players[1].front: unknown suit "x" in '
    '"Jx" at column 2; expected a suit c d h s',
    DEAL.replace("front: Js Jd 5c", "front: [Js, 1d, 5c]"): "d.yaml:7: players[1].front[1]: "
    'unknown rank "1" in "1d" at column 1; expected a rank 2-9 T J Q K A or 10',
    DEAL.replace(
        "front: Js Jd 5c", "front: [Js, Jd, Js, Jd]"
    ): "d.yaml:7: players[1].front: Js, Jd "
    "used more than once (again at column 7); 4 cards, expected 3",
    DEAL.replace("front: Js Jd 5c", "front: [Js, [Jd], 5c]"): "d.yaml:7: players[1].front[1]: a "
    "list of 1; expected a text of cards",
    DEAL.replace("front: Js Jd 5c", "front: {Js: Jd}"): "d.yaml:7: players[1].front: a mapping; "
    "expected a text or a list of texts",
    DEAL.replace(" 5c", "").replace("2c", "2c 5c"): "d.yaml:7: players[1].front: 2 cards, "
    "expected 3; line 8: players[1].middle: 6 cards, expected 5",
    DEAL.replace("5c", "Kc"): "d.yaml:6: players[1]: card used more than once: Kc (front, middle)",
    DEAL.replace("front: Js Jd 5c", "front: [Js, Js, Kc, 6d]"): "d.yaml:6: players[1]: cards used "
    "more than once: Kc (front, middle), 6d (front, middle); line 7: players[1].front: Js used "
    "more than once (again at column 4); 4 cards, expected 3",
    DEAL.replace("front: Js Jd 5c", "front: [Jx, 1d, 5c]"): "d.yaml:7: players[1].front[0]: "
    'unknown suit "x" in "Jx" at column 2; expected a suit c d h s; players[1].front[1]: unknown '
    'rank "1" in "1d" at column 1; expected a rank 2-9 T J Q K A or 10',
    f"{DEAL}- {{arrangement: 2h 2h 3h / 4s}}\n": "d.yaml:10: players[2].arrangement: arrangement: "
    "2 rows, expected 3: front / middle / back",
    f"{DEAL}- {{arrangement: 2h 2h 3h 4s / 4s / 5x}}\n": "d.yaml:10: players[2].arrangement: "
    "front: 2h used more than once (again at column 4); 4 cards, expected 3; middle: 1 card, "
    'expected 5; back: unknown suit "x" in "5x" at column 21; expected a suit c d h s; card used '
    "more than once: 4s (front, middle)",
    f"{DEAL}  cards: {THIRTEEN}\n": "d.yaml:6: players[1].cards: given beside front; expected one "
    "of them",
    f"players:\n  {AMY_TEXT[:-2]}1h\n  Bob: surender": "d.yaml:2: players.Amy: back: unknown rank "
    '"1" in "1h" at column 41; expected a rank 2-9 T J Q K A or 10; line 3: players.Bob: unknown '
    'word "surender"; did you mean "surrender"?',
    'players: {"A\\nmy": surrender, Bob: {name: Bob}}': 'd.yaml:1: players."A\\nmy": name '
    '"A\\nmy"; expected 1 to 40 printable characters and no colon; players.Bob: unknown key '
    '"name"; expected front, middle, back, arrangement, cards, natural, surrender, royalties, '
    "chips, fantasyland, owner",
    # terms
    f"{DEAL}dealer: [Amy, Bob]": "d.yaml:10: dealer: a list of 2; expected one name",
    f"{DEAL}stakes: [Amy-Bob]": "d.yaml:10: stakes: a list of 1; expected a mapping A-B: N",
    f"{DEAL}stakes:\n  Amy-Bob: 0\n  Amy: 1000001": f'd.yaml:11: stakes.Amy-Bob: "0"; {STAKES}; '
    f'line 12: stakes.Amy: "1000001"; {STAKES}',
    f"{DEAL}chips: {{Amy: -5, Bob: ten}}": f'd.yaml:10: chips.Amy: "-5"; {CHIPS}; chips.Bob: '
    f'"ten"; {CHIPS}',
    f"{DEAL}pot:\n  Amy: 1.5\n  Bob: [1]\n  'B:b': 1": f'd.yaml:11: pot.Amy: "1.5"; {CHIPS}; line '
    f'12: pot.Bob: a list of 1; {CHIPS}; line 13: pot: name "B:b"; expected 1 to 40 printable '
    "characters and no colon",
    f"{DEAL}scores: {{Amy: 1000000001}}": f'd.yaml:10: scores.Amy: "1000000001"; {CHIPS}',
    f"{DEAL}set: {{surrender: 3}}": "d.yaml:10: set: a mapping; expected a list of key.path=value",
    f"{DEAL}set:\n- surrender\n- a=1\n- b": 'd.yaml:11: set: "surrender"; expected key.path=value; '
    'line 13: set: "b"; expected key.path=value',
    f"{DEAL}set: [[a=1], b=2, {{c: 3}}]": "d.yaml:10: set[0]: a list of 1; expected a list of "
    "key.path=value; set[2]: a mapping; expected a list of key.path=value",
    f"{DEAL}ruleset: [basic]": "d.yaml:10: ruleset: a list of 1; expected a text",
    f"{DEAL}id: {{a: 1}}": "d.yaml:10: id: a mapping; expected a text",
}


@pytest.mark.parametrize(("content", "message"), BAD_DEALS.items(), ids=range(len(BAD_DEALS)))
def test_bad_deals(tmp_path: Path, content: str, message: str) -> None:
    assert read_fault(tmp_path, content) == message


BAD_JSON = {
    '{"players": [}': "d.json:1: not valid JSON: expecting value at column 14",
    '{\n "players": [],\n "id": 1,\n}': "d.json:4: not valid JSON: expecting property name "
    "enclosed in double quotes at column 1",
    '{\n"id": 1,\n"id": 2}': 'd.json:3: key "id" given twice (first in line 2)',
    '{\n"players":\n[\n{"name": "Amy",\n"front": "Xs"}]}': "d.json:4: players[0]: missing key "
    '"middle", 5 cards; players[0]: missing key "back", 5 cards; line 5: players[0].front: unknown '
    'rank "X" in "Xs" at column 1; expected a rank 2-9 T J Q K A or 10',
    "5": 'd.json:1: "5"; expected a mapping with players, or with deals',
    f"{'[' * 100_000}": "d.json:1: not valid JSON: nested too deeply",
}


@pytest.mark.parametrize(("content", "message"), BAD_JSON.items(), ids=range(len(BAD_JSON)))
def test_bad_json(tmp_path: Path, content: str, message: str) -> None:
    assert read_fault(tmp_path, content, "d.json") == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "d.txt: no deals in it; expected deals: YAML, JSON, or one deal a line"),
        (b"# nothing\n\n", "d.txt: no deals in it; expected deals: YAML, JSON, or one deal a line"),
        (
            b"\x89PNG\r\n\x1a\n",
            "d.txt:1: not UTF-8 text (0x89 at byte 1); expected deals: YAML, JSON, or one deal a "
            "line",
        ),
        (DEAL.encode("utf-16"), "d.txt: is UTF-16; expected UTF-8 text"),
        (DEAL.encode() + b"id: \xff", "d.txt:10: not UTF-8 text (0xff at byte 5)"),
    ],
)
def test_files_that_hold_no_text(tmp_path: Path, content: bytes, message: str) -> None:
    assert read_fault(tmp_path, content, "d.txt") == message


def test_sources_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    for source, reason in (
        (str(tmp_path / "none"), "cannot be read: No such file or directory"),
        (str(tmp_path), "cannot be read: Is a directory"),
        ("-", "stdin: closed; expected deals"),
    ):
        with pytest.raises(InputError, match=reason), open_sheet(source):
            pass


def test_a_document_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cp_cli.cli.score_files.MAX_BYTES", 200)
    (deal,) = read_entries(tmp_path, DEAL)
    assert isinstance(deal, TableDeal)
    assert deal.seats == SEATS
    fault = read_fault(tmp_path, DEAL + "# more\n" * 20)
    assert fault == "d.yaml: more than 200 bytes; expected one deal a line"
