"""Computes from the journal alone what every clock must have had left.

The rules are those that players know, in seconds; nothing of how the bot keeps them is known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import singledispatchmethod

from tests.year import journal
from tests.year.hours import Hours
from tests.year.journal import Event

DAY = 86_400
GIFT = 3 * DAY
RESTART = 90
"""Seconds that are no outage."""
PACES = {"none": None, "bank": 10, **{str(days): days for days in (1, 2, 3, 5, 7, 14)}}


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
    """A match as the referee follows it."""

    guild: int
    game: str
    pace: str
    seats: dict[int, int]
    turn: tuple[int, ...]
    round: int
    secret: bool
    watches: dict[int, Watch]
    paused: bool = False
    over: bool = False
    left: set[int] = field(default_factory=set[int])


def kind_of(event: journal.Acted) -> str:
    """A move, or one of the four words of a record."""
    return event.text if event.text in ("resign", "timeout", "takeback", "draw") else "move"


class Clocks:
    """Everybody's clocks, from one line of the journal to the next."""

    def __init__(self) -> None:
        self.tables: dict[int, Table] = {}
        self.hours: dict[tuple[int, int], Hours] = {}
        self.kinds: dict[tuple[int, int], str] = {}
        self.given_back = 0

    # What clocks must have left.

    def of(self, watch: Watch) -> Hours:
        """The hours of whose clock that is: with the weekends that it started with, if it runs."""
        hours = self.hours.setdefault((watch.guild, watch.user), Hours())
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

    def settle(self, watch: Watch, at: int, run: bool = True) -> None:
        """Count until now what a clock counts, before something changes; then it runs on, or not."""
        if watch.since is not None:
            watch.left, watch.since, watch.undisturbed = self.left(watch, at), at if run else None, False

    def spent(self, watch: Watch, at: int, pace: str) -> None:
        """A turn, or a move in it, is over: the time for the next."""
        days = PACES[pace]
        assert days is not None
        watch.left = min(self.left(watch, at) + DAY, 10 * DAY) if pace == "bank" else days * DAY
        watch.since = watch.lapse = None

    # What happens.

    @singledispatchmethod
    def note(self, event: Event) -> None:
        """Follow one line of the journal."""
        raise AssertionError(f"Nobody knows what {event} is.")

    @note.register
    def _(self, event: journal.Chose) -> None:
        self._moved_hours(event.at, event.guild, event.user)
        hours = self.hours.setdefault((event.guild, event.user), Hours())
        hours.zone, hours.weekends = event.zone, event.weekends
        self.kinds[event.guild, event.user] = event.reminders

    @note.register
    def _(self, event: journal.Went) -> None:
        self._moved_hours(event.at, event.guild, event.user)
        hours = self.hours.setdefault((event.guild, event.user), Hours())
        hours.away = list(event.away)

    def _moved_hours(self, at: int, guild: int, user: int) -> None:
        """A player's hours change from now on: what has been counted by the old ones stays."""
        for table in self.tables.values():
            watch = table.watches.get(user)
            if table.guild == guild and watch and not table.over and watch.lapse is None:
                self.settle(watch, at)

    @note.register
    def _(self, event: journal.Began) -> None:
        days = PACES[event.pace]
        made = {user: Watch(event.guild, user, days * DAY, days * DAY) for user in event.seats.values()} if days else {}
        self.tables[event.match] = Table(
            event.guild, event.game, event.pace, dict(event.seats), event.turn, event.round, event.secret, made
        )

    @note.register
    def _(self, event: journal.Shown) -> None:
        table = self.tables[event.match]
        if table.over or table.paused:
            return
        for seat in table.turn:
            watch = table.watches.get(table.seats[seat])
            if watch and watch.since is None and watch.lapse is None:
                hours = self.of(watch)
                watch.since, watch.undisturbed = event.at, True
                watch.weekends, watch.week = hours.weekends, hours.zone

    @note.register
    def _(self, event: journal.Acted) -> None:
        table = self.tables[event.match]
        kind = kind_of(event)
        if kind in ("resign", "timeout"):
            table.left.add(event.seat)
        if not event.over and table.watches:
            self._send_to_thread(event, table, kind)
        table.turn, table.round = event.turn, event.round
        if event.over:
            self._over(table)

    def _send_to_thread(self, event: journal.Acted, table: Table, kind: str) -> None:
        """A turn ends with the move, or when it is another player's; a takeback gives back the time of nobody else."""
        again = event.round != table.round
        for seat, user in table.seats.items():
            watch, was, now = table.watches[user], seat in table.turn, seat in event.turn
            mine = kind == "move" and seat == event.seat and not table.secret
            ends = was and (again or mine or not now or kind == "takeback")
            if ends and kind == "takeback":
                self._taken_back(watch)
            elif ends:
                self.spent(watch, event.at, table.pace)
            if now and (ends or again or not was):
                watch.allotted, watch.told = watch.left, []

    def _taken_back(self, watch: Watch) -> None:
        """Whose turn is taken from them with a move that was taken back has not used it up: it is whole again."""
        watch.left, watch.since, watch.lapse = watch.allotted, None, None

    def _over(self, table: Table) -> None:
        table.over, table.turn = True, ()
        for watch in table.watches.values():
            watch.since = watch.lapse = None

    @note.register
    def _(self, event: journal.Ended) -> None:
        self._over(self.tables[event.match])

    @note.register
    def _(self, event: journal.Paused) -> None:
        table = self.tables[event.match]
        table.paused = event.on
        for watch in table.watches.values() if event.on else ():
            running = watch.since is not None
            self.settle(watch, event.at, run=False)
            watch.lapse = None
            if running and not watch.left:
                # Who agrees to a pause with a player who ran out of time gives it to them.
                watch.left, watch.allotted, watch.told = GIFT, GIFT, []

    @note.register
    def _(self, event: journal.Asked) -> None:
        table = self.tables[event.match]
        table.watches[event.user].lapse = event.at + GIFT
        still = [table.watches[user] for seat, user in table.seats.items() if seat not in table.left]
        if all(watch.lapse is not None for watch in still):
            # Nobody is left to wait: they have until the last of them leaves.
            for watch in still:
                watch.lapse = event.at + GIFT

    @note.register
    def _(self, event: journal.Reminded) -> None:
        for match in event.matches if event.kind != "digest" else ():
            watch = self.tables[match].watches.get(event.user)
            if watch and self.due(watch, event.at) > len(watch.told):
                watch.told.append(event.at)

    @note.register
    def _(self, event: journal.Refused) -> None:
        pass

    @note.register
    def _(self, event: journal.Looked) -> None:
        pass

    @note.register
    def _(self, event: journal.Gave) -> None:
        table = self.tables[event.match]
        watch = table.watches[event.user]
        watch.left = watch.allotted = GIFT
        watch.since, watch.lapse, watch.told = None, None, []

    @note.register
    def _(self, event: journal.Slept) -> None:
        if event.at - event.since <= RESTART:
            return
        for table in self.tables.values():
            for watch in table.watches.values() if not table.over else ():
                self._given_back(watch, event.since, event.at)

    def _given_back(self, watch: Watch, since: int, until: int) -> None:
        """Nobody loses a second for what the bot was not there."""
        if watch.lapse is not None:
            watch.lapse += until - since
        elif watch.since is not None:
            begin = max(since, watch.since)
            self.given_back += max(0, until - begin)
            watch.left, watch.since = self.left(watch, begin), max(until, watch.since)
            watch.undisturbed = False
