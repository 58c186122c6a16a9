"""What pads ask and play, in the words of their game: which number is placed, what a walk has cost so far."""

from __future__ import annotations

import pytest

from bot.features.board import match_pictures
from bot.features.pads import keypad
from bot.games import legs
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.play import partial_moves
from bot.play.match import Match
from bot.play.partial_moves import Keyboard, PartialMove
from rendering import frames
from rendering.shapes import Box, Path, Text


def match_of(game: Game, options: dict[str, object], *moves: str) -> Match:
    match = Match.start(game, options, 2)
    for move in moves:
        match = match.play(match.turn[0], move)
    return match


def asked(match: Match, *signs: str, kind: int = 0) -> list[str]:
    """The questions of a pad, one for each tap."""
    steps = tapped(match, signs, kind)
    return [
        keypad.format_question(so_far, partial_moves.list_keys(match.position, seat(match), so_far)) for so_far in steps
    ]


def boards(match: Match, *signs: str) -> list[Keyboard]:
    """The keyboards of a pad, one for each tap."""
    return [partial_moves.list_keys(match.position, seat(match), so_far) for so_far in tapped(match, signs)]


def tapped(match: Match, signs: tuple[str, ...], kind: int = 0) -> list[PartialMove]:
    position = match.position
    steps = [partial_moves.begin_partial_move(position, seat(match), match.game.moves[kind])]
    for sign in signs:
        last = steps[-1]
        done = sign == "Done"
        steps.append(
            partial_moves.finish_part(position, seat(match), last)
            if done
            else partial_moves.press_key(position, seat(match), last, sign)
        )
    return steps


def seat(match: Match) -> int:
    return match.turn[0]


@pytest.mark.parametrize(
    ("key", "options", "before", "number"),
    [
        ("sum-kind-of-game", {"size": 4}, (), 1),
        ("sum-kind-of-game", {"size": 4}, ("a1",), 8),
        ("dream-math", {"size": 4}, ("a1", "a2", "a3"), 4),
        ("divisor-over-sums", {"size": 4}, ("a1",), 2),
    ],
)
def test_a_pad_says_which_number_is_placed(
    key: str, options: dict[str, object], before: tuple[str, ...], number: int
) -> None:
    match = match_of(load_games()[key], options, *before)
    assert asked(match, "b1") == [f"**Where do you place {number}?**", f"Place **{number} at b1**?"]


def test_a_leg_says_it_too() -> None:
    match = match_of(legs.make_two_legged(load_games()["dream-math"]), {"size": 4}, "1: a1")
    so_far = partial_moves.begin_partial_move(match.position, 2, match.game.moves[0])
    assert (
        keypad.format_question(so_far, partial_moves.list_keys(match.position, 2, so_far))
        == "**Leg 1: where do you place 2?**"
    )


def test_a_walk_says_what_it_has_cost_so_far() -> None:
    match = match_of(load_games()["divisors-multiples-sequence"], {"r": 13}, "12")
    assert asked(match, "1", "2", "Done") == [
        "**You are on 12. Which number next?**",
        "**12 → 1 costs 24 so far. Which number next?**",
        "**12 → 1 → 2 costs 24 + 2 = 26. Stop here, or walk on?**",
        "Walk **12 → 1 → 2 for 26**?",
    ]
    keyboards = boards(match, "1", "2", "Done")
    assert [board.plays for board in keyboards] == ["", "", "", "12 → 1 → 2 for 26"], "*Play* is on the last step alone"
    assert [board.done for board in keyboards] == [False, False, True, False]
    labels = [key.label for key in keyboards[0].keys]
    assert labels == ["1 for 24", "2 for 6", "3 for 4", "4 for 3", "6 for 2"], "each with its cost"


