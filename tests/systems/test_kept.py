"""Systems as they were read before: the same as those of the text, and no harm where a file is not right."""

import os
import pickle
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from bidlab.bidders.expert import Expert
from bidlab.dealing import random_boards
from bidlab.systems import kept
from bidlab.systems.book import Book
from bidlab.systems.kept import own_system
from bidlab.systems.loading import book_names
from bidlab.systems.named import load_system
from bidlab.systems.system import System
from bidlab.table.one_board import bid_out


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where systems are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "bidlab"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the systems that were read from their text."""
    names: list[str] = []
    load = System.load

    def noted(name: str) -> System:
        names.append(name)
        return load(name)

    monkeypatch.setattr(System, "load", noted)
    return names


def test_a_system_is_read_once_and_found_the_next_time(folder: Path, read: list[str]) -> None:
    own_system("natural")
    own_system("natural")
    assert read == ["natural"] and [path.name for path in folder.iterdir()] == ["natural.system"]


def test_who_sets_bidlab_up_keeps_all_systems(folder: Path, read: list[str]) -> None:
    kept.keep_own_systems()
    assert read == book_names() == sorted(path.stem for path in folder.iterdir())
    kept.keep_own_systems()
    assert read == book_names()


@pytest.mark.parametrize("name", book_names())
def test_a_kept_system_has_the_rules_of_its_text(name: str, folder: Path) -> None:
    own_system(name)
    found, text = own_system(name), System.load(name)
    assert found.fingerprint == text.fingerprint and found.tree.digest == text.tree.digest
    assert (found.texts, found.sections, found.conventions) == (text.texts, text.sections, text.conventions)
    assert (found.name, found.title, found.second_thoughts) == (text.name, text.title, text.second_thoughts)
    for one, other in zip(found.tree.rules, text.tree.rules, strict=True):
        assert (one.line, one.order, one.source, one.samples) == (
            other.line,
            other.order,
            other.source,
            other.samples,
        )
        assert (one.condition, one.forecast, one.asked) == (other.condition, other.forecast, other.asked)


def test_a_kept_system_bids_as_its_text(folder: Path) -> None:
    own_system("sayc")
    found, text = (Expert(Book(system), "sayc") for system in (own_system("sayc"), System.load("sayc")))
    for board in random_boards(20, seed=7):
        auction, decisions = bid_out(board, found, found)
        assert (auction, decisions) == bid_out(board, text, text)


def test_switches_and_files_are_read_as_ever(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "natural.bids"
    file.write_text("system Mine\n\nopening\n  P\n")
    assert load_system(str(file)).name == "Mine"
    assert load_system("natural", stayman="off").conventions["stayman"] is False
    assert not folder.exists()
    assert load_system("natural").conventions["stayman"] is True
    assert folder.exists()


def spoilt(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


@pytest.mark.parametrize(
    "change",
    [
        lambda content: b"",
        lambda content: content[:20],
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: spoilt(content, 0),  # of another version
        lambda content: spoilt(content, 40),
        lambda content: spoilt(content, len(content) // 2),
        lambda content: content + b"more",
    ],
)
def test_a_damaged_or_old_file_is_read_anew_and_written_anew(change, folder: Path, read: list[str]) -> None:
    own_system("empty")
    path = folder / "empty.system"
    content = path.read_bytes()
    path.write_bytes(change(content))
    assert own_system("empty").name == "Empty"
    assert read == ["empty", "empty"] and path.read_bytes()[:64] == content[:64]


def test_a_file_of_something_else_is_no_system(folder: Path, read: list[str]) -> None:
    for made in (pickle.dumps("no system"), b"no pickle"):
        folder.mkdir(exist_ok=True)
        (folder / "empty.system").write_bytes(kept._origin() + sha256(made).digest() + made)
        assert isinstance(own_system("empty"), System)
    assert read == ["empty", "empty"]


def test_a_changed_text_or_module_makes_what_was_kept_old(
    folder: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "package"
    for name in ("bridge", "meaning", "systems/books"):
        (package / name).mkdir(parents=True)
    module, text = package / "systems" / "kept.py", package / "systems" / "books" / "one.bids"
    module.write_text("# reads")
    text.write_text("opening")
    monkeypatch.setattr(kept, "__file__", str(module))
    monkeypatch.setattr(kept, "books_folder", lambda: text.parent)
    digests = [kept._origin.__wrapped__()]
    for path, words in ((text, "opening\n  P"), (module, "# reads more"), (package / "bridge" / "b.py", "")):
        path.write_text(words)
        digests.append(kept._origin.__wrapped__())
    assert len(set(digests)) == len(digests) and all(digests)
    text.unlink()
    assert kept._origin.__wrapped__() == b""


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files here have no owner")
def test_a_file_that_others_can_have_written_is_not_used(
    folder: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own_system("empty")
    (folder / "empty.system").chmod(0o666)
    own_system("empty")
    assert read == ["empty"] * 2
    assert (folder / "empty.system").stat().st_mode & 0o077 == 0  # written anew
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: 12345)
        own_system("empty")
    assert read == ["empty"] * 3


def test_where_nothing_can_be_written_systems_are_read(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert own_system("empty").name == own_system("empty").name == "Empty"
    assert read == ["empty", "empty"]


def test_a_full_disk_leaves_nothing_behind(
    folder: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert own_system("empty").name == "Empty"
    assert list(folder.iterdir()) == []


def test_a_user_without_a_home_reads_the_text(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr(Path, "home", homeless)
    assert own_system("empty").name == "Empty" and read == ["empty"]


def test_a_relative_folder_for_caches_is_none(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    own_system("empty")
    assert (tmp_path / "home" / ".cache" / "bidlab" / "empty.system").exists()
    assert not (tmp_path / "caches").exists()


def test_two_processes_at_once_both_have_the_system(folder: Path) -> None:
    code = "from bidlab.systems.kept import own_system; print(own_system('natural').fingerprint)"
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in "ab"]
    said = {process.communicate()[0].strip() for process in both}
    assert said == {System.load("natural").fingerprint}
    assert [path.name for path in folder.iterdir()] == ["natural.system"]
