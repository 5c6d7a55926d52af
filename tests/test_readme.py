"""The README shows what the commands print."""

import doctest
import json
import re
import shlex
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


def test_a_split_is_played_out(run_cli: Callable[..., Result]) -> None:
    found = re.search(r"^```\n\$ (cpoker simulate .*?)\n(.*?)^```$", README, re.M | re.S)
    assert found
    _, *arguments = shlex.split(found[1])
    printed = run_cli(*arguments).stdout
    # Bars and the last digits may differ on another processor; the page is the same.
    shown, told = (text.partition("units a deal, and the share")[0] for text in (found[2], printed))
    assert mask_digits(shown).replace("-", "+") == mask_digits(told).replace("-", "+")
    assert shown.splitlines()[:3] == told.splitlines()[:3]


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


def test_how_a_table_is_settled(run_cli: Callable[..., Result]) -> None:
    found = re.search(r"^```\n\$ (cpoker score .*?--currency EUR)\n(.*?)^```$", README, re.M | re.S)
    assert found
    _, *arguments = shlex.split(found[1].replace("\\\n", " "))
    assert run_cli(*arguments).stdout == found[2]


def test_a_file_of_deals_is_settled(run_cli: Callable[..., Result], tmp_path: Path) -> None:
    found = re.search(r"^```yaml\n# friday.yaml\n(.*?)^```$", README, re.M | re.S)
    assert found
    path = tmp_path / "friday.yaml"
    path.write_text(found[1])
    settled = json.loads(run_cli("score", str(path), "--json").stdout)
    units = {player["name"]: player["units"] for player in settled["players"]}
    # Cat's six pairs: 4 from each. Dan gives 3 to Amy and to Bob. Amy beats Bob in two rows: 1,
    # at ten times the stake.
    assert units == {"Amy": 10 + 3 - 4, "Bob": -10 + 3 - 4, "Cat": 12, "Dan": -10}
