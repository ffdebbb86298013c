"""Explanations of calls: what each shows, denies and does, which rule made it, and why it was not another.

Silveira's program told which rules it walked through; here the rules themselves answer. What a call shows is
its meaning, less what goes without saying (`gist.py`); what it denies are the calls that some hands like that
would have made instead, because their rules stand before; and for a hand that is seen, every rule that was
tried before says what the hand lacks for it. How often a call comes up is counted among deals that agree with
everything said before (`samples.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import SUITS, Seat, Strain, Suit
from bidlab.bridge.errors import DealError
from bidlab.bridge.hands import Hand
from bidlab.dealing import Dealer
from bidlab.meaning.conditions import ANYTHING, All, Any, Condition, all_of, any_of
from bidlab.meaning.english import listed
from bidlab.meaning.features import HCP, feature_table, length
from bidlab.meaning.meaning import Meaning, all_meanings
from bidlab.meaning.shortfalls import shortfall_text
from bidlab.systems.gist import RARE, gist
from bidlab.systems.phrases import effect_phrases, place_text, source_words, state_sentences
from bidlab.systems.position import Position
from bidlab.systems.rules import SECOND_THOUGHTS, Effects, Forcing, Judged, Rule, Written
from bidlab.systems.samples import COUNT, Bits, Sample, choices

Disclosed = Sequence[Meaning | None]
NOTHING_NEW = "nothing new"
_MOST_PLACES = 3
_DENIED = 0.03  # share of the hands that look like a call's, from which another call is denied
_MUCH = 0.4  # share of them from which a call that has no words of its own is for what the others leave
_SHORT, _LONG, _LONGEST = 60, 100, 160  # letters, for what is denied, shown, and said as a sentence
_SELDOM = 0.05  # share of a call's hands up to which what a rule of it does is not told
_LIKE = ", and the like"
_CLOSE = 1.0  # misfit (`Meaning.misfit`) up to which a teacher would mention a call that was not made


class Reader(Protocol):
    """What explanations need of a book: the position of the player to call."""

    def position(self, auction: Auction, disclosed: Disclosed = ()) -> Position:
        """The position after an auction; where a call was not disclosed the book reads it itself."""


# --- calls ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Denial:
    """A call that some hands of that kind would have made instead, and what it would have shown."""

    call: Call
    shows: str
    share: float  # of the hands that look like the call's


@dataclass(frozen=True, slots=True)
class Explained:
    """A call explained to everybody at the table, who do not see the hand."""

    seat: Seat
    call: Call
    meaning: Meaning | None  # exactly; None: the system has no such call there
    shows: str  # the gist, in a few words
    denies: tuple[Denial, ...] = ()
    does: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    says: str = ""  # the gist as the end of a sentence, where it reads better so
    gist: Meaning | None = None

    @property
    def is_estimated(self) -> bool:
        """Whether what it shows was found by watching, so that some hands lie outside."""
        return self.meaning is not None and self.meaning.outside > 0

    @property
    def sources(self) -> str:
        """Where its rules stand: "natural.bids:12, rebids.bids:7"."""
        places = list(dict.fromkeys(place_text(rule.source) for rule in self.rules))
        more = len(places) - _MOST_PLACES
        return ", ".join(places[:_MOST_PLACES] + ([f"{more} more"] if more > 0 else []))

    def sentences(self) -> tuple[str, ...]:
        """The explanation as a teacher would give it."""
        if self.meaning is None:
            return ("The system has no such call here: it is taken as natural.",)
        said = [f"Shows {self.says or self.shows}."]
        if self.denies:
            said.append(f"Denies {denials_text(self.denies)}.")
        if self.does:
            said.append(capitalised(f"{'; '.join(self.does)}."))
        return tuple(said)


def explained_calls(
    book: Reader,
    auction: Auction,
    disclosed: Disclosed = (),
    *,
    deals: int = COUNT,
    seed: int = 1,
    begun: tuple[tuple[Explained, ...], Sample] | None = None,
) -> tuple[tuple[Explained, ...], Sample]:
    """Every call of an auction explained, and deals that agree with all of them.

    What was found for the first calls of the same auction can be gone on with.
    """
    calls, sample = begun or ((), Sample.start(deals, seed))
    found = list(calls)
    for place, (seat, call) in list(enumerate(auction.seats()))[len(found) :]:
        so_far = Auction(auction.dealer, auction.vulnerable, auction.calls[:place])
        position = book.position(so_far, disclosed[:place])
        found.append(explained_call(position, seat, call, sample.hands(seat)))
        told = disclosed[place] if place < len(disclosed) else None
        sample = sample.after(seat, told if told is not None else found[-1].meaning)
    return tuple(found), sample


def explained_call(position: Position, seat: Seat, call: Call, hands: Bits) -> Explained:
    """One call explained, among the hands that its maker may have held before it."""
    meaning = position.meaning(call)
    if meaning is None:
        return Explained(seat, call, None, "")
    usual = _usual_rules(position, call, hands)
    told = gist(meaning, hands, _natural_suit(call, usual))
    denies = _denials(position, call, told, hands)
    brief = _in_short(told, hands, _LONG)
    shows, says = brief.short(), brief.long()
    if told.condition == ANYTHING and sum(denial.share for denial in denies) > _MUCH:
        shows = says = "a hand for none of the other calls"
    rules = position.rules_of(call)
    return Explained(seat, call, meaning, shows, denies, _does(call, usual), rules, says, told)


def explained_meaning(seat: Seat, call: Call, meaning: Meaning | None, hands: Bits) -> Explained:
    """A call explained by its meaning alone, among the hands that its maker may have held before it."""
    if meaning is None:
        return Explained(seat, call, None, "")
    told = gist(meaning, hands, _natural_suit(call, ()))
    brief = _in_short(told, hands, _LONG)
    return Explained(seat, call, meaning, brief.short(), says=brief.long(), gist=told)


def _natural_suit(call: Call, rules: Sequence[Rule]) -> Suit | None:
    """The suit that a call names and shows."""
    if not call.is_bid or call.strain == Strain.NOTRUMP or any(rule.effects.artificial for rule in rules):
        return None
    return Suit(int(call.strain))


def _usual_rules(position: Position, call: Call, hands: Bits) -> tuple[Rule, ...]:
    """The rules of a call that make it more than now and then; all where nothing is known of that."""
    chosen = choices(position, hands)
    numbers = [n for n, rule in enumerate(position.rules) if rule.call == call]
    counts = [int((chosen == n).sum()) for n in numbers]
    usual = [n for n, count in zip(numbers, counts, strict=True) if count > _SELDOM * sum(counts)]
    return tuple(position.rules[n] for n in usual or numbers)


def _does(call: Call, rules: Sequence[Rule]) -> tuple[str, ...]:
    """What a call does by any of its rules; where they differ, what all of them force is what it forces."""
    phrases = dict.fromkeys(p for rule in rules for p in effect_phrases(call, rule.effects))
    if len({rule.effects.forcing for rule in rules}) > 1:
        for phrase in ("not forcing", "forcing for one round", "forcing to game"):
            phrases.pop(phrase, None)
        least = min(rule.effects.forcing for rule in rules)
        weakest = effect_phrases(call, Effects(forcing=Forcing(least)))
        phrases |= dict.fromkeys(weakest)
    if "to play" in phrases or "invites game" in phrases:
        phrases.pop("not forcing", None)  # says less
    return tuple(phrases)


def _denials(position: Position, call: Call, told: Meaning, hands: Bits) -> tuple[Denial, ...]:
    """The calls that take more than a few of the hands that look like this one's, the commonest first."""
    alike = hands[told.admits(hands)]
    if not len(alike):
        return ()
    chosen = choices(position, alike)
    found = []
    for other in position.calls:
        if other in (call, Call.PASS):  # that a bid is no pass goes without saying
            continue
        numbers = [n for n, rule in enumerate(position.rules) if rule.call == other]
        share = float(np.isin(chosen, numbers).mean())
        if share >= _DENIED:
            takes = [n for n in numbers if (chosen == n).mean() >= RARE] or numbers[:1]
            condition = any_of(position.rules[n].condition for n in takes)
            shows = _in_short(gist(Meaning(condition), hands), hands, _SHORT).short()
            found.append(Denial(other, shows, share))
    return tuple(sorted(found, key=lambda denial: -denial.share))


