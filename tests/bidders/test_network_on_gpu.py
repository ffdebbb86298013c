"""The network of tools/gpu/think.py gives the numbers of the native one; its doubles are exact anywhere."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from bidlab.bidders.network import Evaluator
from bidlab.bidders.network_file import network_path
from bidlab.dealing import deal_bits
from bidlab.table.auctions import AuctionBatch
from bidlab.table.bidding import Boards
from bidlab.table.views import ViewBatch

pytest.importorskip("torch", reason="NO TORCH: the network on a GPU is not tested")
BOARDS = 50


@pytest.fixture(scope="module")
def think() -> ModuleType:
    file = Path(__file__).parents[2] / "tools" / "gpu" / "think.py"
    spec = importlib.util.spec_from_file_location("think", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["think"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["experts", "small"])
def test_every_logit_and_value_is_that_of_the_native_network(think: ModuleType, name: str) -> None:
    path = network_path(name)
    native, doubles = Evaluator(path), think.GpuEvaluator(path)
    assert (native.logit_scale, native.value_scale) == (doubles.logit_scale, doubles.value_scale)
    boards = Boards.numbered(deal_bits(BOARDS, 11))
    auctions, rows, random = AuctionBatch(BOARDS), np.arange(BOARDS), np.random.default_rng(3)
    for _ in range(10):
        seats = (boards.dealers[rows] + auctions.place) % 4
        hands = np.ascontiguousarray(boards.bits[rows, seats])
        legal = auctions.legal(rows)
        views = ViewBatch(hands, boards.dealers[rows], boards.vulnerable[rows], auctions.so_far(rows), legal)
        assert (native.outputs(views) == doubles.outputs(views)).all()
        likely = legal * random.random(legal.shape) * np.linspace(1, 0.1, legal.shape[1])
        auctions.make(rows, likely.argmax(axis=1).astype(np.uint8))
        rows = rows[~auctions.ended(rows)]
    assert auctions.place == 10
