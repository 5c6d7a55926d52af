"""Hands and files of deals as `cpoker score` reads them: every form, and every fault."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cp_cli.arrangement import Natural, Row, parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.cli.inputs import BadLine
from cp_cli.cli.score_files import TableDeal, open_sheet
from cp_cli.cli.score_hands import read_hand, read_hands, split_line
from cp_cli.cli.score_nodes import MAX_DEPTH, MAX_ITEMS, MAX_TEXT
from cp_cli.cli.score_terms import Agreement, Layer, PlacedError, Stake, lay_table, split_pair
from cp_cli.errors import CpokerError, InputError
from cp_cli.settlement import BEST, Seat
from tests.score_deals import list_hands, write_forms, write_line, write_yaml

AMY_BOB = list_hands("V03")
AMY, BOB = (parse_arrangement(hand) for hand in AMY_BOB.values())
SEATS = (Seat("Amy", AMY), Seat("Bob", BOB))
DEAL = write_yaml(AMY_BOB)
AMY_TEXT, BOB_TEXT = (f"{name}: {hand}" for name, hand in AMY_BOB.items())
THIRTEEN = "As Kd Qh Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s"


# --- hands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        (AMY_TEXT, Seat("Amy", AMY)),
        (AMY_BOB["Amy"], Seat("P3", AMY)),
        (f"  Anna Lena-O'Neil :{AMY_BOB['Amy'].replace('/', '|')}", Seat("Anna Lena-O'Neil", AMY)),
        ("王: surrender", Seat("王", surrendered=True)),
        ("surrender", Seat("P3", surrendered=True)),
        ("Jonas:surrender", Seat("Jonas", surrendered=True)),
        (f"Amy: SURRENDER {THIRTEEN}", Seat("Amy", cards=parse_cards(THIRTEEN), surrendered=True)),
        (f"Amy: {AMY} surrender", Seat("Amy", AMY, surrendered=True)),
        (f"Amy: natural {THIRTEEN}", Seat("Amy", cards=parse_cards(THIRTEEN), natural=BEST)),
        (f"Amy: {AMY} natural", Seat("Amy", AMY, natural=BEST)),
        (f"Amy: natural=six_pairs {AMY}", Seat("Amy", AMY, natural=Natural.SIX_PAIRS)),
        (f"Amy: natural=six pairs {AMY}", Seat("Amy", AMY, natural=Natural.SIX_PAIRS)),
        (f"Amy: {AMY} natural = six pairs", None),
        (f"Amy: {AMY} natural= all low", Seat("Amy", AMY, natural=Natural.ALL_LOW)),
        (
            f"Amy: royalties=front,back {AMY}",
            Seat("Amy", AMY, declared=frozenset({Row.FRONT, Row.BACK})),
        ),
        (
            f"Amy: {AMY} royalties=Middle, back fantasyland",
            Seat("Amy", AMY, declared=frozenset({Row.MIDDLE, Row.BACK}), in_fantasyland=True),
        ),
        # A suit letter may be a player, or begin a group of cards.
        (f"S: {AMY}", Seat("S", AMY)),
        (
            "S:Q D:Q C:4 / As Ad 9c 7h 3s / ♥KJ862",
            Seat("P3", parse_arrangement("Qs Qd 4c / As Ad 9c 7h 3s / Kh Jh 8h 6h 2h")),
        ),
        ("N: S:Q D:Q C:4 / As Ad 9c 7h 3s / H:KJ862", Seat("N", AMY)),
        ("Qs D:Q C:4 / As Ad 9c 7h 3s / H:KJ862", Seat("P3", AMY)),
        ("Amy:", Seat("Amy")),
    ],
)
def test_hands(text: str, seat: Seat | None) -> None:
    if seat is None:
        with pytest.raises(InputError, match=r'^Amy: unknown word "="; expected cards or'):
            read_hand(text, 3)
    else:
        assert read_hand(text, 3) == seat


BAD_HANDS = {
    "Amy: Qs Qd / As Ad 9c 7h 3s 4c / Kh Jh 8h 6h 2h": "Amy: front: 2 cards, expected 3; "
    "middle: 6 cards, expected 5",
    "Amy: Qs Qd 4c / As Ad 9x 7h 3s / Kh Jh 8h 6h 2h": 'Amy: middle: unknown suit "x" in "9x" '
    "at column 24; expected a suit c d h s",
    "Qs Qd 4c / As Ad 1c 7h 3s / Kh Jh 8h 6h 2h": 'P3: middle: unknown rank "1" in "1c" at '
    "column 18; expected a rank 2-9 T J Q K A or 10",
    "Amy: Qs Qd 4c / As Ad Qs 7h 3s / Kh Jh 8h 6h 2h": "Amy: card used more than once: Qs "
    "(front, middle)",
    "Amy: Qs Qd 4c / As Ad 9c 7h 3s": "Amy: arrangement: 2 rows, expected 3: front / middle / back",
    "Amy: As Kd": "Amy: cards: 2 cards, expected 13",
    f"Amy: natural {THIRTEEN} 2h": "Amy: cards: 14 cards, expected 13",
    "Amy: surender": 'Amy: unknown word "surender"; did you mean "surrender"?',
    "Amy: gives up early": 'Amy: unknown word "gives"; expected cards or surrender, natural, '
    "royalties, fantasyland",
    "Amy: chips=5": 'Amy: unknown word "chips"; expected cards or surrender, natural, royalties, '
    "fantasyland",
    "Amy: surrender surrender": "Amy: surrender given twice",
    "Amy: surrender=now": "Amy: surrender=now; expected surrender alone",
    "Amy: natural=six_pears As": 'Amy: unknown natural "six_pears"; did you mean "six pairs"?',
    f"Amy: royalties=frnt {AMY}": 'Amy: unknown row "frnt"; did you mean "front"?',
    f"Amy: royalties {AMY}": "Amy: royalties without rows; expected rows as in "
    "royalties=front,back",
    ": surrender": 'name ""; expected 1 to 40 printable characters and no colon',
    "A\x07my: surrender": 'name "A\\x07my"; expected 1 to 40 printable characters and no colon',
    f"{'A' * 41}: surrender": f'name "{"A" * 40}..."; expected 1 to 40 printable characters and '
    "no colon",
}


@pytest.mark.parametrize(("text", "message"), BAD_HANDS.items(), ids=range(len(BAD_HANDS)))
def test_bad_hands(text: str, message: str) -> None:
    with pytest.raises(CpokerError) as caught:
        read_hand(text, 3)
    assert str(caught.value) == message


def test_faults_of_all_hands_are_told_together() -> None:
    with pytest.raises(InputError) as caught:
        read_hands(["Amy: As Kd", BOB_TEXT, "Cat: surender"])
    assert str(caught.value) == (
        'Amy: cards: 2 cards, expected 13; Cat: unknown word "surender"; did you mean "surrender"?'
    )


def test_players_with_two_hands() -> None:
    seats = read_hands(["X: surrender", "Y: surrender", "X: surrender", "surrender"])
    assert [(seat.name, seat.owner) for seat in seats] == [
        ("X 1", "X"),
        ("Y", None),
        ("X 2", "X"),
        ("P4", None),
    ]


def test_hands_on_one_line() -> None:
    hands = split_line(f"{AMY_TEXT};{BOB_TEXT};")
    assert read_hands(hands) == SEATS
    with pytest.raises(InputError, match=r"^Bob: cards: unknown rank .* at column 10;"):
        read_hands(split_line("A: ;Bob: Xs"))


# --- files that mean one deal --------------------------------------------------------------------

Entry = TableDeal | BadLine


def read(folder: Path, content: str | bytes, name: str = "d.yaml") -> list[Entry]:
    """Read all deals of a file; places come out without the folder."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with open_sheet(str(path)) as sheet:
        return [
            entry._replace(place=entry.place.removeprefix(f"{folder}/"))
            if isinstance(entry, TableDeal)
            else BadLine(entry.place.removeprefix(f"{folder}/"), entry.reason)
            for entry in sheet.deals
        ]


