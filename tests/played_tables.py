"""Simulations in small, and what one by one settlement makes of what they played."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from cp_cli._kernels.opponents import DECLARE, SURRENDER
from cp_cli._kernels.splits import SPLITS
from cp_cli.arrangement import Arrangement, parse_arrangement
from cp_cli.candidates import read_split
from cp_cli.ruleset import Ruleset
from cp_cli.settlement import BEST, Seat, Settlement, Settler, Table
from cp_cli.simulation import Plan, Played, Request, Simulator, State, Stop, build_plan

HERO = parse_arrangement("Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s")
OTHER = parse_arrangement("3s 3c 9h / Js Jd Qh 8c 2h / As Ks Qs 6s 5s")
CARDS = HERO.cards
NAMES = ("A", "B", "C", "D")


def plan_rules(ruleset: Ruleset, opponents: int | None = None, **wishes: Any) -> Plan:
    """Return the plan of a simulation, by default at a full table and played by cheap rules."""
    wishes = {"strategy": "back-first", "versus": ("front-heavy",)} | wishes
    return build_plan(Request(ruleset, opponents or ruleset.players.max - 1, **wishes))


def play(plan: Plan, deals: int, *, seed: int = 0, jobs: int = 1) -> tuple[Simulator, State]:
    """Play a plan out."""
    simulator = Simulator(plan, seed=seed, jobs=jobs)
    state = State()
    for _ in simulator.run(state, Stop(deals)):
        pass
    return simulator, state


def collect(plan: Plan, deals: int, *, seed: int = 0) -> Played:
    """Return all deals of a short simulation, which must fit into one batch."""
    parts: list[Played] = []
    for _ in Simulator(plan, seed=seed).run(State(), Stop(deals), parts.append):
        pass
    assert len(parts) == 1
    return parts[0]


def seat_played(name: str, cards: Sequence[int], code: int, **more: Any) -> Seat:
    """Return a hand as the settlement of one table takes it."""
    if code == DECLARE:
        return Seat(name, cards=tuple(cards), natural=BEST, **more)
    split: Arrangement = read_split(np.array(cards, dtype=np.uint8), code if code < SPLITS else 0)
    return Seat(name, split, surrendered=code == SURRENDER, **more)


def settle_played(plan: Plan, played: Played, deal: int, game: int, settler: Settler) -> Settlement:
    """Settle one game of one deal that was played."""
    chips = plan.request.chips
    seats = []
    for hand in range(plan.hands):
        code = int(played.codes[hand][deal, plan.games[game][hand]])
        owner = NAMES[plan.owners[hand]] if plan.owners[hand] != hand else None
        seats.append(
            seat_played(
                NAMES[hand], played.cards[deal, hand].tolist(), code, chips=chips, owner=owner
            )
        )
    dealer = None if chips is None else NAMES[(played.first + deal) % plan.hands]
    banker = NAMES[plan.banker] if plan.banker >= 0 else None
    return settler.settle(Table(tuple(seats), dealer=dealer, banker=banker))


def list_units(plan: Plan, done: Settlement) -> list[Fraction]:
    """Return what each player of a settled table gets; of a race, points over the others'."""
    if plan.ruleset.mode == "race":
        points = [Fraction(player.points or 0) for player in done.players]
        total = sum(points)
        return [mine - (total - mine) / (len(points) - 1) for mine in points]
    return [Fraction(player.units) for player in done.players if player.name in NAMES]
