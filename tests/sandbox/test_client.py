"""The real discord.py client against the sandbox: login, commands, buttons, modals, threads, files, sessions."""

import asyncio
import io
from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import PNG, MiniBot, board, connected, picture
from tests.support.waiting import until


def text_channel(bot: MiniBot, name: str) -> discord.TextChannel:
    channel = discord.utils.get(bot.get_all_channels(), name=name)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_login_brings_the_server_and_registers_commands(sandbox: Sandbox, bot: MiniBot) -> None:
    assert bot.user and str(bot.user.id) == sandbox.world.me
    assert [guild.name for guild in bot.guilds] == ["The Sandbox"]
    assert {one["name"] for one in sandbox.world.commands} >= {"hello", "show", "club"}
    assert bot.guilds[0].me.guild_permissions.create_public_threads


async def test_a_wrong_token_is_refused(sandbox: Sandbox, bot: MiniBot) -> None:
    async with MiniBot() as stranger:
        with pytest.raises(discord.LoginFailure):
            await stranger.login("wrong")


async def test_a_slash_command_is_answered_for_one_person_only(bot: MiniBot, ann: Person, bea: Person) -> None:
    reply = await ann.command("hello", channel="games", who=bea, times=3)
    assert (reply.kind, reply.text, reply.is_ephemeral) == ("message", "Bea x3 True True", True)
    assert [people.text_of(one) for one in ann.read_messages("games")] == ["Bea x3 True True"]
    assert bea.read_messages("games") == []
    assert (await bea.command("hello", who=ann)).text == "Ann x2 False True"


async def test_sub_commands_and_autocompletion(bot: MiniBot, ann: Person) -> None:
    assert (await ann.command("club join")).text == "joined"
    assert await ann.complete("pick", "word", word="al") == [("ALPHA", "alpha"), ("ALPS", "alps")]
    assert (await ann.command("pick", word="alpha", size="large")).text == "alpha large"


async def test_a_board_has_a_picture_with_alt_text_and_keeps_it_when_edited(
    sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person
) -> None:
    reply = await ann.command("show")
    (shown,) = people.list_media(reply.message)
    assert (shown.alt, shown.filename) == ("5", "board.png")
    assert people.bytes_of(sandbox.world, shown) == PNG
    assert [one.label for one in people.list_buttons(reply.message)] == ["Move", "Form", "Ok", "Secret"]
    moved = await bea.press(reply, "Move")
    assert (moved.kind, moved.text) == ("update", "Moved")
    assert people.list_media(moved.message) == [shown]
    assert [one.custom_id for one in people.list_buttons(reply.message)] == ["m:form"]


async def test_button_presses_reach_the_dynamic_item(bot: MiniBot, ann: Person, bea: Person) -> None:
    reply = await ann.command("show")
    assert (await bea.press(reply, "Ok")).kind == "acknowledged"
    assert (await bea.press(reply, "m:secret")).is_ephemeral
    assert bot.pressed == [(int(bea.id), "ok"), (int(bea.id), "secret")]


async def test_a_modal_from_a_command_and_from_a_button(bot: MiniBot, ann: Person) -> None:
    opened = await ann.command("form")
    assert opened.kind == "modal" and opened.modal and opened.modal["title"] == "A move"
    with pytest.raises(ClientRefusal, match="Square is required"):
        await ann.submit(opened, {"Column": "b"})
    with pytest.raises(ClientRefusal, match="at most 5"):
        await ann.submit(opened, {"Square": "longer", "Column": "b"})
    with pytest.raises(ClientRefusal, match="z is not an option"):
        await ann.submit(opened, {"Square": "c4", "Column": "z"})
    assert (await ann.submit(opened, {"Square": "c4", "column": "b"})).text == "c4 ['b']"
    with pytest.raises(ClientRefusal, match="not open any more"):
        await ann.submit(opened, {"Square": "c4", "Column": "b"})
    pressed = await ann.press(await ann.command("show"), "Form")
    assert (await ann.submit(pressed, {"Square": "d5", "Column": "a"})).text == "d5 ['a']"


async def test_two_people_can_have_the_same_modal_open(bot: MiniBot, ann: Person, bea: Person) -> None:
    board_message = await ann.command("show")
    first, second = await ann.press(board_message, "Form"), await bea.press(board_message, "Form")
    assert (await ann.submit(first, {"Square": "a1", "Column": "a"})).text == "a1 ['a']"
    assert (await bea.submit(second, {"Square": "b2", "Column": "b"})).text == "b2 ['b']"
    with pytest.raises(ClientRefusal, match="not open any more"):
        await bea.submit(first, {"Square": "b2", "Column": "b"})


