"""Computer seats: who may add them, when the match begins, and how they answer proposals."""

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
from bot.play import acts, challenges, claims, proposals
from bot.play.acts import NotPossibleNow, NotYours, StaleBoard
from bot.play.challenges import ChallengeTerms
from bot.play.claims import CLAIMED_AFTER
from bot.play.clocks import DAY
from bot.play.ids import ChannelId, GuildId, MatchId, UserId, make_computer_user
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal
from bot.play.match import Match
from bot.play.ratings import ResultAgainstComputer
from bot.play.rows import ServerSettings
from bot.umpire.acts import ConsentService, DeadlineService
from bot.umpire.umpire import ActResult
from data.store import Reader, Transaction
from tests.service.test_clock_updates import shown
from tests.service.test_umpire import ANN, BEA, CEM, Desk, desk
from tests.support import loaded_matches

__all__ = ["desk"]

SMALL: dict[str, Any] = {"size": 3}


async def begun(desk: Desk, level: int = 2, **chosen: Any) -> LoadedMatch:
    """A match of Binary Primes between Ann, who has the first move, and a computer."""
    return await desk.challenge("binary-primes", ANN, level=level, **{"options": SMALL, **chosen})


async def seat(desk: Desk, match: MatchId, user: UserId, level: int) -> ActResult:
    return await desk.umpire.act(desk.act(), match, user, partial(challenges.seat_computer, level=level))


async def rise(desk: Desk, match: MatchId, user: UserId) -> ActResult:
    return await desk.umpire.act(desk.act(), match, user, challenges.remove_computers)


def people(loaded: LoadedMatch) -> list[UserId]:
    return [player.user for player in loaded.players]


def expecting(*shares: float) -> Callable[[SearchQuestion], Awaitable[Thought]]:
    """Who thinks that each seat has such a share of the match."""

    async def thinks(question: SearchQuestion) -> Thought:
        return Thought("a1", 0, 0.5, False, (), shares)

    return thinks


async def draw(desk: Desk, match: MatchId, user: UserId, *shares: float) -> ActResult:
    return await ConsentService(desk.umpire).propose_draw(desk.act(), match, user, expecting(*shares))


# To challenge.


async def test_a_match_with_a_computer_begins_at_once_unrated_and_without_clocks(desk: Desk) -> None:
    loaded = await begun(desk, level=4, rated=True, pace="1")
    assert (loaded.row.state, loaded.row.rated, loaded.row.pace) == ("live", False, "none")
    assert people(loaded) == [ANN, make_computer_user(4)] and loaded.users_to_notify == ()
    assert await desk.store.ask(Reader.find_challenge_requests, 10, (make_computer_user(4),), 0, desk.now) == ()


async def test_seats_that_are_left_go_to_computers_who_are_told_apart(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, level=2, seats=3)
    assert people(loaded) == [ANN, 21, 22] and loaded.row.state == "live"
    loaded = await desk.challenge("binary-scramble", ANN, BEA, level=5)
    assert sorted(people(loaded)) == sorted([ANN, BEA, make_computer_user(5)]) and loaded.row.seats == 3
    assert (loaded.row.state, loaded.row.rated) == ("open", False)


async def test_with_several_people_they_have_clocks_and_computers_none(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, BEA, level=5, pace="3")
    done = await desk.umpire.act(desk.act(), loaded.id, BEA, acts.accept)
    assert done.after.row.pace == "3"
    clocks = {player.user: player.seconds_left for player in done.after.players}
    assert clocks == {ANN: 3 * DAY, BEA: 3 * DAY, make_computer_user(5): None}


async def test_a_level_for_which_a_board_is_too_small_is_not_offered(desk: Desk) -> None:
    chosen = ChallengeTerms(GuildId(10), ChannelId(20), ANN, load_games()["sums-grid"], {"size": 2}, seats=2, level=6)
    loaded = await desk.umpire.challenge(desk.act(), chosen)
    assert people(loaded) in ([ANN, make_computer_user(3)], [make_computer_user(3), ANN])


@pytest.mark.parametrize("chosen", [{"seats": 1}, {"guests": (BEA,), "seats": 2}, {"guests": (BEA,)}])
async def test_where_no_seat_is_left_for_the_computer_that_is_said(desk: Desk, chosen: dict[str, Any]) -> None:
    full = chosen == {"guests": (BEA,)}
    key = "binary-primes" if full else "sums-grid"
    with pytest.raises(Refusal, match="^There is no seat left for the computer. Name fewer people or more seats"):
        await desk.umpire.challenge(
            desk.act(), ChallengeTerms(GuildId(10), ChannelId(20), ANN, load_games()[key], level=2, **chosen)
        )
    with pytest.raises(Refusal, match="^The computer plays at levels 1 to 6"):
        await begun(desk, level=7)


