"""Words a league for people: sign-up, tables, the end. Pure text, no Discord."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bot.games.game import Game
from bot.games.wording import Plural, join_sentences, join_words
from bot.play import league_tables
from bot.play.clocks import Pace
from bot.play.ids import LeagueId, UserId
from bot.play.league_tables import DivisionTable, League, LoadedLeague, Pairing, TableRow, compute_points
from bot.play.loaded_match import mention_user
from rendering import charts
from rendering.shapes import Picture

BAG = "Mixed games"
WEEKS = "{number} weeks"
JOINED = Plural("**{number} person has joined:** {names}", "**{number} people have joined:** {names}")
NOBODY = "Nobody has joined yet."
TOO_FEW, CALLED_OFF = "Too few people joined, so it didn't start.", "It was called off."
OVER = {True: "It's over: [who won]({link})", False: "It's over: [how it ended]({link})"}
"""Above the tables, where a message in the same channel tells of the end: whether there is a winner."""
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
"""For members in second place with as many points as the first, by what decided."""
LEFT_WITH = {
    "more": Plural("{names} had {points} but left, so can't win.", "{names} had {points} each but left, so can't win."),
    "tied": Plural(
        "{names} had {points} too but left, so can't win.", "{names} had {points} too but left, so can't win."
    ),
    "unwon": Plural("{names} had {points}, but left.", "{names} had {points} each, but left."),
}
"""For members who left before the end: with more points than the winner, as many, or any where nobody won."""
FORMER = Plural("a former player", "{number} former players")
CLOSED = Plural("One match ended without a result.", "{number} matches ended without a result.")
MATCHES_OVER = Plural("{over} of 1 match is over.", "{over} of {number} matches are over.")
WAITING = Plural("One hasn't begun yet.", "{number} haven't begun yet.")
NO_WINNER = "Season {season} of the {game} league is over. No match was finished, so nobody won."
NONE_COUNTS = "Season {season} of the {game} league is over. None of its matches counts, so nobody won."
NONE_STAYED = "Season {season} of the {game} league is over. Nobody who stayed has a point, so nobody won."
NO_FIRST = {
    False: "Season {season} of the {game} league is over. Nobody won division 1, since none of its matches counts.",
    True: "Season {season} of the {game} league is over. "
    "Nobody won division 1, since nobody who stayed in it has a point.",
}
"""Where another division has a winner, by whether the first has matches that count."""
POINTS = Plural("{points} point from {matches}", "{points} points from {matches}")
POINTS_ALONE = Plural("{points} point", "{points} points")
MATCHES = Plural("{number} match", "{number} matches")
VOIDED = Plural(
    "One match wasn't finished in time and doesn't count.", "{number} matches weren't finished in time and don't count."
)
STRUCK = Plural(
    "{name} left before half of their matches were over, so their match against {rivals} doesn't count.",
    "{name} left before half of their matches were over, so their matches against {rivals} don't count.",
)
STRUCK_EARLY = "{name} left before any of their matches had begun."
LEFT = {"league": "left the league", "server": "left this server"}
OPENED = Plural("opened by {host} {day} · {number} person", "opened by {host} {day} · {number} people")
REJOIN = "Until it starts you can join again."
FOR_GOOD = "You can't come back, and you can't win any more. Your open matches go on."
WILL_STRIKE = "Fewer than half of your matches are over, so none of them will count."
WILL_STAY = "At least half of your matches are over, so your results stay."
LET_BACK = "Until it starts they can join again."
GOES = "They can't come back, and they can't win any more. Their open matches go on."
GOES_STRUCK = "Fewer than half of their matches are over, so none of them will count."
GOES_KEPT = "At least half of their matches are over, so their results stay."
OFF_FOR_GOOD, GO_ON = "You can't undo it.", "Its open matches go on."
RULES = (
    "-# You play everybody in your division once, with at most three of these matches open at a time. "
    "They are rated. A win is one point, a draw is half a point."
)
POINTS_OF = "-# Points out of finished matches:"
PLAYED = "-# Being played: {links}"
PLAYED_ON = Plural(
    "-# Being played, though it doesn't count any more: {links}",
    "-# Being played, though they don't count any more: {links}",
)
BEGINS = "{told}, the {league}, begins: you play {rivals}."
BEGUN = Plural(
    "{told}, your next match in the {league}, has begun: you play {rivals}.",
    "{told}, your next matches in the {league}, have begun: you play {rivals}.",
)
AGAINST, TABLE = "Against {rival}: {link}", "-# The table: {link}"
MOST_LINKS = 15
"""The number of links with which the tables fit into a message of 4,000 characters."""
ENOUGH = f"It needs at least {league_tables.FEWEST} people. With {league_tables.MOST + 1} or more there are divisions."


def format_game_title(league: League, games: Mapping[str, Game]) -> str:
    """The game of a league, or that it has many."""
    return games[league.games[0]].title if len(league.games) == 1 and league.games[0] in games else BAG


def format_league_name(league: League, games: Mapping[str, Game]) -> str:
    return f"{format_game_title(league, games)} league, season {league.season}"


def format_choices(leagues: Sequence[League], games: Mapping[str, Game]) -> dict[LeagueId, str]:
    """Leagues as suggestions: by their names and the days on which they were opened; where these agree, with the time,
    or with their ids."""
    days = {
        one.id: f"{format_league_name(one, games)} · opened {_format_opening_date(one, '%B {day}, %Y')}"
        for one in leagues
    }
    times = {
        one.id: f"{format_league_name(one, games)} · opened {_format_opening_date(one, '%B {day}, %Y at %H:%M UTC')}"
        for one in leagues
    }
    told = {one: days[one] if [*days.values()].count(days[one]) == 1 else times[one] for one in days}
    return {one: text if [*told.values()].count(text) == 1 else f"{text}, no. {one}" for one, text in told.items()}


def _format_opening_date(league: League, pattern: str) -> str:
    at = datetime.fromtimestamp(league.created, UTC)
    return at.strftime(pattern).format(day=at.day)


def format_leave_question(loaded: LoadedLeague, games: Mapping[str, Game], user: UserId) -> str:
    question = f"Leave the {format_league_name(loaded.league, games)}?"
    if loaded.league.state == "open":
        return _format_question(loaded, question, REJOIN)
    return _format_question(
        loaded, question, FOR_GOOD, WILL_STRIKE if league_tables.strikes_out(loaded, user) else WILL_STAY
    )


def format_remove_question(loaded: LoadedLeague, games: Mapping[str, Game], user: UserId) -> str:
    """The question before a member is removed from a league."""
    question = f"Take {mention_user(user)} out of the {format_league_name(loaded.league, games)}?"
    if loaded.league.state == "open":
        return _format_question(loaded, question, LET_BACK)
    return _format_question(
        loaded, question, GOES, GOES_STRUCK if league_tables.strikes_out(loaded, user) else GOES_KEPT
    )


def format_cancel_question(loaded: LoadedLeague, games: Mapping[str, Game]) -> str:
    """The question before a league is called off."""
    return _format_question(
        loaded,
        f"Call the {format_league_name(loaded.league, games)}, off?",
        join_sentences(OFF_FOR_GOOD, GO_ON if any(one.state == "live" for one in loaded.pairings) else ""),
    )


def describe_begun_matches(
    loaded: LoadedLeague, games: Mapping[str, Game], user: UserId, pairs: Sequence[Pairing]
) -> str:
    """The text about a member's matches that have begun, the first or others, and where they are."""
    rivals = {one: mention_user(one.guest if one.home == user else one.home) for one in pairs}
    known = any(one.match and user not in one.users_to_notify for one in loaded.pairings if one.has(user))
    words = {
        "told": mention_user(user),
        "league": format_league_name(loaded.league, games),
        "rivals": join_words([*rivals.values()]),
    }
    head = BEGUN.fill_in(len(rivals), **words) if known else BEGINS.format(**words)
    links = {one: f"https://discord.com/channels/{loaded.league.guild}/{one.place}" for one in rivals}
    lines = [AGAINST.format(rival=rival, link=links[one]) for one, rival in rivals.items()]
    return "\n".join([head, *lines, TABLE.format(link=format_link(loaded.league))])


