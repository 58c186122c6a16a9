"""A stored match with its game and position, what a viewer sees of it, and its proposals."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Literal, get_args

from bot.games.game import Game
from bot.games.legs import make_two_legged
from bot.games.options import BadOptions
from bot.games.position import MoveError, Position, Seat, Viewer, address_reader, name_seats
from bot.play.clocks import DAY
from bot.play.ids import NOWHERE, UNNAMED, ChannelId, GuildId, MatchId, UserId, is_computer, is_person, name_computer
from bot.play.league_tables import LeagueStanding
from bot.play.match import Match
from bot.play.record import Entry, Move, find_unmoved_seats, list_withdrawn_seats, parse_handovers
from bot.play.rows import MatchRecordRow, MatchRow, Player

# Proposals, which need the consent of all players, and refused proposals, with their stored forms.


Kind = Literal["takeback", "draw", "pause", "resume", "replace", "abort"]
"""An open "abort" is stored with each player; its refusals are stored as those of the others."""
KINDS: tuple[Kind, ...] = get_args(Kind)
RESUMES_AFTER = 3 * DAY
"""Seconds after which a paused match resumes if a player asked for that and no other has refused."""
MARK = 6
"""Bytes of the mark that identifies a proposal of a match."""
ABSENT, ACCEPTED = "gone", "yes"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a seat asks for. "replace": seat `of` goes to a `person`, who is notified by the match's version `due`, and
    has `accepted` or not; `absent`: the player on that seat has left the server and need not answer."""

    kind: Kind
    seat: Seat
    of: Seat | None = None
    person: UserId | None = None
    due: int = 0
    absent: bool = False
    accepted: bool = False

    @property
    def lapses_on_entry(self) -> bool:
        """Whether the next line of the record closes it."""
        return self.kind in ("takeback", "draw")

    def make_mark(self, proposed: int) -> str:
        """The mark that an answer carries, in hexadecimal, for this proposal, made at the moment `proposed`, alone.
        All users can read it, so it depends on nothing that counts secret moves."""
        text = f"{replace(self, due=0, absent=False, accepted=False)} {proposed}"
        return blake2b(text.encode(), digest_size=MARK).hexdigest()

    def is_same_as(self, other: Proposal) -> bool:
        """Whether this asks for the same as another; of replacements, for the same person, whichever seat asks."""
        if self.kind == other.kind == "replace":
            return self.person == other.person
        return self == other

    def __str__(self) -> str:
        whom = () if self.of is None or self.person is None else (self.of, self.person, self.due)
        flags = [word for word, is_so in ((ABSENT, self.absent), (ACCEPTED, self.accepted)) if is_so]
        return " ".join(map(str, (self.kind, self.seat, *whom, *flags)))

    @classmethod
    def parse(cls, text: str) -> Proposal:
        """Read a proposal as it is stored; ValueError for any other text."""
        kind, seat, *rest = text.split()
        whom, flags = (rest[:3], rest[3:]) if kind == "replace" else ([], rest)
        known = flags in ([], [ABSENT], [ACCEPTED], [ABSENT, ACCEPTED]) if whom else not flags
        if kind not in KINDS or not known or (kind == "replace") != (len(whom) == 3):
            raise ValueError(f"That is no proposal: {text!r}")
        proposal = cls(kind, int(seat))
        if not whom:
            return proposal
        of, person, due = map(int, whom)
        return replace(
            proposal, of=of, person=UserId(person), due=due, absent=ABSENT in flags, accepted=ACCEPTED in flags
        )


@dataclass(frozen=True, slots=True)
class RefusedProposal:
    """A proposal that was refused `by` a seat, or withdrawn by its own: when (`at`, epoch seconds), and after how many
    lines of the record that all may see (`seen`). Seat 0 stands for the person asked to take over. `version` is that of
    the match with this refusal; 0 if unknown."""

    proposal: Proposal
    by: Seat
    at: int
    seen: int
    version: int = 0

    @property
    def is_own_withdrawal(self) -> bool:
        """Whether the seat that asked withdrew it."""
        return self.by == self.proposal.seat

    def __str__(self) -> str:
        return f"{self.proposal} / {self.by} {self.at} {self.seen} {self.version}"

    @classmethod
    def parse(cls, text: str) -> RefusedProposal:
        """Read a refusal as it is stored; ValueError for any other text."""
        proposal, _, answer = text.partition("/")
        numbers = [*map(int, answer.split())]
        if len(numbers) not in (3, 4):
            raise ValueError(f"That is no refusal: {text!r}")
        return cls(Proposal.parse(proposal), *numbers)