@dataclass(frozen=True, slots=True)
class _Brief:
    """A gist, or of its many ways the commonest."""

    told: Meaning
    is_all: bool = True

    def short(self) -> str:
        """In a few words."""
        if self.told.condition == ANYTHING:
            return NOTHING_NEW
        return self.told.short() + ("" if self.is_all else _LIKE)

    def long(self) -> str:
        """As the end of a sentence; in a few words where that would be too long."""
        if self.told.condition == ANYTHING:
            return NOTHING_NEW
        text = self.told.long().removesuffix(".")
        if len(text) > _LONGEST:
            return self.short()
        return text[0].lower() + text[1:] + ("" if self.is_all else _LIKE)


def _in_short(told: Meaning, hands: Bits, longest: int) -> _Brief:
    """A gist of no more than so many letters, if that can be."""
    if len(told.short()) <= longest:
        return _Brief(told)
    brief = Meaning(all_of(_commonest(part, hands) for part in _parts(told.condition)))
    return _Brief(brief, brief == told)


def _parts(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, All) else (condition,)


def _commonest(part: Condition, hands: Bits) -> Condition:
    """Of alternatives the one that most hands fulfil; anything else as it is."""
    if not isinstance(part, Any) or not part.parts:
        return part
    return max(part.parts, key=lambda way: int(Meaning(way).admits(hands).sum()))


