"""Checks what must hold after any death: compares what people were told, what is stored and what channels show."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.games.catalogue import load_games
from bot.play.claims import ABANDONED
from bot.play.ids import is_person
from bot.sandbox import people
from bot.sandbox.errors import Json
from bot.sandbox.world import World
from bot.umpire.acts import CLOSED as REMOVED
from data.upkeep.integrity import check_database
from tests.world import visible_matches
from tests.world.database_queries import asked
from tests.world.player_acts import Told
from tests.world.visible_matches import Board

TORN = """
    select m.id, 'has ' || count(v.ply) || ' lines, and says ' || m.plies
      from matches m left join moves v on v.match = m.id
     group by m.id having count(v.ply) != m.plies or coalesce(max(v.ply), 0) != m.plies
    union all
    select id, 'is shown at version ' || shown_version || ' of ' || version from matches where shown_version > version
    union all
    select m.id, 'is ' || m.state || ' with seats ' || count(p.seat)
      from matches m join players p on p.match = m.id
     group by m.id having (m.state in ('live', 'finished', 'aborted')) != (count(p.seat) = m.seats)
    union all
    select m.id, 'is finished with ' || count(p.rank) || ' ranks'
      from matches m join players p on p.match = m.id
     group by m.id having (m.state = 'finished') != (count(p.rank) = m.seats)
"""
SAID = """
    select v.match, p.user, v.text, count(*) from moves v join players p on p.match = v.match and p.seat = v.seat
      join matches m on m.id = v.match
     where v.ply > m.imported_plies
"""
"""Who has played what, and how often; imported moves were played before the match, by any player."""
COUNTED = """
    select m.id, m.pace,
           (select count(*) from players p where p.match = m.id and not p.invited and p.user > 99
               and not exists (select 1 from pairings g where g.match = m.id)),
           (select count(*) from moves v join players p on p.match = v.match and p.seat = v.seat
             where v.match = m.id and v.ply > m.imported_plies and p.user > 99),
           (select count(*) from moves v join players p on p.match = v.match and p.seat = v.seat
             where v.match = m.id and p.user > 99 and v.text = 'timeout'),
           m.premove_plies
      from matches m
"""
"""Of each match: its pace, the people who sat down (in a league nobody does), their lines, how many of those time has
written, and which were prepared: nobody acts for them."""
REPEATED = """
    select v.match, v.text || ' stands in it ' || count(*) || ' times'
      from moves v join matches m on m.id = v.match
     where m.game in ('binary-primes', 'within-the-curve') and v.text != 'takeback'
     group by v.match, v.text, case m.game when 'binary-primes' then 0 else v.seat end
    having count(*) > 1 + (select count(*) from moves t where t.match = v.match and t.text = 'takeback')
