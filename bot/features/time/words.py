"""Reminders, digests, and notices of closed channels in sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.features.board import line_words
from bot.features.board.directory import list_rivals
from bot.features.board.words import format_list, strip_markup
from bot.games.wording import Plural, join_sentences, join_words, shorten_text
from bot.play.ids import ChannelId, GuildId, MatchId, UserId
from bot.play.loaded_match import LoadedMatch, MatchView, link_to, mention_user
from bot.play.rows import GIVEN_UP_DAYS, MatchRow, Player

# Writes reminders and the daily digest, and recognises them. Pure text, no Discord.


Turn = tuple[MatchRow, Player]
"""A match, and a player who is to move in it."""
Titles = Mapping[str, str]
Servers = Mapping[GuildId, str]
"""The titles of games by key, and the names of servers."""
Others = Mapping[MatchId, str]
"""A user's opponents, by name: outside of a server, mentions are not replaced by names later."""
LONGEST_SERVER = 60
"""The most characters of a server's name."""
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
"""A match in a list; a bare link would be shown as the thread's name, which repeats the game."""
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
"""A reminder of one match. A direct message is never edited, so it says nothing that a move or an hour makes wrong; one
in a thread is deleted after the turn. The first line is what a phone shows on its lock screen: without markup,
timestamps and links."""
BOARD = "It's your move in {match}.\n[Here is the board]({link})"
"""The direct message that is edited into the board: this is what a phone shows of it."""
NOW_ONCE, SINCE_ONCE = "{who}, it is your move in {match}.", "{who}, it has been your move in {match}."
DIRECTLY_ONCE = (
    "It is your move in {match}.", "It has been your move in {match}.", "It's your move in {match}.",
    "It's still your move in {match}.",
)  # fmt: skip
"""The beginnings of reminders in earlier versions."""
WAITING = Plural("Your daily digest: {number} match.", "Your daily digest: {number} matches.")
NAMED = re.compile("\N{FIRST STRONG ISOLATE}[^\N{POP DIRECTIONAL ISOLATE}]*\N{POP DIRECTIONAL ISOLATE}")
"""A user by name, in a message as sent."""
LINKING = str.maketrans(dict.fromkeys(":/[]()", " "))


def format_thread_reminder(turns: Sequence[Turn], titles: Titles, closed: bool) -> str:
    """A reminder in a match's own channel; of several matches in a server, the most urgent first, in that one's
    channel. `closed`: with the reason why it is no direct message."""
    row, player = turns[0]
    if len(turns) > 1:
        head = TURNS.format(who=f"<@{player.user}>", number=len(turns))
        # Other readers may not see the other channels, and so not who plays there.
        seen = [(one.id, join_words(list_rivals(one, player.user))) for one, _ in turns if one.channel == row.channel]
        lines = [
            _format_turn(_append_people(one, _format_linked_match(one, titles), dict(seen)), own) for one, own in turns
        ]
        return format_list(head, lines, REFUSED if closed else "")
    told = SINCE if _is_clock_running(player) else NOW
    line = told.format(
        who=f"<@{player.user}>", match=_format_match(row, titles), link=link_to(row), **_format_times(player)
    )
    return f"{line}\n{REFUSED}" if closed else line


def format_direct_reminder(
    turns: Sequence[Turn], titles: Titles, servers: Servers, others: Others, board: bool = False
) -> str:
    """A reminder as a direct message, of one match or several; or the line that becomes a `board`."""
    row, player = turns[0]
    if len(turns) > 1:
        lines = [
            _format_turn(_format_match_on(one, _format_linked_match(one, titles), servers, others), own)
            for one, own in turns
        ]
        return format_list(DIRECT_TURNS.format(number=len(turns)), lines)
    told = BOARD if board else DIRECTLY_SINCE if _is_clock_running(player) else DIRECTLY
    return told.format(
        match=_format_match_on(row, _format_match(row, titles), servers, {}), link=link_to(row), **_format_times(player)
    )


def _format_match(row: MatchRow, titles: Titles) -> str:
    return f"{titles.get(row.game, row.game)} · {row.id}"


def _format_linked_match(row: MatchRow, titles: Titles) -> str:
    return LINKED.format(match=_format_match(row, titles), link=link_to(row))


def _append_people(row: MatchRow, match: str, others: Others) -> str:
    people = others.get(row.id)
    return WITH.format(match=match, people=people) if people else match


def _format_match_on(row: MatchRow, match: str, servers: Servers, others: Others) -> str:
    match = ON_SERVER.format(match=match, server=clean_server_name(servers.get(row.guild, "a server")))
    return _append_people(row, match, others)


def _is_clock_running(player: Player) -> bool:
    return player.since is not None and player.deadline is not None


def _format_times(player: Player) -> dict[str, str]:
    return {"since": f"<t:{player.since}:D>", "ends": f"<t:{player.deadline}:f>"}


def _format_turn(match: str, player: Player) -> str:
    told = LINE if player.deadline is None else LINE_UNTIL
    return told.format(match=match, ends=f"<t:{player.deadline}:f>")


def clean_server_name(server: str) -> str:
    """A server's name without mentions, links and markup."""
    return shorten_text(strip_markup(server.translate(LINKING)), LONGEST_SERVER)


def format_digest(
    rows: Sequence[MatchRow], user: UserId, titles: Titles, servers: Servers, now: int, others: Others
) -> str:
    """The matches that wait for a user in all servers, the most urgent first, as many as a message holds."""
    head = WAITING.fill_in(len(rows))
    lines = [
        _format_digest_line(row, user, _format_match_on(row, _format_linked_match(row, titles), servers, others), now)
        for row in rows
    ]
    return format_list(head, lines, FOOT)


