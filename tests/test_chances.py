"""How often rows win: against one opponent by hand, against all from whole tables, and in words."""

import csv
import io
import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from numpy.typing import NDArray

from cp_cli.arrangement import Row
from cp_cli.candidates import read_split
from cp_cli.cards import DECK, parse_cards
from cp_cli.evaluator import rank_low, rank_row
from cp_cli.field import DECLARE, SURRENDER, Field, build_field, deal_random, describe_deals
from cp_cli.ruleset import Order, Ruleset, load_ruleset
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game
from cp_cli.strategy import chances, files, named, set_deals
from cp_cli.strategy.chances import Chances, show_rows
from cp_cli.strategy.classes import group_row, name_class
from cp_cli.strategy.dependence import fit_dependence
from tests import naive
from tests.sizes import COMPILED, pick_size
from tests.test_field import SUITS, list_deal, relabel
from tests.tiny_trainings import TINY, open_field, use_empty_cache

RunCli = Callable[..., Result]


# --- against one opponent ------------------------------------------------------------------------


def count_by_hand(hero: Field, i: int, opponents: Field) -> NDArray[np.float64]:
    """Return the shares won and tied (3, 2) by the oracle, all relabellings tried."""
    deal = list_deal(hero.deals.cards[i])
    mine = read_split(hero.deals.cards[i], int(hero.codes[i])).rows
    counts = np.zeros((3, 2))
    met = 0
    for cards, code in zip(opponents.deals.cards, opponents.codes, strict=True):
        if code >= DECLARE:
            continue
        fits = sum(not relabel(list_deal(cards), suits) & set(deal) for suits in SUITS)
        theirs = read_split(cards, int(code)).rows
        met += fits
        for row in range(3):
            result = naive.compare_rows(row, mine[row], theirs[row], {})
            counts[row] += fits * np.array([result > 0, result == 0])
    return counts / met


def open_pair(name: str, settings: list[str]) -> tuple[Field, Field]:
    """Return heroes and opponents of a ruleset, set by simple rules."""
    ruleset = load_ruleset(name, settings)
    return (
        open_field(ruleset, "rank-product", 61, 5),
        open_field(ruleset, "back-first", 62, pick_size(160, 60)),
    )


def test_chances_against_one_are_those_of_the_oracle() -> None:
    heroes, opponents = open_pair("two-four", [])
    shown = show_rows(heroes, opponents, blocks=4)
    for i in range(len(heroes)):
        expected = count_by_hand(heroes, i, opponents)
        assert shown.win[i] == pytest.approx(expected[:, 0])
        assert shown.tie[i] == pytest.approx(expected[:, 1])
    assert shown.blocks.shape == (5, 4, 3)


def test_blocks_are_parts_of_the_opponents() -> None:
    heroes, opponents = open_pair("two-four", [])
    shown = show_rows(heroes, opponents, blocks=2)
    half = len(opponents) // 2
    for b, part in enumerate((slice(0, half), slice(half, None))):
        alone = show_rows(heroes, opponents.take(part), blocks=1)
        assert shown.blocks[:, b] == pytest.approx(alone.win)


def test_who_shows_no_rows_is_left_out() -> None:
    heroes, opponents = open_pair("two-four", ["surrender=1"])
    codes = opponents.codes.copy()
    codes[::3], codes[1::3] = DECLARE, SURRENDER
    few = build_field(opponents.deals, codes, opponents.game)
    own = heroes.codes.copy()
    own[2] = SURRENDER
    shown = show_rows(build_field(heroes.deals, own, heroes.game), few, blocks=1)
    assert len(shown) == 4
    for place, i in enumerate((0, 1, 3, 4)):
        assert shown.win[place] == pytest.approx(count_by_hand(heroes, i, few)[:, 0])


def test_strengths_are_those_of_the_rows() -> None:
    """Also where the bank's are kept doubled and lifted, and in a low middle."""
    for name, settings in (("malay", []), ("two-four", ["order.middle=low27"])):
        ruleset = load_ruleset(name, settings)
        game = build_game(ruleset, 3, BANK)
        deals = describe_deals(deal_random(63, 0, 6), ruleset)
        field = build_field(deals, set_deals("back-first", deals.cards, game), game)
        shown = show_rows(field, field, blocks=1)
        for i, strengths in enumerate(shown.strengths):
            front, middle, back = read_split(shown.cards[i], int(shown.codes[i])).rows
            ranked = rank_low(middle) if ruleset.order.middle == "low27" else rank_row(middle)
            assert strengths.tolist() == [rank_row(front), ranked, rank_row(back)]


