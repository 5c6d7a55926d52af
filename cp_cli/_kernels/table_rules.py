"""Who pays whom at a table: the arithmetic of a deal, in plain functions of whole numbers.

Written once and run two ways: as they stand, on lists, to settle one table and say why; compiled
(see `settling`), on arrays, to settle millions.

A *hand* is a sequence of HAND whole numbers, at the positions FRONT to ACES: the strengths of
the three rows; the royalty of each, which with style `instead` is all that the row pays; the
surcharge if the middle wins; what became of the hand (PLAYS, FOULED, SURRENDERED or DECLARED);
place, tie and units of a declared natural (place -1 for none, see `natural_rules`); and the value
of its aces in the side bet.

The *items* of a pair are ITEMS whole numbers, at the positions ROW to CAP, which add up to what
the second hand pays the first.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cp_cli._kernels.natural_rules import pay_naturals

FRONT, MIDDLE, BACK, ROYALTY, _, _, SURCHARGE, STATE, PLACE, TIE, UNITS, ACES = range(12)
HAND = 12
PLAYS, FOULED, SURRENDERED, DECLARED = range(4)

ROW = 0  # three: what each row pays
ROWS = 3  # what the rows pay together, where the ruleset values outcomes
EARNED = 4  # three: extra royalties of the first hand
OWED = 7  # three: extra royalties of the second hand, negative
MORE, SWEEP, OVERALL, FOUL, NATURAL, SURRENDER, ALL_SWEEP, BET, STAKE, CAP = range(10, 20)
ITEMS = 20

SCOOP_PAID, ROWS_PAID = -1, -2  # what a foul pays; numbers from 0 are units
MAJORITY, MORE_ROWS, NET = 1, 2, 3
MAX_PAIRS = 6

# What interpreted calls pass; compiled ones pass arrays.
Hand = Sequence[int]
Hands = Sequence[Hand]


class Terms(NamedTuple):
    """The amounts of a ruleset for a whole table. All units are those one player pays another.

    Attributes:
        win: units of a row, where `outcome` is 0.
        outcome: do rows pay by rows won and lost (`three_none` to `one_none`)?
        instead: does a royalty stand in place of the row's value?
        always: are extra royalties paid to their holder, won or lost?
        cancel: do two royalties in the same row cancel?
        sweep_units, sweep_times: first times, then units.
        sweep_rows_only: does the sweep multiply the row values alone?
        sweep_ties: do two rows won and one equal sweep?
        overall, overall_when: units, and MAJORITY, MORE_ROWS or NET.
        foul: SCOOP_PAID, ROWS_PAID or units.
        foul_royalties: are royalties paid between a fouled hand and a legal one?
        surrender: units to each opponent who plays.
        all_sweep_units, all_sweep_times: on top of each pair of who sweeps everybody.
        all_sweep_opponents: how many there must be; 0 where it is not played.
        bank_ties: does the bank win equal rows?
        equal_by_units, difference: as in `natural_rules.NaturalSpec`.

    """

    win: int
    outcome: int
    three_none: int
    two_one: int
    two_none: int
    one_none: int
    instead: int
    always: int
    cancel: int
    sweep_units: int
    sweep_times: int
    sweep_rows_only: int
    sweep_ties: int
    overall: int
    overall_when: int
    foul: int
    foul_royalties: int
    surrender: int
    all_sweep_units: int
    all_sweep_times: int
    all_sweep_opponents: int
    bank_ties: int
    equal_by_units: int
    difference: int


def limit_royalties(values: list[int], most: int) -> None:
    """Drop the lowest of three royalties that may be paid for `most`; of equal ones the later."""
    for _ in range(3 - most):
        lowest = -1
        count = 0
        for row in range(2, -1, -1):
            if values[row] != 0:
                count += 1
                if lowest < 0 or values[row] < values[lowest]:
                    lowest = row
        if count > most:
            values[lowest] = 0


# --- one pair ------------------------------------------------------------------------------------


def find_ties(p: int, q: int, banker: int, terms: Terms) -> int:
    """Return who wins equal rows of two seats: 1 the first, -1 the second, 0 nobody."""
    return terms.bank_ties * (int(p == banker) - int(q == banker))


def find_sign(number):
    """Return 1, 0 or -1."""
    return int(number > 0) - int(number < 0)


def compare_hands(a: Hand, b: Hand, ties: int) -> tuple[int, int, int]:
    """Return for front, middle and back 1 if `a` wins, -1 if `b` does, else 0.

    A fouled hand loses all three; `ties` is who wins equal rows, 0 where nobody does.
    """
    foul = int(b[STATE] == FOULED) - int(a[STATE] == FOULED)
    if a[STATE] == FOULED or b[STATE] == FOULED:
        one = two = three = foul
    else:
        one = find_sign(a[FRONT] - b[FRONT]) or ties
        two = find_sign(a[MIDDLE] - b[MIDDLE]) or ties
        three = find_sign(a[BACK] - b[BACK]) or ties
    return one, two, three


def count_rows(one, two, three):
    """Return how many of three outcomes are won, and how many lost."""
    won = int(one > 0) + int(two > 0) + int(three > 0)
    lost = int(one < 0) + int(two < 0) + int(three < 0)
    return won, lost


def find_sweep(won, lost, terms):
    """Return 1 for a sweep, -1 for being swept, else 0."""
    for_two = int(terms.sweep_ties)
    won_all = won == 3 or (for_two and won == 2 and lost == 0)
    lost_all = lost == 3 or (for_two and lost == 2 and won == 0)
    return int(won_all) - int(lost_all)


def value_outcome(won, lost, terms):
    """Return the units of rows that are valued together, for who won `won` of them."""
    most, least = max(won, lost), min(won, lost)
    units = 0
    if most == 3:
        units = terms.three_none
    elif most == 2:
        units = terms.two_one if least else terms.two_none
    elif least == 0:
        units = terms.one_none
    return units * find_sign(won - lost)


def pay_row(row, side, a, b, terms, items):
    """Fill in what one row pays and its royalties; `side` is who wins it."""
    fouled = a[STATE] == FOULED or b[STATE] == FOULED
    owed = not fouled or terms.foul_royalties
    mine, theirs = a[ROYALTY + row], b[ROYALTY + row]
    if not owed or (terms.cancel and mine and theirs):
        mine = theirs = 0
    if row == MIDDLE and owed:
        items[MORE] = a[SURCHARGE] if side > 0 else -b[SURCHARGE] if side < 0 else 0
    if terms.instead:
        items[ROW + row] = side * ((mine if side > 0 else theirs) or terms.win)
    else:
        items[ROW + row] = 0 if terms.outcome else side * terms.win
        if terms.always or side > 0:
            items[EARNED + row] = mine
        if terms.always or side < 0:
            items[OWED + row] = -theirs


def pay_overall(won, lost, so_far, terms):
    """Return the overall unit, to whom the ruleset gives it; `so_far` is who is ahead by what."""
    if terms.overall_when == MAJORITY:
        side = int(won >= 2) - int(lost >= 2)
    elif terms.overall_when == MORE_ROWS:
        side = find_sign(won - lost)
    else:
        side = find_sign(so_far)
    return side * terms.overall


def pay_rows(a, b, ties, terms, items):
    """Fill in the items of two hands that are compared; return 1 if `a` sweeps, -1 if `b` does."""
    one, two, three = compare_hands(a, b, ties)
    won, lost = count_rows(one, two, three)
    swept = find_sweep(won, lost, terms)
    for row, side in enumerate((one, two, three)):
        pay_row(row, side, a, b, terms, items)
    if terms.outcome:
        items[ROWS] = value_outcome(won, lost, terms)
    fouled = a[STATE] == FOULED or b[STATE] == FOULED
    if fouled and terms.foul >= 0:
        for i in range(ROW, ROWS + 1):
            items[i] = 0
        if terms.instead:
            items[MORE] = 0
        items[FOUL] = one * terms.foul
    elif not (fouled and terms.foul == ROWS_PAID):
        rows = items[ROW] + items[ROW + 1] + items[ROW + 2] + items[ROWS]
        if terms.instead:
            rows += items[MORE]
        total = rows if terms.instead else rows + items[MORE]
        for i in range(EARNED, OWED + 3):
            total += items[i]
        if swept:
            base = rows if terms.sweep_rows_only else total
            items[SWEEP] = base * (terms.sweep_times - 1) + swept * terms.sweep_units
        items[OVERALL] = pay_overall(won, lost, total + items[SWEEP], terms)
    return swept


def settle_pair(a, b, ties, terms, items):
    """Fill in the items of two hands; return 1 if `a` sweeps, -1 if `b` does, else 0.

    `ties` is who wins equal rows, as in `compare_hands`. What the table adds (a sweep of
    everybody, bets, stakes, chips) is not in it.
    """
    for i in range(ITEMS):
        items[i] = 0
    swept = 0
    if a[STATE] == DECLARED or b[STATE] == DECLARED:
        items[NATURAL] = pay_naturals(
            a[PLACE], a[TIE], a[UNITS], b[PLACE], b[TIE], b[UNITS],
            terms.equal_by_units, terms.difference,
        )  # fmt: skip
    elif a[STATE] == SURRENDERED or b[STATE] == SURRENDERED:
        # Nothing between two who gave up, nor between one and a fouled hand.
        items[SURRENDER] = terms.surrender * (int(a[STATE] == PLAYS) - int(b[STATE] == PLAYS))
    elif a[STATE] == PLAYS or b[STATE] == PLAYS:
        swept = pay_rows(a, b, ties, terms, items)
    return swept


def sum_items(items):
    """Return what the items of a pair add up to."""
    total = 0
    for i in range(ITEMS):
        total += items[i]
    return total


# --- a table whose players settle in pairs -------------------------------------------------------


def order_pairs(hands, n, dealer, banker, owners, first, second):
    """List the pairs that settle in `first` and `second`, in the order of payment; return how many.

    Pairs with a declared natural come first; then the dealer with each player clockwise, then
    the next with those after him. A bank (-1 for none) is in every pair. Two hands of one owner
    do not settle.
    """
    count = 0
    for declared in (True, False):
        for i in range(n):
            for j in range(i + 1, n):
                p, q = (dealer + i) % n, (dealer + j) % n
                with_natural = hands[p][STATE] == DECLARED or hands[q][STATE] == DECLARED
                seated = banker < 0 or banker in (p, q)
                if with_natural == declared and seated and owners[p] != owners[q]:
                    first[count] = p
                    second[count] = q
                    count += 1
    return count


def add_all_sweeps(n, count, first, second, swept, terms, items):
    """Add what a hand earns that swept all others, if they were enough."""
    for hero in range(n):
        met = beaten = 0
        for k in range(count):
            if first[k] == hero or second[k] == hero:
                met += 1
                beaten += int(swept[k] == (1 if first[k] == hero else -1))
        if met < terms.all_sweep_opponents or beaten < met:
            continue
        for k in range(count):
            if first[k] == hero or second[k] == hero:
                more = sum_items(items[k]) * (terms.all_sweep_times - 1)
                items[k][ALL_SWEEP] = more + swept[k] * terms.all_sweep_units


def add_stakes(a, b, stake, items):
    """Add the ace bet of a pair, and what its stake makes of all units."""
    items[BET] = a[ACES] - b[ACES]
    items[STAKE] = sum_items(items) * (stake - 1)


def cut_to_chips(p, q, chips, items):
    """Limit a pair to the chips that neither has used yet; a chip is used once, won or lost.

    `chips` holds what each owner may still win or lose, -1 for no limit.
    """
    due = sum_items(items)
    paid = abs(due)
    for owner in (p, q):
        if chips[owner] >= 0:
            paid = min(paid, chips[owner])
    for owner in (p, q):
        if chips[owner] >= 0:
            chips[owner] -= paid
    items[CAP] = find_sign(due) * (paid - abs(due))


def settle_pairs(
    hands: Hands, n: int, dealer: int, banker: int, owners: Hand, stakes: Hands,
    chips: list[int], terms: Terms, first: list[int], second: list[int], swept: list[int],
    items: list[list[int]],
) -> int:  # fmt: skip
    """Settle `n` hands in pairs and fill `items` (MAX_PAIRS, ITEMS); return the number of pairs.

    `dealer` and `banker` are seats (banker -1: none), `owners` (n,) tells whose each hand is,
    `stakes` (n, n) what a unit is worth between two seats. `chips` (by owner) limit payments and
    are used up. `first`, `second` and `swept` (MAX_PAIRS,) are filled: the seats of each pair,
    and who swept the other.
    """
    count = order_pairs(hands, n, dealer, banker, owners, first, second)
    for k in range(count):
        p, q = first[k], second[k]
        ties = find_ties(p, q, banker, terms)
        swept[k] = settle_pair(hands[p], hands[q], ties, terms, items[k])
    if terms.all_sweep_opponents:
        add_all_sweeps(n, count, first, second, swept, terms, items)
    for k in range(count):
        p, q = first[k], second[k]
        add_stakes(hands[p], hands[q], stakes[p][q], items[k])
        cut_to_chips(owners[p], owners[q], chips, items[k])
    return count


# --- tables with a pot or points -----------------------------------------------------------------


def find_sole_winner(hands: Hands, n: int) -> int:
    """Return the seat that beats every other in at least two rows, -1 if none does."""
    winner = -1
    for i in range(n):
        beaten = 0
        for j in range(n):
            if i != j:
                one, two, three = compare_hands(hands[i], hands[j], 0)
                won, _ = count_rows(one, two, three)
                beaten += int(won >= 2)
        if beaten == n - 1:
            winner = i
    return winner


def find_best_row(hands: Hands, n: int, row: int, best: list[int]) -> int:
    """Tell in `best` (n,) who holds the best row of all legal hands; return how many do."""
    top = -1
    for i in range(n):
        if hands[i][STATE] == PLAYS:
            top = max(top, hands[i][row])
    count = 0
    for i in range(n):
        best[i] = int(hands[i][STATE] == PLAYS and hands[i][row] == top)
        count += best[i]
    return count


def score_race(
    hands: Hands, n: int, fourth_point: bool, best: list[int], points: list[int]
) -> None:
    """Fill in the points of a deal: one for each row that is best alone, one more for all three.

    The fourth point needs four players.
    """
    for i in range(n):
        points[i] = 0
    for row in range(3):
        alone = find_best_row(hands, n, row, best) == 1
        for i in range(n):
            points[i] += int(alone and best[i] == 1)
    for i in range(n):
        if fourth_point and n == 4 and points[i] == 3:
            points[i] = 4
