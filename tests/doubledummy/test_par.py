"""Par beside the answers of DDS, beside DDS itself, and beside a plain search of whole auctions."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.doubledummy.list100 import DDS_STRAINS, DDS_VULNERABILITIES, Table, answers

from bidlab.bridge.boards import VULNERABILITIES, Vulnerability, dealer_of, vulnerability_of
from bidlab.bridge.cards import SEATS, STRAINS, Seat
from bidlab.bridge.contracts import Contract, Doubling, Result
from bidlab.bridge.errors import BidlabError
from bidlab.doubledummy.par import Par, par

tables = st.lists(st.lists(st.integers(0, 13), min_size=4, max_size=4), min_size=5, max_size=5)
seats = st.sampled_from(SEATS)
vulnerabilities = st.sampled_from(VULNERABILITIES)


def table_of(text: str) -> Table:
    """The table drawn as rows N E S W and columns C D H S NT."""
    rows = [[int(word) for word in line.split()[1:]] for line in text.strip().splitlines()[1:]]
    return [[row[strain] for row in rows] for strain in range(5)]


def names(contracts: tuple[Contract, ...]) -> list[str]:
    return [str(contract) for contract in contracts]


# What DDS writes. It lists contracts in two ways. PAR names every level of a strain that gives the score, as
# in "NS 234C" and "EW 2Nx", once with either side speaking first. PAR2 names the lowest level of each strain
# with its result, as in "2C-NS+2" and "2N*-EW-1", and it is the one that knows the dealer: if North and East
# make 1NT but not their partners, West's deal gives it to North, who speaks before East. So does ours.


def all_levels(text: str) -> set[str]:
    """The contracts of a listing such as "NS:EW 2Nx,W 45N"."""
    found = set()
    for part in filter(None, text.partition(":")[2].split(",")):
        match = re.fullmatch(r"([NESW]+) ([1-7]+)([CDHSN])(x?)", part)
        assert match is not None, part
        declarers, levels, strain, doubled = match.groups()
        found |= {f"{level}{strain}{doubled.upper()} by {by}" for level in levels for by in declarers}
    return found


def lowest_levels(texts: list[str]) -> set[str]:
    """The results of a listing such as "2N*-EW-1", "4N-W+1"."""
    found = set()
    for text in texts:
        match = re.fullmatch(r"([1-7][CDHSN])(\*?)-([NESW]+)([+-]\d+)?", text)
        assert match is not None, text
        bid, doubled, declarers, balance = match.groups()
        found |= {f"{bid}{'X' if doubled else ''}{balance or '='} by {by}" for by in declarers}
    return found


def lowest_results(found: Par) -> set[str]:
    """Our results at the lowest level of each strain."""
    lowest: dict[object, int] = {}
    for contract in found.contracts:
        lowest.setdefault(contract.strain, contract.level)
    return {str(r) for r in found.results if r.contract.level == lowest[r.contract.strain]}


def test_every_score_and_every_contract_of_the_100_deals_of_dds(shared_data: Path) -> None:
    count = 0
    for answer in answers(shared_data):
        found = par(answer.table, answer.dealer, answer.vulnerable)
        ns_score, ew_score, ns_first, ew_first = answer.par
        assert (ns_score, ew_score) == (f"NS {found.score}", f"EW {-found.score}")
        assert answer.par2[0] == str(found.score)
        # On no deal of the list it matters who speaks first, and PAR and PAR2 never contradict each other.
        assert set(names(found.contracts)) == all_levels(ns_first) == all_levels(ew_first)
        assert lowest_results(found) == lowest_levels(answer.par2[1:])
        count += 1
    assert count == 100


class Asked(NamedTuple):
    """What DDS answers: for the dealer, as in PAR2, and with his side speaking first, as in PAR."""

    score: int
    lowest: set[str]
    side_score: int
    all_levels: set[str]


Dds = Callable[[Table, Seat, Vulnerability], Asked]


@pytest.fixture(scope="module")
def dds() -> Dds:
    """DDS itself, as endplay brings it."""
    library = pytest.importorskip("endplay._dds")
    from endplay.dds import par as dds_par
    from endplay.dds.ddtable import DDTable
    from endplay.types import Player, Vul

    def asked(table: Table, dealer: Seat, vulnerable: Vulnerability) -> Asked:
        tricks = library.ddTableResults()
        for strain, row in zip("CDHSN", table, strict=True):
            tricks.resTable[DDS_STRAINS.index(strain)][:] = row
        code = DDS_VULNERABILITIES.index(vulnerable)
        by_dealer = dds_par(DDTable(tricks), Vul(code), Player(dealer))
        lowest = {endplay_result(contract) for contract in by_dealer}  # each is only good until the next
        texts = library.parResults()
        library.Par(tricks, texts, code)
        # Two scores of 16 characters and two listings of 128; endplay declares them the other way round.
        side, raw = dealer & 1, bytes(texts)
        score, listing = (raw[at:].split(b"\0")[0].decode() for at in (16 * side, 32 + 128 * side))
        points = int(score.split()[1])
        return Asked(by_dealer.score, lowest, -points if side else points, all_levels(listing))

    return asked


def endplay_result(contract: Any) -> str:
    bid = f"{contract.level}{contract.denom.name[0].upper()}"
    doubled = "X" if contract.result < 0 else ""
    return (
        f"{bid}{doubled}{f'{contract.result:+d}' if contract.result else '='} by {'NESW'[contract.declarer]}"
    )


def agree_with_dds(table: Table, dds: Dds, numbers: Iterable[int]) -> int:
    """On how many boards DDS is of one mind: both of its listings must then be ours, else the dealer's."""
    agreements = 0
    for number in numbers:
        dealer, vulnerable = dealer_of(number), vulnerability_of(number)
        found = par(table, dealer, vulnerable)
        asked = dds(table, dealer, vulnerable)
        assert asked.score == found.score, (table, number)
        assert asked.lowest == lowest_results(found), (table, number)
        if asked.side_score == asked.score and starts(asked.all_levels) == starts(asked.lowest):
            assert asked.all_levels == set(names(found.contracts)), (table, number)
            agreements += 1
    return agreements


