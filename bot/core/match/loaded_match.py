"""A loaded match: the stored row with its players, its game, and the record folded into a position.

Folds are cached. The stored record decides: a cached fold is used only if its record is the beginning of the stored
one, and the rest is folded onto it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from bot.core.game.game import Game
from bot.core.game.options import BadOptions
from bot.core.game.position import MoveError, Position
from bot.core.game.two_legs import in_legs
from bot.core.match.handover import handings
from bot.core.match.match import Match
from bot.core.match.proposal import Proposal
from bot.core.match.record import Entry, Move, unmoved, withdrawn
from bot.core.match.stored import MatchRow, Player, Stored
from bot.core.values.computer_users import UNNAMED, is_computer, is_person, named
from bot.core.values.ids import ChannelId, MatchId, UserId
from bot.core.values.seats import Seat, Viewer, addressed, peopled

QUICKLY = 10
"""How many lines are folded in the event loop; more would hold everybody else up, in a game with much geometry."""
REMEMBERED = 2000
"""How many folded matches are kept in memory; a thousand live ones take a few megabytes."""


def person(user: UserId) -> str:
    """A user in a sentence: a mention; a computer by its level; no name for users who were forgotten."""
    if is_computer(user):
        return named(user)
    if user in UNNAMED:
        return f"Player {UNNAMED.index(user) + 1}"
    return f"<@{user}>" if user > 0 else "a former player"


class Refusal(Exception):
    """An act that was refused: nothing was changed, and the text tells the user why, and what to do."""


class UnknownMatch(Refusal):
    """There is no such match in this server."""


def link_to(row: MatchRow) -> str:
    """Where people find a match, as a link to its board, its lobby or at least its channel."""
    message = row.board_message or (None if row.thread else row.lobby_message)
    place = row.board_channel if row.board_message else row.thread or row.channel
    return f"https://discord.com/channels/{row.guild}/{place}" + (f"/{message}" if message else "")


def summoned(row: MatchRow) -> tuple[tuple[UserId, int], ...]:
    """Users who do not play a match and are notified of it, each with the version that notifies them: those who are
    asked to take over a seat, and those who have handed one on."""
    open_one = Proposal.parse(row.proposal) if row.proposal is not None and row.state == "live" else None
    is_asked = open_one is not None and not open_one.accepted
    asked = [(open_one.person, open_one.due)] if open_one and open_one.person is not None and is_asked else []
    handed = handings(row.substitutions) if row.substitutions else ()
    return (*asked, *((one.user, one.due) for one in handed if is_person(one.user)))


def dues(row: MatchRow) -> tuple[tuple[UserId, int], ...]:
    """The users who are notified of a match, each with the last version that concerns them; without those who have left
    the server."""
    return (*((player.user, player.mention_version) for player in row.players if not player.gone), *summoned(row))


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match as it was loaded; `match` is its folded record, None until it has begun."""

    row: Stored
    game: Game
    match: Match | None
    before: Match | None = None
    """The match before its last turn. A turn is what one seat plays in a row within a round, with what was prepared for
    it. None before the first."""
    away: tuple[tuple[UserId, int], ...] = field(default=(), kw_only=True)
    """Its players who are away, and until when; empty where that was not loaded."""
    struck: tuple[UserId, ...] = field(default=(), kw_only=True)
    """Its players who were struck out of its league, in which it no longer counts; empty where that was not loaded."""
    best: int | None = field(default=None, kw_only=True)
    """The record of its server, of a finished match that one person has played alone."""
    in_league: bool = field(default=False, kw_only=True)
    """Whether a league counts it; False where that was not loaded."""
    queued: str = field(default="", kw_only=True)
    """The sentence for its players while its computer waits in the queue; empty where it does not."""

    @property
    def id(self) -> MatchId:
        """The number of the match."""
        return self.row.id

    @property
    def players(self) -> tuple[Player, ...]:
        """The people at the table: by seat once the match has begun, before that by joining."""
        return tuple(sorted(self.row.players, key=lambda player: (player.seat or 0, player.joined)))

    @property
    def folded(self) -> Match:
        """The match, which must have begun."""
        assert self.match is not None
        return self.match

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats to move; none while the match is not live."""
        return self.match.turn if self.match and self.row.state == "live" else ()

    def seat_of(self, user: UserId) -> Seat | None:
        """The seat of a person, if they have one."""
        return next((player.seat for player in self.row.players if player.user == user), None)

    def user_at(self, seat: Seat) -> UserId:
        """The person in a seat."""
        return next(player.user for player in self.row.players if player.seat == seat)

    def has(self, user: UserId) -> bool:
        return any(player.user == user for player in self.row.players)

    @contextmanager
    def naming(self, reader: Viewer) -> Generator[None]:
        """Replace seats by names in the refusals of the rules; `reader` is addressed as "you"."""
        try:
            yield
        except MoveError as fault:
            said = addressed(str(fault), reader)
            raise type(fault)(peopled(said, lambda seat: person(self.user_at(seat)))) from fault

    @property
    def late(self) -> tuple[Player, ...]:
        """The players who are out of time and may be claimed, the earliest first."""
        out = (player for player in self.row.players if player.forfeit_at is not None and player.seat in self.turn)
        return tuple(sorted(out, key=lambda player: (player.deadline or 0, player.seat or 0)))

    @property
    def missing(self) -> tuple[Player, ...]:
        """The players of a live match who have left the server, and whose seats are still in it."""
        if self.match is None or self.row.state != "live":
            return ()
        out = self.match.withdrawn
        return tuple(player for player in self.players if player.gone and player.seat not in out)

    def asks_to_abort(self, user: UserId) -> bool:
        """Whether a user asks for the match to be aborted."""
        return any(player.user == user and player.consent for player in self.row.players)

    def could_take_back(self, seat: Seat) -> bool:
        """Whether there is a move that a seat may ask to take back."""
        match = self.folded
        if self.row.state != "live" or match.game.secret or match.seats == 1 or seat in match.withdrawn:
            return False
        at = match.last_move(seat)
        return at is not None and at >= self.row.imported_plies and not withdrawn(match.standing[at:])

    @property
    def unmoved(self) -> tuple[Seat, ...]:
        """Why a match that was to be rated is not: the seats that never moved before it was over."""
        row = self.row
        was_to_be = row.rated and row.state == "finished" and row.seats > 1
        return unmoved(row.record, row.seats) if was_to_be else ()

    @property
    def unshown(self) -> tuple[UserId, ...]:
        """The users for whom a new board is to be posted below the one that is there."""
        return tuple(user for user, due in dues(self.row) if due > self.row.shown_version)

    @property
    def untold(self) -> tuple[UserId, ...]:
        """The users of a pending board whom no message has notified yet."""
        known = max(self.row.shown_version, self.row.told_version)
        return tuple(user for user, due in dues(self.row) if due > known)

    @property
    def place(self) -> ChannelId:
        """The channel where the match is played: its thread if it has one."""
        return self.row.thread or self.row.channel

    @property
    def threaded(self) -> bool:
        """Whether the match has a thread of its own."""
        return self.row.thread not in (None, self.row.channel)

    @property
    def home(self) -> str:
        """A link to the channel or thread where the match is played."""
        return f"https://discord.com/channels/{self.row.guild}/{self.place}"

    @property
    def link(self) -> str:
        """Where people find the match."""
        return link_to(self.row)


@dataclass(frozen=True, slots=True)
class Sight:
    """A match as a viewer may see it: the record and the position without what is hidden from them."""

    seated: LoadedMatch
    match: Match
    viewer: Viewer
    position: Position
    record: tuple[Entry, ...]
    before: Position | None = None
    """The position before the last turn; None where there was none, or where it is still a secret."""

    @classmethod
    def of(cls, seated: LoadedMatch, viewer: Viewer) -> Sight:
        """The view of a viewer: the whole match, once it is published."""
        match, before = seated.folded, seated.before
        published = seated.row.published and match.finished
        known = before.position if before and (match.finished or not seated.game.secret) else None
        return cls(
            seated,
            match,
            viewer,
            match.position if published else match.position.seen_by(viewer),
            match.shown(viewer, published),
            # After the end of secret work, one's own is news to the others, and theirs to oneself: all of it is told.
            None if known is None else known.seen_by(None if seated.game.secret else viewer),
        )

    @property
    def version(self) -> int:
        """The version of a surface that shows this: the number of its lines of the record."""
        return len(self.record)

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats to move; none when the match is not live."""
        return self.match.turn if self.seated.row.state == "live" else ()


