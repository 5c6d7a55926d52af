"""What a settlement says: hands, pairs with their items, players."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cp_cli.arrangement import Arrangement, Natural, Row
from cp_cli.cards import RANKS
from cp_cli.settlement.table import Units
from cp_cli.settlement.transfers import Transfer, find_transfers

ACE = RANKS.index("A")


@dataclass(frozen=True, slots=True)
class Item:
    """Units, the reason for them, and the row where they are for one.

    Reasons: `row`, `rows` (rows won, singly or together), `royalty`, `surcharge` (a middle won
    with quads or a straight flush), `sweep`, `all_sweep` (all three rows of one opponent, of
    everybody), `overall`, `foul` (rows lost by a mis-set hand), `natural`, `surrender`, `aces`
    (the side bet), `stake` (what the pair's stake makes more of it), `cap` (what chips in front
    did not cover); of a player alone `ante`, `pot`, `rake`.
    """

    reason: str
    row: Row | None
    units: Units


@dataclass(frozen=True, slots=True)
class Fantasyland:
    """The next deal is in fantasyland, with so many cards; `stays` if this one was as well."""

    cards: int
    stays: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand at the table, and what became of it.

    Attributes:
        name, player: as in Seat.
        arrangement, cards: the rows where they are known, and the known cards.
        foul: why the hand is mis-set; None if it is legal or not compared.
        natural: of a hand that declares one the highest that it holds, with its units.
        claimed: what the player said it was, if he named it.
        undeclared: the highest natural of a hand that declares none, with its units.
        surrendered: whether the player gave up.
        strengths: of the rows of a legal hand, as they are compared.
        royalties: units by row, as far as the hand may be paid for them.
        fantasyland: where the ruleset has it and the hand earns it.

    """

    name: str
    player: str
    arrangement: Arrangement | None
    cards: tuple[int, ...]
    foul: str | None = None
    natural: tuple[Natural, int] | None = None
    claimed: Natural | None = None
    undeclared: tuple[Natural, int] | None = None
    surrendered: bool = False
    strengths: tuple[int, int, int] = (0, 0, 0)
    royalties: tuple[int, int, int] = (0, 0, 0)
    fantasyland: Fantasyland | None = None

    @property
    def aces(self) -> int:
        """The number of aces among the known cards."""
        return sum(card >> 2 == ACE for card in self.cards)

    @property
    def plays(self) -> bool:
        """Whether the hand is shown row by row, mis-set or not."""
        return self.natural is None and not self.surrendered


@dataclass(frozen=True, slots=True)
class Pair:
    """What hand `b` pays hand `a` (less than 0: a pays b), and why; the items add up to it.

    `outcomes` tells who won front, middle and back: 1 for a, -1 for b, 0 for neither; empty
    where rows were not compared. `chips_left` is what a and b could still win or lose when it
    was this pair's turn, None where nothing limits them.
    """

    a: Hand
    b: Hand
    units: int
    items: tuple[Item, ...]
    outcomes: tuple[int, ...] = ()
    chips_left: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Player:
    """What a player won or lost; `items` are what he paid or took apart from pairs."""

    name: str
    units: Units
    items: tuple[Item, ...] = ()
    chips_before: Units | None = None
    chips: Units | None = None
    points: int | None = None
    score: int | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled deal.

    Attributes:
        hands: clockwise.
        pairs: in the order of payment; empty where players do not settle in pairs.
        players: clockwise; then those who are absent and had a stake in the pot.
        banker: the bank, where there is one.
        house: units that the house takes.
        pot: what each player has in the pot after the deal (sole winner), else None.
        winner: of the pot or the race, None if there is none yet.
        jackpot: players whose strong rows all lost to one player.
        notes: what was assumed or left open, in sentences.

    """

    hands: tuple[Hand, ...]
    pairs: tuple[Pair, ...]
    players: tuple[Player, ...]
    banker: str | None = None
    house: int = 0
    pot: dict[str, int] | None = None
    winner: str | None = None
    jackpot: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def find_transfers(self) -> list[Transfer]:
        """Return the fewest payments that settle the table, the house's share included."""
        claims = {player.name: player.units for player in self.players}
        return find_transfers(claims, self.house)

    def find_player(self, name: str) -> Player:
        """Return a player by name."""
        return next(player for player in self.players if player.name == name)


def add_up(items: Sequence[Item]) -> Units:
    """Return the sum of items."""
    return sum((item.units for item in items), 0)
