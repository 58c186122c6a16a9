"""A reminder is decided on while somebody moves: the result is as if one came before the other."""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.core.match.clocks import DAY, HOUR, STILL
from bot.core.values.ids import MatchId, UserId
from bot.service.time import reminders
from data.store import Store, Transaction
from tests.data.acts import begun, only_postgres
from tests.data.interleaving import Act, tried

ANN, BEA = UserId(700001), UserId(700002)
NOON = 10 * DAY + 12 * HOUR


def moves(tx: Transaction) -> None:
    """Ann moves, and her clock stops."""
    if tx.update(1, 2, plies=1, turn=(2,)):
        tx.seat(1, ANN, **STILL)
        tx.append(1, 1, 1, "a1", NOON)


@only_postgres
async def test_no_clock_that_stops_meanwhile_is_left_with_a_reminder(either: str) -> None:
    async def scene(store: Store) -> tuple[Act, Act]:
        match = await begun(store, (ANN, BEA), pace="7")
        ticking: dict[str, Any] = {
            "allotted": 7 * DAY,
            "left": 7 * DAY,
            "since": NOON - 4 * DAY,
            "deadline": NOON + 3 * DAY,
        }
        await store.do(Transaction.seat, match, ANN, **ticking, remind=NOON - HOUR)
        return partial(reminders.claimed, match=MatchId(match), user=ANN, now=NOON), moves

    outcomes = await tried(either, scene, most=12)
    assert outcomes[0].first != "None", "there was nothing to remind of"
