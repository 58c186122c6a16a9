"""From anywhere: a person's own matches, the puzzle and the lists in the bot's direct messages, and nothing else."""

from __future__ import annotations

import asyncio
import re
from datetime import date

import pytest

from bot.features.challenges.service import INVITATION
from bot.features.daily import service
from bot.platform import members
from bot.play.clocks import DAY, HOUR
from bot.play.ids import NOWHERE, GuildId, UserId
from bot.play.puzzles import find_puzzle_of_day
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.people import BotReply, Person, list_buttons, list_media, text_of
from data.store import Reader
from tests.e2e.harness import MESSAGES, Harness, Json, called, form_of, labels

OFFERED = {
    "away", "daily", "games", "help", "learn", "match", "matches", "move", "play", "preferences", "privacy", "profile",
}  # fmt: skip


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is a member is asked anew each time."""
    monkeypatch.setattr(members, "SEEN_FOR", 0)


async def test_what_makes_sense_without_a_server_is_offered_there(harness: Harness) -> None:
    offered = {one["name"] for one in harness.sandbox.world.commands if 1 in one["contexts"]}
    assert offered == OFFERED
    assert all(2 not in one["contexts"] for one in harness.sandbox.world.commands), "never among other people"
    for command in ("leaderboard", "tables", "settings show"):
        with pytest.raises(ClientRefusal):
            await harness.ann.command(command, channel=harness.ann.mailbox)
    for command in ("help", "games", "learn", "play", "daily", "preferences", "privacy export"):
        reply = await harness.ann.command(command, channel=harness.ann.mailbox)
        assert reply.is_ephemeral and "server alone" not in reply.text, (command, reply.text)


async def test_a_move_from_there_is_a_move(harness: Harness) -> None:
    played, ann = await harness.match(), harness.ann
    listed = await ann.command("matches", channel=ann.mailbox)
    assert listed.text.count(f"Binary Primes · {played.id}") == 1 and f"against {called(harness.bea)}" in listed.text
    board = await ann.press(listed, "Move")
    assert board.message_id != listed.message_id, "the list stays"
    pad = await ann.press(board, "Move")
    assert pad.message_id == board.message_id
    for key in ("b2", "Play b2"):
        pad = await ann.press(pad, key)
    await harness.settled()
    assert pad.text.startswith("You played **b2**") and str(played.row.thread) in pad.text
    played = await played.fresh()
    assert played.record == [(1, "b2")] and "b2" in text_of(played.board), "the thread's board follows"
    assert (await ann.command("move", channel=ann.mailbox, line="a1")).text.endswith("'s turn.")
    reply = await harness.bea.command("move", channel=harness.bea.mailbox, line="a1")
    await harness.settled()
    assert reply.text.startswith("You played **a1**"), reply.text
    more = await ann.press(await ann.command("match board", channel=ann.mailbox), "More …")
    assert "Resign" in labels(more.message)


async def test_others_learn_nothing_of_a_match(harness: Harness) -> None:
    played = await harness.match()
    board = await harness.ann.command("match board", channel=harness.ann.mailbox)
    for match in (played.id, 4711):
        refused = await harness.cem.command("match board", channel=harness.cem.mailbox, match=str(match))
        assert refused.text == f"There is no match {match} of yours. /matches lists the ones you play."
        move = await harness.cem.complete("move", "line", channel=harness.cem.mailbox, match=str(match))
        assert move == []
    mail = harness.cem.mailbox
    shown = dict(board.message) | {"channel_id": mail["id"]}
    forged = await harness.forge(harness.cem, shown, f"m:{played.id}:0s:board")
    assert forged.text.startswith(f"There is no match {played.id} of yours.")
    assert (await harness.cem.command("matches", channel=mail)).text.startswith("You have no open matches.")
    assert await harness.cem.complete("move", "match", channel=mail) == []


async def test_who_has_left_a_server_does_not_play_from_outside(harness: Harness) -> None:
    played, ann = await harness.match(), harness.ann
    listed = await ann.command("matches", channel=ann.mailbox)
    ann.install_app()
    harness.sandbox.faults.leave("Ann")
    for reply in (
        await ann.press(listed, "Move"),
        await ann.command("match board", channel=ann.mailbox, match=str(played.id)),
        await ann.command("move", channel=ann.mailbox, line="b2", match=str(played.id)),
    ):
        assert reply.text.startswith("You or I have left the server"), reply.text
    assert (await ann.command("matches", channel=ann.mailbox)).text.startswith("You have no open matches.")
    await harness.settled()
    assert (await played.fresh()).record == []


async def test_away_and_profile_name_the_server(harness: Harness) -> None:
    reply = await harness.ann.command("away show", channel=harness.ann.mailbox)
    assert reply.text.startswith("There is no server that we share")
    await harness.match()
    name = harness.sandbox.world.home.name
    away = await harness.ann.command("away until", channel=harness.ann.mailbox, until="tomorrow")
    assert away.text.startswith(f"**{name}**\nYou are away"), away.text
    assert [shown for shown, _ in await harness.ann.complete("away back", "server", channel=harness.ann.mailbox)] == [
        name
    ]
    back = await harness.ann.command("away back", channel=harness.ann.mailbox, server=name)
    assert "You are back" in back.text
    assert (await harness.ann.command("away back", channel="games", server="Elsewhere")).text.startswith("In a server")
    assert (await harness.ann.command("away back", channel="games", server=name)).text.startswith("You're not away")
    profile = await harness.bea.command("profile", channel=harness.bea.mailbox)
    assert "Show everybody" not in labels(profile.message)
    other = await harness.bea.command("profile", channel=harness.bea.mailbox, person=harness.ann)
    assert other.text.startswith("Here you can see only your own profile.")


async def test_all_of_a_match_works_from_there(harness: Harness) -> None:
    """Form, preparing, trying out, takeback, draw and resigning; what others agree to, they may agree to there."""
    played, ann, bea = await harness.match(), harness.ann, harness.bea

    async def board(person: Person) -> BotReply:
        return await person.command("match board", channel=person.mailbox)

    form = await form_of(ann, await board(ann))
    await ann.submit(form, {form.modal["components"][0]["component"]["custom_id"]: "b2"} if form.modal else {})
    await harness.settled()
    assert (await played.fresh()).record == [(1, "b2")]
    more = await ann.press(await board(ann), "More …")
    assert {"If … then …", "Try out", "Take back", "Offer a draw", "Resign"} <= {*labels(more.message)}
    assert "Play" not in (await ann.press(more, "Try out")).text
    pad = await ann.press(more, "If … then …")
    assert pad.is_ephemeral and "Choose" not in pad.text or labels(pad.message)
    asked = await ann.press(await ann.press(await board(ann), "More …"), "Take back")
    await harness.settled()
    assert "asked" in asked.text.lower() or "ask" in asked.text.lower(), asked.text
    agreed = await bea.command("match takeback", channel=bea.mailbox)
    await harness.settled()
    assert agreed.is_ephemeral and (await played.fresh()).row.turn == (1,), agreed.text
    await ann.command("match draw", channel=ann.mailbox)
    await harness.settled()
    refused = await bea.press(await board(bea), "Refuse")
    assert refused.is_ephemeral
    await harness.surely(bea, "match resign", channel=bea.mailbox)
    await harness.settled()
    assert (await played.fresh()).row.state == "finished"
    assert (await ann.command("matches", channel=ann.mailbox)).text.startswith("You have no open matches.")
    finished = await bea.command("matches", channel=bea.mailbox, which="finished")
    shown = await bea.press(finished, "Board")
    assert called(ann) in shown.text and labels(shown.message)


async def test_two_servers_stay_apart_for_somebody_in_both(harness: Harness) -> None:
    """Each match names its people as its own server does, and who is in one server learns nothing of the other."""
    world, sandbox = harness.sandbox.world, harness.sandbox
    club = world.found_server("Chess club", people=["Ann", "Eve", "Bea"])
    world.change_member(harness.ann.id, club, nick="Anna of the club")
    world.change_member(harness.bea.id, club, nick="Bee of the club")
    await harness.until(lambda: harness.life.client.get_guild(int(club.id)))
    eve = sandbox.person("Eve", club)
    here = await harness.match()
    there = await harness.match(harness.ann.in_server(club), eve, channel=world.channel_named("games", club))
    listed = await harness.ann.command("matches", channel=harness.ann.mailbox)
    for row, rival in ((here, harness.bea), (there, eve)):
        assert listed.text.count(f"Binary Primes · {row.id}]") == 1 and f"against {called(rival)}" in listed.text
    assert all(listed.text.count(f"-# {server.name}") == 1 for server in (world.home, club)), listed.text
    assert (await harness.ann.command("move", channel=harness.ann.mailbox, line="b2")).text.startswith(
        "You have several"
    )
    mine = await harness.bea.command("match board", channel=harness.bea.mailbox)
    assert "Anna of the club" not in mine.text and called(harness.ann) in mine.text
    for stranger, match in ((harness.bea, there.id), (eve, here.id)):
        refused = await stranger.command("match board", channel=stranger.mailbox, match=str(match))
        assert refused.text.startswith(f"There is no match {match} of yours.")
        suggested = await stranger.complete("match board", "match", channel=stranger.mailbox)
        assert [value for _, value in suggested] == [str(there.id if stranger is eve else here.id)]
        assert (
            str(match)
            not in (await stranger.command("matches", channel=stranger.mailbox)).text.replace("/", " ").split()
        )
    both = await harness.match(
        harness.ann.in_server(club), harness.bea.in_server(club), channel=world.channel_named("games", club)
    )
    listed = await harness.ann.command("matches", channel=harness.ann.mailbox)
    assert f"Binary Primes · {both.id}]" in listed.text and "against \u2068Bee of the club\u2069" in listed.text
    assert listed.text.count(f"against {called(harness.bea)}") == 1, "as each server calls her"


async def wants_boards(harness: Harness, *people: Person) -> None:
    for person in people:
        reply = await person.command("preferences", channel="games", reminders="board")
        assert "A minute into each of your turns" in reply.text, reply.text


async def minute_later(harness: Harness, seconds: int = 61) -> None:
    """Time passes, and the bot sends what is due."""
    await harness.settled()
    await harness.later(seconds)
    await harness.life.idle()
    await harness.life.client.publisher.retry_failed()
    await harness.settled()


@pytest.fixture
async def noon(harness: Harness) -> None:
    """It is noon, so that nobody sleeps; Discord's messages go by the same clock."""
    harness.clock.at = harness.clock() // DAY * DAY + DAY // 2
    harness.sandbox.world.clock = harness.clock
    await harness.run_due_acts(0)


