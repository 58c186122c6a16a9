"""The sentences of a host's commands about a database on a server."""

from __future__ import annotations

import asyncio

import pytest

from bot.__main__ import main
from data.store import Store
from tests.data.acts import played
from tests.data.raw import told
from tests.support.postgres import on_postgres


@on_postgres
def test_check_and_health_are_told_of_a_database_on_a_server(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", address)

    async def play() -> None:
        store = Store(address)
        await played(store)
        await store.close()

    asyncio.run(play())
    assert main(("check",)) == 0
    assert "1 match, 1 replayed: no faults." in capsys.readouterr().out
    told(address, "UPDATE ratings SET mu = 1 WHERE game = ''")
    assert main(("check",)) == 1
    assert "run check with --ratings" in capsys.readouterr().out
    assert main(("check", "--ratings")) == 0
    assert "they were recomputed" in capsys.readouterr().out
    assert main(("check",)) == 0
    capsys.readouterr()
    assert main(("health",)) == 1
    said = capsys.readouterr()
    assert "The database is readable and writable; no bot has used it yet." in said.out + said.err
