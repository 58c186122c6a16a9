"""Writes the commands and settings that sentences advise as this host has to type them.

A sentence is about one database, and what it advises has to be about the same one. Which that is, and how the program
is called, is the same for a whole process; the command that begins says so here, once.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass


@dataclass(slots=True)
class Typing:
    """How this process was called, and whether its database is the sandbox's."""

    program: str = "python -m bot"
    sandbox: bool = False


HERE = Typing()

PLACES = ("GRAPHPAPER_DATABASE", "GRAPHPAPER_SANDBOX_FOLDER")
ELSEWHERE = (
    "set GRAPHPAPER_DATABASE to a file that only the bot uses",
    "set GRAPHPAPER_SANDBOX_FOLDER to a folder that only the sandbox uses",
)


def command(*words: object) -> str:
    """A command in backquotes, like `` `python -m bot --sandbox restore FILE` ``."""
    sandbox = ["--sandbox"] if HERE.sandbox else []
    return f"`{' '.join([HERE.program, *sandbox, *(shlex.quote(str(word)) for word in words)])}`"


def place() -> str:
    """The setting that says where the database is."""
    return PLACES[HERE.sandbox]


def elsewhere() -> str:
    """What to do where the database can't be in its place."""
    return ELSEWHERE[HERE.sandbox]


def restoring() -> str:
    """How a copy is put in the place of a database that is there."""
    return f"put a copy back with {command('restore', 'FILE', '--force')}, which keeps this one aside"


def anew() -> str:
    """How an empty database is begun where there was another."""
    return f"to begin with an empty one anyway, run {command('migrate', '--new')} once"
