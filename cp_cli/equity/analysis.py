"""Expected units of the arrangements of one deal against a field, with standard errors.

Two samples of opponents take part. The *choosing* field ranks the splits; the *judging* field,
which the ranking never saw, gives every figure that is shown. So the figure of the best split is
not flattered by having been picked, and differences between splits are taken on the same
opponents.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from cp_cli._kernels.opponents import Game
from cp_cli._kernels.payoff import WEIGHT
from cp_cli.arrangement import Arrangement, Natural
from cp_cli.candidates import Splits, pick_diverse, rank_splits, sort_deal
from cp_cli.equity.company import JUDGING, RANKING, Sizes
from cp_cli.equity.judges import Judges, join_last, value_specials_of
from cp_cli.equity.pricing import NEAR, Choice, Pricing, SplitFigures
from cp_cli.equity.race import Scoreboard
from cp_cli.equity.referee import Referee
from cp_cli.errors import ArrangementError, StrategyError
from cp_cli.evaluator import find_naturals
from cp_cli.field import (
    Field,
    Opponents,
    deal_unseen,
    describe_deals,
    mask_cards,
)
from cp_cli.settlement.game import PLAYER, Role

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

SetDeals = Callable[["NDArray[np.uint8]"], Opponents]
"""Sets deals (n, 13) that fit the known cards by the opponents' strategy."""

KEEP = 32  # splits that meet all choosing opponents, for each rank that is shown
RANKED_AT_TABLES = 24  # splits that whole tables rank again
FEWEST = 4_096  # opponents to rank by, and to judge by; many dead cards leave fewer
MOST_SAMPLES = 1_000_000  # opponents; more would take minutes to set
AIM = 0.97  # of the error that is wanted: how large a sample's turns out is chance
TURNS = 3  # more opponents are asked for until the error is as small as it should be

Unit = Literal["units", "points", "win chance"]


@dataclass(frozen=True, slots=True)
class _Hand:
    """What a player sees: the mask of all known cards, those unseen, and the own natural.

    `place` is -1 and `natural`, its units, None where there is none.
    """

    known: int
    unseen: tuple[int, ...]
    place: int
    tie: int
    natural: int | None

    def list_known(self) -> list[int]:
        """Return all known cards."""
        return [card for card in range(52) if card not in self.unseen]


def _look_at(cards: Sequence[int], dead: Sequence[int], ruleset: "Ruleset") -> _Hand:
    seen = {*cards, *dead}
    deal = describe_deals(sort_deal(cards)[None], ruleset)
    place = int(deal.places[0])
    return _Hand(
        known=mask_cards(tuple(seen)),
        unseen=tuple(card for card in range(52) if card not in seen),
        place=place,
        tie=int(deal.ties[0]),
        natural=int(deal.spec.units[place]) if place >= 0 else None,
    )


