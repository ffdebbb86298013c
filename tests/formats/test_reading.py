"""Files as people and programs write them."""

from io import BytesIO
from pathlib import Path

import pytest

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.cards import Seat
from bidlab.formats import FormatWarning, Problem, Record, Table, read_boards
from bidlab.formats.records import Note

FILES = Path(__file__).parent / "files"


def read(source: Path | bytes, format: str | None = None) -> tuple[list[Record], list[Problem]]:
    problems: list[Problem] = []
    given = BytesIO(source) if isinstance(source, bytes) else source
    return list(read_boards(given, format, problems.append)), problems


def said(problems: list[Problem]) -> list[str]:
    return [str(problem).removeprefix(f"{FILES}/") for problem in problems]


def test_pbn_as_the_standard_has_it() -> None:
    (first, second), problems = read(FILES / "plain.pbn")
    assert not problems
    assert first.board.number == 7 and first.board.dealer == Seat.SOUTH
    assert str(first.auction) == "1C 1S P 2S P P P" and str(first.contract) == "2S by W"
    assert first.call_notes == (Note(0, "may be short", alert=True),)
    assert [str(card) for card in first.play] == "CT CQ CA C3 DQ D2 D5 D4".split()
    assert first.names == ("Noor", 'Ella "Bel" \\ Co', "Saar", "Vos, Wim")
    assert first.tables == (
        Table("OptimumResultTable", r"Declarer;Denomination\2R;Result\2R", ("N NT  5", "N  S  4")),
    )
    assert first.tag("HomeTeam") == "Reds" and first.room == "Open" and first.tricks == 8
    assert first.result is not None and first.result.score == -110
    assert second.names == ("", "", "", "Vos, Wim") and second.tag("Event") == "Club teams"
    assert second.contract is not None and second.contract.is_passed_out and second.tricks is None


def test_pbn_as_nobody_should_write_it() -> None:
    records, problems = read(FILES / "odd.pbn")
    one, two, three, four = records
    assert one.comments[0].startswith("A file as nobody should write it, over two lines")
    assert str(one.board.deal) == "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
    assert one.board.dealer == Seat.NORTH and one.board.vulnerable == Vulnerability.NONE
    assert str(one.auction) == "1N P 2C P P P"
    assert one.call_notes == (
        Note(0, nags=(1,)),
        Note(0, "15-17"),
        Note(1, "no values", alert=True),
        Note(1, "", alert=True),
        Note(2, nags=(2,)),
        Note(2, "Stayman", alert=True),
        Note(5, "all passed"),
    )
    assert str(one.contract) == "2CX by S" and one.tricks == 9
    assert [str(card) for card in one.play] == "D3 D5 DA D9 D4".split()
    assert one.card_notes == (Note(0, nags=(9,)), Note(2, nags=(7,)))
    assert (
        two.board.number == 2 and two.board.dealer == Seat.EAST and two.board.vulnerable == Vulnerability.NS
    )
    assert two.board.deal.is_complete and str(two.auction) == "P P 1S"
    assert three.board.deal.hands == (None,) * 4 and three.auction is None
    assert four.tag("Board") == "page-break" and len(four.board.deal.hand("S")) == 2
    assert said(problems) == [
        "odd.pbn:3: text 'junk before any tag' ignored: it stands in no section",
        "odd.pbn:17: that declarer and dummy were swapped (^) is not kept",
        "odd.pbn:16: contract 2CX by S does not follow from the auction, which ends in 2C by S",
        "odd.pbn:29: text 'some words that a dealing program left here' ignored: it stands in no section",
        "odd.pbn:34: auction left out: '-' stands where a call is wanted",
        "odd.pbn:35: no vulnerability and no number: none is assumed",
        "odd.pbn:35: no dealer and no number: North is assumed",
    ]


