"""The few kinds of error that bidlab raises, all under one base.

Every message is one line: what was given, where, and what would be right.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class BidlabError(ValueError):
    """Base of all errors about what a user gave; the text is one readable line."""


class NotationError(BidlabError):
    """A text that names no card, seat, call, contract ..."""


class DealError(BidlabError):
    """Cards that cannot be a hand or a deal: held twice, too many, too few."""


class IllegalCallError(BidlabError):
    """A call that the laws forbid at that point of the auction."""


class PlayError(BidlabError):
    """A card that the laws forbid at that point of the play, or hands that nobody could be playing."""


class FormatError(BidlabError):
    """A file or text that is not what its format asks for."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A suggestion in parentheses, with a space before it; nothing where no known word is like the given one.

    >>> did_you_mean("harts", ["spades", "hearts"])
    " (did you mean 'hearts'?)"
    """
    close = get_close_matches(word.lower(), list(known), n=1)
    return f" (did you mean '{close[0]}'?)" if close else ""


def quoted(text: object, limit: int = 60) -> str:
    """The given text between quotes, on one line and cut to a readable length.

    >>> quoted("AKQ")
    "'AKQ'"
    """
    shown = repr(text)
    return shown if len(shown) <= limit else f"{shown[: limit - 4]}...{shown[-1]}"
