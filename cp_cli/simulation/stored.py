"""Fixed hands against the stored deals of a strategy: no hand has to be set, so this is fast.

Each stored deal counts as often as one of its 24 relabellings of the suits shares no card with
the hero and the dead cards; all of these are one cluster. There are no more opponents than that:
whoever wants more has them dealt and set.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.payoff import WEIGHT
from cp_cli._kernels.settling import describe_hands
from cp_cli._kernels.table_rules import HAND
from cp_cli.errors import StrategyError
from cp_cli.field import Field, mask_cards
from cp_cli.simulation.counting import Deals
from cp_cli.simulation.play import Batch, Dealer, Played
from cp_cli.strategy.files import load_strategy, open_field
from cp_cli.strategy.sources import is_trained, read_trained

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.settlement.game import Role


def open_stored(dealer: Dealer) -> Field:
    """Return the stored deals of the opponent's strategy that nobody answered."""
    plan = dealer.plan
    ruleset, opponents = plan.ruleset, plan.request.opponents
    way = plan.ways[1][0]
    role: Role = way.role
    if is_trained(way.label):
        found = read_trained(Path(way.label), ruleset, opponents, role)
    else:
        setters = dealer.setters
        found = load_strategy(
            ruleset, way.label, setters.jobs, setters.progress, opponents=opponents, role=role
        )
    field = open_field(ruleset, found, opponents=opponents, role=role)
    return field.take(slice(found.choosing, None))


def play_stored(dealer: Dealer, most: int) -> Batch:
    """Play the hero's hands against at most `most` stored opponents, each once."""
    plan = dealer.plan
    field = open_stored(dealer)
    ids, times = _list_opponents(field, mask_cards((*plan.known[0], *plan.request.dead)))
    if not len(ids):
        raise StrategyError("--stored: no stored deal fits these cards; expected fewer dead cards")
    order = np.random.default_rng(dealer.seed).permutation(len(ids))
    ids, times = ids[order], times[order]
    count = int(np.searchsorted(np.cumsum(times), most)) + 1
    ids, times = ids[:count], times[:count].copy()
    times[-1] -= max(0, int(times.sum()) - most)
    theirs = np.empty((len(ids), HAND), dtype=np.int64)
    cards, codes = field.deals.cards[ids], field.codes[ids]
    describe_hands(cards, codes, dealer.terms, theirs)
    deals = Deals(0, np.arange(len(ids)), times)
    games = []
    for way in plan.ways[0]:
        mine = np.broadcast_to(dealer.fixed[0, way].hands, theirs.shape)
        games.append(dealer.scorer.settle(np.stack([mine, theirs], axis=1), deals))
    played = Played(0, deals.packs, cards[:, None], (), np.empty((0, 0, 0), dtype=np.int64))
    return Batch(played, dealer.scorer.count(games, deals), len(ids), int(times.sum()))


def _list_opponents(field: Field, known: int) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return the stored deals that fit, and how many of their relabellings do."""
    fitting = field.condition(known)
    ids = np.concatenate([fitting.deals, fitting.special]).astype(np.int64)
    times = np.concatenate([fitting.players[WEIGHT], fitting.special_weights]).astype(np.int64)
    return ids, times