def denials_text(denies: Sequence[Denial], most: int = 2) -> str:
    """The calls denied, with what they would have shown; the commonest few."""
    said = [
        f"{denial.call.symbol} ({denial.shows})" if len(denial.shows) <= _SHORT else denial.call.symbol
        for denial in denies[:most]
    ]
    more = len(denies) - len(said)
    if more:
        said.append(f"{more} other call{'s' if more > 1 else ''}")
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def capitalised(text: str) -> str:
    """A text as the beginning of a sentence; signs and figures stay."""
    return text[:1].upper() + text[1:]


# --- a hand that is seen --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rule that was tried before and did not hold, and what the hand lacks for it."""

    rule: Rule
    why: str
    misfit: float

    def __str__(self) -> str:
        return f"Not {self.rule.call.symbol}: {self.why}."


@dataclass(frozen=True, slots=True)
class Reasoned:
    """Why a hand makes a call: the rule that held first, those before it, and later ones that hold too."""

    rule: Rule
    rejected: tuple[Rejected, ...]  # in the order they were tried
    also: tuple[Rule, ...]

    @property
    def nearest(self) -> tuple[Rejected, ...]:
        """What the hand came nearest to, one rule a call."""
        found: dict[Call, Rejected] = {}
        for one in sorted(self.rejected, key=lambda one: one.misfit):
            if one.rule.call != self.rule.call:
                found.setdefault(one.rule.call, one)
        return tuple(found.values())

    def reasons(self, most: int = 3, shown: str = "") -> tuple[str, ...]:
        """The reasons in words: the rule, unless its words were said as what is shown; the nearest calls."""
        close = [one for one in self.nearest if one.misfit <= _CLOSE]
        said = [reason_text(self.rule, shown), *(str(one) for one in close[:most])]
        # A pass fits most hands, and that it comes last is no news.
        fitting = [rule for rule in self.also if rule.condition != ANYTHING and rule.call != Call.PASS]
        others = list(dict.fromkeys(rule.call.symbol for rule in fitting))
        if others:
            said.append(f"{listed(others)} would fit too, but {self.rule.call.symbol} comes first.")
        return tuple(said)


def reason_text(rule: Rule, shown: str = "") -> str:
    """Which rule or estimate makes a call, as a sentence, with the rule's words unless they were shown."""
    wants = "" if rule.condition == ANYTHING else Meaning(rule.condition).short()
    is_weighed = isinstance(rule.source, Written) and rule.source.context == SECOND_THOUGHTS
    if isinstance(rule.source, Judged) or is_weighed or wants == shown:
        wants = ""  # a dozen alternatives tell nobody why; what they come to was said as what is shown
    return capitalised(f"{source_words(rule.source, rule.text)}{f': {wants}' if wants else ''}.")


def lesson(told: Explained, found: Reasoned) -> tuple[str, ...]:
    """A call explained in view of the hand: what it tells the others, then why it was made."""
    source = found.rule.source
    says_nothing = told.call == Call.PASS and told.shows == NOTHING_NEW and not told.denies
    if says_nothing and isinstance(source, Judged) and not source.estimate:
        return ("Has nothing to add.",)
    return *told.sentences(), *found.reasons(shown=told.shows)


