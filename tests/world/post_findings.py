"""What must be seen of the messages of the day and of the week: none twice, and today's, if its channel is open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

from bot.sandbox import people
from bot.sandbox.errors import Json
from bot.sandbox.world import World
from tests.world.findings import Ledger
from tests.world.visible_matches import everything

POSTS = "posts"
"""The channel in which they are posted."""
OPENS = re.compile(r"p:daily:([0-9]{1,7})")
WEEK = re.compile(r"### The week from [^\n]+")
CHOSEN = "select guild, daily, daily_hour from settings where daily is not null and zone = 'UTC'"


def day_of(message: Json) -> int | None:
    """The day whose puzzle a message opens that all can see; None where it is no message of a day."""
    found = (OPENS.fullmatch(one.custom_id or "") for one in people.list_buttons(message))
    return next((int(one[1]) for one in found if one), None)


def twice(world: World) -> Iterator[str]:
    """Days and weeks with several messages in a channel."""
    seen = Counter[str]()
    for message in everything(world):
        if day := day_of(message):
            seen[f"day {day} in {message['channel_id']}"] += 1
        elif found := WEEK.search(people.text_of(message)):
            seen[f"{found[0]} in {message['channel_id']}"] += 1
    yield from (f"{times} messages of {what}" for what, times in seen.items() if times > 1)


def missing(world: World, ledger: Ledger, now: float) -> Iterator[str]:
    """Servers that have chosen a channel for the daily puzzle, and have not had today's after its hour."""
    moment = datetime.fromtimestamp(now, UTC)
    for guild, channel, hour in ledger.ask(CHOSEN):
        posted = {day_of(message) for message in world.messages.get(str(channel), {}).values()}
        if moment.hour >= hour and moment.date().toordinal() not in posted:
            yield f"server {guild} has had no message of day {moment.date().toordinal()}"
