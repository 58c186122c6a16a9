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
from tests.e2e.harness import CALLBACK, MESSAGE, Harness, Json, Played, labels
from tests.e2e.test_leagues import begun, looked, message
from tests.e2e.test_records import brought
from tests.e2e.test_replay import EVERYBODY, FILM, FIRST, NEXT, film_of, filmed, finished
from tests.e2e.test_several_seats import table
from tests.support.sampled import sampled

ORIGINAL = "/webhooks/{application_id}/{token}/messages/{message_id}"
NEVER, ONCE, ALWAYS = 0, 1, math.inf
"""How often an edit does not find the files that it keeps."""


def shown(harness: Harness, made: Json) -> list[str]:
    """The pictures and files of a message, which must all be there."""
    found = people.list_media(made)
    assert all(people.bytes_of(harness.sandbox.world, one) for one in found)
    return [one.filename or "" for one in found]


def uploaded(harness: Harness, since: int) -> int:
    """How many files were sent with edits since some request."""
    edits = ((CALLBACK, "POST"), (MESSAGE, "PATCH"), (ORIGINAL, "PATCH"))
    made = [one for one in harness.sandbox.request_log[since:] if (one.route, one.method) in edits and one.status < 300]
    listed = [(one.body.get("data") or one.body).get("attachments") or () for one in made]
    return sum(1 for entries in listed for entry in entries if int(entry["id"]) < 10)


async def board(harness: Harness) -> tuple[list[Json], bool]:
    """A board that another one follows loses its buttons; so does one of before a restart."""
    played = await (await harness.match()).move("b2")
    first = played.boards[0]
    assert labels(first) == []
    since = len(harness.sandbox.request_log)
    await harness.restart()
    played = await played.move("a1")
    assert labels(played.boards[1]) == []
    return [first, played.boards[1]], uploaded(harness, since) == 0


async def board_where_nothing_can_be_read(harness: Harness) -> tuple[list[Json], bool]:
    """The same after a restart where the bot may not read what it has posted."""
    played = await (await harness.match()).move("b2")
    await harness.restart()
    harness.faults.deny("games", "read_message_history")
    played = await played.move("a1")
    assert labels(played.boards[1]) == []
    return [played.boards[1]], True


async def pad(harness: Harness) -> tuple[list[Json], bool]:
    """A pad on which the range of a number is chosen has the same picture as before."""
    challenged = await table(harness, "combining-dividing", harness.ann, opponent=harness.bea, seat="me", legs=1)
    await harness.bea.press(challenged.lobby, "Accept")
    await harness.settled()
    played = await challenged.fresh()
    opened = await harness.ann.press(played.board, "Append")
    since = len(harness.sandbox.request_log)
    first = await harness.ann.press(opened, "10–19")
    await harness.ann.press(first, "Back")
    again = await harness.ann.press(opened, "20–29")
    assert labels(again.message)[:2] == ["20", "21"]
    return [again.message], uploaded(harness, since) == 0


async def pressed_board(harness: Harness) -> tuple[list[Json], bool]:
    """A board on which somebody agrees to something is closed by the answer."""
    played = await harness.match(pace="3")
    played = await played.move("b2")
    asked = await harness.ann.command("match takeback", channel=played.place)
    assert asked.text.startswith("You asked to take back ")
    await harness.settled()
    played = await played.fresh()
    since, before = len(harness.sandbox.request_log), played.board
    await harness.bea.press(before, AGREE["takeback"])
    await harness.settled()
    assert labels(before) == [] and before["id"] != (await played.fresh()).board["id"]
    return [before], uploaded(harness, since) == 0


async def announced(harness: Harness) -> tuple[list[Json], bool]:
    """What tells the channel how a match ended is written anew, as when somebody is called something else."""
    played, since = await finished(harness), len(harness.sandbox.request_log)
    row = await harness.row(played.id)
    assert row.announcement
    await harness.store.do(Transaction.keep_edit, PendingEdit(row.announcement, row.channel, row.id, row.version))
    await harness.settled()
    return [harness.sandbox.world.message(str(row.channel), str(row.announcement))], uploaded(harness, since) == 0


