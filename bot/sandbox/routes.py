"""What each route of the API does. `router` lists them all; the methods are short because the rules live elsewhere."""

from typing import Any

from bot.sandbox import commands, messages, threads
from bot.sandbox.errors import ApiError, Form, Json, part
from bot.sandbox.interactions import Interactions
from bot.sandbox.rest import Call, Router
from bot.sandbox.world import FORUM, THREADS, World

# User messages and replies, and the answers to commands: what is not one of Discord's own.
OWN_KINDS = (0, 19, 20, 23)


class Routes:
    """The handlers; every one takes a Call and gives JSON, or None for 204."""

    def __init__(self, world: World, interactions: Interactions, gateway_url: Any) -> None:
        self.world = world
        self.interactions = interactions
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
        counts = ("approximate_guild_count", "approximate_user_install_count", "approximate_user_authorization_count")
        owner = self.world.users[self.world.guild["owner_id"]]
        lists: Json = {"redirect_uris": [], "eligible_oauth2_scopes": ["bot", "applications.commands"]}
        made: Json = {"id": self.world.me, "owner": owner, "flags": 0, "flags_new": "0", "explicit_content_filter": 0}
        made |= {"bot_public": True, "bot_require_code_grant": False, "bot": self.world.users[self.world.me]}
        return dict.fromkeys(nothing) | names | dict.fromkeys(counts, 1) | lists | made

    def gateway(self, call: Call) -> Json:
        """GET /gateway."""
        return {"url": self.gateway_url()}

    def gateway_bot(self, call: Call) -> Json:
        """GET /gateway/bot."""
        limit = {"total": 1000, "remaining": 999, "reset_after": 86_400_000, "max_concurrency": 1}
        return {"url": self.gateway_url(), "shards": 1, "session_start_limit": limit}

    # --- commands

    def _application(self, call: Call) -> None:
        if call.params["application_id"] != self.world.me:
            raise ApiError(50001)
        if call.params.get("guild_id", self.world.guild["id"]) != self.world.guild["id"]:
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
        world.commands = commands.overwrite(world.commands, call.body, world.me, guild, world.new_id)
        world.tell("COMMANDS", {"commands": world.commands})
        return self.get_commands(call)

    # --- server and people

    def _guild(self, call: Call) -> Json:
        if call.params["guild_id"] != self.world.guild["id"]:
            raise ApiError(10004)
        return self.world.guild

    def guild(self, call: Call) -> Json:
        """GET /guilds/{guild_id}."""
        return self._guild(call) | {"approximate_member_count": len(self.world.members)}

    def guild_channels(self, call: Call) -> list[Json]:
        """GET /guilds/{guild_id}/channels."""
        self._guild(call)
        return [one for one in self.world.channels.values() if one["type"] not in THREADS]

    def guild_roles(self, call: Call) -> list[Json]:
        """GET /guilds/{guild_id}/roles."""
        return self._guild(call)["roles"]

    def active_threads(self, call: Call) -> Json:
        """GET /guilds/{guild_id}/threads/active."""
        self._guild(call)
        world, me = self.world, self.world.me
        found = [
            one
            for one in world.channels.values()
            if one["type"] in THREADS and world.may(me, one["id"], "view_channel")
        ]
        found = [one for one in found if not one["thread_metadata"]["archived"]]
        mine = [one for one in found if me in one["thread_members"]]
        return {"threads": found, "members": [threads.member(world, one, me) for one in mine]}

    def guild_member(self, call: Call) -> Json:
        """GET /guilds/{guild_id}/members/{user_id}."""
        self._guild(call)
        return self.world.member(call.params["user_id"])

    def guild_members(self, call: Call) -> Json:
        """GET /guilds/{guild_id}/members: only with the privileged intent."""
        raise ApiError(50001)

    def user(self, call: Call) -> Json:
        """GET /users/{user_id}."""
        if call.params["user_id"] not in self.world.users:
            raise ApiError(10013)
        return self.world.users[call.params["user_id"]]

    # --- channels

    def _channel(self, call: Call) -> Json:
        channel = self.world.channel(call.params["channel_id"])
        self._need(channel, 50001, "view_channel")
        return channel

    def _need(self, channel: Json, code: int, *names: str) -> None:
        if not self.world.may(self.world.me, channel["id"], *names):
            raise ApiError(code)

    def channel(self, call: Call) -> Json:
        """GET /channels/{channel_id}."""
        return self._channel(call)

    def patch_channel(self, call: Call) -> Json:
        """PATCH /channels/{channel_id}: threads by the rules of threads, channels by manage_channels."""
        channel, body = self._channel(call), call.draft.body
        if channel["type"] in THREADS:
            return threads.patch(self.world, channel, self.world.me, body)
        self._need(channel, 50013, "manage_channels")
        form = Form()
        if "name" in body:
            form.length(("name",), body["name"], 1, 100)
        form.close()
        channel |= {key: body[key] for key in ("name", "topic") if key in body}
        self.world.channel_changed(channel)
        return channel

    def delete_channel(self, call: Call) -> Json:
        """DELETE /channels/{channel_id}."""
        channel = self._channel(call)
        self._need(channel, 50013, "manage_threads" if channel["type"] in THREADS else "manage_channels")
        self.world.remove_channel(channel["id"])
        return channel

    def typing(self, call: Call) -> None:
        """POST /channels/{channel_id}/typing."""
        self._may_send(self._channel(call))

    # --- messages

    def _may_send(self, channel: Json) -> None:
        if channel["type"] == FORUM:
            raise ApiError(50008)
        in_thread = channel["type"] in THREADS
        self._need(channel, 50013, "send_messages_in_threads" if in_thread else "send_messages")

    def _may_attach(self, channel: Json, draft: messages.Draft) -> None:
        if draft.files:
            self._need(channel, 50013, "attach_files")
        if draft.body.get("embeds"):
            self._need(channel, 50013, "embed_links")

    def create_message(self, call: Call) -> Json:
        """POST /channels/{channel_id}/messages; a repeated, enforced nonce gives the first message."""
        channel, world = self._channel(call), self.world
        self._may_send(channel)
        self._may_attach(channel, call.draft)
        if first := messages.repeated(world, world.me, call.draft.body):
            return first
        threads.before_posting(world, channel, world.me)
        message = messages.create(world, channel["id"], world.me, call.draft)
        threads.after_posting(world, message)
        return message

    def _message(self, call: Call) -> Json:
        channel = self._channel(call)
        message = self.world.message(channel["id"], call.params["message_id"])
        if message["ephemeral_for"]:
            raise ApiError(10008)
        return message

    def get_message(self, call: Call) -> Json:
        """GET /channels/{channel_id}/messages/{message_id}."""
        self._need(self._channel(call), 50001, "read_message_history")
        return self._message(call)

    def get_messages(self, call: Call) -> list[Json]:
        """GET /channels/{channel_id}/messages: newest first; `before`, `after`, `around` and `limit`."""
        channel, query = self._channel(call), call.query
        if not self.world.may(self.world.me, channel["id"], "read_message_history"):
            return []
        form, limit = Form(), int(query.get("limit", 50))
        form.between(("limit",), limit, 1, 100)
        form.close()
        found = list(self.world.visible(channel["id"], self.world.me))
        if "before" in query:
            found = [one for one in found if int(one["id"]) < int(query["before"])]
        if "around" in query:
            found = [one for one in found if int(one["id"]) <= int(query["around"])]
        if "after" in query:
            return [one for one in found if int(one["id"]) > int(query["after"])][:limit][::-1]
        return found[-limit:][::-1]

    def edit_message(self, call: Call) -> Json:
        """PATCH /channels/{channel_id}/messages/{message_id}: only the bot's own."""
        message = self._message(call)
        if message["author"]["id"] != self.world.me:
            raise ApiError(50005)
        if message["type"] not in OWN_KINDS:
            raise ApiError(50021)
        channel = self.world.channel(message["channel_id"])
        threads.refuse_archived(channel)
        self._may_attach(channel, call.draft)
        return messages.edit(self.world, message, call.draft)

    def delete_message(self, call: Call) -> None:
        """DELETE /channels/{channel_id}/messages/{message_id}."""
        message = self._message(call)
        if message["author"]["id"] != self.world.me:
            self._need(self.world.channel(message["channel_id"]), 50013, "manage_messages")
        if message["type"] == threads.THREAD_STARTER:
            raise ApiError(50021)
        self.world.remove_message(message)

    # --- threads

    def thread_from_message(self, call: Call) -> Json:
        """POST /channels/{channel_id}/messages/{message_id}/threads."""
        message = self._message(call)
        self._need(self.world.channel(message["channel_id"]), 50013, "create_public_threads")
        return self._threaded(threads.from_message(self.world, message, self.world.me, call.draft.body))

    def thread(self, call: Call) -> Json:
        """POST /channels/{channel_id}/threads: without a message, or a forum's post with its first message."""
        channel, body = self._channel(call), call.draft.body
        self._need(channel, 50013, "send_messages" if channel["type"] == FORUM else "create_public_threads")
        if channel["type"] != FORUM:
            return self._threaded(threads.bare(self.world, channel, self.world.me, body))
        draft = messages.Draft(part(body, "message"), call.draft.files)
        self._may_attach(channel, draft)
        made = threads.post(self.world, channel, self.world.me, body.get("name") or "", draft)
        return self._threaded(made) | {"message": self.world.message(made["id"], made["id"])}

    def _threaded(self, thread: Json) -> Json:
        return thread | {"member": threads.member(self.world, thread, self.world.me)}

    def _thread(self, call: Call) -> Json:
        thread = self._channel(call)
        if thread["type"] not in THREADS:
            raise ApiError(50024)
        return thread

    def _who(self, call: Call) -> str:
        user_id = call.params.get("user_id", "@me")
        return self.world.me if user_id == "@me" else user_id

    def thread_members(self, call: Call) -> list[Json]:
        """GET /channels/{channel_id}/thread-members."""
        thread = self._thread(call)
        return [threads.member(self.world, thread, one) for one in thread["thread_members"]]

    def thread_member(self, call: Call) -> Json:
        """GET /channels/{channel_id}/thread-members/{user_id}."""
        thread, user_id = self._thread(call), self._who(call)
        if user_id not in thread["thread_members"]:
            raise ApiError(10007)
        return threads.member(self.world, thread, user_id)

    def add_thread_member(self, call: Call) -> None:
        """PUT /channels/{channel_id}/thread-members/{user_id}."""
        thread, user_id = self._thread(call), self._who(call)
        threads.refuse_archived(thread)
        self._need(thread, 50013, "send_messages_in_threads")
        self.world.member(user_id)
        if threads.join(self.world, thread, user_id) and user_id != self.world.me:
            mentions = [self.world.users[user_id]]
            messages.system(self.world, thread["id"], self.world.me, threads.RECIPIENT_ADD, mentions=mentions)

    def remove_thread_member(self, call: Call) -> None:
        """DELETE /channels/{channel_id}/thread-members/{user_id}."""
        thread, user_id = self._thread(call), self._who(call)
        threads.refuse_archived(thread)
        if user_id != self.world.me:
            self._need(thread, 50013, "manage_threads")
        threads.leave(self.world, thread, user_id)

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
        return messages.edit(self.world, self.get_answer(call), call.draft)

    def delete_answer(self, call: Call) -> None:
        """DELETE /webhooks/{application_id}/{token}/messages/{message_id}."""
        self.world.remove_message(self.get_answer(call))


