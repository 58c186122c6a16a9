"""What an absence costs, and a board that lags behind; the rest is told in tests/stories."""

from __future__ import annotations

from contextlib import suppress

import pytest

from bot.sandbox.interactions import NoAnswerInTime
from data.queries.outbox import SETTLES
from tests.e2e.harness import MESSAGE, Harness, called, said
from tests.e2e.test_store_trips import Counter, Trips

DAY = 86_400


@pytest.fixture(autouse=True)
async def noon(harness: Harness) -> None:
    """It is noon, and stays so until somebody puts the clock forward: all here goes by seconds and by days."""
    harness.clock.at = harness.clock() // DAY * DAY + DAY // 2
    await harness.run_due_acts(0)


@pytest.mark.long
async def test_an_absence_is_shown_on_the_board_of_a_secret_match_that_has_gone_on_unseen(harness: Harness) -> None:
    """The board is the same after a secret move, so nothing else would edit it."""
    reply = await harness.ann.command("sums-grid challenge", channel="games", size=2, opponent=harness.bea, pace="2")
    assert ": challenge sent. " in reply.text
    await harness.settled()
    lobby = harness.sandbox.world.message(
        str((await harness.row(1)).channel), str((await harness.row(1)).lobby_message)
    )
    await harness.bea.press(lobby, "Accept")
    await harness.settled()
    row = await harness.row(1)
    place = harness.sandbox.channel(str(row.thread))
    await harness.bea.command("away until", channel="games", until="tomorrow")
    edits = len(harness.sandbox.requests_of("PATCH", MESSAGE))
    harness.kill_at("committed")
    with suppress(NoAnswerInTime):
        await harness.ann.command("sums-grid submit", channel=place, grid="1 2 / 3 4")
    await harness.killed.wait()
    lagging = await harness.row(1)
    assert lagging.shown_version < lagging.version
    harness.clock.ahead += SETTLES
    await harness.restart()
    await harness.settled()
    board = harness.sandbox.world.message(place["id"], str(row.board_message))
    assert f"{called(harness.bea)} is away until" in said(board)
    assert len(harness.sandbox.requests_of("PATCH", MESSAGE)) == edits + 1
    assert (await harness.row(1)).board_message == row.board_message


async def test_what_being_away_costs(harness: Harness) -> None:
    await harness.match(pace="1")
    counter, trips = Counter(harness), dict[str, Trips]()
    await harness.bea.command("away until", channel="games", until="tomorrow")
    trips["until"] = await counter.passed("/away until")
    await harness.bea.complete("away until", "until", channel="games", until="fri")
    trips["typed"] = await counter.passed("typing /away until")
    await harness.bea.command("away show", channel="games")
    trips["show"] = await counter.passed("/away show")
    await harness.bea.command("away back", channel="games")
    trips["back"] = await counter.passed("/away back")
    assert trips == {
        "until": Trips(0, 1, 1), "typed": Trips(1, 0, 1), "show": Trips(1, 0, 1), "back": Trips(0, 1, 1),
    }  # fmt: skip
