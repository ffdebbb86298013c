"""What is wrong with the text of a meaning, and where."""

from __future__ import annotations

from bidlab.bridge.errors import NotationError, quoted


class MeaningTextError(NotationError):
    """A text that is no meaning: what is wrong, and at which column."""

    def __init__(self, what: str, column: int, text: str = "") -> None:
        where = f" of {quoted(text)}" if text.strip() else ""
        super().__init__(f"{what}, at column {column}{where}")
        self.what = what
        self.column = column
        self.text = text

    def __reduce__(self) -> tuple[type[MeaningTextError], tuple[str, int, str]]:
        return MeaningTextError, (self.what, self.column, self.text)
