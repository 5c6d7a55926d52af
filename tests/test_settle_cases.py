"""Settlement of the faults and disputes reported for other tools (cases.md), by number.

Cards and amounts are those of the file; where it gives none, they are ours and worked out by hand.
"""

from functools import cache

import pytest

from cp_cli.arrangement import Natural, Row, parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.errors import CardError, TableError
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement import BEST, Fantasyland, Hand, Item, Seat, Settlement, Table, settle
from tests.seating import list_pairs, seat_hands, set_rest, sum_items


@cache
def load(name: str, *overrides: str) -> Ruleset:
    return load_ruleset(name, overrides)


def settle_two(first: str, second: str, ruleset: Ruleset) -> Settlement:
    return settle(Table(seat_hands({"A": first, "B": second})), ruleset)


def pay_two(first: str, second: str, name: str, *overrides: str) -> int:
    """Return what B pays A; the other way round it must be the same."""
    ruleset = load(name, *overrides)
    units = list_pairs(settle_two(first, second, ruleset))["A-B"]
    assert list_pairs(settle_two(second, first, ruleset)) == {"A-B": -units}
    assert isinstance(units, int)
    return units


def settle_alone(rows: str, ruleset: Ruleset, *, inside: bool = False) -> tuple[Hand, Settlement]:
    """Settle a hand against a plain one of its remaining cards."""
    arrangement = parse_arrangement(rows)
    plain = set_rest(arrangement.cards)
    seats = (Seat("A", arrangement, in_fantasyland=inside), Seat("B", plain))
    done = settle(Table(seats), ruleset)
    return done.hands[0], done


# --- A. fouls ------------------------------------------------------------------------------------

WHEEL_IN_BACK = "Kh Qd 9s / 2h 3d 4c 5s 6h / Ah 2d 3c 4s 5d"
EQUAL_STRAIGHTS = "2s 3d 4c / Ts Jd Qc Kh As / Th Jh Qh Ks Ad"
FRONT, MIDDLE = "front beats middle", "middle beats back"


@pytest.mark.parametrize(
    ("rows", "overrides", "beaten"),
    [
        pytest.param("As Ah Kd / 2c 2d 7s 9h Jc / Kh Qh 8h 5h 3h", [], FRONT, id="1"),
        pytest.param("Ah Ad 7c / 2h 2d 9s 8c 4h / Kc Kd 5s 5h 3d", [], FRONT, id="2"),
        pytest.param("Ah Kd 9c / Ks Qd Jc 8h 6s / 5c 5d 4h 3s 2d", [], FRONT, id="4"),
        pytest.param("4s 4h Kd / 9s 3s 5s Qs Ks / 9h 2h 5h Qh Kh", [], MIDDLE, id="7"),
        pytest.param(WHEEL_IN_BACK, [], MIDDLE, id="8"),
        pytest.param(WHEEL_IN_BACK, ["order.wheel=second"], None, id="8-wheel-second"),
        pytest.param("4d 4h 4s / 3c 3d 3h 9c 8c / Ac Kc 6c 5c 2c", [], FRONT, id="9"),
        pytest.param("Ah Ad 3c / 2c 2d Ks Qh Js / Kh Kc 4s 4d 9c", [], FRONT, id="13"),
        pytest.param(EQUAL_STRAIGHTS, [], None, id="14"),
        pytest.param(
            EQUAL_STRAIGHTS, ["order.equal_rows=foul"], "middle equals back", id="14-strict"
        ),
    ],
)
def test_a_foul_loses_three_rows_and_the_sweep(
    rows: str, overrides: list[str], beaten: str | None
) -> None:
    """1-14: in 1-6 scoring every opponent is paid 6, each of the three rows by the foul."""
    hand, done = settle_alone(rows, load("one-six", *overrides))
    items = sum_items(done, "A-B")
    if beaten is None:
        assert hand.foul is None
        assert not any(reason == "foul" for reason, _ in items)
        return
    above, verb, below = beaten.split()
    assert hand.foul is not None
    assert hand.foul.startswith(f"{above} (") or verb == "equals"
    assert f" {verb} {below} (" in hand.foul
    assert items == {("foul", 0): -1, ("foul", 1): -1, ("foul", 2): -1, ("sweep", None): -3}
    assert list_pairs(done) == {"A-B": -6}


def test_7_a_card_used_twice_comes_before_the_foul() -> None:
    rows = "4s 4h {} / 9s 3s 5s Qs Ks / 9h 2h 5h Qh Kh"
    with pytest.raises(CardError, match="Ks"):
        settle_alone(rows.format("Ks"), load("one-six"))


