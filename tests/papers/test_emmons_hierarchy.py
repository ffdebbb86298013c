"""Emmons 2009, section 3.2: the structure of the bidding hierarchy, sentence by sentence.

Of figure 1 only the caption has come down to us. So the tree here is one of his kind, with more than one rank
at a node and a node below a node, and each test says which sentence it holds.
"""

from __future__ import annotations

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.meaning.conditions import ANYTHING
from bidlab.systems.hierarchy import ALL_CALLS, Hierarchy
from bidlab.systems.hierarchy_text import read_tree

TREE = read_tree(
    """\
all calls
  1. [opening]: all calls
    1. 12-21: 1C 1D 1H 1S
      1. 5+ spades: 1S
      1. 5+ hearts: 1H
      2. 15-17, balanced: 1N
    2. 6+ spades, 5-10: 2S 3S
    3. any hand: P
"""
)
OPENING = Auction("N")
FIVE_FIVE = Hand.parse("AKJ62.KQT83.K.76")
NOTRUMP = Hand.parse("KQ2.KQ3.KJ83.K62")
THREE_SUITER = Hand.parse("KQ92.KQ43.KJ83.2")
PREEMPT = Hand.parse("KQT962.83.T83.76")


def calls(hand: Hand) -> list[str]:
    return [str(call) for call in TREE.candidates(hand, OPENING)]


def test_the_root_node_contains_no_constraints_and_all_actions() -> None:
    root = Hierarchy().root
    assert (root.condition, root.where, root.actions, root.pointers) == (ANYTHING, None, ALL_CALLS, ())
    assert Hierarchy().candidates(FIVE_FIVE, OPENING) == OPENING.legal_calls()


def test_the_search_goes_down_every_pointer_whose_constraints_the_hand_meets() -> None:
    assert calls(FIVE_FIVE) == ["1H", "1S"]  # the union of the bottom-most nodes


def test_a_lower_priority_is_tried_only_where_no_higher_one_is_met() -> None:
    assert calls(NOTRUMP) == ["1N"]
    five_spades = Hand.parse("KQ952.KQ3.KJ8.K6")  # 16 points and balanced, too
    assert calls(five_spades) == ["1S"]
    assert calls(PREEMPT) == ["2S", "3S"]  # P holds for any hand, and comes later


def test_a_node_below_which_nothing_is_met_is_bottom_most() -> None:
    assert calls(THREE_SUITER) == ["1C", "1D", "1H", "1S"]


def test_backwards_a_bid_gives_every_set_of_constraints_that_could_lead_to_it() -> None:
    meaning = TREE.meaning(Call("1S"), OPENING)
    assert meaning is not None
    for hand, admitted in ((FIVE_FIVE, True), (THREE_SUITER, True), (NOTRUMP, False), (PREEMPT, False)):
        assert meaning.admits(hand) is admitted
    notrump = TREE.meaning(Call("1N"), OPENING)
    assert str(notrump) == "15-17, balanced, no 5-card major"
    assert TREE.meaning(Call("4S"), OPENING) is None  # every hand has a node below the root
    over = Auction("N", "none", "1S P")
    assert str(TREE.meaning(Call("4S"), over)) == "any hand"  # there the root alone speaks
