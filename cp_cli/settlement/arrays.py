"""Tables by the thousand: a ruleset and deals of four as the compiled settlement reads them."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.settling import HandTerms, describe_hands, settle_deals
from cp_cli._kernels.table_rules import HAND
from cp_cli.evaluator import find_low_floor, low_table, natural_spec, row_tables
from cp_cli.settlement.royalties import surcharge_rows, value_rows
from cp_cli.settlement.terms import build_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli._kernels.table_rules import Terms
    from cp_cli.ruleset import Ruleset


def build_hand_terms(ruleset: "Ruleset") -> HandTerms:
    """Return what a ruleset makes of single hands, as the kernels read it."""
    tables = row_tables(ruleset.order.wheel)
    low = ruleset.order.middle == "low27"
    royalties = ruleset.royalties
    return HandTerms(
        five=tables.five,
        three=tables.three,
        middle=low_table() if low else tables.five,
        low=int(low),
        strict=int(ruleset.order.equal_rows == "foul"),
        floor=find_low_floor(ruleset.order),
        royalties=value_rows(ruleset, tables),
        surcharge=surcharge_rows(ruleset, tables),
        most_royalties=(royalties and royalties.max_per_hand) or 3,
        naturals=natural_spec(ruleset),
        aces=np.array(ruleset.aces or [0] * 5, dtype=np.int64),
    )


@dataclass(frozen=True)
class TableSettler:
    """Settles tables of `seats` hands in pairs under one ruleset, chips and stakes apart.

    `owners` tells whose each hand is (criss-cross); `banker` is the seat of the bank, -1 for none.
    """

    ruleset: "Ruleset"
    seats: int
    banker: int = -1
    owners: tuple[int, ...] = ()

    @cached_property
    def hand_terms(self) -> HandTerms:
        """What hands are."""
        return build_hand_terms(self.ruleset)

    @cached_property
    def terms(self) -> "Terms":
        """What they pay."""
        return build_terms(self.ruleset)

    def describe(
        self, cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]"
    ) -> "NDArray[np.int64]":
        """Return the hands, int64 (d, seats, HAND), of `cards` (d, seats, 13) set by `codes`.

        Codes (d, seats) are those of splits, DECLARE, SURRENDER or FOUL of `_kernels.opponents`.
        """
        hands = np.empty((cards.shape[0] * self.seats, HAND), dtype=np.int64)
        describe_hands(cards.reshape(-1, 13), codes.reshape(-1), self.hand_terms, hands)
        return hands.reshape(-1, self.seats, HAND)

    def settle(
        self,
        hands: "NDArray[np.int64]",
        dealers: "NDArray[np.int64] | None" = None,
        stakes: "NDArray[np.int64] | None" = None,
        chips: "NDArray[np.int64] | None" = None,
    ) -> "NDArray[np.int64]":
        """Return what the second seat pays the first, int64 (d, seats, seats).

        `dealers` (d,) are seats (default 0), `stakes` (seats, seats) what a unit is worth
        (default 1), `chips` (seats,) what each deal begins with (-1 and default: no limit).
        """
        n = self.seats
        paid = np.empty((len(hands), n, n), dtype=np.int64)
        settle_deals(
            hands,
            np.zeros(len(hands), dtype=np.int64) if dealers is None else dealers,
            self.banker,
            np.array(self.owners or range(n), dtype=np.int64),
            np.ones((n, n), dtype=np.int64) if stakes is None else stakes,
            np.full(n, -1, dtype=np.int64) if chips is None else chips,
            self.terms,
            paid,
        )
        return paid
