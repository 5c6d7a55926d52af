"""Deals from a file or from stdin: plain lines, JSON Lines or YAML."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

from cp_cli.cards import check_distinct, parse_cards
from cp_cli.errors import CpokerError, InputError, quote_text, suggest_name

DEAL_KEYS = ("cards", "dead", "id")
MAX_LINE_BYTES = 1 << 20  # a deal takes 40; this keeps a file without line ends out of memory
_YAML_STARTS = ("- ", "[", "---", "%YAML")


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards read from a place (`file:line`), with cards known to be out and a name if given."""

    cards: tuple[int, ...]
    place: str
    dead: tuple[int, ...] = ()
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and where: `file:line`; an empty place is none in a file."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}" if self.place else self.reason

    @property
    def line(self) -> int:
        """The line of the place, 0 if there is none."""
        line = self.place.rpartition(":")[2]
        return int(line) if line.isdecimal() else 0


class FaultError(InputError):
    """All that is wrong with a deal, or with a part of it; the text is that of every fault."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(fault.reason for fault in faults))
        self.faults = faults

    def join(self) -> Fault:
        """Return one fault at the place of the first; others say their line if it differs."""
        faults = sorted(dict.fromkeys(self.faults), key=lambda fault: fault.line)
        place = next((fault.place for fault in faults if fault.place), "")
        reasons = [
            fault.reason if fault.place in ("", place) else f"line {fault.line}: {fault.reason}"
            for fault in faults
        ]
        return Fault(place, "; ".join(reasons))


BadLine = Fault  # that keeps a line of the input from being a deal


def read_deals(source: str, count: int = 13) -> Iterator[Deal | Fault]:
    """Read deals of `count` cards from a file, or from stdin when `source` is `-`.

    Plain lines and JSON Lines are read one at a time, so the input may be endless; YAML is known
    by its ending or its first line and read as a whole. A bad line comes out as a Fault.
    Raises InputError when the source cannot be read or has no deals at all.
    """
    name = "stdin" if source == "-" else source
    with open_source(source) as stream:
        lines = decode_lines(stream, name)
        first = next((line for line in lines if not is_blank(line)), None)
        if first is None:
            raise InputError(f"{name}: no deals in it; expected one deal a line, JSON or YAML")
        rest = chain([first], lines)
        if isinstance(first, Fault) or not _starts_yaml(source, first[1]):
            yield from (_read_line(line, name, count) for line in rest if not is_blank(line))
        else:
            yield from _read_yaml(rest, name, count)


def open_source(source: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file, or stdin when `source` is `-`; raises InputError when that fails."""
    if source == "-":
        if sys.stdin is None:
            raise InputError("stdin: closed; expected deals")
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(source).open("rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{quote_text(source, 200)}: cannot be read: {reason}") from error


# A numbered line of text, or what is wrong with it.
Line = tuple[int, str] | Fault


def decode_lines(stream: IO[bytes], name: str, longest: int = MAX_LINE_BYTES) -> Iterator[Line]:
    """Yield the lines of a UTF-8 stream without their ends; none is kept if over `longest`."""
    number = 0
    while raw := stream.readline(longest + 1):
        number += 1
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise InputError(f"{name}: is UTF-16; expected UTF-8 text")
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if len(raw) > longest:
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(longest)
            yield Fault(f"{name}:{number}", f"line is longer than {longest} bytes")
            continue
        try:
            yield number, raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            byte = f"0x{raw[error.start]:02x} at byte {error.start + 1}"
            yield Fault(f"{name}:{number}", f"not UTF-8 text ({byte})")


def is_blank(line: Line) -> bool:
    """Tell whether there is nothing but a comment in a line."""
    return not isinstance(line, Fault) and not line[1].partition("#")[0].strip()


def _starts_yaml(source: str, text: str) -> bool:
    return source.lower().endswith((".yaml", ".yml")) or f"{text.strip()} ".startswith(_YAML_STARTS)


