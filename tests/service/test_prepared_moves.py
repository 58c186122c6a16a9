"""Prepared moves: played once, in the transaction of the move they answer, and gone when the match goes elsewhere."""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.games.legs import get_game_for_legs
from bot.games.position import Illegal, MoveError
from bot.play import acts, claims, proposals
from bot.play.acts import NotPossibleNow, NotYours, NotYourTurn, StaleBoard
from bot.play.clocks import DAY
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.play.match import Match
from bot.play.premoves import DEEPEST, MOST, PremoveTree, explain_dropped, find_premoves
from bot.play.record import Move
from bot.umpire.acts import PremoveService, store_premoves
from bot.umpire.umpire import ActResult
from data.store import Reader, Transaction
from tests.contract.playing import stepped
from tests.data.raw import told as asked
from tests.service.test_clock_updates import clock, shown
from tests.service.test_umpire import ANN, BEA, CEM, GAMES, Desk, desk
from tests.support.postgres import on_both
from tests.support.sampled import sampled
from tests.support.two_legs import LEGGED, drawn, legs_of

__all__ = ["desk"]


SAME_WAY = 20
"""In how many matches at most an answer that is ready comes to be played."""


async def prepare(desk: Desk, match: MatchId, user: UserId, *texts: str, seen: int | None = None) -> LoadedMatch:
    """Prepare a line, in turns from the opponent on."""
    seat = (await desk.umpire.load(match)).row.seat_of(user) or 0
    line = tuple(Move(seat if at % 2 else 3 - seat, text) for at, text in enumerate(texts))
    return await PremoveService(desk.umpire).add(match, user, line, seen)


async def tree(desk: Desk, match: MatchId, user: UserId) -> PremoveTree:
    """What somebody has ready now."""
    return find_premoves(await desk.umpire.load(match), user)


def lines(done: ActResult) -> list[str]:
    """What an act has added to the record."""
    return [line.text for line in done.after.row.record[done.before.row.plies :]]


def mentioned(done: ActResult) -> set[UserId]:
    """Whom the next board mentions."""
    return {player.user for player in done.after.row.players if player.mention_version == done.after.row.version}


async def begun(desk: Desk, *moves: str, size: int = 5, **chosen: Any) -> MatchId:
    """A match of Binary Primes after some moves in turn; Ann moves first."""
    match = await desk.match("binary-primes", ANN, BEA, options={"size": size}, **chosen)
    for user, move in zip((ANN, BEA) * 4, moves, strict=False):
        await desk.move(match, user, move)
    await shown(desk, match)
    return match


@on_both
async def test_the_answer_is_played_with_the_move_and_only_who_is_to_move_then_is_told(desk: Desk) -> None:
    match = await begun(desk, "a1")
    before = (await desk.umpire.load(match)).row
    after = await prepare(desk, match, ANN, "c3", "b2", "a3", "c1")
    assert after == await desk.umpire.load(match)
    assert (after.row.version, after.row.shown_version) == (before.version, before.shown_version)
    done = await desk.move(match, BEA, "C3")
    row = done.after.row
    assert lines(done) == ["c3", "b2"] and row.premove_plies == (3,) and row.turn == (2,)
    assert row.version == before.version + 2 and mentioned(done) == {BEA} == {*done.after.users_to_notify}
    assert done.after.before and len(done.after.before.record) == 1, "the exchange is one turn"
    await shown(desk, match)
    assert lines(await desk.move(match, BEA, "a3")) == ["a3", "c1"]
    assert (await desk.umpire.load(match)).row.premove_plies == (3, 5)
    assert await tree(desk, match, ANN) == PremoveTree(), "a tree that is used up leaves nothing to say"


async def test_a_move_that_comes_twice_is_answered_once(desk: Desk) -> None:
    match, act = await begun(desk, "a1"), desk.act()
    await prepare(desk, match, ANN, "c3", "b2")
    first, second = await asyncio.gather(*(desk.umpire.move(act, match, BEA, "c3") for _ in range(2)))
    assert sorted((first.repeated, second.repeated)) == [False, True]
    assert [line.text for line in second.after.row.record] == ["a1", "c3", "b2"]
    assert (await desk.umpire.move(act, match, BEA, "c3")).repeated


async def test_a_prepared_move_is_an_act_known_by_its_match_and_its_ply(desk: Desk) -> None:
    match = await begun(desk, "a1")
    await prepare(desk, match, ANN, "c3", "b2")
    acts = {row[0] for row in asked(desk.url, "SELECT interaction FROM deliveries WHERE interaction < 0")}
    await desk.move(match, BEA, "c3")
    more = {row[0] for row in asked(desk.url, "SELECT interaction FROM deliveries WHERE interaction < 0")} - acts
    assert len(more) == 1


