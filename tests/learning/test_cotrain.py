"""Co-training: what was taught is learned, it is proved before it is kept, and runs survive a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.learning.students import GRAND, ONE_SPADE, Gambler, Student, has_opening

from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits
from bidlab.learning.cotrain import CoTraining, CoTrainingRun, Network, NetworkRule, Settings, read_run
from bidlab.learning.cotrain.curve import LogFit, Point
from bidlab.learning.cotrain.growing import grown, leaves_of, shortlist
from bidlab.learning.cotrain.lessons import Lessons
from bidlab.learning.cotrain.networks import hierarchy_of, networks_of, networks_text
from bidlab.learning.cotrain.playing import Seating, lessons_in, practise, starts
from bidlab.learning.cotrain.questions import answers, questions_of
from bidlab.learning.cotrain.records import KIND, VERSION, Trial
from bidlab.learning.cotrain.running import _undisturbed, best_situation, shown_before
from bidlab.learning.cotrain.wording import Leaf, worded
from bidlab.matches.workers import Workers
from bidlab.meaning.conditions import ANYTHING
from bidlab.meaning.meaning import Meaning
from bidlab.runs import RunFolder
from bidlab.systems.book import Book
from bidlab.systems.checking import check_system
from bidlab.systems.hierarchy_text import read_tree, tree_text
from bidlab.systems.situations import Situation
from bidlab.systems.system import System
from bidlab.table.bidding import Boards

OPENING = Situation()
SMALL = Settings(
    networks=2,
    practice=12,
    lessons=200,
    trial=80,
    gain=0.5,
    error=0.05,
    opponents="pass",
    control="pass",
    measured=8,
    tries=2000,
)


def meant(text: str, call: str) -> NetworkRule:
    return NetworkRule(Meaning.parse(text).condition, Call(call))


def taught(hands: np.ndarray, student: type[Student] = Student) -> Lessons:
    """Lessons of a student's formula."""
    values = np.full((len(hands), len(CALLS)), np.nan, dtype=np.float32)
    for row, word in zip(values, hands, strict=True):
        for one in student.worth(None, Hand(int(word))):  # type: ignore[arg-type]
            row[one.call] = one.over
    return Lessons(hands, values)


def random_hands(deals: int, seed: int) -> np.ndarray:
    return np.ascontiguousarray(deal_bits(deals, seed).reshape(-1))


# Networks from lessons.


def test_what_was_taught_is_learned_and_said_as_a_player_says_it():
    network = grown(OPENING, taught(random_hands(500, 3)), 10, 8, ANYTHING)
    rules = [(str(rule.call), str(Meaning(rule.condition))) for rule in network.rules]
    assert rules in (
        [("1S", "5+ spades, 11+"), ("P", "any hand")],
        [("1S", "11+, 5+ spades"), ("P", "any hand")],
    )


def test_calls_that_add_nothing_are_left_out():
    values = np.array([[0, 3, 2.9], [0, -3, -3], [0, 2, 2]], dtype=np.float32)
    assert shortlist(values, 8) == [0, 1]
    values[1] = [0, -3, -2]
    assert shortlist(values, 1) == [2]  # +2.9, by one call alone


def test_the_call_of_a_leaf_is_worth_most_on_all_its_hands_together():
    hands = random_hands(50, 4)
    values = np.full((200, len(CALLS)), np.nan, dtype=np.float32)
    values[:, 0] = 0.0
    values[:, ONE_SPADE] = np.where(np.arange(200) % 3 == 0, 9.0, -1.0)  # best on a third, but by much
    (leaf,) = leaves_of(OPENING, Lessons(hands, values), 1, 8)
    assert (leaf.call, leaf.lessons, leaf.worth) == (ONE_SPADE, 200, pytest.approx(values[:, 6].mean()))


def test_a_tree_has_no_more_leaves_than_asked_for():
    hands = random_hands(150, 5)
    noise = np.random.default_rng(1).normal(size=(600, len(CALLS))).astype(np.float32)
    for most in (2, 5, 9):
        assert len(leaves_of(OPENING, Lessons(hands, noise), most, 6)) <= most


