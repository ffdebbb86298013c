"""What can be told from the lines of a text alone, without an auction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bidlab.systems.checks.findings import Finding, Kind
from bidlab.systems.loading import PARAMETER, SWITCHES_FOR_ALL
from bidlab.systems.syntax import (
    EffectWord,
    HeaderKind,
    Interruption,
    Place,
    Predicate,
    RuleLine,
    Section,
    SetLine,
    SystemText,
    Use,
)
from bidlab.systems.system import System

# Effects that cannot both be meant.
_OPPOSED = (
    ("forcing", "signs_off"),
    ("game", "signs_off"),
    ("forcing", "to_play"),
    ("game", "to_play"),
    ("invites", "signs_off"),
    ("invites", "game"),
    ("asks", "signs_off"),
    ("transfers", "signs_off"),
    ("natural", "artificial"),
    ("takeout", "penalty"),
    ("preempt", "game"),
)
# Predicates of one context that cannot both hold.
_EXCLUDING = (
    ("contested", "uncontested"),
    ("contested_not", "uncontested_not"),
    ("passed", "unpassed"),
    ("we_opened", "they_opened"),
    ("agreed", "nothing_agreed"),
    ("they_doubled", "they_passed"),
    ("they_doubled", "they_bid"),
    ("they_bid", "they_passed"),
    ("uncontested", "they_bid"),
    ("uncontested", "they_doubled"),
    ("uncontested", "they_opened"),
    ("partner_has_bid", "partner_has_not_bid"),
    ("i_have_bid", "i_have_not_bid"),
    ("vulnerable", "favourable"),
    ("favourable", "unfavourable"),
)
# Predicates that hold only if the effects of some rule bring the state about.
_BROUGHT_ABOUT = {
    "agreed": ("agrees", "agrees a suit"),
    "invited": ("invites", "invites"),
    "signed_off": ("signs_off", "signs off"),
    "transferred": ("transfers", "transfers to a suit"),
    "game_forced": ("game", "is forcing to game"),
}

Node = RuleLine | Interruption


def line_findings(system: System) -> Iterator[Finding]:
    """All findings that need no auction."""
    for text in system.texts:
        for _, rule in text.rule_lines():
            yield from _effects(rule)
        for section in text.sections:
            yield from _excluding(section.header.qualifiers)
        yield from _duplicates(text)
        yield from _uses(text)
    yield from _unused(system)
    yield from _contexts(system)


# Effects and predicates that contradict each other.


def _effects(rule: RuleLine) -> Iterator[Finding]:
    words = {word.kind: word for word in rule.effects}
    for one, other in _OPPOSED:
        if one in words and other in words:
            first, second = words[one], words[other]
            yield Finding(
                rule.place,
                Kind.CONTRADICTION,
                f"'{first}' and '{second}' cannot both be meant",
                "leave one of them out",
            )


def _excluding(predicates: tuple[Predicate, ...]) -> Iterator[Finding]:
    kinds = {f"{one.kind}{'_not' if one.negated else ''}": one for one in predicates}
    opposed = [(kind, f"{kind}_not") for kind in kinds if not kind.endswith("_not")]
    for one, other in (*_EXCLUDING, *opposed):
        if one in kinds and other in kinds and _is_same_matter(kinds[one], kinds[other]):
            yield Finding(
                kinds[one].place,
                Kind.CONTEXT,
                f"'{kinds[one]}' and '{kinds[other]}' never hold together",
                "leave one of them out",
            )


def _is_same_matter(one: Predicate, other: Predicate) -> bool:
    """Whether two predicates of one kind speak of the same; two of different kinds always clash."""
    if one.kind != other.kind:
        return True
    return (one.suit, one.other, one.what, one.least, one.most, one.call) == (
        (other.suit, other.other, other.what, other.least, other.most, other.call)
    )


# The same twice.


def _duplicates(text: SystemText) -> Iterator[Finding]:
    seen: dict[tuple[str, ...], tuple[Place, str]] = {}
    for section in text.sections:
        yield from _duplicates_within(section.rules, (str(section.header),), seen)


def _duplicates_within(
    nodes: Iterable[Node], path: tuple[str, ...], seen: dict[tuple[str, ...], tuple[Place, str]]
) -> Iterator[Finding]:
    for node in nodes:
        if isinstance(node, Interruption):
            yield from _duplicates_within(node.children, (*path, str(node)), seen)
            continue
        qualifiers = ", ".join(one.text for one in node.qualifiers)
        condition = " ".join(node.condition.text.split()) if node.condition else ""
        effects = ", ".join(sorted(word.text for word in node.effects))
        key = (*path, str(node.call), qualifiers, condition)
        if key in seen:
            place, before = seen[key]
            differs = "" if before == effects else ", with other effects"
            yield Finding(
                node.place,
                Kind.DUPLICATE,
                f"{node.call} stands in line {place.line} already with the same condition{differs}",
                "leave one of the two out, or change its condition",
            )
        else:
            seen[key] = (node.place, effects)
        yield from _duplicates_within(node.children, (*path, f"{node.call}, {qualifiers}"), seen)


def _uses(text: SystemText) -> Iterator[Finding]:
    seen: dict[tuple[str, str], Place] = {}
    for part in text.parts:
        if not isinstance(part, Use) or part.is_off:
            continue
        for over in part.overs or ((),):
            steps = " ".join(str(step) for step in over)
            key = (part.name, steps.removesuffix(" -"))
            if key in seen:
                where = f" over {steps}" if steps else ""
                what = f"{part.name} is used{where} in line {seen[key].line} already"
                yield Finding(part.place, Kind.TWICE, what, "leave one of the two out")
            seen.setdefault(key, part.place)


# Parameters.


def _unused(system: System) -> Iterator[Finding]:
    used: dict[str, set[str]] = {text.file: set(_parameters(text)) for text in system.texts}
    everywhere = set().union(*used.values())
    for text in system.texts:
        # What a convention sets is seen by itself alone; what a system sets, by everything it uses.
        seen = used[text.file] if text.kind == "convention" else everywhere
        for part in text.parts:
            if isinstance(part, SetLine) and part.name not in {*seen, *SWITCHES_FOR_ALL}:
                what = f"nothing uses the parameter {part.name}"
                yield Finding(
                    part.place, Kind.UNUSED, what, f"write ${part.name} where it is meant, or leave it out"
                )


def _parameters(text: SystemText) -> Iterator[str]:
    for _, rule in text.rule_lines():
        if rule.condition:
            yield from PARAMETER.findall(rule.condition.text)
    for part in text.parts:
        if isinstance(part, SetLine):
            yield from PARAMETER.findall(part.value)
        elif isinstance(part, Use):
            for setting in part.parameters:
                yield from PARAMETER.findall(setting.value)


# States that nothing brings about.


def _contexts(system: System) -> Iterator[Finding]:
    effects = [word for rule in system.tree.rules for word in rule.line.effects]
    told: set[Place] = set()
    for predicate in _predicates(system.sections):
        if predicate.place not in told and not predicate.negated:
            for finding in _unbrought(predicate, effects):
                told.add(predicate.place)
                yield finding


def _predicates(sections: Iterable[Section]) -> Iterator[Predicate]:
    for section in sections:
        if section.header.kind is HeaderKind.WHEN:
            yield from section.header.qualifiers
        else:
            yield from (one for one in section.header.qualifiers if one.kind in (*_BROUGHT_ABOUT, "asked"))


def _unbrought(predicate: Predicate, effects: list[EffectWord]) -> Iterator[Finding]:
    if predicate.kind == "asked":
        asked = sorted({word.what for word in effects if word.kind == "asks"})
        if predicate.what not in asked:
            known = ", ".join(asked) or "nothing at all"
            yield Finding(
                predicate.place,
                Kind.CONTEXT,
                f"no rule asks {predicate.what}",
                f"write 'asks {predicate.what}' beside the rule that does; asked are: {known}",
            )
        return
    kind, words = _BROUGHT_ABOUT.get(predicate.kind, ("", ""))
    if kind and not any(word.kind == kind for word in effects):
        what = f"'{predicate}' never holds: no call of the system {words}"
        yield Finding(predicate.place, Kind.CONTEXT, what, "write the effect beside the call that has it")
