"""A bidding system read from its text: the rules of the player to call, at any point of any auction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.cards import Strain, Suit
from bidlab.bridge.errors import BidlabError
from bidlab.meaning.conditions import ANYTHING, Condition
from bidlab.meaning.errors import MeaningTextError
from bidlab.meaning.relative import read_relative
from bidlab.systems.cursor import Cursor, Cursors, Origin
from bidlab.systems.effects import effects_of
from bidlab.systems.errors import SystemTextError
from bidlab.systems.forecasts import check_forecast, forecast_of, split_forecast
from bidlab.systems.grammar import effect_words
from bidlab.systems.loading import Loader, system_file
from bidlab.systems.predicates import all_ways
from bidlab.systems.relations import IMAGINED, Answer, Answers, answer, suit_named
from bidlab.systems.rules import Effects, Forecast, Rule
from bidlab.systems.second_thoughts import SecondThoughts
from bidlab.systems.state import Memory, State, made_anew
from bidlab.systems.syntax import CallKind, CallPattern, Phrase, Section, SystemText
from bidlab.systems.text import read_text
from bidlab.systems.tree import Tree, TreeRule
from bidlab.systems.variables import Bindings, bids, bound_suit, every_binding, is_variable

if TYPE_CHECKING:
    from bidlab.systems.webb.programs import ProgramRules
    from bidlab.systems.webb.system import WebbSystem

_OF_PROGRAMS = -1  # the number of the point at which programs speak
_LAST = 1 << 40  # where rules of programs are tried, after all others
_LINE, _QUALIFIERS = 0, 1  # kinds of what is remembered
_RuleKey = tuple[int, Bindings, Call, tuple[Answer | None, ...], Effects, Forecast | None]


class System:
    """A bidding system.

    >>> system = System.parse("opening\\n  1N  15-17, balanced\\n1N\\n  2M  5+ M, 0-7   signs off")
    >>> [str(rule.call) for rule in system.rules(system.start, State())]
    ['1N']
    >>> over = system.start.after(Call("1N")).after(Call("P"))
    >>> [str(rule.call) for rule in system.rules(over, State())]
    ['2H', '2S']
    """

    def __init__(
        self,
        text: SystemText,
        texts: tuple[SystemText, ...],
        sections: tuple[Section, ...],
        conventions: Mapping[str, bool] | None = None,
        programs: WebbSystem | None = None,
        second_thoughts: SecondThoughts | None = None,
        *,
        are_systems_on: bool = False,
    ) -> None:
        self.name = text.name
        self.title = text.title
        self.texts = texts  # every file that was read, the system's own first
        self.sections = sections  # every block in order, with conventions put in and parameters set
        self.conventions = dict(conventions or {})  # that its files use, in order, and whether they are on
        self.second_thoughts = second_thoughts  # in competition (docs/judgement.md)
        self.are_systems_on = are_systems_on  # over doubles of which the text does not speak
        self.tree = Tree(sections)
        # Of a system that evolved: they call where no rule speaks, and depend on every call so far.
        self.programs = _program_rules(programs, text.name) if programs is not None else None
        self._cursors = Cursors(self.tree, keeps_calls=programs is not None, are_systems_on=are_systems_on)
        self._conditions: dict[tuple[str, Bindings, tuple[Answer | None, ...]], Condition | None] = {}
        self._shared: dict[Condition, Condition] = {}
        self._asked: dict[tuple[str, Bindings], tuple[str, ...]] = {}
        self._rules: dict[_RuleKey, Rule] = {}
        self._parts: dict[tuple[int, Bindings | tuple[Call, ...]], int] = {}
        self._part_points: list[tuple[int, Bindings | tuple[Call, ...]]] = []
        for rule in self.tree.rules:
            self._check(rule)

    @classmethod
    def load(cls, name: str | Path, /, **switches: str) -> System:
        """A system by its name or file; switches set its parameters and turn conventions `on` or `off`."""
        loader = Loader(switches)
        text = loader.load(system_file(str(name)))
        return cls._loaded(text, tuple(loader.texts.values()), loader)

    @classmethod
    def parse(cls, text: str, file: str = "text", /, **switches: str) -> System:
        """A system from a text; the files that it names are looked for beside `file`."""
        read = read_text(text, file)
        loader = Loader(switches)
        loader.add(read, Path(file))
        return cls._loaded(read, (read, *loader.texts.values()), loader)

    @classmethod
    def _loaded(cls, text: SystemText, texts: tuple[SystemText, ...], loader: Loader) -> System:
        return cls(
            text,
            texts,
            tuple(loader.sections),
            loader.conventions,
            loader.programs,
            loader.second_thoughts,
            are_systems_on=loader.are_systems_on,
        )

    @cached_property
    def fingerprint(self) -> str:
        """A short name that differs for different rules: of two texts, or of one with other switches."""
        rules = "\n".join(repr(section) for section in self.sections)
        if self.second_thoughts:
            rules += f"second thoughts {self.second_thoughts.weights}"
        if self.are_systems_on:
            rules += "systems on"
        if self.programs is not None:
            rules += self.programs.system.to_json()
        return f"{self.name}-{sha256(rules.encode()).hexdigest()[:16]}"

    @property
    def start(self) -> Cursor:
        """Where every auction begins."""
        return self._cursors.start

    def __repr__(self) -> str:
        return f"<System {self.name}: {len(self.tree.rules)} rules>"

    # Rules.

    def rules(self, cursor: Cursor, state: State) -> list[Rule]:
        """The rules of the player to call, in the order in which they are tried.

        They speak of one hand only. Some may make calls that are illegal there.
        """
        found = [pair for part in self.parts(cursor) for pair in self.part_rules(part, state)]
        found.sort(key=lambda pair: pair[0])
        return list({id(rule): rule for _, rule in found}.values())

    def parts(self, cursor: Cursor) -> tuple[int, ...]:
        """The numbers of the parts of the text that speak at a cursor: of a block with its letters' suits."""
        points = [(thread.point, thread.bindings) for thread in cursor.threads if thread.is_ours]
        points += [(when.number, ()) for when in self.tree.whens]
        found = [
            self._parts.setdefault(point, len(self._parts))
            for point in points
            if self.tree.points[point[0]].rules
        ]
        if cursor.calls is not None:
            found.append(self._parts.setdefault((_OF_PROGRAMS, cursor.calls), len(self._parts)))
        return tuple(found)

    def part_rules(self, part: int, state: State, remembered: Memory = made_anew) -> list[tuple[int, Rule]]:
        """The rules of a part where the state is this, each after the number by which it is tried."""
        while len(self._part_points) < len(self._parts):
            self._part_points = list(self._parts)
        number, bindings = self._part_points[part]
        if number == _OF_PROGRAMS:
            assert self.programs is not None
            rules = self.programs.rules(cast("tuple[Call, ...]", bindings), state)
            return [(_LAST + place, rule) for place, rule in enumerate(rules)]
        bindings = cast("Bindings", bindings)
        point = self.tree.points[number]
        ways = remembered(
            (_QUALIFIERS, number, bindings), lambda: all_ways(point.qualifiers, bindings, state)
        )
        return [
            (_order(rule), made)
            for more in ways
            for rule in point.rules
            for made in self._line_rules(rule, more, state, remembered)
        ]

    def _line_rules(
        self, rule: TreeRule, bindings: Bindings, state: State, remembered: Memory
    ) -> Sequence[Rule]:
        """The rules of one line: the same where it looks at the same."""
        return remembered((_LINE, rule.order, bindings), lambda: list(self._expanded(rule, bindings, state)))

    def _expanded(self, rule: TreeRule, bindings: Bindings, state: State) -> Iterator[Rule]:
        """The rules of one line: one for every suit that its call can be in."""
        line = rule.line
        for call, called in _calls(line.call, bindings, state):
            for suits in all_ways(line.qualifiers, called, state):
                answers = tuple(answer(question, suits, state) for question in rule.asked)
                condition = self._condition(rule, suits, answers)
                effects = effects_of(line.effects, partial(suit_named, bindings=suits, state=state))
                forecast = None
                if rule.forecast is not None:
                    forecast = forecast_of(rule.forecast, suits, state)
                    if forecast is None:  # no such suit
                        continue
                if condition is not None and effects is not None:
                    yield self._rule(rule, suits, call, answers, condition, effects, forecast)

    def _rule(
        self,
        rule: TreeRule,
        bindings: Bindings,
        call: Call,
        answers: tuple[Answer | None, ...],
        condition: Condition,
        effects: Effects,
        forecast: Forecast | None,
    ) -> Rule:
        """The one object of a rule, so that what is kept by identity is found again."""
        key = (rule.order, bindings, call, answers, effects, forecast)
        if key not in self._rules:
            origin = Origin(self.tree.digest, rule.order, bindings)
            text = rule.line.text
            self._rules[key] = Rule(call, condition, effects, rule.source, text, origin, forecast)
        return self._rules[key]

    # Conditions.

    def _condition(
        self, rule: TreeRule, bindings: Bindings, answers: tuple[Answer | None, ...]
    ) -> Condition | None:
        """The condition of a rule on one hand; None where a suit that it names does not exist."""
        phrase = rule.condition
        if phrase is None:
            return ANYTHING
        if None in answers:
            return None
        key = (phrase.text, bindings, answers)
        if key not in self._conditions:
            relation = Answers(bindings, dict(zip(rule.asked, answers, strict=True)))
            try:
                condition = read_relative(phrase.text, relation)
                self._conditions[key] = self._shared.setdefault(condition, condition)
            except BidlabError:  # two parts that one suit plays, where they must differ
                self._conditions[key] = None
        return self._conditions[key]

    def _check(self, rule: TreeRule) -> None:
        """Read a condition once, so that what is wrong with it is said when the file is loaded."""
        bindings = rule.samples[0] if rule.samples else ()
        for word in rule.line.effects:
            if is_variable(word.suit) and bound_suit(word.suit, bindings) is None:
                raise SystemTextError(word.place, f"{word.suit} in '{word}' stands for no suit here")
        rule.condition, rule.forecast = split_forecast(rule.line.condition)
        if rule.forecast is not None:
            check_forecast(rule.forecast, bindings)
        phrase = rule.condition
        if phrase is None:
            return
        known = self._asked.get((phrase.text, bindings))
        if known is not None:  # the same words at another place
            rule.asked = known
            return
        relation = Answers(bindings, IMAGINED)
        try:
            read_relative(phrase.text, relation)
        except MeaningTextError as error:
            raise SystemTextError(phrase.at(error.column - 1), error.what + _hint(phrase, error)) from None
        except BidlabError as error:
            raise SystemTextError(phrase.place, str(error)) from None
        rule.asked = self._asked[phrase.text, bindings] = tuple(relation.asked)


