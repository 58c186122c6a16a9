"""Ratings: the same numbers whether counted one result at a time or computed anew, and only from what counts."""

from __future__ import annotations

import random
from dataclasses import astuple
from math import isclose
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.core.ids import UserId
from bot.core.ratings import FRESH, Rating, Result, folded, rated
from bot.core.rows import Standing
from data import standings
from data.engine import Database
from data.store import Reader, Store
from tests.data.acts import FINISH, GAME, begun, entered, loaded, played, transaction


def test_who_wins_rises_and_who_loses_falls() -> None:
    after = rated({}, Result((7, 8), (2, 1)))
    assert after[8].mu > FRESH.mu > after[7].mu
    assert after[8].sigma < FRESH.sigma
    assert [(astuple(after[user])[2:]) for user in (7, 8)] == [(1, 0, 0, 1), (1, 1, 0, 0)]


def test_a_draw_draws_together() -> None:
    strong, weak = Rating(mu=35, sigma=2), Rating(mu=20, sigma=2)
    after = rated({7: strong, 8: weak}, Result((7, 8), (1, 1)))
    assert after[7].mu < strong.mu and after[8].mu > weak.mu
    assert [(astuple(after[user])[2:]) for user in (7, 8)] == [(1, 0, 1, 0), (1, 0, 1, 0)]


def test_a_first_rank_shared_by_some_is_a_draw_for_them_and_a_loss_for_the_rest() -> None:
    after = rated({}, Result((1, 2, 3, 4), (1, 3, 1, 3)))
    assert [astuple(after[user])[3:] for user in (1, 2, 3, 4)] == [(0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    assert isclose(after[1].mu, after[3].mu) and isclose(after[2].mu, after[4].mu)
    assert after[1].mu > FRESH.mu > after[2].mu


def test_one_known_rating() -> None:
    # Plackett-Luce by hand, two fresh players: c = sqrt(2 (sigma² + tau²) + 2 beta²), and the winner gains
    # sigma² / c · (1 − p), p = 1/2; with tau = 25/300 and beta = 25/6 that is 2.635.
    after = rated({}, Result((1, 2), (1, 2)))
    assert round(after[1].mu, 3) == 27.635 and round(after[2].mu, 3) == 22.365


async def boards(database: Database) -> list[tuple[int, str]]:
    """Boards whose stored ratings differ, to the last bit, from those computed anew."""

    def differing(connection: Connection) -> list[tuple[int, str]]:
        return [
            board
            for board in standings.boards(connection)
            if standings.stored(connection, *board) != standings.computed(connection, *board)
        ]

    return await database.read(differing)


async def test_a_finished_match_counts_in_its_game_and_over_all(store: Store) -> None:
    match = await played(store)
    ranks = {player.user: player.rank for player in (await loaded(store, match)).players}
    winner = next(user for user, rank in ranks.items() if rank == 1)
    expected = folded([Result((1, 2), (ranks[UserId(1)] or 0, ranks[UserId(2)] or 0))])
    assert ranks[UserId(1)] != ranks[UserId(2)]
    for game in (GAME.key, ""):
        board = await store.ask(Reader.leaderboard, 1, game)
        assert {line.user: Rating(*astuple(line)[2:]) for line in board} == expected
        assert board[0].user == winner
    assert await store.ask(Reader.leaderboard, 2) == await store.ask(Reader.leaderboard, 1, "plexus") == ()


@pytest.mark.parametrize(
    ("users", "moves", "changes"),
    [
        ((1, 2), FINISH, {"rated": False}),
        ((1, 2), ("a1", "resign"), {}),
        ((1, 2), ("resign",), {}),
    ],
    ids=["unrated", "no move by seat 2", "no move at all"],
)
async def test_what_does_not_count(
    store: Store, users: tuple[int, ...], moves: tuple[str, ...], changes: dict[str, Any]
) -> None:
    match = await played(store, users, moves=moves, **changes)
    assert (await loaded(store, match)).state == "finished"
    assert await store.ask(Reader.leaderboard, 1) == ()


async def test_a_resignation_after_a_move_by_each_counts(store: Store) -> None:
    await played(store, moves=("a1", "b1", "resign"))
    assert [(line.user, line.won, line.lost) for line in await store.ask(Reader.leaderboard, 1)] == [
        (2, 1, 0),
        (1, 0, 1),
    ]


async def test_neither_a_match_alone_nor_an_aborted_one_counts(store: Store) -> None:
    alone, aborted = await begun(store, (1,)), await begun(store, (1, 2))
    for text in ("a1", "b1"):
        await entered(store, aborted, text, act=ord(text[0]))
    with transaction(store) as tx:
        tx.append(alone, 1, 1, "a1", 120)
        tx.seat(alone, 1, rank=1, score=3)
        assert tx.update(alone, 2, state="finished", ended=120)
        tx.rate(alone)
        assert tx.update(aborted, 4, state="aborted", ended=121)
        tx.rate(aborted)
    assert await store.ask(Reader.leaderboard, 1) == ()


async def test_results_count_in_the_order_in_which_matches_ended(store: Store, database: Database) -> None:
    chance = random.Random(3)
    live = [await begun(store, (*chance.sample(range(1, 6), 2),)) for _ in range(14)]
    chance.shuffle(live)
    # The clock is set back now and then, and stands still now and then: several end in one second, in any order.
    for match in live:
        now = 500 + chance.randrange(5)
        for ply, text in enumerate(FINISH if chance.random() < 0.7 else ("a1", "b1", "resign"), 1):
            assert await entered(store, match, text, act=match * 10 + ply, now=now)
        assert await boards(database) == []
    assert sum(line.played for line in await store.ask(Reader.leaderboard, 1)) == 28


async def test_a_leaderboard_ranks_from_three_matches_on_and_ties_share_a_place(
    store: Store, database: Database
) -> None:
    def rating(mu: float, played: int) -> dict[str, float]:
        return {"mu": mu, "sigma": 2.0, "played": played, "won": played, "drawn": 0, "lost": 0}

    given = {5: rating(30, 3), 6: rating(28, 4), 7: rating(28, 3), 8: rating(40, 2), 9: rating(20, 9), 4: rating(1, 1)}
    rows = [{"guild": 1, "game": "plexus", "user": user, **line} for user, line in given.items()]
    rows += [{**rows[0], "guild": 2, "mu": 1.0}, {**rows[0], "game": ""}]
    await database.write(lambda connection: connection.execute(standings.KEEP, rows))
    board = await store.ask(Reader.leaderboard, 1, "plexus")
    assert [(line.place, line.user) for line in board] == [(1, 5), (2, 6), (2, 7), (4, 9), (None, 8), (None, 4)]
    assert board[0] == Standing(UserId(5), 1, 30, 2, 3, 3, 0, 0) and board[0].value == 24
    assert {game: line.place for game, line in (await store.ask(Reader.profile, 1, 5)).items()} == {"": 1, "plexus": 1}
    assert (await store.ask(Reader.profile, 1, 9))["plexus"] == board[3]
    assert await store.ask(Reader.profile, 3, 9) == {}
