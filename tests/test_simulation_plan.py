"""What is played out: who sits where, what cannot be asked, and states that are kept in files."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cp_cli.arrangement import parse_arrangement
from cp_cli.cards import parse_cards
from cp_cli.errors import ArrangementError, CardError, CpokerError, InputError, StrategyError
from cp_cli.ruleset import load_ruleset
from cp_cli.simulation import Request, Simulator, State, Stop, build_plan, read_state, write_state
from tests.played_tables import CARDS, HERO, collect, plan_rules, play
from tests.small_fields import build_small_field

TWO_FOUR = load_ruleset("two-four")
MALAY = load_ruleset("malay")


def test_players_sit_in_every_seat_once() -> None:
    plan = plan_rules(TWO_FOUR, 3)
    assert plan.games == ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
    assert [counted.label for counted in plan.counted] == ["back-first", "front-heavy"]
    mine, theirs = plan.counted
    assert [place.hands for place in mine.places] == [(0,), (1,), (2,), (3,)]
    assert len(theirs.places) == 12


def test_three_strategies_take_the_seats_in_turn() -> None:
    plan = plan_rules(TWO_FOUR, 2, versus=("front-heavy", "rank-product"))
    assert plan.games == ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    assert [len(counted.places) for counted in plan.counted] == [3, 3, 3]


def test_equal_strategies_are_one_entry_and_one_game() -> None:
    plan = plan_rules(TWO_FOUR, 3, versus=("back-first",))
    assert plan.games == ((0, 0, 0, 0),)
    assert len(plan.counted) == 1


def test_bank_and_players_are_counted_apart() -> None:
    alike = plan_rules(MALAY, 3, versus=("back-first",))
    assert [(counted.label, counted.role) for counted in alike.counted] == [
        ("back-first", "bank"),
        ("back-first", "player"),
    ]
    assert [len(counted.places) for counted in alike.counted] == [1, 3]
    both = plan_rules(MALAY, 3)
    assert [counted.role for counted in both.counted] == [None, "bank", "player"] * 2
    assert [way.role for way in both.ways[0]] == ["bank", "bank"]


def test_two_hands_each_belong_to_one_player() -> None:
    plan = plan_rules(load_ruleset("criss-cross"))
    assert plan.owners == (0, 0, 2, 2)
    assert [place.hands for place in plan.counted[0].places] == [(0, 1), (2, 3)]


FAULTS: list[tuple[dict[str, Any], type[CpokerError], str]] = [
    (
        {"subjects": (HERO, parse_arrangement("Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 4s"))},
        ArrangementError,
        r"5s 4s: not the cards of the first subject: 4s instead of 3s",
    ),
    (
        {"subjects": (parse_cards("As Ks"), parse_cards("As Kd"))},
        CardError,
        "As Kd: not the cards of the first subject: Kd instead of Ks",
    ),
    (
        {"subjects": (HERO,), "known": (parse_cards("Ah As"),), "dead": parse_cards("Ah 2s")},
        CardError,
        r"cards used more than once: As \(cards, opponent 1\), Ah \(opponent 1, --dead\)",
    ),
    (
        {"subjects": (HERO,), "dead": parse_cards("2s")},
        InputError,
        "4 hands of 13 cards and 1 dead card: a pack has 52; expected fewer",
    ),
    (
        {"dead": parse_cards("2s 2c")},
        InputError,
        "4 hands of 13 cards and 2 dead cards: a pack has 52; expected fewer",
    ),
    (
        {"versus": ("back-first", "front-heavy")},
        InputError,
        "--versus: 2 strategies for 3 opponents; expected one for all or one for each",
    ),
    ({"chips": 20}, InputError, "--chips 20: ruleset two-four does not limit payments by chips"),
    ({"known": (parse_cards("As"),)}, InputError, "--opponent: nobody's opponent"),
    (
        {
            "subjects": (HERO,),
            "known": tuple(parse_cards(card) for card in ("Ac", "Kc", "Qc", "Tc")),
        },
        InputError,
        "--opponent: 4 hands for 3 opponents; expected 3 or less",
    ),
    ({"subjects": (HERO,), "stored": True}, InputError, "--stored: stored deals are single"),
]


@pytest.mark.parametrize(("wishes", "kind", "message"), FAULTS)
def test_what_cannot_be_played_is_said(
    wishes: dict[str, Any], kind: type[CpokerError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        plan_rules(TWO_FOUR, 3, **wishes)


def test_a_file_of_deals_cannot_set_others(tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text("cards,front,middle,back\n")
    plan = build_plan(Request(TWO_FOUR, 1, (HERO,), versus=(str(path),)))
    with pytest.raises(StrategyError, match=r"theirs\.csv: knows only its own deals"):
        Simulator(plan)


def test_nothing_played_is_no_result() -> None:
    simulator = Simulator(plan_rules(TWO_FOUR, 1, subjects=(HERO,)))
    with pytest.raises(StrategyError, match="nothing was played"):
        simulator.sum_up(State())


# --- states in files -----------------------------------------------------------------------------


def test_a_kept_simulation_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    plan = plan_rules(load_ruleset("malay"), subjects=(HERO, CARDS), role="bank", opponents=2)
    assert read_state(path, plan, 5).deals == 0
    simulator, state = play(plan, 31, seed=5)
    write_state(path, state, plan, 5)
    kept = read_state(path, plan, 5)
    assert (kept.deals, kept.packs, kept.cut) == (30, 10, [])
    for _ in simulator.run(kept, Stop(60)):
        pass
    assert kept.total() == play(plan, 60, seed=5)[1].total()
    assert kept.elapsed > state.elapsed


def test_another_simulation_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,))
    _, state = play(plan, 3)
    write_state(path, state, plan, 0)
    others = [
        (plan, 1),
        (plan_rules(TWO_FOUR, 2, subjects=(HERO,)), 0),
        (plan_rules(TWO_FOUR, 1, subjects=(CARDS,)), 0),
        (plan_rules(TWO_FOUR, 1, subjects=(HERO,), versus=("random-legal",)), 0),
        (plan_rules(load_ruleset("two-four", ["rake=1"]), 1, subjects=(HERO,)), 0),
    ]
    for other, seed in others:
        with pytest.raises(InputError, match=r"long\.json: another simulation"):
            read_state(path, other, seed)


DAMAGES: dict[str, Any] = {
    "cut short": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "a list": lambda text: "[1, 2]",
    "other JSON": lambda text: '{"deals": 3}',
    "a word for a number": lambda text: text.replace('"games": 3', '"games": "three"'),
    "no tallies": lambda text: text.replace('"tallies"', '"counts"'),
    "fewer than none": lambda text: text.replace('"deals": 3', '"deals": -3'),
    "deep": lambda text: "[" * 100_000,
    "no tally": lambda text: re.sub(r'"tallies": .*', '"tallies": []}', text),
    "more deals than packs make": lambda text: text.replace('"deals": 3', '"deals": 6'),
    "an empty histogram": lambda text: re.sub(r'"histogram": [^"]*', '"histogram": [], ', text),
    "a sum cut short": lambda text: re.sub(r'"units": [^"]*', '"units": [1, 2], ', text),
    "six outcomes": lambda text: re.sub(r'"outcomes": [^"]*', '"outcomes": [1, 2], ', text),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_state_is_refused(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "long.json"
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,))
    _, state = play(plan, 3)
    write_state(path, state, plan, 0)
    text = path.read_text()
    path.write_text(DAMAGES[damage](text))
    assert path.read_text() != text
    with pytest.raises(InputError, match=r"long\.json: no simulation in it"):
        read_state(path, plan, 0)


def test_a_strategy_trained_anew_is_another_simulation(tmp_path: Path) -> None:
    trained, state_file = tmp_path / "mine.strategy", tmp_path / "long.json"
    trained.write_bytes(b"one")
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,), versus=(str(trained),))
    write_state(state_file, State(), plan, 0)
    assert read_state(state_file, plan, 0).deals == 0
    trained.write_bytes(b"two")
    with pytest.raises(InputError, match="another simulation"):
        read_state(state_file, plan, 0)


def test_a_run_that_has_reached_its_end_plays_nothing_more() -> None:
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,))
    simulator, state = play(plan, 30)
    before = state.total()
    assert list(simulator.run(state, Stop(30))) == []
    assert (state.ending, state.deals, state.total()) == ("deals", 30, before)


def test_a_device_is_no_state() -> None:
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,))
    with pytest.raises(InputError, match=r"/dev/zero: no file of --resume"):
        read_state(Path("/dev/zero"), plan, 0)


def test_any_seed_will_do() -> None:
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,), versus=("random-legal",))
    first, second = (collect(plan, 3, seed=seed).cards for seed in (10**20, 10**20 + 1))
    assert (first != second).any()


def test_stored_deals_that_share_cards_with_all_that_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    field = build_small_field(TWO_FOUR, 5, "back-first", 1)
    monkeypatch.setattr("cp_cli.simulation.stored.open_stored", lambda dealer: field)
    dead = tuple(card for card in range(52) if card not in CARDS)[:26]
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,), stored=True, dead=dead)
    with pytest.raises(StrategyError, match="--stored: no stored deal fits these cards"):
        play(plan, 10)


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,))
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_state(tmp_path, plan, 0)
    with pytest.raises(InputError, match="cannot be written"):
        write_state(tmp_path / "missing" / "long.json", State(), plan, 0)
    binary = tmp_path / "long.json"
    binary.write_bytes(b"\xff\xfe{}")
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_state(binary, plan, 0)


def test_writing_again_leaves_one_file(tmp_path: Path) -> None:
    plan = plan_rules(TWO_FOUR, 1, subjects=(HERO,))
    _, state = play(plan, 3)
    for _ in range(2):
        write_state(tmp_path / "long.json", state, plan, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["long.json"]
    document = json.loads((tmp_path / "long.json").read_text())
    assert document["deals"] == 3
