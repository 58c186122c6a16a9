"""A PostgreSQL server of the fleet's own, which is killed and stands still; and who does what in it is watched.

Each bot comes by a name of its own, so that a trigger can note which bot writes to a match of another's servers.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil
from sqlalchemy import make_url

from bot.play.ids import ShardShare
from data.upkeep.upgrade import migrate
from tests.support.postgres import Postgres

NAME = "fleet"
WATCH = (
    "CREATE SCHEMA watch",
    "CREATE TABLE watch.shares (role text PRIMARY KEY, first int, last int, count int)",
    "CREATE TABLE watch.strangers (role text, match bigint, guild bigint, what text)",
    """CREATE FUNCTION watch.look() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
           INSERT INTO watch.strangers SELECT session_user, NEW.id, NEW.guild, TG_OP FROM watch.shares s
            WHERE s.role = session_user AND (NEW.guild >> 22) % s.count NOT BETWEEN s.first AND s.last;
           RETURN NULL;
       END $$""",
    "CREATE TRIGGER watched AFTER INSERT OR UPDATE ON matches FOR EACH ROW EXECUTE FUNCTION watch.look()",
)
STRANGERS = (
    "select role || ' wrote to match ' || match || ' of server ' || guild || ' by ' || what from watch.strangers"
)


class Doomed(Postgres):
    """The server; its database is made by `prepare`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.frozen: list[psutil.Process] = []

    @property
    def database_url(self) -> str:
        """The address of the database, for those who only look."""
        return self.url(NAME)

    def url_of(self, role: str) -> str:
        """The address of the database for a bot."""
        return make_url(self.database_url).set(username=role).render_as_string(hide_password=False)

    async def prepare(self, shares: Sequence[tuple[str, ShardShare]]) -> None:
        """Make the database, with a role for each bot and its share."""
        await self.tell(f"CREATE DATABASE {NAME}")
        await migrate(self.database_url)
        await self.tell(*WATCH, database=NAME)
        for role, share in shares:
            row = f"'{role}', {share.first}, {share.last}, {share.count}"
            await self.tell(
                f"CREATE ROLE {role} LOGIN SUPERUSER", f"INSERT INTO watch.shares VALUES ({row})", database=NAME
            )

    def _all(self) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            first = psutil.Process(self.pid)
            return [first, *first.children()]
        return []

    def kill(self) -> None:
        """End all its processes at once, as when the power fails."""
        dying = self._all()
        for process in dying:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        psutil.wait_procs(dying, timeout=10)

    async def begin(self) -> None:
        """Start it again where it was killed."""
        await asyncio.to_thread(self.server.ensure_postgres_running)

    def freeze(self) -> None:
        """Let it stand still, connections and all."""
        self.frozen = self._all()
        for process in self.frozen:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        for process in self.frozen:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGCONT)
        self.frozen = []

    def close(self) -> None:
        """End it and remove its folder, whatever state it is in."""
        self.thaw()
        self.server.cleanup()
