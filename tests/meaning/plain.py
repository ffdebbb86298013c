"""Features of a hand, plainly: by the letters of its cards, one feature at a time."""

from bidlab.bridge.cards import SUITS
from bidlab.bridge.hands import Hand
from bidlab.meaning.features import FEATURES, Feature

POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}
WEBB = {"A": 4280, "K": 2740, "Q": 1544, "J": 822, "T": 371, "9": 156, "8": 69, "7": 17}
CLASSES = (
    "preemptive, weak two, very weak, weak, minimum, invitational, minimum opener, intermediate opener, "
    "strong opener, very strong opener, forcing opener"
).split(", ")


def held(suit: str, letters: str) -> int:
    return sum(letter in suit for letter in letters)


def hcp(suit: str) -> int:
    return sum(POINTS.get(card, 0) for card in suit)


def texture(suit: str) -> int:
    return held(suit, "T98") - held(suit, "432")


def quick(suit: str) -> int:
    """Half quick tricks."""
    for top, halves in (("AK", 4), ("AQ", 3), ("A", 2), ("KQ", 2)):
        if held(suit, top) == len(top):
            return halves
    return 1 if "K" in suit and len(suit) > 1 else 0


def losers(suit: str) -> int:
    return sum(honour not in suit for honour in "AKQ"[: len(suit)])


def top_tricks(suit: str) -> int:
    """Half tricks of the honours: the best of the lines that are held."""
    if len(suit) < 2:
        return 2 if suit == "A" else 0
    if len(suit) == 2:
        worth = {"AK": 4, "AQ": 3, "A": 2, "KQ": 2, "K": 1}
    else:
        worth = {"AKQ": 6, "AKJ": 5, "AQJ": 5, "AK": 4, "AQT": 4, "KQJ": 4, "AQ": 3, "AJT": 3, "KQ": 3}
        worth |= {"A": 2, "KJT": 2, "KJ": 2, "QJT": 2, "K": 1, "QJ": 1}
    return max((halves for top, halves in worth.items() if held(suit, top) == len(top)), default=0)


def playing(suits: list[str]) -> int:
    """Half playing tricks: the longest suit is trumps, of equal ones the one with more top tricks."""
    trumps = max(range(4), key=lambda i: (len(suits[i]), top_tricks(suits[i])))
    lengths = [max(0, len(suit) - (3 if i == trumps else 4)) for i, suit in enumerate(suits)]
    return sum(map(top_tricks, suits)) + 2 * sum(lengths)


def stopper(suit: str) -> int:
    n = len(suit)
    full = "A" in suit or ("K" in suit and n > 1) or ("Q" in suit and n > 2) or ("JT" in suit and n > 3)
    half = suit == "K" or (suit[:1] == "Q" and n == 2) or ("J" in suit and n > 2)
    return 2 if full else 1 if half else 0


def is_good(suit: str) -> bool:
    return len(suit) >= 5 and (held(suit, "AKQ") >= 2 or held(suit, "AKQJT") >= 3)


def quality(suit: str) -> int:
    n = len(suit)
    levels = [
        n >= 4 and held(suit, "AKQJ") > 0,
        n >= 6 or is_good(suit),
        is_good(suit),
        n >= 6 and (suit[:3] == "AKQ" or (held(suit, "AKQJ") >= 3 and "T" in suit)),
        (n >= 6 and suit[:4] == "AKQJ") or (n >= 7 and suit[:3] == "AKQ"),
    ]
    return max((level for level, reached in enumerate(levels, 1) if reached), default=0)


def control(suit: str) -> int:
    if not suit or "A" in suit:
        return 2
    return 1 if "K" in suit or len(suit) == 1 else 0


def support(suits: list[str], trumps: int) -> int:
    value = sum(map(hcp, suits))
    for i, suit in enumerate(suits):
        if i == trumps or len(suit) > 2 or len(suits[trumps]) < 3:
            continue
        value += ((3, 2, 1) if len(suits[trumps]) == 3 else (5, 3, 1))[len(suit)]
    return value


