"""Leaderboards, profiles, records and the week in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta

from bot.features.board import words as board_words
from bot.features.board.words import TO, format_number
from bot.features.leagues import words as leagues_words
from bot.features.leagues.words import format_people
from bot.games.game import Game
from bot.games.legs import LEGS, Legs
from bot.games.wording import Plural, join_sentences, join_words
from bot.platform.members import close_ranks
from bot.play import challenges
from bot.play.ids import MatchId, UserId
from bot.play.league_tables import DivisionTable, LoadedLeague
from bot.play.loaded_match import LoadedMatch, link_to, mention_user
from bot.play.ratings import (
    RANKED_FROM,
    SETTLED_FROM,
    BestResult,
    GameLosses,
    HeadToHead,
    LeaderboardRow,
    LevelAdvice,
    Rating,
    ResultAgainstComputer,
    find_first_second,
    find_next_season,
    name_of,
    span_of,
)
from bot.play.record import Move, Withdrawal
from bot.play.rows import MatchRow, RestPeriods
from bot.play.week import FinishedMatch, Week, WinStreak

# Writes leaderboards, profiles and records of solo matches. Pure text, no Discord.


MOST_LISTED, MOST_BESTS, MOST_UNPLACED = 20, 5, 10
BEGIN, POINT = 1500, 30
"""The first rating, and the worth of a point of the rating model; docs/why.md says why."""
NUMBERS = ("no", "one", "two", "three", "four", "five")

FOOT = (
    f"-# Ratings start low, at {BEGIN}, and settle as you play. You get a place after {NUMBERS[RANKED_FROM]} finished "
    "rated matches."
)
PROVISIONAL = f"-# Before {NUMBERS[SETTLED_FROM]} rated matches a rating is provisional, and each match moves it far."
SETTLED, UNSETTLED = "**{points}**", "**{points}**, provisional"
TOGETHER = (
    "-# All finished matches count here, rated or not. Of more than two players, the one of you who came out ahead won."
)
COMPUTER = "**Against the computer** (not rated; a level counts as beaten if you used no hints)"
WAY_UP = "**Your way up** (only you see this)"
SUITS = {
    2: "Level {level} suits you: you should win most of your matches against it.",
    1: "Level {level} suits you: you should win about half of your matches against it.",
    0: "Level {level} suits you best, though you should win only some of your matches against it.",
}
"""By the expected share of wins: the model is too rough for figures."""
SELDOM, OFTEN = 3, 7
"""The limits of wins in ten that are few, and most."""
NEXT = "Level {next_level} comes next."
LOST = "In reviewed matches you lost {loses}."
LOST_AND_NEXT = "In reviewed matches you lost {loses}. Level {next_level} would have lost {next_loses}."
LEAST_LOST = 0.05
"""Smaller losses are shown as none."""
NO_SEASON = "There is no such season. Seasons look like 2026 Q3; leave it out for all time."
AWAY = "-# {name} is away until {until}."
WEEKEND = "-# It's the weekend for {name}: clocks rest until {until}."
ONE_MATCH = "-# You'll see a rating chart here after your second rated match."
LATE = "-# The rating chart is still being drawn. Ask again in a moment."
MOST_MATCHES = 20_000
MANY_MATCHES = f"-# There is no rating chart, because this server has finished more than {MOST_MATCHES} matches."
"""The most matches of a server that are folded for a chart: a second's work."""
MATCHES = Plural("{number} match", "{number} matches")
NOBODY = "Nobody has finished a rated match yet. Use /play to start one."


def format_leaderboard(
    game: Game | None,
    standings: Sequence[LeaderboardRow],
    rated: tuple[int, int] | None = None,
    season: tuple[int, int] | None = None,
) -> str:
    """The strongest at one game, or over all games: users with a place by rating, then the others by name.

    `rated`: how many there are of either, where these are not all. `season`: which one this is, and the current time;
    None for all time.
    """
    name, which = game.title if game else "all games", [name_of(season[0])] if season else []
    title = " · ".join([f"### Leaderboard: {name}", *which])
    placed = [one for one in standings if one.place]
    span = describe_season(*season) if season else ""
    if not standings:
        return board_words.format_list(title, [describe_empty_season(*season) if season else NOBODY], span)
    rows = [format_line(one, describe_results(one)) for one in placed[:MOST_LISTED]]
    without = [one for one in standings if not one.place]
    total, left = rated or (len(placed), len(without))
    foot = "\n".join(
        line
        for line in (describe_unplaced(without, left), span, explain_provisional(placed[:MOST_LISTED]), FOOT)
        if line
    )
    return board_words.format_list(title, rows, foot, total=total)


