"""The running account of a session, and what one deal hands to the next."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cp_cli.ruleset import load_ruleset
from cp_cli.settlement import HOUSE, Fantasyland, Ledger, Settlement, Table, Transfer, settle
from tests.seating import seat_hands

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text("utf-8"))
HANDS = {
    deal["id"]: deal["hands"] for deal in VECTORS["deals"] + VECTORS["money"] if "hands" in deal
}


def lay_table(deal_id: str, absent: str = "", **changes: Any) -> Table:
    """Return the table of a deal without some players."""
    hands = {name: rows for name, rows in HANDS[deal_id].items() if name not in absent}
    return Table(seat_hands(hands, **changes))


def play(ledger: Ledger, table: Table, ruleset: str, *overrides: str) -> Settlement:
    """Settle a deal with what the ledger carries, and add it."""
    done = settle(ledger.prepare(table), load_ruleset(ruleset, overrides))
    ledger.add(done)
    return done


# --- balances ------------------------------------------------------------------------------------


def test_an_empty_ledger() -> None:
    ledger = Ledger()
    table = lay_table("V03")
    assert ledger.prepare(table) == table
    assert (ledger.deals, ledger.balances, ledger.history) == (0, {}, [])
    assert ledger.find_transfers() == []


def test_balances_and_pairs_grow_whoever_sits_first() -> None:
    """Amy wins 2 each time (2-4 scoring), the second time from the other side of the table."""
    ledger = Ledger()
    table = lay_table("V03")
    play(ledger, table, "two-four")
    play(ledger, replace(table, seats=table.seats[::-1]), "two-four")
    assert ledger.deals == 2
    assert ledger.balances == {"Amy": 4, "Bob": -4}
    assert ledger.pairs == {("Amy", "Bob"): 4}
    assert ledger.history == [{"Amy": 2, "Bob": -2}, {"Amy": 4, "Bob": -4}]
    assert ledger.find_transfers() == [Transfer("Bob", "Amy", 4)]


def test_players_come_and_go() -> None:
    """V05 in basic scoring; D, who loses 1 to each, sits down for the second deal only."""
    ledger = Ledger()
    play(ledger, lay_table("V05", absent="D"), "basic")
    play(ledger, lay_table("V05"), "basic")
    play(ledger, lay_table("V05", absent="A"), "basic")
    assert ledger.history == [
        {"A": 2, "B": 2, "C": -4},
        {"A": 5, "B": 5, "C": -7, "D": -3},
        {"A": 5, "B": 7, "C": -7, "D": -5},
    ]
    assert list(ledger.balances) == ["A", "B", "C", "D"]
    assert ledger.pairs == {
        ("A", "B"): -2, ("A", "C"): 6, ("B", "C"): 3, ("A", "D"): 1, ("B", "D"): 2, ("C", "D"): 2,
    }  # fmt: skip


def test_the_house_takes_its_share() -> None:
    """M11 twice: 3, 1, 8 and -16 after a rake of 1 from each."""
    ledger = Ledger()
    for _ in range(2):
        play(ledger, lay_table("V06"), "hawaiian-gardens", "rake=1")
    assert ledger.house == 8
    assert ledger.balances == {"N": 6, "E": 2, "S": 16, "W": -32}
    transfers = ledger.find_transfers()
    assert {each.payee: each.units for each in transfers} == {"N": 6, "E": 2, "S": 16, HOUSE: 8}
    assert {each.payer for each in transfers} == {"W"}


def test_hands_of_one_player_are_one_account() -> None:
    """M06: X has N and E of the deal, Y has S and W; X wins 4 in basic scoring."""
    ledger = Ledger()
    table = lay_table("V06", owner={"N": "X", "E": "X", "S": "Y", "W": "Y"})
    play(ledger, table, "criss-cross")
    crossed = [table.seats[seat] for seat in (2, 0, 1, 3)]
    play(ledger, replace(table, seats=tuple(crossed)), "criss-cross")
    assert ledger.balances == {"X": 8, "Y": -8}
    assert ledger.pairs == {("X", "Y"): 8}


# --- chips ---------------------------------------------------------------------------------------


def find_chips(table: Table) -> dict[str, Any]:
    return {seat.name: seat.chips for seat in table.seats}


def test_chips_are_carried() -> None:
    """M01, and then again with what is left: A-B 2 of 6, A-C -6, A-D 1, B has nothing, C-D 1."""
    ledger = Ledger()
    chips = {"A": 8, "B": 20, "C": 20, "D": 20}
    play(ledger, lay_table("M01", chips=chips), "hawaiian-gardens")
    assert ledger.chips == {"A": 12, "B": 2, "C": 29, "D": 25}
    bare = lay_table("M01")
    assert find_chips(ledger.prepare(bare)) == ledger.chips
    play(ledger, bare, "hawaiian-gardens")
    assert ledger.chips == {"A": 9, "B": 0, "C": 36, "D": 23}
    assert ledger.balances == {"A": 1, "B": -20, "C": 16, "D": 3}


def test_chips_that_a_deal_names_come_first() -> None:
    ledger = Ledger(chips={"A": 8, "B": 0, "Z": 5})
    prepared = ledger.prepare(lay_table("M01", chips={"B": 20, "C": 0}))
    assert find_chips(prepared) == {"A": 8, "B": 20, "C": 0, "D": None}


def test_who_lost_more_than_his_chips_has_none() -> None:
    """Nothing limits payments in two-four: Bob pays 2 and had 1."""
    ledger = Ledger()
    done = play(ledger, lay_table("V03", chips={"Bob": 1}), "two-four")
    assert done.find_player("Bob").chips == -1
    assert ledger.chips == {"Bob": -1}
    assert find_chips(ledger.prepare(lay_table("V03"))) == {"Amy": None, "Bob": 0}
    play(ledger, lay_table("V03", chips={"Bob": 10}), "two-four")
    assert ledger.chips == {"Bob": 8}


def test_chips_of_who_sits_out_stay() -> None:
    ledger = Ledger()
    play(ledger, lay_table("V05", chips=dict.fromkeys("ABCD", 10)), "basic")
    play(ledger, lay_table("V05", absent="D"), "basic")
    assert ledger.chips == {"A": 15, "B": 15, "C": 3, "D": 7}


def test_chips_bought_for_one_of_two_hands() -> None:
    """They are the player's, whose other hand must not bring back those of the last deal."""
    owner = {"N": "X", "E": "X", "S": "Y", "W": "Y"}
    ledger = Ledger(chips={"X": 1, "Y": 2})
    prepared = ledger.prepare(lay_table("V06", owner=owner, chips={"E": 50}))
    assert find_chips(prepared) == {"N": None, "E": 50, "S": 2, "W": 2}
    done = settle(prepared, load_ruleset("criss-cross"))
    assert {player.name: player.chips for player in done.players} == {"X": 54, "Y": -2}


