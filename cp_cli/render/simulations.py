"""Simulations for people: what was earned, how, and how it is spread."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from cp_cli.arrangement import ROW_NAMES
from cp_cli.render.distribution import draw_distribution, format_amount_of, format_share
from cp_cli.render.lines import cut_text, pad_text, wrap_text
from cp_cli.render.paint import Paint
from cp_cli.render.simulation_words import (
    describe_deals,
    describe_players,
    describe_subject,
    list_simulation_notes,
    name_entry,
    name_reason,
)
from cp_cli.render.words import count_nouns, format_units

if TYPE_CHECKING:
    from cp_cli.simulation.plan import Request
    from cp_cli.simulation.results import Entry, Estimate, Simulation
    from cp_cli.simulation.ruin import Ruin

FEW_BARS = 12  # of the chart below a comparison
ESTIMATE, LAST = 16, 18  # columns of an estimate with its error, and of what follows
NAME, CELL = 20, 12  # columns of the details of several entries
PANEL = 40  # columns of the rows won, beside the reasons


def draw_simulation(simulation: "Simulation", request: "Request", paint: Paint) -> Iterator[str]:
    """Yield the lines that tell what a simulation found."""
    yield from _draw_title(simulation, request, paint)
    yield ""
    entries = _choose_entries(simulation, request)
    if len(entries) == 1:
        yield from _draw_one(entries[0], simulation.unit, paint)
    else:
        yield from _draw_comparison(entries, paint)
        yield ""
        yield from _draw_details(entries, simulation.unit, paint)
    yield ""
    yield from _draw_spread(entries, simulation.unit, paint)
    notes = list_simulation_notes(simulation, request)
    if notes:
        yield ""
    for note in notes:
        for line in wrap_text(note, paint.width):
            yield paint.style(line, "dim")


def _choose_entries(simulation: "Simulation", request: "Request") -> "Sequence[Entry]":
    """Return the entries to draw: of two players alone one, the other's figures are the same."""
    alone = not request.subjects and simulation.seats == 2 and request.ruleset.mode != "bank"
    mirrored = alone and not request.ruleset.rake and simulation.entries[0].ruin is None
    return simulation.entries[:1] if mirrored else simulation.entries


def _draw_title(simulation: "Simulation", request: "Request", paint: Paint) -> Iterator[str]:
    players = describe_players(request, simulation.seats)
    if request.subjects:
        plain = Paint(paint.width)
        told = describe_subject(request, plain)
        if len(told) <= paint.width:
            yield describe_subject(request, paint)
        else:
            yield from wrap_text(told, paint.width)
    for line in wrap_text(players, paint.width):
        yield paint.style(line, "bold")
    for sentence in describe_deals(simulation, request):
        yield from wrap_text(sentence, paint.width)


# --- one entry -----------------------------------------------------------------------------------


def _draw_one(entry: "Entry", unit: str, paint: Paint) -> Iterator[str]:
    """Yield everything about the only entry."""
    error = ", exact by symmetry" if entry.exact else _tell_error(entry.units)
    told = f"EV {format_units(entry.units.mean)} {unit} a deal{error}"
    for line in wrap_text(told, paint.width):
        yield line.replace("EV", paint.style("EV", "bold"))
    if entry.action and entry.action != "play":
        yield f"always: {entry.action}"
    elif entry.arrangement is not None and entry.label != str(entry.arrangement):
        yield f"set as {paint.arrangement(entry.arrangement)}"
    yield ""
    yield from _draw_panels(_list_rows(entry), _list_reasons(entry), paint)
    yield ""
    for sentence in _describe_entry(entry, unit):
        yield from wrap_text(sentence, paint.width)


def _tell_error(units: "Estimate") -> str:
    if not math.isfinite(units.se):
        return ", one pack of cards: nobody knows how near"
    return f" ± {units.se:.3f}, 95% {_tell_interval(units)}"


def _tell_interval(units: "Estimate") -> str:
    low, high = units.ci95
    return f"{format_units(low)} to {format_units(high)}" if math.isfinite(units.se) else "?"