def describe_season(season: int, now: int) -> str:
    """When a season ends or has ended; Discord shows that in each reader's own time."""
    end = find_first_second(find_next_season(season))
    if now >= end:
        return f"-# These are the rated matches that ended from {span_of(season)} (UTC)."
    return f"-# These are the rated matches that end from {span_of(season)} (UTC). It ends <t:{end}:D>."


def describe_empty_season(season: int, now: int) -> str:
    """The text of an empty leaderboard of a season."""
    if now >= find_first_second(find_next_season(season)):
        return f"Nobody finished a rated match in {name_of(season)}."
    return f"Nobody has finished a rated match in {name_of(season)} yet. Use /play to start one."


def format_line(standing: LeaderboardRow, results: str) -> str:
    """A user's line: place, name, rating, results."""
    place = board_words.format_place(standing.place or 0)
    return f"**{place}** <@{standing.user}> · {format_rating(standing)} · {results}"


def format_rating(standing: LeaderboardRow) -> str:
    """A user's rating in their line, marked while provisional."""
    return (SETTLED if standing.played >= SETTLED_FROM else UNSETTLED).format(points=convert_to_points(standing))


def explain_provisional(standings: Iterable[LeaderboardRow]) -> str:
    """What a provisional rating is, where some of those that are shown are provisional."""
    return PROVISIONAL if any(one.played < SETTLED_FROM for one in standings) else ""


def describe_unplaced(standings: Sequence[LeaderboardRow], number: int) -> str:
    """Some of the users who have played too few matches for a place, not by strength."""
    if not standings:
        return ""
    names = [f"<@{one.user}> ({format_match_count(one.played)})" for one in standings[:MOST_UNPLACED]]
    more = [f"{left} more"] if (left := number - len(names)) else []
    return f"No place yet: {join_words([*names, *more])}."


def convert_to_points(standing: LeaderboardRow | Rating) -> int:
    """A rating for display."""
    return round(BEGIN + POINT * standing.value)


def describe_results(standing: LeaderboardRow) -> str:
    """How a user's rated matches ended: "5 matches · 3 won · 2 lost". Where more than two have played, also how often
    they came behind the second: "3rd place once"."""
    told = format_counts({"won": standing.won, "drawn": standing.drawn, "lost": standing.lost})
    behind = [(place, number) for place, number in enumerate(standing.places, 1) if place > 2 and number]
    told += [f"{board_words.format_place(place)} place {format_times(number)}" for place, number in behind]
    played = format_match_count(standing.played)
    return " · ".join([played, *told])


def format_counts(kinds: Mapping[str, int]) -> list[str]:
    """The numbers that are not zero, with their words: "3 won", "1 lost"."""
    return [f"{board_words.format_number(number)} {word}" for word, number in kinds.items() if number]


