"""Posts and edits the messages around a match's boards, for the publisher: its challenge, its thread, their endings."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence

import discord
from discord import ui

from bot.client.http.messages import Channels
from bot.client.publisher.orphans import NONCES, Orphans, is_lobby, reads, says, tells, told_by
from bot.client.publisher.pending_edits import of_challenge, to_close, to_remove
from bot.client.text import challenge_text, match_text
from bot.client.views import edits, match_views
from bot.client.views.renderer import Renderer
from bot.client.views.views import Drawing, below
from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.match.stored import MatchRow, PendingEdit, Stored
from bot.core.match.stored_settings import WELCOMED
from bot.core.values.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.service.time import nights
from bot.service.umpire.umpire import Umpire
from data.store import Reader, Transaction

LEAGUES_WAIT = 600
"""Seconds for which a league's match waits for its thread before it begins in the channel."""
REMEMBERED = 10_000
"""Of so many servers it is remembered which match was their first."""

steps = logging.getLogger("graphpaper.steps")


class Lobbies:
    """Shows challenges, and makes and names the threads of the matches that come of them."""

    def __init__(self, channels: Channels, umpire: Umpire, renderer: Renderer, orphans: Orphans) -> None:
        self.channels = channels
        self.renderer = renderer
        self.umpire = umpire
        self.store = umpire.store
        self.orphans = orphans
        self._firsts: OrderedDict[GuildId, MatchId | None] = OrderedDict()
        self._again = 0

    async def view(self, seated: LoadedMatch) -> discord.ui.LayoutView:
        """The message of a challenge as long as nothing is to be drawn on it."""
        return (await self.drawn(seated))[0]

    async def drawn(self, seated: LoadedMatch) -> tuple[discord.ui.LayoutView, edits.Files]:
        """The message of a challenge, with a small board where it tells how the match ended. The first of a server says
        to all who see it what this is, where no welcome has done so."""
        row, drawing = seated.row, Drawing((), ())
        if not row.is_private and challenge_text.is_told_here(seated):
            drawing = await self.renderer.small(Sight.of(seated, None))
        if row.guild not in self._firsts and (row.state == "open" or row.lobby_message):
            self._firsts[row.guild] = await self.store.ask(_first, row.guild)
            if len(self._firsts) > REMEMBERED:
                self._firsts.popitem(last=False)
        return match_views.lobby(seated, self._is_first(row), drawing.pictures), drawing.files("")

    def _is_first(self, row: MatchRow) -> bool:
        """Whether a match was the first of its server, as far as that was looked up."""
        return self._firsts.get(row.guild) == row.id

    async def show(self, seated: LoadedMatch) -> None:
        """The challenge as it stands, in its place. Who declines it and who is asked to it later is told in messages of
        their own, since edits tell nobody. Where it is over and that concerns somebody, a line says so; then its
        message is taken away, which would only say the same."""
        row, ends = seated.row, False
        edited = await self.redraw(seated)
        steps.debug("edited %d", seated.id)
        if not edited and (row.state == "open" or not (row.lobby_message or row.shown_version)):
            now = await self.store.ask(Reader.row, row.id)
            if now is None or now.version != row.version:
                return  # another process may have taken its message away
            await self._post(seated)
            if not challenge_text.told_now(seated):
                return
        elif ends := bool(told_by(seated)) and row.state != "open":
            await self._tell(seated)
        elif later := [user for user in told_by(seated) if user != row.host]:
            text = challenge_text.asked_later(seated, later)
            await self._say(seated, text, later, f"a{row.id}.{row.version}")
        if row.state == "open":
            await self._tell_host(seated)
        await self.store.do(_edited, row, ends)
        if ends:
            self._firsts.pop(row.guild, None)

    async def redraw(self, seated: LoadedMatch) -> bool:
        """Show a challenge as it stands on the message that is there; False where there is none."""
        row, (view, files) = seated.row, await self.drawn(seated)
        if row.lobby_message is None:
            return False
        return await self.channels.edit(row.guild, row.channel, row.lobby_message, view, files)

    async def _tell_host(self, seated: LoadedMatch) -> None:
        """Tell the host of a challenge who has declined it, with what can be done; later the line follows the
        challenge, and goes when nothing is to be done any more."""
        row, wanted = seated.row, challenge_text.has_fallen_short(seated)
        if wanted and challenge_text.told_now(seated):
            text, buttons = challenge_text.declined_line(seated, [row.host]), below(*match_views.declined(seated))
            message = await self._say(seated, text, [row.host], f"h{row.id}.{row.version}", buttons)
            await self.store.do(_line_noted, row, MessageId(message.id))
        elif wanted and row.told_message:
            # Each has another number, after a restart too.
            self._again = max(self._again + 1, self.umpire.clock())
            line = match_views.declined_line(seated, self._again)
            await self.channels.edit(row.guild, row.channel, row.told_message, line)
        elif row.told_message:
            await self.store.do(Transaction.leave_over, to_remove(row, row.told_message))

    async def _say(
        self,
        seated: LoadedMatch,
        text: str,
        told: Sequence[UserId],
        nonce: str,
        buttons: ui.View | None = None,
        silent: bool = False,
    ) -> discord.Message:
        """Tell some people something below a challenge, unless they have been told and it was not noted."""
        row = seated.row
        if found := await self.orphans.found(seated, row.channel, lambda one: reads(one, text) and tells(one, told)):
            return found[0]
        async with self.orphans.doubting(seated, row.channel):
            message = await self.channels.say(row.guild, row.channel, text, told, nonce, buttons, silent)
        steps.debug("posted %d", seated.id)
        return message

    async def _tell(self, seated: LoadedMatch) -> None:
        """Tell whom it concerns what became of a challenge, without those whom a line has told that was not noted. If
        it expired, and somebody is asleep whenever another is awake, that makes no sound."""
        row, told = seated.row, told_by(seated)
        text = challenge_text.ended_line(seated, told)
        lines = await self.orphans.found(seated, row.channel, lambda one: reads(one, text))
        known = {user.id for one in lines for user in one.mentions}
        if left := [user for user in told if user not in known]:
            by_time, now = row.state == "expired", self.umpire.clock()
            silent = by_time and await self.store.ask(nights.sleeps, row.guild, left, now)
            line = challenge_text.ended_line(seated, left)
            await self._say(seated, line, left, f"d{row.id}.{row.version}", silent=silent)

    async def _post(self, seated: LoadedMatch) -> None:
        """Post a challenge, or adopt its orphan, and note it. One that tells somebody is plain, with buttons, until it
        is edited."""
        row, (view, files) = seated.row, await self.drawn(seated)
        # Who is in a match that has begun is told by its board.
        invited = [player.user for player in row.players if player.invited]
        told = () if seated.match else tuple(user for user in told_by(seated) if user in invited)
        text, buttons = match_views.asked(seated, told, self._is_first(row)) if told else ("", None)

        def ours(message: discord.Message) -> bool:
            return message.id != row.lobby_message and (is_lobby(message, row.id) or says(message, view))

        found = await self.orphans.found(seated, row.channel, ours)
        fresh = self.orphans.sure(seated, row.channel)
        async with self.orphans.doubting(seated, row.channel):
            nonce = f"c{row.id}.{((row.lobby_message or 0) + row.shown_version) % NONCES}"
            if found:
                message = found[0]
            elif told:
                message = await self.channels.say(row.guild, row.channel, text, told, nonce, buttons)
            else:
                message = await self.channels.post(row.guild, row.channel, view, files, (), nonce)
            steps.debug("posted %d", seated.id)
            current = fresh or says(message, view) or (bool(told) and reads(message, text))
            await self._note(seated, message, found[1:], current)

    async def _note(
        self, seated: LoadedMatch, message: discord.Message, others: Sequence[discord.Message], current: bool
    ) -> None:
        """Note the message of a challenge, whether it shows it as it stands, and those that are to be closed."""
        row, left = seated.row, [to_close(one, seated.row) for one in others]

        def note(tx: Transaction) -> None:
            tx.set_lobby_message(row.id, message.id)
            if current and seated.match is None and not challenge_text.told_now(seated):
                tx.shown(row.id, row.version)
            now = tx.row(row.id)
            if now and now.version != row.version:
                tx.leave_over(PendingEdit(MessageId(message.id), row.channel, row.id, row.version))
            for one in left:
                tx.meet(one)

        await self.store.do(note)
        steps.debug("noted %d", seated.id)

    async def placed(self, seated: LoadedMatch) -> LoadedMatch:
        """The match with its place: a thread made from the challenge where that can be, else the channel itself, and
        until it can be.

        `discord.RateLimited` of a league's match that waits for its thread: nobody has pressed a button for it.
        """
        if seated.row.thread and not seated.row.awaits_thread:
            return seated
        if seated.row.lobby_message is None:
            # A match alone or of a league begins at once, and its thread needs a message to hang on.
            await self._post(seated)
            seated = await self.umpire.to_show(seated.id)
        try:
            thread, awaits = await self._thread(seated), False
        except discord.RateLimited as limited:
            waits = (seated.row.started or 0) + LEAGUES_WAIT - self.umpire.clock()
            if seated.row.thread is None and waits > 0 and await self.store.ask(Reader.league_of, seated.id):
                raise discord.RateLimited(min(limited.retry_after, waits)) from limited
            thread, awaits = None, True
        await self.store.do(_placed, seated.row, thread, awaits)
        return await self.umpire.to_show(seated.id)

    async def _thread(self, seated: LoadedMatch) -> ChannelId | None:
        row = seated.row
        if row.lobby_message is None or row.state != "live" or not await self.store.ask(_threaded, row):
            return None
        names = await self.channels.names(row.guild, [player.user for player in seated.players])
        title = match_text.thread_title(seated)
        return await self.channels.thread(
            row.guild,
            row.channel,
            row.lobby_message,
            match_text.thread_name(names, title),
            match_text.thread_name([], title),
        )

    async def rename(self, row: MatchRow) -> None:
        """Mark the thread of a match that is over, where that is possible; an archived thread is left alone."""
        if row.thread and row.thread != row.channel:
            await self.channels.rename(row.guild, row.thread, match_text.OVER)
            steps.debug("renamed %d", row.id)
        await self.store.do(Transaction.renamed, row.id)


