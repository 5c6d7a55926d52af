"""The nodes of one deal in a file, read as seats and terms; all its faults are found at once."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from cp_cli.arrangement import ROW_NAMES, ROW_SIZES, Arrangement, Natural
from cp_cli.cards import describe_count, parse_cards
from cp_cli.cli.score_hands import (
    check_name,
    name_hands,
    read_hand,
    read_hands,
    read_rows,
    split_line,
)
from cp_cli.cli.score_nodes import Fault, Node
from cp_cli.cli.score_terms import Agreement, Stake, read_count
from cp_cli.errors import CpokerError, InputError, quote_text, suggest_name

if TYPE_CHECKING:
    from cp_cli.settlement import Seat

T = TypeVar("T")

TERM_KEYS = ("ruleset", "set", "dealer", "banker", "stakes", "pot", "scores", "chips")
DEAL_KEYS = ("players", "id", *TERM_KEYS)
PLAYER_KEYS = (
    *("name", *ROW_NAMES, "arrangement", "cards", "natural", "surrender", "royalties"),
    *("chips", "fantasyland", "owner"),
)
_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")
LONGEST_KEY = 90  # shown in full; two names and a hyphen
_TRUTH = "true or false"


class NodeError(InputError):
    """What is wrong with a node: an InputError with its line."""

    def __init__(self, node: Node, text: str) -> None:
        super().__init__(text)
        self.line = node.line


class Origin(NamedTuple):
    """A source of deals: its name for messages, and where rulesets that it names are looked for."""

    label: str
    folder: Path


@dataclass
class DealReader:
    """Reads the parts of one deal, and notes all that is wrong."""

    origin: Origin
    faults: list[Fault] = field(default_factory=list)

    def attempt(self, line: int, read: Callable[..., T], *arguments: Any) -> T | None:
        """Return what `read` returns; note its error, in that line unless it knows better."""
        try:
            return read(*arguments)
        except CpokerError as error:
            self.faults.append(Fault(getattr(error, "line", line), str(error)))
            return None

    def read_keys(self, node: Node, known: Collection[str], path: str) -> dict[str, Node]:
        """Return the known keys of a mapping that have a value; note others."""
        if not isinstance(node.value, dict):
            raise NodeError(node, f"{path}: {describe_node(node)}; expected a mapping")
        found = {}
        for key, below in node.value.items():
            if key in known:
                if below.value is not None:
                    found[key] = below
                continue
            hint = suggest_name(key, known) or f"; expected {', '.join(known)}"
            where = f"{path}: " if path else ""
            self.faults.append(Fault(below.line, f"{where}unknown key {quote_text(key)}{hint}"))
        return found

    # --- terms -----------------------------------------------------------------------------------

    def read_terms(self, keys: Mapping[str, Node]) -> Agreement:
        """Return the terms among the keys of a deal or of a document."""
        found: dict[str, Any] = {}
        readers: dict[str, Callable[[Node, str], Any]] = {
            "ruleset": read_text,
            "set": read_settings,
            "dealer": read_name,
            "banker": read_name,
            "stakes": read_stakes,
            **dict.fromkeys(("pot", "scores", "chips"), read_counts),
        }
        for key, read in readers.items():
            if key in keys:
                value = self.attempt(keys[key].line, read, keys[key], key)
                if value is not None:
                    found["settings" if key == "set" else key] = value
        if "ruleset" in found:
            found["ruleset"] = locate_ruleset(found["ruleset"], self.origin.folder)
        places = {key: f"{self.origin.label}:{keys[key].line}" for key in readers if key in keys}
        if "stakes" in found:
            found["stakes"] = tuple(
                stake._replace(place=f"{self.origin.label}:{stake.place}")
                for stake in found["stakes"]
            )
        return Agreement(**found, places=places)

    # --- players ---------------------------------------------------------------------------------

    def read_players(self, node: Node) -> "tuple[Seat, ...]":
        """Return the seats of a list of players, or of a mapping by name."""
        entries: list[tuple[str, str | None, Node]]
        if isinstance(node.value, dict):
            entries = [
                (join_path("players", name), name, below) for name, below in node.value.items()
            ]
        elif isinstance(node.value, list):
            entries = [(f"players[{at}]", None, below) for at, below in enumerate(node.value)]
        else:
            text = f"players: {describe_node(node)}; expected a list of players"
            raise NodeError(node, text)
        if not entries:
            raise NodeError(node, "players: none; expected 2 to 4")
        seats = []
        for number, (path, name, below) in enumerate(entries, start=1):
            seat = self.attempt(below.line, self.read_player, below, number, path, name)
            if seat is not None:
                seats.append(seat)
        return name_hands(seats)

    def read_player(self, node: Node, number: int, path: str, name: str | None) -> "Seat":
        """Return one seat: a hand as text, or a mapping; `name` if it is the key of the player."""
        if name is not None:
            name = _put_before(path, check_name, name)
        if isinstance(node.value, str):
            return _put_before(path, read_hand, node.value, number, name)
        named = self.find_name_key(node) if name is None else None
        if named is not None:
            return self.read_player(named[1], number, join_path(path, named[0]), named[0])
        known = PLAYER_KEYS if name is None else PLAYER_KEYS[1:]
        keys = self.read_keys(node, known, path)
        if "name" in keys:
            name = self.attempt(keys["name"].line, read_name, keys["name"], f"{path}.name")
        return self.read_seat(keys, node, path, name or f"P{number}")

    def find_name_key(self, node: Node) -> tuple[str, Node] | None:
        """Return the only entry of `Amy: As Kd 2c / ...`, which YAML takes for a mapping."""
        if not isinstance(node.value, dict) or len(node.value) != 1:
            return None
        key, below = next(iter(node.value.items()))
        if key in PLAYER_KEYS or suggest_name(key, PLAYER_KEYS):
            return None
        return key, below

    def read_seat(self, keys: Mapping[str, Node], node: Node, path: str, name: str) -> "Seat":
        """Return a seat from the keys of a player."""
        from cp_cli.settlement import Seat

        def read(key: str, reader: Callable[[Node, str], T], default: T) -> T:
            if key not in keys:
                return default
            value = self.attempt(keys[key].line, reader, keys[key], f"{path}.{key}")
            return default if value is None else value

        known = [key for key in ("arrangement", "cards") if key in keys]
        rows = [row for row in ROW_NAMES if row in keys]
        known += rows[:1]
        if len(known) > 1:
            others = ", ".join(known[1:])
            raise NodeError(node, f"{path}.{known[0]}: given beside {others}; expected one of them")
        return Seat(
            name,
            arrangement=self.read_rows(keys, node, path)
            if rows
            else read("arrangement", read_arrangement, None),
            cards=read("cards", read_thirteen, ()),
            natural=read("natural", read_natural, None),
            surrendered=read("surrender", read_truth, False),
            declared=read("royalties", read_declared, frozenset()),
            chips=read("chips", read_number, None),
            in_fantasyland=read("fantasyland", read_truth, False),
            owner=read("owner", read_name, None),
        )

    def read_rows(self, keys: Mapping[str, Node], node: Node, path: str) -> Arrangement | None:
        """Return the arrangement of three keys; None, and faults, if it is none."""
        before = len(self.faults)
        rows = []
        for row, size in zip(ROW_NAMES, ROW_SIZES, strict=True):
            if row in keys:
                cards = self.attempt(keys[row].line, read_cards, keys[row], f"{path}.{row}", size)
                rows.append(cards or ())
            else:
                text = f"{path}: missing key {quote_text(row)}, {describe_count(size)}"
                self.faults.append(Fault(node.line, text))
        if len(self.faults) > before:
            return None
        return self.attempt(node.line, _put_before, path, Arrangement, *rows)


def read_deal(
    node: Node, origin: Origin, known: Collection[str] = DEAL_KEYS
) -> "tuple[tuple[Seat, ...], Agreement, str | None, list[Fault]]":
    """Return seats, terms, id and faults of a deal: a mapping, a list of players, or one line."""
    reader = DealReader(origin)
    seats: tuple[Seat, ...] | None = ()
    terms, name = Agreement(), None
    if isinstance(node.value, str):
        seats = reader.attempt(node.line, read_hands, split_line(node.value))
    elif isinstance(node.value, list):
        seats = reader.attempt(node.line, reader.read_players, node)
    elif isinstance(node.value, dict):
        keys = reader.read_keys(node, known, "")
        terms = reader.read_terms(keys)
        if "id" in keys:
            name = reader.attempt(keys["id"].line, read_text, keys["id"], "id")
        if "players" in keys:
            seats = reader.attempt(keys["players"].line, reader.read_players, keys["players"])
        else:
            text = "players: nothing" if "players" in node.value else 'missing key "players"'
            reader.faults.append(Fault(node.line, f"{text}; expected a list of players"))
    else:
        reader.faults.append(Fault(node.line, "nothing; expected a deal with players"))
    return seats or (), terms, name, reader.faults


def locate_ruleset(name: str, folder: Path) -> str:
    """Return a ruleset named in a file: a name, or a path that starts where the file is."""
    is_path = "/" in name or "\\" in name or name.endswith((".yaml", ".yml"))
    return str(folder / name) if is_path else name


# --- values --------------------------------------------------------------------------------------


def describe_node(node: Node) -> str:
    """Name what was found, for a message."""
    value = node.value
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "nothing" if value is None else quote_text(value)


def join_path(path: str, key: str) -> str:
    """Return the path of a key, fit for a message."""
    return f"{path}.{key if key.isprintable() and len(key) <= LONGEST_KEY else quote_text(key)}"


def _put_before(path: str, read: Callable[..., T], *arguments: Any) -> T:
    """Return what `read` returns; its error gets `path` in front."""
    try:
        return read(*arguments)
    except CpokerError as error:
        raise InputError(f"{path}: {error}") from None


def read_text(node: Node, path: str, expected: str = "a text") -> str:
    """Return a text."""
    if not isinstance(node.value, str) or not node.value.strip():
        raise NodeError(node, f"{path}: {describe_node(node)}; expected {expected}")
    return node.value


def read_texts(node: Node, path: str, expected: str) -> list[Node]:
    """Return a list of texts; one text is a list of one."""
    items = node.value if isinstance(node.value, list) else [node]
    for at, item in enumerate(items):
        where = f"{path}[{at}]" if isinstance(node.value, list) else path
        read_text(item, where, expected)
    return items


def read_name(node: Node, path: str) -> str:
    """Return the name of a player."""
    return _put_before(path, check_name, read_text(node, path, "one name"))


def read_settings(node: Node, path: str) -> tuple[str, ...]:
    """Return changes to the ruleset, `key.path=value`."""
    items = read_texts(node, path, "a list of key.path=value")
    texts = tuple(str(item.value) for item in items)
    for item, text in zip(items, texts, strict=True):
        if "=" not in text:
            raise NodeError(item, f"{path}: {quote_text(text)}; expected key.path=value")
    return texts


def read_number(node: Node, path: str, least: int = 0) -> int:
    """Return a whole number of at least 0 or 1."""
    count = read_count(node.value) if isinstance(node.value, str) else None
    if count is None or count < least:
        found = describe_node(node)
        raise NodeError(node, f"{path}: {found}; expected a whole number of {least} or more")
    return count


def read_counts(node: Node, path: str) -> dict[str, int]:
    """Return numbers by player."""
    if not isinstance(node.value, dict):
        raise NodeError(node, f"{path}: {describe_node(node)}; expected a mapping NAME: N")
    return {
        _put_before(path, check_name, name): read_number(below, join_path(path, name))
        for name, below in node.value.items()
    }


def read_stakes(node: Node, path: str) -> tuple[Stake, ...]:
    """Return what a unit is worth between pairs of players."""
    if not isinstance(node.value, dict):
        raise NodeError(node, f"{path}: {describe_node(node)}; expected a mapping A-B: N")
    return tuple(
        Stake(pair, read_number(below, where, 1), where, str(below.line))
        for pair, below in node.value.items()
        if (where := join_path(path, pair))
    )


def read_truth(node: Node, path: str) -> bool:
    """Return true or false, or how YAML writes it else."""
    text = node.value.lower() if isinstance(node.value, str) else ""
    if text not in (*_YES, *_NO):
        raise NodeError(node, f"{path}: {describe_node(node)}; expected {_TRUTH}")
    return text in _YES


def read_natural(node: Node, path: str) -> Natural | Literal["best"] | None:
    """Return the natural that is declared: by name, or the best for `true`."""
    from cp_cli.evaluator import parse_natural
    from cp_cli.settlement import BEST

    text = read_text(node, path, f"{_TRUTH}, or the name of a natural")
    if text.lower() in _YES:
        return BEST
    return None if text.lower() in _NO else _put_before(path, parse_natural, text)


def read_declared(node: Node, path: str) -> Any:
    """Return the rows whose royalty is announced."""
    items = read_texts(node, path, "a list of rows")
    names = [name for item in items for name in str(item.value).split(",")]
    return _put_before(path, read_rows, names)


def read_arrangement(node: Node, path: str) -> Arrangement:
    """Return three rows written `front / middle / back`."""
    from cp_cli.arrangement import parse_arrangement

    text = read_text(node, path, "a text front / middle / back")
    return _put_before(path, parse_arrangement, text)


def read_cards(node: Node, path: str, count: int) -> tuple[int, ...]:
    """Return so many cards from a text or a list of texts."""
    if not isinstance(node.value, list):
        return parse_cards(read_text(node, path, "a text or a list of texts"), path, count)
    items = read_texts(node, path, "a text of cards")
    try:
        return parse_cards(" ".join(str(item.value) for item in items), path, count)
    except CpokerError:
        for at, item in enumerate(items):  # whose column would be that in the joined text
            try:
                parse_cards(str(item.value), f"{path}[{at}]")
            except CpokerError as error:
                raise NodeError(item, str(error)) from None
        raise


def read_thirteen(node: Node, path: str) -> tuple[int, ...]:
    """Return the cards of a hand without rows."""
    return read_cards(node, path, 13)
