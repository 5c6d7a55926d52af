"""A settled deal for the people at the table: what was held, who pays whom, and why."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cp_cli.render.amounts import format_amount, tell_amount, tell_money
from cp_cli.render.lines import clean_text, glue_text, measure_text, pad_text, wrap_text
from cp_cli.render.matrix import Column, draw_table, fill_balances, fill_matrix, measure_table
from cp_cli.render.paint import Paint
from cp_cli.render.settlement_accounts import Account, open_account
from cp_cli.render.settlement_pots import draw_pots
from cp_cli.render.settlement_rows import tell_hand
from cp_cli.render.settlement_words import join_items, list_reasons, tell_nothing

if TYPE_CHECKING:
    from cp_cli.ruleset import Ruleset
    from cp_cli.settlement import Hand, Money, Pair, Player, Settlement

_ROWS_WIDTH = 42  # `Js Jd 9h / Qs Qh 8c 3c 2h / As Ks 6s 5s 3s`
_NAME = 8  # columns that a name should have in a matrix
PAIR_MODES = ("pairs", "bank", "criss_cross")


def draw_settlement(
    done: "Settlement",
    ruleset: "Ruleset",
    paint: Paint,
    *,
    explain: bool = False,
    money: "Money | None" = None,
) -> Iterator[str]:
    """Yield the lines that tell one settled deal; with `explain` every comparison in words."""
    yield from _draw_hands(done.hands, ruleset, paint)
    yield ""
    yield from _draw_tables(done, ruleset, paint, money)
    yield ""
    if ruleset.mode in PAIR_MODES:
        for pair in done.pairs:
            yield from _draw_pair(pair, ruleset, paint, explain=explain, money=money)
    else:
        yield from draw_pots(done, ruleset, paint, explain=explain, money=money)
    yield ""
    yield from draw_transfers(open_account(done), paint, money)
    yield from _draw_events(done, ruleset, paint, money)


# --- hands ---------------------------------------------------------------------------------------


def _draw_hands(hands: "Sequence[Hand]", ruleset: "Ruleset", paint: Paint) -> Iterator[str]:
    names = [clean_text(hand.name) for hand in hands]
    widest = max(map(measure_text, names))
    beside = widest + 2 + _ROWS_WIDTH <= paint.width
    indent = " " * (widest + 2 if beside else 2)
    for name, hand in zip(names, hands, strict=True):
        lines = []
        if hand.arrangement:
            lines.append(paint.arrangement(hand.arrangement))
        elif hand.cards:
            lines.append(paint.cards(hand.cards))
        for text in tell_hand(hand, ruleset):
            lines += [line.strip() for line in wrap_text(text, paint.width - len(indent))]
        if beside:
            yield paint.style(name, "bold") + pad_text(name, widest + 2)[len(name) :] + lines.pop(0)
        else:
            yield from (paint.style(line, "bold") for line in wrap_text(name, paint.width))
        yield from (indent + line for line in lines)


# --- who pays whom -------------------------------------------------------------------------------


def _draw_tables(
    done: "Settlement", ruleset: "Ruleset", paint: Paint, money: "Money | None"
) -> Iterator[str]:
    """Yield the matrix of pairs with what every player has in the end."""
    names = [player.name for player in done.players]
    only_points = ruleset.mode == "race" and not done.house
    balances = [] if only_points else fill_balances(open_account(done), money)
    more = _fill_more(done.players)
    paid = {(pair.a.name, pair.b.name): pair.units for pair in done.pairs}
    matrix: list[Column] = []
    if ruleset.mode == "criss_cross":
        hands = [hand.name for hand in done.hands]
        sums = [
            sum(units * ((a == name) - (b == name)) for (a, b), units in paid.items())
            for name in hands
        ]
        columns = [("units", [format_amount(units) for units in sums])]
        yield from draw_table(hands, fill_matrix(hands, paid), columns, paint)
        yield from draw_caption(done.banker, paint)
        yield ""
    elif done.pairs:
        matrix = fill_matrix(names, paid)
    told = []
    while more and measure_table(names, matrix, [*balances, *more], _NAME) > paint.width:
        told.append(more.pop())
    yield from draw_table(names, matrix, [*balances, *more], paint)
    if matrix:
        yield from draw_caption(done.banker, paint)
    for heading, cells in reversed(told):
        listed = zip(names, cells, strict=True)
        text = ", ".join(
            glue_text(f"{clean_text(name)} {' '.join(cell.split())}")
            for name, cell in listed
            if cell
        )
        yield from wrap_text(f"{heading}: {text}", paint.width, later="  ")


def draw_caption(banker: str | None, paint: Paint) -> Iterator[str]:
    """Yield how a matrix of pairs is read."""
    text = "read a line: what its player gets from each player above"
    if banker is not None:
        text += f"; all settle with the bank, {clean_text(banker)}"
    yield from (paint.style(line, "dim") for line in wrap_text(text, paint.width))


def _fill_more(players: "Sequence[Player]") -> list[Column]:
    """Return columns that only some deals have: points, score, rake, chips."""
    columns: list[Column] = []
    if any(player.points is not None for player in players):
        columns.append(("points", [str(player.points or 0) for player in players]))
        columns.append(("score", [str(player.score or 0) for player in players]))
    rakes = [
        sum((item.units for item in player.items if item.reason == "rake"), 0) for player in players
    ]
    if any(rakes):
        columns.append(("rake", [format_amount(units) for units in rakes]))
    if any(player.chips is not None for player in players):
        columns.append(("chips", _fill_chips(players)))
    return columns


def _fill_chips(players: "Sequence[Player]") -> list[str]:
    """Return chips before and after the deal, the numbers below each other."""
    sides = [
        ["" if n is None else format_amount(n, sign=False) for n in chips]
        for chips in zip(*((each.chips_before, each.chips) for each in players), strict=True)
    ]
    before, after = (max(map(len, cells)) for cells in sides)
    return [
        f"{old:>{before}} -> {new:>{after}}" if old else "" for old, new in zip(*sides, strict=True)
    ]


# --- pairs ---------------------------------------------------------------------------------------


def _draw_pair(
    pair: "Pair",
    ruleset: "Ruleset",
    paint: Paint,
    *,
    explain: bool,
    money: "Money | None",
) -> Iterator[str]:
    name = clean_text(pair.a.name)
    reasons = list(list_reasons(pair, ruleset)) if explain else []
    amounts = ["" if units is None else format_amount(units) for _, units, _ in reasons]
    whose = f" (+ is for {name})" if any(amounts) else ""
    for line in wrap_text(tell_pair(pair, money) + whose, paint.width, later="  "):
        yield paint.style(line, "bold")
    if explain:
        first = max((len(label) for label, _, _ in reasons), default=0)
        width = max(map(len, amounts), default=0)
        for (label, _, text), amount in zip(reasons, amounts, strict=True):
            start = f"  {label:{first}}  {amount:>{width}}  " if label else "  "
            yield from wrap_text(text, paint.width, start, " " * len(start))
    elif pair.items:
        items = ", ".join(join_items(pair, ruleset))
        yield from wrap_text(f"{name}: {items}", paint.width, "  ", "    ")
    else:
        yield from wrap_text(tell_nothing(pair), paint.width, "  ")


def tell_pair(pair: "Pair", money: "Money | None") -> str:
    """Say who of a pair pays, and how much."""
    a, b = clean_text(pair.a.name), clean_text(pair.b.name)
    if not pair.units:
        return f"{a} and {b}: nothing"
    payer, payee = (b, a) if pair.units > 0 else (a, b)
    return f"{payer} pays {payee} {tell_amount(abs(pair.units), money)}"


# --- events and transfers ------------------------------------------------------------------------


def _draw_events(
    done: "Settlement", ruleset: "Ruleset", paint: Paint, money: "Money | None"
) -> Iterator[str]:
    texts = []
    for hand in done.hands:
        if hand.fantasyland:
            name, cards = clean_text(hand.name), hand.fantasyland.cards
            does = "stays in" if hand.fantasyland.stays else "enters"
            texts.append(f"{name} {does} fantasyland: {cards} cards")
    texts += [
        f"jackpot: {clean_text(name)}'s three strong rows all lost to one player"
        for name in done.jackpot
    ]
    if done.house:
        texts.append(f"the house takes {tell_amount(done.house, money)}")
    texts += [clean_text(note) for note in done.notes]
    yield ""
    for text in texts:
        yield from wrap_text(text, paint.width, later="  ")
    for line in wrap_text(f"settled by {clean_text(ruleset.id)}", paint.width):
        yield paint.style(line, "dim")


def draw_transfers(account: Account, paint: Paint, money: "Money | None") -> Iterator[str]:
    """Yield one line for each payment that settles a table or a session."""
    payments = list(account.list_payments(money))
    in_money = [each for each in payments if each.money is not None]
    if not payments:
        yield "nobody owes anything"
    elif money and not in_money:
        yield "nobody owes anything that can be paid in money"
    else:
        yield paint.style("to settle up", "bold")
    for each in in_money if money else payments:
        payer, payee = (clean_text(account.name(name)) for name in (each.payer, each.payee))
        amounts = [] if each.units is None else [format_amount(each.units, sign=False)]
        if money and each.money is not None:
            told = tell_money(each.money, money)
            amounts.append(f"({told})" if amounts else told)
        text = f"{payer} pays {payee} {' '.join(amounts)}"
        yield from wrap_text(text, paint.width, "  ", "    ")
