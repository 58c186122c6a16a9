"""Direct messages where something goes wrong, or somebody wants more than is theirs: from a server that knows the app
as a person's own alone, twice at once, and while Discord or the bot fails."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.features.daily import service as daily
from bot.features.time.service import LEASE
from bot.play.acts import MOST_IN_MESSAGES
from bot.play.clocks import HOUR
from bot.play.ids import NOWHERE
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.interactions import FOLLOW_UPS, NoAnswerInTime
from bot.sandbox.people import BotReply, Person, text_of
from bot.sandbox.world import Server
from tests.e2e.harness import CALLBACK, MESSAGE, MESSAGES, Harness, Json, labels
from tests.e2e.test_direct_messages import board_of, fresh, minute_later, noon, play_something, wants_boards
from tests.e2e.test_reminders import look
from tests.e2e.test_several_seats import GRID, done, secret

__all__ = ["fresh", "noon"]


def make_own_server(harness: Harness, person: Person, *others: str) -> tuple[Person, Server]:
    """A server that somebody manages, which knows the app as theirs alone."""
    server = harness.sandbox.world.found_server("Elsewhere", people=[person.name, *others])
    harness.sandbox.faults.kick(server)
    person.install_app()
    return person.in_server(server), server


def list_mail(person: Person) -> list[Json]:
    """The bot's messages to somebody that are no answers to them alone."""
    return [one for one in person.read_direct_messages() if not one["ephemeral_for"]]


async def begin_alone(harness: Harness, game: str = "binary-primes", **given: object) -> BotReply:
    """Ann begins a match with the computer in her direct messages."""
    ann, chosen = harness.ann, {"level": 1, "seat": "me", **given}
    reply = await ann.command("play", channel=ann.mailbox, game=game, **chosen)
    await harness.answered()
    return reply


async def test_who_manages_another_server_manages_nothing_of_a_match(harness: Harness) -> None:
    played = await harness.match()
    there, _ = make_own_server(harness, harness.bea)
    asked = await there.command("match abort", channel="general", match=str(played.id))
    if "Call it off" in labels(asked.message):
        await there.press(asked, "Call it off")
    await harness.settled()
    assert (await played.fresh()).row.state == "live", "Bea asks, as a player does, and decides nothing"
    helped = await there.command("help", channel="general")
    assert "those who manage this server" not in helped.text


async def test_nobody_from_another_server_takes_over_a_seat(harness: Harness) -> None:
    played = await harness.match()
    there, server = make_own_server(harness, harness.ann, "Eve")
    eve = harness.sandbox.person("Eve", server)
    await begin_alone(harness)
    for match, why in ((played.id, "named in the server of the match"), (2, "in your direct messages")):
        refused = await there.command("match replace", channel="general", seat="1", player=eve, match=str(match))
        assert why in refused.text, refused.text
        assert (await harness.row(match)).proposal is None


async def test_nothing_is_shown_to_everybody_from_outside(harness: Harness) -> None:
    played = await harness.match()
    await harness.surely(harness.bea, "match resign", channel=harness.bea.mailbox)
    await harness.settled()
    opened = await harness.ann.command("match replay", channel=harness.ann.mailbox, match=str(played.id))
    assert "Show everybody" not in labels(opened.message)
    forged = await harness.forge(harness.ann, opened.message, f"y:{played.id}:0:show")
    assert "Everybody can see it" not in forged.text


@pytest.mark.usefixtures("noon")
async def test_a_board_that_stands_there_already_is_not_sent_again(harness: Harness) -> None:
    await wants_boards(harness, harness.ann)
    await begin_alone(harness)
    await minute_later(harness)
    await minute_later(harness)
    assert len([one for one in harness.ann.read_direct_messages() if not one["ephemeral_for"]]) == 1


