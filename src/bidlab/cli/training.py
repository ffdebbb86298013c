"""The commands that train networks: train imitate, train selfplay.

The training itself knows torch and numpy alone and reads arrays from files. What people have, libraries and
files of boards, is turned into such files here, in the run's folder, which so has all that it was made from.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from bidlab.bidders.registry import bidder as bidder_of
from bidlab.bridge.errors import BidlabError
from bidlab.cli.boards import Json
from bidlab.cli.describing import book
from bidlab.cli.progress import measured, told_share
from bidlab.cli.trained import plot, print_run, settings_of, show
from bidlab.dealing import deal_bits
from bidlab.learning.recorded import LeftOut, RecordedAuctions, auctions_of, read_auctions
from bidlab.learning.solved import Records, learning_deals, validation_deals
from bidlab.learning.trained import IMITATION, SELF_PLAY, SOURCES, is_run, read_run
from bidlab.library import Purpose, library, shipped
from bidlab.table.bidding import Boards

_LEFT_OUT = "left-out.txt"
_TOLD = 5  # auctions left out that are told in full; all are in the run's folder
# Settings for a processor: with those for a GPU a step of imitation takes some 7 s on two cores.
ON_A_PROCESSOR: dict[str, dict[str, Any]] = {
    IMITATION: {"batch": 1024, "width": 256, "validate_every": 200},
    SELF_PLAY: {"tables": 1024, "batch": 1024, "width": 256, "validation_boards": 1000},
}

_Out = Annotated[
    Path, typer.Option("--out", "-o", metavar="RUN", help="The run's folder; goes on if it has one.")
]
_Minutes = Annotated[
    float | None, typer.Option(min=0.01, help="How long it lasts; 10 where --steps says nothing either.")
]
_Seed = Annotated[int, typer.Option(min=0, help="The same seed on the same machine gives the same weights.")]
_Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting, as in rate=0.0005; --set help lists all."),
]
_Device = Annotated[
    str | None, typer.Option(metavar="cpu|cuda", help="Where it runs; a GPU where there is one by default.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    group = typer.Typer(
        name="train",
        help="Train networks: imitate auctions, play against oneself, and look at the runs.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    group.callback()(_help)
    group.command(
        epilog="Example: bidlab train imitate matches/ --out runs/imitation --minutes 30; "
        "or a system's auctions: bidlab train imitate --bidder natural --boards 20000 --out runs/natural"
    )(imitate)
    group.command(
        epilog="Example: bidlab train selfplay --start runs/imitation/weights.npz --out runs/better"
    )(selfplay)
    group.command(epilog="Example: bidlab train book network:w.npz --out w.meanings")(book)
    group.command(epilog="Example: bidlab train show runs/better")(show)
    group.command(epilog="Example: bidlab train plot runs/better runs/other --out curves.svg")(plot)
    app.add_typer(group)


def _help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


# --- imitation --------------------------------------------------------------------------------------------


def imitate(
    out: _Out,
    auctions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AUCTIONS...",
            help="Files with deals and auctions, or folders of them: PBN, LIN, JSON, or arrays (.npz).",
        ),
    ] = None,
    bidder: Annotated[
        str | None, typer.Option(help="Imitate a bidder by name; bidlab bidders lists them.")
    ] = None,
    boards: Annotated[
        int, typer.Option("--boards", "-n", min=1, help="How many boards of --seed the bidder bids.")
    ] = 20_000,
    minutes: _Minutes = None,
    steps: Annotated[int | None, typer.Option(min=1, help="How many steps, of a batch each.")] = None,
    changes: _Set = None,
    seed: _Seed = 1,
    device: _Device = None,
    as_json: Json = False,
) -> None:
    """Train a network to call as the players of recorded auctions, or as a bidder, did."""
    training = _Training(IMITATION, changes, seed, device)
    if not auctions and bidder is None:
        raise BidlabError("nothing to imitate: files with auctions, or --bidder, are wanted")
    asked: dict[str, Any] = {"auctions": [_whole_path(path) for path in auctions or []]}
    if bidder is not None:
        _refuse_kept_boards(seed, boards)
        asked |= {"bidder": bidder, "boards": boards, "seed": seed}

    def write() -> None:
        _write_auctions(out, auctions or [], bidder, boards, seed)

    _prepare(out, asked, write)
    from bidlab.learning.selfplay.imitate import ImitationSettings
    from bidlab.learning.selfplay.imitate import imitate as train

    training.run(
        out, steps, minutes,
        lambda budget, settings: train(
            out / "auctions.npz", out, budget, ImitationSettings(**settings), training.device, quiet=True
        ),
    )  # fmt: skip
    print_run(read_run(out), as_json)


def _write_auctions(
    out: Path, sources: Sequence[str], bidder: str | None = None, boards: int = 0, seed: int = 0
) -> None:
    """Gather all that is to be imitated in the run's folder, and tell what was left out."""
    for source in sources:
        if not Path(source).exists():
            hint = "" if Path(source).suffix else f"; a bidder is named by --bidder {source}"
            raise BidlabError(f"{source}: no such file or folder of auctions{hint}")
    with _told_left_out(out) as leave_out:
        parts = [part for source in sources for part in read_auctions(source, leave_out)]
        if bidder is not None:
            player = bidder_of(bidder, seed)
            try:
                with measured("bidding", "boards") as tell:
                    dealt = Boards.numbered(deal_bits(boards, seed))
                    parts.append(auctions_of(player, dealt, leave_out, tell))
            finally:
                player.close()
        gathered = RecordedAuctions.joined(parts)
    if not len(gathered):
        raise BidlabError("no auction that can be learned from: whole ones with all cards are wanted")
    print(f"{len(gathered):,} auctions to learn from", file=sys.stderr)
    gathered.save(out / "auctions.npz")


