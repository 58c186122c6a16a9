"""What SQLite's one writer keeps apart is kept apart on PostgreSQL too: two at once leave what one after the other
would have left."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from bot.play.ids import ChannelId, MatchId, MessageId, UserId
from bot.play.ratings import Leaderboard, PointsLost, Rating, ResultsMark
from bot.play.rows import Absence, ChallengeRequest, PendingEdit, PendingMessage, ServerSettings
from data.queries import standings
from data.store import Store, Transaction
from tests.data.acts import FINISH, begun, entering, new, only_postgres, played
from tests.data.interleaving import Act, Scene, tried
from tests.support.sampled import sampled

ANN, BEA, CEM = map(UserId, (700001, 700002, 700003))
LEFT = PendingEdit(MessageId(50), ChannelId(10), MatchId(1), 2)
SENDING = PendingMessage(ANN, MatchId(1), 1, ChannelId(10), False, 100, 160, 1)


def on_a_match(first: Act, second: Act | None = None) -> Scene:
    """Two acts, or one twice, where match 1 is live."""

    async def scene(store: Store) -> tuple[Act, Act]:
        match = await begun(store, (ANN, BEA))
        await store.do(Transaction.mark_shown, match, 2, 10, 50)
        return first, second or first

    return scene


def chosen(**changes: bool) -> Act:
    """Somebody changes what they have chosen."""
    return lambda tx: tx.change_preferences(ANN, lambda before: replace(before, **changes))


def governed(**changes: bool) -> Act:
    """A server's settings are changed."""
    return lambda tx: tx.change_settings(1, lambda before: replace(before, **changes))


TWICE: dict[str, Act] = {
    "a note": lambda tx: tx.set_note("n", "one"),
    "a note that is to be new": lambda tx: tx.replace_note("n", None, "one"),
    "an absence": lambda tx: tx.add_absence(1, ANN, Absence(500, 900)),
    "an absence that is over": lambda tx: tx.add_absence(1, ANN, Absence(500, 500)),
    "an ask": lambda tx: tx.add_challenge_request(1, 1, ChallengeRequest(CEM, ANN, 100)),
    "a delivery": lambda tx: tx.mark_acted(5, 1, 100),
    "a hint": lambda tx: tx.count_hint(5, 1, ANN, 100),
    "a review": lambda tx: tx.keep_review(1, 1, "{}", {1: PointsLost(3, 1.5, 4.0)}),
    "a pending edit": lambda tx: tx.keep_edit(LEFT),
    "an orphan": lambda tx: tx.edit_at_once(LEFT),
    "a board": lambda tx: tx.redraw_messages((1,), 100),
    "a pending message": lambda tx: tx.keep_pending(SENDING),
    "who joins": lambda tx: tx.join(1, CEM),
    "who leaves": lambda tx: tx.leave(1, BEA),
    "what is chosen": lambda tx: tx.change_preferences(ANN, lambda one: replace(one, confirm=not one.confirm)),
    "a move": lambda tx: tx.update(1, 2, plies=1) and tx.append(1, 1, 1, "a1", 120),
}


@only_postgres
@sampled("act", TWICE.values(), few=6, ids=TWICE)
async def test_what_is_done_twice_at_once_is_done_once_or_after_the_other(either: str, act: Act) -> None:
    await tried(either, on_a_match(act), alike=True)


BOTH: dict[str, tuple[Act, Act]] = {
    "notes": (lambda tx: tx.set_note("n", "one"), lambda tx: tx.set_note("n", "two")),
    "choices": (chosen(confirm=False), chosen(weekends=False)),
    "settings": (governed(threads=False), governed(takebacks=False)),
    "settings whole": (governed(threads=False), lambda tx: tx.set_settings(1, ServerSettings(takebacks=False))),
    "pending edits": (lambda tx: tx.keep_edit(LEFT), lambda tx: tx.keep_edit(replace(LEFT, version=3, remove=True))),
    "a pending edit and an orphan": (
        lambda tx: tx.keep_edit(LEFT),
        lambda tx: tx.edit_at_once(replace(LEFT, version=3)),
    ),
    "a pending edit and a board": (lambda tx: tx.keep_edit(LEFT), lambda tx: tx.redraw_messages((1,), 100)),
    "pending messages": (lambda tx: tx.keep_pending(SENDING), lambda tx: tx.drop_pending(SENDING)),
    "boards": (lambda tx: tx.mark_shown(1, 3, 10, 51, 1), lambda tx: tx.mark_shown(1, 2, 10, 52, 0)),
    "people forgotten": (lambda tx: tx.forget_person(ANN), lambda tx: tx.forget_person(BEA)),
    "somebody forgotten twice": (lambda tx: tx.forget_person(ANN), lambda tx: tx.forget_person(ANN)),
    "somebody who comes and is forgotten": (lambda tx: tx.create(new(host=ANN)), lambda tx: tx.forget_person(ANN)),
}


