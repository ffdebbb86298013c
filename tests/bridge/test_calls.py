"""Auctions: the laws, counted to the end."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import Seat, Strain
from bidlab.bridge.errors import BidlabError, IllegalCallError, NotationError

COMPLETE_AUCTIONS = 128745650347030683120231926111609371363122697557


def sequences(auction: Auction, calls: int) -> int:
    """How many sequences of so many more calls there are, by walking legal calls."""
    if calls == 1:
        return len(auction.legal_calls())
    return sum(sequences(auction.after(call), calls - 1) for call in auction.legal_calls())


@pytest.mark.parametrize(
    ("calls", "count"), [(1, 36), (2, 701), (3, 9731), (4, 107451), (5, 999852), (6, 8126237)]
)
def test_sequences_of_calls_counted_by_walking(calls: int, count: int) -> None:
    assert sequences(Auction(), calls) == count


def continuations(auction: Auction, call: Call) -> tuple[int, int]:
    """Ways to go from an auction without another bid: to that next bid, and to the end."""
    to_bid = to_end = 0
    for following in auction.legal_calls():
        after = auction.after(following)
        if following == call:
            to_bid += 1
        elif not following.is_bid:
            if after.is_ended:
                to_end += 1
            else:
                more_bid, more_end = continuations(after, call)
                to_bid, to_end = to_bid + more_bid, to_end + more_end
    return to_bid, to_end


def test_closed_form_for_all_complete_auctions() -> None:
    # Before the first bid stand 0 to 3 passes; between two bids there are always the same number of ways
    # to pass, double and redouble, and after the last bid another: both counted here by walking.
    before = sum(not Auction(calls=[Call.PASS] * passes).is_ended for passes in range(5))
    between, after = continuations(Auction(calls="1C"), Call("7N"))
    assert (before, between, after) == (4, 21, 7)
    # So k bids, chosen from 35, can be made in `before * between**(k-1) * after` ways; summed over k by the
    # binomial theorem, and one more auction for four passes.
    bids = 35
    total = 1 + before * after * ((1 + between) ** bids - 1) // between
    assert total == COMPLETE_AUCTIONS


def test_ways_between_bids_do_not_depend_on_the_bids() -> None:
    for last, following in (("1C", "1D"), ("3S", "7N"), ("P 2H", "2S"), ("1C X P P 1D", "6C")):
        assert continuations(Auction(calls=last), Call(following)) == (21, 7)


# --- a second reading of the laws, slow and plain, beside the first --------------------------------------


def is_over(calls: list[Call]) -> bool:
    if any(call.is_bid for call in calls):
        return calls[-3:] == [Call.PASS] * 3
    return len(calls) == 4


def is_lawful(calls: list[Call], call: Call) -> bool:
    """Laws 18 and 19 read off the whole auction backwards."""
    if is_over(calls):
        return False
    if call == Call.PASS:
        return True
    bids = [past for past in calls if past.is_bid]
    if call.is_bid:
        return not bids or (call.level, call.strain) > (bids[-1].level, bids[-1].strain)
    steps_back = next((i for i, past in enumerate(reversed(calls), 1) if past != Call.PASS), 0)
    if not steps_back:
        return False
    last = calls[-steps_back]
    by_opponent = steps_back % 2 == 1
    return by_opponent and (last.is_bid if call == Call.DOUBLE else last == Call.DOUBLE)


@given(st.randoms(use_true_random=False), st.sampled_from(list(Seat)), st.floats(0, 1))
def test_legal_calls_equal_a_second_reading_of_the_laws(random, dealer: Seat, quiet: float) -> None:
    auction = Auction(dealer)
    while True:
        legal = auction.legal_calls()
        assert list(legal) == [call for call in CALLS if is_lawful(list(auction.calls), call)]
        assert auction.is_ended == is_over(list(auction.calls)) == (not legal)
        if not legal:
            break
        small = [call for call in legal if not call.is_bid] + [c for c in legal if c.is_bid][:2]
        auction = auction.after(random.choice(small if random.random() < quiet else legal))
    assert Auction(dealer, "none", str(auction)) == auction
    check_declarer(auction)


def check_declarer(auction: Auction) -> None:
    """Law 22: the declarer is who of the last bidder's side first bid its strain."""
    bids = [(seat, call) for seat, call in auction.seats() if call.is_bid]
    contract = auction.contract
    assert contract is not None
    if not bids:
        assert contract.is_passed_out and auction.declarer is None
        return
    last_seat, last = bids[-1]
    first = next(
        seat for seat, call in bids if call.strain == last.strain and seat in (last_seat, last_seat.partner)
    )
    assert (contract.level, contract.strain, contract.declarer) == (last.level, last.strain, first)
    tail = auction.calls[[i for i, call in enumerate(auction.calls) if call.is_bid][-1] :]
    assert contract.doubling == (2 if Call.REDOUBLE in tail else 1 if Call.DOUBLE in tail else 0)


