"""Rulesets that are well formed but contradict themselves."""

from collections.abc import Iterator

from cp_cli.ruleset.document import KeyPath
from cp_cli.ruleset.schema import AllSweep, Ruleset, Sweep, strip_defaults

# Modes in which players do not settle in pairs, and what then has no meaning.
TABLE_MODES = ("sole_winner", "row_pots", "race")
PAIR_KEYS = (
    "overall",
    "sweep",
    "all_sweep",
    "middle_extra",
    "royalties",
    "naturals",
    "surrender",
    "aces",
    "stakes",
)
CARDS_PER_PLAYER = {"closed": 13, "open": 13, "pineapple": 17}

Contradiction = tuple[KeyPath, str]


def find_contradiction(ruleset: Ruleset) -> Contradiction | None:
    """Return the key path and description of the first contradiction."""
    for check in (check_table, check_mode, check_sweeps, check_royalties, check_order):
        for found in check(ruleset):
            return found
    for check in (check_naturals, check_stakes, check_fantasyland):
        for found in check(ruleset):
            return found
    return None


def check_table(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Players against each other, the deal and the mode."""
    players = ruleset.players
    if players.min > players.max:
        yield ("players", "min"), f"{players.min} is more than players.max {players.max}"
    cards = CARDS_PER_PLAYER[ruleset.deal] * players.max
    if cards > 52:
        limit = 52 // CARDS_PER_PLAYER[ruleset.deal]
        need = f"{players.max} players need {cards} cards, expected players.max {limit} or less"
        yield ("deal",), f"{ruleset.deal} for {need}"
    if ruleset.mode == "criss_cross" and players.min > 2:
        yield ("players", "min"), f"{players.min}, but mode criss_cross is for 2 players"


def check_mode(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Keys that the mode needs, and those that it cannot use."""
    pot = ruleset.mode in ("sole_winner", "row_pots")
    if pot and not ruleset.ante:
        yield ("mode",), f"{ruleset.mode} needs an ante of 1 or more, found 0"
    if ruleset.ante and not pot:
        yield ("ante",), f"{ruleset.ante}, but mode {ruleset.mode} has no pot, expected 0"
    if ruleset.mode == "row_pots" and ruleset.ante % 3:
        yield ("ante",), f"{ruleset.ante} cannot be split in thirds, expected a multiple of 3"
    if ruleset.mode not in TABLE_MODES:
        return
    for key in PAIR_KEYS:
        if getattr(ruleset, key):
            yield (key,), f"not played in mode {ruleset.mode}, where pairs settle nothing"
    if ruleset.rows.outcome:
        yield ("rows", "outcome"), f"not played in mode {ruleset.mode}"


def check_sweeps(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Sweeps that pay nothing or can never happen."""
    sweeps: dict[str, Sweep | AllSweep | None] = {
        "sweep": ruleset.sweep,
        "all_sweep": ruleset.all_sweep,
    }
    for key, sweep in sweeps.items():
        if sweep and sweep.units == 0 and sweep.times == 1:
            yield (key,), "pays nothing, expected units of 1 or more, or times of 2 or more"
    if ruleset.all_sweep and ruleset.all_sweep.opponents > ruleset.players.max - 1:
        limit = f"players.max {ruleset.players.max} leaves {ruleset.players.max - 1}"
        yield ("all_sweep", "opponents"), f"{ruleset.all_sweep.opponents}, but {limit}"


def check_royalties(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Royalty tables that pay nobody, or pay twice."""
    royalties = ruleset.royalties
    if royalties is None:
        return
    low = ruleset.order.middle == "low27"
    rows = (royalties.front, royalties.middle, royalties.back)
    if not low and not any(strip_defaults(row) for row in rows):
        yield ("royalties",), "no row pays anything, expected units in front, middle or back"
    if royalties.style == "instead" and royalties.paid == "always":
        yield ("royalties", "paid"), "always, but style instead changes the row the winner takes"
    if royalties.style == "instead" and ruleset.rows.outcome:
        yield ("royalties", "style"), "instead, but with rows.outcome a row has no value of its own"
    front = royalties.front
    if front.pair_from and not front.pair_base:
        yield ("royalties", "front", "pair_from"), "given without pair_base"
    if front.pair_base and not front.pair_from:
        yield ("royalties", "front", "pair_base"), "given without pair_from"


def check_order(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Keys about a low middle."""
    low = ruleset.order.middle == "low27"
    if ruleset.order.middle_max is not None and not low:
        yield ("order", "middle_max"), "has a meaning only with order.middle low27"
    if low and ruleset.middle_extra:
        yield ("middle_extra",), f"{ruleset.middle_extra}, but a low middle earns no royalties"


def check_naturals(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Lists of naturals."""
    naturals = ruleset.naturals
    if naturals is None:
        return
    path: KeyPath = ("naturals", "list")
    if not naturals.list and not naturals.no_pictures:
        yield path, "empty, expected [name, units] entries (or naturals: none)"
    seen = set()
    for index, entry in enumerate(naturals.list):
        if entry.name in seen:
            yield (*path, index), f"{entry.name} is listed twice"
        if entry.name == "no_pictures":
            yield (*path, index), "no_pictures is lowest of all, give it as naturals.no_pictures"
        seen.add(entry.name)


def check_stakes(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Names of pairs with stakes of their own."""
    if ruleset.stakes is None:
        return
    seen = set()
    for pair in ruleset.stakes.pairs:
        path: KeyPath = ("stakes", "pairs", pair)
        names = [name.strip() for name in pair.split("-")]
        if len(names) != 2 or not all(names) or names[0] == names[1]:
            yield path, "expected two names with a hyphen between them, as A-B"
        if frozenset(names) in seen:
            yield path, "the same two players are given twice"
        seen.add(frozenset(names))


def check_fantasyland(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Fantasyland belongs to open-face deals."""
    if ruleset.fantasyland is None:
        return
    if ruleset.deal == "closed":
        yield ("fantasyland",), "given with deal closed, expected deal open or pineapple"
    entry = ruleset.fantasyland.enter
    if not any((entry.tens, entry.jacks, entry.queens, entry.kings, entry.aces, entry.trips)):
        yield ("fantasyland", "enter"), "no front enters, expected cards for one of them"
