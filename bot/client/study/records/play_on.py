"""Lets people play on from a position of a match that is over: against the computer, somebody they name, or anybody.

The match, the place and the seat that the person wants stand in the buttons, ``r:<match>:<at>:on<what><seat>``. What
begins is a match of its own, which is not rated and holds what was played until then.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from discord import ui

from bot.client.interactions.context import Interaction, level_of, values_of
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import on
from bot.client.lobby import challenges, onboarding
from bot.client.lobby.challenges import Challenges, Named
from bot.client.moves.trial_pad import turn_page
from bot.client.runtime.thread_pool import Rank
from bot.client.study.replay_viewer import STEP, PlayOnButton, ReplayButton, ReplayViewer
from bot.client.text import match_text
from bot.client.views import edits, views
from bot.client.views.renderer import Renderer
from bot.client.views.replies import Replies
from bot.client.views.views import Control
from bot.core.game.two_legs import once
from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.match import Match
from bot.core.match.move_names import latest
from bot.core.values.seats import Seat
from bot.service.analysis.replay_steps import Replay, expect_playable
from bot.service.rules import computer_levels

TASK = "It is {turn}'s turn. You play {own}, and the match isn't rated."
BY_LOT = "It is {turn}'s turn. Seats are drawn by lot, and the match isn't rated."


class PlayOn:
    """Shows the page on which opponents are chosen, and begins the match."""

    def __init__(self, challenges: Challenges, replies: Replies, renderer: Renderer, replays: ReplayViewer) -> None:
        self._challenges = challenges
        self._replies = replies
        self._renderer = renderer
        self._replays = replays

    @on(PlayOnButton, price=lambda button: Price(2) if button.against else STEP)
    async def pressed(self, interaction: Interaction, button: PlayOnButton) -> None:
        """Show the page, or begin a match against those who were chosen on it."""
        seated = await self._replays.load(interaction, button.match)
        replay = self._replays.replay_for(interaction, seated)
        match = await self._renderer.run(partial(expect_playable, replay, button.at), Rank.LOOK)
        seat = min(button.seat or match.turn[0], match.seats)
        if not button.against:
            return await self._show(interaction, replay, match, button.at, seat)
        level = level_of(values_of(interaction)) if button.against == "level" else None
        people = challenges.people_of(interaction) if button.against == "people" else []
        return await self._begin(interaction, seated, match, seat, level, people)

    async def _show(self, interaction: Interaction, replay: Replay, match: Match, at: int, seat: Seat) -> None:
        drawing = await self._renderer.draw(match.game, match.position, Rank.LOOK)
        name = await self._renderer.run(partial(latest, match), Rank.LOOK)
        view = page(replay, match, at, name, seat, drawing.pictures, self._challenges.computers())
        await turn_page(interaction, view, drawing.files(str(match.position)))

    async def _begin(
        self, interaction: Interaction, seated: LoadedMatch, match: Match, seat: Seat, level: int | None,
        people: list[Named],
    ) -> None:  # fmt: skip
        side = {1: "me", 2: "opponent"}[seat] if match.seats == 2 else "lot"
        given = {
            **match.options.record(), "seats": match.seats, "legs": seated.row.legs, "seat": side, "level": level,
            "rated": False,
        }  # fmt: skip
        act = onboarding.act_on_card(interaction)
        begun = await self._challenges.write(
            interaction, once(match.game), given, people, act, origin=seated.id or None, lines=match.standing
        )
        async with self._replies.showing(begun.id):
            await edits.answer(interaction, onboarding.begun(begun, given), [])
        await self._challenges.linked(begun, lambda now: edits.answer(interaction, onboarding.begun(now, given)))


def page(
    replay: Replay, match: Match, at: int, name: str, seat: Seat, pictures: tuple[views.Caption, ...], computers: bool
) -> ui.LayoutView:
    """The position after a move of that name, and the ways to play on from it."""
    number, chips = replay.seated.id, match_text.CHIPS
    told = (TASK if match.seats == 2 else BY_LOT).format(turn=chips[match.turn[0] - 1], own=chips[seat - 1])
    head = f"{match_text.headline(replay.seated)} · play on\n{told}\n-# after {name} · only you see this"
    levels = computer_levels.offered(once(match.game), match.options.record(), match.seats) if computers else ()
    most = match.seats - 1
    label = "Challenge somebody …" if most == 1 else f"Challenge 1 to {most} people …"
    rows = [Control(PlayOnButton(number, at, "level", seat), onboarding.COMPUTER_PLAYS,
                    options=onboarding.leveled(levels))] if levels else []  # fmt: skip
    rows.append(Control(PlayOnButton(number, at, "people", seat), label, people=most))
    other = [Control(PlayOnButton(number, at, "", 3 - seat), "Take the other side")] if match.seats == 2 else []
    table = Control(PlayOnButton(number, at, "table", seat), "Open a table")
    back = Control(ReplayButton(number, at - 1, "next"), "Back")
    return views.framed(
        views.ACCENTS[match.turn[0] - 1],
        ui.TextDisplay[Any](head),
        *views.galleries(pictures, str(match.position)),
        *(views.row_of(row) for row in rows),
        views.row_of(table, *other, back),
    )
