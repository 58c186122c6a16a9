"""The checkers of a story: what they look at while it runs, and when everything is played out and shown."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from aiohttp.web_protocol import RequestHandler

from bot.platform.processes import PROCESS
from tests.simulation.life import why_ended
from tests.world import findings, invariants, league_findings, preparing

if TYPE_CHECKING:
    from tests.simulation.story import Story


DISK = {"full disk", "locked file"}
"""The misfortunes in which the database cannot say whose turn it is to begin a session."""
MOST_EVENTS = 100
"""The most events that wait for a process at a time: its connection takes them as they come."""
TOLD_LINES = 7
"""How many lines of a traceback are reported."""
TOLD_MORE = """
    select id from matches where pace != 'none' or legs != 1
        or game not in ('binary-primes', 'sums-grid', 'within-the-curve')
"""
"""Matches in which people are told of more than moves, or whose boards do not say how many moves they show."""

OVER = "m.state not in ('open', 'live')"
KEPT = {
    "edits that are left over": "select count(*) from pending_edits",
    "messages that are on their way": "select count(*) from pending_reminders",
    "proposals in matches that are over": f"select count(*) from matches m where {OVER} and m.proposal is not null",
    "clocks in matches that are over": f"""
        select count(*) from players p join matches m on m.id = p.match
         where {OVER} and (p.deadline is not null or p.forfeit_at is not null or p.next_reminder_at is not null)""",
    "computers to move in matches that are over": f"""
        select count(*) from matches m where {OVER} and m.thinks is not null""",
}
"""Rows that there are none of when everything is played out and shown."""
PROCESSES = f"select count(*) from key_values where name like '{PROCESS}%'"

Note = Callable[[str, Iterable[str]], None]


def look(story: Story, note: Note) -> None:
    """What must hold at any moment."""
    ended = [life for life in story.lives if life.running.done() and not life.dead and not life.ended]
    note("ended", [f"a process ended: {why_ended(life.running)}" for life in ended])
    town, ledger = story.town, story.ledger
    removed = story.departures.seats() - ledger.moves()
    note("lost", ledger.lost(town.told - removed, town.tried))
    note("torn", ledger.torn())
    note("twice", ledger.twice(town.tried, town.asked, town.disputed | {one.match for one in removed}))
    note("closed_by_nobody", ledger.closed_by_nobody(town.tried, town.without))
    note("early", story.clocks.early(town.tried))
    note("reminded_twice", story.clocks.twice())
    note("miscounted", story.clocks.miscounted())
    note("leaked", story.secrets.leaks)
    for kind, found in preparing.faults(ledger, town.ready):
        note(kind, [found])
    note("stuck_selects", town.stuck)
    note("in_the_channel", story.thread_waits.found)
    note("unreminded", story.refused_reminders.lost())
    for life in story.lives:
        long = {name: many for name, many in life.queued().items() if many > len(story.ledger.rows())}
        note("queues", [f"{many} wait in {name}, and there are fewer matches" for name, many in long.items()])
    waiting = [session.wire.frames.qsize() for session in story.sandbox.gateway.sessions.values() if session.wire]
    note("queues", [f"{many} events wait to be delivered" for many in waiting if many > MOST_EVENTS])
    note("strangers", invariants.strangers(story.sandbox))
    for record in story.listener.complaints:
        if (record.exc_text or record.exc_info) and not cut_while_read(record):
            note("traceback", [f"{record.getMessage()}: {last_words(record)}"])
    story.listener.complaints.clear()


async def look_at_channels(story: Story, note: Note) -> None:
    """What must hold when everything is played out and shown."""
    look(story, note)
    note("torn", await story.ledger.check())
    world, rows = story.sandbox.world, story.ledger.rows()
    told_more = {match for (match,) in story.ledger.ask(TOLD_MORE)} | story.town.disputed
    for kind, found in findings.in_channels(world, rows, told_more):
        note(kind, found)
    note("leagues", league_findings.faults(world, story.ledger))
    note("nowhere", story.thread_waits.nowhere())
    note("left_thinking", story.clocks.thinking())
    note("unresolved", unresolved(story))
    blindly = DISK & story.report.misfortunes.keys()
    for kind, found in invariants.manners(story.sandbox).items():
        note(kind, [] if kind == "hasty" and blindly else found)


def unresolved(story: Story) -> Iterator[str]:
    """Mentions that people or a newcomer have seen without a name, where the story asks for that."""
    if story.readers is None:
        return
    people = [story.sandbox.person(user["id"]) for user in story.sandbox.world.people()]
    for reader in (*people, None):
        for one in story.readers.unresolved(reader):
            yield f"{reader.name if reader else 'a newcomer'} cannot tell who {one.whom} is in {one.place}: {one.line}"


def look_at_memories(story: Story, note: Note) -> None:
    """What must be gone, in memory and in the database, when everything is played out and shown."""
    for life in story.lives:
        note("kept", [f"{name} of something that was sent" for name in life.held()])
        note("kept", [f"{many} wait in {name}" for name, many in life.queued().items() if many])
    for what, query in KEPT.items():
        ((many,),) = story.ledger.ask(query)
        note("kept", [f"{many} {what}"] if many else [])
    ((many,),) = story.ledger.ask(PROCESSES)
    shares = len(set(story.plan.shares))
    note("kept", [f"{many} rows of processes, and there are {shares} shares"] if many > shares else [])


def cut_while_read(record: logging.LogRecord) -> bool:
    """Whether aiohttp's server complains that a connection was cut between the arrival of a request and its reading: it
    calls what it has just thrown away. The server is the sandbox's, so this is no fault of the bot's."""
    fault = record.exc_info[1] if record.exc_info else None
    if not isinstance(fault, TypeError):
        return False
    innermost = list(traceback.walk_tb(fault.__traceback__))[-1][0].f_code
    return innermost is RequestHandler.start.__code__


def last_words(record: logging.LogRecord) -> str:
    """The end of a traceback in the log, on one line."""
    text = record.exc_text or logging.Formatter().formatException(record.exc_info or (None, None, None))
    return " | ".join(line.strip() for line in text.splitlines()[-TOLD_LINES:])
