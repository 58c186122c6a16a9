"""A button never acts on a match that only has the number of its own: in a new database numbers begin at 1 again, and
Discord keeps the messages of the one before.

What can be pressed is read from the router, so that a new button is tried by itself.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.platform.checks import SLACK, TokenBuckets
from bot.platform.custom_ids import FormId
from bot.play.ids import InteractionId, MatchId
from bot.play.league_tables import LoadedLeague
from bot.play.rows import MatchRecordRow, ServerSettings
from bot.sandbox.people import BotReply
from data.store import Transaction
from data.upkeep.backups import backup
from tests.e2e.harness import MESSAGE, Harness, Json, Played, form_of, labels, said
from tests.e2e.test_daily_channel import guild
from tests.e2e.test_leagues import league, opened
from tests.e2e.test_wrong_messages import pressable
from tests.support.upkeep import move, restore

REFUSED = "This is from an earlier match {number}, which I no longer have. /matches lists yours."
LATER = 600
"""Seconds in which a host puts another database in place of one: Discord has forgotten the nonces of before."""


def pass_everywhere(harness: Harness, seconds: float) -> None:
    """Time passes for the bot and for Discord."""
    before: Callable[[], float] = harness.sandbox.world.clock
    harness.clock.ahead += int(seconds)
    harness.sandbox.world.clock = lambda: before() + seconds


async def put(harness: Harness, file: Path) -> None:
    """Stop the bot, put another file in place of its database by hand, and start it again ten minutes later."""
    await harness.life.end()
    await harness.store.close()
    for old in harness.file.parent.glob(f"{harness.file.name}*"):
        old.unlink()
    shutil.copy(file, harness.file)
    pass_everywhere(harness, LATER)
    await harness.restart()
    harness.life.client.gate.acts = TokenBuckets(10**6, 1)


async def test_an_old_board_does_not_open_the_match_that_has_its_number_now(
    harness: Harness, empty_database: Path
) -> None:
    """Both have one move, so their versions are the same, and Dora is to move in both."""
    old = await (await harness.match(harness.cem, harness.dora)).move("b2")
    form = await form_of(harness.dora, old.board)
    own = await harness.dora.command("match board", channel=old.place)
    await put(harness, empty_database)
    new = await (await harness.match(harness.ann, harness.dora)).move("c3")
    assert (new.id, new.row.version, new.mover.id) == (old.id, old.row.version, harness.dora.id)

    refused = REFUSED.format(number=new.id)
    for message in (old.board, own.message):
        pressed = await harness.dora.press(message, "Move")
        assert (pressed.text, pressed.is_ephemeral) == (refused, True)
    assert (await harness.dora.submit(form, {"Square": "a1"})).text == refused
    assert labels(old.board) == ["Move", "Rules", "More …"], "what is not the match's is left as it is"
    await harness.settled()
    assert await new.unchanged()

    form = await form_of(harness.dora, new.board)
    assert (await harness.dora.submit(form, {"Square": "a1"})).kind == "acknowledged"
    await harness.settled()
    assert (await new.fresh()).record == [(1, "c3"), (2, "a1")]


async def test_an_old_challenge_is_not_the_one_that_has_its_number_now(harness: Harness, empty_database: Path) -> None:
    """Bea is asked in both; the old message has a select of the computer's levels, too."""
    old = await harness.challenge(harness.cem, opponent=harness.bea)
    await put(harness, empty_database)
    new = await harness.challenge(harness.ann, opponent=harness.bea)
    assert new.id == old.id
    for label in ("Accept", "Decline"):
        assert (await harness.bea.press(old.lobby, label)).text == REFUSED.format(number=new.id)
    table = await harness.challenge(harness.ann)
    edited = len(harness.sandbox.requests_of("PATCH", MESSAGE))
    chosen = await harness.choose(harness.ann, old.lobby, f"m:{table.id}:0:computer", ["2"])
    assert chosen.text == REFUSED.format(number=table.id)
    await harness.settled()
    assert len(harness.sandbox.requests_of("PATCH", MESSAGE)) == edited, "nothing of the new table is touched"
    assert await new.unchanged() and await table.unchanged()
    assert (await harness.bea.press(new.lobby, "Accept")).kind == "update"


