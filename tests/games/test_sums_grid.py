"""Sums Grid: its sums, its notation, its secrets, its ends, and whole matches against a second referee."""

from __future__ import annotations

import json
import random
from itertools import permutations
from pathlib import Path

import pytest

from bot.games.position import MoveError, OutOfTurn, Unreadable
from bot.play.match import Match
from bot.play.records import describe_position
from cogs import sums_grid
from cogs.sums_grid import GAME
from cogs.sums_grid.rules import PAR, Grid, SumsGrid, SumsGridOptions, find_reach, find_sums, format_sum, list_runs
from tests.contract.sentences import without_example
from tests.games.referees import sums_grid as second

HIS = "grid 2 9 8 / 3 1 10 / 7 6 15"
"""The inventor's grid, which reaches 19."""
TOP = "grid 3 16 2 / 5 4 11 / 17 6 1"
"""Reaches 26."""
PLAIN = "grid 1 2 3 / 4 5 6 / 7 8 9"
"""Reaches 9."""
NONE = "grid 2 3 4 / 5 6 7 / 8 9 10"
"""Has no 1."""


def begun(seats: int = 2, size: int = 3, diagonals: str = "no") -> Match[SumsGrid, SumsGridOptions]:
    return Match.start(GAME, {"size": size, "diagonals": diagonals}, seats)


def after(match: Match, *moves: tuple[int, str]) -> Match:
    for seat, text in moves:
        match = match.enter(seat, text)
    return match


def board(match: Match) -> SumsGrid:
    assert isinstance(match.position, SumsGrid)
    return match.position


def numbers(text: str, diagonals: bool = False) -> Grid:
    return Grid(tuple(int(word) for word in text.split() if word.isdigit()), diagonals)


def refusal(match: Match, seat: int, text: str) -> str:
    with pytest.raises(MoveError) as refused:
        match.enter(seat, text)
    return without_example(refused.value)


# Sums.


def test_the_inventors_grid() -> None:
    made = find_sums(numbers(HIS))
    assert sorted(made) == [*range(1, 20), 21, 25, 28, 33]
    assert find_reach(numbers(HIS)) == 19
    assert format_sum(numbers(HIS), made[19]) == "2 + 9 + 8"
    assert format_sum(numbers(HIS), made[16], "+") == "9+1+6"


def test_only_consecutive_squares_of_a_line_add_up() -> None:
    # 1, 10 and 100 in the corners of a row and a column: no sum skips a square, turns a corner or runs diagonally.
    grid = numbers("1 1000 10 / 2000 4000 5000 / 100 6000 7000")
    assert not {11, 101, 110, 4001, 7001} & set(find_sums(grid))
    assert {1001, 1011, 2001, 2101} <= set(find_sums(grid))


def test_with_diagonals_any_of_them_adds_up_long_or_short_in_either_direction() -> None:
    # 1, 10 and 100 fall from the left, 1000, 10 and 4000 rise; of the short ones 20 and 200 fall, 20 and 2000 rise.
    grid = numbers("1 20 1000 / 2000 10 200 / 4000 300 100", diagonals=True)
    assert {11, 110, 111, 1010, 4010, 5010, 220, 2300, 2020, 500} <= set(find_sums(grid))
    # None of them skips a square or turns a corner.
    assert not {101, 1001, 5000, 1020 + 10} & set(find_sums(grid))
    assert find_reach(numbers("1 4 / 5 2", diagonals=True)) == 7 and find_reach(numbers("1 4 / 5 2")) == 2


@pytest.mark.parametrize(
    ("size", "diagonals", "most"),
    [
        *((2, False, 8), (3, False, 27), (4, False, 64), (5, False, 125)),
        *((2, True, 10), (3, True, 37), (4, True, 92), (5, True, 185)),
    ],
)
def test_how_many_runs_there_are(size: int, diagonals: bool, most: int) -> None:
    found = list_runs(size, diagonals)
    assert len(found) == len(set(found)) == most
    assert [len(run) for run in found] == sorted(len(run) for run in found)


