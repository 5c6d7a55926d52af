"""A bar chart in plain text: how often a deal brings how many units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from cp_cli.render.lines import wrap_text
from cp_cli.render.paint import Paint

WIDEST = 100  # columns of the whole chart
MOST_BARS = 20
TAIL = 0.004  # share of the deals that the first, or the last, of many bars may take together
_STEPS = (1, 2, 3, 4, 5)
_EIGHTHS = " ▏▎▍▌▋▊▉█"

Histogram = Sequence[tuple[float, int]]


@dataclass(frozen=True, slots=True)
class Bar:
    """Amounts that are drawn together: how often they came, and on which side of nothing."""

    label: str
    count: int
    side: int


def draw_distribution(
    histogram: Histogram, unit: str, paint: Paint, most: int = MOST_BARS
) -> Iterator[str]:
    """Yield a chart of a histogram (units and deals, lowest first): a bar a line, and a heading.

    Up to `most` bars; more different units are taken together, those far out as `or more`.
    """
    bars = list_bars(histogram, most)
    total = sum(count for _, count in histogram)
    label = max(len("deals"), *(len(bar.label) for bar in bars))
    width = max(8, min(paint.width, WIDEST) - label - 11)
    highest = max(bar.count for bar in bars)
    heading = f"{unit} a deal, and the share of the deals that brought them"
    for line in wrap_text(heading, paint.width):
        yield paint.style(line, "bold")
    for bar in bars:
        text = _draw_bar(bar.count / highest, width)
        style = ("dim", "green", "red")[bar.side]
        shown = paint.style(text, style) if text else ""
        yield f"{bar.label:>{label}} {format_share(bar.count / total):>7}  {shown}".rstrip()


def format_share(share: float) -> str:
    """Write a share in percent; what is rare is not nothing.

    >>> format_share(0.1234), format_share(0.0), format_share(0.0001)
    ('12.3%', '0.0%', '<0.1%')
    """
    return "<0.1%" if 0 < share < 0.0005 else f"{100 * share:.1f}%"


def format_amount_of(units: float) -> str:
    """Write units of a deal, whole or not.

    >>> format_amount_of(3.0), format_amount_of(-1 / 3), format_amount_of(0.0)
    ('+3', '-0.33', '0')
    """
    rounded = round(units, 2)
    if not rounded:
        return "0"
    return f"{rounded:+,g}" if abs(rounded) < 100_000 else f"{rounded:+,.0f}"


# --- bars ----------------------------------------------------------------------------------------


def list_bars(histogram: Histogram, most: int = MOST_BARS) -> list[Bar]:
    """Return the bars of a histogram, lowest units first.

    >>> [(bar.label, bar.count) for bar in list_bars([(-2.0, 3), (0.0, 1), (5.0, 2)])]
    [('-2', 3), ('0', 1), ('+5', 2)]
    >>> many = [(float(units), 10) for units in range(-20, 21)]
    >>> [(bar.label, bar.count) for bar in list_bars(many, 5)]
    [('-20 to -11', 100), ('-10 to -1', 100), ('0', 10), ('+1 to +10', 100), ('+11 to +20', 100)]
    """
    if len(histogram) <= most:
        return [Bar(format_amount_of(units), count, _side(units)) for units, count in histogram]
    low, high = _find_middle(histogram)
    step = _choose_step(low, high, most)
    first, last = _find_bin(low, step), _find_bin(high, step)
    bins: list[list[tuple[float, int]]] = [[] for _ in range(first, last + 1)]
    for units, count in histogram:
        place = min(max(_find_bin(units, step), first), last)
        bins[place - first].append((units, count))
    return [
        Bar(_label_bin(first + at, step, each), sum(count for _, count in each), _side(first + at))
        for at, each in enumerate(bins)
    ]


def _side(units: float) -> int:
    return (units > 0) - (units < 0)


def _find_middle(histogram: Histogram) -> tuple[float, float]:
    """Return the lowest and the highest units but for the tails, which are drawn together.

    A tail keeps to its side of nothing, so that wins, losses and nothing are told apart.
    """
    allowed = TAIL * sum(count for _, count in histogram)
    edges = []
    for ordered in (histogram, histogram[::-1]):
        seen = 0
        for at, (units, count) in enumerate(ordered):
            seen += count
            following = ordered[at + 1][0] if at + 1 < len(ordered) else units
            if seen > allowed or _side(following) != _side(units):
                edges.append(units)
                break
    return edges[0], edges[1]


def _choose_step(low: float, high: float, most: int) -> int:
    """Return the units of a bar: the least round number with which the bars are few enough."""
    power = 1
    while True:
        for digit in _STEPS:
            step = digit * power
            if _find_bin(high, step) - _find_bin(low, step) < most:
                return step
        power *= 10


def _find_bin(units: float, step: int) -> int:
    """Return the bar of some units: nothing alone is 0, up to a step more is 1, and so on."""
    return ceil(units / step) if units > 0 else -ceil(-units / step)


def _label_bin(place: int, step: int, amounts: Histogram) -> str:
    """Name the units of a bar; one at the edge also has all that is beyond."""
    nearer, farther = (abs(place) - 1) * step + 1, abs(place) * step
    if place == 0:
        nearer = farther = 0
    sign = _side(place)
    units = [each for each, _ in amounts]
    if any(each != int(each) for each in units):
        return _label_parts(units)
    low, high = sorted((sign * nearer, sign * farther))
    lower, upper = format_amount_of(float(low)), format_amount_of(float(high))
    if units and units[0] < low:
        return f"{upper} or less"
    if units and units[-1] > high:
        return f"{lower} or more"
    return lower if low == high else f"{lower} to {upper}"


def _label_parts(units: Sequence[float]) -> str:
    """Name a bar of units that are not whole by the least and the greatest there."""
    low, high = format_amount_of(units[0]), format_amount_of(units[-1])
    return low if low == high else f"{low} to {high}"


def _draw_bar(share: float, width: int) -> str:
    """Draw a share of the width in eighths of a column; anything at all is seen."""
    eighths = max(round(share * width * 8), 1 if share else 0)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