def test_the_same_lessons_grow_the_same_network():
    hands = random_hands(150, 5)
    noise = np.random.default_rng(1).normal(size=(600, len(CALLS))).astype(np.float32)
    one, other = (grown(OPENING, Lessons(hands, noise), 8, 5, ANYTHING) for _ in range(2))
    assert one == other


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_words_stand_for_the_hands_of_the_leaves(seed: int):
    hands = random_hands(100, 6)
    table = np.random.default_rng(seed).normal(size=(400, len(CALLS))).astype(np.float32)
    leaves = leaves_of(OPENING, Lessons(hands, table), 8, 5)
    network = worded(OPENING, leaves)
    fresh = random_hands(500, seed + 7)
    wanted, found = np.zeros(len(fresh), np.uint8), np.full(len(fresh), 255, np.uint8)
    for leaf in leaves:
        wanted[Meaning(leaf.condition).admits(fresh)] = leaf.call
    for rule in reversed(network.rules):
        found[Meaning(rule.condition).admits(fresh)] = rule.call
    assert (wanted != found).mean() < 0.02  # plainer words may change a few
    assert network.rules[-1].condition == ANYTHING


def test_what_is_known_already_is_not_said_again():
    leaves = [
        Leaf(Meaning.parse("5+ spades, 17+").condition, Call("4S"), 10, 1.0),
        Leaf(Meaning.parse("0-16 or 0-4 spades").condition, Call.PASS, 10, 0.0),
    ]
    network = worded(Situation.parse("1S 2S"), leaves, Meaning.parse("5+ spades").condition)
    assert str(Meaning(network.rules[0].condition)) == "17+"


def test_a_rule_that_changes_nothing_is_left_out():
    leaves = [
        Leaf(Meaning.parse("0-7, 5+ hearts").condition, Call("2H"), 10, 1.0),
        Leaf(Meaning.parse("8-9, 5+ hearts, 0-4 spades").condition, Call("2H"), 10, 1.0),
        Leaf(Meaning.parse("8-9, 5+ hearts, 5+ spades").condition, Call("2H"), 10, 1.0),
        Leaf(Meaning.parse("10+ or 0-4 hearts").condition, Call.PASS, 10, 0.0),
    ]
    network = worded(Situation.parse("1N"), leaves)
    assert [str(Meaning(rule.condition)) for rule in network.rules] in (
        ["0-9, 5+ hearts", "any hand"],
        ["5+ hearts, 0-9", "any hand"],
    )


def test_questions_part_the_hands_in_two():
    hands = random_hands(50, 8)
    asked = questions_of(Situation.parse("1S (2H)"))
    assert {str(one.about) for one in asked} >= {"support in spades", "stopper in hearts"}
    table = answers(asked, hands)
    for column, question in zip(table.T, asked, strict=True):
        bound = float(np.median(column)) if column.max() > 1 else 0.5
        low = column <= bound
        if low.any() and (~low).any():
            assert np.array_equal(Meaning(question.at_most(bound)).admits(hands), low)
            assert np.array_equal(Meaning(question.above(bound)).admits(hands), ~low)


def test_networks_are_a_hierarchy_and_a_system_that_has_no_faults(tmp_path: Path):
    networks = (
        Network(OPENING, (meant("5+ spades, 11+", "1S"), meant("any hand", "P"))),
        Network(Situation.parse("1S"), (meant("3+ spades, 8+", "3S"), meant("any hand", "P"))),
    )
    assert networks_of(read_tree(tree_text(hierarchy_of(networks)))) == networks
    file = tmp_path / "pair.bids"
    file.write_text(networks_text(networks, "Pair"), encoding="utf-8")
    assert check_system(str(file)).is_clean
    book, hand = Book(System.load(file)), Hand.parse("KQ2.T832.KQ3.976")
    position = book.position(Auction(calls="1S P"))
    assert str(position.rules[position.choice(hand)].call) == "3S"
    shown = shown_before(networks, Situation.parse("1S 3S"))
    assert str(Meaning(shown)) == "5+ spades, 11+"
    assert shown_before(networks, Situation.parse("1S")) == ANYTHING


# At the table.


def seating(tmp_path: Path, *networks: Network) -> Seating:
    file = tmp_path / f"{len(networks)}.bids"
    file.write_text(networks_text(networks, "Pair"), encoding="utf-8")
    from bidlab.bidders.registry import bidder

    return Seating(Student(str(file)), bidder("pass"))


def test_practice_counts_what_look_ahead_gained_in_each_situation(tmp_path: Path):
    boards = Boards.numbered(deal_bits(40, 21))
    gains = practise(seating(tmp_path), boards)
    assert set(gains) == {OPENING}  # everybody passes
    holders = [hand for row in boards.bits for seat, hand in enumerate(row) if seat % 2 == 0]
    good = sum(has_opening(Hand(int(word))) for word in holders)
    assert gains[OPENING] == (80, pytest.approx(3.0 * good))


