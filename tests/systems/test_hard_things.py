"""The twenty hardest things of a real system (hard_things.bids), each looked at where it matters."""

from pathlib import Path

import pytest
from tests.systems.auctions import calls_at, cursor_at, meaning_at, rule_at, rules_at, shown, state_of

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import Suit
from bidlab.meaning.meaning import Meaning
from bidlab.systems.rules import Ask, Forcing
from bidlab.systems.system import System

C, D, H, S = Suit


@pytest.fixture(scope="module")
def hard() -> System:
    return System.load(Path(__file__).parent / "hard_things.bids")


def test_the_longer_minor_is_opened_with_3_3_clubs_with_4_4_diamonds(hard: System) -> None:
    assert (
        meaning_at(hard, "", "1D")
        == "12-21 points, longer diamonds than clubs or (4+ diamonds, diamonds as long as clubs)"
    )


def test_a_doubled_transfer_has_answers_of_its_own(hard: System) -> None:
    assert calls_at(hard, "1N P 2D P") == ["3H", "2H"]
    assert calls_at(hard, "1N P 2D X") == ["2H", "XX", "P"]
    again = rule_at(hard, "1N P 2D X P P", "XX")
    assert again.effects.transfers == H and again.effects.forcing == Forcing.ROUND


def test_a_transfer_is_forcing_and_artificial_without_saying_so(hard: System) -> None:
    effects = rule_at(hard, "1N P", "2D").effects
    assert (effects.transfers, effects.forcing, effects.artificial) == (H, Forcing.ROUND, True)
    assert not rule_at(hard, "1N P 2D P", "2H").effects.artificial


def test_lebensohl_shows_a_stopper_slowly(hard: System) -> None:
    assert meaning_at(hard, "1N 2H", "3N") == "10-15, no stopper in hearts"
    assert meaning_at(hard, "1N 2H 2N P 3C P", "3N") == "10-15, stopper in hearts"
    assert "2S" in calls_at(hard, "1N 2H") and "2C" not in calls_at(hard, "1N 2H")


def test_lebensohl_signs_off_below_their_suit(hard: System) -> None:
    assert calls_at(hard, "1N 2H 2N P 3C P") == ["P", "3C", "3D", "3H", "3N"]


def test_a_splinter_lies_below_the_major(hard: System) -> None:
    assert [c for c in calls_at(hard, "1S P") if c[0] == "4"] == ["4C", "4D", "4H"]
    splinter = rule_at(hard, "1H P", "3S")
    assert splinter.effects.agrees == H and splinter.effects.forcing == Forcing.GAME
    assert splinter.effects.words == ("splinter",) and splinter.effects.artificial


def test_jacoby_asks_for_shortness_and_a_double_changes_the_answers(hard: System) -> None:
    assert rule_at(hard, "1S P", "2N").effects.asks == Ask("shortness")
    assert calls_at(hard, "1S P 2N P")[:3] == ["3C", "3D", "3H"]
    assert calls_at(hard, "1S P 2N X") == ["P", "XX"]
    assert calls_at(hard, "1S P 2N 3D") == ["X", "P"]


def test_a_sequence_is_followed_whoever_made_the_calls(hard: System) -> None:
    judged = cursor_at(hard, "1S P 2N P 3C P")
    assert [str(rule.call) for rule in hard.rules(judged, state_of())] == ["4N", "4S"]


def test_drury_is_for_a_passed_hand(hard: System) -> None:
    assert "2C" not in calls_at(hard, "1S P")
    drury = rules_at(hard, "P P 1S P", i_passed=True)
    assert str(drury[0].call) == "2C" and drury[0].effects.agrees == S  # by its priority


def test_the_answers_to_drury_need_drury(hard: System) -> None:
    drury = rule_at(hard, "P P 1S P", "2C", i_passed=True)
    asked = cursor_at(hard, "P P 1S P").after(drury.call, [drury]).after(Call.PASS)
    assert [str(rule.call) for rule in hard.rules(asked, state_of(me=shown(hcp=(12, 21))))] == [
        "2S",
        "4S",
        "2D",
    ]
    assert calls_at(hard, "1S P 2C P") == []


def test_a_help_suit_game_try_names_any_other_suit(hard: System) -> None:
    assert calls_at(hard, "1H P 2H P", last_bid=Call("2H"))[:3] == ["3C", "3D", "2S"]
    assert calls_at(hard, "1S P 2S P", last_bid=Call("2S"))[:3] == ["3C", "3D", "3H"]


def test_the_answer_to_a_game_try_looks_at_the_suit_of_the_try(hard: System) -> None:
    tries = [r for r in rules_at(hard, "1S P 2S P", last_bid=Call("2S")) if r.call == Call("3D")]
    over = cursor_at(hard, "1S P 2S P").after(Call("3D"), tries).after(Call.PASS)
    answers = hard.rules(over, state_of(me=shown(hcp=(6, 9))))
    assert str(Meaning(answers[0].condition)) == "8+; or 0-1 losers in diamonds"


def test_a_feature_is_shown_after_a_weak_two(hard: System) -> None:
    feature = rule_at(hard, "2H P 2N P", "3D", me=shown(hcp=(5, 10)))
    assert feature.text == "a feature in X"
    assert meaning_at(hard, "2H P 2N P", "3D", me=shown(hcp=(5, 10))) == "8+, DA or DK"
    assert "3H" in calls_at(hard, "2H P 2N P")