@contextmanager
def _told_left_out(out: Path) -> Iterator[Callable[[LeftOut], None]]:
    """A function that takes what is left out: the first few are told, all are written and counted."""
    path = out / _LEFT_OUT
    counts: Counter[str] = Counter()
    with path.open("w", encoding="utf-8", errors="replace") as stream:

        def leave_out(one: LeftOut) -> None:
            text = " ".join(str(one).splitlines())
            stream.write(f"{text}\n")
            if counts.total() < _TOLD:
                print(f"bidlab: left out: {text}", file=sys.stderr)
            counts[one.kind] += 1

        try:
            yield leave_out
        finally:
            if not counts:
                path.unlink()
    if not counts:
        return
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in counts.most_common())
    print(f"bidlab: {counts.total():,} left out ({kinds}): all are listed in {path}", file=sys.stderr)


def _refuse_kept_boards(seed: int, boards: int) -> None:
    """An error where boards of a seed are kept for tuning or judging."""
    for name in shipped():
        kept = library(name, partial=True)
        if kept.purpose in (Purpose.TUNE, Purpose.JUDGE) and kept.seed == seed and kept.first <= boards:
            raise BidlabError(
                f"boards 1-{boards} of seed {seed} are those of library {name}, which is for "
                f"{kept.purpose.word}, not for learning: another --seed is wanted"
            )


# --- self-play --------------------------------------------------------------------------------------------


