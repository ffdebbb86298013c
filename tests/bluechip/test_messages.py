"""Messages written exactly and read forgivingly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bluechip.lines import LONGEST, Lines
from bidlab.bluechip.messages import (
    Called,
    Cards,
    Connecting,
    Dealt,
    EndOfSession,
    Played,
    ProtocolError,
    Ready,
    ReadyForCall,
    ReadyForCard,
    Refused,
    Seated,
    Stage,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
    read_message,
)
from bidlab.bridge.boards import VULNERABILITIES, Vulnerability
from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.cards import CARDS, SEATS, Card, Seat
from bidlab.bridge.hands import Hand

N, E, S, W = SEATS
HAND = Hand.parse("AKJ8.4.JT9532.32")
DUMMY = Hand.parse("3.KQJ8762.K4.KQ4")

EXACT = {
    'Connecting "NAME" as NORTH using protocol version 18': Connecting("NAME", N),
    'Connecting "NAME" as ANYPL using protocol version 18': Connecting("NAME"),
    'NORTH ("NAME") seated': Seated(N, "NAME"),
    "NORTH ready for teams": Ready(N, Stage.TEAMS),
    'Teams : N/S : "A" E/W : "B"': Teams("A", "B"),
    "NORTH ready to start": Ready(N, Stage.START),
    "Start of board": StartOfBoard(),
    "End of session": EndOfSession(),
    "NORTH ready for deal": Ready(N, Stage.DEAL),
    "Board number 8. Dealer WEST. Neither vulnerable.": Dealt(8, W, Vulnerability.NONE),
    "Board number 2. Dealer EAST. N/S vulnerable.": Dealt(2, E, Vulnerability.NS),
    "Board number 3. Dealer SOUTH. E/W vulnerable.": Dealt(3, S, Vulnerability.EW),
    "Board number 4. Dealer WEST. Both vulnerable.": Dealt(4, W, Vulnerability.BOTH),
    "NORTH ready for cards": Ready(N, Stage.CARDS),
    "NORTH's cards : S A K J 8. H 4. D J T 9 5 3 2. C 3 2.": Cards(N, HAND),
    "NORTH's cards : S A K Q J T 9 8 7 6 5 4 3 2. H -. D -. C -.": Cards(N, Hand.parse("AKQJT98765432...")),
    "NORTH bids 1NT": Called(N, Call("1N")),
    "NORTH passes": Called(N, Call.PASS),
    "NORTH doubles": Called(N, Call.DOUBLE),
    "NORTH redoubles": Called(N, Call.REDOUBLE),
    "NORTH bids 4C Alert. text": Called(N, Call("4C"), "text"),
    "NORTH passes Alert.": Called(N, Call.PASS, ""),
    "SOUTH ready for NORTH's bid": ReadyForCall(S, N),
    "SOUTH to lead": ToLead(S),
    "SOUTH plays 7s": Played(S, Card("S7")),
    "SOUTH plays Th": Played(S, Card("HT")),
    "EAST ready for SOUTH's card to trick 1": ReadyForCard(E, S, 1),
    "EAST ready for dummy": Ready(E, Stage.DUMMY),
    "Dummy's cards : S 3. H K Q J 8 7 6 2. D K 4. C K Q 4.": Cards(None, DUMMY),
    "Timing - N/S : this board  1:15,  total  0:11:23.  E/W : this board  1:18,  total  0:10:23.": Timing(
        (75, 683), (78, 623)
    ),
    "NORTH is taken": Refused(N),
    "No seat is free": Refused(),
}

FORGIVEN = {
    "connecting  NAME as north using Protocol Version 18\r\n": Connecting("NAME", N),
    'CONNECTING "a b" AS anypl': Connecting("a b"),
    'Connecting "x as y" as West using protocol version 17.': Connecting("x as y", W, 17),
    "North (NAME) Seated.": Seated(N, "NAME"),
    "NORTH seated": Seated(N),
    'Teams: N/S "A". E/W "B"': Teams("A", "B"),
    "teams : N/S : A E/W : B.": Teams("A", "B"),
    'Teams : N/S : "A E/W" E/W : "B" IMPs, 2 tables': Teams("A E/W", "B"),
    'TEAMS NS "A", EW "B".': Teams("A", "B"),
    "START OF BOARD": StartOfBoard(),
    "End Of Session.": EndOfSession(),
    "\tnorth   READY\tfor Deal": Ready(N, Stage.DEAL),
    "north ready for start": Ready(N, Stage.START),
    "Board number 8.  Dealer West.  neither VULNERABLE": Dealt(8, W, Vulnerability.NONE),
    "board 8, dealer: N, None vul": Dealt(8, N, Vulnerability.NONE),
    "Board number 8. Dealer EAST. NS vulnerable": Dealt(8, E, Vulnerability.NS),
    "Board number 8. Dealer EAST. E-W vulnerable": Dealt(8, E, Vulnerability.EW),
    "Board number 8. Dealer EAST. All vulnerable": Dealt(8, E, Vulnerability.BOTH),
    "NORTH'S CARDS: C 3 2. D J 10 9 5 3 2. H 4. S A K J 8": Cards(N, HAND),
    "norths cards : SAKJ8 H4 DJT9532 C32": Cards(N, HAND),
    "North's cards : s a k j 8. h 4. d j t 9 5 3 2. c 3 2.\r": Cards(N, HAND),
    "Dummy’s cards : H K Q J 8 7 6 2. S 3. C K Q 4. D K 4.": Cards(None, DUMMY),
    "North's cards : S A K Q J T 9 8 7 6 5 4 3 2. H . D .": Cards(N, Hand.parse("AKQJT98765432...")),
    "NORTH PASSES": Called(N, Call.PASS),
    "north Pass.": Called(N, Call.PASS),
    "North bids pass": Called(N, Call.PASS),
    "NORTH bids 1 nt": Called(N, Call("1N")),
    "north bid 7n": Called(N, Call("7N")),
    "NORTH bids 3 No Trumps": Called(N, Call("3N")),
    "NORTH bids 2s.": Called(N, Call("2S")),
    "NORTH DOUBLE": Called(N, Call.DOUBLE),
    "NORTH bids X": Called(N, Call.DOUBLE),
    "north redoubled": Called(N, Call.REDOUBLE),
    "NORTH bids XX": Called(N, Call.REDOUBLE),
    "NORTH doubles ALERT: takeout, 12+.": Called(N, Call.DOUBLE, "takeout, 12+."),
    "NORTH bids 2C. Alert Stayman": Called(N, Call("2C"), "Stayman"),
    "SOUTH ready for NORTHS call": ReadyForCall(S, N),
    "dummy to lead": ToLead(None),
    "SOUTH plays 7S": Played(S, Card("S7")),
    "south PLAYS 10h.": Played(S, Card("HT")),
    "South plays ha": Played(S, Card("HA")),
    "East ready for South's card to trick 13.": ReadyForCard(E, S, 13),
}


@pytest.mark.parametrize("line", EXACT)
def test_each_message_is_written_exactly_and_read_back(line: str) -> None:
    assert EXACT[line].line() == line
    assert read_message(line) == EXACT[line]


@pytest.mark.parametrize("line", FORGIVEN)
def test_variants_of_robots_are_read(line: str) -> None:
    assert read_message(line) == FORGIVEN[line]


@given(st.sampled_from([*SEATS, None]), st.permutations(CARDS), st.booleans(), st.booleans())
def test_hands_come_back(seat: Seat | None, cards: list[Card], is_lower: bool, is_reversed: bool) -> None:
    message = Cards(seat, Hand.of(cards[:13]))
    line = message.line()
    if is_reversed:
        start, _, suits = line.partition(" : ")
        line = f"{start} : {'. '.join(reversed(suits.rstrip('.').split('. ')))}"
    assert read_message(line.lower() if is_lower else line) == message


@given(
    st.sampled_from(SEATS),
    st.sampled_from(CALLS),
    st.none() | st.text(st.characters(codec="ascii", categories=["L", "N", "S"]), max_size=20),
)
def test_calls_come_back(seat: Seat, call: Call, alert: str | None) -> None:
    message = Called(seat, call, alert)
    assert read_message(message.line()) == message


@given(st.sampled_from(SEATS), st.sampled_from(CARDS), st.integers(1, 13), st.sampled_from(SEATS))
def test_cards_come_back(seat: Seat, card: Card, trick: int, other: Seat) -> None:
    for message in (Played(seat, card), ReadyForCard(seat, other, trick), ToLead(seat)):
        assert read_message(message.line().upper()) == message == read_message(message.line())


@given(st.integers(1, 9999), st.sampled_from(SEATS), st.sampled_from(VULNERABILITIES))
def test_boards_come_back(number: int, dealer: Seat, vulnerable: Vulnerability) -> None:
    assert read_message(Dealt(number, dealer, vulnerable).line()) == Dealt(number, dealer, vulnerable)


names = st.text(st.characters(codec="ascii", categories=["L", "N", "P"], exclude_characters='"'), max_size=12)


@given(names, names, st.sampled_from([*SEATS, None]))
def test_names_come_back(one: str, other: str, seat: Seat | None) -> None:
    assert read_message(Teams(one, other).line()) == Teams(one, other)
    assert read_message(Connecting(one, seat).line()) == Connecting(one, seat)
    assert read_message(Seated(seat or N, one).line()) == Seated(seat or N, one)


@given(st.text(max_size=80))
def test_any_line_is_read_or_refused_in_one_line(line: str) -> None:
    try:
        read_message(line)
    except ProtocolError as error:
        assert len(str(error).splitlines()) == 1


@pytest.mark.parametrize(
    "line, part",
    [
        ("NORTH bids 8C", "waited for 'SOUTH passes'"),
        ("", "got ''"),
        ("NORTH's cards : S A K J 8. H 4.", "5 cards: 13 are wanted"),
        ("NORTH's cards : A K", "before any suit"),
        ("NORTH's cards : S A A K J 8. H 4. D J T 9 5 3. C 3 2.", "SA twice"),
        ("NORTH's cards : S A x", "no card 'SX'"),
        ("SOUTH plays 1s", "got 'SOUTH plays 1s'"),
        ("Board number 0. Dealer WEST. Both vulnerable.", "got 'Board number 0"),
    ],
)
def test_a_line_that_cannot_be_read_says_what_came_and_what_was_due(line: str, part: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        read_message(line, "SOUTH passes")
    assert part in str(caught.value) and "SOUTH passes" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_and_alerts_cannot_break_a_line() -> None:
    assert Connecting('a "b"\r\nc', N).line() == "Connecting \"a 'b' c\" as NORTH using protocol version 18"
    assert Called(N, Call("1S"), "five ♠\r\nEAST passes").line() == "NORTH bids 1S Alert. five ? EAST passes"


def test_lines_end_as_they_like_and_come_in_pieces() -> None:
    lines = Lines()
    assert lines.feed(b"one\r\ntwo\nthree\rfo") == ["one", "two", "three"]
    assert lines.feed(b"ur\r\n\r\n") == ["four"]
    with pytest.raises(ProtocolError, match="no message is so long"):
        lines.feed(b"x" * (LONGEST + 1))
