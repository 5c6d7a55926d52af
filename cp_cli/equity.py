"""Expected units of the arrangements of one deal against a field, with standard errors.

Two samples of opponents take part. The *choosing* field ranks the splits; the *judging* field,
which the ranking never saw, gives every figure that is shown. So the figure of the best split is
not flattered by having been picked, and differences between splits are taken on the same
opponents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.answers import settle_specials
from cp_cli._kernels.opponents import Game
from cp_cli._kernels.payoff import count_rows, fill_units
from cp_cli.arrangement import Arrangement, Natural
from cp_cli.candidates import Splits, pick_diverse, rank_splits, read_split, sort_deal
from cp_cli.errors import ArrangementError
from cp_cli.evaluator import explain_foul, find_naturals
from cp_cli.field import Field, Opponents, deal_unseen, describe_deals, mask_cards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Order, Ruleset

SetDeals = Callable[["NDArray[np.uint8]"], Opponents]
"""Sets deals (n, 13) that fit the known cards by the opponents' strategy."""


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


@dataclass(frozen=True, slots=True)
class Judges:
    """Opponents that give the figures, with what the unusual ones among them pay.

    Attributes:
        players: int16 (7, p), arranged deals.
        order, starts: the opponents, players then specials, sorted by deal of the field, and
            where each deal begins: one deal fits in several relabellings, and these are not
            independent.
        play, declare, surrender: int64 (s,), units from each special opponent by our action.
        game: the rules.
    """

    players: "NDArray[np.int16]"
    order: "NDArray[np.int64]"
    starts: "NDArray[np.int64]"
    play: "NDArray[np.int64]"
    declare: "NDArray[np.int64]"
    surrender: "NDArray[np.int64]"
    game: Game

    def __len__(self) -> int:
        return len(self.order)

    def estimate(self, units: "NDArray[np.int64]") -> tuple[float, float]:
        """Return the mean of some units per opponent and its standard error, by clusters."""
        mean = float(units.mean())
        deals = len(self.starts)
        off = np.add.reduceat((units - mean)[self.order], self.starts)
        se = np.sqrt((off**2).sum() * deals / max(1, deals - 1)) / len(units)
        return mean, float(se)

    def value_play(self, hero: "NDArray[np.int16]") -> "NDArray[np.int64]":
        """Return what each opponent pays an arranged deal, int64 (p + s,)."""
        p = self.players.shape[1]
        units = np.empty(p, dtype=np.int32)
        fill_units(hero, self.players, p, self.game.pay, units)
        return np.concatenate([units, self.play])


