"""Units in money."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from cp_cli.settlement.table import Units


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
        exact = Fraction(self.unit) * units
        scaled = round(exact * 10**self.decimals)
        return Decimal(scaled).scaleb(-self.decimals)
