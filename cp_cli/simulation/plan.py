"""What is played out: the hands of a table, how each may be set, and what is counted for whom.

A *deal* is one table of hands. A *game* is one way to play it: strategy against strategy is
played with every seating of the players, several splits of the hero are one game each, always on
the same cards. One *pack* makes as many deals as its cards allow.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from cp_cli.arrangement import Arrangement, Subject, list_cards
from cp_cli.cards import check_distinct, format_cards
from cp_cli.errors import ArrangementError, CardError, InputError
from cp_cli.settlement.game import BANK, PLAYER, Role

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset

PACK = 52
EQUILIBRIUM = "equilibrium"
PARTS = 36
"""Units of pots and of points over an average are whole numbers of this part of one."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a simulation is asked.

    Attributes:
        subjects: splits of the hero, or his cards; none for strategy against strategy.
        strategy: how the hero sets his cards; the first player's without a hero.
        versus: the opponents' strategies, one for all of them or one for each.
        known: what is known of the opponents' hands, in the order of the seats.
        dead: cards that nobody holds.
        role: the hero's own, where there is a bank.
        chips: what everybody has in front at the start of each deal, None for no limit.
        stored: take opponents from the stored deals of their strategy.
        precise: set every hand by the exact form of its strategy.

    """

    ruleset: "Ruleset"
    opponents: int
    subjects: tuple[Subject, ...] = ()
    strategy: str = EQUILIBRIUM
    versus: tuple[str, ...] = (EQUILIBRIUM,)
    known: tuple[Subject, ...] = ()
    dead: tuple[int, ...] = ()
    role: Role = PLAYER
    chips: int | None = None
    stored: bool = False
    precise: bool = False


class Way(NamedTuple):
    """How a hand is set: as it stands, or by a strategy in a role."""

    label: str
    role: Role
    split: Arrangement | None = None


class Place(NamedTuple):
    """The hands of a player in one game."""

    game: int
    hands: tuple[int, ...]


class Counted(NamedTuple):
    """Somebody whose units are counted: where he sits in which games."""

    label: str
    role: Role | None
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played out.

    Attributes:
        known: the known cards of the first hands; the others of a table are dealt.
        tables: which hands of a pack, known ones first, make each deal.
        ways: for each hand of a table, the ways to set it.
        games: for each game, the way of each hand.
        owners: whose each hand of a table is.
        banker: the hand of the bank, -1 for none.
        counted: who is counted, in the order shown.

    """

    request: Request
    known: tuple[tuple[int, ...], ...]
    tables: tuple[tuple[int, ...], ...]
    ways: tuple[tuple[Way, ...], ...]
    games: tuple[tuple[int, ...], ...]
    owners: tuple[int, ...]
    banker: int
    counted: tuple[Counted, ...]
    scale: int = 1

    @property
    def ruleset(self) -> "Ruleset":
        """The rules."""
        return self.request.ruleset

    @property
    def hands(self) -> int:
        """How many hands a table has."""
        return len(self.owners)

    @property
    def hands_of_pack(self) -> int:
        """How many hands are dealt from a pack."""
        return 1 + max(max(table) for table in self.tables)

    @property
    def hero(self) -> bool:
        """Whether one hand is the subject, rather than the players in all seats."""
        return bool(self.request.subjects)


def build_plan(request: Request) -> Plan:
    """Return what is played out.

    Raises InputError, CardError or ArrangementError for cards that are in two places, subjects
    that are not of the same cards, or more hands than there are cards.
    """
    _check_options(request)
    return _seat_hero(request) if request.subjects else _seat_players(request)


# --- the hero against opponents ------------------------------------------------------------------


def _seat_hero(request: Request) -> Plan:
    """Return the plan in which the first hand is the hero's."""
    _check_subjects(request)
    banked = request.ruleset.mode == "bank"
    criss_cross = request.ruleset.mode == "criss_cross"
    # A player settles with the bank alone; the other players' hands are no matter to him.
    opponents = 1 if banked and request.role == PLAYER else request.opponents
    hands = 3 if criss_cross else 1 + opponents
    banker = (0 if request.role == BANK else 1) if banked else -1
    known = (list_cards(request.subjects[0]), *map(list_cards, request.known))
    tables = _combine(request, known, hands)
    names = _repeat(request.versus, 2 if criss_cross else opponents)
    theirs = BANK if banker == 1 else PLAYER
    ways = [tuple(_make_way(each, request.strategy, request.role) for each in request.subjects)]
    for hand in range(1, hands):
        seen = request.known[hand - 1] if hand <= len(request.known) else ()
        ways.append((_make_way(seen, names[hand - 1], theirs),))
    games = tuple((k, *[0] * (hands - 1)) for k in range(len(request.subjects)))
    role = request.role if banked else None
    return Plan(
        request=request,
        known=known,
        tables=tables,
        ways=tuple(ways),
        games=games,
        owners=(0, 1, 1) if criss_cross else tuple(range(hands)),
        banker=banker,
        counted=tuple(Counted(way.label, role, (Place(k, (0,)),)) for k, way in enumerate(ways[0])),
        scale=find_scale(request.ruleset),
    )


