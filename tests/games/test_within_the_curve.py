"""Within The Curve: its curves, its numbers, its secrets, its ends, and whole matches against a second referee."""

from __future__ import annotations

import random

import pytest

from bot.games.notation import Square, parse_squares
from bot.games.position import MoveError, OutOfTurn, Unreadable
from bot.play.match import Match
from bot.play.records import describe_position
from cogs.within_the_curve import GAME
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import Curve
from tests.contract.sentences import without_example
from tests.games.referees import within_the_curve as second
from tests.games.referees.loops import random_corners
from tests.support.sampled import sampled

TALL = "curve a1 c1 c4 a4"
"""Around b2 and b3."""
SMALL = "curve d4 d6 f6 f4"
"""Around e5, drawn counterclockwise."""
WIDE = "curve a1 e1 e3 a3"
"""Around b2, c2 and d2."""


def begun(size: int = 6, seats: int = 2) -> Match:
    return Match.start(GAME, {"size": size}, seats)


def after(match: Match, *moves: tuple[int, str]) -> Match:
    for seat, text in moves:
        match = match.enter(seat, text)
    return match


def working(*moves: tuple[int, str]) -> Match:
    """Two seats whose curves are drawn: curve 1 is TALL, curve 2 SMALL."""
    return after(begun(), (1, TALL), (2, SMALL), *moves)


def board(match: Match) -> WithinTheCurve:
    assert isinstance(match.position, WithinTheCurve)
    return match.position


def drawn(text: str, size: int) -> Curve:
    return Curve.from_corners(parse_squares(text, size, size), size)


def refusal(match: Match, seat: int, text: str) -> str:
    with pytest.raises(MoveError) as refused:
        match.enter(seat, text)
    return without_example(refused.value)


def inside(curve: Curve) -> set[str]:
    return {str(Square.from_ordinal(square, curve.size)) for square in curve.interior}


# Curves.


def test_a_pocket_shut_off_by_squares_is_outside() -> None:
    hook = drawn("a1 i1 i4 g4 g3 c3 c7 g7 g5 i5 i9 a9", 9)
    assert not inside(hook) & {"d4", "e5", "f6"}
    assert {"b2", "h3", "h6", "b8", "h8"} <= inside(hook)
    # The ring from b2 to h8 has 24 squares, and the curve passes through h4 and h5.
    assert len(hook.interior) == 22


def test_a_curve_may_run_beside_itself() -> None:
    assert inside(drawn("a1 c1 c4 d4 d1 f1 f6 a6", 6)) == {"b2", "b3", "b4", "b5", "c5", "d5", "e5", "e4", "e3", "e2"}


@pytest.mark.parametrize("corners", ["a1 c1 c4 a4", "c4 a4 a1 c1", "a4 c4 c1 a1"])
def test_numbers_run_clockwise_however_the_curve_was_drawn(corners: str) -> None:
    curve = drawn(corners, 6)
    ring = [
        str(Square.from_ordinal(square, 6))
        for square in curve.squares_in_order(Square(1, 0).ordinal(6), clockwise=True)
    ]
    assert ring == ["b1", "c1", "c2", "c3", "c4", "b4", "a4", "a3", "a2", "a1"]
    back = [
        str(Square.from_ordinal(square, 6))
        for square in curve.squares_in_order(Square(1, 0).ordinal(6), clockwise=False)
    ]
    assert back == ["b1", *reversed(ring[1:])]


