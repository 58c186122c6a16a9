"""Checks of the schema, of matches and of leagues, for `integrity`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, cast, get_args
from zoneinfo import available_timezones

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Integer,
    Table,
    func,
    inspect,
    select,
    type_coerce,
)
from sqlalchemy.types import NullType

from bot.games.game import Game
from bot.games.legs import get_game_for_legs
from bot.games.options import BadOptions
from bot.games.position import MoveError
from bot.games.wording import Plural
from bot.play.columns import MOMENT, Form, Person, Signed
from bot.play.ids import is_computer
from bot.play.league_tables import LeagueState, LoadedLeague
from bot.play.loaded_match import Proposal, parse_refusals
from bot.play.match import Match
from bot.play.premoves import PremoveTree
from bot.play.record import parse_handovers
from bot.play.rows import MatchRecordRow, Player, Seating, State, holds_decliners
from data.store import Reader
from data.tables.rows import METADATA, ChosenOptions, Exact, OneOf, Seats, ServerOrNone, Zone
from data.tables.schema import leagues, matches, pairings
from data.upkeep.file_check import Progress, show_nothing

# The schema of a database, and every value against its column.


Items = Iterable[object]

EVERY = 1_000
"""Rows between two reports of progress."""
MORE = Plural("{table}: {column} is wrong in 1 more row", "{table}: {column} is wrong in {number} more rows")
TOLD = 5
"""The most rows that are reported for each column; there may be thousands."""
VALUES_SHOWN = 30
"""The most characters of a value that are shown."""
LATEST = 253_402_300_799
"""The end of the year 9999."""
NAMED = {
    "matches": "match {}",
    "players": "match {}, player {}",
    "moves": "match {}, ply {}",
    "deliveries": "delivery {}",
    "settings": "server {}",
    "preferences": "preferences of {}",
    "away": "absence in server {} of {} from {} on",
    "key_values": "note {}",
    "leagues": "league {}",
    "league_members": "league {}, member {}",
    "pairings": "league {}, pairing {}",
    "notices": "match {}, notice to {}",
    "ratings": "rating in server {} of {}, {}, player {}",
}
FOR_ALL: dict[tuple[str, object], str] = {("game", ""): "all games", ("season", 0): "all time"}
"""The values of keys that stand for all."""
SIZES = select(*(select(func.count()).select_from(kept).scalar_subquery() for kept in METADATA.sorted_tables))
ROWS = {
    kept: select(*(type_coerce(one, NullType()) for one in (*kept.primary_key, *kept.columns)))
    for kept in METADATA.sorted_tables
}
"""Selects of each table's rows, keys first, with raw values, not converted by the schema."""
HELPFUL = {"add_index": "the index {} is missing", "add_constraint": "the constraint {} is missing"}
"""Optional parts of the schema, by the migration operation that would add them."""


def find_missing(connection: Connection) -> list[str]:
    """The missing tables and columns, a line each."""
    tables = inspect(connection).get_multi_columns()
    there = {name: {one["name"] for one in columns} for (_, name), columns in tables.items()}
    lines: list[str] = []
    for kept in METADATA.sorted_tables:
        if (found := there.get(kept.name)) is None:
            lines.append(f"the table {kept.name} is missing")
        else:
            absent = [one.name for one in kept.columns if one.name not in found]
            lines += [f"the table {kept.name} has no column {name}" for name in absent]
    return lines


def find_misshapen(connection: Connection) -> list[str]:
    """The other differences from the program's schema, a line each; additions are ignored."""
    from alembic.autogenerate import compare_metadata  # here: the bot does not need it
    from alembic.migration import MigrationContext

    lines: list[str] = []
    steps: Any = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), METADATA)
    for step in steps:
        if isinstance(step, list):  # the changes of one column
            _, _, table, column, *_ = cast(list[Any], step)[0]
            lines.append(f"the column {column} of {table} has the wrong type")
        elif step[0] in HELPFUL:
            lines.append(HELPFUL[step[0]].format(step[1].name))
    return lines


def find_misplaced(connection: Connection, progress: Progress = show_nothing) -> Iterator[str]:
    """Values that do not fit their column, a line each."""
    for kept, size in zip(METADATA.sorted_tables, connection.execute(SIZES).one(), strict=True):
        found: dict[str, list[str]] = {each.name: [] for each in kept.columns}
        more: Counter[str] = Counter()
        for name, line in _find_odd_values(connection, kept, size, progress) if size else ():
            if len(found[name]) < TOLD:
                found[name].append(line)
            else:
                more[name] += 1
        for name, lines in found.items():
            yield from lines
            if more[name]:
                yield MORE.fill_in(more[name], table=kept.name, column=name)


