"""The handlers of the API's routes."""

from datetime import datetime
from typing import Any

from bot.sandbox import commands, posts, threads
from bot.sandbox.errors import ApiError, BodyCheck, Json, object_under
from bot.sandbox.gateway import ShardLimits
from bot.sandbox.interactions import Interactions
from bot.sandbox.rest import RestCall, RestRouter, Row
from bot.sandbox.world import DIRECT, FORUM, PRIVATE_THREAD, THREADS, Server, World

# Direct messages: a channel between the bot and one user, outside of every server.


def open_channel(world: World, user_id: str) -> Json:
    """The channel between the bot and a user, created at the first request."""
    if user_id not in world.users or world.users[user_id]["bot"]:
        raise ApiError(50033)
    known = next((one for one in world.private.values() if one["recipients"][0]["id"] == user_id), None)
    if known:
        return known
    made: Json = {"id": world.new_id(), "type": DIRECT, "last_message_id": None, "flags": 0}
    made["recipients"] = [world.users[user_id]]
    world.private[made["id"]] = made
    world.messages[made["id"]] = {}
    # Bots are not told of such channels, but the page is.
    world.tell("MAILBOX", {"user": user_id, "channel": made})
    return made


def expect_open(world: World, channel: Json) -> None:
    """Refuse a direct message that the user does not accept, or cannot get without a common server."""
    person = channel["recipients"][0]["id"]
    if not world.list_installs(person, channel["id"]):
        raise ApiError(50278)
    if person in world.closed:
        raise ApiError(50007)


def set_closed(world: World, user_id: str, closed: bool = True) -> None:
    """Set whether a user refuses direct messages."""
    world.closed = [one for one in world.closed if one != user_id] + [user_id] * closed
    world.tell("MAILBOX", {"user": user_id, "closed": closed})


def channels_of(world: World, user_id: str) -> list[Json]:
    """The channels of direct messages between a user and the bot: one, or none yet."""
    return [one for one in world.private.values() if one["recipients"][0]["id"] == user_id]


class DirectMessageRoutes:
    """The handler of the route under /users/@me/channels."""

    def __init__(self, world: World) -> None:
        self.world = world

    def create_channel(self, call: RestCall) -> Json:
        """POST /users/@me/channels."""
        form = BodyCheck()
        recipient = call.draft.body.get("recipient_id")
        if not isinstance(recipient, int | str) or not str(recipient).isdecimal():
            form.add_error(("recipient_id",), "NUMBER_TYPE_COERCE", f'Value "{recipient}" is not snowflake.')
        form.raise_errors()
        return open_channel(self.world, str(recipient))


def make_direct_message_routes(routes: DirectMessageRoutes) -> tuple[Row, ...]:
    return (("POST", "/users/@me/channels", routes.create_channel),)


# The routes under /channels: channels, messages, threads and thread members, with the permissions that each needs.


# Messages of users, replies, and answers to commands; all other types are system messages.
OWN_KINDS = (0, 19, 20, 23)
# Reported by bot authors, not documented.
OLD_SECONDS, OLD_EDITS_SECONDS, MOST_OLD_EDITS = 3600.0, 6.0, 3