def format_times(number: int) -> str:
    """How often, in words for one and two."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def format_match_count(number: int) -> str:
    return MATCHES.fill_in(number)


def format_profile(
    user: UserId,
    games: Mapping[str, Game],
    standings: Mapping[str, LeaderboardRow],
    game: Game | None = None,
    remark: str = "",
    own: bool = False,
) -> str:
    """A profile: a user's standing over all games, then at each; or at one game. The user's `own` says how to begin."""
    shown = {
        key: standing
        for key, standing in sorted(standings.items())
        if (key == game.key if game else not key or key in games)
    }
    rows = [format_profile_line(games.get(key), standing) for key, standing in shown.items()]
    none = (
        f"No finished rated match of {game.title} yet."
        if game
        else "No finished rated match yet. Use /play to start one."
        if own
        else "No finished rated match yet."
    )
    told = standings.get(game.key if game else "")
    foot = "\n".join(
        line
        for line in (describe_runs(told) if told else "", remark, explain_provisional(shown.values()), FOOT)
        if line
    )
    return board_words.format_list(f"### <@{user}>", rows or [none], foot if rows else "")


def describe_rest(user: UserId, rest: RestPeriods) -> str:
    """Until when a user is away or has their weekend; empty where their clocks run."""
    if rest.away:
        return AWAY.format(name=mention_user(user), until=f"<t:{rest.away}:D>")
    return WEEKEND.format(name=mention_user(user), until=f"<t:{rest.weekend}:f>") if rest.weekend else ""


def describe_runs(standing: LeaderboardRow) -> str:
    """The current and the longest streak of wins."""
    if not standing.streak:
        return f"Winning streak: none, best **{standing.longest}**." if standing.longest else ""
    return f"Winning streak: **{standing.streak}**, best **{standing.longest}**."


def format_score_against(
    asker: UserId,
    user: UserId,
    games: Mapping[str, Game],
    scores: Sequence[HeadToHead],
    latest: Sequence[MatchRow] = (),
) -> str:
    """The score of two users against each other, over all games first, with links to their last matches."""
    won, drawn, lost = (sum(kinds) for kinds in zip(*((one.won, one.drawn, one.lost) for one in scores), strict=True))
    each = [f"**{games[score.game].title}** · {format_score(score)}" for score in scores if score.game in games]
    head = f"**<@{asker}> against <@{user}>** · {format_score(HeadToHead('', won, drawn, lost))}"
    rows = [format_encounter(asker, user, games, row) for row in latest if row.game in games]
    return board_words.format_list(head, [*rows, *(each if len(scores) > 1 else [])], TOGETHER)


def format_computer_results(games: Mapping[str, Game], results: Sequence[ResultAgainstComputer], most: int) -> str:
    """A user's results against the computer, for as many games as fit: the highest level that they have beaten without
    hints, and the matches at each level."""
    keys = sorted({one.game for one in results} & {*games})
    lines = [format_computer_result(games[key], [one for one in results if one.game == key]) for key in keys]
    return fit_lines([COMPUTER, *lines], most)


def fit_lines(lines: Sequence[str], most: int) -> str:
    """A heading and as many lines below it as fit; empty where none does."""
    texts = ("\n".join(lines[:shown]) for shown in range(len(lines), 1, -1))
    return next((text for text in texts if len(text) <= most), "")


def format_way_up(
    games: Mapping[str, Game], results: Sequence[ResultAgainstComputer], losses: Mapping[str, GameLosses], most: int
) -> str:
    """Which level of the computer suits a user at each game, and how they would do against the next one."""
    keys = sorted({*losses, *(one.game for one in results)} & {*games})
    told = [
        (games[key], advice)
        for key in keys
        if (advice := challenges.advise_usual_level(games[key], results, losses.get(key)))
    ]
    lines = [
        f"**{game.title}** · {join_sentences(describe_suitable_level(advice), describe_losses(advice))}"
        for game, advice in told
    ]
    return fit_lines([WAY_UP, *lines], most)


def describe_suitable_level(advice: LevelAdvice, further: bool = True) -> str:
    """The sentence that names the level that suits a user, and perhaps the next one."""
    often = (advice.wins > SELDOM) + (advice.wins >= OFTEN)
    told = f"{SUITS[often]} {NEXT}" if further and advice.next_level else SUITS[often]
    return told.format(level=advice.level, next_level=advice.next_level)


def describe_losses(advice: LevelAdvice) -> str:
    """The sentence about the points that a user loses a move, and that the next level would have lost; empty where that
    is unknown."""
    if advice.loses is None:
        return ""
    mine = f"{advice.loses:.1f} points a move" if advice.loses >= LEAST_LOST else "no points"
    if advice.next_loses is None:
        return LOST.format(loses=mine)
    theirs = f"about {advice.next_loses:.1f} a move" if advice.next_loses >= LEAST_LOST else "none"
    return LOST_AND_NEXT.format(loses=mine, next_level=advice.next_level, next_loses=theirs)


def format_computer_result(game: Game, results: Sequence[ResultAgainstComputer]) -> str:
    """One game against the computer: "**Plexus** · level 2 beaten · level 1: 3 won · level 2: 1 won and 4 lost"."""
    best = max((one.level for one in results if one.unaided), default=None)
    beaten = f"**level {best} beaten**" if best else "not beaten yet"
    each = [
        f"level {one.level}: {format_score(HeadToHead('', one.won, one.drawn, one.lost))}"
        for one in sorted(results, key=lambda one: one.level)
    ]
    return " · ".join([f"**{game.title}**", beaten, *each])


def format_score(score: HeadToHead) -> str:
    """How many matches were won, drawn and lost."""
    return join_words(format_counts({"won": score.won, "drawn": score.drawn, "lost": score.lost}))


CAME: Mapping[str, str] = {
    "won": "-# won {when}: [match {match} of {game}]({link})",
    "lost": "-# lost {when}: [match {match} of {game}]({link})",
    "drawn": "-# drawn {when}: [match {match} of {game}]({link})",
}


def format_encounter(asker: UserId, user: UserId, games: Mapping[str, Game], row: MatchRow) -> str:
    """A match of two users in a line, as the first of them sees it."""
    ranks = [player.rank or 0 for who in (asker, user) if (player := row.find_player(who))]
    came = "won" if ranks[0] < ranks[-1] else "lost" if ranks[0] > ranks[-1] else "drawn"
    return CAME[came].format(when=f"<t:{row.ended}:d>", match=row.id, game=games[row.game].title, link=link_to(row))


def explain_missing_chart(standing: LeaderboardRow | None, many: bool, late: bool) -> str:
    """Why a profile has no chart; empty where it should have one, or nothing was rated yet."""
    if standing is None:
        return ""
    return LATE if late else MANY_MATCHES if many else ONE_MATCH if standing.played == 1 else ""


def format_profile_line(game: Game | None, standing: LeaderboardRow) -> str:
    """One game of a profile, or all games together: place, rating, results."""
    place = f" · {board_words.format_place(standing.place)}" if standing.place else ""
    title = game.title if game else "All games"
    return f"**{title}**{place} · rating {format_rating(standing)} · {describe_results(standing)}"


def format_records(game: Game, tables: Sequence[tuple[Mapping[str, int | str], Sequence[BestResult]]]) -> str:
    """The best solo results at a game, a table for each choice of options."""
    none = f"Nobody has finished {game.title} alone yet. To try it, use /{game.key} challenge with seats set to 1."
    return board_words.format_list(f"### Alone at {game.title}", [format_best(*table) for table in tables] or [none])


def format_best(options: Mapping[str, int | str], bests: Sequence[BestResult]) -> str:
    """The best results with some options: highest first, of equals the earlier first."""
    title = " · ".join(f"{name} {value}" for name, value in options.items())
    rows = [
        f"{number}. **{board_words.format_number(best.score)}** · <@{best.user}>"
        for number, best in enumerate(bests[:MOST_BESTS], 1)
    ]
    return "\n".join([f"**{title}**", *rows])


# Words the week for a server's channel: how many matches, the closest, a streak, a surprise, puzzles, leagues.


MATCHES_FINISHED = Plural("{number} match was finished.", "{number} matches were finished.")
CLOSEST = "**Closest:** {result}"
THE_WINNERS = {
    True: Plural("The winner was {names}.", "The winners were {names}."),
    False: Plural("Among the winners was {names}.", "Among the winners were {names}."),
}
"""Where no match is named, by whether all fit."""
RESULTS = {
    (False, False): "{winner} beat {loser} {scores} at {game}.",
    (False, True): "{winner} beat {loser} {scores} at {game}, over two legs: {first} and {second}.",
    (True, False): "{winner} and {loser} drew {scores} at {game}.",
    (True, True): "{winner} and {loser} drew {scores} at {game}, over two legs: {first} and {second}.",
}
"""By whether it was a draw, and whether it was played in two legs."""
SCORELESS = {False: "{winner} beat {loser} at {game}.", True: "{winner} and {loser} drew at {game}."}
LOWER, EARLY = "The lower score wins.", "It ended early."
AGREED = {
    True: "{winner} and {loser} agreed to a draw at {game}.",
    False: "{winner} and {loser} agreed to a draw at {game} before anybody had moved.",
}
RESIGNED = {
    True: "{winner} won at {game}: {loser} resigned.",
    False: "{winner} won at {game}: {loser} resigned before anybody had moved.",
}
WAS_LATE = {
    True: "{winner} won at {game}: {loser} ran out of time.",
    False: "{winner} won at {game}: {loser} ran out of time before anybody had moved.",
}
HAS_LEFT = {
    True: "{winner} won at {game}: {loser} left this server.",
    False: "{winner} won at {game}: {loser} left this server before anybody had moved.",
}
"""How a match ended early, by whether a move had been made."""
SURPRISE = "**Surprise:** {winner} beat {loser} at {game}, though rated {number} points lower."
IN_A_ROW = Plural(
    "**Winning streak:** {names} won {wins} rated matches in a row.",
    "**Winning streak:** {names} each won {wins} rated matches in a row.",
)
SOLVED = {
    True: Plural(
        "**Daily puzzle:** {names} did best: {puzzles} puzzles solved in {tries} tries.",
        "**Daily puzzle:** {names} did best, each with {puzzles} puzzles solved in {tries} tries.",
    ),
    False: Plural(
        "**Daily puzzle:** {names} solved {puzzles} puzzles in {tries} tries.",
        "**Daily puzzle:** {names} each solved {puzzles} puzzles in {tries} tries.",
    ),
}
"""Who solved most, by whether another user solved less."""
SOLVED_ONE = {
    True: Plural(
        "**Daily puzzle:** {names} did best: one puzzle solved, at the {nth} try.",
        "**Daily puzzle:** {names} did best, each with one puzzle solved, at the {nth} try.",
    ),
    False: Plural(
        "**Daily puzzle:** {names} solved one puzzle, at the {nth} try.",
        "**Daily puzzle:** {names} each solved one puzzle, at the {nth} try.",
    ),
}
"""The same where that is a single puzzle."""
NTH = {1: "first", 2: "second", 3: "third"}
SO_FAR = "**{league}, after {matches}:** {places}"
OF_DIVISION = "**{league}, division {division}, after {matches}:** {places}"
PLACE = "**{place}** {name}, {points}"
LAST_PUZZLE = "-# The board shows Sunday's daily puzzle."
LEADERS, MOST_NAMED = 3, 10


def format_headline(monday: int) -> str:
    """The headline: "The week from 16 to 22 November"."""
    last = date.fromordinal(monday) - timedelta(days=1)
    first = last - timedelta(days=6)
    begin = f"{first.day} {first:%B}" if first.month != last.month else str(first.day)
    return f"### The week from {begin} to {last.day} {last:%B}"


def describe_week(
    week: Week,
    games: Mapping[str, Game],
    matches: Mapping[MatchId, LoadedMatch],
    tables: Mapping[LoadedLeague, tuple[DivisionTable, ...]],
    gone: Collection[UserId] = (),
) -> str:
    """What happened, a line each. `matches`: those that are named; `gone` have left the server."""
    lines = [MATCHES_FINISHED.fill_in(week.matches)] if week.matches else []
    if week.closest:
        lines.append(CLOSEST.format(result=describe_result(week.closest, games, matches)))
    elif week.only:
        lines.append(describe_result(week.only, games, matches))
    elif week.winners:
        told = THE_WINNERS[len(week.winners) <= MOST_NAMED]
        lines.append(told.fill_in(len(week.winners), names=format_people(week.winners[:MOST_NAMED])))
    if week.surprise:
        match, ahead = week.surprise
        lines.append(SURPRISE.format(number=ahead, **_collect_parts(match, games, matches)))
    lines += [describe_streak(week.streak)] if week.streak else []
    if week.champions:
        names = format_people([one.user for one in week.champions[:MOST_NAMED]])
        best = week.champions[0]
        told = (SOLVED_ONE if best.solved == 1 else SOLVED)[len(week.solvers) > len(week.champions)]
        parts = {"puzzles": best.solved, "tries": best.tries, "nth": NTH.get(best.tries)}
        lines.append(told.fill_in(len(week.champions), names=names, **parts))
    lines += [line for one, found in tables.items() if (line := describe_league(one, found, games, gone))]
    return "\n".join(lines)


def describe_result(match: FinishedMatch, games: Mapping[str, Game], matches: Mapping[MatchId, LoadedMatch]) -> str:
    """How a match ended, with the scores that decided; of two legs also with those of each, which its boards show."""
    one, other = match.people
    parts, scores = (
        _collect_parts(match, games, matches),
        [came.score for came in match.people if came.score is not None],
    )
    if match.early:
        return describe_early_end(match, matches.get(match.match), parts)
    if len(scores) != len(match.people) or match.game not in games or not games[match.game].scored:
        return SCORELESS[one.rank == other.rank].format(**parts)
    parts |= {"scores": _format_scores(scores)}
    shown = matches.get(match.match)
    legs = shown.begun_match.position if shown else None
    if isinstance(legs, Legs) and shown:
        seats = [(shown.seat_of(came.user) or 0) - 1 for came in match.people]
        first, second = (_format_scores([legs.scores_in(leg)[seat] for seat in seats]) for leg in LEGS)
        parts |= {"first": first, "second": second}
    said = RESULTS[one.rank == other.rank, "first" in parts].format(**parts)
    is_lower = one.rank < other.rank and match.game in games and games[match.game].lowest_wins
    return join_sentences(said, LOWER) if is_lower else said


def describe_early_end(match: FinishedMatch, shown: LoadedMatch | None, parts: Mapping[str, str]) -> str:
    """How a match ended before its last move; of one that can't be shown, that it did."""
    one, other = match.people
    if shown is None:
        return join_sentences(SCORELESS[one.rank == other.rank].format(**parts), EARLY)
    moved = any(isinstance(line, Move) for line in shown.begun_match.standing)
    if one.rank == other.rank:
        return AGREED[moved].format(**parts)
    out = [line.text for line in shown.begun_match.standing if isinstance(line, Withdrawal)]
    gone = any(player.user == other.user and player.gone for player in shown.players)
    return (RESIGNED if "resign" in out else HAS_LEFT if gone else WAS_LATE)[moved].format(**parts)


