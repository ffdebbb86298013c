"""Programs that bid: the one of the documentation, and some that misbehave."""

import gc
import shlex
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent, indent

import numpy as np
import pytest
from examples import natural_bot
from tests.bidders.positions import views

from bidlab.bidders import bidder
from bidlab.bidders.robots import Robot, _request
from bidlab.bridge.calls import Auction, Call
from bidlab.dealing import random_boards
from bidlab.meaning import Meaning
from bidlab.table import BidderError, SeatView, ViewBatch

ROOT = Path(__file__).parents[2]
BOT = ROOT / "examples" / "natural_bot.py"
VIEW = SeatView("AK2.KQ83.T93.A76", Auction("N", "none", "1S P 2S"))
GREETING = """
    import json, os, sys, time
    def say(**words):
        print(json.dumps(words), flush=True)
    hello = json.loads(sys.stdin.readline())
    say(type="hello", name="odd", system="none")
    def asked():
        return json.loads(sys.stdin.readline())
"""


@pytest.fixture
def robot(tmp_path: Path):
    """Makes robots of the lines after the greeting; they are closed at the end."""
    made: list[Robot] = []

    def make(body: str, more: str = "", greeting: str = GREETING) -> Robot:
        path = tmp_path / f"odd{len(made)}.py"
        path.write_text(dedent(greeting) + dedent(body))
        robot = bidder(f"exec:python {shlex.quote(str(path))}{more}")
        assert isinstance(robot, Robot)
        made.append(robot)
        return robot

    yield make
    for robot in made:
        robot.close()


def wrong(robot: Robot, view: SeatView = VIEW) -> str:
    """The one line with which a robot fails, after which it is gone and says the same again."""
    with pytest.raises(BidderError) as caught:
        robot.decide(view)
    line = str(caught.value)
    assert "\n" not in line and line.startswith(f"{robot.name}, asked in ")
    assert robot._program is None
    with pytest.raises(BidderError) as again:
        robot.decide_many(ViewBatch.of([view]))
    assert str(again.value) == line
    return line.removeprefix(f'{robot.name}, asked in "{view.auction}": ')


