"""Finding the equilibrium strategy of a ruleset.

Fictitious play: every deal of a sample answers best to what the others did in the later rounds.
The first rounds let opponents hold any cards; then the better splits of each deal are kept, and
further rounds count only opponents that share no card with it.
"""

from collections.abc import Callable, Iterator, Sequence
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
from cp_cli._kernels.whole import (
    OUTCOMES,
    PAIRWISE,
    ROW_POTS,
    SOLE_WINNER,
    SWEEPS,
    TWO,
    count_all,
)
from cp_cli.field import Deals, Field, build_field, deal_random, describe_deals
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game
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


REST_SAMPLE = 2_048  # opponents whose chance to beat everybody is averaged


def shortlist_all(
    cards: "NDArray[np.uint8]", game: Game, crowd: "NDArray[np.int16]", keep: int, jobs: int
) -> "NDArray[np.int32]":
    best = np.empty((len(cards), keep), dtype=np.int32)
    screen = min(512, crowd.shape[1])

    def work(part: slice) -> None:
        shortlist_deals(cards[part], game, crowd, crowd.shape[1], screen, best[part])

    run_chunks(len(cards), work, jobs)
    return best


@dataclass(slots=True)
class Side:
    """One kind of player in a training: all of them, or the players and the bank.

    Attributes:
        game: the rules as this side sees them.
        codes: what it does with every deal of the sample.
        crowd: int16 (8, n), what it plays in the later of the first rounds.
        shortlist, means: the better splits of each deal, and what they and the other choices
            earned in the rounds so far.

    """

    game: Game
    codes: "NDArray[np.int32]"
    crowd: "NDArray[np.int16]"
    shortlist: "NDArray[np.int32]"
    means: "NDArray[np.float64]"

    @classmethod
    def open(cls, game: Game) -> "Side":
        """Return a side that has not played yet."""
        return cls(
            game,
            codes=np.empty(0, dtype=np.int32),
            crowd=np.empty((COLUMN, 0), dtype=np.int16),
            shortlist=np.empty((0, 0), dtype=np.int32),
            means=np.empty((0, 0)),
        )


def _pair_sides(sides: Sequence[Side]) -> Iterator[tuple[Side, Side]]:
    """Yield each side with the one it plays against: itself where there is only one."""
    for i, side in enumerate(sides):
        yield side, sides[i - 1]


