"""All undominated splits of a deal, against enumeration with a running list."""

import numpy as np

from benchmarks.loops import MOST, list_ours, list_plainly
from benchmarks.timing import Figure, Result, alternate, deal_heroes, digest_integers, open_ruleset
from cp_cli.settlement.game import build_game


def run(quick: bool) -> Result:
    """Rank the rows of each deal and list its undominated splits, in both ways."""
    deals, rounds = (256, 7) if quick else (1024, 15)
    ruleset = open_ruleset()
    game = build_game(ruleset)
    cards = deal_heroes(ruleset, deals).cards
    ours, plain = (np.empty((deals, MOST), dtype=np.int64) for _ in range(2))
    counts, plain_counts = (np.empty(deals, dtype=np.int64) for _ in range(2))
    times = alternate(
        {
            "ours": lambda: list_ours(cards, game, ours, counts),
            "plain": lambda: list_plainly(cards, game, plain, plain_counts),
        },
        rounds,
    )
    sets = [np.sort(ours[d, : counts[d]]) for d in range(deals)]
    differ = sum(
        not np.array_equal(sets[d], np.sort(plain[d, : plain_counts[d]])) for d in range(deals)
    )
    per_deal = f"{counts.mean():.0f} a deal, at most {counts.max()}"
    return Result(
        digest_integers(counts[:256], np.concatenate(sets[:256])),
        [
            Figure("undominated splits of a deal", times.take("ours") / deals * 1e6, "us",
                   "<= 100", per_deal),
            Figure("plain enumeration / ours", times.compare("plain", "ours"), "times"),
        ],
        faults=[f"{differ} of {deals} deals: not the splits of plain enumeration"] * (differ > 0),
    )  # fmt: skip
