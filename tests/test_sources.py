"""Strategies from outside: trained files, and CSV files of deals with chosen splits."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cp_cli.candidates import read_split
from cp_cli.cards import format_cards, parse_cards
from cp_cli.errors import StrategyError
from cp_cli.field import FOUL, deal_random, describe_deals, mask_cards
from cp_cli.ruleset import Ruleset, load_ruleset
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game, digest_play
from cp_cli.strategy import Strategy, answer_exactly, files, named, set_deals, write_strategy
from cp_cli.strategy.catalogue import CACHE, PACKAGE, Use, list_strategy_files
from cp_cli.strategy.levels import set_at_level
from cp_cli.strategy.sources import (
    UNKNOWN,
    is_csv,
    is_trained,
    open_player,
    read_splits,
    read_trained,
)
from tests.sizes import pick_size
from tests.tiny_trainings import TINY, open_field, use_empty_cache

ALICE = "As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c"
ROWS = ("Jd Js 9h", "Qs Qh 8c 3c 2h", "As Ks 6s 5s 3s")
HEADER = "cards,front,middle,back"
GOOD = ",".join([ALICE, *ROWS])


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rules learn from fewer deals."""
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a CSV of these lines."""

    def write_lines(*lines: str) -> Path:
        path = tmp_path / "theirs.csv"
        path.write_text("\n".join(lines) + "\n")
        return path

    return write_lines


def sort(text: str) -> np.ndarray:
    """Return a deal as strategies see it."""
    return np.array([sorted(parse_cards(text), reverse=True)], dtype=np.uint8)


# --- CSV -----------------------------------------------------------------------------------------


def test_a_csv_holds_the_splits_of_its_deals(write: Callable[..., Path]) -> None:
    splits = read_splits(write(HEADER, GOOD))
    (code,) = splits.set_cards(sort(ALICE))
    played = read_split(sort(ALICE)[0], int(code))
    assert [set(row) for row in played.rows] == [set(parse_cards(row)) for row in ROWS]
    assert splits.set_cards(deal_random(0, 0, 2)).tolist() == [UNKNOWN, UNKNOWN]


def test_cards_and_columns_may_come_in_any_order(write: Callable[..., Path]) -> None:
    expected = read_splits(write(HEADER, GOOD)).codes
    backward = [" ".join(reversed(cell.split())) for cell in (ROWS[2], *ROWS[:2], ALICE)]
    for lines in (
        ["back,front,middle,cards", ",".join(backward)],
        ["\ufeffCards, Front ,MIDDLE,back", "", GOOD.replace(" ", "").upper(), ",,,"],
        [HEADER, ",".join(f'"{cell}"' for cell in GOOD.split(","))],
    ):
        assert read_splits(write(*lines)).codes == expected


def test_every_deal_keeps_its_own_split(write: Callable[..., Path]) -> None:
    game = build_game(load_ruleset("two-four"))
    cards = deal_random(81, 0, pick_size(300, 20))
    codes = set_deals("random-legal", cards, game)
    lines = [
        ",".join(map(format_cards, (map(int, deal), *read_split(deal, int(code)).rows)))
        for deal, code in zip(cards, codes, strict=True)
    ]
    splits = read_splits(write(HEADER, *lines))
    assert splits.set_cards(cards[::-1]).tolist() == codes[::-1].tolist()
    assert list(splits.codes) == [mask_cards(deal) for deal in cards.tolist()]


SIX = "Ac Kc Qc Jc 6c 5c 3c Qd 9d 2d Jh 8s 3d"
FAULTS = {
    "no header": ([GOOD], r":1: header \"as ks .*\"; expected cards,front,middle,back"),
    "empty": ([""], ":1: header"),
    "no deals": ([HEADER], r"\.csv: no deals in it"),
    "a column twice": (["cards,front,middle,middle", GOOD], ":1: header"),
    "three cells": ([HEADER, GOOD, "As,Ks,Qs"], ":3: 3 cells, expected 4"),
    "no card": ([HEADER, GOOD.replace("8c 3c 2h", "8x 3c 2h")], r":2: middle: .*\"x\""),
    "twelve cards": ([HEADER, GOOD.replace(" 8c 3c,", " 8c,", 1)], ":2: cards: 12 cards"),
    "a row too short": ([HEADER, GOOD.replace("Jd Js 9h", "Jd Js")], ":2: front: 2 cards"),
    "another card": (
        [HEADER, GOOD.replace("Jd Js 9h", "Jd Js 4h")],
        ":2: not in the deal: 4h; instead of 9h",
    ),
    "a card in two rows": (
        [HEADER, GOOD.replace("Jd Js 9h", "Jd Js Qs")],
        ":2: card used more than once: Qs",
    ),
    "a deal twice": (
        [HEADER, GOOD, "", ",".join([" ".join(reversed(ALICE.split())), *ROWS])],
        ":4: the deal of line 2 again",
    ),
    "not CSV": ([HEADER, f"{GOOD}\0"], ":2: "),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_a_csv_say_where(write: Callable[..., Path], name: str) -> None:
    lines, message = FAULTS[name]
    with pytest.raises(StrategyError, match=message) as caught:
        read_splits(write(*lines))
    assert "theirs.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_csv_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    with pytest.raises(StrategyError, match=r"none\.csv: cannot be read"):
        read_splits(path)
    path.write_bytes(f"{HEADER}\n{GOOD}\n".encode("utf-16"))
    with pytest.raises(StrategyError, match=r"none\.csv:1: not UTF-8"):
        read_splits(path)


def test_a_mis_set_split_is_taken_as_it_is(write: Callable[..., Path]) -> None:
    foul = ",".join([ALICE, "Qs Qh 2h", "Js Jd 9h 8c 3c", "As Ks 6s 5s 3s"])
    (code,) = read_splits(write(HEADER, foul)).set_cards(sort(ALICE))
    assert 0 <= code < FOUL
    assert format_cards(read_split(sort(ALICE)[0], int(code)).front) == "Qs Qh 2h"


# --- what a strategy is --------------------------------------------------------------------------


def test_files_are_told_from_names(write: Callable[..., Path], tmp_path: Path) -> None:
    other = tmp_path / "theirs"
    other.write_text(HEADER)
    assert [is_csv(text) for text in ("a.csv", "A.CSV", str(other), "level-3", "b.strategy")] == [
        *(True, True, True),
        *(False, False),
    ]
    assert [is_trained(text) for text in ("b.strategy", "B.Strategy", "strategy", "a.csv")] == [
        *(True, True),
        *(False, False),
    ]


def test_a_csv_plays_both_roles(write: Callable[..., Path]) -> None:
    player = open_player(load_ruleset("malay"), str(write(HEADER, GOOD)))
    assert set(player.setters) == {PLAYER, BANK}
    assert player.splits is not None
    assert len({int(set_cards(sort(ALICE))[0]) for set_cards in player.setters.values()}) == 1


def test_rules_play_as_they_do_elsewhere() -> None:
    ruleset = load_ruleset("one-six")
    cards = deal_random(82, 0, pick_size(100, 5))
    for name in ("front-heavy", "random-legal"):
        player = open_player(ruleset, name, seed=3)
        expected = set_deals(name, cards, build_game(ruleset), seed=3)
        assert np.array_equal(player.setters[PLAYER](cards), expected)
        assert player.splits is None


def test_unknown_names_are_refused() -> None:
    with pytest.raises(StrategyError, match='"back-frist"; did you mean "back-first"'):
        open_player(load_ruleset("basic"), "back-frist")


# --- trained files -------------------------------------------------------------------------------


def write_field(
    folder: Path, ruleset: Ruleset, rule: str, role: Role = PLAYER, choosing: int | None = None
) -> tuple[Path, Strategy]:
    """Write a strategy file whose deals are set by a rule."""
    count = pick_size(800, 30)
    codes = set_deals(rule, deal_random(5, 0, count), build_game(ruleset))
    digest = digest_play(ruleset, 1, role)
    strategy = Strategy(digest, 5, choosing or count // 2, codes)
    path = folder / f"{ruleset.id}-{digest}.strategy"
    write_strategy(path, strategy, ruleset.id)
    return path, strategy


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and little work to fill it."""
    monkeypatch.setattr(files, "LEVELS", replace(TINY, seed=4))
    return use_empty_cache(tmp_path, monkeypatch)


