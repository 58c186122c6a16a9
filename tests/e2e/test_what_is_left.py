"""What a match leaves behind: how many messages and mentions it takes, and what stays where when it is over."""

from __future__ import annotations

import pytest

from bot.sandbox import people
from tests.e2e.harness import Harness, Played, without_joins
from tests.e2e.test_mentions import told
from tests.e2e.test_several_seats import table
from tests.support.sampled import sampled

ARCHIVED_AFTER = 60
"""Minutes, the least that Discord offers."""


def messages(harness: Harness, channel: str) -> int:
    """How many messages everybody sees in a channel."""
    return len(without_joins(harness.dora.read_messages(channel)))


async def played_out(played: Played, moves: int) -> Played:
    """The match after so many marks, from the first square on."""
    for square in range(1, moves + 1):
        reply = await played.mover.command("another-binary-primes move", channel=played.place, position=square)
        assert reply.text == f"You played **{square}**."
        await played.harness.settled()
        played = await played.fresh()
    return played


@sampled("threads", [True, False])
async def test_a_match_of_sixteen_moves_mentions_nobody_more_than_once_a_move(harness: Harness, threads: bool) -> None:
    """A line and a board stay in the place of the match for each move; the line tells of it the one who is to move."""
    if not threads:
        await harness.ann.command("settings threads", on=False)
    before = messages(harness, "games")
    challenged = await table(
        harness, "another-binary-primes", harness.ann, opponent=harness.bea, squares=32, seat="me", legs=1
    )
    await harness.bea.press(challenged.lobby, "Accept")
    await harness.settled()
    played = await played_out(await challenged.fresh(), 16)
    assert played.row.state == "finished"
    # The challenge, line and board at the start and for each move; a thread adds its first line and its new name, and
    # its channel is told how the match ended.
    in_channel = messages(harness, "games") - before
    in_thread = messages(harness, played.place["id"]) if threads else 0
    assert (in_channel, in_thread) == ((2, 36) if threads else (35, 0))
    assert told(harness) == [9, 9, 0, 0]
    assert not threads or archived_after(played) == ARCHIVED_AFTER


def archived_after(played: Played) -> int:
    """After how many minutes of silence the thread of a match leaves the sidebar."""
    return played.place["thread_metadata"]["auto_archive_duration"]


@pytest.mark.long
async def test_what_is_played_alone_stays_in_its_thread_and_says_how_far_it_came(harness: Harness) -> None:
    reached: list[str] = []
    for grid in ("1 2 / 4 8", "1 2 / 3 4"):
        begun = await harness.ann.command("sums-grid challenge", channel="games", size=2, seats=1)
        await harness.settled()
        number = int(begun.text.split()[1])
        played = Played(harness, number, await harness.row(number))
        await harness.ann.command("move", channel=played.place, line=f"grid {grid}")
        await harness.surely(harness.ann, "sums-grid done", channel=played.place)
        await harness.settled()
        played = await played.fresh()
        assert played.row.state == "finished" and archived_after(played) == ARCHIVED_AFTER
        reached.append(people.text_of(played.board))
        assert messages(harness, "games") == 0
    assert "reached 5, the record here.**" in reached[0]
    assert "reached 4, 1 short of the record.**" in reached[1]
