"""A small natural bidder for bidlab: strong notrump, five-card majors, better minor."""

import json
import sys

NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
BALANCED = ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])


def decide(asked):
    """The first legal one of my ideas, else a pass."""
    length = dict(zip("SHDC", map(len, asked["hand"].split(".")), strict=True))
    points = sum("JQKA".find(card) + 1 for card in asked["hand"])
    bids = [call for call in asked["auction"] if call[0].isdigit()]
    mine, partners = ([c for c in asked["auction"][at::-4] if c in bids] for at in (-4, -2))  # the last first
    if partners and len(mine) < 2:
        i_began = bool(mine) and bids.index(mine[-1]) < bids.index(partners[-1])
        ideas = answers(length, points, mine, partners, i_began)
    elif partners or mine or points < 12:
        ideas = []
    else:
        ideas = openings(length, points, 5 if bids else 3)  # overcalls are like openings, but on real suits
    legal = [{"call": call, "meaning": says} for call, says in ideas if call in asked["legal"]]
    return legal[0] if legal else {"call": "P"}


def openings(length, points, minor):
    """Calls with 12 points or more, and what they say, the best first."""
    if points in (15, 16, 17) and sorted(length.values()) in BALANCED:
        yield "1N", "15-17, balanced"
    for count in range(max(length.values()), 2, -1):
        for suit in "SHDC" if count > 3 else "CD":  # of suits of equal length the highest, but 1C on 3-3
            need = 5 if suit in "HS" else minor
            if length[suit] == count >= need:
                yield "1" + suit, f"12+, {need}+ {NAMES[suit]}"


def answers(length, points, mine, partners, i_began):
    """Answers to partner's bid, or to partner's answer: a fit, a new suit, notrump."""
    first, suit = partners[-1], partners[0][1]
    least = 15 if first == "1N" else 12  # the points that partner has shown
    if i_began and mine[-1] == "1N":
        least = 8 if first == "2N" else 0
    elif i_began:
        least = 6 if first[0] == "1" or first == "2" + mine[-1][1] else 10
    need = 4 if i_began or len(partners) > 1 else 3 if suit in "HS" else 5
    if suit != "N" and length[suit] >= need:
        yield from steps(points, least, suit, f", {need}+ {NAMES[suit]}")
        return
    for new in sorted("HSDC", key=length.get, reverse=True):
        if not mine and first == "1N" and new in "HS" and length[new] >= 5 and points < 8:
            yield "2" + new, f"0-7, 5+ {NAMES[new]}"
        if not mine and first != "1N" and length[new] >= 4 and points >= 6:
            yield "1" + new, f"6+, 4+ {NAMES[new]}"
        if not mine and first != "1N" and length[new] >= 5 and points >= 10:
            yield "2" + new, f"10+, 5+ {NAMES[new]}"
    if mine and length.get(mine[-1][1], 0) >= 6:
        yield from steps(points, least, mine[-1][1], f", 6+ {NAMES[mine[-1][1]]}")
    yield from steps(points, least, "N", "")


def steps(points, least, strain, cards):
    """The bid for the points of both hands together: a little, an invitation, game or slam."""
    levels = {"N": "123", "H": "234", "S": "234"}.get(strain, "235")
    for level, low, high in zip(levels + "6", (18, 22, 25, 33), (21, 24, 32, 50), strict=True):
        if low <= points + least <= high:
            bid = level + strain if level != "5" else "3N"  # nine tricks are fewer than eleven
            yield bid, f"{max(low - least, 0)}-{min(high - least, 37)}{cards}"


def main():
    """Answer line by line until bidlab says goodbye or closes the stream."""
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            answer = {"type": "hello", "name": "natural bot", "system": "five-card majors, 15-17 notrump"}
        elif asked["type"] == "call":
            answer = {"id": asked["id"], **decide(asked)}
        else:
            break
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