def read_one(folder: Path, content: str | bytes, name: str = "d.yaml") -> TableDeal:
    """Read the only deal of a file, which is a good one."""
    (deal,) = read(folder, content, name)
    assert isinstance(deal, TableDeal), deal
    return deal


def read_fault(folder: Path, content: str | bytes, name: str = "d.yaml") -> str:
    """Return what is wrong with the only deal of a file, or with the whole file."""
    try:
        (entry,) = read(folder, content, name)
    except InputError as error:
        return str(error).replace(f"{folder}/", "")
    assert isinstance(entry, BadLine), entry
    return str(entry)


@pytest.mark.parametrize("form", write_forms(AMY_BOB))
def test_every_form_means_the_same_deal(tmp_path: Path, form: str) -> None:
    ending, content = write_forms(AMY_BOB)[form]
    deal = read_one(tmp_path, content, f"deal.{ending}" if ending else "deal")
    assert (deal.seats, deal.agreement.stakes, deal.id) == (SEATS, (), None)


TERMS = """\
id: 7
dealer: Amy
banker: Bob
stakes: {Amy-Bob: 3}
chips: {Amy: 20, Bob: "10"}
pot: {Zoe: 1}
scores: {Bob: 5}
ruleset: basic
set: [surrender=2, foul.pays=rows]
"""