# --- against several -----------------------------------------------------------------------------


def draw_tables(
    rng: np.random.Generator, tables: int, others: int, shared: float
) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """Return rows (t, others + 1, 3) whose strengths depend on each other, and chances to beat one.

    With a chance `shared` the opponents of a table hold equal rows, else independent ones, all
    uniform from 0 to 999: so the hero with strength s beats one with s / 1000, and all of them
    with shared x s / 1000 + (1 - shared) x (s / 1000) ** others.
    """
    rows = rng.integers(0, 1000, (tables, others + 1, 3))
    same = rng.random(tables) < shared
    rows[same, 1:] = rows[same, 1:2]
    return rows.astype(np.int16), rows[:, :1] / 1000


@pytest.mark.parametrize(("others", "shared"), [(2, 0.3), (3, 0.1), (3, 0.0)])
def test_dependence_is_learnt_from_tables(others: int, shared: float) -> None:
    rng = np.random.default_rng(7)
    fitted = fit_dependence(*draw_tables(rng, 20_000, others, shared), others)
    chances_of = np.linspace(0, 1, 21)
    true = shared * chances_of + (1 - shared) * chances_of**others
    for row in range(3):
        found = fitted.beat_all(chances_of, row)
        assert found[[0, -1]].tolist() == [0, 1]
        # Three features follow such a line to about a hundredth where opponents are often equal.
        assert np.abs(found - true).max() < 0.03 if shared else 0.02
        assert fitted.find_error(chances_of, row) < 0.01


def test_the_error_of_the_fit_is_what_other_tables_would_change() -> None:
    rng = np.random.default_rng(8)
    fits = [fit_dependence(*draw_tables(rng, 400, 2, 0.2), 2) for _ in range(150)]
    at = np.array([0.3, 0.7])
    found = [np.mean(fit.beat_all(at, 1)) for fit in fits]
    errors = [fit.find_error(at, 1) for fit in fits]
    assert np.mean(errors) == pytest.approx(np.std(found), rel=0.2)


def test_one_opponent_needs_no_tables() -> None:
    nothing = fit_dependence(np.zeros((4, 2, 3), dtype=np.int16), np.zeros((4, 1, 3)), 1)
    assert nothing.beat_all(np.array([0.25, 1.0]), 0).tolist() == [0.25, 1.0]
    assert nothing.find_error(np.array([0.25]), 0) == 0


# --- classes and groups --------------------------------------------------------------------------


