"""Matches in two legs: the same game twice at once, with seats swapped."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeVar

from bot.games.game import Game
from bot.games.mind import Mind
from bot.games.moves import MoveKind, Part
from bot.games.notation import format_sum
from bot.games.options import BadOptions, Options
from bot.games.position import (
    BOTH,
    Illegal,
    NameSeat,
    OutOfTurn,
    Position,
    ScorePart,
    Seat,
    Suggestion,
    Unreadable,
    Viewer,
    rank_seats,
)

if TYPE_CHECKING:
    from rendering.shapes import Picture


# The position of a match in two legs, of which the sum of scores decides.


Leg = int
"""The first of two legs is 1, the second 2."""
LEGS: tuple[Leg, Leg] = (1, 2)
Counts = Literal["most", "least", "ranks"]
"""What decides: the highest sum of scores, the lowest, or in a game without scores the legs won."""

IN_LEG = "leg {leg} · {told}"
BOTH_DRAWN, ONE_DRAWN = "Both legs were draws.", "{name} won leg {leg}, and leg {drawn} was a draw."
WON_BOTH, WON_EACH = "{name} won both legs.", "{name} won leg 1, and {other} won leg 2."
BY_LEG = "Leg {leg}: {told}"
"""By what a match was decided."""
NAMED = re.compile(r"(?:leg ?)?([12]) ?: ?(.*)|leg ?([12]) (.*)", re.IGNORECASE | re.DOTALL)
SEATS = re.compile(r"\b([Pp]layer) ([12])(?![0-9])")
MARKS = re.compile(r"(?<![A-Za-z])[#O](?![A-Za-z])")
WHICH = "Both legs are waiting for you. Write the leg in front of the move, like 1: or 2:."
UNNAMED = "Write the leg in front of the move, like 1: or 2:."


class LegMove(NamedTuple):
    """A move of a leg: the leg, or None if it was left out, and the notation there."""

    leg: Leg | None
    move: str

    def __str__(self) -> str:
        return f"{self.leg}: {self.move}"

    @classmethod
    def parse(cls, text: str) -> LegMove:
        """Read `1: c4`, `1:c4`, `leg 1: c4`, `leg 1 c4` or a move without its leg.

        >>> LegMove.parse("Leg 2 C4"), str(LegMove.parse("1:c4")), LegMove.parse("12")
        (LegMove(leg=2, move='C4'), '1: c4', LegMove(leg=None, move='12'))
        """
        found = NAMED.fullmatch(text.strip())
        if not found:
            return cls(None, text)
        leg, move = (found[1], found[2]) if found[1] else (found[3], found[4])
        return cls(int(leg), move)


def seat_in(leg: Leg, seat: Seat) -> Seat:
    """A player's seat in a leg, from the seat in the match; its own inverse."""
    return seat if leg == 1 else 3 - seat


def translate_seats(leg: Leg, text: str) -> str:
    """A text of a leg with its seats translated to those of the match.

    >>> translate_seats(1, "player 1 wins"), translate_seats(2, "Player 1 wins, not player 2; player 12")
    ('player 1 wins', 'Player 2 wins, not player 1; player 12')
    """
    return text if leg == 1 else SEATS.sub(lambda found: f"{found[1]} {3 - int(found[2])}", text)


def translate_board(leg: Leg, board: str) -> str:
    """A board of a leg as text, with seats and their marks # and O translated to those of the match."""
    return board if leg == 1 else MARKS.sub(lambda found: "O" if found[0] == "#" else "#", translate_seats(leg, board))


@contextmanager
def _in_leg(leg: Leg) -> Generator[None]:
    """Prefix refusals with the leg."""
    try:
        yield
    except (Unreadable, OutOfTurn, Illegal) as fault:
        raise type(fault)(f"Leg {leg}: {translate_seats(leg, str(fault))}") from fault


