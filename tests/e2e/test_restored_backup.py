"""A backup is restored while Discord remembers what came after it."""

from __future__ import annotations

import shutil
from pathlib import Path

from data.upkeep.backups import backup
from tests.e2e.harness import Harness, labels
from tests.support.upkeep import restore


async def restored(harness: Harness, copy: Path) -> None:
    """Stop the bot, put a copy back, start it again."""
    await harness.life.end()
    await harness.store.close()
    await restore(copy, harness.url, force=True)
    await harness.restart()
    await harness.life.client.publisher.catch_up()
    await harness.settled()


async def test_a_match_goes_on_from_the_copy_on_a_new_board(harness: Harness, tmp_path: Path) -> None:
    """The nonces of what was posted since are known to Discord yet, and bring none of it back."""
    played = await harness.match()
    challenge = await harness.challenge(harness.cem, opponent=harness.dora)
    await backup(harness.url, tmp_path / "copy.db")
    later = await harness.match(harness.cem, harness.ann)
    await harness.dora.press(challenge.lobby, "Decline")
    ahead = await (await played.move("b2")).move("c3")
    told, boards = harness.told(harness.ann), [board["id"] for board in ahead.boards]

    await restored(harness, tmp_path / "copy.db")
    again = await played.fresh()
    assert again.record == [] and again.mover.id == harness.ann.id
    assert again.board["id"] not in boards
    assert labels(again.board) == ["Move", "Rules", "More …"]
    assert harness.told(harness.ann) == told + 1, "the person who is to move is told once"
    assert "Accept" in labels((await challenge.fresh()).lobby), "the challenge is open again"

    stale = await harness.ann.press(later.board, "Move")
    assert stale.is_ephemeral and "no match" in stale.text.lower()
    other = await harness.challenge(harness.bea, opponent=harness.cem)
    assert other.id > later.id + 1_000
    await again.move("a1")


async def test_a_database_that_begins_anew_gets_no_message_of_the_one_before(
    harness: Harness, empty_database: Path
) -> None:
    """Match 1 of the new database is challenged for within the minutes in which Discord remembers nonces."""
    await harness.challenge(channel="games")
    before = len(harness.ann.read_messages("games"))
    await harness.life.end()
    await harness.store.close()
    for file in harness.file.parent.glob(f"{harness.file.name}*"):
        file.unlink()
    shutil.copy(empty_database, harness.file)
    harness.clock.ahead += 30
    await harness.restart()
    again = await harness.challenge(channel="general")
    assert again.lobby["channel_id"] == harness.sandbox.channel("general")["id"] and "Join" in labels(again.lobby)
    assert len(harness.ann.read_messages("games")) == before
