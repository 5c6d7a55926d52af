"""From the hands of a deal to a settled table: what is agreed, by which rules, after which deals.

Terms come from options, from the top of a file or from a deal in it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from cp_cli.cli.inputs import Fault, FaultError
from cp_cli.errors import CpokerError, InputError, RulesetError, quote_text

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Seat, Settlement, Settler, Table

Settled = tuple["Settlement", "Ruleset"]

MAX_CHIPS = 1_000_000_000
_COUNT = re.compile(r"0*[0-9]{1,15}")


class Stake(NamedTuple):
    """What a unit is worth between two players, whose names are joined by a hyphen.

    `origin` is how a message calls it, `place` where a file has it.
    """

    pair: str
    units: int
    origin: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Terms from one source; `places` says by key where a file has them."""

    ruleset: str | None = None
    settings: tuple[str, ...] = ()
    dealer: str | None = None
    banker: str | None = None
    stakes: tuple[Stake, ...] = ()
    chips: Mapping[str, int] = field(default_factory=dict)
    pot: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    origin: str = ""  # what a message puts before a key
    places: Mapping[str, str] = field(default_factory=dict)


class TableDeal(NamedTuple):
    """A deal as it was read: the hands, what is agreed in it, its place (`file:line`) and name."""

    seats: "tuple[Seat, ...]"
    agreement: Agreement = Agreement()
    place: str = ""
    id: str | None = None


class Layer(NamedTuple):
    """An agreement over a deal; one that is not `fixed` is for whoever is there of those named."""

    agreement: Agreement
    fixed: bool


def read_count(text: str, least: int, most: int) -> int:
    """Return a whole number. Raises InputError for any other text.

    >>> read_count("20", 0, 100)
    20
    """
    count = int(text) if text.isascii() and _COUNT.fullmatch(text) else -1
    if not least <= count <= most:
        raise InputError(f"{quote_text(text)}; expected {describe_range(least, most)}")
    return count


def describe_range(least: int, most: int) -> str:
    """Say which numbers are expected.

    >>> describe_range(0, 1_000_000)
    'a whole number from 0 to 1,000,000'
    """
    return f"a whole number from {least} to {most:,}"


# --- one table -----------------------------------------------------------------------------------


def lay_table(
    seats: "Sequence[Seat]", layers: Sequence[Layer], over: Layer, faults: list[Fault]
) -> "Table":
    """Return the table of a deal; later layers go before earlier ones, `over` before all.

    Terms that fit no table are added to `faults`; what the table cannot use is for `settle` to say.
    """
    from cp_cli.settlement import Table

    players = list(dict.fromkeys(seat.player for seat in seats))
    every = (*layers, over)
    faults += [fault for layer in every for fault in _find_absent(layer, players)]
    stakes: dict[frozenset[str], int] = {}
    for layer in every:
        stakes |= find_stakes(layer, players, faults)
    chips = {name: n for layer in layers for name, n in layer.agreement.chips.items()}
    agreements = [layer.agreement for layer in reversed(every)]
    return Table(
        seats=tuple(_hand_chips(seat, chips, over.agreement.chips) for seat in seats),
        dealer=next((each.dealer for each in agreements if each.dealer), None),
        banker=next((each.banker for each in agreements if each.banker), None),
        stakes=stakes,
        pot={name: n for layer in layers for name, n in layer.agreement.pot.items()},
        scores={name: n for layer in layers for name, n in layer.agreement.scores.items()},
    )


def _find_absent(layer: Layer, players: Sequence[str]) -> Iterator[Fault]:
    """Name those who have chips or points but no seat; the pot may hold stakes of absent ones."""
    from cp_cli.settlement.table import describe_absent

    agreement = layer.agreement
    for key in ("chips", "scores") if layer.fixed else ():
        for name in getattr(agreement, key):
            if name not in players:
                reason = f"{agreement.origin}{key}: {describe_absent(name, tuple(players))}"
                yield Fault(agreement.places.get(key, ""), reason)


