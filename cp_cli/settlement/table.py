"""What was played: the seats of a table, and what makes a deal impossible to settle."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from cp_cli.arrangement import Arrangement, Natural, Row
from cp_cli.cards import check_distinct, describe_count
from cp_cli.errors import CardError, quote_text, suggest_name

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

Units = int | Fraction
"""Whole units; a fraction only where equal rows share a pot."""
BEST: Literal["best"] = "best"
HOUSE = "house"
"""Who takes the rake."""
POT_MODES = ("sole_winner", "row_pots", "race")
"""Modes in which players do not settle in pairs."""


def simplify(units: Units) -> Units:
    """Return a fraction that is whole as an int."""
    return int(units) if units == int(units) else units


@dataclass(frozen=True, slots=True)
class Seat:
    """One hand at a table.

    Attributes:
        name: of the player, or of the hand where a player has two.
        arrangement: the rows; None where only the cards are known.
        cards: the cards without rows; empty if `arrangement` is given or nothing was shown.
        natural: what the player declares; BEST is the best that the cards hold.
        surrendered: whether the player gave up before the showdown.
        declared: rows whose royalty was announced, where the ruleset asks for that.
        chips: in front of the player at the start of the deal.
        in_fantasyland: whether the deal was played in fantasyland; None if that is not said.
        owner: criss-cross: the player whose hand this is, by default `name`.

    """

    name: str
    arrangement: Arrangement | None = None
    cards: tuple[int, ...] = ()
    natural: Natural | Literal["best"] | None = None
    surrendered: bool = False
    declared: frozenset[Row] = frozenset()
    chips: Units | None = None
    in_fantasyland: bool | None = None
    owner: str | None = None

    @property
    def player(self) -> str:
        """The player whose hand this is."""
        return self.owner or self.name

    @property
    def held(self) -> tuple[int, ...]:
        """All cards that are known."""
        return self.arrangement.cards if self.arrangement else self.cards


@dataclass(frozen=True, slots=True)
class Table:
    """One deal: the seats clockwise, and what was agreed apart from the ruleset.

    Attributes:
        seats: two to four; with criss-cross two for each of two players.
        dealer: a player; None is the first.
        banker: a player; None is the one that the ruleset names.
        stakes: what a unit is worth between two players, before the ruleset's own stakes.
        pot: what each player has in the pot from earlier deals (sole winner).
        scores: points of earlier deals (race).

    """

    seats: tuple[Seat, ...]
    dealer: str | None = None
    banker: str | None = None
    stakes: Mapping[frozenset[str], int] = field(default_factory=dict)
    pot: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)

    @property
    def players(self) -> tuple[str, ...]:
        """The players clockwise, each once."""
        return tuple(dict.fromkeys(seat.player for seat in self.seats))


def find_faults(
    table: Table, ruleset: "Ruleset", check_claim: Callable[[Seat], str | None]
) -> list[str]:
    """Return everything that keeps a deal from being settled.

    Where it is not clear who plays, nothing else is looked at. `check_claim` says why a seat does
    not hold the natural that it declares.
    """
    faults = list(_find_name_faults(table)) or list(_find_number_faults(table, ruleset))
    if faults:
        return faults
    try:
        check_distinct((seat.name, seat.held) for seat in table.seats)
    except CardError as error:
        faults.append(str(error))
    for seat in table.seats:
        faults += _find_seat_faults(seat, ruleset)
        if claim := check_claim(seat):
            faults.append(claim)
    for find in (_find_bank_faults, _find_stake_faults, _find_mode_faults, _find_chip_faults):
        faults += find(table, ruleset)
    return faults


def _find_name_faults(table: Table) -> Iterator[str]:
    names = [seat.name for seat in table.seats]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        listed = ", ".join(map(quote_text, twice))
        yield f"players: name used more than once: {listed}; expected different names"
    if HOUSE in table.players:
        yield f"players: {quote_text(HOUSE)} is who takes a rake; expected another name"


def _find_number_faults(table: Table, ruleset: "Ruleset") -> Iterator[str]:
    """Yield what is wrong with the number of players or of their hands."""
    low, high = ruleset.players.min, ruleset.players.max
    players = table.players
    crossed = ruleset.mode == "criss_cross"
    if crossed:
        hands = [[seat.player for seat in table.seats].count(player) for player in players]
        if hands != [2, 2]:
            found = ", ".join(f"{p} {n}" for p, n in zip(players, hands, strict=True))
            yield (
                f"players: hands by player: {found}; mode criss_cross expects two players "
                "with two hands each"
            )
    elif len(players) < len(table.seats):
        seated = [seat.player for seat in table.seats]
        name = next(player for player in players if seated.count(player) > 1)
        yield (
            f"players: {name} has {seated.count(name)} hands, but that is played in mode "
            "criss_cross only"
        )
    elif not low <= len(players) <= high:
        expected = f"{low} to {high}" if low < high else str(low)
        noun = "player" if len(players) == 1 else "players"
        yield (
            f"players: {len(players)} {noun} ({', '.join(players)}); ruleset {ruleset.id} "
            f"expects {expected}"
        )


def _find_seat_faults(seat: Seat, ruleset: "Ruleset") -> Iterator[str]:
    """Yield what is wrong with one hand, whatever the others hold."""
    if seat.surrendered and ruleset.surrender is None:
        yield (
            f"{seat.name}: surrenders, but ruleset {ruleset.id} has no surrender; "
            "--set surrender=N allows it"
        )
    if seat.surrendered and seat.natural:
        yield f"{seat.name}: declares a natural and surrenders; expected one of them"
    if seat.arrangement is None and len(seat.cards) not in (0, 13):
        yield f"{seat.name}: {describe_count(len(seat.cards))}, expected 13"
    plays = not (seat.surrendered or seat.natural)
    if plays and seat.arrangement is None:
        found = "thirteen cards without rows" if seat.cards else "no cards"
        yield f"{seat.name}: {found}; expected front / middle / back, a natural or surrender"
    if seat.natural and not seat.held:
        yield f"{seat.name}: declares a natural without cards; expected 13"
    if seat.surrendered and not seat.held and ruleset.aces:
        yield f"{seat.name}: surrenders without cards; the ace bet needs all 13"
    if seat.chips is not None and seat.chips < 0:
        yield f"{seat.name}: chips {seat.chips}; expected 0 or more"
    if seat.in_fantasyland and ruleset.fantasyland is None:
        yield f"{seat.name}: in fantasyland, which ruleset {ruleset.id} does not have"


def _find_bank_faults(table: Table, ruleset: "Ruleset") -> Iterator[str]:
    """Yield what is wrong with dealer and bank."""
    players = table.players
    if table.dealer is not None and table.dealer not in players:
        yield f"dealer: {describe_absent(table.dealer, players)}"
    if ruleset.mode == "bank":
        bank = table.banker or ruleset.bank.player
        if bank is None:
            yield f"banker: not named; expected one of {', '.join(players)}"
        elif bank not in players:
            yield f"banker: {describe_absent(bank, players)}"
    elif table.banker is not None:
        yield f"banker: {quote_text(table.banker)}, but there is no bank in mode {ruleset.mode}"


def _find_stake_faults(table: Table, ruleset: "Ruleset") -> Iterator[str]:
    """Yield what is wrong with the stakes of pairs."""
    players = table.players
    bank = table.banker or ruleset.bank.player
    if table.stakes and ruleset.mode in POT_MODES:
        yield f"stakes: given, but in mode {ruleset.mode} no pair settles"
    for pair, stake in table.stakes.items():
        names = sorted(pair, key=lambda name: players.index(name) if name in players else -1)
        for name in names:
            if name not in players:
                yield f"stakes {'-'.join(names)}: {describe_absent(name, players)}"
        if len(names) != 2:
            yield f"stakes {'-'.join(names)}: expected two different players"
        if stake < 1:
            yield f"stakes {'-'.join(names)}: {stake}; expected 1 or more"
        if ruleset.mode == "bank" and bank in players and bank not in pair:
            yield f"stakes {'-'.join(names)}: only pairs with the bank, {bank}, settle"


def _find_mode_faults(table: Table, ruleset: "Ruleset") -> Iterator[str]:
    """Yield what earlier deals left, but the mode has no use for."""
    if table.pot and ruleset.mode != "sole_winner":
        yield f"pot: given, but mode {ruleset.mode} carries no pot"
    if table.scores and ruleset.mode != "race":
        yield f"scores: given, but mode {ruleset.mode} keeps none"


def _find_chip_faults(table: Table, ruleset: "Ruleset") -> Iterator[str]:
    """Yield players whose two hands name different chips."""
    for player in table.players:
        if len({seat.chips for seat in table.seats if seat.player == player} - {None}) > 1:
            yield f"{player}: two different numbers of chips"


def describe_absent(name: str, players: tuple[str, ...]) -> str:
    """Say that a name is not among the players, and which is meant."""
    hint = suggest_name(name, players) or f"; expected one of {', '.join(players)}"
    return f"{quote_text(name)} is not seated{hint}"
