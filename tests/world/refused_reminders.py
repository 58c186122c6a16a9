"""Reminders while Discord takes no direct message of the bot: each arrives in the thread of its match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from bot.features.time.words import is_reminder
from bot.play.ids import UserId
from bot.sandbox.errors import Json
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.world import World
from tests.world.findings import Ledger

TAKEN = re.compile(r"claimed ([1-9]\d*)")
"""What the bot says in its log when it has taken a reminder that is due."""
NONCE = re.compile(r"r\d+\.(\d+)\.\d+")
SHORT = 10**5
"""Nonces of reminders have so much of a person's number."""
REMINDED = """
    select s.user, p.since from pending_reminders s join players p on p.match = s.match and p.user = s.user
     where s.match = {match} and s.place is null and p.since is not null
"""
WAITING = """
    select count(*) from players p join matches m on m.id = p.match left join preferences c on c.user = p.user
     where p.match = {match} and p.user = {user} and p.since = {since} and p.forfeit_at is null and p.deadline > {now}
       and m.state = 'live' and m.paused is null and m.publish_error is null and c.reminders = 'message'
       and not exists (select 1 from pending_reminders s where s.match = p.match and s.user = p.user)
"""
"""Whether a player still waits for the same reminder, and it is not on its way."""


class Turn(NamedTuple):
    """A player's turn in a match."""

    match: int
    user: int


class RefusedReminders:
    """Follows the reminders that are taken while the bot is `flagged`; `clock` is the bot's."""

    def __init__(self, world: World, ledger: Ledger, clock: Callable[[], int]) -> None:
        self.world = world
        self.ledger = ledger
        self.clock = clock
        self.flagged = False
        self.seen = 0
        """How many have arrived."""
        self._taken: dict[Turn, int] = {}
        """The reminders that have not arrived, with the moment at which the turn began."""

    def said(self, line: str) -> None:
        """The bot has said something in its log."""
        if self.flagged and (found := TAKEN.fullmatch(line)):
            for user, since in self.ledger.ask(REMINDED.format(match=found[1])):
                self._taken[Turn(int(found[1]), user)] = since

    def answered(self, entry: RequestLogEntry) -> None:
        """Discord has answered a request: a reminder that the thread does not take can be nowhere."""
        nonce = entry.body.get("nonce") if isinstance(entry.body, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        found = NONCE.match(str(nonce))  # pyright: ignore[reportUnknownArgumentType]
        if found and 400 <= entry.status < 500:
            self._forget(lambda turn: turn.user % SHORT == int(found[1]))

    def heard(self, event: str, message: Json) -> None:
        """A player has left, or a message was posted."""
        if event == "GUILD_MEMBER_REMOVE":
            self._forget(lambda turn: turn.user == int(message["user"]["id"]))
        if event == "MESSAGE_CREATE" and self._taken:
            known = len(self._taken)
            mailbox = self.world.private.get(message["channel_id"])
            owner = int(mailbox["recipients"][0]["id"]) if mailbox else None
            text = str(message.get("content"))
            self._forget(
                lambda turn: (
                    is_reminder(text, turn.match, None if mailbox else UserId(turn.user)) and owner in (None, turn.user)
                )
            )
            self.seen += known - len(self._taken)

    def lost(self) -> Iterator[str]:
        """Who was to be reminded and still is, though no reminder is on its way."""
        for turn, since in list(self._taken.items()):
            asked = WAITING.format(match=turn.match, user=turn.user, since=since, now=self.clock())
            ((waits,),) = self.ledger.ask(asked)
            if waits:
                yield f"match {turn.match}: nobody has reminded {turn.user}, to whom Discord takes no direct message"
            elif not self.ledger.ask(
                f"select 1 from pending_reminders where match = {turn.match} and user = {turn.user}"
            ):
                del self._taken[turn]

    def _forget(self, is_meant: Callable[[Turn], bool]) -> None:
        self._taken = {turn: about for turn, about in self._taken.items() if not is_meant(turn)}
