"""Finding ruleset files, laying them over what they extend, and overrides on top."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cp_cli.errors import RulesetError, quote_text, suggest_name
from cp_cli.ruleset.checks import find_contradiction
from cp_cli.ruleset.document import (
    Document,
    KeyPath,
    Place,
    describe_value,
    format_path,
    parse_text,
    read_document,
)
from cp_cli.ruleset.explain import convert_document
from cp_cli.ruleset.schema import METADATA, Ruleset

# Two ways to say one thing: the file or override that speaks last decides.
ALTERNATIVES: dict[KeyPath, tuple[str, str]] = {
    ("rows",): ("win", "outcome"),
    ("royalties", "front"): ("trips", "trips_base"),
}
MAX_NAME = 250  # longer names are no files, and some systems fail on them
MAX_CHAIN = 40
BORROWED = ("royalties", "naturals")  # sections that may name the ruleset to take them from


def find_rulesets_dir() -> Path:
    """Return the folder of the shipped rulesets: in the package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "rulesets", package.parent / "rulesets"):
        if folder.is_dir():
            return folder
    raise RulesetError(f"no rulesets folder in {package} or beside it")


def ruleset_names() -> list[str]:
    """Return the names of the shipped rulesets, sorted.

    >>> "two-four" in ruleset_names()
    True
    """
    return sorted(path.stem for path in find_rulesets_dir().glob("*.yaml"))


def load_ruleset(name_or_path: str, overrides: Sequence[str] = ()) -> Ruleset:
    """Load a ruleset by name, alias or file, with overrides such as `sweep.units=3` on top.

    Raises RulesetError with the place, the key path and what was expected.

    >>> load_ruleset("two-four", ["surrender=3"]).surrender
    3
    """
    library = Library()
    document = library.load(name_or_path, Path.cwd(), ())
    for text in overrides:
        document = overlay(document, library.read_override(text))
    complete(document)
    ruleset = convert_document(document)
    contradiction = find_contradiction(ruleset)
    if contradiction:
        path, message = contradiction
        raise RulesetError(f"{document.find_place(path)}: {format_path(path)}: {message}")
    return ruleset


@dataclass
class Library:
    """Documents read for one ruleset, each only once, however often it is referred to."""

    documents: dict[Path, Document] = field(default_factory=dict)

    def load(self, name_or_path: str, folder: Path, chain: tuple[Path, ...]) -> Document:
        """Return a file with all it extends; `chain` holds the files that asked for it."""
        path = locate_ruleset(name_or_path, folder)
        key = Path(os.path.realpath(path))  # Path.resolve fails on a circle of links
        if key in chain:
            circle = " -> ".join(each.name for each in (*chain[chain.index(key) :], key))
            raise RulesetError(f"refers to itself: {circle}")
        if len(chain) > MAX_CHAIN:
            raise RulesetError(f"more than {MAX_CHAIN} files that refer to each other")
        if key not in self.documents:
            self.documents[key] = self.read(path, (*chain, key))
        return self.documents[key]

    def read(self, path: Path, chain: tuple[Path, ...]) -> Document:
        """Read one file, and the files that it refers to."""
        document = read_document(path, str(path))
        check_alternatives(document)
        base_name = document.data.pop("extends", None)
        self.expand_borrowed(document, path.parent, chain)
        document.data.setdefault("id", path.stem)
        if base_name is None:
            return document
        base = self.refer(document, ("extends",), base_name, path.parent, chain)
        kept = {key: base.data[key] for key in base.data if key not in METADATA}
        kept["description"] = f"{base.data['id']} with other rules"
        kept["notes"] = base.data.get("notes", {})
        return overlay(Document(kept, base.places), document)

    def refer(
        self, document: Document, path: KeyPath, name: object, folder: Path, chain: tuple[Path, ...]
    ) -> Document:
        """Load the ruleset that a key names; messages start at that key."""
        where = f"{document.find_place(path)}: {format_path(path)}"
        if not isinstance(name, str):
            found = describe_value(name)
            raise RulesetError(f"{where}: found {found}, expected the name of a ruleset or a file")
        try:
            return self.load(name, folder, chain)
        except RulesetError as error:
            raise RulesetError(f"{where}: {error}") from None

    def expand_borrowed(self, document: Document, folder: Path, chain: tuple[Path, ...]) -> None:
        """Replace `naturals: NAME` by the naturals of that ruleset, royalties alike."""
        for key in BORROWED:
            name = document.data.get(key)
            if not isinstance(name, str):
                continue
            if name == "none":
                document.data[key] = None
                continue
            lender = self.refer(document, (key,), name, folder, chain)
            document.data[key] = lender.data.get(key)
            if not lender.data.get(key):
                where = f"{document.find_place((key,))}: {key}"
                raise RulesetError(f"{where}: ruleset {quote_text(name)} has no {key}")
            inner = {path: lender.places[path] for path in lender.places if path[:1] == (key,)}
            document.places.update({**inner, (key,): document.places[key,]})

    def read_override(self, text: str) -> Document:
        """Read one `key.path=value`; the value is YAML."""
        place = Place(f"--set {quote_text(text, 60)}")
        path_text, equals, value_text = text.partition("=")
        path = tuple(part.strip() for part in path_text.split("."))
        if not equals or not all(path) or not value_text.strip():
            raise RulesetError(f"{place}: expected key.path=value")
        data, places = parse_text(value_text, place, path)
        for end in range(len(path), 0, -1):
            data = {path[end - 1]: data}
            places[path[:end]] = place
        document = Document(data, places)
        check_alternatives(document)
        self.expand_borrowed(document, Path.cwd(), ())
        return document


