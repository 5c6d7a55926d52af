"""Rules that look at the whole table, as far as one opponent's sample can tell.

A sweep of everybody, the pot of a sole winner, pots for rows and the race depend on all opponents
at once. While strategies are found, opponents are taken as independent draws from the field: who
beats one of them with chance p beats all three with chance p cubed. The figures of an answer come
from whole tables (see `settling`), not from here.
"""

from typing import NamedTuple

import numpy as np

from cp_cli._kernels.jit import kernel
from cp_cli._kernels.payoff import WEIGHT, fill_units, sum_units

PAIRWISE, HOME_RUN, SOLE_WINNER, ROW_POTS, RACE = range(5)
WON, TIED, SWEEPS, SWEPT, TWO, TWO_LOST, TOTAL = 0, 3, 6, 7, 8, 9, 10
OUTCOMES = 11


class Whole(NamedTuple):
    """What a ruleset pays by the whole table.

    Attributes:
        kind: one of the above; with PAIRWISE nothing else counts.
        others: number of opponents.
        units, times: of a sweep of everybody.
        ties: do two rows won and one equal sweep?
        stake: what each player puts into the pot.
        fourth: does a sweep of all bring a fourth point?
        rest: the chance that who beats us (sweeps us, wins two rows) does so to all others.

    """

    kind: int
    others: int
    units: int
    times: int
    ties: int
    stake: int
    fourth: int
    rest: float


NO_WHOLE = Whole(PAIRWISE, 1, 0, 1, 0, 0, 0, 0.0)


@kernel()
def count_outcomes(hero, opponents, n, ties, counts):
    """Count outcomes against n opponents, by weight, in int64 `counts` (11,).

    They are rows won (3), rows tied (3), sweeps, times swept, two rows or more won, two or more
    lost, and the whole weight.
    """
    h1, h2, h3 = hero[0], hero[1], hero[2]
    f, m, b, weight = opponents[0], opponents[1], opponents[2], opponents[WEIGHT]
    w1 = w2 = w3 = t1 = t2 = t3 = sweeps = swept = two = two_lost = total = 0
    for j in range(n):
        once = weight[j]
        a1, a2, a3 = h1 > f[j], h2 > m[j], h3 > b[j]
        b1, b2, b3 = h1 < f[j], h2 < m[j], h3 < b[j]
        won = np.int16(a1) + np.int16(a2) + np.int16(a3)
        lost = np.int16(b1) + np.int16(b2) + np.int16(b3)
        w1 += once * a1
        w2 += once * a2
        w3 += once * a3
        t1 += once * (h1 == f[j])
        t2 += once * (h2 == m[j])
        t3 += once * (h3 == b[j])
        sweeps += once * ((won == 3) | (ties & (won == 2) & (lost == 0)))
        swept += once * ((lost == 3) | (ties & (lost == 2) & (won == 0)))
        two += once * (won >= 2)
        two_lost += once * (lost >= 2)
        total += once
    for i, count in enumerate((w1, w2, w3, t1, t2, t3, sweeps, swept, two, two_lost, total)):
        counts[i] = count


@kernel()
def count_all(heroes, opponents, ties, counts):
    """Fill `counts` (k, 11) for `heroes` (k, 8); see `count_outcomes`."""
    for i in range(heroes.shape[0]):
        count_outcomes(heroes[i], opponents, opponents.shape[1], ties, counts[i])


@kernel()
def share_row(won, tied, others):
    """Return the share of a row's pot: alone, or parted with whoever ties."""
    share = won**others
    if tied > 0:
        share = ((won + tied) ** (others + 1) - won ** (others + 1)) / ((others + 1) * tied)
    return share


