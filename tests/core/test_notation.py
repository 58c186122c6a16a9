"""What people type, form by form: how it is read, and the sentence with which it is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games import notation
from bot.games.notation import Square
from bot.games.position import Unreadable
from tests.contract.sentences import is_sentence

C4 = Square(2, 3)
LONG = "5" * 5000
TOO_LONG = "That's 5000 characters. A move can have at most 4000."
EMPTY = "Write a move first."
NO_SQUARE = "isn't a square. Write a column letter and a row number."
NO_NUMBER = "isn't a whole number. Use only the digits 0 to 9."


def square(text: str) -> Square:
    """On a board of 6 columns and 12 rows."""
    return Square.parse(text, 6, 12)


def squares(text: str) -> tuple[Square, ...]:
    return notation.parse_squares(text, 6, 12)


def segment(text: str) -> tuple[Square, Square]:
    return notation.parse_segment(text, 6, 12)


def square_and_number(text: str) -> tuple[Square, str]:
    return notation.parse_square_and_number(text, 6, 12)


READ: tuple[tuple[Callable[[str], object], object, tuple[str, ...]], ...] = (
    (square, C4, ("c4", "C4", "c 4", "c-4", "4c", "4C", " c4 ", "\tC 4\n", "c  4")),
    (square, Square(5, 11), ("f12", "12F", "f 12", "F-12")),
    (notation.parse_whole, 7, ("7", " 7 ", "7\n")),
    (notation.parse_whole, 0, ("0",)),
    (notation.parse_whole, 10**19 - 1, ("9" * 19,)),
    (notation.parse_wholes, (3, 5, 12), ("3 5 12", "3,5,12", "3, 5, 12", "3 ,5 , 12", " 3  5\t12 ")),
    (notation.parse_wholes, (5, 3, 5), ("5 3 5",)),
    (squares, (C4, Square(3, 4)), ("c4 d5", "C4,D5", "4c, d-5", "c 4 d 5", "c-4 , 5d", "c4,d 5", "c4\nd5")),
    (square_and_number, (C4, "2"), ("c4 2", "2 c4", "c4=2", "c4:2", "C4 = 2", "4c 2", "2 c 4", "2 4c", "c-4: 2")),
    (square_and_number, (C4, "least"), ("c4 least", "LEAST C4", "c4=Least")),
    (square_and_number, (C4, "12"), ("c 4 12", "12 c 4")),
    (segment, (C4, Square(2, 4)), ("c4-c5", "c4c5", "c4 c5", "c4–c5", "c4 > c5", "C4>C5", "4c-5c", "c 4 - c 5")),
    (segment, (Square(2, 4), C4), ("c5-c4", "5C 4C")),
    (notation.parse_pair, (2, 17), ("2-17", "17-2", "2 17", "17 2", "2–17", "17 > 2", " 2 - 17 ")),
    (notation.parse_pair, (0, 90), ("90-0",)),
)
FORMS = [(read, text, meant) for read, meant, texts in READ for text in texts]

REFUSED: tuple[tuple[Callable[[str], object], str, str], ...] = (
    (square, "", EMPTY),
    (square, " \t\n", EMPTY),
    (square, LONG, TOO_LONG),
    (square, "z9", "z9 is off the board. Its columns are a to f, its rows 1 to 12."),
    (square, "c13", "c13 is off the board. Its columns are a to f, its rows 1 to 12."),
    (square, "g1", "g1 is off the board. Its columns are a to f, its rows 1 to 12."),
    (square, "cc4", f"“cc4” {NO_SQUARE}"),
    (square, "c04", "“c04” isn't a square. Its row starts with a zero, and rows are 1 to 12."),
    (square, "c0", "“c0” isn't a square. Its row starts with a zero, and rows are 1 to 12."),
    (square, "c", f"“c” {NO_SQUARE}"),
    (square, "4", f"“4” {NO_SQUARE}"),
    (square, "c4.", f"“c4.” {NO_SQUARE}"),
    (square, "c٣", f"“c٣” {NO_SQUARE}"),
    (square, "c４", f"“c４” {NO_SQUARE}"),
    (square, "с4", f"“с4” {NO_SQUARE}"),  # a Cyrillic с
    (square, "c\n4", f"“c?4” {NO_SQUARE}"),
    (square, "@everyone", f"“@everyone” {NO_SQUARE}"),
    (square, "x" * 99, f"“{'x' * 60}…” {NO_SQUARE}"),
    (notation.parse_whole, "", f"“” {NO_NUMBER}"),
    (notation.parse_whole, "007", "“007” starts with a zero. Write 7."),
    (notation.parse_whole, "00", "“00” starts with a zero. Write 0."),
    (notation.parse_whole, "+7", f"“+7” {NO_NUMBER}"),
    (notation.parse_whole, "-7", f"“-7” {NO_NUMBER}"),
    (notation.parse_whole, "7.0", f"“7.0” {NO_NUMBER}"),
    (notation.parse_whole, "1_000", f"“1_000” {NO_NUMBER}"),
    (notation.parse_whole, "7 7", f"“7 7” {NO_NUMBER}"),
    (notation.parse_whole, "٣", f"“٣” {NO_NUMBER}"),
    (notation.parse_whole, "１２", f"“１２” {NO_NUMBER}"),
    (notation.parse_whole, "²", f"“²” {NO_NUMBER}"),
    (notation.parse_whole, "1" * 20, "That number has 20 digits. I read at most 19."),
    (notation.parse_whole, LONG, "That number has 5000 digits. I read at most 19."),
    (notation.parse_wholes, "", EMPTY),
    (notation.parse_wholes, "3,,5", "“3,,5” has one comma too many. Write one between two items."),
    (notation.parse_wholes, "3, ,5", "“3, ,5” has one comma too many. Write one between two items."),
    (notation.parse_wholes, "3,", "“3,” has one comma too many. Write one between two items."),
    (notation.parse_wholes, ",3", "“,3” has one comma too many. Write one between two items."),
    (notation.parse_wholes, "3;5", f"“3;5” {NO_NUMBER}"),
    (notation.parse_wholes, "3 x", f"“x” {NO_NUMBER}"),
    (squares, "c4,,d5", "“,d5” doesn't start with a square. Write squares with spaces between them."),
    (squares, "c4,", "“c4,” isn't a list of squares. Write spaces or single commas between them."),
    (squares, "c4d5", "“c4d5” isn't a list of squares. Write spaces or single commas between them."),
    (squares, "c4 z9", "z9 is off the board. Its columns are a to f, its rows 1 to 12."),
    (square_and_number, "c4", "“c4” isn't a square and a number."),
    (square_and_number, "2=c4", "“2=c4” isn't a square and a number."),
    (square_and_number, "c4 2 3", "“c4 2 3” isn't a square and a number."),
    (square_and_number, "z9 2", "z9 is off the board. Its columns are a to f, its rows 1 to 12."),
    (segment, "c4", "“c4” isn't a segment. Write the dot it starts from, then the dot it reaches."),
    (segment, "c4--c5", "“c4--c5” isn't a segment. Write the dot it starts from, then the dot it reaches."),
    (segment, "c4-c13", "c13 is off the board. Its columns are a to f, its rows 1 to 12."),
    (notation.parse_pair, "2", "“2” isn't a pair of numbers. Write two with a dash between them."),
    (notation.parse_pair, "2-7-9", "“2-7-9” isn't a pair of numbers. Write two with a dash between them."),
    (notation.parse_pair, "2--7", "“2--7” isn't a pair of numbers. Write two with a dash between them."),
    (notation.parse_pair, "02-7", "“02” starts with a zero. Write 2."),
    (notation.parse_pair, "a-7", f"“a” {NO_NUMBER}"),
)

READERS = (
    square,
    squares,
    segment,
    square_and_number,
    notation.parse_whole,
    notation.parse_wholes,
    notation.parse_pair,
    notation.split_items,
)


@pytest.mark.parametrize(("read", "text", "meant"), FORMS)
def test_read(read: Callable[[str], object], text: str, meant: object) -> None:
    assert read(text) == meant


@pytest.mark.parametrize(("read", "text", "sentence"), REFUSED, ids=lambda it: it[:12] if isinstance(it, str) else None)
def test_refused(read: Callable[[str], object], text: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(text)
    assert str(refusal.value) == sentence
    assert is_sentence(sentence)


@given(column=st.integers(0, 15), row=st.integers(0, 15))
def test_a_square_is_read_as_it_is_written(column: int, row: int) -> None:
    written = Square(column, row)
    assert Square.parse(str(written), 16, 16) == written
    assert Square.from_ordinal(written.ordinal(16), 16) == written


@given(st.text(st.sampled_from("acz059 ,-–>=:\n٣４Kİ@“") | st.characters(), max_size=12))
def test_whatever_is_typed_is_read_or_refused_by_a_sentence(text: str) -> None:
    for read in READERS:
        try:
            read(text)
        except Unreadable as refusal:
            assert is_sentence(str(refusal)), refusal


def test_only_ascii_letters_are_folded() -> None:
    assert notation.tidy(" C  4\t") == "c 4"
    assert notation.tidy("\u212a4") == "\u212a4"  # the Kelvin sign, which str.lower makes a k


def test_what_is_named_twice_is_refused() -> None:
    assert notation.expect_distinct((3, 5)) == (3, 5)
    with pytest.raises(Unreadable, match=r"^c4 is there twice. Name each only once\.$"):
        notation.expect_distinct((C4, Square(0, 0), C4))


def test_a_quotation_is_short_and_on_one_line() -> None:
    assert notation.quote(" two\nlines\u202e ") == "“two?lines?”"
    assert notation.quote("x" * 60) == f"“{'x' * 60}”"
    assert notation.join_items((C4, 7)) == "c4 7"
