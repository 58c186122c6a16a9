"""A backup is restored while Discord remembers what came after it."""

from __future__ import annotations

import shutil
from pathlib import Path

from data.upkeep.backups import backup
from tests.e2e.house import House, labels
from tests.support.upkeep import restore


async def restored(house: House, copy: Path) -> None:
    """Stop the bot, put a copy back, start it again."""
    await house.life.end()
    await house.store.close()
    await restore(copy, house.url, force=True)
    await house.restart()
    await house.life.client.publisher.catch_up()
    await house.settled()


async def test_a_match_goes_on_from_the_copy_on_a_new_board(house: House, tmp_path: Path) -> None:
    """The nonces of what was posted since are known to Discord yet, and bring none of it back."""
    played = await house.match()
    challenge = await house.challenge(house.cem, opponent=house.dora)
    await backup(house.url, tmp_path / "copy.db")
    later = await house.match(house.cem, house.ann)
    await house.dora.press(challenge.lobby, "Decline")
    ahead = await (await played.move("b2")).move("c3")
    told, boards = house.told(house.ann), [board["id"] for board in ahead.boards]

    await restored(house, tmp_path / "copy.db")
    again = await played.fresh()
    assert again.record == [] and again.mover.id == house.ann.id
    assert again.board["id"] not in boards
    assert labels(again.board) == ["Move", "Rules", "More …"]
    assert house.told(house.ann) == told + 1, "the person who is to move is told once"
    assert "Accept" in labels((await challenge.fresh()).lobby), "the challenge is open again"

    stale = await house.ann.press(later.board, "Move")
    assert stale.is_ephemeral and "no match" in stale.text.lower()
    other = await house.challenge(house.bea, opponent=house.cem)
    assert other.id > later.id + 1_000
    await again.move("a1")


async def test_a_database_that_begins_anew_gets_no_message_of_the_one_before(
    house: House, empty_database: Path
) -> None:
    """Match 1 of the new database is challenged for within the minutes in which Discord remembers nonces."""
    await house.challenge(channel="games")
    before = len(house.ann.read_messages("games"))
    await house.life.end()
    await house.store.close()
    for file in house.file.parent.glob(f"{house.file.name}*"):
        file.unlink()
    shutil.copy(empty_database, house.file)
    house.clock.ahead += 30
    await house.restart()
    again = await house.challenge(channel="general")
    assert again.lobby["channel_id"] == house.sandbox.channel("general")["id"] and "Join" in labels(again.lobby)
    assert len(house.ann.read_messages("games")) == before
