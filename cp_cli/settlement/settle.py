"""Settling one deal: the table, the ruleset, and who pays whom for what."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from cp_cli._kernels.table_rules import (
    ALL_SWEEP,
    BET,
    CAP,
    EARNED,
    FOUL,
    ITEMS,
    MAX_PAIRS,
    MORE,
    NATURAL,
    OVERALL,
    OWED,
    ROW,
    ROWS,
    STAKE,
    SURRENDER,
    SWEEP,
    compare_hands,
    find_ties,
    settle_pairs,
)
from cp_cli.arrangement import Row
from cp_cli.errors import TableError
from cp_cli.settlement.hands import HandReader
from cp_cli.settlement.jackpot import find_jackpots
from cp_cli.settlement.notes import list_notes
from cp_cli.settlement.pots import settle_pots, settle_race, settle_sole_winner
from cp_cli.settlement.results import Hand, Item, Pair, Player, Settlement, add_up
from cp_cli.settlement.table import Table, Units, find_faults, simplify
from cp_cli.settlement.terms import build_terms

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

# The reason of each item of a pair, and its row.
_REASONS: list[tuple[int, str, Row | None]] = [
    *((ROW + row, "row", row) for row in Row),
    *((ROWS, "rows", None), (MORE, "surcharge", Row.MIDDLE)),
    *((EARNED + row, "royalty", row) for row in Row),
    *((OWED + row, "royalty", row) for row in Row),
    *((SWEEP, "sweep", None), (OVERALL, "overall", None), (FOUL, "foul", None)),
    *((NATURAL, "natural", None), (SURRENDER, "surrender", None)),
    *((ALL_SWEEP, "all_sweep", None), (BET, "aces", None)),
    *((STAKE, "stake", None), (CAP, "cap", None)),
]


def settle(table: Table, ruleset: "Ruleset") -> Settlement:
    """Settle one deal to the last unit.

    Raises TableError naming everything that keeps the deal from being settled: cards in two
    hands, missing rows, players who are not seated, naturals that the cards do not hold...

    >>> from cp_cli.arrangement import parse_arrangement
    >>> from cp_cli.ruleset import load_ruleset
    >>> from cp_cli.settlement import Seat
    >>> amy = parse_arrangement("Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s")
    >>> bob = parse_arrangement("Th 9s 7s / Kd 6d 5d 4d 3d / Kc Qc 6c 5c 4c")
    >>> done = settle(Table((Seat("Amy", amy), Seat("Bob", bob))), load_ruleset("two-four"))
    >>> [(item.reason, item.units) for item in done.pairs[0].items]
    [('row', 1), ('row', -1), ('row', 1), ('overall', 1)]
    """
    return Settler(ruleset).settle(table)


class Settler:
    """Settles deals under one ruleset, for many deals faster than `settle`."""

    def __init__(self, ruleset: "Ruleset") -> None:
        self.ruleset = ruleset

    @cached_property
    def reader(self) -> HandReader:
        """Reads the hands."""
        return HandReader.open(self.ruleset)

    def settle(self, table: Table) -> Settlement:
        """Settle one deal; see the function `settle`."""
        faults = find_faults(table, self.ruleset, self.reader.check_claim)
        if faults:
            raise TableError("; ".join(faults))
        hands = tuple(map(self.reader.read, table.seats))
        numbers = [self.reader.number(hand) for hand in hands]
        mode = self.ruleset.mode
        if mode == "sole_winner":
            done = settle_sole_winner(table, self.ruleset, hands, numbers)
        elif mode == "row_pots":
            done = settle_pots(self.ruleset, hands, numbers)
        elif mode == "race":
            done = settle_race(table, self.ruleset, hands, numbers)
        else:
            done = self._settle_pairs(table, hands, numbers)
        done = replace(done, jackpot=find_jackpots(done, numbers, self.ruleset.jackpot))
        return _finish(done, table, self.ruleset)

    def _settle_pairs(
        self, table: Table, hands: tuple[Hand, ...], numbers: list[list[int]]
    ) -> Settlement:
        players = table.players
        seats = [seat.player for seat in table.seats]
        banker = self._find_banker(table)
        bank = -1 if banker is None else seats.index(banker)
        first, second, swept = ([0] * MAX_PAIRS for _ in range(3))
        items = [[0] * ITEMS for _ in range(MAX_PAIRS)]
        terms = build_terms(self.ruleset)
        count = settle_pairs(
            numbers, len(hands), seats.index(table.dealer) if table.dealer else 0, bank,
            [seats.index(player) for player in seats],
            [[self._find_stake(table, p, q) for q in seats] for p in seats],
            self._limit_by_chips(table), terms, first, second, swept, items,
        )  # fmt: skip
        pairs = []
        left = dict(zip(seats, self._limit_by_chips(table), strict=True))
        for p, q, numbered in zip(first[:count], second[:count], items, strict=False):
            ties = find_ties(p, q, bank, terms)
            outcomes: tuple[int, ...] = ()
            if hands[p].plays and hands[q].plays:
                outcomes = compare_hands(numbers[p], numbers[q], ties)
            pair = _build_pair(hands[p], hands[q], numbered, outcomes, left, turned=p > q)
            pairs.append(pair)
            for name in {pair.a.player, pair.b.player}:
                if left[name] >= 0:
                    left[name] -= abs(pair.units)
        units = {
            name: sum(
                pair.units * ((pair.a.player == name) - (pair.b.player == name)) for pair in pairs
            )
            for name in players
        }
        return Settlement(
            hands=hands,
            pairs=tuple(pairs),
            players=tuple(Player(name, units[name]) for name in players),
            banker=banker,
        )

    def _find_banker(self, table: Table) -> str | None:
        if self.ruleset.mode != "bank":
            return None
        return table.banker or self.ruleset.bank.player

    def _find_stake(self, table: Table, p: str, q: str) -> int:
        """Return what a unit is worth between two players; the table's stakes come first."""
        agreed = table.stakes.get(frozenset((p, q)))
        rules = self.ruleset.stakes
        if agreed is not None or rules is None:
            return agreed or 1
        return rules.between(p, q)

    def _limit_by_chips(self, table: Table) -> list[int]:
        """Return the chips that limit each player, by his first seat; -1 where nothing does."""
        capped = self.ruleset.stakes is not None and self.ruleset.stakes.cap == "chips"
        limits = []
        for seat in table.seats:
            chips = find_chips(table, seat.player)
            limits.append(int(chips) if capped and chips is not None else -1)
        return limits


