"""Ratings: the same numbers whether counted one result at a time or computed anew, and only from matches that count."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import astuple
from datetime import UTC, datetime
from functools import partial
from math import isclose
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import Connection, event

from bot.play import ratings
from bot.play.ids import UserId
from bot.play.ratings import (
    FRESH,
    Careers,
    GameLosses,
    Leaderboard,
    LeaderboardRow,
    PointsLost,
    Rating,
    Result,
    extend_careers,
    find_bounds,
    find_first_second,
    find_next_season,
    fold_results,
    rate_result,
    season_of,
)
from cogs.binary_primes import GAME
from data.engine.database import Database
from data.engine.sqlite import SqliteDriver
from data.queries import standings
from data.store import Reader, Store, Transaction
from tests.data.acts import FINISH, begun, entered, loaded, only_sqlite, played, transaction


def test_who_wins_rises_and_who_loses_falls() -> None:
    after = rate_result({}, Result((7, 8), (2, 1)))
    assert after[8].mu > FRESH.mu > after[7].mu
    assert after[8].sigma < FRESH.sigma
    assert [(astuple(after[user])[2:]) for user in (7, 8)] == [(1, 0, 0, 1, 0, 0, (0, 1)), (1, 1, 0, 0, 1, 1, (1,))]


def test_a_draw_draws_together() -> None:
    strong, weak = Rating(mu=35, sigma=2), Rating(mu=20, sigma=2)
    after = rate_result({7: strong, 8: weak}, Result((7, 8), (1, 1)))
    assert after[7].mu < strong.mu and after[8].mu > weak.mu
    assert [(astuple(after[user])[2:]) for user in (7, 8)] == [(1, 0, 1, 0, 0, 0, (1,))] * 2


def test_a_first_rank_shared_by_some_is_a_draw_for_them_and_a_loss_for_the_rest() -> None:
    after = rate_result({}, Result((1, 2, 3, 4), (1, 3, 1, 3)))
    assert [astuple(after[user])[3:6] for user in (1, 2, 3, 4)] == [(0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    assert [after[user].places for user in (1, 2, 3, 4)] == [(1,), (0, 0, 1), (1,), (0, 0, 1)]
    assert isclose(after[1].mu, after[3].mu) and isclose(after[2].mu, after[4].mu)
    assert after[1].mu > FRESH.mu > after[2].mu


def test_one_known_rating() -> None:
    # Plackett-Luce by hand, two fresh players: c = sqrt(2 (sigma² + tau²) + 2 beta²), and the winner gains
    # sigma² / c · (1 − p), p = 1/2; with tau = 25/300 and beta = 25/6 that is 2.635.
    after = rate_result({}, Result((1, 2), (1, 2)))
    assert round(after[1].mu, 3) == 27.635 and round(after[2].mu, 3) == 22.365


async def boards(database: Database) -> list[Leaderboard]:
    """Boards whose stored ratings differ, to the last bit, from those computed anew."""

    def differing(connection: Connection) -> list[Leaderboard]:
        return [
            board
            for board in standings.list_boards(connection)
            if standings.load_ratings(connection, board) != standings.compute_ratings(connection, board)
        ]

    return await database.read(differing)


async def test_a_finished_match_counts_in_its_game_and_over_all(store: Store) -> None:
    match = await played(store)
    ranks = {player.user: player.rank for player in (await loaded(store, match)).players}
    winner = next(user for user, rank in ranks.items() if rank == 1)
    expected = fold_results([Result((1, 2), (ranks[UserId(1)] or 0, ranks[UserId(2)] or 0))])
    assert ranks[UserId(1)] != ranks[UserId(2)]
    for game in (GAME.key, ""):
        board = await store.ask(Reader.leaderboard, 1, game)
        assert {line.user: astuple(line)[2:] for line in board} == {
            user: astuple(rating) for user, rating in expected.items()
        }
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
        tx.set_player(alone, 1, rank=1, score=3)
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


async def test_a_match_never_ends_before_another_of_its_server(store: Store, database: Database) -> None:
    """Whatever the clock says: an hour behind, or the same second; elsewhere it is no concern."""
    matches = [await played(store, now=now) for now in (5000, 1400, 5000, 5001, 6000)]
    elsewhere = await played(store, now=1400, guild=2)
    assert [(await loaded(store, match)).ended for match in matches] == [5000, 5001, 5002, 5003, 6000]
    assert (await loaded(store, elsewhere)).ended == 1400
    assert await boards(database) == []


@only_sqlite
async def test_a_finish_reads_no_results_but_its_own(store: Store) -> None:
    """A clock that is set back costs nobody their move: nothing is computed anew while others wait to write."""
    for _ in range(3):
        await played(store, now=5000)
    driver, asked = store.database.driver, list[str]()
    assert isinstance(driver, SqliteDriver)

    def noted(*about: Any) -> None:
        asked.append(about[2])

    event.listen(driver.engine, "before_cursor_execute", noted)
    await played(store, now=120)
    assert sum("ORDER BY matches.ended, matches.id" in statement for statement in asked) == 1


async def test_ratings_are_computed_anew_while_others_finish(store: Store, database: Database) -> None:
    """What comes in after the snapshot is added to what was computed from it."""
    await played(store, (1, 2))
    snapshot = await database.read(lambda connection: _computed(connection))
    await played(store, (2, 3), now=100)
    await database.write(lambda connection: connection.exec_driver_sql("UPDATE ratings SET mu = 1"))
    for board, (after, seen) in snapshot.items():
        assert await database.write(partial(standings.rewrite_ratings, board=board, after=after, seen=seen))
    assert await boards(database) == []


async def test_nobody_who_was_forgotten_meanwhile_is_rated_by_name(store: Store, database: Database) -> None:
    await played(store, (1, 2))
    snapshot = await database.read(lambda connection: _computed(connection))
    await store.do(Transaction.forget_person, UserId(1))
    for board, (after, seen) in snapshot.items():
        assert not await database.write(partial(standings.rewrite_ratings, board=board, after=after, seen=seen))
    assert await boards(database) == []


def _computed(connection: Connection) -> dict[Leaderboard, tuple[dict[int, Rating], ratings.ResultsMark]]:
    """All boards as the matches of server 1 give them, and until when."""
    mark = standings.read_results_mark(connection, 1)
    return {board: (standings.compute_ratings(connection, board), mark) for board in standings.list_boards(connection)}


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
    assert board[0] == LeaderboardRow(UserId(5), 1, 30, 2, 3, 3, 0, 0) and board[0].value == 24
    assert {game: line.place for game, line in (await store.ask(Reader.profile, 1, 5)).items()} == {"": 1, "plexus": 1}
    assert (await store.ask(Reader.profile, 1, 9))["plexus"] == board[3]
    assert await store.ask(Reader.profile, 3, 9) == {}


RANKED = """
SELECT "user", CASE WHEN played >= 3 THEN rank() OVER (PARTITION BY played >= 3 ORDER BY mu - 3 * sigma DESC) END,
    played
