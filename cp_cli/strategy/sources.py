"""Where a strategy comes from: its name, a trained file, or a CSV of deals with chosen splits."""

import csv
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.opponents import Game
from cp_cli.arrangement import ROW_NAMES, Arrangement
from cp_cli.candidates import find_code, sort_deal
from cp_cli.cards import format_cards, parse_cards
from cp_cli.errors import CardError, CpokerError, StrategyError, quote_text
from cp_cli.field import Field, mask_cards
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game, digest_play
from cp_cli.strategy.answers import Progress
from cp_cli.strategy.files import (
    SUFFIX,
    Strategy,
    find_rival,
    list_files,
    open_field,
    open_rivals,
    read_strategy,
)
from cp_cli.strategy.named import EQUILIBRIUM, RULES, check_name, open_setter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

    SetCards = Callable[[NDArray[np.uint8]], NDArray[np.int32]]

COLUMNS = ("cards", *ROW_NAMES)
UNKNOWN = -1
"""The code of a deal that a CSV does not hold."""
LONGEST_LINE = 1 << 16


@dataclass(frozen=True, slots=True)
class Splits:
    """Deals set by somebody else: split codes by the mask of the cards, in the order of the file.

    The codes of mis-set splits are there, too; they play as fouls.
    """

    codes: Mapping[int, int]

    def set_cards(self, cards: "NDArray[np.uint8]") -> "NDArray[np.int32]":
        """Return the codes of deals uint8 (n, 13), UNKNOWN where the file has no such deal."""
        found = [self.codes.get(mask_cards(deal), UNKNOWN) for deal in cards.tolist()]
        return np.array(found, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who sets deals uint8 (n, 13), highest card first: codes int32 (n,).

    `setters` are there for each role of the ruleset; `splits` is what a CSV holds, which is all
    that such a player can set.
    """

    name: str
    setters: "Mapping[Role, SetCards]"
    splits: Splits | None = None


def open_player(
    ruleset: "Ruleset",
    source: str,
    *,
    opponents: int = 1,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Player:
    """Return the player of a strategy: a name, a trained file, or a CSV of deals with splits.

    A trained file is played by answering its choosing deals. Raises StrategyError if the name is
    unknown or the file is damaged, is for other rules or holds a deal wrongly set.
    """
    roles: tuple[Role, ...] = (PLAYER, BANK) if ruleset.mode == "bank" else (PLAYER,)
    if is_csv(source):
        splits = read_splits(Path(source))
        return Player(source, dict.fromkeys(roles, splits.set_cards), splits)

    def open_role(role: Role) -> "SetCards":
        if source in RULES:
            return open_setter(source, build_game(ruleset, opponents, role), seed=seed, jobs=jobs)
        name, field, game = open_answered(
            ruleset, source, opponents=opponents, role=role, jobs=jobs, progress=progress
        )
        return open_setter(name, game, seed=seed, jobs=jobs, ruleset=ruleset, field=field)

    return Player(source, {role: open_role(role) for role in roles})


def open_answered(
    ruleset: "Ruleset",
    source: str,
    *,
    opponents: int = 1,
    role: Role = PLAYER,
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[str, Field, Game]:
    """Return by what name a strategy plays, the field it answers, and the rules as it sees them.

    The strategy is a trained file, which plays as an equilibrium, or the name of one that answers
    a field. Raises StrategyError as `open_player`.
    """
    if is_trained(source):
        return EQUILIBRIUM, *open_file(Path(source), ruleset, opponents, role)
    check_name(source)
    return source, *open_rivals(ruleset, opponents, role, jobs, progress)


def is_trained(source: str) -> bool:
    """Tell whether a strategy is a trained file."""
    return source.lower().endswith(SUFFIX)


def is_csv(source: str) -> bool:
    """Tell whether a strategy is a file other than a trained one."""
    return not is_trained(source) and (source.lower().endswith(".csv") or Path(source).is_file())


def find_fingerprint(ruleset: "Ruleset", source: str, opponents: int, role: Role) -> int | None:
    """Return a checksum of the file that a strategy plays by, None where there is none.

    A level plays by the file of the equilibrium.
    """
    if is_trained(source):
        path: Path | None = Path(source)
    else:
        digest = digest_play(ruleset, opponents, find_rival(ruleset, role))
        path = next(iter(list_files(digest)), None)
    try:
        return None if path is None else zlib.crc32(path.read_bytes())
    except OSError:
        return None


# --- trained files -------------------------------------------------------------------------------


def open_file(
    path: Path, ruleset: "Ruleset", opponents: int = 1, role: Role = PLAYER
) -> tuple[Field, Game]:
    """Return whom a player of a trained file answers, and the rules as he sees them."""
    theirs = find_rival(ruleset, role)
    strategy = read_trained(path, ruleset, opponents, theirs)
    field = open_field(ruleset, strategy, opponents=opponents, role=theirs)
    game = build_game(ruleset, opponents, role)
    game = game._replace(whole=game.whole._replace(rest=field.game.whole.rest))
    return field.take(slice(0, strategy.choosing)), game


def read_trained(
    path: Path, ruleset: "Ruleset", opponents: int = 1, role: Role = PLAYER
) -> Strategy:
    """Return what a role does by a trained file.

    Where there is a bank, its file and that of the players lie beside each other and either may
    be named. Raises StrategyError if the file is damaged or for other rules.
    """
    strategy = read_strategy(path)
    digest = digest_play(ruleset, opponents, role)
    if strategy.digest == digest:
        return strategy
    other = digest_play(ruleset, opponents, find_rival(ruleset, role))
    if strategy.digest != other:
        table = f"{ruleset.id} with {opponents} opponent{'' if opponents == 1 else 's'}"
        raise StrategyError(f"{path}: trained for other rules; expected {table}")
    # The two files of one training differ in their digests alone.
    beside = path.with_name(f"{path.stem.rpartition('-')[0]}-{digest}{SUFFIX}")
    if not beside.is_file():
        whose = "the bank's" if role == BANK else "the players'"
        raise StrategyError(f"{path}: {whose} file is missing; expected {beside.name} beside")
    return read_strategy(beside)


# --- deals set by others -------------------------------------------------------------------------


def read_splits(path: Path) -> Splits:
    """Read a CSV of deals with chosen splits: a header `cards,front,middle,back`, a deal a line.

    Cards of a cell are separated by spaces, in any order. A row that is weaker than the one before
    is no fault here. Raises StrategyError with file and line at the first fault.
    """
    codes: dict[int, int] = {}
    lines: dict[int, int] = {}
    for number, cells in _read_cells(path):
        place = f"{path}:{number}"
        try:
            mask, code = _read_deal(cells)
        except CpokerError as error:
            raise StrategyError(f"{place}: {error}") from None
        if mask in lines:
            raise StrategyError(f"{place}: the deal of line {lines[mask]} again")
        codes[mask], lines[mask] = code, number
    if not codes:
        raise StrategyError(f"{path}: no deals in it; expected a line for each after the header")
    return Splits(codes)


def _read_cells(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and the cells of each line of a CSV by the names of the columns."""
    reader = csv.reader(_read_lines(path))
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        if sorted(header) != sorted(COLUMNS):
            shown = quote_text(",".join(header), 60)
            raise StrategyError(f"{path}:1: header {shown}; expected {','.join(COLUMNS)}")
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) != len(header):
                count = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
                raise StrategyError(f"{path}:{reader.line_num}: {count}, expected {len(header)}")
            yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise StrategyError(f"{path}:{reader.line_num}: not valid CSV: {error}") from None


def _read_lines(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as stream:
            number = 0
            while raw := stream.readline(LONGEST_LINE):
                number += 1
                try:
                    yield raw.removeprefix(b"\xef\xbb\xbf").decode()
                except UnicodeDecodeError:
                    raise StrategyError(f"{path}:{number}: not UTF-8 text") from None
    except OSError as error:
        raise StrategyError(f"{path}: cannot be read: {error.strerror or error}") from error


def _read_deal(cells: Mapping[str, str]) -> tuple[int, int]:
    """Return the mask and the split code of a line."""
    cards = parse_cards(cells["cards"], "cards", 13)
    rows = Arrangement(*(parse_cards(cells[name], name) for name in ROW_NAMES))
    foreign = format_cards(card for card in rows.cards if card not in cards)
    if foreign:
        left = format_cards(card for card in cards if card not in rows.cards)
        raise CardError(f"not in the deal: {foreign}; instead of {left}")
    return mask_cards(cards), find_code(sort_deal(cards), rows)
