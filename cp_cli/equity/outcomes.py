"""What became of the three rows against one opponent: one of 27 patterns, and what follows.

A figure of a whole table depends, in the main, on how often each opponent is beaten in each row,
in two rows, in all. How often that is is known well, from all judges, so it corrects what few
tables show.
"""

from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.table_rules import FOULED, PLAYS, STATE
from cp_cli._kernels.whole import find_patterns

if TYPE_CHECKING:
    from numpy.typing import NDArray

PATTERNS = 28
ABSENT = 27
"""The pattern against an opponent who does not show his rows."""


def compare_rows(
    heroes: "NDArray[np.int16]", rows: "NDArray[np.int16]", ties: int = 0
) -> "NDArray[np.uint8]":
    """Return the patterns (k, n) of strengths (k, 3) against those of opponents (3, n).

    `ties` is 1 where the heroes win equal rows.
    """
    patterns = np.empty((len(heroes), rows.shape[1]), dtype=np.uint8)
    find_patterns(heroes, rows, ties, patterns)
    return patterns


class ShownRows:
    """The rows of opponents at many tables, hands (d, m, HAND), ready to be compared."""

    def __init__(self, hands: "NDArray[np.int64]") -> None:
        self.shape = hands.shape[:2]
        fouled = hands[..., STATE] == FOULED
        rows = np.where(fouled[..., None], -1, hands[..., :3]).astype(np.int16)
        self.rows = np.ascontiguousarray(rows.reshape(-1, 3).T)
        shown = fouled | (hands[..., STATE] == PLAYS)
        self.absent = np.flatnonzero(~shown)

    def meet(self, hero: "NDArray[np.int64]", ties: int = 0) -> "NDArray[np.uint8]":
        """Return the patterns (d, m) of a hand (HAND,) that plays; see `compare_rows`."""
        patterns = compare_rows(hero[None, :3].astype(np.int16), self.rows, ties)
        patterns[0, self.absent] = ABSENT
        return patterns.reshape(self.shape)


SIDES = np.array([[p // 9 - 1, p // 3 % 3 - 1, p % 3 - 1] for p in range(ABSENT)])
"""Who wins front, middle and back, by pattern: 1 we, -1 the opponent, 0 nobody."""
WON, LOST = (SIDES > 0).sum(axis=1), (SIDES < 0).sum(axis=1)
"""How many rows we win, and how many we lose."""


def _build_features() -> "NDArray[np.float64]":
    """Return rows won (3) and tied (3), all, none, two or more, and at most one, by pattern."""
    counted = np.stack([WON == 3, LOST == 3, WON >= 2, LOST >= 2], axis=1)
    features = np.zeros((PATTERNS, 10))
    features[:ABSENT] = np.concatenate([SIDES > 0, SIDES == 0, counted], axis=1)
    return features


FEATURES = _build_features()
"""Float64 (28, 10): what the figures of a table are explained by, for each pattern."""
