"""The transactions that write acts: what is added to an outcome, and how two rows of a match differ.

An outcome does not contain the time, the drawn seats, the users to notify, nor which computer is to move. The new row
is not read back; a test compares it with the store over all acts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, replace
from typing import cast

from bot.games.game import Game
from bot.games.mind import RandomSource
from bot.play import acts
from bot.play.acts import Outcome, find_new_lines, has_begun, has_ended
from bot.play.ids import NOWHERE, MessageId, UserId, is_computer, make_act_id
from bot.play.league_tables import list_matches
from bot.play.loaded_match import LoadedMatch, list_due_versions, open_match
from bot.play.record import Entry
from bot.play.rows import (
    ChallengeRequest,
    MatchChanges,
    MatchRecordRow,
    MatchRow,
    NewMatch,
    PendingEdit,
    Player,
    PlayerChanges,
)
from bot.umpire import clocks, notifications
from data.store import Reader, Transaction

NEWS_FOR = 24 * 3600
"""Seconds after its end for which a match is still announced when its channel opens to the bot again."""
QUICKLY = 60
"""Seconds after a move within which the computer's answer does not notify the opponent."""

ASKED = "asked {guild} {match}"
"""The name of the note with the messages that invite further users to an open challenge."""

steps = logging.getLogger("graphpaper.steps")
# Before the transaction.


def complete_outcome(loaded: LoadedMatch, user: UserId, outcome: Outcome, now: int, rng: RandomSource) -> Outcome:
    """The outcome of a user's act with the time, the drawn seats of a match that begins, the mentions, and the computer
    that is to move."""
    before, after = loaded.row, outcome.row
    lines = find_new_lines(before, after)
    after = replace(after, version=before.version + max(1, len(lines)), moved=now if lines else before.moved)
    if has_begun(before, after):
        after = _draw_seats(loaded.game, after, now, rng)
    elif has_ended(before, after):
        after = end_match(after, now)
    if is_news(before, after):
        after = replace(after, announce_until=now + NEWS_FOR)
    after = add_mentions(before, after.change_player(user, gone=False), outcome, user, loaded.game.secret)
    thinks = (player.seat for player in after.players if player.seat in after.turn and is_computer(player.user))
    return replace(outcome, row=replace(after, thinks=next(thinks, None)))


def _draw_seats(game: Game, row: MatchRecordRow, now: int, rng: RandomSource) -> MatchRecordRow:
    """The row of a match that begins now."""
    options = dict(sorted(acts.configure_options(game, row.options, row.seats).items()))
    players = _order_players(row, rng)
    people = sum(not is_computer(player.user) for player in players)
    row = replace(
        row,
        players=tuple(replace(player, seat=seat) for seat, player in enumerate(players, 1)),
        options=options,
        started=now,
        refused=None,
        pace="none" if people == 1 else row.pace,
        rated=row.rated and 1 < people == row.seats,
        game_version=game.version,  # the rules may have been corrected since the challenge
    )
    return replace(row, turn=open_match(game, row).turn)


def _order_players(row: MatchRow, rng: RandomSource) -> list[Player]:
    """The players of a match that begins, in order of seats."""
    players = sorted(row.players, key=lambda player: player.joined)
    if row.seating == "lot":
        rng.shuffle(players)
    return players[1:] + players[:1] if row.seating == "guest" else players


def end_match(row: MatchRecordRow, now: int) -> MatchRecordRow:
    """The row of a match that ends now: no seat is to move, no proposal is open, and its thread is to be renamed."""
    renamed = row.state in ("finished", "aborted")
    over = replace(row, ended=now, turn=(), thinks=None, rename_pending=renamed)
    return replace(over, paused=None, proposal=None, proposed=None)


def is_news(before: MatchRow, after: MatchRow) -> bool:
    """Whether the end of a match in a thread is announced in its channel: a match between human players, or a solo
    match that is published."""
    people = sum(not is_computer(one.user) for one in before.players)
    finished = has_ended(before, after) and after.state == "finished" and people > 1
    return (finished or after.published > before.published) and before.thread not in (None, before.channel)


def add_mentions(
    before: MatchRecordRow, after: MatchRecordRow, outcome: Outcome, user: UserId, secret: bool
) -> MatchRecordRow:
    """The row with the players to notify. The acting user has seen the match and is not notified; in a game with
    secrets they still are, since a missing mention would reveal that they moved."""
    told = {one for one in outcome.told if not is_computer(one)}
    after = after.change_players(told, mention_version=after.version)
    waits = any(one == user and due > before.shown_version for one, due in list_due_versions(before))
    if waits and user not in outcome.told and not secret and not (outcome.handed and outcome.handed[0] == user):
        after = after.change_player(user, mention_version=0)
    return after.change_players(told if secret else {*told, user}, wakes=None)


