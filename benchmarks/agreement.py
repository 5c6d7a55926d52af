"""Whether other evaluators put all 2,598,960 five-card rows in our order."""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.peers import Peer, open_peers
from benchmarks.timing import Figure, Result, digest_integers
from cp_cli._kernels.rows import rank_all_rows5
from cp_cli.cards import format_cards
from cp_cli.evaluator import row_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS = 2_598_960
CLASSES = 7_462
NAMES = ("phevaluator", "treys")


def _rank_by(peer: Peer) -> Iterator[int]:
    """Yield the ranks of all rows in lexicographic order."""
    rank = peer.rank
    for row in peer.read(combinations(range(52), 5)):
        yield rank(row)


def _find_difference(ours: "NDArray[np.intp]", peer: Peer) -> str:
    """Say where the peer's classes, numbered from the weakest, are not ours; empty if nowhere."""
    ranks = np.fromiter(_rank_by(peer), dtype=np.int64, count=ROWS)
    classes, places = np.unique(ranks if peer.largest_wins else -ranks, return_inverse=True)
    wrong = np.flatnonzero(places != ours)
    if not len(wrong):
        return ""
    row = next(row for i, row in enumerate(combinations(range(52), 5)) if i == wrong[0])
    return (
        f"{peer.name}: {len(classes):,} classes; {len(wrong):,} of {ROWS:,} rows stand elsewhere, "
        f"the first is {format_cards(row)}"
    )


def run(quick: bool) -> Result:
    """Compare every row, also with --quick; it is a check, not a race."""
    strengths = np.empty(ROWS, dtype=np.int16)
    rank_all_rows5(row_tables("low").five, strengths)
    classes, ours = np.unique(strengths, return_inverse=True)
    peers, notes = open_peers(NAMES)
    faults = [fault for peer in peers if (fault := _find_difference(ours, peer))]
    if len(classes) != CLASSES:
        faults.append(f"{len(classes):,} classes of five-card rows, expected {CLASSES:,}")
    # A check that cannot be made has not passed.
    faults += [f"{note}: pip install '.[dev]'" for note in notes]
    figures = [
        Figure("rows compared", ROWS, "rows", note=f"{CLASSES:,} classes"),
        *(Figure(f"rows in the order of {peer.name}", ROWS, "rows") for peer in peers),
    ]
    return Result(digest_integers(strengths), figures if not faults else [], faults=faults)
