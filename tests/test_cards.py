"""Reading and writing cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.cards import (
    DECK,
    RANK_NAMES,
    RANK_PLURALS,
    RANKS,
    SUIT_NAMES,
    SUITS,
    check_distinct,
    describe_count,
    format_card,
    format_cards,
    parse_cards,
)
from cp_cli.errors import CardError, quote_text, suggest_name
from tests.strategies import card_sets, cards

SYMBOLS = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}

GOOD = {
    "As Kd": "As Kd",
    "AsKd": "As Kd",
    "AS,KD": "As Kd",
    "as,kd": "As Kd",
    "aS;Kd ,, 2C": "As Kd 2c",
    "  As\tKd\n2c  ": "As Kd 2c",
    "10h": "Th",
    "10D10s9c": "Td Ts 9c",
    "A♠K♦ 10♥,2♣": "As Kd Th 2c",
    "A♤K♢ 10♡,2♧": "As Kd Th 2c",
    "A♠\ufe0f 9♥\ufe0e": "As 9h",
    "S:AKQJ H:Q92": "As Ks Qs Js Qh 9h 2h",
    "s:akqj h:q92": "As Ks Qs Js Qh 9h 2h",
    "S:AKQJH:Q92": "As Ks Qs Js Qh 9h 2h",
    "S: A K Q, J; H: Q 9 2": "As Ks Qs Js Qh 9h 2h",
    "S:A109 D:10": "As Ts 9s Td",
    "♠AKQJ ♥Q92": "As Ks Qs Js Qh 9h 2h",
    "♠ A 10 ♥: 10 9 ♢\ufe0f2": "As Ts Th 9h 2d",
    "♠A ♠K ♥Q": "As Ks Qh",
    "S:AK H:- D:Q C:-": "As Ks Qd",
    "♠ AK ♥ — ♦ Q ♣ –": "As Ks Qd",
    "S:AK H: D:Q C:": "As Ks Qd",
    "S:AK Qh 2c": "As Ks Qh 2c",
    "2c S:AK": "2c As Ks",
    "": "",
    " ,; ": "",
}


@pytest.mark.parametrize(("text", "expected"), GOOD.items())
def test_reads_every_form(text: str, expected: str) -> None:
    assert format_cards(parse_cards(text)) == expected


def test_card_numbers() -> None:
    assert parse_cards("2c 2d 2h 2s 3c As") == (0, 1, 2, 3, 4, 51)
    assert parse_cards(" ".join(r + s for r in RANKS for s in SUITS)) == DECK


def test_names_follow_the_numbers() -> None:
    assert [RANK_NAMES[parse_cards(text)[0] >> 2] for text in ("2c", "Th", "As")] == [
        "two",
        "ten",
        "ace",
    ]
    assert [SUIT_NAMES[parse_cards(text)[0] & 3] for text in ("2c", "2d", "2h", "2s")] == [
        "clubs",
        "diamonds",
        "hearts",
        "spades",
    ]
    assert (RANK_PLURALS[0], RANK_PLURALS[4], RANK_PLURALS[12]) == ("twos", "sixes", "aces")


BAD = {
    "Xs Kd": 'cards: unknown rank "X" in "Xs" at column 1; expected a rank 2-9 T J Q K A or 10',
    "As 1s": 'cards: unknown rank "1" in "1s" at column 4; expected a rank 2-9 T J Q K A or 10',
    "As 11s": 'cards: unknown rank "1" in "11s" at column 4; expected a rank 2-9 T J Q K A or 10',
    "As, Kx": 'cards: unknown suit "x" in "Kx" at column 6; expected a suit c d h s',
    "As K": 'cards: missing suit after "K" at column 5; expected a suit c d h s',
    "As K Qd": 'cards: missing suit after "K" at column 5; expected a suit c d h s',
    "AsKQd": 'cards: missing suit after "K" in "KQd" at column 4; expected a suit c d h s',
    "10 9h": 'cards: missing suit after "10" at column 3; expected a suit c d h s',
    "As s": 'cards: suit "s" without a rank at column 4; expected a rank 2-9 T J Q K A or 10',
    "S:AKx": 'cards: unknown rank "x" at column 5; expected a rank 2-9 T J Q K A or 10',
    "Ａs": 'cards: unknown rank "Ａ" in "Ａs" at column 1; expected a rank 2-9 T J Q K A or 10',
    "Aｓ": 'cards: unknown suit "ｓ" in "Aｓ" at column 2; expected a suit c d h s',
    "２s": 'cards: unknown rank "２" in "２s" at column 1; expected a rank 2-9 T J Q K A or 10',
    "A\0s": 'cards: unknown suit "\\x00" in "A\\x00s" at column 2; expected a suit c d h s',
    "😀": 'cards: unknown rank "😀" at column 1; expected a rank 2-9 T J Q K A or 10',
    "\u202eAs": 'cards: unknown rank "\\u202e" in "\\u202eAs" at column 1; '
    "expected a rank 2-9 T J Q K A or 10",
    "\udcff": 'cards: unknown rank "\\udcff" at column 1; expected a rank 2-9 T J Q K A or 10',
    "As Kd As": "cards: As used more than once (again at column 7)",
    "As Kd kd 2c AS A♠": "cards: Kd, As used more than once (again at column 7)",
    "Js Qh Kd 3h 4h 5h 6c 7h 3c 4c 5h 6h 7d": "cards: 5h used more than once (again at column 31)",
    "As 2h 3d 3h 4h 5h 6c 7h Ac 2c 3h 4h 5d": "cards: 3h, 4h used more than once "
    "(again at column 31)",
    "S:AKQA": "cards: As used more than once (again at column 6)",
}


@pytest.mark.parametrize(("text", "message"), BAD.items())
def test_names_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "dead: no cards, expected 2"),
        ("As", "dead: 1 card, expected 2"),
        ("As Kd 2c", "dead: 3 cards, expected 2"),
        ("As As 2c", "dead: As used more than once (again at column 4); 3 cards, expected 2"),
    ],
)
def test_counts_cards(text: str, message: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text, "dead", 2)
    assert str(caught.value) == message
    assert len(parse_cards("As Kd", "dead", 2)) == 2


def test_columns_start_after_the_offset() -> None:
    with pytest.raises(CardError, match=r'^back: unknown suit "x" in "Kx" at column 15;'):
        parse_cards("As Kx", "back", offset=10)


@pytest.mark.parametrize("text", ["x" * 10**6, "As" * 10**5, "A" * 10**5, "\0" * 10**5])
def test_long_text_gives_a_short_message(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert len(str(caught.value)) < 120


CARD_LIKE = st.text(alphabet="23456789TJQKA10cdhsCDHS♠♡:-,; x\0\ufe0f😀Ａ")


@given(st.one_of(st.text(), CARD_LIKE))
def test_any_text_is_cards_or_one_clear_line(text: str) -> None:
    try:
        found = parse_cards(text)
    except CardError as error:
        message = str(error)
        assert message.isprintable()
        assert len(message) < 400
        assert "column" in message
    else:
        assert len(set(found)) == len(found)
        assert set(found) <= set(DECK)


@st.composite
def spelled_cards(draw: st.DrawFn) -> tuple[tuple[int, ...], str]:
    """Some cards, and a way to write them one by one."""
    chosen = draw(card_sets(draw(st.integers(0, 20))))
    text = draw(st.sampled_from(["", " "]))
    for card in chosen:
        rank = RANKS[card // 4]
        suit = SUITS[card % 4]
        rank = draw(st.sampled_from([rank, rank.lower(), *(["10"] if rank == "T" else [])]))
        text += rank + draw(st.sampled_from([suit, suit.upper(), *SYMBOLS[suit]]))
        text += draw(st.sampled_from(["", " ", ",", ";", ", ", "  ", "\t"]))
    return chosen, text


@given(spelled_cards())
def test_reads_any_mix_of_spellings(spelled: tuple[tuple[int, ...], str]) -> None:
    expected, text = spelled
    # A symbol without a rank before it opens a group, so cards by symbols must not run together
    # with such a group; here every symbol follows a rank.
    assert parse_cards(text) == expected


@given(
    card_sets(13),
    st.sampled_from(["{suit}:", "{suit}: ", "{symbol}", "{symbol} ", "{symbol}:"]),
    st.sampled_from(["", " ", ","]),
)
def test_reads_groups_by_suit(deal: tuple[int, ...], mark: str, between: str) -> None:
    ordered = sorted(deal, key=lambda card: (-(card % 4), -card))
    text = ""
    for number, suit in reversed(list(enumerate(SUITS))):
        ranks = [RANKS[card // 4].replace("T", "10") for card in ordered if card % 4 == number]
        text += mark.format(suit=suit, symbol=SYMBOLS[suit][0]) + (between.join(ranks) or "-") + " "
    assert parse_cards(text, count=13) == tuple(ordered)


@given(cards)
def test_a_card_is_written_as_it_is_read(card: int) -> None:
    text = format_card(card)
    assert len(text) == 2
    assert parse_cards(text) == (card,)


def test_check_distinct_names_every_repeat() -> None:
    hands = [("amy", (51, 0)), ("bob", (51, 1)), ("carl", (0, 51))]
    with pytest.raises(CardError) as caught:
        check_distinct(hands)
    assert str(caught.value) == "cards used more than once: As (amy, bob, carl), 2c (amy, carl)"
    check_distinct([("amy", (51, 0)), ("bob", (1, 2))])


def test_describe_count() -> None:
    assert [describe_count(number) for number in (0, 1, 2)] == ["no cards", "1 card", "2 cards"]


def test_quote_text_keeps_to_one_short_line() -> None:
    assert quote_text("a\nb") == '"a\\nb"'
    assert quote_text("abcdef", 3) == '"abc..."'


def test_suggest_name() -> None:
    assert suggest_name("Arange", ["arrange", "rules"]) == '; did you mean "arrange"?'
    assert suggest_name("zzz", ["arrange", "rules"]) == ""
