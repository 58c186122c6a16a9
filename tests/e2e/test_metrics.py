"""The metrics while people play: their labels are few and known, and none is about a person.

The page is asked for at a real port, and one port is taken by a real socket.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot import VERSION
from bot.host.machine import wall_time
from bot.host.metrics_page import CONNECTIONS, EVERY, MetricsEndpoint, StoredFigures, find_data_folders, free_bytes
from bot.host.serving import log_introduction, measure_lag, serve_metrics
from bot.host.status import write_report
from bot.platform import metrics
from bot.settings import Address, Settings
from data.engine.errors import Unavailable
from data.queries.sweeps import Figures
from data.store import Reader
from tests.e2e.harness import CALLBACK, MESSAGE, WAITING, Harness
from tests.e2e.test_database_lost import LOST, deleted, lost
from tests.support.waiting import PATIENCE, until

LABELS: dict[str, set[str]] = {
    "kind": {*metrics.KINDS, "read", "write"},
    "outcome": {*metrics.OUTCOMES, *metrics.ENDINGS},
    "event": {*metrics.EVENTS},
    "level": {*metrics.DEPTHS},
    "part": {"file", "wal", "server"},
    "status": {*map(str, range(100, 600)), "none"},
    "generation": {"0", "1", "2"},
    "way": {*metrics.WAYS},
    "taken": {"yes", "no"},
    "holds": {"database", "copies"},
}
"""All that labels may say, but for bounds of histograms and what the build is."""
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@asynccontextmanager
async def asked(harness: Harness) -> AsyncGenerator[str]:
    """The address where the harness's bot tells what is measured."""
    client = harness.life.client
    endpoint = MetricsEndpoint(client.metrics, StoredFigures(client.umpire, client.metrics))
    try:
        yield await endpoint.start_serving(Address("127.0.0.1", 0))
    finally:
        await endpoint.close()


async def told(page: str) -> Samples:
    """All samples on a page."""
    async with aiohttp.ClientSession() as session, session.get(page) as answer:
        assert answer.status == 200
        text = await answer.text()
    families = text_string_to_metric_families(text)
    return {(one.name, tuple(sorted(one.labels.items()))): one.value for family in families for one in family.samples}


def read(harness: Harness) -> Samples:
    """All samples of the harness's bot, without a page."""
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in harness.life.client.metrics.registry.collect()
        for one in family.samples
    }


def count(samples: Samples, name: str, **labels: str) -> float:
    """The sum of all samples of a name that have these labels."""
    wanted = set(labels.items())
    return sum(value for (found, given), value in samples.items() if found == name and wanted <= set(given))


async def played(harness: Harness) -> None:
    """A story in which much happens: moves, a pad, a refusal, somebody typing."""
    match = await harness.match()
    await match.move("b2")
    await harness.ann.command("binary-primes move", channel=match.place, square="b2")
    await harness.bea.press((await match.fresh()).board, "Move")
    await harness.bea.complete("binary-primes move", "square", channel=match.place, square="")
    await (await harness.against(level=1)).move("b2")
    await harness.answered()


@pytest.mark.sockets
async def test_a_story_is_measured(harness: Harness) -> None:
    """One story, since it takes seconds: the words, the counts, and what a terminal shows of them."""
    await played(harness)
    async with asked(harness) as page:
        samples = await told(page)
        host, _, port = page.removeprefix("http://").removesuffix("/metrics").partition(":")
        report = await write_report(harness.url, Address(host, int(port)), wall_time)
    expect_known_words(samples)
    expect_counts(samples)
    expect_lines(report.lines, page)


def expect_known_words(samples: Samples) -> None:
    """Labels say nothing but what is listed, and name nobody."""
    for (name, labels), value in samples.items():
        for label, said in labels:
            assert not re.search(r"\d{15}", said), f"{name} names somebody: {label}={said}"
            if label == "le" or name in ("graphpaper_build_info", "python_info"):
                continue
            assert said in LABELS[label], f"{name}: {label}={said}"
        assert not name.startswith("graphpaper_") or value >= 0 or value != value


def expect_counts(samples: Samples) -> None:
    """What people did and got is counted."""
    acts = "graphpaper_acts_total"
    assert count(samples, acts, kind="command", outcome="refused") == 1
    assert count(samples, acts, kind="command", outcome="done") >= 2
    assert count(samples, acts, kind="button", outcome="done") == 2
    assert count(samples, acts, kind="autocompletion", outcome="done") == 1
    assert count(samples, acts, outcome="failed") == 0
    # Every one was answered, the refusal too.
    assert count(samples, "graphpaper_answer_seconds_count") == count(samples, acts)
    assert count(samples, "graphpaper_board_seconds_count") >= 3
    assert count(samples, "graphpaper_search_seconds_count", level="1") >= 1
    assert count(samples, "graphpaper_matches_live") == 2 and count(samples, "graphpaper_boards_lagging") == 0
    assert count(samples, "graphpaper_transactions_total", kind="write", outcome="done") > 3
    assert count(samples, "graphpaper_shards_connected") == 1
    assert count(samples, "graphpaper_database_bytes", part="file") > 0
    assert count(samples, "graphpaper_rest_requests_total", status="200") > 3
    assert count(samples, "graphpaper_leader") == 1