def find_chips(table: Table, player: str) -> Units | None:
    """Return the chips in front of a player, None if they are not known."""
    known = [seat.chips for seat in table.seats if seat.player == player and seat.chips is not None]
    return known[0] if known else None


def _build_pair(
    p: Hand,
    q: Hand,
    numbered: list[int],
    outcomes: tuple[int, ...],
    left: dict[str, int],
    *,
    turned: bool,
) -> Pair:
    """Return a pair with the hand that sits first as `a`, whoever was settled first.

    `left` is what players may still win or lose, -1 for no limit.
    """
    sign = -1 if turned else 1
    fouled = p.foul is not None or q.foul is not None
    items = []
    for at, reason, row in _REASONS:
        if numbered[at]:
            # Rows that nobody compared are lost by the foul.
            lost = fouled and reason in ("row", "rows")
            items.append(Item("foul" if lost else reason, row, sign * numbered[at]))
    a, b = (q, p) if turned else (p, q)
    total = int(add_up(items))
    limits = [None if left[hand.player] < 0 else left[hand.player] for hand in (a, b)]
    return Pair(
        a,
        b,
        total,
        tuple(items),
        outcomes=tuple(sign * outcome for outcome in outcomes),
        chips_left=(limits[0], limits[1]),
    )


def _finish(done: Settlement, table: Table, ruleset: "Ruleset") -> Settlement:
    """Add what every mode has: rake, chips, notes."""
    rake = ruleset.rake
    players = []
    for player in done.players:
        seated = player.name in table.players
        items = player.items
        if rake and seated:
            items = (*items, Item("rake", None, -rake))
        units = player.units - rake * seated
        chips = find_chips(table, player.name)
        players.append(
            replace(
                player,
                items=items,
                units=units,
                chips_before=chips,
                chips=None if chips is None else simplify(chips + units),
            )
        )
    done = replace(
        done,
        players=tuple(players),
        house=rake * len(table.players),
    )
    return replace(done, notes=tuple(list_notes(done, table, ruleset)))
