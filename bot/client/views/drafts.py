"""Shows and reads drafts: ephemeral messages with moves that a person has written and not played yet.

A refused move comes back as a draft, with a button for the form with all that was in it. A move that nobody can undo is
first shown as a draft, with a question. What was written stands in the message and is read from there, so a draft
outlives a restart like every other message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import ui

from bot.client.interactions.custom_ids import MatchButton
from bot.client.views.match_ids import ActButton, stamp
from bot.client.views.views import OVER, Control, framed, row_of
from bot.core.game.moves import LINE, MoveKind
from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.values.seats import Seat

LONGEST = 3000
"""The longest block; a message holds 4000 characters in all."""
BLOCK = re.compile(r"```\n(.*)\n```", re.DOTALL)


def block(kind: MoveKind, values: Mapping[str, str]) -> str:
    """What was written, as a block of text: a line for each part with what it is called, or one line for all."""
    clean = {name: value.replace("`", "") for name, value in values.items()}
    if len(kind.parts) == 1 or LINE in values:
        return f"```\n{clean.get(LINE) or clean.get(kind.parts[0].name, '')}\n```"
    lines = (f"{part.heading}: {' '.join(clean.get(part.name, '').split())}" for part in kind.parts)
    return "```\n" + "\n".join(lines) + "\n```"


def fits(kind: MoveKind, values: Mapping[str, str]) -> bool:
    """Whether what was written can be shown beside a sentence."""
    return bool(kind.parts) and len(block(kind, values)) <= LONGEST


def parse(kind: MoveKind, text: str) -> dict[str, str] | None:
    """The parts from a block of text; None for other texts and for other kinds of move."""
    found = BLOCK.fullmatch(text)
    if not found:
        return None
    if len(kind.parts) == 1:
        return {kind.parts[0].name: found[1]}
    lines = [line.partition(": ") for line in found[1].split("\n")]
    names = {called: part.name for part in kind.parts for called in (part.name, part.heading)}
    values = {names.get(called, called): value for called, _, value in lines}
    if values.keys() == {part.name for part in kind.parts}:
        return values
    return {LINE: found[1]} if len(lines) == 1 else None


def read(kind: MoveKind, components: Sequence[Any]) -> dict[str, str] | None:
    """The draft on a message of ours; None on other messages."""
    for component in components:
        values = parse(kind, getattr(component, "content", None) or "")
        values = values if values is not None else read(kind, getattr(component, "children", ()))
        if values is not None:
            return values
    return None


def refused(seated: LoadedMatch, seat: Seat, kind: MoveKind, values: Mapping[str, str], sentence: str) -> ui.LayoutView:
    """A refusal with what was written, and a button to edit it in a form."""
    return _draft(seated, seat, kind, values, sentence, [_edit(seated, seat, kind)])


def asked(
    seated: LoadedMatch, seat: Seat, kind: MoveKind, values: Mapping[str, str], shown: Sequence[ui.Item[Any]]
) -> ui.LayoutView:
    """The question before a move that nobody can undo, with what it would look like where that can be shown."""
    of = stamp(Sight.of(seated, seat))
    sure = Control(MatchButton(*of, True, kind.name), kind.label, discord.ButtonStyle.danger)
    back = _edit(seated, seat, kind) if kind.parts else Control(ActButton(*of, "board"), "Back")
    return _draft(seated, seat, kind, values, kind.final, [sure, back], shown)


def _draft(
    seated: LoadedMatch, seat: Seat, kind: MoveKind, values: Mapping[str, str], sentence: str,
    buttons: Sequence[Control], shown: Sequence[ui.Item[Any]] = (),
) -> ui.LayoutView:  # fmt: skip
    written = [ui.TextDisplay[Any](block(kind, values))] if kind.parts else []
    where = f"-# Match {seated.id} · {seated.game.title}"
    return framed(OVER, ui.TextDisplay(f"{sentence}\n{where}"), *shown, *written, row_of(*buttons))


def _edit(seated: LoadedMatch, seat: Seat, kind: MoveKind) -> Control:
    edit = MatchButton(*stamp(Sight.of(seated, seat)), False, kind.name)
    return Control(edit, "Edit", discord.ButtonStyle.primary)