def find_stakes(
    layer: Layer, players: Sequence[str], faults: list[Fault]
) -> dict[frozenset[str], int]:
    """Return the stakes between players; texts that name no two of them are added to `faults`."""
    found: dict[frozenset[str], int] = {}
    for stake in layer.agreement.stakes:
        pairs = {frozenset(pair) for pair in split_pair(stake.pair)}
        seated = [pair for pair in pairs if len(pair) == 2 and pair <= set(players)]
        if not seated and not layer.fixed:
            continue
        if not seated and len(pairs) == 1:
            seated = list(pairs)  # the table says who of them is missing
        problem = ""
        if not seated:
            named = f"{quote_text(stake.pair, 84)} names no two players"
            problem = f"{named}; expected two of {', '.join(players)}"
        elif len(seated) > 1:
            problem = "more than one pair of players can be meant"
        elif seated[0] in found:
            problem = f"the stake of {' and '.join(sorted(seated[0]))} is given twice"
        else:
            found[seated[0]] = stake.units
        if problem:
            faults.append(Fault(stake.place, f"{stake.origin}: {problem}"))
    return found


def split_pair(text: str) -> list[tuple[str, str]]:
    """Return the ways to read `A-B` as two names, which may have hyphens themselves.

    >>> split_pair("Anna-Lena-Bob")
    [('Anna', 'Lena-Bob'), ('Anna-Lena', 'Bob')]
    """
    parts = text.split("-")
    pairs = [("-".join(parts[:at]), "-".join(parts[at:])) for at in range(1, len(parts))]
    return [(a.strip(), b.strip()) for a, b in pairs if a.strip() and b.strip()]


def _hand_chips(seat: "Seat", chips: Mapping[str, int], over: Mapping[str, int]) -> "Seat":
    """Return a seat with its chips: those of `over`, its own, or those of the deal."""
    own = chips.get(seat.player) if seat.chips is None else seat.chips
    return replace(seat, chips=over.get(seat.player, own))


def _find_announced(seats: "Sequence[Seat]", ruleset: "Ruleset") -> Iterator[Fault]:
    """Name those who announce royalties where the rules know no announcing."""
    asked = ruleset.royalties is not None and ruleset.royalties.declare == "required"
    names = [seat.name for seat in seats if seat.declared]
    if names and not asked:
        reason = "has no royalties"
        if ruleset.royalties:
            reason = "pays them unannounced; --set royalties.declare=required changes that"
        noun = "announces" if len(names) == 1 else "announce"
        text = f"{', '.join(names)}: {noun} royalties, but ruleset {ruleset.id} {reason}"
        yield Fault("", text)


# --- by the rules --------------------------------------------------------------------------------


class Desk:
    """Settles deals by the rules that the options, the file or the deal name.

    `ruleset` is for deals that name none; `options` go before what files say.
    """

    def __init__(self, ruleset: str, options: Agreement) -> None:
        self.ruleset = ruleset
        self.options = options
        self._settlers: dict[tuple[str, tuple[str, ...], bool], Settler] = {}

    def settle_one(self, deal: TableDeal, general: Agreement) -> Settled:
        """Settle the only deal there is; all that is agreed must fit. Raises FaultError."""
        return self.settle(deal, Layer(general, True), Layer(self.options, True))

    def settle(
        self,
        deal: TableDeal,
        general: Layer,
        over: Layer,
        prepare: "Callable[[Table], Table] | None" = None,
    ) -> Settled:
        """Settle a deal, whose own terms are between `general` and `over`.

        `prepare` brings what earlier deals left. Raises FaultError with all that is wrong, and
        RulesetError.
        """
        agreements = [general.agreement, deal.agreement]
        faults: list[Fault] = []
        table = lay_table(deal.seats, [general, Layer(deal.agreement, True)], over, faults)
        settler = self.find_settler(agreements, has_banker=table.banker is not None)
        faults += _find_announced(table.seats, settler.ruleset)
        try:
            done = settler.settle(prepare(table) if prepare else table)
        except CpokerError as error:
            faults.append(_place_fault(str(error), agreements))
        if faults:
            raise FaultError(*faults)
        return done, settler.ruleset

    def find_ruleset(self, agreements: Sequence[Agreement]) -> "Ruleset | None":
        """Return the rules that are agreed, None if they cannot be had."""
        try:
            return self.find_settler(agreements, has_banker=False).ruleset
        except CpokerError:
            return None

    def find_settler(self, agreements: Sequence[Agreement], *, has_banker: bool) -> "Settler":
        """Return the settler for the rules that are agreed; the later go before the earlier.

        Raises RulesetError, or FaultError where a file names the rules.
        """
        from cp_cli.settlement import Settler

        every = [*agreements, self.options]
        named = [each for each in every if each.ruleset is not None]
        name = (named[-1].ruleset if named else None) or self.ruleset
        settings = tuple(setting for each in every for setting in each.settings)
        key = (name, settings, has_banker)
        if key not in self._settlers:
            try:
                ruleset = _load_ruleset(name, settings, has_banker=has_banker)
            except RulesetError as error:
                raise _place_error(str(error), named[-1:], every) or error from None
            self._settlers[key] = Settler(ruleset)
        return self._settlers[key]


