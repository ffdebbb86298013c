"""`bidlab train show` and `plot`, on runs written by hand: neither needs torch."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.saying import fails

from bidlab.bidders.meaningbook import MeaningBook

IMITATION = """seconds,step,loss,held_out_loss,held_out_equal,held_out_equal_but_passes,decisions_a_second
10,1000,0.9,0.7,0.77,0.53,100000
20,2000,0.6,0.65,0.79,0.57,120000
"""
SELF_PLAY = (
    "seconds,round,decisions,deals,distance,distance_perfect,duel,duel_error,duel_perfect,policy,value,"
    "entropy,divergence,clipped,playing,decisions_a_second\n"
    "1,0,0,50000,4.5,4.9,0,0,0,0,0,0,0,0,0,0\n"
    "60,10,3000000,50000,4.4,4.8,0.2,0.03,0.3,-0.001,0.6,0.4,0.1,0.02,0.5,50000\n"
    "120,20,6000000,60000,4.2,4.6,0.5,0.04,0.7,-0.001,0.5,0.3,0.2,0.03,0.5,50000\n"
)
VERSIONS = {"torch": "2.13.0", "numpy": "2.3", "device": "processor"}


def _written(folder: Path, config: dict, curves: str, best: dict | None, **checkpoint: float) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({**config, "versions": VERSIONS}))
    (folder / "curves.csv").write_text(curves)
    for name, about in (("weights", best), ("checkpoint", checkpoint)):
        if about:
            np.savez(folder / f"{name}.npz", about=np.array(json.dumps(about)))
    return folder


@pytest.fixture
def imitation(tmp_path) -> Path:
    config = {"command": "imitate", "auctions": "auctions.npz", "batch": 64, "rate": 0.001, "steps": 2000}
    best = {"step": 2000, "held_out_loss": 0.65, "held_out_equal": 0.79, "held_out_equal_but_passes": 0.57}
    return _written(
        tmp_path / "imitation", {**config, "seconds": None}, IMITATION, best, elapsed=21, step=2000
    )


@pytest.fixture
def self_play(tmp_path) -> Path:
    config = {"command": "selfplay", "deals": ["deals.npz"], "start": "w.npz", "rate": 0.0002, "steps": None}
    best = {"round": 20, "decisions": 6000000, "distance": 4.2, "distance_perfect": 4.6, "duel": 0.5,
            "duel_error": 0.04, "duel_perfect": 0.7}  # fmt: skip
    checkpoint = {"elapsed": 130.5, "round": 21, "decisions": 6300000}
    run = _written(tmp_path / "better", {**config, "seconds": 600.0}, SELF_PLAY, best, **checkpoint)
    figures = {"held_out_loss": 0.6, "held_out_equal": 0.79, "held_out_equal_but_passes": 0.57}
    (run / "agreement.json").write_text(
        json.dumps({"before": figures, "after": {**figures, "held_out_equal": 0.75}})
    )
    return run


def test_show_tells_what_an_imitation_is(said, imitation):
    status, out, err = said("train", "show", str(imitation))
    assert (status, err) == (0, "")
    assert out.startswith(f"{imitation}: imitation, finished, 21 s on a processor\n")
    assert "2,000 steps; 2,000 steps made" in out
    assert "batch 64" in out
    assert "from 128,000 decisions, 120,000 a second at the end" in out
    assert "step 2,000: 79.0% of held-out calls equal, 57.0% without passes; cross-entropy 0.650" in out


def test_show_tells_what_a_self_play_is(said, self_play):
    _, out, _ = said("train", "show", str(self_play))
    words = " ".join(out.split())
    assert "self-play, interrupted, 2 min 10 s on a processor" in words
    assert "weights w.npz; 60,000 solved deals of deals.npz" in words
    assert "10 min 0 s; 21 rounds made, 22% of it" in words
    assert "rate 0.0002" in words
    assert "round 20: 4.200 IMPs from par as bid, 4.600 with perfect defence" in words
    assert "against its anchor +0.500 ± 0.040 IMPs a board as bid, +0.700 with perfect defence" in words
    assert "79.0% of recorded calls before, 75.0% after; without passes 57.0% and 57.0%" in words


def test_show_as_json(said, self_play):
    found = json.loads(said("train", "show", str(self_play), "--json")[1])
    assert found["command"] == "selfplay" and found["state"] == "interrupted"
    assert found["rounds"] == 21 and found["decisions"] == 6_300_000 and found["seconds"] == 130.5
    assert found["best"]["duel"] == 0.5 and found["agreement"]["after"]["held_out_equal"] == 0.75
    assert found["last"]["distance"] == 4.2 and found["settings"] == {"rate": 0.0002}
    assert found["budget"] == {"steps": None, "seconds": 600.0}


def test_a_run_that_has_measured_nothing_yet_is_shown(said, tmp_path):
    config = {"command": "imitate", "auctions": "a.npz", "batch": 64, "steps": 5, "seconds": None}
    run = _written(tmp_path / "new", config, "", None)
    status, out, _ = said("train", "show", str(run))
    assert status == 0 and "imitation, unfinished" in out and "nothing was measured yet" in out
    fails(
        said("train", "plot", str(run), "--out", str(tmp_path / "x.png")),
        "no curves in",
        "nothing was measured",
    )


def test_what_is_no_run_is_one_line(said, imitation, tmp_path):
    fails(
        said("train", "show", str(tmp_path)), f"no run in {tmp_path}: a folder that bidlab train has written"
    )
    fails(said("train", "show", str(tmp_path / "none")), "no run in")
    fails(said("train", "plot", str(imitation), "--out", "x.jpg"), "no picture x.jpg", ".png .svg .pdf")
    fails(said("train", "plot", str(imitation), "--out", "no/x.png"), "no directory no to write x.png in")
    (imitation / "weights.npz").write_bytes(b"nothing")
    fails(said("train", "show", str(imitation)), "weights.npz: no file of arrays, about is wanted")
    (imitation / "config.json").write_text("{")
    fails(said("train", "show", str(imitation)), "config.json: no JSON")


def test_a_row_that_is_being_written_is_left_alone(said, imitation):
    with (imitation / "curves.csv").open("a") as stream:
        stream.write("30,3000,0.5")
    assert json.loads(said("train", "show", str(imitation), "--json")[1])["last"]["step"] == 2000


def test_curves_of_several_runs_are_drawn_with_their_units(said, imitation, self_play, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for file in self_play.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "curves.svg"
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none"}):  # words stay words
        status, out, err = said(
            "train", "plot", str(imitation), str(self_play), str(other), "--out", str(path)
        )
    assert (status, out, err) == (0, "", f"3 runs drawn in {path}\n")
    drawn = path.read_text()
    for words in (
        "Imitation", "cross-entropy, nats a call", "equal calls, %", "all but passes",
        "Self-play", "IMPs a board", "perfect defence", "± 2 standard errors", "nats a call", "minutes",
        "mean squared error, rewards²", "decisions, millions", ">steps<",
        ">imitation<", ">better<", ">other<",
    ):  # fmt: skip
        assert words in drawn, words
    assert said("train", "plot", str(imitation), "--out", str(tmp_path / "curves.png"))[0] == 0
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_train_book_describes_a_bidder_that_then_discloses_it(said, tmp_path):
    file = tmp_path / "natural.meanings"
    code, out, _ = said("train", "book", "natural", "--boards", "2000", "--out", str(file))
    assert code == 0 and "auctions described in" in out
    assert MeaningBook.read(file).known((7,)).short() == "15-17, balanced"


def test_train_book_says_what_is_wanted(said, tmp_path):
    file = str(tmp_path / "x.meanings")
    fails(said("train", "book", "--out", file), "a bidder, or --hands that were gathered, is wanted")
    (tmp_path / "cut.npz").write_bytes(b"PK")
    fails(said("train", "book", "--hands", str(tmp_path / "cut.npz"), "--out", file), "no gathered hands")
