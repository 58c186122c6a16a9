"""What an act makes of a match, or why it is refused: challenges' limits, refusals, moves, resigning, accepting.

An act is a pure function of a match and of what is asked; it returns an `Outcome`, or raises a refusal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import sub

from bot.games.game import Game
from bot.games.legs import LegMove
from bot.games.moves import MoveKind
from bot.games.options import BadOptions
from bot.games.position import Seat
from bot.games.wording import Plural, join_words
from bot.play import rows
from bot.play.ids import MessageId, UserId, is_computer
from bot.play.loaded_match import LoadedMatch, Refusal, link_to, mention_user
from bot.play.match import Match
from bot.play.record import Entry, Move, Takeback
from bot.play.rows import ChallengeRequest, MatchRecordRow, MatchRow, NewMatch, ServerSettings, State

# Challenge limits: how often people may be asked to play, and the refusals where a cap is reached. Pure.


HOUR = 3600
OPEN_DAYS = 2
"""Days until an unanswered challenge expires; named in the text, above Discord's own countdown."""
OPEN_FOR = OPEN_DAYS * 24 * HOUR
"""The same in seconds."""
MOST_OPEN, MOST_FROM_ONE, MOST_FROM_ALL = 10, 5, 20
"""The default caps: open challenges and tables of one user, and challenges that reach a user within an hour, from one
user and from all the server. Friends who play a lot challenge each other a few times in an evening."""
MOST_WITH_COMPUTERS = 12
"""The most matches with computers that one user may have under way in a server: each takes its share of the
searches."""
MOST_IN_MESSAGES = 3
"""The most matches that one user may have under way in direct messages, where their boards stand one below another."""
MOST_GIVEN = 3_000
"""The most moves copied in an hour into matches of one user that go on from a position."""
MOST = 1000
"""The highest value of a cap. No cap can be lifted: it protects users who have no say in the setting."""


OPENED = Plural(
    "You have {number} open challenge in this server, which is the limit. Wait for an answer, or cancel it; /matches "
    "lists it.",
    "You have {number} open challenges in this server, which is the limit. Wait for an answer, or cancel one; /matches "
    "lists them.",
)
BY_ONE = Plural(
    "You have challenged {guest} once in the last hour.", "You have challenged {guest} {number} times in the last hour."
)
BY_ALL = Plural(
    "{guest} has been challenged once in the last hour.",
    "{guest} has been challenged {number} times in the last hour.",
)
YOU_PLAY = (
    "You are already playing {number} matches against the computer in this server, which is the limit. Finish or "
    "resign one first. The oldest is match {match}, {link}."
)
YOU_PLAY_HERE = (
    "You are already playing {number} matches in these direct messages, which is the limit. Finish or resign one "
    "first. The oldest is match {match}, {link}."
)
THEY_PLAY = (
    "{who} is already playing {number} matches against the computer in this server, which is the limit. One must be "
    "finished or resigned first. The oldest is match {match}."
)


GIVEN = (
    "You have played on from positions of {number} moves in the last hour, and {most} is the limit. Try again {when}."
)


class TooManyChallenges(Refusal):
    """A challenge that exceeds a cap."""


def find_caps(settings: ServerSettings) -> tuple[int, int, int]:
    """A server's caps on challenges: open at a time, received from one user, received from all."""
    return (
        settings.most_open or MOST_OPEN,
        settings.most_from_one or MOST_FROM_ONE,
        settings.most_from_all or MOST_FROM_ALL,
    )


def expect_patience(
    new: NewMatch, guests: Iterable[UserId], settings: ServerSettings, opened: int, asks: Sequence[ChallengeRequest]
) -> None:
    """Refuse a challenge where its host has `opened` the most allowed, or a guest has received the most allowed.

    `asks` are those of the last hour that reached any of the guests, the oldest first.
    """
    most_open, _, _ = find_caps(settings)
    if new.seats > 1 and opened >= most_open:
        raise TooManyChallenges(OPENED.fill_in(opened))
    expect_unasked(new.host, guests, settings, asks)


