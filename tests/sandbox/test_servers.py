"""Several servers in the stand-in: each with its own people, rights, commands, faults and number."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.people import Person
from bot.sandbox.seed import BITS
from bot.sandbox.stand_in import Sandbox
from bot.sandbox.world import Server, World
from tests.sandbox.minibot import Api, MiniBot, connected, picture
from tests.sandbox.test_page import tab, web
from tests.support.openapi import MISSING, SPEC, complaints
from tests.support.waiting import until

__all__ = ["web"]


@pytest.fixture
def club(sandbox: Sandbox) -> Server:
    return sandbox.world.found_server("Chess club", people=("Bea", "Ann", "Eve"))


def guild(bot: MiniBot, server: Server) -> discord.Guild:
    found = bot.get_guild(int(server.id))
    assert found
    return found


def numbers(world: World) -> list[str]:
    """The numbers of everything that has one."""
    roles = [role["id"] for server in world.servers.values() for role in server.guild["roles"] if role["managed"]]
    return [*world.servers, *world.channels, *world.users, *roles]


@pytest.mark.parametrize("count", [1, 3, 16])
def test_the_servers_are_shared_out_evenly_among_any_number_of_shards(count: int) -> None:
    world = Sandbox(servers=48).world
    assert Counter(server.shard_among(count) for server in world.servers.values()) == dict.fromkeys(
        range(count), 48 // count
    )
    assert len({*numbers(world)}) == len(numbers(world)) and len(world.servers) == 48
    assert [*world.servers.values()][47].name == "The Sandbox 48" and world.home.name == "The Sandbox"


def test_a_server_has_no_number_that_somebody_got_in_the_same_millisecond() -> None:
    moments = iter(range(1_800_000_000_000, 1_800_000_001_000))
    # Each person comes first in a millisecond of their own.
    world = World(clock=lambda: next(moments) / 1000, secret=lambda: "")
    for turn in range(48):
        world.found_server(f"Club {turn}")
    assert len({*numbers(world)}) == len(numbers(world))


def test_a_server_is_founded_for_a_shard_or_with_a_number(sandbox: Sandbox) -> None:
    found = sandbox.world.found_server
    made = [found(f"{shard} {turn}", shard=(shard, 16)) for turn in range(3) for shard in (5, 2)]
    assert [one.shard_among(16) for one in made] == [5, 2] * 3 and len({one.id for one in made}) == 6
    assert found("Old one", guild_id=81384788765712384).id == "81384788765712384"
    assert sandbox.server("5 1") is made[2] and sandbox.server(made[0].id) is made[0]
    assert sandbox.server() is sandbox.world.home
    with pytest.raises(KeyError, match="no server 'Nowhere'; there are The Sandbox, 5 0"):
        sandbox.server("Nowhere")


async def test_a_person_plays_in_each_of_their_servers(
    sandbox: Sandbox, club: Server, bot: MiniBot, ann: Person
) -> None:
    there = ann.in_server(club)
    for person, server in ((ann, sandbox.server()), (there, club)):
        before = len(sandbox.world.interactions)
        reply = await person.command("show", channel="games")
        assert reply.channel_id == sandbox.channel("games", server)["id"]
        record = [*sandbox.world.interactions.values()][before]
        assert record["guild_id"] == server.id and len(person.read_messages("games")) == 1
        await person.press(reply, "Secret")
    assert len(ann.read_messages(sandbox.channel("games", club))) == 2, (
        "by its object a channel is found from everywhere"
    )
    assert there.user is ann.user and ann.in_server("Chess club").server is club


async def test_rights_roles_and_names_are_those_of_the_server(
    sandbox: Sandbox, club: Server, bot: MiniBot, ann: Person, bea: Person
) -> None:
    club.members[bea.id]["nick"] = "Beatrice"
    assert (await ann.command("hello", who=bea)).text == "Bea x2 True True"
    assert (await ann.in_server(club).command("hello", who=bea)).text == "Beatrice x2 False True"
    assert (await bea.in_server(club).command("hello", who=ann)).text == "Ann x2 True True", "she has founded it"
    sandbox.faults.set_bot_role(allow=["manage_messages"], server=club)
    await until(lambda: guild(bot, club).me.guild_permissions.manage_messages)
    assert not guild(bot, sandbox.server()).me.guild_permissions.manage_messages


async def test_who_is_no_member_sees_and_does_nothing_there(
    sandbox: Sandbox, club: Server, bot: MiniBot, ann: Person
) -> None:
    eve, cem = sandbox.person("Eve", club), sandbox.person("Cem", club)
    assert (await eve.command("club join")).text == "joined"
    assert len(eve.read_messages()) == 1 and cem.read_messages() == []
    with pytest.raises(ClientRefusal, match="no such channel"):
        await cem.command("club join")
    with pytest.raises(ClientRefusal, match="no such channel"):
        await eve.in_server(sandbox.server()).command("club join")
    sandbox.faults.join("Cem", club)
    assert (await cem.command("club join")).text == "joined"
    sandbox.faults.leave("Ann", club)
    with pytest.raises(ClientRefusal, match="no such channel"):
        await ann.in_server(club).command("club join")
    assert (await ann.command("club join")).text == "joined"


async def test_a_channel_is_taken_away_in_one_server_only(sandbox: Sandbox, club: Server, bot: MiniBot) -> None:
    sandbox.faults.deny("games", "view_channel", server=club)
    sandbox.faults.deny(None, "attach_files", server=club)
    here, there = (discord.utils.get(guild(bot, one).text_channels, name="games") for one in (sandbox.server(), club))
    assert here and there
    await here.send(file=picture())
    with pytest.raises(discord.Forbidden):
        await there.send("hidden")
    denied = [
        int(one["permission_overwrites"][0]["deny"]) for one in sandbox.world.channels_of(club) if one["type"] == 0
    ]
    assert denied == [1 << BITS["attach_files"], 1 << BITS["attach_files"] | 1 << BITS["view_channel"]]


async def test_commands_of_one_server_are_offered_there_alone(sandbox: Sandbox, club: Server, api: Api) -> None:
    path = f"/applications/{sandbox.world.me}/guilds/{club.id}/commands"
    status, _ = await api("PUT", path, [{"name": "gambit", "description": "Only here."}])
    assert status == 200 and (await api("GET", path))[1][0]["guild_id"] == club.id
    assert (await api("GET", f"/applications/{sandbox.world.me}/guilds/{sandbox.world.home.id}/commands"))[1] == []
    assert (await api("GET", path.replace(club.id, "1" * 18)))[1]["code"] == 50001
    with pytest.raises(ClientRefusal, match="no command /gambit"):
        await sandbox.person("Ann").command("gambit")


async def test_what_is_asked_of_a_server_is_answered_of_it(
    sandbox: Sandbox, club: Server, api: Api, ann: Person
) -> None:
    eve = sandbox.person("Eve")
    assert (await api("GET", f"/guilds/{club.id}"))[1]["approximate_member_count"] == 4
    assert {one["guild_id"] for one in (await api("GET", f"/guilds/{club.id}/channels"))[1]} == {club.id}
    assert len((await api("GET", f"/guilds/{club.id}/threads/active"))[1]["threads"]) == 1
    assert (await api("GET", f"/guilds/{club.id}/members/{eve.id}"))[0] == 200
    assert (await api("GET", f"/guilds/{sandbox.world.home.id}/members/{eve.id}"))[1]["code"] == 10007
    assert (await api("GET", f"/guilds/{'1' * 18}"))[1]["code"] == 10004
    sandbox.faults.kick(club)
    assert (await api("GET", f"/guilds/{club.id}"))[1]["code"] == 50001
    assert (await api("GET", f"/guilds/{sandbox.world.home.id}"))[0] == 200


async def test_direct_messages_reach_who_shares_any_server_with_the_bot(
    sandbox: Sandbox, club: Server, bot: MiniBot
) -> None:
    eve = sandbox.person("Eve", club)
    place = await bot.create_dm(discord.Object(int(eve.id)))
    await place.send("hello")
    assert [one["content"] for one in eve.read_direct_messages()] == ["hello"]
    sandbox.faults.kick(club)
    with pytest.raises(discord.Forbidden) as refused:
        await place.send("hello")
    assert refused.value.code == 50278


async def test_an_outage_takes_one_server_away(sandbox: Sandbox, club: Server, bot: MiniBot, ann: Person) -> None:
    sandbox.faults.start_outage(club)
    await until(lambda: guild(bot, club).unavailable)
    assert not guild(bot, sandbox.server()).unavailable
    (session,) = sandbox.gateway.sessions.values()
    assert session.present == {sandbox.world.home.id} and [*session.absent] == [club.id]
    async with connected(sandbox) as second:
        assert guild(second, club).unavailable and not guild(second, sandbox.server()).unavailable
        sandbox.faults.delete_channel(sandbox.channel("games", club))
        sandbox.faults.introduce_server(club)
        await until(lambda: not guild(bot, club).unavailable and not guild(second, club).unavailable)
        assert [one.name for one in guild(second, club).text_channels] == ["general"]


async def test_a_server_that_comes_late_and_one_that_is_left(sandbox: Sandbox, club: Server) -> None:
    sandbox.faults.delay_guild(server=club)
    async with connected(sandbox) as bot:
        assert guild(bot, club).unavailable and not guild(bot, sandbox.server()).unavailable
        sandbox.faults.introduce_server()
        await until(lambda: not guild(bot, club).unavailable)
        sandbox.faults.kick(club)
        await until(lambda: len(bot.guilds) == 1)
        sandbox.faults.invite(club)
        await until(lambda: len(bot.guilds) == 2)


async def test_a_server_founded_while_the_bot_is_there_invites_it(
    sandbox: Sandbox, bot: MiniBot, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined: list[str] = []

    async def on_guild_join(entered: discord.Guild) -> None:
        joined.append(entered.name)

    monkeypatch.setattr(bot, "on_guild_join", on_guild_join, raising=False)
    made = sandbox.world.found_server("Bridge club")
    await until(lambda: joined)
    assert joined == ["Bridge club"]
    assert (await ann.in_server(made).command("club join")).text == "joined"


async def test_the_page_shows_the_first_server(
    web: aiohttp.ClientSession, sandbox: Sandbox, club: Server, ann: Person
) -> None:
    page = await tab(web, sandbox, ann)
    hello = await page.until(t="hello")
    assert {one["guild_id"] for one in hello["channels"]} == {sandbox.world.home.id} == {hello["guild"]["id"]}
    ann.in_server(club).say("over there")
    sandbox.faults.archive(sandbox.channel("Which game first?", club))
    ann.say("over here")
    assert (await page.until(t="message"))["message"]["content"] == "over here"
    assert [frame["t"] for frame in page.seen] == ["hello", "message"]


def as_before(state: dict[str, Any]) -> dict[str, Any]:
    """A state as a sandbox has left it that knew one server."""
    old = state | state["servers"][0]
    del old["servers"]
    for record in old["interactions"].values():
        del record["guild_id"]
    return old


async def test_servers_outlive_the_sandbox_and_so_does_what_was_kept_of_one(
    sandbox: Sandbox, club: Server, bot: MiniBot, ann: Person
) -> None:
    await ann.in_server(club).command("club join")
    kept = sandbox.world.dump()
    other = Sandbox(servers=2)
    other.world.load(kept)
    assert [*other.world.servers] == [*sandbox.world.servers] and other.server("Chess club").members == club.members
    assert len(other.person("Eve", "Chess club").read_messages()) == 1
    one = Sandbox()
    await ann.command("club join")
    one.world.load(as_before(sandbox.world.dump()))
    assert [*one.world.servers] == [sandbox.world.home.id] and one.world.home_members == sandbox.world.home_members
    assert {record["guild_id"] for record in one.world.interactions.values()} == {one.world.home.id}


async def test_a_folder_of_an_older_sandbox_is_read_and_filled_up(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as sandbox:
        first = sandbox.world.home.id
    file = tmp_path / "world.json"
    file.write_text(json.dumps(as_before(json.loads(file.read_text())) | {"version": 1}))
    again = Sandbox(tmp_path, servers=3)
    assert len(again.world.servers) == 3 and again.world.home.id == first


@pytest.mark.skipif(not SPEC.exists(), reason=MISSING)
async def test_it_all_fits_discords_description(sandbox: Sandbox, club: Server, bot: MiniBot, ann: Person) -> None:
    shown = await ann.in_server(club).command("show", channel="games")
    await ann.press(shown, "Move")
    await ann.in_server(club).command("hello", who=ann)
    channel = discord.utils.get(guild(bot, club).text_channels, name="games")
    assert channel
    thread = await (await channel.send("hello")).create_thread(name="match")
    await thread.add_user(discord.Object(int(sandbox.person("Eve").id)))
    await thread.fetch_members()
    await bot.fetch_guild(int(club.id))
    await guild(bot, club).active_threads()
    await guild(bot, club).fetch_member(int(ann.id))
    assert len(sandbox.request_log) > 10 and complaints(sandbox.request_log) == []
