"""What each route of the API does. `router` lists them all; the methods are short because the rules live elsewhere."""

from typing import Any

from bot.sandbox.protocol import direct_messages
from bot.sandbox.protocol.channel_routes import Channels, table
from bot.sandbox.protocol.interactions import Interactions
from bot.sandbox.protocol.rest import Call, Router, Row
from bot.sandbox.protocol.shard_limits import Sharding
from bot.sandbox.world import command_register, threads
from bot.sandbox.world.api_errors import ApiError, Json
from bot.sandbox.world.servers import Server
from bot.sandbox.world.world import THREADS, World


class Routes:
    """The handlers; every one takes a Call and gives JSON, or None for 204."""

    def __init__(self, world: World, interactions: Interactions, sharding: Sharding, gateway_url: Any) -> None:
        self.world = world
        self.interactions = interactions
        self.sharding = sharding
        self.gateway_url = gateway_url

    # --- the bot itself

    def me(self, call: Call) -> Json:
        """GET /users/@me."""
        private = {"verified": True, "mfa_enabled": False, "locale": "en-US", "premium_type": 0, "email": None}
        return self.world.users[self.world.me] | private

    def application(self, call: Call) -> Json:
        """GET /oauth2/applications/@me."""
        nothing = ("icon", "type", "interactions_endpoint_url", "role_connections_verification_url", "team")
        names = {"name": self.world.users[self.world.me]["username"], "description": "", "verify_key": "0" * 64}
        counts = ("approximate_user_install_count", "approximate_user_authorization_count")
        owner = self.world.users[self.world.guild["owner_id"]]
        lists: Json = {"redirect_uris": [], "eligible_oauth2_scopes": ["bot", "applications.commands"]}
        made: Json = {"id": self.world.me, "owner": owner, "flags": 0, "flags_new": "0", "explicit_content_filter": 0}
        made |= {"bot_public": True, "bot_require_code_grant": False, "bot": self.world.users[self.world.me]}
        made |= {"approximate_guild_count": len(self.world.servers)}
        return dict.fromkeys(nothing) | names | dict.fromkeys(counts, 1) | lists | made

    def gateway(self, call: Call) -> Json:
        """GET /gateway."""
        return {"url": self.gateway_url()}

    def gateway_bot(self, call: Call) -> Json:
        """GET /gateway/bot."""
        return {"url": self.gateway_url(), **self.sharding.advice()}

    # --- commands

    def _application(self, call: Call) -> None:
        if call.params["application_id"] != self.world.me:
            raise ApiError(50001)
        if call.params.get("guild_id", self.world.home.id) not in self.world.servers:
            raise ApiError(50001)

    def get_commands(self, call: Call) -> list[Json]:
        """GET …/commands, global or of the server."""
        self._application(call)
        guild = call.params.get("guild_id")
        return [one for one in self.world.commands if one.get("guild_id") == guild]

    def put_commands(self, call: Call) -> list[Json]:
        """PUT …/commands: bulk overwrite."""
        self._application(call)
        guild, world = call.params.get("guild_id"), self.world
        world.commands = command_register.overwrite(world.commands, call.body, world.me, guild, world.new_id)
        world.tell("COMMANDS", {"commands": world.commands})
        return self.get_commands(call)

    # --- server and people

    def _server(self, call: Call) -> Server:
        server = self.world.servers.get(call.params["guild_id"])
        if server is None:
            raise ApiError(10004)
        if self.world.me not in server.members:
            raise ApiError(50001)
        return server

    def guild(self, call: Call) -> Json:
        """GET /guilds/{guild_id}."""
        server = self._server(call)
        return server.guild | {"approximate_member_count": len(server.members)}

    def guild_channels(self, call: Call) -> list[Json]:
        """GET /guilds/{guild_id}/channels."""
        return [one for one in self.world.places(self._server(call)) if one["type"] not in THREADS]

    def guild_roles(self, call: Call) -> list[Json]:
        """GET /guilds/{guild_id}/roles."""
        return self._server(call).guild["roles"]

    def active_threads(self, call: Call) -> Json:
        """GET /guilds/{guild_id}/threads/active."""
        world, me = self.world, self.world.me
        found = [one for one in world.places(self._server(call)) if one["type"] in THREADS]
        found = [one for one in found if world.may(me, one["id"], "view_channel")]
        found = [one for one in found if not one["thread_metadata"]["archived"]]
        mine = [one for one in found if me in one["thread_members"]]
        return {"threads": found, "members": [threads.member(world, one, me) for one in mine], "has_more": False}

    def guild_member(self, call: Call) -> Json:
        """GET /guilds/{guild_id}/members/{user_id}."""
        return self.world.member(call.params["user_id"], self._server(call))

    def guild_members(self, call: Call) -> Json:
        """GET /guilds/{guild_id}/members: only with the privileged intent."""
        raise ApiError(50001)

    def user(self, call: Call) -> Json:
        """GET /users/{user_id}."""
        if call.params["user_id"] not in self.world.users:
            raise ApiError(10013)
        return self.world.users[call.params["user_id"]]

    # --- interactions

    def callback(self, call: Call) -> Json | None:
        """POST /interactions/{id}/{token}/callback."""
        answer = self.interactions.callback(call.params["interaction_id"], call.params["token"], call.draft)
        return answer if call.query.get("with_response", "").lower() in ("1", "true") else None

    def _webhook(self, call: Call) -> str:
        if call.params["application_id"] != self.world.me:
            raise ApiError(10015)
        return call.params["token"]

    def follow_up(self, call: Call) -> Json | None:
        """POST /webhooks/{application_id}/{token}."""
        # For interactions Discord answers with the message whatever `wait` says.
        return self.interactions.follow_up(self._webhook(call), call.draft)

    def get_answer(self, call: Call) -> Json:
        """GET /webhooks/{application_id}/{token}/messages/{message_id}."""
        return self.interactions.find(self._webhook(call), call.params["message_id"])

    def edit_answer(self, call: Call) -> Json:
        """PATCH /webhooks/{application_id}/{token}/messages/{message_id}."""
        return self.interactions.edit(self._webhook(call), call.params["message_id"], call.draft)

    def delete_answer(self, call: Call) -> None:
        """DELETE /webhooks/{application_id}/{token}/messages/{message_id}."""
        self.world.remove_message(self.get_answer(call))


