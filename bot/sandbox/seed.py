"""The initial state of a server, and permissions."""

from collections.abc import Callable, Iterable, Sequence

from bot.sandbox.errors import Json

# Permissions in channels, computed as Discord documents it.


BITS: dict[str, int] = {
    "create_instant_invite": 0,
    "kick_members": 1,
    "ban_members": 2,
    "administrator": 3,
    "manage_channels": 4,
    "manage_guild": 5,
    "add_reactions": 6,
    "view_channel": 10,
    "send_messages": 11,
    "manage_messages": 13,
    "embed_links": 14,
    "attach_files": 15,
    "read_message_history": 16,
    "mention_everyone": 17,
    "use_external_emojis": 18,
    "connect": 20,
    "speak": 21,
    "change_nickname": 26,
    "manage_roles": 28,
    "manage_webhooks": 29,
    "use_application_commands": 31,
    "manage_threads": 34,
    "create_public_threads": 35,
    "create_private_threads": 36,
    "send_messages_in_threads": 38,
    "moderate_members": 40,
    "pin_messages": 51,
    "bypass_slowmode": 52,
}
ALL = sum(1 << bit for bit in BITS.values())
PEOPLE_PERMISSIONS = (
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "add_reactions",
    "use_external_emojis",
    "connect",
    "speak",
    "change_nickname",
    "use_application_commands",
    "create_public_threads",
    "create_private_threads",
    "send_messages_in_threads",
)
DIRECT = (
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "add_reactions",
    "use_application_commands",
)
"""The permissions in direct messages."""
# The permissions in the bot's invitation, as in README.md; tests deny or grant single ones.
BOT = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "attach_files",
    "read_message_history",
)
TIMED_OUT = ("view_channel", "read_message_history")
"""The permissions left to a member in a timeout."""


def bits_of(names: Iterable[str]) -> int:
    """The integer with the bits of these names; an unknown name is a KeyError."""
    return sum(1 << BITS[name] for name in set(names))


def names_of(value: int) -> set[str]:
    """The names of the bits of an integer."""
    return {name for name, bit in BITS.items() if value >> bit & 1}


def _apply_overwrites(value: int, overwrites: list[Json], ids: set[str]) -> int:
    chosen = [one for one in overwrites if one["id"] in ids]
    for one in chosen:
        value &= ~int(one["deny"])
    for one in chosen:
        value |= int(one["allow"])
    return value


def compute_permissions(guild: Json, member_id: str, role_ids: list[str], overwrites: list[Json]) -> int:
    """The permissions of a member with these roles under a channel's overwrites; the owner has all."""
    if guild["owner_id"] == member_id:
        return ALL
    mine = {guild["id"], *role_ids}
    value = 0
    for role in guild["roles"]:
        if role["id"] in mine:
            value |= int(role["permissions"])
    if value >> BITS["administrator"] & 1:
        return ALL
    value = _apply_overwrites(value, overwrites, {guild["id"]})
    value = _apply_overwrites(value, overwrites, set(role_ids))
    value = _apply_overwrites(value, overwrites, {member_id})
    return value if value >> BITS["view_channel"] & 1 else 0


def set_overwrite(overwrites: list[Json], target: str, kind: int, *, allow: int = 0, deny: int = 0) -> None:
    """Change one target's overwrite in place: the bits of `allow` and `deny` move there, others stay."""
    entry = next((one for one in overwrites if one["id"] == target), None)
    if entry is None:
        entry = {"id": target, "type": kind, "allow": "0", "deny": "0"}
        overwrites.append(entry)
    entry["allow"] = str((int(entry["allow"]) | allow) & ~deny)
    entry["deny"] = str((int(entry["deny"]) | deny) & ~allow)


# The initial users, channels and roles of a server.


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


def make_user(user_id: str, name: str, *, bot: bool = False) -> Json:
    """A user object; bots still have a discriminator, users have none since 2023."""
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


def make_member(roles: list[str], now: str) -> Json:
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


def make_role(role_id: str, name: str, position: int, names: Sequence[str], **extra: object) -> Json:
    """A role object with the named permissions."""
    return {
        "id": role_id,
        "name": name,
        "permissions": str(bits_of(names)),
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


def make_channel(channel_id: str, guild_id: str, name: str, kind: int, topic: str | None, position: int) -> Json:
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


def make_thread(thread_id: str, parent: Json, name: str, owner_id: str, now: str, minutes: int = 4320) -> Json:
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


def make_guild(guild_id: str, name: str, owner_id: str, roles: list[Json], system_channel: str) -> Json:
    """A guild object, without channels and members."""
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


def make_users(new_id: Callable[[], str]) -> dict[str, Json]:
    """The bot's user and then the people's, by id."""
    bot = make_user(new_id(), BOT_NAME, bot=True)
    return {one["id"]: one for one in (bot, *(make_user(new_id(), name) for name in PEOPLE))}


def make_server(
    guild_id: str, name: str, bot_id: str, people: Iterable[str], new_id: Callable[[], str], now: str
) -> tuple[Json, dict[str, Json], dict[str, Json]]:
    """A server with the bot and these people, owned by the first of them: guild object, members, channels."""
    bot_role = new_id()
    members = {bot_id: make_member([bot_role], now)} | {person: make_member([], now) for person in people}
    owner = [*members][1]
    roles = [
        make_role(guild_id, "@everyone", 0, PEOPLE_PERMISSIONS),
        make_role(bot_role, BOT_NAME, 1, BOT, managed=True, tags={"bot_id": bot_id}),
    ]
    channels: dict[str, Json] = {}
    for position, (called, kind, topic) in enumerate(CHANNELS):
        place = new_id()
        channels[place] = make_channel(place, guild_id, called, kind, topic, position)
    forum = next(one for one in channels.values() if one["type"] == 15)
    post = new_id()
    channels[post] = make_thread(post, forum, "Which game first?", owner, now)
    return make_guild(guild_id, name, owner, roles, next(iter(channels))), members, channels
