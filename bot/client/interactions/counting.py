"""What somebody did and what came of it, counted once an interaction is dealt with, whichever road it took."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.client.interactions.context import Interaction
from bot.client.interactions.custom_ids import (
    ButtonId,
    ComponentId,
    PadId,
    PageId,
    ReplayId,
    TrialId,
    component_id,
)
from bot.client.interactions.response_deadline import TooLate
from bot.client.runtime.metrics import Kind, Measures, Outcome, outcome_of

OUTCOME = "what came of it"
LATE = "how late it came, in seconds"
"""What an interaction carries with it."""
PRESSED: Mapping[type[ComponentId], Kind] = {
    ButtonId: "button",
    PadId: "pad",
    PageId: "page",
    ReplayId: "replay",
    TrialId: "lesson",
}


@dataclass(slots=True)
class Act:
    """What somebody did, since when it is known here, and how late it was then."""

    kind: Kind
    extras: dict[Any, Any]
    began: float = field(default_factory=time.monotonic)

    def seconds(self) -> float:
        """How long ago somebody did it."""
        late: float = self.extras.get(LATE, 0.0)
        return late + time.monotonic() - self.began


answering: ContextVar[Act | None] = ContextVar("answering", default=None)
"""What is being answered; tasks have it from those that began them."""


def kind_of(interaction: Interaction) -> Kind:
    """What kind of act an interaction is."""
    match interaction.type:
        case discord.InteractionType.application_command:
            return "command"
        case discord.InteractionType.autocomplete:
            return "autocompletion"
        case discord.InteractionType.modal_submit:
            return "form"
        case discord.InteractionType.component:
            pressed = component_id(str((interaction.data or {}).get("custom_id", "")))
            return PRESSED[type(pressed)] if pressed else "other"
        case _:
            return "other"


def mark(interaction: Interaction, fault: BaseException) -> None:
    """Note that an act came to an error; the first one says what came of it."""
    found: Outcome = "too late" if isinstance(fault, TooLate) else outcome_of(fault)
    interaction.extras.setdefault(OUTCOME, found)


@contextmanager
def counted(measures: Measures, interaction: Interaction) -> Generator[None]:
    """Count what is done here as one act; what nobody marked has succeeded."""
    act = Act(kind_of(interaction), interaction.extras)
    before = answering.set(act)
    found: Outcome = "failed"
    try:
        yield
        found = "done"
    finally:
        answering.reset(before)
        measures.act(act.kind, interaction.extras.pop(OUTCOME, found))
