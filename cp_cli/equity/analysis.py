"""Expected units of the arrangements of one deal against a field, with standard errors.

Two samples of opponents take part. The *choosing* field ranks the splits; the *judging* field,
which the ranking never saw, gives every figure that is shown. So the figure of the best split is
not flattered by having been picked, and differences between splits are taken on the same
opponents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.opponents import Game
from cp_cli._kernels.payoff import WEIGHT
from cp_cli._kernels.whole import PAIRWISE
from cp_cli.arrangement import Arrangement, Natural
from cp_cli.candidates import Splits, pick_diverse, rank_splits, read_split, sort_deal
from cp_cli.equity.company import QUICK_FIELD, Bench, Referee
from cp_cli.equity.judges import Judges, join_last, value_specials_of
from cp_cli.errors import ArrangementError, StrategyError
from cp_cli.evaluator import explain_foul, find_naturals
from cp_cli.field import (
    Deals,
    Field,
    Opponents,
    build_field,
    deal_unseen,
    describe_deals,
    fit_all,
    mask_cards,
)
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game
from cp_cli.strategy import (
    Progress,
    answer_exactly,
    load_strategy,
    open_field,
    open_setter,
)
from cp_cli.strategy.named import EQUILIBRIUM, RULES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Order, Ruleset

SetDeals = Callable[["NDArray[np.uint8]"], Opponents]
"""Sets deals (n, 13) that fit the known cards by the opponents' strategy."""

KEEP = 32  # splits that meet all choosing opponents, for each rank that is shown
FEWEST = 4_096  # opponents to rank by, and to judge by; many dead cards leave fewer
RANKING_SHARE = 8  # one of so many judging deals ranks splits and gives no figures
MOST_SAMPLES = 1_000_000  # opponents; more would take minutes to set
PRICED_AT_ONCE = 64  # splits; bounds the memory of --top all