def _play_without_removal(
    cards: "NDArray[np.uint8]", sides: Sequence[Side], plan: Plan, jobs: int, progress: Progress
) -> None:
    """Find what each side plays in the later rounds against opponents that hold any cards."""
    rng = np.random.default_rng(plan.seed)
    rounds: list[list[NDArray[np.int16]]] = [[] for _ in sides]
    for side in sides:
        side.codes = set_deals("rank-product", cards, side.game, jobs=jobs)
    for r in range(plan.warm_rounds):
        last = r == plan.warm_rounds - 1
        for side, played in zip(sides, rounds, strict=True):
            arranged = np.empty((COLUMN, len(cards)), dtype=np.int16)
            arrange_deals(cards, side.codes, side.game, arranged)
            played.append(arranged)
            later = np.concatenate(played[len(played) // 3 :], axis=1)
            size = min(plan.crowd if last else min(2048, plan.crowd), later.shape[1])
            picked = np.sort(rng.choice(later.shape[1], size, replace=False))
            side.crowd = np.ascontiguousarray(later[:, picked])
        progress((r + 1) / plan.warm_rounds, "first rounds")
        for side, rival in _pair_sides(sides):
            side.game = with_rest(side.game, rival.crowd, side.crowd)
            if not last:
                best = shortlist_all(cards, side.game, rival.crowd, 1, jobs)
                side.codes = best[:, 0]


def with_rest(game: Game, opponents: "NDArray[np.int16]", players: "NDArray[np.int16]") -> Game:
    """Return the rules with the chance that an opponent who beats us beats everybody.

    It is taken from what `opponents` (8, n) do to `players` (8, m) like ourselves.
    """
    whole = game.whole
    if whole.kind in (PAIRWISE, ROW_POTS) or whole.others == 1:
        return game
    sample = np.ascontiguousarray(opponents[:, :REST_SAMPLE].T)
    counts = np.empty((len(sample), OUTCOMES), dtype=np.int64)
    count_all(sample, players, whole.ties, counts)
    won = counts[:, TWO if whole.kind == SOLE_WINNER else SWEEPS] / counts[:, -1]
    rest = float(np.mean(won**whole.others) / max(float(np.mean(won)), 1e-9))
    return game._replace(whole=whole._replace(rest=rest))


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
    *,
    game: Game | None = None,
) -> None:
    """Add to `means` the mean units of every choice of every deal against a field.

    `game` is the rules as the deals see them; None where everybody sees them as the field does.
    """
    done = 0
    own = game or field.game

    def work(part: slice) -> None:
        nonlocal done
        mine = deals.take(part)
        answer_deals(
            mine.cards, mine.masks, shortlist[part], mine.places, mine.ties, field.deals.masks,
            field.tinted, field.arranged, field.codes, field.deals.places, field.deals.ties,
            deals.spec, own, means[part],
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
    *,
    game: Game | None = None,
) -> "NDArray[np.int32]":
    """Return each deal's best answer to the field conditioned on its own cards: codes int32.

    `game` as in `answer_field`.
    """
    own = game or field.game
    best = np.empty(len(deals), dtype=np.int32)
    done = 0

    def work(part: slice) -> None:
        nonlocal done
        mine = deals.take(part)
        best_answers(
            mine.cards, mine.masks, mine.places, mine.ties, field.deals.masks, field.tinted,
            field.arranged, field.codes, field.deals.places, field.deals.ties, deals.spec,
            own, screen, keep, best[part],
        )  # fmt: skip
        done += CHUNK
        progress(min(1.0, done / len(deals)), "")

    run_chunks(len(deals), work, jobs)
    return best


def value_choices(
    deals: Deals,
    codes: "NDArray[np.int32]",
    field: Field,
    jobs: int = 1,
    *,
    game: Game | None = None,
) -> "NDArray[np.float64]":
    """Return the mean units of each of several choices (deals, k) against a field."""
    special = (codes == DECLARE) | (codes == SURRENDER)
    splits = np.where(special, 0, codes).astype(np.int32)
    means = np.zeros((len(deals), codes.shape[1] + 2))
    answer_field(deals, splits, field, means, jobs, game=game)
    declared, surrendered = means[:, -2:-1], means[:, -1:]
    return np.where(
        codes == DECLARE, declared, np.where(codes == SURRENDER, surrendered, means[:, :-2])
    )


def _cut_blocks(count: int, blocks: int) -> Iterator[slice]:
    size = count // blocks
    for b in range(blocks):
        yield slice(b * size, (b + 1) * size)


def train_sides(
    ruleset: "Ruleset",
    plan: Plan,
    jobs: int,
    progress: Progress,
    opponents: int = 1,
) -> "dict[Role, NDArray[np.int32]]":
    """Return what each of the plan's deals does at equilibrium: int32 (choosing + judging,).

    There is one strategy for all players; with a bank there are two, which answer each other.
    """
    roles: tuple[Role, ...] = (PLAYER, BANK) if ruleset.mode == "bank" else (PLAYER,)
    sides = [Side.open(build_game(ruleset, opponents, role)) for role in roles]
    cards = deal_random(plan.seed, 0, plan.choosing + plan.judging)
    _play_without_removal(cards[: plan.sample], sides, plan, jobs, progress)
    deals = describe_deals(cards, ruleset)
    choosing = deals.take(slice(0, plan.choosing))
    for side, rival in _pair_sides(sides):
        side.shortlist = shortlist_all(choosing.cards, side.game, rival.crowd, plan.keep, jobs)
        side.codes = side.shortlist[:, 0].copy()
        side.means = _start_means(side.shortlist, choosing, side.game)
    progress(1.0, "shortlists")
    _play_rounds(choosing, sides, plan, jobs, progress)
    judging = deals.take(slice(plan.choosing, len(deals)))
    codes = {}
    for role, (side, rival) in zip(roles, _pair_sides(sides), strict=True):
        field = build_field(choosing, rival.codes, rival.game)
        answers = answer_exactly(judging, field, jobs, progress, game=side.game)
        codes[role] = np.concatenate([side.codes, answers])
    return codes


def _play_rounds(
    choosing: Deals, sides: Sequence[Side], plan: Plan, jobs: int, progress: Progress
) -> None:
    """Play the rounds in which opponents share no card with a deal."""
    blocks = list(_cut_blocks(plan.choosing, plan.blocks))
    for r in range(plan.rounds):
        block = blocks[r % plan.blocks]
        fields = [build_field(choosing.take(block), side.codes[block], side.game) for side in sides]
        changed = 0.0
        for i, side in enumerate(sides):
            if r == plan.rounds // 2:
                side.means = _start_means(side.shortlist, choosing, side.game)
            answer_field(choosing, side.shortlist, fields[i - 1], side.means, jobs, game=side.game)
            new = _choose(side.shortlist, side.means)
            changed = max(changed, float(np.mean(new != side.codes)))
            side.codes = new
        progress((r + 1) / plan.rounds, f"rounds with card removal, {changed:.1%} changed")
