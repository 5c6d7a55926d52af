"""What a simulation is about, in sentences: who plays, on how many deals, what figures mean."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cp_cli.arrangement import Arrangement, Subject, list_cards
from cp_cli.cards import format_cards
from cp_cli.evaluator import explain_foul
from cp_cli.render.lines import clean_text
from cp_cli.render.paint import Paint
from cp_cli.render.words import count_nouns, format_units

if TYPE_CHECKING:
    from cp_cli.simulation.plan import Request
    from cp_cli.simulation.results import Entry, Simulation

DEAL = 13
FEW_PACKS = 30
EQUILIBRIUM, TRAINED = "equilibrium", ".strategy"
REASONS = {
    "row": "rows",
    "royalty": "royalties",
    "all_sweep": "home run",
    "cap": "chips in front",
}
_ENDINGS = {
    "interrupted": "stopped early",
    "time": "the time is over",
    "stored": "no stored opponent left",
}


def name_entry(entry: "Entry") -> str:
    """Return what an entry is called: its label, and its role where it is counted by itself."""
    label = clean_text(entry.label)
    return f"{label} as {entry.role}" if entry.role and entry.arrangement is None else label


def name_reason(reason: str) -> str:
    """Return why units change hands, in a word or two."""
    return REASONS.get(reason, reason)


def describe_players(request: "Request", seats: int) -> str:
    """Say who plays whom, in one line for strategies, and for a hero after his cards."""
    rules = clean_text(request.ruleset.id)
    names = list(dict.fromkeys(map(clean_text, request.versus)))
    if request.subjects:
        against = count_nouns(request.opponents, "opponent")
        if request.ruleset.mode == "bank":
            against = count_nouns(request.opponents, "player")
            against = f"as the bank against {against}"
            if request.role == "player":
                against = "against the bank"
        else:
            against = f"against {against}"
        return f"{against} ({', '.join(map(clean_text, request.versus))}) under {rules}"
    strategy = clean_text(request.strategy)
    table = f"under {rules}, {seats} seats"
    if names == [strategy]:
        return f"{strategy} in every seat {table}"
    lineup = names if len(names) == 1 else list(map(clean_text, request.versus))
    return f"{strategy} against {', '.join(lineup)} {table}"


def describe_subject(request: "Request", paint: Paint) -> str:
    """Say what the hero holds, and who sets it."""
    subject = request.subjects[0]
    if len(request.subjects) > 1:
        cards = sorted(list_cards(subject), reverse=True)
        return f"{len(request.subjects)} ways to set {paint.cards(cards)}"
    if isinstance(subject, Arrangement):
        return paint.arrangement(subject)
    more = 13 - len(subject)
    dealt = f" and {count_nouns(more, 'more card')} dealt" if more else ""
    return f"{paint.cards(subject)}{dealt}, set by {clean_text(request.strategy)}"


def write_subject(subject: Subject) -> str:
    """Write a split or cards."""
    return str(subject) if isinstance(subject, Arrangement) else format_cards(subject)


def describe_deals(simulation: "Simulation", request: "Request") -> Iterator[str]:
    """Yield sentences on which deals were played."""
    text = count_nouns(simulation.deals, "deal")
    if simulation.stored:
        text += f" against {count_nouns(simulation.packs, 'stored deal')}, suits exchanged"
    elif simulation.packs != simulation.deals:
        text += f" from {count_nouns(simulation.packs, 'pack')} of cards"
    if not request.subjects and len({request.strategy, *request.versus}) > 1:
        text += ", each in every seat"
    ending = _ENDINGS.get(simulation.ending)
    yield f"{text}; seed {simulation.seed}{f'; {ending}' if ending else ''}"
    hand = "the opponent's hand" if request.ruleset.mode == "criss_cross" else "opponent"
    for number, subject in enumerate(request.known, start=1):
        yield f"{hand} {number} holds {write_subject(subject)}"
    if request.dead:
        yield f"dead: {format_cards(request.dead)}"


# --- notes ---------------------------------------------------------------------------------------


def list_simulation_notes(simulation: "Simulation", request: "Request") -> list[str]:
    """Return what the figures are, and what they leave out of a ruleset."""
    return [
        *_note_zero(simulation, request),
        *_note_edge(simulation, request),
        *_note_errors(simulation),
        *_note_form(request),
        *_note_fouls(request),
        *_note_mode(request),
        *_note_money(request),
        *_note_cards(request),
    ]


def _note_zero(simulation: "Simulation", request: "Request") -> Iterator[str]:
    """Say why an average has no error at all."""
    first = simulation.entries[0]
    if first.exact:
        total = "to the rake" if request.ruleset.rake else "to zero"
        yield (
            f"ev is exact by symmetry: all seats play {clean_text(first.label)}, and the units "
            f"of a table add up {total}"
        )


def _note_edge(simulation: "Simulation", request: "Request") -> Iterator[str]:
    """Say what it is worth to be the bank, where all play alike."""
    if request.ruleset.mode == "bank" and not request.subjects:
        edges = [entry.units for entry in simulation.entries if entry.role == "bank"]
        if len(edges) == 1 and math.isfinite(edges[0].se):
            edge = edges[0]
            yield f"the bank's edge: {format_units(edge.mean)} ± {edge.se:.3f} units a deal"


def _note_errors(simulation: "Simulation") -> Iterator[str]:
    if not simulation.entries[0].exact and simulation.packs < FEW_PACKS:
        packs = count_nouns(simulation.packs, "pack")
        yield f"only {packs} of cards: standard errors are rough, intervals by Student's t"


def _note_form(request: "Request") -> Iterator[str]:
    """Say which hands are not set quite as the equilibrium would."""
    hands = 2 if request.ruleset.mode == "criss_cross" else request.opponents
    versus = request.versus * hands if len(request.versus) == 1 else request.versus
    known = [*map(list_cards, request.known), *[()] * hands]
    names = {name for name, cards in zip(versus, known, strict=False) if len(cards) < DEAL}
    if any(len(list_cards(subject)) < DEAL for subject in request.subjects or ((),)):
        names.add(request.strategy)  # thirteen cards are set by the exact form
    quick = [name for name in sorted(names) if name == EQUILIBRIUM or name.endswith(TRAINED)]
    if quick and not request.precise and not request.stored:
        yield (
            f"{', '.join(map(clean_text, quick))} in its fast form, a little weaker than the "
            f"exact one of --precise"
        )


def _note_fouls(request: "Request") -> Iterator[str]:
    """Say which of the splits are mis-set, and why."""
    for subject in (*request.subjects, *request.known):
        if isinstance(subject, Arrangement):
            fault = explain_foul(subject, request.ruleset.order)
            if fault:
                yield f"{subject}: foul: {fault}"


def _note_mode(request: "Request") -> Iterator[str]:
    rules = request.ruleset
    mode, equal = rules.mode, ", which wins equal rows" if rules.bank.wins_ties else ""
    if mode == "bank" and request.role == "player" and request.subjects:
        yield f"mode bank: a player settles with the bank alone{equal}"
    elif mode == "bank":
        yield f"mode bank: players settle with the bank alone{equal}"
    elif mode == "sole_winner":
        yield "mode sole_winner: units are net of the ante; a pot that is carried counts as 0"
    elif mode == "row_pots":
        yield "mode row_pots: units are net of the ante"
    elif mode == "race":
        yield "mode race: points of a deal over the average of the others"
    elif mode == "criss_cross" and request.subjects:
        yield "mode criss_cross: this hand alone, against both hands of the other player"
    elif mode == "criss_cross":
        yield "mode criss_cross: both hands of a player together"


def _note_money(request: "Request") -> Iterator[str]:
    rules = request.ruleset
    if request.chips is not None:
        yield f"everybody begins each deal with {count_nouns(request.chips, 'chip')} in front"
    elif rules.stakes and rules.stakes.cap:
        yield f"stakes.cap {rules.stakes.cap}: no --chips, so nothing is cut"
    if rules.stakes and rules.stakes.pairs:
        yield "stakes.pairs: nobody here has a name, so all pairs play for stakes.default"
    if rules.rake:
        apart = ", which is not in the points" if rules.mode == "race" else ""
        yield f"rake: {rules.rake} from each player{apart}"


def _note_cards(request: "Request") -> Iterator[str]:
    if request.ruleset.deal != "closed":
        yield f"deal {request.ruleset.deal}: here all thirteen cards are known at once"
