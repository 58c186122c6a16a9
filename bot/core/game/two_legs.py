"""Makes the table of a game in two legs from the table of the game, so that the program plays it like any other.

Each kind of move occurs twice, `move1` and `move2`, with the leg in front of its notation, and looks at its leg of a
position. The pictures are those of both legs.

>>> from bot.core.library.catalogue import games
>>> [kind.label for kind in in_legs(games()["plexus"]).moves]
['Move · leg 1', 'Move · leg 2']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from bot.core.game.game import Game
from bot.core.game.legs import (
    LEGS,
    Counts,
    Leg,
    Legs,
    seat_in,
    told,
)
from bot.core.game.mind import Mind
from bot.core.game.moves import MoveKind, Part
from bot.core.game.options import BadOptions, Options
from bot.core.game.position import Position
from bot.core.values.seats import Seat

if TYPE_CHECKING:
    from rendering.shapes import Picture

Answer = TypeVar("Answer")

MOST_PICTURES = 9
"""Pictures of both legs together: a message shows ten, and one of them is how the scores went."""


def has_legs(game: Game) -> bool:
    """Whether a game can be played in two legs: one for two people who see the same."""
    return 2 in game.seats and not game.secret


def expect_legs(game: Game, seats: int) -> None:
    """Refuse two legs where there can be none."""
    if game.secret:
        raise BadOptions(f"{game.title} is not played in two legs: its moves are secret. Leave the legs out.")
    if seats != 2:
        raise BadOptions(f"Two legs are for two people, not for {seats}: leave the legs out, or name one opponent.")


def table(game: Game, legs: int) -> Game:
    """The table of a game played in `legs` legs, 1 or 2."""
    return in_legs(game) if legs == 2 else game


def once(game: Game) -> Game:
    """The table of the game itself, for what does not depend on how often it is played."""
    return game.once or game


def begin(game: Game, options: Options, seats: int) -> Legs:
    """Both legs before the first move."""
    counts: Counts = "ranks" if not game.scored else "least" if game.lowest_wins else "most"
    return Legs(game.start(options, 2), game.start(options, 2), counts)


@cache
def in_legs(game: Game) -> Game[Any, Any]:
    """The table of the same game in two legs."""
    expect_legs(game, 2)
    return replace(
        game,
        seats=range(2, 3),
        start=partial(begin, game),
        moves=tuple(_kind(kind, leg) for leg in LEGS for kind in game.moves),
        pictures=partial(pictures, game),
        sketch=None,
        plies=2 * game.plies,
        minutes=2 * game.minutes,
        sides=(),
        also=(),
        mind=Mind(),
        once=game,
        decided="",
    )


def pictures(game: Game, legs: Legs) -> tuple[Picture, ...]:
    """The pictures of both legs; of one that is over before the other, or was never played, its board alone. Where
    there are too many, those at the end are left out of the leg that has more."""
    told = [
        bool(position.turn) if legs.turn else made > 0 for (_, position), made in zip(legs.each, legs.made, strict=True)
    ]
    drawn = [game.pictures(position) for _, position in legs.each]
    drawn = [pages if whole else pages[:1] for pages, whole in zip(drawn, told, strict=True)]
    while sum(map(len, drawn)) > MOST_PICTURES:
        longest = max(drawn, key=len)
        drawn[drawn.index(longest)] = longest[:-1]
    return tuple(dressed(leg, page) for leg, pages in zip(LEGS, drawn, strict=True) for page in pages)


def dressed(leg: Leg, page: Picture) -> Picture:
    """A picture of a leg, as it is shown in the match: it says which leg it is of, and what is whose."""
    if leg == 2:
        page = page.exchanged(partial(told, leg))
    return replace(page, name=f"{page.name}-leg{leg}", alt=f"Leg {leg}. {page.alt}", leg=leg)


def _kind(kind: MoveKind, leg: Leg) -> MoveKind:
    """A kind of move as it is made in a leg."""

    def when(position: Position, seat: Seat) -> bool:
        assert isinstance(position, Legs)
        return leg in position.waiting(seat) and kind.when(position.leg(leg), seat_in(leg, seat))

    return MoveKind(
        f"{kind.name}{leg}",
        kind.help,
        f"{leg}: {kind.pattern}",
        tuple(_part(part, leg) for part in kind.parts),
        when,
        kind.final,
        label=f"{kind.label} · leg {leg}",
        leg=leg,
        once=kind,
        asks=_asking(kind.asks, leg) if kind.asks else None,
        plays=_asking(kind.plays or (lambda position, seat, values: kind.write(values)), leg),
        places=_placing(kind.places, leg) if kind.places else None,
    )


def _part(part: Part, leg: Leg) -> Part:
    """A part of a move as it is asked for in a leg."""
    items, following, named = part.items, part.following, part.named
    usual = _asking(part.usual, leg) if part.usual else None

    def followed(position: Position, seat: Seat, values: Mapping[str, str], typed: str) -> Iterable[str]:
        assert following
        return following(_leg(position, leg), seat_in(leg, seat), values, typed)

    def called(position: Position, value: str) -> str:
        assert named
        return named(_leg(position, leg), value)

    def begun(position: Position, seat: Seat) -> str:
        return part.begin(_leg(position, leg), seat_in(leg, seat))

    return replace(
        part,
        bounds=_asked(part.bounds, leg),
        items=_asked(items, leg) if items else None,
        begin=begun,
        following=followed if following else None,
        usual=usual,
        named=called if named else None,
        tapped=_part(part.tapped, leg) if part.tapped else None,
    )


def _asking(
    ask: Callable[[Position, Seat, Mapping[str, str]], Answer], leg: Leg
) -> Callable[[Position, Seat, Mapping[str, str]], Answer]:
    def asked(position: Position, seat: Seat, values: Mapping[str, str]) -> Answer:
        return ask(_leg(position, leg), seat_in(leg, seat), values)

    return asked


def _placing(place: Callable[[Position, Seat], int | None], leg: Leg) -> Callable[[Position, Seat], int | None]:
    return lambda position, seat: place(_leg(position, leg), seat_in(leg, seat))


def _asked(ask: Callable[[Position], Any], leg: Leg) -> Callable[[Position], Any]:
    return lambda position: ask(_leg(position, leg))


def _leg(position: Position, leg: Leg) -> Position:
    assert isinstance(position, Legs)
    return position.leg(leg)
