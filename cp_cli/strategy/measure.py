"""The strength of a strategy: what a best answer wins from it.

A best answer knows its own thirteen cards and how opponents set every deal. It is picked on one
half of the judging deals and valued on the other, so what it gains is not the luck of its pick.
Both halves are samples: a perfect answer gains no less than the figure, and on average no more
than what the answer seems to gain on the half that it was picked on (`ceiling`).

Units are those of one deal and one opponent. Where a ruleset pays by the whole table, opponents
are taken as independent draws from the field (see `_kernels.whole`), and the units are those of
the table, parted among the opponents.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.opponents import DECLARE, Game
from cp_cli.errors import StrategyError
from cp_cli.field import Deals, Field, deal_random, describe_deals
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game
from cp_cli.strategy.answers import Progress, answer_exactly, be_silent, value_choices
from cp_cli.strategy.fast import answer_fast, build_fast
from cp_cli.strategy.files import Strategy, open_fields
from cp_cli.strategy.spread import CONFIDENCE, estimate_error
from cp_cli.strategy.training import list_roles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

HERO_SEED = 1 << 40
"""Added to the seed of the measured deals: no strategy is trained on these."""
BLOCKS = 16
"""Parts of the opponents; how their figures differ tells what the sample of opponents is worth."""
SCREEN, KEEP = 2048, 32

SetDeals = Callable[[Deals], "NDArray[np.int32]"]
"""Sets deals: codes int32 (n,)."""
Strategies = Mapping[Role, Strategy]
"""What players do, and where there is a bank, what the bank does."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a best answer gains on one form of a strategy, in units a deal and opponent.

    Attributes:
        role: who answers, a player or the bank; it gains on what this role does now.
        form: how the deals were set: exact, fast or a rule.
        mean, se: the gain and its standard error, which covers both samples, that of deals and
            that of opponents.
        ceiling: what the answer gains on the opponents that it was picked on.
        differ: the share of deals where the best answer is another choice.
        deals, opponents: sizes of the samples.

    """

    role: Role
    form: str
    mean: float
    se: float
    ceiling: float
    differ: float
    deals: int
    opponents: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the gain."""
        return self.mean - CONFIDENCE * self.se, self.mean + CONFIDENCE * self.se


def deal_heroes(ruleset: "Ruleset", count: int, seed: int) -> Deals:
    """Return deals that no strategy was trained on."""
    return describe_deals(deal_random(HERO_SEED + seed, 0, count), ruleset)


def measure_gains(
    deals: Deals,
    forms: "Mapping[str, NDArray[np.int32]]",
    judging: Field,
    jobs: int = 1,
    progress: Progress = be_silent,
    *,
    game: Game | None = None,
    role: Role = PLAYER,
) -> list[Gain]:
    """Measure several ways to set the same deals, codes int32 (n,) by name.

    `judging` is a field that none of them has seen; `game` is the rules as the deals see them
    where the field sees them otherwise.
    """
    half = len(judging) // 2
    if half < BLOCKS:
        raise StrategyError(f"{len(judging)} judging deals; expected {2 * BLOCKS} or more")
    picking, valuing = judging.take(slice(0, half)), judging.take(slice(half, None))

    def report(done: float, what: str) -> None:
        progress(done, "best answers")

    best = answer_exactly(deals, picking, jobs, report, SCREEN, KEEP, game=game)
    options = np.stack([*forms.values(), best], axis=1)
    units = value_choices(deals, options, valuing, jobs, game=game)
    seen = value_choices(deals, options, picking, jobs, game=game)
    parts = [value_choices(deals, options, block, jobs, game=game) for block in _cut_field(valuing)]
    by_block = np.stack(parts, axis=2)
    return [
        Gain(
            role,
            form,
            mean=float(np.mean(units[:, -1] - units[:, i])),
            se=estimate_error(by_block[:, -1] - by_block[:, i]),
            ceiling=float(np.mean(seen[:, -1] - seen[:, i])),
            differ=float(np.mean(best != codes)),
            deals=len(deals),
            opponents=len(valuing),
        )
        for i, (form, codes) in enumerate(forms.items())
    ]


def _cut_field(field: Field) -> Iterator[Field]:
    """Yield the blocks of a field."""
    bounds = np.linspace(0, len(field), BLOCKS + 1).astype(int)
    for first, end in pairwise(bounds):
        yield field.take(slice(first, end))


def measure_strategy(
    ruleset: "Ruleset",
    strategies: Strategies,
    forms: Mapping[str, "OpenForm"],
    *,
    opponents: int = 1,
    deals: int = 2048,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = be_silent,
) -> list[Gain]:
    """Return what a best answer gains on each form of a strategy, and with a bank on each role.

    `strategies` are those of every role (see `list_roles`), loaded for so many opponents.
    Raises StrategyError where a form does not go with the rules.
    """
    heroes = deal_heroes(ruleset, deals, seed)
    gains = []
    for role in list_roles(ruleset):
        rival = rival_of(ruleset, role)
        choosing, judging = open_fields(ruleset, strategies[rival], opponents=opponents, role=rival)
        game = build_game(ruleset, opponents, role)
        game = game._replace(whole=game.whole._replace(rest=choosing.game.whole.rest))
        view = View(ruleset, choosing, game, role, jobs)
        codes = {name: open_form(view)(heroes) for name, open_form in forms.items()}
        gains += measure_gains(heroes, codes, judging, jobs, progress, game=game, role=role)
    return gains


def rival_of(ruleset: "Ruleset", role: Role) -> Role:
    """Return whom a role meets."""
    return PLAYER if ruleset.mode != "bank" or role == BANK else BANK


@dataclass(frozen=True, slots=True)
class View:
    """What somebody who sets deals may know: the opponents he answers, and his own rules."""

    ruleset: "Ruleset"
    choosing: Field
    game: Game
    role: Role
    jobs: int = 1


OpenForm = Callable[[View], SetDeals]


def open_exact(view: View) -> SetDeals:
    """Return the exact form: the best answer to the choosing field, given the own cards."""
    return lambda deals: answer_exactly(deals, view.choosing, view.jobs, game=view.game)


def open_fast(view: View) -> SetDeals:
    """Return the fast form; whether to declare or to surrender it takes from the exact one.

    Raises StrategyError where the bank wins equal rows: its tables know no such thing.
    """
    if view.game.scale > 1:
        raise StrategyError("the fast form knows no bank that wins equal rows; expected exact")
    tables = build_fast(view.ruleset, replace(view.choosing, game=view.game), view.jobs)

    def set_deals(deals: Deals) -> "NDArray[np.int32]":
        codes = answer_fast(deals, tables, view.jobs)
        if view.game.surrender < 0 and (deals.places < 0).all():
            return codes
        exact = open_exact(view)(deals)
        return np.where(exact < DECLARE, codes, exact)

    return set_deals
