"""Files of networks: read, refused in one line, and published."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.bidders.networks import arrays, random_weights, written
from tests.bidders.positions import views

from bidlab.bidders import bidder
from bidlab.bidders.network_file import Shape, network_path, read_weights, shipped_networks, write_weights
from bidlab.bidders.network_numbers import activations_after, rounded, sample_observations
from bidlab.bidders.publishing import publish
from bidlab.bridge.errors import BidlabError
from bidlab.table import ViewBatch


def wrong(text: str | Path) -> str:
    """What is said of a network that cannot be had; the file's folder is left out."""
    with pytest.raises(BidlabError) as caught:
        bidder(f"network:{text}")
    said = str(caught.value)
    assert "\n" not in said
    return said.replace(f"{Path(text).parent}/", "")


def changed(path: Path, about: object = None, **arrays: object) -> Path:
    """The file with other words about it, or with other arrays; None takes one away."""
    with np.load(path) as found:
        held = dict(found)
    if about is not None:
        held["about"] = np.array(json.dumps(about))
    for name, array in arrays.items():
        held.pop(name)
        if array is not None:
            held[name] = array
    np.savez(path, **held)
    return path


def test_what_was_written_is_read(tmp_path: Path) -> None:
    weights = random_weights(Shape(24, 2, True), seed=2)
    write_weights(weights, tmp_path / "w.npz")
    again = read_weights(tmp_path / "w.npz")
    assert again.shape == weights.shape and again.scales is None and again.about == weights.about
    pairs = zip(
        (*weights.layers, weights.policy, weights.value),
        (*again.layers, again.policy, again.value),
        strict=True,
    )
    assert all((a == b).all() for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True))


def test_shipped_networks_are_named_by_their_files_and_published() -> None:
    assert "experts" in shipped_networks()
    for name in shipped_networks():
        weights = read_weights(network_path(name))
        assert weights.scales is not None and len(weights.scales) == weights.shape.depth


def test_an_unknown_name_is_told_with_a_suggestion() -> None:
    known = ", ".join(shipped_networks())
    wanted = f"one of {known}, or a file ending in .npz is wanted"
    assert wrong("expert") == f"no network 'expert' (did you mean 'experts'?): {wanted}"
    assert wrong("qqqq") == f"no network 'qqqq': {wanted}"


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    assert wrong(tmp_path / "w.npz") == "no file w.npz: a network's file ending in .npz is wanted"
    (tmp_path / "f.npz").mkdir()
    assert wrong(tmp_path / "f.npz") == "f.npz is a directory: a file of a network is wanted"


