"""Forgetting lasts: what was to be forgotten is forgotten again where an older copy knows it, and only there."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from bot.features.leagues.service import LeagueService
from bot.features.settings.service import ForgettingService, ForgottenAgain
from bot.play.ids import GuildId, UserId
from data.engine.errors import Unavailable
from data.store import NOTE, ForgottenEntry, ForgottenList, Reader, Transaction, open_forgotten_list
from tests.service.test_umpire import ANN, BEA, CEM, GAMES, Desk, desk
from tests.support.postgres import on_both

__all__ = ["desk"]


def forgetting(desk: Desk, file: Path) -> ForgettingService:
    """What forgets at this desk, with a list in a file."""
    desk.store.forgotten = ForgottenList(file)
    return ForgettingService(desk.umpire, LeagueService(desk.store, GAMES, desk.umpire.clock, random.Random(2)))


async def knows(desk: Desk, user: UserId) -> bool:
    return user in await desk.store.ask(Reader.list_people)


async def brought_back(desk: Desk) -> None:
    """The database becomes one that was copied before anybody was forgotten."""
    for name, day in (await desk.store.ask(Reader.read_notes, NOTE)).items():
        await desk.store.do(Transaction.drop_note, name, day)


@on_both
async def test_whoever_an_older_copy_knows_leaves_it_as_they_left_before(desk: Desk, tmp_path: Path) -> None:
    forgets = forgetting(desk, tmp_path / "list")
    await forgets.forget_person(desk.act(), ANN)
    assert await forgets.forget_again() == ForgottenAgain()
    live = await desk.match("marks", BEA, ANN)
    opened = await desk.challenge("marks", ANN)
    assert await forgets.forget_again() == ForgottenAgain(), "she has begun anew"
    await brought_back(desk)
    assert await forgets.forget_again() == ForgottenAgain(people=1)
    row = (await desk.umpire.load(live)).row
    assert row.state == "finished" and not await knows(desk, ANN)
    assert (await desk.umpire.load(opened.id)).row.state == "cancelled"
    assert await forgets.forget_again() == ForgottenAgain()


async def test_who_was_listed_and_not_forgotten_is_so_at_the_next_start(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    forgets = forgetting(desk, tmp_path / "list")
    await desk.match("marks", BEA, ANN)

    async def away(*_: object) -> None:
        raise Unavailable

    with monkeypatch.context() as patch:
        patch.setattr(desk.umpire, "forget_user", away)
        with pytest.raises(Unavailable):
            await forgets.forget_person(desk.act(), ANN)
    assert await knows(desk, ANN)
    assert await forgets.forget_again() == ForgottenAgain(people=1)
    assert not await knows(desk, ANN)


async def test_who_asks_once_more_is_not_forgotten_a_third_time(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    forgets = forgetting(desk, tmp_path / "list")

    async def away(*_: object) -> None:
        raise Unavailable

    with monkeypatch.context() as patch, pytest.raises(Unavailable):
        patch.setattr(desk.umpire, "forget_user", away)
        await forgets.forget_person(desk.act(), ANN)
    await forgets.forget_person(desk.act(), ANN)
    await desk.match("marks", BEA, ANN)
    assert await forgets.forget_again() == ForgottenAgain()
    assert await knows(desk, ANN)


async def test_nothing_keeps_people_from_being_forgotten_now(
    desk: Desk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:  # fmt: skip
    (tmp_path / "list").mkdir()
    forgets = forgetting(desk, tmp_path / "list")
    await desk.match("marks", BEA, ANN)
    with caplog.at_level(logging.WARNING):
        await forgets.forget_person(desk.act(), ANN)
    assert not await knows(desk, ANN)
    assert "can't be written (Is a directory): a copy from before would bring them back" in caplog.text


@on_both
async def test_a_server_is_deleted_again(desk: Desk, tmp_path: Path) -> None:
    forgets = forgetting(desk, tmp_path / "list")
    await desk.match("marks", BEA, ANN)
    await desk.match("marks", BEA, CEM, guild=GuildId(11))
    await forgets.forget_server(GuildId(11))
    assert await desk.store.ask(Reader.list_servers) == {10}
    await desk.match("marks", BEA, CEM, guild=GuildId(11))
    assert await forgets.forget_again() == ForgottenAgain()
    await brought_back(desk)
    assert (
        str(await forgets.forget_again()) == "It held a server that has been deleted since: that is deleted here, too."
    )
    assert await desk.store.ask(Reader.list_servers) == {10} and not await knows(desk, CEM)


def test_a_list_lies_beside_its_database_and_of_one_on_a_server_with_us(tmp_path: Path) -> None:
    (tmp_path / "real.db").touch()
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    assert open_forgotten_list(f"sqlite:///{tmp_path}/link.db", Path("/data")).file == tmp_path / "real.db-forgotten"
    server = open_forgotten_list("postgresql://ann:secret@postgres/graph/paper", Path("/data")).file
    assert server == Path("/data/postgres-graph_paper.forgotten")


def test_an_entry_is_about_one_number_and_a_kind() -> None:
    rng = random.Random(3)
    entry, other = ForgottenEntry.create("person", ANN, 0, rng), ForgottenEntry.create("person", ANN, 0, rng)
    assert entry.is_about(ANN) and other.is_about(ANN) and not entry.is_about(BEA)
    assert entry.hash != other.hash and ForgottenEntry.create("server", ANN, 0, random.Random(3)).hash != entry.hash
