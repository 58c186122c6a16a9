"""Divisors/Multiples Sequence: walks, costs, refusals, withdrawals, pictures, and a second referee."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.position import MoveError
from bot.play.match import Match
from cogs.divisors_multiples_sequence import GAME
from cogs.divisors_multiples_sequence.rules import DivisorsMultiplesSequence
from tests.contract.sentences import without_example
from tests.games.referees.divisors_multiples_sequence import Referee


def played(*moves: str, r: int = 13, seats: int = 2) -> Match:
    """A match in which the seats in turn make these moves."""
    match = Match.start(GAME, {"r": r}, seats)
    for move in moves:
        match = match.play(match.turn[0], move)
    return match


def board(match: Match) -> DivisorsMultiplesSequence:
    assert isinstance(match.position, DivisorsMultiplesSequence)
    return match.position


def test_a_board() -> None:
    match = played("2", "1 2 4", "2 6", r=7)
    assert str(match.position).splitlines() == [
        "1 2:1 3 4:2 5 6:1 7, at 6",
        "walk 1, player 1: 1 → 2 costs 2",
        "walk 2, player 2: 2 → 1 → 2 → 4 costs 2×2 + 2×2 + 2 = 10",
        "walk 3, player 1: 4 → 2 → 6 costs 2×2 + 3 = 7",
    ]
    assert match.position.scores() == (9, 10)


@pytest.mark.parametrize(("seats", "r"), [(2, 13), (3, 13), (4, 13), (5, 16), (6, 13)])
def test_the_usual_r_gives_equal_turns(seats: int, r: int) -> None:
    assert Match.start(GAME, {}, seats).options.to_record() == {"r": r}
    assert GAME.challenge_note(Match.start(GAME, {}, seats).options, seats) is None
    assert "only if r is one more than a multiple" in (
        GAME.challenge_note(Match.start(GAME, {"r": r + 1}, seats).options, seats) or ""
    )


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("14", "There is no 14 here. The numbers are 1 to 13."),
        ("0", "There is no 0 here. The numbers are 1 to 13."),
        ("5", "You can't step from 6 to 5, because neither divides the other."),
        ("12 8", "You can't step from 12 to 8, because neither divides the other."),
        ("6 12", "A step from 6 to 6 would only cost you. Leave it out."),
        ("2", "Player 1 has already claimed 2. End your walk on a free number."),
        ("12 1", "1 is already claimed. End your walk on a free number."),
        ("1 2 " * 25 + "4", "That walk has 51 steps. It can have at most 50."),
        ("1,,3", "“1,,3” has one comma too many. Write one between two items."),
        ("03", "“03” starts with a zero. Write 3."),
        ("", "Write a move first."),
    ],
)
def test_refusals(move: str, sentence: str) -> None:
    with pytest.raises(MoveError) as refusal:
        played("2", "6").play(1, move)
    assert without_example(refusal.value) == sentence


def test_the_same_number_may_be_passed_twice() -> None:
    assert played("2", "4 2 4 12").position.scores() == (2, 2 + 4 + 2 + 3)


def test_fifty_steps_are_allowed() -> None:
    assert len(board(played("2", "1 2 " * 24 + "1 3")).walks[-1].steps) == 50


def test_walks_are_offered_in_the_order_of_their_numbers_and_what_they_cost_is_not_told() -> None:
    # The walk stands at 6, and 1, 2 and 6 are claimed.
    position = played("2", "6").position
    offered = list(position.suggest(1, ""))
    assert [move for move, _ in offered][:8] == ["3", "12", "1 3", "1 4", "1 5", "1 7", "1 8", "1 9"]
    assert all(note == f"claims {move.split()[-1]}" for move, note in offered)
    assert [move for move, _ in position.suggest(1, "12 4")] == ["12 4", "12 4 8"]
    assert [move for move, _ in position.suggest(1, "3 ")][:4] == ["3 9", "3 12", "3 1 4", "3 1 5"]
    assert list(position.suggest(1, "5 ")) == []


def test_whatever_is_offered_is_legal() -> None:
    match = played("2", "6", "3 9", "3 12")
    for typed in ("", "1", "1 ", "4 ", "6 2 "):
        offered = [move for move, _ in match.position.suggest(1, typed)]
        assert offered and all(move.startswith(typed) for move in offered)
        for move in offered:
            match.play(1, move)


def test_turns_pass_on_when_a_seat_leaves() -> None:
    match = played("2", seats=3).withdraw(2)
    assert match.turn == (3,)
    assert match.play(3, "4").turn == (1,)
    assert match.withdraw(3).position.ranks() == (1, 3, 2)


def test_every_walk_and_total_is_on_the_finished_pictures() -> None:
    match = Match.start(GAME, {"r": 60}, 6)
    while not match.is_over:
        seat = match.turn[0]
        match = match.play(seat, next(match.position.suggest(seat, "")).move)
    tags = {shape.tag for picture in GAME.pictures(match.position) for shape in picture.shapes}
    assert set(match.position.working()) <= tags


def test_a_second_referee_agrees() -> None:
    rng = Random(7)
    for _ in range(60):
        r, seats = rng.randint(5, 40), rng.randint(2, 6)
        match, referee = Match.start(GAME, {"r": r}, seats), Referee(r, seats)
        while not match.is_over:
            seat = match.turn[0]
            if rng.random() < 0.03:
                seat = rng.choice([one for one in range(1, seats + 1) if one not in referee.gone])
                match = match.withdraw(seat)
                referee.leave(seat)
            else:
                match = _both_walk(match, referee, rng)
            assert (list(match.turn), match.is_over) == ([] if referee.over() else [referee.to_move], referee.over())
            assert list(match.position.scores()) == referee.scores()
        assert list(match.position.ranks() or ()) == referee.ranks()


def _both_walk(match: Match, referee: Referee, rng: Random) -> Match:
    seat = match.turn[0]
    legal = [suggestion.move for suggestion in match.position.suggest(seat, "")]
    wild = " ".join(str(rng.randint(0, referee.r + 1)) for _ in range(rng.randint(1, 4)))
    text = wild if rng.random() < 0.4 else rng.choice(legal)
    try:
        after = match.play(seat, text)
    except MoveError:
        assert not referee.walk([int(word) for word in text.split()])
        return match
    assert referee.walk([int(word) for word in text.split()])
    return after
