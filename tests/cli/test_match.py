"""The commands match, roundrobin and distance."""

import json
from pathlib import Path

import pytest
from tests.cli.saying import fails

from bidlab.formats.files import read_boards


def test_a_match_prints_both_scorings(said) -> None:
    status, out, _ = said("match", "random", "pass", "--boards", "300", "--library", "tune")
    lines = out.splitlines()
    assert status == 0 and lines[0] == "random against pass, 300 boards of tune, IMPs a board"
    assert lines[1].startswith("  as bid           -13.") and "95%:" in lines[1] and "of 300" in lines[1]
    assert lines[2].startswith("  perfect defence  -22.")


def test_a_match_as_json_is_the_same_every_time(said) -> None:
    words = ("match", "random", "random,seed=3", "--boards", "40", "--seed", "7", "--json")
    status, out, _ = said(*words)
    shown = json.loads(out)
    assert status == 0 and shown["boards"] == 40 and shown["seed"] == 7
    assert {"mean", "stderr", "perfect", "wins", "losses", "ties"} <= set(shown)
    assert json.loads(said(*words, "--workers", "2")[1]) == shown


def test_a_match_stops_when_it_is_clear_and_counts_victory_points(said) -> None:
    words = (
        "match",
        "random",
        "pass",
        "--boards",
        "9000",
        "--library",
        "tune",
        "--stop",
        "-1,1",
        "--vp",
        "16",
    )
    status, out, _ = said(*words)
    assert status == 0 and "563 boards of tune" in out
    assert "test -1 or 1: nearer to -1, at an error of 5%" in out and "victory points" in out


def test_swing_boards_and_files(said, tmp_path: Path) -> None:
    path = tmp_path / "results.pbn"
    words = ("match", "random", "pass", "-n", "5", "--library", "tune", "--swings", "2", "--out", str(path))
    status, out, err = said(*words)
    assert status == 0 and out.count("Open room: random North-South") == 2 and "Par: " in out
    assert err == f"10 boards written to {path}\n"
    records = list(read_boards(path))
    assert len(records) == 10 and all(record.tag("OptimumScore") for record in records)


def test_two_variants_are_compared_against_a_common_opponent(said) -> None:
    words = ("match", "random", "random,seed=2", "--against", "pass", "-n", "200", "--library", "tune")
    status, out, _ = said(*words)
    first = "random less random,seed=2, each against pass, 200 boards of tune, IMPs a board"
    assert status == 0 and out.splitlines()[0] == first
    shown = json.loads(said(*words, "--json")[1])
    one, other = (
        json.loads(said("match", name, "pass", "-n", "200", "--library", "tune", "--json")[1])["mean"]
        for name in ("random", "random,seed=2")
    )
    assert shown["mean"] == pytest.approx(one - other)
    fails(said(*words, "--stop", "0,1"), "no --stop")


def test_a_round_robin_prints_a_table(said) -> None:
    status, out, _ = said("roundrobin", "random", "pass", "random,seed=2", "-n", "100", "--library", "tune")
    lines = out.splitlines()
    assert status == 0 and lines[1].split() == ["pass", "random", "random,seed=2", "all"]
    assert lines[2].startswith("pass ")
    _, out, _ = said("roundrobin", "random", "pass", "-n", "100", "--library", "tune", "--vp", "20", "--json")
    shown = json.loads(out)
    assert shown["bidders"] == ["random", "pass"] and sum(shown["victory_points"]) == pytest.approx(100)
    assert shown["results"][0][1]["mean"] == -shown["results"][1][0]["mean"]


def test_distance_of_a_bidder_and_of_a_file(said, tmp_path: Path) -> None:
    status, out, _ = said("distance", "pass", "--library", "judge", "-n", "500")
    lines = out.splitlines()
    assert status == 0 and lines[0] == "pass, 500 boards of judge, IMPs from par"
    assert lines[1].split()[-3:] == lines[3].split()[-3:]
    path = tmp_path / "results.pbn"
    said("match", "random", "pass", "-n", "4", "--library", "tune", "--out", str(path))
    status, out, _ = said("distance", str(path), "--json")
    assert status == 0 and json.loads(out)["boards"] == 8


def test_a_file_with_a_defect_in_the_middle_is_measured_and_said(said, tmp_path: Path) -> None:
    path = tmp_path / "results.pbn"
    said("match", "random", "pass", "-n", "4", "--library", "tune", "--out", str(path))
    text = path.read_text()
    place = text.index('[Deal "', text.index('[Board "2"]'))
    path.write_text(text[: place + 10] + "A" + text[place + 10 :])
    status, out, err = said("distance", str(path))
    assert status == 2 and ", 7 boards, IMPs from par" in out and "deal left out" in err


def test_bad_input_is_one_line(said) -> None:
    fails(said("match", "rnd", "pass"), "no bidder 'rnd' (did you mean 'random'?)")
    fails(said("match", "pass", "pass", "--library", "jugde"), "no library 'jugde'", "judge")
    fails(said("match", "pass", "pass", "--library", "train"), "library train is for learning")
    fails(said("match", "pass", "pass", "--boards", "0"), "0 boards: at least one is wanted")
    fails(said("match", "pass", "pass", "--boards", "99999", "--library", "tune"), "it has 1-10000")
    fails(said("match", "pass", "pass", "--seed", "1", "--library", "tune"), "they come from one of them")
    fails(said("match", "pass", "pass", "--library", "tune", "--stop", "1"), "as in 0,0.5")
    fails(said("roundrobin", "pass", "--library", "tune"), "at least two are wanted")
    fails(said("distance", "nobody.pbn"), "no bidder 'nobody.pbn'")


BAD_BOT = """
import json, sys
print(json.dumps({"type": "hello", "name": "bad"}), flush=True)
sys.stdin.readline()
for count, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if asked["type"] == "bye":
        break
    print(json.dumps({"id": asked["id"], "call": "P" if count < 1500 else "9C"}), flush=True)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_robot_that_fails_stops_the_match_with_one_line(said, tmp_path: Path, workers: str) -> None:
    (tmp_path / "bot.py").write_text(BAD_BOT)
    robot = f"exec:python {tmp_path / 'bot.py'}"
    result = said("match", robot, "pass", "-n", "2000", "--library", "tune", "--workers", workers)
    fails(result, robot, "no call '9C'")


def test_match_shows_where_the_bidders_part(said):
    code, out, _ = said("match", "random", "pass", "--boards", "300", "--library", "tune", "--partings", "3")
    rows = out.split("\n\n")[1].splitlines()
    assert code == 0 and rows[0].split()[:3] == ["After", "random", "pass"] and len(rows) == 4
    assert all("Pass" in row for row in rows[1:])
    assert "in no way" in said("match", "pass", "pass", "-n", "9", "--library", "tune", "--partings", "3")[1]
