"""A week in direct messages: two servers, two friends of one person, a stranger to all; everything is answered from
there, while the bot dies, a mailbox closes, and what one server knows is looked for in what the others read."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.play.clocks import DAY
from bot.play.ids import NOWHERE
from bot.sandbox.people import Person, text_of
from tests.e2e.harness import Harness, Json, called, labels
from tests.e2e.test_direct_messages import minute_later, noon, wants_boards

__all__ = ["noon"]
MINUTE = 61


def mails(person: Person) -> list[Json]:
    """What stands in somebody's mailbox for good."""
    return [one for one in person.read_direct_messages() if not one["ephemeral_for"]]


async def answers_everything(harness: Harness, person: Person) -> int:
    """Play in each match that waits, from the list of all; returns in how many."""
    harness.life.client.gate.acts.buckets.clear()
    harness.life.client.gate.typing.buckets.clear()
    listed = await person.command("matches", channel=person.mailbox)
    waiting = labels(listed.message).count("Move")
    for _, match in (await person.complete("move", "match", channel=person.mailbox))[:waiting]:
        lines = await person.complete("move", "line", channel=person.mailbox, match=match)
        reply = await person.command("move", channel=person.mailbox, line=lines[0][1], match=match)
        assert reply.is_ephemeral and "You played" in reply.text, reply.text
        await harness.settled()
    return waiting


@pytest.mark.long
@pytest.mark.usefixtures("noon")
async def test_a_week(harness: Harness) -> None:
    world, ann, bea = harness.sandbox.world, harness.ann, harness.bea
    club = world.found_server("Chess club", people=["Ann", "Eve"])
    world.change_member(ann.id, club, nick="Anna of the club")
    eve, cem = harness.sandbox.person("Eve", club), harness.cem
    await harness.until(lambda: harness.life.client.get_guild(int(club.id)))
    cem.install_app()
    harness.sandbox.faults.leave("Cem")
    await wants_boards(harness, ann, bea)
    await eve.command("preferences", channel=eve.mailbox, reminders="board")
    here = await harness.match(pace="7", size=7)
    there = await harness.match(ann.in_server(club), eve, channel=world.channel_named("games", club), pace="7", size=7)
    await cem.command("play", channel=cem.mailbox, game="binary-primes", level=1, seat="me", legs=1)
    await harness.answered()
    turns, before = Counter[str](), len(harness.sandbox.request_log)
    for day in range(7):
        for person in (ann, bea, eve, cem):
            await minute_later(harness, MINUTE)
            if person is not cem and not (person is bea and day == 4):
                listed = [one for one in mails(person) if "Move" in labels(one)]
                assert len({one["id"] for one in listed}) == len(listed) <= 2
            turns[person.name] += await answers_everything(harness, person)
            await harness.answered()
        if day in (1, 5):
            await harness.restart()
            harness.forgiven.append("Discord")
            await harness.settled()
        bea.close_mailbox(day == 3)
        if day == 4:
            await wants_boards(harness, bea)
        await harness.run_due_acts(DAY - 8 * MINUTE)
    assert turns == {"Ann": 14, "Bea": 7, "Eve": 7, "Cem": 7}
    for played in (here, there):
        assert (await played.fresh()).row.plies == 14
    assert [(await harness.row(3)).guild, (await harness.row(3)).plies] == [NOWHERE, 14]
    # One message a match, each named as its own server names its people, and nothing of the other.
    for person, most in ((ann, 2), (bea, 1), (eve, 1), (cem, 1)):
        assert len(mails(person)) <= most, [text_of(one) for one in mails(person)]
    sent = [
        str(entry.body)
        for entry in harness.sandbox.request_log[before:]
        if entry.method == "POST" and any(f"/channels/{one}/messages" in entry.path for one in world.private)
    ]
    print(f"{turns.total()} turns of four people in a week: {len(sent)} direct messages")
    assert 0 < len(sent) <= turns.total(), "one message a turn at most"
    leaks = {bea: ("Chess club", "Anna", called(eve)), eve: (world.home.name, called(bea)), cem: ("Chess club", "Ann")}
    for person, secrets in leaks.items():
        read = [text_of(one) for one in person.read_direct_messages()]
        assert [one for text in read for one in secrets if one in text] == []
    refused = await cem.command("match board", channel=cem.mailbox, match=str(here.id))
    assert refused.text.startswith(f"There is no match {here.id} of yours.")
