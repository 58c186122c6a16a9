"""The database's file goes away under the running bot: nothing is acknowledged into a file that nobody finds again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.harness import WAITING, Harness

LOST = (
    "Nothing was changed: the bot's database was moved, deleted or replaced while the bot was running. "
    "This bot's host has to put it back, or restore a backup, and start the bot again."
)


def deleted(file: Path, kept: Path) -> None:
    file.rename(kept)  # out of the way of where it is looked for, and as good as deleted


def replaced(file: Path, kept: Path) -> None:
    file.rename(kept)
    shutil.copy(kept, file)


@contextmanager
def lost(harness: Harness, harm: Callable[[Path, Path], None]) -> Generator[None]:
    """What happened to the file is put right in the end."""
    kept = harness.file.with_name("kept.db")
    harm(harness.file, kept)
    yield
    kept.replace(harness.file)


@pytest.mark.parametrize("harm", [deleted, replaced])
async def test_what_would_be_lost_is_refused(harness: Harness, harm: Callable[[Path, Path], None]) -> None:
    played = await harness.match()
    harness.forgiven += ["The database could not be used, and ", WAITING]
    with lost(harness, harm):
        reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
        assert (reply.text, reply.is_ephemeral) == (LOST, True)
        reply = await harness.ann.command("binary-primes challenge", channel="games", opponent=harness.cem)
        assert reply.text == LOST
    assert await played.unchanged()
    await played.move("b2")
