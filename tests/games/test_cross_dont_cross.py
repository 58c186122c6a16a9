"""Cross, Don't Cross: intersections and their numbers, what may be drawn, how rounds end, and a second referee."""

from __future__ import annotations

import random
from itertools import combinations, islice

import pytest

from bot.games.position import MoveError, Unreadable
from bot.play.match import Match
from bot.play.records import describe_position
from cogs.cross_dont_cross import GAME
from cogs.cross_dont_cross.crossings import Drawing
from cogs.cross_dont_cross.rules import CrossDontCross
from tests.contract.sentences import without_example
from tests.games.referees.cross_dont_cross import Referee
from tests.support.sampled import sampled

SQUARE = ((1, "0-180"), (1, "90-270"))
"""Two diameters: 1 at the top, 2 at the bottom, 3 in the centre, 4 at the right, 5 at the left."""
STAR = ((1, "0-180"), (1, "90-270"), (1, "45-135"))
"""The same with a chord at the right from 6 at 45 to 8 at 135, which crosses 90-270 at 7."""
TRIANGLE = ((1, "0-120"), (1, "120-240"), (1, "0-240"))


def begun(chords: int = 4, rounds: int = 2) -> Match:
    return Match.start(GAME, {"chords": chords, "rounds": rounds}, 2)


def after(match: Match, *moves: tuple[int, str]) -> Match:
    for seat, text in moves:
        match = match.enter(seat, text)
    return match


def board(match: Match) -> CrossDontCross:
    assert isinstance(match.position, CrossDontCross)
    return match.position


def places(match: Match) -> list[str]:
    """Where the intersections of this round lie, in the order of their numbers."""
    drawing = board(match).current_drawing
    return [drawing.describe_place(point) for point in drawing.points]


def crossed(where: list[str]) -> list[str]:
    """Of places on two lines the second one, which was there before."""
    return [place.partition(" and ")[2] or place for place in where]


def legal(match: Match) -> set[str]:
    (seat,) = match.turn
    return set(match.position.moves(seat))


def refusal(match: Match, seat: int, text: str) -> str:
    with pytest.raises(MoveError) as refused:
        match.enter(seat, text)
    return without_example(refused.value)


def drawn(*chords: tuple[int, int]) -> Drawing:
    drawing = Drawing()
    for chord in chords:
        drawing = drawing.with_chord(chord)
    return drawing


def inner(drawing: Drawing) -> int:
    return len(drawing.points) - len(drawing.ends)


# Intersections.