def test_pbn_inherits_by_one_and_by_two_hashes() -> None:
    records, _ = read(FILES / "inherited.pbn")
    assert [record.tag("Event") for record in records] == ["Long match"] * 3 + ["#387 is a name"]
    assert [record.names[Seat.WEST] for record in records] == ["Anna", "Anna", "Berta", ""]
    assert [record.board.number for record in records] == [1, 2, 2, 3]
    assert [record.tricks for record in records] == [None, 6, 9, 10]
    assert records[2].board.deal == records[1].board.deal


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_encoding_and_line_end_is_read(encoding: str, end: str) -> None:
    text = '[Board "3"]\n[North "Søren Åkerström"]\n[Deal "N:QJ6.K652.J85.T98 - - -"]\n'
    text += '\n[Board "4"]\n[North "Zoë"]\n[Deal "N:QJ6.K652.J85.T98 - - -"]\n'
    records, problems = read(text.replace("\n", end).encode(encoding), "pbn")
    assert [record.names[0] for record in records] == ["Søren Åkerström", "Zoë"]
    assert not problems


def test_vugraph_file() -> None:
    records, problems = read(FILES / "vugraph.lin")
    assert not problems
    one, two, three, four = records
    assert [record.room for record in records] == ["Open", "Closed"] * 2
    assert [record.board.number for record in records] == [3, 3, 4, 4]
    assert one.names == ("Noor", "Ella", "Saar", "Wim") and two.names == ("Nils", "Eve", "Sofia", "Walt")
    assert one.board.deal.is_complete and one.board == two.board
    assert str(one.auction) == "P P 1C 1S P 4S P P P"
    assert one.call_notes == (Note(2, alert=True), Note(5, "to play"))
    assert (str(one.contract), one.tricks) == ("4S by W", 9)
    assert [str(card) for card in one.play] == "CT CQ C5 C3 D4 DK".split()
    assert (str(two.contract), two.tricks) == ("3S by W", 9)  # the list of results counts, not the claim
    assert three.contract is not None and three.contract.is_passed_out
    assert str(four.auction) == "1D P 1S" and str(four.contract) == "3NX by E" and four.tricks == 7
    assert dict(one.tags) == {
        "Event": "Spring cup",
        "HomeTeam": "Reds",
        "Scoring": "IMP",
        "Stage": "Segment 1 of 2",
        "VisitTeam": "Blues",
    }


def test_lin_as_programs_write_it() -> None:
    records, problems = read(FILES / "odd.lin")
    one, two, three, four = records
    assert one.board.number == 12 and one.board.dealer == Seat.WEST and one.board.deal.is_complete
    assert one.names == ("O'Neill", "", "A,B", "~~robot")
    assert str(one.auction) == "1N P P P" and one.tricks == 7
    assert [str(card) for card in one.play] == "H2 H7 H3 HQ".split()
    assert two.board.number == 5 and two.board.deal.hand("S").spots == (2, 2, 2, 3)
    assert three.board.number == 9 and str(three.auction) == "2N X"
    assert three.call_notes == (Note(0, "5+ hearts | 11-15, 100%", alert=True),)
    assert four.board.deal.is_complete and str(four.contract) == "4SX by W" and four.tricks == 9
    assert not problems


@pytest.mark.parametrize(
    "link",
    [
        "?n=sqj6hk652dj85ct98&e=s873hj97dat764cq4&s=sk5ht83dkq9ca7652&d=s&v=b&b=3&a=1n!(15-17)p2cppp",
        "?v3b=web&lin=pn%7CA,B,C,D%7Cst%7C%7Cmd%7C1SK5HT83DKQ9CA7652,SAT942HAQ4D32CKJ3,SQJ6HK652DJ85CT98,"
        "%7Csv%7Cb%7Cah%7CBoard+3%7Cmb%7C1N!%7Can%7C15-17%7Cmb%7Cp%7Cmb%7C2C%7Cmb%7Cp%7Cmb%7Cp%7Cmb%7Cp%7C&c=9",
    ],
)
def test_viewer_links_of_both_kinds(link: str) -> None:
    (record,), problems = read(f"https://www.bridgebase.com/tools/handviewer.html{link}".encode())
    assert not problems
    assert str(record.board.deal) == "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
    assert str(record.auction) == "1N P 2C P P P" and record.call_notes == (Note(0, "15-17", alert=True),)
    assert (record.board.dealer, record.board.vulnerable, record.board.number) == (2, 3, 3)


