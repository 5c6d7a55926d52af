"""Rules for the whole table in training: opponents as independent draws, against the oracle.

Every table that can be drawn from a small population, with repetition, is settled by the oracle.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.opponents import Game
from cp_cli._kernels.payoff import WEIGHT
from cp_cli._kernels.whole import HOME_RUN, RACE, ROW_POTS, SOLE_WINNER, score_heroes
from cp_cli.candidates import read_split
from cp_cli.field import build_field, deal_random, describe_deals
from cp_cli.ruleset import load_ruleset, to_dict
from cp_cli.settlement.game import build_game
from cp_cli.strategy import named, set_deals
from cp_cli.strategy.answers import with_rest
from tests import naive
from tests.naive import pairs, tables
from tests.sizes import pick_size

MANY = 5_000
N = 6
"""Deals in a population; of three opponents there are 216 tables for each hero."""

RULES: dict[str, tuple[str, int, list[str]]] = {
    "row pots": ("ante", 3, ["ante=6"]),
    "row pots of three": ("ante", 2, []),
    "row pots, low middle": ("ante", 2, ["order={middle: low27}"]),
    "sole winner": ("sole-winner", 3, ["ante=2"]),
    "race": ("first-to-11", 3, []),
    "race of three": ("first-to-11", 2, []),
    "race without the fourth": ("first-to-11", 3, ["race.fourth_point=false"]),
    "home run": ("hawaiian-gardens", 3, ["naturals=none", "surrender=null"]),
    "home run of two": ("basic", 2, ["all_sweep={units: 4, times: 3, opponents: 2}"]),
    "ties sweep": (
        "basic",
        2,
        ["sweep={units: 1, tie_counts: true}", "all_sweep={units: 9, opponents: 2}"],
    ),
}
KINDS = {"row": ROW_POTS, "sole": SOLE_WINNER, "race": RACE, "home": HOME_RUN, "ties": HOME_RUN}


@pytest.fixture(autouse=True)
def _short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named, "LESSONS", pick_size(1024, 12))


class Population:
    """A few deals, some of them set badly so that sweeps come often, and all their tables."""

    def __init__(self, name: str) -> None:
        ruleset, self.others, settings = RULES[name]
        self.ruleset = load_ruleset(ruleset, settings)
        self.game = build_game(self.ruleset, self.others)
        assert self.game.whole.kind == KINDS[name.split()[0].rstrip(",")]
        self.rules = naive.fill_rules(to_dict(self.ruleset))
        cards = deal_random(71, 0, N)
        codes = set_deals("back-first", cards, self.game)
        codes[::2] = set_deals("random-legal", cards[::2], self.game, seed=3)
        codes[-1], cards[-1] = codes[0], cards[0]  # the same rows twice: they tie
        field = build_field(describe_deals(cards, self.ruleset), codes, self.game)
        self.arranged = field.arranged
        self.rows = [
            read_split(deal, int(code)).rows for deal, code in zip(cards, codes, strict=True)
        ]

    def list_tables(self, hero: int) -> Iterator[list[tables.Seat]]:
        """Yield every table that can be drawn, the hero first."""
        for drawn in product(range(N), repeat=self.others):
            yield [
                tables.Seat(str(k), sum(self.rows[i], ()), self.rows[i], owner=str(k))
                for k, i in enumerate((hero, *drawn))
            ]

    def settle(self, seats: list[tables.Seat], **changes: Any) -> dict[str, Any]:
        """Return what the oracle says of a table; no card needs to be there only once."""
        rules = {**self.rules, **changes}
        result: dict[str, Any] = {
            "pairs": {}, "items": {}, "payments": [], "totals": {s.name: 0 for s in seats}
        }  # fmt: skip
        settle = {
            "row_pots": tables.settle_row_pots,
            "sole_winner": tables.settle_sole_winner,
            "race": tables.settle_race,
        }.get(rules["mode"], tables.settle_pairs)
        settle({"players": []}, rules, seats, result)
        return result

    def score(self, game: Game) -> NDArray[np.float64]:
        """Return our units of each deal, a table and opponent, against all draws."""
        heroes = np.ascontiguousarray(self.arranged.T)
        scores = np.empty(N, dtype=np.int64)
        many = self.arranged.copy()
        many[WEIGHT] = MANY  # sums are rounded to whole units
        score_heroes(heroes, N, many, N, 0, game, scores)
        values: NDArray[np.float64] = scores / (MANY * N)
        return values

    def beats(self, i: int, j: int) -> bool:
        """Tell whether a deal does to another what decides: sweeps it, or wins two rows."""
        outcomes = naive.row_outcomes(self.rows[i], self.rows[j], self.rules)
        if self.game.whole.kind == SOLE_WINNER:
            return outcomes.count(1) >= 2
        return pairs.sweep_side(outcomes, self.rules) == 1

    def value_table(self, seats: list[tables.Seat], *, own: bool) -> float:
        """Return the oracle's units of the hero, or with `own` without what others do to all.

        In a race his points less those of the others, on average; a row that somebody wins from
        him is a point for them, though nobody gets it where the best of them are equal.
        """
        result = self.settle(seats)
        kind = self.game.whole.kind
        if kind == RACE:
            lost = sum(
                any(self.loses(row, seats[0], other) for other in seats[1:]) for row in range(3)
            )
            fourth = not own and 4 in [result["points"][seat.name] for seat in seats[1:]]
            return float(result["points"]["0"] - (lost + fourth) / self.others)
        if kind == HOME_RUN and own and self.find_runner(seats):
            result = self.settle(seats, all_sweep=None)
        units = float(result["totals"]["0"])
        return max(0.0, units) if own and kind == SOLE_WINNER else units

    def loses(self, row: int, hero: tables.Seat, other: tables.Seat) -> bool:
        """Tell whether the hero's row is the weaker one."""
        assert hero.rows is not None
        assert other.rows is not None
        return naive.compare_rows(row, hero.rows[row], other.rows[row], self.rules["order"]) < 0

    def find_runner(self, seats: list[tables.Seat]) -> bool:
        """Tell whether somebody else sweeps everybody."""
        return any(
            all(tables.sweeps(p, q, self.rules, None) for q in seats if q is not p)
            for p in seats[1:]
        )

    def value_heroes(self, *, own: bool) -> NDArray[np.float64]:
        """Return the oracle's units of each deal, a table and opponent, over all tables."""
        return (
            np.array(
                [
                    np.mean([self.value_table(seats, own=own) for seats in self.list_tables(hero)])
                    for hero in range(N)
                ]
            )
            / self.others
        )


