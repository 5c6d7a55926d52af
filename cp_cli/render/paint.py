"""Colours: what cards and headings look like on a stream. Rich says what the stream can show."""

import os
import shutil
from collections.abc import Callable, Sequence
from typing import TextIO

from cp_cli.arrangement import Arrangement
from cp_cli.cards import DECK, format_card

SUIT_STYLES = ("green", "bright_blue", "red", "bold")  # clubs, diamonds, hearts, spades

Style = Callable[[str, str], str]


def _leave_plain(text: str, style: str) -> str:
    return text


class Paint:
    """How text looks on one stream: how wide it may be, and its colours if it has any."""

    def __init__(self, width: int, style: Style = _leave_plain) -> None:
        self.width = width
        self.style = style
        self._cards = [style(format_card(card), SUIT_STYLES[card & 3]) for card in DECK]

    def cards(self, cards: Sequence[int]) -> str:
        """Write cards, separated by spaces, each in the colour of its suit."""
        return " ".join([self._cards[card] for card in cards])

    def arrangement(self, arrangement: Arrangement) -> str:
        """Write `front / middle / back`."""
        return " / ".join(map(self.cards, arrangement.rows))


def open_paint(stream: TextIO | None) -> Paint:
    """Return the paint of a stream: plain unless it is a terminal or FORCE_COLOR asks.

    A closed stream is None.
    """
    width = shutil.get_terminal_size().columns
    forced = bool(os.environ.get("FORCE_COLOR"))
    if os.environ.get("NO_COLOR") or not (forced or _shows_colours(stream)):
        return Paint(width)
    return Paint(width, _paint_ansi)


def open_page_paint(width: int) -> Paint:
    """Return the paint of a page, which has colours whatever the terminal can show."""
    return Paint(width, _paint_ansi)


def _shows_colours(stream: TextIO | None) -> bool:
    if stream is None or not stream.isatty():
        return False
    from rich.console import Console

    console = Console(file=stream)
    return console.color_system is not None and not console.legacy_windows


def _paint_ansi(text: str, style: str) -> str:
    from rich.color import ColorSystem
    from rich.style import Style as RichStyle

    return RichStyle.parse(style).render(text, color_system=ColorSystem.STANDARD)
