"""Effects of calls and the state of an auction, said in words."""

from __future__ import annotations

from collections.abc import Iterator

from bidlab.bridge.calls import Call
from bidlab.systems.rules import Ask, Effects, Forcing, Judged, Programmed, Written
from bidlab.systems.state import State

_WORDS = {
    "preempt": "preemptive",
    "takeout": "for takeout",
    "penalty": "for penalties",
    "splinter": "a splinter",
    "cue-bid": "a cue-bid",
    "puppet": "a puppet",
    "relay": "a relay",
}
# What judgement says of each of its kinds (`judging.py`); a kind that is not here says its name.
_JUDGED = {
    "pass": "nothing is better than a pass",
    "slam": "a slam should make",
    "game": "game should make",
    "invitation": "game may make, if partner has more than the least",
    "part-score": "the best place to play",
    "competition": "it is worth competing",
    "preempt": "it takes their room away",
    "save": "it costs less than their contract",
    "penalty": "their contract should go down",
    "takeout": "partner is to choose the suit",
    "answer": "partner may not be passed",
    "escape": "a better place than this one",
}


def effect_phrases(call: Call, effects: Effects) -> tuple[str, ...]:
    """What a call does, a phrase each: "forcing to game", "agrees hearts", "asks for key cards"."""
    return tuple(_phrases(call, effects))


def _phrases(call: Call, effects: Effects) -> Iterator[str]:
    yield from (_WORDS.get(word, word) for word in effects.words)
    if effects.transfers is not None:
        yield f"transfers to {effects.transfers.word}"
    if effects.asks is not None:
        yield f"asks for {ask_words(effects.asks)}"
    if effects.agrees is not None:
        yield f"agrees {effects.agrees.word}"
    if effects.artificial and effects.transfers is None and effects.asks is None:
        yield "artificial"
    if effects.invites:
        yield "invites game"
    if effects.signs_off:
        yield "to play"
    elif effects.forcing == Forcing.GAME:
        yield "forcing to game"
    elif effects.forcing == Forcing.ROUND:
        yield "forcing for one round"
    elif call.is_bid and not effects.invites:
        yield "not forcing"


def ask_words(ask: Ask) -> str:
    """What is asked: "key cards in hearts", "a major"."""
    return f"{ask.what} in {ask.suit.word}" if ask.suit is not None else ask.what


def source_words(source: Written | Judged | Programmed, text: str = "") -> str:
    """What made a call: a place in a system's text, with the words beside it, a program, or an estimate."""
    if isinstance(source, Programmed):
        return f"by the program of state {source.state}"
    if isinstance(source, Judged):
        estimate = f" ({source.estimate})" if source.estimate else ""
        return f"by judgement: {_JUDGED.get(source.kind, source.kind)}{estimate}"
    under = f" under {source.context}" if source.context else ""
    return f"by {place_text(source)}{under}" + (f', "{text}"' if text else "")


def place_text(source: Written | Judged | Programmed) -> str:
    """Where a rule stands, without the folders: "natural.bids:12"; or "judgement (game)"."""
    return str(source).rpartition("/")[2]


def state_sentences(state: State) -> tuple[str, ...]:
    """What binds the player to call, beside what the others have shown; a sentence each."""
    return tuple(_sentences(state))


def _sentences(state: State) -> Iterator[str]:
    if state.asked is not None:
        yield f"Partner asks for {ask_words(state.asked)}."
    if state.transferred is not None:
        yield f"Partner transfers to {state.transferred.word}."
    if state.agreed is not None:
        yield f"{state.agreed.word.capitalize()} are agreed."
    if state.is_game_forced:
        yield "Game is forced." if state.is_below_game else "Game was forced, and is reached."
    elif state.is_forced:
        yield "Partner's last call is forcing: no pass."
    if state.is_invited:
        yield "Partner invites."
    if state.is_signed_off:
        yield "Partner has signed off: pass without a good reason."
    if state.is_doubled:
        yield "The opponent on the right has doubled."
    if state.i_passed and not state.i_have_bid:
        yield "A passed hand: it has less than an opening bid."
    if state.partner_passed and not state.partner_has_bid:
        yield "Partner passed at first: less than an opening bid."