def _read_line(line: Line, name: str, count: int) -> Deal | Fault:
    """Read one line, JSON if it starts with a brace, else cards with an optional comment."""
    if isinstance(line, Fault):
        return line
    number, text = line
    place = f"{name}:{number}"
    if not text.lstrip().startswith("{"):
        return _build_deal(text.partition("#")[0], place, count)
    try:
        entry = json.loads(text)
    except json.JSONDecodeError as error:
        return Fault(place, f"not valid JSON: {error.msg.lower()} at column {error.colno}")
    except (RecursionError, ValueError):  # nested too deep, a number of thousands of digits
        return Fault(place, "not valid JSON")
    return _build_deal(entry, place, count)


def _read_yaml(lines: Iterable[Line], name: str, count: int) -> Iterator[Deal | Fault]:
    """Read a YAML list of deals; the place of each is the line where it starts."""
    import yaml

    text, first = join_lines(lines)
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        root = loader.get_single_node()
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(_describe_yaml_fault(error, name, first)) from error
    if not isinstance(root, yaml.SequenceNode):
        raise InputError(f"{name}:{first}: expected a YAML list of deals")
    if not root.value:
        raise InputError(f"{name}:{first}: no deals in it; expected a YAML list of deals")
    for node in root.value:
        place = f"{name}:{node.start_mark.line + first}"
        try:
            entry = loader.construct_object(node, deep=True)
        except (yaml.YAMLError, RecursionError, ValueError):  # unknown tag, impossible date
            yield Fault(place, "not valid YAML")
        else:
            yield _build_deal(entry, place, count)


def _describe_yaml_fault(error: Exception, name: str, first: int) -> str:
    mark = getattr(error, "problem_mark", None)
    place = f"{name}:{first + mark.line}" if mark else name
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    return f"{place}: not valid YAML" + (f": {problem}" if problem else "")


def join_lines(lines: Iterable[Line]) -> tuple[str, int]:
    """Return the whole text and the number of its first line; raises InputError for a Fault."""
    texts = []
    first = 0
    for line in lines:
        if isinstance(line, Fault):
            raise InputError(str(line))
        first = first or line[0]
        texts.append(line[1])
    return "\n".join(texts), first


def _build_deal(entry: Any, place: str, count: int) -> Deal | Fault:
    """Make a deal of a text with cards, a list of cards or a mapping with the DEAL_KEYS."""
    try:
        if not isinstance(entry, dict):
            return Deal(_read_cards(entry, "cards", count), place)
        for key in entry:
            if key not in DEAL_KEYS:
                text = str(key)
                expected = suggest_name(text, DEAL_KEYS) or f"; expected {', '.join(DEAL_KEYS)}"
                raise InputError(f"unknown key {quote_text(text)}{expected}")
        if "cards" not in entry:
            raise InputError('missing key "cards"')
        cards = _read_cards(entry["cards"], "cards", count)
        dead = _read_cards(entry.get("dead") or "", "dead", None)
        check_distinct([("cards", cards), ("dead", dead)])
        return Deal(cards, place, dead, _read_id(entry.get("id")))
    except CpokerError as error:
        return Fault(place, str(error))


def _read_cards(value: Any, what: str, count: int | None) -> tuple[int, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        for number, item in enumerate(value, start=1):
            parse_cards(item, f"{what}[{number}]", 1)
        value = " ".join(value)
    if not isinstance(value, str):
        raise InputError(f"{what}: {_describe_value(value)}; expected a text or a list of texts")
    return parse_cards(value, what, count)


def _read_id(value: Any) -> str | None:
    if value is None or (isinstance(value, str | int) and not isinstance(value, bool)):
        return None if value is None else str(value)
    raise InputError(f"id: {_describe_value(value)}; expected a text or a whole number")


def _describe_value(value: Any) -> str:
    kinds = {list: "a list", dict: "a mapping", type(None): "nothing"}
    return kinds.get(type(value)) or quote_text(str(value))
