"""What a settlement says it assumed or left open, and units in money."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from cp_cli.arrangement import Natural
from cp_cli.cards import parse_cards
from cp_cli.ruleset import load_ruleset
from cp_cli.settlement import BEST, Money, Seat, Table, Units, settle
from tests.seating import seat_hands, set_rest

HANDS = {  # two hands of V05 of the vectors
    "Amy": "As Ah Jc / 9s 9h 4s 4h 7c / Qc Jd Td 9c 8s",
    "Bob": "Ad Kc 6c / 8h 7d 6d 5d 4d / 2s 2h 2d 7s 7h",
}
CAP = "stakes.cap=chips"
NO_DEALER = "no dealer named: Amy counts as dealer for the order of payment"


@pytest.mark.parametrize(
    ("overrides", "changes", "notes"),
    [
        ([], {}, []),
        ([CAP], {}, []),
        ([CAP], {"dealer": "Bob"}, []),
        ([CAP], {"chips": {"Bob": 5}}, [NO_DEALER]),
        ([CAP], {"chips": {"Bob": 5}, "dealer": "Amy"}, []),
        (["stakes.pairs={Bob-Amy: 2}"], {}, []),
        (
            ["stakes.pairs={Amy-Bob: 2, Amy-Cat: 3, Dan-Bob: 4}"],
            {},
            ["stakes of the ruleset for Amy-Cat, Dan-Bob: not at this table"],
        ),
        # Bob, who wins two rows and the overall unit, takes 2.
        ([], {"chips": {"Amy": 1}}, ["Amy lost 1 more than the chips in front"]),
        (["rake=2"], {}, ["rake: 2 from each player"]),
    ],
)
def test_notes(overrides: list[str], changes: dict[str, Any], notes: list[str]) -> None:
    seats = seat_hands(HANDS, chips=changes.get("chips", {}))
    table = Table(seats, dealer=changes.get("dealer"))
    assert list(settle(table, load_ruleset("two-four", overrides)).notes) == notes


SIX_PAIRS = "2d 2c 3h 3c 4h 4d 5h 5c 6d 6c 7h 7c As"
HELD = "Amy holds six pairs (6), not declared"
LESS = "Amy declares no pictures; the highest held counts, six pairs (6)"


@pytest.mark.parametrize(
    ("natural", "units", "notes"),
    [(None, None, [HELD]), (Natural.NO_PICTURES, 6, [LESS]), (BEST, 6, [])],
)
def test_naturals_that_are_not_declared(natural: Any, units: int | None, notes: list[str]) -> None:
    """The rest of the pack makes two hands; whatever is declared, the highest counts."""
    cards = parse_cards(SIX_PAIRS)
    rows = "As 7h 7c / 4h 4d 3h 3c 2c / 6d 6c 5h 5c 2d"
    amy = seat_hands({"Amy": rows}, natural={"Amy": natural})
    done = settle(Table((*amy, Seat("Bob", set_rest(cards)))), load_ruleset("wikipedia-two-four"))
    assert [note for note in done.notes if note.startswith("Amy")] == notes
    assert ("natural" in {item.reason for item in done.pairs[0].items}) is (units is not None)
    if units:
        assert done.pairs[0].units == units


# --- money ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "units", "amount"),
    [
        ("0.25", -3, "-0.75"),
        ("2", 7, "14.00"),
        ("1", 0, "0.00"),
        ("0.125", 3, "0.375"),
        ("100", 12, "1200.00"),
        ("1E+2", 3, "300.00"),
        # Shares of a pot are rounded to the nearest cent.
        ("1", Fraction(4, 3), "1.33"),
        ("1", Fraction(-5, 3), "-1.67"),
    ],
)
def test_units_in_money(unit: str, units: Units, amount: str) -> None:
    assert str(Money(Decimal(unit), "EUR").count(units)) == amount
