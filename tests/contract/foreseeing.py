"""Promises about the last step of a pad: it shows the position after the move, and says what the board will say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice, pairwise

from bot.features.board import match_pictures, turn_words
from bot.features.board.words import format_mention
from bot.features.pads.pad_loop import foresee_move
from bot.games.game import Game
from bot.games.position import Seat
from bot.play.loaded_match import MatchView
from bot.play.match import Match
from bot.play.record import Move
from tests.contract.playing import expect, listed, playouts, sampled
from tests.support import pad_taps
from tests.support.loaded_matches import begun

MOVES = 2
"""How many moves of a position are looked at, where they are listed, beside the one that was played."""
NUMBERS = re.compile(r"[+−×÷][0-9]\S*(?: ÷[0-9]\S*)?(?:\s→\s\S+)?|\d+ points?|product")
"""A change of a score, which stands behind a name or what is counted."""
YOU = re.compile(r"\byou\b")
MANY_CHANGES = re.compile("[0-9]+ (?:more )?changes: ")
SMALL = "-# "
"""Before a line of the working."""


def check_the_last_step_shows_what_the_move_does(game: Game) -> None:
    """Before a move is played, its seat sees the position after it, reads no change of scores and no ended round that
    the board will not say, and reads all of those that the board will say; unless the table leaves the effect of such
    moves to the players."""
    for match, seat, move in moves(game):
        seen = match.position.seen_by(seat)
        whole = pad_taps.whole(game, seen, seat, move)
        foreseen = foresee_move(game, seen, seat, whole, partial(format_mention, begun(match)))
        expect((foreseen is not None) == whole.kind.foreseen, match, f"The last step shows no effect of {move}.")
        if foreseen is None or game.secret:
            continue
        after = match.play(seat, move)
        expect(foreseen.after == after.position.seen_by(seat), match, f"The last step shows another board for {move}.")
        expect_words(match, after, seat, foreseen.effect)
        drawn = match_pictures.make_foreseen_pictures(game, seen, foreseen.after, seat, whole)
        expect(0 < len(drawn) <= match_pictures.MOST, match, f"The last step has {len(drawn)} pictures for {move}.")
        marked = match_pictures.make_pictures(game, seen, seat, whole)
        expect(drawn != marked, match, f"The last step shows no position after {move}.")


def expect_words(before: Match, after: Match, seat: Seat, effect: str) -> None:
    """The effect has the words of the board after the move."""
    loaded = begun(after)
    said = turn_words.describe_last_turn(MatchView.of(loaded, None))
    start, end = before.position, after.position
    changes = turn_words.describe_score_changes(loaded, seat, start, end)
    rounds = turn_words.describe_ended_rounds(start, end)
    mover = format_mention(loaded, seat)
    if before.game.products:  # a comparison, not a change of each
        for theirs, own in (
            (f"{mover} has", "you have"),
            (f"{mover} still has", "you still have"),
            (f"{mover}'s", "your"),
        ):
            changes = changes.replace(theirs, own)
        expect(changes in effect.split("\n")[0], before, f"The last step says no {changes!r}: {effect!r}.")
        return
    for words in (*NUMBERS.findall(changes), *rounds):
        expect(words in effect, before, f"The last step says no {words!r}: {effect!r}.")
    expect(
        bool(changes) == bool(NUMBERS.search(effect.split("\n")[0])),
        before,
        f"Other changes than {changes!r}: {effect!r}.",
    )
    alone = len(after.record) - len(loaded.before.record if loaded.before else ()) == 1
    # A pad calls its player "you", where the board has a name.
    lines = [YOU.sub(mover, line) for line in effect.split("\n") if line.startswith(SMALL)]
    # After a round the board shows it, and says who begins the next one.
    ended = () if end.opening and start.round < end.round else rounds
    # It has space for more of the working; of that, the board names the same lines, or says how many they are.
    named = () if MANY_CHANGES.search(said) else (line.removeprefix(SMALL).partition(": ")[0] for line in lines)
    for words in (changes, *ended, *named) if alone else ():
        expect(words in said, before, f"The last step says {words!r}, which the board does not say: {said!r}.")


def moves(game: Game) -> Iterator[tuple[Match, Seat, str]]:
    """Moves on pads at some moments, and those that end a round or a match."""
    for played in playouts(game):
        for before, after in pairwise(played):
            line, ends = after.record[-1], not after.turn or after.position.round != before.position.round
            if ends and isinstance(line, Move) and is_tapped(game, before, *line):
                yield before, line.seat, line.text
    for match in sampled(game):
        for seat in match.turn:
            position = match.position.seen_by(seat)
            if not position.open_to(seat):
                able = (move for move in listed(position, seat) if is_tapped(game, match, seat, move))
                yield from ((match, seat, move) for move in islice(able, MOVES))


def is_tapped(game: Game, match: Match, seat: Seat, move: str) -> bool:
    """Whether a move is put together on a pad."""
    return bool(pad_taps.kind_of(game, match.position.seen_by(seat), seat, move).parts)
