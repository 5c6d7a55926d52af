"""Rows: their order, their names, and why a split is mis-set."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, combinations, combinations_with_replacement, pairwise
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict
from numpy.typing import NDArray

from cp_cli._kernels.rows import rank_all_rows5, rank_row3, rank_row5, rank_rows_of_deal
from cp_cli.arrangement import Arrangement, Category, parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.errors import CardError
from cp_cli.evaluator import (
    CATEGORY_NAMES,
    categorize,
    compare_rows,
    describe_row,
    explain_foul,
    find_low_floor,
    low_table,
    rank_low,
    rank_row,
    row_tables,
    tell_deciding_card,
)
from cp_cli.ruleset import Order
from tests import naive
from tests.naive.rows import is_low_enough
from tests.strategies import arrangements, card_sets, cards, deals

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text("utf-8"))
ROWS = st.one_of(card_sets(3), card_sets(5))
WHEELS = st.sampled_from(["low", "second"])

# 2,598,960 rows take half a minute without compiled kernels: then every 1,009th stands for all.
STEP = 1009 if isinstance(rank_row5, FunctionType) else 1
# Over the strengths of all five-card rows, little-endian int16, rows in lexicographic order.
ORDER_DIGEST = "e95b923ba99e62dbc3f6dfd50e4799cd98281987f5b222186da2d32fbff42cbd"

Class = tuple[tuple[int, ...], bool, tuple[int, ...]]  # ranks upwards, flush, cards


# --- all rows ------------------------------------------------------------------------------------


def list_classes(size: int) -> Iterator[Class]:
    """Yield every class of rows that suits do not tell apart, with cards of each."""
    for ranks in combinations_with_replacement(range(13), size):
        if size == 3 or ranks[0] != ranks[4]:
            # Neighbours differ in suit, so that equal ranks do, and no row is a flush.
            yield ranks, False, tuple(rank * 4 + i % 4 for i, rank in enumerate(ranks))
    if size == 5:
        for ranks in combinations(range(13), 5):
            yield ranks, True, tuple(rank * 4 for rank in ranks)


def rank_naively(wheel: str) -> dict[Class, int]:
    """Return the place of every class, 1 is the weakest, by the oracle's keys."""
    sizes = (5,) if wheel == "low27" else (3, 5)
    keys = {
        each: naive.low27_key(each[2]) if wheel == "low27" else naive.row_key(each[2], wheel)
        for size in sizes
        for each in list_classes(size)
    }
    places = {key: i + 1 for i, key in enumerate(sorted(set(keys.values())))}
    return {each: places[key] for each, key in keys.items()}


@pytest.fixture(scope="module")
def all_rows() -> NDArray[np.uint8]:
    """All five-card rows in lexicographic order, (2598960, 5)."""
    rows = chain.from_iterable(combinations(range(52), 5))
    return np.fromiter(rows, dtype=np.uint8, count=5 * 2_598_960).reshape(-1, 5)


