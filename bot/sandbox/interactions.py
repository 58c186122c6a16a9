"""Interactions: sending them to the bot, its initial response, and the follow-ups that the token allows.

Discord's rules here: a response is due within 3 seconds (10062 afterwards), there is exactly one (40060), the token is
valid for 15 minutes (50027), a deferral fixes who sees the answer, and the first follow-up fills its placeholder.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from bot.sandbox import components, posts, threads
from bot.sandbox.components import EPHEMERAL, LOADING, V2
from bot.sandbox.errors import ApiError, BodyCheck, Json, object_under
from bot.sandbox.posts import MessageDraft
from bot.sandbox.world import World

ANSWER_SECONDS, TOKEN_SECONDS = 3.0, 900.0
REMEMBERED = 100
FOLLOW_UPS = 5
"""How many follow-ups an interaction may have that only the user's own installation allows."""
FOLLOWED_SECONDS = 0.25
"""Seconds for which a user waits for an edit of the pressed message after a mere acknowledgement."""
COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
# The callback types that each type of interaction allows.
ANSWERS = {
    COMMAND: (MESSAGE, DEFER, MODAL),
    COMPONENT: (MESSAGE, DEFER, DEFER_UPDATE, UPDATE, MODAL),
    AUTOCOMPLETE: (CHOICES,),
    SUBMIT: (MESSAGE, DEFER, DEFER_UPDATE, UPDATE),
}
# The type of a message that answers a slash command.
CHAT_INPUT_COMMAND = 20


class NoAnswerInTime(Exception):
    """The bot did not answer in time; Discord's client says "The application did not respond"."""


