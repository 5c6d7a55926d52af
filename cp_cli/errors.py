"""What can go wrong, and how a message quotes the text that caused it."""

from collections.abc import Iterable


class CpokerError(ValueError):
    """Base of every error that bad input can cause; its text is one line for the user."""


class CardError(CpokerError):
    """A card that cannot be read, is there twice, or a wrong number of cards."""


class ArrangementError(CpokerError):
    """Rows of the wrong number or size, or a foul where none is allowed."""


class RulesetError(CpokerError):
    """A ruleset that is unknown, cannot be read, or does not hold together."""


class StrategyError(CpokerError):
    """A strategy that is unknown, cannot be read, or does not fit the ruleset."""


class TableError(CpokerError):
    """Players, stakes or claims that make no deal under the ruleset."""


class InputError(CpokerError):
    """A file or stream that cannot be read as deals."""


def quote_text(text: str, limit: int = 24) -> str:
    r"""Quote text for a message: on one line, control characters escaped, at most `limit` long.

    >>> quote_text("Xs")
    '"Xs"'
    >>> print(quote_text("A\x00" + "s" * 99))
    "A\x00ssssssssssssssssssssss..."
    """
    shown = text[:limit]
    escaped = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in shown
    )
    return f'"{escaped}..."' if len(text) > limit else f'"{escaped}"'


def suggest_name(text: str, names: Iterable[str]) -> str:
    """Return `; did you mean "..."?` for the nearest of `names`, or an empty string.

    >>> suggest_name("two-for", ["two-four", "one-six"])
    '; did you mean "two-four"?'
    >>> suggest_name("malay", ["two-four", "one-six"])
    ''
    """
    import difflib  # 5 ms, and only needed for a message

    written = {name.lower(): name for name in names}
    near = difflib.get_close_matches(text[:80].lower(), written, n=1)
    return f'; did you mean "{written[near[0]]}"?' if near else ""
