"""Settled deals for programs: JSON that adds up, CSV records that add up."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.arrangement import ROW_NAMES
from cp_cli.cards import format_card
from cp_cli.render import (
    SETTLEMENT_COLUMNS,
    build_settlement_document,
    list_settlement_records,
)
from cp_cli.settlement import Money, Player, settle
from tests.rule_strategies import load_rules
from tests.settled_deals import CASES, EURO, draw, every_case, every_pair
from tests.sizes import try_examples
from tests.table_strategies import Spec, build_table, draw_tables
from tests.test_settle_vectors import lay_table, load

HAND_KEYS = {
    *("foul", "natural", "surrendered", "front", "middle", "back", "names", "royalties"),
    "fantasyland",
}
PLAYER_KEYS = {"name", "units", "chips", "chips_before", "items"}
TOP_KEYS = {
    *("ruleset", "players", "pairs", "transfers", "banker", "house", "pot", "winner", "jackpot"),
    "notes",
}


def read_units(document: dict[str, Any]) -> Fraction:
    """Return units exactly; `exact` is there where they are not whole, and only there."""
    units = Fraction(document.get("exact", document["units"]))
    assert ("exact" in document) is (units.denominator > 1)
    assert float(units) == document["units"]
    return units


def check_exact_sums(document: dict[str, Any]) -> None:
    """The same sums to the last third of a unit."""
    units = {player["name"]: read_units(player) for player in document["players"]}
    assert sum(units.values()) == -document["house"]
    for player in document["players"]:
        units[player["name"]] -= sum(map(read_units, player["items"]))
    for pair in document["pairs"]:
        assert sum(map(read_units, pair["items"])) == read_units(pair)
        units[pair["a"]] -= read_units(pair)
        units[pair["b"]] += read_units(pair)
    assert set(units.values()) == {0}
    for transfer in document["transfers"]:
        assert read_units(transfer) > 0


def check_sums(document: dict[str, Any]) -> None:
    """Items add up to pairs, pairs and own items to players, players to what the house takes."""
    units = {player["name"]: player["units"] for player in document["players"]}
    sums = dict.fromkeys(units, 0.0)
    for player in document["players"]:
        sums[player["name"]] += sum(item["units"] for item in player["items"])
    for pair in document["pairs"]:
        assert sum(item["units"] for item in pair["items"]) == pair["units"]
        sums[pair["a"]] += pair["units"]
        sums[pair["b"]] -= pair["units"]
    assert sums == pytest.approx(units)
    assert sum(units.values()) == pytest.approx(-document["house"])
    for transfer in document["transfers"]:
        sums[transfer["from"]] += transfer["units"]
        if transfer["to"] != "house":
            sums[transfer["to"]] -= transfer["units"]
    assert sums == pytest.approx(dict.fromkeys(units, 0), abs=1e-9)


@try_examples(100, 20)
@given(draw_tables())
def test_documents_of_any_table_add_up(spec: Spec) -> None:
    ruleset = load_rules(spec["rules"])
    document = build_settlement_document(settle(build_table(spec), ruleset), ruleset)
    check_sums(document)
    check_exact_sums(document)


@every_case
def test_document_adds_up(name: str) -> None:
    done, ruleset = CASES[name]
    document = build_settlement_document(done, ruleset)
    assert document.keys() == TOP_KEYS
    check_sums(document)
    check_exact_sums(document)
    for pair in document["pairs"]:
        for item in pair["items"]:
            assert item.keys() == {"reason", "row", "units"}  # pairs pay whole units
            assert item["row"] in (None, *ROW_NAMES)


@every_pair
def test_document_has_the_worked_units(deal_id: str, expected: dict[str, Any]) -> None:
    done, ruleset = CASES[f"{deal_id}-{expected['ruleset']}"]
    document = build_settlement_document(done, ruleset)
    pairs = {f"{pair['a']}-{pair['b']}": pair["units"] for pair in document["pairs"]}
    assert pairs == expected["pairs"]
    assert {each["name"]: each["units"] for each in document["players"]} == expected["totals"]


@every_case
def test_document_tells_the_hands(name: str) -> None:
    done, ruleset = CASES[name]
    document = build_settlement_document(done, ruleset, explain=True, label="deal 7")
    assert document["id"] == "deal 7"
    crossed = ruleset.mode == "criss_cross"
    extra = {"hands"} if crossed else HAND_KEYS
    extra = extra | ({"points", "score"} if ruleset.mode == "race" else set())
    told: dict[str, Any] = {}
    for player in document["players"]:
        own = {"foul", "natural", "surrendered"} if crossed else set()
        assert player.keys() - {"exact"} == PLAYER_KEYS | extra | own
        told |= {hand["name"]: hand for hand in player.get("hands", [player])}
    for hand in done.hands:
        words = told[hand.name]
        assert words["foul"] == hand.foul
        assert words["surrendered"] is hand.surrendered
        assert words["natural"] == (hand.natural[0].value if hand.natural else None)
        if hand.arrangement:
            cards = [[format_card(card) for card in row] for row in hand.arrangement.rows]
            assert [words[row] for row in ROW_NAMES] == cards
            assert words["names"].keys() == set(ROW_NAMES)
        assert tuple(words["royalties"].values()) == hand.royalties
    items = [item for pair in document["pairs"] for item in pair["items"]]
    assert all(item["text"] for item in items)
    plain = {key: value for key, value in document.items() if key not in ("id", "pairs")}
    assert {**plain, "pairs": 0} == {**build_settlement_document(done, ruleset), "pairs": 0}


def test_document_of_hands_without_rows() -> None:
    table = lay_table("V22")
    cards = table.seats[3].held
    seats = (*table.seats[:3], replace(table.seats[3], arrangement=None, cards=cards))
    ruleset = load("taiwanese")
    document = build_settlement_document(settle(replace(table, seats=seats), ruleset), ruleset)
    player = document["players"][3]
    assert player["natural"] == "six_pairs"
    assert [player[key] for key in ("front", "middle", "back", "names")] == [None] * 4


def test_document_of_a_crossed_deal() -> None:
    settled, ruleset = CASES["criss-cross"]
    document = build_settlement_document(settled, ruleset)
    assert [player["name"] for player in document["players"]] == ["X", "Y"]
    assert [hand["name"] for hand in document["players"][0]["hands"]] == ["N", "E"]
    pairs = {(pair["a_hand"], pair["b_hand"]): pair for pair in document["pairs"]}
    assert pairs["N", "W"]["units"] == 6
    assert {(pair["a"], pair["b"]) for pair in pairs.values()} == {("X", "Y")}


def test_money_in_documents() -> None:
    done, ruleset = CASES["everything"]
    document = build_settlement_document(done, ruleset, money=EURO)
    assert (document["unit"], document["currency"]) == (0.25, "EUR")
    for each in (*document["players"], *document["pairs"], *document["transfers"]):
        assert each["money"] == each["units"] / 4


COINS = st.sampled_from([Decimal(text) for text in ("0.01", "0.05", "0.25", "1", "0.333", "20")])


@try_examples(100, 20)
@given(draw_tables(), COINS)
def test_money_adds_up_and_is_settled(spec: Spec, unit: Decimal) -> None:
    """What players have, what pairs pay and what settles it agree to the smallest coin."""
    ruleset = load_rules(spec["rules"])
    done = settle(build_table(spec), ruleset)
    document = build_settlement_document(done, ruleset, money=Money(unit, "EUR"))
    money = {each["name"]: Decimal(str(each["money"])) for each in document["players"]}
    assert sum(money.values()) == -document["house"] * unit
    for player in document["players"]:
        difference = Fraction(money[player["name"]]) - Fraction(unit) * read_units(player)
        assert abs(difference) < Fraction(1, 100)
    for pair in document["pairs"]:
        assert Decimal(str(pair["money"])) == pair["units"] * unit
    for each in document.get("money_transfers") or document["transfers"]:
        amount = Decimal(str(each.get("money", 0)))  # none where all owe less than a coin
        money[each["from"]] += amount
        if each["to"] != "house":
            money[each["to"]] -= amount
    assert set(money.values()) == {0}


THIRDS = {"A": Fraction(-1, 3), "B": Fraction(-1, 3), "C": Fraction(7, 3), "D": Fraction(-5, 3)}


def test_payments_in_money_that_are_others_than_in_units() -> None:
    """With a unit of a cent A and B owe less than half a cent: only D pays, 2 cents."""
    players = tuple(Player(name, units) for name, units in THIRDS.items())
    done, ruleset = replace(CASES["row pots"][0], players=players), CASES["row pots"][1]
    document = build_settlement_document(done, ruleset, money=Money(Decimal("0.01")))
    assert {(each["from"], each["to"], each["exact"]) for each in document["transfers"]} == {
        ("D", "C", "5/3"), ("A", "C", "1/3"), ("B", "C", "1/3")
    }  # fmt: skip
    assert document["money_transfers"] == [{"from": "D", "to": "C", "money": 0.02}]
    assert not any("money" in each for each in document["transfers"])
    lines = draw(done, ruleset, money=Money(Decimal("0.01"), "EUR"))
    start = lines.index("to settle up")
    assert lines[start + 1 : start + 3] == ["  D pays C 0.02 EUR", ""]
    document = build_settlement_document(done, ruleset, money=Money(Decimal(1)))
    assert "money_transfers" not in document
    assert {each["from"]: each["money"] for each in document["transfers"]} == {
        "A": 0.33, "B": 0.33, "D": 1.67
    }  # fmt: skip
    few = replace(done, players=(Player("A", Fraction(1, 3)), Player("B", Fraction(-1, 3))))
    lines = draw(few, ruleset, money=Money(Decimal("0.01")))
    assert "nobody owes anything that can be paid in money" in lines


def test_document_of_pots_and_races() -> None:
    document = build_settlement_document(*CASES["carried"])
    assert document["pot"] == {"A": 3, "B": 1, "C": 1, "D": 1, "Zoe": 3}
    assert (document["winner"], document["pairs"], document["transfers"]) == (None, [], [])
    assert document["players"][4]["front"] is None
    document = build_settlement_document(*CASES["race"])
    assert document["winner"] == "A"
    assert [(each["points"], each["score"]) for each in document["players"]][:2] == [
        (4, 11),
        (0, 9),
    ]
    document = build_settlement_document(*CASES["row pots"])
    assert [each["units"] for each in document["players"]] == [4.5, -1.5, -3]
    document = build_settlement_document(*CASES["jackpot"])
    assert document["jackpot"] == ["A"]
    document = build_settlement_document(*CASES["chips"])
    chips = [(each["chips_before"], each["chips"]) for each in document["players"]]
    assert chips == [(8, 12), (20, 2), (20, 29), (20, 25)]
    document = build_settlement_document(*CASES["V04-open-face"])
    assert document["players"][0]["fantasyland"] == {"cards": 13, "stays": False}
    assert document["players"][1]["fantasyland"] is None


@every_case
def test_records_add_up(name: str) -> None:
    done, _ = CASES[name]
    sums: dict[str, float] = {player.name: 0.0 for player in done.players}
    between: Counter[tuple[str, str]] = Counter()
    for record in list_settlement_records(done, "7"):
        fields: dict[str, Any] = dict(zip(SETTLEMENT_COLUMNS, record, strict=True))
        assert fields["deal"] == "7"
        sums[fields["player"]] += fields["units"]
        if fields["opponent"]:
            between[fields["player"], fields["opponent"]] += fields["units"]
        else:
            assert fields["reason"] in ("ante", "pot", "rake")
    assert sums == pytest.approx({player.name: float(player.units) for player in done.players})
    assert all(between[b, a] == -units for (a, b), units in list(between.items()))
    if done.pairs:
        assert any(between.values())
