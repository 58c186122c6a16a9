"""Time runs out: who is asked, which choices they have, what happens without them, and which act wins a race."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from bot.features.board import views as board_views
from bot.features.board import words as board_words
from bot.play import claims
from bot.play.acts import NotPossibleNow, StaleBoard
from bot.play.claims import CLAIMED_AFTER, EXTRA_TIME
from bot.play.clocks import DAY
from bot.play.ids import InteractionId, MatchId, UserId
from bot.play.ids import make_act_id as number
from bot.play.loaded_match import MatchView, Refusal
from bot.play.rows import MatchRecordRow
from bot.umpire.acts import DeadlineService
from data.store import Reader, Store, Transaction
from tests.data.raw import told
from tests.service.test_clock_updates import clock, shown, timed
from tests.service.test_umpire import ANN, BEA, CEM, DORA, GAMES, Checked, Desk, desk

__all__ = ["desk"]

LATE = 7 * DAY


async def look(desk: Desk) -> list[MatchId]:
    """All that is due is done; the matches that changed."""
    return [match async for match in DeadlineService(desk.umpire).run_due_acts()]


async def row(desk: Desk, match: MatchId) -> MatchRecordRow:
    found = await desk.store.ask(Reader.load_match, match)
    assert found
    return found


async def three(desk: Desk, game: str = "binary-scramble") -> MatchId:
    """A match of three, shown."""
    match = await desk.match(game, ANN, BEA, CEM, pace="7")
    await shown(desk, match)
    return match


async def late(desk: Desk, match: MatchId) -> MatchId:
    """The match after the time of the player who is to move has run out, shown."""
    desk.now += LATE
    assert await look(desk) == [match]
    await shown(desk, match)
    return match


async def refused(desk: Desk, match: MatchId, user: UserId, act: str = "claim_match", seat: int | None = None) -> str:
    """The sentence with which a claim or a gift is refused; nothing was changed."""
    before = await row(desk, match)
    with pytest.raises((Refusal, StaleBoard)) as refusal:
        await getattr(DeadlineService(desk.umpire), act)(desk.act(), match, user, seat)
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


async def test_a_player_who_ran_out_may_still_move(desk: Desk) -> None:
    match = await late(desk, await timed(desk, "7"))
    await desk.move(match, ANN, "1")
    ann = await clock(desk, match, ANN)
    assert (ann.forfeit_at, ann.deadline, ann.seconds_left) == (None, None, LATE)
    assert await refused(desk, match, BEA) == "Nobody has run out of time. <@2> is to move."
    await shown(desk, match)
    ends = f"Their time ends <t:{desk.now + LATE}:R>"
    assert await refused(desk, match, BEA) == f"Nobody has run out of time. <@2> is to move. {ends}."
    sentence = "<@1> has moved by now, or was given more time. Nothing was changed."
    assert await refused(desk, match, BEA, "claim_match", 1) == sentence
    desk.now += CLAIMED_AFTER
    assert await look(desk) == []


async def test_a_claim_ends_a_match_of_two_for_the_other(desk: Desk) -> None:
    match = await timed(desk, "7")
    await desk.move(match, ANN, "1")
    await shown(desk, match)
    await desk.move(match, BEA, "2")
    await shown(desk, match)
    await late(desk, match)
    done = await DeadlineService(desk.umpire).claim_match(desk.act(), match, BEA, 1)
    after = await row(desk, match)
    assert (after.state, after.record[-1].text, after.record[-1].seat) == ("finished", "timeout", 1)
    assert [player.rank for player in after.players] == [2, 1]
    assert [player.mention_version == after.version for player in after.players] == [True, False]
    assert [player.forfeit_at for player in after.players] == [None, None]
    assert done.after.row == after
    assert len(await desk.store.ask(Reader.leaderboard, 10, "marks", 10)) == 2, "it is rated as ever"
    over = "This match is over."
    assert await refused(desk, match, BEA, "give_time", 1) == over
    with pytest.raises(NotPossibleNow, match=over):
        await desk.move(match, ANN, "3")


async def test_more_time_begins_to_run_when_that_is_shown(desk: Desk) -> None:
    match = await late(desk, await timed(desk, "7"))
    desk.now += 60
    await DeadlineService(desk.umpire).give_time(desk.act(), match, BEA)
    ann = await clock(desk, match, ANN)
    found = (ann.forfeit_at, ann.deadline, ann.seconds_left, ann.allotted, ann.reminder_count)
    assert found == (None, None, EXTRA_TIME, EXTRA_TIME, 0)
    after = await row(desk, match)
    assert [player.mention_version == after.version for player in after.players] == [True, False]
    desk.now += 100
    await shown(desk, match)
    assert (await clock(desk, match, ANN)).deadline == desk.now + EXTRA_TIME
    sentence = "<@1> has moved by now, or was given more time. Nothing was changed."
    assert await refused(desk, match, BEA, "claim_match", 1) == sentence
    desk.now += EXTRA_TIME
    assert await look(desk) == [match]
    assert (await clock(desk, match, ANN)).forfeit_at == desk.now + CLAIMED_AFTER


async def test_who_may_neither_claim_nor_give(desk: Desk) -> None:
    match = await late(desk, await three(desk))
    for act in ("claim_match", "give_time"):
        own = "You have run out of time yourself. Make your move before somebody claims the match."
        assert await refused(desk, match, ANN, act) == own
        assert await refused(desk, match, DORA, act) == ("You aren't in this match. It is between <@1>, <@2> and <@3>.")
    await desk.umpire.resign(desk.act(), match, CEM)
    left = "You have left this match, so you can't claim it or give more time."
    assert await refused(desk, match, CEM) == left


async def test_with_more_seats_the_match_goes_on_without_the_seat(desk: Desk) -> None:
    match = await late(desk, await three(desk))
    await DeadlineService(desk.umpire).claim_match(desk.act(), match, CEM)
    after = await row(desk, match)
    assert (after.state, after.turn, after.record[-1].text) == ("live", (2,), "timeout")
    assert [player.mention_version == after.version for player in after.players] == [True, True, False], "all are told"
    assert await refused(desk, match, CEM, "claim_match", 1) == "<@1> has already left this match."
    await shown(desk, match)
    assert (await clock(desk, match, BEA)).deadline == desk.now + LATE
    assert (await clock(desk, match, ANN)).deadline is None


async def test_after_three_days_it_is_claimed_by_itself(desk: Desk) -> None:
    match = await late(desk, await timed(desk, "7"))
    desk.now += CLAIMED_AFTER - 1
    assert await look(desk) == []
    desk.now += 1
    assert await look(desk) == [match]
    after = await row(desk, match)
    assert (after.state, [player.rank for player in after.players]) == ("finished", [2, 1])
    assert all(player.mention_version == after.version for player in after.players)
    assert await look(desk) == []


# Where several are to move at once.


async def secret(desk: Desk, *people: UserId) -> MatchId:
    match = await desk.match("sums-grid", *people, pace="7", options={"size": 2})
    await shown(desk, match)
    return match


async def finished(desk: Desk, match: MatchId, user: UserId) -> None:
    """Somebody hands in their grid and is done."""
    await desk.move(match, user, "grid 1 2 / 3 4")
    await desk.move(match, user, "done")


async def test_where_nobody_waits_all_are_told_and_the_match_is_called_off(desk: Desk) -> None:
    match = await secret(desk, ANN, BEA, CEM)
    desk.now += LATE
    assert await look(desk) == [match]
    after = await row(desk, match)
    assert [player.forfeit_at for player in after.players] == [desk.now + CLAIMED_AFTER] * 3
    assert all(player.mention_version == after.version for player in after.players)
    own = "You have run out of time yourself. Make your move before somebody claims the match."
    assert await refused(desk, match, ANN, "claim_match", 2) == own
    desk.now += CLAIMED_AFTER
    assert await look(desk) == [match]
    after = await row(desk, match)
    assert (after.state, after.close_reason, after.record) == ("aborted", claims.ABANDONED, ())
    assert all(player.mention_version == after.version and player.forfeit_at is None for player in after.players)


async def test_a_player_who_moves_after_all_ran_out_waits_for_the_others(desk: Desk) -> None:
    match = await secret(desk, ANN, BEA, CEM)
    await late(desk, match)
    await finished(desk, match, BEA)
    await shown(desk, match)
    desk.now += CLAIMED_AFTER
    assert await look(desk) == [match, match]
    after = await row(desk, match)
    assert [(line.seat, line.text) for line in after.record][1:] == [(2, "done"), (1, "timeout"), (3, "timeout")]
    assert (after.state, [player.rank for player in after.players][1]) == ("finished", 1)


async def test_a_secret_move_is_no_answer_to_a_claim(desk: Desk) -> None:
    match = await secret(desk, ANN, BEA)
    await finished(desk, match, BEA)
    await late(desk, match)
    before = await clock(desk, match, ANN)
    await desk.move(match, ANN, "grid 1 2 / 3 4")
    assert await clock(desk, match, ANN) == before, "nobody else can see that she moved"
    await desk.move(match, ANN, "done")
    assert await refused(desk, match, BEA, "claim_match", 1) == "This match is over."


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


# Who was first.


async def test_of_a_claim_and_the_late_move_one_counts(desk: Desk) -> None:
    for claim_first in (True, False):
        match = await late(desk, await timed(desk, "7"))
        claim = DeadlineService(desk.umpire).claim_match(desk.act(), match, BEA, 1)
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


async def test_a_board_says_who_may_do_what_about_who_ran_out_of_time(desk: Desk) -> None:
    match = await late(desk, await timed(desk, "7"))
    gone = (await row(desk, match)).players[0]
    out = f"🟦\xa0<@1> ran out of time <t:{gone.deadline}:R>, but can still move."
    told = board_words.list_times(MatchView.of(await desk.umpire.load(match), None))
    assert told == [
        f"{out} 🟧\xa0<@2> can claim the match or give 3 more days. "
        f"Otherwise 🟧\xa0<@2> wins automatically <t:{gone.forfeit_at}:R>."
    ]


async def test_with_more_than_two_players_the_match_goes_on_without_one_who_ran_out(desk: Desk) -> None:
    match = await late(desk, await three(desk))
    gone = (await row(desk, match)).players[0]
    assert board_words.list_times(MatchView.of(await desk.umpire.load(match), None)) == [
        f"🟦\xa0<@1> ran out of time <t:{gone.deadline}:R>, but can still move. The others can go on without them "
        f"(Claim) or give them 3 more days. Otherwise they are out automatically <t:{gone.forfeit_at}:R>."
    ]


async def test_where_several_wait_one_of_them_cannot_give_time_for_ever(desk: Desk) -> None:
    match = await late(desk, await three(desk))
    deadlines = DeadlineService(desk.umpire)
    await deadlines.give_time(desk.act(), match, BEA)
    await shown(desk, match)
    desk.now += CLAIMED_AFTER
    assert await look(desk) == [match]
    await shown(desk, match)
    ann = (await row(desk, match)).players[0]
    once = (
        "<@1> was already given more time for this move, and nobody gets that twice. Claim now, or wait: "
        f"they are out automatically <t:{ann.forfeit_at}:R>."
    )
    assert {await refused(desk, match, user, "give_time") for user in (BEA, CEM)} == {once}
    sight = MatchView.of(await desk.umpire.load(match), None)
    assert board_words.list_times(sight)[0].endswith(
        f"The others can go on without them (Claim). Otherwise they are out automatically <t:{ann.forfeit_at}:R>."
    )
    assert [control.custom_id for control in board_views.make_time_buttons(sight)] == [f"m:{match}:0:claim1"]
    for user in (ANN, BEA, CEM):
        await desk.move(match, user, "1")
    assert (await row(desk, match)).players[0].extra_time_count == 0, "for another move it can be given again"
