"""The words of the game: rows, categories, naturals, and the arrangement of a deal."""

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from cp_cli.cards import check_distinct, describe_count, format_cards, scan_cards
from cp_cli.errors import ArrangementError


class Row(IntEnum):
    """The three rows of an arrangement."""

    FRONT = 0
    MIDDLE = 1
    BACK = 2


ROW_NAMES = ("front", "middle", "back")
ROW_SIZES = (3, 5, 5)


class Category(IntEnum):
    """What a row is, weakest first. A royal flush is a straight flush."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8


class Natural(StrEnum):
    """Thirteen cards that win as they are; the values are the names used in ruleset files.

    Rulesets use different words for some of the same cards (`small` and `all_low`, `one_suit`
    and `clean_dragon`), because they rank and pay them apart.
    """

    SIX_PAIRS = "six_pairs"
    FIVE_PAIRS_TRIPS = "five_pairs_trips"
    THREE_STRAIGHTS = "three_straights"
    THREE_FLUSHES = "three_flushes"
    THREE_STRAIGHT_FLUSHES = "three_straight_flushes"
    FOUR_TRIPS = "four_trips"
    THREE_QUADS = "three_quads"
    ONE_COLOUR = "one_colour"
    TWELVE_ONE_COLOUR = "twelve_one_colour"
    SMALL = "small"
    BIG = "big"
    ALL_LOW = "all_low"
    ALL_HIGH = "all_high"
    NO_PICTURES = "no_pictures"
    TWELVE_PICTURES = "twelve_pictures"
    TWELVE_ROYALTIES = "twelve_royalties"
    DRAGON = "dragon"
    ONE_SUIT = "one_suit"
    CLEAN_DRAGON = "clean_dragon"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Thirteen cards set in three rows; each row is kept in display order.

    Two arrangements with the same cards in the same rows are equal. Legal or foul is not decided
    here. Raises ArrangementError for a row of the wrong size, CardError for a card used twice.
    """

    front: tuple[int, ...]
    middle: tuple[int, ...]
    back: tuple[int, ...]

    def __post_init__(self) -> None:
        faults = [
            f"{name}: {describe_count(len(row))}, expected {size}"
            for name, row, size in zip(ROW_NAMES, self.rows, ROW_SIZES, strict=True)
            if len(row) != size
        ]
        if faults:
            raise ArrangementError("; ".join(faults))
        check_distinct(zip(ROW_NAMES, self.rows, strict=True))
        for name, row in zip(ROW_NAMES, self.rows, strict=True):
            object.__setattr__(self, name, sort_row(row))

    @property
    def rows(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Front, middle and back, to be indexed by Row."""
        return self.front, self.middle, self.back

    @property
    def cards(self) -> tuple[int, ...]:
        """All thirteen cards, front first."""
        return self.front + self.middle + self.back

    def __str__(self) -> str:
        return format_arrangement(self)


def sort_row(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Put a row in display order: groups first, then high to low; the ace of a wheel last.

    >>> from cp_cli.cards import parse_cards
    >>> format_cards(sort_row(parse_cards("9h Js Jd")))
    'Js Jd 9h'
    >>> format_cards(sort_row(parse_cards("As 2c 3d 4h 5s")))
    '5s 4h 3d 2c As'
    """
    size = Counter(card >> 2 for card in cards)
    row = sorted(cards, key=lambda card: (size[card >> 2], card), reverse=True)
    if [card >> 2 for card in row] == [12, 3, 2, 1, 0]:
        row.append(row.pop(0))
    return tuple(row)


def parse_rows(text: str) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Read `front / middle / back` (or with `|`) whatever the number of cards in a row.

    Raises ArrangementError for anything but three rows, CardError for bad or repeated cards.
    """
    parts = text.replace("|", "/").split("/")
    if len(parts) != len(ROW_NAMES):
        found = f"{len(parts)} row{'' if len(parts) == 1 else 's'}" if text.strip() else "no rows"
        raise ArrangementError(f"arrangement: {found}, expected 3: front / middle / back")
    starts = (0, len(parts[0]) + 1, len(parts[0]) + len(parts[1]) + 2)
    front, middle, back = (
        tuple(card for card, _ in scan_cards(part, name, offset=start))
        for name, part, start in zip(ROW_NAMES, parts, starts, strict=True)
    )
    check_distinct(zip(ROW_NAMES, (front, middle, back), strict=True))
    return front, middle, back


def parse_arrangement(text: str) -> Arrangement:
    """Read an arrangement written `front / middle / back` (or with `|`).

    Raises ArrangementError for a wrong number of rows or of cards in a row, CardError for bad or
    repeated cards.

    >>> print(parse_arrangement("Jd Js 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s"))
    Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s
    """
    return Arrangement(*parse_rows(text))


Subject = Arrangement | tuple[int, ...]
"""A hand as far as it is known: set in rows, or some of its cards."""


def list_cards(subject: Subject) -> tuple[int, ...]:
    """Return the known cards of a hand."""
    return subject.cards if isinstance(subject, Arrangement) else subject


def format_arrangement(arrangement: Arrangement) -> str:
    """Write `front / middle / back`."""
    return " / ".join(map(format_cards, arrangement.rows))
