"""The referee: judges every line of the journal by what all clocks must have had left just before it, and compares what
the bot has written down with what must be.

What is found is a sentence with its moment: a deadline missed or claimed early, a reminder at night, twice, after the
move or for a player who rests, a clock that runs when it should not, a thing done twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import singledispatchmethod
from typing import NamedTuple

from tests.year import journal
from tests.year.hours import Hours
from tests.year.journal import Event
from tests.year.watches import DAY, Clocks, Table, Watch, kind_of

NAMES: dict[type[Event], str] = {
    journal.Began: "matches",
    journal.Ended: "called off",
    journal.Shown: "boards",
    journal.Looked: "looks",
}


PATIENCE = 2 * 3600
"""Seconds within which a reminder comes that Discord did not take at once."""


UNDER_WAY = 30
"""Seconds that a reminder may be under way; none is sent that would come by night then."""


ALONG = 3600
"""Seconds by which a reminder may come early in a message that reminds of several matches."""


class Written(NamedTuple):
    """What the bot has written about a clock."""

    user: int
    left: int | None
    since: int | None
    deadline: int | None
    lapse: int | None


class Referee:
    """Follows a year. `step`: how many seconds there are from one look of the timer to the next."""

    def __init__(self, step: int) -> None:
        self.step = step
        self.clocks = Clocks()
        self.counts: Counter[str] = Counter()
        self.latest: Counter[str] = Counter()
        """By how many seconds the bot was late at most, by kind."""
        self.violations: list[str] = []
        self.digests: dict[int, int] = {}
        self.refused: set[int] = set()
        self.up = 0
        """Since when the bot has been there without a break."""

    def note(self, event: Event) -> None:
        """Judge a line of the journal, and follow it."""
        self.record_try(event)
        self.clocks.note(event)

    def wrong(self, at: int, what: str) -> None:
        """Note a violation."""
        self.violations.append(f"{at}: {what}")

    def late(self, kind: str, at: int, due: int, most: int | None = None) -> None:
        """The bot did at a moment what was due before; while it was not there it could not."""
        seconds = at - max(due, self.up)
        self.latest[kind] = max(self.latest[kind], seconds)
        if seconds > (self.step if most is None else most):
            self.wrong(at, f"{kind} {seconds} s late")

    @singledispatchmethod
    def record_try(self, event: Event) -> None:
        """What is wrong with a line of the journal."""
        if isinstance(event, journal.Paused):
            self.counts["pauses" if event.on else "pauses ended"] += 1
        else:
            self.counts[NAMES.get(type(event), type(event).__name__.lower())] += 1

    @record_try.register
    def _(self, event: journal.Went) -> None:
        known = self.clocks.hours.get((event.guild, event.user))
        before = known.away if known else []
        begun = {begin for begin, _ in event.away}
        self.counts["absences"] += len(begun) > len(before)
        self.counts["came back early"] += any(end == event.at for _, end in event.away)
        year = sum(
            min(end, event.at) - max(begin, event.at - 365 * DAY)
            for begin, end in event.away
            if end > event.at - 365 * DAY and begin < event.at
        )
        if any(end - begin > 14 * DAY for begin, end in event.away) or year > 30 * DAY:
            self.wrong(event.at, f"user {event.user} is away for longer than is allowed")

    @record_try.register
    def _(self, event: journal.Chose) -> None:
        self.counts["preferences"] += 1
        self.digests.pop(event.user, None)  # where they are now it may be morning again

    @record_try.register
    def _(self, event: journal.Refused) -> None:
        self.counts["direct messages refused"] += 1
        self.refused.add(event.user)

    @record_try.register
    def _(self, event: journal.Slept) -> None:
        self.counts["outages"] += 1
        self.counts["longest outage"] = max(self.counts["longest outage"], event.at - event.since)
        self.up = event.at

    @record_try.register
    def _(self, event: journal.Acted) -> None:
        table, kind = self.clocks.tables[event.match], kind_of(event)
        self.counts[f"{kind}s"] += 1
        here = f"match {event.match}, seat {event.seat}"
        if kind in ("resign", "timeout") and event.seat in table.left:
            self.wrong(event.at, f"{here} left twice")
        if kind == "timeout":
            self._fetch_timeout_end(event, table, here)
        if kind == "move" and event.seat not in table.turn:
            self.wrong(event.at, f"{here} moved out of turn")
        if kind == "move":
            self._neglected(event, table, here)

    def _neglected(self, event: journal.Acted, table: Table, here: str) -> None:
        """The player who moves has been reminded as they wanted, if nothing but time had changed their clock."""
        watch = table.watches.get(table.seats[event.seat])
        deadline = self.clocks.deadline(watch) if watch else None
        kind = self.clocks.kinds.get((table.guild, table.seats[event.seat]))
        if watch is None or watch.since is None or deadline is None or not watch.undisturbed or len(watch.told) > 1:
            return
        if kind not in ("thread", "message") or watch.lapse is not None:
            return
        hours = self.clocks.of(watch)
        due = {self._arrives(hours, hours.after(watch.since, watch.left - mark)) for mark in watch.marks()}
        missed = sum(moment + PATIENCE < min(event.at, deadline) for moment in due)
        if missed > len(watch.told):
            self.wrong(event.at, f"{here} was reminded {len(watch.told)} times of {missed}")
        self.counts["turns with reminders compared"] += bool(missed)

    def _arrives(self, hours: Hours, due: int) -> int:
        """The first moment by which a reminder can be there: one that is due a moment before the night, and that the
        bot may find only at its next look, waits for the morning."""
        at = hours.awake(due)
        there = at + self.step + UNDER_WAY
        return at if hours.awake(there) == there else hours.awake(there)

    def _fetch_timeout_end(self, event: journal.Acted, table: Table, here: str) -> None:
        """Nobody is timed out before their time, or while their clock does not run."""
        watch = table.watches.get(table.seats[event.seat])
        deadline = self.clocks.deadline(watch) if watch else None
        if watch is None or deadline is None or event.seat not in table.turn or table.paused:
            return self.wrong(event.at, f"{here} was timed out without a clock that runs")
        self.counts["claimed" if event.by else "claimed by itself"] += 1
        if watch.lapse is None:
            self.wrong(
                event.at, f"{here} was timed out {max(0, deadline - event.at)} s early, and nobody had been asked"
            )
        elif not event.by and event.at < watch.lapse:
            self.wrong(event.at, f"{here} left by itself {watch.lapse - event.at} s early")
        return None

    @record_try.register
    def _(self, event: journal.Asked) -> None:
        self.counts["run out"] += 1
        watch = self.clocks.tables[event.match].watches[event.user]
        deadline = self.clocks.deadline(watch)
        here = f"match {event.match}: user {event.user}"
        if deadline is None:
            self.wrong(event.at, f"{here} was said to be out of time without a clock that runs")
        elif event.at < deadline:
            self.wrong(event.at, f"{here} was said to be out of time {deadline - event.at} s early")
        elif watch.lapse is not None:
            self.wrong(event.at, f"{here} was said to be out of time twice")
        else:
            self.late("deadline", event.at, deadline)

    @record_try.register
    def _(self, event: journal.Gave) -> None:
        self.counts["gifts"] += 1
        watch = self.clocks.tables[event.match].watches[event.user]
        if watch.lapse is None:
            self.wrong(event.at, f"match {event.match}: a gift to user {event.user}, who has time")

    @record_try.register
    def _(self, event: journal.Reminded) -> None:
        self.counts[f"reminders by {event.kind}"] += 1
        here = f"user {event.user} was reminded"
        hours = [of for (_, user), of in self.clocks.hours.items() if user == event.user]
        if event.kind == "digest":
            self._digested(event, hours)
        for match in event.matches if event.kind != "digest" else ():
            self._reminded(event, match, f"match {match}: {here}")

    def _digested(self, event: journal.Reminded, hours: list[Hours]) -> None:
        """One a day, by the morning of where they are, and of nothing that does not wait for them."""
        here, last = f"user {event.user} had a digest", self.digests.get(event.user)
        if all(one.asleep(event.at) for one in hours):
            self.wrong(event.at, f"{here} at night")
        if last is not None and all(one.date(last) == one.date(event.at) for one in hours):
            self.wrong(event.at, f"{here} twice on one day")
        self.digests[event.user] = event.at
        for match in event.matches:
            table = self.clocks.tables.get(match)
            if table and (table.over or event.user not in [table.seats[seat] for seat in table.turn]):
                self.wrong(event.at, f"{here} of match {match}, which does not wait for them")

    def _reminded(self, event: journal.Reminded, match: int, here: str) -> None:
        table = self.clocks.tables[match]
        watch = table.watches.get(event.user)
        if watch is None or watch.since is None or table.over or table.paused:
            return self.wrong(event.at, f"{here} without a clock that runs")
        if self.clocks.of(watch).resting(event.at):
            return self.wrong(event.at, f"{here} while they rest")
        if self.clocks.of(watch).asleep(event.at):
            return self.wrong(event.at, f"{here} at night")
        left = self.clocks.left(watch, event.at)
        along = ALONG if len(event.matches) > 1 else 0
        due = self.clocks.due(watch, event.at + along)
        if not left:
            self.wrong(event.at, f"{here} with no time left")
        elif due <= len(watch.told) and event.user in self.refused:
            self.refused.discard(event.user)  # this one says that direct messages are refused
        elif due <= len(watch.told):
            self.wrong(event.at, f"{here} {'twice' if watch.told else 'early'}, with {left} s left")
        return None

    # What the bot has written down.

    def compare(self, at: int, match: int, written: Iterable[Written]) -> None:
        """Compare what is written about the clocks of a match with what it must be."""
        table = self.clocks.tables[match]
        for one in written if not table.over else ():
            watch = table.watches.get(one.user)
            if watch is not None:
                self._compare(at, f"match {match}: the clock of user {one.user}", watch, one)

    def _compare(self, at: int, here: str, watch: Watch, one: Written) -> None:
        self.counts["clocks compared"] += 1
        deadline = self.clocks.deadline(watch)
        if deadline is None and one.deadline is not None:
            self.wrong(at, f"{here} runs, and should stand still")
        elif deadline is not None and one.deadline is None:
            self.wrong(at, f"{here} stands still, and should run")
        elif deadline != one.deadline:
            assert deadline is not None and one.deadline is not None
            if max(deadline, one.deadline) > at:
                self.wrong(at, f"{here} has {one.deadline - deadline:+d} s")
        elif deadline is None and one.left != watch.left:
            self.wrong(at, f"{here} stands still with {(one.left or 0) - watch.left:+d} s")

    def overdue(self, at: int) -> None:
        """After a look of the timer nobody is out of time of whom it has not been said, or should have left."""
        for match, table in self.clocks.tables.items():
            if not table.over and not table.paused:
                self._overdue(at, match, table)

    def _overdue(self, at: int, match: int, table: Table) -> None:
        still = [watch for seat, user in table.seats.items() if seat not in table.left
                 for watch in (table.watches.get(user),) if watch]  # fmt: skip
        waiting = any(watch.lapse is None for watch in still)
        last = max((watch.lapse or 0 for watch in still), default=0)
        for watch in still:
            deadline = self.clocks.deadline(watch)
            if deadline is None:
                continue
            due = deadline if watch.lapse is None else watch.lapse if waiting else last
            if at - max(due, self.up) > self.step:
                what = "ran out of time" if watch.lapse is None else "should have left"
                self.wrong(at, f"match {match}: user {watch.user} {what} {at - due} s ago, and nothing was done")

    def figures(self) -> dict[str, int | float]:
        """What was counted."""
        hours = round(self.clocks.given_back / 3600, 1)
        late = {f"largest lateness of a {kind} in seconds": seconds for kind, seconds in self.latest.items()}
        return {**dict(sorted(self.counts.items())), "hours given back": hours, **late}

    def frozen(self) -> list[str]:
        """Matches that are not over and wait for nobody whose clock runs."""
        found: list[str] = []
        for match, table in self.clocks.tables.items():
            if table.over or table.paused or not table.watches:
                continue
            if not any(table.watches[table.seats[seat]].since is not None for seat in table.turn):
                found.append(f"match {match} waits for nobody whose clock runs")
        return found


__all__ = ["Referee", "Written"]