def gather_judges(parts: Sequence[Opponents], place: int, tie: int) -> Judges:
    """Return the opponents of one or more fields as judges of a deal with a natural (or -1)."""
    clusters: list[NDArray[np.int64]] = []
    specials: list[NDArray[np.int64]] = []
    values = []
    first = 0
    for part in parts:
        clusters.append(part.deals + first)
        specials.append(part.special.astype(np.int64) + first)
        values.append(_value_specials(part, place, tie))
        first += len(part.field)
    cluster = np.concatenate([*clusters, *specials])
    order = np.argsort(cluster, kind="stable")
    ordered = cluster[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    players = np.concatenate([part.players for part in parts], axis=1)
    play, declare, surrender = np.concatenate(values, axis=1)
    return Judges(players, order, starts, play, declare, surrender, parts[0].field.game)


def _value_specials(part: Opponents, place: int, tie: int) -> "NDArray[np.int64]":
    """Return int64 (3, s): units from each special opponent if we play, declare, surrender."""
    field, deals = part.field, part.field.deals
    values = np.zeros((3, len(part.special)), dtype=np.int64)
    for i in range(len(part.special)):
        settle_specials(
            part.special[i : i + 1], 1, field.codes, deals.places, deals.ties, deals.units,
            field.game, place, tie, values[:, i],
        )  # fmt: skip
    return values


class _Pricing:
    """Prices the splits of one deal against its judges."""

    def __init__(self, splits: Splits, judges: Judges, opponents: int) -> None:
        self.splits = splits
        self.judges = judges
        self.opponents = opponents
        self.best = judges.value_play(splits.heroes[splits.order[0]])
        self.equal = np.bincount(splits.groups, minlength=len(splits.codes))
        self.has_royalties = bool(judges.game.pay.royalties)
        self.bare = np.zeros_like(judges.players)
        self.bare[:3] = judges.players[:3]

    def price(self, rank: int, arrangement: Arrangement | None = None) -> SplitFigures:
        """Return the figures of the split of a rank (0 is the best)."""
        splits, judges, n = self.splits, self.judges, self.opponents
        group = int(splits.order[rank])
        hero = splits.heroes[group]
        units = judges.value_play(hero)
        ev, se = judges.estimate(units)
        loss, loss_se = judges.estimate(self.best - units)
        p = judges.players.shape[1]
        counts = np.zeros(8, dtype=np.int64)
        count_rows(hero, judges.players, p, counts)
        share = [float(c) / len(judges) for c in counts]
        return SplitFigures(
            rank=rank + 1,
            arrangement=arrangement or read_split(splits.cards, int(splits.codes[group])),
            equal=int(self.equal[group]),
            ev=ev * n,
            se=se * n,
            loss=loss * n,
            loss_se=loss_se * n,
            win=(share[0], share[1], share[2]),
            tie=(share[3], share[4], share[5]),
            scoop=share[6],
            scooped=share[7],
            royalties=self._value_royalties(hero, units[:p]) * n,
        )

    def _value_royalties(
        self, hero: "NDArray[np.int16]", units: "NDArray[np.int64]"
    ) -> float:
        """Return the mean units that royalties, ours less theirs, change per opponent."""
        if not self.has_royalties:
            return 0.0
        plain = hero.copy()
        plain[3:] = 0
        without = np.empty(len(units), dtype=np.int32)
        fill_units(plain, self.bare, len(units), self.judges.game.pay, without)
        return float((units - without).sum()) / len(self.judges)

    def price_all(self) -> list[SplitFigures]:
        """Return every legal split; those equal in all rows share a rank and its figures."""
        shown = []
        for rank in range(len(self.splits.order)):
            figures = self.price(rank)
            for member in self.splits.list_members(int(self.splits.order[rank])):
                shown.append(replace(figures, arrangement=member))
        return shown

    def price_arrangement(self, arrangement: Arrangement, order: "Order") -> SplitFigures:
        """Return the figures of a given split; raises ArrangementError if it is a foul."""
        group = self.splits.find_group(arrangement)
        if group is None:
            raise ArrangementError(f"{arrangement}: foul: {explain_foul(arrangement, order)}")
        rank = int(np.flatnonzero(self.splits.order == group)[0])
        return self.price(rank, arrangement)


def _total_choices(
    play: int, players: int, specials: "NDArray[np.int64]", units: int | None, surrender: int
) -> dict[str, float]:
    """Return the units all opponents pay for each action open to the deal."""
    totals = {"play": float(play + specials[0].sum())}
    if units is not None:
        totals["declare"] = float(players * units + specials[1].sum())
    if surrender >= 0:
        totals["surrender"] = float(specials[2].sum() - players * surrender)
    return totals


def _price_choices(
    splits: Splits, chosen_by: Opponents, judges: Judges, units: int | None, natural: tuple[int, int]
) -> list[Choice]:
    """Return the actions open to the deal, the one that the choosing opponents prefer first."""
    surrender = judges.game.surrender
    best = int(splits.order[0])
    totals = _total_choices(
        int(splits.sums[best]), len(chosen_by.deals), _value_specials(chosen_by, *natural), units,
        surrender,
    )  # fmt: skip
    p = judges.players.shape[1]
    values = {"play": judges.value_play(splits.heroes[best])}
    if units is not None:
        values["declare"] = np.concatenate([np.full(p, units), judges.declare])
    if surrender >= 0:
        values["surrender"] = np.concatenate([np.full(p, -surrender), judges.surrender])
    ranked = sorted(totals, key=lambda action: -totals[action])
    return [Choice(action, *judges.estimate(values[action])) for action in ranked]


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
        self, ruleset: "Ruleset", choosing: Field, judging: Field, more: "SetDeals | None" = None
    ) -> None:
        self.ruleset = ruleset
        self.choosing = choosing
        self.judging = judging
        self.more = more

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
        known = mask_cards([*cards, *dead])
        deal = describe_deals(sort_deal(cards)[None], self.ruleset)
        place, tie = int(deal.places[0]), int(deal.ties[0])
        chosen_by = self.choosing.condition(known)
        splits = rank_splits(cards, chosen_by.players, self.choosing.game)
        parts = [self.judging.condition(known)]
        judges = gather_judges(parts, place, tie)
        best = int(splits.order[0])
        missing = self._count_missing(judges, splits.heroes[best], samples, target_se, opponents)
        if missing > 0 and self.more is not None:
            unseen = [card for card in range(52) if not known >> ((card & 3) * 13 + (card >> 2)) & 1]
            parts.append(self.more(deal_unseen(unseen, missing, seed)))
            judges = gather_judges(parts, place, tie)
        pricing = _Pricing(splits, judges, opponents)
        if top is None:
            shown = pricing.price_all()
        else:
            ranks = pick_diverse(splits, top) if diverse else range(min(top, len(splits.order)))
            shown = [pricing.price(rank) for rank in ranks]
        order = self.ruleset.order
        compared = [pricing.price_arrangement(arrangement, order) for arrangement in compare]
        units = int(deal.units[place]) if place >= 0 else None
        choices = _price_choices(splits, chosen_by, judges, units, (place, tie))
        return Analysis(
            cards=tuple(cards),
            dead=tuple(dead),
            opponents=opponents,
            samples=len(judges),
            splits=splits,
            naturals=tuple(find_naturals(tuple(cards), self.ruleset)),
            choices=tuple(
                Choice(c.action, c.ev * opponents, c.se * opponents) for c in choices
            ),
            arrangements=tuple(shown),
            compared=tuple(compared),
        )

    @staticmethod
    def _count_missing(
        judges: Judges,
        hero: "NDArray[np.int16]",
        samples: int | None,
        target_se: float | None,
        opponents: int,
    ) -> int:
        """Return how many more opponents the caller's wish needs."""
        wanted = samples or 0
        if target_se is not None:
            _, se = judges.estimate(judges.value_play(hero))
            wanted = max(wanted, int(len(judges) * (se * opponents / target_se) ** 2) + 1)
        return wanted - len(judges)
