"""One hand as players write it: a name, words such as `surrender`, rows or cards."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from cp_cli.arrangement import (
    ROW_NAMES,
    ROW_SIZES,
    Arrangement,
    Natural,
    Row,
    parse_arrangement,
)
from cp_cli.cards import SUITS, check_distinct, parse_cards, scan_cards
from cp_cli.errors import CpokerError, InputError, quote_text, suggest_name

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Seat

FindRuleset = Callable[[], "Ruleset | None"]
"""Finds the rules of the deal at hand, for a message that needs them."""

WORDS = ("surrender", "natural", "royalties", "fantasyland")
LONGEST_NAME = 40
FILE_ENDINGS = (".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".txt")

_TOKEN = re.compile(r"\S+")
_CARD_LETTERS = set("akqjtcdhs")  # a word with any other letter is not made of cards


def read_hands(
    texts: Sequence[str], find_ruleset: FindRuleset = lambda: None
) -> "tuple[Seat, ...]":
    """Read the hands of a deal, one a text; whoever has no name is P1, P2... by seat.

    Raises InputError with the faults of all hands.

    >>> [seat.name for seat in read_hands(["P2: surrender", "surrender"])]
    ['P2', 'P3']
    """
    parts = [split_name(text) for text in texts]
    names = number_names([name for name, _ in parts])
    seats, faults = [], []
    for name, (_, text) in zip(names, parts, strict=True):
        try:
            seats.append(read_named_hand(check_name(name), text, find_ruleset))
        except CpokerError as error:
            faults.append(str(error))
    if faults:
        raise InputError("; ".join(faults))
    return pair_hands(seats)


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


def read_named_hand(name: str, text: str, find_ruleset: FindRuleset = lambda: None) -> "Seat":
    """Read `[words] [cards]`. Raises InputError that begins with the name."""
    try:
        return read_hand(name, text, find_ruleset)
    except CpokerError as error:
        raise InputError(f"{name}: {error}") from None


def read_hand(name: str, text: str, find_ruleset: FindRuleset = lambda: None) -> "Seat":
    """Read `[words] [cards]`. Raises InputError with all that is wrong.

    >>> read_hand("Amy", "surrender").surrendered
    True
    """
    from cp_cli.settlement import Seat

    faults: list[str] = []
    found, rest = _take_words(text)
    words = _read_words(found, find_ruleset, faults)
    arrangement: Arrangement | None = None
    cards: tuple[int, ...] = ()
    try:
        if "/" in rest or "|" in rest:
            arrangement = read_arrangement(rest)
        elif rest.strip(" \t,"):
            cards = parse_cards(rest, "cards", 13)
    except CpokerError as error:
        faults.append(str(error))
    if faults:
        raise InputError("; ".join(faults))
    return Seat(name, arrangement, cards, **words._asdict())


# --- what a text is meant as ---------------------------------------------------------------------


def looks_like_hand(text: str) -> bool:
    """Tell whether a text is meant as a hand: by `NAME: `, a word for players, or two cards.

    >>> looks_like_hand("S:AK"), looks_like_hand("9sept"), looks_like_hand("C:deals")
    (True, False, False)
    """
    tokens = text.replace(":", ": ").lower().split()
    if re.search(r":(\s|$)", text) or any(token.partition("=")[0] in WORDS for token in tokens):
        return True
    rows = re.split(r"[/|]", text)  # a group of a suit goes on after a space, so not only words
    return any(sum(map(_count_cards, parts)) > 1 for parts in (tokens, rows))


def looks_like_file(text: str) -> bool:
    """Tell whether a text is meant as the name of a file, be there one or not.

    >>> looks_like_file("9sept.yaml"), looks_like_file("./x"), looks_like_file("Qs Qd 4c / As")
    (True, True, False)
    """
    if text.lower().endswith(FILE_ENDINGS):
        return True
    return ("/" in text or "\\" in text) and not looks_like_hand(text)


def _count_cards(text: str) -> int:
    """Return how many cards a text begins with."""
    number = 0
    try:
        for _ in scan_cards(text):
            number += 1
    except CpokerError:
        pass
    return number


# --- names ---------------------------------------------------------------------------------------


def split_name(text: str) -> tuple[str | None, str]:
    """Return the name of `NAME: cards`, None without one, and the text with blanks in its place.

    `S: As Kd` is the hand of South, `S:AK` are two spades.
    """
    head, colon, tail = text.partition(":")
    if not colon or "/" in head or "|" in head:
        return None, text
    if head[-1:].lower() in SUITS and head[-1:] and tail[:1].strip():
        try:
            list(scan_cards(head[:-1]))
        except CpokerError:
            pass
        else:
            return None, text
    return head.strip(), " " * (len(head) + 1) + tail


def check_name(text: str) -> str:
    """Return the name of a player without spaces around it; raises InputError for a bad one."""
    name = text.strip()
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable() and ":" not in name):
        raise InputError(
            f"name {quote_text(name, LONGEST_NAME)}; expected 1 to {LONGEST_NAME} printable "
            "characters and no colon"
        )
    return name


def number_names(names: Sequence[str | None]) -> list[str]:
    """Return the names, with P and the number of the seat, or the next free one, for None.

    >>> number_names([None, "P2", None, None])
    ['P1', 'P2', 'P3', 'P4']
    >>> number_names(["P2", None, None])
    ['P2', 'P3', 'P4']
    """
    used = set(names)
    numbered = []
    for number, name in enumerate(names, start=1):
        while name is None:
            free = f"P{number}"
            name = None if free in used else free
            number += 1
        used.add(name)
        numbered.append(name)
    return numbered


def pair_hands(seats: "Sequence[Seat]") -> "tuple[Seat, ...]":
    """Number the hands of a player who has several: `X 1` and `X 2` of owner X."""
    names = [seat.name for seat in seats]
    paired = []
    for at, seat in enumerate(seats):
        if names.count(seat.name) > 1 and seat.owner is None:
            number = names[: at + 1].count(seat.name)
            seat = replace(seat, name=f"{seat.name} {number}", owner=seat.name)
        paired.append(seat)
    return tuple(paired)


# --- rows and naturals ---------------------------------------------------------------------------


def read_arrangement(text: str) -> Arrangement:
    """Read `front / middle / back`. Raises InputError with the faults of all rows.

    >>> read_arrangement("Qs Qd 4c / As Ad 9c 7h / Qs")
    Traceback (most recent call last):
    ...
    cp_cli.errors.InputError: middle: 4 cards, expected 5; back: 1 card, expected 5; card used \
