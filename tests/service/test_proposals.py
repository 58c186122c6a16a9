"""Proposals: takebacks, draws and pauses, over a real store and without Discord."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.features.agreements import words as agreements_words
from bot.features.agreements.handlers import make_proposal_filter
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.position import Illegal, MoveError
from bot.play import claims, proposals
from bot.play.acts import HOUR, NotPossibleNow, NotYours, StaleBoard
from bot.play.clocks import DAY
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import Kind, LoadedMatch, Proposal, Refusal, RefusedProposal, format_refusals, parse_refusals
from bot.play.record import Draw, Move, Takeback
from bot.play.rows import MatchRow, ServerSettings
from bot.umpire.acts import ConsentService
from bot.umpire.umpire import ActResult
from data.store import Reader, Transaction
from tests.contract.playing import stepped
from tests.service.test_clock_updates import clock, shown
from tests.service.test_deadlines import look
from tests.service.test_umpire import ANN, BEA, CEM, DORA, Desk, desk
from tests.support.sampled import sampled

__all__ = ["desk"]


async def ask(desk: Desk, match: MatchId, user: UserId, kind: Kind, seen: int | None = None) -> ActResult:
    return await ConsentService(desk.umpire).propose(desk.act(), match, user, kind, seen)


async def agree(
    desk: Desk, match: MatchId, user: UserId, mark: str | None = None, seen: int | None = None
) -> ActResult:
    return await ConsentService(desk.umpire).agree(desk.act(), match, user, mark, seen)


async def refuse(desk: Desk, match: MatchId, user: UserId, mark: str | None = None) -> ActResult:
    return await ConsentService(desk.umpire).refuse(desk.act(), match, user, mark)


async def load(desk: Desk, match: MatchId) -> LoadedMatch:
    return await desk.umpire.load(match)


async def said(desk: Desk, match: MatchId, user: UserId, kind: Kind) -> str:
    """Why somebody cannot ask for something; nothing is changed by that."""
    before = (await load(desk, match)).row
    with pytest.raises((Refusal, MoveError)) as refusal:
        await ask(desk, match, user, kind)
    assert (await load(desk, match)).row == before
    return str(refusal.value)


def told(done: ActResult) -> set[UserId]:
    """Whom the next message mentions."""
    return {player.user for player in done.after.row.players if player.mention_version == done.after.row.version}


async def begun(desk: Desk, *moves: str, pace: str = "none", **chosen: Any) -> MatchId:
    """A match of Marks between Ann and Bea after some moves, in turns."""
    match = await desk.match("marks", ANN, BEA, pace=pace, **chosen)
    for user, move in zip((ANN, BEA) * 6, moves, strict=False):
        await shown(desk, match)
        await desk.move(match, user, move)
    await shown(desk, match)
    return match


async def three(desk: Desk, *moves: str) -> MatchId:
    """A match of three, after some moves in turns."""
    match = await desk.match("binary-scramble", ANN, BEA, CEM, pace="3")
    for user, move in zip((ANN, BEA, CEM) * 4, moves, strict=False):
        await desk.move(match, user, move)
    await shown(desk, match)
    return match


# How it is written.


@pytest.mark.parametrize(
    "proposal",
    [
        Proposal("takeback", 1), Proposal("draw", 8), Proposal("pause", 2), Proposal("resume", 3),
        Proposal("replace", 1, 2, UserId(10**18)), Proposal("replace", 1, 2, UserId(10**18), 5, accepted=True),
        Proposal("replace", 1, 2, UserId(10**18), 5, absent=True),
        Proposal("replace", 1, 2, UserId(10**18), 5, absent=True, accepted=True),
    ],
)  # fmt: skip
def test_a_proposal_survives_being_written(proposal: Proposal) -> None:
    assert Proposal.parse(str(proposal)) == proposal
    refused = RefusedProposal(proposal, 2, 1_000_000, 17), RefusedProposal(proposal, proposal.seat, 1_000_001, 17)
    assert parse_refusals(format_refusals(refused)) == refused and [one.is_own_withdrawal for one in refused] == [
        proposal.seat == 2,
        True,
    ]
    assert format_refusals(()) is None and parse_refusals(None) == ()


@pytest.mark.parametrize(
    "text", ["", "takeback", "tango 1", "draw one", "draw 1 2 3", "replace 1", "replace 1 2 3", "replace 1 2 3 4 no"]
)
def test_a_text_that_is_no_proposal_is_not_read(text: str) -> None:
    with pytest.raises(ValueError):
        Proposal.parse(text)


def test_an_answer_fits_one_proposal_only() -> None:
    every = [Proposal(kind, seat) for kind in ("takeback", "draw", "pause", "resume") for seat in (1, 2)]
    marks = {proposal.make_mark(at) for proposal in every for at in (0, 1)}
    assert len(marks) == 16 and {len(mark) for mark in marks} == {12}
    whom = Proposal("replace", 1, 2, UserId(5))
    assert (
        replace(whom, accepted=True).make_mark(7) == whom.make_mark(7) != replace(whom, person=UserId(6)).make_mark(7)
    )


# A takeback.


async def test_a_takeback_that_is_agreed_on_shows_the_board_before(desk: Desk) -> None:
    match = await begun(desk, "4", "1")
    before = (await load(desk, match)).begun_match
    done = await ask(desk, match, BEA, "takeback")
    assert told(done) == {ANN} and done.after.begun_match == before and done.after.turn == (1,)
    await shown(desk, match)
    done = await ConsentService(desk.umpire).propose(desk.act(), match, ANN, "takeback")
    row = done.after.row
    assert row.record == (Move(1, "4"), Move(2, "1"), Takeback(2))
    assert (row.plies, row.turn, row.proposal, row.proposed) == (3, (2,), None, None)
    assert told(done) == {BEA} and done.after.begun_match.scores == (4, 0)
    assert done.after.before and done.after.before.scores == (4, 1), "the board says what was undone"
    await desk.move(match, BEA, "6")


async def test_a_takeback_takes_back_what_was_played_since(desk: Desk) -> None:
    match = await begun(desk, "4", "1")
    await ask(desk, match, ANN, "takeback")
    done = await agree(desk, match, BEA)
    assert done.after.turn == (1,) and done.after.begun_match.scores == (0, 0) and told(done) == {ANN}
    again = await ask(desk, match, BEA, "draw")
    assert again.after.row.proposal == "draw 2"
    assert await said(desk, match, BEA, "takeback") == "You have no move to take back."


async def test_all_who_are_still_in_the_match_are_asked_and_all_must_agree(desk: Desk) -> None:
    match = await three(desk, "0", "1", "0")
    done = await ask(desk, match, CEM, "takeback")
    assert told(done) == {ANN, BEA}
    done = await agree(desk, match, BEA)
    assert (
        told(done) == set() and proposals.list_users_to_answer(done.after) == (ANN,) and len(done.after.row.record) == 3
    )
    with pytest.raises(NotPossibleNow) as refusal:
        await agree(desk, match, BEA)
    assert str(refusal.value) == f"<@{CEM}> has asked: “Take a move back?” You agreed, and it waits for <@{ANN}>."
    with pytest.raises(NotPossibleNow) as refusal:
        await agree(desk, match, CEM)
    assert str(refusal.value) == "You asked “Take a move back?” yourself, so the others have to agree."
    done = await agree(desk, match, ANN)
    assert done.after.row.record[-1] == Takeback(3) and told(done) == {CEM}


@pytest.mark.parametrize(
    ("game", "people", "sentence"),
    [
        (
            "envelopes",
            (ANN, BEA),
            "Nothing can be taken back in Envelopes, because its moves are secret until the end.",
        ),
        (
            "sums-grid",
            (ANN, BEA),
            "Nothing can be taken back in Sums Grid, because its moves are secret until the end.",
        ),
        ("sums-grid", (ANN,), "Nothing can be taken back in Sums Grid, because its moves are secret until the end."),
        ("marks", (ANN, BEA), "You have no move to take back."),
    ],
)
async def test_where_nothing_can_be_taken_back(
    desk: Desk, game: str, people: tuple[UserId, ...], sentence: str
) -> None:
    match = await desk.match(game, *people, **({"seats": 1} if len(people) == 1 else {}))
    assert await said(desk, match, ANN, "takeback") == sentence


async def test_who_may_not_ask_at_all(desk: Desk) -> None:
    match = await begun(desk, "4")
    for kind in ("takeback", "draw", "pause", "resume"):
        between = f"You aren't in this match. It is between <@{ANN}> and <@{BEA}>."
        assert await said(desk, match, CEM, kind) == between
        with pytest.raises(NotYours, match="^You aren't in this match"):
            await agree(desk, match, CEM)
    await desk.umpire.resign(desk.act(), match, BEA)
    over = "This match is over."
    assert {await said(desk, match, ANN, kind) for kind in ("takeback", "draw", "pause", "resume")} == {over}
    opened = await desk.challenge("marks", ANN, BEA)
    assert await said(desk, opened.id, ANN, "draw") == "This match hasn't begun yet: not everybody has joined."


async def test_who_has_left_neither_asks_nor_is_asked_and_a_withdrawal_stays(desk: Desk) -> None:
    match = await three(desk, "0", "1", "0")
    await desk.umpire.resign(desk.act(), match, BEA)
    left = f"<@{BEA}> has left since your last move, so it can't be taken back."
    assert await said(desk, match, ANN, "takeback") == left
    gone = "You have left this match, so you have no say in it."
    assert await said(desk, match, BEA, "draw") == gone
    done = await ask(desk, match, ANN, "draw")
    assert told(done) == {CEM}
    with pytest.raises(NotYours, match=gone):
        await agree(desk, match, BEA)
    with pytest.raises(NotYours, match=gone):
        await refuse(desk, match, BEA)


async def test_a_server_can_do_without_takebacks(desk: Desk) -> None:
    match = await begun(desk, "4")
    await desk.store.do(Transaction.set_settings, 10, ServerSettings(takebacks=False))
    off = "This server doesn't allow takebacks. People who manage it can change that with /settings."
    assert await said(desk, match, ANN, "takeback") == off
    await ask(desk, match, ANN, "draw")


async def test_a_button_on_an_old_board_asks_for_nothing(desk: Desk) -> None:
    match = await begun(desk, "4", "1")
    with pytest.raises(StaleBoard) as refusal:
        await ask(desk, match, ANN, "takeback", seen=1)
    assert str(refusal.value) == "The match moved on, so nothing was asked. Here is the board now."
    assert (await ask(desk, match, ANN, "takeback", seen=2)).after.row.proposal == "takeback 1"


async def test_the_button_agrees_to_nothing_that_another_asks(desk: Desk) -> None:
    match = await begun(desk, "4", "1")
    await ask(desk, match, ANN, "takeback")
    with pytest.raises(NotPossibleNow) as refusal:
        await ask(desk, match, BEA, "takeback", seen=2)
    first = "Answer that first, with the buttons under the board."
    assert str(refusal.value) == f"<@{ANN}> has asked: “Take a move back?” {first}"


@sampled("game", [game for game in load_offered_games().values() if not game.secret], few=6, ids=lambda game: game.key)
async def test_moves_are_taken_back_in_all_games_that_allow_it(desk: Desk, game: Game) -> None:
    """Every other move of a match is taken back; all that was shown before is stale then, and the match goes on."""
    people = (ANN, BEA, CEM)[: 3 if 3 in game.seats else 2]
    match, rng = await desk.match(game.key, *people, pace="2"), Random(3)
    loaded = await load(desk, match)
    for turn in range(4):
        after = stepped(loaded.begun_match, rng)
        line = after.record[-1]
        if not isinstance(line, Move):
            continue
        await shown(desk, match)
        seen = len(loaded.row.record)
        done = await desk.move(match, loaded.user_at(line.seat), line.text, seen)
        mover, was = loaded.user_at(line.seat), loaded
        if done.after.row.state != "live":
            break
        if turn % 2:
            done = await taken_back(desk, done.after, mover, seen, was, line)
        loaded = done.after
    assert any(isinstance(line, Takeback) for line in loaded.row.record)


async def taken_back(
    desk: Desk, loaded: LoadedMatch, mover: UserId, seen: int, was: LoadedMatch, line: Move
) -> ActResult:
    """A move is taken back at once; the person who moves on what was shown before gets the fresh board."""
    await shown(desk, loaded.id)
    done = await ask(desk, loaded.id, mover, "takeback")
    for user in proposals.list_users_to_answer(done.after):
        done = await agree(desk, loaded.id, user)
    assert done.after.begun_match.position == was.begun_match.position and done.after.turn == was.turn
    row = done.after.row
    for player in row.players:
        assert player.deadline is None, "the clocks wait for the board"
    for old in (seen, seen + 1):
        with pytest.raises(StaleBoard):
            await desk.move(loaded.id, mover, line.text, old)
    await shown(desk, loaded.id)
    now = await desk.store.ask(Reader.load_row, loaded.id)
    assert now and [player.seat for player in now.players if player.deadline] == list(now.turn)
    return replace(done, after=await load(desk, loaded.id))


# Clocks.


async def test_a_takeback_gives_the_turn_again_and_stops_the_other_clock(desk: Desk) -> None:
    match = await begun(desk, "4", pace="3")
    assert (await clock(desk, match, BEA)).deadline == desk.now + 3 * DAY
    desk.now += 4 * DAY
    await ask(desk, match, ANN, "takeback")
    await agree(desk, match, BEA)
    ann, bea = await clock(desk, match, ANN), await clock(desk, match, BEA)
    assert (bea.since, bea.deadline, bea.forfeit_at, bea.next_reminder_at, bea.seconds_left) == (
        None,
        None,
        None,
        None,
        3 * DAY,
    )
    await shown(desk, match)
    ann = await clock(desk, match, ANN)
    assert (ann.deadline, ann.allotted, ann.reminder_count) == (desk.now + 3 * DAY, 3 * DAY, 0)
    assert (await clock(desk, match, BEA)).deadline is None
    await desk.move(match, ANN, "5")
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline == desk.now + 3 * DAY


async def test_a_pause_stops_the_clocks_with_what_is_left(desk: Desk) -> None:
    match = await begun(desk, "4", pace="3")
    desk.now += DAY + 7
    done = await ask(desk, match, ANN, "pause")
    assert told(done) == {BEA} and (await clock(desk, match, BEA)).since is not None
    done = await agree(desk, match, BEA)
    bea = await clock(desk, match, BEA)
    assert (bea.seconds_left, bea.since, bea.deadline, bea.next_reminder_at, bea.forfeit_at) == (
        2 * DAY - 7,
        None,
        None,
        None,
        None,
    )
    assert done.after.row.paused == desk.now and told(done) == {ANN}
    desk.now += 40 * DAY
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline is None, "a board that is shown starts nothing"
    await desk.move(match, BEA, "1")
    await shown(desk, match)
    assert [(await clock(desk, match, user)).deadline for user in (ANN, BEA)] == [None, None]
    await ask(desk, match, ANN, "resume")
    done = await agree(desk, match, BEA)
    assert done.after.row.paused is None and (await clock(desk, match, ANN)).deadline is None
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).deadline == desk.now + 3 * DAY


async def test_what_was_left_before_a_pause_is_left_after_it(desk: Desk) -> None:
    match = await begun(desk, "4", pace="3")
    desk.now += DAY + 7
    await ask(desk, match, BEA, "pause")
    await agree(desk, match, ANN)
    desk.now += 9 * DAY
    await ask(desk, match, BEA, "resume")
    await agree(desk, match, ANN)
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline == desk.now + 2 * DAY - 7


async def test_who_had_run_out_of_time_comes_back_from_a_pause_with_what_others_can_give(desk: Desk) -> None:
    match = await begun(desk, "4", pace="1")
    desk.now += 2 * DAY
    lapse = desk.now + DAY
    await desk.store.do(lambda tx: tx.set_player(match, BEA, forfeit_at=lapse))
    await ask(desk, match, ANN, "pause")
    await agree(desk, match, BEA)
    bea = await clock(desk, match, BEA)
    assert (bea.seconds_left, bea.allotted, bea.forfeit_at, bea.deadline) == (3 * DAY, 3 * DAY, None, None)


async def test_what_cannot_be_paused(desk: Desk) -> None:
    match = await begun(desk, "4")
    none = "This match has no clock, so there is nothing to pause."
    assert {await said(desk, match, ANN, kind) for kind in ("pause", "resume")} == {none}
    match = await begun(desk, "4", pace="3")
    assert await said(desk, match, ANN, "resume") == "This match isn't paused."
    await ask(desk, match, ANN, "pause")
    await agree(desk, match, BEA)
    assert await said(desk, match, BEA, "pause") == "This match is already paused. Use /match resume to ask to go on."


async def paused(desk: Desk) -> MatchId:
    """A paused match with which Ann would go on."""
    match = await begun(desk, "4", pace="3")
    await ask(desk, match, ANN, "pause")
    await agree(desk, match, BEA)
    await ask(desk, match, ANN, "resume")
    return match


async def test_a_proposal_to_resume_that_nobody_answers_holds_after_three_days(desk: Desk) -> None:
    match = await paused(desk)
    desk.now += 3 * DAY - 1
    assert await look(desk) == []
    with pytest.raises(NotPossibleNow):
        proposals.resume_overdue(await load(desk, match), desk.now)
    desk.now += 1
    assert await look(desk) == [match] and await look(desk) == []
    row = (await load(desk, match)).row
    assert (row.paused, row.proposal) == (None, None)
    assert [player.mention_version == row.version for player in row.players] == [True, True]
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline == desk.now + 3 * DAY


async def test_two_programs_let_a_match_go_on_once(desk: Desk) -> None:
    match = await paused(desk)
    desk.now += 3 * DAY
    found = await asyncio.gather(look(desk), look(desk))
    assert [match] in found and (await load(desk, match)).row.paused is None
    version = (await load(desk, match)).row.version
    assert await look(desk) == [] and (await load(desk, match)).row.version == version


@pytest.mark.parametrize("answer", [agree, refuse])
async def test_a_proposal_to_resume_that_was_answered_is_not_overdue(desk: Desk, answer: Any) -> None:
    match = await paused(desk)
    desk.now += 3 * DAY
    await answer(desk, match, BEA)
    version = (await load(desk, match)).row.version
    assert await look(desk) == [] and (await load(desk, match)).row.version == version
    assert ((await load(desk, match)).row.paused is None) is (answer is agree)


async def test_nothing_else_that_is_asked_in_a_pause_holds_by_itself(desk: Desk) -> None:
    match = await paused(desk)
    await refuse(desk, match, ANN)
    await ask(desk, match, BEA, "draw")
    desk.now += 9 * DAY
    assert await look(desk) == []
    assert (await load(desk, match)).row.proposal == "draw 2"


async def test_nobody_keeps_a_match_paused_for_ever_by_refusing_to_go_on(desk: Desk) -> None:
    match = await begun(desk, "4", pace="3")
    await ask(desk, match, ANN, "pause")
    await agree(desk, match, BEA)
    paused = desk.now
    for _ in range(3):
        await ask(desk, match, ANN, "resume")
        await refuse(desk, match, BEA)
        desk.now += DAY
    desk.now = paused + 14 * DAY
    await ask(desk, match, ANN, "resume")
    before = (await load(desk, match)).row
    with pytest.raises(Refusal) as refusal:
        await refuse(desk, match, BEA)
    assert str(refusal.value) == (
        "This match has been paused for 14 days, so you can't refuse to go on. The clocks run again as soon as "
        f"everybody agrees, at the latest <t:{desk.now + 3 * DAY}:R>."
    )
    assert (await load(desk, match)).row == before
    await refuse(desk, match, ANN)
    assert (await load(desk, match)).row.proposal is None, "a proposer may think again"


async def test_a_clock_that_starts_while_a_pause_is_agreed_on_stands_still_all_the_same(desk: Desk) -> None:
    """That a board was shown raises no version, so the act is decided on clocks that are others by then."""
    match = await begun(desk, "4", pace="3")
    await ask(desk, match, ANN, "pause")
    await desk.move(match, BEA, "1")
    before = await load(desk, match)
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).since == desk.now
    now = desk.now
    await desk.umpire.act(desk.act(), match, BEA, lambda loaded: proposals.agree(loaded, BEA, now), start=before)
    ann, row = await clock(desk, match, ANN), (await load(desk, match)).row
    assert row.paused == desk.now and (ann.since, ann.deadline, ann.seconds_left) == (None, None, 3 * DAY)


async def test_a_pause_stays_asked_whatever_is_played_and_shows_nothing_of_secret_moves(desk: Desk) -> None:
    match = await desk.match("envelopes", ANN, BEA, pace="3")
    await ask(desk, match, ANN, "pause")
    await desk.move(match, ANN, "4")
    mark = proposals.mark_of(await load(desk, match))
    assert (await load(desk, match)).row.proposal == "pause 1"
    await agree(desk, match, BEA, mark, seen=0)
    row = (await load(desk, match)).row
    assert row.paused == desk.now and row.proposal is None


# To refuse, to think again, and to ask too often.


async def test_a_refusal_is_told_once_and_changes_nothing_else(desk: Desk) -> None:
    match = await begun(desk, "4")
    await ask(desk, match, ANN, "takeback")
    await shown(desk, match)
    done = await refuse(desk, match, BEA)
    assert told(done) == {ANN} and done.after.begun_match.scores == (4, 0)
    assert (
        done.after.row.proposal is None
        and done.after.row.refused == f"takeback 1 / 2 1000000 1 {done.after.row.version}"
    )
    with pytest.raises(StaleBoard) as refusal:
        await refuse(desk, match, BEA)
    assert str(refusal.value) == "Nobody is asking that any more. Here is the board now; nothing was changed."


@pytest.mark.parametrize("what", ["takeback", "draw", "pause"])
async def test_nobody_is_nagged(desk: Desk, what: Kind) -> None:
    """What was refused can be asked again after an hour, and what is about the board after another move."""
    match = await begun(desk, "4", pace="3")
    until = f"<t:{desk.now + HOUR}:R>"
    words = proposals.QUESTIONS[what]
    await ask(desk, match, ANN, what)
    await refuse(desk, match, BEA)
    again = until if what == "pause" else f"after another move, {until} at the earliest"
    refused = f"You already asked “{words}”, and <@{BEA}> didn't agree. Ask again {again}."
    assert await said(desk, match, ANN, what) == refused
    # Another proposal, or the same of another, is another matter; and it makes nobody forget the first.
    await ask(desk, match, BEA, "draw")
    await refuse(desk, match, BEA)
    assert await said(desk, match, ANN, what) == refused
    desk.now += HOUR
    if what != "pause":
        later = f"You already asked “{words}”, and <@{BEA}> didn't agree. Ask again after another move."
        assert await said(desk, match, ANN, what) == later
        await desk.move(match, BEA, "1")
    assert told(await ask(desk, match, ANN, what)) == {BEA}


async def test_calling_off_is_refused_like_a_proposal(desk: Desk) -> None:
    """Whoever refuses ends the question for all who ask it, and none of them asks again within an hour."""
    match = await three(desk)
    await desk.umpire.abort(desk.act(), match, ANN)
    first = claims.make_abort_mark(await load(desk, match))
    await desk.umpire.abort(desk.act(), match, BEA)
    with pytest.raises(NotYours):
        await refuse(desk, match, DORA, first)
    done = await refuse(desk, match, CEM, first)
    assert told(done) >= {ANN, BEA} and not any(player.consent for player in done.after.players)
    assert agreements_words.list_lines(done.after)[-1:] == [f"🟩\xa0<@{CEM}> wants to play on."]
    until = f"<t:{desk.now + HOUR}:R>"
    for nagging in (ANN, BEA):
        with pytest.raises(Refusal) as refusal:
            await desk.umpire.abort(desk.act(), match, nagging)
        assert str(refusal.value) == (
            f"You already asked “Call the match off?”, and <@{CEM}> didn't agree. Ask again {until}."
        )
    with pytest.raises(StaleBoard, match="Nobody is asking that any more"):
        await refuse(desk, match, CEM, first)
    # Who refused may think better of it, and to that everybody can agree at once.
    after = (await desk.umpire.abort(desk.act(), match, CEM)).after
    assert claims.make_abort_mark(after) not in ("", first) and agreements_words.list_lines(after) == []
    await desk.umpire.abort(desk.act(), match, ANN)
    assert (await desk.umpire.abort(desk.act(), match, BEA)).after.row.state == "aborted"


async def test_whoever_asks_to_call_off_can_withdraw_that_and_ask_again_after_a_refusal_in_an_hour(desk: Desk) -> None:
    match = await begun(desk)
    asked = (await desk.umpire.abort(desk.act(), match, ANN)).after
    done = await refuse(desk, match, ANN, claims.make_abort_mark(asked))
    assert done.after.row.refused is None and claims.make_abort_mark(done.after) == ""
    again = (await desk.umpire.abort(desk.act(), match, ANN)).after
    await refuse(desk, match, BEA, claims.make_abort_mark(again))
    desk.now += HOUR
    assert told(await desk.umpire.abort(desk.act(), match, ANN)) == {BEA}


async def test_another_move_alone_does_not_let_somebody_ask_again(desk: Desk) -> None:
    match = await begun(desk, "4")
    await ask(desk, match, ANN, "draw")
    await refuse(desk, match, BEA)
    await desk.move(match, BEA, "1")
    until = desk.now + HOUR
    assert await said(desk, match, ANN, "draw") == (
        f"You already asked “A draw?”, and <@{BEA}> didn't agree. Ask again <t:{until}:R>."
    )
    desk.now = until
    await ask(desk, match, ANN, "draw")


async def test_who_thinks_again_and_again_mentions_nobody_each_time(desk: Desk) -> None:
    match = await begun(desk, "4")
    await ask(desk, match, ANN, "draw")
    await shown(desk, match)
    done = await refuse(desk, match, ANN)
    assert told(done) == set() and done.after.row.proposal is None
    assert (await said(desk, match, ANN, "draw")).startswith(
        "You already asked “A draw?”, and took that back. Ask again "
    )


async def test_nobody_asks_for_one_thing_after_another(desk: Desk) -> None:
    """Of whom a seat is to be given to there is no end; each proposal tells all the others."""
    match, start = await begun(desk, "4"), desk.now
    for number in range(5):
        await ConsentService(desk.umpire).propose_substitute(desk.act(), match, ANN, 1, UserId(200 + number))
        await refuse(desk, match, ANN)
        desk.now += 60
    sentence = f"You have asked for 5 things in the last hour without success. Ask again <t:{start + HOUR}:R>."
    assert await said(desk, match, ANN, "draw") == sentence
    with pytest.raises(Refusal) as refusal:
        await ConsentService(desk.umpire).propose_substitute(desk.act(), match, ANN, 1, UserId(300))
    assert str(refusal.value) == sentence
    await ask(desk, match, BEA, "draw")
    await refuse(desk, match, BEA)
    desk.now = start + HOUR
    await ask(desk, match, ANN, "draw")


async def test_a_clock_that_was_ahead_keeps_nobody_from_asking(desk: Desk) -> None:
    match = await begun(desk, "4", pace="3")
    await ask(desk, match, ANN, "pause")
    await refuse(desk, match, BEA)
    desk.now -= DAY
    await ask(desk, match, ANN, "pause")


async def test_one_proposal_at_a_time(desk: Desk) -> None:
    match = await begun(desk, "4", "1", pace="3")
    await ask(desk, match, ANN, "draw")
    first = "Answer that first, with the buttons under the board."
    assert await said(desk, match, BEA, "takeback") == f"<@{ANN}> has asked: “A draw?” {first}"
    withdraw = "Your question is still open: “A draw?” Take it back first, with /match draw."
    assert [await said(desk, match, ANN, kind) for kind in ("takeback", "draw", "pause")] == [withdraw] * 3


@pytest.mark.parametrize("what", ["takeback", "draw"])
async def test_a_proposal_about_the_board_lapses_with_the_next_move(desk: Desk, what: Kind) -> None:
    match = await begun(desk, "4")
    done = await ask(desk, match, ANN, what)
    mark = proposals.mark_of(done.after)
    done = await desk.move(match, BEA, "1")
    assert (done.after.row.proposal, done.after.row.proposed) == (None, None)
    with pytest.raises(StaleBoard, match="^Nobody is asking that any more"):
        await agree(desk, match, BEA, mark)
    # Asked again within the same second, it is about another board.
    await ask(desk, match, ANN, what)
    with pytest.raises(StaleBoard, match="^Nobody is asking that any more"):
        await agree(desk, match, BEA, mark, seen=1)
    await agree(desk, match, BEA, mark, seen=2)


async def test_nobody_agrees_to_another_proposal_than_they_saw(desk: Desk) -> None:
    match = await begun(desk, "4", "1", pace="3")
    mark = proposals.mark_of((await ask(desk, match, ANN, "pause")).after)
    await refuse(desk, match, ANN)
    other = proposals.mark_of((await ask(desk, match, ANN, "draw")).after)
    for act in (agree, refuse):
        with pytest.raises(StaleBoard, match="^Nobody is asking that any more"):
            await act(desk, match, BEA, mark)
    assert (await load(desk, match)).row.proposal == "draw 1"
    assert (await agree(desk, match, BEA, other, seen=2)).after.row.state == "finished"


# A draw, and what ends a match.


async def test_a_draw_is_rated_as_one(desk: Desk) -> None:
    match = await begun(desk, "4", "1")
    await ask(desk, match, ANN, "draw")
    await shown(desk, match)
    done = await agree(desk, match, BEA)
    row = done.after.row
    assert (row.state, row.record[-1], row.proposal) == ("finished", Draw(1), None)
    assert [(player.rank, player.score) for player in row.players] == [(1, 4), (1, 1)] and told(done) == {ANN}
    board = await desk.store.ask(Reader.leaderboard, 10, "marks")
    assert {(one.user, one.played, one.won, one.drawn, one.lost) for one in board} == {
        (ANN, 1, 0, 1, 0),
        (BEA, 1, 0, 1, 0),
    }


async def test_a_draw_is_shared_among_those_who_stay(desk: Desk) -> None:
    match = await three(desk, "0", "1", "0")
    await desk.umpire.resign(desk.act(), match, BEA)
    await ask(desk, match, CEM, "draw")
    done = await ConsentService(desk.umpire).propose(desk.act(), match, ANN, "draw")
    assert [player.rank for player in done.after.row.players] == [1, 3, 1]


async def test_a_draw_is_not_agreed_on_in_secret_or_alone(desk: Desk) -> None:
    secret = await desk.match("envelopes", ANN, BEA)
    assert await said(desk, secret, ANN, "draw") == (
        "No draw can be agreed on in Envelopes, because its moves are secret until the end."
    )


SHOWS_NO_MOVE = {"pause", "resume", "replace"}
"""What can be asked while moves are secret: neither that it can be, nor what comes of it, tells that somebody moved."""


async def kinds_open_in_secret(desk: Desk) -> set[Kind]:
    """The kinds of proposals that are not refused because moves are secret."""
    loaded = await desk.umpire.load(await desk.match("envelopes", ANN, BEA, pace="3"))
    found = set[Kind]()
    for name, kind in proposals.KINDS.items():
        try:
            kind.expect(loaded, Proposal(name, 1, of=2, person=CEM), True)
        except (Refusal, MoveError) as refusal:
            if "secret" in str(refusal):
                continue
        found.add(name)
    return found


def refuse_nothing(*_: Any) -> None: ...


async def test_of_every_kind_it_is_said_whether_it_can_be_asked_in_secret(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new one has to be refused there, or to stand above."""
    assert await kinds_open_in_secret(desk) == SHOWS_NO_MOVE
    monkeypatch.setattr(proposals, "KINDS", {**proposals.KINDS, "swap": proposals.KINDS["pause"]})
    assert await kinds_open_in_secret(desk) == {*SHOWS_NO_MOVE, "swap"}, "planted"


