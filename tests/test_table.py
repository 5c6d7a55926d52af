"""What makes a deal impossible to settle, and what is said about it."""

from dataclasses import replace
from typing import Any

import pytest

from cp_cli.arrangement import Natural, parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.errors import TableError
from cp_cli.ruleset import load_ruleset
from cp_cli.settlement import BEST, Seat, Table, settle
from tests.seating import list_pairs, seat_hands

HANDS = {  # V05 of the vectors
    "Amy": "As Ah Jc / 9s 9h 4s 4h 7c / Qc Jd Td 9c 8s",
    "Bob": "Ad Kc 6c / 8h 7d 6d 5d 4d / 2s 2h 2d 7s 7h",
    "Cat": "Ks Kh Qd / 6s 6h 5s 5h 9d / Js Jh 3s 3h 4c",
    "Dan": "Ac Kd 3d / Qs Qh 5c 3c 2c / Ts Th Tc 8d 8c",
}


BOB = parse_cards(HANDS["Bob"].replace("/", ""))


def lay_table(*names: str, **changes: Any) -> Table:
    """Seat some of the players; fields of a seat by player, all else is the table's."""
    by_seat = ("natural", "surrendered", "declared", "chips", "in_fantasyland", "owner")
    seats = {key: changes.pop(key) for key in by_seat if key in changes}
    hands = {name: HANDS[name] for name in names or HANDS}
    return Table(seat_hands(hands, **seats), **changes)


def fail(table: Table, ruleset: str = "two-four", *overrides: str) -> str:
    """Return the message of a table that must be refused; it has to be one line."""
    with pytest.raises(TableError) as caught:
        settle(table, load_ruleset(ruleset, overrides))
    message = str(caught.value)
    assert message.isprintable()
    return message


def test_the_table_of_these_tests_can_be_settled() -> None:
    assert len(list_pairs(settle(lay_table(), load_ruleset("two-four")))) == 6


# --- cards ---------------------------------------------------------------------------------------


def test_a_card_in_two_hands_is_named_with_its_players() -> None:
    table = lay_table("Amy", "Bob", "Cat")
    rows = parse_arrangement(HANDS["Cat"].replace("Ks", "As").replace("4c", "Kc"))
    wrong = replace(table, seats=(*table.seats[:2], Seat("Cat", rows)))
    with pytest.raises(TableError) as caught:
        settle(wrong, load_ruleset("two-four"))
    assert str(caught.value) == "cards used more than once: As (Amy, Cat), Kc (Bob, Cat)"


def test_cards_of_a_hand_that_surrendered_count_as_well() -> None:
    cards = parse_cards(HANDS["Bob"].replace("/", "").replace("Ad", "Ah"))
    seats = (*lay_table("Amy").seats, Seat("Bob", cards=cards, surrendered=True))
    with pytest.raises(TableError, match=r"card used more than once: Ah \(Amy, Bob\)"):
        settle(Table(seats), load_ruleset("two-four", ["surrender=1"]))


@pytest.mark.parametrize("count", [1, 12])
def test_a_wrong_number_of_cards(count: int) -> None:
    bob = Seat("Bob", cards=BOB[:count], natural=BEST)
    message = fail(Table((*lay_table("Amy").seats, bob)), "pagat-standard")
    noun = "card" if count == 1 else "cards"
    assert message == f"Bob: {count} {noun}, expected 13"


# --- players -------------------------------------------------------------------------------------


def test_a_name_used_twice() -> None:
    seats = lay_table().seats
    again = (*seats[:2], replace(seats[2], name="Amy"), replace(seats[3], name="Bob"))
    assert fail(Table(again)) == (
        'players: name used more than once: "Amy", "Bob"; expected different names'
    )


@pytest.mark.parametrize("changes", [{"name": "house"}, {"owner": "house"}])
def test_the_house_is_no_player(changes: dict[str, Any]) -> None:
    seats = lay_table("Amy", "Bob").seats
    message = fail(Table((seats[0], replace(seats[1], **changes))))
    assert message == 'players: "house" is who takes a rake; expected another name'


@pytest.mark.parametrize(
    ("names", "overrides", "found"),
    [
        (["Amy"], [], "1 player (Amy); ruleset two-four expects 2 to 4"),
        (list(HANDS), ["players.max=3"],
         "4 players (Amy, Bob, Cat, Dan); ruleset two-four expects 2 to 3"),
        (["Amy", "Bob"], ["players.min=4"],
         "2 players (Amy, Bob); ruleset two-four expects 4"),
    ],
)  # fmt: skip
def test_too_few_or_too_many_players(names: list[str], overrides: list[str], found: str) -> None:
    assert fail(lay_table(*names), "two-four", *overrides) == f"players: {found}"


