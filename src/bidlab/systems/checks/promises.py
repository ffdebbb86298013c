"""What calls promise and whether the text keeps it, place by place: holes, passes of forcing calls, suits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Strain, Suit
from bidlab.bridge.hands import Hand
from bidlab.meaning.cells import Cells, cell_sets
from bidlab.meaning.conditions import ANYTHING, Condition, Range
from bidlab.meaning.features import length
from bidlab.systems.checks.examples import example_hand
from bidlab.systems.checks.findings import Finding, Kind
from bidlab.systems.rules import Forcing, Rule
from bidlab.systems.state import State
from bidlab.systems.syntax import Place
from bidlab.systems.walking import Tried, Visit, Walk, is_written

_FEW = 2  # cards of a suit that nobody bids naturally
_SHOWN = 4  # cards that partner has shown of a suit, so that any hand may name it
_PREFERENCE = 6  # cards of both hands together that make a suit worth naming
_FIT = 7  # cards of both hands together with which a suit can be agreed
_MOST_TRIES = 3  # places where hands are drawn for one line and one kind of finding


class Promises:
    """Looks at every place for promises that are not kept."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.found: dict[tuple[Place, Kind, str], Finding] = {}
        self._tries: Counter[tuple[Place, Kind, str]] = Counter()
        self._probed: Counter[Place] = Counter()

    def add(self, visit: Visit) -> None:
        """Look at one place."""
        self._opening(visit)
        self._answers(visit)
        for number, tried in enumerate(visit.tried):
            if tried.is_legal and tried.left.any():
                self._passed(visit, number)
                self._strain(visit, number)
                self._suits_of_effects(visit, number)
                self._disturbed(visit, tried)

    def _is_due(self, place: Place, kind: Kind, about: str = "") -> bool:
        """Whether it is worth drawing hands once more for a line; counts that it is done."""
        key = (place, kind, about)
        if key in self.found or self._tries[key] >= _MOST_TRIES:
            return False
        self._tries[key] += 1
        return True

    def _note(self, finding: Finding, about: str = "") -> None:
        self.found.setdefault((finding.place, finding.kind, about), finding)

    # Holes.

    def _opening(self, visit: Visit) -> None:
        if visit.auction.last_bid is not None or not visit.written:
            return
        place = _header_place(visit)
        if visit.uncovered.any() and self._is_due(place, Kind.HOLE):
            hand = _hand_of_hole(visit)
            if hand is not None:
                what = f"no opening for some hands {_after(visit.auction)}".rstrip()
                mend = "end the list with 'P', or widen a rule"
                self._note(Finding(place, Kind.HOLE, what, mend, str(visit.auction), hand))

    def _answers(self, visit: Visit) -> None:
        """The answers to an artificial call that forces must take every hand."""
        asking = self._asking_rules(visit)
        if not asking or not visit.uncovered.any():
            return
        place = visit.line_of(asking[0]).line.place
        if not self._is_due(place, Kind.HOLE):
            return
        call, auction = visit.auction.calls[-2], str(visit.auction)
        if not visit.written:
            what = f"no answers to {call} are written, which is artificial and forcing"
            self._note(Finding(place, Kind.HOLE, what, "write partner's answers beneath it", auction))
            return
        hand = _hand_of_hole(visit)
        if hand is not None:
            what = f"partner has no answer to {call} with some hands"
            mend = "end its answers with one for any hand, or widen one"
            self._note(Finding(place, Kind.HOLE, what, mend, auction, hand))

    def _asking_rules(self, visit: Visit) -> list[Rule]:
        """The rules that made partner's last call, if by all of them it is artificial and forcing."""
        auction = visit.auction
        if not visit.state.is_forced or not visit.is_quiet or len(auction) < 2:
            return []
        before = Auction(auction.dealer, auction.vulnerable, auction.calls[:-2])
        position = self.walk.book.position(before)
        rules = [rule for rule in position.rules_of(auction.calls[-2]) if is_written(rule)]
        return rules if all(_asks(rule, position.state) for rule in rules) else []

    # Calls that must not be passed.

    def _passed(self, visit: Visit, number: int) -> None:
        tried = visit.tried[number]
        rule, place = tried.rule, tried.line.line.place
        is_penalty = "penalty" in rule.effects.words
        if rule.call != Call.PASS or not visit.state.is_forced or not visit.is_quiet or is_penalty:
            return
        if self._is_due(place, Kind.PASSED):
            hand = _hand_for(visit, number)
            if hand is not None:
                why = "game is forced" if visit.state.is_game_forced else "partner's call is forcing"
                what = f"passes {visit.auction.calls[-2]}, but {why}"
                mend = "bid instead, or take the force from partner's call"
                self._note(Finding(place, Kind.PASSED, what, mend, str(visit.auction), hand))

    # Suits.

    def _strain(self, visit: Visit, number: int) -> None:
        """A suit that is bid naturally must be held, or be partner's."""
        tried = visit.tried[number]
        rule, place = tried.rule, tried.line.line.place
        if not rule.call.is_bid or rule.call.strain == Strain.NOTRUMP or rule.effects.artificial:
            return
        if tried.line.forecast is not None:  # it counts what partner has on the average
            return
        suit = Suit(int(rule.call.strain))
        partners = visit.state.partner.least[suit]
        most = -1 if partners >= _SHOWN else min(_FEW, _PREFERENCE - 1 - partners)
        hand = self._short_hand(visit, number, suit, most, Kind.STRAIN)
        if hand is not None:
            what = f"{rule.call} may be bid with {_cards(hand, suit)}"
            mend = f"ask for {suit.word} in the condition, or say 'artificial'"
            self._note(Finding(place, Kind.STRAIN, what, mend, str(visit.auction), hand))

    def _suits_of_effects(self, visit: Visit, number: int) -> None:
        """A suit that is agreed or transferred to must be held."""
        tried = visit.tried[number]
        effects, place, auction = tried.rule.effects, tried.line.line.place, str(visit.auction)
        agreed, target = effects.agrees, effects.transfers
        if agreed is not None and visit.state.agreed != agreed:
            most = min(_FEW, _FIT - 1 - visit.state.partner.least[agreed])
            hand = self._short_hand(visit, number, agreed, most, Kind.CONTRADICTION, "agrees")
            if hand is not None:
                what = f"agrees {agreed.word}, but may hold {_cards(hand, agreed)}"
                mend = f"ask for {agreed.word} in the condition, or agree another suit"
                self._note(Finding(place, Kind.CONTRADICTION, what, mend, auction, hand), "agrees")
        if target is None:
            return
        if tried.rule.call.is_bid and int(tried.rule.call.strain) == int(target):
            what = f"{tried.rule.call} transfers to its own suit"
            mend = f"bid another suit, or leave '{_word(tried, 'transfers')}' out"
            self._note(Finding(place, Kind.CONTRADICTION, what, mend, auction), "transfers")
            return
        hand = self._short_hand(visit, number, target, 3, Kind.CONTRADICTION, "transfers")
        if hand is not None:
            what = f"transfers to {target.word}, of which it may hold {_cards(hand, target)}"
            mend = f"ask for {target.word} in the condition, or transfer to another suit"
            self._note(Finding(place, Kind.CONTRADICTION, what, mend, auction, hand), "transfers")

    def _short_hand(
        self, visit: Visit, number: int, suit: Suit, most: int, kind: Kind, about: str = ""
    ) -> Hand | None:
        """A hand that makes a call with so few cards of a suit."""
        if most < 0:
            return None
        few = Range(length(suit), 0, most)
        cells = visit.tried[number].left & cell_sets(few).possible
        place = visit.tried[number].line.line.place
        if not cells.any() or not self._is_due(place, kind, about):
            return None
        return _hand_for(visit, number, cells)

    # Doubles.

    def _disturbed(self, visit: Visit, tried: Tried) -> None:
        """For a double of an artificial call that forces, something must be written."""
        place = tried.line.line.place
        is_asking = tried.rule.call.is_bid and _asks(tried.rule, visit.state)
        is_late = _is_disturbed(tried.line.source.context)  # nobody writes for a second interference
        if not is_asking or is_late or self._probed[place] >= _MOST_TRIES:
            return
        self._probed[place] += 1
        doubled = visit.auction.after(tried.rule.call).after(Call.DOUBLE)
        if not self.walk.visit(doubled).written:
            what = f"nothing is written for a double of {tried.rule.call}, which is artificial and forcing"
            self._note(
                Finding(place, Kind.DISTURBED, what, "write '(X)' and our calls beneath it", str(doubled))
            )

    def findings(self) -> Iterator[Finding]:
        """All that was found."""
        yield from self.found.values()


