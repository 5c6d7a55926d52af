"""Whole processes: a first answer, help, and the first run ever."""

import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

from benchmarks.batch import ROOT, run_command
from benchmarks.timing import Figure, Result, alternate, digest_integers

DEAL = "As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c"
HANDS = (
    "Amy: Js Jd 9h / Qh Qs 8c 3c 2h / As Ks 6s 5s 3s",
    "Bob: Th 9s 7s / Kd 6d 5d 4d 3d / Kc Qc 6c 5c 4c",
)


def _run_python(code: str) -> None:
    """Run an interpreter as a user would: NumPy starts as many threads as it likes."""
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, check=True)


def _time_first_run() -> float:
    """Return the seconds of an answer with nothing compiled and nothing cached."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        run_command("arrange", DEAL, CPOKER_CACHE_DIR=folder)
        return time.perf_counter() - start


def run(quick: bool) -> Result:
    """Time processes in turn; --quick leaves out the first run ever, which compiles."""
    times = alternate(
        {
            "arrange": lambda: run_command("arrange", DEAL),
            "imports": lambda: _run_python("import numpy, numba"),
            "score": lambda: run_command("score", *HANDS),
            "light imports": lambda: _run_python("import click, rich.table, yaml"),
            "help": lambda: run_command("--help"),
            "pass": lambda: _run_python("pass"),
        },
        5 if quick else 15,
    )
    splits = json.loads(run_command("arrange", DEAL, "--json"))["splits"]
    figures = [
        Figure("cpoker arrange, a deal", times.take("arrange") * 1e3, "ms"),
        Figure("the same / python importing numpy, numba", times.compare("arrange", "imports"),
               "times", "<= 1.7"),
        Figure("cpoker score, a table", times.take("score") * 1e3, "ms"),
        Figure("the same / python importing click, rich.table, yaml",
               times.compare("score", "light imports"), "times", "<= 3"),
        Figure("cpoker --help", times.take("help") * 1e3, "ms"),
        Figure("the same / python -c pass", times.compare("help", "pass"), "times", "<= 6"),
    ]  # fmt: skip
    if not quick:
        figures.append(Figure("first run ever, compiling", _time_first_run(), "s", "<= 15"))
    return Result(digest_integers(np.array(list(splits.values()))), figures)
