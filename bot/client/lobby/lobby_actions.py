"""Answers the buttons under a challenge or an open table, and the one for a rematch."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection

from discord import ui

from bot.client.interactions.context import Interaction, act_of, level_of, user_of, values_of
from bot.client.interactions.errors import Unread
from bot.client.interactions.routes import on
from bot.client.lobby.challenges import Challenges, expect_opponent, people_of
from bot.client.people.members import Members
from bot.client.views import edits, match_views
from bot.client.views.match_ids import ActButton, RematchButton
from bot.client.views.replies import Replies
from bot.core.match import declined
from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.values.ids import InteractionId, MatchId, MessageId, UserId
from bot.core.values.plural import Plural, together
from bot.service.rules import computer_levels, computer_seats
from bot.service.umpire.umpire import Done, Umpire

Draws = Callable[[LoadedMatch], Awaitable[ui.LayoutView]]
"""Draws the lobby of a challenge."""
REMATCH_BEGUN = "The rematch has started. It's match {match}: {link}"
REMATCH_ASKED = "The rematch starts as soon as everybody agrees: {link}"
NO_REMATCH = Plural(
    "{names} has left this server, so there is no rematch. Use /play to challenge somebody else.",
    "{names} have left this server, so there is no rematch. Use /play to challenge somebody else.",
)
LEFT = Plural("{names} has left this server, so they don't play.", "{names} have left this server, so they don't play.")
NARROWED = "Match {match} is for {seats} players now. I'll tell you when it begins:"
NARROWED_BEGUN = "Match {match} has started:"
ASKED_ELSE = "You asked {name} to play:"
TAKEN_BACK = "You took back the challenge to match {match}."
ASK_WITHIN = 1.0
"""Seconds in which Discord says who has left."""
Unparks = Callable[[MatchId], Awaitable[None]]
"""Lets a match be shown again after Discord has refused it."""

steps = logging.getLogger("graphpaper.steps")


class LobbyActions:
    """What people do at a table before a match begins."""

    def __init__(
        self, umpire: Umpire, challenges: Challenges, replies: Replies, members: Members, lobby: Draws, unpark: Unparks
    ) -> None:
        self._umpire = umpire
        self._members = members
        self._challenges = challenges
        self._replies = replies
        self._lobby = lobby
        self._unpark = unpark

    @on(ActButton, words="accept join")
    async def accept(self, interaction: Interaction, button: ActButton) -> None:
        """Accept a challenge, or sit down at an open table."""
        lobby = MessageId(interaction.message.id) if interaction.message else None
        gone = await self._gone(interaction, button)
        done = await self._umpire.accept(*_about(interaction, button), lobby, gone)
        await self._answered(interaction, done, gone)

    @on(ActButton, words="leave")
    async def leave(self, interaction: Interaction, button: ActButton) -> None:
        """Get up from an open table."""
        await self._answered(interaction, await self._umpire.leave(*_about(interaction, button)))

    @on(ActButton, words="decline")
    async def decline(self, interaction: Interaction, button: ActButton) -> None:
        """Decline a challenge."""
        seated = await self._umpire.load(button.match)
        gone = await self._gone(interaction, button) if declined.plays_on(seated.row) else ()
        await self._answered(interaction, await self._umpire.decline(*_about(interaction, button), gone))

    @on(ActButton, words="cancel")
    async def cancel(self, interaction: Interaction, button: ActButton) -> None:
        """Take a challenge back."""
        manager = interaction.permissions.manage_guild
        await self._answered(interaction, await self._umpire.cancel(*_about(interaction, button), manager))

    @on(ActButton, words="begin")
    async def begin(self, interaction: Interaction, button: ActButton) -> None:
        """Begin with the people who have sat down."""
        gone = await self._gone(interaction, button)
        await self._answered(interaction, await self._umpire.begin(*_about(interaction, button), gone), gone)

    @on(ActButton, words="fewer")
    async def narrow(self, interaction: Interaction, button: ActButton) -> None:
        """Play with those whom a declined challenge is left with."""
        gone = await self._gone(interaction, button)
        done = await self._umpire.narrow(*_about(interaction, button), gone)
        told = NARROWED_BEGUN if done.after.row.state == "live" else NARROWED
        await self._decided(interaction, done, told.format(match=done.after.id, seats=done.after.row.seats))

    @on(ActButton, words="askelse")
    async def ask_else(self, interaction: Interaction, button: ActButton) -> None:
        """Ask somebody else to a declined challenge."""
        chosen = people_of(interaction)
        if len(chosen) != 1:
            raise Unread
        whom = expect_opponent(chosen[0], user_of(interaction))
        done = await self._umpire.ask(*_about(interaction, button), whom)
        await self._decided(interaction, done, ASKED_ELSE.format(name=person(whom)))

    @on(ActButton, words="withdraw")
    async def withdraw(self, interaction: Interaction, button: ActButton) -> None:
        """Take a declined challenge back."""
        manager = interaction.permissions.manage_guild
        done = await self._umpire.cancel(*_about(interaction, button), manager)
        await self._decided(interaction, done, TAKEN_BACK.format(match=done.after.id))

    @on(ActButton, words="computer")
    async def computer(self, interaction: Interaction, button: ActButton) -> None:
        """Let a computer sit down on a free seat, or all computers get up again."""
        user, chosen, gone = user_of(interaction), values_of(interaction), frozenset[UserId]()
        if chosen == [match_views.UP]:
            done = await self._umpire.act(
                *_about(interaction, button), lambda seated: computer_seats.rising(seated, user)
            )
        else:
            self._challenges.expect_computer()
            level, gone = level_of(chosen), await self._gone(interaction, button)
            done = await self._umpire.act(
                *_about(interaction, button), lambda seated: computer_seats.seating(seated, user, level, gone)
            )
        await self._answered(interaction, done, gone)

    @on(RematchButton)
    async def rematch(self, interaction: Interaction, button: RematchButton) -> None:
        """Ask for the same match again with the seats passed on, or agree to it; perhaps at another level of the
        computer."""
        before = await self._umpire.load(button.match)
        if computer_levels.level(before.row):
            self._challenges.expect_computer()
        if before.has(user_of(interaction)) and (gone := await self._left(before, user_of(interaction))):
            raise Refusal(NO_REMATCH.of(len(gone), names=together([person(one) for one in gone])))
        seated = await self._umpire.rematch(*_about(interaction, button), button.level or None)
        told = REMATCH_BEGUN if seated.match else REMATCH_ASKED
        async with self._replies.showing(seated.id):
            await edits.answer_anew(interaction, told.format(match=seated.id, link=seated.link))

    async def _gone(self, interaction: Interaction, button: ActButton) -> frozenset[UserId]:
        """Who of the others at a table has left the server."""
        seated = await self._umpire.load(button.match)
        return frozenset(await self._left(seated, user_of(interaction)) if seated.row.state == "open" else ())

    async def _left(self, seated: LoadedMatch, user: UserId) -> list[UserId]:
        """Who of the others in a match has left the server, in order."""
        others = [player.user for player in seated.players if player.user != user]
        gone = await self._members.gone_now(seated.row.guild, others, ASK_WITHIN)
        return [one for one in others if one in gone]

    async def _decided(self, interaction: Interaction, done: Done, sentence: str) -> None:
        """Say what comes of a challenge to its host, who decided it on the line below, which goes or follows it."""
        async with self._replies.showing(done.after.id):
            await edits.answer_anew(interaction, f"{sentence} {done.after.link}")

    async def _answered(self, interaction: Interaction, done: Done, gone: Collection[UserId] = ()) -> None:
        """Show the lobby as it stands now, and say who got up from it since they have left the server."""
        if done.repeated:
            return
        if done.after.row.publish_error:
            await self._unpark(done.after.id)
        async with self._replies.showing(done.after.id):
            message, lobby = interaction.message, done.after.row.lobby_message
            answer = edits.answer_for_all if message and message.id == lobby else edits.answer
            await answer(interaction, await self._lobby(done.after))
            steps.debug("answered %d", done.after.id)
        if up := [person(player.user) for player in done.before.players if player.user in gone]:
            await edits.answer_anew(interaction, LEFT.of(len(up), names=together(up)))


def _about(interaction: Interaction, button: ActButton | RematchButton) -> tuple[InteractionId, MatchId, UserId]:
    return act_of(interaction), button.match, user_of(interaction)