def _asks(rule: Rule, state: State) -> bool:
    """Whether partner needs written answers: he must call, and the call does not show where to play.

    With a suit agreed judgement finds the level by itself, unless it is asked something.
    """
    effects = rule.effects
    if not effects.artificial or effects.forcing == Forcing.NO:
        return False
    is_question = effects.asks is not None or effects.transfers is not None
    return is_question or (effects.agrees is None and state.agreed is None)


def _is_disturbed(context: str) -> bool:
    """Whether what a rule stands under ends in an opponent's call over one of ours."""
    return context.endswith(")") and any(letter.isalnum() for letter in re.sub(r"\([^)]*\)", "", context))


def _hand_of_hole(visit: Visit) -> Hand | None:
    return example_hand(visit, visit.uncovered, ANYTHING, _conditions(visit.tried))


def _hand_for(visit: Visit, number: int, cells: Cells | None = None) -> Hand | None:
    """A hand that makes the call of a rule."""
    tried = visit.tried[number]
    wanted = tried.left if cells is None else cells
    return example_hand(visit, wanted, tried.rule.condition, _conditions(visit.tried[:number]))


def _conditions(tried: tuple[Tried, ...]) -> list[Condition]:
    return [one.rule.condition for one in tried if one.is_legal]


def _header_place(visit: Visit) -> Place:
    """Where the first rule of the openings stands."""
    return visit.line_of(visit.written[0]).line.place


def _after(auction: Auction) -> str:
    return f"in seat {len(auction) + 1}" if auction.calls else ""


def _cards(hand: Hand, suit: Suit) -> str:
    number = hand.bits >> 13 * suit & 0x1FFF
    count = number.bit_count()
    return f"no {suit.word}" if not count else f"{count} {suit.word[:-1] if count == 1 else suit.word}"


def _word(tried: Tried, kind: str) -> str:
    return next(word.text for word in tried.line.line.effects if word.kind == kind)