async def test_a_deferred_answer_is_filled_by_the_first_follow_up(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    reply = await ann.command("slow", private=True)
    assert reply.kind == "deferred" and reply.is_ephemeral
    await sandbox.wait_for(lambda _: len(ann.read_messages()) == 2)
    assert [(people.text_of(one), one["flags"]) for one in ann.read_messages()] == [("thought", 64), ("twice", 0)]


async def test_silence_is_unanswered(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    sandbox.interactions.answer_seconds = 0.1
    with pytest.raises(NoAnswerInTime, match="did not respond"):
        await ann.command("silent")


async def test_a_thread_lives_on_its_message(sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person) -> None:
    message = await text_channel(bot, "games").send("challenge")
    thread = await message.create_thread(name="Ann v Bea", auto_archive_duration=10080)
    assert thread.id == message.id and thread.me is not None
    with pytest.raises(discord.HTTPException) as again:
        await message.create_thread(name="twice")
    assert again.value.code == 160004
    told = discord.AllowedMentions(users=[discord.Object(int(bea.id))])
    await thread.send(f"{bea.mention} and {ann.mention}", allowed_mentions=told)
    assert [one["type"] for one in bea.read_messages("Ann v Bea")] == [21, 0, 1]  # Discord tells that Bea was added
    assert [user["id"] for user in bea.read_latest_message("Ann v Bea")["mentions"]] == [bea.id]
    assert (sandbox.count_notifications("Bea"), sandbox.count_notifications("Ann")) == (1, 0)
    assert set(sandbox.channel("Ann v Bea")["thread_members"]) == {sandbox.world.me, bea.id}


async def test_a_thread_without_a_message_is_announced(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    thread = await text_channel(bot, "games").create_thread(name="open", type=discord.ChannelType.public_thread)
    assert [(one["type"], one["content"]) for one in ann.read_messages("games")] == [(18, "open")]
    await thread.add_user(discord.Object(int(ann.id)))
    assert {member.id for member in await thread.fetch_members()} == {int(ann.id), int(sandbox.world.me)}


async def test_a_thread_on_an_older_message_is_announced_too(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    message, now = await text_channel(bot, "games").send("challenge"), sandbox.world.clock()
    sandbox.world.clock = lambda: now + 3600
    await message.create_thread(name="Ann v Bea")
    announced = ann.read_latest_message("games")
    assert (announced["type"], announced["content"]) == (18, "Ann v Bea")
    assert announced["message_reference"]["channel_id"] == str(message.id)


async def test_an_archived_thread_revives_by_a_message_but_not_when_locked(
    sandbox: Sandbox, bot: MiniBot, ann: Person
) -> None:
    message = await text_channel(bot, "games").send("challenge")
    thread = await message.create_thread(name="match")
    board_message = await thread.send(view=board("Board", "ok"), file=picture())
    sandbox.faults.archive("match")
    with pytest.raises(discord.HTTPException) as frozen:
        await board_message.edit(view=board("Changed", "ok"))
    assert frozen.value.code == 50083
    await thread.send("still here")
    assert not sandbox.channel("match")["thread_metadata"]["archived"]
    sandbox.faults.archive("match", locked=True)
    with pytest.raises(discord.HTTPException) as locked:
        await thread.send("hello?")
    assert locked.value.code == 160005


async def test_a_repeated_nonce_gives_the_first_message(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    channel = text_channel(bot, "games")
    first, second = await channel.send("one", nonce="7.3"), await channel.send("two", nonce="7.3")
    assert first.id == second.id and second.content == "one"
    assert len(ann.read_messages("games")) == 1


async def test_applied_but_502_posts_once_thanks_to_the_nonce(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    sandbox.faults.fail_requests("POST", "/channels/{channel_id}/messages", 502, applied=True)
    await text_channel(bot, "games").send("once", nonce="7.4")
    assert [people.text_of(one) for one in ann.read_messages("games")] == ["once"]
    assert len(sandbox.requests_of("POST", "/channels/{channel_id}/messages")) == 2


async def test_files_can_be_edited_in_and_kept(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    message = await text_channel(bot, "games").send("files", files=[picture("a.png"), picture("b.png")])
    kept = message.attachments[1]
    await message.edit(attachments=[kept, discord.File(io.BytesIO(b"x"), "c.txt")])
    now = ann.read_latest_message("games")
    assert [one["filename"] for one in now["attachments"]] == ["b.png", "c.txt"]
    assert (now["attachments"][0]["id"], now["attachments"][0]["width"]) == (str(kept.id), 7)
    assert await kept.read() == PNG
    with pytest.raises(KeyError):
        people.bytes_of(sandbox.world, str(message.attachments[0].id))


async def test_reading_back(bot: MiniBot, ann: Person) -> None:
    channel = text_channel(bot, "games")
    for text in "abc":
        await channel.send(text)
    assert [one.content async for one in channel.history(limit=2)] == ["c", "b"]
    message = await channel.fetch_message(int(ann.read_messages("games")[0]["id"]))
    await message.delete()
    with pytest.raises(discord.NotFound) as gone:
        await message.edit(content="?")
    assert gone.value.code == 10008
    with pytest.raises(discord.NotFound) as stranger:
        await bot.guilds[0].fetch_member(123456789012345678)
    assert stranger.value.code == 10007


async def test_members_are_told_by_their_numbers_without_an_intent(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    guild, stranger = bot.guilds[0], 123456789012345678
    assert bot.user
    found = await guild.query_members(user_ids=[int(ann.id), stranger, bot.user.id], limit=100, cache=False)
    assert [one.display_name for one in found] == ["Ann", "graph-paper"]
    session = next(iter(sandbox.gateway.sessions.values()))
    told = next(one["d"] for one in session.events if one["t"] == "GUILD_MEMBERS_CHUNK")
    assert (told["not_found"], told["chunk_index"], told["chunk_count"]) == ([str(stranger)], 0, 1)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(guild.query_members("Ann"), 0.05)


async def test_ephemeral_answers_are_hidden_from_the_channel(bot: MiniBot, ann: Person, bea: Person) -> None:
    reply = await ann.command("hello", channel="games", who=bea)
    with pytest.raises(discord.NotFound):
        await text_channel(bot, "games").fetch_message(int(reply.message_id or 0))
    with pytest.raises(ClientRefusal, match="not for you"):
        await bea.press(reply, "anything")


async def test_what_happened_meanwhile_is_replayed_by_resume(sandbox: Sandbox, bot: MiniBot) -> None:
    message = await text_channel(bot, "games").send("challenge")
    await message.create_thread(name="doomed")
    await sandbox.faults.close_gateway(4000)
    sandbox.faults.delete_channel("doomed")
    await until(lambda: len(bot.events) == 2)
    assert sorted(bot.events) == ["deleted doomed", "resumed"]
    assert sandbox.gateway.identified == 1


async def test_a_forgotten_session_identifies_anew(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    await sandbox.faults.close_gateway(4000, resumable=False)
    await sandbox.wait_for(lambda _: sandbox.gateway.identified == 2)
    assert (await ann.command("club join")).text == "joined"


async def test_an_interaction_delivered_twice(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    reply = await ann.command("show")
    sandbox.faults.deliver_twice()
    await ann.press(reply, "Ok")
    answers = await until(lambda: three_answers(sandbox))
    assert [one.status for one in answers] == [200, 200, 400]
    assert answers[-1].answer["code"] == 40060
    assert [verb for _, verb in bot.pressed] == ["ok", "ok"]


def three_answers(sandbox: Sandbox) -> list[RequestLogEntry] | None:
    answers = [one for one in sandbox.request_log if one.route.endswith("/callback")]
    return answers if len(answers) >= 3 else None


async def test_permissions_taken_away(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    channel = text_channel(bot, "games")
    sandbox.faults.deny("games", "attach_files")
    with pytest.raises(discord.Forbidden) as files:
        await channel.send(file=picture())
    assert files.value.code == 50013
    assert (await ann.command("hello", channel="games", who=ann)).text.endswith("True False")
    sandbox.faults.deny("games", "create_public_threads")
    message = await channel.send("challenge")
    with pytest.raises(discord.Forbidden):
        await message.create_thread(name="no")
    sandbox.faults.deny("games", "view_channel")
    with pytest.raises(discord.Forbidden) as hidden:
        await channel.send("hidden")
    assert hidden.value.code == 50001
    sandbox.faults.allow("games", "view_channel", "create_public_threads")
    await message.create_thread(name="yes")


async def test_the_gateway_speaks_zlib_stream_and_plain(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(sandbox.gateway_url) as socket:
            assert (await socket.receive_json())["op"] == 10
            await socket.send_json({"op": 3, "d": {}})
            assert (await socket.receive()).data == 4003
        async with session.ws_connect(sandbox.gateway_url) as socket:
            await socket.receive_json()
            await socket.send_json({"op": 2, "d": {"token": sandbox.token, "intents": 1 << 15}})
            assert (await socket.receive()).data == 4014


@pytest.mark.parametrize(("intents", "heard"), [(1, []), (1 | 1 << 9, [""]), (1 | 1 << 12, ["Ann x2 True True"])])
async def test_intents_decide_what_is_heard(
    sandbox: Sandbox, bot: MiniBot, ann: Person, intents: int, heard: list[str]
) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.gateway_url) as socket:
        await socket.send_json({"op": 2, "d": {"token": sandbox.token, "intents": intents}})
        while (await socket.receive_json())["t"] != "GUILD_CREATE":
            pass
        await ann.command("hello", who=ann)
        ann.say("people's words need the privileged intent")
        sandbox.faults.archive("Which game first?")
        frames: list[Any] = []
        while not frames or frames[-1]["t"] != "THREAD_UPDATE":
            frames.append(await socket.receive_json())
    messages = [one["d"] for one in frames if one["t"] == "MESSAGE_CREATE"]
    assert [one["content"] for one in messages] == heard
    assert all(("guild_id" in one) == (one["flags"] == 0) for one in messages)


async def test_a_second_client_can_take_over(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    await bot.close()
    async with connected(sandbox):
        assert (await ann.command("club join")).text == "joined"
