"""The bidder that asks a network: its calls, their chances and reasons, its values and meanings."""

import multiprocessing
import os
from pathlib import Path

import numpy as np
import pytest
from tests.bidders.networks import (
    arrays,
    float_twin,
    random_weights,
    views_of,
    written,
)
from tests.bidders.positions import views

from bidlab import match
from bidlab._native import observations
from bidlab.bidders import bidder
from bidlab.bidders.meaningbook import BOOK_SUFFIX, Entry, MeaningBook
from bidlab.bidders.network import Evaluator, NetworkBidder, shared_evaluator
from bidlab.bidders.network_file import Shape, Weights, network_path, read_weights, write_weights
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import FormatError
from bidlab.meaning.meaning import Meaning
from bidlab.table import SeatView, ViewBatch


@pytest.fixture
def small(tmp_path: Path) -> NetworkBidder:
    made = bidder(f"network:{written(tmp_path)}")
    assert isinstance(made, NetworkBidder)
    return made


def partial(weights: Weights, chosen: dict[int, float]) -> Weights:
    """A network that looks at nothing and gives some calls these logits, all others 0."""
    bias = np.zeros(38)
    for call, logit in chosen.items():
        bias[call] = logit
    zero = [(np.zeros_like(matrix), np.zeros_like(b)) for matrix, b in weights.layers]
    policy = (np.zeros_like(weights.policy[0]), bias)
    value = (np.zeros_like(weights.value[0]), np.array([-0.5]))
    return Weights(weights.shape, tuple(zero), policy, value, None, weights.about)


def blind(folder: Path, chosen: dict[int, float]) -> NetworkBidder:
    """A bidder by such a network."""
    write_weights(partial(random_weights(Shape(8, 2), 1), chosen), folder / "blind.npz")
    return NetworkBidder(shared_evaluator(folder / "blind.npz"), "blind")


OPENING = SeatView("AKQ2.T83.KQ9.A76", Auction("N", "none"))


def test_the_likeliest_call_is_made_and_told_with_the_next(tmp_path: Path) -> None:
    decision = blind(tmp_path, {Call("1N"): 12, Call("2N"): 10.5, Call.PASS: 8}).decide(OPENING)
    assert decision.call == Call("1N") and decision.meaning is None
    assert decision.reasons == ("the network's likeliest call, 81%; next 2NT, 18%",)
    assert [(str(one.call), one.note) for one in decision.candidates] == [
        ("1N", "81%"),
        ("2N", "18%"),
        ("P", "1%"),
    ]
    assert decision.candidates[0].value == pytest.approx(0.806, abs=0.001)


def test_a_call_without_a_rival_is_told_alone(tmp_path: Path) -> None:
    decision = blind(tmp_path, {Call("1N"): 20}).decide(OPENING)
    assert decision.reasons == ("the network's likeliest call, over 99%",)
    assert [one.note for one in decision.candidates] == ["over 99%"]


def test_the_call_made_is_a_candidate_even_if_it_is_unlikely(tmp_path: Path) -> None:
    candidates = blind(tmp_path, {}).decide(OPENING).candidates  # 36 legal calls, all alike
    assert len(candidates) == 36 and candidates[0].call == Call.PASS and candidates[1].note == "3%"


def test_of_equal_calls_the_lowest_number_is_made(tmp_path: Path) -> None:
    made = blind(tmp_path, {Call("3C"): 5, Call("1S"): 5, Call("7N"): 5})
    assert made.decide(OPENING).call == Call("1S")
    assert made.decide_many(ViewBatch.of([OPENING])).calls.tolist() == [Call("1S")]


def test_illegal_calls_have_no_chance(tmp_path: Path) -> None:
    view = SeatView("AKQ2.T83.KQ9.A76", Auction("N", "none", "1N 2S"))
    made = blind(tmp_path, {Call("1N"): 30, Call.REDOUBLE: 30, Call("3N"): 4})
    assert made.decide(view).call == Call("3N")
    chances = made.chances(ViewBatch.of([view]))
    assert chances.dtype == np.float32 and chances.shape == (1, 38)
    assert chances[0, Call("1N")] == chances[0, Call.REDOUBLE] == 0 and chances.sum() == pytest.approx(1)


