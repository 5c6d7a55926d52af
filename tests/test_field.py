"""Opponents: random deals, and which of them fit the known cards."""

from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cp_cli._kernels.deals import relabel_suits
from cp_cli._kernels.opponents import count_fits
from cp_cli._kernels.payoff import WEIGHT
from cp_cli.candidates import sort_deal
from cp_cli.cards import parse_cards
from cp_cli.errors import StrategyError
from cp_cli.field import (
    DECLARE,
    FOUL,
    SURRENDER,
    Deals,
    Field,
    build_field,
    deal_random,
    deal_unseen,
    describe_deals,
    fit_all,
    mask_cards,
    unmask_cards,
)
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement.game import build_game
from cp_cli.strategy import answer_exactly, named, set_deals
from tests import naive
from tests.sizes import pick_size, try_examples
from tests.strategies import card_sets

DEALS = pick_size(20_000, 300)
SUITS = list(permutations(range(4)))
RED = {1, 2}
KEEPS_COLOURS = [suits for suits in SUITS if {suits[1], suits[2]} in (RED, {0, 3})]
COLOURS = load_ruleset(
    "basic", ["naturals={list: [[six_pairs, 3], [twelve_one_colour, 4], [one_colour, 6]]}"]
)
ALICE = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")


def relabel(cards: tuple[int, ...], suits: tuple[int, ...]) -> set[int]:
    return {card // 4 * 4 + suits[card % 4] for card in cards}


def list_deal(cards: NDArray[np.uint8]) -> tuple[int, ...]:
    return tuple(int(card) for card in cards)


def hold_cards(deals: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return 1 where a deal holds a card, (n, 52)."""
    held = np.zeros((len(deals), 52))
    np.put_along_axis(held, deals.astype(np.int64), 1, axis=1)
    return held


# --- random deals --------------------------------------------------------------------------------


def test_deals_hold_thirteen_cards_highest_first() -> None:
    deals = deal_random(3, 0, DEALS).astype(int)
    assert deals.shape == (DEALS, 13)
    assert (np.diff(deals, axis=1) < 0).all()
    assert deals.min() == 0
    assert deals.max() == 51


def test_a_deal_depends_on_its_seed_and_number_alone() -> None:
    deals = deal_random(5, 0, 300)
    assert np.array_equal(deal_random(5, 0, 300), deals)
    assert np.array_equal(deal_random(5, 0, 100), deals[:100])
    assert np.array_equal(deal_random(5, 123, 50), deals[123:173])
    others = [deal_random(seed, 0, 300) for seed in (0, 1, 4, 6, 2**40)]
    for other in others:
        assert (other == deals).all(axis=1).sum() == 0


def test_every_card_and_pair_is_dealt_equally_often() -> None:
    held = hold_cards(deal_random(1, 0, DEALS))
    together = held.T @ held
    for chance, counts in (
        (13 / 52, np.diag(together)),
        (13 * 12 / (52 * 51), together[np.triu_indices(52, 1)]),
    ):
        sigma = np.sqrt(DEALS * chance * (1 - chance))
        assert np.abs(counts - DEALS * chance).max() < 5 * sigma
        # And not too even either: about a third of the counts is off by more than a sigma.
        assert 0.2 < np.mean(np.abs(counts - DEALS * chance) > sigma) < 0.45


def test_deals_are_independent_of_their_neighbours_and_of_other_seeds() -> None:
    deals, other = hold_cards(deal_random(2, 0, DEALS)), hold_cards(deal_random(3, 0, DEALS))
    for one, two in ((deals[:-1], deals[1:]), (deals[:-64], deals[64:]), (deals, other)):
        shared = (one * two).sum(axis=1)
        # Hypergeometric: 13 x 13 / 52 cards in common.
        sigma = np.sqrt(13 * 0.25 * 0.75 * 39 / 51 / len(shared))
        assert abs(shared.mean() - 13 / 4) < 5 * sigma


def test_no_deal_comes_twice() -> None:
    """Of 20,000 deals two would be the same by chance once in 3,000 samples."""
    assert len(np.unique(describe_deals(deal_random(1, 0, DEALS), COLOURS).masks)) == DEALS


# --- masks ---------------------------------------------------------------------------------------


@try_examples(50, 20)
@given(card_sets(13))
def test_masks_name_the_cards(cards: tuple[int, ...]) -> None:
    mask = mask_cards(cards)
    assert mask == sum(2 ** (card % 4 * 13 + card // 4) for card in cards)
    masks = np.array([mask], dtype=np.uint64)
    assert unmask_cards(masks).tolist() == [sorted(cards, reverse=True)]
    deal = np.array([sorted(cards, reverse=True)], dtype=np.uint8)
    assert describe_deals(deal, COLOURS).masks.tolist() == [mask]


@try_examples(30, 10)
@given(card_sets(13))
def test_relabelled_masks(cards: tuple[int, ...]) -> None:
    out = np.empty(24, dtype=np.uint64)
    relabel_suits(np.uint64(mask_cards(cards)), out)
    expected = [mask_cards(sorted(relabel(cards, suits))) for suits in SUITS]
    assert sorted(out.tolist()) == sorted(expected)
    colours = [mask_cards(sorted(relabel(cards, suits))) for suits in KEEPS_COLOURS]
    assert sorted(out[:8].tolist()) == sorted(colours)


# --- deals that fit ------------------------------------------------------------------------------


def count_naively(deals: Deals, known: tuple[int, ...]) -> list[int]:
    """Relabel the deals, not the known cards, and look which share none."""
    cards = [list_deal(deal) for deal in deals.cards]
    return [sum(not relabel(deal, suits) & set(known) for suits in SUITS) for deal in cards]


@try_examples(30, 5)
@given(st.integers(13, 39).flatmap(card_sets), st.integers(0, 1000))
def test_fits_are_relabellings_that_share_no_card(known: tuple[int, ...], first: int) -> None:
    deals = describe_deals(deal_random(8, first, 60), load_ruleset("two-four"))
    fits = np.empty(60, dtype=np.uint8)
    nothing = np.zeros(0, dtype=np.int32)
    count_fits(deals.masks, nothing, np.uint64(mask_cards(known)), fits)
    assert fits.tolist() == count_naively(deals, known)


def deal_colours(seed: int, count: int) -> NDArray[np.uint8]:
    """Deal hands of one colour, of twelve cards of one colour, and of any."""
    rng = np.random.default_rng(seed)
    hands = np.empty((count, 13), dtype=np.uint8)
    for i in range(count):
        suits = [(1, 2), (0, 3), (0, 1, 2, 3)][i % 3]
        pack = [card for card in range(52) if card % 4 in suits]
        hand = rng.choice(pack, 13, replace=False)
        if i % 4 == 0 and len(suits) == 2:
            hand[0] = rng.choice([card for card in range(52) if card % 4 not in suits])
        hands[i] = np.sort(hand)[::-1]
    return hands


@try_examples(20, 3)
@given(st.integers(13, 20).flatmap(card_sets), st.integers(0, 2**32))
def test_a_natural_of_colours_fits_only_where_it_stays_one(
    known: tuple[int, ...], seed: int
) -> None:
    deals = describe_deals(deal_colours(seed, 48), COLOURS)
    field = build_field(deals, np.full(48, DECLARE, dtype=np.int32), build_game(COLOURS))
    expected = []
    for deal in deals.cards:
        cards = list_deal(deal)
        best = naive.best_natural(cards, {"list": [
            ["six_pairs", 3], ["twelve_one_colour", 4], ["one_colour", 6],
        ]}, "low")  # fmt: skip
        if best is None or best.name == "six_pairs":
            fitting = sum(not relabel(cards, suits) & set(known) for suits in SUITS)
        else:
            # Of the 24 relabellings 8 keep the natural; each of them stands for three.
            fitting = 3 * sum(not relabel(cards, suits) & set(known) for suits in KEEPS_COLOURS)
        expected.append(fitting)
    fits = np.empty(48, dtype=np.uint8)
    count_fits(deals.masks, field.tinted, np.uint64(mask_cards(known)), fits)
    assert fits.tolist() == expected
    assert 20 <= len(field.tinted) <= 40


# --- conditioning --------------------------------------------------------------------------------


def open_field(ruleset: Ruleset, seed: int, count: int, special: bool = False) -> Field:
    game = build_game(ruleset)
    deals = describe_deals(deal_random(seed, 0, count), ruleset)
    codes = set_deals("random-legal", deals.cards, game)
    if special:  # as if some had declared or given up
        codes[::7] = DECLARE
        codes[3::7] = SURRENDER
    return build_field(deals, codes, game)


@pytest.mark.parametrize("name", ["two-four", "pagat-extras"])
@pytest.mark.parametrize("special", [False, True])
def test_conditioned_opponents_are_the_fitting_deals(name: str, special: bool) -> None:
    count = pick_size(2000, 60)
    field = open_field(load_ruleset(name), 4, count, special)
    fits = np.array(count_naively(field.deals.take(slice(0, count)), ALICE)[:count])
    known = mask_cards(ALICE)
    found = field.condition(known)
    plays = field.codes < DECLARE
    assert found.deals.tolist() == np.flatnonzero((fits > 0) & plays).tolist()
    assert found.special.tolist() == np.flatnonzero((fits > 0) & ~plays).tolist()
    assert found.players[WEIGHT].tolist() == fits[found.deals].tolist()
    assert found.special_weights.tolist() == fits[found.special].tolist()
    assert np.array_equal(found.players[:WEIGHT], field.arranged[:WEIGHT, found.deals])
    assert found.field is field


def test_part_of_a_field_is_the_field_of_these_deals() -> None:
    field = open_field(COLOURS, 4, pick_size(500, 60))
    part = field.take(slice(20, 50))
    whole = build_field(field.deals.take(slice(20, 50)), field.codes[20:50], field.game)
    assert np.array_equal(part.arranged, whole.arranged)
    assert np.array_equal(part.tinted, whole.tinted)
    assert np.array_equal(part.codes, whole.codes)
    assert np.array_equal(part.deals.cards, field.deals.cards[20:50])


DEAD = parse_cards("Ad Kc Kd 7h 2c")


@pytest.mark.parametrize("dead", [(), DEAD], ids=["no-dead", "dead"])
def test_opponents_hold_what_chance_gives_them(dead: tuple[int, ...]) -> None:
    """Number of cards of each rank and of each suit, and of aces exactly, without bias."""
    field = open_field(load_ruleset("two-four"), 6, DEALS)
    known = (*ALICE, *dead)
    found = field.condition(mask_cards(known))
    weights = found.players[WEIGHT].astype(float)
    cards = field.deals.cards[found.deals]
    unseen = [card for card in range(52) if card not in known]

    def check(values: NDArray[np.float64], expected: float) -> None:
        mean = np.average(values, weights=weights)
        error = np.sqrt((weights**2 * (values - mean) ** 2).sum()) / weights.sum()
        assert abs(mean - expected) < 4 * error

    for rank in range(13):
        number = (cards >> 2 == rank).sum(axis=1).astype(float)
        check(number, 13 * sum(card // 4 == rank for card in unseen) / len(unseen))
    aces = (cards >> 2 == 12).sum(axis=1)
    left = sum(card // 4 == 12 for card in unseen)
    for number in range(left + 1):
        ways = comb(left, number) * comb(len(unseen) - left, 13 - number)
        check((aces == number).astype(float), ways / comb(len(unseen), 13))


def test_no_opponent_where_no_deal_fits() -> None:
    field = open_field(load_ruleset("two-four"), 6, 20)
    assert len(field.condition(mask_cards(range(39)))) == 0


# --- deals from the unseen cards -----------------------------------------------------------------


def test_unseen_deals_hold_no_known_card() -> None:
    unseen = [card for card in range(52) if card not in (*ALICE, *DEAD)]
    count = 20_000
    deals = deal_unseen(unseen, count, 3)
    assert set(np.unique(deals).tolist()) == set(unseen)
    assert (np.diff(deals.astype(int), axis=1) < 0).all()
    chance = 13 / len(unseen)
    counts = np.bincount(deals.ravel(), minlength=52)[unseen]
    assert np.abs(counts - count * chance).max() < 5 * np.sqrt(count * chance * (1 - chance))
    assert np.array_equal(deal_unseen(unseen, count, 3), deals)
    assert not np.array_equal(deal_unseen(unseen, count, 4), deals)


def test_the_last_thirteen_cards_are_one_deal() -> None:
    assert deal_unseen(range(20, 33), 2, 0).tolist() == [list(range(32, 19, -1))] * 2
    with pytest.raises(StrategyError, match="12 unseen cards"):
        deal_unseen(range(12), 1, 0)


def test_dealt_opponents_count_once_each() -> None:
    field = open_field(load_ruleset("pagat-extras"), 4, 70, special=True)
    found = fit_all(field)
    assert found.special.tolist() == [i for i in range(70) if i % 7 in (0, 3)]
    assert found.deals.tolist() == [i for i in range(70) if i % 7 not in (0, 3)]
    assert found.special_weights.tolist() == [1] * 20
    assert found.players[WEIGHT].tolist() == [1] * 50
    assert np.array_equal(found.players, field.arranged[:, found.deals])


HOPELESS = "As Ks Qs Js 6s Ah Kh Qh Jh Ad Kd Qd Jd"  # no ten-high low in it


@pytest.mark.parametrize("name", ["rank-product", "back-first", "random-legal"])
def test_a_deal_without_a_legal_split_is_a_foul(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named, "LESSONS", pick_size(512, 4))
    ruleset = load_ruleset("basic", ["order.middle=low27", "order.middle_max=10"])
    game = build_game(ruleset)
    cards = np.array([sort_deal(parse_cards(HOPELESS))] * 2, dtype=np.uint8)
    cards[1] = sort_deal(parse_cards("As Ad Kc Kd 7s 5d 4c 3h 2s Qs Qd Jc Jh"))
    codes = set_deals(name, cards, game)
    assert codes[0] == FOUL
    assert codes[1] < DECLARE
    field = build_field(describe_deals(cards, ruleset), codes, game)
    assert not field.arranged[:3, 0].any()  # it loses every row
    assert (field.arranged[:3, 1] > 0).all()
    assert len(fit_all(field).deals) == 2


def test_best_answers_know_a_foul() -> None:
    ruleset = load_ruleset("basic", ["order.middle=low27", "order.middle_max=10"])
    game = build_game(ruleset)
    cards = deal_random(5, 0, pick_size(200, 4))
    cards[0] = sort_deal(parse_cards(HOPELESS))
    codes = set_deals("back-first", cards, game)
    fouls = codes == FOUL
    assert fouls[0]
    assert fouls.mean() < 0.3  # about one deal in twenty has no ten-high low
    deals = describe_deals(cards, ruleset)
    field = build_field(deals, codes, game)
    for jobs in (1, 2):
        assert ((answer_exactly(deals, field, jobs) == FOUL) == fouls).all()