@pytest.mark.parametrize("end", ["resign", "abort", "sweep"])
async def test_nothing_is_asked_in_a_match_that_is_over(desk: Desk, end: str) -> None:
    match = await begun(desk, "4", pace="3")
    await ask(desk, match, ANN, "pause")
    await agree(desk, match, BEA)
    await ask(desk, match, ANN, "resume")
    if end == "resign":
        await desk.umpire.resign(desk.act(), match, BEA)
    elif end == "abort":
        await desk.umpire.abort(desk.act(), match, DORA, manager=True)
    else:
        sweeper = replaced(desk)
        await sweeper.close_outdated()
    row = await desk.store.ask(Reader.load_row, match)
    assert row and row.state != "live" and (row.proposal, row.proposed, row.paused) == (None, None, None)


def replaced(desk: Desk) -> Any:
    """A sweeper whose games have other rules by now."""
    desk.sweeper.games = {key: replace(game, version=99) for key, game in desk.sweeper.games.items()}
    return desk.sweeper


async def test_of_several_matches_the_one_is_meant_in_which_that_is_asked(desk: Desk) -> None:
    match = await begun(desk, "4", pace="3")
    kinds: tuple[Kind, ...] = ("takeback", "draw", "pause", "resume")

    async def meant() -> list[bool]:
        row = (await load(desk, match)).row
        return [make_proposal_filter(kind)(row) for kind in kinds]

    assert await meant() == [False, False, False, False]
    await ask(desk, match, ANN, "pause")
    assert await meant() == [False, False, True, False]
    await agree(desk, match, BEA)
    assert await meant() == [False, False, False, True]


