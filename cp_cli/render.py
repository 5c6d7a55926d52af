"""Results as text: tables for people, JSON documents and CSV rows for programs.

Nothing is computed here but the layout. Rich decides whether a terminal has colours and draws the
progress bar; rows are put together as plain strings, because a list of all legal splits has
twenty thousand of them.
"""

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from cp_cli.arrangement import ROW_NAMES, Arrangement
from cp_cli.cards import DECK, format_card, format_cards
from cp_cli.evaluator import describe_natural, describe_row

if TYPE_CHECKING:
    from rich.progress import Progress

    from cp_cli.equity import Analysis, Choice, SplitFigures
    from cp_cli.ruleset import Ruleset

TOTAL_SPLITS = 72_072
SUIT_STYLES = ("green", "bright_blue", "red", "bold")  # clubs, diamonds, hearts, spades
WITHIN = 2  # standard errors that make no difference

# --- colours -------------------------------------------------------------------------------------

Style = Callable[[str, str], str]


def _leave_plain(text: str, style: str) -> str:
    return text


class Paint:
    """How text looks on one stream: how wide it may be, and its colours if it has any."""

    def __init__(self, width: int, style: Style = _leave_plain) -> None:
        self.width = width
        self.style = style
        self._cards = [style(format_card(card), SUIT_STYLES[card & 3]) for card in DECK]

    def cards(self, cards: Sequence[int]) -> str:
        """Write cards, separated by spaces, each in the colour of its suit."""
        return " ".join([self._cards[card] for card in cards])

    def arrangement(self, arrangement: Arrangement) -> str:
        """Write `front / middle / back`."""
        return " / ".join(map(self.cards, arrangement.rows))


def open_paint(stream: TextIO) -> Paint:
    """Return the paint of a stream: plain unless it is a terminal or FORCE_COLOR asks."""
    width = shutil.get_terminal_size().columns
    if not (stream.isatty() or os.environ.get("FORCE_COLOR")):
        return Paint(width)
    from rich.console import Console

    console = Console(file=stream)
    if console.no_color or console.color_system is None or console.legacy_windows:
        return Paint(width)
    return Paint(width, _paint_ansi)


def _paint_ansi(text: str, style: str) -> str:
    from rich.color import ColorSystem
    from rich.style import Style as RichStyle

    return RichStyle.parse(style).render(text, color_system=ColorSystem.STANDARD)


# --- numbers and words ---------------------------------------------------------------------------


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


def list_notes(ruleset: "Ruleset") -> list[str]:
    """Return what an analysis of one deal leaves out of a ruleset, in sentences."""
    whole = ["all_sweep"] if ruleset.all_sweep else []
    if ruleset.mode != "pairs":
        whole.append(f"mode {ruleset.mode}")
    if ruleset.stakes and ruleset.stakes.cap:
        whole.append(f"stakes.cap {ruleset.stakes.cap}")
    notes = []
    if whole:
        notes.append(
            f"{', '.join(whole)}: for the whole table; here every pair is settled on its own"
        )
    if ruleset.deal != "closed":
        notes.append(f"deal {ruleset.deal}: here all thirteen cards are known at once")
    return notes


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


def describe_choices(choices: "Sequence[Choice]", opponents: int) -> str:
    """Write the expected units of every action open to a deal, the recommended one first."""
    over = f", total over {opponents} opponents" if opponents > 1 else ""
    if len(choices) == 1:
        return f"EV {format_estimate(choices[0].ev, choices[0].se)} units a deal{over}"
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


# --- the table of splits -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layout:
    """Gaps between columns and between rows of cards; decimals of expected units and losses."""

    gap: int
    rows: int
    ev: int
    loss: int


# The first that is narrow enough is used.
LAYOUTS = (
    *(Layout(2, 3, 3, 3), Layout(2, 3, 2, 3), Layout(1, 2, 2, 3), Layout(1, 2, 2, 2)),
    *(Layout(1, 2, 1, 2), Layout(1, 1, 1, 1), Layout(1, 1, 0, 0)),
)
CARD_COLUMNS = (8, 14, 14)  # widths of three and five cards


def _join_error(figure: str, se: float, decimals: int) -> str:
    """Write a figure and its error as `0.81±.05`."""
    return f"{figure}±{f'{se:.{decimals}f}'.removeprefix('0') or '0'}"


def _format_percent(share: float) -> str:
    return f"{share * 100:.0f}"


def _fill_cells(figures: "SplitFigures", layout: Layout) -> list[str]:
    """Return the columns of a split but for its cards: rank, EV, loss, chances."""
    ev = format_units(figures.ev, layout.ev)
    loss = format_units(figures.loss, layout.loss, sign=False)
    return [
        str(figures.rank),
        _join_error(ev, figures.se, layout.ev),
        _join_error(loss, figures.loss_se, layout.loss),
        " ".join(_format_percent(share).rjust(2) for share in figures.win),
        f"{_format_percent(figures.scoop)}/{_format_percent(figures.scooped)}",
    ]


def _choose_layout(
    splits: "Sequence[SplitFigures]", heads: Sequence[list[str]], width: int
) -> tuple[Layout, list[list[str]], list[int]]:
    """Return the widest layout that fits, the cells of each split, and the widths of columns."""
    for layout in LAYOUTS:
        cells = [_fill_cells(figures, layout) for figures in splits]
        widths = [max(map(len, column)) for column in zip(*cells, *heads, strict=True)]
        if sum(widths) + sum(CARD_COLUMNS) + layout.gap * 5 + layout.rows * 2 <= width:
            break
    return layout, cells, widths


