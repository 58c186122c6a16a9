"""Matches that go on from a position of another: they replay by themselves, and what was given stays."""

from __future__ import annotations

import json
import re
from itertools import accumulate, product
from random import Random

import pytest

from bot.features.study.replays import build_records
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.legs import make_two_legged
from bot.play import acts
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import LoadedMatch, Refusal
from bot.play.match import Match
from bot.play.records import MOST_STEPS, replay_record
from bot.play.replays import ENDED, LEFT, LIVE, NOTHING, PLAYED_IN_SECRET, explain_unplayable
from tests.contract.playing import playout, records, stepped
from tests.service.test_umpire import ANN, BEA, CEM, Desk, desk
from tests.support.loaded_matches import begun
from tests.support.sampled import sampled

__all__ = ["desk"]
OPEN = [game for game in load_games().values() if not game.secret]
MATCHES, PLACES = 10, 3
LONGEST = 100
"""Lines of a recorded match that is gone on with: Flipping Bits on many squares takes thousands of moves by lot."""


async def going_on(desk: Desk, match: Match, *players: UserId) -> LoadedMatch:
    """A live match that goes on from another, its players in order of seats."""
    number = await desk.match(
        match.game.key, *players, options=match.options.to_record(), seats=match.seats, seating="order", pace="none",
        legs=2 if match.game.single else 1, origin=MatchId(99), lines=match.standing,
    )  # fmt: skip
    return await desk.umpire.load(number)


async def to_the_end(desk: Desk, loaded: LoadedMatch, rng: Random) -> LoadedMatch:
    """The same match, played to its end by lot."""
    while loaded.turn:
        line = stepped(loaded.begun_match, rng).record[-1]
        loaded = (await desk.move(loaded.id, loaded.user_at(line.seat), line.text)).after
    return loaded


def recorded(game: Game, number: int, rng: Random) -> list[Match]:
    """A recorded match of a game at every ply; where it has not so many, one that is played by lot."""
    rows = [row for row in records(game) if len(row["moves"]) <= LONGEST]
    if number >= len(rows):
        seats = rng.choice([seats for seats in game.seats if seats < 5])
        return list(playout(Match.start(game, {}, seats), rng))
    match = Match.start(game, rows[number].get("options", {}), rows[number]["seats"])
    return list(accumulate(rows[number]["moves"], lambda before, line: before.enter(*line), initial=match))


@sampled(
    ("game", "seed"),
    product(OPEN, range(MATCHES)),
    few=2,
    ids=lambda one: getattr(one, "key", str(one)),
    rest=pytest.mark.minutes,
)
async def test_from_any_position_it_goes_on_and_its_record_replays(desk: Desk, game: Game, seed: int) -> None:
    rng = Random(f"{game.key} {seed}")
    moments = recorded(game, seed, rng)
    ended = begun(moments[-1], state="finished")
    for match in rng.sample(
        able := [one for one in moments if not explain_unplayable(ended, one)], min(PLACES, len(able))
    ):
        people = [UserId(10**6 + seat) for seat in range(1, match.seats + 1)]
        loaded = await going_on(desk, match, *people)
        assert (loaded.begun_match.position, loaded.turn, loaded.row.rated) == (match.position, match.turn, False)
        over = await to_the_end(desk, loaded, rng)
        (record,) = build_records(over, people[0])
        assert record["from"] == {"match": 99, "ply": len(match.standing)}
        answer = replay_record(load_games(), json.dumps(record).encode(), every=False, legal=False)
        assert answer["finished"] and answer["scores"] == list(over.begun_match.scores)


async def test_in_two_legs_each_record_says_how_many_of_its_lines_were_given(desk: Desk) -> None:
    match = Match.start(make_two_legged(load_games()["binary-primes"]), {"size": 3}, 2)
    for seat, text in ((1, "1: a1"), (2, "1: b2"), (2, "2: c3")):
        match = match.play(seat, text)
    over = await to_the_end(desk, await going_on(desk, match, ANN, BEA), Random(7))
    assert [record["from"]["ply"] for record in build_records(over, ANN)] == [2, 1]
    for record in build_records(over, ANN):
        assert replay_record(load_games(), json.dumps(record).encode(), every=False, legal=False)["finished"]


async def test_what_was_given_is_nobodys_move(desk: Desk) -> None:
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2).play(1, "a1").play(2, "b2")
    loaded = await going_on(desk, match, ANN, BEA)
    await desk.move(loaded.id, ANN, "c3")
    kept = await desk.umpire.export_user(ANN)
    assert [(move["number"], move["text"]) for move in kept["moves"]] == [(1, "c3")]
    assert [(one["source_match"], one["imported_plies"]) for one in kept["matches"]] == [(99, 2)]


async def test_it_waits_for_as_many_as_the_position_has(desk: Desk) -> None:
    match = Match.start(load_games()["binary-scramble"], {}, 3)
    for _ in range(2):
        match = stepped(match, Random(7))
    table = await desk.challenge(
        "binary-scramble", ANN, seats=3, options=match.options.to_record(), lines=match.standing
    )
    await desk.umpire.act(desk.act(), table.id, BEA, acts.accept)
    with pytest.raises(Refusal, match="This position is for 3 players"):
        await desk.umpire.act(desk.act(), table.id, ANN, acts.begin_early)
    assert (await desk.umpire.act(desk.act(), table.id, CEM, acts.accept)).after.begun_match.position == match.position


def test_where_nobody_can_play_on() -> None:
    game = load_games()["binary-scramble"]
    start = Match.start(game, {}, 3)
    moved, secret = stepped(start, Random(7)), Match.start(load_games()["sums-grid"], {}, 2)
    over = begun(moved, state="finished")
    assert explain_unplayable(begun(moved), moved) == LIVE
    assert explain_unplayable(begun(secret, state="finished"), secret) == PLAYED_IN_SECRET
    for then, refusal in ((start, NOTHING), (moved.withdraw(2), LEFT), (moved.agree_draw(1), ENDED), (moved, "")):
        assert explain_unplayable(over, then) == refusal


async def test_nobody_has_more_moves_written_anew_in_an_hour_than_people_do(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acts, "MOST_GIVEN", 5)
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2)
    for seat, text in ((1, "a1"), (2, "b2")):
        match = match.enter(seat, text)
    begins = desk.now
    for minute in (0, 10):
        desk.now = begins + 60 * minute
        await going_on(desk, match, ANN, BEA)
    free = f"<t:{begins + acts.HOUR}:R>"
    told = f"You have played on from positions of 4 moves in the last hour, and 5 is the limit. Try again {free}."
    with pytest.raises(Refusal, match=re.escape(told)):
        await going_on(desk, match, ANN, BEA)
    await going_on(desk, match, BEA, ANN)  # everybody has an hour of their own
    await desk.match("binary-primes", ANN, BEA)  # and what begins from nothing writes nothing anew
    desk.now = begins + acts.HOUR
    await going_on(desk, match, ANN, BEA)


async def test_the_longest_record_can_be_gone_on_with_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "MOST_GIVEN", 1)
    match = Match.start(load_games()["binary-primes"], {"size": 3}, 2).enter(1, "a1").enter(2, "b2")
    await going_on(desk, match, ANN, BEA)
    with pytest.raises(Refusal, match="positions of 2 moves in the last hour, and 1 is the limit"):
        await going_on(desk, match, ANN, BEA)


def test_the_longest_imported_record_is_below_the_limit() -> None:
    assert MOST_STEPS <= acts.MOST_GIVEN
