"""Proposals as they are stored, in all games, and when two things happen at once; the rest is told in tests/stories."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.position import MoveError
from bot.play import acts, claims, proposals
from bot.play.acts import NotPossibleNow, StaleBoard
from bot.play.clocks import DAY
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import Kind, LoadedMatch, Proposal, Refusal, RefusedProposal, format_refusals, parse_refusals
from bot.play.record import Move, Takeback
from bot.umpire.acts import ConsentService
from bot.umpire.umpire import ActResult
from data.store import Reader
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
    return await desk.umpire.act(desk.act(), match, user, partial(proposals.agree, mark=mark, seen=seen, now=desk.now))


async def refuse(desk: Desk, match: MatchId, user: UserId, mark: str | None = None) -> ActResult:
    return await desk.umpire.act(desk.act(), match, user, partial(claims.refuse, mark=mark, now=desk.now))


async def load(desk: Desk, match: MatchId) -> LoadedMatch:
    return await desk.umpire.load(match)


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


async def test_a_clock_that_starts_while_a_pause_is_agreed_on_stands_still_all_the_same(desk: Desk) -> None:
    """That a board was shown raises no version, so the act is decided on clocks that are others by then."""
    match = await begun(desk, "4", pace="3")
    await ask(desk, match, ANN, "pause")
    await desk.move(match, BEA, "1")
    before = await load(desk, match)
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).since == desk.now
    now = desk.now
    await desk.umpire.act(desk.act(), match, BEA, partial(proposals.agree, now=now), start=before)
    ann, row = await clock(desk, match, ANN), (await load(desk, match)).row
    assert row.paused == desk.now and (ann.since, ann.deadline, ann.seconds_left) == (None, None, 3 * DAY)


async def test_a_clock_that_was_ahead_keeps_nobody_from_asking(desk: Desk) -> None:
    match = await begun(desk, "4", pace="3")
    await ask(desk, match, ANN, "pause")
    await refuse(desk, match, BEA)
    desk.now -= DAY
    await ask(desk, match, ANN, "pause")


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
        await desk.umpire.act(desk.act(), match, BEA, acts.resign)
    elif end == "abort":
        await desk.umpire.act(desk.act(), match, DORA, partial(claims.abort, manager=True, now=desk.now))
    else:
        sweeper = replaced(desk)
        await sweeper.close_outdated()
    row = await desk.store.ask(Reader.load_row, match)
    assert row and row.state != "live" and (row.proposal, row.proposed, row.paused) == (None, None, None)


def replaced(desk: Desk) -> Any:
    """A sweeper whose games have other rules by now."""
    desk.sweeper.games = {key: replace(game, version=99) for key, game in desk.sweeper.games.items()}
    return desk.sweeper


async def test_two_agree_at_the_same_moment(desk: Desk) -> None:
    match = await three(desk, "0", "1", "0")
    mark = proposals.mark_of((await ask(desk, match, CEM, "takeback")).after)
    done = await asyncio.gather(*(agree(desk, match, user, mark, 3) for user in (ANN, BEA)))
    assert len(done) == 2 and (await load(desk, match)).row.record.count(Takeback(3)) == 1


async def test_agreeing_twice_or_with_the_same_press_does_it_once(desk: Desk) -> None:
    match = await begun(desk, "4", "1", "5")
    mark = proposals.mark_of((await ask(desk, match, ANN, "takeback")).after)
    act = desk.act()
    first = await desk.umpire.act(act, match, BEA, partial(proposals.agree, mark=mark, seen=3, now=desk.now))
    second = await desk.umpire.act(act, match, BEA, partial(proposals.agree, mark=mark, seen=3, now=desk.now))
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
