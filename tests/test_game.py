"""A ruleset as the kernels read it: royalties, which splits may be left out, digests."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cp_cli._kernels.candidates import list_candidates, rank_deal, write_heroes
from cp_cli._kernels.opponents import ALL_BEATEN, Game
from cp_cli._kernels.payoff import COLUMN, WEIGHT, sum_units
from cp_cli._kernels.splits import SPLITS, list_legal
from cp_cli.arrangement import Category
from cp_cli.candidates import sort_deal
from cp_cli.cards import parse_cards
from cp_cli.evaluator import rank_row, row_tables
from cp_cli.ruleset import load_ruleset, ruleset_names
from cp_cli.settlement.game import build_game, digest_play
from cp_cli.settlement.royalties import value_rows
from tests.rule_strategies import Rules, deal_strong, draw_crowd, draw_rules, load_rules
from tests.sizes import pick_size, try_examples
from tests.strategies import deals as any_deals

CROWD = pick_size(64, 5)


# --- royalties by strength -----------------------------------------------------------------------

OPEN_FACE = {  # row, cards, units: the usual table of RULES.md R26
    (0, "6c 6d Ah"): 1, (0, "5c 5d Ah"): 0, (0, "Qc Qd 2h"): 7, (0, "Ac Ad Kh"): 9,
    (0, "2c 2d 2h"): 10, (0, "Ac Ad Ah"): 22, (0, "Ac Kd Qh"): 0,
    (1, "2c 2d 2h 3c 4c"): 2, (1, "5c 4d 3h 2s Ac"): 4, (1, "9c 7c 5c 3c 2c"): 8,
    (1, "2c 2d 2h 3c 3d"): 12, (1, "2c 2d 2h 2s 3c"): 20, (1, "6c 5c 4c 3c 2c"): 30,
    (1, "5c 4c 3c 2c Ac"): 30, (1, "Ac Kc Qc Jc Tc"): 50, (1, "Ac Ad Kc Kd Qh"): 0,
    (2, "2c 2d 2h 3c 4c"): 0, (2, "6c 5d 4h 3s 2c"): 2, (2, "9c 7c 5c 3c 2c"): 4,
    (2, "2c 2d 2h 3c 3d"): 6, (2, "2c 2d 2h 2s 3c"): 10, (2, "Kc Qc Jc Tc 9c"): 15,
    (2, "Ac Kc Qc Jc Tc"): 25,
}  # fmt: skip


@pytest.mark.parametrize("wheel", ["low", "second"])
@pytest.mark.parametrize(("place", "units"), OPEN_FACE.items())
def test_royalties_of_open_face(place: tuple[int, str], units: int, wheel: str) -> None:
    row, text = place
    ruleset = load_ruleset("open-face", [f"order.wheel={wheel}"])
    values = value_rows(ruleset, row_tables(wheel))
    assert values[row, rank_row(parse_cards(text), wheel)] == units


def test_a_low_middle_earns_nothing() -> None:
    ruleset = load_ruleset("pagat-extras", ["order.middle=low27"])
    values = value_rows(ruleset, row_tables("low"))
    assert not values[1].any()
    assert values[2].any()


# --- splits that may be left out -----------------------------------------------------------------


def rank_rows(deal: NDArray[np.uint8], game: Game) -> tuple[NDArray[np.int16], ...]:
    front = np.empty(286, dtype=np.int16)
    back, middle = (np.empty(1287, dtype=np.int16) for _ in range(2))
    rank_deal(deal, game, front, back, middle)
    return front, back, middle


def find_most(
    codes: NDArray[np.int32], deal: NDArray[np.uint8], crowd: NDArray[np.int16], game: Game
) -> int:
    """Return what the best of some splits earns from a crowd."""
    front, back, middle = rank_rows(deal, game)
    heroes = np.empty((len(codes), COLUMN), dtype=np.int16)
    write_heroes(codes, len(codes), front, back, middle, game, heroes)
    sums = np.empty(len(codes), dtype=np.int64)
    sum_units(heroes, len(codes), crowd, crowd.shape[1], game.pay, sums)
    return int(sums.max())


def check_candidates(deal: NDArray[np.uint8], game: Game, seed: int) -> int:
    """Compare the best candidate with the best legal split; return how many were left out."""
    front, back, middle = rank_rows(deal, game)
    legal, codes, groups = (np.empty(SPLITS, dtype=np.int32) for _ in range(3))
    n = list_legal(front, back, middle, (game.low, game.strict, game.floor), legal)
    kept = list_candidates(front, back, middle, game, codes, groups)
    assert set(codes[:kept].tolist()) <= set(legal[:n].tolist())
    crowd = draw_crowd(seed, CROWD, game).arranged
    crowd[WEIGHT] = np.random.default_rng(seed).integers(1, 25, CROWD)
    # Against one opponent there is no averaging that could hide a loss.
    for few in (CROWD, 3, 1):
        some = np.ascontiguousarray(crowd[:, :few])
        best = find_most(codes[:kept].copy(), deal, some, game)
        assert best == find_most(legal[:n].copy(), deal, some, game)
    return int(n - kept)


@try_examples(24, 2)
@given(draw_rules(), any_deals, st.integers(0, 2**32))
def test_no_left_out_split_is_the_best(rules: Rules, cards: tuple[int, ...], seed: int) -> None:
    game = build_game(load_rules(rules))
    check_candidates(sort_deal(cards), game, seed)
    check_candidates(deal_strong(np.random.default_rng(seed), 1)[0], game, seed)


RISING = st.fixed_dictionaries(
    {
        "front": st.fixed_dictionaries({"trips": st.integers(1, 9)}),
        "middle": st.fixed_dictionaries(
            {"full_house": st.just(2), "quads": st.integers(3, 5), "straight_flush": st.just(6)}
        ),
        "back": st.fixed_dictionaries({"quads": st.just(4), "straight_flush": st.integers(4, 9)}),
    }
)


@try_examples(24, 2)
@given(draw_rules(), RISING, st.sampled_from(["winner", "always"]), st.integers(0, 2**32))
def test_nor_where_royalties_rise(rules: Rules, rows: Rules, paid: str, seed: int) -> None:
    """With tables like those in use, where many splits are left out."""
    rules = {**rules, "royalties": {"style": "extra", "paid": paid, **rows}, "middle_extra": 0}
    if rules["order"]["middle"] == "low27":
        rules["order"] = {**rules["order"], "middle": "high"}
    game = build_game(load_rules(rules))
    check_candidates(deal_strong(np.random.default_rng(seed), 1)[0], game, seed)


@pytest.mark.parametrize("name", ruleset_names()[:: pick_size(1, 7)])
def test_shipped_rulesets_leave_out_what_is_beaten(name: str) -> None:
    """In all of them a stronger row never costs anything."""
    game = build_game(load_ruleset(name))
    assert game.pruning == ALL_BEATEN
    rng = np.random.default_rng(7)
    for seed in range(pick_size(4, 1)):
        assert check_candidates(deal_strong(rng, 1)[0], game, seed) > 5_000


FALLING: dict[str, list[str]] = {
    "a flush pays less than a straight": [
        "royalties={back: {straight: 5, flush: 1}}",
    ],
    "a full house pays less than the row": [
        "rows.win=3", "royalties={style: instead, back: {full_house: 1}}",
    ],
    "losing two rows costs less than one": [
        "rows={outcome: {3-0: 6, 2-1: 0, 2-0: 1, 1-0: 3}}",
    ],
    "two won and one tied pays more than three": [
        "rows={outcome: {3-0: 1, 2-1: 1, 2-0: 5, 1-0: 1}}",
    ],
    "to be swept doubles what is paid in any case": [
        "sweep={times: 2}", "royalties={paid: always, back: {quads: 9, straight_flush: 9}}",
    ],
    "to be swept doubles what does not cancel": [
        "sweep={times: 2}", "royalties={paid: always, cancel: true, front: {trips: 9}}",
    ],
    "one royalty a hand": [
        "royalties={max_per_hand: 1, front: {trips: 9}, back: {quads: 9, straight_flush: 9}}",
    ],
}  # fmt: skip


@pytest.mark.parametrize("reason", FALLING)
def test_rules_under_which_a_stronger_row_may_cost(reason: str) -> None:
    """Then splits that are beaten in every row may not all be left out."""
    game = build_game(load_ruleset("basic", FALLING[reason]))
    assert game.pruning != ALL_BEATEN
    rng = np.random.default_rng(3)
    for seed in range(pick_size(12, 1)):
        check_candidates(deal_strong(rng, 1)[0], game, seed)


def test_a_weaker_row_that_pays_more_is_kept() -> None:
    """With the straight paid 50 and the flush nothing, the flush is not made."""
    ruleset = load_ruleset("basic", ["royalties={back: {straight: 50, flush: 1}}"])
    game = build_game(ruleset)
    deal = sort_deal(parse_cards("Ah Kh 8h 7d 6h 5s 4c 3h 2h 2d Qc Jd 9s"))
    front, back, middle = rank_rows(deal, game)
    codes, groups = (np.empty(SPLITS, dtype=np.int32) for _ in range(2))
    kept = list_candidates(front, back, middle, game, codes, groups)
    heroes = np.empty((kept, COLUMN), dtype=np.int16)
    write_heroes(codes, kept, front, back, middle, game, heroes)
    weak = np.zeros((COLUMN, 1), dtype=np.int16)
    weak[:3], weak[WEIGHT] = 1, 1
    sums = np.empty(kept, dtype=np.int64)
    sum_units(heroes, kept, weak, 1, game.pay, sums)
    kinds = row_tables("low").category[heroes[:, 2]]
    assert Category.FLUSH in kinds
    assert sums.max() == 53
    assert kinds[sums.argmax()] == Category.STRAIGHT


# --- digests -------------------------------------------------------------------------------------

SAME_PLAY = {
    "stakes": ["stakes={default: 10, cap: chips}"],
    "rake": ["rake=1"],
    "foul": ["foul={pays: 9, royalties: false}"],
    "bank-without-ties": ["mode=bank", "bank={player: Ann, wins_ties: false}"],
    "description": ["description=whatever"],
    "players": ["players.min=4"],
    "aces": ["aces=[0,1,2,6,8]"],
}
OTHER_PLAY: dict[str, list[str]] = {
    "rows": ["rows.win=2"],
    "bank": ["mode=bank"],
    "order": ["order.equal_rows=foul"],
    "wheel": ["order.wheel=second"],
    "low": ["order.middle=low27"],
    "low-limit": ["order={middle: low27, middle_max: 10}"],
    "sweep": ["sweep={units: 4}"],
    "sweep-ties": ["sweep={units: 3, tie_counts: true}"],
    "overall": ["overall={units: 1}"],
    "overall-net": ["overall={units: 1, when: net}"],
    "royalty": ["royalties.back.quads=6"],
    "royal": ["royalties.back.royal_flush=6"],
    "one-royalty": ["royalties.max_per_hand=1"],
    "cancel": ["royalties.cancel=true"],
    "middle-extra": ["middle_extra=1"],
    "natural": ["naturals={list: [[six_pairs, 4]]}"],
    "natural-units": ["naturals={list: [[six_pairs, 5]]}"],
    "natural-rule": ["naturals={list: [[six_pairs, 5]], quads_as_two_pairs: false}"],
    "clash": ["naturals={list: [[six_pairs, 5]], clash: difference}"],
    "surrender": ["surrender=3"],
    "no-surrender": ["surrender=null"],
    "surrender-2": ["surrender=2"],
}
BASE = "hawaiian-gardens"


def digest_with(*overrides: str) -> str:
    return digest_play(load_ruleset(BASE, overrides))


@pytest.mark.parametrize("name", SAME_PLAY)
def test_rules_that_change_no_play_share_a_digest(name: str) -> None:
    assert digest_with(*SAME_PLAY[name]) == digest_with()


def test_rules_that_change_play_do_not() -> None:
    found: dict[str, Any] = {name: digest_with(*rules) for name, rules in OTHER_PLAY.items()}
    del found["surrender"]  # 3 is what the ruleset has anyway
    assert digest_with("surrender=3") == digest_with()
    digests = [digest_with(), *found.values()]
    assert len(set(digests)) == len(digests)
    assert all(len(text) == 16 and int(text, 16) >= 0 for text in digests)


def test_two_names_of_one_game_share_a_digest() -> None:
    assert digest_play(load_ruleset("basic")) == digest_play(load_ruleset("criss-cross"))
    assert digest_play(load_ruleset("basic")) != digest_play(load_ruleset("sole-winner"))
