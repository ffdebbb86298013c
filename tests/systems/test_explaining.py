"""Explanations: what calls show, deny and do, why a hand makes one, and what may follow."""

import pytest
from tests.systems.small import SmallBook, position

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Seat, Suit
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import (
    continuations,
    explained_call,
    explained_calls,
    explanation,
    reasoned_call,
    typical_hand,
)
from bidlab.systems.gist import gist
from bidlab.systems.phrases import effect_phrases, state_sentences
from bidlab.systems.rules import Ask, Effects, Forcing
from bidlab.systems.samples import Sample, choices
from bidlab.systems.state import State

BOOK = SmallBook()
OPENING = BOOK.position(Auction())
SAMPLE = Sample.start(20_000, seed=1)
HANDS = SAMPLE.hands(Seat.NORTH)


def shown(call: str) -> str:
    return explained_call(OPENING, Seat.NORTH, Call(call), HANDS).shows


def denied(call: str) -> dict[str, str]:
    denies = explained_call(OPENING, Seat.NORTH, Call(call), HANDS).denies
    return {str(denial.call): denial.shows for denial in denies}


# --- what a call shows ---


def test_what_goes_without_saying_is_not_said() -> None:
    assert shown("1N") == "15-17, balanced"
    assert shown("2N") == "20-21, balanced"  # exactly: and fewer than nine playing tricks
    assert shown("P") == "0-11 points"  # exactly: or 22 with length, and less than 22 without
    assert shown("1S") == "12-21 points, 5+ spades"
    assert shown("1C") == "12-21 points, no five-card major, clubs at least as long as diamonds"


def test_denied_calls_are_those_that_take_hands_away() -> None:
    assert denied("1S") == {"1N": "15-17, balanced"}
    assert denied("1N") == {}
    assert denied("1C") == {
        "1N": "15-17, balanced",
        "1D": "12-21 points, 4 in diamonds and clubs",
    }


def test_gist_is_true_of_nearly_all_hands_with_the_meaning() -> None:
    for call in OPENING.calls:
        meaning = OPENING.meaning(call)
        assert meaning is not None
        having = HANDS[meaning.admits(HANDS)]
        assert gist(meaning, HANDS).admits(having).mean() >= 0.95


def test_gist_of_a_rare_meaning_is_the_meaning() -> None:
    meaning = Meaning.parse("7+ spades, 7-10, solid spades")
    assert gist(meaning, HANDS) == meaning.simplified()


def test_a_pass_for_what_is_left_over_shows_the_points_that_such_hands_have() -> None:
    lines = [(f"1{suit}", f"9+, 4+ {word}") for suit, word in (("S", "spades"), ("H", "hearts"))]
    place = position([*lines, ("2C", "11+"), ("P", "")], "opening")
    told = explained_call(place, Seat.NORTH, Call("P"), HANDS)
    assert told.shows == "0-10"


def test_a_pass_that_nothing_sums_up_says_so() -> None:
    place = position([("1N", "8-14"), ("P", "")], "opening")
    assert explained_call(place, Seat.NORTH, Call("P"), HANDS).shows == "0-7 or 15+"
    place = position([("1N", "8-14, balanced"), ("1C", "3+ clubs, 5-17"), ("P", "")], "opening")
    assert explained_call(place, Seat.NORTH, Call("P"), HANDS).shows == "a hand for none of the other calls"


def test_a_call_that_the_system_does_not_have_is_taken_as_natural() -> None:
    told = explained_call(OPENING, Seat.NORTH, Call("3C"), HANDS)
    assert told.meaning is None
    assert told.sentences() == ("The system has no such call here: it is taken as natural.",)


def test_sentences_of_an_opening() -> None:
    told = explained_call(OPENING, Seat.NORTH, Call("2C"), HANDS)
    assert told.sentences() == (
        "Shows either at least 22 high-card points; or at least 16 high-card points with at least 9 playing "
        "tricks.",
        "Artificial; forcing for one round.",
    )
    assert told.sources == "small.bids:1"