def expect_lines(said: tuple[str, ...], page: str) -> None:
    """A terminal of eighty columns shows the same."""
    lines = [" ".join(line.split()) for line in said]
    assert "live matches 2" in lines and f"What the process at {page} has measured since it started" in lines
    assert any(re.match(r"what people did \d+: \d+ done, 1 refused", line) for line in lines)
    assert any(re.match(r"answers p50 .*% within 3 s", line) for line in lines)
    assert "Discord connected 1 of 1, 0 lost since the start" in lines
    assert [line for line in said[2:] if len(line) > 80] == []


async def test_what_discord_refuses_stands_apart(harness: Harness) -> None:
    harness.forgiven += ["We are being rate limited"]
    harness.faults.fail_requests("POST", CALLBACK, 502, applied=True)
    match = await harness.challenge()
    harness.faults.rate_limit("PATCH", MESSAGE, retry_after=0.05)
    await harness.bea.press(match.lobby, "Join")
    await harness.settled()
    samples = read(harness)
    assert count(samples, "graphpaper_already_answered_total") == 1
    assert count(samples, "graphpaper_rest_requests_total", status="502") == 1
    assert count(samples, "graphpaper_rest_requests_total", status="429") == 1


async def test_a_lost_database_is_no_mistake_of_peoples(harness: Harness) -> None:
    harness.forgiven += [LOST, "Looking for what is due failed", "The database could not be used", WAITING]
    with lost(harness, deleted):
        await harness.ann.command("matches")
        await harness.life.idle()
    samples = read(harness)
    assert count(samples, "graphpaper_acts_total", kind="command", outcome="unavailable") == 1
    assert count(samples, "graphpaper_transactions_total", outcome="unavailable") >= 1


async def test_a_lost_connection_is_counted(harness: Harness) -> None:
    await harness.faults.close_gateway()
    await harness.until(lambda: count(read(harness), "graphpaper_gateway_events_total", event="resumed"))
    assert count(read(harness), "graphpaper_gateway_events_total", event="disconnect") == 1


async def test_the_host_is_told_where_to_ask(
    harness: Harness, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.host.serving.FEED", 0.01)
    client, fed = harness.life.client, list[float]()
    client.settings = replace(client.settings, metrics=Address("127.0.0.1", 0), database=harness.url)
    with caplog.at_level("INFO", "bot.host.metrics_page"):
        beside = [asyncio.create_task(measure_lag(client.metrics.observe_loop_lag, fed.append))]
        beside += [asyncio.create_task(serve_metrics(client, "0011"))]
        try:
            await until(lambda: "What is measured is told at" in caplog.text and fed)
            samples = await told(caplog.messages[-1].rpartition(" ")[2])
        finally:
            for task in beside:
                task.cancel()
            await asyncio.wait(beside)
    assert count(samples, "graphpaper_build_info", version=VERSION, schema="0011", share="all") == 1
    assert count(samples, "graphpaper_loop_lag_seconds_count") >= 1 and set(fed) == {0.01}
    assert count(samples, "process_resident_memory_bytes") > 0
    assert count(samples, "graphpaper_disk_free_bytes", holds="database") > 0


async def test_a_start_tells_what_runs_in_one_line(
    harness: Harness, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await harness.match()
    client = harness.life.client
    client.settings = replace(client.settings, database="postgresql://ann:hush@db:5433/matches?password=hush")
    told = (
        f"Ready as {client.user}. Version: {VERSION}. Database: postgresql://ann:…@db:5433/matches, schema 0014. "
        "Live matches: {}. Servers: 1."
    )
    with caplog.at_level("INFO", "bot.host.serving"):
        await log_introduction(client, "0014")
        monkeypatch.setattr(client.umpire.store, "ask", away)
        await log_introduction(client, "0014")
    assert [one for one in caplog.messages if one.startswith("Ready")] == [told.format(1), told.format("unknown")]


async def away(_: object) -> None:
    raise Unavailable


async def test_only_one_page_is_told_and_only_read(harness: Harness) -> None:
    async with asked(harness) as page, aiohttp.ClientSession() as session:
        for method, address, status in (
            ("GET", page.removesuffix("/metrics"), 404),
            ("GET", f"{page}/more", 404),
            ("POST", page, 405),
            ("HEAD", page, 405),
        ):
            async with session.request(method, address) as answer:
                assert answer.status == status


@pytest.mark.sockets
async def test_nobody_holds_the_page_with_half_requests(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.host.metrics_page.LONGEST", 0.5, raising=False)
    async with asked(harness) as page:
        port = int(page.rpartition(":")[2].partition("/")[0])
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(100)]
        for _, writer in held:
            writer.write(b"GET /metrics HTTP/1.1\r\nHost: here\r\nAccept")
        async with asyncio.timeout(5):
            for reader, _ in held:
                with suppress(ConnectionError):
                    assert await reader.read() == b"", "cut, with no answer"
        for _, writer in held:
            writer.close()
        assert await told(page)


@pytest.mark.sockets
async def test_no_more_connections_are_held_than_there_may_be(harness: Harness) -> None:
    async with asked(harness) as page:
        port = int(page.rpartition(":")[2].partition("/")[0])
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS + 20)]
        async with asyncio.timeout(PATIENCE):
            for reader, _ in held[CONNECTIONS:]:
                with suppress(ConnectionError):
                    assert await reader.read() == b"", "cut, with no answer"
        assert not any(reader.at_eof() for reader, _ in held[:CONNECTIONS]), "there is room for these"
        for _, writer in held:
            writer.close()
        found = Samples()
        async with asyncio.timeout(PATIENCE):
            while not found:
                with suppress(aiohttp.ClientError):  # the bot hears of that in a moment
                    found = await told(page)


