"""Slips that players make when they write a system: each an edit of `natural`, and what must be found."""

import re
from dataclasses import dataclass
from pathlib import Path

from bidlab.systems.checking import Kind
from bidlab.systems.loading import books_folder


@dataclass(frozen=True)
class Fault:
    """An edit of a file of natural, and what must be found.

    What is changed and the line of the finding are patterns, so that natural may change around them.
    """

    name: str
    file: str
    old: str
    new: str
    line: str
    kind: Kind

    def __str__(self) -> str:
        return self.name


FAULTS = (
    # What cannot be read.
    Fault("misspelt suit", "natural", r"^(  1S +1[^#\n]*5\+ )spades", r"\1spaeds", r"1S .*spaeds", Kind.TEXT),
    Fault("misspelt effect", "notrump", r"^(  6N .*)signs off", r"\1sings off", r"6N .*sings", Kind.TEXT),
    Fault("range turned round", "natural", r"^  2N   20-21", "  2N   21-20", r"2N +21-20", Kind.TEXT),
    Fault("unknown file", "natural", r"^include rebids", "include rebid", r"include rebid$", Kind.TEXT),
    Fault("suit without a letter", "responses", r"^(  3M .*agrees )M", r"\1Y", r"3M .*agrees Y", Kind.TEXT),
    # Rules that never make their call.
    Fault(
        "balanced with a six-card suit",
        "natural",
        r"^  2N   20-21, balanced",
        r"\g<0>, 6+ clubs",
        r"2N .*6\+ clubs",
        Kind.IMPOSSIBLE,
    ),
    Fault(
        "more than was opened with", "notrump", r"^    6N   17 ", "    6N   19+", r"6N +19\+", Kind.IMPOSSIBLE
    ),
    Fault(
        "the wider rule first",
        "responses",
        r"^(2M\n  4M   4\+ M.*\n)",
        r"\1  4M   4+ M, 17+\n",
        r"4M   4\+ M, 17\+$",
        Kind.COVERED,
    ),
    Fault(
        "stoppers asked for twice",
        "responses",
        r"^  3N   18\+, stopper in every unbid suit .*\n",
        r"\g<0>  3N   19+, stopper in every unbid suit, balanced  signs off\n",
        r"3N   19\+",
        Kind.COVERED,
    ),
    Fault("pass in the middle", "defence", r"^(  1Y )", r"  P\n\1", r"1Y  ", Kind.HIDDEN),
    Fault(
        "the same line twice",
        "responses",
        r"^  2H   5\+ hearts.*\n",
        r"\g<0>\g<0>",
        r"2H   5\+",
        Kind.DUPLICATE,
    ),
    # Calls that the laws forbid.
    Fault(
        "one over one downwards", "rebids", r"^(1C 1D\n)  3D ", r"\1  1C ", r"1C   4\+ diamonds", Kind.ILLEGAL
    ),
    Fault("a double of partner", "responses", r"^  2N   11-12", "  X    11-12", r"X    11-12", Kind.ILLEGAL),
    Fault(
        "an answer below the question",
        "transfers",
        r"^      2S   3\+",
        "      2D   3+",
        r"2D   3\+ spades",
        Kind.ILLEGAL,
    ),
    # Hands without a call.
    Fault(
        "no pass at the end of the openings",
        "natural",
        r"^(  1C .*\n)  P.*\n",
        r"\1",
        r"2C   22\+",
        Kind.HOLE,
    ),
    Fault(
        "a stayman answer only with a maximum",
        "stayman",
        r"^    2D   no 4-card major",
        r"\g<0>, maximum",
        r"2C   4 hearts or",
        Kind.HOLE,
    ),
    Fault(
        "no transfer with a doubleton", "transfers", r"^    2H$", "    2H   3+ hearts", r"2D   5\+", Kind.HOLE
    ),
    # Forcing calls that are passed.
    Fault(
        "passing the game-forcing raise",
        "forcing-raise",
        r"^    3N   \$middle .*$",
        "    P    14-15",
        r"P    14-15",
        Kind.PASSED,
    ),
    Fault(
        "passing a new suit",
        "rebids",
        r"^  1N   14-, balanced",
        "  P    14-, balanced",
        r"P    14-, balanced",
        Kind.PASSED,
    ),
    # Contradictions.
    Fault(
        "forcing and signing off",
        "rebids",
        r"^  3m   4\+ m.*forcing to game",
        r"\g<0>, signs off",
        r"3m .*signs off",
        Kind.CONTRADICTION,
    ),
    Fault(
        "agreeing the other major",
        "responses",
        r"^(  2M   3\+ M.*agrees )M",
        r"\1oM",
        r"2M .*agrees oM",
        Kind.CONTRADICTION,
    ),
    Fault(
        "a transfer to another suit",
        "transfers",
        r"transfers to spades",
        "transfers to clubs",
        r"2H .*to clubs",
        Kind.CONTRADICTION,
    ),
    Fault(
        "minimum of nothing",
        "responses",
        r"^  5m   4\+ m, 10-",
        "  5m   4+ m, minimum",
        r"5m   4\+ m",
        Kind.CONTRADICTION,
    ),
    Fault("the wrong suit", "natural", r"^  2D   6 diamonds", "  2D   6 clubs", r"2D   6 clubs", Kind.STRAIN),
    # Conventions and contexts.
    Fault("no answer to a double", "checkback", r"^    \(X\)\n(      .*\n)+", "", r"2C   ", Kind.DISTURBED),
    Fault("a convention twice", "natural", r"^use checkback\n", r"\g<0>\g<0>", r"use checkback", Kind.TWICE),
    Fault("a parameter forgotten", "two-suiters", r"\$least\+", "8+", r"set least", Kind.UNUSED),
    Fault(
        "asked for something else",
        "key-cards",
        r"^when asked key cards of M, they bid",
        "when asked keycards of M, they bid",
        r"when asked keycards",
        Kind.CONTEXT,
    ),
    Fault("a sequence that nobody bids", "notrump", r"^1N 2C 2M$", "1N 2C 3M", r"1N 2C 3M", Kind.UNREACHED),
    Fault(
        "an excuse for nothing",
        "defence",
        r"^  1N       15-17, balanced, stopper in X$",
        r"\g<0>  # check: ok so there",
        r"1N .*so there",
        Kind.EXCEPTION,
    ),
)


def broken_copy(folder: Path, *faults: Fault) -> Path:
    """Natural in a folder of its own, with faults put in; the file to check."""
    for path in (
        *(books_folder() / "natural").glob("*.bids"),
        *(books_folder() / "conventions").glob("*.bids"),
    ):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    for fault in faults:
        path = folder / f"{fault.file}.bids"
        text = path.read_text(encoding="utf-8")
        # A parameter is forgotten everywhere, anything else in one place.
        count = 0 if fault.kind is Kind.UNUSED else 1
        broken, changes = re.subn(fault.old, fault.new, text, count=count, flags=re.MULTILINE)
        if not changes:
            raise ValueError(f"{fault}: {fault.old!r} is not in {path.name}; write the fault anew")
        path.write_text(broken, encoding="utf-8")
    return folder / "natural.bids"


def lines_of_fault(folder: Path, fault: Fault) -> set[int]:
    """The numbers of the lines that begin as the fault says."""
    rows = (folder / f"{fault.file}.bids").read_text(encoding="utf-8").splitlines()
    return {number for number, row in enumerate(rows, 1) if re.match(fault.line, row.strip())}