def test_shares_of_a_pot_add_up_to_whole_chips() -> None:
    """Of four stakes of 3 three equal fronts take 4/3 each; three deals make 4."""
    ledger = Ledger()
    hands = {
        "A": "Ac Kd 2h / 7c 7d 3h 4s 9c / 8c 8d 3s 5h Tc",
        "B": "Ad Ks 2s / 6c 6d 5c 4h 9d / 9h 9s 3c 4d Td",
        "C": "Ah Kh 2c / 5d 5s 8h 7h Jc / Jd Js 3d 4c Th",
        "D": "Qc Jh 2d / Qd Qh 8s 7s 6h / Kc Qs Ts 6s As",
    }
    # D fouls: his middle beats his back; C has the best back, A the best middle.
    table = Table(seat_hands(hands, chips=dict.fromkeys(hands, 10)))
    play(ledger, table, "ante")
    third = Fraction(4, 3)
    assert ledger.balances == {"A": 1 + third, "B": third - 3, "C": 1 + third, "D": -3}
    assert ledger.chips == {name: 10 + units for name, units in ledger.balances.items()}
    bare = Table(seat_hands(hands))
    play(ledger, bare, "ante")
    play(ledger, bare, "ante")
    assert ledger.balances == {"A": 7, "B": -5, "C": 7, "D": -9}
    assert ledger.chips == {"A": 17, "B": 5, "C": 17, "D": 1}
    whole = [*ledger.balances.values(), *ledger.chips.values()]
    assert all(isinstance(units, int) for units in whole)


# --- pots ----------------------------------------------------------------------------------------


def test_the_stake_of_who_left_stays_in_the_pot() -> None:
    """Nobody wins V35, nor without C; A wins V21, where the pot holds 3, 3, 2 and 3."""
    ledger = Ledger()
    play(ledger, lay_table("V35"), "sole-winner")
    assert ledger.pot == dict.fromkeys("ABCD", 1)
    done = play(ledger, lay_table("V35", absent="C"), "sole-winner")
    assert ledger.pot == done.pot == {"A": 2, "B": 2, "C": 1, "D": 2}
    assert ledger.balances == dict.fromkeys("ABCD", 0)
    done = play(ledger, lay_table("V21"), "sole-winner")
    assert done.winner == "A"
    assert ledger.balances == {"A": 8, "B": -3, "C": -2, "D": -3}
    assert ledger.pot == {}


