"""Flipping Bits: a row of squares whose every pattern must be new, until a single square is unlike the others."""

from collections.abc import Mapping

from bot.games.game import BEGUN, Game
from bot.games.moves import MoveKind, Part, make_from_pattern
from bot.games.position import Seat
from bot.games.wording import Plural, join_words
from cogs.flipping_bits import rules
from cogs.flipping_bits.mind import MIND
from cogs.flipping_bits.picture import pictures, sketch
from cogs.flipping_bits.rules import FlippingBits, FlippingBitsOptions

PARITY = (
    "With an even number of squares and of players, it is almost settled beforehand who scores. "
    "An odd number of squares leaves it open."
)


def _position_bounds(position: FlippingBits) -> tuple[int, int]:
    return 1, position.squares


def _challenge_note(options: FlippingBitsOptions, seats: int) -> str | None:
    return PARITY if options.squares % 2 == 0 and seats % 2 == 0 else None


def _seat_advantage(options: FlippingBitsOptions, seats: int) -> str | None:
    # Rounds have nothing to do with each other; for two that is a proof.
    return BEGUN if seats == 2 and options.rounds and options.rounds % 2 == 0 else None


FLIPPED = Plural("flipped square {squares}", "flipped squares {squares}")


def _tell_flips(position: FlippingBits, seat: Seat, chosen: Mapping[str, str]) -> str:
    squares = chosen["positions"].split()
    return FLIPPED.fill_in(len(squares), squares=join_words(squares))


GAME = Game(
    key="flipping-bits",
    title="Flipping Bits",
    year=2011,
    goal="Flip squares, never back to an earlier pattern. A square that alone differs from the rest scores.",
    seats=range(2, 7),
    plies=18,
    minutes=15,
    difficulty=1,
    Options=FlippingBitsOptions,
    start=FlippingBits.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "flip",
            "Flip squares to make a new pattern.",
            "{positions}",
            (
                Part(
                    "positions",
                    "whole",
                    "Which square do you flip?",
                    _position_bounds,
                    items=_position_bounds,
                    asks_other="Which square does {who} flip?",
                    ends="Flip these",
                    is_ascending=True,
                    title="Squares",
                ),
            ),
            plays=make_from_pattern("flip {positions}"),
            does=_tell_flips,
        ),
    ),
    challenge_note=_challenge_note,
    seat_advantage=_seat_advantage,
    mind=MIND,
    version=2,
)