def test_9_fantasyland_board_of_trips_in_front() -> None:
    """Royalties 12, 2 and 4, and trips in front stay."""
    rows = "4c 4d 4h / 6c 6d 6s 8s Jd / Ac Kc 9c 8c 3c"
    hand, _ = settle_alone(rows, load("pineapple"), inside=True)
    assert hand.royalties == (12, 2, 4)
    assert hand.fantasyland == Fantasyland(14, stays=True)


# --- B. equal rows -------------------------------------------------------------------------------


def test_23_equal_fronts_tie_whatever_their_suits() -> None:
    first = "As 2c Kc / 5c 5d 9h 8c 3s / 7c 7d Jh Tc 4s"
    second = "Ad 2d Kd / 6h 6s 9c 8d 3h / 8h 8s Jc Td 4h"
    done = settle_two(first, second, load("basic"))
    assert done.pairs[0].outcomes == (0, -1, -1)
    assert sum_items(done, "A-B") == {("row", 1): -1, ("row", 2): -1}
    with pytest.raises(TableError, match=r"Kc \(A, B\)"):
        settle_two(first, second.replace("Kd", "Kc"), load("basic"))


# --- C. settlement -------------------------------------------------------------------------------

CASE_28 = (
    "Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s",
    "Th 9s 7s / Kd 6d 5d 4d 3d / Kc Qc 6c 5c 4c",
)
CASE_29 = (  # front and middle won, back lost
    "Qs Qd 4c / As Ad 9c 9h 3s / Td 9s 8s 7c 6c",
    "Js Jd 5c / Kc Kd 6s 6h 2c / Kh Jh 8h 4h 2h",
)
CASE_39 = (
    "Js Jd 9c / Qh Qs 8c 4c 2h / As Ks 6s 5s 3s",
    "Th 9d 7c / Kc Qd 8d 5c 4s / Ah Kh 6h 5h 3h",
)
SCOOP = (CASE_39[0], "Th 9d 7c / Kc Qd 8d 5c 4s / Ah Qc 6h 5h 3h")
TIE_COUNTS = ("sweep.tie_counts=true",)


@pytest.mark.parametrize(
    ("boards", "name", "overrides", "units"),
    [
        pytest.param(CASE_28, "basic", (), 1, id="28-1-1-1"),
        pytest.param(CASE_28, "two-four", (), 2, id="28-2-4"),
        pytest.param(CASE_28, "one-six", (), 1, id="28-1-6"),
        pytest.param(CASE_29, "two-four", (), 2, id="29-2-4"),
        pytest.param(CASE_29, "one-six", (), 1, id="29-1-6"),
        pytest.param(SCOOP, "two-four", (), 4, id="29-scoop-2-4"),
        pytest.param(SCOOP, "one-six", (), 6, id="29-scoop-1-6"),
        pytest.param(CASE_39, "basic", (), 2, id="39-1-1-1"),
        pytest.param(CASE_39, "two-four", (), 3, id="39-2-4"),
        pytest.param(CASE_39, "one-six", (), 2, id="39-1-6"),
        # The other setting: two rows won and one equal is a scoop.
        pytest.param(CASE_39, "one-six", TIE_COUNTS, 5, id="39-1-6-tie-counts"),
    ],
)
def test_rows_and_scoops(
    boards: tuple[str, str], name: str, overrides: tuple[str, ...], units: int
) -> None:
    assert pay_two(*boards, name, *overrides) == units


@pytest.mark.parametrize(
    ("row", "back", "middle"),
    [
        ("5h 6h 7h 8h 9h", 15, 30),
        ("Ah Kh Qh Jh Th", 25, 50),
        ("Ac 2c 3c 4c 5c", 15, 30),
    ],
)
def test_31_royalties_of_straight_flushes(row: str, back: int, middle: int) -> None:
    hand, done = settle_alone(f"2h 3s 4d / 2d 3d 6s 7d 8s / {row}", load("open-face"))
    assert hand.royalties == (0, 0, back)
    assert Item("royalty", Row.BACK, back) in done.pairs[0].items
    # Two straight flushes: the royal in the back is the higher of any.
    hand, done = settle_alone(f"2h 3s 4d / {row} / As Ks Qs Js Ts", load("open-face"))
    assert hand.royalties == (0, middle, 25)
    assert Item("royalty", Row.MIDDLE, middle) in done.pairs[0].items


