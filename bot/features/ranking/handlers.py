"""Shows leaderboards, profiles and records, with the chart of a rating."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Annotated, Any, Literal, NamedTuple
from weakref import WeakValueDictionary

import discord
from discord import app_commands, ui

from bot.features.board.match_pictures import Renderer, paint_pictures
from bot.features.challenges import service as challenges_service
from bot.features.ranking import words
from bot.features.ranking.words import BEGIN, POINT
from bot.features.study.posts import EVERYBODY
from bot.features.time import preferences
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.custom_ids import SNOWFLAKE, CustomId, GameKey
from bot.platform.edits import REPLY
from bot.platform.interactions import (
    Interaction,
    bot_of,
    guild_of,
    is_outside,
    is_private,
    suggest_if_available,
    user_of,
)
from bot.platform.jobs import Rank
from bot.platform.members import MemberCache, close_ranks, exclude_departed, fetch_departed
from bot.platform.routes import on
from bot.platform.ui import Drawing
from bot.play import ratings
from bot.play.ids import GuildId, UserId, is_person
from bot.play.loaded_match import Refusal, mention_user
from bot.play.ratings import (
    ALL_TIME,
    Careers,
    GameLosses,
    HeadToHead,
    LeaderboardRow,
    RatingCareer,
    ResultAgainstComputer,
    ResultsMark,
    ResultsSince,
    name_of,
    season_of,
)
from bot.play.rows import MatchRow, RestPeriods
from bot.umpire.umpire import Umpire
from data.store import Reader
from rendering.charts import ChartLine, draw_chart
from rendering.shapes import Picture, group_digits

# Draws the chart of a profile: the course of a user's rating, at one game or over all.


Board = tuple[GuildId, str]
"""A server, and a game or all of them ("")."""
KEPT = 16
"""The number of leaderboards whose careers are kept; the largest take some megabytes each."""
WITHIN = 1.2
"""Seconds that a user waits for a chart; the answer is due soon after."""
FEWEST = 2
ALL = "Rating after each of {played} rated matches, {where}."
LAST = "Rating after the last {shown} of {played} rated matches, {where}."
"""The fewest matches with a chart."""


class CareerCache:
    """The careers on some leaderboards; requests for the same one take turns, so that nothing is folded twice."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer
        self.turns: WeakValueDictionary[Board, asyncio.Lock] = WeakValueDictionary()
        """The locks of leaderboards that are being requested."""
        self.folding: set[Board] = set()
        """The leaderboards that a thread folds, also after the request was cancelled."""
        self._kept: dict[Board, Careers] = {}

    def get_lock(self, board: Board) -> asyncio.Lock:
        """The lock to hold during a request for a leaderboard; it exists as long as it is held."""
        return self.turns.setdefault(board, asyncio.Lock())

    def get_mark(self, board: Board) -> ResultsMark | None:
        """How much of a leaderboard's matches is folded; None for nothing."""
        kept = self._kept.get(board)
        return kept.mark if kept else None

    async def draw_chart(
        self, board: Board, seen: ResultsMark | None, came: ResultsSince, user: UserId, where: str
    ) -> Drawing | None:
        """Fold the results since a leaderboard was `seen`, and paint a user's career; None where they have too few
        matches. `TimeoutError` where it takes too long for an answer."""
        async with asyncio.timeout(WITHIN):
            return await self.renderer.run(partial(self.fold_and_draw, board, seen, came, user, where), Rank.LOOK)

    def fold_and_draw(
        self, board: Board, seen: ResultsMark | None, came: ResultsSince, user: UserId, where: str
    ) -> Drawing | None:
        """The same in this thread, without a limit."""
        before = self._kept.get(board)
        if not came.whole and (before is None or before.mark != seen):
            return None  # an earlier request gave up waiting, and its result is there by now
        self.folding.add(board)
        try:
            kept = ratings.extend_careers(before, came)
            self._keep(board, kept)
        finally:
            self.folding.discard(board)
        career = kept.find_career(user)
        return paint_pictures([make_rating_chart(career, where)]) if career and career.played >= FEWEST else None

    def _keep(self, board: Board, kept: Careers) -> None:
        self._kept.pop(board, None)
        self._kept[board] = kept
        while len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))


