"""The score of a race of two: chances from every score, and deals priced by them."""

from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from cp_cli._kernels.payoff import WEIGHT
from cp_cli.candidates import rank_splits
from cp_cli.cards import parse_cards
from cp_cli.equity import Analyst
from cp_cli.equity.race import Scoreboard, count_points, value_points, value_scores
from cp_cli.field import Field, Opponents, deal_random, mask_cards
from cp_cli.ruleset import load_ruleset, to_dict
from tests import naive
from tests.sizes import pick_size
from tests.wild_tables import WildSeat, build_wild_field, describe_player, settle_table

ALICE = parse_cards("As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c")
RULES = load_ruleset("first-to-11")
ORDER = to_dict(RULES)["order"]
FIELD = pick_size(2_000, 80)

# Made up: how likely two players win so many points of a deal, in 64ths.
CHANCES = {(3, 0): 6, (2, 1): 20, (2, 0): 3, (1, 1): 4, (1, 0): 1, (0, 0): 0}


def list_chances(extra: int = 0) -> dict[tuple[int, int], Fraction]:
    """Return the chances of all outcomes, `extra` 64ths more that nobody wins a point."""
    found = {pair: Fraction(part, 64 + extra) for pair, part in CHANCES.items()}
    found[0, 0] += Fraction(extra, 64 + extra)
    return found | {(b, a): found[a, b] for a, b in found}


def make_table(chances: dict[tuple[int, int], Fraction]) -> NDArray[np.float64]:
    table = np.zeros((4, 4))
    for (a, b), chance in chances.items():
        table[a, b] = float(chance)
    assert table.sum() == pytest.approx(1)
    return table


def play_on(
    own: int, other: int, target: int, chances: dict[tuple[int, int], Fraction]
) -> Fraction:
    """Return the chance to win from a score, taken from the rules deal by deal."""

    @cache
    def win(mine: int, theirs: int) -> Fraction:
        winner = naive.race_winner({"me": mine, "you": theirs}, target)
        if winner:
            return Fraction(winner == "me")
        if mine >= target:
            # Equal and playing on: by symmetry neither is ahead.
            return Fraction(1, 2)
        total = Fraction(0)
        for (a, b), chance in chances.items():
            if a + b:
                total += chance * win(mine + a, theirs + b)
        return total / (1 - chances[0, 0])

    return win(own, other)


@pytest.mark.parametrize("target", [1, 2, 11])
@pytest.mark.parametrize("extra", [0, 16])
def test_chances_follow_from_the_end_of_the_game(target: int, extra: int) -> None:
    chances = list_chances(extra)
    values = value_scores(make_table(chances), target)
    for own in range(target + 3):
        for other in range(target + 3):
            expected = play_on(own, other, target, chances)
            assert values[own, other] == pytest.approx(float(expected), abs=1e-12)


def test_the_chances_of_both_add_up() -> None:
    values = value_scores(make_table(list_chances(5)), 11)
    np.testing.assert_allclose(values + values.T, 1, atol=1e-12)
    inside = values[:11, :11]
    assert (np.diff(inside, axis=0) > 0).all()
    assert (np.diff(inside, axis=1) < 0).all()


