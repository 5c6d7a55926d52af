"""Two strategies against each other, heads-up, on the same deals in both seats.

In a duplicate deal each player has both hands once, so luck with the cards cancels and a deal
that both set alike is worth nothing. A player who knows only the deals of a CSV is paired with
himself: two of his deals that share no card make a duplicate deal. A deal without such a partner
meets the three hands that random numbers make of the other cards, set by the opponent, and the
opponent plays it against them as well; what he wins from himself is nothing on average, so the
difference is an estimate of the same thing with much less luck in it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cp_cli._kernels.players import deal_tables, pair_disjoint
from cp_cli._kernels.settling import find_sole_winners, score_races, settle_pots_of_deals
from cp_cli.errors import StrategyError
from cp_cli.field import unmask_cards
from cp_cli.settlement.arrays import TableSettler
from cp_cli.settlement.game import BANK, PLAYER, Role
from cp_cli.strategy.named import UNSEEN_SEED
from cp_cli.strategy.sources import Player
from cp_cli.strategy.spread import CONFIDENCE
from cp_cli.strategy.tallies import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

    Cards = NDArray[np.uint8]
    Hands = NDArray[np.int64]

DEALS = 20_000
MOST_DEALS = 2_000_000
BATCH = 2_048  # deals between two looks at the standard error
FRESH = 3  # hands that the cards outside a deal make


class Roles(NamedTuple):
    """What the hands of the first and the second seat are."""

    first: Role
    second: Role


@dataclass(frozen=True, slots=True)
class Match:
    """A match of two players under one ruleset. Units are those of the first player a deal.

    `left_out` counts deals of a CSV that could not be played.
    """

    a: str
    b: str
    ruleset: "Ruleset"
    seed: int
    tally: Tally
    left_out: int
    ev: float
    se: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the units a deal."""
        return self.ev - CONFIDENCE * self.se, self.ev + CONFIDENCE * self.se


class _Table:
    """Where two players of a ruleset meet; the bank, if there is one, sits first."""

    def __init__(self, ruleset: "Ruleset", a: Player, b: Player) -> None:
        banked = ruleset.mode == "bank"
        self.ruleset = ruleset
        self.players = (a, b)
        self.settler = TableSettler(ruleset, 2, banker=0 if banked else -1)
        self.roles = Roles(BANK if banked else PLAYER, PLAYER)
        self.ties = int(banked and ruleset.bank.wins_ties)
        # Criss-cross: each of two hands meets each of the other player's two.
        self.times = 4 if ruleset.mode == "criss_cross" else 1

    def describe(self, who: int, role: Role, cards: "Cards") -> "Hands":
        """Return deals (n, 13) as a player sets them: hands (n, HAND)."""
        codes = self.players[who].setters[role](cards)
        one = TableSettler(self.ruleset, 1)
        return one.describe(cards[:, None], codes[:, None])[:, 0]

    def settle(self, first: "Hands", second: "Hands") -> "NDArray[np.float64]":
        """Return what the second of two hands (n, HAND) pays the first; a race is in points."""
        hands = np.stack([first, second], axis=1)
        mode = self.ruleset.mode
        if mode == "row_pots":
            units = np.empty((len(hands), 2))
            settle_pots_of_deals(hands, self.ruleset.ante, units)
            return units[:, 0]
        if mode == "sole_winner":
            winners = np.empty(len(hands), dtype=np.int64)
            find_sole_winners(hands, winners)
            return self.ruleset.ante * np.array([1.0, -1.0, 0.0])[winners]
        if mode == "race":
            points = np.empty((len(hands), 2), dtype=np.int64)
            score_races(hands, self.ruleset.race.fourth_point, points)
            return (points[:, 0] - points[:, 1]).astype(np.float64)
        return self.settler.settle(hands)[:, 0, 1].astype(np.float64) * self.times

    def play_duplicate(self, first: "Cards", second: "Cards", tally: Tally) -> None:
        """Play deals (n, 13) in both seats: each is one cluster."""
        role, other = self.roles
        a = self.describe(0, role, first), self.describe(0, other, second)
        b = self.describe(1, role, first), self.describe(1, other, second)
        units = self.settle(a[0], b[1]) - self.settle(b[0], a[1])
        tally.totals.append(units)
        tally.sizes.append(np.full(len(units), 2.0))
        tally.count_games(a[0], b[1], self.ties)
        tally.count_games(a[1], b[0], -self.ties)
        for mine, theirs in zip(a, b, strict=True):
            tally.hands += len(mine)
            tally.alike += int(np.count_nonzero((mine == theirs).all(axis=1)))

    def play_fresh(self, known: "Cards", fresh: "Cards", tally: Tally) -> None:
        """Play deals (n, 13) that the first player knows against `fresh` (n, FRESH, 13)."""
        total = np.zeros(len(known))
        opponents = fresh.reshape(-1, 13)
        seats = [(self.roles, 1), (Roles(self.roles.second, self.roles.first), -1)]
        if self.roles.first == self.roles.second:
            del seats[1]
        for (role, other), sign in seats:
            a, b = (self.describe(who, role, known) for who in (0, 1))
            theirs = self.describe(1, other, opponents)
            games = np.repeat(a, FRESH, axis=0), np.repeat(b, FRESH, axis=0)
            won = [
                self.settle(hands, theirs) if sign > 0 else -self.settle(theirs, hands)
                for hands in games
            ]
            total += (won[0] - won[1]).reshape(-1, FRESH).mean(axis=1)
            tally.count_games(games[0], theirs, sign * self.ties)
            tally.hands += len(a)
            tally.alike += int(np.count_nonzero((a == b).all(axis=1)))
        tally.totals.append(total)
        tally.sizes.append(np.full(len(total), float(len(seats))))