def format_link(league: League) -> str:
    """A link to a league's message, or if there is none, to its channel."""
    channel = f"https://discord.com/channels/{league.guild}/{league.channel}"
    return f"{channel}/{league.message}" if league.message else channel


def _format_question(loaded: LoadedLeague, *told: str) -> str:
    """A question about a league, with what distinguishes it from others of its name."""
    league, number = loaded.league, sum(one.left_at is None for one in loaded.members)
    opened = OPENED.fill_in(number, host=mention_user(league.host), day=f"<t:{league.created}:f>")
    return f"{join_sentences(*told)}\n-# {opened} · {format_link(league)}"


def describe_terms(league: League) -> str:
    """How long a league lasts, and how much time there is for a move."""
    return f"{WEEKS.format(number=league.weeks)} · {Pace.parse(league.pace)} · rated"


def describe_sign_up(loaded: LoadedLeague, games: Mapping[str, Game], gone: Collection[UserId] = ()) -> str:
    """A league that users can join, or one that was never started. `gone` have left the server."""
    league = loaded.league
    head = f"### {format_league_name(league, games)}"
    if league.state == "cancelled":
        too_few = len(loaded.members) < league_tables.FEWEST and (league.ended or 0) >= league.starts
        return f"{head}\n{TOO_FEW if too_few else CALLED_OFF}"
    here = [one.user for one in loaded.members if one.user not in gone]
    joined = JOINED.fill_in(len(here), names=format_people(here)) if here else NOBODY
    start = f"It starts <t:{league.starts}:R>, or as soon as {mention_user(league.host)} starts it. {ENOUGH}"
    return "\n".join([head, f"-# {describe_terms(league)}", joined, start, RULES])


