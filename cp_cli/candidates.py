"""The arrangements of a deal: which are legal, which are equal, and which differ in plan."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.answers import rank_groups
from cp_cli._kernels.opponents import ALL_BEATEN, Game
from cp_cli._kernels.payoff import COLUMN
from cp_cli._kernels.rows import FIVES_OF_13, THREES_OF_13
from cp_cli._kernels.splits import PAIRS, SPLITS, split_cards
from cp_cli.arrangement import Arrangement, Category
from cp_cli.evaluator import categorize

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Splits:
    """All legal splits of a deal, those equal in all three rows taken together.

    Attributes:
        cards: uint8 (13,), highest first; codes refer to these positions.
        legal: int32 (n,), the codes of all legal splits, ascending.
        groups: int32 (n,), for each of them its group of equals.
        codes: int32 (g,), one split of each group.
        heroes: int16 (g, 8), the groups as arranged deals (see `_kernels.payoff`).
        sums: int64 (g,), units that the choosing opponents pay, those whom the group met.
        order: int64 (g,), groups from the best to the worst.
        undominated: number of splits that no other equals or beats in every row.

    """

    cards: "NDArray[np.uint8]"
    legal: "NDArray[np.int32]"
    groups: "NDArray[np.int32]"
    codes: "NDArray[np.int32]"
    heroes: "NDArray[np.int16]"
    sums: "NDArray[np.int64]"
    order: "NDArray[np.int64]"
    undominated: int

    def find_group(self, arrangement: Arrangement) -> int | None:
        """Return the group of an arrangement, or None if it is not a legal split of the deal."""
        code = find_code(self.cards, arrangement)
        place = int(np.searchsorted(self.legal, code))
        if place == len(self.legal) or self.legal[place] != code:
            return None
        return int(self.groups[place])

    def list_members(self, group: int) -> list[Arrangement]:
        """Return all legal splits of a group of equals."""
        return [read_split(self.cards, int(c)) for c in self.legal[self.groups == group]]


def read_split(cards: "NDArray[np.uint8]", code: int) -> Arrangement:
    """Return the arrangement that a split code makes of a deal sorted from the highest card."""
    out = np.empty(13, dtype=np.uint8)
    split_cards(cards, code, out)
    listed = [int(card) for card in out]
    return Arrangement(tuple(listed[:3]), tuple(listed[3:8]), tuple(listed[8:]))


def place_split(code: int) -> tuple[int, ...]:
    """Return which cards of a deal sorted from the highest a split code puts in each row.

    Thirteen positions: three of the front, five of the middle, five of the back.
    """
    out = np.empty(13, dtype=np.uint8)
    split_cards(np.arange(13, dtype=np.uint8), code, out)
    return tuple(out.tolist())


def find_code(cards: "NDArray[np.uint8]", arrangement: Arrangement) -> int:
    """Return the split code of an arrangement of a deal sorted from the highest card."""
    places = {int(card): i for i, card in enumerate(cards)}
    front, middle = (sorted(places[c] for c in row) for row in arrangement.rows[:2])
    f = int(THREES_OF_13.tolist().index(front))
    m = int(FIVES_OF_13.tolist().index(middle))
    pair, swapped = (int(i[0]) for i in np.nonzero(PAIRS[f] == m))
    return f * 252 + pair * 2 + swapped


def sort_deal(cards: Sequence[int]) -> "NDArray[np.uint8]":
    """Return thirteen cards as uint8, highest first."""
    return np.array(sorted(cards, reverse=True), dtype=np.uint8)


SCREEN = 512


def rank_splits(
    cards: Sequence[int],
    players: "NDArray[np.int16]",
    game: Game,
    keep: int | None = None,
    *,
    extra: int = 0,
    best_only: bool = False,
) -> Splits:
    """Rank all legal splits of a deal by what `players`, int16 (8, p) arranged deals, pay.

    With `keep`, all splits meet the first 512 players and only the better `keep` of them meet
    everybody; the others follow in the order of the first test. `extra` is the weight of
    opponents who do not play. With `best_only`, splits that
    another beats in every row are left out where the rules allow that.
    """
    deal = sort_deal(cards)
    legal, groups, codes = (np.empty(SPLITS, dtype=np.int32) for _ in range(3))
    heroes = np.empty((SPLITS, COLUMN), dtype=np.int16)
    sums, order = (np.empty(SPLITS, dtype=np.int64) for _ in range(2))
    kept = SPLITS if keep is None else keep
    narrow = best_only and game.pruning == ALL_BEATEN
    n, g, undominated = rank_groups(
        deal, game, players, extra, SCREEN, kept, narrow, legal, groups, codes, heroes, sums, order
    )
    sums, order = sums[:g].copy(), order[:g].copy()
    first = kept if kept < g else 0
    rest = order[first:]
    order[first:] = rest[np.lexsort((rest, -sums[rest]))]
    return Splits(
        deal, legal[:n].copy(), groups[:n].copy(), codes[:g].copy(), heroes[:g].copy(), sums,
        order, undominated,
    )  # fmt: skip


def pick_diverse(splits: Splits, count: int) -> list[int]:
    """Return the ranks (0 is the best) of splits that differ in plan from all better ones.

    A plan is the category of each row and the rank that names it; kickers do not count.
    """
    seen: set[tuple[tuple[Category, int], ...]] = set()
    picked: list[int] = []
    for rank, group in enumerate(splits.order):
        plan = name_plan(read_split(splits.cards, int(splits.codes[group])))
        if plan not in seen:
            seen.add(plan)
            picked.append(rank)
            if len(picked) == count:
                break
    return picked


def name_plan(arrangement: Arrangement) -> tuple[tuple[Category, int], ...]:
    """Return category and naming rank of each row; a high card has no naming rank."""
    plan = []
    for row in arrangement.rows:
        category = categorize(row)
        plan.append((category, row[0] >> 2 if category else -1))
    return tuple(plan)
