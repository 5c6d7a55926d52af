"""What strong rows pay: a ruleset's royalties by row and strength, without Numba."""

from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.tables import RowTables
from cp_cli.arrangement import Category
from cp_cli.ruleset import Royalties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import RowRoyalties, Ruleset

_KEYS = {
    Category.TRIPS: "trips",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.FULL_HOUSE: "full_house",
    Category.QUADS: "quads",
    Category.STRAIGHT_FLUSH: "straight_flush",
}


def _value_front(royalties: Royalties, tables: RowTables) -> "NDArray[np.int16]":
    values = np.zeros(len(tables.category), dtype=np.int16)
    for strength in np.flatnonzero(tables.size == 3):
        rank = int(tables.top[strength])
        if tables.category[strength] == Category.TRIPS:
            values[strength] = royalties.front.trips_units(rank)
        elif tables.category[strength] == Category.PAIR:
            values[strength] = royalties.front.pair_units(rank)
    return values


def _value_five(row: "RowRoyalties", tables: RowTables) -> "NDArray[np.int16]":
    values = np.zeros(len(tables.category), dtype=np.int16)
    for category, key in _KEYS.items():
        values[(tables.category == category) & (tables.size == 5)] = getattr(row, key)
    if row.royal_flush:
        values[-1] = row.royal_flush
    return values


def value_rows(ruleset: "Ruleset", tables: RowTables) -> "NDArray[np.int16]":
    """Return the royalties of every row, int16 (3, 7918) by row and strength, in units."""
    values = np.zeros((3, len(tables.category)), dtype=np.int16)
    royalties = ruleset.royalties
    if royalties is not None:
        values[0] = _value_front(royalties, tables)
        values[1] = _value_five(royalties.middle, tables)
        values[2] = _value_five(royalties.back, tables)
    if ruleset.order.middle == "low27":
        values[1] = 0
    return values


def surcharge_rows(ruleset: "Ruleset", tables: RowTables) -> "NDArray[np.int16]":
    """Return what a middle is paid more if it wins, int16 (7918,) by strength."""
    strong = (tables.category >= Category.QUADS) & (tables.size == 5)
    units = np.zeros(len(tables.category), dtype=np.int16)
    if ruleset.order.middle == "high":
        units[strong] = ruleset.middle_extra
    return units


def pays_instead(ruleset: "Ruleset") -> bool:
    """Tell whether strong rows change what the row pays; a bare surcharge does as well."""
    royalties = ruleset.royalties
    return ruleset.rows.outcome is None and (royalties is None or royalties.style == "instead")