def _format_scores(scores: Sequence[int]) -> str:
    return TO.join(map(format_number, scores))


def describe_streak(found: WinStreak) -> str:
    return IN_A_ROW.fill_in(len(found.users), names=format_people(found.users), wins=found.wins)


def describe_league(
    loaded: LoadedLeague, tables: Sequence[DivisionTable], games: Mapping[str, Game], gone: Collection[UserId] = ()
) -> str:
    """Who won a league that has ended; of a live one the first places, or nothing before any match counts. Of a live
    one, members who have left have no place."""
    if loaded.league.state != "live":
        return leagues_words.describe_winners(loaded, games, tables)
    first = tables[0]
    over = sum(line.match_count for line in first.lines) // 2
    away = {*gone, *(line.user for line in first.lines if line.left)}
    lines = [line for line in close_ranks(first.lines, away) if line.place <= LEADERS and line.match_count][:MOST_NAMED]
    if not lines:
        return ""
    places = " · ".join(
        PLACE.format(
            place=board_words.format_place(line.place),
            name=mention_user(line.user),
            points=leagues_words.format_points_alone(line.halves),
        )
        for line in lines
    )
    parts = {
        "league": leagues_words.format_league_name(loaded.league, games),
        "matches": leagues_words.MATCHES.fill_in(over),
    }
    pattern = OF_DIVISION if len(tables) > 1 else SO_FAR
    return pattern.format(division=first.division, places=places, **parts)


def _collect_parts(
    match: FinishedMatch, games: Mapping[str, Game], matches: Mapping[MatchId, LoadedMatch]
) -> dict[str, str]:
    winner, loser = (mention_user(one.user) for one in match.people)
    title = games[match.game].title if match.game in games else match.game
    shown = matches.get(match.match)
    return {"winner": winner, "loser": loser, "game": f"[{title}]({shown.link})" if shown else title}
