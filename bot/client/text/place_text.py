"""Words what people are told elsewhere of a match whose place is closed, and what their acts are answered with there.
Pure text, no Discord."""

from __future__ import annotations

from collections.abc import Sequence

from bot.client.text import told_text
from bot.client.text.reminder_text import ON_SERVER, named
from bot.core.match.loaded_match import LoadedMatch, Sight, person
from bot.core.match.stored import GIVEN_UP_DAYS
from bot.core.values.ids import UserId
from bot.core.values.plural import sentences, together

LOST = "{told}, {match} couldn't be shown where it is played."
TO_ALL = "{told}: {why}"
GO_ON = (
    "All commands still work. To go on in another channel, use `/match board match:{match}` there, and its board comes "
    "there."
)
TIME_ENDS = "The clock runs on: {who} has until {ends}."
GIVEN_UP = f"If nobody moves for {GIVEN_UP_DAYS} days, it's closed, unrated."
FOOT = "-# Match {match}: I say this here because I couldn't post where it is played."
FOOT_ONCE = "-# Match {match}: I say this here because I can't post where it is played."
"""How they ended in earlier versions."""
NOT_SHOWN = "I couldn't show the board in its place. {reason}"
AGAIN = "I'm trying again."
COUNTS = "Your move counts, but I couldn't show the board. {reason}"
NOT_POSTED = "I couldn't show that in its place. {reason}"
MOVES_IT = "To go on in another channel, use `/match board` there."
MOVED_HERE = "From now on the match is played here."
PRIVATE = "Not everybody can see where it is played, so I don't move it to a channel that everybody can see."
NOT_YOURS = "Its players, or somebody who manages this server, can move it here with `/match board`."


def notice(sight: Sight, told: Sequence[UserId], server: str, first: bool) -> str:
    """What some people are told of a match as it stands, in a channel or, with the name of its server, directly; the
    `first` time also why, and what they can do."""
    seated, match = sight.seated, f"{sight.seated.game.title} · {sight.seated.id}"
    match = ON_SERVER.format(match=match, server=named(server)) if server else match
    news = [user for user in told if user in seated.untold]
    if news:
        lines = [told_text.elsewhere(sight, news, seated.row.shown_plies, match)]
    else:
        lines = [LOST.format(told=told_text.with_names(told_text.addressed(told), told), match=match)]
    if seated.row.state == "live":
        why = sentences(seated.row.publish_error or "", *clocks(seated)) if first else ""
        others = first and news and len(news) < len(told)
        why = TO_ALL.format(told=together(map(person, told)), why=why) if others else why
        lines.append(sentences(why, GO_ON.format(match=seated.id)))
    elif seated.row.close_reason and seated.row.close_reason not in lines[0]:
        lines.append(seated.row.close_reason)
    return "\n".join((told_text.with_names("\n".join(lines), told), FOOT.format(match=seated.id)))


def clocks(seated: LoadedMatch) -> list[str]:
    """Until when those have time who are to move; where no clock runs, when the match is closed."""
    running = [player for player in seated.row.to_move if player.deadline is not None and player.forfeit_at is None]
    ends = [TIME_ENDS.format(who=person(one.user), ends=f"<t:{one.deadline}:f>") for one in running]
    return ends or [GIVEN_UP]


def is_notice(content: str, match: int) -> bool:
    """Whether a message of ours tells of a match elsewhere."""
    return content.endswith((FOOT.format(match=match), FOOT_ONCE.format(match=match)))


def answer(seated: LoadedMatch, line: str, moved: bool, lost: bool) -> str:
    """What an act is answered with whose board cannot be shown: what was done, why nobody sees it, and what follows;
    `lost` where its channel was deleted."""
    reason = seated.row.publish_error or ""
    if moved:
        return sentences(COUNTS.format(reason=reason), further(seated, lost))
    return sentences(line, reason if lost else NOT_POSTED.format(reason=reason), further(seated, lost))


def not_shown(seated: LoadedMatch, lost: bool) -> str:
    """Why the board of a match is not in its place, for somebody who looks at it."""
    return sentences(NOT_SHOWN.format(reason=seated.row.publish_error), further(seated, lost))


def kept_back(seated: LoadedMatch, lost: bool) -> str:
    """The same beside an act in a game with secrets, which has nothing tried again."""
    return sentences(NOT_SHOWN.format(reason=seated.row.publish_error), further(seated, lost) if lost else "")


def further(seated: LoadedMatch, lost: bool) -> str:
    """What follows where a board cannot be shown. Of a deleted channel nothing does, once the match is over."""
    if not lost:
        return AGAIN
    return MOVES_IT if seated.row.state == "live" else ""
