"""Files of deals as `cpoker score` reads them: every form, and every fault."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cp_cli.arrangement import Natural, Row, parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.cli.inputs import Fault
from cp_cli.cli.score_files import open_sheet
from cp_cli.cli.score_tables import Agreement, Stake, TableDeal
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement import BEST, Seat
from tests.score_deals import list_hands, read_entries, write_forms, write_line, write_yaml

AMY_BOB = list_hands("V03")
AMY, BOB = (parse_arrangement(hand) for hand in AMY_BOB.values())
SEATS = (Seat("Amy", AMY), Seat("Bob", BOB))
DEAL = write_yaml(AMY_BOB)
AMY_TEXT, BOB_TEXT = (f"{name}: {hand}" for name, hand in AMY_BOB.items())
THIRTEEN = "As Kd Qh Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s"


def read_one(folder: Path, content: str | bytes, name: str = "d.yaml") -> TableDeal:
    """Read the only deal of a file, which is a good one."""
    (deal,) = read_entries(folder, content, name)
    assert isinstance(deal, TableDeal), deal
    return deal


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


def test_fantasyland_is_said_or_not(tmp_path: Path) -> None:
    content = f"players:\n- {AMY_TEXT}\n- {BOB_TEXT}\n- {AMY_TEXT} fantasyland\n"
    content += "".join(
        f"- {{surrender: yes, fantasyland: {word}}}\n" for word in ("no", "true", "~")
    )
    seats = read_one(tmp_path, content).seats
    assert [seat.in_fantasyland for seat in seats] == [None, None, True, False, True, None]


def test_unnamed_players_take_the_next_free_number(tmp_path: Path) -> None:
    content = "players: [surrender, {surrender: yes}, 'P2: surrender', {name: P4, surrender: yes}]"
    names = [seat.name for seat in read_one(tmp_path, content).seats]
    assert names == ["P1", "P3", "P2", "P4"]
    (line,) = read_entries(tmp_path, "surrender; P1: surrender; surrender\n", "d.txt")
    assert isinstance(line, TableDeal)
    assert [seat.name for seat in line.seats] == ["P2", "P1", "P3"]


def test_the_rules_that_count_are_asked_for_their_naturals(tmp_path: Path) -> None:
    """Those of the deal before those beside the deals."""
    asked: list[list[str | None]] = []

    def find_ruleset(agreements: Sequence[Agreement]) -> Ruleset:
        asked.append([each.ruleset for each in agreements])
        return load_ruleset("malay")

    content = (
        "ruleset: basic\ndeals:\n- [natural=foo]\n- {players: {A: natural=foo}, ruleset: malay}\n"
    )
    content += "- {players: [{natural: foo}]}\n- natural=foo\n- natural=dragon\n"
    path = tmp_path / "d.yaml"
    path.write_text(content)
    with open_sheet(str(path), find_ruleset) as sheet:
        deals = list(sheet.deals)
    assert asked == [["basic", None], ["basic", "malay"], ["basic", None], ["basic", None]]
    for deal in deals[:4]:
        assert isinstance(deal, Fault)
        assert (
            'unknown natural "foo"; ruleset malay has three flushes, three straights, six'
            in deal.reason
        )
    assert isinstance(deals[4], TableDeal)


@pytest.mark.parametrize(
    "name", ["7", "yes", "No", "2001-01-01", "1e3", "0x1F", "12:30", "'~'", "null"]
)
def test_names_are_kept_as_they_are_written(tmp_path: Path, name: str) -> None:
    """But for no name at all, and a colon."""
    content = f"players:\n- {{name: {name}, surrender: yes}}\n- {BOB_TEXT}\n"
    if ":" in name:
        (fault,) = read_entries(tmp_path, content)
        assert isinstance(fault, Fault)
        assert "no colon" in fault.reason
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
    first, second = read_entries(tmp_path, content)
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


# --- many deals ----------------------------------------------------------------------------------


def test_a_bad_deal_does_not_stop_the_others(tmp_path: Path) -> None:
    line = write_line(AMY_BOB)
    good = TableDeal(SEATS, Agreement(), "d.txt:1")
    content = f"{line}\nAmy: As; Bob\n\n{{\n{line}\n".encode() + b"\xff\n" + line.encode()
    assert read_entries(tmp_path, content, "d.txt") == [
        good,
        Fault(
            "d.txt:2",
            'Amy: cards: 1 card, expected 13; P2: cards: unknown rank "B" in "Bob" at column 10; '
            "expected a rank 2-9 T J Q K A or 10",
        ),
        Fault(
            "d.txt:4",
            "not valid JSON: expecting property name enclosed in double quotes at column 2",
        ),
        good._replace(place="d.txt:5"),
        Fault("d.txt:6", "not UTF-8 text (0xff at byte 1)"),
        good._replace(place="d.txt:7"),
    ]


def test_bad_json_lines_do_not_stop_the_others(tmp_path: Path) -> None:
    line = json.dumps({"players": [AMY_TEXT, BOB_TEXT]})
    lines = ['{"players": [', line, '{"dealr": 1}', '{"id": 1, "id": 2}', line]
    deals = read_entries(tmp_path, "\n".join(lines), "d")
    assert [entry.place for entry in deals] == [f"d:{number}" for number in range(1, 6)]
    assert [isinstance(entry, TableDeal) for entry in deals] == [False, True, False, False, True]
    assert str(deals[0]) == "d:1: not valid JSON: expecting value at column 14"
    assert "dealer" in str(deals[2])
    assert str(deals[3]) == 'd:4: key "id" given twice'


def test_bad_yaml_deals_do_not_stop_the_others(tmp_path: Path) -> None:
    indented = "".join(f"  {line}\n" for line in DEAL.splitlines())
    good = f"-{indented[1:]}"
    content = f"{good}- {{id: 1, id: 2}}\n-\n- !x [[1], 2]\n{good}"
    deals = read_entries(tmp_path, content)
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