@dataclass(frozen=True, slots=True)
class Legs(Position):
    """A position of a match in two legs. `made` is the number of moves made in each."""

    first: Position
    second: Position
    counts: Counts = "most"
    made: tuple[int, int] = (0, 0)

    def get_position(self, leg: Leg) -> Position:
        """The position of a leg, in the leg's own seats."""
        return self.first if leg == 1 else self.second

    @property
    def numbered_legs(self) -> tuple[tuple[Leg, Position], ...]:
        return (1, self.first), (2, self.second)

    def list_waiting_legs(self, seat: Seat) -> tuple[Leg, ...]:
        """The legs in which a seat may act now."""
        return tuple(leg for leg, position in self.numbered_legs if seat_in(leg, seat) in position.turn)

    # Moves.

    @property
    def turn(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in BOTH if self.list_waiting_legs(seat))

    @property
    def round(self) -> int:
        return self.first.round + self.second.round - 1

    def open_to(self, seat: Seat) -> bool:
        return any(self.get_position(leg).open_to(seat_in(leg, seat)) for leg in self.list_waiting_legs(seat))

    def moves(self, seat: Seat) -> Iterator[str]:
        for leg in self.list_waiting_legs(seat):
            position, inner = self.get_position(leg), seat_in(leg, seat)
            if not position.open_to(inner):
                yield from (str(LegMove(leg, move)) for move in position.moves(inner))

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        said = LegMove.parse(typed)
        legs = [leg for leg in self.list_waiting_legs(seat) if said.leg in (None, leg)]
        offered = [self._suggest_in_leg(leg, seat, said.move) for leg in legs]
        for row in zip_longest(*offered):
            yield from (suggestion for suggestion in row if suggestion is not None)

    def _suggest_in_leg(self, leg: Leg, seat: Seat, typed: str) -> Iterator[Suggestion]:
        for move, note in self.get_position(leg).suggest(seat_in(leg, seat), typed):
            yield Suggestion(str(LegMove(leg, move)), translate_seats(leg, note))

    def read(self, seat: Seat, text: str) -> str:
        said = LegMove.parse(text)
        leg = said.leg or self._find_only_leg(seat)
        with _in_leg(leg):
            return str(LegMove(leg, self.get_position(leg).read(seat_in(leg, seat), said.move)))

    def _find_only_leg(self, seat: Seat) -> Leg:
        """The one leg that waits for a seat."""
        waiting = self.list_waiting_legs(seat)
        if len(waiting) != 1:
            raise Unreadable(WHICH if waiting else UNNAMED)
        return waiting[0]

    def play(self, seat: Seat, move: str) -> Self:
        leg, inner = LegMove.parse(move)
        if leg is None:
            raise Unreadable(UNNAMED)
        if leg not in self.list_waiting_legs(seat):
            raise OutOfTurn(self._explain_no_turn(leg, seat))
        with _in_leg(leg):
            return self._replace_leg(leg, self.get_position(leg).play(seat_in(leg, seat), inner))

    def _explain_no_turn(self, leg: Leg, seat: Seat) -> str:
        if not self.get_position(leg).turn:
            return f"Leg {leg} is over, so nothing can be played there any more."
        if self.list_waiting_legs(seat):
            return f"Leg {leg} waits for player {3 - seat}. Leg {3 - leg} waits for you."
        return f"Leg {leg} waits for player {3 - seat}."

    def _replace_leg(self, leg: Leg, position: Position) -> Self:
        first, second = self.made
        if leg == 1:
            return replace(self, first=position, made=(first + 1, second))
        return replace(self, second=position, made=(first, second + 1))

    def withdraw(self, seat: Seat) -> Self:
        """Withdraw a seat from each leg that is not over."""
        # The dataclass decorator makes a new class with slots, so `super()` without arguments fails.
        withdrawn = Position.withdraw(self, seat).withdrawn
        first, second = (
            position.withdraw(seat_in(leg, seat)) if position.turn else position for leg, position in self.numbered_legs
        )
        return replace(self, first=first, second=second, withdrawn=withdrawn)

    # The standing.

    def scores_in(self, leg: Leg) -> tuple[int, ...]:
        """The scores of a leg in the seats of the match."""
        scores = self.get_position(leg).scores()
        return scores if leg == 1 else scores[::-1]

    def scores(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(self.scores_in(1), self.scores_in(2), strict=True)))

    def is_played_out(self, leg: Leg) -> bool:
        """Whether a leg ended by its rules, without a withdrawal."""
        return not self.get_position(leg).turn and not self.get_position(leg).withdrawn

    def find_winners(self, leg: Leg) -> tuple[Seat, ...]:
        """The winner of a leg that was played out, in the seats of the match; both of a draw."""
        ranks = (self.get_position(leg).ranks() if self.is_played_out(leg) else None) or ()
        return tuple(sorted(seat_in(leg, seat) for seat, rank in enumerate(ranks, 1) if rank == 1))

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else rank_seats(self._compute_merits(), self.withdrawn)

    def _compute_merits(self) -> tuple[int, ...]:
        if self.counts == "ranks":
            return tuple(sum(seat in self.find_winners(leg) for leg in LEGS) for seat in BOTH)
        return tuple(-score if self.counts == "least" else score for score in self.scores())

    def explain_result(self, name: NameSeat) -> str:
        """Who won which leg; where nothing is scored, by what."""
        if self.counts == "ranks" and (told := " ".join(self._explain_legs(name))):
            return told
        won = [self.find_winners(leg) for leg in LEGS]
        drawn = [leg for leg, first in zip(LEGS, won, strict=True) if len(first) != 1]
        if len(drawn) == 2:
            return BOTH_DRAWN
        names = [name(first[0]) for first in won]
        if drawn:
            return ONE_DRAWN.format(name=names[2 - drawn[0]], leg=3 - drawn[0], drawn=drawn[0])
        return (WON_BOTH if won[0] == won[1] else WON_EACH).format(name=names[0], other=names[1])

    def _explain_legs(self, name: NameSeat) -> Iterator[str]:
        for leg, position in self.numbered_legs:
            if why := position.explain_result(lambda seat, leg=leg: name(seat_in(leg, seat))):
                yield BY_LEG.format(leg=leg, told=why)

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            part._replace(
                seat=seat_in(leg, part.seat),
                name=IN_LEG.format(leg=leg, told=translate_seats(leg, part.name)),
                working=translate_seats(leg, part.working),
                key=(leg, part.identity),
            )
            for leg, position in self.numbered_legs
            for part in position.list_score_parts()
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        assert isinstance(before, Legs)
        return tuple(
            IN_LEG.format(leg=leg, told=translate_seats(leg, line))
            for leg, position in self.numbered_legs
            if position != before.get_position(leg)
            for line in position.explain_unchanged(before.get_position(leg))
        )

    def working(self) -> tuple[str, ...]:
        lines = tuple(
            IN_LEG.format(leg=leg, told=translate_seats(leg, line))
            for leg, position in self.numbered_legs
            for line in position.working()
        )
        return lines if self.turn else (*lines, *self._describe_results())

    def _describe_results(self) -> Iterator[str]:
        """The results of the legs that were played out, and if both were, their sums."""
        played_out = tuple(leg for leg in LEGS if self.is_played_out(leg))
        for leg in played_out if self.counts == "ranks" else ():
            won = self.find_winners(leg)
            yield f"leg {leg} · player {won[0]} wins" if len(won) == 1 else f"leg {leg} · a draw"
        for seat in BOTH if self.counts != "ranks" and played_out == LEGS else ():
            one, other = self.scores_in(1)[seat - 1], self.scores_in(2)[seat - 1]
            yield f"player {seat}: {format_sum((one, other))}"

    def seen_by(self, viewer: Viewer) -> Self:
        """This position: a game with secrets has no legs."""
        return self

    def __str__(self) -> str:
        return "\n\n".join(f"Leg {leg}\n{translate_board(leg, str(position))}" for leg, position in self.numbered_legs)


