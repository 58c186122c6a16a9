"""Hints in words, in every game: the area of the best move without the move itself, and its worth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.engine.levels import Thought, make_budget
from bot.engine.search import think
from bot.features.board.views import make_hint_buttons
from bot.features.study import hints
from bot.games.catalogue import load_games, read_recorded_matches
from bot.games.game import Game
from bot.games.legs import make_two_legged
from bot.games.position import Position, Seat
from bot.play import hints as play_hints
from bot.play.acts import NotPossibleNow, NotYours, NotYourTurn
from bot.play.ids import make_computer_user
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal
from bot.play.match import Match
from bot.play.record import Move
from bot.play.rows import Player
from bot.sandbox import components
from tests.support.loaded_matches import FIRST, begun
from tests.support.sampled import sampled

GAMES = load_games()
PRIMES = GAMES["binary-primes"]
EACH = 3
"""So many moves of a recorded match are hinted at."""
NUMBERS = re.compile(r"(?:digits|positions|squares|number from) \*\*([0-9]+)\*\* (?:to|and) \*\*([0-9]+)\*\*\.")


def moments(game: Game) -> Iterator[tuple[Position, Seat, str]]:
    """Some positions of recorded matches with the move that was played there."""
    for row in read_recorded_matches(game):
        match = Match.start(game, row.get("options", {}), row["seats"])
        played = list[tuple[Position, Seat, str]]()
        for seat, text in row["moves"]:
            after = match.enter(seat, text)
            if isinstance(after.record[-1], Move):
                played.append((match.position.seen_by(seat), seat, after.record[-1].text))
            match = after
        yield from Random(1).sample(played, min(EACH, len(played)))


@sampled("game", GAMES.values(), few=3, ids=lambda game: game.key)
def test_where_a_move_is_holds_of_it_and_does_not_give_it_away(game: Game) -> None:
    for position, seat, move in moments(game):
        said = play_hints.describe_place(game, position, seat, move)
        if not said:
            continue  # of only two moves both would be named
        assert said.endswith(".") and len(said) <= 400
        kind = next((one for one in game.moves if one.when(position, seat) and one.parse(move) is not None), None)
        if kind is None or not kind.parts:
            continue
        only = "Only **" in said or " or " in said or NUMBERS.search(said)
        assert f"**{move}**" not in said or only, f"{said} gives {move} away"
        parts = kind.parse(move) or {}
        value = parts[kind.parts[0].name]
        if bounds := NUMBERS.search(said):
            assert int(bounds[1]) <= int(value.split()[-1]) <= int(bounds[2]) and bounds[1] != bounds[2]
        elif "Look at column" in said:
            assert f"**{value[0]}**" in said
        elif "Look at row" in said:
            assert f"**{value[1:]}**" in said
        else:
            assert all(f"**{one}**" in said for one in [value.split("/")[0].split()[0]] if kind.parts[0].kind != "text")


def test_of_a_square_the_line_is_told_in_which_more_can_be_filled() -> None:
    position = Match.start(PRIMES, {"size": 3}, 2).play(1, "a1").play(2, "c2").position
    assert play_hints.describe_place(PRIMES, position, 1, "a2") == "Look at column **a**."
    assert play_hints.describe_place(PRIMES, position, 1, "b1") == "Look at column **b**."
    position = Match.start(PRIMES, {"size": 3}, 2).play(1, "a1").play(2, "a2").position
    assert play_hints.describe_place(PRIMES, position, 1, "a3") == "Look at row **3**."


def test_of_several_parts_the_first_is_told_and_of_several_kinds_which() -> None:
    game = GAMES["sum-of-products"]
    position = Match.start(game, {"size": 3}, 2).position
    assert play_hints.describe_place(game, position, 1, "c2 3") == "I would play in **c2**."
    game = GAMES["another-binary-primes"]
    position = Match.start(game, {"squares": 16}, 2).position
    assert play_hints.describe_place(game, position, 1, "9") == "Look at squares **9** to **12**."


def test_a_kind_of_move_and_how_it_begins_are_one_sentence() -> None:
    game = GAMES["within-the-curve"]
    position = Match.start(game, {"size": 6}, 2).position
    for seat, move in ((1, "curve a1 c1 c4 a4"), (2, "curve d4 d6 f6 f4"), (1, "number 1 b1 cw")):
        position = position.play(seat, move)
    assert play_hints.describe_place(game, position, 1, "fill 1 b3 b2") == "I would *fill* curve **1**."
    assert play_hints.describe_place(game, position, 1, "number 2 d4 cw") == "I would *number* curve **2**."
    assert play_hints.describe_best_move(
        play_hints.HintScene(game, position, 1), thought(0, move="number 2 d4 cw")
    ) == ("I would play **1 at d4 of curve 2, clockwise**.")
    assert play_hints.describe_best_move(
        play_hints.HintScene(game, position, 1), thought(0, move="fill 1 b3 b2")
    ).startswith("I would play **1 at b3 and 2 at b2 in curve 1**.")
    game = GAMES["combining-dividing"]
    position = Match.start(game, {"length": 4}, 2).position
    for seat, move in ((1, "8"), (2, "4"), (1, "9"), (2, "6")):
        position = position.play(seat, move)
    assert (
        play_hints.describe_place(game, position, 1, "split 4 2 3") == "I would *split* the number at position **4**."
    )
    assert (
        play_hints.describe_place(game, position, 1, "add 2")
        == "I would choose *add*. Look at positions **1** and **2**."
    )
    game = GAMES["binary-scramble"]
    position = Match.start(game, {"length": 4}, 2).position
    for seat in (1, 2, 1, 2):
        position = position.play(seat, "1")
    assert play_hints.describe_place(game, position, 1, "3") == "Look at digits **3** and **4**."


def test_where_there_are_only_two_moves_to_name_both_is_no_hint() -> None:
    game = GAMES["binary-scramble"]
    start = Match.start(game, {"length": 4}, 2).position
    assert play_hints.describe_place(game, start, 1, "0") == ""
    assert play_hints.HintScene(game, start, 1, leg=2).name_leg("") == ""


def test_a_hint_about_a_grid_tells_the_grid() -> None:
    scene = play_hints.HintScene(GAMES["sums-grid"], Match.start(GAMES["sums-grid"], {"size": 2}, 2).position, 1)
    assert play_hints.describe_best_move(scene, thought(0, move="grid 1 2 / 4 7")).startswith(
        "I would play **1\xa02\xa0/ 4\xa07**."
    )


def test_a_walk_of_one_step_is_not_given_away() -> None:
    game = GAMES["divisors-multiples-sequence"]
    position = Match.start(game, {"r": 13}, 2).position
    assert play_hints.describe_place(game, position, 1, "8") == "I would choose a number from **8** to **10**."
    assert play_hints.describe_place(game, position, 1, "2 8") == "My walk would start with **2**."


def thought(value: float, chance: float = 0.5, exact: bool = False, move: str = "b2", seats: int = 2) -> Thought:
    return Thought(move, value, chance, exact, (), (chance,) * seats)


def test_what_a_move_is_worth_is_said_for_certain_only_where_it_is() -> None:
    unscored = GAMES["not-divisors-not-multiples"]
    said = [
        play_hints.describe_value(PRIMES, thought(17.2, 0.61)),
        play_hints.describe_value(PRIMES, thought(-7.0, 0.3)),
        play_hints.describe_value(PRIMES, thought(0.2, 0.55)),
        play_hints.describe_value(PRIMES, thought(-1, 0.3, seats=3)),
        play_hints.describe_value(PRIMES, thought(1, 0.7, seats=3)),
        play_hints.describe_value(PRIMES, thought(5, 1, exact=True)),
        play_hints.describe_value(PRIMES, thought(-(10.0**9), 0, exact=True)),
        play_hints.describe_value(PRIMES, thought(0, 0.5, exact=True)),
        play_hints.describe_value(unscored, thought(-1, 0, exact=True)),
    ]
    ahead = "I think you are ahead."
    assert said == [
        ahead,
        "I think you are behind.",
        "",
        "",
        ahead,
        "With best play from here, you win by 5.",
        "With best play from here, you lose.",
        "With best play from here, you get a draw.",
        "With best play from here, you lose.",
    ]


def test_a_hint_says_what_its_move_does() -> None:
    position = Match.start(PRIMES, {"size": 3}, 2).play(1, "a1").play(2, "c2").position
    said = play_hints.describe_best_move(play_hints.HintScene(PRIMES, position, 1), thought(3, move="a2"))
    assert "I would play **a2**. It takes the other player from 63 to 105. Afterwards, row 2: 3 → 5 " in said
    game = GAMES["plexus"]
    scene = play_hints.HintScene(game, Match.start(game, {}, 2).position, 1)
    move = next(scene.position.moves(1))
    assert play_hints.describe_best_move(scene, thought(3, move=move)) == f"I would play **{move}**."


def test_a_hint_says_its_move_as_the_pad_does() -> None:
    game = GAMES["palindromes-antipalindromes"]
    scene = play_hints.HintScene(game, Match.start(game, {"length": 8}, 2).position, 1)
    assert play_hints.describe_best_move(scene, thought(0, move="3 1")) == "I would play **1 at 3**."


def test_what_every_move_does_is_no_reason_for_one() -> None:
    """Each segment of an offence counts one; and that 1 is not prime is so wherever it stands."""
    cross = GAMES["cross-dont-cross"]
    match = Match.start(cross, {"chords": 3}, 2).play(1, "0-180").play(1, "60-240").play(1, "90-300")
    scene = play_hints.HintScene(cross, match.position, 2)
    move = next(scene.position.moves(2))
    assert play_hints.describe_best_move(scene, thought(0, move=move)) == f"I would play **{move}**."
    combining = GAMES["combining-dividing"]
    scene = play_hints.HintScene(combining, Match.start(combining, {}, 2).position, 1)
    assert play_hints.describe_best_move(scene, thought(0, move="1")) == "I would play **1**."


def test_whose_grid_can_be_bettered_is_not_told_to_be_done() -> None:
    game = GAMES["sums-grid"]
    position = Match.start(game, {}, 2).play(1, "grid 1 2 3 / 4 5 6 / 7 8 9").position
    scene = play_hints.HintScene(game, position, 1)
    asked = make_budget(game, position, 6)
    better = think(position.seen_by(1), 1, game.mind, asked, "1")
    assert better.move == "grid 3 16 2 / 5 4 11 / 17 6 1"
    assert play_hints.describe_best_move(scene, better).endswith("It takes you from 9 to 26.")
    done = position.play(1, better.move)
    assert think(done.seen_by(1), 1, game.mind, asked, "1").move == "done"
    assert play_hints.describe_effect(play_hints.HintScene(game, done, 1), "done") == "I found nothing better."
    curve = GAMES["within-the-curve"]
    start = Match.start(curve, {"size": 6}, 2).position
    assert play_hints.describe_effect(play_hints.HintScene(curve, start, 1), "curve a1 c1 c3 a3") == ""


# Who may have one.


def table(match: Match, **columns: object) -> LoadedMatch:
    return begun(match, **({"rated": False} | columns))


def user(seat: Seat) -> int:
    return FIRST + seat


def test_who_may_have_a_hint() -> None:
    match = Match.start(PRIMES, {"size": 3}, 2)
    assert play_hints.expect_hint(table(match), user(1)) == 1  # pyright: ignore[reportArgumentType]
    for loaded, who, kind, words in (
        (table(match, rated=True), 1, Refusal, "is rated"),
        (table(match), 2, NotYourTurn, "It's .*'s\\.$"),
        (table(match), 3, NotYours, "You aren't in"),
        (table(match.play(1, "a1").withdraw(1)), 2, NotPossibleNow, "is over"),
        (table(Match.start(GAMES["sums-grid"], {}, 1)), 1, Refusal, "play alone"),
    ):
        with pytest.raises(kind, match=words):
            play_hints.expect_hint(loaded, user(who))  # pyright: ignore[reportArgumentType]


def test_a_hint_has_one_number_as_long_as_the_seat_sees_the_same() -> None:
    match = Match.start(PRIMES, {"size": 3}, 2)
    acts = {play_hints.make_hint_act(table(match), 1, stage) for stage in play_hints.STAGES}
    after = match.play(1, "a1").play(2, "a2")
    assert len(acts | {play_hints.make_hint_act(table(after), 1, stage) for stage in play_hints.STAGES}) == 4
    assert play_hints.make_hint_act(table(match), 1, "where") in acts


def with_hints(match: Match, used: int, **columns: object) -> LoadedMatch:
    loaded = table(match, **columns)
    players: tuple[Player, ...] = tuple(replace(one, hints=used) for one in loaded.row.players[:1])
    return replace(loaded, row=replace(loaded.row, players=(*players, *loaded.row.players[1:])))


def test_how_many_were_used_is_told_at_the_end_and_before_that_to_oneself() -> None:
    match = Match.start(PRIMES, {"size": 3}, 2)
    row = with_hints(match, 3).row
    mine = row.players[0].user
    assert play_hints.describe_hints_used(row) == play_hints.describe_hints_used(row, row.players[1].user) == ""
    assert play_hints.describe_hints_used(row, mine) == f"<@{mine}> used 3 hints."
    assert play_hints.describe_hints_used(with_hints(match.withdraw(1), 1).row) == f"<@{mine}> used 1 hint."
    assert play_hints.describe_hints_used(with_hints(match.withdraw(1), 0).row) == ""


@sampled("game", GAMES.values(), few=3, ids=lambda game: game.key)
async def test_every_hint_is_a_message_that_discord_takes(game: Game) -> None:
    for position, seat, move in moments(game):
        where = play_hints.describe_place(game, position, seat, move)
        which = play_hints.describe_best_move(play_hints.HintScene(game, position, seat), thought(3, move=move))
        loaded = table(Match.start(game, {}, 2))
        for stage in play_hints.STAGES:
            view = hints.build_hint_view(loaded, 1, stage, where, which, 2)
            components.check_message({"components": view.to_components()}, v2=True)


def test_a_computer_has_no_button_for_hints() -> None:
    loaded = table(Match.start(PRIMES, {"size": 3}, 2))
    assert len(make_hint_buttons(MatchView.of(loaded, None))) == 1 and not make_hint_buttons(MatchView.of(loaded, 2))
    players = (replace(loaded.row.players[0], user=make_computer_user(3)), *loaded.row.players[1:])
    assert not make_hint_buttons(MatchView.of(replace(loaded, row=replace(loaded.row, players=players)), None))


def test_in_two_legs_the_first_that_waits_is_hinted_at_in_its_own_seats() -> None:
    start = Match.start(make_two_legged(PRIMES), {"size": 3}, 2)
    first, second = table(start, legs=2), table(start.play(1, "1: a1"), legs=2)
    assert play_hints.expect_hint(first, user(1)) == 1  # pyright: ignore[reportArgumentType]
    assert play_hints.scene_of(first, 1)[2:] == (1, 1) and play_hints.scene_of(first, 2)[2:] == (1, 2)
    asked = play_hints.make_hint_question(second, 2)
    assert (
        asked.game == "binary-primes"
        and asked.seat == 2
        and play_hints.scene_of(second, 2).name_leg("Look.") == "Leg 1: Look."
    )
    assert asked.position.play(asked.seat, next(iter(asked.position.moves(asked.seat))))