def test_chances_and_values_are_those_of_floating_point(small: NetworkBidder, tmp_path: Path) -> None:
    weights = read_weights(tmp_path / "w.npz")
    batch = ViewBatch.of(views(200, seed=3, length=5))
    exact = float_twin(weights, observations(*arrays(batch)))
    masked = np.where(batch.legal, exact[:, :38], -np.inf)
    chances = np.exp(masked - masked.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    assert np.abs(small.chances(batch) - chances).max() < 0.01
    assert np.abs(small.values(batch) - 8 * exact[:, 38]).max() < 0.05
    assert (small.decide_many(batch).calls == masked.argmax(axis=1)).mean() > 0.98


def test_values_are_imps_for_the_player_to_call(tmp_path: Path) -> None:
    assert blind(tmp_path, {}).values(ViewBatch.of([OPENING])).tolist() == [-4.0]


def test_empty_batches_have_empty_answers(small: NetworkBidder) -> None:
    none = ViewBatch.of([])
    assert len(small.decide_many(none).calls) == len(small.chances(none)) == len(small.values(none)) == 0


@pytest.mark.parametrize("threads", [0, 2, 5])
def test_calls_alone_in_batches_and_on_threads_are_the_same(threads: int, tmp_path: Path) -> None:
    path = written(tmp_path, Shape(40, 3, True))
    several = NetworkBidder(Evaluator(path, plain=True), "several", threads=threads)
    one = NetworkBidder(Evaluator(path), "one")
    for batch in views_of(one, boards=150, seed=4):
        calls = several.decide_many(batch).calls
        assert (calls == one.decide_many(batch).calls).all()
        for place in range(0, len(batch), 29):
            assert one.decide(batch[place]).call == calls[place]


class Book:
    """Meanings of calls that were not passes, and what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []

    def known(self, calls: tuple[int, ...]) -> Meaning | None:
        self.asked.append(calls)
        return Meaning() if calls[-1] else None

    def meaning(self, auction: Auction) -> Meaning | None:
        return Meaning.parse("12+ points")


def test_meanings_are_looked_up_once_an_auction(small: NetworkBidder) -> None:
    book = Book()
    made = NetworkBidder(small.evaluator, "small", book)
    for batch in views_of(small, boards=60, seed=5)[:6]:
        book.asked.clear()
        decisions = made.decide_many(batch)
        assert len(book.asked) == len(set(book.asked))
        wanted = {
            (*before, call)
            for before, call in zip(batch.calls.tolist(), decisions.calls.tolist(), strict=True)
        }
        assert set(book.asked) == wanted and all(type(call) is int for call in book.asked[0])
        assert (decisions.meanings is None) == (not decisions.calls.any())
        meanings = decisions.meanings or [None] * len(batch)
        for call, meaning in zip(decisions.calls, meanings, strict=True):
            assert meaning == (Meaning() if call else None)
        assert made.decide(batch[0]).meaning == meanings[0]


def test_without_meanings_nothing_is_disclosed(small: NetworkBidder) -> None:
    assert small.decide_many(ViewBatch.of([OPENING])).meanings is None
    alone = NetworkBidder(small.evaluator, "small")
    assert alone.decide_many(ViewBatch.of([OPENING])).meanings is None
    assert alone.meaning(Auction("N", "none", "1N")) is None


def test_a_book_beside_the_file_is_disclosed(tmp_path: Path) -> None:
    path = written(tmp_path)
    call = bidder(f"network:{path}").decide(OPENING).call
    meaning = Meaning.parse("15-17, balanced (1% outside)")
    MeaningBook.of([Entry((call,), meaning, 5, OPENING.hand)], 100).write(path.with_suffix(BOOK_SUFFIX))
    assert str(bidder(f"network:{path}").decide(OPENING).meaning) == str(meaning)
    path.with_suffix(BOOK_SUFFIX).write_bytes(b"other")
    with pytest.raises(FormatError, match="is no book of meanings"):
        bidder(f"network:{path}")


def test_the_meaning_of_an_auction_is_asked_for(small: NetworkBidder) -> None:
    made = NetworkBidder(small.evaluator, "small", Book())
    assert made.meaning(Auction("N", "none", "1N")) == Meaning.parse("12+ points")
    assert made.meaning(Auction("N", "none")) is None


def test_a_network_is_loaded_once_until_its_file_changes(tmp_path: Path) -> None:
    path = written(tmp_path)
    first = bidder(f"network:{path}")
    assert isinstance(first, NetworkBidder)
    again = bidder(str(path))
    assert isinstance(again, NetworkBidder) and again.evaluator is first.evaluator
    write_weights(random_weights(Shape(48, 3), seed=2), path)
    os.utime(path, ns=(1, 1))
    other = bidder(f"network:{path}")
    assert isinstance(other, NetworkBidder) and other.evaluator is not first.evaluator
    batch = ViewBatch.of(views(50, seed=3, length=1))
    assert (other.chances(batch) != first.chances(batch)).any()


def _calls_of(made: NetworkBidder, batch: ViewBatch, line) -> None:
    line.send(made.decide_many(batch).calls.tolist())


def test_forked_processes_bid_as_their_parent(small: NetworkBidder) -> None:
    batch = ViewBatch.of(views(300, seed=6, length=3))
    small.threads = 2
    wanted = small.decide_many(batch).calls.tolist()
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_calls_of, args=(small, batch, there))
    process.start()
    assert here.poll(60) and here.recv() == wanted
    process.join()


def test_a_match_has_the_same_result_on_one_and_two_workers(small: NetworkBidder) -> None:
    one, two = (match(small.name, "pass", boards=60, seed=3, workers=workers) for workers in (1, 2))
    assert one.plain == two.plain and one.plain.stderr > 0


def agreement(boards: int, seed: int) -> tuple[int, float, float]:
    """Decisions, the share of them where floating point makes the same call, and the largest difference of
    a chance, where the shipped network bids for all."""
    weights = read_weights(network_path("experts"))
    made = bidder("network:experts")
    equal, farthest, count = 0, 0.0, 0
    for batch in views_of(made, boards, seed):
        exact = float_twin(weights, observations(*arrays(batch)))[:, :38]
        masked = np.where(batch.legal, exact, -np.inf)
        chances = np.exp(masked - masked.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        equal += int((masked.argmax(axis=1) == made.decide_many(batch).calls).sum())
        farthest = max(farthest, float(np.abs(chances - made.chances(batch)).max()))
        count += len(batch)
    return count, equal / count, farthest


def test_calls_are_those_of_floating_point_nearly_always() -> None:
    count, equal, farthest = agreement(boards=150, seed=8)
    assert count > 1000 and equal > 0.997 and farthest < 0.05


@pytest.mark.full
def test_calls_are_those_of_floating_point_on_20000_decisions() -> None:
    count, equal, farthest = agreement(boards=2000, seed=9)
    print(f"{count} decisions, {100 * equal:.3f}% equal, chances at most {farthest:.4f} apart")
    assert count > 15_000 and equal > 0.998 and farthest < 0.05
