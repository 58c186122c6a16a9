"""A match whose place is closed: both players are told once elsewhere, its clocks run on while somebody can act, it
moves to another channel when somebody asks for that, and after a month in which nobody has come it is closed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.platform.error_codes import CLOSED, NOT_THERE, SHUT
from bot.play.claims import CLAIMED_AFTER
from bot.play.clocks import DAY
from bot.play.rows import CHANNEL_DELETED
from bot.sandbox import people
from bot.sandbox.people import Person
from bot.umpire.acts import ACCOUNT
from bot.umpire.notifications import GIVEN_UP, LEASE, PASSES_WITHIN
from data.store import Reader, Transaction
from tests.e2e.harness import MESSAGES, Harness, Played, called, labels
from tests.support.sampled import sampled

MAILBOX = "/users/@me/channels"
FOOT = "I say this here because I couldn't post where it is played."


async def recovers(harness: Harness, seconds: float = 61) -> None:
    """After a while the bot looks again whether places are open or closed, and shows what it can."""
    await asyncio.sleep(seconds)
    await harness.life.does(harness.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await harness.life.does(harness.life.client.publisher.catch_up())
    await harness.settled()


async def looks(harness: Harness, seconds: int = 0) -> None:
    """So much later the bot looks what is due, and does it."""
    await harness.run_due_acts(seconds)
    await harness.life.does(harness.life.client.keep_time())
    await harness.life.does(harness.life.client.sweep())
    await harness.settled()


def said_in(harness: Harness, channel: str = "general") -> list[str]:
    """What is told in a channel of matches that are played elsewhere."""
    messages = harness.sandbox.world.messages[harness.sandbox.channel(channel)["id"]].values()
    return [one["content"] for one in messages if FOOT in one["content"]]


def mail(person: Person) -> list[str]:
    return [one["content"] for one in person.read_direct_messages() if FOOT in one["content"]]


def heard(harness: Harness) -> tuple[int, int]:
    return harness.told(harness.ann), harness.told(harness.bea)


async def closed(harness: Harness, way: str = "deleted", **options: Any) -> Played:
    """A match whose place is closed while Ann is to move."""
    played = await harness.match(**options)
    shut(harness, played, way)
    await asyncio.sleep(2)  # Discord tells of it
    if way == "locked":
        await recovers(harness)
    await harness.settled()
    return await played.fresh()


def shut(harness: Harness, played: Played, way: str) -> None:
    if way == "deleted":
        harness.faults.delete_channel("games")
    elif way == "locked":
        harness.faults.archive(played.place, locked=True)
    else:
        harness.faults.deny("games", "send_messages", "send_messages_in_threads")


# --- telling


async def test_both_are_told_once_that_the_channel_of_their_match_was_deleted(harness: Harness) -> None:
    played = await closed(harness)
    (text,) = said_in(harness)
    assert text.startswith(f"{harness.ann.mention}, in Binary Primes · {played.id}, it's your move.\n")
    assert f"\n{harness.ann.mention} and {harness.bea.mention}: {CHANNEL_DELETED} The clock runs on: " in text
    assert CHANNEL_DELETED in text and f"`/match board match:{played.id}`" in text
    ends = played.row.players[0].deadline
    assert f"<t:{ends}:f>" in text, "the clock runs on"
    before = heard(harness)
    for _ in range(3):
        await looks(harness, DAY)
    assert len(said_in(harness)) == 1 and mail(harness.ann) == mail(harness.bea) == [] and heard(harness) == before


async def test_both_are_told_once_in_the_channel_of_their_thread_that_it_was_locked(harness: Harness) -> None:
    played = await closed(harness, "locked")
    (text,) = said_in(harness, "games")
    assert SHUT in text and harness.ann.mention in text and harness.bea.mention in text
    await looks(harness, DAY)
    assert len(said_in(harness, "games")) == 1 and said_in(harness) == []
    assert (await played.fresh()).row.publish_error == SHUT


async def test_a_clock_that_ran_keeps_its_deadline(harness: Harness) -> None:
    played = await harness.match(pace="7")
    await looks(harness, 5 * DAY)
    shut(harness, played, "deleted")
    await asyncio.sleep(2)
    await harness.settled()
    assert (await played.fresh()).row.players[0].deadline == played.row.players[0].deadline


async def test_who_is_to_move_next_is_told_and_their_clock_starts_with_that(harness: Harness) -> None:
    played = await closed(harness)
    reply = await harness.ann.command("binary-primes move", channel="general", square="b2")
    assert reply.text == (
        f"Your move counts, but I couldn't show the board. {CHANNEL_DELETED} "
        "To go on in another channel, use `/match board` there."
    )
    await harness.settled()
    assert len(said_in(harness)) == 2
    text = said_in(harness)[-1]
    assert text.startswith(f"{harness.bea.mention}, in Binary Primes · {played.id}, it's your move: ")
    assert harness.ann.mention not in text
    bea = (await played.fresh()).row.players[1]
    assert bea.since and bea.deadline


async def test_who_can_write_nowhere_else_is_told_by_a_direct_message(harness: Harness) -> None:
    harness.faults.deny("general", "send_messages")
    played = await closed(harness)
    assert said_in(harness) == []
    (to_ann,), (to_bea,) = mail(harness.ann), mail(harness.bea)
    assert to_ann.startswith(f"{harness.ann.mention}, in Binary Primes · {played.id} on The Sandbox, it's your move.\n")
    assert to_bea.startswith(f"{harness.bea.mention}, Binary Primes · {played.id} on The Sandbox couldn't be shown")
    assert CHANNEL_DELETED in to_ann and CHANNEL_DELETED in to_bea
    await looks(harness, DAY)
    assert len(mail(harness.ann)) == len(mail(harness.bea)) == 1


async def test_a_match_that_not_everybody_could_see_is_told_of_by_direct_messages_alone(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.deny("games", "view_channel", who="Dora")
    everyone = harness.sandbox.world.home_guild["id"]
    overwrites = harness.sandbox.channel("games")["permission_overwrites"]
    overwrites.append({"id": everyone, "type": 0, "allow": "0", "deny": str(1 << 10)})
    harness.sandbox.world.tell_channel_changed(harness.sandbox.channel("games"))
    await asyncio.sleep(1)
    shut(harness, played, "deleted")
    await asyncio.sleep(2)
    await harness.settled()
    assert said_in(harness) == []
    assert len(mail(harness.ann)) == len(mail(harness.bea)) == 1


async def test_closed_mailboxes_are_tried_seldom_and_told_by_the_board_in_the_end(harness: Harness) -> None:
    harness.faults.deny("general", "send_messages")
    harness.bea.close_mailbox()
    played = await closed(harness, "deleted")
    assert len(mail(harness.ann)) == 1 and mail(harness.bea) == []
    asked = len(harness.sandbox.requests_of("POST", MESSAGES))
    await looks(harness, DAY // 2)
    assert len(harness.sandbox.requests_of("POST", MESSAGES)) == asked
    harness.faults.allow("general", "send_messages")
    harness.bea.close_mailbox(False)
    await asyncio.sleep(3700)  # her mailbox is not tried for an hour
    await looks(harness, DAY)
    assert len(mail(harness.ann)) == len(mail(harness.bea)) + len(said_in(harness)) == 1
    assert (await played.fresh()).row.publish_error


@sampled("step", ["taken 1", "noticed 1", "accepted 1"], few=3)
@pytest.mark.parametrize("direct", [False, True])
async def test_a_death_while_it_is_told_tells_nobody_twice_and_nobody_never(
    harness: Harness, step: str, direct: bool
) -> None:
    if direct:
        harness.faults.deny("general", "send_messages")
    played = await harness.match()
    harness.kill_at(step)
    shut(harness, played, "deleted")
    await asyncio.wait_for(harness.killed.wait(), 60)
    await harness.restart()
    harness.faults.forget_nonces()
    await asyncio.sleep(5)
    await looks(harness, LEASE + 1)
    await looks(harness, DAY)
    if direct:
        assert (len(mail(harness.ann)), len(mail(harness.bea)), said_in(harness)) == (1, 1, [])
    else:
        assert (len(said_in(harness)), mail(harness.ann), mail(harness.bea)) == (1, [], [])


@sampled("way", ["applied", "hanging", "refused"], few=3)
async def test_whatever_becomes_of_the_request_each_is_told_once(harness: Harness, way: str) -> None:
    played = await harness.match()
    general = harness.sandbox.channel("general")
    harness.forgiven.append("A notice of match")
    if way == "applied":
        harness.faults.fail_requests("POST", MESSAGES, 502, times=1, applied=True, channel=general)
    elif way == "hanging":
        harness.faults.delay_requests("POST", MESSAGES, 60.0, applied=True, channel=general)
    else:
        harness.faults.fail_requests("POST", MESSAGES, 403, times=9, code=50013, channel=general)
    shut(harness, played, "deleted")
    await asyncio.sleep(90)
    harness.faults.forget_nonces()
    await looks(harness, LEASE + 1)
    await looks(harness, DAY)
    letters = 1 if way == "refused" else 0
    assert (len(said_in(harness)), len(mail(harness.ann)), len(mail(harness.bea))) == (1 - letters, letters, letters)


async def test_a_channel_that_was_deleted_while_the_bot_was_away_is_noticed(harness: Harness) -> None:
    await harness.match()
    harness.life.kill()
    harness.faults.delete_channel("games")
    await harness.restart()
    await asyncio.sleep(5)
    await harness.settled()
    assert len(mail(harness.ann)) == len(mail(harness.bea)) == 1, "nobody knows any more who could see it"
    assert said_in(harness) == []


# --- clocks


@sampled("way", ["deleted", "locked", "forbidden"], few=3)
async def test_closing_its_place_rescues_nobody_who_is_late(harness: Harness, way: str) -> None:
    played = await closed(harness, way, pace="7")
    deadline = played.row.players[0].deadline
    assert deadline
    await looks(harness, 8 * DAY)
    await looks(harness, PASSES_WITHIN)
    ann = (await played.fresh()).row.players[0]
    assert (ann.deadline, ann.forfeit_at is None) == (deadline, False)
    texts = said_in(harness, "games" if way == "locked" else "general")
    ran_out = f"{harness.ann.mention}, in Binary Primes · 1, your time ran out."
    assert any(text.startswith(f"{ran_out} {harness.bea.mention} can claim the match until") for text in texts)
    asked = await harness.bea.command("match claim", channel="general")
    assert f"Claim match {played.id}?" in asked.text
    done = await harness.bea.press(asked.message, "Claim")
    assert done.text.startswith("You claimed the match. ")
    await harness.settled()
    await looks(harness)
    played = await played.fresh()
    assert (played.row.state, played.record) == ("finished", [(1, "timeout")])
    text = said_in(harness, "games" if way == "locked" else "general")[-1]
    assert text.startswith(f"{harness.ann.mention}, in Binary Primes · 1, it's over: ")


async def test_a_match_in_a_locked_thread_is_claimed_by_itself(harness: Harness) -> None:
    played = await closed(harness, "locked", pace="2")
    await looks(harness, 2 * DAY + 60)
    await looks(harness, CLAIMED_AFTER + 60)
    assert (await played.fresh()).row.state == "finished"


async def test_a_thread_that_is_deleted_rescues_nobody_who_is_late(harness: Harness) -> None:
    played = await harness.match(pace="2")
    await looks(harness, 2 * DAY + 60)
    lapse = (await played.fresh()).row.players[0].forfeit_at
    harness.faults.delete_channel(played.place)
    await asyncio.sleep(2)
    await harness.settled()
    played = await played.fresh()
    assert played.row.thread == played.row.channel
    assert lapse and played.row.players[0].forfeit_at == lapse


async def test_where_the_bot_has_another_account_clocks_stand_still(harness: Harness) -> None:
    """A host has taken the wrong token: nothing ends that cannot begin again."""
    played = await harness.match(pace="2")
    await looks(harness, DAY)
    harness.life.kill()
    harness.faults.kick()
    await harness.store.do(Transaction.set_note, ACCOUNT, "5 0")
    await harness.restart()
    await recovers(harness, 2)
    ann = (await played.fresh()).row.players[0]
    assert (ann.deadline, (await played.fresh()).row.publish_error) == (None, NOT_THERE)
    assert ann.seconds_left and abs(ann.seconds_left - DAY) < 60
    await looks(harness, 8 * DAY)
    assert (await played.fresh()).row.players[0].forfeit_at is None
    harness.faults.invite()
    await recovers(harness)
    played = await played.fresh()
    assert played.row.publish_error is None and played.row.players[0].deadline
    assert abs(played.row.players[0].deadline - harness.clock() - DAY) < 120


# --- another place


@sampled("way", ["deleted", "locked", "forbidden"], few=3)
async def test_a_player_moves_it_to_another_channel_by_asking_for_its_board(harness: Harness, way: str) -> None:
    played = await closed(harness, way)
    deadline = played.row.players[0].deadline
    reply = await harness.bea.command("match board", channel="general")
    assert reply.is_ephemeral and "From now on the match is played here." in reply.text
    await harness.settled()
    played = await played.fresh()
    assert (played.place["name"], played.row.publish_error) == ("general", None)
    assert labels(played.board) == ["Move", "Rules", "More …"]
    (line,) = played.lines
    assert line["content"].startswith(f"{harness.ann.mention}, in Binary Primes · {played.id}, it's your move")
    assert played.row.players[0].deadline == deadline
    assert await harness.store.ask(Reader.load_notices, played.id) == ()
    played = await played.move("b2")
    assert f"{called(harness.bea)} is to move." in people.text_of(played.board)
    await looks(harness, DAY)
    assert len(played.boards) == 2


async def test_a_manager_moves_it_and_both_players_are_told_there(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.cem)
    shut(harness, played, "deleted")
    await asyncio.sleep(2)
    await harness.settled()
    reply = await harness.ann.command("match board", channel="general", match=played.id)
    assert "From now on the match is played here." in reply.text
    await harness.settled()
    played = await played.fresh()
    (line,) = played.lines
    assert harness.bea.mention in line["content"] and harness.cem.mention in line["content"]


async def test_a_stranger_may_not_move_it(harness: Harness) -> None:
    played = await closed(harness)
    reply = await harness.cem.command("match board", channel="general", match=played.id)
    assert (
        f"I couldn't show the board in its place. {CHANNEL_DELETED} Its players, or somebody who manages this server, "
        "can move it here with `/match board`."
    ) in reply.text
    await harness.settled()
    assert (await played.fresh()).row.channel == played.row.channel


async def test_it_moves_nowhere_where_the_bot_may_not_post(harness: Harness) -> None:
    harness.faults.deny("general", "attach_files")
    played = await closed(harness)
    reply = await harness.bea.command("match board", channel="general")
    assert f"{CHANNEL_DELETED} I can't post boards in this channel without Attach Files." in reply.text
    assert (await played.fresh()).row.channel == played.row.channel


async def test_a_match_whose_place_is_open_stays_there(harness: Harness) -> None:
    played = await harness.match()
    reply = await harness.bea.command("match board", channel="general")
    assert "Only you see this board." in reply.text
    await harness.settled()
    assert (await played.fresh()).place["id"] == played.place["id"]


async def test_a_death_after_it_was_moved_loses_no_board(harness: Harness) -> None:
    played = await closed(harness)
    harness.kill_at("drawn 1")
    asking = asyncio.create_task(harness.bea.command("match board", channel="general"))
    await asyncio.wait_for(harness.killed.wait(), 60)
    asking.cancel()
    await harness.restart()
    await harness.life.does(harness.life.client.publisher.catch_up())
    await harness.settled()
    if (played := await played.fresh()).place["name"] != "general":
        await harness.bea.command("match board", channel="general")
        await harness.settled()
    played = await played.fresh()
    assert len(played.boards) == 1 and labels(played.board) == ["Move", "Rules", "More …"]


async def test_of_a_place_that_opens_again_within_minutes_nobody_is_told(harness: Harness) -> None:
    played = await closed(harness, "forbidden")
    before = heard(harness)
    await harness.ann.command("binary-primes move", channel="general", square="b2")
    await harness.settled()
    assert (await played.fresh()).row.publish_error == CLOSED and heard(harness) == before
    harness.faults.allow("games", "send_messages", "send_messages_in_threads")
    await recovers(harness)
    await looks(harness, PASSES_WITHIN)
    assert heard(harness) == (before[0], before[1] + 1), "the board tells whose move it is, and nothing else"
    assert said_in(harness) == []


async def test_of_a_place_that_stays_closed_both_are_told_once(harness: Harness) -> None:
    await closed(harness, "forbidden")
    await harness.ann.command("binary-primes move", channel="general", square="b2")
    await harness.settled()
    await looks(harness, PASSES_WITHIN)
    (text,) = said_in(harness)
    assert text.startswith(f"{harness.bea.mention}, in Binary Primes · 1, it's your move: ")
    assert f"\n{harness.ann.mention} and {harness.bea.mention}: {CLOSED} " in text
    await looks(harness, DAY)
    assert len(said_in(harness)) == 1


async def test_where_the_channel_opens_again_the_match_goes_on_there_and_nobody_is_told_again(harness: Harness) -> None:
    played = await closed(harness, "locked")
    before = heard(harness)
    harness.faults.archive(played.place, locked=False)
    await recovers(harness)
    played = await played.fresh()
    assert played.row.publish_error is None and heard(harness) == before
    assert await harness.store.ask(Reader.load_notices, played.id) == ()
    await played.move("b2")


async def test_whoever_was_told_elsewhere_is_not_told_by_the_board_again(harness: Harness) -> None:
    played = await closed(harness, "locked")
    await harness.ann.command("binary-primes move", channel="general", square="b2")
    await harness.settled()
    before = heard(harness)
    harness.faults.archive(played.place, locked=False)
    await recovers(harness)
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert heard(harness) == before


# --- what acts are answered with


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("match draw", "You offered a draw. It happens as soon as"),
        ("match pause", "You asked"),
        ("match abort", "You asked to call match 1 off."),
    ],
)
async def test_each_act_is_answered_with_its_own_sentence(harness: Harness, command: str, line: str) -> None:
    await closed(harness)
    reply = await harness.ann.command(command, channel="general")
    assert reply.text.startswith(line) and "move counts" not in reply.text
    assert reply.text.endswith(f"{CHANNEL_DELETED} To go on in another channel, use `/match board` there.")
    assert "trying again" not in reply.text


async def test_resigning_in_a_closed_place_says_so_and_the_other_is_told(harness: Harness) -> None:
    await closed(harness, "forbidden")
    await harness.ann.command("binary-primes move", channel="general", square="b2")
    await harness.settled()
    reply = await harness.surely(harness.bea, "match resign", channel="general")
    assert reply.text == f"You resigned. I couldn't show that in its place. {CLOSED} I'm trying again."
    await harness.settled()
    assert said_in(harness)[-1].startswith(f"{harness.ann.mention}, in Binary Primes · 1, it's over: ")


async def test_taking_a_challenge_back_in_a_closed_place_says_that(harness: Harness) -> None:
    harness.faults.fail_requests("POST", MESSAGES, 403, code=50013)
    await harness.ann.command("binary-primes challenge", channel="games", opponent=harness.bea, size=3)
    await harness.settled()
    reply = await harness.ann.command("match abort", channel="general", match=1)
    assert reply.text == (
        f"You withdrew the challenge to match 1. I couldn't show that in its place. {CLOSED} I'm trying again."
    )


# --- the end


async def test_a_match_that_nobody_reaches_for_a_month_is_closed_unrated_and_both_are_told(harness: Harness) -> None:
    played = await closed(harness, pace="none")
    await looks(harness, 29 * DAY)
    assert (await played.fresh()).row.state == "live"
    await looks(harness, DAY + 60)
    await looks(harness)
    played = await played.fresh()
    assert (played.row.state, played.row.rated, played.row.close_reason) == ("aborted", False, GIVEN_UP)
    text = said_in(harness)[-1]
    assert GIVEN_UP in text and harness.ann.mention in text and harness.bea.mention in text
    await looks(harness, DAY)
    assert len(said_in(harness)) == 2


async def test_a_match_that_is_played_on_by_commands_is_not_closed(harness: Harness) -> None:
    played = await closed(harness, pace="none")
    await looks(harness, 29 * DAY)
    await harness.ann.command("binary-primes move", channel="general", square="b2")
    await looks(harness, 29 * DAY)
    assert (await played.fresh()).row.state == "live"
