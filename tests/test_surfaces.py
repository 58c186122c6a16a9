"""What Discord shows of a match depends on nothing that its viewer may not know.

The real surfaces (boards, buttons with their custom_ids, forms, file names and alt text, lists, records) are made from
two matches that differ only in what is hidden from a viewer, and must come out alike to the last byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from bot.client import forms, texts, turns, views
from bot.client.listing import line
from bot.client.renderer import drawn
from bot.client.responses import record_for
from bot.core.catalogue import offered
from bot.core.game import Game
from bot.core.ids import ChannelId, GuildId, InteractionId, MatchId, MessageId, UserId
from bot.core.match import Match
from bot.core.rows import Player, Stored
from bot.core.seats import Viewer
from bot.service.seated import Seated, Sight
from tests.contract.planted import ENVELOPES, LEAK
from tests.contract.secrecy import Surface, check_surfaces
from tests.tables import before_last_turn

GAMES = [game for game in offered().values() if game.secret]


def seated(match: Match) -> Seated:
    """A stored match as the umpire would fold it; seat s is user 100 + s. Its version counts nobody's secrets here."""
    ranks, scores = match.position.ranks(), match.position.scores()
    players = tuple(
        Player(
            UserId(100 + seat),
            seat,
            seat,
            False,
            False,
            ranks[seat - 1] if ranks else None,
            scores[seat - 1] if ranks else None,
        )
        for seat in range(1, match.seats + 1)
    )
    row = Stored(
        id=MatchId(7), guild=GuildId(1), channel=ChannelId(2), thread=ChannelId(3),
        game=match.game.key, game_version=match.game.version, options=match.options.record(),
        seats=match.seats, seating="lot", rated=True, host=UserId(101),
        state="finished" if match.finished else "live", version=4, plies=0, turn=match.turn, created=0, expires=None,
        started=1, ended=None, shown_version=4, shown_plies=0,
        lobby_message=MessageId(5), board_channel=ChannelId(3), board_message=MessageId(6),
        parked=None, closing=None, published=False, rematch_of=None, rename=False, moved=None, players=players,
        record=(),
    )  # fmt: skip
    return Seated(row, match.game, match, before_last_turn(match))


def sight(match: Match, viewer: Viewer) -> Sight:
    return Sight.of(seated(match), viewer)


def board(match: Match, viewer: Viewer) -> object:
    """A board as it is sent: its components with all custom_ids, its file names, alt texts and bytes."""
    seen = sight(match, viewer)
    drawing = drawn(match.game, seen.position)
    files = [(file.filename, file.description) for file in drawing.files(str(seen.position))]
    return views.board(seen, drawing.pictures).to_components(), files, drawing.pngs


def closed_board(match: Match, viewer: Viewer) -> object:
    seen = sight(match, viewer)
    return views.board(seen, match.game.pictures(seen.position), closed=True).to_components()


def every_form(match: Match, viewer: Viewer) -> object:
    """Every form that a seat can open."""
    if viewer is None or viewer not in match.turn:
        return None
    position = sight(match, viewer).position
    kinds = [kind for kind in match.game.moves if kind.parts and kind.when(position, viewer)]
    return [forms.form(seated(match), kind, viewer, InteractionId(99)).to_dict() for kind in kinds]


def said(match: Match, viewer: Viewer) -> object:
    seen = sight(match, viewer)
    listed = line(seated(match).row, match.game, UserId(100 + (viewer or 50)))
    return texts.seats(seen), turns.last_turn(seen), texts.status(seen), listed


def record(match: Match, viewer: Viewer) -> object:
    return record_for(seated(match), UserId(100 + (viewer or 50)))


SURFACES: Mapping[str, Surface] = {
    "board": board, "earlier board": closed_board, "forms": every_form, "texts": said, "record": record,
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
async def test_nothing_that_is_shown_gives_a_secret_away(game: Game) -> None:
    # Forms can only be made within an event loop; the rest of the work is the game's own.
    check_surfaces(game, SURFACES)
    await asyncio.sleep(0)


async def test_a_game_that_keeps_its_secrets_passes() -> None:
    check_surfaces(ENVELOPES, SURFACES)


async def test_a_game_that_shows_everything_to_everybody_is_caught() -> None:
    with pytest.raises(AssertionError, match="gives secrets away"):
        check_surfaces(LEAK, SURFACES)
