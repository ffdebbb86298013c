"""Systems from text: where rules apply, in which order, with which suits; conventions, switches, contexts."""

import pickle
from pathlib import Path

import pytest
from tests.systems.auctions import (
    calls_at,
    cursor_at,
    meaning_at,
    rule_at,
    rules_at,
    shown,
    state_of,
    table_at,
)

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import Suit
from bidlab.bridge.errors import BidlabError
from bidlab.meaning.conditions import ANYTHING
from bidlab.systems.errors import SystemTextError
from bidlab.systems.rules import Forcing, Judged, Rule, Written
from bidlab.systems.system import System

C, D, H, S = Suit


def system(text: str) -> System:
    return System.parse(text)


# Where.


def test_leading_passes_are_skipped() -> None:
    natural = system("opening\n  1N  15-17\n1N\n  2C  8+")
    assert calls_at(natural, "P P") == ["1N"]
    assert calls_at(natural, "P P 1N P") == ["2C"]


def test_both_sides_are_followed_at_once() -> None:
    both = system("(1X)\n  1Y  5+ Y\n(1X) 1Y\n  2Y  3+ Y\n1X (1Y)\n  X  8+\n1X (1Y) X\n  1N  12-14")
    assert calls_at(both, "1C") == ["1D", "1H", "1S"]
    assert calls_at(both, "1C 1H") == ["X"]
    assert calls_at(both, "1C 1H P") == ["2H"]
    assert calls_at(both, "1C 1H X P") == ["1N"]


@pytest.mark.parametrize("header", ["1M -", "1M", "1M (-)", "1M (P)"])
def test_a_pass_at_the_end_is_implied(header: str) -> None:
    assert calls_at(system(f"{header}\n  2M  3+ M"), "1H P") == ["2H"]


@pytest.mark.parametrize("header", ["(1X) (2X)", "(1X) - (2X)", "(1X) P (2X)"])
def test_our_pass_between_two_calls_of_theirs_is_implied(header: str) -> None:
    assert calls_at(system(f"{header}\n  X  12+"), "1H P 2H") == ["X"]


def test_balancing_is_two_passes_after_their_opening() -> None:
    balancing = system("(1X) - -\n  X  9+")
    assert calls_at(balancing, "1H P P") == ["X"]
    assert calls_at(balancing, "1H") == []


def test_any_call_is_not_a_pass_and_any_bid_no_double() -> None:
    over = system("1N (any)\n  P\n1N (bid)\n  X  9+")
    assert calls_at(over, "1N X") == ["P"]
    assert calls_at(over, "1N 2C") == ["P", "X"]
    assert calls_at(over, "1N P") == []


def test_one_of_several_calls_of_an_opponent() -> None:
    assert [calls_at(system("1N (X or 2C)\n  2D  5+ H"), f"1N {call}") for call in ("X", "2C", "2D")] == [
        ["2D"],
        ["2D"],
        [],
    ]


def test_an_opponents_call_beneath_a_header_stands_for_its_implied_pass() -> None:
    over = system("1N\n  2C  8+\n  (X)\n    XX  9+")
    assert calls_at(over, "1N P") == ["2C"]
    assert calls_at(over, "1N X") == ["XX"]


def test_variables_are_different_suits() -> None:
    assert calls_at(system("1X\n  1Y  4+ Y"), "1D P") == ["1C", "1H", "1S"]
    assert calls_at(system("1M 2X\n  2oM  4+ oM"), "1S P 2C P") == ["2H"]


def test_the_other_major_binds_the_major() -> None:
    assert table_at(system("1oM\n  2M  5+ M, 0-2 oM"), "1H P") == [("2S", "5+ spades, 0-2 hearts")]


