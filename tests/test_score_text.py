"""Hands as players type them: names, words, rows and cards."""

import pytest

from cp_cli.arrangement import Natural, Row, parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.cli.score_hands import looks_like_file, looks_like_hand, read_hands, split_line
from cp_cli.errors import CpokerError, InputError
from cp_cli.ruleset import load_ruleset
from cp_cli.settlement import BEST, Seat
from tests.score_deals import list_hands, write_line

AMY_BOB = list_hands("V03")
AMY, BOB = (parse_arrangement(hand) for hand in AMY_BOB.values())
SEATS = (Seat("Amy", AMY), Seat("Bob", BOB))
AMY_TEXT, BOB_TEXT = (f"{name}: {hand}" for name, hand in AMY_BOB.items())
THIRTEEN = "As Kd Qh Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s"


def read_third(text: str) -> Seat:
    """Return the third hand of a deal."""
    return read_hands(["Yan: surrender", "Zoe: surrender", text])[2]


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        (AMY_TEXT, Seat("Amy", AMY)),
        (AMY_BOB["Amy"], Seat("P3", AMY)),
        (f"  Anna Lena-O'Neil :{AMY_BOB['Amy'].replace('/', '|')}", Seat("Anna Lena-O'Neil", AMY)),
        ("王: surrender", Seat("王", surrendered=True)),
        ("surrender", Seat("P3", surrendered=True)),
        ("Jonas:surrender", Seat("Jonas", surrendered=True)),
        (f"Amy: SURRENDER {THIRTEEN}", Seat("Amy", cards=parse_cards(THIRTEEN), surrendered=True)),
        (f"Amy: {AMY} surrender", Seat("Amy", AMY, surrendered=True)),
        (f"Amy: natural {THIRTEEN}", Seat("Amy", cards=parse_cards(THIRTEEN), natural=BEST)),
        (f"Amy: {AMY} natural", Seat("Amy", AMY, natural=BEST)),
        (f"Amy: natural=six_pairs {AMY}", Seat("Amy", AMY, natural=Natural.SIX_PAIRS)),
        (f"Amy: natural=six pairs {AMY}", Seat("Amy", AMY, natural=Natural.SIX_PAIRS)),
        (f"Amy: {AMY} natural = six pairs", None),
        (f"Amy: {AMY} natural= all low", Seat("Amy", AMY, natural=Natural.ALL_LOW)),
        (
            f"Amy: royalties=front,back {AMY}",
            Seat("Amy", AMY, declared=frozenset({Row.FRONT, Row.BACK})),
        ),
        (
            f"Amy: {AMY} royalties=Middle, back fantasyland",
            Seat("Amy", AMY, declared=frozenset({Row.MIDDLE, Row.BACK}), in_fantasyland=True),
        ),
        # A suit letter may be a player, or begin a group of cards.
        (f"S: {AMY}", Seat("S", AMY)),
        (
            "S:Q D:Q C:4 / As Ad 9c 7h 3s / ♥KJ862",
            Seat("P3", parse_arrangement("Qs Qd 4c / As Ad 9c 7h 3s / Kh Jh 8h 6h 2h")),
        ),
        ("N: S:Q D:Q C:4 / As Ad 9c 7h 3s / H:KJ862", Seat("N", AMY)),
        ("Qs D:Q C:4 / As Ad 9c 7h 3s / H:KJ862", Seat("P3", AMY)),
        ("Amy:", Seat("Amy")),
    ],
)
def test_hands(text: str, seat: Seat | None) -> None:
    if seat is None:
        with pytest.raises(InputError, match=r'^Amy: unknown word "="; expected cards or'):
            read_third(text)
    else:
        assert read_third(text) == seat


