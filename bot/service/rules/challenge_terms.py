"""Checks and settles the terms of a challenge or a rematch: who plays, on how many seats, in how many legs.

Pure decisions. How often people may be challenged is in `challenge_limits`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.core.game.game import Game
from bot.core.game.options import BadOptions
from bot.core.game.two_legs import expect_legs
from bot.core.match import declined
from bot.core.match.handover import handings
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.record import Entry
from bot.core.match.stored import NewMatch, Seating
from bot.core.values.computer_users import LEVELS, another, computer, is_computer
from bot.core.values.ids import ChannelId, GuildId, MatchId, UserId
from bot.service.rules.challenge_limits import OPEN_FOR
from bot.service.rules.computer_levels import highest
from bot.service.rules.decisions import configured
from bot.service.rules.refusals import Closed, NotYours


@dataclass(frozen=True, slots=True)
class Challenge:
    """The terms of a challenge as a user gives them: guests are those invited by name, none for an open table."""

    guild: GuildId
    channel: ChannelId
    host: UserId
    game: Game
    options: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    seats: int | None = None
    guests: tuple[UserId, ...] = ()
    seating: Seating = "lot"
    rated: bool = True
    pace: str | None = None
    """None for the server's default."""
    level: int | None = None
    """The level of the computer that takes all seats that are left; None for people on them."""
    legs: int | None = 1
    """2: the game is played twice at once, with the seats swapped. None for the game's default."""
    fewer: bool = False
    """Whether it starts without those who decline, where enough are left."""
    origin: MatchId | None = None
    lines: tuple[Entry, ...] = ()
    """The moves played before, in the match `origin` or in an uploaded record, from which the match goes on."""


def checked(challenge: Challenge) -> int:
    """The number of seats of a challenge; raises a refusal that says what is wrong with it."""
    if challenge.host in challenge.guests:
        raise Refusal("You can't challenge yourself. Name somebody else, or leave the name out to open a table.")
    if len(set(challenge.guests)) != len(challenge.guests):
        raise Refusal("You named somebody twice. Name each opponent once.")
    fewest, most = challenge.game.seats[0], challenge.game.seats[-1]
    asked = len(challenge.guests) + 1 + (challenge.level is not None)
    seats = challenge.seats or max(asked, fewest, 2 if 2 in challenge.game.seats else fewest)
    if challenge.level is not None and (asked > seats or seats > most >= asked - 1):
        raise Refusal("There is no seat left for the computer. Name fewer people or more seats, or leave out level.")
    if len(challenge.guests) >= seats:
        raise Refusal(f"That's {len(challenge.guests) + 1} players for {seats} seats. Name at most {seats - 1} others.")
    configured(challenge.game, challenge.options, seats)
    try:
        if legs(challenge, seats) == 2:
            expect_legs(challenge.game, seats)
    except BadOptions as refusal:
        raise Refusal(str(refusal)) from None
    return seats


def computers(challenge: Challenge, seats: int) -> tuple[UserId, ...]:
    """The computers that take all seats which a challenge leaves to them."""
    if challenge.level is None:
        return ()
    return tuple(computer(challenge.level, number) for number in range(1, seats - len(challenge.guests)))


def capped(challenge: Challenge, seats: int) -> Challenge:
    """The challenge with its level lowered to the highest offered in such a match."""
    if challenge.level is None:
        return challenge
    if challenge.level not in LEVELS:
        raise Refusal(f"The computer plays at levels {LEVELS[0]} to {LEVELS[-1]}. Choose one of them.")
    return replace(challenge, level=min(challenge.level, highest(challenge.game, challenge.options, seats)))


def legs(challenge: Challenge, seats: int) -> int:
    """In how many legs a challenge is played: a lopsided game of two people usually in two."""
    if challenge.legs is not None:
        return challenge.legs
    return 2 if challenge.game.lopsided and seats == 2 and challenge.level is None else 1


def new_match(challenge: Challenge, seats: int, now: int) -> NewMatch:
    """The open match that a challenge becomes. Alone and with computers nothing is rated."""
    return NewMatch(
        guild=challenge.guild,
        channel=challenge.channel,
        game=challenge.game.key,
        game_version=challenge.game.version,
        options=challenge.options,
        seats=seats,
        seating=challenge.seating,
        rated=challenge.rated and seats > 1 and challenge.level is None and not challenge.lines,
        pace=challenge.pace or "",
        host=challenge.host,
        created=now,
        expires=now + OPEN_FOR,
        legs=legs(challenge, seats),
        source_match=challenge.origin,
        refused=declined.written((), fewer=True) if challenge.fewer and seats > 2 and not challenge.lines else None,
        lines=challenge.lines,
    )


def rematching(seated: LoadedMatch, user: UserId, level: int | None = None) -> tuple[Challenge, tuple[UserId, ...]]:
    """The challenge to play a finished match again, and the order of seats: each player moves up by one; with the
    computers of that match, or others of a level."""
    row = seated.row
    if row.state != "finished":
        raise Closed("This match was not played to the end, so it has no rematch. Make a new challenge.")
    if not seated.has(user):
        raise NotYours("Only the players of this match can ask for a rematch.")
    if any(player.user < 0 for player in row.players):
        raise Refusal("Somebody from this match isn't here any more. Make a new challenge to the others.")
    users = [player.user for player in seated.players]
    if level is not None:
        users = leveled(users, min(level, highest(seated.game, row.options, row.seats)))
    order = (*users[1:], users[0])
    guests = tuple(player for player in order if player != user)
    # That a seat was handed on is no reason not to count the next one.
    rated = row.rated or any(one.rated for one in handings(row.substitutions))
    again = Challenge(
        row.guild, row.channel, user, seated.game, row.options, row.seats, guests, "order", rated, row.pace,
        legs=row.legs, origin=row.source_match, lines=row.record[: row.imported_plies],
    )  # fmt: skip
    return again, order


def leveled(users: Sequence[UserId], level: int) -> list[UserId]:
    """The same users, with computers of this level in place of the computers."""
    found: list[UserId] = []
    for user in users:
        found.append(another(level, found) if is_computer(user) else user)
    return found
