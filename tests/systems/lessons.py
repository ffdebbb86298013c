"""Auctions explained by natural as a teacher would; a golden file keeps what is said.

    python -m tests.systems.lessons > tests/systems/files/lessons.txt

after a change of the system or of its words, and then: read it aloud.
"""

from bidlab.bidders.expert import shared_book
from bidlab.bridge.calls import Auction
from bidlab.systems.explaining import explanation

AUCTIONS = (
    "1N P 2C P 2S P",
    "1N P 2D P 2H P 3N P",
    "1S P 2N P 3D P",
    "1H P 1S P 2C P",
    "1D P 1H P 1N P",
    "1C P 1D P 1S P",
    "1S P 1N P 2H P",
    "1S P 2S P",
    "1H P 2N P 3H P 4N P 5D P",
    "1S P 4S P",
    "2C P 2D P 2N P",
    "2H P",
    "3S X P",
    "P P 1S P",
    "1S X P",
    "1H 1S X P",
    "1D 1S X 2S",
    "1D 1N P",
    "1N X P",
    "1N 2H P",
)


def lesson_text(auction: str) -> str:
    """The calls of an auction by natural, and what the player to call knows."""
    found = explanation(shared_book("natural"), Auction("N", "none", auction), deals=4000)
    lines = [auction]
    lines += [f"  {one.seat.word} {one.call.symbol}: {' '.join(one.sentences())}" for one in found.calls]
    lines.append(f"  {found.auction.turn.word} to call.")
    lines += [f"    {seat.word} has shown {text}." for seat, text in found.shown]
    lines += [f"    {sentence}" for sentence in found.state]
    return "\n".join(lines)


if __name__ == "__main__":
    print("\n\n".join(map(lesson_text, AUCTIONS)))
