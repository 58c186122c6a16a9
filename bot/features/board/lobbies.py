"""The messages around a match's boards: challenge, thread, result; and cleaning up after them."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.features.board import match_pictures, turn_words, views, words
from bot.features.board.match_pictures import Renderer
from bot.features.board.posts import (
    NONCES,
    Boards,
    Orphans,
    is_announcement,
    is_lobby,
    list_people_to_tell,
    make_challenge_edit,
    make_closing_edit,
    make_removal,
    matches_text,
    matches_view,
    mentions_exactly,
)
from bot.features.challenges import words as challenges_words
from bot.features.time.words import clean_server_name
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.edits import Files
from bot.platform.error_codes import FailureAction, Route, choose_action, is_refusal
from bot.platform.jobs import Backoff
from bot.platform.machine import loop_time
from bot.platform.messages import Channels
from bot.platform.outbox import SEND_WITHIN, RetryPolicy
from bot.platform.ui import Drawing, build_button_rows
from bot.play.ids import NOWHERE, ChannelId, GuildId, MatchId, MessageId, UserId
from bot.play.loaded_match import LoadedMatch, MatchView, UnknownMatch
from bot.play.rows import WELCOMED, MatchRecordRow, MatchRow, PendingEdit, Player
from bot.umpire import notifications
from bot.umpire.transactions import store_request_line
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Reader, Transaction

# Tells the channel of a match how it ended, for the publisher: by a new message, since an old one may be far above.


LET_BE = 600.0
"""Seconds for which a channel that has refused it is not tried again. The match itself does not wait for that."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Announcements:
    """Posts how matches ended, and edits those posts."""

    def __init__(self, channels: Channels, umpire: Umpire, renderer: Renderer, orphans: Orphans) -> None:
        self.channels = channels
        self.umpire = umpire
        self.store = umpire.store
        self.renderer = renderer
        self.orphans = orphans
        self._later: dict[MatchId, float] = {}
        """When to retry what was refused."""

    async def show(self, loaded: LoadedMatch) -> None:
        """Tell the channel of a match how it ended, unless the last board is there itself, or it is no news. Where the
        channel is closed to the bot it is owed: the channel may open while that is news."""
        row, place = loaded.row, loaded.row.channel
        found = await self.orphans.find_orphans(
            loaded, place, lambda one: one.id != row.lobby_message and is_announcement(one, loaded.id)
        )
        if found:
            await self._note(loaded, MessageId(found[0].id))
        elif not loaded.has_own_thread or self.umpire.clock() > (row.announce_until or 0):
            await self._note(loaded, None)
        elif not self.channels.is_channel_closed(row.guild, place) and self._later.get(loaded.id, 0.0) <= loop_time():
            await self._post(loaded)

    async def _post(self, loaded: LoadedMatch) -> None:
        row, (view, files) = loaded.row, await self._draw(loaded)
        try:
            async with self.orphans.posting_guard(loaded, row.channel):
                message = await self.channels.post(row.guild, row.channel, view, files, (), f"f{row.id}")
                steps.debug("announced %d", row.id)
                await self._note(loaded, MessageId(message.id))
        except discord.HTTPException as fault:
            if not is_refusal(fault):
                raise
            # discord.py repeats a request whose answer was lost: the refusal may be that of the repetition.
            log.info("How match %d ended is not told in its channel: %s", row.id, fault)
            self._later[loaded.id] = loop_time() + LET_BE

    async def _note(self, loaded: LoadedMatch, message: MessageId | None) -> None:
        """Note the message that tells the channel how a match ended, and queue the edit that shrinks its challenge to a
        line."""
        challenge = make_challenge_edit(loaded.row)
        self._later.pop(loaded.id, None)

        def note(tx: Transaction) -> None:
            tx.mark_announced(loaded.id, message)
            if challenge:
                tx.keep_edit(challenge)

        await self.store.do(note)
        steps.debug("news %d", loaded.id)

    async def redraw(self, loaded: LoadedMatch) -> bool:
        """Edit the message anew, since its players may be renamed; False where there is none."""
        row = loaded.row
        if row.announcement is None:
            return False

        def build_view() -> discord.ui.LayoutView:
            sight = MatchView.of(loaded, None)
            return views.build_announcement(sight, match_pictures.list_pictures(sight))

        async def draw() -> Files:
            return (await self._draw(loaded))[1]

        view = await self.renderer.run(build_view)
        return await self.channels.edit(row.guild, row.channel, row.announcement, view, draw, keep=True)

    async def _draw(self, loaded: LoadedMatch) -> tuple[discord.ui.LayoutView, Files]:
        sight = MatchView.of(loaded, None)
        drawing = await self.renderer.draw_board(sight)
        return views.build_announcement(sight, drawing.pictures), drawing.make_files(str(sight.position))


