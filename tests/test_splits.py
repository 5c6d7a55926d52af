"""Arrangements of a deal: all of them, the legal ones, and those that no other beats."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cp_cli._kernels.candidates import list_distinct, rank_deal
from cp_cli._kernels.opponents import Game
from cp_cli._kernels.rows import FIVES_OF_13, THREES_OF_13
from cp_cli._kernels.splits import (
    PAIRS,
    SPLITS,
    list_legal,
    list_undominated,
    split_cards,
    split_rows,
)
from cp_cli.candidates import find_code, read_split, sort_deal
from cp_cli.cards import parse_cards
from cp_cli.ruleset import Order, Ruleset
from cp_cli.settlement.game import build_game
from tests import naive
from tests.sizes import pick_size, try_examples
from tests.strategies import deals as any_deals

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text("utf-8"))
ORDERS: dict[str, dict[str, Any]] = {
    "default": {},
    "strict": {"equal_rows": "foul"},
    "wheel-second": {"wheel": "second"},
    "strict-wheel-second": {"equal_rows": "foul", "wheel": "second"},
    "low27": {"middle": "low27"},
    "low27-wheel-second": {"middle": "low27", "wheel": "second"},
    "low27-ten": {"middle": "low27", "middle_max": 10},
    "low27-ace": {"middle": "low27", "middle_max": 14},
}
PLAIN = "Ah Kc 9d 5s 5c 2h 2d Qc Th Ts 3s 3h Qd"
WEIRD = {
    "one-suit": "As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s",
    "three-quads": "Ac Ad Ah As 2c 2d 2h 2s 9c 9d 9h 9s 5c",
    "trips-and-pairs": "2h 2d 2c 3s 3h 4d 4c 5s 5h 6d 6c 7s 7h",
    "two-wheels": "As 2s 3s 4s 5s Ad 2d 3d 4d 5d Kc Qh 9c",
    "two-suits": "As Ks 9s 8s 4s 3s 2s Ah Qh Jh 7h 5h 3h",
    "dragon": "As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s",
    "no-low": "Kc Kd Kh Ks Qc Qd Qh Qs Jc Jd Jh Js Ac",
}


def read_deal(text: str) -> NDArray[np.uint8]:
    return sort_deal(parse_cards(text, count=13))


def open_order(name: str) -> Game:
    return build_game(Ruleset(id=name, order=Order(**ORDERS[name])))


class Ranked:
    """A deal with the strengths of all its rows under one order."""

    def __init__(self, deal: NDArray[np.uint8], game: Game) -> None:
        self.deal = deal
        self.order = (game.low, game.strict, game.floor)
        self.front = np.empty(286, dtype=np.int16)
        self.back, self.middle = (np.empty(1287, dtype=np.int16) for _ in range(2))
        rank_deal(deal, game, self.front, self.back, self.middle)

    def find_legal(self) -> NDArray[np.int32]:
        codes = np.empty(SPLITS, dtype=np.int32)
        n = list_legal(self.front, self.back, self.middle, self.order, codes)
        return codes[:n]

    def find_undominated(self) -> NDArray[np.int32]:
        codes = np.empty(SPLITS, dtype=np.int32)
        n = list_undominated(self.front, self.back, self.middle, self.order, codes)
        return codes[:n]

    def weigh(self, codes: NDArray[np.int32]) -> NDArray[np.int16]:
        """Return the strengths of front, middle and back of each split, (n, 3)."""
        rows = unpack_codes(codes)
        return np.stack(
            [self.front[rows[:, 0]], self.middle[rows[:, 1]], self.back[rows[:, 2]]], axis=1
        )


def unpack_codes(codes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the row indices of splits, (n, 3)."""
    swapped = codes % 2
    fronts, pairs = codes // 252, codes % 252 // 2
    return np.stack([fronts, PAIRS[fronts, pairs, swapped], PAIRS[fronts, pairs, 1 - swapped]], 1)


