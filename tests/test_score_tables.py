"""What is agreed at a table: who is meant, and what goes before what."""

from collections.abc import Sequence

import pytest

from cp_cli.arrangement import parse_arrangement
from cp_cli.cli.inputs import Fault, FaultError
from cp_cli.cli.score_tables import (
    MAX_CHIPS,
    Agreement,
    Desk,
    Layer,
    Stake,
    TableDeal,
    lay_table,
    read_count,
    split_pair,
)
from cp_cli.errors import InputError
from cp_cli.settlement import Seat
from tests.score_deals import list_hands

NAMED = tuple(Seat(name) for name in ("Anna", "Anna-Lena", "Bob", "Lena-Bob"))


def lay(
    seats: Sequence[Seat], *stakes: Stake, fixed: bool = True
) -> tuple[dict[frozenset[str], int], list[str]]:
    """Return the stakes of a table, and what is wrong with them."""
    faults: list[Fault] = []
    table = lay_table(seats, [], Layer(Agreement(stakes=stakes), fixed), faults)
    return dict(table.stakes), [fault.reason for fault in faults]


def test_names_with_hyphens() -> None:
    assert split_pair("a") == []
    three = NAMED[:3]
    pair = frozenset(("Anna-Lena", "Bob"))
    assert lay(three, Stake("Anna-Lena-Bob", 5, "x")) == ({pair: 5}, [])
    assert lay(three, Stake("Bob - Anna-Lena", 5, "x")) == ({pair: 5}, [])
    faults = {
        "Anna-Lena-Bob": "x: more than one pair of players can be meant",
        "Anna-Zoe-Bob": 'x: "Anna-Zoe-Bob" names no two players; expected two of Anna, Anna-Lena, '
        "Bob",
        "Anna": 'x: "Anna" names no two players; expected two of Anna, Anna-Lena, Bob',
    }
    for text, fault in faults.items():
        seats = NAMED if text == "Anna-Lena-Bob" else three
        assert lay(seats, Stake(text, 5, "x")) == ({}, [fault])
    assert lay(three, Stake("Anna-Zoe", 5, "x"), fixed=False) == ({}, [])


def test_a_stake_of_one_pair_twice() -> None:
    stakes = Stake("Anna-Bob", 5, "x"), Stake("Bob-Anna", 6, "y")
    found, faults = lay(NAMED[:3], *stakes)
    assert faults == ["y: the stake of Anna and Bob is given twice"]
    assert found == {frozenset(("Anna", "Bob")): 5}


def test_what_goes_before_what() -> None:
    seats = (Seat("Amy", chips=1), Seat("Bob"), Seat("Cat"))
    stake = Stake("Amy-Bob", 2, "x")
    file = Agreement(chips={"Amy": 2, "Bob": 2, "Cat": 2}, dealer="Amy", stakes=(stake,))
    deal = Agreement(chips={"Bob": 3, "Cat": 3}, dealer="Bob", banker="Amy", pot={"Zoe": 1})
    over = Agreement(chips={"Cat": 4}, banker="Cat", stakes=(Stake("Bob-Amy", 9, "y"),))
    faults: list[Fault] = []
    table = lay_table(seats, [Layer(file, True), Layer(deal, True)], Layer(over, True), faults)
    assert faults == []
    assert [seat.chips for seat in table.seats] == [1, 3, 4]
    assert (table.dealer, table.banker) == ("Bob", "Cat")
    assert table.stakes == {frozenset(("Amy", "Bob")): 9}
    assert table.pot == {"Zoe": 1}


HANDS = tuple(Seat(name, parse_arrangement(hand)) for name, hand in list_hands("V03").items())


def test_all_that_is_wrong_has_its_place() -> None:
    """What the table finds has the place of its key, what else is wrong that of its own."""
    deal = TableDeal(
        HANDS, Agreement(dealer="Zoe", scores={"Ann": 3}, places={"dealer": "d:3", "scores": "d:5"})
    )
    with pytest.raises(FaultError) as caught:
        Desk("two-four", Agreement(chips={"Zoe": 5}, origin="--")).settle_one(deal, Agreement())
    assert list(caught.value.faults) == [
        Fault("d:5", 'scores: "Ann" is not seated; expected one of Amy, Bob'),
        Fault("", '--chips: "Zoe" is not seated; expected one of Amy, Bob'),
        Fault(
            "d:3",
            'dealer: "Zoe" is not seated; expected one of Amy, Bob; scores: given, but mode pairs '
            "keeps none",
        ),
    ]


def test_a_desk_knows_the_rules_that_terms_name() -> None:
    desk = Desk("two-four", Agreement(settings=("surrender=2",)))
    found = desk.find_ruleset([])
    assert found is not None
    assert (found.id, found.surrender) == ("two-four", 2)
    named = desk.find_ruleset([Agreement(ruleset="basic"), Agreement(ruleset="one-six")])
    assert named is not None
    assert named.id == "one-six"
    assert desk.find_ruleset([Agreement(ruleset="two-fuor")]) is None


def test_numbers_within_limits() -> None:
    assert read_count("1000000000", 0, MAX_CHIPS) == MAX_CHIPS
    for text in ("1000000001", "9" * 5000, "-1", "1.5", "", " 5", "٣", "1_000"):
        with pytest.raises(InputError, match=r"; expected a whole number from 0 to 1,000,000,000$"):
            read_count(text, 0, MAX_CHIPS)


# --- faults --------------------------------------------------------------------------------------


def test_faults_are_put_on_one_line() -> None:
    error = FaultError(
        Fault("d.yaml:10", "b"), Fault("", "c"), Fault("d.yaml:9", "a"), Fault("d.yaml:10", "b")
    )
    assert error.join() == Fault("d.yaml:9", "c; a; line 10: b")
    assert str(error.join()) == "d.yaml:9: c; a; line 10: b"
    assert str(FaultError(Fault("", "x")).join()) == "x"