@pytest.mark.parametrize(("corners", "expected"), [(5, 5), (6, 13), (8, 49), (10, 161), (12, 301)])
def test_diagonals_of_regular_polygons_meet_where_they_should(corners: int, expected: int) -> None:
    assert inner(drawn(*combinations(range(0, 360, 360 // corners), 2))) == expected


def test_three_chords_meet_in_one_intersection_when_they_truly_do() -> None:
    assert inner(drawn((0, 180), (37, 217), (101, 281), (5, 185))) == 1
    # Elsewhere than in the centre.
    assert inner(drawn((0, 80), (20, 140), (40, 280))) == 1
    assert inner(drawn((0, 70), (10, 130), (20, 260))) == 1
    assert inner(drawn((0, 70), (10, 130), (20, 261))) == 3


def test_chords_that_almost_meet_in_one_point_do_not() -> None:
    # Their three crossings are less than 10^-9 of the radius apart, two of them less than 10^-10.
    drawing = drawn((0, 37), (15, 41), (32, 170))
    assert inner(drawing) == 3
    assert len({point.near for point in drawing.points}) == len(drawing.points)


def test_new_intersections_are_numbered_clockwise_from_the_top() -> None:
    match = after(begun(), (1, "234-0"), (1, "306-162"))
    assert places(match) == ["at 0", "at 234", "at 162", "on 3-5 and 1-2", "at 306"]
    assert places(after(match, (1, "162-252")))[5:] == ["on 3-7 and 1-2", "at 252"]


def test_the_top_itself_comes_first_and_just_before_it_last() -> None:
    assert places(after(begun(), (1, "359-0"))) == ["at 0", "at 359"]
    # The upper half of the diameter from 0 to 180 lies at 0, its lower half at 180.
    match = after(begun(6), (1, "350-10"), (1, "300-60"), (1, "100-260"), (1, "0-180"))
    assert crossed(places(match)[6:]) == ["3-4", "1-2", "at 0", "5-6", "at 180"]


def test_the_centre_comes_first_and_the_nearer_before_the_farther() -> None:
    match = after(begun(6), (1, "90-270"), (1, "30-330"), (1, "120-240"), (1, "60-300"), (1, "0-180"))
    assert crossed(places(match)[8:]) == ["1-2", "7-8", "3-4", "at 0", "5-6", "at 180"]


def test_ends_may_be_shared_and_make_one_intersection() -> None:
    assert places(after(begun(), (1, "0-90"), (1, "0-180"), (1, "90-180"))) == ["at 0", "at 90", "at 180"]


def test_a_segment_that_crosses_makes_an_intersection() -> None:
    match = after(begun(3), *STAR, (2, "1-6"), (2, "5-6"))
    assert places(match)[8:] == ["on 5-6 and 1-2"]
    assert "7-9" in legal(match) and "1-9" not in legal(match)
    # Segments cross segments, too.
    match = after(begun(2), (1, "0-90"), (1, "180-270"), (2, "1-3"), (2, "2-4"))
    assert places(match)[4:] == ["on 2-4 and 1-3"]


# What may be drawn.


def test_the_first_segment_crosses_nothing() -> None:
    assert legal(after(begun(2), *SQUARE)) == {"1-4", "1-5", "2-4", "2-5"}


def test_no_segment_lies_along_a_chord_or_is_drawn_twice() -> None:
    match = after(begun(3), *STAR)
    assert not {"1-2", "1-3", "2-3", "4-7", "5-7", "6-7", "6-8"} & legal(match)
    assert refusal(match, 2, "1-3") == ("1-3 would run along the chord 0-180. A segment can't lie on another line.")
    match = after(match, (2, "1-6"))
    assert refusal(match, 2, "6-1") == "The segment 1-6 is already there. Draw another one."


def test_the_second_segment_crosses_exactly_one() -> None:
    match = after(begun(3), *STAR, (2, "1-6"))
    assert legal(match) == {"1-4", "1-8", "2-4", "2-6", "5-6", "5-8"}
    assert refusal(match, 2, "2-8") == ("2-8 would cross no line, but segment 2 must cross exactly one.")


def test_touching_at_an_end_is_not_crossing() -> None:
    # 3-6 starts in the middle of both diameters and ends where 45-135 does.
    match = after(begun(3), *STAR, (2, "3-6"))
    assert places(match)[8:] == []
    # 1-7 ends in the middle of two chords and crosses 3-6, which alone counts.
    assert "1-7" in legal(match)


def test_a_segment_through_an_intersection_crosses_all_lines_there() -> None:
    match = after(begun(4), (1, "0-180"), (1, "90-270"), (1, "45-100"), (1, "200-225"))
    assert places(match)[2] == "on 4-5 and 1-2"
    names = {place: number for number, place in enumerate(places(match), 1)}
    through = f"{names['at 45']}-{names['at 225']}"
    crosses = f"{through} would cross the chord 0-180 and the chord 90-270, but segment"
    assert refusal(match, 2, through) == f"{crosses} 1 must cross none."
    match = after(match, (2, f"1-{names['at 45']}"))
    assert refusal(match, 2, through) == f"{crosses} 2 must cross exactly one."


def test_an_odd_segment_that_crosses_is_told_what() -> None:
    match = after(begun(3), *STAR)
    assert refusal(match, 2, "5-8") == "5-8 would cross the chord 0-180, but segment 1 must cross none."
    assert refusal(match, 2, "1-8") == "1-8 would cross the chord 90-270, but segment 1 must cross none."


def test_a_refusal_names_the_legal_segments_where_they_are_few() -> None:
    match = after(begun(2), (1, "0-90"), (1, "180-270"), (2, "1-3"))
    assert refusal(match, 2, "1-4") == (
        "1-4 would cross no line, but segment 2 must cross exactly one. You may draw 2-4."
    )


REFUSED = (
    ("90-90", "A chord joins two different points of the circle, so 90-90 isn't one."),
    ("0-360", "Degrees are whole numbers from 0 to 359, clockwise from the top, not 360."),
    ("180-0", "The chord 0-180 is already there. Draw another one."),
)


@pytest.mark.parametrize(("move", "sentence"), REFUSED)
def test_chords_that_are_refused(move: str, sentence: str) -> None:
    assert refusal(after(begun(), (1, "0-180")), 1, move) == sentence


@pytest.mark.parametrize("move", ["1-6", "0-3", "359-360"])
def test_there_must_be_such_an_intersection(move: str) -> None:
    assert refusal(after(begun(2), *SQUARE), 2, move).endswith(". The points are numbered 1 to 5.")


def test_a_segment_has_a_length() -> None:
    sentence = refusal(after(begun(2), *SQUARE), 2, "4-4")
    assert sentence == "A segment joins two different points, so 4-4 isn't one."


@pytest.mark.parametrize("text", ["90", "090", "00-90", "0-90-180", "0--90", "-90", "chord 0-90", "1e1-2"])
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        begun().position.read(1, text)


# Rounds.


def test_the_seats_change_roles_every_round() -> None:
    match = begun(2, 4)
    for defence in (1, 2, 1, 2):
        assert (match.turn, match.position.open_to(defence)) == ((defence,), True)
        match = after(match, (defence, "0-180"), (defence, "90-270"))
        assert (match.turn, match.position.open_to(3 - defence)) == ((3 - defence,), False)
        # With a side of the square drawn, no segment crosses exactly one.
        match = after(match, (3 - defence, "1-4"))
    assert (match.is_over, match.position.scores(), match.position.ranks()) == (True, (2, 2), (1, 1))
    assert match.position.working() == (
        "round 1: player 2 drew 1 segment",
        "round 2: player 1 drew 1 segment",
        "round 3: player 2 drew 1 segment",
        "round 4: player 1 drew 1 segment",
        "player 1: 1 + 1 = 2",
        "player 2: 1 + 1 = 2",
    )


def test_running_scores_count_every_segment() -> None:
    match = after(begun(3), *STAR, (2, "1-6"))
    assert (match.position.scores(), match.position.ranks()) == ((0, 1), None)
    assert match.position.working() == ("round 1: player 2 drew 1 segment", "player 1: 0", "player 2: 1")


def test_a_round_without_a_legal_segment_is_over_with_its_last_chord() -> None:
    match = after(begun(3), *TRIANGLE)
    assert (match.turn, match.position.open_to(2), match.position.scores()) == ((2,), True, (0, 0))
    match = after(match, *((2, text) for _, text in TRIANGLE))
    assert (match.is_over, match.position.ranks()) == (True, (1, 1))


def test_the_first_segment_may_be_the_last() -> None:
    match = after(begun(2), (1, "0-90"), (1, "180-270"))
    assert after(match, (2, "2-3")).turn == (2,) and after(match, (2, "2-3")).position.open_to(2)
    assert not after(match, (2, "1-3")).position.open_to(2)


def test_the_board_as_text() -> None:
    assert str(begun().position) == "round 1: player 1 drew no chord yet\nplayer 2 drew 0 segments"
    assert str(after(begun(3), *STAR, (2, "1-6"), (2, "5-6")).position).splitlines() == [
        "round 1: player 1 drew the chords 0-180 90-270 45-135",
        "1 at 0, 2 at 180, 3 on 4-5 and 1-2, 4 at 90, 5 at 270, 6 at 45, 7 on 6-8 and 4-5, 8 at 135, 9 on 5-6 and 1-2",
        "player 2 drew 2 segments: 1-6 5-6",
    ]


def test_the_fewest_segments_win() -> None:
    match = after(begun(3), *STAR, (2, "1-6"))
    while match.turn == (2,) and not match.position.open_to(2):
        match = match.play(2, min(legal(match)))
    match = after(match, *((2, text) for _, text in TRIANGLE))
    assert match.is_over and match.position.scores()[0] == 0 < match.position.scores()[1]
    assert match.position.ranks() == (1, 2)


def test_what_is_usual() -> None:
    assert Match.start(GAME, {}, 2).options.to_record() == {"chords": 4, "rounds": 2}


# Suggestions.


def offered(match: Match, typed: str, most: int = 50) -> list[tuple[str, str]]:
    (seat,) = match.turn
    return [(item.move, item.note) for item in islice(match.position.suggest(seat, typed), most)]


def test_only_legal_segments_are_offered() -> None:
    match = after(begun(3), *STAR, (2, "1-6"))
    starts = [move.partition("-")[0] for move, _ in offered(match, "")]
    assert starts == ["1", "2", "4", "5", "6", "8"]
    for start in starts:
        for move, note in offered(match, f"{start}-"):
            assert board(match).read(2, move) in legal(match) and note.startswith("crosses ")
    assert offered(match, "5-") == [("5-6", "crosses 1-2"), ("5-8", "crosses 1-2")]
    assert offered(match, "2-6") == [("2-6", "crosses 4-5")]
    assert offered(match, "3") == offered(match, "9-") == offered(match, "x") == []


def test_chords_are_offered_with_what_they_cross() -> None:
    match = after(begun(), (1, "0-180"))
    assert offered(match, "180") == [("180-1", "the bottom · an end of 0-180")]
    assert offered(match, "90-27") == [
        ("90-27", "crosses nothing"),
        ("90-270", "crosses 0-180"),
        *((f"90-{degree}", "crosses 0-180") for degree in range(271, 280)),
    ]
    assert offered(match, "0-180") == [] and offered(match, "400-") == []
    assert all(after(match, (1, move)) for move, _ in offered(match, ""))


# The second referee.


def agree(match: Match, referee: Referee, rng: random.Random, step: int) -> Match:
    """Play a match to its end under both referees."""
    while referee.to_move:
        (seat,) = referee.to_move
        seen = describe_position(match, legal=True)
        assert (seen["to_move"], seen["scores"]) == ([seat], referee.scores)
        assert seen["legal"] == {str(seat): referee.legal}
        if referee.legal is None:
            ends = sorted(rng.sample(range(0, 360, step), 2))
            if tuple(ends) in referee.chords:
                continue
            move = f"{ends[0]}-{ends[1]}"
        else:
            move = rng.choice(referee.legal)
        match = match.play(seat, move)
        referee.move(move)
    return match


@sampled(
    ("seed", "chords", "step"),
    [(1, 2, 1), (2, 3, 1), (3, 3, 30), (4, 4, 5), (5, 4, 36), (6, 4, 1), (9, 7, 30), (3, 8, 45)],
    few=3,
)
def test_whole_matches_agree_with_the_second_referee(seed: int, chords: int, step: int) -> None:
    match, referee = begun(chords), Referee(chords, 2)
    match = agree(match, referee, random.Random(seed), step)
    assert match.is_over and list(match.position.ranks() or ()) == referee.ranks
    for drawing in board(match).drawings:
        assert len(drawing.segments) <= (chords - 1) * (chords + 6)


def test_the_referees_agree_where_chords_almost_meet() -> None:
    match, referee = begun(3), Referee(3, 2)
    for move in ("0-37", "15-41", "32-170"):
        match = match.play(1, move)
        referee.move(move)
    assert agree(match, referee, random.Random(7), 40).is_over