@pytest.mark.usefixtures("noon")
@pytest.mark.parametrize("pace", ["7", "none"])
async def test_each_turn_comes_with_its_board(harness: Harness, pace: str) -> None:
    """One message a match: it rings once, becomes the board, then what was played, and the next turn replaces it."""
    ann, bea = harness.ann, harness.bea
    await wants_boards(harness, ann, bea)
    played = await harness.match(pace=pace)
    assert ann.read_direct_messages() == []
    rung = len(ann.list_notifications())
    await minute_later(harness)
    (mail,) = ann.read_direct_messages()
    assert len(ann.list_notifications()) == rung + 1 and bea.read_direct_messages() == []
    assert list_media(mail) and {"Move", "More …"} <= {*labels(mail)} and str(played.row.thread) in text_of(mail)
    assert harness.sandbox.world.home.name in text_of(mail), "a person plays in several servers"
    pad = await ann.press(mail, "Move")
    assert pad.message_id == mail["id"], "the pad takes the place of the board"
    pad = await ann.press(await ann.press(pad, "Back"), "Move")
    for key in ("b2", "Play b2"):
        pad = await ann.press(pad, key)
    await minute_later(harness)
    (mail,) = ann.read_direct_messages()
    assert text_of(mail).startswith("You played **b2**.") and not labels(mail) and not list_media(mail)
    (other,) = bea.read_direct_messages()
    assert called(ann) in text_of(other) and "played" in text_of(other), "what has happened"
    await (await played.fresh()).move("a1")
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    (other,) = bea.read_direct_messages()
    assert text_of(other).startswith("You played **a1**."), "also where it was played in the thread"
    await minute_later(harness)
    (again,) = ann.read_direct_messages()
    assert again["id"] != mail["id"] and "Move" in labels(again)
    assert len(ann.list_notifications()) == rung + 3, "the thread's line, and the message"


