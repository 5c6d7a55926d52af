"""The running account of a session: balances, pairs, and what one deal hands to the next."""

from dataclasses import dataclass, field, replace

from cp_cli.settlement.results import Settlement
from cp_cli.settlement.table import Seat, Table, Units, simplify
from cp_cli.settlement.transfers import Transfer, find_transfers


@dataclass(slots=True)
class Ledger:
    """Balances over the deals of a session.

    Attributes:
        deals: how many were added.
        balances: units of each player, in the order in which they sat down.
        pairs: units that the second player of a pair paid the first in all.
        history: balances after each deal.
        house: rake taken.
        chips: what each player who has chips holds now.
        pot: stakes that nobody has won yet (sole winner).
        scores: points of the game under way (race).
        games: games won by each player (race).
        fantasyland: hands whose next deal is played in fantasyland, by name.

    """

    deals: int = 0
    balances: dict[str, Units] = field(default_factory=dict)
    pairs: dict[tuple[str, str], Units] = field(default_factory=dict)
    history: list[dict[str, Units]] = field(default_factory=list)
    house: int = 0
    chips: dict[str, Units] = field(default_factory=dict)
    pot: dict[str, int] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)
    fantasyland: set[str] = field(default_factory=set)

    def prepare(self, table: Table) -> Table:
        """Return the table with what earlier deals left: chips, pot, score, fantasyland.

        What the deal says itself goes before what is carried.
        """
        named = {seat.player for seat in table.seats if seat.chips is not None}
        seats = tuple(
            self._seat_again(seat if seat.player in named else self._hand_chips(seat))
            for seat in table.seats
        )
        return replace(
            table, seats=seats, pot=table.pot or self.pot, scores=table.scores or self.scores
        )

    def _hand_chips(self, seat: Seat) -> Seat:
        carried = self.chips.get(seat.player)
        if carried is None:
            return seat
        # Whoever lost more than his chips must buy new ones; until then he has none.
        return replace(seat, chips=max(0, carried))

    def _seat_again(self, seat: Seat) -> Seat:
        if seat.in_fantasyland is not None or seat.name not in self.fantasyland:
            return seat
        return replace(seat, in_fantasyland=True)

    def add(self, done: Settlement) -> None:
        """Add a settled deal."""
        self.deals += 1
        self.house += done.house
        for player in done.players:
            before = self.balances.get(player.name, 0)
            self.balances[player.name] = simplify(before + player.units)
            if player.chips is not None:
                self.chips[player.name] = player.chips
        self.history.append(dict(self.balances))
        for pair in done.pairs:
            p, q = pair.a.player, pair.b.player
            if (q, p) in self.pairs:
                self.pairs[q, p] -= pair.units
            else:
                self.pairs[p, q] = self.pairs.get((p, q), 0) + pair.units
        self._carry(done)

    def _carry(self, done: Settlement) -> None:
        """Keep pot, score and fantasyland for the next deal; a game that is won starts again."""
        for hand in done.hands:
            self.fantasyland.discard(hand.name)
            if hand.fantasyland:
                self.fantasyland.add(hand.name)
        if done.pot is not None:
            self.pot = {name: stake for name, stake in done.pot.items() if stake}
        scores = {each.name: each.score for each in done.players if each.score is not None}
        if scores:
            self.scores |= scores
            if done.winner is not None:
                self.games[done.winner] = self.games.get(done.winner, 0) + 1
                self.scores = {}

    def find_transfers(self) -> list[Transfer]:
        """Return the fewest payments that settle the session, the house's share included."""
        return find_transfers(self.balances, self.house)
