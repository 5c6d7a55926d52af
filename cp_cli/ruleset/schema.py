"""The keys of a ruleset file as frozen types. Amounts are whole units."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field, json, structs

from cp_cli.arrangement import Natural

MAX_UNITS = 5_000  # six of them still fit the 16-bit tables of the kernels
MAX_STAKE = 1_000_000

Units = Annotated[int, Meta(ge=0, le=MAX_UNITS)]
PaidUnits = Annotated[int, Meta(ge=1, le=MAX_UNITS)]
Stake = Annotated[int, Meta(ge=1, le=MAX_STAKE)]
Factor = Annotated[int, Meta(ge=1, le=100)]
Face = Annotated[int, Meta(ge=2, le=14)]  # a rank as people count it: 11 is J, 14 is A
FantasyCards = Literal[0, 13, 14, 15, 16, 17]
Mode = Literal["pairs", "bank", "sole_winner", "row_pots", "race", "criss_cross"]


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every part of a ruleset: frozen, and no key but those named."""


class Players(Section, frozen=True):
    """How many play."""

    min: Annotated[int, Meta(ge=2, le=4)] = 2
    max: Annotated[int, Meta(ge=2, le=4)] = 4


class Order(Section, frozen=True):
    """How rows rank, and when a split is mis-set."""

    equal_rows: Annotated[
        Literal["legal", "foul"], Meta(description="may two rows of a split be equal?")
    ] = "legal"
    wheel: Annotated[
        Literal["low", "second"],
        Meta(description="place of A-2-3-4-5: lowest straight, or below A-K-Q-J-T only"),
    ] = "low"
    middle: Annotated[
        Literal["high", "low27"],
        Meta(description="low27: the worse middle wins, deuce-to-seven, without royalties"),
    ] = "high"
    middle_max: Annotated[
        Face | None,
        Meta(description="with low27: highest card a legal middle may hold (10: ten-high)"),
    ] = None


class Outcome(Section, frozen=True):
    """Units for a pair by rows won and lost, instead of units row by row."""

    three_none: Units = field(name="3-0")
    two_one: Units = field(name="2-1")
    two_none: Units = field(name="2-0")
    one_none: Units = field(name="1-0")
    one_one: Literal[0] = field(name="1-1", default=0)


class Rows(Section, frozen=True):
    """What rows pay before royalties. `outcome`, where given, stands instead of `win`."""

    win: Annotated[Units, Meta(description="units for each row won")] = 1
    outcome: Outcome | None = None

    def pays(self, won: int, lost: int) -> int:
        """Units to the player who won `won` rows of an opponent and lost `lost` to him.

        >>> Rows(win=1).pays(2, 1)
        1
        >>> table = Outcome(three_none=6, two_one=2, two_none=2, one_none=0)
        >>> Rows(outcome=table).pays(1, 2)
        -2
        """
        if self.outcome is None:
            return self.win * (won - lost)
        if won < lost:
            return -self.pays(lost, won)
        table = self.outcome
        named = {(3, 0): table.three_none, (2, 1): table.two_one, (2, 0): table.two_none}
        named[1, 0] = table.one_none
        return named.get((won, lost), 0)


class Overall(Section, frozen=True):
    """One more payment a pair, to its winner."""

    units: PaidUnits = 1
    when: Annotated[
        Literal["majority", "more_rows", "net"],
        Meta(description="won at least two rows | more rows than the other | ahead in units"),
    ] = "majority"


class Sweep(Section, frozen=True):
    """For winning all three rows of one opponent: first `times`, then `units` on top."""

    units: Units = 0
    times: Factor = 1
    scope: Annotated[
        Literal["all", "rows"],
        Meta(description="what times multiplies: rows and royalties, or rows alone"),
    ] = "all"
    tie_counts: Annotated[bool, Meta(description="two rows won and one equal sweeps too")] = False


class AllSweep(Section, frozen=True):
    """For sweeping everybody (home run): first `times`, then `units`, in each pair."""

    units: Units = 0
    times: Factor = 1
    opponents: Annotated[
        int, Meta(ge=1, le=3, description="how many opponents must have been swept in play")
    ] = 3


class FrontRoyalties(Section, frozen=True):
    """Royalties of the front: one value for any trips, or values rising with the rank."""

    trips: Units = 0
    pair_from: Annotated[
        Face | None, Meta(description="lowest pair that pays; 11 J, 12 Q, 13 K, 14 A")
    ] = None
    pair_base: Annotated[Units, Meta(description="units of that pair; each rank up adds 1")] = 0
    trips_base: Annotated[Units, Meta(description="units of 222; each rank up adds 1")] = 0

    def pair_units(self, rank: int) -> int:
        """Units for a pair of `rank` (0 is the deuce, 12 the ace) in front.

        >>> FrontRoyalties(pair_from=6, pair_base=1).pair_units(12)
        9
        """
        if self.pair_from is None or rank + 2 < self.pair_from:
            return 0
        return self.pair_base + rank + 2 - self.pair_from

    def trips_units(self, rank: int) -> int:
        """Units for three of `rank` (0 is the deuce, 12 the ace) in front.

        >>> FrontRoyalties(trips_base=10).trips_units(12)
        22
        """
        return self.trips_base + rank if self.trips_base else self.trips


