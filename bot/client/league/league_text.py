"""Words a league for people: sign-up, tables, the end. Pure text, no Discord."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bot.core.game.game import Game
from bot.core.league import draw
from bot.core.league.league_standings import Line, Table, gained
from bot.core.league.stored_league import League, Loaded, Pairing
from bot.core.match.clocks import Pace
from bot.core.match.loaded_match import person
from bot.core.values.ids import LeagueId, UserId
from bot.core.values.plural import Plural, sentences, together
from rendering import crosstable
from rendering.shapes import Picture

BAG = "Mixed games"
WEEKS = "{number} weeks"
JOINED = Plural("**{number} person has joined:** {names}", "**{number} people have joined:** {names}")
NOBODY = "Nobody has joined yet."
TOO_FEW, CALLED_OFF = "Too few people joined, so it didn't start.", "It was called off."
OVER = "It's over: [who won]({link})"
"""Above the tables, where a message in the same place tells it."""
WINS = Plural(
    "🏆 {names} wins season {season} of the {game} league with {points}.",
    "🏆 {names} share first place in season {season} of the {game} league with {points}.",
)
SECOND = Plural("{names} came second with {points}.", "{names} share second place with {points}.")
TIED = {
    "berger": Plural(
        "{names} has {points} too, but against weaker opponents.",
        "{names} have {points} too, but against weaker opponents.",
    ),
    "margin": Plural(
        "{names} has {points} too, but by a smaller margin.", "{names} have {points} too, but by a smaller margin."
    ),
}
"""Of those in the second place who have as many points as the first, by what decided."""
CLOSED = Plural("One match was closed without a result.", "{number} matches were closed without a result.")
NO_WINNER = "Season {season} of the {game} league is over. No match was finished, so nobody won."
NONE_COUNTS = "Season {season} of the {game} league is over. None of its matches counts, so nobody won."
NO_FIRST = "Season {season} of the {game} league is over. Nobody won division 1, since none of its matches counts."
POINTS = Plural("{points} point from {matches}", "{points} points from {matches}")
POINTS_ALONE = Plural("{points} point", "{points} points")
MATCHES = Plural("{number} match", "{number} matches")
VOIDED = Plural(
    "One match wasn't finished in time and doesn't count.", "{number} matches weren't finished in time and don't count."
)
STRUCK = Plural(
    "-# {names} left before half of the matches were over, so those results don't count.",
    "-# {names} left before half of their matches were over, so those results don't count.",
)
OPENED = Plural("opened by {host} {day} · {number} person", "opened by {host} {day} · {number} people")
REJOIN = "Until it starts you can join again."
FOR_GOOD = "You can't come back. Your open matches go on."
WILL_STRIKE = "Fewer than half of your matches are over, so those results won't count."
LET_BACK = "Until it starts they can join again."
GOES = "They can't come back. Their open matches go on."
GOES_STRUCK = "Fewer than half of their matches are over, so those results won't count."
OFF_FOR_GOOD = "You can't undo it. Its open matches go on."
RULES = (
    "-# You play everybody in your division once, with at most three of these matches open at a time. "
    "They are rated. A win is one point, a draw is half a point."
)
POINTS_OF = "-# Points of matches that are over:"
PLAYED = "-# Being played: {links}"
BEGINS = "{told}, the {league}, begins: you play {rivals}."
BEGUN = Plural(
    "{told}, your next match in the {league}, has begun: you play {rivals}.",
    "{told}, your next matches in the {league}, have begun: you play {rivals}.",
)
AGAINST, TABLE = "Against {rival}: {link}", "-# The table: {link}"
MOST_LINKS = 15
"""So many links leave room for the tables in a message of 4,000 characters."""
ENOUGH = f"It needs at least {draw.FEWEST} people. With {draw.MOST + 1} or more there are divisions."


def title(league: League, games: Mapping[str, Game]) -> str:
    """The game of a league, or that it has many."""
    return games[league.games[0]].title if len(league.games) == 1 and league.games[0] in games else BAG


def name(league: League, games: Mapping[str, Game]) -> str:
    """What a league is called."""
    return f"{title(league, games)} league, season {league.season}"


def choices(leagues: Sequence[League], games: Mapping[str, Game]) -> dict[LeagueId, str]:
    """Leagues as suggestions: by their names and the days on which they were opened; where these agree, with the time,
    or with their numbers."""
    days = {one.id: f"{name(one, games)} · opened {_opened(one, '%B {day}, %Y')}" for one in leagues}
    times = {one.id: f"{name(one, games)} · opened {_opened(one, '%B {day}, %Y at %H:%M UTC')}" for one in leagues}
    told = {one: days[one] if [*days.values()].count(days[one]) == 1 else times[one] for one in days}
    return {one: text if [*told.values()].count(text) == 1 else f"{text}, no. {one}" for one, text in told.items()}


def _opened(league: League, pattern: str) -> str:
    at = datetime.fromtimestamp(league.created, UTC)
    return at.strftime(pattern).format(day=at.day)


def leaving(loaded: Loaded, games: Mapping[str, Game], user: UserId) -> str:
    """The question before somebody leaves a league."""
    question = f"Leave the {name(loaded.league, games)}?"
    if loaded.league.state == "open":
        return _asked(loaded, question, REJOIN)
    return _asked(loaded, question, FOR_GOOD, *([WILL_STRIKE] if draw.strikes(loaded, user) else []))


def removing(loaded: Loaded, games: Mapping[str, Game], user: UserId) -> str:
    """The question before somebody is taken out of a league."""
    question = f"Take {person(user)} out of the {name(loaded.league, games)}?"
    if loaded.league.state == "open":
        return _asked(loaded, question, LET_BACK)
    return _asked(loaded, question, GOES, *([GOES_STRUCK] if draw.strikes(loaded, user) else []))


def cancelling(loaded: Loaded, games: Mapping[str, Game]) -> str:
    """The question before a league is called off."""
    return _asked(loaded, f"Call the {name(loaded.league, games)}, off?", OFF_FOR_GOOD)


def begun(loaded: Loaded, games: Mapping[str, Game], user: UserId, pairs: Sequence[Pairing]) -> str:
    """What somebody is told of their matches that have begun, the first or others, and where they are."""
    rivals = {one: person(one.guest if one.home == user else one.home) for one in pairs}
    known = any(one.match and user not in one.untold for one in loaded.pairings if one.has(user))
    words = {"told": person(user), "league": name(loaded.league, games), "rivals": together([*rivals.values()])}
    head = BEGUN.of(len(rivals), **words) if known else BEGINS.format(**words)
    links = {one: f"https://discord.com/channels/{loaded.league.guild}/{one.place}" for one in rivals}
    lines = [AGAINST.format(rival=rival, link=links[one]) for one, rival in rivals.items()]
    return "\n".join([head, *lines, TABLE.format(link=link(loaded.league))])


def link(league: League) -> str:
    """The way to a league's message, or where that is not there to its channel."""
    channel = f"https://discord.com/channels/{league.guild}/{league.channel}"
    return f"{channel}/{league.message}" if league.message else channel


