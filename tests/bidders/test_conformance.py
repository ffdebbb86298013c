"""What every bidder must do, whatever it is: not peek, call legally, and not care what else it is asked."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.bidders.positions import boards_and_auctions, reshuffled, views
from tests.bidders.test_robots import BOT

from bidlab.bidders import bidder, kinds
from bidlab.bridge.calls import CALLS
from bidlab.table import Bidder, SeatView, ViewBatch

# Each kind has to be here, or its bidders go unexamined.
BIDDERS = (
    "pass",
    "random,seed=5",
    "expert:natural",
    "network:experts",
    "thinker:natural,samples=8,pool=200",
    f"exec:python '{BOT}'",
    f"evolved:{Path(__file__).parent / 'files' / 'evolved.json'}",
    f"boosted:{Path(__file__).parent / 'files' / 'boosted'},choice=nash,seed=3",
)


@pytest.fixture(scope="module", params=BIDDERS, ids=lambda text: text.partition(":")[0])
def examined(request: pytest.FixtureRequest) -> Iterator[Bidder]:
    made = bidder(request.param)
    yield made
    made.close()


def test_every_kind_is_examined() -> None:
    assert {kind.name for kind in kinds()} == {text.split(":")[0].split(",")[0] for text in BIDDERS}


def test_call_and_meaning_unchanged_when_hidden_hands_are_reshuffled(examined: Bidder) -> None:
    rng = random.Random(1)
    for board, auction in boards_and_auctions(100, seed=11):
        other = reshuffled(board, auction, rng)
        assert other != board
        decision = examined.decide(SeatView.of(board, auction))
        again = examined.decide(SeatView.of(other, auction))
        assert (decision.call, decision.meaning) == (again.call, again.meaning)


def test_calls_are_legal(examined: Bidder) -> None:
    for view in views(200, seed=12):
        assert view.auction.is_legal(examined.decide(view).call)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 5, 8])
def test_answers_are_the_same_in_any_order_and_batch(examined: Bidder, length: int) -> None:
    some = views(40, seed=length, length=length)
    alone = [(decision.call, decision.meaning) for decision in map(examined.decide, some)]
    places = list(range(len(some)))
    random.Random(2).shuffle(places)
    for batch in (places, places[:7], places[7:], places[:1]):
        decisions = examined.decide_many(ViewBatch.of([some[place] for place in batch]))
        meanings = decisions.meanings or [None] * len(batch)
        answers = [(CALLS[call], meaning) for call, meaning in zip(decisions.calls, meanings, strict=True)]
        assert answers == [alone[place] for place in batch]


def test_the_name_makes_the_same_bidder_again(examined: Bidder) -> None:
    twin = bidder(examined.name)
    assert twin.name == examined.name
    for view in views(30, seed=13):
        assert twin.decide(view).call == examined.decide(view).call
    twin.close()
