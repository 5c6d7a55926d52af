"""What strategy files there are: those that come with the package and those of this machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cp_cli.errors import StrategyError
from cp_cli.ruleset import load_ruleset, ruleset_names
from cp_cli.settlement.game import Role, digest_play
from cp_cli.strategy.files import SHIPPED, SUFFIX, find_cached, read_strategy
from cp_cli.strategy.training import list_roles

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

PACKAGE = "package"
CACHE = "cache"


@dataclass(frozen=True, slots=True)
class Use:
    """What a strategy file is for: a ruleset, how many opponents, and the player's role."""

    ruleset: str
    opponents: tuple[int, ...]
    role: Role


@dataclass(frozen=True, slots=True)
class StrategyFile:
    """One strategy file.

    Attributes:
        path: where it is.
        origin: PACKAGE or CACHE.
        strategy: what it holds: `equilibrium`, `trained` for one that the user asked for, or the
            name of another strategy, of a level with a number for the equilibrium behind it.
        uses: the rulesets known here that are played by it; empty for others.
        choosing, deals: deals that a player answers, and all that are set.
        size: bytes.
        fault: what is wrong with it, if something is.

    """

    path: Path
    origin: str
    strategy: str
    uses: tuple[Use, ...]
    choosing: int
    deals: int
    size: int
    fault: str = ""


def list_strategy_files(ruleset: "Ruleset | None" = None) -> list[StrategyFile]:
    """Return all strategy files there are, or those that a ruleset is played by."""
    known = [ruleset] if ruleset else [load_ruleset(name) for name in ruleset_names()]
    uses = list_uses(known)
    folders = ((PACKAGE, SHIPPED), (CACHE, find_cached("").parent))
    found = [
        _describe(path, origin, uses)
        for origin, folder in folders
        for path in sorted(folder.glob(f"*{SUFFIX}"))
    ]
    return [each for each in found if each.uses or ruleset is None]


def list_uses(rulesets: "Sequence[Ruleset]") -> dict[str, tuple[Use, ...]]:
    """Return what each digest of rules stands for.

    >>> from cp_cli.ruleset import load_ruleset
    >>> (uses,) = list_uses([load_ruleset("two-four")]).values()
    >>> uses
    (Use(ruleset='two-four', opponents=(1, 2, 3), role='player'),)
    """
    found: dict[str, dict[tuple[str, Role], list[int]]] = {}
    for ruleset in rulesets:
        for opponents in range(1, ruleset.players.max):
            for role in list_roles(ruleset):
                digest = digest_play(ruleset, opponents, role)
                counts = found.setdefault(digest, {})
                counts.setdefault((ruleset.id, role), []).append(opponents)
    return {
        digest: tuple(Use(name, tuple(each), role) for (name, role), each in counts.items())
        for digest, counts in found.items()
    }


def _describe(path: Path, origin: str, uses: Mapping[str, tuple[Use, ...]]) -> StrategyFile:
    name, _, digest = path.name.removesuffix(SUFFIX).rpartition("-")
    strategy = "equilibrium" if origin == PACKAGE else name
    found = uses.get(digest, ())
    size = path.stat().st_size
    try:
        content = read_strategy(path)
    except StrategyError as error:
        fault = str(error).removeprefix(f"{path}: ")
        return StrategyFile(path, origin, strategy, found, 0, 0, size, fault)
    fault = "" if content.digest == digest else "for other rules than its name says"
    counts = content.choosing, len(content.codes)
    return StrategyFile(path, origin, strategy, found, *counts, size, fault)
