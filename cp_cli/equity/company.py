"""Whole tables of opponents, for rules that no pair of players can settle alone.

The first two opponents come from the field: hands that share no card with the known ones nor
with each other. Where there is a third, what he holds is forced, and he answers the field on the
spot. What such tables show beyond the pairs is added to the figures of the pairs, which rest on
many more opponents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.joint import list_seatings, seat_pairs
from cp_cli._kernels.opponents import Game
from cp_cli._kernels.settling import (
    describe_hands,
    run_races,
    share_pots,
    value_home_runs,
    win_alone,
)
from cp_cli._kernels.table_rules import HAND
from cp_cli._kernels.whole import HOME_RUN, ROW_POTS, SOLE_WINNER
from cp_cli.errors import StrategyError
from cp_cli.field import Deals, Field, describe_deals, mask_cards, unmask_cards
from cp_cli.settlement.arrays import build_hand_terms
from cp_cli.settlement.terms import build_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

SEATS_TRIED = 40_000  # deals of the field that may sit down
MOST_SEATINGS = 1 << 16
PER_FIRST = 16  # tables with the same first opponent; such tables are not independent
TABLES = 4_096
QUICK_FIELD = 8_192  # deals that a third opponent answers; he sets his cards in a tenth of a ms
POINTS = np.arange(5)
DECK_MASK = np.uint64((1 << 52) - 1)


SetDeals = Callable[[Deals], "NDArray[np.int32]"]
"""Sets deals as an opponent would: codes int32 (n,)."""


@dataclass(frozen=True, slots=True)
class Company:
    """Tables of opponents: hands int64 (d, others, HAND), and the first opponent of each (d,)."""

    hands: "NDArray[np.int64]"
    clusters: "NDArray[np.int64]"

    def __len__(self) -> int:
        return len(self.hands)


@dataclass(frozen=True, slots=True)
class Referee:
    """Settles what a ruleset pays by the whole table.

    `game` is the rules as the hero sees them, `bank` whether he is the bank; `set_third` sets
    the deals of third opponents; `worth`, float64 (5, 5), is what points of a race are worth, the
    hero's and the average of the others'.
    """

    ruleset: "Ruleset"
    game: Game
    set_third: SetDeals
    bank: bool = False
    worth: "NDArray[np.float64] | None" = None

    def open_bench(self, judging: Field, known: Sequence[int], others: int, seed: int) -> "Bench":
        """Seat opponents who hold none of the known cards at many tables."""
        return Bench(self, self._gather(judging, known, others, seed))

    def _gather(self, judging: Field, known: Sequence[int], others: int, seed: int) -> Company:
        rng = np.random.default_rng(seed)
        mask = np.uint64(mask_cards(known))
        chosen = np.sort(rng.permutation(len(judging))[:SEATS_TRIED])
        seated, ids = _list_seatings(judging, chosen, mask)
        if others == 1:
            return Company(self._describe(judging, chosen[ids])[:, None], ids.astype(np.int64))
        firsts = rng.permutation(len(seated))[: TABLES // PER_FIRST].astype(np.int64)
        pairs = np.empty((len(firsts) * PER_FIRST, 2), dtype=np.int32)
        pairs = pairs[: seat_pairs(seated, len(seated), firsts, PER_FIRST, pairs)]
        if not len(pairs):
            raise StrategyError("no two opponents of the field fit the known cards")
        hands = np.empty((len(pairs), others, HAND), dtype=np.int64)
        sitting, where = np.unique(ids[pairs], return_inverse=True)
        described = self._describe(judging, chosen[sitting])
        hands[:, :2] = described[where.reshape(pairs.shape)]
        if others == 3:
            left = ~(mask | seated[pairs[:, 0]] | seated[pairs[:, 1]]) & DECK_MASK
            third = describe_deals(unmask_cards(left), self.ruleset)
            hands[:, 2] = self.describe(third.cards, self.set_third(third))
        return Company(hands, pairs[:, 0].astype(np.int64))

    def _describe(self, field: Field, at: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """Return the hands of some deals of a field, int64 (n, HAND)."""
        return self.describe(unmask_cards(field.deals.masks[at]), field.codes[at])

    def describe(
        self, cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]"
    ) -> "NDArray[np.int64]":
        """Return deals uint8 (n, 13), highest card first, set by `codes`: int64 (n, HAND)."""
        hands = np.empty((len(codes), HAND), dtype=np.int64)
        describe_hands(cards, codes, build_hand_terms(self.ruleset), hands)
        return hands

    def settle(self, heroes: "NDArray[np.int64]", company: Company) -> "NDArray[np.float64]":
        """Return what each of `heroes` (k, HAND) wins at each table, float64 (k, d).

        Where players settle in pairs, that is what sweeps of everybody bring beyond the pairs.
        """
        units = np.empty((len(heroes), len(company)))
        ante, kind = self.ruleset.ante, self.game.whole.kind
        if kind == HOME_RUN:
            terms = build_terms(self.ruleset)
            plain = terms._replace(all_sweep_opponents=0)
            bank = 0 if self.bank else -1
            value_home_runs(heroes, company.hands, bank, terms, plain, units)
        elif kind == ROW_POTS:
            share_pots(heroes, company.hands, ante, units)
        elif kind == SOLE_WINNER:
            win_alone(heroes, company.hands, ante, units)
        else:
            worth = np.subtract.outer(POINTS, POINTS) if self.worth is None else self.worth
            fourth = self.ruleset.race.fourth_point
            run_races(heroes, company.hands, fourth, worth.astype(np.float64), units)
        return units


@dataclass(frozen=True, slots=True)
class Bench:
    """What a referee settles at the tables of one company."""

    referee: Referee
    company: Company

    def settle(
        self, cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]"
    ) -> "NDArray[np.float64]":
        """Return what one deal, highest card first, wins when set by each of `codes`: (k, d)."""
        repeated = np.repeat(cards[None], len(codes), axis=0)
        return self.referee.settle(self.referee.describe(repeated, codes), self.company)

    def add(self, estimates: "NDArray[np.float64]", units: "NDArray[np.float64]") -> None:
        """Bring units at the tables (k, d) into estimates and errors (k, 2) of the pairs.

        Where players do not settle in pairs, the tables alone give the figures.
        """
        means, errors = estimate_means(units, self.company.clusters)
        if self.referee.game.whole.kind == HOME_RUN:
            estimates[:, 0] += means
            estimates[:, 1] = np.hypot(estimates[:, 1], errors)
        else:
            estimates[:, 0] = means
            estimates[:, 1] = errors


def _list_seatings(
    field: Field, chosen: "NDArray[np.int64]", known: np.uint64
) -> "tuple[NDArray[np.uint64], NDArray[np.int32]]":
    """Return the masks of all that can sit down, and which of the chosen deals each is."""
    tinted = np.isin(chosen, field.tinted)
    seated = np.empty(MOST_SEATINGS, dtype=np.uint64)
    ids = np.empty(MOST_SEATINGS, dtype=np.int32)
    n = list_seatings(field.deals.masks[chosen], tinted, known, seated, ids)
    return seated[:n], ids[:n]


def estimate_means(
    units: "NDArray[np.float64]", clusters: "NDArray[np.int64]"
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return means and standard errors of units (k, d); tables of one cluster are not independent.

    >>> units = np.array([[1.0, 1.0, 3.0, 3.0]])
    >>> means, errors = estimate_means(units, np.array([0, 0, 1, 1]))
    >>> means.tolist(), errors.round(3).tolist()
    ([2.0], [1.0])
    """
    means = units.mean(axis=1)
    _, members = np.unique(clusters, return_inverse=True)
    count = int(members.max()) + 1
    sums = np.zeros((len(units), count))
    for row, off in enumerate(units - means[:, None]):
        sums[row] = np.bincount(members, weights=off, minlength=count)
    spread = np.square(sums).sum(axis=1) * count / max(1, count - 1)
    return means, np.sqrt(spread) / units.shape[1]
