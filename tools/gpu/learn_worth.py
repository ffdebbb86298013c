"""What calls are worth over passes, learned: python tools/gpu/learn_worth.py FOLDER SECONDS OUT.npz

The network of native/bidding/reviewer.hpp learns from the rows that `weigh_calls.py` puts into FOLDER, as
they come (they are deleted once read). FOLDER/weights.npy is its mean over the last steps, written every 45
seconds, so that the systems bid with what was learned; OUT.npz has it in the end. A tenth of the boards is
kept apart. On these a line for each two systems shows, in IMPs a board as bid and with perfect defence, what
calls would win in place of passes and passes in place of calls, where the network is so sure of it.

Without --start all calls are worth nothing more than a pass at first, and nothing is bid otherwise.
`weigh_calls.py` tells how a whole training is started.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import SUITS
from bidlab.meaning.features import HCP, feature_table, length

QUESTION, HIDDEN, LENGTHS = 144, 64, 6  # of native/bidding/question.hpp and reviewer.hpp
OUTPUTS = 2 + 2 * LENGTHS
LAST_STRAIN = slice(17, 22)  # the strain of the last bid, among the numbers of a question
KEPT = 4_000_000  # rows: older ones were bid with weights that are long outdone
LEAST = 20_000  # rows to begin with
BATCH, STEPS = 8192, 20  # rows of a step, steps between two looks at the clock
LOOKS = 8  # at a row, after which learning slows down and waits for others
PEAK, DECAY, MEAN = 1e-3, 0.03, 0.002  # learning rate, of weights, share of a step in the running mean
PUBLISHED, SCANNED = 45, 4  # seconds between two times
APART = 10  # boards with a number that it divides are kept apart
LIMITS = (0.3, 1.0)  # IMPs from which on the network is heard, in what is printed
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Choices between a call and a pass, a row each."""

    question: NDArray[np.float16]
    hand: NDArray[np.float16]  # what each output of the network is multiplied by
    won: NDArray[np.int8]  # IMPs by the call over the pass
    won_perfect: NDArray[np.int8]  # with perfect defence
    has_passed: NDArray[np.bool_]
    board: NDArray[np.int32]
    boards: int  # that were bid for them

    @classmethod
    def read(cls, path: Path) -> Rows:
        """The rows of a file."""
        with np.load(path) as file:
            question = file["question"]
            return cls(
                question,
                hand_numbers(question, file["call"], file["hand"]),
                file["won"],
                file["won_perfect"],
                file["made"] == Call.PASS,
                file["board"],
                int(file["boards"]),
            )

    def only(self, which: NDArray[np.bool_]) -> Rows:
        """Some of the rows."""
        return Rows(
            self.question[which],
            self.hand[which],
            self.won[which],
            self.won_perfect[which],
            self.has_passed[which],
            self.board[which],
            self.boards,
        )


def hand_numbers(
    question: NDArray[np.float16], calls: NDArray[np.uint8], hands: NDArray[np.uint64]
) -> NDArray[np.float16]:
    """Array [row, 14]: what hands are to a call, for `Worth` of native/bidding/reviewer.hpp.

    1, the points above ten in fives, then of six kinds of length in the suit that is bid the one that is
    held, and the same for the suit of the last bid; all six are 0 where there is no such suit.
    """
    table, rows = feature_table(hands), np.arange(len(hands))
    lengths = np.stack([table[:, length(suit).number] for suit in SUITS], axis=1)
    suit = np.where(calls >= Call.ONE_CLUB, (calls.astype(np.intp) + 2) % 5, 4)
    over = question[:, LAST_STRAIN].argmax(axis=1)
    numbers = np.zeros((len(hands), OUTPUTS), dtype=np.float16)
    numbers[:, 0] = 1
    numbers[:, 1] = (table[:, HCP.number] - 10) / 5
    for begin, strain, fewest in ((2, suit, 2), (2 + LENGTHS, over, 0)):
        kind = np.clip(lengths[rows, np.minimum(strain, 3)] - fewest, 0, LENGTHS - 1)
        numbers[rows, begin + kind] = strain < 4
    return numbers