FROM ratings WHERE guild = 1 AND game = :game AND "user" > 0 ORDER BY played < 3, mu - 3 * sigma DESC, "user"
"""
"""A leaderboard as it was asked for at first: everybody is ranked."""


def scattered(chance: random.Random, users: Iterable[int], *games: str) -> list[dict[str, object]]:
    """Ratings of some people in games of server 1, many of them equal."""

    def rating() -> dict[str, float]:
        mu, sigma, played = chance.randrange(20, 30), chance.choice([2.0, 2.5]), chance.randrange(1, 7)
        return {"mu": float(mu), "sigma": sigma, "played": played, "won": 0, "drawn": 0, "lost": 0}

    return [{"guild": 1, "game": game, "user": user, **rating()} for game in games for user in users if user]


async def test_places_are_those_that_ranking_everybody_gives(store: Store, database: Database) -> None:
    chance = random.Random(9)
    rows = scattered(chance, range(-3, 60), "", "plexus")
    await database.write(lambda connection: connection.execute(standings.KEEP, rows))
    for game in ("", "plexus"):
        ranked = await database.read(lambda c, game=game: c.execute(sqlalchemy.text(RANKED), {"game": game}).all())
        board = await store.ask(Reader.leaderboard, 1, game, 100)
        assert [(one.user, one.place, one.played) for one in board if one.place] == [row for row in ranked if row[1]]
        assert {(one.user, one.place, one.played) for one in board} == set(map(tuple, ranked))
        assert [one for one in board if one.place][:7] == [*(await store.ask(Reader.leaderboard, 1, game, 7))][:7]
        assert await store.ask(Reader.count_rated, 1, game) == (
            sum(bool(row[1]) for row in ranked),
            sum(not row[1] for row in ranked),
        )
        for user, place, _ in ranked:
            assert (await store.ask(Reader.profile, 1, user))[game].place == place
            ahead = tuple(other for other, before, _ in ranked if place and before and before < place)
            if place:
                assert await store.ask(Reader.find_users_ahead, 1, user, game, 100) == ahead
                assert await store.ask(Reader.find_users_ahead, 1, user, game, 3) == ahead[:3]
    assert await store.ask(Reader.profile, 1, -1) == {}


@only_sqlite
async def test_a_leaderboard_a_profile_or_a_result_costs_little_among_many(store: Store, database: Database) -> None:
    """Counted in steps of SQLite's own machine, which are the same on all machines."""
    match = await played(store)
    chance, steps, many = random.Random(9), [0], 1500
    rows = scattered(chance, range(3, many + 1), "", "plexus", "binary-primes")
    await database.write(lambda connection: connection.execute(standings.KEEP, rows))

    def counted(connection: Connection, ask: Callable[[Transaction], object]) -> float:
        file: Any = connection.connection.driver_connection
        steps[0] = 0
        file.set_progress_handler(lambda: steps.__setitem__(0, steps[0] + 10), 10)
        ask(Transaction(connection))
        file.set_progress_handler(None, 0)
        return steps[0] / many

    async def cost(ask: Callable[[Transaction], object]) -> float:
        return await database.write(lambda connection: counted(connection, ask))

    costs = {
        "board": (5, await cost(lambda tx: tx.leaderboard(1, "plexus"))),
        "profile": (25, await cost(lambda tx: tx.profile(1, UserId(7)))),
        "ahead": (5, await cost(lambda tx: tx.find_users_ahead(1, UserId(7), "plexus"))),
        "result": (5, await cost(lambda tx: tx.rate(match))),
    }
    assert all(found < most for most, found in costs.values()), costs


