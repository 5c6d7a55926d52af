"""Players of levels 0 to 100: the equilibrium's answer, with mistakes of a human kind.

A player sees the splits of his deal that no other beats in every row, and what else the rules let
him do, in the order of their expected units against the opponents he answers. He takes the first
that he does not overlook. A choice whose next one is `gap` units worse is overlooked with chance

    sqrt(s) * exp(-gap / (2 * s)),  s = 1 - level / 100

so near ones are mixed up often and great differences are seldom missed, and with a higher level
both get rarer. Level 100 overlooks nothing and is the equilibrium itself. Which choices a player
overlooks depends on the seed and his cards alone; one random number a choice serves all levels,
so a higher level never does worse with a deal, but for what the opponents hold.

Under two-four a level loses about this many units a deal to the equilibrium (within 0.02):

    level   0     25    50    75    100
    units   0.88  0.23  0.10  0.03  0
"""

import re
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.opponents import ALL_BEATEN, DECLARE, SURRENDER, Game
from cp_cli._kernels.players import draw_for_deals
from cp_cli.field import Deals, Field
from cp_cli.strategy.answers import Progress, answer_exactly, answer_field, shortlist_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

HIGHEST_LEVEL = 100
LEVEL_LINE = "the equilibrium with mistakes, fewer at higher levels"
SEEN = 64  # choices that a player looks at; an average deal has fewer
CROWD = 2048  # opponents by whom they are found
SPREAD = 2.0  # units; a gap of so many is overlooked e times less often at level 0


def parse_level(name: str) -> int | None:
    """Return the level that a strategy's name says, or None if it says none.

    >>> parse_level("level-40"), parse_level("level-101"), parse_level("level-040")
    (40, None, None)
    """
    found = re.fullmatch(r"level-(0|[1-9][0-9]{0,2})", name)
    level = int(found[1]) if found else HIGHEST_LEVEL + 1
    return level if level <= HIGHEST_LEVEL else None


def set_at_level(
    level: int,
    deals: Deals,
    field: Field,
    *,
    seed: int = 0,
    jobs: int = 1,
    game: Game | None = None,
    progress: Progress = lambda done, what: None,
) -> "NDArray[np.int32]":
    """Set deals as a player of a level answers a field: codes int32 (n,).

    `game` is the rules as the player sees them, None where as the field does.
    """
    if level >= HIGHEST_LEVEL:
        return answer_exactly(deals, field, jobs, progress, game=game)
    options, values = rank_choices(deals, field, game or field.game, jobs, progress)
    chances = np.empty(values.shape)
    draw_for_deals(deals.masks, seed, chances)
    overlooked = chances[:, :-1] < find_slips(values, level)
    taken = np.cumprod(overlooked, axis=1).sum(axis=1)
    codes: NDArray[np.int32] = options[np.arange(len(options)), taken]
    return codes


def rank_choices(
    deals: Deals, field: Field, game: Game, jobs: int, progress: Progress
) -> "tuple[NDArray[np.int32], NDArray[np.float64]]":
    """Return the choices of each deal, best first, and their units: (n, SEEN + 2) both.

    Where there are fewer, the last have minus infinity units.
    """
    plays = field.codes < DECLARE
    crowd = np.ascontiguousarray(field.arranged[:, plays][:, :CROWD])
    seen = shortlist_all(deals.cards, game._replace(pruning=ALL_BEATEN), crowd, SEEN, jobs)
    options = np.empty((len(deals), SEEN + 2), dtype=np.int32)
    options[:, :-2] = seen
    options[:, -2] = DECLARE
    options[:, -1] = SURRENDER
    values = np.zeros(options.shape)
    values[:, :-2][seen < 0] = -np.inf
    values[deals.places < 0, -2] = -np.inf
    values[:, -1] = 0 if game.surrender >= 0 else -np.inf
    answer_field(deals, seen, field, values, jobs, progress, game=game)
    order = np.argsort(-values, axis=1, kind="stable")
    return np.take_along_axis(options, order, axis=1), np.take_along_axis(values, order, axis=1)


def find_slips(values: "NDArray[np.float64]", level: int) -> "NDArray[np.float64]":
    """Return the chances to overlook each choice but the last, units (n, k) in falling order.

    >>> find_slips(np.array([[1.5, 1.5, 1.0, -np.inf]]), 75).round(3).tolist()
    [[0.5, 0.184, 0.0]]
    """
    slip = 1 - level / HIGHEST_LEVEL
    gaps = np.full((len(values), values.shape[1] - 1), np.inf)
    np.subtract(values[:, :-1], values[:, 1:], out=gaps, where=np.isfinite(values[:, 1:]))
    chances: NDArray[np.float64] = np.sqrt(slip) * np.exp(-gaps / (SPREAD * slip))
    return chances
