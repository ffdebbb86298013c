"""Reading PBN (Portable Bridge Notation 2.1), as forgivingly as real files need.

What cannot be read is reported with its line and left out: a call or card takes its auction or play with
it, a deal the whole record; the records around it are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from bidlab.bridge.boards import VULNERABILITIES, Board, Vulnerability, dealer_of, vulnerability_of
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import CARDS, SEATS, Card, Seat, Strain
from bidlab.bridge.contracts import Contract
from bidlab.bridge.errors import BidlabError, IllegalCallError, NotationError, quoted
from bidlab.bridge.hands import Deal, Hand
from bidlab.bridge.play import order_of_play, tricks_won
from bidlab.formats.pbn.games import FIELD_TAGS, TOKEN, Game, games, is_table
from bidlab.formats.records import (
    Note,
    Record,
    Reporter,
    Table,
    checked_auction,
    in_order,
    legal_part,
    one_line,
    whole_number,
    within,
)


def read_pbn(blocks: Iterable[str], report: Reporter) -> Iterator[Record]:
    """The records of a PBN file, given as blocks of whole lines."""
    for game in games(blocks, report):
        record = _Builder(game, report).record()
        if record is not None:
            yield record


_VULNERABLE = {
    "None": 0, "NS": 1, "EW": 2, "All": 3, "Both": 3, "Love": 0, "-": 0,
    "none": 0, "all": 3, "both": 3, "ns": 1, "ew": 2,
}  # fmt: skip
_SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_ANNOTATION = re.compile(r"=[^=\s]*=|\$\w+|[!?]{1,2}")
_WORD = re.compile(r"[^=$!?^]+")
_NO_VALUE = frozenset(("", "?", "-"))


def _call_words() -> dict[str, Call]:
    """How PBN files write calls, as they stand, so that the common ones need no change of case."""
    words: dict[str, Call] = {}
    for call in CALLS[3:]:
        level, strain = call.level, str(call.strain)
        for name in (strain, "NT", "SA") if strain == "N" else (strain,):
            words[f"{level}{name}"] = words[f"{level}{name.lower()}"] = call
    for text in ("Pass", "pass", "PASS", "P", "p"):
        words[text] = Call.PASS
    for text in ("X", "x", "Dbl", "dbl", "DBL", "D", "d", "Double"):
        words[text] = Call.DOUBLE
    for text in ("XX", "xx", "Rdbl", "rdbl", "RDBL", "R", "r", "Redouble", "Rdb", "ReDbl"):
        words[text] = Call.REDOUBLE
    return words


def _card_words() -> dict[str, int]:
    """How PBN files write cards, and their numbers; -1 for one that is not given."""
    words = dict.fromkeys(("-", "--", "+"), -1)
    for card in CARDS:
        text = str(card)
        words[text] = words[text.lower()] = words[text[0].lower() + text[1]] = int(card)
        if text[1] == "T":
            words[f"{text[0]}10"] = words[f"{text[0].lower()}10"] = int(card)
    return words


_CALL_WORDS = _call_words()
_CARD_WORDS = _card_words()
_SEAT_WORDS = {str(seat): seat for seat in SEATS}
_ALL_PASS_WORDS = re.compile(r"\ball\s+pass\b", re.IGNORECASE)
_ALL_PASS = frozenset(("AP", "ap", "Ap", "AllPass", "allpass", "ALLPASS"))


@lru_cache(maxsize=256)
def _deal(text: str) -> Deal:
    """The deal of a tag; cached, for a deal often stands once a table."""
    return Deal.parse(text.replace("?", "-"), spots=True).completed()


@lru_cache(maxsize=1024)
def _contract(text: str, declarer: Seat | None) -> Contract:
    contract = Contract.parse(text)
    if declarer is None or contract.is_passed_out:
        return contract
    return Contract(contract.level, contract.strain, contract.doubling, declarer)


def _seat(text: str) -> Seat:
    seat = _SEAT_WORDS.get(text)
    return Seat(text) if seat is None else seat


def _unglued(token: str) -> tuple[str, list[str]]:
    """A call or card and the annotations written right behind it; the token alone if it has none."""
    word = _WORD.match(token)
    place = word.end() if word else 0
    parts = []
    while place < len(token):
        part = _ANNOTATION.match(token, place)
        if part is None or not word:
            return token, []
        parts.append(part[0])
        place = part.end()
    return token[: word.end()] if word else token, parts


class _LeftOutError(Exception):
    """A part of a game that cannot be read: why, and on which line."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line