def test_terms_of_a_deal(tmp_path: Path) -> None:
    deal = read_one(tmp_path, DEAL + TERMS)
    lines = len(DEAL.splitlines())
    agreement = deal.agreement
    assert deal.id == "7"
    assert (agreement.dealer, agreement.banker) == ("Amy", "Bob")
    stake = Stake("Amy-Bob", 3, "stakes.Amy-Bob", f"{tmp_path}/d.yaml:{lines + 4}")
    assert agreement.stakes == (stake,)
    assert agreement.chips == {"Amy": 20, "Bob": 10}
    assert (agreement.pot, agreement.scores) == ({"Zoe": 1}, {"Bob": 5})
    assert agreement.ruleset == "basic"
    assert agreement.settings == ("surrender=2", "foul.pays=rows")
    assert agreement.places["ruleset"] == f"{tmp_path}/d.yaml:{lines + 8}"


PLAYER = """\
players:
- {{name: Amy, surrender: true, cards: {cards}, chips: 20, owner: Zoe}}
- {{name: Bob, natural: true, cards: {cards}}}
- {{name: Cat, natural: Six Pairs, cards: {cards}, royalties: [front, back], fantasyland: on}}
- {{arrangement: {hand}, natural: no, surrender: false, royalties: middle, chips: ~, owner: null}}
"""


def test_keys_of_players(tmp_path: Path) -> None:
    content = PLAYER.format(cards=THIRTEEN, hand=AMY_BOB["Amy"])
    cards = parse_cards(THIRTEEN)
    assert read_one(tmp_path, content).seats == (
        Seat("Amy", cards=cards, surrendered=True, chips=20, owner="Zoe"),
        Seat("Bob", cards=cards, natural=BEST),
        Seat(
            "Cat",
            cards=cards,
            natural=Natural.SIX_PAIRS,
            declared=frozenset({Row.FRONT, Row.BACK}),
            in_fantasyland=True,
        ),
        Seat("P4", AMY, declared=frozenset({Row.MIDDLE})),
    )


@pytest.mark.parametrize(
    "name", ["7", "yes", "No", "2001-01-01", "1e3", "0x1F", "12:30", "'~'", "null"]
)
def test_names_are_kept_as_they_are_written(tmp_path: Path, name: str) -> None:
    """But for no name at all, and a colon."""
    content = f"players:\n- {{name: {name}, surrender: yes}}\n- {BOB_TEXT}\n"
    if ":" in name:
        assert "no colon" in read_fault(tmp_path, content)
        return
    expected = "P1" if name == "null" else name.strip("'")
    assert read_one(tmp_path, content).seats[0].name == expected
    mapped = f"players:\n  {name}: surrender\n  {BOB_TEXT}\n"
    assert read_one(tmp_path, mapped).seats[0].name == name.strip("'")


def test_numbers_and_emoji_in_json(tmp_path: Path) -> None:
    content = '{"players": [{"name": 7, "surrender": true}, {"name": "\\ud83d\\ude00"}], "id": 5}'
    deal = read_one(tmp_path, content, "d.json")
    assert [seat.name for seat in deal.seats] == ["7", "😀"]
    assert deal.id == "5"


def test_anchors(tmp_path: Path) -> None:
    content = f"deals:\n- players: [&amy {{name: Amy, arrangement: {AMY}}}, {BOB_TEXT!r}]\n"
    content += f"- players: [*amy, {BOB_TEXT!r}]\n"
    first, second = read(tmp_path, content)
    assert isinstance(first, TableDeal)
    assert isinstance(second, TableDeal)
    assert first.seats == second.seats == SEATS
    assert second.place == "d.yaml:3"