def test_a_walk_is_drawn_and_what_may_follow_its_last_number_is_framed() -> None:
    match = match_of(load_games()["divisors-multiples-sequence"], {"r": 13}, "12")
    (*_, so_far) = tapped(match, ("4", "8"))
    (picture,) = match_pictures.make_pictures(match.game, match.position, 1, so_far)
    arrows = [shape for shape in picture.shapes if isinstance(shape, Path) and shape.tag.startswith(frames.CHOSEN)]
    assert len(arrows) == 2, "one arrow for each step"
    numbers = [at for at, shape in enumerate(picture.shapes) if isinstance(shape, Text)]
    assert max(picture.shapes.index(arrow) for arrow in arrows) < numbers[0], "no number lies under the walk"
    framed = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.line == "ink" and not shape.tag]
    assert len([box for box in framed if box.width < 1]) == 2, "2 and 4 are free and may follow 8"
    costs = [shape.text for shape in picture.shapes if isinstance(shape, Text) and shape.text.startswith("+")]
    assert costs == ["+16", "+4", "+2"], "1 may follow too, for twice 8"


def test_keys_for_numbers_of_a_list_say_the_numbers_and_not_their_places() -> None:
    match = match_of(load_games()["combining-dividing"], {"length": 4, "largest": 2000}, "8", "11", "1060", "4")
    labels = {
        kind.name: [
            key.label
            for key in partial_moves.list_keys(
                match.position, 1, partial_moves.begin_partial_move(match.position, 1, kind)
            ).keys
        ]
        for kind in match.game.moves[1:]
    }
    assert labels == {
        "split": ["8", "1 060", "4"],
        "add": ["8 + 11 = 19", "11 + 1 060 = 1 071", "1 060 + 4 = 1 064"],
    }, "11 is prime"


def test_few_whole_moves_are_keys_of_their_own() -> None:
    match = match_of(load_games()["combining-dividing"], {"length": 4, "largest": 2000}, "125", "1024", "7", "7")
    (*_, opened) = tapped(match, ("1",), kind=1)
    board = partial_moves.list_keys(match.position, 1, opened)
    assert [key.label for key in board.keys] == ["125 = 5 · 5 · 5", "125 = 5 · 25", "125 = 25 · 5"]
    whole = partial_moves.press_key(match.position, 1, opened, board.keys[0].sign)
    assert (whole.line, partial_moves.step_back(match.position, 1, whole)) == ("split 1 5 5 5", opened)
    full = match_of(load_games()["palindromes-antipalindromes"], {"length": 8}, *(f"{at} 0" for at in range(1, 8)))
    board = partial_moves.list_keys(full.position, 2, tapped(full, ())[0])
    assert [key.label for key in board.keys] == ["0 at 8", "1 at 8"]


def test_the_last_step_of_a_flip_shows_the_list_as_it_would_be() -> None:
    match = match_of(load_games()["binary-scramble"], {"length": 4}, "1", "0", "1", "1")
    (*_, so_far) = tapped(match, ("2",), kind=1)
    (picture,) = match_pictures.make_pictures(match.game, match.position, 1, so_far)
    texts = [shape for shape in picture.shapes if isinstance(shape, Text) and shape.tag == frames.tag_of_mark("2")]
    assert [text.text for text in texts] == ["1"], "the 0 at 2 would be a 1"
    assert [shape.text for shape in picture.shapes if isinstance(shape, Text) and 1 < shape.y < 1.6][:1] == ["4"]


def test_the_last_step_of_flips_shows_the_row_as_it_would_be() -> None:
    match = match_of(load_games()["flipping-bits"], {"squares": 7})
    for sign, fill in (("1", "paper"), ("2", "ink")):
        (*_, so_far) = tapped(match, (f"move{int(sign) - 1}",))
        assert so_far.is_whole
        (picture,) = match_pictures.make_pictures(match.game, match.position, 1, so_far)
        marked = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.tag == frames.tag_of_mark(sign)]
        assert fill in {box.fill for box in marked}, f"square {sign} would be {fill}"


