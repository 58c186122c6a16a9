"""The referee of time: knows what every clock must have had left from what happened alone, and judges all that the bot
does and writes down about clocks.

The rules are those that players know, in seconds; nothing of how the bot keeps them is known here. What is found is a
sentence with its moment: a deadline missed or claimed early, a reminder at night, twice, after the move or for a player
who rests, a clock that runs when it should not, a thing done twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.world.hours import Hours, midnight

HOUR, DAY = 3600, 86_400
GIFT = 3 * DAY
"""The seconds that a player is given, has until they leave by themselves, or gets with a pause."""
PACES = {"none": None, "bank": 10, **{str(days): days for days in (1, 2, 3, 5, 7, 14)}}
"""The days that a player has at first."""
LONGEST, A_YEAR = 14 * DAY, 30 * DAY
"""How long a player may be away at a time, and in a year."""
RESTART, NOTED = 90, 70
"""Seconds that are no outage; and the longest from one note of the bot that it is there to the next."""
STEP = 60
"""Seconds within which the bot sees what is due."""
PATIENCE = 2 * HOUR
"""Seconds within which a reminder comes that Discord did not take at once."""
UNDER_WAY = 30
"""Seconds that a reminder may be under way; none is sent that would come by night then."""
ALONG = HOUR
"""Seconds by which a reminder may come early in a message that reminds of several matches."""
LEAVING = ("resign", "timeout")
WORDS = (*LEAVING, "takeback", "draw")
"""Lines of a record that are no moves."""


class Written(NamedTuple):
    """What the bot has written about a clock."""

    user: int
    left: int | None
    since: int | None
    deadline: int | None
    lapse: int | None


@dataclass
class Watch:
    """One player's clock in one match: what is left of `allotted` seconds, counted until `since` or, without it,
    standing still. `lapse` is when they leave by themselves, once the bot has asked the others what to do; `told` when
    it reminded in this turn; `undisturbed` while nothing but time has changed it since it started; `weekends` and
    `week` are whether weekends count, and where they are, as it was when it started."""

    guild: int
    user: int
    allotted: int
    left: int
    since: int | None = None
    lapse: int | None = None
    undisturbed: bool = True
    weekends: bool = True
    week: str = "UTC"
    told: list[int] = field(default_factory=list[int])

    def marks(self) -> list[int]:
        """With how many seconds left there is a reminder: half of them, and a day; one, where those are close."""
        half = self.allotted // 2
        if self.allotted <= DAY:
            return [half]
        return [max(half, DAY)] if abs(half - DAY) < DAY / 2 else sorted((half, DAY), reverse=True)


@dataclass
class Table:
    """A match as the referee follows it; `changed` is when anything last happened in it. One that is `parked` has a
    board that Discord refuses."""

    guild: int
    pace: str
    seats: Mapping[int, int]
    turn: tuple[int, ...]
    round: int
    secret: bool
    watches: dict[int, Watch]
    changed: int
    paused: bool = False
    parked: bool = False
    over: bool = False
    left: set[int] = field(default_factory=set[int])

    def still(self) -> list[Watch]:
        """The clocks of those who have not left."""
        return [self.watches[user] for seat, user in self.seats.items() if seat not in self.left]


class TimeReferee:
    """Is told of everything that happens, and when by the clock of the bot's machine."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.counts = Counter[str]()
        self.tables = dict[int, Table]()
        self._hours = dict[tuple[int, int], Hours]()
        self._kinds = dict[tuple[int, int], str]()
        self._digests = dict[int, int]()
        self._refused = set[int]()
        self._gone = 0
        """Until when the bot was there, before it was away."""
        self._up = 0
        """Since when the bot has been there without a break."""

    def _wrong(self, at: int, what: str) -> None:
        self.violations.append(f"{at}: {what}")

    # What clocks must have left.

    def of(self, watch: Watch) -> Hours:
        """The hours of whose clock that is: with the weekends that it started with, if it runs."""
        hours = self._hours.setdefault((watch.guild, watch.user), Hours())
        return hours if watch.since is None else replace(hours, weekends=watch.weekends, week=watch.week)

    def left(self, watch: Watch, at: int) -> int:
        """What is left at a moment; less than nothing is nothing."""
        gone = 0 if watch.since is None else self.of(watch).counted(watch.since, at)
        return max(0, watch.left - gone)

    def due(self, watch: Watch, at: int) -> int:
        """How many reminders are due or behind."""
        return sum(self.left(watch, at) <= mark for mark in watch.marks())

    def deadline(self, watch: Watch) -> int | None:
        """When it runs out; None while it stands still."""
        return None if watch.since is None else self.of(watch).after(watch.since, watch.left)

    def _settle(self, watch: Watch, at: int, run: bool = True) -> None:
        """Count until now what a clock counts, before something changes; then it runs on, or not."""
        if watch.since is not None:
            watch.left, watch.since, watch.undisturbed = self.left(watch, at), at if run else None, False

    # What people choose.

    def chose(self, at: int, guild: int, user: int, zone: str, weekends: bool, reminders: str) -> None:
        """A player's zone, whether their clocks run at weekends, and how they are reminded, in a server."""
        self.counts["preferences"] += 1
        self._digests.pop(user, None)  # where they are now it may be morning again
        hours = self._moved(at, guild, user)
        hours.zone, hours.weekends = zone, weekends
        self._kinds[guild, user] = reminders

    def went(self, at: int, guild: int, user: int, away: Collection[tuple[int, int]]) -> None:
        """A player goes away, for longer, or comes back early: all their absences in a server."""
        hours = self._moved(at, guild, user)
        self.counts["absences"] += len(away) > len(hours.away)
        here = f"user {user} is away"
        for begin, end in set(away) - set(hours.away):
            self.counts["came back early"] += end == at
            most = end - begin == LONGEST or used(away, end) == A_YEAR
            if end != at and end + 1 != midnight(hours.zone, hours.date(end + 1)) and not most:
                self._wrong(at, f"{here} until {end}, which is the end of no day")
            if end - begin > LONGEST or used(away, end) > A_YEAR:
                self._wrong(at, f"{here} for longer than is allowed")
        hours.away = list(away)

    def _moved(self, at: int, guild: int, user: int) -> Hours:
        """A player's hours change from now on: what has been counted by the old ones stays."""
        for table in self.tables.values():
            watch = table.watches.get(user)
            if table.guild == guild and watch and not table.over and watch.lapse is None:
                self._settle(watch, at)
        return self._hours.setdefault((guild, user), Hours())

    # What happens in a match.

    def began(
        self, at: int, match: int, guild: int, pace: str, seats: Mapping[int, int], turn: tuple[int, ...],
        round_: int = 1, secret: bool = False,
    ) -> None:  # fmt: skip
        """A match begins; who sits where."""
        self.counts["matches"] += 1
        days = PACES[pace]
        made = {user: Watch(guild, user, days * DAY, days * DAY) for user in seats.values()} if days else {}
        self.tables[match] = Table(guild, pace, seats, turn, round_, secret, made, at)

    def shown(self, at: int, match: int, users: Collection[int] | None = None) -> None:
        """The board, as the match stands, is in the channel, and the bot has written down that it is; or, where Discord
        refuses the board, some `users` are told of it elsewhere."""
        table = self.tables[match]
        table.parked = users is not None
        for user in () if table.over or table.paused else (table.seats[seat] for seat in table.turn):
            watch = table.watches.get(user)
            if watch and (users is None or user in users) and watch.since is None and watch.lapse is None:
                hours = self.of(watch)
                watch.since, watch.undisturbed = at, True
                watch.weekends, watch.week = hours.weekends, hours.zone

    def acted(
        self, at: int, match: int, seat: int, text: str, turn: tuple[int, ...], *, round_: int = 1, over: bool = False,
        claimed: bool = False,
    ) -> None:  # fmt: skip
        """A line was added to the record; who is to move then. `claimed`: a player may have asked for it."""
        table, kind = self.tables[match], text if text in WORDS else "move"
        self.counts[f"{kind}s"] += 1
        here = f"match {match}, seat {seat}"
        if kind in LEAVING and seat in table.left:
            self._wrong(at, f"{here} left twice")
        if kind == "timeout":
            self._timed_out(at, table, seat, claimed, here)
        if kind == "move" and seat not in table.turn:
            self._wrong(at, f"{here} moved out of turn")
        if kind == "move":
            self._neglected(at, table, seat, here)
        if kind in LEAVING:
            table.left.add(seat)
        if not over and table.watches:
            self._turned(at, table, seat, kind, turn, again=round_ != table.round)
        table.turn, table.round, table.changed = turn, round_, at
        if over:
            self._over(table)

    def _turned(self, at: int, table: Table, seat: int, kind: str, turn: tuple[int, ...], again: bool) -> None:
        """A turn ends with the move, or when it is another player's; a takeback gives back the time of nobody else."""
        for other, user in table.seats.items():
            watch, was, now = table.watches[user], other in table.turn, other in turn
            mine = kind == "move" and other == seat and not table.secret
            ends = was and (again or mine or not now or kind == "takeback")
            if ends and kind == "takeback":
                # Whose turn is taken from them with a move that was taken back has not used it up: it is whole again.
                watch.left, watch.since, watch.lapse = watch.allotted, None, None
            elif ends:
                days = PACES[table.pace]
                assert days is not None
                bank = min(self.left(watch, at) + DAY, 10 * DAY)
                watch.left, watch.since, watch.lapse = bank if table.pace == "bank" else days * DAY, None, None
            if now and (ends or again or not was):
                watch.allotted, watch.told = watch.left, []

    def _timed_out(self, at: int, table: Table, seat: int, claimed: bool, here: str) -> None:
        """Nobody is timed out before their time, or while their clock does not run."""
        watch = table.watches.get(table.seats[seat])
        deadline = self.deadline(watch) if watch else None
        if watch is None or deadline is None or seat not in table.turn or table.paused:
            self._wrong(at, f"{here} was timed out without a clock that runs")
        elif watch.lapse is None:
            self._wrong(at, f"{here} was timed out {max(0, deadline - at)} s early, and nobody had been asked")
        elif not claimed and at < watch.lapse:
            self._wrong(at, f"{here} left by itself {watch.lapse - at} s early")
        elif at >= watch.lapse:
            self.counts["left by themselves"] += 1

    def _neglected(self, at: int, table: Table, seat: int, here: str) -> None:
        """The player who moves has been reminded as they wanted, if nothing but time had changed their clock."""
        watch = table.watches.get(table.seats[seat])
        deadline = self.deadline(watch) if watch else None
        kind = self._kinds.get((table.guild, table.seats[seat]))
        if watch is None or watch.since is None or deadline is None or not watch.undisturbed or len(watch.told) > 1:
            return
        if kind not in ("thread", "message") or watch.lapse is not None:
            return
        hours = self.of(watch)
        due = {arrives(hours, hours.after(watch.since, watch.left - mark)) for mark in watch.marks()}
        missed = sum(moment + PATIENCE < min(at, deadline) for moment in due)
        if missed > len(watch.told):
            self._wrong(at, f"{here} was reminded {len(watch.told)} times of {missed}")
        self.counts["turns with reminders compared"] += bool(missed)

    def ended(self, match: int) -> None:
        """A match was called off."""
        self._over(self.tables[match])

    def _over(self, table: Table) -> None:
        table.over, table.turn = True, ()
        for watch in table.watches.values():
            watch.since = watch.lapse = None

    def paused(self, at: int, match: int, on: bool) -> None:
        """All have agreed to a pause; or, where it is not `on`, to go on."""
        self.counts["pauses" if on else "pauses ended"] += 1
        table = self.tables[match]
        table.paused, table.changed = on, at
        for watch in table.watches.values() if on else ():
            running = watch.since is not None
            self._settle(watch, at, run=False)
            watch.lapse = None
            if running and not watch.left:
                # Who agrees to a pause with a player who ran out of time gives it to them.
                watch.left, watch.allotted, watch.told = GIFT, GIFT, []

    # Out of time.

    def asked(self, at: int, match: int, user: int) -> None:
        """The bot has seen that a player ran out of time, and has asked the others."""
        self.counts["run out"] += 1
        table = self.tables[match]
        watch, here = table.watches[user], f"match {match}: user {user}"
        deadline = self.deadline(watch)
        if deadline is None:
            self._wrong(at, f"{here} was said to be out of time without a clock that runs")
        elif at < deadline:
            self._wrong(at, f"{here} was said to be out of time {deadline - at} s early")
        elif watch.lapse is not None:
            self._wrong(at, f"{here} was said to be out of time twice")
        elif at - max(deadline, self._up) > STEP:
            self._wrong(at, f"{here} was said to be out of time {at - deadline} s late")
        watch.lapse = at + GIFT
        if all(other.lapse is not None for other in table.still()):
            # Nobody is left to wait: they have until the last of them leaves.
            for other in table.still():
                other.lapse = at + GIFT

    def gave(self, at: int, match: int, user: int) -> None:
        """The others gave a player three days more."""
        self.counts["gifts"] += 1
        watch = self.tables[match].watches[user]
        if watch.lapse is None:
            self._wrong(at, f"match {match}: a gift to user {user}, who has time")
        watch.left = watch.allotted = GIFT
        watch.since, watch.lapse, watch.told = None, None, []

    # Reminders.

    def refused(self, user: int) -> None:
        """Discord has handed a player no direct message: they are to be reminded, once, in a thread instead."""
        self.counts["direct messages refused"] += 1
        self._refused.add(user)

    def reminded(self, at: int, user: int, kind: str, matches: Collection[int]) -> None:
        """A player reads a reminder: by "thread", "message" or "digest", and of which matches."""
        self.counts[f"reminders by {kind}"] += 1
        if kind == "digest":
            self._digested(at, user, matches)
        says_so = user in self._refused and kind == "thread"
        for match in matches if kind != "digest" else ():
            table, along = self.tables[match], ALONG if len(matches) > 1 else 0
            watch = table.watches.get(user)
            if not says_so:
                self._judge(at, f"match {match}: user {user} was reminded", table, watch, along)
            if watch and self.due(watch, at + along) > len(watch.told):
                watch.told.append(at)
        if says_so:
            self._refused.discard(user)  # this one says that direct messages are refused, whether one is due or not

    def _judge(self, at: int, here: str, table: Table, watch: Watch | None, along: int) -> None:
        if watch is None or watch.since is None or table.over or table.paused:
            if at - table.changed > UNDER_WAY:
                self._wrong(at, f"{here} without a clock that runs")
            return
        left, due = self.left(watch, at), self.due(watch, at + along)
        if self.of(watch).resting(at):
            self._wrong(at, f"{here} while they rest")
        elif self.of(watch).asleep(at):
            self._wrong(at, f"{here} at night")
        elif not left:
            self._wrong(at, f"{here} with no time left")
        elif due <= len(watch.told):
            self._wrong(at, f"{here} {'twice' if watch.told else 'early'}, with {left} s left")

    def _digested(self, at: int, user: int, matches: Iterable[int]) -> None:
        """One a day, by the morning of where they are, and of nothing that does not wait for them."""
        hours = [of for (_, other), of in self._hours.items() if user == other]
        here, last = f"user {user} had a digest", self._digests.get(user)
        if all(one.asleep(at) for one in hours):
            self._wrong(at, f"{here} at night")
        if last is not None and all(one.date(last) == one.date(at) for one in hours):
            self._wrong(at, f"{here} twice on one day")
        self._digests[user] = at
        for match in matches:
            table = self.tables.get(match)
            waits = table and not table.over and user in [table.seats[seat] for seat in table.turn]
            if table and not waits and at - table.changed > UNDER_WAY:
                self._wrong(at, f"{here} of match {match}, which does not wait for them")

    # When the bot is not there.

    def gone(self, at: int) -> None:
        """From now on the bot, or Discord, is not there."""
        self._gone = at

    def back(self, at: int) -> None:
        """The bot is there again, and has looked."""
        self._up = at

    def slept(self, at: int, since: int) -> None:
        """The bot gives back the time from a moment on until now. Nobody loses a second for what it was not there."""
        self.counts["outages"] += 1
        self._up = at
        if at - since > RESTART + NOTED and since != self._gone:
            self._wrong(at, f"{at - since} s are given back, and the bot was there")
        running = [watch for table in self.tables.values() if not table.over for watch in table.watches.values()]
        for watch in running:
            if watch.lapse is not None:
                watch.lapse += at - since
            elif watch.since is not None:
                watch.left, watch.since = self.left(watch, max(since, watch.since)), max(at, watch.since)
                watch.undisturbed = False

    # What the bot has written down.

    def compare(self, at: int, match: int, written: Iterable[Written]) -> None:
        """Compare what is written about the clocks of a match with what it must be."""
        table = self.tables[match]
        for one in written if not table.over else ():
            watch = table.watches.get(one.user)
            if watch is not None:
                self._compare(at, f"match {match}: the clock of user {one.user}", watch, one)

    def _compare(self, at: int, here: str, watch: Watch, one: Written) -> None:
        self.counts["clocks compared"] += 1
        deadline = self.deadline(watch)
        if deadline is None and one.deadline is not None:
            self._wrong(at, f"{here} runs, and should stand still")
        elif deadline is not None and one.deadline is None:
            self._wrong(at, f"{here} stands still, and should run")
        elif deadline != one.deadline:
            assert deadline is not None and one.deadline is not None
            if max(deadline, one.deadline) > at:
                self._wrong(at, f"{here} has {one.deadline - deadline:+d} s")
        elif deadline is None and one.left != watch.left:
            self._wrong(at, f"{here} stands still with {(one.left or 0) - watch.left:+d} s")

    def overdue(self, at: int) -> None:
        """The bot has looked: nobody is out of time of whom it has not been said, or should have left; and no match
        waits for nobody whose clock runs."""
        for match, table in self.tables.items():
            if not table.over and not table.paused and table.watches:
                self._overdue(at, match, table)

    def _overdue(self, at: int, match: int, table: Table) -> None:
        runs = any(table.watches[table.seats[seat]].since for seat in table.turn)
        if not runs and not table.parked and at - table.changed > PATIENCE:
            self._wrong(at, f"match {match} waits for nobody whose clock runs")
        waiting = any(watch.lapse is None for watch in table.still())
        last = max((watch.lapse or 0 for watch in table.still()), default=0)
        for watch in table.still():
            deadline = self.deadline(watch)
            if deadline is None:
                continue
            due = deadline if watch.lapse is None else watch.lapse if waiting else last
            if at - max(due, self._up) > STEP:
                what = "ran out of time" if watch.lapse is None else "should have left"
                self._wrong(at, f"match {match}: user {watch.user} {what} {at - due} s ago, and nothing was done")


def used(away: Iterable[tuple[int, int]], until: int) -> int:
    """How many seconds of the year until a moment somebody is away."""
    return sum(max(0, min(end, until) - max(begin, until - 365 * DAY)) for begin, end in away)


def arrives(hours: Hours, due: int) -> int:
    """The first moment by which a reminder can be there: one that is due a moment before the night, and that the bot
    may find only at its next look, waits for the morning."""
    at = hours.awake(due)
    there = at + STEP + UNDER_WAY
    return at if hours.awake(there) == there else hours.awake(there)
