"""What is agreed at a table beside the hands: by options, at the top of a file, or in a deal."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from cp_cli.errors import InputError, quote_text, suggest_name

if TYPE_CHECKING:
    from cp_cli.settlement import Seat, Table

_COUNT = re.compile(r"[0-9]{1,15}")


class PlacedError(InputError):
    """An error that knows its place in a file (`file:line`), or has none."""

    def __init__(self, place: str, text: str) -> None:
        super().__init__(text)
        self.place = place


class Stake(NamedTuple):
    """What a unit is worth between two players, whose names are joined by a hyphen.

    `origin` is how a message calls it, `place` where a file has it.
    """

    pair: str
    units: int
    origin: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Terms from one source; `places` says by key where a file has them."""

    ruleset: str | None = None
    settings: tuple[str, ...] = ()
    dealer: str | None = None
    banker: str | None = None
    stakes: tuple[Stake, ...] = ()
    chips: Mapping[str, int] = field(default_factory=dict)
    pot: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    origin: str = ""  # what a message puts before a key
    places: Mapping[str, str] = field(default_factory=dict)


class Complaint(NamedTuple):
    """What is wrong with a term, and the place of it."""

    place: str
    text: str


class Layer(NamedTuple):
    """An agreement over a deal; one that is not `fixed` is for whoever is there of those named."""

    agreement: Agreement
    fixed: bool


def read_count(text: str) -> int | None:
    """Return a whole number of 0 or more, None if the text is none.

    >>> read_count("20"), read_count("-5"), read_count("1.5")
    (20, None, None)
    """
    return int(text) if text.isascii() and _COUNT.fullmatch(text) else None


def lay_table(seats: "Sequence[Seat]", layers: Sequence[Layer], over: Layer) -> "Table":
    """Return the table of a deal; later layers go before earlier ones, `over` before all.

    Raises PlacedError for whoever is named but not seated.
    """
    from cp_cli.settlement import Table

    players = list(dict.fromkeys(seat.player for seat in seats))
    every = (*layers, over)
    faults = [fault for layer in every for fault in _find_absent(layer, players)]
    stakes: dict[frozenset[str], int] = {}
    for layer in every:
        stakes |= find_stakes(layer, players, faults)
    if faults:
        raise PlacedError(faults[0].place, "; ".join(fault.text for fault in faults))
    chips = {name: n for layer in layers for name, n in layer.agreement.chips.items()}
    agreements = [layer.agreement for layer in reversed(every)]
    return Table(
        seats=tuple(_hand_chips(seat, chips, over.agreement.chips) for seat in seats),
        dealer=next((each.dealer for each in agreements if each.dealer), None),
        banker=next((each.banker for each in agreements if each.banker), None),
        stakes=stakes,
        pot={name: n for layer in layers for name, n in layer.agreement.pot.items()},
        scores={name: n for layer in layers for name, n in layer.agreement.scores.items()},
    )


def find_stakes(
    layer: Layer, players: Sequence[str], faults: list[Complaint]
) -> dict[frozenset[str], int]:
    """Return the stakes between seated players; what is wrong is added to `faults`."""
    found: dict[frozenset[str], int] = {}
    for stake in layer.agreement.stakes:
        pairs = {frozenset(pair) for pair in split_pair(stake.pair)}
        seated = [pair for pair in pairs if len(pair) == 2 and pair <= set(players)]
        problem = ""
        if len(seated) > 1:
            problem = "more than one pair of players can be meant"
        elif not seated:
            problem = _explain_pair(stake.pair, players) if layer.fixed else ""
        elif seated[0] in found:
            names = " and ".join(sorted(seated[0], key=players.index))
            problem = f"the stake of {names} is given twice"
        else:
            found[seated[0]] = stake.units
        if problem:
            faults.append(Complaint(stake.place, f"{stake.origin}: {problem}"))
    return found


def split_pair(text: str) -> list[tuple[str, str]]:
    """Return the ways to read `A-B` as two names, which may have hyphens themselves.

    >>> split_pair("Anna-Lena-Bob")
    [('Anna', 'Lena-Bob'), ('Anna-Lena', 'Bob')]
    """
    parts = text.split("-")
    pairs = [("-".join(parts[:at]), "-".join(parts[at:])) for at in range(1, len(parts))]
    return [(a.strip(), b.strip()) for a, b in pairs if a.strip() and b.strip()]


def _explain_pair(text: str, players: Sequence[str]) -> str:
    """Say why a text names no two seated players."""
    pairs = split_pair(text)
    if len(pairs) != 1:
        return f"{quote_text(text, 84)} names no two players; expected two of {', '.join(players)}"
    if pairs[0][0] == pairs[0][1]:
        return "expected two different players"
    absent = [name for name in pairs[0] if name not in players]
    return "; ".join(describe_absent(name, players) for name in absent)


def describe_absent(name: str, players: Collection[str]) -> str:
    """Say that a player is not there, and who is."""
    hint = suggest_name(name, players) or f"; expected one of {', '.join(players)}"
    return f"{quote_text(name, 40)} is not seated{hint}"


def _find_absent(layer: Layer, players: Sequence[str]) -> Iterator[Complaint]:
    """Name those who are named but have no seat; the pot may hold stakes of absent ones."""
    agreement = layer.agreement
    named: dict[str, Collection[str]] = {
        key: [name] for key in ("dealer", "banker") if (name := getattr(agreement, key))
    }
    if layer.fixed:
        named |= {"chips": agreement.chips, "scores": agreement.scores}
    for key, names in named.items():
        for name in names:
            if name not in players:
                text = f"{agreement.origin}{key}: {describe_absent(name, players)}"
                yield Complaint(agreement.places.get(key, ""), text)


def _hand_chips(seat: "Seat", chips: Mapping[str, int], over: Mapping[str, int]) -> "Seat":
    """Return a seat with its chips: those of `over`, its own, or those of the deal."""
    own = chips.get(seat.player) if seat.chips is None else seat.chips
    return replace(seat, chips=over.get(seat.player, own))


def describe_unused(
    agreements: Sequence[Agreement], pairs: Collection[frozenset[str]]
) -> list[str]:
    """Name chips and stakes of players who never sat down, or never together.

    `pairs` are those who did; a player alone stands for having been there.
    """
    unused = []
    for agreement in agreements:
        for what in ("chips", "scores"):
            for name in getattr(agreement, what):
                if frozenset([name]) not in pairs:
                    absent = f"{quote_text(name, 40)} is not seated in any deal"
                    unused.append(f"{agreement.origin}{what}: {absent}")
        unused += [
            f"{stake.origin}: no deal seats this pair"
            for stake in agreement.stakes
            if not any(frozenset(pair) in pairs for pair in split_pair(stake.pair))
        ]
    return unused
