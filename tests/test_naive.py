"""The oracle against every worked example that it can express.

The expected values are those of ``vectors/vectors.json`` and ``vectors/cases.md``.
"""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from tests import naive
from tests.naive import parse_cards
from tests.naive_rules import NATURALS, RULES, Rules, change

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text("utf-8"))
DEALS = {deal["id"]: deal for deal in VECTORS["deals"] + VECTORS["money"]}

# Rulesets of the vectors that name a player: the ruleset and what the table adds.
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "ante (R10), 3 each": ("ante", {}),
    "sole-winner (R07), 1 each": ("sole-winner", {}),
    "malay, B is bank": ("malay", {"banker": "B"}),
    "malay, Bank is bank": ("malay", {"banker": "Bank"}),
    "basic, A is bank": ("basic + bank", {"banker": "A"}),
    "basic, B is bank": ("basic + bank", {"banker": "B"}),
    "hawaiian-gardens, A surrenders before the showdown": ("hawaiian-gardens", {"surrender": "A"}),
    "hawaiian-gardens, W surrenders": ("hawaiian-gardens", {"surrender": "W"}),
    "hawaiian-gardens, E and W surrender": ("hawaiian-gardens", {"surrender": "EW"}),
    "basic + surrender 1, W surrenders": ("basic + surrender 1", {"surrender": "W"}),
    "basic + overall + surrender 2, W surrenders": (
        "basic + overall + surrender 2",
        {"surrender": "W"},
    ),
    "two-four + surrender 3, W surrenders": ("two-four + surrender 3", {"surrender": "W"}),
}
# Who announces a natural, from the titles of the deals.
ANNOUNCED = {"V22": ["D"], "V23": ["A", "B"], "V32": ["P2"]}
# Two entries that are no single legal deal have tests of their own.
PRINTED_RANKS = "two-four, ranks as printed (B and D tie in front)"
TWO_DEALS = "sole-winner, this deal then the sweep deal (V with A sweeping)"


def read_rows(texts: list[list[str]]) -> naive.Rows:
    front, middle, back = (parse_cards(row) for row in texts)
    return front, middle, back


def split(text: str) -> naive.Rows:
    """Rows of ``F / M / B``."""
    return read_rows([row.split() for row in text.split("/")])


def make_table(deal_id: str, rules: Rules, **extra: Any) -> dict[str, Any]:
    players: list[dict[str, Any]] = []
    for name, texts in DEALS[deal_id]["hands"].items():
        front, middle, back = read_rows(texts)
        player: dict[str, Any] = {"name": name, "front": front, "middle": middle, "back": back}
        player["natural"] = name in ANNOUNCED.get(deal_id, [])
        player["surrender"] = name in extra.get("surrender", "")
        player["chips"] = extra.get("chips", {}).get(name)
        player["owner"] = extra.get("owners", {}).get(name)
        players.append(player)
    known: dict[str, Any] = {
        key: extra[key] for key in ("dealer", "banker", "stakes", "pot") if key in extra
    }
    return {"rules": rules, "players": players, **known}


def settle(deal_id: str, rules: Rules, **extra: Any) -> dict[str, Any]:
    return naive.settle(make_table(deal_id, rules, **extra))


DEAL_RESULTS = [
    pytest.param(deal["id"], result, id=f"{deal['id']}-{result['ruleset']}")
    for deal in VECTORS["deals"]
    for result in deal["results"]
    if result["ruleset"] not in (PRINTED_RANKS, TWO_DEALS)
]


@pytest.mark.parametrize(("deal_id", "expected"), DEAL_RESULTS)
def test_deal(deal_id: str, expected: dict[str, Any]) -> None:
    name, extra = TABLES.get(expected["ruleset"], (expected["ruleset"], {}))
    result = settle(deal_id, RULES[name], **extra)
    assert result["pairs"] == expected["pairs"]
    assert result["totals"] == expected["totals"]
    assert sum(result["totals"].values()) == 0
    for pair, items in result["items"].items():
        assert sum(item["units"] for item in items) == result["pairs"][pair]


def test_deal_with_ranks_as_printed() -> None:
    """V05 with the fifth six: no legal pack, so pair by pair."""
    (expected,) = [
        result for result in DEALS["V05"]["results"] if result["ruleset"] == PRINTED_RANKS
    ]
    hands = {name: read_rows(rows) for name, rows in DEALS["V05"]["hands"].items()}
    hands["D"] = (parse_cards("Ac Kd 6c"), *hands["D"][1:])
    pairs = {
        f"{a}-{b}": naive.pair_units(hands[a], hands[b], RULES["two-four"])
        for a, b in combinations(hands, 2)
    }
    assert pairs == expected["pairs"]


