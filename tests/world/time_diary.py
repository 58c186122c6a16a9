"""The diary: after every transaction it reads what has changed in the database, on a connection of its own, and what is
posted; and tells the referee of time what has happened, at the moment by the bot's clock at which it has.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any
from weakref import finalize

from bot.games.catalogue import load_games
from bot.games.legs import get_game_for_legs
from bot.play.match import Match
from bot.sandbox.errors import Json
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.world import World
from bot.umpire.clocks import NOTE
from tests.world.discord_faults import MAILBOX
from tests.world.player_acts import Told
from tests.world.refused_reminders import SHORT
from tests.world.time_referee import RESTART, TimeReferee, Written

NONCE = re.compile(r"([rpg])\d+\.(\d+)\.\d+\b")
KINDS = {"r": "thread", "p": "message", "g": "digest"}
PLACE = re.compile(r"/channels/(\d+)/")
LISTED = re.compile(r" · (\d+)")
"""The matches that a reminder names."""
LIMITED = 429
MATCHES = """
    select id, version, shown_version, paused is not null, publish_error is not null, state, guild, pace, game, options,
           seats, legs from matches
     where state in ('live', 'open') or id in ({known}) order by id
"""
PEOPLE = """
    select p.match, p.user, p.seat, p.seconds_left, p.since, p.deadline, p.forfeit_at from players p
      join matches m on m.id = p.match where p.seat is not null and m.state = 'live' order by p.match, p.seat
"""
CHOSEN = """
    select s.guild, p.user, coalesce(p.zone, s.zone), p.weekends, coalesce(p.reminders, s.reminders)
      from settings s, preferences p
