"""The commands of hosts, a function for each: it prints a sentence and gives an exit status."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Coroutine
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bot.core.library.catalogue import games
from bot.core.values.plural import sentences
from bot.host.advice import advise
from bot.host.commands.forgetting_commands import forgotten_again
from bot.host.commands.health_command import unkept
from bot.host.commands.host_work import UNCHANGED, place, this_command, told
from bot.host.exit_status import UNFIT, complain
from bot.host.this_machine import lots, wall
from bot.settings import Settings
from data.store.forgotten_list import forgotten_list
from data.upkeep import backup as copy
from data.upkeep import integrity as inspection
from data.upkeep import renumber
from data.upkeep.absence import absent, remedy
from data.upkeep.backup_folder import copy_before_migrating, dated
from data.upkeep.file_check import Refused
from data.upkeep.migrate import KEPT
from data.upkeep.migrate import migrate as upgraded
from data.upkeep.running import refuse_where_one_runs
from data.upkeep.sole_writer import alone, beside_a_bot
from data.upkeep.transfer import transfer
from data.upkeep.transfer_marks import said
from data.upkeep.worker_thread import Progress

MENDED = "The ratings of each leaderboard are either unchanged or recomputed."
GOES_ON = "What has been copied stays there. Run the same command to continue."
ONE_URL = (
    "Name the database to move to, like postgresql://user:password@host/name or sqlite:///var/other.db;"
    " with --stay, none."
)
CHECKED = "Checked was {where}. {read}"
NO_FILE = "Name a file for the copy, like graphpaper-copy.db, or a folder."
NO_FOLDER = "There is no folder {folder}: make it with `mkdir -p {make}`, or name a file, without a slash at its end."
NO_RATINGS_OF_COPIES = "A copy stays as it is: check it without --ratings."


def migrate(given: Namespace) -> int:
    """Bring the database's schema up to date; one that is missing is begun with --new alone."""

    async def work(settings: Settings, _progress: Progress) -> str:
        url = place(settings, given)
        if not given.new and (gap := await absent(url)):
            raise Refused(f"{gap}. {remedy(url)}")
        async with alone(url, this_command(), begin=given.new):
            if not given.force:
                await refuse_where_one_runs(url, wall)
            kept = await copy_before_migrating(url, None if given.sandbox else settings.backups, wall)
            done = f"The database is at schema {await upgraded(url, anew=given.new)}."
        return sentences(done, KEPT.format(file=kept) if kept else "")

    return told(given, work)


def backup(given: Namespace) -> int:
    """Copy the database to a file, or to one with a dated name in a folder, while the bot runs."""
    file = Path(given.file)
    if not given.file.strip():
        return complain(NO_FILE, UNFIT)
    if given.file.endswith(os.sep) and not file.is_dir():
        return complain(NO_FOLDER.format(folder=given.file, make=shlex.quote(given.file)), UNFIT)

    def work(settings: Settings, progress: Progress) -> Coroutine[Any, Any, str]:
        named_file = dated(file, wall()) if file.is_dir() else file
        return copy.backup(place(settings, given), named_file, progress, given.force)

    return told(given, work)


def restore(given: Namespace) -> int:
    """Put a copy in the database's place, while the bot is stopped."""

    async def work(settings: Settings, progress: Progress) -> str:
        url = place(settings, given)
        async with alone(url, this_command()):
            done = await copy.restore(Path(given.file), url, wall, lots, given.force, progress)
            return sentences(done, await forgotten_again(url, settings))

    return told(given, work)


def renew(given: Namespace) -> int:
    """Prepare a database on a server for the bot, after the server's own tools have put a copy back."""

    async def work(settings: Settings, _progress: Progress) -> str:
        url = place(settings, given)
        done = await renumber.renew(url, wall, lots)
        return sentences(done, await forgotten_again(url, settings))

    return told(given, work)


def check(given: Namespace) -> int:
    """Replay every match of the store, or of a copy, and compare; recompute the ratings of the store."""
    if given.file and given.ratings:
        return complain(NO_RATINGS_OF_COPIES, UNFIT)
    sound = True

    async def work(settings: Settings, progress: Progress) -> str:
        nonlocal sound
        url = place(settings, given)
        if given.file:
            report = await inspection.check_copy(Path(given.file), games(), progress)
        else:
            async with beside_a_bot(url, this_command()) if given.ratings else nullcontext():
                report = await inspection.check(url, games(), given.ratings, progress)
        sound = report.sound
        of_what = [] if given.file else [CHECKED.format(where=said(url), read=settings.read_from)]
        return "\n".join([*report.lines, *of_what])

    return told(given, work, MENDED if given.ratings else UNCHANGED) or int(not sound)


def move_to(given: Namespace) -> int:
    """Copy the database to another one, while the bot is stopped; or undo a part of that."""
    if given.stay == (given.url is not None):
        return complain(ONE_URL, UNFIT)

    async def work(settings: Settings, progress: Progress) -> str:
        if given.stay:
            source = place(settings, given)
            async with alone(source, this_command()):
                return await transfer.stay(source)
        if given.drop:
            return await transfer.drop(given.url)
        source = place(settings, given)
        async with alone(source, this_command()):
            done = await transfer.move(source, given.url, wall, lots, given.force, progress)
            new, old = (forgotten_list(url, settings.folder) for url in (given.url, source))
            known = {entry.salt for entry in new.entries()}
            new.add(entry for entry in old.entries() if entry.salt not in known)
            return sentences(done, await forgotten_again(given.url, settings))

    return told(given, work, GOES_ON)


def status(given: Namespace) -> int:
    """Print how the bot is, in figures; 1 where `health` says that not all is well."""
    from bot.host.commands.status import status as seen

    well = False

    async def work(settings: Settings, _progress: Progress) -> str:
        nonlocal well
        sandbox = settings.watches_sandbox(given.sandbox)
        advise(settings, sandbox)
        report = await seen(
            settings.watched(given.sandbox), settings.metrics, wall, None if sandbox else settings.backups,
            [*unkept(settings, given.sandbox), settings.read_from],
        )  # fmt: skip
        well = report.sound
        return "\n".join(report.lines)

    told(given, work)
    return int(not well)
