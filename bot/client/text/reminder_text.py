"""Writes reminders and the daily digest, and recognises them. Pure text, no Discord.

A reminder in a thread is read by everybody there: it says whose move it is and until when, and nothing of the game or
of another server.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.client.text.match_text import listed, plain, shortened
from bot.core.match.loaded_match import link_to
from bot.core.match.stored import MatchRow, Player
from bot.core.values.ids import GuildId, UserId

Turn = tuple[MatchRow, Player]
"""A match, and somebody who is to move in it."""
Titles = Mapping[str, str]
Servers = Mapping[GuildId, str]
"""What games are called, by their keys, and servers."""
LONGEST_SERVER = 60
"""Characters of a server's name."""
REFUSED = (
    "-# Discord does not let me write to you directly, so I remind you here from now on. "
    "`/preferences` changes that, once you allow direct messages from this server."
)
FOOT = "-# `/preferences` in one of these servers changes how I remind you."
LINKING = str.maketrans(dict.fromkeys(":/[]()", " "))


def in_thread(turns: Sequence[Turn], titles: Titles, closed: bool) -> str:
    """A reminder where the match is played; of several matches in a server, the most urgent first, where that one is
    played. `closed`: with the reason why it is no direct message."""
    row, player = turns[0]
    if len(turns) > 1:
        lines = [f"{link_to(row)} {_match(row, titles)}{_until(player)}" for row, player in turns]
        return listed(f"<@{player.user}>, it is your move in {len(turns)} matches:", lines, REFUSED if closed else "")
    line = f"<@{player.user}>, it {_waits(player)} your move in {_match(row, titles)}{_times(player)} {link_to(row)}"
    return f"{line}\n{REFUSED}" if closed else line


def direct(turns: Sequence[Turn], titles: Titles, servers: Servers) -> str:
    """A reminder as a direct message, of one match or several."""
    row, player = turns[0]
    if len(turns) > 1:
        lines = [f"{link_to(row)} {_match_on(row, titles, servers)}{_until(player)}" for row, player in turns]
        return listed(f"It is your move in {len(turns)} matches:", lines)
    return f"It {_waits(player)} your move in {_match_on(row, titles, servers)}{_times(player)} {link_to(row)}"


def _match(row: MatchRow, titles: Titles) -> str:
    return f"**{titles.get(row.game, row.game)}** · {row.id}"


def _match_on(row: MatchRow, titles: Titles, servers: Servers) -> str:
    return f"{_match(row, titles)} on {named(servers.get(row.guild, 'a server'))}"


def _waits(player: Player) -> str:
    return "is" if player.since is None or player.deadline is None else "has been"


def _times(player: Player) -> str:
    if player.since is None or player.deadline is None:
        return ":"
    return f" since <t:{player.since}:D>. Your time ends <t:{player.deadline}:R>."


def _until(player: Player) -> str:
    return "" if player.deadline is None else f": your time ends <t:{player.deadline}:R>"


def named(server: str) -> str:
    """A server's name without mentions, links and markup."""
    return shortened(plain(server.translate(LINKING)), LONGEST_SERVER)


def digest(rows: Sequence[MatchRow], user: UserId, titles: Titles, servers: Servers, now: int) -> str:
    """The matches that wait for somebody in all servers, the most urgent first, as many as a message holds."""
    head = f"**{len(rows)} match{'es wait' if len(rows) > 1 else ' waits'} for you.**"
    lines = [_line(row, user, f"{link_to(row)} {_match_on(row, titles, servers)}", now) for row in rows]
    return listed(head, lines, FOOT)


def _line(row: MatchRow, user: UserId, where: str, now: int) -> str:
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
    begins = ("It is", "It has been") if user is None else (f"<@{user}>, it is", f"<@{user}>, it has been")
    return (
        content.startswith(tuple(f"{one} your move in " for one in begins))
        and re.search(rf"\*\* · {match}\b", content) is not None
    )