# Within the transaction.


class LostRace(Exception):
    """Another act on the match was written first, or this one was delivered twice; the act is decided again."""


def read_match(reader: Reader, act: int, match: int) -> tuple[bool, MatchRecordRow | None]:
    """Whether an interaction has acted already, and the match."""
    return reader.find_match_acted_on(act) is not None, reader.load_match(match)


Begin = Callable[[MatchRecordRow], Outcome | None]
"""Decides whether a new match begins at once, as it waits for no user."""


def create_challenge(
    tx: Transaction,
    act: int,
    new: NewMatch,
    guests: tuple[UserId, ...],
    computers: tuple[UserId, ...],
    begin: Begin,
) -> tuple[MatchRecordRow | None, tuple[tuple[UserId, int], ...]]:
    """Write an open match with its host, guests and computers, unless users were challenged too often. Returns the
    match, and its absent users with the end of their absence."""
    tx.lock_clocks_shared()
    tx.lock_guild_shared(new.guild)
    for user in sorted({new.host, *guests}):
        tx.lock_user(user)
    row = begin_if_ready(
        tx, tx.find_match_acted_on(act) or _create_open_match(tx, act, new, guests, computers), begin, new.created
    )
    return row, clocks.list_absent(tx, row, new.created) if row and guests else ()


def create_rematch(
    tx: Transaction, act: int, match: int, new: NewMatch, order: tuple[UserId, ...], begin: Begin
) -> tuple[bool, MatchRecordRow | None]:
    """Write a rematch of a match, with its players in this order, unless one exists. Returns whether this interaction
    wrote it, and the rematch."""
    tx.lock_clocks_shared()
    tx.lock_guild(new.guild)
    done, following = tx.find_match_acted_on(act), tx.find_rematch_of(match)
    if following is None:
        guests = tuple(user for user in order if user != new.host and not is_computer(user))
        done = following = _create_open_match(tx, act, new, guests, tuple(filter(is_computer, order)))
        for joined, player in enumerate(order, 1):
            tx.set_player(following, player, joined=joined)
    return done is not None, begin_if_ready(tx, following, begin, new.created)


def begin_if_ready(tx: Transaction, match: int, begin: Begin, now: int) -> MatchRecordRow | None:
    """The new match, begun if it waits for no user. The caller holds the locks."""
    row = tx.load_match(match)
    outcome = begin(row) if row else None
    if row is None or outcome is None:
        return row
    return _write_outcome(tx, None, row, outcome, now)


def _create_open_match(
    tx: Transaction, act: int, new: NewMatch, guests: tuple[UserId, ...], computers: tuple[UserId, ...] = ()
) -> int:
    """Create an open match. Challenges are counted under the locks of host and guests, or of the server, so that of two
    concurrent ones the second counts the first."""
    asks = tx.find_challenge_requests(new.guild, guests, new.created - acts.HOUR, new.created) if guests else ()
    settings = tx.load_settings(new.guild)
    # A match against computers alone begins at once and is no open challenge.
    opened = 0 if new.seats == 1 + len(computers) else tx.count_open(new.guild, new.host)
    acts.expect_patience(new, guests, settings, opened, asks)
    if new.lines:
        acts.expect_few_given(new, tx.given_to(new.host, new.created - acts.HOUR))
    match = tx.create(replace(new, pace=new.pace or settings.pace) if new.seats > 1 else replace(new, pace="none"))
    for guest in guests:
        tx.join(match, guest, invited=True)
        tx.add_challenge_request(match, new.guild, ChallengeRequest(guest, new.host, new.created))
    for computer in computers:
        tx.join(match, computer)
    tx.mark_acted(act, match, new.created)
    return match


def write_outcome(
    tx: Transaction, act: int | None, before: MatchRecordRow, outcome: Outcome, now: int, by_time: bool = False,
    there: Collection[UserId] = (),
) -> MatchRecordRow:  # fmt: skip
    """Write what an act makes of a match that has not changed since it was read, else `LostRace`. Returns the row as
    written.

    `act` is the idempotency key; None for a second step of the same interaction. An act `by_time` respects quiet hours,
    and a computer's answer does not notify users who are `there`.
    """
    _lock_in_order(tx, before, outcome)
    if by_time:
        outcome = replace(outcome, row=notifications.delay_notifications(tx, before, outcome.row, now))
    return _write_outcome(tx, act, before, outcome, now, there)