def reasoned_call(position: Position, hand: Hand, call: Call | None = None) -> Reasoned:
    """Why a hand makes the call of a position; or, for a call given, its first rule, held or not."""
    number = position.choice(hand)
    if call is not None and position.rules[number].call != call:
        number = next((n for n, rule in enumerate(position.rules) if rule.call == call), number)
    rejected = []
    for rule in position.rules[:number]:
        why = shortfall_text(rule.condition, hand)
        if why:
            rejected.append(Rejected(rule, why, Meaning(rule.condition).misfit(hand)))
    chosen = position.rules[number]
    also = [rule for n, rule in position.holding(hand) if n > number and rule.call != chosen.call]
    return Reasoned(chosen, tuple(rejected), tuple(also))


def reasons(position: Position, hand: Hand) -> tuple[str, ...]:
    """Why a hand makes the call of a position, in words."""
    return reasoned_call(position, hand).reasons()


# --- the state and what may follow ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Continuation:
    """A call that the player to call may make: its explanation, how often, and a typical hand."""

    explained: Explained
    share: float  # of the hands that agree with the auction
    standard_error: float
    example: Hand | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """An auction explained: every call, what is known now, and all that may follow."""

    auction: Auction
    calls: tuple[Explained, ...]
    shown: tuple[tuple[Seat, str], ...]  # what each player has shown so far
    state: tuple[str, ...]  # sentences
    continuations: tuple[Continuation, ...]  # none where the auction has ended
    sample: Sample = field(compare=False, repr=False)  # deals that agree with the calls


def explanation(
    book: Reader,
    auction: Auction,
    disclosed: Disclosed = (),
    *,
    deals: int = COUNT,
    seed: int = 1,
    before: Explanation | None = None,
) -> Explanation:
    """An auction explained by a book, with what may follow; `before` was found for its first calls."""
    begun = (before.calls, before.sample) if before is not None else None
    calls, sample = explained_calls(book, auction, disclosed, deals=deals, seed=seed, begun=begun)
    shown = tuple(_shown(auction, calls, seed))
    state: tuple[str, ...] = ()
    following: tuple[Continuation, ...] = ()
    if not auction.is_ended:
        position = book.position(auction, disclosed)
        state = state_sentences(position.state)
        following = continuations(position, auction.turn, sample)
    return Explanation(auction, calls, shown, state, following, sample)


def _shown(auction: Auction, calls: Sequence[Explained], seed: int) -> list[tuple[Seat, str]]:
    """What each player has shown by all calls together, if anything; partner of the player to call first."""
    anybody = Sample.start(seed=seed)
    turn = auction.dealer.plus(len(auction))
    found = []
    for seat in (turn.partner, turn, turn.plus(3), turn.plus(1)):
        said = [one.gist for one in calls if one.seat == seat and one.gist is not None]
        hands = anybody.hands(seat)
        told = gist(all_meanings(said), hands)
        if told.condition != ANYTHING:
            found.append((seat, _in_short(told, hands, _LONG).short()))
    return found


def continuations(position: Position, seat: Seat, sample: Sample) -> tuple[Continuation, ...]:
    """Every call of a position, in the order of its rules."""
    hands = sample.hands(seat)
    numbers = choices(position, hands)
    made = np.array([rule.call for rule in position.rules], dtype=np.int64)[numbers]
    found = []
    for call in position.calls:
        making = hands[made == call]
        share = len(making) / len(hands)
        error = sqrt(share * (1 - share) / len(hands))
        told = explained_call(position, seat, call, hands)
        example = typical_hand(making) if len(making) else _rare_hand(sample, seat, told.meaning)
        found.append(Continuation(told, share, error, example))
    return tuple(found)


def typical_hand(hands: Bits) -> Hand:
    """The hand that is nearest to the middle of some hands, by points and lengths."""
    columns = [HCP.number, *(length(suit).number for suit in SUITS)]
    values: NDArray[np.float64] = feature_table(hands)[:, columns].astype(np.float64)
    values[:, 0] /= 2  # two points weigh as much as a card
    apart = ((values - values.mean(axis=0)) ** 2).sum(axis=1)
    return Hand(int(hands[int(apart.argmin())]))


def _rare_hand(sample: Sample, seat: Seat, meaning: Meaning | None) -> Hand | None:
    """A hand for a call that none of the sample makes; None where there seems to be none."""
    if meaning is None or meaning.is_nothing:
        return None
    try:
        return Dealer(sample.known.plus(seat, meaning)).deal(sample.seed).hand(seat)
    except DealError:
        return None