# The table of a game in two legs, made from the table of the game.


Answer = TypeVar("Answer")

MOST_PICTURES = 9
"""The most pictures of both legs: a message shows ten, one of which is the chart of scores."""


def has_legs(game: Game) -> bool:
    """Whether a game can be played in two legs: it has two seats and no secrets."""
    return 2 in game.seats and not game.secret


def expect_legs(game: Game, seats: int) -> None:
    """Raise `BadOptions` if a match cannot have two legs."""
    if game.secret:
        raise BadOptions(f"{game.title} is not played in two legs: its moves are secret. Leave the legs out.")
    if seats != 2:
        raise BadOptions(f"Two legs are for two people, not for {seats}: leave the legs out, or name one opponent.")


def get_game_for_legs(game: Game, legs: int) -> Game:
    """The table of a game played in `legs` legs, 1 or 2."""
    return make_two_legged(game) if legs == 2 else game


def get_single_game(game: Game) -> Game:
    """The table of the game itself, of one or two legs."""
    return game.single or game


def start_legs(game: Game, options: Options, seats: int) -> Legs:
    """Both legs before the first move."""
    counts: Counts = "ranks" if not game.scored else "least" if game.lowest_wins else "most"
    return Legs(game.start(options, 2), game.start(options, 2), counts)


@cache
def make_two_legged(game: Game) -> Game[Any, Any]:
    """The table of the same game in two legs."""
    expect_legs(game, 2)
    return replace(
        game,
        seats=range(2, 3),
        start=partial(start_legs, game),
        moves=tuple(_adapt_kind(kind, leg) for leg in LEGS for kind in game.moves),
        pictures=partial(draw_legs, game),
        sketch=None,
        plies=2 * game.plies,
        minutes=2 * game.minutes,
        sides=(),
        extra_moves=(),
        mind=Mind(measured=game.mind.measured),
        single=game,
    )