def test_the_par_of_the_smallest_grid_is_perfect() -> None:
    best = max(find_reach(Grid(grid)) for grid in permutations(range(1, 9), 4))
    assert best == PAR[2] == len(list_runs(2))


def test_sums_with_an_empty_grid() -> None:
    assert (find_reach(Grid()), dict(find_sums(Grid())), Grid().rows, str(Grid()), bool(Grid())) == (
        0,
        {},
        (),
        "",
        False,
    )


@pytest.mark.parametrize(("text", "score"), [(HIS, 19), (TOP, 26), (PLAIN, 9), (NONE, 0)])
def test_the_score_is_the_reach_without_a_gap(text: str, score: int) -> None:
    assert begun().play(1, text).position.scores() == (score, 0)


def test_the_best_grid_counts() -> None:
    match = after(begun(), (1, HIS), (1, PLAIN))
    assert match.position.scores() == (19, 0)
    assert (board(match).sheets[0].best, board(match).sheets[0].latest) == (numbers(HIS), numbers(PLAIN))
    assert match.play(1, TOP).position.scores() == (26, 0)
    equal = after(match, (1, "grid 7 6 15 / 3 1 10 / 2 9 8"))
    assert board(equal).sheets[0].best == numbers(HIS)
    assert match.play(1, "done").position.scores() == (19, 0)


def test_a_grid_that_scores_nothing_is_a_grid() -> None:
    match = begun().play(1, NONE)
    assert match.position.scores() == (0, 0) and board(match).sheets[0].best == numbers(NONE)
    assert match.play(1, "done").turn == (2,)


# Refusals.


REFUSED = (
    ("done", "You have no grid yet. Hand one in first, then you can be done."),
    ("done now", "Write done alone, without “now”."),
    ("grid 1 2 / 3 4", "The grid needs 3 rows of 3 numbers. This one has 2 rows of 2 numbers."),
    ("grid 1 2 3", "The grid needs 3 rows of 3 numbers. This one has 1 row of 3 numbers."),
    ("5", "The grid needs 3 rows of 3 numbers. This one has 1 row of 1 number."),
    ("1 2 3 / 4 5 / 6 7 8", "All rows of a grid are equally long, but row 1 has 3 numbers and row 2 has 2 numbers."),
    (
        "1 2 3 / 4 5 6 / 7 8 9 1",
        "All rows of a grid are equally long, but row 1 has 3 numbers and row 3 has 4 numbers.",
    ),
    ("1 2 3 / 4 5 6 / 7 8 1", "1 is there twice, in rows 1 and 3. All 9 numbers of a grid must be different."),
    ("1 2 3 / 4 4 6 / 7 8 9", "4 is there twice, in row 2. All 9 numbers of a grid must be different."),
    ("1 2 3 / 4 5 6 / 7 8 10000", "10000 is out of bounds. The numbers of a grid are 1 to 9999."),
    ("0 2 3 / 4 5 6 / 7 8 9", "0 is out of bounds. The numbers of a grid are 1 to 9999."),
    ("1 2 3 / 4 5 6 / 7 8 -9", "“-9” isn't a whole number. Use only the digits 0 to 9."),
    ("1,,2 3 / 4 5 6 / 7 8 9", "“1,,2 3” has one comma too many. Write one between two items."),
    ("grid", "The numbers are missing. Write them row by row."),
    ("hello", "“hello” isn't a grid. Write numbers row by row, or write done."),
    ("grid grid 1 2 3", "The word grid is there twice. Write it once, or leave it out."),
    (
        "1 2 3 // 4 5 6 / 7 8 9",
        "A row of this grid is empty. Write one / between two rows.",
    ),
)


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_refusals_name_the_rule(text: str, sentence: str) -> None:
    assert refusal(begun(), 1, text) == sentence


def test_a_grid_that_is_refused_changes_nothing() -> None:
    match = begun().play(1, HIS)
    refusal(match, 1, "grid 1 2 3 / 4 5 6 / 7 8 8")
    assert match.position.scores() == (19, 0)


# Notation.