def _list_rows(entry: "Entry") -> list[str]:
    """Return the table of rows won, tied and lost, its heading first."""
    lines = [f"{'row':<10}{'won':>8}{'tied':>8}{'lost':>8}"]
    for row, name in enumerate(ROW_NAMES):
        shares = (entry.win[row], entry.tie[row], entry.lose[row])
        lines.append(f"{name:<10}{''.join(f'{format_share(share):>8}' for share in shares)}")
    swept = [("all three", entry.scoop, entry.scooped)]
    if entry.home_run or entry.home_run_against:
        swept.append(("home run", entry.home_run, entry.home_run_against))
    lines += [
        f"{name:<10}{format_share(won):>8}{'':8}{format_share(lost):>8}"
        for name, won, lost in swept
    ]
    return lines


def _list_reasons(entry: "Entry") -> list[str]:
    """Return the table of where the units come from; empty where that is all nothing."""
    told = [(name_reason(reason), units) for reason, units in entry.reasons if units]
    if not told:
        return []
    told.append(("together", entry.units.mean))
    head = f"{'units from':<15}{'a deal':>8}"
    return [head, *(f"{name:<15}{format_units(units):>8}" for name, units in told)]


def _draw_panels(left: Sequence[str], right: Sequence[str], paint: Paint) -> Iterator[str]:
    """Yield two tables side by side, or one below the other where the width is too small."""
    beside = PANEL + max(map(len, right), default=0) <= paint.width
    if not beside:
        for lines in filter(None, (left, right)):
            yield paint.style(lines[0], "bold")
            yield from lines[1:]
        return
    for at, (one, two) in enumerate(zip_longest(left, right, fillvalue="")):
        line = f"{one:<{PANEL}}{two}".rstrip()
        yield line if at else paint.style(line, "bold")


def _describe_entry(entry: "Entry", unit: str) -> Iterator[str]:
    """Yield sentences on royalties, odd hands, risk."""
    low, half, high = map(format_amount_of, entry.quantiles)
    shown = entry.win[0] + entry.tie[0] + entry.lose[0]
    if shown < 0.9999:
        yield f"no rows were compared in {format_share(1 - shown)} of the meetings of two hands"
    if entry.royalties:
        yield f"royalties change {format_units(entry.royalties)} {unit} a deal, ours less theirs"
    yield (
        f"of the hands: naturals declared {format_share(entry.declared)}, "
        f"fouls {format_share(entry.fouled)}, surrenders {format_share(entry.surrendered)}"
    )
    yield (
        f"standard deviation {entry.sd:.3f}; quantiles of the {unit} of a deal: "
        f"5% {low}, median {half}, 95% {high}"
    )
    if entry.ruin is not None:
        yield f"risk of ruin: {_tell_chance(entry)} {_tell_ruin(entry.ruin, unit)}"


def _tell_chance(entry: "Entry") -> str:
    """Write the risk of ruin with its error, in percent."""
    assert entry.ruin is not None
    digits = 1 if entry.ruin.chance >= 0.01 else 2
    error = f"{100 * entry.ruin.se:.{digits}f}" if math.isfinite(entry.ruin.se) else "?"
    return f"{100 * entry.ruin.chance:.{digits}f} ± {error}%"


def _tell_ruin(ruin: "Ruin", unit: str) -> str:
    within = count_nouns(ruin.deals, "deal")
    return f"to lose {ruin.bankroll:,} {unit} within {within}"


# --- several entries -----------------------------------------------------------------------------


def _draw_comparison(entries: "Sequence[Entry]", paint: Paint) -> Iterator[str]:
    """Yield a line for each entry: what it earned, and how much more than the first.

    Strategies that play each other are not compared on the same cards; their intervals stand there.
    """
    names = list(map(name_entry, entries))
    compared = any(entry.difference for entry in entries)
    number = len(str(len(entries)))
    rest = number + 2 + ESTIMATE + LAST
    label = min(max(map(len, names)), max(12, paint.width - rest))
    last = "more than 1" if compared else "95%"
    head = f"{'':{number}}  {'':{label}}{'EV ± se':>{ESTIMATE}}{last:>{LAST}}"
    yield paint.style(head, "bold")
    for at, entry in enumerate(entries, start=1):
        name = pad_text(cut_text(names[at - 1], label), label)
        if entry.arrangement is not None and name == str(entry.arrangement):
            name = paint.arrangement(entry.arrangement)
        line = f"{at:>{number}}  {name}{_fill(_format_estimate(entry.units), ESTIMATE)}"
        more = "" if compared else _tell_interval(entry.units)
        if entry.difference is not None:
            more = _format_estimate(entry.difference)
        yield f"{line}{_fill(more, LAST)}".rstrip()
    for at, entry in enumerate(entries, start=1):
        if entry.arrangement is not None and entry.label != str(entry.arrangement):
            yield f"{at} sets {paint.arrangement(entry.arrangement)}"


