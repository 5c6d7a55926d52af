"""Many deals: a line each, units in columns under the names, and beside them what happened."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cp_cli.evaluator import describe_natural
from cp_cli.render.amounts import format_amount
from cp_cli.render.lines import (
    NO_BREAK,
    clean_text,
    cut_text,
    glue_text,
    measure_text,
    pad_text,
    shorten_names,
    wrap_text,
)
from cp_cli.render.paint import Paint
from cp_cli.render.settlement_words import find_limited

if TYPE_CHECKING:
    from cp_cli.settlement import Hand, Player, Settlement

_GAP = "  "
_LABEL = (9, 20)  # least and most columns for what a deal is called: `deal 1000`
_UNITS = 5  # columns for units, if no cell needs more
_LONGEST, _SHORTEST = 12, 4  # columns for a name
_EVENTS = 24  # columns that should be free beside the units


class DealTable:
    """Tells the deals of a session as they are settled.

    A header with the names comes before the first deal, when others sit down, and when a column
    must be wider.
    """

    def __init__(self, paint: Paint) -> None:
        self.paint = paint
        self.names: list[str] = []
        self.heads: list[str] = []
        self.widths: list[int] = []
        self.units: dict[str, int] = {}  # columns that the units of a player have taken

    def draw(self, done: "Settlement", label: str | None = None) -> list[str]:
        """Return the lines of the next deal, which `label` names; mostly it is only one."""
        cells = {player.name: _fill_cell(player) for player in done.players}
        start = cut_text(clean_text(label or ""), _LABEL[1], middle=True)
        lines = []
        if not self._has_room(start, cells):
            self._lay_out(start, cells)
            header = self._fill(["", *self.heads])
            lines += [self.paint.style(line, "bold") for line in self._wrap(header, [])]
        line = self._fill([start, *(cells[name] for name in self.names)])
        return [*lines, *self._wrap(line, list(list_events(done)))]

    def _has_room(self, start: str, cells: dict[str, str]) -> bool:
        if set(cells) != set(self.names):
            return False
        texts = [start, *(cells[name] for name in self.names)]
        return all(
            measure_text(text) <= width for text, width in zip(texts, self.widths, strict=True)
        )

    def _lay_out(self, start: str, cells: dict[str, str]) -> None:
        """Choose short names and widths; no column becomes narrower than its units were."""
        first = max([_LABEL[0], measure_text(start), *self.widths[:1]])
        if set(cells) != set(self.names):
            self.names = list(cells)
        for name, cell in cells.items():
            self.units[name] = max(measure_text(cell), self.units.get(name, 0))
        clean = list(map(clean_text, self.names))
        for room, longest in _list_choices():
            least = _UNITS if longest > _SHORTEST else 0
            self.heads = shorten_names(clean, longest)
            widths = [
                max(measure_text(head), self.units[name], least)
                for head, name in zip(self.heads, self.names, strict=True)
            ]
            self.widths = [first, *widths]
            if sum(self.widths) + len(_GAP) * len(widths) + room <= self.paint.width:
                return

    def _fill(self, texts: list[str]) -> str:
        """Return one line of the table: the name of the deal, then cells set to the right."""
        padded = [
            pad_text(text, width, right=at > 0)
            for at, (text, width) in enumerate(zip(texts, self.widths, strict=True))
        ]
        return _GAP.join(padded).rstrip()

    def _wrap(self, line: str, events: list[str]) -> Iterator[str]:
        glued = line.replace(" ", NO_BREAK)
        if events:
            glued += NO_BREAK + " " + "; ".join(map(glue_text, events))
        return wrap_text(glued, self.paint.width, later="    ")


def _list_choices() -> Iterator[tuple[int, int]]:
    """Yield columns that are kept free and the longest name, the best choice first."""
    for room in (_EVENTS, 0):
        for longest in range(_LONGEST, _SHORTEST - 1, -1):
            yield room, longest


def _fill_cell(player: "Player") -> str:
    """Return the units of a player, in a race his points and in brackets all so far."""
    if player.points is not None:
        return f"{player.points} ({player.score})"
    return format_amount(player.units)


def list_events(done: "Settlement") -> Iterator[str]:
    """Yield in a few words each what happened in a deal beside rows that were won."""
    for hand in done.hands:
        yield from (f"{clean_text(hand.name)} {word}" for word in _list_fates(hand))
    broke = [player.name for player in done.players if _is_broke(player.name, done)]
    for what, names in (("chips used up", broke), ("jackpot", done.jackpot)):
        if names:
            yield f"{what}: {', '.join(map(clean_text, names))}"
    if done.winner is not None:
        what = "game" if done.pot is None else "pot"
        yield f"{clean_text(done.winner)} wins the {what}"
    elif done.pot is not None:
        yield f"pot {sum(done.pot.values())}"


def _list_fates(hand: "Hand") -> Iterator[str]:
    if hand.natural:
        yield describe_natural(hand.natural[0])
    elif hand.surrendered:
        yield "surrenders"
    elif hand.foul:
        yield "foul"
    if hand.fantasyland:
        yield "stays in fantasyland" if hand.fantasyland.stays else "enters fantasyland"


def _is_broke(name: str, done: "Settlement") -> bool:
    """Tell whether a player has no chips left, or no more that counted in this deal."""
    chips = done.find_player(name).chips
    capped = (pair for pair in done.pairs if any(item.reason == "cap" for item in pair.items))
    return (chips is not None and chips <= 0) or any(
        find_limited(pair)[0].player == name for pair in capped
    )