def selfplay(
    out: _Out,
    start: Annotated[
        Path | None,
        typer.Option(metavar="WEIGHTS", help="Weights to start from and to stay near; from nothing without."),
    ] = None,
    anchor: Annotated[
        Path | None,
        typer.Option(
            metavar="WEIGHTS", help="Weights to stay near, where --start has learned more than those."
        ),
    ] = None,
    deals: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE", help="Solved deals: a library, .npz or records; train by default."),
    ] = None,
    validation: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Solved deals kept apart, to measure on.")
    ] = "tune",
    auctions: Annotated[
        list[str] | None, typer.Option(help="Recorded auctions, to measure agreement with at the end.")
    ] = None,
    minutes: _Minutes = None,
    steps: Annotated[int | None, typer.Option(min=1, help="How many rounds of playing and learning.")] = None,
    changes: _Set = None,
    seed: _Seed = 1,
    device: _Device = None,
    as_json: Json = False,
) -> None:
    """Train a network by bidding against itself and against earlier versions, held near its anchor."""
    training = _Training(SELF_PLAY, changes, seed, device)
    sources = deals or ["train"]
    asked = {
        "deals": [_whole_path(name) for name in sources],
        "validation": _whole_path(validation),
        "start": None if start is None else _whole_path(str(start)),
        "anchor": None if anchor is None else _whole_path(str(anchor)),
        "auctions": [_whole_path(path) for path in auctions or []],
    }

    def write() -> None:
        kept = validation_deals(validation)
        _write_deals(out / "deals.npz", learning_deals(sources, kept))
        _write_deals(out / "validation.npz", kept)
        for path, name in ((start, "start.npz"), (anchor, "anchor.npz")):
            if path is not None:
                training.check_weights(path)
                shutil.copyfile(path, out / name)
        if auctions:
            _write_auctions(out, auctions)

    _prepare(out, asked, write)
    from bidlab.learning.selfplay.selfplay import SelfPlaySettings, Sources, self_play

    folder = out.resolve()
    files = Sources(
        (folder / "deals.npz",),
        folder / "validation.npz",
        start=folder / "start.npz" if start is not None else None,
        anchor=folder / "anchor.npz" if anchor is not None else None,
        auctions=folder / "auctions.npz" if auctions else None,
    )
    training.run(
        out, steps, minutes,
        lambda budget, settings: self_play(
            files, out, budget, SelfPlaySettings(**settings), training.device, quiet=True
        ),
    )  # fmt: skip
    print_run(read_run(out), as_json)


def _write_deals(path: Path, records: Records) -> None:
    np.savez(path, pack=records[:, :13], tables=records[:, 13:])


# --- both -------------------------------------------------------------------------------------------------


class _Training:
    """What both commands do: settings, device, budget, progress, and a clean end."""

    def __init__(self, kind: str, changes: list[str] | None, seed: int, device: str | None) -> None:
        try:
            import torch
        except ImportError:
            raise BidlabError(
                "training needs torch, which is not installed: pip install bidlab[train]"
            ) from None
        self.kind, self._torch = kind, torch
        self.device = self._device(device)
        settings = settings_of(kind)
        usual = ON_A_PROCESSOR[kind] if self.device.type == "cpu" else {}
        if changes == ["help"]:
            for field in fields(settings):
                print(f"{field.name}={usual.get(field.name, field.default)}")
            raise typer.Exit
        from bidlab.learning.selfplay.runs import changed_settings

        with _one_line():
            self.settings = usual | {"seed": seed} | changed_settings(settings, changes or [])
            settings(**self.settings)  # what does not go together is said before anything is written

    def _device(self, name: str | None) -> Any:
        torch = self._torch
        if name is None:
            name = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            device = torch.device(name)
        except RuntimeError:
            raise BidlabError(f"no device {name!r}: cpu or cuda is wanted") from None
        if device.type not in ("cpu", "cuda"):
            raise BidlabError(f"no device {name!r}: cpu or cuda is wanted")
        if device.type == "cuda" and not torch.cuda.is_available():
            raise BidlabError(f"no device {name!r}: torch finds no GPU here; cpu is wanted")
        return device

    def check_weights(self, path: Path) -> None:
        """Raise unless a file holds the weights of a network."""
        from bidlab.learning.selfplay.net import load_weights

        if not path.is_file():
            raise BidlabError(f"{path}: no such file: weights are wanted, as in RUN/weights.npz")
        try:
            load_weights(path, self._torch.device("cpu"))
        except Exception as error:  # whatever a file that is no weights makes torch and numpy say
            raise BidlabError(f"{path}: no weights of a network: {error}") from None

    def run(
        self,
        out: Path,
        steps: int | None,
        minutes: float | None,
        train: Callable[[Any, dict[str, Any]], object],
    ) -> None:
        """Train until the budget is used up, or somebody interrupts it; exits with status 130 then."""
        from bidlab.learning.selfplay.runs import Stoppable, stopped_by_signals

        if (out / "config.json").is_file():
            read_run(out)  # says what is damaged before anything goes on from it
        if steps is None and minutes is None:
            minutes = 10.0
        if self.device.type == "cuda":
            self._torch.set_float32_matmul_precision("high")
        with _one_line(self._torch.OutOfMemoryError), told_share("training") as tell:
            word = "steps" if self.kind == IMITATION else "rounds"
            budget = Stoppable(
                steps,
                None if minutes is None else 60 * minutes,
                lambda made, share: tell(share, lambda: f"{made:,} {word}{_latest(out)}"),
            )
            with stopped_by_signals(budget, lambda: _say_stopping(word[:-1])):
                train(budget, self.settings)
        if budget.is_stopped:
            made = read_run(out).steps
            print(
                f"bidlab: interrupted: {out} has a checkpoint after {made:,} {word}, "
                "and the same command goes on from there",
                file=sys.stderr,
            )
            raise typer.Exit(130)


