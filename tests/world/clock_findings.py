"""What must hold of time: nobody is reminded twice, out of time too early or too late, or timed out without a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bot.play.claims import CLAIMED_AFTER
from tests.world.findings import Ledger
from tests.world.hours import Hours
from tests.world.player_acts import Told

REMINDER = re.compile(r"([rpg]\d+\.\d+)\.\d+\b")
"""What the nonce of a reminder begins with; what marks the database, and counts repetitions, stands behind that."""
APART = 120
"""Seconds by the bot's clock within which nobody is reminded twice of the same in the same way."""
EARLY = f"""
    select p.match, 'user ' || p.user || ' was out of time ' || (p.deadline - p.forfeit_at + {CLAIMED_AFTER})
           || ' s early'
      from players p where p.forfeit_at - {CLAIMED_AFTER} < p.deadline
    union all
    select id, 'it expired ' || (expires - ended) || ' s early' from matches where state = 'expired' and ended < expires
"""
MISSED = """
    select p.match, 'user ' || p.user || ' was out of time {for_} s ago, and nobody was asked' from players p
      join matches m on m.id = p.match
     where m.state = 'live' and m.paused is null and p.forfeit_at is null and p.deadline < {before}
    union all
    select p.match, 'user ' || p.user || ' should have left {for_} s ago' from players p
      join matches m on m.id = p.match where m.state = 'live' and p.forfeit_at < {before}
    union all
    select id, 'the challenge should have expired {for_} s ago' from matches where state = 'open' and expires < {before}
"""
TIMED_OUT = """
    select v.match, p.user, v.at from moves v join players p on p.match = v.match and p.seat = v.seat
     where v.text = 'timeout'
"""
TWICE_OUT = """
    select match, 'seat ' || seat || ' timed out ' || count(*) || ' times' from moves where text = 'timeout'
     group by match, seat having count(*) > 1
"""
RUNNING = """
    select p.match, p.user, m.guild, p.allotted, p.seconds_left, p.since, p.deadline, p.weekend from players p
      join matches m on m.id = p.match
     where m.state = 'live' and m.paused is null and p.since is not null and p.forfeit_at is null
"""
NEXT = """
    select min(at) from (
        select min(deadline) as at from players where deadline is not null and forfeit_at is null
        union all select min(forfeit_at) from players where forfeit_at is not null
        union all select min(next_reminder_at) from players where next_reminder_at is not null
        union all select min(digest) from preferences where digest is not null
        union all select min(expires) from matches where state = 'open')
     where at > {now}
"""


class Clocks:
    """Follows the clocks of all matches in the database, and the reminders in the channels."""

    def __init__(self, ledger: Ledger, now: Callable[[], float]) -> None:
        self.ledger = ledger
        self.now = now
        self.reminders = 0
        self._reminded: dict[str, float] = {}
        self._twice: list[str] = []
        self._lapses: dict[tuple[int, int], int] = {}

    def heard(self, event: str, data: dict[str, Any]) -> None:
        """A message was posted; a reminder is known by its nonce."""
        found = REMINDER.match(str(data.get("nonce") or ""))
        if event != "MESSAGE_CREATE" or not found:
            return
        self.reminders += 1
        now, before = self.now(), self._reminded.get(found[1])
        if before is not None and now - before < APART:
            self._twice.append(f"reminder {found[1]} came again after {now - before:.0f} s")
        self._reminded[found[1]] = now

    def twice(self) -> list[str]:
        """Who was reminded or timed out twice."""
        return [*self._twice, *self._said(TWICE_OUT)]

    def early(self, tried: Iterable[Told]) -> Iterator[str]:
        """Who was out of time, or left, too early; and challenges that expired too early."""
        yield from self._said(EARLY)
        for match, user, lapse in self.ledger.ask(
            "select match, user, forfeit_at from players where forfeit_at is not null"
        ):
            self._lapses[match, user] = min(lapse, self._lapses.get((match, user), lapse))
        claimed = {one.match for one in tried if one.what.startswith("claim")}
        for match, user, at in self.ledger.ask(TIMED_OUT):
            lapse = self._lapses.get((match, user))
            if match not in claimed and (lapse is None or at < lapse):
                yield f"match {match}: user {user} left by themselves at {at}, and was to have time until {lapse}"

    def miscounted(self) -> Iterator[str]:
        """Clocks that run out at another second than they must, by the arithmetic of the year's referee, from what was
        left when they were last looked at, the weekends that they stand still at, and when their player is away; and
        clocks with more left than their player was given."""
        absences = self.ledger.ask('select guild, "user", begins, ends from away')
        for match, user, guild, allotted, left, since, deadline, weekend in self.ledger.ask(RUNNING):
            away = [(begins, ends) for *where, begins, ends in absences if where == [guild, user]]
            due = Hours(weekend or "UTC", weekend is None, away).after(since, left)
            if deadline != due:
                yield f"match {match}: the clock of user {user} runs out at {deadline}, and should at {due}"
            if left > allotted:
                yield f"match {match}: the clock of user {user} has {left - allotted} s more than they were given"

    def missed(self, before: int) -> list[str]:
        """What was due before a moment, and was not done."""
        return self._said(MISSED.format(before=before, for_=int(self.now()) - before))

    def next(self) -> int | None:
        """When anything is due that is not due yet."""
        found = self.ledger.ask(NEXT.format(now=int(self.now())))
        return found[0][0] if found else None

    def thinking(self) -> list[str]:
        """Matches in which a computer is to move."""
        asked = "select id from matches where thinks is not null and paused is null"
        return [f"match {match}: the computer does not move" for (match,) in self.ledger.ask(asked)]

    def _said(self, query: str) -> list[str]:
        return [f"match {match}: {what}" for match, what in self.ledger.ask(query)]
