"""Scripted faults, deadlines and tokens, and a sandbox that is killed and goes on."""

import ssl
import time
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import trustme
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import PNG, Api, MiniBot, connected
from tests.support.waiting import PATIENCE, until

MESSAGES = "/channels/{channel_id}/messages"


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


def path(sandbox: Sandbox) -> str:
    return f"/channels/{sandbox.channel('general')['id']}/messages"


async def test_a_failure_hits_as_often_as_it_was_told(sandbox: Sandbox, api: Api, ann: Person) -> None:
    sandbox.faults.fail_requests("POST", MESSAGES, 503, times=2)
    statuses = [(await api("POST", path(sandbox), {"content": "x"}))[0] for _ in range(3)]
    assert statuses == [503, 503, 200]
    assert len(ann.read_messages()) == 1
    sandbox.faults.fail_requests("POST", MESSAGES, 502, applied=True)
    assert (await api("POST", path(sandbox), {"content": "y"}))[0] == 502
    assert people.text_of(ann.read_latest_message()) == "y"


async def test_a_rate_limit_looks_like_discords(sandbox: Sandbox, bot: MiniBot, ann: Person) -> None:
    sandbox.faults.rate_limit("POST", MESSAGES, 0.05)
    channel = discord.utils.get(bot.get_all_channels(), name="general")
    assert isinstance(channel, discord.TextChannel)
    await channel.send("patience")
    assert [one.status for one in sandbox.requests_of("POST", MESSAGES)] == [429, 200]
    assert len(ann.read_messages()) == 1


async def test_hanging_and_dropping(sandbox: Sandbox, api: Api, ann: Person) -> None:
    sandbox.faults.delay_requests("POST", MESSAGES, 20)
    started = time.perf_counter()
    assert (await api("POST", path(sandbox), {"content": "x"}))[0] == 200
    assert time.perf_counter() - started == 20
    sandbox.faults.drop_connection("POST", MESSAGES, applied=True)
    with pytest.raises(aiohttp.ClientError):
        await api("POST", path(sandbox), {"content": "y"})
    assert [people.text_of(one) for one in ann.read_messages()] == ["x", "y"]


async def test_a_fault_of_one_channel_leaves_the_others_alone(sandbox: Sandbox, api: Api) -> None:
    games = f"/channels/{sandbox.channel('games')['id']}/messages"
    sandbox.faults.fail_requests("POST", MESSAGES, 400, code=200001, channel="games")
    limit = sandbox.faults.rate_limit("POST", MESSAGES, 30, lasting=True, channel="games")
    assert (await api("POST", path(sandbox), {"content": "x"}))[0] == 200
    assert (await api("POST", games, {"content": "x"}))[1]["code"] == 200001
    limited = [await api("POST", games, {"content": "x"}) for _ in range(3)]
    assert [status for status, _ in limited] == [429] * 3
    assert 30 >= limited[0][1]["retry_after"] >= limited[2][1]["retry_after"] > 0
    limit.until = 0.0  # half a minute later
    assert (await api("POST", games, {"content": "x"}))[0] == 200


async def test_a_request_done_twice_is_answered_once(sandbox: Sandbox, api: Api, ann: Person) -> None:
    sandbox.faults.repeat_requests("POST", MESSAGES, times=2)
    for nonce in ("a", None):
        await api("POST", path(sandbox), {"content": f"{nonce}", "nonce": nonce, "enforce_nonce": True})
    assert [people.text_of(one) for one in ann.read_messages()] == ["a", "None", "None"]


async def test_routes_suffer_in_turn_each_for_itself(sandbox: Sandbox, api: Api, ann: Person) -> None:
    every = ("429", "400", "hangs", "hangs though done", "cut", "cut though done")
    rota = sandbox.faults.fault_every_route(2, {("POST", MESSAGES): every, ("GET", "*"): [*every, "500"]})
    statuses = [(await api("POST", path(sandbox), {"content": "x"}))[0] for _ in range(6)]
    assert statuses == [200, 500, 200, 502, 200, 200]
    assert len(ann.read_messages()) == 3 + 1 + 2
    await api("GET", "/users/@me")
    assert rota.list_missing_faults() == [("GET", "/users/@me", "502 though done"), ("GET", "/users/@me", "twice")]


async def test_the_server_is_told_of_late(sandbox: Sandbox) -> None:
    sandbox.faults.delay_guild()
    async with connected(sandbox) as bot:
        assert [(guild.unavailable, len(guild.channels)) for guild in bot.guilds] == [(True, 0)]
        sandbox.faults.introduce_server()
        await bot.wait_for("guild_available", timeout=PATIENCE)
        assert bot.guilds[0].channels
    sandbox.faults.delay_guild(0.1)
    async with connected(sandbox) as bot:
        await until(lambda: bot.guilds[0].channels)