@pytest.fixture(scope="module", params=RULES)
def population(request: pytest.FixtureRequest) -> Population:
    return Population(request.param)


def test_what_a_deal_does_to_all_is_that_of_the_oracle(population: Population) -> None:
    """With nobody who does it to us: rest is the chance that who beats us beats all others."""
    whole = population.game.whole._replace(rest=0.0)
    found = population.score(population.game._replace(whole=whole))
    assert found == pytest.approx(population.value_heroes(own=True), abs=1e-4)
    assert len(set(found.round(6))) > 2


def test_what_others_do_to_all_is_so_on_average(population: Population) -> None:
    """For deals like those of the opponents, as all are where everybody plays alike."""
    game = with_rest(population.game, population.arranged, population.arranged)
    found, expected = population.score(game), population.value_heroes(own=False)
    assert found.mean() == pytest.approx(expected.mean(), abs=1e-4)
    if population.game.whole.kind == ROW_POTS:
        assert found == pytest.approx(expected, abs=1e-4)
    if population.game.whole.kind != RACE:
        assert expected.mean() == pytest.approx(0)  # what one wins others lose


def test_who_beats_one_beats_the_others_as_often_as_found(population: Population) -> None:
    game = with_rest(population.game, population.arranged, population.arranged)
    chances = [np.mean([population.beats(i, j) for j in range(N)]) for i in range(N)]
    others = population.others
    if population.game.whole.kind == ROW_POTS:
        assert game.whole.rest == 0
        return
    expected = sum(p**others for p in chances) / sum(chances)
    assert game.whole.rest == pytest.approx(expected)
    assert 0 < game.whole.rest < 1