def mask_splits(codes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return a number for each split that says which position of the deal is in which row."""
    rows = unpack_codes(codes)
    threes, fives = (
        (1 << index.astype(np.int64)).sum(axis=1) for index in (THREES_OF_13, FIVES_OF_13)
    )
    fronts, middles, backs = threes[rows[:, 0]], fives[rows[:, 1]], fives[rows[:, 2]]
    assert ((fronts | middles | backs) == (1 << 13) - 1).all()
    masks: NDArray[np.int64] = (fronts << 26) + (middles << 13) + backs
    return masks


def mask_naively(deal: NDArray[np.uint8], order: dict[str, Any]) -> set[int]:
    """Return the same numbers for the legal splits of the oracle."""
    bit = {int(card): 1 << place for place, card in enumerate(deal)}
    return {
        sum(
            sum(bit[card] for card in row) << shift
            for row, shift in zip(rows, (26, 13, 0), strict=True)
        )
        for rows in naive.legal_splits(tuple(bit), order)
    }


# --- codes ---------------------------------------------------------------------------------------


def test_there_are_72072_splits_in_36036_pairs() -> None:
    masks = mask_splits(np.arange(SPLITS, dtype=np.int32))
    assert len(set(masks.tolist())) == 72_072 == SPLITS
    unordered = {(m >> 26, *sorted((m >> 13 & 8191, m & 8191))) for m in masks.tolist()}
    assert len(unordered) == 36_036


def test_codes_are_unpacked_as_documented() -> None:
    codes = np.arange(0, SPLITS, pick_size(1, 97), dtype=np.int32)
    rows = np.empty(3, dtype=np.int64)
    for code, expected in zip(codes.tolist(), unpack_codes(codes).tolist(), strict=True):
        split_rows(code, rows)
        assert rows.tolist() == expected


@try_examples(200, 50)
@given(any_deals, st.integers(0, SPLITS - 1))
def test_codes_and_arrangements_are_two_words_for_one_thing(
    cards: tuple[int, ...], code: int
) -> None:
    deal = sort_deal(cards)
    arrangement = read_split(deal, code)
    assert sorted(arrangement.cards, reverse=True) == deal.tolist()
    assert find_code(deal, arrangement) == code
    out = np.empty(13, dtype=np.uint8)
    split_cards(deal, code, out)
    assert [set(out[:3]), set(out[3:8]), set(out[8:])] == [set(row) for row in arrangement.rows]


# --- legal splits --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", VECTORS["split_counts"], ids=lambda case: case["id"])
def test_number_of_legal_splits(case: dict[str, Any]) -> None:
    deal = read_deal(" ".join(case["cards"]))
    assert len(Ranked(deal, open_order("default")).find_legal()) == case["equal_legal"]
    assert len(Ranked(deal, open_order("strict")).find_legal()) == case["strict"]


@pytest.mark.parametrize("order", ORDERS)
def test_legal_splits_are_those_of_the_oracle(order: str) -> None:
    deal = read_deal(WEIRD["two-wheels"] if "wheel" in order else PLAIN)
    legal = Ranked(deal, open_order(order)).find_legal()
    assert (np.diff(legal) > 0).all()
    assert set(mask_splits(legal).tolist()) == mask_naively(deal, ORDERS[order])


@pytest.mark.parametrize("name", ["one-suit", "three-quads", "trips-and-pairs", "no-low"])
def test_legal_splits_of_weird_deals(name: str) -> None:
    deal = read_deal(WEIRD[name])
    for order in ("strict-wheel-second", "low27-ten") if name == "no-low" else ("strict",):
        legal = Ranked(deal, open_order(order)).find_legal()
        assert set(mask_splits(legal).tolist()) == mask_naively(deal, ORDERS[order])


def test_a_deal_may_have_no_legal_split() -> None:
    """Four kings, queens, jacks and an ace: no low at all."""
    ranked = Ranked(read_deal(WEIRD["no-low"]), open_order("low27-ten"))
    assert len(ranked.find_legal()) == 0
    assert len(ranked.find_undominated()) == 0


# --- undominated splits --------------------------------------------------------------------------


def find_best_triples(triples: NDArray[np.int16]) -> set[tuple[int, ...]]:
    """Return the triples that no other equals or beats in all three rows."""
    distinct = np.unique(triples, axis=0)[::-1]
    kept = np.empty_like(distinct)
    n = 0
    for triple in distinct:  # whatever beats it came before
        if not (kept[:n] >= triple).all(axis=1).any():
            kept[n] = triple
            n += 1
    return {tuple(triple) for triple in kept[:n].tolist()}


def check_undominated(deal: NDArray[np.uint8], order: str) -> None:
    ranked = Ranked(deal, open_order(order))
    found, legal = ranked.find_undominated().tolist(), ranked.find_legal()
    best = [tuple(triple) for triple in ranked.weigh(np.array(found, dtype=np.int32)).tolist()]
    weights = ranked.weigh(legal)
    assert len(set(best)) == len(best)
    assert set(best) == find_best_triples(weights)
    smallest: dict[tuple[int, ...], int] = {}
    for code, triple in zip(legal.tolist(), weights.tolist(), strict=True):  # codes ascend
        smallest.setdefault(tuple(triple), code)
    assert found == [smallest[triple] for triple in best]
    fronts_down = sorted(zip(best, found, strict=True), key=lambda one: (-one[0][0], one[1]))
    assert found == [code for _, code in fronts_down]


@pytest.mark.parametrize("order", ["default", "strict", "wheel-second", "low27"])
def test_undominated_splits_of_the_oracle(order: str) -> None:
    """By the keys of the oracle, without our strengths."""
    deal = read_deal(WEIRD["trips-and-pairs"])

    def key(rows: naive.Rows) -> tuple[naive.rows.RowKey, ...]:
        return tuple(naive.rows.key_in_row(i, rows[i], ORDERS[order]) for i in range(3))

    found = Ranked(deal, open_order(order)).find_undominated()
    ours = [key(read_split(deal, int(code)).rows) for code in found]
    cards = tuple(int(card) for card in deal)
    theirs = {key(rows) for rows in naive.undominated_splits(cards, ORDERS[order])}
    assert len(ours) == len(theirs)
    assert set(ours) == theirs


WEIRD_HERE = list(WEIRD)[:: pick_size(1, 3)]


@pytest.mark.parametrize("order", list(ORDERS)[:: pick_size(1, 3)])
@pytest.mark.parametrize("name", WEIRD_HERE)
def test_undominated_splits_of_weird_deals(name: str, order: str) -> None:
    check_undominated(read_deal(WEIRD[name]), order)


@try_examples(20, 2)
@given(any_deals, st.sampled_from(list(ORDERS)))
def test_undominated_splits_of_any_deal(cards: tuple[int, ...], order: str) -> None:
    check_undominated(sort_deal(cards), order)


# --- distinct splits -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "order"),
    [("three-quads", "default"), ("two-wheels", "low27"), ("one-suit", "low27")],
)
def test_splits_equal_in_all_rows_are_one_group(name: str, order: str) -> None:
    ranked = Ranked(read_deal(WEIRD[name]), open_order(order))
    legal = ranked.find_legal()
    codes, groups = np.empty(SPLITS, dtype=np.int32), np.full(SPLITS, -1, dtype=np.int32)
    n = len(legal)
    codes[:n] = legal
    kept = list_distinct(ranked.front, ranked.back, ranked.middle, codes, n, groups)
    triples = ranked.weigh(legal)
    assert kept == len(np.unique(triples, axis=0))
    assert np.array_equal(ranked.weigh(codes[:kept])[groups[:n]], triples)


def test_every_split_of_one_suit_differs_where_the_middle_is_a_low() -> None:
    """72,072 groups are the most there can be."""
    ranked = Ranked(read_deal(WEIRD["one-suit"]), open_order("low27"))
    assert len(np.unique(ranked.weigh(ranked.find_legal()), axis=0)) == 72_072
