"""Moves that are supposed: on the last step of a pad, on pads for prepared moves, and tried out."""

from __future__ import annotations

import pytest

from bot.features.pads import keypad, pad_loop, premove_pads
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import has_legs, make_two_legged
from bot.play import partial_moves, premoves
from bot.play.loaded_match import Refusal, mention_user
from bot.play.match import Match
from bot.play.record import Move
from bot.play.replays import UNFORESEEN, ImaginedLine, Replay
from tests.contract.playing import records
from tests.support import pad_taps, pad_walks
from tests.support.loaded_matches import begun
from tests.support.sampled import sampled

GRID = tuple(f"{column}{row}" for row in range(1, 4) for column in "abc")
"""All squares of three by three."""


def match_of(key: str, options: dict[str, object], *moves: str) -> Match:
    match = Match.start(load_games()[key], options, 2)
    for move in moves:
        match = match.play(match.turn[0], move)
    return match


def effect(match: Match, move: str) -> str | None:
    """What the last step of a pad says of a move; None where it says nothing."""
    seat = match.turn[0]
    whole = pad_taps.whole(match.game, match.position, seat, move)
    found = pad_loop.foresee_move(match.game, match.position, seat, whole)
    return found.effect.replace("\xa0", " ") if found else None


def test_the_last_step_says_what_changes_what_ends_and_what_follows() -> None:
    scramble = match_of("binary-scramble", {"length": 4}, *"0010")
    assert (effect(scramble, "2") or "").startswith("Scores: you +1 → 1.\n-# list 1")
    bits = match_of("flipping-bits", {"squares": 7, "rounds": 4}, "1", "3")
    ended = "round 1: square 7 is the only filled one (+7)"
    assert effect(bits, "5") == f"Scores: you +7 → 7.\n**Round 1 is over.**\n-# {ended}"
    plexus = match_of("plexus", {}, "d3-d2")
    assert effect(plexus, "d4-d5") == (
        "No score changes: you answered from an endpoint, so nobody scores.\nThen you begin the next pair."
    )
    splits = match_of("combining-dividing", {"length": 4}, "2", "3", "5", "4")
    assert effect(splits, "split 4 2 2") == "Then the match is over, and you win."


def test_a_divisors_worth_is_said_by_no_pad_and_is_not_tried_out() -> None:
    match = match_of("divisor-over-sums", {"size": 3}, *GRID)
    assert effect(match, "1") is None
    replay = Replay.of(begun(match), 2)
    tried = ImaginedLine.of(replay, replay.line_count)
    assert tried.list_choices() and not tried.list_trials()
    with pytest.raises(Refusal, match=UNFORESEEN):
        tried.expect_trials()
    supposed = premove_pads.imagine(begun(match), 2, (Move(1, "1"),))
    assert supposed.foreseen_match == match, "what the choice of the opponent is worth is not shown either"
    assert premove_pads.list_next_moves(supposed), "it can be answered all the same"


def test_a_pad_says_which_move_is_supposed_in_the_words_of_its_kind() -> None:
    match = match_of("dream-math", {"size": 4}, "a1")
    loaded = begun(match)
    who = mention_user(loaded.user_at(2))

    def said(*moves: tuple[int, str]) -> str:
        line = tuple(Move(*move) for move in moves)
        step = premove_pads.describe_step(premove_pads.imagine(loaded, 1, line))
        assert bool(step.who) == (len(line) % 2 == 0), "of whom the question asks"
        return step.lead or step.supposed

    assert said() == f"Prepare an answer. It's played at once if {who} makes the move that you choose now."
    assert said((2, "b2")) == f"If {who} plays **2 at b2**, {{question}}"
    pair = f"If {who} plays **2 at b2**, you play **3 at c3**."
    assert said((2, "b2"), (1, "c3")) == pair
    assert said((2, "b2"), (1, "c3"), (2, "d4")) == f"{pair} If {who} then plays **4 at d4**, {{question}}"


def test_a_pad_says_it_too_where_a_seat_moves_twice() -> None:
    match = match_of("plexus", {}, "d3-d2")
    loaded = begun(match)
    who = mention_user(loaded.user_at(2))
    twice = Move(2, "d4-d5"), Move(2, "d5-d6")
    one, both = (premove_pads.imagine(loaded, 1, twice[:many]) for many in (1, 2))
    again = f"If {who} plays **d4-d5**, {who} moves again. Your answer comes after that."
    assert premove_pads.describe_step(one)[:3] == (again, "", who)
    assert premove_pads.describe_step(both)[:3] == ("", f"If {who} plays **d4-d5** and **d5-d6**, {{question}}", "")


def test_a_question_about_the_opponent_names_them_and_an_answer_is_the_rest_of_its_condition() -> None:
    match = match_of("plexus", {}, "d3-d2")
    kind = match.game.moves[0]
    begun_move = partial_moves.begin_partial_move(match.position, 2, kind)
    board = partial_moves.list_keys(match.position, 2, begun_move)
    assert keypad.format_question(begun_move, board) == "**You answer from an endpoint. Which line?**"
    assert keypad.format_question(begun_move, board, who="Bea") == "**Bea answers from an endpoint. Which line?**"
    assert keypad.format_question(begun_move, board, supposed="If Bea plays **d4-d5**, {question}") == (
        "If Bea plays **d4-d5**, **you answer from an endpoint. Which line?**"
    )


def test_a_move_after_which_nothing_can_be_answered_is_not_offered() -> None:
    full = match_of("dream-math", {"size": 3}, *GRID[:-1])
    last = begun(full)
    assert not premoves.can_prepare(last, 3 - full.turn[0])
    with pytest.raises(Refusal, match="no move of .* now to which you could prepare an answer"):
        premove_pads.imagine_current(last, 3 - full.turn[0], len(full.record), ())
    split = match_of("combining-dividing", {"length": 4}, "2", "3", "5", "4")
    (mover,) = split.turn
    assert premoves.can_prepare(begun(split), 3 - mover)
    ahead = premove_pads.imagine(begun(split), 3 - mover)
    keeps = premove_pads.make_filter(ahead)
    assert keeps
    moves = [*split.position.moves(mover)]
    kept = [move for move in moves if keeps(pad_taps.whole(split.game, split.position, mover, move))]
    assert kept == [move for move in moves if split.play(mover, move).turn] and len(kept) < len(moves)


def test_chords_are_not_guessed() -> None:
    match = match_of("cross-dont-cross", {})
    assert not premoves.can_prepare(begun(match), 3 - match.turn[0])


@sampled("game", [game for game in load_games().values() if has_legs(game)], few=3, ids=lambda game: game.key)
def test_in_two_legs_the_last_step_shows_the_leg_of_the_move(game: Game) -> None:
    legs, row = make_two_legged(game), next(row for row in records(game) if row["seats"] == 2)
    match, seat, move = Match.start(legs, row.get("options", {}), 2), 1, f"1: {row['moves'][0][1]}"
    whole = pad_taps.whole(legs, match.position, seat, move)
    foreseen = pad_loop.foresee_move(legs, match.position, seat, whole)
    assert foreseen and foreseen.after == match.play(seat, move).position
    assert {page.leg for page in pad_walks.draw(legs, match.position, seat, whole)} == {1}
