"""An analyst with a few thousand opponents, set in a second, in place of the trained ones."""

from typing import Any

from cp_cli.equity import Analyst
from cp_cli.field import Field, build_field, deal_random, describe_deals
from cp_cli.ruleset import Ruleset, digest
from cp_cli.settlement.game import build_game
from cp_cli.strategy import set_deals

DEALS = 2048
_known: dict[str, Analyst] = {}


def build_small_field(ruleset: Ruleset, seed: int) -> Field:
    """Return opponents who set their cards by the product of the chances of their rows."""
    game = build_game(ruleset)
    deals = describe_deals(deal_random(seed, 0, DEALS), ruleset)
    return build_field(deals, set_deals("rank-product", deals.cards, game), game)


def open_small_analyst(ruleset: Ruleset, *_: Any, **__: Any) -> Analyst:
    """Return an analyst for a ruleset; takes what `equity.open_analyst` takes."""
    key = digest(ruleset)
    if key not in _known:
        choosing, judging = (build_small_field(ruleset, seed) for seed in (1, 2))
        _known[key] = Analyst(ruleset, choosing, judging)
    return _known[key]
