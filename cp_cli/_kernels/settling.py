"""Settling many tables at once: the arithmetic of `table_rules`, compiled.

Hands are int64 (..., HAND) as `table_rules` describes them.
"""

from typing import NamedTuple

import numpy as np

from cp_cli._kernels import naturals  # noqa: F401  makes natural_rules callable from kernels
from cp_cli._kernels import table_rules as rules
from cp_cli._kernels.jit import jitable, kernel
from cp_cli._kernels.natural_rules import NaturalSpec, find_best_natural
from cp_cli._kernels.opponents import DECLARE, SURRENDER
from cp_cli._kernels.rows import FIVES_OF_13, THREES_OF_13, rank_row3, rank_row5
from cp_cli._kernels.splits import SPLITS, split_rows
from cp_cli._kernels.table_rules import (
    ACES,
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
    SURRENDERED,
    TIE,
    UNITS,
)

for _function in (
    rules.find_sign,
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
        prices: int16 (3, 7918), royalties by row and strength.
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
    prices: np.ndarray
    most_royalties: int
    naturals: NaturalSpec
    aces: np.ndarray


@kernel()
def limit_royalties(hand, most):
    """Drop the lowest royalties of a hand that may be paid for `most`; of equal ones the later."""
    for _ in range(3 - most):
        lowest = -1
        count = 0
        for row in range(2, -1, -1):
            units = hand[ROYALTY + row]
            count += units != 0
            if units != 0 and (lowest < 0 or units < hand[ROYALTY + lowest]):
                lowest = row
        if count > most:
            hand[ROYALTY + lowest] = 0


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
        hand[ROYALTY] = terms.prices[0, front]
        hand[ROYALTY + 1] = terms.prices[1, middle_five]
        hand[ROYALTY + 2] = terms.prices[2, back]
        if terms.most_royalties < 3:
            limit_royalties(hand, terms.most_royalties)


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


@kernel()
def sweeps_hand(a, b, terms):
    """Tell whether `a` sweeps `b`; a bank is left out of it."""
    swept = False
    if a[STATE] == PLAYS and (b[STATE] == PLAYS or b[STATE] == FOULED):
        one, two, three = rules.compare_hands(a, b, 0)
        won, lost = rules.count_rows(one, two, three)
        swept = rules.find_sweep(won, lost, terms) == 1
    return swept


@kernel()
def value_home_runs(heroes, tables, banker, terms, plain, units):
    """Fill `units` (k, d) float64 with what sweeps of everybody bring each of `heroes` (k, HAND).

    `tables` (d, n - 1, HAND) are the other hands; the hero sits first. `banker` as in
    `table_rules.settle_pairs`; `plain` are the terms without such sweeps. Only tables where
    somebody may sweep all others are settled.
    """
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    runs = np.empty(n, np.bool_)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        for p in range(1, n):
            runs[p] = banker < 0
            for q in range(1, n):
                runs[p] = runs[p] and (p == q or sweeps_hand(hands[p], hands[q], terms))
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            mine = True
            theirs = False
            for p in range(1, n):
                # Equal rows go to the bank, so a bank may sweep where `sweeps_hand` says no.
                mine = mine and (banker == 0 or sweeps_hand(hands[0], hands[p], terms))
                theirs = theirs or (runs[p] and sweeps_hand(hands[p], hands[0], terms))
            units[i, t] = 0.0
            if mine or theirs:
                units[i, t] = settle_seat(hands, banker, terms)
                units[i, t] -= settle_seat(hands, banker, plain)


@kernel()
def settle_seat(hands, banker, terms):
    """Return what the first of `hands` (n, HAND) wins in pairs; stakes and chips are left out."""
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
    total = np.int64(0)
    for k in range(count):
        if first[k] == 0:
            total += rules.sum_items(items[k])
        elif second[k] == 0:
            total -= rules.sum_items(items[k])
    return total


@kernel()
def share_pots(heroes, tables, ante, units):
    """Fill `units` (k, d) with what a pot for each row leaves each hero; as `value_home_runs`."""
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    best = np.empty(n, np.int64)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            total = -np.float64(ante)
            for row in range(3):
                count = find_best_row(hands, n, row, best)
                if count == 0 or best[0]:
                    total += ante * n / 3 / (count or n)
            units[i, t] = total


@kernel()
def win_alone(heroes, tables, ante, units):
    """Fill `units` (k, d) with what a pot for a sole winner is worth; as `value_home_runs`.

    A pot that is carried is worth the same share to everybody, which is what each staked.
    """
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            winner = find_sole_winner(hands, n)
            units[i, t] = ante * (n - 1) if winner == 0 else 0 if winner < 0 else -ante


@kernel()
def run_races(heroes, tables, fourth_point, worth, units):
    """Fill `units` (k, d) with what the points of a deal are worth; as `value_home_runs`.

    `worth` (5, 5) is the worth of points won and points of the others, these on average, between
    whose whole numbers it is interpolated.
    """
    n = tables.shape[1] + 1
    hands = np.empty((n, HAND), np.int64)
    best = np.empty(n, np.int64)
    points = np.empty(n, np.int64)
    for t in range(tables.shape[0]):
        hands[1:] = tables[t]
        for i in range(heroes.shape[0]):
            hands[0] = heroes[i]
            score_race(hands, n, fourth_point, best, points)
            theirs = (points.sum() - points[0]) / (n - 1)
            low = np.int64(theirs)
            part = theirs - low
            mine = points[0]
            units[i, t] = worth[mine, low] * (1 - part) + worth[mine, min(4, low + 1)] * part
