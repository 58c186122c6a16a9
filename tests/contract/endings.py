"""What a game says of its result: by what it was decided."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.games.game import Game
from bot.play.match import Match
from tests.contract.playing import expect, playouts, records
from tests.gallery import folded

LONGEST = 240
"""The most characters of the sentence, with short names."""


def list_ends(game: Game) -> Iterator[Match]:
    """Matches that the rules have ended, of several players."""
    found = [*(moments[-1] for moments in playouts(game)), *(folded(game, row)[-1] for row in records(game))]
    yield from (match for match in found if match.ending_kind == "play" and match.seats > 1)


def check_a_result_has_a_reason(game: Game) -> None:
    """A sentence says by what a match was decided that the rules have ended, however many play, and names players."""
    for match in list_ends(game):
        said = match.position.explain_result(lambda seat: f"@{seat}")
        expect(said.endswith(".") and said[0] in f"@{said[0].upper()}", match, f"No sentence says why: {said!r}.")
        expect(len(said) <= LONGEST and "\n" not in said, match, f"{said!r} is too long.")
        named = {int(seat) for seat in re.findall("@([0-9]+)", said)}
        expect(named <= {*range(1, match.seats + 1)}, match, f"{said!r} names nobody who plays.")
        expect(not re.search("(?i)(seat|player) [0-9]", said), match, f"{said!r} calls a player by a number.")


def check_what_is_certain_comes_true(game: Game) -> None:
    """Whoever is said to have won before the end comes first, and who cannot win any more does not."""
    for moments in playouts(game):
        end = moments[-1]
        if end.ending_kind != "play":
            continue
        for match in moments[:-1]:
            position, left = match.position, end.withdrawn_seats
            if position.certain_winner and position.certain_winner not in left:
                expect(end.position.winners == (position.certain_winner,), match, "Somebody else won in the end.")
            said = position.explain_certain(lambda seat: f"@{seat}")
            expect(not said or said.endswith("."), match, f"{said!r} is no sentence.")
            beaten = [int(seat) for seat in re.findall("@([0-9]+)[^@]* no longer win", said)]
            expect(not {*beaten} & {*end.position.winners} or len(end.position.winners) > 1, match, f"It won: {said}")
