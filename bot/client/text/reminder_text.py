"""Writes reminders and the daily digest, and recognises them. Pure text, no Discord.

A reminder in a thread is read by everybody there: it says whose move it is and until when, and nothing of the game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.client.text.match_text import listed, plain, shortened
from bot.core.match.loaded_match import link_to
from bot.core.match.stored import MatchRow, Player
from bot.core.values.ids import GuildId, UserId

LONGEST_SERVER = 60
"""Characters of a server's name."""
REFUSED = (
    "-# Discord does not let me write to you directly, so I remind you here from now on. "
    "`/preferences` changes that, once you allow direct messages from this server."
)
FOOT = "-# `/preferences` in one of these servers changes how I remind you."
LINKING = str.maketrans(dict.fromkeys(":/[]()", " "))


def in_thread(row: MatchRow, player: Player, title: str, closed: bool) -> str:
    """A reminder where the match is played; `closed`: with the reason why it is no direct message."""
    line = f"<@{player.user}>, it is your move in **{title}** · {row.id}{_times(player)}: {link_to(row)}"
    return f"{line}\n{REFUSED}" if closed else line


def direct(row: MatchRow, player: Player, title: str, server: str) -> str:
    """A reminder as a direct message."""
    return f"It is your move in **{title}** · {row.id} on {named(server)}{_times(player)}: {link_to(row)}"


def _times(player: Player) -> str:
    if player.since is None or player.deadline is None:
        return ""
    return f" since <t:{player.since}:d>. Your time ends <t:{player.deadline}:R>"


def named(server: str) -> str:
    """A server's name without mentions, links and markup."""
    return shortened(plain(server.translate(LINKING)), LONGEST_SERVER)


def digest(
    rows: Sequence[MatchRow], user: UserId, titles: Mapping[str, str], servers: Mapping[GuildId, str], now: int
) -> str:
    """The matches that wait for somebody in all servers, the most urgent first, as many as a message holds."""
    head = f"**{len(rows)} match{'es wait' if len(rows) > 1 else ' waits'} for you.**"
    lines = [_line(row, user, titles.get(row.game, row.game), servers.get(row.guild, "a server"), now) for row in rows]
    return listed(head, lines, FOOT)


def _line(row: MatchRow, user: UserId, title: str, server: str, now: int) -> str:
    where = f"{link_to(row)} **{title}** · {row.id} on {named(server)}"
    if row.state == "open":
        return f"{where}: you are asked" + (f", until <t:{row.expires}:R>" if row.expires else "")
    player = row.player(user)
    if player is None or player.deadline is None:
        return f"{where}: your move"
    return f"{where}: your move, your time {'ends' if player.deadline > now else 'ended'} <t:{player.deadline}:R>"


def is_digest(content: str) -> bool:
    """Whether a message of ours is a digest."""
    return re.match(r"\*\*[0-9]+ match(es wait| waits) for you\.\*\*", content) is not None


def is_reminder(content: str, match: int, user: UserId | None) -> bool:
    """Whether a message of ours reminds of a match, in its thread or directly."""
    begins = "It is your move in " if user is None else f"<@{user}>, it is your move in "
    return content.startswith(begins) and re.search(rf"\*\* · {match}\b", content) is not None
