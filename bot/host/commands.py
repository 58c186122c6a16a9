"""The commands of hosts that work on a database."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TextIO

from tqdm import tqdm

from bot.features.leagues.service import LeagueService
from bot.features.settings.service import ForgettingService
from bot.games.catalogue import load_games
from bot.games.wording import Plural, join_sentences, join_words
from bot.host.exit_status import UNFIT, complain, explain_ending
from bot.host.health import find_backup_problems
from bot.host.machine import process_name, rng, seconds_since_boot, set_advice, wall_time
from bot.platform.processes import describe_holder
from bot.play.ids import GuildId, UserId, make_act_id
from bot.settings import Settings
from bot.umpire.umpire import Umpire
from data.engine.sql import refused_statement
from data.store import Reader, Store, open_forgotten_list
from data.upkeep import backups as copy
from data.upkeep import integrity as inspection
from data.upkeep import transfer, upgrade
from data.upkeep.backups import dated_file, make_copy_before_migrating
from data.upkeep.file_check import CommandRefused, Progress
from data.upkeep.health import format_address
from data.upkeep.hindrance import advise_elsewhere, explain_hindrance, format_command
from data.upkeep.integrity import open_existing, refuse_outdated, refuse_where_one_runs
from data.upkeep.sole_writer import be_sole_writer, write_beside_bot
from data.upkeep.upgrade import KEPT, find_missing_database, suggest_remedy
from data.upkeep.upgrade import migrate as upgraded

# Progress of a command: a bar on a terminal, lines in a log, nothing where the command is quick.


QUICK_SECONDS, LINE_SECONDS = 1.0, 10.0
"""Seconds before any progress is shown, and seconds between two lines in a log."""


class ProgressDisplay(Protocol):
    """A way to show progress."""

    def show_progress(self, what: str, done: int, whole: int) -> None:
        """Show that `done` of `whole` are done (whole 0: unknown) in the part `what`."""
        ...

    def close(self) -> None:
        """Clean up, whether the work is done or was interrupted."""
        ...


class ProgressBars:
    """A bar for each part of the work, on a terminal, removed when the part is done."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: Any = None
        self._what = ""

    def show_progress(self, what: str, done: int, whole: int) -> None:
        """Advance the bar of this part."""
        if what != self._what:
            self.close()
            self._what = what
            # Some terminals know no size, and tqdm shows nothing on a bar of no width.
            columns, lines = shutil.get_terminal_size()
            self._bar = tqdm(
                desc=what, total=whole or None, initial=done, file=self._stream, leave=False, delay=QUICK_SECONDS,
                ncols=columns - 1, nrows=lines,
            )  # fmt: skip
        if self._bar.total != (whole or None):
            self._bar.total = whole or None
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
        self._bar, self._what = None, ""


class ProgressLines:
    """A line every ten seconds, and one at the end of each part that has had a line."""

    def __init__(self, stream: TextIO, clock: Callable[[], float]) -> None:
        self._stream, self._clock = stream, clock
        self._said = self._began = clock()
        self._last: tuple[str, int, int] | None = None
        self._written: tuple[str, int, int] | None = None
        self._open = False

    def show_progress(self, what: str, done: int, whole: int) -> None:
        """Write a line if one is due."""
        if self._last and self._last[0] != what:
            self._end()
        self._last = what, done, whole
        if self._clock() - self._said >= LINE_SECONDS:
            self._said = self._clock()
            self._open = True
            self._write()

    def close(self) -> None:
        """Write the last line of the last part."""
        self._end()
        self._last = None

    def _end(self) -> None:
        if self._open and self._last != self._written:
            self._write()
        self._open = False

    def _write(self) -> None:
        assert self._last
        self._written = self._last
        what, done, whole = self._last
        number = f"{done} of {whole} ({100 * done // whole} %)" if whole else str(done)
        seconds = int(self._clock() - self._began)
        print(f"{what}: {number} after {seconds // 60}:{seconds % 60:02}", file=self._stream, flush=True)


@contextmanager
def show_progress(stream: TextIO, clock: Callable[[], float]) -> Generator[Progress]:
    """Show progress on a stream: bars on a terminal, lines elsewhere; `clock` is monotonic, in seconds."""
    way: ProgressDisplay = ProgressBars(stream) if stream.isatty() else ProgressLines(stream, clock)
    try:
        yield way.show_progress
    finally:
        way.close()


