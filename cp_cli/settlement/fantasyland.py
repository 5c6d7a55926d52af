"""Open-face: whose next cards come all at once."""

from typing import TYPE_CHECKING

from cp_cli.arrangement import Arrangement, Category
from cp_cli.evaluator import categorize
from cp_cli.settlement.results import Fantasyland

if TYPE_CHECKING:
    from cp_cli.ruleset import Fantasyland as FantasylandRules

_NAMES = {8: "tens", 9: "jacks", 10: "queens", 11: "kings", 12: "aces"}
_CATEGORIES = {
    "full_house": Category.FULL_HOUSE,
    "quads": Category.QUADS,
    "straight_flush": Category.STRAIGHT_FLUSH,
}


def find_fantasyland(
    arrangement: Arrangement, rules: "FantasylandRules", *, in_fantasyland: bool
) -> Fantasyland | None:
    """Return what a legal board earns: entering, or staying for one that is in fantasyland.

    >>> from cp_cli.arrangement import parse_arrangement
    >>> from cp_cli.ruleset import load_ruleset
    >>> rules = load_ruleset("progressive-pineapple").fantasyland
    >>> board = parse_arrangement("Kc Kd 2h / Ah Ad 7c 6d 4s / Ts 9s 8s 5s 3s")
    >>> find_fantasyland(board, rules, in_fantasyland=False)
    Fantasyland(cards=15, stays=False)
    >>> find_fantasyland(board, rules, in_fantasyland=True) is None
    True
    """
    entry = _count_entry_cards(arrangement, rules)
    if not in_fantasyland:
        return Fantasyland(entry, stays=False) if entry else None
    if not _stays(arrangement, rules):
        return None
    if rules.stay_cards == "by_front":
        return Fantasyland(entry or _find_fewest(rules), stays=True)
    return Fantasyland(rules.stay_cards, stays=True)


def _count_entry_cards(arrangement: Arrangement, rules: "FantasylandRules") -> int:
    """Return the cards that a front brings, 0 if it does not enter."""
    category = categorize(arrangement.front)
    if category == Category.TRIPS:
        return rules.enter.trips
    name = _NAMES.get(arrangement.front[0] >> 2) if category == Category.PAIR else None
    return getattr(rules.enter, name) if name else 0


def _find_fewest(rules: "FantasylandRules") -> int:
    """Return the fewest cards of any front, for boards that stay without one that enters."""
    entry = rules.enter
    cards = (entry.tens, entry.jacks, entry.queens, entry.kings, entry.aces, entry.trips)
    return min(number for number in cards if number)


def _stays(arrangement: Arrangement, rules: "FantasylandRules") -> bool:
    stay = rules.stay
    if stay.front and categorize(arrangement.front) == Category.TRIPS:
        return True
    rows = ((stay.middle, arrangement.middle), (stay.back, arrangement.back))
    return any(least and categorize(row) >= _CATEGORIES[least] for least, row in rows)
