"""Why thirteen cards do not hold a natural, in words that name the cards or count them."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cp_cli._kernels.natural_rules import LANE_CUTS, count_ranks, holds_straights
from cp_cli.arrangement import Natural
from cp_cli.cards import RANK_NAMES, RANK_PLURALS, RANKS, SUIT_NAMES, format_cards
from cp_cli.evaluator.naturals import describe_natural, rank_naturals
from cp_cli.evaluator.rows import Cards

if TYPE_CHECKING:
    from cp_cli.ruleset import Naturals, Ruleset

_EIGHT, _JACK, _KING, _ACE = map(RANKS.index, "8JKA")
_RED = (1, 2)
_NUMBERS = ("no", "one", *RANK_NAMES)
_TIMES = ("never", "once", "twice", "three times")
_NAMED_CARDS = 6  # more are counted
# Numbers of cards of a suit that part into rows, and the rows.
_PARTS = {3: "3", 5: "5", 8: "3 and 5", 10: "5 and 5", 13: "3, 5 and 5"}
_NO_QKA = ", Q-K-A does not count here"


def explain_missing(cards: Cards, natural: Natural, ruleset: "Ruleset") -> str | None:
    """Say why 13 cards do not hold a natural of the ruleset, None if they do.

    >>> from cp_cli.cards import parse_cards
    >>> from cp_cli.ruleset import load_ruleset
    >>> cards = parse_cards("As Ah Qd Qc Ts Th 8d 8c 6s 6h 4d 3c 2s")
    >>> explain_missing(cards, Natural.SIX_PAIRS, load_ruleset("pagat-standard"))
    'five pairs only; 4d 3c 2s are single'
    """
    naturals = ruleset.naturals
    if naturals is None:
        return f"ruleset {ruleset.id} has no naturals"
    listed = [kind for kind, _ in rank_naturals(naturals)]
    if natural not in listed:
        names = ", ".join(map(describe_natural, listed))
        return f"not a natural of ruleset {ruleset.id}; it has: {names}"
    return _EXPLAINERS[natural](sorted(cards, reverse=True), naturals)


# --- words ---------------------------------------------------------------------------------------


def _join(parts: Iterable[str]) -> str:
    """Join with commas and a final "and"."""
    *front, last = parts
    return f"{', '.join(front)} and {last}" if front else last


def _name_cards(cards: Cards, singular: str, plural: str = "", noun: str = "cards") -> str:
    """Say what some cards are: `Ks is single`, `Ks 9d are single`, `8 cards are single`."""
    named = format_cards(cards) if len(cards) <= _NAMED_CARDS else f"{len(cards)} {noun}"
    return f"{named} is {singular}" if len(cards) == 1 else f"{named} are {plural or singular}"


def _name_group(size: int, rank: int) -> str:
    return f"{_NUMBERS[size]} {RANK_PLURALS[rank]}"


def _name_ranks(cards: Cards) -> str:
    return " ".join(RANKS[card >> 2] for card in cards)


def _count_suits(cards: Cards) -> str:
    """Say `6 clubs, 5 hearts and 2 spades`, the longest first."""
    counts = Counter(card & 3 for card in cards).most_common()
    return _join(f"{n} {SUIT_NAMES[s] if n > 1 else SUIT_NAMES[s][:-1]}" for s, n in counts)


def _pick_ranks(cards: Cards, *sizes: int) -> list[int]:
    """Return the ranks with one of these numbers of cards, highest first."""
    counts = Counter(card >> 2 for card in cards)
    return [rank for rank in sorted(counts, reverse=True) if counts[rank] in sizes]


# --- groups --------------------------------------------------------------------------------------


def _count_pairs(cards: Cards, naturals: "Naturals", *, trips: bool) -> str:
    """Say how many pairs there are, with `trips` one in each three of a kind."""
    pairs = len(_pick_ranks(cards, 2, 3) if trips else _pick_ranks(cards, 2))
    if naturals.quads_as_two_pairs:
        pairs += 2 * len(_pick_ranks(cards, 4))
    return f"{_NUMBERS[pairs]} pair{'' if pairs == 1 else 's'}"


def _name_singles(cards: Cards) -> list[str]:
    ranks = _pick_ranks(cards, 1)
    return [_name_cards([c for c in cards if c >> 2 in ranks], "single")] if ranks else []


def _refuse_quads(cards: Cards, naturals: "Naturals") -> list[str]:
    quads = [] if naturals.quads_as_two_pairs else _pick_ranks(cards, 4)
    return [f"{_name_group(4, rank)} do not count as two pairs here" for rank in quads]


def _explain_six_pairs(cards: Cards, naturals: "Naturals") -> str | None:
    """One card is over; it may be the third of its rank where trips count as a pair."""
    trips = _pick_ranks(cards, 3)
    too_many = len(_pick_ranks(cards, 1, 3)) > 1
    faults = _name_singles(cards) if too_many else []
    if not naturals.trips_as_pair:
        faults += [f"{_name_group(3, rank)} do not count as a pair here" for rank in trips]
    elif too_many:
        faults += [f"{_name_group(3, rank)} make one pair" for rank in trips]
    faults += _refuse_quads(cards, naturals)
    pairs = _count_pairs(cards, naturals, trips=naturals.trips_as_pair)
    count = pairs if pairs.startswith("no ") else f"{pairs} only"
    return "; ".join([count, *faults]) if faults else None


def _explain_five_pairs_trips(cards: Cards, naturals: "Naturals") -> str | None:
    """No card is over."""
    trips = _pick_ranks(cards, 3)
    faults = _name_singles(cards) + _refuse_quads(cards, naturals)
    if len(trips) == 1 and not faults:
        return None
    pairs = _count_pairs(cards, naturals, trips=False)
    groups = [_name_group(3, rank) for rank in trips] or ["no three of a kind"]
    return "; ".join([_join([pairs, *groups]), *faults])


def _explain_groups(cards: Cards, size: int, needed: int) -> str | None:
    """Enough ranks hold `size` cards or more."""
    held = _pick_ranks(cards, *range(size, 5))
    if len(held) >= needed:
        return None
    name = f"{_NUMBERS[size]} of a kind"
    if not held:
        return f"no {name}"
    return f"{name} only {_TIMES[len(held)]}: {_join(RANK_PLURALS[rank] for rank in held)}"


def _explain_dragon(cards: Cards) -> str | None:
    """Each rank is there."""
    absent = [rank for rank in range(_ACE, -1, -1) if all(card >> 2 != rank for card in cards)]
    if not absent:
        return None
    if len(absent) > _NAMED_CARDS:
        return f"{_NUMBERS[13 - len(absent)]} ranks only"
    repeated = [_name_group(size, rank) for size in (4, 3, 2) for rank in _pick_ranks(cards, size)]
    return f"{_join(f'no {RANK_NAMES[rank]}' for rank in absent)}; {_join(repeated)}"


# --- colours, high and low cards -----------------------------------------------------------------


def _explain_colours(cards: Cards, odd: int) -> str | None:
    """All cards but `odd` are of one colour."""
    red = sum(card & 3 in _RED for card in cards)
    if odd in (red, 13 - red):
        return None
    counts = f"{red or 'no'} red and {13 - red or 'no'} black cards"
    return f"{counts}, expected 12 and 1" if odd else counts


def _explain_low(cards: Cards, naturals: "Naturals") -> str | None:
    """No card is above the eight."""
    top = _KING if naturals.ace_low_in_small else _ACE
    high = [card for card in cards if _EIGHT < card >> 2 <= top]
    if not high:
        return None
    aces_alone = high[-1] >> 2 == _ACE
    return _name_cards(high, "above eight") + (", an ace is not low here" if aces_alone else "")


def _explain_high(cards: Cards, lowest: int) -> str | None:
    """No card is below the lowest."""
    low = [card for card in cards if card >> 2 < lowest]
    return _name_cards(low, f"below {RANK_NAMES[lowest]}") if low else None


def _explain_no_pictures(cards: Cards, naturals: "Naturals") -> str | None:
    """No card is J, Q, K, or A where it counts as a picture."""
    rule = naturals.no_pictures
    top = _ACE if rule and rule.ace_is_picture else _KING
    pictures = [card for card in cards if _JACK <= card >> 2 <= top]
    if not pictures:
        return None
    aces_alone = pictures[-1] >> 2 == _ACE
    note = ", an ace counts as one here" if aces_alone else ""
    return _name_cards(pictures, "a picture", "pictures") + note


def _explain_pictures(cards: Cards) -> str | None:
    """All J, Q and K are there."""
    missing = [card for card in range(_ACE * 4 - 1, _JACK * 4 - 1, -1) if card not in cards]
    return _name_cards(missing, "missing", noun="pictures") if missing else None


# --- suits and straights -------------------------------------------------------------------------


def _explain_one_suit(cards: Cards) -> str | None:
    """All cards are of one suit."""
    return None if len({card & 3 for card in cards}) == 1 else _count_suits(cards)


def _explain_flushes(cards: Cards) -> str | None:
    """The numbers of cards in the suits part into 3, 5 and 5."""
    if all(count in _PARTS for count in Counter(card & 3 for card in cards).values()):
        return None
    needed = "three flushes need 3, 5 and 5 (8, 10 or 13 count as several)"
    return f"suits are {_count_suits(cards)}; {needed}"


def _explain_straights(cards: Cards, naturals: "Naturals") -> str | None:
    """The ranks part into three straights."""
    counts = count_ranks(cards)
    if holds_straights(counts, naturals.front_qka):
        return None
    alone = not naturals.front_qka and holds_straights(counts, True)
    ranks = _name_ranks(cards)
    return f"the ranks {ranks} do not part into runs of 3, 5 and 5" + (_NO_QKA if alone else "")


def _explain_straight_flushes(cards: Cards, naturals: "Naturals") -> str | None:
    """Each suit parts into straights."""
    faults = [_explain_flushes(cards)]
    if faults == [None]:
        faults = [_explain_suit(cards, suit, naturals) for suit in (3, 2, 1, 0)]
    return "; ".join(fault for fault in faults if fault) or None


def _explain_suit(cards: Cards, suit: int, naturals: "Naturals") -> str | None:
    """Say why the cards of a suit do not part into straights, None if they do."""
    held = [card for card in cards if card & 3 == suit]
    cut = LANE_CUTS[sum(1 << (card >> 2) for card in held)]
    if cut == 2 or (cut == 1 and naturals.front_qka):
        return None
    name = f"the {SUIT_NAMES[suit]} {_name_ranks(held)}"
    note = _NO_QKA if cut == 1 else ""
    if len(held) <= 5:
        return f"{name} are no straight{note}"
    return f"{name} do not part into runs of {_PARTS[len(held)]}{note}"


_EXPLAINERS: dict[Natural, Callable[[Cards, "Naturals"], str | None]] = {
    Natural.SIX_PAIRS: _explain_six_pairs,
    Natural.FIVE_PAIRS_TRIPS: _explain_five_pairs_trips,
    Natural.THREE_STRAIGHTS: _explain_straights,
    Natural.THREE_FLUSHES: lambda cards, _: _explain_flushes(cards),
    Natural.THREE_STRAIGHT_FLUSHES: _explain_straight_flushes,
    Natural.FOUR_TRIPS: lambda cards, _: _explain_groups(cards, 3, 4),
    Natural.THREE_QUADS: lambda cards, _: _explain_groups(cards, 4, 3),
    Natural.ONE_COLOUR: lambda cards, _: _explain_colours(cards, 0),
    Natural.TWELVE_ONE_COLOUR: lambda cards, _: _explain_colours(cards, 1),
    Natural.SMALL: _explain_low,
    Natural.ALL_LOW: _explain_low,
    Natural.BIG: lambda cards, _: _explain_high(cards, _EIGHT),
    Natural.ALL_HIGH: lambda cards, _: _explain_high(cards, _EIGHT),
    Natural.NO_PICTURES: _explain_no_pictures,
    Natural.TWELVE_PICTURES: lambda cards, _: _explain_pictures(cards),
    Natural.TWELVE_ROYALTIES: lambda cards, _: _explain_high(cards, _JACK),
    Natural.DRAGON: lambda cards, _: _explain_dragon(cards),
    Natural.ONE_SUIT: lambda cards, _: _explain_one_suit(cards),
    Natural.CLEAN_DRAGON: lambda cards, _: _explain_one_suit(cards),
}