@pytest.mark.usefixtures("noon")
async def test_who_moves_within_the_minute_gets_none(harness: Harness) -> None:
    await wants_boards(harness, harness.ann, harness.bea)
    played = await harness.match()
    await played.move("b2")
    await (await played.fresh()).move("a1")
    await minute_later(harness, 59)
    assert harness.bea.read_direct_messages() == []
    await minute_later(harness)
    assert len(harness.ann.read_direct_messages()) == 1 and harness.bea.read_direct_messages() == []


@pytest.mark.usefixtures("noon")
async def test_a_stale_board_is_refreshed_where_it_stands(harness: Harness) -> None:
    await wants_boards(harness, harness.ann)
    played = await harness.match()
    await minute_later(harness)
    (mail,) = harness.ann.read_direct_messages()
    await played.move("b2")
    await harness.forge(
        harness.ann, mail, next(str(one.custom_id) for one in list_buttons(mail) if one.label == "Move")
    )
    await harness.settled()
    (now,) = harness.ann.read_direct_messages()
    assert now["id"] == mail["id"] and "b2" in text_of(now) and "Move" not in labels(now)


@pytest.mark.usefixtures("noon")
async def test_a_server_may_keep_its_matches_to_itself(harness: Harness) -> None:
    await wants_boards(harness, harness.ann)
    played = await harness.match()
    await minute_later(harness)
    (mail,) = harness.ann.read_direct_messages()
    await harness.ann.command("settings messages", on=False)
    name = harness.sandbox.world.home.name
    refused = await harness.ann.press(mail, "Move")
    assert refused.text == f"{name} keeps its matches to itself. Go to their threads to see and play them."
    assert (await harness.bea.command("matches", channel=harness.bea.mailbox)).text.startswith("You have no open")
    await (await played.move("b2")).move("a1")
    await minute_later(harness)
    assert "Move" not in [label for one in harness.ann.read_direct_messages() for label in labels(one)]