"""


class Diary:
    """Follows the matches in a file. `clock` is the bot's; `tried` is what people have tried."""

    def __init__(
        self, file: Path, world: World, referee: TimeReferee, clock: Callable[[], int], tried: Collection[Told]
    ) -> None:
        self.world = world
        self.referee = referee
        self.clock = clock
        self.tried = tried
        self.matches = dict[int, Match]()
        """All that have begun and are not over."""
        self._database = sqlite3.connect(file, isolation_level=None)
        finalize(self, self._database.close)
        self._seen = 0
        self._rows = dict[int, tuple[Any, ...]]()
        self._clocks = defaultdict[int, list[tuple[Any, ...]]](list)
        self._chosen = dict[tuple[int, int], tuple[Any, ...]]()
        self._away = defaultdict[tuple[int, int], list[tuple[int, int]]](list)
        self._noted = 0
        self._people = dict[int, int]()
        """By the end of their numbers, which is all that the nonce of a reminder has."""

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self._database.execute(query, values).fetchall()

    def counted(self) -> None:
        """The bot was told that it was there until now."""
        self._noted = self.clock()

    # What people see.

    def heard(self, event: str, message: Json) -> None:
        """A player reads a message; a reminder is known by its nonce."""
        found = NONCE.match(str(message.get("nonce") or ""))
        if event == "MESSAGE_CREATE" and found:
            matches = {int(match) for match in LISTED.findall(message["content"])}
            self.referee.reminded(self.clock(), self._people[int(found[2])], KINDS[found[1]], sorted(matches))

    def answered(self, entry: RequestLogEntry) -> None:
        """Discord has answered a request: a direct message may be refused, or not be looked for."""
        if not 400 <= entry.status < 500 or entry.status == LIMITED:
            return
        place = PLACE.match(entry.path)
        if mailbox := self.world.private.get(place[1]) if place else None:
            self.referee.refused(int(mailbox["recipients"][0]["id"]))
        elif entry.path == MAILBOX:
            body: Any = entry.body
            self.referee.refused(int(body["recipient_id"]))

    # What is written.

    def look(self) -> None:
        """A transaction may have changed something."""
        ((version,),) = self.ask("pragma data_version")
        if version == self._seen:
            return
        self._seen, now = version, self.clock()
        everywhere = [self._look_at_notes(now), self._look_at_choices(now), self._look_at_absences(now)]
        clocks = defaultdict[int, list[tuple[Any, ...]]](list)
        for match, *one in self.ask(PEOPLE):
            clocks[match].append(tuple(one))
        known = ", ".join(map(str, self.matches))
        for row in self.ask(MATCHES.format(known=known)):
            match, before = row[0], self._clocks[row[0]]
            if any(everywhere) or row != self._rows.get(match) or clocks[match] != before:
                self._look_at_match(now, row, before, clocks[match])
        self._clocks = clocks

    def _look_at_notes(self, now: int) -> bool:
        """Whether the bot has given back time in which it was not there."""
        noted = max(
            (int(value) for (value,) in self.ask("select value from key_values where name = ?", NOTE)), default=0
        )
        since, self._noted = self._noted, noted
        slept = bool(since) and noted - since > RESTART
        if slept:
            self.referee.slept(now, since)
        return slept

    def _look_at_choices(self, now: int) -> bool:
        found = {(guild, user): tuple(chosen) for guild, user, *chosen in self.ask(CHOSEN)}
        changed = {who: chosen for who, chosen in found.items() if self._chosen.get(who) != chosen}
        for (guild, user), (zone, weekends, reminders) in changed.items():
            self._people[user % SHORT] = user
            self.referee.chose(now, guild, user, zone, bool(weekends), reminders)
        self._chosen = found
        return bool(changed)

    def _look_at_absences(self, now: int) -> bool:
        found = defaultdict[tuple[int, int], list[tuple[int, int]]](list)
        for guild, user, begins, ends in self.ask("select guild, user, begins, ends from away order by begins"):
            found[guild, user].append((begins, ends))
        changed = [who for who, away in found.items() if self._away[who] != away]
        for guild, user in changed:
            self.referee.went(now, guild, user, found[guild, user])
        self._away = found
        return bool(changed)

    def _look_at_match(
        self, now: int, row: tuple[Any, ...], before: list[tuple[Any, ...]], clocks: list[tuple[Any, ...]]
    ) -> None:
        match, version, shown, paused, parked, state, guild, pace, game, options, seats, legs = row
        old, self._rows[match] = self._rows.get(match), row
        if match not in self.matches:
            if state != "live":
                return
            start = Match.start(get_game_for_legs(load_games()[game], legs), json.loads(options), seats)
            people = dict(self.ask("select seat, user from players where match = ? order by seat", match))
            self.matches[match], secret = start, start.game.secret
            self._people |= {user % SHORT: user for user in people.values()}
            self.referee.began(now, match, guild, pace, people, start.turn, start.position.round, secret)
        acts = self._look_at_lines(now, match)
        if state == "aborted":
            self.referee.ended(match)
        if old and paused != old[3]:
            self.referee.paused(now, match, bool(paused))
            acts = True
        lapsing, lapsed = ({user for user, *_, lapse in one if lapse is not None} for one in (clocks, before))
        for user in sorted(lapsed - lapsing) if not acts and state == "live" else ():
            self.referee.gave(now, match, user)
        for user in sorted(lapsing - lapsed):
            self.referee.asked(now, match, user)
        if parked:
            self.referee.shown(now, match, {user for user, _, _, since, *_ in clocks if since is not None})
        elif shown == version and (not old or old[1:3] != (version, shown)):
            self.referee.shown(now, match)
        self.referee.compare(now, match, (Written(user, *clock) for user, _, *clock in clocks))
        if state not in ("live", "open"):
            del self.matches[match]

    def _look_at_lines(self, now: int, match: int) -> bool:
        """Whether lines were added to a record."""
        asked = "select seat, text from moves where match = ? and ply > ? order by ply"
        lines = self.ask(asked, match, len(self.matches[match].record))
        for seat, text in lines:
            after = self.matches[match] = self.matches[match].enter(seat, text)
            claimed = text == "timeout" and any(
                one.match == match and one.what.startswith("claim") for one in self.tried
            )
            self.referee.acted(
                now, match, seat, text, after.turn, round_=after.position.round, over=after.is_over, claimed=claimed
            )
        return bool(lines)