"""
"""Moves that can be made once in a match, and once more after each takeback, and were made more often."""
UNMADE = ("accept", "timeout")
"""What people need not have tried: sitting down at once is accepting, and time writes the other."""
ASKED = ("takeback", "draw", "resign")
COMPUTER = "the computer (level "
CLOSED_BY = {"aborted": ("abort",), "declined": ("decline", "leave"), "cancelled": ("cancel", "decline", "leave")}
"""How a match comes to an end that was never played out, by what a player has tried."""


@dataclass(frozen=True)
class Row:
    """As much of a stored match as the channels are compared with."""

    id: int
    game: str
    state: str
    version: int
    plies: int
    thread: int | None
    channel: int
    shown_version: int
    close_reason: str | None
    announcement: int | None = None
    announce_until: int | None = None

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state not in ("open", "live")

    @property
    def done(self) -> bool:
        """Whether it has ended, and is shown so, and its channel is told."""
        return self.over and self.shown_version == self.version and self.announce_until is None

    @property
    def played(self) -> bool:
        """Whether it has begun."""
        return self.state in ("live", "finished", "aborted")

    @property
    def shown_over(self) -> bool:
        """Whether it has ended, and its last board stands."""
        return self.over and self.shown_version == self.version

    @property
    def settled(self) -> bool:
        """Whether nothing of its end is still to be shown, or told to its channel."""
        return self.shown_over and self.announce_until is None


class Ledger:
    """The database, read from beside the bot."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._asked = asked(url)
        self._delivered: dict[int, int] = {}

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query; none while there is no schema."""
        return self._asked.ask(query)

    def change(self, *statements: str) -> None:
        """Change something behind the bot's back."""
        self._asked.change(*statements)

    def rows(self) -> list[Row]:
        """All matches."""
        columns = ", ".join(Row.__annotations__)
        return [Row(*row) for row in self.ask(f"select {columns} from matches order by id")]

    def find_pending_edits(self) -> int:
        """How many edits are still to be made, such as taking the buttons off the board before the last."""
        return int(self.ask("select count(*) from pending_edits")[0][0])

    def moves(self) -> set[Told]:
        """All moves, and all that were accepted, as those who did it would tell of them."""
        query = f"{SAID} group by v.match, p.user, v.text"
        sitting = "select p.match, p.user, 'accept', 1 from players p where not p.invited"
        return {Told(match, str(user), text) for match, user, text, _ in (*self.ask(query), *self.ask(sitting))}

    def lost(self, told: Iterable[Told], tried: Collection[Told] = ()) -> Iterator[str]:
        """What a player was told, and what is not there; who got up again does not sit any more."""
        moves, matches = self.moves(), {row.id for row in self.rows()}
        handed = self._handed()
        by_anybody = {(one.match, one.what) for one in moves if one.match in handed}
        for one in told:
            kept = one.match in matches if one.what == "challenge" else one in moves
            kept = kept or (one.match, one.what) in by_anybody
            left = one.what == "accept" and any(replace(one, what=what) in tried for what in ("leave", "decline"))
            if not kept and not left:
                yield f"match {one.match}: {one.what} of {one.user} was acknowledged and is not there"

    def _handed(self) -> set[int]:
        """The matches in which a player has taken over a seat."""
        return {match for (match,) in self.ask("select id from matches where substitutions is not null")}

    def torn(self) -> Iterator[str]:
        """Acts that were written only in part."""
        yield from (f"match {match} {what}" for match, what in self.ask(TORN))

    def twice(
        self, tried: Collection[Told], asked: Mapping[Told, int] | None = None, disputed: Collection[int] = ()
    ) -> Iterator[str]:
        """What counted twice, or counted though nobody did it. `asked`: how often a player asked for what may be done
        more than once; `disputed`: matches in which people did something else than to sit down and to move."""
        yield from self._uneven(disputed)
        yield from (f"match {match}: {what}" for match, what in self.ask(REPEATED))
        handed = self._handed()
        by_anybody = {(one.match, one.what) for one in tried}
        nobodys = (one for one in self.moves() - set(tried) if is_person(int(one.user)) and one.what not in UNMADE)
        for one in nobodys:
            if one.match not in handed or (one.match, one.what) not in by_anybody:
                yield f"match {one.match}: nobody of {one.user} played {one.what}"
        for match, user, what, times in self.ask(f"{SAID} group by v.match, p.user, v.text"):
            most = (asked or {}).get(Told(match, str(user), what), 0)
            if what in ASKED and times > most and match not in handed and is_person(user):
                yield f"match {match}: {what} of {user} stands in it {times} times, and was asked for {most} times"

    def _uneven(self, disputed: Collection[int]) -> Iterator[str]:
        """Matches with more or fewer interactions than people who sat down and lines of theirs."""
        self.remember()
        acts = Counter(self._delivered.values())
        for match, pace, sat, written, by_time, ready in self.ask(COUNTED):
            lines = written - len(json.loads(ready))
            even = acts[match] == sat + lines or pace != "none" or match in disputed
            if not even or acts[match] < sat + lines - by_time:
                yield f"match {match}: {lines} lines of {acts[match]} interactions, {sat} of them to sit down"

    def remember(self) -> None:
        """Keep which interactions were delivered, since the bot forgets them after an hour."""
        self._delivered |= dict(self.ask("select interaction, match from deliveries where interaction > 0"))

    def closed_by_nobody(self, tried: Iterable[Told], without: Collection[int] = ()) -> Iterator[str]:
        """Matches and challenges that were closed for no reason. `without`: the servers that have removed the bot."""
        wanted = {(one.match, one.what) for one in tried}
        removed = {match for match, guild in self.ask("select id, guild from matches") if guild in without}
        for row in self.rows():
            ways = CLOSED_BY.get(row.state, ())
            if row.close_reason == REMOVED and row.id in removed:
                continue
            if ways and row.close_reason != ABANDONED and not any((row.id, what) in wanted for what in ways):
                yield f"match {row.id} was {row.state}, and nobody wanted it: {row.close_reason}"

    async def check(self) -> Iterator[str]:
        """The faults that the host's own check finds."""
        report = await check_database(self.url, load_games(), ratings=True)
        return iter(() if report.sound else report.lines[:-1])


def gone(world: World, row: Row) -> bool:
    """Whether the place is deleted in which a match was challenged to or is over: nobody can show it there."""
    return row.state != "live" and str(row.channel) not in world.channels


def in_channels(world: World, rows: Collection[Row], passed: Collection[int]) -> Iterator[tuple[str, Iterator[str]]]:
    """What the channels show otherwise than what is stored, by kind, when nothing happens any more."""
    rows = [row for row in rows if not gone(world, row)]
    yield "boards_twice", boards_twice(world, passed)
    yield "mentions_twice", mentions_twice(world, passed)
    yield "untold", untold(world)
    yield "orphans", orphans(world, rows)
    yield "unshown", unshown(world, rows)
    yield "news", news(world, rows)


def boards_twice(world: World, passed: Collection[int]) -> Iterator[str]:
    """Boards of one match that show the same, and messages sent twice with one nonce. Where time has `passed`, there is
    another board for the person who is asked what is to become of it."""
    for match, boards in visible_matches.boards(world).items():
        if match in passed:
            continue
        shown = Counter(board.stage for board in boards)
        yield from (f"match {match}: {times} boards of move {stage}" for stage, times in shown.items() if times > 1)
    nonces = Counter(message["nonce"] for message in visible_matches.everything(world) if message.get("nonce"))
    yield from (f"{times} messages with nonce {nonce}" for nonce, times in nonces.items() if times > 1)


