"""Computes who may do what in which channel, as Discord documents it.

Permissions are one integer of bits: @everyone and role bits, then a channel's overwrites for @everyone, roles and the
member. A thread has its parent's. Names are discord.py's, so that tests and documentation read alike.
"""

from collections.abc import Iterable

from bot.sandbox.world.api_errors import Json

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
PEOPLE = (
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
DIRECT = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history", "add_reactions")
"""What people may do who write to each other."""
# What the invitation of the bot asks for, as README.md has it; a test takes single ones away or grants more.
BOT = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "attach_files",
    "read_message_history",
)
TIMED_OUT = ("view_channel", "read_message_history")
"""What is left to a member whose communication is disabled."""


def bits(names: Iterable[str]) -> int:
    """The integer with the bits of these names; an unknown name is a KeyError."""
    return sum(1 << BITS[name] for name in set(names))


def names(value: int) -> set[str]:
    """The names of the bits of an integer."""
    return {name for name, bit in BITS.items() if value >> bit & 1}


def _overwritten(value: int, overwrites: list[Json], ids: set[str]) -> int:
    chosen = [one for one in overwrites if one["id"] in ids]
    for one in chosen:
        value &= ~int(one["deny"])
    for one in chosen:
        value |= int(one["allow"])
    return value


def compute(guild: Json, member_id: str, role_ids: list[str], overwrites: list[Json]) -> int:
    """The permissions of a member with these roles under a channel's overwrites; the owner has all of them."""
    if guild["owner_id"] == member_id:
        return ALL
    mine = {guild["id"], *role_ids}
    value = 0
    for role in guild["roles"]:
        if role["id"] in mine:
            value |= int(role["permissions"])
    if value >> BITS["administrator"] & 1:
        return ALL
    value = _overwritten(value, overwrites, {guild["id"]})
    value = _overwritten(value, overwrites, set(role_ids))
    value = _overwritten(value, overwrites, {member_id})
    return value if value >> BITS["view_channel"] & 1 else 0


def set_overwrite(overwrites: list[Json], target: str, kind: int, *, allow: int = 0, deny: int = 0) -> None:
    """Change one target's overwrite in place: the bits of `allow` and `deny` move to that side, others stay."""
    entry = next((one for one in overwrites if one["id"] == target), None)
    if entry is None:
        entry = {"id": target, "type": kind, "allow": "0", "deny": "0"}
        overwrites.append(entry)
    entry["allow"] = str((int(entry["allow"]) | allow) & ~deny)
    entry["deny"] = str((int(entry["deny"]) | deny) & ~allow)