def test_a_record_that_cannot_be_read_leaves_its_neighbours() -> None:
    good = '[Board "{}"]\n[Deal "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"]\n'
    bad = good.replace("QJ6", "QJ5")
    text = "\n".join([good.format(1), bad.format(2), good.format(3)])
    records, problems = read(text.encode(), "pbn")
    assert [record.board.number for record in records] == [1, 3]
    assert len(problems) == 1 and problems[0].line == 5 and problems[0].is_error
    assert "S5 held twice, by North and South" in problems[0].text


@pytest.mark.parametrize(
    ("body", "line", "text"),
    [
        ('[Auction "N"]\n1S Pass\n2S Pass 2H', 6, 'auction left out: illegal call 2H over 2S in "1S P 2S P"'),
        ('[Auction "N"]\n1S Pess', 5, "auction left out: no call 'Pess'"),
        ('[Auction "E"]\n1S Pass', 4, "it begins with East, but North deals"),
        ('[Contract "8S"]', 4, "contract left out: no contract '8S'"),
        ('[Contract "4S"]\n[Declarer "Z"]', 5, "declarer left out: no seat 'Z'"),
        ('[Contract "4S"]\n[Declarer "N"]\n[Result "14"]', 6, "no result '14'"),
        ('[Contract "4S"]\n[Declarer "N"]\n[Play "E"]\nS8 SK S2 S6\nS1', 8, "play left out: no card 'S1'"),
        ('[Contract "4S"]\n[Declarer "N"]\n[Play "E"]\nSA SK S2 S6', 6, "SA in trick 1 on: East does not"),
        ('[Vulnerable "perhaps"]', 4, "vulnerability left out: no vulnerability 'perhaps'"),
        ('[Vulnerable "NS', 4, "tag Vulnerable left out"),
        ('{ never closed', 4, "comment { without its }"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line_and_the_rest_is_kept(body: str, line: int, text: str) -> None:
    deal = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
    whole = f'[Board "1"]\n[Dealer "N"]\n[Deal "{deal}"]\n{body}\n'
    (record,), problems = read(whole.encode(), "pbn")
    assert record.board.deal.is_complete
    (problem,) = [problem for problem in problems if problem.is_error]
    assert text in problem.text
    assert problem.line == line


def test_passes_too_many_do_no_harm() -> None:
    text = '[Board "1"]\n[Deal "N:QJ6.K652.J85.T98 - - -"]\n[Auction "N"]\n1N Pass Pass Pass Pass\n'
    (record,), (problem,) = read(text.encode(), "pbn")
    assert str(record.auction) == "1N P P P" and not problem.is_error


def test_json_of_other_hands_is_read() -> None:
    deal = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
    text = f'[{{"deal": "{deal}", "dealer": "W", "vulnerable": "All", "auction": "P P 1C P 1H P P P"}}]'
    (record,), problems = read(text.encode(), "json")
    assert not problems and str(record.contract) == "1H by W" and record.board.number is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"dealer": "N"}]', "no deal"),
        ('[{"deal": 3}]', "deal 3: a text is wanted"),
        ('[{"deal": "N:AKQ - - -"}]', "no hand 'AKQ'"),
        ('[{"deal": "N:- - - -", "result": 14, "contract": "4S"}]', "result 14: a number from 0 to 13"),
        ('[{"deal": "N:- - - -", "auction": ["1S", "1H"]}]', "illegal call 1H over 1S"),
        ('[{"deal": "N:- - - -", "contract": "8S"}]', "no contract '8S'"),
        ('["board"]', "no board 'board'"),
        ('[{"deal": "N:- - - -"', "no JSON"),
        ('[{"deal": "N:- - - -"}', "the list of boards has no end"),
        ("[1, 2", "no board 1"),
    ],
)
def test_wrong_json_says_what_is_wrong(text: str, said: str) -> None:
    _, problems = read(text.encode(), "json")
    assert any(said in problem.text and problem.is_error and problem.line == 1 for problem in problems)