def is_running(pid: int) -> bool:
    """Whether a process is there and not only a name without a body."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_gone(pid: int) -> bool:
    """Whether a process ends soon: one whose parent has died is reaped by another."""
    deadline = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_running(pid)


# --- the bot of the documentation ---


def test_the_page_shows_the_bot_to_the_letter() -> None:
    page = (ROOT / "docs" / "robots.md").read_text()
    assert page.endswith("The program:\n\n" + indent(BOT.read_text(), "    "))


def test_the_bot_bids_50_boards_as_a_program_as_it_does_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    robot = bidder("exec:python examples/natural_bot.py")
    assert (robot.title, robot.system) == ("natural bot", "five-card majors, 15-17 notrump")
    contracts = set()
    for board in random_boards(50, seed=3):
        auction, told = Auction(board.dealer, board.vulnerable), ()
        while not auction.is_ended:
            view = SeatView(board.deal.hand(auction.turn), auction, told)
            decision = robot.decide(view)
            here = natural_bot.decide(_request(0, view))
            assert str(decision.call) == here["call"]
            assert decision.meaning == (Meaning.parse(here["meaning"]) if "meaning" in here else None)
            assert decision.meaning is None or decision.meaning.admits(view.hand)
            auction, told = auction.after(decision.call), (*told, decision.meaning)
        contracts.add(auction.contract)
    assert len(contracts) > 20
    robot.close()


@pytest.mark.parametrize(
    ("hand", "calls", "call"),
    [
        ("AK2.KQ83.T93.A76", "", "1N"),
        ("AK942.KQ832.93.6", "", "1S"),
        ("AK94.KQ83.T93.76", "", "1D"),
        ("AK94.Q83.K93.J76", "", "1C"),
        ("A2.K3.KJ93.QJ762", "", "1C"),
        ("A942.K832.Q93.76", "", "P"),
        ("942.K8.AQ93.J762", "1S P", "3S"),
        ("942.K8.AK93.QJ62", "1S P", "4S"),
        ("92.K85.AJ93.J762", "1S P", "1N"),
        ("AJ92.K8.Q73.J762", "1C P", "1S"),
        ("AJ2.K84.Q73.J762", "1N P", "3N"),
        ("J8762.84.Q73.J76", "1N P", "2S"),
        ("Q2.AJ983.K93.A76", "1H P 2H P", "P"),
        ("A2.AQJ83.K93.AQ6", "1H P 2H P", "4H"),
        ("A2.AQJ83.K93.876", "1S", "P"),
        ("A2.AQJ83.K93.876", "1D", "1H"),
        ("K2.AQ83.K93.AQ76", "1N P 2N P", "3N"),
        ("K2.AQ83.K93.AQ76", "1N P 2S P", "P"),
    ],
)
def test_the_bot_bids_as_players_do(hand: str, calls: str, call: str) -> None:
    assert natural_bot.decide(_request(0, SeatView(hand, Auction("N", "none", calls))))["call"] == call


# --- good ones ---


def test_two_thousand_requests_are_pipelined_and_answered_in_any_order(robot) -> None:
    shuffler = robot("""
        import random
        waiting = []
        for line in sys.stdin:
            request = json.loads(line)
            if request["type"] == "bye":
                break
            waiting.append(request)
            if len(waiting) == 100:
                random.shuffle(waiting)
                for request in waiting:
                    call = request["legal"][sum(map(ord, request["hand"])) % len(request["legal"])]
                    say(id=request["id"], call=call, reasons=["because"] * 20)
                waiting.clear()
    """)
    some = views(2000, seed=5, length=4)
    calls = shuffler.decide_many(ViewBatch.of(some)).calls
    expected = [view.legal_calls[sum(map(ord, str(view.hand))) % len(view.legal_calls)] for view in some]
    assert (calls == np.array(expected)).all()


def test_a_robot_that_reads_everything_before_it_answers_is_no_deadlock(robot) -> None:
    late = robot("""
        lines = [sys.stdin.readline() for _ in range(500)]
        for line in lines:
            say(id=json.loads(line)["id"], call="P", reasons=["x" * 1000])
    """)
    assert not late.decide_many(ViewBatch.of(views(500, seed=5, length=12))).calls.any()


def test_meanings_go_both_ways(robot) -> None:
    echo = robot("""
        request = asked()
        say(id=request["id"], call="Pass", meaning=request["disclosed"][1], reasons=[request["vulnerable"]])
        request = asked()
        say(id=request["id"], call="4NT", reasons=request["disclosed"] == [None, None] and request["legal"])
    """)
    told = (None, Meaning.parse("8+, 4+ in a major"))
    view = SeatView(VIEW.hand, Auction("W", "EW", "1N P"), told)
    decision = echo.decide(view)
    assert (decision.call, decision.meaning, decision.reasons) == (Call.PASS, told[1], ("EW",))
    decision = echo.decide(SeatView(VIEW.hand, Auction("W", "EW", "1N P")))
    assert decision.call == Call("4N") and decision.meaning is None
    assert decision.reasons == tuple(map(str, view.legal_calls))


def test_a_flood_on_standard_error_blocks_nobody(robot) -> None:
    loud = robot("""
        for i in range(20):
            request = asked()
            for _ in range(4):
                sys.stderr.write("noise " * 20_000 + "\\n")
                time.sleep(0.002)
            say(id=request["id"], call="P")
    """)
    assert not loud.decide_many(ViewBatch.of(views(20, seed=5, length=2))).calls.any()


def test_the_seed_goes_to_the_robot_and_into_its_name(tmp_path: Path, robot) -> None:
    seeded = robot(
        'request = asked(); say(id=request["id"], call="P", reasons=[str(hello["seed"])])', ",seed=5"
    )
    assert seeded.decide(VIEW).reasons == ("5",) and seeded.name.endswith(",seed=5")
    other = bidder(seeded.name.removesuffix(",seed=5"), seed=7)
    assert other.name.endswith(",seed=7") and other.decide(VIEW).reasons == ("7",)
    other.close()


# --- bad ones ---


def test_a_robot_that_hangs_is_stopped(robot) -> None:
    start = time.monotonic()
    line = wrong(robot("time.sleep(100)", ",timeout=0.3"))
    assert line == "no answer within 0.3 seconds" and time.monotonic() - start < 10


def test_a_robot_that_never_greets_is_stopped(robot) -> None:
    with pytest.raises(BidderError, match=r"asked for its name: no answer within 0\.3 seconds"):
        robot("import time; time.sleep(100)", ",start=0.3", greeting="")


def test_a_robot_that_dies_at_once_is_told_with_its_last_words(robot) -> None:
    with pytest.raises(BidderError, match="it ended with status 3; its last words were 'no licence'"):
        robot("import sys; print('no licence\\n', file=sys.stderr); sys.exit(3)", greeting="")
    with pytest.raises(BidderError, match="it ended with status 1; its last words were 'ZeroDivisionError"):
        robot("1 / 0", greeting="")


def test_a_robot_that_dies_in_the_middle_is_told(robot) -> None:
    dies = 'asked(); request = asked(); say(id=request["id"] - 1, call="P"); '
    some = ViewBatch.of(views(5, seed=5, length=2))
    for end, how in (
        ("sys.exit(4)", "it ended with status 4"),
        ("os.kill(os.getpid(), 9)", "it ended by signal 9"),
        ("os.close(1); time.sleep(100)", "it closed its output"),
    ):
        with pytest.raises(BidderError) as caught:
            robot(dies + end).decide_many(some)
        assert str(caught.value).endswith(f'asked in "{some[1].auction}": {how}')


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("print('thinking ...', flush=True)", "it said 'thinking ...', which is no JSON object"),
        ("print('[' * 100_000, flush=True)", "which is no JSON object"),
        ("os.write(1, bytes([255, 0, 10]))", "it said '\ufffd\\x00', which is no JSON object"),
        ("say(call='P')", "where the id of a request that waits is wanted"),
        ("say(id=77, call='P')", "where the id of a request that waits is wanted"),
        ("say(id=False, call='P')", "where the id of a request that waits is wanted"),
        ("say(id=0)", 'where "call": "1N" or another call is wanted'),
        ("say(id=0, call=3)", "or another call is wanted"),
        ("say(id=0, call='8C')", "no call '8C'"),
        ("say(id=0, call='2H')", 'illegal call 2H over 2S in "1S P 2S": a bid must outrank 2S'),
        ("say(id=0, call='XX')", "illegal call XX"),
        ("say(id=0, call='P', meaning='15-17 hpc')", "unknown word 'hpc' (did you mean 'hcp'?)"),
        ("say(id=0, call='P', meaning=4)", 'where "meaning" is to be a text'),
        ("say(id=0, call='P', reasons='why')", 'where "reasons" is to be a list of texts'),
        ("os.write(1, b'x' * 3_000_000)", "a line without an end"),
    ],
)
def test_nonsense_is_quoted_and_stops_the_robot(robot, said: str, why: str) -> None:
    line = wrong(robot(f"asked(); {said}; time.sleep(100)"))
    assert why in line and "said '" in line and len(line) < 250


def test_a_greeting_that_is_none_is_quoted(robot) -> None:
    with pytest.raises(BidderError, match=r"it said 'Hello!', which is no JSON object"):
        robot("print('Hello!', flush=True)", greeting="")
    with pytest.raises(BidderError, match=r'it said .*, where {"type": "hello", "name": "\.\.\."} is wanted'):
        robot('print(\'{"type": "call"}\', flush=True)', greeting="")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("./no-such-bot", "cannot start './no-such-bot': No such file or directory"),
        (str(ROOT / "README.md"), "Permission denied"),
        ("bot 'a", "cannot read the command"),
    ],
)
def test_a_program_that_cannot_start_is_one_line(command: str, why: str) -> None:
    with pytest.raises(BidderError) as caught:
        bidder(f"exec:{command}")
    assert why in str(caught.value) and "\n" not in str(caught.value)


# --- the end ---

PARENT = """
    import subprocess
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    request = asked()
    say(id=request["id"], call="P", reasons=[str(os.getpid()), str(child.pid)])
