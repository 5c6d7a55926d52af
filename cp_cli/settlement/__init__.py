"""Who pays whom at a table, and why. The only place where cards and money meet.

`settle` needs no Numba; `settlement.game`, which lays a ruleset out for the kernels, does.
"""

from cp_cli.settlement.ledger import Ledger
from cp_cli.settlement.money import Money
from cp_cli.settlement.results import (
    Fantasyland,
    Hand,
    Item,
    Pair,
    Player,
    Settlement,
)
from cp_cli.settlement.settle import Settler, settle
from cp_cli.settlement.table import BEST, HOUSE, Seat, Table, Units
from cp_cli.settlement.transfers import Transfer, find_transfers

__all__ = [
    "BEST",
    "HOUSE",
    "Fantasyland",
    "Hand",
    "Item",
    "Ledger",
    "Money",
    "Pair",
    "Player",
    "Seat",
    "Settlement",
    "Settler",
    "Table",
    "Transfer",
    "Units",
    "find_transfers",
    "settle",
]