@only_postgres
@sampled("acts", BOTH.values(), few=5, ids=BOTH)
async def test_two_at_once_leave_what_one_after_the_other_leaves(either: str, acts: tuple[Act, Act]) -> None:
    await tried(either, on_a_match(*acts))


@only_postgres
async def test_of_two_who_take_what_is_on_its_way_one_has_it(either: str) -> None:
    async def scene(store: Store) -> tuple[Act, Act]:
        await store.do(Transaction.keep_pending, SENDING)

        def take(tx: Transaction) -> bool:
            return tx.put_off_pending(SENDING, 300, 2)

        return take, take

    forth, back = await tried(either, scene, alike=True)
    assert {(one.first, one.second) for one in (forth, back)} == {("True", "False"), ("False", "True")}


async def ending(store: Store, *people: UserId) -> Act:
    """The last move of a match, which everything but this has been made of."""
    match = await played(store, people, moves=FINISH[:-1])
    return await entering(store, match, FINISH[-1], act=match * 1000)


@only_postgres
async def test_matches_of_a_server_that_end_at_once_both_count(either: str) -> None:
    async def scene(store: Store) -> tuple[Act, Act]:
        return await ending(store, ANN, BEA), await ending(store, BEA, CEM)

    for outcome in await tried(either, scene, alike=True):
        lines = [row for row in outcome.rows["ratings"] if row["game"] == "" and row["season"] == 0]
        assert {row["user"]: row["played"] for row in lines} == {ANN: 1, BEA: 2, CEM: 1}


@only_postgres
async def test_a_player_who_is_forgotten_while_their_match_ends_is_in_no_table(either: str) -> None:
    async def scene(store: Store) -> tuple[Act, Act]:
        return await ending(store, ANN, BEA), lambda tx: tx.forget_person(ANN)

    for outcome in await tried(either, scene):
        assert str(ANN) not in str(outcome.rows)


@only_postgres
async def test_ratings_computed_anew_while_somebody_is_forgotten_do_not_name_them(either: str) -> None:
    async def scene(store: Store) -> tuple[Act, Act]:
        await played(store, (ANN, BEA))
        board, after, seen = await store.database.read(computed)
        writing = partial(standings.rewrite_ratings, board=board, after=after, seen=seen)
        return (
            lambda tx: writing(tx._connection),  # pyright: ignore[reportPrivateUsage]  -- no act of anybody's does it
            lambda tx: tx.forget_person(ANN),
        )

    for outcome in await tried(either, scene):
        assert str(ANN) not in str(outcome.rows)


@only_postgres
async def test_what_moves_lost_that_is_kept_while_somebody_is_forgotten_does_not_name_them(either: str) -> None:
    async def scene(store: Store) -> tuple[Act, Act]:
        match = await played(store, (ANN, BEA))
        lost = {1: PointsLost(3, 1.5, 4.0), 2: PointsLost(2, 0.5, 3.0)}
        return lambda tx: tx.keep_review(match, 1, "{}", lost), lambda tx: tx.forget_person(ANN)

    for outcome in await tried(either, scene):
        assert str(ANN) not in str(outcome.rows)
        assert [row["user"] for row in outcome.rows["move_losses"]] == [BEA]


def computed(connection: Connection) -> tuple[Leaderboard, dict[int, Rating], ResultsMark]:
    """The ratings of a board, and until when its results are known."""
    board = standings.list_boards(connection)[0]
    return board, standings.compute_ratings(connection, board), standings.read_results_mark(connection, board.guild)
