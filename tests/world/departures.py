"""Who has left the server, as Discord has told the bot: from an open challenge they are removed by the next act."""

from __future__ import annotations

import re
from collections.abc import Collection

from bot.sandbox.errors import Json
from bot.sandbox.rest import RequestLogEntry
from tests.world.player_acts import Told

MEMBER = re.compile(r"/guilds/\d+/members/(\d+)")
NOT_THERE = 404


class Departures:
    """Follows what the bot is told of members. `told` has all that people were told to have happened.

    A seat may be given up for an absence that the bot has heard of, and only if it was taken before that ended: who
    sits down when they are back keeps their seat."""

    def __init__(self, told: Collection[Told]) -> None:
        self._told = told
        self._known_gone: set[str] = set()
        self._before: set[Told] = set()
        """The seats that were taken before an absence ended that the bot had heard of."""

    def answered(self, entry: RequestLogEntry) -> None:
        """Discord has answered a request."""
        if entry.method == "GET" and entry.status == NOT_THERE and (found := MEMBER.fullmatch(entry.path)):
            self._known_gone.add(found[1])

    def heard(self, event: str, message: Json) -> None:
        """Something happened in a server; who is back in it may sit down again."""
        if event == "GUILD_MEMBER_ADD" and message["user"]["id"] in self._known_gone:
            self._before = self.seats()
            self._known_gone.discard(message["user"]["id"])

    def seats(self) -> set[Told]:
        """The seats at open challenges that may have been given up."""
        return self._before | {one for one in self._told if one.what == "accept" and one.user in self._known_gone}
