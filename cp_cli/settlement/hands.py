"""One hand at the table: what its cards are under the ruleset, and the numbers that settle it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cp_cli._kernels.table_rules import DECLARED, FOULED, PLAYS, SURRENDERED, limit_royalties
from cp_cli.arrangement import Arrangement, Natural
from cp_cli.evaluator import (
    best_natural,
    describe_natural,
    explain_foul,
    explain_missing,
    rank_low,
    rank_naturals,
    rank_row,
    rate_natural,
    row_tables,
)
from cp_cli.settlement.fantasyland import find_fantasyland
from cp_cli.settlement.results import Hand
from cp_cli.settlement.royalties import surcharge_rows, value_rows
from cp_cli.settlement.table import BEST, Seat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class HandReader:
    """Reads seats under one ruleset.

    `royalties` are int16 (3, 7918) by row and strength, `surcharge` (7918,) what a middle is paid
    more if it wins.
    """

    ruleset: "Ruleset"
    royalties: "NDArray[np.int16]"
    surcharge: "NDArray[np.int16]"

    @classmethod
    def open(cls, ruleset: "Ruleset") -> "HandReader":
        """Return the reader of a ruleset."""
        tables = row_tables(ruleset.order.wheel)
        return cls(ruleset, value_rows(ruleset, tables), surcharge_rows(ruleset, tables))

    def read(self, seat: Seat) -> Hand:
        """Return what a seat holds; its claims must have been checked, see `check_claim`."""
        best = best_natural(seat.held, self.ruleset) if seat.held else None
        hand = Hand(
            name=seat.name,
            player=seat.player,
            arrangement=seat.arrangement,
            cards=seat.held,
            natural=best if seat.natural else None,
            undeclared=None if seat.natural or seat.surrendered else best,
            claimed=seat.natural if isinstance(seat.natural, Natural) else None,
            surrendered=seat.surrendered,
        )
        if not hand.plays or hand.arrangement is None:
            return hand
        foul = explain_foul(hand.arrangement, self.ruleset.order)
        if foul:
            return replace(hand, foul=foul)
        fantasyland, rules = None, self.ruleset.fantasyland
        if rules:
            before = bool(seat.in_fantasyland)
            fantasyland = find_fantasyland(hand.arrangement, rules, in_fantasyland=before)
        return replace(
            hand,
            strengths=self._rank_rows(hand.arrangement),
            royalties=self._value_royalties(seat, hand.arrangement),
            fantasyland=fantasyland,
        )

    def number(self, hand: Hand) -> list[int]:
        """Return a hand as `table_rules` reads it."""
        state, place, tie, units, surcharge = PLAYS, -1, 0, 0, 0
        if hand.natural:
            state = DECLARED
            place, tie, units = rate_natural(hand.cards, hand.natural[0], self.ruleset)
        elif hand.surrendered:
            state = SURRENDERED
        elif hand.foul:
            state = FOULED
        elif hand.arrangement:
            middle = rank_row(hand.arrangement.middle, self.ruleset.order.wheel)
            surcharge = int(self.surcharge[middle])
        worth = self.ruleset.aces
        aces = worth[hand.aces] if worth else 0
        return [
            *hand.strengths, *hand.royalties, surcharge, state, place, tie, units, aces
        ]  # fmt: skip

    def check_claim(self, seat: Seat) -> str | None:
        """Say why a seat does not hold the natural that it declares, None if it does."""
        if seat.natural is None or seat.surrendered or len(seat.held) != 13:
            return None
        if seat.natural == BEST:
            if best_natural(seat.held, self.ruleset):
                return None
            return f"{seat.name}: declares a natural, but {self._tell_none()}"
        assert isinstance(seat.natural, Natural)
        reason = explain_missing(seat.held, seat.natural, self.ruleset)
        return reason and f"{seat.name}: declares {describe_natural(seat.natural)}: {reason}"

    def _tell_none(self) -> str:
        naturals = [name for name, _ in rank_naturals(self.ruleset.naturals)]
        if not naturals:
            return f"ruleset {self.ruleset.id} has no naturals"
        listed = ", ".join(map(describe_natural, naturals))
        return f"the cards hold none of those of ruleset {self.ruleset.id}: {listed}"

    def _rank_rows(self, arrangement: Arrangement) -> tuple[int, int, int]:
        """Return the strengths of the rows; of a low middle the deuce-to-seven strength."""
        order = self.ruleset.order
        front, middle, back = arrangement.rows
        low = order.middle == "low27"
        return (
            rank_row(front, order.wheel),
            rank_low(middle) if low else rank_row(middle, order.wheel),
            rank_row(back, order.wheel),
        )

    def _value_royalties(self, seat: Seat, arrangement: Arrangement) -> tuple[int, int, int]:
        """Return the royalties that a legal hand may be paid for, by row."""
        wheel = self.ruleset.order.wheel
        values = [
            int(self.royalties[row, rank_row(cards, wheel)])
            for row, cards in enumerate(arrangement.rows)
        ]
        rules = self.ruleset.royalties
        if rules and rules.declare == "required":
            values = [units if row in seat.declared else 0 for row, units in enumerate(values)]
        if rules and rules.max_per_hand:
            limit_royalties(values, rules.max_per_hand)
        return values[0], values[1], values[2]
