"""The fast form of a strategy: a deal is set from tables, without a field conditioned on it.

The value of a split against the whole field is read from a table by the strengths of its rows,
and what its rows are paid in royalties is added. Somebody who holds strong cards meets, on
average, weaker ones: so the units that an opponent pays are regressed on what he holds (see
`_kernels.holdings`), point by point of a coarser table, and how much he holds of it is exactly
known on average, given the cards that he cannot have.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cp_cli._kernels.fast import FastTables, set_fast, value_points, weigh_points
from cp_cli._kernels.holdings import KINDS, count_holdings, expect_holdings
from cp_cli._kernels.opponents import DECLARE, FOUL, SURRENDER, Game
from cp_cli._kernels.payoff import COLUMN
from cp_cli._kernels.splits import SPLITS, STRENGTHS
from cp_cli.field import Deals, Field
from cp_cli.strategy.chunks import run_chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

STEPS = (12, 20, 20)
"""Grid points of the front, the middle and the back, at equal steps of the field's quantiles."""
CROWD = 16_384
RANKS = 16
TOLD = 1024


class _Axis(NamedTuple):
    """Where strengths lie between the grid points of one row: float32 (7918,) and the points."""

    places: "NDArray[np.float32]"
    points: "NDArray[np.int16]"


def _share_beaten(row: "NDArray[np.int16]", game: Game) -> "NDArray[np.float64]":
    """Return the share of a row of opponents that each strength beats, ties half: (7918,)."""
    ordered = np.sort(row)
    strengths = np.arange(STRENGTHS) * game.scale + game.lift
    below = np.searchsorted(ordered, strengths, "left")
    share: NDArray[np.float64] = (below + np.searchsorted(ordered, strengths, "right")) / 2
    return share / len(row)


def _cut_axis(row: "NDArray[np.int16]", steps: int, game: Game) -> _Axis:
    """Return an axis whose grid points are quantiles of a row of opponents."""
    shares = _share_beaten(row, game)
    found = np.unique(row) // game.scale
    wanted = np.linspace(shares[found[0]], shares[found[-1]], steps)
    nearest = np.searchsorted(shares[found], wanted)
    points = np.unique(found[np.minimum(nearest, len(found) - 1)]).astype(np.int16)
    if len(points) < 2:
        points = np.array([points[0], points[0] + 1], dtype=np.int16)
    places = np.interp(shares, shares[points], np.arange(len(points)))
    return _Axis(np.minimum(places, len(points) - 1.001).astype(np.float32), points)


def _list_points(
    axes: "list[_Axis]", game: Game
) -> "tuple[NDArray[np.int16], NDArray[np.bool_]]":
    """Return the grid points near legal splits as arranged deals, and which of the grid these are.

    The deals hold no royalties.
    """
    low = [np.concatenate([[-1], axis.points[:-1]]) for axis in axes]
    high = [np.concatenate([axis.points[1:], [STRENGTHS]]) for axis in axes]
    used = low[0][:, None, None] <= high[2]
    if not game.low:
        used = used & (low[0][:, None, None] <= high[1][:, None])
        used = used & (low[1][:, None] <= high[2])
    used = np.broadcast_to(used, [len(axis.points) for axis in axes])
    places = np.nonzero(used)
    heroes = np.zeros((len(places[0]), COLUMN), dtype=np.int16)
    for row, axis in enumerate(axes):
        heroes[:, row] = axis.points[places[row]] * game.scale + game.lift
    return heroes, used


def _fill_grid(values: "NDArray[np.floating]", used: "NDArray[np.bool_]") -> "NDArray[np.float32]":
    grid = np.zeros(used.shape, dtype=np.float32)
    grid[used] = values
    return grid


