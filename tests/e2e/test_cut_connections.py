"""The connection is cut before Discord's answer to a request is there: it is sent once more, and nobody hears of it."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from discord.http import Route

from bot.platform.requests import is_cut, may_repeat
from bot.sandbox import people
from tests.e2e.house import CALLBACK, MESSAGE, MESSAGES, House, labels
from tests.support.sampled import sampled

UNSURE = "That took too long, and I can't tell whether it counted."
THREADS = f"{MESSAGE}/threads"
ORIGINAL = "/webhooks/{application_id}/{token}/messages/@original"
FOLLOW_UP = "/webhooks/{application_id}/{token}"


def counted(house: House, method: str, route: str) -> list[int]:
    """How the requests of a route were answered; 0 is a connection that was cut."""
    return [entry.status for entry in house.sandbox.requests_of(method, route)]


@pytest.mark.parametrize("applied", [False, True])
async def test_a_move_whose_answer_is_cut_is_answered(house: House, applied: bool) -> None:
    played = await house.match()
    house.faults.drop_connection("POST", CALLBACK, applied=applied)
    played = await played.move("b2")
    assert counted(house, "POST", CALLBACK)[-2:] == ([0, 400] if applied else [0, 200])
    own = [one for one in house.ann.read_messages(played.place) if one["ephemeral_for"]]
    assert own == [], "an answer that counted is taken away, since the board says the same"
    assert len(played.boards) == 2 and labels(played.boards[0]) == []


@pytest.mark.sockets
@pytest.mark.parametrize("applied", [False, True])
async def test_a_move_whose_connection_is_reset_is_answered(house: House, applied: bool) -> None:
    played = await house.match()
    house.faults.drop_connection("POST", CALLBACK, applied=applied, reset=True)
    await played.move("b2")


async def test_a_second_cut_is_told(house: House) -> None:
    played = await house.match()
    house.faults.drop_connection("POST", CALLBACK, times=2)
    reply = await house.ann.command("binary-primes move", channel=played.place, square="b2")
    assert reply.text.startswith(UNSURE)


@pytest.mark.parametrize("applied", [False, True])
async def test_a_press_and_a_picture_are_sent_again_whole(house: House, applied: bool) -> None:
    """The answer changes the message that was pressed; and a board that one person sees has its picture."""
    played = await house.challenge(opponent=house.bea)
    house.faults.drop_connection("POST", CALLBACK, applied=applied)
    assert (await house.bea.press(played.lobby, "Accept")).kind == "update"
    await house.settled()
    house.faults.drop_connection("POST", CALLBACK, applied=applied)
    shown = await house.ann.command("binary-primes rules", channel="games")
    (picture, *_) = people.list_media(shown.message)
    assert people.bytes_of(house.sandbox.world, picture)


@sampled("applied", [False, True])
async def test_boards_threads_and_edits_are_sent_again(house: House, applied: bool) -> None:
    """A board is posted once, the old one loses its buttons, and a match has one thread."""
    for method, route in (("POST", MESSAGES), ("POST", THREADS), ("PATCH", MESSAGE)):
        house.faults.drop_connection(method, route, applied=applied)
    played = await house.match()
    house.faults.drop_connection("POST", MESSAGES, applied=applied)
    house.faults.drop_connection("PATCH", MESSAGE, applied=applied)
    played = await played.move("b2")
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert all(people.bytes_of(house.sandbox.world, people.list_media(board)[0]) for board in played.boards)
    for method, route in (("POST", MESSAGES), ("POST", THREADS), ("PATCH", MESSAGE)):
        answers = counted(house, method, route)
        assert 0 in answers and all(status for status in answers[answers.index(0) + 1 :][:1]), "it was sent again"
    names = [one["name"] for one in house.sandbox.world.channels.values()]
    assert names.count(played.place["name"]) == 1


async def test_what_aiohttp_repeats_by_itself_comes_twice_and_no_more(house: House) -> None:
    house.faults.drop_connection("GET", "/gateway/bot")
    asking = house.life.client.http.get_bot_gateway
    assert (await house.life.does(asking()))[0] == 1
    house.faults.drop_connection("GET", "/gateway/bot", times=9)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await house.life.does(asking())
    assert counted(house, "GET", "/gateway/bot")[-4:] == [0, 200, 0, 0]


async def test_the_second_try_takes_a_new_connection(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are kept may have been cut as well."""
    played = await house.match()
    connector: Any = house.life.connector
    make, made = connector._create_connection, list[str]()

    async def made_anew(request: Any, *about: Any) -> Any:
        made.append(request.url.path)
        return await make(request, *about)

    monkeypatch.setattr(connector, "_create_connection", made_anew)
    await house.ann.command("binary-primes rules", channel="games")
    await house.life.idle()
    assert connector._conns, "some are kept"
    made.clear()
    house.faults.drop_connection("POST", CALLBACK)
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
