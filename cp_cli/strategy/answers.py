"""Best answers to a field: which, and what they and other choices earn."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.answers import answer_deals, best_answers, shortlist_deals
from cp_cli._kernels.opponents import DECLARE, SURRENDER, Game
from cp_cli._kernels.whole import (
    OUTCOMES,
    PAIRWISE,
    ROW_POTS,
    SOLE_WINNER,
    SWEEPS,
    TWO,
    count_all,
)
from cp_cli.field import Deals, Field
from cp_cli.strategy.chunks import CHUNK, run_chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

Progress = Callable[[float, str], None]
"""Is told how far a piece of work is, 0 to 1, and what it is."""
Notice = Callable[[str], None]
"""Is told a line for the user."""


def be_silent(done: float, what: str) -> None:
    """Tell nobody how far the work is."""


def tell_nobody(line: str) -> None:
    """Keep a line from the user."""


REST_SAMPLE = 2_048  # opponents whose chance to beat everybody is averaged


def with_rest(game: Game, opponents: "NDArray[np.int16]", players: "NDArray[np.int16]") -> Game:
    """Return the rules with the chance that an opponent who beats us beats everybody.

    It is taken from what `opponents` (8, n) do to `players` (8, m) like ourselves.
    """
    whole = game.whole
    if whole.kind in (PAIRWISE, ROW_POTS) or whole.others == 1:
        return game
    sample = np.ascontiguousarray(opponents[:, :REST_SAMPLE].T)
    counts = np.empty((len(sample), OUTCOMES), dtype=np.int64)
    count_all(sample, players, whole.ties, counts)
    won = counts[:, TWO if whole.kind == SOLE_WINNER else SWEEPS] / counts[:, -1]
    rest = float(np.mean(won**whole.others) / max(float(np.mean(won)), 1e-9))
    return game._replace(whole=whole._replace(rest=rest))


def shortlist_all(
    cards: "NDArray[np.uint8]", game: Game, crowd: "NDArray[np.int16]", keep: int, jobs: int
) -> "NDArray[np.int32]":
    best = np.empty((len(cards), keep), dtype=np.int32)
    screen = min(512, crowd.shape[1])

    def work(part: slice) -> None:
        shortlist_deals(cards[part], game, crowd, crowd.shape[1], screen, best[part])

    run_chunks(len(cards), work, jobs)
    return best


def answer_field(
    deals: Deals,
    shortlist: "NDArray[np.int32]",
    field: Field,
    means: "NDArray[np.float64]",
    jobs: int,
    progress: Progress = be_silent,
    *,
    game: Game | None = None,
) -> None:
    """Add to `means` the mean units of every choice of every deal against a field.

    `game` is the rules as the deals see them; None where everybody sees them as the field does.
    """
    done = 0
    own = game or field.game

    def work(part: slice) -> None:
        nonlocal done
        mine = deals.take(part)
        answer_deals(
            mine.cards, mine.masks, shortlist[part], mine.places, mine.ties, field.deals.masks,
            field.tinted, field.arranged, field.codes, field.deals.places, field.deals.ties,
            deals.spec, own, means[part],
        )  # fmt: skip
        done += CHUNK
        progress(min(1.0, done / len(deals)), "")

    run_chunks(len(deals), work, jobs)


def answer_exactly(
    deals: Deals,
    field: Field,
    jobs: int = 1,
    progress: Progress = be_silent,
    screen: int = 1024,
    keep: int = 16,
    *,
    game: Game | None = None,
) -> "NDArray[np.int32]":
    """Return each deal's best answer to the field conditioned on its own cards: codes int32.

    `game` as in `answer_field`.
    """
    own = game or field.game
    best = np.empty(len(deals), dtype=np.int32)
    done = 0

    def work(part: slice) -> None:
        nonlocal done
        mine = deals.take(part)
        best_answers(
            mine.cards, mine.masks, mine.places, mine.ties, field.deals.masks, field.tinted,
            field.arranged, field.codes, field.deals.places, field.deals.ties, deals.spec,
            own, screen, keep, best[part],
        )  # fmt: skip
        done += CHUNK
        progress(min(1.0, done / len(deals)), "")

    run_chunks(len(deals), work, jobs)
    return best


def value_choices(
    deals: Deals,
    codes: "NDArray[np.int32]",
    field: Field,
    jobs: int = 1,
    *,
    game: Game | None = None,
) -> "NDArray[np.float64]":
    """Return the mean units of each of several choices (deals, k) against a field."""
    special = (codes == DECLARE) | (codes == SURRENDER)
    splits = np.where(special, 0, codes).astype(np.int32)
    means = np.zeros((len(deals), codes.shape[1] + 2))
    answer_field(deals, splits, field, means, jobs, game=game)
    declared, surrendered = means[:, -2:-1], means[:, -1:]
    return np.where(
        codes == DECLARE, declared, np.where(codes == SURRENDER, surrendered, means[:, :-2])
    )
