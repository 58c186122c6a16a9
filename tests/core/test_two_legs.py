"""Matches in two legs: every game for two can be played so, and the result is the sum of both legs."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest

from bot.engine.levels import SearchQuestion, compute_divisor
from bot.engine.search import answer_question
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import LEGS, LegMove, Legs, has_legs, make_two_legged, seat_in
from bot.games.mind import Budget
from bot.games.options import BadOptions
from bot.games.position import BOTH, Illegal, OutOfTurn, Suggestion, Unreadable
from bot.play.match import Match, make_records, split_legs
from bot.play.records import replay_record
from rendering.shapes import Chip, Picture, Text
from tests.support.sampled import sampled
from tests.support.two_legs import LEGGED, drawn, legs_of, playout, started

PRIMES = load_games()["binary-primes"]


@cache
def played(game: Game) -> tuple[Match, ...]:
    """A random match of a game in two legs, at every ply."""
    return tuple(playout(started(game), Random(game.key)))


def answered(record: object) -> dict[str, object]:
    """What replay says of a record."""
    return replay_record(load_games(), json.dumps(record).encode(), every=False, legal=False)


every_game = sampled("game", LEGGED, few=6, ids=lambda game: game.key)


def test_games_for_two_have_legs_unless_they_have_secrets() -> None:
    assert {key for key, game in load_games().items() if not has_legs(game)} == {"sums-grid", "within-the-curve"}
    with pytest.raises(BadOptions, match="its moves are secret"):
        make_two_legged(load_games()["sums-grid"])


@every_game
def test_what_counts_is_the_sum_of_both_legs(game: Game) -> None:
    for match in played(game):
        one, other = (each.scores for each in split_legs(match))
        assert match.scores == (one[0] + other[1], one[1] + other[0])
    end = played(game)[-1]
    assert end.ranks and end.ending_kind == "play"
    if game.scored:
        ahead = (end.scores[0] - end.scores[1]) * (-1 if game.lowest_wins else 1)
        assert end.ranks == ((1, 1) if ahead == 0 else (1, 2) if ahead > 0 else (2, 1))


def test_without_scores_the_player_who_won_more_legs_wins() -> None:
    game = load_games()["combining-dividing"]
    ends = [list(playout(started(game), Random(seed)))[-1] for seed in range(12)]
    found = set[object]()
    for end in ends:
        wins = [sum(ranks[seat_in(leg, seat) - 1] == 1 for leg, ranks in results(end)) for seat in BOTH]
        assert end.ranks == ((1, 1) if wins[0] == wins[1] else (1, 2) if wins[0] > wins[1] else (2, 1))
        found.add(end.ranks)
    assert len(found) > 1


def results(end: Match) -> list[tuple[int, tuple[int, ...]]]:
    """The ranks of each leg, in the leg's own seats."""
    return [(leg, one.ranks) for leg, one in zip(LEGS, split_legs(end), strict=True) if one.ranks]


