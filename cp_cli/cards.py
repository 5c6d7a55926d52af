"""A card is an int 0-51, `rank * 4 + suit`; text in, text out; the deck.

Ranks are 0-12 for 2-A, suits 0-3 for clubs, diamonds, hearts, spades.
"""

from collections.abc import Iterable, Iterator, Sequence

from cp_cli.errors import CardError, quote_text

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[int, ...] = tuple(range(52))
RANK_NAMES = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
RANK_PLURALS = tuple("sixes" if name == "six" else f"{name}s" for name in RANK_NAMES)
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

_RANK_OF = {char: rank for rank, text in enumerate(RANKS) for char in (text, text.lower())}
_SUIT_OF_LETTER = {char: suit for suit, text in enumerate(SUITS) for char in (text, text.upper())}
# Black and white card suits, U+2660 to U+2667.
_SUIT_OF_SYMBOL = dict(zip("♠♡♢♣♤♥♦♧", (3, 2, 1, 0, 3, 2, 1, 0), strict=True))
_SUIT_OF = _SUIT_OF_LETTER | _SUIT_OF_SYMBOL
_VARIATION_SELECTORS = "\ufe0e\ufe0f"  # follow a suit symbol that is drawn as text or as emoji
_VOID_MARKS = "-–—"  # a suit without cards, as newspapers print it

_EXPECTED_RANK = "expected a rank 2-9 T J Q K A or 10"
_EXPECTED_SUIT = "expected a suit c d h s"


def format_card(card: int) -> str:
    """Write one card: `As`, `Td`."""
    return RANKS[card >> 2] + SUITS[card & 3]


def format_cards(cards: Iterable[int]) -> str:
    """Write cards in the order given, separated by spaces.

    >>> format_cards(parse_cards("AS,kd 10h"))
    'As Kd Th'
    """
    return " ".join(map(format_card, cards))


def parse_cards(
    text: str, what: str = "cards", count: int | None = None, *, offset: int = 0
) -> tuple[int, ...]:
    """Read cards and keep their order.

    Cards are `As`, `10h`, `a♠`, with or without spaces, commas or semicolons between them, or
    groups by suit, `S:AKQJ H:Q92` and `♠AKQJ ♥Q92`. A message begins with `what` and counts
    columns from 1, after the `offset` characters that came before `text` on its line.

    Raises CardError for what is no card, for a card given twice and, with `count`, for any
    other number of cards.

    >>> parse_cards("2c As")
    (0, 51)
    >>> parse_cards("S:AK H:10") == parse_cards("As Ks Th")
    True
    """
    found = list(scan_cards(text, what, offset=offset))
    cards = tuple(card for card, _ in found)
    faults = []
    if len(set(cards)) < len(cards):
        faults.append(_describe_repeats(found))
    if count is not None and len(cards) != count:
        faults.append(f"{describe_count(len(cards))}, expected {count}")
    if faults:
        raise CardError(f"{what}: " + "; ".join(faults))
    return cards


def describe_count(number: int) -> str:
    """Say how many cards: `no cards`, `1 card`, `4 cards`."""
    return f"{number or 'no'} card{'' if number == 1 else 's'}"


def check_distinct(groups: Iterable[tuple[str, Sequence[int]]]) -> None:
    """Raise CardError naming every card that is in more than one place, and the places.

    >>> check_distinct([("front", (51, 50)), ("back", (51, 0))])
    Traceback (most recent call last):
    ...
    cp_cli.errors.CardError: card used more than once: As (front, back)
    """
    places: dict[int, list[str]] = {}
    for name, cards in groups:
        for card in cards:
            places.setdefault(card, []).append(name)
    repeated = [
        f"{format_card(card)} ({', '.join(names)})"
        for card, names in places.items()
        if len(names) > 1
    ]
    if repeated:
        noun = "card" if len(repeated) == 1 else "cards"
        raise CardError(f"{noun} used more than once: {', '.join(repeated)}")


def _describe_repeats(found: list[tuple[int, int]]) -> str:
    """Name every card that is in `found` more than once and the column of the first repeat."""
    seen: set[int] = set()
    repeats: dict[int, int] = {}
    for card, column in found:
        if card in seen:
            repeats.setdefault(card, column)
        seen.add(card)
    names = ", ".join(map(format_card, repeats))
    return f"{names} used more than once (again at column {min(repeats.values())})"


def scan_cards(text: str, what: str = "cards", *, offset: int = 0) -> Iterator[tuple[int, int]]:
    """Yield each card and its column, like parse_cards but with repeated cards let through."""
    group: int | None = None  # the suit of the group we are in
    at = 0
    while at < len(text):
        if _is_separator(text[at]):
            at += 1
            continue
        opened = _open_group(text, at)
        if opened is not None:
            group, at = opened
            continue
        rank, end = _read_rank(text, at, what, offset)
        suit = _SUIT_OF.get(text[end : end + 1])
        if suit is None or (group is not None and _open_group(text, end) is not None):
            suit = group
        else:
            group = None
            end = _skip_selectors(text, end + 1)
        if suit is None:
            raise _suit_fault(text, at, end, what, offset)
        yield rank * 4 + suit, offset + at + 1
        at = end


def _is_separator(char: str) -> bool:
    return char.isspace() or char in ",;"


def _skip_selectors(text: str, at: int) -> int:
    while at < len(text) and text[at] in _VARIATION_SELECTORS:
        at += 1
    return at


def _open_group(text: str, at: int) -> tuple[int, int] | None:
    """Return suit and end of a group mark (`S:`, a suit symbol) at `at`, or None."""
    suit = _SUIT_OF.get(text[at : at + 1])
    if suit is None:
        return None
    end = _skip_selectors(text, at + 1)
    if text[end : end + 1] == ":":
        end += 1
    elif text[at] in _SUIT_OF_LETTER:
        return None
    while end < len(text) and text[end] == " ":
        end += 1
    return suit, end + 1 if end < len(text) and text[end] in _VOID_MARKS else end


def _read_rank(text: str, at: int, what: str, offset: int) -> tuple[int, int]:
    """Return the rank at `at` and where it ends."""
    if text.startswith("10", at):
        return 8, at + 2
    rank = _RANK_OF.get(text[at])
    if rank is not None:
        return rank, at + 1
    if text[at] in _SUIT_OF_LETTER:
        problem = f"suit {quote_text(text[at])} without a rank"
    else:
        problem = f"unknown rank {quote_text(text[at])}"
    raise _fault(problem, text, at, at, what, offset, _EXPECTED_RANK)


def _suit_fault(text: str, at: int, end: int, what: str, offset: int) -> CardError:
    after = text[end : end + 1]
    if not after or _is_separator(after) or after in _RANK_OF or text.startswith("10", end):
        problem = f"missing suit after {quote_text(text[at:end])}"
    else:
        problem = f"unknown suit {quote_text(after)}"
    return _fault(problem, text, at, end, what, offset, _EXPECTED_SUIT)


def _fault(
    problem: str, text: str, at: int, end: int, what: str, offset: int, expected: str
) -> CardError:
    """Build the error for the card that starts at `at` and goes wrong at `end`."""
    stop = end + 1
    while stop < len(text) and stop < at + 12 and not _is_separator(text[stop]):
        stop += 1
    token = text[at:stop].strip()
    plain = quote_text(token) in problem or _is_separator(text[end : end + 1] or " ")
    where = "" if plain else f" in {quote_text(token, 8)}"
    return CardError(f"{what}: {problem}{where} at column {offset + end + 1}; {expected}")