READ = (
    "2 9 8 / 3 1 10 / 7 6 15",
    "GRID 2 9 8 / 3 1 10 / 7 6 15",
    "2 9 8/3 1 10/7 6 15",
    "2 9 8;3 1 10 ; 7 6 15",
    "2 9 8\n3 1 10\n7 6 15",
    "  2,9,8 / 3, 1, 10 / 7 ,6 , 15\n",
    "2 9 8 ; 3 1 10 \r\n 7  6\t15",
    "2 9 8 3 1 10 7 6 15",
    "grid 2, 9, 8, 3, 1, 10, 7, 6, 15",
)


@pytest.mark.parametrize("text", READ)
def test_forgiving_forms(text: str) -> None:
    assert begun().position.read(1, text) == HIS == begun().position.read(1, HIS)


@pytest.mark.parametrize("text", ["done", "DONE", " Done "])
def test_the_word_done(text: str) -> None:
    assert begun().position.read(1, text) == "done"


UNREAD = (
    *(
        "",
        " ",
        "/",
        ";",
        "grid /",
        "/ 1 2",
        "1 2 | 3 4",
        "1 2 - 3 4",
        "a1",
        "1 2 / 3 4 grid",
        "grid1 2",
    ),
    *(
        "submit 1 2 / 3 4",
        "1 2 / 3 x",
        "1 2 / 3 ٣",
        "1 2 / 3 +4",
        "1 2 / 3 4.0",
        "1 2 / 3 1_0",
        "finished",
        "done done",
    ),
    *("1 2 / 3 12345678901234567890", "1 2 / 3 4,"),
)


@pytest.mark.parametrize("text", UNREAD)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        begun(size=2).position.read(1, text)


def test_the_largest_grid_in_its_longest_form_fits_into_the_form() -> None:
    match = begun(1, 5)
    _, most = GAME.moves[0].parts[0].bounds(match.position)
    text = " / ".join(", ".join(str(9999 - 5 * row - column) for column in range(5)) for row in range(5))
    assert len(text) <= most
    assert match.play(1, text).position.scores() == (0,)


# Secrets.


def test_others_learn_nothing_but_done() -> None:
    match = after(begun(3), (1, HIS), (1, TOP), (1, "done"), (2, PLAIN))
    bare = begun(3)
    for viewer in (3, None):
        seen = match.position.seen_by(viewer)
        assert str(seen) == "player 1, done\nplayer 2, working\nplayer 3, working" + ": no grid" * (viewer == 3)
        assert seen.scores() == (0, 0, 0) and seen.turn == (2, 3)
        assert board(match).sheets[2] == board(bare).sheets[2]
    assert [text for _, text in match.list_visible_entries(None)] == ["done"]
    assert [text for _, text in match.list_visible_entries(1)] == [HIS, TOP, "done"]
    assert after(begun(3), (2, PLAIN), (2, TOP)).position.seen_by(1) == begun(3).position.seen_by(1)
    assert match.position.seen_by(1).scores() == (26, 0, 0)
    assert match.position.seen_by(1).working()[0] == "player 1: 1 to 26 are sums, 27 is missing"


def test_whether_somebody_else_could_be_done_is_secret() -> None:
    submit, done = GAME.moves
    for match in (begun(), begun().play(1, HIS)):
        assert [kind.name for kind in (submit, done) if kind.when(match.position.seen_by(None), 1)] == [
            "submit",
            "done",
        ]
    assert not done.when(begun().position.seen_by(1), 1)
    assert done.when(begun().play(1, HIS).position.seen_by(1), 1)


def test_the_end_uncovers_all() -> None:
    match = after(begun(), (1, HIS), (2, TOP), (2, "resign"))
    for viewer in (None, 1, 2):
        seen = match.position.seen_by(viewer)
        assert seen.scores() == (19, 26)
        assert seen.working() == (
            "player 1: 1 to 19 are sums, 20 is missing",
            "player 1: 19 = 2 + 9 + 8",
            "player 2: 1 to 26 are sums, 27 is missing",
            "player 2: 26 = 16 + 4 + 6",
        )