def make_rating_chart(career: RatingCareer, where: str) -> Picture:
    """The chart of a rating over the last matches; from the first rating where these are all."""
    points = tuple(round(BEGIN + POINT * value) for value in career.values)
    whole = career.played == len(points)
    course = ChartLine((BEGIN, *points) if whole else points)
    first = 0 if whole else career.played - len(points) + 1
    told = ALL if whole else LAST
    after = told.format(shown=len(points), played=career.played, where=where)
    said = f"{after} {describe_highest(points, career.played)}"
    return draw_chart("rating", said, [course], [said], first=first, base=None)


def describe_highest(points: Sequence[int], played: int) -> str:
    """The rating now, and its highest."""
    best = max(points)
    match = played - len(points) + 1 + points.index(best)
    if points[-1] == best:
        return f"It is {group_digits(best)} now, higher than ever."
    return f"It is {group_digits(points[-1])} now, and was {group_digits(best)} at best, after match {match}."


# Shows leaderboards, profiles and records: in an ephemeral message, and in public on request.


MOST_TEXTS = 3900
"""The most characters of all texts of a message, with a margin (Discord's limit is 4000)."""
EVER = "All time"
MOST_READ, ASKED_FIRST = 100, 80
"""How many of the best are read, and as many of those without a place, since some may have left; and about how many of
the best Discord is asked before the others."""
HAS_LEFT, THEY_LEFT = "{who} has left this server.", "They have left this server."
LEADS_NOWHERE = "This button is out of date. Use the command again."


class BoardButton(CustomId, template="p:{page}:[{season}][-{game}]"):
    """Shows a leaderboard in public, of a season and a game, or turns to it from another one; 0 and "" are all."""

    page: Literal["leaderboard", "turned"]
    season: Annotated[int, "[1-9][0-9]{3}[1-4]"] = ALL_TIME
    game: GameKey = ""


class ProfileButton(CustomId, template="p:profile:{user}[-{game}]"):
    """Shows a user's standing in public, at a game or at all."""

    user: Annotated[UserId, SNOWFLAKE]
    game: GameKey = ""


class RecordsButton(CustomId, template="p:records:{game}"):
    """Shows the best solo results at a game in public."""

    game: GameKey


ListId = BoardButton | ProfileButton | RecordsButton
PRICES: Mapping[type[ListId], Price] = {
    BoardButton: Price(3, looks=True),
    ProfileButton: Price(4, looks=True),
    RecordsButton: Price(2, looks=True),
}
"""The same price as the command that shows it."""


class ListPage(NamedTuple):
    text: str
    drawing: Drawing = Drawing((), ())
    more: str = ""
    turn: tuple[BoardButton, str] | None = None
    """Another page that the user can turn to, and the label of its button."""
    empty: bool = False
    """Whether there is nothing to show."""

    @property
    def items(self) -> list[ui.Item[Any]]:
        """The texts and the pictures, as components of a message."""
        more = [ui.TextDisplay[Any](self.more)] if self.more else []
        return [ui.TextDisplay(self.text), *platform_ui.make_galleries(self.drawing.pictures, ""), *more]

    @property
    def files(self) -> edits.Files:
        """The pictures, as attachments."""
        return self.drawing.make_files("")


class PageRequest(NamedTuple):
    """The server in which a page is asked for, the user, and whether it will be public."""

    guild: GuildId
    asker: UserId
    shown: bool


Ahead = Mapping[str, Sequence[UserId]]
"""The users who are ahead of another at a game."""
Encounters = tuple[Sequence[HeadToHead], Sequence[MatchRow]]


