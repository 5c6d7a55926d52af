"""Settlement under modifiers that have no worked example: amounts by hand from the rules."""

from typing import Any

import pytest

from cp_cli.arrangement import Row
from cp_cli.settlement import Table, settle
from tests.seating import list_pairs, list_payments, seat_hands, sum_items
from tests.test_settle_vectors import lay_table, load, swap_rows

# Middles of quads and backs of a straight flush each; A wins front and back, B the middle.
QUADS = {
    "A": "Ac Kd 4h / 2c 2d 2h 2s Kc / Qc Jc Tc 9c 8c",
    "B": "Qd Jd 4s / 3c 3d 3h 3s Kh / Th 9h 8h 7h 6h",
}


@pytest.mark.parametrize(
    ("deal_id", "name", "overrides", "units"),
    [
        # R05: a point more than the table in use, 1 + 6 + 5; without a table than the row.
        ("V13", "pagat-standard", ["middle_extra=1"], 12),
        ("V13", "basic", ["middle_extra=1"], 4),
        ("V13", "open-face-2013", ["middle_extra=1"], 32),
        # sweep.scope rows: three rows twice, extras once; all: (3 + 15) x 2.
        ("V13", "hawaiian-gardens", ["sweep={units: 0, times: 2, scope: rows}"], 21),
        ("V13", "hawaiian-gardens", ["sweep={units: 0, times: 2}"], 36),
        # V09: two rows won, one tied (A04).
        ("V09", "one-six", ["sweep.tie_counts=true"], 5),
        ("V09", "taiwanese", ["sweep.tie_counts=true"], 4),
        # V11: one row won, two tied is no majority, but it is more rows (A13).
        ("V11", "two-four", ["overall.when=more_rows"], 2),
        # V01: one royalty a hand. Trips 3 in front go before the full house of A, quads 4 in
        # the back before that of B: -1 + 3 - 4.
        ("V01", "hawaiian-gardens", ["royalties.max_per_hand=1"], -2),
        # R21: no middle royalties where the middle is played for low; two pair wins it.
        ("V13", "hawaiian-gardens", ["order.middle=low27"], 1 + 5),
        # R19: nothing announced, so only rows and the sweep.
        ("V13", "hawaiian-gardens", ["royalties.declare=required"], 6),
    ],
)
def test_modifier(deal_id: str, name: str, overrides: list[str], units: int) -> None:
    assert list_pairs(settle(lay_table(deal_id), load(name, *overrides))) == {"A-B": units}


@pytest.mark.parametrize(
    ("declared", "units"),
    [({Row.BACK}, 11), ({Row.MIDDLE}, 16), ({Row.MIDDLE, Row.BACK}, 21), ({Row.FRONT}, 6)],
)
def test_royalties_that_must_be_announced(declared: set[Row], units: int) -> None:
    """V13 in hawaiian-gardens: 6 for the sweep, 10 in the middle, 5 in the back."""
    table = lay_table("V13", declared={"A": frozenset(declared)})
    ruleset = load("hawaiian-gardens", "royalties.declare=required")
    assert list_pairs(settle(table, ruleset)) == {"A-B": units}
    assert list_pairs(settle(table, load("hawaiian-gardens"))) == {"A-B": 21}


@pytest.mark.parametrize(
    ("name", "overrides", "units"),
    [
        # Rows 1; what both hold cancels; the surcharge is for winning the middle.
        ("pagat-extras", [], 1),
        ("pagat-extras", ["middle_extra=1"], 0),
        # 1 - 4 + 5, and one or two more for B.
        ("pagat-standard", [], 2),
        ("pagat-standard", ["middle_extra=1"], 1),
        ("basic", ["middle_extra=2"], -1),
        # Where royalties cancel the surcharge is still paid.
        ("pagat-standard", ["middle_extra=1", "royalties.cancel=true"], 1 - 1 + 1 - 1),
    ],
)
def test_the_surcharge_goes_to_the_winner_of_the_middle(
    name: str, overrides: list[str], units: int
) -> None:
    done = settle(Table(seat_hands(QUADS)), load(name, *overrides))
    assert list_pairs(done) == {"A-B": units}
    more = [int(text.removeprefix("middle_extra=")) for text in overrides if "extra" in text]
    assert sum_items(done, "A-B").get(("surcharge", Row.MIDDLE), 0) == -sum(more)


def test_nobody_takes_the_surcharge_of_equal_middles() -> None:
    hands = {
        "A": "Kc Qd 7h / 5c 4c 3c 2c Ac / Kh Qh Jh Th 9h",
        "B": "Kd Jd 7s / 5d 4d 3d 2d Ad / Ks Qs Js Ts 9s",
    }
    done = settle(Table(seat_hands(hands)), load("basic", "middle_extra=1"))
    assert sum_items(done, "A-B") == {("row", Row.FRONT): 1}


# --- fouls ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pays", "royalties", "units"),
    [
        ("scoop", "true", 15),
        ("scoop", "false", 6),
        ("rows", "true", 12),
        ("rows", "false", 3),
        ("5", "true", 14),
        ("5", "false", 5),
        ("0", "true", 9),
        ("0", "false", 0),
    ],
)
def test_what_a_foul_pays(pays: str, royalties: str, units: int) -> None:
    """B of V28 has royalties of 9 (queens 7, straight 2); A and C foul."""
    ruleset = load("open-face", f"foul.pays={pays}", f"foul.royalties={royalties}")
    done = settle(lay_table("V28"), ruleset)
    assert list_pairs(done) == {"A-B": -units, "A-C": 0, "B-C": units}
    assert [hand.name for hand in done.hands if hand.foul] == ["A", "C"]


