"""What `cpoker score` prints: tables, JSON documents or CSV records."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Ledger, Money, Settlement


class Wish(NamedTuple):
    """How the user wants to see settlements."""

    output_format: str
    explain: bool
    ledger: bool
    money: "Money | None"


class Answer:
    """Prints settlements, each as soon as it is there."""

    def __init__(self, wish: Wish) -> None:
        from cp_cli import render

        self.wish = wish
        self.paint = render.open_paint(sys.stdout)
        self.table = render.DealTable(self.paint)
        self.begun = False

    def tell_one(self, done: "Settlement", ruleset: "Ruleset", label: str | None = None) -> None:
        """Print the only deal."""
        from cp_cli import render
        from cp_cli.settlement import Ledger

        wish = self.wish
        ledger = Ledger()
        ledger.add(done)
        if wish.output_format == "json":
            document = self._build_document(done, ruleset, label)
            if wish.ledger:
                document["ledger"] = render.build_ledger_document(ledger, wish.money)
            _print([render.write_document(document)])
        elif wish.output_format == "csv":
            self._tell_records(done, label)
        else:
            _print(self._draw(done, ruleset, explain=wish.explain))
            if wish.ledger:
                self._tell_ledger(ledger)

    def tell_next(
        self,
        number: int,
        label: str | None,
        done: "Settlement",
        ruleset: "Ruleset",
        ledger: "Ledger",
    ) -> None:
        """Print one deal of many."""
        from json import dumps

        wish = self.wish
        if wish.output_format == "json":
            document = self._build_document(done, ruleset, label)
            document = {"deal": number, **document, "balances": ledger.balances}
            _print([dumps(document, default=float)])  # shares of a pot are fractions
        elif wish.output_format == "csv":
            self._tell_records(done, label or str(number))
        elif wish.explain:
            title = f"deal {number}" + (f", {label}" if label else "")
            blank = [""] if self.begun else []
            _print([*blank, self.paint.style(title, "bold")])
            _print(self._draw(done, ruleset, explain=True))
        else:
            _print(self.table.draw(done, label or f"deal {number}"))
        self.begun = True

    def tell_end(self, ledger: "Ledger") -> None:
        """Print what many deals came to."""
        from json import dumps

        from cp_cli import render

        if self.wish.output_format == "table" and ledger.deals:
            self._tell_ledger(ledger)
        elif self.wish.output_format == "json" and self.wish.ledger:
            _print([dumps({"ledger": render.build_ledger_document(ledger, self.wish.money)})])

    def _tell_ledger(self, ledger: "Ledger") -> None:
        from cp_cli import render

        _print(["", *render.draw_ledger(ledger, self.paint, self.wish.money)])

    def _draw(self, done: "Settlement", ruleset: "Ruleset", *, explain: bool) -> Iterable[str]:
        from cp_cli import render

        return render.draw_settlement(
            done, ruleset, self.paint, explain=explain, money=self.wish.money
        )

    def _build_document(
        self, done: "Settlement", ruleset: "Ruleset", label: str | None
    ) -> dict[str, Any]:
        from cp_cli import render

        return render.build_settlement_document(
            done, ruleset, explain=self.wish.explain, money=self.wish.money, label=label
        )

    def _tell_records(self, done: "Settlement", label: str | None) -> None:
        import csv
        import io

        from cp_cli import render

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if not self.begun:
            writer.writerow(render.SETTLEMENT_COLUMNS)
        self.begun = True
        writer.writerows(render.list_settlement_records(done, label))
        if text.getvalue():
            _print([text.getvalue().removesuffix("\n")])


def _print(lines: Iterable[str]) -> None:
    """Print and flush; colours are there only where they are wanted, so none are taken out."""
    for line in lines:
        click.echo(line, color=True)
