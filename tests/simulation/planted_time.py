"""Faults planted in the bot's sense of time, each of which a year must find.

`python -m tests.simulation --profile year --planted --brief` says after how many seeds each is found, and by what.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, tzinfo
from itertools import count
from typing import Any
from unittest.mock import patch

from bot.features.time import loop as time_loop
from bot.features.time import service as time_service
from bot.features.time.loop import ReminderSender, make_reminder_nonce
from bot.play import calendars, claims
from bot.play.acts import Outcome
from bot.play.calendars import Calendar
from bot.play.claims import EXTRA_TIME, give_time
from bot.play.clocks import Rests
from bot.play.ids import ShardShare
from bot.play.loaded_match import LoadedMatch
from bot.play.rows import PendingMessage
from bot.umpire import clocks
from bot.umpire.acts import DeadlineService
from bot.umpire.clocks import DowntimeKeeper
from data.store import Reader
from tests.simulation.planted import Plant

SOON = 3600


@contextmanager
def late_claims() -> Generator[None]:
    """People are claimed an hour before their time."""
    due, run_out = claims.find_newly_late, Reader.find_matches_run_out

    def soon(loaded: LoadedMatch, now: int) -> Any:
        return due(loaded, now + SOON)

    def found(reader: Reader, now: int, *args: Any) -> Any:
        return run_out(reader, now + SOON, *args)

    with patch.object(claims, "find_newly_late", soon), patch.object(Reader, "find_matches_run_out", found):
        yield


@contextmanager
def nobody_looks() -> Generator[None]:
    """Nothing that is due is done."""

    async def pass_(_: DeadlineService, *_args: Any) -> Any:
        for match in ():
            yield match

    with patch.object(DeadlineService, "run_due_acts", pass_):
        yield


@contextmanager
def gift_twice() -> Generator[None]:
    """A gift of three days is one of six."""

    def given(loaded: LoadedMatch, *args: Any, **how: Any) -> Outcome:
        outcome, before = (
            give_time(loaded, *args, **how),
            {one.user: one.extra_time_count for one in loaded.row.players},
        )
        players = tuple(
            replace(one, seconds_left=2 * EXTRA_TIME) if one.extra_time_count > before[one.user] else one
            for one in outcome.row.players
        )
        return replace(outcome, row=replace(outcome.row, players=players))

    with patch.object(claims, "give_time", given):
        yield


@contextmanager
def outage_counts() -> Generator[None]:
    """Clocks run while the bot is not there."""

    def kept(*_: object) -> None:
        pass

    with patch.object(clocks, "give_back", kept):
        yield


@contextmanager
def outage_given_twice() -> Generator[None]:
    """An outage is given back by each process that looks."""
    over = DowntimeKeeper.note_connected

    async def again(self: DowntimeKeeper, shards: Sequence[ShardShare]) -> int:
        if given := await over(self, shards):
            now = self.clock()
            await self.store.do(clocks.give_back, now, now + given)
        return given

    with patch.object(DowntimeKeeper, "note_connected", again):
        yield


@contextmanager
def _rests_without(**changed: Any) -> Generator[None]:
    rests = Calendar.list_rests

    def without(self: Calendar, since: int) -> Rests:
        return rests(replace(self, **changed), since)

    with patch.object(Calendar, "list_rests", without):
        yield


def away_counts() -> Any:
    """Clocks run while people are away."""
    return _rests_without(away=())


def weekends_count() -> Any:
    """Clocks run at weekends, whatever people have chosen."""
    return _rests_without(weekends=True)


@contextmanager
def by_utc() -> Generator[None]:
    """Weekends are those of the machine."""

    def machine(_: str) -> tzinfo:
        return UTC

    with patch.object(calendars, "_load_zone", machine):
        yield


@contextmanager
def reminds_at_night() -> Generator[None]:
    """Reminders come when they are due, also at night."""

    def same(_: Calendar, moment: int, rests: Rests = ()) -> int:
        return moment

    with patch.object(Calendar, "find_awake_moment", same):
        yield


@contextmanager
def reminds_twice() -> Generator[None]:
    """What Discord did not answer is sent again, under another number."""
    numbers = count()

    async def nothing(*_: object) -> tuple[None, None, bool]:
        return None, None, True

    def another(pending: PendingMessage) -> str:
        return f"{make_reminder_nonce(pending)}{next(numbers)}"

    with (
        patch.object(ReminderSender, "_find_sent", nothing),
        patch.object(time_loop, "make_reminder_nonce", another),
    ):
        yield


@contextmanager
def reminds_nobody() -> Generator[None]:
    """No reminder is ever sent."""

    async def skipped(self: ReminderSender, guild: Any, match: Any, user: Any) -> None:
        await self.store.do(time_service.skip_reminder, match, user, self.umpire.clock())

    with patch.object(ReminderSender, "_remind", skipped):
        yield


FAULTS: Mapping[str, Plant] = {
    "reminds at night": reminds_at_night,
    "reminds twice": reminds_twice,
    "reminds nobody": reminds_nobody,
    "away counts": away_counts,
    "weekends count": weekends_count,
    "by UTC": by_utc,
    "late claims": late_claims,
    "nobody looks": nobody_looks,
    "gift twice": gift_twice,
    "outage counts": outage_counts,
    "outage given twice": outage_given_twice,
}
