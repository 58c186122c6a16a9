"""What the people who run a server do, and what the bot hears of it and may do then."""

import asyncio

import discord
import pytest

from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import ApiError, Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import Api, MiniBot, connected
from tests.support.waiting import until


def messages(sandbox: Sandbox, channel: str) -> str:
    return f"/channels/{sandbox.channel(channel)['id']}/messages"


def heard(sandbox: Sandbox, event: str) -> list[Json]:
    """The data of the events of a kind that the bot was sent."""
    (session,) = sandbox.gateway.sessions.values()
    return [one["d"] for one in session.events if one["t"] == event]


async def test_a_timed_out_bot_hears_of_it_and_answers_commands(
    sandbox: Sandbox, bot: MiniBot, api: Api, bea: Person
) -> None:
    sandbox.moderation.time_out(seconds=300)
    await until(lambda: bot.guilds[0].me.is_timed_out())
    assert (await api("POST", messages(sandbox, "general"), {"content": "x"}))[1]["code"] == 50013
    assert (await api("GET", messages(sandbox, "general")))[0] == 200
    reply = await bea.command("show")
    assert not reply.is_ephemeral and "Board" in reply.text
    sandbox.moderation.time_out(seconds=0)
    await until(lambda: not bot.guilds[0].me.is_timed_out())
    assert (await api("POST", messages(sandbox, "general"), {"content": "x"}))[0] == 200


