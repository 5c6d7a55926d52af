"""Matches of two strategies: for people, and for programs."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cp_cli.arrangement import ROW_NAMES
from cp_cli.render.lines import wrap_text
from cp_cli.render.paint import Paint
from cp_cli.render.words import count_nouns, format_units

if TYPE_CHECKING:
    from cp_cli.strategy.matches import Match

MATCH_COLUMNS = (
    *("ruleset", "a", "b", "seed", "deals", "games", "ev", "se", "low95", "high95", "alike"),
    *(f"{name}_{what}" for name in ROW_NAMES for what in ("win", "tie", "lose")),
    *("scoop", "scooped", "fouls_a", "fouls_b", "left_out"),
)


def _round(value: float) -> float | None:
    """Drop the digits that mean nothing; one deal has no standard error."""
    return round(value, 6) + 0.0 if math.isfinite(value) else None


def _share(count: float, whole: int) -> float:
    return round(count / max(1, whole), 6)


def build_match_document(match: "Match") -> dict[str, Any]:
    """Return a match as a JSON document; `cpoker strategy match --help` tells its keys."""
    tally = match.tally
    rows = zip(ROW_NAMES, tally.won, tally.tied, tally.lost, strict=True)
    return {
        "ruleset": match.ruleset.id,
        "a": match.a,
        "b": match.b,
        "seed": match.seed,
        "deals": tally.deals,
        "games": tally.games,
        "method": {
            "duplicate": tally.duplicates,
            "pairs": tally.pairs,
            "fresh": tally.against_fresh,
            "left_out": match.left_out,
        },
        "ev": _round(match.ev),
        "se": _round(match.se),
        "ci95": [_round(bound) for bound in match.interval],
        "alike": _share(tally.alike, tally.hands),
        "rows": {
            name: {
                "win": _share(won, tally.games),
                "tie": _share(tied, tally.games),
                "lose": _share(lost, tally.games),
            }
            for name, won, tied, lost in rows
        },
        "scoop": _share(tally.scoops, tally.games),
        "scooped": _share(tally.scooped, tally.games),
        **{
            what: dict(zip("ab", counts.tolist(), strict=True))
            for what, counts in (
                ("fouls", tally.fouls),
                ("declared", tally.declared),
                ("surrendered", tally.surrendered),
            )
        },
    }


def list_match_record(match: "Match") -> tuple[Any, ...]:
    """Return a match as a CSV record of MATCH_COLUMNS; what is not known is empty."""
    document = build_match_document(match)
    shares = [document["rows"][name][what] for name in ROW_NAMES for what in ("win", "tie", "lose")]
    figures = (document["ev"], document["se"], *document["ci95"], document["alike"], *shares)
    return (
        *(document[key] for key in ("ruleset", "a", "b", "seed", "deals", "games")),
        *("" if figure is None else figure for figure in figures),
        *(document["scoop"], document["scooped"]),
        *(document["fouls"]["a"], document["fouls"]["b"], match.left_out),
    )


def draw_match(match: "Match", paint: Paint) -> Iterator[str]:
    """Yield the lines that tell how a match ended, as the first player sees it."""
    tally = match.tally
    title = f"{match.a} against {match.b} under {match.ruleset.id}, heads-up"
    for line in wrap_text(title, paint.width):
        yield paint.style(line, "bold")
    for sentence in describe_method(match):
        yield from wrap_text(sentence, paint.width)
    yield ""
    unit = "points" if match.ruleset.mode == "race" else "units"
    if math.isfinite(match.se):
        low, high = match.interval
        within = f" ± {match.se:.3f}, 95% {format_units(low)} to {format_units(high)}"
    else:
        within = ", one deal: nobody knows how near"
    yield f"{paint.style('EV', 'bold')} {format_units(match.ev)} {unit} a deal{within}"
    yield ""
    yield paint.style(f"{'row':<9}{'won':>7}{'tied':>7}{'lost':>7}", "bold")
    for row, name in enumerate(ROW_NAMES):
        counts = (tally.won[row], tally.tied[row], tally.lost[row])
        yield f"{name:<9}{''.join(_format_percent(count, tally.games) for count in counts)}"
    swept = _format_percent(tally.scoops, tally.games), _format_percent(tally.scooped, tally.games)
    yield f"{'all three':<9}{swept[0]}{'':>7}{swept[1]}"
    yield ""
    yield f"set alike: {_format_percent(tally.alike, tally.hands).strip()} of the deals"
    events = (("foul", tally.fouls), ("natural", tally.declared), ("surrender", tally.surrendered))
    for what, (mine, theirs) in events:
        if mine or theirs:
            yield from wrap_text(
                f"{what}s: {mine:,} of {match.a}, {theirs:,} of {match.b} "
                f"in {count_nouns(tally.games, 'game')}",
                paint.width,
            )


def _format_percent(count: float, whole: int) -> str:
    return f"{100 * count / max(1, whole):.1f}%".rjust(7)


def describe_method(match: "Match") -> Iterator[str]:
    """Yield sentences on which deals were played, and how."""
    tally = match.tally
    if tally.duplicates:
        yield f"{count_nouns(tally.duplicates, 'deal')}, each in both seats"
    if tally.pairs:
        yield (
            f"{count_nouns(tally.pairs, 'pair')} of deals that share no card, each in both seats"
        )
    if tally.against_fresh:
        yield (
            f"{count_nouns(tally.against_fresh, 'deal')} that met random hands, less what the "
            f"opponent wins with the same deal"
        )
    if match.left_out:
        yield f"{count_nouns(match.left_out, 'deal')} left out: nobody to play against"
    if match.ruleset.mode == "criss_cross":
        yield "a deal is two hands a player: four games, for which one stands here"