def test_json_goes_on_after_a_board_that_is_none() -> None:
    text = '[\n{"deal": "N:- - - -", "number": 1},\n{"deal": oops},\n{"deal": "N:- - - -", "number": 3}\n]\n'
    records, problems = read(text.encode(), "json")
    assert [record.board.number for record in records] == [1, 3]
    assert [problem.line for problem in problems] == [3]


def test_problems_are_warnings_unless_somebody_takes_them() -> None:
    with pytest.warns(FormatWarning, match="deal left out"):
        assert list(read_boards(BytesIO(b'[Deal "N:AKQ - - -"]'), "pbn")) == []


# --- files from outside ---------------------------------------------------------------------------------

BOARDS = {
    "00007": 32, "03375": 24, "07081": 40, "11184": 32, "16918": 16, "22427": 28, "26840": 32, "30569": 25,
    "34310": 32, "38619": 16,
    "a1a11010": 40, "op_fin4": 28, "round2": 80, "round5": 40, "s4us2us1": 32, "t1johmah": 18,
}  # fmt: skip


def test_every_file_from_outside_reads(shared_data: Path) -> None:
    paths = [*sorted((shared_data / "vugraph").glob("*.lin")), *sorted((shared_data / "pbn").glob("*.pbn"))]
    assert paths
    for path in paths:
        records, problems = read(path)
        assert not [problem for problem in problems if problem.is_error], path
        assert len(records) == BOARDS.get(path.stem, len(records)) > 0
        for record in records:
            assert record.board.deal.is_complete
            assert record.auction is None or record.contract is not None
        scored = [record for record in records if record.result is not None]
        assert len(scored) >= len(records) - 1  # one match has a board without a result


def test_recorded_scores_of_files_from_outside_are_ours(shared_data: Path) -> None:
    # Some of the PBN files have a Score tag, from declarer's side, that another program computed.
    compared = 0
    for path in sorted((shared_data / "pbn").glob("*.pbn")):
        for record in read(path)[0]:
            score = record.tag("Score")
            if score and record.result is not None and record.result.contract.declarer is not None:
                declarer = record.result.contract.declarer
                ours = record.result.score if declarer.is_north_south else -record.result.score
                if score.lstrip("+-").isdigit():
                    assert ours == int(score), (path.name, record.board.number)
                    compared += 1
    assert compared > 100


def test_a_table_number_is_no_table() -> None:
    text = '[Board "1"]\n[Deal "N:QJ6.K652.J85.T98 - - -"]\n[Table "19"]\n'
    (record,), problems = read(text.encode(), "pbn")
    assert not problems and record.tag("Table") == "19" and record.tables == ()


def test_games_read_at_once_and_line_by_line_are_the_same(shared_data: Path) -> None:
    # A blank behind the first tag's line makes the fast way refuse a game.
    for path in sorted((shared_data / "pbn").glob("*.pbn")):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        slowed = text.replace(b'"]\n[Site', b'"] \n[Site')
        assert slowed != text
        assert read(slowed, "pbn")[0] == read(text, "pbn")[0]


@pytest.mark.parametrize("name", ["plain.pbn", "inherited.pbn"])
def test_the_fast_way_through_a_game_changes_nothing(name: str) -> None:
    text = (FILES / name).read_bytes().replace(b"\r\n", b"\n")
    slowed = text.replace(b'"]\n', b'"] \n')
    assert read(slowed, "pbn")[0] == read(text, "pbn")[0]


# --- found by trying to break it ------------------------------------------------------------------------

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
BOARD = f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n'