def _program_rules(programs: WebbSystem, name: str) -> ProgramRules:
    from bidlab.systems.webb.programs import ProgramRules  # few systems have programs

    return ProgramRules(programs, name)


def _order(rule: TreeRule) -> int:
    """How late a rule is tried: by its priority, sequences before `when`, from the top of the text."""
    return (-rule.priority * 2 + rule.is_when << 32) + rule.order


def _hint(phrase: Phrase, error: MeaningTextError) -> str:
    """What to do about an effect among the conditions."""
    words = phrase.text[error.column - 1 :].split(maxsplit=1)
    if words and words[0].strip(",;") in effect_words():
        return "; what a call does stands in a column of its own, two spaces after the condition"
    return ""


def _calls(pattern: CallPattern, bindings: Bindings, state: State) -> Iterator[tuple[Call, Bindings]]:
    """The calls that a rule makes, with the suits of its variables."""
    if pattern.kind in (CallKind.FIXED, CallKind.BID):
        yield from bids(pattern, bindings)
        return
    last = state.last_bid
    if pattern.kind is CallKind.STEP:
        number = (Call.REDOUBLE if last is None else last) + pattern.level
        if number < len(CALLS):
            yield CALLS[number], bindings
        return
    for strain, more in _strains(pattern.suit, bindings, state):
        call = _lowest(strain, last, 1 if pattern.kind is CallKind.JUMP else 0)
        if call is not None:
            yield call, more


def _strains(name: str, bindings: Bindings, state: State) -> Iterator[tuple[Strain, Bindings]]:
    if name == "notrump":
        yield Strain.NOTRUMP, bindings
    elif is_variable(name):
        for suit, more in every_binding(name, bindings):
            yield Strain(int(suit)), more
    else:
        suit_there: Suit | None = suit_named(name, bindings, state)
        if suit_there is not None:
            yield Strain(int(suit_there)), bindings


def _lowest(strain: Strain, last: Call | None, higher: int) -> Call | None:
    """The lowest bid of a strain over the last bid, some levels higher; None above seven."""
    level = 1 if last is None else last.level + (strain <= last.strain)
    return Call.bid(level + higher, strain) if level + higher <= 7 else None