async def test_how_often_somebody_came_out_at_each_place_is_counted_in_every_game(store: Store) -> None:
    for users in ((1, 2), (2, 1), (1, 2)):
        await played(store, users)
    await played(store, (1, 2), moves=("a1", "resign"))  # which does not count
    profiles = [await store.ask(Reader.profile, 1, UserId(user)) for user in (1, 2, 3)]
    assert [{game: one.places for game, one in profile.items()} for profile in profiles] == [
        {"": (1, 2), GAME.key: (1, 2)}, {"": (2, 1), GAME.key: (2, 1)}, {},
    ]  # fmt: skip
    board = await store.ask(Reader.leaderboard, 1, GAME.key)
    assert {one.user: one.places for one in board} == {1: (1, 2), 2: (2, 1)}


async def test_careers_are_folded_from_what_came_and_end_at_the_ratings(store: Store) -> None:
    """Whether all came at once, or one match after the other; and anew where somebody was forgotten."""
    kept: Careers | None = None
    for number in range(4):
        await played(store, (1 + number % 2, 3))
        came = await store.ask(Reader.find_results_since, 1, "", kept.mark if kept else None, 9)
        assert came and (came.whole, len(came.results)) == (number == 0, 1)
        kept = extend_careers(kept, came)
    every = await store.ask(Reader.find_results_since, 1, "", None, 9)
    assert kept and every and extend_careers(None, every) == kept
    for user in (1, 2, 3):
        standing, career = (await store.ask(Reader.profile, 1, user))[""], kept.find_career(user)
        assert career and (career.values[-1], career.played) == (standing.value, standing.played)
    assert await store.ask(Reader.find_results_since, 1, "", None, 3) is None, "more than may be looked through"
    still = await store.ask(Reader.find_results_since, 1, "plexus", kept.mark, 0)
    assert still and still.results == (), "nothing has come since"
    await store.do(Transaction.forget_person, 1)
    anew = await store.ask(Reader.find_results_since, 1, GAME.key, kept.mark, 9)
    assert anew and anew.whole and len(anew.results) == 4
    assert extend_careers(kept, anew).find_career(1) is None and extend_careers(kept, anew).find_career(
        3
    ) == kept.find_career(3)


