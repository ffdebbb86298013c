"""Building libraries, whole, in parts and after every kind of end: the same bytes, no deal solved twice."""

import errno
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.library.solving import built, fake_solve

import bidlab.doubledummy
from bidlab.bridge.errors import BidlabError
from bidlab.dealing import deal_bits
from bidlab.library import Purpose, build, library, site
from bidlab.library.workers import solved_here

ROOT = Path(__file__).parents[2]


class Counting:
    """The stand-in for the solver, which remembers the deals that it was given and can fail."""

    def __init__(self, fail_after: int | None = None, failure: BaseException | None = None) -> None:
        self.seen: list[bytes] = []
        self.fail_after, self.failure = fail_after, failure

    def __call__(self, bits: np.ndarray, threads: int = 0) -> np.ndarray:
        if self.failure is not None and self.fail_after is not None and len(self.seen) >= self.fail_after:
            raise self.failure
        self.seen += [row.tobytes() for row in bits]
        return fake_solve(bits)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.deals"


@pytest.fixture
def whole(tmp_path: Path) -> Callable[[int], bytes]:
    """The bytes of a file that was built in one go."""

    def content(count: int) -> bytes:
        path = tmp_path / f"whole-{count}.deals"
        built(path, count)
        return path.read_bytes()

    return content


# --- in parts ---


def test_each_deal_is_solved_once(file: Path) -> None:
    solve = Counting()
    done = built(file, 250, solve=solve)
    assert (done.kept, done.solved) == (0, 250)
    assert solve.seen == [row.tobytes() for row in deal_bits(250, 7)]


def test_finished_is_finished(file: Path) -> None:
    built(file, 250)
    before = file.read_bytes(), file.stat().st_mtime_ns
    solve = Counting()
    done = built(file, 250, solve=solve)
    assert (done.kept, done.solved, solve.seen) == (250, 0, [])
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


@pytest.mark.parametrize(
    "counts", [(100, 200), (1, 2, 3, 99, 100, 101), (250, 251), (37, 350), (99, 100, 450)]
)
def test_a_larger_number_makes_it_longer(
    file: Path, whole: Callable[[int], bytes], counts: tuple[int, ...]
) -> None:
    solve = Counting()
    for count in counts:
        built(file, count, solve=solve)
        assert file.read_bytes() == whole(count)
    assert len(solve.seen) == len(set(solve.seen)) == counts[-1]


def test_a_smaller_number_changes_nothing(file: Path, whole: Callable[[int], bytes]) -> None:
    built(file, 250)
    done = built(file, 30)
    assert done.library.count == 250 and done.solved == 0
    assert file.read_bytes() == whole(250)


@pytest.mark.parametrize("fail_after", [0, 1, 99, 100, 101, 230])
def test_a_failure_of_the_solver_keeps_what_was_solved(
    file: Path, whole: Callable[[int], bytes], fail_after: int
) -> None:
    first = Counting(fail_after, RuntimeError("out of luck"))
    with pytest.raises(RuntimeError, match="out of luck"):
        built(file, 250, solve=first, threads=1)
    kept = len(library(file, partial=True))
    assert len(first.seen) - 100 < kept <= len(first.seen)
    again = Counting()
    done = built(file, 250, solve=again)
    assert (done.kept, len(again.seen)) == (kept, 250 - kept)
    assert file.read_bytes() == whole(250)


@pytest.mark.parametrize("threads", [1, 2, 8, 64])
def test_threads_change_nothing(file: Path, whole: Callable[[int], bytes], threads: int) -> None:
    built(file, 730, threads=threads)
    assert file.read_bytes() == whole(730)


def test_calls_of_the_solver_fit_the_threads() -> None:
    sizes: list[int] = []

    def solve(bits: np.ndarray, threads: int = 0) -> np.ndarray:
        sizes.append(len(bits))
        return fake_solve(bits)

    blocks = [deal_bits(100, 1, first) for first in range(1, 1001, 100)]
    for threads, expected in ((1, [15, 15] + [14] * 5), (2, [25] * 4), (8, [100]), (20, [300]), (64, [1000])):
        sizes.clear()
        tables = list(solved_here(blocks, solve, threads, lambda deals: None))
        assert sizes[: len(expected)] == expected and sum(sizes) == 1000
        assert all((table == fake_solve(block)).all() for table, block in zip(tables, blocks, strict=True))


def test_progress_begins_with_what_is_there(file: Path) -> None:
    built(file, 120)
    told: list[tuple[int, int]] = []
    built(file, 250, threads=8, on_progress=lambda done, total: told.append((done, total)))
    assert told[0] == (120, 250) and told[-1] == (250, 250)
    assert [done for done, _ in told] == sorted({done for done, _ in told})


# --- what does not fit ---


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"seed": 8}, "has the seed 7, not 8"),
        ({"name": "other"}, "has the name mine, not other"),
        ({"first": 2}, "has the first deal 1, not 2"),
        ({"purpose": Purpose.JUDGE}, "has the purpose tune, not judge"),
    ],
)
def test_other_deals_are_refused(file: Path, change: dict[str, Any], text: str) -> None:
    built(file, 120, purpose=Purpose.TUNE)
    before = file.read_bytes()
    with pytest.raises(BidlabError, match=text):
        built(file, 300, **change)
    assert file.read_bytes() == before


