"""An analyst with a few thousand opponents, set in a second, in place of the trained ones."""

from typing import Any

from cp_cli.equity import Analyst
from cp_cli.equity.race import Scoreboard, count_points, value_points
from cp_cli.field import Field, build_field, deal_random, describe_deals
from cp_cli.ruleset import Ruleset, digest
from cp_cli.settlement.game import Role, build_game
from cp_cli.strategy import named, set_deals

DEALS = 2048
_known: dict[str, Analyst] = {}


def build_small_field(
    ruleset: Ruleset, seed: int, strategy: str = "rank-product", deals: int | None = None
) -> Field:
    """Return opponents who set their cards by a rule, by default the product of chances."""
    game = build_game(ruleset)
    described = describe_deals(deal_random(seed, 0, deals or DEALS), ruleset)
    return build_field(described, set_deals(strategy, described.cards, game), game)


def open_small_analyst(
    ruleset: Ruleset,
    *_: Any,
    opponents: int = 1,
    role: Role = "player",
    score: tuple[int, int] | None = None,
    **__: Any,
) -> Analyst:
    """Return an analyst for a ruleset; takes what `equity.open_analyst` takes.

    Nothing is settled by the whole table.
    """
    # Tests that shorten what opponents learn must not leave theirs to others.
    key = f"{digest(ruleset)} {role} {score} {DEALS} {named.LESSONS}"
    if key not in _known:
        choosing, judging = (build_small_field(ruleset, seed) for seed in (1, 2))
        board = None
        if score is not None:
            worth = value_points(count_points(judging), ruleset.race.target, score)
            board = Scoreboard(score, worth)
        game = build_game(ruleset, 1, role)
        _known[key] = Analyst(ruleset, choosing, judging, game=game, referee=board, role=role)
    return _known[key]