async def test_an_answer_that_the_rules_refuse_by_then_is_not_played(desk: Desk) -> None:
    match = await begun(desk, "a1")
    wrong = str(PremoveTree(((Move(2, "c3"), Move(1, "a1")),)))
    await desk.store.do(Transaction.set_player, match, ANN, prepared=wrong)
    done = await desk.move(match, BEA, "c3")
    assert lines(done) == ["c3"] and mentioned(done) == {ANN} and done.after.row.premove_plies == ()
    assert explain_dropped(done.after, ANN) == "The move that you had ready isn't legal any more, so it wasn't played."


@pytest.mark.parametrize("pace", ["3", "bank"])
async def test_no_clock_runs_for_who_had_the_answer_ready(desk: Desk, pace: str) -> None:
    match = await begun(desk, "a1", pace=pace)
    whole = (await clock(desk, match, ANN)).seconds_left
    await prepare(desk, match, ANN, "c3", "b2")
    desk.now += 2 * DAY
    await desk.move(match, BEA, "c3")
    ann, bea = await clock(desk, match, ANN), await clock(desk, match, BEA)
    assert ann.seconds_left == whole and ann.since is ann.deadline is None
    assert bea.since is None and bea.seconds_left == bea.allotted == (9 * DAY if pace == "bank" else 3 * DAY)
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline == desk.now + (bea.seconds_left or 0)
    assert (await clock(desk, match, ANN)).deadline is None


async def test_no_prepared_moves_outlive_the_match(desk: Desk) -> None:
    for end in ("resign", "abort", "close", "forget"):
        match = await begun(desk, "a1")
        await prepare(desk, match, ANN, "c3", "b2")
        if end == "resign":
            await desk.umpire.act(desk.act(), match, BEA, acts.resign)
        elif end == "abort":
            await desk.umpire.act(desk.act(), match, CEM, partial(claims.abort, manager=True, now=desk.now))
        elif end == "close":
            asked(desk.url, f"UPDATE matches SET game_version = 99 WHERE id = {match}")
            await desk.sweeper.close_outdated()
        else:
            await desk.umpire.forget_user(desk.act(), ANN)
        row = await desk.store.ask(Reader.load_row, match)
        assert row and row.state in ("finished", "aborted") and not any(player.prepared for player in row.players)


async def test_an_answer_is_no_sign_of_life(desk: Desk) -> None:
    """Who is gone and has answers ready is replaced like anybody who is gone."""
    match = await begun(desk, "a1")
    await prepare(desk, match, ANN, "c3", "b2")
    await desk.umpire.act(
        desk.act(), match, BEA, partial(proposals.propose_substitute, of=1, new=CEM, absent=True, now=desk.now)
    )
    done = await desk.move(match, BEA, "c3")
    assert lines(done) == ["c3", "b2"] and (done.after.row.proposal or "").endswith("gone")


async def test_in_two_legs_each_leg_has_its_own_lines(desk: Desk) -> None:
    match = await desk.match("binary-primes", ANN, BEA, options={"size": 3}, legs=2)
    await desk.move(match, ANN, "1: a1")
    await prepare(desk, match, ANN, "1: c3", "1: b2")
    with pytest.raises(MoveError):
        await prepare(desk, match, ANN, "2: c3", "2: c3")
    await prepare(desk, match, ANN, "2: c3", "2: b2")
    assert lines(await desk.move(match, BEA, "2: a1")) == ["2: a1"]
    assert (
        explain_dropped(await desk.umpire.load(match), ANN)
        == "The match went another way, so your prepared moves are gone."
    )
    done = await desk.move(match, BEA, "1: c3")
    assert lines(done) == ["1: c3", "1: b2"]


async def test_what_cannot_be_prepared(desk: Desk) -> None:
    match = await begun(desk, "a1")
    for user, texts, refusal in (
        (BEA, ("c3", "b2"), NotYourTurn), (CEM, ("c3", "b2"), NotYours), (ANN, ("c3", "c3"), Illegal),
        (ANN, ("c3",), Refusal), (ANN, (), NotYourTurn), (ANN, ("z9", "b2"), MoveError),
    ):  # fmt: skip
        with pytest.raises(refusal):
            if user == CEM:
                await PremoveService(desk.umpire).add(match, CEM, (Move(2, "c3"), Move(1, "b2")))
            else:
                await prepare(desk, match, user, *texts) if user == ANN else await PremoveService(desk.umpire).add(
                    match, BEA, (Move(2, "c3"), Move(1, "b2"))
                )
    with pytest.raises(StaleBoard):
        await prepare(desk, match, ANN, "c3", "b2", seen=0)
    assert await tree(desk, match, ANN) == PremoveTree()