# Who leaves meanwhile, and what happens at once.


async def test_if_the_last_who_had_not_agreed_leaves_nothing_hangs(desk: Desk) -> None:
    match = await three(desk, "0", "1", "0")
    await ask(desk, match, ANN, "pause")
    await agree(desk, match, BEA)
    done = await desk.umpire.resign(desk.act(), match, CEM)
    row = done.after.row
    assert row.paused == desk.now and row.proposal is None and row.state == "live" and told(done) >= {ANN, BEA}
    assert [player.deadline for player in row.players] == [None, None, None]


async def test_a_proposal_goes_on_without_an_asked_player_who_leaves(desk: Desk) -> None:
    match = await three(desk, "0", "1", "0")
    await ask(desk, match, ANN, "pause")
    done = await desk.umpire.resign(desk.act(), match, CEM)
    assert done.after.row.proposal == "pause 1" and proposals.list_users_to_answer(done.after) == (BEA,)


@pytest.mark.parametrize("what", ["pause", "draw", "takeback"])
async def test_the_proposal_of_a_player_who_leaves_is_withdrawn(desk: Desk, what: Kind) -> None:
    match = await three(desk, "0", "1", "0")
    await ask(desk, match, ANN, what)
    await agree(desk, match, BEA)
    done = await desk.umpire.resign(desk.act(), match, ANN)
    assert (done.after.row.proposal, done.after.row.paused, len(done.after.row.record)) == (None, None, 4)


