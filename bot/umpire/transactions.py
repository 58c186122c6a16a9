"""The transactions that write acts: the additions to a decision, and the stored match afterwards.

A decision does not contain the time, the drawn seats, the users to notify, nor which computer is to move. The new row
is computed from the change, not read back; a test compares the two over all acts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from bot.games.mind import RandomSource
from bot.play import acts
from bot.play.acts import Change
from bot.play.ids import MessageId, UserId, is_computer, make_act_id
from bot.play.loaded_match import LoadedMatch, list_due_versions, open_match
from bot.play.premoves import read_premoves
from bot.play.rows import ChallengeRequest, MatchRecordRow, MatchRow, NewMatch, PendingEdit, Player, State
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


def complete_change(loaded: LoadedMatch, change: Change, now: int, rng: RandomSource) -> Change:
    """The change with the time, and the drawn seats of a match that begins."""
    news = {"announce_until": now + NEWS_FOR} if is_news(loaded.row, change) else {}
    if change.ends:
        return replace(change, columns={**change.columns, **make_end_columns(change.ends, now), **news})
    if news:
        return replace(change, columns={**change.columns, **news})
    if change.begins is None:
        return change
    options = acts.configure_options(loaded.game, loaded.row.options, change.begins)
    match = open_match(loaded.game, replace(loaded.row, options=options, seats=change.begins))
    players = {
        user: {**change.players.get(user, {}), "seat": seat}
        for seat, user in enumerate(_order_users(loaded, change, rng), 1)
    }
    columns = {"seats": change.begins, "options": options, "state": "live", "started": now, "refused": None}
    people = sum(not is_computer(user) for user in players)
    alone: dict[str, str | bool] = {"pace": "none"} if people == 1 else {"pace": loaded.row.pace}
    if people < change.begins or people == 1:
        alone["rated"] = False
    # The rules may have been corrected since the challenge.
    columns = {**change.columns, **columns, **alone, "turn": match.turn, "game_version": loaded.game.version}
    return replace(change, columns=columns, players=players)


def _order_users(loaded: LoadedMatch, change: Change, rng: RandomSource) -> list[UserId]:
    """The users of a match that begins, in order of seats."""
    joined = sorted(loaded.row.players, key=lambda player: player.joined)
    users = [player.user for player in joined if player.user not in change.leave]
    users += [change.join] if change.join is not None else []
    if loaded.row.seating == "lot":
        rng.shuffle(users)
    return users[1:] + users[:1] if loaded.row.seating == "guest" else users


def note_thinking_seat(loaded: LoadedMatch, change: Change) -> Change:
    """The change with the seat of the computer that is to move now, if any."""
    if "turn" not in change.columns:
        return change
    seats = {player.seat: player.user for player in loaded.row.players}
    seats |= {columns["seat"]: user for user, columns in change.players.items() if "seat" in columns}
    waits = next((seat for seat in change.columns["turn"] if is_computer(seats[seat])), None)
    return replace(change, columns={**change.columns, "thinks": waits})


def add_mentions(loaded: LoadedMatch, user: UserId, change: Change) -> Change:
    """The change with the players to notify. The acting user has seen the match and is not notified; in a game with
    secrets they still are, since a missing mention would reveal that they moved."""
    version = loaded.row.version + 1 + len(change.answers)
    due = dict.fromkeys((one for one in change.tell if not is_computer(one)), version)
    handed = change.hands is not None and change.hands[0] == user
    if user in loaded.users_to_ping and user not in change.tell and not loaded.game.secret and not handed:
        due[user] = 0
    columns = {other: {**change.players.get(other, {}), "mention_version": version} for other, version in due.items()}
    slept = {player.user for player in loaded.row.players if player.wakes is not None}
    for other in slept & ({*due} if loaded.game.secret else {*due, user}):
        columns[other] = {**change.players.get(other, {}), **columns.get(other, {}), "wakes": None}
    return replace(change, players={**change.players, **columns})


def mark_present(loaded: LoadedMatch, user: UserId, change: Change) -> Change:
    """The change that also marks the acting user, if they were gone, as back in the server."""
    player = loaded.row.find_player(user)
    if player is None or not player.gone:
        return change
    return replace(change, players={**change.players, user: {**change.players.get(user, {}), "gone": False}})


# Within the transaction.


class LostRace(Exception):
    """Another act on the match was written first, or this one was delivered twice; the act is decided again."""


def read_match(reader: Reader, act: int, match: int) -> tuple[bool, MatchRecordRow | None]:
    """Whether an interaction has acted already, and the match."""
    return reader.find_match_acted_on(act) is not None, reader.load_match(match)


Begin = Callable[[MatchRecordRow], Change | None]
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
    change = begin(row) if row else None
    if row is None or change is None:
        return row
    _write_change(tx, None, row, change, now)
    return tx.load_match(match)


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


def write_change(
    tx: Transaction, act: int | None, row: MatchRecordRow, change: Change, now: int, by_time: bool = False,
    there: Collection[UserId] = (),
) -> Change:  # fmt: skip
    """Write a change to a match that has not changed since it was read, else `LostRace`. Returns the change as written.

    `act` is the idempotency key; None for a second step of the same interaction. An act `by_time` respects quiet hours,
    and a computer's answer does not notify users who are `there`.
    """
    _lock_in_order(tx, row, change)
    change = notifications.delay_notifications(tx, row, change, now) if by_time else change
    return _write_change(tx, act, row, change, now, there)


def _write_change(
    tx: Transaction, act: int | None, row: MatchRecordRow, change: Change, now: int, there: Collection[UserId] = ()
) -> Change:
    by_clocks = row.pace != "none" and change.ends is None and _goes_by_clocks(change)
    if change.begins:
        _expect_few(tx, row, change)
    change = _skip_quick_mention(tx, row, change, now, there)
    if not tx.update(row.id, row.version, **change.columns):
        raise LostRace
    if row.state == "live" and tx.load_premoves(row.id) != read_premoves(row):
        raise LostRace
    change, left = clocks.update_clocks(tx, row, change, now), ()
    if any(player.reminder is not None for player in row.players):
        change, left = notifications.clear_reminders(row, change)
    if by_clocks and _have_clocks_changed(tx, row):
        raise LostRace
    if act is not None and not tx.mark_acted(act, row.id, now):
        raise LostRace
    if change.asks is not None:
        _count_request(tx, row, *change.asks, now)
    if change.join is not None:
        tx.join(row.id, change.join)
    for user in change.leave:
        tx.leave(row.id, user)
    tx.set_players(row.id, change.players)
    if change.hands is not None:
        tx.hand_on(row.id, *change.hands)
        tx.drop_challenge_requests(row.id, change.hands[1:])
    for one in left:
        tx.keep_edit(one)
    if change.begins:
        # Guests who did not answer still count as challenged.
        tx.drop_challenge_requests(row.id, [user for user, columns in change.players.items() if "seat" in columns])
    for ply, line in enumerate(change.added_lines, row.plies + 1):
        tx.append(row.id, ply, line.seat, line.text, now)
    for number, _ in enumerate(change.answers, 1):
        _record_premove(tx, row, number, now)
    if change.ends == "finished":
        change = replace(change, columns={**change.columns, "ended": tx.rate(row.id)})
    if change.ends:
        tx.note_league_match(row.id)
    if change.ends or change.begins:
        remove_challenge_lines(tx, row)
    steps.debug("written %d", row.id)
    return change


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


def _lock_in_order(tx: Transaction, row: MatchRecordRow, change: Change) -> None:
    """Take the locks that an act needs beside its match's, and before that: always in this order, against deadlocks."""
    if row.pace != "none":
        tx.lock_clocks_shared()
    if change.asks is not None or change.ends == "finished" or (change.begins and _has_computers(change)):
        tx.lock_guild(row.guild)


