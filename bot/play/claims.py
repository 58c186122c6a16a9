"""What happens when a player runs out of time, leaves the server, or asks to call the match off."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.games.position import Seat
from bot.games.wording import join_words
from bot.play import proposals
from bot.play.acts import (
    NOBODY,
    NotPossibleNow,
    NotYours,
    Outcome,
    expect_live,
    expect_seat,
    list_others,
    mention_movers,
    record_entry,
)
from bot.play.clocks import DAY, HOUR
from bot.play.ids import UserId, is_computer
from bot.play.loaded_match import LoadedMatch, Proposal, Refusal, RefusedProposal, format_refusals, mention_user
from bot.play.proposals import (
    expect_patience,
    expect_voter,
    explain_open_proposal,
    list_voters,
    open_proposal,
    recent_refusals,
)
from bot.play.rows import Player

# Claims: what happens in a match when a player's time has run out. Pure decisions.


CLAIMED_AFTER = 3 * DAY
"""Seconds after which a seat that ran out of time is withdrawn automatically."""
EXTRA_DAYS = 3
"""Days that the others can give to a player who ran out of time."""
EXTRA_TIME = EXTRA_DAYS * DAY
"""The same in seconds."""
NOTHING_DUE = "Nobody has run out of time."
ABANDONED = "Everybody ran out of time, so the match was closed. It is not rated."


def find_newly_late(loaded: LoadedMatch, now: int) -> tuple[Player, ...]:
    """The players whose time has run out by now, and who are not marked as out of time yet."""
    running = (player for player in loaded.row.players if player.deadline is not None and player.forfeit_at is None)
    return tuple(player for player in running if player.seat in loaded.turn and (player.deadline or 0) <= now)


def list_waiting_players(loaded: LoadedMatch, gone: Sequence[Player] = ()) -> tuple[Player, ...]:
    """The waiting players: human, still in the match and in the server, with time left."""
    still = (
        player for player in loaded.players if player.seat not in loaded.begun_match.withdrawn_seats and not player.gone
    )
    return tuple(
        player for player in still if player.forfeit_at is None and player not in gone and not is_computer(player.user)
    )


def note_time_out(loaded: LoadedMatch, now: int) -> Outcome:
    """Mark the players whose time has run out and notify them; the waiting players may claim or give time. If no player
    waits, all late ones leave together."""
    expect_live(loaded)
    out = find_newly_late(loaded, now)
    if not out:
        raise Refusal(NOTHING_DUE)
    asked = list_waiting_players(loaded, out)
    gone = out if asked else (*loaded.late_players, *out)
    row = loaded.row.change_players(list_users(gone), forfeit_at=now + CLAIMED_AFTER, next_reminder_at=None)
    known = all(player.gone for player in out)  # the waiting players were notified when these left the server
    return Outcome(row, () if known and asked else list_users((*asked, *gone)))


def lapse_seat(loaded: LoadedMatch, now: int) -> Outcome:
    """Claim a seat that was not claimed in time. A match in which no player waits is aborted, unrated, when that is due
    for the last seat."""
    expect_live(loaded)
    gone = loaded.late_players
    over = [player for player in gone if (player.forfeit_at or 0) <= now]
    if not over:
        raise Refusal(NOTHING_DUE)
    if list_waiting_players(loaded):
        return withdraw_late_player(loaded, over[0], NOBODY)
    last = max(player.forfeit_at or 0 for player in gone)
    if last > now:
        return Outcome(loaded.row.change_players(list_users(over), forfeit_at=last))
    return Outcome(replace(loaded.row, state="aborted", close_reason=ABANDONED), list_users(gone))


def claim_seat(loaded: LoadedMatch, user: UserId, seat: Seat | None = None) -> Outcome:
    """A waiting player claims the match against a seat that is out of time, or whose player has left the server: the
    one named, else the earliest."""
    expect_waiting(loaded, user)
    return withdraw_late_player(loaded, expect_claimable(loaded, seat), user)


def give_time(loaded: LoadedMatch, user: UserId, seat: Seat | None = None) -> Outcome:
    """A waiting player gives more time, which runs from when the board shows it."""
    expect_waiting(loaded, user)
    player = expect_late(loaded, seat)
    if not may_give(loaded, player):
        raise Refusal(
            f"{mention_user(player.user)} was already given more time for this move, and nobody gets that twice. Claim "
            f"now, or wait: they are out automatically <t:{player.forfeit_at}:R>."
        )
    given = replace(player.fill_clock(EXTRA_TIME), extra_time_count=player.extra_time_count + 1)
    return Outcome(loaded.row.replace_player(given), (player.user,))


def may_give(loaded: LoadedMatch, player: Player) -> bool:
    """Whether a player may be given more time. Where several wait, once a turn: else one of them could keep the others
    waiting without end."""
    return not player.extra_time_count or len(list_waiting_players(loaded)) == 1


def withdraw_late_player(loaded: LoadedMatch, player: Player, user: UserId) -> Outcome:
    """Withdraw a seat that is out of time; its player and all who are still in the match are notified."""
    assert player.seat is not None
    outcome = record_entry(loaded, loaded.begun_match.withdraw(player.seat, "timeout"), user)
    still = (one for one in loaded.players if one.seat not in loaded.begun_match.withdrawn_seats)
    told = tuple(one.user for one in still if one.user != user) if outcome.row.state == "live" else outcome.told
    return replace(outcome, row=outcome.row.change_player(player.user, consent=False), told=told)


def expect_waiting(loaded: LoadedMatch, user: UserId) -> None:
    seat = expect_seat(loaded, user)
    if seat in loaded.begun_match.withdrawn_seats:
        raise NotYours("You have left this match, so you can't claim it or give more time.")
    player = loaded.row.find_player(user)
    if player and player in loaded.late_players:
        raise NotYours("You have run out of time yourself. Make your move before somebody claims the match.")


def expect_claimable(loaded: LoadedMatch, seat: Seat | None) -> Player:
    """The player on a seat who has left the server or is out of time; or a refusal."""
    found = next((player for player in loaded.missing_players if seat in (None, player.seat)), None)
    return found if found and (seat is not None or not loaded.late_players) else expect_late(loaded, seat)


def expect_late(loaded: LoadedMatch, seat: Seat | None) -> Player:
    """The player on a seat who is out of time, or the earliest where no seat is named; or a refusal."""
    out = loaded.late_players
    found = next((player for player in out if seat in (None, player.seat)), None)
    if found:
        return found
    if seat is not None and seat in loaded.begun_match.withdrawn_seats:
        raise NotPossibleNow(f"{mention_user(loaded.user_at(seat))} has already left this match.")
    if seat is not None and any(player.seat == seat for player in loaded.players):
        raise NotPossibleNow(
            f"{mention_user(loaded.user_at(seat))} has moved by now, or was given more time. Nothing was changed."
        )
    until = min((player.deadline for player in loaded.players if player.deadline is not None), default=None)
    told = f"Nobody has run out of time. {mention_movers(loaded)} is to move."
    raise NotPossibleNow(
        f"{told} Their time ends <t:{until}:R>." if until is not None and len(loaded.turn) == 1 else told
    )


def list_users(players: Sequence[Player]) -> tuple[UserId, ...]:
    return tuple(player.user for player in players)


def name_late_players(loaded: LoadedMatch) -> str:
    """The late players, as part of a sentence."""
    return join_words([mention_user(player.user) for player in loaded.late_players])


# Players who leave the server or return to it. Pure decisions.


KNOWN = "That is known already. Nothing was changed."


def mark_gone(loaded: LoadedMatch, user: UserId, knowing: Collection[UserId] = ()) -> Outcome:
    """Mark a player as gone from the server, and notify the others, except those `knowing` it from another match."""
    expect_live(loaded)
    player = loaded.row.find_player(user)
    if player is None or player.gone or player.seat in loaded.begun_match.withdrawn_seats:
        raise NotPossibleNow(KNOWN)
    row = loaded.row.change_player(user, gone=True)
    if player.parted is not None:
        return Outcome(row)
    told = tuple(one.user for one in list_waiting_players(loaded, (player,)) if one.user not in knowing)
    return Outcome(row.change_player(user, parted=loaded.row.version + 1), told)


def mark_returned(loaded: LoadedMatch, user: UserId) -> Outcome:
    expect_live(loaded)
    player = loaded.row.find_player(user)
    if player is None or not player.gone:
        raise NotPossibleNow(KNOWN)
    return Outcome(loaded.row.change_player(user, gone=False))


# Aborting a match: it ends unrated once all remaining players have asked for that.


def abort(loaded: LoadedMatch, user: UserId, now: int, manager: bool = False) -> Outcome:
    """Abort a live match, unrated, once all remaining players have asked for it, or at once for a manager of the server
    who does not play in it. The others are notified at most once an hour, however often a player asks."""
    expect_live(loaded)
    if loaded.seat_of(user) in loaded.begun_match.withdrawn_seats:
        raise NotYours("You have left this match, so you can't call it off.")
    if not loaded.has(user) and not manager:
        raise NotYours("You aren't in this match. Only its players can call it off, all of them together.")
    asked = asked_to_abort(loaded, user) if loaded.has(user) else ()
    if not asked:
        return Outcome(replace(loaded.row, state="aborted"), list_others(loaded, user))
    if proposal := open_proposal(loaded):
        raise NotPossibleNow(explain_open_proposal(loaded, proposal, user))
    if find_abort_question(loaded) is None:
        expect_patience(loaded, Proposal("abort", expect_seat(loaded, user)), now)
    player = loaded.row.find_player(user)
    lately = player is not None and player.abort_asked_at is not None and 0 <= now - player.abort_asked_at < HOUR
    if lately or loaded.asks_to_abort(user):
        return Outcome(loaded.row.change_player(user, consent=True))
    return Outcome(loaded.row.change_player(user, consent=True, abort_asked_at=now), asked)


def asked_to_abort(loaded: LoadedMatch, user: UserId) -> tuple[UserId, ...]:
    """The others who have yet to agree to abort a match, without users who left the server."""
    return tuple(
        player.user for player in list_voters(loaded) if not (player.consent or player.gone) and player.user != user
    )


def find_abort_question(loaded: LoadedMatch) -> Proposal | None:
    """The request to abort the match, as a proposal of the first player who asks; None if there is none."""
    asking = _list_askers(loaded)
    return Proposal("abort", asking[0].seat) if asking and asking[0].seat else None


def make_abort_mark(loaded: LoadedMatch) -> str:
    """The mark that a refusal of that request carries; empty if there is none."""
    asked = find_abort_question(loaded)
    return asked.make_mark(_list_askers(loaded)[0].abort_asked_at or 0) if asked else ""


def refuse(loaded: LoadedMatch, user: UserId, now: int, mark: str | None = None, seen: int | None = None) -> Outcome:
    """Refuse the open proposal or a request to abort, or withdraw one's own; of a button with the `mark` of what it
    refuses, and how many lines of the record its board showed."""
    if not mark or mark != make_abort_mark(loaded):
        return proposals.refuse(loaded, user, now, mark, seen)
    seat = expect_voter(loaded, user)
    if loaded.asks_to_abort(user):
        return play_on(loaded, user)
    asking, seen, version = _list_askers(loaded), loaded.begun_match.version_for(None), loaded.row.version + 1
    refused = [
        RefusedProposal(Proposal("abort", player.seat), seat, now, seen, version) for player in asking if player.seat
    ]
    row = loaded.row.change_players(list_users(asking), consent=False)
    kept = format_refusals((*recent_refusals(loaded, now), *refused))
    return Outcome(replace(row, refused=kept), list_users(asking))


def _list_askers(loaded: LoadedMatch) -> list[Player]:
    return [player for player in loaded.players if player.consent] if loaded.row.state == "live" else []


def play_on(loaded: LoadedMatch, user: UserId) -> Outcome:
    expect_seat(loaded, user)
    if not loaded.asks_to_abort(user):
        raise NotPossibleNow("You are no longer asking to call the match off. It goes on.")
    return Outcome(loaded.row.change_player(user, consent=False))