# Posts and edits the messages around a match's boards, for the publisher: its challenge, its thread, their endings.


LEAGUES_WAIT = 600
"""Seconds for which a league's match waits for its thread before it begins in the channel."""
REMEMBERED = 10_000
"""The number of servers whose first match is remembered."""


class Lobbies:
    """Shows challenges, and makes and names the threads of their matches."""

    def __init__(self, channels: Channels, umpire: Umpire, renderer: Renderer, orphans: Orphans) -> None:
        self.channels = channels
        self.renderer = renderer
        self.umpire = umpire
        self.store = umpire.store
        self.orphans = orphans
        self._firsts: OrderedDict[GuildId, MatchId | None] = OrderedDict()
        self._again = 0

    async def build_view(self, loaded: LoadedMatch) -> discord.ui.LayoutView:
        """The message of a challenge that has no picture."""
        return (await self.draw(loaded))[0]

    async def draw(self, loaded: LoadedMatch) -> tuple[discord.ui.LayoutView, edits.Files]:
        """The message of a challenge, with the board where it shows how the match ended. The first of a server
        introduces the bot to all who see it, where no welcome has done so."""
        row, drawing = loaded.row, Drawing((), ())
        if not row.is_private and challenges_words.is_told_here(loaded):
            drawing = await self.renderer.draw_board(MatchView.of(loaded, None))
        if row.guild not in self._firsts and (row.state == "open" or row.lobby_message):
            self._firsts[row.guild] = await self.store.ask(_find_first, row.guild)
            if len(self._firsts) > REMEMBERED:
                self._firsts.popitem(last=False)
        return views.build_lobby(loaded, self._is_first(row), drawing.pictures), drawing.make_files("")

    def _is_first(self, row: MatchRow) -> bool:
        """Whether a match was the first of its server, if that is loaded."""
        return self._firsts.get(row.guild) == row.id

    async def show(self, loaded: LoadedMatch) -> None:
        """Show the challenge in its place. Users who decline it or are asked later are mentioned in messages of their
        own, since edits ping nobody. Where it has ended and that concerns users, a line says so; then its message,
        which would only repeat that, is deleted."""
        row, ends, asks = loaded.row, False, None
        edited = await self.redraw(loaded)
        steps.debug("edited %d", loaded.id)
        if not edited and (row.state == "open" or not (row.lobby_message or row.shown_version)):
            now = await self.store.ask(Reader.load_row, row.id)
            if now is None or now.version != row.version:
                return  # another process may have deleted its message
            await self._post(loaded)
            if not challenges_words.is_host_untold(loaded):
                return
        elif ends := bool(list_people_to_tell(loaded)) and row.state != "open":
            await self._tell(loaded)
        elif later := [user for user in list_people_to_tell(loaded) if user != row.host]:
            text = challenges_words.describe_late_invitation(loaded, later)
            asks = MessageId((await self._say(loaded, text, later, f"a{row.id}.{row.version}")).id)
        if row.state == "open":
            await self._tell_host(loaded)
        await self.store.do(_note_edit, row, ends, asks)
        if ends:
            self._firsts.pop(row.guild, None)

    async def redraw(self, loaded: LoadedMatch) -> bool:
        """Edit the message of a challenge; False where there is none."""
        row, (view, files) = loaded.row, await self.draw(loaded)
        if row.lobby_message is None:
            return False
        return await self.channels.edit(row.guild, row.channel, row.lobby_message, view, files)

    async def _tell_host(self, loaded: LoadedMatch) -> None:
        """Tell the host of a challenge who has declined it, with the possible actions; later the line follows the
        challenge, is deleted when none is left, and comes back without a ping."""
        row, wanted = loaded.row, challenges_words.has_fallen_short(loaded)
        if wanted and challenges_words.is_host_untold(loaded):
            text, buttons = (
                challenges_words.format_declined_line(loaded, [row.host]),
                build_button_rows(*views.make_decline_rows(loaded)),
            )
            message = await self._say(loaded, text, [row.host], f"h{row.id}.{row.version}", buttons)
            await self.store.do(_note_line, row, MessageId(message.id))
        elif wanted and row.told_message:
            # Each has another number, after a restart too.
            self._again = max(self._again + 1, self.umpire.clock())
            line = views.build_declined_line(loaded, self._again)
            if not await self.channels.edit(row.guild, row.channel, row.told_message, line):
                # It was deleted while nobody was missing, and the host knows of those who are missing again.
                text, buttons = (
                    challenges_words.format_declined_line(loaded),
                    build_button_rows(*views.make_decline_rows(loaded)),
                )
                message = await self._say(loaded, text, [], f"h{row.id}.{row.version}", buttons, silent=True)
                await self.store.do(_note_line, row, MessageId(message.id))
        elif row.told_message:
            await self.store.do(Transaction.keep_edit, make_removal(row, row.told_message))

    async def _say(
        self,
        loaded: LoadedMatch,
        text: str,
        told: Sequence[UserId],
        nonce: str,
        buttons: ui.View | None = None,
        silent: bool = False,
    ) -> discord.Message:
        """Ping users with a line below a challenge, unless they were pinged and it was not noted."""
        row = loaded.row
        if found := await self.orphans.find_orphans(
            loaded, row.channel, lambda one: matches_text(one, text) and mentions_exactly(one, told)
        ):
            return found[0]
        async with self.orphans.posting_guard(loaded, row.channel):
            message = await self.channels.say(row.guild, row.channel, text, told, nonce, buttons, silent)
        steps.debug("posted %d", loaded.id)
        return message

    async def _tell(self, loaded: LoadedMatch) -> None:
        """Tell the users concerned how a challenge ended, without those who were told by a line that was not noted. If
        it expired, and some are in quiet hours whenever others are not, that is silent."""
        row, told = loaded.row, list_people_to_tell(loaded)
        text = challenges_words.format_ended_line(loaded, told)
        lines = await self.orphans.find_orphans(loaded, row.channel, lambda one: matches_text(one, text))
        known = {user.id for one in lines for user in one.mentions}
        if left := [user for user in told if user not in known]:
            by_time, now = row.state == "expired", self.umpire.clock()
            silent = by_time and await self.store.ask(notifications.anyone_sleeps, row.guild, left, now)
            line = challenges_words.format_ended_line(loaded, left)
            await self._say(loaded, line, left, f"d{row.id}.{row.version}", silent=silent)

    async def _post(self, loaded: LoadedMatch) -> None:
        """Post a challenge, or adopt its orphan, and note it. One that pings users is plain text with buttons, until it
        is edited."""
        row, (view, files) = loaded.row, await self.draw(loaded)
        # The players of a match that has begun are told by its board.
        invited = [player.user for player in row.players if player.invited]
        told = () if loaded.match else tuple(user for user in list_people_to_tell(loaded) if user in invited)
        text, buttons = views.build_invitation(loaded, told, self._is_first(row)) if told else ("", None)

        def ours(message: discord.Message) -> bool:
            return message.id != row.lobby_message and (is_lobby(message, row.id) or matches_view(message, view))

        found = await self.orphans.find_orphans(loaded, row.channel, ours)
        fresh = self.orphans.has_none(loaded, row.channel)
        async with self.orphans.posting_guard(loaded, row.channel):
            nonce = f"c{row.id}.{((row.lobby_message or 0) + row.shown_version) % NONCES}"
            if found:
                message = found[0]
            elif told:
                message = await self.channels.say(row.guild, row.channel, text, told, nonce, buttons)
            else:
                message = await self.channels.post(row.guild, row.channel, view, files, (), nonce)
            steps.debug("posted %d", loaded.id)
            current = fresh or matches_view(message, view) or (bool(told) and matches_text(message, text))
            await self._note(loaded, message, found[1:], current)

    async def _note(
        self, loaded: LoadedMatch, message: discord.Message, others: Sequence[discord.Message], current: bool
    ) -> None:
        """Note the message of a challenge, whether it is up to date, and the messages that are to be closed."""
        row, left = loaded.row, [make_closing_edit(one, loaded.row) for one in others]

        def note(tx: Transaction) -> None:
            tx.set_lobby_message(row.id, message.id)
            if current and loaded.match is None and not challenges_words.is_host_untold(loaded):
                tx.mark_shown(row.id, row.version)
            now = tx.load_row(row.id)
            if now and now.version != row.version:
                tx.keep_edit(PendingEdit(MessageId(message.id), row.channel, row.id, row.version))
            for one in left:
                tx.edit_at_once(one)

        await self.store.do(note)
        steps.debug("noted %d", loaded.id)

    async def ensure_place(self, loaded: LoadedMatch) -> LoadedMatch:
        """The match with its place: a thread made from the challenge where that is possible, else the channel itself,
        and until the thread can be made.  Raises `discord.RateLimited` for a league's match that waits for its thread:
        no user waits for it.
        """
        if loaded.row.thread and not loaded.row.awaits_thread:
            return loaded
        if loaded.row.guild == NOWHERE:
            await self.store.do(_note_place, loaded.row, None, False)
            return await self.umpire.load_to_show(loaded.id)
        if loaded.row.lobby_message is None:
            # A solo match or one of a league begins at once, and its thread needs a message to be made from.
            await self._post(loaded)
            loaded = await self.umpire.load_to_show(loaded.id)
        try:
            thread, awaits = await self._open_thread(loaded), False
        except discord.RateLimited as limited:
            waits = (loaded.row.started or 0) + LEAGUES_WAIT - self.umpire.clock()
            if loaded.row.thread is None and waits > 0 and await self.store.ask(Reader.league_of, loaded.id):
                raise discord.RateLimited(min(limited.retry_after, waits)) from limited
            thread, awaits = None, True
        await self.store.do(_note_place, loaded.row, thread, awaits)
        return await self.umpire.load_to_show(loaded.id)

    async def _open_thread(self, loaded: LoadedMatch) -> ChannelId | None:
        row = loaded.row
        if row.lobby_message is None or row.state != "live" or not await self.store.ask(_wants_thread, row):
            return None
        names = await self.channels.list_names(row.guild, [player.user for player in loaded.players])
        title = words.format_thread_title(loaded)
        return await self.channels.open_thread(
            row.guild,
            row.channel,
            row.lobby_message,
            words.format_thread_name(names, title),
            words.format_thread_name([], title),
        )

    async def rename(self, row: MatchRow) -> None:
        """Mark the thread of a finished match, where that is possible; an archived thread is left alone."""
        if row.thread and row.thread != row.channel:
            await self.channels.rename(row.guild, row.thread, words.OVER)
            steps.debug("renamed %d", row.id)
        await self.store.do(Transaction.mark_renamed, row.id)