async def test_nobody_is_told_that_a_timeout_has_ended(
    sandbox: Sandbox, bot: MiniBot, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.moderation.time_out(seconds=300)
    later = sandbox.world.clock() + 301
    monkeypatch.setattr(sandbox.world, "clock", lambda: later)
    assert (await api("POST", messages(sandbox, "general"), {"content": "x"}))[0] == 200
    assert len(heard(sandbox, "GUILD_MEMBER_UPDATE")) == 1


async def test_of_other_members_a_bot_without_the_intent_hears_nothing(
    sandbox: Sandbox, bot: MiniBot, bea: Person
) -> None:
    sandbox.moderation.time_out("Bea")
    assert heard(sandbox, "GUILD_MEMBER_UPDATE") == []
    with pytest.raises(ApiError) as refused:
        bea.say("x")
    assert refused.value.code == 50013
    with pytest.raises(ClientRefusal, match="may not use apps"):
        await bea.command("show")


async def test_the_owner_cannot_be_silenced(sandbox: Sandbox, ann: Person) -> None:
    sandbox.moderation.time_out("Ann")
    assert ann.say("x")


async def test_a_deleted_role_takes_its_permissions_along(sandbox: Sandbox, bot: MiniBot, api: Api) -> None:
    sandbox.moderation.create_role("Helper", "manage_threads")
    await until(lambda: bot.guilds[0].me.guild_permissions.manage_threads)
    thread = await bot.guilds[0].text_channels[0].create_thread(name="match", type=discord.ChannelType.public_thread)
    await thread.edit(locked=True)
    assert await thread.send("I manage it.")
    sandbox.moderation.delete_role("Helper")
    await until(lambda: not bot.guilds[0].me.guild_permissions.manage_threads)
    with pytest.raises(discord.Forbidden) as refused:
        await thread.send("x")
    assert refused.value.code == 160005


async def test_threads_come_with_the_channel_that_the_bot_is_let_into(sandbox: Sandbox) -> None:
    sandbox.faults.deny("ideas", "view_channel")
    async with connected(sandbox) as bot:
        thread = int(sandbox.channel("Which game first?")["id"])
        assert bot.guilds[0].get_thread(thread) is None
        sandbox.moderation.set_everyone_permissions(deny=("attach_files",))
        assert heard(sandbox, "THREAD_LIST_SYNC") == []
        sandbox.faults.allow("ideas", "view_channel")
        await until(lambda: bot.guilds[0].get_thread(thread))
        (told,) = heard(sandbox, "THREAD_LIST_SYNC")
        assert (told["channel_ids"], told["members"]) == ([sandbox.channel("ideas")["id"]], [])


async def test_threads_come_when_a_role_opens_their_channels(sandbox: Sandbox) -> None:
    sandbox.moderation.set_everyone_permissions(deny=("view_channel",))
    sandbox.faults.set_bot_role(deny=["view_channel"])
    async with connected(sandbox) as bot:
        sandbox.moderation.create_role("Guest", "view_channel")
        await until(lambda: bot.guilds[0].get_thread(int(sandbox.channel("Which game first?")["id"])))
        assert len(heard(sandbox, "THREAD_LIST_SYNC")) == 1


async def test_a_private_thread(sandbox: Sandbox, bot: MiniBot, api: Api, ann: Person, bea: Person) -> None:
    """Commands reach the bot, whose answer is no way in; those who are not in it see nothing; Ann manages threads."""
    thread = bea.start_private_thread("secret", "games")
    assert sandbox.person("Cem").read_messages(thread) == []
    with pytest.raises(ClientRefusal, match="may not see"):
        await sandbox.person("Cem").command("show", channel=thread)
    assert (await bea.command("show", channel=thread)).text.startswith("Board")
    assert (await ann.command("show", channel=thread)).text.startswith("Board")
    assert (await api("POST", messages(sandbox, "secret"), {"content": "x"}))[1]["code"] == 50001
    assert bot.guilds[0].get_thread(int(thread["id"])) is None
    _, active = await api("GET", f"/guilds/{sandbox.world.home_guild['id']}/threads/active")
    assert [one["name"] for one in active["threads"]] == ["Which game first?"]
    bea.add_bot(thread)
    await until(lambda: bot.guilds[0].get_thread(int(thread["id"])))
    assert (await api("POST", messages(sandbox, "secret"), {"content": "x"}))[0] == 200


async def test_a_mention_brings_the_bot_into_a_private_thread(sandbox: Sandbox, bot: MiniBot, bea: Person) -> None:
    thread = bea.start_private_thread("secret", "games")
    bea.say(f"Come in, <@{sandbox.world.me}>!", thread)
    await until(lambda: bot.guilds[0].get_thread(int(thread["id"])))


async def test_threads_of_announcements_are_of_their_own_type(sandbox: Sandbox, bot: MiniBot, api: Api) -> None:
    sandbox.moderation.open_channel("news", "announcement")
    _, message = await api("POST", messages(sandbox, "news"), {"content": "x"})
    _, on_message = await api("POST", f"{messages(sandbox, 'news')}/{message['id']}/threads", {"name": "one"})
    where = f"/channels/{sandbox.channel('news')['id']}/threads"
    _, bare = await api("POST", where, {"name": "two", "type": 10})
    assert (on_message["type"], bare["type"]) == (10, 10)
    assert (await api("POST", where, {"name": "three", "type": 11}))[1]["code"] == 50035
    await until(lambda: bot.guilds[0].get_thread(int(bare["id"])))


async def test_a_thread_without_a_type_is_private(sandbox: Sandbox, api: Api) -> None:
    where = f"/channels/{sandbox.channel('games')['id']}/threads"
    _, made = await api("POST", where, {"name": "match"})
    assert (made["type"], made["thread_metadata"]["invitable"]) == (12, True)
    assert sandbox.person("Bea").read_messages("match") == []


async def test_time_archives_no_thread(sandbox: Sandbox, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves the list after its `auto_archive_duration`, and is active, and counted, still."""
    where = f"/channels/{sandbox.channel('games')['id']}/threads"
    _, made = await api("POST", where, {"name": "match", "type": 11, "auto_archive_duration": 60})
    later = sandbox.world.clock() + 7 * 86_400
    monkeypatch.setattr(sandbox.world, "clock", lambda: later)
    _, active = await api("GET", f"/guilds/{sandbox.world.home_guild['id']}/threads/active")
    assert made["id"] in [one["id"] for one in active["threads"]]


async def test_who_may_not_write_in_threads_opens_no_archived_one(sandbox: Sandbox, bot: MiniBot, bea: Person) -> None:
    thread = await bot.guilds[0].text_channels[0].create_thread(name="match", type=discord.ChannelType.public_thread)
    sandbox.faults.archive("match")
    sandbox.faults.deny("match", "send_messages_in_threads", who="Bea")
    sent: list[Json] = []
    sandbox.interactions.send = sent.append
    with pytest.raises(ClientRefusal, match="archived, and you cannot open it: Missing Permissions"):
        await bea.command("show", channel="match")
    assert sent == []
    sandbox.faults.allow("match", "send_messages_in_threads", who="Bea")
    sandbox.interactions.answer_seconds = 0.01
    with pytest.raises(NoAnswerInTime):
        await bea.command("show", channel="match")
    assert len(sent) == 1
    await until(lambda: not thread.archived)


async def test_who_opens_a_locked_thread_gets_no_answer(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    await bot.guilds[0].text_channels[0].create_thread(name="match", type=discord.ChannelType.public_thread)
    sandbox.faults.archive("match", locked=True)
    asking = asyncio.create_task(ann.command("show", channel="match"))
    refused = await until(lambda: [one.answer for one in sandbox.request_log if one.status == 400])
    assert refused[0]["code"] == 50083
    asking.cancel()
