"""Discord refuses the commands: those it knows go on working, and the bot tries again until it takes them."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.app import client
from bot.app.client import digest_key
from bot.platform.jobs import retry_after
from data.store import Transaction
from tests.e2e.harness import Harness
from tests.support.sampled import sampled

COMMANDS = "/applications/{application_id}/commands"


def complaints(harness: Harness) -> list[logging.LogRecord]:
    return [record for record in harness.listener.complaints if record.name == "bot.app.client"]


async def forget(harness: Harness) -> None:
    """Let the bot not know that Discord has the commands."""
    await harness.store.do(Transaction.set_note, digest_key(harness.life.client.application_id), "")


@sampled(("status", "code"), [(403, 50001), (400, 30034)])
async def test_old_commands_work_while_discord_takes_no_new_ones(harness: Harness, status: int, code: int) -> None:
    harness.forgiven.append("Discord has not taken the commands")
    harness.faults.fail_requests("PUT", COMMANDS, status, times=3, code=code)
    await forget(harness)
    await harness.restart(registered=False)
    await harness.match()
    await harness.life.client.loops.tasks["registering"]
    said = complaints(harness)
    assert len(said) == 3
    for record in said:
        assert str(code or status) in record.getMessage() and "go on working" in record.getMessage()
        assert not record.exc_info and "\n" not in record.getMessage()


async def test_a_silent_discord_keeps_nobody_waiting_for_the_commands(harness: Harness) -> None:
    harness.faults.delay_requests("PUT", COMMANDS, 3600)
    await forget(harness)
    await harness.restart(registered=False)
    await harness.match()


def refusal(retry_after: str) -> discord.HTTPException:
    answer: Any = SimpleNamespace(status=429, reason="Too Many Requests", headers={"Retry-After": retry_after})
    return discord.HTTPException(answer, {"code": 30034, "message": "Max number of daily application command creates"})


def test_discord_is_left_alone_for_as_long_as_it_asks_but_never_for_good() -> None:
    assert retry_after(discord.RateLimited(40_000.5)) == 40_000.5
    assert retry_after(refusal("61200")) == 61_200
    unread = retry_after(refusal("1e99"))
    assert unread == retry_after(refusal("Fri, 1 Jan 2027 00:00:00 GMT")) == 3600, "as long as that code always waits"
    assert retry_after(discord.RateLimited(1e12)) == retry_after(refusal("9" * 30)) == 86_400
    assert retry_after(OSError()) == 0


async def test_the_pauses_grow_to_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    paused: list[float] = []

    async def asleep(seconds: float) -> None:
        paused.append(seconds)

    async def refused() -> None:
        if len(paused) < 8:
            raise discord.RateLimited(70_000) if len(paused) == 2 else TimeoutError

    monkeypatch.setattr(client.asyncio, "sleep", asleep)
    await client.register_with_retries(refused)
    assert paused == [5, 20, 70_000, 320, 1280, 3600, 3600, 3600]