@pytest.mark.usefixtures("noon")
async def test_closed_and_lost_mailboxes(harness: Harness) -> None:
    """Where Discord refuses it for good the thread is told; "too fast" is tried again, and a lost channel opened."""
    ann = harness.ann
    await wants_boards(harness, ann)
    ann.close_mailbox()
    played = await harness.match()
    await minute_later(harness)
    thread = [text_of(one) for one in ann.read_messages(played.place)]
    assert any("Discord does not let me write to you directly" in line for line in thread)
    ann.close_mailbox(False)
    await wants_boards(harness, ann)
    await (await played.move("b2")).move("a1")
    harness.faults.fail_requests("POST", MESSAGES, 403, code=40003, channel=ann.mailbox)
    await minute_later(harness)
    assert ann.read_direct_messages() == []
    harness.faults.fail_requests("POST", MESSAGES, 404, code=10003, channel=ann.mailbox)
    await asyncio.sleep(61)
    await minute_later(harness)
    (mail,) = ann.read_direct_messages()
    assert "Move" in labels(mail)


def board_of(person: Person, match: int) -> list[Json]:
    """The messages of somebody's mailbox with the board of a match."""
    mine = [one for one in person.read_direct_messages() if not one["ephemeral_for"]]
    return [one for one in mine if any(str(b.custom_id).startswith(f"m:{match}:") for b in list_buttons(one))]


async def play_something(person: Person, pad: BotReply) -> BotReply:
    """Tap the first square that is free on a pad, and play it."""
    while not (plays := [label for label in labels(pad.message) if label.startswith("Play ")]):
        keys = [one.label for one in list_buttons(pad.message) if not one.disabled]
        pad = await person.press(pad, next(key for key in keys if re.fullmatch("[a-z][0-9]*", key)))
    return await person.press(pad, plays[0])


