"""The weekly message."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import date
from functools import partial

import discord
from discord import ui

from bot.features.board import match_pictures
from bot.features.daily.loop import Poster
from bot.features.daily.service import SeriesPost
from bot.features.pads.pad_loop import Shown
from bot.features.ranking import words
from bot.features.ranking.words import convert_to_points
from bot.platform import ui as platform_ui
from bot.platform.edits import POST
from bot.platform.jobs import Rank
from bot.platform.members import fetch_departed
from bot.platform.ui import Drawing
from bot.play import league_tables, puzzles, week
from bot.play.calendars import Calendar
from bot.play.ids import GuildId, MatchId
from bot.play.loaded_match import LoadedMatch, MatchView, UnknownMatch
from bot.play.ratings import SETTLED_FROM, Rating
from bot.play.record import Move
from bot.play.week import Week
from data.store import Reader

# What happened in a server in the week before a Monday, in its own time zone.


WEEK = 7


def summarize_week(
    reader: Reader, guild: GuildId, monday: int, seen: Collection[int], scored: Collection[str],
    points: Callable[[Rating], int],
) -> Week:  # fmt: skip
    """The week before a Monday, an ordinal day, from what happened in channels that are `seen`, as if there were no
    others: streaks and ratings too are those of matches there. `scored` are the games whose scores decide, `points`
    converts a rating for display. Puzzles are in no channel."""
    calendar = Calendar(reader.load_settings(guild).zone)
    since, until = (calendar.compute_moment(date.fromordinal(day), 0) for day in (monday - WEEK, monday))
    finished = [(one, own) for one, own in reader.finished_between(guild, since, until) if one.channel in seen]
    own = [one for one, own in finished if own]
    ended = [one for one in own if not one.early]
    course = week.trace_ratings(reader.counted_in(guild, seen, until) if finished else (), since)
    before = {
        match: {user: points(one) for user, one in people.items() if one.played >= SETTLED_FROM}
        for match, people in course.before.items()
    }
    surprise = week.find_biggest_upset(ended, before)
    leagues = (*reader.list_leagues(guild, ("live",)), *reader.list_leagues(guild, ("finished",)))
    told = [one for one in leagues if one.channel in seen]
    loaded = [reader.load_league(one.id) for one in told if one.state == "live" or since <= (one.ended or 0) < until]
    closest, only = week.find_closest_match(ended, scored), week.find_only_match(ended or own)
    return Week(
        len(finished),
        closest,
        only,
        surprise and (next(one for one in ended if one.match == surprise[0]), surprise[1]),
        {user: wins for user, wins in course.wins.items() if user > 0},
        reader.solved_between(guild, monday - WEEK, monday),
        tuple(one for one in loaded if one),
        () if closest or only else week.list_match_winners(own),
    )


# The weekly message, on Mondays: what happened, with the board of the closest match or the only one.


class WeekPoster(Poster):
    """Posts the weekly message."""

    series = "week"

    async def compose(self, post: SeriesPost) -> Shown | None:
        """What happened in the week before; None where nothing did."""
        games, seen = self._umpire.games, self._channels.find_equally_visible(post.guild, post.channel)
        scored = frozenset(key for key, game in games.items() if game.scored)
        week = await self._store.for_long_work.ask(
            summarize_week, post.guild, post.day, seen, scored, convert_to_points
        )
        gone = await fetch_departed(self._members, post.guild, week.listed_users, POST)
        week = week.exclude_users(gone)
        if week.is_empty:
            return None
        lowest = frozenset(key for key, game in games.items() if game.lowest_wins)
        told = week.closest or week.only
        of_note = {one.match for one in (told, week.surprise and week.surprise[0]) if one}
        shown = dict[MatchId, LoadedMatch]()
        for match in of_note:
            with suppress(UnknownMatch):  # its game is removed or has changed
                shown[match] = await self._umpire.load_to_show(match)
        tables = {one: league_tables.build_tables(one, lowest) for one in week.leagues}
        text = words.describe_week(week, games, shown, tables, gone)
        board = shown.get(told.match) if told else None
        if board is None:
            text = f"{text}\n{words.LAST_PUZZLE}"
        drawing = await self._draw(post, board)
        head = ui.TextDisplay[ui.LayoutView](words.format_headline(post.day))
        items = (head, *platform_ui.make_galleries(drawing.pictures, ""), ui.TextDisplay[ui.LayoutView](text))
        return platform_ui.frame_view(platform_ui.ACCENTS[0], *items), drawing.make_files("")

    async def _draw(self, post: SeriesPost, match: LoadedMatch | None) -> Drawing:
        """The board of the match in the message, both if it has two legs, and none if nobody had moved; or that of
        Sunday's puzzle."""
        if match and not any(isinstance(line, Move) for line in match.begun_match.standing):
            return Drawing((), ())
        if match:
            sight = MatchView.of(match, None)
            drawing = await self._renderer.draw(sight.match.game, sight.position, Rank.IDLE)
            return drawing.pick_some([one.at for one in match_pictures.choose_shown(drawing.pictures)])
        puzzle = await self._renderer.run(partial(puzzles.find_puzzle_of_day, post.day - 1), Rank.IDLE)
        return (await self._renderer.draw(puzzle.game, puzzle.position, Rank.IDLE)).pick_one(1)

    def is_of(self, message: discord.Message, day: int) -> bool:
        """Whether a message of ours has the headline of a week."""
        said = platform_ui.list_contents([part.to_dict() for part in message.components])
        return words.format_headline(day) in said
