"""Whether a qualifier or a predicate of `when` holds, and which suits its variables then stand for.

A predicate reads of the state only what it speaks of. One that names a variable without a suit binds it:
`agreed M` holds where a major is agreed, and M is that major from there on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bidlab.bridge.cards import SUITS, Suit
from bidlab.meaning.words import MAJORS, MINORS
from bidlab.systems.relations import suit_named
from bidlab.systems.state import Shown, State
from bidlab.systems.syntax import Predicate
from bidlab.systems.variables import Bindings, bids, bound, is_variable

# Those that speak of suits only, so that no state is needed to tell them.
_COMPARISONS: dict[str, Callable[[Suit, Suit], bool]] = {
    "above": lambda suit, other: suit > other,
    "below": lambda suit, other: suit < other,
    "major": lambda suit, _: suit in MAJORS,
    "minor": lambda suit, _: suit in MINORS,
    "same": lambda suit, other: suit == other,
}
_FLAGS: dict[str, Callable[[State], bool]] = {
    "passed": lambda state: state.i_passed,
    "unpassed": lambda state: not state.i_passed,
    "partner_passed": lambda state: state.partner_passed,
    "partner_unpassed": lambda state: not state.partner_passed,
    "vulnerable": lambda state: state.we_vulnerable,
    "they_vulnerable": lambda state: state.they_vulnerable,
    "favourable": lambda state: not state.we_vulnerable and state.they_vulnerable,
    "unfavourable": lambda state: state.we_vulnerable and not state.they_vulnerable,
    "nothing_agreed": lambda state: state.agreed is None,
    "game_forced": lambda state: state.is_game_forced,
    "forced": lambda state: state.is_forced,
    "invited": lambda state: state.is_invited,
    "signed_off": lambda state: state.is_signed_off,
    "contested": lambda state: state.is_contested,
    "uncontested": lambda state: not state.is_contested,
    "below_game": lambda state: state.is_below_game,
    "we_opened": lambda state: state.we_opened,
    "they_opened": lambda state: state.they_opened,
    "they_doubled": lambda state: state.is_doubled,
    "they_passed": lambda state: not state.is_doubled and not state.is_overcalled,
    "partner_has_bid": lambda state: state.partner_has_bid,
    "partner_has_not_bid": lambda state: not state.partner_has_bid,
    "i_have_bid": lambda state: state.i_have_bid,
    "i_have_not_bid": lambda state: not state.i_have_bid,
}
# Those that name a suit, which they bind where it is a variable without one.
_SUITS: dict[str, Callable[[State], Iterable[Suit | None]]] = {
    "agreed": lambda state: (state.agreed,),
    "partner_bid": lambda state: (state.partner_suit,),
    "i_bid": lambda state: (state.my_suit,),
    "transferred": lambda state: (state.transferred,),
    "they_showed": lambda state: state.their_suits,
    "they_bid": lambda state: (state.their_suit,) if state.is_overcalled else (),
    "unbid": lambda state: state.unbid_suits,
}
_BINDING = {*_SUITS, "asked", "partner_showed", "i_showed", "known_fit"}


def speaks_of_suits_only(predicate: Predicate) -> bool:
    """Whether the predicate can be told from the suits of its variables alone."""
    return predicate.kind in _COMPARISONS and not any(
        name and not is_variable(name) and " " in name for name in (predicate.suit, predicate.other)
    )


def suits_allow(predicate: Predicate, bindings: Bindings) -> bool:
    """Whether a predicate that speaks of suits only holds."""
    return _compared(predicate, bindings, State()) != predicate.negated


def bound_letter(predicate: Predicate) -> str:
    """The letter that the predicate gives a suit to where it has none; empty: it names no letter."""
    if predicate.negated:
        return ""
    if predicate.kind == "below_call" and predicate.call is not None:
        return predicate.call.suit if is_variable(predicate.call.suit) else ""
    return predicate.suit if predicate.kind in _BINDING and is_variable(predicate.suit) else ""


def ways(predicate: Predicate, bindings: Bindings, state: State) -> list[Bindings]:
    """The bindings under which the predicate holds; empty where it does not."""
    found = _ways(predicate, bindings, state)
    if predicate.negated:
        return [] if found else [bindings]
    return found


def all_ways(predicates: Iterable[Predicate], bindings: Bindings, state: State) -> list[Bindings]:
    """The bindings under which all predicates hold."""
    found = [bindings]
    for predicate in predicates:
        found = [more for one in found for more in ways(predicate, one, state)]
        if not found:
            break
    return found


def _ways(predicate: Predicate, bindings: Bindings, state: State) -> list[Bindings]:
    kind = predicate.kind
    if kind in _FLAGS:
        return [bindings] if _FLAGS[kind](state) else []
    if kind == "they_bid" and not predicate.suit:
        return [bindings] if state.is_overcalled else []
    if kind in _SUITS:
        return _named(predicate.suit, _SUITS[kind](state), bindings, state)
    if kind in _COMPARISONS:
        return [bindings] if _compared(predicate, bindings, state) else []
    match kind:
        case "seats":
            return [bindings] if predicate.least <= state.seat <= predicate.most else []
        case "asked":
            return _asked(predicate, bindings, state)
        case "below_call":
            return _below(predicate, bindings, state)
        case "known_fit":
            fits = [s for s in SUITS if state.me.least[s] + state.partner.least[s] >= 8]
            return _named(predicate.suit, fits, bindings, state)
        case "partner_showed":
            return _showed(predicate, state.partner, bindings, state)
        case "i_showed":
            return _showed(predicate, state.me, bindings, state)
    raise AssertionError(f"a predicate that nothing evaluates: {kind}")


def _named(name: str, suits: Iterable[Suit | None], bindings: Bindings, state: State) -> list[Bindings]:
    """The bindings under which a name is one of some suits."""
    found: list[Bindings] = []
    for suit in suits:
        if suit is None:
            continue
        if is_variable(name):
            more = bound(name, suit, bindings)
            if more is not None:
                found.append(more)
        elif suit_named(name, bindings, state) == suit:
            found.append(bindings)
    return found


def _compared(predicate: Predicate, bindings: Bindings, state: State) -> bool:
    suit = suit_named(predicate.suit, bindings, state)
    other = suit_named(predicate.other, bindings, state) if predicate.other else suit
    return suit is not None and other is not None and _COMPARISONS[predicate.kind](suit, other)


def _asked(predicate: Predicate, bindings: Bindings, state: State) -> list[Bindings]:
    asked = state.asked
    if asked is None or asked.what != predicate.what:
        return []
    return _named(predicate.suit, (asked.suit,), bindings, state) if predicate.suit else [bindings]


def _below(predicate: Predicate, bindings: Bindings, state: State) -> list[Bindings]:
    """The bindings under which the last bid is lower than a call: `below 4M` binds M where it has no suit."""
    assert predicate.call is not None
    last = state.last_bid
    return [more for call, more in bids(predicate.call, bindings) if last is None or last < call]


def _showed(predicate: Predicate, shown: Shown, bindings: Bindings, state: State) -> list[Bindings]:
    """Whether a player's hand surely lies in a range, of points or of a suit."""
    least, most = predicate.least, predicate.most
    if not predicate.suit:
        held = shown.hcp
        return [bindings] if least <= held[0] and (most >= 37 or held[1] <= most) else []
    suits = [
        suit for suit in SUITS if least <= shown.least[suit] and (most >= 13 or shown.most[suit] <= most)
    ]
    return _named(predicate.suit, suits, bindings, state)
