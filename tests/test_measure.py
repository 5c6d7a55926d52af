"""The strength of strategies: what a best answer gains, and how sure that is."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from numpy.typing import NDArray

from cp_cli.cli.strategy_measure import measure
from cp_cli.errors import StrategyError
from cp_cli.field import Field
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement.game import BANK, PLAYER
from cp_cli.strategy import answer_exactly, files, named, set_deals
from cp_cli.strategy.measure import (
    BLOCKS,
    EXACT,
    FAST,
    Form,
    Gain,
    deal_heroes,
    measure_gains,
    measure_strategy,
)
from cp_cli.strategy.spread import estimate_error
from tests.sizes import COMPILED, pick_size
from tests.test_strategy import value_by_hand
from tests.tiny_trainings import TINY, open_field, use_empty_cache

RunCli = Callable[..., Result]
DEALS = pick_size(300, 4)
MEASURED = replace(TINY, judging=pick_size(1024, 2 * BLOCKS))


@pytest.fixture(autouse=True)
def _tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strategies of a second, none that comes with the package, and few lessons."""
    use_empty_cache(tmp_path, monkeypatch)
    monkeypatch.setattr(files, "SHIPPED", tmp_path)
    monkeypatch.setattr(files, "QUICK", dict.fromkeys(range(3), MEASURED))
    monkeypatch.setattr(files, "NAMED", replace(MEASURED, seed=3))
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))
    deals = next(option for option in measure.params if option.name == "deals")
    monkeypatch.setattr(deals.type, "min", min(64, DEALS))  # plain Python has no time for 64
    monkeypatch.setattr("cp_cli.strategy.fast.LESSONS", pick_size(128, 4))
    monkeypatch.setattr(
        "cp_cli.strategy.fast.STEPS", (pick_size(8, 3), pick_size(10, 3), pick_size(10, 3))
    )


# --- standard errors over two samples ------------------------------------------------------------


def draw_values(rng: np.random.Generator, deals: int, blocks: int) -> NDArray[np.float64]:
    """Return values with effects of the deal (sd 2), of the block (1) and of the cell (3)."""
    return np.asarray(
        2 * rng.standard_normal((deals, 1))
        + rng.standard_normal((1, blocks))
        + 3 * rng.standard_normal((deals, blocks))
    )


@pytest.mark.parametrize(("deals", "blocks"), [(200, 16), (40, 40)])
def test_the_error_covers_both_samples(deals: int, blocks: int) -> None:
    """The mean of such values has variance 4 / deals + 1 / blocks + 9 / (deals x blocks)."""
    rng = np.random.default_rng(5)
    errors = [estimate_error(draw_values(rng, deals, blocks)) for _ in range(400)]
    true = np.sqrt(4 / deals + 1 / blocks + 9 / (deals * blocks))
    assert np.mean(np.square(errors)) == pytest.approx(true**2, rel=0.06)
    one_way = np.sqrt(4 / deals + 9 / (deals * blocks))  # if only deals were drawn
    assert np.mean(errors) > 1.08 * one_way


def test_intervals_hold_what_they_promise() -> None:
    rng = np.random.default_rng(6)
    inside = 0
    for _ in range(600):
        values = draw_values(rng, 60, 30)
        inside += abs(values.mean()) < 1.96 * estimate_error(values)
    assert 0.91 < inside / 600 < 0.98


def test_few_values_are_not_taken_for_many() -> None:
    assert estimate_error(np.ones((1, 5))) == float("inf")
    assert estimate_error(np.array([[1.0], [3.0]])) == pytest.approx(1.0)
    assert estimate_error(np.ones((4, 3))) == 0


# --- gains ---------------------------------------------------------------------------------------


def cut_judging(field: Field) -> tuple[Field, Field]:
    """Return the half that picks and the half that values."""
    half = len(field) // 2
    return field.take(slice(0, half)), field.take(slice(half, None))


