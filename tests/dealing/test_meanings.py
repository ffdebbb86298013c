"""Deals from meanings: exactly the conditional distribution, beside brute force; and what is impossible."""

import numpy as np
import pytest

from bidlab.bridge.cards import SEATS, Seat
from bidlab.bridge.errors import BidlabError, DealError
from bidlab.bridge.hands import ALL_CARDS, Hand
from bidlab.dealing import Dealer, deal_bits, soft_sample, told
from bidlab.meaning.features import ACES, HCP, LOSERS, feature_table, length
from bidlab.meaning.meaning import Meaning

OWN = "AKQ2.T83.KQ9.A76"
SEEN = [HCP.number, ACES.number, LOSERS.number, *(length(suit).number for suit in range(4))]

EXACT = [
    {"N": "15-17, balanced"},
    {"N": "4-3-3-3"},
    {"W": "6+ spades, 5-10, two of the top three in spades"},
    {"N": "15-17, balanced", "S": "5+ hearts, 8+"},
    {"E": "12+, 5+ diamonds", "W": "4+ spades or 4+ hearts, 0-7"},
    {"N": "12-14, balanced", "E": "5+ spades, 8-15", "S": "4+ hearts, 6+"},
    {"S": OWN, "N": "6-9, 3+ spades", "W": "5+ hearts"},
    {"S": OWN, "N": "4+ hearts, 5+", "E": "0-6", "W": "8+, 4+ diamonds"},
    {"N": "12+", "E": "0-11, not 6+ in the longest suit", "S": "6-11, 4+ hearts", "W": "3-9"},
    {"N": "stopper in hearts, no 4-card major, 10-12", "S": "1 or 3 key cards in spades, 11+"},
    {"N": "class minimum opener, SA", "E": "longer hearts than spades, 2+ quick tricks"},
]


def name(asked: dict[str, str]) -> str:
    return "; ".join(f"{seat} {text}" for seat, text in asked.items())


def rejected(asked: dict[str, str], wanted: int) -> tuple[np.ndarray, int]:
    """Deals that fulfil everything, found by plain dealing and testing; and how many were dealt."""
    known = told(**asked)
    found, dealt = [], 0
    while sum(map(len, found)) < wanted:
        bits = _plain(known.hands[Seat.SOUTH], 200_000, dealt)
        dealt += len(bits)
        for seat in SEATS:
            if known.meanings[seat]:
                bits = bits[known.meaning(seat).admits(np.ascontiguousarray(bits[:, seat]))]
        found.append(bits)
    return np.concatenate(found), dealt


def _plain(own: Hand | None, count: int, before: int) -> np.ndarray:
    """Random deals, with South's hand given or not: then 39 cards are shuffled by numpy."""
    if own is None:
        return deal_bits(count, seed=77, first=1 + before)
    cards = np.array([card for card in range(52) if not own.bits >> card & 1], dtype=np.uint64)
    packs = np.random.default_rng(before).permuted(np.tile(np.uint64(1) << cards, (count, 1)), axis=1)
    hands = packs.reshape(count, 3, 13).sum(axis=2)
    south = np.full(count, own.bits, dtype=np.uint64)
    return np.stack([hands[:, 0], hands[:, 1], south, hands[:, 2]], axis=1)


def surprise(one: np.ndarray, other: np.ndarray) -> float:
    """How far two samples are apart over all features of all seats: chi-square in standard deviations."""
    worst = 0.0
    for seat in SEATS:
        tables = [feature_table(np.ascontiguousarray(bits[:, seat]))[:, SEEN] for bits in (one, other)]
        for column in range(len(SEEN)):
            worst = max(worst, _chi_square(tables[0][:, column], tables[1][:, column]))
        # Points and the longest suit together: shapes must go with the right points.
        joint = [table[:, 0] * 14 + table[:, 3:].max(axis=1) for table in tables]
        worst = max(worst, _chi_square(*joint))
    return worst


