"""Addresses of PostgreSQL servers: all that is said in one reaches the server, and what is secret nobody else."""

from __future__ import annotations

import logging
import socket
import traceback
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import pytest

from data.engine.address import parse_address
from data.engine.database import Database
from data.engine.errors import STATES, NoDatabase, NoRole, Unavailable, Unusable, explain_error
from data.store import Reader, Store
from tests.data.porter import Porter
from tests.data.relay import Relay
from tests.data.test_server import refused, said
from tests.support.postgres import Postgres

SECRET = "p@ss:/ wörd%+&?#"
QUOTED = "p%40ss%3A%2F%20w%C3%B6rd%25%2B%26%3F%23"


@pytest.fixture
def served(postgres: Postgres) -> Generator[str]:
    """The address of an empty database on a server."""
    with postgres.database() as url:
        yield url


@pytest.mark.parametrize("state", ["28P01", "28000", "3D000", "42501", "53300", "57P03"])
async def test_who_is_turned_away_at_the_door_is_told_why(
    state: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("data.engine.postgres.PAUSE", 0.0)
    caplog.set_level(logging.DEBUG)
    async with Porter(state, asks=True).open() as porter:
        store = Store(f"postgresql://ann:{QUOTED}@127.0.0.1:{porter.port}/matches")
        told = await refused(store.ask(Reader.count_by_state))
        await store.close()
    assert type(told) is STATES[state]
    assert set(porter.passwords) == {SECRET}
    assert {**porter.settings[0], "user": "ann", "database": "matches"} == porter.settings[0]
    everything = f"{told} {explain_error(told)} {caplog.text} {''.join(traceback.format_exception(told))}"
    assert not [secret for secret in (SECRET, QUOTED) if secret in everything]


@pytest.mark.parametrize(("state", "times"), [("57P03", 20), ("53300", 1)])
async def test_a_server_that_is_just_starting_is_tried_again(
    state: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.engine.postgres.PAUSE", 0.0)
    async with Porter(state).open() as porter:
        store = Store(f"postgresql://ann@127.0.0.1:{porter.port}/matches?sslmode=disable")
        assert isinstance(await refused(store.ask(Reader.count_by_state)), STATES[state])
        await store.close()
    assert len(porter.settings) == times


@pytest.mark.parametrize("asked", ["ssl=require", "sslmode=require"])
async def test_who_wants_it_encrypted_says_nothing_to_a_server_that_cannot(asked: str) -> None:
    async with Porter("57P01", asks=True).open() as porter:
        store = Store(f"postgresql://ann:secret@127.0.0.1:{porter.port}/matches?{asked}")
        assert "SSL" in explain_error(await refused(store.ask(Reader.count_by_state), Unusable))
        await store.close()
    assert porter.encryptions == 1
    assert porter.settings == porter.passwords == []


async def test_a_pooler_without_its_setting_is_the_hosts_to_mend() -> None:
    async with Porter("08P01", words="unsupported startup parameter: lock_timeout").open() as porter:
        store = Store(f"postgresql://ann@127.0.0.1:{porter.port}/matches?sslmode=disable")
        told = str(await refused(store.ask(Reader.count_by_state), Unusable))
        await store.close()
    assert "lock_timeout" in told and "?statement_cache_size=0" in told


@pytest.mark.parametrize("password", ["p@ss", "@", "a@b:c@d", "p@s/s"])
def test_a_password_may_hold_what_ends_it_elsewhere(password: str) -> None:
    read = parse_address(f"postgresql://ann:{password}@somewhere:5433/matches?sslmode=disable")
    assert (read.username, read.password, read.host, read.port) == ("ann", password, "somewhere", 5433)
    assert (read.database, read.query) == ("matches", {"sslmode": "disable"})
    assert password not in repr(read)


@pytest.mark.parametrize(
    "form",
    [
        "postgresql://postgres@127.0.0.1:{dead},127.0.0.1:{port}/{name}",
        "postgres://postgres@127.0.0.1:{dead},127.0.0.1:{port}/{name}?application_name=some",
        "postgresql://postgres@/{name}?host=127.0.0.1:{dead}&host=127.0.0.1:{port}",
        "postgresql://postgres@/{name}?host=127.0.0.1,127.0.0.1&port={dead},{port}",
        "postgresql://postgres@127.0.0.1:{port}/{name}?target_session_attrs=read-write",
    ],
)
async def test_the_first_server_that_can_be_reached_is_taken(served: str, form: str) -> None:
    async with Relay(served).open() as relay:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))  # nobody listens there
            store = Store(form.format(dead=bound.getsockname()[1], port=relay.port, name=relay.name))
            assert await store.ask(Reader.count_by_state) == {}
            usual = "some" if "some" in form else "graphpaper"
            assert await store.database.read(said("SELECT current_setting('application_name')")) == usual
            await store.close()


async def test_behind_a_pooler_nothing_outlasts_a_transaction(served: str) -> None:
    database = Database(f"{served}&statement_cache_size=0")
    limit = said("SELECT current_setting('statement_timeout')")
    usual = Database(served)
    assert await database.write(limit) == await usual.write(limit) != "0"
    outside = "SELECT reset_val FROM pg_settings WHERE name = 'statement_timeout'"
    assert await database.write(said(outside)) == "0" != await usual.write(said(outside))
    prepared = "SELECT count(*) FROM pg_prepared_statements WHERE name <> ''"
    assert await database.read(said(prepared)) == 0 < await usual.read(said(prepared))
    await database.close()
    await usual.close()


@pytest.mark.parametrize(
    ("changed", "kind"),
    [({"database": "nowhere"}, NoDatabase), ({"username": "nobody"}, NoRole)],
)
async def test_what_there_is_not_is_named(served: str, changed: dict[str, Any], kind: type[Unavailable]) -> None:
    database = Database(replace(parse_address(served), **changed))
    assert type(await refused(database.read(said("SELECT 1")))) is kind
    await database.close()


async def test_a_server_that_is_too_old_is_said_so(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.engine.postgres_connection.OLDEST", 1000)
    database = Database(served)
    told = await refused(database.read(said("SELECT 1")), Unusable)
    assert "needs 1000 or later" in str(told)
    await database.close()


@pytest.mark.parametrize("asked", ["sslmode=perhaps", "host=%5B::1", "target_session_attrs=some"])
async def test_an_address_that_cannot_be_used_is_the_hosts_to_mend(asked: str) -> None:
    database = Database(f"postgresql://ann:secret@/matches?{asked}")
    told = await refused(database.read(said("SELECT 1")))
    await database.close()
    assert isinstance(told, Unusable)
    assert "address can't be used" in str(told)
    assert "secret" not in str(told)


@pytest.mark.parametrize("url", ["postgresql://ann:secret@host:1x/matches", "postgresql:/ann:secret@host"])
def test_an_address_that_cannot_be_read_is_not_repeated(url: str) -> None:
    with pytest.raises(ValueError, match="can't read") as told:
        parse_address(url)
    assert "secret" not in "".join(traceback.format_exception(told.value))
