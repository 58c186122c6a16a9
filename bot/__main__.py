"""The command line: `python -m bot` serves people; all other commands are for hosts.

Without a token the sandbox is served: a stand-in for Discord on this machine with a chat page, and the bot on it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    made = argparse.ArgumentParser("graphpaper", description="Graph Paper: pencil-and-paper games on Discord.")
    commands = made.add_subparsers(dest="command", metavar="command")
    run = commands.add_parser("run", help="serve Discord, or the sandbox if there is no DISCORD_TOKEN (default)")
    made.set_defaults(command="run", sandbox=False)
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
    migrate.add_argument("--anew", action="store_true", help="start with an empty database, whatever lies beside it")
    backup = commands.add_parser("backup", help="copy the database to a file while the bot is running")
    backup.add_argument("file", metavar="FILE")
    restore = commands.add_parser("restore", help="put a copy back in place of the database while the bot is stopped")
    restore.add_argument("file", metavar="FILE")
    restore.add_argument("--force", action="store_true", help="replace the existing database")
    renew = commands.add_parser("renew", help="after pg_restore, prepare the database so that the bot can go on")
    check = commands.add_parser("check", help="replay and verify every stored match; exit 1 if something is wrong")
    check.add_argument("--ratings", action="store_true", help="recompute the ratings from the finished matches")
    move_to = commands.add_parser("move-to", help="copy the database to another one while the bot is stopped")
    move_to.add_argument("url", metavar="URL", nargs="?", help="like postgresql://user:password@host/name")
    move_to.add_argument("--force", action="store_true", help="even if the bot was running a moment ago")
    ways = move_to.add_mutually_exclusive_group()
    ways.add_argument("--drop", action="store_true", help="delete what an unfinished move has left there")
    ways.add_argument("--stay", action="store_true", help="let the bot start on the old database again")
    health = commands.add_parser("health", help="exit 0 if database, bot and connection are healthy; for containers")
    status = commands.add_parser(
        "status", help="how the bot is doing, in figures: people served, boards, database; exit 0 or 1"
    )
    for each in (migrate, backup, restore, renew, check, move_to, health, status):
        # Without a default: the --sandbox before the command counts too.
        each.add_argument(
            "--sandbox", action="store_true", default=argparse.SUPPRESS, help="use the sandbox's database"
        )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status."""
    given = parser().parse_args(arguments)
    if given.command == "replay":
        # Replay needs neither settings nor Discord, and starts without loading either.
        from bot.core.library.replay import main as replay

        try:
            return replay(given.file, given.every, given.legal)
        except (
            BrokenPipeError
        ):  # the reader has read enough and closed the pipe; Python must not flush the rest at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
    if given.command == "solve":
        from bot.host.commands.solve_command import solve

        return solve(given)
    if given.command == "health":
        from bot.host.commands.health_command import health

        return health(given)
    if given.command == "run":
        from bot.host.commands.run_command import run

        return run(given)
    from bot.host.commands import host_commands

    act: Callable[[argparse.Namespace], int] = getattr(host_commands, given.command.replace("-", "_"))
    return act(given)


if __name__ == "__main__":
    sys.exit(main())