def test_the_purpose_stays_if_none_is_given(file: Path) -> None:
    built(file, 120, purpose=Purpose.TUNE)
    assert built(file, 150).library.purpose is Purpose.TUNE


def test_all_versions_that_solved_are_named(file: Path) -> None:
    built(file, 120, solver="one")
    assert built(file, 120, solver="other").library.header.solver == "one"
    assert built(file, 150, solver="other").library.header.solver == "one, other"
    assert built(file, 170, solver="one").library.header.solver == "one, other"
    assert library(file).faults == ()


def test_two_builders_at_once_are_refused(file: Path, whole: Callable[[int], bytes]) -> None:
    def solve(bits: np.ndarray, threads: int = 0) -> np.ndarray:
        with pytest.raises(BidlabError, match=r"mine\.deals is being built already: wait"):
            built(file, 250)
        return fake_solve(bits)

    built(file, 250, solve=solve)
    assert file.read_bytes() == whole(250)


def test_wrong_tables_are_not_written(file: Path) -> None:
    with pytest.raises(BidlabError, match="deal 1: a table with 14 tricks"):
        built(file, 10, solve=lambda bits, threads=0: np.full((len(bits), 5, 4), 14, dtype=np.uint8))
    assert len(library(file, partial=True)) == 0


# --- full disks and sudden ends ---


class Failing(FileIO):
    """A file that writes so many bytes and then fails, having written a part."""

    room = 0
    failure: BaseException = OSError(errno.ENOSPC, "No space left on device")

    def write(self, content: Any) -> int:
        if len(content) > Failing.room:
            if Failing.room:
                super().write(bytes(content[: Failing.room]))
            Failing.room = 0
            raise Failing.failure
        Failing.room -= len(content)
        return super().write(content)


@pytest.mark.parametrize(
    ("room", "kept"),
    [
        (0, 0),
        (1, 0),
        (511, 0),
        (512, 0),
        (800, 0),
        (1024, 0),
        (1025, 0),
        (3327, 0),
        (3328, 100),
        (5000, 100),
        (6785, 200),
    ],
)
def test_a_full_disk_loses_no_block(
    file: Path, whole: Callable[[int], bytes], monkeypatch: pytest.MonkeyPatch, room: int, kept: int
) -> None:
    monkeypatch.setattr(site, "FileIO", Failing)
    monkeypatch.setattr(Failing, "room", room)
    with pytest.raises(OSError, match="No space left on device; the blocks before stay whole") as error:
        built(file, 250)
    assert error.value.filename == str(file) and error.value.errno == errno.ENOSPC
    assert file.exists() == (room > 0)
    monkeypatch.undo()
    assert built(file, 250).kept == kept
    assert file.read_bytes() == whole(250)


class Killed(BaseException):
    """Stands for an end that nothing can be done about."""


