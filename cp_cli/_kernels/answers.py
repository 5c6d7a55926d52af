"""Best answers: score the splits of deals against opponents and keep the best.

The same kernels train a strategy, set deals by it, and screen candidates for `arrange`.
"""

import numpy as np

from cp_cli._kernels.candidates import list_candidates, list_distinct, rank_deal, write_heroes
from cp_cli._kernels.deals import next_random
from cp_cli._kernels.jit import kernel
from cp_cli._kernels.naturals import pay_naturals
from cp_cli._kernels.opponents import DECLARE, FOUL, SURRENDER, count_fits, gather_players
from cp_cli._kernels.payoff import COLUMN
from cp_cli._kernels.splits import SPLITS, list_legal, list_undominated, split_rows
from cp_cli._kernels.whole import score_heroes


@kernel()
def keep_best(sums, codes, n, keep):
    """Move the `keep` largest of the first n sums to the front, with their codes."""
    for i in range(min(keep, n)):
        best = i
        for j in range(i + 1, n):
            if sums[j] > sums[best]:
                best = j
        value, code = sums[best], codes[best]
        sums[best], codes[best] = sums[i], codes[i]
        sums[i], codes[i] = value, code
    return min(keep, n)


@kernel()
def shortlist_deals(cards, game, opponents, n, screen, best):
    """Write the best splits of each deal against a fixed sample into `best` (deals, keep).

    `opponents` (8, n). All candidates meet the first `screen` opponents, the better 4 x keep of
    them all n. Missing entries are -1.
    """
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    codes = np.empty(SPLITS, np.int32)
    groups = np.empty(SPLITS, np.int32)
    heroes = np.empty((SPLITS, COLUMN), np.int16)
    sums = np.empty(SPLITS, np.int64)
    keep = best.shape[1]
    for d in range(cards.shape[0]):
        rank_deal(cards[d], game, front, back, middle)
        k = list_candidates(front, back, middle, game, codes, groups)
        write_heroes(codes, k, front, back, middle, game, heroes)
        if k > 4 * keep and screen < n:
            score_heroes(heroes, k, opponents, screen, 0, game, sums)
            k = keep_best(sums, codes, k, 4 * keep)
            write_heroes(codes, k, front, back, middle, game, heroes)
        score_heroes(heroes, k, opponents, n, 0, game, sums)
        k = keep_best(sums, codes, k, keep)
        best[d, :k] = codes[:k]
        best[d, k:] = -1


@kernel()
def value_specials(special, s, codes, places, ties, spec, game, place, tie, values):
    """Write what each of the first s field deals in `special` pays into `values` (>= s, 3).

    Those are declared naturals and surrendered deals; the columns are for playing, declaring the
    natural (place, tie) and surrendering.
    """
    mine = spec.units[place] if place >= 0 else 0
    for i in range(s):
        j = special[i]
        if codes[j] == SURRENDER:
            values[i, 0] = game.surrender
            values[i, 1] = mine
            values[i, 2] = 0
        else:
            theirs = spec.units[places[j]]
            declared = pay_naturals(
                place, tie, mine, places[j], ties[j], theirs, spec.equal_by_units, spec.difference
            )
            values[i, 0] = -theirs
            values[i, 1] = declared if place >= 0 else 0
            values[i, 2] = -theirs


@kernel()
def settle_specials(special, weights, s, codes, places, ties, spec, game, place, tie, scores):
    """Write what all special opponents pay for each action into `scores` (3,)."""
    values = np.empty((s, 3), np.int64)
    value_specials(special, s, codes, places, ties, spec, game, place, tie, values)
    scores[:] = 0
    for i in range(s):
        for action in range(3):
            scores[action] += np.int64(weights[i]) * values[i, action]


