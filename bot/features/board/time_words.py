"""The time left in a match, in sentences: deadlines, players who ran out of time and what follows, absences."""

from __future__ import annotations

from bot.features.board.words import CHIPS, IN_MATCH, WITH_MATCH, describe_handovers, format_mention, format_mentions
from bot.games.wording import Plural, join_sentences
from bot.play import claims
from bot.play.clocks import DAY, HOUR
from bot.play.loaded_match import LoadedMatch, MatchView, mention_user
from bot.play.rows import Player

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
"""Seconds are rounded to tens: more is not known."""


def list_times(sight: MatchView) -> list[str]:
    """The lines about deadlines, weekends and absences."""
    return [*list_deadlines(sight), *list_weekends(sight), *list_absences(sight)]


def list_small_lines(sight: MatchView, with_match: bool = False) -> list[str]:
    """The lines in small type under a board: about time, and about handovers; `with_match`, also its number, where the
    headline has none."""
    times, number = list_times(sight), sight.loaded.id
    if with_match and number:
        said = WITH_MATCH.format(line=times[0], match=number) if times else IN_MATCH.format(match=number)
        times = [said, *times[1:]]
    return [*times, *describe_handovers(sight.loaded)]


def list_deadlines(sight: MatchView) -> list[str]:
    """Lines with the deadlines of the seats to move, and who ran out of time; none where no clock runs."""
    late, loaded = sight.loaded.late_players, sight.loaded
    running = [
        player for player in loaded.players if player.seat in sight.turn and player.deadline and not player.forfeit_at
    ]
    until = sorted({player.deadline for player in running if player.deadline})
    if not running:
        lines = list[str]()
    elif len(until) == 1 and not late:
        lines = [f"Time is up <t:{until[0]}:R>."]
    else:
        ends = [f"{CHIPS[(player.seat or 1) - 1]} ends <t:{player.deadline}:R>" for player in running]
        lines = [f"Time: {' · '.join(ends)}"]
    if late and not claims.list_waiting_players(loaded):
        last = max(player.forfeit_at or 0 for player in late)
        return [*lines, f"Everybody ran out of time. Somebody has to move, or the match is called off <t:{last}:R>."]
    return [*lines, *(describe_timeout(loaded, player) for player in late)]


def list_weekends(sight: MatchView) -> list[str]:
    """A line with the seats to move whose running clocks rest at weekends."""
    running = (one for one in sight.loaded.players if one.deadline and not one.forfeit_at and one.weekend)
    seats = tuple(one.seat for one in running if one.seat and one.seat in sight.turn)
    return [RESTS.fill_in(len(seats), names=format_mentions(sight.loaded, seats))] if seats else []


def describe_timeout(loaded: LoadedMatch, player: Player) -> str:
    """The sentences about a player who ran out of time, and what others can do."""
    others, days, lapse = claims.list_waiting_players(loaded), claims.EXTRA_DAYS, f"<t:{player.forfeit_at}:R>"
    if player.gone:
        return OUT_BY_ITSELF.format(who=format_mention(loaded, player.seat or 1), lapse=lapse)
    out = f"{format_mention(loaded, player.seat or 1)} ran out of time <t:{player.deadline}:R>, but can still move."
    if len(others) == 1 and len(loaded.players) == 2:
        other = format_mention(loaded, others[0].seat or 1)
        return (
            f"{out} {other} can claim the match or give {days} more days. Otherwise {other} wins automatically {lapse}."
        )
    then = CLAIM_OR_GIVE if claims.may_give(loaded, player) else CLAIM
    return join_sentences(out, then.format(days=days, lapse=lapse))


def format_claim_question(loaded: LoadedMatch, player: Player, ends: bool) -> str:
    who = mention_user(player.user)
    why = f"{who} has left this server." if player.gone else f"{who} ran out of time <t:{player.deadline}:R>."
    claim = f"Claim match {loaded.id}? {why}"
    becomes = "You win, and you can't undo it." if ends else f"The match goes on without {who}, and you can't undo it."
    return f"{claim} {becomes}\n-# {loaded.game.title} · {loaded.link}"


def list_absences(sight: MatchView) -> list[str]:
    """Lines with all players who are away, since others plan with that before their turn."""
    loaded, out = sight.loaded, sight.match.withdrawn_seats
    seats = [(loaded.seat_of(user), ends) for user, ends in loaded.away if sight.turn]
    return [
        f"{format_mention(loaded, seat)} is away until <t:{ends}:D>."
        for seat, ends in seats
        if seat and seat not in out
    ]


def format_duration(seconds: int) -> str:
    """A duration in its largest unit: "3 days", "5 hours", "1 minute"."""
    unit, told = next((one for one in UNITS if seconds >= one[0]), UNITS[-1])
    return told.fill_in(max(1, round(seconds / unit)))


def describe_wait(others: int, seconds: float, then: str) -> str:
    """That others come first, and what is `then` done: "The computer moves here in about {time}."."""
    before = AHEAD.fill_in(others) if others else "I'm working on your other questions first."
    return join_sentences(before, then.format(time=format_seconds(seconds)))


def format_seconds(seconds: float) -> str:
    """Approximate seconds in words."""
    if seconds < 2 * MINUTE:
        return f"{max(STEP, STEP * round(seconds / STEP))} seconds"
    return f"{round(seconds / MINUTE)} minutes"
