"""Words the time left in a match: deadlines, players who ran out of time and what follows, and absences.

Deadlines depend on nothing secret, so everybody may read all of it. Pure text, no Discord.
"""

from __future__ import annotations

from bot.client.text.match_text import CHIPS, handed, mention
from bot.core.match.clocks import DAY, HOUR
from bot.core.match.loaded_match import LoadedMatch, Sight, person
from bot.core.match.stored import Player
from bot.service.rules import claims

UNITS = ((DAY, "day"), (HOUR, "hour"), (60, "minute"))


def times(sight: Sight) -> list[str]:
    """The lines about deadlines and absences."""
    return [*deadlines(sight), *absences(sight)]


def small(sight: Sight) -> list[str]:
    """The lines in small type under a board: about time, and about seats that were handed on."""
    return [*times(sight), *handed(sight.seated)]


def deadlines(sight: Sight) -> list[str]:
    """Lines with the deadlines of the seats to move, and who ran out of time; none where no clock runs."""
    late, seated = sight.seated.late, sight.seated
    running = [
        player for player in seated.players if player.seat in sight.turn and player.deadline and not player.lapse
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
        last = max(player.lapse or 0 for player in late)
        return [*lines, f"Everybody ran out of time. Make a move, otherwise the match is called off <t:{last}:R>."]
    return [*lines, *(ran_out(seated, player) for player in late)]


def ran_out(seated: LoadedMatch, player: Player) -> str:
    """The sentences about somebody who ran out of time, and what others can do."""
    out = f"{mention(seated, player.seat or 1)} ran out of time <t:{player.deadline}:R>, but can still move."
    others, when = claims.waiting(seated), f"automatically <t:{player.lapse}:R>"
    if len(others) == 1 and len(seated.players) == 2:
        other = mention(seated, others[0].seat or 1)
        days = claims.EXTRA_DAYS
        return f"{out} {other} can claim the match or give {days} more days; otherwise {other} wins {when}."
    give = f" or give {claims.EXTRA_DAYS} more days" if claims.may_give(seated, player) else ""
    return f"{out} The others can go on without them (Claim){give}; otherwise they are out {when}."


def claiming(seated: LoadedMatch, player: Player, ends: bool) -> str:
    """The question before somebody claims a match."""
    who = person(player.user)
    claim = f"Claim match {seated.id}? {who} ran out of time <t:{player.deadline}:R>."
    becomes = "You win" if ends else f"The match goes on without {who}"
    return f"{claim} {becomes}, and you can't undo it.\n-# {seated.game.title} · {seated.link}"


def absences(sight: Sight) -> list[str]:
    """Lines with all players who are away, since others plan with that before their turn."""
    seated, out = sight.seated, sight.match.withdrawn
    seats = [(seated.seat_of(user), ends) for user, ends in seated.away if sight.turn]
    return [f"{mention(seated, seat)} is away until <t:{ends}:D>." for seat, ends in seats if seat and seat not in out]


def lasting(seconds: int) -> str:
    """A duration in its largest unit: "3 days", "5 hours", "1 minute"."""
    unit, name = next((one for one in UNITS if seconds >= one[0]), UNITS[-1])
    number = max(1, round(seconds / unit))
    return f"{number} {name}{'s' * (number > 1)}"
