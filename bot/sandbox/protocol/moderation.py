"""What the people who run a server do to it, for tests: timeouts, roles, channels that are slow or for adults.

They need no permission here; the gateway tells the bot what Discord would tell it.
"""

from datetime import UTC, datetime

from bot.sandbox.world import permissions, seed
from bot.sandbox.world.api_errors import Json
from bot.sandbox.world.servers import Server
from bot.sandbox.world.world import ANNOUNCEMENT, FORUM, TEXT, VOICE, World

KINDS = {"text": TEXT, "voice": VOICE, "announcement": ANNOUNCEMENT, "forum": FORUM}
Where = Server | str | None
"""A server, by itself, its number or its name; None stands for the first."""


class Moderation:
    """The acts of those who run servers; `who` is a person by name, and None stands for the bot."""

    def __init__(self, world: World) -> None:
        self.world = world

    def _id(self, who: str | None) -> str:
        return self.world.user_named(who)["id"] if who else self.world.me

    # --- members

    def time_out(self, who: str | None = None, seconds: float = 600.0, server: Where = None) -> None:
        """Disable a member's communication for so many seconds; 0 ends that now. Nobody is told when it ends."""
        until = datetime.fromtimestamp(self.world.clock() + seconds, UTC).isoformat() if seconds else None
        self.world.change_member(self._id(who), self.world.server(server), communication_disabled_until=until)

    def nickname(self, who: str | None, nick: str | None, server: Where = None) -> None:
        """Let a member be called something in a server; None takes that away. Of others the bot is not told."""
        self.world.change_member(self._id(who), self.world.server(server), nick=nick)

    def create_role(self, name: str, *allowed: str, who: str | None = None, server: Where = None) -> Json:
        """Create a role that permits something, and give it to a member."""
        where = self.world.server(server)
        role = seed.role(self.world.new_id(), name, len(where.guild["roles"]), allowed)
        where.guild["roles"].append(role)
        self.world.tell("GUILD_ROLE_CREATE", {"guild_id": where.id, "role": role})
        member = self._id(who)
        self.world.change_member(member, where, roles=[*where.members[member]["roles"], role["id"]])
        return role

    def delete_role(self, name: str, server: Where = None) -> None:
        """Delete a role; its members are told nothing but that."""
        where = self.world.server(server)
        role = next(one for one in where.guild["roles"] if one["name"] == name)
        where.guild["roles"].remove(role)
        for member in where.members.values():
            member["roles"] = [one for one in member["roles"] if one != role["id"]]
        self.world.tell("GUILD_ROLE_DELETE", {"guild_id": where.id, "role_id": role["id"]})

    def everyone(self, *, allow: tuple[str, ...] = (), deny: tuple[str, ...] = (), server: Where = None) -> None:
        """Change what @everyone may do in a server."""
        where = self.world.server(server)
        role = next(one for one in where.guild["roles"] if one["id"] == where.id)
        role["permissions"] = str((int(role["permissions"]) | permissions.bits(allow)) & ~permissions.bits(deny))
        self.world.tell("GUILD_ROLE_UPDATE", {"guild_id": where.id, "role": role})

    # --- channels

    def open_channel(self, name: str, kind: str = "text", server: Where = None) -> Json:
        """Make a channel: `text`, `voice`, `announcement` or `forum`."""
        where = self.world.server(server)
        place = len(self.world.places(where))
        made = seed.channel(self.world.new_id(), where.id, name, KINDS[kind], None, place)
        self.world.add_channel(made)
        return made

    def slow(self, channel: str | Json, seconds: int) -> None:
        """Let people wait so many seconds between two messages of theirs in a channel or thread; bots never do."""
        self._change(channel, rate_limit_per_user=seconds)

    def restrict_age(self, channel: str | Json, restricted: bool = True) -> None:
        """Make a channel, with its threads, one for adults, or one for all."""
        self._change(channel, nsfw=restricted)

    def _change(self, channel: str | Json, **changes: object) -> None:
        found = self.world.channel_named(channel)
        found.update(changes)
        self.world.channel_changed(found)

    def filter_links(self, *links: str) -> None:
        """From now on refuse names of threads that hold one of these, with 240000."""
        self.world.harmful = [*links]
