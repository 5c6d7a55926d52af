"""What a table's hands get by the rules of any mode, many tables at once, reason by reason."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.settling import (
    find_sole_winners,
    score_races,
    settle_pots_of_deals,
    share_deals,
)
from cp_cli._kernels.table_rules import (
    ALL_SWEEP,
    BET,
    CAP,
    EARNED,
    FOUL,
    MORE,
    NATURAL,
    OVERALL,
    ROW,
    ROWS,
    ROYALTY,
    STAKE,
    SURCHARGE,
    SURRENDER,
    SWEEP,
)
from cp_cli.settlement.terms import build_terms
from cp_cli.simulation.plan import Plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli._kernels.table_rules import Terms

    Amounts = NDArray[np.int64]

PAIRED = {
    "row": slice(ROW, ROWS),
    "rows": slice(ROWS, ROWS + 1),
    "surcharge": slice(MORE, MORE + 1),
    "royalty": slice(EARNED, EARNED + 6),
    "sweep": slice(SWEEP, SWEEP + 1),
    "overall": slice(OVERALL, OVERALL + 1),
    "foul": slice(FOUL, FOUL + 1),
    "natural": slice(NATURAL, NATURAL + 1),
    "surrender": slice(SURRENDER, SURRENDER + 1),
    "all_sweep": slice(ALL_SWEEP, ALL_SWEEP + 1),
    "aces": slice(BET, BET + 1),
    "stake": slice(STAKE, STAKE + 1),
    "cap": slice(CAP, CAP + 1),
}
"""The reasons of a settlement in pairs, as `cpoker score` names them, and their items."""
POT, POINTS, RAKE = "pot", "points", "rake"
"""Reasons of modes that do not settle in pairs, and what the house takes."""


@dataclass(frozen=True)
class Payer:
    """Settles the tables of a plan in full: chips, stakes and rake, too."""

    plan: Plan

    @cached_property
    def terms(self) -> "Terms":
        """What hands pay in pairs."""
        return build_terms(self.plan.ruleset)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons of what hands get, in the order of `share`."""
        mode = self.plan.ruleset.mode
        if mode == "race":
            return (POINTS,)
        return (POT, RAKE) if mode in ("sole_winner", "row_pots") else (*PAIRED, RAKE)

    def share(self, hands: "Amounts", first: int) -> "Amounts":
        """Return what each hand gets for each reason: int64 (d, n, reasons), in parts of a unit.

        `hands` (d, n, HAND) are those of deals number `first` and on; the dealer moves on.
        """
        ruleset = self.plan.ruleset
        mode = ruleset.mode
        if mode == "row_pots":
            units = np.empty(hands.shape[:2])
            settle_pots_of_deals(hands, ruleset.ante, units)
            return self._rake(np.rint(units * self.plan.scale).astype(np.int64)[..., None])
        if mode == "sole_winner":
            return self._rake(self._share_pot(hands)[..., None])
        if mode == "race":
            return self._share_points(hands)[..., None]  # the rake is not paid in points
        return self._rake(self._share_pairs(hands, first))

    def share_bare(self, hands: "Amounts", first: int) -> "Amounts":
        """Return what each hand would get if nothing were paid for royalties: int64 (d, n)."""
        bare = hands.copy()
        bare[..., ROYALTY : ROYALTY + 3] = 0
        bare[..., SURCHARGE] = 0
        units: Amounts = self.share(bare, first).sum(axis=2)
        return units

    def _share_pairs(self, hands: "Amounts", first: int) -> "Amounts":
        plan = self.plan
        rules, n = plan.ruleset, plan.hands
        chips = plan.request.chips
        items = np.empty((len(hands), n, CAP + 1), dtype=np.int64)
        players = np.array(list(dict.fromkeys(plan.owners)), dtype=np.int64)
        turns = (first + np.arange(len(hands))) % len(players)
        if chips is None:
            turns[:] = 0  # the order of payments is no matter then
        share_deals(
            hands,
            players[turns],
            plan.banker,
            np.array(plan.owners, dtype=np.int64),
            np.full((n, n), rules.stakes.default if rules.stakes else 1, dtype=np.int64),
            np.full(n, -1 if chips is None else chips, dtype=np.int64),
            self.terms,
            items,
        )
        by_reason: Amounts = np.stack(
            [items[..., part].sum(axis=2) for part in PAIRED.values()], axis=2
        )
        return by_reason

    def _share_pot(self, hands: "Amounts") -> "Amounts":
        """Return what one pot brings; one that is carried brings nobody anything."""
        winners = np.empty(len(hands), dtype=np.int64)
        find_sole_winners(hands, winners)
        seats = np.arange(self.plan.hands)
        taken = np.where(winners[:, None] == seats, self.plan.hands - 1, -1)
        units: Amounts = np.where(winners[:, None] < 0, 0, taken) * self.plan.ruleset.ante
        return units

    def _share_points(self, hands: "Amounts") -> "Amounts":
        """Return the points of a race over the average of the others."""
        points = np.empty(hands.shape[:2], dtype=np.int64)
        score_races(hands, self.plan.ruleset.race.fourth_point, points)
        others = self.plan.hands - 1
        over: Amounts = points * (others + 1) - points.sum(axis=1, keepdims=True)
        units: Amounts = over * (self.plan.scale // others)
        return units

    def _rake(self, shares: "Amounts") -> "Amounts":
        """Add what each player pays the house, by his first hand."""
        plan = self.plan
        rake = np.zeros((*shares.shape[:2], 1), dtype=np.int64)
        pays = [owner == hand for hand, owner in enumerate(plan.owners)]
        rake[:, pays] = -plan.ruleset.rake * plan.scale
        return np.concatenate([shares, rake], axis=2)
