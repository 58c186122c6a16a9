"""The command `solve`: what a match record comes to if nobody errs, as a line of JSON. It needs no database."""

from __future__ import annotations

import json
import math
import sys
from argparse import Namespace

from bot.core.library.catalogue import games
from bot.core.library.replay import NO_JSON, parsed
from bot.core.match.match import BrokenRecord, Match, entered, opened
from bot.core.values.computer_users import LEVELS
from bot.host.this_machine import since_boot
from bot.search.solve import Answer, Unsolvable
from bot.search.solve import solve as solved

UNFIT = 2
"""The exit status where the record or an option is at fault."""


def solve(given: Namespace) -> int:
    """Print the answer about a record; where the input is at fault, a sentence on standard error."""
    try:
        print(json.dumps(_answered(given)))
    except OSError as fault:
        return _complain(f"{given.file} cannot be read: {fault.strerror}.")
    except (BrokenRecord, Unsolvable) as fault:
        return _complain(str(fault))
    return 0


def _complain(text: str) -> int:
    print(text, file=sys.stderr)
    return UNFIT


def _answered(given: Namespace) -> Answer:
    level = given.level and _whole("level", given.level, LEVELS[0], LEVELS[-1])
    nodes = given.nodes and _whole("nodes", given.nodes, 0, None)
    return solved(_match(given.file), level, nodes, _seconds(given.seconds), since_boot)


def _whole(name: str, text: str, least: int, most: int | None) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 20) or not least <= int(text) <= (most or int(text)):
        if most:
            raise Unsolvable(f"After --{name} comes a whole number from {least} to {most}, not {text!r}.")
        raise Unsolvable(f"After --{name} comes a whole number of {least} or more, not {text!r}.")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise Unsolvable(f"After --seconds comes a number above 0, not {text!r}.")
    return seconds


def _match(file: str) -> Match:
    if file == "-":
        text = sys.stdin.buffer.read()
    else:
        with open(file, "rb") as source:
            text = source.read()
    try:
        row = parsed(text)
    except BrokenRecord as fault:
        if str(fault) != NO_JSON:
            raise
        raise Unsolvable("Give one match record, in JSON. /match record shows it for any match.") from None
    match = opened(games(), row)
    for at, line in enumerate(row["moves"]):
        match = entered(match, line, at)
    return match
