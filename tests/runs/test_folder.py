"""Run folders: files that are whole or absent, and the checkpoint before the newest."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.runs import RunFolder, seed_at
from bidlab.runs.folder import BEFORE, NEWEST, RUN


def begun(path: Path) -> RunFolder:
    return RunFolder.begun(path / "run", "test", 3, {"size": 7})


def saved(folder: RunFolder, number: int) -> None:
    folder.save({"numbers": np.full(100, number)}, {"number": number})


def numbers(folder: RunFolder) -> tuple[int, int]:
    found = folder.latest()
    assert found is not None
    return int(found.arrays["numbers"][0]), found.facts["number"]


def test_what_was_asked_comes_back(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    assert RunFolder.opened(folder.path, "test", 3).asked == {"size": 7}
    assert folder.latest() is None


def test_the_last_two_checkpoints_are_kept(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    for number in range(4):
        saved(folder, number)
    assert numbers(folder) == (3, 3)
    (folder.path / NEWEST).unlink()
    assert numbers(folder) == (2, 2)
    assert sorted(file.name for file in folder.path.iterdir()) == [BEFORE, RUN]


@pytest.mark.parametrize("length", [0, 1, 200, -1])
def test_a_checkpoint_cut_short_gives_way_to_the_one_before(tmp_path: Path, length: int) -> None:
    folder = begun(tmp_path)
    saved(folder, 1)
    saved(folder, 2)
    path = folder.path / NEWEST
    path.write_bytes(path.read_bytes()[:length])
    found = folder.latest()
    assert found is not None and found.facts == {"number": 1}
    assert len(found.notes) == 1 and f"{path} is damaged" in found.notes[0]


def test_a_damaged_checkpoint_never_takes_the_place_of_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(tmp_path)
    saved(folder, 1)
    saved(folder, 2)
    (folder.path / NEWEST).write_bytes(b"PK")
    again = RunFolder.opened(folder.path, "test", 3)
    again.latest()
    with killed_before_the_last_rename(monkeypatch):
        saved(again, 2)
    assert numbers(again) == (1, 1)
    saved(again, 2)
    saved(again, 3)
    (folder.path / NEWEST).unlink()
    assert numbers(again) == (2, 2)


def test_a_checkpoint_with_a_wrong_byte_gives_way_too(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    saved(folder, 1)
    saved(folder, 2)
    content = bytearray((folder.path / NEWEST).read_bytes())
    content[len(content) // 3] ^= 0x40
    (folder.path / NEWEST).write_bytes(content)
    assert numbers(folder) == (1, 1)


def test_without_a_whole_checkpoint_it_is_said(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    for number in range(2):
        saved(folder, number)
    for name in (NEWEST, BEFORE):
        (folder.path / name).write_bytes(b"PK")
    with pytest.raises(FormatError, match="no checkpoint is whole"):
        folder.latest()


@contextmanager
def killed_before_the_last_rename(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    usual = Path.replace

    def killed(self: Path, target: Path) -> Path:
        if self.name.startswith(NEWEST + "."):
            raise KeyboardInterrupt
        return usual(self, target)

    with monkeypatch.context() as changed:
        changed.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            yield


def test_a_kill_between_the_two_renames_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(tmp_path)
    for number in range(3):
        saved(folder, number)
    with killed_before_the_last_rename(monkeypatch):
        saved(folder, 3)
    assert numbers(folder) == (2, 2)
    saved(folder, 3)
    assert numbers(folder) == (3, 3)


def test_a_full_disk_leaves_the_last_checkpoints(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    saved(folder, 1)
    saved(folder, 2)
    before = {file.name: file.read_bytes() for file in folder.path.iterdir()}
    read, write = os.pipe()
    if not (child := os.fork()):
        # No file of this process may have more than 300 bytes, as if the disk had no more.
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
        try:
            saved(folder, 3)
        except BidlabError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    said = os.read(read, 1000).decode()
    os.close(read)
    assert "checkpoint.npz cannot be written: File too large; what was there before stands" in said
    assert {file.name: file.read_bytes() for file in folder.path.iterdir()} == before


def test_one_process_at_a_time(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    folder.lock()
    with pytest.raises(BidlabError, match="is being run by another process"):
        RunFolder.opened(folder.path, "test", 3).lock()
    folder.unlock()
    other = RunFolder.opened(folder.path, "test", 3)
    other.lock()
    other.unlock()


# --- wrong input --------------------------------------------------------------------------------------------


def test_folders_that_are_in_use_are_refused(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    with pytest.raises(BidlabError, match=f"has a run: go on with it by --resume {folder.path}"):
        begun(tmp_path)
    with pytest.raises(BidlabError, match="not empty: a new folder is wanted"):
        RunFolder.begun(tmp_path, "test", 3, {})
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(BidlabError, match="is a file: a folder"):
        RunFolder.begun(file, "test", 3, {})


def test_runs_of_another_kind_or_version_are_refused(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    with pytest.raises(BidlabError, match=r"has no run: there is no run\.json"):
        RunFolder.opened(tmp_path, "test", 3)
    with pytest.raises(FormatError, match="is of no other run"):
        RunFolder.opened(folder.path, "other", 3)
    with pytest.raises(FormatError, match="has a run of version 3: this bidlab goes on with version 4"):
        RunFolder.opened(folder.path, "test", 4)
    (folder.path / RUN).write_text("{")
    with pytest.raises(FormatError, match="is no JSON"):
        RunFolder.opened(folder.path, "test", 3)


# --- seeds --------------------------------------------------------------------------------------------------


def test_places_have_seeds_of_their_own() -> None:
    places = [(), (0,), (1,), (0, 0), (0, 1), (1, 0), (0, 0, 0)]
    found = {seed_at(seed, *place) for seed in range(50) for place in places}
    assert len(found) == 50 * len(places)