def mentions_twice(world: World, passed: Collection[int]) -> Iterator[str]:
    """People who were told twice that they are to move, or challenged. Where time has `passed` they are told more."""
    messages = {message["id"]: message for message in visible_matches.everything(world)}
    # A reminder is removed with the turn that it was about.
    stand = [one for one in world.notified if one["message"] in messages]
    shown = visible_matches.boards(world)
    told = Counter((one["user"], *matter(messages[one["message"]], shown)) for one in stand)
    for (user, kind, match, stage), times in told.items():
        if times > 1 and match not in passed:
            yield f"match {match}: {user} was told {times} times of {kind}{stage}"


def matter(message: Json, shown: Mapping[int, list[Board]]) -> tuple[str, int, str]:
    """What a message tells: what kind of message it is, of which match, and what it says above which board."""
    kind, match = visible_matches.about(message) or (message["id"], 0)
    below = [one.stage for one in shown.get(match, ()) if int(one.message["id"]) > int(message["id"])]
    return kind, match, f"{below[0] if below else ''} {message['content']}" if kind == "l" else ""


def untold(world: World) -> Iterator[str]:
    """Boards whose players to move were never told so, by a line above them; of those on which all are to move, who
    made them so knows, and who plays against a computer is there."""
    told = {(one["message"], one["user"]) for one in world.notified}
    lines = visible_matches.lines(world)
    for match, boards in visible_matches.boards(world).items():
        latest = boards[-1]
        earlier = [int(one.message["id"]) for one in boards if one.stage != latest.stage]
        above = [one["id"] for one in lines.get(match, ()) if int(one["id"]) > max(earlier, default=0)]
        unaware = [one for one in latest.movers if not any((line, one) in told for line in above)]
        if COMPUTER in people.text_of(latest.message).lower():
            continue
        first = latest.stage == "0" or not latest.stage.isdigit()
        if len(unaware) > first:
            yield f"match {match}: {', '.join(unaware)} do not know that it is their turn after move {latest.stage}"


def orphans(world: World, rows: Iterable[Row]) -> Iterator[str]:
    """Messages that are out of date and still have buttons for acts."""
    open_now = {row.id for row in rows if row.state == "open"}
    for match, boards in visible_matches.boards(world).items():
        for board in boards[:-1]:
            if board.verbs:
                yield f"match {match}: the board of move {board.stage} still has buttons"
    seen: Counter[int] = Counter()
    for lobby in visible_matches.lobbies(world):
        seen[lobby.match] += 1
        if lobby.match not in open_now or seen[lobby.match] > 1:
            yield f"match {lobby.match}: a challenge that is over can still be accepted"


def unshown(world: World, rows: Iterable[Row]) -> Iterator[str]:
    """Matches whose board is not what is stored."""
    boards, open_now = visible_matches.boards(world), {lobby.match for lobby in visible_matches.lobbies(world)}
    for row in rows:
        if row.state == "open":
            if row.id not in open_now:
                yield f"match {row.id}: its challenge is not to be seen"
        elif not row.played:
            pass
        elif row.id not in boards:
            yield f"match {row.id}: it has no board"
        elif told := belied(row, boards[row.id][-1]):
            yield f"match {row.id}: {told}"
        if row.shown_version != row.version:
            yield f"match {row.id}: version {row.shown_version} is noted as shown of {row.version}"


def news(world: World, rows: Iterable[Row]) -> Iterator[str]:
    """Results of which a channel was told twice, or by a message that nobody has noted, or is still to be told."""
    told = visible_matches.news(world)
    for row in rows:
        posted = [int(message["id"]) for message in told.get(row.id, ())]
        if len(posted) > 1:
            yield f"match {row.id}: its channel was told {len(posted)} times how it ended"
        elif posted not in ([], [row.announcement]):
            yield f"match {row.id}: what tells its channel how it ended is not noted"
        if row.announce_until is not None:
            yield f"match {row.id}: its channel is still to be told how it ended"


def buttonless(world: World, rows: Iterable[Row]) -> Iterator[str]:
    """Live matches all of whose boards are closed, though nothing is left to be shown."""
    boards = visible_matches.boards(world)
    for row in rows:
        if row.state == "live" and row.shown_version == row.version and row.id in boards:
            latest = boards[row.id][-1]
            if not set(latest.verbs) - visible_matches.HARMLESS:
                yield f"match {row.id} is live, and no board of it has buttons: the last shows move {latest.stage}"


def belied(row: Row, board: Board) -> str:
    """What the latest board of a match says otherwise than what is stored; empty where it does not."""
    if row.state == "finished":
        return "" if board.over else f"it is finished, and move {board.stage} is shown"
    if row.over:
        return "it was called off, and its board has buttons to move" if board.live else ""
    if not board.live:
        return "it is live and its board has no button to move"
    return "" if board.stage in (str(row.plies), "playing", "drawing") else f"{board.stage} is shown of {row.plies}"
