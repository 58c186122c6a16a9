"""A seat passes on to another person: what is stored of it, and in a large match; the rest is told in tests/stories."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from sqlalchemy import Boolean

from bot.games.catalogue import load_offered_games
from bot.games.position import Seat
from bot.play import proposals
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import LoadedMatch, Proposal
from bot.play.premoves import PremoveTree
from bot.play.record import Move, parse_handovers
from bot.umpire.acts import ConsentService
from bot.umpire.umpire import ActResult
from data.tables import schema
from tests.service.test_clock_updates import shown
from tests.service.test_umpire import ANN, BEA, CEM, Desk, desk

__all__ = ["desk"]


async def replace(desk: Desk, match: MatchId, user: UserId, of: Seat, new: UserId, absent: bool = False) -> ActResult:
    return await desk.umpire.act(
        desk.act(), match, user, partial(proposals.propose_substitute, of=of, new=new, absent=absent, now=desk.now)
    )


async def agree(desk: Desk, match: MatchId, user: UserId, mark: str | None = None) -> ActResult:
    return await desk.umpire.act(desk.act(), match, user, partial(proposals.agree, mark=mark, now=desk.now))


async def load(desk: Desk, match: MatchId) -> LoadedMatch:
    return await desk.umpire.load(match)


def people(loaded: LoadedMatch) -> list[UserId]:
    return [player.user for player in loaded.players]


async def two(desk: Desk) -> MatchId:
    match = await desk.match("marks", ANN, BEA, pace="3")
    await shown(desk, match)
    return match


async def test_a_match_of_eight(desk: Desk) -> None:
    everybody = [UserId(200 + number) for number in range(8)]
    match = await desk.match("not-divisors-not-multiples", *everybody, seats=8)
    await replace(desk, match, everybody[0], 8, CEM)
    for user in (*everybody[1:], CEM):
        assert people(await load(desk, match)) == everybody
        await agree(desk, match, user)
    assert people(await load(desk, match)) == [*everybody[:7], CEM]


async def test_a_word_that_comes_twice_counts_once(desk: Desk) -> None:
    match = await two(desk)
    await replace(desk, match, ANN, 2, CEM)
    await agree(desk, match, BEA)
    act, consent = desk.act(), ConsentService(desk.umpire)
    first, second = await asyncio.gather(
        *(consent.umpire.act(act, match, CEM, partial(proposals.agree, now=consent.umpire.clock())) for _ in range(2))
    )
    assert sorted((first.repeated, second.repeated)) == [False, True]
    assert len(parse_handovers((await load(desk, match)).row.substitutions)) == 1


def test_an_offered_game_of_eight_is_played_here() -> None:
    assert 8 in load_offered_games()["not-divisors-not-multiples"].seats
    assert Proposal.parse("replace 1 2 99 5").lapses_on_entry is False


OF_THE_SEAT = {"match", "user", "joined", "seat", "invited", "rank", "score"}
TEXTS = {"weekend": "Europe/Berlin", "prepared": str(PremoveTree(((Move(1, "1"), Move(2, "2")),)))}


async def test_whoever_comes_in_gets_no_mark_of_the_one_before(desk: Desk) -> None:
    """Whatever columns a player has: each is marked for Bea. Cem takes over her hints alone, which helped the seat."""
    match = await two(desk)
    before = (await load(desk, match)).row.find_player(BEA)
    columns = [one for one in schema.players.c if one.name not in OF_THE_SEAT]
    marks: dict[str, Any] = {
        one.name: TEXTS.get(one.name, True if isinstance(one.type, Boolean) else 7) for one in columns
    }
    await desk.store.do(lambda tx: tx.set_player(match, BEA, **marks))
    await replace(desk, match, BEA, 2, CEM)
    await agree(desk, match, CEM)
    await agree(desk, match, ANN)
    after = (await load(desk, match)).row.find_player(CEM)
    assert before and after
    assert [name for name, mark in marks.items() if getattr(after, name) == mark] == ["hints"]
    clean: dict[str, Any] = {name: getattr(before, name) for name in marks}
    await desk.store.do(lambda tx: tx.set_player(match, CEM, **clean))
