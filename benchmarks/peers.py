"""Other people's evaluators of poker hands, where they are installed (`pip install .[dev]`)."""

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cp_cli.cards import format_cards

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Peer:
    """One evaluator: how it writes our rows, and how it ranks them, one call a row."""

    name: str
    read: Callable[[Iterable[Cards]], Iterator[Any]]
    rank: Callable[[Any], int]
    largest_wins: bool


def _open_phevaluator() -> Peer:
    evaluate = importlib.import_module("phevaluator").evaluate_cards  # its cards are ours
    return Peer("phevaluator", iter, lambda row: evaluate(*row), False)


def _open_treys() -> Peer:
    treys = importlib.import_module("treys")
    deck = [treys.Card.new(format_cards([card])) for card in range(52)]
    evaluate = treys.Evaluator().evaluate
    return Peer(
        "treys",
        lambda rows: ([deck[card] for card in row] for row in rows),
        lambda row: evaluate(row, []),
        False,
    )


def _open_eval7() -> Peer:
    eval7 = importlib.import_module("eval7")
    deck = [eval7.Card(format_cards([card])) for card in range(52)]
    return Peer(
        "eval7", lambda rows: ([deck[card] for card in row] for row in rows), eval7.evaluate, True
    )


_OPENERS = {"phevaluator": _open_phevaluator, "treys": _open_treys, "eval7": _open_eval7}


def open_peers(names: Iterable[str] = _OPENERS) -> tuple[list[Peer], list[str]]:
    """Return the peers that are installed, and a note about each of the others."""
    peers, notes = [], []
    for name in names:
        try:
            peers.append(_OPENERS[name]())
        except ImportError:
            notes.append(f"{name}: peer not installed")
    return peers, notes
