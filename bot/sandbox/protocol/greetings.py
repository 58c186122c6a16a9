"""What the gateway says first: READY, and of each server a description of all there is in it."""

from typing import Any

from bot.sandbox.protocol.sessions import Session
from bot.sandbox.world.api_errors import Json
from bot.sandbox.world.servers import Server
from bot.sandbox.world.world import THREADS, World


def ready(world: World, session: Session, host: str) -> Json:
    """Who the bot is, which servers its session will hear of, and where the session goes on if it is cut."""
    loopback = host.split(":")[0] in ("127.0.0.1", "localhost")
    return {
        "v": 10,
        "user": world.users[world.me] | {"verified": True, "mfa_enabled": False, "email": None},
        "guilds": [{"id": one, "unavailable": True} for one in session.absent],
        "session_id": session.id,
        "resume_gateway_url": f"ws://{host}/gateway" if loopback else f"wss://{host}",
        "application": {"id": world.me, "flags": 0},
        "shard": [*session.shard],
        "user_settings": {},
        "private_channels": [],
        "relationships": [],
        "presences": [],
        "_trace": [],
    }


def guild_create(world: World, server: Server) -> Json:
    """A server as the gateway describes it: with channels, active threads and the members a bot gets."""
    channels = world.places(server)
    threads = [one for one in channels if one["type"] in THREADS and not one["thread_metadata"]["archived"]]
    extra: dict[str, Any] = {
        "joined_at": server.members[world.me]["joined_at"],
        "large": False,
        "member_count": len(server.members),
        "members": [world.member(world.me, server)],
        "channels": [one for one in channels if one["type"] not in THREADS],
        "threads": [one for one in threads if world.may(world.me, one["id"], "view_channel")],
    }
    nothing = ("voice_states", "presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds")
    return server.guild | extra | {key: [] for key in nothing}