def test_a_game_inside_a_comment_is_no_game() -> None:
    text = f'{{ old:\n[Event "old"]\n[Board "9"]\n[Deal "{DEAL}"]\n}}\n{BOARD}'
    (record,), problems = read(text.encode(), "pbn")
    assert not problems and record.board.number == 1 and len(record.comments) == 1


def test_a_comment_without_end_does_not_swallow_the_next_game() -> None:
    text = f"{BOARD}{{ never closed\n\n{BOARD.replace('1', '2', 1)}{{closed}}\n\n{BOARD.replace('1', '3', 1)}"
    records, problems = read(text.encode(), "pbn")
    assert [record.board.number for record in records] == [1, 2, 3]
    assert [problem.line for problem in problems if problem.is_error] == [5]
    assert records[1].comments == ("closed",)


def test_a_comment_after_an_empty_line_belongs_to_the_game_that_follows() -> None:
    text = f"{BOARD}{{about one}}\n\n{{about two}}\n{BOARD.replace('1', '2', 1)}"
    records, _ = read(text.encode(), "pbn")
    assert [record.comments for record in records] == [("about one",), ("about two",)]


def test_a_semicolon_inside_braces_is_just_text() -> None:
    text = f'{BOARD}[Auction "N"]\n1S {{a; b}} Pass {{long\ncomment}} Pass Pass\n'
    (record,), problems = read(text.encode(), "pbn")
    assert not problems and str(record.auction) == "1S P P P"
    assert record.call_notes == (Note(0, "a; b"), Note(1, "long comment"))


def test_double_spaced_sections_go_on() -> None:
    text = f'{BOARD}[Auction "N"]\n\n1S Pass Pass\n\nDbl Pass 2C\n\nAP\n\nwords of another program\n'
    (record,), problems = read(text.encode(), "pbn")
    assert str(record.auction) == "1S P P X P 2C P P P"
    assert [problem.text for problem in problems] == [
        "text 'words of another program' ignored: it stands in no section"
    ]


def test_calls_as_people_write_them() -> None:
    text = f'{BOARD}[Auction "N"]\n1NT (Pass) 2♣ Dbl. pass* all pass\n'
    (record,), problems = read(text.encode(), "pbn")
    assert not problems and str(record.auction) == "1N P 2C X P P P"


def test_a_tag_that_comes_twice_counts_once() -> None:
    text = f'[Date "2020.01.01"]\n{BOARD}[Date "2021.01.01"]\n[Site "Oslo"]\n'
    (record,), _ = read(text.encode(), "pbn")
    assert record.tag("Date") == "2020.01.01" and record.tag("Site") == "Oslo"


def test_a_second_table_shares_the_board_before_it() -> None:
    second = '[Board "2"]\n[Auction "E"]\n1S AP\n'
    text = f'{BOARD}[Auction "N"]\n1S AP\n\n{second}\n[North "Bob"]\n[Auction "E"]\n2S AP\n'
    records, _ = read(text.encode(), "pbn")
    assert [record.board.number for record in records] == [1, 2, 2]
    assert records[2].board.deal.hands == (None,) * 4


def test_declarer_follows_from_the_lead_where_only_that_is_told() -> None:
    text = f'{BOARD}[Contract "3NT"]\n[Declarer "?"]\n[Play "W"]\nS4 S6 S3 SK\n'
    (record,), problems = read(text.encode(), "pbn")
    assert not problems and str(record.contract) == "3N by S" and len(record.play) == 4


def test_a_lead_out_of_turn_is_said() -> None:
    text = f'{BOARD}[Contract "3NT"]\n[Declarer "S"]\n[Play "N"]\nSQ S3 SK SA\n'
    (record,), (problem,) = read(text.encode(), "pbn")
    assert record.play == () and "North leads, but South declares" in problem.text


def test_cards_after_a_missing_one_are_said() -> None:
    text = f'{BOARD}[Contract "3NT"]\n[Declarer "S"]\n[Play "W"]\nS4 - S3 SK\nS2 S6 S7 S5\n'
    (record,), (problem,) = read(text.encode(), "pbn")
    assert [str(card) for card in record.play] == ["S4"] and "a card is missing" in problem.text