def test_sole_winner_pot_is_carried() -> None:
    (expected,) = [result for result in DEALS["V35"]["results"] if result["ruleset"] == TWO_DEALS]
    first = settle("V35", RULES["sole-winner"])
    assert sum(first["pot"].values()) == 4
    second = settle("V21", RULES["sole-winner"], pot=first["pot"])
    assert second["totals"] == expected["totals"]
    assert second["winner"] == "A"


# --- money ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry_id", ["M01", "M02"])
def test_chips_in_front(entry_id: str) -> None:
    entry = DEALS[entry_id]
    result = settle(
        entry.get("same_hands_as", entry_id),
        RULES[entry["ruleset"]],
        dealer=entry["dealer"],
        chips=entry["chips"],
    )
    assert result["payments"] == entry["paid"]
    assert result["chips"] == entry["final"]


@pytest.mark.parametrize("case", DEALS["M04"]["cases"], ids=lambda case: case["deal"])
def test_ace_side_bet(case: dict[str, Any]) -> None:
    aces = DEALS["M04"]["values"]
    plain = settle(case["deal"], RULES["hawaiian-gardens"])["totals"]
    with_aces = settle(case["deal"], change("hawaiian-gardens", aces=aces))["totals"]
    assert {name: with_aces[name] - plain[name] for name in plain} == case["bonus"]
    assert with_aces == case.get("with_hands", with_aces)


def test_ace_bet_runs_against_naturals_and_surrenders() -> None:
    """A23; B of V23 holds two aces, A and C one, D none."""
    rules = change("hawaiian-gardens", aces=[0, 1, 2, 6, 8])
    result = settle("V23", rules, surrender="D")
    aces = {
        pair: [item["units"] for item in items if item["reason"] == "aces"]
        for pair, items in result["items"].items()
    }
    assert aces == {"A-B": [-1], "A-C": [], "A-D": [1], "B-C": [1], "B-D": [2], "C-D": [1]}


@pytest.mark.parametrize("name", DEALS["M06"]["result"])
def test_criss_cross(name: str) -> None:
    entry = DEALS["M06"]
    owners = {hand: owner for owner, hands in entry["hands_of"].items() for hand in hands}
    result = settle(entry["deal"], change(name, mode="criss_cross"), owners=owners)
    assert result["pairs"] == {"X-Y": entry["result"][name]}
    assert sorted(result["hand_pairs"]) == ["E-S", "E-W", "N-S", "N-W"]


@pytest.mark.parametrize("case", DEALS["M07"]["cases"], ids=lambda case: case["deal"])
def test_row_pots(case: dict[str, Any]) -> None:
    assert settle(case["deal"], RULES["ante"])["totals"] == case["totals"]


@pytest.mark.parametrize("case", DEALS["M09"]["cases"], ids=lambda case: case["deal"])
def test_race_points(case: dict[str, Any]) -> None:
    points = settle(case["deal"], RULES["race"])["points"]
    assert {name: count for name, count in points.items() if count} == case["points"]


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ({"A": 10, "B": 3}, None),
        ({"A": 11, "B": 10}, "A"),
        ({"A": 12, "B": 11}, "A"),
        ({"A": 11, "B": 11}, None),
    ],
)
def test_race_winner(scores: dict[str, int], winner: str | None) -> None:
    """A30: if two reach 11 together the higher wins, else play on."""
    assert naive.race_winner(scores, 11) == winner


def test_jackpot_event() -> None:
    entry = DEALS["M10"]
    result = settle("M10", RULES[entry["ruleset"]])
    assert result["pairs"] == entry["pairs"]
    assert result["jackpot"] == [entry["jackpot"]]


def test_rake() -> None:
    entry = DEALS["M11"]
    chips = dict.fromkeys(DEALS[entry["deal"]]["hands"], entry["chips"])
    result = settle(entry["deal"], change(entry["ruleset"], rake=entry["rake"]), chips=chips)
    assert result["chips"] == entry["final"]
    assert result["house"] == entry["house"]


def test_stakes_by_pair() -> None:
    """R16: A-B 100 a unit, other pairs 10; V21 settles A-B 4, A-C 4, B-C 1 in one-four."""
    rules = change("one-four", stakes={"default": 10, "pairs": {"B-A": 100}})
    pairs = settle("V21", rules)["pairs"]
    assert pairs == {"A-B": 400, "A-C": 40, "A-D": 40, "B-C": 10, "B-D": 40, "C-D": 40}
    pairs = settle("V21", RULES["one-four"], stakes={"B-C": 5})["pairs"]
    assert (pairs["A-B"], pairs["B-C"]) == (4, 5)


# --- modifiers without a vector, amounts worked out from the rules text -------------------------


