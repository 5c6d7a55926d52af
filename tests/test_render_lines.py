"""Amounts in words, and lines that fit: measured, wrapped, cut."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.render.amounts import format_amount, format_money
from cp_cli.render.lines import glue_text, measure_text, shorten_names, wrap_text
from cp_cli.settlement import Units
from tests.settled_deals import EURO


@given(st.integers(-999, 999), st.integers(1, 12), st.booleans())
def test_amounts_can_be_read_back(numerator: int, denominator: int, sign: bool) -> None:
    units = Fraction(numerator, denominator)
    text = format_amount(units, sign=sign)
    assert text.startswith("-" if units < 0 else "+" if sign and units else tuple("0123456789"))
    assert sum(map(Fraction, text.strip("+-").split())) == abs(units)


@pytest.mark.parametrize(
    ("units", "text"), [(3, "+0.75"), (-1, "-0.25"), (0, "0.00"), (Fraction(4, 3), "+0.33")]
)
def test_money_is_exact_to_the_cent(units: Units, text: str) -> None:
    assert format_money(EURO.count(units), sign=True) == text


TEXTS = st.text(st.sampled_from("ab W王é,\u0301"), max_size=120)


@given(TEXTS, st.integers(8, 30), st.sampled_from(["", "  "]))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int, indent: str) -> None:
    for whole in (text, glue_text(text)):
        lines = list(wrap_text(whole, width, indent, indent + "  "))
        assert all(measure_text(line) <= width for line in lines)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(line.startswith(indent) for line in lines)


def test_words_stay_together_where_they_can() -> None:
    text = f"{glue_text('front +1')}, {glue_text('middle -1')}"
    assert list(wrap_text(text, 14)) == ["front +1,", "middle -1"]
    assert list(wrap_text("王 王王王", 8)) == ["王", "王王王"]


def test_numbers_of_short_names_are_not_those_of_others() -> None:
    short = shorten_names([f"Player{at}" for at in range(12)], 4)
    assert len(set(short)) == 12
    assert short[2:5] == ["Pl…2", "Pl…3", "Pl…4"]


NAMES = st.lists(
    st.text(st.sampled_from("a王12"), min_size=1, max_size=12), max_size=10, unique=True
)


@given(NAMES, st.integers(4, 12))
def test_short_names_can_be_told_apart(names: list[str], width: int) -> None:
    short = shorten_names(names, width)
    assert len(set(short)) == len(names)
    assert all(measure_text(name) <= width for name in short)
    assert all(s == n for s, n in zip(short, names, strict=True) if "…" not in s)