# Shared by all commands: which database they work on, and how they end.


UNCHANGED = "Nothing was changed."
ODD = "The database isn't as this program left it ({why}): {check} says what is wrong with it."
INTERRUPTED = 130
"""The exit status after Ctrl+C, as in shells: 128 + SIGINT."""


def database_url(settings: Settings, given: Namespace) -> str:
    """The URL of the database that a command works on: the bot's, or with --sandbox that of the bot on the sandbox."""
    return settings.sandbox_database if given.sandbox else settings.database


def run_and_report(
    given: Namespace, work: Callable[[Settings, Progress], Coroutine[Any, Any, str]], broken: str = UNCHANGED
) -> int:
    """Run a coroutine on the database and print its sentence, or the one for its error; the exit status.

    `broken` describes the state of the database after Ctrl+C.
    """
    try:
        settings = Settings.read()
        set_advice(settings, given.sandbox)
        with show_progress(sys.stderr, seconds_since_boot) as progress:
            said = asyncio.run(work(settings, progress))
        print(said)
    except KeyboardInterrupt:
        return complain(f"Interrupted. {broken}", INTERRUPTED)
    except CommandRefused as fault:
        return complain(str(fault), UNFIT)
    except Exception as fault:
        if why := refused_statement(fault):
            return complain(ODD.format(why=why, check=format_command("check")), UNFIT)
        if end := explain_ending(fault):
            return complain(*end)
        if isinstance(fault, FileNotFoundError | ValueError):  # of a database that is not there, or of an address
            return complain(str(fault), UNFIT)
        if isinstance(fault, OSError):
            return complain(explain_hindrance(fault, Path("a file"), advise_elsewhere()), UNFIT)
        raise
    return 0


def describe_command() -> str:
    """The sentence for other processes that want the database's lock meanwhile."""
    return describe_holder(process_name())


# Commands that export what is stored about a user, and forget users and servers.


YES = "yes"
GO_ON = "Type yes to go on:"
NO_TERMINAL = "Nothing was changed: nobody can be asked here, since this is no terminal. Add --yes if you mean it."
NO_NUMBER = "{what} is no ID: it is a whole number, which Discord shows in developer mode."
MOST_DIGITS = 20
LEAVES = Plural("1 match that goes on, which they lose", "{number} matches that go on, which they lose")
OVER = Plural("1 match that is over", "{number} matches that are over")
RATED = Plural("ratings in 1 server", "ratings in {number} servers")
HOLDS = Plural("1 match", "{number} matches")
UNKNOWN = "Nothing is kept about user {number}, but an older copy may hold them."
PERSON = "About user {number} is kept: {found}. All that goes for good, and finished matches stay without them."
FORGOTTEN = "User {number} is forgotten. No copy that you put back here brings them back."
UNKNOWN_SERVER = "Nothing is kept about server {number}, but an older copy may hold it."
SERVER = "Of server {number} is kept: {found}, with ratings, leagues and settings. All that goes for good."
ERASED = "All of server {number} is deleted. No copy that you put back here brings it back."
NOTHING_OF = "Nothing was kept about {what} {number}. No copy that you put back here brings anything back."
"""Printed afterwards for an ID that is not in the database, which may be a typing error."""


class ForgetPrompt(NamedTuple):
    """The question that a host confirms, and the sentence afterwards."""

    question: str
    done: str


def forget(given: Namespace) -> int:
    """Forget a user, as `/privacy forget` does."""

    def make_prompt(reader: Reader, number: int) -> ForgetPrompt:
        kept = reader.export_person(number)
        states = Counter("live" if row["state"] in ("live", "open") else "over" for row in kept["matches"])
        servers = len({row["guild"] for row in kept["ratings"]})
        found = [
            plural.fill_in(count)
            for plural, count in ((LEAVES, states["live"]), (OVER, states["over"]), (RATED, servers))
            if count
        ]
        known = any(rows for name, rows in kept.items() if name != "user")
        what = PERSON.format(number=number, found=join_words(found) or "what they chose") if known else UNKNOWN
        done = FORGOTTEN if known else NOTHING_OF
        return ForgetPrompt(what.format(number=number), done.format(what="user", number=number))

    async def forget_person(forgetting: ForgettingService, number: int) -> None:
        await forgetting.forget_person(make_act_id("forget", number, int(wall_time())), UserId(number))

    return _run_forgetting(given, given.user, make_prompt, forget_person)


