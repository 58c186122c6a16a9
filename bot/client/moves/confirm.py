"""Asks for confirmation before acts that nobody can undo: leaving a match for good, and calling it off.

The question is ephemeral and its buttons hold the match's version, so that an answer does nothing once the match has
gone on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.client.interactions.context import Interaction, act_of, user_of
from bot.client.interactions.routes import on
from bot.client.text import proposal_text
from bot.client.views import edits, match_views, views
from bot.client.views.match_ids import Act, ActButton, ClaimButton, stamp
from bot.client.views.replies import Replies
from bot.core.match.loaded_match import LoadedMatch, Sight, person
from bot.core.values.ids import MatchId, UserId
from bot.core.values.plural import Plural, together
from bot.core.values.seats import Viewer
from bot.service.rules import calling_off
from bot.service.rules.refusals import Stale, expect_live, expect_seat
from bot.service.umpire.umpire import Umpire

CHANGED = "The match moved on after I asked you, so nothing was done. Try again if you still want to."
ASKED = Plural(
    "You asked to call match {match} off. It ends as soon as {names} agrees.",
    "You asked to call match {match} off. It ends as soon as {names} agree.",
)
ALREADY_ASKED = Plural(
    "You already asked to call match {match} off. It ends as soon as {names} agrees.",
    "You already asked to call match {match} off. It ends as soon as {names} agree.",
)


class Confirmations:
    """Resigns and calls off matches, after a question."""

    def __init__(
        self, umpire: Umpire, replies: Replies, asked_after: Callable[[LoadedMatch], Awaitable[LoadedMatch]]
    ) -> None:
        self._umpire = umpire
        self._asked_after = asked_after
        self._replies = replies

    @on(ActButton, words="giveup calloff")
    async def pressed(self, interaction: Interaction, button: ActButton) -> None:
        """Ask somebody who would leave a match, or have it called off, by a button."""
        seated = await self._umpire.load(button.match)
        await (self.resign if button.verb == "giveup" else self.call_off)(interaction, seated)

    async def resign(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Ask somebody who would leave a match whether they mean it."""
        seat = expect_seat(seated, user_of(interaction))
        await _ask(interaction, seated, seat, proposal_text.resigning(seated, seat), ("resign", "Resign"))

    async def call_off(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Ask the others to call a match off; first ask somebody who would end it with that whether they mean it."""
        user, manager = user_of(interaction), interaction.permissions.manage_guild
        if seated.row.state == "open":
            done = await self._umpire.cancel(act_of(interaction), seated.id, user, manager)
            await self._replies.answered(interaction, done, f"You took back the challenge to match {seated.id}.")
            return
        change, seat = calling_off.aborting(seated, user, manager, self._umpire.clock()), seated.seat_of(user)
        if seated.missing and seated.has(user):
            await self._asked_after(seated)
        if change.ends:
            await _ask(interaction, seated, seat, proposal_text.calling_off(seated, user), ("abort", "Call it off"))
        elif seated.asks_to_abort(user):
            sentence = _waiting(seated, user, ALREADY_ASKED)
            await _ask(interaction, seated, seat, sentence, ("playon", "Take it back"), ("stay", "Leave it"))
        else:
            await self._call_off(interaction, seated.id)

    @on(ActButton, words="resign abort playon")
    async def confirmed(self, interaction: Interaction, button: ActButton) -> None:
        """Do what somebody has confirmed with a button, if the match still stands as it did when they were asked."""
        await self.expect_same(interaction, button)
        act, user = act_of(interaction), user_of(interaction)
        if button.verb == "resign":
            await self._replies.answered(
                interaction, await self._umpire.resign(act, button.match, user), "You resigned."
            )
        elif button.verb == "playon":
            await self._replies.answered(
                interaction, await self._umpire.play_on(act, button.match, user), "You play on."
            )
        else:
            if (seated := await self._umpire.load(button.match)).missing and seated.has(user):
                await self._asked_after(seated)
            await self._call_off(interaction, button.match)

    @on(ActButton, words="stay")
    async def stayed(self, interaction: Interaction, _button: ActButton) -> None:
        """Answer a question with no."""
        await edits.answer(interaction, views.notice("Nothing was changed."))

    async def expect_same(self, interaction: Interaction, button: ActButton | ClaimButton) -> None:
        """Refuse an answer to a question where the match has gone on since, on the board that the asker sees."""
        seated = await self._umpire.load(button.match)
        expect_live(seated)
        seat = seated.seat_of(user_of(interaction)) if button.own else None
        if button.version != Sight.of(seated, seat).version:
            raise Stale(CHANGED, seated)

    async def _call_off(self, interaction: Interaction, match: MatchId) -> None:
        """Call a match off, or ask for that. Others may have asked or refused meanwhile: the answer goes by what is
        stored."""
        user, manager = user_of(interaction), interaction.permissions.manage_guild
        done = await self._umpire.abort(act_of(interaction), match, user, manager)
        called_off = done.after.row.state == "aborted"
        line = "The match is called off." if called_off else _waiting(done.after, user, ASKED)
        await self._replies.answered(interaction, done, line)


def _waiting(seated: LoadedMatch, user: UserId, told: Plural) -> str:
    """A sentence about those who must still agree to call a match off."""
    asked = [person(other) for other in calling_off.asked_to_abort(seated, user)]
    return told.of(len(asked), match=seated.id, names=together(asked))


async def _ask(
    interaction: Interaction, seated: LoadedMatch, seat: Viewer, sentence: str, yes: tuple[Act, str],
    no: tuple[Act, str] = ("stay", "Play on"),
) -> None:  # fmt: skip
    of = stamp(Sight.of(seated, seat))
    view = match_views.question(sentence, (ActButton(*of, yes[0]), yes[1]), (ActButton(*of, no[0]), no[1]))
    await edits.answer_anew(interaction, view)