def test_lessons_are_those_of_players_who_come_to_the_situation(tmp_path: Path):
    boards = Boards.numbered(deal_bits(120, 22))
    opening = Network(OPENING, (meant("5+ spades, 11+", "1S"), meant("any hand", "P")))
    pair = seating(tmp_path, opening)
    responses = lessons_in(Situation.parse("1S"), pair, boards)
    wanted = []
    for dealer, row in zip(boards.dealers.tolist(), boards.bits, strict=True):
        order = [seat for seat in ((dealer + i) % 4 for i in range(4)) if seat % 2 == 0]
        opener = next((seat for seat in order if has_opening(Hand(int(row[seat])))), None)
        if opener is not None:
            wanted.append(row[(opener + 2) % 4])
    assert len(wanted) > 5
    assert responses.hands.tolist() == wanted


def test_a_pair_thinks_only_where_all_calls_can_lead_to_the_situation(tmp_path: Path):
    opening = Network(OPENING, (meant("5+ spades, 11+", "1S"), meant("any hand", "P")))
    pair = seating(tmp_path, opening)
    thoughts = []
    consider = pair.pair.consider
    pair.pair.consider = lambda view: thoughts.append(view) or consider(view)  # type: ignore[method-assign]
    boards = Boards.numbered(deal_bits(60, 23))
    quiet = 0
    for start, hands in starts(boards):
        before = len(thoughts)
        pair.at(Situation.parse("1S"), start, hands)
        if not any(has_opening(Hand(int(hands[seat]))) for seat in (0, 2)):
            quiet += 1
            assert len(thoughts) == before
    assert len(thoughts) > 10
    assert quiet > 10


# Runs.


def results(folder: Path) -> dict[str, str]:
    """All texts and tables of a run."""
    files = [*folder.glob("*/*.bids"), folder / "log.csv", folder / "points.csv"]
    return {str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in sorted(files)}


def whole(
    folder: Path, asked: Settings = SMALL, workers: int = 1, make: type[Student] = Student
) -> CoTrainingRun:
    return CoTraining.begun(folder, asked, workers, make).run()


def test_a_run_learns_proves_writes_and_measures(tmp_path: Path):
    run = whole(tmp_path / "a")
    assert run.is_finished
    assert [trial.verdict for trial in run.trials][:1] == ["kept"]
    assert run.trials[0].situation == "opening"
    assert run.trials[0].mean > 0
    assert len(run.networks) == 1  # then nothing is left that look-ahead gains
    assert run.why_done == "no situation is left in which look-ahead gains over the rules"
    assert [point.networks for point in run.points] == [0, 1]
    assert run.points[0].mean == 0.0  # both pass everything
    text = (tmp_path / "a" / "networks" / "01.bids").read_text(encoding="utf-8")
    assert "opening\n  1S " in text
    assert check_system(str(tmp_path / "a" / "networks" / "01.bids")).is_clean
    assert "otherwise" in (tmp_path / "a" / "networks" / "00.bids").read_text(encoding="utf-8")
    again = read_run(tmp_path / "a")
    assert (again.networks, again.trials, again.points) == (run.networks, run.trials, run.points)


def test_a_network_that_does_not_prove_itself_is_dropped(tmp_path: Path):
    run = whole(tmp_path / "a", replace(SMALL, measured=0), make=Gambler)
    assert run.is_finished
    assert [(trial.situation, trial.verdict) for trial in run.trials] == [("opening", "dropped")]
    assert run.trials[0].mean < 0
    assert run.networks == ()
    assert str(GRAND) in (tmp_path / "a" / "trials" / "001.bids").read_text(encoding="utf-8")
    assert best_situation(run) is None


def test_a_situation_is_set_aside_until_a_network_is_kept_and_then_for_good(tmp_path: Path):
    def after(*verdicts: tuple[str, str]) -> frozenset[Situation]:
        trials = (
            Trial(i, where, 1, 1, 9, 2, 40, 0, 1, verdict) for i, (where, verdict) in enumerate(verdicts)
        )
        return CoTrainingRun(tmp_path, SMALL, trials=tuple(trials)).set_aside

    spade, heart = Situation.parse("1S"), Situation.parse("1H")
    assert after() == frozenset()
    assert after(("1S", "dropped"), ("1H", "not proven")) == {spade, heart}
    assert after(("1S", "dropped"), ("opening", "kept")) == frozenset()
    assert after(("1S", "dropped"), ("opening", "kept"), ("1S", "dropped")) == {spade}
    assert after(("1S", "dropped"), ("opening", "kept"), ("1S", "dropped"), ("1H", "kept")) == {spade}


