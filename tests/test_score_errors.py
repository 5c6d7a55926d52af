"""`cpoker score`: bad arguments and bad files, each told in one line."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.score_deals import (
    AMY,
    BOB,
    NORTH,
    RunCli,
    build_players,
    write_file,
    write_yaml,
)

TWICE = "Bob: Qs Jd 5c / Kc Kd 6s 6d As / Td 9d 8s 7c 6c"
FIVE = [AMY, BOB, *(f"{name}: surrender" for name in ("Cat", "Dan", "Eve"))]
BAD_ARGUMENTS: dict[str, tuple[Sequence[str], int, str]] = {
    "no hands": ((), 2, "no HAND and no FILE; expected 2 to 4 hands, a file, or - for stdin"),
    "one hand": ((AMY,), 1, "players: 1 player (Amy); ruleset two-four expects 2 to 4"),
    "five": (
        FIVE,
        1,
        "players: 5 players (Amy, Bob, Cat, Dan, Eve); ruleset two-four expects 2 to 4",
    ),
    "cards twice": ((AMY, TWICE), 1, "cards used more than once: Qs (Amy, Bob), As (Amy, Bob)"),
    "rows": (
        (AMY, "Bob: Js Jd / Kc Kd 6s 6d 2c 5c / Td 9d 8s 7c 6c"),
        1,
        "Bob: front: 2 cards, expected 3; middle: 6 cards, expected 5",
    ),
    "no rows": (
        (AMY, BOB.replace("/", "")),
        1,
        "Bob: thirteen cards without rows; expected front / middle / back, a natural or surrender",
    ),
    "several": (
        ("Amy: As", BOB, "Cat: Xs"),
        1,
        'Amy: cards: 1 card, expected 13; Cat: cards: unknown rank "X" in "Xs" at column 6; '
        "expected a rank 2-9 T J Q K A or 10",
    ),
    "a name twice": (
        (AMY, "Amy: surrender"),
        1,
        "hands, but that is played in mode criss_cross only",
    ),
    "surrender": (
        (AMY, "Bob: surrender"),
        1,
        "Bob: surrenders, but ruleset two-four has no surrender; --set surrender=N allows it",
    ),
    "announced": (
        (AMY, f"{BOB} royalties=front"),
        1,
        "Bob: announces royalties, but ruleset two-four has no royalties",
    ),
    "announced needlessly": (
        (f"{AMY} royalties=back", f"{BOB} royalties=front", "--ruleset", "taiwanese"),
        1,
        "Amy, Bob: announce royalties, but ruleset taiwanese pays them unannounced; --set "
        "royalties.declare=required changes that",
    ),
    "dealers": (
        (AMY, BOB, "--dealer", "Amy", "--dealer", "Bob"),
        2,
        "'--dealer': given 2 times: Amy, Bob; expected one",
    ),
    "bankers": (
        (AMY, BOB, "--banker", "Amy", "--banker", "Bob"),
        2,
        "'--banker': given 2 times: Amy, Bob; expected one",
    ),
    "dealer": (
        (AMY, BOB, "--dealer", "Zoe"),
        1,
        'dealer: "Zoe" is not seated; expected one of Amy, Bob',
    ),
    "banker": (
        (AMY, BOB, "--banker", "BOB"),
        1,
        'banker: "BOB" is not seated; did you mean "Bob"?',
    ),
    "no bank": (
        (AMY, BOB, "--banker", "Amy", "--ruleset", "sole-winner"),
        1,
        'banker: "Amy", but there is no bank in mode sole_winner',
    ),
    "a name with a colon": (
        (AMY, BOB, "--dealer", "A:my"),
        2,
        "'--dealer': name \"A:my\"; expected 1 to 40 printable characters and no colon",
    ),
    "chips in words": (
        (AMY, BOB, "--chips", "Amy=ten"),
        2,
        "'--chips': Amy: \"ten\"; expected a whole number from 0 to 1,000,000,000",
    ),
    "negative chips": (
        (AMY, BOB, "--chips", "Amy=-5"),
        2,
        "'--chips': Amy: \"-5\"; expected a whole number from 0 to 1,000,000,000",
    ),
    "broken chips": (
        (AMY, BOB, "--chips", "Amy=1.5"),
        2,
        "'--chips': Amy: \"1.5\"; expected a whole number from 0 to 1,000,000,000",
    ),
    "chips of nobody": ((AMY, BOB, "--chips", "5"), 2, "'--chips': \"5\"; expected NAME=N"),
    "chips twice": (
        (AMY, BOB, "--chips", "Amy=5", "--chips", "Amy=6"),
        2,
        "'--chips': Amy: given twice, 5 and 6",
    ),
    "chips of a stranger": (
        (AMY, BOB, "--chips", "Zoe=5"),
        1,
        '--chips: "Zoe" is not seated; expected one of Amy, Bob',
    ),
    "stake with a stranger": (
        (AMY, BOB, "--stake", "Amy-Zoe=5"),
        1,
        'stakes Zoe-Amy: "Zoe" is not seated; expected one of Amy, Bob',
    ),
    "stake with oneself": (
        (AMY, BOB, "--stake", "Amy-Amy=5"),
        1,
        "stakes Amy: expected two different players",
    ),
    "stake of one": ((AMY, BOB, "--stake", "Amy=5"), 2, "'--stake': \"Amy=5\"; expected A-B=N"),
    "no stake": ((AMY, BOB, "--stake", "Amy-Bob"), 2, "'--stake': \"Amy-Bob\"; expected A-B=N"),
    "stake of nothing": (
        (AMY, BOB, "--stake", "Amy-Bob=0"),
        2,
        "'--stake': Amy-Bob: \"0\"; expected a whole number from 1 to 1,000,000",
    ),
    "stake twice": (
        (AMY, BOB, "--stake", "Amy-Bob=5", "--stake", "Bob-Amy=6"),
        1,
        "--stake Bob-Amy=6: the stake of Amy and Bob is given twice",
    ),
    **{
        f"unit {value}": (
            (AMY, BOB, "--unit", value),
            2,
            f"'--unit': \"{value}\"; expected a number above 0 such as 0.25, with at most 6 "
            "decimals",
        )
        for value in ("0", "-1", "nan", "1,5", "", "1e3", "0.0")
    },
    "currency": (
        (AMY, BOB, "--currency", "EUR"),
        2,
        "--currency needs --unit, what one unit is worth",
    ),
    "currency in control": (
        (AMY, BOB, "--unit", "1", "--currency", "\x1b[31m"),
        2,
        "'--currency': \"\\x1b[31m\"; expected 1 to 12 printable characters",
    ),
    "ruleset": (
        (AMY, BOB, "--ruleset", "two-fuor"),
        1,
        'unknown ruleset "two-fuor"; did you mean "two-four"?',
    ),
    "contradiction": (
        (AMY, BOB, "--set", "royalties.max_per_hand=0"),
        1,
        '--set "royalties.max_per_hand=0"',
    ),
    "ledger as csv": (
        (AMY, BOB, "--ledger", "--format", "csv"),
        2,
        "--ledger goes with --format table or json, not with csv",
    ),
    "strict": ((AMY, BOB, "--strict"), 2, "--strict goes with a FILE of many deals"),
    "no file": (
        ("nothing-of-the-kind.yaml",),
        1,
        '"nothing-of-the-kind.yaml": no such file; expected a file, - for stdin, or hands NAME: '
        "front / middle / back",
    ),
    "stdin and a hand": ((AMY, "-"), 2, '"-": beside another argument; expected hands or one file'),
    "a missing file beside a hand": (
        (AMY, "bob.yaml"),
        2,
        '"bob.yaml": beside another argument; expected hands or one file',
    ),
    "two missing files": (
        ("a.yaml", "b/c"),
        2,
        '"a.yaml", "b/c": 2 files; expected hands or one file',
    ),
    **{
        f"no file {name}": ((name,), 1, f'"{name}": no such file')
        for name in ("9sept.yaml", "9sept", "C:/deals.yaml", "deals.jsonl", "./x", "As")
    },
    "an empty argument": (
        ("",),
        2,
        "empty argument; expected hands, a file, or - for stdin",
    ),
    "a blank argument": ((" ",), 2, "empty argument; expected hands, a file, or - for stdin"),
    "an empty hand": ((AMY, ""), 2, "empty argument; expected hands, a file, or - for stdin"),
    "a folder": ((".",), 1, '".": is a directory; expected a file of deals'),
    "too many chips": (
        (AMY, BOB, "--chips", "Amy=1000000001"),
        2,
        "'--chips': Amy: \"1000000001\"; expected a whole number from 0 to 1,000,000,000",
    ),
    "too high a stake": (
        (AMY, BOB, "--stake", "Amy-Bob=1000001"),
        2,
        "'--stake': Amy-Bob: \"1000001\"; expected a whole number from 1 to 1,000,000",
    ),
    "several chips": (
        (AMY, BOB, "--chips", "Amy=x", "--chips", "7", "--chips", "A:b=1"),
        2,
        '\'--chips\': Amy: "x"; expected a whole number from 0 to 1,000,000,000; "7"; expected '
        'NAME=N; name "A:b"; expected 1 to 40 printable characters and no colon',
    ),
    "several stakes": (
        (AMY, BOB, "--stake", "Amy", "--stake", "Amy-Bob=x"),
        2,
        '\'--stake\': "Amy"; expected A-B=N; Amy-Bob: "x"; expected a whole number from 1 to '
        "1,000,000",
    ),
    "a natural that there is not": (
        (f"{AMY} natural=foo", BOB, "--ruleset", "pagat-standard"),
        1,
        'error: Amy: unknown natural "foo"; ruleset pagat-standard has six pairs, three straights, '
        "three flushes, dragon",
    ),
    "a row with a card twice, and too long": (
        ("Amy: Qs Qd Qs 4c / As Ad 9c 7h 3s / Kh Jh 8h 6h 2h", BOB),
        1,
        "error: Amy: front: Qs used more than once (again at column 12); 4 cards, expected 3",
    ),
    "all kinds": (
        (
            *(AMY, f"{BOB} royalties=back", "Cat: surrender", "--chips", "Zoe=5"),
            *("--dealer", "Zoe", "--stake", "Amy-Zoe=2", "--stake", "Cat=1-Amy=2"),
        ),
        1,
        'error: --chips: "Zoe" is not seated; expected one of Amy, Bob, Cat; Bob: announces '
        "royalties, but ruleset two-four has no royalties; Cat: surrenders, but ruleset two-four "
        'has no surrender; --set surrender=N allows it; dealer: "Zoe" is not seated; expected one '
        'of Amy, Bob, Cat; stakes Zoe-Amy: "Zoe" is not seated; expected one of Amy, Bob, Cat; '
        'stakes Cat=1-Amy: "Cat=1" is not seated; did you mean "Cat"?',
    ),
    "a NUL": (("deals\0.yaml",), 1, '"deals\\x00.yaml": no such file; expected a file'),
    "too long": (("x" * 5000,), 1, "no such file; expected a file, - for stdin"),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_bad_arguments(score: RunCli, case: str) -> None:
    arguments, code, message = BAD_ARGUMENTS[case]
    result = score(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    last = result.stderr.splitlines()[-1]
    start = "Error: " if code == 2 else "error: "
    assert last.startswith(start)
    assert message in last
    if code == 1:
        assert result.stderr.count("\n") == 1


def test_files_that_are_not_settled(score: RunCli, tmp_path: Path) -> None:
    source = write_file(tmp_path, write_yaml(NORTH) + "dealer: [N, S]\n")
    result = score(source)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"error: {source}:18: dealer: a list of 2; expected one name\n"
    other = write_file(tmp_path, write_yaml(NORTH) + "banker: Zoe\n", "other.yaml")
    result = score(other)
    assert (result.exit_code, result.stderr) == (
        1,
        f'error: {other}:18: banker: "Zoe" is not seated; expected one of N, E, S, W\n',
    )
    both = score(source, other)
    assert both.exit_code == 2
    assert f'"{source[:60]}' in both.stderr
    assert "2 files; expected hands or one file" in both.stderr
    near = score(str(tmp_path / "othr.yaml"))
    assert near.stderr == (
        f'error: "{tmp_path}/othr.yaml": no such file; did you mean "other.yaml"?\n'
    )
    folder = score(str(tmp_path))
    assert (folder.exit_code, folder.stderr) == (
        1,
        f'error: "{tmp_path}": is a directory; expected a file of deals\n',
    )


def test_all_that_is_wrong_with_a_deal_in_a_file(score: RunCli, tmp_path: Path) -> None:
    """Each with its line; what has no key of its own is at the deal."""
    source = write_file(tmp_path, write_yaml(NORTH) + "dealer: Zoe\nchips: {Zoe: 5}\n")
    absent = '"Zoe" is not seated; expected one of N, E, S, W'
    result = score(source)
    assert result.exit_code == 1
    assert result.stderr == f"error: {source}:18: dealer: {absent}; line 19: chips: {absent}\n"
    three = {name: hand for name, hand in NORTH.items() if name != "W"}
    more = "- 'W: surrender royalties=front'\nchips: {Zoe: 5}\n"
    result = score(write_file(tmp_path, write_yaml(three) + more))
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: {source}:1: W: announces royalties, but ruleset two-four has no royalties; W: "
        "surrenders, but ruleset two-four has no surrender; --set surrender=N allows it; line 15: "
        f"chips: {absent}\n"
    )


def test_a_natural_that_is_not_there(score: RunCli, tmp_path: Path) -> None:
    content = f"players:\n- {AMY}\n- 'Bob: natural=dragon {' '.join(BOB[5:].split(' / '))}'\n"
    result = score(write_file(tmp_path, content), "--ruleset", "pagat-standard")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {tmp_path}/d.yaml:1: Bob: declares dragon: ")


def test_a_ruleset_for_all_deals_that_is_not_there(score: RunCli, tmp_path: Path) -> None:
    deals = json.dumps([{"players": build_players(NORTH)}] * 2)
    source = write_file(tmp_path, f"ruleset: two-fuor\ndeals: {deals}\n")
    result = score(source)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f'error: {source}:1: ruleset: unknown ruleset "two-fuor"; did you mean "two-four"?\n'
    )
