"""A deals file as nodes: texts, lists and mappings that know the line they stand in.

Every scalar is kept as the text that was written, so that a player may be called `7`, `No` or
`2001-01-01`. A file is read event by event, and a list of deals one deal at a time.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from cp_cli.cli.inputs import Fault
from cp_cli.errors import InputError, quote_text

MAX_ITEMS = 60  # of a list or mapping inside a deal; bounds the work, whatever anchors repeat
MAX_TEXT = 2_000
MAX_DEPTH = 12

Value = str | list["Node"] | dict[str, "Node"] | None


class Node(NamedTuple):
    """A value and its place (`file:line`); for the value of a key that is the line of the key."""

    value: Value
    place: str


class Event(NamedTuple):
    """A step through a document.

    `kind` is text, null, alias, map, list, end (of map or list), or for what cannot be used fault,
    map! or list!; `text` is what a scalar is written like, the name of an alias, or the fault.
    """

    kind: str
    line: int
    text: str | None = None
    anchor: str | None = None


# --- JSON ----------------------------------------------------------------------------------------

_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\],:"]+')
_JSON_KINDS = {"{": "map", "[": "list", "}": "end", "]": "end"}


def explain_json(text: str, label: str, first: int) -> Fault | None:
    """Say why `text`, which starts in line `first`, is not one JSON value; None if it is."""
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        place = f"{label}:{first + error.lineno - 1}"
        return Fault(place, f"not valid JSON: {error.msg.lower()} at column {error.colno}")
    except RecursionError:
        return Fault(f"{label}:{first}", "not valid JSON: nested too deeply")
    return None


def list_json_events(text: str, first: int) -> Iterator[Event]:
    """Yield the events of a text that is known to be JSON."""
    line, at = first, 0
    for match in _JSON_TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        token = match[0]
        kind = _JSON_KINDS.get(token)
        if kind:
            yield Event(kind, line)
        elif token[0] == '"':
            yield Event("text", line, json.loads(token))
        else:
            yield Event("null" if token == "null" else "text", line, token)


# --- YAML ----------------------------------------------------------------------------------------

_NULLS = ("", "~", "null", "Null", "NULL")
_CORE = "tag:yaml.org,2002:"
_TAGS = {
    "text": {None, "!", *(_CORE + name for name in ("str", "int", "float", "bool", "null"))},
    "map": {None, "!", f"{_CORE}map"},
    "list": {None, "!", f"{_CORE}seq"},
}


def list_yaml_events(text: str, label: str, first: int) -> Iterator[Event]:
    """Yield the events of the one YAML document in `text`, which starts in line `first`.

    Raises InputError where it is no YAML.
    """
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    documents = 0
    try:
        for event in yaml.parse(text, loader):
            line = first + (event.start_mark.line if event.start_mark else 0)
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    _refuse(f"{label}:{line}", "a second document; expected one, with deals: [...]")
            elif isinstance(event, yaml.CollectionEndEvent):
                yield Event("end", line)
            elif isinstance(event, yaml.NodeEvent):
                yield _convert_event(event, line)
    except yaml.MarkedYAMLError as error:
        _refuse_yaml(error, text, label, first)
    except yaml.reader.ReaderError as error:
        line = first + text.encode()[: error.position].count(b"\n")
        _refuse(f"{label}:{line}", "not valid YAML: control character in the text")


def _convert_event(event: Any, line: int) -> Event:
    """Return what a YAML event means; text and structure only, no tag makes an object."""
    import yaml

    if isinstance(event, yaml.AliasEvent):
        return Event("alias", line, event.anchor)
    if isinstance(event, yaml.ScalarEvent):
        kind, text = "text", event.value
    else:
        kind, text = "map" if isinstance(event, yaml.MappingStartEvent) else "list", None
    if event.tag not in _TAGS[kind]:
        # The contents of a collection follow; they are of no use, but belong to it.
        text = f"tag {quote_text(event.tag)} is not allowed"
        return Event("fault" if kind == "text" else f"{kind}!", line, text, event.anchor)
    if kind == "text" and event.implicit[0] and text in _NULLS:
        kind = "null"
    return Event(kind, line, text, event.anchor)


def _refuse(place: str, reason: str) -> NoReturn:
    raise InputError(f"{place}: {reason}")


def _refuse_yaml(error: Any, text: str, label: str, first: int) -> NoReturn:
    """Raise InputError for a syntax error."""
    mark = error.problem_mark or error.context_mark
    at = min(mark.line if mark else 0, text.rstrip().count("\n"))
    problem = error.problem or "cannot be parsed"
    indentation = re.match(r"\s*", "".join(text.split("\n")[at : at + 1]))
    if "nesting" in problem:
        problem = "nested too deeply"
    elif indentation and "\t" in indentation[0]:
        problem = "tab in the indentation; expected spaces"
    elif error.context:
        problem += f" {error.context}"
    _refuse(f"{label}:{first + at}", f"not valid YAML: {problem}".replace("\n", " "))


# --- nodes ---------------------------------------------------------------------------------------

_DEEPER = {"map": 1, "map!": 1, "list": 1, "list!": 1, "end": -1}


@dataclass
class Builder:
    """Builds nodes from events; what is wrong is noted in `faults`, and the rest still read.

    Of a list under the key `held` of the outermost mapping only the place is kept.
    """

    events: Iterator[Event]
    label: str
    held: str | None = None
    held_place: str | None = None
    faults: list[Fault] = field(default_factory=list)
    anchors: dict[str, Node | None] = field(default_factory=dict)

    def locate(self, event: Event) -> str:
        """Return the place of an event."""
        return f"{self.label}:{event.line}"

    def note(self, event: Event, reason: str) -> None:
        """Note what is wrong with an event."""
        self.faults.append(Fault(self.locate(event), reason))

    def build(self, event: Event, depth: int = 0) -> Node:
        """Return the node that begins with an event."""
        if event.kind == "alias":
            return self.find_anchor(event)
        if event.anchor is not None:
            self.anchors[event.anchor] = None  # until it is complete
        node = Node(self.build_value(event, depth), self.locate(event))
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def build_value(self, event: Event, depth: int) -> Value:
        """Return the value that begins with an event; None where it cannot be used."""
        kind, text = event.kind, event.text
        if kind == "null":
            return None
        if kind == "text" and text is not None and len(text) <= MAX_TEXT:
            return text
        if kind in ("map", "list") and depth < MAX_DEPTH:
            return self.build_mapping(depth) if kind == "map" else self.build_list(depth)
        if kind == "text":
            text = f"a text of {len(text or '')} characters; expected {MAX_TEXT} at most"
        self.note(event, text or "nested too deeply")
        self.skip(event)
        return None

    def build_list(self, depth: int) -> list[Node]:
        """Return the items of a list up to its end."""
        items: list[Node] = []
        for event in self.list_children():
            if len(items) < MAX_ITEMS:
                items.append(self.build(event, depth + 1))
            else:
                self.refuse_more(event, "list")
        return items

    def build_mapping(self, depth: int) -> dict[str, Node]:
        """Return the keys and values of a mapping up to its end."""
        found: dict[str, Node] = {}
        for event in self.list_children():
            if len(found) >= MAX_ITEMS:
                self.refuse_more(event, "mapping")
                continue
            key = self.read_key(event)
            start = next(self.events)
            if depth == 0 and key is not None and key == self.held and start.kind == "list":
                self.held_place = self.locate(event)
                self.skip(start)
                node = Node(None, self.held_place)
            else:
                node = Node(self.build(start, depth + 1).value, self.locate(event))
            if key in found:
                first = found[key].place
                line = first.rpartition(":")[2]
                before = f" (first in line {line})" if first != node.place else ""
                self.note(event, f"key {quote_text(key)} given twice{before}")
            elif key is not None:
                found[key] = node
        return found

    def read_key(self, event: Event) -> str | None:
        """Return a key as it is written; None, and a fault, if it is no name."""
        value: Value = event.text
        if event.kind == "alias":
            value = self.find_anchor(event).value
        elif event.kind not in ("text", "null"):
            self.skip(event)
            value = None
        if isinstance(value, str) and value != "<<" and len(value) <= MAX_TEXT:
            return value
        found = "merge key <<" if value == "<<" else "a key that is no text"
        self.note(event, f"{found}; expected a name")
        return None

    def find_anchor(self, event: Event) -> Node:
        """Return what an alias stands for."""
        name = event.text or ""
        node = self.anchors.get(name)
        if node is None:
            problem = "holds itself" if name in self.anchors else "is not defined before"
            self.note(event, f"anchor {quote_text(name)} {problem}")
        return Node(node.value if node else None, self.locate(event))

    def refuse_more(self, event: Event, what: str) -> None:
        """Pass over an entry too many; only the first is worth a word."""
        text = f"a {what} of more than {MAX_ITEMS}"
        if not self.faults or self.faults[-1].reason != text:
            self.note(event, text)
        self.skip(event)

    def list_children(self) -> Iterator[Event]:
        """Yield the events that begin the entries of a collection, up to its end."""
        for event in self.events:
            if event.kind == "end":
                return
            yield event

    def skip(self, event: Event) -> None:
        """Pass over the rest of what begins with an event."""
        depth = _DEEPER.get(event.kind, 0)
        while depth:
            depth += _DEEPER.get(next(self.events).kind, 0)


def build_json_line(text: str, label: str, line: int) -> tuple[Node, list[Fault]]:
    """Return one line of JSON Lines as a node, and what is wrong with it."""
    builder = Builder(list_json_events(text, line), label)
    return builder.build(next(builder.events)), builder.faults


# --- documents -----------------------------------------------------------------------------------


class Head(NamedTuple):
    """A document without its deals: the node, the place of the list of deals if there is one."""

    node: Node
    deals: str | None
    faults: list[Fault]


def read_head(events: Iterator[Event], label: str, key: str) -> Head:
    """Read a document but for its deals: a list at the top, or the one under `key`.

    Reads to the end, so that it is known to be well formed.
    """
    builder = Builder(events, label, held=key)
    start = next(events, Event("null", 1))
    if start.kind == "list":
        builder.held_place = builder.locate(start)
        builder.skip(start)
        node = Node({}, builder.held_place)
    else:
        node = builder.build(start)
    for _ in events:
        pass
    return Head(node, builder.held_place, builder.faults)


def list_deals(events: Iterator[Event], label: str, key: str) -> Iterator[tuple[Node, list[Fault]]]:
    """Yield the deals of a document (see read_head) and what is wrong in each."""
    builder = Builder(events, label)
    start = next(events)
    while start.kind != "list":
        name = builder.read_key(next(events))
        start = next(events)
        if name != key or start.kind != "list":
            builder.build(start, 1)  # it may hold anchors
            start = Event("map", start.line)
    for event in builder.list_children():
        builder.faults = []
        yield builder.build(event), builder.faults
