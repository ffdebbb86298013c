"""Names of a package that are imported when somebody first asks for them.

A program that bids one deal needs a small part of bidlab, and people wait for all that a start imports. A
package tells here which module each of its names comes from; type checkers read it from ordinary imports.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec


def lazily(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package; `names` has those of each module, parted by spaces.

    Its modules and packages are found as well, as they are after `import` of the whole.
    """
    homes = {name: module for module, there in names.items() for name in there.split()}

    def found(name: str) -> object:
        if name in homes:
            value = getattr(import_module(homes[name]), name)
            setattr(sys.modules[package], name, value)  # nobody has to ask again
            return value
        if not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return found, listed
