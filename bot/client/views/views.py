"""A match as Discord shows it: the lobby, the board, its buttons and forms.

Everything here is a pure function of a stored match and of who looks; a view is built afresh each time and never
kept. Every interactive component is a `Control`, and an open form is known by its custom_id alone, so that old
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

from bot.client.interactions.custom_ids import COMPONENT, ButtonId, ComponentId, PageId
from bot.client.text import clock_text, match_text, proposal_text, rules_text, turn_text
from bot.core.game.game import Game
from bot.core.library.catalogue import taught
from bot.core.match.loaded_match import Seated, Sight
from bot.core.values.computer_users import is_computer, is_person, worded
from bot.core.values.seats import Seat, Viewer
from bot.service.analysis import hints, reviews
from bot.service.rules import claims, computer_levels, proposal_kinds, proposals

ACCENTS = (0x005AAA, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x8C6D1F, 0x4D4D4D)
"""The seats' inks, as the coloured edge of the board of the seat to move."""
OVER = 0x646E7D
ALT_LIMIT = 1024
ABREAST = 5
"""Buttons in a row (Discord's limit)."""
OBJECTS = 4000
"""Bytes that a drawing takes beside its files: captions, and the position that it is kept by."""
LOBBY_VERBS = ("accept", "decline", "join", "leave", "begin", "cancel", "computer")
"""What can be done under an open challenge alone."""
SIT_DOWN, GET_UP, UP = "The computer takes a seat …", "No computer at this table", "up"
"""The select under a challenge with which its host has computers play, and its last option."""
TAKE_BACK = "Take back"
"""The button to ask all others for that."""
MOMENT = re.compile(r"<t:[0-9]+")
"""A moment in a text, without how it is shown."""
LATE_SHOWN = 2
"""For so many who ran out of time there are buttons: a row holds five."""
STYLES = (discord.ButtonStyle.primary, discord.ButtonStyle.secondary)
"""Of the button for a move, and of one that ends something for good: it is not to be pressed by mistake."""


class Control(ui.DynamicItem[ui.Item[Any]], template=COMPONENT):
    """The one thing that can be used in a message: a button; or a select, of options or of so many `people` at most, in
    which the label stands until something is chosen. The client answers from its custom_id alone, which is checked
    against the pattern here.
    """

    def __init__(
        self,
        component: ComponentId,
        label: str = "?",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        options: Sequence[discord.SelectOption] = (),
        people: int = 0,
        *,
        able: bool = True,
    ):
        self.component = component
        item: ui.Button[Any] | ui.Select[Any] | ui.UserSelect[Any]
        if people:
            item = ui.UserSelect(placeholder=label, max_values=people, custom_id=str(component))
        elif options:
            item = ui.Select(placeholder=label, options=[*options], custom_id=str(component))
        else:
            item = ui.Button(label=label, style=style, custom_id=str(component), disabled=not able)
        super().__init__(item)


