"""Plain data to a Ruleset, or one line that says what is wrong with it and where."""

import re
from typing import Any

import msgspec

from cp_cli.errors import RulesetError, quote_text, suggest_name
from cp_cli.ruleset.document import Document, KeyPath, describe_value, format_path
from cp_cli.ruleset.schema import Ruleset

SHOWN_KEYS = 12  # more names than this are not listed in a message


def convert_document(document: Document) -> Ruleset:
    """Freeze the data of a document. Raises RulesetError for a wrong key, type or value."""
    try:
        return msgspec.convert(document.data, Ruleset)
    except msgspec.ValidationError as error:
        raise RulesetError(explain_failure(document, str(error))) from None


def explain_failure(document: Document, failure: str) -> str:
    """Turn a msgspec message into place, key path, what was found, what was expected."""
    path = find_path(document, failure)
    unknown = re.match(r"Object contains unknown field `(.*?)`(?: - at|$)", failure, re.DOTALL)
    missing = re.match(r"Object missing required field `(.*?)`", failure)
    if unknown:
        return explain_unknown(document, path, unknown[1])
    if missing:
        where = f"{document.find_place(path)}: {format_path(path)}"
        return f"{where}: key {quote_text(missing[1])} is missing"
    value = get_value(document.data, path)
    expected, names = describe_type(find_type(path))
    hint = suggest_name(value, names) if isinstance(value, str) else ""
    where = f"{document.find_place(path)}: {format_path(path)}".removesuffix(": ")
    if hint and len(names) > SHOWN_KEYS:
        return f"{where}: found {describe_value(value)}{hint}"
    return f"{where}: found {describe_value(value)}, expected {expected}{hint}"


def explain_unknown(document: Document, parent: KeyPath, key: str) -> str:
    """Name a key that does not exist, and the nearest that does."""
    names = [info.encode_name for info in find_fields(find_type(parent))]
    path = (*parent, key)
    hint = suggest_name(key, names)
    if not hint:
        listed = len(names) <= SHOWN_KEYS
        hint = f", expected one of {', '.join(names)}" if listed else ", see cpoker rules schema"
    where = f"{document.find_place(path)}: {format_path(path)}"
    return f"{where}: unknown key {quote_text(key)}{hint}"


def find_path(document: Document, failure: str) -> KeyPath:
    """Return the key path that a msgspec message ends with."""
    match = re.search(r" - at `\$(.*)`$", failure)
    path: KeyPath = ()
    for name, index in re.findall(r"\.([^.\[\]`]+)|\[(\d+|\.\.\.)\]", match[1] if match else ""):
        if name:
            path += (name,)
        elif index == "...":
            path += (find_entry(document.data, path),)
        else:
            path += (int(index),)
    return path


def find_entry(data: dict[str, Any], path: KeyPath) -> str:
    """Return the key of the entry of a free mapping that msgspec only calls `[...]`."""
    entries = get_value(data, path)
    kind = find_type(path)
    wanted = str if isinstance(getattr(kind, "value_type", None), msgspec.inspect.StrType) else int
    for key, value in entries.items():
        if type(value) is not wanted or (isinstance(value, int) and value < 1):
            return str(key)
    return str(max(entries, key=lambda key: entries[key]))


def get_value(data: Any, path: KeyPath) -> Any:
    """Return the value at a path that is known to exist."""
    for part in path:
        data = data[part]
    return data


def unwrap_types(kind: msgspec.inspect.Type) -> list[msgspec.inspect.Type]:
    """Return the alternatives of a type, without the descriptions around them."""
    if isinstance(kind, msgspec.inspect.Metadata):
        return unwrap_types(kind.type)
    if isinstance(kind, msgspec.inspect.UnionType):
        return [inner for each in kind.types for inner in unwrap_types(each)]
    return [kind]


def find_fields(kind: msgspec.inspect.Type) -> tuple[msgspec.inspect.Field, ...]:
    """Return the keys of the mapping that a type allows."""
    for each in unwrap_types(kind):
        if isinstance(each, msgspec.inspect.StructType):
            return each.fields
    return ()


def find_type(path: KeyPath) -> msgspec.inspect.Type:
    """Return the declared type at a key path of a ruleset."""
    kind: msgspec.inspect.Type = msgspec.inspect.type_info(Ruleset)
    for part in path:
        fields = find_fields(kind)
        if fields and isinstance(part, int):
            kind = fields[part].type
        elif fields:
            kind = next(info.type for info in fields if info.encode_name == part)
        else:
            kind = find_item(kind)
    return kind


def find_item(kind: msgspec.inspect.Type) -> msgspec.inspect.Type:
    """Return the type of what stands in a list or a free mapping."""
    for each in unwrap_types(kind):
        if isinstance(each, msgspec.inspect.DictType):
            return each.value_type
        if isinstance(each, msgspec.inspect.VarTupleType):
            return each.item_type
    raise LookupError(kind)


def describe_type(kind: msgspec.inspect.Type) -> tuple[str, list[str]]:
    """Say in words what a type allows, and list the names among it."""
    parts: list[str] = []
    names: list[str] = []
    for each in unwrap_types(kind):
        if isinstance(each, msgspec.inspect.LiteralType):
            values = sorted(each.values, key=str)
            names += [value for value in values if isinstance(value, str)]
            parts += [str(value) for value in values]
        elif isinstance(each, msgspec.inspect.EnumType):
            names += [str(member) for member in each.cls]
            parts.append(f"one of {', '.join(names)}")
        else:
            parts.append(describe_plain(each))
    return " or ".join(parts), names


def describe_plain(kind: msgspec.inspect.Type) -> str:
    """Say in words what a type without names allows."""
    if isinstance(kind, msgspec.inspect.IntType):
        bounds = f" from {kind.ge} to {kind.le}" if kind.le is not None else f" from {kind.ge}"
        return f"a whole number{bounds}"
    if isinstance(kind, msgspec.inspect.StructType) and kind.array_like:
        return f"[{', '.join(info.encode_name for info in kind.fields)}]"
    if isinstance(kind, msgspec.inspect.VarTupleType):
        count = f"of {kind.min_length} values" if kind.min_length else ""
        return f"a list {count}".strip()
    if isinstance(kind, msgspec.inspect.StrType):
        size = f" of at most {kind.max_length} characters" if kind.max_length else ""
        return f"text{size}"
    if isinstance(kind, msgspec.inspect.BoolType):
        return "true or false"
    if isinstance(kind, msgspec.inspect.NoneType):
        return "null"
    fields = find_fields(kind)
    keys = f" with keys {', '.join(info.encode_name for info in fields)}" if fields else ""
    return f"a mapping{keys}"