def expect_few_given(new: NewMatch, before: Sequence[tuple[int, int]]) -> None:
    """Refuse a match that goes on from a position where too many moves were copied for the user in the last hour:
    `before` are the moments of such matches, and how many moves each was given, the oldest first. A user's first is
    never refused, however long its record."""
    number = sum(given for _, given in before)
    if not before or number + len(new.lines) <= MOST_GIVEN:
        return
    left = accumulate((given for _, given in before), sub, initial=number)
    fits = (index for index, rest in enumerate(left) if rest + len(new.lines) <= MOST_GIVEN)
    free = next(fits, len(before))
    raise TooManyChallenges(GIVEN.format(number=number, most=MOST_GIVEN, when=f"<t:{before[free - 1][0] + HOUR}:R>"))


def expect_unasked(
    asker: UserId, guests: Iterable[UserId], settings: ServerSettings, asks: Sequence[ChallengeRequest]
) -> None:
    """Refuse to challenge a user who has received the most challenges allowed, from one user or from all."""
    _, from_one, from_all = find_caps(settings)
    for guest in guests:
        got = [ask for ask in asks if ask.asked == guest]
        own = [ask for ask in got if ask.asker == asker]
        if len(own) >= from_one:
            raise TooManyChallenges(
                f"{BY_ONE.fill_in(len(own), guest=mention_user(guest))} {describe_when_again(own, from_one)}"
            )
        if len(got) >= from_all:
            raise TooManyChallenges(
                f"{BY_ALL.fill_in(len(got), guest=mention_user(guest))} {describe_when_again(got, from_all)}"
            )


def expect_few_in_messages(live: Sequence[MatchRow]) -> None:
    """Refuse another match in direct messages to a user who has the most allowed under way, the oldest first."""
    if len(live) >= MOST_IN_MESSAGES:
        told = YOU_PLAY_HERE.format(number=len(live), match=live[0].id, link=link_to(live[0]))
        raise TooManyChallenges(told)


def expect_few(user: UserId, alone: bool, live: Sequence[MatchRow]) -> None:
    """Refuse another match with computers to a user who has the most allowed under way, the oldest first; `alone` where
    no other user is told of it."""
    playing = [row for row in live if any(is_computer(player.user) for player in row.players)]
    if len(playing) < MOST_WITH_COMPUTERS:
        return
    told = YOU_PLAY if alone else THEY_PLAY
    raise TooManyChallenges(
        told.format(who=mention_user(user), number=len(playing), match=playing[0].id, link=link_to(playing[0]))
    )


def describe_when_again(asks: Sequence[ChallengeRequest], most: int) -> str:
    """The sentence on when to ask again: when the oldest request that counts falls out of the hour."""
    return f"Ask again <t:{asks[-most].at + HOUR}:R>, or ask somebody else."


# Refusals: the errors that refuse an act, with a sentence for the user, and the checks that raise them.


NOBODY = UserId(0)
"""The acting user of deadlines."""
TABLE_IS_YOURS = "You opened this table. Press Cancel to close it."
CHALLENGE_IS_YOURS = "This is your challenge. Press Decline to withdraw it."
EXPIRED = f"This challenge expired after {OPEN_DAYS} days. Make a new one."
ENDED = {
    "finished": "This match is over.",
    "aborted": "This match was called off.",
    "declined": "This challenge was declined. Make a new one.",
    "cancelled": "This challenge was withdrawn. Make a new one.",
    "expired": EXPIRED,
}
"""Why a match or a challenge can no longer be changed, by its state."""


class NotYours(Refusal):
    """The user is not in the match, or only another user may do this."""


class NotYourTurn(Refusal):
    """Another seat is to move."""


class NotPossibleNow(Refusal):
    """The match or the challenge is over, or has not begun."""


class StaleBoard(Refusal):
    """The user acted on a board that is out of date; `loaded` is the match as it is now."""

    def __init__(self, sentence: str, loaded: LoadedMatch) -> None:
        super().__init__(sentence)
        self.loaded = loaded


class ReturnedMove(Refusal):
    """A refused move that took some typing: it is shown again in the form, to be corrected."""

    def __init__(
        self, sentence: str, loaded: LoadedMatch, seat: Seat, kind: MoveKind, values: Mapping[str, str]
    ) -> None:
        super().__init__(sentence)
        self.loaded, self.seat, self.kind, self.values = loaded, seat, kind, values


def expect_open(loaded: LoadedMatch) -> None:
    if loaded.row.state == "live":
        raise NotPossibleNow("This match has already begun.")
    if loaded.row.state != "open":
        raise NotPossibleNow(ENDED[loaded.row.state])


