"""The fast form of a strategy: a deal is set from tables, without a field conditioned on it.

The value of a split is read from three-dimensional tables of expected units against the whole
field, plus what its rows are paid in royalties, plus a correction for each row that was fitted to
the answers of the exact form: somebody who holds strong cards meets, on average, weaker ones.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cp_cli._kernels.fast import FastTables, set_fast, value_fast
from cp_cli._kernels.opponents import DECLARE, Game
from cp_cli._kernels.payoff import COLUMN, WEIGHT, sum_units
from cp_cli._kernels.splits import STRENGTHS
from cp_cli.field import Deals, Field, deal_random, describe_deals
from cp_cli.strategy.answers import answer_field, shortlist_all
from cp_cli.strategy.chunks import run_chunks
from cp_cli.strategy.named import LESSON_SEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

STEPS = (20, 32, 32)
"""Grid points of the front, the middle and the back, at equal steps of the field's quantiles."""
CROWD = 4096
LESSONS = 1024
KEEP = 8


class _Axis(NamedTuple):
    """Where strengths lie between the grid points of one row: float32 (7918,) and the points."""

    places: "NDArray[np.float32]"
    points: "NDArray[np.int16]"


def _cut_axis(strengths: "NDArray[np.int16]", steps: int) -> _Axis:
    """Return an axis whose grid points are quantiles of the field's strengths."""
    shares = (np.arange(steps) + 0.5) / steps
    points = np.unique(np.quantile(strengths, shares, method="nearest")).astype(np.int16)
    places = np.interp(np.arange(STRENGTHS), points, np.arange(len(points)))
    return _Axis(np.minimum(places, len(points) - 1.001).astype(np.float32), points)


def _value_grid(
    axes: "list[_Axis]", crowd: "NDArray[np.int16]", game: Game
) -> "NDArray[np.float32]":
    """Return the mean units of every grid point against a crowd, royalties left out."""
    bare = crowd.copy()
    bare[3:WEIGHT] = 0
    shape = [len(axis.points) for axis in axes]
    heroes = np.zeros((int(np.prod(shape)), COLUMN), dtype=np.int16)
    for row, values in enumerate(np.meshgrid(*(axis.points for axis in axes), indexing="ij")):
        heroes[:, row] = values.ravel()
    sums = np.empty(len(heroes), dtype=np.int64)
    sum_units(heroes, len(heroes), bare, bare.shape[1], game.pay, sums)
    means: NDArray[np.float32] = (sums / bare.shape[1]).reshape(shape).astype(np.float32)
    return means


def _value_royalties(crowd: "NDArray[np.int16]", game: Game) -> "NDArray[np.float32]":
    """Return the mean royalties of every row by strength: float32 (3, 7918)."""
    values = game.held.astype(np.float64)
    for row in range(3):
        counts = np.bincount(crowd[row], minlength=STRENGTHS)
        paid = np.bincount(crowd[row], weights=crowd[3 + row], minlength=STRENGTHS)
        weaker = np.cumsum(counts) - counts
        stronger = paid.sum() - np.cumsum(paid)
        values[row] += (game.won[row] * weaker - stronger) / crowd.shape[1]
    return values.astype(np.float32)


def build_fast(ruleset: "Ruleset", field: Field, jobs: int = 1) -> FastTables:
    """Return the tables of the fast form of the strategy whose choosing field this is."""
    game = field.game
    deals = describe_deals(deal_random(LESSON_SEED, 0, LESSONS), ruleset)
    players = field.arranged[:, field.codes < DECLARE]
    crowd = np.ascontiguousarray(players[:, :: max(1, players.shape[1] // CROWD)][:, :CROWD])
    axes = [_cut_axis(players[row], steps) for row, steps in enumerate(STEPS)]
    tables = FastTables(
        game=game,
        grid=_value_grid(axes, crowd, game),
        places=np.stack([axis.places for axis in axes]),
        rows=_value_royalties(crowd, game),
    )
    return _correct_rows(deals, field, tables, crowd, jobs)


def _correct_rows(
    deals: Deals, field: Field, tables: FastTables, crowd: "NDArray[np.int16]", jobs: int
) -> FastTables:
    """Fit what each row adds, so that splits of one deal differ as in the exact form."""
    codes = shortlist_all(deals.cards, tables.game, crowd, KEEP, jobs)
    means = np.zeros((len(deals), KEEP + 2))
    answer_field(deals, np.maximum(codes, 0), field, means, jobs)
    strengths = np.zeros((len(deals), KEEP, 3), dtype=np.int16)
    values = np.zeros((len(deals), KEEP), dtype=np.float32)
    value_fast(deals.cards, codes, tables, strengths, values)
    used = codes >= 0
    share = used / used.sum(axis=1, keepdims=True)
    design = np.concatenate(
        [_spread(tables.places[row][strengths[:, :, row]], steps)
         for row, steps in enumerate(tables.grid.shape)], axis=2,
    )  # fmt: skip
    design -= np.einsum("dk,dkp->dp", share, design)[:, None]
    target = means[:, :KEEP] - values
    target -= (share * target).sum(axis=1, keepdims=True)
    x, y = design[used], target[used]
    gram = x.T @ x + 20.0 * np.eye(x.shape[1])  # a little ridge: rare rows learn little
    slopes = np.linalg.solve(gram, x.T @ y)
    rows = tables.rows.copy()
    first = 0
    for row, steps in enumerate(tables.grid.shape):
        rows[row] += np.interp(tables.places[row], np.arange(steps), slopes[first : first + steps])
        first += steps
    return tables._replace(rows=rows)


def _spread(places: "NDArray[np.float32]", steps: int) -> "NDArray[np.float64]":
    """Return weights (..., steps) of the two grid points around each place."""
    below = places.astype(np.int64)
    part = (places - below)[..., None]
    points = np.arange(steps)
    near = (points == below[..., None]) * (1 - part)
    weights: NDArray[np.float64] = near + (points == below[..., None] + 1) * part
    return weights


def answer_fast(deals: Deals, tables: FastTables, jobs: int = 1) -> "NDArray[np.int32]":
    """Set deals from the tables: split codes int32 (n,). Naturals and surrender are left out."""
    best = np.empty(len(deals), dtype=np.int32)
    run_chunks(len(deals), lambda part: set_fast(deals.cards[part], tables, best[part]), jobs)
    return best
