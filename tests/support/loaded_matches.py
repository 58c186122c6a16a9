"""Loaded matches for tests, as the umpire would read them from the store, made from the match alone."""

from __future__ import annotations

from functools import cache
from typing import Any

from bot.games.game import Game
from bot.play.ids import UserId
from bot.play.loaded_match import FoldedMatch, LoadedMatch
from bot.play.match import Match
from bot.play.rows import MatchRecordRow, Player

FIRST = 1_200_000_000_000_000_000
"""Seat 1 is user FIRST + 1, and so on: ids as long as Discord's."""


def players(seats: int, match: Match | None = None, invited: bool = False) -> tuple[Player, ...]:
    """The people of a match, or of a challenge that they have been invited to by the first of them."""
    ranks = match.position.ranks() if match else None
    return tuple(
        Player(
            user=UserId(FIRST + seat),
            joined=seat,
            seat=seat if match else None,
            invited=invited and seat > 1,
            consent=False,
            rank=ranks[seat - 1] if ranks else None,
            score=match.position.scores()[seat - 1] if match and ranks else None,
        )
        for seat in range(1, seats + 1)
    )


def row(game: Game, seats: int, **columns: Any) -> MatchRecordRow:
    """A stored match; what is not named is as in an open challenge with the usual options."""
    usual: dict[str, Any] = {
        "id": 123456, "guild": FIRST, "channel": FIRST, "thread": None, "game": game.key,
        "game_version": game.version, "options": {}, "seats": seats, "seating": "lot", "rated": True,
        "host": FIRST + 1, "state": "open", "version": 1, "plies": 0, "turn": (), "created": 0, "expires": 9,
        "started": None, "ended": None, "shown_version": 0, "lobby_message": FIRST, "board_channel": None,
        "board_message": None, "shown_plies": 0, "publish_error": None, "close_reason": None, "published": False,
        "rematch_of": None, "rename_pending": False, "pace": "none", "paused": None, "proposal": None, "proposed": None,
        "refused": None, "substitutions": None, "legs": 2 if game.single else 1, "thinks": None, "source_match": None,
        "imported_plies": 0, "premove_plies": (), "awaits_thread": False, "told_version": 0, "told_message": None,
        "announce_until": None, "announcement": None, "round": None, "moved": None, "players": players(seats),
        "record": (),
    }  # fmt: skip
    return MatchRecordRow(**(usual | columns))


@cache
def before_last_turn(match: Match) -> Match | None:
    """The match before the last seat to move began its turn; None before the first turn."""
    fold = FoldedMatch(Match.start(match.game, match.options.to_record(), match.seats))
    for entry in match.record:
        fold = fold.enter(entry)
    return fold.starts[-1] if fold.starts else None


def begun(match: Match, **columns: Any) -> LoadedMatch:
    """A live or finished match."""
    usual: dict[str, Any] = {
        "options": match.options.to_record(), "state": "finished" if match.is_over else "live", "turn": match.turn,
        "plies": len(match.record), "record": match.record, "players": players(match.seats, match),
        "thread": FIRST, "board_channel": FIRST, "board_message": FIRST,
    }  # fmt: skip
    stored = row(match.game, match.seats, **(usual | columns))
    return LoadedMatch(stored, match.game, match, before_last_turn(match))