def list_fronts() -> list[tuple[int, ...]]:
    """Return a front of each of the 455 classes."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for cards in combinations(DECK, 3):
        found.setdefault(tuple(sorted(card >> 2 for card in cards)), cards)
    return list(found.values())


def test_every_front_has_a_name_of_its_own() -> None:
    fronts = list_fronts()
    assert len(fronts) == 455
    names = {rank_row(cards): name_class(cards, Row.FRONT, Order()) for cards in fronts}
    assert len(names) == len(set(names.values())) == 455


@pytest.mark.parametrize("order", [Order(), Order(middle="low27"), Order(wheel="second")])
def test_rows_share_a_name_just_where_they_are_equal(order: Order) -> None:
    rng = np.random.default_rng(9)
    names: dict[int, str] = {}
    low = order.middle == "low27"
    for _ in range(pick_size(6000, 600)):
        cards = tuple(int(card) for card in rng.permutation(52)[:5])
        strength = rank_low(cards) if low else rank_row(cards, order.wheel)
        assert names.setdefault(strength, name_class(cards, Row.MIDDLE, order)) == (
            name_class(cards, Row.MIDDLE, order)
        )
    assert len(set(names.values())) == len(names)


@pytest.mark.parametrize(
    ("cards", "row", "name", "group"),
    [
        ("Qs Jd 9h", Row.FRONT, "queen high: Q-J-9", "queen high or less"),
        ("Ks Qd 2h", Row.FRONT, "king high: K-Q-2", "king high"),
        ("As Qd 2h", Row.FRONT, "ace high: A-Q-2", "ace high"),
        ("2s Kd Ah", Row.FRONT, "ace high: A-K-2", "ace-king high"),
        ("6s 6d Ah", Row.FRONT, "pair of sixes: 6-6-A", "pair of twos to sixes"),
        ("7s 7d 2h", Row.FRONT, "pair of sevens: 7-7-2", "pair of sevens to tens"),
        ("Js Jd 2h", Row.FRONT, "pair of jacks: J-J-2", "pair of jacks"),
        ("2s 2d 2h", Row.FRONT, "three twos: 2-2-2", "three of a kind"),
        ("Ts Td 2h 3c 4c", Row.MIDDLE, "pair of tens: T-T-4-3-2", "pair of twos to tens"),
        ("Ks Kd 2h 3c 4c", Row.BACK, "pair of kings: K-K-4-3-2", "pair of jacks to kings"),
        ("As Ad 2h 3c 4c", Row.BACK, "pair of aces: A-A-4-3-2", "pair of aces"),
        ("As 9d 2h 3c 4c", Row.MIDDLE, "ace high: A-9-4-3-2", "high card"),
        (
            *("Ts Td 9h 9c Ac", Row.BACK),
            *("two pair, tens and nines: T-T-9-9-A", "two pair, tens up or less"),
        ),
        (
            *("Js Jd 9h 9c Ac", Row.BACK),
            *("two pair, jacks and nines: J-J-9-9-A", "two pair, jacks to kings up"),
        ),
        ("As Ad 9h 9c 2c", Row.BACK, "two pair, aces and nines: A-A-9-9-2", "two pair, aces up"),
        ("5s 4d 3h 2c Ac", Row.BACK, "straight, five high", "straight"),
        ("As Qs Ts 8s 2s", Row.BACK, "flush, ace high: A-Q-T-8-2", "flush"),
        ("2s 2d 2h 7c 7s", Row.BACK, "twos full of sevens: 2-2-2-7-7", "full house"),
        ("2s 2d 2h 2c 7s", Row.BACK, "four twos: 2-2-2-2-7", "four of a kind"),
        ("As Ks Qs Js Ts", Row.BACK, "royal flush", "straight flush"),
    ],
)
def test_classes_and_groups_in_words(cards: str, row: Row, name: str, group: str) -> None:
    assert name_class(parse_cards(cards), row, Order()) == name
    assert group_row(parse_cards(cards), row, Order()) == group


def test_a_low_middle_in_words() -> None:
    order = Order(middle="low27")
    seven, wheel, pair = (
        parse_cards(text) for text in ("7s 5d 4c 3h 2s", "5s 4d 3c 2h As", "2s 2d 3c 4h 5s")
    )
    assert name_class(seven, Row.MIDDLE, order) == "seven low: 7-5-4-3-2"
    assert group_row(seven, Row.MIDDLE, order) == "seven low"
    assert group_row(wheel, Row.MIDDLE, order) == "ace low"
    assert group_row(wheel, Row.BACK, order) == "straight"
    assert group_row(pair, Row.MIDDLE, order) == "pair of twos to tens"


@pytest.mark.parametrize("row", list(Row))
def test_groups_follow_the_order_of_strength(row: Row) -> None:
    """No row of a group is stronger than one of the next."""
    rng = np.random.default_rng(10)
    size = 3 if row == Row.FRONT else 5
    rows = [tuple(int(card) for card in rng.permutation(52)[:size]) for _ in range(4000)]
    rows.sort(key=rank_row)
    groups = [group_row(cards, row, Order()) for cards in rows]
    changes = sum(one != other for one, other in zip(groups[1:], groups[:-1], strict=True))
    assert changes == len(set(groups)) - 1
    assert changes >= 6


# --- tables of an equilibrium --------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strategies of a second, none that comes with the package, and few tables."""
    use_empty_cache(tmp_path, monkeypatch)
    monkeypatch.setattr(files, "SHIPPED", tmp_path)
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))
    monkeypatch.setattr(chances, "TABLES", pick_size(400, 4))


def open_chances(
    ruleset: Ruleset, opponents: int = 1, role: Role = PLAYER, jobs: int = 1
) -> Chances:
    """Return chances from all judging deals of a tiny training."""
    return Chances(ruleset, opponents, role, deals=TINY.judging, jobs=jobs)


def test_lines_cover_all_rows_once() -> None:
    found = open_chances(load_ruleset("two-four"))
    for row in Row:
        for by in ("category", "class"):
            lines = found.list_lines(row, by)
            assert sum(line.deals for line in lines) == len(found.shown) == TINY.judging
            assert sum(line.share for line in lines) == pytest.approx(1)
            # The mean over lines is the mean over deals, and lines go up.
            mean = sum(line.win * line.deals for line in lines) / len(found.shown)
            assert mean == pytest.approx(found.shown.win[:, row].mean())
            below = np.cumsum([0, *(line.share for line in lines[:-1])])
            assert [line.below for line in lines] == pytest.approx(below.tolist())
            assert len({line.name for line in lines}) == len(lines)
            assert all(line.win == line.win_all for line in lines)


