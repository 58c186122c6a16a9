"""Promises about moves: what is listed is accepted, nothing else is, matches end, and seats may leave."""

from __future__ import annotations

import string
from collections.abc import Iterator
from itertools import islice
from random import Random

from bot.games.game import Game
from bot.games.position import Seat
from bot.games.wording import join_words
from bot.play.match import Match
from bot.play.records import MOST_LEGAL, describe_position
from tests.contract.playing import attempt, everywhere, expect, few, leave, listed, playouts, sampled, staying, stepped
from tests.contract.sentences import refusal

GARBAGE = (
    *("", " ", "?", "@everyone", "z9", "cc4", "c04", "٣", "1²", "007", "+7", "-1", "0", "7.0", "1_000", "1e3", "٣4"),
    *("pass", "resign now", "undo", "done done", "a1 a1", "a1-a1", "1-1", "None", "\x00", "a\u03011", "\u212a1", "é1"),
    *("5" * 5000, "a1 " * 2000, "1 " * 1500, "/" * 3000, "grid", "split", "add", "curve", "fill", "number", "least"),
)
"""No move in any game's notation, or hardly ever a legal one."""

ALPHABET = string.ascii_lowercase + string.digits + " -/,"
MUTATED, STRAY = 4, 16
"""How many of the listed moves of a position are altered, and how many moves of other moments are tried there."""


def mutants(move: str, rng: Random) -> Iterator[str]:
    """A move with a character taken out, replaced or put in, or with two swapped."""
    at = rng.randrange(len(move))
    yield move[:at] + move[at + 1 :]
    yield move[:at] + rng.choice(ALPHABET) + move[at + 1 :]
    yield move[:at] + rng.choice(ALPHABET) + move[at:]
    yield move[:at] + move[at + 1 : at + 2] + move[at : at + 1] + move[at + 2 :]
    yield f"{move} {move}"


def check_playouts_end(game: Game) -> None:
    """Matches come to an end, and are over exactly when nobody is to move and there are ranks."""
    for match in everywhere(game):
        position, turn = match.position, match.turn
        expect(list(turn) == sorted(set(turn)), match, f"The turn {turn} is not ascending.")
        expect(set(turn) <= set(staying(match)), match, f"Somebody who left is to move: {turn}.")
        expect((position.ranks() is None) == bool(turn), match, "There are ranks exactly when nobody is to move.")
        scores = position.scores()
        expect(len(scores) == match.seats, match, "There is one score a seat.")
        expect(all(type(score) is int for score in scores), match, "Scores are exact integers.")
        if ranks := position.ranks():
            check_ranks(match, ranks)


def check_ranks(match: Match, ranks: tuple[int, ...]) -> None:
    """Ranks are 1 + the number of seats that did better; who left comes after all who stayed."""
    better = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    expect(len(ranks) == match.seats and ranks == better, match, f"{ranks} are no ranks.")
    leavers = list(match.withdrawn_seats)
    last = [match.seats - place for place in range(len(leavers))]
    expect([ranks[seat - 1] for seat in leavers] == last, match, f"Who leaves first ranks last: {ranks}.")


def check_listed_moves_are_accepted(game: Game) -> None:
    """Every move that is listed can be played, is canonical, and leads on."""
    for match in sampled(game):
        for seat in _listing(match):
            moves = listed(match.position, seat)
            expect(moves, match, f"Player {seat} is to move and has no move.")
            expect(len(set(moves)) == len(moves), match, "A move is listed twice.")
            for move in islice(moves, 300):
                sentence = refusal(lambda match=match, seat=seat, move=move: match.play(seat, move))
                expect(sentence is None, match, f"Player {seat}'s move {move} is listed, and refused: {sentence}")


def check_nothing_else_is_accepted(game: Game) -> None:
    """Where moves are listed, a move that is not is refused by a sentence and changes nothing."""
    for match, seat, texts in _near_misses(game):
        legal = set(listed(match.position, seat))
        for text in texts:
            sentence = refusal(lambda match=match, seat=seat, text=text: match.play(seat, text))
            if sentence is None:
                canonical = match.play(seat, text).record[-1].text
                known = canonical in legal or canonical.partition(" ")[0] in game.extra_moves
                expect(known, match, f"Player {seat}'s move {text!r} is accepted as {canonical!r}, and not listed.")


