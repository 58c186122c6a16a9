"""The sentences of leaderboards, profiles and records alone. Pure text, no Discord.

What a reader compares stands first in every line, and the lines are ordered by it: the rating on a leaderboard, the
score among records. Where more than two can play, results are told by places: there a second place may be worth more
than a first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.client import texts
from bot.core.game import Game
from bot.core.ids import UserId
from bot.core.rows import RANKED_FROM, Best, Places, Standing
from bot.service.seated import together

MOST_LISTED, MOST_BESTS, MOST_UNPLACED = 20, 5, 10
BEGIN, POINT = 1500, 30
"""Where everybody begins, and what a point of the rating model is worth; docs/why.md says why."""
NUMBERS = ("no", "one", "two", "three", "four", "five")

FOOT = (
    f"-# Everybody begins at {BEGIN}. The rating is a careful estimate: it rises with good results, and with every "
    f"match that makes it surer. A place takes {NUMBERS[RANKED_FROM]} finished rated matches."
)
NOBODY = "Nobody has finished a rated match yet: /play begins one."


def leaderboard(game: Game | None, standings: Sequence[Standing], places: Mapping[UserId, Places]) -> str:
    """The strongest at one game, or over all games: those with a place by rating, then the others by name."""
    title = f"### Leaderboard: {game.title if game else 'all games'}"
    placed = [one for one in standings if one.place]
    if not standings:
        return texts.listed(title, [NOBODY])
    rows = [line(one, results(game, one, places.get(one.user, {}))) for one in placed[:MOST_LISTED]]
    others = unplaced([one for one in standings if not one.place])
    return texts.listed(title, rows, f"{others}\n{FOOT}".strip(), total=len(placed))


def line(standing: Standing, results: str) -> str:
    """Somebody's line: place, name, rating, results."""
    return f"**{texts.place_name(standing.place or 0)}** <@{standing.user}> · **{points(standing)}** · {results}"


def unplaced(standings: Sequence[Standing]) -> str:
    """Those who have played too few matches for a place, in no order of strength."""
    if not standings:
        return ""
    names = [f"<@{one.user}> ({matches(one.played)})" for one in standings[:MOST_UNPLACED]]
    left = len(standings) - len(names)
    return f"Without a place yet: {together([*names, *([f'{left} more'] if left else [])])}."


def points(standing: Standing) -> int:
    """The rating as it is shown."""
    return round(BEGIN + POINT * standing.value)


def results(game: Game | None, standing: Standing, places: Places) -> str:
    """How somebody's rated matches ended: "5 matches: 3 won, 2 lost", or where more than two can play, by places."""
    if game and game.seats[-1] == 2:
        kinds = {"won": standing.won, "drawn": standing.drawn, "lost": standing.lost}
        told = [f"{number} {word}" for word, number in kinds.items() if number]
    else:
        counts = places.get(game.key, {}) if game else added(places)
        told = [f"{texts.place_name(place)} {times(number)}" for place, number in sorted(counts.items())]
    return f"{matches(standing.played)}: {', '.join(told)}" if told else matches(standing.played)


def added(places: Places) -> Mapping[int, int]:
    """The places of all games together."""
    every = sorted({place for counts in places.values() for place in counts})
    return {place: sum(counts.get(place, 0) for counts in places.values()) for place in every}


def times(number: int) -> str:
    """How often, in words where there are some."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def matches(number: int) -> str:
    """A number of matches."""
    return "1 match" if number == 1 else f"{number} matches"


def profile(user: UserId, games: Mapping[str, Game], standings: Mapping[str, Standing], places: Places) -> str:
    """How somebody stands at every game they have played, and over all games first."""
    rows = [
        profile_line(games.get(key), standing, places)
        for key, standing in sorted(standings.items())
        if not key or key in games
    ]
    return texts.listed(f"### <@{user}>", rows or ["No finished rated match yet."], FOOT if rows else "")


def profile_line(game: Game | None, standing: Standing, places: Places) -> str:
    """One game of a profile, or all games together: place, rating, results."""
    place = texts.place_name(standing.place) if standing.place else "no place yet"
    title = game.title if game else "All games"
    return f"**{title}** · {place} · **{points(standing)}** · {results(game, standing, places)}"


def records(game: Game, tables: Sequence[tuple[Mapping[str, int | str], Sequence[Best]]]) -> str:
    """The best results of those who played a game alone, a table for each choice of options."""
    none = f"Nobody has finished {game.title} alone yet: /{game.key} challenge with seats 1 is such a match."
    return texts.listed(f"### Alone at {game.title}", [best_of(*table) for table in tables] or [none])


def best_of(options: Mapping[str, int | str], bests: Sequence[Best]) -> str:
    """The best results with some options: highest first, the earlier first."""
    title = ", ".join(f"{name} {value}" for name, value in options.items())
    rows = [
        f"{number}. **{texts.counted(best.score)}** · <@{best.user}>"
        for number, best in enumerate(bests[:MOST_BESTS], 1)
    ]
    return "\n".join([f"**{title}**", *rows])