class Told(Protocol):
    """A picture in words: one that is described, or one that is painted and of which no more is known; and of which leg
    it is, if there are two."""

    @property
    def alt(self) -> str: ...
    @property
    def leg(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Caption:
    """What is kept of a picture beside its file."""

    alt: str
    leg: int = 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """The pictures of a position as PNG files, and in words."""

    pictures: tuple[Caption, ...]
    pngs: tuple[bytes, ...]

    @property
    def weight(self) -> int:
        """Its size in memory, more or less."""
        return sum(map(len, self.pngs)) + OBJECTS

    def __add__(self, other: Drawing) -> Drawing:
        return Drawing(self.pictures + other.pictures, self.pngs + other.pngs)

    def files(self, text: str) -> list[discord.File]:
        """New attachments for a message, each with its alt text."""
        return [
            discord.File(io.BytesIO(png), filename(index), description=alt(picture, text))
            for index, (picture, png) in enumerate(zip(self.pictures, self.pngs, strict=True))
        ]


def filename(index: int) -> str:
    """The name of a message's picture; it says nothing about the match."""
    return f"board-{index + 1}.png"


def alt(picture: Told, board: str) -> str:
    """Alt text: a sentence, and the board as text where it fits."""
    whole = f"{picture.alt}\n{board}" if board else picture.alt
    return whole if len(whole) <= ALT_LIMIT else picture.alt[:ALT_LIMIT]


def galleries(pictures: Sequence[Told], board: str) -> list[ui.MediaGallery[Any]]:
    """The pictures of a message, by the names of its attachments. Discord lays out those of one gallery as small tiles,
    so each has a gallery of its own and is as wide as the message.
    """
    return [ui.MediaGallery(attached(filename(index), alt(one, board))) for index, one in enumerate(pictures)]


def shown(sight: Sight, pictures: Sequence[Told]) -> list[ui.Item[Any]]:
    """The pictures of a match; above those of a leg it says what is whose in it."""
    items, leg = list[ui.Item[Any]](), 0
    for one, gallery in zip(pictures, galleries(pictures, str(sight.position)), strict=True):
        items += [ui.TextDisplay[Any](match_text.leg(sight, one.leg)), gallery] if one.leg > leg else [gallery]
        leg = one.leg
    return items


def attached(name: str, description: str | None) -> discord.MediaGalleryItem:
    """A picture in a message, by the name of its attachment."""
    return discord.MediaGalleryItem(f"attachment://{name}", description=description)


class Sheet(ui.LayoutView):
    """What is sent and forgotten. Of every view that is not finished discord.py keeps all items, those that one person
    alone sees for a quarter of an hour, each with a task; presses on ours are answered from their custom_id.
    """

    def is_finished(self) -> bool:
        """Say that nobody waits for it."""
        return True


def framed(accent: int, *items: ui.Item[Any]) -> ui.LayoutView:
    """A message of one container; the only place where views are made."""
    view = Sheet(timeout=None)
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


def said(components: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a message says and offers, in order: its texts, its pictures' alt texts, its buttons. Two that say the same
    show the same, whatever else Discord notes of them; a deadline moves on until its board is there."""
    found: list[str] = []
    for one in components:
        whole = (one.get("content"), one.get("custom_id"), *(item.get("description") for item in one.get("items", ())))
        found += [MOMENT.sub("<t:", " ".join(text.split())) for text in whole if text]
        found += said(one.get("components", ()))
    return found


def row_of(*buttons: Control) -> ui.ActionRow[Any]:
    """Buttons side by side."""
    row: ui.ActionRow[Any] = ui.ActionRow()
    for button in buttons:
        row.add_item(cast(ui.Item[Any], button))
    return row


def lobby(seated: Seated, first: bool) -> ui.LayoutView:
    """The message of a challenge: open with its buttons, later a line about what became of it. The `first` one of a
    server says what all of this is, and goes on saying it."""
    row, further = seated.row, [ui.TextDisplay[Any](match_text.INTRODUCTION)] if first else []
    if row.state != "open":
        number = f"\n-# match {row.id}" if seated.match else ""
        return framed(OVER, ui.TextDisplay(f"{match_text.challenge_ended(seated)}{number}"), *further)
    invited = any(player.invited for player in row.players)
    yes, no = ("accept", "decline") if invited else ("join", "leave")
    early = ("begin",) if row.seats > seated.game.seats[0] else ()
    buttons = [Control(ButtonId(row.id, 0, yes), yes.capitalize(), discord.ButtonStyle.success)]
    buttons += [Control(ButtonId(row.id, 0, verb), verb.capitalize()) for verb in (no, *early, "cancel")]
    text = f"{match_text.challenge(seated)}\n-# Expires <t:{row.expires}:R> · match {row.id}"
    rules = Control(ButtonId(row.id, 0, "rules"), "Rules")
    computers = [row_of(one) for one in (computer_select(seated),) if one]
    return framed(ACCENTS[0], ui.TextDisplay(text), row_of(*buttons, rules), *computers, *further)


def computer_select(seated: Seated) -> Control | None:
    """Under an open table, what its host can have computers do: take a free seat, or get up again; None where no seat
    is free for one and none sits there."""
    row = seated.row
    levels = computer_levels.offered(seated.game, row.options, row.seats) if len(row.players) < row.seats else ()
    up = [discord.SelectOption(label=GET_UP, value=UP)] if computer_levels.level(row) else []
    made = [*(discord.SelectOption(label=worded(level), value=str(level)) for level in levels), *up]
    return Control(ButtonId(row.id, 0, "computer"), SIT_DOWN, options=made) if made else None


def question(seated: Seated, seat: Viewer, sentence: str, yes: tuple[str, str], no: tuple[str, str]) -> ui.LayoutView:
    """A question before something that cannot be undone, for one person: two buttons, each a verb and a label."""
    version, own = Sight.of(seated, seat).version, seat is not None
    made = ((yes, discord.ButtonStyle.danger), (no, discord.ButtonStyle.secondary))
    buttons = [Control(ButtonId(seated.id, version, verb, own), label, style) for (verb, label), style in made]
    return framed(OVER, ui.TextDisplay(sentence), row_of(*buttons))


def outcome(seated: Seated) -> ui.LayoutView:
    """What became of a challenge, told to those whom it concerns."""
    return framed(OVER, ui.TextDisplay(f"{match_text.challenge_ended(seated)}\n-# {seated.link}"))


def board(sight: Sight, pictures: Sequence[Told], closed: bool = False) -> ui.LayoutView:
    """A board: headline, picture, what happened, who is to move, and the buttons for it.

    A seat's own board is ephemeral; `closed` is an earlier board that keeps its picture and loses its buttons.
    """
    happened, boards = turn_text.last_turn(sight), shown(sight, pictures)
    if closed:
        whose = "" if sight.seated.threaded else f"\n-# {match_text.whose(sight.seated)}"
        return framed(OVER, *boards, ui.TextDisplay(f"{happened or 'The match began.'}{whose}"))
    head = f"{match_text.headline(sight.seated)}\n{match_text.seats(sight)}"
    foot = ("\n" if "\n" in happened else " ").join(part for part in (happened, match_text.status(sight)) if part)
    small = (*clock_text.small(sight), *proposal_text.lines(sight.seated), hints.used(sight.seated.row))
    foot = "\n".join((foot, *(f"-# {line}" for line in small if line)))
    accent = ACCENTS[sight.turn[0] - 1] if sight.turn else OVER
    last = [*wish_buttons(sight), *hint_buttons(sight)]
    rows = [*board_rows(sight), time_buttons(sight), last]
    return framed(accent, ui.TextDisplay(head), *boards, ui.TextDisplay(foot), *(row_of(*row) for row in rows if row))


def board_rows(sight: Sight) -> list[list[Control]]:
    """The buttons of a board in rows: those of each leg in one of its own where one row does not hold all."""
    buttons, game = board_buttons(sight), sight.seated.game
    if len(buttons) <= ABREAST:
        return [buttons]
    legs = {kind.name: kind.leg for kind in game.moves}
    rows: dict[int, list[Control]] = {1: [], 2: [], 0: []}
    for button in buttons:
        assert isinstance(button.component, ButtonId)
        rows[legs.get(button.component.verb, 0)].append(button)
    return [*rows.values()]


def board_buttons(sight: Sight) -> list[Control]:
    """The buttons of a board: each kind of move that a person to move may make now, on a seat's own board that seat;
    on the public board of a game with secrets, the way to one's own."""
    game, own = sight.seated.game, sight.viewer is not None
    computers = [player.seat for player in sight.seated.players if is_computer(player.user)]
    seats = [seat for seat in sight.turn if sight.viewer in (None, seat) and seat not in computers]
    kinds = [kind for kind in game.moves if any(kind.when(sight.position, seat) for seat in seats)]
    made = [(kind.name, kind.label, STYLES[bool(kind.final) and not kind.parts]) for kind in kinds]
    if game.secret and not own and sight.turn:
        made.append(("board", "My board", discord.ButtonStyle.success))
    if sight.seated.row.state == "finished":
        made.append(("rematch", "Rematch", discord.ButtonStyle.success))
        made += [(f"rematch{level}", f"Level {level} next", discord.ButtonStyle.success) for level in harder(sight)]
        made.append(("replay", "Replay", discord.ButtonStyle.primary))
        if reviews.is_reviewable(sight.seated):
            made.append(("review", "Review", discord.ButtonStyle.primary))
    made.append(("rules", "Rules", discord.ButtonStyle.secondary))
    return [Control(ButtonId(sight.seated.id, sight.version, verb, own), label, style) for verb, label, style in made]


def harder(sight: Sight) -> list[int]:
    """The next level, where the only person in a finished match has beaten the computer and it can play better."""
    row, ranks = sight.seated.row, sight.match.ranks
    level, people = computer_levels.level(row), [player for player in row.players if not is_computer(player.user)]
    if level is None or ranks is None or len(people) != 1:
        return []
    won = [rank for seat, rank in enumerate(ranks, 1) if seat == people[0].seat] == [1] and ranks.count(1) == 1
    return [level + 1] if won and level < computer_levels.highest(sight.seated.game, row.options, row.seats) else []


def time_buttons(sight: Sight) -> list[Control]:
    """The buttons for those who wait for somebody who ran out of time: what is to become of that, for each such seat as
    far as there is room; the commands take the others."""
    seated, late = sight.seated, claims.late(sight.seated)
    if sight.viewer not in (None, *(player.seat for player in claims.waiting(seated))):
        return []
    made: list[Control] = []
    for player in late[:LATE_SHOWN] if claims.waiting(seated) else ():
        of = "" if len(late) == 1 else f" {match_text.CHIPS[(player.seat or 1) - 1]}"
        given = [("give", f"Give{of} 3 more days")] if claims.may_give(seated, player) else []
        for verb, label in (("claim", f"Claim{of}"), *given):
            button = ButtonId(seated.id, sight.version, f"{verb}{player.seat}", sight.viewer is not None)
            made.append(Control(button, label, STYLES[1]))
    return made


def wish_buttons(sight: Sight) -> list[Control]:
    """The buttons for what players ask of each other: to answer what is asked; else to ask that a match which is paused
    goes on, and on a seat's own board to take back a move."""
    seated, viewer = sight.seated, sight.viewer
    wish, mark = proposals.open_proposal(seated), proposals.mark_of(seated)
    made: list[tuple[str, str, discord.ButtonStyle]] = []
    if wish and viewer == wish.seat:
        made.append((f"refuse{mark}", "Withdraw my wish", discord.ButtonStyle.secondary))
    elif wish and viewer not in seated.folded.withdrawn:
        if viewer is None or seated.user_at(viewer) in proposals.waiting(seated):
            made.append((f"agree{mark}", "Agree", discord.ButtonStyle.success))
        made.append((f"refuse{mark}", "Refuse", discord.ButtonStyle.secondary))
    elif not wish:
        made += [("resume", "Resume", discord.ButtonStyle.success)] if seated.row.paused is not None else []
        if viewer is not None and proposal_kinds.could_take_back(seated, viewer):
            made.append(("takeback", TAKE_BACK, discord.ButtonStyle.secondary))
    own = viewer is not None
    return [Control(ButtonId(seated.id, sight.version, verb, own), label, style) for verb, label, style in made]


def hint_buttons(sight: Sight) -> list[Control]:
    """The button to ask for a hint: where somebody who is to move may have one, on the board of all or on their own."""
    seats = [seat for seat in sight.turn if sight.viewer in (None, seat)]
    asking = [seat for seat in seats if is_person(sight.seated.user_at(seat))]
    if not asking or not hints.are_given(sight.seated.row):
        return []
    return [Control(ButtonId(sight.seated.id, sight.version, "hint", sight.viewer is not None), "Hint")]


def second_thoughts(seated: Seated, seat: Seat) -> list[Control]:
    """The button below what tells somebody that they have moved: to take that back."""
    if not proposal_kinds.could_take_back(seated, seat):
        return []
    return [Control(ButtonId(seated.id, seated.folded.version_for(seat), "takeback", own=True), TAKE_BACK)]


def without_buttons(message: discord.Message, line: str) -> ui.LayoutView:
    """A message of ours as it stands, but for its buttons, with a line at its end."""
    names, kept = iter(message.attachments), list[ui.Item[Any]]()
    for part in (part for whole in message.components for part in getattr(whole, "children", ())):
        if isinstance(part, discord.TextDisplay):
            kept.append(ui.TextDisplay(part.content))
        elif isinstance(part, discord.MediaGalleryComponent):
            pairs = zip(part.items, names, strict=False)
            kept.append(ui.MediaGallery(*(attached(file.filename, item.description) for item, file in pairs)))
    return framed(OVER, *kept, ui.TextDisplay(f"-# {line}"))


def notice(sentence: str, *buttons: Control) -> ui.LayoutView:
    """A sentence by itself, as in place of a board that cannot be drawn any more; or with some buttons."""
    return framed(OVER, ui.TextDisplay(sentence), *([row_of(*buttons)] if buttons else []))


def rules(game: Game, pictures: Sequence[Told], board: str) -> ui.LayoutView:
    """The rules page of a game, with the board of its example, and the way to its lesson where there is one."""
    lesson = [row_of(Control(PageId("learn", game.key), "Learn it in pictures"))] if game.key in taught() else []
    return framed(ACCENTS[0], ui.TextDisplay(rules_text.rules(game)), *galleries(pictures, board), *lesson)
