"""What becomes of a match when somebody's time has run out: pure functions of the match and of the moment.

The others are asked first: to claim it, and the seat leaves the match, or to give more time. After some days it is
claimed by itself. Until then whoever ran out may still move. Where nobody is left to wait for them, as happens where
several are to move at once, the match is called off instead: nobody has won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.core.match.clocks import DAY, STILL
from bot.core.match.loaded_match import Refusal, Seated, person, together
from bot.core.match.stored import Player
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules.decisions import Change, recorded
from bot.service.rules.refusals import NOBODY, Closed, NotYours, expect_live, expect_seat, to_move

CLAIMED_AFTER = 3 * DAY
"""Seconds after which a seat that ran out of time leaves the match by itself."""
EXTRA_TIME = 3 * DAY
"""Seconds that the others can give to a player who ran out of time."""
NOTHING_DUE = "Nobody's time has run out."
ABANDONED = "Everybody ran out of time, and nobody waited: the match was closed, unrated."


def late(seated: Seated) -> tuple[Player, ...]:
    """Those who ran out of time and may be claimed, whoever did so first at the front."""
    out = (player for player in seated.row.players if player.lapse is not None and player.seat in seated.turn)
    return tuple(sorted(out, key=lambda player: (player.deadline or 0, player.seat or 0)))


def due(seated: Seated, now: int) -> tuple[Player, ...]:
    """Those whose time has run out by now, which nobody has been told yet."""
    running = (player for player in seated.row.players if player.deadline is not None and player.lapse is None)
    return tuple(player for player in running if player.seat in seated.turn and (player.deadline or 0) <= now)


def waiting(seated: Seated, gone: Sequence[Player] = ()) -> tuple[Player, ...]:
    """Those people who are still in the match and have not run out of time: who wait for those that have."""
    still = (player for player in seated.players if player.seat not in seated.folded.withdrawn)
    return tuple(
        player for player in still if player.lapse is None and player not in gone and not is_computer(player.user)
    )


def running_out(seated: Seated, now: int) -> Change:
    """The time of some has passed: those who wait are asked what is to become of it. Where all have run out they are
    all told, and leave together."""
    expect_live(seated)
    out = due(seated, now)
    if not out:
        raise Refusal(NOTHING_DUE)
    asked = waiting(seated, out)
    gone = out if asked else (*late(seated), *out)
    columns = {player.user: {"lapse": now + CLAIMED_AFTER, "remind": None} for player in gone}
    return Change(players=columns, tell=users(asked or gone))


def lapsing(seated: Seated, now: int) -> Change:
    """What nobody has claimed is claimed by itself; a match for which nobody waits is called off when the last of its
    players has had that time, unrated."""
    expect_live(seated)
    gone = late(seated)
    over = [player for player in gone if (player.lapse or 0) <= now]
    if not over:
        raise Refusal(NOTHING_DUE)
    if waiting(seated):
        return leaving(seated, over[0], NOBODY)
    last = max(player.lapse or 0 for player in gone)
    if last > now:
        return Change(players={player.user: {"lapse": last} for player in over})
    return Change({"closing": ABANDONED}, ends="aborted", tell=users(gone))


def claiming(seated: Seated, user: UserId, seat: Seat | None) -> Change:
    """Somebody who waits claims the match against a seat that ran out of time, the first to have done so unless one is
    named."""
    expect_waiting(seated, user)
    return leaving(seated, expect_late(seated, seat), user)


def giving(seated: Seated, user: UserId, seat: Seat | None) -> Change:
    """Somebody who waits gives more time; it begins to run when that has been shown."""
    expect_waiting(seated, user)
    player = expect_late(seated, seat)
    if not may_give(seated, player):
        raise Refusal(
            f"{person(player.user)} was given more time for this move already, and where several wait that is done "
            f"once: claim now, or wait until that is done by itself <t:{player.lapse}:R>."
        )
    columns = {**STILL, "allotted": EXTRA_TIME, "left": EXTRA_TIME, "reminded": 0, "gifts": player.gifts + 1}
    return Change(players={player.user: columns}, tell=(player.user,))


def may_give(seated: Seated, player: Player) -> bool:
    """Whether somebody may be given more time: where several wait for them once a turn, or one of those could keep the
    others waiting for ever."""
    return not player.gifts or len(waiting(seated)) == 1


def leaving(seated: Seated, player: Player, user: UserId) -> Change:
    """A seat leaves for want of time; all who are still in the match are told, and whoever leaves it."""
    assert player.seat is not None
    change = recorded(seated, seated.folded.withdraw(player.seat, "timeout"), user)
    left = {**change.players.get(player.user, {}), "consent": False}
    still = (one for one in seated.players if one.seat not in seated.folded.withdrawn)
    tell = change.tell if change.ends else tuple(one.user for one in still if one.user != user)
    return replace(change, players={**change.players, player.user: left}, tell=tell)


def expect_waiting(seated: Seated, user: UserId) -> None:
    """Refuse somebody who does not wait for anybody."""
    seat = expect_seat(seated, user)
    if seat in seated.folded.withdrawn:
        raise NotYours("You have left this match: only those who still play in it can claim it, or give more time.")
    player = seated.row.player(user)
    if player and player in late(seated):
        raise NotYours("Your own time has run out: make your move before somebody claims the match.")


def expect_late(seated: Seated, seat: Seat | None) -> Player:
    """Who ran out of time, on a seat or first of all; or a refusal."""
    out = late(seated)
    found = next((player for player in out if seat in (None, player.seat)), None)
    if found:
        return found
    if seat is not None and seat in seated.folded.withdrawn:
        raise Closed(f"{person(seated.user_at(seat))} has left this match already.")
    if seat is not None and any(player.seat == seat for player in seated.players):
        raise Closed(f"{person(seated.user_at(seat))} has moved, or has been given more time: nothing was changed.")
    until = min((player.deadline for player in seated.players if player.deadline is not None), default=None)
    ends = f", whose time ends <t:{until}:R>" if until is not None and len(seated.turn) == 1 else ""
    raise Closed(f"Nobody's time has run out in this match: {to_move(seated)} is to move{ends}.")


def users(players: Sequence[Player]) -> tuple[UserId, ...]:
    """The people of some seats."""
    return tuple(player.user for player in players)


def who(seated: Seated) -> str:
    """Those who ran out of time, in a sentence."""
    return together([person(player.user) for player in late(seated)])
