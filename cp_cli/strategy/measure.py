"""The strength of a strategy: what a best answer wins from it.

A best answer knows its own thirteen cards and how opponents set every deal. It is picked on one
half of the judging deals and valued on the other, so what it gains is not the luck of its pick.
Both halves are samples: a perfect answer gains no less than the figure, and on average no more
than what the answer seems to gain on the half that it was picked on (`ceiling`).

Units are those of one deal and one opponent. Where a ruleset pays by the whole table, opponents
are taken as independent draws from the field (see `_kernels.whole`), and the units are those of
the table, parted among the opponents.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from cp_cli._kernels.opponents import Game
from cp_cli._kernels.whole import PAIRWISE
from cp_cli.errors import StrategyError
from cp_cli.field import Deals, Field, deal_random, describe_deals
from cp_cli.settlement.game import PLAYER, Role, build_game
from cp_cli.strategy.answers import Progress, answer_exactly, be_silent, value_choices
from cp_cli.strategy.fast import answer_fast, build_fast
from cp_cli.strategy.files import find_rival, load_strategy, open_fields
from cp_cli.strategy.named import EQUILIBRIUM, UNSEEN_SEED
from cp_cli.strategy.sources import is_csv, is_trained, open_player, read_trained
from cp_cli.strategy.spread import CONFIDENCE, estimate_error
from cp_cli.strategy.training import list_roles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

MOST_SEEDS = 1 << 63
BLOCKS = 16
"""Parts of the opponents; how their figures differ tells what the sample of opponents is worth."""
SCREEN, KEEP = 2048, 32

Form = Literal["exact", "fast", "rule"]
EXACT: Form = "exact"
FAST: Form = "fast"
RULE: Form = "rule"
"""The one form of strategies that answer nobody."""
SetDeals = Callable[[Deals], "NDArray[np.int32]"]
"""Sets deals: codes int32 (n,)."""


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
        whole: is the whole table paid for, here by independent draws of opponents?

    """

    role: Role
    form: Form
    mean: float
    se: float
    ceiling: float
    differ: float
    deals: int
    opponents: int
    whole: bool = False

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the gain."""
        return self.mean - CONFIDENCE * self.se, self.mean + CONFIDENCE * self.se


def deal_heroes(ruleset: "Ruleset", count: int, seed: int) -> Deals:
    """Return deals that no strategy was trained on."""
    return describe_deals(deal_random((UNSEEN_SEED + seed) % MOST_SEEDS, 0, count), ruleset)


def measure_gains(
    deals: Deals,
    forms: "Mapping[Form, NDArray[np.int32]]",
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
            whole=(game or judging.game).whole.kind != PAIRWISE,
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
    source: str = EQUILIBRIUM,
    *,
    forms: Sequence[Form] = (EXACT, FAST),
    opponents: int = 1,
    deals: int = 2048,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = be_silent,
) -> list[Gain]:
    """Return what a best answer gains on a strategy, a name or a trained file.

    There is a gain for each role, and for each of the forms where the equilibrium plays. Raises
    StrategyError where the strategy cannot set any deal, or a form does not go with the rules.
    """
    if is_csv(source):
        raise StrategyError(f"{source}: a CSV says nothing of other deals; expected a strategy")
    heroes = deal_heroes(ruleset, deals, seed)
    gains = []
    for role in list_roles(ruleset):
        view, judging = _open_view(ruleset, source, opponents, role, jobs, progress)
        if has_forms(source):
            codes = {form: OPEN_FORM[form](view)(heroes) for form in forms}
        else:
            player = open_player(ruleset, source, opponents=opponents, seed=seed, jobs=jobs)
            codes = {RULE: player.setters[role](heroes.cards)}
        gains += measure_gains(heroes, codes, judging, jobs, progress, game=view.game, role=role)
    return gains


def has_forms(source: str) -> bool:
    """Tell whether a strategy has an exact and a fast form: the equilibrium, trained files."""
    return source == EQUILIBRIUM or is_trained(source)


@dataclass(frozen=True, slots=True)
class View:
    """What somebody who sets deals may know: the opponents he answers, and his own rules."""

    ruleset: "Ruleset"
    choosing: Field
    game: Game
    jobs: int = 1


def _open_view(
    ruleset: "Ruleset", source: str, opponents: int, role: Role, jobs: int, progress: Progress
) -> tuple[View, Field]:
    """Return what a role sees of those who play the strategy, and others of them to judge by."""
    rival = find_rival(ruleset, role)
    if is_trained(source):
        strategy = read_trained(Path(source), ruleset, opponents, rival)
    else:
        strategy = load_strategy(ruleset, source, jobs, progress, opponents=opponents, role=rival)
    choosing, judging = open_fields(ruleset, strategy, opponents=opponents, role=rival)
    game = build_game(ruleset, opponents, role)
    game = game._replace(whole=game.whole._replace(rest=choosing.game.whole.rest))
    return View(ruleset, choosing, game, jobs), judging


def open_exact(view: View) -> SetDeals:
    """Return the exact form: the best answer to the choosing field, given the own cards."""
    return lambda deals: answer_exactly(deals, view.choosing, view.jobs, game=view.game)


def open_fast(view: View) -> SetDeals:
    """Return the fast form, which answers the choosing field from tables."""
    tables = build_fast(view.choosing, view.jobs, game=view.game)
    return lambda deals: answer_fast(deals, tables, view.jobs)


OPEN_FORM: dict[Form, Callable[[View], SetDeals]] = {EXACT: open_exact, FAST: open_fast}