@pytest.mark.parametrize(
    ("deal_id", "name", "keys", "units"),
    [
        # R05: quads 5, straight flush 6 in R02: 1 + 6 + 5.
        ("V13", "pagat-standard", {"middle_extra": 1}, 12),
        # R05 on a table without royalties: a point more than the row.
        ("V13", "basic", {"middle_extra": 1}, 4),
        # sweep.scope: 3 rows twice, extras once; with scope all (3 + 15) x 2.
        ("V13", "hawaiian-gardens", {"sweep": {"times": 2, "scope": "rows"}}, 21),
        ("V13", "hawaiian-gardens", {"sweep": {"times": 2}}, 36),
        # V09: two rows won, one tied (A04).
        ("V09", "one-six", {"sweep": {"units": 3, "tie_counts": True}}, 5),
        ("V09", "taiwanese", {"sweep": {"times": 2, "tie_counts": True}}, 4),
        # V11: one row won, two tied is no majority, but it is more rows (A13).
        ("V11", "two-four", {"overall": {"units": 1, "when": "more_rows"}}, 2),
        # V01: one royalty a player. A shows trips 3 in front against the full house 2,
        # B quads 4 in the back against the full house in the middle: -1 +3 -4.
        (
            "V01",
            "hawaiian-gardens",
            {"royalties": {**RULES["hawaiian-gardens"]["royalties"], "max_per_hand": 1}},
            -2,
        ),
        # R19: nothing announced, so only rows and the sweep.
        (
            "V13",
            "hawaiian-gardens",
            {"royalties": {**RULES["hawaiian-gardens"]["royalties"], "declare": "required"}},
            6,
        ),
        # R21: no middle royalties when the middle is played for low; B's two pair wins there.
        ("V13", "hawaiian-gardens", {"order": {"middle": "low27"}}, 1 + 5),
    ],
)
def test_modifier(deal_id: str, name: str, keys: dict[str, Any], units: int) -> None:
    assert settle(deal_id, change(name, **keys))["pairs"] == {"A-B": units}


@pytest.mark.parametrize(
    ("foul", "units"),
    [
        ({"pays": "scoop", "royalties": True}, 15),
        ({"pays": "scoop", "royalties": False}, 6),
        ({"pays": "rows", "royalties": True}, 12),
        ({"pays": "rows", "royalties": False}, 3),
        ({"pays": 5, "royalties": True}, 14),
        ({"pays": 5, "royalties": False}, 5),
    ],
)
def test_what_a_foul_pays(foul: dict[str, Any], units: int) -> None:
    """B of V28 has royalties of 9 (queens 7, straight 2); A and C foul."""
    result = settle("V28", change("open-face", foul=foul))
    assert result["pairs"] == {"A-B": -units, "A-C": 0, "B-C": units}
    assert sorted(result["fouls"]) == ["A", "C"]


def test_fouled_hand_counts_as_swept() -> None:
    """Item 18: A of V21 sweeps B, C and a D that fouls: 6 + 3 from each in R15."""
    table = make_table("V21", RULES["hawaiian-gardens"])
    swapped = table["players"][3]
    swapped["middle"], swapped["back"] = swapped["back"], swapped["middle"]
    result = naive.settle(table)
    assert result["fouls"] == {"D": "middle beats back"}
    assert [result["pairs"][f"A-{name}"] for name in "BCD"] == [9, 9, 9]


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("ante", "totals", {"A": -3, "B": 5, "C": 1, "D": -3}),
        ("race", "points", {"A": 0, "B": 2, "C": 1, "D": 0}),
        ("sole-winner", "totals", {"A": -1, "B": 3, "C": -1, "D": -1}),
    ],
)
def test_fouled_hand_wins_no_row_of_the_table(
    name: str, key: str, expected: dict[str, int]
) -> None:
    """R07, R10, R24: A of V21 fouls; B has the best front and back of the others, C the middle."""
    table = make_table("V21", RULES[name])
    swapped = table["players"][0]
    swapped["middle"], swapped["back"] = swapped["back"], swapped["middle"]
    assert naive.settle(table)[key] == expected


def test_surrendered_hand_is_not_swept() -> None:
    """A22: with a surrender at the table there are no nines."""
    result = settle("V21", RULES["hawaiian-gardens"], surrender="D")
    assert [result["pairs"][f"A-{name}"] for name in "BCD"] == [6, 6, 3]


def test_natural_is_paid_by_fouled_and_surrendered_hands() -> None:
    """Item 12, item 11: D of V22 has six pairs, 4 in R15; C surrenders, B fouls."""
    table = make_table("V22", RULES["hawaiian-gardens"], surrender="C")
    swapped = table["players"][1]
    swapped["middle"], swapped["back"] = swapped["back"], swapped["middle"]
    result = naive.settle(table)
    assert result["pairs"] == {"A-B": 6, "A-C": 3, "A-D": -4, "B-C": 0, "B-D": -4, "C-D": -4}


