"""Logs hold no token, no move and nothing that was typed, at every level and from every logger."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Generator
from io import StringIO

import pytest
from discord.gateway import ReconnectWebSocket

from data.store import Store, Transaction
from tests.support.log_lines import logging_to

GRID = "2 9 8 / 3 1 10 / 7 6 15"
INTERACTION = "aW50ZXJhY3Rpb246MTI6c2VjcmV0"


@pytest.fixture
def log() -> Generator[StringIO]:
    with logging_to("DEBUG") as written:
        yield written


def lines(log: StringIO) -> str:
    return log.getvalue()


@pytest.mark.parametrize(
    "name", ["discord.http", "discord.gateway", "discord.webhook.async_", "aiosqlite", "asyncio", "aiohttp.client"]
)
def test_libraries_keep_to_themselves_what_passes_through_them(log: StringIO, name: str) -> None:
    logging.getLogger(name).debug("POST with %s has returned", {"grid": GRID})
    logging.getLogger(name).info("connected")
    assert GRID not in lines(log), "nothing is seen of a payload"
    assert f"{name}: connected" in lines(log)


def test_what_is_ours_is_as_talkative_as_the_host_wants(log: StringIO) -> None:
    logging.getLogger("graphpaper.steps").debug("decided 7")
    logging.getLogger("bot.app.client").debug("looking")
    assert "graphpaper.steps: decided 7" in lines(log) and "bot.app.client: looking" in lines(log)


def test_a_host_who_wants_warnings_only_gets_no_more() -> None:
    with logging_to("WARNING") as log:
        logging.getLogger("discord.client").info("connected")
        logging.getLogger("bot.app.client").info("Ready")
        logging.getLogger("bot.app.client").warning("later")
    assert [line.split(": ")[-1] for line in lines(log).splitlines()] == ["later"]


@pytest.mark.parametrize(
    "address",
    [
        f"https://discord.com/api/v10/webhooks/11/{INTERACTION}/messages/@original",
        f"https://discord.com/api/v10/interactions/12/{INTERACTION}/callback?with_response=1",
        f"/webhooks/11/{INTERACTION}",
    ],
)
def test_an_address_is_logged_without_its_token(log: StringIO, address: str) -> None:
    logging.getLogger("discord.http").warning("We are being rate limited. %s %s responded with 429.", "POST", address)
    assert INTERACTION not in lines(log)
    assert "We are being rate limited. POST" in lines(log) and "/[token]" in lines(log)


def test_the_bots_token_is_cut_out_of_lines_and_tracebacks(log: StringIO) -> None:
    try:
        raise ConnectionError("refused with Bot the.token")
    except ConnectionError:
        logging.getLogger("bot.host").exception("Not with %s", "the.token")
    assert "the.token" not in lines(log)
    assert "Not with [token]" in lines(log) and "ConnectionError: refused with Bot [token]" in lines(log)


def test_a_traceback_says_where_but_not_what_was_typed(log: StringIO) -> None:
    try:
        try:
            int(GRID)
        except ValueError as fault:
            raise KeyError(GRID) from fault
    except KeyError:
        logging.getLogger("bot.platform.interactions").exception("An interaction failed: %s", 12)
    assert GRID not in lines(log)
    assert lines(log).index("builtins.ValueError: (its") < lines(log).index("builtins.KeyError: (its")
    assert "An interaction failed: 12" in lines(log) and "test_logs.py" in lines(log)


async def test_a_task_that_nobody_waited_for_does_not_repeat_its_error(log: StringIO) -> None:
    async def failing() -> None:
        raise ValueError(GRID)

    task = asyncio.create_task(failing())
    await asyncio.wait([task])
    del task
    assert "asyncio: Task exception was never retrieved" in lines(log)
    assert GRID not in lines(log) and "in failing" in lines(log)


def test_a_line_that_does_not_fit_its_values_is_written_without_them(
    log: StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("bot").warning("Match %d is behind.", GRID)
    assert "Match %d is behind." in lines(log)
    assert GRID not in lines(log) + capsys.readouterr().err


async def test_an_error_of_the_database_does_not_hold_the_values_of_its_statement(log: StringIO, address: str) -> None:
    store = Store(address)
    try:
        await store.do(Transaction.append, 1, 1, 1, f"grid {GRID}", 0)
    except Exception:
        logging.getLogger("bot.platform.interactions").exception("An interaction failed.")
    await store.close()
    assert "FOREIGN KEY constraint failed" in lines(log) and "INSERT INTO moves" in lines(log)
    assert GRID not in lines(log) and json.dumps(GRID) not in lines(log)


def test_an_outage_is_told_once_a_minute_with_a_count(log: StringIO) -> None:
    """138 equal lines in 100 seconds, and others between them."""
    outage = logging.getLogger("bot.app.client")
    for number in range(138):
        record = outage.makeRecord(outage.name, logging.WARNING, __file__, 1, "The database cannot be used.", (), None)
        record.created = 1_800_000_000 + number * 100 / 138
        outage.handle(record)
    logging.getLogger("bot.platform.processes").warning("The database cannot be used.")
    told = [line.partition("client: ")[2] for line in lines(log).splitlines() if "client: " in line]
    assert told == ["The database cannot be used.", "The database cannot be used. (82 more times in the last 60 s)"]
    assert "processes: The database cannot be used." in lines(log)


def test_a_connection_that_was_not_greeted_is_told_in_a_line(log: StringIO) -> None:
    try:
        raise ReconnectWebSocket(2)
    except ReconnectWebSocket:
        logging.getLogger("discord.shard").exception("Failed to connect for shard_id: %s. Retrying...", 2)
    (line,) = lines(log).splitlines()
    assert line.endswith("Retrying... (Discord closed the connection before it said anything)")