def build_fast(
    ruleset: "Ruleset", field: Field, jobs: int = 1, *, game: Game | None = None
) -> FastTables:
    """Return the tables of the fast form of the strategy whose choosing field this is."""
    own = game or field.game
    plays = (field.codes < SPLITS) | (field.codes == FOUL)
    players = np.ascontiguousarray(field.arranged[:, plays])
    axes = [_cut_axis(players[row], steps, own) for row, steps in enumerate(STEPS)]
    heroes, used = _list_points(axes, own)
    values = np.empty(len(heroes))
    extra = len(field) - players.shape[1]
    run_chunks(
        len(heroes),
        lambda part: value_points(heroes[part], players, extra, own, values[part]),
        jobs, 64)
    grid = _fill_grid(values, used)

    n = min(len(field), CROWD)
    cards = field.deals.cards
    holdings = np.empty((len(field), KINDS))
    count_holdings(cards, holdings)
    means = holdings.mean(axis=0)
    holdings = holdings[:n] - holdings[:n].mean(axis=0)
    told = np.empty((min(TOLD, n), KINDS))
    expect_holdings(cards[:TOLD], told)
    told -= means
    spread = holdings.T @ holdings / n
    values_, vectors = np.linalg.eigh(spread)
    keep = values_ > 1e-6 * values_[-1]
    white = vectors[:, keep] / np.sqrt(values_[keep])  # (45, k)
    weights = holdings @ white / n
    some = np.flatnonzero(plays[:n])
    crowd = np.ascontiguousarray(players[:, : len(some)])
    wp = weights[some].astype(np.float32)
    slopes = np.empty((len(heroes), white.shape[1]), np.float32)

    def work(part):
        effects = np.empty((part.stop - part.start, crowd.shape[1]), dtype=np.float32)
        weigh_points(heroes[part], crowd, n - len(some), own, effects)
        slopes[part] = effects @ wp

    run_chunks(len(heroes), work, jobs, 64)
    z = told @ white
    # tilt = z @ slopes.T ; z = U S Vt
    u, sv, vt = np.linalg.svd(z, full_matrices=False)
    m = (slopes @ vt.T) * sv
    _, _, wt = np.linalg.svd(m, full_matrices=False)  # directions in sv-vt space
    wt = wt[:RANKS]
    slopes = (m @ wt.T)
    directions = (white @ (vt.T / np.maximum(sv, 1e-9)) @ wt.T).T
    tilts = np.zeros((len(directions), *used.shape), dtype=np.float32)
    tilts[:, used] = slopes.T
    declares = field.codes == DECLARE
    shares = np.zeros((2, 1 + KINDS))
    for i, who in enumerate((plays, field.codes == SURRENDER)):
        shares[i, 0] = who.mean()
        shares[i, 1:] = white @ (who[:n] @ weights)
    return FastTables(
        game=own, grid=grid, places=np.stack([a.places for a in axes]), slopes=tilts,
        directions=directions, means=means,
        rows=_value_royalties(players, len(field), own), shares=shares, natural_places=field.deals.places[declares],
        natural_ties=field.deals.ties[declares], opponents=len(field))


def _value_royalties(
    players: "NDArray[np.int16]", total: int, game: Game
) -> "NDArray[np.float32]":
    """Return what a row is paid in royalties on average: float32 (3, 7918)."""
    values = game.held.astype(np.float64)
    strengths = np.tile(np.arange(STRENGTHS), (3, 1))
    if game.low:
        strengths[1, game.five] = game.middle
    strengths = strengths * game.scale + game.lift
    for row in range(3):
        rivals, paid = players[row], players[3 + row]
        free = (paid == 0) | (not game.pay.cancel)
        beaten = np.searchsorted(np.sort(rivals[free]), strengths[row], "left")
        if game.pay.cancel == 2:
            beaten[:] = np.count_nonzero(free)
        values[row] += game.won[row] * (beaten / total)
        if game.pay.cancel:
            order = np.argsort(rivals)
            sums = np.append(0, np.cumsum(paid[order]))
            first = np.searchsorted(rivals[order], strengths[row], "right")
            spared = sums[-1] - sums[first] * (game.pay.cancel == 1)
            values[row] += (game.won[row] != 0) * spared / total
    return values.astype(np.float32)


def answer_fast(deals: Deals, tables: FastTables, jobs: int = 1) -> "NDArray[np.int32]":
    """Set deals from the tables: split codes int32 (n,), DECLARE, SURRENDER or FOUL."""
    best = np.empty(len(deals), dtype=np.int32)

    def work(part: slice) -> None:
        mine = deals.take(part)
        set_fast(mine.cards, mine.places, mine.ties, deals.spec, tables, best[part])

    run_chunks(len(deals), work, jobs)
    return best
