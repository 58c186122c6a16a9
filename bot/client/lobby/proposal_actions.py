"""Puts proposals to all who play (takeback, draw, pause, resume, replace) and answers them, by command and by button.

A button carries the mark of the proposal that it answers (`proposals.mark_of`), so that nobody agrees to another one
than stood beside it. Agreeing to what ends the match is confirmed first. `proposal_kinds` has the table of kinds.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol

import discord
from discord import app_commands

from bot.client.interactions.context import Interaction, act_of, bot_of, user_of
from bot.client.interactions.errors import Unread, suggesting
from bot.client.interactions.routes import on
from bot.client.lobby.challenges import Named, people_of
from bot.client.runtime.fair_queue import Asker, Order
from bot.client.text import match_text, proposal_text
from bot.client.views import edits, match_views
from bot.client.views.match_ids import ActButton, AnswerButton, ClaimButton, ProposeButton, stamp
from bot.client.views.replies import Replies
from bot.core.game.notation import whole_quoted
from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight
from bot.core.match.proposal import Kind
from bot.core.match.stored import MatchRow
from bot.core.values.ids import GuildId, UserId
from bot.core.values.seats import Seat
from bot.search.thoughts import Question, Thought
from bot.service.rules import computer_levels, computer_seats, proposals, substitution
from bot.service.umpire.consent import Consent
from bot.service.umpire.umpire import Done, Umpire

ASK_WITHIN = 0.7
"""Seconds for Discord to say whether somebody has left the server; an answer waits meanwhile."""


Notices = Callable[[GuildId, UserId], Awaitable[None]]
"""Notes that somebody is back in a server."""


class Members(Protocol):
    """Knows who has left a server."""

    async def surely_gone(self, guild: GuildId, user: UserId, within: float) -> bool:
        """Ask Discord, for so many seconds, whether somebody has left a server."""
        ...

    def known(self, guild: GuildId, users: Iterable[UserId]) -> frozenset[UserId]:
        """Those of some people who are known to have left a server."""
        ...

    def names(self, guild: GuildId, users: Iterable[UserId]) -> Mapping[UserId, str]:
        """What some people are called in a server, those of whom that was heard."""
        ...


class Searchers(Protocol):
    """Lets the computer think."""

    async def think(self, question: Question, order: Order, asker: Asker) -> Thought:
        """Answer a question about a board, after a while."""
        ...


class ProposalActions:
    """Puts proposals and answers them; computers think about a draw before people are asked."""

    def __init__(
        self, umpire: Umpire, replies: Replies, searchers: Searchers, members: Members, noticed: Notices
    ) -> None:
        self._umpire = umpire
        self._consent = Consent(umpire)
        self._replies = replies
        self._searchers = searchers
        self._members = members
        self._noticed = noticed

    # --- commands

    async def propose(self, interaction: Interaction, seated: LoadedMatch, kind: Kind) -> None:
        """Propose something by command. Where it is proposed already, agree; or offer to withdraw one's own."""
        user, proposal = user_of(interaction), proposals.open_proposal(seated)
        if proposal and proposal.kind == kind and proposal.seat == seated.seat_of(user):
            await _offer_to_withdraw(interaction, seated, proposal.seat)
            return
        if proposal and proposal.kind == kind and await self._confirm(interaction, seated):
            return
        if kind == "draw" and not proposal and computer_levels.level(seated.row):
            await self._draw(interaction, seated)
            return
        done = await self._consent.propose(act_of(interaction), seated.id, user, kind)
        await self._proposed(interaction, done, kind)

    async def replace(self, interaction: Interaction, seated: LoadedMatch, number: object, named: Named) -> None:
        """Propose by command that another person takes over a seat; that person is asked as well."""
        seat = seat_of(number)
        user, proposal = user_of(interaction), proposals.open_proposal(seated)
        if proposal and proposal.kind == "replace" and proposal.seat == seated.seat_of(user):
            await _offer_to_withdraw(interaction, seated, proposal.seat)
            return
        proposals.expect_voter(seated, user)
        substitution.expect_place(seated, seat)
        new, old = expect_member(interaction, seated, named), seated.user_at(seat)
        absent = old != user and await self._members.surely_gone(seated.row.guild, old, ASK_WITHIN)
        if not absent and any(player.user == old for player in seated.missing):
            await self._noticed(seated.row.guild, old)
        done = await self._consent.replace(act_of(interaction), seated.id, user, seat, new, absent)
        await self._proposed(interaction, done, "replace")

    @on(ClaimButton, words="newcomer")
    async def chosen(self, interaction: Interaction, button: ClaimButton) -> None:
        """Propose that the person who was chosen takes over from a player who has left the server."""
        named = people_of(interaction)
        if len(named) != 1:
            raise Unread
        await self.replace(interaction, await self._umpire.load(button.match), button.seat, named[0])

    @suggesting
    async def seats(
        self, interaction: Interaction, seated: LoadedMatch, current: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest the seats of a match that can pass on, with the names of their players where heard, and their colours
        too where two have one name."""
        user, typed = user_of(interaction), current.strip()
        if seated.turn == () or seated.seat_of(user) is None or seated.folded.seats == 1:
            return []
        members, guild, left = self._members, seated.row.guild, seated.folded.withdrawn
        gone = members.known(guild, [player.user for player in seated.players])
        names = members.names(guild, [player.user for player in seated.players])
        offered = [
            (match_text.seat_choice(seated, player.seat, user, gone, names.get(player.user)), player.seat)
            for player in seated.players
            if player.seat and player.seat not in left
        ]
        return [
            app_commands.Choice(name=name, value=str(seat))
            for name, seat in offered
            if typed.lower() in f"{seat} {name}".lower()
        ]

    async def _draw(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Offer a draw to computers: the answer is deferred, since they think about it for a while."""
        user = user_of(interaction)
        computer_seats.asked(seated, user, self._umpire.clock())
        await interaction.response.defer(ephemeral=True, thinking=True)
        asker = Asker(seated.row.guild, user)

        async def thinks(question: Question) -> Thought:
            return await self._searchers.think(question, Order.MOVE, asker)

        done = await self._consent.draw(act_of(interaction), seated.id, user, thinks)
        if done.after.row.state == "live" and proposals.open_proposal(done.after) is None:
            await self._replies.answered(interaction, done, proposal_text.declined(done.after))
        else:
            await self._proposed(interaction, done, "draw")

    async def _proposed(self, interaction: Interaction, done: Done, kind: Kind) -> None:
        """Say what became of a proposal: it waits for others, or it is done."""
        proposal = proposals.open_proposal(done.after)
        if proposal is None:
            line = proposal_text.done(done.after, kind)
        elif proposal.seat == done.after.seat_of(user_of(interaction)):
            line = proposal_text.waiting(done.after, proposal_text.ASKED[kind])
        else:
            line = proposal_text.waiting(done.after, proposal_text.AGREED)
        await self._replies.answered(interaction, done, line)

    # --- buttons

    @on(ProposeButton)
    async def proposed(self, interaction: Interaction, button: ProposeButton) -> None:
        """Propose something; to hand a seat on has a command alone."""
        seated, kind = await self._umpire.load(button.match), button.verb
        if kind in ("draw", "pause"):
            await self.propose(interaction, seated, kind)
            return
        # Proposals that depend on the board are for games without secrets, where everybody counts the same lines.
        user = user_of(interaction)
        done = await self._consent.propose(act_of(interaction), seated.id, user, kind, button.version)
        await self._proposed(interaction, done, kind)

    @on(AnswerButton, words="agree sure")
    async def agreed(self, interaction: Interaction, button: AnswerButton) -> None:
        """Agree to the proposal of a button; to what ends the match, after a question."""
        seated, mark = await self._umpire.load(button.match), button.mark
        proposal, seat = proposals.open_proposal(seated), seated.seat_of(user_of(interaction))
        if proposal and mark == proposals.mark_of(seated):
            if proposal.seat == seat:
                # A public board has the same buttons for everybody: whoever asked can wait or take it back.
                await _offer_to_withdraw(interaction, seated, proposal.seat)
                return
            if button.verb != "sure" and await self._confirm(interaction, seated):
                return
        done = await self._consent.agree(act_of(interaction), seated.id, user_of(interaction), mark, button.version)
        if proposals.open_proposal(done.after):
            line = proposal_text.waiting(done.after, proposal_text.AGREED)
        else:
            line = proposal_text.done(done.after, proposal.kind) if proposal else "You agreed."
        await self._replies.answered(interaction, done, line)

    async def _confirm(self, interaction: Interaction, seated: LoadedMatch) -> bool:
        """Ask somebody whose agreement ends the match whether they mean it; False where it does not end it."""
        user, proposal = user_of(interaction), proposals.open_proposal(seated)
        if proposal is None or proposal.kind != "draw":
            return False
        if not proposals.agreeing(seated, user, self._umpire.clock()).ends:
            return False
        sentence = f"Agree to a draw? That ends match {seated.id}.\n-# {seated.game.title} · {seated.link}"
        of = stamp(Sight.of(seated, seated.seat_of(user)))
        yes = AnswerButton(*of, "sure", proposals.mark_of(seated)), "Agree to a draw"
        view = match_views.question(sentence, yes, (ActButton(*of, "stay"), "Play on"))
        await edits.answer_anew(interaction, view)
        return True

    @on(AnswerButton, words="refuse")
    async def refused(self, interaction: Interaction, button: AnswerButton) -> None:
        """Refuse the proposal of a button, or withdraw one's own."""
        seated, user = await self._umpire.load(button.match), user_of(interaction)
        proposal = proposals.open_proposal(seated)
        done = await self._consent.refuse(act_of(interaction), seated.id, user, button.mark, button.version)
        own = proposal.seat == done.after.seat_of(user) if proposal else seated.asks_to_abort(user)
        await self._replies.answered(interaction, done, "You took that back." if own else "You refused.")


async def _offer_to_withdraw(interaction: Interaction, seated: LoadedMatch, seat: Seat) -> None:
    sentence = proposal_text.waiting(seated, proposal_text.ALREADY)
    of = stamp(Sight.of(seated, seat))
    again = AnswerButton(*of, "refuse", proposals.mark_of(seated)), "Withdraw it"
    view = match_views.question(sentence, again, (ActButton(*of, "stay"), "Leave it"))
    await edits.answer_anew(interaction, view)


def wanted(kind: Kind) -> Callable[[MatchRow], bool]:
    """Of several matches a command means the one in which this is proposed; `resume` also one that is paused."""

    def is_meant(row: MatchRow) -> bool:
        proposed = row.proposal is not None and row.proposal.startswith(kind)
        return proposed or (kind == "resume" and row.paused is not None)

    return is_meant


def seat_of(number: object) -> Seat:
    """The seat that a command's option names; old clients send a number, whole or with a point."""
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, bool) or not re.fullmatch("[0-9]{1,3}", str(number)):
        raise Refusal(whole_quoted(str(number), "There is no such seat. Choose one from the list."))
    return int(str(number))


def expect_member(interaction: Interaction, seated: LoadedMatch, named: Named) -> UserId:
    """The number of somebody who can take over a seat of a match, or a refusal."""
    if named.id == bot_of(interaction):
        raise Refusal("The computer can't take over a seat. Name a person, or resign the match.")
    if isinstance(named, discord.User | discord.Member) and named.bot:
        raise Refusal(f"<@{named.id}> is a bot and doesn't play. Name a person.")
    if not isinstance(named, discord.Member):
        raise Refusal(f"<@{named.id}> isn't in this server. Only members can take over a seat.")
    place = interaction.guild.get_channel_or_thread(seated.place) if interaction.guild else None
    channel = place.parent if isinstance(place, discord.Thread) else place
    if channel is not None and not channel.permissions_for(named).view_channel:
        raise Refusal(f"<@{named.id}> can't see the channel of this match. Name somebody who can.")
    return UserId(named.id)
