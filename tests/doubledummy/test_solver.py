"""A solver whatever it is asked and however: threads, batches, warmth, budgets, memory, interruptions."""

import subprocess
import sys
import textwrap
import threading
import time
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bidlab.bridge.cards import SEATS, STRAINS, Card, Seat, Strain
from bidlab.bridge.contracts import Contract, Doubling
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Deal
from bidlab.bridge.play import Play
from bidlab.dealing import deal_bits
from bidlab.doubledummy import UNKNOWN, Solver, card_values, makes, solve, trick_table

Bits = np.ndarray  # [deal, seat N E S W] of 52-bit hands

# Each hand and each suit looks like the others, so that hardly two positions differ in what they are worth: a
# deal made to be as hard as any.
#
#                ♠ A J 9 6 2
#                ♥ K 10 7 4
#                ♦ —
#                ♣ Q 8 5 3
#   ♠ K 10 7 4                  ♠ Q 8 5 3
#   ♥ —                         ♥ A J 9 6 2
#   ♦ Q 8 5 3                   ♦ K 10 7 4
#   ♣ A J 9 6 2                 ♣ —
#                ♠ —
#                ♥ Q 8 5 3
#                ♦ A J 9 6 2
#                ♣ K 10 7 4
MONSTER = Deal.parse("N:AJ962.KT74..Q853 Q853.AJ962.KT74. .Q853.AJ962.KT74 KT74..Q853.AJ962")
MONSTERS_TABLE = [[7, 4, 7, 4], [4, 7, 4, 7], [7, 4, 7, 4], [4, 7, 4, 7], [7, 7, 7, 7]]


def samples(shared: int, count: int, seed: int) -> Bits:
    """Deals in which North, or North and South, hold the same cards; with none shared, just deals."""
    random = Random(seed)
    given = deal_bits(1, seed)[0].tolist()
    seats = (0, 2)[:shared]
    rest = [card for card in range(52) if not any(given[seat] >> card & 1 for seat in seats)]
    deals = []
    for _ in range(count):
        random.shuffle(rest)
        cards = iter(rest)
        deals.append([given[s] if s in seats else sum(1 << next(cards) for _ in range(13)) for s in range(4)])
    return np.array(deals, dtype=np.uint64)


@pytest.fixture(scope="module")
def deals() -> Bits:
    return deal_bits(12, seed=20)


@pytest.fixture(scope="module")
def tables(deals: Bits) -> np.ndarray:
    """Each deal solved for itself by a solver that knows nothing."""
    return np.concatenate([solve(deals[i : i + 1], threads=1) for i in range(len(deals))])


# --- the same whatever the threads, the batch and what came before ------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("warm", [False, True])
def test_same_tables_on_any_number_of_threads(
    threads: int, warm: bool, deals: Bits, tables: np.ndarray
) -> None:
    assert (Solver(threads, warm=warm).solve(deals) == tables).all()


def test_same_tables_in_any_order_and_any_batches(deals: Bits, tables: np.ndarray) -> None:
    order = np.random.default_rng(1).permutation(len(deals))
    solver = Solver()
    found = np.empty_like(tables)
    for part in np.split(order, [1, 3, 8]):
        found[part] = solver.solve(deals[part])
    assert (found == tables).all()


def test_cold_work_is_the_same_on_any_number_of_threads(deals: Bits) -> None:
    nodes = set()
    for threads in (1, 2, 3):
        solver = Solver(threads, warm=False)
        solver.solve(deals[:4])
        nodes.add((solver.effort.nodes, solver.effort.lookups, solver.effort.hits))
    assert len(nodes) == 1


def test_deals_arrays_and_views_of_arrays_are_read_alike(deals: Bits, tables: np.ndarray) -> None:
    as_deals = [Deal.of_bits(row) for row in deals[:2]]
    assert (solve(as_deals) == tables[:2]).all()
    assert (trick_table(as_deals[1]) == tables[1]).all()
    assert (solve(deals[1::-1]) == tables[1::-1]).all()
    assert (solve(np.asfortranarray(deals[:2])) == tables[:2]).all()


@pytest.mark.parametrize("shared", [0, 1, 2])
def test_warm_equals_cold_on_samples_that_share_hands(shared: int) -> None:
    deals = samples(shared, 12, seed=30 + shared)
    solver = Solver(threads=1)
    one_by_one = [solver.solve(deals[i : i + 1])[0] for i in range(len(deals))]
    assert (np.array(one_by_one) == solve(deals)).all()


