"""Strategies known by name: simple rules of arrangement, and the equilibrium's exact form."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.answers import set_at_random, set_by_values
from cp_cli._kernels.opponents import Game, arrange_deals
from cp_cli._kernels.payoff import COLUMN
from cp_cli._kernels.splits import STRENGTHS
from cp_cli.errors import StrategyError, quote_text, suggest_name
from cp_cli.field import deal_random
from cp_cli.strategy.chunks import run_chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

EQUILIBRIUM = "equilibrium"
LESSON_SEED = 2  # strategy files hold deals of seed 1
LESSONS = 4096
OPPONENT_STRATEGIES = (EQUILIBRIUM, "rank-product", "back-first", "random-legal")


def check_name(name: str) -> None:
    """Raise StrategyError if there is no opponent strategy of this name."""
    if name not in OPPONENT_STRATEGIES:
        expected = ", ".join(OPPONENT_STRATEGIES)
        hint = suggest_name(name, OPPONENT_STRATEGIES)
        raise StrategyError(f"unknown strategy {quote_text(name)}{hint}; expected {expected}")


def open_setter(
    name: str, game: Game, *, seed: int = 0, jobs: int = 1
) -> "Callable[[NDArray[np.uint8]], NDArray[np.int32]]":
    """Return what sets deals uint8 (n, 13), highest card first, by a rule: codes int32 (n,).

    `rank-product` maximises the product of the chances of the three rows against others who do
    the same; `back-first` makes the strongest back, then middle, then front; `random-legal` takes
    any legal split, each with the same chance, by the seed and the cards.
    """
    check_name(name)
    game = game._replace(scale=1, lift=0)  # who wins equal rows is no matter for these rules
    if name == EQUILIBRIUM:
        raise StrategyError("equilibrium is no rule of arrangement; see answer_exactly")
    if name == "random-legal":
        return lambda cards: _set_at_random(cards, game, seed, jobs)
    if name == "rank-product":
        values = _learn_chances(game, jobs)
    else:
        steps = np.arange(STRENGTHS, dtype=np.float64)
        values = np.stack([steps, steps * STRENGTHS, steps * STRENGTHS**2])
    return lambda cards: _set_by_values(cards, game, values, jobs)


def set_deals(
    name: str, cards: "NDArray[np.uint8]", game: Game, *, seed: int = 0, jobs: int = 1
) -> "NDArray[np.int32]":
    """Set deals by a rule; see `open_setter`, which is better for many small parts."""
    return open_setter(name, game, seed=seed, jobs=jobs)(cards)


def _learn_chances(game: Game, jobs: int) -> "NDArray[np.float64]":
    """Return log chances of every row against others who play by them: three rounds."""
    sample = deal_random(LESSON_SEED, 0, LESSONS)
    values = np.tile(np.arange(STRENGTHS, dtype=np.float64) / STRENGTHS, (3, 1))
    for _ in range(3):
        arranged = np.empty((COLUMN, len(sample)), dtype=np.int16)
        arrange_deals(sample, _set_by_values(sample, game, values, jobs), game, arranged)
        values = _value_chances(arranged[:3])
    return values


def _set_at_random(
    cards: "NDArray[np.uint8]", game: Game, seed: int, jobs: int
) -> "NDArray[np.int32]":
    codes = np.empty(len(cards), dtype=np.int32)
    run_chunks(len(cards), lambda part: set_at_random(cards[part], game, seed, codes[part]), jobs)
    return codes


def _value_chances(rows: "NDArray[np.int16]") -> "NDArray[np.float64]":
    """Return log chances to beat each row of a population (3, n), by row and strength."""
    values = np.empty((3, STRENGTHS))
    for row in range(3):
        counts = np.bincount(rows[row], minlength=STRENGTHS).astype(np.float64)
        below = np.cumsum(counts) - counts / 2
        values[row] = np.log((below + 0.5) / (counts.sum() + 1))
    return values


def _set_by_values(
    cards: "NDArray[np.uint8]", game: Game, values: "NDArray[np.float64]", jobs: int
) -> "NDArray[np.int32]":
    codes = np.zeros(len(cards), dtype=np.int32)
    run_chunks(len(cards), lambda part: set_by_values(cards[part], game, values, codes[part]), jobs)
    return codes