@pytest.mark.parametrize(
    ("before", "call", "message"),
    [
        ("1S P 2S", "2H", 'illegal call 2H over 2S in "1S P 2S": a bid must outrank 2S; the lowest is 2NT'),
        ("7N", "7S", 'illegal call 7S over 7NT in "7N": a bid must outrank 7NT; no bid does'),
        ("P", "X", 'illegal call X in "P": nobody has bid'),
        ("1S P", "X", "1S is the own side's bid"),
        ("1S X P", "X", "1S is doubled already"),
        ("1S", "XX", "1S is not doubled"),
        ("1S X XX", "XX", "1S is redoubled already"),
        ("1S X P", "XX", "only the side that was doubled redoubles"),
        ("1S P P P", "P", "the auction has ended"),
        ("P P P P", "1C", "the auction has ended"),
    ],
)
def test_illegal_call_says_what_would_be_right(before: str, call: str, message: str) -> None:
    with pytest.raises(IllegalCallError) as one:
        Auction("N", "none", f"{before} {call}")
    with pytest.raises(IllegalCallError) as other:
        Auction("N", "none", before).after(call)
    assert message in str(one.value)
    assert str(one.value) == str(other.value)


@pytest.mark.parametrize("text", ["1NT", "1n", "1N", "1SA"])
def test_notrump_is_read_in_every_spelling(text: str) -> None:
    assert Call(text) == Call.ONE_NOTRUMP and str(Call(text)) == "1N"


def test_calls_are_numbered_as_the_design_says() -> None:
    assert [int(Call(text)) for text in ("P", "X", "XX", "1C", "7N")] == [0, 1, 2, 3, 37]
    assert all(Call(str(call)) is call and Call(int(call)) is call for call in CALLS)
    assert all(Call.bid(call.level, call.strain) is call for call in CALLS[3:])


@pytest.mark.parametrize("text", ["8C", "0N", "1Z", "", "pas", "XXX", None, 38, -1])
def test_no_call_is_a_clear_error(text: object) -> None:
    with pytest.raises(NotationError, match="no call"):
        Call(text)  # type: ignore[arg-type]


def test_pass_has_no_level() -> None:
    with pytest.raises(NotationError, match="Pass is no bid"):
        _ = Call.PASS.level
    with pytest.raises(NotationError, match="level 8"):
        Call.bid(8, Strain.CLUBS)


def test_auction_is_a_frozen_value() -> None:
    auction = Auction("S", "both", "1N P 2C")
    assert pickle.loads(pickle.dumps(auction)) == auction
    assert hash(Auction("S", "both", "1NT pass 2c")) == hash(auction)
    assert auction != Auction("S", "NS", "1N P 2C")
    assert auction != Auction("N", "both", "1N P 2C")
    with pytest.raises(AttributeError):
        auction.calls = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del auction.calls


def test_turn_follows_the_dealer() -> None:
    assert Auction("W", "none", "P P").turn == Seat.EAST
    with pytest.raises(IllegalCallError, match="nobody is to call"):
        _ = Auction("W", "none", "P P P P").turn


def test_passed_out_auction_has_a_contract_of_its_own() -> None:
    auction = Auction("W", "none", "P P P P")
    assert str(auction.contract) == "Pass" and auction.last_bid is None
    assert Auction("W", "none", "P P P").contract is None


def test_every_error_is_a_bidlab_error() -> None:
    assert issubclass(IllegalCallError, BidlabError) and issubclass(BidlabError, ValueError)