def expect_time(loaded: LoadedMatch, now: int) -> None:
    """Refuse acts on a challenge that has expired, also before it has been closed."""
    if loaded.row.state == "open" and loaded.row.expires is not None and loaded.row.expires <= now:
        raise NotPossibleNow(EXPIRED)


def expect_current(loaded: LoadedMatch) -> None:
    """Refuse acts in a match whose rules were corrected since it began: it is about to be closed."""
    if loaded.row.state == "live" and loaded.row.game_version != loaded.game.version:
        raise NotPossibleNow(explain_correction(loaded.game))


def explain_correction(game: Game) -> str:
    """Why a match of an earlier version of a game cannot go on."""
    return f"This match was closed, unrated: the rules of {game.title} were corrected while it was being played."


def expect_free_seat(loaded: LoadedMatch) -> None:
    """Refuse a user who cannot join an open table."""
    if len(loaded.row.players) < loaded.row.seats:
        return
    if any(player.invited for player in loaded.row.players):
        raise NotYours("This challenge is for somebody else. You can make your own with /play.")
    raise NotPossibleNow("Every seat at this table is taken.")


def expect_live(loaded: LoadedMatch) -> None:
    if loaded.row.state == "open":
        raise NotPossibleNow("This match hasn't begun yet: not everybody has joined.")
    if loaded.row.state != "live":
        raise NotPossibleNow(ENDED[loaded.row.state])


def expect_seat(loaded: LoadedMatch, user: UserId) -> Seat:
    """The seat of a user in a live match; raises a refusal."""
    expect_live(loaded)
    seat = loaded.seat_of(user)
    if seat is None:
        players = join_words([mention_user(player.user) for player in loaded.players])
        raise NotYours(f"You aren't in this match. It is between {players}.")
    return seat


def mention_movers(loaded: LoadedMatch) -> str:
    return join_words([mention_user(loaded.user_at(seat)) for seat in loaded.turn], " or ")


# Decisions: what an act makes of a match, or why it is refused.


DESERTED = "Only computers were left, so the match was called off. It doesn't count."
"""The reason for aborting a match whose last human player has left."""
HOST_GONE = "{host} has left this server, so this match can't begin. Use /play to make a challenge of your own."


def list_others(loaded: LoadedMatch, user: UserId) -> tuple[UserId, ...]:
    """All users at the table except one."""
    return tuple(player.user for player in loaded.row.players if player.user != user)


