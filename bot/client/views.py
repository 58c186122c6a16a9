"""A match as Discord shows it: the lobby, the board, its buttons and forms.

Everything here is a pure function of a stored match and of who looks; a view is built afresh each time and never
kept. Every interactive component is a `MatchButton`, and an open form is known by its custom_id alone, so that old
boards and open forms go on working after a restart.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import discord
from discord import ui

from bot.client import texts
from bot.client.ids import COMPONENT, ButtonId, ComponentId, FormId, component_id
from bot.client.interaction import Interaction
from bot.core.game import Game, Position
from bot.core.match import Match
from bot.core.moves import MoveKind, Part
from bot.core.seats import Viewer
from bot.service.refusals import Returned
from bot.service.seated import Seated, Sight
from rendering.shapes import Picture

ACCENTS = (0x005AAA, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x8C6D1F, 0x4D4D4D)
"""The seats' inks, as the coloured edge of the board of the seat to move."""
OVER = 0x646E7D
ALT_LIMIT = 1024
GALLERY = 10
"""As many pictures as one message holds."""
SHORT = 100
"""A line of a form that takes more characters than this is a field of several lines."""
WRITTEN = re.compile(r"```\n(.+)\n```", re.DOTALL)
"""What was written, on a refusal that hands it back."""
FORM_LIFE = 900
"""Seconds that discord.py remembers an open form; ours are answered without its memory."""

NOTHING: Mapping[str, str] = {}


class Pressed(Protocol):
    """A client that knows what to do when a button is pressed, or something is chosen in a select."""

    async def pressed(self, interaction: Interaction, pressed: ComponentId) -> None: ...


class MatchButton(ui.DynamicItem[ui.Item[Any]], template=COMPONENT):
    """The one thing that can be pressed; after a restart it is made again from the custom_id alone.

    With options it is a select, whose label stands in it until something is chosen.
    """

    def __init__(
        self,
        button: ComponentId,
        label: str = "?",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        options: Sequence[discord.SelectOption] = (),
    ):
        self.button = button
        pressed: ui.Button[Any] | ui.Select[Any]
        if options:
            pressed = ui.Select(placeholder=label, options=[*options], custom_id=str(button))
        else:
            pressed = ui.Button(label=label, style=style, custom_id=str(button))
        super().__init__(pressed)

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> MatchButton:
        """The button that was pressed, or the select in which something was chosen."""
        button = component_id(match.string)
        assert button is not None
        return cls(button, options=item.options if isinstance(item, ui.Select) else ())

    async def callback(self, interaction: Interaction) -> None:
        """Hand the press to the client."""
        await cast(Pressed, interaction.client).pressed(interaction, self.button)


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
    pressed = (item.button for item in view.walk_children() if isinstance(item, MatchButton))
    return [button for button in pressed if isinstance(button, ButtonId)]


def buttons_on(components: Sequence[Any]) -> list[ButtonId]:
    """Our buttons on a message that Discord has."""
    found: list[ButtonId] = []
    for component in components:
        if button := ButtonId.parse(getattr(component, "custom_id", None) or ""):
            found.append(button)
        found += buttons_on(getattr(component, "children", ()))
    return found


def row_of(*buttons: MatchButton) -> ui.ActionRow[Any]:
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
    buttons = [MatchButton(ButtonId(row.id, 0, first), first.capitalize(), discord.ButtonStyle.success)]
    buttons += [MatchButton(ButtonId(row.id, 0, verb), verb.capitalize()) for verb in (second, *early, "cancel")]
    text = f"{texts.challenge(seated)}\n-# Open until <t:{row.expires}:R> · match {row.id}"
    rules = MatchButton(ButtonId(row.id, 0, "rules"), "Rules")
    return framed(ACCENTS[0], ui.TextDisplay(text), row_of(*buttons, rules))


