"""The welcome of a server, /help, and a quick game from either: a first legal move in a few taps."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot import VERSION
from bot.features.challenges.handlers import find_quickest_game
from bot.games.catalogue import load_games
from bot.play.ids import level_of
from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Reader
from tests.e2e.harness import MESSAGES, PLAYS, Harness, labels, said

TAPS = 3
"""From the welcome: *Quick game*, a key, and *Play*."""


async def quick(harness: Harness, card: BotReply | None = None) -> BotReply:
    """The pad of a quick game that Ann begins on a card of her own, of /play where none is given."""
    told = await harness.ann.press(card or await harness.ann.command("play", channel="games"), "Quick game")

    def pads() -> list[str]:
        return [one["id"] for one in harness.ann.read_messages(told.channel_id) if "Type it" in labels(one)]

    await harness.until(lambda: bool(pads()))
    return replace(told, message_id=pads()[-1])


async def moved(harness: Harness, pad: BotReply) -> int:
    """Tap the first key of a pad until the move is played; how many taps that takes."""
    for taps in range(1, 9):
        keys = [label for label in labels(pad.message) if label not in ("Back", "Type it", "Rules")]
        key = next((key for key in keys if key.startswith(PLAYS)), keys[0])
        pad = await harness.ann.press(pad.message, key)
        if key.startswith(PLAYS):
            return taps
    raise AssertionError("the move takes more than eight taps")


async def test_help_is_one_card(harness: Harness) -> None:
    reply = await harness.ann.command("help", channel="games")
    assert (
        reply.is_ephemeral
        and reply.text.startswith("### Graph Paper\n")
        and "`/play` does the same as *Play*" in reply.text
    )
    assert labels(reply.message) == ["Quick game", "Play"]
    for command in ("/daily", "/league", "/settings"):
        assert command in reply.text
    assert "/settings" not in (await harness.bea.command("help", channel="games")).text, "she may not manage the server"
    listed = await harness.ann.press(reply, "Play")
    assert listed.message_id == reply.message_id and listed.text.startswith("### Games to begin with")


async def test_who_manages_the_server_reads_which_version_runs(harness: Harness) -> None:
    foot = f"-# Version {VERSION}."
    assert (await harness.ann.command("help", channel="games")).text.endswith(foot)
    assert "Version" not in (await harness.bea.command("help", channel="games")).text


async def test_the_host_is_told_of_servers_that_come_and_go(harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    server = harness.sandbox.server()
    with caplog.at_level("INFO", "bot.app.client"):
        harness.faults.kick()
        await harness.until(lambda: f"Left server {server.id}. Servers: 0." in caplog.messages)
        harness.faults.invite()
        await harness.until(lambda: f"Joined server {server.id}. Servers: 1." in caplog.messages)
    assert server.guild["name"] not in caplog.text, "a name is something that somebody typed"


async def welcomed(harness: Harness) -> dict[str, Any]:
    """The welcome of a server that has just invited the bot."""
    harness.faults.kick()
    await harness.until(lambda: not harness.life.client.guilds)
    harness.faults.invite()
    await harness.until(
        lambda: any("### Graph Paper" in people.text_of(one) for one in harness.ann.read_messages("general"))
    )
    (welcome,) = (one for one in harness.ann.read_messages("general") if "### Graph Paper" in people.text_of(one))
    assert "For those who manage this server: I post where somebody challenges" in people.text_of(welcome)
    (board,) = people.list_media(welcome)
    assert board.alt and board.attachment_id
    return welcome


async def test_a_server_that_invites_the_bot_is_welcomed_with_a_way_to_play(harness: Harness) -> None:
    welcome = await welcomed(harness)
    pad = await harness.ann.press(welcome, "Quick game")
    assert pad.is_ephemeral and await moved(harness, pad) < TAPS
    await harness.settled()
    row = await harness.row(1)
    assert row.game == find_quickest_game().key and row.record[0][0] == 1 and row.players[0].user == int(harness.ann.id)
    assert [level_of(player.user) for player in row.players[1:]] == [1] and not row.rated


async def test_where_the_welcome_stands_no_challenge_introduces_the_bot_again(harness: Harness) -> None:
    harness.faults.kick()
    await harness.until(lambda: not harness.life.client.guilds)
    harness.faults.invite()
    await harness.until(
        lambda: any("### Graph Paper" in people.text_of(one) for one in harness.ann.read_messages("general"))
    )
    await harness.challenge(harness.bea)
    await harness.restart()
    await harness.challenge(harness.cem)
    assert not any("New here?" in people.text_of(one) for one in harness.ann.read_messages("games"))


async def test_a_quick_game_from_play_begins_once_however_often_it_is_tapped(harness: Harness) -> None:
    asked = await harness.ann.command("play", channel="games")
    harness.faults.deliver_twice()
    told = await harness.ann.press(asked, "Quick game")
    await harness.settled()
    assert await harness.store.ask(Reader.count_by_state) == {"live": 1}
    assert (
        told.message_id == asked.message_id
        and told.text.startswith("**You began a quick game of ")
        and labels(told.message) == []
    )
    (pad,) = (one for one in harness.ann.read_messages("games") if "Type it" in labels(one))
    assert "match 1" in people.text_of(pad)


async def test_a_quick_game_is_begun_once_where_it_is_asked_for_again_before_a_move(harness: Harness) -> None:
    """The welcome stands for everybody: each press on it is one of its own."""
    welcome = await welcomed(harness)
    first, second = await asyncio.gather(*(harness.ann.press(welcome, "Quick game") for _ in range(2)))
    third = await quick(harness, await harness.ann.command("play", channel="general"))
    await harness.settled()
    assert await harness.store.ask(Reader.count_by_state) == {"live": 1}
    for pad in (first, second, third):
        assert pad.is_ephemeral and "match 1" in pad.text
    other = await harness.bea.press(welcome, "Quick game")
    assert "match 2" in other.text, "whom it is for is who asks"


async def test_the_first_pad_of_a_quick_game_says_the_aim_and_leads_to_the_rules(harness: Harness) -> None:
    pad = await quick(harness)
    await harness.settled()
    game = find_quickest_game()
    assert pad.text.splitlines()[0] == game.goal, "it stands above the first question"
    rules = await harness.ann.press(pad, "Rules")
    assert rules.is_ephemeral and rules.message_id != pad.message_id and f"### {game.title}" in rules.text
    assert await moved(harness, pad) <= TAPS
    await harness.settled()
    row = await harness.row(1)
    assert row.plies >= 1
    board = await harness.ann.command("match board", channel="games", match=1)
    again = await harness.ann.press(board, "Move") if "Move" in labels(board.message) else None
    assert again is None or game.goal not in again.text


async def test_back_before_a_first_move_takes_a_quick_game_away(harness: Harness) -> None:
    pad = await quick(harness)
    await harness.settled()
    listed = await harness.ann.press(pad, "Back")
    await harness.settled()
    title = find_quickest_game().title
    assert listed.message_id == pad.message_id and listed.text.startswith(
        f"Your quick game of {title} was called off: nothing had been played.\n### Games to begin with"
    )
    (above,) = (one for one in harness.ann.read_messages("games") if one["id"] != pad.message_id)
    computer = "the computer (level 1)"
    assert said(above) == f"**You began a quick game of {title} against {computer}, and called it off.**"
    row = await harness.row(1)
    assert (row.state, row.rated) == ("aborted", False)
    assert "match 1" not in (await harness.ann.command("matches", channel="games")).text
    late = await harness.ann.command("match resign", channel="games", match=1)
    assert late.text == "This match was called off."
    anew = await quick(harness, listed)
    assert "match 2" in anew.text, "it begins anew though its message is the same"


def public(harness: Harness, place: str) -> list[str]:
    """What everybody sees in a place."""
    return [people.text_of(one) for one in harness.bea.read_messages(place)]


async def test_back_leaves_nothing_of_a_quick_game_in_the_channel(harness: Harness) -> None:
    pad = await quick(harness)
    await harness.settled()
    await harness.ann.press(pad, "Back")
    await harness.settled()
    row = await harness.row(1)
    assert public(harness, "games") == [] and row.thread != row.channel
    (board,) = (one for one in harness.bea.read_messages(str(row.thread)) if one["id"] == str(row.board_message))
    assert "Nothing had been played, so this match was called off." in people.text_of(board) and labels(board) == [
        "Rules"
    ]
    assert harness.sandbox.channel(str(row.thread))["thread_metadata"]["archived"], "we may not delete it"
    await harness.ann.command("match board", channel="games", match=1)
    await harness.settled()
    assert public(harness, "games") == []


async def back_with_threads_managed(harness: Harness, word: str = "") -> str:
    """A quick game is taken away where we may delete threads, after somebody has perhaps said a `word` in it. The
    thread that it had."""
    harness.faults.allow("games", "manage_threads")
    pad = await quick(harness)
    await harness.settled()
    thread = str((await harness.row(1)).thread)
    if word:
        harness.bea.say(word, channel=harness.sandbox.channel(thread))
    await harness.ann.press(pad, "Back")
    await harness.settled()
    await harness.life.client.publisher.catch_up()
    await harness.settled()
    assert public(harness, "games") == []
    return thread


async def test_back_deletes_the_thread_of_a_quick_game_where_that_is_allowed(harness: Harness) -> None:
    thread = await back_with_threads_managed(harness)
    assert thread not in harness.sandbox.world.channels
    row = await harness.row(1)
    assert (row.state, row.thread, row.shown_version) == ("aborted", row.channel, row.version)


async def test_back_deletes_no_thread_in_which_somebody_has_written(harness: Harness) -> None:
    thread = await back_with_threads_managed(harness, "Hello!")
    assert harness.sandbox.world.channels[thread]["thread_metadata"]["archived"]


async def test_back_leaves_nothing_where_matches_have_no_threads(harness: Harness) -> None:
    await harness.ann.command("settings threads", channel="games", on=False)
    pad = await quick(harness)
    await harness.settled()
    assert public(harness, "games")
    await harness.ann.press(pad, "Back")
    await harness.settled()
    await harness.ann.command("match board", channel="games", match=1)
    await harness.settled()
    assert public(harness, "games") == []


async def test_back_before_a_quick_game_is_shown_posts_nothing(harness: Harness) -> None:
    harness.forgiven.append("could not be shown")
    harness.faults.fail_requests("POST", MESSAGES, 503, times=2)
    pad = await quick(harness)
    await harness.ann.press(pad, "Back")
    await harness.settled()
    assert public(harness, "games") == [] and (await harness.row(1)).state == "aborted"


async def test_back_after_a_first_move_leads_to_the_board(harness: Harness) -> None:
    pad = await quick(harness)
    assert await moved(harness, pad) <= TAPS
    await harness.settled()
    await harness.answered()
    board = await harness.ann.command("match board", channel="games", match=1)
    verb = next(label for label in labels(board.message) if label not in ("Rules", "More …", "Hint"))
    pad = await harness.ann.press(board, verb)
    assert load_games()[(await harness.row(1)).game].goal not in pad.text, "it is not the first pad"
    await harness.ann.press(pad, "Back")
    await harness.settled()
    assert (await harness.row(1)).state == "live"


async def test_back_from_a_board_leaves_a_match_with_the_computer(harness: Harness) -> None:
    played = await harness.against(1)
    pad = await harness.ann.press(played.board, "Move")
    assert load_games()[(await harness.row(1)).game].goal not in pad.text, "it is not the first pad"
    await harness.ann.press(pad, "Back")
    await harness.settled()
    assert (await played.fresh()).row.state == "live"
