"""The table of Discord's error codes, by what the bot does: each code on each route, as scripted faults in stories."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bot.features.time import loop as time_loop
from bot.platform import error_codes, members
from bot.platform.error_codes import BUSY, HOSTS, TABLE, Code, FailureAction, Route, list_codes
from bot.platform.interactions import DELETED, SORRY
from bot.platform.messages import ANEW, FULL
from bot.platform.places import Mailboxes
from bot.play import acts
from bot.play.challenges import ChallengeTerms
from bot.play.clocks import DAY
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, MessageId, UserId
from bot.play.rows import PendingEdit, Preferences, ServerSettings
from bot.sandbox import errors, people, seed
from bot.sandbox.interactions import NoAnswerInTime
from data.store import Reader, Transaction
from tests.e2e.harness import CALLBACK, MESSAGE, MESSAGES, Harness, Played, labels
from tests.e2e.test_reminders import NOON, after, mail, prefers, reminders_in, timed, under_way
from tests.simulation.life import PATIENCE
from tests.support.sampled import sampled

THREADS = f"{MESSAGE}/threads"
MAILBOX = "/users/@me/channels"
OLD = "an old message|could not be shown|An old message|A reminder of match|An interaction failed"
"""What the log may say of faults that are tried again."""


def named(case: FailureAction | list[int]) -> str:
    """The name of a case."""
    return case.name if isinstance(case, FailureAction) else "others" if len(case) > 1 else Code(case[0]).name


def cases(route: Route) -> pytest.MarkDecorator:
    """Each thing that can follow on a route, with one of its codes; and, in the longer run, with all others."""
    found = [(then, sorted(list_codes(route, then))) for then in FailureAction if list_codes(route, then)]
    examples = [(then, some[:1]) for then, some in found]
    rest = [(then, some[1:]) for then, some in found if some[1:]]
    return sampled(("then", "some"), examples + rest, few=len(examples), ids=named)


# --- the table itself


def test_every_code_has_its_row() -> None:
    assert set(Code) == set(TABLE)
    assert set(errors.ERRORS) - {0} <= set(TABLE), "the stand-in answers with a code that the bot does not know"


def test_every_sentence_is_whole() -> None:
    for entry in TABLE.values():
        assert re.fullmatch(r"([A-Z].*\.)?", entry.sentence), entry.sentence
    parked = [code for code in list_codes(Route.POST, FailureAction.PARKED) if not TABLE[code].sentence]
    assert parked == [Code.UNVERIFIED, Code.TWO_FACTORS], "of these only the host can do something"


def numbers_in(source: str) -> Iterator[int]:
    """The numbers of a source text that are codes of Discord's, or stand where a code is compared."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value in set(Code):
            yield node.value
        if isinstance(node, ast.Compare) and any(
            isinstance(part, ast.Attribute) and part.attr == "code" for part in (node.left, *node.comparators)
        ):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, int):
                    yield part.value


def test_no_code_stands_outside_of_the_table() -> None:
    assert list(numbers_in("if fault.code in (1, 99999): LOST = 10003")) == [1, 99999, 10003], "the search finds some"
    own = Path(error_codes.__file__)
    folders = ("bot/app", "bot/features", "bot/host", "bot/platform", "cogs")
    files = [file for folder in folders for file in Path(folder).rglob("*.py")]
    found = {str(file): [*numbers_in(file.read_text())] for file in files if file.resolve() != own.resolve()}
    assert {file: numbers for file, numbers in found.items() if numbers} == {}


# --- a board


@cases(Route.POST)
async def test_a_board(harness: Harness, then: FailureAction, some: list[int]) -> None:
    harness.forgiven.append(OLD)
    # That a thread was made, or woken, is a reason to look whether parked matches may go on.
    harness.life.client.loops.tasks["channel_recovery"].cancel()
    played = await harness.match()
    for code in some:
        if played.row.thread == played.row.channel:
            played = await harness.match()
        harness.faults.delete_message(played.board)
        harness.faults.forget_nonces()
        harness.faults.fail_requests("POST", MESSAGES, 400, code=code)
        before = len(harness.sandbox.requests_of("POST", MESSAGES))
        harness.life.client.publisher.request_repost(MatchId(played.id))
        await harness.life.idle()
        tried = harness.sandbox.requests_of("POST", MESSAGES)[before:]
        tried = [entry for entry in tried if entry.path.split("/")[2] == played.place["id"]]
        row = (await played.fresh()).row
        moved = row.thread == row.channel
        sentence = TABLE[code].sentence or HOSTS.format(code=code)
        if then is FailureAction.LATER:
            assert (len(tried), row.publish_error, moved) == (1, None, False), code
            await asyncio.sleep(TABLE[code].pause + 1)
            await harness.life.does(harness.life.client.publisher.retry_failed())
            await harness.life.idle()
        elif then is FailureAction.ANEW:
            assert [entry.body["nonce"].endswith(".1") for entry in tried] == [False, True]
        elif then is FailureAction.ELSEWHERE:
            assert (row.publish_error, moved) == (None, True), code
        else:
            assert (len(tried), row.publish_error, moved) == (1, sentence, False), code
            await asyncio.sleep(10)  # nobody asks too fast
            reply = await harness.bea.command("match board", channel="general")
            assert sentence in reply.text
        await harness.settled()
        played = await played.fresh()
        assert played.row.publish_error is None and labels(played.board) == ["Move", "Rules", "More …"], code


