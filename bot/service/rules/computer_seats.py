"""Computers at a table: the host has them sit down on free seats or get up again, and what they say to a draw.

They agree at once to whatever else players ask of each other, and ask for nothing themselves. Pure decisions: what a
computer thinks of the board was found out before.
"""

from __future__ import annotations

from bot.core.match.loaded_match import Refusal, Seated, person
from bot.core.match.proposal import Proposal, Refused, written
from bot.core.values.computer_users import LEVELS, another, is_computer, level_of
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.search.levels import budget
from bot.search.thoughts import Question, Thought
from bot.service.rules.computer_levels import highest
from bot.service.rules.decisions import Change, configured
from bot.service.rules.pending import player_of, wish_of
from bot.service.rules.proposals import asking, expect_patience, expect_possible, open_already, refusals
from bot.service.rules.refusals import Closed, NotYours, Stale, expect_open

WENT_ON = "The match went on while the computer thought about a draw, and nothing was asked: ask again if you mean it."
EVEN = 0.5
"""The share of a match that a draw is."""


def seating(seated: Seated, user: UserId, level: int) -> Change:
    """The host has a computer of a level take a free seat, or of the highest there is; with the last the match begins,
    unless somebody who was asked has not answered."""
    expect_open(seated)
    expect_host(seated, user)
    if level not in LEVELS:
        raise Refusal(f"The computer plays at the levels {LEVELS[0]} to {LEVELS[-1]}: choose one of them.")
    row = seated.row
    if len(row.players) >= row.seats:
        raise Closed("Every seat of this table is taken: one has to be free for the computer.")
    options = configured(seated.game, row.options, row.seats)
    comes = another(min(level, highest(seated.game, options, row.seats)), [player.user for player in row.players])
    full = len(row.players) + 1 == row.seats and not any(player.invited for player in row.players)
    tell = tuple(player.user for player in row.players if player.user != user)
    return Change(join=comes, begins=row.seats if full else None, tell=tell if full else ())


def rising(seated: Seated, user: UserId) -> Change:
    """The host has all computers get up again."""
    expect_open(seated)
    expect_host(seated, user)
    sitting = tuple(player.user for player in seated.row.players if is_computer(player.user))
    if not sitting:
        raise Closed("No computer sits at this table.")
    return Change(leave=sitting)


def expect_host(seated: Seated, user: UserId) -> None:
    """Refuse anybody but whoever opened the table."""
    if user != seated.row.host:
        raise NotYours(f"Only {person(seated.row.host)}, who opened this table, can have the computer play.")


# Draws.


def asked(seated: Seated, user: UserId, now: int) -> tuple[Seat, ...]:
    """The computers that have a say when somebody asks for a draw, or a refusal where that cannot be asked now."""
    seat = player_of(seated, user)
    expect_possible(seated, seat, "draw")
    if wish := wish_of(seated):
        raise Closed(open_already(seated, wish, user))
    expect_patience(seated, Proposal("draw", seat), now)
    left = seated.folded.withdrawn
    return tuple(
        player.seat for player in seated.players if player.seat and player.seat not in left and is_computer(player.user)
    )


def question(seated: Seated, seat: Seat) -> Question:
    """What is to be thought about before the computer on a seat says anything to a draw: the board as it stands, with
    whoever is to move, at its level. Where that is the computer itself, it is the very thought of its next move."""
    match, level = seated.folded, level_of(seated.user_at(seat))
    position, mover = match.position.seen_by(seat), match.turn[0]
    seed = f"{seated.id}:{len(match.record)}:{mover}:{level}"
    return Question(seated.game.key, position, mover, budget(seated.game, position, level), seed)


def content(thought: Thought, seat: Seat) -> bool:
    """Whether the computer on a seat agrees to a draw: it expects no more of the match."""
    return thought.shares[seat - 1] <= EVEN


def declined(seated: Seated, user: UserId, by: Seat, plies: int, now: int) -> Change:
    """A computer does not agree to the draw that somebody asks for, as it found after so many lines of the record."""
    expect_unchanged(seated, plies)
    asked(seated, user, now)
    # At no moment: it can be asked again after another move, without an hour's patience.
    refused = Refused(Proposal("draw", player_of(seated, user)), by, 0, seated.folded.version_for(None))
    return Change({"refused": written((*refusals(seated, now), refused))})


def offered(seated: Seated, user: UserId, plies: int, now: int) -> Change:
    """Somebody asks for a draw to which all computers agree, as they found after so many lines of the record."""
    expect_unchanged(seated, plies)
    asked(seated, user, now)
    return asking(seated, user, Proposal("draw", player_of(seated, user)), now)


def expect_unchanged(seated: Seated, plies: int) -> None:
    """Refuse what was found out about a board that is not there any more."""
    if seated.row.plies != plies:
        raise Stale(WENT_ON, seated)