class PagedLists:
    """Builds pages and shows them."""

    def __init__(self, umpire: Umpire, members: MemberCache, archive: CareerCache) -> None:
        self._umpire = umpire
        self._members = members
        self._archive = archive

    # --- requests

    async def show(self, interaction: Interaction, page: ListId) -> None:
        """Show a page in an ephemeral message, with a button that shows it in public."""
        made = await self._build_page(make_request(interaction, shown=False), page)
        view = build_own_view(interaction, page, made)
        await edits.answer_anew(interaction, view, made.files)

    async def _build_page(self, asked: PageRequest, page: ListId) -> ListPage:
        if isinstance(page, BoardButton):
            return await self._build_leaderboard(asked, page)
        return await (
            self._build_profile(asked, page) if isinstance(page, ProfileButton) else self._build_records(asked, page)
        )

    @on(BoardButton, ProfileButton, RecordsButton, words="leaderboard", price=lambda page: PRICES[type(page)])
    async def show_everybody(self, interaction: Interaction, page: ListId) -> None:
        """Show the page of a button in public."""
        if is_in_match_thread(interaction):
            raise Refusal(
                "Only you see this here, because it would push the board up. Ask in another channel to show everybody."
            )
        made = await self._build_page(make_request(interaction, shown=True), page)
        view = platform_ui.frame_view(platform_ui.ACCENTS[0], *made.items)
        await edits.answer_anew(interaction, view, made.files, ephemeral=False)

    @on(BoardButton, words="turned", price=Price(1, looks=True))
    async def turn_leaderboard(self, interaction: Interaction, page: BoardButton) -> None:
        """Show another leaderboard in place of this ephemeral one."""
        if not is_private(interaction):
            raise Refusal(LEADS_NOWHERE)
        page = replace(page, page="leaderboard")
        made = await self._build_leaderboard(make_request(interaction, shown=False), page)
        await edits.answer(interaction, build_own_view(interaction, page, made), made.files)

    def now(self) -> int:
        """In epoch seconds."""
        return self._umpire.clock()

    @suggest_if_available
    async def suggest_seasons(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest this season, earlier ones in which something was rated here, and all time."""
        now = season_of(self.now())
        rated = await self._umpire.store.ask(Reader.seasons, guild_of(interaction), platform_ui.MOST_CHOICES - 2)
        before = [name_of(season) for season in rated if season != now]
        named = {f"This season: {name_of(now)}": name_of(now), **{name: name for name in before}, EVER: EVER}
        typed = current.strip().lower()
        return [app_commands.Choice(name=name, value=value) for name, value in named.items() if typed in name.lower()]

    # --- pages

    async def _build_leaderboard(self, of: PageRequest, page: BoardButton) -> ListPage:
        """The leaderboard of a server, at a game or over all; of a season or of all time."""
        season, game = page.season, challenges_service.find_game(page.game) if page.game else None
        key = game.key if game else ""

        def read_page(reader: Reader) -> tuple[tuple[LeaderboardRow, ...], tuple[int, int]]:
            rows = reader.leaderboard(of.guild, key, MOST_READ, season)
            return rows, reader.count_rated(of.guild, key, season)

        now = self._umpire.clock()
        rows, (placed, others) = await self._umpire.store.ask(read_page)
        best, rest = [one.user for one in rows if one.place], [one.user for one in rows if not one.place]
        gone = await self._fetch_departed(of, [*best[:ASKED_FIRST], *rest, *best[ASKED_FIRST:]])
        total = placed - len(gone.intersection(best)), others - len(gone.intersection(rest))
        text = words.format_leaderboard(game, close_ranks(rows, gone), total, (season, now) if season else None)
        other = BoardButton("turned", ALL_TIME if season else season_of(now), key)
        return ListPage(text, turn=(other, "All time" if season else "This season"))

    async def _build_profile(self, of: PageRequest, page: ProfileButton) -> ListPage:
        """A user's standing at every game, or at one, and the course of their rating; and the asker's score against
        them."""
        guild, user, game = of.guild, page.user, challenges_service.find_game(page.game) if page.game else None
        if not is_person(user):
            raise Refusal(LEADS_NOWHERE)
        archive, board, drawing = self._archive, (guild, game.key if game else ""), None

        alone = of.asker == user and not of.shown

        def read_page(reader: Reader) -> tuple[
            Mapping[str, LeaderboardRow], Ahead, ResultsSince | None, Encounters, Sequence[ResultAgainstComputer],
            Mapping[str, GameLosses], RestPeriods,
        ]:  # fmt: skip
            stands = reader.profile(guild, user)
            placed = [key for key in stands if stands[key].place and (not game or key == game.key)]
            ahead = {key: reader.find_users_ahead(guild, user, key, MOST_READ) for key in placed}
            # A chart needs all matches of the server: they are read only for a user who has a rating.
            drawable = board[1] in stands and not late
            came = reader.find_results_since(*board, seen, words.MOST_MATCHES) if drawable else None
            rivals = [one for one in reader.load_results_against_computer(guild, user) if board[1] in ("", one.game)]
            losses = reader.load_losses_by_game(guild, user) if alone else {}
            own = {key: lost for key, lost in losses.items() if board[1] in ("", key)}
            rest = preferences.read_rest(reader, guild, user, self.now())
            return stands, ahead, came, load_encounters(reader, of, user, board[1]), rivals, own, rest

        async with archive.get_lock(board):
            seen, late = archive.get_mark(board), board in archive.folding
            stands, ahead, came, (scores, latest), rivals, losses, rest = await self._umpire.store.ask(read_page)
            many = came is None and not late
            if came:
                try:
                    drawing = await archive.draw_chart(board, seen, came, user, game.title if game else "all games")
                except TimeoutError:
                    late = True
        gone = await self._fetch_departed(of, [user, *(one for key in sorted(ahead) for one in ahead[key])])
        self._expect_here(of, user, gone)
        stands = {**stands, **{key: move_up(stands[key], gone.intersection(ahead[key])) for key in ahead}}
        games = self._umpire.games
        remark = words.explain_missing_chart(stands.get(board[1]), many, late)
        text = words.format_profile(user, games, stands, game, remark, own=alone)
        against = words.format_score_against(of.asker, user, games, scores, latest) if scores else ""
        rests = words.describe_rest(user, rest)
        space = MOST_TEXTS - len(text) - len(against) - len(rests)
        way_up = words.format_way_up(games, rivals, losses, space // 2) if alone else ""
        further = (rests, words.format_computer_results(games, rivals, space - len(way_up) - 2), way_up, against)
        return ListPage(text, drawing or Drawing((), ()), "\n".join(filter(None, further)))

    async def _build_records(self, of: PageRequest, page: RecordsButton) -> ListPage:
        """The best solo results at a game."""
        game = challenges_service.find_solo_game(page.game)
        tables = await self._umpire.store.ask(Reader.find_best_scores, of.guild, game.key)
        in_turn = (one.user for line in zip_longest(*(table for _, table in tables)) for one in line if one)
        gone = await self._fetch_departed(of, in_turn)
        bests = [(options, here) for options, table in tables if (here := exclude_departed(table, gone))]
        return ListPage(words.format_records(game, bests), empty=not bests)

    async def _fetch_departed(self, of: PageRequest, people: Iterable[UserId]) -> frozenset[UserId]:
        return await fetch_departed(self._members, of.guild, people, REPLY)

    def _expect_here(self, of: PageRequest, user: UserId, gone: Collection[UserId]) -> None:
        """Refuse a page about a user who has left."""
        if user in gone:
            known = self._members.get_called(of.guild, user)
            raise Refusal(HAS_LEFT.format(who=mention_user(user)) if known else THEY_LEFT)


def move_up(standing: LeaderboardRow, gone: Collection[UserId]) -> LeaderboardRow:
    """A standing without the departed users ahead of it."""
    return replace(standing, place=standing.place - len(gone)) if standing.place else standing


def load_encounters(reader: Reader, of: PageRequest, user: UserId, game: str) -> Encounters:
    """The asker's scores against a user, at a game or at all, and their last matches. Links to those are for the asker
    alone: others may not see the channels."""
    if of.asker == user:
        return (), ()
    scores = [score for score in reader.scores(of.guild, of.asker, user) if game in ("", score.game)]
    return scores, reader.find_matches_between(of.guild, of.asker, user, game) if scores and not of.shown else ()


def make_request(interaction: Interaction, *, shown: bool) -> PageRequest:
    return PageRequest(guild_of(interaction), user_of(interaction), shown)


def build_own_view(interaction: Interaction, page: ListId, made: ListPage) -> ui.LayoutView:
    """A page as an ephemeral message, with its buttons."""
    private = is_outside(interaction) or is_in_match_thread(interaction)
    everybody = [] if made.empty or private else [platform_ui.Control(page, EVERYBODY)]
    controls = [*everybody, *([platform_ui.Control(*made.turn)] if made.turn else [])]
    return platform_ui.frame_view(
        platform_ui.ACCENTS[0], *made.items, *([platform_ui.make_row(*controls)] if controls else [])
    )


def is_in_match_thread(interaction: Interaction) -> bool:
    """Whether this is a thread that was made for a match."""
    channel, us = interaction.channel, bot_of(interaction)
    return isinstance(channel, discord.Thread) and us is not None and channel.owner_id == us