async def done_in_secret(desk: Desk) -> MatchId:
    """A match of Sums Grid between three, of whom Ann has nothing more to do: being forgotten, she stays in it."""
    match = await desk.match("sums-grid", ANN, BEA, CEM, pace="3", options={"size": 2})
    await desk.move(match, ANN, "grid 1 2 / 3 4")
    await desk.move(match, ANN, "done")
    return match


@pytest.mark.parametrize("asker", [ANN, BEA])
async def test_a_player_who_is_forgotten_has_no_say_in_a_match_they_stay_in(desk: Desk, asker: UserId) -> None:
    match = await done_in_secret(desk)
    await ask(desk, match, asker, "pause")
    await agree(desk, match, CEM)
    await desk.umpire.forget_user(desk.act(), ANN)
    row: MatchRow | None = await desk.store.ask(Reader.load_row, match)
    assert row and row.proposal is None and row.paused == (desk.now if asker == BEA else None)
    done = await ask(desk, match, BEA, "resume" if row.paused else "pause")
    assert proposals.list_users_to_answer(done.after) == (CEM,)


async def test_who_is_left_with_former_players_alone_asks_nobody(desk: Desk) -> None:
    match = await desk.match("sums-grid", ANN, BEA, pace="3", options={"size": 2})
    await desk.move(match, ANN, "grid 1 2 / 3 4")
    await desk.move(match, ANN, "done")
    await desk.umpire.forget_user(desk.act(), ANN)
    assert (await ask(desk, match, BEA, "pause")).after.row.paused == desk.now