@pytest.mark.parametrize(
    ("qualifier", "auction", "matches"),
    [
        ("Z above X", "1C P 1S P 2D P", True),
        ("Z above X", "1H P 1S P 2C P", False),
        ("Z below X", "1H P 1S P 2C P", True),
        ("X is a major", "1H P 1S P 2C P", True),
        ("X is a minor", "1H P 1S P 2C P", False),
        ("not X is a minor", "1H P 1S P 2C P", True),
        ("X is hearts", "1H P 1S P 2C P", True),
        ("not Z is clubs", "1H P 1S P 2C P", False),
    ],
)
def test_a_qualifier_compares_suits(qualifier: str, auction: str, matches: bool) -> None:
    assert (calls_at(system(f"1X 1Y 2Z, {qualifier}\n  3N  10+"), auction) == ["3N"]) == matches


@pytest.mark.parametrize(
    ("qualifier", "state", "other"),
    [
        ("third seat", {"seat": 3}, {"seat": 1}),
        ("first or second seat", {"seat": 2}, {"seat": 3}),
        ("vulnerable", {"we_vulnerable": True}, {}),
        ("not vulnerable", {}, {"we_vulnerable": True}),
        ("favourable", {"they_vulnerable": True}, {"we_vulnerable": True, "they_vulnerable": True}),
        ("unfavourable", {"we_vulnerable": True}, {}),
        ("passed hand", {"i_passed": True}, {}),
        ("unpassed hand", {}, {"i_passed": True}),
        ("partner is a passed hand", {"partner_passed": True}, {}),
        ("they are vulnerable", {"they_vulnerable": True}, {}),
    ],
)
def test_a_qualifier_looks_at_the_table(
    qualifier: str, state: dict[str, object], other: dict[str, object]
) -> None:
    for text in (f"opening, {qualifier}\n  1N  15-17", f"opening\n  1N, {qualifier}  15-17"):
        assert calls_at(system(text), "", **state) == ["1N"]
        assert calls_at(system(text), "", **other) == []


# By state.


@pytest.mark.parametrize(
    ("predicate", "state", "other"),
    [
        ("agreed M", {"agreed": H}, {"agreed": C}),
        ("agreed hearts", {"agreed": H}, {"agreed": S}),
        ("no agreed suit", {}, {"agreed": C}),
        ("forcing to game", {"is_game_forced": True}, {}),
        ("not forcing to game", {}, {"is_game_forced": True}),
        ("forced", {"is_forced": True}, {}),
        ("invited", {"is_invited": True}, {}),
        ("partner signed off", {"is_signed_off": True}, {}),
        ("contested", {"is_contested": True}, {}),
        ("uncontested", {}, {"is_contested": True}),
        ("they doubled", {"is_doubled": True}, {}),
        ("they bid", {"is_overcalled": True}, {}),
        ("they bid X", {"is_overcalled": True, "their_suits": (H,)}, {"their_suits": (H,)}),
        ("they passed", {}, {"is_doubled": True}),
        ("they showed X", {"their_suits": (H,)}, {}),
        ("we opened", {"we_opened": True}, {}),
        ("they opened", {"they_opened": True}, {}),
        ("partner bid X", {"partner_suit": C}, {}),
        ("I bid Y", {"my_suit": C}, {}),
        ("partner has not bid", {}, {"partner_has_bid": True}),
        ("I have bid", {"i_have_bid": True}, {}),
        ("below game", {}, {"is_below_game": False}),
        ("below 3N", {"last_bid": Call("3S")}, {"last_bid": Call("4C")}),
        ("partner showed 12+", {"partner": shown(hcp=(12, 21))}, {"partner": shown(hcp=(11, 21))}),
        ("partner showed 9-", {"partner": shown(hcp=(6, 9))}, {"partner": shown(hcp=(6, 10))}),
        ("I showed 5+ X", {"me": shown(least=(0, 0, 0, 5))}, {"me": shown(least=(0, 0, 0, 4))}),
        (
            "known fit in X",
            {"me": shown(least=(0, 0, 0, 5)), "partner": shown(least=(0, 0, 0, 3))},
            {"me": shown(least=(0, 0, 0, 5))},
        ),
        ("partner transferred to X", {"transferred": S}, {}),
    ],
)
def test_a_context_by_state(predicate: str, state: dict[str, object], other: dict[str, object]) -> None:
    by_state = system(f"when {predicate}\n  4N  18+")
    assert calls_at(by_state, "1C P 1D", **state) == ["4N"]
    assert calls_at(by_state, "1C P 1D", **other) == []


