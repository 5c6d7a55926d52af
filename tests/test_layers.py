"""The modules keep to their layers; the rules of a game stay out of the code."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "cp_cli"

# Bottom to top, with the third-party packages that a layer may import.
LAYERS: dict[str, set[str]] = {
    "errors": set(),
    "cards": set(),
    "arrangement": set(),
    "_kernels": {"numpy", "numba", "platformdirs"},
    "evaluator": {"numpy"},
    "ruleset": {"yaml", "msgspec", "platformdirs"},
    "settlement": {"numpy"},
    "candidates": {"numpy"},
    "field": {"numpy", "platformdirs"},
    "strategy": {"numpy", "platformdirs", "msgspec"},
    "equity": {"numpy"},
    "simulation": {"numpy"},
    "openface": {"numpy"},
    "session": {"numpy"},
    "render": {"rich"},
    "cli": {"click", "yaml", "msgspec", "numpy"},
}
# Layers that must not know one below them: a ruleset pays for what it does not look at.
FORBIDDEN = {("ruleset", "cards"), ("ruleset", "_kernels"), ("ruleset", "evaluator")}
# What every command starts with; everything else is imported when a command runs.
START = {"errors", "cards", "arrangement", "cli.options", "cli.inputs"}
SHARED_CLI = {"cli", "cli.options", "cli.inputs"}
THIRD_PARTY = set().union(*LAYERS.values()) | {"scipy", "pandas", "rich"}

Import = tuple[str, int, bool]  # dotted name, line, at the top of the module


def find_imports(module: str, source: str, *, is_package: bool = False) -> Iterator[Import]:
    """Yield what a module imports, except for type checking only; `from a import b` is `a.b`."""
    tree = ast.parse(source)
    for_types = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for node in ast.walk(block)
    }
    inside = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.FunctionDef)
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")
            base = base[: len(base) + is_package - node.level] if node.level else []
            prefix = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{prefix}.{alias.name}" for alias in node.names]
        else:
            continue
        if id(node) not in for_types:
            yield from ((name, node.lineno, id(node) not in inside) for name in names)


def find_violations(module: str, source: str, *, is_package: bool = False) -> list[str]:
    """Return what a module of cp_cli imports against the rules."""
    own = module.removeprefix("cp_cli").lstrip(".")
    layer = own.partition(".")[0]
    order = list(LAYERS)
    if own not in ("", "__main__") and layer not in LAYERS:
        return [f"{module}: has no layer; give it one in LAYERS"]
    found = []
    for name, line, at_top in find_imports(module, source, is_package=is_package):
        first, _, rest = name.partition(".")
        target = rest.partition(".")[0]
        if first != "cp_cli":
            allowed = LAYERS.get(layer, set())
            wrong = first in THIRD_PARTY and first not in allowed
            wrong |= layer == "cli" and at_top and first in THIRD_PARTY - {"click"}
        elif target not in LAYERS:
            wrong = target.islower() and (PACKAGE / target).exists()
        elif own in ("", "__main__"):
            wrong = (own, target) != ("__main__", "cli")
        else:
            wrong = order.index(target) > order.index(layer) or (layer, target) in FORBIDDEN
            if layer == "cli":
                wrong |= not _cli_may_import(own, rest, at_top=at_top)
        if wrong:
            found.append(f"{module}:{line}: imports {name}")
    return found


def _cli_may_import(own: str, rest: str, *, at_top: bool) -> bool:
    """Tell whether a command module may import `rest`, and at the top of its file."""
    names = {rest, rest.rpartition(".")[0]}
    if rest.startswith("cli"):
        # A command may share parts of its own (cli.rules and cli.rules_show), not another's.
        command = own.partition("_")[0]
        return bool(names & SHARED_CLI) or any(
            name != "cli" and name.partition("_")[0] == command for name in names
        )
    return not at_top or bool(names & START)


def list_modules() -> list[Path]:
    """Return the source files of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def name_module(path: Path) -> str:
    """Return the dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", list_modules(), ids=name_module)
def test_a_module_imports_only_what_is_below_it(path: Path) -> None:
    is_package = path.name == "__init__.py"
    assert find_violations(name_module(path), path.read_text(), is_package=is_package) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("cp_cli.cards", "from cp_cli.arrangement import Row"),
        ("cp_cli.cards", "from cp_cli import arrangement"),
        ("cp_cli.cards", "def f():\n    import numpy as np"),
        ("cp_cli.evaluator", "import numba"),
        ("cp_cli.settlement", "from numba import njit"),
        ("cp_cli.ruleset.schema", "from cp_cli.cards import DECK"),
        ("cp_cli.ruleset.schema", "import numpy"),
        ("cp_cli._kernels.rows", "from ..evaluator import x"),
        ("cp_cli._kernels.rows", "import click"),
        ("cp_cli.render", "import numpy"),
        ("cp_cli.render", "from cp_cli.cli.options import report"),
        ("cp_cli.cli.arrange", "import numpy"),
        ("cp_cli.cli.arrange", "from cp_cli.equity import rank"),
        ("cp_cli.cli.arrange", "from cp_cli.cli.rules import rules"),
        ("cp_cli.cli.arrange", "from cp_cli.cli.rules_show import show"),
        ("cp_cli.cli.arrange_input", "from cp_cli.cli.rules import rules"),
        ("cp_cli.cli.arrange", "def f():\n    from rich.table import Table"),
        ("cp_cli.cli", "import rich.table"),
        ("cp_cli", "from cp_cli.cards import DECK"),
        ("cp_cli.utils", "import os"),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str) -> None:
    assert len(find_violations(module, source, is_package=module == "cp_cli.cli")) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("cp_cli.arrangement", "from cp_cli.cards import DECK\nimport re"),
        ("cp_cli._kernels.splits", "import numba\nfrom . import rows\nfrom .rows import x"),
        ("cp_cli.settlement", "import numpy as np\nfrom cp_cli.ruleset.schema import Ruleset"),
        ("cp_cli.cli.arrange", "import click\nfrom cp_cli.cli.options import report"),
        ("cp_cli.cli.arrange", "def f():\n    from cp_cli.equity import rank"),
        ("cp_cli.cli.arrange", "if TYPE_CHECKING:\n    from cp_cli.equity import rank"),
        ("cp_cli.cli.rules", "from cp_cli.cli.rules_show import show"),
        ("cp_cli.cli.rules_show", "from cp_cli.cli.rules_check import check"),
        ("cp_cli.cli", "from cp_cli import __version__"),
    ],
)
def test_a_right_import_passes(module: str, source: str) -> None:
    assert find_violations(module, source, is_package=module == "cp_cli.cli") == []


def find_strings(source: str) -> set[str]:
    """Return the string constants of a source text."""
    return {
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


# Keys of a ruleset file whose texts name rulesets, or are for people to read.
NAMING = {"id", "aliases", "extends", "description", "source", "notes"}
BORROWING = {"naturals", "royalties"}


def list_words(value: object) -> Iterator[str]:
    """Yield the words a ruleset file is written in: its keys, and its values but for names."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield key
            if key not in NAMING and not (key in BORROWING and isinstance(below, str)):
                yield from list_words(below)
    elif isinstance(value, list):
        for below in value:
            yield from list_words(below)
    elif isinstance(value, str):
        yield value


def test_no_code_knows_a_ruleset_by_name() -> None:
    files = {path.stem: read_yaml(path) for path in (ROOT / "rulesets").glob("*.yaml")}
    assert len(files) > 10
    names = set(files).union(*(content.get("aliases", []) for content in files.values()))
    # `ante` is a ruleset and a key, `pineapple` a ruleset and a way to deal.
    names -= {word for content in files.values() for word in list_words(content)}
    named = {
        (path.relative_to(PACKAGE).as_posix(), text)
        for path in list_modules()
        for text in find_strings(path.read_text()) & names
    }
    assert named == {("cli/options.py", "two-four")}


def read_yaml(path: Path) -> dict[str, Any]:
    """Read one ruleset file as it is written."""
    content: dict[str, Any] = yaml.safe_load(path.read_text())
    return content