@pytest.mark.parametrize("content", [b"", b"text\n" * 100, b"\x80\x04]\x94.", b"PK\x03\x04 and so on"])
def test_a_file_of_something_else(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "w.npz"
    path.write_bytes(content)
    assert wrong(path) == "w.npz is no network: it is no whole .npz file"


def test_an_array_alone_is_no_network(tmp_path: Path) -> None:
    path = tmp_path / "w.npz"
    with path.open("wb") as stream:
        np.save(stream, np.zeros(3))
    assert wrong(path) == "w.npz is no network: it is no whole .npz file"
    np.savez(path, numbers=np.zeros(3))
    assert wrong(path) == "w.npz is no network: it does not say its format in 'about'"
    np.savez(path, about=np.array([object()], dtype=object))
    assert wrong(path) == "w.npz is no network: it is no whole .npz file"


def test_a_file_cut_short_at_any_length(tmp_path: Path) -> None:
    whole = written(tmp_path, Shape(8, 1)).read_bytes()
    path = tmp_path / "cut.npz"
    for length in [*range(0, len(whole), len(whole) // 23), *range(len(whole) - 25, len(whole))]:
        path.write_bytes(whole[:length])
        assert wrong(path) == "cut.npz is no network: it is no whole .npz file"


def test_a_file_with_bytes_changed(tmp_path: Path) -> None:
    whole = written(tmp_path, Shape(8, 1)).read_bytes()
    path = tmp_path / "w.npz"
    for place in range(200, len(whole), len(whole) // 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            read_weights(path)  # some bytes say nothing of the weights
        except BidlabError as error:
            assert "\n" not in str(error)


def test_another_format(tmp_path: Path) -> None:
    shape = {"width": 48, "depth": 3, "residual": False}
    path = changed(written(tmp_path), about={"format": 2, "shape": shape})
    assert wrong(path) == "w.npz has format 2 of networks: format 1 is read here"
    assert wrong(changed(path, about={"shape": shape})).endswith("it does not say its format in 'about'")
    assert wrong(changed(path, about=[1])).endswith("it does not say its format in 'about'")


@pytest.mark.parametrize(
    "shape",
    [
        None,
        48,
        {"width": 48},
        {"width": 48, "depth": 0},
        {"width": 48, "depth": 10**9},
        {"width": 48.0, "depth": 3},
        {"width": 48, "depth": 3, "residual": 1},
        {"width": 48, "depth": 3, "height": 1},
    ],
    ids=str,
)
def test_a_shape_that_is_none(tmp_path: Path, shape: object) -> None:
    path = changed(written(tmp_path), about={"format": 1, "shape": shape})
    assert wrong(path) == f"w.npz has the shape {shape}: width, depth (from 1) and residual are wanted"


def test_arrays_of_other_shapes(tmp_path: Path) -> None:
    path = written(tmp_path)
    changed(path, **{"trunk.layers.1.weight": np.zeros((48, 47), np.float16)})
    assert wrong(path) == "w.npz has 48 x 47 float16 in trunk.layers.1.weight: 48 x 48 float16 are wanted"
    path = changed(written(tmp_path), **{"policy.bias": np.zeros((), np.float16)})
    assert wrong(path) == "w.npz has one float16 in policy.bias: 38 float16 are wanted"
    for odd in (np.array(["x"]), np.zeros(1), np.zeros(1, np.int8)):
        path = changed(written(tmp_path), **{"value.bias": odd})
        assert wrong(path) == f"w.npz has 1 {odd.dtype} in value.bias: 1 float16 are wanted"
    path = changed(written(tmp_path), **{"value.weight": None})
    assert wrong(path) == "w.npz lacks value.weight, which its shape asks for"


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite(tmp_path: Path, odd: float) -> None:
    bias = np.zeros(48, np.float16)
    bias[7] = odd
    path = changed(written(tmp_path), **{"trunk.layers.2.bias": bias})
    assert wrong(path) == "w.npz has numbers in trunk.layers.2.bias that are not finite"


@pytest.mark.parametrize("scales", [[1, 2], "abc", [1, 2, 3.5], [1, 2, None], [99, 99, 99]], ids=str)
def test_scales_that_are_none(tmp_path: Path, scales: object) -> None:
    shape = {"width": 48, "depth": 3, "residual": False}
    path = changed(written(tmp_path), about={"format": 1, "shape": shape, "scales": scales})
    assert wrong(path).startswith(("w.npz has the scales ", "w.npz: scale 99 of layer 0 does not fit "))


def test_publishing_gives_the_same_bytes_and_the_same_calls(tmp_path: Path) -> None:
    source, first, second = written(tmp_path), tmp_path / "a.npz", tmp_path / "b.npz"
    publish(source, first, stage="test", round=3)
    publish(source, second, stage="test", round=3)
    assert first.read_bytes() == second.read_bytes()
    publish(first, second)
    assert first.read_bytes() == second.read_bytes()
    before, after = read_weights(source), read_weights(first)
    assert after.about["stage"] == "test" and after.about["round"] == 3
    assert after.scales == rounded(before).scales
    batch = ViewBatch.of(views(50, seed=1, length=4))
    mine, theirs = (rounded(weights).native() for weights in (before, after))
    assert (mine.evaluate(*arrays(batch)) == theirs.evaluate(*arrays(batch))).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz", "w.npz"]


def test_what_torch_wrote_is_read_and_what_is_published_torch_reads(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="NO TORCH: the training of networks is NOT tested")
    from bidlab.learning.selfplay import net

    torch.manual_seed(1)
    made = net.BiddingNet(net.Shape(width=32, depth=2, residual=True))
    net.save_weights(made, tmp_path / "w.npz", stage="test")
    publish(tmp_path / "w.npz", tmp_path / "p.npz")
    again = net.load_weights(tmp_path / "p.npz", torch.device("cpu"))
    observed = torch.from_numpy(sample_observations()[:100])
    with torch.inference_mode():
        mine, theirs = made(observed), again(observed)
    assert all(torch.allclose(*pair, atol=0.01) for pair in zip(mine, theirs, strict=True))


@pytest.mark.parametrize("shape", [Shape(40, 3), Shape(40, 3, True)], ids=str)
def test_units_that_are_seldom_active_stand_together(tmp_path: Path, shape: Shape) -> None:
    source, target = written(tmp_path, shape), tmp_path / "p.npz"
    publish(source, target)
    before, after = read_weights(source), read_weights(target)
    x = sample_observations().astype(float)
    for layer in rounded(after).layers:
        x = activations_after(layer, x)
        uses = (x > 0).sum(axis=0)
        assert shape.residual or (np.diff(uses) >= 0).all()
    if shape.residual:
        assert all((a[0] == b[0]).all() for a, b in zip(before.layers, after.layers, strict=True))