CURVES_REFUSED = (
    ("a1 c1 c3 d4", "c3 and d4 share neither a row nor a column, so no straight line joins them."),
    ("a1 c1 c3 b5", "c3 and b5 share neither a row nor a column, so no straight line joins them."),
    ("a1 b1 c1 c3 a3", "The curve runs straight on at b1. Name only the squares where it turns."),
    ("a2 a1 c1 c3 a3", "The curve runs straight on at a2. Name only the squares where it turns."),
    ("a1 e1 c1 c3 a3", "The curve turns back on itself at e1. It can't pass through a square twice."),
    ("a1 c1 c3 a3 a1", "a1 comes twice in a row. Name each corner once; the curve closes by itself."),
    ("a1 c1 c1 a3", "c1 comes twice in a row. Name each corner once; the curve closes by itself."),
    ("a1 c1", "A closed curve has at least 4 corners. This one has 2."),
    ("a1 d1 d3 b3 b1 c1 c4 a4", "The curve passes through b1 twice. Only once is allowed."),
    ("a1 c1 c2 a2", "The curve passes through only 6 squares. It needs at least 8."),
    ("a1 d1 d2 a2", "This curve has no square inside. Draw it wider."),
    ("a1 c1 c7 a7", "c7 is off the board. Its columns are a to f, its rows 1 to 6."),
)


@pytest.mark.parametrize(("corners", "sentence"), CURVES_REFUSED)
def test_refused_curves(corners: str, sentence: str) -> None:
    assert refusal(begun(), 1, f"curve {corners}") == sentence


# Numbers.


def test_a_number_must_be_coprime_to_its_neighbours() -> None:
    match = working((1, "number 1 b1 cw"), (1, "fill 1 b2"))
    sentence = "2 doesn't fit b3. 8 is next to it at a3, and 2 divides both."
    assert refusal(match, 1, "fill 1 b3") == sentence
    assert [move for move in match.position.moves(1) if move.startswith("fill")] == []


def test_numbers_inside_count_as_neighbours_too() -> None:
    match = after(begun(), (1, "curve a1 f1 f5 a5"), (2, SMALL), (1, "number 1 a1 cw"))
    # 2 in c3 has no number next to it, and 3 in e3 only 8 at f3; 4 in d3 has both next to it.
    match = after(match, (1, "fill 1 b4"), (1, "fill 1 c3"), (1, "fill 1 e3"))
    assert "4 doesn't fit d3. 2 is next to it at c3" in refusal(match, 1, "fill 1 d3")


NUMBERED = ((1, "number 1 b1 cw"), (1, "fill 1 b3"))

MOVES_REFUSED = (
    ("fill 1 b3", "b3 already holds 1. 2 goes into an empty square inside the curve."),
    ("fill 1 a1", "a1 is on the curve. 2 goes into an empty square inside it."),
    ("fill 1 f6", "f6 isn't inside the curve. 2 goes into an empty square inside it."),
    ("fill 2 e5", "This curve isn't numbered yet. Number it before you fill it."),
    ("fill 3 e5", "There is no curve 3. The curves are numbered 1 to 2."),
    ("fill 0 e5", "There is no curve 0. The curves are numbered 1 to 2."),
    ("fill 1 b2 b2", "b2 already holds 2. 3 goes into an empty square inside the curve."),
    ("number 1 b1 cw", "This curve is already numbered, from b1 cw. Undo that first to number it again."),
    ("number 2 e5 cw", "e5 isn't on the curve. Start on one of its squares."),
    ("undo 1 2", "You can't take back 2 numbers. The last one inside is 1."),
    ("undo 1 0", "You can't take back 0 numbers. Undo at least 1."),
    ("undo 2", "This curve isn't numbered yet, so there is nothing to undo."),
    ("done", "You aren't done yet. In curve 1, 2 still fits b2."),
    ("curve a1 c1 c3 a3", "All curves are drawn. Number them and fill them."),
)


@pytest.mark.parametrize(("move", "sentence"), MOVES_REFUSED)
def test_refusals_name_the_rule(move: str, sentence: str) -> None:
    assert refusal(working(*NUMBERED), 1, move) == sentence


def test_done_waits_until_every_curve_is_numbered() -> None:
    match = working((1, "number 1 b1 cw"), (1, "fill 1 b3 b2"))
    assert refusal(match, 1, "done") == "Curve 2 isn't numbered yet. Number every curve before you are done."
    match = after(match, (1, "number 2 d4 cw"), (1, "fill 2 e5"))
    assert list(match.position.moves(1)) == ["done"]
    assert match.play(1, "done").turn == (2,)


