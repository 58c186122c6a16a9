"""A match as Discord shows it: the lobby, the board, its buttons and forms.

Everything here is a pure function of a stored match and of who looks; a view is built afresh each time and never
kept. Every interactive component is a `Control`, and an open form is known by its custom_id alone, so that old
boards and open forms go on working after a restart.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import discord
from discord import ui

from bot.client import rulebook, texts, turns
from bot.client.ids import COMPONENT, ButtonId, ComponentId, component_id
from bot.client.interaction import Interaction
from bot.core.game import Game
from bot.core.seats import Viewer
from bot.service.seated import Seated, Sight
from rendering.shapes import Picture

ACCENTS = (0x005AAA, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x8C6D1F, 0x4D4D4D)
"""The seats' inks, as the coloured edge of the board of the seat to move."""
OVER = 0x646E7D
ALT_LIMIT = 1024
STYLES = (discord.ButtonStyle.primary, discord.ButtonStyle.secondary)
"""Of the button for a move, and of one that ends something for good: it is not to be pressed by mistake."""


class Pressed(Protocol):
    """A client that knows what to do when a button is pressed, or something is chosen in a select."""

    async def pressed(self, interaction: Interaction, pressed: ComponentId) -> None: ...


class Control(ui.DynamicItem[ui.Item[Any]], template=COMPONENT):
    """The one thing that can be used in a message: a button, or with options a select, in which the label stands until
    something is chosen. After a restart it is made again from the custom_id alone.
    """

    def __init__(
        self,
        component: ComponentId,
        label: str = "?",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        options: Sequence[discord.SelectOption] = (),
    ):
        self.component = component
        item: ui.Button[Any] | ui.Select[Any]
        if options:
            item = ui.Select(placeholder=label, options=[*options], custom_id=str(component))
        else:
            item = ui.Button(label=label, style=style, custom_id=str(component))
        super().__init__(item)

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Control:
        """The button that was pressed, or the select in which something was chosen."""
        component = component_id(match.string)
        assert component is not None
        return cls(component, options=item.options if isinstance(item, ui.Select) else ())

    async def callback(self, interaction: Interaction) -> None:
        """Hand the press to the client."""
        await cast(Pressed, interaction.client).pressed(interaction, self.component)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The pictures of a position, described, and painted as PNG files."""

    pictures: tuple[Picture, ...]
    pngs: tuple[bytes, ...]

    def files(self, text: str) -> list[discord.File]:
        """New attachments for a message, each with its alt text."""
        return [
            discord.File(io.BytesIO(png), filename(index), description=alt(picture, text))
            for index, (picture, png) in enumerate(zip(self.pictures, self.pngs, strict=True))
        ]


def filename(index: int) -> str:
    """The name of a message's picture; it says nothing about the match."""
    return f"board-{index + 1}.png"


def alt(picture: Picture, board: str) -> str:
    """Alt text: a sentence, and the board as text where it fits."""
    whole = f"{picture.alt}\n{board}"
    return whole if len(whole) <= ALT_LIMIT else picture.alt[:ALT_LIMIT]


def galleries(pictures: Sequence[Picture], board: str) -> list[ui.MediaGallery[Any]]:
    """The pictures of a message, by the names of its attachments. Discord lays out those of one gallery as small tiles,
    so each has a gallery of its own and is as wide as the message.
    """
    items = (
        discord.MediaGalleryItem(f"attachment://{filename(index)}", description=alt(picture, board))
        for index, picture in enumerate(pictures)
    )
    return [ui.MediaGallery(item) for item in items]


