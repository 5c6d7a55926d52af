"""Strategy files: what each of a long list of known deals does at equilibrium.

The deals follow from a seed, so a file holds only their split codes. It is one line of JSON, then
the codes, compressed. Files that come with the package and those trained by the user are found by
the digest of what matters for play, so a house rule that changes no play needs no training.
"""

import hashlib
import json
import os
import sys
import zlib
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cp_cli._kernels.jit import CACHE_DIR, digest_sources
from cp_cli._kernels.opponents import FOUL, Game
from cp_cli._kernels.payoff import COLUMN
from cp_cli.errors import StrategyError
from cp_cli.evaluator import natural_spec
from cp_cli.field import (
    Deals,
    Field,
    build_field,
    deal_random,
    describe_deals,
    find_tinted,
)
from cp_cli.settlement.game import BANK, PLAYER, Role, build_game, digest_play
from cp_cli.strategy.answers import Notice, Progress, be_silent, tell_nobody, with_rest
from cp_cli.strategy.checkpoints import Checkpoint
from cp_cli.strategy.levels import HIGHEST_LEVEL, parse_level, set_at_level
from cp_cli.strategy.named import EQUILIBRIUM, check_name, set_deals
from cp_cli.strategy.training import QUICK, Plan, list_roles, train_sides

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cp_cli.ruleset import Ruleset

FORMAT = 1
TRAINED = "trained"
SUFFIX = ".strategy"
SHIPPED = Path(__file__).parent.parent / "strategies"
REST_SAMPLE = 4_096  # deals that tell how often one of them beats everybody
NAMED = Plan(choosing=24_576, judging=73_728)
"""Deals set by a simple rule of arrangement, where opponents play one."""
LEVELS = Plan(choosing=16_384, judging=32_768)
"""Deals set by a player of a level: fewer, as each takes a millisecond."""
LARGEST = 1 << 22  # deals in a file; a damaged header must not ask for all memory


@dataclass(frozen=True, slots=True)
class Strategy:
    """What deals number 0, 1, ... of a seed do: the first `choosing` of them, and the rest.

    `digest` says for which rules, `codes` int32 (n,) are split codes, DECLARE, SURRENDER or FOUL.
    """

    digest: str
    seed: int
    choosing: int
    codes: "NDArray[np.int32]"


def write_strategy(path: Path, strategy: Strategy, ruleset: str) -> None:
    """Write a strategy file; a reader never sees half of it."""
    fronts, options = np.divmod(strategy.codes, 252)
    planes = (fronts >> 8, fronts & 255, options)
    packed = zlib.compress(b"".join(plane.astype(np.uint8).tobytes() for plane in planes), 9)
    header = {
        "format": FORMAT,
        "ruleset": ruleset,
        "digest": strategy.digest,
        "seed": strategy.seed,
        "choosing": strategy.choosing,
        "deals": len(strategy.codes),
        "crc": zlib.crc32(packed),
    }
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_bytes(json.dumps(header).encode() + b"\n" + packed)
    temporary.replace(path)


def read_strategy(path: Path) -> Strategy:
    """Read a strategy file. Raises StrategyError if it is damaged or of another format."""
    try:
        line, _, packed = path.read_bytes().partition(b"\n")
        header = json.loads(line)
        if header["format"] != FORMAT:
            raise StrategyError(f"{path}: format {header['format']}, expected {FORMAT}")
        deals, choosing = int(header["deals"]), int(header["choosing"])
        if not 0 < choosing < deals <= LARGEST or zlib.crc32(packed) != header["crc"]:
            raise StrategyError(f"{path}: damaged strategy file")
        unpacked = zlib.decompressobj().decompress(packed, 3 * deals + 1)
        planes = np.frombuffer(unpacked, dtype=np.uint8).reshape(3, deals)
        codes = (planes[0].astype(np.int32) * 256 + planes[1]) * 252 + planes[2]
        seed = int(header["seed"])
        if codes.max() > FOUL or planes[2].max() > 251 or not 0 <= seed < 1 << 63:
            raise StrategyError(f"{path}: damaged strategy file")
        return Strategy(str(header["digest"]), seed, choosing, codes)
    except StrategyError:
        raise
    except OSError as error:
        reason = (error.strerror or "?").lower()
        raise StrategyError(f"{path}: cannot be read: {reason}") from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError, zlib.error) as error:
        raise StrategyError(f"{path}: damaged strategy file") from error


def find_shipped(digest: str) -> Path | None:
    """Return the file with this digest that comes with the package, if there is one."""
    return next(iter(sorted(SHIPPED.glob(f"*-{digest}{SUFFIX}"))), None)


def find_cached(digest: str, name: str = EQUILIBRIUM) -> Path:
    """Return where a strategy trained or computed on this machine is kept.

    The name is that of the strategy, or TRAINED for one that the user asked for.
    """
    from platformdirs import user_cache_path

    root = os.environ.get("CPOKER_CACHE_DIR") or user_cache_path("cpoker")
    return Path(root) / "strategies" / f"{name}-{digest}{SUFFIX}"


