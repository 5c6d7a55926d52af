"""The fewest payments that settle a table or a session."""

from collections.abc import Mapping
from dataclasses import dataclass

from cp_cli.settlement.table import HOUSE, Units

MOST_EXACT = 12  # players; more are settled by hand-to-hand payments, perhaps not the fewest


@dataclass(frozen=True, slots=True)
class Transfer:
    """A payment that settles the table."""

    payer: str
    payee: str
    units: Units


def find_transfers(balances: Mapping[str, Units], house: Units = 0) -> list[Transfer]:
    """Return payments after which everybody has what he won, as few as possible.

    `balances` and the `house` must add up to zero. A group of players whose balances do so
    settles with one payment fewer than it has members, so the players are split into as many
    such groups as there can be. Raises ValueError if the balances do not add up.

    >>> for each in find_transfers({"Amy": 5, "Bob": -2, "Cat": -5, "Dan": 2}):
    ...     print(each.payer, each.payee, each.units)
    Cat Amy 5
    Bob Dan 2
    """
    if house:
        balances = {**balances, HOUSE: house}
    if sum(balances.values()) != 0:
        raise ValueError(f"balances add up to {sum(balances.values())}, expected 0")
    open_names = [name for name, units in balances.items() if units]
    if len(open_names) > MOST_EXACT:
        return _settle_group({name: balances[name] for name in open_names})
    return [
        transfer
        for group in _find_groups(open_names, balances)
        for transfer in _settle_group({name: balances[name] for name in group})
    ]


def _find_groups(names: list[str], balances: Mapping[str, Units]) -> list[list[str]]:
    """Split players into the most groups that each add up to zero.

    Players are taken one after the other; whenever those taken so far add up to zero, a group is
    complete. `most[taken]` is the greatest number of groups over all orders of taking.
    """
    sums: list[Units] = [0] * (1 << len(names))
    most = [0] * (1 << len(names))
    last = [0] * (1 << len(names))
    for taken in range(1, 1 << len(names)):
        low = taken & -taken
        sums[taken] = sums[taken ^ low] + balances[names[low.bit_length() - 1]]
        members = [i for i in range(len(names)) if taken >> i & 1]
        last[taken] = max(members, key=lambda i: (most[taken ^ 1 << i], i))
        most[taken] = most[taken ^ 1 << last[taken]] + (sums[taken] == 0)
    groups: list[list[str]] = []
    taken = len(most) - 1
    while taken:
        if sums[taken] == 0:
            groups.append([])
        groups[-1].append(names[last[taken]])
        taken ^= 1 << last[taken]
    return [sorted(group, key=names.index) for group in reversed(groups)]


def _settle_group(balances: Mapping[str, Units]) -> list[Transfer]:
    """Return payments inside a group: each time the largest debt goes to the largest claim."""
    rest = dict(balances)
    transfers = []
    while any(rest.values()):
        payer = min(rest, key=lambda name: rest[name])
        payee = max(rest, key=lambda name: rest[name])
        units = min(-rest[payer], rest[payee])
        rest[payer] += units
        rest[payee] -= units
        transfers.append(Transfer(payer, payee, units))
    return transfers