def test_natural_pairs_are_paid_first_from_the_chips() -> None:
    """R15: C of V22 has 5 chips; D's natural takes 4 of them before A and B may collect."""
    result = settle("V22", RULES["hawaiian-gardens"], chips={"A": 50, "B": 50, "C": 5, "D": 50})
    assert result["payments"] == [
        ["A", "D", -4],
        ["B", "D", -4],
        ["C", "D", -4],
        ["A", "B", 6],
        ["A", "C", 1],
        ["B", "C", 0],
    ]


def test_cards_dealt_twice_are_refused() -> None:
    table = make_table("V06", RULES["basic"])
    table["players"][0]["front"] = table["players"][1]["front"]
    with pytest.raises(ValueError, match="dealt twice"):
        naive.settle(table)


# --- naturals ------------------------------------------------------------------------------------

NATURAL_NAMES = {
    "complete straight": {"dragon"},
    "dragon": {"dragon"},
    "clean dragon": {"clean_dragon"},
    "one suit": {"one_suit"},
    "12 + 1 colours": {"twelve_one_colour"},
    "one colour": {"one_colour"},
    "six pairs": {"six_pairs"},
    "six and a half pairs": {"six_pairs"},
    "five pairs + trips": {"five_pairs_trips"},
    "small": {"small"},
    "all low": {"all_low"},
    "big": {"big"},
    "all high": {"all_high"},
    "twelve pictures": {"twelve_pictures"},
    "twelve royalties": {"twelve_royalties"},
    "three quads": {"three_quads"},
    "four trips": {"four_trips"},
    "four triples": {"four_trips"},
    "three flushes": {"three_flushes"},
    "three straights": {"three_straights"},
    "three straight flushes": {"three_straight_flushes"},
    "no Broadway (optional)": {"no_pictures"},
}


@pytest.mark.parametrize(
    ("cards", "table", "expected"),
    [
        pytest.param(entry["cards"], table, entry[table], id=f"{entry['id']}-{table}")
        for entry in VECTORS["naturals"]
        for table in NATURALS
    ],
)
def test_natural(cards: list[str], table: str, expected: str) -> None:
    best = naive.best_natural(parse_cards(cards), NATURALS[table])
    if expected == "-":
        assert best is None
        return
    words, units = expected.rsplit(" ", 1)
    assert best is not None
    assert best.name in NATURAL_NAMES[words]
    assert best.units == int(units)


@pytest.mark.parametrize(
    ("entry", "table"),
    [
        pytest.param(entry, table, id=f"{entry['id']}-{table}")
        for entry in VECTORS["clashes"]
        for table in NATURALS
    ],
)
def test_clash(entry: dict[str, Any], table: str) -> None:
    a, b = parse_cards(entry["A"]), parse_cards(entry["B"])
    assert naive.clash(a, b, NATURALS[table]) == entry[table]
    assert naive.clash(b, a, NATURALS[table]) == -entry[table]


def holds(cards: str, name: str, **switches: Any) -> bool:
    table = {"list": [[name, 1]], **switches}
    return bool(naive.find_naturals(parse_cards(cards), table))


TRIPS_AND_FIVE_PAIRS = "2h 2d 2c 3s 3h 4d 4c 5s 5h 6d 6c 7s 7h"
QUADS_AND_PAIRS = "2h 2d 2c 2s 3h 3d 4c 4s 5h 5d 6c 6s Kh"
LOW_WITH_ACE = "As 2h 2d 3s 4h 4d 5c 6s 6h 7d 8c 8s 8h"
QKA_IN_FRONT = "Qs Kh Ad 4s 5h 6d 7c 8s 6h 7s 8d 9c Th"
WHEEL_IN_FRONT = "Ah 2c 3d 3s 4h 5d 6c 7s 5h 6d 7c 8s 9h"
ACE_AND_SMALL = "As Ah Ts 9h 9d 8c 7s 6d 5h 4c 4s 3d 2h"


@pytest.mark.parametrize(
    ("cards", "name", "switch", "when_on", "when_off"),
    [
        (TRIPS_AND_FIVE_PAIRS, "six_pairs", "trips_as_pair", True, False),  # A09, case 47
        (TRIPS_AND_FIVE_PAIRS, "five_pairs_trips", "trips_as_pair", True, True),
        (QUADS_AND_PAIRS, "six_pairs", "quads_as_two_pairs", True, False),  # A09
        (LOW_WITH_ACE, "small", "ace_low_in_small", True, False),  # A18
        (QKA_IN_FRONT, "three_straights", "front_qka", True, False),  # A08
        (WHEEL_IN_FRONT, "three_straights", "front_qka", True, True),  # item 15
        (ACE_AND_SMALL, "no_pictures", "ace_is_picture", False, True),  # A17
    ],
)
def test_natural_switch(cards: str, name: str, switch: str, when_on: bool, when_off: bool) -> None:
    assert holds(cards, name, **{switch: True}) is when_on
    assert holds(cards, name, **{switch: False}) is when_off


