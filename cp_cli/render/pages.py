"""Printed lines as a page or a picture: what the terminal shows, exported by Rich."""

import io
from collections.abc import Iterable

PAGE_SUFFIXES = (".html", ".svg")


def write_page(lines: Iterable[str], width: int, suffix: str, title: str) -> str:
    """Return lines with terminal colours as the text of an HTML page or of an SVG picture."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
    for line in lines:
        console.print(Text.from_ansi(line), soft_wrap=True)
    if suffix == ".svg":
        return console.export_svg(title=title)
    return console.export_html()