def test_five_players_are_too_many_whatever_they_hold() -> None:
    table = lay_table()
    five = replace(table, seats=(*table.seats, replace(table.seats[0], name="Eve")))
    assert fail(five) == (
        "players: 5 players (Amy, Bob, Cat, Dan, Eve); ruleset two-four expects 2 to 4"
    )


@pytest.mark.parametrize(
    ("owner", "found"),
    [
        ({}, "Amy 1, Bob 1, Cat 1, Dan 1"),
        ({"Amy": "X", "Bob": "X", "Cat": "X", "Dan": "Y"}, "X 3, Y 1"),
        ({"Amy": "X", "Bob": "X", "Cat": "Y"}, "X 2, Y 1, Dan 1"),
    ],
)
def test_criss_cross_wants_two_hands_of_two_players(owner: dict[str, str], found: str) -> None:
    assert fail(lay_table(owner=owner), "criss-cross") == (
        f"players: hands by player: {found}; mode criss_cross expects two players with two hands "
        "each"
    )


def test_two_hands_of_a_player_are_for_criss_cross_only() -> None:
    owner = {"Amy": "X", "Bob": "Y", "Dan": "Y"}
    message = fail(lay_table(owner=owner))
    assert message == "players: Y has 2 hands, but that is played in mode criss_cross only"


# --- what a hand says ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "ruleset", "message"),
    [
        (
            Seat("Bob", surrendered=True),
            "two-four",
            "Bob: surrenders, but ruleset two-four has no surrender; --set surrender=N allows it",
        ),
        (
            Seat("Bob", cards=BOB, natural=BEST, surrendered=True),
            "hawaiian-gardens",
            "Bob: declares a natural and surrenders; expected one of them",
        ),
        (
            Seat("Bob", natural=BEST),
            "hawaiian-gardens",
            "Bob: declares a natural without cards; expected 13",
        ),
        (
            Seat("Bob"),
            "two-four",
            "Bob: no cards; expected front / middle / back, a natural or surrender",
        ),
        (
            Seat("Bob", cards=BOB),
            "two-four",
            "Bob: thirteen cards without rows; expected front / middle / back, a natural or "
            "surrender",
        ),
        (
            Seat("Bob", parse_arrangement(HANDS["Bob"]), in_fantasyland=True),
            "two-four",
            "Bob: in fantasyland, which ruleset two-four does not have",
        ),
        (
            Seat("Bob", parse_arrangement(HANDS["Bob"]), chips=-1),
            "two-four",
            "Bob: chips -1; expected 0 or more",
        ),
        (
            Seat("Bob", cards=BOB, natural=BEST),
            "two-four",
            "Bob: declares a natural, but ruleset two-four has no naturals",
        ),
        (
            Seat("Bob", cards=BOB, natural=BEST),
            "pagat-standard",
            "Bob: declares a natural, but the cards hold none of those of ruleset pagat-standard: "
            "six pairs, three straights, three flushes, dragon",
        ),
        (
            Seat("Bob", cards=BOB, natural=Natural.ONE_SUIT),
            "pagat-standard",
            "Bob: declares one suit: not a natural of ruleset pagat-standard; it has: six pairs, "
            "three straights, three flushes, dragon",
        ),
        (
            Seat("Bob", cards=BOB, natural=Natural.SIX_PAIRS),
            "pagat-standard",
            "Bob: declares six pairs: ",
        ),
        (
            Seat("Bob", cards=BOB, natural=BEST),
            "first-to-11",
            "Bob: declares a natural, but ruleset first-to-11 has no naturals",
        ),
    ],
)
def test_what_a_hand_may_not_say(seat: Seat, ruleset: str, message: str) -> None:
    found = fail(Table((*lay_table("Amy").seats, seat)), ruleset)
    assert found.startswith(message) if message.endswith(" ") else found == message


def test_the_ace_bet_needs_the_cards_of_who_surrenders() -> None:
    table = Table((*lay_table("Amy").seats, Seat("Bob", surrendered=True)))
    ruleset = load_ruleset("hawaiian-gardens")
    assert list_pairs(settle(table, ruleset)) == {"Amy-Bob": 3}
    found = fail(table, "hawaiian-gardens", "aces=[0, 1, 2, 6, 8]")
    assert found == "Bob: surrenders without cards; the ace bet needs all 13"
    shown = Table((*lay_table("Amy").seats, Seat("Bob", cards=BOB, surrendered=True)))
    ruleset = load_ruleset("hawaiian-gardens", ["aces=[0, 1, 2, 6, 8]"])
    # Amy holds two aces, Bob one.
    assert list_pairs(settle(shown, ruleset)) == {"Amy-Bob": 3 + 2 - 1}


