"""Looks at the database without writing to it: where it is, whether it fits this program, and whether a bot uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bot.core.values.shards import WHOLE
from bot.host.doctor.findings import Fails, Untried
from data.engine.address import Address, address
from data.engine.database_errors import Unavailable, Unusable, reason
from data.engine.driver import TimeLimits
from data.queries.figures import read_figures
from data.upkeep.heartbeat import HEARTBEAT, UNHEARD_SECONDS, Pulse
from data.upkeep.integrity import opened, up_to_date
from data.upkeep.migrate import revision_of
from data.upkeep.revisions import SchemaError
from data.upkeep.schema_check import misshapen, missing

LIMITS = TimeLimits(wait=5.0, run=10.0)
"""A look must not keep the host waiting; `check` looks at everything."""


class Look(NamedTuple):
    """A line about the database, and what keeps the bot from using it."""

    line: str
    fault: Fails | Untried | None = None


async def looked(url: str, clock: Callable[[], float]) -> Look:
    """What is to be said of a database."""
    try:
        place = where(address(url))
    except ValueError as fault:
        return Look("Database: its address can't be read.", Fails(said(fault)))
    try:
        async with opened(url, LIMITS) as database:
            await database.read(up_to_date)
            schema, wrong, figures = await database.read(
                lambda one: (revision_of(one), [*missing(one), *misshapen(one)], read_figures(one, WHOLE))
            )
    except FileNotFoundError:
        return Look(f"Database: {place}.", Untried("There is none yet; the bot makes it when it starts."))
    except (SchemaError, Unusable) as fault:
        return Look(f"Database: {place}.", Fails(said(fault)))
    except (Unavailable, OSError) as fault:
        return Look(f"Database: {place}.", Untried(f"It can't be read right now: {reason(fault)}."))
    line = f"Database: {place}, at schema {schema}. {users(figures.notes, int(clock()))}"
    return Look(line, Fails("; ".join(wrong)) if wrong else None)


def where(place: Address) -> str:
    """Where a database is, without its password."""
    if place.host is None:
        return f"{place.kind} in {place.database or 'the usual place'}"
    return f"{place.kind}, {place.database} on {place.host}"


def users(notes: Iterable[tuple[str, str]], now: int) -> str:
    """Whether a bot uses a database, by the notes in it."""
    pulses = [Pulse.parse(value) for name, value in notes if name.startswith(HEARTBEAT)]
    silent = [now - pulse.alive for pulse in pulses if pulse and abs(now - pulse.alive) <= UNHEARD_SECONDS]
    return f"A bot runs on it, heard {max(0, min(silent))} s ago." if silent else "No bot runs on it right now."


def said(fault: Exception) -> str:
    """An error's sentence without its full stop, to stand in brackets."""
    return str(fault).rstrip(".")
