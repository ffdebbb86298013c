"""What is wrong with a system's text: where it stands, what was given, what would be right."""

from __future__ import annotations

from bidlab.bridge.errors import BidlabError
from bidlab.systems.syntax import Place


class SystemTextError(BidlabError):
    """A system's text that cannot be read: `natural.bids:41:12: unknown word 'hpc' (did you mean 'hcp'?)`."""

    def __init__(self, place: Place, what: str) -> None:
        super().__init__(f"{place}: {what}")
        self.place = place
        self.what = what

    def __reduce__(self) -> tuple[type[SystemTextError], tuple[Place, str]]:
        return SystemTextError, (self.place, self.what)