def router(routes: Routes) -> Router:
    """All routes that the sandbox knows."""
    made = Router()
    channel, message = "/channels/{channel_id}", "/channels/{channel_id}/messages/{message_id}"
    application, answer = "/applications/{application_id}", "/webhooks/{application_id}/{token}/messages/{message_id}"
    guild, members = "/guilds/{guild_id}", "/channels/{channel_id}/thread-members"
    table = (
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
        ("GET", channel, routes.channel),
        ("PATCH", channel, routes.patch_channel),
        ("DELETE", channel, routes.delete_channel),
        ("POST", f"{channel}/typing", routes.typing),
        ("GET", f"{channel}/messages", routes.get_messages),
        ("POST", f"{channel}/messages", routes.create_message),
        ("GET", message, routes.get_message),
        ("PATCH", message, routes.edit_message),
        ("DELETE", message, routes.delete_message),
        ("POST", f"{message}/threads", routes.thread_from_message),
        ("POST", f"{channel}/threads", routes.thread),
        ("GET", members, routes.thread_members),
        ("GET", f"{members}/{{user_id}}", routes.thread_member),
        ("PUT", f"{members}/{{user_id}}", routes.add_thread_member),
        ("DELETE", f"{members}/{{user_id}}", routes.remove_thread_member),
        ("POST", "/interactions/{interaction_id}/{token}/callback", routes.callback),
        ("POST", "/webhooks/{application_id}/{token}", routes.follow_up),
        ("GET", answer, routes.get_answer),
        ("PATCH", answer, routes.edit_answer),
        ("DELETE", answer, routes.delete_answer),
    )
    for method, route, handler in table:
        made.add(method, route, handler)
    return made
