"""Deals to settle from a file or stdin: YAML, JSON, JSON Lines, or one deal a line."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from cp_cli.cli.inputs import (
    Fault,
    FaultError,
    Line,
    decode_lines,
    is_blank,
    join_lines,
    open_source,
)
from cp_cli.cli.score_hands import read_hands, split_line
from cp_cli.cli.score_nodes import (
    Event,
    Head,
    Node,
    build_json_line,
    explain_json,
    list_deals,
    list_json_events,
    list_yaml_events,
    read_head,
)
from cp_cli.cli.score_players import DEAL_KEYS, TERM_KEYS, DealReader, Origin, read_deal
from cp_cli.cli.score_tables import Agreement, TableDeal
from cp_cli.cli.score_values import describe_node
from cp_cli.errors import CpokerError, InputError

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

MAX_BYTES = 64 << 20  # of a document, which is read as a whole
DEALS = "deals"
EXPECTED = "expected deals: YAML, JSON, or one deal a line"
_YAML_KEY = re.compile(rf"[\"']?({'|'.join((DEALS, *DEAL_KEYS))})[\"']?\s*:(\s|$)")
_YAML_STARTS = ("- ", "[", "---", "%YAML")
_YAML_ENDINGS = (".yaml", ".yml")
_LINE_ENDINGS = (".jsonl", ".ndjson")
_JSON_START = re.compile(r"[\[{]\s*[\"\[{\]}]")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A source of deals: what is agreed for all of them, and whether there may be `many`."""

    agreement: Agreement
    many: bool
    deals: Iterator[TableDeal | Fault]


def _find_none(agreements: Sequence[Agreement]) -> None:
    """Know no rules."""


@contextmanager
def open_sheet(
    source: str, find_ruleset: "Callable[[Sequence[Agreement]], Ruleset | None]" = _find_none
) -> Iterator[Sheet]:
    """Open a file, or stdin when `source` is `-`; deals are read as they are asked for.

    `find_ruleset` finds the rules that terms name, for messages. Raises InputError when the source
    cannot be read, is no YAML or JSON, or has no deals; what is wrong in one deal of many comes out
    as a Fault.
    """
    name = "stdin" if source == "-" else source
    origin = Origin(name, Path() if source == "-" else Path(source).parent, find_ruleset)
    with open_source(source) as stream:
        lines = decode_lines(stream, name, MAX_BYTES)
        first = next((line for line in lines if not is_blank(line)), None)
        if first is None:
            raise InputError(f"{name}: no deals in it; {EXPECTED}")
        if isinstance(first, Fault):
            raise InputError(f"{first}; {EXPECTED}")
        rest: Iterator[Line] = chain([first], lines)
        one_a_line, rest = _find_form(Path(source).suffix.lower(), first[1], rest)
        if one_a_line:
            deals = (_read_line(line, origin) for line in rest if not is_blank(line))
            yield Sheet(Agreement(), True, deals)
        else:
            yield _read_document(*_join_some(rest, name), origin)


def _find_form(ending: str, text: str, lines: Iterator[Line]) -> tuple[bool, Iterator[Line]]:
    """Tell whether each line is a deal; return the lines again, of which two may be looked at."""
    text = text.strip()
    if ending in _LINE_ENDINGS or ending in _YAML_ENDINGS:
        return ending in _LINE_ENDINGS, lines
    if not text.startswith("{"):
        document = ending == ".json" or f"{text} ".startswith(_YAML_STARTS)
        return not (document or _YAML_KEY.match(text)), lines
    whole = explain_json(text, "", 1) is None
    if whole and DEALS in json.loads(text):
        return False, lines
    if whole and ending != ".json":  # no look at a next line, which may wait for our answer
        return True, lines
    first = next(lines)
    second = next((line for line in lines if not is_blank(line)), None)
    lines = chain([first], [second] if second else [], lines)
    again = second is not None and not isinstance(second, Fault) and second[1].startswith("{")
    return again, lines


