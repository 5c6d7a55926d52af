"""What two arranged deals pay each other, against the oracle."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cp_cli._kernels.opponents import Game
from cp_cli._kernels.payoff import COLUMN, WEIGHT, count_rows, fill_units, sum_units
from cp_cli.arrangement import Arrangement
from cp_cli.candidates import find_code, sort_deal
from cp_cli.cards import parse_cards
from cp_cli.ruleset import load_ruleset
from cp_cli.ruleset.schema import MAX_UNITS
from cp_cli.settlement.game import build_game
from tests import naive
from tests.naive_rules import RULES
from tests.rule_strategies import (
    CROWD,
    Crowd,
    Rules,
    arrange_crowd,
    draw_crowd,
    draw_rules,
    load_rules,
)
from tests.sizes import try_examples

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text("utf-8"))
SEEDS = st.integers(0, 2**32)
ANY_RULES = draw_rules()

PLAIN: Rules = {
    "id": "plain",
    "rows": {"outcome": {"3-0": 7, "2-1": 2, "2-0": 5, "1-0": 3, "1-1": 0}},
    "overall": {"units": 4, "when": "majority"},
    "sweep": {"units": 2},
}


def pay(hero: NDArray[np.int16], opponents: NDArray[np.int16], game: Game) -> NDArray[np.int32]:
    """Return what each opponent, a column, pays the hero."""
    n = opponents.shape[1]
    units = np.full(n, -9999, dtype=np.int32)
    fill_units(np.ascontiguousarray(hero), opponents, n, game.pay, units)
    return units


def pay_neighbours(crowd: Crowd, game: Game) -> list[int]:
    """Return what each deal's neighbour pays it."""
    n = len(crowd.codes)
    units = [pay(crowd.arranged[:, i], crowd.arranged, game) for i in range(n)]
    return [int(units[i][(i + 1) % n]) for i in range(n)]


def pay_pair(first: Arrangement, second: Arrangement, game: Game) -> int:
    """Return what the second of two splits pays the first."""
    cards = np.array([sort_deal(hand.cards) for hand in (first, second)])
    codes = [find_code(cards[0], first), find_code(cards[1], second)]
    arranged = arrange_crowd(cards, np.array(codes, dtype=np.int32), game).arranged
    return int(pay(arranged[:, 0], arranged, game)[1])


# --- against the oracle --------------------------------------------------------------------------


@try_examples(150, 12)
@given(ANY_RULES, SEEDS)
def test_units_are_those_of_the_oracle(rules: Rules, seed: int) -> None:
    game = build_game(load_rules(rules))
    crowd = draw_crowd(seed, CROWD, game)
    rows = [crowd.read_rows(i) for i in range(CROWD)]
    expected = [naive.pair_units(rows[i], rows[(i + 1) % CROWD], rules) for i in range(CROWD)]
    assert pay_neighbours(crowd, game) == expected


def test_the_drawn_hands_are_worth_settling() -> None:
    """The test above would prove little on hands without royalties, ties and sweeps."""
    game = build_game(load_rules({"id": "drawn"}))
    crowd = draw_crowd(1, 300, game)
    rows = [crowd.read_rows(i) for i in range(300)]
    kinds = {naive.category(row[place]) for row in rows for place in (1, 2)}
    assert kinds == set(range(9))
    outcomes = [naive.row_outcomes(rows[i], rows[i - 1], {}) for i in range(300)]
    assert sum(0 in each for each in outcomes) > 20
    assert sum(each == [1, 1, 1] for each in outcomes) > 10


def drop_keys(rules: Rules, keys: tuple[str, ...]) -> Rules:
    return {key: value for key, value in rules.items() if key not in keys}


# What a pair does not settle.
LEFT_OUT = ("fantasyland", "jackpot", "stakes")


def list_settled_pairs() -> list[Any]:
    """Return worked examples in which two normal hands settle with each other alone."""
    found = []
    for deal in VECTORS["deals"]:
        if "declare" in deal["tests"] + deal["source"]:  # a natural
            continue
        for result in deal["results"]:
            rules = RULES.get(result["ruleset"])
            if rules is None or rules.get("mode", "pairs") != "pairs" or rules.get("all_sweep"):
                continue
            for pair, units in result.get("pairs", {}).items():
                hands = [
                    Arrangement(*(parse_cards(" ".join(row)) for row in deal["hands"][name]))
                    for name in pair.split("-")
                ]
                order = rules.get("order", {})
                if any(naive.foul_reason(*hand.rows, order) for hand in hands):
                    continue
                name = f"{deal['id']} {result['ruleset']} {pair}"
                found.append(pytest.param(drop_keys(rules, LEFT_OUT), hands, units, id=name))
    return found


SETTLED = list_settled_pairs()


def test_many_worked_examples_are_settled() -> None:
    assert len(SETTLED) > 60


@pytest.mark.parametrize(("rules", "hands", "units"), SETTLED)
def test_worked_examples(rules: Rules, hands: list[Arrangement], units: int) -> None:
    game = build_game(load_rules({"id": "worked", **rules}))
    assert pay_pair(hands[0], hands[1], game) == units
    assert pay_pair(hands[1], hands[0], game) == -units


# --- laws ----------------------------------------------------------------------------------------