def format_refusals(refusals: Iterable[RefusedProposal]) -> str | None:
    """Refusals as one text to be stored; None where there are none."""
    return "; ".join(map(str, refusals)) or None


def parse_refusals(text: str | None) -> tuple[RefusedProposal, ...]:
    """The refusals in a stored text, the latest last."""
    return tuple(RefusedProposal.parse(one) for one in text.split(";")) if text else ()


# A loaded match: the stored row with its players, its game, and the record folded into a position.


QUICKLY = 10
"""The most lines that are folded in the event loop: in a game with much geometry, more would block it for long."""
REMEMBERED = 2000
"""How many folded matches are kept in memory; a thousand live ones take a few megabytes."""


def mention_user(user: UserId) -> str:
    """A user in a sentence: a mention; a computer by its level; no name for users who deleted their data."""
    if is_computer(user):
        return name_computer(user)
    if user in UNNAMED:
        return f"Player {UNNAMED.index(user) + 1}"
    return f"<@{user}>" if user > 0 else "a former player"


class Refusal(Exception):
    """A refused act: nothing was changed; the text tells the user why, and what to do."""


class UnknownMatch(Refusal):
    """There is no such match in this server."""


def link_to(row: MatchRow) -> str:
    """A link to a match: to its board, else its lobby, else its channel."""
    message = row.board_message or (None if row.thread else row.lobby_message)
    place = row.board_channel if row.board_message else row.thread or row.channel
    return f"https://discord.com/channels/{name_guild(row.guild)}/{place}" + (f"/{message}" if message else "")


def name_guild(guild: GuildId) -> str:
    """A server in a link; in direct messages there is none."""
    return "@me" if guild == NOWHERE else str(guild)


def list_summoned(row: MatchRow) -> tuple[tuple[UserId, int], ...]:
    """Users who do not play a match and are notified of it, each with the version that notifies them: those asked to
    take over a seat, and those who have handed one on."""
    open_one = Proposal.parse(row.proposal) if row.proposal is not None and row.state == "live" else None
    is_asked = open_one is not None and not open_one.accepted
    asked = [(open_one.person, open_one.due)] if open_one and open_one.person is not None and is_asked else []
    handed = parse_handovers(row.substitutions) if row.substitutions else ()
    return (*asked, *((one.user, one.due) for one in handed if is_person(one.user)))


