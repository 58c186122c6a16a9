"""Time runs out: to the second, once for all processes, and who wins a race; the rest is told in tests/stories."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from functools import partial

import pytest

from bot.play import claims
from bot.play.acts import NotPossibleNow, StaleBoard
from bot.play.claims import CLAIMED_AFTER
from bot.play.clocks import DAY
from bot.play.ids import InteractionId, MatchId, UserId
from bot.play.ids import make_act_id as number
from bot.play.loaded_match import Refusal
from bot.play.rows import MatchRecordRow
from bot.umpire.acts import DeadlineService
from data.store import Reader, Store, Transaction
from tests.data.raw import told
from tests.service.test_clock_updates import clock, shown, timed
from tests.service.test_umpire import ANN, BEA, CEM, GAMES, Checked, Desk, desk

__all__ = ["desk"]

LATE = 7 * DAY


async def look(desk: Desk) -> list[MatchId]:
    """All that is due is done; the matches that changed."""
    return [match async for match in DeadlineService(desk.umpire).run_due_acts()]


async def row(desk: Desk, match: MatchId) -> MatchRecordRow:
    found = await desk.store.ask(Reader.load_match, match)
    assert found
    return found


async def late(desk: Desk, match: MatchId) -> MatchId:
    """The match after the time of the player who is to move has run out, shown."""
    desk.now += LATE
    assert await look(desk) == [match]
    await shown(desk, match)
    return match


async def refused(desk: Desk, match: MatchId, user: UserId, seat: int | None = None) -> str:
    """The sentence with which a claim is refused; nothing was changed."""
    before = await row(desk, match)
    with pytest.raises((Refusal, StaleBoard)) as refusal:
        await desk.umpire.act(desk.act(), match, user, partial(claims.claim_seat, seat=seat))
    assert await row(desk, match) == before
    return str(refusal.value)


def test_numbers_of_acts_are_negative_and_their_own() -> None:
    acts = {number(kind, match, ply, 7) for kind in ("out", "lapse") for match in range(50) for ply in range(50)}
    assert len(acts) == 5000 and min(acts) >= -(2**63) and max(acts) < 0


async def test_nothing_happens_before_the_deadline_and_both_are_told_once_after_it(desk: Desk) -> None:
    match = await timed(desk, "7")
    desk.now += LATE - 1
    assert await look(desk) == []
    desk.now += 1
    assert await look(desk) == [match]
    after = await row(desk, match)
    ann, _ = after.players
    assert (ann.forfeit_at, ann.next_reminder_at, ann.deadline) == (desk.now + CLAIMED_AFTER, None, desk.now)
    assert [player.mention_version == after.version for player in after.players] == [True, True]
    assert await look(desk) == []
    desk.now += 60
    assert await look(desk) == [] and await row(desk, match) == after


async def secret(desk: Desk, *people: UserId) -> MatchId:
    match = await desk.match("sums-grid", *people, pace="7", options={"size": 2})
    await shown(desk, match)
    return match


async def test_who_ran_out_first_waits_for_who_ran_out_last(desk: Desk) -> None:
    """The player who waited for them has left: of the others nobody wins before the last has had their days."""
    loaded = await desk.umpire.load(await late(desk, await secret(desk, ANN, BEA, CEM)))
    now, lapses = (
        desk.now + CLAIMED_AFTER,
        (desk.now + CLAIMED_AFTER, desk.now + 2 * CLAIMED_AFTER, desk.now + CLAIMED_AFTER),
    )
    players = [replace(player, forfeit_at=lapse) for player, lapse in zip(loaded.row.players, lapses, strict=True)]
    left = replace(loaded, row=replace(loaded.row, players=tuple(players)))
    outcome = claims.lapse_seat(left, now)
    forfeits = {player.user: player.forfeit_at for player in outcome.row.players}
    assert (forfeits[ANN], forfeits[CEM], outcome.row.state) == (now + CLAIMED_AFTER, now + CLAIMED_AFTER, "live")
    assert claims.lapse_seat(left, now + CLAIMED_AFTER).row.state == "aborted"


async def test_of_a_claim_and_the_late_move_one_counts(desk: Desk) -> None:
    for claim_first in (True, False):
        match = await late(desk, await timed(desk, "7"))
        claim = desk.umpire.act(desk.act(), match, BEA, partial(claims.claim_seat, seat=1))
        move = desk.move(match, ANN, "1")
        both = (claim, move) if claim_first else (move, claim)
        done = await asyncio.gather(*both, return_exceptions=True)
        (refusal,) = (one for one in done if isinstance(one, NotPossibleNow))
        after = await row(desk, match)
        if refusal is done[not claim_first]:
            assert str(refusal) == "<@1> has moved by now, or was given more time. Nothing was changed."
            assert ([line.text for line in after.record], after.state) == (["1"], "live")
        else:
            assert str(refusal) == "This match is over."
            assert [line.text for line in after.record] == ["timeout"]


async def test_two_processes_at_one_deadline_act_once(desk: Desk) -> None:
    match = await timed(desk, "7")
    desk.now += LATE
    other = Checked(Store(desk.url), GAMES, lambda: desk.now, random.Random(2))
    for wait in (0, CLAIMED_AFTER):
        desk.now += wait
        before = (await row(desk, match)).version

        async def looked(umpire: Checked) -> list[MatchId]:
            return [match async for match in DeadlineService(umpire).run_due_acts()]

        found = await asyncio.gather(looked(desk.umpire), looked(other))
        assert sorted(map(len, found)) == [0, 1]
        assert (await row(desk, match)).version == before + 1
    assert (await row(desk, match)).state == "finished"
    await other.store.close()


async def test_what_cannot_go_on_holds_nothing_else_up(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    broken, old, match = [await timed(desk, "7") for _ in range(3)]
    desk.now += LATE
    await desk.store.do(lambda tx: tx.append(broken, 1, 1, "nonsense", 5))
    version = (await row(desk, old)).version
    assert await desk.store.do(lambda tx: tx.update(old, version, game_version=99))
    deadlines = DeadlineService(desk.umpire)
    assert [one async for one in deadlines.run_due_acts()] == [match]
    assert f"What is due in match {broken} cannot be done: Match {broken} cannot be shown any more" in caplog.text
    caplog.clear()
    assert [one async for one in deadlines.run_due_acts()] == [] and caplog.text == ""
    assert await desk.sweeper.close_outdated() == [old]
    assert (await clock(desk, old, ANN)).deadline is None, "what is closed has no clock"
    told(desk.url, "DELETE FROM moves")


async def test_acts_of_time_are_known_as_long_as_their_match_is_live(desk: Desk) -> None:
    match = await timed(desk, "7")
    deadline = (await clock(desk, match, ANN)).deadline or 0
    await late(desk, match)
    act = number("out", match, 0, deadline)
    desk.acts = 1 << 62
    await desk.store.do(Transaction.mark_acted, desk.act(), match, desk.now)
    await desk.store.do(Transaction.forget_deliveries, 3600)
    assert await desk.store.ask(Reader.find_match_acted_on, act) == match
    assert await desk.store.ask(Reader.find_match_acted_on, InteractionId(1)) is None
    desk.now += CLAIMED_AFTER
    await look(desk)
    await desk.store.do(Transaction.forget_deliveries, 3600)
    assert await desk.store.ask(Reader.find_match_acted_on, act) is None
