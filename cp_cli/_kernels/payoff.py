"""Units between two arranged deals: the formula of RULES.md section 4, once, for arrays.

An *arranged deal* is eight int16 numbers: strengths of front, middle, back; what each of these
rows is paid, besides its row value, if it wins (`won`, three numbers); what the deal is paid by
everybody in any case (`held`); and how often it counts (`weight`, as an opponent). Opponents are
the columns of an array (8, n).
"""

from typing import NamedTuple

import numpy as np

from cp_cli._kernels.jit import kernel
from cp_cli._kernels.table_rules import MAJORITY, MORE_ROWS, NET

FRONT, MIDDLE, BACK, WON_FRONT, WON_MIDDLE, WON_BACK, HELD, WEIGHT = range(8)
COLUMN = 8


class Pay(NamedTuple):
    """A ruleset's amounts, as the kernels read them. All units are those one player pays another.

    The value of the rows is odd in (rows won, rows lost), so four numbers say it all:
    `row` for each row, `majority` more for two rows or three, `triple` more for all three,
    `split` more when it is two to one.

    With `cancel` two royalties in the same row are both dropped. Royalties that are paid in any
    case count as `won` then, not as `held`, and `cancel` is 2.
    """

    row: int
    majority: int
    triple: int
    split: int
    overall: int
    overall_when: int
    sweep_units: int
    sweep_times: int
    sweep_rows_only: int
    sweep_ties: int
    cancel: int
    most_royalties: int
    royalties: int


@kernel()
def fill_units(hero, opponents, n, pay, units):
    """Write what each of the first `n` columns of `opponents` (8, cap) pays `hero` (8,).

    Weights do not count here. One body, int32 arithmetic instead of branches: so the loop
    vectorises, ten times faster than the same rules written with `if` or cut into helpers.
    """
    h1, h2, h3, w1, w2, w3, mine = (
        np.int32(hero[0]), np.int32(hero[1]), np.int32(hero[2]), np.int32(hero[3]),
        np.int32(hero[4]), np.int32(hero[5]), np.int32(hero[6]))  # fmt: skip
    row, majority, triple = np.int32(pay.row), np.int32(pay.majority), np.int32(pay.triple)
    split, overall = np.int32(pay.split), np.int32(pay.overall)
    sweep, ties = np.int32(pay.sweep_units), np.int32(pay.sweep_ties)
    more, on_extra = np.int32(pay.sweep_times - 1), np.int32(1 - pay.sweep_rows_only)
    cancel, always = np.int32(pay.cancel != 0), np.int32(pay.cancel == 2)
    by_majority = np.int32(pay.overall_when == MAJORITY)
    by_rows, by_net = np.int32(pay.overall_when == MORE_ROWS), np.int32(pay.overall_when == NET)
    front, middle, back = opponents[FRONT], opponents[MIDDLE], opponents[BACK]
    won_f, won_m, won_b = opponents[WON_FRONT], opponents[WON_MIDDLE], opponents[WON_BACK]
    held = opponents[HELD]
    for j in range(n):
        f, m, b = np.int32(front[j]), np.int32(middle[j]), np.int32(back[j])
        a1, a2, a3 = np.int32(h1 > f), np.int32(h2 > m), np.int32(h3 > b)
        b1, b2, b3 = np.int32(h1 < f), np.int32(h2 < m), np.int32(h3 < b)
        won, lost = a1 + a2 + a3, b1 + b2 + b3
        two = np.int32(won >= 2) - np.int32(lost >= 2)
        all3 = np.int32(won == 3) - np.int32(lost == 3)
        clear = np.int32((won == 2) & (lost == 0)) - np.int32((lost == 2) & (won == 0))
        rows = row * (won - lost) + majority * two + triple * all3 + split * (two - all3 - clear)
        o1, o2, o3 = np.int32(won_f[j]), np.int32(won_m[j]), np.int32(won_b[j])
        k1 = np.int32(1) - cancel * np.int32((o1 != 0) & (w1 != 0))
        k2 = np.int32(1) - cancel * np.int32((o2 != 0) & (w2 != 0))
        k3 = np.int32(1) - cancel * np.int32((o3 != 0) & (w3 != 0))
        x, y, z = w1 * k1 * (a1 | always), w2 * k2 * (a2 | always), w3 * k3 * (a3 | always)
        u, v, w = o1 * k1 * (b1 | always), o2 * k2 * (b2 | always), o3 * k3 * (b3 | always)
        extra = x + y + z - u - v - w
        extra += mine - np.int32(held[j])
        swept = all3 + ties * clear
        again = more * np.int32(swept != 0)
        total = rows * (np.int32(1) + again) + extra * (np.int32(1) + again * on_extra)
        total += sweep * swept
        ahead = by_majority * two + by_net * (np.int32(total > 0) - np.int32(total < 0))
        ahead += by_rows * (np.int32(won > lost) - np.int32(won < lost))
        units[j] = total + overall * ahead


