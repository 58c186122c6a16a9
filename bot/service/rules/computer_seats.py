"""Computers at a table: the host seats them and has them get up again, and they answer when a draw is proposed.

They agree at once to every other proposal, and make none themselves. Pure decisions: the
caller searches the board before it asks.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.match.proposal import Proposal, Refused, written
from bot.core.values.computer_users import LEVELS, another, is_computer, level_of
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.search.levels import budget
from bot.search.thoughts import Question, Thought
from bot.service.rules.computer_levels import highest
from bot.service.rules.decisions import Change, configured, getting_up, without
from bot.service.rules.proposals import asking, expect_askable, expect_voter, recent_refusals
from bot.service.rules.refusals import Closed, NotYours, Stale, expect_open

WENT_ON = "The match moved on while the computer was thinking about a draw. Offer it again if you still want to."
EVEN = 0.5
"""The share of a match that a draw is."""


def seating(seated: LoadedMatch, user: UserId, level: int, gone: Collection[UserId] = ()) -> Change:
    """The host gives a free seat to a computer of a level, or of the highest offered; with the last seat the match
    begins, unless an invited user has not answered. Users who are `gone` from the server lose their seats."""
    expect_open(seated)
    sitting, seated = seated, without(seated, gone)
    expect_host(seated, user)
    if level not in LEVELS:
        raise Refusal(f"The computer plays at levels {LEVELS[0]} to {LEVELS[-1]}. Choose one of them.")
    row = seated.row
    if len(row.players) >= row.seats:
        raise Closed("Every seat at this table is taken, so there is none for the computer.")
    options = configured(seated.game, row.options, row.seats)
    comes = another(min(level, highest(seated.game, options, row.seats)), [player.user for player in row.players])
    full = len(row.players) + 1 == row.seats and not any(player.invited for player in row.players)
    tell = tuple(player.user for player in row.players if player.user != user)
    change = Change(join=comes, begins=row.seats if full else None, tell=tell if full else ())
    return getting_up(change, sitting, gone)


def rising(seated: LoadedMatch, user: UserId) -> Change:
    """The host has all computers get up again."""
    expect_open(seated)
    expect_host(seated, user)
    sitting = tuple(player.user for player in seated.row.players if is_computer(player.user))
    if not sitting:
        raise Closed("No computer sits at this table.")
    return Change(leave=sitting)


def expect_host(seated: LoadedMatch, user: UserId) -> None:
    """Refuse users who did not open the table."""
    if user != seated.row.host:
        raise NotYours(f"Only {person(seated.row.host)}, who opened this table, can add the computer.")


# Draws.


def asked(seated: LoadedMatch, user: UserId, now: int) -> tuple[Seat, ...]:
    """The seats of the computers that are asked when a user proposes a draw; raises a refusal where that is not allowed
    now."""
    expect_askable(seated, user, Proposal("draw", expect_voter(seated, user)), now)
    left = seated.folded.withdrawn
    return tuple(
        player.seat for player in seated.players if player.seat and player.seat not in left and is_computer(player.user)
    )


def question(seated: LoadedMatch, seat: Seat) -> Question:
    """The search request of a computer before it answers a draw: the board as it stands, for the seat to move, at the
    computer's level. If it is to move itself, that is also the thought of its next move."""
    match, level = seated.folded, level_of(seated.user_at(seat))
    position, mover = match.position.seen_by(seat), match.turn[0]
    seed = f"{seated.id}:{len(match.record)}:{mover}:{level}"
    return Question(seated.game.key, position, mover, budget(seated.game, position, level), seed)


def content(thought: Thought, seat: Seat) -> bool:
    """Whether the computer on a seat agrees to a draw: it expects no more than that of the match."""
    return thought.shares[seat - 1] <= EVEN


def declined(seated: LoadedMatch, user: UserId, by: Seat, plies: int, now: int) -> Change:
    """A computer, on seat `by`, does not agree to a draw, having thought after `plies` lines of the record."""
    expect_unchanged(seated, plies)
    asked(seated, user, now)
    # At moment 0: a computer can be asked again after another move, without an hour's wait.
    refused = Refused(Proposal("draw", expect_voter(seated, user)), by, 0, seated.folded.version_for(None))
    return Change({"refused": written((*recent_refusals(seated, now), refused))})


def offered(seated: LoadedMatch, user: UserId, plies: int, now: int) -> Change:
    """Propose a draw to which all computers agree, having searched after `plies` lines of the record."""
    expect_unchanged(seated, plies)
    asked(seated, user, now)
    return asking(seated, user, Proposal("draw", expect_voter(seated, user)), now)


def expect_unchanged(seated: LoadedMatch, plies: int) -> None:
    """Refuse an answer about a board that has changed since."""
    if seated.row.plies != plies:
        raise Stale(WENT_ON, seated)
