"""Setting deals: by simple rules, and by the best answer to a field."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.splits import SPLITS
from cp_cli.candidates import read_split, sort_deal
from cp_cli.cards import parse_cards
from cp_cli.errors import StrategyError
from cp_cli.evaluator import explain_foul, rank_low, rank_row
from cp_cli.field import DECLARE, SURRENDER, Deals, Field, build_field, deal_random, describe_deals
from cp_cli.ruleset import Order, Ruleset, load_ruleset
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game
from cp_cli.strategy import (
    OPPONENT_STRATEGIES,
    answer_exactly,
    load_strategy,
    named,
    set_deals,
    value_choices,
)
from cp_cli.strategy.files import find_rival
from tests import naive
from tests.sizes import COMPILED, pick_size
from tests.tiny_trainings import DEALS, measure_gain, open_deals, open_field

RULES = OPPONENT_STRATEGIES
ALICE = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")
DRAGON = parse_cards("As Kh Qd Jc Ts 9h 8d 7c 6s 5h 4d 3c 2s")
HOPELESS = parse_cards("2c 3d 4h 5s 7c 8d 9h Ts 2d 3h Jc 7d 5h")
MONSTER = parse_cards("Ac Ad Ah Kc Kd Kh Ks Qc Qd Qh Qs 2c 3d")


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rank-product learn from fewer deals."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


# --- rules of arrangement ------------------------------------------------------------------------

ORDERS = {
    "default": Order(),
    "strict": Order(equal_rows="foul"),
    "wheel-second": Order(wheel="second"),
    "low27": Order(middle="low27"),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", RULES[1:])
def test_rules_of_arrangement_set_legal_splits(name: str, order: str) -> None:
    game = build_game(Ruleset(id="test", order=ORDERS[order]))
    cards = deal_random(11, 0, pick_size(150, 4))
    for deal, code in zip(cards, set_deals(name, cards, game), strict=True):
        assert explain_foul(read_split(deal, int(code)), ORDERS[order]) is None


@pytest.mark.parametrize("order", ["default", "low27"])
def test_back_first_makes_the_strongest_back_then_middle_then_front(order: str) -> None:
    game = build_game(Ruleset(id="test", order=ORDERS[order]))
    keys = {
        "equal_rows": "legal",
        "wheel": "low",
        "middle": "low27" if order == "low27" else "high",
    }
    for deal in deal_random(12, 0, 1 if order == "low27" else pick_size(3, 1)):
        cards = deal[None]
        ours = read_split(deal, int(set_deals("back-first", cards, game)[0]))
        rank_middle: Callable[..., int] = rank_low if order == "low27" else rank_row
        best = max(
            (rank_row(back), rank_middle(middle), rank_row(front))
            for front, middle, back in naive.legal_splits(tuple(int(c) for c in deal), keys)
        )
        assert (rank_row(ours.back), rank_middle(ours.middle), rank_row(ours.front)) == best


def test_rank_product_is_a_sensible_rule() -> None:
    ruleset = load_ruleset("two-four")
    deals, game = open_deals(ruleset, 21), build_game(ruleset)
    codes = {name: set_deals(name, deals.cards, game) for name in RULES[1:]}
    field = open_field(ruleset, "rank-product", 22)
    for other, least in (("random-legal", 0.8), ("back-first", 0.05)):
        gain, error = measure_gain(deals, codes["rank-product"], codes[other], field)
        assert gain - 3 * error > (least if COMPILED else -1.0)


def test_a_rule_sets_a_deal_the_same_in_any_company() -> None:
    game = build_game(load_ruleset("two-four"))
    cards = deal_random(13, 0, pick_size(700, 6))
    for name in RULES[1:]:
        codes = set_deals(name, cards, game)
        for i in (0, 3, len(cards) - 1):
            assert set_deals(name, cards[i : i + 1], game)[0] == codes[i]
        assert np.array_equal(set_deals(name, cards, game, jobs=3), codes)


def test_random_legal_takes_any_legal_split() -> None:
    game = build_game(load_ruleset("two-four"))
    deal = sort_deal(ALICE)[None]
    tries = pick_size(1500, 25)
    picked = np.array(
        [int(set_deals("random-legal", deal, game, seed=seed)[0]) for seed in range(tries)]
    )
    assert len(np.unique(picked)) > 0.9 * tries
    cards = tuple(int(card) for card in deal[0])
    legal = list(naive.legal_splits(cards, {}))
    for place, row in ((0, "front"), (2, "back")):
        split = [read_split(deal[0], int(code)).rows[place] for code in picked]
        chance = np.mean([cards[0] in rows[place] for rows in legal])  # the ace of spades
        share = np.mean([cards[0] in cards_of for cards_of in split])
        assert abs(share - chance) < 4 * np.sqrt(chance * (1 - chance) / tries), row


def test_unknown_strategies_are_refused() -> None:
    game = build_game(load_ruleset("basic"))
    with pytest.raises(
        StrategyError, match='unknown strategy "rank-prodct"; did you mean "rank-product"'
    ):
        set_deals("rank-prodct", deal_random(0, 0, 1), game)
    with pytest.raises(StrategyError, match="equilibrium is no rule of arrangement"):
        set_deals("equilibrium", deal_random(0, 0, 1), game)
    with pytest.raises(StrategyError, match='unknown strategy "gto"'):
        load_strategy(load_ruleset("basic"), "gto")


# --- best answers --------------------------------------------------------------------------------


# Players at a table of so many opponents, and the bank.
TABLES: tuple[tuple[str, int, Role], ...] = (
    ("two-four", 1, PLAYER),
    ("wikipedia-two-four", 1, PLAYER),
    ("taiwanese", 1, PLAYER),
    ("taiwanese", 3, PLAYER),
    ("hawaiian-gardens", 3, PLAYER),
    ("ante", 2, PLAYER),
    ("ante", 3, PLAYER),
    ("sole-winner", 3, PLAYER),
    ("first-to-11", 3, PLAYER),
    ("malay", 1, PLAYER),
    ("malay", 3, BANK),
)


@pytest.mark.parametrize(("name", "opponents", "role"), TABLES)
def test_a_best_answer_never_loses_to_a_strategy_on_the_field_it_answers(
    name: str, opponents: int, role: Role
) -> None:
    ruleset = load_ruleset(name)
    theirs = find_rival(ruleset, role)
    field = open_field(ruleset, "back-first", 31, opponents=opponents, role=theirs)
    game = field.game if role == theirs else build_game(ruleset, opponents, role)
    deals = open_deals(ruleset, 32, DEALS // 2)
    best = answer_exactly(deals, field, game=game)
    for other in RULES[1:]:
        codes = set_deals(other, deals.cards, game)
        means = value_choices(deals, np.stack([best, codes], axis=1), field, game=game)
        assert (means[:, 0] >= means[:, 1] - 1e-9).all()
        assert means[:, 0].mean() > means[:, 1].mean()


def test_the_gain_of_a_best_answer_is_real() -> None:
    """On opponents that did not choose it, too."""
    ruleset = load_ruleset("two-four")
    deals = open_deals(ruleset, 33)
    field, fresh = (open_field(ruleset, "back-first", seed) for seed in (34, 35))
    best = answer_exactly(deals, field)
    codes = set_deals("back-first", deals.cards, field.game)
    gain, error = measure_gain(deals, best, codes, fresh)
    assert gain > -3 * error
    if COMPILED:
        assert gain > 3 * error


def value_by_hand(
    deals: Deals, codes: NDArray[np.int32], ruleset: Ruleset, field: Field, rules: dict[str, object]
) -> list[float]:
    """Return mean units of splits against every relabelled opponent that fits, by the oracle."""
    from tests.test_field import SUITS, list_deal, relabel

    means = []
    for deal, code in zip(deals.cards, codes, strict=True):
        hero, total, n = read_split(deal, int(code)).rows, 0, 0
        for other, theirs in zip(field.deals.cards, field.codes, strict=True):
            fits = sum(
                not relabel(list_deal(other), suits) & set(list_deal(deal)) for suits in SUITS
            )
            if fits:
                villain = read_split(other, int(theirs)).rows
                total += fits * naive.pair_units(hero, villain, rules)
                n += fits
        means.append(total / n)
    return means


def test_units_of_choices_are_those_of_the_oracle() -> None:
    ruleset = load_ruleset("one-six")
    field = open_field(ruleset, "random-legal", 36, pick_size(120, 40))
    deals = open_deals(ruleset, 37, 6)
    codes = set_deals("back-first", deals.cards, field.game)
    expected = value_by_hand(deals, codes, ruleset, field, {"sweep": {"units": 3}})
    assert value_choices(deals, codes[:, None], field)[:, 0] == pytest.approx(expected)


def answer_one(cards: tuple[int, ...], ruleset: Ruleset, field: Field) -> int:
    return int(answer_exactly(describe_deals(sort_deal(cards)[None], ruleset), field)[0])


def test_a_dragon_is_declared_where_that_pays() -> None:
    ruleset = load_ruleset("pagat-standard")
    field = open_field(ruleset, "rank-product", 41)
    assert answer_one(DRAGON, ruleset, field) == DECLARE
    assert answer_one(ALICE, ruleset, field) < SPLITS
    # Three quads are six pairs, worth 3; quads and a full house in the right rows earn more.
    assert answer_one(MONSTER, ruleset, field) < SPLITS


def test_a_natural_that_pays_too_little_is_played() -> None:
    ruleset = load_ruleset("two-four", ["naturals={list: [[three_flushes, 1]]}"])
    field = open_field(ruleset, "rank-product", 42)
    flushes = parse_cards("As Ks Qs Ah Kh Qh Jh 9h Ac Kc Qc Jc 9c")
    assert answer_one(flushes, ruleset, field) < SPLITS
    dear = load_ruleset("two-four", ["naturals={list: [[three_flushes, 5]]}"])
    assert answer_one(flushes, dear, open_field(dear, "rank-product", 42)) == DECLARE


def test_a_hopeless_deal_is_given_up_where_that_costs_little() -> None:
    ruleset = load_ruleset("two-four", ["surrender=0"])
    field = open_field(ruleset, "rank-product", 43)
    assert answer_one(HOPELESS, ruleset, field) == SURRENDER
    assert answer_one(MONSTER, ruleset, field) < SPLITS
    dear = load_ruleset("two-four", ["surrender=4"])
    assert answer_one(HOPELESS, dear, open_field(dear, "rank-product", 43)) < SPLITS


def test_units_against_those_who_declare_or_give_up() -> None:
    """Everybody else has a dragon and declares it, or gives up."""
    ruleset = load_ruleset("pagat-standard", ["surrender=2"])
    dragons = np.array([sort_deal(DRAGON)] * 8)
    deals = describe_deals(dragons, ruleset)
    mine = parse_cards("Ac Ad Ah Kc Kd Ks 9c 9d 9s 2c 2d 2h 5c")
    assert not set(mine) & set(DRAGON)
    hero = describe_deals(sort_deal(mine)[None], ruleset)
    game = build_game(ruleset)
    codes = set_deals("back-first", hero.cards, game)
    options = np.array([[codes[0], DECLARE, SURRENDER]], dtype=np.int32)
    declared = build_field(deals, np.full(8, DECLARE, dtype=np.int32), game)
    units = value_choices(hero, options, declared)[0]
    assert units[[0, 2]].tolist() == [-13, -13]
    surrendered = build_field(deals, np.full(8, SURRENDER, dtype=np.int32), game)
    assert value_choices(hero, options, surrendered)[0, [0, 2]].tolist() == [2, 0]
