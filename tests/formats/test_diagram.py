"""Diagrams, as a bridge player draws them."""

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.bridge.contracts import Contract, Result
from bidlab.bridge.hands import Deal
from bidlab.formats import Record, auction_grid, board_diagram, record_diagram
from bidlab.formats.diagram import result_text
from bidlab.formats.records import Note


def test_board_is_drawn_around_the_table() -> None:
    deal = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
    assert board_diagram(Board(deal, number=7)) == "\n".join(
        (
            "Board 7                 ♠ QJ6",
            "South deals             ♥ K652",
            "Both sides vulnerable   ♦ J85",
            "                        ♣ T98",
            "♠ AT942                             ♠ 873",
            "♥ AQ4                               ♥ J97",
            "♦ 32                                ♦ AT764",
            "♣ KJ3                               ♣ Q4",
            "                        ♠ K5",
            "                        ♥ T83",
            "                        ♦ KQ9",
            "                        ♣ A7652",
        )
    )


def test_unknown_hands_and_voids_are_drawn() -> None:
    text = board_diagram(Board(Deal.parse("N:AKQJT98765432... - - -")))
    assert "♥ -" in text and text.count("...") == 12 and "Board" not in text


def test_auction_is_a_grid_from_west() -> None:
    auction = Auction("E", "none", "1N P 2D P 2H P P X")
    notes = (Note(0, "15-17"), Note(2, "transfer", alert=True), Note(4, alert=True))
    assert auction_grid(auction, notes) == "\n".join(
        (
            "West    North   East    South",
            "                1NT[1]  Pass",
            "2♦[2]   Pass    2♥*     Pass",
            "Pass    Dbl     ?",
            "[1] 15-17",
            "[2] transfer",
        )
    )


def test_suits_in_explanations_are_drawn_as_signs() -> None:
    notes = (Note(0, "!H, GF, 4+ @s; 5-5 \\D\\C, hi!Sam"),)
    assert auction_grid(Auction("W", "none", "2C"), notes).endswith("[1] ♥, GF, 4+ ♠; 5-5 ♦♣, hi!Sam")


def test_results_are_said_in_words() -> None:
    def said(contract: str, tricks: int) -> str:
        return result_text(
            Result(Contract.parse(contract), tricks, Board(Deal.unknown(), number=2).vulnerable)
        )

    assert said("4SX by E", 9) == "4♠X by East, one down: +100 to North-South"
    assert said("3N by N", 9) == "3NT by North, just made: +600 to North-South"
    assert said("2C by W", 10) == "2♣ by West, made with 2 overtricks: +130 to East-West"
    assert said("7N by S", 3) == "7NT by South, 10 down: +1000 to East-West"
    assert said("Pass", 0) == "Passed out: 0"


def test_record_shows_what_is_known() -> None:
    board = Board(Deal.unknown(), number=3)
    record = Record(board, contract=Contract.parse("4S by N"), room="Open", tags=(("Event", "Cup"),))
    text = record_diagram(record)
    assert text.startswith("Cup, open room\n") and text.endswith("Contract: 4♠ by North")
    named = record_diagram(Record(board, names=("Nora", "", "", "")))
    assert "Nora" in named and "West" in named
