"""Buttons of one view pressed on another message: whatever is pressed where, nothing that all see gives way to what is
for one person, and no error is logged.

What can be pressed is read from the routes, so that a new button is tried by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import pytest

from bot.features.study.replays import OfReplay
from bot.platform.checks import TokenBuckets
from bot.platform.custom_ids import Does, FormId, OfMatch
from bot.platform.routes import Routes
from bot.play.ids import ChannelId
from bot.play.rows import ServerSettings
from bot.sandbox.interactions import NoAnswerInTime
from data.store import Transaction
from tests.e2e.harness import Harness, Json, labels, said
from tests.e2e.test_daily import TODAY
from tests.e2e.test_daily_channel import guild
from tests.e2e.test_leagues import league, opened
from tests.e2e.test_records import brought
from tests.support.routes import written
from tests.support.sampled import sampled

pytestmark = pytest.mark.long

VALUES: dict[str, Sequence[str]] = {
    "version": ("1",), "own": ("", "s"), "sure": ("", "sure"), "verb": ("move", "submit"), "kind": ("move",),
    "mark": ("0" * 12,), "seat": ("1",), "level": ("2",), "at": ("1",), "leg": ("1",), "left": ("3",), "number": ("1",),
    "tap": [f"move:0:{does}:b" for does in get_args(Does)], "day": (str(TODAY),), "game": ("binary-primes",),
    "legs": ("2",), "page": ("1",), "season": ("20264",), "user": ("1",), "who": ("1",),
    "name": ("channels", "posts", "matches", "daily", "pace", "zone", "weekends", "reminders"),
}  # fmt: skip
"""What can stand in the fields of ids; a test fails where a new one has nothing here."""
NONSENSE = "p:nonsense:", "r:1:1:nonsense", "r:1:1:again1", "r:1:1:try1"


def pressable(routes: Routes, match: int, over: int, league: int) -> list[str]:
    """Everything that can be pressed, about a live match, one that is over, and a league."""
    found = [*NONSENSE]
    for kind in (kind for kind in routes.kinds if kind is not FormId):
        matches = (str(match), str(over)) if issubclass(kind, OfReplay) else (str(match),)
        found += written(kind, {**VALUES, "match": matches, "league": (str(league),)})
    return found


async def private(harness: Harness, kind: str) -> Json:
    """A message that Ann alone sees."""
    commands: dict[str, dict[str, Any]] = {
        "match board": {"match": 1}, "match replay": {"match": 2}, "settings show": {}, "profile": {}, "away show": {},
    }  # fmt: skip
    reply = await harness.ann.command(kind, channel="general", **commands[kind])
    assert reply.is_ephemeral
    return reply.message


async def places(harness: Harness) -> dict[str, Json]:
    """A message of each kind that all see, by what it is."""
    harness.life.client.gate.acts = TokenBuckets(10**6, 1)
    general = ChannelId(int(harness.sandbox.channel("general")["id"]))
    settings = ServerSettings(daily=general)
    await harness.store.do(Transaction.set_settings, guild(harness), settings)
    live = await (await harness.match()).move("b2")
    over = await (await harness.match()).move("b2")
    await harness.surely(harness.bea, "match resign", match=over.id, channel=over.place)
    await harness.settled()
    over = await over.fresh()
    table = await harness.challenge()
    board = await harness.ann.press(await harness.ann.command("leaderboard", channel="general"), "Show everybody")
    return {
        "board": live.board, "last board": over.board, "line": live.lines[-1], "table": table.lobby,
        "challenge that was accepted": live.lobby, "leaderboard": board.message, "league": await opened(harness),
    }  # fmt: skip


def public(harness: Harness) -> dict[str, str]:
    """What stands in all messages that all see, by their numbers."""
    return {
        number: f"{said(one)} {labels(one)}"
        for place in harness.sandbox.world.messages.values()
        for number, one in place.items()
        if not one["ephemeral_for"]
    }


def own(harness: Harness, message: Json, custom_id: str, row: Any) -> bool:
    """Whether a button stands on the message of its own match."""
    meant = harness.life.client.routes.parse(custom_id)
    numbers = {row.board_message, row.lobby_message}
    return isinstance(meant, OfMatch) and int(message["id"]) in numbers


async def pressed(harness: Harness, message: Json, custom_id: str, chosen: list[str]) -> bool:
    """Press a button or choose in a select that a message never had; whether there is an answer."""
    try:
        if chosen:
            await harness.choose(harness.ann, message, custom_id, chosen)
        else:
            await harness.forge(harness.ann, message, custom_id)
    except NoAnswerInTime:
        return False
    return True


@sampled("kind", ("match replay", "match board", "settings show", "profile", "away show"))
async def test_whatever_is_pressed_on_a_message_of_ones_own_has_an_answer_and_is_no_error(
    harness: Harness, kind: str
) -> None:
    await places(harness)
    ids = pressable(harness.life.client.routes, 1, 2, (await league(harness)).league.id)
    for custom_id in ids:
        message = await private(harness, kind)
        assert await pressed(harness, message, custom_id, []), custom_id
        assert harness.complaints() == [], custom_id


@sampled("kind", ("board", "last board", "line", "table", "challenge that was accepted", "leaderboard", "league"))
async def test_no_button_replaces_what_all_see(harness: Harness, kind: str) -> None:
    message = (await places(harness))[kind]
    ids = pressable(harness.life.client.routes, 1, 2, (await league(harness)).league.id)
    replaced = list[str]()
    presses = [(custom_id, chosen) for custom_id in ids for chosen in ([], ["2"]) if not chosen or custom_id[0] in "pr"]
    for custom_id, chosen in presses:
        before = public(harness)
        if not await pressed(harness, message, custom_id, chosen):
            replaced.append(f"{custom_id}: no answer")
        row = await harness.row(1)
        after = public(harness)
        if after[message["id"]] != before[message["id"]] and not own(harness, message, custom_id, row):
            replaced.append(f"{custom_id} {chosen}: {after[message['id']][:90]!r}")
    assert replaced == []


async def test_whatever_is_pressed_under_a_record_that_somebody_brings_has_an_answer(harness: Harness) -> None:
    """Some of these presses were deferred twice, which ended in silence."""
    harness.life.client.gate.acts = TokenBuckets(10**6, 1)
    for step in ("film", "show", "tell", "review", "again"):
        message = (await brought(harness)).message
        await harness.forge(harness.cem, message, f"r:0:1:{step}")
        await harness.life.idle()
        told = said(harness.cem.read_latest_message("games"))
        assert told.startswith("This button is out of date.") or step == "review", (step, told)