def test_no_pictures_is_added_below_all_others() -> None:
    """R11 as a modifier of the malay table; 2 to 8 is small, which is higher."""
    table = {**NATURALS["malay"], "no_pictures": {"units": 3, "ace_is_picture": True}}
    names = [one.name for one in naive.find_naturals(parse_cards(TRIPS_AND_FIVE_PAIRS), table)]
    assert names[0] == "no_pictures"
    assert names[-1] == "small"


def test_odd_card_may_break_a_tie_of_six_pairs() -> None:
    """A06, C03: equal pairs, odd cards 8 and 7."""
    entry = next(entry for entry in VECTORS["clashes"] if entry["id"] == "C03")
    a, b = parse_cards(entry["A"]), parse_cards(entry["B"])
    table = {**NATURALS["pagat-standard"], "odd_card_breaks_tie": True}
    assert naive.clash(a, b, table) == 3


@pytest.mark.parametrize(("rank", "units"), [("listed", 3), ("value", 0)])
def test_rank_of_naturals_of_one_value(rank: str, units: int) -> None:
    """A19, C08: six pairs against three flushes, both 3 in R13."""
    entry = next(entry for entry in VECTORS["clashes"] if entry["id"] == "C08")
    table = {**NATURALS["vietnamese"], "rank": rank}
    assert naive.clash(parse_cards(entry["A"]), parse_cards(entry["B"]), table) == units


def test_dragon_that_is_twelve_of_one_suit() -> None:
    """Case 44: pay only the highest natural."""
    cards = parse_cards("Ac 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd")
    found = naive.find_naturals(cards, NATURALS["hawaiian-gardens"])
    assert [one.name for one in found][-2:] == ["twelve_one_colour", "dragon"]
    assert naive.clash(cards, parse_cards(ACE_AND_SMALL), NATURALS["hawaiian-gardens"]) == 13


@pytest.mark.parametrize(("how", "units"), [("higher", 13), ("difference", 10)])
def test_higher_natural_or_difference(how: str, units: int) -> None:
    """Case 45: a dragon against six pairs."""
    dragon = parse_cards("2h 3d 4c 5s 6h 7d 8c 9s Th Jd Qc Ks Ah")
    pairs = parse_cards("2d 2c 3h 3c 4h 4d 5h 5c 6d 6c 7h 7c As")
    assert naive.clash(dragon, pairs, {**NATURALS["pagat-standard"], "clash": how}) == units


@pytest.mark.parametrize(
    ("cards", "repeated"),
    [
        ("Js Qh Kd 3h 4h 5h 6c 7h 3c 4c 5h 6h 7d", ["5h"]),
        ("As 2h 3d 3h 4h 5h 6c 7h Ac 2c 3h 4h 5d", ["3h", "4h"]),
    ],
)
def test_repeated_cards_are_named(cards: str, repeated: list[str]) -> None:
    """Case 48."""
    assert naive.find_repeats(parse_cards(cards)) == sorted(parse_cards(repeated))


# --- rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("wheel", ["low", "second"])
@pytest.mark.parametrize("entry", VECTORS["compare"], ids=lambda entry: entry["id"])
def test_compare(entry: dict[str, Any], wheel: str) -> None:
    first, second = parse_cards(entry["first"]), parse_cards(entry["second"])
    row = 0 if len(first) == 3 else 2
    expected = entry[f"wheel_{wheel}"]
    assert naive.compare_rows(row, first, second, {"wheel": wheel}) == expected
    assert naive.compare_rows(row, second, first, {"wheel": wheel}) == -expected


@pytest.mark.parametrize("entry", VECTORS["front_middle"], ids=lambda entry: entry["id"])
def test_front_against_middle(entry: dict[str, Any]) -> None:
    front, middle = parse_cards(entry["front"]), parse_cards(entry["middle"])
    assert (naive.row_key(front) <= naive.row_key(middle)) is entry["legal"]
    # The same through the test of a whole hand: a straight flush is never the reason.
    back = parse_cards("6h 7h 8h 9h Th")
    reason = naive.foul_reason(front, middle, back, {})
    assert reason == (None if entry["legal"] else "front beats middle")


