"""Whole tables of opponents, for rules that no pair of players can settle alone.

The first two opponents come from the field: hands that share no card with the known ones nor
with each other. What a third holds is forced, and he answers the field on the spot. Where many
cards are dead, few of the field fit, and whole tables are dealt and set on the spot.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cp_cli._kernels.joint import list_seatings, seat_pairs
from cp_cli._kernels.settling import HandTerms, describe_hands
from cp_cli._kernels.table_rules import HAND
from cp_cli.field import Deals, Field, describe_deals, mask_cards, unmask_cards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

SEATS_TRIED = 65_536  # deals of the field that may sit down
MOST_SEATINGS = 1 << 16


class Sizes(NamedTuple):
    """How many tables there are.

    Attributes:
        tables: at which a third sets his cards, a tenth of a millisecond each.
        pairs: of two opponents.
        fewest: where fewer pairs come from the field, the rest are dealt.

    """

    tables: int
    pairs: int
    fewest: int

    def grow(self, wanted: int) -> "Sizes":
        """Return sizes of `wanted` or more."""
        return Sizes(*(max(size, min(wanted, MOST_TABLES)) for size in self))

    def scale(self, factor: float, found: int) -> "Sizes":
        """Return sizes so many times as large, where `found` tables are there so far."""
        least = max(self.fewest, found * factor)
        sizes = (self.tables * factor, self.pairs * factor, least)
        return Sizes(*(min(math.ceil(size), MOST_TABLES) for size in sizes))


JUDGING = Sizes(tables=2_048, pairs=16_384, fewest=2_048)
RANKING = Sizes(tables=1_024, pairs=8_192, fewest=1_024)
MOST_TABLES = 250_000  # more would take minutes to set
DECK_MASK = np.uint64((1 << 52) - 1)

SetDeals = Callable[[Deals], "NDArray[np.int32]"]
"""Sets deals as an opponent would: codes int32 (n,)."""


@dataclass(slots=True)
class Company:
    """Tables of opponents of one deal.

    Attributes:
        hands: int64 (d, others, HAND); a third is described when he is asked for.
        nodes: int64 (d, m), the field deals at each table; tables that share one depend on it.
        thirds: uint64 (d,), the cards of third opponents.
        ready: bool (d,), is the third described?
        host: sets and describes the third.

    """

    hands: "NDArray[np.int64]"
    nodes: "NDArray[np.int64]"
    thirds: "NDArray[np.uint64]"
    ready: "NDArray[np.bool_]"
    host: "Host"

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def others(self) -> int:
        """How many opponents there are."""
        return int(self.hands.shape[1])

    def join(self, more: "Company") -> None:
        """Let further tables follow."""
        self.hands = np.concatenate([self.hands, more.hands])
        self.nodes = np.concatenate([self.nodes, more.nodes])
        self.thirds = np.concatenate([self.thirds, more.thirds])
        self.ready = np.concatenate([self.ready, more.ready])

    def take(self, part: slice) -> "Company":
        """Return some of the tables."""
        return Company(
            self.hands[part], self.nodes[part], self.thirds[part], self.ready[part], self.host
        )

    def call_thirds(self, at: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """Return the hands of some tables, int64 (n, others, HAND), every opponent described."""
        missing = at[~self.ready[at]]
        if len(missing):
            cards = unmask_cards(self.thirds[missing])
            self.hands[missing, 2] = self.host.set_hands(cards)
            self.ready[missing] = True
        return self.hands[at]


@dataclass(frozen=True, slots=True)
class Host:
    """Seats opponents; `set_spot` sets the deals of those who are not of the field."""

    ruleset: "Ruleset"
    terms: HandTerms
    set_spot: SetDeals

    def seat(
        self, field: Field, known: Sequence[int], others: int, seed: int, sizes: Sizes
    ) -> Company:
        """Seat opponents who hold none of the known cards."""
        rng = np.random.default_rng(seed)
        mask = np.uint64(mask_cards(known))
        chosen = np.sort(rng.permutation(len(field))[:SEATS_TRIED])
        seated, ids = _list_seatings(field, chosen, mask)
        if others == 1:
            tables = np.arange(len(seated), dtype=np.int32)[:, None]
        else:
            tables = _pair_seatings(seated, rng, sizes.pairs)
        hands = np.zeros((len(tables), others, HAND), dtype=np.int64)
        sitting, where = np.unique(ids[tables], return_inverse=True)
        described = self.describe(
            unmask_cards(field.deals.masks[chosen[sitting]]), field.codes[chosen[sitting]]
        )
        hands[:, :2] = described[where.reshape(tables.shape)]
        thirds = ~(mask | np.bitwise_or.reduce(seated[tables], axis=1)) & DECK_MASK
        ready = np.full(len(tables), others < 3)
        company = Company(hands, chosen[ids[tables]], thirds, ready, self)
        missing = sizes.fewest - len(company)
        if missing > 0:
            company.join(self._deal(known, others, missing, rng))
        return company

    def _deal(
        self, known: Sequence[int], others: int, count: int, rng: np.random.Generator
    ) -> Company:
        """Seat opponents at tables that are dealt and set on the spot."""
        unseen = [card for card in range(52) if card not in set(known)]
        if len(unseen) == 13:
            count = 1
        order = np.argsort(rng.random((count, len(unseen))), axis=1)[:, : 13 * others]
        cards = np.array(unseen, dtype=np.uint8)[order].reshape(-1, 13)
        cards = np.ascontiguousarray(np.sort(cards, axis=1)[:, ::-1])
        hands = self.set_hands(cards).reshape(count, others, HAND)
        nodes = -1 - np.arange(count * min(others, 2)).reshape(count, -1)
        thirds = np.zeros(count, dtype=np.uint64)
        return Company(hands, nodes, thirds, np.full(count, True), self)

    def describe(
        self, cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]"
    ) -> "NDArray[np.int64]":
        """Return deals uint8 (n, 13), highest card first, set by `codes`: int64 (n, HAND)."""
        hands = np.empty((len(codes), HAND), dtype=np.int64)
        describe_hands(cards, codes, self.terms, hands)
        return hands

    def set_hands(self, cards: "NDArray[np.uint8]") -> "NDArray[np.int64]":
        """Return deals uint8 (n, 13), highest card first, set on the spot: int64 (n, HAND)."""
        return self.describe(cards, self.set_spot(describe_deals(cards, self.ruleset)))


def _list_seatings(
    field: Field, chosen: "NDArray[np.int64]", known: np.uint64
) -> "tuple[NDArray[np.uint64], NDArray[np.int32]]":
    """Return the masks of all that can sit down, and which of the chosen deals each is."""
    tinted = np.isin(chosen, field.tinted)
    seated = np.empty(MOST_SEATINGS, dtype=np.uint64)
    ids = np.empty(MOST_SEATINGS, dtype=np.int32)
    n = list_seatings(field.deals.masks[chosen], tinted, known, seated, ids)
    return seated[:n], ids[:n]


def _pair_seatings(
    seated: "NDArray[np.uint64]", rng: np.random.Generator, count: int
) -> "NDArray[np.int32]":
    """Return `count` pairs of seatings that fit, int32 (d, 2), of as different firsts as can be."""
    firsts = rng.permutation(len(seated)).astype(np.int64)
    most = -(-count // max(1, len(firsts)))
    pairs = np.empty((len(firsts) * most, 2), dtype=np.int32)
    pairs = pairs[: seat_pairs(seated, len(seated), firsts, most, pairs)]
    starts = np.flatnonzero(np.append(True, pairs[1:, 0] != pairs[:-1, 0]))
    turns = np.arange(len(pairs)) - np.repeat(starts, np.diff(np.append(starts, len(pairs))))
    return pairs[np.argsort(turns, kind="stable")][:count]
