"""Networks in whole numbers: the native sums, their slow twin, and how near they come to floating point."""

from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bidders.networks import (
    arrays,
    observation,
    random_weights,
    whole_twin,
)
from tests.bidders.positions import views

from bidlab._native import Network, observations
from bidlab.bidders.network_file import Shape
from bidlab.bidders.network_numbers import TOP, Rounded, rounded, sample_observations
from bidlab.bridge.errors import BidlabError
from bidlab.table import ViewBatch

SHAPES = (
    Shape(48, 3),
    Shape(48, 3, True),
    Shape(1, 1),
    Shape(7, 2, True),
    Shape(33, 5, True),
    Shape(600, 2),
    Shape(2064, 2, True),
)
REACH = 2**31


def some_views(length: int, count: int = 150) -> ViewBatch:
    return ViewBatch.of(views(count, seed=length, length=length))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_native_sums_are_those_of_the_twin(shape: Shape) -> None:
    network = rounded(random_weights(shape, seed=shape.width))
    for plain in (False, True):
        native = network.native(plain=plain)
        for length in (0, 4, 9):
            batch = some_views(length)
            observed = observations(*arrays(batch))
            assert (native.evaluate(*arrays(batch)) == whole_twin(network, observed)).all()


@pytest.mark.parametrize("shape", SHAPES[:5], ids=str)
def test_what_a_view_gives_does_not_depend_on_batch_threads_or_instructions(shape: Shape) -> None:
    network = rounded(random_weights(shape, seed=3))
    batch = some_views(5, count=300)
    plain, best = network.native(plain=True), network.native()
    wanted = plain.evaluate(*arrays(batch))
    for native in (plain, best):
        for threads in (0, 1, 2, 3, 7):
            assert (native.evaluate(*arrays(batch), threads) == wanted).all()
        for size in (1, 2, 3, 5, 6, 7, 96, 97, 200):
            for begin in range(0, min(300, 4 * size), size):
                rows = slice(begin, begin + size)
                part = tuple(array[rows] for array in arrays(batch))
                assert (native.evaluate(*part) == wanted[rows]).all()


def reach_of(network: Rounded) -> int:
    """How far from zero any sum can get, whatever is observed: activations are from 0 to 16383."""
    farthest = 0
    for number, layer in enumerate((*network.layers, network.head)):
        weights, bias = layer.weights.astype(np.int64), np.abs(layer.bias.astype(np.int64))
        largest = TOP if number else 1
        for side in (np.maximum(weights, 0), np.maximum(-weights, 0)):
            farthest = max(farthest, int((side.sum(axis=1) * largest + bias).max()))
    return farthest


@settings(max_examples=40)
@given(
    width=st.integers(1, 40),
    depth=st.integers(1, 4),
    residual=st.booleans(),
    seed=st.integers(0, 1000),
    power=st.integers(-20, 12),
)
def test_no_sum_can_leave_32_bits(width: int, depth: int, residual: bool, seed: int, power: int) -> None:
    network = rounded(random_weights(Shape(width, depth, residual), seed, size=2.0**power))
    assert reach_of(network) < REACH
    for layer in network.layers:
        assert layer.shift.min() >= 0 and layer.shift.max() <= 30 and layer.carry <= 30
    batch = some_views(3, count=20)
    observed = observations(*arrays(batch))
    assert (network.native().evaluate(*arrays(batch)) == whole_twin(network, observed)).all()


def test_weights_use_the_bits_there_are() -> None:
    network = rounded(random_weights(Shape(512, 3), seed=1))
    for layer in (*network.layers, network.head):
        used = np.abs(layer.weights).max(axis=1)
        assert np.median(used) > 500 and reach_of(network) > REACH / 4


def test_given_scales_are_kept_and_make_the_same_network() -> None:
    weights = random_weights(Shape(64, 3, True), seed=4)
    found = rounded(weights)
    again = rounded(replace(weights, scales=found.scales))
    batch = some_views(6)
    assert again.scales == found.scales
    assert (again.native().evaluate(*arrays(batch)) == found.native().evaluate(*arrays(batch))).all()


def test_scales_that_do_not_fit_are_refused() -> None:
    weights = random_weights(Shape(64, 2), seed=4)
    for odd in (25, -40):
        with pytest.raises(BidlabError, match=f"scale {odd} of layer 1 does not fit its weights"):
            rounded(replace(weights, scales=(rounded(weights).scales[0], odd)))


def test_a_quarter_to_a_half_of_the_range_is_used_for_the_sample() -> None:
    weights = random_weights(Shape(64, 3), seed=5)
    network = rounded(weights)
    x = sample_observations().astype(np.int64)
    for layer in network.layers:
        sums = (x @ layer.weights.T.astype(np.int64) + layer.bias) >> layer.shift
        assert TOP // 4 <= sums.max() <= TOP // 2 + 1
        x = np.clip(sums, 0, TOP)


def test_the_sample_is_always_the_same() -> None:
    sample = sample_observations()
    assert sample.shape == (1183, 480) and crc32(np.packbits(sample).tobytes()) == 3279675801


@pytest.mark.parametrize("length", [0, 1, 2, 3, 6, 13])
def test_observation_is_that_of_the_obvious_twin(length: int) -> None:
    some = views(60, seed=length, length=length)
    assert observations(*arrays(ViewBatch.of(some))).tolist() == [observation(view) for view in some]


def test_wrong_arrays_are_refused() -> None:
    batch = some_views(2, count=3)
    hands, calls, dealers, vulnerable = arrays(batch)
    with pytest.raises(ValueError, match="calls from 0 to 37"):
        observations(hands, calls + 40, dealers, vulnerable)
    with pytest.raises(ValueError, match="as many"):
        observations(hands, calls[:2], dealers, vulnerable)
    first = np.zeros((16, 480), np.int16), np.zeros(16, np.int32), np.zeros(16, np.int32)
    head = np.zeros((39, 16), np.int16), np.zeros(39, np.int32), np.zeros(39, np.int32)
    assert not Network(*first, *head).evaluate(*arrays(batch)).any()
    with pytest.raises(ValueError, match="480 inputs"):
        Network(*head, *head)
    with pytest.raises(ValueError, match="width"):
        Network(*first, *head).add_layer(np.zeros((16, 15), np.int16), *first[1:], -1)


def test_nobody_to_call_gives_nothing() -> None:
    batch = some_views(2, count=2)
    none = tuple(array[:0] for array in arrays(batch))
    assert rounded(random_weights(Shape(8, 1), 1)).native().evaluate(*none).shape == (0, 39)