@kernel()
def sum_units(heroes, k, opponents, n, pay, sums):
    """Add up what the first `n` opponents (8, cap) pay each of the first `k` heroes (cap, 8)."""
    plain = not pay.royalties and pay.sweep_times == 1 and not pay.sweep_ties
    plain = plain and pay.overall_when == MAJORITY
    units = np.empty(n, np.int32)
    for i in range(k):
        if plain:
            sums[i] = _sum_plain(heroes[i], opponents, n, pay)
        else:
            fill_units(heroes[i], opponents, n, pay, units)
            total = np.int64(0)
            for j in range(n):
                total += units[j] * opponents[WEIGHT, j]
            sums[i] = total


@kernel()
def _sum_plain(hero, opponents, n, pay):
    """Return the sum of units where only the numbers of rows won and lost count."""
    h1, h2, h3 = hero[0], hero[1], hero[2]
    f, m, b, weight = opponents[FRONT], opponents[MIDDLE], opponents[BACK], opponents[WEIGHT]
    singles = majorities = triples = two_ones = 0
    for j in range(n):
        w1, w2, w3 = h1 > f[j], h2 > m[j], h3 > b[j]
        l1, l2, l3 = h1 < f[j], h2 < m[j], h3 < b[j]
        two = (w1 & w2) | (w1 & w3) | (w2 & w3)
        two_lost = (l1 & l2) | (l1 & l3) | (l2 & l3)
        lead = np.int16(w1) + np.int16(w2) + np.int16(w3)
        lead -= np.int16(l1) + np.int16(l2) + np.int16(l3)
        once = weight[j]
        singles += once * lead
        majorities += once * (np.int16(two) - np.int16(two_lost))
        triples += once * (np.int16(w1 & w2 & w3) - np.int16(l1 & l2 & l3))
        two_ones += once * (np.int16(two & (l1 | l2 | l3)) - np.int16(two_lost & (w1 | w2 | w3)))
    return (
        pay.row * singles
        + (pay.majority + pay.overall) * majorities
        + (pay.triple + pay.sweep_units) * triples
        + pay.split * two_ones
    )


@kernel()
def count_rows(hero, opponents, n, counts):
    """Count against n opponents: rows won (3), rows tied (3), scoops, times scooped."""
    h1, h2, h3 = hero[0], hero[1], hero[2]
    f, m, b, weight = opponents[FRONT], opponents[MIDDLE], opponents[BACK], opponents[WEIGHT]
    w1 = w2 = w3 = t1 = t2 = t3 = scoops = scooped = 0
    for j in range(n):
        once = weight[j]
        w1 += once * (h1 > f[j])
        w2 += once * (h2 > m[j])
        w3 += once * (h3 > b[j])
        t1 += once * (h1 == f[j])
        t2 += once * (h2 == m[j])
        t3 += once * (h3 == b[j])
        scoops += once * ((h1 > f[j]) & (h2 > m[j]) & (h3 > b[j]))
        scooped += once * ((h1 < f[j]) & (h2 < m[j]) & (h3 < b[j]))
    for i, count in enumerate((w1, w2, w3, t1, t2, t3, scoops, scooped)):
        counts[i] = count


@kernel()
def measure_heroes(heroes, players, specials, shares, weight, pay, off, counts, totals):
    """Measure arranged deals `heroes` (k, 8) against `players` (8, p) and what `specials` (s,) pay.

    Fills `counts` (k, 8) as in `count_rows`; `totals` (k, 2), the weighted sums of what players
    pay and what they would pay without royalties; and `off` (k, p + s), what each opponent pays
    more than the mean, times its share of the whole `weight`, `shares` (p + s,).
    """
    p = players.shape[1]
    units = np.empty(p, np.int32)
    hero = np.zeros(COLUMN, np.int16)
    bare = np.zeros((COLUMN if pay.royalties else 0, p), np.int16)
    for row in range(BACK + 1 if pay.royalties else 0):
        for j in range(p):
            bare[row, j] = players[row, j]
    for i in range(heroes.shape[0]):
        count_rows(heroes[i], players, p, counts[i])
        fill_units(heroes[i], players, p, pay, units)
        total = np.int64(0)
        for j in range(p):
            total += units[j] * np.int32(players[WEIGHT, j])
        totals[i, 0] = totals[i, 1] = total
        mean = total / weight
        for j in range(specials.shape[0]):
            mean += specials[j] * np.float64(shares[p + j])
        middle = np.float32(mean)
        for j in range(p):
            off[i, j] = (np.float32(units[j]) - middle) * shares[j]
        for j in range(specials.shape[0]):
            off[i, p + j] = (np.float32(specials[j]) - middle) * shares[p + j]
        if pay.royalties:
            for row in range(BACK + 1):
                hero[row] = heroes[i, row]
            fill_units(hero, bare, p, pay, units)
            total = np.int64(0)
            for j in range(p):
                total += units[j] * np.int32(players[WEIGHT, j])
            totals[i, 1] = total
