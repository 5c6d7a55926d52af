"""Lines of plain text that fit a width: measured, padded, cut and wrapped.

Chinese and other wide characters take two columns of a terminal, accents of their own none.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from unicodedata import combining, east_asian_width

ELLIPSIS = "…"
NO_BREAK = "\N{NO-BREAK SPACE}"  # cleaned texts hold none of their own


def clean_text(text: str) -> str:
    r"""Replace what a terminal would take for commands in a text from a file.

    >>> clean_text("Amy\x1b[2J")
    'Amy?[2J'
    """
    return "".join(char if char.isprintable() else "?" for char in text)


def measure_text(text: str) -> int:
    """Return the columns that a text takes on a terminal.

    >>> measure_text("Amy"), measure_text("王小明")
    (3, 6)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 1 + (east_asian_width(char) in "WF") for char in text)


def pad_text(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text up to `width` columns: after it, or with `right` before it."""
    blank = " " * (width - measure_text(text))
    return blank + text if right else text + blank


def cut_text(text: str, width: int, *, middle: bool = False) -> str:
    """Shorten a text to at most `width` columns, with an ellipsis for its end or its middle.

    >>> cut_text("Bartholomew", 6), cut_text("Bartholomew", 6, middle=True)
    ('Barth…', 'Bar…ew')
    """
    if measure_text(text) <= width:
        return text
    kept = width - 1
    if not middle:
        return _take(text, kept) + ELLIPSIS
    tail = _take(text[::-1], kept // 2)[::-1]
    return _take(text, kept - kept // 2) + ELLIPSIS + tail


def _take(text: str, width: int) -> str:
    """Return as much of the beginning of a text as fits."""
    end = 0
    while end < len(text) and measure_text(text[: end + 1]) <= width:
        end += 1
    return text[:end]


def shorten_names(names: Sequence[str], width: int) -> list[str]:
    """Shorten names to `width` columns (3 or more), so that they can still be told apart.

    >>> shorten_names(["Amy", "Player number 1", "Player number 2"], 8)
    ['Amy', 'Play…r 1', 'Play…r 2']
    """
    for middle in (False, True):
        short = [cut_text(name, width, middle=middle) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    taken = {name for name in short if short.count(name) == 1}
    told = []
    for at, name in enumerate(short, start=1):
        if short.count(name) > 1:
            numbered = (_number_name(name, number, width) for number in count(at))
            name = next(each for each in numbered if each not in taken)
            taken.add(name)
        told.append(name)
    return told


def _number_name(name: str, number: int, width: int) -> str:
    return f"{_take(name, width - len(str(number)) - 1)}{ELLIPSIS}{number}"


def glue_text(text: str, longest: int = 30) -> str:
    """Return a text that `wrap_text` leaves on one line, unless it is longer than `longest`."""
    return text if measure_text(text) > longest else text.replace(" ", NO_BREAK)


def wrap_text(text: str, width: int, indent: str = "", later: str | None = None) -> Iterator[str]:
    """Yield a text in lines of at most `width` columns; `later` begins all but the first.

    >>> list(wrap_text("front +1, middle -1", 14, "  ", "    "))
    ['  front +1,', '    middle -1']
    """
    line, follow = indent, indent if later is None else later
    empty = True
    for word in filter(None, text.split(" ")):
        if not empty and measure_text(line) + 1 + measure_text(word) > width:
            yield line.replace(NO_BREAK, " ")
            line, empty = follow, True
        line += word if empty else f" {word}"
        empty = False
        while measure_text(line) > width > measure_text(follow) + 1:
            head = _take(line, width)
            yield head.replace(NO_BREAK, " ")
            line = follow + line[len(head) :]
    if not empty:
        yield line.replace(NO_BREAK, " ")