async def test_two_agree_at_the_same_moment(desk: Desk) -> None:
    match = await three(desk, "0", "1", "0")
    mark = proposals.mark_of((await ask(desk, match, CEM, "takeback")).after)
    done = await asyncio.gather(*(agree(desk, match, user, mark, 3) for user in (ANN, BEA)))
    assert len(done) == 2 and (await load(desk, match)).row.record.count(Takeback(3)) == 1


async def test_agreeing_twice_or_with_the_same_press_does_it_once(desk: Desk) -> None:
    match = await begun(desk, "4", "1", "5")
    mark = proposals.mark_of((await ask(desk, match, ANN, "takeback")).after)
    act = desk.act()
    first = await ConsentService(desk.umpire).agree(act, match, BEA, mark, 3)
    second = await ConsentService(desk.umpire).agree(act, match, BEA, mark, 3)
    assert second.repeated and second.after.row == first.after.row
    with pytest.raises(StaleBoard):
        await agree(desk, match, BEA, mark, 3)
    assert (await load(desk, match)).row.record.count(Takeback(1)) == 1


async def test_a_move_and_an_agreement_at_the_same_moment(desk: Desk) -> None:
    """Whichever is first: the other is refused with the fresh board, and nothing is done twice."""
    match = await begun(desk, "4")
    mark = proposals.mark_of((await ask(desk, match, ANN, "takeback")).after)
    done = await asyncio.gather(agree(desk, match, BEA, mark, 1), desk.move(match, BEA, "1", 1), return_exceptions=True)
    assert sorted(isinstance(one, StaleBoard) for one in done) == [False, True]
    assert len((await load(desk, match)).row.record) == 2