def _find_odd_values(connection: Connection, kept: Table, size: int, progress: Progress) -> Iterator[tuple[str, str]]:
    """For each odd value its column and a line about it; the table, of `size` rows, is read once for all columns."""
    keys, columns = [*kept.primary_key], [*kept.columns]
    for done, row in enumerate(connection.execute(ROWS[kept])):
        if not done % EVERY:
            progress(f"rows of {kept.name}", done, size)
        for each, value in zip(columns, row[len(keys) :], strict=True):
            if why := find_fault(each, value):
                shown = "nothing" if value is None else repr(value)[:VALUES_SHOWN]
                yield each.name, f"{name_row(kept, row[: len(keys)])}: {each.name} is {shown}, {why}"


def name_row(kept: Table, key: Iterable[object]) -> str:
    """The name of a row, by its key."""
    parts = (FOR_ALL.get((each.name, part), part) for each, part in zip(kept.primary_key, key, strict=True))
    return NAMED.get(kept.name, f"{kept.name} {{}}").format(*parts)


def find_fault(each: Column[Any], value: object) -> str | None:
    """What is wrong with a value in a column, or None."""
    if value is None:
        return None if each.nullable else "but is required"
    for kind, fits, why in KINDS:
        if isinstance(each.type, kind):
            return None if fits(each, value) else why
    return None if isinstance(value, str) else "not a text"


def _is_whole(each: Column[Any], value: object) -> bool:
    if type(value) is not int:
        return False
    if each.info.get(Form) == MOMENT:
        return 0 <= value <= LATEST
    least = -(2**63) if each.info.keys() & {Person, Signed} else 0
    return least <= value < (2**63 if isinstance(each.type, BigInteger | ServerOrNone) else 2**31)


def _is_number_list(_each: Column[Any], value: object) -> bool:
    read: Any = _parse_json(value)
    return isinstance(read, list) and all(type(number) is int and 0 <= number < 2**63 for number in cast(Items, read))


def _is_options(_each: Column[Any], value: object) -> bool:
    read: Any = _parse_json(value)
    return isinstance(read, dict) and all(type(option) in (int, str) for option in cast(Items, read.values()))


def _parse_json(value: object) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None


def _is_decimal(_each: Column[Any], value: object) -> bool:
    return isinstance(value, str) and value.removeprefix("-").isdecimal() and value.isascii()


def _is_known(each: Column[Any], value: object) -> bool:
    return isinstance(each.type, OneOf) and value in each.type.known


def _is_zone(_each: Column[Any], value: object) -> bool:
    return value in _known_zones()


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())


KINDS: tuple[tuple[type, Callable[[Column[Any], object], bool], str], ...] = (
    (Seats, _is_number_list, "not a list of numbers"),
    (ChosenOptions, _is_options, "not a set of options"),
    (Exact, _is_decimal, "not a whole number"),
    (OneOf, _is_known, "not one of the allowed values"),
    (Zone, _is_zone, "not a time zone"),
    (ServerOrNone, _is_whole, "not an allowed number"),
    (Boolean, lambda _, value: value in (0, 1), "neither yes nor no"),
    (Integer, _is_whole, "not an allowed number"),
    (Double, lambda _, value: isinstance(value, float | int) and abs(value) < 1e9, "not an allowed number"),
)


# One match: contradictions in its row, and differences from the replay of its record.


SHOWN = Plural("1 ply was shown, but there are {there}", "{number} plies were shown, but there are {there}")
GIVEN = Plural("it goes on from 1 line, which it can't", "it goes on from {number} lines, which it can't")
PLIES = Plural("it is at version {version} after 1 ply", "it is at version {version} after {number} plies")
LEFT = Plural("has 1 second left, but runs out before", "has {number} seconds left, but runs out before")

BEGUN = ("live", "finished", "aborted")


def examine_match(connection: Connection, match: int, games: Mapping[str, Game]) -> tuple[list[str], bool]:
    """What is wrong with a match, and whether it could be replayed."""
    try:
        row = Reader(connection).load_match(match)
        if row is None:
            return [], False
        found = [*find_contradictions(row)]
        game = games.get(row.game)
        if game is None or game.version != row.game_version:
            return [*found, *explain_unplayable(row, game)], False
        return [*found, *find_differences(row, game)], True
    except Exception as fault:  # the other matches are still to be checked
        return [f"it can't be read ({fault})"], False