def test_who_left_pays_when_the_pot_is_won() -> None:
    ledger = Ledger()
    play(ledger, lay_table("V35"), "sole-winner", "rake=1")
    play(ledger, lay_table("V21", absent="D"), "sole-winner", "rake=1")
    # Stakes of 2, 2, 2 and 1; a rake of 1 a deal from each who sits.
    assert ledger.balances == {"A": 5 - 2, "B": -2 - 2, "C": -2 - 2, "D": -1 - 1}
    assert (ledger.house, ledger.pot) == (7, {})


def test_a_pot_that_a_deal_names_comes_first() -> None:
    ledger = Ledger(pot={"A": 1, "B": 1})
    table = replace(lay_table("V21"), pot={"A": 5})
    assert ledger.prepare(table).pot == {"A": 5}
    assert ledger.prepare(lay_table("V21")).pot == {"A": 1, "B": 1}


# --- a race --------------------------------------------------------------------------------------


def test_a_race_starts_again_after_a_win() -> None:
    """A of V21 takes 4 points a deal."""
    ledger = Ledger()
    for score in (4, 8):
        done = play(ledger, lay_table("V21"), "first-to-11")
        assert (ledger.scores, done.winner) == ({"A": score, "B": 0, "C": 0, "D": 0}, None)
    done = play(ledger, lay_table("V21"), "first-to-11")
    assert (done.winner, done.find_player("A").score) == ("A", 12)
    assert (ledger.scores, ledger.games) == ({}, {"A": 1})
    play(ledger, lay_table("V21"), "first-to-11")
    assert ledger.scores == {"A": 4, "B": 0, "C": 0, "D": 0}
    assert (ledger.games, ledger.balances) == ({"A": 1}, dict.fromkeys("ABCD", 0))


def test_two_who_arrive_together_play_on() -> None:
    """S of V06 takes 2 points a deal, E one."""
    ledger = Ledger(scores={"S": 9, "E": 10})
    assert play(ledger, lay_table("V06"), "first-to-11").winner is None
    assert ledger.scores == {"N": 0, "E": 11, "S": 11, "W": 0}
    assert play(ledger, lay_table("V06"), "first-to-11").winner == "S"
    assert (ledger.scores, ledger.games) == ({}, {"S": 1})


@pytest.mark.parametrize(("named", "score"), [({"S": 3}, 5), ({}, 9)])
def test_a_score_that_a_deal_names_comes_first(named: dict[str, int], score: int) -> None:
    ledger = Ledger(scores={"S": 7, "Z": 4})
    done = play(ledger, replace(lay_table("V06"), scores=named), "first-to-11")
    assert done.find_player("S").score == score
    assert ledger.scores["Z"] == 4


# --- fantasyland ---------------------------------------------------------------------------------


def find_inside(table: Table) -> dict[str, bool | None]:
    return {seat.name: seat.in_fantasyland for seat in table.seats}


def test_who_enters_fantasyland_plays_the_next_deal_there() -> None:
    """P1 of V04 shows queens in front and enters; the same board does not stay."""
    ledger = Ledger()
    play(ledger, lay_table("V04"), "open-face")
    assert ledger.fantasyland == {"P1"}
    inside = {"P1": True, "P2": None, "P3": None, "P4": None}
    assert find_inside(ledger.prepare(lay_table("V04"))) == inside
    done = play(ledger, lay_table("V04"), "open-face")
    assert (done.find_player("P1").units, done.hands[0].fantasyland) == (37, None)
    assert ledger.fantasyland == set()
    assert find_inside(ledger.prepare(lay_table("V04"))) == dict.fromkeys(inside)


def test_who_stays_in_fantasyland_and_who_sits_out() -> None:
    """A of V01 holds trips in front, which enter and stay; a deal without A changes nothing."""
    ledger = Ledger()
    for stays in (False, True):
        done = play(ledger, lay_table("V01"), "open-face")
        assert done.hands[0].fantasyland == Fantasyland(13, stays=stays)
    assert "A" in ledger.fantasyland
    play(ledger, lay_table("V28", absent="A"), "open-face")
    assert "A" in ledger.fantasyland


@pytest.mark.parametrize("said", [True, False])
def test_what_a_deal_says_of_fantasyland_comes_first(said: bool) -> None:
    ledger = Ledger(fantasyland={"A"} if not said else set())
    prepared = ledger.prepare(lay_table("V01", in_fantasyland={"A": said}))
    assert find_inside(prepared)["A"] is said
