"""The table: what each player sees, what a bidder answers, and boards bid to the end."""

from bidlab.table.bidder import Bidder, BidderError, Decisions
from bidlab.table.decision import Candidate, Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import ViewBatch

__all__ = ["Bidder", "BidderError", "Candidate", "Decision", "Decisions", "SeatView", "ViewBatch"]
