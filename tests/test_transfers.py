"""The fewest payments that settle a table, in units and in money."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cp_cli.settlement import HOUSE, Money, Transfer, Units, find_transfers
from tests.sizes import pick_size

EXAMPLES = pick_size(150, 75)


@st.composite
def draw_balances(draw: st.DrawFn, least: int, most: int, limit: int) -> dict[str, Units]:
    """Draw balances that add up to zero; small ones often do so within a group of players."""
    units = st.integers(-limit, limit)
    amounts = draw(st.lists(units, min_size=least - 1, max_size=most - 1))
    shares = draw(st.sampled_from([1, 1, 3]))
    return {
        f"P{number}": Fraction(amount, shares) if shares > 1 else amount
        for number, amount in enumerate([*amounts, -sum(amounts)])
    }


def pay(transfers: list[Transfer]) -> dict[str, Units]:
    """Return what each player has after payments."""
    paid: dict[str, Units] = {}
    for each in transfers:
        paid[each.payer] = paid.get(each.payer, 0) - each.units
        paid[each.payee] = paid.get(each.payee, 0) + each.units
    return paid


def count_fewest(balances: Mapping[str, Units]) -> int:
    """Count the fewest payments by trying every set of pairs that could pay each other.

    Some set of pairs is enough if in every part that it connects the balances add up to zero:
    then money can be passed along inside the part.
    """
    names = list(balances)
    couples = list(combinations(names, 2))
    for count in range(len(names)):
        for chosen in combinations(couples, count):
            part = {name: name for name in names}
            for one, two in chosen:
                old, new = part[one], part[two]
                part = {name: new if root == old else root for name, root in part.items()}
            sums: dict[str, Units] = dict.fromkeys(names, 0)
            for name, root in part.items():
                sums[root] += balances[name]
            if not any(sums.values()):
                return count
    raise AssertionError("all players together add up to zero")


def check_transfers(balances: Mapping[str, Units]) -> int:
    """Check that payments leave everybody with his balance; return how many there are."""
    transfers = find_transfers(balances)
    paid = pay(transfers)
    assert {name: paid.get(name, 0) for name in balances} == dict(balances)
    assert all(each.units > 0 for each in transfers)
    open_players = sum(1 for units in balances.values() if units)
    assert len(transfers) <= max(0, open_players - 1)
    return len(transfers)


@settings(max_examples=EXAMPLES)
@given(draw_balances(2, 5, 4))
def test_payments_are_the_fewest(balances: dict[str, Units]) -> None:
    assert check_transfers(balances) == count_fewest(balances)


@settings(max_examples=EXAMPLES)
@given(draw_balances(2, 16, 30))
def test_everybody_ends_with_his_balance(balances: dict[str, Units]) -> None:
    check_transfers(balances)


@pytest.mark.parametrize(
    ("balances", "count"),
    [
        ({}, 0),
        ({"A": 0, "B": 0}, 0),
        ({"A": 3, "B": -3}, 1),
        ({"A": 3, "B": -3, "C": 5, "D": -5}, 2),
        # The largest debt and the largest claim do not belong together: 5 = 2 + 3 and 4 = 4.
        ({"A": -5, "B": 4, "C": -4, "D": 3, "E": 2}, 3),
        # Three groups of two among six players.
        ({"A": 1, "B": 2, "C": 3, "D": -3, "E": -1, "F": -2}, 3),
        # Two groups of three among six players: 6 = 1 + 5 and 7 = 3 + 4.
        ({"A": 6, "B": -1, "C": -5, "D": 7, "E": -3, "F": -4}, 4),
        # Twelve players in five groups, the largest number that is settled with the fewest.
        (
            dict(
                zip("ABCDEFGHIJKL", [-5, 4, -4, 3, 2, 90, -90, 70, -70, 60, -35, -25], strict=True)
            ),
            7,
        ),
    ],
)
def test_groups_that_add_up_settle_among_themselves(balances: dict[str, Units], count: int) -> None:
    assert check_transfers(balances) == count


def test_the_house_is_paid_as_well() -> None:
    assert find_transfers({"A": 2, "B": -3}, house=1) == [
        Transfer("B", "A", 2),
        Transfer("B", HOUSE, 1),
    ]


def test_balances_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="balances add up to 1, expected 0"):
        find_transfers({"A": 2, "B": -1})


# --- in money ------------------------------------------------------------------------------------

UNITS_OF_MONEY = st.sampled_from(["1", "0.25", "0.05", "0.125", "100", "0.01"]).map(Decimal)


@settings(max_examples=EXAMPLES)
@given(draw_balances(2, 6, 20), UNITS_OF_MONEY)
def test_money_that_is_rounded_adds_up(balances: dict[str, Units], unit: Decimal) -> None:
    money = Money(unit)
    amounts = money.count_all(balances)
    smallest = Decimal(1).scaleb(-money.decimals)
    for name, units in balances.items():
        exact = Fraction(unit) * units
        assert abs(Fraction(amounts[name]) - exact) < Fraction(smallest)
        if (exact / Fraction(smallest)).denominator == 1:
            assert amounts[name] == money.count(units)
    assert sum(amounts.values()) == 0
    paid = dict.fromkeys(balances, Decimal(0))
    for payer, payee, amount in money.find_transfers(balances):
        assert amount > 0
        paid[payer] -= amount
        paid[payee] += amount
    assert paid == amounts


def test_the_house_is_paid_in_money() -> None:
    transfers = Money(Decimal("0.5")).find_transfers({"A": 3, "B": -5}, house=2)
    assert transfers == [("B", "A", Decimal("1.5")), ("B", HOUSE, Decimal(1))]
