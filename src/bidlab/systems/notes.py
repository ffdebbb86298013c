"""A system as a partnership's notes: chapter by chapter, what each call means at a place of an auction.

The text of a system speaks of many auctions at once: `1M` of two, `1X 1Y` of six. Notes show one of them with
real suits, and of the others only what is different. What a call means is what its rules ask for, less what
the rules above take away; judgement, which goes on where the text ends, is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bidlab.bridge.calls import Auction, Call
from bidlab.meaning.conditions import ANYTHING, NOTHING
from bidlab.systems.cursor import Origin
from bidlab.systems.gist import gist
from bidlab.systems.phrases import effect_phrases
from bidlab.systems.position import Position
from bidlab.systems.rules import Rule
from bidlab.systems.syntax import Header, HeaderKind, Place, Use
from bidlab.systems.system import System
from bidlab.systems.tree import Edge, Point, TreeRule
from bidlab.systems.walking import Visit, Walk, edge_calls

_HANDS = 8000  # by which it is judged what goes without saying
CHAPTERS = ("Openings", "Responses", "Rebids", "When they come in", "When they open", "Whatever the road")


@dataclass(frozen=True, slots=True)
class Entry:
    """A call: what it means, what it does, the words of the text, and what follows."""

    call: str  # with the sign of the suit; an opponent's in parentheses, with nothing but what follows
    shows: str = ""
    does: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    following: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A place of an auction and the calls there."""

    title: str
    entries: tuple[Entry, ...]
    alike: tuple[str, ...] = ()  # other auctions of which the same is true with their suits
    level: int = 0  # 1: what is different at another place than the one before


@dataclass(frozen=True, slots=True)
class Chapter:
    """Places of one kind."""

    title: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Convention:
    """A convention that the system uses."""

    name: str
    title: str
    overs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """The whole system."""

    name: str
    title: str
    conventions: tuple[Convention, ...]
    chapters: tuple[Chapter, ...]


def system_notes(system: System, tell: Callable[[int, int], None] = lambda done, total: None) -> Notes:
    """The notes of a system; `tell` hears how many lines are done, of how many."""
    writer = _Writer(system, tell)
    return Notes(system.name, system.title, tuple(_conventions(system)), tuple(writer.chapters()))


def _conventions(system: System) -> Iterator[Convention]:
    titles = {text.name: text.title for text in system.texts if text.kind == "convention"}
    overs: dict[str, list[str]] = {}
    for text in system.texts:
        for part in text.parts:
            if isinstance(part, Use) and not part.is_off:
                steps = [" ".join(str(step) for step in over) for over in part.overs]
                overs.setdefault(part.name, []).extend(steps)
    for name, where in overs.items():
        yield Convention(name, titles.get(name, ""), tuple(where))


