"""Words what people are told elsewhere of a match whose place is closed, and what their acts are answered with there.
Pure text, no Discord."""

from __future__ import annotations

from collections.abc import Sequence

from bot.client.text import told_text
from bot.client.text.reminder_text import ON_SERVER, named
from bot.core.match.loaded_match import LoadedMatch, Sight, person
from bot.core.match.stored import CHANNEL_DELETED
from bot.core.values.ids import UserId
from bot.core.values.plural import sentences
from bot.service.time.place_notices import GIVEN_UP_DAYS

LOST = "{told}, {match} can't go on where it is played."
GO_ON = (
    "All commands still work. To go on in another channel, use `/match board match:{match}` there, and its board comes "
    "there."
)
TIME_ENDS = "The clock runs on: {who}'s time ends {ends}."
GIVEN_UP = f"If nobody moves for {GIVEN_UP_DAYS} days, it's closed, unrated."
FOOT = "-# Match {match}: I say this here because I can't post where it is played."
NOT_SHOWN = "I couldn't show the board in its place. {reason}"
AGAIN = "I'm trying again."
COUNTS = "Your move counts, but I couldn't show the board. {reason}"
NOT_POSTED = "I couldn't show that in its place. {reason}"
MOVES_IT = "To go on in another channel, use `/match board` there."
MOVED_HERE = "From now on the match is played here."
BACK = "The board is back in its place: {link}"
NOT_YOURS = "Its players, or somebody who manages this server, can move it here with `/match board`."


def notice(sight: Sight, told: Sequence[UserId], server: str, first: bool) -> str:
    """What some people are told of a match as it stands, in a channel or, with the name of its server, directly; the
    `first` time also why, and what they can do."""
    seated = sight.seated
    row, match = seated.row, f"{seated.game.title} · {seated.id}"
    match = ON_SERVER.format(match=match, server=named(server)) if server else match
    shown = max(row.shown_version, row.told_version)
    news = any(user in told for user in seated.untold)
    if news and row.version > shown:
        head = told_text.elsewhere(sight, told, row.shown_plies, match)
    else:
        head = LOST.format(told=told_text.with_names(told_text.addressed(told), told), match=match)
    lines = [head]
    if row.state == "live":
        lines += [sentences(row.parked or "", *clocks(seated), GO_ON.format(match=seated.id))] if first else []
        lines += [] if first else [GO_ON.format(match=seated.id)]
    return "\n".join((*lines, FOOT.format(match=seated.id)))


def clocks(seated: LoadedMatch) -> list[str]:
    """Until when those have time who are to move; where no clock runs, when the match is closed."""
    running = [player for player in seated.row.to_move if player.deadline is not None and player.lapse is None]
    ends = [TIME_ENDS.format(who=person(one.user), ends=f"<t:{one.deadline}:R>") for one in running]
    return ends or [GIVEN_UP]


def is_notice(content: str, match: int) -> bool:
    """Whether a message of ours tells of a match elsewhere."""
    return content.endswith(FOOT.format(match=match))


def answer(seated: LoadedMatch, line: str, moved: bool) -> str:
    """What an act is answered with whose board cannot be shown: what was done, why nobody sees it, and what follows."""
    row = seated.row
    if row.parked == CHANNEL_DELETED:
        return sentences(COUNTS.format(reason=row.parked) if moved else f"{line} {row.parked}", further(seated))
    told = COUNTS.format(reason=row.parked) if moved else f"{line} {NOT_POSTED.format(reason=row.parked)}"
    return sentences(told, AGAIN)


def not_shown(seated: LoadedMatch) -> str:
    """Why the board of a match is not in its place, for somebody who looks at it."""
    if seated.row.parked == CHANNEL_DELETED:
        return sentences(NOT_SHOWN.format(reason=seated.row.parked), further(seated))
    return sentences(NOT_SHOWN.format(reason=seated.row.parked), AGAIN)


def kept_back(seated: LoadedMatch) -> str:
    """Why nobody sees the board in its place, beside an act in a game with secrets."""
    further_ = further(seated) if seated.row.parked == CHANNEL_DELETED else ""
    return sentences(NOT_SHOWN.format(reason=seated.row.parked), further_)


def further(seated: LoadedMatch) -> str:
    """What can be done where the channel of a match was deleted; nothing once it is over."""
    return MOVES_IT if seated.row.state == "live" else ""
