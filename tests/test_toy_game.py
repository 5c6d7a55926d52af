"""Fictitious play against a linear program, on a game small enough to solve.

A player or the bank holds one of four deals, whose suits may be relabelled, and rows are paid as
in two-four; the bank wins equal rows. Ten splits are not beaten in every row. What the bank pays
the player is UNITS, by the oracle in tests/naive.

With card removal two deals meet as often as there are relabellings, of 24, under which they share
no card: WEIGHTS, 24 in all. So the player with deal a and mixture x[a] earns

    sum over deals a, b and splits s of a, t of b of
    WEIGHTS[a, b] / 24 * x[a, s] * y[b, t] * UNITS[s, t]

against the bank's mixture y. The largest sum that the player is sure of, whatever the bank does,
is that of a linear program: maximise v[1] + ... + v[4], where for every deal b and each split t
of it v[b] <= sum over a, s of WEIGHTS[a, b] / 24 * x[a, s] * UNITS[s, t], each x[a] >= 0 adding up
to one. It was solved with SciPy 1.17 (linprog, HiGHS), for the bank with signs and sides swapped;
the solutions are unique (each x[a, s] is its own smallest and largest value among all optima) and
were read as fractions. Without card removal all pairs of deals come alike, 16 in all.

What follows needs no program: a pair of mixtures is an equilibrium if no answer to either gains
anything, which the first tests check in whole fractions.
"""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli.arrangement import parse_arrangement
from cp_cli.candidates import read_split
from cp_cli.field import Deals, describe_deals
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement.game import BANK, PLAYER, build_game
from cp_cli.strategy import Plan, named
from cp_cli.strategy.training import Side, play_first_round, play_round, start_rounds
from tests import naive
from tests.sizes import pick_size

SPLITS = (
    (
        "Js Qs Ac / 2h 3h 4h 5h Jh / 3d 4d 5d 7d Kd",
        "Jh Js Qs / 2h 3h 4h 5h Ac / 3d 4d 5d 7d Kd",
    ),
    (
        "4h Ad Ah / 5s 6h 7s 8c 9s / 9d Td Js Qc Kh",
        "9s Ad Ah / 4h 5s 6h 7s 8c / 9d Td Js Qc Kh",
        "4h 9s Ah / 5s 6h 7s 8c 9d / Td Js Qc Kh Ad",
        "9d 9s Ah / 4h 5s 6h 7s 8c / Td Js Qc Kh Ad",
    ),
    (
        "9d Ad Ah / 7h 8d 8s Tc Ts / 3c 4c 5c 6d 7c",
        "8s Ad Ah / 6d 7h 8d 9d Ts / 3c 4c 5c 7c Tc",
    ),
    (
        "2h 2s 6s / 3s 4c 5s 6c 7c / Tc Jh Qd Kd Ad",
        "2h 2s 7c / 3s 4c 5s 6c 6s / Tc Jh Qd Kd Ad",
    ),
)
OWNERS = [deal for deal, splits in enumerate(SPLITS) for _ in splits]
UNITS = (
    (-4, -2,  2,  2,  4,  2,  2,  2,  2,  2),
    (-2, -4, -2, -2,  2,  2,  2, -2,  2,  4),
    (-2,  2, -4, -2, -2,  2,  2, -4,  2,  2),
    (-2,  2, -2, -4, -2, -2,  2, -2,  2,  2),
    (-4, -2, -2,  2, -4, -2,  2, -4, -2, -2),
    (-2, -2, -2, -2, -2, -4,  2, -4,  2,  2),
    (-2, -2, -2, -4, -2, -2, -4, -2, -2,  2),
    (-2,  2,  4,  2,  4,  4,  2, -4,  4,  4),
    (-2, -2, -2, -2, -2, -4,  2, -4, -4, -2),
    (-2, -4, -2, -2, -2, -4, -2, -4, -2, -4),
)  # fmt: skip
WEIGHTS = ((1, 2, 5, 2), (2, 1, 0, 1), (5, 0, 1, 0), (2, 1, 0, 1))
ALIKE = ((1, 1, 1, 1),) * 4
RULES = {"overall": {"units": 1, "when": "majority"}}


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first round, set by rank-product, be learnt from fewer deals."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


