"""Views: the parts of a message that depend on pictures and buttons alone."""

from __future__ import annotations

from bot.client.views import views
from bot.core.library.catalogue import games
from bot.core.match.match import Match


async def test_each_picture_is_as_wide_as_the_message() -> None:
    game = games()["binary-primes"]
    pictures = game.pictures(Match.start(game, {}, 2).position) * 3
    shown = views.galleries(pictures, "")
    assert [[item.media.url for item in gallery.items] for gallery in shown] == [
        [f"attachment://board-{number}.png"] for number in (1, 2, 3)
    ]