def correction(suits: list[str], *, with_length: bool) -> int:
    """Half points, not yet bounded."""
    halves = 0
    for suit in suits:
        if suit in ("K", "Q", "J", "QJ"):
            halves -= 2
        elif len(suit) == 2 and suit != "AQ" and held(suit, "QJ"):
            halves -= 1
        if with_length and is_good(suit):
            halves += len(suit) - 4
    surplus = 2 * sum(map(quick, suits)) - (sum(map(hcp, suits)) - 3)
    for bound in (2, 4):
        halves += (surplus >= bound) - (surplus <= -bound)
    spots = sum(map(texture, suits))
    halves += (spots >= 3) - (spots <= -3)
    return halves - (sorted(map(len, suits)) == [3, 3, 3, 4])


def adjusted(suits: list[str], *, with_length: bool = True) -> int:
    halves = min(4, max(-4, correction(suits, with_length=with_length)))
    return max(0, sum(map(hcp, suits)) + int(halves / 2))


def hand_class(suits: list[str]) -> str:
    """The class, of suits clubs first."""
    lengths = sorted(map(len, suits))
    points, long = sum(map(hcp, suits)), max(suits, key=len)
    before_length, value = adjusted(suits, with_length=False), adjusted(suits)
    tricks, inside = sum(map(quick, suits)) / 2, hcp(long)
    good, good_major = any(map(is_good, suits)), any(map(is_good, suits[2:]))
    is_long = lengths[3] >= 7 and before_length <= 10 and playing(suits) < 20
    if is_long and (inside > points - inside or points == 0):
        return "preemptive"
    may_open_two = lengths[3] == 6 and lengths[2] < 5 and len(suits[0]) != 6
    if may_open_two and 3 <= before_length <= 10 and held(long, "AKQJT") >= 3 and points - inside <= 4:
        return "weak two"
    if value >= 22 or playing(suits) >= 18:
        return "forcing opener"
    for least, name in ((20, "very strong opener"), (18, "strong opener"), (15, "intermediate opener")):
        if value >= least:
            return name
    if value >= 13 or points >= 13:
        return "minimum opener"
    if (value == 12 and (tricks >= 2.5 or good_major)) or (value == 11 and (tricks >= 3 or good_major)):
        return "minimum opener"
    if value >= 10 or (value == 9 and (tricks >= 1.5 or good)):
        return "invitational"
    if value >= 7 or (value == 6 and (tricks >= 1 or lengths[3] >= 5)):
        return "minimum"
    if value >= 5 or (value == 4 and (tricks >= 1 or lengths[3] >= 5)):
        return "weak"
    return "very weak"


OF_HAND = {
    "hcp": lambda suits: sum(map(hcp, suits)),
    "points": lambda suits: sum(hcp(suit) + max(0, len(suit) - 4) for suit in suits),
    "webb": lambda suits: sum(WEBB.get(card, 0) for suit in suits for card in suit),
    "adjusted": adjusted,
    "controls": lambda suits: sum(2 * held(suit, "A") + held(suit, "K") for suit in suits),
    "aces": lambda suits: "".join(suits).count("A"),
    "kings": lambda suits: "".join(suits).count("K"),
    "quick tricks": lambda suits: sum(map(quick, suits)),
    "losers": lambda suits: sum(map(losers, suits)),
    "playing tricks": playing,
    "texture": lambda suits: sum(map(texture, suits)),
    "class": lambda suits: CLASSES.index(hand_class(suits)),
    "longest": lambda suits: max(map(len, suits)),
    "shortest": lambda suits: min(map(len, suits)),
    "major": lambda suits: max(map(len, suits[2:])),
    "minor": lambda suits: max(map(len, suits[:2])),
}
OF_SUIT = {
    "length": len,
    "suit hcp": hcp,
    "top three": lambda suit: held(suit, "AKQ"),
    "top five": lambda suit: held(suit, "AKQJT"),
    "suit texture": texture,
    "stopper": stopper,
    "quality": quality,
    "control": control,
    "suit losers": losers,
}


def plain_value(suits: list[str], feature: Feature) -> int:
    """One feature of the suits of a hand, clubs first."""
    if feature.card is not None:
        return int(str(feature.card.rank) in suits[feature.card.suit])
    if feature.suit is None:
        return OF_HAND[feature.kind](suits)
    if feature.kind == "support":
        return support(suits, feature.suit)
    if feature.kind == "key cards":
        return "".join(suits).count("A") + ("K" in suits[feature.suit])
    return OF_SUIT[feature.kind](suits[feature.suit])


def plain_features(hand: Hand) -> list[int]:
    """All features of a hand, in the order of their numbers."""
    suits = [hand.suit_text(suit) for suit in SUITS]
    return [plain_value(suits, feature) for feature in FEATURES]