def _skip_quick_mention(
    tx: Transaction, row: MatchRecordRow, change: Change, now: int, there: Collection[UserId]
) -> Change:
    """The change without the mention for a computer's answer, if the only human player is `there` or has just moved.
    The board is still posted below."""
    people = [player for player in row.players if not is_computer(player.user)]
    if change.entry is None or len(people) != 1 or people[0].seat == change.entry.seat:
        return change
    user, seat = people[0].user, people[0].seat
    if not change.players.get(user, {}).get("mention_version") or seat is None:
        return change
    known = max(row.shown_version, row.told_version)
    acted = max(tx.played_at(row.id, seat) or 0, row.started or 0)
    is_there = user in there or 0 <= now - acted <= QUICKLY
    if not is_there or any(due > known for other, due in list_due_versions(row) if other != user):
        return change
    return replace(change, columns={**change.columns, "told_version": row.version + 1 + len(change.answers)})


def _has_computers(change: Change) -> bool:
    """Whether computers play in a match that begins."""
    return any(is_computer(user) for user, columns in change.players.items() if "seat" in columns)


def _expect_few(tx: Transaction, row: MatchRecordRow, change: Change) -> None:
    """Refuse a match with computers to users who have too many. They are counted under the lock of the server, or of
    the only user in a new match, so that of two concurrent ones the second counts the first."""
    if not _has_computers(change):
        return
    people = [user for user, columns in change.players.items() if "seat" in columns and not is_computer(user)]
    for user in people:
        acts.expect_few(user, len(people) == 1, tx.live_of(row.guild, user))