class ChannelRoutes:
    """The handlers under /channels; each takes a `RestCall` and returns JSON, or None for 204."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.old_edits: dict[str, list[float]] = {}

    def _find_channel(self, call: RestCall) -> Json:
        channel = self.world.channel(call.params["channel_id"])
        self._require_permissions(channel, 50001, "view_channel")
        return channel

    def _require_permissions(self, channel: Json, code: int, *names: str) -> None:
        if not self.world.has_permissions(self.world.me, channel["id"], *names):
            raise ApiError(code)

    def get_channel(self, call: RestCall) -> Json:
        """GET /channels/{channel_id}."""
        return self._find_channel(call)

    def patch_channel(self, call: RestCall) -> Json:
        """PATCH /channels/{channel_id}: threads by the rules of threads, channels by manage_channels."""
        channel, body = self._find_channel(call), call.draft.body
        if channel["type"] in THREADS:
            return threads.patch_thread(self.world, channel, self.world.me, body)
        self._require_permissions(channel, 50013, "manage_channels")
        form = BodyCheck()
        if "name" in body:
            form.check_length(("name",), str(body["name"]).strip(), 1, 100)
        if body.get("rate_limit_per_user") is not None:
            form.check_whole(("rate_limit_per_user",), body["rate_limit_per_user"], 0, threads.MOST_SLOW_SECONDS)
        form.raise_errors()
        channel |= {key: body[key] for key in ("name", "topic", "nsfw", "rate_limit_per_user") if key in body}
        self.world.tell_channel_changed(channel)
        return channel

    def delete_channel(self, call: RestCall) -> Json:
        """DELETE /channels/{channel_id}."""
        channel = self._find_channel(call)
        self._require_permissions(channel, 50013, "manage_threads" if channel["type"] in THREADS else "manage_channels")
        self.world.remove_channel(channel["id"])
        return channel

    def post_typing(self, call: RestCall) -> None:
        """POST /channels/{channel_id}/typing."""
        self._require_send(self._find_channel(call))

    # --- messages

    def _require_send(self, channel: Json) -> None:
        if channel["type"] == DIRECT:
            expect_open(self.world, channel)
        if channel["type"] == FORUM:
            raise ApiError(50008)
        in_thread = channel["type"] in THREADS
        self._require_permissions(channel, 50013, "send_messages_in_threads" if in_thread else "send_messages")

    def _require_attach(self, channel: Json, draft: posts.MessageDraft) -> None:
        if draft.files:
            self._require_permissions(channel, 50013, "attach_files")
        if draft.body.get("embeds"):
            self._require_permissions(channel, 50013, "embed_links")

    def create_message(self, call: RestCall) -> Json:
        """POST /channels/{channel_id}/messages; a repeated, enforced nonce returns the first message."""
        channel, world = self._find_channel(call), self.world
        self._require_send(channel)
        self._require_attach(channel, call.draft)
        if first := posts.find_by_nonce(world, world.me, call.draft.body):
            return first
        threads.before_posting(world, channel, world.me)
        message = posts.create_message(world, channel["id"], world.me, call.draft)
        threads.after_posting(world, message)
        return message

    def _find_message(self, call: RestCall) -> Json:
        channel = self._find_channel(call)
        message = self.world.message(channel["id"], call.params["message_id"])
        if message["ephemeral_for"]:
            raise ApiError(10008)
        return message

    def get_message(self, call: RestCall) -> Json:
        """GET /channels/{channel_id}/messages/{message_id}."""
        self._require_permissions(self._find_channel(call), 50001, "read_message_history")
        return self._find_message(call)

    def get_messages(self, call: RestCall) -> list[Json]:
        """GET /channels/{channel_id}/messages: newest first; `before`, `after`, `around` and `limit`."""
        channel, query = self._find_channel(call), call.query
        if not self.world.has_permissions(self.world.me, channel["id"], "read_message_history"):
            return []
        form, limit = BodyCheck(), int(query.get("limit", 50))
        form.check_range(("limit",), limit, 1, 100)
        form.raise_errors()
        found = list(self.world.visible_messages(channel["id"], self.world.me))
        if "before" in query:
            found = [one for one in found if int(one["id"]) < int(query["before"])]
        if "around" in query:
            found = [one for one in found if int(one["id"]) <= int(query["around"])]
        if "after" in query:
            return [one for one in found if int(one["id"]) > int(query["after"])][:limit][::-1]
        return found[-limit:][::-1]

    def edit_message(self, call: RestCall) -> Json:
        """PATCH /channels/{channel_id}/messages/{message_id}: only the bot's own."""
        message = self._find_message(call)
        if message["author"]["id"] != self.world.me:
            raise ApiError(50005)
        if message["type"] not in OWN_KINDS:
            raise ApiError(50021)
        channel = self.world.channel(message["channel_id"])
        threads.before_editing(self.world, channel)
        self._require_attach(channel, call.draft)
        self._limit_old_edits(message)
        return posts.edit_message(self.world, message, call.draft)

    def _limit_old_edits(self, message: Json) -> None:
        """Limit edits of messages older than an hour: three in six seconds per channel."""
        now = self.world.clock()
        if now - datetime.fromisoformat(message["timestamp"]).timestamp() < OLD_SECONDS:
            return
        recent = [when for when in self.old_edits.get(message["channel_id"], []) if now - when < OLD_EDITS_SECONDS]
        if len(recent) >= MOST_OLD_EDITS:
            raise ApiError(30046, retry_after=round(recent[0] + OLD_EDITS_SECONDS - now, 3))
        self.old_edits[message["channel_id"]] = [*recent, now]

    def delete_message(self, call: RestCall) -> None:
        """DELETE /channels/{channel_id}/messages/{message_id}."""
        message = self._find_message(call)
        if message["author"]["id"] != self.world.me:
            direct = message["channel_id"] in self.world.private
            self._require_permissions(
                self.world.channel(message["channel_id"]), 50003 if direct else 50013, "manage_messages"
            )
        if message["type"] == threads.THREAD_STARTER:
            raise ApiError(50021)
        self.world.remove_message(message)

    # --- threads

    def start_thread_on_message(self, call: RestCall) -> Json:
        """POST /channels/{channel_id}/messages/{message_id}/threads."""
        message = self._find_message(call)
        self._require_permissions(self.world.channel(message["channel_id"]), 50013, "create_public_threads")
        return self._add_own_member(
            threads.start_thread_on_message(self.world, message, self.world.me, call.draft.body)
        )

    def start_thread(self, call: RestCall) -> Json:
        """POST /channels/{channel_id}/threads: without a message, or a forum's post with its first message."""
        channel, body = self._find_channel(call), call.draft.body
        # A private thread needs a permission of its own, which `start_private_thread` checks.
        private = body.get("type") in (None, PRIVATE_THREAD)
        bare = () if private else ("create_public_threads",)
        self._require_permissions(channel, 50013, *(("send_messages",) if channel["type"] == FORUM else bare))
        if channel["type"] != FORUM:
            return self._add_own_member(threads.start_thread(self.world, channel, self.world.me, body))
        draft = posts.MessageDraft(object_under(body, "message"), call.draft.files)
        self._require_attach(channel, draft)
        made = threads.start_post(self.world, channel, self.world.me, body.get("name") or "", draft)
        return self._add_own_member(made) | {"message": self.world.message(made["id"], made["id"])}

    def _add_own_member(self, thread: Json) -> Json:
        return thread | {"member": threads.make_thread_member(self.world, thread, self.world.me)}

    def _find_thread(self, call: RestCall) -> Json:
        thread = self._find_channel(call)
        if thread["type"] not in THREADS:
            raise ApiError(50024)
        return thread

    def _member_id(self, call: RestCall) -> str:
        user_id = call.params.get("user_id", "@me")
        return self.world.me if user_id == "@me" else user_id

    def get_thread_members(self, call: RestCall) -> list[Json]:
        """GET /channels/{channel_id}/thread-members."""
        thread = self._find_thread(call)
        return [threads.make_thread_member(self.world, thread, one) for one in thread["thread_members"]]

    def get_thread_member(self, call: RestCall) -> Json:
        """GET /channels/{channel_id}/thread-members/{user_id}."""
        thread, user_id = self._find_thread(call), self._member_id(call)
        if user_id not in thread["thread_members"]:
            raise ApiError(10007)
        return threads.make_thread_member(self.world, thread, user_id)

    def add_thread_member(self, call: RestCall) -> None:
        """PUT /channels/{channel_id}/thread-members/{user_id}."""
        thread, user_id = self._find_thread(call), self._member_id(call)
        threads.refuse_archived(thread)
        self._require_permissions(thread, 50013, "send_messages_in_threads")
        self.world.member(user_id, self.world.server_of(thread["id"]))
        if threads.join(self.world, thread, user_id) and user_id != self.world.me:
            mentions = [self.world.users[user_id]]
            posts.post_system_message(self.world, thread["id"], self.world.me, threads.RECIPIENT_ADD, mentions=mentions)

    def remove_thread_member(self, call: RestCall) -> None:
        """DELETE /channels/{channel_id}/thread-members/{user_id}."""
        thread, user_id = self._find_thread(call), self._member_id(call)
        threads.refuse_archived(thread)
        if user_id != self.world.me:
            self._require_permissions(thread, 50013, "manage_threads")
        threads.leave(self.world, thread, user_id)


