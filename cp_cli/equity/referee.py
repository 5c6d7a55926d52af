"""What a ruleset pays by the whole table, estimated from tables and from all judges.

What a table brings is taken apart: a part that depends on each opponent alone, whose mean all
judges know; where there are three opponents, a part that depends on two of them, whose mean many
pairs know; and what is left, whose mean comes from tables. Parts are fitted by least squares, so
what is left varies least. See `outcomes` and `_kernels.settling`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cp_cli._kernels.opponents import Game
from cp_cli._kernels.settling import (
    PARTS,
    find_home_runs,
    tell_points,
    tell_shares,
    tell_winners,
    value_home_runs,
)
from cp_cli._kernels.whole import HOME_RUN, ROW_POTS, SOLE_WINNER
from cp_cli.equity.company import JUDGING, Company, Host, Sizes
from cp_cli.equity.outcomes import FEATURES, PATTERNS, ShownRows
from cp_cli.field import Field
from cp_cli.settlement.terms import build_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli._kernels.table_rules import Terms
    from cp_cli.ruleset import Ruleset

FAR_TABLES = 1_024
LESSONS = 30
SEATED_PAIRS = ((0, 1), (0, 2), (1, 2))


class Level(NamedTuple):
    """What is left of k splits at d tables.

    Attributes:
        units: float64 (k, d).
        nodes: int64 (d, m), whom each table depends on.
        span: between the most and the least that a table can bring, 0 where that does not matter.

    """

    units: "NDArray[np.float64]"
    nodes: "NDArray[np.int64]"
    span: float = 0.0


class Seated(NamedTuple):
    """What k splits bring at whole tables.

    Attributes:
        values: float64 (k, 28), what an opponent brings by the pattern of the rows against him.
        levels: what comes on top of all opponents.

    """

    values: "NDArray[np.float64]"
    levels: tuple[Level, ...]

    def minus(self, other: "Seated") -> "Seated":
        """Return how much less others bring; either may be a single split."""
        pairs = zip(self.levels, other.levels, strict=True)
        levels = tuple(Level(one.units - two.units, one.nodes) for one, two in pairs)
        return Seated(self.values - other.values, levels)


NOT_SEATED = Seated(np.zeros((1, PATTERNS)), ())


@dataclass(frozen=True)
class Referee:
    """Settles what a ruleset pays by the whole table.

    `game` is the rules as the hero sees them, `bank` whether he is the bank; `host` seats
    opponents; `worth`, float64 (4, 4), is what the points of a race are worth to two players, the
    hero's and the other's.
    """

    ruleset: "Ruleset"
    game: Game
    host: Host
    bank: bool = False
    worth: "NDArray[np.float64] | None" = None

    @cached_property
    def terms(self) -> "Terms":
        """The amounts."""
        return build_terms(self.ruleset)

    def open_bench(
        self,
        field: Field,
        known: Sequence[int],
        others: int,
        seed: int,
        sizes: Sizes = JUDGING,
    ) -> "Bench":
        """Seat opponents who hold none of the known cards at many tables."""
        company = self.host.seat(field, known, others, seed, sizes)
        threes = others == 3 and self.game.whole.kind != HOME_RUN
        return Bench(self, company, sizes.tables if threes else 0)

    # --- sweeps of everybody ---------------------------------------------------------------------

    def settle_sweeps(self, heroes: "NDArray[np.int64]", company: Company) -> "NDArray[np.float64]":
        """Return what sweeps of everybody bring beyond the pairs, float64 (k, d).

        A third is asked for where he matters: where the hero, or one of the first two, sweeps
        the others. So only these are asked whether they sweep everybody; it is as likely of each.
        """
        banker = 0 if self.bank else -1
        lazy = company.others == 3 and not self.bank
        units = np.zeros((len(heroes), len(company)))
        needed = np.ones(len(company), dtype=np.bool_)
        if lazy:
            known = np.ascontiguousarray(company.hands[:, :2])
            find_home_runs(heroes, known, banker, self.terms, needed)
        at = np.flatnonzero(needed)
        found = np.empty((len(heroes), len(at)))
        hands = company.call_thirds(at)
        asked = 2 if lazy else company.others
        value_home_runs(heroes, hands, asked, banker, self.terms, found)
        units[:, at] = found
        return units

    # --- pots and races --------------------------------------------------------------------------

    def tell_parts(
        self, heroes: "NDArray[np.int64]", tables: "NDArray[np.int64]"
    ) -> "NDArray[np.float64]":
        """Return the parts that the units of tables (d, m, HAND) are made of, (k, d, PARTS)."""
        parts = np.empty((len(heroes), len(tables), PARTS))
        kind = self.game.whole.kind
        tell = {ROW_POTS: tell_shares, SOLE_WINNER: tell_winners}.get(kind, tell_points)
        tell(heroes, np.ascontiguousarray(tables), parts)
        return parts

    def weigh_parts(self, others: int) -> "tuple[NDArray[np.float64], float]":
        """Return what each part is worth at a table of so many opponents, and a constant."""
        kind, ante = self.game.whole.kind, self.ruleset.ante
        if kind == ROW_POTS:
            return np.array([1, 1, 1, 0, 0, 0]) * (ante * (others + 1) / 3), -float(ante)
        if kind == SOLE_WINNER:
            # A pot that is carried is worth the same share to everybody, which is what he staked.
            return np.array([others, -1, 0, 0, 0, 0]) * float(ante), 0.0
        fourth = float(self.ruleset.race.fourth_point and others == 3)
        return np.array([1, 1, 1, -1 / others, fourth, -fourth / others]), 0.0

    def find_limits(self, others: int) -> tuple[float, float]:
        """Return the least and the most that a table with a pot or points can bring."""
        if self.game.whole.kind in (ROW_POTS, SOLE_WINNER):
            return -float(self.ruleset.ante), float(self.ruleset.ante * others)
        most = 3.0 + (self.ruleset.race.fourth_point and others == 3)
        return -most / others, most


class Bench:
    """What a referee settles at the tables of one company.

    `adds`: does that come on top of what players settle in pairs?
    """

    def __init__(self, referee: Referee, company: Company, count: int = 0) -> None:
        """Take the tables; with three opponents, of pots and races, `count` meet all three."""
        self.referee = referee
        self.company = company
        self.adds = referee.game.whole.kind == HOME_RUN
        self.limits = (-math.inf, math.inf) if self.adds else referee.find_limits(company.others)
        self.at = np.arange(min(count or len(company), len(company)))

    def __len__(self) -> int:
        """Return how many whole tables give the figures."""
        return len(self.at)

    def count_settled(self) -> int:
        """Return how many tables are settled for each split, pairs of opponents included."""
        return len(self.company)

    def shorten(self) -> "Bench":
        """Return a bench of a few of the tables, for splits of no great interest."""
        return Bench(self.referee, self.company.take(slice(0, FAR_TABLES)))

    @cached_property
    def _pairs(self) -> ShownRows:
        return ShownRows(self.company.hands[:, :2])

    def measure(self, cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]") -> Seated:
        """Return what one deal, highest card first, brings when set by each of `codes` (k,)."""
        repeated = np.repeat(cards[None], len(codes), axis=0)
        heroes = self.referee.host.describe(repeated, codes)
        nodes = self.company.nodes
        if not self.adds and len(self.at) < len(nodes):
            return self._measure_threes(heroes)
        if self.adds:
            units = self.referee.settle_sweeps(heroes, self.company)
            rows, span = self._pairs, 0.0  # too little to matter beside the pairs
        else:
            tables = self.company.call_thirds(self.at)
            weights, constant = self.referee.weigh_parts(self.company.others)
            units = self.referee.tell_parts(heroes, tables) @ weights + constant
            rows, span = ShownRows(tables), self.limits[1] - self.limits[0]
        values = self._take_apart(heroes, rows, units)
        return Seated(values, (Level(units, nodes, span),))

    def _take_apart(
        self, heroes: "NDArray[np.int64]", rows: ShownRows, units: "NDArray[np.float64]"
    ) -> "NDArray[np.float64]":
        """Take what single opponents explain out of `units` (k, d), and return it, (k, 28)."""
        values = np.zeros((len(heroes), PATTERNS))
        ties = int(self.referee.bank)
        for i, hero in enumerate(heroes):
            explained = FEATURES[rows.meet(hero, ties)].mean(axis=1)
            values[i] = FEATURES @ fit_slopes(explained, units[i])
            units[i] -= values[i][rows.meet(hero, ties)].mean(axis=1)
        return values

    def _measure_threes(self, heroes: "NDArray[np.int64]") -> Seated:
        tables = self.company.call_thirds(self.at)
        weights, constant = self.referee.weigh_parts(3)
        units = self.referee.tell_parts(heroes, tables) @ weights + constant
        pairs = np.mean(
            [self.referee.tell_parts(heroes, tables[:, pair]) for pair in SEATED_PAIRS], axis=0
        )
        seen = self.referee.tell_parts(heroes, self.company.hands[:, :2])
        rows = ShownRows(tables)
        values = np.zeros((len(heroes), PATTERNS))
        both = np.empty(seen.shape[:2])
        for i, hero in enumerate(heroes):
            explained = FEATURES[rows.meet(hero)].mean(axis=1)
            slopes = fit_slopes(np.concatenate([pairs[i], explained], axis=1), units[i])
            units[i] -= pairs[i] @ slopes[:PARTS] + explained @ slopes[PARTS:]
            both[i] = seen[i] @ slopes[:PARTS]
            values[i] = FEATURES @ slopes[PARTS:]
        values += self._take_apart(heroes, self._pairs, both)
        nodes = self.company.nodes
        tables_left = Level(units, nodes[self.at], self.limits[1] - self.limits[0])
        return Seated(values, (tables_left, Level(both, nodes)))


def fit_slopes(
    explaining: "NDArray[np.float64]", units: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Return the slopes of units (d,) along what explains them (d, f), by least squares.

    What happens too seldom to learn from explains nothing.

    >>> explaining = np.array([[0.0, 0], [1, 0], [2, 0]] * 50 + [[1, 1]])
    >>> fit_slopes(explaining, 2 * explaining[:, 0] + 9 * explaining[:, 1]).round(6).tolist()
    [2.0, 0.0]
    """
    off = explaining - explaining.mean(axis=0)
    squares = np.square(off)
    # For something that happens or not, and seldom does, this is how often it does.
    events = squares.sum(axis=0) ** 2 / np.maximum(np.square(squares).sum(axis=0), 1e-30)
    off[:, events < LESSONS] = 0.0
    slopes: NDArray[np.float64] = np.linalg.pinv(off.T @ off, hermitian=True) @ (off.T @ units)
    return slopes