def foul_one(deal_id: str, name: str, **changes: Any) -> Table:
    """Return a deal where one player's middle and back change places."""
    seats = lay_table(deal_id, **changes).seats
    return Table(tuple(swap_rows(seat) if seat.name == name else seat for seat in seats))


def test_a_fouled_hand_counts_as_swept() -> None:
    """Item 18: A of V21 sweeps B, C and a D that fouls: 6 + 3 from each."""
    pairs = list_pairs(settle(foul_one("V21", "D"), load("hawaiian-gardens")))
    assert [pairs[f"A-{name}"] for name in "BCD"] == [9, 9, 9]


# --- a whole table -------------------------------------------------------------------------------


def test_a_surrendered_hand_is_not_swept() -> None:
    """A22: with a surrender at the table there are no nines; 3 is its price."""
    table = lay_table("V21", surrendered={"D": True})
    pairs = list_pairs(settle(table, load("hawaiian-gardens")))
    assert [pairs[f"A-{name}"] for name in "BCD"] == [6, 6, 3]


@pytest.mark.parametrize(("opponents", "each"), [(3, 6), (2, 9)])
def test_how_many_must_be_swept(opponents: int, each: int) -> None:
    """V02 has three players, of whom B sweeps both others; trips in front are 3 more."""
    ruleset = load("hawaiian-gardens", f"all_sweep.opponents={opponents}")
    pairs = list_pairs(settle(lay_table("V02"), ruleset))
    assert (pairs["A-B"], pairs["B-C"]) == (-each - 3, each + 3)


def test_a_natural_is_paid_by_fouled_and_surrendered_hands() -> None:
    """Items 11 and 12: D of V22 has six pairs, 4; C surrenders, B fouls."""
    table = foul_one("V22", "B", surrendered={"C": True})
    pairs = list_pairs(settle(table, load("hawaiian-gardens")))
    assert pairs == {"A-B": 6, "A-C": 3, "A-D": -4, "B-C": 0, "B-D": -4, "C-D": -4}


def test_the_ace_bet_runs_in_every_pair() -> None:
    """A23: A and B of V23 declare, D surrenders; B holds two aces, A and C one, D none."""
    table = lay_table("V23", surrendered={"D": True})
    done = settle(table, load("hawaiian-gardens", "aces=[0, 1, 2, 6, 8]"))
    bets = {pair: sum_items(done, pair).get(("aces", None), 0) for pair in list_pairs(done)}
    assert bets == {"A-B": -1, "A-C": 0, "A-D": 1, "B-C": 1, "B-D": 2, "C-D": 1}


def test_pairs_with_a_natural_are_paid_first_from_the_chips() -> None:
    """R15: C of V22 has 5 chips; the natural of D takes 4 before A and B may collect."""
    table = lay_table("V22", chips={"A": 50, "B": 50, "C": 5, "D": 50})
    done = settle(table, load("hawaiian-gardens"))
    assert list_payments(done, table) == [
        ["A", "D", -4],
        ["B", "D", -4],
        ["C", "D", -4],
        ["A", "B", 6],
        ["A", "C", 1],
        ["B", "C", 0],
    ]
    assert [pair.chips_left for pair in done.pairs] == [
        (50, 50), (50, 46), (5, 42), (46, 46), (40, 1), (40, 0),
    ]  # fmt: skip


def test_a_chip_of_a_player_with_two_hands_is_used_once() -> None:
    """M06 in basic scoring, where N-S pays -1, N-W 3, E-S -1, E-W 3; Y has 4 chips in all."""
    owner = {"N": "X", "E": "X", "S": "Y", "W": "Y"}
    table = lay_table("V06", owner=owner, chips={"S": 4, "W": 4})
    done = settle(table, load("criss-cross", "stakes.cap=chips"))
    assert list_pairs(done) == {"N-S": -1, "N-W": 3, "E-S": 0, "E-W": 0}
    assert [(player.units, player.chips) for player in done.players] == [(2, None), (-2, 2)]


def test_stakes_by_pair() -> None:
    """R16: V21 settles A-B 4, A-C 4, A-D 4, B-C 1, B-D 4, C-D 4 in one-four."""
    ruleset = load("one-four", "stakes={default: 10, pairs: {B-A: 100, C-B: 20}}")
    pairs = list_pairs(settle(lay_table("V21"), ruleset))
    assert pairs == {"A-B": 400, "A-C": 40, "A-D": 40, "B-C": 20, "B-D": 40, "C-D": 40}
    # What is agreed at the table goes before.
    table = Table(lay_table("V21").seats, stakes={frozenset("BA"): 7, frozenset("AD"): 2})
    pairs = list_pairs(settle(table, ruleset))
    assert pairs == {"A-B": 28, "A-C": 40, "A-D": 8, "B-C": 20, "B-D": 40, "C-D": 40}
    assert list_pairs(settle(table, load("one-four")))["B-C"] == 1