more than once: Qs (front, back)
    """
    try:
        return parse_arrangement(text)
    except CpokerError as error:
        faults = list(_explain_rows(re.split(r"[/|]", text))) or [str(error)]
    raise InputError("; ".join(faults))


def _explain_rows(parts: Sequence[str]) -> Iterable[str]:
    """Yield what is wrong with three rows."""
    if len(parts) != len(ROW_NAMES):
        return
    start = 0
    for name, size, part in zip(ROW_NAMES, ROW_SIZES, parts, strict=True):
        try:
            parse_cards(part, name, size, offset=start)
        except CpokerError as error:
            yield str(error)
        start += len(part) + 1
    yield from explain_repeats(dict(zip(ROW_NAMES, parts, strict=True)))


def explain_repeats(rows: dict[str, str]) -> Iterable[str]:
    """Yield one text about all cards that are in two rows, as far as rows can be read."""
    found: dict[str, tuple[int, ...]] = {}
    for name, text in rows.items():
        try:
            found[name] = tuple(dict.fromkeys(card for card, _ in scan_cards(text)))
        except CpokerError:
            continue
    try:
        check_distinct(found.items())
    except CpokerError as error:
        yield str(error)


def read_row_names(names: Iterable[str]) -> frozenset[Row]:
    """Return rows by name. Raises InputError for a name that is none."""
    rows = set()
    for text in names:
        name = text.strip().lower()
        if name not in ROW_NAMES:
            hint = suggest_name(name, ROW_NAMES) or f"; expected {', '.join(ROW_NAMES)}"
            raise InputError(f"unknown row {quote_text(text.strip())}{hint}")
        rows.add(Row(ROW_NAMES.index(name)))
    return frozenset(rows)


def read_natural(text: str, find_ruleset: FindRuleset = lambda: None) -> Natural:
    """Return a natural by name. Raises InputError with those of the rules if there is none."""
    from cp_cli.evaluator import describe_natural, parse_natural, rank_naturals

    try:
        return parse_natural(text)
    except InputError:
        ruleset = find_ruleset()
        if ruleset is None:
            raise
    names = [describe_natural(natural) for natural, _ in rank_naturals(ruleset.naturals)]
    hint = suggest_name(text.replace("_", " "), names)
    hint = hint or f"; ruleset {ruleset.id} has {', '.join(names) or 'no naturals'}"
    raise InputError(f"unknown natural {quote_text(text)}{hint}")


# --- words ---------------------------------------------------------------------------------------


class Words(NamedTuple):
    """What a player says beside the cards."""

    natural: Natural | Literal["best"] | None = None
    surrendered: bool = False
    declared: frozenset[Row] = frozenset()
    in_fantasyland: bool | None = None  # nothing is said


def _take_words(text: str) -> tuple[dict[str, str | None], str]:
    """Return the words of a hand with their values, and the rest with blanks in their place."""
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
    return found, rest


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


def _read_words(
    found: dict[str, str | None], find_ruleset: FindRuleset, faults: list[str]
) -> Words:
    """Return what the words mean; what is wrong with their values is added to `faults`."""
    from cp_cli.settlement import BEST

    natural: Natural | Literal["best"] | None = BEST if "natural" in found else None
    rows: frozenset[Row] = frozenset()
    for key, value in found.items():
        try:
            if key == "natural":
                natural = BEST if value is None else read_natural(value, find_ruleset)
            elif key == "royalties":
                if not value:
                    example = "expected rows as in royalties=front,back"
                    raise InputError(f"royalties without rows; {example}")
                rows = read_row_names(value.split(","))
            elif value is not None:
                raise InputError(f"{key}={value}; expected {key} alone")
        except InputError as error:
            faults.append(str(error))
    in_fantasyland = True if "fantasyland" in found else None
    return Words(natural, "surrender" in found, rows, in_fantasyland)
