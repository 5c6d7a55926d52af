"""Settlement of many tables, against settling them one by one with the reason for each unit."""

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.timing import (
    SEED,
    Figure,
    Result,
    alternate,
    digest_integers,
    open_ruleset,
)
from cp_cli._kernels.opponents import DECLARE, SURRENDER
from cp_cli.arrangement import Arrangement
from cp_cli.candidates import read_split
from cp_cli.evaluator import find_naturals
from cp_cli.settlement import BEST, Seat, Settler, Table
from cp_cli.settlement.arrays import TableSettler
from cp_cli.settlement.game import build_game
from cp_cli.strategy import set_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

SEATS = 4
RULESET = "hawaiian-gardens"  # sweeps of everybody, royalties, naturals, surrender
CHECKED = 256


def deal_tables(count: int) -> "NDArray[np.uint8]":
    """Return tables of four deals, uint8 (count, 4, 13), each deal sorted high to low."""
    rng = np.random.default_rng(SEED)
    packs = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (count, 1)), axis=1)
    return -np.sort(-packs.reshape(count, SEATS, 13).astype(np.int8), axis=2).astype(np.uint8)


def set_tables(cards: "NDArray[np.uint8]", ruleset: "Ruleset") -> "NDArray[np.int32]":
    """Set every deal with its strongest back; naturals are declared, each 16th hand gives up."""
    deals = cards.reshape(-1, 13)
    codes = set_deals("back-first", deals, build_game(ruleset)).astype(np.int32)
    codes[::16] = SURRENDER
    held = [bool(find_naturals(deal, ruleset)) for deal in deals[: CHECKED * SEATS].tolist()]
    codes[np.flatnonzero(held)] = DECLARE
    return codes.reshape(cards.shape[:2])


def seat_table(cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]") -> Table:
    """Return one table as people write it."""
    seats = []
    for name, deal, code in zip("ABCD", cards, codes.tolist(), strict=True):
        if code == DECLARE:
            seats.append(Seat(name, cards=tuple(deal.tolist()), natural=BEST))
        elif code == SURRENDER:
            seats.append(Seat(name, surrendered=True))
        else:
            split: Arrangement = read_split(deal, code)
            seats.append(Seat(name, split))
    return Table(tuple(seats))


def run(quick: bool) -> Result:
    """Describe and settle tables of four in the library's arrays, and a few one by one."""
    count, rounds = (8_192, 7) if quick else (65_536, 15)
    ruleset = open_ruleset(RULESET)
    cards = deal_tables(count)
    codes = set_tables(cards, ruleset)
    arrays, settler = TableSettler(ruleset, SEATS), Settler(ruleset)
    hands = arrays.describe(cards, codes)
    tables = [seat_table(cards[i], codes[i]) for i in range(CHECKED)]
    times = alternate(
        {
            "settle": lambda: arrays.settle(hands),
            "describe": lambda: arrays.describe(cards, codes),
            "one by one": lambda: [settler.settle(table) for table in tables],
        },
        rounds,
    )
    paid = arrays.settle(hands)[:CHECKED]
    differ = 0
    for table, units in zip(tables, paid.sum(axis=2).tolist(), strict=True):
        differ += [player.units for player in settler.settle(table).players] != units
    pairs = count * SEATS * (SEATS - 1) / 2
    both = times.take("settle") + times.take("describe")
    single = times.take("one by one") / CHECKED
    return Result(
        digest_integers(paid),
        [
            Figure("pair settlements", pairs / times.take("settle") / 1e6, "M/s", ">= 2"),
            Figure("the same, hands read from cards", pairs / both / 1e6, "M/s"),
            Figure("a table of four, every reason", single * 1e3, "ms"),
            Figure("one by one / arrays", single / (both / count), "times"),
        ],
        faults=[f"{differ} of {CHECKED} tables: not what one by one gives"] * (differ > 0),
    )
