"""Miniature trainings on the processor: they learn, they repeat themselves, they go on where they stopped."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from bidlab.bridge.comparison import imps

torch = pytest.importorskip(
    "torch", reason="NO TORCH: the training of networks is NOT tested; pip install torch"
)

from bidlab.learning.selfplay import bare  # noqa: E402
from bidlab.learning.selfplay.__main__ import main  # noqa: E402
from bidlab.learning.selfplay.deals import Growing, Pool, read_records  # noqa: E402
from bidlab.learning.selfplay.imitate import ImitationSettings, deal_shares, imitate  # noqa: E402
from bidlab.learning.selfplay.net import BiddingNet, Shape, load_weights, playing_copy, save_weights  # noqa: E402
from bidlab.learning.selfplay.playing import play  # noqa: E402
from bidlab.learning.selfplay.runs import Budget  # noqa: E402
from bidlab.learning.selfplay.scoring import cross_imps  # noqa: E402
from bidlab.learning.selfplay.selfplay import (  # noqa: E402
    SelfPlaySettings,
    Sources,
    distances,
    duel,
    self_play,
)
from bidlab.library import library, packed_deals, packed_tables  # noqa: E402

CPU = torch.device("cpu")
TOY = {
    "tables": 256, "batch": 512, "validation_boards": 500, "validate_every": 0.5, "width": 64, "depth": 2,
    "rate": 0.002, "average": 0.9, "warm_up": 0.05, "entropy": 0.05, "perfect": 0.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> Sources:
    folder = tmp_path_factory.mktemp("deals")
    for name, count in (("train", 5000), ("tune", 1000)):
        bits, tables = library(name).deals(1, count)
        np.savez(folder / f"{name}.npz", pack=packed_deals(bits), tables=packed_tables(tables))
    return Sources((folder / "train.npz",), folder / "tune.npz")


@pytest.fixture(scope="module")
def auctions(tmp_path_factory) -> Path:
    """Auctions of a toy system: with 13 points or more open 1C, everybody else passes; and a spoilt one."""
    bits, _ = library("train").deals(1, 4000)
    ranks = np.arange(52) % 13
    points = np.maximum(ranks - 8, 0)
    held = bits[:, :, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)
    strong = (held * points.astype(np.uint64)).sum(axis=2) >= 13  # [deal, seat]
    calls = np.full((len(bits), 40), 255, dtype=np.uint8)
    opener = np.where(strong.any(axis=1), strong.argmax(axis=1), 4)
    for row, place in enumerate(opener):
        calls[row, : min(place + 4, 8) if place < 4 else 4] = 0
        if place < 4:
            calls[row, place] = 3
    calls[0, :6] = (3, 3, 0, 0, 0, 255)
    path = tmp_path_factory.mktemp("auctions") / "toy.npz"
    dealers, vul = np.zeros(len(bits), dtype=np.uint8), np.zeros((len(bits), 2), dtype=np.uint8)
    np.savez(path, pack=packed_deals(bits), dealer=dealers, vul=vul, calls=calls)
    return path


def _always_pass() -> BiddingNet:
    net = BiddingNet(Shape(8, 2))
    torch.nn.init.zeros_(net.policy.weight)
    with torch.no_grad():
        net.policy.bias.copy_(torch.nn.functional.one_hot(torch.tensor(0), 38) * 100.0)
    return playing_copy(net)


@pytest.fixture(scope="module")
def miniatures(sources, tmp_path_factory) -> list[Path]:
    """Two runs of 200 rounds from nothing with the same seed; each round some ten steps of learning."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    settings = SelfPlaySettings(**{**TOY, "tables": 192, "batch": 256, "rate": 0.003})
    folders = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    for folder in folders:
        self_play(sources, folder, Budget(200), settings, CPU, quiet=True)
    torch.set_num_threads(before)
    return folders