ORDERS: dict[str, Rules] = {
    "default": {},
    "strict": {"equal_rows": "foul"},
    "wheel_second": {"wheel": "second"},
    "low_middle": {"middle": "low27"},
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("entry", VECTORS["whole_hands"], ids=lambda entry: entry["id"])
def test_whole_hand(entry: dict[str, Any], order: str) -> None:
    rows = read_rows(entry["rows"])
    assert (naive.foul_reason(*rows, ORDERS[order]) is None) is entry[order]


def test_low27_order() -> None:
    rows = [parse_cards(row) for row in VECTORS["low27"]]
    for better, worse in pairwise(rows):
        assert naive.low27_key(better) > naive.low27_key(worse)
        assert naive.compare_rows(1, better, worse, {"middle": "low27"}) == 1


@pytest.mark.parametrize(
    ("middle", "legal"),
    [
        ("Th 8d 4c 3s 2h", True),
        ("Jh 8d 4c 3s 2h", False),
        ("Ah 5d 4c 3s 2h", False),
        ("2c 2d 4c 3s 5h", False),
        ("Th 9h 4h 3h 2h", False),
        ("6h 5d 4c 3s 2h", False),
    ],
)
def test_low_middle_with_a_limit(middle: str, legal: bool) -> None:
    """A29: ten-high or better."""
    order = {"middle": "low27", "middle_max": 10}
    rows = split(f"Qs Jd 9c / {middle} / Ks Kd 7c 7s Ac")
    assert (naive.foul_reason(*rows, order) is None) is legal


@pytest.mark.parametrize("order", ["equal_legal", "strict"])
@pytest.mark.parametrize("entry", VECTORS["split_counts"], ids=lambda entry: entry["id"])
def test_number_of_splits(entry: dict[str, Any], order: str) -> None:
    equal_rows = {"equal_legal": "legal", "strict": "foul"}[order]
    deal = parse_cards(entry["cards"])
    assert naive.count_splits(deal, {"equal_rows": equal_rows}) == entry[order]


# --- fantasyland ---------------------------------------------------------------------------------


def hand(name: str) -> naive.Rows:
    deal_id, player = name.split()
    return read_rows(DEALS[deal_id]["hands"][player])


# F03, F06 and F07 name hands of V14, which is not among the vectors: these are hands like them.
KINGS_AND_QUADS = "Ks Kd 4c / As Ad 9s 9d 3c / 7s 7h 7d 7c 2h"
QUEENS_ONLY = "Qs Qd 4c / As Ad 9s 9d 3c / Ah Jh 8h 5h 2h"


@pytest.mark.parametrize(
    ("rows", "classic", "pineapple", "progressive"),
    [
        pytest.param(hand("V04 P1"), 13, 14, 14, id="F01"),
        pytest.param(hand("V28 A"), 0, 0, 0, id="F02"),
        pytest.param(split(KINGS_AND_QUADS), 13, 14, 15, id="F03"),
        pytest.param(hand("V13 A"), 13, 14, 16, id="F04"),
        pytest.param(hand("V01 A"), 13, 14, 17, id="F05"),
        # Case 34: eights pay 3 but do not enter, queens are the lowest that do.
        pytest.param(split("8s 8h Kd / As Ad 9s 9d 3c / Ah Jh 8d 5h Ac"), 0, 0, 0, id="case-34"),
        pytest.param(split("Js Jh Kd / As Ad 9s 9d 3c / Th Qh 8h 5h 2h"), 0, 0, 0, id="jacks"),
    ],
)
def test_who_enters_fantasyland(
    rows: naive.Rows, classic: int, pineapple: int, progressive: int
) -> None:
    assert naive.fantasyland_entry(rows, RULES["open-face"]) == classic
    assert naive.fantasyland_entry(rows, RULES["pineapple"]) == pineapple
    assert naive.fantasyland_entry(rows, RULES["progressive"]) == progressive


@pytest.mark.parametrize(
    ("rows", "classic", "pineapple", "progressive"),
    [
        pytest.param(hand("V01 A"), 13, 14, 14, id="F05"),
        pytest.param(split(KINGS_AND_QUADS), 13, 14, 14, id="F06"),
        pytest.param(split(QUEENS_ONLY), 0, 0, 0, id="F07"),
        pytest.param(hand("V06 S"), 13, 0, 0, id="F08"),
        pytest.param(hand("V28 A"), 0, 0, 0, id="fouled"),
    ],
)
def test_who_stays_in_fantasyland(
    rows: naive.Rows, classic: int, pineapple: int, progressive: int
) -> None:
    assert naive.fantasyland_stay(rows, RULES["open-face"]) == classic
    assert naive.fantasyland_stay(rows, RULES["pineapple"]) == pineapple
    assert naive.fantasyland_stay(rows, RULES["progressive"]) == progressive


def test_best_board_from_fantasyland() -> None:
    """Case 9: 444 / 666 / club flush, royalties 18 and 30 for staying."""
    cards = parse_cards("Kc 8s 6c 4s 9c Jd Ac 6s 8c 3c 4d 6d Qs 4h")
    value, rows = naive.best_fantasyland(cards, RULES["pineapple"], stay_value=30)
    assert value == 48
    assert [naive.category(row) for row in rows] == [TRIPS, TRIPS, FLUSH]
    assert set(rows[2]) == set(parse_cards("Ac Kc 9c 8c 3c"))


# --- cases.md ------------------------------------------------------------------------------------

HIGH_CARD, PAIR, TRIPS, STRAIGHT, FLUSH, STRAIGHT_FLUSH = 0, 1, 3, 4, 5, 8
WHEEL_IN_BACK = "Kh Qd 9s / 2h 3d 4c 5s 6h / Ah 2d 3c 4s 5d"
EQUAL_STRAIGHTS = "2s 3d 4c / Ts Jd Qc Kh As / Th Jh Qh Ks Ad"


@pytest.mark.parametrize(
    ("rows", "order", "reason"),
    [
        pytest.param(
            "As Ah Kd / 2c 2d 7s 9h Jc / Kh Qh 8h 5h 3h", {}, "front beats middle", id="1"
        ),
        pytest.param(
            "Ah Ad 7c / 2h 2d 9s 8c 4h / Kc Kd 5s 5h 3d", {}, "front beats middle", id="2"
        ),
        pytest.param(
            "Ah Kd 9c / Ks Qd Jc 8h 6s / 5c 5d 4h 3s 2d", {}, "front beats middle", id="4"
        ),
        pytest.param("4s 4h Kd / 9s 3s 5s Qs Ks / 9h 2h 5h Qh Kh", {}, "middle beats back", id="7"),
        pytest.param(WHEEL_IN_BACK, {}, "middle beats back", id="8"),
        pytest.param(WHEEL_IN_BACK, {"wheel": "second"}, None, id="8-wheel-second"),
        pytest.param(
            "Ah Ad 3c / 2c 2d Ks Qh Js / Kh Kc 4s 4d 9c", {}, "front beats middle", id="13"
        ),
        pytest.param(EQUAL_STRAIGHTS, {}, None, id="14"),
        pytest.param(EQUAL_STRAIGHTS, {"equal_rows": "foul"}, "middle equals back", id="14-strict"),
    ],
)
def test_case_of_legality(rows: str, order: Rules, reason: str | None) -> None:
    assert naive.foul_reason(*split(rows), order) == reason


def test_case_7_names_the_card_used_twice() -> None:
    rows = split("4s 4h Ks / 9s 3s 5s Qs Ks / 9h 2h 5h Qh Kh")
    assert naive.find_repeats(rows[0] + rows[1] + rows[2]) == list(parse_cards("Ks"))


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        pytest.param("Ah 2s 3d 4c 5h", STRAIGHT, id="16"),
        pytest.param("Ad 2d 3d 4d 5d", STRAIGHT_FLUSH, id="17"),
        pytest.param("As Ks 5s 3s 2s", FLUSH, id="20"),
        pytest.param("Jh Jd Js 8h 4c", TRIPS, id="21"),
        pytest.param("As 4s 5s", HIGH_CARD, id="22"),
        pytest.param("As 4s 4d", PAIR, id="25"),
    ],
)
def test_case_of_category(row: str, kind: int) -> None:
    assert naive.category(parse_cards(row)) == kind


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("Ad 2d 3d 4d 5d", "2d 3d 4d 5d 6c", 1, id="17"),
        pytest.param("Ks Ts 5s 4s 3s", "Qs Ts 7s 5s 4s", 1, id="18"),
        pytest.param("As 4s 5d", "Ah 2s 3c", 1, id="22"),
        pytest.param("As 2c Kc", "Ad 2d Kc", 0, id="23"),
    ],
)
def test_case_of_comparison(first: str, second: str, expected: int) -> None:
    one, two = parse_cards(first), parse_cards(second)
    assert naive.compare_rows(0 if len(one) == 3 else 2, one, two, {}) == expected
    assert naive.compare_rows(0 if len(one) == 3 else 2, two, one, {}) == -expected


