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
from tests.e2e.house import MESSAGES, House, Played, called, labels
from tests.support.sampled import sampled

MAILBOX = "/users/@me/channels"
FOOT = "I say this here because I couldn't post where it is played."


async def recovers(house: House, seconds: float = 61) -> None:
    """After a while the bot looks again whether places are open or closed, and shows what it can."""
    await asyncio.sleep(seconds)
    await house.life.does(house.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await house.life.does(house.life.client.publisher.catch_up())
    await house.settled()


async def looks(house: House, seconds: int = 0) -> None:
    """So much later the bot looks what is due, and does it."""
    await house.run_due_acts(seconds)
    await house.life.does(house.life.client.keep_time())
    await house.life.does(house.life.client.sweep())
    await house.settled()


def said_in(house: House, channel: str = "general") -> list[str]:
    """What is told in a channel of matches that are played elsewhere."""
    messages = house.sandbox.world.messages[house.sandbox.channel(channel)["id"]].values()
    return [one["content"] for one in messages if FOOT in one["content"]]


def mail(person: Person) -> list[str]:
    return [one["content"] for one in person.read_direct_messages() if FOOT in one["content"]]


def heard(house: House) -> tuple[int, int]:
    return house.told(house.ann), house.told(house.bea)


async def closed(house: House, way: str = "deleted", **options: Any) -> Played:
    """A match whose place is closed while Ann is to move."""
    played = await house.match(**options)
    shut(house, played, way)
    await asyncio.sleep(2)  # Discord tells of it
    if way == "locked":
        await recovers(house)
    await house.settled()
    return await played.fresh()


def shut(house: House, played: Played, way: str) -> None:
    if way == "deleted":
        house.faults.delete_channel("games")
    elif way == "locked":
        house.faults.archive(played.place, locked=True)
    else:
        house.faults.deny("games", "send_messages", "send_messages_in_threads")


# --- telling


async def test_both_are_told_once_that_the_channel_of_their_match_was_deleted(house: House) -> None:
    played = await closed(house)
    (text,) = said_in(house)
    assert text.startswith(f"{house.ann.mention}, in Binary Primes · {played.id}, it's your move.\n")
    assert f"\n{house.ann.mention} and {house.bea.mention}: {CHANNEL_DELETED} The clock runs on: " in text
    assert CHANNEL_DELETED in text and f"`/match board match:{played.id}`" in text
    ends = played.row.players[0].deadline
    assert f"<t:{ends}:f>" in text, "the clock runs on"
    before = heard(house)
    for _ in range(3):
        await looks(house, DAY)
    assert len(said_in(house)) == 1 and mail(house.ann) == mail(house.bea) == [] and heard(house) == before


async def test_both_are_told_once_in_the_channel_of_their_thread_that_it_was_locked(house: House) -> None:
    played = await closed(house, "locked")
    (text,) = said_in(house, "games")
    assert SHUT in text and house.ann.mention in text and house.bea.mention in text
    await looks(house, DAY)
    assert len(said_in(house, "games")) == 1 and said_in(house) == []
    assert (await played.fresh()).row.publish_error == SHUT


async def test_a_clock_that_ran_keeps_its_deadline(house: House) -> None:
    played = await house.match(pace="7")
    await looks(house, 5 * DAY)
    shut(house, played, "deleted")
    await asyncio.sleep(2)
    await house.settled()
    assert (await played.fresh()).row.players[0].deadline == played.row.players[0].deadline


async def test_who_is_to_move_next_is_told_and_their_clock_starts_with_that(house: House) -> None:
    played = await closed(house)
    reply = await house.ann.command("binary-primes move", channel="general", square="b2")
    assert reply.text == (
        f"Your move counts, but I couldn't show the board. {CHANNEL_DELETED} "
        "To go on in another channel, use `/match board` there."
    )
    await house.settled()
    assert len(said_in(house)) == 2
    text = said_in(house)[-1]
    assert text.startswith(f"{house.bea.mention}, in Binary Primes · {played.id}, it's your move: ")
    assert house.ann.mention not in text
    bea = (await played.fresh()).row.players[1]
    assert bea.since and bea.deadline


async def test_who_can_write_nowhere_else_is_told_by_a_direct_message(house: House) -> None:
    house.faults.deny("general", "send_messages")
    played = await closed(house)
    assert said_in(house) == []
    (to_ann,), (to_bea,) = mail(house.ann), mail(house.bea)
    assert to_ann.startswith(f"{house.ann.mention}, in Binary Primes · {played.id} on The Sandbox, it's your move.\n")
    assert to_bea.startswith(f"{house.bea.mention}, Binary Primes · {played.id} on The Sandbox couldn't be shown")
    assert CHANNEL_DELETED in to_ann and CHANNEL_DELETED in to_bea
    await looks(house, DAY)
    assert len(mail(house.ann)) == len(mail(house.bea)) == 1


async def test_a_match_that_not_everybody_could_see_is_told_of_by_direct_messages_alone(house: House) -> None:
    played = await house.match()
    house.faults.deny("games", "view_channel", who="Dora")
    everyone = house.sandbox.world.home_guild["id"]
    overwrites = house.sandbox.channel("games")["permission_overwrites"]
    overwrites.append({"id": everyone, "type": 0, "allow": "0", "deny": str(1 << 10)})
    house.sandbox.world.tell_channel_changed(house.sandbox.channel("games"))
    await asyncio.sleep(1)
    shut(house, played, "deleted")
    await asyncio.sleep(2)
    await house.settled()
    assert said_in(house) == []
    assert len(mail(house.ann)) == len(mail(house.bea)) == 1


async def test_closed_mailboxes_are_tried_seldom_and_told_by_the_board_in_the_end(house: House) -> None:
    house.faults.deny("general", "send_messages")
    house.bea.close_mailbox()
    played = await closed(house, "deleted")
    assert len(mail(house.ann)) == 1 and mail(house.bea) == []
    asked = len(house.sandbox.requests_of("POST", MESSAGES))
    await looks(house, DAY // 2)
    assert len(house.sandbox.requests_of("POST", MESSAGES)) == asked
    house.faults.allow("general", "send_messages")
    house.bea.close_mailbox(False)
    await asyncio.sleep(3700)  # her mailbox is not tried for an hour
    await looks(house, DAY)
    assert len(mail(house.ann)) == len(mail(house.bea)) + len(said_in(house)) == 1
    assert (await played.fresh()).row.publish_error


@sampled("step", ["taken 1", "noticed 1", "accepted 1"], few=3)
@pytest.mark.parametrize("direct", [False, True])
async def test_a_death_while_it_is_told_tells_nobody_twice_and_nobody_never(
    house: House, step: str, direct: bool
) -> None:
    if direct:
        house.faults.deny("general", "send_messages")
    played = await house.match()
    house.kill_at(step)
    shut(house, played, "deleted")
    await asyncio.wait_for(house.killed.wait(), 60)
    await house.restart()
    house.faults.forget_nonces()
    await asyncio.sleep(5)
    await looks(house, LEASE + 1)
    await looks(house, DAY)
    if direct:
        assert (len(mail(house.ann)), len(mail(house.bea)), said_in(house)) == (1, 1, [])
    else:
        assert (len(said_in(house)), mail(house.ann), mail(house.bea)) == (1, [], [])


@sampled("way", ["applied", "hanging", "refused"], few=3)
async def test_whatever_becomes_of_the_request_each_is_told_once(house: House, way: str) -> None:
    played = await house.match()
    general = house.sandbox.channel("general")
    house.forgiven.append("A notice of match")
    if way == "applied":
        house.faults.fail_requests("POST", MESSAGES, 502, times=1, applied=True, channel=general)
    elif way == "hanging":
        house.faults.delay_requests("POST", MESSAGES, 60.0, applied=True, channel=general)
    else:
        house.faults.fail_requests("POST", MESSAGES, 403, times=9, code=50013, channel=general)
    shut(house, played, "deleted")
    await asyncio.sleep(90)
    house.faults.forget_nonces()
    await looks(house, LEASE + 1)
    await looks(house, DAY)
    letters = 1 if way == "refused" else 0
    assert (len(said_in(house)), len(mail(house.ann)), len(mail(house.bea))) == (1 - letters, letters, letters)


async def test_a_channel_that_was_deleted_while_the_bot_was_away_is_noticed(house: House) -> None:
    await house.match()
    house.life.kill()
    house.faults.delete_channel("games")
    await house.restart()
    await asyncio.sleep(5)
    await house.settled()
    assert len(mail(house.ann)) == len(mail(house.bea)) == 1, "nobody knows any more who could see it"
    assert said_in(house) == []


# --- clocks


@sampled("way", ["deleted", "locked", "forbidden"], few=3)
async def test_closing_its_place_rescues_nobody_who_is_late(house: House, way: str) -> None:
    played = await closed(house, way, pace="7")
    deadline = played.row.players[0].deadline
    assert deadline
    await looks(house, 8 * DAY)
    await looks(house, PASSES_WITHIN)
    ann = (await played.fresh()).row.players[0]
    assert (ann.deadline, ann.forfeit_at is None) == (deadline, False)
    texts = said_in(house, "games" if way == "locked" else "general")
    said = (
        f"{house.ann.mention}, in Binary Primes · 1, your time ran out. {house.bea.mention} can claim the match until"
    )
    assert any(text.startswith(said) for text in texts)
    asked = await house.bea.command("match claim", channel="general")
    assert f"Claim match {played.id}?" in asked.text
    done = await house.bea.press(asked.message, "Claim")
    assert done.text.startswith("You claimed the match. ")
    await house.settled()
    await looks(house)
    played = await played.fresh()
    assert (played.row.state, played.record) == ("finished", [(1, "timeout")])
    text = said_in(house, "games" if way == "locked" else "general")[-1]
    assert text.startswith(f"{house.ann.mention}, in Binary Primes · 1, it's over: ")


async def test_a_match_in_a_locked_thread_is_claimed_by_itself(house: House) -> None:
    played = await closed(house, "locked", pace="2")
    await looks(house, 2 * DAY + 60)
    await looks(house, CLAIMED_AFTER + 60)
    assert (await played.fresh()).row.state == "finished"


async def test_a_thread_that_is_deleted_rescues_nobody_who_is_late(house: House) -> None:
    played = await house.match(pace="2")
    await looks(house, 2 * DAY + 60)
    lapse = (await played.fresh()).row.players[0].forfeit_at
    house.faults.delete_channel(played.place)
    await asyncio.sleep(2)
    await house.settled()
    played = await played.fresh()
    assert played.row.thread == played.row.channel
    assert lapse and played.row.players[0].forfeit_at == lapse


async def test_where_the_bot_has_another_account_clocks_stand_still(house: House) -> None:
    """A host has taken the wrong token: nothing ends that cannot begin again."""
    played = await house.match(pace="2")
    await looks(house, DAY)
    house.life.kill()
    house.faults.kick()
    await house.store.do(Transaction.set_note, ACCOUNT, "5 0")
    await house.restart()
    await recovers(house, 2)
    ann = (await played.fresh()).row.players[0]
    assert (ann.deadline, (await played.fresh()).row.publish_error) == (None, NOT_THERE)
    assert ann.seconds_left and abs(ann.seconds_left - DAY) < 60
    await looks(house, 8 * DAY)
    assert (await played.fresh()).row.players[0].forfeit_at is None
    house.faults.invite()
    await recovers(house)
    played = await played.fresh()
    assert played.row.publish_error is None and played.row.players[0].deadline
    assert abs(played.row.players[0].deadline - house.clock() - DAY) < 120


# --- another place


@sampled("way", ["deleted", "locked", "forbidden"], few=3)
async def test_a_player_moves_it_to_another_channel_by_asking_for_its_board(house: House, way: str) -> None:
    played = await closed(house, way)
    deadline = played.row.players[0].deadline
    reply = await house.bea.command("match board", channel="general")
    assert reply.is_ephemeral and "From now on the match is played here." in reply.text
    await house.settled()
    played = await played.fresh()
    assert (played.place["name"], played.row.publish_error) == ("general", None)
    assert labels(played.board) == ["Move", "Rules", "More …"]
    (line,) = played.lines
    assert line["content"].startswith(f"{house.ann.mention}, in Binary Primes · {played.id}, it's your move")
    assert played.row.players[0].deadline == deadline
    assert await house.store.ask(Reader.load_notices, played.id) == ()
    played = await played.move("b2")
    assert f"{called(house.bea)} is to move." in people.text_of(played.board)
    await looks(house, DAY)
    assert len(played.boards) == 2


async def test_a_manager_moves_it_and_both_players_are_told_there(house: House) -> None:
    played = await house.match(house.bea, house.cem)
    shut(house, played, "deleted")
    await asyncio.sleep(2)
    await house.settled()
    reply = await house.ann.command("match board", channel="general", match=played.id)
    assert "From now on the match is played here." in reply.text
    await house.settled()
    played = await played.fresh()
    (line,) = played.lines
    assert house.bea.mention in line["content"] and house.cem.mention in line["content"]


async def test_a_stranger_may_not_move_it(house: House) -> None:
    played = await closed(house)
    reply = await house.cem.command("match board", channel="general", match=played.id)
    assert (
        f"I couldn't show the board in its place. {CHANNEL_DELETED} Its players, or somebody who manages this server, "
        "can move it here with `/match board`."
    ) in reply.text
    await house.settled()
    assert (await played.fresh()).row.channel == played.row.channel


async def test_it_moves_nowhere_where_the_bot_may_not_post(house: House) -> None:
    house.faults.deny("general", "attach_files")
    played = await closed(house)
    reply = await house.bea.command("match board", channel="general")
    assert f"{CHANNEL_DELETED} I can't post boards in this channel without Attach Files." in reply.text
    assert (await played.fresh()).row.channel == played.row.channel


async def test_a_match_whose_place_is_open_stays_there(house: House) -> None:
    played = await house.match()
    reply = await house.bea.command("match board", channel="general")
    assert "Only you see this board." in reply.text
    await house.settled()
    assert (await played.fresh()).place["id"] == played.place["id"]


async def test_a_death_after_it_was_moved_loses_no_board(house: House) -> None:
    played = await closed(house)
    house.kill_at("drawn 1")
    asking = asyncio.create_task(house.bea.command("match board", channel="general"))
    await asyncio.wait_for(house.killed.wait(), 60)
    asking.cancel()
    await house.restart()
    await house.life.does(house.life.client.publisher.catch_up())
    await house.settled()
    if (played := await played.fresh()).place["name"] != "general":
        await house.bea.command("match board", channel="general")
        await house.settled()
    played = await played.fresh()
    assert len(played.boards) == 1 and labels(played.board) == ["Move", "Rules", "More …"]


async def test_of_a_place_that_opens_again_within_minutes_nobody_is_told(house: House) -> None:
    played = await closed(house, "forbidden")
    before = heard(house)
    await house.ann.command("binary-primes move", channel="general", square="b2")
    await house.settled()
    assert (await played.fresh()).row.publish_error == CLOSED and heard(house) == before
    house.faults.allow("games", "send_messages", "send_messages_in_threads")
    await recovers(house)
    await looks(house, PASSES_WITHIN)
    assert heard(house) == (before[0], before[1] + 1), "the board tells whose move it is, and nothing else"
    assert said_in(house) == []


async def test_of_a_place_that_stays_closed_both_are_told_once(house: House) -> None:
    await closed(house, "forbidden")
    await house.ann.command("binary-primes move", channel="general", square="b2")
    await house.settled()
    await looks(house, PASSES_WITHIN)
    (text,) = said_in(house)
    assert text.startswith(f"{house.bea.mention}, in Binary Primes · 1, it's your move: ")
    assert f"\n{house.ann.mention} and {house.bea.mention}: {CLOSED} " in text
    await looks(house, DAY)
    assert len(said_in(house)) == 1


async def test_where_the_channel_opens_again_the_match_goes_on_there_and_nobody_is_told_again(house: House) -> None:
    played = await closed(house, "locked")
    before = heard(house)
    house.faults.archive(played.place, locked=False)
    await recovers(house)
    played = await played.fresh()
    assert played.row.publish_error is None and heard(house) == before
    assert await house.store.ask(Reader.load_notices, played.id) == ()
    await played.move("b2")


async def test_whoever_was_told_elsewhere_is_not_told_by_the_board_again(house: House) -> None:
    played = await closed(house, "locked")
    await house.ann.command("binary-primes move", channel="general", square="b2")
    await house.settled()
    before = heard(house)
    house.faults.archive(played.place, locked=False)
    await recovers(house)
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert heard(house) == before


# --- what acts are answered with


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("match draw", "You offered a draw. It happens as soon as"),
        ("match pause", "You asked"),
        ("match abort", "You asked to call match 1 off."),
    ],
)
async def test_each_act_is_answered_with_its_own_sentence(house: House, command: str, line: str) -> None:
    await closed(house)
    reply = await house.ann.command(command, channel="general")
    assert reply.text.startswith(line) and "move counts" not in reply.text
    assert reply.text.endswith(f"{CHANNEL_DELETED} To go on in another channel, use `/match board` there.")
    assert "trying again" not in reply.text