def test_nothing_is_worked_while_curves_are_drawn() -> None:
    match = begun().play(1, TALL)
    assert "The curves are still being drawn" in refusal(match, 2, "number 1 a1 cw")
    assert refusal(match, 1, SMALL) == "It isn't player 1's turn. Player 2 is to move."


def test_several_squares_are_filled_all_or_none() -> None:
    match = after(begun(), (1, WIDE), (2, SMALL), (1, "number 1 a1 cw"))
    assert match.play(1, "fill 1 d2 c2").position == after(match, (1, "fill 1 d2"), (1, "fill 1 c2")).position
    assert refusal(match, 1, "fill 1 d2 c2 b2").startswith("3 doesn't fit b2. 12 is next to it at a2")
    assert match.position.scores() == (0, 0)


def test_undoing() -> None:
    match = working((1, "number 1 b1 cw"), (1, "fill 1 b3 b2"))
    bare = working((1, "number 1 b1 cw")).position
    assert match.play(1, "undo 1 2").position == bare
    assert match.play(1, "undo 1").play(1, "undo 1 1").position == bare
    assert str(match.play(1, "undo 1 2").play(1, "undo 1").position) == str(working().position)
    assert refusal(match, 1, "undo 1 3") == "You can't take back 3 numbers. The last one inside is 2."
    assert "so you can't take back 2. Undo the numbering alone" in refusal(match.play(1, "undo 1 2"), 1, "undo 1 2")
    assert match.play(1, "undo 1 2").play(1, "undo 1").play(1, "number 1 a1 ccw").turn == (1, 2)


def test_each_seat_has_copies_of_its_own() -> None:
    match = working((1, "number 1 b1 cw"), (1, "fill 1 b3 b2"), (2, "number 1 a1 ccw"))
    assert match.position.scores() == (2, 0)
    assert "fill 1 b2" in set(match.position.moves(2))


# Notation.


READ = (
    ("CURVE A1, c1 c 4,4a", "curve a1 c1 c4 a4"),
    (" curve  a1 c-1 c4 a4 ", "curve a1 c1 c4 a4"),
    ("number 1 4C Clockwise", "number 1 c4 cw"),
    ("number 1 c 4 anticlockwise", "number 1 c4 ccw"),
    ("Number 1 c-4 COUNTERCLOCKWISE", "number 1 c4 ccw"),
    ("fill 1 b3,b2", "fill 1 b3 b2"),
    ("fill 1 b 3 , 2b", "fill 1 b3 b2"),
    ("undo 2 1", "undo 2"),
    ("UNDO 2 3", "undo 2 3"),
    ("Done", "done"),
)


@pytest.mark.parametrize(("text", "canonical"), READ)
def test_forgiving_forms(text: str, canonical: str) -> None:
    position = begun().position
    assert position.read(1, text) == canonical == position.read(1, canonical)


UNREAD = (
    "a1 c1 c4 a4",
    "curve",
    "curve a1,,c1 c4 a4",
    "curve a1c1c4a4",
    "curve a1 c1 c4 a04",
    "curve: a1 c1 c4 a4",
    "number 1 c4",
    "number c4 1 cw",
    "number 1 cw c4",
    "number 01 c4 cw",
    "number 1 c4 right",
    "1 number c4 cw",
    "fill 1",
    "fill c4 1",
    "fill +1 c4",
    "fill ١ c4",
    "fill 1 c4,,c5",
    "undo",
    "undo 1 2 3",
    "undo 1 -1",
    "undo 1 1_0",
    "undo 1 12345678901234567890",
    "done 1",
    "finished",
    "",
)


@pytest.mark.parametrize("text", UNREAD)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        begun().position.read(1, text)


# Secrets.


