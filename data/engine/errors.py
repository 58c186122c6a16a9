"""Errors that make the database unusable, with a sentence for players and the reason for the host.

`Unavailable` is temporary: nothing was changed, and a retry may succeed. `Unusable` lasts until the host has fixed
something. `Uncertain` is a commit whose answer was lost: it may have been written or not.
"""

from __future__ import annotations

import errno
import socket
import sqlite3
import ssl
from collections.abc import Mapping

PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
}
"""SQLite's errors that are not the program's fault: locked, full, not writable."""
BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
HOST = "this bot's host has to"


class Unavailable(Exception):
    """The database could not be used, and the transaction changed nothing."""

    why = ""
    """The reason, for the host; empty for the database's own message."""

    def __init__(self, sentence: str = "Nothing was changed; try again in a moment.") -> None:
        super().__init__(sentence)


class Uncertain(Unavailable):
    """A commit was sent and its answer was lost: it may have been written or not."""

    why = "it didn't say whether it saved what was written"

    def __init__(self) -> None:
        super().__init__("It may or may not have counted. Check before you try again.")


class ReadOnly(Unavailable):
    """A read-only server: a standby, or one configured so."""

    why = "it is read-only (a standby, or a server set to read only)"


class Contended(Unavailable):
    """Locks are held by others, or transactions conflicted repeatedly."""

    why = "somebody else holds a lock on it, or there is a deadlock"


class Overdue(Unavailable):
    """A statement that took too long, or was cancelled."""

    why = "a statement took too long, or was cancelled"


class Crowded(Unavailable):
    """A server that accepts no more connections."""

    why = "it has no free connection: close some, or raise max_connections"


class DiskFull(Unavailable):
    """A server whose disk is full."""

    why = "its disk is full"


class Failing(Unavailable):
    """A disk that reports an error."""

    why = "disk I/O error"


class Exhausted(Unavailable):
    """A server that is out of memory."""

    why = "it is out of memory"


class Starting(Unavailable):
    """A server that is starting or recovering, or refuses connections for another reason."""

    why = "it is starting, recovering or stopping"


class ServerStopped(Unavailable):
    """A server that was stopped or has crashed."""

    why = "it was stopped, or closed the connection"


class Absent(Unavailable):
    """No server at the address, or not yet."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.why = f"no server answers at its address ({error.strerror or error})"


class Silent(Absent):
    """An address without a response: packets are lost, or the listener does not answer."""

    def __init__(self) -> None:
        super().__init__(TimeoutError("no answer came in time"))


class Unusable(Unavailable):
    """The database cannot be used until the host does what the text says."""


class Damaged(Unusable):
    """The database's file is damaged."""

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or f"The database is damaged: {HOST} restore a backup.")


class Moved(Unusable):
    """The database's file was replaced since it was opened: further writes would be lost."""

    def __init__(self) -> None:
        super().__init__(
            "Nothing was changed: the bot's database was moved, deleted or replaced while the bot was running. This"
            " bot's host has to put it back, or restore a backup, and start the bot again."
        )


class WrongPassword(Unusable):
    """A password that the server rejects."""

    def __init__(self) -> None:
        super().__init__(f"The database refuses the bot's password: {HOST} put the right one in its address.")


class NoRole(Unusable):
    """A user that the server does not know, or does not accept from here."""

    def __init__(self) -> None:
        super().__init__(
            f"The database does not let the bot's user in: {HOST} name one in its address that there is, and that the"
            " server's pg_hba.conf lets in from here."
        )


class NoDatabase(Unusable):
    """A database that is not on the server."""

    def __init__(self) -> None:
        super().__init__(
            f"There is no such database on the server: {HOST} create it (CREATE DATABASE) or name another."
        )


class Forbidden(Unusable):
    """A user without the permissions that the bot needs."""

    def __init__(self) -> None:
        super().__init__(
            f"The bot's user isn't allowed to do what the bot needs in the database: {HOST} make that user the "
            "database's owner."
        )


class Misdirected(Unusable):
    """An invalid address, or a server whose identity cannot be verified."""


class Behind(Unavailable):
    """A server whose certificate is not yet valid by this machine's clock."""

    why = "its server's certificate is not yet valid by this machine's clock, which is behind"