def _fill(cell: str, width: int) -> str:
    """Return a cell at the right of its column, apart from the one before however long it is."""
    return " " + cell.rjust(width - 1)


def _format_estimate(units: "Estimate") -> str:
    error = f" ± {units.se:.3f}" if math.isfinite(units.se) else " ± ?"
    return f"{format_units(units.mean)}{error}"


def _draw_details(entries: "Sequence[Entry]", unit: str, paint: Paint) -> Iterator[str]:
    """Yield a table with a column for each entry, as many as there is room for."""
    shown = entries[: max(1, (paint.width - NAME) // CELL)]
    numbers = "".join(f"{at:>{CELL}}" for at in range(1, len(shown) + 1))
    yield paint.style(f"{unit + ' a deal':<{NAME}}{numbers}", "bold")
    for name, cells in _list_details(shown):
        yield f"{name:<{NAME}}{''.join(_fill(cell, CELL) for cell in cells)}"
    if entries[0].ruin is not None:
        yield from wrap_text(f"risk of ruin: {_tell_ruin(entries[0].ruin, unit)}", paint.width)
    if len(shown) < len(entries):
        more = f"columns for the first {len(shown)} of {len(entries)}; --json has all"
        yield from wrap_text(more, paint.width)


def _list_details(entries: "Sequence[Entry]") -> "Iterator[tuple[str, list[str]]]":
    """Yield the name and the cells of each line of the details; what is nothing is left out."""

    def fill(tell: "Callable[[Entry], str]") -> list[str]:
        return [tell(entry) for entry in entries]

    def share(*names: str) -> list[str]:
        return fill(lambda entry: "/".join(_percent(getattr(entry, name)) for name in names))

    def any_of(*names: str) -> bool:
        return any(getattr(entry, name) for entry in entries for name in names)

    if any_of("difference"):
        yield "95% from", fill(lambda entry: _bound(entry.units.ci95[0]))
        yield "to", fill(lambda entry: _bound(entry.units.ci95[1]))
    for row, name in enumerate(ROW_NAMES):
        cells = [f"{_percent(entry.win[row])}/{_percent(entry.lose[row])}" for entry in entries]
        yield f"{name} % won/lost", cells
    if any(any(entry.tie) for entry in entries):
        yield "tied % F/M/B", fill(lambda entry: "/".join(map(_percent, entry.tie)))
    yield "all three", share("scoop", "scooped")
    if any_of("home_run", "home_run_against"):
        yield "home run", share("home_run", "home_run_against")
    for what, key in (("declared", "declared"), ("foul", "fouled"), ("surrender", "surrendered")):
        if any_of(key):
            yield f"{what} % of hands", share(key)
    yield from _list_reason_lines(entries)
    if any_of("royalties"):
        yield "royalties change", fill(lambda entry: format_units(entry.royalties))
    yield "standard deviation", fill(lambda entry: f"{entry.sd:.3f}")
    yield "median", fill(lambda entry: format_amount_of(entry.quantiles[1]))
    yield "5% / 95% quantile", fill(_tell_tails)
    if any_of("ruin"):
        yield "risk of ruin", fill(lambda entry: _tell_chance(entry).replace(" ", ""))


def _list_reason_lines(entries: "Sequence[Entry]") -> Iterator[tuple[str, list[str]]]:
    """Yield a line for each reason that any entry was paid for."""
    for reason in dict.fromkeys(name for entry in entries for name, _ in entry.reasons):
        units = [dict(entry.reasons).get(reason, 0.0) for entry in entries]
        if any(units):
            yield f"from {name_reason(reason)}", list(map(format_units, units))


def _tell_tails(entry: "Entry") -> str:
    low, _, high = map(format_amount_of, entry.quantiles)
    return f"{low}/{high}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _bound(units: float) -> str:
    return format_units(units) if math.isfinite(units) else "?"


# --- the chart -----------------------------------------------------------------------------------


def _draw_spread(entries: "Sequence[Entry]", unit: str, paint: Paint) -> Iterator[str]:
    """Yield the distribution of the units of the first entry."""
    histogram = entries[0].histogram
    if len(entries) == 1:
        yield from draw_distribution(histogram, unit, paint)
    else:
        yield from draw_distribution(histogram, f"1: {unit}", paint, FEW_BARS)
