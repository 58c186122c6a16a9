"""Words the week for a server's channel: how many matches, the closest, a streak, a surprise, puzzles, leagues."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta

from bot.client.league import league_text
from bot.client.league.league_text import named
from bot.client.people.remaining import closed
from bot.client.text.match_text import TO, counted
from bot.core.game.game import Game
from bot.core.game.legs import LEGS, Legs
from bot.core.league.league_standings import Table
from bot.core.league.stored_league import Loaded
from bot.core.league.week import Finished, Streak, Week
from bot.core.match.loaded_match import LoadedMatch, person
from bot.core.values.ids import MatchId, UserId
from bot.core.values.plural import Plural, sentences

MATCHES = Plural("{number} match was finished.", "{number} matches were finished.")
CLOSEST = "**Closest:** {result}"
RESULTS = {
    (False, False): "{winner} beat {loser} {scores} at {game}.",
    (False, True): "{winner} beat {loser} {scores} at {game}, over two legs: {first} and {second}.",
    (True, False): "{winner} and {loser} drew {scores} at {game}.",
    (True, True): "{winner} and {loser} drew {scores} at {game}, over two legs: {first} and {second}.",
}
"""By whether it was a draw, and whether it was played in two legs."""
SCORELESS = {False: "{winner} beat {loser} at {game}.", True: "{winner} and {loser} drew at {game}."}
LOWER, EARLY = "The lower score wins.", "It ended before its last move."
SURPRISE = "**Surprise:** {winner} beat {loser} at {game}, who was rated {number} points higher before this match."
IN_A_ROW = Plural(
    "**Winning streak:** {names} won {wins} rated matches in a row.",
    "**Winning streak:** {names} each won {wins} rated matches in a row.",
)
SOLVED = {
    True: Plural(
        "**Daily puzzle:** {names} did best: {puzzles} in {tries}.",
        "**Daily puzzle:** {names} each did best: {puzzles} in {tries}.",
    ),
    False: Plural(
        "**Daily puzzle:** {names} solved {puzzles} in {tries}.",
        "**Daily puzzle:** {names} each solved {puzzles} in {tries}.",
    ),
}
"""Who solved most, by whether somebody solved less."""
PUZZLES, TRIES = Plural("{number} puzzle", "{number} puzzles"), Plural("{number} try", "{number} tries")
SO_FAR = "**{league}, after {matches}:** {places}"
OF_DIVISION = "**{league}, division {division}, after {matches}:** {places}"
LAST_PUZZLE = "-# The board is that of Sunday's daily puzzle."
LEADERS, MOST_NAMED = 3, 10


def heading(monday: int) -> str:
    """The headline: "The week from 16 to 22 November"."""
    last = date.fromordinal(monday) - timedelta(days=1)
    first = last - timedelta(days=6)
    begin = f"{first.day} {first:%B}" if first.month != last.month else str(first.day)
    return f"### The week from {begin} to {last.day} {last:%B}"


def told(
    week: Week,
    games: Mapping[str, Game],
    matches: Mapping[MatchId, LoadedMatch],
    tables: Mapping[Loaded, tuple[Table, ...]],
    gone: Collection[UserId] = (),
) -> str:
    """What happened, a line each. `matches`: those that it tells of; `gone` have left the server."""
    lines = [MATCHES.of(week.matches)] if week.matches else []
    if week.closest:
        lines.append(CLOSEST.format(result=result(week.closest, games, matches)))
    elif week.only:
        lines.append(result(week.only, games, matches))
    if week.surprise:
        match, ahead = week.surprise
        lines.append(SURPRISE.format(number=ahead, **_parts(match, games, matches)))
    lines += [streak(week.streak)] if week.streak else []
    if week.champions:
        names = named([one.user for one in week.champions[:MOST_NAMED]])
        best = week.champions[0]
        puzzles, tries = PUZZLES.of(best.solved), TRIES.of(best.tries)
        told = SOLVED[len(week.solvers) > len(week.champions)]
        lines.append(told.of(len(week.champions), names=names, puzzles=puzzles, tries=tries))
    lines += [line for one, found in tables.items() if (line := league(one, found, games, gone))]
    return "\n".join(lines)


def result(match: Finished, games: Mapping[str, Game], matches: Mapping[MatchId, LoadedMatch]) -> str:
    """How a match ended, with the scores that decided; of two legs also with those of each, which its boards show."""
    one, other = match.people
    parts, scores = _parts(match, games, matches), [came.score for came in match.people if came.score is not None]
    if match.early:
        return sentences(SCORELESS[one.rank == other.rank].format(**parts), EARLY)
    if len(scores) != len(match.people) or match.game not in games or not games[match.game].scored:
        return SCORELESS[one.rank == other.rank].format(**parts)
    parts |= {"scores": _scores(scores)}
    shown = matches.get(match.match)
    legs = shown.folded.position if shown else None
    if isinstance(legs, Legs) and shown:
        seats = [(shown.seat_of(came.user) or 0) - 1 for came in match.people]
        first, second = (_scores([legs.scores_in(leg)[seat] for seat in seats]) for leg in LEGS)
        parts |= {"first": first, "second": second}
    said = RESULTS[one.rank == other.rank, "first" in parts].format(**parts)
    is_lower = one.rank < other.rank and match.game in games and games[match.game].lowest_wins
    return sentences(said, LOWER) if is_lower else said


def _scores(scores: Sequence[int]) -> str:
    return TO.join(map(counted, scores))


def streak(found: Streak) -> str:
    """Who has won how many in a row."""
    return IN_A_ROW.of(len(found.users), names=named(found.users), wins=found.wins)


def league(loaded: Loaded, tables: Sequence[Table], games: Mapping[str, Game], gone: Collection[UserId] = ()) -> str:
    """Who won a league that is over; of one that goes on the first places, or nothing before any match counts. Who
    has left the server has no place, and has won what they have won."""
    if loaded.league.state != "live":
        return league_text.won(loaded, games, tables)
    first = tables[0]
    over = sum(line.played for line in first.lines) // 2
    lines = [line for line in closed(first.lines, gone) if line.place <= LEADERS and line.played][:MOST_NAMED]
    if not lines:
        return ""
    places = " · ".join(f"**{line.place}** {person(line.user)} {league_text.halves(line.halves)}" for line in lines)
    parts = {"league": league_text.name(loaded.league, games), "matches": league_text.MATCHES.of(over)}
    pattern = OF_DIVISION if len(tables) > 1 else SO_FAR
    return pattern.format(division=first.division, places=places, **parts)


def _parts(match: Finished, games: Mapping[str, Game], matches: Mapping[MatchId, LoadedMatch]) -> dict[str, str]:
    winner, loser = (person(one.user) for one in match.people)
    title = games[match.game].title if match.game in games else match.game
    shown = matches.get(match.match)
    return {"winner": winner, "loser": loser, "game": f"[{title}]({shown.link})" if shown else title}