def test_warm_solver_remembers_what_it_has_solved(deals: Bits) -> None:
    solver = Solver(threads=1)
    first = solver.solve(deals[:1])
    nodes = solver.effort.nodes
    assert (solver.solve(deals[:1]) == first).all()
    assert solver.effort.nodes - nodes < nodes / 100


def test_one_warm_solver_for_everything(deals: Bits, tables: np.ndarray) -> None:
    """Tables, contracts, leads and endings of one solver, in turn: nothing spoils what comes after."""
    solver = Solver(threads=1)
    for deal, table in zip(deals[:4], tables[:4], strict=True):
        play = Play(Deal.of_bits(deal), "H", "W")
        leads = solver.card_values(play)
        assert 13 - max(leads.values()) == table[Strain.HEARTS, 2]
        assert solver.tricks(deal[None], "1H by S")[0] == table[Strain.HEARTS, 2]
        assert solver.makes(deal[None], "3N by E")[0] == (table[Strain.NOTRUMP, 1] >= 9)
        assert (solver.solve(deal[None], strains="NH")[0, [2, 4]] == table[[2, 4]]).all()
        assert solver.card_values(play) == leads == card_values(play)
        assert solver.card_values(Play("N:A...2 .A..K K...3 .K..4", "N", "N")) == {0: 0, 51: 1}
        assert (solver.solve(deal[None])[0] == table).all()


# --- parts of a table ---------------------------------------------------------------------------------------


CONTRACTS = [
    Contract(level, strain, Doubling.UNDOUBLED, seat)
    for level in range(1, 8)
    for strain in STRAINS
    for seat in SEATS
]


def test_every_contract_makes_and_takes_what_the_table_says(deals: Bits, tables: np.ndarray) -> None:
    solver = Solver()
    for row, table in zip(deals[:3], tables[:3], strict=True):
        deal = [Deal.of_bits(row)] * len(CONTRACTS)
        tricks = [table[contract.strain, contract.declarer] for contract in CONTRACTS]
        needed = [contract.tricks_needed for contract in CONTRACTS]
        assert solver.makes(deal, CONTRACTS).tolist() == np.greater_equal(tricks, needed).tolist()
        assert solver.tricks(deal, CONTRACTS).tolist() == tricks


def test_contracts_of_one_deal_by_a_solver_that_knows_nothing(deals: Bits, tables: np.ndarray) -> None:
    deal = Deal.of_bits(deals[5])
    for contract in CONTRACTS[::9]:
        assert makes(deal, contract) is bool(
            tables[5][contract.strain, contract.declarer] >= contract.tricks_needed
        )


def test_one_contract_for_all_deals_or_one_for_each(deals: Bits, tables: np.ndarray) -> None:
    solver = Solver()
    assert solver.tricks(deals[:5], "4S by N").tolist() == tables[:5, Strain.SPADES, 0].tolist()
    assert solver.makes(deals[:2], ["2C by E", Contract.parse("1N by W")]).tolist() == [
        tables[0, Strain.CLUBS, 1] >= 8,
        tables[1, Strain.NOTRUMP, 3] >= 7,
    ]


@pytest.mark.parametrize(
    ("strains", "declarers"),
    [
        ("S", "NESW"),
        ("CDHSN", "E"),
        ("NC", "WN"),
        (["notrump", "hearts"], ["south"]),
        ("", "NESW"),
        ("S", ""),
    ],
)
def test_what_is_not_asked_for_is_unknown(
    strains: Any, declarers: Any, deals: Bits, tables: np.ndarray
) -> None:
    found = solve(deals[:3], strains=strains, declarers=declarers)
    is_asked = np.zeros((5, 4), dtype=bool)
    is_asked[np.ix_([Strain(text) for text in strains], [Seat(text) for text in declarers])] = True
    assert (found[:, ~is_asked] == UNKNOWN).all()
    assert (found[:, is_asked] == tables[:3, is_asked]).all()


def test_asking_for_one_strain_saves_the_work_of_the_others(deals: Bits) -> None:
    one, all_five = Solver(1, warm=False), Solver(1, warm=False)
    one.solve(deals[:3], strains="D", declarers="NS")
    all_five.solve(deals[:3])
    assert one.effort.nodes < all_five.effort.nodes / 3


# --- symmetry -----------------------------------------------------------------------------------------------


@st.composite
def endings(draw: st.DrawFn) -> Bits:
    """One to thirteen cards in each hand, as an array of one deal."""
    cards = draw(st.integers(1, 13))
    pack = draw(st.permutations(range(52)))
    hands = [sum(1 << card for card in pack[cards * s : cards * s + cards]) for s in range(4)]
    return np.array([hands], dtype=np.uint64)


