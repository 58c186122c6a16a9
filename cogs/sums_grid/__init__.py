"""Sums Grid: small grids whose runs of squares add up to 1, 2, 3 and so on."""

from collections.abc import Iterable, Iterator, Mapping

from bot.games.game import Game
from bot.games.grids import list_square_names
from bot.games.moves import FINISHED, MoveKind, Part, Question
from bot.games.notation import join_items, keep_rows_whole
from bot.games.position import Seat
from cogs.sums_grid import rules
from cogs.sums_grid.mind import MIND
from cogs.sums_grid.picture import pictures, sketch
from cogs.sums_grid.rules import SumsGrid, SumsGridOptions, describe_best


def _veil_move(seat: Seat, move: str) -> str | None:
    return "done" if move == "done" else None


def _challenge_note(options: SumsGridOptions, seats: int) -> str | None:
    return None if options.diagonals else f"{describe_best(options.size)}.".capitalize()


def _best_numbers(position: SumsGrid, seat: Seat) -> str:
    """The numbers of one's best grid, from which a pad begins."""
    return join_items(position.sheets[seat - 1].best.numbers)


def _square_names(position: SumsGrid) -> tuple[str, ...]:
    return list_square_names(position.size)


def _ask_number(position: SumsGrid, seat: Seat, chosen: Mapping[str, str]) -> Question:
    items, squares = chosen["grid"].split(), list_square_names(position.size)
    hole = next((at for at, item in enumerate(items) if item[0] == "("), None)
    if hole is not None:
        return Question(f"Which number at {squares[hole]} instead of {items[hole].strip('()')}?")
    if len(items) == len(squares):
        return Question("Which square do you change?")
    return Question(f"Which number at {squares[len(items)]}?")


def _describe_submit(position: SumsGrid, seat: Seat, chosen: Mapping[str, str]) -> str:
    return "this grid"


def _describe_grid(position: SumsGrid, seat: Seat, values: Mapping[str, str]) -> str:
    return keep_rows_whole(values["grid"])


def _tell_grid(position: SumsGrid, seat: Seat, values: Mapping[str, str]) -> str:
    # The space within the verb keeps it whole.
    return f"handed\N{NO-BREAK SPACE}in {_describe_grid(position, seat, values)}"


def _grid_bounds(position: SumsGrid) -> tuple[int, int]:
    # At least a digit and a space for each number; at most four digits and " / ".
    return 2 * position.size**2 - 1, 7 * position.size**2


def _latest_numbers(position: SumsGrid, seat: Seat) -> str:
    # A line for each row of the grid submitted last.
    latest, size = position.sheets[seat - 1].latest.numbers, position.size
    return "\n".join(" ".join(map(str, latest[at : at + size])) for at in range(0, len(latest), size))


LARGEST, USUAL = 99, 20
"""The largest number on a pad, more than any known score; and up to which they have keys of their own."""


def _suggest_numbers(position: SumsGrid, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    if seat in position.turn:
        # Where one number is changed, another that is tapped changes places with it.
        taken = set[str]() if "(" in chosen["grid"] else set(chosen["grid"].split())
        values = map(str, range(1, LARGEST + 1))
        yield from (value for value in values if value.startswith(typed) and value not in taken)


def _usual_numbers(position: SumsGrid, seat: Seat, chosen: Mapping[str, str]) -> Iterable[str]:
    return map(str, range(1, USUAL + 1))


def _number_bounds(position: SumsGrid) -> tuple[int, int]:
    return 1, LARGEST


def _square_bounds(position: SumsGrid) -> tuple[int, int]:
    return position.size**2, position.size**2


ROW_BY_ROW = Part(
    "grid",
    "whole",
    "Its numbers, row by row",
    _number_bounds,
    items=_square_bounds,
    completions=_suggest_numbers,
    ends="Check this grid",
    common_values=_usual_numbers,
    begin=_best_numbers,
    editable_squares=_square_names,
)
"""The numbers of a grid, one after another: what is typed as a text is tapped as a list."""

SURE = "End your match with your best grid? You can't hand in another one afterwards."

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
            "Hand in a grid, as often as you like; your best one counts.",
            "grid {grid}",
            (
                Part(
                    "grid",
                    "text",
                    "Its numbers, row by row: a new line, a / or a ; ends a row",
                    _grid_bounds,
                    begin=_latest_numbers,
                    pad_part=ROW_BY_ROW,
                ),
            ),
            asks=_ask_number,
            label="Make a grid",
            verb="Hand in",
            words=("hand in",),
            plays=_describe_submit,
            tells=_describe_grid,
            does=_tell_grid,
        ),
        MoveKind(
            "done",
            "End your match with your best grid.",
            "done",
            (),
            SumsGrid.may_finish,
            SURE,
            "End my match",
            said=FINISHED,
        ),
    ),
    veil=_veil_move,
    challenge_note=_challenge_note,
    mind=MIND,
    weekend_boards=tuple(SumsGridOptions(size, diagonals) for size in (3, 4, 5) for diagonals in (None, "yes")),
)