# --- the deals of a match ------------------------------------------------------------------------


class _Plan(NamedTuple):
    """Which deals are played: so many dealt ones, or those of a CSV, in pairs and alone."""

    dealt: int
    pairs: "NDArray[np.uint64]"  # masks (n, 2)
    alone: "NDArray[np.uint64]"  # masks (n,)
    left_out: int

    def list_batches(self) -> Iterator[tuple[str, int, int]]:
        """Yield the kind, the first and the end of each batch."""
        counts = {"dealt": self.dealt, "pairs": len(self.pairs), "alone": len(self.alone)}
        for kind, count in counts.items():
            for first in range(0, count, BATCH):
                yield kind, first, min(first + BATCH, count)


def _plan_deals(a: Player, b: Player, deals: int) -> _Plan:
    """Return the deals of a match; the second player can set any deal if the first cannot."""
    none = np.empty(0, dtype=np.uint64)
    if a.splits is None:
        return _Plan(deals, none.reshape(0, 2), none, 0)
    held = list(a.splits.codes)
    known = held if b.splits is None else [mask for mask in held if mask in b.splits.codes]
    masks = np.array(known, dtype=np.uint64)
    partners = np.empty(len(masks), dtype=np.int64)
    pair_disjoint(masks, partners)
    firsts = np.flatnonzero(partners > np.arange(len(masks)))
    pairs = np.stack([masks[firsts], masks[partners[firsts]]], axis=1)[:deals]
    alone = masks[partners < 0][: deals - len(pairs)] if b.splits is None else none
    if not len(pairs) and not len(alone):
        raise StrategyError(
            f"{a.name}, {b.name}: no two deals in both files share no card; expected deals that "
            f"can meet, as from one pack"
        )
    return _Plan(0, pairs, alone, len(held) - 2 * len(pairs) - len(alone))


def _deal(seed: int, first: int, taken: "NDArray[np.uint64]", hands: int) -> "Cards":
    """Return hands of tables number `first`, ... that hold none of the taken cards."""
    cards = np.empty((len(taken), hands, 13), dtype=np.uint8)
    deal_tables(UNSEEN_SEED + seed, first, taken, cards)
    return cards


def _play_batch(
    table: _Table, plan: _Plan, batch: tuple[str, int, int], seed: int, tally: Tally
) -> None:
    kind, first, end = batch
    if kind == "dealt":
        cards = _deal(seed, first, np.zeros(end - first, dtype=np.uint64), 2)
        table.play_duplicate(_take(cards, 0), _take(cards, 1), tally)
        tally.duplicates += end - first
    elif kind == "pairs":
        pairs = plan.pairs[first:end]
        table.play_duplicate(unmask_cards(pairs[:, 0]), unmask_cards(pairs[:, 1]), tally)
        tally.pairs += end - first
    else:
        known = unmask_cards(plan.alone[first:end])
        taken = np.bitwise_or.reduce(np.uint64(1) << known.astype(np.uint64), axis=1)
        table.play_fresh(known, _deal(seed, first, taken, FRESH), tally)
        tally.against_fresh += end - first


def _take(cards: "Cards", seat: int) -> "Cards":
    return np.ascontiguousarray(cards[:, seat])


def play_batches(
    ruleset: "Ruleset",
    a: Player,
    b: Player,
    *,
    deals: int = DEALS,
    target_se: float | None = None,
    seed: int = 0,
) -> Iterator[Match]:
    """Play a match and yield how it stands after each part of it.

    It ends after so many deals (pairs of deals count once), or once the standard error of the
    units a deal is at most `target_se`. Raises StrategyError if the players cannot meet.
    """
    swapped = a.splits is None and b.splits is not None
    first, second = (b, a) if swapped else (a, b)
    table = _Table(ruleset, first, second)
    plan = _plan_deals(first, second, deals)
    tally = Tally()
    for batch in plan.list_batches():
        _play_batch(table, plan, batch, seed, tally)
        shown = tally.swap() if swapped else tally.copy()
        ev, se = shown.estimate()
        yield Match(a.name, b.name, ruleset, seed, shown, plan.left_out, ev, se)
        if target_se is not None and se <= target_se:
            return


def play_match(
    ruleset: "Ruleset",
    a: Player,
    b: Player,
    *,
    deals: int = DEALS,
    target_se: float | None = None,
    seed: int = 0,
) -> Match:
    """Play a match to its end; see `play_batches`.

    >>> from cp_cli.ruleset import load_ruleset
    >>> from cp_cli.strategy.sources import open_player
    >>> rules = load_ruleset("two-four")
    >>> a, b = (open_player(rules, name) for name in ("rank-product", "random-legal"))
    >>> match = play_match(rules, a, b, deals=100)
    >>> match.tally.games, match.ev > 2
    (200, True)
    """
    *_, match = play_batches(ruleset, a, b, deals=deals, target_se=target_se, seed=seed)
    return match