def _format_digest_line(row: MatchRow, user: UserId, match: str, now: int) -> str:
    if row.state == "open":
        told, ends = ASKED_UNTIL if row.expires else ASKED, row.expires
    else:
        player = row.find_player(user)
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
    said = NAMED.sub("", content)  # a user's name may look like a match
    return content.startswith(begins) and re.search(rf" · {match}\b", said) is not None


# Words the notices to players of a match whose place is closed, and the answers to their acts there.


LOST = "{told}, {match} couldn't be shown where it is played."
TO_ALL = "{told}: {why}"
GO_ON = (
    "All commands still work. To go on in another channel, use `/match board match:{match}` there, and its board comes "
    "there."
)
TIME_ENDS = "The clock runs on: {who} has until {ends}."
GIVEN_UP = f"If nobody moves for {GIVEN_UP_DAYS} days, it's closed, unrated."
PLACE_FOOT = "-# Match {match}: I say this here because I couldn't post where it is played."
FOOT_ONCE = "-# Match {match}: I say this here because I can't post where it is played."
"""The ends of notices in earlier versions."""
NOT_SHOWN = "I couldn't show the board in its place. {reason}"
AGAIN = "I'm trying again."
COUNTS = "Your move counts, but I couldn't show the board. {reason}"
NOT_POSTED = "I couldn't show that in its place. {reason}"
MOVES_IT = "To go on in another channel, use `/match board` there."
MOVED_HERE = "From now on the match is played here."
PRIVATE = "Not everybody can see where it is played, so I don't move it to a channel that everybody can see."
NOT_YOURS = "Its players, or somebody who manages this server, can move it here with `/match board`."


def format_notice(sight: MatchView, told: Sequence[UserId], server: str, first: bool) -> str:
    """A notice about a match for some users, in a channel or, with the name of its server, directly; the `first` time
    also why, and what they can do."""
    loaded, match = sight.loaded, f"{sight.loaded.game.title} · {sight.loaded.id}"
    match = ON_SERVER.format(match=match, server=clean_server_name(server)) if server else match
    news = [user for user in told if user in loaded.users_to_notify]
    if news:
        lines = [line_words.format_elsewhere(sight, news, loaded.row.shown_plies, match)]
    else:
        lines = [LOST.format(told=line_words.append_names(line_words.format_address(told), told), match=match)]
    if loaded.row.state == "live":
        why = join_sentences(loaded.row.publish_error or "", *describe_clocks(loaded)) if first else ""
        others = first and news and len(news) < len(told)
        why = TO_ALL.format(told=join_words(map(mention_user, told)), why=why) if others else why
        lines.append(join_sentences(why, GO_ON.format(match=loaded.id)))
    elif loaded.row.close_reason and loaded.row.close_reason not in lines[0]:
        lines.append(loaded.row.close_reason)
    return "\n".join((line_words.append_names("\n".join(lines), told), PLACE_FOOT.format(match=loaded.id)))


def describe_clocks(loaded: LoadedMatch) -> list[str]:
    """Until when the players to move have time; where no clock runs, when the match is closed."""
    running = [
        player for player in loaded.row.players_to_move if player.deadline is not None and player.forfeit_at is None
    ]
    ends = [TIME_ENDS.format(who=mention_user(one.user), ends=f"<t:{one.deadline}:f>") for one in running]
    return ends or [GIVEN_UP]


def is_notice(content: str, match: int) -> bool:
    """Whether a message of ours is a notice about a match."""
    return content.endswith((PLACE_FOOT.format(match=match), FOOT_ONCE.format(match=match)))


def describe_answer(loaded: LoadedMatch, line: str, moved: bool, lost: bool) -> str:
    """The answer to an act whose board cannot be shown: what was done, why it is not shown, and what follows; `lost`
    where its channel was deleted."""
    reason = loaded.row.publish_error or ""
    if moved:
        return join_sentences(COUNTS.format(reason=reason), describe_next_step(loaded, lost))
    return join_sentences(line, reason if lost else NOT_POSTED.format(reason=reason), describe_next_step(loaded, lost))


def explain_not_shown(loaded: LoadedMatch, lost: bool) -> str:
    """Why the board of a match is not in its place, for a user who views it."""
    return join_sentences(NOT_SHOWN.format(reason=loaded.row.publish_error), describe_next_step(loaded, lost))


def explain_kept_back(loaded: LoadedMatch, lost: bool) -> str:
    """The same beside an act in a game with secrets, after which nothing is retried."""
    return join_sentences(
        NOT_SHOWN.format(reason=loaded.row.publish_error), describe_next_step(loaded, lost) if lost else ""
    )


def describe_next_step(loaded: LoadedMatch, lost: bool) -> str:
    """What follows where a board cannot be shown. For a deleted channel nothing does, once the match has ended."""
    if not lost:
        return AGAIN
    return MOVES_IT if loaded.row.state == "live" else ""


# Words for a server's owner about a channel that is closed to the bot's own posts.


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
"""The public version: it names no channel, which may be hidden from its readers."""
THINGS: Mapping[str, str] = {
    "daily": "the daily puzzle",
    "week": "what happened in the week",
    "league": "a league's table",
}
LEAGUES = "the tables of leagues"


def describe_closed(server: str, channel: ChannelId, why: str, waiting: Sequence[str]) -> str:
    """The direct message to the owner. `why` says what has to be allowed; empty where the channel was deleted."""
    things = [THINGS[one] for one in dict.fromkeys(waiting)]
    if waiting.count("league") > 1:
        things[-1] = LEAGUES
    told = CLOSED if why else DELETED
    return told.format(server=clean_server_name(server), channel=channel, why=why, things=join_words(things))


def describe_for_all(owner: UserId) -> str:
    """The public message to the owner."""
    return FOR_ALL.format(owner=mention_user(owner))
