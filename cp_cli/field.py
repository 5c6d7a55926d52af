"""Opponents: a sample of deals, each set by a strategy, conditioned on the known cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.deals import deal_cards, list_cards
from cp_cli._kernels.natural_rules import ONE_COLOUR, TWELVE_ONE_COLOUR, NaturalSpec
from cp_cli._kernels.naturals import find_naturals_of_deals
from cp_cli._kernels.opponents import (
    DECLARE,
    FOUL,
    SURRENDER,
    Game,
    arrange_deals,
    fit_field,
)
from cp_cli._kernels.payoff import COLUMN, HELD, WON_FRONT
from cp_cli.errors import StrategyError
from cp_cli.evaluator import natural_spec, row_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset


@dataclass(frozen=True)
class Deals:
    """A sample of deals and their naturals under one ruleset.

    masks uint64 (n,), the cards; places int16 (n,), the index of the best natural in the
    ruleset's order or -1; ties int64 (n,), which of two equal naturals is higher; spec, the
    naturals of the ruleset.
    """

    masks: "NDArray[np.uint64]"
    places: "NDArray[np.int16]"
    ties: "NDArray[np.int64]"
    spec: NaturalSpec

    def __len__(self) -> int:
        return len(self.masks)

    @cached_property
    def cards(self) -> "NDArray[np.uint8]":
        """The cards of every deal, uint8 (n, 13), highest first."""
        return unmask_cards(self.masks)

    def take(self, part: slice) -> "Deals":
        """Return some of the deals."""
        return Deals(self.masks[part], self.places[part], self.ties[part], self.spec)


def unmask_cards(masks: "NDArray[np.uint64]") -> "NDArray[np.uint8]":
    """Return the cards of masks of 13 cards: uint8 (n, 13), highest first."""
    cards = np.empty((len(masks), 13), dtype=np.uint8)
    list_cards(masks, cards)
    return cards


def deal_random(seed: int, first: int, count: int) -> "NDArray[np.uint8]":
    """Return deals number `first`, `first + 1`, ... of a seed: uint8 (count, 13).

    >>> deal_random(0, 5, 2).tolist() == deal_random(0, 4, 3)[1:].tolist()
    True
    """
    cards = np.empty((count, 13), dtype=np.uint8)
    deal_cards(seed, first, cards)
    return cards


def deal_unseen(unseen: Sequence[int], count: int, seed: int) -> "NDArray[np.uint8]":
    """Return random deals from the unseen cards: uint8 (count, 13), highest card first."""
    if len(unseen) < 13:
        raise StrategyError(f"{len(unseen)} unseen cards; an opponent needs 13")
    rng = np.random.default_rng(seed)
    order = np.argsort(rng.random((count, len(unseen))), axis=1)[:, :13]
    cards = np.array(sorted(unseen), dtype=np.uint8)[order]
    return np.ascontiguousarray(np.sort(cards, axis=1)[:, ::-1])


def fit_all(field: "Field") -> "Opponents":
    """Return every deal of a field as an opponent; for deals dealt from the unseen cards."""
    plays = (field.codes < DECLARE) | (field.codes == FOUL)
    ids = np.arange(len(field), dtype=np.int32)
    players = np.ascontiguousarray(field.arranged[:, plays])
    ones = np.ones(np.count_nonzero(~plays), dtype=np.uint8)
    return Opponents(players, ids[plays], ids[~plays], ones, field)


def describe_deals(cards: "NDArray[np.uint8]", ruleset: "Ruleset") -> Deals:
    """Return deals with their masks and naturals."""
    n = len(cards)
    bits = np.uint64(1) << ((cards & 3) * np.uint64(13) + (cards >> 2))
    masks = np.bitwise_or.reduce(bits, axis=1)
    places = np.full(n, -1, dtype=np.int16)
    ties = np.zeros(n, dtype=np.int64)
    spec = natural_spec(ruleset)
    if len(spec.kinds):
        tables = row_tables(ruleset.order.wheel)
        find_naturals_of_deals(cards, spec, tables.five, tables.three, places, ties)
    return Deals(masks, places, ties, spec)


def mask_cards(cards: Sequence[int]) -> int:
    """Return the 52-bit mask of some cards: bit `suit * 13 + rank`."""
    mask = 0
    for card in cards:
        mask |= 1 << ((card & 3) * 13 + (card >> 2))
    return mask


@dataclass(frozen=True, slots=True)
class Opponents:
    """The deals of a field that fit the known cards, each once, with weights.

    Attributes:
        players: int16 (8, n), arranged deals (see `_kernels.payoff`) of those who play.
        deals: int32 (n,), which deal of the field each is.
        special: int32 (s,), deals of the field that declared a natural or surrendered.
        special_weights: uint8 (s,).
        field: the field they come from.

    """

    players: "NDArray[np.int16]"
    deals: "NDArray[np.int32]"
    special: "NDArray[np.int32]"
    special_weights: "NDArray[np.uint8]"
    field: "Field"

    def __len__(self) -> int:
        return len(self.deals) + len(self.special)


@dataclass(frozen=True, slots=True)
class Field:
    """Deals set by one strategy under one ruleset.

    `tinted` int32: which of the deals hold a natural of colours. `codes` int32 (n,): a split
    code (see `_kernels.splits`), DECLARE, SURRENDER or FOUL; `arranged` int16 (8, n): what the
    ruleset makes of them.
    """

    deals: Deals
    tinted: "NDArray[np.int32]"
    codes: "NDArray[np.int32]"
    arranged: "NDArray[np.int16]"
    game: Game

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, part: slice) -> "Field":
        """Return the field of some of the deals."""
        deals = self.deals.take(part)
        arranged = np.ascontiguousarray(self.arranged[:, part])
        return Field(deals, find_tinted(deals), self.codes[part], arranged, self.game)

    def condition(self, known: int) -> Opponents:
        """Return the opponents that share no card with the mask `known`.

        Every relabelling of the suits counts: a deal weighs as many of the 24 as fit. With 13
        cards known about 18% of the deals fit, 1.7 times each. The result is an unbiased sample
        of what a player may hold.
        """
        n = len(self)
        fits, weights = (np.empty(n, dtype=np.uint8) for _ in range(2))
        ids, special = (np.empty(n + 1, dtype=np.int32) for _ in range(2))
        players = np.empty((COLUMN, n), dtype=np.int16)
        p, _, s, _ = fit_field(
            self.deals.masks, self.tinted, np.uint64(known), self.arranged, self.codes,
            self.game.pay.royalties, fits, players, ids, special, weights,
        )  # fmt: skip
        players = players[:, :p].copy()
        if not self.game.pay.royalties:
            players[WON_FRONT : HELD + 1] = 0
        return Opponents(players, ids[:p].copy(), special[:s].copy(), weights[:s].copy(), self)


def build_field(deals: Deals, codes: "NDArray[np.int32]", game: Game) -> Field:
    """Return the field of `deals` set by `codes`."""
    codes = np.ascontiguousarray(codes)
    arranged = np.empty((COLUMN, len(codes)), dtype=np.int16)
    arrange_deals(deals.cards, codes, game, arranged)
    return Field(deals, find_tinted(deals), codes, arranged, game)


def find_tinted(deals: Deals) -> "NDArray[np.int32]":
    """Return which deals hold a natural of colours, which not every relabelling keeps."""
    colours = np.isin(deals.spec.kinds, (ONE_COLOUR, TWELVE_ONE_COLOUR))
    if not colours.any():
        return np.zeros(0, dtype=np.int32)
    return np.flatnonzero(np.append(colours, False)[deals.places]).astype(np.int32)


__all__ = [
    "DECLARE",
    "FOUL",
    "SURRENDER",
    "Deals",
    "Field",
    "Opponents",
    "build_field",
    "deal_random",
    "deal_unseen",
    "describe_deals",
    "find_tinted",
    "fit_all",
    "mask_cards",
    "unmask_cards",
]
