"""The command line: `python -m bot` runs the bot; all other commands are for hosts.

Without a token the sandbox is served: a stand-in for Discord on this machine with a chat page, and the bot on it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("graphpaper", description="Graph Paper: pencil-and-paper games on Discord.")
    commands = made.add_subparsers(dest="command", metavar="command")
    run = commands.add_parser("run", help="serve Discord, or the sandbox if there is no DISCORD_TOKEN (default)")
    made.set_defaults(command="run", sandbox=False)
    made.add_argument("--version", action="store_true", help="say which version this is")
    for each in (made, run):
        each.add_argument("--sandbox", action="store_true", help="serve the sandbox even if a token is set")
    replay = commands.add_parser("replay", help="replay match records and print the positions")
    replay.add_argument("file", metavar="FILE", help="a file with one record per line; - reads standard input")
    replay.add_argument("--every", action="store_true", help="print every position along the way")
    replay.add_argument("--legal", action="store_true", help="list the legal moves of each position")
    solve = commands.add_parser("solve", help="print who wins a match with best play, and the best moves")
    solve.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="a file with a record; - reads standard input"
    )
    solve.add_argument("--level", help="search only as deeply as the computer does at this level, 1 to 6")
    solve.add_argument("--nodes", help="search at most this many positions")
    solve.add_argument("--seconds", default="60", help="stop after this many seconds (60)")
    migrate = commands.add_parser("migrate", help="update the database to the form this program needs")
    migrate.add_argument("--new", action="store_true", help="begin with an empty database where none is")
    migrate.add_argument("--anew", action="store_true", dest="new", help=argparse.SUPPRESS)  # as it was once called
    migrate.add_argument("--force", action="store_true", help="even if the bot was running a moment ago")
    backup = commands.add_parser("backup", help="copy the database to a file while the bot is running")
    backup.add_argument("file", metavar="FILE", help="a new file, or a folder that gets one with a dated name")
    backup.add_argument("--force", action="store_true", help="replace a copy that is there already")
    restore = commands.add_parser("restore", help="put a copy back in place of the database while the bot is stopped")
    restore.add_argument("file", metavar="FILE")
    restore.add_argument("--force", action="store_true", help="replace the existing database")
    renew = commands.add_parser("renew", help="after pg_restore, prepare the database so that the bot can go on")
    check = commands.add_parser("check", help="replay and verify every stored match; exit 1 if something is wrong")
    check.add_argument("file", metavar="FILE", nargs="?", help="a copy to look at, in place of the database")
    check.add_argument("--ratings", action="store_true", help="recompute the ratings from the finished matches")
    move_to = commands.add_parser("move-to", help="copy the database to another one while the bot is stopped")
    move_to.add_argument("url", metavar="URL", nargs="?", help="like postgresql://user:password@host/name")
    move_to.add_argument("--force", action="store_true", help="even if the bot was running a moment ago")
    ways = move_to.add_mutually_exclusive_group()
    ways.add_argument("--drop", action="store_true", help="delete what an unfinished move has left there")
    ways.add_argument("--stay", action="store_true", help="let the bot start on the old database again")
    forget = commands.add_parser("forget", help="forget somebody who can't use /privacy, while the bot is stopped")
    export = commands.add_parser("export", help="print everything that is kept about somebody")
    for each in (forget, export):
        each.add_argument("user", metavar="USER", help="their ID, as Discord shows it in developer mode")
    forget_server = commands.add_parser("forget-server", help="delete all of a server, while the bot is stopped")
    forget_server.add_argument("server", metavar="SERVER", help="its ID, as Discord shows it in developer mode")
    for each in (forget, forget_server):
        each.add_argument("--yes", action="store_true", help="don't ask before")
    health = commands.add_parser("health", help="exit 0 if database, bot and connection are healthy; for containers")
    status = commands.add_parser(
        "status", help="how the bot is doing, in figures: people served, boards, database; exit 0 or 1"
    )
    doctor = commands.add_parser(
        "doctor",
        help="try whether Discord does what the bot builds on; posts a few messages and deletes them",
        description="Tries in a text channel whether Discord does what the bot builds on, in about a minute. It posts "
        "a few messages without a sound, tells nobody, makes a thread, and deletes all of it again; it registers no "
        "commands and does not write to the database. A bot that runs with the same token may go on: it hears of these "
        "messages too, and does nothing about them. Exit status 0: all holds, or the bot copes; 1: the bot can't do "
        "without what does not hold, or Discord can't be reached; 2: somebody has to put something right.",
    )
    doctor.add_argument("--channel", metavar="ID", help="the text channel; without it you are asked")
    doctor.add_argument("--press", action="store_true", help="you press a button and send a form when you are asked")
    for each in (migrate, backup, restore, renew, check, move_to, forget, export, forget_server, health, status):
        # Without a default: the --sandbox before the command counts too.
        each.add_argument(
            "--sandbox", action="store_true", default=argparse.SUPPRESS, help="use the sandbox's database"
        )
    # Which then says that there is nothing to try there.
    doctor.add_argument("--sandbox", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return made


INTERRUPTED = 130
"""The exit status after Ctrl+C, as in shells: 128 + SIGINT."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status."""
    try:
        return obey(arguments)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED


def obey(arguments: Sequence[str] | None) -> int:
    """Run a command, and turn Ctrl+C into its exit status."""
    given = parser().parse_args(arguments)
    if given.version:
        from bot.host.machine import version

        print(f"Graph Paper {version()}")
        return 0
    if given.command == "replay":
        # Replay needs neither settings nor Discord, and starts without loading either.
        from bot.play.records import main as replay

        try:
            return replay(given.file, given.every, given.legal)
        except (
            BrokenPipeError
        ):  # the reader has read enough and closed the pipe; Python must not flush the rest at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
    if given.command == "solve":
        from bot.host.solve import solve

        return solve(given)
    if given.command == "health":
        from bot.host.health import health

        return health(given)
    if given.command == "run":
        from bot.host.run import run

        return run(given)
    if given.command == "doctor":
        from bot.host.doctor import doctor

        return doctor(given)
    from bot.host import commands

    act: Callable[[argparse.Namespace], int] = getattr(commands, given.command.replace("-", "_"))
    return act(given)


if __name__ == "__main__":
    sys.exit(main())