async def test_the_bot_is_thrown_out_and_invited_again(sandbox: Sandbox, bot: MiniBot, api: Api, ann: Person) -> None:
    sandbox.faults.kick()
    await bot.wait_for("guild_remove", timeout=PATIENCE)
    assert (await api("POST", path(sandbox), {"content": "x"}))[1]["code"] == 50001
    with pytest.raises(ClientRefusal, match="not in this server any more"):
        await ann.command("show")
    sandbox.faults.invite()
    await bot.wait_for("guild_join", timeout=PATIENCE)
    assert (await api("POST", path(sandbox), {"content": "x"}))[0] == 200


async def test_the_bot_hears_of_what_it_may_do(sandbox: Sandbox, bot: MiniBot, api: Api) -> None:
    sandbox.faults.set_bot_role(deny=["send_messages"])
    _, role = await bot.wait_for("guild_role_update", timeout=PATIENCE)
    assert not role.permissions.send_messages
    assert not bot.guilds[0].me.guild_permissions.manage_threads
    sandbox.faults.set_bot_role(allow=["send_messages", "manage_threads"])
    await bot.wait_for("guild_role_update", timeout=PATIENCE)
    assert bot.guilds[0].me.guild_permissions.manage_threads
    sandbox.faults.deny("general", "send_messages")
    _, channel = await bot.wait_for("guild_channel_update", timeout=PATIENCE)
    assert not channel.permissions_for(channel.guild.me).send_messages
    assert (await api("POST", path(sandbox), {"content": "x"}))[1]["code"] == 50013