async def test_a_match_with_the_computer_is_played_in_place(harness: Harness) -> None:
    """Somebody who has added the app and shares no server with it plays to the end; the board stays one message."""
    ann = harness.ann
    ann.install_app()
    harness.sandbox.faults.leave("Ann")
    card = await ann.command("play", channel=ann.mailbox, game="binary-primes")
    await harness.settled()  # the pictures of all games are still being drawn
    assert INVITATION.format(application=harness.sandbox.world.me) in card.text
    assert "Challenge somebody …" not in labels(card.message)
    begun = await ann.command("play", channel=ann.mailbox, game="binary-primes", level=1, seat="me")
    await harness.answered()
    assert "against the computer" in begun.text and "https://discord.com/channels/@me/" in begun.text, begun.text
    row = await harness.row(1)
    assert (row.guild, row.channel, row.rated, row.pace) == (NOWHERE, int(ann.mailbox["id"]), False, "none")
    (board,) = board_of(ann, 1)
    while (row := await harness.row(1)).state == "live":
        harness.life.client.gate.acts.buckets.clear()
        (current,) = board_of(ann, 1)
        assert current["id"] == board["id"], "the board stays where it is"
        pad = await ann.press(current, "Move")
        assert pad.is_ephemeral
        await play_something(ann, pad)
        await harness.answered()
    (last,) = board_of(ann, 1)
    assert last["id"] == board["id"] and {"Rematch", "Replay"} <= {*labels(last)}
    harness.life.client.gate.acts.buckets.clear()
    assert (await ann.press(last, "Replay")).is_ephemeral
    again = await ann.press(last, "Rematch")
    await harness.answered()
    assert again.text.startswith("The rematch has started"), again.text
    assert (await harness.row(2)).guild == NOWHERE
    export = await harness.store.ask(Reader.export_person, int(ann.id))
    assert [one["guild"] for one in export["matches"]] == [None, None]
    forgotten = await ann.command("privacy forget", channel=ann.mailbox, confirm="forget me")
    await harness.until(lambda: "I have forgotten you" in forgotten.text)
    await harness.life.client.publisher.catch_up()
    await harness.settled()
    assert int(ann.id) not in [player.user for player in (await harness.row(1)).players]


async def test_it_belongs_to_no_server(harness: Harness) -> None:
    """It is in no list, on no board and of no number there; three may be under way; and friends need a server."""
    ann = harness.ann
    for _ in range(3):
        await ann.command("play", channel=ann.mailbox, game="sums-grid", level=1)
        await harness.answered()
    refused = await ann.command("play", channel=ann.mailbox, game="sums-grid", level=1)
    assert refused.text.startswith("You are already playing 3 matches in these direct messages"), refused.text
    friends = await ann.command("play", channel=ann.mailbox, game="plexus", pace="7")
    assert "invite me to a server" in friends.text
    assert "Nobody is playing here" in (await ann.command("matches", which="all here")).text
    assert (await ann.command("match board", match="1")).text.startswith("There is no match 1 in this server")
    refused = await harness.bea.command("match board", channel=harness.bea.mailbox, match="1")
    assert refused.text.startswith("There is no match 1 of yours.")
    listed = await ann.command("matches", channel=ann.mailbox)
    assert labels(listed.message).count("Move") + labels(listed.message).count("Board") == 3


async def test_a_quick_game_goes_as_it_came(harness: Harness) -> None:
    ann = harness.ann
    card = await ann.command("help", channel=ann.mailbox)
    await ann.press(card, "Quick game")
    await harness.settled()
    (board,) = board_of(ann, 1)
    pad = [one for one in ann.read_direct_messages() if one["ephemeral_for"] and "Back" in labels(one)][-1]
    gone = await ann.press(pad, "Back")
    await harness.settled()
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    assert "was called off" in gone.text and board_of(ann, 1) == [], (board["id"], gone.text)


async def test_a_closed_mailbox_shows_its_matches_by_command(harness: Harness) -> None:
    ann = harness.ann
    ann.close_mailbox()
    await ann.command("play", channel=ann.mailbox, game="binary-primes", level=1, seat="me")
    await harness.settled()
    shown = await ann.command("match board", channel=ann.mailbox)
    assert "Discord doesn't let me write to you directly" in shown.text and "Move" in labels(shown.message), shown.text
    ann.close_mailbox(False)
    await ann.command("match board", channel=ann.mailbox)
    await harness.settled()
    assert len(board_of(ann, 1)) == 1