def test_the_gain_is_that_of_the_oracle() -> None:
    """Picked on one half of the judges, valued on the other, unit by unit."""
    ruleset = load_ruleset("one-six")
    field = open_field(ruleset, "random-legal", 36, 72)
    picking, valuing = cut_judging(field)
    deals = deal_heroes(ruleset, pick_size(5, 3), 4)
    codes = set_deals("back-first", deals.cards, field.game)
    best = answer_exactly(deals, picking)
    rules: dict[str, object] = {"sweep": {"units": 3}}
    (gain,) = measure_gains(deals, {EXACT: codes}, field)
    for half, found in ((valuing, gain.mean), (picking, gain.ceiling)):
        better, plain = (value_by_hand(deals, each, ruleset, half, rules) for each in (best, codes))
        assert found == pytest.approx(np.mean(better) - np.mean(plain))
    assert gain.differ == np.mean(best != codes)
    assert (gain.deals, gain.opponents, gain.role) == (len(deals), len(valuing), PLAYER)


def test_what_is_already_the_best_answer_gains_nothing() -> None:
    ruleset = load_ruleset("two-four")
    field = open_field(ruleset, "back-first", 3, pick_size(600, 64))
    picking, _ = cut_judging(field)
    deals = deal_heroes(ruleset, DEALS, 1)
    best = answer_exactly(deals, picking)
    worse = set_deals("random-legal", deals.cards, field.game)
    mine, theirs = measure_gains(deals, {EXACT: best, FAST: worse}, field)
    assert (mine.form, theirs.form) == (EXACT, FAST)
    assert (mine.mean, mine.se, mine.ceiling, mine.differ) == (0, 0, 0, 0)
    low, high = theirs.interval
    assert low < theirs.mean < high
    assert low > pick_size(1, -3)  # a deal set at random loses more than a unit
    assert theirs.differ > 0.9


def test_on_average_the_pick_flatters_itself() -> None:
    """The figure on the picking half lies above the honest one, which few opponents make plain."""
    ruleset = load_ruleset("two-four")
    deals = deal_heroes(ruleset, DEALS, 2)
    field = open_field(ruleset, "rank-product", 8, pick_size(400, 40))
    codes = set_deals("rank-product", deals.cards, field.game)
    (gain,) = measure_gains(deals, {EXACT: codes}, field)
    assert gain.ceiling > gain.mean + 2 * gain.se or not COMPILED
    assert gain.ceiling > 0


def test_too_few_judges_are_refused() -> None:
    ruleset = load_ruleset("two-four")
    field = open_field(ruleset, "back-first", 3, 2 * BLOCKS - 1)
    deals = deal_heroes(ruleset, 2, 0)
    codes = set_deals("back-first", deals.cards, field.game)
    with pytest.raises(StrategyError, match="31 judging deals; expected 32 or more"):
        measure_gains(deals, {EXACT: codes}, field)


# --- strategies ----------------------------------------------------------------------------------


def measure_tiny(
    ruleset: Ruleset,
    source: str = "equilibrium",
    forms: Sequence[Form] = (EXACT, FAST),
    opponents: int = 1,
    jobs: int = 1,
    seed: int = 0,
) -> list[Gain]:
    """Measure a strategy on a few deals."""
    return measure_strategy(
        ruleset,
        source,
        forms=forms,
        opponents=opponents,
        deals=DEALS,
        seed=seed,
        jobs=jobs,
    )


def test_a_trained_strategy_is_stronger_than_a_rule() -> None:
    ruleset = load_ruleset("two-four")
    exact, fast = measure_tiny(ruleset)
    assert (exact.form, fast.form) == (EXACT, FAST)
    (rule,) = measure_tiny(ruleset, "back-first")
    assert rule.form == "rule"
    assert not rule.whole
    if COMPILED:
        assert rule.mean - exact.mean > 2 * (rule.se + exact.se)


def test_the_figure_does_not_depend_on_jobs() -> None:
    ruleset = load_ruleset("two-four")
    assert measure_tiny(ruleset, jobs=3) == measure_tiny(ruleset)
    assert measure_tiny(ruleset, seed=1) != measure_tiny(ruleset)


def test_players_and_bank_are_measured_each() -> None:
    ruleset = load_ruleset("malay")
    player, bank = measure_tiny(ruleset, forms=(EXACT,), opponents=3)
    assert (player.role, bank.role) == (PLAYER, BANK)
    assert player.mean != bank.mean
    fast = measure_tiny(ruleset, forms=(FAST,), opponents=3)
    assert [(gain.role, gain.form) for gain in fast] == [(PLAYER, FAST), (BANK, FAST)]
    rules = measure_tiny(ruleset, "back-first", opponents=3)
    assert [gain.form for gain in rules] == ["rule", "rule"]