def test_where_rules_of_a_call_differ_it_forces_as_the_weakest() -> None:
    place = position([("2C", "20+", {"forcing": Forcing.GAME}), ("2C", "12+"), ("P", "")], "opening")
    assert explained_call(place, Seat.NORTH, Call("2C"), HANDS).does == ("not forcing",)


# --- why a hand makes a call ---


def test_every_rule_before_says_what_the_hand_lacks() -> None:
    found = reasoned_call(OPENING, Hand.parse("AKQ2.T83.KQ9.A76"))
    assert (found.rule.call, str(found.rule.source)) == (Call("1C"), "small.bids:8")
    assert [str(one) for one in found.rejected] == [
        "Not 2♣: 18 high-card points, it wants at least 22.",
        "Not 2NT: 18 high-card points, it wants 20 to 21.",
        "Not 1NT: 18 high-card points, it wants 15 to 17.",
        "Not 1♠: four spades, it wants at least five.",
        "Not 1♥: three hearts, it wants at least five.",
        "Not 1♦: diamonds not longer than clubs.",
        "Not 1♦: three diamonds, it wants four; three clubs, it wants four.",
    ]


def test_reasons_name_the_nearest_calls_only() -> None:
    assert reasoned_call(OPENING, Hand.parse("AKQ2.T83.KQ9.A76")).reasons(most=2) == (
        "By small.bids:8 under opening: 12-21 points.",
        "Not 1NT: 18 high-card points, it wants 15 to 17.",
        "Not 2NT: 18 high-card points, it wants 20 to 21.",
    )


def test_reasons_name_later_rules_that_would_do_too() -> None:
    reasons = reasoned_call(OPENING, Hand.parse("KQT964.K.QJ3.752")).reasons()
    assert reasons == (
        "By small.bids:4 under opening: 12-21 points, 5+ spades, spades at least as long as hearts.",
        "1♣ would fit too, but 1♠ comes first.",
    )


def test_judgement_says_its_estimate() -> None:
    place = BOOK.position(Auction("N", "none", "1S"))
    assert reasoned_call(place, Hand.parse("KQT964.K.QJ3.752")).reasons() == (
        "By judgement: nothing is better than a pass (nothing is known of this auction).",
    )


def test_reasons_of_a_call_that_was_made_against_the_rules() -> None:
    found = reasoned_call(OPENING, Hand.parse("AKQ2.T83.KQ9.A76"), Call("1N"))
    assert found.rule.call == Call("1N")
    assert [str(one.rule.call) for one in found.rejected] == ["2C", "2N"]


# --- effects and state in words ---


@pytest.mark.parametrize(
    ("call", "effects", "words"),
    [
        ("2D", Effects(Forcing.ROUND, transfers=Suit.HEARTS, artificial=True),
         ("transfers to hearts", "forcing for one round")),
        ("4N", Effects(Forcing.ROUND, asks=Ask("key cards", Suit.SPADES), artificial=True),
         ("asks for key cards in spades", "forcing for one round")),
        ("2N", Effects(Forcing.GAME, agrees=Suit.HEARTS), ("agrees hearts", "forcing to game")),
        ("3H", Effects(agrees=Suit.HEARTS, invites=True), ("agrees hearts", "invites game")),
        ("4H", Effects(signs_off=True), ("to play",)),
        ("X", Effects(words=("takeout",)), ("for takeout",)),
        ("1H", Effects(), ("not forcing",)),
        ("P", Effects(), ()),
    ],
)  # fmt: skip
def test_effects_in_words(call: str, effects: Effects, words: tuple[str, ...]) -> None:
    assert effect_phrases(Call(call), effects) == words


def test_state_in_sentences() -> None:
    state = State(
        asked=Ask("key cards", Suit.HEARTS), agreed=Suit.HEARTS, is_game_forced=True, is_forced=True
    )
    assert state_sentences(state) == (
        "Partner asks for key cards in hearts.",
        "Hearts are agreed.",
        "Game is forced.",
    )
    assert state_sentences(State()) == ()


