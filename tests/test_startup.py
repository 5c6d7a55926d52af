"""Starting the command: what it loads, and how errors end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import Result

from cp_cli import __version__
from cp_cli.cli import COMMANDS
from cp_cli.errors import CardError

HEAVY = ("numpy", "numba", "yaml", "msgspec", "rich", "platformdirs", "importlib.metadata")
LIST_LOADED = """
import sys
from cp_cli.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""

RunCli = Callable[..., Result]


def run_python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)], ids=" ".join
)
def test_help_loads_no_heavy_module(arguments: list[str]) -> None:
    ended = run_python(LIST_LOADED.format(heavy=HEAVY), *arguments)
    assert ended.stderr == "[]\n"
    assert ended.stdout


def test_help_imports_no_command() -> None:
    code = LIST_LOADED.format(heavy=[target.partition(":")[0] for target, _ in COMMANDS.values()])
    assert run_python(code, "--help").stderr == "[]\n"


def test_rulesets_need_no_numpy() -> None:
    ended = run_python(
        "import sys, cp_cli.ruleset; print([n for n in ('numpy', 'numba') if n in sys.modules])"
    )
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_listed_command_exists(run_cli: RunCli, name: str) -> None:
    result = run_cli(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: cpoker {name} ")


def test_help_lists_the_commands(run_cli: RunCli) -> None:
    result = run_cli("-h")
    assert result.exit_code == 0
    for name, (_, line) in COMMANDS.items():
        assert f"  {name} " in result.stdout
        assert line in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_version(run_cli: RunCli) -> None:
    assert run_cli("--version").stdout == f"cpoker {__version__}\n"


def test_an_unknown_command_suggests_the_nearest(run_cli: RunCli) -> None:
    result = run_cli("arange")
    assert result.exit_code == 2
    assert 'no such command "arange"; did you mean "arrange"?' in result.stderr
    assert 'no such command "\\x00"\n' in run_cli("\0").stderr


def test_wrong_usage_exits_with_two(run_cli: RunCli) -> None:
    assert run_cli("--no-such-option").exit_code == 2


@pytest.mark.parametrize(
    ("typed", "offered"), [("", list(COMMANDS)), ("arr", ["arrange"]), ("--v", ["--version"])]
)
def test_shell_completion(typed: str, offered: list[str]) -> None:
    environment = os.environ | {
        "_CPOKER_COMPLETE": "bash_complete",
        "COMP_WORDS": f"cpoker {typed}",
        "COMP_CWORD": "1",
    }
    ended = subprocess.run(
        [sys.executable, "-m", "cp_cli"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.split() == [f"plain,{name}" for name in offered]


# Commands that fail in one way each, put into the table of commands by the tests below.


@click.command()
@click.argument("fault")
def fail(fault: str) -> None:
    """Fail as told."""
    click.echo("part of the answer")
    match fault:
        case "input":
            raise CardError("cards: no cards")
        case "file":
            Path("/no/such/file").read_text()
        case "disk":
            raise OSError(28, "No space left on device")
        case "interrupt":
            raise KeyboardInterrupt
        case "wait":
            sys.stdout.flush()
            time.sleep(60)
        case "abort":
            raise click.Abort
        case "some":
            click.get_current_context().exit(1)
        case "stream":
            while True:
                click.echo("more of the answer")


@pytest.fixture
def _failing_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "fail", ("tests.test_startup:fail", "Fail."))


@pytest.mark.usefixtures("_failing_command")
@pytest.mark.parametrize(
    ("fault", "code", "stderr"),
    [
        ("none", 0, ""),
        ("input", 1, "error: cards: no cards\n"),
        ("file", 1, "error: /no/such/file: No such file or directory\n"),
        ("disk", 1, "error: No space left on device\n"),
        ("interrupt", 130, ""),
        ("abort", 130, ""),
        ("some", 1, ""),
    ],
)
def test_how_a_command_ends(run_cli: RunCli, fault: str, code: int, stderr: str) -> None:
    result = run_cli("fail", fault)
    assert (result.exit_code, result.stderr) == (code, stderr)
    assert result.stdout == "part of the answer\n"


RUN_FAILING = """
from cp_cli.cli import COMMANDS, main
COMMANDS["fail"] = ("tests.test_startup:fail", "Fail.")
main()
"""
ROOT = Path(__file__).parents[1]


def start_failing(fault: str) -> subprocess.Popen[str]:
    """Start `cpoker fail FAULT` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", RUN_FAILING, "fail", fault],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_closed_pipe_is_no_error() -> None:
    with start_failing("stream") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "part of the answer\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_ctrl_c_leaves_no_traceback() -> None:
    with start_failing("wait") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "part of the answer\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
    assert process.returncode == 130


def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-c", RUN_FAILING, "fail", "none"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr == "error: No space left on device\n"


def test_a_poor_terminal_gets_question_marks() -> None:
    code = "import sys; from cp_cli.cli import main\ntry: main()\nfinally: print('\\u2660')"
    ended = subprocess.run(
        [sys.executable, "-c", code, "--version"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout == f"cpoker {__version__}\n?\n"


def test_python_m_runs_the_command() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "cp_cli", "--version"], capture_output=True, text=True, check=True
    )
    assert ended.stdout == f"cpoker {__version__}\n"