def add_levels(
    means: "NDArray[np.float64]", errors: "NDArray[np.float64]", levels: "Sequence[Level]"
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Add what is left at tables to means and standard errors (k,) from the judges."""
    for level in levels:
        left, error = estimate_means(level)
        means, errors = means + left, np.hypot(errors, error)
    return means, errors


def estimate_means(level: Level) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return means and standard errors of what is left at tables that may share an opponent.

    Two tables that share one are not independent, whichever seat he has. What happens less than
    once at so many tables may be worth a share of the span.

    >>> units = np.array([[1.0, 1.0, 3.0, 3.0]])
    >>> means, errors = estimate_means(Level(units, np.array([[0], [0], [1], [1]])))
    >>> means.tolist(), errors.round(3).tolist()
    ([2.0], [1.0])
    """
    units, nodes, span = level
    means = units.mean(axis=1)
    off = units - means[:, None]
    single = np.square(off).sum(axis=1)
    _, members = np.unique(nodes, return_inverse=True)
    members = members.reshape(nodes.shape)
    count = int(members.max()) + 1
    spread = np.empty(len(units))
    for row, each in enumerate(off):
        sums = sum(np.bincount(column, weights=each, minlength=count) for column in members.T)
        spread[row] = np.square(sums).sum()
    # Each table was counted once for each of its opponents.
    spread = np.maximum(spread - (nodes.shape[1] - 1) * single, single)
    spread = spread * count / max(1, count - 1)
    return means, np.sqrt(spread + span**2) / units.shape[1]
