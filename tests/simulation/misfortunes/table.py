"""What can befall the bot in a story besides Discord's faults, each by its name: a seed chooses which there are."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from tests.simulation.misfortunes import connections, deaths, disk, leagues, places

if TYPE_CHECKING:
    from tests.simulation.story import Story

MISFORTUNES: Mapping[str, Callable[[Story], Coroutine[Any, Any, None]]] = {
    "death": deaths.death,
    "death at the start": deaths.death_at_start,
    "death of the leader": deaths.death_of_the_leader,
    "stop": deaths.stop,
    "absence": deaths.absence,
    "locked file": disk.locked_file,
    "full disk": disk.full_disk,
    "gateway lost": connections.gateway_lost,
    "gateway refused": connections.gateway_refused,
    "delivered twice": connections.twice,
    "delivered late": connections.late_deliveries,
    "nonces forgotten": connections.forgotten_nonces,
    "hanging": connections.hanging,
    "hanging though done": connections.hanging_though_done,
    "posted late": connections.posted_late,
    "slow connection": connections.slow_connection,
    "route limited": connections.limited,
    "all limited": connections.limited_everywhere,
    "threads limited": connections.threads_limited,
    "flagged": connections.flagged,
    "channel closed": places.closed_channel,
    "thread locked": places.locked_thread,
    "thread archived": places.archived_thread,
    "thread deleted": places.deleted_thread,
    "channel deleted": places.deleted_channel,
    "board deleted": places.deleted_board,
    "board unnoted": places.unnoted_board,
    "kicked": places.kicked,
    "server away": places.server_away,
    "AutoMod": places.automod,
    "league over": leagues.over,
}
