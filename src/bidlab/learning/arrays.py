"""Arrays by name from an .npz file, whatever state the file is in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import FormatError


def named_arrays(path: Path, *names: str) -> tuple[NDArray[Any], ...]:
    """The arrays of these names; an error of one line where the file is damaged or lacks one."""
    wanted = (
        f"{', '.join(names[:-1])} and {names[-1]} are wanted" if len(names) > 1 else f"{names[0]} is wanted"
    )
    with path.open("rb") as stream:
        try:
            with np.load(stream) as held:
                missing = [name for name in names if name not in held]
                found = () if missing else tuple(held[name] for name in names)
        except Exception as error:  # zipfile, zlib and numpy say many things of a damaged file
            said = " ".join(str(error).split()) or type(error).__name__
            raise FormatError(f"{path}: no file of arrays, {wanted}: {said[:100]}") from None
    if missing:
        raise FormatError(f"{path}: no array {missing[0]}: {wanted}")
    return found
