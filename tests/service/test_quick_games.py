"""Which quick game somebody gets: another one each time, against a level above where they have won."""

from __future__ import annotations

from bot.core.library.catalogue import offered
from bot.core.match.match import Match
from bot.core.rating.stored_standings import Against
from bot.service.rules import computer_levels, quick_games
from bot.service.rules.quick_games import Quick

EASIEST, NEXT, *_ = quick_games.in_order(offered().values())


def against(game: str, level: int, won: int = 0, lost: int = 0, drawn: int = 0) -> Against:
    """Somebody's finished matches against a level."""
    return Against(game, level, won, drawn, lost, won)


def test_the_first_is_the_easiest_against_the_weakest() -> None:
    assert quick_games.following(offered().values(), [], {}) == Quick(EASIEST, 1)


def test_the_aim_of_a_game_begins_with_its_first_move() -> None:
    """Where that is another one than those that follow."""
    writes = dict[str, str]()
    for game in quick_games.in_order(offered().values()):
        start = Match.start(game, {}, 2).position
        if [kind.name for kind in game.moves if kind.when(start, 1)] == ["append"]:
            writes[game.key] = game.goal
    assert {key: goal.partition(" list")[0] for key, goal in writes.items()} == {
        "binary-scramble": "Write a",
        "combining-dividing": "Write a",
    }


def test_the_second_is_another_and_a_level_above_when_they_won() -> None:
    games = offered().values()
    assert quick_games.following(games, [against(EASIEST.key, 1, won=1)], {}) == Quick(NEXT, 2)
    assert quick_games.following(games, [against(EASIEST.key, 1, lost=1)], {}) == Quick(NEXT, 1)
    assert quick_games.following(games, [], {EASIEST.key: 1}) == Quick(NEXT, 1), "one is still being played"


def test_who_wins_and_loses_a_level_as_often_stays_there() -> None:
    games = offered().values()
    results = [against(EASIEST.key, 1, won=2), against(NEXT.key, 2, won=1, lost=1)]
    assert quick_games.following(games, results, {}).level == 2


def test_when_all_were_played_it_begins_with_the_easiest_again() -> None:
    games = quick_games.in_order(offered().values())
    results = [against(game.key, 1, lost=1) for game in games]
    assert quick_games.following(games, results, {}) == Quick(EASIEST, 1)


def test_no_level_is_above_what_a_game_has() -> None:
    games = offered().values()
    results = [against(EASIEST.key, 99, won=3)]
    found = quick_games.following(games, results, {})
    assert found.level == computer_levels.usual(found.game)[-1]