BAD_HANDS = {
    "Amy: Qs Qd / As Ad 9c 7h 3s 4c / Kh Jh 8h 6h 2h": "Amy: front: 2 cards, expected 3; "
    "middle: 6 cards, expected 5",
    "Amy: Qs Qd 4c / As Ad 9x 7h 3s / Kh Jh 8h 6h 2h": 'Amy: middle: unknown suit "x" in "9x" '
    "at column 24; expected a suit c d h s",
    "Qs Qd 4c / As Ad 1c 7h 3s / Kh Jh 8h 6h 2h": 'P3: middle: unknown rank "1" in "1c" at '
    "column 18; expected a rank 2-9 T J Q K A or 10",
    "Amy: Qs Qd 4c / As Ad Qs 7h 3s / Kh Jh 8h 6h 2h": "Amy: card used more than once: Qs "
    "(front, middle)",
    "Amy: Qs Qd 4c / As Ad 9c 7h 3s": "Amy: arrangement: 2 rows, expected 3: front / middle / back",
    "Amy: As Kd": "Amy: cards: 2 cards, expected 13",
    f"Amy: natural {THIRTEEN} 2h": "Amy: cards: 14 cards, expected 13",
    "Amy: surender": 'Amy: unknown word "surender"; did you mean "surrender"?',
    "Amy: gives up early": 'Amy: unknown word "gives"; expected cards or surrender, natural, '
    "royalties, fantasyland",
    "Amy: chips=5": 'Amy: unknown word "chips"; expected cards or surrender, natural, royalties, '
    "fantasyland",
    "Amy: surrender surrender": "Amy: surrender given twice",
    "Amy: surrender=now": "Amy: surrender=now; expected surrender alone",
    "Amy: natural=six_pears As": 'Amy: unknown natural "six_pears"; did you mean "six pairs"?; '
    "cards: 1 card, expected 13",
    "Amy: natural=foo royalties=frnt surrender=now": 'Amy: unknown natural "foo"; see cpoker rules '
    'show NAME; unknown row "frnt"; did you mean "front"?; surrender=now; expected surrender alone',
    "Amy: Qs Qd Qs 4c / As Ad 9x 7h 3s / Kh Jh 8h 6h": "Amy: front: Qs used more than once (again "
    'at column 12); 4 cards, expected 3; middle: unknown suit "x" in "9x" at column 27; expected a '
    "suit c d h s; back: 4 cards, expected 5",
    "Amy: Qs Qd 4c 5c / As Ad Qs 7h 3s / Kh 5c 8h 6h 2h": "Amy: front: 4 cards, expected 3; cards "
    "used more than once: Qs (front, middle), 5c (front, back)",
    f"Amy: royalties=frnt {AMY}": 'Amy: unknown row "frnt"; did you mean "front"?',
    f"Amy: royalties {AMY}": "Amy: royalties without rows; expected rows as in "
    "royalties=front,back",
    ": surrender": 'name ""; expected 1 to 40 printable characters and no colon',
    "A\x07my: surrender": 'name "A\\x07my"; expected 1 to 40 printable characters and no colon',
    f"{'A' * 41}: surrender": f'name "{"A" * 40}..."; expected 1 to 40 printable characters and '
    "no colon",
}


@pytest.mark.parametrize(("text", "message"), BAD_HANDS.items(), ids=range(len(BAD_HANDS)))
def test_bad_hands(text: str, message: str) -> None:
    with pytest.raises(CpokerError) as caught:
        read_third(text)
    assert str(caught.value) == message


def test_faults_of_all_hands_are_told_together() -> None:
    with pytest.raises(InputError) as caught:
        read_hands(["Amy: As Kd", BOB_TEXT, "Cat: surender"])
    assert str(caught.value) == (
        'Amy: cards: 2 cards, expected 13; Cat: unknown word "surender"; did you mean "surrender"?'
    )


def test_players_with_two_hands() -> None:
    seats = read_hands(["X: surrender", "Y: surrender", "X: surrender", "surrender"])
    assert [(seat.name, seat.owner) for seat in seats] == [
        ("X 1", "X"),
        ("Y", None),
        ("X 2", "X"),
        ("P4", None),
    ]


