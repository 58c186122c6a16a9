"""The message of the week, on Mondays: what happened, with the board of the closest match or the only one, or that of
the last puzzle.

It tells of nothing that happened where some of those who can see it cannot look.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import discord
from discord import ui

from bot.client.league import week_text
from bot.client.moves.trial_pad import Shown
from bot.client.people.remaining import absent
from bot.client.runtime.thread_pool import Rank
from bot.client.solving.poster import Poster
from bot.client.text import match_chart
from bot.client.text.ranking_text import points
from bot.client.views import views
from bot.client.views.naming import POST
from bot.client.views.views import Drawing
from bot.core.league import league_standings
from bot.core.match.loaded_match import LoadedMatch, Sight, UnknownMatch
from bot.core.puzzle import puzzles
from bot.core.values.ids import MatchId
from bot.service.daily.posting import Post
from bot.service.league import weekly


class WeekPoster(Poster):
    """Posts the week."""

    series = "week"

    async def composed(self, post: Post) -> Shown | None:
        """What happened in the week before; None where nothing did."""
        games, seen = self._umpire.games, self._channels.seen_with(post.guild, post.channel)
        scored = frozenset(key for key, game in games.items() if game.scored)
        week = await self._store.unhurried.ask(weekly.looked_back, post.guild, post.day, seen, scored, points)
        gone = await absent(self._members, post.guild, week.listed, POST)
        week = week.without(gone)
        if week.is_empty:
            return None
        lowest = frozenset(key for key, game in games.items() if game.lowest_wins)
        told = week.closest or week.only
        of_note = {one.match for one in (told, week.surprise and week.surprise[0]) if one}
        shown = dict[MatchId, LoadedMatch]()
        for match in of_note:
            with suppress(UnknownMatch):  # of a game that is not what it was
                shown[match] = await self._umpire.to_show(match)
        tables = {one: league_standings.tables(one, lowest) for one in week.leagues}
        text = week_text.told(week, games, shown, tables, gone)
        board = shown.get(told.match) if told else None
        if board is None:
            text = f"{text}\n{week_text.LAST_PUZZLE}"
        drawing = await self._drawn(post, board)
        head = ui.TextDisplay[ui.LayoutView](week_text.heading(post.day))
        items = (head, *views.galleries(drawing.pictures, ""), ui.TextDisplay[ui.LayoutView](text))
        return views.framed(views.ACCENTS[0], *items), drawing.files("")

    async def _drawn(self, post: Post, match: LoadedMatch | None) -> Drawing:
        """The board of the match that is told of, both where there are two legs; or that of Sunday's puzzle."""
        if match:
            sight = Sight.of(match, None)
            drawing = await self._renderer.draw(sight.match.game, sight.position, Rank.IDLE)
            return drawing.some(match_chart.shown_of([one.leg for one in drawing.pictures]))
        puzzle = await self._renderer.run(partial(puzzles.of_day, post.day - 1), Rank.IDLE)
        return (await self._renderer.draw(puzzle.game, puzzle.position, Rank.IDLE)).only(1)

    def is_of(self, message: discord.Message, day: int) -> bool:
        """Whether a message of ours has the headline of a week."""
        said = views.said([part.to_dict() for part in message.components])
        return week_text.heading(day) in said