def forget_server(given: Namespace) -> int:
    """Delete all that is stored of a server."""

    def make_prompt(reader: Reader, number: int) -> ForgetPrompt:
        known, count = number in reader.list_servers(), reader.count_matches_in(number)
        what = (
            SERVER.format(number=number, found=HOLDS.fill_in(count) if count else "no match")
            if known
            else UNKNOWN_SERVER
        )
        done = ERASED if known else NOTHING_OF
        return ForgetPrompt(what.format(number=number), done.format(what="server", number=number))

    async def forget_guild(forgetting: ForgettingService, number: int) -> None:
        await forgetting.forget_server(GuildId(number))

    return _run_forgetting(given, given.server, make_prompt, forget_guild)


def export(given: Namespace) -> int:
    """Print what is stored about a user, as `/privacy export` sends it."""

    async def work(settings: Settings, _progress: object) -> str:
        number, url = read_number(given.user), database_url(settings, given)
        async with open_existing(url) as database:
            kept = await database.read(
                lambda connection: (refuse_outdated(connection), Reader(connection).export_person(number))
            )
        return json.dumps(kept[1], indent=1)

    return run_and_report(given, work)


async def forget_again(url: str, settings: Settings) -> str:
    """Forget again the users that a restored copy has brought back; a sentence about them, or an empty string."""
    async with _open_forgetting(url, settings) as (forgetting, _):
        return str(await forgetting.forget_again())


def _run_forgetting(
    given: Namespace,
    what: str,
    asked: Callable[[Reader, int], ForgetPrompt],
    done: Callable[[ForgettingService, int], Coroutine[Any, Any, None]],
) -> int:
    async def work(settings: Settings, _progress: object) -> str:
        number, url = read_number(what), database_url(settings, given)
        if gap := await find_missing_database(url):
            raise CommandRefused(f"{gap}. {suggest_remedy(url)}")
        async with be_sole_writer(url, describe_command()):
            async with open_existing(url) as database:
                await database.read(refuse_outdated)
            async with _open_forgetting(url, settings) as (forgetting, store):
                again = str(await forgetting.forget_again())
                found = await store.ask(asked, number)
                if not given.yes:
                    await asyncio.to_thread(ask_host, found.question)
                await done(forgetting, number)
        return join_sentences(again, found.done)

    return run_and_report(given, work)


@asynccontextmanager
async def _open_forgetting(url: str, settings: Settings) -> AsyncGenerator[tuple[ForgettingService, Store]]:
    store = Store(url, forgotten=open_forgotten_list(url, settings.database_folder))
    try:

        def clock() -> int:
            return int(wall_time())

        leagues = LeagueService(store, load_games(), clock, rng)
        yield ForgettingService(Umpire(store, load_games(), clock, rng), leagues), store
    finally:
        await store.close()


def read_number(text: str) -> int:
    """Parse the ID of a user or server, or raise `Refused`."""
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS and 0 < int(text) < 2**63):
        raise CommandRefused(NO_NUMBER.format(what=text))
    return int(text)