async def test_a_tree_has_bounds(desk: Desk) -> None:
    match = await desk.match("binary-primes", ANN, BEA, options={"size": 7})
    await desk.move(match, ANN, "a1")
    free = [f"{column}{row}" for row in range(2, 8) for column in "abcdefg"]
    for number in range(MOST):
        await prepare(desk, match, ANN, free[number], free[-1])
    with pytest.raises(NotPossibleNow, match="You have 20 lines ready"):
        await prepare(desk, match, ANN, free[MOST], free[-1])
    await PremoveService(desk.umpire).clear(match, ANN)
    await prepare(desk, match, ANN, *free[: 2 * DEEPEST])
    with pytest.raises(NotPossibleNow, match="That line has 5 answers"):
        await prepare(desk, match, ANN, *free[: 2 * DEEPEST + 2])


@on_both
async def test_what_is_prepared_while_the_opponent_moves_is_answered_or_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is kept after the move was decided and before it is written."""
    match = await begun(desk, "a1")
    do, slipped = desk.store.do, list[str]()

    async def late(change: Any, *args: Any, **kwargs: Any) -> Any:
        if not slipped and change is not store_premoves:
            slipped.append("in")
            await prepare(desk, match, ANN, "c3", "b2")
        return await do(change, *args, **kwargs)

    monkeypatch.setattr(desk.store, "do", late)
    assert lines(await desk.move(match, BEA, "c3")) == ["c3", "b2"]

    async def early(change: Any, *args: Any, **kwargs: Any) -> Any:
        if change is store_premoves and len(slipped) == 1:
            slipped.append("out")
            await desk.move(match, BEA, "a3")
        return await do(change, *args, **kwargs)

    monkeypatch.setattr(desk.store, "do", early)
    with pytest.raises((StaleBoard, NotYourTurn, MoveError)):
        await prepare(desk, match, ANN, "c1", "b1", seen=3)
    assert await tree(desk, match, ANN) == PremoveTree()


def continued(match: Match, rng: Random, most: int) -> list[Move]:
    """A random way on; if there are two legs, in one of them."""
    leg, before = rng.choice((1, 2)), len(match.record)
    while len(match.record) - before < most and not match.is_over:
        if match.game.single and not legs_of(match).get_position(leg).turn:
            break
        match = drawn(match, leg, rng) if match.game.single else stepped(match, rng)
    return [Move(*line) for line in match.record[before:]]


@sampled("key", [game.key for game in LEGGED], rest=pytest.mark.minutes)
@pytest.mark.parametrize("legs", [1, 2])
async def test_any_match_goes_the_same_way_as_if_the_answers_were_played_by_hand(
    desk: Desk, key: str, legs: int
) -> None:
    await expect_same_way(desk, key, legs)


async def test_so_does_a_match_of_two_moves(desk: Desk) -> None:
    """In a short game an answer is seldom what is played, and never where nobody answers: then that is said."""
    await expect_same_way(desk, "marks", 1, squares=2)
    with pytest.raises(AssertionError, match="In 0 matches of marks no answer that was ready was played"):
        await expect_same_way(desk, "marks", 1, most=0, squares=2)


async def expect_same_way(desk: Desk, key: str, legs: int, most: int = SAME_WAY, **options: int) -> None:
    """Play matches with answers ready until one of these was played, and compare each with its record."""
    rng = Random(f"{key} {legs}")
    for _ in range(most):
        if await play_prepared(desk, key, legs, rng, options):
            return
    raise AssertionError(f"In {most} matches of {key} no answer that was ready was played: try more of so short a game")


async def play_prepared(desk: Desk, key: str, legs: int, rng: Random, options: dict[str, int]) -> int:
    """Of two matches, one is played with answers ready, the other by hand from the first one's record; how many answers
    were played."""
    game, ready = get_game_for_legs(GAMES[key], legs), 0
    match = await desk.match(key, ANN, BEA, legs=legs, options=options)
    for _ in range(14):
        loaded = await desk.umpire.load(match)
        if loaded.row.state != "live":
            break
        for user in (ANN, BEA) * 4:
            line = continued(loaded.begun_match, rng, rng.randint(1, 6))
            while line and line[-1].seat != loaded.seat_of(user):
                line.pop()
            if line and line[0].seat != loaded.seat_of(user):
                await PremoveService(desk.umpire).add(match, user, tuple(line))
        foreseen = [line[0] for user in (ANN, BEA) for line in (await tree(desk, match, user)).lines]
        drawn_now = continued(loaded.begun_match, rng, 1)
        move = rng.choice(foreseen) if foreseen and rng.random() < 0.8 else drawn_now[0] if drawn_now else None
        if move is None:
            continue
        done = await desk.move(match, loaded.user_at(move.seat), move.text)
        ready += len(lines(done)) - 1
        assert done.after.row.version == done.before.row.version + len(lines(done))
        after = Match.start(game, done.after.row.options, 2)
        for line in done.after.row.record:
            after = after.enter(*line)
        assert (after.position, after.turn) == (done.after.begun_match.position, done.after.begun_match.turn)
        assert [
            find_premoves(done.after, user).find_due_move(done.after.seat_of(user) or 0) for user in (ANN, BEA)
        ] == [
            None,
            None,
        ]
    return ready
