"""Messages with pictures are edited however Discord takes it: their pictures stay, or are sent again."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import pytest

from bot.features.agreements.words import AGREE
from bot.games.catalogue import load_games
from bot.platform.edits import REFUSED
from bot.play.rows import PendingEdit
from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Transaction
from tests.e2e.house import CALLBACK, MESSAGE, House, Json, Played, labels
from tests.e2e.test_leagues import begun, looked, message
from tests.e2e.test_records import brought
from tests.e2e.test_replay import EVERYBODY, FILM, NEXT, film_of, filmed, finished
from tests.support.sampled import sampled

ORIGINAL = "/webhooks/{application_id}/{token}/messages/{message_id}"
NEVER, ONCE, ALWAYS = 0, 1, math.inf
"""How often an edit does not find the files that it keeps."""


def shown(house: House, made: Json) -> list[str]:
    """The pictures and files of a message, which must all be there."""
    found = people.list_media(made)
    assert all(people.bytes_of(house.sandbox.world, one) for one in found)
    return [one.filename or "" for one in found]


def uploaded(house: House, since: int) -> int:
    """How many files were sent with edits since some request."""
    edits = ((CALLBACK, "POST"), (MESSAGE, "PATCH"), (ORIGINAL, "PATCH"))
    made = [one for one in house.sandbox.request_log[since:] if (one.route, one.method) in edits and one.status < 300]
    listed = [(one.body.get("data") or one.body).get("attachments") or () for one in made]
    return sum(1 for entries in listed for entry in entries if int(entry["id"]) < 10)


async def board(house: House) -> tuple[list[Json], bool]:
    """A board that another one follows loses its buttons; so does one of before a restart."""
    played = await (await house.match()).move("b2")
    first = played.boards[0]
    assert labels(first) == []
    since = len(house.sandbox.request_log)
    await house.restart()
    played = await played.move("a1")
    assert labels(played.boards[1]) == []
    return [first, played.boards[1]], uploaded(house, since) == 0


async def board_where_nothing_can_be_read(house: House) -> tuple[list[Json], bool]:
    """The same after a restart where the bot may not read what it has posted."""
    played = await (await house.match()).move("b2")
    await house.restart()
    house.faults.deny("games", "read_message_history")
    played = await played.move("a1")
    assert labels(played.boards[1]) == []
    return [played.boards[1]], True


async def pad(house: House) -> tuple[list[Json], bool]:
    """A pad on which a column is chosen has the same picture as before."""
    played = await house.match(size=5)
    opened = await house.ann.press(played.board, "Move")
    since = len(house.sandbox.request_log)
    first = await house.ann.press(opened, "b")
    await house.ann.press(first, "Back")
    again = await house.ann.press(opened, "c")
    assert labels(again.message)[:2] == ["c1", "c2"]
    return [again.message], uploaded(house, since) == 0


async def pressed_board(house: House) -> tuple[list[Json], bool]:
    """A board on which somebody agrees to something is closed by the answer."""
    played = await house.match(pace="3")
    played = await played.move("b2")
    asked = await house.ann.command("match takeback", channel=played.place)
    assert asked.text.startswith("You asked to take back ")
    await house.settled()
    played = await played.fresh()
    since, before = len(house.sandbox.request_log), played.board
    await house.bea.press(before, AGREE["takeback"])
    await house.settled()
    assert labels(before) == [] and before["id"] != (await played.fresh()).board["id"]
    return [before], uploaded(house, since) == 0


async def announced(house: House) -> tuple[list[Json], bool]:
    """What tells the channel how a match ended is written anew, as when somebody is called something else."""
    played, since = await finished(house), len(house.sandbox.request_log)
    row = await house.row(played.id)
    assert row.announcement
    await house.store.do(Transaction.keep_edit, PendingEdit(row.announcement, row.channel, row.id, row.version))
    await house.settled()
    return [house.sandbox.world.message(str(row.channel), str(row.announcement))], uploaded(house, since) == 0


async def replay(house: House) -> tuple[list[Json], bool]:
    """A replay is gone through page by page."""
    played = await finished(house)
    opened = await house.cem.press(played.board, "Replay")
    stepped = await house.cem.press(opened, NEXT)
    assert "Move 1 of 3" in stepped.text
    return [stepped.message], True


async def film(house: House) -> tuple[list[Json], bool]:
    """A film that is shown to everybody stays where it was made."""
    played = await finished(house)
    made = await house.cem.press(await house.cem.press(played.board, "Replay"), FILM)
    await filmed(house, made)
    since = len(house.sandbox.request_log)
    await house.cem.press(made, EVERYBODY)
    await house.life.idle()
    assert labels(made.message) == [] and film_of(house, made.message) == film_of(
        house, house.dora.read_latest_message("games")
    )
    return [made.message], uploaded(house, since) == 0


async def imported(house: House) -> tuple[list[Json], bool]:
    """A record that somebody brings stays in its message, page by page."""
    reply: BotReply = await brought(house)
    for at in (1, 2):
        await house.cem.press(reply, "Next")
        await house.life.idle()
        assert f"Move {at} of 4" in reply.text and "record.jsonl" in shown(house, reply.message)
    return [reply.message], True


async def league(house: House) -> tuple[list[Json], bool]:
    """A league's table is drawn anew in its message."""
    await begun(house)
    first = Played(house, 1, await house.row(1))
    await house.surely(first.mover, "match resign", channel=first.place)
    await looked(house)
    return [await message(house)], True