@dataclass(frozen=True, slots=True)
class Fold:
    """A match, and as it stood before each of its last two turns."""

    match: Match
    starts: tuple[Match, ...] = ()

    def enter(self, entry: Entry, after: Match | None = None, ready: Collection[int] = ()) -> Fold:
        """Add a line of the record, which goes on with a turn or begins another. `after`: the match then, if known;
        `ready`: the numbers of the lines that were prepared."""
        match, record = self.match, self.match.record
        same = (
            self.starts
            and record
            and isinstance(entry, Move)
            and isinstance(record[-1], Move)
            and record[-1].seat == entry.seat
        )
        goes_on = same and self.starts[-1].position.round == match.position.round or len(record) + 1 in ready
        return Fold(after or match.enter(*entry), self.starts if goes_on else (*self.starts[-1:], match))


def opened(game: Game, row: Stored) -> Match:
    """A match when it began: without moves, or where another has left off."""
    match = Match.start(game, row.options, row.seats)
    for entry in row.record[: row.imported_plies]:
        match = match.enter(*entry)
    return match


class FoldCache:
    """Folds stored matches, remembering the last few thousand."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games
        self._remembered: OrderedDict[MatchId, Fold] = OrderedDict()

    def __call__(self, row: Stored, decided: Match | None = None) -> LoadedMatch:
        """A stored match, folded; `UnknownMatch` where its game is gone, or another one by now.

        `decided` is the match with the last line of its record, if it was just played.
        """
        game = self.games.get(row.game)
        if game is None:
            raise UnknownMatch(f"Match {row.id} is of a game that is not here any more: {row.game}.")
        begun = any(player.seat for player in row.players)
        try:
            game = in_legs(game) if row.legs == 2 else game
            return self._begun(game, row, decided) if begun else LoadedMatch(row, game, None)
        except (BadOptions, MoveError) as fault:
            broken = f"its moves break the rules of {game.title}, which were corrected since"
            raise UnknownMatch(f"Match {row.id} cannot be shown any more: {broken}.") from fault

    def is_long(self, row: Stored) -> bool:
        """Whether folding a row may take long because few of its lines are cached, as after a restart."""
        remembered = self._remembered.get(row.id)
        return len(row.record) - (len(remembered.match.record) if remembered else 0) > QUICKLY

    def _begun(self, game: Game, row: Stored, decided: Match | None) -> LoadedMatch:
        fold = self._remembered.pop(row.id, None)
        if fold is None or fold.match.record != row.record[: len(fold.match.record)]:
            fold = Fold(opened(game, row))
        for entry in row.record[len(fold.match.record) :]:
            last = len(fold.match.record) + 1 == len(row.record)
            fold = fold.enter(entry, decided if last else None, row.premove_plies)
        self._remembered[row.id] = fold
        while len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return LoadedMatch(row, game, fold.match, *fold.starts[-1:])

    def at(self, seated: LoadedMatch, plies: int) -> LoadedMatch:
        """The match as it stood after `plies` lines of its record."""
        if plies == len(seated.folded.record):
            return seated
        known = self._remembered.get(seated.id)
        if known and known.starts and known.starts[-1].record == seated.row.record[:plies]:
            # Nearly always the match is wanted as it was one turn ago.
            fold = Fold(known.starts[-1], known.starts[:-1])
        else:
            fold = Fold(opened(seated.game, seated.row))
        for entry in seated.row.record[len(fold.match.record) : plies]:
            fold = fold.enter(entry, ready=seated.row.premove_plies)
        return replace(seated, match=fold.match, before=fold.starts[-1] if fold.starts else None)
