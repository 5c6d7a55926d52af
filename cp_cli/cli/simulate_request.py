"""What `cpoker simulate` is asked: read and checked before any strategy is opened."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cp_cli.arrangement import Arrangement, Subject, parse_arrangement
from cp_cli.cards import describe_count, parse_cards
from cp_cli.cli.options import (
    EQUILIBRIUM,
    TRAINED_SUFFIX,
    check_alone,
    count_opponents,
    read_role,
)
from cp_cli.cli.simulate_files import check_readable, check_writable
from cp_cli.errors import CardError, CpokerError, InputError, quote_text

if TYPE_CHECKING:
    from cp_cli.cli.options import Role
    from cp_cli.ruleset import Ruleset
    from cp_cli.simulation.plan import Plan, Request
    from cp_cli.simulation.run import Stop

DEALS = 20_000
HORIZON = 1_000  # deals within which a bankroll is at risk
DEAL = 13
PACK = 52

_TIME = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+) *(ms|s|m|h|)", re.ASCII)
_SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}
_LONGEST = 1e9  # seconds


@dataclass(frozen=True, slots=True)
class Task:
    """What the user asks: the plan to play, when to stop, which files to keep."""

    plan: "Plan"
    stop: "Stop"
    seed: int
    bankroll: int | None
    horizon: int
    output: Path | None
    resume: Path | None
    save: Path | None


# --- options -------------------------------------------------------------------------------------


def read_time(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> float | None:
    """Return a time in seconds."""
    if value is None:
        return None
    found = _TIME.fullmatch(value.strip().lower())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not 0 < seconds <= _LONGEST:
        raise click.BadParameter(
            f"{quote_text(value)}; expected a time above 0, as 30s, 500ms, 2m, 1h or 90 (seconds)"
        )
    return seconds


def read_path(
    context: click.Context, parameter: click.Parameter, value: str | None, suffixes: str
) -> Path | None:
    """Return a path with one of the suffixes, which are written `.csv .jsonl`."""
    if value is None:
        return None
    path = Path(value)
    if suffixes and path.suffix.lower() not in suffixes.split():
        expected = " or ".join(suffixes.split())
        raise click.BadParameter(
            f"{quote_text(value, 60)}; expected a file that ends in {expected}"
        )
    return path


def check_usage(options: dict[str, Any]) -> None:
    """Raise UsageError for options that mean nothing together."""
    if options["within"] is not None and options["bankroll"] is None:
        raise click.UsageError("--within has a meaning only with --bankroll")
    if options["stored"]:
        flags = {"target_se": "--target-se", "seconds": "--time"}
        for name in ("output", "resume", "precise", "target_se", "seconds"):
            if options[name]:
                flag = flags.get(name, f"--{name}")
                raise click.UsageError(f"--stored plays at once; expected no {flag} with it")
    given = {name: options[name] for name in ("output", "resume", "save") if options[name]}
    places: dict[Path, str] = {}
    for name, path in given.items():
        place = Path(os.path.realpath(path))  # unlike `resolve` this minds no loop of links
        if place in places:
            raise click.UsageError(
                f"--{places[place]} and --{name} are both {path}; expected two files"
            )
        places[place] = name


# --- the task ------------------------------------------------------------------------------------


def read_task(texts: tuple[str, ...], options: dict[str, Any]) -> Task:
    """Check everything that needs no strategy before any is opened, perhaps trained."""
    from cp_cli.simulation.plan import build_plan
    from cp_cli.simulation.run import Stop

    check_usage(options)
    plan = build_plan(_read_request(texts, options))
    unlimited = options["stored"] or options["target_se"] or options["seconds"]
    deals = options["deals"] or (None if unlimited else DEALS)
    for name in ("output", "resume", "save"):
        if options[name] is not None:
            check_writable(options[name], f"--{name}")
    return Task(
        plan=plan,
        stop=Stop(deals, options["target_se"], options["seconds"]),
        seed=options["seed"],
        bankroll=options["bankroll"],
        horizon=options["within"] or HORIZON,
        output=options["output"],
        resume=options["resume"],
        save=options["save"],
    )


def _read_request(texts: tuple[str, ...], options: dict[str, Any]) -> "Request":
    """Return what is to be simulated."""
    from cp_cli.ruleset import load_ruleset
    from cp_cli.simulation.plan import Request

    ruleset = load_ruleset(options["ruleset"], options["settings"])
    subjects = read_subjects(texts)
    role = read_role(ruleset, options["role"])
    dead = parse_cards(options["dead"], "--dead")
    strategy = options["strategy"] or EQUILIBRIUM
    _check_hero(subjects, options)
    # Where the hero's cards are set, only the others have any to set.
    versus = options["versus"] or ((strategy,) if _are_set(subjects) else (EQUILIBRIUM,))
    for flag, name in (("--strategy", strategy), *(("--versus", each) for each in versus)):
        if name.lower().endswith(TRAINED_SUFFIX):
            check_readable(Path(name), flag)
    known = tuple(
        _read_subject(text, f"--opponent {number}")
        for number, text in enumerate(options["opponent"], start=1)
    )
    return Request(
        ruleset=ruleset,
        opponents=_count_opponents(ruleset, options["opponents"], role, subjects, dead),
        subjects=subjects,
        strategy=strategy,
        versus=versus,
        known=known,
        dead=dead,
        role=role,
        chips=options["chips"],
        stored=options["stored"],
        precise=options["precise"],
    )


def read_subjects(texts: tuple[str, ...]) -> tuple[Subject, ...]:
    """Return the splits and the cards that the arguments are; cards may be several arguments.

    A split whose rows are spread over arguments, as without quotes, is put together.
    """
    marks = [text.count("/") + text.count("|") for text in texts]
    if sum(marks) == 2 and max(marks) < 2:
        return (_read_subject(" ".join(texts), "arrangement"),)
    subjects: list[Subject] = []
    loose = [text for text, mark in zip(texts, marks, strict=True) if not mark]
    splits = sum(map(bool, marks))
    for number, (text, mark) in enumerate(zip(texts, marks, strict=True), start=1):
        if mark:
            what = f"argument {number}" if splits > 1 or loose else "arrangement"
            subjects.append(_read_subject(text, what))
        elif text is loose[0]:
            subjects.append(_read_subject(" ".join(loose), "cards"))
            loose = [""]
    return tuple(subjects)


def _read_subject(text: str, what: str) -> Subject:
    """Read a split, or 1 to 13 cards; a message begins with what it is."""
    if "/" in text or "|" in text:
        try:
            return parse_arrangement(text)
        except CpokerError as error:
            reason = str(error).removeprefix("arrangement: ")
            raise type(error)(f"{what}: {reason}") from None
    cards = parse_cards(text, what)
    if not 1 <= len(cards) <= DEAL:
        raise CardError(f"{what}: {describe_count(len(cards))}, expected 1 to {DEAL}")
    return cards


def _are_set(subjects: tuple[Subject, ...]) -> bool:
    """Tell whether there is a hero, and nothing left to set for him."""
    return bool(subjects) and all(isinstance(subject, Arrangement) for subject in subjects)


def _check_hero(subjects: tuple[Subject, ...], options: dict[str, Any]) -> None:
    """Raise InputError for options about a hero where there is none, or nothing to decide."""
    strategy, role = options["strategy"], options["role"]
    if role is not None and not subjects:
        raise InputError(f"--role {role}: nobody's role; expected CARDS or an ARRANGEMENT, too")
    if strategy is not None and _are_set(subjects) and options["versus"]:
        raise InputError(
            f"--strategy {strategy}: the hero's cards are set already, and --versus says how "
            f"opponents set theirs; expected CARDS, or one of the two"
        )


def _count_opponents(
    ruleset: "Ruleset",
    wanted: int | None,
    role: "Role",
    subjects: tuple[Subject, ...],
    dead: tuple[int, ...],
) -> int:
    """Return how many opponents there are, by default all that there is room for."""
    opponents = count_opponents(ruleset, wanted)
    if ruleset.mode == "bank" and role == "player" and subjects:
        check_alone(wanted)
        return 1
    if ruleset.mode == "criss_cross":
        return opponents
    if wanted is None:
        opponents = max(1, min(opponents, (PACK - len(dead)) // DEAL - 1))
    room = PACK - DEAL * (1 + opponents)
    if len(dead) > room:
        seats = "1 opponent leaves" if opponents == 1 else f"{opponents} opponents leave"
        raise CardError(f"--dead: {describe_count(len(dead))}; {seats} room for {room or 'none'}")
    return opponents


def check_exact(context: click.Context, texts: tuple[str, ...], allowed: set[str]) -> None:
    """Raise UsageError for an option that --exact, which plays nothing, makes no use of."""
    if texts:
        raise click.UsageError(
            f"--exact counts, it plays nothing; expected no CARDS or ARRANGEMENT, not "
            f"{quote_text(texts[0])}"
        )
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name not in allowed and source == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"--exact counts, it plays nothing; expected no {parameter.opts[0]}"
            )
