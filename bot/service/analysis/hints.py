"""Hints: where the computer would play on somebody's turn, and when that is asked again, which move it would make.

Both are sentences made from the move's parts, whatever the game: of several parts the first is told, of a square its
column or its row, of a number about how large it is, of a list or a text how it begins. A hint says nothing that is
uncertain: a value holds for certain only where the search came to its end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal, NamedTuple

from bot.core.game.game import Game
from bot.core.game.legs import Legs, seat_in
from bot.core.game.moves import MoveKind, Part
from bot.core.game.position import Position
from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight, person, together
from bot.core.match.stored import MatchRow
from bot.core.values.ids import InteractionId, UserId, timed
from bot.core.values.seats import Seat
from bot.search.levels import budget, highest
from bot.search.thoughts import Question, Thought
from bot.service.rules.refusals import NotYourTurn, expect_seat, to_move

Stage = Literal["where", "which"]
STAGES: tuple[Stage, Stage] = ("where", "which")

BANDS, FEW = 4, 2
"""Into how many parts the numbers are divided of which one is told, and how many are named instead."""
SAYABLE = 10**6
"""A margin of more than that tells nobody anything."""
LOOKED_THROUGH = 2000
"""So many moves are looked through for what a move may begin with."""
ROWS = re.compile("[/;\n]")
"""What ends a row in a text."""

RATED = (
    "This match is rated, and its result is to be the players' own: "
    "there are hints in matches that are not rated, and in all against the computer."
)
ALONE = "Whoever plays alone plays for the best result of this server, which is to be their own: there are no hints."


def expect_hint(seated: LoadedMatch, user: UserId) -> Seat:
    """The seat of somebody who may have a hint now, or a refusal."""
    seat, row = expect_seat(seated, user), seated.row
    if not row.gives_hints:
        raise Refusal(RATED if row.rated else ALONE)
    if seat not in seated.turn:
        raise NotYourTurn(f"There are hints on your turn: {to_move(seated)} is to move.")
    return seat


class Scene(NamedTuple):
    """What a hint is about: a game, the position as its seat sees it, the seat; of a match in two legs that of the
    first leg that waits, in the leg's own seats."""

    game: Game
    position: Position
    seat: Seat
    leg: int | None = None

    @property
    def lead(self) -> str:
        """What stands before a hint."""
        return f"Leg {self.leg}: " if self.leg else ""


def scene_of(seated: LoadedMatch, seat: Seat) -> Scene:
    """What a hint for somebody who is to move is about."""
    position, game = Sight.of(seated, seat).position, seated.folded.game
    if game.once is None or not isinstance(position, Legs):
        return Scene(game, position, seat)
    leg = position.waiting(seat)[0]
    return Scene(game.once, position.leg(leg), seat_in(leg, seat), leg)


def question(seated: LoadedMatch, seat: Seat) -> Question:
    """What the search is asked: the best that it can do on what the seat sees."""
    scene, match = scene_of(seated, seat), seated.folded
    level = highest(scene.game, scene.game.start(match.options, match.seats))
    seed = f"hint:{seated.id}:{Sight.of(seated, seat).version}:{seat}"
    return Question(scene.game.key, scene.position, scene.seat, budget(scene.game, scene.position, level), seed)


def act(seated: LoadedMatch, seat: Seat, stage: Stage) -> InteractionId:
    """The act of giving a hint: the same as long as the match stands as it does for the seat."""
    return timed("hint", seated.id, Sight.of(seated, seat).version, seat, STAGES.index(stage))


# What is said.


def where(game: Game, position: Position, seat: Seat, move: str) -> str:
    """About where a move is, without giving it away where there are several."""
    kinds = [kind for kind in game.moves if kind.when(position, seat)]
    kind = next((one for one in kinds if one.parse(move) is not None), None)
    if kind is None:
        return f"It begins with **{move.split()[0]}**."
    told = _place(kind, position, seat, kind.parse(move) or {})
    return f"The move is *{kind.name}*. {told}".strip() if len(kinds) > 1 or not told else told


def _place(kind: MoveKind, position: Position, seat: Seat, said: dict[str, str]) -> str:
    if not kind.parts:
        return ""
    part = kind.parts[0]
    value = said[part.name]
    if part.kind == "text":
        return f"Its *{part.name}* begins with **{ROWS.split(value)[0].strip()}**."
    first = value.split()[0]
    if len(said) > 1 or first != value:
        return f"Its *{part.name}* begin with **{first}**." if first != value else f"Its *{part.name}* is **{value}**."
    able = [] if position.open_to(seat) else _values(kind, part, position, seat)
    return _line(value, able) if part.kind == "square" else _band(part, value, able)


def _values(kind: MoveKind, part: Part, position: Position, seat: Seat) -> list[str]:
    """The first words of the legal moves, or of the first `LOOKED_THROUGH` of them."""
    found = (kind.parse(move) for move in islice(position.moves(seat), LOOKED_THROUGH))
    return [said[part.name].split()[0] for said in found if said]


def _line(square: str, able: Sequence[str]) -> str:
    """The column of a square or its row, whichever leaves more to think about."""
    column, row = square[0], square[1:]
    in_column = sum(one[0] == column for one in able)
    in_row = sum(one[1:] == row for one in able)
    return f"Look at row **{row}**." if in_row > in_column else f"Look at column **{column}**."


def _band(part: Part, value: str, able: Sequence[str]) -> str:
    """Between which of the values that may be chosen one lies."""
    few = list(dict.fromkeys([*able, value]))
    if not all(one.isdecimal() for one in few) or len(few) <= FEW:
        return f"Its *{part.name}* is {' or '.join(f'**{one}**' for one in few)}."
    ordered = sorted({int(value), *map(int, able)})
    size = max(FEW, -(-len(ordered) // BANDS))
    at = ordered.index(int(value)) // size * size
    band = ordered[at : at + size]
    if len(band) == 1:
        band = ordered[at - 1 : at + 1]
    return f"Its *{part.name}* {'are' if part.items else 'is'} from **{band[0]}** to **{band[-1]}**."


def which(game: Game, seats: int, thought: Thought) -> str:
    """The move, and what it is worth."""
    return f"I would play **{thought.move}**. {worth(game, seats, thought)}"


def worth(game: Game, seats: int, thought: Thought) -> str:
    """What a move comes to, in words."""
    if game.mind.ponder:
        return "It is the best that I have found."
    margin = round(thought.value)
    if thought.exact:
        return f"For certain, you then {_certain(game, margin)} if nobody errs."
    if game.scored and abs(margin) < SAYABLE:
        than = " of the best other" if seats > 2 else ""
        said = f"{'ahead' if margin > 0 else 'behind'}{than} by about {abs(margin)}" if margin else "about level"
        return f"I expect you to come out {said}."
    tenths = max(1, min(9, round(10 * thought.chance)))
    return f"I give you about {tenths} chance{'s' if tenths > 1 else ''} in 10 to win."


def _certain(game: Game, margin: int) -> str:
    if not margin:
        return "come out level"
    result = "win" if margin > 0 else "lose"
    return f"{result} by {abs(margin)}" if game.scored and abs(margin) < SAYABLE else result


# What is told of them at the end.


def used(row: MatchRow, user: UserId | None = None) -> str:
    """A sentence with the hints that each player used; while the match goes on, only with those of `user`."""
    over = row.state in ("finished", "aborted")
    known = [player for player in row.players if player.hints and (over or player.user == user)]
    told = [f"{person(one.user)} used {one.hints} hint{'s' if one.hints > 1 else ''}" for one in known]
    return f"{together(told)}." if told else ""