@try_examples(50, 10)
@given(ANY_RULES, SEEDS)
def test_what_one_wins_the_other_loses(rules: Rules, seed: int) -> None:
    game = build_game(load_rules(rules))
    arranged = draw_crowd(seed, CROWD, game).arranged
    table = np.array([pay(arranged[:, i], arranged, game) for i in range(CROWD)])
    assert np.array_equal(table, -table.T)


@try_examples(50, 5)
@given(ANY_RULES, SEEDS, st.permutations(range(4)))
def test_suits_have_no_order(rules: Rules, seed: int, suits: list[int]) -> None:
    game = build_game(load_rules(rules))
    crowd = draw_crowd(seed, CROWD, game)
    codes = []
    cards = np.empty_like(crowd.cards)
    for i in range(CROWD):
        rows = [[card // 4 * 4 + suits[card % 4] for card in row] for row in crowd.read_rows(i)]
        relabelled = Arrangement(*(tuple(row) for row in rows))
        cards[i] = sort_deal(relabelled.cards)
        codes.append(find_code(cards[i], relabelled))
    again = arrange_crowd(cards, np.array(codes, dtype=np.int32), game)
    assert np.array_equal(again.arranged, crowd.arranged)


# --- sums ----------------------------------------------------------------------------------------


def check_sums(rules: Rules, seed: int) -> None:
    """Compare sums over weighted opponents with what each of them pays."""
    game = build_game(load_rules(rules))
    opponents = draw_crowd(seed, CROWD, game).arranged
    rng = np.random.default_rng(seed)
    opponents[WEIGHT] = rng.integers(1, 25, CROWD)
    heroes = np.ascontiguousarray(draw_crowd(seed + 1, 5, game).arranged.T)
    assert heroes.shape == (5, COLUMN)
    for n in (CROWD, CROWD - 1, 1):
        expected = [int(pay(hero, opponents, game)[:n] @ opponents[WEIGHT, :n]) for hero in heroes]
        sums = np.zeros(5, dtype=np.int64)
        sum_units(heroes, 5, opponents, n, game.pay, sums)
        assert sums.tolist() == expected


@try_examples(50, 10)
@given(ANY_RULES, SEEDS)
def test_sums_count_each_opponent_by_weight(rules: Rules, seed: int) -> None:
    check_sums(rules, seed)


@try_examples(60, 6)
@given(SEEDS, st.tuples(*[st.integers(0, 9)] * 6))
def test_sums_without_royalties(seed: int, units: tuple[int, ...]) -> None:
    """These take a short cut."""
    names = ("3-0", "2-1", "2-0", "1-0")
    outcome = dict(zip(names, units[:4], strict=True)) | {"1-1": 0}
    rules = {**PLAIN, "rows": {"outcome": outcome}, "sweep": {"units": units[4] + 1}}
    check_sums({**rules, "overall": {"units": units[5] + 1, "when": "majority"}}, seed)


def test_sums_do_not_overflow() -> None:
    """The largest amounts a ruleset may name, against the heaviest opponents."""
    top = MAX_UNITS
    royalties = {
        "style": "extra", "paid": "winner", "front": {"trips": top},
        "middle": {"full_house": top, "quads": top, "straight_flush": top},
        "back": {"full_house": top, "quads": top, "straight_flush": top},
    }  # fmt: skip
    rules = {
        "id": "dear", "rows": {"win": top}, "royalties": royalties, "middle_extra": top,
        "sweep": {"units": top, "times": 100}, "overall": {"units": top},
    }  # fmt: skip
    game = build_game(load_rules(rules))
    best = Arrangement(
        *(parse_cards(row) for row in ("Ac Ad Ah", "Kc Kd Kh Ks 2c", "9c 8c 7c 6c 5c"))
    )
    worst = Arrangement(
        *(parse_cards(row) for row in ("2d 3d 5h", "2h 3h 4d 6d 8d", "2s 3s 4s 6s 9h"))
    )
    cards = np.array([sort_deal(hand.cards) for hand in (best, worst)])
    codes = np.array([find_code(cards[0], best), find_code(cards[1], worst)], dtype=np.int32)
    arranged = arrange_crowd(cards, codes, game).arranged
    expected = naive.pair_units(best.rows, worst.rows, rules)
    assert expected == 100 * 7 * top + 2 * top
    opponents = np.repeat(arranged[:, 1:], 50, axis=1)
    opponents[WEIGHT] = 24
    sums = np.zeros(1, dtype=np.int64)
    sum_units(np.ascontiguousarray(arranged.T), 1, opponents, 50, game.pay, sums)
    assert sums[0] == 50 * 24 * expected


@try_examples(60, 5)
@given(SEEDS)
def test_counted_rows(seed: int) -> None:
    game = build_game(load_ruleset("two-four"))
    crowd = draw_crowd(seed, CROWD, game)
    weights = np.random.default_rng(seed).integers(1, 25, CROWD)
    crowd.arranged[WEIGHT] = weights
    hero = crowd.read_rows(0)
    expected = np.zeros(8, dtype=np.int64)
    for i in range(CROWD):
        outcomes = naive.row_outcomes(hero, crowd.read_rows(i), {})
        seen = [side == 1 for side in outcomes] + [side == 0 for side in outcomes]
        seen += [outcomes == [1, 1, 1], outcomes == [-1, -1, -1]]
        expected += weights[i] * np.array(seen)
    counts = np.zeros(8, dtype=np.int64)
    count_rows(np.ascontiguousarray(crowd.arranged[:, 0]), crowd.arranged, CROWD, counts)
    assert counts.tolist() == expected.tolist()