class _Builder:
    """Makes a record of a game and reports what it has to leave out."""

    def __init__(self, game: Game, report: Reporter) -> None:
        self._game = game
        self._report = report

    def record(self) -> Record | None:
        """The record, or None where there is nothing to record or its deal cannot be read."""
        game = self._game
        if not game.tags:
            return None
        deal_text = game.value("Deal")
        try:
            deal = _deal(deal_text) if deal_text else Deal.unknown()
        except BidlabError as error:
            self._error("Deal", f"deal left out: {error}")
            return None
        number = self._number()
        if not (deal_text or number or game.sections.get("Auction") or game.value("Contract")):
            return None  # a heading or a comment, no board
        vulnerable = self._vulnerable(number)
        dealer = self._dealer(number)
        auction, call_notes = self._auction(dealer, vulnerable)
        contract = self._contract(auction)
        play, card_notes = self._play(deal, contract)
        if not (number or auction or contract) and deal == Deal.unknown():
            return None
        tags, tables = self._other_tags(number)
        return Record(
            board=Board(deal, dealer, vulnerable, number),
            auction=auction,
            contract=contract,
            tricks=self._tricks(contract, play),
            play=play,
            names=(self._name("North"), self._name("East"), self._name("South"), self._name("West")),
            room=game.value("Room").capitalize(),
            call_notes=call_notes,
            card_notes=card_notes,
            tags=tags,
            tables=tables,
            comments=tuple([text for text in game.comments if text]),
        )

    def _error(self, tag: str, text: str) -> None:
        self._report(self._game.line_of(tag), text, True)

    def _name(self, tag: str) -> str:
        name = self._game.value(tag)
        return "" if name == "-" else name

    def _number(self) -> int | None:
        return whole_number(self._game.value("Board")) or None

    def _other_tags(self, number: int | None) -> tuple[tuple[tuple[str, str], ...], tuple[Table, ...]]:
        game = self._game
        tags: list[tuple[str, str]] = []
        tables: list[Table] = []
        for tag in sorted(game.tags.keys() - FIELD_TAGS):
            if is_table(tag):
                tables.append(Table(tag, game.tags[tag], tuple([row.strip() for _, row in game.rows(tag)])))
            elif value := game.value(tag):
                tags.append((tag, value))
        if number is None and game.value("Board"):
            tags.append(("Board", game.value("Board")))
            tags.sort()
        return tuple(tags), tuple(tables)

    def _vulnerable(self, number: int | None) -> Vulnerability:
        text = self._game.tags.get("Vulnerable", "")
        value = _VULNERABLE.get(text)
        if value is not None:
            return VULNERABILITIES[value]
        if self._game.value("Vulnerable"):
            try:
                return Vulnerability(text)
            except NotationError as error:
                self._error("Vulnerable", f"vulnerability left out: {error}")
        assumed = vulnerability_of(number or 1)
        if number is None:
            self._report(self._game.line, f"no vulnerability and no number: {assumed} is assumed", False)
        return assumed

    def _dealer(self, number: int | None) -> Seat:
        for tag in ("Dealer", "Auction"):
            text = self._game.value(tag)
            if text:
                try:
                    seat = _seat(text)
                except NotationError as error:
                    self._error(tag, f"{tag.lower()} left out: {error}")
                else:
                    return seat if tag == "Dealer" else seat.plus(self._leading_dashes())
        assumed = dealer_of(number or 1)
        if number is None:
            self._report(self._game.line, f"no dealer and no number: {assumed.word} is assumed", False)
        return assumed

    # --- auction ---

    def _leading_dashes(self) -> int:
        """How many players before the dealer the auction's section marks with a dash."""
        count = 0
        for _, text in self._game.sections.get("Auction", ()):
            for token in text.split():
                if token != "-":
                    return count
                count += 1
        return count

    def _auction(self, dealer: Seat, vulnerable: Vulnerability) -> tuple[Auction | None, tuple[Note, ...]]:
        game = self._game
        runs = game.sections.get("Auction")
        if not runs:
            return None, ()
        try:
            text = game.value("Auction")
            first = (_seat(text) if text else dealer).plus(self._leading_dashes())
            if first != dealer:
                why = f"it begins with {first.word}, but {dealer.word} deals"
                raise _LeftOutError(why, game.line_of("Auction"))
            try:
                words = " ".join([text for _, text in runs]).split()
                return Auction(dealer, vulnerable, [_CALL_WORDS[word] for word in words]), ()
            except (KeyError, IllegalCallError):  # notes, odd words or something wrong
                return self._annotated_auction(dealer, vulnerable)
        except _LeftOutError as left:
            self._report(left.line, f"auction left out: {left}", True)
        except BidlabError as error:
            self._error("Auction", f"auction left out: {error}")
        return None, ()

    def _annotated_auction(
        self, dealer: Seat, vulnerable: Vulnerability
    ) -> tuple[Auction | None, tuple[Note, ...]]:
        calls: list[Call] = []
        lines: list[int] = []
        notes: list[Note] = []
        for line, text in self._game.rows("Auction"):
            goes_on = self._read_calls(text, line, calls, notes)
            lines += [line] * (len(calls) - len(lines))
            if not goes_on:
                break
        auction = checked_auction(dealer, vulnerable, list(zip(calls, lines, strict=True)), self._report)
        if auction is None or not calls:
            return None, ()
        return auction, within(notes, len(auction))

    def _read_calls(self, text: str, line: int, calls: list[Call], notes: list[Note]) -> bool:
        """Add the calls of one line of the auction section, with their notes; whether it goes on."""
        for token in TOKEN.findall(_ALL_PASS_WORDS.sub("AP", text)):
            call = _CALL_WORDS.get(token)
            if call is not None:
                calls.append(call)
            elif token in _ALL_PASS:
                calls += _closing_passes(calls)
            elif self._is_note(token, "Auction", len(calls) - 1, notes) or token in "*+":
                continue
            elif not token.strip("_"):
                return False  # a call for the reader to fill in: so far the auction is known
            elif token == "-":
                if calls and not legal_part(Seat.NORTH, Vulnerability.NONE, calls)[0].is_ended:
                    raise _LeftOutError(f"{quoted(token)} stands where a call is wanted", line)
            elif token[0] == "^":
                raise _LeftOutError(f"irregularity {token}: only legal auctions are kept", line)
            else:
                self._read_odd_call(token, line, calls, notes)
        return True

    def _read_odd_call(self, token: str, line: int, calls: list[Call], notes: list[Note]) -> None:
        word, annotations = _unglued(token)
        if word in _ALL_PASS:
            calls += _closing_passes(calls)
        else:
            try:
                calls.append(Call(word.strip("().*")))
            except NotationError as error:
                raise _LeftOutError(str(error), line) from None
        for annotation in annotations:
            self._is_note(annotation, "Auction", len(calls) - 1, notes)

    def _is_note(self, token: str, section: str, place: int, notes: list[Note]) -> bool:
        """Whether a token annotates the call or card before it; if so, it is added to the notes."""
        first = token[0]
        if first == "=" and token[-1] == "=":
            for key in token[1:-1].split("=="):  # =1==2= are two
                text = self._game.notes.get((section, key), "")
                notes.append(Note(max(place, 0), text, alert=True))
        elif first == "$":
            if token[1:].isascii() and token[1:].isdigit():
                notes.append(Note(max(place, 0), nags=(int(token[1:6]),)))
        elif token in _SUFFIXES:
            nag = _SUFFIXES[token] + (6 if section == "Play" else 0)
            notes.append(Note(max(place, 0), nags=(nag,)))
        elif first in "{;":
            text = one_line(token[1:].removesuffix("}" if first == "{" else ""))
            if place < 0:
                self._game.comments.append(text)
            elif text:
                notes.append(Note(place, text))
        else:
            return token in ("!!!", "???", "}")
        return True

    # --- contract and result ---

    def _contract(self, auction: Auction | None) -> Contract | None:
        game = self._game
        bid = auction.contract if auction is not None else None
        text = game.value("Contract")
        if text in _NO_VALUE:
            return bid
        try:
            contract = _contract(text, self._declarer())
        except BidlabError as error:
            is_ending = text.upper() in ("S", "H", "D", "C", "NT", "N")
            why = f"only the strain {text} is told" if is_ending else str(error)
            self._report(game.line_of("Contract"), f"contract left out: {why}", not is_ending)
            return bid
        if contract.declarer is None and bid is None:
            contract = self._with_declarer(contract)
        if bid is None or contract == bid:
            return contract
        if contract.declarer is None and not contract.is_passed_out:
            contract = Contract(contract.level, contract.strain, contract.doubling, bid.declarer)
        if contract != bid:
            why = f"contract {contract} does not follow from the auction, which ends in {bid}"
            self._report(game.line_of("Contract"), why, False)
        return contract

    def _with_declarer(self, contract: Contract) -> Contract:
        """The contract with its declarer by who leads, where only that is told."""
        leader = _SEAT_WORDS.get(self._game.value("Play"))
        if leader is None or contract.is_passed_out or not self._game.sections.get("Play"):
            return contract
        return Contract(contract.level, contract.strain, contract.doubling, leader.plus(3))

    def _declarer(self) -> Seat | None:
        text = self._game.value("Declarer")
        if text[:1] == "^":
            why = "that declarer and dummy were swapped (^) is not kept"
            self._report(self._game.line_of("Declarer"), why, False)
            text = text[1:]
        if text in _NO_VALUE:
            return None
        try:
            return _seat(text)
        except NotationError as error:
            self._error("Declarer", f"declarer left out: {error}")
            return None

    def _tricks(self, contract: Contract | None, play: tuple[Card, ...]) -> int | None:
        """Declarer's tricks, from the result's tag or, where all cards were played, from the play."""
        if contract is None or contract.strain is None:
            return None
        declarer = contract.declarer
        text = self._game.value("Result").removeprefix("^").strip().replace("−", "-")
        if text in _NO_VALUE:
            if len(play) == 52 and declarer is not None:
                return tricks_won(play, declarer.next, contract.strain)[declarer & 1]
            return None
        tricks = _result_tricks(text, contract)
        if tricks is None or not 0 <= tricks <= 13:
            self._error("Result", f"no result {quoted(text)}: declarer's tricks, 0 to 13, are wanted")
            return None
        return tricks

    # --- play ---

    def _play(self, deal: Deal, contract: Contract | None) -> tuple[tuple[Card, ...], tuple[Note, ...]]:
        game = self._game
        runs = game.sections.get("Play")
        if not runs:
            return (), ()
        text = game.value("Play")
        notes: list[Note] = []
        try:
            try:
                words = " ".join([text for _, text in runs]).split()
                if words and words[-1] == "*":
                    words.pop()
                columns = [_CARD_WORDS[word] for word in words]
            except KeyError:  # notes, odd words or something wrong
                columns = self._read_cards(notes)
            if not columns or max(columns) < 0:
                return (), ()
            if contract is None or contract.strain is None:
                why = "play left out: it needs a contract to be followed"
                self._report(game.line_of("Play"), why, False)
                return (), ()
            if text in _NO_VALUE:
                return self._play_in_order(columns, notes, deal, contract)
            leader = _seat(text)
            if contract.declarer is not None and leader != contract.declarer.next:
                why = f"{leader.word} leads, but {contract.declarer.word} declares"
                raise _LeftOutError(why, game.line_of("Play"))
        except _LeftOutError as left:
            self._report(left.line, f"play left out: {left}", True)
            return (), ()
        except BidlabError as error:
            self._error("Play", f"play left out: {error}")
            return (), ()
        play, problem = _followed(columns, leader, contract.strain, deal)
        given = len(columns) - columns.count(-1)
        if problem:
            self._error("Play", problem)
        elif len(play) < given:
            why = f"play left out from trick {len(play) // 4 + 1} on: a card is missing there"
            self._report(game.line_of("Play"), why, False)
        if not notes:
            return play, ()
        return play, _moved(notes, columns, leader, contract.strain, len(play))

    def _play_in_order(
        self, cards: list[int], notes: list[Note], deal: Deal, contract: Contract
    ) -> tuple[tuple[Card, ...], tuple[Note, ...]]:
        """The play of a section that names no leader and has the cards in the order played."""
        given = [CARDS[card] for card in cards if card >= 0]
        if contract.declarer is None or contract.strain is None:
            raise _LeftOutError("nobody is said to lead", self._game.line_of("Play"))
        play, problem = in_order(given, contract.declarer.next, contract.strain, deal)
        if problem:
            self._error("Play", problem)
        return play, tuple(note for note in notes if note.place < len(play))

    def _read_cards(self, notes: list[Note]) -> list[int]:
        """The cards of a section with notes or odd words in it, -1 where none is given."""
        cards: list[int] = []
        for line, text in self._game.rows("Play"):
            for token in TOKEN.findall(text):
                if token in _CARD_WORDS:
                    cards.append(_CARD_WORDS[token])
                elif token == "*" or token[0] == "^":
                    continue
                elif not self._is_note(token, "Play", len(cards) - 1, notes):
                    word, annotations = _unglued(token)
                    cards.append(_odd_card(word, line))
                    for annotation in annotations:
                        self._is_note(annotation, "Play", len(cards) - 1, notes)
        return cards


