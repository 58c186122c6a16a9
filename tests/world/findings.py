"""Checks what must hold after any death: compares what people were told, what is stored and what channels show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.core.library.catalogue import games
from bot.core.values.computer_users import is_person
from bot.sandbox.world.api_errors import Json
from bot.sandbox.world.world import World
from bot.service.rules.claims import ABANDONED
from data.upkeep.integrity import check
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
TWICE = """
    select m.id, m.plies || ' lines of '
           || (select count(*) from deliveries d where d.match = m.id and d.interaction > 0) || ' interactions, '
           || (select count(*) from players p where p.match = m.id and not p.invited and p.user > 99)
           || ' of them to sit down'
      from matches m
     where (select count(*) from deliveries d where d.match = m.id and d.interaction > 0)
        != (select count(*) from players p where p.match = m.id and not p.invited and p.user > 99)
         + (select count(*) from moves v join players p on p.match = v.match and p.seat = v.seat
             where v.match = m.id and p.user > 99)
       and m.pace = 'none'
    union all
    select m.id, 'more lines than interactions' from matches m
     where (select count(*) from deliveries d where d.match = m.id and d.interaction > 0)
         < (select count(*) from players p where p.match = m.id and not p.invited and p.user > 99)
         + (select count(*) from moves v join players p on p.match = v.match and p.seat = v.seat
             where v.match = m.id and v.text != 'timeout' and p.user > 99)
    union all
    select v.match, v.text || ' stands in it ' || count(*) || ' times' from moves v join matches m on m.id = v.match
     group by v.match, v.text, case m.game when 'binary-primes' then 0 else v.seat end having count(*) > 1
"""


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
    closing: str | None

    @property
    def over(self) -> bool:
        """Whether it has ended as a match may: all that are called off are those in which everybody ran out of time."""
        return self.state == "finished" or (self.state == "aborted" and self.closing == ABANDONED)


class Ledger:
    """The database, read from beside the bot."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._asked = asked(url)

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

    def left_over(self) -> int:
        """How many edits are still to be made, such as taking the buttons off the board before the last."""
        return int(self.ask("select count(*) from leftovers")[0][0])

    def moves(self) -> set[Told]:
        """All moves, and all that were accepted, as those who did it would tell of them."""
        query = "select v.match, p.user, v.text from moves v join players p on p.match = v.match and p.seat = v.seat"
        sitting = "select p.match, p.user, 'accept' from players p where not p.invited"
        return {Told(match, str(user), text) for match, user, text in (*self.ask(query), *self.ask(sitting))}

    def lost(self, told: Iterable[Told]) -> Iterator[str]:
        """What somebody was told, and what is not there."""
        moves, matches = self.moves(), {row.id for row in self.rows()}
        for one in told:
            kept = one.match in matches if one.what == "challenge" else one in moves
            if not kept:
                yield f"match {one.match}: {one.what} of {one.user} was acknowledged and is not there"

    def torn(self) -> Iterator[str]:
        """Acts that were written only in part."""
        yield from (f"match {match} {what}" for match, what in self.ask(TORN))

    def twice(self, tried: Iterable[Told]) -> Iterator[str]:
        """What counted twice, or counted though nobody did it."""
        yield from (f"match {match}: {what}" for match, what in self.ask(TWICE))
        nobodys = (one for one in self.moves() - set(tried) if is_person(int(one.user)))
        for one in (one for one in nobodys if one.what not in ("accept", "timeout")):
            yield f"match {one.match}: nobody of {one.user} played {one.what}"

    async def check(self) -> Iterator[str]:
        """The faults that the host's own check finds."""
        report = await check(self.url, games())
        return iter(() if report.sound else report.lines[:-1])


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
    told = Counter((one["user"], *matter(messages[one["message"]])) for one in stand)
    for (user, kind, match, stage), times in told.items():
        if times > 1 and match not in passed:
            yield f"match {match}: {user} was told {times} times of {kind}{stage}"


def matter(message: Json) -> tuple[str, int, str]:
    """What a message tells: what kind of message it is, of which match, and what its board shows."""
    kind, match = visible_matches.about(message) or (message["id"], 0)
    board = visible_matches.board(message)
    return kind, match, board.stage if board else ""


def untold(world: World) -> Iterator[str]:
    """Boards whose players to move were never told so; of those on which all are to move, who made them so knows."""
    told = {(one["message"], one["user"]) for one in world.notified}
    for match, boards in visible_matches.boards(world).items():
        latest = boards[-1]
        unaware = [one for one in latest.movers if (latest.message["id"], one) not in told]
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
        elif row.id not in boards:
            yield f"match {row.id}: it has no board"
        elif told := belied(row, boards[row.id][-1]):
            yield f"match {row.id}: {told}"
        if row.shown_version != row.version:
            yield f"match {row.id}: version {row.shown_version} is noted as shown of {row.version}"


def belied(row: Row, board: Board) -> str:
    """What the latest board of a match says otherwise than what is stored; empty where it does not."""
    if row.state == "finished":
        return "" if board.over else f"it is finished, and move {board.stage} is shown"
    if row.over:
        return "it was called off, and its board has buttons to move" if board.live else ""
    if not board.live:
        return "it is live and its board has no button to move"
    return "" if board.stage in (str(row.plies), "playing", "drawing") else f"{board.stage} is shown of {row.plies}"
