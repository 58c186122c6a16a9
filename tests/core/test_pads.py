"""Pads of every game: matches played by taps alone, without a dead end, and every legal move within reach of taps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.moves import MoveKind
from bot.games.position import Position, Seat
from bot.play import partial_moves as play_partial_moves
from bot.play.match import Match
from bot.play.partial_moves import PartialMove
from tests.contract.playing import edge, few, greedy, listed
from tests.support import pad_taps
from tests.support.counted_calls import CountedCalls
from tests.support.sampled import sampled

PLIES, EDGE_PLIES = 30, 4
"""How far a match with the usual options is played, and one with the least or the most."""
MOVES, RECORDED = 3, 10
"""How many moves of a position are tapped, and about how many of the recorded ones."""
MOMENTS, STATES, KEYS = 5, 8, 2
"""At how many moments of matches pads are looked at, how many of them in all, and how many keys of each."""
MOST_CALLS = 40_000
"""Calls of functions for one keyboard; 14,000 are the most that were seen."""
FEW_TAPS = 4
"""The usual taps to a move where a square is all there is to say, *Move* and *Play* counted."""
MOST_TAPS = {"not-divisors-not-multiples": 5, "sums-grid": 12}
"""The most taps to a number that the pad offers; and to a grid on three squares by three, all of it new."""
TO_PREPARE = 6
"""The most taps that prepare a usual answer, from *More …* on."""
RATHER_TYPED = {"divisors-multiples-sequence", "sum-of-products"}
"""Where pads need more, and typing is quicker: a line has two ends, of 360 degrees or of a dozen points; a walk has a
tap for each of its numbers; and a square of 36 and its number are three taps, of which two moves make six."""
LONGEST = 3000
"""The most characters of a partial move: it stands in a message, beside other text."""

Walk = tuple[Match, Seat, tuple[PartialMove, ...]]


def name(game: Game) -> str:
    return game.key


def matches(game: Game) -> Iterator[tuple[Match, int]]:
    """A match with the usual options, and ones with the least and the most of everything; and how far to play them."""
    few, most = game.seats[0], game.seats[-1]
    yield Match.start(game, {}, few), PLIES
    for end, seats in (0, few), (-1, most):
        options = greedy(game, edge(game.Options.bounds(), end), seats)
        yield Match.start(game, options, seats), EDGE_PLIES


@cache
def walks(game: Game) -> tuple[Walk, ...]:
    """Matches played by taps that were drawn by lot: before each move the match, who moved, and the pad tap by tap."""
    rng = Random(game.key)
    found: list[Walk] = []
    for match, plies in matches(game):
        for _ in range(plies):
            if not match.turn:
                break
            seat = rng.choice(match.turn)
            position = match.position.seen_by(seat)
            kind = rng.choice(pad_taps.kinds(game, position, seat))
            partial_moves = tuple(
                pad_taps.drawn(position, seat, play_partial_moves.begin_partial_move(position, seat, kind), rng)
            )
            found.append((match, seat, partial_moves))
            match = match.play(seat, pad_taps.read(position, seat, partial_moves[-1]))
    return tuple(found)


@cache
def moments(game: Game) -> tuple[tuple[Position, Seat, PartialMove], ...]:
    """Some pads on the way of every walk, as they are shown."""
    rng, every = Random(game.key), walks(game)
    chosen = [*rng.sample(every, min(len(every), MOMENTS)), every[-1]]
    states = [
        (match.position.seen_by(seat), seat, so_far)
        for match, seat, partial_moves in chosen
        for so_far in partial_moves
    ]
    return tuple(rng.sample(states, min(len(states), STATES)))


each_game = sampled("game", load_games().values(), few=4, ids=name, rest=pytest.mark.minutes)


@each_game
def test_matches_are_played_by_taps_alone_without_a_dead_end(game: Game) -> None:
    assert all(partial_moves[-1].is_whole for _, _, partial_moves in walks(game))


@each_game
def test_every_key_that_can_be_tapped_leads_to_a_legal_move(game: Game) -> None:
    rng = Random(game.key)
    for position, seat, so_far in moments(game):
        fresh = play_partial_moves.list_keys(position, seat, so_far).new_keys
        for key in rng.sample(fresh, min(len(fresh), KEYS)):
            pressed = play_partial_moves.press_key(position, seat, so_far, key.sign)
            *_, whole = pad_taps.drawn(position, seat, pressed, rng, enough=0.8)
            assert play_partial_moves.is_legal(position, seat, whole), f"{key.token} after {so_far} led to {whole.line}"


@each_game
def test_a_list_that_goes_on_as_long_as_it_can_ends_in_a_legal_move(game: Game) -> None:
    rng = Random(game.key)
    lists = [(position, seat, so_far.kind) for position, seat, so_far in moments(game) if any(is_list(so_far.kind))]
    for position, seat, kind in rng.sample(lists, min(len(lists), KEYS)):
        *_, whole = pad_taps.drawn(
            position, seat, play_partial_moves.begin_partial_move(position, seat, kind), rng, enough=0
        )
        assert play_partial_moves.is_legal(position, seat, whole), whole.line


def is_list(kind: MoveKind) -> Iterator[bool]:
    return (part.items is not None for part in kind.parts)


@each_game
def test_every_legal_move_can_be_tapped(game: Game) -> None:
    rng = Random(game.key)
    for match in few(game):
        for seat in match.turn:
            position = match.position.seen_by(seat)
            if position.open_to(seat):
                continue
            moves = listed(position, seat)
            for move in rng.sample(moves, min(len(moves), MOVES)):
                assert_tapped(game, position, seat, move)


@each_game
def test_every_recorded_move_can_be_tapped(game: Game) -> None:
    for match, seat, move in recorded(game):
        assert_tapped(game, match.position.seen_by(seat), seat, move)


def recorded(game: Game) -> list[tuple[Match, Seat, str]]:
    """The recorded moves that a pad can make; where there are very many, every few."""
    every = list(pad_taps.recorded(game))
    return every[:: max(1, len(every) // RECORDED)]


def assert_tapped(game: Game, position: Position, seat: Seat, move: str) -> None:
    kind = pad_taps.kind_of(game, position, seat, move)
    *_, whole = pad_taps.towards(position, seat, kind, move)
    assert pad_taps.read(position, seat, whole) == move


@each_game
def test_back_undoes_every_tap(game: Game) -> None:
    for position, seat, so_far in moments(game):
        if (
            so_far.is_whole
            or so_far.current_part.is_ascending
            or so_far.current_part.editable_squares
            or so_far.typed_range
            and so_far.current_part.common_values
        ):
            continue  # A number that has a key of its own goes at once, also where it was reached by its range.
        board = play_partial_moves.list_keys(position, seat, so_far)
        after = [
            (key.sign, play_partial_moves.press_key(position, seat, so_far, key.sign)) for key in board.new_keys[:KEYS]
        ]
        after += [("Done", play_partial_moves.finish_part(position, seat, so_far))] if board.done else []
        for token, changed in after:
            assert play_partial_moves.step_back(position, seat, changed) == so_far, (
                f"{token} after {so_far} gave {changed}"
            )


def test_back_undoes_one_tap_of_a_list_whose_first_number_goes_without_saying() -> None:
    match = Match.start(load_games()["divisors-multiples-sequence"], {"r": 5}, 2).play(1, "3 1 3")
    so_far = play_partial_moves.begin_partial_move(match.position, 2, match.game.moves[0])
    assert so_far.items == ("1",)
    once = play_partial_moves.press_key(
        match.position, 2, so_far, play_partial_moves.list_keys(match.position, 2, so_far).new_keys[0].sign
    )
    twice = play_partial_moves.press_key(
        match.position, 2, once, play_partial_moves.list_keys(match.position, 2, once).new_keys[0].sign
    )
    assert play_partial_moves.step_back(match.position, 2, twice) == once != so_far


@each_game
def test_back_leads_to_the_beginning(game: Game) -> None:
    for position, seat, so_far in moments(game):
        steps, begun = 0, play_partial_moves.begin_partial_move(position, seat, so_far.kind)
        while so_far != begun and steps < 500:
            so_far, steps = play_partial_moves.step_back(position, seat, so_far), steps + 1
        assert so_far == begun


@each_game
def test_what_is_chosen_is_read_from_its_text(game: Game) -> None:
    for _, _, partial_moves in walks(game):
        for so_far in partial_moves if partial_moves[0].kind.parts else ():
            assert PartialMove.read_notation(so_far.kind, so_far.notation) == so_far
            assert PartialMove.parse(so_far.kind, str(so_far)) == so_far, "older pads have the names of the parts"
            assert len(str(so_far)) <= LONGEST


@each_game
def test_a_key_that_leads_nowhere_changes_nothing(game: Game) -> None:
    for position, seat, so_far in moments(game):
        for token in ("", "?", "z99", "-1", "1 1", "١"):
            assert play_partial_moves.press_key(position, seat, so_far, token) == so_far


def test_a_pad_calls_places_what_they_are_and_its_buttons_stay_those_of_older_pads() -> None:
    game = load_games()["flipping-bits"]
    position, flip = game.start(game.configure({}, 2), 2), game.moves[0]
    so_far = play_partial_moves.press_key(
        position, 1, play_partial_moves.begin_partial_move(position, 1, flip), "move1"
    )
    assert (so_far.notation, str(so_far)) == ("2", "positions: 2")
    headings = {part.heading for game in load_games().values() for kind in game.moves for part in kind.parts}
    assert not headings & {"Position", "Positions", "Count"}


def test_a_text_that_is_no_pad_is_not_read() -> None:
    kind = load_games()["sum-of-products"].moves[0]
    for text in ("", "…", "square", "square:", "number: 3", "square: a1", "square: a1\nnumber: 3\nmore: 1", "a: b…"):
        assert PartialMove.parse(kind, text) is None


@each_game
def test_a_keyboard_is_found_in_few_calls(game: Game) -> None:
    for match, seat, partial_moves in (
        each for each in walks(game) if each[0].options != game.configure({}, game.seats[0])
    ):
        position = match.position.seen_by(seat)
        for so_far in partial_moves[:3]:
            with CountedCalls() as counted:
                play_partial_moves.list_keys(position, seat, so_far)
            assert counted.calls < MOST_CALLS, f"{so_far} on {match.options}"


# How many taps.


def of_squares(kind: MoveKind) -> bool:
    return len(kind.parts) <= 2 and all(part.kind == "square" and not part.items for part in kind.parts)


@each_game
def test_a_move_takes_few_taps(game: Game) -> None:
    counted = pad_taps.counted(game, RECORDED)
    assert counted.moves >= 2, f"{game.key} has one move in its records with the usual options, which tells little"
    if all(map(of_squares, game.moves)):
        assert counted.median <= FEW_TAPS
        assert counted.most <= FEW_TAPS + 2
    assert counted.most <= MOST_TAPS.get(game.key, counted.most)


@each_game
def test_an_answer_is_prepared_in_few_taps(game: Game) -> None:
    if not pad_taps.preparable(game):
        return
    counted = pad_taps.prepared(game)
    quickest = pad_taps.TYPED if game.key in RATHER_TYPED else counted.median
    assert counted.moves >= 2, f"{game.key} has one answer in its records with the usual options, which tells little"
    assert quickest <= TO_PREPARE
    assert (counted.median > TO_PREPARE) == (game.key in RATHER_TYPED), "what is said of a game is so"