def router(routes: Routes) -> Router:
    """All routes that the sandbox knows."""
    application, guild = "/applications/{application_id}", "/guilds/{guild_id}"
    answer = "/webhooks/{application_id}/{token}/messages/{message_id}"
    made = Router()
    rows: tuple[Row, ...] = (
        ("GET", "/users/@me", routes.me),
        ("GET", "/users/{user_id}", routes.user),
        ("GET", "/oauth2/applications/@me", routes.application),
        ("GET", "/applications/@me", routes.application),
        ("GET", "/gateway", routes.gateway),
        ("GET", "/gateway/bot", routes.gateway_bot),
        ("GET", f"{application}/commands", routes.get_commands),
        ("PUT", f"{application}/commands", routes.put_commands),
        ("GET", f"{application}/guilds/{{guild_id}}/commands", routes.get_commands),
        ("PUT", f"{application}/guilds/{{guild_id}}/commands", routes.put_commands),
        ("GET", guild, routes.guild),
        ("GET", f"{guild}/channels", routes.guild_channels),
        ("GET", f"{guild}/roles", routes.guild_roles),
        ("GET", f"{guild}/threads/active", routes.active_threads),
        ("GET", f"{guild}/members", routes.guild_members),
        ("GET", f"{guild}/members/{{user_id}}", routes.guild_member),
        ("POST", "/interactions/{interaction_id}/{token}/callback", routes.callback),
        ("POST", "/webhooks/{application_id}/{token}", routes.follow_up),
        ("GET", answer, routes.get_answer),
        ("PATCH", answer, routes.edit_answer),
        ("DELETE", answer, routes.delete_answer),
    )
    mail = direct_messages.table(direct_messages.DirectMessages(routes.world))
    for method, route, handler in (*rows, *mail, *table(Channels(routes.world))):
        made.add(method, route, handler)
    return made