@dataclass(frozen=True, slots=True)
class ClockEffects:
    """The effects of an act on the clocks: the seats that have a `fresh` turn, and those whose turn or move is
    `spent`."""

    fresh: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an act makes of a match: its row afterwards, and what is to be told and counted.

    The umpire adds the time, the drawn seats of a match that begins, the clocks and the mentions, and writes how `row`
    differs from the row before. `told` are the users whom the next message mentions, `turned` the effect of new lines
    of the record on the clocks. `handed`: whose seat passed to whom; `asked`: who invites whom, which counts towards
    the caps on challenges. `match` is the match folded with the new lines; None without any.
    """

    row: MatchRecordRow
    told: tuple[UserId, ...] = ()
    turned: ClockEffects | None = None
    handed: tuple[UserId, UserId] | None = None
    asked: tuple[UserId, UserId] | None = None
    match: Match | None = None


def apply_outcome(loaded: LoadedMatch, outcome: Outcome) -> LoadedMatch:
    """The match after an act, on which another act may follow."""
    return replace(loaded, row=outcome.row, match=outcome.match or loaded.match)


def has_begun(before: MatchRow, after: MatchRow) -> bool:
    """Whether a match began between two of its rows."""
    return before.state == "open" and after.state == "live"


def has_ended(before: MatchRow, after: MatchRow) -> bool:
    """Whether a match or a challenge ended between two of its rows."""
    return before.state in ("open", "live") and after.state not in ("open", "live")


def find_new_lines(before: MatchRecordRow, after: MatchRecordRow) -> tuple[Entry, ...]:
    """The lines of the record that were added between two rows of a match."""
    return after.record[len(before.record) :]


def configure_options(game: Game, options: Mapping[str, int | str], seats: int) -> dict[str, int | str]:
    """The settled options of a match; raises a refusal that states the bounds."""
    try:
        return game.configure(options, seats).to_record()
    except BadOptions as refusal:
        raise Refusal(str(refusal)) from None


def exclude_gone(loaded: LoadedMatch, gone: Collection[UserId]) -> LoadedMatch:
    """A table without the users who have left the server; raises a refusal where its host has."""
    if loaded.row.host in gone:
        raise Refusal(HOST_GONE.format(host=mention_user(loaded.row.host)))
    here = tuple(player for player in loaded.row.players if player.user not in gone)
    return replace(loaded, row=replace(loaded.row, players=here))


def accept(loaded: LoadedMatch, user: UserId, lobby: MessageId | None = None, gone: Collection[UserId] = ()) -> Outcome:
    """An invited user accepts, or any user takes a free seat; the last one needed begins the match. Users who are
    `gone` do not count.

    `lobby` is the message whose button was pressed; it is stored if the match has none.
    """
    expect_open(loaded)
    loaded = exclude_gone(loaded, gone)
    row, invitation = loaded.row, loaded.row.find_player(user)
    if invitation and not invitation.invited:
        raise NotYours("You already sit at this table. It is waiting for the others.")
    if invitation is None:
        expect_free_seat(loaded)
    row = row.change_player(user, invited=False) if invitation else row.add_player(user)
    if row.lobby_message is None and lobby is not None:
        row = replace(row, lobby_message=lobby)
    if len(row.players) < row.seats or any(player.invited for player in row.players):
        return Outcome(row)
    return begin_match(row, list_others(loaded, user))


def begin_match(row: MatchRecordRow, told: tuple[UserId, ...] = ()) -> Outcome:
    """Begin a match with all users of its table, of whom some are told."""
    return Outcome(replace(row, state="live", seats=len(row.players)), told)


def leave(loaded: LoadedMatch, user: UserId) -> Outcome:
    """A user leaves the table that they joined."""
    expect_open(loaded)
    asked = any(player.invited for player in loaded.row.players)
    if user == loaded.row.host:
        raise NotYours(CHALLENGE_IS_YOURS if asked else TABLE_IS_YOURS)
    if not loaded.has(user):
        raise NotYours("You don't sit at this table.")
    if asked or rows.list_decliners(loaded.row):
        return decline(loaded, user)
    return Outcome(loaded.row.remove_players((user,)))


def decline(loaded: LoadedMatch, user: UserId, gone: Collection[UserId] = ()) -> Outcome:
    """An invited user declines, or one who has joined leaves. With too few left the challenge is over; else their seat
    is free, and the host decides how it goes on, or the challenge starts without them. If the host declines, the
    challenge is cancelled. A match does not begin by itself with a user who is `gone` from the server.

    The host is told once of each user, however often they join and decline.
    """
    expect_open(loaded)
    if user == loaded.row.host:
        return cancel(loaded, user)
    if (player := loaded.row.find_player(user)) is None:
        raise NotYours("Only somebody who was challenged can decline.")
    before, fewer = rows.list_decliners(loaded.row), rows.starts_with_fewer(loaded.row)
    row = replace(loaded.row, refused=note_decliner(loaded.row, user, joined=not player.invited))
    if len(row.players) - 1 < max(2, loaded.game.seats[0]):
        return Outcome(replace(row, state="declined"), list_others(loaded, user))
    row = row.remove_players((user,))
    if fewer and (outcome := start_with_fewer(loaded.game, row, gone)):
        return outcome
    return Outcome(row, () if user in before else (row.host,))


def note_decliner(row: MatchRow, user: UserId, joined: bool) -> str:
    """Who has declined a challenge and who has left it, with one more, who had `joined` or not."""
    kept, leavers = [one for one in rows.list_decliners(row) if one != user], rows.list_leavers(row)
    declined, left = ([one for one in kept if (one in leavers) is gone] for gone in (False, True))
    (left if joined else declined).append(user)
    return rows.format_decliners(declined, rows.starts_with_fewer(row), left)


def start_with_fewer(game: Game, row: MatchRecordRow, gone: Collection[UserId]) -> Outcome | None:
    """The outcome if a challenge starts without a user who has just declined: it has a seat less, and begins once all
    who are left have joined. None where the host has to decide, since the game does not allow so few, or a user is
    gone."""
    row = replace(row, seats=row.seats - 1)
    if row.seats not in game.seats:
        return None
    try:
        configure_options(game, row.options, row.seats)
    except Refusal:
        return None
    if len(row.players) < row.seats or any(player.invited for player in row.players):
        return Outcome(row)
    if any(player.user in gone for player in row.players):
        return None
    return begin_match(row, tuple(player.user for player in row.players))


def narrow(loaded: LoadedMatch, user: UserId, gone: Collection[UserId] = ()) -> Outcome:
    """The host of a declined challenge plays with those who are left, as soon as all of them have joined. Users who are
    `gone` from the server do not count."""
    expect_open(loaded)
    loaded = exclude_gone(loaded, gone)
    expect_host(loaded, user)
    row, left = loaded.row, len(loaded.row.players)
    if left >= row.seats:
        raise NotPossibleNow(f"This match is already for {row.seats} players.")
    if row.imported_plies:
        raise Refusal(f"This position is for {row.seats} players. Ask somebody else to join.")
    fewest = max(2, loaded.game.seats[0])
    if left < fewest or left not in loaded.game.seats:
        raise Refusal(f"{loaded.game.title} needs at least {fewest} players. Ask somebody else to join.")
    configure_options(loaded.game, row.options, left)
    if any(player.invited for player in row.players):
        return Outcome(replace(row, seats=left))
    return begin_match(row, list_others(loaded, user))


def invite_user(loaded: LoadedMatch, user: UserId, whom: UserId, now: int) -> Outcome:
    """The host of a challenge with a free seat invites another user, who has as long to answer as the others had."""
    expect_open(loaded)
    expect_host(loaded, user)
    if loaded.has(whom):
        raise Refusal(f"{mention_user(whom)} is already at this table. Ask somebody else.")
    if whom in rows.list_decliners(loaded.row) and whom not in rows.list_leavers(loaded.row):
        raise Refusal(f"{mention_user(whom)} has already declined. Ask somebody else.")
    if len(loaded.row.players) >= loaded.row.seats:
        raise NotPossibleNow("Every seat at this table is taken.")
    row = replace(loaded.row.add_player(whom, invited=True), expires=now + OPEN_FOR)
    return Outcome(row, (whom,), asked=(user, whom))


def expect_host(loaded: LoadedMatch, user: UserId) -> None:
    if user != loaded.row.host:
        raise NotYours(f"Only {mention_user(loaded.row.host)}, who made this challenge, can decide that.")


def cancel(loaded: LoadedMatch, user: UserId, manager: bool = False) -> Outcome:
    """The host, or a manager of the server, cancels the challenge."""
    expect_open(loaded)
    if user != loaded.row.host and not manager:
        raise NotYours(f"Only {mention_user(loaded.row.host)}, who made this challenge, can cancel it.")
    return Outcome(replace(loaded.row, state="cancelled"))


def close(row: MatchRecordRow, state: State, reason: str | None) -> Outcome:
    """Close a challenge that has expired, or a match that cannot go on, and tell all its players; it is not rated."""
    told = tuple(player.user for player in row.players if not is_computer(player.user))
    closed = row.change_players(told, prepared=None)
    return Outcome(replace(closed, state=state, close_reason=reason, rated=False), told)


def begin_early(loaded: LoadedMatch, user: UserId, gone: Collection[UserId] = ()) -> Outcome:
    """The host begins with those who have joined, where the game allows so few; invited users who have not answered,
    and those `gone` from the server, are left out."""
    expect_open(loaded)
    loaded = exclude_gone(loaded, gone)
    if user != loaded.row.host:
        raise NotYours(f"Only {mention_user(loaded.row.host)}, who opened this table, can begin early.")
    sitting = [player.user for player in loaded.row.players if not player.invited]
    if len(sitting) not in loaded.game.seats:
        fewest = loaded.game.seats[0]
        raise Refusal(f"{loaded.game.title} needs at least {fewest} players. Wait for somebody else to join.")
    if loaded.row.imported_plies:
        raise Refusal(f"This position is for {loaded.row.seats} players. Wait for the others to join.")
    configure_options(loaded.game, loaded.row.options, len(sitting))
    absent = [player.user for player in loaded.row.players if player.invited]
    return begin_match(loaded.row.remove_players(absent), tuple(other for other in sitting if other != user))


def leave_forgotten(loaded: LoadedMatch, user: UserId) -> Outcome:
    """Remove a user who deletes their data from a live or open match, as host, guest or player."""
    if loaded.row.state == "live":
        return resign(loaded, user)
    if user == loaded.row.host:
        return cancel(loaded, user)
    invited = any(player.user == user and player.invited for player in loaded.row.players)
    return decline(loaded, user) if invited else leave(loaded, user)


def play_move(loaded: LoadedMatch, user: UserId, text: str, seen: int | None) -> Outcome:
    """Play a move; `seen` is how many lines of the record stood on the surface that the user acted on, if on any."""
    seat = expect_seat(loaded, user)
    text = loaded.begun_match.name_leg(seat, text)
    leg = LegMove.parse(text).leg if loaded.game.single else None
    if seen is not None and loaded.begun_match.has_moved_on(seat, seat, seen, leg):
        raise StaleBoard(
            "The match moved on while you were choosing. Here is the board now; nothing was played.", loaded
        )
    if seat not in loaded.turn:
        raise NotYourTurn(f"It's {mention_movers(loaded)}'s turn.")
    with loaded.name_seats(seat):
        return record_entry(loaded, loaded.begun_match.play(seat, text), user)


def resign(loaded: LoadedMatch, user: UserId) -> Outcome:
    """A player leaves a live match for good, on their turn or not, which also withdraws their request to abort it."""
    seat = expect_seat(loaded, user)
    if seat in loaded.begun_match.withdrawn_seats:
        raise NotPossibleNow("You have already left this match.")
    after = loaded.begun_match.withdraw(seat)
    if not after.is_over and all(
        is_computer(player.user) for player in loaded.players if player.seat not in after.withdrawn_seats
    ):
        return Outcome(replace(loaded.row, state="aborted", close_reason=DESERTED), list_others(loaded, user))
    outcome = record_entry(loaded, after, user)
    return replace(outcome, row=outcome.row.change_player(user, consent=False))


def record_entry(loaded: LoadedMatch, match: Match, user: UserId) -> Outcome:
    """The outcome of one more line of the record. Proposals to abort stay open."""
    record = (*loaded.row.record, match.record[-1])
    row = replace(loaded.row, record=record, plies=len(match.record), turn=match.turn)
    if not match.is_over:
        to_move = (loaded.user_at(seat) for seat in match.turn if seat not in loaded.turn)
        told = tuple(other for other in to_move if other != user)
        return Outcome(row, told, find_clock_effects(loaded, match), match=match)
    ranks = match.ranks
    assert ranks is not None
    for seat, (rank, score) in enumerate(zip(ranks, match.scores, strict=True), 1):
        row = row.change_player(loaded.user_at(seat), rank=rank, score=score)
    return Outcome(replace(row, state="finished"), list_others(loaded, user), match=match)


def find_clock_effects(loaded: LoadedMatch, match: Match) -> ClockEffects:
    """The effects of a match's last line on the clocks. In a game with secrets only public facts count: who is to move,
    in which round. Elsewhere a player who moves on in the same turn has new time for each move."""
    line, was, now = match.record[-1], loaded.turn, match.turn
    if isinstance(line, Takeback):
        # No turn is used up: a seat that is no longer to move gets its full time back.
        return ClockEffects(fresh=tuple(sorted({*was, *now})))
    # Where there are two legs, a round of one leaves the other as it was.
    again = match.position.round != loaded.begun_match.position.round and not match.game.single
    mover = () if loaded.game.secret or not isinstance(line, Move) else (line.seat,)
    fresh = tuple(seat for seat in now if again or seat not in was or seat in mover)
    spent = tuple(seat for seat in was if again or seat not in now or seat in mover)
    return ClockEffects(fresh, spent)


def publish(loaded: LoadedMatch, user: UserId) -> Outcome:
    """Make a finished solo match visible to all users."""
    if loaded.row.seats > 1:
        raise Refusal("Everybody can already see that match. Only matches played alone are private.")
    if not loaded.has(user):
        raise NotYours("Only the person who played that match can publish it.")
    if loaded.row.state != "finished":
        raise NotPossibleNow("That match isn't finished yet. You can publish it when it is.")
    if loaded.row.published:
        raise NotPossibleNow("Everybody can already see that match.")
    return Outcome(replace(loaded.row, published=True))