def question(seated: Seated, seat: Viewer, sentence: str, yes: tuple[str, str], no: tuple[str, str]) -> ui.LayoutView:
    """A question before something that cannot be undone, for one person: two buttons, each a verb and a label."""
    version, own = Sight.of(seated, seat).version, seat is not None
    made = ((yes, discord.ButtonStyle.danger), (no, discord.ButtonStyle.secondary))
    buttons = [MatchButton(ButtonId(seated.id, version, verb, own), label, style) for (verb, label), style in made]
    return framed(OVER, ui.TextDisplay(sentence), row_of(*buttons))


def outcome(seated: Seated) -> ui.LayoutView:
    """What became of a challenge, told to those whom it concerns."""
    return framed(OVER, ui.TextDisplay(f"{texts.challenge_ended(seated)}\n-# {seated.link}"))


def board(sight: Sight, pictures: Sequence[Picture], closed: bool = False) -> ui.LayoutView:
    """A board: headline, picture, what happened, who is to move, and the buttons for it.

    A seat's own board is ephemeral; `closed` is an earlier board that keeps its picture and loses its buttons.
    """
    happened, shown = texts.last_turn(sight), galleries(pictures, str(sight.position))
    if closed:
        return framed(OVER, *shown, ui.TextDisplay(happened or "The match began."))
    head = f"### {sight.seated.game.title}\n{texts.seats(sight)}"
    foot = ("\n" if "\n" in happened else " ").join(part for part in (happened, texts.status(sight)) if part)
    accent = ACCENTS[sight.turn[0] - 1] if sight.turn else OVER
    return framed(accent, ui.TextDisplay(head), *shown, ui.TextDisplay(foot), row_of(*board_buttons(sight)))


def board_buttons(sight: Sight) -> list[MatchButton]:
    """The buttons of a board: each kind of move that somebody to move may make now, on a seat's own board that seat;
    on the public board of a game with secrets, the way to one's own."""
    game, own = sight.seated.game, sight.viewer is not None
    seats = [seat for seat in sight.turn if sight.viewer in (None, seat)]
    kinds = [kind.name for kind in game.moves if any(kind.when(sight.position, seat) for seat in seats)]
    made = [(name, name.capitalize(), discord.ButtonStyle.primary) for name in kinds]
    if game.secret and not own and sight.turn:
        made.append(("board", "My board", discord.ButtonStyle.success))
    if sight.seated.row.state == "finished":
        made.append(("rematch", "Rematch", discord.ButtonStyle.success))
    made.append(("rules", "Rules", discord.ButtonStyle.secondary))
    return [
        MatchButton(ButtonId(sight.seated.id, sight.version, verb, own), label, style) for verb, label, style in made
    ]


class Form(ui.Modal):
    """A form for a move. Nothing happens in its own callback: submissions are answered from their custom_id alone."""

    def __init__(self, form: FormId, title: str) -> None:
        super().__init__(title=title[:45], custom_id=str(form), timeout=FORM_LIFE)

    async def on_submit(self, interaction: Interaction, /) -> None:
        """Leave the answer to the client, which also knows forms opened before a restart."""


def form(seated: Seated, kind: MoveKind, seat: int, interaction: int, written: str = "") -> Form:
    """The form in which a seat enters a move of some kind, or mends one that it has written."""
    sight = Sight.of(seated, seat)
    made = Form(FormId(seated.id, sight.version, kind.name, interaction), f"{seated.game.title}: {kind.name}")
    for field in fields(kind, sight.position, kind.parse(written) or {}):
        made.add_item(field)
    return made


def returned(refusal: Returned, sentence: str) -> ui.LayoutView:
    """A refusal with what was written, and a button for the form with that in it."""
    seated, version = refusal.seated, Sight.of(refusal.seated, refusal.seat).version
    mend = MatchButton(ButtonId(seated.id, version, refusal.kind.name, True), "Edit", discord.ButtonStyle.primary)
    texts = (ui.TextDisplay[Any](text) for text in (sentence, f"```\n{refusal.written}\n```"))
    return framed(OVER, *texts, row_of(mend))