async def test_the_gateway_turns_the_bot_away(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", sandbox.api_url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway_url))
    sandbox.faults.refuse_identify(4014)
    async with MiniBot() as client:
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.start(sandbox.token)
    assert sandbox.gateway.identified == 0


async def begin(sandbox: Sandbox, api: Api, ann: Person) -> Json:
    """A command that the bot has not answered: the interaction as the bot would get it."""
    await api("PUT", f"/applications/{sandbox.world.me}/commands", [{"name": "go", "description": "Go."}])
    caught: list[Json] = []
    sandbox.interactions.send = caught.append
    sandbox.interactions.answer_seconds = 0.01
    with pytest.raises(NoAnswerInTime):
        await ann.command("go")
    sandbox.interactions.answer_seconds = 3
    sandbox.world.interactions[caught[0]["token"]]["expired"] = False
    return caught[0]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def timed(clock: Clock, monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox) -> Clock:
    monkeypatch.setattr(sandbox.world, "clock", clock)
    return clock


async def test_deadlines_of_an_interaction(sandbox: Sandbox, timed: Clock, api: Api, ann: Person) -> None:
    about = await begin(sandbox, api, ann)
    callback = f"/interactions/{about['id']}/{about['token']}/callback"
    webhook = f"/webhooks/{sandbox.world.me}/{about['token']}"
    answer = {"type": 4, "data": {"content": "x", "flags": 64}}
    assert (await api("POST", f"/interactions/1/{about['token']}/callback", answer))[1]["code"] == 10062
    assert (await api("POST", webhook, {"content": "early"}))[1]["code"] == 10015
    assert (await api("POST", callback, {"type": 7, "data": {}}))[1]["code"] == 50035
    assert (await api("POST", callback, {"type": 4, "data": {"content": ""}}))[1]["code"] == 50006
    timed.now += 3.1
    assert (await api("POST", callback, answer))[1]["code"] == 10062
    timed.now -= 3.1
    status, answered = await api("POST", f"{callback}?with_response=1", answer)
    assert (status, answered["resource"]["message"]["content"]) == (200, "x")
    assert answered["interaction"]["response_message_ephemeral"]
    assert (await api("POST", callback, answer))[1]["code"] == 40060
    assert (await api("PATCH", f"{webhook}/messages/@original", {"content": "y"}))[0] == 200
    assert people.text_of(ann.read_latest_message()) == "y"
    assert (await api("PATCH", f"{webhook}/messages/1", {"content": "y"}))[1]["code"] == 10008
    assert (await api("DELETE", f"{webhook}/messages/@original"))[0] == 204
    timed.now += 901
    assert (await api("POST", webhook, {"content": "late"}))[1]["code"] == 50027


async def test_a_deferral_carries_nothing_but_its_visibility(sandbox: Sandbox, api: Api, ann: Person) -> None:
    about = await begin(sandbox, api, ann)
    callback = f"/interactions/{about['id']}/{about['token']}/callback"
    webhook = f"/webhooks/{sandbox.world.me}/{about['token']}"
    assert (await api("POST", callback, {"type": 5, "data": {"flags": 1 << 15}}))[1]["code"] == 50035
    assert (await api("POST", callback, {"type": 5, "data": {"flags": 64}}))[0] == 204
    assert (ann.read_latest_message()["flags"], ann.read_latest_message()["ephemeral_for"]) == (64 | 128, ann.id)
    body = {"flags": 1 << 15, "components": [{"type": 10, "content": "thought"}]}
    assert (await api("PATCH", f"{webhook}/messages/@original", body))[0] == 200
    assert (ann.read_latest_message()["flags"], people.text_of(ann.read_latest_message())) == (64 | 1 << 15, "thought")


async def test_a_nonce_is_forgotten_after_a_while(sandbox: Sandbox, timed: Clock, api: Api) -> None:
    body = {"content": "x", "nonce": "7.1", "enforce_nonce": True}
    ids: list[str] = []
    for wait in (0, 200, 200):
        timed.now += wait
        ids.append((await api("POST", path(sandbox), body))[1]["id"])
    assert ids[0] == ids[1] != ids[2]


async def test_how_long_a_nonce_is_remembered_can_be_set(clock: Clock) -> None:
    async with Sandbox(nonce_seconds=0.1, clock=clock) as sandbox, aiohttp.ClientSession() as session:
        api, body = Api(session, sandbox), {"content": "x", "nonce": "7.1", "enforce_nonce": True}
        ids = [(await api("POST", path(sandbox), body))[1]["id"] for _ in range(2)]
        clock.now += 0.11
        ids.append((await api("POST", path(sandbox), body))[1]["id"])
    assert ids[0] == ids[1] != ids[2]


async def test_old_messages_are_edited_seldom(sandbox: Sandbox, timed: Clock, api: Api) -> None:
    _, message = await api("POST", path(sandbox), {"content": "x"})
    address = f"{path(sandbox)}/{message['id']}"
    assert [(await api("PATCH", address, {"content": f"{n}"}))[0] for n in range(5)] == [200] * 5
    timed.now += 3601
    assert [(await api("PATCH", address, {"content": f"{n}"}))[0] for n in range(4)] == [200] * 3 + [429]
    assert (await api("PATCH", address, {"content": "x"}))[1]["code"] == 30046
    timed.now += 6
    assert (await api("PATCH", address, {"content": "x"}))[0] == 200


async def saved(sandbox: Sandbox) -> None:
    """Wait until all that has changed is in the folder."""
    storage = sandbox.storage
    assert storage
    await until(lambda: storage.timer is None and storage.path.exists())


async def test_everything_can_be_killed_and_goes_on(tmp_path: Path) -> None:
    async with Sandbox(tmp_path, token="t") as before, connected(before):
        board = await before.person("Ann").command("show", channel="games")
        form = await before.person("Ann").command("form", channel="games")
        last = before.world.new_id()
        await saved(before)
        files = len(before.world.files)
        async with Sandbox(tmp_path, token="t") as after, connected(after):
            ann = after.person("Ann")
            assert ann.read_latest_message("games") == board.message
            assert people.bytes_of(after.world, people.list_media(board.message)[0]) == PNG
            assert len(after.world.files) == files == 1
            assert (await ann.press(board, "Move")).text == "Moved"
            assert (await ann.submit(form, {"Square": "c4", "Column": "b"})).text == "c4 ['b']"
            assert int(after.world.new_id()) > int(last)


async def test_changes_are_saved_shortly_after(tmp_path: Path) -> None:
    async with Sandbox(tmp_path) as sandbox:
        sandbox.person("Ann").say("kept")
        await saved(sandbox)
        assert "kept" in (tmp_path / "world.json").read_text()


async def test_a_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "world.json").write_text('{"version": 99}')
    with pytest.raises(ValueError, match="another version"):
        Sandbox(tmp_path)


async def test_over_tls_by_discords_own_names() -> None:
    # trustme also takes contexts of a library that is not here, so its types are partly unknown.
    authority: Any = trustme.CA()
    server, client = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), ssl.create_default_context()
    authority.issue_cert("discord.com", "gateway.discord.gg").configure_cert(server)
    authority.configure_trust(client)
    async with Sandbox(tls=server) as sandbox, aiohttp.ClientSession() as session:
        base = f"https://127.0.0.1:{sandbox.tls_port}"
        headers = {"Authorization": f"Bot {sandbox.token}", "Host": "discord.com"}
        asked = session.get(f"{base}/api/v10/users/@me", headers=headers, ssl=client, server_hostname="discord.com")
        async with asked as response:
            assert response.status == 200
        headers = {"Host": "gateway.discord.gg"}
        async with session.ws_connect(base, headers=headers, ssl=client, server_hostname="discord.com") as socket:
            assert (await socket.receive_json())["op"] == 10
            await socket.send_json({"op": 2, "d": {"token": sandbox.token, "intents": 1}})
            assert (await socket.receive_json())["d"]["resume_gateway_url"] == "wss://gateway.discord.gg"
