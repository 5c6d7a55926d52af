"""Tables for tests of settlement: hands given as text, and a settlement as plain numbers."""

from collections.abc import Iterable, Mapping
from typing import Any

from cp_cli.arrangement import Arrangement, parse_arrangement
from cp_cli.settlement import Seat, Settlement, Table, Units
from tests import naive

Texts = list[list[str]]  # front, middle, back as the vectors write them


def read_rows(texts: Texts) -> Arrangement:
    """Return the rows of a vector."""
    return parse_arrangement(" / ".join(map(" ".join, texts)))


def seat_hands(hands: Mapping[str, str | Texts], **changes: Mapping[str, Any]) -> tuple[Seat, ...]:
    """Seat players with their rows; `changes` gives other fields of a seat by player."""
    seats = []
    for name, rows in hands.items():
        arrangement = parse_arrangement(rows) if isinstance(rows, str) else read_rows(rows)
        fields = {key: values[name] for key, values in changes.items() if name in values}
        seats.append(Seat(name, arrangement, **fields))
    return tuple(seats)


def set_rest(taken: Iterable[int]) -> Arrangement:
    """Return a legal hand of the lowest cards that are left."""
    known = set(taken)
    rest = [card for card in range(52) if card not in known]
    return Arrangement(*next(naive.legal_splits(rest[:13], {})))


def list_pairs(done: Settlement) -> dict[str, Units]:
    """Return what the second hand of each pair pays the first: `{"A-B": 3}`."""
    return {f"{pair.a.name}-{pair.b.name}": pair.units for pair in done.pairs}


def list_units(done: Settlement) -> dict[str, Units]:
    """Return what each player won."""
    return {player.name: player.units for player in done.players}


def list_payments(done: Settlement, table: Table) -> list[list[Any]]:
    """Return the pairs in the order of payment, in each who sits first counted from the dealer."""
    names = [seat.name for seat in table.seats]
    players = [seat.player for seat in table.seats]
    start = players.index(table.dealer) if table.dealer else 0
    turn = {name: (at - start) % len(names) for at, name in enumerate(names)}
    payments = []
    for pair in done.pairs:
        a, b, units = pair.a.name, pair.b.name, pair.units
        payments.append([a, b, units] if turn[a] < turn[b] else [b, a, -units])
    return payments


def sum_items(done: Settlement, pair: str) -> dict[tuple[str, int | None], Units]:
    """Return the units of a pair (`A-B`) by reason and row."""
    (found,) = [each for each in done.pairs if f"{each.a.name}-{each.b.name}" == pair]
    units: dict[tuple[str, int | None], Units] = {}
    for item in found.items:
        key = (item.reason, None if item.row is None else int(item.row))
        units[key] = units.get(key, 0) + item.units
    return units
