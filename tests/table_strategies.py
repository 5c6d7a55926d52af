"""Hypothesis strategies for whole tables: what the players hold, how they set it, what they say.

A table is drawn as the plain dict that the naive oracle reads; `build_table` seats it.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from cp_cli.arrangement import Arrangement, Natural, Row
from cp_cli.settlement import BEST, Seat, Table
from tests import naive
from tests.natural_deals import likely
from tests.rule_strategies import FLAGS, PAIR_MODES, Rules, draw_table_rules

Cards = tuple[int, ...]
Spec = dict[str, Any]

NAMES = "ABCD"
ROW_NAMES = ("front", "middle", "back")
ALL_ROWS = frozenset(ROW_NAMES)
ANNOUNCED: tuple[tuple[str, ...], ...] = (ROW_NAMES, ("front", "back"), ("middle",), ())
CROSSED = ("AABB", "ABAB", "ABBA")
JACKPOT_ROWS = (  # the categories that each row of a jackpot may have
    ("pair", "trips"),
    ("trips", "straight", "flush", "full_house", "quads", "straight_flush"),
    ("full_house", "quads", "straight_flush"),
)
CATEGORIES = (
    *("high_card", "pair", "two_pair", "trips", "straight", "flush", "full_house", "quads"),
    "straight_flush",
)


# --- cards ---------------------------------------------------------------------------------------


def sort_pack(how: str, first: Cards, random: Random) -> list[int]:
    """Return a pack whose blocks of 13 are hands of some kind.

    any: at random. ranks, suits: in that order, so that groups, flushes and naturals come up.
    dragons: a card of each rank. twins: hands 1 and 2 alike but for their suits, 3 and 4 as well.
    natural: `first`, then the rest at random.
    """
    pack = list(range(52))
    random.shuffle(pack)
    if how == "ranks":
        pack.sort(key=lambda card: card // 4)
    elif how == "suits":
        pack.sort(key=lambda card: card % 4)
    elif how == "dragons":
        by_rank = [[card for card in pack if card // 4 == rank] for rank in range(13)]
        pack = [cards[seat] for seat in range(4) for cards in by_rank]
    elif how == "twins":
        low = [card for card in pack if card % 4 < 2]
        pack = [
            card + mirror for half in (low[:13], low[13:]) for mirror in (0, 2) for card in half
        ]
    elif how == "natural":
        pack = [*first, *(card for card in pack if card not in first)]
    return pack


def deal_hands(how: str, first: Cards, random: Random) -> list[Cards]:
    """Deal four hands; some cards of a pack that was sorted are exchanged."""
    pack = sort_pack(how, first, random)
    for _ in range({"any": 0, "natural": 0, "suits": 6}.get(how, random.choice([0, 1, 2, 6]))):
        i, j = random.randrange(52), random.randrange(52)
        pack[i], pack[j] = pack[j], pack[i]
    hands = [tuple(sorted(pack[start : start + 13])) for start in range(0, 52, 13)]
    random.shuffle(hands)
    return hands


# --- rows ----------------------------------------------------------------------------------------


def cut_rows(cards: list[int]) -> Iterator[naive.Rows]:
    """Cut 13 cards in their order into rows, the front at either end or in between."""
    for start in (0, 5, 10):
        front = tuple(cards[start : start + 3])
        rest = tuple(cards[:start] + cards[start + 3 :])
        yield front, rest[:5], rest[5:]
        yield front, rest[5:], rest[:5]


def list_rows(cards: Cards, random: Random, count: int) -> Iterator[naive.Rows]:
    """Yield ways to set a hand: cards in the order of ranks or suits, then at random."""
    order = list(cards)
    yield from cut_rows(order)
    yield from cut_rows(sorted(order, key=lambda card: card % 4))
    for _ in range(count):
        random.shuffle(order)
        yield tuple(order[:3]), tuple(order[3:8]), tuple(order[8:])


def set_hand(cards: Cards, style: str, order: Rules, random: Random) -> naive.Rows:
    """Set a hand: strong or weak among a few legal ways, or at random, often mis-set."""
    ways = list(list_rows(cards, random, 8))
    legal = [rows for rows in ways if naive.foul_reason(*rows, order) is None]
    if style == "random" or not legal:
        return random.choice(ways)
    if style == "weak":
        return random.choice(legal)
    return max(legal, key=lambda rows: sum(map(naive.category, rows)))


# --- tables --------------------------------------------------------------------------------------


@st.composite
def draw_player(draw: st.DrawFn, cards: Cards, rules: Rules, seeds: list[int]) -> Spec:
    """Draw what a player does with 13 cards; equal seeds set equal hands alike."""
    style = draw(st.sampled_from(["strong", "strong", "weak", "random"]))
    rows = set_hand(cards, style, rules["order"], Random(draw(st.sampled_from(seeds))))
    player: Spec = dict(zip(ROW_NAMES, rows, strict=True))
    held = naive.find_naturals(cards, rules.get("naturals"), rules["order"]["wheel"])
    action = draw(st.integers(0, 5))
    if held and action < 4:
        player["natural"] = draw(st.sampled_from([True, True, held[0].name, held[-1].name]))
    elif "surrender" in rules and action == 4:
        player["surrender"] = True
        player["hidden"] = not rules.get("aces") and draw(FLAGS)  # never shown
    shows_rows = player.keys().isdisjoint({"natural", "surrender"}) or draw(FLAGS)
    if not shows_rows:
        player = {key: player[key] for key in player.keys() - ALL_ROWS} | {"cards": cards}
    announced = draw(st.sampled_from(ANNOUNCED))
    inside = "fantasyland" in rules and draw(FLAGS)
    return player | {"declared": announced, "in_fantasyland": inside}


@st.composite
def draw_extras(draw: st.DrawFn, rules: Rules, players: list[str]) -> Spec:
    """Draw what is agreed at the table: dealer, bank, stakes, pot, score."""
    somebody = st.sampled_from(players)
    extras: Spec = {"dealer": draw(st.none() | somebody)}
    if rules["mode"] == "bank" and "player" not in rules["bank"]:
        extras["banker"] = draw(somebody)
    bank = extras.get("banker") or rules.get("bank", {}).get("player")
    extras["stakes"] = {}
    if rules["mode"] in PAIR_MODES:
        first, second, *_ = draw(st.permutations(players))
        if rules["mode"] == "bank" and bank not in (first, second):
            second = bank  # only pairs with the bank settle
        if draw(FLAGS):
            extras["stakes"] = {f"{first}-{second}": draw(st.integers(1, 4))}
    if rules["mode"] == "sole_winner":  # Z has left
        extras["pot"] = draw(st.dictionaries(st.sampled_from([*players, "Z"]), st.integers(1, 4)))
    if rules["mode"] == "race":
        extras["scores"] = draw(st.dictionaries(somebody, st.integers(0, 10)))
    return extras


@st.composite
def draw_tables(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None) -> Spec:
    """Draw a deal at a table of 2 to 4 players (criss-cross: 2) and its rules."""
    drawn = draw(rules or draw_table_rules())
    mode = drawn["mode"]
    crossed = mode == "criss_cross"
    owners = draw(st.sampled_from(CROSSED)) if crossed else NAMES[: draw(st.integers(2, 4))]
    kinds = ["any", "ranks", "suits", "dragons", "twins", "natural", "natural"]
    how = draw(st.sampled_from(kinds))
    first = draw(likely if how == "natural" else st.just(()))
    seeds = draw(st.lists(st.integers(0, 2**32), min_size=1, max_size=3))
    hands = deal_hands(how, first, Random(seeds[0]))
    chips = {name: draw(st.none() | st.integers(0, 30)) for name in sorted(set(owners))}
    players = []
    for number, (owner, cards) in enumerate(zip(owners, hands, strict=False), 1):
        name = f"{owner}{number}" if crossed else owner
        player = draw(draw_player(cards, drawn, seeds))
        players.append({"name": name, "owner": owner, "chips": chips[owner], **player})
    if draw(FLAGS):
        drawn = add_jackpot(drawn, players)
    if mode == "bank" and draw(FLAGS):
        drawn = {**drawn, "bank": {**drawn["bank"], "player": owners[-1]}}
    return {"rules": drawn, "players": players, **draw(draw_extras(drawn, sorted(set(owners))))}


def add_jackpot(rules: Rules, players: list[Spec]) -> Rules:
    """Let the house pay a jackpot for just what the weakest player who can have one shows."""
    shown = [
        [naive.category(player[name]) for name in ROW_NAMES]
        for player in players
        if player.keys() >= ALL_ROWS
    ]
    for rows in sorted(shown, key=sum):
        names = [CATEGORIES[category] for category in rows]
        if all(map(tuple.__contains__, JACKPOT_ROWS, names)):
            return {**rules, "jackpot": dict(zip(ROW_NAMES, names, strict=True))}
    return rules


# --- the same for the program --------------------------------------------------------------------


def build_seat(player: Spec) -> Seat:
    """Return the seat of a drawn player."""
    rows = [player[name] for name in ROW_NAMES if name in player]
    natural = player.get("natural")
    hidden = player.get("hidden", False)
    return Seat(
        player["name"],
        Arrangement(*rows) if rows and not hidden else None,
        cards=() if rows or hidden else player["cards"],
        natural=BEST if natural is True else Natural(natural) if natural else None,
        surrendered=player.get("surrender", False),
        declared=frozenset(Row(ROW_NAMES.index(name)) for name in player["declared"]),
        chips=player["chips"],
        in_fantasyland=player["in_fantasyland"],
        owner=player["owner"],
    )


def build_table(spec: Spec) -> Table:
    """Return a drawn table as the program takes it."""
    return Table(
        tuple(map(build_seat, spec["players"])),
        dealer=spec["dealer"],
        banker=spec.get("banker"),
        stakes={frozenset(pair.split("-")): n for pair, n in spec["stakes"].items()},
        pot=spec.get("pot", {}),
        scores=spec.get("scores", {}),
    )
