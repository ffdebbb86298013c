"""The boosted bidder: who bids when, and what is wrong with a folder in a line."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.bidders.positions import views

from bidlab.bidders import bidder
from bidlab.bidders.boosted import HEIGHTS, ChosenSeeds, height_of
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.dealing import deal_bits
from bidlab.matches import match
from bidlab.table import SeatView, ViewBatch

FOLDER = Path(__file__).parent / "files" / "boosted"


def opening_views(count: int) -> ViewBatch:
    """Dealers that have nothing but their hand."""
    hands = deal_bits(count, seed=5)[:, 0]
    nothing = np.zeros(count, dtype=np.uint8)
    return ViewBatch(
        hands, nothing, nothing, np.zeros((count, 0), np.uint8), np.ones((count, 38), dtype=bool)
    )


def test_the_best_seed_bids_as_that_seed_does() -> None:
    boosted, member = bidder(f"boosted:{FOLDER}"), bidder("random,seed=7")
    for view in views(50, seed=3):
        assert boosted.decide(view).call == member.decide(view).call


def test_members_of_a_mixture_come_up_by_their_shares() -> None:
    boosted = bidder(f"boosted:{FOLDER},choice=nash,seed=4")
    some = opening_views(20_000)
    calls = boosted.decide_many(some).calls
    is_of = {seed: bidder(f"random,seed={seed}").decide_many(some).calls == calls for seed in (7, 2, 9)}
    # Each member agrees with another one's call on about one board in 38, by chance.
    shares = {seed: (one.mean() - 1 / 38) / (1 - 1 / 38) for seed, one in is_of.items()}
    assert shares == pytest.approx({7: 0.5, 2: 0.3, 9: 0.2}, abs=0.02)


def test_a_player_keeps_the_member_of_a_mixture_through_an_auction() -> None:
    boosted = bidder(f"boosted:{FOLDER},choice=nash,seed=4")
    members = [bidder(f"random,seed={seed}") for seed in (7, 2, 9)]
    held = "AKQ2.T83.KQ9.A76"
    seen = [
        SeatView(held, Auction("N", "none", calls))
        for calls in ("", "1C P P 1H", "1C P P 1H P P 1S P", "1D 1H P P", "P P P 1N")
    ]
    calls = [boosted.decide(view).call for view in seen]
    assert [[member.decide(view).call for view in seen] for member in members].count(calls) == 1


def test_another_seed_of_the_mixture_draws_others_and_the_same_seed_the_same() -> None:
    some = opening_views(200)
    one, other, again = (
        bidder(f"boosted:{FOLDER},choice=robust,seed={seed}").decide_many(some).calls.tolist()
        for seed in (1, 2, 1)
    )
    assert one == again and one != other


def test_a_choice_by_situation_takes_the_seed_of_the_height_of_the_bidding() -> None:
    boosted = bidder(f"boosted:{FOLDER},choice=situation")
    low, middle = bidder("random,seed=7"), bidder("random,seed=2")
    for view in views(200, seed=8):
        last = int(view.auction.last_bid or 0)
        meant = middle if HEIGHTS[height_of(last)] == "middle" else low
        assert boosted.decide(view).call == meant.decide(view).call


def test_heights_end_at_three_clubs_and_three_notrump() -> None:
    bids = ("2N", "3C", "3S", "3N", "4C")
    assert [HEIGHTS[height_of(Call(bid))] for bid in bids] == ["low", "middle", "middle", "high", "high"]


def test_it_plays_matches_like_any_bidder() -> None:
    found = match(f"boosted:{FOLDER}", "random,seed=7", boards=20, library="tune")
    assert found.plain.mean == 0 and found.plain.ties == 20


# --- wrong folders ------------------------------------------------------------------------------------------


def test_what_is_wrong_with_a_folder_is_said_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(BidlabError, match=r"has no chosen seeds: there is no choices\.json in it$"):
        bidder(f"boosted:{tmp_path}")
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(BidlabError, match=f"bidlab boost --resume {tmp_path} goes on"):
        bidder(f"boosted:{tmp_path}")
    with pytest.raises(BidlabError, match=r"no choice 'nahs' \(did you mean 'nash'\?\) in .*: it has best"):
        bidder(f"boosted:{FOLDER},choice=nahs")
    with pytest.raises(BidlabError, match="lacks the folder of a run"):
        bidder("boosted")
    whole = json.loads((FOLDER / "choices.json").read_text())
    for damage in (
        {"format": "other"},
        {"version": 2},
        {"choices": {"best": {}}},
        {"choices": {"best": {"x": 1.0}}},
        {"choices": {"best": {"1": -1.0}}},
        {"situation": {"low": 1}},
    ):
        (tmp_path / "choices.json").write_text(json.dumps(whole | damage))
        with pytest.raises(FormatError, match=r"choices\.json cannot be read: ") as caught:
            bidder(f"boosted:{tmp_path}")
        assert "\n" not in str(caught.value)
    (tmp_path / "choices.json").write_text(json.dumps(whole)[:-30])
    with pytest.raises(FormatError, match="cannot be read"):
        bidder(f"boosted:{tmp_path}")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    chosen = ChosenSeeds("random", {"best": {3: 1.0}, "nash": {3: 0.25, 8: 0.75}}, None)
    (tmp_path / "choices.json").write_text(chosen.to_json())
    assert ChosenSeeds.read(tmp_path) == chosen and chosen.names == ("best", "nash")