STATES: Mapping[str, type[Unavailable]] = {
    "25006": ReadOnly,
    "40P01": Contended,
    "40001": Contended,
    "55P03": Contended,
    "57014": Overdue,
    "25P03": Overdue,
    "25P04": Overdue,
    "53100": DiskFull,
    "58030": Failing,
    "53200": Exhausted,
    "53300": Crowded,
    "57P01": ServerStopped,
    "57P02": ServerStopped,
    "57P05": ServerStopped,
    "57P03": Starting,
    "28P01": WrongPassword,
    "28000": NoRole,
    "3D000": NoDatabase,
    "42501": Forbidden,
    "XX001": Damaged,
    "XX002": Damaged,
}
"""PostgreSQL's errors that are not the program's fault, by SQLSTATE."""
KINDS = {"08", "53", "57", "58"}
"""The SQLSTATE classes that are temporary throughout: connections, resources, interventions, the system."""
ONLY_READ = "TargetServerAttributeNotMatched"
"""asyncpg's error if an address asks for a writable server, and none of its servers is."""


POOLER, UNENCRYPTED = "unsupported startup parameter", "rejected SSL upgrade"
"""PgBouncer's message about a setting that it does not know, and asyncpg's about a server without TLS."""
NOT_YET_VALID = 9
"""OpenSSL's code for a certificate that is not valid yet."""
UNREACHABLE = {errno.EHOSTUNREACH, errno.ENETUNREACH}


def classify_error(error: BaseException) -> Unavailable | None:
    """The `Unavailable` for an error of SQLite, of a server or of its driver; None if it is the program's fault."""
    if isinstance(error, sqlite3.Error):
        code: int = getattr(error, "sqlite_errorcode", 0)
        primary = code & 0xFF
        if primary == sqlite3.SQLITE_IOERR:
            return Failing()
        return Damaged() if primary in BROKEN else Unavailable() if primary in PASSING else None
    if POOLER in str(error):
        return Misdirected(
            f"A pooler such as PgBouncer stands before the database's server and refuses a setting of the bot's"
            f" ({error}): {HOST} add ?statement_cache_size=0 at the end of the address."
        )
    if state := str(getattr(error, "sqlstate", None) or ""):
        passing = Unavailable() if state[:2] in KINDS else None
        return STATES[state]() if state in STATES else passing
    names = {kind.__name__ for kind in type(error).__mro__}
    if "ClientConfigurationError" in names:
        return Misdirected(f"The database's address can't be used: {error}.")
    if ONLY_READ in names:
        return ReadOnly()
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code == NOT_YET_VALID:
            return Behind()
        return Misdirected(
            f"The database's server has a certificate that isn't valid ({error.verify_message}): {HOST} put that"
            " right, or its address."
        )
    return _classify_network_error(error) if isinstance(error, OSError) else None


def _classify_network_error(error: OSError) -> Unavailable:
    if UNENCRYPTED in str(error):
        return Misdirected(
            "The database's server doesn't support TLS (SSL), but its address asks for it (sslmode): "
            f"{HOST} set up TLS or change the address."
        )
    missing = isinstance(error, ConnectionRefusedError | FileNotFoundError | socket.gaierror)
    return Absent(error) if missing or error.errno in UNREACHABLE else Unavailable()


WORDS: Mapping[int, str] = {
    sqlite3.SQLITE_BUSY: "another program holds a lock on it",
    sqlite3.SQLITE_LOCKED: "another program holds a lock on it",
    sqlite3.SQLITE_FULL: "its disk is full",
    sqlite3.SQLITE_READONLY: "it can't be written to",
    sqlite3.SQLITE_CANTOPEN: "its file, or what SQLite keeps beside it, can't be opened",
}
"""Messages for the host in place of SQLite's own."""


def explain_error(fault: BaseException) -> str:
    """Why a database could not be used, for the host."""
    cause = fault
    if isinstance(fault, Unavailable):
        if said := fault.why or (str(fault).rstrip(".") if isinstance(fault, Unusable) else ""):
            return said
        cause = fault.__cause__
    cause = getattr(cause, "driver_exception", None) or getattr(cause, "orig", None) or cause  # SQLAlchemy wraps it
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    if isinstance(cause, sqlite3.Error) and (word := WORDS.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)):
        return word
    return str(cause or "") or "it didn't answer in time"