@pytest.mark.parametrize(
    ("name", "opponents", "whole"),
    [
        ("ante", 2, True),
        ("ante", 1, False),
        ("hawaiian-gardens", 3, True),
        ("hawaiian-gardens", 2, False),
        ("first-to-11", 3, True),
        ("sole-winner", 2, True),
    ],
)
def test_who_is_paid_by_the_whole_table(name: str, opponents: int, whole: bool) -> None:
    (gain,) = measure_tiny(load_ruleset(name), "rank-product", opponents=opponents)
    assert gain.whole == whole


def test_a_trained_file_is_measured(tmp_path: Path) -> None:
    ruleset = load_ruleset("two-four")
    path = tmp_path / "other.strategy"
    files.store_strategies(
        files.train_strategies(ruleset, replace(MEASURED, seed=8)).values(), ruleset.id, path
    )
    (other,) = measure_tiny(ruleset, str(path), forms=(EXACT,))
    (mine,) = measure_tiny(ruleset, forms=(EXACT,))
    assert other.form == EXACT
    assert other.mean != mine.mean
    with pytest.raises(StrategyError, match="trained for other rules"):
        measure_tiny(load_ruleset("one-six"), str(path))


def test_a_csv_cannot_be_measured() -> None:
    with pytest.raises(StrategyError, match=r"deals\.csv: a CSV says nothing of other deals"):
        measure_tiny(load_ruleset("two-four"), "deals.csv")


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture
def run_measure(run_cli: RunCli) -> RunCli:
    """Run `cpoker strategy measure` on a few deals."""

    def run(*arguments: str) -> Result:
        return run_cli("strategy", "measure", "--deals", str(DEALS), *arguments)

    return run


def test_the_command_tells_what_the_library_measures(run_measure: RunCli) -> None:
    document = json.loads(run_measure("--json", "--seed", "3").stdout)
    gains = measure_tiny(load_ruleset("two-four"), opponents=3, seed=3)
    assert {key: document[key] for key in ("ruleset", "strategy", "opponents", "deals")} == {
        "ruleset": "two-four",
        "strategy": "equilibrium",
        "opponents": 3,
        "deals": DEALS,
    }
    assert document["whole_table"] is None
    for found, gain in zip(document["gains"], gains, strict=True):
        assert (found["role"], found["form"]) == ("player", gain.form)
        assert found["gain"] == pytest.approx(gain.mean, abs=1e-6)
        assert found["ci95"] == pytest.approx(gain.interval, abs=1e-6)
        assert found["differ"] == pytest.approx(gain.differ, abs=1e-6)
    (row,) = csv.DictReader(
        io.StringIO(run_measure("--format", "csv", "--form", "fast", "--seed", "3").stdout)
    )
    assert (row["form"], float(row["gain"])) == ("fast", document["gains"][1]["gain"])


def test_the_table_fits_and_says_what_it_rests_on(run_measure: RunCli) -> None:
    result = run_measure("--ruleset", "ante", "--form", "exact")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert f"{DEALS} new deals; " in result.stdout
    assert "opponents are independent draws" in result.stdout
    assert "independent" not in run_measure("--strategy", "back-first").stdout
    (figures,) = [line for line in result.stdout.splitlines() if line.startswith("player")]
    document = json.loads(run_measure("--ruleset", "ante", "--form", "exact", "--json").stdout)
    assert document["whole_table"] == "independent draws"
    assert f"{document['gains'][0]['gain']:.4f} ±" in figures


def test_player_and_bank_are_measured_in_both_forms(run_measure: RunCli) -> None:
    document = json.loads(run_measure("--ruleset", "malay", "--json").stdout)
    assert [(gain["role"], gain["form"]) for gain in document["gains"]] == [
        ("player", "exact"), ("player", "fast"), ("bank", "exact"), ("bank", "fast"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--strategy", "back-first", "--form", "exact"], 2, "back-first has one form only"),
        (["--strategy", "deals.csv"], 1, "a CSV says nothing of other deals"),
        (["--deals", "1"], 2, "--deals"),
    ],
)
def test_what_cannot_be_measured(
    run_measure: RunCli, arguments: list[str], code: int, message: str
) -> None:
    result = run_measure(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr
