"""The files of `cpoker simulate`: one line for each deal, and where a long run is kept."""

import os
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

from cp_cli.arrangement import ROW_SIZES
from cp_cli.cards import DECK, format_card
from cp_cli.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cp_cli.simulation.plan import Plan
    from cp_cli.simulation.play import Played

JSON_SUFFIX = ".jsonl"
_BLOCK = 1 << 20  # bytes read at once
_GAPS = (" ", " / ")  # between cards, and between rows


def check_readable(path: Path, flag: str) -> None:
    """Raise InputError unless a file can be read."""
    try:
        path.open("rb").close()
    except (OSError, ValueError) as error:
        raise InputError(f"{flag} {path}: cannot be read: {_tell_reason(error)}") from None


def check_writable(path: Path, flag: str) -> None:
    """Raise InputError unless a file can be written; nothing is written, nothing is made."""
    try:
        if path.is_fifo():
            raise InputError(f"{flag} {path}: is a pipe; expected a file")
        # A link may lead to a file that is still to be made, or to itself.
        place = Path(os.path.realpath(path))
        there = place.exists()
        place.open("ab").close()
        if not there:
            place.unlink()
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{flag} {path}: cannot be written: {_tell_reason(error)}") from None


def write_text(path: Path, text: str, flag: str) -> None:
    """Write a file as a whole."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{flag} {path}: cannot be written: {_tell_reason(error)}") from error


def _tell_reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


# --- one line a deal -----------------------------------------------------------------------------


class DealFile:
    """Writes a line for each deal that is played: its cards, how they are set, the units."""

    def __init__(self, path: Path, plan: "Plan") -> None:
        """Take the file and what will be played; nothing is opened yet."""
        self.path = path
        self.plan = plan
        self.is_json = path.suffix.lower() == JSON_SUFFIX
        self.columns = _list_columns(plan)
        gaps = ",".join(["%s"] * len(self.columns))
        self._template = _build_json(plan) if self.is_json else gaps
        self._stream: IO[bytes] | None = None
        self._written = -1  # deals in the file, -1 if that is not known

    @property
    def header(self) -> str:
        """The first line: the names of the columns of a CSV, nothing in JSON Lines."""
        return "" if self.is_json else ",".join(self.columns) + "\n"

    def open(self, deals: int, last: "NDArray[np.uint8] | None" = None) -> None:
        """Begin a file, or go on after the first `deals` of one; more of them are cut off.

        `last` are the hands of the last of these deals, uint8 (n, 13). Raises InputError if the
        file holds fewer deals, or other ones.
        """
        try:
            if deals == 0:
                self._stream = self.path.open("w+b")
                self._stream.write(self.header.encode())
                self._written = 0
                return
            self._stream = self.path.open("r+b")
        except OSError as error:
            raise self._fail(error) from None
        self._check_header()
        self.keep(deals)
        self._check_last(deals, last)

    def check_new(self, resume: Path) -> None:
        """Raise InputError if there are deals already, but no run in the --resume file."""
        if self.path.is_file() and self.path.stat().st_size:
            raise InputError(
                f"--output {self.path}: is there already, but there is no run in {resume}; "
                f"expected a new file, or the --resume file that belongs to it"
            )

    def write(self, played: "Played") -> None:
        """Add the deals of a batch."""
        assert self._stream is not None
        rows = zip(*_list_cells(played, self.plan, by_game=self.is_json), strict=True)
        text = "\n".join([self._template % row for row in rows])
        self._written = -1
        try:
            self._stream.write(f"{text}\n".encode())
        except OSError as error:
            raise self._fail(error) from error
        self._written = played.first + len(played.packs)

    def keep(self, deals: int) -> None:
        """Cut off what comes after the first `deals`, and go on there."""
        stream = self._stream
        assert stream is not None
        try:
            stream.flush()
            if deals == self._written:
                return
            end, found = _find_end(stream, deals + bool(self.header))
            if end is None:
                held = max(0, found - bool(self.header))
                raise InputError(
                    f"--output {self.path}: holds {held:,} deals of the {deals:,} that were "
                    f"played; expected the file that the run began, or a new --resume file"
                )
            stream.truncate(end)
            stream.seek(end)
            self._written = deals
        except OSError as error:
            raise self._fail(error) from error

    def flush(self) -> None:
        """Hand everything over to the system."""
        assert self._stream is not None
        try:
            self._stream.flush()
        except OSError as error:
            raise self._fail(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Close the file; that it cannot be written matters only if nothing else is wrong."""
        if self._stream is None:
            return
        try:
            self._stream.close()
        except OSError as error:
            if kind is None:
                raise self._fail(error) from error

    def _check_header(self) -> None:
        assert self._stream is not None
        wanted = self.header.encode()
        if self._stream.read(len(wanted)) != wanted:
            raise InputError(
                f"--output {self.path}:1: not the columns of this simulation; expected the file "
                f"that the run began"
            )

    def _check_last(self, deals: int, hands: "NDArray[np.uint8] | None") -> None:
        """Raise InputError unless the last line is deal number `deals`, with these hands."""
        stream = self._stream
        assert stream is not None
        end = stream.tell()
        stream.seek(max(0, end - _BLOCK))
        last = stream.read(_BLOCK).rstrip(b"\n").rpartition(b"\n")[2]
        start = f'{{"deal": {deals}, ' if self.is_json else f"{deals},"
        mark = b'"' if self.is_json else b","
        cards = [] if hands is None else _write_cards(hands)
        known = all(mark + text.encode() + mark in last for text in cards)
        if not last.startswith(start.encode()) or not known:
            line = deals + bool(self.header)
            raise InputError(
                f"--output {self.path}:{line}: not deal {deals:,} of this simulation; expected "
                f"the file that the run began"
            )
        stream.seek(end)

    def _fail(self, error: OSError) -> InputError:
        return InputError(f"--output {self.path}: cannot be written: {_tell_reason(error)}")


def _find_end(stream: IO[bytes], lines: int) -> tuple[int | None, int]:
    """Return where the first `lines` lines of a file end, None if it has fewer, and how many."""
    stream.seek(0)
    found = at = 0
    if not lines:
        return 0, 0
    while block := stream.read(_BLOCK):
        count = block.count(b"\n")
        if found + count >= lines:
            end = -1
            for _ in range(lines - found):
                end = block.index(b"\n", end + 1)
            return at + end + 1, lines
        found += count
        at += len(block)
    return None, found


# --- cells ---------------------------------------------------------------------------------------


def _list_columns(plan: "Plan") -> list[str]:
    """Return the names of the columns of a CSV; a hand that is always set alike has one `set`."""
    games = [f"_game{number}" for number, _ in enumerate(plan.games, start=1)]
    tails = games if len(games) > 1 else [""]
    names = ["deal", "pack"]
    for hand, ways in enumerate(plan.ways, start=1):
        sets = tails if len(ways) > 1 else [""]
        names.append(f"cards{hand}")
        names += [f"set{hand}{tail}" for tail in sets]
        names += [f"units{hand}{tail}" for tail in tails]
    return names


def _build_json(plan: "Plan") -> str:
    """Return a JSON object with a gap for each cell."""
    texts = ", ".join(['"%s"'] * plan.hands)
    numbers = ", ".join(["%s"] * plan.hands)
    games = ", ".join([f'{{"sets": [{texts}], "units": [{numbers}]}}'] * len(plan.games))
    return f'{{"deal": %s, "pack": %s, "cards": [{texts}], "games": [{games}]}}'


def _list_cells(played: "Played", plan: "Plan", *, by_game: bool) -> Iterator[list[str]]:
    """Yield the cells of deals column by column, in the order of the columns of the file.

    That of JSON Lines is game by game, that of a CSV hand by hand.
    """
    count = len(played.packs)
    cards = [_write_cards(played.cards[:, hand]) for hand in range(plan.hands)]
    sets = [
        [_write_splits(played.cards[:, hand], codes) for codes in played.codes[hand].T]
        for hand in range(plan.hands)
    ]
    tell = _tell_units(plan.scale)
    units = [
        [list(map(tell, played.units[:, game, hand].tolist())) for hand in range(plan.hands)]
        for game in range(len(plan.games))
    ]
    yield [str(number) for number in range(played.first + 1, played.first + 1 + count)]
    yield list(map(str, (played.packs + 1).tolist()))
    if by_game:
        yield from cards
        for way, amounts in zip(plan.games, units, strict=True):
            yield from (sets[hand][number] for hand, number in enumerate(way))
            yield from amounts
        return
    for hand in range(plan.hands):
        yield cards[hand]
        fixed = len(plan.ways[hand]) == 1
        yield from (sets[hand][way[hand]] for way in plan.games[: 1 if fixed else None])
        yield from (amounts[hand] for amounts in units)


def _tell_units(scale: int) -> Callable[[int], str]:
    """Return what writes amounts that are counted in parts of a unit."""

    @cache
    def tell(amount: int) -> str:
        whole, rest = divmod(amount, scale)
        return f"{amount / scale:.6f}" if rest else str(whole)

    return tell


def _write_cards(cards: "NDArray[np.uint8]") -> list[str]:
    """Return deals (d, 13) as texts, `As Kd ...`."""
    return _lay_out(cards, [_GAPS[0]] * 12)


def _write_splits(cards: "NDArray[np.uint8]", codes: "NDArray[np.int32]") -> list[str]:
    """Return deals (d, 13) in rows as their codes say, or what was done instead of that."""
    import numpy as np

    from cp_cli.field import DECLARE, FOUL, SURRENDER

    actions = {DECLARE: "declare", SURRENDER: "surrender", FOUL: "foul"}
    values, places = np.unique(codes, return_inverse=True)
    orders = np.array([_order(int(code)) for code in values], dtype=np.int64)
    gaps = [_GAPS[at in (ROW_SIZES[0], sum(ROW_SIZES[:2]))] for at in range(1, sum(ROW_SIZES))]
    told = _lay_out(np.take_along_axis(cards, orders[places], axis=1), gaps)
    for at in np.flatnonzero(np.isin(codes, list(actions))).tolist():
        told[at] = actions[int(codes[at])]
    return told


@lru_cache(maxsize=1 << 17)
def _order(code: int) -> tuple[int, ...]:
    """Return the positions of a deal's cards in the order of a split; any where there is none."""
    from cp_cli.candidates import place_split
    from cp_cli.field import DECLARE

    return place_split(code) if code < DECLARE else tuple(range(sum(ROW_SIZES)))


def _lay_out(cards: "NDArray[np.uint8]", gaps: list[str]) -> list[str]:
    """Return cards (d, n) as texts with gaps between them."""
    import numpy as np

    names = np.array([list(format_card(card).encode()) for card in DECK], dtype=np.uint8)
    width = 2 * cards.shape[1] + sum(map(len, gaps))
    text = np.full((len(cards), width), ord(" "), dtype=np.uint8)
    at = 0
    for place, gap in enumerate([*gaps, ""]):
        text[:, at : at + 2] = names[cards[:, place]]
        text[:, at + 2 : at + 2 + len(gap)] = list(gap.encode())
        at += 2 + len(gap)
    lines: list[str] = text.view(f"S{width}").ravel().astype(f"U{width}").tolist()
    return lines
