"""Moves as people write them, form by form: what is read, what is refused, and that refusals show a legal move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from bot.games import legs, reading
from bot.games.catalogue import load_games
from bot.games.position import MoveError, Unreadable
from bot.play.match import Match
from tests.contract.sentences import is_sentence


class Moment(NamedTuple):
    """A moment of a match: its game, its options, and the moves of its seats in turn so far."""

    key: str
    options: dict[str, Any]
    moves: Sequence[str] = ()
    seats: int = 2

    def match(self) -> Match:
        """The match at this moment."""
        match = Match.start(load_games()[self.key], self.options, self.seats)
        for move in self.moves:
            match = match.play(match.turn[0], move)
        return match


PRODUCTS = Moment("sum-of-products", {"size": 6})
SUMS = Moment("divisor-over-sums", {"size": 3})
FULL_SUMS = Moment("divisor-over-sums", {"size": 3}, tuple(f"{c}{r}" for r in "123" for c in "abc"))
FILLED = Moment("binary-primes", {"size": 5})
KIND = Moment("sum-kind-of-game", {"size": 4})
NUMBERS = Moment("not-divisors-not-multiples", {"size": 5}, ("c3 6",))
BUILT = Moment("binary-scramble", {"length": 4}, ("1", "0"))
SCRAMBLED = Moment("binary-scramble", {"length": 8}, tuple("10100110"))
BUILT_LIST = Moment("combining-dividing", {"length": 4}, ("3", "6"))
FULL_LIST = Moment("combining-dividing", {"length": 6}, ("3", "6", "10", "97", "5", "8"))
TWO_LEFT = Moment("combining-dividing", {"length": 4}, ("6", "6", "9", "14", "add 1", "add 1"))
ROW = Moment("palindromes-antipalindromes", {"length": 8})
WALK = Moment("divisors-multiples-sequence", {"r": 13})
GRID = Moment("sums-grid", {"size": 3})
SQUARES = Moment("flipping-bits", {"squares": 7})
COLUMN = Moment("another-binary-primes", {"squares": 17})
DOTS = Moment("plexus", {"size": 7})
LINES = Moment("polygons-permutation-grid", {"size": 5})
CHORDS = Moment("cross-dont-cross", {"chords": 2})
SEGMENTS = Moment("cross-dont-cross", {"chords": 2}, ("0-90", "180-270"))
UNDRAWN = Moment("within-the-curve", {"size": 6}, seats=1)
DRAWN = Moment("within-the-curve", {"size": 6}, ("curve a1 d1 d4 a4",), 1)
ONE = Moment("within-the-curve", {"size": 6}, ("curve a1 d1 d4 a4", "number 1 a1 cw"), 1)
WRITTEN = Moment("within-the-curve", {"size": 6}, ("curve a1 d1 d4 a4", "number 1 a1 cw", "fill 1 b2"), 1)

HIS_GRID = "grid 2 9 8 / 3 1 10 / 7 6 15"

READ: tuple[tuple[Moment, str, tuple[str, ...]], ...] = (
    # What keyboards put in place of ASCII, in every game alike.
    (FILLED, "c4", ("Ｃ４", "ｃ　４", "（c4）", "c4。", "“ｃ４”", "c‑4", "c\u200b4\ufeff", "c4️⃣")),
    (FILLED, "c4", ("\u2068c4\u2069", "c\u00ad4")),
    (PRODUCTS, "c4 2", ("c4. 2", "c4 ２", "c4，2", "c4。 2", "c4️⃣ 2️⃣", "c4：２", "＂c4 2＂", "「c4 2」", "c4＝2")),
    (PRODUCTS, "c4 2", ("2. c4",)),
    (PRODUCTS, "c4 2", ("c4. = 2", "write. c4 2", "c4 2\ufe0f", "c4、2", "c4\u200f 2\u200e", "c4\u3000\u00a0 2")),
    (DOTS, "d4-e4", ("d4. e4", "d4. - e4", "d4－e4", "d4➖e4", "d4〜e4", "d4ー e4", "d4 → e4️", "d4\u2060-e4", "d4￫e4")),
    (DOTS, "d4-e4", ("draw. d4 e4", "d4—e4", "d4⁃e4", "d4 ‐ e4.")),
    (WALK, "2 6", ("2. 6", "2️⃣ 6️⃣", "２、６", "2，６", "walk. 2. 6.")),
    (FULL_LIST, "split 3 2 5", ("split 3. 2. 5", "ｓｐｌｉｔ ３： ２＊５", "split 3 2・5")),
    (GRID, HIS_GRID, ("2 9 8. \n3 1 10. \n7 6 15", "２　９　８／３　１　１０／７　６　１５")),
    (GRID, HIS_GRID, ("grid. 2 9 8; 3 1 🔟; 7 6 15", "2. 9 8 / 3 1 10 / 7 6. 15")),
    (CHORDS, "30-120", ("30. 120", "３０°－１２０°", "30°. 120°")),
    (ONE, "fill 1 c3", ("fill 1. c3", "fill. c3", "ｆｉｌｌ　（ｃ，３）")),
    # Squares, what may stand around a move, and words in front of it.
    (FILLED, "c4", ("C4", "c 4", "c-4", "c–4", "4c", "c,4", "c, 4", "(c,4)", "( c 4 )", "(c4)", "[c4]", "{c4}")),
    (FILLED, "c4", ("“c4”", '"c4"', "'c4'", "«c4»", "`c4`", "```c4```", "*c4*", "**c4**", "**`c4`**.", '"c4."')),
    (FILLED, "c4", ("c4.", "c4!", "c4,", " c4 . ", "move c4", "Move: c4", "MOVE C4!", "fill c4", "Fill (c,4)")),
    (KIND, "b1", ("move b1", "place b1", "Place: b1")),
    (SUMS, "b2", ("place b2", "move b2")),
    (FULL_SUMS, "3", ("choose 3", "Choose: 3", "choose 3!", "(3)")),
    (COLUMN, "5", ("mark 5", "move 5", "Mark: 5.", "5,", "**5**")),
    (LINES, "c4", ("place c4", "move c 4", "(c,4)")),
    # A square and a number, either one first.
    (PRODUCTS, "c4 2", ("2 c4", "c4=2", "c4:2", "c4, 2", "c4,2", "2 in c4", "2 at c4", "2 on c4", "2 to c4")),
    (PRODUCTS, "c4 2", ("c4 -> 2", "c4→2", "2 → c4", "c4 @ 2", "2@c4", "c4; 2", "2=c4", "2, c4", "(c,4) 2", "(c,4)=2")),
    (PRODUCTS, "c4 2", ("c,4,2", "c, 4, 2", "2 (c,4)", "move c4 2", "write 2 in c4", "Write: c4 2.", "4c 2", "`c4 2`")),
    (NUMBERS, "c2 2", ("c2=2", "2 in c2", "move c2, 2", "c2: least", "least in c2", "write 2 at c2", "c2 -> 2")),
    # A position and a digit, in this order.
    (ROW, "5 1", ("5=1", "5:1", "5, 1", "5,1", "5 -> 1", "5 = 1", "move 5 1", "write 5: 1", "(5, 1)", "5;1", "5 @ 1")),
    # Ends, with all that may be between them.
    (DOTS, "d4-e4", ("d4e4", "d4 e4", "d4 > e4", "d4–e4", "d4 — e4", "d4 → e4", "d4->e4", "d4 --> e4", "d4 to e4")),
    (DOTS, "d4-e4", ("d4−e4", "d4‑e4", "d4 ⇒ e4", "d4 ➡️ e4", "d4 => e4", "d4, e4", "move d4-e4", "draw d4 to e4")),
    (DOTS, "d4-e4", ("(d,4) (e,4)", "(d,4)-(e,4)", "(d4)–(e4)", "draw: d4 - e4!")),
    (CHORDS, "30-120", ("120-30", "30 120", "30°-120°", "30° to 120°", "120° → 30°", "30–120", "30, 120", "30 > 120")),
    (CHORDS, "30-120", ("chord 30-120", "Chord: 30° – 120°", "chord 120 to 30", "30 — 120")),
    (SEGMENTS, "1-3", ("3-1", "1 to 3", "1→3", "segment 1-3", "Segment: 3 – 1", "1, 3", "1 > 3")),
    # Lists.
    (WALK, "2 6", ("walk 2 6", "Walk: 2, 6", "2,6", "2 -> 6", "2 → 6", "2 to 6", "2;6", "2 6.", "move 2 6")),
    (SQUARES, "4", ("flip 4", "Flip: 4", "4!", "flip (4)")),
    (SQUARES, "1 4", ("4 1", "flip 1, 4", "4,1", "flip 4 1.")),
    # The whole list as it stands after the move.
    (BUILT, "1", ("append 1", "Append: 1", "write 1", "101", "1 0 1", "1, 0, 1", "append 101", "“1”")),
    (SCRAMBLED, "3", ("flip 3", "Flip: 3", "10000110", "1 0 0 0 0 1 1 0", "1,0,0,0,0,1,1,0", "flip 10000110", "3!")),
    (SQUARES, "2", ("1110101", "1 1 1 0 1 0 1", "flip 1110101", "1,1,1,0,1,0,1", "1110101.")),
    (BUILT_LIST, "5", ("append 5", "3 6 5", "3, 6, 5", "append 3 6 5", "write 5", "5.")),
    (FULL_LIST, "split 3 2 5", ("3 split 2 5", "split 3: 2*5", "split 3 2×5", "split 3 2·5", "split 3 2x5")),
    (FULL_LIST, "split 3 2 5", ("split 3, 2, 5", "split 3 2 × 5", "split: 3 2 5", "Split 3 = 2 x 5")),
    (FULL_LIST, "split 3 2 5", ("split 3 -> 2·5", "3 6 2 5 97 5 8", "3, 6, 2, 5, 97, 5, 8", "split 3 in 2 5")),
    (FULL_LIST, "add 5", ("5 add", "5 +", "5+", "add: 5", "ADD 5!", "3 6 10 97 13")),
    (TWO_LEFT, "add 1", ("35", "1 +")),
    # Grids.
    (GRID, HIS_GRID, ("2 9 8 / 3 1 10 / 7 6 15", "grid: 2 9 8 / 3 1 10 / 7 6 15", "grid 2 9 8; 3 1 10; 7 6 15")),
    (GRID, HIS_GRID, ("2 9 8\n3 1 10\n7 6 15", "2 9 8\n\n3 1 10\n\n7 6 15\n", "grid:\n2 9 8\n3 1 10\n7 6 15")),
    (GRID, HIS_GRID, ("2 9 8 / 3 1 10 / 7 6 15 /", "02 09 08 / 03 01 10 / 07 06 15", "2 9 8 3 1 10 7 6 15")),
    (GRID, HIS_GRID, ("2, 9, 8 / 3, 1, 10 / 7, 6, 15", "2 9 8 /\n3 1 10 /\n7 6 15", "submit 2 9 8 / 3 1 10 / 7 6 15")),
    (GRID, HIS_GRID, ("submit grid 2 9 8 / 3 1 10 / 7 6 15", "```\n2 9 8\n3 1 10\n7 6 15\n```")),
    # The five moves of the game with curves.
    (UNDRAWN, "curve a1 d1 d4 a4", ("curve: a1, d1, d4, a4", "curve a1 -> d1 -> d4 -> a4", "draw a1 d1 d4 a4")),
    (DRAWN, "number 1 a1 cw", ("number 1: a1 clockwise", "Number 1, a1, CW", "number 1 (a,1) cw")),
    (DRAWN, "number 1 b1 ccw", ("number 1 b1 counterclockwise", "number 1 at b1 anti-clockwise")),
    (DRAWN, "number 1 b1 ccw", ("number 1 b1 counter-clockwise", "number 1 b1 Counter-Clockwise")),
    (DRAWN, "number 1 b1 ccw", ("number 1 b1 Anticlockwise", "number 1: b 1, counter–clockwise")),
    (ONE, "fill 1 c3", ("fill 1: c3", "fill c3", "fill c 3", "fill 3c", "Fill: c3.", "fill (c,3)", "fill 1, c3")),
    (ONE, "fill 1 c3 b3", ("fill c3 b3", "fill c3, b3", "fill 1: c3 b3", "fill 1 c3 -> b3")),
    (ONE, "undo 1", ("undo", "Undo!", "undo 1", "undo: 1", "undo 1 1")),
    (WRITTEN, "undo 1", ("undo", "undo 1, 1")),
)  # fmt: skip
FORMS = [(moment, text, move) for moment, move, texts in READ for text in (move, *texts)]

REFUSED: tuple[tuple[Moment, tuple[str, ...]], ...] = (
    (FILLED, ("", "z9", "cc4", "c04", "c4 d5", "flip c4", "choose c4", "c4..", "c4?", "= c4", "c4 in", "move", "x c4")),
    (PRODUCTS, ("c4", "c4 - 2", "c4==2", "c4 2 3", "c4,,2", "c4 007", "c4 +2", "c4 2.0", "c4.2", "in c4 2")),
    (PRODUCTS, ("c4 2²", "c4 ½", "c4 ②", "(c4) 2 (3)", "c4 (2) (3)")),
    (NUMBERS, ("c2 1_000", "c2 ٣", "c2", "c2 = = 2")),
    (ROW, ("1=5", "0 at 5", "5-1", "5", "5 1 1", "5 2", "append 5 1")),
    (DOTS, ("d4", "d4--e4", "d4e4f4", "d4 d4 e4")),
    (CHORDS, ("30", "30--120", "360-1", "-30-120", "segment 30-120", "30° 120° 150°", "chord")),
    (SEGMENTS, ("chord 1-3", "1-3-5", "1")),
    (WALK, ("2,,6", "2-6", "walk", "flip 2", "2 6,,", "2 +6")),
    (BUILT, ("flip 1", "2", "111", "10", "1011", "01")),
    (SCRAMBLED, ("append 1", "9", "10100110", "1010011", "00000000", "1 0 1")),
    (SQUARES, ("1010101", "0000000", "append 1", "1 1", "8")),
    (BUILT_LIST, ("3 6", "4 6 5", "3 6 5 1", "split", "flip 2")),
    (FULL_LIST, ("3 6 10 97 5", "append 7", "split 3 2,,5", "split 3", "3 6 10 97 5 8", "5 + 3", "split 3 2 5 x")),
    (GRID, ("2 9 8 / 3 1 10 / 7 6", "2 9 8 // 3 1 10 / 7 6 15", "/ 2 9 8 / 3 1 10 / 7 6 15", "grid", "done 3")),
    (DRAWN, ("number 1 a1 up", "number 1 cw a1", "fill", "draw a1 d1 d4 a4", "nothing")),
    (ONE, ("undo c3", "fill 1", "fill c3 c3 1", "fill 2 c3", "c3")),
)  # fmt: skip
NOT_READ = [(moment, text) for moment, texts in REFUSED for text in texts]


def named(value: object) -> str | None:
    """What a case is called in a report."""
    return value.key if isinstance(value, Moment) else None


@pytest.mark.parametrize(("moment", "text", "move"), FORMS, ids=named)
def test_a_move_in_another_form_is_the_same_move(moment: Moment, text: str, move: str) -> None:
    match = moment.match()
    assert reading.read_move(match.game, match.position, match.turn[0], text) == move


@pytest.mark.parametrize(("moment", "text"), NOT_READ, ids=named)
def test_what_is_no_move_is_refused_by_a_sentence(moment: Moment, text: str) -> None:
    match = moment.match()
    with pytest.raises(MoveError) as refusal:
        match.play(match.turn[0], text)
    assert is_sentence(str(refusal.value)), refusal.value


FOREIGN: tuple[tuple[Moment, str, str], ...] = (
    (FILLED, "В2", "В is a Cyrillic letter. Write a Latin B. "),
    (FILLED, "с4", "с is a Cyrillic letter. Write a Latin c. "),
    (FILLED, "Β2", "Β is a Greek letter. Write a Latin B. "),
    (FILLED, "ж4", "ж is a Cyrillic letter. Write Latin letters. "),
    (FILLED, "c٣", "٣ is an Arabic digit. Write 3. "),
    (FILLED, "c۴", "۴ is a Persian digit. Write 4. "),
    (FILLED, "c४", "४ is a Devanagari digit. Write 4. "),
    (FILLED, "c𝟒", "𝟒 is a mathematical digit. Write 4. "),
    (FILLED, "c二", "二 is a Chinese character. Write Latin letters and the digits 0 to 9. "),
    (WALK, "walk 2 ٦", "٦ is an Arabic digit. Write 6. "),
    (PRODUCTS, "(с4) 2", "с is a Cyrillic letter. Write a Latin c. "),
)


@pytest.mark.parametrize(("moment", "text", "sentence"), FOREIGN, ids=named)
def test_a_letter_or_a_digit_of_another_script_is_named(moment: Moment, text: str, sentence: str) -> None:
    match = moment.match()
    with pytest.raises(Unreadable) as refusal:
        match.play(match.turn[0], text)
    said, _, shown = str(refusal.value).partition("You could write ")
    assert said == sentence
    assert match.play(match.turn[0], shown.removesuffix("."))


BRACKETS = ((WALK, "2 (4)"), (SQUARES, "1 (3)"), (PRODUCTS, "c4 (2) 3"), (PRODUCTS, "c4 2 (3)"), (FILLED, "c4 (d5)"),
            (FILLED, "(c4) d5"), (CHORDS, "30-120 (90)"), (ROW, "5 1 (0)"), (FULL_LIST, "split 3 2 5 (1)"),
            (FULL_LIST, "add 5 (note)"), (GRID, "2 9 8 / 3 1 10 / 7 6 15 (19)"), (BUILT, "1 (0)"), (COLUMN, "5 [6]"),
            (ONE, "fill 1 c3 (b3) x"), (DOTS, "d4-e4 <e5>"), (SUMS, "()"), (LINES, "c4 (a1)"))  # fmt: skip


@pytest.mark.parametrize(("moment", "text"), BRACKETS, ids=named)
def test_what_stands_in_brackets_is_never_dropped_and_the_refusal_quotes_all_of_it(moment: Moment, text: str) -> None:
    match = moment.match()
    with pytest.raises(Unreadable) as refusal:
        match.play(match.turn[0], text)
    assert f"“{text}”" in str(refusal.value)


@pytest.mark.parametrize("moment", [moment for moment, *_ in REFUSED], ids=named)
def test_a_refusal_shows_a_move_that_is_legal_on_this_board(moment: Moment) -> None:
    match = moment.match()
    with pytest.raises(Unreadable) as refusal:
        match.play(match.turn[0], "nonsense")
    shown = str(refusal.value).rpartition("You could write ")[2].removesuffix(".")
    assert match.play(match.turn[0], shown)


def test_in_two_legs_the_leg_stands_in_front_of_any_form() -> None:
    match = Match.start(legs.make_two_legged(load_games()["plexus"]), {"size": 7}, 2)
    match = match.play(1, "leg 1: draw d4 → e4")
    assert match.record[-1].text == "1: d4-e4"
    assert match.play(2, "**2: d4 to e4**").record[-1].text == "2: d4-e4"
    with pytest.raises(Unreadable, match=r"^Leg 2: .* You could write 2: [a-g][1-7]-[a-g][1-7]\.$"):
        match.play(2, "2: nonsense")


def test_white_space_is_folded_wherever_a_move_is_read() -> None:
    match = PRODUCTS.match()
    typed_text = "\n\u00a0a1\r\n\t3\u2028"
    assert match.play(1, typed_text).record == match.enter(1, typed_text).record == match.enter(1, "a1 3").record


def test_the_four_words_of_a_record_are_read_as_keyboards_write_them() -> None:
    match = FILLED.match()
    assert match.enter(1, "Ｒｅｓｉｇｎ\u200b").record == match.enter(1, "resign").record


@pytest.mark.parametrize("name", sorted(load_games()))
def test_every_game_reads_what_keyboards_write(name: str) -> None:
    """Any legal move in full-width signs, with marks of no width within, odd spaces, dashes and quotes."""
    game = load_games()[name]
    match = Match.start(game, {}, max(2, game.seats[0]) if 2 in game.seats else game.seats[0])
    seat = match.turn[0]
    move = match.position.find_example_move(seat)
    wide = "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else "\u3000" for one in move)
    keys = "".join(f"{one}\ufe0f\u20e3" if one.isdigit() else one for one in move)
    unseen = "\u200b".join(move), f"\ufeff\u2067{move}\u2069"
    texts = (
        wide,
        keys,
        *unseen,
        f"‘{move}’",
        f"『{move}』。",
        move.replace("-", "—"),
        move.replace(" ", " \u2009\u00a0"),
    )
    for text in texts:
        assert match.play(seat, text).record == match.play(seat, move).record, text


def test_a_part_of_a_move_may_end_as_a_phone_ends_it_where_another_follows() -> None:
    plexus, products = load_games()["plexus"].moves[0], load_games()["sum-of-products"].moves[0]
    assert plexus.write({"from": "d3.", "to": "d2"}) == "d3-d2"
    assert products.write({"square": "c4.", "number": "2"}) == "c4 2"
    assert products.write_up_to({"square": "c4.", "number": "2"}, "number") == "c4 2"
    # All else is left to the reader of the line.
    assert products.write({"square": "c4", "number": "2 (3)"}) == "c4 2 (3)"
    assert products.write({"square": "c4", "number": "2,,"}) == "c4 2,,"
