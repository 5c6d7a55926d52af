"""Train the strategies that come with the package: `python -m cp_cli.strategy.rebuild [NAME...]`.

Without names, every shipped ruleset is trained and files that no ruleset needs are removed.
Rulesets that are played alike share a file. Where a ruleset pays by the whole table there is one
strategy for a full table and one against a single opponent; a bank has one of its own.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cp_cli._kernels.whole import HOME_RUN, PAIRWISE
from cp_cli.ruleset import load_ruleset, ruleset_names
from cp_cli.settlement.game import BANK, build_game, digest_play
from cp_cli.strategy.files import SHIPPED, SUFFIX, Strategy, write_strategy
from cp_cli.strategy.training import FULL, Plan, train_sides

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

FEWER = replace(FULL, judging=65_536)
"""Where figures come from whole tables, which take few deals each from the field."""


def list_games(ruleset: "Ruleset") -> Iterator[tuple[int, Plan]]:
    """Yield the numbers of opponents that are played differently, each with its plan."""
    seen = set()
    for opponents in (ruleset.players.max - 1, 1):
        digest = digest_play(ruleset, opponents)
        if digest not in seen:
            seen.add(digest)
            kind = build_game(ruleset, opponents, BANK).whole.kind
            spare = kind not in (PAIRWISE, HOME_RUN) or ruleset.mode == "bank" or len(seen) > 1
            yield opponents, FEWER if spare else FULL


def rebuild_strategies(names: list[str], jobs: int) -> list[Path]:
    """Train the strategies of some rulesets anew and return their files."""
    trained: dict[str, Path] = {}
    for name in names:
        ruleset = load_ruleset(name)
        for opponents, plan in list_games(ruleset):
            if digest_play(ruleset, opponents) not in trained:
                trained |= _rebuild(ruleset, opponents, plan, jobs)
    return list(trained.values())


def _rebuild(ruleset: "Ruleset", opponents: int, plan: Plan, jobs: int) -> dict[str, Path]:
    """Train one game and write its files; return them by digest."""
    label = f"{ruleset.id}, {opponents} opponent{'' if opponents == 1 else 's'}"

    def report(share: float, what: str) -> None:
        print(f"\r{label}: {what or 'answering'} {share:.0%}\033[K", end="", file=sys.stderr)

    files = {}
    for role, codes in train_sides(ruleset, plan, jobs, report, opponents).items():
        digest = digest_play(ruleset, opponents, role)
        path = SHIPPED / f"{ruleset.id}-{digest}{SUFFIX}"
        write_strategy(path, Strategy(digest, plan.seed, plan.choosing, codes), ruleset.id)
        print(f"\r{path.name}: {path.stat().st_size:,} bytes\033[K", file=sys.stderr)
        files[digest] = path
    return files


def main() -> None:
    """Rebuild the strategies named on the command line, or all."""
    import os

    names = sys.argv[1:]
    built = rebuild_strategies(names or ruleset_names(), os.cpu_count() or 1)
    if not names:
        for path in set(SHIPPED.glob(f"*{SUFFIX}")) - set(built):
            path.unlink()


if __name__ == "__main__":
    main()
