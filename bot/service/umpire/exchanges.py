"""Prepared moves, decided: what follows at once on an act, what is left of them, and what may be prepared.

A prepared move is played in the transaction of the move that it answers, so there is one exchange or none, one board
and one mention for all of it. It is checked again then. Pure functions of a match and a change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.core.entry.prepared import DEEPEST, LONGEST, MOST, Line, Prepared
from bot.core.game.position import MoveError
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.record import Entry, Move
from bot.core.match.stored import MatchRow
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules.decisions import Change, Turned, recorded
from bot.service.rules.refusals import Closed, NotYourTurn, Stale, expect_current, expect_seat

MOVED_ON = "The match moved on while you were choosing. Here is the board now; nothing was prepared."
FOR_TWO = "You can prepare moves only in a match of two."
SECRET = "You can't prepare moves in {game}: its moves are secret."
YOUR_TURN = "It's your turn. Make your move first, then prepare an answer to the next one."
TOO_MANY = f"You have {MOST} lines ready, and that's the most. Clear them with /match prepared to begin anew."
TOO_DEEP = f"That line has {DEEPEST} answers, and that's the most. Prepare the next one when the match gets there."
ENDS_OPEN = "A line ends with an answer of yours."

GONE = {
    "other": "The match went another way, so your prepared moves are gone.",
    "takeback": "A move was taken back, so your prepared moves are gone.",
    "illegal": "The move that you had ready isn't legal any more, so it wasn't played.",
}

Trees = dict[UserId, Prepared]


def prepared_in(row: MatchRow) -> dict[UserId, str]:
    """The prepared moves that were read with a match."""
    return {player.user: player.prepared for player in row.players if player.prepared is not None}


def answered(seated: LoadedMatch, change: Change) -> Change:
    """The change with the premoves that answer it, and with what is left of all premoves: the branch that was taken;
    none when the match ends, and none for a substitute."""
    before = prepared_in(seated.row)
    if not before or (change.entry is None and change.ends is None and change.hands is None):
        return change
    trees: Trees = {user: Prepared.parse(kept) for user, kept in before.items()}
    line = change.entry
    while line and change.match and not change.ends:
        trees = {user: _followed(tree, line, seated.seat_of(user)) for user, tree in trees.items()}
        change, line = _next(seated, trees, change, change.match.turn)
    over = [user for user in trees if change.ends or user in (change.hands or ())]
    left = {user: None if user in over else tree.kept for user, tree in trees.items()}
    changed = {user: {"prepared": kept} for user, kept in left.items() if kept != before[user]}
    ready = tuple(range(seated.row.plies + 2, seated.row.plies + 2 + len(change.answers)))
    columns = {**change.columns, "premove_plies": (*seated.row.premove_plies, *ready)} if ready else change.columns
    return replace(change, columns=columns, players=_merged(change.players, changed))


def _followed(tree: Prepared, line: Entry, seat: Seat | None) -> Prepared:
    """What is left of a tree after a line; a player who moves by hand has read why the last one was dropped."""
    by_hand = isinstance(line, Move) and line.seat == seat and tree.due(line.seat) != line
    return replace(tree.followed(line), dropped=None) if by_hand else tree.followed(line)


def _next(
    seated: LoadedMatch, trees: Trees, change: Change, turn: tuple[Seat, ...]
) -> tuple[Change, Entry | None]:  # fmt: skip
    """The change with the next prepared move, and that; None where there is none, or the rules refuse it now."""
    for user, tree in trees.items():
        seat = seated.seat_of(user)
        move = tree.due(seat) if seat in turn else None
        if move is None or change.match is None:
            continue
        try:
            after = change.match.play(move.seat, move.text)
        except MoveError:
            waiting = tuple(line for line in tree.lines if line[0].seat != seat)
            trees[user] = Prepared(waiting, "illegal")
            continue
        joined = _joined(seated, change, recorded(replace(seated, match=change.match), after, user))
        return joined, joined.answers[-1]
    return change, None


def _joined(seated: LoadedMatch, first: Change, then: Change) -> Change:
    """Two changes as one: those to move in the end are notified, and those who have moved in it have a new turn for
    that."""
    assert then.entry and then.match
    told, turn = dict.fromkeys((*first.tell, *then.tell)), [seated.user_at(seat) for seat in then.match.turn]
    return replace(
        then,
        columns={**first.columns, **then.columns},
        players=_merged(first.players, then.players),
        entry=first.entry,
        answers=(*first.answers, then.entry),
        tell=tuple(user for user in told if then.ends or user in turn),
        turned=_both(first.turned, then.turned) if first.turned and then.turned else None,
    )


def _both(first: Turned, then: Turned) -> Turned:
    fresh, spent = {*first.fresh, *then.fresh}, {*first.spent, *then.spent}
    return Turned(tuple(sorted(fresh)), tuple(sorted(spent)))


def _merged(
    players: Mapping[UserId, Mapping[str, Any]], more: Mapping[UserId, Mapping[str, Any]]
) -> dict[UserId, Mapping[str, Any]]:
    return {**players, **{user: {**players.get(user, {}), **columns} for user, columns in more.items()}}


# To prepare.


def expect_preparable(seated: LoadedMatch, user: UserId) -> Seat:
    """The seat of a user who may premove in a match; raises a refusal."""
    seat = expect_seat(seated, user)
    expect_current(seated)
    if seated.row.seats != 2:
        raise Refusal(FOR_TWO)
    if seated.game.secret:
        raise Refusal(SECRET.format(game=seated.game.title))
    return seat


def growing(seated: LoadedMatch, user: UserId, line: Line, seen: int | None) -> Prepared:
    """A user's premoves with one more line, which is played through; raises a refusal. `seen`: how many lines of the
    record stood on the surface where the line was entered."""
    seat, match = expect_preparable(seated, user), seated.folded
    legs = {match.leg_of(move) for move in line}
    if seen is not None and match.has_moved_on(seat, seat, seen, min((leg for leg in legs if leg), default=None)):
        raise Stale(MOVED_ON, seated)
    if not line or line[0].seat == seat:
        raise NotYourTurn(YOUR_TURN)
    if line[-1].seat != seat or len(legs) > 1:
        raise Refusal(ENDS_OPEN)
    if len(line) > LONGEST or sum(move.seat == seat for move in line) > DEEPEST:
        raise Closed(TOO_DEEP)
    with seated.naming(seat):
        for move in line:
            match = match.play(*move)
    made = tuple(Move(*one) for one in match.record[len(seated.row.record) :])
    tree = of(seated, user).grown(made, seat)
    if len(tree.lines) > MOST:
        raise Closed(TOO_MANY)
    return tree


def of(seated: LoadedMatch, user: UserId) -> Prepared:
    """A user's premoves in a match."""
    own = seated.row.player(user)
    return Prepared.parse(own.prepared if own else None)


def told(seated: LoadedMatch, user: UserId) -> str:
    """The sentence for a user whose premoves were dropped, until they move; empty for all others."""
    dropped = of(seated, user).dropped
    return GONE[dropped] if dropped else ""
