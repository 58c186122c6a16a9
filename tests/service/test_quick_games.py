"""Which quick game somebody gets: another one each time, against a level above where they have won."""

from __future__ import annotations

from dataclasses import replace

from bot.games.catalogue import load_offered_games
from bot.play import challenges
from bot.play.challenges import QuickGame
from bot.play.match import Match
from bot.play.ratings import ResultAgainstComputer

EASIEST, NEXT, *_ = challenges.order_games(load_offered_games().values())


def against(game: str, level: int, won: int = 0, lost: int = 0, drawn: int = 0) -> ResultAgainstComputer:
    """Somebody's finished matches against a level."""
    return ResultAgainstComputer(game, level, won, drawn, lost, won)


def test_the_first_is_the_easiest_against_the_weakest() -> None:
    assert challenges.choose_quick_game(load_offered_games().values(), [], {}) == QuickGame(EASIEST, 1)


def test_a_new_game_is_not_the_first_unless_it_says_so() -> None:
    """However easy it is."""
    easier = replace(load_offered_games()["dream-math"], key="new", title="A New Game", minutes=5)
    games = [*load_offered_games().values(), easier]
    assert challenges.choose_quick_game(games, [], {}).game == EASIEST
    assert [game.key for game in games if game.quick_start] == [EASIEST.key], "one alone can be the first"
    first = replace(easier, quick_start=True)
    assert challenges.choose_quick_game([replace(EASIEST, quick_start=False), first], [], {}).game == first


def test_the_aim_of_a_game_begins_with_its_first_move() -> None:
    """Where that is another one than those that follow."""
    writes = dict[str, str]()
    for game in challenges.order_games(load_offered_games().values()):
        start = Match.start(game, {}, 2).position
        if [kind.name for kind in game.moves if kind.when(start, 1)] == ["append"]:
            writes[game.key] = game.goal
    assert {key: goal.partition(" list")[0] for key, goal in writes.items()} == {
        "binary-scramble": "Write a",
        "combining-dividing": "Write a",
    }


def test_the_second_is_another_and_a_level_above_when_they_won() -> None:
    games = load_offered_games().values()
    assert challenges.choose_quick_game(games, [against(EASIEST.key, 1, won=1)], {}) == QuickGame(NEXT, 2)
    assert challenges.choose_quick_game(games, [against(EASIEST.key, 1, lost=1)], {}) == QuickGame(NEXT, 1)
    assert challenges.choose_quick_game(games, [], {EASIEST.key: 1}) == QuickGame(NEXT, 1), "one is still being played"


def test_who_wins_and_loses_a_level_as_often_stays_there() -> None:
    games = load_offered_games().values()
    results = [against(EASIEST.key, 1, won=2), against(NEXT.key, 2, won=1, lost=1)]
    assert challenges.choose_quick_game(games, results, {}).level == 2


def test_when_all_were_played_it_begins_with_the_easiest_again() -> None:
    games = challenges.order_games(load_offered_games().values())
    results = [against(game.key, 1, lost=1) for game in games]
    assert challenges.choose_quick_game(games, results, {}) == QuickGame(EASIEST, 1)


def test_no_level_is_above_what_a_game_has() -> None:
    games = load_offered_games().values()
    results = [against(EASIEST.key, 99, won=3)]
    found = challenges.choose_quick_game(games, results, {})
    assert found.level == challenges.list_usual_levels(found.game)[-1]