@dataclass
class InitialAnswer:
    """The bot's initial answer: its callback type and what came with it."""

    kind: int
    channel_id: str
    message_id: str | None = None
    modal: Json | None = None
    choices: list[Json] = field(default_factory=list[Json])
    edited: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when an acknowledged press is followed by an edit of the pressed message."""


class Interactions:
    """All interactions: sends them to the bot, and returns its answers."""

    def __init__(self, world: World, send: Callable[[Json], None], answer_seconds: float = ANSWER_SECONDS) -> None:
        """`send` passes INTERACTION_CREATE to the gateway; an answer is due within `answer_seconds`."""
        self.world = world
        self.send = send
        self.answer_seconds = answer_seconds
        self.waiting: dict[str, asyncio.Future[InitialAnswer]] = {}
        self.acknowledged: dict[str, InitialAnswer] = {}
        """By token, the acknowledgements after which a user still waits for an edit."""

    # --- from a user to the bot

    async def ask(self, kind: int, user_id: str, channel_id: str, data: Json, **about: Any) -> InitialAnswer:
        """Send an interaction and wait for its initial answer; raises `NoAnswerInTime`.

        `about` may contain `message` (with the component, or from which the modal was opened), `name` (of the command),
        `option_type` (of the option being completed) and `trigger` (the metadata of what opened a modal).
        """
        record = self._make_record(kind, user_id, channel_id, about)
        if picked := object_under(object_under(data, "resolved"), "users"):
            self.world.tell("PICKED", {"user": user_id, "users": [*picked.values()]})
        future = self.waiting[record["id"]] = asyncio.get_running_loop().create_future()
        self.send(self._make_payload(record, data, about.get("message")))
        try:
            return await asyncio.wait_for(future, self.answer_seconds)
        except TimeoutError:
            record["expired"] = record["answered"] is None
            raise NoAnswerInTime("The application did not respond") from None
        finally:
            self.waiting.pop(record["id"], None)

    async def is_edited_soon(self, answer: InitialAnswer) -> bool:
        """Whether the pressed message is edited within `FOLLOWED_SECONDS` after a mere acknowledgement."""
        if answer.kind == DEFER_UPDATE:
            with suppress(TimeoutError):
                async with asyncio.timeout(FOLLOWED_SECONDS):
                    return await answer.edited.wait()
        return False

    def _make_record(self, kind: int, user_id: str, channel_id: str, about: Json) -> Json:
        message = about.get("message")
        record: Json = {
            "id": self.world.new_id(),
            "token": self.world.secret(),
            "type": kind,
            "user": user_id,
            "channel_id": channel_id,
            "guild_id": server.id if (server := self.world.server_around(channel_id)) else None,
            "owners": message["interaction_metadata"]["authorizing_integration_owners"]
            if message and message.get("interaction_metadata")
            else self.world.list_installs(user_id, channel_id),
            "created": self.world.clock(),
            "answered": None,
            "expired": False,
            "original": None,
            "messages": [],
            "target": [message["channel_id"], message["id"]] if message else None,
            "name": about.get("name"),
            "trigger": about.get("trigger"),
            "option_type": about.get("option_type", 3),
        }
        for old in [*takewhile(lambda one: self._age_of(one) > TOKEN_SECONDS, self.world.interactions.values())]:
            del self.world.interactions[old["token"]]
        self.world.interactions[record["token"]] = record
        return record

    def _make_payload(self, record: Json, data: Json, message: Json | None) -> Json:
        world, user_id, channel_id = self.world, record["user"], record["channel_id"]
        server, theirs = world.server_around(channel_id), str(world.permissions(user_id, channel_id))
        if server:
            place: Json = {
                "guild_id": server.id,
                "guild": {"id": server.id, "locale": "en-US", "features": []},
                "channel": {**world.channel(channel_id), "permissions": theirs},
                "member": {**world.member(user_id, server), "permissions": theirs},
                "guild_locale": "en-US",
                "context": 0,
            }
        else:
            place = {"channel": world.channel(channel_id), "user": world.users[user_id], "context": 1}
        payload: Json = {
            "id": record["id"],
            "application_id": world.me,
            "type": record["type"],
            "token": record["token"],
            "version": 1,
            "data": data,
            "channel_id": channel_id,
            "app_permissions": str(world.permissions(world.me, channel_id)),
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": record["owners"],
            "attachment_size_limit": components.MOST_FILE_BYTES,
        }
        return payload | place | ({"message": message} if message else {})

    # --- the bot's initial answer

    def _age_of(self, record: Json) -> float:
        return self.world.clock() - record["created"]

    def take_callback(self, interaction_id: str, token: str, draft: MessageDraft) -> Json:
        """Process the bot's initial answer; returns the response body."""
        record = self.world.interactions.get(token)
        if record is None or record["id"] != interaction_id:
            raise ApiError(10062)
        if record["answered"] is not None:
            raise ApiError(40060)
        if record["expired"] or self._age_of(record) > self.answer_seconds:
            raise ApiError(10062)
        kind = draft.body.get("type")
        form = BodyCheck()
        allowed = ANSWERS[record["type"]]
        if record["type"] == SUBMIT and not record["target"]:
            allowed = (MESSAGE, DEFER)
        form.check_one_of(("type",), kind, allowed)
        form.raise_errors()
        answer = self._accept(
            record, int(draft.body["type"]), MessageDraft(object_under(draft.body, "data"), draft.files)
        )
        if answer.kind == DEFER_UPDATE:
            self.acknowledged[token] = answer
            for old in list(self.acknowledged)[:-REMEMBERED]:
                del self.acknowledged[old]
        future = self.waiting.get(interaction_id)
        if future and not future.done():
            future.set_result(answer)
        return self._make_receipt(record, answer)

    def _accept(self, record: Json, kind: int, draft: MessageDraft) -> InitialAnswer:
        answers = {
            MESSAGE: self._answer_message,
            DEFER: self._answer_deferred,
            DEFER_UPDATE: self._answer_acknowledged,
            UPDATE: self._answer_update,
            CHOICES: self._answer_choices,
            MODAL: self._answer_modal,
        }
        try:
            answer = answers[kind](record, draft)
        except ApiError as error:
            if error.errors:
                error.errors = {"data": error.errors}
            raise
        record["answered"] = kind
        record["original"] = answer.message_id
        self.world.tell("ANSWERED", {"id": record["id"], "kind": kind})
        return answer

    def _answer_message(self, record: Json, draft: MessageDraft) -> InitialAnswer:
        message = self._post(record, draft)
        return InitialAnswer(MESSAGE, record["channel_id"], message["id"])

    def _answer_deferred(self, record: Json, draft: MessageDraft) -> InitialAnswer:
        flags = int(draft.body.get("flags") or 0)
        if flags & ~EPHEMERAL:
            form = BodyCheck()
            form.add_error(("flags",), "INTERACTION_DEFER_FLAGS", "A deferral may carry only the EPHEMERAL flag.")
            form.raise_errors()
        message = self._post(record, MessageDraft({"flags": flags}), loading=True)
        return InitialAnswer(DEFER, record["channel_id"], message["id"])

    def _answer_acknowledged(self, record: Json, draft: MessageDraft) -> InitialAnswer:
        return InitialAnswer(DEFER_UPDATE, record["channel_id"], record["target"][1])

    def _answer_update(self, record: Json, draft: MessageDraft) -> InitialAnswer:
        message = self.world.message(*record["target"])
        threads.before_answering(self.world, self.world.channel(message["channel_id"]), edits=True)
        posts.update_message(self.world, message, draft)
        return InitialAnswer(UPDATE, record["channel_id"], message["id"])

    def _answer_choices(self, record: Json, draft: MessageDraft) -> InitialAnswer:
        components.check_choices(draft.body.get("choices"), record["option_type"])
        return InitialAnswer(CHOICES, record["channel_id"], choices=draft.body["choices"])

    def _answer_modal(self, record: Json, draft: MessageDraft) -> InitialAnswer:
        components.check_modal(draft.body, self.world.usable_emojis())
        made = components.normalise(draft.body["components"], lambda url: {"url": url})
        modal: Json = {"id": record["id"], "title": draft.body["title"], "custom_id": draft.body["custom_id"]}
        modal["components"] = made
        about: Json = {key: record[key] for key in ("user", "channel_id", "target")}
        about["trigger"] = self._make_metadata(record)
        self.world.modals[modal["id"]] = modal | about
        for old in list(self.world.modals)[:-200]:
            del self.world.modals[old]
        return InitialAnswer(MODAL, record["channel_id"], modal=modal)

    def _make_metadata(self, record: Json) -> Json:
        """The `interaction_metadata` of a message that answers an interaction."""
        about: Json = {
            "id": record["id"],
            "type": record["type"],
            "user": self.world.users[record["user"]],
            "authorizing_integration_owners": record["owners"],
        }
        if record["type"] == COMMAND:
            about |= {"name": record["name"], "command_type": 1}
        if record["type"] == COMPONENT:
            about["interacted_message_id"] = record["target"][1]
        if record["type"] == SUBMIT:
            about["triggering_interaction_metadata"] = record["trigger"]
        return about

    def _post(self, record: Json, draft: MessageDraft, *, loading: bool = False) -> Json:
        world, hidden = self.world, bool(int(draft.body.get("flags") or 0) & EPHEMERAL)
        extra: Json = {
            "type": CHAT_INPUT_COMMAND if record["name"] and not record["original"] else 0,
            "flags": EPHEMERAL * hidden | LOADING * loading,
            "ephemeral_for": record["user"] if hidden else None,
            "interaction_metadata": self._make_metadata(record),
            "application_id": world.me,
            "webhook_id": world.me,
        }
        threads.before_answering(world, world.channel(record["channel_id"]))
        make = posts.post_placeholder if loading else posts.create_message
        message = make(world, record["channel_id"], world.me, draft, **extra)
        threads.after_posting(world, message)
        record["messages"].append(message["id"])
        return message

    def _make_receipt(self, record: Json, answer: InitialAnswer) -> Json:
        interaction: Json = {"id": record["id"], "type": record["type"]}
        interaction |= {"channel_id": record["channel_id"]}
        interaction |= {"guild_id": record["guild_id"]} if record["guild_id"] else {}
        resource: Json = {"type": answer.kind}
        message = self.world.messages.get(answer.channel_id, {}).get(answer.message_id or "")
        if message is not None:
            interaction |= {
                "response_message_id": message["id"],
                "response_message_loading": bool(message["flags"] & LOADING),
                "response_message_ephemeral": bool(message["flags"] & EPHEMERAL),
            }
        if answer.kind in (MESSAGE, UPDATE):
            return {"interaction": interaction, "resource": resource | {"message": message}}
        return {"interaction": interaction}

    # --- what the token allows afterwards

    def _find_open_record(self, token: str) -> Json:
        record = self.world.interactions.get(token)
        if record is None:
            raise ApiError(10015)
        if self._age_of(record) > TOKEN_SECONDS:
            raise ApiError(50027)
        if record["answered"] is None:
            raise ApiError(10015)
        return record

    def follow_up(self, token: str, draft: MessageDraft) -> Json:
        """Post a follow-up; the first after a deferral fills the placeholder and keeps its visibility."""
        record = self._find_open_record(token)
        if record["answered"] == DEFER:
            original = self.world.messages[record["channel_id"]].get(record["original"])
            if original is not None and original["flags"] & LOADING:
                threads.before_answering(self.world, self.world.channel(record["channel_id"]), edits=True)
                body = draft.body | {"flags": int(draft.body.get("flags") or 0) & V2}
                return posts.edit_message(self.world, original, MessageDraft(body, draft.files))
        record["followed"] = record.get("followed", 0) + 1
        if record.get("owners", {}).keys() == {"1"} and record["followed"] > FOLLOW_UPS:
            raise ApiError(40094)
        return self._post(record, draft)

    def edit(self, token: str, message_id: str, draft: MessageDraft) -> Json:
        """Edit the message of a token and an id (or `@original`)."""
        message = self.find(token, message_id)
        threads.before_answering(self.world, self.world.channel(message["channel_id"]), edits=True)
        made = posts.edit_message(self.world, message, draft)
        if message_id == "@original" and (answer := self.acknowledged.pop(token, None)):
            answer.edited.set()
        return made

    def find(self, token: str, message_id: str) -> Json:
        """The message of a token and an id (or `@original`); 10008 for a message of another interaction."""
        record = self._find_open_record(token)
        if message_id == "@original":
            message_id = str(record["original"])
        elif message_id not in record["messages"]:
            raise ApiError(10008)
        return self.world.message(record["channel_id"], message_id)
