"""A match as a text to be copied: who won, who led when, and a bar for each player, in eight lines at most."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.features.board.words import CHIPS, format_mention
from bot.features.study.shares import MOST_LINES, NOBODY_LED, format_share
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import has_legs, make_two_legged
from bot.play.loaded_match import LoadedMatch
from bot.play.match import Match
from tests.contract.playing import playouts, records
from tests.gallery import folded
from tests.support.loaded_matches import begun

SQUARES = {*CHIPS, NOBODY_LED}
PALINDROMIC = load_games()["palindromic-rows-columns"]


def end(match: Match) -> LoadedMatch:
    loaded = begun(match)
    return replace(loaded, row=replace(loaded.row, state="finished"))


def list_ends(game: Game) -> list[LoadedMatch]:
    ends = [folded(game, row)[-1] for row in records(game)] + [moments[-1] for moments in playouts(game)]
    return [end(match) for match in ends if match.is_over]


@pytest.mark.parametrize("game", load_games().values(), ids=lambda game: game.key)
def test_every_match_fits_eight_lines_of_ten_squares(game: Game) -> None:
    """And has squares in the colours of those who played; the winner's bar of several is the first."""
    ends = list_ends(game)
    assert ends
    for loaded in ends:
        title, _, *drawn = format_share(loaded).split("\n")
        assert title.startswith(game.title)
        assert drawn or not loaded.begun_match.standing
        assert len(drawn) + 2 <= MOST_LINES, drawn
        assert all(sum(sign in SQUARES for sign in line) <= 10 for line in drawn), drawn
        assert {sign for line in drawn for sign in line if sign in CHIPS} <= {*CHIPS[: loaded.row.seats]}


def test_two_legs_are_one_text() -> None:
    game = load_games()["binary-primes"]
    assert has_legs(game)
    for moments in playouts(make_two_legged(game)):
        if moments[-1].is_over:
            assert len(format_share(end(moments[-1])).split("\n")) == 5


def test_a_match_of_two() -> None:
    """The example of the rules: the lower score wins, so its bar is the shorter one."""
    ann, bea = (format_mention(list_ends(PALINDROMIC)[0], seat) for seat in (1, 2))
    assert format_share(list_ends(PALINDROMIC)[0]).split("\n") == [
        "Palindromic Rows/Columns, 8 moves",
        f"{ann} beat {bea} 2\xa0:\xa04.",
        "led: ⬜⬜⬜⬜🟦🟦🟦🟦",
        f"🟦🟦🟦🟦🟦 {ann} 2 flips",
        f"🟧🟧🟧🟧🟧🟧🟧🟧🟧🟧 {bea} 4 flips",
    ]