def _asked(loaded: Loaded, *told: str) -> str:
    """A question about a league, with what tells it from others of its name."""
    league, number = loaded.league, sum(one.left_at is None for one in loaded.members)
    opened = OPENED.of(number, host=person(league.host), day=f"<t:{league.created}:f>")
    return f"{sentences(*told)}\n-# {opened} · {link(league)}"


def terms(league: League) -> str:
    """How long a league lasts, and how much time there is for a move."""
    return f"{WEEKS.format(number=league.weeks)} · {Pace.parse(league.pace)} · rated"


def sign_up(loaded: Loaded, games: Mapping[str, Game], gone: Collection[UserId] = ()) -> str:
    """A league that people can join, or one that came to nothing. `gone` have left the server."""
    league = loaded.league
    head = f"### {name(league, games)}"
    if league.state == "cancelled":
        too_few = len(loaded.members) < draw.FEWEST and (league.ended or 0) >= league.starts
        return f"{head}\n{TOO_FEW if too_few else CALLED_OFF}"
    here = [one.user for one in loaded.members if one.user not in gone]
    joined = JOINED.of(len(here), names=named(here)) if here else NOBODY
    start = f"It starts <t:{league.starts}:R>, or as soon as {person(league.host)} starts it. {ENOUGH}"
    return "\n".join([head, f"-# {terms(league)}", joined, start, RULES])


def heading(loaded: Loaded, games: Mapping[str, Game], tables: Sequence[Table]) -> str:
    """What stands above the tables of a league that goes on or is over."""
    league = loaded.league
    head = f"### {name(league, games)}"
    if league.state == "live":
        counting = draw.counting(loaded)
        over = sum(one.state != "live" for one in counting if one.match is not None)
        closed = sum(one.state == "aborted" for one in counting)
        progress = f"{over} of {len(counting)} matches are over."
        state = sentences(progress, CLOSED.of(closed) if closed else "", f"It ends <t:{league.ends}:R>.")
        return f"{head}\n{state}\n-# {terms(league)}"
    if league.state == "cancelled":
        return f"{head}\n{CALLED_OFF}"
    if league.farewell:
        return f"{head}\n{OVER.format(link=link(replace(league, message=league.farewell)))}"
    return f"{head}\n{won(loaded, games, tables)}"