@kernel()
def answer_deals(
    cards, known, shortlist, deal_places, deal_ties, masks, tinted, arranged, codes, places, ties,
    spec, game, means,
):  # fmt: skip
    """Add each deal's mean units, for every split of its shortlist, to `means` (deals, keep + 2).

    The field is masks, tinted, arranged (8, n), codes and naturals (places, ties); each deal
    meets those of it that share no card with `known` (deals,), the mask of its cards. The last
    two columns are for declaring the natural and for surrendering; minus infinity stays.
    """
    n = masks.shape[0]
    keep = shortlist.shape[1]
    fits = np.empty(n, np.uint8)
    ids = np.empty(n + 1, np.int32)
    special = np.empty(n, np.int32)
    weights = np.empty(n, np.uint8)
    players = np.empty((COLUMN, n), np.int16)
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    heroes = np.empty((keep, COLUMN), np.int16)
    sums = np.empty(keep, np.int64)
    scores = np.empty(3, np.int64)
    for d in range(cards.shape[0]):
        count_fits(masks, tinted, known[d], fits)
        p, weight, s, special_weight = gather_players(
            fits, arranged, codes, game.pay.royalties, players, ids, special, weights
        )
        k = 0
        while k < keep and shortlist[d, k] >= 0:
            k += 1
        rank_deal(cards[d], game, front, back, middle)
        write_heroes(shortlist[d], k, front, back, middle, game, heroes)
        score_heroes(heroes, k, players, p, special_weight, game, sums)
        place = deal_places[d]
        settle_specials(
            special, weights, s, codes, places, ties, spec, game, place, deal_ties[d], scores
        )
        total = max(1, weight + special_weight)
        for i in range(k):
            means[d, i] += (sums[i] + scores[0]) / total
        if place >= 0:
            means[d, keep] += (weight * spec.units[place] + scores[1]) / total
        if game.surrender >= 0:
            means[d, keep + 1] += (scores[2] - weight * game.surrender) / total


@kernel()
def best_answers(
    cards, known, deal_places, deal_ties, masks, tinted, arranged, codes, places, ties, spec,
    game, screen, keep, best,
):  # fmt: skip
    """Write each deal's best answer to a field, given its own cards, into `best` (deals,).

    All candidates meet the first `screen` opponents that fit, the better `keep` of them all.
    Arguments as in `answer_deals`.
    """
    n = masks.shape[0]
    fits = np.empty(n, np.uint8)
    ids = np.empty(n + 1, np.int32)
    special = np.empty(n, np.int32)
    weights = np.empty(n, np.uint8)
    players = np.empty((COLUMN, n), np.int16)
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    options = np.empty(SPLITS, np.int32)
    groups = np.empty(SPLITS, np.int32)
    heroes = np.empty((SPLITS, COLUMN), np.int16)
    sums = np.empty(SPLITS, np.int64)
    scores = np.empty(3, np.int64)
    for d in range(cards.shape[0]):
        count_fits(masks, tinted, known[d], fits)
        p, weight, s, special_weight = gather_players(
            fits, arranged, codes, game.pay.royalties, players, ids, special, weights
        )
        rank_deal(cards[d], game, front, back, middle)
        k = list_candidates(front, back, middle, game, options, groups)
        write_heroes(options, k, front, back, middle, game, heroes)
        if k > keep and p > screen:
            score_heroes(heroes, k, players, screen, 0, game, sums)
            k = keep_best(sums, options, k, keep)
            write_heroes(options, k, front, back, middle, game, heroes)
        score_heroes(heroes, k, players, p, special_weight, game, sums)
        keep_best(sums, options, k, 1)
        place = deal_places[d]
        settle_specials(
            special, weights, s, codes, places, ties, spec, game, place, deal_ties[d], scores
        )
        best[d] = options[0]
        total = sums[0] + scores[0]
        if place >= 0 and weight * spec.units[place] + scores[1] > total:
            total = weight * spec.units[place] + scores[1]
            best[d] = DECLARE
        if game.surrender >= 0 and scores[2] - weight * game.surrender > total:
            best[d] = SURRENDER