def _find_first(reader: Reader, guild: GuildId) -> MatchId | None:
    """The match whose message introduces the bot to a server; none where a welcome has done that."""
    return None if reader.read_note(WELCOMED.format(guild=guild)) else reader.find_first_match(guild)


def _wants_thread(reader: Reader, row: MatchRecordRow) -> bool:
    """Whether a match gets a thread: by the server's setting, but those of a league always do."""
    return reader.load_settings(row.guild).threads or reader.league_of(row.id) is not None


def _note_place(tx: Transaction, row: MatchRecordRow, thread: ChannelId | None, awaits: bool) -> None:
    """Note where a match is played. One of a league, or one that a player has begun alone or against the computer,
    leaves no line in the channel: the message of its thread is deleted, which the thread outlives. The league's message
    links to it, and the other concerns no other user. A table that was open stays, since others have seen it, and the
    player who has just pressed its button looks there. Where another process was faster, one that has made no thread
    changes nothing: the message may be deleted by then."""
    now = tx.load_row(row.id)
    if thread is None and now and (now.thread, now.awaits_thread) != (row.thread, row.awaits_thread):
        return
    tx.set_thread(row.id, thread or row.channel, awaits)
    if row.thread and thread and (challenge := make_challenge_edit(row)):
        tx.keep_edit(challenge)  # it says where the match is played
    league = thread and row.lobby_message and tx.league_of(row.id)
    begun_alone = row.is_private and not awaits and (not row.shown_version or row.awaits_thread)
    if row.lobby_message and (league or begun_alone):
        tx.set_lobby_message(row.id, None)
        tx.keep_edit(PendingEdit(row.lobby_message, row.channel, row.id, row.version, remove=True))
    if league:
        tx.note_league_match(row.id)


