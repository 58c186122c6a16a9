"""Writes the journal: turns changes in the database since the last look into events of people."""

from __future__ import annotations

from collections.abc import Callable

from bot.play.match import Match
from tests.year import journal
from tests.year.journal import Event
from tests.year.ledger import Ledger
from tests.year.referee import Referee


class Diary:
    """The journal, and how every match stands by its record."""

    def __init__(self, ledger: Ledger, referee: Referee, clock: Callable[[], int]) -> None:
        self.clock = clock
        self.ledger = ledger
        self.referee = referee
        self.events: list[Event] = []
        self.matches: dict[int, Match] = {}
        """All that have begun."""
        self.live: dict[int, int] = {}
        """Those that are not over, with the version in which they were last seen."""
        self.seats: dict[int, dict[int, int]] = {}
        self.paces: dict[int, str] = {}
        self.guilds: dict[int, int] = {}
        self.lapsing: dict[tuple[int, int], int] = {}
        self.paused: set[int] = set()
        self.absences: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
        self.servers: list[int] = []
        self.people: list[int] = []
        self.chosen: dict[tuple[int, int], tuple[str, bool, str]] = {}
        self.by, self.doing = 0, ""
        """Who acts just now, and what they do; 0 where time does."""

    def note(self, event: Event) -> None:
        """Something has happened."""
        self.events.append(event)
        self.referee.note(event)

    def reminded(self, user: int, kind: str, matches: tuple[int, ...]) -> None:
        """A player reads a reminder."""
        self.note(journal.Reminded(self.clock(), user, kind, matches))

    def refused(self, user: int) -> None:
        """A player takes no direct message."""
        self.note(journal.Refused(self.clock(), user))

    def catch_up(self, now: int) -> list[int]:
        """Note what has happened to any match; those that have changed."""
        versions = self.ledger.versions()
        changed = [match for match, (version, _, _) in versions.items() if self.live.get(match) != version]
        changed += [match for match in self.live if match not in versions]
        for match in sorted(changed):
            self._look(match, now)
            if match in versions:
                self.live[match] = versions[match][0]
                self._pauses(match, versions[match][1] is not None, now)
            else:
                self.live.pop(match, None)
        self._lapses(now)
        if self.doing in ("away", "back"):
            self._absences(now)
        if self.doing in ("prefer", "govern"):
            self._choose_divisor(now)
        for match in changed:
            self.compare(match, now)
        return changed

    def shown(self, match: int, now: int) -> None:
        """The board of a match was shown."""
        if match in self.matches:
            self.note(journal.Shown(now, match))
            self.compare(match, now)

    def compare(self, match: int, now: int) -> None:
        """Have the referee look at what is written about the clocks of a match."""
        if match in self.live and match in self.matches:
            self.referee.compare(now, match, self.ledger.written(match))

    def _look(self, match: int, now: int) -> None:
        state = self.ledger.state(match)
        if match not in self.matches:
            if state not in ("live", "finished"):
                return
            self._began(match, now)
        for seat, text in self.ledger.lines(match, len(self.matches[match].record)):
            after = self.matches[match] = self.matches[match].enter(seat, text)
            round_ = after.position.round
            self.note(journal.Acted(now, match, seat, text, after.turn, round_, after.is_over, self.by))
        if state == "aborted":
            self.note(journal.Ended(now, match))

    def _began(self, match: int, now: int) -> None:
        start, guild, pace, seats = self.ledger.start(match)
        self.matches[match], self.seats[match], self.paces[match], self.guilds[match] = start, seats, pace, guild
        key, secret = start.game.key, start.game.secret
        self.note(journal.Began(now, match, guild, key, pace, seats, start.turn, start.position.round, secret))

    def _pauses(self, match: int, paused: bool, now: int) -> None:
        if paused != (match in self.paused):
            (self.paused.add if paused else self.paused.discard)(match)
            self.note(journal.Paused(now, match, paused))

    def _lapses(self, now: int) -> None:
        """Who is said to have run out of time, and who was given more."""
        lapsing = self.ledger.lapsing()
        for match, user in sorted(self.lapsing.keys() - lapsing.keys()) if self.doing == "give" else ():
            self.note(journal.Gave(now, match, user))
        for match, user in sorted(lapsing.keys() - self.lapsing.keys()):
            self.note(journal.Asked(now, match, user))
        self.lapsing = lapsing

    def _absences(self, now: int) -> None:
        absences = self.ledger.absences()
        for (guild, user), away in sorted(absences.items()):
            if self.absences.get((guild, user)) != away:
                self.note(journal.Went(now, guild, user, away))
        self.absences = absences

    def _choose_divisor(self, now: int) -> None:
        """What people have chosen, or their server for them; an act is noted of its own person alone."""
        for guild in self.servers:
            for user in (self.by,) if self.doing == "prefer" else self.people:
                chosen = self.ledger.chosen(guild, user)
                if self.chosen.get((guild, user)) != chosen:
                    self.chosen[guild, user] = chosen
                    self.note(journal.Chose(now, guild, user, *chosen))

    def to_move(self, match: int) -> list[int]:
        """Who is to move."""
        turn = self.matches[match].turn if match in self.live and match in self.matches else ()
        return [self.seats[match][seat] for seat in turn]
