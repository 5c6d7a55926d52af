"""Opponents: what a ruleset makes of an arranged deal, and card removal.

Suit relabelling changes no strength, so a field of deals stands for 24 times as many. Instead of
relabelling the field, the known cards are relabelled: a field deal is a possible opponent once
for each of the 24 masks of the known cards that shares no card with it. That number is its
weight.
"""

from typing import NamedTuple

import numpy as np

from cp_cli._kernels.deals import relabel_suits
from cp_cli._kernels.jit import kernel
from cp_cli._kernels.payoff import WEIGHT, Pay
from cp_cli._kernels.rows import FIVES_OF_13, THREES_OF_13, rank_row3, rank_row5
from cp_cli._kernels.splits import SPLITS, split_rows
from cp_cli._kernels.whole import Whole

DECLARE = SPLITS
SURRENDER = SPLITS + 1
FOUL = SPLITS + 2
"""The code of a deal that has no legal split. Strategy files hold these numbers."""

ALL_BEATEN = 2
"""Splits that another equals or beats in every row are never better."""
BEATEN_ALIKE = 1
"""So they are, if the other is paid the same royalties in every row."""


class Game(NamedTuple):
    """A ruleset as the kernels read it.

    Attributes:
        five, three, middle: int16 tables of `rows.RowTables`; `middle` ranks middles.
        low: is the middle deuce-to-seven low?
        strict: are equal rows a foul?
        floor: weakest legal middle (low only).
        pruning: what may be left out: ALL_BEATEN, BEATEN_ALIKE or nothing (0).
        classes: int16 (3, 7918), which rows of a kind are paid the same royalties.
        profiles: number of combinations of three such classes.
        won, held: int16 (3, 7918) royalties by row and strength, to the winner or to the holder.
        surcharge: int16 (7918,), the part of `won` for a middle that is no royalty.
        pay: the amounts.
        surrender: units paid to each opponent still in the deal, -1 where it is not played.
        whole: what is paid by the whole table.
        scale, lift: strengths are kept times `scale` plus `lift`; where the bank wins equal rows
            they are doubled, and its own lifted by one.

    """

    five: np.ndarray
    three: np.ndarray
    middle: np.ndarray
    low: int
    strict: int
    floor: int
    pruning: int
    classes: np.ndarray
    profiles: tuple[int, int, int]
    won: np.ndarray
    held: np.ndarray
    surcharge: np.ndarray
    pay: Pay
    surrender: int
    whole: Whole
    scale: int
    lift: int


@kernel()
def write_arranged(column, front, middle, middle_five, back, game, out):
    """Write one arranged deal (see payoff) into `out` (8, n) at `column`."""
    out[0, column] = front * game.scale + game.lift
    out[1, column] = middle * game.scale + game.lift
    out[2, column] = back * game.scale + game.lift
    for row, strength in enumerate((front, middle_five, back)):
        out[3 + row, column] = game.won[row, strength]
    held = game.held[0, front] + game.held[1, middle_five] + game.held[2, back]
    if game.pay.most_royalties < 3:
        held = _limit_royalties(column, front, middle_five, back, game, out)
    out[6, column] = held
    out[WEIGHT, column] = 1


@kernel()
def _limit_royalties(column, front, middle_five, back, game, out):
    """Drop the lowest royalties of a deal that may be paid for one or two; return what is held."""
    values = np.empty(3, np.int64)
    held = np.empty(3, np.int64)
    for row, strength in enumerate((front, middle_five, back)):
        held[row] = game.held[row, strength]
        values[row] = game.won[row, strength] + held[row]
    more = game.surcharge[middle_five]
    values[1] -= more
    for _ in range(3 - game.pay.most_royalties):
        lowest = -1
        for row in range(2, -1, -1):
            if values[row] != 0 and (lowest < 0 or values[row] < values[lowest]):
                lowest = row
        if np.count_nonzero(values) > game.pay.most_royalties:
            values[lowest] = held[lowest] = 0
            out[3 + lowest, column] = more if lowest == 1 else 0
    return held.sum()


@kernel()
def arrange_deals(cards, codes, game, out):
    """Write the arranged deals of `cards` (n, 13) set by `codes` (n,) into `out` (8, n).

    Deals that declare, surrender or foul get zeros: a foul loses every row.
    """
    split = np.empty(3, np.int64)
    row = np.empty(5, np.uint8)
    for i in range(cards.shape[0]):
        if codes[i] >= SPLITS:
            for line in range(out.shape[0]):
                out[line, i] = 0
            out[WEIGHT, i] = 1
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
def count_fits(masks, tinted, known, fits):
    """Count, for each field deal, the relabellings that share no card with `known` (0 to 24).

    Deals listed in `tinted` hold a natural of colours, which a relabelling may destroy: only the
    eight that keep the colours count there, three times each.
    """
    relabelled = np.empty(24, np.uint64)
    relabel_suits(known, relabelled)
    for j in range(masks.shape[0]):
        mask = masks[j]
        count = 0
        for k in range(24):
            count += (mask & relabelled[k]) == 0
        fits[j] = count
    for j in tinted:
        count = 0
        for k in range(8):
            count += (masks[j] & relabelled[k]) == 0
        fits[j] = 3 * count


@kernel()
def gather_players(fits, arranged, codes, royalties, players, ids, special, weights):
    """Copy the fitting deals that play into `players` (8, cap), and list them in `ids`.

    Those that declare or surrender go to `special`, with their weights to `weights`. Returns the
    number and the weight of the players, the number and the weight of the specials.
    """
    fitting = 0
    for j in range(fits.shape[0]):
        ids[fitting] = j
        fitting += fits[j] != 0
    n = s = weight = special_weight = 0
    for i in range(fitting):
        j = ids[i]
        if codes[j] < SPLITS or codes[j] == FOUL:
            ids[n] = j
            players[WEIGHT, n] = fits[j]
            weight += fits[j]
            n += 1
        else:
            special[s] = j
            weights[s] = fits[j]
            special_weight += fits[j]
            s += 1
    for r in range(WEIGHT if royalties else 3):
        source = arranged[r]
        target = players[r]
        for i in range(n):
            target[i] = source[ids[i]]
    return n, weight, s, special_weight


@kernel()
def fit_field(
    masks, tinted, known, arranged, codes, royalties, fits, players, ids, special, weights
):  # fmt: skip
    """Find the field deals that fit `known` and copy those that play; see `gather_players`."""
    count_fits(masks, tinted, known, fits)
    return gather_players(fits, arranged, codes, royalties, players, ids, special, weights)
