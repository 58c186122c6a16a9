"""Routes every button, select and form to the room that answers it, and holds the price of each.

A new button is a row in one of the tables of `Router`, and a price below where it costs more than a move. Commands
have a price of their own, by `@costs`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NoReturn

import discord

from bot.client.app.rooms import Rooms
from bot.client.app.select_answers import Stored
from bot.client.interactions.context import Interaction, is_ephemeral, user_of
from bot.client.interactions.custom_ids import (
    SECOND_TRY,
    ButtonId,
    ComponentId,
    DailyId,
    FormId,
    PadId,
    PageId,
    PrepareId,
    ReplayId,
    RetryId,
    TrialId,
    TryOutId,
    component_id,
)
from bot.client.interactions.rate_limit import USUAL, Price
from bot.client.league import league_views
from bot.client.lobby import onboarding, preferences_card, settings_card
from bot.client.solving import daily_text
from bot.client.study import lesson_viewer, paged_lists
from bot.client.study.replay_viewer import PLAY_ON, STEPS, TRY_OUT
from bot.client.study.try_out_pads import READY, WORD
from bot.client.views import edits, match_views, views
from bot.client.views.match_views import AND_THEN, IF_THEN, UNREADY
from bot.client.views.replies import Act
from bot.core.library.imports import IMPORTED
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.values.ids import MatchId
from bot.service.rules.refusals import expect_seat
from bot.service.umpire.umpire import Umpire

BUTTON_PRICES: Mapping[str, Price] = {
    "board": Price(2, looks=True),
    "replay": Price(2, looks=True),
    "details": Price(2, looks=True),
    "rules": Price(2, looks=True),
    match_views.TRY_OUT: Price(2, looks=True),
    "hint": Price(3),
    "which": Price(2),
    "review": Price(8),
    SECOND_TRY: Price(8),
}
"""By a button's verb. The computer thinks for the last four: others who look do not wait for that in line."""
REPLAY_PRICES: Mapping[str, Price] = {
    "film": Price(8),
    "review": Price(8),
    "show": Price(4),
    "tell": Price(4),
    SECOND_TRY: Price(8),
}
TRY_OUT_PRICES: Mapping[str, Price] = {f"{TRY_OUT}{READY}": USUAL, f"{TRY_OUT}{WORD}": Price(3)}
"""By what is done with moves that were tried out, where it is more than a step."""
BEGINNING, STEP = Price(2), Price(0.5, looks=True)
"""By what a button under a replay does; beside these a match begins from there, or it is a step, one of many. A film is
many boards."""
PRICES_OF_STEPS: Mapping[str, Price] = {**REPLAY_PRICES, **TRY_OUT_PRICES}
PAGE_PRICES: Mapping[str, Price] = {
    onboarding.QUICK: Price(2),
    settings_card.PAGE: USUAL,
    preferences_card.PAGE: USUAL,
    **dict.fromkeys(
        (league_views.JOIN, league_views.LEAVE, league_views.START, league_views.NEXT, *league_views.ANSWERS), USUAL
    ),
    onboarding.PICK: Price(2, looks=True),
    onboarding.CHALLENGE: Price(2),
    onboarding.COMPUTER: Price(2),
    onboarding.TABLE: Price(2),
    onboarding.ALONE: Price(2),
    onboarding.WEEKEND: Price(2),
    onboarding.RULES: Price(2, looks=True),
    views.FURTHER_RULES: Price(1, looks=True),
    lesson_viewer.PAGE: Price(1, looks=True),
    paged_lists.TURNED: Price(1, looks=True),
    daily_text.PAGE: Price(2, looks=True),
    "leaderboard": Price(3, looks=True),
    "profile": Price(4, looks=True),
    "records": Price(2, looks=True),
}
"""By the page of a button or a select: as much as the command that shows it."""
UNKNOWN_PAGE = Price(1, looks=True)
"""Of a page that no version of this program has made."""
TAP, TRIAL_TAP, TRIAL_MOVE = Price(0.5), Price(0.5, looks=True), Price(1, looks=True)
THOUGHTFUL_TRY = Price(3)
"""A tap on a pad, since a move takes several; and the same in a lesson, which changes nothing; and a move that is
tried again, about which the computer thinks."""

Opens = Callable[[Interaction, LoadedMatch], Awaitable[None]]
Turns = Callable[[Interaction, PageId], Awaitable[None]]


