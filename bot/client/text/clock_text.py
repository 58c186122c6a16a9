"""Words the time left in a match: deadlines, players who ran out of time and what follows, absences, and how
long somebody waits for an answer.

Deadlines depend on nothing secret, so everybody may read all of it. Pure text, no Discord.
"""

from __future__ import annotations

from bot.client.text.match_text import CHIPS, handed, mention, mentions
from bot.core.match.clocks import DAY, HOUR
from bot.core.match.loaded_match import LoadedMatch, Sight, person
from bot.core.match.stored import Player
from bot.core.values.plural import Plural, sentences
from bot.service.rules import claims

UNITS = (
    (DAY, Plural("{number} day", "{number} days")),
    (HOUR, Plural("{number} hour", "{number} hours")),
    (60, Plural("{number} minute", "{number} minutes")),
)
MINUTE = 60
RESTS = Plural(
    "{names}'s clock rests on Saturdays and Sundays.", "The clocks of {names} rest on Saturdays and Sundays."
)
AHEAD = Plural("One person is ahead of you.", "{number} people are ahead of you.")
CLAIM_OR_GIVE = (
    "The others can go on without them (Claim) or give them {days} more days. "
    "Otherwise they are out automatically {lapse}."
)
CLAIM = "The others can go on without them (Claim). Otherwise they are out automatically {lapse}."
OUT_BY_ITSELF = "Time for this move is over: {who} is out automatically {lapse}."
STEP = 10
"""Seconds are told by tens: more is not known."""


def times(sight: Sight) -> list[str]:
    """The lines about deadlines, weekends and absences."""
    return [*deadlines(sight), *weekends(sight), *absences(sight)]


def small(sight: Sight) -> list[str]:
    """The lines in small type under a board: about time, and about seats that were handed on."""
    return [*times(sight), *handed(sight.seated)]


def deadlines(sight: Sight) -> list[str]:
    """Lines with the deadlines of the seats to move, and who ran out of time; none where no clock runs."""
    late, seated = sight.seated.late, sight.seated
    running = [
        player for player in seated.players if player.seat in sight.turn and player.deadline and not player.forfeit_at
    ]
    until = sorted({player.deadline for player in running if player.deadline})
    if not running:
        lines = list[str]()
    elif len(until) == 1 and not late:
        lines = [f"The time for this move ends <t:{until[0]}:R>."]
    else:
        ends = [f"{CHIPS[(player.seat or 1) - 1]} ends <t:{player.deadline}:R>" for player in running]
        lines = [f"Time: {' · '.join(ends)}"]
    if late and not claims.waiting(seated):
        last = max(player.forfeit_at or 0 for player in late)
        return [*lines, f"Everybody ran out of time. Somebody has to move, or the match is called off <t:{last}:R>."]
    return [*lines, *(ran_out(seated, player) for player in late)]


def weekends(sight: Sight) -> list[str]:
    """A line with the seats to move whose running clocks rest at weekends."""
    running = (one for one in sight.seated.players if one.deadline and not one.forfeit_at and one.weekend)
    seats = tuple(one.seat for one in running if one.seat and one.seat in sight.turn)
    return [RESTS.of(len(seats), names=mentions(sight.seated, seats))] if seats else []


def ran_out(seated: LoadedMatch, player: Player) -> str:
    """The sentences about somebody who ran out of time, and what others can do."""
    others, days, lapse = claims.waiting(seated), claims.EXTRA_DAYS, f"<t:{player.forfeit_at}:R>"
    if player.gone:
        return OUT_BY_ITSELF.format(who=mention(seated, player.seat or 1), lapse=lapse)
    out = f"{mention(seated, player.seat or 1)} ran out of time <t:{player.deadline}:R>, but can still move."
    if len(others) == 1 and len(seated.players) == 2:
        other = mention(seated, others[0].seat or 1)
        return (
            f"{out} {other} can claim the match or give {days} more days. Otherwise {other} wins automatically {lapse}."
        )
    then = CLAIM_OR_GIVE if claims.may_give(seated, player) else CLAIM
    return sentences(out, then.format(days=days, lapse=lapse))


def claiming(seated: LoadedMatch, player: Player, ends: bool) -> str:
    """The question before somebody claims a match."""
    who = person(player.user)
    why = f"{who} has left this server." if player.gone else f"{who} ran out of time <t:{player.deadline}:R>."
    claim = f"Claim match {seated.id}? {why}"
    becomes = "You win, and you can't undo it." if ends else f"The match goes on without {who}, and you can't undo it."
    return f"{claim} {becomes}\n-# {seated.game.title} · {seated.link}"


def absences(sight: Sight) -> list[str]:
    """Lines with all players who are away, since others plan with that before their turn."""
    seated, out = sight.seated, sight.match.withdrawn
    seats = [(seated.seat_of(user), ends) for user, ends in seated.away if sight.turn]
    return [f"{mention(seated, seat)} is away until <t:{ends}:D>." for seat, ends in seats if seat and seat not in out]


def lasting(seconds: int) -> str:
    """A duration in its largest unit: "3 days", "5 hours", "1 minute"."""
    unit, told = next((one for one in UNITS if seconds >= one[0]), UNITS[-1])
    return told.of(max(1, round(seconds / unit)))


def waits(others: int, seconds: float, then: str) -> str:
    """That others are before somebody, and what is `then` done: "The computer moves here in about {time}."."""
    before = AHEAD.of(others) if others else "I'm working on your other questions first."
    return sentences(before, then.format(time=about(seconds)))


def about(seconds: float) -> str:
    """A time in words, roughly."""
    if seconds < 2 * MINUTE:
        return f"{max(STEP, STEP * round(seconds / STEP))} seconds"
    return f"{round(seconds / MINUTE)} minutes"