def test_percents_are_quantiles_of_the_rows() -> None:
    found = open_chances(load_ruleset("two-four"))
    lines = found.list_lines(Row.BACK, "percent")
    assert [line.percent for line in lines] == list(range(1, 100))
    if COMPILED:
        assert all(line.share >= 0.009 for line in lines)
        for line in lines:
            assert abs(line.below - (line.percent or 0) / 100) < 0.12  # a straight is many deals
        wins = [line.win for line in lines]
        assert np.corrcoef(wins, np.arange(99))[0, 1] > 0.98


def test_several_opponents_are_harder_to_beat() -> None:
    ruleset = load_ruleset("two-four")
    by_number = [open_chances(ruleset, n).list_lines(Row.FRONT, "category") for n in (1, 2, 3)]
    for one, two, three in zip(*by_number, strict=True):
        assert one.name == two.name == three.name
        assert one.win == two.win == three.win
        assert one.win_all >= two.win_all >= three.win_all >= 0
        assert two.win_all + two.tie_all <= 1
    if COMPILED:
        aces = by_number[2][-2]
        assert 0.5 < aces.win_all < aces.win


def test_the_bank_wins_equal_rows() -> None:
    ruleset = load_ruleset("malay")
    bank = open_chances(ruleset, 3, role=BANK)
    player = open_chances(ruleset, 1, role=PLAYER)
    assert (bank.shown.tie == 0).all()
    assert (player.shown.tie == 0).all()
    plain = open_chances(load_ruleset("malay", ["bank.wins_ties=false"]), 1)
    assert (plain.shown.tie > 0).any()


def test_chances_do_not_depend_on_jobs() -> None:
    ruleset = load_ruleset("one-six")
    lines = [
        open_chances(ruleset, 3, jobs=jobs).list_lines(Row.MIDDLE, "category") for jobs in (1, 3)
    ]
    assert lines[0] == lines[1]


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture
def run_table(run_cli: RunCli) -> RunCli:
    """Run `cpoker strategy table`."""

    def run(*arguments: str) -> Result:
        return run_cli("strategy", "table", *arguments)

    return run


def test_json_and_csv_say_the_same(run_table: RunCli) -> None:
    arguments = ("--row", "front", "--by", "class", "--opponents", "2")
    document = json.loads(run_table(*arguments, "--json").stdout)
    assert (document["ruleset"], document["by"], document["opponents"]) == ("two-four", "class", 2)
    rows = list(csv.DictReader(io.StringIO(run_table(*arguments, "--format", "csv").stdout)))
    assert len(rows) == len(document["lines"]) > 5
    for row, line in zip(rows, document["lines"], strict=True):
        assert {key: "" if value is None else str(value) for key, value in line.items()} == row
    assert all(line["row"] == "front" for line in document["lines"])


@pytest.mark.parametrize("by", ["category", "percent", "class"])
def test_tables_fit_eighty_columns(run_table: RunCli, by: str) -> None:
    result = run_table("--by", by)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line for line in lines if "beat 3" in line]
    assert [head.replace("%", "").split()[0] for head in heads] == ["front", "middle", "back"]
    assert "beat" not in run_table("--by", by, "--opponents", "1").stdout


def test_figures_in_the_table_are_percents(run_table: RunCli) -> None:
    (line, *_) = json.loads(run_table("--row", "back", "--json").stdout)["lines"]
    shown = run_table("--row", "back").stdout.splitlines()
    (drawn,) = [text for text in shown if text.startswith(line["name"])]
    figures = drawn.removeprefix(line["name"]).split()
    assert figures[0] == f"{100 * line['share']:.2f}"
    assert figures[2].startswith(f"{100 * line['win']:.1f}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--role", "bank"], "ruleset two-four has no bank"),
        (["--ruleset", "malay", "--opponents", "3"], "a player meets nobody but the bank"),
        (["--by", "rank"], "--by"),
        (["--row", "head"], "--row"),
    ],
)
def test_bad_usage(run_table: RunCli, arguments: list[str], message: str) -> None:
    result = run_table(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
