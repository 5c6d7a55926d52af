"""What players have in the end and the payments that settle it, in units and in money alike."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from cp_cli.settlement import HOUSE, Ledger

if TYPE_CHECKING:
    from cp_cli.settlement import Money, Settlement, Transfer, Units


@dataclass(frozen=True, slots=True)
class Payment:
    """What settles an account in part; `money` and `units` are None where that is not paid."""

    payer: str
    payee: str
    units: "Units | None"
    money: Decimal | None


@dataclass(frozen=True, slots=True)
class Account:
    """The units of every player and of the house after a deal or a session."""

    balances: "Mapping[str, Units]"
    house: int
    transfers: "tuple[Transfer, ...]"

    def count(self, money: "Money") -> dict[str, Decimal]:
        """Return balances in money; where they are rounded all and the house add up to nothing."""
        house = {HOUSE: self.house} if self.house else {}
        amounts = money.count_all({**self.balances, **house})
        return {name: amounts[name] for name in self.balances}

    def list_payments(self, money: "Money | None") -> Iterator[Payment]:
        """Yield the payments in units, each with its money.

        Where shares of a pot are less than the smallest coin, other payments may settle money
        than units. Units come first then, each without the other.
        """
        units = {(each.payer, each.payee): each.units for each in self.transfers}
        if money is None:
            yield from (Payment(*pair, due, None) for pair, due in units.items())
            return
        listed = money.find_transfers(self.balances, self.house)
        paid = {(payer, payee): amount for payer, payee, amount in listed}
        if paid.keys() == units.keys():
            yield from (Payment(*pair, due, paid[pair]) for pair, due in units.items())
        else:
            yield from (Payment(*pair, due, None) for pair, due in units.items())
            yield from (Payment(*pair, None, amount) for pair, amount in paid.items())

    def name(self, name: str) -> str:
        """Return a player's name, and that of the house as a sentence has it."""
        return f"the {HOUSE}" if name == HOUSE and name not in self.balances else name


def open_account(source: "Settlement | Ledger") -> Account:
    """Return the account of a deal or of a session."""
    if isinstance(source, Ledger):
        balances = source.balances
    else:
        balances = {player.name: player.units for player in source.players}
    return Account(balances, source.house, tuple(source.find_transfers()))
