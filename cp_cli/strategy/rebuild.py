"""Train the strategies that come with the package: `python -m cp_cli.strategy.rebuild [NAME...]`.

Without names, every shipped ruleset is trained and files that no ruleset needs are removed.
Rulesets that are played alike share a file.
"""

import sys
from pathlib import Path

from cp_cli.ruleset import load_ruleset, ruleset_names
from cp_cli.settlement.game import digest_play
from cp_cli.strategy.files import SHIPPED, SUFFIX, Strategy, write_strategy
from cp_cli.strategy.training import FULL, train_sides


def rebuild_strategies(names: list[str], jobs: int) -> list[Path]:
    """Train the strategies of some rulesets anew and return their files."""
    trained: dict[str, Path] = {}
    for name in names:
        ruleset = load_ruleset(name)
        digest = digest_play(ruleset)
        if digest in trained:
            continue
        path = SHIPPED / f"{ruleset.id}-{digest}{SUFFIX}"

        def report(share: float, what: str, name: str = name) -> None:
            print(f"\r{name}: {what or 'answering'} {share:.0%}\033[K", end="", file=sys.stderr)

        codes = train_sides(ruleset, FULL, jobs, report)
        write_strategy(path, Strategy(digest, FULL.seed, FULL.choosing, codes), ruleset.id)
        trained[digest] = path
        print(f"\r{path.name}: {path.stat().st_size:,} bytes\033[K", file=sys.stderr)
    return list(trained.values())


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
