"""A long simulation kept in a file, to go on with it another day.

The file knows what is simulated; a digest guards against going on with something else.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from cp_cli import __version__
from cp_cli._kernels.jit import digest_sources
from cp_cli.errors import InputError
from cp_cli.simulation.payer import Payer
from cp_cli.simulation.plan import Plan
from cp_cli.simulation.run import State
from cp_cli.simulation.tallies import Tally
from cp_cli.strategy.named import RULES
from cp_cli.strategy.sources import find_fingerprint

FORMAT = 1


def digest_plan(plan: Plan, seed: int) -> str:
    """Return 16 hex digits of all that decides what is played, and of the version that plays."""
    ways = dict.fromkeys((way.label, way.role) for ways in plan.ways for way in ways)
    opponents = plan.request.opponents
    files = [
        find_fingerprint(plan.ruleset, name, opponents, role)
        for name, role in ways
        if name not in RULES
    ]
    parts = [FORMAT, __version__, digest_sources(), seed, plan, files]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def write_state(path: Path, state: State, plan: Plan, seed: int) -> None:
    """Write how a simulation stands, in one step: a file is never half written.

    Only whole packs are kept. Raises InputError if the file cannot be written.
    """
    document = {
        "format": FORMAT,
        "simulation": digest_plan(plan, seed),
        "deals": state.deals - state.cut_deals,
        "packs": state.packs,
        "elapsed_s": state.elapsed,
        "tallies": [tally.to_plain() for tally in state.whole],
    }
    try:
        place = path.resolve()  # a link stays one
        fresh = place.with_name(f"{place.name}.new")
        try:
            fresh.write_text(json.dumps(document), encoding="utf-8")
            fresh.replace(place)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be written: {reason}") from None


def read_state(path: Path, plan: Plan, seed: int) -> State:
    """Return how a simulation stood; a new state if there is no such file.

    Raises InputError if the file cannot be read, is damaged, or is of another simulation.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise InputError(f"{path}: no file of --resume; expected one, or a new name")
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return State()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    try:
        document = json.loads(text)
        same = document["simulation"] == digest_plan(plan, seed)
        state = _read_document(document, plan) if same else None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{path}: no simulation in it; expected a file of --resume") from None
    if state is None:
        raise InputError(
            f"{path}: another simulation (other cards, rules, strategies, seed or version); "
            f"expected the same, or a new file"
        )
    return state


def _read_document(document: dict[str, Any], plan: Plan) -> State:
    """Return the state of a document; ValueError if it does not add up."""
    tallies = [Tally.from_plain(plain) for plain in document["tallies"]]
    state = State(
        packs=int(document["packs"]),
        whole=tallies,
        deals=int(document["deals"]),
        elapsed=float(document["elapsed_s"]),
    )
    if state.deals != state.packs * len(plan.tables) or not state.elapsed >= 0:
        raise ValueError("deals and packs differ")
    if len(tallies) != (len(plan.counted) if state.deals else 0):
        raise ValueError("as many tallies as entries")
    reasons = len(Payer(plan).reasons)
    for counted, tally in zip(plan.counted, tallies, strict=False):
        seats = state.deals * len(counted.places)
        sound = tally.seats == tally.units.size == tally.histogram.total() == seats
        lengths = len(tally.outcomes), len(tally.reasons)
        if not sound or tally.units.count != state.packs or lengths != (9, reasons):
            raise ValueError("a tally does not add up")
    return state
