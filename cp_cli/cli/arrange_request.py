"""What `cpoker arrange` is asked: options read and checked before any opponent is trained."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cp_cli.arrangement import Arrangement, parse_arrangement
from cp_cli.cards import check_distinct, describe_count, format_cards, parse_cards
from cp_cli.cli.options import Role, check_alone, count_opponents, read_role
from cp_cli.errors import ArrangementError, CardError, CpokerError, InputError, quote_text

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

SPLITS = 72_072  # no deal has more


def read_top(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> int | str | None:
    """Return a number of splits, or `all`."""
    if value is None or value.lower() == "all":
        return value and "all"
    try:
        number = int(value)
    except ValueError:
        number = 0
    if number < 1:
        raise click.BadParameter(f"{quote_text(value)}; expected a number of 1 or more, or all")
    return min(number, SPLITS)


def read_score(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """Return the own score and the other's."""
    if value is None:
        return None
    found = re.fullmatch(r"([0-9]{1,7})-([0-9]{1,7})", value)
    if not found:
        raise click.BadParameter(f"{quote_text(value)}; expected two scores, yours first, as 9-10")
    return int(found[1]), int(found[2])


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asks about every deal."""

    ruleset: "Ruleset"
    strategy: str
    opponents: int | None  # None: all that the rules and dead cards allow
    role: Role
    score: tuple[int, int] | None
    top: int | None  # None lists every split
    dead: tuple[int, ...]
    compare: tuple[Arrangement, ...]
    diverse: bool
    samples: int | None
    target_se: float | None
    seed: int


def read_request(options: dict[str, Any], deal: tuple[int, ...] | None, top: int | str) -> Request:
    """Check the options, everything that needs no opponents before they are trained."""
    from cp_cli.ruleset import load_ruleset

    ruleset = load_ruleset(options["ruleset"], options["settings"])
    role = read_role(ruleset, options["role"])
    score = options["score"]
    if score is not None:
        _check_score(ruleset, score)
    compare = tuple(
        _read_compared(text, deal, ruleset) for text in options["compare"] if deal is not None
    )
    everything = SPLITS if options["diverse"] else None
    return Request(
        ruleset=ruleset,
        strategy=options["strategy"],
        opponents=_count_opponents(ruleset, options["opponents"], role, score),
        role=role,
        score=score,
        top=everything if top == "all" else int(top),
        dead=parse_cards(options["dead"], "--dead"),
        compare=compare,
        diverse=options["diverse"],
        samples=options["samples"],
        target_se=options["target_se"],
        seed=options["seed"],
    )


def _check_score(ruleset: "Ruleset", score: tuple[int, int]) -> None:
    """Raise InputError unless a race of two can stand like that."""
    text = f"--score {score[0]}-{score[1]}"
    if ruleset.mode != "race":
        raise InputError(f"{text}: ruleset {ruleset.id} keeps no score, expected mode race")
    target = ruleset.race.target
    if max(score) >= target and score[0] != score[1]:
        raise InputError(f"{text}: the game to {target} is over, expected scores below {target}")


def _count_opponents(
    ruleset: "Ruleset", opponents: int | None, role: Role, score: tuple[int, int] | None
) -> int | None:
    """Return how many opponents there are, None for all that there is room for."""
    count_opponents(ruleset, opponents)
    if ruleset.mode == "bank" and role == "player":
        check_alone(opponents)
        return 1
    if score is not None:
        if opponents not in (None, 1):
            raise InputError(f"--opponents {opponents}: --score is that of two, expected 1")
        return 1
    return opponents


def _read_compared(text: str, deal: tuple[int, ...], ruleset: "Ruleset") -> Arrangement:
    """Read one split to compare: the cards of the deal, and no foul."""
    from cp_cli.evaluator import explain_foul

    try:
        arrangement = parse_arrangement(text)
    except CpokerError as error:
        raise ArrangementError(f"--compare: {error}") from None
    foreign = format_cards(card for card in arrangement.cards if card not in deal)
    if foreign:
        left = format_cards(card for card in deal if card not in arrangement.cards)
        raise ArrangementError(
            f"--compare {arrangement}: not in the deal: {foreign}; instead of {left}"
        )
    fault = explain_foul(arrangement, ruleset.order)
    if fault:
        raise ArrangementError(f"--compare {arrangement}: foul: {fault}")
    return arrangement


def check_deal(request: Request, deal: tuple[int, ...], dead: tuple[int, ...]) -> int:
    """Return the number of opponents; raises CardError if they cannot hold thirteen cards each."""
    check_distinct([("cards", deal), ("dead", dead)])
    left = 52 - len(deal) - len(dead)
    if request.opponents is None:
        most = request.ruleset.players.max - 1
        opponents = max(1, min(most, left // 13))
    else:
        opponents = request.opponents
    if left < 13 * opponents:
        room = 39 - 13 * opponents
        seats = "1 opponent leaves" if opponents == 1 else f"{opponents} opponents leave"
        raise CardError(f"dead: {describe_count(len(dead))}; {seats} room for {room or 'none'}")
    return opponents
