"""Bidders by name: the kinds that bidlab brings, and those of other packages.

A package adds a kind by an entry point of the group `bidlab.bidders`, which leads to a `Kind` and has its
name. One that cannot be loaded is told by `problems()`, and by whoever asks for that kind.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from bidlab.bidders.kinds import Asked, Kind
from bidlab.bidders.own import OWN_KINDS
from bidlab.bridge.errors import BidlabError, did_you_mean, quoted
from bidlab.table.bidder import Bidder

GROUP = "bidlab.bidders"
_OWN = MappingProxyType({kind.name: kind for kind in OWN_KINDS})


def bidder(text: str, seed: int = 0) -> Bidder:
    """The bidder of a short text, as in "pass"; the seed serves one that draws and whose text names none.

    >>> bidder("random,seed=5").name
    'random,seed=5'
    """
    kind, asked = meant(text, seed)
    return kind.bidder(asked)


def meant(text: str, seed: int = 0) -> tuple[Kind, Asked]:
    """The kind that a short text asks for, and what it asks of it."""
    asked = Asked.parse(text, seed)
    kind = _OWN.get(asked.kind) or _others()[0].get(asked.kind)
    return (kind, asked) if kind is not None else _by_bare_word(asked)


def kinds() -> tuple[Kind, ...]:
    """All kinds of bidders, in the order of their names."""
    found = {**_others()[0], **_OWN}
    return tuple(found[name] for name in sorted(found))


def problems() -> tuple[str, ...]:
    """Kinds of other packages that could not be loaded, a line each."""
    return tuple(_others()[1].values())


def _by_bare_word(asked: Asked) -> tuple[Kind, Asked]:
    """What is meant by a word that is no kind but stands for one, as `natural` for `expert:natural`."""
    if asked.argument is None:
        for kind in kinds():
            if kind.is_meant(asked.kind):
                return kind, Asked(asked.text, kind.name, asked.kind, asked.parameters, asked.default_seed)
    broken = _others()[1].get(asked.kind)
    raise BidlabError(broken or _unknown(asked.kind))


def _unknown(word: str) -> str:
    names = [kind.name for kind in kinds()]
    known = [*names, *(bare for kind in kinds() for bare in kind.bare_words())]
    return f"no bidder {quoted(word)}{did_you_mean(word, known)}: one of {', '.join(names)} is wanted"


@cache  # packages are installed before bidlab starts
def _others() -> tuple[dict[str, Kind], dict[str, str]]:
    """The kinds of other packages, and what is wrong with those that did not load, each by name."""
    found: dict[str, Kind] = {}
    wrong: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, _package(entry))):
        try:
            if entry.name in _OWN or entry.name in found:
                raise BidlabError("there is one of that name already")
            found[entry.name] = _loaded(entry)
        except Exception as error:  # whatever another package does wrong, the rest must go on
            said = " ".join(f"{error}".split()) or type(error).__name__
            line = f"bidder {quoted(entry.name)} of the package {_package(entry)} cannot be used: {said}"
            wrong[entry.name if entry.name not in found else f"{entry.name} of {_package(entry)}"] = line
    return found, wrong


def _loaded(entry: EntryPoint) -> Kind:
    kind = entry.load()
    if not isinstance(kind, Kind):
        raise BidlabError(f"{entry.value} is no bidlab.bidders.Kind")
    if kind.name != entry.name:
        raise BidlabError(f"{entry.value} calls itself {quoted(kind.name)}")
    return kind


def _package(entry: EntryPoint) -> str:
    """The package that an entry point belongs to; its module where that is unknown."""
    return entry.dist.name if entry.dist is not None else entry.module.partition(".")[0]