def starts(texts: set[str]) -> dict[str, str]:
    """The lowest level of each strain."""
    return {text[1]: text[0] for text in sorted(texts, reverse=True)}


def plausible_table(random: np.random.Generator) -> Table:
    """A table as deals have them: 13 tricks or fewer for both sides together; sometimes 14, as in 1NT."""
    table = []
    for middle in random.normal(6.5, 2.7, 5):
        ns = int(np.clip(round(middle), 0, 13))
        ew = int(np.clip(13 - ns + random.choice([1, 0, 0, 0, 0, 0, -1, -1]), 0, 13))
        worse = random.choice([0, 0, 0, 0, 0, -1, -2], 4)
        table.append([max(0, best + int(less)) for best, less in zip((ns, ew, ns, ew), worse, strict=True)])
    return table


@pytest.mark.parametrize("count", [3000, pytest.param(40_000, marks=pytest.mark.full)])
def test_score_and_contracts_equal_those_of_dds(count: int, dds: Dds) -> None:
    random = np.random.default_rng(count)
    agreements = 0
    for first in range(1, 4 * count, 4):  # four dealers and vulnerabilities for each, in turn all sixteen
        agreements += agree_with_dds(plausible_table(random), dds, range(first, first + 4))
    assert 0.999 * 4 * count < agreements < 4 * count


def test_tables_of_real_deals_equal_dds_for_every_dealer_and_vulnerability(
    shared_data: Path, dds: Dds
) -> None:
    for answer in answers(shared_data):
        assert agree_with_dds(answer.table, dds, range(1, 17)) == 16


