"""Opponents that give the figures, and the statistics of what they pay."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cp_cli._kernels.answers import value_specials
from cp_cli._kernels.controls import SIZES, count_sets
from cp_cli._kernels.payoff import WEIGHT, measure_heroes
from cp_cli.equity.outcomes import ABSENT, compare_rows
from cp_cli.field import Opponents, mask_cards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Estimates = tuple[NDArray[np.float64], NDArray[np.float64]]

LESSONS = 50  # opponents for each control variate, below which none is used


class Measures(NamedTuple):
    """What the judges do to k arranged deals.

    Attributes:
        means: float64 (k,), mean units per opponent.
        off: float32 (k, n), what each opponent pays more than the mean, times its share.
        counts: int64 (k, 8), weights won, tied, scooped; see `_kernels.payoff.count_rows`.
        royalties: float64 (k,), mean units that royalties, ours less theirs, change.

    """

    means: "NDArray[np.float64]"
    off: "NDArray[np.float32]"
    counts: "NDArray[np.int64]"
    royalties: "NDArray[np.float64]"


class Judges:
    """Opponents that give the figures, with what the unusual ones among them pay.

    A deal of the field that fits in several relabellings is one observation with a weight.

    Attributes:
        players: int16 (8, p), arranged deals.
        specials: int64 (3, s), units from each special opponent if we play, declare, surrender.
        game: the rules.

    """

    def __init__(
        self, parts: Sequence[Opponents], unseen: Sequence[int], place: int, tie: int
    ) -> None:
        self.game = parts[0].field.game
        self.players = join_last([part.players for part in parts])
        self.specials = join_last([value_specials_of(part, place, tie) for part in parts])
        weights = join_last(
            [part.players[WEIGHT] for part in parts] + [part.special_weights for part in parts]
        )
        masks = join_last(
            [part.field.deals.masks[part.deals] for part in parts]
            + [part.field.deals.masks[part.special] for part in parts]
        )
        self.weight = float(weights.sum(dtype=np.int64))
        self.shares = weights.astype(np.float32) / np.float32(self.weight)
        self._correct(masks, unseen)

    def _correct(self, masks: "NDArray[np.uint64]", unseen: Sequence[int]) -> None:
        """Prepare the control variates of `_kernels.controls`."""
        kinds = len(SIZES) if len(masks) >= LESSONS * len(SIZES) else 0
        sets = np.empty((kinds, len(masks)), dtype=np.float32)
        among = np.empty((kinds, 1), dtype=np.float32)
        count_sets(masks, sets)
        count_sets(np.array([mask_cards(unseen)], dtype=np.uint64), among)
        u = len(unseen)
        chances = [np.prod([(13 - i) / (u - i) for i in range(size)]) for size in range(6)]
        means = sets @ self.shares
        self._excess = means.astype(np.float64) - among[:, 0] * np.array(chances)[SIZES[:kinds]]
        sets -= means[:, None]
        sets *= self.shares
        self._controls = sets
        # A kind of set that no opponent can hold leaves an empty row; hence the pseudo-inverse.
        self._inverse = np.linalg.pinv((sets @ sets.T).astype(np.float64), hermitian=True)

    def __len__(self) -> int:
        return len(self.shares)

    def count_effective(self) -> float:
        """Return how many opponents of equal weight would tell as much."""
        return float(1 / np.square(self.shares, dtype=np.float64).sum())

    def measure(self, heroes: "NDArray[np.int16]") -> Measures:
        """Measure arranged deals, int16 (k, 8), against every opponent."""
        k = len(heroes)
        off = np.empty((k, len(self.shares)), dtype=np.float32)
        counts = np.zeros((k, 8), dtype=np.int64)
        totals = np.zeros((k, 2), dtype=np.int64)
        measure_heroes(
            heroes, self.players, self.specials[0], self.shares, self.weight, self.game.pay, off,
            counts, totals,
        )  # fmt: skip
        p = self.players.shape[1]
        means = totals[:, 0] / self.weight + float(self.specials[0] @ self.shares[p:])
        return Measures(means, off, counts, (totals[:, 0] - totals[:, 1]) / self.weight)

    def measure_patterns(
        self, heroes: "NDArray[np.int16]", values: "NDArray[np.float64]"
    ) -> Measures:
        """Measure deals that win from an opponent what `values` (k, 28) give for the pattern.

        See `outcomes`; who does not play is absent.
        """
        k, p = len(heroes), self.players.shape[1]
        paid = np.repeat(values[:, ABSENT:], len(self.shares), axis=1)
        paid[:, :p] = np.take_along_axis(values, compare_rows(heroes, self.players).astype(int), 1)
        shares = self.shares.astype(np.float64)
        means = paid @ shares / shares.sum()
        off = ((paid - means[:, None]) * self.shares).astype(np.float32)
        return Measures(means, off, np.zeros((k, 8), dtype=np.int64), np.zeros(k))

    def _measure_flat(self, units: int, action: int) -> Measures:
        """Measure an action by which every player pays the same."""
        p = self.players.shape[1]
        paid = np.full(len(self.shares), units, dtype=np.float32)
        paid[p:] = self.specials[action]
        mean = float(paid @ self.shares)
        off = ((paid - np.float32(mean)) * self.shares)[None]
        return Measures(np.array([mean]), off, np.zeros((1, 8), dtype=np.int64), np.zeros(1))

    def estimate(self, found: Measures) -> "Estimates":
        """Return the mean units per opponent and their standard errors, float64 (k,) each.

        Means are corrected by control variates; errors are those of what these leave over.
        """
        along = (found.off @ self._controls.T).astype(np.float64)
        squares = np.einsum("ij,ij->i", found.off, found.off).astype(np.float64)
        return self._regress(found.means, along, squares)

    def estimate_losses(self, found: Measures, best: Measures) -> "Estimates":
        """Return how much less than `best` (k = 1) deals earn, on the same opponents."""
        off = best.off - found.off
        along = (off @ self._controls.T).astype(np.float64)
        squares = np.einsum("ij,ij->i", off, off).astype(np.float64)
        return self._regress(best.means - found.means, along, squares)

    def estimate_flat(self, action: str, natural: int | None) -> "Estimates":
        """Return mean units and their error, (1,) each, if we declare or surrender."""
        if action == "declare":
            return self.estimate(self._measure_flat(natural or 0, 1))
        return self.estimate(self._measure_flat(-self.game.surrender, 2))

    def estimate_units(self, units: "NDArray[np.int64]") -> "Estimates":
        """Return means and standard errors of any units per opponent, (k, n)."""
        means = units.astype(np.float64) @ self.shares.astype(np.float64)
        off = ((units - means[:, None]) * self.shares).astype(np.float32)
        nothing = np.zeros(len(units))
        counts = np.zeros((len(units), 8), dtype=np.int64)
        return self.estimate(Measures(means, off, counts, nothing))

    def _regress(
        self,
        means: "NDArray[np.float64]",
        along: "NDArray[np.float64]",
        squares: "NDArray[np.float64]",
    ) -> "Estimates":
        """Take out of means and squared errors what the control variates explain."""
        slopes = along @ self._inverse
        n, k = len(self.shares), len(self._excess)
        left = squares - np.einsum("ij,ij->i", slopes, along)
        errors = np.sqrt(np.maximum(left, 0.0) * n / max(1, n - k - 1))
        return means - slopes @ self._excess, errors


def add_measures(pairs: Measures, table: Measures, opponents: int) -> Measures:
    """Return what k deals win from all opponents: in pairs, and beyond as the table settles."""
    return pairs._replace(
        means=pairs.means * opponents + table.means,
        off=pairs.off * np.float32(opponents) + table.off,
    )


def join_last(arrays: "Sequence[NDArray[Any]]") -> "NDArray[Any]":
    """Join arrays along their last axis; a single one is not copied."""
    filled = [array for array in arrays if array.shape[-1]]
    if len(filled) == 1:
        return filled[0]
    return np.concatenate(arrays, axis=-1)


def value_specials_of(part: Opponents, place: int, tie: int) -> "NDArray[np.int64]":
    """Return int64 (3, s): units from each special opponent if we play, declare, surrender.

    `place` and `tie` are the deal's own natural, place -1 where it has none.
    """
    field, deals, s = part.field, part.field.deals, len(part.special)
    values = np.zeros((s, 3), dtype=np.int64)
    if s:
        value_specials(
            part.special, s, field.codes, deals.places, deals.ties, deals.spec, field.game, place,
            tie, values,
        )  # fmt: skip
    return np.ascontiguousarray(values.T)
