"""Strengths of all rows of random deals, and of single rows against other evaluators."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks.loops import rank_rows
from benchmarks.peers import open_peers
from benchmarks.timing import Figure, Result, alternate, deal_heroes, digest_integers, open_ruleset
from cp_cli._kernels.tables import FIVES_OF_13
from cp_cli.evaluator import row_tables

ROWS = len(FIVES_OF_13)


def _rank_each(rank: Callable[[Any], int], rows: Sequence[Any]) -> None:
    for row in rows:
        rank(row)


def run(quick: bool) -> Result:
    """Rank the 1,287 five-card rows (and 286 fronts) of each deal; the rate counts the former."""
    deals, rounds = (256, 9) if quick else (2048, 25)
    cards = deal_heroes(open_ruleset(), deals).cards
    tables = row_tables("low")
    fronts = np.empty((deals, 286), dtype=np.int16)
    backs = np.empty((deals, ROWS), dtype=np.int16)

    def rank_ours() -> None:
        rank_rows(cards, tables.five, tables.three, fronts, backs)

    peers, notes = open_peers()
    listed = [tuple(row) for deal in cards[:2] for row in deal[FIVES_OF_13].tolist()]
    sides: dict[str, Callable[[], object]] = {"cpoker": rank_ours}
    for peer in peers:
        sides[peer.name] = partial(_rank_each, peer.rank, list(peer.read(listed)))
    times = alternate(sides, rounds)
    rate = deals * ROWS / times.take("cpoker") / 1e6
    figures = [Figure("rows of random deals", rate, "M rows/s", ">= 350")]
    for peer in peers:
        ratio = times.compare(peer.name, "cpoker") * deals * ROWS / len(listed)
        figures.append(
            Figure(f"a row, {peer.name} / cpoker", ratio, "times", ">= 30", "called row by row")
        )
    return Result(digest_integers(fronts[:256], backs[:256]), figures, notes)
