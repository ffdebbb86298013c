"""What one player sees: the own hand, the auction, what its calls were said to mean, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from bidlab.bridge.boards import Board, Vulnerability
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Seat
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning


@dataclass(frozen=True, slots=True, init=False)
class SeatView:
    """The player to call, as that player sees the table; it holds no hidden card.

    >>> view = SeatView("AKQ2.T83.KQ9.A76", Auction("N", "none", "1N P"))
    >>> view.seat, view.is_vulnerable, len(view.legal_calls)
    (<Seat.SOUTH: 2>, False, 31)
    """

    hand: Hand
    auction: Auction
    disclosed: tuple[Meaning | None, ...]  # what the maker of each call said it means; empty: nobody said

    def __init__(
        self, hand: Hand | str, auction: Auction, disclosed: tuple[Meaning | None, ...] = ()
    ) -> None:
        if isinstance(hand, str):
            hand = Hand.parse(hand)
        if len(hand) != 13:
            raise BidlabError(f"{len(hand)} cards in hand '{hand}': a player holds 13")
        if auction.is_ended:
            raise BidlabError(f'nobody is to call: "{auction}" has ended')
        object.__setattr__(self, "hand", hand)
        if disclosed and len(disclosed) != len(auction):
            raise BidlabError(f"{len(disclosed)} meanings for {len(auction)} calls: one a call is wanted")
        object.__setattr__(self, "auction", auction)
        object.__setattr__(self, "disclosed", disclosed)

    @classmethod
    def of(cls, board: Board, auction: Auction) -> SeatView:
        """What the player to call sees of a board."""
        if (auction.dealer, auction.vulnerable) != (board.dealer, board.vulnerable):
            raise BidlabError(
                f"an auction dealt by {auction.dealer.word}, {auction.vulnerable.word}, on a board "
                f"dealt by {board.dealer.word}, {board.vulnerable.word}: they must agree"
            )
        return cls(board.deal.hand(auction.turn), auction)

    @property
    def seat(self) -> Seat:
        """The player whose view this is, who is to call."""
        return self.auction.turn

    @property
    def vulnerable(self) -> Vulnerability:
        """Which sides are vulnerable."""
        return self.auction.vulnerable

    @property
    def is_vulnerable(self) -> bool:
        """Whether the player's own side is vulnerable."""
        return self.vulnerable.includes(self.seat)

    @property
    def legal_calls(self) -> tuple[Call, ...]:
        """The calls to choose from."""
        return self.auction.legal_calls()
