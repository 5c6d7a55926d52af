"""Finding the equilibrium strategy of a ruleset.

Fictitious play: every deal of a sample answers best to what the others did in the later rounds.
The first rounds let opponents hold any cards; then the better splits of each deal are kept, and
further rounds count only opponents that share no card with it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.answers import answer_deals, best_answers, shortlist_deals
from cp_cli._kernels.opponents import (
    ALL_BEATEN,
    BEATEN_ALIKE,
    DECLARE,
    SURRENDER,
    Game,
    arrange_deals,
)
from cp_cli._kernels.payoff import COLUMN
from cp_cli.field import Deals, Field, build_field, deal_random, describe_deals
from cp_cli.settlement.game import build_game
from cp_cli.strategy.chunks import CHUNK, run_chunks
from cp_cli.strategy.named import set_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

Progress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much work a training does.

    Deals `choosing` are the field that strategies answer; deals `judging` are set by the result
    and never answered, so that figures can be measured on them. `keep` splits of each deal are
    looked at once card removal counts.
    """

    choosing: int = 49_152
    judging: int = 262_144
    seed: int = 1
    sample: int = 8_192
    warm_rounds: int = 8
    rounds: int = 24
    blocks: int = 4
    keep: int = 12
    crowd: int = 4_096


FULL = Plan()
QUICK = {
    ALL_BEATEN: Plan(choosing=32_768, judging=65_536, rounds=16),
    BEATEN_ALIKE: Plan(choosing=16_384, judging=32_768, sample=4_096, rounds=12),
    0: Plan(choosing=4_096, judging=6_144, sample=768, warm_rounds=5, rounds=12, crowd=1_024),
}
"""Work of at most a minute on two cores, by how many splits of a deal can be left out."""


def shortlist_all(
    cards: "NDArray[np.uint8]", game: Game, crowd: "NDArray[np.int16]", keep: int, jobs: int
) -> "NDArray[np.int32]":
    best = np.empty((len(cards), keep), dtype=np.int32)
    screen = min(512, crowd.shape[1])

    def work(part: slice) -> None:
        shortlist_deals(cards[part], game, crowd, crowd.shape[1], screen, best[part])

    run_chunks(len(cards), work, jobs)
    return best