def _join_some(lines: Iterator[Line], name: str) -> tuple[str, int]:
    """Return the whole text and the number of its first line, within bounds."""

    def count() -> Iterator[Line]:
        left = MAX_BYTES
        for line in lines:
            left -= 0 if isinstance(line, Fault) else len(line[1]) + 1
            if left < 0:
                raise InputError(f"{name}: more than {MAX_BYTES} bytes; expected one deal a line")
            yield line

    return join_lines(count())


# --- one deal a line -----------------------------------------------------------------------------


def _read_line(line: Line, origin: Origin) -> TableDeal | Fault:
    if isinstance(line, Fault):
        return line
    number, text = line
    place = f"{origin.label}:{number}"
    if text.lstrip().startswith(("{", "[")):
        fault = explain_json(text, origin.label, number)
        return fault or _build_deal(*build_json_line(text, origin.label, number), origin)
    try:
        texts = split_line(text.partition("#")[0])
        seats = read_hands(texts, lambda: origin.find_ruleset([]))
    except CpokerError as error:
        return Fault(place, str(error))
    return TableDeal(seats, Agreement(), place)


# --- documents -----------------------------------------------------------------------------------


def _read_document(text: str, first: int, origin: Origin) -> Sheet:
    """Read a YAML or JSON document: one deal, or a list of them."""
    label = origin.label

    def list_events() -> Iterator[Event]:
        return list_json_events(text, first) if plain else list_yaml_events(text, label, first)

    plain = text.lstrip().startswith(("{", "["))
    fault = explain_json(text, label, first) if plain else None
    if fault:
        if label.endswith(".json") or _JSON_START.match(text.lstrip()):
            raise InputError(str(fault))
        plain = False
    head = read_head(list_events(), label, DEALS)
    if head.deals is None:
        return Sheet(Agreement(), False, iter([_build_one(head, origin)]))
    agreement = _read_agreement(head, origin)
    origin = origin._replace(general=agreement)
    deals = list_deals(list_events(), label, DEALS)
    first_deal = next(deals, None)
    if first_deal is None:
        raise InputError(f"{head.deals}: deals: an empty list; expected deals")
    built = (_build_deal(node, faults, origin) for node, faults in chain([first_deal], deals))
    return Sheet(agreement, True, built)


def _build_one(head: Head, origin: Origin) -> TableDeal | Fault:
    """Return the deal that is the whole document."""
    node = head.node
    if not isinstance(node.value, dict):
        expected = "expected a mapping with players, or with deals"
        raise InputError(f"{node.place}: {describe_node(node)}; {expected}")
    if DEALS in node.value:
        below = node.value[DEALS]
        found = describe_node(below)
        raise InputError(f"{below.place}: deals: {found}; expected a list of deals")
    return _build_deal(node, head.faults, origin, (*DEAL_KEYS, DEALS))


def _read_agreement(head: Head, origin: Origin) -> Agreement:
    """Return what stands beside the list of deals."""
    reader = DealReader(origin)
    reader.faults += head.faults
    for key in ("players", "id"):
        below = head.node.value.pop(key, None) if isinstance(head.node.value, dict) else None
        if below:
            reader.note(below, f"{key}: beside deals; expected in each deal")
    agreement = reader.read_terms(reader.read_keys(head.node, (DEALS, *TERM_KEYS), ""))
    if reader.faults:
        raise InputError(str(FaultError(*reader.faults).join()))
    return agreement


def _build_deal(
    node: Node, faults: list[Fault], origin: Origin, known: tuple[str, ...] = DEAL_KEYS
) -> TableDeal | Fault:
    """Return a deal, or what is wrong with it; `known` are keys to suggest for a wrong one."""
    if faults:  # what was read is not what is written
        return FaultError(*faults).join()
    try:
        return read_deal(node, origin, known)
    except FaultError as error:
        return error.join()