async def test_who_has_many_open_challenges_can_still_play_the_computer(desk: Desk) -> None:
    await desk.store.do(Transaction.set_settings, 10, ServerSettings(most_open=1))
    await desk.challenge("binary-primes", ANN, options=SMALL)
    with pytest.raises(Refusal, match="^You have 1 open challenge"):
        await desk.challenge("binary-primes", ANN, options=SMALL)
    assert (await begun(desk)).row.state == "live"


# At a table.


async def test_the_host_has_computers_sit_down_and_get_up(desk: Desk) -> None:
    opened = await desk.challenge("binary-scramble", ANN, seats=3, rated=True)
    with pytest.raises(NotYours, match=f"^Only <@{ANN}>, who opened this table, can add the computer"):
        await seat(desk, opened.id, BEA, 3)
    after = (await seat(desk, opened.id, ANN, 3)).after
    assert people(after) == [ANN, 31] and after.row.state == "open"
    await rise(desk, opened.id, ANN)
    with pytest.raises(NotPossibleNow, match="^No computer sits at this table"):
        await rise(desk, opened.id, ANN)
    for _ in range(2):
        after = (await seat(desk, opened.id, ANN, 3)).after
    assert (after.row.state, after.row.rated, after.row.pace) == ("live", False, "none")
    assert sorted(people(after)) == [1, 31, 32]
    with pytest.raises(NotPossibleNow, match="^This match has already begun"):
        await seat(desk, opened.id, ANN, 3)


async def test_who_is_invited_stays_so_and_a_table_without_computers_is_rated(desk: Desk) -> None:
    opened = await desk.challenge("binary-scramble", ANN, BEA, seats=3, rated=True)
    after = (await seat(desk, opened.id, ANN, 1)).after
    assert after.row.state == "open" and [player.invited for player in after.players] == [False, True, False]
    with pytest.raises(NotPossibleNow, match="^Every seat at this table is taken"):
        await seat(desk, opened.id, ANN, 1)
    await rise(desk, opened.id, ANN)
    await desk.umpire.act(desk.act(), opened.id, CEM, acts.accept)
    done = await desk.umpire.act(desk.act(), opened.id, BEA, acts.accept)
    assert done.after.row.state == "live" and done.after.row.rated
    with_one = await desk.challenge("binary-scramble", ANN, BEA, seats=3, rated=True)
    await seat(desk, with_one.id, ANN, 1)
    done = await desk.umpire.act(desk.act(), with_one.id, BEA, acts.accept)
    assert done.after.row.state == "live" and not done.after.row.rated


# What it says to what people ask.


async def test_a_computer_agrees_at_once_to_a_takeback_and_to_calling_off(desk: Desk) -> None:
    match = (await begun(desk)).id
    await desk.move(match, ANN, "a1")
    await desk.move(match, make_computer_user(2), "b2")
    done = await ConsentService(desk.umpire).propose(desk.act(), match, ANN, "takeback")
    assert done.after.turn == (1,) and done.after.row.proposal is None and done.after.row.thinks is None
    off = await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, now=desk.now))
    assert off.after.row.state == "aborted"


async def test_people_are_asked_and_computers_are_not(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, BEA, level=5, pace="3")
    match = (await desk.umpire.act(desk.act(), loaded.id, BEA, acts.accept)).after.id
    done = await ConsentService(desk.umpire).propose(desk.act(), match, ANN, "pause")
    assert proposals.list_users_to_answer(done.after) == (BEA,)
    done = await desk.umpire.act(desk.act(), match, BEA, partial(proposals.agree, now=desk.now))
    assert done.after.row.paused == desk.now
    assert (
        await desk.umpire.act(desk.act(), match, ANN, partial(claims.abort, now=desk.now))
    ).after.row.state == "live"
    assert (
        await desk.umpire.act(desk.act(), match, BEA, partial(claims.abort, now=desk.now))
    ).after.row.state == "aborted"


async def test_a_computer_agrees_to_a_draw_when_it_expects_no_more(desk: Desk) -> None:
    match = (await begun(desk)).id
    with pytest.raises(Refusal, match="^Use /match draw to offer the computer a draw"):
        await ConsentService(desk.umpire).propose(desk.act(), match, ANN, "draw")
    done = await draw(desk, match, ANN, 0.4, 0.6)
    assert done.after.row.state == "live" and done.after.row.proposal is None
    again = "^You already asked “A draw.”, and the computer .level 2. didn't agree. Ask again after another move"
    with pytest.raises(Refusal, match=again):
        await draw(desk, match, ANN, 1, 0)
    await desk.move(match, ANN, "a1")
    done = await draw(desk, match, ANN, 0.5, 0.5)
    assert done.after.row.state == "finished" and [player.rank for player in done.after.players] == [1, 1]


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


