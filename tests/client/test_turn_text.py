"""The text about a turn: the moves, how they changed the scores, and never a move that is still secret."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from itertools import islice

import pytest
from discord import ui

from bot.features.board import line_words, match_pictures, turn_words
from bot.features.board import views as board_views
from bot.features.board import words as board_words
from bot.features.challenges import words as challenges_words
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import make_two_legged
from bot.games.position import name_seats
from bot.games.reasons import list_reasons
from bot.play.ids import UserId
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.match import Match
from tests.contract.playing import few, playouts
from tests.gallery import usual
from tests.support.loaded_matches import FIRST, begun

GAMES = load_games()
LIST = tuple((place % 2 + 1, text) for place, text in enumerate(("8", "11", "60", "4", "6", "9")))
"""A list of Combining And Dividing Integers as two people build it."""
ANN, BEA = "<@1200000000000000001>", "<@1200000000000000002>"
MOST = 1600
"""Characters of all that is said of a turn; the rest of a message, at most 4000, is for seats and result."""


def said(key: str, seats: int, *moves: tuple[int, str], viewer: int | None = None, **options: int) -> str:
    """What stands below the board after these moves."""
    match = Match.start(GAMES[key], options, seats)
    for seat, move in moves:
        match = match.enter(seat, move)
    return turn_words.describe_last_turn(MatchView.of(begun(match), viewer))


@pytest.mark.parametrize(
    ("key", "moves", "told"),
    [
        ("sum-kind-of-game", ((1, "a1"),), f"{BEA}, place your 18."),
        ("dream-math", ((1, "a1"), (2, "a2")), f"{ANN}, place your 3."),
        ("divisor-over-sums", (), f"{ANN}, place your 1."),
        ("binary-primes", (), f"{ANN} is to move."),
    ],
)
def test_the_line_about_the_turn_says_which_number_is_placed(
    key: str, moves: tuple[tuple[int, str], ...], told: str
) -> None:
    match = Match.start(GAMES[key], {}, 2)
    for seat, move in moves:
        match = match.enter(seat, move)
    assert board_words.describe_status(MatchView.of(begun(match), None)).splitlines()[0] == told


def test_who_moves_again_is_named_once() -> None:
    match = Match.start(GAMES["cross-dont-cross"], {"chords": 2}, 2).play(1, "0-90")
    sight = MatchView.of(begun(match), None)
    (frame,) = board_views.build_board(sight, match_pictures.list_pictures(sight)).to_components()
    foot = [one["content"] for one in frame["components"] if one["type"] == 10][-1]
    assert foot.splitlines()[0] == f"{ANN} drew **chord 0-90** and is to move again."


def test_who_moves_again_is_named_once_also_where_scores_are_told() -> None:
    """One leg is over with a point, and the other one waits for the same player."""
    rng, match = random.Random(1), Match.start(make_two_legged(GAMES["binary-scramble"]), {}, 2)
    happened = foot = ""
    while not foot:
        seat = rng.choice(match.turn)
        match = match.play(seat, rng.choice([*islice(match.position.moves(seat), 20)]))
        sight = MatchView.of(begun(match), None)
        foot = turn_words.describe_moving_again(sight, happened := turn_words.describe_last_turn(sight))
    turn, _, changes = happened.removesuffix(".").partition(": ")
    changes, *_ = changes.split(".\n")
    assert "\xa0→\xa0" in changes and foot.splitlines()[0] in [
        f"{turn} ({changes}) and is to move in leg {leg}." for leg in (1, 2)
    ]


def test_the_first_points_are_told_like_all_others() -> None:
    ones = [(place % 2 + 1, digit) for place, digit in enumerate("11110100284")]
    assert said("binary-scramble", 2, *ones).splitlines()[0] == f"{ANN} flipped **digit 4**: +1\xa0→\xa01."


def test_the_move_the_scores_and_the_new_lines_of_the_working() -> None:
    moves = ((1, "b2"), (2, "a1"), (1, "c1"))
    first, *lines = said("binary-primes", 2, *moves, size=3).splitlines()
    assert first == f"{ANN} played **c1**: {BEA} has 3.9 times {ANN}'s product."
    assert lines and all(line.startswith("-# ") for line in lines)


def test_dozens_of_primes_that_come_and_go_are_counted() -> None:
    """In the column 1101 the mark in the middle makes 11 = 3 and 111 = 7 of 101 = 5 and its likes."""
    marks = ((1, "1"), (2, "3"), (1, "8"), (2, "2"))
    lines = said("another-binary-primes", 2, *marks, squares=8).splitlines()[1:]
    assert lines == [
        "-# from the top: 3 new, 1 gone",
        "-# from the bottom: 3 new, 1 gone",
    ]


@pytest.mark.parametrize(
    ("key", "moves", "told"),
    [
        ("dream-math", ((1, "a1"), (2, "b3")), f"{BEA} placed **2 at b3**."),
        ("sum-of-products", ((1, "c4 1"),), f"{ANN} wrote **1 at c4**."),
        ("palindromes-antipalindromes", ((1, "10 1"),), f"{ANN} wrote **1 at 10**."),
        ("flipping-bits", ((1, "3"),), f"{ANN} flipped **square 3**."),
        ("combining-dividing", (*LIST, (1, "add 2")), f"{ANN} added **11 + 60 = 71**."),
        ("combining-dividing", (*LIST, (1, "split 3 3 20")), f"{ANN} split **60 into 3 and 20**."),
    ],
)
def test_a_move_is_told_as_its_pad_says_it(key: str, moves: tuple[tuple[int, str], ...], told: str) -> None:
    assert said(key, 2, *moves).splitlines()[0] == told


def test_what_was_ready_is_told_in_the_same_words_with_what_it_earned_itself() -> None:
    before = Match.start(GAMES["dream-math"], {}, 2).enter(1, "a1").enter(2, "b2").enter(1, "a3")
    after = before.enter(2, "b3").enter(1, "c3")
    loaded = replace(begun(after, premove_plies=(5,)), before=before)
    assert (
        turn_words.describe_premoves(loaded, 4) == [f"{ANN} had **5 at c3** ready."]
        and turn_words.describe_premoves(loaded, 5) == []
    )
    assert turn_words.describe_last_turn(MatchView.of(loaded, None)).splitlines()[:2] == [
        f"{BEA} placed **4 at b3**: +7\xa0→\xa07, {ANN} +8\xa0→\xa08.",
        f"{ANN} had **5 at c3** ready: +4\xa0→\xa012.",
    ]
    told = next(
        line_words.iterate_wordings(MatchView.of(loaded, None), line_words.format_address, [UserId(FIRST + 1)], seen=3)
    )
    assert f"placed **4 at b3** (+7\xa0→\xa07, {ANN} +8\xa0→\xa08). " in told
    assert "had **5 at c3** ready (+4\xa0→\xa012)." in told


def test_what_was_taken_back_is_said_once_and_no_score_again() -> None:
    for moves in ((1, "b2"),), ((1, "b2"), (2, "a1"), (1, "c1")):
        before = match = Match.start(GAMES["binary-primes"], {"size": 3}, 2)
        for seat, move in (*moves, (moves[-1][0], "takeback")):
            before, match = match, match.enter(seat, move)
        sight = MatchView.of(replace(begun(match), before=before), None)
        said = f"{ANN} took back **{moves[-1][1]}**, and {BEA} agreed."
        assert turn_words.describe_last_turn(sight) == turn_words.describe_last_turn(sight, whole=True) == said


def test_a_players_own_last_move_is_told_in_words_whoever_moved_since() -> None:
    drawn = ((1, "curve a1 c1 c4 a4"), (2, "curve d4 d6 f6 f4"))
    own = ((1, "number 1 b1 cw"), (1, "fill 1 b3"), (1, "fill 1 b2"))
    told = [
        f"{ANN} wrote **2 at b2 in curve 1**.",
        "-# largest number in curve 1: 1 → 2 (+1)",
    ]
    for after in ((), ((2, "number 1 b1 cw"),)):
        text = said("within-the-curve", 2, *drawn, *own, *after, viewer=1, size=6)
        assert text.replace("\N{NO-BREAK SPACE}", " ").split("\n") == told
    undone = said("within-the-curve", 2, *drawn, *own, (1, "undo 1"), viewer=1, size=6)
    assert undone.startswith(f"{ANN} undid **2 at b2 in curve 1**.")


def test_no_line_is_broken_within_a_long_number() -> None:
    assert (
        turn_words.GROUPS.sub("_", "columns: 61 x 31 = 136 337 318, 2 100") == "columns: 61 x 31 = 136_337_318, 2_100"
    )


def test_several_moves_in_a_row_are_one_turn() -> None:
    chords = ((1, "0-90"), (1, "180-270"))
    assert said("cross-dont-cross", 2, *chords, chords=2) == f"{ANN} drew **chord 0-90** and **chord 180-270**."
    assert said("cross-dont-cross", 2, *chords, chords=3).splitlines()[1] == "-# segments count after 1 more chord"
    text = said("cross-dont-cross", 2, *chords, (2, "1-3"), (2, "2-4"), chords=2)
    assert text.splitlines()[0] == f"{BEA} drew **segment 1-3** and **segment 2-4**: +2\xa0→\xa02."


def test_the_end_of_a_round_says_what_it_gave_and_ends_a_turn() -> None:
    moves = ((1, "0-90"), (1, "180-270"), (2, "1-3"), (2, "2-4"), (2, "2-3"))
    assert said("cross-dont-cross", 2, *moves, chords=2).splitlines() == [
        f"{BEA} drew **segment 1-3**, **segment 2-4** and **segment 2-3**: +3\xa0→\xa03.",
    ]
    assert said("cross-dont-cross", 2, *moves, (2, "0-180"), chords=2).splitlines()[0] == f"{BEA} drew **chord 0-180**."


def over(key: str, *moves: str, **options: int) -> LoadedMatch:
    """A match of two that these moves end."""
    match = Match.start(GAMES[key], options, 2)
    for move in moves:
        match = match.enter(match.turn[0], move)
    return begun(match)


def test_a_result_says_why_somebody_won_where_no_score_does() -> None:
    won = over("combining-dividing", "2", "3", "5", "4", "split 4 2 2", length=4)
    why = f"With change 1, {ANN} split 4 into 2 and 2: only primes are left."
    assert board_words.describe_result(won) == f"{ANN} beat {BEA}. {why}"


def test_the_line_in_the_channel_names_the_game_before_it_says_why() -> None:
    moves = ["a1", "b1", "a2", "c2", "d1", "b2", "d2", "a4"]
    first, second = challenges_words.describe_outcome(over("palindromic-rows-columns", *moves, size=4)).splitlines()
    assert first.endswith(" · Palindromic Rows/Columns**")
    assert second == "-# Fewer flips win: the rows need 2, the columns 6."


def test_a_secret_match_says_nothing_of_scores_before_its_end() -> None:
    moves = ((1, "2 9 8 / 3 1 10 / 7 6 15"), (1, "done"))
    assert said("sums-grid", 2, *moves, size=3) == f"{ANN} has finished."
    over = said("sums-grid", 2, *moves, (2, "1 2 4 / 20 30 40 / 50 60 70"), (2, "done"), size=3)
    assert over.splitlines()[0] == f"{BEA} has finished." and len(over.splitlines()) > 2


CURVES = ((1, "curve a1 c1 c4 a4"), (2, "curve d4 d6 f6 f4"))
"""Both curves of an example of Within The Curve."""


def test_no_line_ends_within_a_row_of_a_grid() -> None:
    loaded = begun(Match.start(GAMES["sums-grid"], {"size": 2}, 2))
    told = "You played **grid\xa02\xa09\xa0/ 3\xa01**."
    assert turn_words.describe_own_move(loaded, "grid 2 9 / 3 1") == told


def test_ones_own_board_does_not_tell_again_what_the_answer_to_a_secret_move_says() -> None:
    match = Match.start(GAMES["within-the-curve"], {"size": 6}, 2)
    for seat, move in CURVES:
        match = match.enter(seat, move)

    def shown(match: Match, seat: int) -> str:
        view = board_views.build_board(MatchView.of(begun(match), seat), [], answers=True)
        return " ".join(one.content for one in view.walk_children() if isinstance(one, ui.TextDisplay))

    drawn = f"{BEA} has drawn a curve."
    assert drawn in shown(match, 1) and drawn not in shown(match, 2)
    assert "number 1" not in shown(match.enter(1, "number 1 b1 cw"), 1)


@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_details_of_secret_work_tell_how_everybodys_score_came_about(viewer: int | None) -> None:
    match = Match.start(GAMES["sums-grid"], {"size": 3}, 2)
    for seat, move in ((2, "2 9 8 / 3 1 10 / 7 6 15"), (2, "done"), (1, "1 2 4 / 20 30 40 / 50 60 70"), (1, "done")):
        match = match.enter(seat, move)
    assert turn_words.describe_last_turn(MatchView.of(begun(match), viewer), whole=True).splitlines() == [
        f"{ANN} has finished.",
        f"-# best grid, {ANN}: 1 to 4 are sums, 5 is missing (+4)",
        f"-# best grid, {BEA}: 1 to 19 are sums, 20 is missing, 19 = 2 + 9 + 8 (+19)",
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_what_is_said_of_a_turn_is_short_and_what_its_viewer_sees(game: Game) -> None:
    for match in few(game):
        for viewer in (None, *range(1, match.seats + 1)):
            sight = MatchView.of(begun(match), viewer)
            text = turn_words.describe_last_turn(sight)
            assert len(text) <= MOST
            lines = [line.removeprefix("-# ") for line in text.splitlines() if line.startswith("-# ")]
            seat, seen = sight.record[-1].seat if sight.record else None, (sight.before, sight.position)
            rows = turn_words.ROWS if match.seats <= 2 else turn_words.ROWS_OF_MANY
            reasons = list_reasons(game, seen[0], seen[1], seat, rows=rows) if seen[0] else []
            grouped = [turn_words.GROUPS.sub(board_words.NARROW, one.text) for one in reasons]
            public = [name_seats(line, partial(board_words.format_mention, sight.loaded)) for line in grouped]
            assert all(line in public for line in lines)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_game_says_whether_it_has_scores(game: Game) -> None:
    last = [played[-1] for played in playouts(game)]
    assert game.scored == any(any(match.scores) for match in last)
    for match in last:
        assert ("· **0**" in board_words.format_seats(MatchView.of(begun(match), None))) <= game.scored


def test_what_is_certain_is_said_where_somebody_is_to_move() -> None:
    match = usual(GAMES["cross-dont-cross"])[47]
    told = board_words.describe_status(MatchView.of(begun(match), None))
    assert told == f"{ANN} is to move. Segment 20 is one too many to win."
    rounds = Match.start(GAMES["flipping-bits"], {"squares": 7, "rounds": 2}, 2)
    for move in ("3", "7", "4", "2", "7", "3"):
        rounds = rounds.play(rounds.turn[0], move)
    assert "caught" not in board_words.describe_status(MatchView.of(begun(rounds), None)), "6 of 7 are not enough"


def test_a_prime_bonus_that_is_lost_is_said_beside_what_is_won() -> None:
    """The row 6 5 makes 5, a prime; with a 7 behind them it makes 5 + 5 = 10, which is none."""
    moves = ((1, "a1"), (2, "b1"), (1, "a2"), (2, "c1"), (1, "b3"), (2, "a3"), (1, "c3"))
    assert said("dream-math", 2, *moves[:4], size=3).splitlines()[1:] == [
        "-# row 1: 1 → 8 (+7), 1 + 2 = 3, a prime: 3 + 5 = 8",
    ]
    assert said("dream-math", 2, *moves, size=3).splitlines()[1:] == [
        "-# row 3 stays 10, prime bonus lost: 5 + 5 = 10",
    ]


def test_a_move_that_changes_nothing_says_why() -> None:
    assert said("sum-of-products", 2, (1, "c4 5")).splitlines()[1:] == [
        "-# row 4 stays 1: without a 1",
        "-# column c stays 1: without a 1",
    ]
    assert said("palindromes-antipalindromes", 2, (1, "10 1")).splitlines()[1:] == ["-# square 10 has no neighbour yet"]


def test_of_more_than_there_is_space_for_the_sum_is_told() -> None:
    game = GAMES["palindromes-antipalindromes"]
    match = Match.start(game, {"length": 8}, 2)
    for move in ("1 1", "2 0", "3 0", "5 0", "6 1", "7 1"):
        match = match.enter(match.turn[0], move)
    after = match.enter(match.turn[0], "4 1")
    told = [reason.text for reason in list_reasons(game, match.position, after.position, 1, most=1)]
    assert told == ["3 changes: palindromes +4, antipalindromes +14"]
