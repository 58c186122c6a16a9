"""Words for whoever owns a server of a channel in which nothing can be posted of what comes by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.client.text.reminder_text import named
from bot.core.match.loaded_match import person
from bot.core.values.ids import ChannelId, UserId
from bot.core.values.plural import together

CLOSED = (
    "I couldn't post in a channel on {server}.\nIt is <#{channel}>. {why}\n"
    "I'll post {things} as soon as I can, or in another channel that you choose with /settings posts there."
)
DELETED = (
    "On {server} a channel was deleted that I post in. I'll post {things} in another channel that you choose with "
    "/settings posts there."
)
FOR_ALL = (
    "{owner}, I couldn't post in a channel that this server has chosen. /settings posts shows which channels these are "
    "and lets you choose others."
)
"""Where everybody reads it: it names no channel, which may be hidden from them."""
THINGS: Mapping[str, str] = {
    "daily": "the daily puzzle",
    "week": "what happened in the week",
    "league": "a league's table",
}
LEAGUES = "the tables of leagues"


def closed(server: str, channel: ChannelId, why: str, waiting: Sequence[str]) -> str:
    """What the owner is told directly. `why` says what has to be allowed; empty where the channel was deleted."""
    things = [THINGS[one] for one in dict.fromkeys(waiting)]
    if waiting.count("league") > 1:
        things[-1] = LEAGUES
    told = CLOSED if why else DELETED
    return told.format(server=named(server), channel=channel, why=why, things=together(things))


def for_all(owner: UserId) -> str:
    """What the owner is told in a channel that others read."""
    return FOR_ALL.format(owner=person(owner))