def list_due_versions(row: MatchRow) -> tuple[tuple[UserId, int], ...]:
    """The users who are notified of a match, each with the last version that concerns them; without those who have left
    the server."""
    return (*((player.user, player.mention_version) for player in row.players if not player.gone), *list_summoned(row))


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match as it was loaded; `match` is its folded record, None until it has begun."""

    row: MatchRecordRow
    game: Game
    match: Match | None
    before: Match | None = None
    """The match before its last turn: all that one seat plays in a row within a round, with the premoves that follow.
    None before the first turn."""
    away: tuple[tuple[UserId, int], ...] = field(default=(), kw_only=True)
    """Its players who are away, and until when; empty if not loaded."""
    best: int | None = field(default=None, kw_only=True)
    """Of a finished solo match: the best score of its server."""
    league: LeagueStanding | None = field(default=None, kw_only=True)
    """Whether its league counts it; None if it is of none, or if not loaded."""
    practised: bool = field(default=False, kw_only=True)
    """Whether each of its players has finished a match of its game; False if not loaded."""
    queued: str = field(default="", kw_only=True)
    """The sentence for its players while its computer waits in the queue, else empty."""

    @property
    def id(self) -> MatchId:
        return self.row.id

    @property
    def players(self) -> tuple[Player, ...]:
        """The players: by seat once the match has begun, before that in order of joining."""
        return tuple(sorted(self.row.players, key=lambda player: (player.seat or 0, player.joined)))

    @property
    def begun_match(self) -> Match:
        """The match, which must have begun."""
        assert self.match is not None
        return self.match

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats to move; none while the match is not live."""
        return self.match.turn if self.match and self.row.state == "live" else ()

    def seat_of(self, user: UserId) -> Seat | None:
        return next((player.seat for player in self.row.players if player.user == user), None)

    def user_at(self, seat: Seat) -> UserId:
        return next(player.user for player in self.row.players if player.seat == seat)

    def has(self, user: UserId) -> bool:
        return any(player.user == user for player in self.row.players)

    @contextmanager
    def name_seats(self, reader: Viewer) -> Generator[None]:
        """Replace seats by names in the refusals of the rules; `reader` is addressed as "you"."""
        try:
            yield
        except MoveError as fault:
            said = address_reader(str(fault), reader)
            raise type(fault)(name_seats(said, lambda seat: mention_user(self.user_at(seat)))) from fault

    @property
    def late_players(self) -> tuple[Player, ...]:
        """The players who are out of time and whose seats may be claimed, the earliest first."""
        out = (player for player in self.row.players if player.forfeit_at is not None and player.seat in self.turn)
        return tuple(sorted(out, key=lambda player: (player.deadline or 0, player.seat or 0)))

    @property
    def missing_players(self) -> tuple[Player, ...]:
        """The players of a live match who have left the server, and whose seats are still in it."""
        if self.match is None or self.row.state != "live":
            return ()
        out = self.match.withdrawn_seats
        return tuple(player for player in self.players if player.gone and player.seat not in out)

    def asks_to_abort(self, user: UserId) -> bool:
        return any(player.user == user and player.consent for player in self.row.players)

    def could_take_back(self, seat: Seat) -> bool:
        """Whether there is a move that a seat may ask to take back."""
        match = self.begun_match
        if self.row.state != "live" or match.game.secret or match.seats == 1 or seat in match.withdrawn_seats:
            return False
        at = match.last_move(seat)
        return at is not None and at >= self.row.imported_plies and not list_withdrawn_seats(match.standing[at:])

    @property
    def unmoved_seats(self) -> tuple[Seat, ...]:
        """The seats that never moved before the match was over, because of which it is not rated."""
        row = self.row
        was_to_be = row.rated and row.state == "finished" and row.seats > 1
        return find_unmoved_seats(row.record, row.seats) if was_to_be else ()

    @property
    def users_to_ping(self) -> tuple[UserId, ...]:
        """The users for whom a new board is to be posted below the one that is there."""
        return tuple(user for user, due in list_due_versions(self.row) if due > self.row.shown_version)

    @property
    def users_to_notify(self) -> tuple[UserId, ...]:
        """The users of a pending board whom no message has notified yet."""
        known = max(self.row.shown_version, self.row.told_version)
        return tuple(user for user, due in list_due_versions(self.row) if due > known)

    @property
    def play_channel(self) -> ChannelId:
        """The channel where the match is played: its thread if it has one."""
        return self.row.thread or self.row.channel

    @property
    def has_own_thread(self) -> bool:
        return self.row.thread not in (None, self.row.channel)

    @property
    def place_link(self) -> str:
        """A link to the channel or thread where the match is played."""
        return f"https://discord.com/channels/{name_guild(self.row.guild)}/{self.play_channel}"

    @property
    def link(self) -> str:
        return link_to(self.row)


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as a viewer may see it: the record and the position without what is hidden from them."""

    loaded: LoadedMatch
    match: Match
    viewer: Viewer
    position: Position
    record: tuple[Entry, ...]
    before: Position | None = None
    """The position before the last turn; None if there was none, or if it is still secret."""

    @classmethod
    def of(cls, loaded: LoadedMatch, viewer: Viewer) -> MatchView:
        """The view of a viewer: the whole match, once it is published."""
        match, before = loaded.begun_match, loaded.before
        published = loaded.row.published and match.is_over
        secret, lines = loaded.game.secret and not match.is_over, match.list_visible_entries(viewer, published)
        if secret:
            earlier = find_own_position_before(loaded, viewer, lines)
        else:
            # When a secret match ends, each player's moves are news to the others: all of them are shown.
            earlier = before.position.seen_by(None if loaded.game.secret else viewer) if before else None
        return cls(
            loaded,
            match,
            viewer,
            match.position if published else match.position.seen_by(viewer),
            lines,
            earlier,
        )

    @property
    def version(self) -> int:
        """The version of a surface that shows this: the number of its lines of the record."""
        return len(self.record)

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats to move; none when the match is not live."""
        return self.match.turn if self.loaded.row.state == "live" else ()