def pressed_price(custom_id: str) -> Price:
    """The price of a button, a select or a form."""
    match component_id(custom_id):
        case ButtonId(verb=verb):
            return BUTTON_PRICES.get(verb, USUAL)
        case PadId(tap=tap):
            return USUAL if tap.does == "play" else TAP
        case PrepareId():
            return TAP
        case TryOutId():
            return TRIAL_TAP
        case TrialId(tap=tap):
            return TRIAL_MOVE if tap.does == "play" else TRIAL_TAP
        case RetryId(tap=tap) | DailyId(tap=tap):
            return THOUGHTFUL_TRY if tap.does == "play" else TRIAL_TAP
        case ReplayId(step=step):
            return BEGINNING if re.fullmatch(f"{PLAY_ON}[a-z]+[1-8]?", step) else PRICES_OF_STEPS.get(step, STEP)
        case PageId(page=page):
            return PAGE_PRICES.get(page, UNKNOWN_PAGE)
        case None:
            return USUAL


class Router:
    """Knows which room answers what; `met` closes a public message that the publisher does not know of."""

    def __init__(self, umpire: Umpire, rooms: Rooms, met: Callable[[MatchId, discord.Message], None]) -> None:
        self._umpire = umpire
        self._rooms = rooms
        self._met = met
        self.buttons: Sequence[tuple[str, Act]] = (
            ("accept|join", rooms.lobby_actions.accept),
            ("leave", rooms.lobby_actions.leave),
            ("decline", rooms.lobby_actions.decline),
            ("begin", rooms.lobby_actions.begin),
            ("cancel", rooms.lobby_actions.cancel),
            (match_views.NARROW, rooms.lobby_actions.narrow),
            (match_views.ASK_ELSE, rooms.lobby_actions.ask_else),
            (match_views.WITHDRAW, rooms.lobby_actions.withdraw),
            ("computer", rooms.lobby_actions.computer),
            ("rematch[1-6]?", rooms.lobby_actions.rematch),
            ("stay", nothing_changed),
            ("resign|abort|playon", rooms.confirmations.confirmed),
            ("more", self._loaded(self._more)),
            ("giveup|calloff", rooms.confirmations.pressed),
            ("takeback|resume|draw|pause|(agree|sure|refuse)[0-9a-f]{12}", rooms.proposal_actions.pressed),
            ("(claim|claimed|give|substitute)[1-8]", rooms.claim_actions.pressed),
            ("newcomer[1-8]", rooms.proposal_actions.chosen),
            ("hint|which", rooms.hint_viewer.pressed),
            (f"{IF_THEN}|{AND_THEN}([0-9a-f]{{12}})?|{UNREADY}", rooms.prepare_pads.pressed),
            ("board", self._loaded(self._own_board)),
            ("replay", self._loaded(rooms.replay_viewer.begin)),
            ("review", self._loaded(rooms.review_viewer.begin)),
            (SECOND_TRY, self._loaded(rooms.retry_viewer.begin)),
            (match_views.TRY_OUT, self._loaded(rooms.try_out_pads.begin)),
            ("details", self._loaded(self._details)),
            ("rules", self._loaded(self._rules)),
        )
        """By a pattern of the verb, the buttons of a match; all others are moves, which have the words of a game."""
        self.under_replays: Mapping[str, Opens] = {
            "film": rooms.film_viewer.film,
            "show": rooms.film_viewer.show,
            "tell": rooms.review_viewer.share,
            "review": rooms.review_viewer.begin,
            SECOND_TRY: rooms.retry_viewer.begin,
        }
        """By their steps, the buttons under a replay, a film or a review that do not go from place to place."""
        self.pages: Mapping[str, Turns] = {
            onboarding.QUICK: rooms.welcome.quick,
            settings_card.PAGE: rooms.settings_card.chosen,
            preferences_card.PAGE: rooms.preferences_card.chosen,
            league_views.JOIN: rooms.league_actions.joined,
            league_views.LEAVE: rooms.league_actions.left,
            league_views.START: rooms.league_actions.started,
            league_views.NEXT: rooms.league_actions.followed,
            **dict.fromkeys(league_views.ANSWERS, rooms.league_actions.answered),
            onboarding.PICK: rooms.onboarding.pick,
            onboarding.CHALLENGE: rooms.onboarding.challenge,
            onboarding.COMPUTER: rooms.onboarding.computer,
            onboarding.TABLE: rooms.onboarding.table,
            onboarding.ALONE: rooms.onboarding.alone,
            onboarding.WEEKEND: rooms.onboarding.weekend,
            onboarding.RULES: rooms.onboarding.rules,
            views.FURTHER_RULES: rooms.onboarding.further_rules,
            lesson_viewer.PAGE: rooms.lesson_viewer.pressed,
            paged_lists.TURNED: rooms.paged_lists.turned,
            daily_text.PAGE: rooms.daily_viewer.pressed,
        }
        """The pages of buttons and selects; all others are lists that are shown to everybody."""
        self.stored: Mapping[str, Stored] = {
            settings_card.PAGE: rooms.settings_card.stored,
            preferences_card.PAGE: rooms.preferences_card.stored,
        }
        """Those of selects that show what is stored; what the others offer is the same at any time."""

    async def pressed(self, interaction: Interaction, pressed: ComponentId | None) -> None:
        """Answer what was used in a message; None for what no version of this program has made."""
        match pressed:
            case ButtonId():
                await self._button(interaction, pressed)
            case PadId():
                await self._rooms.pad_actions.tapped(interaction, pressed)
            case PrepareId():
                await self._rooms.prepare_pads.tapped(interaction, pressed)
            case TrialId():
                await self._rooms.lesson_viewer.tapped(interaction, pressed)
            case RetryId():
                await self._rooms.retry_viewer.tapped(interaction, await self._umpire.load(pressed.match), pressed)
            case TryOutId():
                seated = await self._rooms.brought.load(interaction, pressed.match)
                await self._rooms.try_out_pads.tapped(interaction, seated, pressed)
            case DailyId():
                await self._rooms.daily_viewer.tapped(interaction, pressed)
            case ReplayId():
                await self._under_replay(interaction, pressed)
            case PageId():
                await self.pages.get(pressed.page, self._rooms.paged_lists.pressed)(interaction, pressed)
            case None:
                leads_nowhere()

    async def submitted(self, interaction: Interaction, form: FormId | None) -> None:
        """Answer a form, opened before or after the last restart."""
        if form is None:
            leads_nowhere()
        prepares = form.verb.startswith(IF_THEN)
        opened = self._rooms.prepare_pads if prepares else self._rooms.submit_move
        await opened.submitted(interaction, form)

    async def _button(self, interaction: Interaction, button: ButtonId) -> None:
        if interaction.message and not is_ephemeral(interaction):
            self._met(button.match, interaction.message)
        found = (act for verbs, act in self.buttons if re.fullmatch(verbs, button.verb))
        await next(found, self._rooms.pad_actions.pressed)(interaction, button)

    async def _under_replay(self, interaction: Interaction, button: ReplayId) -> None:
        seated = await self._rooms.brought.load(interaction, button.match, thinking=button.step == "review")
        if button.step in STEPS:
            await self._rooms.replay_viewer.stepped(interaction, seated, button)
        elif button.match == IMPORTED and button.step in {*self.under_replays} - {"review"}:
            leads_nowhere()  # a record that somebody brings is reviewed, but nothing of it is shown to everybody
        elif opens := self.under_replays.get(button.step):
            await opens(interaction, seated)
        elif button.step.startswith(PLAY_ON):
            await self._rooms.play_on.pressed(interaction, seated, button)
        elif button.step.startswith(TRY_OUT):
            await self._rooms.try_out_pads.pressed(interaction, seated, button)
        elif button.step.startswith(SECOND_TRY):
            await self._rooms.retry_viewer.pressed(interaction, seated, button)
        else:
            leads_nowhere()

    def _loaded(self, opens: Opens) -> Act:
        """A button that shows something of its match as it stands."""

        async def pressed(interaction: Interaction, button: ButtonId) -> None:
            await opens(interaction, await self._umpire.load(button.match))

        return pressed

    async def _own_board(self, interaction: Interaction, seated: LoadedMatch) -> None:
        expect_seat(seated, user_of(interaction))
        edit = is_ephemeral(interaction)
        await self._rooms.replies.own_board(interaction, seated, "Only you see this board.", edit=edit)

    async def _details(self, interaction: Interaction, seated: LoadedMatch) -> None:
        await self._rooms.replies.details(interaction, self._rooms.replay_viewer.replay_for(interaction, seated).seated)

    async def _more(self, interaction: Interaction, seated: LoadedMatch) -> None:
        user, watched = user_of(interaction), not seated.game.secret and seated.row.state == "live"
        view = match_views.more(seated, None if watched and not seated.has(user) else expect_seat(seated, user))
        await edits.answer_anew(interaction, view)

    async def _rules(self, interaction: Interaction, seated: LoadedMatch) -> None:
        await self._rooms.replies.rules(interaction, seated.game)


async def nothing_changed(interaction: Interaction, _button: ButtonId) -> None:
    """Answer a question with no."""
    await edits.answer(interaction, views.notice("Nothing was changed."))


def leads_nowhere() -> NoReturn:
    """Refuse a button or a form that no version of this program has made."""
    raise Refusal("This button is out of date. Use /match board to get a fresh board.")
