"""The table: what each player sees."""

from bidlab.table.seatview import SeatView

__all__ = ["SeatView"]
