"""A written system that keeps its rules to itself, to hold estimates against its true meanings."""

import numpy as np

from bidlab.bidders.expert import Expert
from bidlab.bidders.registry import bidder
from bidlab.table import Bidder, Decision, Decisions, SeatView, ViewBatch


class BlackBox(Bidder):
    """Bids natural and says nothing."""

    name = "black box"

    def __init__(self) -> None:
        made = bidder("expert:natural")
        assert isinstance(made, Expert)
        self.inside = made

    def decide(self, view: SeatView) -> Decision:
        return Decision(self.inside.decide(SeatView(view.hand, view.auction)).call)

    def decide_many(self, views: ViewBatch) -> Decisions:
        book = self.inside.book
        return Decisions(
            book.choose(book.nodes(views.dealers, views.vulnerable, views.calls), views.hands)[1]
        )


class Wavering(BlackBox):
    """The same, but where natural opens 1NT it finds a pass somewhat likelier, and says so."""

    name = "wavering box"
    _NOTRUMP = 7

    def decide_many(self, views: ViewBatch) -> Decisions:
        calls = super().decide_many(views).calls
        return Decisions(np.where(calls == self._NOTRUMP, 0, calls).astype(np.uint8))

    def chances(self, views: ViewBatch) -> np.ndarray:
        calls = super().decide_many(views).calls
        chances = np.zeros((len(views), 38), dtype=np.float32)
        chances[np.arange(len(views)), calls] = np.where(calls == self._NOTRUMP, 0.4, 1)
        chances[:, 0] += (calls == self._NOTRUMP) * 0.6
        return chances
