"""Settling many tables at once: the arithmetic of `table_rules`, compiled.

Hands are int64 (..., HAND) as `table_rules` describes them.
"""

from typing import NamedTuple

import numpy as np

from cp_cli._kernels import table_rules as rules
from cp_cli._kernels.jit import jitable, kernel
from cp_cli._kernels.natural_rules import NaturalSpec
from cp_cli._kernels.naturals import find_best_natural
from cp_cli._kernels.opponents import DECLARE, SURRENDER
from cp_cli._kernels.rows import FIVES_OF_13, THREES_OF_13, rank_row3, rank_row5
from cp_cli._kernels.splits import SPLITS, split_rows
from cp_cli._kernels.table_rules import (
    ACES,
    ALL_SWEEP,
    BACK,
    DECLARED,
    FOULED,
    FRONT,
    HAND,
    ITEMS,
    MAX_PAIRS,
    MIDDLE,
    PLACE,
    PLAYS,
    ROYALTY,
    STATE,
    SURCHARGE,
    SURRENDERED,
    TIE,
    UNITS,
)

for _function in (
    rules.find_sign,
    rules.find_ties,
    rules.compare_hands,
    rules.count_rows,
    rules.find_sweep,
    rules.value_outcome,
    rules.pay_row,
    rules.pay_overall,
    rules.pay_rows,
    rules.settle_pair,
    rules.sum_items,
    rules.order_pairs,
    rules.add_all_sweeps,
    rules.add_stakes,
    rules.cut_to_chips,
):
    jitable(_function)

limit_royalties = jitable(rules.limit_royalties)
settle_pairs = jitable(rules.settle_pairs)
find_sole_winner = jitable(rules.find_sole_winner)
find_best_row = jitable(rules.find_best_row)
score_race = jitable(rules.score_race)


class HandTerms(NamedTuple):
    """What a ruleset makes of single hands.

    Attributes:
        five, three, middle: int16 tables of `tables.RowTables`; `middle` ranks middles.
        low: is the middle deuce-to-seven low?
        strict: are equal rows a foul?
        floor: weakest legal middle (low only).
        royalties: int16 (3, 7918), by row and strength.
        surcharge: int16 (7918,), what a middle is paid more if it wins.
        most_royalties: how many a hand may be paid for.
        naturals: as `natural_rules` reads them.
        aces: int64 (5,), worth of 0 to 4 aces in the side bet.

    """

    five: np.ndarray
    three: np.ndarray
    middle: np.ndarray
    low: int
    strict: int
    floor: int
    royalties: np.ndarray
    surcharge: np.ndarray
    most_royalties: int
    naturals: NaturalSpec
    aces: np.ndarray


@kernel()
def describe_rows(cards, code, terms, split, row, hand):
    """Fill in what the rows of a split are; `split` (3,) and `row` (5,) are scratch."""
    split_rows(code, split)
    for k in range(3):
        row[k] = cards[THREES_OF_13[split[0], k]]
    front = rank_row3(row, terms.three)
    for k in range(5):
        row[k] = cards[FIVES_OF_13[split[1], k]]
    middle = rank_row5(row, terms.middle)
    middle_five = rank_row5(row, terms.five) if terms.low else middle
    for k in range(5):
        row[k] = cards[FIVES_OF_13[split[2], k]]
    back = rank_row5(row, terms.five)
    if terms.low:
        legal = front + terms.strict <= back and middle >= terms.floor
    else:
        legal = front + terms.strict <= middle and middle + terms.strict <= back
    hand[FRONT], hand[MIDDLE], hand[BACK] = front, middle, back
    hand[STATE] = PLAYS if legal else FOULED
    if legal:
        hand[ROYALTY] = terms.royalties[0, front]
        hand[ROYALTY + 1] = terms.royalties[1, middle_five]
        hand[ROYALTY + 2] = terms.royalties[2, back]
        hand[SURCHARGE] = terms.surcharge[middle_five]
        if terms.most_royalties < 3:
            limit_royalties(hand[ROYALTY : ROYALTY + 3], terms.most_royalties)


