"""Records at random, as hypothesis strategies."""

import random as random_module

from bench.formats import random_play
from hypothesis import strategies as st

from bidlab.bridge.boards import Board, Vulnerability
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import CARDS, SEATS, Card, Seat, Strain
from bidlab.bridge.contracts import DOUBLINGS, Contract
from bidlab.bridge.hands import Deal, Hand
from bidlab.bridge.play import tricks_won
from bidlab.formats.records import Note, Record, Table, one_line

_LETTERS = st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc", "Cn", "Co"])
_RESERVED = {"", "?", "-", "!", "North", "East", "South", "West"}
texts = (
    st.text(_LETTERS, min_size=1, max_size=24)
    .map(one_line)
    .filter(lambda text: text not in _RESERVED and "%" not in text)
)
tag_names = st.from_regex(r"[A-Z][a-z]{1,3}[0-9]", fullmatch=True)


@st.composite
def deals(draw: st.DrawFn, partial: bool = True) -> Deal:
    """Whole deals, and some with unknown hands or with fewer cards."""
    cards = list(CARDS)
    random_module.Random(draw(st.integers(0, 1 << 32))).shuffle(cards)
    hands: list[Hand | None] = [Hand.of(cards[13 * i : 13 * i + 13]) for i in range(4)]
    kind = draw(st.sampled_from(("whole", "whole", "hidden", "ending", "unknown"))) if partial else "whole"
    if kind == "hidden":
        for seat in draw(st.lists(st.sampled_from(SEATS), min_size=2, max_size=3, unique=True)):
            hands[seat] = None
    elif kind == "ending":
        size = draw(st.integers(1, 12))
        hands = [Hand.of(cards[13 * i : 13 * i + size]) for i in range(4)]
    elif kind == "unknown":
        hands = [None] * 4
    return Deal.of(hands)


@st.composite
def auctions(draw: st.DrawFn, dealer: Seat, vulnerable: Vulnerability) -> Auction:
    """Auctions by a random walk, most of them ended."""
    random = random_module.Random(draw(st.integers(0, 1 << 32)))
    auction = Auction(dealer, vulnerable)
    length = draw(st.integers(1, 40))
    while not auction.is_ended and len(auction) < length:
        legal = auction.legal_calls()
        low = [call for call in legal if not call.is_bid or call < legal[0] + 12]
        auction = auction.after(random.choice(low))
    while not auction.is_ended and draw(st.booleans()):
        auction = auction.after("P")
    return auction


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    """Contracts with a declarer, and now and then a deal passed out."""
    if draw(st.integers(0, 9)) == 0:
        return Contract.passed_out()
    level, strain = draw(st.integers(1, 7)), draw(st.sampled_from(list(Strain)))
    return Contract(level, strain, draw(st.sampled_from(DOUBLINGS)), draw(st.sampled_from(SEATS)))


@st.composite
def notes(draw: st.DrawFn, count: int, nags: bool) -> tuple[Note, ...]:
    """Notes on some of so many calls or cards, at most one each."""
    places = draw(st.lists(st.integers(0, count - 1), max_size=3, unique=True)) if count else []
    made = []
    for place in sorted(places):
        alert = draw(st.booleans())
        text = draw(texts) if not alert or draw(st.booleans()) else ""
        made.append(Note(place, text.replace("}", ")"), alert))
        if nags and draw(st.booleans()):
            made[-1] = Note(place, nags=(draw(st.integers(1, 255)),))
    return tuple(made)


@st.composite
def records(draw: st.DrawFn, everything: bool = True) -> Record:
    """Records of all kinds; unless `everything`, only what LIN can hold."""
    deal = draw(deals())
    dealer, vulnerable = draw(st.sampled_from(SEATS)), draw(st.sampled_from(list(Vulnerability)))
    room = draw(st.sampled_from(("", "Open", "Closed")))
    number = draw(st.none() | st.integers(1, 1000))
    auction = draw(st.none() | auctions(dealer, vulnerable))
    contract = auction.contract if auction is not None else None
    if auction is None or draw(st.integers(0, 9)) == 0:
        contract = draw(contracts())
    play: tuple[Card, ...] = ()
    tricks = None
    if contract is not None and contract.strain is not None and contract.declarer is not None:
        tricks = draw(st.none() | st.integers(0, 13))
        if deal.is_complete:
            random = random_module.Random(draw(st.integers(0, 1 << 32)))
            play = random_play(deal, contract, random, draw(st.sampled_from((0, 1, 7, 12, 30, 52))))
        if len(play) == 52:
            tricks = tricks_won(play, contract.declarer.next, contract.strain)[contract.declarer & 1]
    tags = {tag: draw(texts) for tag in ("Event", "HomeTeam", "Stage", "VisitTeam") if draw(st.booleans())}
    if draw(st.booleans()):
        tags["Scoring"] = draw(st.sampled_from(("IMP", "MP", "BAM")))
    record = Record(
        Board(deal, dealer, vulnerable, number),
        auction=auction,
        contract=contract,
        tricks=tricks,
        play=play,
        names=(draw(st.just("") | texts), draw(texts), draw(texts), draw(st.just("") | texts)),
        room=room,
        call_notes=draw(notes(len(auction) if auction is not None else 0, everything)),
        tags=tuple(sorted(tags.items())),
    )
    return draw(_embellished(record)) if everything else record


@st.composite
def _embellished(draw: st.DrawFn, record: Record) -> Record:
    """The record with what only PBN and JSON hold."""
    tags = dict(record.tags) | draw(st.dictionaries(tag_names, texts, max_size=3))
    rows = st.lists(st.from_regex(r"[NESW] (NT|[SHDC]) 1?[0-9]", fullmatch=True), max_size=3)
    tables = [
        Table(tag, r"Declarer;Denomination\2R;Result\2R", tuple(draw(rows)))
        for tag in draw(st.lists(st.sampled_from(("ScoreTable", "OptimumResultTable")), unique=True))
    ]
    comment = texts.filter(lambda text: "}" not in text)
    return Record(
        record.board,
        record.auction,
        record.contract,
        record.tricks,
        record.play,
        record.names,
        record.room,
        record.call_notes,
        draw(notes(len(record.play), nags=True)),
        tuple(sorted(tags.items())),
        tuple(sorted(tables, key=lambda table: table.tag)),
        tuple(draw(st.lists(comment, max_size=2))),
    )
