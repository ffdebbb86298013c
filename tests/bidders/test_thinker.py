"""Thinkers: the same call for the same seed, within the budget, told with what speaks for and against it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.bidders.thinking.test_by_rules import seen_in

from bidlab.bidders.registry import bidder
from bidlab.bidders.thinker import Thinker
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import BidlabError
from bidlab.matches.by_name import maker
from bidlab.matches.match import play_match
from bidlab.matches.sources import SeededBoards
from bidlab.table import SeatView, ViewBatch

VIEWS = seen_in("natural", 12, seed=9, every=2)
QUICK = "samples=24,tricks=guessed"


def thinker(text: str) -> Thinker:
    """A thinker by name."""
    made = bidder(text)
    assert isinstance(made, Thinker)
    return made


@pytest.mark.parametrize("text", [f"thinker:natural,{QUICK}", f"thinker:network:small,{QUICK},pool=500"])
def test_same_seed_same_thoughts(text: str) -> None:
    one, twin = thinker(f"{text},seed=3"), thinker(f"{text},seed=3")
    for view in VIEWS[:20]:
        first, again = one.consider(view), twin.consider(view)
        assert (first.call, first.deals, first.valued) == (again.call, again.deals, again.valued)


def test_other_seed_other_deals() -> None:
    view = next(view for view in VIEWS if thinker(f"thinker:natural,{QUICK}").consider(view).is_simulated)
    found = [thinker(f"thinker:natural,{QUICK},seed={seed}").consider(view).imagined for seed in (1, 2)]
    assert found[0] is not None
    assert found[1] is not None
    assert not np.array_equal(found[0].bits, found[1].bits)


def test_result_of_a_match_is_the_same_for_any_number_of_workers() -> None:
    results = [
        play_match(
            maker(f"thinker:natural,{QUICK}"),
            maker("natural"),
            SeededBoards(5),
            60,
            workers=workers,
        )
        for workers in (1, 2)
    ]
    assert np.array_equal(results[0].swings, results[1].swings)
    assert np.array_equal(results[0].parts[0].calls, results[1].parts[0].calls)


def test_decision_shows_what_every_call_was_worth_and_a_deal_on_either_side() -> None:
    view = SeatView("AQ7.KJ84.K5.Q932", Auction("N", "none", "1N P 2C P 2H P"))
    decision = thinker("thinker:natural,samples=32,tricks=solved").decide(view)
    assert len(decision.candidates) > 1
    assert decision.candidates[0].call == decision.call
    assert all("IMPs against the others, best on" in one.note for one in decision.candidates)
    assert any(reason.startswith(("for it speaks N:", "against it speaks N:")) for reason in decision.reasons)


def test_hand_with_one_call_is_not_thought_about() -> None:
    seven = SeatView("AQ7.KJ84.K5.Q932", Auction("N", "none", "7N X XX P"))
    thought = thinker(f"thinker:natural,{QUICK}").consider(seven)
    assert (thought.call, thought.is_simulated) == (Call.PASS, False)


# Partner opened 1S, and there are two spades that are not mine.
CONTRADICTORY = SeatView("AKQJT987654.2.3.", Auction("N", "none", "1S P"))


@pytest.mark.parametrize("sampling", ["hard", "soft"])
def test_contradictory_auction_still_gets_a_call_and_the_decision_says_so(sampling: str) -> None:
    decision = thinker(f"thinker:natural,{QUICK},pool=500,sampling={sampling}").decide(CONTRADICTORY)
    assert decision.call in CONTRADICTORY.legal_calls
    assert any(reason.startswith("nothing fits well") for reason in decision.reasons)


def test_contradictory_auction_stays_within_its_budget_of_positions() -> None:
    one = thinker("thinker:natural,samples=50,tricks=solved,nodes=200000,pool=500")
    before = one.bench.nodes
    thought = one.consider(CONTRADICTORY)
    assert thought.call in CONTRADICTORY.legal_calls
    assert one.bench.nodes - before <= 200_000


def test_budget_of_positions_holds_for_every_decision_and_can_be_repeated() -> None:
    text = "thinker:natural,samples=60,tricks=solved,nodes=300000"
    one, twin = thinker(text), thinker(text)
    for view in VIEWS[:12]:
        before = one.bench.nodes
        thought = one.consider(view)
        assert one.bench.nodes - before <= 300_000
        assert twin.consider(view).call == thought.call


def test_seconds_end_a_thought_early() -> None:
    one = thinker("thinker:natural,samples=100000,tricks=guessed,seconds=0.05,pool=100000")
    thoughts = [one.consider(view) for view in VIEWS[:12]]
    assert any(thought.is_simulated for thought in thoughts)
    assert all(thought.deals < 100_000 for thought in thoughts)


def test_thinker_overrules_only_where_the_gain_exceeds_the_margin() -> None:
    eager = thinker(f"thinker:natural,{QUICK},margin=0.3,noise=0")
    stubborn = thinker(f"thinker:natural,{QUICK},margin=24")
    overruled = 0
    for view in VIEWS:
        thought = eager.consider(view)
        overruled += thought.is_overruled
        assert thought.gain > 0.3 if thought.is_overruled else thought.gain == 0
        assert not stubborn.consider(view).is_overruled
    assert overruled


@pytest.mark.parametrize("ahead", ["open", "resampled"])
def test_other_ways_to_look_ahead_are_deterministic_and_legal(ahead: str) -> None:
    text = f"thinker:natural,samples=10,tricks=guessed,ahead={ahead}"
    one, twin = thinker(text), thinker(text)
    for view in VIEWS[:6]:
        thought = one.consider(view)
        assert thought.call in view.legal_calls
        assert twin.consider(view).valued == thought.valued


def test_empty_hierarchy_weighs_every_sensible_call() -> None:
    view = SeatView("AKQJ9876.A.AK2.A", Auction("N", "none", ""))
    thought = thinker(f"thinker:empty,{QUICK}").consider(view)
    spades = {f"{level}S" for level in (1, 2, 3, 4, 6)}
    assert {str(one.call) for one in thought.valued} == {"P", "1N", "2N", "3N", "6N", *spades}
    assert str(thought.call)[-1] == "S"


def test_batch_tells_what_was_simulated() -> None:
    one = thinker(f"thinker:natural,{QUICK}")
    same = [view for view in VIEWS if len(view.auction) == 3]
    decided = one.decide_many(ViewBatch.of(same))
    assert decided.simulated is not None
    assert decided.simulated.tolist() == [one.consider(view).is_simulated for view in same]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("thinker", "lacks a system or a network"),
        ("thinker:bws,samples=0", "a whole number from 1"),
        ("thinker:bws,margin=-1", "a number from 0 to 24"),
        ("thinker:bws,doubled=1.5", "a number from 0 to 1"),
        ("thinker:bws,ahead=all", "rules or open or resampled"),
        ("thinker:bws,sampling=medium", "hard or soft"),
        ("thinker:bws,tricks=many", "guessed or solved"),
        ("thinker:bsw", "no system 'bsw'"),
        ("thinker:network:expert", "no network 'expert'"),
        ("thinker:bws,sample=5", "sample"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(BidlabError) as caught:
        bidder(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