def won(loaded: Loaded, games: Mapping[str, Game], tables: Sequence[Table]) -> str:
    """Who won a league, and what did not count."""
    winners = tables[0].winners if tables else ()
    season = {"season": loaded.league.season, "game": title(loaded.league, games)}
    if not any(table.winners for table in tables):
        over = any(one.state not in (None, "live") and not one.void for one in loaded.pairings)
        return (NONE_COUNTS if over else NO_WINNER).format(**season)
    told = [NO_FIRST.format(**season)]
    if winners:
        wins = WINS.of(len(winners), names=named(winners), **season, points=counted(tables[0].lines[0]))
        told = [sentences(wins, runner_up(tables[0]))]
    told += [
        f"{named(table.winners)} won division {table.division} with {counted(table.lines[0])}."
        for table in tables[1:]
        if table.winners
    ]
    void = sum(one.void for one in loaded.pairings)
    told += [VOIDED.of(void)] if void else []
    closed = sum(one.state == "aborted" and not one.void for one in loaded.pairings)
    told += [CLOSED.of(closed)] if closed else []
    return "\n".join(told)


def runner_up(table: Table) -> str:
    """Who came second behind a single winner, and what decided where the points did not; nothing where nobody of them
    has a point."""
    first, *further = table.lines
    second = [line for line in further if line.place == 2]
    if not second or not second[0].halves:
        return ""
    points = POINTS_ALONE.of(2 if second[0].halves != 2 else 1, points=halves(second[0].halves))
    names = [line.user for line in second]
    if second[0].halves < first.halves:
        return SECOND.of(len(names), names=named(names), points=points)
    decided = "berger" if second[0].berger < first.berger else "margin"
    return TIED[decided].of(len(names), names=named(names), points=points)


def named(users: Sequence[UserId]) -> str:
    """People in a sentence."""
    return together([person(user) for user in users])


def named_pair(pair: Pairing) -> str:
    """Who meets whom: "Ann – Dora"."""
    return f"{person(pair.home)} – {person(pair.guest)}"


def counted(line: Line) -> str:
    """Somebody's points: "5½ points from 7 matches"."""
    matches = MATCHES.of(line.played)
    return POINTS.of(2 if line.halves != 2 else 1, points=halves(line.halves), matches=matches)


def halves(number: int) -> str:
    """Halves of a point as people write them.

    >>> halves(0), halves(1), halves(11)
    ('0', '½', '5½')
    """
    whole, half = divmod(number, 2)
    return f"{whole or ''}½" if half else str(whole)


def table(loaded: Loaded, one: Table, divisions: int) -> str:
    """The lines of a division, by their numbers in its picture, and the ways to the matches that are being played, by
    who plays them: numbers would read as a result."""
    rows = [f"**Division {one.division}**"] if divisions > 1 else []
    rows.append(POINTS_OF)
    for number, line in enumerate(one.lines, 1):
        left = ["has left"] if line.left else []
        gained = f"{halves(line.halves)} of {line.played}"
        rows.append(" · ".join([f"**{number}** {person(line.user)}", gained, *left]))
    rows += [STRUCK.of(len(one.struck), names=named(one.struck))] if one.struck else []
    listed = {line.user for line in one.lines}
    links = [
        f"[{named_pair(pair)}](https://discord.com/channels/{loaded.league.guild}/{pair.place})"
        for pair in loaded.pairings
        if pair.state == "live" and pair.place and not pair.void and {pair.home, pair.guest} <= listed
    ]
    rows += [PLAYED.format(links=" · ".join(links[: MOST_LINKS // divisions]))] if links else []
    return "\n".join(rows)


def picture(loaded: Loaded, one: Table, winners: Collection[UserId]) -> Picture:
    """The crosstable of a division, in which those who won it are marked when it is over."""
    users = [line.user for line in one.lines]
    squares: dict[tuple[UserId, UserId], str] = {}
    for pairing in loaded.pairings:
        squares[pairing.home, pairing.guest] = _sign(pairing, pairing.home)
        squares[pairing.guest, pairing.home] = _sign(pairing, pairing.guest)
    rows = [
        crosstable.Row(
            tuple(squares.get((line.user, rival), crosstable.NONE) for rival in users),
            f"{line.halves / 2:g}",
            f"{line.berger / 4:g}",
            loaded.league.state == "finished" and line.user in winners,
        )
        for line in one.lines
    ]
    said = sentences(*(f"Number {at} has {row.points} points." for at, row in enumerate(rows, 1)))
    told = sentences(f"The crosstable of division {one.division}.", said)
    return crosstable.crosstable("league", told, rows)


def _sign(pairing: Pairing, user: UserId) -> str:
    if pairing.counts:
        return (crosstable.LOST, crosstable.DRAWN, crosstable.WON)[gained(pairing, user)]
    return crosstable.LIVE if pairing.state == "live" and not pairing.void else crosstable.NONE