class Ring:
    """The last rows that came, on the device."""

    def __init__(self) -> None:
        self.question = torch.zeros((KEPT, QUESTION), dtype=torch.float16, device=DEVICE)
        self.hand = torch.zeros((KEPT, OUTPUTS), dtype=torch.float16, device=DEVICE)
        self.won = torch.zeros(KEPT, device=DEVICE)
        self.added = 0

    def add(self, rows: Rows, as_bid: float) -> None:
        """Take rows in for the oldest; IMPs as bid have this weight, with perfect defence the rest."""
        count = len(rows.won)
        places = torch.from_numpy((self.added + np.arange(count)) % KEPT).to(DEVICE)
        won = as_bid * rows.won + (1 - as_bid) * rows.won_perfect
        self.question[places] = torch.from_numpy(rows.question).to(DEVICE)
        self.hand[places] = torch.from_numpy(rows.hand).to(DEVICE)
        self.won[places] = torch.from_numpy(won.astype(np.float32)).to(DEVICE)
        self.added += count

    def drawn(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """A batch: questions, hands, IMPs."""
        which = torch.randint(0, min(self.added, KEPT), (BATCH,), device=DEVICE)
        return self.question[which].float(), self.hand[which].float(), self.won[which]


def network() -> torch.nn.Sequential:
    """A network that says that every call is worth as much as a pass."""
    last = torch.nn.Linear(HIDDEN, OUTPUTS)
    torch.nn.init.zeros_(last.weight)
    torch.nn.init.zeros_(last.bias)
    first = (torch.nn.Linear(QUESTION, HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, HIDDEN))
    return torch.nn.Sequential(*first, torch.nn.ReLU(), last).to(DEVICE)


def layers(net: torch.nn.Sequential) -> Iterator[torch.nn.Linear]:
    """Those with weights."""
    return (layer for layer in net if isinstance(layer, torch.nn.Linear))


def flat(net: torch.nn.Sequential) -> Weights:
    """The weights of layer after layer: the matrix [input, output] row by row, then the biases."""
    parts = [
        part for layer in layers(net) for part in (layer.weight.detach().T.flatten(), layer.bias.detach())
    ]
    weights: Weights = torch.cat(parts).cpu().numpy()
    return weights


def fill(net: torch.nn.Sequential, weights: Weights) -> None:
    """Put weights in that order into a network."""
    left = torch.from_numpy(weights).to(DEVICE)
    with torch.no_grad():
        for layer in layers(net):
            outputs, inputs = layer.weight.shape
            matrix, biases, left = left.tensor_split((inputs * outputs, (inputs + 1) * outputs))
            layer.weight.copy_(matrix.view(inputs, outputs).T)
            layer.bias.copy_(biases)


class Learner:
    """A network that learns, and its running mean, which is what is used."""

    def __init__(self, start: Weights | None) -> None:
        self.net = network()
        if start is not None:
            fill(self.net, start)
        self.mean = deepcopy(self.net)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=PEAK, weight_decay=DECAY)
        self.steps, self.loss = 0, float("nan")

    def learn(self, ring: Ring, left: float) -> None:
        """Some steps, where this share of the time is left."""
        for group in self.optimizer.param_groups:
            group["lr"] = PEAK * max(0.05, left)
        for _ in range(STEPS):
            question, hand, won = ring.drawn()
            loss = ((worth(self.net, question, hand) - won) ** 2).mean()
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            with torch.no_grad():
                for mean, now in zip(self.mean.parameters(), self.net.parameters(), strict=True):
                    mean.lerp_(now, MEAN)
        self.steps += STEPS
        self.loss = loss.item()

    def is_ahead(self, ring: Ring) -> bool:
        """Whether the rows have been looked at often enough."""
        return self.steps * BATCH > LOOKS * ring.added


def worth(net: torch.nn.Sequential, question: torch.Tensor, hand: torch.Tensor) -> torch.Tensor:
    """IMPs that hands win by calls over passes, as a network sees it."""
    seen: torch.Tensor = net(question)
    return (seen * hand).sum(dim=1)