def list_files(digest: str, name: str = EQUILIBRIUM) -> Iterator[Path]:
    """Yield the files that there are of a strategy for these rules, the first in use.

    What the user trained goes before what comes with the package, and this before what was
    trained on the fly.
    """
    places = [find_cached(digest, name)]
    if name == EQUILIBRIUM:
        places = [find_cached(digest, TRAINED), *filter(None, [find_shipped(digest)]), *places]
    yield from (path for path in places if path.is_file())


def _tell(message: str) -> None:
    print(message, file=sys.stderr)


def _find_sound(digest: str, name: str, notice: Notice) -> Strategy | None:
    """Return the strategy in use for these rules, if a file of it is sound; tell of others."""
    for path in list_files(digest, name):
        try:
            strategy = read_strategy(path)
        except StrategyError as error:
            notice(f"warning: {error}; another takes its place")
            continue
        if strategy.digest == digest:
            return strategy
        notice(f"warning: {path}: is for other rules; another takes its place")
    return None


def _keep(strategy: Strategy, path: Path, ruleset: str) -> None:
    """Write a strategy into the cache; a cache that cannot be written is done without."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_strategy(path, strategy, ruleset)
    except OSError:
        return


def load_strategy(
    ruleset: "Ruleset",
    name: str = EQUILIBRIUM,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    opponents: int = 1,
    role: Role = PLAYER,
    notice: Notice = _tell,
) -> Strategy:
    """Return a strategy for a ruleset: trained, shipped, cached, or found now and then cached.

    `opponents` counts where the ruleset pays by the whole table, `role` where there is a bank.
    `progress(share, what)` is called while it trains, up to a minute on two cores; `notice(line)`
    is told about damaged files, by default on stderr.
    """
    check_name(name)
    level = parse_level(name)
    if level == HIGHEST_LEVEL:
        name, level = EQUILIBRIUM, None
    if level is not None:
        return _load_level(ruleset, level, jobs, progress or be_silent, opponents, role, notice)
    digest = digest_play(ruleset, opponents, role)
    found = _find_sound(digest, name, notice)
    if found is not None:
        return found
    if name == EQUILIBRIUM:
        plan = QUICK[build_game(ruleset, opponents, role).pruning]
        checkpoint = open_checkpoint(ruleset, plan, opponents)
        sides = train_strategies(
            ruleset, plan, jobs, progress or be_silent, opponents, checkpoint, notice
        )
    else:
        cards = deal_random(NAMED.seed, 0, NAMED.choosing + NAMED.judging)
        codes = set_deals(name, cards, build_game(ruleset, opponents, role), jobs=jobs)
        sides = {role: Strategy(digest, NAMED.seed, NAMED.choosing, codes)}
    for strategy in sides.values():
        _keep(strategy, find_cached(strategy.digest, name), ruleset.id)
    if name == EQUILIBRIUM:
        checkpoint.remove()
    return sides[role]


def _load_level(
    ruleset: "Ruleset",
    level: int,
    jobs: int,
    progress: Progress,
    opponents: int,
    role: Role,
    notice: Notice,
) -> Strategy:
    """Return what a player of a level does; another equilibrium makes him another player."""
    field, game = open_rivals(ruleset, opponents, role, jobs, progress, notice)
    digest = digest_play(ruleset, opponents, role)
    name = f"level-{level}-{zlib.crc32(field.codes.tobytes()):08x}"
    found = _find_sound(digest, name, notice)
    if found is None:
        cards = deal_random(LEVELS.seed, 0, LEVELS.choosing + LEVELS.judging)

        def report(done: float, what: str) -> None:
            progress(done, f"deals of level {level}")

        deals = describe_deals(cards, ruleset)
        codes = set_at_level(level, deals, field, jobs=jobs, game=game, progress=report)
        found = Strategy(digest, LEVELS.seed, LEVELS.choosing, codes)
        _keep(found, find_cached(digest, name), ruleset.id)
    return found


def find_rival(ruleset: "Ruleset", role: Role) -> Role:
    """Return the role of those whom a player plays against."""
    return PLAYER if role == BANK or ruleset.mode != "bank" else BANK


def open_rivals(
    ruleset: "Ruleset",
    opponents: int = 1,
    role: Role = PLAYER,
    jobs: int = 1,
    progress: Progress | None = None,
    notice: Notice = _tell,
) -> tuple[Field, Game]:
    """Return whom a player at equilibrium answers, and the rules as he sees them."""
    theirs = find_rival(ruleset, role)
    found = load_strategy(
        ruleset, EQUILIBRIUM, jobs, progress, opponents=opponents, role=theirs, notice=notice
    )
    field = open_field(ruleset, found, opponents=opponents, role=theirs)
    game = build_game(ruleset, opponents, role)
    game = game._replace(whole=game.whole._replace(rest=field.game.whole.rest))
    return field.take(slice(0, found.choosing)), game


def open_checkpoint(ruleset: "Ruleset", plan: Plan, opponents: int = 1) -> Checkpoint:
    """Return where the state of a training is kept, beside the trained strategies.

    Other rules, another plan or other kernels make another training.
    """
    digests = [digest_play(ruleset, opponents, role) for role in list_roles(ruleset)]
    key = repr([FORMAT, digests, asdict(plan), digest_sources()])
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    return Checkpoint(find_cached(digests[0]).parent / f"training-{digest}.npz", key)


def train_strategies(
    ruleset: "Ruleset",
    plan: Plan,
    jobs: int = 1,
    progress: Progress = be_silent,
    opponents: int = 1,
    checkpoint: Checkpoint | None = None,
    notice: Notice = tell_nobody,
) -> dict[Role, Strategy]:
    """Return the strategy of each role; see `train_sides`."""
    sides = train_sides(ruleset, plan, jobs, progress, opponents, checkpoint, notice)
    return {
        role: Strategy(digest_play(ruleset, opponents, role), plan.seed, plan.choosing, codes)
        for role, codes in sides.items()
    }


def store_strategies(
    strategies: Collection[Strategy], ruleset: str, output: Path | None = None
) -> list[Path]:
    """Write what the user trained and return where: from now on it is what these rules use.

    With `output` it is only written there, two roles under names of their own beside each other.
    Raises OSError where that fails.
    """
    paths = {each.digest: find_cached(each.digest, TRAINED) for each in strategies}
    if output is not None:
        several = len(paths) > 1
        paths = {
            digest: output.with_stem(f"{output.stem}-{digest}") if several else output
            for digest in paths
        }
    for strategy in strategies:
        paths[strategy.digest].parent.mkdir(parents=True, exist_ok=True)
        write_strategy(paths[strategy.digest], strategy, ruleset)
    return list(paths.values())


def open_field(
    ruleset: "Ruleset", strategy: Strategy, *, opponents: int = 1, role: Role = PLAYER
) -> Field:
    """Return all deals of a strategy as one field, the choosing ones first.

    `opponents` and `role` are those that the strategy was loaded for.

    Dealing and ranking hundreds of thousands of deals takes a noticeable part of a second, so
    the result is kept beside the compiled kernels, which decide what it is.
    """
    game = build_game(ruleset, opponents, role)
    digest = zlib.crc32(strategy.codes.tobytes())
    path = CACHE_DIR / f"field-{strategy.digest}-{digest:08x}.npy"
    field = _read_field(path, ruleset, strategy, game)
    if field is None:
        cards = deal_random(strategy.seed, 0, len(strategy.codes))
        field = build_field(describe_deals(cards, ruleset), strategy.codes, game)
        _write_field(path, field)
    if role == PLAYER and ruleset.mode != "bank":
        sample = field.arranged[:, :REST_SAMPLE]
        field = replace(field, game=with_rest(field.game, sample, sample))
    return field


def open_fields(
    ruleset: "Ruleset", strategy: Strategy, *, opponents: int = 1, role: Role = PLAYER
) -> tuple[Field, Field]:
    """Return the choosing and the judging field of a strategy; see `open_field`."""
    field = open_field(ruleset, strategy, opponents=opponents, role=role)
    return field.take(slice(0, strategy.choosing)), field.take(slice(strategy.choosing, None))


def _pack_field(field: Field) -> "list[NDArray[np.generic]]":
    deals = field.deals
    return [deals.masks, deals.ties, field.arranged.ravel(), deals.places]


def _write_field(path: Path, field: Field) -> None:
    """Keep a field as one array of words, the checksum of the others last."""
    parts = [np.frombuffer(_pad(part.tobytes()), dtype=np.uint64) for part in _pack_field(field)]
    words = np.concatenate(parts)
    words = np.append(words, np.uint64(zlib.crc32(words.tobytes())))
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        words.tofile(temporary)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)


def _pad(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def _read_field(path: Path, ruleset: "Ruleset", strategy: Strategy, game: Game) -> Field | None:
    """Return a kept field, or None if it is missing or damaged."""
    try:
        words = np.fromfile(path, dtype=np.uint64)
    except (OSError, ValueError):
        return None
    n = len(strategy.codes)
    sizes = [n, n, n * COLUMN // 4, -(-n // 4)]
    if len(words) != sum(sizes) + 1 or zlib.crc32(words[:-1].data) != words[-1]:
        return None
    masks, ties, rows, naturals = np.split(words[:-1], np.cumsum(sizes[:-1]))
    places = naturals.view(np.int16)[:n]
    deals = Deals(masks, places, ties.view(np.int64), natural_spec(ruleset))
    arranged = rows.view(np.int16)[: n * COLUMN].reshape(COLUMN, n)
    return Field(deals, find_tinted(deals), strategy.codes, arranged, game)
