"""What moves of people lost late in matches: against plain minimax, and whose moves are judged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from random import Random
from statistics import fmean

import pytest

from bot.engine.levels import SearchQuestion
from bot.engine.search import answer_question
from bot.games.catalogue import load_games, read_recorded_matches
from bot.games.legs import make_two_legged
from bot.games.position import Position, Seat
from bot.play import reviews
from bot.play.ids import UserId, make_computer_user
from bot.play.lessons import fold_record
from bot.play.match import Match
from bot.play.ratings import PointsLost
from bot.play.record import Handover, format_handovers
from bot.play.reviews import has_reviews, list_steps
from tests.support.loaded_matches import begun
from tests.support.sampled import sampled
from tests.support.two_legs import playout

PLEXUS = load_games()["plexus"]
JUDGED = [key for key, game in load_games().items() if game.mind.measured.lost_by_lot is not None]
EVERY = 1 << 20
"""Nodes without end."""


def judged(
    match: Match, seats: Collection[Seat] = (1, 2), given: int = 0
) -> tuple[dict[Seat, PointsLost], list[SearchQuestion]]:
    """What the moves of a match lost, and all that was asked for it."""
    work, asked = reviews.judge_match(match, 12, given, seats), list[SearchQuestion]()
    try:
        asked.append(next(work))
        while True:
            asked.append(work.send(answer_question(asked[-1])))
    except StopIteration as stop:
        return stop.value, asked


def small() -> Match:
    """A recorded match of Plexus that is small enough to be solved from its first move on."""
    return fold_record(PLEXUS, next(row for row in read_recorded_matches(PLEXUS) if row["options"] == {"size": 3}))


def plain(position: Position) -> int:
    """By how much seat 1 comes out ahead, looked at to the end without any cleverness."""
    if not position.turn:
        first, second = position.scores()
        return first - second
    values = [plain(position.play(position.turn[0], move)) for move in position.moves(position.turn[0])]
    return max(values) if position.turn[0] == 1 else min(values)


def lost_plainly(match: Match, seat: Seat) -> PointsLost:
    """What the moves of a seat lost by plain minimax."""
    sign, found = 1 if seat == 1 else -1, PointsLost()
    for step in list_steps(match):
        if step.seat == seat:
            worths = {move: sign * plain(step.before.play(seat, move)) for move in step.before.moves(seat)}
            best = max(worths.values())
            by_lot = fmean(best - worth for worth in worths.values())
            found = found.combine(PointsLost(bool(by_lot), best - worths[step.move], by_lot))
    return found


def test_what_moves_lost_is_what_plain_minimax_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "JUDGED_NODES", EVERY)
    monkeypatch.setattr(reviews, "TRIVIAL", 0)
    monkeypatch.setattr(reviews, "MOST_JUDGED", 99)
    match = small()
    found, _ = judged(match)
    assert {*found} == {1, 2} and any(one.points for one in found.values())
    for seat, one in found.items():
        assert one == pytest.approx(lost_plainly(match, seat))  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.minutes
def test_positions_that_say_little_count_nothing_and_none_is_judged_before_one_that_takes_too_long() -> None:
    found, asked = judged(small())
    last = [*list_steps(small())][-1]
    assert asked[0].position == last.before and sum(one.moves for one in found.values()) < len(asked)
    assert len(asked) <= reviews.MOST_JUDGED
    long = fold_record(PLEXUS, max(read_recorded_matches(PLEXUS), key=lambda row: len(row["moves"])))
    told, asked = judged(long)
    thoughts = [answer_question(one) for one in asked]
    ends = [thought.exact and thought.nodes < reviews.JUDGED_NODES for thought in thoughts]
    assert ends[:-1] == [True] * (len(ends) - 1), "it went on behind a position that was not valued"
    assert sum(one.moves for one in told.values()) <= sum(ends)


@sampled("key", JUDGED, few=2, rest=pytest.mark.minutes)
def test_in_every_such_game_moves_can_be_judged(key: str) -> None:
    game = load_games()[key]
    assert game.scored and not game.products and has_reviews(game, 2)
    matches = [
        fold_record(game, row) for row in read_recorded_matches(game) if row["seats"] == 2 and len(row["moves"]) < 60
    ]
    found = [one for match in matches for one in judged(match)[0].values()]
    assert sum(one.moves for one in found)
    assert all(one.points >= 0 and one.by_lot >= 0 for one in found)


def test_a_match_costs_little() -> None:
    for key in JUDGED:
        match = fold_record(
            load_games()[key], next(row for row in read_recorded_matches(load_games()[key]) if row["seats"] == 2)
        )
        work = reviews.judge_match(match, 12, 0, (1, 2))
        question = next(work)
        assert question.budget.nodes <= reviews.JUDGED_NODES and question.budget.playouts <= 4


def test_only_the_moves_of_some_seats_are_judged_and_given_ones_are_not() -> None:
    match = small()
    both, _ = judged(match)
    assert both
    for seat in (1, 2):
        assert judged(match, (seat,))[0] == {one: lost for one, lost in both.items() if one == seat}
    assert judged(match, ()) == ({}, [])
    assert judged(match, given=len(match.standing)) == ({}, [])
    _, asked = judged(match, given=4)
    assert {one.position for one in asked} <= {step.before for step in [*list_steps(match)][4:]}


def test_what_was_taken_back_is_not_judged() -> None:
    match = small()
    first, *_ = match.record
    start = Match.start(match.game, match.options.to_record(), 2)
    other = next(move for move in start.position.moves(first.seat) if move != first.text)
    detour = start.play(first.seat, other).take_back(first.seat)
    for line in match.record:
        detour = detour.enter(*line)
    assert judged(detour) == judged(match)


def test_of_two_legs_moves_count_for_those_who_made_them() -> None:
    *_, match = playout(Match.start(make_two_legged(PLEXUS), {"size": 3}, 2), Random(3))
    found, asked = judged(match)
    alone = [judged(match, (seat,)) for seat in (1, 2)]
    assert [one for one, _ in alone] == [{1: found[1]}, {2: found[2]}]
    assert {one.game for one in asked} == {"plexus"}
    assert sum(len(questions) for _, questions in alone) >= len(asked)


def test_whose_moves_are_judged() -> None:
    match = small()
    loaded = begun(match, state="finished", legs=1)
    assert reviews.seats_of(loaded) == (1, 2)
    ann, bea = loaded.players
    others = {
        "who was helped": ((replace(ann, hints=1), bea), (2,)),
        "the computer": ((ann, replace(bea, user=make_computer_user(3))), (1,)),
        "who was forgotten": ((replace(ann, user=UserId(-4)), bea), (2,)),
    }
    for why, (players, seats) in others.items():
        assert reviews.seats_of(begun(match, state="finished", players=players)) == seats, why
    handed = format_handovers([Handover(2, UserId(99), 5, 17, rated=True)])
    assert reviews.seats_of(begun(match, state="finished", substitutions=handed)) == (), "who made which move?"
    for key in ("binary-primes", "combining-dividing", "cross-dont-cross"):
        one = fold_record(load_games()[key], read_recorded_matches(load_games()[key])[0])
        assert reviews.seats_of(begun(one, state="finished")) == (), "nothing can be computed"
