"""Connects to a PostgreSQL server, by an address in libpq's format.

User, password, host, port and name are in the address itself; asyncpg reads the parameters after the question mark
(`sslmode`, `host` with several servers or a socket's folder, `target_session_attrs`, any setting of the server).
Every connection sets the server's time-outs, so the server aborts transactions that have no caller any more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from data.engine.address import DatabaseAddress
from data.engine.driver import TimeLimits
from data.engine.errors import HOST, Misdirected, Silent

POOLED = ("statement_cache_size", "prepared_statement_cache_size")
"""Either of these as 0 in an address means a pooler such as PgBouncer in between, which gives every transaction another
connection: statements are not prepared, and settings last only for a transaction."""
OLDEST = 13
"""The first server version with the functions used here for the outcome of a transaction."""
LEFT_ALONE = 5.0
"""Seconds after which the server rolls back an idle transaction, whose program is gone, and releases its locks."""


@dataclass(frozen=True, slots=True)
class ServerLine:
    """How to connect to a server: asyncpg's arguments, and whether a pooler is in between."""

    given: Mapping[str, Any]
    pooled: bool

    @classmethod
    def to_server(cls, url: DatabaseAddress, limits: TimeLimits) -> ServerLine:
        """The line to the server of an address, with the time-outs of some limits."""
        asked = dict(url.query)
        pooled = "0" in {asked.pop(name, None) for name in POOLED}
        if "ssl" in asked:  # as SQLAlchemy calls it
            asked["sslmode"] = asked.pop("ssl")
        settings = {} if pooled else {"application_name": "graphpaper", **server_timeouts(limits)}
        given: dict[str, Any] = {
            "user": url.username,
            "password": url.password,
            "host": url.host,
            "port": url.port,
            "database": url.database or None,
            "server_settings": settings,
            "timeout": limits.wait,
        }
        # Settings in the address override the defaults.
        given["server_settings"] = {name: value for name, value in settings.items() if name not in asked}
        if asked:
            given["dsn"] = f"postgresql://?{urlencode(asked)}"
        if pooled:
            given["statement_cache_size"] = 0
        return cls(given, pooled)

    async def dial(self) -> Any:
        """Open an asyncpg connection; `Silent` if that takes too long."""
        import asyncpg as installed  # pyright: ignore[reportMissingTypeStubs]  -- it has none, and may not be there

        asyncpg: Any = installed
        try:
            connection = await asyncpg.connect(**self.given)
        except TimeoutError as fault:
            raise Silent from fault
        if (found := connection.get_server_version().major) < OLDEST:
            connection.terminate()
            raise Misdirected(
                f"The database's server is PostgreSQL {found}, and Graph Paper needs {OLDEST} or later: {HOST} use"
                " a newer one."
            )
        return connection


def server_timeouts(limits: TimeLimits) -> dict[str, str]:
    """The server's time-out settings for some limits."""
    whole = limits.wait + limits.run
    return {
        "lock_timeout": format_milliseconds(limits.wait),
        "statement_timeout": format_milliseconds(whole),
        "idle_in_transaction_session_timeout": format_milliseconds(whole + LEFT_ALONE),
    }


def format_milliseconds(seconds: float) -> str:
    """Seconds in the format of the server's settings; 0 for infinity, which means no limit."""
    return str(math.ceil(seconds * 1000)) if math.isfinite(seconds) else "0"