def make_channel_routes(channels: ChannelRoutes) -> tuple[Row, ...]:
    channel, message = "/channels/{channel_id}", "/channels/{channel_id}/messages/{message_id}"
    members = "/channels/{channel_id}/thread-members"
    return (
        ("GET", channel, channels.get_channel),
        ("PATCH", channel, channels.patch_channel),
        ("DELETE", channel, channels.delete_channel),
        ("POST", f"{channel}/typing", channels.post_typing),
        ("GET", f"{channel}/messages", channels.get_messages),
        ("POST", f"{channel}/messages", channels.create_message),
        ("GET", message, channels.get_message),
        ("PATCH", message, channels.edit_message),
        ("DELETE", message, channels.delete_message),
        ("POST", f"{message}/threads", channels.start_thread_on_message),
        ("POST", f"{channel}/threads", channels.start_thread),
        ("GET", members, channels.get_thread_members),
        ("GET", f"{members}/{{user_id}}", channels.get_thread_member),
        ("PUT", f"{members}/{{user_id}}", channels.add_thread_member),
        ("DELETE", f"{members}/{{user_id}}", channels.remove_thread_member),
    )


# All other routes; `make_router` lists them all.


class ApiRoutes:
    """The other handlers; each takes a `RestCall` and returns JSON, or None for 204."""

    def __init__(self, world: World, interactions: Interactions, sharding: ShardLimits, gateway_url: Any) -> None:
        self.world = world
        self.interactions = interactions
        self.sharding = sharding
        self.gateway_url = gateway_url

    # --- the bot itself

    def get_me(self, call: RestCall) -> Json:
        """GET /users/@me."""
        private = {"verified": True, "mfa_enabled": False, "locale": "en-US", "premium_type": 0, "email": None}
        return self.world.users[self.world.me] | private

    def get_application(self, call: RestCall) -> Json:
        """GET /oauth2/applications/@me."""
        nothing = ("icon", "type", "interactions_endpoint_url", "role_connections_verification_url", "team")
        names = {"name": self.world.users[self.world.me]["username"], "description": "", "verify_key": "0" * 64}
        counts = ("approximate_user_install_count", "approximate_user_authorization_count")
        owner = self.world.users[self.world.home_guild["owner_id"]]
        lists: Json = {"redirect_uris": [], "eligible_oauth2_scopes": ["bot", "applications.commands"]}
        made: Json = {"id": self.world.me, "owner": owner, "flags": 0, "flags_new": "0", "explicit_content_filter": 0}
        made |= {"bot_public": True, "bot_require_code_grant": False, "bot": self.world.users[self.world.me]}
        made |= {"approximate_guild_count": len(self.world.servers)}
        return dict.fromkeys(nothing) | names | dict.fromkeys(counts, 1) | lists | made

    def get_gateway(self, call: RestCall) -> Json:
        """GET /gateway."""
        return {"url": self.gateway_url()}

    def get_gateway_bot(self, call: RestCall) -> Json:
        """GET /gateway/bot."""
        return {"url": self.gateway_url(), **self.sharding.connection_advice()}

    # --- commands

    def _check_application(self, call: RestCall) -> None:
        if call.params["application_id"] != self.world.me:
            raise ApiError(50001)
        if call.params.get("guild_id", self.world.home.id) not in self.world.servers:
            raise ApiError(50001)

    def get_commands(self, call: RestCall) -> list[Json]:
        """GET …/commands, global or of the server."""
        self._check_application(call)
        guild = call.params.get("guild_id")
        return [one for one in self.world.commands if one.get("guild_id") == guild]

    def put_commands(self, call: RestCall) -> list[Json]:
        """PUT …/commands: bulk overwrite."""
        self._check_application(call)
        guild, world = call.params.get("guild_id"), self.world
        world.commands = commands.overwrite_commands(world.commands, call.body, world.me, guild, world.new_id)
        world.tell("COMMANDS", {"commands": world.commands})
        return self.get_commands(call)

    # --- server and users

    def _server_of(self, call: RestCall) -> Server:
        server = self.world.servers.get(call.params["guild_id"])
        if server is None:
            raise ApiError(10004)
        if self.world.me not in server.members:
            raise ApiError(50001)
        return server

    def get_guild(self, call: RestCall) -> Json:
        """GET /guilds/{guild_id}."""
        server = self._server_of(call)
        return server.guild | {"approximate_member_count": len(server.members)}

    def get_guild_channels(self, call: RestCall) -> list[Json]:
        """GET /guilds/{guild_id}/channels."""
        return [one for one in self.world.channels_of(self._server_of(call)) if one["type"] not in THREADS]

    def get_guild_roles(self, call: RestCall) -> list[Json]:
        """GET /guilds/{guild_id}/roles."""
        return self._server_of(call).guild["roles"]

    def get_active_threads(self, call: RestCall) -> Json:
        """GET /guilds/{guild_id}/threads/active."""
        world, me = self.world, self.world.me
        found = [one for one in world.channels_of(self._server_of(call)) if one["type"] in THREADS]
        found = [one for one in found if world.has_permissions(me, one["id"], "view_channel")]
        found = [one for one in found if not one["thread_metadata"]["archived"]]
        mine = [one for one in found if me in one["thread_members"]]
        return {
            "threads": found,
            "members": [threads.make_thread_member(world, one, me) for one in mine],
            "has_more": False,
        }

    def get_guild_member(self, call: RestCall) -> Json:
        """GET /guilds/{guild_id}/members/{user_id}."""
        return self.world.member(call.params["user_id"], self._server_of(call))

    def get_guild_members(self, call: RestCall) -> Json:
        """GET /guilds/{guild_id}/members: only with the privileged intent."""
        raise ApiError(50001)

    def get_user(self, call: RestCall) -> Json:
        """GET /users/{user_id}."""
        if call.params["user_id"] not in self.world.users:
            raise ApiError(10013)
        return self.world.users[call.params["user_id"]]

    # --- interactions

    def post_callback(self, call: RestCall) -> Json | None:
        """POST /interactions/{id}/{token}/callback."""
        answer = self.interactions.take_callback(call.params["interaction_id"], call.params["token"], call.draft)
        return answer if call.query.get("with_response", "").lower() in ("1", "true") else None

    def _token_of(self, call: RestCall) -> str:
        if call.params["application_id"] != self.world.me:
            raise ApiError(10015)
        return call.params["token"]

    def post_follow_up(self, call: RestCall) -> Json | None:
        """POST /webhooks/{application_id}/{token}."""
        # For interactions Discord returns the message whatever `wait` is.
        return self.interactions.follow_up(self._token_of(call), call.draft)

    def get_answer(self, call: RestCall) -> Json:
        """GET /webhooks/{application_id}/{token}/messages/{message_id}."""
        return self.interactions.find(self._token_of(call), call.params["message_id"])

    def edit_answer(self, call: RestCall) -> Json:
        """PATCH /webhooks/{application_id}/{token}/messages/{message_id}."""
        return self.interactions.edit(self._token_of(call), call.params["message_id"], call.draft)

    def delete_answer(self, call: RestCall) -> None:
        """DELETE /webhooks/{application_id}/{token}/messages/{message_id}."""
        self.world.remove_message(self.get_answer(call))