@pytest.mark.parametrize(
    ("front", "royalty", "cards"),
    [("8s 8h Kd", 3, 0), ("Js Jh Kd", 6, 0), ("Qs Qh Kd", 7, 13)],
)
def test_34_queens_are_the_lowest_that_enter(front: str, royalty: int, cards: int) -> None:
    hand, _ = settle_alone(f"{front} / As Ad 9s 9d 3c / Ts 9c 8d 7c 6h", load("open-face"))
    assert hand.royalties[0] == royalty
    assert hand.fantasyland == (Fantasyland(cards, stays=False) if cards else None)


@pytest.mark.parametrize(
    ("overrides", "cards"), [((), 14), (("fantasyland.stay_cards=by_front",), 16)]
)
def test_37_aces_in_front_of_a_board_that_stays(overrides: tuple[str, ...], cards: int) -> None:
    rows = "As Ah Kd / Ks Kc 4s 4d 3c / 7s 7h 7d 7c 2h"
    hand, _ = settle_alone(rows, load("progressive-pineapple", *overrides), inside=True)
    assert hand.fantasyland == Fantasyland(cards, stays=True)


@pytest.mark.parametrize(
    ("overrides", "cards"), [((), None), (("fantasyland.stay.middle=full_house",), 14)]
)
def test_38_a_full_house_in_the_middle(overrides: tuple[str, ...], cards: int | None) -> None:
    rows = "Qs Qh Kd / 5s 5h 5d 2c 2d / 8s 8h 8d Jc Jd"
    hand, _ = settle_alone(rows, load("pineapple", *overrides), inside=True)
    assert hand.fantasyland == (None if cards is None else Fantasyland(cards, stays=True))


CASE_41 = (
    "As Ah Ad / Ks Kh Kd 5c 7c / Qs Qh Qd 2c 3c",
    "2s 3h 4d / 5s 6h 7d 8c 9c / Ts Jh Qd Kc Ac",
)


def test_41_a_card_in_two_boards_is_refused() -> None:
    with pytest.raises(TableError, match=r"card used more than once: Qd \(A, B\)"):
        settle_two(*CASE_41, load("open-face"))
    # The arithmetic is right: 6 for the scoop, straights of 4 and 2.
    first, second = CASE_41[0], CASE_41[1].replace("Qd", "Qc")
    assert pay_two(first, second, "open-face") == -12
    items = sum_items(settle_two(first, second, load("open-face")), "A-B")
    assert (items["royalty", 1], items["royalty", 2]) == (-4, -2)
    with pytest.raises(CardError, match="2d"):
        settle_two(first, second.replace("2s", "2d").replace("6h", "2d"), load("open-face"))


def test_43_two_fouled_hands_pay_each_other_nothing() -> None:
    first = "As Ah Kd / 2c 2d 7s 9h Jc / Kh Qh 8h 5h 3h"
    second = "Ac Ad 7c / 2h 2s 9s 8c 4h / Kc Ks 5s 5d 3d"
    done = settle_two(first, second, load("open-face"))
    assert [hand.foul is not None for hand in done.hands] == [True, True]
    assert [hand.royalties for hand in done.hands] == [(0, 0, 0), (0, 0, 0)]
    assert (done.pairs[0].units, done.pairs[0].items) == (0, ())
    # Nor does either win a row of the pot: the stakes go back, row by row.
    done = settle_two(first, second, load("ante"))
    for player in done.players:
        assert (player.units, [item.units for item in player.items]) == (0, [-3, 1, 1, 1])


# --- D. naturals ---------------------------------------------------------------------------------


def declare(cards: str, *others: str, name: str, overrides: tuple[str, ...] = ()) -> Settlement:
    """Settle best naturals against each other, or one against a plain hand."""
    deals = [parse_cards(text) for text in (cards, *others)]
    seats = [
        Seat(player, cards=deal, natural=BEST) for player, deal in zip("AB", deals, strict=False)
    ]
    if not others:
        seats.append(Seat("B", set_rest(deals[0])))
    return settle(Table(tuple(seats)), load(name, *overrides))


CASE_44 = "Ac 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd"
DRAGON = "2h 3d 4c 5s 6h 7d 8c 9s Th Jd Qc Ks Ah"
SIX_PAIRS = "2d 2c 3h 3c 4h 4d 5h 5c 6d 6c 7h 7c As"
FIVE_PAIRS_TRIPS = "2h 2d 2c 3s 3h 4d 4c 5s 5h 6d 6c 7s 7h"


