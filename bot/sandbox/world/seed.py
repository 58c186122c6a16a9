"""What a new server of the sandbox starts with: who is there, which channels, which roles.

Ann owns it (she may manage it); Bea, Cem and Dora are ordinary members. There are two text channels, a forum with one
post, and a voice channel, because the bot must behave in each of them.
"""

from collections.abc import Callable, Iterable, Sequence

from bot.sandbox.world import permissions
from bot.sandbox.world.api_errors import Json

PEOPLE = ("Ann", "Bea", "Cem", "Dora")
COLOURS = {"Ann": "#005aaa", "Bea": "#d55e00", "Cem": "#009e73", "Dora": "#cc79a7"}
BOT_NAME = "Graph Paper"
SERVER_NAME = "The Sandbox"
# name, Discord's channel type, topic
CHANNELS = (
    ("general", 0, "Talk about anything."),
    ("games", 0, "Challenge each other here."),
    ("ideas", 15, "One post per idea."),
    ("Kitchen table", 2, None),
)


def user(user_id: str, name: str, *, bot: bool = False) -> Json:
    """A user object; people have no discriminator since 2023, bots keep one."""
    return {
        "id": user_id,
        "username": name.lower().replace(" ", "-"),
        "global_name": None if bot else name,
        "discriminator": "4242" if bot else "0",
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "accent_color": None,
        "collectibles": None,
        "primary_guild": None,
        "public_flags": 0,
        "flags": 0,
        "bot": bot,
    }


def member(roles: list[str], now: str) -> Json:
    """A member object without its user."""
    return {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": now,
        "nick": None,
        "pending": False,
        "premium_since": None,
        "roles": roles,
        "mute": False,
        "deaf": False,
    }


def role(role_id: str, name: str, position: int, names: Sequence[str], **extra: object) -> Json:
    """A role object with the named permissions."""
    return {
        "id": role_id,
        "name": name,
        "permissions": str(permissions.bits(names)),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    } | extra


def channel(channel_id: str, guild_id: str, name: str, kind: int, topic: str | None, position: int) -> Json:
    """A channel object of any of the kinds in CHANNELS."""
    made: Json = {
        "id": channel_id,
        "type": kind,
        "guild_id": guild_id,
        "name": name,
        "position": position,
        "parent_id": None,
        "flags": 0,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "permission_overwrites": [],
        "last_message_id": None,
    }
    if kind == 2:
        return made | {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    made |= {"topic": topic}
    if kind == 15:
        made |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
        made |= {"default_forum_layout": 0}
    return made


def thread(thread_id: str, parent: Json, name: str, owner_id: str, now: str, minutes: int = 4320) -> Json:
    """A public thread of a text channel, or a post of a forum."""
    return {
        "id": thread_id,
        "type": 11,
        "guild_id": parent["guild_id"],
        "parent_id": parent["id"],
        "owner_id": owner_id,
        "name": name,
        "flags": 0,
        "last_message_id": None,
        "rate_limit_per_user": 0,
        "message_count": 0,
        "member_count": 0,
        "total_message_sent": 0,
        "thread_metadata": {
            "archived": False,
            "archive_timestamp": now,
            "auto_archive_duration": minutes,
            "locked": False,
            "create_timestamp": now,
        },
        "thread_members": [],
    }


def guild(guild_id: str, name: str, owner_id: str, roles: list[Json], system_channel: str) -> Json:
    """The server object, without channels and members."""
    nothing = (
        "icon",
        "description",
        "home_header",
        "splash",
        "discovery_splash",
        "banner",
        "application_id",
        "afk_channel_id",
        "widget_channel_id",
        "vanity_url_code",
        "rules_channel_id",
        "safety_alerts_channel_id",
        "public_updates_channel_id",
        "incidents_data",
    )
    zero = (
        "system_channel_flags",
        "verification_level",
        "default_message_notifications",
        "mfa_level",
        "explicit_content_filter",
        "premium_tier",
        "premium_subscription_count",
        "nsfw_level",
    )
    numbers = {"afk_timeout": 300, "max_presences": 40000, "max_members": 500000}
    numbers |= {"max_stage_video_channel_users": 50, "max_video_channel_users": 25}
    flags = {"widget_enabled": False, "premium_progress_bar_enabled": False, "nsfw": False}
    lists: Json = {"features": [], "emojis": [], "stickers": [], "roles": roles}
    named = {"id": guild_id, "name": name, "owner_id": owner_id, "system_channel_id": system_channel}
    local = {"region": "us-west", "preferred_locale": "en-US"}
    return dict.fromkeys(nothing) | dict.fromkeys(zero, 0) | numbers | flags | lists | named | local


def users(new_id: Callable[[], str]) -> dict[str, Json]:
    """The bot, and after it the people, by id."""
    bot = user(new_id(), BOT_NAME, bot=True)
    return {one["id"]: one for one in (bot, *(user(new_id(), name) for name in PEOPLE))}


def server(
    guild_id: str, name: str, bot_id: str, people: Iterable[str], new_id: Callable[[], str], now: str
) -> tuple[Json, dict[str, Json], dict[str, Json]]:
    """A server with the bot and these people, owned by the first of them; its members; its channels."""
    bot_role = new_id()
    members = {bot_id: member([bot_role], now)} | {person: member([], now) for person in people}
    owner = [*members][1]
    roles = [
        role(guild_id, "@everyone", 0, permissions.PEOPLE),
        role(bot_role, BOT_NAME, 1, permissions.BOT, managed=True, tags={"bot_id": bot_id}),
    ]
    channels: dict[str, Json] = {}
    for position, (called, kind, topic) in enumerate(CHANNELS):
        place = new_id()
        channels[place] = channel(place, guild_id, called, kind, topic, position)
    forum = next(one for one in channels.values() if one["type"] == 15)
    post = new_id()
    channels[post] = thread(post, forum, "Which game first?", owner, now)
    return guild(guild_id, name, owner, roles, next(iter(channels))), members, channels
