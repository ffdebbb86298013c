"""Files of networks: weights in float16 with their shape, as training writes them and as bidlab ships them.

A file is an `.npz` of numpy: `about` is a text in JSON with the format, the shape and some facts; the arrays
are `trunk.layers.0.weight` [unit, input], `trunk.layers.0.bias` .., `policy.weight`, `policy.bias`,
`value.weight` and `value.bias`. A published file has `scales` in `about` too: the activations of each layer
are rounded to multiples of 2 ** -scale (see `network_numbers`).
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError, FormatError, did_you_mean, quoted

FORMAT = 1
SUFFIX = ".npz"
OBSERVED, CALL_COUNT = 480, 38
_MOST = {"width": 1 << 14, "depth": 64}  # larger ones are slips of the pen

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a network; with `residual`, a layer after the first adds to what comes in."""

    width: int
    depth: int
    residual: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A network as its file has it: each layer a pair of weights [unit, input] and bias [unit]."""

    shape: Shape
    layers: tuple[tuple[Floats, Floats], ...]
    policy: tuple[Floats, Floats]
    value: tuple[Floats, Floats]
    scales: (
        tuple[int, ...] | None
    )  # activations of layer i are multiples of 2 ** -scales[i]; None: not published
    about: Mapping[str, Any]


def shipped_networks() -> tuple[str, ...]:
    """The names of the networks that come with the package."""
    return tuple(sorted(path.stem for path in _folder().glob(f"*{SUFFIX}")))


def network_path(name: str) -> Path:
    """The file of a network by its name or path."""
    path = Path(name)
    if path.suffix == SUFFIX or path.parent != Path():
        return path
    known = shipped_networks()
    if name in known:
        return _folder() / f"{name}{SUFFIX}"
    there = f"one of {', '.join(known)}, or " if known else ""
    raise BidlabError(
        f"no network {quoted(name)}{did_you_mean(name, known)}: {there}a file ending in {SUFFIX} is wanted"
    )


def read_weights(path: Path) -> Weights:
    """The network of a file, every number checked."""
    arrays = _arrays(path)
    about = _about(path, arrays)
    shape = _shape(path, about)
    sizes = [OBSERVED] + [shape.width] * (shape.depth - 1)
    layers = [_pair(path, arrays, f"trunk.layers.{i}", shape.width, size) for i, size in enumerate(sizes)]
    return Weights(
        shape,
        tuple(layers),
        _pair(path, arrays, "policy", CALL_COUNT, shape.width),
        _pair(path, arrays, "value", 1, shape.width),
        _scales(path, about, shape),
        about,
    )


def write_weights(weights: Weights, path: Path) -> None:
    """Write a network in float16, compressed; the same network gives the same bytes."""
    pairs = {f"trunk.layers.{i}": layer for i, layer in enumerate(weights.layers)}
    pairs |= {"policy": weights.policy, "value": weights.value}
    arrays: dict[str, NDArray[Any]] = {"about": np.array(json.dumps(weights.about, sort_keys=True))}
    for name, (matrix, bias) in pairs.items():
        arrays[f"{name}.weight"] = matrix.astype(np.float16)
        arrays[f"{name}.bias"] = bias.astype(np.float16)
    partial = path.with_suffix(f".partial{SUFFIX}")
    np.savez_compressed(partial, **arrays)  # type: ignore[arg-type]
    partial.replace(path)


def _folder() -> Path:
    # Asked for by a package below: that of `bidlab` itself is two folders where it is installed to be edited.
    return Path(str(resources.files("bidlab.bidders"))).parent / "networks"


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    if path.is_dir():
        raise FormatError(f"{path} is a directory: a file of a network is wanted")
    if not path.exists():
        raise BidlabError(f"no file {path}: a network's file ending in {SUFFIX} is wanted")
    try:
        with zipfile.ZipFile(path) as archive:
            return {name.removesuffix(".npy"): _read(archive, name) for name in archive.namelist()}
    except PermissionError:
        raise FormatError(f"{path} cannot be read: permission denied") from None
    except Exception:  # zipfile, zlib and numpy raise errors of a dozen kinds on files that are damaged
        raise FormatError(f"{path} is no network: it is no whole {SUFFIX} file") from None


def _read(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    with archive.open(name) as stream:
        array: NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    return array


def _about(path: Path, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    try:
        about = json.loads(str(arrays["about"]))
        version = about["format"]
    except (KeyError, TypeError, ValueError):
        raise FormatError(f"{path} is no network: it does not say its format in 'about'") from None
    if version != FORMAT:
        raise FormatError(f"{path} has format {quoted(version)} of networks: format {FORMAT} is read here")
    assert isinstance(about, dict)
    return about


def _shape(path: Path, about: Mapping[str, Any]) -> Shape:
    said = about.get("shape")
    try:
        shape = Shape(**said)  # type: ignore[arg-type]
        if not isinstance(shape.residual, bool):
            raise TypeError
        for field, most in _MOST.items():
            number = getattr(shape, field)
            if type(number) is not int or not 1 <= number <= most:
                raise TypeError
    except TypeError:
        raise FormatError(
            f"{path} has the shape {quoted(said)}: width, depth (from 1) and residual are wanted"
        ) from None
    return shape


def _scales(path: Path, about: Mapping[str, Any], shape: Shape) -> tuple[int, ...] | None:
    said = about.get("scales")
    if said is None:
        return None
    if not (isinstance(said, list) and len(said) == shape.depth and all(type(one) is int for one in said)):
        raise FormatError(f"{path} has the scales {quoted(said)}: {shape.depth} whole numbers are wanted")
    return tuple(said)


def _pair(
    path: Path, arrays: Mapping[str, NDArray[Any]], name: str, units: int, inputs: int
) -> tuple[Floats, Floats]:
    return (
        _array(path, arrays, f"{name}.weight", (units, inputs)),
        _array(path, arrays, f"{name}.bias", (units,)),
    )


def _array(path: Path, arrays: Mapping[str, NDArray[Any]], name: str, wanted: tuple[int, ...]) -> Floats:
    array = arrays.get(name)
    if array is None:
        raise FormatError(f"{path} lacks {name}, which its shape asks for")
    if array.dtype.kind != "f" or array.shape != wanted:
        shown = " x ".join(map(str, array.shape)) or "one"
        raise FormatError(
            f"{path} has {shown} {array.dtype} in {name}: {' x '.join(map(str, wanted))} numbers are wanted"
        )
    if not np.isfinite(array).all():
        raise FormatError(f"{path} has numbers in {name} that are not finite")
    return array.astype(np.float64)


def stamp(path: Path) -> tuple[int, int]:
    """What changes when a file is written anew: its time and its size."""
    try:
        found = os.stat(path)  # noqa: PTH116 - of a path that may be missing
    except OSError:
        return (0, 0)
    return found.st_mtime_ns, found.st_size
