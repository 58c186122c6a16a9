"""Palindromic Rows/Columns: squares filled so that lines read the same from both ends."""

from bot.games.game import Game, make_edge_by_board
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part, make_from_pattern
from cogs.palindromic_rows_columns import rules
from cogs.palindromic_rows_columns.mind import MIND
from cogs.palindromic_rows_columns.picture import pictures
from cogs.palindromic_rows_columns.rules import FLIPS, PalindromicRowsColumns, PalindromicRowsColumnsOptions


def _challenge_note(options: PalindromicRowsColumnsOptions, seats: int) -> str | None:
    half, odd = divmod(options.size, 2)
    if odd:
        return None
    if half % 2:
        return "At this size, the second player can win by copying every move upside down. Odd sizes avoid that."
    return "At this size, the second player can avoid losing by copying every move upside down. Odd sizes avoid that."


GAME = Game(
    key="palindromic-rows-columns",
    title="Palindromic Rows/Columns",
    year=2011,
    goal="Fill squares so that your lines need fewer flips than your opponent's to become palindromes.",
    seats=range(2, 3),
    lowest_wins=True,
    wins="fewest flips win",
    plies=24,
    minutes=20,
    difficulty=1,
    sides=("flips in rows", "flips in columns"),
    unit=FLIPS,
    Options=PalindromicRowsColumnsOptions,
    start=PalindromicRowsColumns.start,
    rules=rules.__doc__,
    pictures=pictures,
    moves=(
        MoveKind(
            "move",
            "Fill an empty square.",
            "{square}",
            (
                Part(
                    "square",
                    "square",
                    "Which square, like b2",
                    square_sides,
                    asks="Which square do you fill?",
                    asks_other="Which square does {who} fill?",
                ),
            ),
            does=make_from_pattern("filled {square}"),
            words=("fill",),
        ),
    ),
    challenge_note=_challenge_note,
    seat_advantage=make_edge_by_board("size", exact={4: 0, 5: 0, 6: -2, 7: 0, 8: 0}),
    mind=MIND,
)