@pytest.mark.usefixtures("cache")
def test_a_trained_file_is_played_by_answering_its_choosing_deals(tmp_path: Path) -> None:
    ruleset = load_ruleset("two-four", ["overall={units: 7}"])
    path, strategy = write_field(tmp_path, ruleset, "back-first")
    player = open_player(ruleset, str(path))
    cards = deal_random(83, 0, pick_size(200, 4))
    field = open_field(ruleset, "back-first", 5, strategy.choosing)
    expected = answer_exactly(describe_deals(cards, ruleset), field)
    assert np.array_equal(player.setters[PLAYER](cards), expected)
    whole = open_field(ruleset, "back-first", 5, len(strategy.codes))
    assert not np.array_equal(expected, answer_exactly(describe_deals(cards, ruleset), whole))


@pytest.mark.usefixtures("cache")
def test_the_bank_and_the_players_answer_each_others_files(tmp_path: Path) -> None:
    ruleset = load_ruleset("malay")
    bank, theirs = write_field(tmp_path, ruleset, "back-first", BANK)
    with pytest.raises(StrategyError, match="the players' file is missing"):
        open_player(ruleset, str(bank))
    players, ours = write_field(tmp_path, ruleset, "front-heavy", PLAYER)
    for named_file in (bank, players):
        assert read_trained(named_file, ruleset, role=BANK).digest == theirs.digest
        assert read_trained(named_file, ruleset, role=PLAYER).digest == ours.digest
    setters = open_player(ruleset, str(bank)).setters
    cards = deal_random(84, 0, pick_size(200, 4))
    alike = np.mean(setters[BANK](cards) == setters[PLAYER](cards))
    assert alike < 1  # they answer different opponents
    bank.unlink()
    with pytest.raises(StrategyError, match="the bank's file is missing"):
        open_player(ruleset, str(players))


