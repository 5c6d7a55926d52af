"""How often each kind of row wins where everybody plays at equilibrium.

Deals that hold a row meet the opponents that share no card with them, so what a row tells about
the other ten cards of its holder counts. Deals that are declared or surrendered show no rows and
are left out on both sides. Against several opponents, whose cards depend on each other a little,
see `dependence`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from cp_cli._kernels.chances import count_blocks
from cp_cli._kernels.opponents import Game
from cp_cli._kernels.players import deal_tables
from cp_cli.arrangement import Row
from cp_cli.candidates import read_split
from cp_cli.field import DECLARE, FOUL, Field, build_field, describe_deals
from cp_cli.settlement.game import PLAYER, Role
from cp_cli.strategy.answers import Progress, answer_exactly, be_silent
from cp_cli.strategy.chunks import CHUNK, run_chunks
from cp_cli.strategy.classes import group_row, name_class
from cp_cli.strategy.dependence import Dependence, fit_dependence
from cp_cli.strategy.files import find_rival, load_strategy, open_field, open_rivals
from cp_cli.strategy.spread import estimate_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

By = Literal["category", "percent", "class"]
DEALS = 16_384
BLOCKS = 16
TABLES = 2_048
TABLE_SEED = 1 << 41
QUICK_FIELD = 8_192  # deals that are answered at these tables


@dataclass(frozen=True, slots=True)
class ShownRows:
    """The rows of many deals, and what they do to opponents.

    Attributes:
        cards, codes: the deals, uint8 (d, 13), and how they are set, int32 (d,).
        strengths: int16 (d, 3).
        win, tie: float64 (d, 3), the chances of each row against one opponent.
        blocks: float64 (d, blocks, 3), the shares won of each block of opponents.

    """

    cards: "NDArray[np.uint8]"
    codes: "NDArray[np.int32]"
    strengths: "NDArray[np.int16]"
    win: "NDArray[np.float64]"
    tie: "NDArray[np.float64]"
    blocks: "NDArray[np.float64]"

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, slots=True)
class Line:
    """What rows of one kind do.

    Attributes:
        name: the kind in words, with its ranks where it is a single class.
        percent: how many percent of all rows shown are weaker, where that was asked for.
        deals: how many deals held such a row; share is their part of all.
        below: the part of all that held a weaker row: the chance to win if cards told nothing.
        win, tie: the chances against one opponent, and win_se the standard error.
        win_all, tie_all: the chances to beat all opponents, and to be equal with some of them
            and beaten by nobody; win_all_se.

    """

    name: str
    percent: int | None
    deals: int
    share: float
    below: float
    win: float
    win_se: float
    tie: float
    win_all: float
    win_all_se: float
    tie_all: float


def show_rows(
    heroes: Field,
    opponents: Field,
    jobs: int = 1,
    progress: Progress = be_silent,
    blocks: int = BLOCKS,
) -> ShownRows:
    """Let the deals that are played meet the opponents that share no card with them."""
    plays = heroes.codes < DECLARE
    masks = heroes.deals.masks[plays]
    rows = np.ascontiguousarray(heroes.arranged[:3, plays].T)
    others = ((opponents.codes < DECLARE) | (opponents.codes == FOUL)).astype(np.uint8)
    starts = np.linspace(0, len(opponents), blocks + 1).astype(np.int64)
    won, tied = (np.empty((len(masks), blocks, 3), dtype=np.int64) for _ in range(2))
    total = np.empty((len(masks), blocks), dtype=np.int64)
    done = 0

    def work(part: slice) -> None:
        nonlocal done
        count_blocks(
            masks[part], rows[part], opponents.deals.masks, opponents.tinted,
            opponents.arranged[:3], others, starts, won[part], tied[part], total[part],
        )  # fmt: skip
        done += CHUNK
        progress(min(1.0, done / len(masks)), "rows")

    run_chunks(len(masks), work, jobs)
    met = np.maximum(1, total.sum(axis=1))[:, None]
    win = won.sum(axis=1) / met
    shares = np.where(total[:, :, None] > 0, won / np.maximum(1, total)[:, :, None], win[:, None])
    strengths = ((rows - heroes.game.lift) // heroes.game.scale).astype(np.int16)
    return ShownRows(
        heroes.deals.cards[plays], heroes.codes[plays], strengths, win, tied.sum(axis=1) / met,
        shares,
    )  # fmt: skip


class Chances:
    """The rows of one role at equilibrium, and how often they win.

    Attributes:
        ruleset, opponents, role: who meets how many.
        shown: the rows of some deals.
        judges: how many opponents the chances rest on.

    """

    def __init__(
        self,
        ruleset: "Ruleset",
        opponents: int = 1,
        role: Role = PLAYER,
        *,
        deals: int = DEALS,
        jobs: int = 1,
        progress: Progress = be_silent,
    ) -> None:
        self.ruleset, self.opponents, self.role = ruleset, opponents, role
        found = load_strategy(ruleset, jobs=jobs, progress=progress, opponents=opponents, role=role)
        field = open_field(ruleset, found, opponents=opponents, role=role)
        rivals, game = open_rivals(ruleset, opponents, role, jobs, progress)
        heroes = field.take(slice(found.choosing, found.choosing + deals))
        self.shown = show_rows(heroes, rivals, jobs, progress)
        self.judges = len(rivals)
        self.dependence = Dependence(1, np.zeros((3, 3)), np.zeros((3, 3, 3)))
        if opponents > 1:
            self.dependence = self._learn(game, rivals, role, jobs, progress)

    def _learn(
        self, game: Game, rivals: Field, role: Role, jobs: int, progress: Progress
    ) -> Dependence:
        """Learn from random tables how far opponents depend on each other.

        Tables where somebody shows no rows are left out.
        """
        seats = self.opponents + 1
        cards = np.empty((TABLES, seats, 13), dtype=np.uint8)
        deal_tables(TABLE_SEED, 0, np.zeros(TABLES, dtype=np.uint64), cards)
        theirs = find_rival(self.ruleset, role)
        heroes = seats if theirs == role else 1
        codes = np.empty((TABLES, seats), dtype=np.int32)
        codes[:, :heroes] = self._set_hands(cards[:, :heroes], rivals, game, jobs)
        rules = game
        if heroes < seats:
            field, rules = open_rivals(self.ruleset, self.opponents, theirs, jobs)
            codes[:, heroes:] = self._set_hands(cards[:, heroes:], field, rules, jobs)
        plays = (codes < DECLARE).all(axis=1)
        cards, codes = cards[plays], codes[plays]
        mine = self._build_field(cards[:, :heroes], codes[:, :heroes], game)
        others = self._build_field(cards[:, heroes:], codes[:, heroes:], rules)
        rows = [field.arranged[:3].T.reshape(len(cards), -1, 3) for field in (mine, others)]
        shown = show_rows(mine, rivals, jobs, progress, blocks=1)
        chances = shown.win.reshape(len(cards), heroes, 3)
        return fit_dependence(np.concatenate(rows, axis=1), chances, self.opponents)

    def _set_hands(
        self, cards: "NDArray[np.uint8]", field: Field, game: Game, jobs: int
    ) -> "NDArray[np.int32]":
        """Set hands (t, seats, 13), nearly as well as in the exact form: codes int32 (t, seats)."""
        deals = describe_deals(np.ascontiguousarray(cards).reshape(-1, 13), self.ruleset)
        few = field.take(slice(0, QUICK_FIELD))
        return answer_exactly(deals, few, jobs, screen=256, keep=8, game=game).reshape(
            cards.shape[:2]
        )

    def _build_field(
        self, cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]", game: Game
    ) -> Field:
        deals = describe_deals(np.ascontiguousarray(cards).reshape(-1, 13), self.ruleset)
        return build_field(deals, codes.ravel(), game)

    def list_lines(self, row: Row, by: By) -> list[Line]:
        """Return what the rows do, the weakest first."""
        strengths = self.shown.strengths[:, row]
        classes, examples, which = np.unique(strengths, return_index=True, return_inverse=True)
        if by == "percent":
            return self._list_percents(row, strengths, classes, examples)
        name = name_class if by == "class" else group_row
        names = [name(self._read_row(i, row), row, self.ruleset.order) for i in examples]
        groups = {text: number for number, text in enumerate(dict.fromkeys(names))}
        numbers = np.array([groups[text] for text in names])[which]
        order = np.argsort(numbers, kind="stable")
        parts = np.split(order, np.searchsorted(numbers[order], np.arange(1, len(groups))))
        return [self._summarise(text, row, part) for text, part in zip(groups, parts, strict=True)]

    def _list_percents(
        self,
        row: Row,
        strengths: "NDArray[np.int16]",
        classes: "NDArray[np.int16]",
        examples: "NDArray[np.intp]",
    ) -> list[Line]:
        """Return a line for the class at each percent, with all rows half a percent around."""
        lines = []
        for percent in range(1, 100):
            around = [(percent + off) / 100 for off in (-0.5, 0, 0.5)]
            low, middle, high = np.quantile(strengths, around, method="nearest")
            example = examples[np.searchsorted(classes, middle)]
            name = name_class(self._read_row(example, row), row, self.ruleset.order)
            part = np.flatnonzero((strengths >= low) & (strengths <= high))
            lines.append(self._summarise(name, row, part, percent))
        return lines

    def _read_row(self, number: int, row: Row) -> tuple[int, ...]:
        """Return the cards of a row of one of the deals."""
        split = read_split(self.shown.cards[number], int(self.shown.codes[number]))
        return split.rows[row]

    def _summarise(
        self, name: str, row: Row, part: "NDArray[np.intp]", percent: int | None = None
    ) -> Line:
        """Return what some of the deals do in a row."""
        shown, others = self.shown, self.opponents
        strengths = shown.strengths[:, row]
        win, tie = shown.win[part, row], shown.tie[part, row]
        blocks = shown.blocks[part, :, row]
        together = self.dependence.beat_all(win, row)
        unbeaten = self.dependence.beat_all(win + tie, row)
        # How far the chance against all follows that against one.
        slopes = others * win ** (others - 1)
        spread = together[:, None] + slopes[:, None] * (blocks - win[:, None])
        return Line(
            name,
            percent,
            deals=len(part),
            share=len(part) / len(shown),
            below=float(np.mean(strengths < strengths[part].min())),
            win=float(win.mean()),
            win_se=estimate_error(blocks),
            tie=float(tie.mean()),
            win_all=float(together.mean()),
            win_all_se=float(
                np.hypot(estimate_error(spread), self.dependence.find_error(win, row))
            ),
            tie_all=max(0.0, float((unbeaten - together).mean())),
        )