def test_hands_on_one_line() -> None:
    hands = split_line(f"{AMY_TEXT};{BOB_TEXT};")
    assert read_hands(hands) == SEATS
    with pytest.raises(InputError, match=r"^Bob: cards: unknown rank .* at column 10;"):
        read_hands(split_line("A: ;Bob: Xs"))


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["", "", "", ""], ["P1", "P2", "P3", "P4"]),
        (["", "P2:", ""], ["P1", "P2", "P3"]),
        (["P2:", "", ""], ["P2", "P3", "P4"]),
        (["", "P1:", "", "P3:"], ["P2", "P1", "P4", "P3"]),
        (["P3:", "", "", "P2:"], ["P3", "P4", "P5", "P2"]),
        (["", "p1:", "P 2:"], ["P1", "p1", "P 2"]),
    ],
)
def test_unnamed_hands_take_the_next_free_number(texts: list[str], names: list[str]) -> None:
    assert [seat.name for seat in read_hands(texts)] == names


def test_faults_of_unnamed_hands_have_the_number() -> None:
    with pytest.raises(InputError, match=r"^P3: cards: 1 card, expected 13$"):
        read_hands(["P2: surrender", "As"])


def test_nothing_is_said_about_fantasyland() -> None:
    silent, told = read_hands(["Amy: surrender", "Bob: surrender fantasyland"])
    assert (silent.in_fantasyland, told.in_fantasyland) == (None, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "foo",
            'Amy: unknown natural "foo"; ruleset pagat-standard has six pairs, three straights, '
            "three flushes, dragon",
        ),
        ("six_pears", 'Amy: unknown natural "six_pears"; did you mean "six pairs"?'),
        # Others have all low, but not these rules.
        (
            "al_low",
            'Amy: unknown natural "al_low"; ruleset pagat-standard has six pairs, three straights, '
            "three flushes, dragon",
        ),
    ],
)
def test_unknown_naturals_bring_those_of_the_rules(text: str, message: str) -> None:
    rules = load_ruleset("pagat-standard")
    with pytest.raises(InputError) as caught:
        read_hands([f"Amy: natural={text}"], lambda: rules)
    assert str(caught.value) == message
    with pytest.raises(InputError, match=r"; ruleset two-four has no naturals$"):
        read_hands([f"Amy: natural={text}"], lambda: load_ruleset("two-four"))


# --- hands or files ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "is_hand", "is_file"),
    [
        (AMY_TEXT, True, False),
        (AMY_BOB["Amy"], True, False),
        (AMY_BOB["Amy"].replace("/", "|"), True, False),
        (write_line(AMY_BOB), True, False),
        ("S:Q D:Q C:4 / S:A D:A C:9 H:7 S:3 / H:KJ862", True, False),
        ("♠AK", True, False),
        (f"natural {THIRTEEN}", True, False),
        ("AsKd", True, False),
        ("As Xd Kh", True, False),
        ("Amy: surender", True, False),
        ("Amy:", True, False),
        ("Amy:surrender", True, False),
        ("SURRENDER", True, False),
        ("natural=dragon", True, False),
        ("Amy: gives up / early", True, False),
        ("9sept", False, False),
        ("9sept.yaml", False, True),
        ("C:/deals.yaml", False, True),
        ("C:\\deals", False, True),
        ("C:deals", False, False),
        ("deals.JSONL", False, True),
        ("./x", False, True),
        ("../games/friday", False, True),
        ("/cards/As", False, True),
        ("As", False, False),
        ("deals", False, False),
        ("", False, False),
    ],
)
def test_hands_and_files_are_told_apart(text: str, is_hand: bool, is_file: bool) -> None:
    assert looks_like_file(text) is is_file
    if not is_file:
        assert looks_like_hand(text) is is_hand