def test_a_ruleset_file_lies_where_the_deals_lie(tmp_path: Path) -> None:
    for written, expected in (
        ("home.yaml", str(tmp_path / "home.yaml")),
        ("rules/home", str(tmp_path / "rules/home")),
        ("/etc/home.yaml", "/etc/home.yaml"),
        ("taiwanese", "taiwanese"),
    ):
        assert read_one(tmp_path, f"{DEAL}ruleset: {written}").agreement.ruleset == expected


# --- what is wrong with a deal -------------------------------------------------------------------

PLAYERS = "players, id, ruleset, set, dealer, banker, stakes, pot, scores, chips, deals"
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
    "players:\n- 5\n- [Bob]": 'd.yaml:2: players[0]: P1: cards: missing suit after "5" at '
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
    '"front"?; line 4: players[1].chips: "-5"; expected a whole number of 0 or more',
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
    f"{DEAL}stakes:\n  Amy-Bob: 0": 'd.yaml:11: stakes.Amy-Bob: "0"; expected a whole number of 1 '
    "or more",
    f"{DEAL}chips: {{Amy: ten}}": 'd.yaml:10: chips.Amy: "ten"; expected a whole number of 0 or '
    "more",
    f"{DEAL}chips: {{Amy: 1.5}}": 'd.yaml:10: chips.Amy: "1.5"; expected a whole number of 0 or '
    "more",
    f"{DEAL}set: {{surrender: 3}}": "d.yaml:10: set: a mapping; expected a list of key.path=value",
    f"{DEAL}set:\n- surrender": 'd.yaml:11: set: "surrender"; expected key.path=value',
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
    assert read_one(tmp_path, DEAL).seats == SEATS
    fault = read_fault(tmp_path, DEAL + "# more\n" * 20)
    assert fault == "d.yaml: more than 200 bytes; expected one deal a line"


# --- many deals ----------------------------------------------------------------------------------


def test_a_bad_deal_does_not_stop_the_others(tmp_path: Path) -> None:
    line = write_line(AMY_BOB)
    good = TableDeal(SEATS, Agreement(), "d.txt:1")
    content = f"{line}\nAmy: As; Bob\n\n{{\n{line}\n".encode() + b"\xff\n" + line.encode()
    assert read(tmp_path, content, "d.txt") == [
        good,
        BadLine(
            "d.txt:2",
            'Amy: cards: 1 card, expected 13; P2: cards: unknown rank "B" in "Bob" at column 10; '
            "expected a rank 2-9 T J Q K A or 10",
        ),
        BadLine(
            "d.txt:4",
            "not valid JSON: expecting property name enclosed in double quotes at column 2",
        ),
        good._replace(place="d.txt:5"),
        BadLine("d.txt:6", "not UTF-8 text (0xff at byte 1)"),
        good._replace(place="d.txt:7"),
    ]


def test_bad_json_lines_do_not_stop_the_others(tmp_path: Path) -> None:
    line = json.dumps({"players": [AMY_TEXT, BOB_TEXT]})
    lines = ['{"players": [', line, '{"dealr": 1}', '{"id": 1, "id": 2}', line]
    deals = read(tmp_path, "\n".join(lines), "d")
    assert [entry.place for entry in deals] == [f"d:{number}" for number in range(1, 6)]
    assert [isinstance(entry, TableDeal) for entry in deals] == [False, True, False, False, True]
    assert str(deals[0]) == "d:1: not valid JSON: expecting value at column 14"
    assert "dealer" in str(deals[2])
    assert str(deals[3]) == 'd:4: key "id" given twice'


def test_bad_yaml_deals_do_not_stop_the_others(tmp_path: Path) -> None:
    indented = "".join(f"  {line}\n" for line in DEAL.splitlines())
    good = f"-{indented[1:]}"
    content = f"{good}- {{id: 1, id: 2}}\n-\n- !x [[1], 2]\n{good}"
    deals = read(tmp_path, content)
    assert [entry.place.partition(":")[2] for entry in deals] == ["1", "10", "11", "12", "13"]
    assert [isinstance(entry, TableDeal) for entry in deals] == [True, False, False, False, True]
    assert str(deals[2]) == "d.yaml:11: nothing; expected a deal with players"