def format_heading(loaded: LoadedLeague, games: Mapping[str, Game], tables: Sequence[DivisionTable]) -> str:
    """The text above the tables of a league that is live or has ended."""
    league = loaded.league
    head = f"### {format_league_name(league, games)}"
    if league.state == "live":
        counting = league_tables.list_counting_pairings(loaded)
        over = sum(one.state != "live" for one in counting if one.match is not None)
        closed = sum(one.state == "aborted" for one in counting)
        waiting = len(league_tables.list_waiting_pairings(loaded))
        state = join_sentences(
            MATCHES_OVER.fill_in(len(counting), over=over),
            WAITING.fill_in(waiting) if waiting else "",
            CLOSED.fill_in(closed) if closed else "",
            f"It ends <t:{league.ends}:R>.",
        )
        return f"{head}\n{state}\n-# {describe_terms(league)}"
    if league.state == "cancelled":
        return f"{head}\n{CALLED_OFF}"
    if league.farewell:
        won = any(table.winners for table in tables)
        return f"{head}\n{OVER[won].format(link=format_link(replace(league, message=league.farewell)))}"
    return f"{head}\n{describe_winners(loaded, games, tables)}"


def describe_winners(loaded: LoadedLeague, games: Mapping[str, Game], tables: Sequence[DivisionTable]) -> str:
    """Who won a league, and what did not count."""
    season = {"season": loaded.league.season, "game": format_game_title(loaded.league, games)}
    first, *others = tables
    counted, won = [any(line.halves for line in table.lines) for table in tables], any(one.winners for one in tables)
    if first.winners:
        said = WINS.fill_in(
            len(first.winners), names=format_people(first.winners), **season, points=format_points(first.lines[0])
        )
    elif won:
        said = NO_FIRST[counted[0]].format(**season)
    else:
        over = any(one.state not in (None, "live") and not one.void for one in loaded.pairings)
        said = (NONE_STAYED if any(counted) else NONE_COUNTS if over else NO_WINNER).format(**season)
    left = describe_leavers(first) if won else [sentence for table in tables for sentence in describe_leavers(table)]
    told = [join_sentences(said, *left, describe_runner_up(first))]
    for table in others:
        if table.winners:
            wins = f"{format_people(table.winners)} won division {table.division} with {format_points(table.lines[0])}."
            told.append(join_sentences(wins, *describe_leavers(table)))
    struck = {user for table in tables for user in table.struck}
    told += [sentence for table in tables for sentence in describe_struck(loaded, table)]
    kept = [one for one in loaded.pairings if not {one.home, one.guest} & struck]
    void, closed = sum(one.void for one in kept), sum(one.state == "aborted" and not one.void for one in kept)
    told += [VOIDED.fill_in(void) if void else "", CLOSED.fill_in(closed) if closed else ""]
    return "\n".join(filter(None, told))


def describe_leavers(table: DivisionTable) -> list[str]:
    """Sentences about members of a division who left before its end, if they had as many points as its winner, or if
    nobody won."""
    by_points = defaultdict[int, list[UserId]](list)
    for line in table.leavers:
        by_points[line.halves].append(line.user)
    best = table.lines[0].halves if table.winners else None
    return [
        LEFT_WITH["unwon" if best is None else "tied" if had == best else "more"].fill_in(
            len(users), names=format_people(users), points=format_points_alone(had)
        )
        for had, users in by_points.items()
    ]


def describe_struck(loaded: LoadedLeague, table: DivisionTable) -> list[str]:
    """Sentences about members of a division who left too early for their matches to count: which these are."""
    told: list[str] = []
    for user in table.struck:
        begun = [one for one in loaded.pairings if one.has(user) and one.state in ("live", "finished")]
        rivals = format_people([league_tables.find_opponent(one, user) for one in begun])
        sentence = STRUCK.fill_in(len(begun), name=mention_user(user), rivals=rivals)
        told.append(sentence if begun else STRUCK_EARLY.format(name=mention_user(user)))
    return told