def _chi_square(one: np.ndarray, other: np.ndarray) -> float:
    values, place = np.unique(np.concatenate([one, other]), return_inverse=True)
    a = np.bincount(place[: len(one)], minlength=len(values)).astype(float)
    b = np.bincount(place[len(one) :], minlength=len(values)).astype(float)
    rare = a + b < 20  # counted together
    a, b = np.append(a[~rare], a[rare].sum()), np.append(b[~rare], b[rare].sum())
    a, b = a[a + b > 0], b[a + b > 0]
    if len(a) < 2:
        return 0.0
    ratio = np.sqrt(b.sum() / a.sum())
    chi = float((((a * ratio - b / ratio) ** 2) / (a + b)).sum())
    freedom = len(a) - 1
    return (chi - freedom) / np.sqrt(2 * freedom)


@pytest.mark.parametrize("asked", EXACT, ids=name)
def test_dealing_is_exact_beside_brute_force(asked: dict[str, str]) -> None:
    plain, dealt = rejected(asked, 3000)
    dealers = [Dealer(told(**asked)), Dealer(told(**asked), counts=True)]
    for dealer in dealers:
        drawn = dealer.deal_bits(20_000, seed=5)
        assert surprise(plain, drawn) < 5
        share, error = dealer.frequency()
        spread = np.hypot(error, np.sqrt(share / dealt))
        assert abs(share - len(plain) / dealt) < 4.5 * spread


def test_the_comparison_sees_a_bias() -> None:
    """Samples that differ in a twentieth of the deals are told apart, so that agreement means something."""
    right = Dealer.of(N="15-17, balanced").deal_bits(20_000, seed=1)
    wrong = Dealer.of(N="15-17, balanced").deal_bits(20_000, seed=2)
    wrong[:1000] = Dealer.of(N="16-17, 4-3-3-3").deal_bits(1000, seed=3)
    assert surprise(right, wrong) > 8


@pytest.mark.parametrize("asked", EXACT, ids=name)
def test_every_deal_fulfils_what_was_asked(asked: dict[str, str]) -> None:
    known = told(**asked)
    bits = Dealer(known).deal_bits(2000, seed=9)
    assert (bits.sum(axis=1) == ALL_CARDS).all()
    for seat in SEATS:
        assert known.meaning(seat).admits(np.ascontiguousarray(bits[:, seat])).all()
        if known.hands[seat]:
            assert (bits[:, seat] == known.hands[seat].bits).all()


@pytest.mark.parametrize(
    ("asked", "share"),
    [
        ({"N": "4-3-3-3"}, 0.10536),
        ({"N": "15-17, balanced"}, 0.04866),
        ({"N": "15-17, balanced", "S": "5+ hearts, 8-9"}, 0.0017542936),
        ({"N": "15-17, balanced", "S": "7+ spades, void in clubs, 13-16"}, 2.482376690e-6),
        ({"N": "13 spades"}, 1 / 635_013_559_600),
        (
            {"N": "13 spades", "E": "13 hearts", "S": "13 diamonds"},
            1 / 53_644_737_765_488_792_839_237_440_000,
        ),
        ({"N": "37 hcp"}, 4 / 635_013_559_600),
    ],
    ids=lambda value: name(value) if isinstance(value, dict) else "",
)
def test_known_frequencies(asked: dict[str, str], share: float) -> None:
    found, error = Dealer(told(**asked), counts=True).frequency()
    assert error == 0 and found == pytest.approx(share, rel=1e-4)


def test_a_hand_without_cards_above_nine_is_yarborough() -> None:
    """One in 1,828, known to whist players: no ten, jack, queen, king or ace."""
    text = ", ".join(f"0 of the top five in {suit}" for suit in ("spades", "hearts", "diamonds", "clubs"))
    share, error = Dealer(told(N=text), counts=True).frequency(20_000, seed=3)
    assert abs(share - 347_373_600 / 635_013_559_600) <= 4 * error