@pytest.mark.parametrize("terms_first", [True, False])
def test_terms_beside_the_deals(tmp_path: Path, terms_first: bool) -> None:
    terms = "ruleset: basic\nchips: {Amy: 9}\n"
    deals = f"deals:\n- {BOB_TEXT!r}\n- {AMY_TEXT!r}\n"
    path = tmp_path / "d.yaml"
    path.write_text(terms + deals if terms_first else deals + terms)
    with open_sheet(str(path)) as sheet:
        assert (sheet.many, sheet.agreement.ruleset) == (True, "basic")
        assert sheet.agreement.chips == {"Amy": 9}
        names = [deal.seats[0].name for deal in sheet.deals if isinstance(deal, TableDeal)]
    assert names == ["Bob", "Amy"]


def test_lines_are_read_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sender waits for an answer to every deal, so the end of the input never comes."""
    reader, writer = os.pipe()
    with os.fdopen(reader) as stdin, os.fdopen(writer, "w") as sender:
        monkeypatch.setattr(sys, "stdin", stdin)
        print(write_line(AMY_BOB), file=sender, flush=True)
        with open_sheet("-") as sheet:
            for number in (1, 2, 3):
                deal = next(sheet.deals)
                assert isinstance(deal, TableDeal)
                assert (deal.seats, deal.place) == (SEATS, f"stdin:{number}")
                print(write_line(AMY_BOB), file=sender, flush=True)


# --- terms at the table --------------------------------------------------------------------------

NAMED = tuple(Seat(name) for name in ("Anna", "Anna-Lena", "Bob", "Lena-Bob"))


def lay(seats: Sequence[Seat], *stakes: Stake, fixed: bool = True) -> dict[frozenset[str], int]:
    table = lay_table(seats, [], Layer(Agreement(stakes=stakes), fixed))
    return dict(table.stakes)


def test_names_with_hyphens() -> None:
    assert split_pair("a") == []
    three = NAMED[:3]
    assert lay(three, Stake("Anna-Lena-Bob", 5, "x")) == {frozenset(("Anna-Lena", "Bob")): 5}
    assert lay(three, Stake("Bob - Anna-Lena", 5, "x")) == {frozenset(("Anna-Lena", "Bob")): 5}
    with pytest.raises(PlacedError, match=r"^x: more than one pair of players can be meant$"):
        lay(NAMED, Stake("Anna-Lena-Bob", 5, "x"))
    with pytest.raises(PlacedError, match=r'^x: "Anna-Zoe-Bob" names no two players; expected two'):
        lay(three, Stake("Anna-Zoe-Bob", 5, "x"))
    with pytest.raises(PlacedError, match=r'^x: "Anna" names no two players; expected two of Anna'):
        lay(three, Stake("Anna", 5, "x"))
    assert lay(three, Stake("Anna-Zoe", 5, "x"), fixed=False) == {}


def test_what_goes_before_what() -> None:
    seats = (Seat("Amy", chips=1), Seat("Bob"), Seat("Cat"))
    stake = Stake("Amy-Bob", 2, "x")
    file = Agreement(chips={"Amy": 2, "Bob": 2, "Cat": 2}, dealer="Amy", stakes=(stake,))
    deal = Agreement(chips={"Bob": 3, "Cat": 3}, dealer="Bob", banker="Amy", pot={"Zoe": 1})
    over = Agreement(chips={"Cat": 4}, banker="Cat", stakes=(Stake("Bob-Amy", 9, "y"),))
    table = lay_table(seats, [Layer(file, True), Layer(deal, True)], Layer(over, True))
    assert [seat.chips for seat in table.seats] == [1, 3, 4]
    assert (table.dealer, table.banker) == ("Bob", "Cat")
    assert table.stakes == {frozenset(("Amy", "Bob")): 9}
    assert table.pot == {"Zoe": 1}


def test_who_is_not_seated() -> None:
    places = {"dealer": "d:3"}
    terms = Agreement(dealer="Zoe", scores={"Ann": 3}, origin="--", places=places)
    with pytest.raises(PlacedError) as caught:
        lay_table(NAMED[:3], [Layer(terms, True)], Layer(Agreement(), True))
    assert caught.value.place == "d:3"
    assert str(caught.value) == (
        '--dealer: "Zoe" is not seated; expected one of Anna, Anna-Lena, Bob; --scores: "Ann" is '
        'not seated; did you mean "Anna"?'
    )