def draw_legs(game: Game, legs: Legs) -> tuple[Picture, ...]:
    """The pictures of both legs; only the board of a leg that is over before the other, or was never played. If there
    are too many, the last pictures of the leg that has more are dropped."""
    told = [
        bool(position.turn) if legs.turn else made > 0
        for (_, position), made in zip(legs.numbered_legs, legs.made, strict=True)
    ]
    drawn = [game.pictures(position) for _, position in legs.numbered_legs]
    drawn = [pages if whole else pages[:1] for pages, whole in zip(drawn, told, strict=True)]
    while sum(map(len, drawn)) > MOST_PICTURES:
        longest = max(drawn, key=len)
        drawn[drawn.index(longest)] = longest[:-1]
    return tuple(adapt_picture(leg, page) for leg, pages in zip(LEGS, drawn, strict=True) for page in pages)


def adapt_picture(leg: Leg, page: Picture) -> Picture:
    """A picture of a leg for the match: it names the leg, and has the colours of the match's seats."""
    if leg == 2:
        page = page.exchange_seats(partial(translate_seats, leg))
    return replace(page, name=f"{page.name}-leg{leg}", alt=f"Leg {leg}. {page.alt}", leg=leg)


def _adapt_kind(kind: MoveKind, leg: Leg) -> MoveKind:
    """A kind of move for a leg, in the position of the match."""

    def is_possible(position: Position, seat: Seat) -> bool:
        assert isinstance(position, Legs)
        return leg in position.list_waiting_legs(seat) and kind.when(position.get_position(leg), seat_in(leg, seat))

    return MoveKind(
        f"{kind.name}{leg}",
        kind.help,
        f"{leg}: {kind.pattern}",
        tuple(_adapt_part(part, leg) for part in kind.parts),
        is_possible,
        kind.final,
        label=f"{kind.label} · leg {leg}",
        foreseen=kind.foreseen,
        leg=leg,
        single=kind,
        asks=_adapt_question(kind.asks, leg) if kind.asks else None,
        asks_whole=_adapt_question(kind.asks_whole, leg) if kind.asks_whole else None,
        answered=kind.answered,
        takes_back=kind.takes_back,
        verb=kind.verb,
        thing=kind.thing,
        counted=kind.counted,
        tells=_adapt_question(kind.tells, leg) if kind.tells else None,
        does=_adapt_question(kind.does, leg) if kind.does else None,
        plays=_adapt_question(kind.plays or (lambda position, seat, values: kind.write(values)), leg),
        places=_adapt_placing(kind.places, leg) if kind.places else None,
    )


def _adapt_part(part: Part, leg: Leg) -> Part:
    """A part of a move for a leg, in the position of the match."""
    items, completions, label = part.items, part.completions, part.key_label
    usual = _adapt_question(part.common_values, leg) if part.common_values else None

    def complete(position: Position, seat: Seat, values: Mapping[str, str], typed: str) -> Iterable[str]:
        assert completions
        return completions(_get_leg_position(position, leg), seat_in(leg, seat), values, typed)

    def label_key(position: Position, chosen: Mapping[str, str], value: str) -> str:
        assert label
        return label(_get_leg_position(position, leg), chosen, value)

    def begin(position: Position, seat: Seat) -> str:
        return part.begin(_get_leg_position(position, leg), seat_in(leg, seat))

    return replace(
        part,
        bounds=_adapt_bounds(part.bounds, leg),
        items=_adapt_bounds(items, leg) if items else None,
        begin=begin,
        completions=complete if completions else None,
        common_values=usual,
        key_label=label_key if label else None,
        pad_part=_adapt_part(part.pad_part, leg) if part.pad_part else None,
    )


def _adapt_question(
    ask: Callable[[Position, Seat, Mapping[str, str]], Answer], leg: Leg
) -> Callable[[Position, Seat, Mapping[str, str]], Answer]:
    def ask_in_leg(position: Position, seat: Seat, values: Mapping[str, str]) -> Answer:
        return ask(_get_leg_position(position, leg), seat_in(leg, seat), values)

    return ask_in_leg


def _adapt_placing(place: Callable[[Position, Seat], int | None], leg: Leg) -> Callable[[Position, Seat], int | None]:
    return lambda position, seat: place(_get_leg_position(position, leg), seat_in(leg, seat))


def _adapt_bounds(ask: Callable[[Position], Any], leg: Leg) -> Callable[[Position], Any]:
    return lambda position: ask(_get_leg_position(position, leg))


def _get_leg_position(position: Position, leg: Leg) -> Position:
    assert isinstance(position, Legs)
    return position.get_position(leg)
