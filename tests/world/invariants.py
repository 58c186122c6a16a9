"""The invariants of bots that share the work: nothing in the wrong place, made twice, or touched by another bot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime

from bot.sandbox.world import PUBLIC_THREAD, World
from tests.world import visible_matches
from tests.world.doors import Doors
from tests.world.findings import Ledger

UNFINISHED = """
    select id, state, version, shown_version, publish_error from matches
     where state in ('open', 'live') or shown_version < version order by id
"""
PLACES = "select id, guild, channel, coalesce(thread, 0), state, board_channel from matches order by id"


def misplaced(world: World, ledger: Ledger) -> Iterator[str]:
    """Matches that are not played in a thread of their own below their channel, and what is shown elsewhere."""
    threads: dict[int, str] = {}
    for match, guild, channel, thread, state, board in ledger.ask(PLACES):
        threads[match] = str(thread)
        if state in ("live", "finished", "aborted"):
            found = world.channels.get(str(thread))
            if found is None or found["type"] != PUBLIC_THREAD:
                yield f"match {match} is played in {'no place' if found is None else found['name']}, not in a thread"
            elif (found["guild_id"], found["parent_id"]) != (str(guild), str(channel)):
                yield f"match {match} is played in a thread of another channel or server"
            if board not in (None, thread):
                yield f"match {match} has its board outside its thread"
    for match, boards in visible_matches.boards(world).items():
        for board in boards:
            if board.message["channel_id"] != threads.get(match):
                yield f"match {match}: a board stands in {board.message['channel_id']}, outside its thread"


def twice(world: World) -> Iterator[str]:
    """Challenges shown twice, and threads made twice."""
    lobbies: Counter[int] = Counter()
    for message in visible_matches.everything(world):
        kind = visible_matches.about(message)
        if kind and kind[0] == "c":
            lobbies[kind[1]] += 1
    yield from (
        f"match {match}: its challenge was posted {times} times" for match, times in lobbies.items() if times > 1
    )
    threads = Counter(
        one["name"].rpartition("·")[2].strip()
        for one in world.channels.values()
        if one["type"] == PUBLIC_THREAD and one["owner_id"] == world.me
    )
    yield from (f"match {match}: it has {times} threads" for match, times in threads.items() if times > 1)


def posted_twice(world: World, began: float) -> Iterator[str]:
    """Messages with the same nonce, and when they were posted, in seconds."""
    posted: dict[str, list[float]] = {}
    for message in visible_matches.everything(world):
        if nonce := message.get("nonce"):
            posted.setdefault(nonce, []).append(datetime.fromisoformat(message["timestamp"]).timestamp() - began)
    for nonce, times in posted.items():
        if len(times) > 1:
            yield f"nonce {nonce} at {', '.join(f'{at:.1f}' for at in times)} s"


def stuck(world: World, ledger: Ledger) -> Iterator[str]:
    """Matches that are not over though nothing happens any more, with all that may say why."""
    boards = visible_matches.boards(world)
    for match, state, version, shown, parked in ledger.ask(UNFINISHED):
        latest = boards[match][-1] if match in boards else None
        said = (
            f"move {latest.stage}, buttons {', '.join(latest.verbs)}, to move {latest.movers}" if latest else "nothing"
        )
        yield f"match {match} is {state}, {shown} of {version} shown, parked: {parked}; its board says {said}"


def strangers(discord: Doors) -> Iterator[str]:
    """Bots that asked Discord about another's servers."""
    yield from (f"{what} ({times} times)" for what, times in discord.watched.strangers.items())


def manners(discord: Doors) -> Mapping[str, list[str]]:
    """Sessions that began too early, and routes that Discord does not have."""
    hasty = discord.gateway.sharding.hasty
    return {"hasty": [f"{hasty} sessions began too early"] if hasty else [], "unknown_routes": discord.unknown_routes}
