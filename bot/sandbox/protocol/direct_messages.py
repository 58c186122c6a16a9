"""Direct messages: a channel between the bot and one person, outside of every server.

The bot can open a channel to anybody. A message is refused if the person closed their mailbox, or shares no server with
the bot.
"""

from bot.sandbox.protocol.rest import Call, Row
from bot.sandbox.world.api_errors import ApiError, Form, Json
from bot.sandbox.world.world import DIRECT, World


def opened(world: World, user_id: str) -> Json:
    """The channel between the bot and a person, made at the first request."""
    if user_id not in world.users or world.users[user_id]["bot"]:
        raise ApiError(50033)
    known = next((one for one in world.private.values() if one["recipients"][0]["id"] == user_id), None)
    if known:
        return known
    made: Json = {"id": world.new_id(), "type": DIRECT, "last_message_id": None, "flags": 0}
    made["recipients"] = [world.users[user_id]]
    world.private[made["id"]] = made
    world.messages[made["id"]] = {}
    # Bots are not told of such channels; the page is.
    world.tell("MAILBOX", {"user": user_id, "channel": made})
    return made


def expect_open(world: World, channel: Json) -> None:
    """Refuse a message that the person does not want, or cannot get."""
    person = channel["recipients"][0]["id"]
    if not any({person, world.me} <= server.members.keys() for server in world.servers.values()):
        raise ApiError(50278)
    if person in world.closed:
        raise ApiError(50007)


def close(world: World, user_id: str, closed: bool = True) -> None:
    """Let a person close their mailbox to people and apps of the server, or open it."""
    world.closed = [one for one in world.closed if one != user_id] + [user_id] * closed
    world.tell("MAILBOX", {"user": user_id, "closed": closed})


def of(world: World, user_id: str) -> list[Json]:
    """The channels that a person has with the bot: one, or none yet."""
    return [one for one in world.private.values() if one["recipients"][0]["id"] == user_id]


class DirectMessages:
    """The handler of the route under /users/@me/channels."""

    def __init__(self, world: World) -> None:
        self.world = world

    def open(self, call: Call) -> Json:
        """POST /users/@me/channels."""
        form = Form()
        recipient = call.draft.body.get("recipient_id")
        if not isinstance(recipient, int | str) or not str(recipient).isdecimal():
            form.wrong(("recipient_id",), "NUMBER_TYPE_COERCE", f'Value "{recipient}" is not snowflake.')
        form.close()
        return opened(self.world, str(recipient))


def table(routes: DirectMessages) -> tuple[Row, ...]:
    """The routes of direct messages."""
    return (("POST", "/users/@me/channels", routes.open),)