class _Writer:
    """Writes the chapters, each line of the text once."""

    def __init__(self, system: System, tell: Callable[[int, int], None]) -> None:
        self.system, self.tell = system, tell
        self.walk = Walk(system)
        self.told: set[Place] = set()  # lines that have been written
        self.lines = len({rule.line.place for rule in system.tree.rules})
        self.headers = _headers(system)  # of the rules that stand right beneath one, by their order

    def line_of(self, rule: Rule) -> TreeRule:
        """The line of the text that a rule comes from."""
        assert isinstance(rule.origin, Origin)
        return self.system.tree.rules[rule.origin.order]

    def chapters(self) -> Iterator[Chapter]:
        """All chapters that have something to say."""
        visits = sorted(self.walk.visits(), key=_order)
        found: dict[str, list[Passage]] = {title: [] for title in CHAPTERS}
        for family in self._families(visits):
            found[_chapter(family[0])] += self._passages(family)
        found[CHAPTERS[-1]] += self._contexts(visits)
        for title, passages in found.items():
            if passages:
                yield Chapter(title, tuple(passages))

    def _families(self, visits: Sequence[Visit]) -> list[list[Visit]]:
        """Places under one header together: under the one that speaks of the most auctions."""
        contexts = {id(visit): self._contexts_of(visit) for visit in visits}
        counts = Counter(context for found in contexts.values() for context in found)
        families: dict[str, list[Visit]] = {}
        for visit in visits:
            found = contexts[id(visit)]
            if found:
                general = max(found, key=lambda context: (counts[context], -len(context)))
                families.setdefault(general, []).append(visit)
        return sorted(families.values(), key=lambda family: _order(family[0])[1:])

    def _contexts_of(self, visit: Visit) -> list[str]:
        """The headers, without their qualifiers of state, whose rules stand at a place."""
        found = []
        for rule in visit.written:
            header = self.headers.get(self.line_of(rule).order)
            if header is not None and header.kind is not HeaderKind.WHEN:
                found.append(_plain(header))
        return list(dict.fromkeys(found))

    # Passages.

    def _passages(self, family: Sequence[Visit]) -> Iterator[Passage]:
        """The first place of a family, then of the others what has not been told."""
        told: set[Place] = set()
        first = max(family, key=lambda visit: (_is_plain(visit), len(self._lines(visit))))
        yield Passage(_title(first), self._entries(first, self._own_rules(first)), self._alike(first, family))
        told |= self._lines(first)
        for other in family:
            untold = [rule for rule in self._own_rules(other) if self.line_of(rule).line.place not in told]
            told |= self._lines(other)
            entries = self._entries(other, untold)
            if entries:
                yield Passage(_situation(other), entries, level=1)

    def _alike(self, first: Visit, family: Sequence[Visit]) -> tuple[str, ...]:
        """The other auctions to which nothing more applies than to the first."""
        lines = self._lines(first)
        titles = dict.fromkeys(_title(visit) for visit in family if self._lines(visit) <= lines)
        titles.pop(_title(first), None)
        return tuple(titles)

    def _lines(self, visit: Visit) -> set[Place]:
        return {self.line_of(rule).line.place for rule in self._own_rules(visit)}

    def _own_rules(self, visit: Visit) -> list[Rule]:
        """The rules at a place that stand right beneath a header, in the order of the text."""
        return [
            one.rule
            for one in visit.tried
            if one.is_legal and one.left.any() and not one.line.is_when and one.line.order in self.headers
        ]

    def _contexts(self, visits: Sequence[Visit]) -> Iterator[Passage]:
        """The rules that hold by state, each header at the first auction that comes there."""
        shown: dict[Header, tuple[Visit, list[Rule]]] = {}
        for visit in visits:
            for one in visit.tried:
                header = self.headers.get(one.line.order) if one.line.is_when else None
                if header is None or not one.is_legal or not one.left.any():
                    continue
                at, rules = shown.setdefault(header, (visit, []))
                if at is visit:
                    rules.append(one.rule)
        for header, (visit, rules) in shown.items():
            where = ", ".join(q.text for q in header.qualifiers) or "otherwise"
            title = f"{where}: for example {_title(visit)}"
            yield Passage(title[:1].upper() + title[1:], self._entries(visit, rules))

    # Entries.

    def _entries(self, visit: Visit, rules: Iterable[Rule]) -> tuple[Entry, ...]:
        legal = tuple(one.rule for one in visit.tried if one.is_legal)
        hands = visit.random_hands()[:_HANDS]
        by_call: dict[Call, list[Rule]] = {}
        for rule in rules:
            by_call.setdefault(rule.call, []).append(rule)
        found = []
        for call, made in by_call.items():
            self.told |= {self.line_of(rule).line.place for rule in made}
            self.tell(len(self.told), self.lines)
            meaning = Position(legal, visit.state).meaning(call)
            if meaning is None:
                continue
            told = gist(meaning, hands)
            if told.condition == NOTHING:
                continue
            shows = "any other hand" if told.condition == ANYTHING else told.short()
            does = dict.fromkeys(phrase for rule in made for phrase in effect_phrases(call, rule.effects))
            does.pop("not forcing", None)
            words = dict.fromkeys(rule.text for rule in made if rule.text)
            following = tuple(self._following(visit, call, made))
            found.append(Entry(call.symbol, shows, tuple(does), tuple(words), following))
        return tuple(found)

    def _following(self, visit: Visit, call: Call, made: Iterable[Rule]) -> Iterator[Entry]:
        """What stands beneath a rule: partner's answers, then those over an opponent's call."""
        auction = visit.auction.after(call)
        if auction.is_ended:
            return
        edges = [edge for rule in made for edge in self.line_of(rule).after.edges]
        for their_call, points in self._their_calls(auction, edges).items():
            after = auction.after(their_call)
            if after.is_ended:
                continue
            place = self.walk.visit(after)
            orders = {rule.order for point in points for rule in point.rules}
            rules = [
                one.rule
                for one in place.tried
                if one.is_legal and one.left.any() and one.line.order in orders
            ]
            if not rules:
                continue
            entries = self._entries(place, rules)
            if their_call == Call.PASS:
                yield from entries
            else:
                yield Entry(f"({their_call.symbol})", following=entries)

    def _their_calls(self, auction: Auction, edges: Iterable[Edge]) -> dict[Call, list[Point]]:
        """The opponents' calls that lead on, one for each line of the text, a pass first."""
        cursor = self.walk.visit(auction).cursor
        found: dict[Call, list[Point]] = {Call.PASS: []}
        for edge in edges:
            for thread in cursor.threads:
                calls = list(edge_calls(edge, thread, auction)) if not thread.is_ours else []
                if calls and any(one is edge for one in _edges_of(self.system, thread.point)):
                    points = found.setdefault(calls[0], [])
                    if edge.to not in points:
                        points.append(edge.to)
        return found