def _first(reader: Reader, guild: GuildId) -> MatchId | None:
    """The match whose message introduces the bot to a server; none where a welcome has done that."""
    return None if reader.note(WELCOMED.format(guild=guild)) else reader.first(guild)


def _threaded(reader: Reader, row: Stored) -> bool:
    """Whether a match gets a thread: as the server wants it, but those of a league always do."""
    return reader.settings(row.guild).threads or reader.league_of(row.id) is not None


def _placed(tx: Transaction, row: Stored, thread: ChannelId | None, awaits: bool) -> None:
    """Note where a match is played. One of a league, or that one person has begun alone or against the computer, leaves
    no line in the channel: the message that its thread hangs on is deleted, which the thread outlives. The league's
    message leads to it, and of the other nobody else need hear. A table that was open stays, since others have seen it,
    and whoever has just pressed its button looks there. Where another process was faster, who has made no thread knows
    no better: the message that it would hang on may be gone by then."""
    now = tx.row(row.id)
    if thread is None and now and (now.thread, now.awaits_thread) != (row.thread, row.awaits_thread):
        return
    tx.set_thread(row.id, thread or row.channel, awaits)
    if row.thread and thread and (challenge := of_challenge(row)):
        tx.leave_over(challenge)  # it says where the match is played
    league = thread and row.lobby_message and tx.league_of(row.id)
    begun_alone = row.is_private and not awaits and (not row.shown_version or row.awaits_thread)
    if row.lobby_message and (league or begun_alone):
        tx.set_lobby_message(row.id, None)
        tx.leave_over(PendingEdit(row.lobby_message, row.channel, row.id, row.version, remove=True))
    if league:
        tx.stir_league(row.id)


def _line_noted(tx: Transaction, row: Stored, message: MessageId) -> None:
    """Note the line that tells the host of a challenge who has declined it, in place of one before it. Where the
    challenge is over meanwhile, nobody else takes it down."""
    tx.told(row.id, row.version, message)
    now = tx.row(row.id)
    if row.told_message and row.told_message != message:
        tx.leave_over(to_remove(row, row.told_message))
    if now is None or now.state != "open":
        tx.leave_over(to_remove(row, message))


def _edited(tx: Transaction, row: Stored, ends: bool) -> None:
    """Note that a challenge was edited, or that it `ends` with a line in its place; where it has changed meanwhile,
    another process may have edited it before."""
    tx.shown(row.id, row.version)
    now = tx.row(row.id)
    if ends and row.lobby_message:
        tx.set_lobby_message(row.id, None)
        tx.leave_over(PendingEdit(row.lobby_message, row.channel, row.id, row.version, remove=True))
        return
    if (challenge := of_challenge(row)) and now and now.version != row.version:
        tx.leave_over(challenge)