@kernel()
def describe_hands(cards, codes, terms, hands):
    """Fill `hands` (n, HAND) from `cards` (n, 13) set by `codes` (n,).

    A code is that of a split (one that is mis-set fouls), DECLARE for the best natural,
    SURRENDER or FOUL.
    """
    split = np.empty(3, np.int64)
    row = np.empty(5, np.uint8)
    for i in range(cards.shape[0]):
        hand = hands[i]
        for k in range(HAND):
            hand[k] = 0
        hand[PLACE] = -1
        aces = 0
        for k in range(13):
            aces += cards[i, k] >> 2 == 12
        hand[ACES] = terms.aces[aces]
        code = codes[i]
        if code < SPLITS:
            describe_rows(cards[i], code, terms, split, row, hand)
        elif code == DECLARE:
            place, tie = find_best_natural(cards[i], terms.naturals, terms.five, terms.three)
            hand[STATE] = DECLARED
            hand[PLACE], hand[TIE] = place, tie
            hand[UNITS] = terms.naturals.units[place] if place >= 0 else 0
        else:
            hand[STATE] = SURRENDERED if code == SURRENDER else FOULED


@kernel()
def settle_deals(hands, dealers, banker, owners, stakes, chips, terms, paid):
    """Settle `hands` (d, n, HAND) in pairs: `paid` (d, n, n) is what the second pays the first.

    `dealers` (d,) are seats; `banker`, `owners` (n,), `stakes` (n, n) and `chips` (n,), which each
    deal begins with, as in `table_rules.settle_pairs`.
    """
    first = np.empty(MAX_PAIRS, np.int64)
    second = np.empty(MAX_PAIRS, np.int64)
    swept = np.empty(MAX_PAIRS, np.int64)
    items = np.empty((MAX_PAIRS, ITEMS), np.int64)
    left = np.empty_like(chips)
    n = hands.shape[1]
    for i in range(hands.shape[0]):
        left[:] = chips
        count = settle_pairs(
            hands[i], n, dealers[i], banker, owners, stakes, left, terms,
            first, second, swept, items,
        )  # fmt: skip
        paid[i] = 0
        for k in range(count):
            units = rules.sum_items(items[k])
            paid[i, first[k], second[k]] = units
            paid[i, second[k], first[k]] = -units


@kernel()
def share_deals(hands, dealers, banker, owners, stakes, chips, terms, shares):
    """Settle `hands` (d, n, HAND) in pairs: `shares` (d, n, ITEMS) is what each hand gets, by item.

    Arguments as in `settle_deals`. What a fouled hand loses by rows counts as foul.
    """
    first = np.empty(MAX_PAIRS, np.int64)
    second = np.empty(MAX_PAIRS, np.int64)
    swept = np.empty(MAX_PAIRS, np.int64)
    items = np.empty((MAX_PAIRS, ITEMS), np.int64)
    left = np.empty_like(chips)
    n = hands.shape[1]
    for i in range(hands.shape[0]):
        left[:] = chips
        count = settle_pairs(
            hands[i], n, dealers[i], banker, owners, stakes, left, terms,
            first, second, swept, items,
        )  # fmt: skip
        shares[i] = 0
        for k in range(count):
            a, b = first[k], second[k]
            fouled = hands[i, a, STATE] == FOULED or hands[i, b, STATE] == FOULED
            for item in range(ITEMS):
                place = rules.FOUL if fouled and item <= rules.ROWS else item
                shares[i, a, place] += items[k, item]
                shares[i, b, place] -= items[k, item]


@kernel()
def settle_pots_of_deals(hands, ante, units):
    """Fill `units` (d, n) float64 with what a pot for each row leaves the players."""
    n = hands.shape[1]
    best = np.empty(n, np.int64)
    for i in range(hands.shape[0]):
        units[i] = -ante
        for row in range(3):
            count = find_best_row(hands[i], n, row, best)
            for j in range(n):
                if count == 0 or best[j]:
                    units[i, j] += ante * n / 3 / (count or n)


@kernel()
def find_sole_winners(hands, winners):
    """Fill `winners` (d,) with the seat that takes the pot, -1 where it is carried."""
    for i in range(hands.shape[0]):
        winners[i] = find_sole_winner(hands[i], hands.shape[1])


@kernel()
def score_races(hands, fourth_point, points):
    """Fill `points` (d, n) with those of the race."""
    n = hands.shape[1]
    best = np.empty(n, np.int64)
    for i in range(hands.shape[0]):
        score_race(hands[i], n, fourth_point, best, points[i])


# --- what a table brings one of its players ------------------------------------------------------
# Heroes int64 (k, HAND) sit down at many tables (d, n - 1, HAND) of others, first in each.

PARTS = 6
"""How many parts `tell_parts` knows at most."""


