"""The nodes of one deal in a file, read as seats and terms; all its faults are found at once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from cp_cli.arrangement import ROW_NAMES, ROW_SIZES, Arrangement, Natural
from cp_cli.cards import describe_count
from cp_cli.cli.inputs import Fault, FaultError
from cp_cli.cli.score_hands import (
    check_name,
    explain_repeats,
    number_names,
    pair_hands,
    read_hand,
    read_hands,
    read_named_hand,
    read_natural,
    split_line,
    split_name,
)
from cp_cli.cli.score_nodes import Node
from cp_cli.cli.score_tables import Agreement, TableDeal
from cp_cli.cli.score_values import (
    NO,
    TRUTH,
    YES,
    join_path,
    join_texts,
    misfit,
    read_arrangement_node,
    read_below,
    read_cards,
    read_chips,
    read_counts,
    read_declared,
    read_name,
    read_settings,
    read_stakes,
    read_text,
    read_thirteen,
    read_truth,
)
from cp_cli.errors import CpokerError, quote_text, suggest_name

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Seat

T = TypeVar("T")

TERM_KEYS = ("ruleset", "set", "dealer", "banker", "stakes", "pot", "scores", "chips")
DEAL_KEYS = ("players", "id", *TERM_KEYS)
PLAYER_KEYS = (
    *("name", *ROW_NAMES, "arrangement", "cards", "natural", "surrender", "royalties"),
    *("chips", "fantasyland", "owner"),
)


class Origin(NamedTuple):
    """A source of deals.

    Attributes:
        label: its name for messages.
        folder: where rulesets that it names are looked for.
        find_ruleset: finds the rules that terms name, the later before the earlier.
        general: what is agreed for all deals.

    """

    label: str
    folder: Path
    find_ruleset: "Callable[[Sequence[Agreement]], Ruleset | None]"
    general: Agreement = Agreement()


@dataclass
class DealReader:
    """Reads the parts of one deal, and notes all that is wrong."""

    origin: Origin
    faults: list[Fault] = field(default_factory=list)
    agreement: Agreement = field(default_factory=Agreement)

    def attempt(self, read: Callable[..., T], *arguments: Any) -> T | None:
        """Return what `read` returns; None, and its faults are noted, if it fails."""
        try:
            return read(*arguments)
        except FaultError as error:
            self.faults += error.faults
            return None

    def note(self, node: Node, reason: str) -> None:
        """Note what is wrong with a node."""
        self.faults.append(Fault(node.place, reason))

    def find_ruleset(self) -> "Ruleset | None":
        """Return the rules of the deal, as far as they are known."""
        return self.origin.find_ruleset([self.origin.general, self.agreement])

    def read_keys(self, node: Node, known: Collection[str], path: str) -> dict[str, Node]:
        """Return the known keys of a mapping that have a value; note others."""
        if not isinstance(node.value, dict):
            raise misfit(node, path, "a mapping")
        found = {}
        for key, below in node.value.items():
            if key in known:
                if below.value is not None:
                    found[key] = below
                continue
            hint = suggest_name(key, known) or f"; expected {', '.join(known)}"
            where = f"{path}: " if path else ""
            self.note(below, f"{where}unknown key {quote_text(key)}{hint}")
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
                value = self.attempt(read, keys[key], key)
                if value is not None:
                    found["settings" if key == "set" else key] = value
        if "ruleset" in found:
            found["ruleset"] = locate_ruleset(found["ruleset"], self.origin.folder)
        places = {key: keys[key].place for key in readers if key in keys}
        return Agreement(**found, places=places)

    # --- players ---------------------------------------------------------------------------------

    def read_players(self, node: Node) -> "tuple[Seat, ...]":
        """Return the seats of a list of players, or of a mapping by name."""
        if isinstance(node.value, dict):
            found = [
                self.attempt(self.read_player, below, join_path("players", name), name)
                for name, below in node.value.items()
            ]
        elif isinstance(node.value, list):
            found = [
                self.attempt(self.read_player, below, f"players[{at}]")
                for at, below in enumerate(node.value)
            ]
        else:
            raise misfit(node, "players", "a list of players")
        if not found:
            raise FaultError(Fault(node.place, "players: none; expected 2 to 4"))
        seats = [seat for seat in found if seat]
        names = number_names([seat.name or None for seat in seats])
        named = (replace(seat, name=name) for seat, name in zip(seats, names, strict=True))
        return pair_hands(tuple(named))

    def read_player(self, node: Node, path: str, name: str | None = None) -> "Seat":
        """Return one seat: a hand as text, or a mapping; `name` if it is the key of the player.

        Whoever has no name gets an empty one.
        """
        if name is not None:
            name = read_below(node, path, check_name, name)
        if isinstance(node.value, str):
            return read_below(node, path, self.read_text_hand, node.value, name)
        named = self.find_name_key(node) if name is None else None
        if named is not None:
            return self.read_player(named[1], join_path(path, named[0]), named[0])
        known = PLAYER_KEYS if name is None else PLAYER_KEYS[1:]
        keys = self.read_keys(node, known, path)
        if "name" in keys:
            name = self.attempt(read_name, keys["name"], f"{path}.name")
        return self.read_seat(keys, node, path, name or "")

    def read_text_hand(self, text: str, name: str | None) -> "Seat":
        """Return the seat of a hand as text, which begins with its name unless there is one."""
        if name is not None:
            return read_hand(name, text, self.find_ruleset)
        own, rest = split_name(text)
        if own is None:
            return read_hand("", rest, self.find_ruleset)
        return read_named_hand(check_name(own), rest, self.find_ruleset)

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
            value = self.attempt(reader, keys[key], f"{path}.{key}")
            return default if value is None else value

        known = [key for key in ("arrangement", "cards") if key in keys]
        rows = [row for row in ROW_NAMES if row in keys]
        known += rows[:1]
        if len(known) > 1:
            others = ", ".join(known[1:])
            self.note(node, f"{path}.{known[0]}: given beside {others}; expected one of them")
        return Seat(
            name,
            arrangement=self.read_rows(keys, node, path)
            if rows
            else read("arrangement", read_arrangement_node, None),
            cards=read("cards", read_thirteen, ()),
            natural=read("natural", self.read_claim, None),
            surrendered=read("surrender", read_truth, False),
            declared=read("royalties", read_declared, frozenset()),
            chips=read("chips", read_chips, None),
            in_fantasyland=read("fantasyland", read_truth, None),
            owner=read("owner", read_name, None),
        )

    def read_rows(self, keys: Mapping[str, Node], node: Node, path: str) -> Arrangement | None:
        """Return the arrangement of three keys; None, and faults, if it is none."""
        before = len(self.faults)
        rows = []
        for row, size in zip(ROW_NAMES, ROW_SIZES, strict=True):
            if row in keys:
                rows.append(self.attempt(read_cards, keys[row], f"{path}.{row}", size) or ())
            else:
                self.note(node, f"{path}: missing key {quote_text(row)}, {describe_count(size)}")
        if len(self.faults) == before:
            try:
                return Arrangement(*rows)
            except CpokerError:  # told with the faults of the rows
                pass
        texts = {row: join_texts(keys[row]) for row in ROW_NAMES if row in keys}
        for reason in explain_repeats(texts):
            self.note(node, f"{path}: {reason}")
        return None

    def read_claim(self, node: Node, path: str) -> Natural | Literal["best"] | None:
        """Return the natural that is declared: by name, or the best for `true`."""
        from cp_cli.settlement import BEST

        text = read_text(node, path, f"{TRUTH}, or the name of a natural")
        if text.lower() in YES:
            return BEST
        if text.lower() in NO:
            return None
        return read_below(node, path, read_natural, text, self.find_ruleset)


def read_deal(node: Node, origin: Origin, known: Collection[str] = DEAL_KEYS) -> TableDeal:
    """Return a deal: a mapping, a list of players, or one line. Raises FaultError.

    `known` are the keys to suggest for a wrong one.
    """
    reader = DealReader(origin)
    seats: tuple[Seat, ...] | None = ()
    name = None
    if isinstance(node.value, str):
        seats = reader.attempt(read_line, node, reader)
    elif isinstance(node.value, list):
        seats = reader.attempt(reader.read_players, node)
    elif isinstance(node.value, dict):
        keys = reader.read_keys(node, known, "")
        reader.agreement = reader.read_terms(keys)
        if "id" in keys:
            name = reader.attempt(read_text, keys["id"], "id")
        if "players" in keys:
            seats = reader.attempt(reader.read_players, keys["players"])
        else:
            text = "players: nothing" if "players" in node.value else 'missing key "players"'
            reader.note(node, f"{text}; expected a list of players")
    else:
        reader.note(node, "nothing; expected a deal with players")
    if reader.faults:
        raise FaultError(*reader.faults)
    return TableDeal(seats or (), reader.agreement, node.place, name)


def read_line(node: Node, reader: DealReader) -> "tuple[Seat, ...]":
    """Return the seats of a deal on one line."""
    try:
        return read_hands(split_line(str(node.value)), reader.find_ruleset)
    except CpokerError as error:
        raise FaultError(Fault(node.place, str(error))) from None


def locate_ruleset(name: str, folder: Path) -> str:
    """Return a ruleset named in a file: a name, or a path that starts where the file is."""
    is_path = "/" in name or "\\" in name or name.endswith((".yaml", ".yml"))
    return str(folder / name) if is_path else name
