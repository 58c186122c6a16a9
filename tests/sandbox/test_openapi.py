"""The sandbox against Discord's own description of its HTTP API, where that lies beside the project.

A session of the real client is recorded; every request it made and every answer it got must fit the schemas. What
discord.py is known to send beyond them, and Discord takes, is taken here too.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import discord
import pytest
from jsonschema import Draft202012Validator

from bot.sandbox import Person, Sandbox
from bot.sandbox.errors import Json
from bot.sandbox.rest import Entry
from tests.sandbox.minibot import MiniBot, board, picture

SPEC = Path(__file__).parents[3] / "shared" / "discord-openapi.json"
# Fields that discord.py sends although the description of the place does not know them.
TOLERATED = re.compile(r"data\.tts|embeds\.\d+\.flags|nsfw")


@cache
def spec() -> Json:
    """The description, with ids also allowed as numbers (discord.py sends them so)."""
    found: Json = json.loads(SPEC.read_text())
    found["components"]["schemas"]["SnowflakeType"] = {"type": ["string", "integer"]}
    found["by_pattern"] = {
        re.sub(r"\{[^}]*\}|@original", "*", path): methods for path, methods in found["paths"].items()
    }
    return found


def operation(entry: Entry) -> Json:
    return spec()["by_pattern"][re.sub(r"\{[^}]*\}|@original", "*", entry.route)][entry.method.lower()]


def complaints(schema: Json, value: Any) -> list[str]:
    """What is wrong with a value; of alternatives, the errors of the one that fits best."""
    whole = schema | {"components": spec()["components"]}
    found: list[str] = []
    validator: Any = Draft202012Validator(whole)
    for error in validator.iter_errors(value):
        best = min(error.context, key=lambda one: -len(one.absolute_path)) if error.context else error
        where = ".".join(str(step) for step in best.absolute_path)
        if not TOLERATED.search(where + "." + best.message):
            found.append(f"{where}: {best.message[:200]}")
    return found


def check(entry: Entry) -> list[str]:
    found: list[str] = []
    described = operation(entry)
    content = described.get("requestBody", {}).get("content", {}).get("application/json")
    if content and entry.body:
        found += [f"request {one}" for one in complaints(content["schema"], entry.body)]
    statuses: Json = described["responses"]
    if str(entry.status) not in statuses and entry.status < 400:
        found.append(f"answer: the status is {entry.status}")
    answer: Json = statuses.get(str(entry.status), statuses["4XX"])
    if entry.answer is not None and answer.get("content"):
        schema: Json = answer["content"]["application/json"]["schema"]
        found += [f"answer {one}" for one in complaints(schema, entry.answer)]
    return [f"{entry.method} {entry.route} {one}" for one in found]


@pytest.mark.skipif(not SPEC.exists(), reason="../shared is not there: Discord's description is no part of the project")
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
    await sandbox.wait_for(lambda _: len(ann.messages()) >= 3)
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
    entries: list[Entry] = sandbox.log
    assert len(entries) > 25
    assert [one for entry in entries for one in check(entry)] == []
