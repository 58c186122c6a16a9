"""The messages of a league: the sign-up, the tables, and the end. Each button is answered from its custom_id alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import discord
from discord import ui

from bot.client.interactions.custom_ids import PageId
from bot.client.league import league_text
from bot.client.views import views
from bot.client.views.views import Control, Drawing
from bot.core.game.game import Game
from bot.core.league.league_standings import Table
from bot.core.league.stored_league import Loaded
from bot.core.values.ids import LeagueId, UserId

JOIN, LEAVE, START, NEXT = "leaguejoin", "leagueleave", "leaguestart", "leaguenext"
"""The pages of the buttons; each is about the number of a league."""
QUIT, REMOVE, CANCEL, STAY = "leaguequit", "leagueremove", "leaguecancel", "leaguestay"
"""Those of the answers to a question: also about the state of the league when it was asked, and who is to be removed.
"""
ANSWERS = (QUIT, REMOVE, CANCEL, STAY)


def sign_up(loaded: Loaded, games: Mapping[str, Game], gone: Collection[UserId]) -> ui.LayoutView:
    """What people join a league on, without those who have left the server."""
    text = ui.TextDisplay[ui.LayoutView](league_text.sign_up(loaded, games, gone))
    if loaded.league.state != "open":
        return views.framed(views.OVER, text)
    made = (JOIN, "Join", discord.ButtonStyle.success), (LEAVE, "Leave", None), (START, "Start now", None)
    buttons = [
        Control(PageId(page, str(loaded.league.id)), label, style or discord.ButtonStyle.secondary)
        for page, label, style in made
    ]
    return views.framed(views.ACCENTS[0], text, views.row_of(*buttons))


def standing(
    loaded: Loaded, games: Mapping[str, Game], tables: Sequence[Table], listed: Sequence[Table], drawing: Drawing
) -> ui.LayoutView:
    """The tables of a league as they are listed, each picture above the names that belong to its numbers."""
    items: list[ui.Item[ui.LayoutView]] = [ui.TextDisplay(league_text.heading(loaded, games, tables))]
    for gallery, table in zip(views.galleries(drawing.pictures, ""), listed, strict=True):
        items += [gallery, ui.TextDisplay(league_text.table(loaded, table, len(tables)))]
    return views.framed(views.ACCENTS[0] if loaded.league.state == "live" else views.OVER, *items)


def farewell(loaded: Loaded, games: Mapping[str, Game], tables: Sequence[Table]) -> ui.LayoutView:
    """How a league ended, and the way into the next season."""
    again = Control(PageId(NEXT, str(loaded.league.id)), "Next season", discord.ButtonStyle.success)
    return views.notice(league_text.won(loaded, games, tables), again)


def question(sentence: str, page: str, about: str, yes: str, no: str) -> ui.LayoutView:
    """A question before something that cannot be undone, for one person."""
    sure = Control(PageId(page, about), yes, discord.ButtonStyle.danger)
    return views.notice(sentence, sure, Control(PageId(STAY, about), no))


def is_about(message: discord.Message, page: str, league: LeagueId) -> bool:
    """Whether a message of ours has this button of a league."""
    return str(PageId(page, str(league))) in views.custom_ids(message.components)
