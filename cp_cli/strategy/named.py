"""Strategies known by name: simple rules of arrangement, and the names of all."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.answers import set_at_random, set_by_values
from cp_cli._kernels.opponents import Game, arrange_deals
from cp_cli._kernels.payoff import COLUMN
from cp_cli._kernels.players import set_by_sweeps
from cp_cli._kernels.splits import STRENGTHS
from cp_cli.errors import StrategyError, quote_text, suggest_name
from cp_cli.field import Field, deal_random, describe_deals
from cp_cli.strategy.chunks import run_chunks
from cp_cli.strategy.levels import HIGHEST_LEVEL, parse_level, set_at_level

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

    SetCards = Callable[[NDArray[np.uint8]], NDArray[np.int32]]

EQUILIBRIUM = "equilibrium"
LESSON_SEED = 2  # strategy files hold deals of seed 1
UNSEEN_SEED = 1 << 40
"""Added to the seed of deals that figures are measured on: no strategy is trained on them."""
LESSONS = 4096
STRATEGY_LINES = {
    EQUILIBRIUM: "the best answer to others who play it, too",
    "rank-product": "the largest product of the chances of the three rows",
    "scoop-chaser": "the best chance to win all three rows of rank-product",
    "back-first": "the strongest back, then middle, then front",
    "front-heavy": "the strongest front that is legal, then middle, then back",
    "random-legal": "any legal split, each with the same chance",
}
OPPONENT_STRATEGIES = tuple(STRATEGY_LINES)
RULES = OPPONENT_STRATEGIES[1:]
"""Names of rules of arrangement, which set a deal without a thought for opponents."""


def check_name(name: str) -> None:
    """Raise StrategyError if there is no opponent strategy of this name."""
    if name not in OPPONENT_STRATEGIES and parse_level(name) is None:
        expected = f"{', '.join(OPPONENT_STRATEGIES)} or level-0 to level-{HIGHEST_LEVEL}"
        hint = suggest_name(name, OPPONENT_STRATEGIES)
        raise StrategyError(f"unknown strategy {quote_text(name)}{hint}; expected {expected}")


def open_setter(
    name: str,
    game: Game,
    *,
    seed: int = 0,
    jobs: int = 1,
    ruleset: "Ruleset | None" = None,
    field: Field | None = None,
) -> "SetCards":
    """Return what sets deals uint8 (n, 13), highest card first, by a strategy: codes int32 (n,).

    `rank-product` maximises the product of the chances of the three rows against others who do
    the same; `scoop-chaser` the chance to win all three against them, in which rows that tend to
    be strong together count; `back-first` makes the strongest back, then middle, then front;
    `front-heavy` the strongest front that leaves legal rows, then middle, then back;
    `random-legal` takes any legal split, each with the same chance, by the seed and the cards.
    The equilibrium and the levels answer `field`, whose opponents play `ruleset`, and may declare
    or surrender; they draw on the seed and the cards, too.
    """
    check_name(name)
    level = HIGHEST_LEVEL if name == EQUILIBRIUM else parse_level(name)
    if level is not None:
        if ruleset is None or field is None:
            raise StrategyError(f"{name} is no rule of arrangement; expected a field to answer")
        return _open_answer(level, game, seed, jobs, ruleset, field)
    return _open_rule(name, game, seed, jobs)


def _open_answer(
    level: int, game: Game, seed: int, jobs: int, ruleset: "Ruleset", field: Field
) -> "SetCards":
    """Return what sets deals as the equilibrium or a player of a level answers a field."""

    def set_cards(cards: "NDArray[np.uint8]") -> "NDArray[np.int32]":
        deals = describe_deals(cards, ruleset)
        return set_at_level(level, deals, field, seed=seed, jobs=jobs, game=game)

    return set_cards


def _open_rule(name: str, game: Game, seed: int, jobs: int) -> "SetCards":
    """Return what sets deals by a rule of arrangement."""
    game = game._replace(scale=1, lift=0)  # who wins equal rows is no matter for these rules
    if name == "random-legal":
        return lambda cards: _set_at_random(cards, game, seed, jobs)
    if name == "scoop-chaser":
        values, crowd = _learn_chances(game, jobs)
        return lambda cards: _set_by_sweeps(cards, game, crowd, values, jobs)
    if name == "rank-product":
        values, _ = _learn_chances(game, jobs)
    else:
        steps = np.arange(STRENGTHS, dtype=np.float64)
        weights = [STRENGTHS**power for power in range(3)]
        if name == "front-heavy":
            weights.reverse()
        values = np.stack([steps * weight for weight in weights])
    return lambda cards: _set_by_values(cards, game, values, jobs)


def set_deals(
    name: str, cards: "NDArray[np.uint8]", game: Game, *, seed: int = 0, jobs: int = 1
) -> "NDArray[np.int32]":
    """Set deals by a rule; see `open_setter`, which is better for many small parts."""
    return open_setter(name, game, seed=seed, jobs=jobs)(cards)


def _learn_chances(game: Game, jobs: int) -> "tuple[NDArray[np.float64], NDArray[np.int16]]":
    """Return log chances of every row against others who play by them, after three rounds.

    With them come the rows of those others, int16 (3, n).
    """
    sample = deal_random(LESSON_SEED, 0, LESSONS)
    values = np.tile(np.arange(STRENGTHS, dtype=np.float64) / STRENGTHS, (3, 1))
    for _ in range(3):
        arranged = np.empty((COLUMN, len(sample)), dtype=np.int16)
        arrange_deals(sample, _set_by_values(sample, game, values, jobs), game, arranged)
        values = _value_chances(arranged[:3])
    return values, np.ascontiguousarray(arranged[:3])


def _value_chances(rows: "NDArray[np.int16]") -> "NDArray[np.float64]":
    """Return log chances to beat each row of a population (3, n), by row and strength."""
    values = np.empty((3, STRENGTHS))
    for row in range(3):
        counts = np.bincount(rows[row], minlength=STRENGTHS).astype(np.float64)
        below = np.cumsum(counts) - counts / 2
        values[row] = np.log((below + 0.5) / (counts.sum() + 1))
    return values


def _set_at_random(
    cards: "NDArray[np.uint8]", game: Game, seed: int, jobs: int
) -> "NDArray[np.int32]":
    codes = np.empty(len(cards), dtype=np.int32)
    run_chunks(len(cards), lambda part: set_at_random(cards[part], game, seed, codes[part]), jobs)
    return codes


def _set_by_sweeps(
    cards: "NDArray[np.uint8]",
    game: Game,
    crowd: "NDArray[np.int16]",
    values: "NDArray[np.float64]",
    jobs: int,
) -> "NDArray[np.int32]":
    codes = np.empty(len(cards), dtype=np.int32)

    def work(part: slice) -> None:
        set_by_sweeps(cards[part], game, crowd, values, codes[part])

    run_chunks(len(cards), work, jobs)
    return codes


def _set_by_values(
    cards: "NDArray[np.uint8]", game: Game, values: "NDArray[np.float64]", jobs: int
) -> "NDArray[np.int32]":
    codes = np.zeros(len(cards), dtype=np.int32)
    run_chunks(len(cards), lambda part: set_by_values(cards[part], game, values, codes[part]), jobs)
    return codes