def _note_line(tx: Transaction, row: MatchRecordRow, message: MessageId) -> None:
    """Note the line that tells the host of a challenge who has declined it, in place of an earlier one. Where the
    challenge has ended meanwhile, this queues its removal."""
    tx.mark_told(row.id, row.version, message)
    now = tx.load_row(row.id)
    if row.told_message and row.told_message != message:
        tx.keep_edit(make_removal(row, row.told_message))
    if now is None or now.state != "open":
        tx.keep_edit(make_removal(row, message))


def _note_edit(tx: Transaction, row: MatchRecordRow, ends: bool, asks: MessageId | None) -> None:
    """Note that a challenge was edited, or that it `ends` with a line in its place, or that a line `asks` a user to
    it; where it has changed meanwhile, another process may have edited it before."""
    tx.mark_shown(row.id, row.version)
    if asks:
        store_request_line(tx, row, asks)
    now = tx.load_row(row.id)
    if ends and row.lobby_message:
        tx.set_lobby_message(row.id, None)
        tx.keep_edit(PendingEdit(row.lobby_message, row.channel, row.id, row.version, remove=True))
        return
    if (challenge := make_challenge_edit(row)) and now and now.version != row.version:
        tx.keep_edit(challenge)


# Cleans up after new boards: takes the buttons off older ones, updates challenges, and removes reminders.