def test_sequences_come_before_contexts_and_priority_before_both() -> None:
    by_state = "when uncontested\n  3C  1+\n  3D  2+  priority 1\n"
    text = f"{by_state}1N\n  2C  3+\n  2D  4+  priority -1\n1N -\n  2H  5+"
    assert calls_at(system(text), "1N P") == ["3D", "2C", "2H", "3C", "2D"]


def test_two_suits_of_theirs_give_two_rules() -> None:
    by_state = system("when they showed X\n  P  4+ X")
    assert [m for _, m in table_at(by_state, "", their_suits=(H, S))] == ["4+ hearts", "4+ spades"]


def test_the_answers_to_a_context_follow_its_rule() -> None:
    asks = system("when agreed M\n  4N  18+  asks key cards of M\n    5C  0 or 3 key cards in M")
    start = cursor_at(asks, "1C P 2C P")
    ask = rule_at(asks, "1C P 2C P", "4N", agreed=S)
    assert [str(r.condition) for r in asks.rules(start.after(ask.call, [ask]).after(Call.PASS), state_of())]
    assert asks.rules(start.after(ask.call).after(Call.PASS), state_of()) == []


def test_answers_belong_to_the_side_that_asked() -> None:
    asks = system("when agreed M\n  4N  18+  asks key cards of M\n    5C  0 or 3 key cards in M")
    ask = rule_at(asks, "1C", "4N", agreed=S)
    assert asks.rules(cursor_at(asks, "1C").after(ask.call, [ask]), state_of()) == []


def test_the_rules_that_made_a_call_choose_among_answers() -> None:
    two = system("1N\n  2C  8+, 4+ H\n    2H  4+ H\n  2C  8+, 4+ S\n    2S  4+ S")
    assert calls_at(two, "1N P 2C P") == ["2H", "2S"]
    first, second = rules_at(two, "1N P")
    start = cursor_at(two, "1N P")
    for rules, answers in (([first], ["2H"]), ([second], ["2S"]), ([first, second], ["2H", "2S"])):
        after = start.after(Call("2C"), rules).after(Call.PASS)
        assert [str(rule.call) for rule in two.rules(after, state_of())] == answers


def test_a_judged_call_is_followed_by_headers_only() -> None:
    text = "1N\n  2C  8+\n    2D  0-3 H\n1N 2C\n  2S  4+ S"
    judged = Rule(Call("2C"), ANYTHING, source=Judged("game"))
    natural = system(text)
    after = cursor_at(natural, "1N P").after(Call("2C"), [judged]).after(Call.PASS)
    assert [str(rule.call) for rule in natural.rules(after, state_of())] == ["2S"]


def test_cursors_are_found_again() -> None:
    natural = system("1N\n  2C  8+")
    assert cursor_at(natural, "1N P") is cursor_at(natural, "P 1N P")
    assert cursor_at(natural, "2D P 3D P") is cursor_at(natural, "7N P P")  # nothing is followed any more
    assert cursor_at(natural, "1N P").number != natural.start.number


def test_conditions_and_rules_are_shared() -> None:
    natural = system("1M\n  2M  3+ M, 6-9\n1M (X)\n  2M  3+ M, 6-9")
    one, again = rules_at(natural, "1H P")[0], rules_at(natural, "P 1H P")[0]
    assert one is again
    assert one.condition is rules_at(natural, "1H X")[0].condition


def test_rules_with_other_suits_behind_them_are_different() -> None:
    """What is kept by a list of rules must not find another auction's answers."""
    natural = system("1X 1Y\n  1N  12-14\n    2Y  5+ Y")
    hearts, spades = rules_at(natural, "1C P 1H P")[0], rules_at(natural, "1C P 1S P")[0]
    assert hearts.condition is spades.condition and hearts != spades
    after = cursor_at(natural, "1C P 1S P").after(Call("1N"), [spades]).after(Call.PASS)
    assert [str(rule.call) for rule in natural.rules(after, state_of())] == ["2S"]


