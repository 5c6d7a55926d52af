"""How hands are set while deals are played: by the strategies of a plan, in their roles."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from cp_cli.errors import StrategyError
from cp_cli.field import describe_deals
from cp_cli.settlement.game import Role, build_game
from cp_cli.simulation.plan import EQUILIBRIUM, Plan, Way
from cp_cli.strategy.answers import Progress
from cp_cli.strategy.fast import answer_fast, build_fast
from cp_cli.strategy.named import RULES, open_setter
from cp_cli.strategy.sources import is_csv, open_answered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli._kernels.opponents import Game
    from cp_cli.field import Field

    SetCards = Callable[[NDArray[np.uint8]], NDArray[np.int32]]


class Setters:
    """The strategies of a plan, opened once each: trained, where that is needed.

    An equilibrium sets its hands by the fast form, unless `precise`; known hands are always set
    by the exact one.
    """

    def __init__(
        self, plan: Plan, seed: int, jobs: int = 1, progress: Progress | None = None
    ) -> None:
        self.plan = plan
        self.seed = seed
        self.jobs = jobs
        self.progress = progress
        self._answered: dict[tuple[str, Role], tuple[str, Field, Game]] = {}
        self._exact: dict[tuple[str, Role], SetCards] = {}
        self._fast: dict[tuple[str, Role], SetCards] = {}
        for slot, ways in enumerate(plan.ways):
            known = slot < len(plan.known) and len(plan.known[slot]) == 13
            for way in ways:
                if way.split is None:
                    self._open(way, fast=not known and not plan.request.precise)

    def set_cards(self, way: Way, cards: "NDArray[np.uint8]") -> "NDArray[np.int32]":
        """Set deals uint8 (n, 13), highest card first: codes int32 (n,)."""
        return self._open(way, fast=not self.plan.request.precise)(cards)

    def set_known(self, way: Way, cards: "NDArray[np.uint8]") -> "NDArray[np.int32]":
        """Set deals by the exact form."""
        return self._open(way, fast=False)(cards)

    def _open(self, way: Way, *, fast: bool) -> "SetCards":
        place, opened = (way.label, way.role), self._fast if fast else self._exact
        if place not in opened:
            if is_csv(way.label):
                raise StrategyError(
                    f"{way.label}: knows only its own deals; expected a strategy that sets any"
                )
            opened[place] = self._open_new(way.label, way.role, fast=fast)
        return opened[place]

    def _open_new(self, name: str, role: Role, *, fast: bool) -> "SetCards":
        ruleset, opponents = self.plan.ruleset, self.plan.request.opponents
        if name in RULES:
            return open_setter(name, build_game(ruleset, opponents, role), seed=self.seed)
        if (name, role) not in self._answered:
            self._answered[name, role] = open_answered(
                ruleset, name, opponents=opponents, role=role, jobs=self.jobs,
                progress=self.progress,
            )  # fmt: skip
        name, field, game = self._answered[name, role]
        if fast and name == EQUILIBRIUM:
            tables = build_fast(field, self.jobs, game=game)
            return lambda cards: answer_fast(describe_deals(cards, ruleset), tables)
        return open_setter(name, game, seed=self.seed, ruleset=ruleset, field=field)
