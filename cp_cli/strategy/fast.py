"""The fast form of a strategy: a deal is set from tables, without a field conditioned on it.

The value of a split against the whole field is read from a table by the strengths of its rows,
and what its rows are paid in royalties is added. Opponents, however, hold none of the deal's own
cards. So what an opponent pays is regressed on what he holds (see `_kernels.holdings`) at every
point of the table; and how much of it opponents hold on average is exactly known, given the cards
that they cannot have.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cp_cli._kernels.fast import FastTables, set_fast, value_points, weigh_points
from cp_cli._kernels.holdings import KINDS, count_holdings, expect_holdings
from cp_cli._kernels.opponents import DECLARE, FOUL, SURRENDER, Game
from cp_cli._kernels.payoff import COLUMN, WON_FRONT
from cp_cli._kernels.splits import SPLITS, STRENGTHS
from cp_cli._kernels.table_rules import NET
from cp_cli._kernels.whole import HOME_RUN
from cp_cli.field import Deals, Field
from cp_cli.strategy.chunks import run_chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEPS = (12, 20, 20)
"""Grid points of the front, the middle and the back, at equal steps of the field's quantiles."""
CROWD = 16_384  # opponents that slopes are learnt from
LESSONS = 1024  # deals whose opponents slopes are meant for
RIDGE = 50.0
RANKS = 16  # slopes that are kept of 45
SAMPLE = 2_048
POINTS = 64  # grid points valued together


class _Axis(NamedTuple):
    """Where strengths lie between the grid points of one row: float32 (7918,) and the points."""

    places: "NDArray[np.float32]"
    points: "NDArray[np.int16]"


