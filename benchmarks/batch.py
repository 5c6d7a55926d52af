"""Many deals: the top split of each with its expected units, by the library and the command."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.timing import (
    Figure,
    Result,
    alternate,
    build_plain_field,
    deal_heroes,
    digest_integers,
    open_ruleset,
)
from cp_cli.cards import format_cards
from cp_cli.equity import Analyst, open_analyst

ROOT = Path(__file__).parents[1]
OPPONENTS = 3


def run_command(*arguments: str, **variables: str) -> str:
    """Run `cpoker`, by its default rules, in a process of its own and return its stdout."""
    environment = {k: v for k, v in os.environ.items() if k != "CPOKER_RULESET"}
    ended = subprocess.run(
        [sys.executable, "-m", "cp_cli", *arguments],
        env=environment | variables, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ended.returncode:
        raise RuntimeError(f"cpoker {' '.join(arguments)}: exit {ended.returncode}: {ended.stderr}")
    return ended.stdout


def answer_all(analyst: Analyst, listed: list[list[int]]) -> list[str]:
    """Return the best split of each deal."""
    return [
        str(analyst.analyze(cards, opponents=OPPONENTS, top=1).arrangements[0].arrangement)
        for cards in listed
    ]


def _digest_best(listed: list[list[int]]) -> str:
    ruleset = open_ruleset()
    field = build_plain_field(ruleset, 2048)
    analyst = Analyst(ruleset, field, field)
    found = [analyst.analyze(cards, top=1).arrangements[0].arrangement for cards in listed]
    return digest_integers(np.array([split.cards for split in found]))


def _list_best(output: str) -> list[str]:
    """Return the best split of each line that the command wrote."""
    tops = [json.loads(line)["arrangements"][0] for line in output.splitlines()]
    return [" / ".join(" ".join(top[row]) for row in ("front", "middle", "back")) for top in tops]


def run(quick: bool) -> Result:
    """Answer a file of deals on one core; the command's time includes its start."""
    deals, rounds = (64, 3) if quick else (256, 5)
    ruleset = open_ruleset()
    analyst = open_analyst(ruleset)
    listed = [cards.tolist() for cards in deal_heroes(ruleset, deals).cards]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.txt"
        path.write_text("".join(format_cards(cards) + "\n" for cards in listed))
        arguments = ["arrange", "--input", str(path), "--jobs", "1", "--opponents", str(OPPONENTS)]
        times = alternate(
            {
                "library": lambda: answer_all(analyst, listed),
                "command": lambda: run_command(*arguments),
            },
            rounds,
        )
        written = _list_best(run_command(*arguments, "--json"))
    differ = sum(a != b for a, b in zip(written, answer_all(analyst, listed), strict=True))
    return Result(
        _digest_best(listed[:16]),
        [
            Figure("best split with EV, library", deals / times.take("library"), "deals/s",
                   ">= 150"),
            Figure("best split with EV, arrange --input", deals / times.take("command"),
                   "deals/s", ">= 150", f"whole process, {deals} deals"),
        ],
        faults=[f"{differ} of {deals} deals: command and library disagree"] * (differ > 0),
    )  # fmt: skip