def returnable(kind: MoveKind, position: Position, written: str) -> bool:
    """Whether a move took some writing and can be handed back in a form."""
    values = kind.parse(written)
    lines = [part for part in kind.parts if part.is_line]
    if not values or not lines or "`" in written:
        return False
    return all(len(values.get(part.name, "")) <= text_limit(part, position) for part in lines)


def written_on(components: Sequence[Any]) -> str:
    """What a message of ours hands back; nothing on other messages."""
    for component in components:
        found = WRITTEN.fullmatch(getattr(component, "content", None) or "")
        if written := found[1] if found else written_on(getattr(component, "children", ())):
            return written
    return ""


def fields(kind: MoveKind, position: Position, values: Mapping[str, str] = NOTHING) -> list[ui.Label[Any]]:
    """The fields of a form; where it asks for several squares, each column and row says of which."""
    several = sum(part.kind == "square" and not part.is_line for part in kind.parts) > 1
    return [field for part in kind.parts for field in fields_of(part, position, several, values.get(part.name, ""))]


def fields_of(part: Part, position: Position, several: bool, value: str = "") -> list[ui.Label[Any]]:
    """The fields for one part: a select for each of its lists, or a line of text."""
    lists = part.lists(position)
    if not lists:
        limit = text_limit(part, position)
        line: ui.TextInput[Any] = ui.TextInput(
            custom_id=f"{part.name}:0",
            style=discord.TextStyle.paragraph if limit > SHORT else discord.TextStyle.short,
            default=value or None,
            max_length=limit,
            required=not part.optional,
        )
        return [ui.Label(text=part.name.capitalize()[:45], description=part.help[:100], component=line)]
    name = part.name.capitalize()
    square = (f"{name}: column", f"{name}: row") if several else ("Column", "Row")
    titles = square if len(lists) == 2 else (name,)
    chosen = (value[:1], value[1:]) if len(lists) == 2 else (value,)
    return [
        ui.Label(
            text=title[:45],
            description=part.help[:100] if index == 0 else None,
            component=ui.Select(
                custom_id=f"{part.name}:{index}",
                options=[discord.SelectOption(label=item, default=item == choice) for item in items],
                required=not part.optional,
                min_values=int(not part.optional),
            ),
        )
        for index, (title, items, choice) in enumerate(zip(titles, lists, chosen, strict=True))
    ]


def text_limit(part: Part, position: Position) -> int:
    """The most characters that a line of a form takes."""
    return part.longest(position) if part.is_line else SHORT


def submitted(data: Mapping[str, Any]) -> dict[str, str]:
    """The parts of a move from a submitted form: the values of the fields of one part, joined in order."""
    values: dict[str, str] = {}
    for label in data.get("components", ()):
        field: Mapping[str, Any] = label.get("component", {})
        name, _, _ = str(field.get("custom_id", "")).partition(":")
        chosen = field["values"] if "values" in field else [field.get("value", "")]
        values[name] = values.get(name, "") + "".join(str(value) for value in chosen)
    return values


def notice(sentence: str) -> ui.LayoutView:
    """What stands in place of a board that cannot be drawn any more."""
    return framed(OVER, ui.TextDisplay(sentence))


def rules(game: Game) -> ui.LayoutView:
    """The rules page of a game."""
    return framed(ACCENTS[0], ui.TextDisplay(texts.rules(game)))


def gallery(text: str, shown: Sequence[Match], drawings: Sequence[Drawing]) -> tuple[ui.LayoutView, list[discord.File]]:
    """A text, and below it the first picture of each of some matches, at most `GALLERY`."""
    items: list[discord.MediaGalleryItem] = []
    sent: list[discord.File] = []
    for match, drawing in zip(shown, drawings, strict=True):
        name, description = f"{match.game.key}.png", alt(drawing.pictures[0], str(match.position))
        items.append(discord.MediaGalleryItem(f"attachment://{name}", description=description))
        sent.append(discord.File(io.BytesIO(drawing.pngs[0]), name, description=description))
    return framed(ACCENTS[0], ui.TextDisplay(text), *([ui.MediaGallery[Any](*items)] if items else [])), sent
