"""Sums Grid: small grids whose runs of squares add up to 1, 2, 3 and so on."""

from collections.abc import Iterable, Iterator, Mapping

from bot.core.game.game import Game
from bot.core.game.grids.squares import names
from bot.core.game.moves import FINISHED, MoveKind, Part
from bot.core.game.notation import listed, unbroken
from bot.core.values.seats import Seat
from cogs.sums_grid import rules
from cogs.sums_grid.mind import MIND
from cogs.sums_grid.picture import pictures, sketch
from cogs.sums_grid.rules import SumsGrid, SumsGridOptions, par


def _veil(seat: Seat, move: str) -> str | None:
    return "done" if move == "done" else None


def _advice(options: SumsGridOptions, seats: int) -> str | None:
    return None if options.diagonals else f"Par: {par(options.size)}."


def _best(position: SumsGrid, seat: Seat) -> str:
    """The numbers of one's best grid, from which a pad begins."""
    return listed(position.sheets[seat - 1].best.numbers)


def _names(position: SumsGrid) -> tuple[str, ...]:
    return names(position.size)


def _asks(position: SumsGrid, seat: Seat, chosen: Mapping[str, str]) -> str:
    items, squares = chosen["grid"].split(), names(position.size)
    hole = next((at for at, item in enumerate(items) if item[0] == "("), None)
    if hole is not None:
        return f"{squares[hole]}: which number instead of {items[hole].strip('()')}?"
    if len(items) == len(squares):
        return "Tap a square to change its number"
    return f"{squares[len(items)]}: which number?"


def _plays(position: SumsGrid, seat: Seat, chosen: Mapping[str, str]) -> str:
    return "this grid"


def _tells(position: SumsGrid, seat: Seat, values: Mapping[str, str]) -> str:
    return unbroken(values["grid"])


def _grid(position: SumsGrid) -> tuple[int, int]:
    # At least a digit and a space for each number; at most four digits and " / ".
    return 2 * position.size**2 - 1, 7 * position.size**2


def _latest(position: SumsGrid, seat: Seat) -> str:
    # A line for each row of the grid submitted last.
    latest, size = position.sheets[seat - 1].latest.numbers, position.size
    return "\n".join(" ".join(map(str, latest[at : at + size])) for at in range(0, len(latest), size))


LARGEST, USUAL = 99, 20
"""The largest number on a pad, more than any known score; and up to which they have keys of their own."""


def _numbers(position: SumsGrid, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    if seat in position.turn:
        # Where one number is changed, another that is tapped changes places with it.
        taken = set[str]() if "(" in chosen["grid"] else set(chosen["grid"].split())
        values = map(str, range(1, LARGEST + 1))
        yield from (value for value in values if value.startswith(typed) and value not in taken)


def _usual(position: SumsGrid, seat: Seat, chosen: Mapping[str, str]) -> Iterable[str]:
    return map(str, range(1, USUAL + 1))


def _bounds(position: SumsGrid) -> tuple[int, int]:
    return 1, LARGEST


def _squares(position: SumsGrid) -> tuple[int, int]:
    return position.size**2, position.size**2


ROW_BY_ROW = Part("grid", "whole", "Its numbers, row by row", _bounds, items=_squares, following=_numbers, usual=_usual,
                  begin=_best, changed=_names)  # fmt: skip
"""The numbers of a grid, one after another: what is typed as a text is tapped as a list."""

SURE = "End your match with your best grid? You can't submit another one afterwards."

GAME = Game(
    key="sums-grid",
    title="Sums Grid",
    year=2011,
    goal="Find, in secret, a small grid whose sums are 1, 2, 3 and so on further than anybody else's.",
    seats=range(1, 9),
    plies=10,
    minutes=20,
    difficulty=3,
    Options=SumsGridOptions,
    start=SumsGrid.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "submit",
            "Submit a grid, as often as you like; your best one counts.",
            "grid {grid}",
            (
                Part(
                    "grid",
                    "text",
                    "Its numbers, row by row: a new line, a / or a ; ends a row",
                    _grid,
                    begin=_latest,
                    tapped=ROW_BY_ROW,
                ),
            ),
            asks=_asks,
            plays=_plays,
            tells=_tells,
        ),
        MoveKind("done", "End your match with your best grid.", "done", (), SumsGrid.may_finish, SURE, said=FINISHED),
    ),
    veil=_veil,
    advice=_advice,
    mind=MIND,
)
