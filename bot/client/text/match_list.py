"""Writes matches as lines of a list, and sorts them by how they concern somebody.

A line is made from a match's row in the store, without its record: who is to move and until when, who won, where it
is. In games with secrets the order does not depend on when somebody moved. Clocks are shown in all games, because
secret moves do not change them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.client.text import clock_text, match_text
from bot.core.game.game import Game
from bot.core.match.clocks import Pace
from bot.core.match.loaded_match import link_to, person
from bot.core.match.proposal import Proposal
from bot.core.match.stored import MatchRow, Player
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import MatchId, UserId
from bot.core.values.plural import Plural, together
from bot.service.rules import claims


@dataclass(frozen=True, slots=True)
class Apart:
    """The people who have left the server, and those who are away, each until when; and the zones in which it is the
    weekend, each until when; and the challenges whose message was deleted."""

    gone: Collection[UserId] = ()
    away: Mapping[UserId, int] = field(default_factory=dict[UserId, int])
    weekends: Mapping[str, int] = field(default_factory=dict[str, int])
    deleted: Collection[MatchId] = ()

    def of(self, row: MatchRow) -> list[str]:
        """What ends a line: who of the people to move has left or is away, and whose clock rests this weekend."""
        waiting = [player.user for player in row.to_move]
        gone = [person(user) for user in waiting if user in self.gone]
        told = [LEFT.of(len(gone), names=together(gone))] if gone else []
        told += [f"{person(user)} is away until <t:{self.away[user]}:D>" for user in waiting if user in self.away]
        told += [DELETED] if row.id in self.deleted else []
        rests = {player.user: until for player in row.to_move if (until := self._rests(player)) and row.paused is None}
        return [*told, *(RESTS.format(name=person(user), until=f"<t:{until}:f>") for user, until in rests.items())]

    def link(self, row: MatchRow) -> str:
        """Where a match is found, without a message that is not there any more."""
        return link_to(replace(row, lobby_message=None) if row.id in self.deleted else row)

    def _rests(self, player: Player) -> int | None:
        """Until when somebody's clock rests, where it is the weekend for them and they are not away anyway."""
        if player.weekend is None or player.deadline is None or player.forfeit_at or player.user in self.away:
            return None
        return self.weekends.get(player.weekend)


NOBODY = Apart()
DELETED = "its message was deleted: /match board posts it again"
RESTS = "{name}'s clock rests until {until}"
MOST_ASKED = 8
"""So many matches are listed where somebody is asked which they mean."""
LEFT = Plural("{names} has left this server", "{names} have left this server")
TO_MOVE = Plural("{names} is to move", "{names} are to move")
THINKING = Plural("{names} is thinking", "{names} are thinking")
ENDS = Plural("time ends {when}", "the first time ends {when}")
ASKED = Plural("{names} is asked", "{names} are asked")
FREE = "{number} of {seats} seats free"
WITH = "with {people}"
OVERDUE = "{names} ran out of time"
LATE = "{names} ran out of time {when}"
CLAIM = "{names} ran out of time {when}: claim it"
CLAIM_OR_GIVE = "{names} ran out of time {when}: claim it, or give {days} more days"


def line(row: MatchRow, game: Game, user: UserId | None = None, apart: Apart = NOBODY) -> str:
    """A match in a line: its game and number, which lead there, with whom, how it stands for `user`, who is absent. A
    link by itself would be shown as the name of the thread, with the game and the people once more."""
    return f"**[{game.title} · {row.id}]({apart.link(row)})** · {_standing(row, user, apart)}"


def _standing(row: MatchRow, user: UserId | None, apart: Apart) -> str:
    """With whom a match is played, and how it stands; who is named there anyway is not named before that."""
    told = " · ".join([state(row, user), *apart.of(row)])
    others = rivals(row, user) if user is not None and row.player(user) else []
    if others and all(name in told for name in others):
        return told
    people = WITH.format(people=together(others)) if others else " – ".join(person(one.user) for one in row.players)
    return f"{people} · {told}"


def listed(head: str, rows: Sequence[MatchRow], games: Mapping[str, Game], user: UserId) -> str:
    """A sentence that asks which match somebody means, and below it those that it can be, the most urgent first. There
    is no markup in it, since refusals show none."""
    ordered = sorted((row for row in rows if row.game in games), key=lambda row: urgency(row, user, games))
    lines = [
        f"{row.id} · {games[row.game].title} · {_standing(row, user, NOBODY)} {link_to(row)}".replace("**", "")
        for row in ordered[:MOST_ASKED]
    ]
    return match_text.listed(head, lines, total=len(ordered), small="")


def rivals(row: MatchRow, user: UserId) -> list[str]:
    """With whom somebody plays; nobody in a match alone."""
    return [person(player.user) for player in row.players if player.user != user]


def state(row: MatchRow, user: UserId | None) -> str:
    """How a match stands: what it waits for, or how it ended."""
    if row.state == "open":
        return _open(row, user)
    if row.state == "live":
        return _to_move(row, user)
    ended = result(row)
    return f"{ended} <t:{row.ended}:d>" if row.ended else ended


def _open(row: MatchRow, user: UserId | None) -> str:
    asked = [player.user for player in row.players if player.invited]
    if user in asked:
        return "you are asked"
    waiting = [ASKED.of(len(asked), names=together([person(other) for other in asked]))] if asked else []
    seats = free(row)
    told = [*waiting, *([FREE.format(number=seats, seats=row.seats)] if seats else [])]
    return " · ".join(told) or "about to begin"


