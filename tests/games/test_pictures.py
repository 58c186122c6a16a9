"""The pictures of every game are those of its golden file, can be read, and a fault that is planted in one is seen."""

from __future__ import annotations

import json
from difflib import unified_diff
from types import ModuleType

import pytest

from bot.games.catalogue import load_games
from bot.games.game import Game
from cogs.palindromic_rows_columns import picture as mirrors
from cogs.palindromic_rows_columns.rules import find_differing_pairs
from cogs.plexus import picture as segments
from rendering.shapes import SEAT_INKS
from tests.contract.drawing import covered, illegible, outside, texts, touching
from tests.games.golden import draw_moment, draw_moments, get_path, split_moments

GAMES = load_games()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_pictures_are_as_in_the_golden_file(game: Game) -> None:
    assert get_path(game).exists(), f"{get_path(game)} is missing: tests/games/golden.py says how it is begun"
    golden = get_path(game).read_text()
    changes = [*unified_diff(golden.splitlines(), draw_moments(game, golden).splitlines(), lineterm="", n=0)]
    assert not changes, "\n".join([f"Where this is meant: python -m tests.games.golden {game.key}", *changes])


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_golden_pictures_can_be_read(game: Game) -> None:
    moments = [json.loads(moment) for _, moment in split_moments(get_path(game).read_text())]
    for moment in moments:
        for picture in draw_moment(game, moment) if "pad" not in moment else ():
            unread = filter(None, (illegible(text, picture.squares_per_point) for text in texts(picture)))
            assert not [*unread, *outside(picture), *touching(picture), *covered(picture)], moment


def lose_a_pair(line: str) -> object:
    return find_differing_pairs(line)[1:]


@pytest.mark.parametrize(
    ("key", "module", "name", "fault"),
    [
        # A wrong colour, a count that is one too low, no label; the last move not marked, no label.
        ("palindromic-rows-columns", mirrors, "SEAT_INKS", SEAT_INKS[::-1]),
        ("palindromic-rows-columns", mirrors, "find_differing_pairs", lose_a_pair),
        ("palindromic-rows-columns", mirrors, "FLIPPED", ""),
        ("plexus", segments, "GOLD", 0.0),
        ("plexus", segments, "LACKED", dict.fromkeys(segments.LACKED, "")),
    ],
)
def test_a_planted_fault_is_seen(
    key: str, module: ModuleType, name: str, fault: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    golden = get_path(GAMES[key]).read_text()
    monkeypatch.setattr(module, name, fault)
    assert draw_moments(GAMES[key], golden) != golden
