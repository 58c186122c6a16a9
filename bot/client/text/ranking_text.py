"""Writes leaderboards, profiles and records of matches alone. Pure text, no Discord.

What a reader compares stands first in every line, and the lines are ordered by it: the rating on a leaderboard, the
score among records. Results are won, drawn and lost; places behind the second are told beside them, which only matches
of more than two have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.client.text import match_text
from bot.core.game.game import Game
from bot.core.match.loaded_match import link_to, person
from bot.core.match.stored import MatchRow
from bot.core.match.stored_settings import Rest
from bot.core.rating.ratings import Rating
from bot.core.rating.right_level import Advice
from bot.core.rating.seasons import begins, following, name_of, span_of
from bot.core.rating.stored_standings import RANKED_FROM, SETTLED_FROM, Against, Best, Losses, Score, Standing
from bot.core.values.ids import UserId
from bot.core.values.plural import Plural, sentences, together
from bot.service.rules import computer_levels

MOST_LISTED, MOST_BESTS, MOST_UNPLACED = 20, 5, 10
BEGIN, POINT = 1500, 30
"""The first rating, and the worth of a point of the rating model; docs/why.md says why."""
NUMBERS = ("no", "one", "two", "three", "four", "five")

FOOT = (
    f"-# Everybody starts at {BEGIN}. The rating is a careful estimate: it rises with good results, and with more "
    f"matches. You get a place after {NUMBERS[RANKED_FROM]} finished rated matches."
)
PROVISIONAL = (
    f"-# Before {NUMBERS[SETTLED_FROM]} rated matches a rating is provisional: little is known yet, so each match "
    "moves it far, and after a first draw both have risen."
)
SETTLED, UNSETTLED = "**{points}**", "**{points}**, provisional"
TOGETHER = (
    "-# This counts all finished matches, rated or not. In a match of several, it's a win for the one of you who came "
    "out ahead."
)
COMPUTER = "**Against the computer** (not rated; a level counts as beaten if you used no hints)"
WAY_UP = "**Your way up** (only you see this)"
SUITS = {
    2: "Level {level} suits you: you should win most of your matches against it.",
    1: "Level {level} suits you: you should win about half of your matches against it.",
    0: "Level {level} suits you best, though you should win only some of your matches against it.",
}
"""By how often somebody should win: the model that says so is too rough for figures."""
SELDOM, OFTEN = 3, 7
"""So many wins of ten are few, and so many are most."""
NEXT = "Level {next_level} comes next."
LOST = "You lost {loses} where that could be computed."
LOST_AND_NEXT = "You lost {loses} where that could be computed; level {next_level} would have lost {next_loses}."
LEAST_LOST = 0.05
"""What is less is told as nothing."""
NO_SEASON = "There is no such season. Seasons look like 2026 Q3; leave it out for all time."
AWAY = "-# {name} is away until {until}."
WEEKEND = "-# It's the weekend for {name}: clocks rest until {until}."
ONE_MATCH = "-# You'll see a rating chart here after your second rated match."
LATE = "-# The rating chart is still being drawn. Ask again in a moment."
MOST_MATCHES = 20_000
MANY_MATCHES = f"-# There is no rating chart, because this server has finished more than {MOST_MATCHES} matches."
"""The most matches of a server that are folded for a picture: a second's work."""
MATCHES = Plural("{number} match", "{number} matches")
NOBODY = "Nobody has finished a rated match yet. Use /play to start one."


def leaderboard(
    game: Game | None,
    standings: Sequence[Standing],
    rated: tuple[int, int] | None = None,
    season: tuple[int, int] | None = None,
) -> str:
    """The strongest at one game, or over all games: people with a place by rating, then the others by name.

    `rated`: how many there are of either, where these are not all. `season`: which one this is, and what time it is;
    of all time without.
    """
    name, which = game.title if game else "all games", [name_of(season[0])] if season else []
    title = " · ".join([f"### Leaderboard: {name}", *which])
    placed = [one for one in standings if one.place]
    span = seasonal(*season) if season else ""
    if not standings:
        return match_text.listed(title, [nobody(*season) if season else NOBODY], span)
    rows = [line(one, results(one)) for one in placed[:MOST_LISTED]]
    without = [one for one in standings if not one.place]
    total, left = rated or (len(placed), len(without))
    foot = "\n".join(line for line in (unplaced(without, left), span, provisional(placed[:MOST_LISTED]), FOOT) if line)
    return match_text.listed(title, rows, foot, total=total)


def seasonal(season: int, now: int) -> str:
    """When a season ends or has ended; Discord shows that in each reader's own time."""
    end = begins(following(season))
    if now >= end:
        return f"-# These are the rated matches that ended from {span_of(season)} (UTC)."
    return f"-# These are the rated matches that end from {span_of(season)} (UTC). It ends <t:{end}:D>."


