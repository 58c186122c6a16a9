"""A short drill: the bot is killed while people play, and nothing is lost or doubled.

The long one has a command of its own, `make drill`; `make nightly` runs one on PostgreSQL too.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE

KILLS = 2


async def test_nothing_is_lost_or_doubled_however_often_the_bot_dies() -> None:
    asked = ["--kills", str(KILLS), "--tables", "1"]
    drill = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.drill", *asked, stdout=PIPE, stderr=PIPE)
    said, complained = await drill.communicate()
    assert drill.returncode == 0, complained.decode()[-2000:]
    report = json.loads(said)
    assert report["kills"] >= KILLS
    assert [report[name] for name in ("lost", "torn", "twice", "boards_twice", "untold")] == [0] * 5
