"""Writes reminders and the daily digest, and recognises them. Pure text, no Discord.

A reminder in a thread is read by everybody there: it says whose move it is and until when, and nothing of the game or
of another server.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.client.text.match_list import rivals
from bot.client.text.match_text import listed, plain
from bot.core.match.loaded_match import link_to
from bot.core.match.stored import MatchRow, Player
from bot.core.values.ids import GuildId, MatchId, UserId
from bot.core.values.plural import Plural, together
from bot.core.values.text_lengths import shortened

Turn = tuple[MatchRow, Player]
"""A match, and somebody who is to move in it."""
Titles = Mapping[str, str]
Servers = Mapping[GuildId, str]
"""What games are called, by their keys, and servers."""
Others = Mapping[MatchId, str]
"""Whom somebody plays with, by name: outside of a server nobody is named later."""
LONGEST_SERVER = 60
"""Characters of a server's name."""
REFUSED = (
    "-# Discord does not let me write to you directly, so I remind you here from now on. "
    "`/preferences` changes that, once you allow direct messages from this server."
)
FOOT = "-# `/preferences` in one of these servers changes how I remind you."
TURNS, DIRECT_TURNS = "{who}, it's your move in {number} matches:", "A reminder of your move in {number} matches:"
LINE, LINE_UNTIL = "{match}", "{match}: time until {ends}"
ASKED, ASKED_UNTIL = "{match}: an invitation", "{match}: an invitation, open until {ends}"
YOURS, YOURS_UNTIL, YOURS_LATE = LINE, LINE_UNTIL, "{match}: time was up {ends}"
"""The lines of a list of matches."""
LINKED = "[{match}]({link})"
"""A match in a list; a link by itself would be shown as the thread's name, which has the game in it once more."""
ON_SERVER, WITH = "{match} on {server}", "{match} with {people}"
NOW = "{who}, it's your move in {match}.\n[Here is the board]({link})"
SINCE = (
    "{who}, it's still your move in {match}.\n"
    "It has been since {since}. Time for it: until {ends}. [Here is the board]({link})"
)
DIRECTLY = "A reminder of your move in {match}.\n[Here is the board]({link})"
DIRECTLY_SINCE = (
    "A reminder of your move in {match}.\n"
    "Your turn began {since}. Time for it: until {ends}. [Here is the board]({link})"
)
"""Of one match. Nobody edits a direct message later, so it says nothing that a move or an hour makes wrong; what stands
in a thread goes with the turn. The first line is what a phone shows on its lock screen: without markup, moments and
links."""
NOW_ONCE, SINCE_ONCE = "{who}, it is your move in {match}.", "{who}, it has been your move in {match}."
DIRECTLY_ONCE = (
    "It is your move in {match}.", "It has been your move in {match}.", "It's your move in {match}.",
    "It's still your move in {match}.",
)  # fmt: skip
"""How reminders began in earlier versions."""
WAITING = Plural("Your daily digest: {number} match.", "Your daily digest: {number} matches.")
NAMED = re.compile("\N{FIRST STRONG ISOLATE}[^\N{POP DIRECTIONAL ISOLATE}]*\N{POP DIRECTIONAL ISOLATE}")
"""A person by name, as messages leave."""
LINKING = str.maketrans(dict.fromkeys(":/[]()", " "))


def in_thread(turns: Sequence[Turn], titles: Titles, closed: bool) -> str:
    """A reminder where the match is played; of several matches in a server, the most urgent first, where that one is
    played. `closed`: with the reason why it is no direct message."""
    row, player = turns[0]
    if len(turns) > 1:
        head = TURNS.format(who=f"<@{player.user}>", number=len(turns))
        # Whoever reads this may not see the other channels, and so not who plays there.
        seen = [(one.id, together(rivals(one, player.user))) for one, _ in turns if one.channel == row.channel]
        lines = [_until(_with(one, _linked(one, titles), dict(seen)), own) for one, own in turns]
        return listed(head, lines, REFUSED if closed else "")
    told = SINCE if _runs(player) else NOW
    line = told.format(who=f"<@{player.user}>", match=_match(row, titles), link=link_to(row), **_times(player))
    return f"{line}\n{REFUSED}" if closed else line


def direct(turns: Sequence[Turn], titles: Titles, servers: Servers, others: Others) -> str:
    """A reminder as a direct message, of one match or several."""
    row, player = turns[0]
    if len(turns) > 1:
        lines = [_until(_match_on(one, _linked(one, titles), servers, others), own) for one, own in turns]
        return listed(DIRECT_TURNS.format(number=len(turns)), lines)
    told = DIRECTLY_SINCE if _runs(player) else DIRECTLY
    return told.format(match=_match_on(row, _match(row, titles), servers, {}), link=link_to(row), **_times(player))


def _match(row: MatchRow, titles: Titles) -> str:
    return f"{titles.get(row.game, row.game)} · {row.id}"


def _linked(row: MatchRow, titles: Titles) -> str:
    return LINKED.format(match=_match(row, titles), link=link_to(row))


def _with(row: MatchRow, match: str, others: Others) -> str:
    people = others.get(row.id)
    return WITH.format(match=match, people=people) if people else match


def _match_on(row: MatchRow, match: str, servers: Servers, others: Others) -> str:
    match = ON_SERVER.format(match=match, server=named(servers.get(row.guild, "a server")))
    return _with(row, match, others)


def _runs(player: Player) -> bool:
    return player.since is not None and player.deadline is not None


def _times(player: Player) -> dict[str, str]:
    return {"since": f"<t:{player.since}:D>", "ends": f"<t:{player.deadline}:f>"}


def _until(match: str, player: Player) -> str:
    told = LINE if player.deadline is None else LINE_UNTIL
    return told.format(match=match, ends=f"<t:{player.deadline}:f>")


def named(server: str) -> str:
    """A server's name without mentions, links and markup."""
    return shortened(plain(server.translate(LINKING)), LONGEST_SERVER)


def digest(rows: Sequence[MatchRow], user: UserId, titles: Titles, servers: Servers, now: int, others: Others) -> str:
    """The matches that wait for somebody in all servers, the most urgent first, as many as a message holds."""
    head = WAITING.of(len(rows))
    lines = [_line(row, user, _match_on(row, _linked(row, titles), servers, others), now) for row in rows]
    return listed(head, lines, FOOT)


def _line(row: MatchRow, user: UserId, match: str, now: int) -> str:
    if row.state == "open":
        told, ends = ASKED_UNTIL if row.expires else ASKED, row.expires
    else:
        player = row.player(user)
        ends = player.deadline if player else None
        told = YOURS if ends is None else YOURS_UNTIL if ends > now else YOURS_LATE
    return told.format(match=match, ends=f"<t:{ends}:f>")


def is_digest(content: str) -> bool:
    """Whether a message of ours is a digest."""
    return re.match(r"Your daily digest: |(\*\*)?[0-9]+ match(es wait| waits) for you\.", content) is not None


def is_reminder(content: str, match: int, user: UserId | None) -> bool:
    """Whether a message of ours reminds of a match, in its thread or directly."""
    directly = (DIRECTLY, DIRECTLY_SINCE, *DIRECTLY_ONCE)
    told = directly if user is None else (NOW, SINCE, NOW_ONCE, SINCE_ONCE)
    begins = tuple(one.partition("{match}")[0].format(who=f"<@{user}>") for one in told)
    said = NAMED.sub("", content)  # people may be called like a match
    return content.startswith(begins) and re.search(rf" · {match}\b", said) is not None