async def test_nothing_secret_is_told_by_a_draw(desk: Desk) -> None:
    loaded = await desk.challenge("sums-grid", ANN, level=2, seats=2)

    async def never(question: SearchQuestion) -> Thought:
        raise AssertionError("it is not asked")

    with pytest.raises(Exception, match="its moves are secret until the end"):
        await ConsentService(desk.umpire).propose_draw(desk.act(), loaded.id, ANN, never)


async def test_a_question_about_a_draw_is_that_of_the_next_move(desk: Desk) -> None:
    loaded = await begun(desk, level=3)
    question = challenges.make_draw_question(loaded, 2)
    assert (question.seat, question.seed, question.game) == (1, f"{loaded.id}:0:1:3", "binary-primes")


# Who plays on.


async def test_when_the_last_person_leaves_computers_do_not_play_on(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, BEA, level=5, seats=4)
    match = (await desk.umpire.act(desk.act(), loaded.id, BEA, acts.accept)).after.id
    assert (await desk.umpire.act(desk.act(), match, ANN, acts.resign)).after.row.state == "live"
    done = await desk.umpire.act(desk.act(), match, BEA, acts.resign)
    assert done.after.row.state == "aborted" and done.after.row.close_reason
    alone = await begun(desk)
    done = await desk.umpire.act(desk.act(), alone.id, ANN, acts.resign)
    assert done.after.row.state == "finished" and done.after.begun_match.ranks == (2, 1)


async def test_nobody_waits_for_the_last_person_who_ran_out_of_time(desk: Desk) -> None:
    loaded = await desk.challenge("binary-scramble", ANN, BEA, level=5, pace="1", seats=3)
    match = (await desk.umpire.act(desk.act(), loaded.id, BEA, acts.accept)).after.id
    await desk.umpire.act(desk.act(), match, BEA, acts.resign)
    await shown(desk, match)
    for seconds in (DAY, CLAIMED_AFTER):
        desk.now += seconds
        assert [one async for one in DeadlineService(desk.umpire).run_due_acts()] == [match]
    row = (await desk.umpire.load(match)).row
    assert (row.state, row.close_reason) == (
        "aborted",
        "Everybody ran out of time, so the match was closed. It is not rated.",
    )


async def test_a_computer_keeps_its_seat(desk: Desk) -> None:
    match = (await begun(desk)).id
    with pytest.raises(Refusal, match="^Nobody can take over the computer's seat"):
        await desk.umpire.act(
            desk.act(), match, ANN, partial(proposals.propose_substitute, of=2, new=BEA, now=desk.now)
        )
    done = await desk.umpire.act(
        desk.act(), match, ANN, partial(proposals.propose_substitute, of=1, new=BEA, now=desk.now)
    )
    assert proposals.list_users_to_answer(done.after) == (BEA,)
    after = (await desk.umpire.act(desk.act(), match, BEA, partial(proposals.agree, now=desk.now))).after
    assert people(after) == [BEA, make_computer_user(2)]


async def test_a_rematch_begins_at_once_with_seats_passed_on_and_perhaps_another_level(desk: Desk) -> None:
    first = (await begun(desk)).id
    await desk.umpire.act(desk.act(), first, ANN, acts.resign)
    again = await desk.umpire.rematch(desk.act(), first, ANN)
    assert people(again) == [make_computer_user(2), ANN] and again.row.state == "live" and again.row.thinks == 1
    await desk.umpire.act(desk.act(), again.id, ANN, acts.resign)
    harder = await desk.umpire.rematch(desk.act(), again.id, ANN, 3)
    assert people(harder) == [ANN, make_computer_user(3)] and harder.row.state == "live" and not harder.row.rated
    with pytest.raises(NotPossibleNow, match=f"^The rematch is already there, match {harder.id}"):
        await desk.umpire.rematch(desk.act(), again.id, ANN)


async def test_how_matches_against_the_computer_went(desk: Desk) -> None:
    """By game and level; what a hint helped to win is not beaten, and nothing of it is rated."""

    async def over(level: int, hints: int = 0, leaves: bool = False) -> None:
        match = (await begun(desk, level, options={"size": 3})).id
        if hints:
            await desk.store.do(Transaction.set_player, match, ANN, hints=hints)
        user = ANN if leaves else make_computer_user(level)
        await desk.umpire.act(desk.act(), match, user, acts.resign)

    await over(1)
    await over(2, leaves=True)
    await over(2)
    await over(4, hints=1)
    found = await desk.store.ask(Reader.load_results_against_computer, 10, ANN)
    assert [tuple(one)[1:] for one in found] == [(1, 1, 0, 0, 1), (2, 1, 0, 1, 1), (4, 1, 0, 0, 0)]
    assert (
        await desk.store.ask(Reader.load_results_against_computer, 11, ANN)
        == await desk.store.ask(Reader.load_results_against_computer, 10, BEA)
        == ()
    )
    assert await desk.store.ask(Reader.leaderboard, 10) == ()


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
