"""Nobody can learn that somebody has prepared moves before one is played: two stories that differ in nothing else give
the same to the opponent and to who watches, and leaks that are planted are found.

In one Ann prepares lines by her pads and the command, in the other she only looks at what she could do. Bea and Cem ask
for everything there is, Bea plays what Ann has not foreseen, and they ask again.
"""

from __future__ import annotations

import asyncio
import logging
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.features.board import directory as match_directory
from bot.features.board import words as board_words
from bot.features.pads import pad_loop
from bot.features.study import replays, try_outs
from bot.games.game import Game
from bot.platform.edits import ANSWER_CARRIES
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import LoadedMatch
from bot.play.replays import ImaginedLine
from bot.play.rows import MatchRecordRow, MatchRow
from bot.umpire import acts
from bot.umpire.umpire import Umpire
from data.queries import privacy
from data.store import Transaction
from data.tables.schema import players
from tests.e2e.conftest import opened
from tests.e2e.harness import Harness, Played
from tests.e2e.test_pads import chosen
from tests.e2e.test_prepared_moves import AND_THEN, IF_THEN, MORE
from tests.e2e.test_secrecy import BEGIN, OUTAGE, STEP
from tests.e2e.transcripts import Asker, Transcript, commands, differences, lift_rate_limits
from tests.support.log_lines import logging_to

OURS = ("match", "matches", "move", "privacy", "profile", "leaderboard", "binary-primes")
"""Commands that know of matches."""
APART = ("challenge", "forget", "resign", "import")
"""Commands that begin or end something, and one that takes a file."""
FEW = (("match", "record"), ("match", "board"), ("match", "prepared"), ("privacy", "export"), ("matches",))


async def story(harness: Harness, log: StringIO, prepares: bool, all_asked: bool) -> Transcript:
    """What Bea and Cem get of a match in which Ann prepares moves, or only looks."""
    told = Transcript(harness)
    harness.clock.at = BEGIN
    await harness.run_due_acts(0)
    lift_rate_limits(harness)
    harness.life.client.edits.refused.add(ANSWER_CARRIES)  # as it is after anybody's first pad
    played = await (await harness.match(size=5, pace="3")).move("a1")
    other = await harness.match(harness.bea, harness.cem, size=5)
    if prepares:
        pad = await chosen(
            harness.ann, played.board, MORE, IF_THEN, "c", "c3", "b", "b2", AND_THEN, "a", "a3", "b", "b4"
        )
        await chosen(harness.ann, pad, "Another one", "d", "d5", "e", "e5")
    else:
        await harness.ann.press(played.board, MORE)
    await harness.run_due_acts(STEP)
    await asked(told, harness, played, all_asked)
    await harness.run_due_acts(STEP)
    played = await played.move("e1")
    if prepares:
        await harness.ann.command("match prepared", channel=played.place)
    await asked(told, harness, played, all_asked)
    await other.fresh()
    told.requests(but=harness.ann)
    lines = [line for line in told.named(log.getvalue()).splitlines() if OUTAGE not in line]
    told.got["log"] = sorted({line.lstrip("0123456789-:, ") for line in lines})
    return told


async def asked(told: Transcript, harness: Harness, played: Played, all_asked: bool) -> None:
    """Bea and Cem ask for what there is, and press what they see."""
    loop = asyncio.get_running_loop()
    for person in (harness.bea, harness.cem):
        await asyncio.sleep(2)  # what came before is not to count among the requests of this second
        began = loop.time()
        asker = Asker(told, person, played.place, given(harness, played))
        for path, options in commands(harness):
            if path in FEW or (all_asked and path[0] in OURS and path[-1] not in APART):
                await asker.use(path, options)
        await asker.press((await played.fresh()).board)
        await harness.settled()
        told.note(f"{person.name}: waiting", round(loop.time() - began, 3))
    await harness.life.client.keep_time()
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    told.channels(harness.cem)


def given(harness: Harness, played: Played) -> dict[str, Any]:
    """What options are given."""
    people = {"person": harness.ann, "player": harness.dora, "seat": "1", "name": True, "theirs": "e1", "yours": "e2"}
    return {"match": played.id, "game": "binary-primes", "square": "a1", "line": "a1", "leg": 1, **people}


async def both(folder: Path, empty: Path, all_asked: bool = False) -> dict[str, tuple[str, str]]:
    """What was different in the two stories."""
    transcripts: list[Transcript] = []
    for prepares in (True, False):
        async with opened(folder, empty, 3600.0) as harness:
            with logging_to("DEBUG", harness.sandbox.token) as log:
                transcripts.append(await story(harness, log, prepares, all_asked))
    return differences(*transcripts)


