"""What a format cannot hold, counted while records are written and said once at the end."""

from __future__ import annotations


class Shortfall:
    """Counts, by kind, the records of which something could not be written as it was."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def note(self, what: str) -> None:
        """Count one record with something that the format cannot hold."""
        self._counts[what] = self._counts.get(what, 0) + 1

    def lines(self) -> list[str]:
        """One line for each kind, with the number of times it came."""
        return [f"{what} ({count} time{'s' if count > 1 else ''})" for what, count in self._counts.items()]
