"""The fair queue: whoever asks for much waits for themselves, not others for them."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.board import time_words
from bot.platform.jobs import Asker, FairQueue, JobPriority
from bot.platform.machine import loop_time
from bot.play.ids import GuildId, UserId

HERE, THERE = GuildId(1), GuildId(2)
ANN, BEA, CEM = (Asker(HERE, UserId(number)) for number in (1, 2, 3))
DORA, ANN_THERE = Asker(THERE, UserId(4)), Asker(THERE, UserId(1))


class Line:
    """A queue, and what was done in it: the name of each work, and when it began."""

    def __init__(self, room: int = 1) -> None:
        self.queue = FairQueue(lambda: room)
        self.begun: dict[str, float] = {}

    async def ask(
        self, name: str, asker: Asker, cost: float = 5.0, order: JobPriority = JobPriority.MOVE
    ) -> asyncio.Task[None]:
        """Somebody asks for work of so many seconds, a moment before whoever asks next."""
        asked = asyncio.create_task(self._work(name, asker, cost, order))
        await asyncio.sleep(0.01)
        return asked

    async def _work(self, name: str, asker: Asker, cost: float, order: JobPriority) -> None:
        place = await self.queue.enter(asker, order, cost, name)
        try:
            self.begun[name] = loop_time()
            await asyncio.sleep(cost)
        finally:
            self.queue.leave(place)


async def test_of_one_person_one_thing_is_done_at_a_time_in_all_servers() -> None:
    line = Line(room=2)
    await asyncio.gather(await line.ask("a1", ANN), await line.ask("a2", ANN_THERE), await line.ask("b", BEA))
    assert line.begun["b"] < line.begun["a1"] + 1 and line.begun["a2"] >= line.begun["a1"] + 5


@pytest.mark.parametrize("order", [JobPriority.MOVE, JobPriority.REVIEW])
async def test_people_take_turns(order: JobPriority) -> None:
    line = Line()
    asked = [await line.ask(f"a{number}", ANN, 5, order) for number in range(3)]
    await asyncio.sleep(1)
    await asyncio.gather(*asked, await line.ask("b1", BEA, 5, order), await line.ask("b2", BEA, 5, order))
    assert [*line.begun] == ["a0", "b1", "a1", "b2", "a2"]


async def test_servers_take_turns_however_many_ask_in_one() -> None:
    line = Line()
    crowd = [await line.ask(f"{number}", Asker(HERE, UserId(10 + number))) for number in range(4)]
    await asyncio.sleep(1)
    await asyncio.gather(*crowd, await line.ask("dora", DORA))
    assert [*line.begun].index("dora") == 1


async def test_what_is_cheap_comes_before_what_is_dear_but_not_for_ever() -> None:
    line = Line()
    first = await line.ask("first", ANN, 1)
    await asyncio.sleep(0.5)
    dear, asked = await line.ask("dear", BEA, 5), [first]
    for number in range(100):
        asked.append(await line.ask(f"cheap{number}", Asker(HERE, UserId(10 + number)), 0.5))
        await asyncio.sleep(0.4)
    await asyncio.gather(dear, *asked)
    order = [*line.begun]
    assert order.index("cheap0") < order.index("dear") < order.index("cheap99")


async def test_a_hint_is_next_however_dear_it_is() -> None:
    line = Line()
    asked = [await line.ask(f"first{number}", Asker(HERE, UserId(10 + number)), 0.5) for number in range(3)]
    asked.append(await line.ask("hint", BEA, 5, JobPriority.HINT))
    asked += [await line.ask(f"later{number}", Asker(HERE, UserId(20 + number)), 0.5) for number in range(20)]
    await asyncio.gather(*asked)
    # Moves let pass what is cheaper, and a hint counts as if it cost nothing.
    assert [*line.begun].index("hint") == 1


async def test_a_hint_comes_before_the_second_match_of_the_same_person_and_reviews_come_last() -> None:
    line = Line()
    await asyncio.gather(
        await line.ask("match 1", ANN),
        await line.ask("review", BEA, 0.1, JobPriority.REVIEW),
        await line.ask("match 2", ANN, 1),
        await line.ask("hint", ANN, 5, JobPriority.HINT),
    )
    assert [*line.begun] == ["match 1", "hint", "match 2", "review"]


@pytest.mark.parametrize("begun", [False, True])
async def test_who_is_cancelled_leaves_the_queue(begun: bool) -> None:
    line = Line()
    first = await line.ask("a", ANN)
    await asyncio.sleep(1)
    left, stays = await line.ask("b", BEA), await line.ask("c", CEM)
    if begun:
        first.add_done_callback(lambda _: left.cancel())  # its turn has come, and it does not know yet
    else:
        left.cancel()
    await asyncio.wait_for(asyncio.gather(first, stays), 60)
    assert "c" in line.begun and line.queue.estimate_wait("b") is None


async def test_who_waits_learns_how_many_are_before_them_and_for_about_how_long() -> None:
    line = Line()
    asked = [await line.ask(f"a{number}", ANN) for number in range(12)]
    asked += [await line.ask("b", BEA), await line.ask("c", CEM)]
    wait = line.queue.estimate_wait("c")
    assert wait == (2, 10.0) and line.queue.estimate_wait("a0") is None
    assert time_words.describe_wait(2, 10.0, "Your hint comes in about {time}.") == (
        "2 people are ahead of you. Your hint comes in about 10 seconds."
    )
    assert time_words.describe_wait(0, 240, "The computer moves here in about {time}.") == (
        "I'm working on your other questions first. The computer moves here in about 4 minutes."
    )
    await asyncio.gather(*asked)
