"""Settlement against the naive oracle, on random tables under random rules."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cp_cli.settlement import Fantasyland, Settlement, Units, settle
from tests import naive
from tests.rule_strategies import PAIR_MODES, Rules, load_rules
from tests.seating import list_pairs, list_payments, list_units, sum_items
from tests.sizes import pick_size
from tests.table_strategies import ROW_NAMES, Spec, build_table, draw_tables

EXAMPLES = pick_size(150, 60)
FEWER = EXAMPLES // 4


# --- what the oracle says, in the words of the program -------------------------------------------


def merge_items(items: list[dict[str, Any]], fouled: bool) -> dict[tuple[str, int | None], Units]:
    """Add up items by reason and row; rows that nobody compared are lost by the foul."""
    merged: dict[tuple[str, int | None], Units] = {}
    for item in items:
        lost = fouled and item["reason"] in ("row", "rows")
        row = None if item["row"] is None else ROW_NAMES.index(item["row"])
        key = ("foul" if lost else item["reason"], row)
        merged[key] = merged.get(key, 0) + item["units"]
    return drop_zeros(merged)


def drop_zeros(units: Any) -> dict[Any, Units]:
    return {key: value for key, value in units.items() if value}


def find_land(player: Spec, rules: Rules, *, plays: bool) -> Fantasyland | None:
    if "fantasyland" not in rules or not plays:
        return None
    rows = tuple(player[name] for name in ROW_NAMES)
    inside = player["in_fantasyland"]
    find = naive.fantasyland_stay if inside else naive.fantasyland_entry
    cards = find(rows, rules)
    return Fantasyland(cards, stays=inside) if cards else None


# --- comparison ----------------------------------------------------------------------------------


def check_hands(done: Settlement, expected: dict[str, Any], spec: Spec) -> None:
    rules = spec["rules"]
    wheel = rules["order"]["wheel"]
    for hand, player in zip(done.hands, spec["players"], strict=True):
        declared = expected["naturals"].get(hand.name)
        assert (hand.natural and hand.natural[0].value) == declared
        assert (hand.foul is not None) == (hand.name in expected["fouls"])
        assert hand.fantasyland == find_land(player, rules, plays=hand.plays)
        best = None
        if hand.plays:
            best = naive.best_natural(hand.cards, rules.get("naturals"), wheel)
        undeclared = hand.undeclared and (hand.undeclared[0].value, hand.undeclared[1])
        assert undeclared == (best and (best.name, best.units))


def check_pairs(done: Settlement, expected: dict[str, Any], spec: Spec) -> None:
    pairs = expected.get("hand_pairs", expected["pairs"])
    assert list_pairs(done) == pairs
    assert list_payments(done, build_table(spec)) == expected["payments"]
    for name, units in pairs.items():
        fouled = any(hand in expected["fouls"] for hand in name.split("-"))
        items = drop_zeros(sum_items(done, name))  # royalties of both in a row may add up to 0
        assert items == merge_items(expected["items"][name], fouled)
        assert sum(items.values()) == units


def check_outcomes(done: Settlement, spec: Spec) -> None:
    """Who won the rows of each pair; empty where none are compared."""
    rules = spec["rules"]
    rows = {
        player["name"]: tuple(player.get(name, ()) for name in ROW_NAMES)
        for player in spec["players"]
    }
    for pair in done.pairs:
        expected: list[int] = []
        if pair.a.plays and pair.b.plays:
            bank = (pair.a.name == done.banker) - (pair.b.name == done.banker)
            ties = bank * rules["bank"]["wins_ties"]
            expected = naive.row_outcomes(rows[pair.a.name], rows[pair.b.name], rules, ties)
        assert list(pair.outcomes) == expected


@settings(max_examples=EXAMPLES)
@given(draw_tables())
def test_tables_settle_as_by_the_oracle(spec: Spec) -> None:
    expected = naive.settle(spec)
    done = settle(build_table(spec), load_rules(spec["rules"]))
    check_hands(done, expected, spec)
    check_pairs(done, expected, spec)
    check_outcomes(done, spec)
    players = {player.name: player for player in done.players}
    assert list_units(done) == expected["totals"]
    chips = {name: player.chips for name, player in players.items() if player.chips is not None}
    assert chips == expected["chips"]
    assert done.house == expected["house"]
    assert done.winner == expected.get("winner")
    assert list(done.jackpot) == expected["jackpot"]
    assert (done.pot is None) == ("pot" not in expected)
    assert drop_zeros(done.pot or {}) == drop_zeros(expected.get("pot", {}))
    nothing = dict.fromkeys(players)
    points = {name: player.points for name, player in players.items()}
    scores = {name: player.score for name, player in players.items()}
    assert (points, scores) == (expected.get("points", nothing), expected.get("scores", nothing))


# --- properties ----------------------------------------------------------------------------------


def settle_drawn(spec: Spec) -> Settlement:
    return settle(build_table(spec), load_rules(spec["rules"]))


def cap_by(spec: Spec, cap: str | None) -> Spec:
    """Return a table where payments between two players are limited by chips, or not."""
    if spec["rules"]["mode"] not in PAIR_MODES:
        return spec
    stakes = {**spec["rules"].get("stakes", {}), "cap": cap}
    return {**spec, "rules": {**spec["rules"], "stakes": stakes}}


def list_claims(done: Settlement) -> dict[tuple[str, str], Units]:
    """Return what each hand is paid by each other one."""
    claims: dict[tuple[str, str], Units]
    claims = {(pair.a.name, pair.b.name): pair.units for pair in done.pairs}
    return claims | {(b, a): -units for (a, b), units in claims.items()}


def tell_outcome(done: Settlement) -> Any:
    """Return all that does not depend on who sits where."""
    players = {
        each.name: (each.units, each.chips, each.points, each.score) for each in done.players
    }
    pot = drop_zeros(done.pot or {})
    return list_claims(done), players, pot, done.winner, set(done.jackpot), done.house


@settings(max_examples=FEWER)
@given(draw_tables())
def test_units_add_up(spec: Spec) -> None:
    done = settle_drawn(spec)
    for player in done.players:
        units = sum(item.units for item in player.items)
        for pair in done.pairs:
            paid = sum(item.units for item in pair.items)
            units += paid * ((pair.a.player == player.name) - (pair.b.player == player.name))
        assert player.units == units
    assert sum(player.units for player in done.players) == -done.house
    assert done.house == spec["rules"]["rake"] * len({each["owner"] for each in spec["players"]})


@settings(max_examples=FEWER)
@given(draw_tables())
def test_nobody_wins_or_loses_more_than_his_chips(spec: Spec) -> None:
    done = settle_drawn(cap_by(spec, "chips"))
    for pair in done.pairs:
        for limit in pair.chips_left:
            assert limit is None or abs(pair.units) <= limit
    for player in done.players:
        own = [pair for pair in done.pairs if player.name in (pair.a.player, pair.b.player)]
        if player.chips_before is not None:
            assert sum(abs(pair.units) for pair in own) <= player.chips_before
    for pair in done.pairs:
        cut = sum(item.units for item in pair.items if item.reason == "cap")
        due = pair.units - cut
        assert min(0, due) <= pair.units <= max(0, due)


@settings(max_examples=FEWER)
@given(draw_tables(), st.permutations(range(4)))
def test_who_sits_where_changes_nothing(spec: Spec, order: list[int]) -> None:
    """Without chips that limit payments, which are used up in the order of payment."""
    if "stakes" in spec["rules"]:
        spec["rules"]["stakes"]["cap"] = None
    players = spec["players"]
    moved = [players[seat] for seat in order if seat < len(players)]
    assert tell_outcome(settle_drawn({**spec, "players": moved})) == tell_outcome(
        settle_drawn(spec)
    )


SUITS = st.permutations(range(4))
KEPT = SUITS.filter(lambda suits: {suits[1], suits[2]} in ({1, 2}, {0, 3}))  # red cards stay alike
COLOURS = {"one_colour", "twelve_one_colour"}


def relabel(player: Spec, suits: list[int]) -> Spec:
    """Return a hand with every card of another suit."""
    rows = [name for name in (*ROW_NAMES, "cards") if name in player]
    changed = {name: tuple(card & ~3 | suits[card & 3] for card in player[name]) for name in rows}
    return player | changed


@settings(max_examples=FEWER)
@given(draw_tables(), st.data())
def test_names_of_suits_change_nothing(spec: Spec, data: st.DataObject) -> None:
    listed = {name for name, _ in spec["rules"].get("naturals", {"list": []})["list"]}
    suits = data.draw(KEPT if listed & COLOURS else SUITS)
    other = {**spec, "players": [relabel(player, suits) for player in spec["players"]]}
    one, two = settle_drawn(spec), settle_drawn(other)
    assert tell_outcome(one) == tell_outcome(two)
    assert [pair.items for pair in one.pairs] == [pair.items for pair in two.pairs]
    assert [hand.fantasyland for hand in one.hands] == [hand.fantasyland for hand in two.hands]
