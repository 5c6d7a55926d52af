"""Trainings of a second, small fields and deals to compare strategies on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli.field import Deals, Field, build_field, deal_random, describe_deals
from cp_cli.ruleset import Ruleset
from cp_cli.settlement.game import PLAYER, Role, build_game
from cp_cli.strategy import Plan, files, set_deals, train_sides, value_choices
from cp_cli.strategy.answers import be_silent, with_rest
from tests.sizes import pick_size

TINY = Plan(
    choosing=pick_size(1024, 24),
    judging=pick_size(1024, 12),
    sample=pick_size(512, 12),
    warm_rounds=3,
    rounds=pick_size(6, 2),
    blocks=2,
    keep=pick_size(6, 3),
    crowd=pick_size(256, 12),
)
DEALS = pick_size(600, 12)  # on which strategies are compared
CROWD = pick_size(1000, 40)  # and in the fields they meet; fewer than any is screened by


def train_tiny(ruleset: Ruleset, jobs: int = 1, plan: Plan = TINY) -> NDArray[np.int32]:
    """Return what a tiny training lets players do."""
    return train_sides(ruleset, plan, jobs, be_silent)[PLAYER]


def open_field(
    ruleset: Ruleset,
    name: str,
    seed: int,
    count: int = CROWD,
    opponents: int = 1,
    role: Role = PLAYER,
) -> Field:
    """Return a field set by a rule of arrangement, as so many opponents or one role sees it."""
    game = build_game(ruleset, opponents, role)
    deals = describe_deals(deal_random(seed, 0, count), ruleset)
    field = build_field(deals, set_deals(name, deals.cards, game), game)
    return replace(field, game=with_rest(game, field.arranged, field.arranged))


def open_deals(ruleset: Ruleset, seed: int, count: int = DEALS) -> Deals:
    """Return deals that are in no field."""
    return describe_deals(deal_random(seed, 0, count), ruleset)


def measure_gain(
    deals: Deals, first: NDArray[np.int32], second: NDArray[np.int32], field: Field
) -> tuple[float, float]:
    """Return how much more `first` earns than `second` per deal and opponent, and its error."""
    means = value_choices(deals, np.stack([first, second], axis=1), field)
    gains = means[:, 0] - means[:, 1]
    return float(gains.mean()), float(gains.std() / np.sqrt(len(gains)))


def use_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let strategies be kept in an empty folder, and trainings take a second."""
    monkeypatch.setenv("CPOKER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(files, "CACHE_DIR", tmp_path)
    monkeypatch.setattr(files, "QUICK", dict.fromkeys(range(3), TINY))
    monkeypatch.setattr(files, "NAMED", replace(TINY, seed=3))
    return tmp_path / "cache" / "strategies"
