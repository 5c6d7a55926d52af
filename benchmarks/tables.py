"""Deals whose figures come from whole tables: rate, beside deals that are settled in pairs."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.timing import (
    Figure,
    Result,
    alternate,
    build_plain_field,
    deal_heroes,
    digest_integers,
    open_ruleset,
)
from cp_cli._kernels.joint import list_seatings, seat_pairs
from cp_cli._kernels.settling import value_home_runs
from cp_cli._kernels.table_rules import HAND
from cp_cli.candidates import rank_splits
from cp_cli.equity import Analyst, open_analyst
from cp_cli.equity.company import DECK_MASK, Host
from cp_cli.equity.referee import Referee
from cp_cli.field import Deals, unmask_cards
from cp_cli.settlement.arrays import build_hand_terms
from cp_cli.settlement.game import build_game
from cp_cli.strategy import set_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

RULESETS = ("hawaiian-gardens", "ante", "sole-winner", "first-to-11")
THREE = 3
TABLES = 400
SHARES = 12  # a pot is parted between two, three or four


def _open_referee(ruleset: "Ruleset") -> Referee:
    """Return who settles tables of opponents that make their strongest back, then middle."""
    game = build_game(ruleset, THREE)

    def set_spot(deals: Deals) -> "NDArray[np.int32]":
        return set_deals("back-first", deals.cards, game)

    return Referee(ruleset, game, Host(ruleset, build_hand_terms(ruleset), set_spot))


def _seat_plainly(referee: Referee, known: np.uint64) -> "NDArray[np.int64]":
    """Return hands (d, 3, HAND) at the first tables that there are, without random numbers."""
    field = build_plain_field(referee.ruleset, 4096)
    masks = field.deals.masks
    seated, ids = np.empty(4096, dtype=np.uint64), np.empty(4096, dtype=np.int32)
    n = list_seatings(masks, np.zeros(len(masks), dtype=np.bool_), known, seated, ids)
    pairs = np.empty((4 * n, 2), dtype=np.int32)
    pairs = pairs[: seat_pairs(seated, n, np.arange(n), 4, pairs)][:TABLES]
    at = ids[pairs].ravel()
    two = referee.host.describe(unmask_cards(masks[at]), field.codes[at]).reshape(-1, 2, HAND)
    left = ~(known | np.bitwise_or.reduce(seated[pairs], axis=1)) & DECK_MASK
    third = referee.host.set_hands(unmask_cards(left))
    return np.concatenate([two, third[:, None]], axis=1)


def _digest_tables(heroes: Deals) -> str:
    """Return a checksum over what tables bring splits of some deals, as whole numbers."""
    found: list[NDArray[np.integer[Any]]] = []
    for name in RULESETS:
        referee = _open_referee(open_ruleset(name))
        field = build_plain_field(referee.ruleset, 512)
        for cards, mask in zip(heroes.cards, heroes.masks, strict=True):
            tables = _seat_plainly(referee, mask)
            splits = rank_splits(cards.tolist(), field.arranged, field.game)
            codes = splits.codes[splits.order[:8]]
            hands = referee.host.describe(np.repeat(cards[None], len(codes), axis=0), codes)
            if name == "hawaiian-gardens":
                units = np.empty((len(codes), len(tables)))
                value_home_runs(hands, tables, THREE, -1, referee.terms, units)
            else:
                units = referee.tell_parts(hands, tables) * SHARES
            found.append(np.round(units).astype(np.int64))
    return digest_integers(*found)


def _answer(analyst: Analyst, heroes: Deals, opponents: int) -> Callable[[], object]:
    listed = [cards.tolist() for cards in heroes.cards]
    return lambda: [analyst.analyze(cards, opponents=opponents, top=1) for cards in listed]


def run(quick: bool) -> Result:
    """Answer deals in process, one thread, the best split of each."""
    deals, rounds = (2, 3) if quick else (12, 3)
    figures = []
    for name in RULESETS[:2] if quick else RULESETS:
        ruleset = open_ruleset(name)
        heroes = deal_heroes(ruleset, deals)
        whole = open_analyst(ruleset, opponents=THREE)
        pairs = open_analyst(ruleset, opponents=1)
        times = alternate(
            {"whole": _answer(whole, heroes, THREE), "pairs": _answer(pairs, heroes, 1)}, rounds
        )
        errors = [
            whole.analyze(cards.tolist(), opponents=THREE, top=1).arrangements[0].se
            for cards in heroes.cards
        ]
        rate, ratio = deals / times.take("whole"), times.compare("whole", "pairs")
        figures += [
            Figure(f"{name}, three opponents", rate, "deals/s", "", "best split of each"),
            Figure("time of it beside one opponent, in pairs", ratio, "times"),
            Figure("standard error of the total", float(np.median(errors)), "units", "",
                   f"median of {deals} deals"),
        ]  # fmt: skip
    return Result(_digest_tables(deal_heroes(open_ruleset(), 3)), figures)
