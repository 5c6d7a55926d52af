"""Values in a file of deals: texts, names, numbers and cards, each with the path of its key.

All readers take a node and its path, and raise FaultError with the place of what is wrong.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from cp_cli.arrangement import Arrangement, Row
from cp_cli.cards import parse_cards
from cp_cli.cli.inputs import Fault, FaultError
from cp_cli.cli.score_hands import check_name, read_arrangement, read_row_names
from cp_cli.cli.score_nodes import Node
from cp_cli.cli.score_tables import MAX_CHIPS, Stake, describe_range, read_count
from cp_cli.errors import CpokerError, quote_text

T = TypeVar("T")

YES, NO = ("true", "yes", "on"), ("false", "no", "off")
TRUTH = "true or false"
LONGEST_KEY = 90  # shown in full; two names and a hyphen


def describe_node(node: Node) -> str:
    """Name what was found, for a message."""
    value = node.value
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "nothing" if value is None else quote_text(value)


def misfit(node: Node, path: str, expected: str) -> FaultError:
    """Return the error for a node that is not what is expected."""
    return FaultError(Fault(node.place, f"{path}: {describe_node(node)}; expected {expected}"))


def join_path(path: str, key: str) -> str:
    """Return the path of a key, fit for a message."""
    return f"{path}.{key if key.isprintable() and len(key) <= LONGEST_KEY else quote_text(key)}"


def read_below(node: Node, path: str, read: Callable[..., T], *arguments: Any) -> T:
    """Return what `read` makes of a part of a node; its error gets the place and the path."""
    try:
        return read(*arguments)
    except CpokerError as error:
        raise FaultError(Fault(node.place, f"{path}: {error}")) from None


def read_all(read: Callable[..., T], items: Iterable[tuple[Any, ...]]) -> list[T]:
    """Return what `read` makes of all items. Raises FaultError with the faults of all."""
    found: list[T] = []
    faults: list[Fault] = []
    for arguments in items:
        try:
            found.append(read(*arguments))
        except FaultError as error:
            faults += error.faults
    if faults:
        raise FaultError(*faults)
    return found


def read_text(node: Node, path: str, expected: str = "a text") -> str:
    """Return a text."""
    if not isinstance(node.value, str) or not node.value.strip():
        raise misfit(node, path, expected)
    return node.value


def read_texts(node: Node, path: str, expected: str) -> list[Node]:
    """Return nodes with texts from a list; one text is a list of one."""
    if not isinstance(node.value, list):
        read_text(node, path, expected)
        return [node]
    below = [(item, f"{path}[{at}]", expected) for at, item in enumerate(node.value)]
    read_all(read_text, below)
    return node.value


def read_name(node: Node, path: str) -> str:
    """Return the name of a player."""
    return read_below(node, path, check_name, read_text(node, path, "one name"))


def read_settings(node: Node, path: str) -> tuple[str, ...]:
    """Return changes to the ruleset, `key.path=value`."""

    def read(item: Node) -> str:
        if "=" not in str(item.value):
            raise misfit(item, path, "key.path=value")
        return str(item.value)

    items = read_texts(node, path, "a list of key.path=value")
    return tuple(read_all(read, zip(items)))


def read_number(node: Node, path: str, least: int, most: int) -> int:
    """Return a whole number."""
    text = read_text(node, path, describe_range(least, most))
    return read_below(node, path, read_count, text, least, most)


def read_chips(node: Node, path: str) -> int:
    """Return a number of chips."""
    return read_number(node, path, 0, MAX_CHIPS)


def read_counts(node: Node, path: str) -> dict[str, int]:
    """Return chips, or points, by player."""

    def read(name: str, below: Node) -> tuple[str, int]:
        checked = read_below(below, path, check_name, name)
        return checked, read_chips(below, join_path(path, name))

    if not isinstance(node.value, dict):
        raise misfit(node, path, "a mapping NAME: N")
    return dict(read_all(read, node.value.items()))


def read_stakes(node: Node, path: str) -> tuple[Stake, ...]:
    """Return what a unit is worth between pairs of players."""
    from cp_cli.ruleset.schema import MAX_STAKE

    def read(pair: str, below: Node) -> Stake:
        where = join_path(path, pair)
        return Stake(pair, read_number(below, where, 1, MAX_STAKE), where, below.place)

    if not isinstance(node.value, dict):
        raise misfit(node, path, "a mapping A-B: N")
    return tuple(read_all(read, node.value.items()))


def read_truth(node: Node, path: str) -> bool:
    """Return true or false, or how YAML writes it else."""
    text = node.value.lower() if isinstance(node.value, str) else ""
    if text not in (*YES, *NO):
        raise misfit(node, path, TRUTH)
    return text in YES


def read_declared(node: Node, path: str) -> frozenset[Row]:
    """Return the rows whose royalty is announced."""
    items = read_texts(node, path, "a list of rows")
    names = [name for item in items for name in str(item.value).split(",")]
    return read_below(node, path, read_row_names, names)


def read_arrangement_node(node: Node, path: str) -> Arrangement:
    """Return three rows written `front / middle / back`."""
    text = read_text(node, path, "a text front / middle / back")
    return read_below(node, path, read_arrangement, text)


def join_texts(node: Node) -> str:
    """Return the texts of a list as one."""
    items = node.value if isinstance(node.value, list) else [node]
    return " ".join(item.value for item in items if isinstance(item.value, str))


def read_cards(node: Node, path: str, count: int) -> tuple[int, ...]:
    """Return so many cards from a text or a list of texts."""

    def read(item: Node, where: str, number: int | None = None) -> tuple[int, ...]:
        try:
            return parse_cards(join_texts(item), where, number)
        except CpokerError as error:
            raise FaultError(Fault(item.place, str(error))) from None

    if not isinstance(node.value, list):
        read_text(node, path, "a text or a list of texts")
        return read(node, path, count)
    items = read_texts(node, path, "a text of cards")
    try:
        return read(node, path, count)
    except FaultError:  # with a column in the joined text, where an item has its own
        read_all(read, [(item, f"{path}[{at}]") for at, item in enumerate(items)])
        raise


def read_thirteen(node: Node, path: str) -> tuple[int, ...]:
    """Return the cards of a hand without rows."""
    return read_cards(node, path, 13)