def test_curves_are_secret_until_the_last_is_drawn() -> None:
    one, other = begun(6, 3).play(1, TALL), begun(6, 3).play(1, WIDE)
    for viewer in 2, 3, None:
        assert one.position.seen_by(viewer) == other.position.seen_by(viewer)
        assert str(one.position.seen_by(viewer)) == "player 1 has drawn\nplayer 2 is drawing\nplayer 3 is drawing"
    assert one.position.seen_by(1) != other.position.seen_by(1)
    assert "# _ #" in str(one.position.seen_by(1))


def test_the_last_curve_uncovers_all() -> None:
    seen = board(working()).seen_by(None)
    assert all(seen.curves) and str(seen).count("# _ #") == 3


def test_fillings_are_secret_until_the_end() -> None:
    match = working((2, "number 1 b1 cw"), (2, "fill 1 b3 b2"))
    for viewer in 1, None:
        seen = match.position.seen_by(viewer)
        assert seen == working().position.seen_by(viewer)
        assert (seen.scores(), seen.turn, seen.ranks()) == ((0, 0), (1, 2), None)
        assert "(2)" not in str(seen) and "player 2 is playing" in seen.working()
    own = match.position.seen_by(2)
    assert own.scores() == (0, 2) and "(2)" in str(own) and "player 1 is playing" in own.working()


def test_who_is_done_is_known_and_its_score_is_not() -> None:
    match = working(*[(1, move) for move in ("number 1 b1 cw", "number 2 d4 cw", "fill 1 b3 b2", "fill 2 e5", "done")])
    assert (match.turn, match.position.scores()) == ((2,), (3, 0))
    seen = match.position.seen_by(2)
    assert (seen.turn, seen.scores()) == ((2,), (0, 0)) and "player 1 has finished" in str(seen)


def test_the_end_uncovers_all() -> None:
    match = working((2, "number 1 b1 cw"), (2, "fill 1 b3 b2"), (1, "resign"))
    seen = match.position.seen_by(None)
    assert seen.scores() == (0, 2) and "(2)" in str(seen)
    assert seen.working()[-1] == "player 2: 2 + 0 = 2"


def test_what_others_learn_of_a_move() -> None:
    match = working((1, "number 1 b1 cw"), (1, "fill 1 b3 b2"), (1, "undo 1"))
    assert [text for _, text in match.list_visible_entries(2)] == ["curve", SMALL]
    assert [text for _, text in match.list_visible_entries(1)] == [
        TALL,
        "curve",
        "number 1 b1 cw",
        "fill 1 b3 b2",
        "undo 1",
    ]
    assert GAME.veil(1, "done") == "done"


# Leaving and ending.


def test_who_leaves_before_drawing_leaves_no_curve() -> None:
    match = after(begun(6, 3), (1, TALL), (3, SMALL), (2, "timeout"))
    assert match.turn == (1, 3)
    assert not [move for move in match.position.moves(1) if move.startswith("number 2")]
    assert refusal(match, 1, "number 2 a1 cw") == "There is no curve 2. Player 2 left before drawing one."


def test_who_leaves_after_drawing_leaves_its_curve() -> None:
    match = after(begun(6, 3), (2, SMALL), (2, "resign"))
    assert match.turn == (1, 3)
    match = after(match, (1, TALL), (3, WIDE))
    assert match.turn == (1, 3) and match.play(1, "number 2 d4 cw").turn == (1, 3)


def test_nobody_leaves_twice_or_when_done() -> None:
    match = after(begun(6, 3), (2, "resign"), (1, SMALL), (3, SMALL))
    assert refusal(match, 2, "resign") == "Player 2 has already left the match."
    finish = [(1, text) for text in ("number 1 d4 cw", "fill 1 e5", "number 3 d4 cw", "fill 3 e5", "done")]
    match = after(match, *finish)
    with pytest.raises(OutOfTurn, match="Player 1 is done and can't leave any more."):
        match.withdraw(1, "timeout")
    assert match.withdraw(3).position.ranks() == (1, 3, 2)


