"""What somebody holds: sets of cards of some kinds, counted, and how many of them to expect.

The kinds are cards of one rank, pairs and triples of one rank, four of a kind, two to six cards
of one suit and five in sequence. Who holds 13 of the cards that we do not see holds any given
set of k of these with chance 13 (13-1) ... (13-k+1) / u (u-1) ... (u-k+1), u of them unseen, so
the expected number of sets of a kind is their number among the unseen cards times that.
"""

import numpy as np

from cp_cli._kernels.jit import kernel

KINDS = 45
"""Twelve ranks (the aces follow from the others), 13 pairs, 13 triples, fours, suits, runs."""
_SUITS, _RUNS = 39, 44


def _find_sizes() -> np.ndarray:
    """Return how many cards the sets of each kind have: int64 (45,)."""
    sizes = np.repeat(np.array([1, 2, 3, 4]), (12, 13, 13, 1))
    return np.concatenate([sizes, np.arange(2, 7), [5]])


def find_chances(unseen: int) -> np.ndarray:
    """Return the chance that 13 of `unseen` cards hold a given set, by kind: float64 (45,)."""
    chances = np.ones(KINDS)
    for kind, size in enumerate(_find_sizes()):
        for i in range(size):
            chances[kind] *= (13 - i) / (unseen - i)
    return chances


_CHANCES = find_chances(39)


@kernel()
def count_kinds(ranks, suits, out):
    """Count sets of each kind in `out` (45,) among cards of these `ranks` (13,), `suits` (4,)."""
    fours = 0.0
    for r in range(13):
        n = ranks[r]
        pairs = 0.5 * n * (n - 1)
        triples = pairs * (n - 2) / 3
        if r < 12:
            out[r] = n
        out[12 + r] = pairs
        out[25 + r] = triples
        fours += triples * (n - 3) / 4
    out[_SUITS - 1] = fours
    for size in range(5):
        out[_SUITS + size] = 0.0
    for suit in range(4):
        n = suits[suit]
        sets = 0.5 * n * (n - 1)
        for size in range(5):
            out[_SUITS + size] += sets
            sets *= (n - 2 - size) / (3 + size)
    runs = ranks[12] * ranks[0] * ranks[1] * ranks[2] * ranks[3]
    for r in range(9):
        runs += ranks[r] * ranks[r + 1] * ranks[r + 2] * ranks[r + 3] * ranks[r + 4]
    out[_RUNS] = runs


@kernel()
def count_holdings(cards, out):
    """Count the sets of each kind in deals `cards` (n, 13): `out` (n, 45)."""
    ranks = np.empty(13, np.float64)
    suits = np.empty(4, np.float64)
    for i in range(cards.shape[0]):
        ranks[:] = 0
        suits[:] = 0
        for card in cards[i]:
            ranks[card >> 2] += 1
            suits[card & 3] += 1
        count_kinds(ranks, suits, out[i])


@kernel()
def expect_holdings(cards, out):
    """Fill `out` (n, 45) with the sets of each kind to expect from who has none of `cards` (n, 13).

    So many somebody holds on average whose thirteen cards are drawn from the other 39.
    """
    ranks = np.empty(13, np.float64)
    suits = np.empty(4, np.float64)
    for i in range(cards.shape[0]):
        ranks[:] = 4
        suits[:] = 13
        for card in cards[i]:
            ranks[card >> 2] -= 1
            suits[card & 3] -= 1
        count_kinds(ranks, suits, out[i])
        for kind in range(KINDS):
            out[i, kind] *= _CHANCES[kind]