def test_a_miniature_run_learns_to_beat_pass_on_deals_kept_apart(miniatures):
    """By many standard errors, on deals that it neither learned from nor was chosen on."""
    boards = Pool(CPU)
    bits, tables = library("tune").deals(1001, 2000)
    boards.add(np.concatenate([packed_deals(bits), packed_tables(tables)], axis=1))
    deals = boards.in_order()
    player, passer = playing_copy(load_weights(miniatures[0] / "weights.npz", CPU)), _always_pass()
    won = duel(deals, player, passer)
    assert won["duel"] > 6 * won["duel_error"] > 0
    assert won["duel_perfect"] > 0
    learned, passing = (distances(deals, play(deals, net)[0])["distance"] for net in (player, passer))
    assert learned < passing - 0.2


def test_a_miniature_run_ends_the_same_twice_to_the_bit(miniatures):
    first, second = miniatures
    for file in ("weights.npz", "last.npz", "checkpoint.npz"):
        assert _arrays(first / file) == _arrays(second / file), file
    assert len(_arrays(first / "checkpoint.npz")) > 20  # networks, averages, the optimiser, the generator


def _arrays(path: Path) -> dict[str, bytes]:
    """What a file of arrays holds, byte by byte, without the facts about it."""
    with np.load(path) as held:
        return {name: held[name].tobytes() for name in held if name != "about"}


def test_a_run_with_a_critic_ends_the_same_twice_and_another_seed_elsewhere(sources, tmp_path):
    ends = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        toy = {**TOY, "tables": 64, "league_every": 0.3, "critic": "table", "seed": seed}
        self_play(sources, tmp_path / name, Budget(12), SelfPlaySettings(**toy), CPU, quiet=True)
        with (tmp_path / name / "curves.csv").open() as stream:
            curves = [(row["round"], row["distance"], row["policy"]) for row in csv.DictReader(stream)]
        ends.append((curves, _arrays(tmp_path / name / "checkpoint.npz")))
    assert ends[0] == ends[1]
    assert ends[0][1] != ends[2][1]


def test_a_run_that_plays_ahead_ends_the_same_twice_and_elsewhere_than_one_that_does_not(sources, tmp_path):
    ends = []
    for name, ahead in (("a", True), ("b", True), ("c", False)):
        settings = SelfPlaySettings(**{**TOY, "tables": 64, "batch": 128, "ahead": ahead})
        self_play(sources, tmp_path / name, Budget(6), settings, CPU, quiet=True)
        ends.append(_arrays(tmp_path / name / "last.npz"))
    assert ends[0] == ends[1] != ends[2]
    with pytest.raises(ValueError, match="critic=own is wanted"):
        SelfPlaySettings(ahead=True, critic="table")


def test_tables_with_the_same_deal_are_scored_against_each_other(sources, tmp_path):
    first = Pool(CPU)
    first.add(read_records(sources.validation))
    deals = first.in_order(5).repeated(3)
    assert torch.equal(deals.hands[:5], deals.hands[10:]) and torch.equal(deals.par[:5], deals.par[5:10])
    points = torch.tensor([[400, -50], [170, 110], [-100, 110]])
    by_hand = [[(imps(230) + imps(500)) / 2, imps(-160)], [(imps(-230) + imps(270)) / 2, imps(160) / 2],
               [(imps(-500) + imps(-270)) / 2, imps(160) / 2]]  # fmt: skip
    assert cross_imps(points).tolist() == by_hand
    ends = []
    for name, replays in (("a", 4), ("b", 4), ("c", 1)):
        settings = SelfPlaySettings(**{**TOY, "tables": 64, "batch": 128, "replays": replays})
        self_play(sources, tmp_path / name, Budget(6), settings, CPU, quiet=True)
        ends.append(_arrays(tmp_path / name / "last.npz"))
    assert ends[0] == ends[1] != ends[2]
    with pytest.raises(ValueError, match="replays 3: a divisor of the 64 tables is wanted"):
        SelfPlaySettings(**{**TOY, "tables": 64, "replays": 3})


