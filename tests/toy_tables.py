"""A toy game in which rows cost nothing to set, so that thousands of fields are quickly at hand.

The strengths of the rows follow from the ranks and from how long suits are, so that relabelled
suits change nothing; everybody plays, and nobody fouls.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cp_cli._kernels.payoff import COLUMN, WEIGHT
from cp_cli._kernels.table_rules import HAND, PLACE
from cp_cli.equity.company import Host
from cp_cli.equity.referee import Referee
from cp_cli.field import Field, describe_deals, find_tinted
from cp_cli.ruleset import Ruleset
from cp_cli.settlement.arrays import build_hand_terms
from cp_cli.settlement.game import build_game

Cards = NDArray[np.uint8]


def set_toy_rows(cards: Cards) -> NDArray[np.int64]:
    """Return the strengths of the rows of deals (n, 13), int64 (n, 3)."""
    ranks, suits = cards.astype(np.int64) >> 2, cards & 3
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    lengths = (suits[:, :, None] == np.arange(4)).sum(axis=1)
    total = ranks.sum(axis=1)
    middle = 8 * np.square(counts).sum(axis=1) + total % 8
    back = 30 * lengths.max(axis=1) + total // 5
    return np.stack([total, middle, back], axis=1) + 1


@dataclass(frozen=True, slots=True)
class ToyHost(Host):
    """Seats opponents who play the toy game."""

    def describe(self, cards: Cards, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the hands of deals (n, 13); codes mean nothing."""
        hands = np.zeros((len(cards), HAND), dtype=np.int64)
        hands[:, :3] = set_toy_rows(cards)
        hands[:, PLACE] = -1
        return hands


def build_toy_field(cards: Cards, ruleset: Ruleset, others: int) -> Field:
    """Return deals (n, 13), highest card first, as a field of the toy game."""
    arranged = np.zeros((COLUMN, len(cards)), dtype=np.int16)
    arranged[:3] = set_toy_rows(cards).T
    arranged[WEIGHT] = 1
    deals = describe_deals(cards, ruleset)
    codes = np.zeros(len(cards), dtype=np.int32)
    return Field(deals, find_tinted(deals), codes, arranged, build_game(ruleset, others))


def open_toy_referee(ruleset: Ruleset, others: int) -> Referee:
    """Return who settles tables of the toy game."""

    def set_spot(deals: object) -> NDArray[np.int32]:
        return np.zeros(1, dtype=np.int32)

    host = ToyHost(ruleset, build_hand_terms(ruleset), set_spot)
    return Referee(ruleset, build_game(ruleset, others), host)


def deal_toy_tables(known: list[int], others: int, count: int, seed: int) -> NDArray[np.int64]:
    """Return hands (count, others, HAND) dealt at random from the cards that nobody knows."""
    rng = np.random.default_rng(seed)
    unseen = np.array([card for card in range(52) if card not in known], dtype=np.uint8)
    order = np.argsort(rng.random((count, len(unseen)), dtype=np.float32), axis=1)
    cards = unseen[order[:, : 13 * others]].reshape(-1, 13)
    hands = np.zeros((count * others, HAND), dtype=np.int64)
    hands[:, :3] = set_toy_rows(cards)
    hands[:, PLACE] = -1
    return hands.reshape(count, others, HAND)
