"""The hierarchy: forwards and backwards are one structure, and it is that of a written system's positions."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.systems.hierarchies import hierarchies, plain_candidates

from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits
from bidlab.meaning.meaning import Meaning
from bidlab.systems.book import Book
from bidlab.systems.checking import check_system
from bidlab.systems.hierarchy import ALL_CALLS, Hierarchy, Node, Pointer
from bidlab.systems.hierarchy_system import system_text
from bidlab.systems.hierarchy_text import read_tree, tree_text
from bidlab.systems.situations import Situation
from bidlab.systems.system import System

HANDS = [Hand(int(word)) for word in deal_bits(100, seed=71).reshape(-1)]
AUCTIONS = [Auction(), Auction(calls="P P"), Auction(calls="1S P"), Auction(calls="1S 2H")]


@cache
def book() -> Book:
    return Book(System.load("natural"))


@st.composite
def auctions_of_natural(draw: st.DrawFn) -> Auction:
    """An auction in which every call is one that natural has there."""
    auction = Auction()
    for _ in range(draw(st.integers(0, 7))):
        longer = auction.after(draw(st.sampled_from(book().position(auction).calls)))
        if longer.is_ended:
            break
        auction = longer
    return auction


def rule(text: str, *calls: str, rank: int = 1) -> Pointer:
    return Pointer(Node(Meaning.parse(text).condition, actions=frozenset(map(Call, calls))), rank)


# Forwards and backwards.


def test_the_empty_hierarchy_has_all_legal_calls_and_none_of_them_tells_anything():
    empty, auction = Hierarchy(), Auction(calls="1S P")
    for hand in HANDS[:5]:
        assert empty.candidates(hand, auction) == auction.legal_calls()
    for call in auction.legal_calls():
        meaning = empty.meaning(call, auction)
        assert meaning is not None
        assert str(meaning) == "any hand"
    assert empty.meaning(Call("1H"), auction) is None  # illegal


@settings(max_examples=150, deadline=None)
@given(hierarchies, st.sampled_from(AUCTIONS))
def test_the_search_is_that_of_the_thesis(hierarchy: Hierarchy, auction: Auction):
    for hand in HANDS[:20]:
        wanted = plain_candidates(hierarchy.root, hand, Situation.of(auction))
        assert set(hierarchy.candidates(hand, auction)) == wanted & set(auction.legal_calls())


@settings(max_examples=150, deadline=None)
@given(hierarchies, st.sampled_from(AUCTIONS), st.booleans())
def test_a_call_means_the_hands_that_have_it_as_a_candidate(
    hierarchy: Hierarchy, auction: Auction, by_rank: bool
):
    hands = HANDS[:60]
    candidates = [set(hierarchy.candidates(hand, auction, by_rank=by_rank)) for hand in hands]
    for call in CALLS[:14]:
        meaning = hierarchy.meaning(call, auction, by_rank=by_rank)
        admitted = [False] * len(hands) if meaning is None else meaning.admits(hands).tolist()
        assert admitted == [call in some for some in candidates], call


@settings(max_examples=60, deadline=None)
@given(auctions_of_natural())
def test_a_position_of_natural_is_a_hierarchy(auction: Auction):
    position = book().position(auction)
    hierarchy = Hierarchy.of(position)
    for hand in HANDS[:40]:
        holding = [one.call for _, one in position.holding(hand)]
        assert hierarchy.candidates(hand, auction) == (holding[0],)
        assert set(hierarchy.candidates(hand, auction, by_rank=False)) == set(holding)
    for call in CALLS:
        ours, theirs = hierarchy.meaning(call, auction), position.meaning(call)
        assert ours is None or theirs is not None
        if theirs is not None:
            admitted = np.zeros(len(HANDS), bool) if ours is None else ours.admits(HANDS)
            assert np.array_equal(admitted, theirs.admits(HANDS)), call


def test_of_equal_ranks_all_are_followed_and_of_lower_ones_none():
    hierarchy = Hierarchy(
        Node(pointers=(rule("5+ spades", "1S"), rule("5+ hearts", "1H"), rule("12+", "1C", rank=2)))
    )
    both, clubs = Hand.parse("AKJ62.KQT83.K.76"), Hand.parse("AK2.KQT.KQ83.762")
    assert hierarchy.candidates(both, Auction()) == (Call("1H"), Call("1S"))
    assert hierarchy.candidates(clubs, Auction()) == (Call("1C"),)
    assert str(hierarchy.meaning(Call("1S"), Auction())).startswith("5+ spades; or ")  # or the root's


def test_a_situation_is_a_constraint():
    opening = Node(where=Situation(), pointers=(rule("5+ spades", "1S"), rule("any hand", "P", rank=2)))
    hierarchy = Hierarchy.ranked([opening])
    assert hierarchy.candidates(HANDS[0], Auction(calls="P")) in ((Call("1S"),), (Call.PASS,))
    over = Auction(calls="1S P")
    assert hierarchy.candidates(HANDS[0], over) == over.legal_calls()
    assert str(hierarchy.meaning(Call.PASS, Auction())) == "0-4 spades"


# Texts.


@settings(max_examples=200, deadline=None)
@given(hierarchies)
def test_a_tree_that_is_written_is_read_back_equal(hierarchy: Hierarchy):
    ordered = read_tree(tree_text(hierarchy))
    assert read_tree(tree_text(ordered)) == ordered
    for hand in HANDS[:10]:
        assert ordered.candidates(hand, Auction()) == hierarchy.candidates(hand, Auction())
    if is_in_order(hierarchy.root):
        assert ordered == hierarchy


def is_in_order(node: Node) -> bool:
    """Whether pointers stand in the order of their ranks, everywhere."""
    ranks = [pointer.rank for pointer in node.pointers]
    return ranks == sorted(ranks) and all(is_in_order(pointer.node) for pointer in node.pointers)


def test_a_tree_is_printed_as_players_write():
    opening = Node(where=Situation(), pointers=(rule("15-17, balanced", "1N"), rule("any hand", "P", rank=2)))
    hierarchy = Hierarchy.ranked([opening, Node(where=Situation.parse("1N (2S)"))])
    assert tree_text(hierarchy) == (
        "all calls\n"
        "  1. [opening]: all calls\n"
        "    1. 15-17, balanced: 1N\n"
        "    2. any hand: P\n"
        "  2. [1N (2S)]: all calls\n"
    )
    assert tree_text(Hierarchy()) == "all calls\n"
    assert read_tree(tree_text(hierarchy)) == hierarchy


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "my.tree: no hierarchy: its root, 'all calls' at the left, is wanted first"),
        ("all calls\n  5+ spades: 1S", "my.tree:2: no node '5+ spades: 1S'"),
        ("all calls\n  1. 5+ spades: 1Z", "my.tree:2: "),
        ("all calls\n  1. 5+ spaces: 1S", "my.tree:2: "),
        ("all calls\n    1. 5+ spades: 1S", "my.tree:2: indented too deep"),
        ("all calls\n   1. 5+ spades: 1S", "my.tree:2: indented by an odd number"),
        ("all calls\nall calls", "my.tree:2: a second root"),
        ("all calls\n  1. [1X]: 1S", "my.tree:2: "),
        ("all calls\n  0. 5+ spades: 1S", "a pointer of rank 0"),
    ],
)
def test_a_tree_that_cannot_be_read_is_told_with_its_line(text: str, said: str):
    with pytest.raises((FormatError, BidlabError)) as found:
        read_tree(text, "my.tree")
    assert said in str(found.value)
    assert "\n" not in str(found.value)


def test_as_a_written_system_it_bids_what_it_says(tmp_path):
    opening = Node(
        where=Situation(),
        pointers=(
            rule("15-17, balanced", "1N"),
            rule("5+ spades, 11-21", "1S", rank=2),
            rule("any hand", "P", rank=3),
        ),
    )
    replies = Node(
        where=Situation.parse("1S"), pointers=(rule("3+ spades, 6+", "2S"), rule("any hand", "P", rank=2))
    )
    hierarchy = Hierarchy.ranked([opening, replies])
    text = system_text(hierarchy, "Learned", "two networks", ["By two players."])
    assert text == (
        'system Learned   "two networks"\n# By two players.\n'
        "\nopening\n  1N   15-17, balanced\n  1S   5+ spades, 11-21\n  P\n"
        "\n1S\n  2S   3+ spades, 6+\n  P\n"
        "\notherwise\n  P\n"
    )
    file = tmp_path / "learned.bids"
    file.write_text(text, encoding="utf-8")
    assert check_system(str(file)).is_clean
    bids = Book(System.load(file))
    for auction in (Auction(), Auction(calls="P"), Auction(calls="1S P")):
        position = bids.position(auction)
        for hand in HANDS:
            call = position.rules[position.choice(hand)].call
            assert hierarchy.candidates(hand, auction) == (call,)


def test_the_empty_one_is_the_shipped_system():
    shipped = System.load("empty")
    written = System.parse(system_text(Hierarchy(), "Empty"))
    assert [str(rule.call) for rule in Book(shipped).position(Auction()).rules] == ["P"]
    assert [str(rule.call) for rule in Book(written).position(Auction()).rules] == ["P"]


def test_a_situation_below_another_one_is_refused():
    inner = Node(where=Situation.parse("1S"), actions=frozenset([Call("2S")]))
    outer = Node(where=Situation(), actions=ALL_CALLS, pointers=(Pointer(inner),))
    with pytest.raises(BidlabError, match="a node after 1S below one after opening"):
        system_text(Hierarchy.ranked([outer]), "Odd")


# Situations.


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_situations_are_read_as_they_are_written(data: st.DataObject):
    auction = Auction()
    for _ in range(data.draw(st.integers(0, 8))):
        calls = auction.legal_calls()
        longer = auction.after(data.draw(st.sampled_from([Call.PASS, Call.PASS, *calls[:6]])))
        if longer.is_ended:
            break
        auction = longer
    situation = Situation.of(auction)
    assert Situation.parse(str(situation)) == situation


@pytest.mark.parametrize("text", ["", "-", "1X", "1S 1H", "(1S", "hello", "1S - - -"])
def test_what_is_no_situation_is_told_on_one_line(text: str):
    with pytest.raises(BidlabError) as found:
        Situation.parse(text)
    assert "\n" not in str(found.value)
