"""The troubles that are made, each with the alarms that must ring: for a real bot, as they come to a host."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply
from data.upkeep.upgrade import migrate
from tests.rings.scene import Scene, until

MEGABYTE = 1_000_000
MANY = 10**6
"""More requests than there are."""
A_SCRAPE = 20.0
"""Seconds within which Prometheus has asked once more."""
AGO = timedelta(days=3)

Act = Callable[[Scene], Coroutine[None, None, None]]


@dataclass(frozen=True)
class Cause:
    """A trouble: `begin` sets the scene of a bot that is well, `make` makes it; `rings` are the alarms for it."""

    name: str
    rings: tuple[str, ...]
    begin: Act
    make: Act
    as_root: bool = False


async def one_bot(scene: Scene) -> None:
    """A bot, watched."""
    await scene.begin()
    await scene.watch()


async def with_a_switch(scene: Scene) -> None:
    """A bot that calls a dead man's switch, watched; it has called once."""
    await scene.begin(GRAPHPAPER_ALIVE=await scene.switch())
    await scene.watch()
    await until(lambda: scene.calls)


async def killed(scene: Scene) -> None:
    """The process ends at once, as where memory has run out."""
    await scene.bots[0].kill()
    scene.calls = 0


async def frozen(scene: Scene) -> None:
    """The process stands still, and so does its watchdog."""
    scene.bots[0].signal(signal.SIGSTOP)


async def unwatched(scene: Scene) -> None:
    """A Prometheus whose job has another name."""
    await scene.watch("another")


async def nothing(_: Scene) -> None:
    """The scene was the trouble."""


async def without_its_file(scene: Scene) -> None:
    """The database's file is gone, as where its volume is not mounted any more; people go on."""
    for file in scene.folder.glob("bot-0.db*"):
        file.rename(file.with_name(f"away-{file.name}"))
    for _ in range(3):
        await tried(scene, "matches")
        await asyncio.sleep(A_SCRAPE)


async def without_discord(scene: Scene) -> None:
    """Nobody answers at Discord's address."""
    await scene.sandbox.stop()


async def begun_again_and_again(scene: Scene) -> None:
    """It is killed and started anew, four times in a few minutes."""
    for times in range(2, 6):
        await scene.bots[0].kill()
        await scene.bots[0].start()
        await scene.ready(scene.bots[0], times)
        await asyncio.sleep(A_SCRAPE)


async def on_a_small_disk(scene: Scene) -> None:
    """A bot whose database lies on a disk of 250 MB."""
    await scene.begin(f"sqlite:///{scene.memory(250)}/graphpaper.db")
    await scene.watch()


async def nearly_full(scene: Scene) -> None:
    """Somebody else fills the disk up to 50 MB."""
    (scene.folder / "disk/film").write_bytes(bytes(200 * MEGABYTE))


async def with_copies_that_fail(scene: Scene) -> None:
    """A bot that has a copy of three days ago, and no room for another."""
    disk = scene.memory(1)
    at = datetime.now(UTC) - AGO
    (disk / f"graphpaper-{at:%Y-%m-%d-%H%M%S}-daily.db").write_bytes(b"a copy")
    with suppress(OSError), (disk / "film").open("wb", buffering=0) as film:
        while True:
            film.write(bytes(4096))
    await scene.begin(GRAPHPAPER_BACKUPS=str(disk))
    await scene.watch()


async def boards_refused(scene: Scene) -> None:
    """Discord takes no message and no edit, and somebody plays."""
    for method, route in (("POST", "/channels/{id}/messages"), ("PATCH", "/channels/{id}/messages/{id}")):
        scene.sandbox.faults.fail_requests(method, route, 500, times=MANY)
    await tried(scene, "play", game="binary-primes", opponent=scene.sandbox.person("Bea"))


async def answers_too_late(scene: Scene) -> None:
    """The machine is so busy that the process does not run for six seconds while five people press."""
    for _ in range(4):
        await tried(scene, "matches")
    scene.bots[0].signal(signal.SIGSTOP)
    pressing = [asyncio.create_task(tried(scene, "matches", by=name)) for name in ("Ann", "Bea", "Cem", "Dora") * 2]
    await asyncio.sleep(6)
    scene.bots[0].signal(signal.SIGCONT)
    await asyncio.gather(*pressing)


async def on_a_server(scene: Scene) -> None:
    """A bot on PostgreSQL."""
    from tests.support.postgres import server

    postgres = await asyncio.to_thread(server)
    await scene.begin(await asyncio.to_thread(postgres.kept))
    await scene.watch()


async def another_on_the_same(scene: Scene) -> None:
    """A second bot is started on the same database, for the same servers."""
    await scene.begin(scene.bots[0].environment["GRAPHPAPER_DATABASE"])


async def two_bots(scene: Scene) -> None:
    """Two bots with one token, on a database each, the second of which somebody has begun on purpose."""
    other = f"sqlite:///{scene.folder / 'other.db'}"
    await scene.begin()
    await migrate(other, anew=True)
    await scene.begin(other)
    await scene.watch()


async def people_ask_both(scene: Scene) -> None:
    """People ask, and both answer."""
    for _ in range(12):
        await tried(scene, "matches")
        await asyncio.sleep(2)


async def tried(scene: Scene, command: str, by: str = "Ann", **options: object) -> BotReply | None:
    """What somebody is answered, if anything."""
    with suppress(ClientRefusal, NoAnswerInTime):
        return await scene.sandbox.person(by).command(command, channel="games", **options)
    return None


CAUSES = (
    Cause(
        "the bot is killed", ("GraphPaperDown", "GraphPaperNoHeartbeat", "GraphPaperNoLeader"), with_a_switch, killed
    ),
    Cause("the bot stands still", ("GraphPaperDown", "GraphPaperNoHeartbeat"), one_bot, frozen),
    Cause("Prometheus asks nobody", ("GraphPaperUnwatched",), unwatched, nothing),
    Cause(
        "the database's file is gone",
        ("GraphPaperNoHeartbeat", "GraphPaperNoLeader", "GraphPaperFailing"), one_bot, without_its_file,
    ),
    Cause("Discord is away", ("GraphPaperDisconnected",), one_bot, without_discord),
    Cause("the bot begins again and again", ("GraphPaperRestarts",), one_bot, begun_again_and_again),
    Cause("the disk is nearly full", ("GraphPaperDiskFull",), on_a_small_disk, nearly_full, as_root=True),
    Cause(
        "there is no room for copies", ("GraphPaperDiskFull", "GraphPaperCopyOld"), with_copies_that_fail, nothing,
        as_root=True,
    ),
    Cause("Discord takes no boards", ("GraphPaperBoardsLate",), one_bot, boards_refused),
    Cause("the process does not run for seconds", ("GraphPaperTooSlow",), one_bot, answers_too_late),
    Cause("two processes on one database", ("GraphPaperTwins",), on_a_server, another_on_the_same),
    Cause(
        "a second bot with the token", ("GraphPaperAnsweredElsewhere", "GraphPaperNoLeader"), two_bots, people_ask_both,
    ),
)  # fmt: skip
"""Every trouble; between them every alarm rings."""


def is_root() -> bool:
    """Whether small disks can be made here."""
    return os.geteuid() == 0 and Path("/proc/mounts").exists()