def test_games_that_are_played_out_end_as_often_as_that() -> None:
    """Thousands of games from 5-7, dealt by dice."""
    chances = make_table(list_chances(5))
    rng = np.random.default_rng(3)
    games = 4_000
    scores = np.repeat([[5, 7]], games, axis=0)
    open_games = np.full(games, True)
    while open_games.any():
        drawn = rng.choice(16, size=games, p=chances.ravel())
        scores[open_games] += np.stack([drawn // 4, drawn % 4], axis=1)[open_games]
        open_games = (scores.max(axis=1) < 11) | (scores[:, 0] == scores[:, 1])
    won = (scores[:, 0] > scores[:, 1]).mean()
    expected = value_scores(chances, 11)[5, 7]
    assert abs(won - expected) < 4 * np.sqrt(expected * (1 - expected) / games)


def test_points_of_a_deal_lead_to_the_next_score() -> None:
    chances = list_chances()
    worth = value_points(make_table(chances), 11, (9, 10))
    for won in range(4):
        for lost in range(4):
            expected = play_on(9 + won, 10 + lost, 11, chances)
            assert worth[won, lost] == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("score", [(11, 11), (15, 15)])
def test_two_who_are_equal_at_the_target_play_on(score: tuple[int, int]) -> None:
    worth = value_points(make_table(list_chances()), 11, score)
    won, lost = np.indices((4, 4))
    np.testing.assert_array_equal(worth, np.where(won > lost, 1, np.where(won < lost, 0, 0.5)))


# --- points of a deal ----------------------------------------------------------------------------


def score_pair(one: WildSeat, other: WildSeat) -> tuple[int, int]:
    points = settle_table(one.player, [other], to_dict(RULES))["points"]
    return points["me"], points["o0"]


def list_players(field: Field) -> list[WildSeat]:
    return [
        WildSeat(i, tuple(cards.tolist()), describe_player(cards, int(code), RULES))
        for i, (cards, code) in enumerate(zip(field.deals.cards, field.codes, strict=True))
    ]


def test_points_are_counted_over_all_that_can_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every two deals of the field that share no card, fouls included, both ways round."""
    monkeypatch.setattr("cp_cli.equity.race.PER_FIRST", 1_000)
    field = build_wild_field(deal_random(5, 0, pick_size(120, 40)), RULES)
    players = list_players(field)
    expected = np.zeros((4, 4))
    for one in players:
        for other in players:
            if set(one.cards).isdisjoint(other.cards):
                expected[score_pair(one, other)] += 1
    assert expected.sum() > 4
    np.testing.assert_allclose(count_points(field), expected / expected.sum(), atol=1e-12)


def open_board(score: tuple[int, int]) -> tuple[Analyst, Scoreboard]:
    choosing, judging = (build_wild_field(deal_random(seed, 0, FIELD), RULES) for seed in (1, 2))
    board = Scoreboard(score, value_points(count_points(judging), 11, score))
    return Analyst(RULES, choosing, judging, referee=board), board


@pytest.mark.parametrize("score", [(9, 10), (3, 3)])
def test_a_deal_is_priced_by_the_chance_to_win(
    monkeypatch: pytest.MonkeyPatch, score: tuple[int, int]
) -> None:
    monkeypatch.setattr("cp_cli.equity.analysis.FEWEST", 1)
    monkeypatch.setattr("cp_cli.equity.judges.LESSONS", 1 << 20)  # no control variates
    analyst, board = open_board(score)
    answer = analyst.analyze(ALICE, opponents=1, top=3)
    assert (answer.ev_unit, answer.score, answer.tables) == ("win chance", score, 0)
    opponents = analyst.judging.condition(mask_cards(ALICE))
    for figures in answer.arrangements:
        expected = average_worth(figures.arrangement.rows, opponents, board)
        assert figures.ev == pytest.approx(expected, abs=1e-6)
        assert 0 <= figures.ev <= 1


def average_worth(rows: naive.Rows, opponents: Opponents, board: Scoreboard) -> float:
    """Return the chance to win with some rows against opponents, as the oracle counts points."""
    field = opponents.field
    total = 0.0
    for i, weight in zip(opponents.deals.tolist(), opponents.players[WEIGHT], strict=True):
        player = describe_player(field.deals.cards[i], int(field.codes[i]), RULES)
        theirs: naive.Rows = (player["front"], player["middle"], player["back"])
        # The oracle's table wants no card twice, which relabelled deals have.
        won, lost = 3, 0
        if not naive.foul_reason(*theirs, ORDER):
            outcomes = naive.row_outcomes(rows, theirs, to_dict(RULES))
            won, lost = outcomes.count(1), outcomes.count(-1)
        total += float(weight) * board.worth[won, lost]
    return total / float(opponents.players[WEIGHT].sum(dtype=np.int64))


def test_splits_are_ranked_by_the_chance_to_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two behind with one to go, all three rows must be won, and as a rule nothing else counts."""
    monkeypatch.setattr("cp_cli.equity.analysis.FEWEST", 1)
    analyst, board = open_board((8, 10))
    players = analyst.choosing.condition(mask_cards(ALICE)).players
    plain = rank_splits(ALICE, players, analyst.game)
    ranked = board.rank(plain, players, len(plain.codes))
    values = [
        sum(
            float(weight) * board.worth[(hero[:3] > them).sum(), (hero[:3] < them).sum()]
            for them, weight in zip(players[:3].T, players[WEIGHT], strict=True)
        )
        for hero in ranked.heroes[ranked.order[:: max(1, len(ranked.order) // 12)]]
    ]
    assert all(one >= two - 1e-3 for one, two in pairwise(values))
    assert values[0] > values[-1]
    quick = board.rank(plain, players, 40)
    assert quick.order[:20].tolist() == ranked.order[:20].tolist()