def draw_splits(splits: "Sequence[SplitFigures]", opponents: int, paint: Paint) -> Iterator[str]:
    """Yield the lines of a table of splits, two of them its header.

    Chances are in percent: to win front, middle and back, to scoop and to be scooped.
    """
    several = opponents > 1
    heads = [
        ["", "EV total" if several else "EV", "loss", "win %", "scoop"],
        ["#", f"of {opponents} ±se" if several else "±se", "±se", "F  M  B", "+/-"],
    ]
    layout, cells, widths = _choose_layout(splits, heads, paint.width)
    gap, between = " " * layout.gap, " " * layout.rows

    def join(line: list[str], rows: Sequence[str]) -> str:
        first, *rest = (text.rjust(width) for text, width in zip(line, widths, strict=True))
        return gap.join([first, between.join(rows), *rest])

    blank = [" " * width for width in CARD_COLUMNS]
    names = [name.ljust(width) for name, width in zip(ROW_NAMES, CARD_COLUMNS, strict=True)]
    yield paint.style(join(heads[0], blank), "bold")
    yield paint.style(join(heads[1], names), "bold")
    for figures, line in zip(splits, cells, strict=True):
        yield join(line, [paint.cards(row) for row in figures.arrangement.rows])


# --- one deal ------------------------------------------------------------------------------------


def draw_analysis(
    analysis: "Analysis", ruleset: "Ruleset", strategy: str, paint: Paint
) -> Iterator[str]:
    """Yield the lines that answer one deal: what to do, the ranking, the user's own splits."""
    best = analysis.arrangements[0]
    yield describe_decision(analysis, ruleset, paint)
    yield describe_choices(analysis.choices, analysis.opponents)
    twins = f" ({best.equal} such splits)" if best.equal > 1 else ""
    yield " / ".join(name_rows(best.arrangement, ruleset)) + twins
    yield ""
    listed = [*analysis.arrangements, *analysis.compared]
    lines = draw_splits(listed, analysis.opponents, paint)
    for _ in range(2 + len(analysis.arrangements)):
        yield next(lines)
    yield from _describe_ties(analysis.arrangements, paint)
    for figures, line in zip(analysis.compared, lines, strict=True):
        yield ""
        yield f"yours: {' / '.join(name_rows(figures.arrangement, ruleset))}"
        yield line
        yield describe_price(figures, len(analysis.splits.codes))
    yield ""
    for text in _list_footers(analysis, ruleset, strategy):
        for line in textwrap.wrap(text, paint.width):
            yield paint.style(line, "dim")


def _describe_ties(splits: "Sequence[SplitFigures]", paint: Paint) -> Iterator[str]:
    """Say which of the listed splits are as good as the best."""
    ranks = sorted({figures.rank for figures in splits if is_within_error(figures)})
    if len(ranks) > 1:
        text = f"as good as the best within {WITHIN} standard errors: ranks {format_ranks(ranks)}"
        yield from textwrap.wrap(text, paint.width)


def describe_price(figures: "SplitFigures", count: int) -> str:
    """Say where a split stands among `count` different ones, and what it costs."""
    place = f"rank {figures.rank:,} of {count:,}"
    if figures.rank == 1:
        return f"{place}: the best"
    price = format_estimate(figures.loss, figures.loss_se, sign=False)
    if is_within_error(figures):
        return f"{place}: as good as the best within the error, loss {price}"
    return f"{place}: costs {price} units a deal"


def _list_footers(analysis: "Analysis", ruleset: "Ruleset", strategy: str) -> Iterator[str]:
    splits = analysis.splits
    yield (
        f"{ruleset.id}, {count_nouns(analysis.opponents, 'opponent')}; "
        f"{count_nouns(len(splits.legal), 'legal split')}, {splits.undominated:,} undominated"
    )
    yield (
        f"estimates from {count_nouns(analysis.samples, 'opponent')} ({strategy}) "
        "that did not choose the split"
    )
    yield from list_notes(ruleset)


# --- many deals ----------------------------------------------------------------------------------

SHORT_HEADER = f"{'front':8} / {'middle':14} / {'back':14}  {'EV ±se':>14}  action"


def draw_short(analysis: "Analysis", label: str | None, paint: Paint) -> Iterator[str]:
    """Yield the one line that answers a deal of many, and its ranking if it has one."""
    first = analysis.choices[0]
    action = first.action
    if action == "declare":
        action += f" {describe_natural(analysis.naturals[0][0])}"
    estimate = f"{format_estimate(first.ev, first.se):>14}"
    best = paint.arrangement(analysis.arrangements[0].arrangement)
    yield f"{best}  {estimate}  {action}{f'  ({label})' if label else ''}"
    if len(analysis.arrangements) > 1:
        yield from draw_splits(analysis.arrangements, analysis.opponents, paint)
        yield ""


# --- for programs --------------------------------------------------------------------------------


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
        "notes": list_notes(ruleset),
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


# --- progress ------------------------------------------------------------------------------------


class TrainingProgress:
    """Shows how far the training of a strategy is: a bar on a terminal, elsewhere one line.

    Nothing is shown, and Rich is not loaded, until the first report.
    """

    def __init__(self, name: str, stream: TextIO | None = None) -> None:
        self.name = name
        self.stream = stream or sys.stderr
        self._bar: Progress | None = None
        self._told = False

    def __call__(self, done: float, what: str) -> None:
        """Report that a part `done` (0 to 1) of the step `what` is finished."""
        if not self._told:
            self._told = True
            self._begin()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=what)

    def _begin(self) -> None:
        text = f"training a strategy for {self.name}, once for these rules (up to a minute)"
        print(f"{text} ...", file=self.stream, flush=True)
        if self.stream.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(file=self.stream), transient=True)
            self._bar.add_task("", total=1.0)
            self._bar.start()

    def __enter__(self) -> "TrainingProgress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