def read_fractions(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


# The program's solutions: with card removal, and without.
VALUE = Fraction(-41, 80)  # units a deal, for the player
PLAYERS = read_fractions("1 0  2/5 2/5 0 1/5  3/4 1/4  1/2 1/2")
BANKS = read_fractions("1 0  3/5 1/5 0 1/5  1/4 3/4  1/2 1/2")
VALUE_ALIKE = Fraction(-15, 16)
PLAYERS_ALIKE = read_fractions("1 0  1 0 0 0  0 1  1/2 1/2")
BANKS_ALIKE = read_fractions("1 0  0 1 0 0  0 1  1/2 1/2")

Weights = tuple[tuple[int, ...], ...]
Mixture = list[Fraction] | list[float]


def value_splits(other: Mixture, weights: Weights, *, bank: bool = False) -> list[Fraction | float]:
    """Return what each split adds to its role's units a deal if it is always played."""
    whole = sum(map(sum, weights))
    return [
        sum(
            other[t] * weights[OWNERS[s]][OWNERS[t]] * (-UNITS[t][s] if bank else UNITS[s][t])
            for t in range(10)
        )
        / whole
        for s in range(10)
    ]


def answer_best(values: list[Fraction | float]) -> Fraction | float:
    """Return the units a deal of the best answer."""
    return sum(max(v for v, own in zip(values, OWNERS, strict=True) if own == d) for d in range(4))


# --- the program's solutions ---------------------------------------------------------------------


def list_rows() -> list[naive.Rows]:
    return [parse_arrangement(text).rows for splits in SPLITS for text in splits]


def test_the_matrix_is_that_of_the_oracle() -> None:
    rows = list_rows()
    found = [[naive.pair_units(mine, theirs, RULES, -1) for theirs in rows] for mine in rows]
    assert found == [list(line) for line in UNITS]


def key_rows(rows: naive.Rows) -> tuple[object, ...]:
    return tuple(naive.row_key(cards) for cards in rows)


def test_the_splits_are_those_that_no_other_beats() -> None:
    for splits in SPLITS:
        rows = [parse_arrangement(text).rows for text in splits]
        deal = tuple(card for row in rows[0] for card in row)
        undominated = {key_rows(each) for each in naive.undominated_splits(deal, {})}
        assert undominated == {key_rows(each) for each in rows}
        assert len(undominated) == len(splits)


def test_the_weights_count_relabellings() -> None:
    held = [{c for row in parse_arrangement(splits[0]).rows for c in row} for splits in SPLITS]
    found = tuple(
        tuple(
            sum(
                not mine & {card // 4 * 4 + suits[card % 4] for card in theirs}
                for suits in permutations(range(4))
            )
            for theirs in held
        )
        for mine in held
    )
    assert found == WEIGHTS


@pytest.mark.parametrize(
    ("weights", "players", "banks", "value"),
    [
        (WEIGHTS, PLAYERS, BANKS, VALUE),
        (ALIKE, PLAYERS_ALIKE, BANKS_ALIKE, VALUE_ALIKE),
    ],
    ids=["removal", "no removal"],
)
def test_nothing_gains_on_the_solution(
    weights: Weights, players: list[Fraction], banks: list[Fraction], value: Fraction
) -> None:
    for mixture in (players, banks):
        shares = [
            sum(x for x, own in zip(mixture, OWNERS, strict=True) if own == d) for d in range(4)
        ]
        assert shares == [1] * 4
        assert min(mixture) >= 0
    answers = value_splits(banks, weights)
    assert sum(x * v for x, v in zip(players, answers, strict=True)) == value
    assert answer_best(answers) == value
    assert answer_best(value_splits(players, weights, bank=True)) == -value


# --- fictitious play -----------------------------------------------------------------------------

HALF = pick_size(3000, 100)  # rounds that count
PLAN = Plan(
    choosing=4, judging=0, sample=4, warm_rounds=pick_size(400, 20), rounds=2 * HALF, blocks=1,
    keep=6, crowd=2048,
)  # fmt: skip


def open_ruleset() -> Ruleset:
    return load_ruleset("two-four", ["mode=bank"])


def open_toy() -> tuple[Deals, list[Side]]:
    """Return the four deals, and a player and a bank that have not played yet."""
    ruleset = open_ruleset()
    held = [parse_arrangement(splits[0]) for splits in SPLITS]
    cards = np.array([sorted(each.cards, reverse=True) for each in held], dtype=np.uint8)
    sides = [Side.open(build_game(ruleset, 1, role)) for role in (PLAYER, BANK)]
    return describe_deals(cards, ruleset), sides


def index_splits(deals: Deals, shortlist: NDArray[np.int32]) -> dict[tuple[int, int], int]:
    """Return which of the ten splits each code of a shortlist is."""
    places = {
        (own, key_rows(rows)): s
        for s, (own, rows) in enumerate(zip(OWNERS, list_rows(), strict=True))
    }
    return {
        (d, int(code)): places[d, key_rows(read_split(deals.cards[d], int(code)).rows)]
        for d in range(4)
        for code in shortlist[d]
        if code >= 0
    }


def play_toy() -> tuple[list[list[float]], list[float]]:
    """Play with card removal; return the mixtures of player and bank, and what each earns.

    Mixtures are the shares of the rounds of the second half; units are the means that each deal
    has kept of what its best choice earned in them.
    """
    deals, sides = open_toy()
    play_first_round(deals.cards, sides, PLAN, np.random.default_rng(1))
    start_rounds(deals, sides, PLAN)
    codes = index_splits(deals, sides[0].shortlist)
    assert sorted(codes.values()) == list(range(10))
    counts = np.zeros((2, 10))
    for r in range(PLAN.rounds):
        for i, side in enumerate(sides):
            for d, code in enumerate(side.codes):
                counts[i, codes[d, int(code)]] += r >= HALF
        play_round(deals, sides, PLAN, r)
    share = np.array([sum(line) for line in WEIGHTS]) / 24
    units = [float(share @ side.means.max(axis=1)) / HALF for side in sides]
    return (counts / HALF).tolist(), units


def test_play_with_card_removal_finds_the_solution() -> None:
    (players, banks), units = play_toy()
    near = pick_size(1, 15) / 100
    assert answer_best(value_splits(banks, WEIGHTS)) == pytest.approx(float(VALUE), abs=near)
    theirs = answer_best(value_splits(players, WEIGHTS, bank=True))
    assert theirs == pytest.approx(-float(VALUE), abs=near)
    # No answer is better than the value, which the other side is sure of.
    assert answer_best(value_splits(banks, WEIGHTS)) >= float(VALUE) - 1e-9
    assert theirs >= -float(VALUE) - 1e-9
    assert units == pytest.approx([float(VALUE), -float(VALUE)], abs=near)
    wide = pick_size(5, 40) / 100
    assert players == pytest.approx([float(x) for x in PLAYERS], abs=wide)
    assert banks == pytest.approx([float(x) for x in BANKS], abs=wide)


def test_means_are_what_the_matrix_says() -> None:
    """After one round, the means of each deal are its units against what the others played."""
    deals, sides = open_toy()
    play_first_round(deals.cards, sides, PLAN, np.random.default_rng(1))
    start_rounds(deals, sides, PLAN)
    codes = index_splits(deals, sides[0].shortlist)
    played = [[0.0] * 10 for _ in sides]
    for i, side in enumerate(sides):
        for d, code in enumerate(side.codes):
            played[i][codes[d, int(code)]] = 1.0
    play_round(deals, sides, PLAN, 0)
    for i, side in enumerate(sides):
        values = value_splits(played[1 - i], WEIGHTS, bank=i == 1)
        for d in range(4):
            for k, code in enumerate(side.shortlist[d]):
                if code >= 0:
                    expected = values[codes[d, int(code)]] * 24 / sum(WEIGHTS[d])
                    assert side.means[d, k] == pytest.approx(expected)


def test_play_without_card_removal_finds_the_value() -> None:
    deals, sides = open_toy()
    rng = np.random.default_rng(1)
    counts = np.zeros((2, 10))
    codes: dict[tuple[int, int], int] = {}
    for r in range(PLAN.warm_rounds):
        play_first_round(deals.cards, sides, PLAN, rng)
        if r == 0:
            short = [Side.open(side.game) for side in sides]
            for side, other in zip(short, sides, strict=True):
                side.crowd = other.crowd
            start_rounds(deals, short, PLAN)
            codes = index_splits(deals, short[0].shortlist)
        for i, side in enumerate(sides):
            for d, code in enumerate(side.codes):
                counts[i, codes[d, int(code)]] += r >= PLAN.warm_rounds // 3
    players, banks = (counts / counts[0, :2].sum()).tolist()
    near = pick_size(6, 80) / 100
    mine = answer_best(value_splits(banks, ALIKE))
    theirs = answer_best(value_splits(players, ALIKE, bank=True))
    assert mine == pytest.approx(float(VALUE_ALIKE), abs=near)
    assert theirs == pytest.approx(-float(VALUE_ALIKE), abs=near)