def nobody(season: int, now: int) -> str:
    """The text of an empty leaderboard of a season."""
    if now >= begins(following(season)):
        return f"Nobody finished a rated match in {name_of(season)}."
    return f"Nobody has finished a rated match in {name_of(season)} yet. Use /play to start one."


def line(standing: Standing, results: str) -> str:
    """Somebody's line: place, name, rating, results."""
    place = match_text.place_name(standing.place or 0)
    return f"**{place}** <@{standing.user}> · {rating(standing)} · {results}"


def rating(standing: Standing) -> str:
    """Somebody's rating in their line, and whether it says little yet."""
    return (SETTLED if standing.played >= SETTLED_FROM else UNSETTLED).format(points=points(standing))


def provisional(standings: Iterable[Standing]) -> str:
    """What it means that ratings are provisional, where some of those that are shown are."""
    return PROVISIONAL if any(one.played < SETTLED_FROM for one in standings) else ""


def unplaced(standings: Sequence[Standing], number: int) -> str:
    """Some of the people who have played too few matches for a place, not by strength."""
    if not standings:
        return ""
    names = [f"<@{one.user}> ({matches(one.played)})" for one in standings[:MOST_UNPLACED]]
    more = [f"{left} more"] if (left := number - len(names)) else []
    return f"No place yet: {together([*names, *more])}."


def points(standing: Standing | Rating) -> int:
    """A rating as it is shown."""
    return round(BEGIN + POINT * standing.value)


def results(standing: Standing) -> str:
    """How somebody's rated matches ended: "5 matches · 3 won · 2 lost". Where more than two have played, also how often
    they came out behind the second: "3rd place once"."""
    told = counts_of({"won": standing.won, "drawn": standing.drawn, "lost": standing.lost})
    behind = [(place, number) for place, number in enumerate(standing.places, 1) if place > 2 and number]
    told += [f"{match_text.place_name(place)} place {times(number)}" for place, number in behind]
    played = matches(standing.played)
    return " · ".join([played, *told])


def counts_of(kinds: Mapping[str, int]) -> list[str]:
    """The numbers that are not zero, with their words: "3 won", "1 lost"."""
    return [f"{match_text.counted(number)} {word}" for word, number in kinds.items() if number]