async def test_a_message_whose_nonce_stands_for_a_deleted_one_gets_another(harness: Harness) -> None:
    """A board was posted and not noted, since the bot died, and somebody has deleted it."""
    played = await harness.match()
    harness.kill_at("posted")
    with suppress(NoAnswerInTime):
        await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    async with asyncio.timeout(PATIENCE):
        await harness.killed.wait()
    first = played.board["nonce"]
    harness.faults.delete_message(played.board)
    await harness.restart()
    await harness.life.does(harness.life.client.publisher.catch_up())
    await harness.settled()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert played.board["nonce"] == f"{first}.1" and people.list_media(played.board), "its picture is sent again"


async def test_where_other_nonces_are_refused_too_it_waits_until_discord_has_forgotten_them(harness: Harness) -> None:
    harness.forgiven.append("could not be shown")
    played = await harness.match()
    harness.faults.fail_requests("POST", MESSAGES, 404, times=ANEW + 1, code=Code.UNKNOWN_MESSAGE)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert (played.row.publish_error, played.board["nonce"].count(".")) == (None, 2)


# --- an edit


@cases(Route.EDIT)
async def test_an_edit_of_an_old_message(harness: Harness, then: FailureAction, some: list[int]) -> None:
    harness.forgiven.append(OLD)
    played = await harness.match()
    row, cleanup = played.row, harness.life.client.publisher.cleanup
    assert row.lobby_message
    left = PendingEdit(MessageId(row.lobby_message), ChannelId(row.channel), row.id, row.version)
    for code in some:
        before = len(harness.sandbox.requests_of("PATCH", MESSAGE))
        await harness.store.do(Transaction.keep_edit, left)
        harness.faults.fail_requests("PATCH", MESSAGE, 400, code=code)
        await harness.life.does(cleanup.clean_match(MatchId(played.id)))
        assert len(harness.sandbox.requests_of("PATCH", MESSAGE)) == before + 1, code
        owed = await harness.store.ask(lambda reader: reader.find_pending_edits(2**60, 9, played.id))
        assert len(owed) == (then is not FailureAction.GONE), code
        if then is not FailureAction.GONE:
            assert owed[0].due - harness.clock() >= TABLE[code].pause, code
            await harness.store.do(Transaction.clear_edit, owed[0])


# --- a direct message