def _odd_card(word: str, line: int) -> int:
    """The card of a word that may have its rank first."""
    word = word.upper()
    for text in (word, word[-1:] + word[:-1]):
        if text in _CARD_WORDS:
            return _CARD_WORDS[text]
    raise _LeftOutError(f"no card {quoted(word)}: one such as SA or HT is wanted", line)


def _closing_passes(calls: list[Call]) -> list[Call]:
    """The passes that AP stands for."""
    auction, surplus = legal_part(Seat.NORTH, Vulnerability.NONE, calls)
    if surplus:
        return []  # the illegal call is reported with the rest
    count = 0
    while not auction.is_ended:
        auction = auction.after(Call.PASS)
        count += 1
    return [Call.PASS] * count


def _followed(columns: list[int], leader: Seat, strain: Strain, deal: Deal) -> tuple[tuple[Card, ...], str]:
    """The cards in columns, the leader's first, in the order of play; and what is wrong, if anything.

    They end at the first card that is missing or that its player does not hold.
    """
    whole = (columns.index(-1) if -1 in columns else len(columns)) // 4 * 4
    cards = columns[:whole]
    play, turn = order_of_play(cards, strain)
    by_column = [cards[0::4], cards[1::4], cards[2::4], cards[3::4]]
    last = columns[whole : whole + 4] + [-1] * 4
    for column in (turn, turn + 1 & 3, turn + 2 & 3, turn + 3 & 3):
        card = last[column]
        if card < 0:
            break
        play.append(card)
        by_column[column].append(card)
    played = tuple([CARDS[card] for card in play])
    hands = deal.hands[leader:] + deal.hands[:leader]
    if all(map(_are_held, by_column, hands)):
        return played, ""
    return in_order(played, leader, strain, deal)


