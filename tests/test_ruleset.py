"""Ruleset files: what they pay, how they are laid over each other, and what is refused."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cp_cli.errors import RulesetError
from cp_cli.ruleset import (
    FrontRoyalties,
    RowRoyalties,
    Royalties,
    Ruleset,
    digest,
    document,
    find_rulesets_dir,
    json_schema,
    load_ruleset,
    ruleset_names,
    to_dict,
)
from cp_cli.ruleset.schema import MAX_UNITS, METADATA
from tests.naive_rules import RULES

WriteFile = Callable[..., str]


@pytest.fixture
def write_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WriteFile:
    """Return a function that writes a file in a working directory of its own."""
    monkeypatch.chdir(tmp_path)

    def write(text: str | bytes, name: str = "house.yaml") -> str:
        raw = text.encode() if isinstance(text, str) else text
        (tmp_path / name).write_bytes(raw)
        return name

    return write


def load_royalties(name: str, *overrides: str) -> Royalties:
    """Return the royalties of a ruleset that has some."""
    royalties = load_ruleset(name, overrides).royalties
    assert royalties is not None
    return royalties


def fail_to_load(name: str, *overrides: str) -> str:
    """Return the message of a ruleset that must be refused; it has to be one line."""
    with pytest.raises(RulesetError) as caught:
        load_ruleset(name, overrides)
    message = str(caught.value)
    assert message.isprintable()
    return message


# --- the shipped files ---------------------------------------------------------------------------

# The rulesets of the rules text, and its modifiers as overrides.
VARIANTS: dict[str, tuple[str, list[str]]] = {
    "race": ("first-to-11", []),
    "progressive": ("progressive-pineapple", []),
    "pagat-standard + sweep 3": ("pagat-standard", ["sweep.units=3"]),
    "pagat-extras + overall": ("pagat-extras", ["overall.units=1"]),
    "pagat-extras + overall (overall: net)": ("pagat-extras", ["overall.when=net"]),
    "two-four + R19 royalties": ("two-four", ["royalties=wikipedia"]),
    "one-six + R19 royalties": ("one-six", ["royalties=wikipedia"]),
    "two-four (overall: net)": ("two-four", ["overall.when=net"]),
    "royalties cancel (R19 option)": ("pagat-standard", ["royalties.cancel=true"]),
    "pagat-standard + strict order": ("pagat-standard", ["order.equal_rows=foul"]),
    "open-face + strict order": ("open-face", ["order.equal_rows=foul"]),
    "basic + bank": ("basic", ["mode=bank"]),
    "wheel-second (row scoring basic)": ("basic", ["order.wheel=second"]),
    "low-middle (row scoring basic)": ("basic", ["order.middle=low27"]),
    "basic + surrender 1": ("basic", ["surrender=1"]),
    "basic + overall + surrender 2": ("basic", ["overall.units=1", "surrender=2"]),
    "two-four + surrender 3": ("two-four", ["surrender=3"]),
}


@pytest.mark.parametrize("title", RULES)
def test_a_file_says_what_the_rules_text_says(title: str, write_file: WriteFile) -> None:
    name, overrides = VARIANTS.get(title, (title, []))
    shipped = to_dict(load_ruleset(name, overrides))
    written = to_dict(load_ruleset(write_file(yaml.safe_dump(play_open(RULES[title], title)))))
    assert {key: shipped[key] for key in shipped if key not in METADATA} == {
        key: written[key] for key in written if key not in METADATA
    }


def play_open(rules: dict[str, Any], title: str) -> dict[str, Any]:
    """Add how the cards are dealt, which the settlement rules of the text do not need."""
    if "pineapple" in title or "progressive" in title:
        return {**rules, "deal": "pineapple", "players": {"max": 3}}
    return {**rules, "deal": "open"} if title.startswith("open-face") else rules


def test_every_ruleset_of_the_text_has_a_file() -> None:
    assert set(ruleset_names()) >= {VARIANTS.get(title, (title, []))[0] for title in RULES}
    assert {"criss-cross", "capsa-susun", "wikipedia-one-six"} <= set(ruleset_names())


@pytest.mark.parametrize("name", ruleset_names())
def test_a_shipped_file_describes_itself(name: str) -> None:
    ruleset = load_ruleset(name)
    assert ruleset.id == name
    assert 10 < len(ruleset.description) <= 90
    assert ruleset.source
    assert "\n" not in ruleset.description + ruleset.source


def test_names_and_aliases_are_unique() -> None:
    names = ruleset_names()
    aliases = [alias for name in names for alias in load_ruleset(name).aliases]
    assert len({*names, *aliases}) == len(names) + len(aliases)


@pytest.mark.parametrize("name", ruleset_names())
def test_an_alias_is_the_same_ruleset(name: str) -> None:
    ruleset = load_ruleset(name)
    assert ruleset.aliases
    assert all(load_ruleset(alias) == ruleset for alias in ruleset.aliases)


def test_wikipedia_add_ons_are_one_table() -> None:
    two_four, one_six = load_ruleset("wikipedia-two-four"), load_ruleset("wikipedia-one-six")
    assert (two_four.royalties, two_four.naturals) == (one_six.royalties, one_six.naturals)
    assert load_ruleset("taiwanese").naturals == two_four.naturals
    assert two_four.surrender == one_six.surrender == 3
    assert (two_four.sweep, one_six.overall) == (None, None)


def test_capsa_susun_has_the_naturals_of_the_standard_game() -> None:
    ruleset = load_ruleset("capsa-susun")
    assert ruleset.naturals == load_ruleset("pagat-standard").naturals
    assert ruleset.overall == load_ruleset("two-four").overall


def test_two_four_is_bare() -> None:
    ruleset = load_ruleset("two-four")
    assert (ruleset.royalties, ruleset.naturals, ruleset.surrender) == (None, None, None)


def test_a_wheel_install_keeps_rulesets_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "cp_cli"
    (package / "ruleset").mkdir(parents=True)
    monkeypatch.setattr("cp_cli.ruleset.loading.__file__", str(package / "ruleset" / "loading.py"))
    with pytest.raises(RulesetError, match="no rulesets folder"):
        find_rulesets_dir()
    (tmp_path / "site" / "rulesets").mkdir()
    assert find_rulesets_dir() == tmp_path / "site" / "rulesets"
    (package / "rulesets").mkdir()
    assert find_rulesets_dir() == package / "rulesets"


# --- small helpers of the sections ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "pays"),
    [
        ("basic", {(3, 0): 3, (2, 1): 1, (1, 2): -1, (2, 0): 2, (1, 0): 1, (1, 1): 0, (0, 0): 0}),
        (
            "open-face-2013",
            {(3, 0): 6, (0, 3): -6, (2, 1): 2, (1, 2): -2, (2, 0): 2, (0, 1): 0, (1, 1): 0},
        ),
    ],
)
def test_rows_pay_singly_or_by_outcome(name: str, pays: dict[tuple[int, int], int]) -> None:
    rows = load_ruleset(name).rows
    assert {outcome: rows.pays(*outcome) for outcome in pays} == pays


def test_front_royalties_rise_with_the_rank() -> None:
    front = FrontRoyalties(pair_from=6, pair_base=1, trips_base=10)
    # 22 to AA, then 222 to AAA.
    assert [front.pair_units(rank) for rank in range(13)] == [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [front.trips_units(rank) for rank in range(13)] == list(range(10, 23))
    flat = FrontRoyalties(trips=3)
    assert {flat.trips_units(rank) for rank in range(13)} == {3}
    assert {flat.pair_units(rank) for rank in range(13)} == {0}


def test_a_royal_flush_falls_back_to_the_straight_flush() -> None:
    assert load_royalties("singapore").middle.royal_flush == 14
    changed = load_royalties("singapore", "royalties.middle.straight_flush=20")
    assert (changed.middle.royal_flush, changed.back.royal_flush) == (20, 7)
    kept = load_royalties("open-face", "royalties.middle.straight_flush=20")
    assert kept.middle.royal_flush == 50


def test_a_low_middle_has_no_royalties() -> None:
    royalties = load_royalties("taiwanese", "order.middle=low27")
    assert (royalties.middle, royalties.back.quads) == (RowRoyalties(), 4)


# --- overrides -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("override", "path", "value"),
    [
        ("order.wheel=second", "order.wheel", "second"),
        ("sweep.units=3", "sweep.units", 3),
        ("sweep={times: 2, scope: rows}", "sweep.scope", "rows"),
        ("surrender=3", "surrender", 3),
        ("mode=bank", "mode", "bank"),
        ("middle_extra=1", "middle_extra", 1),
        ("overall=null", "overall", None),
        ("order.middle=low27", "order.middle", "low27"),
        ("naturals.no_pictures.units=5", "naturals.no_pictures.units", 5),
        ("naturals=pagat", "naturals", load_ruleset("pagat-standard").naturals),
        ("royalties.front.trips=3", "royalties.front.trips", 3),
        (
            "royalties={declare: required, front: {trips: 3}}",
            "royalties.declare",
            "required",
        ),
        ("stakes.pairs.A-B=100", "stakes.pairs", {"A-B": 100}),
        ("aces=[0, 1, 2, 6, 8]", "aces", (0, 1, 2, 6, 8)),
        ("foul.pays=6", "foul.pays", 6),
        (" surrender = 3 ", "surrender", 3),
    ],
)
def test_an_override_changes_one_value(override: str, path: str, value: object) -> None:
    found: Any = load_ruleset("two-four", [override])
    for part in path.split("."):
        found = getattr(found, part)
    assert found == value


def test_an_override_leaves_the_rest_alone() -> None:
    plain, changed = load_ruleset("taiwanese"), load_ruleset("taiwanese", ["sweep.tie_counts=true"])
    assert plain.sweep is not None
    assert changed == msgspec.structs.replace(
        plain, sweep=msgspec.structs.replace(plain.sweep, tie_counts=True)
    )


def test_the_last_override_decides() -> None:
    assert load_ruleset("two-four", ["surrender=1", "surrender=2"]).surrender == 2


def test_row_units_and_outcomes_replace_each_other() -> None:
    assert load_ruleset("open-face-2013", ["rows.win=2"]).rows.outcome is None
    table = "rows.outcome={3-0: 6, 2-1: 2, 2-0: 2, 1-0: 0}"
    assert load_ruleset("basic", [table]).rows.pays(2, 1) == 2
    royalties = load_royalties("open-face", "royalties.front.trips=20")
    assert [royalties.front.trips_units(rank) for rank in (0, 12)] == [20, 20]
    assert royalties.front.pair_units(12) == 9


# --- house files ---------------------------------------------------------------------------------


def test_three_lines_make_a_house_rule(write_file: WriteFile) -> None:
    ruleset = load_ruleset(write_file("extends: two-four\nsurrender: 3\nsweep: {units: 2}\n"))
    assert ruleset.id == "house"
    assert (ruleset.aliases, ruleset.source) == ((), "")
    assert "two-four" in ruleset.description
    assert digest(ruleset) == digest(load_ruleset("two-four", ["surrender=3", "sweep.units=2"]))


def test_files_extend_files_beside_them(write_file: WriteFile, tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    write_file("extends: taiwanese\nnaturals: {front_qka: true}\n", "club/common.yaml")
    write_file("extends: common.yaml\nall_sweep: null\n", "club/friday.yaml")
    ruleset = load_ruleset("club/friday.yaml")
    changes = ["naturals.front_qka=true", "all_sweep=null"]
    assert digest(ruleset) == digest(load_ruleset("taiwanese", changes))


def test_a_section_is_borrowed_whole(write_file: WriteFile) -> None:
    write_file("naturals: {list: [[dragon, 50]]}\nroyalties: malay\n", "club.yaml")
    ruleset = load_ruleset(write_file("naturals: club.yaml\nroyalties: ./club.yaml\n"))
    assert ruleset.royalties == load_ruleset("malay").royalties
    assert ruleset.naturals is not None
    assert [(entry.name.value, entry.units) for entry in ruleset.naturals.list] == [("dragon", 50)]


@pytest.mark.parametrize("written", ["none", "null", "~", ""])
def test_naturals_none_is_none(written: str, write_file: WriteFile) -> None:
    assert load_ruleset(write_file(f"extends: malay\nnaturals: {written}\n")).naturals is None


def test_a_byte_order_mark_and_crlf_are_read(write_file: WriteFile) -> None:
    assert load_ruleset(write_file(b"\xef\xbb\xbfsurrender: 2\r\nante: 0\r\n")).surrender == 2


def test_an_alias_may_be_used_twice_in_a_file(write_file: WriteFile) -> None:
    text = "royalties:\n  middle: &row {quads: 3}\n  back: *row\n"
    royalties = load_royalties(write_file(text))
    assert royalties.middle == royalties.back == RowRoyalties(quads=3)


def test_a_resolved_ruleset_loads_as_itself(write_file: WriteFile) -> None:
    for name in ruleset_names():
        ruleset = load_ruleset(name)
        assert load_ruleset(write_file(yaml.safe_dump(to_dict(ruleset)))) == ruleset


# --- digest and schema ---------------------------------------------------------------------------


def test_the_digest_covers_what_differs_from_the_defaults() -> None:
    assert digest(load_ruleset("basic")) == hashlib.sha256(b"{}").hexdigest()
    one_six = hashlib.sha256(b'{"sweep":{"units":3}}').hexdigest()
    assert digest(load_ruleset("one-six")) == one_six


def test_the_digest_ignores_what_changes_no_play(write_file: WriteFile) -> None:
    plain = digest(load_ruleset("two-four"))
    said = ["id=x", "description=y", "source=z", "aliases=[w]", "notes={A01: v}"]
    unused = ["race.target=5", "bank.wins_ties=false", "sweep=null", "rows.win=1"]
    assert digest(load_ruleset("two-four", said + unused)) == plain
    shuffled = "overall: {when: majority, units: 1}\nid: other\nante: 0\n"
    assert digest(load_ruleset(write_file(shuffled))) == plain


@pytest.mark.parametrize(
    "overrides",
    [
        ["players.max=3"],
        ["mode=bank"],
        ["mode=bank", "bank.wins_ties=false"],
        ["deal=open"],
        ["order.wheel=second"],
        ["rows.win=2"],
        ["overall.when=net"],
        ["sweep.units=3"],
        ["all_sweep.units=3"],
        ["middle_extra=1"],
        ["royalties.front.trips=3"],
        ["naturals=pagat-standard"],
        ["naturals=vietnamese"],
        ["foul.pays=rows"],
        ["surrender=0"],
        ["aces=[0, 1, 2, 6, 8]"],
        ["stakes.pairs.A-B=2"],
        ["rake=1"],
    ],
    ids=" ".join,
)
def test_the_digest_knows_every_change_of_play(overrides: list[str]) -> None:
    changed = digest(load_ruleset("two-four", overrides))
    assert changed != digest(load_ruleset("two-four"))
    assert changed != digest(load_ruleset("two-four", [*overrides, "foul.royalties=false"]))


def test_no_two_shipped_rulesets_play_the_same() -> None:
    assert len({digest(load_ruleset(name)) for name in ruleset_names()}) == len(ruleset_names())


def test_the_schema_names_every_key() -> None:
    schema = json_schema()
    keys = schema["$defs"]["Ruleset"]["properties"]
    assert set(keys) == {*Ruleset.__struct_fields__, "extends"}
    for path in find_rulesets_dir().glob("*.yaml"):
        assert set(yaml.safe_load(path.read_text())) <= set(keys)
    assert schema["$defs"]["Ruleset"]["additionalProperties"] is False
    assert {"type": "string"}.items() <= keys["naturals"]["anyOf"][-1].items()


# --- refused: keys, types and values -------------------------------------------------------------

WHOLE = f"a whole number from 0 to {MAX_UNITS}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "royalties:\n  front:\n    tripps: 3\n",
            ':3: royalties.front.tripps: unknown key "tripps"; did you mean "trips"?',
        ),
        ("# c\noveral: 1\n", ':2: overal: unknown key "overal"; did you mean "overall"?'),
        ("zzz: 1\n", ':1: zzz: unknown key "zzz", see cpoker rules schema'),
        (
            "order: {zzz: 1}\n",
            ':1: order.zzz: unknown key "zzz", expected one of equal_rows, wheel, middle, '
            "middle_max",
        ),
        (
            "order:\n  wheel: secnd\n",
            ':2: order.wheel: found "secnd", expected low or second; did you mean "second"?',
        ),
        ("rows: {win: x}\n", f':1: rows.win: found "x", expected {WHOLE}'),
        ("rows: {win: 1.5}\n", f":1: rows.win: found 1.5, expected {WHOLE}"),
        ("rows: {win: 1.0}\n", f":1: rows.win: found 1.0, expected {WHOLE}"),
        ("rows: {win: -1}\n", f":1: rows.win: found -1, expected {WHOLE}"),
        ("rows: {win: true}\n", f":1: rows.win: found true, expected {WHOLE}"),
        ("rows:\n", ":1: rows: found nothing (null), expected a mapping with keys win, outcome"),
        ("rows: [1]\n", ":1: rows: found a list of 1, expected a mapping with keys win, outcome"),
        ("surrender: {}\n", f":1: surrender: found a mapping, expected {WHOLE} or null"),
        ("foul: {royalties: 1}\n", ":1: foul.royalties: found 1, expected true or false"),
        (
            "royalties: {declare: true}\n",
            ":1: royalties.declare: found true, expected auto or required",
        ),
        (
            "naturals:\n  list:\n  - [dragon, 13]\n  - [six_pair, 3]\n",
            ':4: naturals.list[1][0]: found "six_pair"; did you mean "six_pairs"?',
        ),
        (
            "naturals: {list: [[dragon, 0]]}\n",
            f":1: naturals.list[0][1]: found 0, expected a whole number from 1 to {MAX_UNITS}",
        ),
        (
            "naturals: {list: [[dragon]]}\n",
            ":1: naturals.list[0]: found a list of 1, expected [name, units]",
        ),
        ("aces: [0, 1]\n", ":1: aces: found a list of 2, expected a list of 5 values or null"),
        ("notes:\n  A01: 3\n", ":2: notes.A01: found 3, expected text"),
        (
            "stakes:\n  pairs:\n    A-B: 2\n    A-C: 0\n",
            ":4: stakes.pairs.A-C: found 0, expected a whole number from 1 to 1000000",
        ),
        (
            "stakes:\n  pairs:\n    A-B: 2\n    A-C: 1000001\n",
            ":4: stakes.pairs.A-C: found 1000001, expected a whole number from 1 to 1000000",
        ),
        ("rows: {outcome: {3-0: 6, 2-1: 1}}\n", ':1: rows.outcome: key "2-0" is missing'),
        (
            "rows: {outcome: {3-0: 6, 2-1: 1, 2-0: 2, 1-0: 1, 1-1: 1}}\n",
            ":1: rows.outcome.1-1: found 1, expected 0",
        ),
        ("bank: null\n", ":1: bank: found nothing (null), expected a mapping with keys player, "
        "wins_ties"),
    ],
)  # fmt: skip
def test_a_wrong_key_or_value_is_named(text: str, message: str, write_file: WriteFile) -> None:
    assert fail_to_load(write_file(text)) == f"house.yaml{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players: {min: 4, max: 3}", ":1: players.min: 4 is more than players.max 3"),
        ("rows:\n  win: 1\n  outcome: {3-0: 6, 2-1: 2, 2-0: 2, 1-0: 0}",
         ":3: rows.outcome: given together with win, expected one of them"),
        ("sweep: {scope: rows}", ":1: sweep: pays nothing, expected units of 1 or more, or times "
         "of 2 or more"),
        ("all_sweep: {opponents: 2}", ":1: all_sweep: pays nothing, expected units of 1 or more, "
         "or times of 2 or more"),
        ("players: {max: 3}\nall_sweep: {times: 2}", ":2: all_sweep.opponents: 3, but players.max "
         "3 leaves 2"),
        ("naturals:\n  list:\n  - [dragon, 3]\n  - [dragon, 4]",
         ":4: naturals.list[1]: dragon is listed twice"),
        ("naturals: {list: [[no_pictures, 3]]}", ":1: naturals.list[0]: no_pictures is lowest of "
         "all, give it as naturals.no_pictures"),
        ("naturals: {clash: difference}", ":1: naturals.list: empty, expected [name, units] "
         "entries (or naturals: none)"),
        ("royalties: {cancel: true}", ":1: royalties: no row pays anything, expected units in "
         "front, middle or back"),
        ("royalties: {style: instead, paid: always, front: {trips: 3}}",
         ":1: royalties.paid: always, but style instead changes the row the winner takes"),
        ("rows: {outcome: {3-0: 6, 2-1: 2, 2-0: 2, 1-0: 0}}\n"
         "royalties: {style: instead, front: {trips: 3}}",
         ":2: royalties.style: instead, but with rows.outcome a row has no value of its own"),
        ("royalties: {front: {trips: 1, trips_base: 2}}",
         ":1: royalties.front.trips_base: given together with trips, expected one of them"),
        ("royalties: {front: {pair_from: 6}, back: {quads: 1}}",
         ":1: royalties.front.pair_from: given without pair_base"),
        ("royalties: {front: {pair_base: 6}}",
         ":1: royalties.front.pair_base: given without pair_from"),
        ("order: {middle_max: 10}", ":1: order.middle_max: has a meaning only with order.middle "
         "low27"),
        ("order: {middle: low27}\nmiddle_extra: 1", ":2: middle_extra: 1, but a low middle earns "
         "no royalties"),
        ("ante: 1", ":1: ante: 1, but mode pairs has no pot, expected 0"),
        ("mode: sole_winner", ":1: mode: sole_winner needs an ante of 1 or more, found 0"),
        ("mode: row_pots\nante: 4", ":2: ante: 4 cannot be split in thirds, expected a multiple "
         "of 3"),
        ("mode: race\nsurrender: 3", ":2: surrender: not played in mode race, where pairs settle "
         "nothing"),
        ("mode: race\nrows: {outcome: {3-0: 6, 2-1: 2, 2-0: 2, 1-0: 0}}",
         ":2: rows.outcome: not played in mode race"),
        ("players: {min: 3}\nmode: criss_cross", ":1: players.min: 3, but mode criss_cross is for "
         "2 players"),
        ("deal: pineapple", ":1: deal: pineapple for 4 players need 68 cards, expected players.max "
         "3 or less"),
        ("fantasyland: {}", ":1: fantasyland: given with deal closed, expected deal open or "
         "pineapple"),
        ("deal: open\nfantasyland: {enter: {queens: 0, kings: 0, aces: 0, trips: 0}}",
         ":2: fantasyland.enter: no front enters, expected cards for one of them"),
        ("stakes: {pairs: {AB: 2}}", ":1: stakes.pairs.AB: expected two names with a hyphen "
         "between them, as A-B"),
        ("stakes: {pairs: {A-A: 2}}", ":1: stakes.pairs.A-A: expected two names with a hyphen "
         "between them, as A-B"),
        ("stakes: {pairs: {A-B: 2, B-A: 2}}", ":1: stakes.pairs.B-A: the same two players are "
         "given twice"),
    ],
)  # fmt: skip
def test_a_contradiction_is_named(text: str, message: str, write_file: WriteFile) -> None:
    assert fail_to_load(write_file(text)) == f"house.yaml{message}"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("sweep.unit=3", 'sweep.unit: unknown key "unit"; did you mean "units"?'),
        ("surrender.x=1", f"surrender: found a mapping, expected {WHOLE} or null"),
        ("surrender=x", f'surrender: found "x", expected {WHOLE} or null'),
        ("extends=basic", 'extends: unknown key "extends", see cpoker rules schema'),
        ("surrender", "expected key.path=value"),
        ("=3", "expected key.path=value"),
        ("a..b=3", "expected key.path=value"),
        ("surrender=", "expected key.path=value"),
        ("rows.win=[", "not YAML: "),
        ("rows={win: 1, win: 2}", "rows.win: key given twice"),
        ("naturals=wiki", 'naturals: unknown ruleset "wiki"; did you mean "wikipedia"?'),
        ("naturals=basic", 'naturals: ruleset "basic" has no naturals'),
        ("rows.win=!!python/object:os.x 1", 'rows.win: tag "tag:yaml.org,2002:python..." is not'),
    ],
)
def test_a_wrong_override_is_named(override: str, message: str) -> None:
    found = fail_to_load("two-four", override)
    assert found.startswith(f'--set "{override}": {message}')


def test_a_message_points_into_the_file_that_is_wrong(write_file: WriteFile) -> None:
    write_file("ante: 0\nsweep:\n  times: 0\n", "base.yaml")
    name = write_file("extends: base.yaml\nsurrender: 3\n")
    assert fail_to_load(name, "ante=0").startswith("base.yaml:3: sweep.times: found 0, expected")
    shipped = find_rulesets_dir() / "two-four.yaml"
    assert fail_to_load("two-four", "mode=race").startswith(f"{shipped}:")


# --- refused: files ------------------------------------------------------------------------------

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)
BAD_FILES: dict[str, tuple[str | bytes, str]] = {
    "tab": ("rows:\n\twin: 1\n", ":2: tab in the indentation, expected spaces"),
    "tab at the start": ("\trows: 1\n", ":1: tab in the indentation, expected spaces"),
    "not utf-8": (b"id: a\nsource: \xe9t\xe9\n", ":2: not UTF-8 text: byte 0xe9"),
    "utf-16": ("id: a\n".encode("utf-16"), ":1: not UTF-8 text: byte 0xff"),
    "empty": ("", ": empty, expected ruleset keys"),
    "only comments": ("# nothing\n\n", ": empty, expected ruleset keys"),
    "null": ("null\n", ":1: found nothing (null), expected a mapping (key: value)"),
    "list": ("# c\n- a\n- b\n", ":2: found a list of 2, expected a mapping (key: value)"),
    "text": ("hello\n", ':1: found "hello", expected a mapping (key: value)'),
    "two documents": ("id: a\n---\nid: b\n", ":3: a second document, expected one ruleset"),
    "duplicate key": (
        "rows:\n  win: 1\n  win: 2\n",
        ":3: rows.win: key given twice (first in line 2)",
    ),
    "billion laughs": (LAUGHS, ": more than 20000 values (aliases expanded)"),
    "holds itself": ("rows: &x {win: *x}\n", ":1: rows.win: an anchor that holds itself"),
    "unknown alias": ("id: *nope\n", ":1: not YAML: found undefined alias"),
    "nested lists": ("[" * 100_000, "nested too deeply for a ruleset"),
    "nested maps": ("{a: " * 30 + "}" * 30, "nested too deeply for a ruleset"),
    "large": (b"# " + b"x" * 1_000_000, ": more than 1000000 bytes, too large for a ruleset"),
    "many values": (f"aces: [{'1,' * 20_000}]", ": more than 20000 values"),
    "date": ("id: 2013-01-05\n", ':1: id: "2013-01-05" is a date in YAML, put quotes around it'),
    "octal": ("surrender: 010\n", ':1: surrender: number "010", expected plain digits'),
    "hexadecimal": ("surrender: 0x1F\n", ':1: surrender: number "0x1F", expected plain digits'),
    "sexagesimal": ("surrender: 1:30\n", ':1: surrender: number "1:30", expected plain digits'),
    "infinity": ("surrender: .inf\n", ':1: surrender: number ".inf", expected plain digits'),
    "huge number": (f"surrender: {'9' * 5000}\n", "expected plain digits"),
    "python tag": ("id: !!python/object/apply:os.getcwd []\n", "is not allowed in a ruleset"),
    "python name": ("id: !!python/name:os.getcwd\n", "is not allowed in a ruleset"),
    "binary": ("id: !!binary aGk=\n", "is not allowed in a ruleset"),
    "own tag": ("rows: !rows {win: 1}\n", ':1: rows: tag "!rows" is not allowed in a ruleset'),
    "merge": ("<<: {ante: 1}\n", ":1: merge key << is not supported, use extends"),
    "list as a key": ("? [a]\n: 1\n", ":1: a key that is a list or mapping, expected a name"),
    "control character": ("id: a\nsource: \x01\n", ":2: not YAML: control character in the text"),
    "open bracket": ("rows: [1\n", "not YAML: "),
    "extends a list": ("extends: [a]\n", ":1: extends: found a list of 1, expected the name of a"),
    "extends nothing": ("extends: nope.yaml\n", ":1: extends: nope.yaml: no such file"),
    "extends itself": ("extends: house.yaml\n", ":1: extends: refers to itself: house.yaml -> "),
    "borrows from itself": ("naturals: house.yaml\n", ":1: naturals: refers to itself: house.yaml"),
    "unknown base": (
        "id: a\nextends: two-for\n",
        ':2: extends: unknown ruleset "two-for"; did you mean "two-four"?',
    ),
    "nul in a name": ('extends: "a\\0"\n', ':1: extends: ruleset "a\\x00": not a name or file'),
    "long name": (f"extends: {'a' * 5000}\n", "not a name or file"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_gets_one_clear_line(kind: str, write_file: WriteFile) -> None:
    text, message = BAD_FILES[kind]
    found = fail_to_load(write_file(text))
    assert found.startswith("house.yaml")
    assert message in found


@pytest.mark.parametrize("kind", BAD_FILES)
def test_the_parser_without_c_refuses_the_same(
    kind: str, write_file: WriteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "Loader", yaml.SafeLoader)
    text, message = BAD_FILES[kind]
    found = fail_to_load(write_file(text))
    assert message in found or "not YAML" in found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("two-for", 'unknown ruleset "two-for"; did you mean "two-four"?'),
        ("wikipedi", 'unknown ruleset "wikipedi"; did you mean "wikipedia"?'),
        ("qqq", 'unknown ruleset "qqq"; see cpoker rules list, or give a .yaml file'),
        ("", 'unknown ruleset ""; see cpoker rules list, or give a .yaml file'),
        ("nope.yaml", "nope.yaml: no such file"),
        ("./folder", "folder: is a directory, expected a ruleset file"),
        ("./loop.yaml", "loop.yaml: no such file"),
        ("./pipe.yaml", "pipe.yaml: not a regular file, expected a ruleset file"),
        ("two\nfour", 'ruleset "two\\nfour": not a name or file name'),
    ],
)
def test_a_wrong_name_or_place_is_named(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    assert fail_to_load(name) == message


def test_files_that_refer_to_each_other_in_a_circle(write_file: WriteFile) -> None:
    write_file("naturals: a.yaml\n", "b.yaml")
    found = fail_to_load(write_file("extends: b.yaml\n", "a.yaml"))
    assert found.endswith("refers to itself: a.yaml -> b.yaml -> a.yaml")


def test_a_long_chain_of_references_is_read_once_each(
    write_file: WriteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_file("extends: malay\n", "0.yaml")
    for link in range(1, 30):
        below = f"{link - 1}.yaml"
        write_file(f"extends: {below}\nroyalties: {below}\nnaturals: {below}\n", f"{link}.yaml")
    read: list[str] = []
    original = document.read_document

    def count_reads(path: Path, label: str) -> document.Document:
        read.append(label)
        return original(path, label)

    monkeypatch.setattr("cp_cli.ruleset.loading.read_document", count_reads)
    royalties = load_ruleset("29.yaml").royalties
    assert len(read) == 31  # thirty files and malay
    assert royalties == load_ruleset("malay").royalties


def test_an_endless_chain_of_files_is_refused(write_file: WriteFile) -> None:
    write_file("ante: 0\n", "0.yaml")
    for link in range(1, 60):
        write_file(f"extends: {link - 1}.yaml\n", f"{link}.yaml")
    assert load_ruleset("30.yaml").ante == 0
    assert fail_to_load("59.yaml").endswith("more than 40 files that refer to each other")


# --- whatever stands in a file -------------------------------------------------------------------

KEYS = st.sampled_from([*Ruleset.__struct_fields__, "extends", "units", "list", "front", "pairs"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | KEYS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)
)


def load_or_refuse(path: Path, *overrides: str) -> None:
    """Load a ruleset; the only error allowed is a RulesetError of one line."""
    message = ""
    try:
        load_ruleset(str(path), overrides)
    except RulesetError as error:
        message = str(error)
    assert message.isprintable()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that many examples may overwrite."""
    return tmp_path_factory.mktemp("fuzz") / "fuzz.yaml"


@given(content=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode()))
def test_any_bytes_load_or_are_refused(scratch: Path, content: bytes) -> None:
    scratch.write_bytes(content)
    load_or_refuse(scratch)


@given(content=st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_values_load_or_are_refused(scratch: Path, content: dict[str, Any]) -> None:
    scratch.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    load_or_refuse(scratch)


@given(key=st.text(max_size=12) | KEYS, value=st.text(max_size=12))
def test_any_override_loads_or_is_refused(key: str, value: str) -> None:
    load_or_refuse(Path(find_rulesets_dir(), "two-four.yaml"), f"{key}={value}")
