"""Another person is to take over a seat: the command, whom it may name, and which seats it offers.

Who agrees to it, and what it changes, is decided in `substitutes`; it is asked and answered like all that players ask
of each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.client.interactions.context import Interaction, act_of, client_of, user_of
from bot.client.interactions.errors import suggesting
from bot.client.lobby import proposal_actions
from bot.client.lobby.challenges import Named
from bot.client.text import match_text
from bot.core.match.loaded_match import Refusal, Seated
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules import proposals, substitution
from bot.service.umpire.consent import Consent

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

ASK_WITHIN = 0.7
"""Seconds to ask whether somebody has left the server; somebody waits for an answer meanwhile."""


async def ordered(client: GraphPaper, interaction: Interaction, seated: Seated, number: object, named: Named) -> None:
    """A command: ask all others, and the person who is named, that this one takes over a seat."""
    seat = seat_of(number)
    user, wish = user_of(interaction), proposals.open_proposal(seated)
    if wish and wish.kind == "replace" and wish.seat == seated.seat_of(user):
        await proposal_actions.think_again(interaction, seated, wish.seat)
        return
    proposals.expect_voter(seated, user)
    substitution.expect_place(seated, seat)
    new = expect_member(interaction, seated, named)
    old = seated.user_at(seat)
    # Whoever asks for themselves is here.
    absent = old != user and await client.publisher.members.surely_gone(seated.row.guild, old, ASK_WITHIN)
    done = await Consent(client.umpire).replace(act_of(interaction), seated.id, user, seat, new, absent)
    await proposal_actions.asked(client, interaction, done, "replace")


def seat_of(number: object) -> Seat:
    """The seat that a command's option names; discord.py hands on what was sent, whole or with a point."""
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refusal("That is no seat: name one of those that are offered, by its number.")
    return number


def expect_member(interaction: Interaction, seated: Seated, named: Named) -> UserId:
    """The id of somebody who can come into a match, or a refusal."""
    us = client_of(interaction).user
    if us and named.id == us.id:
        raise Refusal("The computer takes over nobody's seat: name a person, or resign the match.")
    if isinstance(named, discord.User | discord.Member) and named.bot:
        raise Refusal(f"<@{named.id}> is a bot and plays no games: name a person.")
    if not isinstance(named, discord.Member):
        raise Refusal(f"<@{named.id}> is not in this server: only members can take over a seat.")
    place = interaction.guild.get_channel_or_thread(seated.place) if interaction.guild else None
    channel = place.parent if isinstance(place, discord.Thread) else place
    if channel is not None and not channel.permissions_for(named).view_channel:
        raise Refusal(f"<@{named.id}> cannot see the channel of this match: name somebody who can.")
    return UserId(named.id)


@suggesting
async def seats(interaction: Interaction, seated: Seated, current: str) -> list[app_commands.Choice[int]]:
    """The seats of a match that can pass on, as choices, with the names of those who have them, where heard."""
    user, typed = user_of(interaction), current.strip()
    if seated.turn == () or seated.seat_of(user) is None or seated.folded.seats == 1:
        return []
    members, guild, left = client_of(interaction).publisher.members, seated.row.guild, seated.folded.withdrawn
    gone = members.known(guild, [player.user for player in seated.players])
    found = {player.seat: members.name(guild, player.user) for player in seated.players if player.seat not in left}
    return [
        app_commands.Choice(name=match_text.seat_choice(seated, seat, user, gone, name), value=seat)
        for seat, name in found.items()
        if seat and typed.lower() in f"{seat} {name or ''}".lower()
    ]