def test_rules_come_back_from_another_process() -> None:
    natural = system("1N\n  2C  8+\n    2D  4+ D")
    rule = pickle.loads(pickle.dumps(rules_at(natural, "1N P")[0]))
    after = cursor_at(natural, "1N P").after(rule.call, [rule]).after(Call.PASS)
    assert [str(one.call) for one in natural.rules(after, state_of())] == ["2D"]


class _Recording:
    """A state that notes what is read of it."""

    def __init__(self, inner: object, prefix: str, read: set[str]) -> None:
        self._inner, self._prefix, self._read = inner, prefix, read

    def __getattr__(self, name: str) -> object:
        path = f"{self._prefix}{name}"
        if path in ("me", "partner", "left", "right"):
            return _Recording(getattr(self._inner, name), f"{path}.", self._read)
        self._read.add(path)
        return getattr(self._inner, name)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1N\n  2C  8+", set()),
        ("1N\n  3N  25+ combined", {"partner.hcp"}),
        ("1N\n  3N  25+ expected", {"partner.mean"}),
        ("1N\n  2H  minimum", {"me.hcp"}),
        ("1N\n  2H  fit in hearts", {"partner.least"}),
        ("1N\n  2N  stopper in their suit", {"their_suit"}),
        ("when agreed M\n  4N", {"agreed"}),
        ("1N\n  lowest hearts  5+ H", {"last_bid"}),
        ("1N, vulnerable\n  2H  5+ H", {"we_vulnerable"}),
        ("when forced, agreed M\n  4N", {"is_forced"}),  # what comes first fails already
    ],
)
def test_only_what_is_needed_is_read_of_the_state(text: str, read: set[str]) -> None:
    natural = system(text)
    seen: set[str] = set()
    natural.rules(cursor_at(natural, "1N P"), _Recording(state_of(), "", seen))  # type: ignore[arg-type]
    assert seen == read


# What is relative.


@pytest.mark.parametrize(
    ("condition", "state", "meaning"),
    [
        ("25+ combined", {"partner": shown(hcp=(12, 21))}, "13+"),
        ("20-24 combined", {"partner": shown(hcp=(12, 21))}, "8-12"),
        ("24- combined", {"partner": shown(hcp=(12, 21))}, "0-12"),
        ("33+ combined in support of hearts", {"partner": shown(hcp=(15, 17))}, "18+ in support of hearts"),
        ("25+ combined", {"partner": shown(hcp=(25, 30))}, "any hand"),
        ("26+ expected", {"partner": shown(mean=13)}, "13+"),
        (
            "33+ expected in support of hearts",
            {"partner": shown(worth=(9, 9, 14, 9))},
            "19+ in support of hearts",
        ),
        ("8+ likely together in spades", {"partner": shown(likely=(3, 3, 3, 5))}, "3+ spades"),
        ("minimum", {"me": shown(hcp=(15, 17))}, "0-15"),
        ("maximum", {"me": shown(hcp=(15, 17))}, "16+"),
        ("minimum", {"me": shown(hcp=(12, 21))}, "0-16"),
        ("8+ together in hearts", {"partner": shown(least=(0, 0, 5, 0))}, "3+ hearts"),
        ("fit in partner's suit", {"partner": shown(least=(0, 0, 5, 0)), "partner_suit": H}, "3+ hearts"),
        ("no fit in hearts", {"partner": shown(least=(0, 0, 5, 0))}, "0-2 hearts"),
        ("stopper in their suits", {"their_suits": (H, S)}, "stopper in hearts, stopper in spades"),
        ("no stopper in their suit", {"their_suits": (H, S)}, "no stopper in spades"),
        ("3+ in every unbid suit", {"our_suits": (C,), "their_suits": (H,)}, "3+ diamonds, 3+ spades"),
        ("4+ in some unbid major", {"our_suits": (C,), "their_suits": (H,)}, "4+ spades"),
        ("3+ in every other suit than hearts", {}, "3+ clubs, 3+ diamonds, 3+ spades"),
        ("5+ in my suit or 3+ in the agreed suit", {"my_suit": C, "agreed": D}, "5+ clubs; or 3+ diamonds"),
        ("stopper in the fourth suit", {"our_suits": (C, D, H)}, "stopper in spades"),
        ("queen of the agreed suit", {"agreed": D}, "DQ"),
        ("no ace of hearts", {}, "no HA"),
        ("longest suit partner's suit", {"partner_suit": S}, "longest suit spades"),
    ],
)
def test_a_relative_condition_becomes_one_on_the_hand(
    condition: str, state: dict[str, object], meaning: str
) -> None:
    assert meaning_at(system(f"1N\n  2C  {condition}"), "1N P", "2C", **state) == meaning