class RowRoyalties(Section, frozen=True):
    """Royalties of the middle or the back; a hand earns those of its category only."""

    trips: Units = 0
    straight: Units = 0
    flush: Units = 0
    full_house: Units = 0
    quads: Units = 0
    straight_flush: Units = 0
    royal_flush: Annotated[Units, Meta(description="when left out: as straight_flush")] = 0


class Royalties(Section, frozen=True):
    """Additional or different payments for strong rows."""

    style: Annotated[
        Literal["extra", "instead"],
        Meta(description="on top of the row, or in place of what the row pays"),
    ] = "extra"
    paid: Annotated[
        Literal["winner", "always"],
        Meta(description="only to the winner of the row, or to the holder in any case"),
    ] = "winner"
    front: FrontRoyalties = FrontRoyalties()
    middle: RowRoyalties = RowRoyalties()
    back: RowRoyalties = RowRoyalties()
    cancel: Annotated[
        bool, Meta(description="royalties of both players in the same row cancel")
    ] = False
    declare: Annotated[
        Literal["auto", "required"],
        Meta(description="every royalty counts, or only those announced before the showdown"),
    ] = "auto"
    max_per_hand: Annotated[
        Annotated[int, Meta(ge=1, le=3)] | None,
        Meta(description="how many royalties one hand may be paid for, the highest first"),
    ] = None


