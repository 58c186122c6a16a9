"""Words the week for a server's channel: how many matches, the closest, a streak, a surprise, puzzles, leagues."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import takewhile

from bot.client.league import league_text
from bot.client.league.league_text import named
from bot.core.game.game import Game
from bot.core.league.league_standings import Table
from bot.core.league.stored_league import Loaded
from bot.core.league.week import Finished, Streak, Week
from bot.core.match.loaded_match import person
from bot.core.values.ids import MatchId
from bot.core.values.plural import Plural

MATCHES = Plural("{number} match was finished.", "{number} matches were finished.")
WON_BY = Plural(
    "**Closest:** {winner} beat {loser} by one point at {game}.",
    "**Closest:** {winner} beat {loser} by {number} points at {game}.",
)
DREW = "**Closest:** {winner} and {loser} drew at {game}."
SURPRISE = Plural(
    "**Surprise:** {winner} beat {loser} at {game}, who is rated one point higher.",
    "**Surprise:** {winner} beat {loser} at {game}, who is rated {number} points higher.",
)
IN_A_ROW = Plural(
    "**Winning streak:** {names} has won {wins} in a row.", "**Winning streak:** {names} have won {wins} in a row each."
)
SOLVED = Plural(
    "**Daily puzzle:** {names} solved {solved} of 7, in {tries} tries.",
    "**Daily puzzle:** {names} each solved {solved} of 7, in {tries} tries.",
)
NONE_COUNTS, NOBODY_WON = "no match counts yet", "it is over, and nobody won"
LEADERS, MOST_NAMED = 3, 10


def heading(monday: int) -> str:
    """The headline: "The week from 16 to 22 November"."""
    last = date.fromordinal(monday) - timedelta(days=1)
    first = last - timedelta(days=6)
    begin = f"{first.day} {first:%B}" if first.month != last.month else str(first.day)
    return f"### The week from {begin} to {last.day} {last:%B}"


def told(
    week: Week, games: Mapping[str, Game], links: Mapping[MatchId, str], tables: Mapping[Loaded, Table | None]
) -> str:
    """What happened, a line each."""
    lines = [MATCHES.of(week.matches)] if week.matches else []
    lines += [closest(week.closest, games, links)] if week.closest else []
    if week.surprise:
        match, ahead = week.surprise
        lines.append(SURPRISE.of(ahead, **_parts(match, games, links)))
    lines += [streak(week.streak)] if week.streak else []
    if week.champions:
        names = named([one.user for one in week.champions[:MOST_NAMED]])
        best = week.champions[0]
        lines.append(SOLVED.of(len(week.champions), names=names, solved=best.solved, tries=best.tries))
    lines += [league(one, table, games) for one, table in tables.items() if table]
    return "\n".join(lines)


def closest(match: Finished, games: Mapping[str, Game], links: Mapping[MatchId, str]) -> str:
    """The closest match."""
    first, second = (one.score or 0 for one in match.people)
    if first == second:
        return DREW.format(**_parts(match, games, links))
    return WON_BY.of(abs(first - second), **_parts(match, games, links))


def streak(found: Streak) -> str:
    """Who has won how many in a row."""
    return IN_A_ROW.of(len(found.users), names=named(found.users), wins=found.wins)


def league(loaded: Loaded, table: Table, games: Mapping[str, Game]) -> str:
    """The first places of a league."""
    best = takewhile(lambda line: line.played, table.lines[:LEADERS])
    places = [f"**{line.place}** {person(line.user)} {league_text.halves(line.halves)}" for line in best]
    none = NONE_COUNTS if loaded.league.state == "live" else NOBODY_WON
    return f"**{league_text.name(loaded.league, games)}:** {' · '.join(places) or none}"


def _parts(match: Finished, games: Mapping[str, Game], links: Mapping[MatchId, str]) -> dict[str, str]:
    winner, loser = (person(one.user) for one in match.people)
    title = games[match.game].title if match.game in games else match.game
    link = links.get(match.match)
    return {"winner": winner, "loser": loser, "game": f"[{title}]({link})" if link else title}