@kernel()
def value_counts(counts, extra, whole):
    """Return the units over the whole table that chances against one opponent promise.

    `extra` is the weight of opponents who do not play.
    """
    weight = max(1.0, np.float64(counts[TOTAL] + extra))
    m = whole.others
    sweep, swept = counts[SWEEPS] / weight, counts[SWEPT] / weight
    two, two_lost = counts[TWO] / weight, counts[TWO_LOST] / weight
    value = 0.0
    if whole.kind == SOLE_WINNER:
        alone = two**m
        nobody = max(0.0, 1.0 - alone - m * two_lost * whole.rest)
        value = whole.stake * ((m + 1) * alone + nobody - 1.0)
    elif whole.kind == ROW_POTS:
        for row in range(3):
            value += share_row(counts[WON + row] / weight, counts[TIED + row] / weight, m)
        value = whole.stake * (value * (m + 1) / 3 - 1.0)
    else:
        theirs = 0.0
        for row in range(3):
            won, tied = counts[WON + row] / weight, counts[TIED + row] / weight
            value += won**m
            theirs += 1.0 - (won + tied) ** m
        if whole.fourth and m == 3:
            value += sweep**m
            theirs += m * swept * whole.rest
        value -= theirs / m
    return value


@kernel()
def value_home_run(hero, opponents, n, extra, game, units):
    """Return weighted units, a pair and its share of sweeping everybody or being swept by such."""
    whole = game.whole
    fill_units(hero, opponents, n, game.pay, units)
    h1, h2, h3 = hero[0], hero[1], hero[2]
    f, m, b, weights = opponents[0], opponents[1], opponents[2], opponents[WEIGHT]
    total = weight = sweeps = swept = paid = lost = np.int64(0)
    for j in range(n):
        once = np.int64(weights[j])
        won = np.int64(h1 > f[j]) + np.int64(h2 > m[j]) + np.int64(h3 > b[j])
        down = np.int64(h1 < f[j]) + np.int64(h2 < m[j]) + np.int64(h3 < b[j])
        all_won = np.int64((won == 3) | ((whole.ties != 0) & (won == 2) & (down == 0)))
        all_lost = np.int64((down == 3) | ((whole.ties != 0) & (down == 2) & (won == 0)))
        weight += once
        total += once * units[j]
        sweeps += once * all_won
        swept += once * all_lost
        paid += once * all_won * units[j]
        lost += once * all_lost * units[j]
    chance = sweeps / max(1, weight + extra)
    more = whole.times - 1
    bonus = (more * paid + whole.units * sweeps) * chance ** (whole.others - 1)
    bonus += (more * lost - whole.units * swept) * whole.rest
    return np.float64(total) + bonus


@kernel()
def score_heroes(heroes, k, opponents, n, extra, game, scores):
    """Score the first k `heroes` (cap, 8) against n opponents (8, cap), in weighted units a pair.

    `extra` is the weight of opponents who do not play. Fills int64 `scores`.
    """
    whole = game.whole
    if whole.kind == PAIRWISE:
        sum_units(heroes, k, opponents, n, game.pay, scores)
    elif whole.kind == HOME_RUN:
        units = np.empty(n, np.int32)
        for i in range(k):
            value = value_home_run(heroes[i], opponents, n, extra, game, units)
            scores[i] = np.int64(np.round(value))
    else:
        counts = np.empty(OUTCOMES, np.int64)
        for i in range(k):
            count_outcomes(heroes[i], opponents, n, whole.ties, counts)
            value = value_counts(counts, extra, whole) / whole.others
            scores[i] = np.int64(np.round(value * (counts[TOTAL] + extra)))


@kernel()
def fill_effects(hero, opponents, n, extra, game, effects):
    """Write how the value of `hero` (8,) changes with the weight of each of n opponents.

    Where pairs add up that is what an opponent pays; elsewhere it is the slope of `score_heroes`,
    constants left out. Fills float32 `effects` (n,).
    """
    whole = game.whole
    if whole.kind == PAIRWISE:
        units = np.empty(n, np.int32)
        fill_units(hero, opponents, n, game.pay, units)
        for j in range(n):
            effects[j] = units[j]
    elif whole.kind == HOME_RUN:
        _fill_home_run_effects(hero, opponents, n, extra, game, effects)
    else:
        _fill_count_effects(hero, opponents, n, extra, whole, effects)