_BITS = tuple(1 << card for card in range(52))


def _are_held(cards: list[int], hand: Hand | None) -> bool:
    """Whether a hand of which every card is named holds these cards and none of them comes twice."""
    if hand is None:
        return False
    bits = sum([_BITS[card] for card in cards])  # a card that comes twice carries into another bit
    return not bits & ~hand.bits and bits.bit_count() == len(cards)


def _moved(
    notes: list[Note], columns: list[int], leader: Seat, strain: Strain, played: int
) -> tuple[Note, ...]:
    """Notes on cards in columns, moved to the places of these cards in the order of play."""
    play, _ = _followed(columns, leader, strain, Deal.unknown())
    place_of = {int(card): place for place, card in enumerate(play[:played])}
    kept = [
        Note(place_of[columns[note.place]], note.text, note.alert, note.nags)
        for note in notes
        if columns[note.place] in place_of
    ]
    return tuple(sorted(kept, key=lambda note: note.place))


_SIDED_RESULT = re.compile(r"(NS|EW)\s*(\d+)", re.IGNORECASE)


def _result_tricks(text: str, contract: Contract) -> int | None:
    """Declarer's tricks of a result: "9", "+1", "=", "NS 9", "EW 4 NS 9"; None if it is none of these."""
    if text.isascii() and text.isdigit():
        return whole_number(text)
    if text == "=":
        return contract.tricks_needed
    if text[0] in "+-" and (over := whole_number(text[1:])) is not None:
        return contract.tricks_needed + (over if text[0] == "+" else -over)
    sides = {side.upper(): int(count[:4]) for side, count in _SIDED_RESULT.findall(text)}
    if not sides or contract.declarer is None:
        return None
    ours, theirs = ("NS", "EW") if contract.declarer.is_north_south else ("EW", "NS")
    return sides[ours] if ours in sides else 13 - sides[theirs]
