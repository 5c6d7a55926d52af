"""Settlement against every worked example of vectors/vectors.json that settles something."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cp_cli.arrangement import Arrangement, Natural
from cp_cli.cards import RANKS, SUITS, parse_cards
from cp_cli.errors import TableError
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement import (
    BEST,
    Fantasyland,
    Ledger,
    Seat,
    Settlement,
    Table,
    Units,
    settle,
)
from tests.seating import (
    list_pairs,
    list_payments,
    list_units,
    read_rows,
    seat_hands,
    set_rest,
    sum_items,
)

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text("utf-8"))
DEALS = {deal["id"]: deal for deal in VECTORS["deals"] + VECTORS["money"] if "hands" in deal}
MONEY = {entry["id"]: entry for entry in VECTORS["money"]}


class Setting(NamedTuple):
    """What the name of a result means: a ruleset with changes, and what the table adds."""

    ruleset: str
    overrides: tuple[str, ...] = ()
    banker: str | None = None
    surrendered: str = ""


SURRENDER = ("surrender=1",)
R19 = ("royalties=wikipedia-two-four",)
BANK = ("mode=bank",)
SETTINGS = {
    "pagat-standard + sweep 3": Setting("pagat-standard", ("sweep.units=3",)),
    "pagat-standard + strict order": Setting("pagat-standard", ("order.equal_rows=foul",)),
    "royalties cancel (R19 option)": Setting("pagat-standard", ("royalties.cancel=true",)),
    "pagat-extras + overall": Setting("pagat-extras", ("overall.units=1",)),
    "pagat-extras + overall (overall: net)": Setting(
        "pagat-extras", ("overall.units=1", "overall.when=net")
    ),
    "two-four (overall: net)": Setting("two-four", ("overall.when=net",)),
    "two-four + R19 royalties": Setting("two-four", R19),
    "one-six + R19 royalties": Setting("one-six", R19),
    "open-face + strict order": Setting("open-face", ("order.equal_rows=foul",)),
    "wheel-second (row scoring basic)": Setting("basic", ("order.wheel=second",)),
    "low-middle (row scoring basic)": Setting("basic", ("order.middle=low27",)),
    "ante (R10), 3 each": Setting("ante"),
    "sole-winner (R07), 1 each": Setting("sole-winner"),
    "malay, B is bank": Setting("malay", banker="B"),
    "malay, Bank is bank": Setting("malay", banker="Bank"),
    "basic, A is bank": Setting("basic", BANK, banker="A"),
    "basic, B is bank": Setting("basic", BANK, banker="B"),
    "hawaiian-gardens, A surrenders before the showdown": Setting(
        "hawaiian-gardens", surrendered="A"
    ),
    "hawaiian-gardens, W surrenders": Setting("hawaiian-gardens", surrendered="W"),
    "hawaiian-gardens, E and W surrender": Setting("hawaiian-gardens", surrendered="EW"),
    "basic + surrender 1, W surrenders": Setting("basic", SURRENDER, surrendered="W"),
    "basic + overall + surrender 2, W surrenders": Setting(
        "basic", ("overall.units=1", "surrender=2"), surrendered="W"
    ),
    "two-four + surrender 3, W surrenders": Setting("two-four", ("surrender=3",), surrendered="W"),
}
SETTINGS |= {
    name: Setting(name)
    for name in (
        *("basic", "pagat-standard", "pagat-extras", "vietnamese", "singapore", "taiwanese"),
        *("hawaiian-gardens", "one-four", "two-four", "one-six", "open-face", "open-face-2013"),
    )
}
# Two results are no single legal deal and have tests of their own.
PRINTED_RANKS = "two-four, ranks as printed (B and D tie in front)"
TWO_DEALS = "sole-winner, this deal then the sweep deal (V with A sweeping)"
# Who announces a natural, from the titles of the deals.
ANNOUNCED = {"V22": ["D"], "V23": ["A", "B"], "V32": ["P2"]}


def load(name: str, *overrides: str) -> Ruleset:
    return load_cached(name, overrides)


@cache
def load_cached(name: str, overrides: tuple[str, ...]) -> Ruleset:
    return load_ruleset(name, overrides)


def lay_table(deal_id: str, **changes: Any) -> Table:
    """Return the table of a deal; `changes` are fields of its seats by player."""
    hands = DEALS[deal_id]["hands"]
    natural = dict.fromkeys(ANNOUNCED.get(deal_id, []), BEST)
    return Table(seat_hands(hands, natural=natural, **changes))


# --- deals ---------------------------------------------------------------------------------------

RESULTS = [(deal["id"], result) for deal in VECTORS["deals"] for result in deal["results"]]


def test_no_result_is_left_out() -> None:
    names = {result["ruleset"] for _, result in RESULTS}
    assert names == {*SETTINGS, PRINTED_RANKS, TWO_DEALS}
    assert set(MONEY) == set(MONEY_CHECKS)
    assert {entry["id"] for entry in VECTORS["fantasyland"]} == set(FANTASYLAND)
    fixed = {"id", "cards", "A", "B"}
    for entry in VECTORS["naturals"] + VECTORS["clashes"]:
        assert entry.keys() - fixed == set(NATURAL_TABLES)


@pytest.mark.parametrize(
    ("deal_id", "expected"),
    [
        pytest.param(deal_id, result, id=f"{deal_id}-{result['ruleset']}")
        for deal_id, result in RESULTS
        if result["ruleset"] in SETTINGS
    ],
)
def test_deal(deal_id: str, expected: dict[str, Any]) -> None:
    setting = SETTINGS[expected["ruleset"]]
    table = lay_table(deal_id, surrendered=dict.fromkeys(setting.surrendered, True))
    table = Table(table.seats, banker=setting.banker)
    done = settle(table, load(setting.ruleset, *setting.overrides))
    assert list_pairs(done) == expected["pairs"]
    assert list_units(done) == expected["totals"]
    for pair in done.pairs:
        assert sum(item.units for item in pair.items) == pair.units


def test_deal_with_ranks_as_printed() -> None:
    """D has a fifth six in front: no pack allows that, though each pair alone would be possible."""
    (expected,) = [result for _, result in RESULTS if result["ruleset"] == PRINTED_RANKS]
    hands = dict(DEALS["V05"]["hands"])
    hands["D"] = [["Ac", "Kd", "6c"], *hands["D"][1:]]
    with pytest.raises(TableError, match=r"more than once: 6c \([ABCD], [ABCD]\)"):
        settle(Table(seat_hands(hands)), load("two-four"))
    pairs: dict[str, Units] = {}
    for pair in expected["pairs"]:
        both = {name: read_rows(hands[name]) for name in pair.split("-")}
        known = {card for rows in both.values() for card in rows.cards}
        if len(known) < 26:
            six = next(card for card in parse_cards("6d 6h 6s") if card not in known)
            front = (*both["D"].front[:2], six)
            both["D"] = Arrangement(front, both["D"].middle, both["D"].back)
        seats = tuple(Seat(name, rows) for name, rows in both.items())
        pairs |= list_pairs(settle(Table(seats), load("two-four")))
    assert pairs == expected["pairs"]


def test_a_pot_that_nobody_won_is_carried() -> None:
    (expected,) = [result for _, result in RESULTS if result["ruleset"] == TWO_DEALS]
    ledger = Ledger()
    for deal_id, winner in (("V35", None), ("V21", "A")):
        done = settle(ledger.prepare(lay_table(deal_id)), load("sole-winner"))
        assert done.winner == winner
        ledger.add(done)
    assert ledger.balances == expected["totals"]
    assert ledger.pot == {}


# --- money ---------------------------------------------------------------------------------------


def check_chips(entry: dict[str, Any]) -> None:
    table = lay_table(entry.get("same_hands_as", entry["id"]), chips=entry["chips"])
    table = Table(table.seats, dealer=entry["dealer"])
    done = settle(table, load(entry["ruleset"]))
    assert list_payments(done, table) == entry["paid"]
    assert {player.name: player.chips for player in done.players} == entry["final"]
    assert {player.name: player.chips_before for player in done.players} == entry["chips"]


def check_ace_bet(entry: dict[str, Any]) -> None:
    values = f"aces={entry['values']}"
    assert len(entry["cases"]) == 2
    for case in entry["cases"]:
        table = lay_table(case["deal"])
        plain = list_units(settle(table, load("hawaiian-gardens")))
        done = settle(table, load("hawaiian-gardens", values))
        units = list_units(done)
        assert {name: units[name] - plain[name] for name in plain} == case["bonus"]
        assert units == case.get("with_hands", units)
        of_bet = dict.fromkeys(plain, 0)
        for pair in done.pairs:
            bet = sum(item.units for item in pair.items if item.reason == "aces")
            of_bet[pair.a.name] += int(bet)
            of_bet[pair.b.name] -= int(bet)
        assert of_bet == case["bonus"]


def check_criss_cross(entry: dict[str, Any]) -> None:
    owner = {hand: player for player, hands in entry["hands_of"].items() for hand in hands}
    table = lay_table(entry["deal"], owner=owner)
    for name, units in entry["result"].items():
        done = settle(table, load(name, "mode=criss_cross"))
        assert list_units(done) == {"X": units, "Y": -units}
        assert sorted(list_pairs(done)) == ["E-S", "E-W", "N-S", "N-W"]
        assert sum(pair.units for pair in done.pairs) == units


def check_row_pots(entry: dict[str, Any]) -> None:
    for case in entry["cases"]:
        done = settle(lay_table(case["deal"]), load("ante", f"ante={entry['ante']}"))
        assert list_units(done) == case["totals"]
        assert done.pairs == ()


def check_race(entry: dict[str, Any]) -> None:
    for case in entry["cases"]:
        done = settle(lay_table(case["deal"]), load("first-to-11"))
        points = {player.name: player.points for player in done.players if player.points}
        assert points == case["points"]
        assert set(list_units(done).values()) == {0}


def check_jackpot(entry: dict[str, Any]) -> None:
    done = settle(lay_table(entry["id"]), load(entry["ruleset"]))
    assert list_pairs(done) == entry["pairs"]
    assert done.jackpot == (entry["jackpot"],)


def check_rake(entry: dict[str, Any]) -> None:
    chips = dict.fromkeys(DEALS[entry["deal"]]["hands"], entry["chips"])
    table = lay_table(entry["deal"], chips=chips)
    done = settle(table, load(entry["ruleset"], f"rake={entry['rake']}"))
    assert {player.name: player.chips for player in done.players} == entry["final"]
    assert done.house == entry["house"]
    assert sum(list_units(done).values()) == -entry["house"]


MONEY_CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    "M01": check_chips,
    "M02": check_chips,
    "M04": check_ace_bet,
    "M06": check_criss_cross,
    "M07": check_row_pots,
    "M09": check_race,
    "M10": check_jackpot,
    "M11": check_rake,
}


@pytest.mark.parametrize("entry_id", MONEY)
def test_money(entry_id: str) -> None:
    MONEY_CHECKS[entry_id](MONEY[entry_id])


def swap_rows(seat: Seat) -> Seat:
    """Return a hand that fouls: its middle and back change places."""
    assert seat.arrangement is not None
    front, middle, back = seat.arrangement.rows
    return replace(seat, arrangement=Arrangement(front, back, middle))


@pytest.mark.parametrize(
    ("ruleset", "fouled", "expected"),
    [
        # B has the best front and back of the others, C the best middle.
        ("ante", "A", {"A": -3, "B": 5, "C": 1, "D": -3}),
        ("first-to-11", "A", {"A": 0, "B": 2, "C": 1, "D": 0}),
        ("sole-winner", "A", {"A": -1, "B": 3, "C": -1, "D": -1}),
        # The only hand in order has all rows, however weak.
        ("ante", "ABC", {"A": -3, "B": -3, "C": -3, "D": 9}),
        ("first-to-11", "ABC", {"A": 0, "B": 0, "C": 0, "D": 4}),
        ("sole-winner", "ABC", {"A": -1, "B": -1, "C": -1, "D": 3}),
        ("ante", "ABCD", dict.fromkeys("ABCD", 0)),
        ("first-to-11", "ABCD", dict.fromkeys("ABCD", 0)),
        ("sole-winner", "ABCD", dict.fromkeys("ABCD", 0)),
    ],
)
def test_a_fouled_hand_wins_no_row_of_the_table(
    ruleset: str, fouled: str, expected: dict[str, int]
) -> None:
    seats = [swap_rows(seat) if seat.name in fouled else seat for seat in lay_table("V21").seats]
    done = settle(Table(tuple(seats)), load(ruleset))
    assert "".join(hand.name for hand in done.hands if hand.foul) == fouled
    points = {player.name: player.points for player in done.players}
    assert (points if ruleset == "first-to-11" else list_units(done)) == expected


# Two more hands for the deal of M10, whose A loses every row to B alone; C and D lose to both.
WEAK = {
    "C": "Jc 6c 5c / Ac Kc 8c 4s 3s / 2c 2s Qc Jd Td",
    "D": "Js Th 5s / Ks 9h 6h 5h 2h / 4h 4d 3h 3d Ah",
}


@pytest.mark.parametrize(
    ("overrides", "banker", "owner", "jackpot"),
    [
        ([], None, {}, ("A",)),
        # A and C are the hands of one player, B and D of the other.
        (["mode=criss_cross"], None, {"A": "X", "B": "Y", "C": "X", "D": "Y"}, ("A",)),
        # A and B are of one player: they do not meet.
        (["mode=criss_cross"], None, {"A": "X", "B": "X", "C": "Y", "D": "Y"}, ()),
        (BANK, "B", {}, ("A",)),
        (BANK, "A", {}, ("A",)),
        # Both play against the bank only.
        (BANK, "C", {}, ()),
    ],
)
def test_a_jackpot_needs_somebody_who_wins_the_rows(
    overrides: list[str], banker: str | None, owner: dict[str, str], jackpot: tuple[str, ...]
) -> None:
    seats = seat_hands({**DEALS["M10"]["hands"], **WEAK}, owner=owner)
    done = settle(Table(seats, banker=banker), load("hawaiian-gardens", *overrides))
    assert [hand.foul for hand in done.hands] == [None] * 4
    assert done.jackpot == jackpot


# --- naturals ------------------------------------------------------------------------------------

NATURAL_TABLES = {
    "pagat-standard": "pagat-standard",
    "vietnamese": "vietnamese",
    "hawaiian-gardens": "hawaiian-gardens",
    "malay": "malay",
    "wikipedia": "wikipedia-two-four",
}
NATURAL_WORDS = {  # where the vectors do not use the name in a ruleset
    "complete straight": "dragon",
    "12 + 1 colours": "twelve_one_colour",
    "five pairs + trips": "five_pairs_trips",
    "four triples": "four_trips",
    "no Broadway (optional)": "no_pictures",
    "six and a half pairs": "six_pairs",
}


def settle_naturals(seats: tuple[Seat, ...], column: str) -> Settlement:
    """Settle under the ruleset of a column of the vectors; where it has a bank, A holds it."""
    ruleset = load(NATURAL_TABLES[column])
    return settle(Table(seats, banker="A" if ruleset.mode == "bank" else None), ruleset)


@pytest.mark.parametrize("column", NATURAL_TABLES)
@pytest.mark.parametrize("entry", VECTORS["naturals"], ids=lambda entry: entry["id"])
def test_natural_against_a_plain_hand(entry: dict[str, Any], column: str) -> None:
    cards = parse_cards(" ".join(entry["cards"]))
    plain = set_rest(cards)
    seats = (Seat("A", cards=cards, natural=BEST), Seat("B", plain))
    if entry[column] == "-":
        with pytest.raises(TableError, match="A: declares a natural, but the cards hold none"):
            settle_naturals(seats, column)
        return
    words, _, units = entry[column].rpartition(" ")
    natural = Natural(NATURAL_WORDS.get(words, words.replace(" ", "_")))
    done = settle_naturals(seats, column)
    assert list_pairs(done) == {"A-B": int(units)}
    assert sum_items(done, "A-B") == {("natural", None): int(units)}
    assert done.hands[0].natural == (natural, int(units))
    # By name, from the other side of the table.
    named = Seat("B", cards=cards, natural=natural)
    done = settle_naturals((Seat("A", plain), named), column)
    assert list_pairs(done) == {"A-B": -int(units)}


@pytest.mark.parametrize("column", NATURAL_TABLES)
@pytest.mark.parametrize("entry", VECTORS["clashes"], ids=lambda entry: entry["id"])
def test_clash_of_two_naturals(entry: dict[str, Any], column: str) -> None:
    one, two = (parse_cards(" ".join(entry[name])) for name in "AB")
    for first, second, sign in ((one, two, 1), (two, one, -1)):
        seats = (Seat("A", cards=first, natural=BEST), Seat("B", cards=second, natural=BEST))
        assert list_pairs(settle_naturals(seats, column)) == {"A-B": sign * entry[column]}


# --- mis-set hands -------------------------------------------------------------------------------

ORDERS = {
    "default": (),
    "strict": ("order.equal_rows=foul",),
    "wheel_second": ("order.wheel=second",),
    "low_middle": ("order.middle=low27",),
}


def lose_all_rows(rows: Arrangement, *overrides: str) -> bool:
    """Settle a hand against a plain one; a foul pays 13 for three rows and nothing else."""
    plain = set_rest(rows.cards)
    seats = (Seat("A", rows), Seat("B", plain))
    done = settle(Table(seats), load("basic", "foul.pays=13", *overrides))
    fouled = done.hands[0].foul is not None
    assert (list_pairs(done) == {"A-B": -13}) is fouled
    assert ("foul" in {item.reason for item in done.pairs[0].items}) is fouled
    return fouled


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("entry", VECTORS["whole_hands"], ids=lambda entry: entry["id"])
def test_whole_hand(entry: dict[str, Any], order: str) -> None:
    assert lose_all_rows(read_rows(entry["rows"]), *ORDERS[order]) is not entry[order]


@pytest.mark.parametrize("entry", VECTORS["front_middle"], ids=lambda entry: entry["id"])
def test_front_against_middle(entry: dict[str, Any]) -> None:
    known = entry["front"] + entry["middle"]
    # A straight flush in the back is never the reason of a foul.
    flushes = [[rank + suit for rank in RANKS[at : at + 5]] for suit in SUITS for at in range(8)]
    back = next(row for row in flushes if not set(row) & set(known))
    assert lose_all_rows(read_rows([entry["front"], entry["middle"], back])) is not entry["legal"]


# --- fantasyland ---------------------------------------------------------------------------------

# V14, whose hands some entries name, is not among the vectors: these are hands like them.
KINGS_AND_QUADS = "Ks Kd 4c / As Ad 9s 9d 3c / 7s 7h 7d 7c 2h"
QUEENS_ONLY = "Qs Qd 4c / As Ad 9s 9d 3c / Ah Jh 8h 5h 2h"
LANDS = ("open-face", "pineapple", "progressive-pineapple")
# The hand, whether it is in fantasyland already, and cards of the next deal (0: an ordinary one)
# in classic, pineapple and progressive; None where the entry says nothing.
FANTASYLAND: dict[str, list[tuple[str, bool, tuple[int | None, ...]]]] = {
    "F01": [("V04 P1", False, (13, 14, 14))],
    "F02": [("V28 A", False, (0, 0, 0))],
    "F03": [(KINGS_AND_QUADS, False, (None, None, 15))],
    "F04": [("V13 A", False, (None, None, 16))],
    "F05": [("V01 A", False, (None, None, 17)), ("V01 A", True, (13, 14, 14))],
    "F06": [(KINGS_AND_QUADS, True, (13, 14, 14))],
    "F07": [(QUEENS_ONLY, True, (0, 0, 0))],
    "F08": [("V06 S", True, (13, 0, None))],
}


def find_rows(name: str) -> Arrangement:
    if "/" in name:
        return read_rows([row.split() for row in name.split("/")])
    deal_id, player = name.split()
    return read_rows(DEALS[deal_id]["hands"][player])


@pytest.mark.parametrize("entry_id", FANTASYLAND)
def test_fantasyland(entry_id: str) -> None:
    for name, inside, expected in FANTASYLAND[entry_id]:
        rows = find_rows(name)
        plain = set_rest(rows.cards)
        seats = (Seat("A", rows, in_fantasyland=inside), Seat("B", plain))
        for land, cards in zip(LANDS, expected, strict=True):
            found = settle(Table(seats), load(land)).hands[0].fantasyland
            if cards is not None:
                assert found == (Fantasyland(cards, stays=inside) if cards else None)