def _say_stopping(step: str) -> None:
    print(f"bidlab: stopping after this {step}; once more to stop at once", file=sys.stderr)


def _latest(out: Path) -> str:
    """The newest figure of a run, for its bar."""
    run = read_run(out)
    if not run.curves:
        return ""
    if run.kind == IMITATION:
        return f", {100 * run.curves[-1]['held_out_equal']:.1f}% of held-out calls equal"
    return f", {run.curves[-1]['distance']:.2f} IMPs from par"


@contextmanager
def _one_line(*full: type[BaseException]) -> Iterator[None]:
    """Turn what the training finds wrong into errors of a line."""
    try:
        yield
    except BidlabError:
        raise
    except ValueError as error:
        raise BidlabError(str(error)) from None
    except full as error:
        text = str(error).partition(".")[0]
        raise BidlabError(f"{text}: smaller settings are wanted, as in --set batch=4096") from None


def _prepare(out: Path, asked: dict[str, Any], write: Callable[[], None]) -> None:
    """Write what the training reads into a new folder, once; a folder with other sources is an error."""
    if out.exists() and not out.is_dir():
        raise BidlabError(f"{out} is a file: a folder for the run is wanted")
    path = out / SOURCES
    if path.is_file():
        if json.loads(path.read_text(encoding="utf-8")) != asked:
            before = json.loads(path.read_text(encoding="utf-8"))
            other = [key for key in asked | before if asked.get(key) != before.get(key)]
            raise BidlabError(f"{out} has a run with other {', '.join(other)}: take a new folder")
        return
    is_empty = not out.is_dir() or not any(file.name != _LEFT_OUT for file in out.iterdir())
    if not is_empty and not is_run(out):
        raise BidlabError(f"{out} is no run's folder and not empty: a new folder is wanted")
    if is_run(out):
        raise BidlabError(f"{out} has a run that another command began: take a new folder")
    is_new = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        write()
    except BaseException:
        for file in out.iterdir():
            if file.name != _LEFT_OUT:
                file.unlink()
        if is_new and not any(out.iterdir()):
            out.rmdir()
        raise
    path.write_text(json.dumps(asked, indent=1) + "\n", encoding="utf-8")


def _whole_path(name: str) -> str:
    """A file's whole path, so that it is known from everywhere; a library's name as it is."""
    return name if name in shipped() else str(Path(name).resolve())
