"""A replay: the match after each line of its record, as a viewer may see it.

Only lines that the viewer may see are counted, so nothing in a replay depends on what is hidden from them. Once a match
with secrets is over, each line is shown as the player who made it saw the match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight
from bot.core.match.match import Match
from bot.core.match.record import Entry
from bot.core.values.ids import UserId
from bot.core.values.seats import Viewer
from bot.service.rules.refusals import Closed, NotYours

LIVE = "This match isn't over yet. Once it is, you can play on from here."
SECRET = "Everybody can read what was played in secret here, so nobody can play on from it."
NOTHING = "Nothing has been played yet. Use /play to begin a match."
LEFT = "Somebody had left the match by then. Go back to where all were in it, and play on from there."
ENDED = "The match is over here. Go back a move, and play on from there."


@dataclass(frozen=True, slots=True)
class Replay:
    """A match to be gone through, and its lines as the viewer may see them, with their numbers in the record."""

    seated: LoadedMatch
    viewer: Viewer
    lines: tuple[tuple[int, Entry], ...]
    open: bool
    """Whether everybody may know all that was played."""

    @classmethod
    def of(cls, seated: LoadedMatch, viewer: Viewer) -> Replay:
        """The replay of a match that has begun, as a viewer may see it."""
        match = seated.folded
        published = seated.row.published and match.finished
        return cls(seated, viewer, match.lines_shown(viewer, published), match.revealed(published))

    @classmethod
    def for_user(cls, seated: LoadedMatch, user: UserId) -> Replay:
        """The replay of a match for a user, a player or not; raises a refusal where there is nothing that they may
        see."""
        if seated.match is None:
            raise Closed(f"It hasn't begun yet: {seated.link}")
        if seated.row.seats == 1 and not seated.row.published and not seated.has(user):
            raise NotYours(f"Match {seated.id} is played alone. Others see it when its player publishes it.")
        return cls.of(seated, seated.seat_of(user))

    @property
    def length(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    @property
    def like(self) -> tuple[object, ...]:
        """A key: replays with equal keys show the same."""
        match, viewer = self.seated.folded, self.viewer if self.seated.game.secret and not self.open else None
        return self.seated.id, match.game.key, match.options, match.seats, viewer, self.open, self.lines

    def sight(self, place: int) -> Sight:
        """The match after `place` lines."""
        return next(self.sights([place]))

    def sights(self, places: Collection[int]) -> Iterator[Sight]:
        """The match after some numbers of lines, in ascending order; the record is folded but once."""
        seated = self.seated
        match, before = Match.start(seated.game, seated.row.options, seated.row.seats), None
        if 0 in places:
            yield self._sight(0, match, before)
        for place, (number, _) in enumerate(self.lines[: max(places)], 1):
            for entry in seated.row.record[len(match.record) : number]:
                match, before = match.enter(*entry), match
            if place in places:
                yield self._sight(place, match, before)

    def _sight(self, place: int, match: Match, before: Match | None) -> Sight:
        then = replace(self.seated, match=match, before=before)
        if place == self.length:
            return Sight.of(replace(self.seated, before=before), self.viewer)
        line = self.lines[place - 1][1] if place else None
        viewer = self.viewer
        if self.open:
            viewer = line.seat if line and self.seated.game.secret else None
        known = before if self.open or not self.seated.game.secret else None
        record = tuple(line for _, line in self.lines[:place])
        seen = known.position.seen_by(viewer) if known else None
        return Sight(then, match, viewer, match.position.seen_by(viewer), record, seen)


def unplayable(seated: LoadedMatch, then: Match) -> str:
    """Why nobody can play on from a match as it stood then; empty where they can."""
    reasons = {
        LIVE: seated.row.state == "live",
        SECRET: then.game.secret,
        NOTHING: not then.standing,
        LEFT: bool(then.withdrawn),
        ENDED: then.finished,
    }
    return next((said for said, holds in reasons.items() if holds), "")


def expect_playable(replay: Replay, place: int) -> Match:
    """The match after `place` lines, from which another can go on; raises a refusal."""
    then = replay.sight(min(place, replay.length)).match
    if refusal := unplayable(replay.seated, then):
        raise Refusal(refusal)
    return then