def test_the_number_of_workers_changes_nothing(tmp_path: Path):
    whole(tmp_path / "one"), whole(tmp_path / "three", workers=3)
    assert results(tmp_path / "one") == results(tmp_path / "three")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_stopped_again_and_again_ends_as_one_that_is_not(tmp_path: Path, workers: int):
    whole(tmp_path / "straight")
    training, stops = CoTraining.begun(tmp_path / "b", SMALL, workers, Student), 0
    while not training.state.is_finished:
        stop, left = Event(), [7]

        def tell(tick: object, stop: Event = stop, left: list[int] = left) -> None:
            left[0] -= 1
            if not left[0]:
                stop.set()

        training.run(stop=stop, tell=tell)
        stops += 1
        training = CoTraining.resumed(tmp_path / "b", workers, Student)
    assert stops > 5
    assert results(tmp_path / "b") == results(tmp_path / "straight")


class Killed(BaseException):
    """As if the process were gone: nothing is saved."""


@pytest.mark.parametrize("after", [2, 9, 40, 75])
def test_a_run_that_is_killed_ends_as_one_that_is_not(tmp_path: Path, after: int):
    whole(tmp_path / "straight")
    training, left = CoTraining.begun(tmp_path / "b", SMALL, 1, Student), [after]

    def tell(tick: object) -> None:
        left[0] -= 1
        if not left[0]:
            raise Killed

    with pytest.raises(Killed):
        training.run(tell=tell, checkpoint_seconds=0.0)
    CoTraining.resumed(tmp_path / "b", 1, Student).run()
    assert results(tmp_path / "b") == results(tmp_path / "straight")


def test_a_worker_that_outlives_its_parent_does_not_keep_the_folder(tmp_path: Path):
    folder = RunFolder.begun(tmp_path / "a", KIND, VERSION, {})
    folder.lock()

    @contextmanager
    def begin() -> Iterator[Callable[[int], int]]:
        yield lambda task: task

    with Workers(1, partial(_undisturbed, begin, folder)) as workers:
        assert list(workers.map([1, 2])) == [1, 2]
        other = RunFolder.opened(tmp_path / "a", KIND, VERSION)
        with pytest.raises(BidlabError, match="is being run by another process"):
            other.lock()
        folder.unlock()  # as if the parent were gone, and the worker not yet
        other.lock()
        other.unlock()


def test_what_is_wrong_is_said_before_anything_is_written(tmp_path: Path):
    with pytest.raises(BidlabError, match="no bidder 'nobody'"):
        CoTraining.begun(tmp_path / "a", replace(SMALL, opponents="nobody"))
    with pytest.raises(BidlabError, match="seven"):
        CoTraining.begun(tmp_path / "a", replace(SMALL, thinking="margin=seven"))
    assert not (tmp_path / "a").exists()
    with pytest.raises(BidlabError, match="leaves 1: 2 to 100 are possible"):
        replace(SMALL, leaves=1)
    whole(tmp_path / "b", replace(SMALL, measured=0, practice=2))
    with pytest.raises(BidlabError, match="has a run"):
        CoTraining.begun(tmp_path / "b", SMALL)
    with pytest.raises(FormatError, match="of no co-training run"):
        (tmp_path / "c").mkdir()
        (tmp_path / "c" / "run.json").write_text('{"format": "bidlab evolution run"}', encoding="utf-8")
        CoTraining.resumed(tmp_path / "c")


def test_points_are_those_of_the_curve():
    assert Settings().points == (0, 1, 2, 4, 8, 16, 25)
    assert Settings(networks=3).points == (0, 1, 2, 3)
    assert Settings(measured=0).points == ()


def test_the_logarithm_is_fitted_with_its_residuals():
    means = {n: -2.0 + 0.5 * np.log(1 + n) + (0.1 if n == 4 else 0.0) for n in (0, 1, 2, 4, 8)}
    points = [Point(n, mean, 0.2, 100) for n, mean in means.items()]
    fit = LogFit.of(points)
    assert fit is not None
    assert fit.b == pytest.approx(0.5, abs=0.06)
    assert max(range(5), key=lambda i: fit.residuals[i]) == 3
    assert fit.freedom == 3
    assert 0 < fit.chi2 < 1
    assert LogFit.of(points[:2]) is None
