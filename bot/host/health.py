"""The command `health`: a sentence, and exit status 0 or 1, the only ones that container health checks know.

A container runs it once a minute, so this module imports neither discord.py nor the games.
"""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace

from bot.host.machine import set_advice, wall_time
from bot.settings import Settings
from data.engine.address import file_of, parse_address
from data.upkeep import health as database_health
from data.upkeep.hindrance import explain_no_copies


def find_backup_problems(settings: Settings, sandbox: bool) -> list[str]:
    """A sentence where the host wants copies of the database, and none can be made."""
    file = file_of(parse_address(settings.choose_database(sandbox)))
    if file is None or settings.backups is None or settings.watches_sandbox(sandbox):
        return []
    why_not = explain_no_copies(settings.backups, file)
    return [why_not] if why_not else []


def health(given: Namespace) -> int:
    """Print whether the database, the bot and its connection to Discord are well; 1 when they are not."""
    try:
        settings = Settings.read()
        set_advice(settings, settings.watches_sandbox(given.sandbox))
        report = asyncio.run(
            database_health.check_health(settings.choose_database(given.sandbox), wall_time, settings.share)
        )
    except Exception as fault:
        from bot.host.exit_status import explain_ending  # which imports every library for its errors

        if not (end := explain_ending(fault)):
            raise
        print(end[0], file=sys.stderr)
        return 1
    print("\n".join([*report.lines, *find_backup_problems(settings, given.sandbox)]))
    return int(not report.sound)