def _write_outcome(
    tx: Transaction,
    act: int | None,
    before: MatchRecordRow,
    outcome: Outcome,
    now: int,
    there: Collection[UserId] = (),
) -> MatchRecordRow:
    match = before.id
    begins, ends = has_begun(before, outcome.row), has_ended(before, outcome.row)
    if begins:
        _expect_few(tx, outcome.row)
    after = _skip_quick_mention(tx, before, outcome.row, now, there)
    _write_columns(tx, before, after)
    after = clocks.update_clocks(tx, before, after, outcome.turned, now)
    left = notifications.list_reminders_to_remove(before, after)
    ended = {player.joined for player in left}
    after = after.change_players([one.user for one in after.players if one.joined in ended], reminder=None)
    if act is not None and not tx.mark_acted(act, match, now):
        raise LostRace
    if outcome.asked is not None:
        _count_request(tx, before, *outcome.asked, now)
    _write_players(tx, before, after, outcome.handed)
    for player in left:
        tx.keep_edit(notifications.make_removal(before, player.reminder, before.thread or before.channel))
    for edit in notifications.list_mail_edits(before, outcome):
        tx.keep_edit(edit)
    if begins:
        # Guests who did not answer still count as challenged.
        tx.drop_challenge_requests(match, [player.user for player in after.players])
    _append_lines(tx, before, find_new_lines(before, after), now)
    if ends and after.state == "finished":
        after = replace(after, ended=tx.rate(match))
    if ends:
        note_end_in_league(tx, before, now)
    if ends or begins:
        remove_challenge_lines(tx, before)
    steps.debug("written %d", match)
    return after


def _write_columns(tx: Transaction, before: MatchRecordRow, after: MatchRow) -> None:
    """Write the columns in which two rows of a match differ, unless it or its players have changed meanwhile."""
    changes = _list_changes(before, after)
    if has_ended(before, after):  # its thread may have been renamed meanwhile
        changes["rename_pending"] = after.rename_pending
    if not tx.update(before.id, before.version, **changes):
        raise LostRace
    if before.state == "live" and tx.lock_players(before.id) != before.players:
        # Clocks and premoves change without an act.
        raise LostRace


def _append_lines(tx: Transaction, before: MatchRecordRow, lines: Sequence[Entry], now: int) -> None:
    """Append new lines of the record; those after the first are premoves."""
    for ply, line in enumerate(lines, len(before.record) + 1):
        tx.append(before.id, ply, line.seat, line.text, now)
    for number, _ in enumerate(lines[1:], 1):
        _record_premove(tx, before, number, now)


WRITTEN = tuple(name for name in MatchChanges.__annotations__)
"""The columns of a match that an act may change."""
PLAYER_COLUMNS = tuple(one.name for one in fields(Player) if one.name not in ("user", "joined"))


def _list_changes(before: MatchRow, after: MatchRow) -> MatchChanges:
    """The columns in which two rows of a match differ."""
    return cast(
        MatchChanges, {name: getattr(after, name) for name in WRITTEN if getattr(after, name) != getattr(before, name)}
    )


def _write_players(tx: Transaction, before: MatchRow, after: MatchRow, handed: tuple[UserId, UserId] | None) -> None:
    """Write how the players of two rows of a match differ: who has left, joined or handed a seat on, and columns."""
    known = {player.user: player for player in before.players}
    if handed is not None:
        old, new = handed
        tx.hand_on(before.id, old, new)
        tx.drop_challenge_requests(before.id, (new,))
        known[new] = replace(known.pop(old), user=new, wakes=None)
    here = {player.user: player for player in after.players}
    for user in sorted(known.keys() - here.keys()):
        tx.leave(before.id, user)
    for user, player in here.items():
        if user not in known:
            tx.join(before.id, user)
            known[user] = Player(user, player.joined, None, False, False, None, None)
    tx.set_players(
        before.id,
        {user: columns for user, player in here.items() if (columns := _list_player_changes(known[user], player))},
    )


def _list_player_changes(before: Player, after: Player) -> PlayerChanges:
    """The columns in which two rows of a player differ."""
    changed = (name for name in PLAYER_COLUMNS if getattr(after, name) != getattr(before, name))
    return cast(PlayerChanges, {name: getattr(after, name) for name in changed})