class NaturalPay(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """A natural and what each beaten player pays for it."""

    name: Natural
    units: PaidUnits


class NoPictures(Section, frozen=True):
    """Thirteen cards without a picture, lowest of all naturals."""

    units: PaidUnits = 3
    ace_is_picture: bool = True


class Naturals(Section, frozen=True):
    """Thirteen cards that win as they are."""

    clash: Annotated[
        Literal["higher", "difference"],
        Meta(description="of two naturals the higher is paid in full, or the difference"),
    ] = "higher"
    rank: Annotated[
        Literal["listed", "value_then_listed", "value"],
        Meta(description="strength by place in the list (last is highest), by units, or both"),
    ] = "listed"
    list: Annotated[tuple[NaturalPay, ...], Meta(description="[name, units], weakest first")] = ()
    no_pictures: NoPictures | None = None
    quads_as_two_pairs: bool = True
    trips_as_pair: bool = True
    odd_card_breaks_tie: bool = False
    front_qka: Annotated[bool, Meta(description="Q-K-A is a straight of three cards")] = True
    ace_low_in_small: Annotated[bool, Meta(description="an ace is low, too, in all low")] = False


class Foul(Section, frozen=True):
    """What a mis-set hand pays to every legal one."""

    pays: Annotated[
        Literal["scoop", "rows"] | Units,
        Meta(description="three rows and the sweep, three rows only, or a flat number"),
    ] = "scoop"
    royalties: Annotated[bool, Meta(description="and the royalties of the opponent")] = True


class Bank(Section, frozen=True):
    """With mode bank: everybody settles with one player only."""

    player: Annotated[str | None, Meta(description="name of the bank")] = None
    wins_ties: bool = True


class Stakes(Section, frozen=True):
    """What a unit is worth between two players, and whether chips in front limit payments."""

    default: Stake = 1
    pairs: Annotated[
        dict[str, Stake], Meta(description="stake of one pair of players, as A-B: 100")
    ] = {}
    cap: Annotated[
        Literal["chips"] | None, Meta(description="nobody pays or is paid more than his chips")
    ] = None

    @staticmethod
    def name_pair(pair: str) -> frozenset[str]:
        """Return the names that a key of `pairs` joins with a hyphen.

        >>> sorted(Stakes.name_pair("Amy - Bob"))
        ['Amy', 'Bob']
        """
        return frozenset(name.strip() for name in pair.split("-"))

    def between(self, first: str, second: str) -> int:
        """Return what a unit is worth between two players.

        >>> Stakes(default=10, pairs={"A-B": 100}).between("B", "A")
        100
        """
        for pair, stake in self.pairs.items():
            if self.name_pair(pair) == {first, second}:
                return stake
        return self.default


class Race(Section, frozen=True):
    """With mode race: points for the best rows at the table."""

    target: Annotated[int, Meta(ge=1, le=1000)] = 11
    fourth_point: Annotated[
        bool, Meta(description="with four players, all three rows bring a fourth point")
    ] = True


class FantasylandEntry(Section, frozen=True):
    """Cards dealt in fantasyland by the front that entered; 0 does not enter."""

    tens: FantasyCards = 0
    jacks: FantasyCards = 0
    queens: FantasyCards = 14
    kings: FantasyCards = 14
    aces: FantasyCards = 14
    trips: FantasyCards = 14


class FantasylandStay(Section, frozen=True):
    """Weakest row that keeps a player in fantasyland; null: that row does not count."""

    front: Literal["trips"] | None = "trips"
    middle: Literal["full_house", "quads", "straight_flush"] | None = None
    back: Literal["full_house", "quads", "straight_flush"] | None = "quads"


class Fantasyland(Section, frozen=True):
    """After a strong front: the next cards all at once, face down."""

    enter: FantasylandEntry = FantasylandEntry()
    stay: FantasylandStay = FantasylandStay()
    stay_cards: Annotated[
        Literal[13, 14, 15, 16, 17, "by_front"],
        Meta(description="cards of a player who stays; by_front: as on entering again"),
    ] = 14


class Jackpot(Section, frozen=True):
    """Rows that must all lose to one player for a jackpot; it is reported, not paid."""

    front: Literal["pair", "trips"] = "pair"
    middle: Literal["trips", "straight", "flush", "full_house", "quads", "straight_flush"] = "trips"
    back: Literal["full_house", "quads", "straight_flush"] = "straight_flush"


class Ruleset(Section, frozen=True):
    """One complete ruleset."""

    id: Annotated[str, Meta(min_length=1, max_length=80)]
    aliases: tuple[str, ...] = ()
    description: Annotated[str, Meta(description="one line")] = ""
    source: Annotated[str, Meta(description="where the rules are written down")] = ""
    notes: Annotated[
        dict[str, str], Meta(description="how this file reads what its source leaves open")
    ] = {}
    players: Players = Players()
    mode: Mode = "pairs"
    deal: Annotated[
        Literal["closed", "open", "pineapple"],
        Meta(description="thirteen cards at once, open-face one by one, or three and discard"),
    ] = "closed"
    order: Order = Order()
    rows: Rows = Rows()
    overall: Overall | None = None
    sweep: Sweep | None = None
    all_sweep: AllSweep | None = None
    middle_extra: Annotated[
        Units, Meta(description="more for winning the middle with quads or a straight flush")
    ] = 0
    royalties: Royalties | None = None
    naturals: Naturals | None = None
    foul: Foul = Foul()
    surrender: Annotated[
        Units | None, Meta(description="units to each opponent; null: nobody may surrender")
    ] = None
    bank: Bank = Bank()
    ante: Annotated[Units, Meta(description="stake of each player in the pot")] = 0
    aces: Annotated[
        Annotated[tuple[Units, ...], Meta(min_length=5, max_length=5)] | None,
        Meta(description="side bet: worth of 0, 1, 2, 3 and 4 aces"),
    ] = None
    stakes: Stakes | None = None
    rake: Annotated[Units, Meta(description="units each player pays the house a deal")] = 0
    race: Race = Race()
    fantasyland: Fantasyland | None = None
    jackpot: Jackpot | None = None


METADATA = ("id", "aliases", "description", "source", "notes")

# Sections that mean nothing outside their mode.
MODE_SECTIONS = {"bank": "bank", "race": "race"}


def to_dict(ruleset: Ruleset) -> dict[str, Any]:
    """Return every key of the ruleset, defaults filled in, as plain dicts, lists and scalars.

    Of two ways to say one thing (`rows.win` or `rows.outcome`) only that in force is there, so
    that the result can be loaded again.
    """
    plain: dict[str, Any] = json.decode(json.encode(ruleset))
    if ruleset.rows.outcome:
        del plain["rows"]["win"]
    if ruleset.royalties:
        unused = "trips" if ruleset.royalties.front.trips_base else "trips_base"
        del plain["royalties"]["front"][unused]
    return plain


def digest(ruleset: Ruleset) -> str:
    """Return a sha256 (hex) over everything that changes play or settlement.

    Two rulesets with the same digest play the same, whatever they are called. Values that are
    the default do not enter, so that a key added later leaves the digests of old files alone.
    """
    import hashlib

    unused = {section for section, mode in MODE_SECTIONS.items() if ruleset.mode != mode}
    played = {
        key: value
        for key, value in strip_defaults(ruleset).items()
        if key not in METADATA and key not in unused
    }
    return hashlib.sha256(json.encode(played, order="sorted")).hexdigest()


def strip_defaults(section: Struct) -> dict[str, Any]:
    """Return the keys of a section that differ from their defaults, sections inside alike."""
    kept: dict[str, Any] = {}
    for info in structs.fields(section):
        value = getattr(section, info.name)
        if value == info.default:
            continue
        nested = isinstance(value, Section)
        kept[info.encode_name] = strip_defaults(value) if nested else value
    return kept


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a ruleset file, for editors and other programs."""
    schema: dict[str, Any] = json.schema(Ruleset)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "cpoker ruleset"
    keys = schema["$defs"]["Ruleset"]["properties"]
    schema["$defs"]["Ruleset"]["required"] = []  # a file without an id is named after itself
    keys["extends"] = {
        "type": "string",
        "description": "ruleset or file whose keys hold where this file gives none",
    }
    for section in ("royalties", "naturals"):
        borrowed = f"none, or the name of a ruleset whose {section} are used"
        keys[section]["anyOf"].append({"type": "string", "description": borrowed})
    return schema