def _load_ruleset(name: str, settings: tuple[str, ...], *, has_banker: bool) -> "Ruleset":
    """Load a ruleset; naming a banker makes a bank of a game of pairs."""
    import msgspec

    from cp_cli.ruleset import load_ruleset

    ruleset = load_ruleset(name, settings)
    if has_banker and ruleset.mode == "pairs":
        return msgspec.structs.replace(ruleset, mode="bank")
    return ruleset


def _place_fault(text: str, agreements: Sequence[Agreement]) -> Fault:
    """Return what a table says with the place of the key that its text begins with, if any."""
    key = re.split(r"[ :]", text, maxsplit=1)[0]
    places = [each.places[key] for each in agreements if key in each.places]
    return Fault(places[-1] if places else "", text)


def _place_error(
    text: str, named: Sequence[Agreement], agreements: Sequence[Agreement]
) -> FaultError | None:
    """Return the error with the place where a file names the ruleset or the setting."""
    for each in agreements:
        for setting in each.settings if "set" in each.places else ():
            start = f"--set {quote_text(setting, 60)}"
            if text.startswith(start):
                return FaultError(Fault(each.places["set"], f"set {text.removeprefix('--set ')}"))
    if named and "ruleset" in named[0].places:
        return FaultError(Fault(named[0].places["ruleset"], f"ruleset: {text}"))
    return None


# --- many tables ---------------------------------------------------------------------------------


class Session:
    """Deals one after the other: what a ledger carries goes from each to the next."""

    def __init__(self, desk: Desk, general: Agreement) -> None:
        from cp_cli.settlement import Ledger

        self.desk = desk
        self.start = general
        self.general = replace(general, chips={}, pot={}, scores={})
        self.ledger: Ledger = Ledger(
            chips=dict(general.chips), pot=dict(general.pot), scores=dict(general.scores)
        )
        self.pairs: set[frozenset[str]] = set()  # who has met whom; alone, who was there at all

    def settle(self, deal: TableDeal) -> Settled:
        """Settle the next deal. What does not settle leaves the session as it was."""
        options = self.desk.options
        # Chips of an option are those that a player begins with.
        new = {name: n for name, n in options.chips.items() if frozenset([name]) not in self.pairs}
        over = Layer(replace(options, chips=new), False)
        general = Layer(self.general, False)
        done, ruleset = self.desk.settle(deal, general, over, self.ledger.prepare)
        self.ledger.add(done)
        players = {seat.player for seat in deal.seats}
        self.pairs |= {frozenset([p, q]) for p in players for q in players}
        return done, ruleset

    def check_rules(self) -> None:
        """Raise InputError if the rules for all deals cannot be had."""
        try:
            self.desk.find_settler([self.start], has_banker=False)
        except FaultError as error:
            raise InputError(str(error.join())) from None

    def list_unused(self) -> list[str]:
        """Say which chips, points and stakes were for players who never sat down, or together."""
        unused = []
        for agreement in (self.start, self.desk.options):
            for what in ("chips", "scores"):
                for name in getattr(agreement, what):
                    if frozenset([name]) not in self.pairs:
                        absent = f"{quote_text(name, 40)} is not seated in any deal"
                        unused.append(f"{agreement.origin}{what}: {absent}")
            unused += [
                f"{stake.origin}: no deal seats this pair"
                for stake in agreement.stakes
                if not any(frozenset(pair) in self.pairs for pair in split_pair(stake.pair))
            ]
        return unused