def test_a_link_told_of_in_chat_is_no_board() -> None:
    md = "md|3SK5HT83DKQ9CA7652,SAT942HAQ4D32CKJ3,SQJ6HK652DJ85CT98,|"
    chat = "nt|bob: http://x/?lin=pn%7Cw,x,y,z%7Cmd%7C1SAKQJHAKQJDAKQJCA,,,%7Cmb%7C7N%7C|pg||"
    text = f"qx|o1|{md}sv|o|mb|1N|mb|p|mb|p|mb|p|pg||\n{chat}\npc|S8|pg||\n"
    (record,), problems = read(text.encode(), "lin")
    assert not problems and str(record.auction) == "1N P P P" and len(record.play) == 1


def test_rooms_without_a_deal_share_the_other_rooms() -> None:
    text = (FILES / "vugraph.lin").read_text()
    first, second = text.split("qx|c3|st||")
    bare = first + "qx|c3|st||" + second.split("|", 2)[2]
    one, two = read(bare.encode(), "lin")[0][:2]
    assert two.board == one.board and two.room == "Closed"


def test_names_are_those_given_last() -> None:
    text = "pn|a,b,c,d|md|1SA,,,|mb|p|\npn|e,f,g,h|md|1SK,,,|mb|p|\nmd|1SQ,,,|mb|p|\n"
    text = (
        text.replace("1SA,,,", "1SA,S2,S3,S4")
        .replace("1SK,,,", "1SK,S2,S3,S4")
        .replace("1SQ,,,", "1SQ,S2,S3,S4")
    )
    records, _ = read(text.encode(), "lin")
    assert [record.names[2] for record in records] == ["a", "e", "e"]


def test_a_hidden_hand_plays_no_card_that_another_holds() -> None:
    text = '[Board "1"]\n[Deal "N:QJ6.K652.J85.T98 - K5.T83.KQ9.A7652 -"]\n[Contract "3NT"]\n[Declarer "N"]\n'
    (record,), (problem,) = read((text + '[Play "E"]\nSQ S5 S2 S6\n').encode(), "pbn")
    assert record.play == () and "East does not hold it" in problem.text


def test_json_in_one_long_line_is_read_whole() -> None:
    boards = ", ".join(
        f'{{"deal": "N:- - - -", "number": {i}, "room": "{"x" * 500}"}}' for i in range(1, 3001)
    )
    records, problems = read(f"[{boards}]".encode(), "json")
    assert not problems and [record.board.number for record in records] == list(range(1, 3001))
    damaged = f"[{boards}]".replace('"number": 1500,', '"number": 15 00,').encode()
    records, problems = read(damaged, "json")
    assert len(records) == 2999 and len(problems) == 1


def test_json_field_that_cannot_be_read_leaves_the_others() -> None:
    text = f'[{{"deal": "{DEAL}", "dealer": "Q", "number": 2, "auction": "1S P P P", "contract": "8S"}}]'
    (record,), problems = read(text.encode(), "json")
    assert record.board.dealer == Seat.EAST and str(record.contract) == "1S by E"
    assert [problem.text.split(":")[0] for problem in problems] == ["dealer left out", "contract left out"]


def test_format_is_guessed_from_slow_pipes_and_behind_headings() -> None:
    class Slow(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(size)

    for text, format in ((BOARD, "pbn"), ("% LIN made by a program\nmd|1SA,S2,S3,S4|sv|o|mb|p|", "lin")):
        records = list(read_boards(Slow(text.encode())))
        assert len(records) == 1 and records == read(text.encode(), format)[0]


def test_reading_leaves_the_callers_stream_open() -> None:
    stream = BytesIO(BOARD.encode())
    assert len(list(read_boards(stream, "pbn"))) == 1
    stream.seek(0)
    assert len(list(read_boards(stream))) == 1