def find_contradictions(row: MatchRecordRow) -> Iterator[str]:
    """The contradictions within a stored match, which are faults in any game."""
    if row.state not in get_args(State):
        yield f"there is no such state: {row.state!r}"
    if row.seating not in get_args(Seating):
        yield f"there is no such seating: {row.seating!r}"
    if row.shown_version > row.version:
        yield f"version {row.shown_version} was shown, but it is at {row.version}"
    if row.told_version > row.version:
        yield f"of version {row.told_version} people were told, but it is at {row.version}"
    if row.shown_plies > row.plies:
        yield SHOWN.fill_in(row.shown_plies, there=row.plies)
    if not 0 <= row.imported_plies <= row.plies or (row.rated and row.imported_plies):
        yield GIVEN.fill_in(row.imported_plies)
    if row.version <= row.plies - row.imported_plies:
        yield PLIES.fill_in(row.plies, version=row.version)
    if len({player.joined for player in row.players if player.joined}) < len(row.players):
        yield "its players didn't join one after the other"
    for player in row.players:
        if player.mention_version > row.version:
            yield f"somebody is to be told of version {player.mention_version}, but it is at {row.version}"
    yield from _check_times(row)
    yield from _check_agreements(row)
    yield from _check_premoves(row)
    for player in row.players:
        yield from (f"the clock of seat {player.seat} {odd}" for odd in _check_clock(row, player))


def _check_agreements(row: MatchRecordRow) -> Iterator[str]:
    """Impossible proposals and requests, or ones that were not carried out."""
    try:
        if row.proposal is not None:
            Proposal.parse(row.proposal)
        if row.started is not None or not holds_decliners(row.refused):
            parse_refusals(row.refused)
    except ValueError:
        yield "what its players ask each other can't be read"
    try:
        handed = parse_handovers(row.substitutions)
    except ValueError:
        yield "who handed a seat on can't be read"
        return
    if handed and row.rated:
        yield "one of its seats was handed on, but it counts for ratings"


def _check_premoves(row: MatchRecordRow) -> Iterator[str]:
    """Lines that cannot have been premoves, and premoves of players who cannot have any."""
    if list(row.premove_plies) != sorted({*row.premove_plies}) or not all(
        1 < ply <= len(row.record) for ply in row.premove_plies
    ):
        yield f"lines {list(row.premove_plies)} of its record can't be prepared moves"
    for player in row.players:
        if player.prepared is not None and (row.state != "live" or row.seats != 2):
            yield f"seat {player.seat} has prepared moves, though nothing can be prepared"


def find_wrong_premoves(row: MatchRecordRow, match: Match) -> Iterator[str]:
    """Premoves that could not have been entered, or cannot be played any more."""
    for player in row.players:
        try:
            lines = PremoveTree.parse(player.prepared).lines
            for line in lines:
                after = match
                for move in line:
                    after = after.play(*move)
                if match.game.secret or line[0].seat == player.seat or line[-1].seat != player.seat:
                    yield f"seat {player.seat} can't have prepared {json.dumps(line)}"
        except (ValueError, MoveError) as fault:
            yield f"the prepared moves of seat {player.seat} are wrong: {fault}"


def _check_times(row: MatchRecordRow) -> Iterator[str]:
    over = row.state not in ("open", "live")
    if row.state == "open" and row.expires is None:
        yield "it is open but never expires"
    if row.state in ("live", "finished") and row.started is None:
        yield f"it is {row.state}, but never started"
    if over and row.ended is None:
        yield f"it is {row.state}, but never ended"
    if not over and row.ended is not None:
        yield f"it is {row.state}, but has ended"


def _check_clock(row: MatchRecordRow, player: Player) -> Iterator[str]:
    """Contradictions in a player's clock, at whatever time."""
    timed, runs = row.pace != "none" and player.seat is not None, player.deadline is not None
    if (player.seconds_left is None) != (player.allotted is None) or (player.seconds_left is not None and not timed):
        yield "is one that there cannot be"
    if is_computer(player.user) and player.seconds_left is not None:
        yield "is a computer's, which needs none"
    if row.state == "live" and timed and player.seconds_left is None and not is_computer(player.user):
        yield "is missing"
    if (player.since is None) == runs:
        yield "neither runs nor stands still"
    if runs and (row.state != "live" or row.paused is not None or player.seat not in row.turn):
        yield "runs, though it is not for them to move"
    if runs and (player.deadline or 0) < (player.since or 0) + (player.seconds_left or 0):
        yield LEFT.fill_in(player.seconds_left or 0)
    if player.forfeit_at is not None and (not runs or player.forfeit_at < (player.deadline or 0)):
        yield "is to be claimed, though it has not run out"
    waits = runs if timed else player.seat in row.turn
    if player.next_reminder_at is not None and (not waits or player.forfeit_at is not None):
        yield "does not run, but they are to be reminded"


