"""Units in money."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor

from cp_cli.settlement.table import HOUSE, Units
from cp_cli.settlement.transfers import find_transfers


@dataclass(frozen=True, slots=True)
class Money:
    """What one unit is worth, in a currency that may have no name.

    >>> Money(Decimal("0.25"), "EUR").count(-3)
    Decimal('-0.75')
    """

    unit: Decimal
    currency: str = ""

    @property
    def decimals(self) -> int:
        """Decimals of an amount: two, or as many as the unit has."""
        exponent = self.unit.as_tuple().exponent
        return max(2, -exponent if isinstance(exponent, int) else 2)

    def count(self, units: Units) -> Decimal:
        """Return units in money, exact but for shares of a pot, which are rounded."""
        return self._scale(round(self._measure(units)))

    def count_all(self, balances: Mapping[str, Units]) -> dict[str, Decimal]:
        """Return balances in money; where they must be rounded, their sum is not changed.

        >>> third = Fraction(1, 3)
        >>> list(Money(Decimal(1)).count_all({"A": third, "B": third, "C": -2 * third}).values())
        [Decimal('0.34'), Decimal('0.33'), Decimal('-0.67')]
        """
        exact = {name: self._measure(units) for name, units in balances.items()}
        whole = {name: floor(amount) for name, amount in exact.items()}
        left = round(sum(exact.values())) - sum(whole.values())
        # The largest remainders are rounded up, of equal ones those that come first.
        for name in sorted(exact, key=lambda name: whole[name] - exact[name])[:left]:
            whole[name] += 1
        return {name: self._scale(amount) for name, amount in whole.items()}

    def find_transfers(
        self, balances: Mapping[str, Units], house: Units = 0
    ) -> list[tuple[str, str, Decimal]]:
        """Return payer, payee and money of the fewest payments that settle rounded balances."""
        claims = self.count_all({**balances, HOUSE: house} if house else balances)
        scaled = {name: int(amount.scaleb(self.decimals)) for name, amount in claims.items()}
        return [
            (each.payer, each.payee, self._scale(int(each.units)))
            for each in find_transfers(scaled)
        ]

    def _measure(self, units: Units) -> Fraction:
        """Return units in the smallest money that is written."""
        smallest = Fraction(self.unit) * Fraction(10) ** self.decimals
        return Fraction(units * smallest)

    def _scale(self, amount: int) -> Decimal:
        return Decimal(amount).scaleb(-self.decimals)