def rank_all(rows: NDArray[np.uint8], table: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the strengths of every STEP-th row, by the kernels."""
    if STEP == 1:
        strengths = np.empty(len(rows), dtype="<i2")
        rank_all_rows5(table, strengths)
        return strengths
    return np.array([rank_row5(row, table) for row in rows[::STEP]], dtype="<i2")


@pytest.mark.parametrize("wheel", ["low", "second", "low27"])
def test_all_rows_stand_in_the_order_of_the_oracle(all_rows: NDArray[np.uint8], wheel: str) -> None:
    weights = 13 ** np.arange(5)
    by_code = np.zeros((13**5, 2), dtype="<i2")
    for (ranks, flush, _), place in rank_naively(wheel).items():
        if len(ranks) == 5:
            by_code[ranks @ weights, int(flush)] = place
    suits = all_rows & 3
    expected = by_code[(all_rows >> 2) @ weights, (suits == suits[:, :1]).all(axis=1).astype(int)]
    if wheel == "low":
        assert hashlib.sha256(expected.tobytes()).hexdigest() == ORDER_DIGEST
    table = low_table() if wheel == "low27" else row_tables(wheel).five
    strengths = rank_all(all_rows, table)
    assert np.array_equal(strengths, expected[::STEP])
    if STEP == 1 and wheel == "low":
        assert hashlib.sha256(strengths.tobytes()).hexdigest() == ORDER_DIGEST


@pytest.mark.parametrize("wheel", ["low", "second"])
def test_rows_of_three_and_five_share_one_scale(wheel: str) -> None:
    places = rank_naively(wheel)
    assert len(places) == 7462 + 455
    assert {each: rank_row(each[2], wheel) for each in places} == places
    assert {each: categorize(each[2]) for each in places} == {
        each: naive.category(each[2]) for each in places
    }


def test_every_low_stands_in_the_order_of_the_oracle() -> None:
    places = rank_naively("low27")
    assert len(places) == 7462
    assert {each: rank_low(each[2]) for each in places} == places


def test_categories_of_all_five_card_rows(all_rows: NDArray[np.uint8]) -> None:
    # Binomials over ranks and suits, as in any text on poker; from high card to straight flush.
    known = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
    assert sum(known) == len(all_rows)
    tables = row_tables("low")
    counts = np.bincount(tables.category[rank_all(all_rows, tables.five)], minlength=9)
    # A sample of one in STEP has the same shares, within four standard errors.
    shares = np.array(known) / sum(known)
    size = -(-len(all_rows) // STEP)
    slack = 0 if STEP == 1 else 4 * np.sqrt(size * shares) + 1
    assert counts.sum() == size
    assert (np.abs(counts - size * shares) <= slack + 1e-6).all()


def test_categories_of_all_three_card_rows() -> None:
    tables = row_tables("low")
    rows = np.array(list(combinations(range(52), 3)), dtype=np.int64)
    counts = np.bincount([tables.category[rank_row3(row, tables.three)] for row in rows])
    # 13 x C(4,3) trips, 13 x C(4,2) x 48 pairs, the others high cards.
    assert counts.tolist() == [18304, 3744, 0, 52]


@given(deals)
def test_rows_of_a_deal_are_ranked_like_single_rows(deal: tuple[int, ...]) -> None:
    tables = row_tables("low")
    front, back = np.empty(286, dtype=np.int16), np.empty(1287, dtype=np.int16)
    rank_rows_of_deal(np.array(deal, dtype=np.uint8), tables.five, tables.three, front, back)
    assert front.tolist() == [rank_row(row) for row in combinations(deal, 3)]
    assert back.tolist() == [rank_row(row) for row in combinations(deal, 5)]


# --- single rows ---------------------------------------------------------------------------------


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@given(ROWS, ROWS, WHEELS)
def test_two_rows_compare_as_by_the_oracle(
    first: tuple[int, ...], second: tuple[int, ...], wheel: str
) -> None:
    one, two = naive.row_key(first, wheel), naive.row_key(second, wheel)
    assert compare_rows(first, second, wheel) == (one > two) - (one < two)
    assert compare_rows(second, first, wheel) == (two > one) - (two < one)


@given(card_sets(5), st.permutations(range(4)), WHEELS, st.randoms())
def test_suits_and_order_of_cards_do_not_matter(
    row: tuple[int, ...], suits: list[int], wheel: str, random: Any
) -> None:
    other = [card & ~3 | suits[card & 3] for card in row]
    random.shuffle(other)
    assert rank_row(other, wheel) == rank_row(row, wheel)
    assert rank_low(other) == rank_low(row)
    assert describe_row(other) == describe_row(row)


@pytest.mark.parametrize("case", VECTORS["compare"], ids=lambda case: case["id"])
def test_vectors_of_two_rows(case: dict[str, Any]) -> None:
    first, second = (parse_cards(" ".join(case[key])) for key in ("first", "second"))
    assert compare_rows(first, second) == case["wheel_low"]
    assert compare_rows(first, second, "second") == case["wheel_second"]
    assert compare_rows(second, first, "second") == -case["wheel_second"]


def test_vectors_of_lows() -> None:
    strengths = [rank_low(parse_cards(" ".join(row))) for row in VECTORS["low27"]]
    assert all(better > worse for better, worse in pairwise(strengths))


@pytest.mark.parametrize("count", [0, 1, 2, 4, 6])
def test_a_row_has_three_or_five_cards(count: int) -> None:
    with pytest.raises(CardError, match=r"^row: (no cards|\d cards?), expected 3 or 5$"):
        rank_row(range(count))
    with pytest.raises(CardError, match="expected 3 or 5"):
        describe_row(range(count))


def test_a_low_has_five_cards() -> None:
    with pytest.raises(CardError, match=r"^row: 3 cards, expected 5$"):
        rank_low((0, 5, 10))


# --- in words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ah Kc 9d", "ace high"),
        ("4h 3c 2d", "four high"),
        ("As Ks Qs", "ace high"),
        ("6s 6c Ad", "pair of sixes"),
        ("7s 7c 7d", "three sevens"),
        ("Kd Th 8s 4c 2d", "king high"),
        ("Ad Ac 5h 4h 2s", "pair of aces"),
        ("4h Kc 4s Kd 9d", "two pair, kings and fours"),
        ("7s Ac 7d 2h 7h", "three sevens"),
        ("Td 9c 8s 7h 6d", "straight, ten high"),
        ("5d 4c 3s 2h Ad", "straight, five high"),
        ("Ad Kc Qs Jh Td", "straight, ace high"),
        ("Kd Td 8d 4d 2d", "flush, king high"),
        ("2s Jc 2d Jd Jh", "jacks full of twos"),
        ("9s 9c 9d 9h Ah", "four nines"),
        ("9s 8s 7s 6s 5s", "straight flush, nine high"),
        ("5s 4s 3s 2s As", "straight flush, five high"),
        ("As Ks Qs Js Ts", "royal flush"),
    ],
)
def test_rows_in_words(text: str, words: str) -> None:
    assert describe_row(parse_cards(text)) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7h 5h 4h 3h 2c", "seven low: 7-5-4-3-2"),
        ("5s 4h 3d 2c Ac", "ace low: A-5-4-3-2"),
        ("5c 4c 3c 2c Ac", "flush, ace high"),
        ("6s 5h 4s 3s 2h", "straight, six high"),
        ("7h 5h 4h 3h 2h", "flush, seven high"),
        ("6h 5h 4h 3h 2h", "straight flush, six high"),
        ("2s 2h 5d 4c 3d", "pair of twos"),
    ],
)
def test_lows_in_words(text: str, words: str) -> None:
    assert describe_row(parse_cards(text), low=True) == words


def test_a_wheel_that_ranks_second_says_so() -> None:
    assert describe_row(parse_cards("5d 4c 3s 2h Ad"), wheel="second") == "straight, ace to five"
    assert describe_row(parse_cards("5d 4d 3d 2d Ad"), wheel="second") == (
        "straight flush, ace to five"
    )
    assert describe_row(parse_cards("6d 5d 4d 3d 2d"), wheel="second") == "straight flush, six high"


@given(ROWS)
def test_words_name_the_category(row: tuple[int, ...]) -> None:
    marks = {
        Category.HIGH_CARD: " high",
        Category.PAIR: "pair of ",
        Category.TWO_PAIR: "two pair, ",
        Category.TRIPS: "three ",
        Category.FULL_HOUSE: " full of ",
        Category.QUADS: "four ",
    }
    category = categorize(row)
    assert marks.get(category, CATEGORY_NAMES[category]) in describe_row(row)


# --- mis-set splits ------------------------------------------------------------------------------

ORDERS = {
    "default": Order(),
    "strict": Order(equal_rows="foul"),
    "wheel_second": Order(wheel="second"),
    "low_middle": Order(middle="low27"),
}


def read_rows(texts: list[list[str]]) -> Arrangement:
    return parse_arrangement(" / ".join(map(" ".join, texts)))


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("case", VECTORS["whole_hands"], ids=lambda case: case["id"])
def test_vectors_of_whole_hands(case: dict[str, Any], name: str) -> None:
    assert (explain_foul(read_rows(case["rows"]), ORDERS[name]) is None) == case[name]


@pytest.mark.parametrize("case", VECTORS["front_middle"], ids=lambda case: case["id"])
def test_vectors_of_front_and_middle(case: dict[str, Any]) -> None:
    front, middle = (parse_cards(" ".join(case[key])) for key in ("front", "middle"))
    assert (compare_rows(front, middle) <= 0) == case["legal"]


@pytest.mark.parametrize(
    ("text", "order", "reason"),
    [
        (
            "As Ah Kd / 2c 2d 7s 9h Jc / Kh Qh 8h 5h 3h",
            Order(),
            "front (pair of aces) beats middle (pair of twos)",
        ),
        (
            "Ah Kd 9c / Ks Qd Jc 8h 6s / 5c 5d 4h 3s 2d",
            Order(),
            "front (ace high) beats middle (king high): ace over king",
        ),
        (
            "4s 4h Kd / 9s 3s 5s Qs Ks / 9h 2h 5h Qh Kh",
            Order(),
            "middle (flush, king high) beats back (flush, king high)"
            " by the fifth card: three over two",
        ),
        (
            "8s 8h Ad / 8d 8c Ks Qh Jd / Kd Kc Kh 3s 2d",
            Order(),
            "front (pair of eights) beats middle (pair of eights) by the kicker: ace over king",
        ),
        (
            "Ts 9h 2d / 8d 8c Ks Qh Jd / 8s 8h Kd Qc Td",
            Order(),
            "middle (pair of eights) beats back (pair of eights)"
            " by the third kicker: jack over ten",
        ),
        (
            "Ts 9h 2d / 8d 8c 4s 4h Jd / 8s 8h 4d 4c Td",
            Order(),
            "middle (two pair, eights and fours) beats back (two pair, eights and fours)"
            " by the kicker: jack over ten",
        ),
        (
            "Ts 9h 2d / 8d 8c 5s 5h Jd / 8s 8h 4d 4c As",
            Order(),
            "middle (two pair, eights and fives) beats back (two pair, eights and fours)",
        ),
        (
            "Ts 9h 2d / 8d 8c 8s 3h 3d / 7s 7h 7d Ac As",
            Order(),
            "middle (eights full of threes) beats back (sevens full of aces)",
        ),
        (
            "Kh Qd 9s / 2h 3d 4c 5s 6h / Ah 2d 3c 4s 5d",
            Order(),
            "middle (straight, six high) beats back (straight, five high)",
        ),
        ("Kh Qd 9s / 2h 3d 4c 5s 6h / Ah 2d 3c 4s 5d", Order(wheel="second"), None),
        (
            "Kh Qd 9s / Ah 2d 3c 4s 5d / 2h 3d 4c 5s 6h",
            Order(wheel="second"),
            "middle (straight, ace to five) beats back (straight, six high)",
        ),
        (
            "9s 9h 9d / Ks Kd 4s 4d 2c / Qh Qd Ah 8h 5s",
            Order(),
            "middle (two pair, kings and fours) beats back (pair of queens);"
            " front (three nines) beats middle (two pair, kings and fours)",
        ),
        (
            "As Ah Kd / Ac 9c 8s 5d 3d / 4c 3s 2d 6h 7h",
            Order(),
            "middle (ace high) beats back (seven high): ace over seven;"
            " front (pair of aces) beats middle (ace high)",
        ),
        ("2s 3d 4c / Ts Jd Qc Kh As / Th Jh Qh Ks Ad", Order(), None),
        (
            "2s 3d 4c / Ts Jd Qc Kh As / Th Jh Qh Ks Ad",
            Order(equal_rows="foul"),
            "middle equals back (straight, ace high)",
        ),
        (
            "Ks Kd 9h / 7s 5d 4c 3h 2s / Qs Qd Jc Th 8c",
            Order(middle="low27"),
            "front (pair of kings) beats back (pair of queens)",
        ),
        (
            "Ks Kd 9h / Js 5d 4c 3h 2s / Qs Qd Jc Th 8c",
            Order(middle="low27", middle_max=10),
            "middle (jack low: J-5-4-3-2) is not ten low or better;"
            " front (pair of kings) beats back (pair of queens)",
        ),
        (
            "Ks Qd 9h / 2d 5d 4c 3h 2s / As Ad Jc Th 8c",
            Order(middle="low27", middle_max=14),
            "middle (pair of twos) is not ace low or better",
        ),
        ("Ks Qd 9h / Td 9d 8c 7h 5s / As Ad Jc Th 8s", Order(middle="low27", middle_max=10), None),
    ],
)
def test_why_a_split_is_mis_set(text: str, order: Order, reason: str | None) -> None:
    assert explain_foul(parse_arrangement(text), order) == reason


@st.composite
def orders(draw: st.DrawFn) -> Order:
    low = draw(st.booleans())
    return Order(
        equal_rows=draw(st.sampled_from(["legal", "foul"])),
        wheel=draw(st.sampled_from(["low", "second"])),
        middle="low27" if low else "high",
        middle_max=draw(st.none() | st.integers(2, 14)) if low else None,
    )


def name_rows(text: str) -> list[str]:
    return [row for row in ("front", "middle", "back") if row in text]


@given(arrangements, orders())
def test_mis_set_as_by_the_oracle(arrangement: Arrangement, order: Order) -> None:
    expected = naive.foul_reason(*arrangement.rows, asdict(order))
    reason = explain_foul(arrangement, order)
    assert (reason is None) == (expected is None)
    if reason and expected:  # the fault that the oracle finds first is among those named
        faults = [name_rows(fault) for fault in reason.split(";")]
        assert name_rows(expected) in faults


@pytest.mark.parametrize(
    ("stronger", "weaker", "words"),
    [
        ("As Kd 9h 7h 2c", "Ah Qd Jd 9c 8c", " by the second card: king over queen"),
        ("As Kd 9h", "Ks Qd Jd 9c 8c", ": ace over king"),
        ("8h 6h 4h 3h 2h", "8d 6d 4d 3c 2d", ""),  # a flush beats eight high
        ("8h 7h 5h 4h 2h", "8d 7d 5d 3d 2d", " by the fourth card: four over three"),
        ("9h 9d As", "9c 9s Kd", " by the kicker: ace over king"),
        ("9h 9d As Kd 3h", "9c 9s Ad Kh 2c", " by the third kicker: three over two"),
        ("9h 9d 2c", "8h 8d Ac", ""),
        ("9h 9d 9c 2c 2d", "8h 8d 8c Ac Ad", ""),
        ("Th 9h 8d 7d 6c", "9d 8h 7h 6d 5c", ""),
        ("As Kd 9h 7h 2c", "Ah Kc 9d 7c 2d", ""),  # equal
        ("As Kd 9h 7h 2c", "Ah Kc 9d", ""),  # the longer row wins by its length
    ],
)
def test_which_card_decides(stronger: str, weaker: str, words: str) -> None:
    assert tell_deciding_card(parse_cards(stronger), parse_cards(weaker)) == words


@given(st.integers(2, 14), st.lists(cards, min_size=5, max_size=5, unique=True))
def test_the_floor_of_a_low_middle(face: int, row: list[int]) -> None:
    floor = find_low_floor(Order(middle="low27", middle_max=face))
    assert (rank_low(row) >= floor) == is_low_enough(row, face)


def test_every_floor_is_a_boundary() -> None:
    for face in range(2, 15):
        floor = find_low_floor(Order(middle="low27", middle_max=face))
        legal = [rank_low(row) for _, _, row in list_classes(5) if is_low_enough(row, face)]
        assert floor == min(legal, default=7463)
    assert find_low_floor(Order(middle="low27")) == find_low_floor(Order()) == 0


# --- without Numba -------------------------------------------------------------------------------

CALL_ALL = """
import sys
from cp_cli import evaluator
from cp_cli.arrangement import Natural, parse_arrangement
from cp_cli.ruleset import Order, load_ruleset

ruleset = load_ruleset("malay")
split = parse_arrangement("2h 2d Ad / 4h 4d 3h 3d 7h / 7d 6h 6d 5h 5d")
row, cards = split.back, split.cards
arguments = {
    "best_natural": (cards, ruleset), "categorize": (row,),
    "compare_rows": (row, row),
    "describe_natural": (Natural.BIG,), "describe_row": (row,),
    "explain_foul": (split, Order()), "explain_missing": (cards, Natural.BIG, ruleset),
    "find_low_floor": (Order(middle="low27", middle_max=10),),
    "find_naturals": (cards, ruleset), "natural_spec": (ruleset,), "parse_natural": ("big",),
    "rank_low": (row,), "rank_row": (row,), "rate_natural": (cards, Natural.SIX_PAIRS, ruleset),
    "low_table": (), "rank_naturals": (ruleset.naturals,), "row_tables": ("second",),
    "tell_deciding_card": (row, row),
    "tell_deciding_tie": (cards, cards, Natural.THREE_STRAIGHTS, ruleset),
}
for name in set(evaluator.__all__) - {"Cards", "CATEGORY_NAMES"}:
    getattr(evaluator, name)(*arguments[name])
print("numba" in sys.modules)
"""


def test_nothing_here_loads_numba() -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", CALL_ALL], capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("False\n", "")
