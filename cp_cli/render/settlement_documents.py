"""Settled deals and sessions for programs: JSON documents and CSV records."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from cp_cli.arrangement import ROW_NAMES
from cp_cli.cards import format_card
from cp_cli.render.settlement_accounts import Account, open_account
from cp_cli.render.settlement_words import explain_item
from cp_cli.render.words import name_rows

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import (
        Hand,
        Item,
        Ledger,
        Money,
        Pair,
        Player,
        Settlement,
        Units,
    )

Document = dict[str, Any]


def _write_units(units: "Units") -> float:
    """Return whole units as they are, shares of a pot as a fraction of 1."""
    return units if isinstance(units, int) else float(units)


def _build_units(units: "Units") -> Document:
    """Return units, and beside those that are not whole what they are exactly: `4/3`."""
    if isinstance(units, int):
        return {"units": units}
    return {"units": float(units), "exact": str(units)}


def _add_money(amount: Decimal | None) -> Document:
    return {} if amount is None else {"money": float(amount)}


def _by_row(values: Sequence[Any]) -> Document:
    return dict(zip(ROW_NAMES, values, strict=True))


def _build_item(item: "Item") -> Document:
    row = None if item.row is None else ROW_NAMES[item.row]
    return {"reason": item.reason, "row": row, **_build_units(item.units)}


# --- one deal ------------------------------------------------------------------------------------


def _build_hand(hand: "Hand | None", ruleset: "Ruleset") -> Document:
    """Return what was held; with None everything is unknown."""
    rows: Document = _by_row([None, None, None])
    if hand is None or hand.arrangement is None:
        names = None
    else:
        rows = _by_row([[format_card(card) for card in row] for row in hand.arrangement.rows])
        names = _by_row(name_rows(hand.arrangement, ruleset))
    fantasy = hand.fantasyland if hand else None
    return {
        "foul": hand.foul if hand else None,
        "natural": str(hand.natural[0]) if hand and hand.natural else None,
        "surrendered": hand is not None and hand.surrendered,
        **rows,
        "names": names,
        "royalties": _by_row(hand.royalties if hand else (0, 0, 0)),
        "fantasyland": {"cards": fantasy.cards, "stays": fantasy.stays} if fantasy else None,
    }


def _build_player(
    player: "Player", done: "Settlement", ruleset: "Ruleset", amount: Decimal | None
) -> Document:
    hands = [hand for hand in done.hands if hand.player == player.name]
    told = [_build_hand(hand, ruleset) for hand in hands]
    document: Document = {"name": player.name, **_build_units(player.units), **_add_money(amount)}
    if ruleset.mode == "criss_cross":
        for key in ("foul", "natural"):
            document[key] = next((hand[key] for hand in told if hand[key] is not None), None)
        document["surrendered"] = any(hand["surrendered"] for hand in told)
        document["hands"] = [
            {"name": hand.name, **words} for hand, words in zip(hands, told, strict=True)
        ]
    else:
        document |= told[0] if told else _build_hand(None, ruleset)
    chips = {"chips": player.chips, "chips_before": player.chips_before}
    document |= {key: None if n is None else _write_units(n) for key, n in chips.items()}
    document["items"] = [_build_item(item) for item in player.items]
    if player.points is not None:
        document |= {"points": player.points, "score": player.score}
    return document


def _build_pair(
    pair: "Pair",
    ruleset: "Ruleset",
    *,
    explain: bool,
    money: "Money | None",
) -> Document:
    document: Document = {"a": pair.a.player, "b": pair.b.player}
    if ruleset.mode == "criss_cross":
        document |= {"a_hand": pair.a.name, "b_hand": pair.b.name}
    items = [_build_item(item) for item in pair.items]
    if explain:
        for item, told in zip(pair.items, items, strict=True):
            told["text"] = explain_item(item, pair, ruleset)
    return {**document, **_build_due(pair.units, money), "items": items}


def _build_due(units: "Units", money: "Money | None") -> Document:
    return {**_build_units(units), **_add_money(money.count(units) if money else None)}


def _list_payments(account: Account, money: "Money | None") -> Document:
    """Return the payments in units; those in money apart where they are not the same."""
    documents: dict[str, list[Document]] = {"transfers": []}
    for each in account.list_payments(money):
        document = {"from": each.payer, "to": each.payee, **_add_money(each.money)}
        if each.units is None:
            documents.setdefault("money_transfers", []).append(document)
        else:
            documents["transfers"].append({**document, **_build_units(each.units)})
    return dict(documents)


def _name_unit(money: "Money | None") -> Document:
    return {"unit": float(money.unit), "currency": money.currency} if money else {}


def build_settlement_document(
    done: "Settlement",
    ruleset: "Ruleset",
    *,
    explain: bool = False,
    money: "Money | None" = None,
    label: str | None = None,
) -> Document:
    """Return a settled deal as a JSON document; `label` is the name of the deal."""
    account = open_account(done)
    amounts: dict[str, Decimal] = account.count(money) if money else {}
    return {
        "ruleset": ruleset.id,
        **_name_unit(money),
        "players": [
            _build_player(player, done, ruleset, amounts.get(player.name))
            for player in done.players
        ],
        "pairs": [_build_pair(pair, ruleset, explain=explain, money=money) for pair in done.pairs],
        **_list_payments(account, money),
        "banker": done.banker,
        "house": done.house,
        "pot": done.pot,
        "winner": done.winner,
        "jackpot": list(done.jackpot),
        "notes": list(done.notes),
        **({} if label is None else {"id": label}),
    }


# --- a session -----------------------------------------------------------------------------------


def build_ledger_document(ledger: "Ledger", money: "Money | None" = None) -> Document:
    """Return the account of a session as a JSON document."""
    account = open_account(ledger)
    amounts: dict[str, Decimal] = account.count(money) if money else {}
    return {
        "deals": ledger.deals,
        **_name_unit(money),
        "players": [
            {
                "name": name,
                **_build_units(units),
                **_add_money(amounts.get(name)),
                "chips": _write_units(ledger.chips[name]) if name in ledger.chips else None,
            }
            for name, units in ledger.balances.items()
        ],
        "pairs": [
            {"a": a, "b": b, **_build_due(units, money)} for (a, b), units in ledger.pairs.items()
        ],
        **_list_payments(account, money),
        "house": ledger.house,
        "pot": dict(ledger.pot),
        "scores": dict(ledger.scores),
        "games": dict(ledger.games),
        "fantasyland": sorted(ledger.fantasyland),
    }


# --- records -------------------------------------------------------------------------------------

SETTLEMENT_COLUMNS = ("deal", "player", "opponent", "reason", "row", "units")


def list_settlement_records(done: "Settlement", label: str | None = None) -> Iterator[list[object]]:
    """Yield one record (see SETTLEMENT_COLUMNS) for each item and each side of it.

    The units of a player add up to what he won. What is not between two players has no opponent.
    """
    deal = "" if label is None else label
    for pair in done.pairs:
        for sign, hand, other in ((1, pair.a, pair.b), (-1, pair.b, pair.a)):
            for item in pair.items:
                yield [deal, hand.player, other.player, *_list_cells(item, sign)]
    for player in done.players:
        for item in player.items:
            yield [deal, player.name, "", *_list_cells(item, 1)]


def _list_cells(item: "Item", sign: int) -> list[object]:
    row = "" if item.row is None else ROW_NAMES[item.row]
    return [item.reason, row, _write_units(sign * item.units)]
