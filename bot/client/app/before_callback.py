"""Everything that runs before the callback of an interaction: one list, in order, each step with its reason.

`interaction_flow` stands around the list and the callback: it refuses what discord.py cannot read, counts the
interaction, drops one that comes too late, and ends both in time.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from discord import app_commands

from bot.client.interactions.context import Interaction, Listing, channel_of, data_of, guild_of, user_of
from bot.client.interactions.errors import Unread
from bot.client.interactions.option_reader import misfits
from bot.client.interactions.rate_limit import Gate, focused, is_typing
from bot.client.interactions.typed_options import name_matches, read_shown, tidy
from bot.client.people.names import Called
from bot.core.values.ids import GuildId, UserId

Met = Callable[[GuildId, UserId, Called, bool], None]
"""Notes what somebody is called, and whether they are in a server."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Check(NamedTuple):
    """A step before the callback: it returns, or raises what is answered instead."""

    run: Callable[[Interaction], Awaitable[None]]
    reason: str


class BeforeCallback:
    """The list of checks."""

    def __init__(self, gate: Gate, met: Met, listing: Listing) -> None:
        self._met, self._umpire, self._listing = met, gate.umpire, listing
        self.checks: Sequence[Check] = (
            Check(gate.expect_server, "there are no matches in direct messages, and the checks below need a server"),
            Check(gate.expect_rate, "a flood is refused before anything is read or drawn for it"),
            Check(gate.line_up, "those who only look wait here, so that nobody's move waits behind them"),
            Check(gate.expect_short, "a text that no move can have is refused before anything searches it"),
            Check(expect_readable, "discord.py reads options in the callback, where its errors cannot be answered"),
            Check(
                self._tidy, "keyboards and pasting put other signs in place of those that are meant, and unseen ones"
            ),
            Check(self._name_matches, "a match can be named by a link, and the check below reads numbers"),
            Check(gate.expect_here, "an option or a forged custom_id can name a match of another server"),
            Check(gate.expect_own, "Discord keeps messages, and a new database gives their numbers to new matches"),
            Check(gate.resume_clocks, "after an outage somebody can act before the clock worker has given it back"),
            Check(self._meet, "somebody who acts is in the server, whatever was heard of them before"),
            Check(read_shown, "Discord may send what a suggestion showed in place of its value"),
        )

    async def __call__(self, interaction: Interaction) -> None:
        """Run all checks; the first that raises ends it."""
        steps.debug("received %d", interaction.id)
        for check in self.checks:
            await check.run(interaction)

    async def _tidy(self, interaction: Interaction) -> None:
        tidy(interaction)

    async def _name_matches(self, interaction: Interaction) -> None:
        await name_matches(interaction, self._umpire, self._listing)

    async def _meet(self, interaction: Interaction) -> None:
        guild = guild_of(interaction)
        self._met(guild, user_of(interaction), Called.of(interaction.user), True)
        self._umpire.attendance.seen(channel_of(interaction), user_of(interaction), self._umpire.clock())
        for user, called, is_here in picked(interaction):
            self._met(guild, user, called, is_here)


def picked(interaction: Interaction) -> list[tuple[UserId, Called, bool]]:
    """The people whom somebody names in an option or a select, and whether they are members; Discord sends them
    along."""
    resolved: Mapping[str, Any] = data_of(interaction).get("resolved") or {}
    users: Mapping[str, Any] = resolved.get("users") or {}
    members: Mapping[str, Any] = resolved.get("members") or {}
    found: list[tuple[UserId, Called, bool]] = []
    for number, user in users.items():
        name = members.get(number, {}).get("nick") or user.get("global_name") or user["username"]
        found.append((UserId(int(number)), Called(name, user["username"]), number in members))
    return found


async def expect_readable(interaction: Interaction) -> None:
    """Make discord.py read the options of a command now; a button or a form has none.

    Somebody may still type into an option that the command had before it was changed.
    """
    try:
        given, command = interaction.namespace, interaction.command
    except Exception as fault:
        log.warning("The options of a command cannot be read: %s.", type(fault).__name__)
        raise Unread from fault
    if not isinstance(command, app_commands.Command):
        return
    if odd := ", ".join(misfits(command, data_of(interaction))):
        log.warning("/%s was sent with what it cannot have: %s.", command.qualified_name, odd)
        raise Unread
    if is_typing(interaction):
        typed = focused(data_of(interaction))
        completed = {option.display_name for option in command.parameters if option.autocomplete}
        if typed not in completed or typed not in given:
            log.warning("There is nothing to suggest for an option of /%s.", command.qualified_name)
            raise Unread
