"""Ruleset text to plain data, with the line of every key. Nothing in a file is executed."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from cp_cli.errors import RulesetError, quote_text

MAX_BYTES = 1_000_000
MAX_NODES = 20_000  # counted with aliases expanded, so nested aliases cannot explode
MAX_DEPTH = 20

KeyPath = tuple[str | int, ...]
CORE = "tag:yaml.org,2002:"
# The C parser is eight times faster and keeps its own limit on nesting.
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value was written: a file and line, or an override (line 0)."""

    label: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.label}:{self.line}" if self.line else self.label


@dataclass(frozen=True, slots=True)
class Document:
    """Keys and values of one file or override, and where each path was written."""

    data: dict[str, Any]
    places: dict[KeyPath, Place]

    def find_place(self, path: KeyPath) -> Place:
        """Return where `path` was written, or the nearest part of it that was."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.places:
                return self.places[path[:end]]
        return self.places[()]


def format_path(path: KeyPath) -> str:
    """Write a key path as the user does: `naturals.list[0]`.

    >>> format_path(("naturals", "list", 0))
    'naturals.list[0]'
    """
    names = (
        f"[{part}]"
        if isinstance(part, int)
        else f".{part if part.isprintable() else quote_text(part)}"
        for part in path
    )
    return "".join(names).removeprefix(".")


def read_document(path: Path, label: str) -> Document:
    """Read one ruleset file; `label` names it in messages. Raises RulesetError."""
    if path.is_dir():
        raise RulesetError(f"{label}: is a directory, expected a ruleset file")
    if not path.exists():
        raise RulesetError(f"{label}: no such file")
    if not path.is_file():
        raise RulesetError(f"{label}: not a regular file, expected a ruleset file")
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise RulesetError(f"{label}: cannot be read: {(error.strerror or '?').lower()}") from None
    if len(raw) > MAX_BYTES:
        raise RulesetError(f"{label}: more than {MAX_BYTES} bytes, too large for a ruleset")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        found = f"0x{raw[error.start]:02x}"
        raise RulesetError(f"{label}:{line}: not UTF-8 text: byte {found}") from None
    data, places = parse_text(text, Place(label, 1))
    if not isinstance(data, dict):
        found = describe_value(data)
        raise RulesetError(f"{places[()]}: found {found}, expected a mapping (key: value)")
    return Document(data, places)


def parse_text(text: str, place: Place, path: KeyPath = ()) -> tuple[Any, dict[KeyPath, Place]]:
    """Read the YAML text of the value at `path`: the plain value, and the place of each path."""
    root = compose_node(text, place)
    if root is None:
        raise RulesetError(f"{place.label}: empty, expected ruleset keys")
    builder = Builder(place)
    return builder.build(root, path, 0), builder.places


def compose_node(text: str, place: Place) -> yaml.Node | None:
    """Parse the only YAML document in `text`; None when there is nothing in it."""
    try:
        nodes = list(yaml.compose_all(text, Loader))
    except yaml.MarkedYAMLError as error:
        raise RulesetError(explain_syntax(error, text, place)) from None
    except yaml.reader.ReaderError as error:
        line = len(text.encode()[: error.position].splitlines())
        where = Place(place.label, max(line, 1) if place.line else 0)
        raise RulesetError(f"{where}: not YAML: control character in the text") from None
    except RecursionError:
        raise RulesetError(f"{place.label}: nested too deeply for a ruleset") from None
    if len(nodes) > 1:
        where = place_node(nodes[1], place)
        raise RulesetError(f"{where}: a second document, expected one ruleset in a file")
    return nodes[0] if nodes else None


def explain_syntax(error: yaml.MarkedYAMLError, text: str, place: Place) -> str:
    """Put a YAML syntax error on one line."""
    mark = error.problem_mark or error.context_mark
    line = mark.line if mark else 0
    where = Place(place.label, line + 1 if place.line else 0)
    problem = error.problem or "cannot be parsed"
    if "nesting depth" in problem:
        return f"{where}: nested too deeply for a ruleset"
    indentation = re.match(r"\s*", "".join(text.split("\n")[line : line + 1]))
    if indentation and "\t" in indentation[0]:
        return f"{where}: tab in the indentation, expected spaces"
    context = f" {error.context}" if error.context else ""
    return f"{where}: not YAML: {problem}{context}".replace("\n", " ")


def place_node(node: yaml.Node, place: Place) -> Place:
    """Return the place of a node in the text that starts at `place`."""
    return Place(place.label, node.start_mark.line + 1 if place.line else 0)


class Builder:
    """Turns nodes into plain data, within bounds, and notes where each path stands."""

    def __init__(self, start: Place) -> None:
        self.start = start
        self.places: dict[KeyPath, Place] = {}
        self.count = 0
        self.open: set[int] = set()

    def fault(self, node: yaml.Node, path: KeyPath, message: str) -> RulesetError:
        """Return the error that is at the node."""
        key = f"{format_path(path)}: " if path else ""
        return RulesetError(f"{place_node(node, self.start)}: {key}{message}")

    def build(self, node: yaml.Node, path: KeyPath, depth: int) -> Any:
        """Return the plain value of a node at `path`."""
        self.places.setdefault(path, place_node(node, self.start))
        self.count += 1
        if self.count > MAX_NODES:
            raise self.fault(node, (), f"more than {MAX_NODES} values (aliases expanded)")
        if depth > MAX_DEPTH:
            raise self.fault(node, (), "nested too deeply for a ruleset")
        if isinstance(node, yaml.ScalarNode):
            return self.build_scalar(node, path)
        if id(node) in self.open:
            raise self.fault(node, path, "an anchor that holds itself")
        if node.tag not in (f"{CORE}map", f"{CORE}seq"):
            raise self.fault(node, path, f"tag {quote_text(node.tag)} is not allowed in a ruleset")
        self.open.add(id(node))
        value: Any
        if isinstance(node, yaml.MappingNode):
            value = self.build_mapping(node, path, depth)
        else:
            value = [self.build(item, (*path, i), depth + 1) for i, item in enumerate(node.value)]
        self.open.discard(id(node))
        return value

    def build_mapping(self, node: yaml.MappingNode, path: KeyPath, depth: int) -> dict[str, Any]:
        """Return a mapping; keys are taken as they are written."""
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self.fault(key_node, path, "a key that is a list or mapping, expected a name")
            if key_node.tag == f"{CORE}merge":
                raise self.fault(key_node, path, "merge key << is not supported, use extends")
            key = key_node.value
            here = (*path, key)
            if key in found:
                first = self.places[here]
                before = f" (first in line {first.line})" if first.line else ""
                raise self.fault(key_node, here, f"key given twice{before}")
            self.places[here] = place_node(key_node, self.start)
            found[key] = self.build(value_node, here, depth + 1)
        return found

    def build_scalar(self, node: yaml.ScalarNode, path: KeyPath) -> Any:
        """Return text, a whole number, a decimal number, a truth value or None."""
        kind, text = node.tag.removeprefix(CORE), node.value
        if kind == "str":
            return text
        if kind == "null":
            return None
        if kind == "bool":
            return text.lower() in ("true", "yes", "on")
        if kind == "int":
            if not re.fullmatch(r"[-+]?(0|[1-9][0-9]{0,17})", text):
                raise self.fault(node, path, f"number {quote_text(text)}, expected plain digits")
            return int(text)
        if kind == "float":
            if not re.fullmatch(r"[-+]?[0-9]{1,300}\.?[0-9]*", text):
                raise self.fault(node, path, f"number {quote_text(text)}, expected plain digits")
            return float(text)
        if kind == "timestamp":
            raise self.fault(
                node, path, f"{quote_text(text)} is a date in YAML, put quotes around it"
            )
        raise self.fault(node, path, f"tag {quote_text(node.tag)} is not allowed in a ruleset")


def describe_value(value: object) -> str:
    """Name what was found, for a message.

    >>> describe_value("x"), describe_value(None)
    ('"x"', 'nothing (null)')
    """
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quote_text(value)
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return str(value)