def test_the_last_who_works_may_leave_and_the_others_are_ranked_by_score() -> None:
    match = after(begun(6, 3), (1, TALL), (2, SMALL), (3, SMALL))
    common = ("number 2 d4 cw", "fill 2 e5", "number 3 d4 cw", "fill 3 e5", "number 1 b1 cw")
    match = after(match, *((1, text) for text in (*common, "fill 1 b2", "done")))
    match = after(match, *((2, text) for text in (*common, "fill 1 b3 b2", "done")), (3, "number 1 b1 cw"))
    match = match.withdraw(3)
    assert (match.turn, match.position.scores(), match.position.ranks()) == ((), (3, 4, 0), (2, 1, 3))


# Alone.


def test_somebody_alone_fills_their_own_curve() -> None:
    match = after(begun(6, 1), (1, TALL))
    assert match.turn == (1,) and refusal(match, 1, "number 2 b1 cw").startswith("There is no curve 2")
    match = after(match, (1, "number 1 b1 cw"), (1, "fill 1 b3 b2"), (1, "done"))
    assert (match.turn, match.position.scores(), match.position.ranks()) == ((), (2,), (1,))
    assert match.position.working() == ("player 1, curve 1: largest number inside 2", "player 1: 2")


@pytest.mark.parametrize(
    ("moves", "score"), [((), 0), ((TALL,), 0), ((TALL, "number 1 b1 cw", "fill 1 b3", "undo 1", "fill 1 b3"), 1)]
)
def test_somebody_alone_who_leaves_ends_with_what_they_have(moves: tuple[str, ...], score: int) -> None:
    match = after(begun(6, 1), *((1, text) for text in moves), (1, "resign"))
    assert (match.turn, match.position.scores(), match.position.ranks()) == ((), (score,), (1,))
    assert match.position.seen_by(None).scores() == (score,)


def test_what_somebody_alone_drew_and_wrote_stays_hidden_but_for_the_score() -> None:
    fill = (1, "number 1 b1 cw"), (1, "fill 1 b3 b2")
    match, other = after(begun(6, 1), (1, TALL), *fill), after(begun(6, 1), (1, SMALL))
    assert match.position.seen_by(None) == other.position.seen_by(None)
    assert match.position.seen_by(None).scores() == (0,)
    match = match.play(1, "done")
    seen = match.position.seen_by(None)
    assert isinstance(seen, WithinTheCurve) and seen.curves == (None,)
    assert (seen.scores(), seen.ranks()) == ((2,), (1,))
    assert seen.working() == ("player 1 has finished: 2 is the largest number inside",) == (str(seen),)
    assert [text for _, text in match.list_visible_entries(None)] == ["curve", "done"]
    assert "(2)" in str(match.position.seen_by(1)) and "(2)" in str(match.position)


# Suggestions.


def suggested(match: Match, seat: int, typed: str) -> list[str]:
    return [move for move, _ in match.position.suggest(seat, typed)]


def test_a_curve_is_suggested_corner_by_corner() -> None:
    offered = dict(begun().position.suggest(1, "curve a1 c1 c4 a"))
    assert offered == {"curve a1 c1 c4 a4": "a whole curve: 10 squares around 2"}
    assert "curve a1 c1 c4 a4" in suggested(begun(), 1, "curve a1 c1 c4 a4 ")
    assert suggested(begun(), 1, "curve a1 q7 ") == suggested(begun(), 1, "fill ") == []


FLAWS = (
    ("a1 d1 d3 b3 b1 ", "The curve passes through b1 twice"),
    ("a1 d1 d3 b3 b1", "The curve passes through b1 twice"),
    ("a1 c1 d2", "c1 and d2 share neither a row nor a column, so no straight line joins them"),
    ("a1 c1 d1 d4 ", "The curve runs straight on at c1"),
    ("a1 c1 b1", "The curve turns back on itself at c1"),
    ("a1 c1 c1", "c1 comes twice in a row"),
)