def _cut_axis(row: "NDArray[np.int16]", steps: int, game: Game) -> _Axis:
    """Return an axis whose points are quantiles of a row of opponents, int16 (n,).

    Between two points a strength lies by the share of opponents that it beats, equal ones half.
    """
    ordered = np.sort(row)
    strengths = np.arange(STRENGTHS) * game.scale + game.lift
    shares = np.searchsorted(ordered, strengths) + np.searchsorted(ordered, strengths, "right")
    held = np.unique(ordered // game.scale)
    wanted = np.linspace(shares[held[0]], shares[held[-1]], steps)
    nearest = np.searchsorted(shares[held], wanted)
    points = np.unique(held[np.minimum(nearest, len(held) - 1)])
    if len(points) < 2:
        points = np.array([0, STRENGTHS - 1])
    places = np.interp(shares, shares[points], np.arange(len(points)))
    # An axis ends just before its last point, so that there is always a next one.
    places = np.minimum(places, len(points) - 1.001)
    return _Axis(places.astype(np.float32), points.astype(np.int16))


def _list_points(axes: "list[_Axis]", game: Game) -> "tuple[NDArray[np.int16], NDArray[np.bool_]]":
    """Return the grid points next to which a legal split may lie.

    As arranged deals without royalties, int16 (p, 8), and bool (a, b, c), which points they are.
    """
    below = [np.append(0, axis.points[:-1]) for axis in axes]
    above = [np.append(axis.points[1:], STRENGTHS) for axis in axes]
    near = below[0][:, None, None] <= above[2]
    if not game.low:
        near = near & (below[0][:, None, None] <= above[1][:, None])
        near = near & (below[1][:, None] <= above[2])
    near = np.broadcast_to(near, [len(axis.points) for axis in axes])
    heroes = np.zeros((np.count_nonzero(near), COLUMN), dtype=np.int16)
    for row, places in enumerate(np.nonzero(near)):
        heroes[:, row] = axes[row].points[places] * game.scale + game.lift
    return heroes, near


def _value_royalties(players: "NDArray[np.int16]", total: int, game: Game) -> "NDArray[np.float32]":
    """Return what a row is paid in royalties on average: float32 (3, 7918), by strength."""
    values = game.held.astype(np.float64)
    strengths = np.arange(STRENGTHS) * game.scale + game.lift
    always = game.pay.cancel == 2
    for row, (rivals, paid) in enumerate(zip(players[:3], players[WON_FRONT:], strict=False)):
        free = (paid == 0) | (not game.pay.cancel)
        beaten = np.searchsorted(np.sort(rivals[free]), strengths)
        values[row] += game.won[row] * (np.count_nonzero(free) if always else beaten) / total
        if game.pay.cancel:
            order = np.argsort(rivals)
            sums = np.append(0, np.cumsum(paid[order]))
            weaker = np.searchsorted(rivals[order], strengths, "right")
            spared = sums[-1] - (0 if always else sums[weaker])
            values[row] += (game.won[row] != 0) * spared / total
    if game.pay.overall_when == NET:
        values[game.won + game.held != 0] += game.pay.overall  # they may well decide who is ahead
    if game.whole.kind > HOME_RUN:
        values[:] = 0  # pots and races know no royalties
    return values.astype(np.float32)


def _adds_royalties(game: Game) -> bool:
    """Tell whether royalties are added to the rest, never multiplied or compared with it."""
    pay, whole = game.pay, game.whole
    multiplied = pay.sweep_times > 1 and not pay.sweep_rows_only
    compared = pay.overall != 0 and pay.overall_when == NET
    return not pay.royalties or (whole.times == 1 and not multiplied and not compared)


class _Regression(NamedTuple):
    """What opponents hold, and how to regress on it.

    Attributes:
        means: float64 (45,), the holdings of all opponents on average.
        scores: float64 (n, k), what some of them hold, uncorrelated; sums to zero.
        basis: float64 (45, k), what scores holdings.
        lessons: float64 (l, k), scores to expect from opponents of random deals.

    """

    means: "NDArray[np.float64]"
    scores: "NDArray[np.float64]"
    basis: "NDArray[np.float64]"
    lessons: "NDArray[np.float64]"

    def fit(self, effects: "NDArray[np.floating]") -> "NDArray[np.float64]":
        """Return the slopes (..., k) of what opponents do, (..., n)."""
        slopes: NDArray[np.float64] = effects @ (self.scores / len(self.scores))
        return slopes


def _open_regression(field: Field) -> _Regression:
    holdings = np.empty((len(field), KINDS))
    count_holdings(field.deals.cards, holdings)
    means = holdings.mean(axis=0)
    held = holdings[:CROWD] - holdings[:CROWD].mean(axis=0)
    scale = 1 / np.maximum(held.std(axis=0), 1e-3)
    sizes, vectors = np.linalg.eigh((held * scale).T @ (held * scale) / len(held))
    # Small fields must not tell more than they know: the slopes are those of a ridge regression.
    basis = scale[:, None] * vectors / np.sqrt(np.maximum(sizes, 0) + RIDGE / len(held))
    expected = np.empty((min(LESSONS, len(field)), KINDS))
    expect_holdings(field.deals.cards[:LESSONS], expected)
    return _Regression(means, held @ basis, basis, (expected - means) @ basis)


def _learn_slopes(
    heroes: "NDArray[np.int16]", players: "NDArray[np.int16]", plays: "NDArray[np.bool_]",
    regression: _Regression, game: Game, jobs: int,
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":  # fmt: skip
    """Return slopes of arranged deals (r, p), and the directions (r, 45) that they go by.

    `players` are those of the opponents that `plays` says.
    """
    extra = np.count_nonzero(~plays)
    weights = (regression.scores[plays] / len(plays)).astype(np.float32)
    slopes = np.empty((len(heroes), weights.shape[1]))

    def work(part: slice) -> None:
        effects = np.empty((len(heroes[part]), len(weights)), dtype=np.float32)
        weigh_points(heroes[part], players, extra, game, effects)
        slopes[part] = effects @ weights

    run_chunks(len(heroes), work, jobs, POINTS)
    # Of what slopes add to the value of a point in one deal or another, a few directions tell
    # nearly all; what the others tell is mostly noise.
    _, sizes, turn = np.linalg.svd(regression.lessons, full_matrices=False)
    added = (slopes @ turn.T) * sizes
    _, _, main = np.linalg.svd(added, full_matrices=False)
    main = main[:RANKS]
    inverse = np.divide(1, sizes, out=np.zeros_like(sizes), where=sizes > 1e-9 * sizes[0])
    return main @ added.T, (main * inverse) @ turn @ regression.basis.T


def build_fast(field: Field, jobs: int = 1, *, game: Game | None = None) -> FastTables:
    """Return the tables of the fast form of the strategy that answers a field.

    `game` is the rules as the player sees them; None where as the field does.
    """
    own = game or field.game
    plays = (field.codes < SPLITS) | (field.codes == FOUL)
    players = np.ascontiguousarray(field.arranged[:, plays])
    extra = len(field) - players.shape[1]
    axes = [_cut_axis(players[row], steps, own) for row, steps in enumerate(STEPS)]
    heroes, near = _list_points(axes, own)
    grid = np.zeros(near.shape, dtype=np.float32)
    values = np.empty(len(heroes), dtype=np.float32)

    def work(part: slice) -> None:
        value_points(heroes[part], players, extra, own, values[part])

    run_chunks(len(heroes), work, jobs, POINTS)
    grid[near] = values
    regression = _open_regression(field)
    few = plays[: len(regression.scores)]
    crowd = np.ascontiguousarray(players[:, : np.count_nonzero(few)])
    found, directions = _learn_slopes(heroes, crowd, few, regression, own, jobs)
    slopes = np.zeros((len(found), *near.shape), dtype=np.float32)
    slopes[:, near] = found
    declares = field.codes == DECLARE
    sampled = 0 if _adds_royalties(own) else min(SAMPLE, len(field))
    return FastTables(
        game=own,
        places=np.stack([axis.places for axis in axes]),
        grid=grid,
        slopes=slopes,
        directions=directions,
        means=regression.means,
        rows=_value_royalties(players, len(field), own),
        sample=np.ascontiguousarray(players[:, : np.count_nonzero(plays[:sampled])]),
        sampled=sampled,
        shares=_learn_shares(field, plays, regression),
        natural_places=field.deals.places[declares],
        natural_ties=field.deals.ties[declares],
        opponents=len(field),
    )


def _learn_shares(
    field: Field, plays: "NDArray[np.bool_]", regression: _Regression
) -> "NDArray[np.float64]":
    """Return the chances that an opponent plays and surrenders; see `FastTables`."""
    does = np.stack([plays, field.codes == SURRENDER]).astype(np.float64)
    slopes = regression.fit(does[:, : len(regression.scores)]) @ regression.basis.T
    return np.concatenate([does.mean(axis=1, keepdims=True), slopes], axis=1)


def answer_fast(deals: Deals, tables: FastTables, jobs: int = 1) -> "NDArray[np.int32]":
    """Set deals from the tables: split codes, DECLARE, SURRENDER or FOUL, int32 (n,)."""
    best = np.empty(len(deals), dtype=np.int32)

    def work(part: slice) -> None:
        set_fast(
            deals.cards[part], deals.places[part], deals.ties[part], deals.spec, tables, best[part]
        )

    run_chunks(len(deals), work, jobs)
    return best
