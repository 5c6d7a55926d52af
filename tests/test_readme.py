"""The README shows what the commands print."""

import doctest
import re
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from cp_cli.ruleset import load_ruleset, ruleset_names

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
DEAL = "As Ks Qs Js 6s 5s 3s Qh 9h 2h Jd 8c 3c"


def find_block(start: str) -> str:
    """Return the fenced block that begins with a line, without that line."""
    found = re.search(rf"^```\n\$ {re.escape(start)}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found, f"README has no block for {start}"
    return found[1]


def mask_digits(text: str) -> str:
    """Hide digits: the last ones of an estimate may differ on another processor."""
    return re.sub(r"[0-9]", "0", text.rstrip())


def test_the_answer_to_the_first_deal(run_cli: Callable[..., Result]) -> None:
    shown = find_block(f'cpoker arrange "{DEAL}"')
    printed = run_cli("arrange", DEAL).stdout
    assert shown.splitlines()[0] == printed.splitlines()[0]
    assert mask_digits(shown) == mask_digits(printed)


def test_every_ruleset_is_in_the_table() -> None:
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.*?) \|$", README, re.MULTILINE)
    assert rows == [(name, load_ruleset(name).description) for name in ruleset_names()]


def test_the_library_example() -> None:
    example = re.search(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert example
    test = doctest.DocTestParser().get_doctest(example[1], {}, "README.md", None, 0)
    assert len(test.examples) >= 5
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.failures == 0


def test_how_a_strategy_sets_deals(run_cli: Callable[..., Result]) -> None:
    shown = find_block(
        "echo 'Ad Ac Qh Qs 3c 3d 4c 4h 5s 6h Jh 8s 9s' | cpoker strategy set --input -"
    )
    deal = "Ad Ac Qh Qs 3c 3d 4c 4h 5s 6h Jh 8s 9s\n"
    assert run_cli("strategy", "set", "--input", "-", stdin=deal).stdout == shown
