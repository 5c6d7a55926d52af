"""What all tests share: the Hypothesis profile, a clean environment, a way to run the command."""

import os

# Before NumPy is loaded: threads of its BLAS fight for the cores; and no word on compilation.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["CPOKER_QUIET"] = "1"

from collections.abc import Callable
from functools import partial

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from cp_cli.cli import cli

# A slow machine is no failure; in CI the same examples come every time.
settings.register_profile("cpoker", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("cpoker")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's own settings out of the tests."""
    for name in ("CPOKER_RULESET", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def run_cli() -> Callable[..., Result]:
    """Run `cpoker` with arguments in this process; stdout and stderr are apart in the result."""

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(cli, arguments, input=stdin, prog_name="cpoker")

    return run


@pytest.fixture
def score(run_cli: Callable[..., Result]) -> Callable[..., Result]:
    """Run `cpoker score`."""
    return partial(run_cli, "score")