def test_imitation_learns_a_toy_system_and_self_play_stays_near_it(sources, auctions, tmp_path, capsys):
    settings = ImitationSettings(batch=512, width=64, depth=2, rate=0.005, validate_every=200, held_out=0.1)
    imitate(auctions, tmp_path / "i", Budget(400), settings, CPU)
    assert "1 impossible ones skipped" in capsys.readouterr().err
    with (tmp_path / "i/curves.csv").open() as stream:
        final = list(csv.DictReader(stream))[-1]
    assert float(final["held_out_equal"]) > 0.93
    assert float(final["held_out_equal_but_passes"]) > 0.7
    anchored = Sources(sources.deals, sources.validation, tmp_path / "i/weights.npz")
    toy = SelfPlaySettings(**{**TOY, "anchor": 1.0, "anchor_end": 0.5})
    self_play(anchored, tmp_path / "s", Budget(10), toy, CPU, quiet=True)
    with (tmp_path / "s/curves.csv").open() as stream:
        assert float(list(csv.DictReader(stream))[-1]["divergence"]) < 0.3


def test_an_interrupted_run_goes_on(sources, tmp_path):
    settings = SelfPlaySettings(**{**TOY, "tables": 64})
    self_play(sources, tmp_path, Budget(4), settings, CPU, quiet=True)
    config = (tmp_path / "config.json").read_text()
    (tmp_path / "config.json").write_text(config.replace('"steps": 4', '"steps": 8'))
    self_play(sources, tmp_path, Budget(8), settings, CPU, quiet=True)
    with (tmp_path / "curves.csv").open() as stream:
        rounds = [int(row["round"]) for row in csv.DictReader(stream)]
    assert rounds[-1] == 8
    assert rounds == sorted(rounds)
    with pytest.raises(ValueError, match="another seed: take a new folder"):
        self_play(sources, tmp_path, Budget(8), SelfPlaySettings(**{**TOY, "tables": 64, "seed": 2}), CPU)


def test_deals_join_the_pool_while_they_are_written(tmp_path):
    bits, tables = library("train").deals(1, 3)
    records = np.concatenate([packed_deals(bits), packed_tables(tables)], axis=1).tobytes()
    path = tmp_path / "solved.bin"
    growing = Growing(path)
    assert len(growing.new_records()) == 0
    path.write_bytes(records[:30])
    assert len(growing.new_records()) == 1
    path.write_bytes(records)
    assert growing.new_records().tobytes() == records[23:]


def test_weights_come_back_as_they_were_but_for_rounding(tmp_path):
    net = BiddingNet(Shape(32, 3, residual=True))
    save_weights(net, tmp_path / "w.npz", stage="test")
    again = load_weights(tmp_path / "w.npz", CPU)
    for name, value in net.state_dict().items():
        assert torch.allclose(value, again.state_dict()[name], atol=1e-3), name


def test_a_deal_is_kept_apart_at_every_table(auctions):
    with np.load(auctions) as arrays:
        pack = arrays["pack"]
    shares = deal_shares(np.concatenate([pack, pack[::-1]]))
    assert (shares[: len(pack)] == shares[len(pack) :][::-1]).all()
    assert abs((shares < 0.1).mean() - 0.1) < 0.03


def test_bad_words_end_with_status_2(tmp_path, capsys):
    words = ["imitate", "--data", str(tmp_path / "none.npz"), "--out", str(tmp_path), "--device", "cpu"]
    assert main(words) == 2
    assert "--steps or --minutes is wanted" in capsys.readouterr().err
    assert main([*words, "--steps", "1", "--set", "widht=3"]) == 2
    assert "no setting 'widht'" in capsys.readouterr().err
    assert main([*words, "--steps", "1"]) == 2


def test_training_starts_where_bidlab_is_not_installed(tmp_path):
    """What a bare machine lacks is the rest of bidlab: nothing of it may be imported."""
    import subprocess
    import sys

    code = (
        "import sys, runpy; sys.argv = ['bare', '--help']\n"
        f"try: runpy.run_path({str(Path(bare.__file__))!r}, run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print(sorted(n for n in sys.modules if n.startswith('bidlab') and 'selfplay' not in n))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "['bidlab', 'bidlab.learning']"
