"""Numbers and sentences that several answers use."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cp_cli.arrangement import Arrangement
from cp_cli.evaluator import describe_natural, describe_row
from cp_cli.render.paint import Paint

if TYPE_CHECKING:
    from cp_cli.equity import Analysis, SplitFigures
    from cp_cli.ruleset import Ruleset

WITHIN = 2  # standard errors that make no difference


def format_units(value: float, decimals: int = 3, *, sign: bool = True) -> str:
    """Write units with a fixed number of decimals, never a negative zero.

    >>> format_units(0.8171), format_units(-0.0001), format_units(0.8171, 2, sign=False)
    ('+0.817', '+0.000', '0.82')
    """
    rounded = round(value, decimals) + 0.0
    return f"{rounded:+.{decimals}f}" if sign else f"{rounded:.{decimals}f}"


def format_estimate(value: float, se: float, *, sign: bool = True) -> str:
    """Write an estimate with its standard error.

    >>> format_estimate(0.8171, 0.0473)
    '+0.817 ± 0.047'
    """
    return f"{format_units(value, sign=sign)} ± {se:.3f}"


def count_nouns(number: int, noun: str) -> str:
    """Write a number with a noun.

    >>> count_nouns(1, "opponent"), count_nouns(21109, "split")
    ('1 opponent', '21,109 splits')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def name_rows(arrangement: Arrangement, ruleset: "Ruleset") -> tuple[str, str, str]:
    """Return the rows of an arrangement in words, front first."""
    order = ruleset.order
    front, middle, back = arrangement.rows
    return (
        describe_row(front, wheel=order.wheel),
        describe_row(middle, wheel=order.wheel, low=order.middle == "low27"),
        describe_row(back, wheel=order.wheel),
    )


def is_within_error(figures: "SplitFigures") -> bool:
    """Tell whether a split is as good as the best one, as far as the sample can say."""
    return figures.loss <= WITHIN * figures.loss_se


def is_preferred(figures: "SplitFigures") -> bool:
    """Tell whether the opponents that give the figures pay clearly more than for the best one."""
    return figures.loss < -WITHIN * figures.loss_se


def count_samples(analysis: "Analysis") -> str:
    """Say how many opponents, and whole tables of them, gave the figures."""
    opponents = count_nouns(analysis.samples, "opponent")
    if not analysis.tables:
        return opponents
    return f"{opponents} and {count_nouns(analysis.tables, 'table')} of them"


def list_notes(analysis: "Analysis", ruleset: "Ruleset") -> list[str]:
    """Return what the figures of one deal are, and what they leave out of a ruleset."""
    notes = list(_note_mode(analysis, ruleset))
    if ruleset.all_sweep:
        notes.append(f"all_sweep: {_note_all_sweep(analysis, ruleset)}")
    if ruleset.stakes and ruleset.stakes.cap:
        notes.append(f"stakes.cap {ruleset.stakes.cap}: not known here, so nothing is cut")
    money = [name for name in ("aces", "rake") if getattr(ruleset, name)]
    if ruleset.stakes and (ruleset.stakes.default != 1 or ruleset.stakes.pairs):
        money.append("stakes")
    if money:
        notes.append(f"{', '.join(money)}: not counted in units here; no split changes them")
    if ruleset.deal != "closed":
        notes.append(f"deal {ruleset.deal}: here all thirteen cards are known at once")
    listed = (*analysis.arrangements, *analysis.compared)
    if analysis.tables and any(each.rank > analysis.near for each in listed):
        notes.append(f"ranks from {analysis.near + 1}: ev and loss from fewer tables")
    return notes


def _note_mode(analysis: "Analysis", ruleset: "Ruleset") -> Iterator[str]:
    """Say what a figure is where players do not simply settle in pairs."""
    mode, ties = ruleset.mode, ruleset.bank.wins_ties
    if mode == "bank" and analysis.role == "player":
        equal = ", which wins equal rows" if ties else ""
        yield f"mode bank: a player settles with the bank alone{equal}"
    elif mode == "bank":
        equal = " and win equal rows" if ties else ""
        yield f"mode bank: you are the bank{equal}; ev is over all players"
    elif mode == "sole_winner":
        yield "mode sole_winner: ev is net of the ante; a carried pot is worth its share"
    elif mode == "row_pots":
        yield "mode row_pots: ev is net of the ante"
    elif mode == "race" and analysis.score:
        own, other = analysis.score
        game = f"the game to {ruleset.race.target}"
        yield f"mode race: ev is the chance to win {game} from {own}-{other}"
    elif mode == "race":
        yield "mode race: ev is points over the average of the others"
    elif mode == "criss_cross":
        yield "mode criss_cross: ev is against one of the two hands of the other player"


def _note_all_sweep(analysis: "Analysis", ruleset: "Ruleset") -> str:
    """Say whether sweeps of everybody are counted."""
    assert ruleset.all_sweep is not None
    needed = ruleset.all_sweep.opponents
    if ruleset.mode == "bank" and analysis.role == "player" and needed > 1:
        return "what the bank wins for sweeping all players is not counted"
    if analysis.opponents < needed:
        return f"for sweeping {needed} opponents, here {analysis.opponents}"
    return "counted, for us and for the others"


def describe_decision(analysis: "Analysis", ruleset: "Ruleset", paint: Paint) -> str:
    """Say in one sentence what to do with a deal."""
    action = analysis.choices[0].action
    best = paint.arrangement(analysis.arrangements[0].arrangement)
    if action == "play":
        return f"{paint.style('play:', 'bold')} {best}"
    if action == "declare":
        natural, units = analysis.naturals[0]
        action = f"declare {describe_natural(natural)} for {units};"
    else:
        action = f"surrender for {ruleset.surrender};"
    return f"{paint.style(action, 'bold')} if played: {best}"


def describe_choices(analysis: "Analysis") -> str:
    """Write the expected units of every action open to a deal, the recommended one first."""
    choices, opponents, unit = analysis.choices, analysis.opponents, analysis.ev_unit
    if unit == "win chance":
        return f"EV {format_estimate(choices[0].ev, choices[0].se, sign=False)} chance to win"
    over = f", total over {opponents} opponents" if opponents > 1 else ""
    if unit == "points":
        others = f"the average of {opponents} opponents" if opponents > 1 else "the opponent"
        over = f" over {others}"
    if len(choices) == 1:
        return f"EV {format_estimate(choices[0].ev, choices[0].se)} {unit} a deal{over}"
    listed = ", ".join(f"{each.action} {format_estimate(each.ev, each.se)}" for each in choices)
    return f"EV {listed}{over}"


def format_ranks(ranks: Sequence[int]) -> str:
    """Write ranks, runs of them taken together; repeated ones count once.

    >>> format_ranks([1, 2, 2, 3, 7])
    '1-3, 7'
    """
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and rank <= runs[-1][1] + 1:
            runs[-1][1] = rank
        else:
            runs.append([rank, rank])
    return ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in runs)