def describe_runner_up(table: DivisionTable) -> str:
    """Who came second behind a single winner, and what decided where the points did not; empty where none of them has a
    point."""
    first, second = table.lines[0], [line for line in table.lines if line.place == 2 and not line.left]
    if not second or not second[0].halves:
        return ""
    points = format_points_alone(second[0].halves)
    names = [line.user for line in second]
    if second[0].halves < first.halves:
        return SECOND.fill_in(len(names), names=format_people(names), points=points)
    decided = "berger" if second[0].berger < first.berger else "margin"
    return TIED[decided].fill_in(len(names), names=format_people(names), points=points)


def format_people(users: Sequence[UserId]) -> str:
    """Users in a sentence, those without a name by their number."""
    former = sum(user < 0 for user in users)
    return join_words(
        [*(mention_user(user) for user in users if user > 0), *([FORMER.fill_in(former)] if former else [])]
    )


def format_pair(pair: Pairing) -> str:
    """A pairing: "Ann – Dora"."""
    return f"{mention_user(pair.home)} – {mention_user(pair.guest)}"


def format_points(line: TableRow) -> str:
    """A member's points: "5½ points from 7 matches"."""
    matches = MATCHES.fill_in(line.match_count)
    return POINTS.fill_in(2 if line.halves != 2 else 1, points=format_halves(line.halves), matches=matches)


def format_points_alone(halves: int) -> str:
    """Points without their matches: "1 point", "½ points"."""
    return POINTS_ALONE.fill_in(2 if halves != 2 else 1, points=format_halves(halves))


def format_halves(number: int) -> str:
    """Halves of a point as people write them.

    >>> format_halves(0), format_halves(1), format_halves(11)
    ('0', '½', '5½')
    """
    whole, half = divmod(number, 2)
    return f"{whole or ''}½" if half else str(whole)


def describe_table(loaded: LoadedLeague, one: DivisionTable, divisions: int) -> str:
    """The lines of a division, by their numbers in its picture, and the links to the matches that are being played, by
    their players: numbers would read as a result."""
    rows = [f"**Division {one.division}**"] if divisions > 1 else []
    rows.append(POINTS_OF)
    for number, line in enumerate(one.lines, 1):
        left = [LEFT[line.left]] if line.left else []
        gained = f"{format_halves(line.halves)} of {line.match_count}"
        rows.append(" · ".join([f"**{number}** {mention_user(line.user)}", gained, *left]))
    rows += [f"-# {sentence}" for sentence in describe_struck(loaded, one)]
    live = [
        pair
        for pair in loaded.pairings
        if pair.state == "live" and pair.place and not pair.void and pair.division == one.division
    ]
    for is_counted in (True, False):
        links = [
            f"[{format_pair(pair)}](https://discord.com/channels/{loaded.league.guild}/{pair.place})"
            for pair in live[: MOST_LINKS // divisions]
            if is_counted is not bool({pair.home, pair.guest} & {*one.struck})
        ]
        joined = " · ".join(links)
        if links:
            played = PLAYED.format(links=joined) if is_counted else PLAYED_ON.fill_in(len(links), links=joined)
            rows.append(played)
    return "\n".join(rows)


def draw_crosstable(loaded: LoadedLeague, one: DivisionTable) -> Picture:
    """The crosstable of a division, with its winners marked when it has ended."""
    users = [line.user for line in one.lines]
    squares: dict[tuple[UserId, UserId], str] = {}
    for pairing in loaded.pairings:
        squares[pairing.home, pairing.guest] = _choose_sign(pairing, pairing.home)
        squares[pairing.guest, pairing.home] = _choose_sign(pairing, pairing.guest)
    rows = [
        charts.CrosstableRow(
            tuple(squares.get((line.user, rival), charts.NONE) for rival in users),
            f"{line.halves / 2:g}",
            f"{line.berger / 4:g}",
            loaded.league.state == "finished" and line.user in one.winners,
        )
        for line in one.lines
    ]
    said = join_sentences(
        *(f"Number {at} has {format_points_alone(line.halves)}." for at, line in enumerate(one.lines, 1))
    )
    told = join_sentences(f"The crosstable of division {one.division}.", said)
    return charts.draw_crosstable("league", told, rows)


def _choose_sign(pairing: Pairing, user: UserId) -> str:
    if pairing.is_counted:
        return (charts.LOST, charts.DRAWN, charts.WON)[compute_points(pairing, user)]
    return charts.LIVE if pairing.state == "live" and not pairing.void else charts.NONE