async def test_an_old_board_in_the_same_channel_is_not_taken_for_an_orphan(
    harness: Harness, empty_database: Path
) -> None:
    """After a start the bot looks for boards that it has posted and not noted."""
    await harness.store.do(Transaction.set_settings, guild(harness), ServerSettings(threads=False))
    old = await (await harness.match(harness.cem, harness.dora)).move("b2")
    board, shown = old.board, said(old.board)
    await put(harness, empty_database)
    await harness.store.do(Transaction.set_settings, guild(harness), ServerSettings(threads=False))
    new = await harness.match()
    await harness.restart()
    new = await new.move("c3")
    assert (new.id, new.place["id"]) == (old.id, board["channel_id"])
    assert (said(board), labels(board)) == (shown, ["Move", "Rules", "More …"])
    assert (await form_of(harness.bea, new.board)).kind == "modal"


async def test_a_copy_that_was_put_back_by_hand_gives_a_number_a_second_time(harness: Harness, tmp_path: Path) -> None:
    """`restore` passes such numbers over; `cp` does not. What was there when the copy was taken goes on."""
    kept = await (await harness.match()).move("b2")
    await backup(harness.url, tmp_path / "copy.db")
    lost = await (await harness.match(harness.cem, harness.dora)).move("b2")
    await put(harness, tmp_path / "copy.db")
    new = await (await harness.match(harness.ann, harness.dora)).move("c3")
    assert new.id == lost.id
    assert (await harness.dora.press(lost.board, "Move")).text == REFUSED.format(number=new.id)
    assert (await form_of(harness.bea, kept.board)).kind == "modal"
    await (await kept.fresh()).move("a1")
    for message in (*lost.boards, *lost.lines, lost.lobby):
        message.pop("nonce", None)  # by now Discord knows none of them, and the new match has had the same


async def every_message(harness: Harness) -> tuple[Played, Json, dict[str, int]]:
    """A live match of Ann and Bea, a message of it, and beside it match 2, which is over, and a league."""
    live = await (await harness.match()).move("b2")
    over = await harness.match()
    await harness.surely(harness.bea, "match resign", match=over.id, channel=over.place)
    await opened(harness)
    await harness.settled()
    found = (await league(harness)).league.id
    return await live.fresh(), live.board, {"match": live.id, "over": over.id, "league": found}


async def standing(harness: Harness) -> tuple[MatchRecordRow, MatchRecordRow, LoadedLeague]:
    """Both matches and the league, as they are stored."""
    return await harness.row(1), await harness.row(2), await league(harness)


async def test_nothing_that_names_a_match_acts_on_a_later_one(harness: Harness, empty_database: Path) -> None:
    """Every button, select and form that there is, on a message that is older than the match. The number of a league is
    that of an interaction, which is given once."""
    _, message, numbers = await every_message(harness)
    await put(harness, empty_database)
    live, fresh, _ = await every_message(harness)
    before = await standing(harness)
    kinds: dict[bool, set[Any]] = {False: set(), True: set()}
    for custom_id in pressable(harness.life.client.routes, **numbers):
        reply = await harness.forge(harness.ann, message, custom_id)
        meant: Any = harness.life.client.routes.parse(custom_id)
        named = getattr(meant, "match", None)
        assert (reply.text == REFUSED.format(number=named)) == (named is not None), (custom_id, reply.text)
        kinds[named is not None].add(type(meant))
    naming = {kind for kind in harness.life.client.routes.kinds if "match" in kind.fields and kind is not FormId}
    assert (kinds[True], kinds[False] & naming) == (naming, set()), "each kind that names a match"
    for purpose, opener in product(("", "ifthen"), (message, fresh)):  # where it was opened tells as much as when
        form = FormId(MatchId(live.id), live.row.plies, purpose, "move", InteractionId(int(opener["id"])))
        reply = await harness.forge_form(harness.ann, message, str(form), {"square:0": "a1"})
        assert reply.text == REFUSED.format(number=live.id)
    await harness.settled()
    assert await standing(harness) == before