def test_a_file_for_other_rules_is_refused(tmp_path: Path) -> None:
    path, _ = write_field(tmp_path, load_ruleset("one-six"), "back-first")
    with pytest.raises(StrategyError, match="trained for other rules; expected two-four with 1 o"):
        open_player(load_ruleset("two-four"), str(path))
    path.write_bytes(b"{}")
    with pytest.raises(StrategyError, match="damaged strategy file"):
        open_player(load_ruleset("one-six"), str(path))


@pytest.mark.usefixtures("cache")
def test_the_equilibrium_and_its_levels_answer_the_same_opponents() -> None:
    ruleset = load_ruleset("two-four", ["overall={units: 7}"])
    cards = deal_random(85, 0, pick_size(100, 4))
    trained = files.load_strategy(ruleset)
    field = files.open_fields(ruleset, trained)[0]
    deals = describe_deals(cards, ruleset)
    for name, level in (("equilibrium", 100), ("level-100", 100), ("level-15", 15)):
        player = open_player(ruleset, name, seed=2)
        expected = set_at_level(level, deals, field, seed=2)
        assert np.array_equal(player.setters[PLAYER](cards), expected)


# --- the catalogue -------------------------------------------------------------------------------


def test_the_catalogue_tells_what_files_are_for(cache: Path) -> None:
    cache.mkdir(parents=True)
    ruleset = load_ruleset("one-six")
    path, strategy = write_field(cache, ruleset, "back-first")
    house = load_ruleset("one-six", ["sweep.units=11"])
    other, _ = write_field(cache, house, "back-first")
    damaged = cache / "level-7-0123abcd-0123456789abcdef.strategy"
    damaged.write_text("nothing")
    found = {each.path: each for each in list_strategy_files() if each.origin == CACHE}
    assert set(found) == {path, other, damaged}
    assert found[path].uses == (Use("one-six", (1, 2, 3), PLAYER),)
    assert found[path].deals == len(strategy.codes)
    assert found[path].choosing == strategy.choosing
    assert found[path].size == path.stat().st_size
    assert not found[path].fault
    assert found[other].uses == ()
    assert found[damaged].strategy == "level-7-0123abcd"
    assert "damaged strategy file" in found[damaged].fault
    renamed = path.rename(path.with_name(f"equilibrium-{digest_play(house)}.strategy"))
    assert [
        (each.path, each.fault) for each in list_strategy_files(house) if each.origin == CACHE
    ] == [(renamed, "for other rules than its name says"), (other, "")]


def test_every_ruleset_has_its_file_in_the_package() -> None:
    for name in ("two-four", "criss-cross"):
        found = list_strategy_files(load_ruleset(name))
        shipped = [each for each in found if each.origin == PACKAGE]
        assert {each.strategy for each in shipped} == {"equilibrium"}
        uses = {use for each in shipped for use in each.uses}
        assert {use.ruleset for use in uses} == {name}
        assert 1 in {count for use in uses for count in use.opponents}
    roles = {use.role for each in list_strategy_files(load_ruleset("malay")) for use in each.uses}
    assert roles == {PLAYER, BANK}