def _play_without_removal(
    cards: "NDArray[np.uint8]", game: Game, plan: Plan, jobs: int, progress: Progress
) -> "NDArray[np.int16]":
    """Return opponents int16 (8, crowd): what the population plays in the later rounds."""
    rng = np.random.default_rng(plan.seed)
    codes = set_deals("rank-product", cards, game, jobs=jobs)
    rounds: list[NDArray[np.int16]] = []
    crowd = np.empty((COLUMN, 0), dtype=np.int16)
    for r in range(plan.warm_rounds):
        arranged = np.empty((COLUMN, len(cards)), dtype=np.int16)
        arrange_deals(cards, codes, game, arranged)
        rounds.append(arranged)
        later = np.concatenate(rounds[len(rounds) // 3 :], axis=1)
        size = plan.crowd if r == plan.warm_rounds - 1 else min(2048, plan.crowd)
        size = min(size, later.shape[1])
        crowd = later[:, np.sort(rng.choice(later.shape[1], size, replace=False))]
        crowd = np.ascontiguousarray(crowd)
        progress((r + 1) / plan.warm_rounds, "first rounds")
        if r < plan.warm_rounds - 1:
            codes = shortlist_all(cards, game, crowd, 1, jobs)[:, 0]
    return crowd


def _start_means(shortlist: "NDArray[np.int32]", deals: Deals, game: Game) -> "NDArray[np.float64]":
    """Return zero for each possible choice of each deal and minus infinity for the others."""
    means = np.zeros((len(shortlist), shortlist.shape[1] + 2))
    means[:, :-2][shortlist < 0] = -np.inf
    means[deals.places < 0, -2] = -np.inf
    if game.surrender < 0:
        means[:, -1] = -np.inf
    return means


def _choose(shortlist: "NDArray[np.int32]", means: "NDArray[np.float64]") -> "NDArray[np.int32]":
    options = np.empty(means.shape, dtype=np.int32)
    options[:, :-2] = shortlist
    options[:, -2] = DECLARE
    options[:, -1] = SURRENDER
    best = np.argmax(means, axis=1)
    chosen: NDArray[np.int32] = options[np.arange(len(options)), best]
    return chosen


def answer_field(
    deals: Deals,
    shortlist: "NDArray[np.int32]",
    field: Field,
    means: "NDArray[np.float64]",
    jobs: int,
    progress: Progress = lambda done, what: None,
) -> None:
    """Add to `means` the mean units of every choice of every deal against a field."""
    done = 0

    def work(part: slice) -> None:
        nonlocal done
        mine = deals.take(part)
        answer_deals(
            mine.cards, mine.masks, shortlist[part], mine.places, mine.ties, field.deals.masks,
            field.tinted, field.arranged, field.codes, field.deals.places, field.deals.ties,
            deals.spec, field.game, means[part],
        )  # fmt: skip
        done += CHUNK
        progress(min(1.0, done / len(deals)), "")

    run_chunks(len(deals), work, jobs)


def answer_exactly(
    deals: Deals,
    field: Field,
    jobs: int = 1,
    progress: Progress = lambda done, what: None,
    screen: int = 1024,
    keep: int = 16,
) -> "NDArray[np.int32]":
    """Return each deal's best answer to the field conditioned on its own cards: codes int32."""
    best = np.empty(len(deals), dtype=np.int32)
    done = 0

    def work(part: slice) -> None:
        nonlocal done
        mine = deals.take(part)
        best_answers(
            mine.cards, mine.masks, mine.places, mine.ties, field.deals.masks, field.tinted,
            field.arranged, field.codes, field.deals.places, field.deals.ties, deals.spec,
            field.game, screen, keep, best[part],
        )  # fmt: skip
        done += CHUNK
        progress(min(1.0, done / len(deals)), "")

    run_chunks(len(deals), work, jobs)
    return best


def value_choices(
    deals: Deals, codes: "NDArray[np.int32]", field: Field, jobs: int = 1
) -> "NDArray[np.float64]":
    """Return the mean units of each of several choices (deals, k) against a field."""
    special = (codes == DECLARE) | (codes == SURRENDER)
    splits = np.where(special, 0, codes).astype(np.int32)
    means = np.zeros((len(deals), codes.shape[1] + 2))
    answer_field(deals, splits, field, means, jobs)
    declared, surrendered = means[:, -2:-1], means[:, -1:]
    return np.where(
        codes == DECLARE, declared, np.where(codes == SURRENDER, surrendered, means[:, :-2])
    )


def _cut_blocks(count: int, blocks: int) -> Iterator[slice]:
    size = count // blocks
    for b in range(blocks):
        yield slice(b * size, (b + 1) * size)


def train_codes(
    ruleset: "Ruleset", plan: Plan, jobs: int, progress: Progress
) -> "NDArray[np.int32]":
    """Return what each of the plan's deals does at equilibrium: int32 (choosing + judging,)."""
    game = build_game(ruleset)
    cards = deal_random(plan.seed, 0, plan.choosing + plan.judging)
    crowd = _play_without_removal(cards[: plan.sample], game, plan, jobs, progress)
    deals = describe_deals(cards, ruleset)
    choosing = deals.take(slice(0, plan.choosing))
    shortlist = shortlist_all(choosing.cards, game, crowd, plan.keep, jobs)
    progress(1.0, "shortlists")
    codes = shortlist[:, 0].copy()
    means = _start_means(shortlist, choosing, game)
    blocks = list(_cut_blocks(plan.choosing, plan.blocks))
    for r in range(plan.rounds):
        if r == plan.rounds // 2:
            means = _start_means(shortlist, choosing, game)
        block = blocks[r % plan.blocks]
        field = build_field(choosing.take(block), codes[block], game)
        answer_field(choosing, shortlist, field, means, jobs)
        new = _choose(shortlist, means)
        changed = float(np.mean(new != codes))
        codes = new
        progress((r + 1) / plan.rounds, f"rounds with card removal, {changed:.1%} changed")
    judging = deals.take(slice(plan.choosing, len(deals)))
    field = build_field(choosing, codes, game)
    return np.concatenate([codes, answer_exactly(judging, field, jobs, progress)])
