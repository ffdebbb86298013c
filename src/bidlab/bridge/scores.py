"""Duplicate scores of contracts (law 77)."""

from bidlab.bridge.cards import Strain


def contract_score(level: int, strain: Strain, doubling: int, vulnerable: bool, tricks: int) -> int:
    """The score of a contract, from declarer's side; `doubling` is 0, 1 doubled or 2 redoubled.

    >>> contract_score(4, Strain.SPADES, 1, False, 9), contract_score(6, Strain.NOTRUMP, 0, True, 12)
    (-100, 1440)
    """
    over = tricks - level - 6
    if over < 0:
        return -_penalty(-over, doubling, vulnerable)
    per_trick = 20 if strain < Strain.HEARTS else 30
    trick_points = (level * per_trick + (10 if strain == Strain.NOTRUMP else 0)) << doubling
    is_game = trick_points >= 100
    score = trick_points + ((500 if vulnerable else 300) if is_game else 50)
    if level == 6:
        score += 750 if vulnerable else 500
    elif level == 7:
        score += 1500 if vulnerable else 1000
    if doubling > 0:
        return score + 50 * doubling + over * (100 << vulnerable) * doubling
    return score + over * per_trick


def _penalty(down: int, doubling: int, vulnerable: bool) -> int:
    """What that many undertricks cost."""
    if doubling == 0:
        return down * (100 if vulnerable else 50)
    # Doubled undertricks cost 300 each, but the first ones less: the first 200 when vulnerable; the
    # first 100 and the next two 200 when not.
    cheaper = 100 if vulnerable else (200, 300, 400)[min(down, 3) - 1]
    return (300 * down - cheaper) * doubling