# --- what may follow ---


def test_shares_of_all_continuations_add_up_and_each_has_a_hand_that_makes_it() -> None:
    found = continuations(OPENING, Seat.NORTH, SAMPLE)
    assert [one.explained.call for one in found] == list(OPENING.calls)
    assert sum(one.share for one in found) == pytest.approx(1)
    for one in found:
        assert one.example is not None
        assert OPENING.rules[OPENING.choice(one.example)].call == one.explained.call


def test_share_of_one_notrump_is_that_of_the_exact_count_within_its_error() -> None:
    one = next(one for one in continuations(OPENING, Seat.NORTH, SAMPLE) if one.explained.call == Call("1N"))
    exact = Meaning.parse("15-17, balanced").share[0]
    assert one.share == pytest.approx(exact, abs=3 * one.standard_error)


def test_a_call_too_rare_for_the_sample_still_has_an_example() -> None:
    place = position([("7N", "37"), ("P", "")], "opening")
    rare, common = continuations(place, Seat.NORTH, Sample.start(100))
    assert (rare.share, common.share) == (0, 1)
    assert rare.example is not None and place.choice(rare.example) == 0


def test_choices_are_those_of_the_slow_twin() -> None:
    some = HANDS[:300]
    slow = [OPENING.choice(Hand(int(bits))) for bits in some]
    assert choices(OPENING, some).tolist() == slow


def test_typical_hand_is_in_the_middle() -> None:
    hand = typical_hand(HANDS[Meaning.parse("15-17, balanced").admits(HANDS)])
    assert Meaning.parse("16, 2-4 hearts, 2-4 spades").admits(hand)


# --- a whole auction ---


def test_an_auction_explained_call_by_call() -> None:
    found = explanation(BOOK, Auction("N", "none", "1N P 2C P 2H P"), deals=4000)
    said = [" ".join(one.sentences()) for one in found.calls]
    assert said[0] == "Shows 15 to 17 high-card points, balanced; may have a five-card major. Not forcing."
    assert said[2] == (
        "Shows at least 8 high-card points with three or four hearts, either four hearts or four spades. "
        "Asks for a four-card major; forcing for one round."
    )
    assert said[4] == "Shows at least four hearts. Not forcing."
    assert found.shown[0] == (Seat.NORTH, "15-17, balanced, 4+ hearts")
    assert [str(one.explained.call) for one in found.continuations] == ["3H", "4H", "3N", "2N"]
    assert found.sample.is_exact and len(found.sample) >= 1000


def test_deals_agree_with_every_call_so_far() -> None:
    calls, sample = explained_calls(BOOK, Auction("N", "none", "1N P 2C P 2H P"), deals=2000)
    for one in calls:
        assert one.meaning is not None
        assert one.meaning.admits(sample.hands(one.seat)).all()


def test_a_disclosed_meaning_counts_before_the_books_own() -> None:
    strong = Meaning.parse("18+")
    _, sample = explained_calls(BOOK, Auction("N", "none", "1N"), (strong,), deals=2000)
    assert strong.admits(sample.hands(Seat.NORTH)).all()


def test_calls_that_contradict_each_other_give_the_nearest_deals() -> None:
    told = (Meaning.parse("30+"), Meaning.parse("30+"))
    _, sample = explained_calls(BOOK, Auction("N", "none", "1N P"), told, deals=400)
    assert not sample.is_exact and len(sample) > 0


def test_an_ended_auction_has_no_continuations() -> None:
    found = explanation(BOOK, Auction("N", "none", "P P P P"), deals=500)
    assert found.continuations == () and len(found.calls) == 4


def test_same_seed_same_explanation() -> None:
    auction = Auction("N", "none", "1N P")
    assert explanation(BOOK, auction, deals=1000, seed=3) == explanation(BOOK, auction, deals=1000, seed=3)
