"""Races planted in the bot, each by taking one safeguard away, rows and turns that are never given back, and refusals
of Discord's that nobody makes up for; seeds must find them.

`python -m tests.simulation --planted` says after how many seeds each of them is found, and by what.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from typing import Any
from unittest.mock import patch

import aiohttp
import discord

from bot.app.flow import SelectAnswers
from bot.features.board import posts
from bot.features.board.lobbies import Lobbies
from bot.features.board.posts import Boards
from bot.features.board.publisher import Publisher
from bot.features.leagues.loop import LeagueKeeper
from bot.features.time import service as time_service
from bot.features.time.loop import ReminderSender
from bot.platform.jobs import FairQueue, JobQueue
from bot.play.ids import ChannelId, MatchId, MessageId
from bot.play.league_tables import LoadedLeague
from bot.play.loaded_match import LoadedMatch
from bot.play.rows import MatchRow, PendingMessage
from data.queries.matches import MatchQueries, MatchWrites
from data.queries.outbox import OutboxWrites
from data.store import Reader, Transaction


@contextmanager
def no_lock() -> Generator[None]:
    """A match's job begins although one runs already."""
    start = JobQueue[Any].start

    def started(queue: JobQueue[Any], key: Any) -> Any:
        queue.running.pop(key, None)
        return start(queue, key)

    with patch.object(JobQueue, "start", started):
        yield


@contextmanager
def no_condition() -> Generator[None]:
    """A match is changed whatever its version has become."""
    update = MatchWrites.update

    def changed(tx: Any, match_id: int, expected_version: int, **columns: Any) -> bool:
        row = tx.load(match_id)
        return update(tx, match_id, row.version if row else expected_version, **columns)

    with patch.object(MatchWrites, "update", changed):
        yield


@contextmanager
def no_nonce() -> Generator[None]:
    """A board that is posted again has another nonce."""
    nonce, numbers = posts.make_board_nonce, count(1)

    def another(row: MatchRow, place: ChannelId) -> str:
        return f"{nonce(row, place)}{next(numbers)}"

    with patch.object(posts, "make_board_nonce", another):
        yield


@contextmanager
def no_leftover() -> Generator[None]:
    """What is left to be edited is not written down."""

    def forgotten(*_: Any) -> None:
        pass

    with patch.object(OutboxWrites, "keep_edit", forgotten):
        yield


@contextmanager
def no_act_id() -> Generator[None]:
    """An interaction that comes twice acts twice."""
    deliver = MatchWrites.mark_acted

    def delivered(*about: Any) -> bool:
        deliver(*about)
        return True

    def never(*_: Any) -> None:
        pass

    with patch.object(MatchWrites, "mark_acted", delivered), patch.object(MatchQueries, "find_match_acted_on", never):
        yield


@contextmanager
def no_drop() -> Generator[None]:
    """A reminder that has arrived stays on its way."""

    def kept(*_: Any) -> bool:
        return True

    with patch.object(OutboxWrites, "drop_pending", kept):
        yield


@contextmanager
def no_leaving() -> Generator[None]:
    """Who has searched keeps a place among those who wait."""
    leave = FairQueue.leave

    def left(queue: Any, place: Any) -> None:
        leave(queue, place)
        queue._waiting.append(place)

    with patch.object(FairQueue, "leave", left):
        yield


@contextmanager
def no_moving() -> Generator[None]:
    """A match that began in its channel for want of a thread stays there."""
    placed = Lobbies.ensure_place

    async def stays(lobbies: Lobbies, loaded: LoadedMatch) -> LoadedMatch:
        return loaded if loaded.row.thread else await placed(lobbies, loaded)

    with patch.object(Lobbies, "ensure_place", stays):
        yield


@contextmanager
def no_turning() -> Generator[None]:
    """A reminder for which Discord takes no direct message is dropped."""

    async def dropped(sender: ReminderSender, pending: PendingMessage) -> None:
        await sender.store.do(time_service.drop_message, pending)

    with patch.object(ReminderSender, "_move_to_thread", dropped):
        yield


@contextmanager
def no_letting_go() -> Generator[None]:
    """A select whose choice is refused goes on showing it: the sentence stands in a message of its own."""

    async def beside(*_: Any) -> bool:
        return False

    with patch.object(SelectAnswers, "show_refusal", beside):
        yield


@contextmanager
def no_owing() -> Generator[None]:
    """What Discord refuses of a league is noted as shown, its end too."""

    async def noted(keeper: Any, loaded: LoadedLeague, *_: Any) -> None:
        row = loaded.league
        ended = MessageId(0) if row.state == "finished" else None
        await keeper.leagues.store.do(Transaction.mark_league_shown, row.id, row.version, row.message, ended)

    with patch.object(LeagueKeeper, "_put_off", noted):
        yield


@contextmanager
def no_league_apart() -> Generator[None]:
    """Leagues are shown one after the other, and one that Discord limits ends the look."""

    async def looked(keeper: Any) -> None:
        for league, guild in await keeper.leagues.due():
            await keeper._advance(league, guild)
        for league in await keeper.leagues.store.ask(Reader.leagues_lagging):
            with suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                await keeper._show(league)

    def later(*_: Any) -> None:
        pass

    with patch.object(LeagueKeeper, "poll", looked), patch.object(LeagueKeeper, "request_update", later):
        yield


@contextmanager
def no_adopting() -> Generator[None]:
    """A board that was posted and not noted is closed when it is pressed, though the noted one is gone; and where
    a user asks for the board, it is not looked for."""

    async def never(*_: Any) -> bool:
        return False

    async def reposted(publisher: Any, match: MatchId) -> None:
        loaded = await publisher.umpire.load_to_show(match)
        row = loaded.row
        if loaded.match is None:
            await publisher._show(loaded)
            return
        place = row.board_channel or loaded.place
        if row.board_message and not row.parked and not await publisher.channels.there(place, row.board_message):
            await publisher._try(loaded, publisher.boards.post(loaded))

    with patch.object(Boards, "adopt_board", never), patch.object(Publisher, "repost", reposted):
        yield


Plant = Callable[[], AbstractContextManager[None]]
"""Has a fault in the bot for as long as it lasts."""
PLANTED: Mapping[str, Plant] = {
    "no lock": no_lock,
    "no conditional update": no_condition,
    "no nonce": no_nonce,
    "no leftover": no_leftover,
    "no act id": no_act_id,
    "no drop": no_drop,
    "no leaving": no_leaving,
    "no moving": no_moving,
    "no turning": no_turning,
    "no letting go": no_letting_go,
    "no owing": no_owing,
    "no league apart": no_league_apart,
    "no adopting": no_adopting,
}
