"""One hand at the table: what its cards are under the ruleset, and the numbers that settle it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cp_cli._kernels.table_rules import DECLARED, FOULED, PLAYS, SURRENDERED
from cp_cli.arrangement import Arrangement, Natural
from cp_cli.cards import RANKS
from cp_cli.errors import TableError
from cp_cli.evaluator import (
    best_natural,
    describe_natural,
    explain_foul,
    explain_missing,
    rank_low,
    rank_row,
    rate_natural,
)
from cp_cli.settlement.fantasyland import find_fantasyland
from cp_cli.settlement.results import Hand
from cp_cli.settlement.table import BEST, Seat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

ACE = RANKS.index("A")


@dataclass(frozen=True, slots=True)
class HandReader:
    """Reads seats under one ruleset; `prices` are its royalties by row and strength."""

    ruleset: "Ruleset"
    prices: "NDArray[np.int16]"

    def read(self, seat: Seat) -> Hand:
        """Return what a seat holds. Raises TableError for a natural that it does not hold."""
        ruleset = self.ruleset
        natural = self._check_claim(seat) if seat.natural else None
        compared = natural is None and not seat.surrendered
        best = best_natural(seat.held, ruleset) if compared and ruleset.naturals else None
        foul, royalties, fantasyland = None, (0, 0, 0), None
        if compared and seat.arrangement:
            foul = explain_foul(seat.arrangement, ruleset.order)
            if foul is None:
                royalties = self._value_royalties(seat, seat.arrangement)
                if ruleset.fantasyland:
                    fantasyland = find_fantasyland(
                        seat.arrangement, ruleset.fantasyland, in_fantasyland=seat.in_fantasyland
                    )
        return Hand(
            name=seat.name,
            player=seat.player,
            arrangement=seat.arrangement,
            cards=seat.held,
            foul=foul,
            natural=natural,
            undeclared=best,
            surrendered=seat.surrendered,
            royalties=royalties,
            fantasyland=fantasyland,
        )

    def number(self, hand: Hand) -> list[int]:
        """Return a hand as `table_rules` reads it."""
        strengths, state, place, tie, units = [0, 0, 0], PLAYS, -1, 0, 0
        if hand.natural:
            state = DECLARED
            place, tie, units = rate_natural(hand.cards, hand.natural[0], self.ruleset)
        elif hand.surrendered:
            state = SURRENDERED
        elif hand.foul:
            state = FOULED
        elif hand.arrangement:
            strengths = self._rank_rows(hand.arrangement)
        worth = self.ruleset.aces
        aces = worth[sum(card >> 2 == ACE for card in hand.cards)] if worth else 0
        return [*strengths, *hand.royalties, state, place, tie, units, aces]

    def _check_claim(self, seat: Seat) -> tuple[Natural, int]:
        """Return the natural that a seat declares, and its units."""
        if seat.natural == BEST:
            found = best_natural(seat.held, self.ruleset)
            if found is None:
                raise TableError(f"{seat.name}: declares a natural, but {self._tell_none()}")
            return found
        assert isinstance(seat.natural, Natural)
        reason = explain_missing(seat.held, seat.natural, self.ruleset)
        if reason:
            raise TableError(f"{seat.name}: declares {describe_natural(seat.natural)}: {reason}")
        _, _, units = rate_natural(seat.held, seat.natural, self.ruleset)
        return seat.natural, units

    def _tell_none(self) -> str:
        if self.ruleset.naturals is None:
            return f"ruleset {self.ruleset.id} has no naturals"
        return f"the cards hold none of ruleset {self.ruleset.id}"

    def _rank_rows(self, arrangement: Arrangement) -> list[int]:
        """Return the strengths of the rows; of a low middle the deuce-to-seven strength."""
        order = self.ruleset.order
        front, middle, back = arrangement.rows
        low = order.middle == "low27"
        return [
            rank_row(front, order.wheel),
            rank_low(middle) if low else rank_row(middle, order.wheel),
            rank_row(back, order.wheel),
        ]

    def _value_royalties(self, seat: Seat, arrangement: Arrangement) -> tuple[int, int, int]:
        """Return the royalties that a legal hand may be paid for, by row."""
        wheel = self.ruleset.order.wheel
        values = [
            int(self.prices[row, rank_row(cards, wheel)])
            for row, cards in enumerate(arrangement.rows)
        ]
        rules = self.ruleset.royalties
        if rules and rules.declare == "required":
            values = [units if row in seat.declared else 0 for row, units in enumerate(values)]
        if rules and rules.max_per_hand:
            best_first = sorted(range(3), key=lambda row: -values[row])
            for row in best_first[rules.max_per_hand :]:
                values[row] = 0
        return values[0], values[1], values[2]