@pytest.mark.parametrize(
    "condition",
    ["3+ in the agreed suit", "stopper in their suit", "3+ in partner's suit", "4+ in the fourth suit"],
)
def test_a_rule_about_a_suit_that_is_not_there_is_left_out(condition: str) -> None:
    assert calls_at(system(f"1N\n  2C  {condition}"), "1N P") == []


def test_an_effect_on_a_suit_that_is_not_there_leaves_the_rule_out() -> None:
    raises = system("when contested\n  4N  18+  asks key cards of partner's suit")
    assert calls_at(raises, "1C", is_contested=True) == []
    assert calls_at(raises, "1C", is_contested=True, partner_suit=S) == ["4N"]


def test_calls_relative_to_the_last_bid() -> None:
    over = system("1N (2X)\n  lowest Y  5+ Y\n  jump Y  6+ Y\n  step 1  9+\n  lowest notrump  stopper in X")
    assert calls_at(over, "1N 2H", last_bid=Call("2H")) == "3C 3D 2S 4C 4D 3S 2S 2N".split()


# What calls do.


@pytest.mark.parametrize(
    ("effects", "forcing", "artificial"),
    [
        ("forcing", Forcing.ROUND, False),
        ("forcing to game", Forcing.GAME, False),
        ("asks shortness", Forcing.ROUND, True),
        ("transfers to hearts", Forcing.ROUND, True),
        ("transfers to hearts, signs off", Forcing.NO, True),
        ("asks majors, natural", Forcing.ROUND, False),
        ("invites", Forcing.NO, False),
        ("preempt", Forcing.NO, False),
        ("splinter, forcing to game", Forcing.GAME, True),
    ],
)
def test_effects_and_what_they_imply(effects: str, forcing: Forcing, artificial: bool) -> None:
    found = rule_at(system(f"1N\n  2D  8+  {effects}"), "1N P", "2D").effects
    assert (found.forcing, found.artificial) == (forcing, artificial)


def test_a_rule_says_where_it_was_written() -> None:
    source = rule_at(system("1N\n  2D  8+\n    2H  4+ H"), "1N P 2D P", "2H").source
    assert source == Written("text", 3, "1N 2D")


# Several files.