@settings(max_examples=40)
@given(endings(), st.integers(1, 3))
def test_turning_the_seats_turns_the_table(deal: Bits, steps: int) -> None:
    turned = np.roll(deal, steps, axis=1)
    assert (solve(turned)[0] == np.roll(solve(deal)[0], steps, axis=1)).all()


@settings(max_examples=40)
@given(endings(), st.permutations(range(4)))
def test_renaming_the_suits_renames_the_strains(deal: Bits, names: list[int]) -> None:
    renamed = np.zeros_like(deal)
    for suit, name in enumerate(names):
        renamed |= (deal >> np.uint64(13 * suit) & np.uint64(0x1FFF)) << np.uint64(13 * name)
    assert (solve(renamed)[0][[*names, 4]] == solve(deal)[0]).all()


# --- budgets of work and of memory --------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 100, 10_000, 100_000])
@pytest.mark.parametrize("warm", [False, True])
def test_budget_leaves_results_unknown_but_none_wrong(
    nodes: int, warm: bool, deals: Bits, tables: np.ndarray
) -> None:
    solver = Solver(warm=warm)
    found = solver.solve(deals, nodes=nodes)
    is_unknown = found == UNKNOWN
    assert is_unknown.any()
    assert (found[~is_unknown] == tables[~is_unknown]).all()
    assert (solver.solve(deals) == tables).all()


def test_budget_is_of_each_strain_of_each_deal_whatever_came_before(deals: Bits) -> None:
    # A budget for which about half of the results are found.
    alone = np.concatenate([solve(deals[i : i + 1], nodes=100_000, threads=1) for i in range(len(deals))])
    assert 0.1 < (alone == UNKNOWN).mean() < 0.9
    for threads in (1, 2, 3):
        assert (solve(deals, nodes=100_000, threads=threads) == alone).all(), threads


def test_no_more_positions_are_looked_at_than_the_budget_allows(deals: Bits) -> None:
    for nodes in (1, 1000, 50_000):
        solver = Solver(threads=1, warm=False)
        solver.solve(deals[:2], strains="CN", nodes=nodes)
        # It is looked at where a trick begins: one trick more may be played.
        assert solver.effort.nodes <= 2 * 2 * (nodes + 4)


def test_budget_of_contracts(deals: Bits, tables: np.ndarray) -> None:
    solver = Solver(threads=1, warm=False)
    assert (solver.tricks(deals, "3N by S", nodes=50) == UNKNOWN).all()
    assert (solver.tricks(deals, "3N by S") == tables[:, Strain.NOTRUMP, 2]).all()


def test_large_budget_is_as_good_as_none(deals: Bits, tables: np.ndarray) -> None:
    assert (solve(deals[:2], nodes=1 << 70) == tables[:2]).all()


# Notrump deals with tables of more than 16 MiB, found among the first of a seed.
LARGE = (71, 111, 72)


@pytest.mark.parametrize("warm", [False, True])
def test_full_tables_begin_anew_and_stay_within_the_memory(warm: bool) -> None:
    deals = deal_bits(120, seed=77)[list(LARGE)]
    small, large = Solver(1, 16, warm=warm), Solver(1, 1024, warm=warm)
    assert (small.solve(deals, strains="N") == large.solve(deals, strains="N")).all()
    assert small.effort.bytes <= 16 << 20
    assert small.effort.times_thinned > 0
    assert large.effort.times_thinned == 0
    assert small.effort.nodes > large.effort.nodes


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_memory_is_that_of_all_threads_and_strains_together(threads: int, deals: Bits) -> None:
    solver = Solver(threads, 16)
    solver.solve(deals[:4])
    assert solver.effort.bytes <= 16 << 20


def test_monster_with_little_memory() -> None:
    solver = Solver(threads=1, memory=16)
    assert solver.solve([MONSTER], strains="S", declarers="NS")[0, Strain.SPADES, [0, 2]].tolist() == [4, 4]
    assert solver.effort.times_thinned > 0
    assert solver.effort.bytes <= 16 << 20


def test_monster_in_suits() -> None:
    assert solve([MONSTER], strains="CDHS")[0, :4].tolist() == MONSTERS_TABLE[:4]


@pytest.mark.full
def test_monster_in_all_strains_within_the_memory_of_a_solver_by_default() -> None:
    solver = Solver(threads=1, warm=False)
    assert solver.solve([MONSTER])[0].tolist() == MONSTERS_TABLE
    assert solver.effort.bytes <= 1 << 30


# --- threads of Python, progress and interruptions ----------------------------------------------------------


