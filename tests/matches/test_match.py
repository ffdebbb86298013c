"""Matches beside code that can be checked by hand; fairness, determinism, statistics."""

from functools import partial

import numpy as np
import pytest
from tests.matches.players import Chatterer, Passer, Pointer
from tests.table.test_bidding import one_by_one

from bidlab.bridge.boards import VULNERABILITIES
from bidlab.bridge.cards import SEATS
from bidlab.bridge.comparison import imps, victory_points
from bidlab.bridge.contracts import Contract, Doubling, Result
from bidlab.bridge.errors import BidlabError
from bidlab.doubledummy import par, par_scores
from bidlab.formats.files import read_boards, write_boards
from bidlab.library import library
from bidlab.matches import (
    LibraryBoards,
    SeededBoards,
    SequentialTest,
    Summary,
    compare_variants,
    distance_from_par,
    distance_of_records,
    match_records,
    match_victory_points,
    play_match,
    round_robin,
    swing_boards,
)
from bidlab.table.bidding import Boards
from bidlab.table.scoring import imp_array

TUNE = LibraryBoards(library("tune"))


def test_a_bidder_against_itself_is_zero_on_every_board() -> None:
    for make in (Pointer, Chatterer):
        match = play_match(make, make, TUNE, 300)
        assert not match.swings.any() and not match.perfect_swings.any()
        assert match.plain.mean == match.plain.stderr == 0 and match.plain.ties == 300


def test_swapping_the_teams_negates_the_result_to_the_bit() -> None:
    one = play_match(Pointer, Chatterer, TUNE, 400)
    other = play_match(Chatterer, Pointer, TUNE, 400)
    assert (one.swings == -other.swings).all() and (one.perfect_swings == -other.perfect_swings).all()
    assert one.plain.mean == -other.plain.mean and one.plain.stderr == other.plain.stderr
    assert one.swings.any()


def by_hand(board, table, ns, ew, *, perfect: bool) -> int:
    """North-South's points of one board, step by step."""
    auction, _ = one_by_one(board, ns, ew)
    contract = auction.contract
    if contract.is_passed_out:
        return 0
    tricks = int(table[contract.strain, contract.declarer])
    if perfect and tricks < contract.tricks_needed and contract.doubling == Doubling.UNDOUBLED:
        contract = Contract(contract.level, contract.strain, Doubling.DOUBLED, contract.declarer)
    return Result(contract, tricks, board.vulnerable).score


@pytest.mark.parametrize("perfect", [False, True])
def test_two_hundred_boards_as_computed_by_hand(perfect: bool) -> None:
    match = play_match(Pointer, Chatterer, TUNE, 200)
    expected = []
    for number in range(1, 201):
        board, table = TUNE.library.board(number), TUNE.library.tables(number, 1)[0]
        first = by_hand(board, table, Pointer(), Chatterer(), perfect=perfect)
        second = by_hand(board, table, Chatterer(), Pointer(), perfect=perfect)
        expected.append(imps(first - second))
    assert (match.perfect_swings if perfect else match.swings).tolist() == expected


def test_boards_of_a_seed_are_solved_where_they_are_played() -> None:
    seeded = play_match(Pointer, Passer, SeededBoards(1002), 12)
    known = play_match(Pointer, Passer, TUNE, 12)
    assert (seeded.swings == known.swings).all()
    assert seeded.source == "seed 1002" and known.source == "tune"


def test_results_do_not_depend_on_workers() -> None:
    alone = play_match(Pointer, Passer, TUNE, 2300)
    for workers in (2, 3):
        shared = play_match(Pointer, Passer, TUNE, 2300, workers=workers)
        assert (shared.swings == alone.swings).all()
        assert shared.plain == alone.plain and shared.perfect == alone.perfect


def test_a_match_goes_on_from_any_board() -> None:
    whole = play_match(Pointer, Chatterer, TUNE, 700)
    rest = play_match(Pointer, Chatterer, TUNE, 600, first_board=101)
    assert (whole.swings[100:] == rest.swings).all()