def _goes_by_clocks(change: Change) -> bool:
    """Whether an act depends on the clocks that were read, as a pause or a deadline does."""
    return "paused" in change.columns or any("forfeit_at" in columns for columns in change.players.values())


def _have_clocks_changed(tx: Transaction, row: MatchRecordRow) -> bool:
    """Whether clocks have changed since they were read: showing a board or changing preferences changes them without an
    act."""
    now = tx.load_row(row.id)
    return now is None or set(now.players) != set(row.players)


def _count_request(tx: Transaction, row: MatchRecordRow, asker: UserId, person: UserId, now: int) -> None:
    """Count a request to join a live match; raises a refusal if the user was asked too often."""
    asks = tx.find_challenge_requests(row.guild, (person,), now - acts.HOUR, now)
    acts.expect_unasked(asker, (person,), tx.load_settings(row.guild), asks)
    tx.add_challenge_request(row.id, row.guild, ChallengeRequest(person, asker, now))


# After the transaction.


def apply_change(row: MatchRecordRow, change: Change, now: int) -> MatchRecordRow:
    """The stored match after a change that was written."""
    columns = dict(change.columns)
    if "turn" in columns:
        columns["turn"] = tuple(columns["turn"])
    if "options" in columns:
        columns["options"] = dict(sorted(columns["options"].items()))
    moved = {"moved": now, "record": (*row.record, *change.added_lines)} if change.entry else {}
    version = row.version + 1 + len(change.answers)
    return replace(row, version=version, players=_apply_to_players(row, change), **columns, **moved)


def _apply_to_players(row: MatchRecordRow, change: Change) -> tuple[Player, ...]:
    """The players in the store's order: by seat once the match has begun, before that by joining."""
    players = row.players
    if change.join is not None:
        joined = max(player.joined for player in players) + 1
        players = (*players, Player(change.join, joined, None, False, False, None, None))
    stayed = [player for player in players if player.user not in change.leave]
    changed = [replace(player, **new) if (new := change.players.get(player.user)) else player for player in stayed]
    if change.hands is not None:
        old, new = change.hands
        changed = [replace(player, user=new, wakes=None) if player.user == old else player for player in changed]
    return tuple(sorted(changed, key=lambda player: (player.seat or 0, player.joined)))


def is_news(row: MatchRecordRow, change: Change) -> bool:
    """Whether the end of a match in a thread is announced in its channel: a match between human players, or a solo
    match that is published."""
    people = sum(not is_computer(one.user) for one in row.players)
    told = (change.ends == "finished" and people > 1) or bool(change.columns.get("published"))
    return told and row.thread not in (None, row.channel)


def make_end_columns(state: State, now: int) -> dict[str, Any]:
    """The columns of a match that ends now: no seat is to move, no proposal is open, and its thread is to be
    renamed."""
    nothing = {"paused": None, "proposal": None, "proposed": None}
    over = {"state": state, "ended": now, "turn": (), "thinks": None}
    return {**over, "rename_pending": state in ("finished", "aborted"), **nothing}
