"""Whole tables against the oracle: opponents who do anything, and what the rules say of them.

A wild player sets a deal at random, declares most of his naturals, and now and then surrenders or
fouls. What he does follows from his cards, so that it is the same in the field and on the spot.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cp_cli._kernels.answers import set_at_random
from cp_cli._kernels.natural_rules import ONE_COLOUR, TWELVE_ONE_COLOUR
from cp_cli._kernels.opponents import Game
from cp_cli._kernels.splits import SPLITS
from cp_cli.candidates import read_split
from cp_cli.equity.company import Host
from cp_cli.field import (
    DECLARE,
    FOUL,
    SURRENDER,
    Deals,
    Field,
    build_field,
    describe_deals,
    mask_cards,
    unmask_cards,
)
from cp_cli.ruleset import Ruleset, load_ruleset, to_dict
from cp_cli.settlement.arrays import build_hand_terms
from cp_cli.settlement.game import Role, build_game
from tests import naive

Cards = tuple[int, ...]
COLOURS = ({0, 3}, {1, 2})


def play_wildly(deals: Deals, ruleset: Ruleset) -> NDArray[np.int32]:
    """Return what wild players do with deals: codes int32 (n,)."""
    order = ruleset.order
    rules = (order.equal_rows, order.wheel, order.middle, order.middle_max)
    codes = np.array([set_once(mask, rules) for mask in deals.masks.tolist()], dtype=np.int32)
    mood = (deals.masks % np.uint64(11)).astype(int)
    plays = ruleset.mode in ("pairs", "bank", "criss_cross")
    codes[mood == 3] = FOUL
    if ruleset.surrender is not None and plays:
        codes[mood == 4] = SURRENDER
    codes[(deals.places >= 0) & (mood > 2) & plays] = DECLARE
    return codes


@cache
def set_once(mask: int, rules: tuple[str, str, str, int | None]) -> int:
    """Return the code of a random legal split of a deal, the same in every ruleset of an order."""
    names = ("equal_rows", "wheel", "middle", "middle_max")
    settings = [f"order.{name}={value}" for name, value in zip(names, rules, strict=True) if value]
    cards = unmask_cards(np.array([mask], dtype=np.uint64))
    code = np.empty(1, dtype=np.int32)
    set_at_random(cards, open_order(tuple(settings)), 5, code)
    return int(code[0])


@cache
def open_order(settings: tuple[str, ...]) -> Game:
    return build_game(load_ruleset("basic", settings))


def open_host(ruleset: Ruleset) -> Host:
    """Return who seats wild players."""
    return Host(ruleset, build_hand_terms(ruleset), lambda deals: play_wildly(deals, ruleset))


def build_wild_field(
    cards: NDArray[np.uint8], ruleset: Ruleset, opponents: int = 1, role: Role = "player"
) -> Field:
    """Return deals, highest card first, that wild players hold."""
    deals = describe_deals(cards, ruleset)
    return build_field(deals, play_wildly(deals, ruleset), build_game(ruleset, opponents, role))


def deal_others(hero: Cards, seed: int, rounds: int) -> NDArray[np.uint8]:
    """Deal the 39 cards that the hero does not hold to three, `rounds` times; some hands strong."""
    rng = np.random.default_rng(seed)
    unseen = np.array([card for card in range(52) if card not in hero])
    dealt = []
    for number in range(rounds):
        pack = rng.permutation(unseen)
        if number % 3 == 1:
            pack = pack[np.argsort(pack & 3, kind="stable")]  # flushes
        elif number % 3 == 2:
            pack = pack[np.argsort(pack >> 2, kind="stable")]  # pairs, trips, quads
        dealt.append(np.sort(pack.reshape(3, 13), axis=1)[:, ::-1])
    return np.concatenate(dealt).astype(np.uint8)


# --- seats, the slow way -------------------------------------------------------------------------


@dataclass(frozen=True)
class WildSeat:
    """An opponent at the table: his cards, and what he does with them."""

    deal: int
    cards: Cards
    player: dict[str, Any]


def relabel(card: int, order: Sequence[int]) -> int:
    return card // 4 * 4 + order[card % 4]


def find_foul(cards: NDArray[np.uint8], ruleset: Ruleset) -> tuple[Cards, ...]:
    """Return rows of a deal that are a foul."""
    order = to_dict(ruleset)["order"]
    for code in range(SPLITS):
        rows = read_split(cards, code).rows
        if naive.foul_reason(*rows, order):
            return rows
    raise AssertionError("every split is legal")


def describe_player(cards: NDArray[np.uint8], code: int, ruleset: Ruleset) -> dict[str, Any]:
    """Return what the oracle reads of a deal set by a code, its cards apart."""
    if code == DECLARE:
        return {"natural": True, "cards": tuple(cards.tolist())}
    if code == SURRENDER:
        return {"surrender": True, "cards": tuple(cards.tolist())}
    rows = find_foul(cards, ruleset) if code == FOUL else read_split(cards, code).rows
    return name_rows(rows)


def list_seats(field: Field, known: set[int], ruleset: Ruleset) -> Iterator[WildSeat]:
    """Yield every relabelling of every deal of a field that holds none of the known cards."""
    orders = list(permutations(range(4)))
    kinds = field.deals.spec.kinds
    for deal, (cards, code) in enumerate(zip(field.deals.cards, field.codes, strict=True)):
        place = int(field.deals.places[deal])
        coloured = place >= 0 and kinds[place] in (ONE_COLOUR, TWELVE_ONE_COLOUR)
        player = describe_player(cards, int(code), ruleset)
        for order in orders:
            # Suits of one colour must stay together where a natural is of colours.
            if coloured and {order[0], order[3]} not in COLOURS:
                continue
            moved = tuple(relabel(int(card), order) for card in cards)
            if known.isdisjoint(moved):
                seat = {
                    key: tuple(relabel(card, order) for card in value)
                    if isinstance(value, tuple)
                    else value
                    for key, value in player.items()
                }
                for _ in range(3 if coloured else 1):
                    yield WildSeat(deal, moved, seat)


def list_pairs(seats: Sequence[WildSeat]) -> list[tuple[WildSeat, ...]]:
    """Return every two that share no card."""
    masks = [mask_cards(seat.cards) for seat in seats]
    return [
        (seats[i], seats[j])
        for i in range(len(seats))
        for j in range(i)
        if masks[i] & masks[j] == 0
    ]


def add_third(pair: tuple[WildSeat, ...], known: set[int], ruleset: Ruleset) -> WildSeat:
    """Return who holds what is left."""
    taken = known.union(*(seat.cards for seat in pair))
    cards = np.array([card for card in range(51, -1, -1) if card not in taken], dtype=np.uint8)
    code = int(play_wildly(describe_deals(cards[None], ruleset), ruleset)[0])
    return WildSeat(-1, tuple(cards.tolist()), describe_player(cards, code, ruleset))


def settle_table(
    hero: dict[str, Any], seats: Sequence[WildSeat], rules: dict[str, Any], *, bank: bool = False
) -> dict[str, Any]:
    """Return what the oracle says of a table under rules as plain dicts; the hero is called me."""
    others = [{"name": f"o{i}", **seat.player} for i, seat in enumerate(seats)]
    table: dict[str, Any] = {"rules": rules, "players": [{"name": "me", **hero}, *others]}
    if rules["mode"] == "bank":
        table["banker"] = "me" if bank else "o0"
    return naive.settle(table)


def win_at_table(
    hero: dict[str, Any], seats: Sequence[WildSeat], rules: dict[str, Any], *, bank: bool = False
) -> float:
    """Return what the hero wins: units, of a race the points over the average of the others."""
    settled = settle_table(hero, seats, rules, bank=bank)
    if rules["mode"] == "race":
        points = settled["points"]
        return float(points["me"] - sum(points[f"o{i}"] for i in range(len(seats))) / len(seats))
    return float(settled["totals"]["me"])


def name_rows(rows: tuple[Cards, ...]) -> dict[str, Any]:
    """Return rows as the oracle reads them."""
    return dict(zip(("front", "middle", "back"), rows, strict=True))