async def test_resigning_in_a_closed_place_says_so_and_the_other_is_told(house: House) -> None:
    await closed(house, "forbidden")
    await house.ann.command("binary-primes move", channel="general", square="b2")
    await house.settled()
    reply = await house.surely(house.bea, "match resign", channel="general")
    assert reply.text == f"You resigned. I couldn't show that in its place. {CLOSED} I'm trying again."
    await house.settled()
    assert said_in(house)[-1].startswith(f"{house.ann.mention}, in Binary Primes · 1, it's over: ")


async def test_taking_a_challenge_back_in_a_closed_place_says_that(house: House) -> None:
    house.faults.fail_requests("POST", MESSAGES, 403, code=50013)
    await house.ann.command("binary-primes challenge", channel="games", opponent=house.bea, size=3)
    await house.settled()
    reply = await house.ann.command("match abort", channel="general", match=1)
    assert reply.text == (
        f"You took back the challenge to match 1. I couldn't show that in its place. {CLOSED} I'm trying again."
    )


# --- the end


async def test_a_match_that_nobody_reaches_for_a_month_is_closed_unrated_and_both_are_told(house: House) -> None:
    played = await closed(house, pace="none")
    await looks(house, 29 * DAY)
    assert (await played.fresh()).row.state == "live"
    await looks(house, DAY + 60)
    await looks(house)
    played = await played.fresh()
    assert (played.row.state, played.row.rated, played.row.close_reason) == ("aborted", False, GIVEN_UP)
    text = said_in(house)[-1]
    assert GIVEN_UP in text and house.ann.mention in text and house.bea.mention in text
    await looks(house, DAY)
    assert len(said_in(house)) == 2


async def test_a_match_that_is_played_on_by_commands_is_not_closed(house: House) -> None:
    played = await closed(house, pace="none")
    await looks(house, 29 * DAY)
    await house.ann.command("binary-primes move", channel="general", square="b2")
    await looks(house, 29 * DAY)
    assert (await played.fresh()).row.state == "live"
