"""`cpoker simulate`: what is printed, what is written, how a run ends and goes on."""

import csv
import io
import json
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cp_cli.arrangement import parse_arrangement
from cp_cli.cards import format_cards, parse_cards
from cp_cli.cli import simulate_request
from cp_cli.cli.simulate_request import read_subjects
from cp_cli.evaluator import explain_foul
from cp_cli.ruleset import Order
from cp_cli.simulation import run
from cp_cli.simulation.play import Batch
from tests.sizes import pick_size

RunCli = Callable[..., Result]
SPLIT = "Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s"
OTHER = "Js Jd 8c / Qs Qh 9h 3c 2h / As Ks 6s 5s 3s"
DEALS = pick_size(300, 6)
# Rules that set hands at once: what the command does with the answer is the matter here.
PAIR = ["--strategy", "front-heavy", "--versus", "back-first", "--opponents", "1"]
HERO = [SPLIT, OTHER, "--versus", "back-first", "--opponents", "2"]


@pytest.fixture
def simulate(run_cli: RunCli) -> RunCli:
    """Run `cpoker simulate` for a few deals."""
    return partial(run_cli, "simulate", "--deals", str(DEALS))


@pytest.fixture
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell how it stands after every two packs."""
    monkeypatch.setattr(run, "PACKS", 2)


def read_json(result: Result) -> dict[str, Any]:
    """Return the document that a command printed."""
    assert result.exit_code == 0, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def find_mean(histogram: list[list[float]]) -> float:
    """Return the mean of a histogram."""
    total = sum(count for _, count in histogram)
    return sum(units * count for units, count in histogram) / total


# --- answers -------------------------------------------------------------------------------------


def test_two_strategies_in_both_seats(simulate: RunCli) -> None:
    document = read_json(simulate(*PAIR, "--json", "--seed", "5"))
    assert (document["ruleset"], document["seed"], document["deals"]) == ("two-four", 5, DEALS)
    assert (document["seats"], document["ending"]) == (2, "deals")
    first, second = document["entries"]
    assert [first["label"], second["label"]] == ["front-heavy", "back-first"]
    assert first["ev"] == -second["ev"]
    assert first["se"] == second["se"] > 0
    assert (first["scoop"], first["scooped"]) == (second["scooped"], second["scoop"])
    for entry in (first, second):
        assert entry["ev"] == pytest.approx(find_mean(entry["histogram"]), abs=1e-6)
        assert entry["ev"] == pytest.approx(sum(entry["reasons"].values()), abs=3e-6)
        assert sum(count for _, count in entry["histogram"]) == 2 * DEALS
        for row in ("front", "middle", "back"):
            shares = [entry[what][row] for what in ("win", "tie", "lose")]
            assert sum(shares) == pytest.approx(1, abs=3e-6)


def test_splits_meet_the_same_opponents(simulate: RunCli) -> None:
    document = read_json(simulate(*HERO, "--json"))
    first, second = document["entries"]
    assert [first["label"], second["label"]] == [SPLIT, OTHER]
    assert first["difference"] is None
    assert second["difference"]["ev"] == pytest.approx(second["ev"] - first["ev"], abs=2e-6)
    for row in ("front", "middle", "back"):
        cards = format_cards(parse_cards(" ".join(first["arrangement"][row])))
        assert cards in SPLIT


def test_the_same_seed_gives_the_same_answer(simulate: RunCli) -> None:
    answers = [read_json(simulate(*PAIR, "--json", "--jobs", jobs)) for jobs in ("1", "3", "3")]
    for answer in answers:
        del answer["elapsed_s"]
    assert answers[0] == answers[1] == answers[2]
    other = read_json(simulate(*PAIR, "--json", "--seed", "1"))
    assert other["entries"] != answers[0]["entries"]


def test_a_table_and_a_csv_say_the_same(simulate: RunCli) -> None:
    rows = list(csv.DictReader(io.StringIO(simulate(*HERO, "--format", "csv").stdout)))
    printed = simulate(*HERO).stdout
    assert [row["label"] for row in rows] == [SPLIT, OTHER]
    for number, row in enumerate(rows, start=1):
        assert f"\n{number}  {row['label']}  {float(row['ev']):+.3f} ± " in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_unquoted_rows_are_put_together() -> None:
    split = parse_arrangement(SPLIT)
    assert read_subjects(tuple(SPLIT.split())) == (split,)
    assert read_subjects((SPLIT.replace("/", "|"), "As", "KsQs")) == (
        *(split, parse_cards("As Ks Qs")),
    )
    assert read_subjects(()) == ()


def test_known_cards_stay_where_they_are(simulate: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    known = ("--opponent", SPLIT, "--opponent", "Kd 2c", "--strategy", "back-first")
    more = ("--versus", "back-first", "--opponents", "2", "--dead", "4c", "--output", str(path))
    document = read_json(simulate("AdAc", *known, *more, "--json"))
    assert document["known"] == [SPLIT, "Kd 2c"]
    for row in csv.DictReader(path.read_text().splitlines()):
        hands = [parse_cards(row[f"cards{hand}"], count=13) for hand in (1, 2, 3)]
        assert set(parse_cards("Ad Ac")) <= set(hands[0])
        assert set(hands[1]) == set(parse_arrangement(SPLIT).cards)
        assert set(parse_cards("Kd 2c")) <= set(hands[2])
        assert len({*hands[0], *hands[1], *hands[2], *parse_cards("4c")}) == 40


def test_a_bankroll_is_at_risk(simulate: RunCli) -> None:
    risk = ("--bankroll", "4", "--within", "10")
    entries = read_json(simulate(*PAIR, *risk, "--json"))["entries"]
    for entry in entries:
        assert (entry["ruin"]["bankroll"], entry["ruin"]["deals"]) == (4, 10)
    # What one of them does not lose, the other does.
    assert 0 < sum(entry["ruin"]["chance"] for entry in entries) <= 2
    shown = simulate(*HERO, *risk).stdout
    assert "risk of ruin: to lose 4 units within 10 deals" in shown


def test_stops(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PACKS", 4)
    monkeypatch.setattr(run, "FEWEST_PACKS", 4)
    by_time = read_json(run_cli("simulate", *PAIR, "--time", "1ms", "--json"))
    assert (by_time["ending"], by_time["packs"]) == ("time", 4)
    by_error = read_json(run_cli("simulate", *PAIR, "--target-se", "100", "--json"))
    assert (by_error["ending"], by_error["packs"]) == ("target_se", 4)
    missed = run_cli("simulate", *PAIR, "--target-se", "0.0001", "--deals", "8")
    assert missed.exit_code == 0
    assert missed.stderr.startswith("note: standard error ")
    assert missed.stderr.endswith(" after all 8 deals\n")


# --- one line a deal -----------------------------------------------------------------------------


def test_every_deal_is_written(simulate: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    document = read_json(simulate(*PAIR, "--json", "--output", str(path)))
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [int(row["deal"]) for row in rows] == list(range(1, DEALS + 1))
    assert len({row["pack"] for row in rows}) == document["packs"]
    totals = [0, 0]
    for row in rows:
        hands = [parse_cards(row[f"cards{hand}"], count=13) for hand in (1, 2)]
        assert len({*hands[0], *hands[1]}) == 26
        for game in (1, 2):
            for hand in (1, 2):
                split = parse_arrangement(row[f"set{hand}_game{game}"])
                assert sorted(split.cards) == sorted(hands[hand - 1])
                assert explain_foul(split, Order()) is None
            units = [int(row[f"units{hand}_game{game}"]) for hand in (1, 2)]
            assert sum(units) == 0
            # In the first game the first hand is that of the first strategy.
            totals[0] += units[game - 1]
            totals[1] += units[2 - game]
    means = [entry["ev"] for entry in document["entries"]]
    assert [total / 2 / DEALS for total in totals] == pytest.approx(means, abs=1e-6)


def test_json_lines_hold_what_the_csv_holds(simulate: RunCli, tmp_path: Path) -> None:
    for suffix in ("csv", "jsonl"):
        simulate(*HERO, "--output", str(tmp_path / f"deals.{suffix}"))
    rows = list(csv.DictReader((tmp_path / "deals.csv").read_text().splitlines()))
    lines = [json.loads(line) for line in (tmp_path / "deals.jsonl").read_text().splitlines()]
    assert len(lines) == len(rows) == DEALS
    for row, line in zip(rows, lines, strict=True):
        assert [line["deal"], line["pack"]] == [int(row["deal"]), int(row["pack"])]
        assert line["cards"] == [row[f"cards{hand}"] for hand in (1, 2, 3)]
        for number, game in enumerate(line["games"], start=1):
            sets = [row[f"set1_game{number}"], row["set2"], row["set3"]]
            assert game["sets"] == sets
            assert game["units"] == [int(row[f"units{h}_game{number}"]) for h in (1, 2, 3)]
    assert {(line["games"][0]["sets"][0], line["games"][1]["sets"][0]) for line in lines} == {
        (SPLIT, write_highest_first(OTHER))
    }


def write_highest_first(split: str) -> str:
    """Return a split as the file writes it, every row from its highest card."""
    rows = parse_arrangement(split).rows
    return " / ".join(format_cards(sorted(row, reverse=True)) for row in rows)


def test_parts_of_units_are_written(simulate: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    simulate(
        *("--strategy", "back-first", "--versus", "back-first", "--ruleset", "first-to-11"),
        *("--output", str(path)),
    )
    for row in csv.DictReader(path.read_text().splitlines()):
        thirds = [3 * float(row[f"units{hand}"]) for hand in (1, 2, 3, 4)]
        assert thirds == pytest.approx(list(map(round, thirds)), abs=1e-5)
        assert sum(thirds) == pytest.approx(0, abs=1e-5)


# --- runs that go on -----------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_run_goes_on(run_cli: RunCli, tmp_path: Path, suffix: str) -> None:
    whole, parts, state = (tmp_path / name for name in ("w", "p", "run.state"))
    whole, parts = whole.with_suffix(f".{suffix}"), parts.with_suffix(f".{suffix}")
    most, some = str(DEALS), str(DEALS // 2 + 1)
    at_once = run_cli("simulate", *HERO, "--deals", most, "--output", str(whole))
    kept = ("--resume", str(state), "--output", str(parts))
    assert run_cli("simulate", *HERO, "--deals", some, *kept).exit_code == 0
    with parts.open("a") as stream:
        stream.write("of deals that the state knows nothing of\nand half a li")
    on = run_cli("simulate", *HERO, "--deals", most, *kept)
    assert on.stdout == at_once.stdout
    assert parts.read_bytes() == whole.read_bytes()
    again = run_cli("simulate", *HERO, "--deals", most, *kept)
    assert again.stdout == at_once.stdout


@pytest.mark.usefixtures("_small_batches")
@pytest.mark.parametrize("output_format", ["table", "json", "csv"])
def test_ctrl_c_prints_what_is_known(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, output_format: str
) -> None:
    kept = ("--resume", str(tmp_path / "run"), "--output", str(tmp_path / "deals.csv"))
    reports = []

    def press(self: object, standing: run.Standing) -> None:
        reports.append(standing)
        if len(reports) == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("cp_cli.render.RunProgress.__call__", press)
    handler = signal.getsignal(signal.SIGINT)
    stopped = run_cli("simulate", *PAIR, "--deals", "40", *kept, "--format", output_format)
    assert signal.getsignal(signal.SIGINT) is handler
    assert stopped.exit_code == 130
    assert reports[-1].deals == 8
    shown = {"table": "8 deals from 4 packs", "json": '"deals": 8,', "csv": "two-four,0,8,4,"}
    assert shown[output_format] in stopped.stdout
    assert len((tmp_path / "deals.csv").read_text().splitlines()) == 9
    if output_format == "json":
        whole = read_json(run_cli("simulate", *PAIR, "--deals", "12", "--json"))
        on = read_json(run_cli("simulate", *PAIR, "--deals", "12", *kept, "--json"))
        assert on["entries"] == whole["entries"]


def test_a_second_ctrl_c_before_the_first_deal_prints_nothing(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("cp_cli.simulation.run.State.add", press)
    stopped = run_cli("simulate", *PAIR, "--deals", "4")
    assert (stopped.exit_code, stopped.stdout) == (130, "")
    assert stopped.stderr == "stopping after the deals that are being played ...\n"


@pytest.mark.usefixtures("_small_batches")
def test_a_second_ctrl_c_ends_at_once_with_what_is_known(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    add = run.State.add
    kept = ("--resume", str(tmp_path / "run"), "--output", str(tmp_path / "deals.csv"))

    def press(self: run.State, batch: Batch) -> None:
        if self.deals:  # the second batch is in the file, but not counted
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        add(self, batch)

    with monkeypatch.context() as patch:
        patch.setattr("cp_cli.simulation.run.State.add", press)
        stopped = run_cli("simulate", *PAIR, "--deals", "40", *kept, "--json")
    assert (stopped.exit_code, json.loads(stopped.stdout)["deals"]) == (130, 4)
    assert len((tmp_path / "deals.csv").read_text().splitlines()) == 5
    whole = read_json(run_cli("simulate", *PAIR, "--deals", "12", "--json"))
    on = read_json(run_cli("simulate", *PAIR, "--deals", "12", *kept, "--json"))
    assert on["entries"] == whole["entries"]


def test_an_output_of_another_run_is_not_gone_on_with(run_cli: RunCli, tmp_path: Path) -> None:
    first, other = tmp_path / "first.csv", tmp_path / "other.csv"
    state = ("--resume", str(tmp_path / "run"))
    run_cli("simulate", *HERO, "--deals", "6", "--seed", "1", "--output", str(other))
    kept = ("--output", str(first), *state)
    assert run_cli("simulate", *HERO, "--deals", "6", *kept).exit_code == 0
    before = first.read_bytes()
    mixed = run_cli("simulate", *HERO, "--deals", "9", "--output", str(other), *state)
    assert mixed.exit_code == 1
    assert "other.csv:7: not deal 6 of this simulation" in mixed.stderr
    lost = ("--resume", str(tmp_path / "nur"))
    refused = run_cli("simulate", *HERO, "--deals", "9", "--output", str(first), *lost)
    assert refused.exit_code == 1
    assert "is there already, but there is no run in" in refused.stderr
    assert first.read_bytes() == before


def test_a_strategy_is_that_of_the_others_where_the_hero_is_set(run_cli: RunCli) -> None:
    split = "Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s"
    wishes = ("--opponents", "1", "--deals", "9", "--json")
    told, meant = (
        read_json(run_cli("simulate", split, flag, "front-heavy", *wishes))
        for flag in ("--strategy", "--versus")
    )
    assert told["versus"] == meant["versus"] == ["front-heavy"]
    assert told["entries"] == meant["entries"]


def test_a_run_that_was_killed_begins_again(run_cli: RunCli, tmp_path: Path) -> None:
    kept = ("--resume", str(tmp_path / "run"), "--output", str(tmp_path / "deals.csv"))

    def die(*_: object) -> None:
        raise SystemError("killed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cp_cli.simulation.run.State.add", die)
        assert run_cli("simulate", *HERO, "--deals", "3", *kept).exit_code == 1
    assert run_cli("simulate", *HERO, "--deals", "6", *kept).exit_code == 0
    rows = (tmp_path / "deals.csv").read_text().splitlines()[1:]
    assert [row.partition(",")[0] for row in rows] == [str(deal) for deal in range(1, 7)]


def test_a_kept_run_may_be_a_link(run_cli: RunCli, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "run.json")
    assert run_cli("simulate", *HERO, "--deals", "3", "--resume", str(link)).exit_code == 0
    assert link.is_symlink()
    assert json.loads((tmp_path / "run.json").read_text())["deals"] == 3
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    for flag in ("--output", "--resume"):
        refused = run_cli("simulate", *HERO, "--deals", "3", flag, str(loop))
        assert refused.exit_code == 1
        assert "loop.csv: cannot be " in refused.stderr


def test_the_defaults_are_those_of_the_library() -> None:
    assert (simulate_request.DEALS, simulate_request.HORIZON) == (run.DEALS, run.HORIZON)


def test_a_link_to_a_file_is_followed(run_cli: RunCli, tmp_path: Path) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "deals.csv")
    assert run_cli("simulate", *HERO, "--deals", "3", "--output", str(link)).exit_code == 0
    assert link.is_symlink()
    assert len((tmp_path / "deals.csv").read_text().splitlines()) == 4


# --- pages and exact chances ---------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".html", ".svg"])
def test_a_page_is_saved(simulate: RunCli, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"report{suffix}"
    shown = simulate(*HERO, "--save", str(path))
    assert shown.exit_code == 0
    text = path.read_text(encoding="utf-8").replace("&#160;", " ")
    for line in shown.stdout.splitlines()[1:3]:
        assert line in text


def test_exact_naturals(run_cli: RunCli) -> None:
    exact = ("simulate", "--exact", "naturals", "--ruleset", "hawaiian-gardens")
    document = read_json(run_cli(*exact, "--json"))
    counted = {each["name"]: each["held"] for each in document["naturals"]}
    assert (document["total"], counted["dragon"], counted["one_suit"]) == (
        *(635_013_559_600, 4**13, 4),
    )
    rows = list(csv.DictReader(io.StringIO(run_cli(*exact, "--format", "csv").stdout)))
    assert {row["name"]: int(row["held"]) for row in rows} == counted
    table = run_cli(*exact).stdout
    assert "dragon                        13     67,108,864           9,462" in table
    assert max(map(len, table.splitlines())) <= 80


def test_defaults_are_those_of_the_library() -> None:
    assert (simulate_request.DEALS, simulate_request.HORIZON) == (run.DEALS, run.HORIZON)
