"""A seat passes on to another person by consent: over a real store and without Discord."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Boolean

from bot.games.catalogue import load_offered_games
from bot.games.position import MoveError, Seat
from bot.play import proposals
from bot.play.acts import HOUR, NotPossibleNow, NotYours, StaleBoard
from bot.play.claims import CLAIMED_AFTER
from bot.play.clocks import DAY
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import LoadedMatch, MatchView, Proposal, Refusal
from bot.play.premoves import PremoveTree
from bot.play.record import Move, parse_handovers
from bot.umpire.acts import ConsentService, DeadlineService
from bot.umpire.umpire import ActResult
from data.store import Reader, Transaction
from data.tables import schema
from tests.service.test_clock_updates import clock, shown
from tests.service.test_umpire import ANN, BEA, CEM, DORA, Desk, desk

__all__ = ["desk"]

EVE, FAY = UserId(105), UserId(106)


async def replace(desk: Desk, match: MatchId, user: UserId, of: Seat, new: UserId, absent: bool = False) -> ActResult:
    return await ConsentService(desk.umpire).propose_substitute(desk.act(), match, user, of, new, absent)


async def agree(desk: Desk, match: MatchId, user: UserId, mark: str | None = None) -> ActResult:
    return await ConsentService(desk.umpire).agree(desk.act(), match, user, mark)


async def refuse(desk: Desk, match: MatchId, user: UserId) -> ActResult:
    return await ConsentService(desk.umpire).refuse(desk.act(), match, user)


async def load(desk: Desk, match: MatchId) -> LoadedMatch:
    return await desk.umpire.load(match)


async def refused(desk: Desk, match: MatchId, user: UserId, of: Seat, new: UserId) -> str:
    """Why a seat cannot pass on; nothing is changed by that."""
    before = (await load(desk, match)).row
    with pytest.raises((Refusal, MoveError)) as refusal:
        await replace(desk, match, user, of, new)
    assert (await load(desk, match)).row == before
    return str(refusal.value)


def people(loaded: LoadedMatch) -> list[UserId]:
    return [player.user for player in loaded.players]


async def two(desk: Desk, pace: str = "3", game: str = "marks") -> MatchId:
    match = await desk.match(game, ANN, BEA, pace=pace)
    await shown(desk, match)
    return match


async def lapsed(desk: Desk, match: MatchId, days: int = 3) -> None:
    """The time of the player who is to move runs out, and that is shown."""
    desk.now += days * DAY + 1
    assert match in [one async for one in DeadlineService(desk.umpire).run_due_acts()]
    await shown(desk, match)


# All agree.


async def test_a_seat_passes_on_when_all_have_agreed(desk: Desk) -> None:
    match = await two(desk)
    await desk.move(match, ANN, "4")
    await shown(desk, match)
    asked = await replace(desk, match, BEA, 2, CEM)
    assert asked.after.users_to_notify == (ANN, CEM), "all who are to agree are told, and the person who is to come in"
    assert proposals.list_users_to_answer(asked.after) == (ANN, CEM)
    assert people(asked.after) == [ANN, BEA]
    await shown(desk, match)
    desk.now += DAY
    accepted = await agree(desk, match, CEM)
    assert people(accepted.after) == [ANN, BEA] and accepted.after.users_to_notify == ()
    assert proposals.list_users_to_answer(accepted.after) == (ANN,)
    done = (await agree(desk, match, ANN)).after
    row = done.row
    assert (people(done), row.rated, row.proposal, row.proposed) == ([ANN, CEM], False, None, None)
    assert done.users_to_notify == (CEM, BEA), "the new person is told, and the old one"
    assert [(one.seat, one.user, one.plies, one.rated) for one in parse_handovers(row.substitutions)] == [
        (2, BEA, 1, True)
    ]
    player = await clock(desk, match, CEM)
    assert (player.allotted, player.seconds_left, player.since, player.deadline) == (3 * DAY, 3 * DAY, None, None)
    await shown(desk, match)
    assert (await load(desk, match)).users_to_notify == ()
    assert (await clock(desk, match, CEM)).deadline == desk.now + 3 * DAY, "their whole time, from when it was shown"
    await desk.move(match, CEM, "1")
    with pytest.raises(NotYours, match="You aren't in this match. It is between <@1> and <@3>."):
        await desk.move(match, BEA, "2")


async def test_the_person_who_is_to_come_in_may_be_the_last_to_agree(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 1, CEM)
    await agree(desk, match, BEA)
    done = (await agree(desk, match, CEM)).after
    assert people(done) == [CEM, BEA] and set(done.users_to_notify) == {ANN, BEA}
    assert done.row.host == ANN and done.turn == (1,)
    await desk.move(match, CEM, "4")


async def test_a_player_who_hands_on_their_own_seat_last_leaves_nobody_untold(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 2, CEM)
    await agree(desk, match, CEM)
    done = (await agree(desk, match, BEA)).after
    assert done.users_to_notify == (ANN, CEM), "Bea has said so herself"


async def test_in_a_match_of_several_all_others_are_asked(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM, pace="bank")
    await shown(desk, match)
    await replace(desk, match, ANN, 3, DORA)
    await agree(desk, match, DORA)
    await agree(desk, match, BEA)
    assert people(await load(desk, match)) == [ANN, BEA, CEM]
    done = (await agree(desk, match, CEM)).after
    assert people(done) == [ANN, BEA, DORA]
    assert (await clock(desk, match, DORA)).seconds_left == 10 * DAY
    assert (await clock(desk, match, ANN)).deadline is not None, "the person who is to move goes on with their time"


async def test_a_player_who_has_left_the_match_is_not_asked(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM)
    await desk.umpire.resign(desk.act(), match, CEM)
    await replace(desk, match, ANN, 2, DORA)
    await agree(desk, match, DORA)
    assert people((await agree(desk, match, BEA)).after) == [ANN, DORA, CEM]


async def test_a_match_of_eight(desk: Desk) -> None:
    everybody = [UserId(200 + number) for number in range(8)]
    match = await desk.match("not-divisors-not-multiples", *everybody, seats=8)
    await replace(desk, match, everybody[0], 8, CEM)
    for user in (*everybody[1:], CEM):
        assert people(await load(desk, match)) == everybody
        await agree(desk, match, user)
    assert people(await load(desk, match)) == [*everybody[:7], CEM]


# Who is not asked.


async def test_a_player_who_ran_out_of_time_is_told_and_not_asked(desk: Desk) -> None:
    match = await two(desk)
    await lapsed(desk, match)
    asked = (await replace(desk, match, BEA, 1, CEM)).after
    assert proposals.list_users_to_answer(asked) == (CEM,) and ANN in asked.users_to_notify
    done = (await agree(desk, match, CEM)).after
    player = await clock(desk, match, CEM)
    assert people(done) == [CEM, BEA] and (player.forfeit_at, player.seconds_left) == (None, 3 * DAY)


async def test_a_player_who_runs_out_of_time_meanwhile_is_not_waited_for_any_more(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, BEA, 1, CEM)
    await agree(desk, match, CEM)
    assert proposals.list_users_to_answer(await load(desk, match)) == (ANN,)
    await lapsed(desk, match)
    after = await load(desk, match)
    assert people(after) == [CEM, BEA] and [player.forfeit_at for player in after.players] == [None, None]
    assert (await clock(desk, match, CEM)).deadline == desk.now + 3 * DAY


async def test_a_player_who_has_left_the_server_is_not_asked_until_they_move_again(desk: Desk) -> None:
    match = await two(desk)
    asked = (await replace(desk, match, BEA, 1, CEM, absent=True)).after
    assert proposals.list_users_to_answer(asked) == (CEM,)
    mark = proposals.mark_of(asked)
    back = (await desk.move(match, ANN, "4")).after
    assert proposals.list_users_to_answer(back) == (ANN, CEM) and proposals.mark_of(back) == mark
    await agree(desk, match, CEM, mark)
    assert people(await load(desk, match)) == [ANN, BEA]
    await refuse(desk, match, ANN)
    assert (await load(desk, match)).row.proposal is None


async def test_a_move_in_secret_says_nothing_of_who_is_asked(desk: Desk) -> None:
    match = await desk.match("sums-grid", ANN, BEA, options={"size": 2})
    before = (await replace(desk, match, BEA, 1, CEM, absent=True)).after
    await desk.move(match, ANN, "1 2 / 3 4")
    after = await load(desk, match)
    assert after.row.proposal == before.row.proposal and proposals.list_users_to_answer(after) == (CEM,)


async def test_somebody_without_a_name_can_be_replaced(desk: Desk) -> None:
    match = await desk.match("sums-grid", ANN, BEA, options={"size": 2})
    for move in ("1 2 / 3 4", "done"):
        await desk.move(match, ANN, move)
    await desk.umpire.forget_user(desk.act(), ANN)
    assert (await load(desk, match)).user_at(1) < 0
    assert proposals.list_users_to_answer((await replace(desk, match, BEA, 1, CEM)).after) == (CEM,)
    done = (await agree(desk, match, CEM)).after
    assert people(done) == [CEM, BEA] and done.users_to_notify == (BEA,)


# What cannot be.


async def test_which_seats_pass_on_and_to_whom(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM)
    assert await refused(desk, match, ANN, 4, DORA) == "There is no such seat in this match. Choose one from the list."
    assert await refused(desk, match, ANN, 0, DORA) == "There is no such seat in this match. Choose one from the list."
    assert await refused(desk, match, ANN, 2, BEA) == ("<@2> already has that seat. Name somebody else.")
    assert await refused(desk, match, ANN, 2, CEM) == "<@3> is already in this match. Name somebody who isn't."
    assert await refused(desk, match, DORA, 2, EVE) == ("You aren't in this match. It is between <@1>, <@2> and <@3>.")
    await desk.umpire.resign(desk.act(), match, CEM)
    assert await refused(desk, match, ANN, 3, DORA) == (
        "<@3> has left this match, and nobody can take over a seat after that."
    )
    assert await refused(desk, match, ANN, 2, CEM) == "<@3> is already in this match. Name somebody who isn't."
    assert await refused(desk, match, CEM, 2, DORA) == ("You have left this match, so you have no say in it.")
    alone = await desk.match("sums-grid", ANN, seats=1)
    assert await refused(desk, alone, ANN, 1, DORA) == ("You play this match alone, so nobody can take over your seat.")
    open_one = await desk.challenge("marks", ANN, BEA)
    assert await refused(desk, open_one.id, ANN, 1, DORA) == "This match hasn't begun yet: not everybody has joined."
    await desk.umpire.resign(desk.act(), match, ANN)
    assert await refused(desk, match, BEA, 1, DORA) == "This match is over."


async def test_nobody_comes_back_on_another_seat(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 1, CEM)
    await agree(desk, match, BEA)
    await agree(desk, match, CEM)
    assert await refused(desk, match, CEM, 2, ANN) == (
        "<@1> has played another seat in this match and can only take that one again."
    )
    await replace(desk, match, CEM, 1, ANN)
    await agree(desk, match, BEA)
    done = (await agree(desk, match, ANN)).after
    assert people(done) == [ANN, BEA] and not done.row.rated
    assert [(one.user, one.rated) for one in parse_handovers(done.row.substitutions)] == [(ANN, True), (CEM, False)]


async def test_one_proposal_at_a_time(desk: Desk) -> None:
    match = await two(desk)
    await ConsentService(desk.umpire).propose(desk.act(), match, ANN, "pause")
    assert (await refused(desk, match, ANN, 2, CEM)).startswith("Your question is still open: “Pause the match?”")
    await refuse(desk, match, ANN)
    await replace(desk, match, ANN, 2, CEM)
    assert (await refused(desk, match, BEA, 2, DORA)).startswith("<@1> has asked: “Give a seat to somebody else?”")
    assert (await refused(desk, match, ANN, 2, CEM)).startswith(
        "Your question is still open: “Give a seat to somebody else?”"
    )
    await replace(desk, match, BEA, 2, CEM)
    assert proposals.list_users_to_answer(await load(desk, match)) == (CEM,), "the person who asks for the same agrees"
    assert (await refused(desk, match, BEA, 1, DORA)).endswith("You agreed, and it waits for <@3>.")


async def test_others_cannot_answer_and_nobody_twice(desk: Desk) -> None:
    match = await two(desk)
    asked = (await replace(desk, match, ANN, 2, CEM)).after
    with pytest.raises(NotYours):
        await agree(desk, match, DORA)
    with pytest.raises(NotPossibleNow, match="the others have to agree"):
        await agree(desk, match, ANN)
    await agree(desk, match, CEM)
    with pytest.raises(NotPossibleNow, match="You have already accepted. It waits for <@2>."):
        await agree(desk, match, CEM)
    mark = proposals.mark_of(asked)
    await refuse(desk, match, BEA)
    for user in (CEM, BEA):
        with pytest.raises(StaleBoard, match="Nobody is asking that any more"):
            await agree(desk, match, user, mark)
    assert people(await load(desk, match)) == [ANN, BEA]


async def test_a_word_that_comes_twice_counts_once(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 2, CEM)
    await agree(desk, match, BEA)
    act, consent = desk.act(), ConsentService(desk.umpire)
    first, second = await asyncio.gather(*(consent.agree(act, match, CEM) for _ in range(2)))
    assert sorted((first.repeated, second.repeated)) == [False, True]
    assert len(parse_handovers((await load(desk, match)).row.substitutions)) == 1


# Refused, and asked again.


async def test_a_player_who_is_asked_may_refuse_and_is_left_alone_for_an_hour(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 2, CEM)
    await agree(desk, match, CEM)
    after = (await refuse(desk, match, CEM)).after
    assert (after.row.proposal, people(after)) == (None, [ANN, BEA]) and ANN in after.users_to_notify
    before = "<@3> was already asked to take over, and didn't agree"
    for user, of in ((ANN, 2), (BEA, 2), (BEA, 1)):
        assert await refused(desk, match, user, of, CEM) == (
            f"{before}. Ask again <t:{desk.now + HOUR}:R>, or name somebody else."
        )
    await replace(desk, match, BEA, 2, DORA)
    await refuse(desk, match, ANN)
    assert (await refused(desk, match, BEA, 2, DORA)).startswith(
        "<@4> was already asked to take over, and <@1> didn't agree"
    )
    desk.now += HOUR
    await replace(desk, match, ANN, 2, CEM)
    await refuse(desk, match, ANN)
    assert "and that was taken back" in await refused(desk, match, BEA, 2, CEM)


async def test_the_caps_on_being_asked_count(desk: Desk) -> None:
    settings = await desk.store.ask(Reader.load_settings, 10)
    strict = type(settings)(most_from_one=1, most_from_all=2)
    await desk.store.do(Transaction.set_settings, 10, strict)
    first, second, third = [await two(desk) for _ in range(3)]
    await replace(desk, first, ANN, 2, CEM)
    assert (await refused(desk, second, ANN, 2, CEM)).startswith("You have challenged <@3> once in the last hour")
    await replace(desk, second, BEA, 2, CEM)
    other = await desk.match("marks", DORA, EVE)
    assert (await refused(desk, other, DORA, 2, CEM)).startswith("<@3> has been challenged 2 times in the last hour")
    await agree(desk, first, BEA)
    await agree(desk, first, CEM)
    assert [ask.asked for ask in await desk.store.ask(Reader.find_challenge_requests, 10, (CEM,), 0, desk.now)] == [CEM]
    await replace(desk, third, ANN, 2, CEM)


# Meanwhile.


async def test_the_proposal_goes_on_over_moves_and_ends_with_the_player_it_is_about(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM, pace="3")
    await replace(desk, match, ANN, 2, DORA)
    await desk.move(match, ANN, "1")
    await desk.move(match, BEA, "0")
    assert proposals.open_proposal(await load(desk, match)) is not None
    after = (await desk.umpire.resign(desk.act(), match, BEA)).after
    assert after.row.proposal is None and DORA not in after.users_to_notify
    with pytest.raises(NotYours):
        await agree(desk, match, DORA)


async def test_the_last_who_had_not_agreed_leaves(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM, pace="3")
    await replace(desk, match, ANN, 2, DORA)
    await agree(desk, match, BEA)
    await agree(desk, match, DORA)
    after = (await desk.umpire.resign(desk.act(), match, CEM)).after
    assert people(after) == [ANN, DORA, CEM] and 3 in after.begun_match.withdrawn_seats
    assert {DORA, BEA} <= set(after.users_to_notify) and not after.row.rated


async def test_a_match_that_is_over_has_no_seat_to_pass_on(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 2, CEM)
    after = (await desk.umpire.resign(desk.act(), match, BEA)).after
    assert (after.row.state, after.row.proposal, after.row.rated) == ("finished", None, True)
    with pytest.raises(NotPossibleNow, match="This match is over"):
        await agree(desk, match, CEM)


async def test_a_claim_and_a_substitute_cannot_both_be(desk: Desk) -> None:
    match = await desk.match("binary-scramble", ANN, BEA, CEM, pace="3")
    await shown(desk, match)
    await lapsed(desk, match)
    await replace(desk, match, BEA, 1, DORA)
    await agree(desk, match, CEM)
    desk.now += CLAIMED_AFTER + 1
    assert [one async for one in DeadlineService(desk.umpire).run_due_acts()] == [match]
    after = await load(desk, match)
    assert 1 in after.begun_match.withdrawn_seats and after.row.proposal is None and people(after) == [ANN, BEA, CEM]


async def test_while_a_match_is_paused_a_seat_passes_on_and_its_clock_waits(desk: Desk) -> None:
    match = await two(desk)
    await ConsentService(desk.umpire).propose(desk.act(), match, ANN, "pause")
    await agree(desk, match, BEA)
    await shown(desk, match)
    await replace(desk, match, BEA, 1, CEM)
    await agree(desk, match, ANN)
    assert (await agree(desk, match, CEM)).after.row.paused is not None
    await shown(desk, match)
    assert (await clock(desk, match, CEM)).since is None
    await ConsentService(desk.umpire).propose(desk.act(), match, CEM, "resume")
    await agree(desk, match, BEA)
    await shown(desk, match)
    assert (await clock(desk, match, CEM)).deadline == desk.now + 3 * DAY


# Secrets.


async def test_the_new_person_inherits_the_secrets_and_the_old_one_loses_them(desk: Desk) -> None:
    match = await desk.match("sums-grid", ANN, BEA, options={"size": 2})
    await desk.move(match, ANN, "1 2 / 3 4")
    await replace(desk, match, ANN, 1, CEM)
    asked = await load(desk, match)
    assert asked.seat_of(CEM) is None, "the person who is only asked sees what spectators see"
    await agree(desk, match, BEA)
    done = (await agree(desk, match, CEM)).after
    assert (done.seat_of(CEM), done.seat_of(ANN)) == (1, None)
    own, public = MatchView.of(done, done.seat_of(CEM)), MatchView.of(done, done.seat_of(ANN))
    assert len(own.record) == 1 and len(public.record) == 0 and own.position != public.position
    with pytest.raises(NotYours):
        await desk.move(match, ANN, "done")
    await desk.move(match, CEM, "done")


# Afterwards.


async def test_a_match_that_was_handed_on_counts_for_nobody(desk: Desk) -> None:
    match = await two(desk, pace="none")
    await desk.move(match, ANN, "4")
    await desk.move(match, BEA, "1")
    await replace(desk, match, ANN, 2, CEM, absent=True)
    await agree(desk, match, CEM)
    await desk.umpire.resign(desk.act(), match, ANN)
    row = (await load(desk, match)).row
    assert (row.state, row.rated, row.find_player(CEM) and row.seat_of(CEM)) == ("finished", False, 2)
    for user, other in ((ANN, CEM), (BEA, CEM), (CEM, ANN)):
        assert await desk.store.ask(Reader.profile, 10, user) == {}
        assert await desk.store.ask(Reader.find_matches_between, 10, user, other) == ()
        assert await desk.store.ask(Reader.scores, 10, user, other) == ()


@pytest.mark.parametrize("rated", [True, False])
async def test_the_rematch_is_between_those_who_played_to_the_end(desk: Desk, rated: bool) -> None:
    match = await desk.match("marks", ANN, BEA, rated=rated)
    await replace(desk, match, BEA, 1, CEM, absent=True)
    await agree(desk, match, CEM)
    await desk.umpire.resign(desk.act(), match, BEA)
    with pytest.raises(NotYours):
        await desk.umpire.rematch(desk.act(), match, ANN)
    again = (await desk.umpire.rematch(desk.act(), match, CEM)).row
    assert again.rated == rated and {player.user for player in again.players} == {BEA, CEM}


async def test_a_player_who_is_asked_or_was_replaced_can_be_forgotten(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 2, CEM)
    await desk.umpire.forget_user(desk.act(), CEM)
    after = await load(desk, match)
    assert after.row.proposal is None and proposals.open_proposal(after) is None
    await replace(desk, match, ANN, 2, DORA)
    await agree(desk, match, BEA)
    await agree(desk, match, DORA)
    await desk.umpire.forget_user(desk.act(), BEA)
    after = await load(desk, match)
    assert people(after) == [ANN, DORA] and parse_handovers(after.row.substitutions)[0].user < 0
    assert all(user > 0 for user in after.users_to_notify)


def test_an_offered_game_of_eight_is_played_here() -> None:
    assert 8 in load_offered_games()["not-divisors-not-multiples"].seats
    assert Proposal.parse("replace 1 2 99 5").lapses_on_entry is False


async def test_nobodys_phone_rings_without_end_for_names_that_are_withdrawn(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 1, CEM)
    await shown(desk, match)
    told: list[UserId] = []
    for new in (DORA, EVE, FAY):
        await refuse(desk, match, ANN)
        await shown(desk, match)
        told += (await replace(desk, match, ANN, 1, new)).after.users_to_notify
        await shown(desk, match)
    assert told == [DORA, EVE, FAY], "Bea was told once, and reads the rest on the board"
    desk.now += HOUR
    await refuse(desk, match, ANN)
    desk.now += HOUR
    assert (await replace(desk, match, ANN, 1, CEM)).after.users_to_notify == (BEA, CEM)


OF_THE_SEAT = {"match", "user", "joined", "seat", "invited", "rank", "score"}
TEXTS = {"weekend": "Europe/Berlin", "prepared": str(PremoveTree(((Move(1, "1"), Move(2, "2")),)))}


async def test_whoever_comes_in_gets_no_mark_of_the_one_before(desk: Desk) -> None:
    """Whatever columns a player has: each is marked for Bea. Cem takes over her hints alone, which helped the seat."""
    match = await two(desk)
    before = (await load(desk, match)).row.find_player(BEA)
    columns = [one for one in schema.players.c if one.name not in OF_THE_SEAT]
    marks: dict[str, Any] = {
        one.name: TEXTS.get(one.name, True if isinstance(one.type, Boolean) else 7) for one in columns
    }
    await desk.store.do(lambda tx: tx.set_player(match, BEA, **marks))
    await replace(desk, match, BEA, 2, CEM)
    await agree(desk, match, CEM)
    await agree(desk, match, ANN)
    after = (await load(desk, match)).row.find_player(CEM)
    assert before and after
    assert [name for name, mark in marks.items() if getattr(after, name) == mark] == ["hints"]
    clean: dict[str, Any] = {name: getattr(before, name) for name in marks}
    await desk.store.do(lambda tx: tx.set_player(match, CEM, **clean))
