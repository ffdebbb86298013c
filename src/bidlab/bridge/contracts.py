"""Contracts, and results: what a contract scored (law 77)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.cards import Named, Seat, Strain, name_values
from bidlab.bridge.errors import BidlabError, NotationError, quoted
from bidlab.bridge.scores import contract_score

_DOUBLINGS = dict.fromkeys(("X", "DBL", "*", "DOUBLED"), 1) | dict.fromkeys(
    ("XX", "RDBL", "**", "REDOUBLED"), 2
)
_DOUBLINGS[""] = 0


class Doubling(Named):
    """Whether a contract is doubled or redoubled.

    >>> Doubling("XX"), str(Doubling.DOUBLED)
    (<Doubling.REDOUBLED: 2>, 'X')
    """

    UNDOUBLED = 0
    DOUBLED = 1
    REDOUBLED = 2

    def __bool__(self) -> bool:
        return self > 0


name_values(Doubling, ("", "X", "XX"), _DOUBLINGS, "X XX or nothing")
DOUBLINGS = tuple(Doubling)

_CONTRACT = re.compile(
    r"([1-7]) ?(NO ?TRUMPS?|NT|SA|N|CLUBS?|DIAMONDS?|HEARTS?|SPADES?|[CDHS♣♦♥♠])"
    r" ?(XX|X|\*\*|\*|RDBL|DBL|REDOUBLED|DOUBLED|)"
    r" ?(?:BY )?(NORTH|EAST|SOUTH|WEST|N|E|S|W)?",
    re.IGNORECASE,
)
_PASSED_OUT = frozenset(("P", "PASS", "AP", "PASSED OUT", "ALL PASS", "PASSED", "PO"))


@dataclass(frozen=True, slots=True)
class Contract:
    """What the declaring side has undertaken: level, strain, doubling, and declarer where known.

    >>> Contract.parse("4SX by S")
    Contract('4SX by S')
    >>> Contract.parse("Pass").is_passed_out
    True
    """

    level: int  # 0 when the deal was passed out
    strain: Strain | None
    doubling: Doubling = Doubling.UNDOUBLED
    declarer: Seat | None = None

    def __post_init__(self) -> None:
        if (self.strain is None) != (self.level == 0) or not 0 <= self.level <= 7:
            raise NotationError(f"no contract at level {self.level}: 1 to 7 and a strain are wanted")

    @classmethod
    def passed_out(cls) -> Contract:
        """The contract of a deal that everybody passed."""
        return cls(0, None)

    @classmethod
    def parse(cls, text: str, declarer: Seat | None = None) -> Contract:
        """The contract that a text such as "4SX", "3NT by W" or "Pass" names."""
        words = " ".join(text.split())
        match = _CONTRACT.fullmatch(words) if len(words) < 40 else None
        if match is None:
            if words.upper() in _PASSED_OUT:
                return cls.passed_out()
            raise NotationError(
                f"no contract {quoted(text)}: a level 1 to 7, a strain C D H S N and X or XX if "
                "doubled are wanted, as in 4SX, or Pass"
            )
        level, strain, doubling, seat = match.groups()
        if seat is not None:
            declarer = Seat(seat)
        return cls(int(level), Strain(strain), Doubling(doubling), declarer)

    @property
    def is_passed_out(self) -> bool:
        """Whether there was no bid."""
        return self.level == 0

    @property
    def tricks_needed(self) -> int:
        """The tricks that make the contract."""
        return self.level + 6

    @property
    def name(self) -> str:
        """The contract without its declarer, as in "4SX"; "Pass" where there was no bid."""
        return "Pass" if self.strain is None else f"{self.level}{self.strain}{self.doubling}"

    @property
    def symbol(self) -> str:
        """The contract as people write it, as in "3NT" or "4♠X"."""
        if self.strain is None:
            return "passed out"
        return f"{self.level}{self.strain.symbol}{self.doubling}"

    def score(self, tricks: int, vulnerable: bool) -> int:
        """The score of these tricks, from declarer's side; 0 when passed out."""
        if not 0 <= tricks <= 13:
            raise BidlabError(f"no result of {tricks} tricks: 0 to 13 are wanted")
        if self.strain is None:
            return 0
        return contract_score(self.level, self.strain, self.doubling, vulnerable, tricks)

    def __str__(self) -> str:
        return self.name if self.declarer is None else f"{self.name} by {self.declarer}"

    def __repr__(self) -> str:
        return f"Contract({str(self)!r})"


@dataclass(frozen=True, slots=True, init=False)
class Result:
    """A contract played: declarer's tricks (0 when passed out) and who was vulnerable.

    >>> result = Result("4SX by E", 9, "EW")
    >>> result.score, str(result)
    (200, '4SX-1 by E')
    """

    contract: Contract
    tricks: int
    vulnerable: Vulnerability

    def __init__(
        self, contract: Contract | str, tricks: int, vulnerable: Vulnerability | str = Vulnerability.NONE
    ) -> None:
        if isinstance(contract, str):
            contract = Contract.parse(contract)
        if not 0 <= tricks <= 13:
            raise BidlabError(f"no result of {tricks} tricks: 0 to 13 are wanted")
        if contract.declarer is None and not contract.is_passed_out:
            raise BidlabError(f"the result of {contract} needs its declarer, as in 4S by N")
        object.__setattr__(self, "contract", contract)
        object.__setattr__(self, "tricks", tricks)
        object.__setattr__(self, "vulnerable", Vulnerability(vulnerable))

    @property
    def score(self) -> int:
        """The score from North-South's side."""
        declarer = self.contract.declarer
        if declarer is None:
            return 0
        score = self.contract.score(self.tricks, self.vulnerable.includes(declarer))
        return score if declarer.is_north_south else -score

    @property
    def balance(self) -> str:
        """Tricks over or under the contract: "=", "+1", "-2"; empty when passed out."""
        return trick_balance(self.contract, self.tricks)

    def __str__(self) -> str:
        contract = self.contract
        by = "" if contract.declarer is None else f" by {contract.declarer}"
        return f"{contract.name}{self.balance}{by}"


def trick_balance(contract: Contract, tricks: int) -> str:
    """Tricks over or under a contract: "=", "+1", "-2"; empty when it was passed out."""
    if contract.is_passed_out:
        return ""
    over = tricks - contract.tricks_needed
    return "=" if over == 0 else f"{over:+d}"