def test_a_grid_begins_from_ones_best_and_gets_another_number_square_by_square() -> None:
    match = match_of(load_games()["sums-grid"], {"size": 3}, "grid 2 9 8 / 3 1 10 / 7 6 15")
    assert asked(match, "b2", "4", "Done") == [
        "**Which square do you change?**",
        "**Which number at b2 instead of 1?**",
        "**Which square do you change?**",
        "Hand in **this grid**?",
    ]
    assert [board.done for board in boards(match, "b2", "4")] == [False, False, True], "it can be played as it is"
    (full, hole, *_) = tapped(match, ("b2",))
    assert [key.token for key in partial_moves.list_keys(match.position, 1, full).keys] == [
        f"{c}{r}" for r in "123" for c in "abc"
    ]
    keys = partial_moves.list_keys(match.position, 1, hole).keys
    assert [key.token for key in keys] == [str(number) for number in range(1, 21)], "each stays in its place"
    used = ["2", "3", "6", "7", "8", "9", "10", "15"]
    assert [key.token for key in keys if key.swaps_with] == used
    assert partial_moves.step_back(match.position, 1, hole) == full == partial_moves.step_back(match.position, 1, full)


def test_a_number_that_stands_elsewhere_changes_places_with_the_one_it_replaces() -> None:
    match = match_of(load_games()["sums-grid"], {"size": 3}, "grid 2 9 8 / 3 1 10 / 7 6 15")
    (*_, swapped) = tapped(match, ("b2", "15"))
    assert swapped.items == ("2", "9", "8", "3", "15", "10", "7", "6", "1")
    (*_, same) = tapped(match, ("b2", "1"))
    assert same.items == ("2", "9", "8", "3", "1", "10", "7", "6", "15")


def test_a_grid_can_be_filled_anew() -> None:
    match = match_of(load_games()["sums-grid"], {"size": 3}, "grid 2 9 8 / 3 1 10 / 7 6 15")
    (full, changed) = tapped(match, ("b2",))
    assert [board.clears for board in boards(match, "b2")] == [True, False]
    empty = partial_moves.clear_items(match.position, 1, full)
    assert (empty.items, partial_moves.clear_items(match.position, 1, changed)) == ((), changed)
    keys = partial_moves.list_keys(match.position, 1, partial_moves.press_key(match.position, 1, empty, "2")).keys
    assert "2" not in {key.token for key in keys}, "a used number is not offered"


def test_numbers_up_to_99_are_two_taps_away() -> None:
    match = match_of(load_games()["not-divisors-not-multiples"], {"size": 5}, "c3 47")
    opened = partial_moves.list_keys(match.position, 2, tapped(match, ("c4",))[-1])
    assert [key.token for key in opened.keys] == [str(47 * times) for times in range(2, 9)]
    match = match_of(load_games()["not-divisors-not-multiples"], {"size": 5}, "c3 2")
    begun = partial_moves.list_keys(match.position, 2, tapped(match, ("c4",))[-1])
    assert [key.sign for key in begun.keys] == [
        *(str(number) for number in range(4, 17, 2)),
        *(f"from{max(2, ten)}to{ten + 9}" for ten in range(0, 100, 10)),
    ]
    assert begun.others == ()
    assert asked(match, "c4", "from90to99", "98")[-1] == "Write **98 at c4**?"


def test_a_first_grid_is_filled_square_after_square_with_its_sums_beside_it() -> None:
    match = match_of(load_games()["sums-grid"], {"size": 3})
    assert asked(match, "2", "9")[-1] == "**Which number at c1?**"
    (*_, so_far) = tapped(match, ("2", "9", "8", "3"))
    (picture,) = match_pictures.make_pictures(match.game, match.position, 1, so_far)
    assert "1 is missing" in {shape.text for shape in picture.shapes if isinstance(shape, Text)}


def test_a_pad_of_a_leg_says_the_move_without_its_notation() -> None:
    match = Match.start(legs.make_two_legged(load_games()["binary-primes"]), {}, 2)
    assert asked(match, "d", "4")[-1] == "Leg 1: play **d4**?"