def note_end_in_league(tx: Transaction, row: MatchRow, now: int) -> None:
    """Have the league of a match that is over go on. Whether the results of a member count who is gone from the server
    depends on how many there are, so what tells of their matches is edited."""
    league = tx.league_of(row.id) if row.round is not None else None
    loaded = tx.load_league(league) if league is not None else None
    if loaded:
        pair = next(one for one in loaded.pairings if one.match == row.id)
        if gone := [one.user for one in loaded.members if one.gone is not None and pair.has(one.user)]:
            tx.redraw_messages(list_matches(loaded, gone), now)
    tx.note_league_match(row.id)


def remove_challenge_lines(tx: Transaction, row: MatchRow) -> None:
    """Remove the lines below an open challenge when it is over: to its host, who declined it; to others, that they are
    challenged."""
    now = tx.load_row(row.id) if row.state == "open" else None
    if now is None:
        return
    name = ASKED.format(guild=row.guild, match=row.id)
    asked = tx.read_note(name) or ""
    for message in (*((now.told_message,) if now.told_message else ()), *map(int, asked.split())):
        tx.keep_edit(PendingEdit(MessageId(message), now.channel, now.id, now.version, remove=True))
    tx.drop_note(name, asked)


def store_request_line(tx: Transaction, row: MatchRow, message: MessageId) -> None:
    """Store a message that invites a user to an open challenge, to be removed when that is over; or remove it now."""
    now, name = tx.load_row(row.id), ASKED.format(guild=row.guild, match=row.id)
    if now is None or now.state != "open":
        tx.keep_edit(PendingEdit(message, row.channel, row.id, row.version, remove=True))
    elif str(message) not in (asked := (tx.read_note(name) or "").split()):
        tx.set_note(name, " ".join((*asked, str(message))))


def _record_premove(tx: Transaction, row: MatchRecordRow, number: int, now: int) -> None:
    """Note a premove as an act of its own, by match and ply; like every line it raises the version."""
    act = make_act_id("prepared", row.id, row.plies + 1 + number)
    if not (tx.mark_acted(act, row.id, now) and tx.update(row.id, row.version + number)):
        raise LostRace


def _lock_in_order(tx: Transaction, before: MatchRecordRow, outcome: Outcome) -> None:
    """Take the locks that an act needs beside its match's, and before that: always in this order, against deadlocks."""
    after = outcome.row
    if before.pace != "none":
        tx.lock_clocks_shared()
    finishes = has_ended(before, after) and after.state == "finished"
    if outcome.asked is not None or finishes or (has_begun(before, after) and _has_computers(after)):
        tx.lock_guild(before.guild)


def _skip_quick_mention(
    tx: Transaction, before: MatchRecordRow, after: MatchRecordRow, now: int, there: Collection[UserId]
) -> MatchRecordRow:
    """The row without the mention for a computer's answer, if the only human player is `there` or has just moved. The
    board is still posted below."""
    people, lines = [player for player in before.players if not is_computer(player.user)], find_new_lines(before, after)
    if not lines or len(people) != 1 or people[0].seat == lines[0].seat:
        return after
    user, seat = people[0].user, people[0].seat
    told = after.find_player(user)
    if told is None or told.mention_version in (0, people[0].mention_version) or seat is None:
        return after
    known = max(before.shown_version, before.told_version)
    acted = max(tx.played_at(before.id, seat) or 0, before.started or 0)
    is_there = user in there or 0 <= now - acted <= QUICKLY
    if not is_there or any(due > known for other, due in list_due_versions(before) if other != user):
        return after
    return replace(after, told_version=after.version)


def _has_computers(row: MatchRow) -> bool:
    return any(is_computer(player.user) for player in row.players)


def _expect_few(tx: Transaction, row: MatchRecordRow) -> None:
    """Refuse a match with computers to users who have too many. They are counted under the lock of the server, or of
    the only user in a new match, so that of two concurrent ones the second counts the first."""
    if row.guild == NOWHERE:
        acts.expect_few_in_messages(tx.live_of(NOWHERE, row.host))
    if not _has_computers(row):
        return
    people = [player.user for player in row.players if not is_computer(player.user)]
    for user in people:
        acts.expect_few(user, len(people) == 1, tx.live_of(row.guild, user))


def _count_request(tx: Transaction, row: MatchRecordRow, asker: UserId, person: UserId, now: int) -> None:
    """Count a request to join a live match; raises a refusal if the user was asked too often."""
    asks = tx.find_challenge_requests(row.guild, (person,), now - acts.HOUR, now)
    acts.expect_unasked(asker, (person,), tx.load_settings(row.guild), asks)
    tx.add_challenge_request(row.id, row.guild, ChallengeRequest(person, asker, now))