def test_deals_do_not_depend_on_batch_or_threads() -> None:
    dealer = Dealer.of(N="15-17, balanced", E="6+ spades, 6-10")
    whole = dealer.deal_bits(500, seed=4)
    assert (dealer.deal_bits(100, seed=4, first=301) == whole[300:400]).all()
    assert (dealer.deal_bits(500, seed=4, threads=3) == whole).all()
    assert (Dealer.of(N="15-17 balanced", E="6+ spades 6-10").deal_bits(500, seed=4) == whole).all()
    assert not (dealer.deal_bits(500, seed=5) == whole).all()


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (
            {"N": "9+ spades", "S": "9+ spades"},
            "no deal: North (9+ spades) and South (9+ spades) have at least 18 spades, and the pack has 13",
        ),
        ({"N": "balanced, 6+ spades"}, "no hand is 'balanced, 6+ spades', as North's must be"),
        (dict.fromkeys("NESW", "11+"), "North (11+) and East (11+) and South (11+) and West (11+)"),
        (dict.fromkeys("NESW", "0-9"), "all four hands together have at most 36 points"),
        ({"N": "SA", "S": "SA, 12+"}, "no deal: North (SA) and South (SA, 12+) both hold SA"),
        ({"N": "3 aces", "S": "2+ aces"}, "have at least 5 aces, and the pack has 4"),
        ({"S": OWN, "N": "23+"}, f"North (23+) and South ({OWN}) have at least 41 points"),
        ({"S": OWN, "N": "SA"}, f"North (SA) and South ({OWN}) both hold SA"),
        ({"S": OWN, "N": OWN}, "SA held twice, by North and South: each card has one holder"),
        ({"N": "38+"}, "no hand has 38+ points: a hand has at most 37, at column 1 of '38+'"),
        ({"N": "10 hcp, 4 losers, 0 controls"}, "was found in 2000000 tries"),
    ],
    ids=lambda value: name(value) if isinstance(value, dict) else "",
)
def test_impossible_conditions_are_said(asked: dict[str, str], error: str) -> None:
    with pytest.raises(BidlabError) as raised:
        Dealer(told(**asked)).deal(seed=1)
    assert error in str(raised.value) and "\n" not in str(raised.value)


# Emmons' soft sampling.


def test_soft_samples_keep_own_cards_and_fit_where_they_can() -> None:
    known = told(S=OWN, N="5+", W="4+ hearts")
    sample = soft_sample(known, Seat.SOUTH, 100, seed=3)
    assert sample.perfect == 100 and (sample.bits[:, 2] == Hand.parse(OWN).bits).all()
    assert known.meaning(Seat.NORTH).admits(np.ascontiguousarray(sample.bits[:, 0])).all()
    again = soft_sample(known, Seat.SOUTH, 100, seed=3)
    assert (again.bits == sample.bits).all()


def test_soft_samples_of_a_contradiction_come_as_near_as_they_can() -> None:
    """Partner shows 20 points where 22 are left, and an opponent 10: some give way, nobody waits for ever."""
    known = told(S=OWN, N="20+", W="10+, 6+ hearts")
    with pytest.raises(DealError):
        Dealer(known)
    sample = soft_sample(known, Seat.SOUTH, 50, seed=3)
    assert sample.perfect == 0
    assert (np.diff(sample.misfits) >= 0).all()
    everyone = soft_sample(known, Seat.SOUTH, 10_000, seed=3)
    assert sample.misfits.max() < np.quantile(everyone.misfits, 0.01)
    assert (sample.misfits == everyone.misfits[:50]).all()


def test_partners_misfit_weighs_twice() -> None:
    """The same meanings, shown by partner and by an opponent, are missed at the price of two and of one."""
    meaning = Meaning.parse("13 hearts")
    for seat, weight in ((Seat.NORTH, 2), (Seat.EAST, 1), (Seat.WEST, 1)):
        known = told(S=OWN).plus(seat, meaning)
        sample = soft_sample(known, Seat.SOUTH, 200, seed=1, pool=200)
        assert sample.misfits == pytest.approx(
            weight * meaning.misfit(np.ascontiguousarray(sample.bits[:, seat]))
        )


def test_every_call_adds_its_misfit() -> None:
    known = told(S=OWN, N="20+")
    twice = known.plus(Seat.NORTH, Meaning.parse("20+"))
    one, two = (soft_sample(k, Seat.SOUTH, 200, seed=1, pool=200) for k in (known, twice))
    assert two.misfits == pytest.approx(2 * one.misfits)


def test_soft_samples_refuse_what_they_cannot_do() -> None:
    with pytest.raises(BidlabError, match="West's own hand is not known"):
        soft_sample(told(S=OWN), Seat.WEST, seed=1)
    with pytest.raises(BidlabError, match="200 deals of a pool of 100"):
        soft_sample(told(S=OWN), Seat.SOUTH, 200, seed=1, pool=100)
