"""Measures the memory that the bot still holds after many people have looked at things and gone: almost none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from tests.bench.figures import Sheet
from tests.bench.hall import Hall, Live
from tests.bench.load import Boards

INTERACTIONS, WARMING = 20_000, 3_000
"""So many are counted, after so many that fill what is kept on purpose, such as pictures."""
EACH, SIDE_BY_SIDE = 12, 6
"""What one person does, which is all that the gate allows in a row; and how many people do so at once."""
MATCHES, SIZE, PLIES = 20, 7, 10
GROWTH = 5.0
"""MiB."""


async def looks(person: Person, live: Live, board: Json) -> None:
    """Twelve things that anybody may do, each answered to one person alone."""
    for _ in range(4):
        await person.press(board, "Rules")
    for _ in range(2):
        await person.command("match board", live.thread, match=live.number)
        await person.command("matches")
    for _ in range(4):
        await person.complete("match board", "match", live.thread, match="")


async def pass_by(hall: Hall, people: list[Person], played: list[Live]) -> int:
    """All of them, some at a time; how many things went unanswered."""
    few, lost = asyncio.Semaphore(SIDE_BY_SIDE), 0

    async def one(index: int, person: Person) -> None:
        nonlocal lost
        live = played[index % len(played)]
        board = [message for message in live.players[0].read_messages(live.thread) if message["attachments"]][0]
        async with few:
            try:
                await looks(person, live, board)
            except (NoAnswerInTime, ClientRefusal):
                lost += 1

    await asyncio.gather(*(one(index, person) for index, person in enumerate(people)))
    return lost


async def measure(sheet: Sheet, folder: Path, interactions: int = INTERACTIONS) -> None:
    """The figures of memory."""
    sheet.title(f"{interactions} presses and commands of people who come by, the bot in its own process")
    async with Hall(folder / "held") as hall:
        rng = Random(9)
        everybody = hall.people((WARMING + interactions) // EACH + 2)
        played = await hall.seat(everybody[:2], MATCHES, SIZE, PLIES, rng)
        await hall.serve("tests.bench.subject")
        boards = Boards(hall, {live.thread for live in played})
        await hall.sandbox.wait_for(lambda world: not boards.missing, 60)
        passers = everybody[2:]
        await pass_by(hall, passers[: WARMING // EACH], played)
        before = (await hall.report())["mebibytes"]
        lost = await pass_by(hall, passers[WARMING // EACH :], played)
        after = (await hall.report())["mebibytes"]
        sheet.add("memory before", before, "MiB")
        sheet.add("growth", after - before, "MiB", GROWTH)
        sheet.add("people who were not answered", lost, "", 0)