"""


def test_a_robot_is_told_to_go_and_ends_by_itself(robot, tmp_path: Path) -> None:
    told = robot(f"""
        open({str(tmp_path / "bye")!r}, "w").write(asked()["type"] + sys.stdin.read())
    """)
    start = time.monotonic()
    told.close()
    assert (tmp_path / "bye").read_text() == "bye" and time.monotonic() - start < 5
    with pytest.raises(BidderError, match="was closed"):
        told.decide(VIEW)
    told.close()


def test_a_robot_that_stays_is_killed_with_what_it_started(robot) -> None:
    stays = robot(PARENT + "    time.sleep(100)\n")
    pids = [int(pid) for pid in stays.decide(VIEW).reasons]
    assert all(map(is_running, pids))
    stays.close()
    assert all(map(is_gone, pids))


def test_a_robot_ends_when_nobody_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(dedent(GREETING) + dedent(PARENT) + "time.sleep(100)\n")
    forgotten = bidder(f"exec:python {shlex.quote(str(path))}")
    pids = [int(pid) for pid in forgotten.decide(VIEW).reasons]
    del forgotten
    gc.collect()
    assert all(map(is_gone, pids))


def test_a_robot_ends_with_the_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(dedent(GREETING) + dedent(PARENT) + "time.sleep(100)\n")
    program = f"""
import bidlab
bot = bidlab.bidder({f"exec:python {shlex.quote(str(path))}"!r})
print(*bot.decide(bidlab.SeatView({str(VIEW.hand)!r}, bidlab.Auction())).reasons)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert all(is_gone(int(pid)) for pid in ran.stdout.split())


def test_a_robot_that_fails_leaves_no_pipe_open(robot) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        wrong(robot("asked(); print('nonsense', flush=True)"))
    assert len(list(Path("/proc/self/fd").iterdir())) == before
