"""Robots: bidders that are programs from outside, speaking JSON lines; docs/robots.md has the protocol."""

from __future__ import annotations

import json
import shlex
import threading
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from bidlab.bidders.kinds import Asked
from bidlab.bidders.programs import Program, ProgramError
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import BidlabError, quoted
from bidlab.meaning.meaning import Meaning
from bidlab.table.bidder import Bidder, BidderError, Decisions
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import ViewBatch

PROTOCOL = 1
_WAITING = 512  # requests that may wait for their answers at a time


class Robot(Bidder):
    """A bidder that is a program; whatever it does wrong ends it, and is said again whenever it is asked."""

    def __init__(
        self, command: str, timeout: float = 10.0, start: float = 30.0, seed: int = 0, name: str = ""
    ) -> None:
        self.name = name or f"exec:{command}"
        self.timeout = timeout
        self._lock = threading.Lock()
        self._asked = 0  # requests so far; the next one's id
        self._wrong = ""  # why it cannot be asked any more
        self._program: Program | None = None
        try:
            self._program = Program(_words(command), {"PYTHONUNBUFFERED": "1"})
            self.title, self.system = _greeted(self._program, start, seed)
        except ProgramError as error:
            raise self._stopped(f"{self.name}: {error}") from None

    def decide(self, view: SeatView) -> Decision:
        """The call that the program answers."""
        return self._answers([view])[0]

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The calls that the program answers, in any order, while more requests are written."""
        decisions = self._answers(list(views))
        meanings = [decision.meaning for decision in decisions]
        return Decisions(
            np.array([decision.call for decision in decisions], dtype=np.uint8),
            meanings if any(meaning is not None for meaning in meanings) else None,
        )

    def close(self) -> None:
        """Say goodbye to the program, and end it if it stays."""
        with self._lock:
            self._wrong = self._wrong or f"{self.name} was closed"
            if self._program is not None:
                self._program.close(_line({"type": "bye"}))
                self._program = None

    def _answers(self, views: Sequence[SeatView]) -> list[Decision]:
        """The decision for each view; an error at the first thing that goes wrong."""
        with self._lock:
            if self._program is None:
                raise BidderError(self._wrong)
            try:
                return self._conversation(self._program, views)
            except ProgramError as error:
                raise self._stopped(f"{self.name}, {error}") from None
            except BaseException:  # answers to what nobody waits for any more would be left in the pipe
                self._stopped(f"{self.name} was interrupted")
                raise

    def _conversation(self, program: Program, views: Sequence[SeatView]) -> list[Decision]:
        first = self._asked
        self._asked += len(views)
        requests = iter(enumerate(views, first))
        waiting: dict[int, SeatView] = {}
        answers: dict[int, Decision] = {}
        while len(answers) < len(views):
            for number, view in islice(requests, _WAITING - len(waiting)):
                waiting[number] = view
                program.send(_line(_request(number, view)))
            try:
                said = program.line(self.timeout)
                number, answer = _numbered(said, waiting)
            except ProgramError as error:  # about the request that waits longest, as far as can be known
                raise _in_auction(next(iter(waiting.values())), error) from None
            view = waiting.pop(number)
            try:
                answers[number] = _decision(answer, said, view)
            except ProgramError as error:
                raise _in_auction(view, error) from None
        return [answers[number] for number in range(first, first + len(views))]

    def _stopped(self, wrong: str) -> BidderError:
        """The error to raise, the program having been ended."""
        self._wrong = wrong
        if self._program is not None:
            self._program.close()
            self._program = None
        return BidderError(wrong)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ProgramError(f"cannot read the command {quoted(command)}: {error}") from None
    if not words:
        raise ProgramError("there is no command: exec:./mybot is one")
    return words


def _in_auction(view: SeatView, error: ProgramError) -> ProgramError:
    where = f'asked in "{view.auction}"' if len(view.auction) else "asked for the first call"
    return ProgramError(f"{where}: {error}")


def _greeted(program: Program, seconds: float, seed: int) -> tuple[str, str]:
    """The robot's own name, and that of its system."""
    program.send(_line({"bidlab": PROTOCOL, "type": "hello", "seed": seed}))
    try:
        said = program.line(seconds)
        answer = _object(said)
    except ProgramError as error:
        raise ProgramError(f"asked for its name: {error}") from None
    name, system = answer.get("name", ""), answer.get("system", "")
    if answer.get("type") != "hello" or not isinstance(name, str) or not isinstance(system, str):
        raise ProgramError(f'{_said(said)}, where {{"type": "hello", "name": "..."}} is wanted')
    return name, system


# Requests.


def _request(number: int, view: SeatView) -> dict[str, object]:
    disclosed = view.disclosed or (None,) * len(view.auction)
    return {
        "type": "call",
        "id": number,
        "hand": str(view.hand),
        "seat": str(view.seat),
        "dealer": str(view.auction.dealer),
        "vulnerable": str(view.vulnerable),
        "auction": [str(call) for call in view.auction.calls],
        "disclosed": [None if meaning is None else _written(meaning) for meaning in disclosed],
        "legal": [str(call) for call in view.legal_calls],
    }


@lru_cache(maxsize=1 << 12)  # the same few meanings come at every table
def _written(meaning: Meaning) -> str:
    return str(meaning)


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message).encode()


# Answers.


def _numbered(said: bytes, waiting: dict[int, SeatView]) -> tuple[int, dict[str, object]]:
    """Which request an answer belongs to, and what is in it."""
    answer = _object(said)
    number = answer.get("id")
    if type(number) is not int or number not in waiting:
        raise ProgramError(f"{_said(said)}, where the id of a request that waits is wanted")
    return number, answer


def _decision(answer: dict[str, object], said: bytes, view: SeatView) -> Decision:
    """What an answer says, checked."""
    call, meaning, reasons = answer.get("call"), answer.get("meaning"), answer.get("reasons") or []
    if not isinstance(call, str):
        raise ProgramError(f'{_said(said)}, where "call": "1N" or another call is wanted')
    if not isinstance(meaning, str | None):
        raise ProgramError(f'{_said(said)}, where "meaning" is to be a text')
    if not (isinstance(reasons, list) and all(isinstance(reason, str) for reason in reasons)):
        raise ProgramError(f'{_said(said)}, where "reasons" is to be a list of texts')
    try:
        made = _legal(call, view.auction)
        return Decision(made, None if meaning is None else _read(meaning), tuple(reasons))
    except BidlabError as error:
        raise ProgramError(f"{_said(said)}: {error}") from None


def _legal(text: str, auction: Auction) -> Call:
    return auction.after(Call(text)).calls[-1]


_read = lru_cache(maxsize=1 << 12)(Meaning.parse)


def _object(said: bytes) -> dict[str, object]:
    try:
        message = json.loads(said)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise ProgramError(f"{_said(said)}, which is no JSON object")
    return message


def _said(said: bytes) -> str:
    return f"it said {quoted(said.decode('utf-8', errors='replace'))}"


def robot(asked: Asked) -> Robot:
    """The bidder that a program is."""
    return Robot(
        asked.argument or "",
        asked.number("timeout", 10.0),
        asked.number("start", 30.0),
        asked.seed,
        asked.text if "seed" in asked.parameters or not asked.seed else f"{asked.text},seed={asked.seed}",
    )