def test_case_24_trips_beat_a_pair_of_jacks() -> None:
    cards = parse_cards("9h Jh 7d 2s Kc 7c 7h")
    best = max(naive.row_key(five) for five in combinations(cards, 5))
    assert best[0] == TRIPS


@pytest.mark.parametrize(("second", "expected"), [("2h 2s 7d 8s 9c", 1), ("Kc 5d 4h 3s 2c", -1)])
def test_case_26_wheel_in_deuce_to_seven(second: str, expected: int) -> None:
    wheel = parse_cards("Ac 2d 3h 4s 5c")
    order = {"middle": "low27"}
    assert naive.compare_rows(1, wheel, parse_cards(second), order) == expected


CASE_28 = (
    "Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s",
    "Th 9s 7s / Kd 6d 5d 4d 3d / Kc Qc 6c 5c 4c",
)
CASE_29 = (
    "Qs Qd 4c / As Ad 9c 7h 3s / Td 9d 8s 7c 6c",
    "Js Jd 5c / Kc Kd 6s 6d 2c / Kh Jh 8h 6h 2h",
)
CASE_39 = (
    "Js Jd 9c / Qh Qs 8c 4c 2h / As Ks 6s 5s 3s",
    "Th 9d 7c / Kc Qd 8d 5c 4s / Ah Kh 6h 5h 3h",
)
CASE_41 = (
    "As Ah Ad / Ks Kh Kd 5c 7c / Qs Qh Qd 2c 3c",
    "2s 3h 4d / 5s 6h 7d 8c 9c / Ts Jh Qd Kc Ac",
)


