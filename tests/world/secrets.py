"""What must not be seen: the numbers of a player's secret grid, in any message that another person or all can read."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from bot.sandbox import people
from tests.world.findings import Ledger
from tests.world.player_acts import Told

GRID = "grid "
SIDE = 3
"""Rows of a whole grid, and numbers in each."""
NUMBER = re.compile(r"\d+")
HIDDEN = "select count(*) from matches where id = {match} and state = 'live' and substitutions is null"


class Secrets:
    """Reads every message. `tried` has all that people have played; what is secret of it is known by its words. The
    messages of a `private` channel are read by the person with whom the bot has it."""

    def __init__(self, ledger: Ledger, tried: Collection[Told], private: Mapping[str, dict[str, Any]]) -> None:
        self.ledger = ledger
        self.tried = tried
        self.private = private
        self.leaks: list[str] = []

    def heard(self, event: str, message: dict[str, Any]) -> None:
        """A message was posted or changed."""
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            return
        mailbox = self.private.get(str(message.get("channel_id")))
        reader = mailbox["recipients"][0]["id"] if mailbox else message.get("ephemeral_for")
        said = f" {' '.join(NUMBER.findall(_all(message)))} "
        for one in self.tried:
            if one.what.startswith(GRID) and one.user != reader and _stands(one.what, said) and self._hidden(one.match):
                self.leaks.append(f"match {one.match}: {reader or 'everybody'} reads the {one.what} of {one.user}")

    def _hidden(self, match: int) -> bool:
        """Whether a match goes on, and everybody still sits where they sat down."""
        return bool(self.ledger.ask(HIDDEN.format(match=match))[0][0])


def _all(message: dict[str, Any]) -> str:
    """All text of a message, also that of pictures and that which buttons carry."""
    pictures = (one.alt or "" for one in people.list_media(message))
    carried = (one.custom_id or "" for one in people.list_buttons(message))
    return "\n".join((people.text_of(message), *pictures, *carried))


def _stands(grid: str, said: str) -> bool:
    """Whether a message says a grid: the rows of a whole one in any places, and the numbers of a pad that is not full
    one after the other. The rows of such a pad are so short that they stand by chance in many messages."""
    rows = [" ".join(NUMBER.findall(row)) for row in grid.split("/")]
    if len(rows) != SIDE:
        return False
    whole = all(len(row.split()) == SIDE for row in rows)
    return all(f" {row} " in said for row in (rows if whole else [" ".join(rows)]))