@every_game
def test_a_match_falls_into_two_records_that_replay_to_its_scores(game: Game) -> None:
    for match in played(game)[:: max(1, len(played(game)) // 8)]:
        one, other = make_records(match)
        assert (one["leg"], other["leg"]) == LEGS
        first, second = (answered(record) for record in (one, other))
        assert "error" not in first and "error" not in second
        legs = legs_of(match)
        assert (first["scores"], second["scores"]) == (list(legs.first.scores()), list(legs.second.scores()))
        assert (first["to_move"], second["to_move"]) == (list(legs.first.turn), list(legs.second.turn))


@every_game
def test_listed_moves_can_be_played_and_read_back(game: Game) -> None:
    for match in played(game)[:6]:
        for seat in match.turn:
            for move in list(match.position.moves(seat))[:20]:
                assert match.position.read(seat, move) == move
                leg, inner = LegMove.parse(move)
                assert match.position.read(seat, f" Leg {leg} {inner.upper()} ") == move or inner != inner.lower()
                assert match.play(seat, move).record[-1].text == move
                kinds = [kind for kind in match.game.moves if kind.when(match.position, seat)]
                said = [(kind, values) for kind in kinds if (values := kind.parse(move)) is not None]
                assert [kind.write(values) for kind, values in said] == [move] and said[0][0].leg == leg


@every_game
def test_what_is_suggested_says_its_leg(game: Game) -> None:
    match = started(game)
    found = list(match.position.suggest(1, ""))
    assert found and all(LegMove.parse(move).leg == 1 for move, _ in found)
    assert list(match.position.suggest(2, "1: ")) == []
    both = drawn(match, 2, Random(game.key))
    if both.position.turn == (1,):
        assert {LegMove.parse(move).leg for move, _ in both.position.suggest(1, "")} == {1, 2}


@every_game
def test_the_legs_have_the_same_colours_for_the_same_people(game: Game) -> None:
    for match in (played(game)[len(played(game)) // 2], played(game)[-1]):
        pictures = match.game.pictures(match.position)
        assert {picture.leg for picture in pictures} == {1, 2} and len(pictures) <= 9
        assert all(picture.alt.startswith(f"Leg {picture.leg}. ") for picture in pictures)
        second = game.pictures(legs_of(match).second)[0]
        shown = next(picture for picture in pictures if picture.leg == 2)
        assert [3 - chip.seat for chip in chips(second)] == [chip.seat for chip in chips(shown)]
        assert shown.exchange_seats(lambda text: text).base == second.base


def chips(picture: Picture) -> list[Chip]:
    """The pieces on a picture."""
    return [shape for shape in (*picture.base, *picture.shapes) if isinstance(shape, Chip)]


def test_the_second_leg_is_told_in_the_seats_of_the_match() -> None:
    match = Match.start(make_two_legged(load_games()["plexus"]), {"size": 3}, 2)
    shown = match.game.pictures(match.position)
    said = [{shape.text for shape in (*one.base, *one.shapes) if isinstance(shape, Text)} for one in shown]
    assert "Blue begins" in shown[0].alt and "Orange begins" in shown[1].alt
    assert any(text.startswith("orange ") for text in said[1])
    after = Match.start(make_two_legged(PRIMES), {"size": 3}, 2).play(2, "2: b2")
    with pytest.raises(Illegal, match="Leg 2: Player 2 has already filled b2"):
        after.play(1, "2: b2")
    assert "# " in str(legs_of(after).second) and "#" not in str(after.position) and "Leg 2" in str(after.position)


@every_game
def test_who_resigns_leaves_what_is_still_played(game: Game) -> None:
    for match in played(game)[:: max(1, len(played(game)) // 5)]:
        if match.is_over:
            continue
        for seat in BOTH:
            left = match.withdraw(seat)
            assert left.is_over and left.ending_kind == "withdrawal" and left.ranks == ((2, 1) if seat == 1 else (1, 2))
            before, after = legs_of(match), legs_of(left)
            for leg in LEGS:
                stays = before.get_position(leg) == after.get_position(leg)
                assert stays == (not before.get_position(leg).turn)
            assert all("error" not in answered(record) for record in make_records(left))


def test_a_takeback_is_of_one_leg() -> None:
    match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2)
    match = match.play(1, "1: a1").play(2, "2: b2").play(2, "1: a2").play(1, "2: c3")
    back = match.take_back(2)
    assert [line.text for line in back.standing] == ["1: a1", "2: b2", "2: c3"]
    assert [record["moves"] for record in make_records(back)] == [[[1, "a1"]], [[1, "b2"], [2, "c3"]]]
    assert [line.text for line in match.take_back(1).standing] == ["1: a1", "2: b2", "1: a2"]
    again = back.play(2, "1: c1")
    assert again == Match.start(make_two_legged(PRIMES), {"size": 3}, 2).play(1, "1: a1").play(2, "2: b2").play(
        2, "1: a2"
    ).play(1, "2: c3").enter(2, "takeback").enter(2, "1: c1")


def test_a_draw_ends_both_legs() -> None:
    match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2).play(1, "1: a1").agree_draw(1)
    assert match.is_over and match.ranks == (1, 1)
    assert [answered(record)["ranks"] for record in make_records(match)] == [[1, 1], [1, 1]]


def test_a_move_without_its_leg_is_read_where_one_leg_waits() -> None:
    match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2)
    assert match.play(1, "a1").record[-1].text == "1: a1"
    assert match.play(2, "a1").record[-1].text == "2: a1"
    both = match.play(2, "a1")
    with pytest.raises(Unreadable, match="Both legs are waiting for you"):
        both.play(1, "b1")
    with pytest.raises(OutOfTurn, match="^Leg 1 waits for player 1[.]( Leg 2 waits for you[.])?$"):
        both.position.play(2, "1: a1")
    assert both.play(1, "2 : B1").record[-1].text == "2: b1"
    over = list(playout(match, Random(1)))[-2]
    ended = next(leg for leg, position in legs_of(over).numbered_legs if not position.turn)
    with pytest.raises(OutOfTurn, match=f"Leg {ended} is over"):
        over.play(over.turn[0], f"{ended}: a1")


def test_what_is_played_in_the_other_leg_makes_no_board_stale() -> None:
    match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2).play(2, "2: a1")
    assert match.has_moved_on(1, None, 0) and match.has_moved_on(1, None, 0, leg=2)
    assert not match.has_moved_on(1, None, 0, leg=1)
    assert match.withdraw(2).has_moved_on(1, None, 0, leg=1)


def test_suggestions_keep_their_notes() -> None:
    match = Match.start(make_two_legged(load_games()["flipping-bits"]), {}, 2)
    plain = Match.start(load_games()["flipping-bits"], {}, 2)
    inner = list(plain.position.suggest(1, "1"))
    assert list(match.position.suggest(1, "1")) == [Suggestion(f"1: {move}", note) for move, note in inner]


def test_positions_are_values() -> None:
    one, other = (Match.start(make_two_legged(PRIMES), {"size": 3}, 2).play(1, "1: a1").position for _ in range(2))
    assert one == other and hash(one) == hash(other) and isinstance(one, Legs) and one.made == (1, 0)
    assert make_two_legged(PRIMES) is make_two_legged(PRIMES) and make_two_legged(PRIMES).single is PRIMES


def test_the_computer_answers_in_the_leg_in_which_fewer_moves_were_made() -> None:
    start = Match.start(make_two_legged(PRIMES), {"size": 3}, 2)
    both = start.play(1, "1: a1").play(2, "2: a1").play(2, "1: b1")
    for match, leg in ((start, 1), (both, 2)):
        thought = answer_question(SearchQuestion(PRIMES.key, match.position, 1, Budget(16, 300), "1:0:1:2"))
        assert LegMove.parse(thought.move).leg == leg == LegMove.parse(thought.table[-1].move).leg
        match.play(1, thought.move)


def test_what_the_computer_expects_is_of_both_legs() -> None:
    # The one who has the rows wins a leg by 245 to 27: here the second leg is over, and seat 1 has won it.
    match = Match.start(make_two_legged(PRIMES), {"size": 3}, 2)
    for square, seat in (("b2", 2), ("a1", 1), ("c1", 2), ("b1", 1)):
        match = match.play(seat, f"2: {square}")
    for square, seat in (("b2", 1), ("a1", 2), ("c1", 1)):
        match = match.play(seat, f"1: {square}")
    thought = answer_question(SearchQuestion(PRIMES.key, match.position, 2, Budget(16, 300), "1:7:2:3"))
    assert thought.exact and thought.shares == (0.5, 0.5), "a leg for each"


def test_a_slow_game_is_as_slow_in_legs() -> None:
    for game in LEGGED:
        once, legs = Match.start(game, {}, 2).position, Match.start(make_two_legged(game), {}, 2).position
        assert compute_divisor(make_two_legged(game), legs) == compute_divisor(game, once)
