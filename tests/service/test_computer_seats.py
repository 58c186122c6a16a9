"""Computer seats: what is refused to old clients, draws among several, and how it is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.engine.levels import SearchQuestion, Thought
from bot.features.board import directory as match_directory
from bot.features.board import views as board_views
from bot.features.board import words as board_words
from bot.features.ranking import words as ranking_words
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.platform import ui
from bot.play import acts, challenges, proposals
from bot.play.acts import NotPossibleNow, StaleBoard
from bot.play.ids import MatchId, UserId, make_computer_user
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal
from bot.play.match import Match
from bot.play.ratings import ResultAgainstComputer
from bot.umpire.acts import ConsentService
from bot.umpire.umpire import ActResult
from data.store import Reader
from tests.service.test_umpire import ANN, BEA, Desk, desk
from tests.support import loaded_matches

__all__ = ["desk"]

SMALL: dict[str, Any] = {"size": 3}


async def begun(desk: Desk, level: int = 2, **chosen: Any) -> LoadedMatch:
    """A match of Binary Primes between Ann, who has the first move, and a computer."""
    return await desk.challenge("binary-primes", ANN, level=level, **{"options": SMALL, **chosen})


async def seat(desk: Desk, match: MatchId, user: UserId, level: int) -> ActResult:
    return await desk.umpire.act(desk.act(), match, user, partial(challenges.seat_computer, level=level))


def expecting(*shares: float) -> Callable[[SearchQuestion], Awaitable[Thought]]:
    """Who thinks that each seat has such a share of the match."""

    async def thinks(question: SearchQuestion) -> Thought:
        return Thought("a1", 0, 0.5, False, (), shares)

    return thinks


async def draw(desk: Desk, match: MatchId, user: UserId, *shares: float) -> ActResult:
    return await ConsentService(desk.umpire).propose_draw(desk.act(), match, user, expecting(*shares))


async def test_what_no_client_offers_any_more_is_refused(desk: Desk) -> None:
    with pytest.raises(Refusal, match="^The computer plays at levels 1 to 6"):
        await begun(desk, level=7)
    opened = await desk.challenge("binary-scramble", ANN, BEA, seats=3, rated=True)
    with pytest.raises(NotPossibleNow, match="^No computer sits at this table"):
        await desk.umpire.act(desk.act(), opened.id, ANN, challenges.remove_computers)
    await seat(desk, opened.id, ANN, 1)
    with pytest.raises(NotPossibleNow, match="^Every seat at this table is taken"):
        await seat(desk, opened.id, ANN, 1)
    await desk.umpire.act(desk.act(), opened.id, BEA, acts.accept)
    with pytest.raises(NotPossibleNow, match="^This match has already begun"):
        await seat(desk, opened.id, ANN, 3)
    with pytest.raises(Refusal, match="^Use /match draw to offer the computer a draw"):
        await ConsentService(desk.umpire).propose(desk.act(), opened.id, ANN, "draw")


async def test_how_matches_against_the_computer_went_is_known_where_they_were_played(desk: Desk) -> None:
    match = (await begun(desk, 1)).id
    await desk.umpire.act(desk.act(), match, make_computer_user(1), acts.resign)
    (found,) = await desk.store.ask(Reader.load_results_against_computer, 10, ANN)
    assert tuple(found)[1:] == (1, 1, 0, 0, 1)
    for server, user in ((11, ANN), (10, BEA)):
        assert await desk.store.ask(Reader.load_results_against_computer, server, user) == ()


# What it says to what people ask.


async def test_a_draw_among_several_needs_every_computer_and_every_person(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, BEA, level=5, seats=4)
    match = (await desk.umpire.act(desk.act(), loaded.id, BEA, acts.accept)).after.id
    row = await desk.store.ask(Reader.load_row, match)
    assert row
    shares = [0.9 if player.user == 52 else 0.1 for player in row.players]
    done = await draw(desk, match, ANN, *shares)
    assert done.after.row.proposal is None and done.after.row.refused
    first = done.after.turn[0]
    await desk.move(match, done.after.user_at(first), next(iter(done.after.begun_match.position.moves(first))))
    done = await draw(desk, match, ANN, 0.1, 0.1, 0.1, 0.1)
    assert proposals.list_users_to_answer(done.after) == (BEA,)
    done = await draw(desk, match, BEA, 1, 1, 1, 1)
    assert done.after.row.state == "finished"


async def test_what_a_computer_thought_of_another_board_counts_for_nothing(desk: Desk) -> None:
    match = (await begun(desk)).id

    async def moves(question: SearchQuestion) -> Thought:
        await desk.move(match, ANN, "a1")
        return await expecting(0.5, 0.5)(question)

    with pytest.raises(StaleBoard, match="^The match moved on while the computer was thinking about a draw"):
        await ConsentService(desk.umpire).propose_draw(desk.act(), match, ANN, moves)


async def test_a_question_about_a_draw_is_that_of_the_next_move(desk: Desk) -> None:
    loaded = await begun(desk, level=3)
    question = challenges.make_draw_question(loaded, 2)
    assert (question.seat, question.seed, question.game) == (1, f"{loaded.id}:0:1:3", "binary-primes")


# How it is told.


def between(game: Game, *users: UserId, options: dict[str, int | str] | None = None) -> LoadedMatch:
    """A match that has just begun, between these."""
    match = Match.start(game, options or {}, len(users))
    people = [
        replace(player, user=user)
        for player, user in zip(loaded_matches.players(len(users), match), users, strict=True)
    ]
    return loaded_matches.begun(match, players=tuple(people), host=users[0], rated=False)


def test_a_list_and_a_board_say_that_it_thinks() -> None:
    loaded = between(load_games()["plexus"], make_computer_user(3), ANN)
    assert match_directory.list_states(loaded.row, ANN) == ["the computer (level 3) is thinking"]
    assert board_words.describe_status(MatchView.of(loaded, None)).startswith("the computer (level 3) is thinking …")
    assert ui.find_view_buttons(board_views.build_board(MatchView.of(loaded, None), ()))[0].verb != "move"


def test_a_board_says_that_the_computer_plays_no_better_with_these_options() -> None:
    for level, said in ((2, ""), (3, "With these options, level 3 is the computer's best.")):
        small = between(load_games()["sums-grid"], ANN, make_computer_user(level), options={"size": 2})
        assert board_words.describe_level_cap(small) == said
    assert board_words.describe_level_cap(between(load_games()["binary-primes"], ANN, BEA)) == ""


def test_a_profile_says_what_was_beaten_as_far_as_there_is_room() -> None:
    results = [
        ResultAgainstComputer("plexus", 1, 3, 0, 0, 3),
        ResultAgainstComputer("plexus", 2, 1, 1, 4, 0),
        ResultAgainstComputer("binary-primes", 6, 0, 0, 1, 0),
    ]
    lines = ranking_words.format_computer_results(load_games(), results, 2000).splitlines()
    assert lines[1:] == [
        "**Binary Primes** · not beaten yet · level 6: 1 lost",
        "**Plexus** · **level 1 beaten** · level 1: 3 won · level 2: 1 won, 1 drawn and 4 lost",
    ]
    short = ranking_words.format_computer_results(load_games(), results, len("\n".join(lines)) - 1)
    assert short.splitlines() == lines[:2]
    assert (
        ranking_words.format_computer_results(load_games(), results, 20)
        == ranking_words.format_computer_results(load_games(), [], 2000)
        == ""
    )
