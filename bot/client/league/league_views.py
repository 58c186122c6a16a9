"""The messages of a league: the sign-up, the tables, and the end. Each button is answered from its custom_id alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import discord
from discord import ui

from bot.client.interactions.custom_ids import SNOWFLAKE, CustomId
from bot.client.league import league_text
from bot.client.views import views
from bot.client.views.views import Control, Drawing
from bot.core.game.game import Game
from bot.core.league.league_standings import Table
from bot.core.league.stored_league import LeagueState, Loaded
from bot.core.values.ids import LeagueId, UserId

LeagueNumber = Annotated[LeagueId, SNOWFLAKE]
LeagueVerb = Literal["join", "leave", "start", "next"]
Question = Literal["quit", "remove", "cancel"]


class LeagueButton(CustomId, template="p:league{verb}:{league}"):
    """A button on a message of a league."""

    verb: LeagueVerb
    league: LeagueNumber


class LeagueAnswer(CustomId, template="p:league{verb}:{league}-{state}[-{who}]"):
    """Answers a question, about a league as it stood then, and somebody whom the question was about."""

    verb: Literal["quit", "remove", "cancel", "stay"]
    league: LeagueNumber
    state: LeagueState
    who: Annotated[UserId, SNOWFLAKE] = UserId(0)


def sign_up(loaded: Loaded, games: Mapping[str, Game], gone: Collection[UserId]) -> ui.LayoutView:
    """What people join a league on, without those who have left the server."""
    text = ui.TextDisplay[ui.LayoutView](league_text.sign_up(loaded, games, gone))
    if loaded.league.state != "open":
        return views.framed(views.OVER, text)
    buttons = [
        Control(LeagueButton("join", loaded.league.id), "Join", discord.ButtonStyle.success),
        Control(LeagueButton("leave", loaded.league.id), "Leave"),
        Control(LeagueButton("start", loaded.league.id), "Start now"),
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
    again = Control(LeagueButton("next", loaded.league.id), "Next season", discord.ButtonStyle.success)
    return views.notice(league_text.won(loaded, games, tables), again)


def question(sentence: str, sure: LeagueAnswer, yes: str, no: str) -> ui.LayoutView:
    """A question before something that cannot be undone, for one person."""
    stay = Control(replace(sure, verb="stay"), no)
    return views.notice(sentence, Control(sure, yes, discord.ButtonStyle.danger), stay)


def is_about(message: discord.Message, verb: LeagueVerb, league: LeagueId) -> bool:
    """Whether a message of ours has this button of a league."""
    return str(LeagueButton(verb, league)) in views.custom_ids(message.components)