def test_what_somebody_alone_found_stays_hidden_but_for_the_score() -> None:
    match = after(begun(1), (1, PLAIN), (1, HIS))
    assert match.position.seen_by(None).scores() == (0,)
    match = match.play(1, "done")
    seen = match.position.seen_by(None)
    assert seen.scores() == (19,) and seen.ranks() == (1,)
    assert str(seen) == "player 1, done: 1 to 19 are sums, 20 is missing"
    assert seen.working() == ("player 1: 1 to 19 are sums, 20 is missing",)
    assert board(match).seen_by(None) == board(after(begun(1), (1, HIS), (1, "done"))).seen_by(None)
    assert "10" in str(match.position.seen_by(1)) and "10" in str(match.position)
    assert [text for _, text in match.list_visible_entries(None)] == ["done"]


# Leaving and ending.


def test_everybody_acts_at_once_and_freely() -> None:
    match = begun(8)
    assert match.turn == tuple(range(1, 9))
    assert describe_position(match, legal=True)["legal"] == {str(seat): None for seat in range(1, 9)}
    assert describe_position(match.play(5, HIS), legal=True)["legal"]["5"] is None


def test_the_match_ends_when_all_are_done() -> None:
    match = after(begun(), (1, HIS), (2, TOP), (2, "done"))
    assert (match.turn, match.position.ranks()) == ((1,), None)
    assert refusal(match, 2, HIS) == "It isn't player 2's turn. Player 1 is to move."
    match = match.play(1, "done")
    assert (match.turn, match.position.ranks()) == ((), (2, 1))
    assert refusal(match, 1, HIS) == "The match is over, so nothing can be played any more."


def test_who_is_done_cannot_leave() -> None:
    match = after(begun(3), (1, HIS), (1, "done"), (2, "resign"))
    with pytest.raises(OutOfTurn, match="Player 1 is done and can't leave any more."):
        match.withdraw(1)
    with pytest.raises(OutOfTurn, match="Player 2 has already left the match."):
        match.withdraw(2)
    assert match.turn == (3,)
    assert match.withdraw(3, "timeout").position.ranks() == (1, 3, 2)


def test_the_last_to_stay_wins_whatever_the_scores() -> None:
    match = after(begun(3), (1, TOP), (2, HIS), (1, "resign"), (2, "timeout"))
    assert (match.turn, match.position.scores(), match.position.ranks()) == ((), (26, 19, 0), (3, 2, 1))


def test_somebody_alone_who_leaves_ends_with_what_they_have() -> None:
    assert begun(1).turn == (1,)
    for match, score in ((begun(1), 0), (begun(1).play(1, HIS), 19)):
        ended = match.withdraw(1)
        assert (ended.turn, ended.position.scores(), ended.position.ranks()) == ((), (score,), (1,))


# Suggestions and advice.


def suggested(match: Match, typed: str) -> dict[str, str]:
    return dict(match.position.suggest(1, typed))


def test_own_grids_are_offered_to_be_edited() -> None:
    match = after(begun(), (1, HIS), (1, PLAIN))
    assert suggested(match, "grid ") == {HIS: "your best so far, reaches 19", PLAIN: "your latest, reaches 9"}
    assert suggested(match, "grid 2 9 8 /") == {
        HIS: "your best so far, reaches 19",
        "grid 2 9 8 / 1 3 4 / 5 6 7": "with 6 numbers added",
    }


def test_the_first_offer_shows_what_a_grid_looks_like() -> None:
    assert suggested(begun(), "") == {PLAIN: "what a grid looks like"}


@pytest.mark.parametrize(
    ("typed", "offer", "note"),
    [
        (TOP, TOP, ""),
        ("grid 3 16 2; 5,4,11; 17 6 1", TOP, ""),
        ("3 16 2 5 4 11 17 6", TOP, "with 1 number added"),
        ("3 16 2 / 5 4 11 / 17 6 ", TOP, "with 1 number added"),
    ],
)
def test_what_is_typed_is_offered_and_how_far_it_reaches_is_not_told(typed: str, offer: str, note: str) -> None:
    assert suggested(begun(), typed) == {offer: note}