def test_a_sequential_test_stops_as_soon_as_it_is_clear() -> None:
    test = SequentialTest(-1, 1)
    clear = play_match(partial(Pointer, 12), Chatterer, TUNE, 5000, test=test)
    assert clear.answer == "high" and clear.boards < 5000
    again = play_match(partial(Pointer, 12), Chatterer, TUNE, 5000, test=test, workers=2)
    assert (again.swings == clear.swings).all()
    even = play_match(Passer, Passer, TUNE, 2000, test=test)
    assert even.answer is None and even.boards == 2000


def test_progress_tells_the_running_mean() -> None:
    told: list[tuple[int, float]] = []
    match = play_match(Pointer, Passer, TUNE, 1200, progress=lambda n, s: told.append((n, s.mean)))
    assert [n for n, _ in told] == list(range(75, 1201, 75)) and told[-1][1] == match.plain.mean


def test_scores_and_imps_in_arrays_are_those_of_the_laws() -> None:
    differences = np.arange(-7700, 7710, 10)
    assert imp_array(differences).tolist() == [imps(int(d)) for d in differences]


def test_par_of_many_boards_is_par_of_each() -> None:
    bits, tables = TUNE.library.deals(count=300)
    boards = Boards.numbered(bits)
    found = par_scores(tables, boards.dealers, boards.vulnerable)
    for i, table in enumerate(tables):
        dealer, vulnerable = SEATS[boards.dealers[i]], VULNERABILITIES[boards.vulnerable[i]]
        assert found[i] == par(table, dealer, vulnerable).score


# Statistics.


def test_summary_of_known_numbers() -> None:
    found = Summary.of([3, -1, 0, 6])
    assert (found.mean, found.boards, found.wins, found.losses, found.ties) == (2, 4, 2, 1, 1)
    assert found.stderr == pytest.approx(1.5811388)
    assert found.interval() == pytest.approx((2 - 3.182446 * 1.5811388, 2 + 3.182446 * 1.5811388), rel=5e-3)


def test_the_confidence_interval_covers_as_often_as_it_says() -> None:
    """Swings as matches have them: most boards flat, some of several IMPs, a few large ones."""
    rng = np.random.default_rng(6)
    values = [0, 1, -1, 3, -3, 6, -6, 11, -13]
    chances = [0.5, 0.12, 0.12, 0.05, 0.05, 0.05, 0.05, 0.035, 0.025]
    truth = float(np.dot(values, chances))
    for boards in (60, 400):
        samples = rng.choice(values, p=chances, size=(10_000, boards))
        covered = 0
        for row in samples:
            low, high = Summary.of(row).interval()
            covered += low <= truth <= high
        assert 0.94 <= covered / 10_000 <= 0.96


def test_the_sequential_test_errs_as_rarely_as_it_says() -> None:
    rng = np.random.default_rng(7)
    test = SequentialTest(0.0, 0.5)
    for truth, wrong in ((0.0, "high"), (0.5, "low")):
        errors = 0
        for _ in range(300):
            values = rng.normal(truth, 5.5, size=20_000)
            answer = next(a for n in range(500, 20_001, 500) if (a := test.answer(values[:n])) or n == 20_000)
            errors += answer == wrong
        assert errors / 300 <= 0.07  # 5%, and two standard errors of the simulation


def test_a_test_needs_two_means_in_order() -> None:
    with pytest.raises(BidlabError, match="the lower one first"):
        SequentialTest(1, 0)
    with pytest.raises(BidlabError, match=r"between 0 and 0\.5"):
        SequentialTest(0, 1, error=0.7)


# Tournaments and distance.


def test_a_round_robin_is_its_matches() -> None:
    makers = [Pointer, Passer, Chatterer]
    found = round_robin(makers, TUNE, 200)
    assert found.names == ("pointer15", "passer", "chatterer0")
    direct = play_match(Passer, Chatterer, TUNE, 200)
    assert found.result(1, 2) == direct.plain
    assert found.result(2, 1).mean == -direct.plain.mean
    total = (found.result(0, 1).mean + found.result(0, 2).mean) / 2
    assert found.total(0).mean == pytest.approx(total)
    points = [found.victory_points(i, 16) for i in range(3)]
    assert sum(points) == pytest.approx(3 * 20 * 13, abs=1e-6)  # 13 rounds a match, 20 points each


