"""Opponents: what a ruleset makes of an arranged deal, and card removal.

Suit relabelling changes no strength, so a field of deals stands for 24 times as many. Instead of
relabelling the field, the known cards are relabelled: a field deal is a possible opponent once
for each of the 24 masks of the known cards that shares no card with it.
"""

from typing import NamedTuple

import numpy as np

from cp_cli._kernels.deals import relabel_suits
from cp_cli._kernels.jit import kernel
from cp_cli._kernels.payoff import Pay
from cp_cli._kernels.rows import FIVES_OF_13, THREES_OF_13, rank_row3, rank_row5
from cp_cli._kernels.splits import SPLITS, split_rows

DECLARE = SPLITS
SURRENDER = SPLITS + 1


class Game(NamedTuple):
    """A ruleset as the kernels read it.

    Attributes:
        five, three, middle: int16 tables of `rows.RowTables`; `middle` ranks middles.
        low: is the middle deuce-to-seven low?
        strict: are equal rows a foul?
        floor: weakest legal middle (low only).
        pruned: may splits that another beats in every row be left out?
        won, held: int16 (3, 7918) royalties by row and strength, to the winner or to the holder.
        pay: the amounts.
        surrender: units paid to each opponent still in the deal, -1 where it is not played.
        difference: of two naturals, is the difference paid?
    """

    five: np.ndarray
    three: np.ndarray
    middle: np.ndarray
    low: int
    strict: int
    floor: int
    pruned: int
    won: np.ndarray
    held: np.ndarray
    pay: Pay
    surrender: int
    difference: int


@kernel()
def write_arranged(column, front, middle, middle_five, back, game, out):
    """Write one arranged deal (see payoff) into `out` (7, n) at `column`."""
    out[0, column] = front
    out[1, column] = middle
    out[2, column] = back
    for row, strength in enumerate((front, middle_five, back)):
        out[3 + row, column] = game.won[row, strength]
    held = game.held[0, front] + game.held[1, middle_five] + game.held[2, back]
    if game.pay.most_royalties < 3:
        held = _limit_royalties(column, front, middle_five, back, game, out)
    out[6, column] = held


@kernel()
def _limit_royalties(column, front, middle_five, back, game, out):
    """Drop the lowest royalties of a deal that may be paid for one or two; return what is held."""
    values = np.empty(3, np.int64)
    held = np.empty(3, np.int64)
    for row, strength in enumerate((front, middle_five, back)):
        held[row] = game.held[row, strength]
        values[row] = game.won[row, strength] + held[row]
    for _ in range(3 - game.pay.most_royalties):
        lowest = -1
        for row in range(2, -1, -1):
            if values[row] > 0 and (lowest < 0 or values[row] < values[lowest]):
                lowest = row
        if np.count_nonzero(values) > game.pay.most_royalties:
            values[lowest] = held[lowest] = 0
            out[3 + lowest, column] = 0
    return held.sum()


@kernel()
def arrange_deals(cards, codes, game, out):
    """Write the arranged deals of `cards` (n, 13) set by `codes` (n,) into `out` (7, n).

    Deals that declare or surrender get zeros.
    """
    split = np.empty(3, np.int64)
    row = np.empty(5, np.uint8)
    for i in range(cards.shape[0]):
        if codes[i] >= SPLITS:
            out[:, i] = 0
            continue
        split_rows(codes[i], split)
        for k in range(3):
            row[k] = cards[i, THREES_OF_13[split[0], k]]
        front = rank_row3(row, game.three)
        for k in range(5):
            row[k] = cards[i, FIVES_OF_13[split[1], k]]
        middle = rank_row5(row, game.middle)
        middle_five = rank_row5(row, game.five) if game.low else middle
        for k in range(5):
            row[k] = cards[i, FIVES_OF_13[split[2], k]]
        write_arranged(i, front, middle, middle_five, rank_row5(row, game.five), game, out)


@kernel()
def find_disjoint(masks, known, hits, ids):
    """Write the field deals disjoint from `known`, once for each relabelling; return how many.

    `masks` (n,) with n a multiple of 8, `hits` a scratch of n bytes, `ids` with room for 24 n.
    The masks are compared eight and more at a time; then eight results are read as one word.
    """
    relabelled = np.empty(24, np.uint64)
    relabel_suits(known, relabelled)
    words = hits.view(np.uint64)
    count = 0
    for k in range(24):
        taken = relabelled[k]
        for j in range(masks.shape[0]):
            hits[j] = (masks[j] & taken) == 0
        for w in range(words.shape[0]):
            if words[w] != 0:
                for j in range(8 * w, 8 * w + 8):
                    ids[count] = j
                    count += hits[j]
    return count


@kernel()
def gather_players(ids, count, arranged, codes, royalties, out, special):
    """Copy the deals that play into the columns of `out` (7, cap); list the others in `special`.

    Returns (players, specials). `ids` is compacted in place to the players.
    """
    n = 0
    s = 0
    rows = 7 if royalties else 3
    for i in range(count):
        j = ids[i]
        if codes[j] < SPLITS:
            ids[n] = j
            n += 1
        else:
            special[s] = j
            s += 1
    for r in range(rows):
        source = arranged[r]
        target = out[r]
        for i in range(n):
            target[i] = source[ids[i]]
    return n, s