def ask_host(question: str) -> None:
    """Ask for confirmation at the terminal; raises `Refused` where it is not given, or there is no terminal."""
    if not sys.stdin.isatty():
        raise CommandRefused(NO_TERMINAL)
    print(question, GO_ON, end=" ", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() != YES:
        raise CommandRefused(UNCHANGED)


# The commands, a function each: it prints a sentence and returns the exit status.


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
    """Migrate the database's schema; a missing database is created with --new only."""

    async def work(settings: Settings, _progress: Progress) -> str:
        url = database_url(settings, given)
        if not given.new and (gap := await find_missing_database(url)):
            raise CommandRefused(f"{gap}. {suggest_remedy(url)}")
        async with be_sole_writer(url, describe_command(), begin=given.new):
            if not given.force:
                await refuse_where_one_runs(url, wall_time)
            kept = await make_copy_before_migrating(url, None if given.sandbox else settings.backups, wall_time)
            done = f"The database is at schema {await upgraded(url, anew=given.new)}."
        return join_sentences(done, KEPT.format(file=kept) if kept else "")

    return run_and_report(given, work)


def backup(given: Namespace) -> int:
    """Copy the database to a file, or to one with a dated name in a folder, while the bot runs."""
    file = Path(given.file)
    if not given.file.strip():
        return complain(NO_FILE, UNFIT)
    if given.file.endswith(os.sep) and not file.is_dir():
        return complain(NO_FOLDER.format(folder=given.file, make=shlex.quote(given.file)), UNFIT)

    def work(settings: Settings, progress: Progress) -> Coroutine[Any, Any, str]:
        named_file = dated_file(file, wall_time()) if file.is_dir() else file
        return copy.backup(database_url(settings, given), named_file, progress, given.force)

    return run_and_report(given, work)


def restore(given: Namespace) -> int:
    """Replace the database by a copy, while the bot is stopped."""

    async def work(settings: Settings, progress: Progress) -> str:
        url = database_url(settings, given)
        async with be_sole_writer(url, describe_command()):
            done = await copy.restore(Path(given.file), url, wall_time, rng, given.force, progress)
            return join_sentences(done, await forget_again(url, settings))

    return run_and_report(given, work)


def renew(given: Namespace) -> int:
    """Prepare a database on a server for the bot, after the server's own tools have put a copy back."""

    async def work(settings: Settings, _progress: Progress) -> str:
        url = database_url(settings, given)
        done = await upgrade.renew(url, wall_time, rng)
        return join_sentences(done, await forget_again(url, settings))

    return run_and_report(given, work)


def check(given: Namespace) -> int:
    """Replay every match of the store, or of a copy, and compare; recompute the ratings of the store."""
    if given.file and given.ratings:
        return complain(NO_RATINGS_OF_COPIES, UNFIT)
    sound = True

    async def work(settings: Settings, progress: Progress) -> str:
        nonlocal sound
        url = database_url(settings, given)
        if given.file:
            report = await inspection.check_copy(Path(given.file), load_games(), progress)
        else:
            async with write_beside_bot(url, describe_command()) if given.ratings else nullcontext():
                report = await inspection.check_database(url, load_games(), given.ratings, progress)
        sound = report.sound
        of_what = [] if given.file else [CHECKED.format(where=format_address(url), read=settings.read_from)]
        return "\n".join([*report.lines, *of_what])

    return run_and_report(given, work, MENDED if given.ratings else UNCHANGED) or int(not sound)


def move_to(given: Namespace) -> int:
    """Copy the database to another one while the bot is stopped, or undo an interrupted copy."""
    if given.stay == (given.url is not None):
        return complain(ONE_URL, UNFIT)

    async def work(settings: Settings, progress: Progress) -> str:
        if given.stay:
            source = database_url(settings, given)
            async with be_sole_writer(source, describe_command()):
                return await transfer.undo_leaving(source)
        if given.drop:
            return await transfer.drop_unfinished(given.url)
        source = database_url(settings, given)
        async with be_sole_writer(source, describe_command()):
            done = await transfer.move_database(source, given.url, wall_time, rng, given.force, progress)
            new, old = (open_forgotten_list(url, settings.database_folder) for url in (given.url, source))
            known = {entry.salt for entry in new.read_entries()}
            new.add_entries(entry for entry in old.read_entries() if entry.salt not in known)
            return join_sentences(done, await forget_again(given.url, settings))

    return run_and_report(given, work, GOES_ON)


def status(given: Namespace) -> int:
    """Print the bot's figures; 1 where `health` reports a problem."""
    from bot.host.status import write_report as seen

    well = False

    async def work(settings: Settings, _progress: Progress) -> str:
        nonlocal well
        sandbox = settings.watches_sandbox(given.sandbox)
        set_advice(settings, sandbox)
        report = await seen(
            settings.choose_database(given.sandbox), settings.metrics, wall_time, None if sandbox else settings.backups,
            [*find_backup_problems(settings, given.sandbox), settings.read_from],
        )  # fmt: skip
        well = report.sound
        return "\n".join(report.lines)

    run_and_report(given, work)
    return int(not well)