AT_ONCE = 20
"""How many messages are loaded at once."""
RETRIES = RetryPolicy("An old message", Backoff(2, 3600), 40)
"""For more than a day."""
ROUNDS = 5
"""How often a message is edited again because its match changed meanwhile."""


class Cleanup:
    """Edits or removes old messages, those of one match in sequence."""

    def __init__(
        self, channels: Channels, umpire: Umpire, boards: Boards, lobbies: Lobbies, announcements: Announcements
    ) -> None:
        self.channels = channels
        self.umpire = umpire
        self.store = umpire.store
        self.boards = boards
        self.lobbies = lobbies
        self.announcements = announcements
        self._turns: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    async def list_due(self) -> list[MatchId]:
        """Some matches with messages that are due now and that are not being cleaned up."""
        found = await self.store.ask(Reader.find_pending_edits, self.umpire.clock(), AT_ONCE)
        return [match for match in dict.fromkeys(left.match for left in found) if match not in self._turns]

    async def clean_match(self, match: MatchId) -> None:
        """Clean up what is due of one match; a second caller waits, and then does what is left."""
        turn = self._turns.setdefault(match, asyncio.Lock())
        async with turn:
            with suppress(Unavailable, UnknownMatch):  # the next poll finds it
                if not self.store.share.holds(await self.umpire.find_guild(match)):
                    return  # another process serves that server
                for left in await self.store.ask(Reader.find_pending_edits, self.umpire.clock(), AT_ONCE, match):
                    await self._sweep(left)

    async def _sweep(self, left: PendingEdit) -> None:
        """Edit one message and delete its row, or schedule a retry."""
        try:
            await self._try_edit(left)
        except Unavailable:
            log.warning("An old message of match %d is edited as soon as the database can be used again.", left.match)

    async def handle_orphan(self, match: MatchId, message: discord.Message) -> None:
        """Close a message whose button of a match was pressed, unless it is the board or challenge of that match or the
        line below that one, or is about to be noted as one, or replaces a deleted board: then it is noted. A custom_id
        can be forged, so messages of other matches stay, too."""
        # The next press retries it.
        with suppress(Unavailable, UnknownMatch, discord.HTTPException, discord.RateLimited, OSError, TimeoutError):
            await self._handle_orphan(match, message)
        await self.clean_match(match)

    async def _handle_orphan(self, match: MatchId, message: discord.Message) -> None:
        row = await self.store.ask(Reader.load_row, match)
        known = [one for one in (row.board_message, row.lobby_message) if one] if row else []
        line = row.told_message if row and row.state == "open" else None
        if row is None or message.id in (*known, line, row.announcement) or not self.store.share.holds(row.guild):
            return
        if row.announce_until is not None and is_announcement(message, row.id):
            return  # it is about to be noted
        newest = message.id > max(known, default=0)
        if newest and (row.shown_version < row.version or await self._adopt(match, message)):
            return
        if not await self.store.ask(Reader.is_of_a_match, message.id):
            await self.store.do(Transaction.edit_at_once, make_closing_edit(message, row))

    async def _adopt(self, match: MatchId, message: discord.Message) -> bool:
        async with asyncio.timeout(SEND_WITHIN):
            return await self.boards.adopt_board(await self.umpire.load_to_show(match), message)

    async def _try_edit(self, left: PendingEdit) -> None:
        try:
            async with asyncio.timeout(SEND_WITHIN):
                done = await self._apply_edit(left)
            pause = None if done else ceil(RETRIES.backoff.seconds_to_wait(left.tries + 1))
        except Unavailable:
            raise
        except Exception as fault:
            pause = RETRIES.choose_pause(left.match, left.tries + 1, fault)
        if pause is None:
            await self.store.do(Transaction.clear_edit, left)
        else:
            await self.store.do(Transaction.put_off_edit, left, self.umpire.clock() + pause)

    async def _apply_edit(self, left: PendingEdit) -> bool:
        """Edit or remove a message; False where that is to be decided when the match is shown as it is stored."""
        if left.remove:
            await self.channels.remove(left.channel, left.message)
            steps.debug("removed %d", left.match)
            return True
        for _ in range(ROUNDS):
            try:
                loaded = await self.umpire.load_to_show(left.match)
            except UnknownMatch:
                await self._strip(left, "This match can't be shown any more.")
                return True
            done = await self._edit(left, loaded)
            if left.message not in (loaded.row.board_message, loaded.row.lobby_message):
                return True
            now = await self.store.ask(Reader.load_row, left.match)
            if now is None or now.version == loaded.row.version:
                return done
        return False

    async def _edit(self, left: PendingEdit, loaded: LoadedMatch) -> bool:
        row = loaded.row
        # The next board revives the thread that a match is played in; one that the match has left stays archived.
        revived = row.state == "live" and left.channel == loaded.play_channel
        if left.message == row.board_message:
            # If the match has changed, the publisher edits this board or posts the next one, unless that is a secret.
            if row.shown_version < row.version and not await self.boards.is_change_hidden(loaded):
                return False
            await self.boards.redraw(loaded)
        elif left.message == row.lobby_message:
            await self.lobbies.redraw(loaded)
        elif left.message == row.announcement:
            await self.announcements.redraw(loaded)
        elif player := next((one for one in row.players if one.mail == left.message), None):
            await self._edit_mail(loaded, player, left)
        elif left.plies is None:
            line = words.GOES_ON.format(link=loaded.link)
            await self._strip(left, line, revived)
        else:
            view, draw = await self.boards.build_closed_view(loaded, left.plies, left.channel)
            await self.channels.edit(row.guild, left.channel, left.message, view, draw, keep=True, revived=revived)
            steps.debug("closed %d", loaded.id)
        return True

    async def _edit_mail(self, loaded: LoadedMatch, player: Player, left: PendingEdit) -> None:
        """Show a player the board in their direct messages while it is their turn, and then what they did."""
        sight, files = MatchView.of(loaded, player.seat), list[edits.Upload]()
        if player.seat in loaded.turn:
            drawing = await self.lobbies.renderer.draw_board(sight)
            server = clean_server_name(self.channels.get_guild_name(loaded.row.guild))
            view, files = views.build_mail(sight, drawing.pictures, server), drawing.make_files(str(sight.position))
        else:
            view = platform_ui.build_notice(f"{turn_words.describe_turn_over(sight)} {loaded.link}")
        await self.channels.edit(loaded.row.guild, left.channel, left.message, view, files)
        steps.debug("mailed %d", loaded.id)

    async def _strip(self, left: PendingEdit, line: str, revived: bool = False) -> None:
        """Take the buttons off a message and leave the rest; where the bot may not read it, replace all of it."""
        guild = await self.umpire.find_guild(left.match)
        try:
            message = await self.channels.fetch(left.channel, left.message)
        except discord.HTTPException as fault:
            if choose_action(fault, Route.LOOK) is not FailureAction.PARKED:
                raise
            await self.channels.edit(guild, left.channel, left.message, platform_ui.build_notice(line))
            return
        if message and platform_ui.find_buttons(message.components):
            view = platform_ui.build_without_buttons(message, line)
            await self.channels.edit(guild, left.channel, left.message, view, keep=True, revived=revived)