@pytest.mark.sockets
async def test_whoever_asks_for_a_strange_form_gets_the_usual_one(harness: Harness) -> None:
    strange = ["application/openmetrics-text; version=x", "text/plain; version=; escaping", "; ;, a/b; q=x", "*" * 5000]
    async with asked(harness) as page, aiohttp.ClientSession() as session:
        for accept in strange:
            async with session.get(page, headers={"Accept": accept}) as answer:
                assert answer.status == 200, accept
                assert answer.content_type == "text/plain"


@pytest.mark.sockets
async def test_a_port_that_is_taken_is_tried_again(
    harness: Harness, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.host.metrics_page.FIRST_PAUSE", 0.01)
    harness.forgiven += ["cannot be listened at"]
    client = harness.life.client
    taken = socket.create_server(("127.0.0.1", 0))
    place = Address("127.0.0.1", taken.getsockname()[1])
    client.settings = replace(client.settings, metrics=place)
    with caplog.at_level("INFO", "bot.host.metrics_page"):
        measuring = asyncio.create_task(serve_metrics(client, "0011"))
        try:
            sentence = f"The figures cannot be served: {place} cannot be listened at (Address already in use)."
            await until(lambda: harness.complaints_of(f"{sentence} The bot goes on, and tries again in 0 s."))
            await until(lambda: harness.complaints_of(sentence)[2:])
            taken.close()
            await until(lambda: f"What is measured is told at http://{place}/metrics" in caplog.text)
            assert await told(f"http://{place}/metrics")
        finally:
            measuring.cancel()
            await asyncio.wait([measuring])


@pytest.mark.sockets
async def test_a_host_that_is_none_is_tried_again_too(harness: Harness) -> None:
    harness.forgiven += ["cannot be listened at"]
    client = harness.life.client
    client.settings = replace(client.settings, metrics=Address("a..b", 9464))
    measuring = asyncio.create_task(serve_metrics(client, "0011"))
    try:
        await until(lambda: harness.complaints_of("a..b:9464 cannot be listened at"))
        assert not measuring.done()
    finally:
        measuring.cancel()
        await asyncio.wait([measuring])


def test_what_is_free_is_told_of_the_disks_of_this_machine(tmp_path: Path) -> None:
    here = Settings(database=f"sqlite:///{tmp_path}/graphpaper.db", backups=tmp_path / "copies")
    assert find_data_folders(here) == {"database": tmp_path, "copies": tmp_path / "copies"}
    assert free_bytes(find_data_folders(here)).keys() == {"database"}, "copies have no folder yet"
    assert find_data_folders(replace(here, backups=None)).keys() == {"database"}
    assert find_data_folders(replace(here, database="postgresql://ann@there/matches")) == {}


async def test_the_database_is_not_asked_at_every_question(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    client, now, looks = harness.life.client, 0.0, 0
    stored = StoredFigures(client.umpire, client.metrics, clock=lambda: now)
    usual = Reader.read_figures

    def figures(reader: Reader) -> Figures:
        nonlocal looks
        looks += 1
        return usual(reader)

    monkeypatch.setattr(Reader, "read_figures", figures)
    for moment, expected in ((0.0, 1), (0.0, 1), (EVERY - 0.1, 1), (EVERY, 2)):
        now = moment
        await stored.read()
        await until(lambda: stored.looking is None)
        assert looks == expected
