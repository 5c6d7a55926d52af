"""Finding the equilibrium strategy of a ruleset.

Fictitious play: every deal of a sample answers best to what the others did in the later rounds.
The first rounds let opponents hold any cards; then the better splits of each deal are kept, and
further rounds count only opponents that share no card with it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cp_cli._kernels.opponents import (
    ALL_BEATEN,
    BEATEN_ALIKE,
    DECLARE,
    SURRENDER,
    Game,
    arrange_deals,
)
from cp_cli._kernels.payoff import COLUMN
from cp_cli.field import Deals, build_field, deal_random, describe_deals
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game
from cp_cli.strategy.answers import (
    Notice,
    Progress,
    answer_exactly,
    answer_field,
    shortlist_all,
    tell_nobody,
    with_rest,
)
from cp_cli.strategy.checkpoints import Checkpoint
from cp_cli.strategy.named import set_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset


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
PLANS = {
    "full": {
        ALL_BEATEN: FULL,
        BEATEN_ALIKE: Plan(choosing=32_768, judging=131_072),
        0: Plan(choosing=8_192, judging=16_384, sample=1_536, crowd=2_048),
    },
    "quick": QUICK,
}
JUDGED_AT_ONCE = 16_384  # deals answered between two states that are kept
JUDGING = "deals to judge by"


@dataclass(slots=True)
class Side:
    """One kind of player in a training: all of them, or the players and the bank.

    Attributes:
        game: the rules as this side sees them.
        codes: what it does with every deal: of the sample first, then of the choosing field.
        played: int16 (rounds, 8, n), what it played in the first rounds so far.
        crowd: int16 (8, n), what it plays in the later of them.
        shortlist, means: the better splits of each deal, and what they and the other choices
            earned in the rounds so far.
        answers: what it does with the judging deals.

    """

    game: Game
    codes: "NDArray[np.int32]"
    played: "NDArray[np.int16]"
    crowd: "NDArray[np.int16]"
    shortlist: "NDArray[np.int32]"
    means: "NDArray[np.float64]"
    answers: "NDArray[np.int32]"

    @classmethod
    def open(cls, game: Game) -> "Side":
        """Return a side that has not played yet."""
        return cls(
            game,
            codes=np.empty(0, dtype=np.int32),
            played=np.empty((0, COLUMN, 0), dtype=np.int16),
            crowd=np.empty((COLUMN, 0), dtype=np.int16),
            shortlist=np.empty((0, 0), dtype=np.int32),
            means=np.empty((0, 0)),
            answers=np.empty(0, dtype=np.int32),
        )

    def pack(self) -> "dict[str, NDArray[Any]]":
        """Return what the side knows by now, as arrays."""
        arrays = {name: getattr(self, name) for name in KEPT}
        return {**arrays, "rest": np.array(self.game.whole.rest)}

    def unpack(self, arrays: "Mapping[str, NDArray[Any]]") -> None:
        """Take over what `pack` returned. Raises KeyError if something is missing."""
        for name in KEPT:
            setattr(self, name, arrays[name])
        whole = self.game.whole._replace(rest=float(arrays["rest"]))
        self.game = self.game._replace(whole=whole)


KEPT = tuple(field.name for field in fields(Side) if field.name != "game")


def pair_sides(sides: Sequence[Side]) -> Iterator[tuple[Side, Side]]:
    """Yield each side with the one it plays against: itself where there is only one."""
    for i, side in enumerate(sides):
        yield side, sides[i - 1]


def play_first_round(
    cards: "NDArray[np.uint8]",
    sides: Sequence[Side],
    plan: Plan,
    rng: np.random.Generator,
    jobs: int = 1,
) -> None:
    """Play a round against opponents that hold any cards; the last one only draws crowds."""
    for side in sides:
        if not len(side.played):
            side.codes = set_deals("rank-product", cards, side.game, jobs=jobs)
        arranged = np.empty((1, COLUMN, len(cards)), dtype=np.int16)
        arrange_deals(cards, side.codes, side.game, arranged[0])
        side.played = np.concatenate([side.played, arranged]) if len(side.played) else arranged
        last = len(side.played) == plan.warm_rounds
        later = np.concatenate(list(side.played[len(side.played) // 3 :]), axis=1)
        size = min(plan.crowd if last else min(2048, plan.crowd), later.shape[1])
        picked = np.sort(rng.choice(later.shape[1], size, replace=False))
        side.crowd = np.ascontiguousarray(later[:, picked])
    for side, rival in pair_sides(sides):
        side.game = with_rest(side.game, rival.crowd, side.crowd)
        if not last:
            side.codes = shortlist_all(cards, side.game, rival.crowd, 1, jobs)[:, 0]


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


def _cut_blocks(count: int, blocks: int) -> Iterator[slice]:
    size = count // blocks
    for b in range(blocks):
        yield slice(b * size, (b + 1) * size)


def start_rounds(choosing: Deals, sides: Sequence[Side], plan: Plan, jobs: int = 1) -> None:
    """Find the splits of each deal that the rounds with card removal choose among."""
    for side, rival in pair_sides(sides):
        side.shortlist = shortlist_all(choosing.cards, side.game, rival.crowd, plan.keep, jobs)
        side.codes = side.shortlist[:, 0].copy()
        side.means = _start_means(side.shortlist, choosing, side.game)
        side.played = side.played[:0]


def play_round(choosing: Deals, sides: Sequence[Side], plan: Plan, r: int, jobs: int = 1) -> float:
    """Play round `r`, in which opponents share no card with a deal; return the share of changes."""
    block = list(_cut_blocks(plan.choosing, plan.blocks))[r % plan.blocks]
    fields = [build_field(choosing.take(block), side.codes[block], side.game) for side in sides]
    changed = 0.0
    for i, side in enumerate(sides):
        if r == plan.rounds // 2:
            side.means = _start_means(side.shortlist, choosing, side.game)
        answer_field(choosing, side.shortlist, fields[i - 1], side.means, jobs, game=side.game)
        new = _choose(side.shortlist, side.means)
        changed = max(changed, float(np.mean(new != side.codes)))
        side.codes = new
    return changed


class Training:
    """A training, step by step: first rounds, shortlists, rounds, answers of the judging deals.

    What `pack` returns after a step is enough to go on from there, with the same result.

    Attributes:
        steps, step: how many there are, and how many are done.
        sides: those who play, by role.

    """

    def __init__(self, ruleset: "Ruleset", plan: Plan, jobs: int = 1, opponents: int = 1) -> None:
        self.sides = {
            role: Side.open(build_game(ruleset, opponents, role)) for role in list_roles(ruleset)
        }
        self.plan, self.jobs = plan, jobs
        self.step = 0
        self.steps = plan.warm_rounds + 1 + plan.rounds + -(-plan.judging // JUDGED_AT_ONCE)
        self._rng = np.random.default_rng(plan.seed)
        cards = deal_random(plan.seed, 0, plan.choosing + plan.judging)
        self._sample = cards[: plan.sample]
        deals = describe_deals(cards, ruleset)
        self._choosing = deals.take(slice(0, plan.choosing))
        self._judging = deals.take(slice(plan.choosing, None))

    def advance(self, progress: Progress) -> None:
        """Take the next step; the progress is that among steps of its kind."""
        plan, sides, step = self.plan, list(self.sides.values()), self.step
        r = step - plan.warm_rounds - 1
        if r < -1:
            play_first_round(self._sample, sides, plan, self._rng, self.jobs)
            done, what = (step + 1) / plan.warm_rounds, "first rounds"
        elif r < 0:
            start_rounds(self._choosing, sides, plan, self.jobs)
            done, what = 1.0, "shortlists"
        elif r < plan.rounds:
            changed = play_round(self._choosing, sides, plan, r, self.jobs)
            done, what = (r + 1) / plan.rounds, f"rounds with card removal, {changed:.1%} changed"
        else:
            self._judge(r - plan.rounds, progress)
            done, what = 1.0, JUDGING
        self.step += 1
        if r < plan.rounds or self.step == self.steps:
            progress(done, what)

    def _judge(self, part: int, progress: Progress) -> None:
        """Let every side answer some of the judging deals."""
        deals = self._judging.take(slice(part * JUDGED_AT_ONCE, (part + 1) * JUDGED_AT_ONCE))
        before, share = part * JUDGED_AT_ONCE / self.plan.judging, len(deals) / self.plan.judging
        for i, (side, rival) in enumerate(pair_sides(list(self.sides.values()))):
            field = build_field(self._choosing, rival.codes, rival.game)

            def report(done: float, _: str, i: int = i) -> None:
                progress(before + share * (i + done) / len(self.sides), JUDGING)

            answers = answer_exactly(deals, field, self.jobs, report, game=side.game)
            side.answers = np.concatenate([side.answers, answers])

    def pack(self) -> "dict[str, NDArray[Any]]":
        """Return all that the steps so far have found, as arrays."""
        arrays = {
            f"{role}_{name}": array
            for role, side in self.sides.items()
            for name, array in side.pack().items()
        }
        state = json.dumps(self._rng.bit_generator.state)
        return {**arrays, "step": np.array(self.step), "random": np.array(state)}

    def unpack(self, arrays: "Mapping[str, NDArray[Any]]") -> None:
        """Go on from what `pack` returned. Raises KeyError if something is missing."""
        self.step = int(arrays["step"])
        self._rng.bit_generator.state = json.loads(str(arrays["random"]))
        for role, side in self.sides.items():
            side.unpack({name: arrays[f"{role}_{name}"] for name in (*KEPT, "rest")})

    def list_codes(self) -> "dict[Role, NDArray[np.int32]]":
        """Return what each deal does, choosing ones first, by role."""
        return {
            role: np.concatenate([side.codes, side.answers]) for role, side in self.sides.items()
        }


def list_roles(ruleset: "Ruleset") -> tuple[Role, ...]:
    """Return the roles that have a strategy of their own."""
    return (PLAYER, BANK) if ruleset.mode == "bank" else (PLAYER,)


def train_sides(
    ruleset: "Ruleset",
    plan: Plan,
    jobs: int,
    progress: Progress,
    opponents: int = 1,
    checkpoint: Checkpoint | None = None,
    notice: Notice = tell_nobody,
) -> "dict[Role, NDArray[np.int32]]":
    """Return what each of the plan's deals does at equilibrium: int32 (choosing + judging,).

    There is one strategy for all players; with a bank there are two, which answer each other.
    With a checkpoint, the state is kept there after every step, and a state found there is where
    the training goes on, after notice; the result is the same. Whoever stores the result removes
    the state.
    """
    training = Training(ruleset, plan, jobs, opponents)
    kept = checkpoint.read() if checkpoint else None
    if kept is not None:
        training.unpack(kept)
        notice(f"going on after step {training.step} of {training.steps}")
    while training.step < training.steps:
        training.advance(progress)
        if checkpoint:
            checkpoint.write(training.pack())
    return training.list_codes()
