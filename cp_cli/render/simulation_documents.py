"""Simulations for programs: a JSON document, or a CSV record for each entry."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cp_cli.arrangement import ROW_NAMES, Arrangement
from cp_cli.cards import format_card
from cp_cli.render.simulation_words import list_simulation_notes, write_subject

if TYPE_CHECKING:
    from cp_cli.simulation.plan import Request
    from cp_cli.simulation.results import Entry, Estimate, Simulation

_SHARED = ("ruleset", "seed", "deals", "packs", "seats", "ending", "unit")
_FIGURES = (
    *("scoop", "scooped", "home_run", "home_run_against", "royalties"),
    *("declared", "fouls", "surrendered"),
)
SIMULATION_COLUMNS = (
    *(*_SHARED, "label", "role", "action"),
    *("ev", "se", "low95", "high95", "difference", "difference_se", "sd", "q5", "q50", "q95"),
    *(f"{what}_{name}" for what in ("win", "tie", "lose") for name in ROW_NAMES),
    *(*_FIGURES, "ruin", "ruin_se"),
)


def _round(value: float) -> float | None:
    """Drop the digits that mean nothing; a single pack has no standard error."""
    return round(value, 6) + 0.0 if math.isfinite(value) else None


def _amount(units: float) -> float:
    """Return units of a deal, as a whole number where they are one."""
    return int(units) if units == int(units) else round(units, 6)


def _by_row(values: Sequence[float]) -> dict[str, float | None]:
    return dict(zip(ROW_NAMES, map(_round, values), strict=True))


def build_simulation_document(simulation: "Simulation", request: "Request") -> dict[str, Any]:
    """Return a simulation as a JSON document; `cpoker simulate --help` tells its keys."""
    return {
        "ruleset": simulation.ruleset.id,
        "seed": simulation.seed,
        "deals": simulation.deals,
        "elapsed_s": round(simulation.elapsed, 3),
        "entries": [_build_entry(entry) for entry in simulation.entries],
        "seats": simulation.seats,
        "packs": simulation.packs,
        "ending": simulation.ending,
        "unit": simulation.unit,
        "opponents": request.opponents,
        "role": request.role if request.subjects and request.ruleset.mode == "bank" else None,
        "strategy": request.strategy,
        "versus": list(request.versus),
        "known": [write_subject(subject) for subject in request.known],
        "dead": [format_card(card) for card in request.dead],
        "chips": request.chips,
        "stored": simulation.stored,
        "precise": request.precise,
        "notes": list_simulation_notes(simulation, request),
    }


def _build_entry(entry: "Entry") -> dict[str, Any]:
    return {
        "label": entry.label,
        "ev": _round(entry.units.mean),
        "se": _round(entry.units.se),
        "ci95": [_round(bound) for bound in entry.units.ci95],
        "sd": _round(entry.sd),
        "win": _by_row(entry.win),
        "tie": _by_row(entry.tie),
        "lose": _by_row(entry.lose),
        "scoop": _round(entry.scoop),
        "scooped": _round(entry.scooped),
        "home_run": _round(entry.home_run),
        "home_run_against": _round(entry.home_run_against),
        "royalties": _round(entry.royalties),
        "declared": _round(entry.declared),
        "fouls": _round(entry.fouled),
        "surrendered": _round(entry.surrendered),
        "reasons": {reason: _round(units) for reason, units in entry.reasons},
        "quantiles": dict(zip(("5", "50", "95"), map(_amount, entry.quantiles), strict=True)),
        "difference": _build_estimate(entry.difference),
        "ruin": _build_ruin(entry),
        "role": entry.role,
        "action": entry.action,
        "arrangement": _build_rows(entry.arrangement),
        "deals": entry.deals,
        "histogram": [[_amount(units), count] for units, count in entry.histogram],
    }


def _build_estimate(found: "Estimate | None") -> dict[str, Any] | None:
    return None if found is None else {"ev": _round(found.mean), "se": _round(found.se)}


def _build_ruin(entry: "Entry") -> dict[str, Any] | None:
    ruin = entry.ruin
    if ruin is None:
        return None
    return {
        "bankroll": ruin.bankroll,
        "deals": ruin.deals,
        "chance": _round(ruin.chance),
        "se": _round(ruin.se),
    }


def _build_rows(arrangement: Arrangement | None) -> dict[str, list[str]] | None:
    if arrangement is None:
        return None
    rows = ([format_card(card) for card in row] for row in arrangement.rows)
    return dict(zip(ROW_NAMES, rows, strict=True))


def list_simulation_records(simulation: "Simulation", request: "Request") -> Iterator[list[Any]]:
    """Yield a CSV record of SIMULATION_COLUMNS for each entry; what is not known is empty."""
    document = build_simulation_document(simulation, request)
    shared = [document[key] for key in _SHARED]
    for entry in document["entries"]:
        difference, ruin = entry["difference"] or {}, entry["ruin"] or {}
        cells = [
            *shared,
            *(entry[key] for key in ("label", "role", "action", "ev", "se")),
            *(*entry["ci95"], difference.get("ev"), difference.get("se"), entry["sd"]),
            *entry["quantiles"].values(),
            *(entry[what][name] for what in ("win", "tie", "lose") for name in ROW_NAMES),
            *(entry[key] for key in _FIGURES),
            *(ruin.get("chance"), ruin.get("se")),
        ]
        yield ["" if cell is None else cell for cell in cells]
