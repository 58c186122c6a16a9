"""The connection is cut before Discord's answer to a request is there: it is sent once more, and nobody hears of it."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from discord.http import Route

from bot.platform.requests import is_cut, may_repeat
from bot.sandbox import people
from tests.e2e.harness import CALLBACK, MESSAGE, MESSAGES, Harness, labels
from tests.support.sampled import sampled

UNSURE = "That took too long, and I can't tell whether it counted."
THREADS = f"{MESSAGE}/threads"
ORIGINAL = "/webhooks/{application_id}/{token}/messages/@original"
FOLLOW_UP = "/webhooks/{application_id}/{token}"


def counted(harness: Harness, method: str, route: str) -> list[int]:
    """How the requests of a route were answered; 0 is a connection that was cut."""
    return [entry.status for entry in harness.sandbox.requests_of(method, route)]


@pytest.mark.parametrize("applied", [False, True])
async def test_a_move_whose_answer_is_cut_is_answered(harness: Harness, applied: bool) -> None:
    played = await harness.match()
    harness.faults.drop_connection("POST", CALLBACK, applied=applied)
    played = await played.move("b2")
    assert counted(harness, "POST", CALLBACK)[-2:] == ([0, 400] if applied else [0, 200])
    own = [one for one in harness.ann.read_messages(played.place) if one["ephemeral_for"]]
    assert own == [], "an answer that counted is taken away, since the board says the same"
    assert len(played.boards) == 2 and labels(played.boards[0]) == []


@pytest.mark.sockets
@pytest.mark.parametrize("applied", [False, True])
async def test_a_move_whose_connection_is_reset_is_answered(harness: Harness, applied: bool) -> None:
    played = await harness.match()
    harness.faults.drop_connection("POST", CALLBACK, applied=applied, reset=True)
    await played.move("b2")


async def test_a_second_cut_is_told(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.drop_connection("POST", CALLBACK, times=2)
    reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    assert reply.text.startswith(UNSURE)


@pytest.mark.parametrize("applied", [False, True])
async def test_a_press_and_a_picture_are_sent_again_whole(harness: Harness, applied: bool) -> None:
    """The answer changes the message that was pressed; and a board that one person sees has its picture."""
    played = await harness.challenge(opponent=harness.bea)
    harness.faults.drop_connection("POST", CALLBACK, applied=applied)
    assert (await harness.bea.press(played.lobby, "Accept")).kind == "update"
    await harness.settled()
    harness.faults.drop_connection("POST", CALLBACK, applied=applied)
    shown = await harness.ann.command("binary-primes rules", channel="games")
    (picture, *_) = people.list_media(shown.message)
    assert people.bytes_of(harness.sandbox.world, picture)


@sampled("applied", [False, True])
async def test_boards_threads_and_edits_are_sent_again(harness: Harness, applied: bool) -> None:
    """A board is posted once, the old one loses its buttons, and a match has one thread."""
    for method, route in (("POST", MESSAGES), ("POST", THREADS), ("PATCH", MESSAGE)):
        harness.faults.drop_connection(method, route, applied=applied)
    played = await harness.match()
    harness.faults.drop_connection("POST", MESSAGES, applied=applied)
    harness.faults.drop_connection("PATCH", MESSAGE, applied=applied)
    played = await played.move("b2")
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert all(people.bytes_of(harness.sandbox.world, people.list_media(board)[0]) for board in played.boards)
    for method, route in (("POST", MESSAGES), ("POST", THREADS), ("PATCH", MESSAGE)):
        answers = counted(harness, method, route)
        assert 0 in answers and all(status for status in answers[answers.index(0) + 1 :][:1]), "it was sent again"
    names = [one["name"] for one in harness.sandbox.world.channels.values()]
    assert names.count(played.place["name"]) == 1


async def test_what_aiohttp_repeats_by_itself_comes_twice_and_no_more(harness: Harness) -> None:
    harness.faults.drop_connection("GET", "/gateway/bot")
    asking = harness.life.client.http.get_bot_gateway
    assert (await harness.life.does(asking()))[0] == 1
    harness.faults.drop_connection("GET", "/gateway/bot", times=9)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await harness.life.does(asking())
    assert counted(harness, "GET", "/gateway/bot")[-4:] == [0, 200, 0, 0]


async def test_the_second_try_takes_a_new_connection(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are kept may have been cut as well."""
    played = await harness.match()
    connector: Any = harness.life.connector
    make, made = connector._create_connection, list[str]()

    async def made_anew(request: Any, *about: Any) -> Any:
        made.append(request.url.path)
        return await make(request, *about)

    monkeypatch.setattr(connector, "_create_connection", made_anew)
    await harness.ann.command("binary-primes rules", channel="games")
    await harness.life.idle()
    assert connector._conns, "some are kept"
    made.clear()
    harness.faults.drop_connection("POST", CALLBACK)
    await played.move("b2")
    assert made[0].endswith("/callback")


@pytest.mark.parametrize(
    ("fault", "cut"),
    [
        (aiohttp.ServerDisconnectedError(), True),
        (aiohttp.ClientOSError(104, "Connection reset by peer"), True),
        (aiohttp.ClientConnectionResetError("Cannot write to closing transport"), True),
        (aiohttp.ClientPayloadError(), True),
        (aiohttp.ClientOSError(54, "Connection reset by peer"), False),
        (aiohttp.ServerTimeoutError(), False),
        (TimeoutError(), False),
        (aiohttp.ClientResponseError(None, ()), False),  # type: ignore[arg-type]
    ],
)
def test_what_a_cut_connection_is(fault: Exception, cut: bool) -> None:
    """What discord.py repeats by itself, and what would fail again, is none."""
    assert is_cut(fault) is cut


@pytest.mark.parametrize(
    ("method", "path", "body", "again"),
    [
        ("POST", "/channels/{channel_id}/messages", {"content": "x", "nonce": "1", "enforce_nonce": True}, True),
        ("POST", "/channels/{channel_id}/messages", {"content": "x"}, False),
        ("POST", "/channels/{channel_id}/messages", None, False),
        ("POST", "/channels/{channel_id}/messages/{message_id}/threads", {}, True),
        ("POST", "/channels/{channel_id}/threads", {}, False),
        ("POST", "/users/@me/channels", {}, True),
        ("POST", "/channels/{channel_id}/invites", {}, False),
        ("PATCH", "/channels/{channel_id}/messages/{message_id}", {}, True),
        ("DELETE", "/channels/{channel_id}/messages/{message_id}", None, False),
        ("PUT", "/applications/{application_id}/commands", [], False),
        ("GET", "/gateway/bot", None, False),
    ],
)
def test_what_may_be_sent_twice(method: str, path: str, body: Any, again: bool) -> None:
    assert may_repeat(Route(method, path), body) is again