def framed(accent: int, *items: ui.Item[Any]) -> ui.LayoutView:
    """A message of one container. It is sent and forgotten: no timeout, nothing stored."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*items, accent_colour=accent))
    return view


def buttons_of(view: ui.LayoutView) -> list[ButtonId]:
    """The buttons of a match on a message to be sent."""
    pressed = (item.component for item in view.walk_children() if isinstance(item, Control))
    return [button for button in pressed if isinstance(button, ButtonId)]


def buttons_on(components: Sequence[Any]) -> list[ButtonId]:
    """Our buttons on a message that Discord has."""
    found: list[ButtonId] = []
    for component in components:
        if button := ButtonId.parse(getattr(component, "custom_id", None) or ""):
            found.append(button)
        found += buttons_on(getattr(component, "children", ()))
    return found


def row_of(*buttons: Control) -> ui.ActionRow[Any]:
    """Buttons side by side."""
    row: ui.ActionRow[Any] = ui.ActionRow()
    for button in buttons:
        row.add_item(cast(ui.Item[Any], button))
    return row


def lobby(seated: Seated) -> ui.LayoutView:
    """The message of a challenge: open with its buttons, later a line about what became of it."""
    row = seated.row
    if row.state != "open":
        return framed(OVER, ui.TextDisplay(texts.challenge_ended(seated)))
    invited = any(player.invited for player in row.players)
    first, second = ("accept", "decline") if invited else ("join", "leave")
    early = ("begin",) if row.seats > seated.game.seats[0] else ()
    buttons = [Control(ButtonId(row.id, 0, first), first.capitalize(), discord.ButtonStyle.success)]
    buttons += [Control(ButtonId(row.id, 0, verb), verb.capitalize()) for verb in (second, *early, "cancel")]
    text = f"{texts.challenge(seated)}\n-# Expires <t:{row.expires}:R> · match {row.id}"
    rules = Control(ButtonId(row.id, 0, "rules"), "Rules")
    return framed(ACCENTS[0], ui.TextDisplay(text), row_of(*buttons, rules))


def question(seated: Seated, seat: Viewer, sentence: str, yes: tuple[str, str], no: tuple[str, str]) -> ui.LayoutView:
    """A question before something that cannot be undone, for one person: two buttons, each a verb and a label."""
    version, own = Sight.of(seated, seat).version, seat is not None
    made = ((yes, discord.ButtonStyle.danger), (no, discord.ButtonStyle.secondary))
    buttons = [Control(ButtonId(seated.id, version, verb, own), label, style) for (verb, label), style in made]
    return framed(OVER, ui.TextDisplay(sentence), row_of(*buttons))


def outcome(seated: Seated) -> ui.LayoutView:
    """What became of a challenge, told to those whom it concerns."""
    return framed(OVER, ui.TextDisplay(f"{texts.challenge_ended(seated)}\n-# {seated.link}"))


def board(sight: Sight, pictures: Sequence[Picture], closed: bool = False) -> ui.LayoutView:
    """A board: headline, picture, what happened, who is to move, and the buttons for it.

    A seat's own board is ephemeral; `closed` is an earlier board that keeps its picture and loses its buttons.
    """
    happened, shown = turns.last_turn(sight), galleries(pictures, str(sight.position))
    if closed:
        whose = "" if sight.seated.threaded else f"\n-# {texts.whose(sight.seated)}"
        return framed(OVER, *shown, ui.TextDisplay(f"{happened or 'The match began.'}{whose}"))
    head = f"{texts.headline(sight.seated)}\n{texts.seats(sight)}"
    foot = ("\n" if "\n" in happened else " ").join(part for part in (happened, texts.status(sight)) if part)
    accent = ACCENTS[sight.turn[0] - 1] if sight.turn else OVER
    return framed(accent, ui.TextDisplay(head), *shown, ui.TextDisplay(foot), row_of(*board_buttons(sight)))


def board_buttons(sight: Sight) -> list[Control]:
    """The buttons of a board: each kind of move that somebody to move may make now, on a seat's own board that seat;
    on the public board of a game with secrets, the way to one's own."""
    game, own = sight.seated.game, sight.viewer is not None
    seats = [seat for seat in sight.turn if sight.viewer in (None, seat)]
    kinds = [kind for kind in game.moves if any(kind.when(sight.position, seat) for seat in seats)]
    made = [(kind.name, kind.name.capitalize(), STYLES[bool(kind.final) and not kind.parts]) for kind in kinds]
    if game.secret and not own and sight.turn:
        made.append(("board", "My board", discord.ButtonStyle.success))
    if sight.seated.row.state == "finished":
        made.append(("rematch", "Rematch", discord.ButtonStyle.success))
    made.append(("rules", "Rules", discord.ButtonStyle.secondary))
    return [Control(ButtonId(sight.seated.id, sight.version, verb, own), label, style) for verb, label, style in made]


def notice(sentence: str) -> ui.LayoutView:
    """What stands in place of a board that cannot be drawn any more."""
    return framed(OVER, ui.TextDisplay(sentence))


def rules(game: Game, pictures: Sequence[Picture], board: str) -> ui.LayoutView:
    """The rules page of a game, with the board of its example."""
    return framed(ACCENTS[0], ui.TextDisplay(rulebook.rules(game)), *galleries(pictures, board))
