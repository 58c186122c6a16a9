"""Views: the parts of a message that depend on pictures and buttons alone."""

from __future__ import annotations

from bot.client.text.challenge_text import BREAK, LONG_WORD
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


def test_no_word_of_a_title_is_too_long_to_stand_beside_a_small_board() -> None:
    broken = {game.title: LONG_WORD.sub(BREAK, game.title) for game in games().values()}
    assert max(len(word) for told in broken.values() for word in told.replace(BREAK, " ").split()) <= 18
    assert [title for title, told in broken.items() if told != title] == ["Palindromes/Antipalindromes"]