def _order_actions(
    splits: Splits, chosen_by: Sequence[Opponents], hand: _Hand, played: float | None
) -> list[str]:
    """Return the actions open to a deal, the one that the choosing opponents favour first.

    `played` is what playing earns from each opponent, where not pairs alone decide on it.
    """
    spec, game = chosen_by[0].field.deals.spec, chosen_by[0].field.game
    specials = np.zeros(3, dtype=np.int64)
    weight = 0
    for part in chosen_by:
        values = value_specials_of(part, hand.place, hand.tie)
        specials += values @ part.special_weights.astype(np.int64)
        weight += int(part.players[WEIGHT].sum(dtype=np.int64))
    totals: dict[str, float] = {"play": int(splits.sums[splits.order[0]]) + int(specials[0])}
    if played is not None:
        totals["play"] = played * weight
    if hand.place >= 0:
        totals["declare"] = weight * int(spec.units[hand.place]) + int(specials[1])
    if game.surrender >= 0:
        totals["surrender"] = int(specials[2]) - weight * game.surrender
    return sorted(totals, key=lambda action: -totals[action])


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer for one deal. Units are totals over the table, chances are per opponent.

    `choices` holds every action open to the deal, the recommended one first. `tables` says how
    many whole tables gave the figures (0 where pairs do), and those past rank `near` have fewer;
    `ev_unit` what expected units are, `role` whether the deal is the bank's; `score`, own and the
    other's, where a race is to be won.
    """

    cards: tuple[int, ...]
    dead: tuple[int, ...]
    opponents: int
    samples: int
    splits: Splits
    naturals: tuple[tuple[Natural, int], ...]
    choices: tuple[Choice, ...]
    arrangements: tuple[SplitFigures, ...]
    compared: tuple[SplitFigures, ...]
    tables: int = 0
    near: int = NEAR
    ev_unit: Unit = "units"
    role: Role = PLAYER
    score: tuple[int, int] | None = None


class Analyst:
    """Answers deals under one ruleset against one pair of fields.

    `choosing` ranks the splits, `judging` gives the figures. `more` sets further opponents, on
    the spot, when `samples` or `target_se` asks for more than the judging field has.
    """

    def __init__(
        self,
        ruleset: "Ruleset",
        choosing: Field,
        judging: Field,
        more: "SetDeals | None" = None,
        *,
        game: Game | None = None,
        referee: Referee | Scoreboard | None = None,
        role: Role = PLAYER,
    ) -> None:
        """Take the field that ranks splits, the one that gives the figures, and what sets more.

        `game` is the rules as the player sees them, None where as the field does; `referee`
        settles what the ruleset pays by the whole table, or what points are worth at a score;
        `role` is the player's own.
        """
        self.ruleset = ruleset
        self.choosing = choosing
        self.judging = judging
        self.more = more
        self.game = game or choosing.game
        self.referee = referee
        self.role = role

    @property
    def ev_unit(self) -> Unit:
        """What expected units are units of."""
        if isinstance(self.referee, Scoreboard):
            return "win chance"
        return "points" if self.ruleset.mode == "race" else "units"

    def analyze(
        self,
        cards: Sequence[int],
        *,
        dead: Sequence[int] = (),
        opponents: int = 3,
        top: int | None = 10,
        compare: Sequence[Arrangement] = (),
        diverse: bool = False,
        samples: int | None = None,
        target_se: float | None = None,
        seed: int = 0,
    ) -> Analysis:
        """Rank the splits of thirteen cards and price them.

        `top` None lists every legal split. `samples` is how many opponents, and tables where they
        count, there are at least; `target_se` is the standard error wanted for the total of the
        best split.
        """
        hand = _look_at(cards, dead, self.ruleset)
        chosen_by = self._gather(self.choosing, hand, 2 * seed + 1)
        keep = None if top is None or compare or diverse else KEEP * top
        best_only = top == 1 and keep is not None and self.referee is None
        splits = self._rank(cards, chosen_by, keep, best_only=best_only)
        played = None
        if isinstance(self.referee, Referee):
            splits, played = self._rank_at_tables(hand, splits, chosen_by, opponents, seed)
        pricing = self._price(hand, splits, opponents, samples, target_se, seed)
        if top is None:
            shown = pricing.price_all()
        elif diverse:
            shown = pricing.price(pick_diverse(splits, top))
        else:
            shown = pricing.price(range(min(top, len(splits.order))))
        actions = _order_actions(splits, chosen_by, hand, played)
        return Analysis(
            cards=tuple(cards),
            dead=tuple(dead),
            opponents=opponents,
            samples=len(pricing.judges),
            splits=splits,
            naturals=tuple(find_naturals(tuple(cards), self.ruleset)),
            choices=pricing.price_actions(actions, hand.natural),
            arrangements=tuple(shown),
            compared=tuple(pricing.price_given(compare, self.ruleset.order)),
            tables=len(pricing.bench) if pricing.bench else 0,
            ev_unit=self.ev_unit,
            role=self.role,
            score=self.referee.score if isinstance(self.referee, Scoreboard) else None,
        )

    def _rank(
        self, cards: Sequence[int], chosen_by: list[Opponents], keep: int | None, *, best_only: bool
    ) -> Splits:
        """Rank the splits of a deal by what the choosing opponents pay."""
        players = join_last([part.players for part in chosen_by])
        extra = sum(int(part.special_weights.sum(dtype=np.int64)) for part in chosen_by)
        if isinstance(self.referee, Scoreboard):
            splits = rank_splits(cards, players, self.game, 1, extra=extra)
            splits = self.referee.rank(splits, players, keep or len(splits.codes))
        else:
            splits = rank_splits(cards, players, self.game, keep, extra=extra, best_only=best_only)
        if not len(splits.order):
            raise ArrangementError("cards: every split is a foul, expected a legal one")
        return splits

    def _rank_at_tables(
        self,
        hand: "_Hand",
        splits: Splits,
        chosen_by: list[Opponents],
        opponents: int,
        seed: int,
    ) -> tuple[Splits, float]:
        """Rank the better splits again by what they earn at whole tables.

        Until here opponents were taken as independent of each other. Returns what the best split
        earns from each opponent, too.
        """
        assert self.referee is not None
        judges = Judges(chosen_by, hand.unseen, hand.place, hand.tie)
        bench = self.referee.open_bench(
            self.choosing, hand.list_known(), opponents, 2 * seed + 1, RANKING
        )
        values = Pricing(splits, judges, opponents, bench).value(
            range(min(RANKED_AT_TABLES, len(splits.order)))
        )
        better = np.argsort(-values, kind="stable")
        order = splits.order.copy()
        order[: len(values)] = order[better]
        return replace(splits, order=order), float(values.max()) / opponents

    def _price(
        self,
        hand: "_Hand",
        splits: Splits,
        opponents: int,
        samples: int | None,
        target_se: float | None,
        seed: int,
    ) -> Pricing:
        """Return the judges of a deal and its tables, as many as the caller wants."""
        parts = self._gather(self.judging, hand, 2 * seed)

        def open_pricing(sizes: Sizes) -> Pricing:
            judges = Judges(parts, hand.unseen, hand.place, hand.tie)
            bench = None
            if self.referee is not None:
                bench = self.referee.open_bench(
                    self.judging, hand.list_known(), opponents, 2 * seed, sizes
                )
            return Pricing(splits, judges, opponents, bench)

        sizes = JUDGING.grow(samples or 0)
        pricing = open_pricing(sizes)
        dealt = 0
        for turn in range(TURNS):
            missing, factor = _count_missing(pricing, samples or 0, target_se)
            missing = min(missing, MOST_SAMPLES - dealt) if self.more is not None else 0
            if missing <= 0 and factor == 1:
                break
            if missing > 0 and self.more is not None:
                cards = deal_unseen(hand.unseen, missing, 2 * seed + 2 + (turn << 32))
                parts.append(self.more(cards))
                dealt += missing
            if factor > 1 and pricing.bench:
                sizes = sizes.scale(factor, len(pricing.bench))
            pricing = open_pricing(sizes)
        return pricing

    def _gather(self, field: Field, hand: "_Hand", seed: int) -> list[Opponents]:
        """Return the opponents of a field that fit, and fresh ones where many cards are dead."""
        fitting = field.condition(hand.known)
        missing = FEWEST - len(fitting)
        if missing <= 0 or self.more is None:
            if not len(fitting):
                raise StrategyError("no opponent of the field fits the known cards")
            return [fitting]
        cards = deal_unseen(hand.unseen, missing if len(hand.unseen) > 13 else 1, seed)
        fresh = self.more(cards)
        return [fitting, fresh] if len(fitting) else [fresh]


def _count_missing(pricing: Pricing, samples: int, target_se: float | None) -> tuple[int, float]:
    """Return how many more judges the caller's wish needs, and how many times as many tables."""
    judges = pricing.judges
    missing, factor = samples - len(judges), 1.0
    if target_se is not None:
        _, by_pairs, by_tables = pricing.estimate_best()
        if math.hypot(by_pairs, by_tables) > target_se:
            # Judges err by no more than half of the variance, tables by what that leaves.
            aim = AIM * target_se
            allowed = min(by_pairs, aim / math.sqrt(2)) if by_tables else aim
            if by_pairs > allowed:
                needed = judges.count_effective() * ((by_pairs / allowed) ** 2 - 1)
                missing = max(missing, int(needed) + 1)
            factor = max(1.0, by_tables**2 / (aim**2 - allowed**2)) if by_tables else 1.0
    return missing, factor