@dataclass(frozen=True, slots=True)
class SplitFigures:
    """What one split earns: units over all opponents, chances against each of them.

    `loss` is what it earns less than the best split, on the same opponents; it can come out
    slightly negative for splits that are as good as the best. `equal` counts the legal splits
    with the same three row strengths, this one included.
    """

    rank: int
    arrangement: Arrangement
    equal: int
    ev: float
    se: float
    loss: float
    loss_se: float
    win: tuple[float, float, float]
    tie: tuple[float, float, float]
    scoop: float
    scooped: float
    royalties: float


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to treat a deal - play, declare or surrender - and its expected units."""

    action: str
    ev: float
    se: float


class _Pricing:
    """Prices the splits of one deal against its judges."""

    def __init__(
        self, splits: Splits, judges: Judges, opponents: int, bench: "Bench | None" = None
    ) -> None:
        self.splits = splits
        self.judges = judges
        self.opponents = opponents
        self.bench = bench
        self.best = judges.measure(splits.heroes[splits.order[:1]])
        self.top = self._seat([0]) if bench else np.zeros((1, 0))

    def _seat(self, ranks: Sequence[int]) -> "NDArray[np.float64]":
        """Return what splits win at each whole table, (k, d)."""
        assert self.bench is not None
        return self.bench.settle(self.splits.cards, self.splits.codes[self.splits.order[ranks]])

    def price(self, ranks: Sequence[int]) -> list[SplitFigures]:
        """Return the figures of the splits of some ranks (0 is the best)."""
        if not ranks:
            return []
        judges = self.judges
        found = judges.measure(self.splits.heroes[self.splits.order[list(ranks)]])
        evs, errors = judges.estimate(found)
        losses, loss_errors = judges.estimate_losses(found, self.best)
        estimates = np.stack([evs, errors, losses, loss_errors, found.royalties], axis=1)
        estimates *= self.opponents
        if self.bench is not None:
            units = self._seat(list(ranks))
            self.bench.add(estimates[:, :2], units)
            self.bench.add(estimates[:, 2:4], self.top - units)
        shares = found.counts / judges.weight
        return [
            self._describe(rank, share.tolist(), estimate.tolist())
            for rank, share, estimate in zip(ranks, shares, estimates, strict=True)
        ]

    def _describe(self, rank: int, share: list[float], estimate: list[float]) -> SplitFigures:
        splits = self.splits
        group = int(splits.order[rank])
        ev, se, loss, loss_se, royalties = estimate
        return SplitFigures(
            rank=rank + 1,
            arrangement=read_split(splits.cards, int(splits.codes[group])),
            equal=int(np.count_nonzero(splits.groups == group)),
            ev=ev,
            se=se,
            loss=loss if rank else 0.0,
            loss_se=loss_se if rank else 0.0,
            win=(share[0], share[1], share[2]),
            tie=(share[3], share[4], share[5]),
            scoop=share[6],
            scooped=share[7],
            royalties=royalties,
        )

    def price_all(self) -> list[SplitFigures]:
        """Return every legal split; those equal in all rows share a rank and its figures."""
        shown: list[SplitFigures] = []
        for first in range(0, len(self.splits.order), PRICED_AT_ONCE):
            ranks = range(first, min(first + PRICED_AT_ONCE, len(self.splits.order)))
            for figures in self.price(ranks):
                group = int(self.splits.order[figures.rank - 1])
                members = self.splits.list_members(group)
                shown.extend(replace(figures, arrangement=member) for member in members)
        return shown

    def price_actions(self, actions: Sequence[str], natural: int | None) -> tuple[Choice, ...]:
        """Return what playing the best split, declaring and surrendering earn."""
        estimates = np.stack(self.judges.estimate_actions(actions, self.best, natural), axis=1)
        estimates *= self.opponents
        if self.bench is not None:
            # Who does not play sweeps nobody and is swept by nobody.
            played = [i for i, action in enumerate(actions) if action == "play"]
            self.bench.add(estimates[played[0] : played[0] + 1], self.top)
        return tuple(
            Choice(action, ev, se)
            for action, (ev, se) in zip(actions, estimates.tolist(), strict=True)
        )

    def price_given(
        self, arrangements: Sequence[Arrangement], order: "Order"
    ) -> list[SplitFigures]:
        """Return the figures of given splits; raises ArrangementError if one is a foul."""
        ranks = []
        for arrangement in arrangements:
            group = self.splits.find_group(arrangement)
            if group is None:
                fault = explain_foul(arrangement, order)
                raise ArrangementError(f"{arrangement}: foul: {fault}")
            ranks.append(int(np.flatnonzero(self.splits.order == group)[0]))
        return [
            replace(figures, arrangement=arrangement)
            for figures, arrangement in zip(self.price(ranks), arrangements, strict=True)
        ]


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
    splits: Splits, chosen_by: Sequence[Opponents], place: int, tie: int
) -> list[str]:
    """Return the actions open to a deal, the one that the choosing opponents favour first."""
    spec, game = chosen_by[0].field.deals.spec, chosen_by[0].field.game
    specials = np.zeros(3, dtype=np.int64)
    weight = 0
    for part in chosen_by:
        values = value_specials_of(part, place, tie)
        specials += values @ part.special_weights.astype(np.int64)
        weight += int(part.players[WEIGHT].sum(dtype=np.int64))
    totals = {"play": int(splits.sums[splits.order[0]]) + int(specials[0])}
    if place >= 0:
        totals["declare"] = weight * int(spec.units[place]) + int(specials[1])
    if game.surrender >= 0:
        totals["surrender"] = int(specials[2]) - weight * game.surrender
    return sorted(totals, key=lambda action: -totals[action])


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer for one deal. Units are totals over all opponents, chances are per opponent.

    `choices` holds every action open to the deal, the recommended one first. `groups` says how
    many different splits there are.
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
        referee: Referee | None = None,
    ) -> None:
        """Take the field that ranks splits, the one that gives the figures, and what sets more.

        `game` is the rules as the player sees them, None where as the field does; `referee`
        settles what the ruleset pays by the whole table.
        """
        self.ruleset = ruleset
        self.choosing = choosing
        self.judging = judging
        self.more = more
        self.game = game or choosing.game
        self.referee = referee

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

        `top` None lists every legal split. `target_se` is the standard error wanted for the
        total of the best split.
        """
        hand = _look_at(cards, dead, self.ruleset)
        chosen_by = self._gather(self.choosing, hand, 2 * seed + 1)
        keep = None if top is None or compare or diverse else KEEP * top
        players = join_last([part.players for part in chosen_by])
        best_only = keep is not None and top == 1
        extra = sum(int(part.special_weights.sum(dtype=np.int64)) for part in chosen_by)
        splits = rank_splits(cards, players, self.game, keep, extra=extra, best_only=best_only)
        if not len(splits.order):
            raise ArrangementError("cards: every split is a foul, expected a legal one")
        judges = self._open_judges(hand, splits, samples, target_se, opponents, seed)
        bench = None
        if self.referee is not None:
            known = (*cards, *dead)
            bench = self.referee.open_bench(self.judging, known, opponents, seed)
        pricing = _Pricing(splits, judges, opponents, bench)
        if top is None:
            shown = pricing.price_all()
        elif diverse:
            shown = pricing.price(pick_diverse(splits, top))
        else:
            shown = pricing.price(range(min(top, len(splits.order))))
        actions = _order_actions(splits, chosen_by, hand.place, hand.tie)
        return Analysis(
            cards=tuple(cards),
            dead=tuple(dead),
            opponents=opponents,
            samples=len(judges),
            splits=splits,
            naturals=tuple(find_naturals(tuple(cards), self.ruleset)),
            choices=pricing.price_actions(actions, hand.natural),
            arrangements=tuple(shown),
            compared=tuple(pricing.price_given(compare, self.ruleset.order)),
        )

    def _open_judges(
        self,
        hand: "_Hand",
        splits: Splits,
        samples: int | None,
        target_se: float | None,
        opponents: int,
        seed: int,
    ) -> Judges:
        """Return the judges of a deal, as many as the caller wants."""
        parts = self._gather(self.judging, hand, 2 * seed)
        judges = Judges(parts, hand.unseen, hand.place, hand.tie)
        best = splits.heroes[splits.order[0]]
        missing = self._count_missing(judges, best, samples, target_se, opponents)
        if missing <= 0 or self.more is None:
            return judges
        parts.append(self.more(deal_unseen(hand.unseen, missing, 2 * seed + 2)))
        return Judges(parts, hand.unseen, hand.place, hand.tie)

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

    @staticmethod
    def _count_missing(
        judges: Judges,
        hero: "NDArray[np.int16]",
        samples: int | None,
        target_se: float | None,
        opponents: int,
    ) -> int:
        """Return how many more opponents the caller's wish needs."""
        missing = (samples or 0) - len(judges)
        if target_se is not None:
            _, errors = judges.estimate(judges.measure(hero[None]))
            se = float(errors[0]) * opponents
            if se > target_se:
                worth = judges.count_effective()
                missing = max(missing, int(worth * ((se / target_se) ** 2 - 1)) + 1)
        return min(missing, MOST_SAMPLES)


