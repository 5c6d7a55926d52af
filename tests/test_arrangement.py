"""Arrangements and the words of the game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.arrangement import (
    ROW_NAMES,
    ROW_SIZES,
    Arrangement,
    Category,
    Natural,
    Row,
    format_arrangement,
    parse_arrangement,
    parse_rows,
    sort_row,
)
from cp_cli.cards import format_cards, parse_cards
from cp_cli.errors import ArrangementError, CardError, CpokerError
from tests.strategies import arrangements, card_sets, deals

ALICE = "Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s"


@pytest.mark.parametrize(
    "text",
    [
        ALICE,
        "9h Jd Js|2h 3c 8c Qh Qs|3s 5s 6s Ks As",
        "jsjd9h/qhqs8c3c2h/asks6s5s3s",
        "S:J D:J H:9 / S:Q H:Q2 C:83 / S:AK653",
    ],
)
def test_reads_rows_in_any_spelling(text: str) -> None:
    assert format_arrangement(parse_arrangement(text)) == ALICE


def test_rows_are_indexed_by_row() -> None:
    alice = parse_arrangement(ALICE)
    assert alice.rows[Row.FRONT] == alice.front == parse_cards("Js Jd 9h")
    assert alice.rows[Row.MIDDLE] == alice.middle == parse_cards("Qs Qh 8c 3c 2h")
    assert alice.rows[Row.BACK] == alice.back == parse_cards("As Ks 6s 5s 3s")
    assert ROW_NAMES[Row.MIDDLE] == "middle"
    assert ROW_SIZES == (3, 5, 5)
    assert str(alice) == ALICE


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("9h Jd Js", "Js Jd 9h"),
        ("Ac 4h 4s", "4s 4h Ac"),
        ("2c Kd 2d Kh As", "Kh Kd 2d 2c As"),
        ("2c Kd 2d Kh 2h", "2h 2d 2c Kh Kd"),
        ("Ac 3d 4c 9s 9d", "9s 9d Ac 4c 3d"),
        ("As 2c 3d 4h 5s", "5s 4h 3d 2c As"),
        ("Ts As Ks Qd Js", "As Ks Qd Js Ts"),
        ("2s As 3h", "As 3h 2s"),
    ],
)
def test_display_order(row: str, shown: str) -> None:
    assert format_cards(sort_row(parse_cards(row))) == shown


SHAPE_FAULTS = {
    "2c 3c 4c / 5c 6c 7c 8c / 9c Tc Jc Qc Kc": "middle: 4 cards, expected 5",
    "2c / 5c 6c 7c 8c 9c Tc / 9d Td Jd Qd Kd": "front: 1 card, expected 3; "
    "middle: 6 cards, expected 5",
    "/ 2c 3c 4c 5c 6c / 7c 8c 9c Tc Jc": "front: no cards, expected 3",
    "2c 3c 4c / 5c 6c 7c 8c 9c": "arrangement: 2 rows, expected 3: front / middle / back",
    "2c 3c 4c": "arrangement: 1 row, expected 3: front / middle / back",
    "a / b / c | d": "arrangement: 4 rows, expected 3: front / middle / back",
    " ": "arrangement: no rows, expected 3: front / middle / back",
}


@pytest.mark.parametrize(("text", "message"), SHAPE_FAULTS.items())
def test_names_the_row_and_the_counts(text: str, message: str) -> None:
    with pytest.raises(ArrangementError) as caught:
        parse_arrangement(text)
    assert str(caught.value) == message


CARD_FAULTS = {
    "4s 4h Ks / 9s 3s 5s Qs Ks / 9h 2h 5h Qh Kh": "card used more than once: Ks (front, middle)",
    "4s 4h Ks / 9s 3s 5s Qs Ks / 4h 2h 5h Qh Ks": "cards used more than once: "
    "4h (front, back), Ks (front, middle, back)",
    "4s 4s Kd / 9s 3s 5s Qs Ks / 9h 2h 5h Qh Kh": "card used more than once: 4s (front, front)",
    "4s 4h Ks / 9s 3s 5s Qs Kx / 9h 2h 5h Qh Kh": 'middle: unknown suit "x" in "Kx" at column 25; '
    "expected a suit c d h s",
}


@pytest.mark.parametrize(("text", "message"), CARD_FAULTS.items())
def test_names_bad_and_repeated_cards(text: str, message: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_arrangement(text)
    assert str(caught.value) == message


def test_rows_of_an_unfinished_board() -> None:
    rows = parse_rows("As / Kd Qh / ")
    assert rows == (parse_cards("As"), parse_cards("Kd Qh"), ())


def test_an_arrangement_checks_itself() -> None:
    with pytest.raises(ArrangementError, match="front: 2 cards, expected 3"):
        Arrangement((0, 1), (3, 4, 5, 6, 7), (8, 9, 10, 11, 12))
    with pytest.raises(CardError, match=r"2c \(front, back\)"):
        Arrangement((0, 1, 2), (3, 4, 5, 6, 7), (8, 9, 10, 11, 0))


@given(arrangements)
def test_what_is_written_reads_back(arrangement: Arrangement) -> None:
    assert parse_arrangement(format_arrangement(arrangement)) == arrangement


@given(deals)
def test_the_order_inside_a_row_does_not_matter(deal: tuple[int, ...]) -> None:
    first = Arrangement(deal[:3], deal[3:8], deal[8:])
    second = Arrangement(deal[:3][::-1], deal[3:8][::-1], deal[8:][::-1])
    assert first == second
    assert hash(first) == hash(second)
    assert sorted(first.cards) == sorted(deal)


@given(card_sets(5))
def test_groups_come_first_and_nothing_is_lost(row: tuple[int, ...]) -> None:
    shown = sort_row(row)
    assert sorted(shown) == sorted(row)
    sizes = [sum(card // 4 == other // 4 for other in row) for card in shown]
    assert sizes == sorted(sizes, reverse=True)


@given(st.text(alphabet="2AKs10h/|, x\0é"))
def test_any_text_is_an_arrangement_or_one_clear_line(text: str) -> None:
    try:
        shown = format_arrangement(parse_arrangement(text))
    except CpokerError as error:
        shown = str(error)
    assert shown.isprintable()
    assert len(shown) < 400


def test_categories_in_order() -> None:
    assert [category.name for category in sorted(Category)] == [
        "HIGH_CARD",
        "PAIR",
        "TWO_PAIR",
        "TRIPS",
        "STRAIGHT",
        "FLUSH",
        "FULL_HOUSE",
        "QUADS",
        "STRAIGHT_FLUSH",
    ]
    assert [int(category) for category in Category] == list(range(9))


def test_naturals_have_the_names_of_ruleset_files() -> None:
    assert Natural("six_pairs") is Natural.SIX_PAIRS
    assert all(natural.value == natural.name.lower() for natural in Natural)