@pytest.fixture
async def noon(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    harness.clock.put(NOON)
    harness.sandbox.world.clock = harness.clock
    monkeypatch.setattr(members, "REMEMBERED_FOR", 0)
    monkeypatch.setattr(members, "SEEN_FOR", 0)


async def due_again(harness: Harness, played: Played, forgets: bool = True) -> None:
    """Ann is to be reminded, as if she never was; `forgets`: nobody remembers what Discord refused before."""
    if forgets:
        harness.life.client.reminder_sender._mailboxes = Mailboxes()  # pyright: ignore[reportPrivateUsage]
    ann, now = UserId(int(harness.ann.id)), harness.clock() + 61
    await harness.store.do(lambda tx: tx.set_player(played.id, ann, reminder_count=0, next_reminder_at=now))
    await after(harness, 61)


async def preferences(harness: Harness, person: people.Person) -> Preferences:
    return await harness.store.ask(Reader.load_preferences, int(person.id))


@cases(Route.DIRECT)
@pytest.mark.parametrize("route", [MAILBOX, MESSAGES])
@pytest.mark.usefixtures("noon")
async def test_a_direct_message(harness: Harness, route: str, then: FailureAction, some: list[int]) -> None:
    """It arrives, or somebody is mentioned in the thread; and only one code says that a mailbox is closed."""
    harness.forgiven.append("Discord has flagged this bot")
    await prefers(harness, harness.ann, reminders="message")
    played = await timed(harness)
    await harness.run_due_acts(7 * DAY)
    for code in some:
        if route == MAILBOX:
            # It knows nobody's channel, as after a restart.
            harness.life.client._connection._private_channels_by_user.clear()  # pyright: ignore[reportPrivateUsage]
        lines, letters = reminders_in(harness, played.place), mail(harness.ann)
        fault = harness.faults.fail_requests("POST", route, 403, code=code)
        await due_again(harness, played)
        assert not fault.times, code
        closed = (await preferences(harness, harness.ann)).closed
        assert closed == (code == Code.MAILBOX_CLOSED), code
        if code == Code.UNKNOWN_CHANNEL and route != MAILBOX:
            assert len(mail(harness.ann)) == len(letters) + 1, "the mailbox was opened anew"
        elif then is FailureAction.ELSEWHERE:
            assert len(mail(harness.ann)) == len(letters), code
            (line,) = set(reminders_in(harness, played.place)) - set(lines) or [""]
            told = [one for one in harness.sandbox.requests_of("POST", MESSAGES) if "your move in" in str(one.body)]
            assert line or told[-1].body["content"].startswith(harness.ann.mention), code
        else:
            await asyncio.sleep(TABLE[code].pause + 1)
            await after(harness, TABLE[code].pause + 1)
            await after(harness, time_loop.FIRST_PAUSE)
            assert len(mail(harness.ann)) == len(letters) + 1, code
        assert await under_way(harness) == [], code
        await harness.store.do(Transaction.change_preferences, int(harness.ann.id), reopened)


def reopened(before: Preferences) -> Preferences:
    return replace(before, closed=False)


# --- a thread


@cases(Route.THREAD)
async def test_a_thread(harness: Harness, then: FailureAction, some: list[int]) -> None:
    harness.forgiven.append(OLD)
    for code in some:
        played = await harness.challenge(opponent=harness.bea)
        harness.faults.fail_requests("POST", THREADS, 400, code=code)
        await harness.bea.press(played.lobby, "Accept")
        await harness.life.idle()
        await asyncio.sleep(1)
        await harness.settled()
        played = await played.fresh()
        if then is FailureAction.DONE:
            # There was none, whatever Discord said: the board finds that out.
            assert played.place["name"] == "games"
        elif code in FULL:
            assert played.place["name"] == "games" and played.row.awaits_thread, "it moves when threads are archived"
        else:
            names = {
                FailureAction.LATER: f"Ann – Bea · Binary Primes · {played.id}",
                FailureAction.ANEW: f"Binary Primes · {played.id}",
            }
            assert played.place["name"] == names.get(then, "games"), code
        assert labels(played.board) == ["Move", "Rules", "More …"] and played.row.publish_error is None, code


# --- an answer


@cases(Route.ANSWER)
async def test_an_answer(
    harness: Harness, caplog: pytest.LogCaptureFixture, then: FailureAction, some: list[int]
) -> None:
    harness.forgiven.append("An interaction failed")
    caplog.set_level("INFO", logger="bot")
    played = await harness.match()
    for code in some:
        await asyncio.sleep(10)  # nobody asks too fast
        caplog.clear()
        before = len(harness.sandbox.requests_of("POST", CALLBACK))
        harness.faults.fail_requests("POST", CALLBACK, 400, code=code)
        asking = asyncio.create_task(harness.bea.command("match board", channel=played.place))
        await harness.until(lambda: len(harness.sandbox.requests_of("POST", CALLBACK)) > before)  # noqa: B023
        await harness.life.idle()
        answers = len(harness.sandbox.requests_of("POST", CALLBACK)) - before
        errors = [record for record in caplog.records if record.exc_info and record.name.startswith("bot.")]
        told = [record for record in caplog.records if "Discord takes no answer there" in record.getMessage()]
        if then in (FailureAction.GONE, FailureAction.DONE):
            asking.cancel()
            with suppress(asyncio.CancelledError, NoAnswerInTime):
                await asking
            silent = code in (Code.ALREADY_ANSWERED, Code.UNKNOWN_INTERACTION)
            assert (answers, errors, len(told)) == (1, [], not silent), code
            continue
        reply = await asking
        busy = then is FailureAction.LATER and TABLE[code].sentence
        assert reply.text == (DELETED if then is FailureAction.ELSEWHERE else BUSY if busy else SORRY), code
        assert (answers, bool(errors)) == (2, reply.text == SORRY), code


# --- what was measured


async def sixty(harness: Harness) -> list[str]:
    """Sixty people, each of whom is to move against Bea and wants to be reminded directly."""
    world, client = harness.sandbox.world, harness.life.client
    server, found, bea = world.server(None), list[str](), UserId(int(harness.bea.id))
    often = ServerSettings(most_open=100, most_from_one=100, most_from_all=100)
    await harness.store.do(Transaction.set_settings, int(server.id), often)
    channel = ChannelId(int(harness.sandbox.channel("games")["id"]))
    for number in range(60):
        user = seed.make_user(world.new_id(), f"Guest {number}")
        world.users[user["id"]] = user
        server.members[user["id"]] = seed.make_member([], world.timestamp())
        found.append(user["id"])
        asked = ChallengeTerms(
            GuildId(int(server.id)), channel, UserId(int(user["id"])), client.umpire.games["binary-primes"],
            options={"size": 3}, seating="host", guests=(bea,), pace="14",
        )  # fmt: skip
        loaded = await harness.life.does(client.umpire.challenge(InteractionId(1000 + number), asked))
        await harness.life.does(client.umpire.act(InteractionId(2000 + number), loaded.id, bea, acts.accept))
        client.publisher.request_publish(loaded.id)
        await harness.store.do(Transaction.change_preferences, UserId(int(user["id"])), directly)
    await harness.settled()
    return found


def directly(before: Preferences) -> Preferences:
    return replace(before, reminders="message")


@pytest.mark.long
@pytest.mark.usefixtures("noon")
@pytest.mark.parametrize("described", [False])
async def test_of_sixty_direct_messages_none_is_lost_where_discord_takes_no_more_at_first(harness: Harness) -> None:
    harness.is_unnamed = (
        True  # of people whom no act has made known, more are written of at once than may be asked about
    )
    people = await sixty(harness)
    harness.faults.fail_requests("POST", MAILBOX, 403, times=40, code=Code.DIRECT_TOO_FAST)
    await after(harness, 7 * DAY)
    for _ in range(45):
        await asyncio.sleep(61)
        await after(harness, 61)
    assert [len(harness.sandbox.person(one).read_direct_messages()) for one in people] == [1] * 60
    assert await under_way(harness) == []
    assert len([one for one in harness.sandbox.requests_of("POST", MAILBOX) if one.status == 403]) == 40


@pytest.mark.usefixtures("noon")
async def test_a_digest_that_is_refused_becomes_mentions_in_the_threads_and_stays_chosen(harness: Harness) -> None:
    """Also of a match without a clock, of which nobody would be told otherwise."""
    await prefers(harness, harness.ann, reminders="digest")
    first, second = await timed(harness), await timed(harness, pace="none")
    harness.faults.fail_requests("POST", MAILBOX, 400, code=Code.INVALID_RECIPIENT)
    await after(harness, DAY)
    (line,) = [*reminders_in(harness, first.place), *reminders_in(harness, second.place)]
    assert f"Binary Primes · {first.id}" in line and f"Binary Primes · {second.id}" in line
    assert (mail(harness.ann), await under_way(harness)) == ([], [])
    chosen = await preferences(harness, harness.ann)
    assert (chosen.closed, chosen.reminders) == (False, "digest") and chosen.digest
    await asyncio.sleep(TABLE[Code.INVALID_RECIPIENT].pause + 1)
    await after(harness, DAY)
    assert len(mail(harness.ann)) == 1


@pytest.mark.long
@pytest.mark.usefixtures("noon")
async def test_a_bot_in_quarantine_writes_in_threads_for_a_day_and_tells_its_host_once(harness: Harness) -> None:
    harness.forgiven.append("Discord has flagged this bot")
    for person in (harness.ann, harness.bea):
        await prefers(harness, person, reminders="message")
    first = await timed(harness)
    second = await timed(harness, host=harness.bea, guest=harness.ann)
    harness.faults.fail_requests("POST", MAILBOX, 403, times=9, code=Code.QUARANTINED)
    await harness.run_due_acts(7 * DAY)
    await after(harness)
    await after(harness, 61)
    told = [*reminders_in(harness, first.place), *reminders_in(harness, second.place)]
    assert sorted(line.split(",")[0] for line in told) == sorted((harness.ann.mention, harness.bea.mention))
    assert len(harness.sandbox.requests_of("POST", MAILBOX)) == 1, "the other one is not even tried"
    assert len(harness.complaints_of("Discord has flagged this bot")) == 1
    assert not (await preferences(harness, harness.ann)).closed
    harness.faults.clear()
    await harness.run_due_acts(0)
    await asyncio.sleep(DAY)
    await due_again(harness, first, forgets=False)
    assert len(mail(harness.ann)) == 1