def open_analyst(
    ruleset: "Ruleset",
    opponent_strategy: str = EQUILIBRIUM,
    *,
    opponents: int = 1,
    role: Role = PLAYER,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Analyst:
    """Return an analyst of a ruleset against opponents of a named strategy.

    `opponents` is how many there are, which counts where a ruleset pays by the whole table;
    `role` is the player's own where there is a bank.

    A ruleset that does not come with the package is trained on first use, up to a minute, and
    `progress(share, what)` told how far that is.

    >>> from cp_cli.cards import parse_cards
    >>> from cp_cli.ruleset import load_ruleset
    >>> analyst = open_analyst(load_ruleset("two-four"))
    >>> deal = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")
    >>> str(analyst.analyze(deal, opponents=1).arrangements[0].arrangement)
    'Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s'
    """
    theirs = {PLAYER: BANK, BANK: PLAYER}[role] if ruleset.mode == "bank" else PLAYER

    def load(name: str, side: Role) -> tuple[Field, int]:
        found = load_strategy(ruleset, name, jobs, progress, opponents=opponents, role=side)
        return open_field(ruleset, found, opponents=opponents, role=side), found.choosing

    field, choosing = load(opponent_strategy, theirs)
    game = build_game(ruleset, opponents, role)
    game = game._replace(whole=game.whole._replace(rest=field.game.whole.rest))
    # What the strategy answers is a small sample to rank by; some of the others help.
    helpers = (len(field) - choosing) // RANKING_SHARE
    ranking = field.take(slice(0, choosing + helpers))

    @cache
    def find_rivals() -> Field:
        """Return the field that opponents answer: those who play as we do."""
        own = theirs == role and opponent_strategy == EQUILIBRIUM
        rivals, count = (field, choosing) if own else load(EQUILIBRIUM, role)
        return rivals.take(slice(0, count))

    @cache
    def find_setter() -> "Callable[[NDArray[np.uint8]], NDArray[np.int32]]":
        answered = None if opponent_strategy in RULES else find_rivals()
        return open_setter(
            opponent_strategy, field.game, jobs=jobs, ruleset=ruleset, field=answered
        )

    def set_spot(deals: Deals, *, quick: bool = False) -> "NDArray[np.int32]":
        if opponent_strategy != EQUILIBRIUM:
            return find_setter()(deals.cards)
        if quick:
            rivals = find_rivals().take(slice(0, QUICK_FIELD))
            return answer_exactly(deals, rivals, jobs, game=field.game, screen=256, keep=8)
        return answer_exactly(deals, find_rivals(), jobs, game=field.game)

    def set_more(cards: "NDArray[np.uint8]") -> Opponents:
        deals = describe_deals(cards, ruleset)
        return fit_all(build_field(deals, set_spot(deals), field.game))

    judging = field.take(slice(choosing + helpers, None))
    referee = None
    if game.whole.kind != PAIRWISE:
        set_third = partial(set_spot, quick=True)
        referee = Referee(ruleset, game, set_third, bank=role == BANK and theirs == PLAYER)
    return Analyst(ruleset, ranking, judging, set_more, game=game, referee=referee)