@pytest.mark.usefixtures("noon")
async def test_one_set_of_tries_wherever_the_puzzle_is_tried(harness: Harness) -> None:
    """Three a day and person; the person's own day counts in direct messages."""
    ann, day = harness.ann, harness.clock() // DAY + date(1970, 1, 1).toordinal()
    puzzle = find_puzzle_of_day(day)
    wrong = [move for move, _ in puzzle.position.suggest(puzzle.seat, "") if move != puzzle.best][:2]
    for place, move in zip((NOWHERE, int(harness.sandbox.world.home.id)), wrong, strict=True):
        await harness.store.do(service.keep_try, GuildId(place), UserId(int(ann.id)), day, move, harness.clock())
    for channel in ("games", ann.mailbox):
        shown = await ann.command("daily", channel=channel)
        assert "1 try left" in shown.text or "last try" in shown.text, shown.text
    opened = await ann.press(shown, "Solve")
    assert "only you see this" in opened.text, opened.text
    await ann.command("preferences", channel=ann.mailbox, zone="Pacific/Kiritimati")
    later = await ann.command("daily", channel=ann.mailbox)
    assert "last try" not in later.text and "1 try left" not in later.text, "their own day has begun already"


@pytest.mark.usefixtures("noon")
async def test_the_puzzle_comes_in_the_morning_to_those_who_want_it(harness: Harness) -> None:
    """Once a day, when the quiet hours end; it rings and becomes the board; who is done or takes none gets none."""
    ann, sender = harness.ann, harness.life.client.handlers.morning_sender
    card = await ann.command("preferences", channel=ann.mailbox, puzzle="on")
    assert "I send you the puzzle of the day as a direct message" in card.text

    async def morning(hours: int) -> list[Json]:
        await harness.run_due_acts(hours * HOUR)
        await harness.life.does(sender.poll())
        await harness.settled()
        return [one for one in ann.read_direct_messages() if not one["ephemeral_for"]]

    assert await morning(19) == []
    rung = len(ann.list_notifications())
    (mail,) = await morning(1)
    assert list_media(mail) and {"Solve", "Stats"} <= {*labels(mail)} and len(ann.list_notifications()) == rung + 1
    assert len(await morning(1)) == 1, "once a day"
    opened = await ann.press(mail, "Solve")
    assert opened.message_id == mail["id"] and "puzzle" in opened.text
    harness.faults.fail_requests("POST", MESSAGES, 403, code=40003, channel=ann.mailbox)
    assert len(await morning(23)) == 1
    await asyncio.sleep(61)
    assert len(await morning(1)) == 2, "too fast is tried again"
    ann.close_mailbox()
    await morning(24)
    kept = await harness.store.ask(Reader.load_preferences, int(ann.id))
    assert kept.puzzle is None, "a closed mailbox ends it"


async def test_an_app_of_the_person_alone_works_in_a_server_without_the_bot(harness: Harness) -> None:
    """It shows that person their own, in private; what they begin is in their direct messages."""
    played, ann = await harness.match(), harness.ann
    away = harness.sandbox.world.found_server("Elsewhere", people=["Ann", "Eve"])
    harness.sandbox.faults.kick(away)
    there = ann.in_server(away)
    with pytest.raises(ClientRefusal, match="not in this server"):
        await there.command("matches", channel="general")
    ann.install_app()
    listed = await there.command("matches", channel="general")
    assert listed.is_ephemeral and f"Binary Primes · {played.id}" in listed.text
    board = await there.press(listed, "Move")
    assert board.is_ephemeral and "Move" in labels(board.message)
    begun = await there.command("play", channel="general", game="binary-primes", level=1, seat="me")
    await harness.answered()
    assert begun.is_ephemeral and "https://discord.com/channels/@me/" in begun.text
    assert len(board_of(ann, 2)) == 1 and (await harness.row(2)).guild == NOWHERE
    with pytest.raises(ClientRefusal, match="no command"):
        await there.command("leaderboard", channel="general")
