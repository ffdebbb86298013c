"""Kinds of bidders, and the short text that asks for one: `kind[:argument][,key=value...]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bidlab.bridge.errors import BidlabError, did_you_mean, quoted
from bidlab.table.bidder import Bidder

_QUOTES = re.compile(r"\"[^\"]*\"|'[^']*'")
_PARAMETERS = re.compile(r"(?:,\s*[\w-]+\s*=[^,]*)*$")
_PARAMETER = re.compile(r",\s*([\w-]+)\s*=([^,]*)")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a bidder's text asks for, taken apart, and the seed for a bidder whose text names none.

    >>> asked = Asked.parse("exec:./bot 'a,b=c',timeout=3")
    >>> asked.kind, asked.argument, asked.number("timeout", 10.0)
    ('exec', "./bot 'a,b=c'", 3.0)
    """

    text: str
    kind: str
    argument: str | None = None  # None: nothing was written, not even the colon
    parameters: Mapping[str, str] = field(default_factory=dict)
    default_seed: int = 0

    @classmethod
    def parse(cls, text: str, default_seed: int = 0) -> Asked:
        """The parts of a text; commas between quotation marks belong to the argument."""
        text = text.strip()
        masked = _QUOTES.sub(lambda found: "x" * len(found[0]), text)
        tail = _PARAMETERS.search(masked)
        start = tail.start() if tail else len(text)
        parameters: dict[str, str] = {}
        for found in _PARAMETER.finditer(masked, start):
            if found[1] in parameters:
                raise BidlabError(f"{quoted(text)} has {found[1]} twice: once is wanted")
            parameters[found[1]] = text[slice(*found.span(2))].strip()
        kind, colon, argument = text[:start].partition(":")
        if "," in kind:
            odd = kind.partition(",")[2].strip()
            raise BidlabError(f"no parameter {quoted(odd)} in {quoted(text)}: key=value is wanted")
        return cls(text, kind.strip(), argument.strip() if colon else None, parameters, default_seed)

    def with_seed(self, seed: int) -> str:
        """The text that asks for the same with a seed, in place of the one that it names.

        >>> Asked.parse("random,seed=5").with_seed(7)
        'random,seed=7'
        """
        whole = self.kind if self.argument is None else f"{self.kind}:{self.argument}"
        kept = {key: value for key, value in self.parameters.items() if key != "seed"}
        return ",".join([whole, *(f"{key}={value}" for key, value in kept.items()), f"seed={seed}"])

    @property
    def seed(self) -> int:
        """The seed that the text names, else the one given beside it."""
        return self.whole("seed", self.default_seed)

    def whole(self, key: str, default: int, least: int = 0) -> int:
        """A parameter that is a whole number."""
        text = self.parameters.get(key, str(default))
        # Longer ones do not fit the kernels, and very long ones take Python long to read.
        if not (re.fullmatch(r"-?[0-9]{1,19}", text) and least <= int(text) < 1 << 63):
            raise BidlabError(
                f"{key}={_shown(text)} in {quoted(self.text)}: a whole number from {least} is wanted"
            )
        return int(text)

    def number(self, key: str, default: float) -> float:
        """A parameter that is a number above 0."""
        text = self.parameters.get(key, str(default))
        if not (re.fullmatch(r"[0-9]{0,9}\.?[0-9]{1,9}", text) and float(text) > 0):
            raise BidlabError(f"{key}={_shown(text)} in {quoted(self.text)}: a number above 0 is wanted")
        return float(text)

    def one_of(self, key: str, words: tuple[str, ...]) -> str:
        """A parameter that is one of some words, the first where it is not given."""
        text = self.parameters.get(key, words[0])
        if text not in words:
            raise BidlabError(f"{key}={_shown(text)} in {quoted(self.text)}: {' or '.join(words)} is wanted")
        return text

    def share(self, key: str, default: float, most: float) -> float:
        """A parameter that is a number from 0 on, up to the most that it can be."""
        text = self.parameters.get(key, str(default))
        if not (re.fullmatch(r"[0-9]{0,9}\.?[0-9]{1,9}", text) and float(text) <= most):
            raise BidlabError(
                f"{key}={_shown(text)} in {quoted(self.text)}: a number from 0 to {most:g} is wanted"
            )
        return float(text)


def _shown(text: str) -> str:
    return text if re.fullmatch(r"\S{1,20}", text) else quoted(text)


def _no_words() -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of bidder: what it is called, how it is asked for, and how it is made."""

    name: str
    written: str  # how its text is written, as in "random[,seed=N]"
    description: str  # one line, no full stop
    example: str
    make: Callable[[Asked], Bidder]
    takes: str = ""  # what the argument after the colon is, as in "a command"; empty: there is none
    parameters: tuple[str, ...] = ()
    is_open: bool = False  # takes parameters that it does not name here, and answers for them itself
    # Arguments that mean this kind when they stand alone, as the names of written systems do for experts, and
    # the ending of files that do.
    bare_words: Callable[[], Iterable[str]] = _no_words
    bare_suffix: str = ""

    def bidder(self, asked: Asked) -> Bidder:
        """The bidder that is asked for; an error where the text has what this kind does not take."""
        if self.takes and not asked.argument:
            raise BidlabError(f"{quoted(asked.text)} lacks {self.takes}: {self.example} is one")
        if not self.takes and asked.argument is not None:
            raise BidlabError(f"{self.name} takes nothing after a colon, as in {quoted(asked.text)}")
        for key in asked.parameters:
            if key not in self.parameters and not self.is_open:
                raise BidlabError(self._unknown(key, asked))
        return self.make(asked)

    def is_meant(self, word: str) -> bool:
        """Whether a word that stands alone means this kind."""
        return word in self.bare_words() or bool(self.bare_suffix and word.endswith(self.bare_suffix))

    def _unknown(self, key: str, asked: Asked) -> str:
        if not self.parameters:
            return f"no parameter '{key}' in {quoted(asked.text)}: {self.name} takes none"
        wanted = ("one of " if len(self.parameters) > 1 else "") + ", ".join(self.parameters)
        return f"no parameter '{key}'{did_you_mean(key, self.parameters)} of {self.name}: {wanted} is wanted"