async def test_nobody_learns_that_there_are_prepared_moves(folder: Path, empty_database: Path) -> None:
    found = await both(folder, empty_database)
    assert not found, f"{[*found]} gives them away:\n{next(iter(found.values()))}"


@pytest.mark.minutes
async def test_nor_does_anybody_who_asks_for_everything(folder: Path, empty_database: Path) -> None:
    found = await both(folder, empty_database, all_asked=True)
    assert not found, f"{[*found]} gives them away:\n{next(iter(found.values()))}"


# Planted.


def count(row: MatchRow) -> int:
    return sum(len(player.prepared or "") for player in row.players)


async def slowly(umpire: Umpire, match: MatchId) -> LoadedMatch:
    loaded = await load(umpire, match)
    await asyncio.sleep(0.01 * count(loaded.row))
    return loaded


headline, where, urgency = board_words.format_headline, pad_loop.format_match_line, match_directory.urgency_key
records, keep, load, headed = replays.build_records, acts.store_premoves, Umpire.load, try_outs.format_pad_heading
OTHERS = players.alias()
ALL = select(func.count(OTHERS.c.prepared)).where(OTHERS.c.match == players.c.match).scalar_subquery().label("ready")


def on_board(loaded: LoadedMatch, progress: str = "") -> str:
    return f"{headline(loaded, progress)} ready {count(loaded.row)}"


def on_pad(loaded: LoadedMatch) -> str:
    return f"{where(loaded)} ready {count(loaded.row)}"


def on_try_out(it: ImaginedLine, word: str = "") -> str:
    return f"{headed(it, word)} ready {count(it.replay.loaded.row)}"


OFFERED = match_directory.describe_choice


def choice(row: MatchRow, game: Game, user: UserId, now: int) -> str:
    return f"{OFFERED(row, game, user, now)}, ready {count(row)}"


def sooner(row: MatchRow, *more: Any) -> Any:
    return (count(row) > 0, row.id)


def in_record(loaded: LoadedMatch, user: UserId) -> list[dict[str, Any]]:
    return [{**one, "ready": count(loaded.row)} for one in records(loaded, user)]


def raising(tx: Transaction, row: MatchRecordRow, user: UserId, text: str | None) -> bool:
    logging.getLogger("data.store").debug("kept %d characters", len(text or ""))
    return keep(tx, row, user, text) and tx.update(row.id, row.version)


PLANTED: dict[str, tuple[tuple[Any, str, Any], str, str]] = {
    "board": ((board_words, "format_headline", on_board), "#Ann – Bea · Binary Primes · 1", r"ready [0-9]+"),
    "pad": ((pad_loop, "format_match_line", on_pad), "Bea: pressing Move", r"ready [0-9]+"),
    "timing": ((Umpire, "load", slowly), "Bea: waiting", r"[0-9.]+"),
    "try out": ((try_outs, "format_pad_heading", on_try_out), "Bea: trying out", r"ready [0-9]+"),
    "completion": ((match_directory, "describe_choice", choice), "Bea: completing match board, match", r"ready [0-9]+"),
    "order": ((match_directory, "urgency_key", sooner), "Bea: /matches", r"Primes · [0-9]+\]"),
    "record": ((replays, "build_records", in_record), "Cem: /match record", r"ready\W+[0-9]+"),
    "export": (
        (privacy, "KEPT", [("matches", privacy.MATCHES.add_columns(ALL)), *privacy.KEPT[1:]]),
        "Bea: /privacy export",
        r"ready\W+[0-9]+",
    ),
    "request": ((acts, "store_premoves", raising), "requests", r"PATCH.*messages"),
    "log": ((acts, "store_premoves", raising), "log", r"kept [0-9]+ characters"),
}
"""What is planted, where it must be noticed, and what it looks like there."""


@pytest.mark.long
async def test_planted_leaks_are_found(folder: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for (where_to, name, leak), _, _ in PLANTED.values():
        monkeypatch.setattr(where_to, name, leak)
    found = await both(folder, empty_database)
    for kind, (_, what, pattern) in PLANTED.items():
        assert what in found, f"a leak by {kind} is not found in {[*found]}"
        first, second = (re.findall(pattern, text) for text in found[what])
        assert first != second, f"a leak by {kind} is not found in {what}"
