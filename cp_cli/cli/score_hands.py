"""One hand as players write it: a name, words such as `surrender`, rows or cards."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from cp_cli.arrangement import ROW_NAMES, Natural, Row, parse_arrangement
from cp_cli.cards import SUITS, parse_cards, scan_cards
from cp_cli.errors import CpokerError, InputError, TableError, quote_text, suggest_name

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Seat

WORDS = ("surrender", "natural", "royalties", "fantasyland")
LONGEST_NAME = 40

_TOKEN = re.compile(r"\S+")
_CARD_LETTERS = set("akqjtcdhs")  # a word with any other letter is not made of cards


def read_hands(texts: Sequence[str]) -> "tuple[Seat, ...]":
    """Read the hands of a deal, one a text; whoever has no name is P1, P2... by seat.

    Raises InputError with the faults of all hands.
    """
    seats, faults = [], []
    for number, text in enumerate(texts, start=1):
        try:
            seats.append(read_hand(text, number))
        except CpokerError as error:
            faults.append(str(error))
    if faults:
        raise InputError("; ".join(faults))
    return name_hands(seats)


def split_line(text: str) -> list[str]:
    """Return the hands of a deal on one line, which semicolons part.

    Each is as far from the start of its text as from that of the line, so columns stay true.

    >>> split_line("Amy: As ; Bob: Kd")
    ['Amy: As ', '          Bob: Kd']
    """
    hands, start = [], 0
    for part in text.split(";"):
        if part.strip():
            hands.append(" " * start + part)
        start += len(part) + 1
    return hands


def looks_like_hand(text: str) -> bool:
    """Tell whether a text is meant as a hand, not as the name of a file."""
    if ":" in text or text.strip().lower() in WORDS:
        return True
    try:
        return any(True for _ in scan_cards(text.replace("/", " ").replace("|", " ")))
    except CpokerError:
        return False


def read_hand(text: str, number: int, name: str | None = None) -> "Seat":
    """Read `[NAME:] [words] [cards]`; with `name` given the text has none.

    Raises InputError with the row, and with the name of the player if it is in the text.

    >>> seat = read_hand("Amy: surrender", 1)
    >>> seat.name, seat.surrendered
    ('Amy', True)
    """
    if name is not None:
        return _build_seat(name, *_take_words(text))
    end = _find_name_end(text)
    name = f"P{number}" if end == 0 else check_name(text[: end - 1])
    try:
        return _build_seat(name, *_take_words(" " * end + text[end:]))
    except CpokerError as error:
        raise InputError(f"{name}: {error}") from None


def check_name(text: str) -> str:
    """Return the name of a player without spaces around it; raises InputError for a bad one."""
    name = text.strip()
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and ":" not in name):
        raise InputError(
            f"name {quote_text(name, LONGEST_NAME)}; expected 1 to {LONGEST_NAME} printable "
            "characters and no colon"
        )
    return name


def name_hands(seats: "Sequence[Seat]") -> "tuple[Seat, ...]":
    """Number the hands of a player who has several: `X 1` and `X 2` of owner X."""
    names = [seat.name for seat in seats]
    named = []
    for at, seat in enumerate(seats):
        if names.count(seat.name) > 1 and seat.owner is None:
            number = names[: at + 1].count(seat.name)
            seat = replace(seat, name=f"{seat.name} {number}", owner=seat.name)
        named.append(seat)
    return tuple(named)


def read_rows(names: Iterable[str]) -> frozenset[Row]:
    """Return rows by name. Raises InputError for a name that is none."""
    rows = set()
    for text in names:
        name = text.strip().lower()
        if name not in ROW_NAMES:
            hint = suggest_name(name, ROW_NAMES) or f"; expected {', '.join(ROW_NAMES)}"
            raise InputError(f"unknown row {quote_text(text.strip())}{hint}")
        rows.add(Row(ROW_NAMES.index(name)))
    return frozenset(rows)


def check_announced(seats: "Sequence[Seat]", ruleset: "Ruleset") -> None:
    """Raise TableError for announced royalties where the rules know no announcing."""
    asked = ruleset.royalties is not None and ruleset.royalties.declare == "required"
    names = [seat.name for seat in seats if seat.declared]
    if names and not asked:
        reason = "has no royalties"
        if ruleset.royalties:
            reason = "pays them unannounced; --set royalties.declare=required changes that"
        noun = "announces" if len(names) == 1 else "announce"
        raise TableError(f"{', '.join(names)}: {noun} royalties, but ruleset {ruleset.id} {reason}")


# --- parts of a hand -----------------------------------------------------------------------------


class Words(NamedTuple):
    """What a player says beside the cards."""

    surrendered: bool = False
    natural: Natural | Literal["best"] | None = None
    declared: frozenset[Row] = frozenset()
    in_fantasyland: bool = False


def _find_name_end(text: str) -> int:
    """Return where the cards begin after `NAME:`; 0 if there is no name.

    `S: As Kd` is the hand of South, `S:AK` are two spades.
    """
    head, colon, tail = text.partition(":")
    if not colon or "/" in head or "|" in head:
        return 0
    if head[-1:].lower() in SUITS and head[-1:] and tail[:1].strip():
        try:
            list(scan_cards(head[:-1]))
        except CpokerError:
            pass
        else:
            return 0
    return len(head) + 1


def _take_words(text: str) -> tuple[Words, str]:
    """Return the words of a hand, and the rest with blanks in their place."""
    found: dict[str, str | None] = {}
    rest = text
    tokens = list(_TOKEN.finditer(text))
    while tokens:
        token = tokens.pop(0)
        word, equals, value = token[0].partition("=")
        key, end = word.lower(), token.end()
        if key not in WORDS:
            _check_no_word(word, equals)
            continue
        if key in found:
            raise InputError(f"{key} given twice")
        start = end - len(value)
        while equals and tokens and _goes_on(key, text[start:end], tokens[0][0]):
            end = tokens.pop(0).end()
        found[key] = text[start:end].strip() if equals else None
        rest = rest[: token.start()] + " " * (end - token.start()) + rest[end:]
    return _read_words(found), rest


def _goes_on(key: str, value: str, token: str) -> bool:
    """Tell whether a value such as `six` or `front,` goes on with the next word."""
    if key == "royalties":
        return not value or value.endswith(",") or token.startswith(",")
    return (
        token.lower() not in WORDS
        and bool(set(token.lower()) - _CARD_LETTERS)
        and (len(token) > 2 and token.replace("_", "").isalpha())
    )


def _check_no_word(word: str, equals: str) -> None:
    """Raise InputError for what is neither a known word nor meant as cards."""
    plain = len(word) > 3 and word.isalpha() and word[1:].islower()
    if equals or (plain and set(word.lower()) - _CARD_LETTERS):
        hint = suggest_name(word, WORDS) or f"; expected cards or {', '.join(WORDS)}"
        raise InputError(f"unknown word {quote_text(word or equals)}{hint}")


def _read_words(found: dict[str, str | None]) -> Words:
    from cp_cli.evaluator import parse_natural
    from cp_cli.settlement import BEST

    for key in ("surrender", "fantasyland"):
        if found.get(key) is not None:
            raise InputError(f"{key}={found[key]}; expected {key} alone")
    rows = found.get("royalties", "front")
    if not rows:
        raise InputError("royalties without rows; expected rows as in royalties=front,back")
    natural = found.get("natural")
    return Words(
        "surrender" in found,
        parse_natural(natural) if natural is not None else BEST if "natural" in found else None,
        read_rows(rows.split(",")) if "royalties" in found else frozenset(),
        "fantasyland" in found,
    )


def _build_seat(name: str, words: Words, text: str) -> "Seat":
    """Return the hand with the cards in `text`, in rows or without."""
    from cp_cli.settlement import Seat

    seat = Seat(
        name,
        natural=words.natural,
        surrendered=words.surrendered,
        declared=words.declared,
        in_fantasyland=words.in_fantasyland,
    )
    if "/" in text or "|" in text:
        return replace(seat, arrangement=parse_arrangement(text))
    if not text.strip(" \t,"):
        return seat
    return replace(seat, cards=parse_cards(text, "cards", 13))