STAYMAN = """\
convention stayman "asks for a four-card major"
written over 1N
set invite 8
over -
  2C  $invite+, 4+ in a major   asks majors
    2H  4+ hearts
    2S  4+ spades
    2D
      2M  5+ M, 4 oM
over (X)
  XX  9+
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "stayman.bids").write_text(STAYMAN)
    return tmp_path


def load(folder: Path, text: str, **switches: str) -> System:
    (folder / "mine.bids").write_text(text)
    return System.load(folder / "mine.bids", **switches)


def test_a_convention_is_used_over_a_call(folder: Path) -> None:
    mine = load(folder, "system Mine\nuse stayman over 1N")
    assert mine.name == "Mine"
    assert table_at(mine, "1N P") == [("2C", "8+, 4+ in a major")]
    assert calls_at(mine, "1N P 2C P 2D P") == ["2H", "2S"]


def test_a_convention_goes_up_with_the_call_that_it_is_used_over(folder: Path) -> None:
    mine = load(folder, "use stayman over 1N and over 2N, invite=5")
    assert table_at(mine, "2N P") == [("3C", "5+, 4+ in a major")]
    assert calls_at(mine, "2N P 3C P 3D P") == ["3H", "3S"]


def test_a_convention_is_used_after_their_opening(folder: Path) -> None:
    mine = load(folder, "use stayman over (1X) 1N")
    assert calls_at(mine, "1H 1N P") == ["2C"]
    assert calls_at(mine, "1H 1N P 2C P 2D P") == ["2H", "2S"]  # their suit is none of the convention's
    assert calls_at(mine, "1H 1N X") == ["XX"]


def test_a_convention_stays_on_over_a_double(folder: Path) -> None:
    mine = load(folder, "use stayman over 1N (X)")
    assert calls_at(mine, "1N X") == ["2C"]


def test_a_convention_is_put_in_where_it_is_named(folder: Path) -> None:
    mine = load(folder, "1N\n  3N  10+\nuse stayman over 1N\n1N\n  2N  8-9")
    assert calls_at(mine, "1N P") == ["3N", "2C", "2N"]


def test_a_switch_turns_a_convention_off(folder: Path) -> None:
    text = "use stayman over 1N\n1N\n  2N  8-9"
    assert calls_at(load(folder, text, stayman="off"), "1N P") == ["2N"]
    assert calls_at(load(folder, text, stayman="on"), "1N P") == ["2C", "2N"]
    assert calls_at(load(folder, "use stayman over 1N, off"), "1N P") == []
    assert calls_at(load(folder, "use stayman over 1N, off", stayman="on"), "1N P") == ["2C"]


def test_a_switch_sets_a_parameter(folder: Path) -> None:
    text = "set notrump 15-17\nset game-force 12\nopening\n  1N  $notrump, balanced\n  2C  $game-force+"
    assert table_at(load(folder, text, notrump="12-14"), "")[0] == ("1N", "12-14, balanced")
    assert table_at(load(folder, text, game_force="13"), "")[1] == ("2C", "13+")
    assert table_at(load(folder, text.replace("-force", "_force"), game_force="13"), "")[1] == ("2C", "13+")


def test_an_unknown_switch_is_refused(folder: Path) -> None:
    with pytest.raises(BidlabError, match=r"no switch 'notrumps'.*did you mean 'notrump'"):
        load(folder, "set notrump 15-17", notrumps="12-14")
    with pytest.raises(BidlabError, match="switched on or off"):
        load(folder, "use stayman over 1N", stayman="maybe")


def test_a_parameter_of_the_system_is_seen_in_its_conventions(folder: Path) -> None:
    (folder / "raise.bids").write_text("convention raise\n1M\n  2M  $weak, 3+ M")
    assert meaning_at(load(folder, "set weak 6-9\nuse raise"), "1H P", "2H") == "6-9, 3+ hearts"


def test_another_file_is_included_as_if_it_stood_there(folder: Path) -> None:
    (folder / "part.bids").write_text("1N\n  2N  $invite")
    assert table_at(load(folder, "set invite 8-9\ninclude part"), "1N P") == [("2N", "8-9")]


def test_a_convention_is_a_system_by_itself(folder: Path) -> None:
    assert calls_at(System.load(folder / "stayman.bids"), "1N P") == ["2C"]


def test_files_that_name_each_other_are_refused(folder: Path) -> None:
    (folder / "a.bids").write_text("include b")
    (folder / "b.bids").write_text("include a")
    with pytest.raises(SystemTextError, match="puts itself in again"):
        System.load(folder / "a.bids")


def test_very_many_files_are_refused(folder: Path) -> None:
    for number in range(20):
        (folder / f"f{number}.bids").write_text(f"include f{number + 1}\ninclude f{number + 1}\n")
    (folder / "f20.bids").write_text("")
    with pytest.raises(SystemTextError, match="more than 1,000 files"):
        System.load(folder / "f0.bids")


def test_a_system_that_is_not_there_is_refused() -> None:
    with pytest.raises(BidlabError, match="no system 'nothing'"):
        System.load("nothing")
    with pytest.raises(SystemTextError, match=r"nothing.bids:1:1: cannot be read"):
        System.load("nothing.bids")
