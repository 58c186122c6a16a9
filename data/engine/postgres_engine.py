"""Makes the engine whose connections lead to a PostgreSQL server, for the driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from data.engine.database_errors import Unusable
from data.engine.driver import CONNECTIONS
from data.engine.postgres_connection import Line

Dialled = Callable[[Any], None]


def server_engine(line: Line, dialled: Dialled) -> AsyncEngine:
    """An engine whose connections lead to a server, each shown as soon as it is there; `Unusable` where the package
    that speaks to it is not installed."""

    async def dial(**_: Any) -> Any:
        connection = await line.dial()
        dialled(connection)
        return connection

    given: dict[str, Any] = {"async_creator_fn": dial}
    if line.pooled:
        # Statements without a name last until the next one, which is within the transaction.
        given |= {"prepared_statement_cache_size": 0, "prepared_statement_name_func": str}
    try:
        return create_async_engine(
            "postgresql+asyncpg://",
            connect_args=given,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=line.given["timeout"],
            isolation_level="READ COMMITTED",
            hide_parameters=True,
        )
    except ModuleNotFoundError as missing:
        raise Unusable(f"For PostgreSQL the package {missing.name} is needed, and it is not installed.") from None
