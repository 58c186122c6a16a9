"""The messages of a league: the sign-up, the tables, and the end. Each button is answered from its custom_id alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import discord
from discord import ui

from bot.features.leagues import words
from bot.games.game import Game
from bot.platform import ui as platform_ui
from bot.platform.custom_ids import SNOWFLAKE, CustomId
from bot.platform.ui import Control, Drawing
from bot.play.ids import LeagueId, UserId
from bot.play.league_tables import DivisionTable, LeagueState, LoadedLeague

LeagueNumber = Annotated[LeagueId, SNOWFLAKE]
LeagueVerb = Literal["join", "leave", "start", "next"]
Question = Literal["quit", "remove", "cancel"]


class LeagueButton(CustomId, template="p:league{verb}:{league}"):
    """A button on a message of a league."""

    verb: LeagueVerb
    league: LeagueNumber


class LeagueAnswer(CustomId, template="p:league{verb}:{league}-{state}[-{who}]"):
    """Answers a question about a league in its state at that time, and about the user whom it concerned."""

    verb: Literal["quit", "remove", "cancel", "stay"]
    league: LeagueNumber
    state: LeagueState
    who: Annotated[UserId, SNOWFLAKE] = UserId(0)


def build_sign_up_view(loaded: LoadedLeague, games: Mapping[str, Game], gone: Collection[UserId]) -> ui.LayoutView:
    """The message on which users join a league, without members who have left the server."""
    text = ui.TextDisplay[ui.LayoutView](words.describe_sign_up(loaded, games, gone))
    if loaded.league.state != "open":
        return platform_ui.frame_view(platform_ui.OVER, text)
    buttons = [
        Control(LeagueButton("join", loaded.league.id), "Join", discord.ButtonStyle.success),
        Control(LeagueButton("leave", loaded.league.id), "Leave"),
        Control(LeagueButton("start", loaded.league.id), "Start now"),
    ]
    return platform_ui.frame_view(platform_ui.ACCENTS[0], text, platform_ui.make_row(*buttons))


def build_standings_view(
    loaded: LoadedLeague,
    games: Mapping[str, Game],
    tables: Sequence[DivisionTable],
    drawing: Drawing,
) -> ui.LayoutView:
    """The tables of a league, each picture above the names of its numbers."""
    items: list[ui.Item[ui.LayoutView]] = [ui.TextDisplay(words.format_heading(loaded, games, tables))]
    for gallery, table in zip(platform_ui.make_galleries(drawing.pictures, ""), tables, strict=True):
        items += [gallery, ui.TextDisplay(words.describe_table(loaded, table, len(tables)))]
    return platform_ui.frame_view(platform_ui.ACCENTS[0] if loaded.league.state == "live" else platform_ui.OVER, *items)


def build_farewell_view(
    loaded: LoadedLeague, games: Mapping[str, Game], tables: Sequence[DivisionTable]
) -> ui.LayoutView:
    """How a league ended, with the button for the next season."""
    again = Control(LeagueButton("next", loaded.league.id), "Next season", discord.ButtonStyle.success)
    return platform_ui.build_notice(words.describe_winners(loaded, games, tables), again)


def build_question_view(sentence: str, sure: LeagueAnswer, yes: str, no: str) -> ui.LayoutView:
    """A question before an act that cannot be undone, for one user."""
    stay = Control(replace(sure, verb="stay"), no)
    return platform_ui.build_notice(sentence, Control(sure, yes, discord.ButtonStyle.danger), stay)


def is_about(message: discord.Message, verb: LeagueVerb, league: LeagueId) -> bool:
    """Whether a message of ours has this button of a league."""
    return str(LeagueButton(verb, league)) in platform_ui.find_custom_ids(message.components)