def test_faults_of_cards_seats_and_claims_are_named_together() -> None:
    seats = lay_table("Amy", "Bob").seats
    cards = parse_cards(HANDS["Cat"].replace("/", "").replace("Ks", "As"))
    cat = Seat("Cat", cards=cards, natural=BEST, chips=-1)
    assert fail(Table((*seats, cat), dealer="Zoe"), "pagat-standard") == (
        "card used more than once: As (Amy, Cat); Cat: chips -1; expected 0 or more; "
        "Cat: declares a natural, but the cards hold none of those of ruleset pagat-standard: "
        "six pairs, three straights, three flushes, dragon; "
        'dealer: "Zoe" is not seated; expected one of Amy, Bob, Cat'
    )


def test_every_fault_is_named() -> None:
    table = lay_table(
        chips={"Amy": -1}, surrendered={"Bob": True}, dealer="Eve", stakes={frozenset(["Amy"]): 0}
    )
    parts = fail(table).split("; ")
    assert [part.split(":")[0] for part in parts if ":" in part] == [
        "Amy", "Bob", "dealer", "stakes Amy", "stakes Amy",
    ]  # fmt: skip


# --- dealer, bank, stakes, chips -----------------------------------------------------------------

SEATED = "expected one of Amy, Bob, Cat, Dan"


@pytest.mark.parametrize(
    ("ruleset", "changes", "message"),
    [
        ("two-four", {"dealer": "Zoe"}, f'dealer: "Zoe" is not seated; {SEATED}'),
        ("two-four", {"dealer": "Ami"}, 'dealer: "Ami" is not seated; did you mean "Amy"?'),
        ("malay", {}, f"banker: not named; {SEATED}"),
        ("malay", {"banker": "Zoe"}, f'banker: "Zoe" is not seated; {SEATED}'),
        ("two-four", {"banker": "Amy"}, 'banker: "Amy", but there is no bank in mode pairs'),
        ("ante", {"banker": "Amy"}, 'banker: "Amy", but there is no bank in mode row_pots'),
        (
            "two-four",
            {"stakes": {frozenset(["Amy", "Zoe"]): 2}},
            f'stakes Zoe-Amy: "Zoe" is not seated; {SEATED}',
        ),
        (
            "two-four",
            {"stakes": {frozenset(["Amy"]): 2}},
            "stakes Amy: expected two different players",
        ),
        (
            "two-four",
            {"stakes": {frozenset(["Cat", "Bob"]): 0}},
            "stakes Bob-Cat: 0; expected 1 or more",
        ),
        (
            "malay",
            {"banker": "Amy", "stakes": {frozenset(["Cat", "Bob"]): 2}},
            "stakes Bob-Cat: only pairs with the bank, Amy, settle",
        ),
        (
            "ante",
            {"stakes": {frozenset(["Cat", "Bob"]): 2}},
            "stakes: given, but in mode row_pots no pair settles",
        ),
        ("two-four", {"pot": {"Amy": 1}}, "pot: given, but mode pairs carries no pot"),
        ("ante", {"pot": {"Amy": 1}}, "pot: given, but mode row_pots carries no pot"),
        (
            "sole-winner",
            {"scores": {"Amy": 1}},
            "scores: given, but mode sole_winner keeps none",
        ),
    ],
)
def test_what_a_table_may_not_say(ruleset: str, changes: dict[str, Any], message: str) -> None:
    assert fail(lay_table(**changes), ruleset) == message


def test_the_bank_of_the_ruleset_must_be_seated() -> None:
    message = fail(lay_table("Bob", "Cat"), "malay", "bank.player=Amy")
    assert message == 'banker: "Amy" is not seated; expected one of Bob, Cat'
    # Who is named at the table goes before the ruleset's.
    ruleset = load_ruleset("malay", ["bank.player=Amy"])
    assert settle(lay_table("Bob", "Cat", banker="Cat"), ruleset).banker == "Cat"
    assert settle(lay_table("Amy", "Cat"), ruleset).banker == "Amy"


def test_dealer_and_chips_are_of_players_where_they_have_two_hands() -> None:
    owner = {"Amy": "X", "Bob": "X", "Cat": "Y", "Dan": "Y"}
    message = fail(lay_table(owner=owner, dealer="Amy"), "criss-cross")
    assert message == 'dealer: "Amy" is not seated; expected one of X, Y'
    chips = {"Amy": 10, "Bob": 20, "Cat": 5, "Dan": 5}
    message = fail(lay_table(owner=owner, chips=chips), "criss-cross")
    assert message == "X: two different numbers of chips"
    done = settle(lay_table(owner=owner, dealer="Y"), load_ruleset("criss-cross"))
    assert [pair.a.player for pair in done.pairs] == ["X"] * 4
