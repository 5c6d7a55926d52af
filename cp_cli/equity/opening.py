"""Analysts: their fields, loaded or trained, and who settles for them."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.whole import PAIRWISE
from cp_cli.equity.analysis import Analyst
from cp_cli.equity.company import Host
from cp_cli.equity.race import Scoreboard, count_points, value_points
from cp_cli.equity.referee import Referee
from cp_cli.field import Deals, Field, Opponents, build_field, describe_deals, fit_all
from cp_cli.settlement.arrays import build_hand_terms
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game
from cp_cli.strategy import (
    Progress,
    answer_exactly,
    load_strategy,
    open_field,
    open_setter,
)
from cp_cli.strategy.files import find_rival
from cp_cli.strategy.named import EQUILIBRIUM, RULES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

RANKING_SHARE = 8  # one of so many judging deals ranks splits and gives no figures
QUICK_FIELD = 8_192  # deals that a third opponent answers; he sets his cards in a tenth of a ms


class _Opponents:
    """Opponents of one strategy: their field, and how they set deals on the spot."""

    def __init__(
        self,
        ruleset: "Ruleset",
        strategy: str,
        opponents: int,
        role: Role,
        jobs: int,
        progress: Progress | None,
    ) -> None:
        self.ruleset = ruleset
        self.strategy = strategy
        self.opponents = opponents
        self.role = role
        self.theirs = find_rival(ruleset, role)
        self.jobs = jobs
        self.progress = progress
        self.field, self.choosing = self._load(strategy, self.theirs)

    def _load(self, name: str, role: Role) -> tuple[Field, int]:
        found = load_strategy(
            self.ruleset, name, self.jobs, self.progress, opponents=self.opponents, role=role
        )
        field = open_field(self.ruleset, found, opponents=self.opponents, role=role)
        return field, found.choosing

    @cached_property
    def rivals(self) -> Field:
        """The field that opponents answer: those who play as we do."""
        own = self.theirs == self.role and self.strategy == EQUILIBRIUM
        rivals, count = (self.field, self.choosing) if own else self._load(EQUILIBRIUM, self.role)
        return rivals.take(slice(0, count))

    @cached_property
    def _setter(self) -> "Callable[[NDArray[np.uint8]], NDArray[np.int32]]":
        answered = None if self.strategy in RULES else self.rivals
        return open_setter(
            self.strategy, self.field.game, jobs=self.jobs, ruleset=self.ruleset, field=answered
        )

    def set_deals(self, deals: Deals) -> "NDArray[np.int32]":
        """Return what they do with deals: codes int32 (n,)."""
        if self.strategy != EQUILIBRIUM:
            return self._setter(deals.cards)
        return answer_exactly(deals, self.rivals, self.jobs, game=self.field.game)

    def set_quickly(self, deals: Deals) -> "NDArray[np.int32]":
        """Return what they do with deals, or nearly so."""
        if self.strategy != EQUILIBRIUM:
            return self._setter(deals.cards)
        rivals = self.rivals.take(slice(0, QUICK_FIELD))
        return answer_exactly(deals, rivals, self.jobs, game=self.field.game, screen=256, keep=8)

    def deal(self, cards: "NDArray[np.uint8]") -> Opponents:
        """Return opponents who hold these cards, uint8 (n, 13)."""
        deals = describe_deals(cards, self.ruleset)
        return fit_all(build_field(deals, self.set_deals(deals), self.field.game))


def open_analyst(
    ruleset: "Ruleset",
    opponent_strategy: str = EQUILIBRIUM,
    *,
    opponents: int = 1,
    role: Role = PLAYER,
    score: tuple[int, int] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Analyst:
    """Return an analyst of a ruleset against opponents of a named strategy.

    `opponents` is how many there are, which counts where a ruleset pays by the whole table;
    `role` is the player's own where there is a bank; `score`, own and the other's, is that of a
    race of two, whose deals are then priced by the chance to win it.

    A ruleset that does not come with the package is trained on first use, up to a minute, and
    `progress(share, what)` told how far that is.

    >>> from cp_cli.cards import parse_cards
    >>> from cp_cli.ruleset import load_ruleset
    >>> analyst = open_analyst(load_ruleset("two-four"))
    >>> deal = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")
    >>> str(analyst.analyze(deal, opponents=1).arrangements[0].arrangement)
    'Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s'
    """
    theirs = _Opponents(ruleset, opponent_strategy, opponents, role, jobs, progress)
    field, choosing = theirs.field, theirs.choosing
    game = build_game(ruleset, opponents, role)
    game = game._replace(whole=game.whole._replace(rest=field.game.whole.rest))
    # What the strategy answers is a small sample to rank by; some of the others help.
    helpers = (len(field) - choosing) // RANKING_SHARE
    ranking = field.take(slice(0, choosing + helpers))
    judging = field.take(slice(choosing + helpers, None))
    referee: Referee | Scoreboard | None = None
    if score is not None:
        worth = value_points(count_points(field), ruleset.race.target, score)
        referee = Scoreboard(score, worth)
    elif game.whole.kind != PAIRWISE:
        host = Host(ruleset, build_hand_terms(ruleset), theirs.set_quickly)
        referee = Referee(ruleset, game, host, bank=ruleset.mode == "bank" and role == BANK)
    return Analyst(ruleset, ranking, judging, theirs.deal, game=game, referee=referee, role=role)