TURN = find_first_second(20264)
"""The first second of a quarter."""


def test_quarters_are_those_of_the_calendar() -> None:
    """Also about the leap days that are left out every hundred years."""
    for year in range(1970, 2405):
        for quarter in (1, 2, 3, 4):
            first = int(datetime(year, 3 * quarter - 2, 1, tzinfo=UTC).timestamp())
            season = 10 * year + quarter
            assert (find_first_second(season), season_of(first)) == (first, season)
            if first:
                assert find_next_season(season_of(first - 1)) == season
            assert find_bounds(season) == (first - 1, find_first_second(find_next_season(season)) - 1)


async def test_a_season_is_a_fold_of_the_matches_that_ended_in_it(store: Store, database: Database) -> None:
    for now in (TURN - 2, TURN - 1, TURN, TURN + 9):
        await played(store, now=now)
    await played(store, now=TURN, guild=2)
    for season, number in ((20263, 2), (20264, 2), (0, 4), (20262, 0)):
        for game in ("", GAME.key):
            lines = await store.ask(Reader.leaderboard, 1, game, 20, season)
            expected = [(number, number)] * 2 if number else []
            assert [(line.played, sum(line.places)) for line in lines] == expected, (season, game)
    assert await store.ask(Reader.count_rated, 1, "", 20264) == (0, 2)
    fresh = await store.ask(Reader.leaderboard, 2)
    await played(store, now=TURN + 10)
    third = await store.ask(Reader.leaderboard, 1, "", 20, 20264)
    assert [line.place for line in third] == [1, 2], "three matches make a place in a season too"
    assert [line.place for line in await store.ask(Reader.leaderboard, 1, "", 20, 20263)] == [None, None]
    assert await store.ask(Reader.leaderboard, 2, "", 20, 20264) == fresh, "every season begins at the beginning"
    assert await store.ask(Reader.seasons, 1) == (20264, 20263) and await store.ask(Reader.seasons, 1, 1) == (20264,)
    assert await store.ask(Reader.seasons, 3) == ()
    assert await boards(database) == []


async def test_a_season_that_is_over_stays_as_it_was(store: Store, database: Database) -> None:
    """The clock is set back over the turn, and two end in the last second: what decides is what was written."""
    for now in (TURN - 1, TURN - 1, TURN - 5000):
        await played(store, now=now)
    assert [(await loaded(store, match)).ended for match in (1, 2, 3)] == [TURN - 1, TURN, TURN + 1]
    assert [line.played for line in await store.ask(Reader.leaderboard, 1, "", 20, 20263)] == [1, 1]
    assert [line.played for line in await store.ask(Reader.leaderboard, 1, "", 20, 20264)] == [2, 2]
    assert await boards(database) == []


async def test_a_season_is_computed_anew_while_the_next_begins(store: Store, database: Database) -> None:
    await played(store, now=TURN - 9)
    snapshot = await database.read(lambda connection: _computed(connection))
    await played(store, (2, 3), now=TURN - 8)
    await played(store, (2, 3), now=TURN)
    await database.write(
        lambda connection: connection.exec_driver_sql("UPDATE ratings SET mu = 1 WHERE season < 20264")
    )
    assert [board.season for board in snapshot] == [0, 20263] * 2
    for board, (after, seen) in snapshot.items():
        assert await database.write(partial(standings.rewrite_ratings, board=board, after=after, seen=seen))
    assert await boards(database) == []


async def test_who_was_forgotten_is_in_no_season(store: Store, database: Database) -> None:
    await played(store, now=TURN)
    await store.do(Transaction.forget_person, UserId(1))
    assert [line.user for line in await store.ask(Reader.leaderboard, 1, "", 20, 20264)] == [2]
    assert await boards(database) == []


def test_runs_of_matches_won() -> None:
    ratings = fold_results(Result((1, 2), ranks) for ranks in ((1, 2), (1, 2), (2, 1), (1, 2), (1, 1)))
    assert [(ratings[user].streak, ratings[user].longest) for user in (1, 2)] == [(0, 2), (0, 1)]
    ratings = fold_results([Result((1, 2, 3), (1, 2, 3)), Result((1, 2, 3), (1, 1, 3))], ratings)
    assert [(ratings[user].streak, ratings[user].longest) for user in (1, 2, 3)] == [(0, 2), (0, 1), (0, 0)]
    ratings = fold_results([Result((1, 2), (1, 2))] * 3, ratings)
    assert (ratings[1].streak, ratings[1].longest) == (3, 3)