@pytest.mark.parametrize(
    ("overrides", "natural", "units"),
    [
        ((), Natural.DRAGON, 13),
        # The other setting: the house that ranks twelve of one suit (here: colour) higher.
        (
            ("naturals={rank: listed, list: [[dragon, 13], [twelve_one_colour, 8]]}",),
            Natural.TWELVE_ONE_COLOUR,
            8,
        ),
    ],
)
def test_44_only_the_highest_natural_is_paid(
    overrides: tuple[str, ...], natural: Natural, units: int
) -> None:
    done = declare(CASE_44, name="hawaiian-gardens", overrides=overrides)
    assert done.hands[0].natural == (natural, units)
    assert sum_items(done, "A-B") == {("natural", None): units}


@pytest.mark.parametrize(("clash", "units"), [("higher", 13), ("difference", 10)])
def test_45_higher_natural_or_difference(clash: str, units: int) -> None:
    overrides = (f"naturals.clash={clash}",)
    for first, second, sign in ((DRAGON, SIX_PAIRS, 1), (SIX_PAIRS, DRAGON, -1)):
        done = declare(first, second, name="pagat-standard", overrides=overrides)
        # Nothing is added from the rows.
        assert sum_items(done, "A-B") == {("natural", None): sign * units}


@pytest.mark.parametrize(
    ("name", "overrides", "natural", "units"),
    [
        ("vietnamese", (), Natural.FIVE_PAIRS_TRIPS, 6),
        ("basic", ("naturals={list: [[five_pairs_trips, 4]]}",), Natural.FIVE_PAIRS_TRIPS, 4),
        ("pagat-standard", (), Natural.SIX_PAIRS, 3),
    ],
)
def test_47_five_pairs_and_three_of_a_kind(
    name: str, overrides: tuple[str, ...], natural: Natural, units: int
) -> None:
    done = declare(FIVE_PAIRS_TRIPS, name=name, overrides=overrides)
    assert done.hands[0].natural == (natural, units)
    assert list_pairs(done) == {"A-B": units}


def test_47_refused_as_six_pairs() -> None:
    switch = "naturals.trips_as_pair=false"
    with pytest.raises(TableError, match="A: declares a natural, but the cards hold none"):
        declare(FIVE_PAIRS_TRIPS, name="pagat-standard", overrides=(switch,))
    cards = parse_cards(FIVE_PAIRS_TRIPS)
    seats = (Seat("A", cards=cards, natural=Natural.SIX_PAIRS), Seat("B", set_rest(cards)))
    with pytest.raises(TableError, match=r"A: declares six pairs: .*three twos"):
        settle(Table(seats), load("pagat-standard", switch))


CASE_48 = {
    "5h": "Js Qh Kd 3h 4h 5h 6c 7h 3c 4c 5h 6h 7d",
    "3h 4h": "As 2h 3d 3h 4h 5h 6c 7h Ac 2c 3h 4h 5d",
}


@pytest.mark.parametrize("repeated", CASE_48)
def test_48_cards_that_a_hand_holds_twice(repeated: str) -> None:
    cards = tuple(card for text in CASE_48[repeated].split() for card in parse_cards(text))
    seats = (Seat("A", cards=cards, natural=BEST), Seat("B", set_rest(cards)))
    with pytest.raises(TableError) as caught:
        settle(Table(seats), load("pagat-standard"))
    named = ", ".join(f"{card} (A, A)" for card in repeated.split())
    noun = "cards" if " " in repeated else "card"
    assert str(caught.value) == f"{noun} used more than once: {named}"


A23_IN_FRONT = "As 2h 3d 3h 4h 5h 6c 7h Ac 2c 3s 4s 5d"
QKA_IN_FRONT = "Qs Kh Ad 3h 4h 5h 6c 7h 3c 4c 5d 6h 7d"
NO_QKA = ("naturals.front_qka=false",)


@pytest.mark.parametrize(
    ("cards", "overrides", "held"),
    [
        (A23_IN_FRONT, (), True),
        (A23_IN_FRONT, NO_QKA, True),
        (QKA_IN_FRONT, (), True),
        (QKA_IN_FRONT, NO_QKA, False),
    ],
)
def test_48_straights_with_an_ace_in_front(
    cards: str, overrides: tuple[str, ...], held: bool
) -> None:
    """With the repeated cards exchanged; item 15 of the rules: A-2-3 always is a straight."""
    if held:
        done = declare(cards, name="pagat-standard", overrides=overrides)
        assert done.hands[0].natural == (Natural.THREE_STRAIGHTS, 3)
        assert list_pairs(done) == {"A-B": 3}
        return
    with pytest.raises(TableError, match="the cards hold none"):
        declare(cards, name="pagat-standard", overrides=overrides)