def make_router(routes: ApiRoutes) -> RestRouter:
    application, guild = "/applications/{application_id}", "/guilds/{guild_id}"
    answer = "/webhooks/{application_id}/{token}/messages/{message_id}"
    made = RestRouter()
    rows: tuple[Row, ...] = (
        ("GET", "/users/@me", routes.get_me),
        ("GET", "/users/{user_id}", routes.get_user),
        ("GET", "/oauth2/applications/@me", routes.get_application),
        ("GET", "/applications/@me", routes.get_application),
        ("GET", "/gateway", routes.get_gateway),
        ("GET", "/gateway/bot", routes.get_gateway_bot),
        ("GET", f"{application}/commands", routes.get_commands),
        ("PUT", f"{application}/commands", routes.put_commands),
        ("GET", f"{application}/guilds/{{guild_id}}/commands", routes.get_commands),
        ("PUT", f"{application}/guilds/{{guild_id}}/commands", routes.put_commands),
        ("GET", guild, routes.get_guild),
        ("GET", f"{guild}/channels", routes.get_guild_channels),
        ("GET", f"{guild}/roles", routes.get_guild_roles),
        ("GET", f"{guild}/threads/active", routes.get_active_threads),
        ("GET", f"{guild}/members", routes.get_guild_members),
        ("GET", f"{guild}/members/{{user_id}}", routes.get_guild_member),
        ("POST", "/interactions/{interaction_id}/{token}/callback", routes.post_callback),
        ("POST", "/webhooks/{application_id}/{token}", routes.post_follow_up),
        ("GET", answer, routes.get_answer),
        ("PATCH", answer, routes.edit_answer),
        ("DELETE", answer, routes.delete_answer),
    )
    mail = make_direct_message_routes(DirectMessageRoutes(routes.world))
    for method, route, handler in (*rows, *mail, *make_channel_routes(ChannelRoutes(routes.world))):
        made.add(method, route, handler)
    return made
