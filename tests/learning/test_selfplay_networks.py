"""What is made of a network once it is trained: hands gathered behind its calls, and a smaller network."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="NO TORCH: the training of networks is NOT tested; pip install torch"
)

from bidlab.learning.meanings import Gathered  # noqa: E402
from bidlab.learning.selfplay.__main__ import main  # noqa: E402
from bidlab.learning.selfplay.deals import random_deals  # noqa: E402
from bidlab.learning.selfplay.distil import DistilSettings, distil  # noqa: E402
from bidlab.learning.selfplay.gather import _bid, gather  # noqa: E402
from bidlab.learning.selfplay.net import BiddingNet, Shape, log_policy, playing_copy, save_weights  # noqa: E402
from bidlab.learning.selfplay.playing import play  # noqa: E402
from bidlab.learning.selfplay.runs import Budget  # noqa: E402
from bidlab.table.auctions import NO_CALL  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def net() -> BiddingNet:
    """A network that was taught nothing, so that its auctions are lively."""
    torch.manual_seed(4)
    net = BiddingNet(Shape(width=32, depth=2))
    with torch.no_grad():
        net.policy.weight *= 8
        net.policy.bias[0] += 1.0  # it passes now and then
    return net


def test_unsolved_deals_give_each_player_thirteen_cards_and_every_card_to_one() -> None:
    deals = random_deals(500, torch.Generator().manual_seed(1), CPU)
    assert (deals.hands.sum(dim=2) == 13).all() and (deals.hands.sum(dim=1) == 1).all()
    # Each card is with each player a quarter of the time: four standard errors of 500 deals.
    shares = deals.hands.float().mean(dim=0)
    assert (shares - 0.25).abs().max() < 5 * (0.1875 / 500) ** 0.5


def test_gathered_hands_are_those_that_made_the_last_call_of_their_sequence(net, tmp_path) -> None:
    file = tmp_path / "gathered.npz"
    assert gather(net, 2000, file, seed=3, least=0.01, hands=30, chunk=500) > 10
    found = Gathered.read(file)
    assert found.boards == 2000
    generator = torch.Generator().manual_seed(3)
    player = playing_copy(net)
    _bid(player, random_deals(500, generator, CPU))  # the first round counts
    wanted: dict[tuple[int, ...], list[int]] = {}
    for _ in range(4):
        bid = _bid(player, random_deals(500, generator, CPU))
        for board, length, hand in zip(
            bid.board.tolist(), bid.length.tolist(), bid.hand.tolist(), strict=True
        ):
            wanted.setdefault(tuple(bid.calls[board, :length].tolist()), []).append(hand)
    for calls, count, hands in zip(found.calls, found.count.tolist(), found.hands, strict=True):
        made = wanted[tuple(calls[calls != NO_CALL].tolist())]
        assert count == len(made)
        assert hands[hands != 0].tolist() == made[:30]


def test_calls_that_are_gathered_are_those_that_the_network_plays(net) -> None:
    deals = random_deals(200, torch.Generator().manual_seed(9), CPU)
    outcome, _ = play(deals, playing_copy(net))
    bid = _bid(playing_copy(net), deals)
    last = torch.where(bid.calls == NO_CALL, 0, bid.calls).amax(dim=1).long()
    assert (torch.where(last > 2, last - 3, -1) == outcome.bid).all()


def test_parts_of_a_gathering_are_read_as_one(net, tmp_path) -> None:
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    for file, number in ((whole, 1), (parts, 3)):
        gather(net, 1000, file, seed=3, least=0.01, hands=20, chunk=500, parts=number)
    one, some = Gathered.read(whole), Gathered.read(*sorted(tmp_path.glob("parts.*.npz")))
    for name in ("calls", "count", "hands"):
        assert np.array_equal(getattr(one, name), getattr(some, name))


def test_distilled_network_comes_to_call_as_its_teacher(net, tmp_path) -> None:
    teacher = tmp_path / "teacher.npz"
    save_weights(net, teacher)
    settings = DistilSettings(tables=256, batch=256, width=32, depth=2, rate=0.01)
    small = distil(teacher, tmp_path / "small", Budget(steps=12), settings, CPU, quiet=True)
    deals = random_deals(300, torch.Generator().manual_seed(5), CPU)
    _, seen = play(deals, playing_copy(net), keep=True)
    before = BiddingNet(Shape(32, 2))
    equal = [
        (log_policy(one(seen.observed)[0], seen.legal).argmax(1) == seen.call).float().mean().item()
        for one in (before, small)
    ]
    assert equal[1] > 0.5 > 2 * equal[0], equal
    again = distil(teacher, tmp_path / "again", Budget(steps=12), settings, CPU, quiet=True)
    assert all(torch.equal(a, b) for a, b in zip(small.parameters(), again.parameters(), strict=True))


def test_both_are_commands_of_a_bare_machine(net, tmp_path, capsys) -> None:
    weights = tmp_path / "w.npz"
    save_weights(net, weights)
    small = ["--set", "tables=32", "--set", "width=16", "--steps", "1", "--device", "cpu"]
    assert main(["distil", "--teacher", str(weights), "--out", str(tmp_path / "s"), *small]) == 0
    assert (tmp_path / "s/weights.npz").exists()
    assert main(["distil", "--teacher", str(tmp_path / "none"), "--out", str(tmp_path / "t"), *small]) == 2
    assert "none" in capsys.readouterr().err