async def test_only_one_question_is_open(desk: Desk) -> None:
    """A proposal takes the place of a wish to call the match off, which nobody can ask for beside a proposal."""
    match = await begun(desk, "4")
    await desk.umpire.abort(desk.act(), match, ANN)
    asked = (await ask(desk, match, BEA, "draw")).after
    assert not asked.asks_to_abort(ANN) and asked.row.proposal is not None
    for user, told in (
        (ANN, f"<@{BEA}> has asked: “A draw?” Answer that first, with the buttons under the board."),
        (BEA, "Your question is still open: “A draw?” Take it back first, with /match draw."),
    ):
        with pytest.raises(NotPossibleNow) as refusal:
            await desk.umpire.abort(desk.act(), match, user)
        assert str(refusal.value) == told
    await refuse(desk, match, ANN)
    await desk.umpire.abort(desk.act(), match, ANN)
    assert (await load(desk, match)).asks_to_abort(ANN)
    managed = await desk.umpire.abort(desk.act(), match, CEM, True)
    assert (managed.after.row.state, managed.after.row.proposal) == ("aborted", None)


async def test_who_is_out_of_time_is_asked_until_they_have_left(desk: Desk) -> None:
    match = await begun(desk, "4", pace="1")
    await desk.store.do(lambda tx: tx.set_player(match, BEA, forfeit_at=desk.now))
    assert told(await ask(desk, match, ANN, "draw")) == {BEA}
    await desk.store.do(lambda tx: tx.set_player(match, BEA, forfeit_at=None, next_reminder_at=None))


async def test_a_takeback_that_the_core_refuses_is_refused(desk: Desk) -> None:
    alone = await desk.challenge("within-the-curve", ANN, seats=1)
    with pytest.raises(Illegal):
        await ask(desk, alone.id, ANN, "takeback")
