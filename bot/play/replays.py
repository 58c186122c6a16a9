"""A match after each line of its record as a viewer may see it, and moves tried out from there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Self

from bot.games.moves import MoveKind
from bot.games.position import MOVE, MoveError, Seat, Viewer
from bot.play.acts import NotPossibleNow, NotYours
from bot.play.ids import UserId
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal
from bot.play.match import Match, name_own_move
from bot.play.premoves import Line
from bot.play.record import Entry, Move

# A replay: the match after each line of its record, as a viewer may see it.


LIVE = "This match isn't over yet. Once it is, you can play on from here."
PLAYED_IN_SECRET = "Everybody can read what was played in secret here, so nobody can play on from it."
NOTHING = "Nothing has been played yet. Use /play to begin a match."
LEFT = "Somebody had left the match by then. Go back to where all were in it, and play on from there."
ENDED = "The match is over here. Go back a move, and play on from there."


@dataclass(frozen=True, slots=True)
class Replay:
    """A match and its lines as the viewer may see them, with their numbers in the record."""

    loaded: LoadedMatch
    viewer: Viewer
    lines: tuple[tuple[int, Entry], ...]
    open: bool
    """Whether all users may see all moves."""

    @classmethod
    def of(cls, loaded: LoadedMatch, viewer: Viewer) -> Replay:
        """The replay of a match that has begun, as a viewer may see it."""
        match = loaded.begun_match
        published = loaded.row.published and match.is_over
        return cls(loaded, viewer, match.number_visible_entries(viewer, published), match.is_revealed(published))

    @classmethod
    def for_user(cls, loaded: LoadedMatch, user: UserId) -> Replay:
        """The replay of a match for a user, a player or not; raises a refusal if they may see nothing of it."""
        if loaded.match is None:
            raise NotPossibleNow(f"It hasn't begun yet: {loaded.link}")
        if loaded.row.seats == 1 and not loaded.row.published and not loaded.has(user):
            raise NotYours(f"Match {loaded.id} is played alone. Others see it when its player publishes it.")
        return cls.of(loaded, loaded.seat_of(user))

    @property
    def line_count(self) -> int:
        return len(self.lines)

    @property
    def equality_key(self) -> tuple[object, ...]:
        """A key: replays with equal keys show the same."""
        match, viewer = self.loaded.begun_match, self.viewer if self.loaded.game.secret and not self.open else None
        return self.loaded.id, match.game.key, match.options, match.seats, viewer, self.open, self.lines

    def make_view(self, place: int) -> MatchView:
        """The match after `place` lines."""
        return next(self.make_views([place]))

    def make_views(self, places: Collection[int]) -> Iterator[MatchView]:
        """The match after each of some numbers of lines, ascending; the record is folded only once."""
        loaded = self.loaded
        match, before = Match.start(loaded.game, loaded.row.options, loaded.row.seats), None
        if 0 in places:
            yield self._make_view(0, match, before)
        for place, (number, _) in enumerate(self.lines[: max(places)], 1):
            for entry in loaded.row.record[len(match.record) : number]:
                match, before = match.enter(*entry), match
            if place in places:
                yield self._make_view(place, match, before)

    def _make_view(self, place: int, match: Match, before: Match | None) -> MatchView:
        then = replace(self.loaded, match=match, before=before)
        if place == self.line_count:
            return MatchView.of(replace(self.loaded, before=before), self.viewer)
        line = self.lines[place - 1][1] if place else None
        viewer = self.viewer
        if self.open:
            viewer = line.seat if line and self.loaded.game.secret else None
        # What one did oneself is no secret to oneself.
        own = line is not None and line.seat == viewer
        known = before if self.open or own or not self.loaded.game.secret else None
        record = tuple(line for _, line in self.lines[:place])
        seen = known.position.seen_by(viewer) if known else None
        return MatchView(then, match, viewer, match.position.seen_by(viewer), record, seen)


def explain_unplayable(loaded: LoadedMatch, then: Match) -> str:
    """Why a match cannot be continued from an earlier position of it; empty if it can."""
    reasons = {
        LIVE: loaded.row.state == "live",
        PLAYED_IN_SECRET: then.game.secret,
        NOTHING: not then.standing,
        LEFT: bool(then.withdrawn_seats),
        ENDED: then.is_over,
    }
    return next((said for said, holds in reasons.items() if holds), "")


def expect_playable(replay: Replay, place: int) -> Match:
    """The match after `place` lines, from which another can go on; raises a refusal."""
    then = replay.make_view(min(place, replay.line_count)).match
    if refusal := explain_unplayable(replay.loaded, then):
        raise Refusal(refusal)
    return then


# Moves of all seats that a user tries out or prepares from a place of a match, without playing them.


OUTDATED = "This board is out of date. Press Try out again to get a fresh one."
SECRET = "You can't try out moves here: what the players do now is secret. Once the match is over, you can."
OVER = "The match is over here. Go back a move in its replay, and try out moves from there."
UNFORESEEN = "What your next move is worth is for you to find out. You can try out moves once the match is over."


@dataclass(frozen=True, slots=True)
class ImaginedLine:
    """A place of a match as a user may see it, the moves imagined from there, and the match before each of them and
    after the last."""

    replay: Replay
    at: int
    line: Line
    matches: tuple[Match, ...]

    @classmethod
    def of(cls, replay: Replay, place: int, line: Line = ()) -> Self:
        """The line of some moves; raises a refusal if they are not legal."""
        at = min(place, replay.line_count)
        sight = replay.make_view(at) if at < replay.line_count else MatchView.of(replay.loaded, replay.viewer)
        it = cls(replay, at, (), (sight.match if replay.open else replace(sight.match, position=sight.position),))
        try:
            for seat, text in line:
                it = it.add_move(seat, text)
        except MoveError as fault:
            raise Refusal(OUTDATED) from fault
        return it

    def add_move(self, seat: Seat, text: str) -> Self:
        """The line with one more move; raises the game's `MoveError`."""
        if not self.may_try(seat):
            raise Refusal(SECRET)
        then = self.match.play(seat, text)
        return replace(self, line=(*self.line, Move(*then.record[-1])), matches=(*self.matches, then))

    def remove_last_move(self) -> Self:
        return replace(self, line=self.line[:-1], matches=self.matches[:-1] or self.matches) if self.line else self

    @property
    def loaded(self) -> LoadedMatch:
        return self.replay.loaded

    @property
    def match(self) -> Match:
        """The match after all imagined moves."""
        return self.matches[-1]

    @property
    def name(self) -> str:
        """The name of the last move that was played."""
        name = "" if self.match.game.secret else name_own_move(self.matches[0])
        return name or MOVE.format(number=self.at)

    @property
    def is_live(self) -> bool:
        """Whether the match is still played, so that no analysis of it may be shown."""
        return self.loaded.row.state == "live"

    def may_try(self, seat: Seat) -> bool:
        """Whether the viewer may see the moves of a seat."""
        return self.replay.open or not self.match.game.secret or seat == self.replay.viewer

    @property
    def foreseen_match(self) -> Match:
        """The match after all imagined moves up to the first one whose effect players shall find out themselves."""
        for move, before in zip(self.line, self.matches, strict=False):
            kinds = (kind for kind in before.game.moves if kind.when(before.position, move.seat))
            if any(not kind.foreseen and kind.parse(move.text) is not None for kind in kinds):
                return before
        return self.match

    def list_choices(self) -> tuple[tuple[Seat, MoveKind], ...]:
        """The kinds of move that can come next, each with its seat."""
        position, seats = self.match.position, [seat for seat in self.match.turn if self.may_try(seat)]
        found = ((seat, kind) for kind in self.match.game.moves for seat in seats if kind.when(position, seat))
        return tuple({kind.name: (seat, kind) for seat, kind in found}.values())

    def list_trials(self) -> tuple[tuple[Seat, MoveKind], ...]:
        """Those whose effect may be shown: while the match goes on not what players shall find out themselves."""
        return tuple((seat, kind) for seat, kind in self.list_choices() if kind.foreseen or not self.is_live)

    @property
    def reason(self) -> str:
        """Why no move can be tried."""
        return UNFORESEEN if self.list_choices() else SECRET if self.match.turn else OVER

    def expect_trials(self) -> Self:
        """The same line; raises a refusal if no move can be tried."""
        if not self.list_trials():
            raise Refusal(self.reason)
        return self

    def find_premove_line(self, owner: Seat | None) -> Line:
        """The part of the line that its owner can premove: from a move of the opponent's on the current board to their
        own last move; empty without one."""
        if not self.is_live or self.at < self.replay.line_count or not self.line or self.line[0].seat == owner:
            return ()
        last = max((at for at, move in enumerate(self.line, 1) if move.seat == owner), default=0)
        return self.line[:last]