@pytest.mark.usefixtures("noon")
async def test_a_secret_move_touches_no_message_of_the_others(harness: Harness) -> None:
    """An edit would tell when somebody has moved; one's own move, and the end, show at once."""
    cem = harness.cem
    await wants_boards(harness, cem)
    played = await secret(harness, harness.ann, harness.bea, cem)
    await minute_later(harness)
    (mail,) = cem.read_direct_messages()

    def count_edits() -> int:
        log = harness.sandbox.requests_of("PATCH", MESSAGE)
        return sum(mail["id"] in one.path for one in log)

    before = count_edits()
    assert before == 1, "the line has become the board"
    for person in (harness.ann, harness.bea):
        await person.command("sums-grid submit", channel=played.place, grid=GRID)
        await harness.settled()
    assert count_edits() == before
    await cem.command("move", channel=cem.mailbox, line=GRID)
    await harness.settled()
    assert count_edits() > before
    for person in (harness.ann, harness.bea, cem):
        await done(person, played)
        await harness.settled()
    (mail,) = [one for one in cem.read_direct_messages() if not one["ephemeral_for"]]
    assert not labels(mail) and "secret" not in text_of(mail), text_of(mail)


async def test_at_most_three_though_all_are_begun_at_once(harness: Harness) -> None:
    ann = harness.ann
    mail = ann.mailbox
    many = [ann.command("play", channel=mail, game="binary-primes", level=1) for _ in range(MOST_IN_MESSAGES + 3)]
    replies = await asyncio.gather(*many)
    await harness.answered()
    refused = [reply for reply in replies if "which is the limit" in reply.text]
    assert len(refused) == 3, [reply.text for reply in replies]


@pytest.mark.parametrize("applied", [True, False])
async def test_an_answer_there_is_lost(harness: Harness, applied: bool) -> None:
    played = await harness.match()
    pad = await harness.ann.command("match board", channel=harness.ann.mailbox)
    for key in ("Move", "b2"):
        pad = await harness.ann.press(pad, key)
    harness.faults.lose_answer("POST", CALLBACK, applied=applied)
    harness.forgiven.append("lost")
    harness.sandbox.faults.deliver_twice()
    with suppress(NoAnswerInTime):
        await harness.ann.press(pad, "Play b2")
    await harness.settled()
    assert (await played.fresh()).record == [(1, "b2")], "once, though it came twice"


async def test_an_answer_there_hangs(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.delay_requests("POST", CALLBACK, 4.0)
    with suppress(NoAnswerInTime):
        await harness.ann.command("move", channel=harness.ann.mailbox, line="b2")
    await harness.settled()
    assert (await played.fresh()).record == [(1, "b2")] and "b2" in text_of((await played.fresh()).board)


@pytest.mark.parametrize("step", ["committed", "shown"])
async def test_the_bot_dies_after_a_move_from_there(harness: Harness, step: str) -> None:
    played = await harness.match()
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.ann.command("move", channel=harness.ann.mailbox, line="b2")
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "b2")] and "b2" in text_of(played.board)
    assert (await harness.ann.command("move", channel=harness.ann.mailbox, line="a1")).text.endswith("'s turn.")


@pytest.mark.usefixtures("noon")
@pytest.mark.parametrize("step", ["reminded", "arrived", "mailed"])
async def test_the_bot_dies_while_it_sends_a_board(harness: Harness, step: str) -> None:
    """There is one message afterwards, with the board."""
    await wants_boards(harness, harness.ann)
    await harness.match()
    harness.kill_at(step)
    await harness.run_due_acts(61)
    look(harness)
    await harness.killed.wait()
    harness.faults.forget_nonces()
    await harness.restart()
    await minute_later(harness, LEASE + 1)
    (mail,) = harness.ann.read_direct_messages()
    assert "Move" in labels(mail), text_of(mail)


async def wait_for_morning(harness: Harness, seconds: int) -> None:
    """Let time pass, and look for puzzles that are due."""
    await harness.run_due_acts(seconds)
    await harness.life.does(harness.life.client.handlers.morning_sender.poll())


@pytest.mark.usefixtures("noon")
@pytest.mark.parametrize("step", ["morning claimed", "morning sent"])
async def test_the_bot_dies_while_it_sends_the_puzzle(harness: Harness, step: str) -> None:
    """There is one message afterwards, with the board, and the next morning the next."""
    ann = harness.ann
    await ann.command("preferences", channel=ann.mailbox, puzzle="on")
    harness.kill_at(step)
    with suppress(asyncio.CancelledError):
        await wait_for_morning(harness, 20 * HOUR)
    await harness.killed.wait()
    harness.faults.forget_nonces()
    await harness.restart()
    for _ in range(3):
        await wait_for_morning(harness, daily.LEASE + 1)
    (mail,) = list_mail(ann)
    assert "Solve" in labels(mail), text_of(mail)
    await wait_for_morning(harness, 24 * HOUR)
    assert len(list_mail(ann)) == 2