async def test_two_people_are_compared_by_all_that_both_finished(store: Store) -> None:
    """Rated or not, with others at the table or not; neither what goes on, nor what was called off, nor elsewhere."""
    won, lost = await played(store, (1, 2), now=500), await played(store, (2, 1), now=600, rated=False)
    early = await played(store, (1, 2), now=700, moves=("resign",))
    await played(store, (1, 3), now=800)
    await played(store, (1, 2), now=900, guild=2)
    live, off, three = await begun(store, (1, 2)), await begun(store, (1, 2)), await begun(store, (1, 2, 3))
    with transaction(store) as tx:
        assert tx.update(off, 2, state="aborted", ended=950)
        assert tx.update(three, 2, state="finished", ended=960)
        for user, rank in ((1, 2), (2, 2), (3, 1)):
            tx.set_player(three, user, rank=rank)
    (score,) = await store.ask(Reader.scores, 1, 1, 2)
    assert (score.game, score.drawn, score.won + score.lost) == (GAME.key, 1, 3)
    assert await store.ask(Reader.scores, 1, 2, 1) == ((GAME.key, score.lost, 1, score.won),)
    assert await store.ask(Reader.scores, 1, 2, 3) == ((GAME.key, 0, 0, 1),), "behind them, though neither won"
    latest = await store.ask(Reader.find_matches_between, 1, 1, 2)
    assert [row.id for row in latest] == [three, early, lost, won] and live not in latest
    assert [row.id for row in await store.ask(Reader.find_matches_between, 1, 2, 1, GAME.key, 2)] == [three, early]
    assert await store.ask(Reader.find_matches_between, 1, 1, 2, "plexus") == ()
    assert await store.ask(Reader.scores, 1, 1, 9) == await store.ask(Reader.scores, 3, 1, 2) == ()
    await store.do(Transaction.forget_person, UserId(2))
    assert await store.ask(Reader.scores, 1, 1, 2) == await store.ask(Reader.find_matches_between, 1, 1, 2) == ()


@only_sqlite
async def test_comparing_two_people_reads_their_matches_alone(store: Store, database: Database) -> None:
    """However many others have finished in the server."""
    plans: list[str] = []

    def explained(connection: Connection) -> None:
        def noted(_: Any, cursor: Any, statement: str, values: Any, *__: Any) -> None:
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}", values)
            plans.extend(row[3] for row in cursor.fetchall())

        event.listen(connection, "before_cursor_execute", noted)
        between = {"guild": 1, "one": 1, "other": 2}
        for ask in (partial(Reader.scores, **between), partial(Reader.find_matches_between, **between, game="plexus")):
            ask(Reader(connection))
        event.remove(connection, "before_cursor_execute", noted)

    await database.read(explained)
    assert plans.count("SEARCH one USING INDEX ix_players_user (user=?)") == 2
    assert not [step for step in plans if step.startswith("SCAN") or "ix_matches" in step]


async def test_what_moves_lost_counts_once_a_match_however_often_it_is_kept(store: Store) -> None:
    first, second = await played(store), await played(store)
    for _ in range(2):
        await store.do(Transaction.keep_review, first, 1, "{}", {1: PointsLost(3, 1.5, 4.0)})
    assert await store.ask(Reader.load_losses_by_game, 1, 1) == {GAME.key: GameLosses(3, 1.5, 4.0, 1.5 / 4)}
    await store.do(Transaction.keep_review, second, 1, "{}", {1: PointsLost(2, 0.5, 2.0), 2: PointsLost(1, 1.0, 1.0)})
    assert await store.ask(Reader.load_losses_by_game, 1, 1) == {
        GAME.key: GameLosses(5, 2.0, 6.0, (3 * 1.5 / 4 + 2 * 0.5 / 2) / 5)
    }
    assert await store.ask(Reader.load_losses_by_game, 1, 2) == {GAME.key: GameLosses(1, 1.0, 1.0, 1.0)}
    assert await store.ask(Reader.load_losses_by_game, 2, 1) == {}, "another server"
