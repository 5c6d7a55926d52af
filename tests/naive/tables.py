"""A whole deal at a table: who pays whom, in every mode of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from .naturals import Natural, best_natural, clash_naturals, find_naturals
from .pairs import (
    CATEGORY_NAMES,
    ROW_NAMES,
    Item,
    fill_rules,
    make_item,
    pair_items,
    row_outcomes,
    sum_items,
    sweep_side,
)
from .rows import (
    ACE,
    Rows,
    category,
    find_repeats,
    foul_reason,
    key_in_row,
)

Table = Mapping[str, Any]
Rules = dict[str, Any]


@dataclass
class Seat:
    """One hand at the table."""

    name: str
    cards: tuple[int, ...]
    rows: Rows | None = None  # None where only the 13 cards are known
    natural: Natural | None = None  # the natural announced
    surrendered: bool = False
    declared: tuple[str, ...] | None = None  # rows whose royalty was announced
    chips: int | None = None
    owner: str = ""  # criss-cross: the player whose hand this is
    foul: str | None = None

    @property
    def plays(self) -> bool:
        """Whether the hand is shown row by row, fouled or not."""
        return self.natural is None and not self.surrendered


def settle(table: Table) -> dict[str, Any]:
    """Settle one deal.

    ``table`` holds ``rules`` (section 4), ``players`` in clockwise order, and where they matter
    ``dealer``, ``banker``, ``stakes`` (``{"A-B": 100}``), ``pot`` (sole winner: what each player
    has in the pot from earlier deals) and ``scores`` (race). A player is ``{"name", "front",
    "middle", "back"}`` or ``{"name", "cards"}``, with ``natural`` (True or a name), ``surrender``,
    ``declared`` (rows), ``chips``, ``owner`` (criss-cross).

    Returns ``pairs`` (``"A-B": n`` means B pays A n), ``items`` of each pair, ``payments`` in the
    order they are made, ``totals``, ``fouls``, ``naturals``, ``house`` (rake), ``chips`` after
    the deal, ``jackpot``, ``pot``, ``points``, ``scores``, ``winner``.
    """
    rules = fill_rules(table["rules"])
    seats = read_seats(table, rules)
    names = list(dict.fromkeys(seat.owner for seat in seats))
    result: dict[str, Any] = {
        "pairs": {},
        "items": {},
        "payments": [],
        "totals": dict.fromkeys(names, 0),
        "fouls": {seat.name: seat.foul for seat in seats if seat.foul},
        "naturals": {seat.name: seat.natural.name for seat in seats if seat.natural},
        "jackpot": jackpot_events(table, seats, rules),
    }
    modes = {"sole_winner": settle_sole_winner, "row_pots": settle_row_pots, "race": settle_race}
    modes.get(rules["mode"], settle_pairs)(table, rules, seats, result)
    # R15, A25: a fixed amount a deal from each player.
    result["house"] = rules["rake"] * len(names)
    result["totals"] = {
        name: plain(total - rules["rake"] * (name in names))
        for name, total in result["totals"].items()
    }
    result["chips"] = {
        name: chips + result["totals"][name]
        for name, chips in chips_in_front(seats).items()
        if chips is not None
    }
    return result


def chips_in_front(seats: list[Seat]) -> dict[str, int | None]:
    """Chips of each player; in criss-cross they are in front of him, not of his hands (R22)."""
    chips: dict[str, int | None] = {}
    for seat in seats:
        if chips.get(seat.owner) is None:
            chips[seat.owner] = seat.chips
    return chips


def plain(number: Any) -> Any:
    """A whole Fraction as an int."""
    is_whole = isinstance(number, Fraction) and number.denominator == 1
    return int(number) if is_whole else number


# --- reading the table ---------------------------------------------------------------------------


def read_seats(table: Table, rules: Rules) -> list[Seat]:
    seats = [read_seat(player, rules) for player in table["players"]]
    repeated = find_repeats([card for seat in seats for card in seat.cards])
    if repeated:  # item 1: one pack
        raise ValueError(f"cards dealt twice: {repeated}")
    names = [seat.name for seat in seats]
    if len(set(names)) != len(names):
        raise ValueError(f"names used twice: {names}")
    return seats


def read_seat(player: Mapping[str, Any], rules: Rules) -> Seat:
    name = player["name"]
    rows: Rows | None = None
    if "front" in player:
        rows = (tuple(player["front"]), tuple(player["middle"]), tuple(player["back"]))
        if [len(row) for row in rows] != [3, 5, 5]:  # item 2
            raise ValueError(f"{name}: rows must hold 3, 5 and 5 cards")
        cards = rows[0] + rows[1] + rows[2]
    else:
        cards = tuple(player["cards"])
        if len(cards) != 13:
            raise ValueError(f"{name}: 13 cards expected")
    seat = Seat(name, cards, rows, chips=player.get("chips"), owner=player.get("owner") or name)
    seat.declared = player.get("declared")
    seat.natural = read_natural(player, cards, rules)
    seat.surrendered = bool(player.get("surrender"))
    if seat.surrendered and (seat.natural or rules["surrender"] is None):
        raise ValueError(f"{name}: may not surrender")
    if seat.plays:
        if rows is None:
            raise ValueError(f"{name}: three rows expected")
        seat.foul = foul_reason(*rows, rules["order"])
    return seat


def read_natural(player: Mapping[str, Any], cards: tuple[int, ...], rules: Rules) -> Natural | None:
    """The natural announced, None when the holder plays a normal split (item 12)."""
    wanted, wheel = player.get("natural"), rules["order"]["wheel"]
    if not wanted:
        return None
    if wanted is True:
        natural = best_natural(cards, rules["naturals"], wheel)
    else:
        found = find_naturals(cards, rules["naturals"], wheel)
        natural = next((one for one in found if one.name == wanted), None)
    if natural is None:
        raise ValueError(f"{player['name']}: the cards hold no such natural")
    # Item 12: one natural per player, the highest he has.
    return best_natural(cards, rules["naturals"], wheel)


# --- modes in which pairs settle: pairs, bank, criss_cross ---------------------------------------


def settle_pairs(table: Table, rules: Rules, seats: list[Seat], result: dict[str, Any]) -> None:
    banker = find_banker(table, rules, seats)
    pairs = pairs_in_order(table, rules, seats, banker)
    due = {(p.name, q.name): deal_items(p, q, rules, banker) for p, q in pairs}
    add_all_sweep(pairs, due, rules, banker)
    add_aces(pairs, due, rules)
    multiply_by_stakes(pairs, due, rules, table)
    cap_by_chips(pairs, due, rules, seats)
    place = {seat.name: number for number, seat in enumerate(seats)}
    for p, q in pairs:
        items = due[p.name, q.name]
        units = sum_items(items)
        result["payments"].append([p.name, q.name, units])
        result["totals"][p.owner] += units
        result["totals"][q.owner] -= units
        if place[p.name] < place[q.name]:
            record_pair(result, p, q, units, items)
        else:
            turned = [{**item, "units": -item["units"]} for item in items]
            record_pair(result, q, p, -units, turned)
    if rules["mode"] == "criss_cross":  # R22: the four pair settlements, added up
        first, second = result["totals"]
        result["hand_pairs"] = result["pairs"]
        result["pairs"] = {f"{first}-{second}": result["totals"][first]}


def record_pair(result: dict[str, Any], p: Seat, q: Seat, units: Any, items: list[Item]) -> None:
    result["pairs"][f"{p.name}-{q.name}"] = units
    result["items"][f"{p.name}-{q.name}"] = items


def find_banker(table: Table, rules: Rules, seats: list[Seat]) -> str | None:
    if rules["mode"] != "bank":
        return None
    banker = table.get("banker") or rules["bank"]["player"]
    if banker not in [seat.name for seat in seats]:
        raise ValueError(f"no such banker: {banker!r}")
    return str(banker)


def pairs_in_order(
    table: Table, rules: Rules, seats: list[Seat], banker: str | None
) -> list[tuple[Seat, Seat]]:
    """The pairs that settle, in the order of R15.

    Pairs with a declared natural come first; then the dealer with each player clockwise, and so
    on round the table.
    """
    players = [seat.owner for seat in seats]
    start = players.index(table["dealer"]) if table.get("dealer") else 0
    pairs = list(combinations(seats[start:] + seats[:start], 2))
    if banker is not None:  # R03: every other player settles with the bank only
        pairs = [(p, q) for p, q in pairs if banker in (p.name, q.name)]
    if rules["mode"] == "criss_cross":  # R22: each hand against both of the other player's
        pairs = [(p, q) for p, q in pairs if p.owner != q.owner]
    with_natural = [(p, q) for p, q in pairs if p.natural or q.natural]
    return with_natural + [(p, q) for p, q in pairs if not p.natural and not q.natural]


def tie_winner_of(p: Seat, q: Seat, rules: Rules, banker: str | None) -> int:
    """Who wins equal rows: 1 the first, -1 the second, 0 nobody (item 8; R03, A10)."""
    if banker is None or not rules["bank"]["wins_ties"]:
        return 0
    return 1 if p.name == banker else -1


def deal_items(p: Seat, q: Seat, rules: Rules, banker: str | None) -> list[Item]:
    """What q pays p before the table-wide steps."""
    if p.natural or q.natural:  # items 12 and 13: no rows, royalties, overall or sweep
        return [make_item("natural", clash_naturals(p.natural, q.natural, rules["naturals"]))]
    if p.surrendered or q.surrendered:
        # R09: nothing between two who surrender; item 11: nor with a fouled hand.
        if (p.surrendered and q.surrendered) or p.foul or q.foul:
            return []
        return [
            make_item("surrender", rules["surrender"] if q.surrendered else -rules["surrender"])
        ]
    assert p.rows is not None
    assert q.rows is not None
    side = tie_winner_of(p, q, rules, banker)
    return pair_items(p.rows, q.rows, rules, side, p.declared, q.declared)


def sweeps(p: Seat, q: Seat, rules: Rules, banker: str | None) -> bool:
    """Whether p sweeps q; a fouled hand counts as swept, others must play (item 18)."""
    if not p.plays or not q.plays or p.rows is None or q.rows is None:
        return False
    side = tie_winner_of(p, q, rules, banker)
    return sweep_side(row_outcomes(p.rows, q.rows, rules, side), rules) == 1


def add_all_sweep(
    pairs: list[tuple[Seat, Seat]],
    due: dict[tuple[str, str], list[Item]],
    rules: Rules,
    banker: str | None,
) -> None:
    """R15, R20, A22: a player who sweeps every opponent, of whom there must be enough."""
    bonus = rules["all_sweep"]
    if not bonus:
        return
    for hero in {seat.name: seat for pair in pairs for seat in pair}.values():
        mine = [(p, q) for p, q in pairs if hero in (p, q)]
        others = [q if p is hero else p for p, q in mine]
        if len(others) < bonus["opponents"]:
            continue
        if not all(sweeps(hero, other, rules, banker) for other in others):
            continue
        for p, q in mine:
            items = due[p.name, q.name]
            side = 1 if p is hero else -1
            more = sum_items(items) * (bonus["times"] - 1) + side * bonus["units"]
            items.append(make_item("all_sweep", more))


def add_aces(
    pairs: list[tuple[Seat, Seat]], due: dict[tuple[str, str], list[Item]], rules: Rules
) -> None:
    """R15, A23: the ace bet runs in every pair, whatever else happened in it."""
    if not rules["aces"]:
        return
    for p, q in pairs:
        value, other = (
            rules["aces"][sum(1 for card in seat.cards if card // 4 == ACE)] for seat in (p, q)
        )
        if value != other:
            due[p.name, q.name].append(make_item("aces", value - other))


def multiply_by_stakes(
    pairs: list[tuple[Seat, Seat]],
    due: dict[tuple[str, str], list[Item]],
    rules: Rules,
    table: Table,
) -> None:
    """R16: what a unit is worth in each pair; the table's own stakes go before the ruleset's."""
    stakes = rules["stakes"] or {"default": 1, "pairs": None}
    for p, q in pairs:
        stake = stakes["default"]
        for known in (stakes["pairs"] or {}, table.get("stakes") or {}):
            for name in (f"{p.owner}-{q.owner}", f"{q.owner}-{p.owner}"):
                stake = known.get(name, stake)
        units = sum_items(due[p.name, q.name])
        if units and stake != 1:
            due[p.name, q.name].append(make_item("stake", units * stake - units))


def cap_by_chips(
    pairs: list[tuple[Seat, Seat]],
    due: dict[tuple[str, str], list[Item]],
    rules: Rules,
    seats: list[Seat],
) -> None:
    """R15, A24: each starting chip can be used once, to win or to lose."""
    if not rules["stakes"] or rules["stakes"]["cap"] != "chips":
        return
    caps = chips_in_front(seats)
    for p, q in pairs:
        units = sum_items(due[p.name, q.name])
        limits = [cap for cap in (caps[p.owner], caps[q.owner]) if cap is not None]
        paid = min([abs(units), *limits])
        for name in (p.owner, q.owner):
            cap = caps[name]
            caps[name] = None if cap is None else cap - paid
        if paid != abs(units):
            more = paid - abs(units) if units > 0 else abs(units) - paid
            due[p.name, q.name].append(make_item("cap", more))


# --- modes without pairs -------------------------------------------------------------------------


def settle_sole_winner(
    table: Table, rules: Rules, seats: list[Seat], result: dict[str, Any]
) -> None:
    """R07, A14: the pot goes to whoever beats every other player in at least two rows.

    Until somebody wins it the stakes stay in ``pot`` and nobody has won or lost anything.
    """
    pot = dict(table.get("pot") or {})  # the stake of who has left since stays in it
    for seat in seats:
        pot[seat.name] = pot.get(seat.name, 0) + rules["ante"]
    result["totals"] |= dict.fromkeys(pot, 0)

    def beats(p: Seat, q: Seat) -> bool:
        assert p.rows is not None
        assert q.rows is not None
        if p.foul and q.foul:
            return False
        return row_outcomes(p.rows, q.rows, rules).count(1) >= 2

    winners = [p for p in seats if all(beats(p, q) for q in seats if q is not p)]
    if winners:
        result["winner"] = winners[0].name
        for name, stake in pot.items():
            result["totals"][name] -= stake
        result["totals"][winners[0].name] += sum(pot.values())
        pot = dict.fromkeys(pot, 0)
    else:
        result["winner"] = None
    result["pot"] = pot


def best_in_row(row: int, seats: list[Seat], rules: Rules) -> list[Seat]:
    """The players with the best row; a fouled hand cannot win one."""
    keys = {
        seat.name: key_in_row(row, seat.rows[row], rules["order"])
        for seat in seats
        if seat.rows is not None and not seat.foul
    }
    return [seat for seat in seats if seat.name in keys and keys[seat.name] == max(keys.values())]


def settle_row_pots(table: Table, rules: Rules, seats: list[Seat], result: dict[str, Any]) -> None:
    """R10, A16: a third of the pot for the best front, middle and back; equal rows share."""
    third = Fraction(rules["ante"] * len(seats), 3)
    for seat in seats:
        result["totals"][seat.name] -= rules["ante"]
    for row in range(3):
        # Nothing is said about a table of fouled hands only: they get their stakes back.
        best = best_in_row(row, seats, rules) or seats
        for seat in best:
            result["totals"][seat.name] += third / len(best)


def settle_race(table: Table, rules: Rules, seats: list[Seat], result: dict[str, Any]) -> None:
    """R24, A30: a point for each best row at the table, none where it is tied."""
    points = dict.fromkeys((seat.name for seat in seats), 0)
    for row in range(len(ROW_NAMES)):
        best = best_in_row(row, seats, rules)
        if len(best) == 1:
            points[best[0].name] += 1
    for name in points:
        # With four players, taking all three brings a fourth point.
        if points[name] == 3 and len(seats) == 4 and rules["race"]["fourth_point"]:
            points[name] += 1
    before = table.get("scores") or {}
    result["points"] = points
    result["scores"] = {name: before.get(name, 0) + points[name] for name in points}
    result["winner"] = race_winner(result["scores"], rules["race"]["target"])


def race_winner(scores: Mapping[str, int], target: int) -> str | None:
    """Who has won the game; of two who got there together the higher, else play on (A30)."""
    top = max(scores.values())
    leaders = [name for name, score in scores.items() if score == top]
    return leaders[0] if top >= target and len(leaders) == 1 else None


def jackpot_events(table: Table, seats: list[Seat], rules: Rules) -> list[str]:
    """R15, A25: straight flush, trips and a pair that lose all three rows to one player.

    ``rules["jackpot"]`` names the category of each row; it must be that one, not a better one.
    Two hands that never meet (R03, R22) do not lose to each other.
    """
    if not rules["jackpot"]:
        return []
    banker = find_banker(table, rules, seats)
    wanted = tuple(rules["jackpot"][name] for name in ROW_NAMES)
    holders = []
    for p in seats:
        if not p.plays or p.foul or p.rows is None:
            continue
        if tuple(CATEGORY_NAMES.get(category(row)) for row in p.rows) != wanted:
            continue
        for q in seats:
            meet = q.owner != p.owner and banker in (None, p.name, q.name)
            if meet and q.plays and q.rows is not None:
                side = tie_winner_of(p, q, rules, banker)
                if row_outcomes(p.rows, q.rows, rules, side) == [-1, -1, -1]:
                    holders.append(p.name)
                    break
    return holders
