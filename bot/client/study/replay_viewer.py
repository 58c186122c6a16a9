"""Replays a match line by line in an ephemeral message, for a person who may see it.

The match and the place stand in the buttons, ``r:<match>:<at>:<step>``, and each press reads the match anew: so a
replay goes on after a restart, and has more to show when the match has gone on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Literal

from discord import ui

from bot.client.interactions.context import Interaction, user_of
from bot.client.interactions.custom_ids import CustomId, Match, SeatNumber, Version
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import leads_nowhere, on, on_match
from bot.client.lobby.match_directory import MatchDirectory
from bot.client.moves.trial_pad import turn_page
from bot.client.runtime.thread_pool import Rank
from bot.client.study.brought import Brought
from bot.client.text import match_text, turn_text
from bot.client.views import edits, views
from bot.client.views.match_ids import ActButton
from bot.client.views.renderer import Renderer
from bot.client.views.replies import Replies
from bot.client.views.views import OVER, Control, Told
from bot.core.library.imports import IMPORTED
from bot.core.match.loaded_match import LoadedMatch, Sight, UnknownMatch
from bot.core.match.move_names import capital, own
from bot.core.match.record import Move
from bot.core.values.ids import MatchId
from bot.core.values.plural import Plural
from bot.service.analysis import reviews
from bot.service.analysis.replay_steps import Replay, unplayable

STEPS: Mapping[Literal["first", "back", "next", "last"], tuple[str, Callable[[int, int], int]]] = {
    "first": ("First", lambda at, last: 0),
    "back": ("Back", lambda at, last: max(0, at - 1)),
    "next": ("Next", lambda at, last: min(last, at + 1)),
    "last": ("Last", lambda at, last: last),
}
"""The label of each button, and where it leads from `at`, with the `last` place."""
FILM = "Moving picture"
STEP = Price(0.5, looks=True)
"""Of a step, one of many."""
BEGINNING = Plural("Before the first move", "Before the first of {number} moves")
NAMED = "{move} · {at} of {count}"
CORRECTED = "The rules were corrected after this match. You see it by today's rules."


class OfReplay(CustomId, template="r:{match}:{at}:"):
    """A button or a select under a replay, with the number of lines shown of those that the viewer may see."""

    match: Match
    at: Version


class ReplayButton(OfReplay, template="{verb}"):
    """Goes on from the place, makes a moving picture or a review, or shows everybody the one or the other."""

    verb: Literal["first", "back", "next", "last", "film", "show", "review", "tell"]


class MistakeButton(OfReplay, template="again[{leg}{left}]"):
    """Leads to the move before the place, of a leg, with so many tries left; without them to the costliest mistake."""

    leg: Annotated[int, "[12]"] = 0
    left: Annotated[int, "[1-3]"] = 0


class TryOutButton(OfReplay, template="try{does}"):
    """Opens a pad to try out moves at the place; or takes one back, prepares the line, or asks the computer."""

    does: Literal["", "back", "ready", "word"] = ""


class PlayOnButton(OfReplay, template="on{against}[{seat}]"):
    """Leads to the ways to play on from the place, or begins a match, with the seat that somebody wants."""

    against: Literal["", "level", "people", "table"] = ""
    seat: SeatNumber = 0


def step(replay: Replay, at: int, sight: Sight, pictures: Sequence[Told], name: str = "") -> ui.LayoutView:
    """The match after so many lines, with what the last of them did, and the ways on. `name` is that of the last move
    on its board, where that counts otherwise."""
    seated = replay.seated
    said = [turn_text.last_turn(sight), match_text.status(sight) if at == replay.length else ""]
    said.append(f"-# {place(replay, at, sight, name)}")
    if seated.row.game_version != seated.game.version:
        said.append(f"-# {CORRECTED}")
    head = "\n".join(filter(None, (match_text.headline(seated), match_text.seats(sight))))
    foot = "\n".join(filter(None, said))
    line = replay.lines[at - 1][1] if at else None
    accent = views.ACCENTS[line.seat - 1] if line else OVER
    boards = views.shown(sight, pictures)
    rows = [views.row_of(*row) for row in (ways(replay, at), beyond(replay, at, sight)) if row]
    return views.framed(accent, ui.TextDisplay(head), *boards, ui.TextDisplay(foot), *rows)


def place(replay: Replay, at: int, sight: Sight, name: str = "") -> str:
    """The place in a match: "Move 7 of 24", "Round 2, move 3 · 7 of 24"; in one with secrets also whose board is
    shown."""
    count = replay.length
    if not count:
        return "Nothing has been played yet."
    is_move = bool(at) and isinstance(replay.lines[at - 1][1], Move)
    here = NAMED.format(move=capital(name), at=at, count=count) if name and is_move else f"Move {at} of {count}"
    said = [here if at else BEGINNING.of(count)]
    if sight.viewer is not None and sight.viewer != replay.viewer:
        said.append(f"as {match_text.mention(replay.seated, sight.viewer)} saw it then")
    return " · ".join([*said, "only you see this"])


def ways(replay: Replay, at: int) -> list[Control]:
    """The buttons at a place, disabled where they lead nowhere, and the one for the moving picture."""
    match, last = replay.seated.id, replay.length
    steps = [
        Control(ReplayButton(match, at, name), label, able=leads(at, last) != at)
        for name, (label, leads) in STEPS.items()
    ]
    return [*steps, Control(ReplayButton(match, at, "film"), FILM, able=last > 0)] if match else steps


def beyond(replay: Replay, at: int, sight: Sight) -> list[Control]:
    """The buttons to what was not played."""
    tries = [Control(TryOutButton(replay.seated.id, at), "Try out")]
    able = any(replay.open or not sight.match.game.secret or seat == replay.viewer for seat in sight.match.turn)
    on = [Control(PlayOnButton(replay.seated.id, at), "Play on from here")]
    review = [Control(ReplayButton(IMPORTED, at, "review"), "Review")]
    brought = replay.seated.id == IMPORTED and reviews.is_reviewable(replay.seated)
    return [
        *(tries if able else []),
        *([] if unplayable(replay.seated, sight.match) else on),
        *(review if brought else ()),
    ]


def seen(replay: Replay, at: int) -> tuple[Sight, str]:
    """The match after so many lines, and the name of the last move where its board counts otherwise. A game with
    secrets does not."""
    sight = replay.sight(at)
    return sight, "" if sight.match.game.secret else own(sight.match)


class ReplayViewer:
    """Shows matches again to people who may see them."""

    def __init__(self, renderer: Renderer, directory: MatchDirectory, brought: Brought, replies: Replies) -> None:
        self._renderer = renderer
        self._replies = replies
        self._directory = directory
        self.load = brought.load

    async def load_kept(self, interaction: Interaction, match: MatchId) -> LoadedMatch:
        """A match that is kept: of a record that somebody brings, nothing is shown to everybody."""
        return leads_nowhere() if match == IMPORTED else await self.load(interaction, match)

    def replay_for(self, interaction: Interaction, seated: LoadedMatch) -> Replay:
        """The match as somebody may go through it, or `UnknownMatch` where they may not learn of it."""
        replay, here = Replay.for_user(seated, user_of(interaction)), interaction.channel_id
        if here not in (seated.row.channel, seated.row.thread) and not self._directory.may_find(
            interaction, seated.row
        ):
            raise UnknownMatch(f"There is no match {seated.id} here that you can see. /matches lists yours.")
        return replay

    @on_match(ActButton, words="details", price=Price(2, looks=True))
    async def details(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Show all that explains the end of a match, to those who may see it."""
        await self._replies.details(interaction, self.replay_for(interaction, seated).seated)

    @on_match(ActButton, words="replay", price=Price(2, looks=True))
    async def begin(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Show a match from its beginning, a live one as it stands, in a message of its own."""
        replay = self.replay_for(interaction, seated)
        view, files = await self.shown(replay, replay.length if seated.row.state == "live" else 0)
        await edits.answer_anew(interaction, view, files)

    @on(ReplayButton, words=" ".join(STEPS), price=STEP)
    async def stepped(self, interaction: Interaction, button: ReplayButton) -> None:
        """Go on from the place on which a button stands; the match may have more lines by now, or fewer after a
        backup."""
        replay = self.replay_for(interaction, await self.load(interaction, button.match))
        leads = next(leads for name, (_, leads) in STEPS.items() if name == button.verb)
        view, files = await self.shown(replay, leads(min(button.at, replay.length), replay.length))
        await turn_page(interaction, view, files)

    async def shown(self, replay: Replay, at: int) -> tuple[ui.LayoutView, edits.Files]:
        """A place in a match as a message."""
        sight, name = await self._renderer.run(partial(seen, replay, at), Rank.LOOK)
        drawing = await self._renderer.board(sight, Rank.LOOK)
        return step(replay, at, sight, drawing.pictures, name), drawing.files(str(sight.position))