@pytest.mark.parametrize(
    ("boards", "name", "units"),
    [
        pytest.param(CASE_28, "basic", 1, id="28-basic"),
        pytest.param(CASE_28, "two-four", 2, id="28-two-four"),
        pytest.param(CASE_28, "one-six", 1, id="28-one-six"),
        pytest.param(CASE_39, "basic", 2, id="39-basic"),
        pytest.param(CASE_39, "two-four", 3, id="39-two-four"),
        pytest.param(CASE_39, "one-six", 2, id="39-one-six"),
        # The board of case 41 repeats a card, so that it can only be settled as a pair.
        pytest.param(CASE_41, "open-face", -12, id="41"),
    ],
)
def test_case_of_settlement(boards: tuple[str, str], name: str, units: int) -> None:
    hero, villain = split(boards[0]), split(boards[1])
    assert naive.pair_units(hero, villain, RULES[name]) == units
    assert naive.pair_units(villain, hero, RULES[name]) == -units


def test_case_41_repeats_a_card() -> None:
    cards = [card for board in CASE_41 for row in split(board) for card in row]
    assert naive.find_repeats(cards) == list(parse_cards("Qd"))


@pytest.mark.parametrize(
    ("row", "back", "middle"),
    [
        ("5h 6h 7h 8h 9h", 15, 30),
        ("Ah Kh Qh Jh Th", 25, 50),
        ("Ac 2c 3c 4c 5c", 15, 30),
    ],
)
def test_case_31_royalties_of_straight_flushes(row: str, back: int, middle: int) -> None:
    cards, low = parse_cards(row), parse_cards("2d 3d 4s 5s 7d")
    front = parse_cards("2h 3s 4d")
    rules = RULES["open-face"]
    assert naive.hand_royalties((front, low, cards), rules) == (0, 0, back)
    assert naive.hand_royalties((front, cards, low), rules) == (0, middle, 0)


def test_case_43_two_fouled_hands_pay_nothing() -> None:
    fouled = split("As Ah Kd / 2c 2d 7s 9h Jc / Kh Qh 8h 5h 3h")
    other = split("Ac Ad 7c / 2h 2s 9s 8c 4h / Kc Ks 5s 5d 3d")
    assert naive.pair_units(fouled, other, RULES["open-face"]) == 0


def test_case_52_both_flushes_are_on_offer() -> None:
    deal = parse_cards("Ah Qh 9h 5h 2h Ks Js 8s 6s 3s 7d 4c Td")
    wanted = split("Td 7d 4c / Ks Js 8s 6s 3s / Ah Qh 9h 5h 2h")
    splits = [tuple(map(set, rows)) for rows in naive.legal_splits(deal, {})]
    assert tuple(map(set, wanted)) in splits


def test_only_undominated_split_of_two_quads_and_a_straight_flush() -> None:
    """Reference table, twoquads-sf: 555 / 3333 / eight-high straight flush."""
    deal = parse_cards("3d 3c 3h 3s 5d 5c 5h 5s 4h 6h 7h 8h 9d")
    (rows,) = naive.undominated_splits(deal, {})
    assert [set(row) for row in rows] == [
        set(parse_cards("5d 5c 5s")),
        set(parse_cards("3d 3c 3h 3s 9d")),
        set(parse_cards("4h 5h 6h 7h 8h")),
    ]


@pytest.mark.parametrize(("order", "legal"), [({}, True), ({"equal_rows": "foul"}, False)])
def test_equal_straights_of_trips_and_five_pairs(order: Rules, legal: bool) -> None:
    """Reference table, T1: 222 in front of two seven-high straights."""
    rows = split("2h 2d 2c / 3s 4d 5s 6d 7s / 3h 4c 5h 6c 7h")
    assert (naive.foul_reason(*rows, order) is None) is legal