@pytest.mark.parametrize("seed", range(12))
def test_ends_in_any_write_lose_at_most_that_block(
    file: Path, whole: Callable[[int], bytes], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Growing in steps and torn off at random in writes of headers, of new blocks and of short ones."""
    source = random.Random(seed)
    monkeypatch.setattr(site, "FileIO", Failing)
    monkeypatch.setattr(Failing, "failure", Killed())
    kept = 0
    for count in (30, 130, 250, 420):
        for _ in range(100):
            monkeypatch.setattr(Failing, "room", source.choice((100, 600, 1300, 3000, 6000)))
            try:
                kept = len(built(file, count).library)
                break
            except Killed:
                if file.stat().st_size >= 512:
                    now = len(library(file, partial=True))
                    assert now > kept - 100
                    kept = now
        else:
            pytest.fail(f"no way to {count} deals")
    monkeypatch.undo()
    assert file.read_bytes() == whole(420)


def test_a_header_is_whole_at_any_time(file: Path, whole: Callable[[int], bytes], monkeypatch: Any) -> None:
    built(file, 130)
    content = file.read_bytes()
    for damage in (None, 100, 700):
        for room in range(0, 1025, 64):
            file.write_bytes(content)
            if damage is not None:
                with file.open("r+b") as stream:
                    stream.seek(damage)
                    stream.write(b"\xff")
            monkeypatch.setattr(site, "FileIO", Failing)
            monkeypatch.setattr(Failing, "failure", Killed())
            monkeypatch.setattr(Failing, "room", room)
            with pytest.raises(Killed):
                built(file, 250)
            assert len(library(file, partial=True)) == 130
            monkeypatch.undo()
    built(file, 250)
    assert file.read_bytes() == whole(250)


def in_process(script: str, *words: object) -> subprocess.Popen[bytes]:
    """A Python of its own, with the stand-in for the solver at hand."""
    head = "import sys, os, time, signal\nfrom tests.library.solving import built, fake_solve\n"
    command = [sys.executable, "-c", head + script, *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)


SLOW = """
def slow(bits, threads=0):
    time.sleep(0.02)
    return fake_solve(bits)
built(sys.argv[1], 2000, solve=slow, threads=8)
"""


def test_kill_at_any_time_loses_and_repeats_no_deal(file: Path, whole: Callable[[int], bytes]) -> None:
    source, kept = random.Random(1), 0
    for _ in range(3):
        process = in_process(SLOW, file)
        while not file.exists() or file.stat().st_size < 1024 + 23 * (kept + 200):
            assert process.poll() is None, process.communicate()
            time.sleep(0.005)
        time.sleep(source.random() * 0.05)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        now = len(library(file, partial=True))
        assert kept + 100 <= now < 2000
        kept = now
    rest = Counting()
    assert built(file, 2000, solve=rest).kept == kept
    assert len(rest.seen) == 2000 - kept
    assert file.read_bytes() == whole(2000)


TORN = """
from bidlab.library import site
from io import FileIO
class Torn(FileIO):
    count = 0
    def write(self, content):
        Torn.count += 1
        if Torn.count == 3:
            super().write(bytes(content[:1000]))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(content)
site.FileIO = Torn
built(sys.argv[1], 250)
"""


def test_kill_in_the_middle_of_a_write(file: Path, whole: Callable[[int], bytes]) -> None:
    process = in_process(TORN, file)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert file.stat().st_size == 1024 + 2304 + 1000
    assert library(file, partial=True).faults == ("cut short: 100 of 250 deals are whole",)
    assert built(file, 250).kept == 100
    assert file.read_bytes() == whole(250)


LIMITED = """
import resource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
built(sys.argv[1], 250)
"""


def test_a_file_that_may_not_grow(file: Path, whole: Callable[[int], bytes]) -> None:
    """The system itself tears the write, as a full disk does."""
    _, error = in_process(LIMITED, file).communicate(timeout=60)
    assert b"File too large; the blocks before stay whole" in error
    assert file.stat().st_size == 4000
    assert built(file, 250).kept == 100
    assert file.read_bytes() == whole(250)


# --- ray and the real solver ---


def fake_ray() -> Any:
    """As much of ray as is used: tasks are done when they are asked for, and come back read-only."""
    ray = SimpleNamespace(running=False, most=0, open=0)
    ray.exceptions = SimpleNamespace(RayError=type("RayError", (Exception,), {}))

    def get(task: Callable[[], np.ndarray]) -> np.ndarray:
        ray.open -= 1
        tables = task()
        tables.flags.writeable = False
        return tables

    def submit(function: Any, solve: Any, block: np.ndarray) -> Callable[[], np.ndarray]:
        ray.open += 1
        ray.most = max(ray.most, ray.open)
        block.flags.writeable = False
        return lambda: function(solve, block)

    ray.is_initialized = lambda: ray.running
    ray.init = lambda **options: setattr(ray, "running", True)
    ray.shutdown = lambda: setattr(ray, "running", False)
    ray.cluster_resources = lambda: {"CPU": 3.0}
    ray.get = get
    ray.remote = lambda function: SimpleNamespace(remote=lambda *words: submit(function, *words))
    return ray


def test_ray_gives_the_same_bytes(file: Path, whole: Callable[[int], bytes], monkeypatch: Any) -> None:
    ray = fake_ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    built(file, 130)
    told: list[int] = []
    built(file, 1250, ray=True, on_progress=lambda done, total: told.append(done))
    assert file.read_bytes() == whole(1250)
    assert told[0] == 130 and told[1] == 200 and told[-1] == 1250
    assert ray.most == 6 and not ray.running


def test_ray_is_left_running_if_it_was(file: Path, monkeypatch: Any) -> None:
    ray = fake_ray()
    ray.running = True
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(RuntimeError):
        built(file, 250, ray=True, solve=Counting(100, RuntimeError()))
    assert ray.running and len(library(file, partial=True)) == 100


def test_a_failure_on_ray_is_one_line(file: Path, monkeypatch: Any) -> None:
    ray = fake_ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    failure = ray.exceptions.RayError("a long story of many lines\n" * 9)
    failure.cause = ModuleNotFoundError("No module\nnamed 'bidlab'")
    text = "a worker on ray failed: ModuleNotFoundError: No module named 'bidlab'$"
    with pytest.raises(BidlabError, match=text):
        built(file, 250, ray=True, solve=Counting(100, failure))
    assert len(library(file, partial=True)) == 100 and not ray.running


def test_ray_is_not_installed(file: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BidlabError, match=r"ray is not installed: pip install 'bidlab\[ray\]'"):
        built(file, 250, ray=True)


def test_the_solver_of_the_house_is_the_default(file: Path) -> None:
    done = build(file, "mine", count=3, seed=7, threads=1)
    assert (done.library.tables() == bidlab.doubledummy.solve(deal_bits(3, 7), threads=1)).all()
    assert done.library.header.solver == "bidlab.doubledummy"


def test_nothing_is_left_beside_the_file(file: Path) -> None:
    built(file, 250)
    assert list(file.parent.iterdir()) == [file]
