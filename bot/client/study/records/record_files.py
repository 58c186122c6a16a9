"""Writes the record of a match as a file, for a person as they may see the match: as `replay` reads it, or as
AbstractPlay's programs do."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from bot.core.game.legs import Leg, seat_in
from bot.core.library.abstract_play import Circumstances, written
from bot.core.match.leg_records import records, split
from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight
from bot.core.values.computer_users import is_computer, level_of
from bot.core.values.ids import UserId

OWN, ABSTRACT_PLAY = "Graph Paper", "AbstractPlay"
"""The formats, as people choose them."""
RECORD = "The record of match {match} as text: its options, its seats and everything that was played."
RECORDS = f"{RECORD} Each leg has a line."
VEILED = "The record of match {match} as you may see it: what others play in secret is veiled until the match is over."
FOREIGN = "The record of match {match} in AbstractPlay's format, with “Player 1” and so on in place of people."
FOREIGN_NAMED = "The record of match {match} in AbstractPlay's format, with your name; others are “Player 1” and so on."
UNFINISHED = "AbstractPlay's format is for matches that were played to the end. Leave out the format for this one."
NAMELESS = "Only AbstractPlay's format has names. Choose it, or leave out your name."
NOT_YOURS = "You didn't play this match, so your name isn't in it. Leave it out."


def told(seated: LoadedMatch, user: UserId) -> str:
    """The sentence beside a record."""
    return RECORDS if seated.game.once else VEILED if is_veiled(seated, user) else RECORD


def records_for(seated: LoadedMatch, user: UserId) -> list[dict[str, Any]]:
    """The record of a match as somebody may see it, one for each leg, with the seats and levels of computers; marked
    where others' moves may be veiled in it, whether there are any or not."""
    if seated.match is None:
        raise Refusal("This match hasn't begun yet, so it has no record.")
    seen = [list(line) for line in Sight.of(seated, seated.seat_of(user)).record]
    whole: list[dict[str, Any]] = [*records(seated.match)]
    if seated.game.once is None:
        whole = [{**seated.match.to_json(), "moves": seen, **({"veiled": True} if is_veiled(seated, user) else {})}]
    return [{**record, **_computers(seated, leg := record.get("leg", 1)), **_from(seated, leg)} for record in whole]


def is_veiled(seated: LoadedMatch, user: UserId) -> bool:
    """Whether others' moves are kept from somebody in the record of a match that has begun."""
    own = seated.row.seats == 1 and seated.seat_of(user) is not None
    return seated.game.secret and not own and not seated.folded.revealed(seated.row.published)


def _computers(seated: LoadedMatch, leg: Leg) -> dict[str, Any]:
    """The seats of a leg on which computers play, each with its level."""
    found = [[seat_in(leg, one.seat or 0), level_of(one.user)] for one in seated.players if is_computer(one.user)]
    return {"computers": found} if found else {}


def _from(seated: LoadedMatch, leg: Leg) -> dict[str, Any]:
    """The match from which this one goes on, if it is kept here, and how many lines of a leg were played before."""
    row, match = seated.row, seated.folded
    ply = sum(match.leg_of(line) in (None, leg) for line in match.record[: row.imported_plies])
    return (
        {"from": {**({"match": row.source_match} if row.source_match else {}), "ply": ply}}
        if row.imported_plies
        else {}
    )


def abstract_play(seated: LoadedMatch, user: UserId, now: int, name: str | None) -> list[dict[str, Any]]:
    """The record of a finished match for AbstractPlay's programs, one for each leg. People are numbered; the one who
    asks can have their own `name` in it."""
    row = seated.row
    if seated.match is None or row.state != "finished" or is_veiled(seated, user):
        raise Refusal(UNFINISHED)
    seat = seated.seat_of(user)
    if name and seat is None:
        raise Refusal(NOT_YOURS)
    computers = {player.seat or 0: player.user for player in seated.players if is_computer(player.user)}
    names = {seat: name} if name and seat else {}
    found: list[dict[str, Any]] = []
    for leg, match in enumerate(split(seated.match) if seated.game.once else (seated.match,), 1):
        number = f"{seated.id}-{leg}" if seated.game.once else str(seated.id)
        about = Circumstances(
            number, row.rated, moment(row.started or row.created), moment(row.ended or now), moment(now),
            {seat_in(leg, one): who for one, who in computers.items()} if seated.game.once else computers,
            {seat_in(leg, one): who for one, who in names.items()} if seated.game.once else names,
        )  # fmt: skip
        found.append(written(match, about))
    return found


def as_lines(found: list[dict[str, Any]]) -> bytes:
    """Records as a file, each on a line."""
    return "".join(f"{json.dumps(record)}\n" for record in found).encode()


def moment(seconds: int) -> str:
    """Epoch seconds as ISO 8601 writes them."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