@pytest.mark.usefixtures("noon")
@pytest.mark.parametrize("applied", [True, False])
@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_the_puzzle_is_sent_once_though_an_answer_is_lost(harness: Harness, method: str, applied: bool) -> None:
    ann = harness.ann
    await ann.command("preferences", channel=ann.mailbox, puzzle="on")
    place = MESSAGES if method == "POST" else MESSAGE
    harness.faults.lose_answer(method, place, applied=applied, channel=ann.mailbox)
    await wait_for_morning(harness, 20 * HOUR)
    harness.faults.forget_nonces()
    for _ in range(3):
        await wait_for_morning(harness, daily.LEASE + 1)
    (mail,) = list_mail(ann)
    assert "Solve" in labels(mail), text_of(mail)


async def test_who_takes_the_app_away_is_written_to_no_more(harness: Harness) -> None:
    """No server is shared, and the account has not the app: the match waits, and goes on where they add it again."""
    ann, world = harness.ann, harness.sandbox.world
    ann.install_app()
    harness.sandbox.faults.leave("Ann")
    await begin_alone(harness)
    (board,) = board_of(ann, 1)
    world.installed.remove(ann.id)
    with suppress(ClientRefusal, NoAnswerInTime):
        await play_something(ann, await ann.press(board, "Move"))
    await harness.answered()
    ann.install_app()
    shown = await ann.command("match board", channel=ann.mailbox)
    await harness.answered()
    assert "Move" in labels(shown.message), shown.text
    assert (await harness.row(1)).state == "live" and len(board_of(ann, 1)) == 1


@pytest.mark.parametrize("another", [False, True])
async def test_a_channel_of_direct_messages_that_is_gone_is_opened_anew(harness: Harness, another: bool) -> None:
    """A match that is played there goes on in the new one, once its board is asked for."""
    ann, world = harness.ann, harness.sandbox.world
    await begin_alone(harness)
    (board,) = board_of(ann, 1)
    gone = ann.mailbox
    harness.faults.fail_requests("PATCH", MESSAGE, 404, code=10003, channel=gone, times=9 if another else 1)
    harness.faults.fail_requests("POST", MESSAGES, 404, code=10003, channel=gone, times=9 if another else 1)
    await play_something(ann, await ann.press(board, "Move"))
    await harness.life.idle()
    assert (await harness.row(1)).publish_error
    if another:
        world.private.pop(gone["id"])
        world.messages.pop(gone["id"])
    shown = await ann.command("match board", channel=ann.mailbox)
    await harness.answered()
    row = await harness.row(1)
    assert (row.state, row.guild, row.publish_error, row.plies) == ("live", NOWHERE, None, 2)
    assert "use `/match board`" not in shown.text and row.channel == int(ann.mailbox["id"])
    assert [one["channel_id"] for one in board_of(ann, 1)] == [ann.mailbox["id"]]


async def test_no_answer_of_a_persons_own_app_follows_up_more_than_five_times(harness: Harness) -> None:
    played = await harness.match()
    there, _ = make_own_server(harness, harness.ann)
    card = await there.command("help", channel="general")
    await there.press(card, "Quick game")
    await harness.answered()
    for command, given in (
        ("match board", {"match": str(played.id)}), ("match replay", {"match": str(played.id)}), ("daily", {}),
        ("learn", {"game": "plexus"}), ("privacy export", {}), ("profile", {}),
    ):  # fmt: skip
        reply = await there.command(command, channel="general", **given)
        assert reply.is_ephemeral, command
        for label in labels(reply.message):
            harness.life.client.gate.acts.buckets.clear()
            with suppress(ClientRefusal, NoAnswerInTime):
                await there.press(reply, label)
            await harness.settled()
    followed = [one.get("followed", 0) for one in harness.sandbox.world.interactions.values()]
    assert 0 < max(followed) <= FOLLOW_UPS
