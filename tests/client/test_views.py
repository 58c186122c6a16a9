"""Views: the parts of a message that depend on pictures and buttons alone."""

from __future__ import annotations

from bot.features.challenges.words import BREAK, LONG_WORD
from bot.games.catalogue import load_games
from bot.platform import ui
from bot.play.match import Match


async def test_each_picture_is_as_wide_as_the_message() -> None:
    game = load_games()["binary-primes"]
    pictures = game.pictures(Match.start(game, {}, 2).position) * 3
    shown = ui.make_galleries(pictures, "")
    assert [[item.media.url for item in gallery.items] for gallery in shown] == [
        [f"attachment://board-{number}.png"] for number in (1, 2, 3)
    ]


def test_no_word_of_a_title_is_too_long_to_stand_beside_a_small_board() -> None:
    broken = {game.title: LONG_WORD.sub(BREAK, game.title) for game in load_games().values()}
    assert max(len(word) for told in broken.values() for word in told.replace(BREAK, " ").split()) <= 18
    assert [title for title, told in broken.items() if told != title] == ["Palindromes/Antipalindromes"]
