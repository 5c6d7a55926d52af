"""Units and money in words: whole, or in shares of a pot."""

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from cp_cli.render.lines import clean_text

if TYPE_CHECKING:
    from cp_cli.settlement import Money, Units


def format_amount(units: "Units", *, sign: bool = True) -> str:
    """Write units exactly; nothing won or lost has no sign.

    >>> from fractions import Fraction
    >>> format_amount(2), format_amount(Fraction(-4, 3)), format_amount(0)
    ('+2', '-1 1/3', '0')
    >>> format_amount(Fraction(1, 3), sign=False)
    '1/3'
    """
    whole, rest = divmod(abs(Fraction(units)), 1)
    parts = [str(whole)] if whole or not rest else []
    if rest:
        parts.append(str(rest))
    plus = "+" if sign and units > 0 else ""
    return ("-" if units < 0 else plus) + " ".join(parts)


def format_money(amount: Decimal, *, sign: bool = False) -> str:
    """Write money without the currency.

    >>> format_money(Decimal("0.75"), sign=True), format_money(Decimal("-0.00"))
    ('+0.75', '0.00')
    """
    if not amount:
        return f"{abs(amount):f}"  # a Decimal has a negative zero
    return f"{amount:+f}" if sign else f"{amount:f}"


def name_currency(money: "Money") -> str:
    """Return the currency, ready for a terminal."""
    return clean_text(money.currency)


def tell_money(amount: Decimal, money: "Money", *, sign: bool = False) -> str:
    """Write money with its currency.

    >>> from cp_cli.settlement import Money
    >>> tell_money(Decimal("0.75"), Money(Decimal("0.25"), "EUR"))
    '0.75 EUR'
    """
    return f"{format_money(amount, sign=sign)} {name_currency(money)}".rstrip()


def tell_amount(units: "Units", money: "Money | None", *, sign: bool = False) -> str:
    """Write units, and in brackets what they are in money.

    >>> from cp_cli.settlement import Money
    >>> tell_amount(3, Money(Decimal("0.25"), "EUR")), tell_amount(3, None)
    ('3 (0.75 EUR)', '3')
    >>> tell_amount(Fraction(1, 2), Money(Decimal("0.25"), "EUR"))
    '1/2 (about 0.12 EUR)'
    """
    text = format_amount(units, sign=sign)
    if money is None:
        return text
    amount = money.count(units)
    about = "" if Fraction(amount) == Fraction(money.unit) * units else "about "
    return f"{text} ({about}{tell_money(amount, money, sign=sign)})"