async def replay(harness: Harness) -> tuple[list[Json], bool]:
    """A replay is gone through page by page."""
    played = await finished(harness)
    opened = await harness.cem.press(await harness.cem.press(played.board, "Replay"), FIRST)
    stepped = await harness.cem.press(opened, NEXT)
    assert "Move 1 of 3" in stepped.text
    return [stepped.message], True


async def film(harness: Harness) -> tuple[list[Json], bool]:
    """A film that is shown to everybody stays where it was made."""
    played = await finished(harness)
    made = await harness.cem.press(await harness.cem.press(played.board, "Replay"), FILM)
    await filmed(harness, made)
    since = len(harness.sandbox.request_log)
    await harness.cem.press(made, EVERYBODY)
    await harness.life.idle()
    assert labels(made.message) == [] and film_of(harness, made.message) == film_of(
        harness, harness.dora.read_latest_message("games")
    )
    return [made.message], uploaded(harness, since) == 0


async def imported(harness: Harness) -> tuple[list[Json], bool]:
    """A record that somebody brings stays in its message, page by page."""
    reply: BotReply = await brought(harness)
    await harness.cem.press(reply, FIRST)
    await harness.life.idle()
    for at in (1, 2):
        await harness.cem.press(reply, "Next")
        await harness.life.idle()
        assert f"Move {at} of 4" in reply.text and "record.jsonl" in shown(harness, reply.message)
    return [reply.message], True


async def league(harness: Harness) -> tuple[list[Json], bool]:
    """A league's table is drawn anew in its message."""
    await begun(harness)
    first = Played(harness, 1, await harness.row(1))
    await harness.surely(first.mover, "match resign", channel=first.place)
    await looked(harness)
    return [await message(harness)], True


SURFACES: dict[str, Callable[[Harness], Awaitable[tuple[list[Json], bool]]]] = {
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
async def test_what_is_edited_keeps_its_pictures(harness: Harness, way: tuple[bool, float], surface: str) -> None:
    _, lost = way
    harness.faults.lose_kept_files(lost)
    messages, kept = await SURFACES[surface](harness)
    for each in messages:
        assert shown(harness, each), f"{surface} has no picture any more"
    if lost == NEVER:
        assert kept, "pictures were sent again that could stay"


@every_way
@sampled("key", [key for key in load_games() if key != "sums-grid"], few=3)
async def test_every_games_pad_keeps_its_picture(harness: Harness, way: tuple[bool, float], key: str) -> None:
    reply = await harness.ann.command(f"{key} challenge", channel="games", opponent=harness.bea, seat="me")
    assert "Match 1 of" in reply.text
    await harness.settled()
    played = Played(harness, 1, await harness.row(1))
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    opened = await harness.ann.press(played.board, labels(played.board)[0])
    harness.faults.lose_kept_files(way[1])
    for _ in range(2):
        keys = [one for one in people.list_buttons(opened.message) if not one.disabled]
        assert shown(harness, opened.message), keys
        opened = await harness.ann.press(opened, keys[0].label or "")
    assert shown(harness, opened.message)


@every_way
async def test_what_discord_does_not_take_is_tried_once_and_said_once(
    harness: Harness, way: tuple[bool, float], caplog: pytest.LogCaptureFixture
) -> None:
    harness.faults.lose_kept_files(way[1])
    caplog.set_level("INFO", "bot.platform.edits")
    await replay(harness)
    again = await harness.cem.command("match replay", channel="games", match=1)
    for label in ("Back", "Back", NEXT):
        await harness.cem.press(again, label)
    heard = [one.getMessage() for one in caplog.records if one.getMessage() in REFUSED.values()]
    assert len(heard) == len(set(heard))
    refused = [one for one in harness.sandbox.request_log if one.route == CALLBACK and one.status == 400]
    assert len(refused) == (1 if way[0] else 0), "an answer with files is tried once"