@kernel()
def fill_sweeps(hands, hero_only, banker, terms, swept):
    """Fill `swept` (n, n): does the first sweep the second? Or only where the hero is one of them.

    Two players of a bank do not meet.
    """
    n = hands.shape[0]
    for p in range(n):
        for q in range(n):
            if p == q or (hero_only and p != 0 and q != 0):
                continue
            a, b = hands[p], hands[q]
            swept[p, q] = False
            meet = banker < 0 or p == banker or q == banker
            if meet and a[STATE] == PLAYS and (b[STATE] == PLAYS or b[STATE] == FOULED):
                ties = terms.bank_ties * (np.int64(p == banker) - np.int64(q == banker))
                one, two, three = rules.compare_hands(a, b, ties)
                won, lost = rules.count_rows(one, two, three)
                swept[p, q] = rules.find_sweep(won, lost, terms) == 1


@kernel()
def sweeps_all(swept, seat, n, banker):
    """Tell whether a seat sweeps all of the first n that it meets."""
    everybody = True
    for other in range(n):
        meet = banker < 0 or seat == banker or other == banker
        everybody = everybody and (other == seat or not meet or swept[seat, other])
    return everybody


@kernel()
def find_home_runs(heroes, tables, banker, terms, needed):
    """Tell in `needed` (d,) at which tables one may sweep everybody, if a further player sits down.

    Nobody knows what he holds; only hands of `tables` are asked whether they might.
    """
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    swept = np.zeros((n, n), np.bool_)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        needed[t] = False
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            fill_sweeps(hands, i > 0, banker, terms, swept)
            for p in range(n):
                needed[t] = needed[t] or sweeps_all(swept, p, n, banker)


@kernel()
def value_home_runs(heroes, tables, asked, banker, terms, units):
    """Fill `units` (k, d) float64 with what sweeps of everybody bring beyond the pairs.

    Of the others the first `asked` are asked whether they sweep all, and count for all others.
    `banker` is 0 where the hero is the bank, else -1.
    """
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    swept = np.zeros((n, n), np.bool_)
    bonus = np.empty(n, np.int64)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            fill_sweeps(hands, i > 0, banker, terms, swept)
            units[i, t] = 0.0
            mine = sweeps_all(swept, 0, n, banker)
            theirs = False
            for p in range(1, asked + 1):
                theirs = theirs or sweeps_all(swept, p, n, banker)
            if mine or theirs:
                settle_sweeps(hands, banker, terms, bonus)
                for p in range(1, n if mine else asked + 1):
                    units[i, t] += bonus[p] if mine else bonus[p] * (n - 1) / asked


@kernel()
def settle_sweeps(hands, banker, terms, bonus):
    """Fill `bonus` (n,) with what sweeps of everybody make each of `hands` pay the first."""
    n = hands.shape[0]
    owners = np.arange(n)
    stakes = np.ones((n, n), np.int64)
    chips = np.full(n, -1, np.int64)
    first = np.empty(MAX_PAIRS, np.int64)
    second = np.empty(MAX_PAIRS, np.int64)
    swept = np.empty(MAX_PAIRS, np.int64)
    items = np.empty((MAX_PAIRS, ITEMS), np.int64)
    count = settle_pairs(
        hands, n, 0, banker, owners, stakes, chips, terms, first, second, swept, items
    )
    bonus[:] = 0
    for k in range(count):
        if first[k] == 0:
            bonus[second[k]] = items[k, ALL_SWEEP]
        elif second[k] == 0:
            bonus[first[k]] = -items[k, ALL_SWEEP]


@kernel()
def tell_shares(heroes, tables, parts):
    """Fill `parts` (k, d, PARTS) with the hero's share of the pot of each row."""
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    best = np.empty(n, np.int64)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            parts[i, t] = 0
            for row in range(3):
                count = find_best_row(hands, n, row, best)
                parts[i, t, row] = best[0] / max(1, count)


@kernel()
def tell_winners(heroes, tables, parts):
    """Fill `parts` (k, d, PARTS): does the hero beat everybody in two rows, does another."""
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            winner = find_sole_winner(hands, n)
            parts[i, t] = 0
            parts[i, t, 0] = winner == 0
            parts[i, t, 1] = winner > 0


@kernel()
def tell_points(heroes, tables, parts):
    """Fill `parts` (k, d, PARTS) with points of a race.

    They are each row that the hero has best alone (3), the number of those that others have, and
    whether he, or another, has all three.
    """
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    best = np.empty(n, np.int64)
    points = np.empty(n, np.int64)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            parts[i, t] = 0
            points[:] = 0
            for row in range(3):
                alone = find_best_row(hands, n, row, best) == 1
                parts[i, t, row] = alone and best[0] == 1
                for p in range(n):
                    points[p] += np.int64(alone and best[p] == 1)
            for p in range(1, n):
                parts[i, t, 3] += points[p]
                parts[i, t, 5] += points[p] == 3
            parts[i, t, 4] = points[0] == 3