def test_two_solvers_in_two_threads(deals: Bits, tables: np.ndarray) -> None:
    found: list[Any] = [None, None]

    def work(i: int) -> None:
        found[i] = Solver(threads=2).solve(deals[6 * i : 6 * i + 6])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (np.concatenate(found) == tables).all()


def test_other_python_threads_go_on_while_deals_are_solved(deals: Bits) -> None:
    thread = threading.Thread(target=lambda: Solver(threads=1).solve(deals))
    ticks = 0
    thread.start()
    while thread.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 20


def test_progress_counts_up_to_the_number_of_deals(deals: Bits) -> None:
    told: list[int] = []
    callers = set()

    def progress(done: int) -> None:
        told.append(done)
        callers.add(threading.get_ident())

    Solver(threads=1).solve(deals, progress=progress)
    assert told == sorted(told)
    assert told[-1] == len(deals)
    assert len(set(told)) > 2
    assert callers == {threading.get_ident()}
    told.clear()
    Solver().tricks(deals, "3N by S", progress=progress)
    assert told == sorted(told)
    assert told[-1] == len(deals)


def test_progress_may_stop_a_batch(deals: Bits, tables: np.ndarray) -> None:
    class EnoughError(Exception):
        pass

    calls = []

    def progress(done: int) -> None:
        calls.append(done)
        raise EnoughError(done)

    solver = Solver()
    start = time.monotonic()
    with pytest.raises(EnoughError):
        solver.solve(deal_bits(100_000, seed=1), progress=progress)  # hours of work
    assert time.monotonic() - start < 20
    assert len(calls) == 1
    assert (solver.solve(deals[:2]) == tables[:2]).all()


def test_progress_may_fail_at_the_very_end() -> None:
    with pytest.raises(ZeroDivisionError):
        solve([], progress=lambda done: 1 // done)


def run_python(program: str) -> subprocess.CompletedProcess[str]:
    """A program of its own, so that signals and crashes stay there."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize("work", ["deal_bits(100_000, seed=1)", "[monster]"])
def test_interrupt_stops_a_batch_and_a_single_deal(work: str) -> None:
    finished = run_python(f"""
        import os, signal, threading, time
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
        from bidlab.bridge.hands import Deal
        from bidlab.dealing import deal_bits
        from bidlab.doubledummy import Solver
        monster = Deal.parse("{MONSTER}")
        solver = Solver()
        threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
        start = time.monotonic()
        try:
            solver.solve({work}, strains="N")
        except KeyboardInterrupt:
            print("interrupted" if time.monotonic() - start < 5 else "late")
        print(solver.solve([Deal.parse("N:A...2 .A..K K...3 .K..4")])[0, 4].tolist())
    """)
    assert finished.stdout.splitlines() == ["interrupted", "[0, 1, 0, 1]"]
    assert (finished.returncode, finished.stderr) == (0, "")


def test_solver_at_work_refuses_another_question(deals: Bits, tables: np.ndarray) -> None:
    """From its own progress and from another thread alike; the work in hand goes on."""
    solver = Solver()
    refusals: list[int] = []

    def ask() -> None:
        with pytest.raises(BidlabError, match="at work: a Solver of its own is wanted for each thread"):
            solver.makes(deals[:1], "3N by S")
        refusals.append(threading.get_ident())

    def progress(done: int) -> None:
        ask()
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()

    assert (solver.solve(deals[:4], progress=progress) == tables[:4]).all()
    assert len(set(refusals)) >= 2
    assert (solver.solve(deals[:4]) == tables[:4]).all()


# --- next to nothing ----------------------------------------------------------------------------------------


def test_empty_batch() -> None:
    solver = Solver()
    assert solver.solve([]).shape == (0, 5, 4)
    assert solver.solve(np.empty((0, 4), dtype=np.uint64)).shape == (0, 5, 4)
    assert solver.tricks([], []).shape == solver.makes([], "3N by S").shape == (0,)
    assert solver.card_values([]) == []
    assert solver.effort.nodes == 0


def test_ending_of_one_card() -> None:
    """Who leads wins, except that West beats the king of hearts and that a trump beats all."""
    deal = Deal.parse("N:.K.. 2... ..9. .A..")
    assert solve([deal])[0].tolist() == [
        [0, 0, 0, 1],
        [1, 0, 1, 0],
        [0, 1, 0, 1],
        [0, 1, 0, 1],
        [0, 0, 0, 1],
    ]


def test_play_that_is_over_has_no_cards_to_value() -> None:
    play = Play("N:.K.. 2... ..9. .A..", "N", "N", "HK S2 D9 HA")
    assert card_values(play) == {}
    assert Solver().card_values([play, Play(play.deal, "N", "N")]) == [{}, {Card("HK"): 0}]
