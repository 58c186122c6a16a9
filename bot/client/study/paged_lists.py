"""Pages that are no match's: for the asker alone, and for everybody where the asker wants that.

A page is made from the store, anew each time it is shown: a text, and for a profile how the rating went, as a picture.
What it is about stands in its button's custom_id.
In a match's own thread a page stays with its asker, since another message would push the board up.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import discord
from discord import ui

from bot.client.interactions.context import Interaction, client_of, guild_of, user_of
from bot.client.interactions.custom_ids import PageId
from bot.client.lobby import challenges, game_picker, onboarding
from bot.client.study import lesson_viewer
from bot.client.text import ranking_text
from bot.client.views import views
from bot.client.views.views import Drawing
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored import (
    Against,
    MatchRow,
    Places,
    Score,
    Standing,
)
from bot.core.rating.careers import Came
from bot.core.rating.seasons import ALL_TIME, season_of
from bot.core.values.computer_users import is_person
from bot.core.values.ids import GuildId, UserId
from data.store import Reader

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

PERSON, LARGEST = "([0-9]{1,19})(?:-([a-z-]+))?", 2**63 - 1
"""The number of a person, as the store can keep it, and perhaps a game."""
BOARD = "(?:([1-9][0-9]{3}[1-4])(?:-|$))?(.*)"
"""A season, or else of all time, and perhaps a game."""
EVERYBODY = "Show everybody"
MOST_TEXTS = 3900
"""Characters of all texts of a message, with some to spare (Discord's limit is 4000)."""
TURNED = "turned"
"""What stands for a leaderboard in the button that turns to it."""
LEADS_NOWHERE = "That button leads nowhere any more: use the command again."


class Page(NamedTuple):
    """What is shown."""

    text: str
    drawing: Drawing = Drawing((), ())
    more: str = ""
    turn: tuple[PageId, str] | None = None
    """What else the asker may turn to, and what it is called."""

    @property
    def items(self) -> list[ui.Item[Any]]:
        """The texts and the pictures, as parts of a message."""
        more = [ui.TextDisplay[Any](self.more)] if self.more else []
        return [ui.TextDisplay(self.text), *views.galleries(self.drawing.pictures, ""), *more]

    @property
    def files(self) -> list[discord.File]:
        """The pictures, as attachments."""
        return self.drawing.files("")


class Asked(NamedTuple):
    """What a page is made of: where it is asked for, by whom, what about, and whether everybody will see it."""

    client: GraphPaper
    guild: GuildId
    asker: UserId
    about: str
    shown: bool


Made = Callable[[Asked], Awaitable[Page]]


def board_of(season: int, game: str) -> str:
    """What a leaderboard's page is about."""
    return "-".join(part for part in (str(season or ""), game) if part)


async def leaderboard(of: Asked) -> Page:
    """The leaderboard of a server, at a game or over all; of a season or of all time."""
    named = re.fullmatch(BOARD, of.about)
    assert named
    season, game = int(named[1] or ALL_TIME), challenges.named_game(named[2]) if named[2] else None

    umpire, key = of.client.umpire, game.key if game else ""

    def asked(reader: Reader) -> tuple[tuple[Standing, ...], Mapping[UserId, Places], tuple[int, int]]:
        rows = reader.leaderboard(of.guild, key, ranking_text.MOST_LISTED, season)
        places = reader.places(of.guild, [one.user for one in rows if one.place], season)
        return rows, places, reader.rated(of.guild, key, season)

    now = umpire.clock()
    text = ranking_text.leaderboard(game, *await umpire.store.ask(asked), (season, now) if season else None)
    other = PageId(TURNED, board_of(ALL_TIME if season else season_of(now), key))
    return Page(text, turn=(other, "All time" if season else "This season"))


Met = tuple[Sequence[Score], Sequence[MatchRow]]


def met(reader: Reader, of: Asked, user: UserId, game: str) -> Met:
    """How the asker stands against somebody, at a game or at all; and their last matches, whose links are the asker's:
    the channels may be hidden from others."""
    if of.asker == user:
        return (), ()
    scores = [score for score in reader.scores(of.guild, of.asker, user) if game in ("", score.game)]
    return scores, reader.between(of.guild, of.asker, user, game) if scores and not of.shown else ()


async def profile(of: Asked) -> Page:
    """One person's standing at every game, or at one, and how their rating went there; and the asker's score against
    them."""
    client, guild, named = of.client, of.guild, re.fullmatch(PERSON, of.about)
    if not named or int(named[1]) > LARGEST or not is_person(int(named[1])):
        raise Refusal(LEADS_NOWHERE)
    user, game = UserId(int(named[1])), challenges.named_game(named[2]) if named[2] else None
    archive, board, drawing = client.archive, (guild, game.key if game else ""), None

    def asked(reader: Reader) -> tuple[Mapping[str, Standing], Places, Came | None, Met, Sequence[Against]]:
        stands, places = reader.profile(guild, user), reader.places(guild, [user]).get(user, {})
        # What is read for a picture is all that was played here: nothing of it is for who has no rating.
        drawable = board[1] in stands and not late
        came = reader.came(*board, seen, ranking_text.MOST_MATCHES) if drawable else None
        rivals = [one for one in reader.against(guild, user) if board[1] in ("", one.game)]
        return stands, places, came, met(reader, of, user, board[1]), rivals

    async with archive.turn(board):
        seen, late = archive.seen(board), board in archive.folding
        stands, places, came, (scores, latest), rivals = await client.umpire.store.ask(asked)
        many = came is None and not late
        if came:
            try:
                drawing = await archive.drawn(board, seen, came, user, game.title if game else "all games")
            except TimeoutError:
                late = True
    remark = ranking_text.remark(stands.get(board[1]), many, late)
    text = ranking_text.profile(user, client.umpire.games, stands, places, game, remark)
    against = ranking_text.against(of.asker, user, client.umpire.games, scores, latest) if scores else ""
    room = MOST_TEXTS - len(text) - len(against)
    further = (ranking_text.rivals(client.umpire.games, rivals, room), against)
    return Page(text, drawing or Drawing((), ()), "\n".join(filter(None, further)))


async def records(of: Asked) -> Page:
    """The best results alone at a game."""
    game = challenges.solo_game(of.about)
    return Page(ranking_text.records(game, await of.client.umpire.store.ask(Reader.bests, of.guild, game.key)))


PAGES: Mapping[str, Made] = {"leaderboard": leaderboard, "profile": profile, "records": records}


def asked_by(interaction: Interaction, page: PageId, *, shown: bool) -> Asked:
    """What somebody asks for."""
    return Asked(client_of(interaction), guild_of(interaction), user_of(interaction), page.about, shown)


async def show(interaction: Interaction, page: PageId) -> None:
    """Show a page to the asker alone, with a button that shows it to everybody."""
    made = await PAGES[page.page](asked_by(interaction, page, shown=False))
    view = own(interaction, page, made)
    await interaction.response.send_message(view=view, files=made.files, ephemeral=True)


def own(interaction: Interaction, page: PageId, made: Page) -> ui.LayoutView:
    """A page as its asker alone sees it, with what they may do there."""
    everybody = [] if in_match_thread(interaction) else [views.Control(page, EVERYBODY)]
    controls = [*everybody, *([views.Control(*made.turn)] if made.turn else [])]
    return views.framed(views.ACCENTS[0], *made.items, *([views.row_of(*controls)] if controls else []))


async def turned(interaction: Interaction, about: str) -> None:
    """Show another leaderboard in place of this one, which only its asker sees."""
    if not (interaction.message and interaction.message.flags.ephemeral):
        raise Refusal(LEADS_NOWHERE)
    page = PageId("leaderboard", about)
    made = await leaderboard(asked_by(interaction, page, shown=False))
    await interaction.response.edit_message(view=own(interaction, page, made), attachments=made.files)


async def pressed(interaction: Interaction, page: PageId) -> None:
    """Show everybody the page under which the button stands; or begin what was chosen in the list of games, take the
    next step of a start, turn the page of a lesson, or turn to another leaderboard."""
    if page == game_picker.BEGIN:
        return await game_picker.begin(interaction)
    if step := onboarding.STEPS.get(page.page):
        return await step(interaction, page)
    if page.page == lesson_viewer.PAGE:
        return await lesson_viewer.pressed(interaction, page.about)
    if page.page == TURNED:
        return await turned(interaction, page.about)
    if page.page not in PAGES:
        raise Refusal(LEADS_NOWHERE)
    if in_match_thread(interaction):
        raise Refusal("In a match's thread this stays with you, since it would push the board up: ask in a channel.")
    made = await PAGES[page.page](asked_by(interaction, page, shown=True))
    await interaction.response.send_message(view=views.framed(views.ACCENTS[0], *made.items), files=made.files)
    return None


def in_match_thread(interaction: Interaction) -> bool:
    """Whether this is a thread that was made for a match."""
    channel, us = interaction.channel, client_of(interaction).user
    return isinstance(channel, discord.Thread) and us is not None and channel.owner_id == us.id
