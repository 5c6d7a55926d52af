"""Answers for programs: JSON documents and CSV records."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cp_cli.arrangement import ROW_NAMES
from cp_cli.cards import format_card, format_cards
from cp_cli.render.words import list_notes, name_rows

if TYPE_CHECKING:
    from cp_cli.equity import Analysis, SplitFigures
    from cp_cli.ruleset import Ruleset

TOTAL_SPLITS = 72_072


def _round(value: float) -> float:
    """Drop the digits that mean nothing."""
    return round(value, 6) + 0.0


def _by_row(values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(ROW_NAMES, values, strict=True))


def _list_cards(cards: Sequence[int]) -> list[str]:
    return [format_card(card) for card in cards]


def build_split(figures: "SplitFigures", ruleset: "Ruleset") -> dict[str, Any]:
    """Return one split as the JSON object that INTERFACE names."""
    arrangement = figures.arrangement
    return {
        "rank": figures.rank,
        **_by_row([_list_cards(row) for row in arrangement.rows]),
        "names": _by_row(name_rows(arrangement, ruleset)),
        "ev": _round(figures.ev),
        "se": _round(figures.se),
        "loss": _round(figures.loss),
        "loss_se": _round(figures.loss_se),
        "win": _by_row([_round(share) for share in figures.win]),
        "tie": _by_row([_round(share) for share in figures.tie]),
        "scoop": _round(figures.scoop),
        "scooped": _round(figures.scooped),
        "royalties": _round(figures.royalties),
        "equal": figures.equal,
    }


def build_document(
    analysis: "Analysis", ruleset: "Ruleset", strategy: str, seed: int, label: str | None = None
) -> dict[str, Any]:
    """Return the answer for one deal as a JSON document; `label` is the name of the deal."""
    choices = [
        {"action": each.action, "ev": _round(each.ev), "se": _round(each.se)}
        for each in analysis.choices
    ]
    splits = analysis.splits
    document = {
        "ruleset": ruleset.id,
        "opponents": analysis.opponents,
        "seed": seed,
        "samples": analysis.samples,
        "cards": _list_cards(analysis.cards),
        "dead": _list_cards(analysis.dead),
        "splits": {
            "total": TOTAL_SPLITS,
            "legal": len(splits.legal),
            "undominated": splits.undominated,
        },
        "naturals": [{"name": str(name), "units": units} for name, units in analysis.naturals],
        "decision": {**choices[0], "alternatives": choices[1:]},
        "arrangements": [build_split(figures, ruleset) for figures in analysis.arrangements],
        "compared": [build_split(figures, ruleset) for figures in analysis.compared],
        "opponent_strategy": strategy,
        "tables": analysis.tables,
        "ev_unit": analysis.ev_unit,
        "role": analysis.role,
        "score": None if analysis.score is None else list(analysis.score),
        "notes": list_notes(analysis, ruleset),
    }
    return document if label is None else {**document, "id": label}


def write_document(document: dict[str, Any]) -> str:
    """Write a JSON document with one key a line, and one object a line in long lists."""
    from json import dumps

    lines = []
    for key, value in document.items():
        text = dumps(value)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n    " + ",\n    ".join(map(dumps, value)) + "\n  ]"
        lines.append(f"  {dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"


SPLIT_COLUMNS = (
    *("cards", "rank", "front", "middle", "back", "ev", "se", "loss", "loss_se"),
    *(f"win_{name}" for name in ROW_NAMES),
    *(f"tie_{name}" for name in ROW_NAMES),
    *("scoop", "scooped", "royalties", "equal", "compared", "action", "id"),
)


def list_split_records(analysis: "Analysis", label: str | None = None) -> Iterator[list[object]]:
    """Yield one record (see SPLIT_COLUMNS) for each split, the user's own ones last."""
    cards = format_cards(analysis.cards)
    action = analysis.choices[0].action
    for compared, splits in enumerate((analysis.arrangements, analysis.compared)):
        for figures in splits:
            numbers = (
                *(figures.ev, figures.se, figures.loss, figures.loss_se),
                *(*figures.win, *figures.tie, figures.scoop, figures.scooped, figures.royalties),
            )
            yield [
                *(cards, figures.rank, *map(format_cards, figures.arrangement.rows)),
                *(*map(_round, numbers), figures.equal, compared, action, label or ""),
            ]