def free(row: MatchRow) -> int:
    """How many seats nobody has taken yet or was asked to take."""
    return row.seats - len(row.players)


def asked_in(row: MatchRow, user: UserId | None) -> bool:
    """Whether somebody who does not play a live match is asked to take over a seat of it."""
    proposal = Proposal.parse(row.proposal) if row.proposal is not None and row.state == "live" else None
    if proposal is None or proposal.accepted:
        return False
    return proposal.person is not None and proposal.person == user


def _to_move(row: MatchRow, user: UserId | None) -> str:
    """Who is to move in a live match and how much time they have; what concerns `user` comes first."""
    if asked_in(row, user):
        return "you are asked to take over a seat"
    if row.paused is not None:
        return f"paused <t:{row.paused}:R>"
    waiting = row.to_move
    own = [_own(player) for player in waiting if player.user == user]
    late = [player for player in waiting if player.forfeit_at and player.user != user]
    if late:
        takes_part = user is not None and row.player(user) is not None
        return " · ".join([*own, _late(late, takes_part, len(row.players) > 2)])
    return " · ".join(own) or _others(waiting)


def _own(player: Player) -> str:
    if player.forfeit_at:
        return f"**you ran out of time <t:{player.deadline}:R>**: move before somebody claims the match"
    return " · ".join(["**your move**", *_ends([player])])


def _late(late: Sequence[Player], takes_part: bool, several: bool) -> str:
    since = min(player.deadline or 0 for player in late)
    # Where several wait, more time is given once a turn.
    given = several and all(player.extra_time_count for player in late)
    told = LATE if not takes_part else CLAIM if given else CLAIM_OR_GIVE
    names = together([person(player.user) for player in late])
    return told.format(names=names, when=f"<t:{since}:R>", days=claims.EXTRA_DAYS)


def _others(waiting: Sequence[Player]) -> str:
    moving, thinking = _moving(waiting), _thinking(waiting)
    return " · ".join([*moving, *(_ends(waiting) if moving else []), *thinking])


def _moving(waiting: Sequence[Player]) -> list[str]:
    moving = [person(player.user) for player in waiting if not is_computer(player.user)]
    return [TO_MOVE.of(len(moving), names=together(moving))] if moving else []


def _thinking(waiting: Sequence[Player]) -> list[str]:
    thinking = [person(player.user) for player in waiting if is_computer(player.user)]
    return [THINKING.of(len(thinking), names=together(thinking))] if thinking else []


def _ends(waiting: Sequence[Player]) -> list[str]:
    """When the time of those who are to move ends; nothing where no clock runs."""
    ends = {player.deadline for player in waiting if player.deadline is not None}
    return [ENDS.of(len(ends), when=f"<t:{min(ends)}:R>")] if ends else []


def result(row: MatchRow) -> str:
    """How a match that is over ended."""
    if row.state != "finished":
        return "called off"
    if row.seats == 1:
        return "done"
    first = [person(player.user) for player in row.players if player.rank == 1]
    if len(first) > 1:
        return f"a draw between {together(first)}"
    if row.seats == 2:
        return f"{together(first)} won"
    placed = sorted((player for player in row.players if player.rank), key=lambda player: player.rank or 0)
    return together(f"{match_text.place_name(player.rank or 0)} {person(player.user)}" for player in placed)


def table(row: MatchRow, game: Game) -> str:
    """A table with free seats in a line: who is there, how many are free, until when, and where it is."""
    come = together([person(player.user) for player in row.players])
    seats = FREE.format(number=free(row), seats=row.seats)
    told = [come, seats, str(Pace.parse(row.pace)), f"closes <t:{row.expires}:R>"]
    return f"**[{game.title}]({link_to(row)})** · {' · '.join(told)}"


def urgency(row: MatchRow, user: UserId, games: Mapping[str, Game]) -> tuple[int, int]:
    """The key to sort matches for somebody by. First comes where time has run out; then where they are to move, by the
    time left; then where they are to move without a clock, or are asked something; then where others are to move, by
    the time left or without a clock; then what is paused; last what has not begun."""
    moved = None if games[row.game].secret else row.moved
    since, player = moved or row.started or row.created, row.player(user)
    if row.state != "live":
        return (2 if player and player.invited else 6, since)
    if asked_in(row, user):
        return (2, since)
    if row.paused is not None:
        return (5, row.paused)
    waiting = row.to_move
    if over := [player.deadline or 0 for player in waiting if player.forfeit_at]:
        return (0, min(over))
    if player in waiting:
        return (1, player.deadline) if player.deadline else (2, since)
    ends = [player.deadline for player in waiting if player.deadline]
    return (3, min(ends)) if ends else (4, since)


def pressing(row: MatchRow, user: UserId, now: int) -> list[str]:
    """What a live match waits for, as the last words of its name in suggestions, which show no moments: "your move",
    "5 hours left", "Bea is to move"."""
    waiting = row.to_move
    if row.paused is not None:
        return ["paused"]
    if late := [person(player.user) for player in waiting if player.forfeit_at and player.user != user]:
        return [OVERDUE.format(names=together(late))]
    own = next((player for player in waiting if player.user == user), None)
    if own is None:
        return [*_moving(waiting), *_thinking(waiting)]
    if own.forfeit_at:
        return ["your time ran out"]
    return ["your move", *([f"{clock_text.lasting(own.deadline - now)} left"] if own.deadline else [])]