SURFACES: dict[str, Callable[[House], Awaitable[tuple[list[Json], bool]]]] = {
    "a board": board,
    "a board that cannot be read": board_where_nothing_can_be_read,
    "a pad": pad,
    "a board that is pressed": pressed_board,
    "an announcement": announced,
    "a replay": replay,
    "a film": film,
    "an import": imported,
    "a league": league,
}


WAYS = {
    "as is reported": (True, NEVER),
    "nothing that is kept is found": (True, ALWAYS),
    "leniently": (False, NEVER),
    "once not": (True, ONCE),
    "leniently, once not": (False, ONCE),
}
"""How Discord behaves: whether strictly, and how often it does not find the files that an edit keeps."""
every_way = sampled("way", WAYS.values(), few=2, ids=WAYS)


@pytest.fixture
def strict(way: tuple[bool, float]) -> bool:
    return way[0]


@every_way
@pytest.mark.parametrize("surface", SURFACES)
async def test_what_is_edited_keeps_its_pictures(house: House, way: tuple[bool, float], surface: str) -> None:
    _, lost = way
    house.faults.lose_kept_files(lost)
    messages, kept = await SURFACES[surface](house)
    for each in messages:
        assert shown(house, each), f"{surface} has no picture any more"
    if lost == NEVER:
        assert kept, "pictures were sent again that could stay"


@every_way
@sampled("key", [key for key in load_games() if key != "sums-grid"], few=3)
async def test_every_games_pad_keeps_its_picture(house: House, way: tuple[bool, float], key: str) -> None:
    reply = await house.ann.command(f"{key} challenge", channel="games", opponent=house.bea, seat="me")
    assert "Match 1 of" in reply.text
    await house.settled()
    played = Played(house, 1, await house.row(1))
    await house.bea.press(played.lobby, "Accept")
    await house.settled()
    played = await played.fresh()
    opened = await house.ann.press(played.board, labels(played.board)[0])
    house.faults.lose_kept_files(way[1])
    for _ in range(2):
        keys = [one for one in people.list_buttons(opened.message) if not one.disabled]
        assert shown(house, opened.message), keys
        opened = await house.ann.press(opened, keys[0].label or "")
    assert shown(house, opened.message)


@every_way
async def test_what_discord_does_not_take_is_tried_once_and_said_once(
    house: House, way: tuple[bool, float], caplog: pytest.LogCaptureFixture
) -> None:
    house.faults.lose_kept_files(way[1])
    caplog.set_level("INFO", "bot.platform.edits")
    await replay(house)
    again = await house.cem.command("match replay", channel="games", match=1)
    for label in (NEXT, NEXT, "Back"):
        await house.cem.press(again, label)
    heard = [one.getMessage() for one in caplog.records if one.getMessage() in REFUSED.values()]
    assert len(heard) == len(set(heard))
    refused = [one for one in house.sandbox.request_log if one.route == CALLBACK and one.status == 400]
    assert len(refused) == (1 if way[0] else 0), "an answer with files is tried once"