def _headers(system: System) -> dict[int, Header]:
    """The headers of the rules that stand right beneath one, by the rules' order."""
    by_text = {str(section.header): section.header for section in system.sections}
    nested: set[int] = set()
    for rule in system.tree.rules:
        points = [rule.after]
        while points:
            point = points.pop()
            nested |= {one.order for one in point.rules}
            points += [edge.to for edge in point.edges if edge.rule is None]
    tops = (rule for rule in system.tree.rules if rule.order not in nested)
    return {rule.order: by_text[rule.source.context] for rule in tops}


def _order(visit: Visit) -> tuple[object, ...]:
    """Plain auctions first, then the shorter, then the lower."""
    calls = [call for _, call, _ in _calls(visit.auction)]
    return not _is_plain(visit), len(calls), calls, len(visit.auction), visit.state.we_vulnerable


def _is_plain(visit: Visit) -> bool:
    """Whether the dealer opened and nobody is vulnerable."""
    state = visit.state
    is_dealers = not visit.auction.calls or visit.auction.calls[0] != Call.PASS
    return is_dealers and not state.we_vulnerable and not state.they_vulnerable


def _edges_of(system: System, point: int) -> list[Edge]:
    return system.tree.points[point].edges


def _plain(header: Header) -> str:
    """A header without qualifiers: places that differ in these only belong together."""
    return "opening" if header.kind is HeaderKind.OPENING else " ".join(map(str, header.steps))


def _chapter(visit: Visit) -> str:
    """The chapter that a place belongs to."""
    auction, state = visit.auction, visit.state
    if auction.last_bid is None:
        return CHAPTERS[0]
    if state.they_opened:
        return CHAPTERS[4]
    if state.is_contested:
        return CHAPTERS[3]
    ours = [call for _, call, is_ours in _calls(auction) if is_ours and call != Call.PASS]
    return CHAPTERS[1] if len(ours) == 1 else CHAPTERS[2]


def _calls(auction: Auction) -> Iterator[tuple[int, Call, bool]]:
    """The calls from the first bid on, with whether they are of the side to call."""
    first = next((n for n, call in enumerate(auction.calls) if call != Call.PASS), len(auction))
    for number, call in enumerate(auction.calls[first:], first):
        yield number, call, (len(auction) - number) % 2 == 0


def _title(visit: Visit) -> str:
    """An auction as players write it: our calls, theirs in parentheses, passes where they tell something."""
    calls = list(_calls(visit.auction))
    said = []
    for number, call, is_ours in calls:
        if call == Call.PASS:
            if is_ours or (visit.state.they_opened and number == len(visit.auction) - 1 and len(calls) == 3):
                said.append("P" if is_ours else "(P)")
            continue
        said.append(call.symbol if is_ours else f"({call.symbol})")
    return " – ".join(said) or "Opening"


_SEATS = ("first", "second", "third", "fourth")


def _situation(visit: Visit) -> str:
    """A place with seat and vulnerability, where it differs by these from the first of its family."""
    said = [_title(visit)]
    passes = next((n for n, c in enumerate(visit.auction.calls) if c != Call.PASS), len(visit.auction))
    if visit.auction.last_bid is None:
        said = [f"In {_SEATS[passes]} seat"] if passes else []
        if visit.state.we_vulnerable:
            said.append("vulnerable" if said else "Vulnerable")
    elif visit.state.i_passed:
        said.append("a passed hand")
    return ", ".join(said)