def test_victory_points_of_a_match_are_those_of_its_rounds() -> None:
    match = play_match(Pointer, Passer, TUNE, 40)
    first, second = match_victory_points(match, 16)
    margins = [int(match.swings[i : i + 16].sum()) for i in (0, 16, 32)]
    assert first == pytest.approx(
        sum(victory_points(m, n) for m, n in zip(margins, (16, 16, 8), strict=True))
    )
    assert first + second == pytest.approx(60)


def test_a_paired_comparison_is_sharper_than_two_matches() -> None:
    found = compare_variants(Pointer, partial(Pointer, 16), Chatterer, TUNE, 600)
    apart = np.hypot(found.first.plain.stderr, found.second.plain.stderr)
    assert found.plain.mean == pytest.approx(found.first.plain.mean - found.second.plain.mean)
    assert found.plain.stderr < 0.7 * apart


def test_distance_of_passing_is_that_of_par() -> None:
    found = distance_from_par(Passer(), TUNE, 500)
    assert (found.plain_imps == found.passing_imps).all() and (found.perfect_imps == found.passing_imps).all()
    bits, tables = TUNE.library.deals(count=500)
    boards = Boards.numbered(bits)
    expected = np.abs(imp_array(par_scores(tables, boards.dealers, boards.vulnerable)))
    assert (found.passing_imps == expected).all()


def test_distance_of_recorded_auctions(tmp_path) -> None:
    """The records of a match's open room stand as far from par as the bidders did."""
    match = play_match(Pointer, Pointer, TUNE, 20)
    path = tmp_path / "match.pbn"
    write_boards((record for record in match_records(match) if record.room == "Open"), path)
    found = distance_of_records(read_boards(path), str(path))
    own = distance_from_par(Pointer(), TUNE, 20)
    assert (found.plain_imps == own.plain_imps).all() and (found.perfect_imps == own.perfect_imps).all()


def test_bad_numbers_of_boards() -> None:
    with pytest.raises(BidlabError, match="0 boards: at least one is wanted"):
        play_match(Passer, Passer, TUNE, 0)
    with pytest.raises(BidlabError, match=r"no boards 1-10001 in library tune: it has 1-10000"):
        play_match(Passer, Passer, TUNE, 10_001)
    with pytest.raises(BidlabError, match="at least two are wanted"):
        round_robin([Passer], TUNE, 10)


# Reports.


def test_records_hold_both_tables_with_tricks_and_par(tmp_path) -> None:
    match = play_match(Pointer, Chatterer, TUNE, 6)
    path = tmp_path / "match.pbn"
    assert write_boards(match_records(match), path) == 12
    records = list(read_boards(path))
    assert [record.room for record in records[:2]] == ["Open", "Closed"]
    assert records[0].names[0] == "pointer15" and records[1].names[0] == "chatterer0"
    points = [record.result.score for record in records]
    swings = [imps(points[i] - points[i + 1]) for i in range(0, 12, 2)]
    assert swings == match.swings.tolist()
    assert records[0].tag("OptimumScore").startswith("NS ")


def test_swing_boards_tell_the_story() -> None:
    match = play_match(Pointer, Passer, TUNE, 100)
    shown = list(swing_boards(match, 3))
    assert len(shown) == 3
    largest = int(np.abs(match.swings).max())
    assert f"{largest} IMPs to " in shown[0] and "Par: " in shown[0]
    assert "Open room: pointer15 North-South, passer East-West" in shown[0] and "1NT" in shown[0]
    assert "15+" in shown[0]  # the meaning that was disclosed
    flat = play_match(Passer, Passer, TUNE, 10)
    assert list(swing_boards(flat, 3)) == []