def check_open_moves_are_refused_by_sentences(game: Game) -> None:
    """Where moves are open, what is no move is refused by a sentence."""
    for match in few(game):
        for seat in set(match.turn) - set(_listing(match)):
            for text in GARBAGE:
                refusal(lambda match=match, seat=seat, text=text: match.play(seat, text))


def check_only_who_is_to_move_may(game: Game) -> None:
    """A seat that is not to move is told so."""
    for match in sampled(game):
        for seat in set(range(1, match.seats + 1)) - set(match.turn):
            moves = [move for other in _listing(match) for move in islice(match.position.moves(other), 3)]
            for text in moves or ["a1"]:
                sentence = refusal(lambda match=match, seat=seat, text=text: match.play(seat, text))
                expect(sentence, match, f"Player {seat} is not to move, and its {text} is accepted.")
                direct = refusal(lambda match=match, seat=seat, text=text: match.position.play(seat, text))
                expect(direct, match, f"Player {seat} is not to move, and the position accepts its {text}.")
                expect(sentence == direct == _out_of_turn(match, seat), match, f"Player {seat} is told: {direct}")


def _out_of_turn(match: Match, seat: Seat) -> str:
    if match.is_over:
        return "The match is over, so nothing can be played any more."
    others = join_words((f"player {other}" for other in match.turn), " or ")
    return f"It isn't player {seat}'s turn. P{others[1:]} is to move."


def check_the_legal_listing(game: Game) -> None:
    """`replay --legal` lists the legal moves of every seat to move, sorted, or null where they are open or too many."""
    for match in sampled(game):
        legal = describe_position(match, legal=True)["legal"]
        expect(list(legal) == [str(seat) for seat in match.turn], match, "--legal is about the seats to move.")
        for seat in match.turn:
            moves = None if match.position.open_to(seat) else sorted(match.position.moves(seat))
            moves = moves if moves is None or len(moves) <= MOST_LEGAL else None
            expect(legal[str(seat)] == moves, match, f"--legal is wrong for player {seat}.")
            strange = [move for move in moves or () if move.partition(" ")[0] in ("undo", "resign", "timeout")]
            expect(not strange, match, f"--legal lists {strange}.")


def check_anybody_may_leave(game: Game) -> None:
    """At every ply every seat that is not done may leave, once; with two seats the other wins, with more they go on."""
    for match in sampled(game):
        if match.is_over:
            expect(leave(match, 1) is None, match, "A match that is over can be left.")
            continue
        for seat in staying(match):
            after = leave(match, seat)
            if after is None:
                expect(seat not in match.turn, match, f"Player {seat} is to move, and may not leave.")
                continue
            _check_left(match, after, seat)


def _check_left(match: Match, after: Match, seat: Seat) -> None:
    over, left = "The match is over, so nobody can leave it any more.", f"Player {seat} has already left the match."
    told = refusal(lambda: after.withdraw(seat))
    expect(told == (over if after.is_over else left), after, f"Player {seat} leaves twice, and is told: {told}")
    expect(attempt(after, seat, "a1") is None and seat not in after.turn, after, f"Player {seat} left and can move.")
    expect(after.position.scores() == match.position.scores(), after, "The scores stay when a seat leaves.")
    stay = staying(after)
    if len(stay) <= 1:
        expect(after.is_over, after, "With one seat left the match is over.")
    if ranks := after.position.ranks():
        check_ranks(after, ranks)
        expect(len(stay) != 1 or ranks[stay[0] - 1] == 1, after, "The one who stays wins.")
    elif len(stay) > 1:
        stepped(after, Random(0))


def _listing(match: Match) -> Iterator[Seat]:
    # The seats to move whose moves are listed.
    return (seat for seat in match.turn if not match.position.open_to(seat))


def _near_misses(game: Game) -> Iterator[tuple[Match, Seat, list[str]]]:
    # Texts that are no moves, or moves of other moments, or altered ones.
    rng = Random(game.key)
    seen = list(dict.fromkeys(entry.text for played in playouts(game) for entry in played[-1].record))
    yield from ((match, seat, [*GARBAGE]) for match in few(game) for seat in _listing(match))
    for match in sampled(game):
        for seat in _listing(match):
            moves = listed(match.position, seat)
            altered = [text for move in rng.sample(moves, min(len(moves), MUTATED)) for text in mutants(move, rng)]
            yield match, seat, [*altered, *rng.sample(seen, min(len(seen), STRAY))]
