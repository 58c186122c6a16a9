"""The routes under /channels: channels, messages, threads and their members, with the permissions that each needs."""

from datetime import datetime

from bot.sandbox.protocol import direct_messages
from bot.sandbox.protocol.rest import Call, Row
from bot.sandbox.world import posts, threads
from bot.sandbox.world.api_errors import ApiError, Form, Json, part
from bot.sandbox.world.world import DIRECT, FORUM, PRIVATE_THREAD, THREADS, World

# User messages and replies, and the answers to commands: what is not one of Discord's own.
OWN_KINDS = (0, 19, 20, 23)
# Reported by bot authors, not documented.
OLD_SECONDS, OLD_EDITS_SECONDS, MOST_OLD_EDITS = 3600.0, 6.0, 3


class Channels:
    """The handlers; every one takes a Call and gives JSON, or None for 204."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.old_edits: dict[str, list[float]] = {}

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
            form.length(("name",), str(body["name"]).strip(), 1, 100)
        if body.get("rate_limit_per_user") is not None:
            form.whole(("rate_limit_per_user",), body["rate_limit_per_user"], 0, threads.MOST_SLOW_SECONDS)
        form.close()
        channel |= {key: body[key] for key in ("name", "topic", "nsfw", "rate_limit_per_user") if key in body}
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
        if channel["type"] == DIRECT:
            direct_messages.expect_open(self.world, channel)
        if channel["type"] == FORUM:
            raise ApiError(50008)
        in_thread = channel["type"] in THREADS
        self._need(channel, 50013, "send_messages_in_threads" if in_thread else "send_messages")

    def _may_attach(self, channel: Json, draft: posts.Draft) -> None:
        if draft.files:
            self._need(channel, 50013, "attach_files")
        if draft.body.get("embeds"):
            self._need(channel, 50013, "embed_links")

    def create_message(self, call: Call) -> Json:
        """POST /channels/{channel_id}/messages; a repeated, enforced nonce gives the first message."""
        channel, world = self._channel(call), self.world
        self._may_send(channel)
        self._may_attach(channel, call.draft)
        if first := posts.repeated(world, world.me, call.draft.body):
            return first
        threads.before_posting(world, channel, world.me)
        message = posts.create(world, channel["id"], world.me, call.draft)
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
        threads.before_editing(self.world, channel)
        self._may_attach(channel, call.draft)
        self._not_too_often(message)
        return posts.edit(self.world, message, call.draft)

    def _not_too_often(self, message: Json) -> None:
        """Three edits in six seconds and channel, of messages older than an hour."""
        now = self.world.clock()
        if now - datetime.fromisoformat(message["timestamp"]).timestamp() < OLD_SECONDS:
            return
        recent = [when for when in self.old_edits.get(message["channel_id"], []) if now - when < OLD_EDITS_SECONDS]
        if len(recent) >= MOST_OLD_EDITS:
            raise ApiError(30046, retry_after=round(recent[0] + OLD_EDITS_SECONDS - now, 3))
        self.old_edits[message["channel_id"]] = [*recent, now]

    def delete_message(self, call: Call) -> None:
        """DELETE /channels/{channel_id}/messages/{message_id}."""
        message = self._message(call)
        if message["author"]["id"] != self.world.me:
            direct = message["channel_id"] in self.world.private
            self._need(self.world.channel(message["channel_id"]), 50003 if direct else 50013, "manage_messages")
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
        # A private thread wants a right of its own, which is asked where it is made.
        private = body.get("type") in (None, PRIVATE_THREAD)
        bare = () if private else ("create_public_threads",)
        self._need(channel, 50013, *(("send_messages",) if channel["type"] == FORUM else bare))
        if channel["type"] != FORUM:
            return self._threaded(threads.bare(self.world, channel, self.world.me, body))
        draft = posts.Draft(part(body, "message"), call.draft.files)
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
        self.world.member(user_id, self.world.server_of(thread["id"]))
        if threads.join(self.world, thread, user_id) and user_id != self.world.me:
            mentions = [self.world.users[user_id]]
            posts.system(self.world, thread["id"], self.world.me, threads.RECIPIENT_ADD, mentions=mentions)

    def remove_thread_member(self, call: Call) -> None:
        """DELETE /channels/{channel_id}/thread-members/{user_id}."""
        thread, user_id = self._thread(call), self._who(call)
        threads.refuse_archived(thread)
        if user_id != self.world.me:
            self._need(thread, 50013, "manage_threads")
        threads.leave(self.world, thread, user_id)


def table(channels: Channels) -> tuple[Row, ...]:
    """The routes under /channels."""
    channel, message = "/channels/{channel_id}", "/channels/{channel_id}/messages/{message_id}"
    members = "/channels/{channel_id}/thread-members"
    return (
        ("GET", channel, channels.channel),
        ("PATCH", channel, channels.patch_channel),
        ("DELETE", channel, channels.delete_channel),
        ("POST", f"{channel}/typing", channels.typing),
        ("GET", f"{channel}/messages", channels.get_messages),
        ("POST", f"{channel}/messages", channels.create_message),
        ("GET", message, channels.get_message),
        ("PATCH", message, channels.edit_message),
        ("DELETE", message, channels.delete_message),
        ("POST", f"{message}/threads", channels.thread_from_message),
        ("POST", f"{channel}/threads", channels.thread),
        ("GET", members, channels.thread_members),
        ("GET", f"{members}/{{user_id}}", channels.thread_member),
        ("PUT", f"{members}/{{user_id}}", channels.add_thread_member),
        ("DELETE", f"{members}/{{user_id}}", channels.remove_thread_member),
    )