@kernel()
def rank_groups(
    cards, game, players, extra, screen, keep, narrow, legal, groups, codes, heroes, sums, order
):  # fmt: skip
    """List all legal splits of a deal and rank the distinct ones by what `players` (8, p) pay.

    `extra` is the weight of opponents who do not play. Fills `legal` (72072,) with the codes of
    legal splits in ascending order, `groups` with the index of the distinct split
    each equals, and `codes`, `heroes` (72072, 8) and `sums` of the distinct ones.
    All meet the first `screen` players; the better `keep` meet everybody and come first, sorted,
    in `order`. When `narrow`, only undominated splits are ranked, and only the equals of the best
    have a group. Returns the numbers of legal, ranked and undominated splits.
    """
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    rank_deal(cards, game, front, back, middle)
    rules = (game.low, game.strict, game.floor)
    undominated = list_undominated(front, back, middle, rules, codes)
    n = list_legal(front, back, middle, rules, legal)
    k = undominated
    if not narrow:
        for i in range(n):
            codes[i] = legal[i]
        k = list_distinct(front, back, middle, codes, n, groups)
    write_heroes(codes, k, front, back, middle, game, heroes)
    p = players.shape[1]
    for i in range(k):
        order[i] = i
    if keep < k:
        score_heroes(heroes, k, players, min(screen, p), 0, game, sums)
        _sort_best(sums, order, k, keep)
        better = np.empty((keep, COLUMN), np.int16)
        for i in range(keep):
            for c in range(COLUMN):
                better[i, c] = heroes[order[i], c]
        full = np.empty(keep, np.int64)
        score_heroes(better, keep, players, p, extra, game, full)
        for i in range(keep):
            sums[order[i]] = full[i]
        _sort_best(sums, order, keep, keep)
    else:
        score_heroes(heroes, k, players, p, extra, game, sums)
    if narrow:
        _sort_best(sums, order, min(keep, k), 1)
        _mark_equals(legal, n, front, back, middle, codes[order[0]], order[0], groups)
    return n, k, undominated


@kernel()
def _mark_equals(legal, n, front, back, middle, code, index, groups):
    """Set `groups` to `index` for the legal splits with the strengths of `code`, else to -1."""
    split = np.empty(3, np.int64)
    split_rows(code, split)
    f, m, b = front[split[0]], middle[split[1]], back[split[2]]
    for i in range(n):
        split_rows(legal[i], split)
        equal = front[split[0]] == f and middle[split[1]] == m
        groups[i] = index if equal and back[split[2]] == b else -1


@kernel()
def _sort_best(sums, order, n, keep):
    """Bring the indices of the `keep` largest sums to the front of `order[:n]`, sorted."""
    for i in range(keep):
        best = i
        for j in range(i + 1, n):
            better = sums[order[j]] > sums[order[best]]
            if better or (sums[order[j]] == sums[order[best]] and order[j] < order[best]):
                best = j
        order[i], order[best] = order[best], order[i]


@kernel()
def set_by_values(cards, game, values, best):
    """Write, for each deal, the split with the largest sum of row values into `best` (deals,).

    `values` float64 (3, 7918), by row and strength; the middle's strength is the one it is
    compared by.
    """
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    codes = np.empty(SPLITS, np.int32)
    groups = np.empty(SPLITS, np.int32)
    split = np.empty(3, np.int64)
    for d in range(cards.shape[0]):
        rank_deal(cards[d], game, front, back, middle)
        k = list_candidates(front, back, middle, game, codes, groups)
        top = -np.inf
        best[d] = codes[0]
        for i in range(k):
            if codes[i] == FOUL:
                continue
            split_rows(codes[i], split)
            value = values[0, front[split[0]]] + values[1, middle[split[1]]]
            value += values[2, back[split[2]]]
            if value > top:
                top = value
                best[d] = codes[i]


@kernel()
def set_at_random(cards, game, seed, best):
    """Write a legal split of each deal, all equally likely, into `best` (deals,).

    The draw depends on the seed and the cards alone, not on the place of a deal among others.
    """
    front = np.empty(286, np.int16)
    back = np.empty(1287, np.int16)
    middle = np.empty(1287, np.int16)
    codes = np.empty(SPLITS, np.int32)
    state = np.empty(1, np.uint64)
    order = (game.low, game.strict, game.floor)
    for d in range(cards.shape[0]):
        rank_deal(cards[d], game, front, back, middle)
        n = list_legal(front, back, middle, order, codes)
        mask = np.uint64(0)
        for card in cards[d]:
            mask |= np.uint64(1) << np.uint64(card)
        state[0] = mask
        state[0] = next_random(state) ^ np.uint64(seed)
        best[d] = codes[np.int64(next_random(state) % np.uint64(max(1, n)))] if n else FOUL