def explain_unplayable(row: MatchRecordRow, game: Game | None) -> Iterator[str]:
    """Why a live match cannot continue; nothing about a finished one."""
    if game is None and row.state in ("open", "live"):
        yield f"it is {row.state}, but this program doesn't have the game {row.game!r}"
    if game and row.state == "live":
        yield f"it is live, but this program has version {game.version} of {row.game}, not {row.game_version}"


def find_differences(row: MatchRecordRow, game: Game) -> Iterator[str]:
    """The stored values of a match that differ from those computed from its record, a few words each."""
    if row.seats not in game.seats:
        yield f"it is for {row.seats} players, but {game.key} isn't"
        return
    try:
        match = Match.start(get_game_for_legs(game, row.legs), row.options, row.seats)
        for entry in row.record:
            match = match.enter(entry.seat, entry.text)
    except (BadOptions, MoveError) as refusal:
        yield f"its record breaks a rule: {refusal}"
        return
    if match.record != row.record:
        yield "its record isn't in canonical notation"
    yield from find_wrong_premoves(row, match)
    for name, said, so in list_facts(row, match):
        if said != so:
            yield f"{name} stored as {json.dumps(said)}, the record gives {json.dumps(so)}"


def list_facts(row: MatchRecordRow, match: Match) -> Iterator[tuple[str, object, object]]:
    """The derived values of a match: the name, the stored value, and the value by the record."""
    over = row.state == "finished"
    seats = range(1, row.seats + 1) if row.state in BEGUN else [None] * len(row.players)
    ranks = match.ranks if over else None
    scores = match.scores if over else None
    yield "plies", row.plies, len(match.record)
    turn = list(match.turn) if row.state == "live" else []
    yield "turn", list(row.turn), turn
    yield "thinks", row.thinks, next((seat for seat in turn if is_computer(row.user_at(seat) or 0)), None)
    yield "seats", [player.seat for player in row.players], [*seats]
    yield "ranks", [player.rank for player in row.players], [*(ranks or [None] * len(row.players))]
    yield "scores", [player.score for player in row.players], [*(scores or [None] * len(row.players))]
    if row.state in ("live", "finished"):
        yield "state", row.state, "finished" if match.is_over else "live"
    if row.state not in BEGUN:
        yield "moves", len(row.record), row.imported_plies


# Leagues: the consistency of members, draw and matches.


IDS = select(leagues.c.id).order_by(leagues.c.id)
TWICE = (
    select(pairings.c.match).where(pairings.c.match.is_not(None)).group_by(pairings.c.match).having(func.count() > 1)
)
ELSEWHERE = (
    select(pairings.c.league, pairings.c.number)
    .join(leagues, leagues.c.id == pairings.c.league)
    .join(matches, matches.c.id == pairings.c.match)
    .where(
        (matches.c.guild != leagues.c.guild) | (matches.c.game != pairings.c.game) | (matches.c.legs != pairings.c.legs)
    )
)


def find_league_faults(connection: Connection) -> list[str]:
    """What is wrong with the leagues, a line each."""
    found = [f"match {match}: it counts twice in leagues" for match in connection.execute(TWICE).scalars()]
    found += [
        f"league {league}: the match of pairing {number} is another one"
        for league, number in connection.execute(ELSEWHERE)
    ]
    for league in connection.execute(IDS).scalars().all():
        try:
            loaded = Reader(connection).load_league(league)
            found += [f"league {league}: {line}" for line in _find_faults(loaded)] if loaded else []
        except Exception as fault:  # the others are still to be checked
            found.append(f"league {league}: it can't be read ({fault})")
    return found


def _find_faults(loaded: LoadedLeague) -> Iterator[str]:
    row, people = loaded.league, {one.user: one for one in loaded.members}
    if row.state not in get_args(LeagueState):
        yield f"there is no such state: {row.state!r}"
    if (row.state in ("finished", "cancelled")) != (row.ended is not None):
        yield f"it is {row.state}, and its end says otherwise"
    if row.state in ("live", "finished") and (row.ends is None or not loaded.pairings):
        yield f"it is {row.state}, but was never drawn"
    if row.state == "open" and loaded.pairings:
        yield "it is open, but was drawn"
    if row.shown_version > row.version:
        yield f"version {row.shown_version} was shown, but it is at {row.version}"
    met: set[frozenset[int]] = set()
    for one in loaded.pairings:
        divisions = {people[user].division if user in people else None for user in (one.home, one.guest)}
        if divisions != {one.division} or frozenset((one.home, one.guest)) in met:
            yield f"pairing {one.number} can't be one of division {one.division}"
        met.add(frozenset((one.home, one.guest)))
