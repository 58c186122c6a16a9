"""Shows leaderboards, profiles and records: to the asker alone, and to everybody where the asker wants that.

A page is made from the store each time it is shown: a text, and for a profile a picture of how the rating went. What it
is about stands in its button's custom_id. In a match's own thread a page stays with its asker, since another message
would push the board up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Annotated, Any, Literal, NamedTuple

import discord
from discord import app_commands, ui

from bot.client.interactions.context import Interaction, bot_of, guild_of, is_ephemeral, user_of
from bot.client.interactions.custom_ids import SNOWFLAKE, CustomId, GameKey
from bot.client.interactions.errors import suggesting
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import on
from bot.client.lobby import challenges
from bot.client.people.members import Members
from bot.client.people.remaining import absent, closed, remaining
from bot.client.study.public_posts import EVERYBODY
from bot.client.study.rating_chart import Archive
from bot.client.text import ranking_text
from bot.client.views import edits, views
from bot.client.views.naming import REPLY
from bot.client.views.views import Drawing
from bot.core.match.loaded_match import Refusal, person
from bot.core.match.stored import MatchRow
from bot.core.match.stored_settings import Rest
from bot.core.rating.careers import Came
from bot.core.rating.seasons import ALL_TIME, name_of, season_of
from bot.core.rating.stored_standings import Against, Losses, Score, Standing
from bot.core.values.computer_users import is_person
from bot.core.values.ids import GuildId, UserId
from bot.service.time import time_preferences
from bot.service.umpire.umpire import Umpire
from data.store import Reader

MOST_TEXTS = 3900
"""Characters of all texts of a message, with some to spare (Discord's limit is 4000)."""
EVER = "All time"
MOST_READ, ASKED_FIRST = 100, 80
"""So many of the best are read, and as many of those without a place, so that some may have left; about so many of the
best Discord is asked before the others."""
HAS_LEFT, THEY_LEFT = "{who} has left this server.", "They have left this server."
LEADS_NOWHERE = "This button is out of date. Use the command again."


class BoardButton(CustomId, template="p:{page}:[{season}][-{game}]"):
    """Shows everybody a leaderboard, of a season and a game, or turns to it from another one; 0 and "" are all."""

    page: Literal["leaderboard", "turned"]
    season: Annotated[int, "[1-9][0-9]{3}[1-4]"] = ALL_TIME
    game: GameKey = ""


class ProfileButton(CustomId, template="p:profile:{user}[-{game}]"):
    """Shows everybody a person's standing, at a game or at all."""

    user: Annotated[UserId, SNOWFLAKE]
    game: GameKey = ""


class RecordsButton(CustomId, template="p:records:{game}"):
    """Shows everybody the best results alone at a game."""

    game: GameKey


ListId = BoardButton | ProfileButton | RecordsButton
PRICES: Mapping[type[ListId], Price] = {
    BoardButton: Price(3, looks=True),
    ProfileButton: Price(4, looks=True),
    RecordsButton: Price(2, looks=True),
}
"""As much as the command that shows it."""


class Page(NamedTuple):
    """What is shown."""

    text: str
    drawing: Drawing = Drawing((), ())
    more: str = ""
    turn: tuple[BoardButton, str] | None = None
    """Another page that the asker can turn to, and the label of its button."""
    empty: bool = False
    """Whether there is nothing to show to anybody."""

    @property
    def items(self) -> list[ui.Item[Any]]:
        """The texts and the pictures, as parts of a message."""
        more = [ui.TextDisplay[Any](self.more)] if self.more else []
        return [ui.TextDisplay(self.text), *views.galleries(self.drawing.pictures, ""), *more]

    @property
    def files(self) -> edits.Files:
        """The pictures, as attachments."""
        return self.drawing.files("")


class Asked(NamedTuple):
    """Where a page is asked for, by whom, and whether everybody will see it."""

    guild: GuildId
    asker: UserId
    shown: bool


Ahead = Mapping[str, Sequence[UserId]]
"""Who is ahead of somebody at a game."""
Met = tuple[Sequence[Score], Sequence[MatchRow]]


class PagedLists:
    """Makes pages and shows them."""

    def __init__(self, umpire: Umpire, members: Members, archive: Archive) -> None:
        self._umpire = umpire
        self._members = members
        self._archive = archive

    # --- what people ask for

    async def show(self, interaction: Interaction, page: ListId) -> None:
        """Show a page to the asker alone, with a button that shows it to everybody."""
        made = await self._made(asked_by(interaction, shown=False), page)
        view = own(interaction, page, made)
        await edits.answer_anew(interaction, view, made.files)

    async def _made(self, asked: Asked, page: ListId) -> Page:
        if isinstance(page, BoardButton):
            return await self._leaderboard(asked, page)
        return await (self._profile(asked, page) if isinstance(page, ProfileButton) else self._records(asked, page))

    @on(BoardButton, ProfileButton, RecordsButton, words="leaderboard", price=lambda page: PRICES[type(page)])
    async def pressed(self, interaction: Interaction, page: ListId) -> None:
        """Show everybody the page under which the button stands."""
        if in_match_thread(interaction):
            raise Refusal(
                "Only you see this here, because it would push the board up. Ask in another channel to show everybody."
            )
        made = await self._made(asked_by(interaction, shown=True), page)
        view = views.framed(views.ACCENTS[0], *made.items)
        await edits.answer_anew(interaction, view, made.files, ephemeral=False)

    @on(BoardButton, words="turned", price=Price(1, looks=True))
    async def turned(self, interaction: Interaction, page: BoardButton) -> None:
        """Show another leaderboard in place of this one, which only its asker sees."""
        if not is_ephemeral(interaction):
            raise Refusal(LEADS_NOWHERE)
        page = replace(page, page="leaderboard")
        made = await self._leaderboard(asked_by(interaction, shown=False), page)
        await edits.answer(interaction, own(interaction, page, made), made.files)

    def now(self) -> int:
        """The time, in epoch seconds."""
        return self._umpire.clock()

    @suggesting
    async def seasons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest this season, earlier ones in which something was rated here, and all time."""
        now = season_of(self.now())
        rated = await self._umpire.store.ask(Reader.seasons, guild_of(interaction), challenges.MOST_CHOICES - 2)
        before = [name_of(season) for season in rated if season != now]
        named = {f"This season: {name_of(now)}": name_of(now), **{name: name for name in before}, EVER: EVER}
        typed = current.strip().lower()
        return [app_commands.Choice(name=name, value=value) for name, value in named.items() if typed in name.lower()]

    # --- pages

    async def _leaderboard(self, of: Asked, page: BoardButton) -> Page:
        """The leaderboard of a server, at a game or over all; of a season or of all time."""
        season, game = page.season, challenges.named_game(page.game) if page.game else None
        key = game.key if game else ""

        def asked(reader: Reader) -> tuple[tuple[Standing, ...], tuple[int, int]]:
            rows = reader.leaderboard(of.guild, key, MOST_READ, season)
            return rows, reader.rated(of.guild, key, season)

        now = self._umpire.clock()
        rows, (placed, others) = await self._umpire.store.ask(asked)
        best, rest = [one.user for one in rows if one.place], [one.user for one in rows if not one.place]
        gone = await self._absent(of, [*best[:ASKED_FIRST], *rest, *best[ASKED_FIRST:]])
        total = placed - len(gone.intersection(best)), others - len(gone.intersection(rest))
        text = ranking_text.leaderboard(game, closed(rows, gone), total, (season, now) if season else None)
        other = BoardButton("turned", ALL_TIME if season else season_of(now), key)
        return Page(text, turn=(other, "All time" if season else "This season"))

    async def _profile(self, of: Asked, page: ProfileButton) -> Page:
        """One person's standing at every game, or at one, and how their rating went; and the asker's score against
        them."""
        guild, user, game = of.guild, page.user, challenges.named_game(page.game) if page.game else None
        if not is_person(user):
            raise Refusal(LEADS_NOWHERE)
        archive, board, drawing = self._archive, (guild, game.key if game else ""), None

        alone = of.asker == user and not of.shown

        def asked(
            reader: Reader,
        ) -> tuple[
            Mapping[str, Standing], Ahead, Came | None, Met, Sequence[Against], Mapping[str, Losses], Rest
        ]:  # fmt: skip
            stands = reader.profile(guild, user)
            placed = [key for key in stands if stands[key].place and (not game or key == game.key)]
            ahead = {key: reader.ahead(guild, user, key, MOST_READ) for key in placed}
            # A picture needs all that was played here: that is read only for a person who has a rating.
            drawable = board[1] in stands and not late
            came = reader.came(*board, seen, ranking_text.MOST_MATCHES) if drawable else None
            rivals = [one for one in reader.against(guild, user) if board[1] in ("", one.game)]
            losses = reader.losses(guild, user) if alone else {}
            own = {key: lost for key, lost in losses.items() if board[1] in ("", key)}
            rest = time_preferences.rest(reader, guild, user, self.now())
            return stands, ahead, came, met(reader, of, user, board[1]), rivals, own, rest

        async with archive.turn(board):
            seen, late = archive.seen(board), board in archive.folding
            stands, ahead, came, (scores, latest), rivals, losses, rest = await self._umpire.store.ask(asked)
            many = came is None and not late
            if came:
                try:
                    drawing = await archive.drawn(board, seen, came, user, game.title if game else "all games")
                except TimeoutError:
                    late = True
        gone = await self._absent(of, [user, *(one for key in sorted(ahead) for one in ahead[key])])
        self._expect_here(of, user, gone)
        stands = {**stands, **{key: moved_up(stands[key], gone.intersection(ahead[key])) for key in ahead}}
        games = self._umpire.games
        remark = ranking_text.remark(stands.get(board[1]), many, late)
        text = ranking_text.profile(user, games, stands, game, remark, own=alone)
        against = ranking_text.against(of.asker, user, games, scores, latest) if scores else ""
        rests = ranking_text.rests(user, rest)
        room = MOST_TEXTS - len(text) - len(against) - len(rests)
        way_up = ranking_text.way_up(games, rivals, losses, room // 2) if alone else ""
        further = (rests, ranking_text.rivals(games, rivals, room - len(way_up) - 2), way_up, against)
        return Page(text, drawing or Drawing((), ()), "\n".join(filter(None, further)))

    async def _records(self, of: Asked, page: RecordsButton) -> Page:
        """The best results alone at a game."""
        game = challenges.solo_game(page.game)
        tables = await self._umpire.store.ask(Reader.bests, of.guild, game.key)
        in_turn = (one.user for line in zip_longest(*(table for _, table in tables)) for one in line if one)
        gone = await self._absent(of, in_turn)
        bests = [(options, here) for options, table in tables if (here := remaining(table, gone))]
        return Page(ranking_text.records(game, bests), empty=not bests)

    async def _absent(self, of: Asked, people: Iterable[UserId]) -> frozenset[UserId]:
        return await absent(self._members, of.guild, people, REPLY)

    def _expect_here(self, of: Asked, user: UserId, gone: Collection[UserId]) -> None:
        """Refuse what is asked about somebody who has left."""
        if user in gone:
            known = self._members.called(of.guild, user)
            raise Refusal(HAS_LEFT.format(who=person(user)) if known else THEY_LEFT)


def moved_up(standing: Standing, gone: Collection[UserId]) -> Standing:
    """A standing where some who were ahead have left."""
    return replace(standing, place=standing.place - len(gone)) if standing.place else standing


def met(reader: Reader, of: Asked, user: UserId, game: str) -> Met:
    """The asker's scores against somebody, at a game or at all, and their last matches. The links to those are for the
    asker alone: others may not see the channels."""
    if of.asker == user:
        return (), ()
    scores = [score for score in reader.scores(of.guild, of.asker, user) if game in ("", score.game)]
    return scores, reader.between(of.guild, of.asker, user, game) if scores and not of.shown else ()


def asked_by(interaction: Interaction, *, shown: bool) -> Asked:
    """How somebody asks for a page."""
    return Asked(guild_of(interaction), user_of(interaction), shown)


def own(interaction: Interaction, page: ListId, made: Page) -> ui.LayoutView:
    """A page as its asker alone sees it, with its buttons."""
    everybody = [] if made.empty or in_match_thread(interaction) else [views.Control(page, EVERYBODY)]
    controls = [*everybody, *([views.Control(*made.turn)] if made.turn else [])]
    return views.framed(views.ACCENTS[0], *made.items, *([views.row_of(*controls)] if controls else []))


def in_match_thread(interaction: Interaction) -> bool:
    """Whether this is a thread that was made for a match."""
    channel, us = interaction.channel, bot_of(interaction)
    return isinstance(channel, discord.Thread) and us is not None and channel.owner_id == us