@kernel()
def _fill_home_run_effects(hero, opponents, n, extra, game, effects):
    whole = game.whole
    units = np.empty(n, np.int32)
    fill_units(hero, opponents, n, game.pay, units)
    h1, h2, h3 = hero[0], hero[1], hero[2]
    f, m, b, weights = opponents[0], opponents[1], opponents[2], opponents[WEIGHT]
    more = whole.times - 1
    weight = sweeps = paid = np.int64(0)
    sign = np.empty(n, np.int8)
    for j in range(n):
        won = np.int64(h1 > f[j]) + np.int64(h2 > m[j]) + np.int64(h3 > b[j])
        down = np.int64(h1 < f[j]) + np.int64(h2 < m[j]) + np.int64(h3 < b[j])
        swept = (won == 3) | ((whole.ties != 0) & (won == 2) & (down == 0))
        lost = (down == 3) | ((whole.ties != 0) & (down == 2) & (won == 0))
        sign[j] = np.int8(swept) - np.int8(lost)
        weight += weights[j]
        sweeps += weights[j] * np.int64(swept)
        paid += weights[j] * np.int64(swept) * (more * units[j] + whole.units)
    total = max(1, weight + extra)
    chance = sweeps / total
    others = chance ** (whole.others - 1)
    again = 0.0
    if whole.others > 1:
        again = (whole.others - 1) * chance ** (whole.others - 2) * paid / total
    for j in range(n):
        effect = np.float64(units[j])
        if sign[j] > 0:
            effect += (more * units[j] + whole.units) * others + again
        elif sign[j] < 0:
            effect += (more * units[j] - whole.units) * whole.rest
        effects[j] = effect


@kernel()
def _fill_count_effects(hero, opponents, n, extra, whole, effects):
    counts = np.empty(OUTCOMES, np.int64)
    count_outcomes(hero, opponents, n, whole.ties, counts)
    total = counts[TOTAL] + extra
    step = max(1, total // 256)
    value = value_counts(counts, extra, whole)
    slopes = np.empty(TOTAL, np.float64)
    for i in range(TOTAL):
        counts[i] += step
        slopes[i] = (value_counts(counts, extra, whole) - value) * total / (step * whole.others)
        counts[i] -= step
    one = np.empty(OUTCOMES, np.int64)
    for j in range(n):
        count_outcomes(hero, opponents[:, j : j + 1], 1, whole.ties, one)
        effect = 0.0
        for i in range(TOTAL):
            effect += slopes[i] * min(one[i], 1)
        effects[j] = effect


@kernel()
def find_patterns(heroes, rows, ties, patterns):
    """Fill uint8 `patterns` (k, n): which rows of `heroes` (k, 3+) beat those of others (3, n).

    A pattern counts in threes, the front first: 0 lost, 1 equal, 2 won. `ties` is who wins equal
    rows, 1 the heroes, 0 nobody.
    """
    f, m, b = rows[0], rows[1], rows[2]
    for i in range(heroes.shape[0]):
        h1, h2, h3 = heroes[i, 0], heroes[i, 1], heroes[i, 2]
        for j in range(rows.shape[1]):
            one = np.int16(h1 > f[j]) - np.int16(h1 < f[j]) + ties * np.int16(h1 == f[j])
            two = np.int16(h2 > m[j]) - np.int16(h2 < m[j]) + ties * np.int16(h2 == m[j])
            three = np.int16(h3 > b[j]) - np.int16(h3 < b[j]) + ties * np.int16(h3 == b[j])
            patterns[i, j] = 13 + 9 * one + 3 * two + three


@kernel()
def sum_patterns(heroes, players, values, sums):
    """Fill `sums` (k,) with what `players` (8, n) pay `heroes` (k, 8) by weight.

    `values` int64 (27+,) says how much for each pattern; see `find_patterns`.
    """
    patterns = np.empty((1, players.shape[1]), np.uint8)
    for i in range(heroes.shape[0]):
        find_patterns(heroes[i : i + 1], players, 0, patterns)
        total = np.int64(0)
        for j in range(players.shape[1]):
            total += values[patterns[0, j]] * players[WEIGHT, j]
        sums[i] = total
