"""Pages that are no match's: for the asker alone, and for everybody where the asker wants that.

A page is a text made from the store, anew each time it is shown; what it is about stands in its button's custom_id.
In a match's own thread a page stays with its asker, since another message would push the board up.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.client import challenges, picking, standings, views
from bot.client.ids import PageId
from bot.client.interaction import Interaction, client_of, guild_of
from bot.core.ids import GuildId, UserId
from bot.core.rows import Places, Standing
from bot.service.seated import Refusal
from data.store import Reader

if TYPE_CHECKING:
    from bot.client.client import GraphPaper

Text = Callable[["GraphPaper", GuildId, str], Awaitable[str]]
PERSON, LARGEST = "[0-9]{1,19}", 2**63 - 1
"""The number of a person, as the store can keep it."""
EVERYBODY = "Show everybody"
LEADS_NOWHERE = "That button leads nowhere any more: use the command again."


async def leaderboard(client: GraphPaper, guild: GuildId, about: str) -> str:
    """The leaderboard of a server, at a game or over all."""
    game = challenges.named_game(about) if about else None

    def asked(reader: Reader) -> tuple[tuple[Standing, ...], Mapping[UserId, Places]]:
        rows = reader.leaderboard(guild, game.key if game else "")
        return rows, reader.places(guild, [one.user for one in rows if one.place][: standings.MOST_LISTED])

    return standings.leaderboard(game, *await client.umpire.store.ask(asked))


async def profile(client: GraphPaper, guild: GuildId, about: str) -> str:
    """One person's standing at every game."""
    if not re.fullmatch(PERSON, about) or int(about) > LARGEST:
        raise Refusal(LEADS_NOWHERE)
    user = UserId(int(about))

    def asked(reader: Reader) -> tuple[Mapping[str, Standing], Places]:
        return reader.profile(guild, user), reader.places(guild, [user]).get(user, {})

    return standings.profile(user, client.umpire.games, *await client.umpire.store.ask(asked))


async def records(client: GraphPaper, guild: GuildId, about: str) -> str:
    """The best results alone at a game."""
    game = challenges.solo_game(about)
    return standings.records(game, await client.umpire.store.ask(Reader.bests, guild, game.key))


PAGES: Mapping[str, Text] = {"leaderboard": leaderboard, "profile": profile, "records": records}


async def show(interaction: Interaction, page: PageId) -> None:
    """Show a page to the asker alone, with a button that shows it to everybody."""
    text = await PAGES[page.page](client_of(interaction), guild_of(interaction), page.about)
    items: list[ui.Item[Any]] = [ui.TextDisplay(text)]
    if not in_match_thread(interaction):
        items.append(views.row_of(views.Control(page, EVERYBODY)))
    await interaction.response.send_message(view=views.framed(views.ACCENTS[0], *items), ephemeral=True)


async def pressed(interaction: Interaction, page: PageId) -> None:
    """Show everybody the page under which the button stands, or begin what was chosen in the list of games."""
    if page == picking.BEGIN:
        return await picking.begin(interaction)
    if page.page not in PAGES:
        raise Refusal(LEADS_NOWHERE)
    if in_match_thread(interaction):
        raise Refusal("In a match's thread this stays with you, since it would push the board up: ask in a channel.")
    text = await PAGES[page.page](client_of(interaction), guild_of(interaction), page.about)
    await interaction.response.send_message(view=views.framed(views.ACCENTS[0], ui.TextDisplay(text)))
    return None


def in_match_thread(interaction: Interaction) -> bool:
    """Whether this is a thread that was made for a match."""
    channel, us = interaction.channel, client_of(interaction).user
    return isinstance(channel, discord.Thread) and us is not None and channel.owner_id == us.id