def publish(weights: Weights, path: Path) -> None:
    """Write weights, so that no one sees a file that is not whole."""
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.save(file, weights, allow_pickle=False)
    unfinished.rename(path)


def would_win(net: torch.nn.Sequential, apart: list[Rows]) -> str:
    """What second thoughts would win on rows kept apart, in words."""
    with torch.inference_mode():
        found = [
            worth(net, *(torch.from_numpy(part).to(DEVICE).float() for part in (rows.question, rows.hand)))
            for rows in apart
        ]
    seen = torch.cat(found).cpu().numpy()
    won, perfect = (
        np.concatenate([getattr(rows, name) for rows in apart]) for name in ("won", "won_perfect")
    )
    has_passed = np.concatenate([rows.has_passed for rows in apart])
    boards = sum(rows.boards for rows in apart) / APART
    said = []
    for limit in LIMITS:
        for word, which, sign in (
            ("calls", has_passed & (seen > limit), 1),
            ("passes", ~has_passed & (seen < -limit), -1),
        ):
            imps = (sign * float(each[which].sum()) / boards for each in (won, perfect))
            share = which.sum() / boards
            said.append(f"{word} {share:.3f}: {' '.join(f'{each:+.3f}' for each in imps)}")
        said[-2] = f"[{limit}] {said[-2]}"
    return f"{len(seen):,} rows  " + "  ".join(said)


class Training:
    """A network that learns from the rows of a folder as they come."""

    def __init__(self, folder: Path, start: Weights | None, as_bid: float) -> None:
        self.folder, self.as_bid = folder, as_bid
        self.learner, self.ring = Learner(start), Ring()
        self.apart: dict[str, list[Rows]] = defaultdict(list)  # by the systems; those that came last

    def run(self, seconds: float) -> Weights:
        """The weights after so many seconds."""
        began = published = time.monotonic()
        scanned = 0.0
        self.publish()
        while (now := time.monotonic()) - began < seconds:
            if now - scanned > SCANNED:
                scanned = now
                self.take_rows()
            if now - published > PUBLISHED:
                published = now
                self.publish()
                self.report(now - began)
            if self.ring.added < LEAST or self.learner.is_ahead(self.ring):
                time.sleep(0.5)
            if self.ring.added >= LEAST:
                self.learner.learn(self.ring, 1 - (now - began) / seconds)
        self.publish()
        self.report(seconds)
        return flat(self.learner.mean)

    def take_rows(self) -> None:
        """Read the files that have come, and delete them."""
        for path in sorted(self.folder.glob("*.rows.npz")):
            rows = Rows.read(path)
            path.unlink()
            is_apart = rows.board % APART == 0
            self.apart[" ".join(path.name.split("_")[:2])].append(rows.only(is_apart))
            self.ring.add(rows.only(~is_apart), self.as_bid)

    def publish(self) -> None:
        """Write the weights for those who bid."""
        publish(flat(self.learner.mean), self.folder / "weights.npy")

    def report(self, spent: float) -> None:
        """Print how it stands, on the rows kept apart since the last time."""
        learned = f"{self.ring.added:,} rows, {self.learner.steps:,} steps, loss {self.learner.loss:.2f}"
        print(f"{spent:.0f} s: {learned}", flush=True)
        for systems, apart in sorted(self.apart.items()):
            print(f"  {systems}: {would_win(self.learner.mean, apart)}", flush=True)
        self.apart.clear()


def main() -> None:
    """Learn until the time is over, and write the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("out", type=Path)
    parser.add_argument("--start", type=Path, help="weights made before")
    parser.add_argument(
        "--as-bid", type=float, default=0.8, help="weight of IMPs as bid; the rest: perfect defence"
    )
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    start = np.load(asked.start)["weights"].astype(np.float32) if asked.start else None
    weights = Training(asked.folder, start, asked.as_bid).run(asked.seconds)
    np.savez_compressed(asked.out, allow_pickle=False, weights=weights.astype(np.float16))


if __name__ == "__main__":
    main()
