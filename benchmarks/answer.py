"""One deal against a field conditioned on its cards: splits, the whole analysis, its error."""

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
from cp_cli._kernels.payoff import WEIGHT
from cp_cli.candidates import rank_splits
from cp_cli.equity import open_analyst
from cp_cli.field import Deals, Field
from cp_cli.strategy import answer_exactly

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIELD = 114_688
"""Deals of the field: some 20,000 different ones remain as opponents of a deal."""
ALL = 1 << 30  # no short cut: every split meets every opponent


def _score_all(heroes: Deals, field: Field) -> Callable[[], object]:
    def work() -> None:
        for d in range(len(heroes)):
            rank_splits(heroes.cards[d].tolist(), _gather(heroes, d, field), field.game)

    return work


def _gather(heroes: Deals, d: int, field: Field) -> "NDArray[np.int16]":
    return field.condition(int(heroes.masks[d])).players


def _digest_sums(heroes: Deals) -> str:
    """Return a checksum over the units of all legal splits of some deals."""
    field = build_plain_field(open_ruleset(), 4096)
    found: list[NDArray[np.integer[Any]]] = []
    for d in range(len(heroes)):
        splits = rank_splits(heroes.cards[d].tolist(), _gather(heroes, d, field), field.game)
        found += [splits.legal, splits.sums[splits.groups], np.array([splits.undominated])]
    return digest_integers(*found)


def run(quick: bool) -> Result:
    """Answer deals in process, one thread; times include conditioning the field."""
    deals, rounds, measured = (8, 5, 50) if quick else (32, 9, 50)
    ruleset = open_ruleset()
    analyst = open_analyst(ruleset)
    field = analyst.judging.take(slice(0, FIELD))
    heroes = deal_heroes(ruleset, deals)
    listed = [heroes.cards[d].tolist() for d in range(deals)]
    times = alternate(
        {
            "undominated": lambda: answer_exactly(heroes, field, screen=ALL, keep=ALL),
            "legal": _score_all(heroes, field),
            "analyze": lambda: [analyst.analyze(cards, opponents=1) for cards in listed],
        },
        rounds,
    )
    opponents = [_gather(heroes, d, field)[WEIGHT] for d in range(deals)]
    errors = [
        analyst.analyze(cards.tolist(), opponents=1, top=1).arrangements[0].se
        for cards in deal_heroes(ruleset, measured).cards
    ]
    median, high, most = (float(np.quantile(errors, q)) for q in (0.5, 0.9, 1.0))
    met = (
        f"{min(map(len, opponents)):,} different opponents or more, which stand for "
        f"{min(int(weights.sum(dtype=np.int64)) for weights in opponents):,}"
    )
    each = {side: times.take(side) / deals * 1e3 for side in times.seconds}
    return Result(
        _digest_sums(heroes.take(slice(0, 4))),
        [
            Figure("all undominated splits of a deal", each["undominated"], "ms", "<= 5", met),
            Figure("all legal splits of a deal", each["legal"], "ms", "<= 150", met),
            Figure("whole analysis of a deal, top 10", each["analyze"], "ms"),
            Figure("standard error of the best split", median, "units", "<= 0.012",
                   f"per opponent, median of {measured} deals"),
            Figure("the same, nine of ten deals below", high, "units"),
            Figure("the same, largest", most, "units"),
        ],
    )  # fmt: skip