def locate_ruleset(name_or_path: str, folder: Path) -> Path:
    """Return the file of a ruleset; a relative path starts at `folder`."""
    if not name_or_path.isprintable() or len(name_or_path) > MAX_NAME:
        raise RulesetError(f"ruleset {quote_text(name_or_path)}: not a name or file name")
    if "/" in name_or_path or "\\" in name_or_path or name_or_path.endswith((".yaml", ".yml")):
        written = Path(name_or_path)
        return written if folder == Path.cwd() else folder / written
    shipped = find_rulesets_dir()
    path = shipped / f"{name_or_path}.yaml"
    if name_or_path in ruleset_names():
        return path
    aliases = find_aliases(shipped)
    if name_or_path in aliases:
        return aliases[name_or_path]
    if Path(folder, name_or_path).is_file():
        return folder / name_or_path
    names = [*ruleset_names(), *aliases]
    hint = suggest_name(name_or_path, names) or "; see cpoker rules list, or give a .yaml file"
    raise RulesetError(f"unknown ruleset {quote_text(name_or_path, 60)}{hint}")


def find_aliases(folder: Path) -> dict[str, Path]:
    """Return the other names of the shipped rulesets."""
    aliases: dict[str, Path] = {}
    for path in sorted(folder.glob("*.yaml")):
        for alias in read_document(path, str(path)).data.get("aliases", []):
            aliases[str(alias)] = path
    return aliases


def check_alternatives(document: Document) -> None:
    """Refuse a single file that says one thing in two ways."""
    for section, keys in ALTERNATIVES.items():
        data: Any = document.data
        for part in section:
            data = data.get(part) if isinstance(data, dict) else None
        if isinstance(data, dict) and all(data.get(key) is not None for key in keys):
            path = (*section, keys[1])
            where = f"{document.find_place(path)}: {format_path(path)}"
            raise RulesetError(f"{where}: given together with {keys[0]}, expected one of them")


def overlay(base: Document, top: Document) -> Document:
    """Lay a document over another: mappings merge, all else is replaced."""
    data = merge_data(base.data, top.data, ())
    return Document(data, {**base.places, **top.places})


def merge_data(base: dict[str, Any], top: dict[str, Any], path: KeyPath) -> dict[str, Any]:
    """Merge two mappings found at `path`."""
    merged = dict(base)
    alternatives = ALTERNATIVES.get(path, ())
    for key, value in top.items():
        if key in alternatives and value is not None:
            for other in set(alternatives) - {key}:
                merged.pop(other, None)
        below = merged.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged[key] = merge_data(below, value, (*path, key))
        else:
            merged[key] = value
    return merged


def complete(document: Document) -> None:
    """Fill in what follows from other keys: the royal flush, and a low middle's royalties."""
    royalties = document.data.get("royalties")
    order = document.data.get("order")
    if not isinstance(royalties, dict):
        return
    if isinstance(order, dict) and order.get("middle") == "low27":
        document.data["royalties"] = royalties = {**royalties, "middle": {}}
    for row in ("middle", "back"):
        units = royalties.get(row)
        if isinstance(units, dict) and units.get("royal_flush") is None:
            royal = {**units, "royal_flush": units.get("straight_flush", 0)}
            document.data["royalties"] = royalties = {**royalties, row: royal}