async def test_a_form_without_a_message_is_as_old_as_what_opened_it(harness: Harness, empty_database: Path) -> None:
    """Discord sends no message along where that is gone."""
    await harness.match()
    forms = list[BotReply]()
    for database in (empty_database, None):
        played = Played(harness, 1, await harness.row(1))
        own = await harness.ann.command("match board", channel=played.place)
        forms.append(await form_of(harness.ann, own.message))
        harness.ann.dismiss_message(own.message["id"])
        if database:
            await put(harness, database)
            await harness.match()
    old, new = forms
    assert (await harness.ann.submit(old, {"Square": "a1"})).text == REFUSED.format(number=1)
    assert (await harness.ann.submit(new, {"Square": "b2"})).text.startswith("You played **b2**")
    assert (await harness.row(1)).record == ((1, "b2"),)


async def test_a_quick_game_from_a_list_of_long_ago_has_a_pad_of_its_own(harness: Harness) -> None:
    """What leads to a match is older than it, so the match's buttons are never put there."""
    card = await harness.ann.command("help", channel="games")
    asked = await harness.ann.press(card, "Play")
    pass_everywhere(harness, 3600)
    told = await harness.ann.press(asked, "Quick game")
    await harness.settled()
    assert told.message_id == asked.message_id and labels(told.message) == []
    assert (await harness.row(1)).state == "live" and "You began a quick game of " in told.text
    (pad,) = (one for one in harness.ann.read_messages("games") if "Type it" in labels(one))
    assert pad["ephemeral_for"] and "match 1" in said(pad)
    tapped = await harness.ann.press(pad, labels(pad)[0])
    assert tapped.kind == "update" and "match 1" in tapped.text


@pytest.mark.parametrize("off", [SLACK, -SLACK, -3600])
async def test_a_clock_that_is_a_little_off_refuses_nobody(harness: Harness, off: int) -> None:
    """The bot's clock goes by Discord's; a match and its messages are often of the same second."""
    harness.clock.ahead += off
    played = await harness.match()
    assert (await harness.ann.press(played.board, "More …")).is_ephemeral
    own = await harness.ann.command("match board", channel=played.place)
    for message in (played.board, own.message):
        assert (await form_of(harness.ann, message)).kind == "modal"
    lobby = await harness.challenge(opponent=harness.cem)
    assert (await harness.cem.press(lobby.lobby, "Accept")).kind == "update"


async def test_a_clock_that_was_far_ahead_refuses_nobody(harness: Harness) -> None:
    """Discord's own numbers say better when a match came to be: nothing of it is older than its first message."""
    harness.clock.ahead += 10 * 86_400
    played = await harness.match()
    own = await harness.ann.command("match board", channel=played.place)
    played = await played.move("b2")
    assert (await harness.bea.press(played.board, "More …")).is_ephemeral
    assert (await harness.ann.press(own, "Rules")).text.startswith("### Binary Primes Game")
    alone = await harness.against()
    assert (await form_of(harness.ann, alone.board)).kind == "modal"


async def test_messages_outlive_a_restored_copy_and_a_move_to_another_database(
    harness: Harness, tmp_path: Path
) -> None:
    played = await (await harness.match()).move("b2")
    challenge = await harness.challenge(harness.cem, opponent=harness.dora)
    await backup(harness.url, tmp_path / "copy.db")
    pass_everywhere(harness, 3600)
    await harness.life.end()
    await harness.store.close()
    await restore(tmp_path / "copy.db", harness.url, force=True)
    await harness.restart()
    assert (await harness.dora.press(challenge.lobby, "Rules")).is_ephemeral
    await harness.life.client.publisher.catch_up()
    await harness.settled()
    assert (await form_of(harness.bea, (await played.fresh()).board)).kind == "modal"

    await harness.life.end()
    await harness.store.close()
    await move(harness.url, f"sqlite:///{tmp_path / 'moved.db'}")
    harness.file = tmp_path / "moved.db"
    await harness.restart()
    assert (await form_of(harness.bea, (await played.fresh()).board)).kind == "modal"