@dataclass(frozen=True, slots=True)
class FoldedMatch:
    """A match, and as it stood before each of its last two turns."""

    match: Match
    starts: tuple[Match, ...] = ()

    def enter(self, entry: Entry, after: Match | None = None, ready: Collection[int] = ()) -> FoldedMatch:
        """Add a line of the record, which continues a turn or begins one. `after`: the match then, if known; `ready`:
        the numbers of the lines that were premoves."""
        match, record = self.match, self.match.record
        same = (
            self.starts
            and record
            and isinstance(entry, Move)
            and isinstance(record[-1], Move)
            and record[-1].seat == entry.seat
        )
        goes_on = same and self.starts[-1].position.round == match.position.round or len(record) + 1 in ready
        return FoldedMatch(after or match.enter(*entry), self.starts if goes_on else (*self.starts[-1:], match))


def open_match(game: Game, row: MatchRecordRow) -> Match:
    """A match when it began: without moves, or with the lines imported from another."""
    match = Match.start(game, row.options, row.seats)
    for entry in row.record[: row.imported_plies]:
        match = match.enter(*entry)
    return match


def find_own_position_before(loaded: LoadedMatch, viewer: Viewer, visible: tuple[Entry, ...]) -> Position | None:
    """The position before a player's own last line in a game with secrets, as that player sees it; None where the last
    line that they see is another's. What others have done in secret since changes nothing about it."""
    if not (visible and visible[-1].seat == viewer):
        return None
    record = loaded.begun_match.record
    at = max(at for at, line in enumerate(record) if line.seat == viewer)
    near = loaded.before if loaded.before and len(loaded.before.record) <= at else open_match(loaded.game, loaded.row)
    for line in record[len(near.record) : at]:
        near = near.enter(*line)
    return near.position.seen_by(viewer)


class FoldCache:
    """Folds stored matches, and caches the last `REMEMBERED`."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games
        self._remembered: OrderedDict[MatchId, FoldedMatch] = OrderedDict()

    def __call__(self, row: MatchRecordRow, decided: Match | None = None) -> LoadedMatch:
        """A stored match, folded; `UnknownMatch` if its game is gone, or its rules have changed.

        `decided` is the match with the last line of its record, if it was just played.
        """
        game = self.games.get(row.game)
        if game is None:
            raise UnknownMatch(f"Match {row.id} is of a game that is not here any more: {row.game}.")
        begun = any(player.seat for player in row.players)
        try:
            game = make_two_legged(game) if row.legs == 2 else game
            return self._fold_begun(game, row, decided) if begun else LoadedMatch(row, game, None)
        except (BadOptions, MoveError) as fault:
            broken = f"its moves break the rules of {game.title}, which were corrected since"
            raise UnknownMatch(f"Match {row.id} cannot be shown any more: {broken}.") from fault

    def is_long(self, row: MatchRecordRow) -> bool:
        """Whether folding a row may take long because few of its lines are cached, as after a restart."""
        remembered = self._remembered.get(row.id)
        return len(row.record) - (len(remembered.match.record) if remembered else 0) > QUICKLY

    def _fold_begun(self, game: Game, row: MatchRecordRow, decided: Match | None) -> LoadedMatch:
        fold = self._remembered.pop(row.id, None)
        if fold is None or fold.match.record != row.record[: len(fold.match.record)]:
            fold = FoldedMatch(open_match(game, row))
        for entry in row.record[len(fold.match.record) :]:
            last = len(fold.match.record) + 1 == len(row.record)
            fold = fold.enter(entry, decided if last else None, row.premove_plies)
        self._remembered[row.id] = fold
        while len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return LoadedMatch(row, game, fold.match, *fold.starts[-1:])

    def fold_at(self, loaded: LoadedMatch, plies: int) -> LoadedMatch:
        """The match as it stood after `plies` lines of its record."""
        if plies == len(loaded.begun_match.record):
            return loaded
        known = self._remembered.get(loaded.id)
        if known and known.starts and known.starts[-1].record == loaded.row.record[:plies]:
            # Mostly the match of one turn ago is asked for.
            fold = FoldedMatch(known.starts[-1], known.starts[:-1])
        else:
            fold = FoldedMatch(open_match(loaded.game, loaded.row))
        for entry in loaded.row.record[len(fold.match.record) : plies]:
            fold = fold.enter(entry, ready=loaded.row.premove_plies)
        return replace(loaded, match=fold.match, before=fold.starts[-1] if fold.starts else None)
