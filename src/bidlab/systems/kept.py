"""bidlab's own systems as they were read before, kept where a user's other caches are.

Reading and checking the text of a system takes much of the start of a program that bids one deal. What came
of it is kept in a file, with a digest of all that it came from: the texts, the modules that read them, the
versions of Python and lark. A file that does not fit, is damaged, is somebody else's or cannot be written is
as good as none.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import lark

from bidlab.systems.loading import SUFFIX, book_names, books_folder
from bidlab.systems.system import System

_READ_BY = ("bridge", "meaning", "systems")  # packages whose values a system is made of
_DIGEST = sha256().digest_size


def own_system(name: str) -> System:
    """A system of bidlab's own by its name, without switches."""
    folder = _folder()
    if folder is None:
        return System.load(name)
    path = folder / f"{name}.system"
    system = _kept(path)
    if system is None:
        system = System.load(name)
        _ = system.tree.digest, system.fingerprint  # every program that bids wants them
        _keep(path, system)
    return system


def keep_own_systems() -> None:
    """Read all of bidlab's own systems, so that the first program starts as fast as the next.

    Who sets bidlab up calls it: `make` does.
    """
    for name in book_names():
        own_system(name)


def _folder() -> Path | None:
    """Where systems are kept; None for a user without a home, and where bidlab's own files cannot be read."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        caches = given if given.is_absolute() else Path.home() / ".cache"
        return caches / "bidlab" if _origin() else None
    except (OSError, RuntimeError):
        return None


@cache
def _origin() -> bytes:
    """A digest of all that a system comes from; empty where that is not in files."""
    package = Path(__file__).parents[1]
    sources = [path for name in _READ_BY for path in (package / name).rglob("*.py")]
    texts = list(books_folder().rglob(f"*{SUFFIX}"))
    if not sources or not texts:
        return b""
    grammars = (package / "systems").glob("*.lark")
    digest = sha256(f"{sys.version} {lark.__version__}\n".encode())
    for path in sorted([*sources, *texts, *grammars]):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.digest()


# A file has the digest of what its system came from, that of what follows, and the system, pickled.


def _kept(path: Path) -> System | None:
    """The system of a file; None where there is none that is whole, up to date and the user's own."""
    content = _own_content(path)
    origin, checked, made = content[:_DIGEST], content[_DIGEST : 2 * _DIGEST], content[2 * _DIGEST :]
    if origin != _origin() or checked != sha256(made).digest():
        return None
    was_on = gc.isenabled()
    gc.disable()  # all that is made is kept: looking for what can go would take longer than making it
    try:
        system = pickle.loads(made)
    except Exception:  # whatever went wrong when it was written, the text is there
        return None
    finally:
        if was_on:
            gc.enable()
    return system if isinstance(system, System) else None


def _own_content(path: Path) -> bytes:
    """What is in a file that nobody but the user can have written; nothing where it is another's or absent.

    Who writes what pickle reads can have anything done in the user's name.
    """
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
                return b""
            return file.read()
    except OSError:
        return b""


class _Pickler(pickle.Pickler):
    """Writes frozen values as calls of their types.

    What dataclasses do by themselves asks for the fields of each value again, two fifths of the time to read.
    """

    def __init__(self, file: BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._fields: dict[type, tuple[str, ...]] = {}

    def reducer_override(self, value: object) -> Any:
        """How a value is made again; NotImplemented where pickle knows."""
        kind = type(value)
        names = self._fields.get(kind)
        if names is None:
            names = self._fields[kind] = _fields(kind)
        return (kind, tuple([getattr(value, name) for name in names])) if names else NotImplemented


def _fields(kind: type) -> tuple[str, ...]:
    """What a frozen dataclass is made of; empty for other types, and where it is not made of its fields."""
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return ()
    found = fields(kind)
    return tuple(one.name for one in found) if all(one.init and not one.kw_only for one in found) else ()


def _pickled(system: System) -> bytes:
    content = BytesIO()
    _Pickler(content).dump(system)
    return content.getvalue()


def _keep(path: Path, system: System) -> None:
    """Write a system to a file at once, so that others never see a part of it; or leave it."""
    with suppress(OSError, pickle.PicklingError, RecursionError):
        made = _pickled(system)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            try:
                file.write(_origin() + sha256(made).digest() + made)
                file.close()
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
