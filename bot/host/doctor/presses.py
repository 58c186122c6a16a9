"""Tries on what a person does with a button and a form, for which somebody must be there (`--press`)."""

from __future__ import annotations

import contextlib
from typing import Any

import discord
from discord import ui

from bot.client.interactions.context import Interaction, data_of
from bot.client.views.edits import ANSWER_CARRIES, ANSWER_KEEPS
from bot.host.doctor.cards import FIRST, SECOND, THIRD, uploads
from bot.host.doctor.findings import Fails, Untried
from bot.host.doctor.visit import PRESS_WITHIN, Visit

PRESSES = 4
"""How often a person is asked to press the button."""
FORM_SECONDS = 900.0
"""For how long discord.py remembers a form that nobody sends."""


def label(number: int) -> str:
    """What stands on the button before a press."""
    return f"Press here ({number} of {PRESSES})"


async def press_arrives(visit: Visit) -> None:
    """Post the button, and wait for the first press."""
    if not visit.press:
        await visit.act()
    visit.pad = await visit.post("Press the button.", FIRST, label=label(1))
    visit.say(
        f"Now press the button in #{visit.channel.name}: {visit.pad.jump_url}\n"
        f"Do so {PRESSES} times, and send the form that opens at last. Each time you have {PRESS_WITHIN:.0f} seconds."
    )
    if (await visit.act()).message is None:
        raise Fails("it comes without its message")


def pressed(visit: Visit) -> tuple[Interaction, discord.Message]:
    """The press that was not answered yet, and the message with the button."""
    if visit.pad is None or visit.pressed is None:
        raise Untried("No press arrived.")
    return visit.pressed, visit.pad


async def answer_keeps(visit: Visit) -> None:
    """Answer a press as the bot does where a picture stays."""
    if not visit.press:
        await visit.act()
    interaction, pad = pressed(visit)
    edits = visit.edits_on(pad)
    view = visit.card("Press it again.", FIRST, label=label(2))
    await edits.answer(interaction, view, uploads(FIRST), keep=True)
    if ANSWER_KEEPS not in edits.worked:
        raise Fails
    await visit.expect(pad, FIRST)


async def answer_brings(visit: Visit) -> None:
    """Answer a press as the bot does where a picture is new."""
    interaction = await visit.act()
    pad, edits = pressed(visit)[1], visit.edits_on(pressed(visit)[1])
    view = visit.card("Press it once more.", SECOND, label=label(3))
    await edits.answer(interaction, view, uploads(SECOND))
    await visit.expect(pad, SECOND)
    if ANSWER_CARRIES not in edits.worked:
        raise Fails


async def deferred_brings(visit: Visit) -> None:
    """Acknowledge a press, and edit its message afterwards."""
    interaction = await visit.act()
    pad = pressed(visit)[1]
    await interaction.response.defer()
    view = visit.card("Press it for the last time.", THIRD, label=label(4))
    await visit.edits_on(pad).answer(interaction, view, uploads(THIRD))
    await visit.expect(pad, THIRD)


async def follow_up(visit: Visit) -> None:
    """Tell the person who pressed something that nobody else sees."""
    if not visit.press:
        await visit.act()
    interaction, _ = pressed(visit)
    if not interaction.response.is_done():
        raise Untried("No press was answered.")
    made = await interaction.followup.send("Only you see this line. It goes away again.", ephemeral=True, wait=True)
    with contextlib.suppress(discord.NotFound):
        await made.delete()
    if not made.flags.ephemeral:
        raise Fails


async def form_opens(visit: Visit) -> None:
    """Open a form, and read what a person has typed into it."""
    interaction = await visit.act()
    field: ui.TextInput[Any] = ui.TextInput(custom_id="word", default="graph paper", max_length=40)
    form = ui.Modal(title="Graph Paper doctor", custom_id=visit.client.mark, timeout=FORM_SECONDS)
    form.add_item(ui.Label(text="Any word", component=field))
    await interaction.response.send_modal(form)
    visit.say("Now send the form.")
    sent = await visit.act()
    await visit.edits_on(pressed(visit)[1]).answer(sent, visit.card("Thank you, that was all."))
    if not typed(data_of(sent).get("components")):
        raise Fails("it comes empty")


def typed(components: Any) -> str:
    """What a person typed into the one field of the form."""
    with contextlib.suppress(KeyError, IndexError, TypeError):
        return str(components[0]["component"]["value"])
    return ""
