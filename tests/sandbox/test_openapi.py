"""The sandbox against Discord's own description of its HTTP API, where that lies beside the project.

A session of the real client is recorded; every request it made and every answer it got must fit the schemas.
"""

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import discord
import pytest
from jsonschema import Draft202012Validator

from bot.sandbox.people import Person
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import MiniBot, board, picture
from tests.support.openapi import MISSING, SPEC, Judge, complaints, misfits, validator


@pytest.mark.skipif(not SPEC.exists(), reason=MISSING)
async def test_requests_and_answers_fit_discords_description(
    sandbox: Sandbox, bot: MiniBot, ann: Person, bea: Person
) -> None:
    channel = discord.utils.get(bot.get_all_channels(), name="games")
    assert isinstance(channel, discord.TextChannel)
    shown = await ann.command("show", channel="games")
    await bea.press(shown, "Secret")
    await bea.press(shown, "Ok")
    await bea.press(shown, "Move")
    form = await ann.command("form")
    await ann.submit(form, {"Square": "c4", "Column": "b"})
    await ann.complete("pick", "word", word="a")
    await ann.command("slow", private=True)
    await sandbox.wait_for(lambda _: len(ann.read_messages()) >= 3)
    embed = discord.Embed(title="t", description="d").add_field(name="n", value="v").set_footer(text="f")
    message = await channel.send("hello", embed=embed, file=picture(), nonce="1.1")
    await message.edit(content="changed", attachments=message.attachments)
    thread = await message.create_thread(name="match")
    bare = await channel.create_thread(name="bare", type=discord.ChannelType.public_thread)
    await bare.edit(name="renamed", archived=True)
    await thread.send(view=board("Board", "ok"), file=picture())
    await thread.add_user(discord.Object(int(bea.id)))
    await thread.fetch_members()
    await bot.guilds[0].fetch_member(int(ann.id))
    await bot.fetch_guild(bot.guilds[0].id)
    await bot.fetch_user(int(ann.id))
    await bot.fetch_channel(thread.id)
    await bot.guilds[0].active_threads()
    await bot.tree.fetch_commands()
    assert [one async for one in channel.history()]
    await message.delete()
    entries: list[RequestLogEntry] = sandbox.request_log
    assert len(entries) > 25
    assert complaints(entries) == []
    for method, route in (("POST", MESSAGES), ("POST", CALLBACK)):
        judged_as_by_jsonschema(max((one for one in entries if (one.method, one.route) == (method, route)), key=size))


MESSAGES, CALLBACK = "/channels/{channel_id}/messages", "/interactions/{interaction_id}/{token}/callback"
WRONG: tuple[Any, ...] = (None, "", 7, -1, True, [], {}, [{}], "x" * 5000)
MISTAKES = 6


def size(entry: RequestLogEntry) -> int:
    """How much there is to judge in a request."""
    return len(json.dumps(entry.body))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything within a value that could be something else: where it stands, and under which key."""
    keys: Any = range(len(value)) if value.__class__ is list else value if value.__class__ is dict else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def judged_as_by_jsonschema(entry: RequestLogEntry) -> None:
    """What remembers its judgements finds the mistakes that jsonschema finds, and has the same to say of them."""
    rng, found = Random(1), 0
    plain, quick = (validator(entry.route, entry.method, None, judge) for judge in (Draft202012Validator, Judge))
    for _ in range(MISTAKES):
        body = copy.deepcopy(entry.body)
        holder, key = rng.choice([*places(body)])
        holder[key] = rng.choice(WRONG)
        assert misfits(quick, body) == misfits(quick, body) == misfits(plain, body), (key, holder)
        found += bool(misfits(plain, body))
    assert found >= MISTAKES // 2