def times(number: int) -> str:
    """How often, in words for one and two."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def matches(number: int) -> str:
    """A number of matches."""
    return MATCHES.of(number)


def profile(
    user: UserId,
    games: Mapping[str, Game],
    standings: Mapping[str, Standing],
    game: Game | None = None,
    remark: str = "",
    own: bool = False,
) -> str:
    """A profile: somebody's standing over all games, then at each; or at one game. One's `own` says how to begin."""
    shown = {
        key: standing
        for key, standing in sorted(standings.items())
        if (key == game.key if game else not key or key in games)
    }
    rows = [profile_line(games.get(key), standing) for key, standing in shown.items()]
    none = (
        f"No finished rated match of {game.title} yet."
        if game
        else "No finished rated match yet. Use /play to start one."
        if own
        else "No finished rated match yet."
    )
    told = standings.get(game.key if game else "")
    foot = "\n".join(line for line in (runs(told) if told else "", remark, provisional(shown.values()), FOOT) if line)
    return match_text.listed(f"### <@{user}>", rows or [none], foot if rows else "")


def rests(user: UserId, rest: Rest) -> str:
    """Until when somebody is away or has their weekend; empty where their clocks run."""
    if rest.away:
        return AWAY.format(name=person(user), until=f"<t:{rest.away}:D>")
    return WEEKEND.format(name=person(user), until=f"<t:{rest.weekend}:f>") if rest.weekend else ""


def runs(standing: Standing) -> str:
    """The current and the longest streak of wins."""
    if not standing.streak:
        return f"Winning streak: none, best **{standing.longest}**." if standing.longest else ""
    return f"Winning streak: **{standing.streak}**, best **{standing.longest}**."


def against(
    asker: UserId,
    user: UserId,
    games: Mapping[str, Game],
    scores: Sequence[Score],
    latest: Sequence[MatchRow] = (),
) -> str:
    """The score of two people against each other, over all games first, with links to their last matches."""
    won, drawn, lost = (sum(kinds) for kinds in zip(*((one.won, one.drawn, one.lost) for one in scores), strict=True))
    each = [f"**{games[score.game].title}** · {score_of(score)}" for score in scores if score.game in games]
    head = f"**<@{asker}> against <@{user}>** · {score_of(Score('', won, drawn, lost))}"
    rows = [between(asker, user, games, row) for row in latest if row.game in games]
    return match_text.listed(head, [*rows, *(each if len(scores) > 1 else [])], TOGETHER)


def rivals(games: Mapping[str, Game], results: Sequence[Against], room: int) -> str:
    """Somebody's results against the computer, for as many games as there is room: the highest level that they have
    beaten without hints, and the matches at each level."""
    keys = sorted({one.game for one in results} & {*games})
    lines = [rival(games[key], [one for one in results if one.game == key]) for key in keys]
    return fitting([COMPUTER, *lines], room)


def fitting(lines: Sequence[str], room: int) -> str:
    """A heading and as many lines below it as there is room for; empty where that is none."""
    texts = ("\n".join(lines[:shown]) for shown in range(len(lines), 1, -1))
    return next((text for text in texts if len(text) <= room), "")


def way_up(games: Mapping[str, Game], results: Sequence[Against], losses: Mapping[str, Losses], room: int) -> str:
    """Which level of the computer suits somebody at each game, and how they would do against the next one."""
    keys = sorted({*losses, *(one.game for one in results)} & {*games})
    told = [
        (games[key], advice)
        for key in keys
        if (advice := computer_levels.suitable(games[key], results, losses.get(key)))
    ]
    lines = [f"**{game.title}** · {sentences(suits(advice), loses(advice))}" for game, advice in told]
    return fitting([WAY_UP, *lines], room)


def suits(advice: Advice, further: bool = True) -> str:
    """The sentence that names the level that suits somebody, and perhaps the next one."""
    often = (advice.wins > SELDOM) + (advice.wins >= OFTEN)
    told = f"{SUITS[often]} {NEXT}" if further and advice.next_level else SUITS[often]
    return told.format(level=advice.level, next_level=advice.next_level)


def loses(advice: Advice) -> str:
    """The sentence that says what somebody loses a move, and what the next level would have lost; empty where nothing
    is known of that."""
    if advice.loses is None:
        return ""
    mine = f"{advice.loses:.1f} points a move" if advice.loses >= LEAST_LOST else "no points"
    if advice.next_loses is None:
        return LOST.format(loses=mine)
    theirs = f"about {advice.next_loses:.1f} a move" if advice.next_loses >= LEAST_LOST else "none"
    return LOST_AND_NEXT.format(loses=mine, next_level=advice.next_level, next_loses=theirs)


def rival(game: Game, results: Sequence[Against]) -> str:
    """One game against the computer: "**Plexus** · level 2 beaten · level 1: 3 won · level 2: 1 won and 4 lost"."""
    best = max((one.level for one in results if one.unaided), default=None)
    beaten = f"**level {best} beaten**" if best else "not beaten yet"
    each = [
        f"level {one.level}: {score_of(Score('', one.won, one.drawn, one.lost))}"
        for one in sorted(results, key=lambda one: one.level)
    ]
    return " · ".join([f"**{game.title}**", beaten, *each])


def score_of(score: Score) -> str:
    """How many matches were won, drawn and lost."""
    return together(counts_of({"won": score.won, "drawn": score.drawn, "lost": score.lost}))


CAME: Mapping[str, str] = {
    "won": "-# won {when}: [match {match} of {game}]({link})",
    "lost": "-# lost {when}: [match {match} of {game}]({link})",
    "drawn": "-# drawn {when}: [match {match} of {game}]({link})",
}


def between(asker: UserId, user: UserId, games: Mapping[str, Game], row: MatchRow) -> str:
    """A match of two people's in a line, as the first of them sees it."""
    ranks = [player.rank or 0 for who in (asker, user) if (player := row.player(who))]
    came = "won" if ranks[0] < ranks[-1] else "lost" if ranks[0] > ranks[-1] else "drawn"
    return CAME[came].format(when=f"<t:{row.ended}:d>", match=row.id, game=games[row.game].title, link=link_to(row))


def remark(standing: Standing | None, many: bool, late: bool) -> str:
    """Why a profile has no picture; empty where it should have one, or nothing was rated yet."""
    if standing is None:
        return ""
    return LATE if late else MANY_MATCHES if many else ONE_MATCH if standing.played == 1 else ""


def profile_line(game: Game | None, standing: Standing) -> str:
    """One game of a profile, or all games together: place, rating, results."""
    place = f" · {match_text.place_name(standing.place)}" if standing.place else ""
    title = game.title if game else "All games"
    return f"**{title}**{place} · rating {rating(standing)} · {results(standing)}"


def records(game: Game, tables: Sequence[tuple[Mapping[str, int | str], Sequence[Best]]]) -> str:
    """The best results of those who played a game alone, a table for each choice of options."""
    none = f"Nobody has finished {game.title} alone yet. To try it, use /{game.key} challenge with seats set to 1."
    return match_text.listed(f"### Alone at {game.title}", [best_of(*table) for table in tables] or [none])


def best_of(options: Mapping[str, int | str], bests: Sequence[Best]) -> str:
    """The best results with some options: highest first, the earlier first."""
    title = " · ".join(f"{name} {value}" for name, value in options.items())
    rows = [
        f"{number}. **{match_text.counted(best.score)}** · <@{best.user}>"
        for number, best in enumerate(bests[:MOST_BESTS], 1)
    ]
    return "\n".join([f"**{title}**", *rows])