class WholeAuction:
    """The value of every point of an auction, call by call as the laws have it, from North-South's side.

    A plain search: who is to call tries pass, double, redouble and every higher bid, and declarer is who of
    his side first named the strain. That is remembered only where partners take different numbers of tricks.
    """

    def __init__(self, table: Table, vulnerable: Vulnerability) -> None:
        self.table = table
        self.vulnerable = vulnerable
        pairs = [(strain, side) for strain in range(5) for side in (0, 1)]
        self.pairs = [(strain, side) for strain, side in pairs if len(set(table[strain][side::2])) > 1]
        self.after = cache(self._after)

    def value(self, dealer: Seat) -> int:
        return self.after(int(dealer), -1, -1, 0, 0, (-1,) * len(self.pairs))

    def _after(
        self, turn: int, last: int, declarer: int, doubling: int, passes: int, named: tuple[int, ...]
    ) -> int:
        if passes == (3 if last >= 0 else 4):
            return self._score(last, declarer, doubling)
        left = (turn + 1) % 4
        values = [self.after(left, last, declarer, doubling, passes + 1, named)]
        if last >= 0 and doubling == (declarer - turn + 1) % 2:  # their bid undoubled, or ours doubled
            values.append(self.after(left, last, declarer, doubling + 1, 0, named))
        for bid in range(last + 1, 35):
            declares, now_named = self._named(bid % 5, turn, named)
            values.append(self.after(left, bid, declares, 0, 0, now_named))
        return max(values) if turn % 2 == 0 else min(values)

    def _named(self, strain: int, turn: int, named: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Who would declare the strain now, and who has named what."""
        if (strain, turn % 2) not in self.pairs:
            return turn % 2, named
        place = self.pairs.index((strain, turn % 2))
        if named[place] < 0:
            named = (*named[:place], turn, *named[place + 1 :])
        return named[place], named

    def _score(self, last: int, declarer: int, doubling: int) -> int:
        if last < 0:
            return 0
        contract = Contract(last // 5 + 1, STRAINS[last % 5], Doubling(doubling), SEATS[declarer])
        return Result(contract, self.table[last % 5][declarer], self.vulnerable).score


def searchable_table(random: np.random.Generator, number: int) -> Table:
    """A table in which partners differ in two strains at most, so that the search is short."""
    # Every other one is of a kind that no deal has: slams for both sides, or a notrump that both want.
    table = plausible_table(random) if number % 2 else random.integers(0, 14, (5, 4)).tolist()
    differing = random.choice(10, 2, replace=False)
    if number % 4 == 0:
        most = int(random.choice([7, 8, 9]))
        table[4] = np.roll([most, 15 - most, most - 1, 14 - most], random.integers(4)).tolist()
        differing = np.array([8, 9])
    for pair in set(range(10)) - set(differing.tolist()):
        row, side = table[pair // 2], pair % 2
        row[side + 2] = row[side]
    return table


@pytest.mark.parametrize("count", [24, pytest.param(300, marks=pytest.mark.full)])
def test_score_equals_a_search_of_whole_auctions(count: int) -> None:
    random = np.random.default_rng(count)
    for number in range(count):
        table = searchable_table(random, number)
        vulnerable = VULNERABILITIES[number // 4 % 4]
        auction = WholeAuction(table, vulnerable)
        scores = [par(table, dealer, vulnerable).score for dealer in SEATS]
        assert scores == [auction.value(dealer) for dealer in SEATS], (table, vulnerable)


@given(tables, seats, vulnerabilities)
def test_turning_the_table_by_one_seat_negates_the_score(
    table: Table, dealer: Seat, vulnerable: Vulnerability
) -> None:
    turned = [[row[-1], *row[:-1]] for row in table]
    swapped = Vulnerability((vulnerable >> 1) | (vulnerable << 1 & 2))
    before, after = par(table, dealer, vulnerable), par(turned, dealer.next, swapped)
    assert after.score == -before.score

    def next_seat(contract: Contract) -> Contract:
        assert contract.declarer is not None
        return Contract(contract.level, contract.strain, contract.doubling, contract.declarer.next)

    assert set(after.contracts) == set(map(next_seat, before.contracts))


@given(tables, seats, vulnerabilities, st.integers(0, 4), seats, st.integers(1, 13))
def test_more_tricks_never_hurt(
    table: Table, dealer: Seat, vulnerable: Vulnerability, strain: int, declarer: Seat, more: int
) -> None:
    before = par(table, dealer, vulnerable).score
    table[strain][declarer] = min(13, table[strain][declarer] + more)
    gain = par(table, dealer, vulnerable).score - before
    assert gain >= 0 if declarer.is_north_south else gain <= 0


@given(tables, seats, vulnerabilities)
def test_every_result_gives_the_score_and_failing_contracts_are_doubled(
    table: Table, dealer: Seat, vulnerable: Vulnerability
) -> None:
    found = par(table, dealer, vulnerable)
    assert bool(found.results) == (found.score != 0)
    for result in found.results:
        contract = result.contract
        assert contract.strain is not None and contract.declarer is not None
        assert (result.score, result.vulnerable) == (found.score, vulnerable)
        assert result.tricks == table[contract.strain][contract.declarer]
        assert bool(contract.doubling) == (result.tricks < contract.tricks_needed)


GAME_OR_SACRIFICE = table_of("""
       C  D  H  S NT
    N  5  4  6 10  8
    E  8  9  7  3  5
    S  5  4  6 10  8
    W  8  9  7  3  4
""")


@pytest.mark.parametrize(
    ("vulnerable", "text"),
    [
        ("none", "+300 North-South: 5♦X-2 by East-West"),
        ("NS", "+300 North-South: 5♦X-2 by East-West"),
        ("EW", "+420 North-South: 4♠ by North-South"),
        ("both", "+500 North-South: 5♦X-2 by East-West"),
    ],
)
def test_sacrifice_when_it_costs_less_than_the_game(vulnerable: str, text: str) -> None:
    assert str(par(GAME_OR_SACRIFICE, "N", vulnerable)) == text


ONE_NOTRUMP_FOR_BOTH = table_of("""
       C  D  H  S NT
    N  6  6  6  6  7
    E  6  6  6  6  7
    S  6  6  6  6  7
    W  6  6  6  6  6
""")


def test_player_who_speaks_first_has_the_notrump_that_both_sides_can_make() -> None:
    ns, ew = "+90 North-South: 1NT by North-South", "+90 East-West: 1NT by East"
    # West cannot make it, so that on his deal North comes before East.
    assert [str(par(ONE_NOTRUMP_FOR_BOTH, dealer, "none")) for dealer in "NESW"] == [ns, ew, ns, ns]


def test_bid_that_the_opponents_would_make_first_is_no_par_contract() -> None:
    table = [row[:] for row in ONE_NOTRUMP_FOR_BOTH]
    table[0] = [7, 5, 8, 5]
    assert str(par(table, "N", "none")) == "+90 North-South: 1NT by North-South; 2♣ by South"
    assert str(par(table, "E", "none")) == "+90 North-South: 2♣ by South"


def test_board_that_nobody_can_make_anything_on_is_passed_out() -> None:
    found = par(np.full((5, 4), 6, dtype=np.uint8), "W", "both")
    assert (found.score, found.contracts, found.results) == (0, (), ())
    assert (str(found), repr(found)) == ("passed out: 0", "<Par passed out: 0>")


NOTRUMP_BY_SOUTH = table_of("""
       C  D  H  S NT
    N  9  8  8  8  8
    E  4  5  5  5  2
    S  9  8  8  8 11
    W  4  5  5  5  2
""")


def test_every_level_that_scores_the_same_and_only_the_better_declarer() -> None:
    found = par(NOTRUMP_BY_SOUTH, "N", "NS")
    assert names(found.contracts) == ["3N by S", "4N by S", "5N by S"]
    assert [result.balance for result in found.results] == ["+2", "+1", "="]
    assert str(found) == "+660 North-South: 3NT+2, 4NT+1 or 5NT by South"


def test_level_that_the_opponents_would_bid_over_is_left_out() -> None:
    table = [row[:] for row in NOTRUMP_BY_SOUTH]
    table[0] = [4, 9, 4, 9]  # 4♣X costs 100 and 5♣X 300, but 6♣X 500
    assert str(par(table, "N", "none")) == "+460 North-South: 5NT by South"
    table[0] = [4, 8, 4, 8]  # 4♣X costs 300, but 5♣X 500
    assert str(par(table, "N", "none")) == "+460 North-South: 4NT+1 or 5NT by South"
    table[0] = [4, 7, 4, 7]  # 4♣X costs 500
    assert str(par(table, "N", "none")) == "+460 North-South: 3NT+2, 4NT+1 or 5NT by South"


# Deals on which partners differ, and on which programs were found to disagree: the examples of
# https://github.com/emkael/bcdd, doc/LowestParContract.en.md. Tricks of N, S, W and E in NT S H D C.
PUBLISHED = """
W none  10 10 11 10 10  11 10 11 10 10   2  3  2  3  3   2  3  2  3  3   +460 3NS 4NS 5NS
N EW     8  3  9  4  7   3  3  8  3  7   4 10  4  9  6   4 10  4  9  6   -300 4NXN 5HXN
W EW     4  4  5  6  7   4  4  5  7  6   8  8  7  5  6   9  8  7  6  6   -500 4CXN 4DXS
W none   6  3 10  9  3   6  3 10 10  3   6 10  3  3 10   6 10  3  3 10   -100 5DXS 5HXN 5HXS
E EW     3  3  3  3  5   3  3  3  3  5  10 10 10  9  8   9  9 10  8  8   -630 3NW 4NW
"""


def test_partners_who_take_different_tricks() -> None:
    for line in PUBLISHED.strip().splitlines():
        dealer, vulnerable, *words = line.split()
        rows = [[int(word) for word in words[start : start + 5]] for start in (0, 15, 5, 10)]  # N E S W
        found = par([[row[4 - strain] for row in rows] for strain in range(5)], dealer, vulnerable)
        assert found.score == int(words[20])
        assert found.contracts == tuple(map(Contract.parse, words[21:]))


def test_dealer_and_vulnerability_are_read_as_everywhere() -> None:
    expected = par(GAME_OR_SACRIFICE, Seat.SOUTH, Vulnerability.BOTH)
    for dealer, vulnerable in (("S", "both"), ("south", "All")):
        assert par(np.array(GAME_OR_SACRIFICE), dealer, vulnerable) == expected
    assert hash(expected) == hash(par(tuple(map(tuple, GAME_OR_SACRIFICE)), "S", "both"))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[6] * 5] * 4, r"no trick table of shape \(4, 5\): one of 5 strains C D H S NT with 4 declarers"),
        ([[[6] * 4] * 5], r"no trick table of shape \(1, 5, 4\)"),
        (None, r"no trick table of shape \(\)"),
        ([[6] * 4] * 4 + [[6] * 3], "no trick table of rows that differ in length: one of 5 strains"),
        ([[6.5] * 4] * 5, "no trick table of type float64: whole numbers 0 to 13 are wanted"),
        ([["A"] * 4] * 5, "no trick table of type <U1: whole numbers 0 to 13"),
        ([[6] * 4] * 4 + [[6, 6, 14, 6]], "no 14 tricks for South in notrump: 0 to 13 are wanted"),
        ([[6, -1, 6, 6]] + [[6] * 4] * 4, "no -1 tricks for East in clubs: 0 to 13 are wanted"),
    ],
)
def test_what_is_no_trick_table(table: Any, message: str) -> None:
    with pytest.raises(BidlabError, match=message):
        par(table, "N", "none")


def test_dealer_and_vulnerability_that_do_not_exist() -> None:
    with pytest.raises(BidlabError, match="no seat 'Q'"):
        par(GAME_OR_SACRIFICE, "Q", "none")
    with pytest.raises(BidlabError, match="no vulnerability 'red'"):
        par(GAME_OR_SACRIFICE, "N", "red")


def test_results_of_one_par_score_the_same() -> None:
    with pytest.raises(BidlabError, match=r"score differently: 4S= by N \+420, 3N= by N \+400"):
        Par((Result("4S by N", 10), Result("3N by N", 9)))