def _repeat(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return a strategy for each opponent: one name stands for all."""
    return names * count if len(names) == 1 else names


def _make_way(subject: Subject, strategy: str, role: Role) -> Way:
    if isinstance(subject, Arrangement):
        return Way(str(subject), role, subject)
    return Way(strategy, role)


def _combine(
    request: Request, known: tuple[tuple[int, ...], ...], hands: int
) -> tuple[tuple[int, ...], ...]:
    """Return all tables that the known hands and those of the other cards make."""
    others = (PACK - len(request.dead)) // 13 - len(known)
    wanted = hands - len(known)
    if others < wanted:
        raise _refuse_dead(request, hands)
    first = tuple(range(len(known)))
    dealt = range(len(known), len(known) + others)
    return tuple((*first, *chosen) for chosen in combinations(dealt, wanted))


# --- strategy against strategy -------------------------------------------------------------------


def _seat_players(request: Request) -> Plan:
    """Return the plan in which the players take all seats in turn."""
    criss_cross = request.ruleset.mode == "criss_cross"
    players = 1 + request.opponents
    hands = 4 if criss_cross else players
    banked = request.ruleset.mode == "bank"
    whose = (0, 0, 1, 1) if criss_cross else tuple(range(hands))
    lineup = (request.strategy, *_repeat(request.versus, request.opponents))
    names = tuple(dict.fromkeys(lineup))
    turns = tuple(dict.fromkeys(lineup[-k:] + lineup[:-k] for k in range(players)))
    roles = [BANK if banked and player == 0 else PLAYER for player in range(players)]
    return Plan(
        request=request,
        known=(),
        tables=_part(request, hands),
        ways=tuple(tuple(Way(name, roles[player]) for name in names) for player in whose),
        games=tuple(tuple(names.index(turn[player]) for player in whose) for turn in turns),
        owners=(0, 0, 2, 2) if criss_cross else whose,
        banker=0 if banked else -1,
        counted=tuple(_count_players(names, turns, whose, banked=banked)),
        scale=find_scale(request.ruleset),
    )


def _part(request: Request, hands: int) -> tuple[tuple[int, ...], ...]:
    """Return as many tables as a pack makes without using a hand twice."""
    count = (PACK - len(request.dead)) // 13 // hands
    if not count:
        raise _refuse_dead(request, hands)
    return tuple(tuple(range(k * hands, (k + 1) * hands)) for k in range(count))


def _count_players(
    names: tuple[str, ...],
    turns: tuple[tuple[str, ...], ...],
    whose: tuple[int, ...],
    *,
    banked: bool,
) -> list[Counted]:
    """Return each strategy with its seats; where there is a bank, each role by itself, too."""
    counted = []
    for name in names:
        places = [
            (player, Place(game, tuple(h for h, owner in enumerate(whose) if owner == player)))
            for game, turn in enumerate(turns)
            for player, seated in enumerate(turn)
            if seated == name
        ]
        if not banked or len(names) > 1:
            counted.append(Counted(name, None, tuple(place for _, place in places)))
        if banked:
            as_bank = tuple(place for player, place in places if player == 0)
            as_player = tuple(place for player, place in places if player > 0)
            counted += [Counted(name, BANK, as_bank), Counted(name, PLAYER, as_player)]
    return counted


def _refuse_dead(request: Request, hands: int) -> InputError:
    """Return the error that there are not enough cards for so many hands."""
    dead = len(request.dead)
    return InputError(
        f"{hands} hands of 13 cards and {dead} dead card{'' if dead == 1 else 's'}: a pack has "
        f"{PACK}; expected fewer"
    )


# --- checks --------------------------------------------------------------------------------------


def find_scale(ruleset: "Ruleset") -> int:
    """Return how many parts a unit is counted in, so that every amount is a whole number."""
    return PARTS if ruleset.mode in ("row_pots", "race") else 1


def _check_options(request: Request) -> None:
    rules = request.ruleset
    if len(request.versus) not in (1, request.opponents):
        raise InputError(
            f"--versus: {len(request.versus)} strategies for {request.opponents} opponents; "
            f"expected one for all or one for each"
        )
    if request.chips is not None and (rules.stakes is None or rules.stakes.cap != "chips"):
        raise InputError(
            f"--chips {request.chips}: ruleset {rules.id} does not limit payments by chips; "
            f"expected stakes.cap chips, as by --set stakes.cap=chips"
        )
    if request.known and not request.subjects:
        raise InputError("--opponent: nobody's opponent; expected CARDS or an ARRANGEMENT, too")
    most = 2 if rules.mode == "criss_cross" else request.opponents
    if len(request.known) > most:
        raise InputError(
            f"--opponent: {len(request.known)} hands for {most} opponents; expected {most} or less"
        )
    alone = request.opponents == 1 and len(request.subjects) > 0 and not request.known
    full = all(len(list_cards(subject)) == 13 for subject in request.subjects)
    if request.stored and not (alone and full and rules.mode != "criss_cross"):
        raise InputError(
            "--stored: stored deals are single opponents; expected 13 cards or an arrangement, "
            "--opponents 1 and no --opponent"
        )


def _check_subjects(request: Request) -> None:
    """Raise an error unless the subjects are of the same cards, and no card is in two places."""
    first = set(list_cards(request.subjects[0]))
    for subject in request.subjects[1:]:
        cards = set(list_cards(subject))
        if cards != first:
            foreign = format_cards(sorted(cards - first, reverse=True))
            missing = format_cards(sorted(first - cards, reverse=True))
            kind = ArrangementError if isinstance(subject, Arrangement) else CardError
            raise kind(
                f"{subject if isinstance(subject, Arrangement) else format_cards(subject)}: "
                f"not the cards of the first subject: {foreign or 'no card'} "
                f"instead of {missing or 'none'}"
            )
    names = [f"opponent {k + 1}" for k in range(len(request.known))]
    groups = [("cards", list_cards(request.subjects[0])), ("--dead", request.dead)]
    groups[1:1] = [
        (name, list_cards(known)) for name, known in zip(names, request.known, strict=True)
    ]
    check_distinct(groups)