@pytest.mark.parametrize(
    "typed", ["a", "grid 1 1", "1 2 / 3", "1 2 3 / 4 5 6 / 7 8 9 / 1", "1 2 3 4 / 5", "99999", "don", "1,,2"]
)
def test_what_cannot_become_a_grid_is_not_offered(typed: str) -> None:
    assert suggested(begun(), typed) == {}


def test_a_grid_too_long_to_be_offered_is_left_out() -> None:
    match = begun(1, 5)
    text = " / ".join(" ".join(str(9999 - 5 * row - column) for column in range(5)) for row in range(5))
    assert suggested(match.play(1, text), "") == {}


@pytest.mark.parametrize("size", range(2, 6))
def test_examples_are_grids(size: int) -> None:
    (move,) = suggested(begun(1, size), "")
    assert begun(1, size).play(1, move).record[0].text == move


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        (2, "Best possible 8."),
        (3, "Best possible 26."),
        (4, "Best known 56."),
        (5, "Best known 95."),
    ],
)
def test_a_challenge_names_the_best_score(size: int, sentence: str) -> None:
    assert GAME.challenge_note(begun(1, size).options, 1) == sentence


def test_with_diagonals_no_par_is_known() -> None:
    assert GAME.challenge_note(begun(1, diagonals="yes").options, 1) is None


def test_without_diagonals_the_options_are_those_of_earlier_matches() -> None:
    assert begun().options.to_record() == Match.start(GAME, {}, 2).options.to_record() == {"size": 3}
    assert begun(diagonals="yes").options.to_record() == {"size": 3, "diagonals": "yes"}


# Whole matches.


def random_line(rng: random.Random, size: int, seats: int) -> tuple[int, str]:
    """A line of a record, legal or not."""
    seat, kind = rng.randint(1, seats), rng.random()
    if kind < 0.04:
        return seat, rng.choice(("resign", "timeout"))
    if kind < 0.25:
        return seat, "done"
    values = rng.sample(range(1, size**2 + rng.choice((1, 4, 20, 9970))), size**2)
    if kind < 0.35:
        values[rng.randrange(size**2)] = rng.choice((0, 1, 2, 9999, 10000))
    if kind < 0.4:
        values = values[:-size]
    rows = [values[first : first + size] for first in range(0, len(values), size)]
    return seat, "grid " + " / ".join(" ".join(map(str, row)) for row in rows)


def compared(seed: int) -> int:
    """Play a match by lot before both referees; how many of its lines were legal."""
    rng = random.Random(seed)
    size, seats = rng.randint(2, 5), rng.randint(1, 8)
    diagonals = rng.choice(("no", "yes"))
    match, referee = begun(seats, size, diagonals), second.Referee(size, seats, diagonals == "yes")
    for _ in range(200):
        assert list(match.turn) == referee.to_move and list(match.position.scores()) == referee.scores
        ranks = match.position.ranks()
        assert (list(ranks) if ranks else None) == referee.ranks
        if match.is_over:
            break
        seat, text = random_line(rng, size, seats)
        try:
            match = match.enter(seat, text)
        except MoveError:
            with pytest.raises(second.Refused):
                referee.move(seat, text)
        else:
            referee.move(seat, text)
    return len(match.record)


def test_a_second_referee_agrees() -> None:
    assert sum(compared(seed) for seed in range(60)) > 300


def test_a_second_referee_agrees_with_the_recorded_matches() -> None:
    lines = Path(sums_grid.__path__[0], "played.jsonl").read_text().splitlines()
    for row in map(json.loads, lines):
        referee = second.Referee(row["options"]["size"], row["seats"], row["options"].get("diagonals") == "yes")
        for seat, text in row["moves"]:
            referee.move(seat, text)
        assert (referee.scores, referee.ranks) == (row["scores"], row["ranks"])
        assert bool(referee.to_move) == (row["ranks"] is None)
