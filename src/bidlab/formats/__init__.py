"""The formats people use: PBN, LIN, links to BBO's hand viewer, bidlab's JSON, and diagrams."""

from typing import TYPE_CHECKING

from bidlab._lazily import lazily

if TYPE_CHECKING:
    from bidlab.formats.diagram import auction_grid, board_diagram, record_diagram
    from bidlab.formats.files import FormatWarning, board_text, read_boards, write_boards
    from bidlab.formats.links import viewer_link
    from bidlab.formats.records import Note, Problem, Record, Table
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "bidlab.formats.diagram": "auction_grid board_diagram record_diagram",
            "bidlab.formats.files": "FormatWarning board_text read_boards write_boards",
            "bidlab.formats.links": "viewer_link",
            "bidlab.formats.records": "Note Problem Record Table",
        },
    )

__all__ = [
    "FormatWarning",
    "Note",
    "Problem",
    "Record",
    "Table",
    "auction_grid",
    "board_diagram",
    "board_text",
    "read_boards",
    "record_diagram",
    "viewer_link",
    "write_boards",
]
