"""`cpoker strategy set`: what a strategy makes of deals."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cp_cli.cards import format_cards
from cp_cli.cli.inputs import BadLine, Deal, read_deals
from cp_cli.cli.options import (
    EQUILIBRIUM,
    TRAINED_SUFFIX,
    jobs_option,
    report,
    ruleset_options,
    seed_option,
    strategy_option,
)
from cp_cli.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cp_cli._kernels.opponents import Game
    from cp_cli.field import Deals, Field
    from cp_cli.ruleset import Ruleset

    SetDeals = Callable[[NDArray[np.uint8]], NDArray[np.int32]]

AT_ONCE = 1024  # deals of a file set together, for the cores to share
COLUMNS = "cards,front,middle,back"
FAULTS = (
    "the strategy's file does not hold this deal",
    "every split is a foul, expected a legal one",
)

EXAMPLES = """\b
Examples:
  cpoker strategy set --input deals.txt > set.csv
  cpoker strategy set --input deals.txt --strategy level-40 --ruleset one-six
  generate-deals | cpoker strategy set --input - --fast
"""


@click.command("set", epilog=EXAMPLES)
@click.option(
    "--input",
    "source",
    metavar="FILE",
    required=True,
    help="Deals, one a line, JSON Lines or YAML; - is stdin.",
)
@strategy_option("--strategy", "How to set them.", files=True)
@click.option("--fast", is_flag=True, help="Set deals from tables: sooner, and nearly as well.")
@click.option("--strict", is_flag=True, help="Stop at the first bad line.")
@ruleset_options
@seed_option
@jobs_option
@click.pass_context
def set_deals(
    context: click.Context,
    /,
    source: str,
    strategy: str,
    fast: bool,
    strict: bool,
    ruleset: str,
    settings: tuple[str, ...],
    seed: int,
    jobs: int,
) -> None:
    """Print how a strategy sets each deal, as CSV.

    A deal that the strategy would declare or surrender is printed with its best split.
    """
    from cp_cli.ruleset import load_ruleset

    if fast and strategy != EQUILIBRIUM and not strategy.lower().endswith(TRAINED_SUFFIX):
        raise click.UsageError(
            f"--fast goes with {EQUILIBRIUM} or a {TRAINED_SUFFIX} file, not with {strategy}"
        )
    rules = load_ruleset(ruleset, settings)
    set_cards: SetDeals | None = None
    faults = 0
    for entries in _take_batches(read_deals(source), 1 if source == "-" else AT_ONCE):
        if set_cards is None:
            set_cards = _open_setter(rules, strategy, fast, seed, jobs)
            click.echo(COLUMNS)
        faults += _set_batch(entries, set_cards, strict)
    context.exit(1 if faults else 0)


def _open_setter(ruleset: "Ruleset", name: str, fast: bool, seed: int, jobs: int) -> "SetDeals":
    """Return what sets deals, highest card first, by a strategy; it never declares."""
    from cp_cli.settlement.game import build_game
    from cp_cli.strategy import open_setter
    from cp_cli.strategy.levels import HIGHEST_LEVEL, parse_level
    from cp_cli.strategy.named import RULES
    from cp_cli.strategy.sources import is_csv, is_trained, open_file, read_splits

    level = HIGHEST_LEVEL if is_trained(name) or name == EQUILIBRIUM else parse_level(name)
    if name in RULES:
        return open_setter(name, build_game(ruleset), seed=seed, jobs=jobs)
    if is_csv(name):
        return read_splits(Path(name)).set_cards
    if is_trained(name):
        field, game = open_file(Path(name), ruleset)
        field = replace(field, game=game)
    else:
        field = _open_choosing(ruleset, jobs)
    if fast:
        return _open_fast(ruleset, field, jobs)
    return _open_answer(ruleset, field, HIGHEST_LEVEL if level is None else level, seed, jobs)


def _open_choosing(ruleset: "Ruleset", jobs: int) -> "Field":
    """Return the opponents that arrange ranks splits by, with the rules as we see them."""
    from cp_cli.equity import open_analyst
    from cp_cli.render import TrainingProgress

    with TrainingProgress(ruleset.id) as progress:
        analyst = open_analyst(ruleset, jobs=jobs, progress=progress)
    return replace(analyst.choosing, game=analyst.game)


def _open_fast(ruleset: "Ruleset", field: "Field", jobs: int) -> "SetDeals":
    """Return what sets deals from tables."""
    from cp_cli.strategy.fast import answer_fast, build_fast

    tables = build_fast(field, jobs, game=_forbid_surrender(field))
    return lambda cards: answer_fast(_describe_plain(cards, ruleset), tables, jobs)


def _open_answer(
    ruleset: "Ruleset", field: "Field", level: int, seed: int, jobs: int
) -> "SetDeals":
    """Return what sets deals as a player of a level; without mistakes at the highest."""
    from cp_cli.strategy.levels import set_at_level

    game = _forbid_surrender(field)

    def set_cards(cards: "NDArray[np.uint8]") -> "NDArray[np.int32]":
        deals = _describe_plain(cards, ruleset)
        return set_at_level(level, deals, field, seed=seed, jobs=jobs, game=game)

    return set_cards


def _forbid_surrender(field: "Field") -> "Game":
    """Return the rules of a field without surrender: rows are wanted in any case."""
    return field.game._replace(surrender=-1)


def _describe_plain(cards: "NDArray[np.uint8]", ruleset: "Ruleset") -> "Deals":
    """Return deals as if they held no naturals, so that they can only be played."""
    import numpy as np

    from cp_cli.field import describe_deals

    deals = describe_deals(cards, ruleset)
    return replace(deals, places=np.full_like(deals.places, -1))


def _take_batches(entries: Iterator[Deal | BadLine], size: int) -> Iterator[list[Deal | BadLine]]:
    while batch := list(islice(entries, size)):
        yield batch


def _set_batch(entries: list[Deal | BadLine], set_cards: "SetDeals", strict: bool) -> int:
    """Print the deals of a batch and report its bad lines; return how many there are."""
    bad = [entry for entry in entries if isinstance(entry, BadLine)]
    if strict and bad:
        entries = entries[: entries.index(bad[0])]
    fouls = _print_deals([entry for entry in entries if isinstance(entry, Deal)], set_cards)
    if strict and bad:
        raise InputError(str(bad[0]))
    for fault in bad:
        report(f"error: {fault}")
    return len(bad) + fouls


def _print_deals(deals: list[Deal], set_cards: "SetDeals") -> int:
    """Print one CSV row for each deal; report and count those without a legal split."""
    import numpy as np

    from cp_cli.candidates import read_split
    from cp_cli.field import FOUL
    from cp_cli.strategy.sources import UNKNOWN

    if not deals:
        return 0
    cards = np.array([sorted(deal.cards, reverse=True) for deal in deals], dtype=np.uint8)
    lines = []
    fouls = 0
    for deal, highest_first, code in zip(deals, cards, set_cards(cards), strict=True):
        if code in (FOUL, UNKNOWN):
            report(f"error: {deal.place}: {FAULTS[int(code == FOUL)]}")
            fouls += 1
            continue
        rows = read_split(highest_first, int(code)).rows
        lines.append(",".join(map(format_cards, (deal.cards, *rows))))
    if lines:
        click.echo("\n".join(lines))
    return fouls