def test_two_way_checkback(hard: System) -> None:
    assert calls_at(hard, "1C P 1S P 1N P") == ["2D", "2C"]
    assert rule_at(hard, "1C P 1S P 1N P", "2D").effects.forcing == Forcing.GAME
    assert calls_at(hard, "1C P 1S P 1N P 2C P 2D P") == ["P", "2N"]


def test_inverted_minors(hard: System) -> None:
    assert meaning_at(hard, "1D P", "2D") == "4+ diamonds, 10+, no 4-card major"
    assert calls_at(hard, "1D P 2D P") == ["2H", "2S", "2N", "3D"]


def test_a_reverse_lies_above_the_first_suit(hard: System) -> None:
    assert [c for c in calls_at(hard, "1D P 1S P") if c[0] == "2"] == ["2H"]
    assert rule_at(hard, "1D P 1S P", "2H").effects.forcing == Forcing.ROUND


def test_the_fourth_suit_is_the_only_one_left(hard: System) -> None:
    assert calls_at(hard, "1D P 1H P 1S P") == ["2C"]
    assert meaning_at(hard, "1D P 1H P 1S P 2C P", "2N", me=shown(hcp=(12, 17))) == "0-14, stopper in clubs"


def test_the_fourth_suit_at_the_lowest_level(hard: System) -> None:
    assert calls_at(hard, "1H P 1S P 2C P", last_bid=Call("2C")) == ["2D"]
    assert calls_at(hard, "1S P 2D P", last_bid=Call("2D")) == []


def test_a_negative_double_shows_the_unbid_majors(hard: System) -> None:
    state = {"partner_suit": D, "our_suits": (D,), "their_suits": (S,)}
    assert meaning_at(hard, "1D 1S", "X", **state) == "6+, 4+ hearts"
    assert meaning_at(hard, "1D 2C", "X", **state | {"their_suits": (C,)}) == "6+, 4+ hearts, 4+ spades"


def test_a_support_double_shows_three(hard: System) -> None:
    assert meaning_at(hard, "1C P 1H 1S", "X") == "3 hearts"
    assert rule_at(hard, "1C P 1H 2D", "X").effects.words == ("support double",)


def test_a_responsive_double_shows_unbid_suits(hard: System) -> None:
    assert meaning_at(hard, "1H X 2H", "X", their_suits=(H,)) == "8+, 4+ spades; or 10+, 4-4+ in the minors"


def test_michaels_and_the_unusual_notrump(hard: System) -> None:
    assert meaning_at(hard, "1C", "2C") == "5-5+ in the majors, 8+"
    assert meaning_at(hard, "1S", "2S") == "5+ hearts, 5+ in a minor, 8+"
    assert meaning_at(hard, "1C", "2N") == "5+ hearts, 5+ diamonds, 8+"
    assert calls_at(hard, "1S 2S P 2N P") == ["3C", "3D"]


def test_balancing_is_lighter_than_a_direct_call(hard: System) -> None:
    assert meaning_at(hard, "1H P P", "X") == "9+, 3+ clubs, 3+ diamonds, 3+ spades"
    assert meaning_at(hard, "1H", "X").startswith("12+")
    assert calls_at(hard, "1H P P", last_bid=Call("1H"))[2:] == ["2C", "2D", "1S"]


@pytest.fixture(scope="module")
def asked(hard: System) -> dict[str, list[str]]:
    """The answers to a key-card ask in spades that came from a context by state, by what they did over it."""
    state = state_of(agreed=S, is_game_forced=True, last_bid=Call("3S"), partner=shown(hcp=(13, 18)))
    ask = next(rule for rule in hard.rules(cursor_at(hard, "1C"), state) if rule.call == Call("4N"))
    assert ask.effects.asks == Ask("key cards", S) and ask.effects.forcing == Forcing.ROUND
    after = cursor_at(hard, "1C").after(ask.call, [ask])
    return {
        call: [
            str(rule.call)
            for rule in hard.rules(after.after(Call(call)), state_of(last_bid=Call(bid), agreed=S))
        ]
        for call, bid in (("P", "4N"), ("X", "4N"), ("5H", "5H"))
    }


def test_key_cards_are_answered_by_steps(asked: dict[str, list[str]]) -> None:
    assert asked["P"] == ["5C", "5D", "5H", "5S", "5N"]


def test_disturbed_key_cards_are_answered_by_double_and_pass(asked: dict[str, list[str]]) -> None:
    assert asked["X"] == ["XX", "P", "5C"]
    assert asked["5H"] == ["X", "P", "5S", "5N"]


def test_the_ask_counts_what_partner_has_shown(hard: System) -> None:
    state = state_of(agreed=S, is_game_forced=True, last_bid=Call("3S"), partner=shown(hcp=(13, 18)))
    ask = next(rule for rule in hard.rules(cursor_at(hard, "1C"), state) if rule.call == Call("4N"))
    assert str(Meaning(ask.condition)) == "20+ in support of spades"


def test_opener_finds_a_third_bid_in_a_game_force(hard: System) -> None:
    known = {
        "is_game_forced": True,
        "partner_suit": H,
        "my_suit": S,
        "our_suits": (S, C, H),
        "last_bid": Call("2H"),
        "partner": shown(least=(0, 0, 5, 0)),
    }
    rules = rules_at(hard, "", **known)
    by_state = [rule for rule in rules if "when" in getattr(rule.source, "context", "")]
    assert [str(rule.call) for rule in by_state] == ["3H", "2N", "2S"]
    assert by_state[0].effects.agrees == H
