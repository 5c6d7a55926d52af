"""Settling the deals that were read: which rules hold, who sits where, what one deal leaves."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cp_cli.cli.score_files import TableDeal
from cp_cli.cli.score_hands import check_announced
from cp_cli.cli.score_terms import (
    Agreement,
    Layer,
    PlacedError,
    describe_unused,
    lay_table,
)
from cp_cli.errors import InputError, RulesetError, quote_text

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Settlement, Settler, Table

Settled = tuple["Settlement", "Ruleset"]


class Desk:
    """Settles deals by the rules that the options, the file or the deal name.

    `ruleset` is for deals that name none; `options` go before what files say.
    """

    def __init__(self, ruleset: str, options: Agreement) -> None:
        self.ruleset = ruleset
        self.options = options
        self._settlers: dict[tuple[str, tuple[str, ...], bool], Settler] = {}

    def settle_one(self, deal: TableDeal, general: Agreement) -> Settled:
        """Settle the only deal there is; all that is agreed must fit."""
        table = lay_table(
            deal.seats,
            [Layer(general, True), Layer(deal.agreement, True)],
            Layer(self.options, True),
        )
        return self.settle(table, [general, deal.agreement])

    def settle(self, table: "Table", agreements: Sequence[Agreement]) -> Settled:
        """Settle a table; the later of `agreements` go before the earlier ones."""
        settler = self.find_settler(agreements, has_banker=table.banker is not None)
        check_announced(table.seats, settler.ruleset)
        return settler.settle(table), settler.ruleset

    def find_settler(self, agreements: Sequence[Agreement], *, has_banker: bool) -> "Settler":
        """Return the settler for the rules that are agreed. Raises RulesetError, PlacedError."""
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


def _place_error(
    text: str, named: Sequence[Agreement], agreements: Sequence[Agreement]
) -> PlacedError | None:
    """Return the error with the place where a file names the ruleset or the setting."""
    for each in agreements:
        for setting in each.settings if "set" in each.places else ():
            start = f"--set {quote_text(setting, 60)}"
            if text.startswith(start):
                return PlacedError(each.places["set"], f"set {text.removeprefix('--set ')}")
    if named and "ruleset" in named[0].places:
        return PlacedError(named[0].places["ruleset"], f"ruleset: {text}")
    return None


class Session:
    """Deals one after the other: chips, pot and score go from each to the next."""

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
        table = lay_table(
            deal.seats,
            [Layer(self.general, False), Layer(deal.agreement, True)],
            Layer(replace(options, chips=new), False),
        )
        done, ruleset = self.desk.settle(self.ledger.prepare(table), [self.general, deal.agreement])
        self.ledger.add(done)
        self.pairs |= {frozenset([p, q]) for p in table.players for q in table.players}
        return done, ruleset

    def check_rules(self) -> None:
        """Raise InputError if the rules for all deals cannot be had."""
        try:
            self.desk.find_settler([self.general], has_banker=False)
        except PlacedError as error:
            raise InputError(f"{error.place}: {error}") from None

    def list_unused(self) -> list[str]:
        """Say what was agreed for players who never sat down."""
        return describe_unused([self.start, self.desk.options], self.pairs)