@pytest.mark.parametrize(("typed", "note"), FLAWS)
def test_corners_that_lead_nowhere_are_answered_by_what_is_wrong(typed: str, note: str) -> None:
    assert list(begun().position.suggest(1, f"curve {typed}")) == [(f"curve {typed.strip()}", note)]


def test_before_a_curve_is_too_long_to_be_offered_the_note_says_so() -> None:
    short = "a1 b1 b2 c2 c3 d3 d4 e4 e5 f5 f6 g6 g7 h7 h8 i8"
    long = short + " i9 j9 j10 k10"
    assert "type on past 100" not in dict(begun(16).position.suggest(1, f"curve {short} ")).values()
    offered = begun(16).position.suggest(1, f"curve {long} ")
    assert ("curve " + long + " k16", "type on past 100") in list(offered)


def test_squares_to_fill_are_suggested_one_by_one() -> None:
    match = working((1, "number 1 b1 cw"))
    assert list(match.position.suggest(1, "fill 1 ")) == [("fill 1 b2", "1 is next"), ("fill 1 b3", "1 is next")]
    assert list(match.position.suggest(1, "fill 1 b3 ")) == [("fill 1 b3 b2", "ends with 2")]
    assert suggested(match, 1, "fill 1 b3 ") == ["fill 1 b3 b2"]
    assert suggested(match, 1, "fill 1 b2 b") == []


def test_what_can_be_taken_back_is_suggested() -> None:
    match = working((1, "number 1 b1 cw"), (1, "fill 1 b3 b2"), (1, "number 2 d4 cw"))
    assert suggested(match, 1, "undo") == ["undo 1 1", "undo 1 2", "undo 2 1"]


# Whole matches.


def random_move(rng: random.Random, referee: second.Referee, seat: int) -> str:
    """A legal move as a rule, now and then anything."""
    legal, which = referee.legal(seat), rng.choice(referee.seats)
    anywhere = second.name((rng.randrange(referee.size), rng.randrange(referee.size)))
    if rng.random() < 0.1:
        return rng.choice((f"fill {which} {anywhere}", f"number {which} {anywhere} cw", f"undo {which} 2", "done"))
    if legal is None:
        return "curve " + " ".join(second.name(at) for at in random_corners(rng, referee.size, rng.randrange(60)))
    return f"undo {which}" if rng.random() < 0.04 else rng.choice(legal)


def attempt(match: Match, referee: second.Referee, seat: int, move: str) -> Match:
    """The match after a move on which both referees agree, or the same match when both refuse it."""
    try:
        referee.move(seat, move)
    except second.Refused:
        refusal(match, seat, move)
        return match
    return match.enter(seat, move)


@sampled("seed", range(16), few=6)
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    size, seats = rng.choice((6, 7, 8)), rng.choice(GAME.seats)
    match, referee = begun(size, seats), second.Referee(size, seats)
    while referee.to_move:
        seen = describe_position(match, legal=True)
        assert (seen["to_move"], seen["scores"]) == (referee.to_move, referee.scores)
        assert seen["legal"] == {str(seat): referee.legal(seat) for seat in referee.to_move}
        seat = rng.choice(referee.to_move)
        move = "resign" if rng.random() < 0.003 else random_move(rng, referee, seat)
        match = attempt(match, referee, seat, move)
    last = match.position
    assert (list(last.scores()), list(last.ranks() or ())) == (referee.scores, referee.ranks)


def test_the_pictures_of_six_seats_fit_into_a_message() -> None:
    match = after(begun(seats=6), *((seat, "curve a1 c1 c3 a3") for seat in range(1, 7)))
    for seat in range(1, 7):
        while move := next(match.position.moves(seat), ""):
            match = match.enter(seat, move)
            if move == "done":
                break
    for viewer in (None, 1, 6):
        names = [picture.name for picture in GAME.pictures(board(match).seen_by(viewer))]
        assert names == [f"within-the-curve-all-{which}" for which in range(1, 7)]
